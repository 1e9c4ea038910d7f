#include "commands.h"
#include "hw/processor.h"
#include "output/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- parameters ---------------------------------------------------------------------------------- */

static void print_parameters(struct cli *cli)
{
    const struct trod_explore_model *model = &trod_explore_hardware;
    static const char *const column[] = {"parameter", "values", "usual", "is"};
    static const char *const measured[] = {"measure", "is"};
    struct cli_table table;

    cli_table_init(&table, "parameters", column, 4, &cli->mem);
    for (const struct trod_explore_knob *k = model->knob; k->name; k++) {
        struct trod_string values;

        trod_string_init(&values, &cli->mem);
        for (uint32_t i = 0; k->word && k->word[i]; i++)
            trod_put(&values.sink, "%s%s", i ? " " : "", k->word[i]);
        if (!k->word)
            trod_put(&values.sink, "%" PRIu64 "..%" PRIu64 "%s", k->least, k->most,
                k->power ? ", powers of 2" : "");
        cli_table_words(&table, k->name);
        cli_table_words(&table, values.text);
        cli_table_words(&table, k->usual);
        cli_table_words(&table, k->what);
    }
    if (cli->options.form == CLI_JSON)
        cli_table_json(&cli->json, &table);
    else
        cli_table_print(&cli->out.sink, &table);
    cli_table_init(&table, "measures", measured, 2, &cli->mem);
    for (const struct trod_explore_metric *m = model->metric; m->name; m++) {
        cli_table_words(&table, m->name);
        cli_table_words(&table, m->what);
    }
    if (cli->options.form == CLI_JSON) {
        cli_table_json(&cli->json, &table);
        return;
    }
    cli_out_gap(cli);
    cli_table_print(&cli->out.sink, &table);
}

/* --- streams ---------------------------------------------------------------------------------------- */

/* Passes runs on, and shows progress. */
struct feeder {
    struct trod_branch_sink sink;
    struct trod_branch_sink *to;
    struct cli *cli;
    const char *path;
    uint64_t nrun;
    bool shows_progress;
};

enum { PROGRESS_EACH = 1 << 22 };

static void pass_code(struct trod_branch_sink *to, const struct trod_code *code)
{
    trod_branch_put_code(((struct feeder *)to)->to, code);
}

static void pass_image(struct trod_branch_sink *to, const struct trod_image *image)
{
    trod_branch_put_image(((struct feeder *)to)->to, image);
}

static void pass_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct feeder *f = (struct feeder *)to;

    trod_branch_put_run(f->to, run);
    if (++f->nrun % PROGRESS_EACH == 0 && f->shows_progress)
        fprintf(
            stderr, "\r\033[K%s: %" PRIu64 " million runs", f->path, f->nrun / 1000000);
}

static void pass_end(struct trod_branch_sink *to, uint32_t thread)
{
    trod_branch_put_end(((struct feeder *)to)->to, thread);
}

static bool feed(struct trod_branch_sink *sink, void *ctx, struct trod_err *err)
{
    struct feeder *f = ctx;
    struct cli_branches in;
    bool ok;

    f->sink = (struct trod_branch_sink){pass_code, pass_image, pass_run, pass_end};
    f->to = sink;
    f->shows_progress = !f->cli->options.quiet && isatty(STDERR_FILENO);
    ok = cli_branches_open(&in, f->cli, f->path) &&
         cli_branches_drive(&f->sink, &in, f->cli);
    if (f->shows_progress)
        fputs("\r\033[K", stderr);
    if (!ok)
        *err = f->cli->err;
    return ok;
}

/* 'gzip' for 'there/gzip.branches'. */
static const char *name_of(const char *path, struct trod_arena *mem)
{
    const char *name = strrchr(path, '/');
    const char *dot;

    name = name && name[1] ? name + 1 : path;
    dot = strchr(name + (*name == '.'), '.');
    return trod_copy_text(mem, name, dot ? (size_t)(dot - name) : strlen(name));
}

static bool run(struct trod_explored *out, struct cli *cli,
    const struct trod_study *study, const char *const *path, uint32_t npath)
{
    struct trod_explore_source *source =
        trod_new(&cli->mem, struct trod_explore_source, npath);
    struct feeder *feeding = trod_new(&cli->mem, struct feeder, npath);
    struct trod_explore_hardware_options options = {cli->options.addresses};
    struct trod_explore_model model = trod_explore_hardware;

    model.ctx = &options;
    if (npath > TROD_EXPLORE_STREAMS)
        return cli_misused(cli, "at most %d traces can be given", TROD_EXPLORE_STREAMS);
    for (uint32_t i = 0; i < npath; i++) {
        const char *name = name_of(path[i], &cli->mem);

        for (uint32_t k = 0; k < i; k++)
            if (strcmp(source[k].name, name) == 0)
                name = path[i];
        feeding[i] = (struct feeder){.cli = cli, .path = path[i]};
        source[i] = (struct trod_explore_source){name, feed, &feeding[i]};
    }
    return trod_explore_fits(&model, study, &cli->err) &&
           trod_explore_run(out, study, &model, source, npath, &cli->mem, &cli->err);
}

/* --- the study ---------------------------------------------------------------------------------------- */

static bool parse_study(
    struct trod_explored *out, struct cli *cli, struct trod_text *text)
{
    struct trod_token head;
    const char *name;

    if (!trod_text_next(&head, text, &cli->mem, &cli->err))
        return false;
    while (head.kind == TROD_T_LINE)
        if (!trod_text_next(&head, text, &cli->mem, &cli->err))
            return false;
    if (!trod_token_is_word(&head, "study"))
        return trod_text_fail(
            text, &cli->err, "expected a study; begin with 'study NAME'");
    if (!trod_text_take_name(
            &name, "the name of a study", text, &cli->mem, &cli->err) ||
        !trod_explored_parse(out, name, text, &cli->mem, &cli->err) ||
        !trod_text_next(&head, text, &cli->mem, &cli->err))
        return false;
    while (head.kind == TROD_T_LINE)
        if (!trod_text_next(&head, text, &cli->mem, &cli->err))
            return false;
    return head.kind == TROD_T_END ||
           trod_text_fail(text, &cli->err,
               "expected the end of the file; put each study in a separate file");
}

/* *nbefore: how many of the named files, from the first on, are not streams. */
static bool read_study(struct trod_explored *out, struct cli *cli, uint32_t *nbefore)
{
    const struct cli_list *file = &cli->options.file;
    struct trod_text text;

    *nbefore = !cli->options.study;
    if (cli->options.study) {
        const struct trod_explore_known *known =
            &trod_explore_known[cli->options.study - 1];

        trod_text_init(&text, known->name, known->text, strlen(known->text));
        return parse_study(out, cli, &text);
    }
    if (!file->count)
        return cli_misused(cli, "name a study file, or a built-in study with --study");
    return cli_in_read(cli, &text, file->item[0]) && parse_study(out, cli, &text);
}

/* --- output --------------------------------------------------------------------------------------------- */

/* The report says it itself. */
static void note_missing(struct cli *cli, const struct trod_explored *e)
{
    for (uint32_t i = 0; i < e->nmissing; i++) {
        struct trod_string text;

        trod_string_init(&text, &cli->mem);
        trod_explore_put_missing(&text.sink, e, &e->missing[i]);
        cli_note(cli, "%s", text.text);
    }
}

static bool put_values(struct cli *cli, const struct trod_explored *e)
{
    uint32_t order = (uint32_t)(cli->options.order < 6 ? cli->options.order : 6);
    bool reports = cli->options.form == CLI_TEXT && !cli->options.csv;

    if (!reports || cli->options.as_text)
        note_missing(cli, e);
    if (cli->options.form == CLI_JSON) {
        trod_explore_json(&cli->json, e, order, &cli->mem);
        return true;
    }
    if (cli->options.as_text)
        trod_explored_print(&cli->out.sink, e);
    else if (cli->options.csv)
        trod_explore_csv(&cli->out.sink, e);
    else if (cli->options.form == CLI_SVG)
        trod_explore_draw(&cli->out.sink, e, order, &cli->mem);
    else
        trod_explore_report(&cli->out.sink, e, order, &cli->mem);
    return true;
}

static bool put_designs(struct cli *cli, const struct trod_explored *e)
{
    if (cli->options.form == CLI_SVG)
        return cli_misused(cli, "nothing to draw; name traces after the study");
    if (cli->options.form == CLI_JSON)
        trod_explore_json(&cli->json, e, 0, &cli->mem);
    else if (cli->options.as_text)
        trod_study_print(&cli->out.sink, &e->study);
    else if (cli->options.csv)
        trod_designs_csv(&cli->out.sink, &e->study, &e->designs);
    else
        trod_designs_report(&cli->out.sink, &e->study, &e->designs, &cli->mem);
    return true;
}

static bool explore(struct cli *cli)
{
    const struct cli_list *file = &cli->options.file;
    struct trod_explored e = {0}, measured;
    uint32_t nbefore, nstream;

    if (!read_study(&e, cli, &nbefore))
        return false;
    nstream = file->count - nbefore;
    if (nstream && cli->options.designs)
        return cli_misused(cli, "--designs cannot be combined with traces");
    if (nstream && e.nstream)
        return cli_misused(
            cli, "'%s' already has values; remove them or the traces", file->item[0]);
    if (nstream) {
        if (!run(&measured, cli, &e.study, file->item + nbefore, nstream))
            return false;
        e = measured;
    }
    if ((cli->options.check || TROD_CHECKED) && !trod_explored_check(&e, &cli->err))
        return false;
    return e.nstream && !cli->options.designs ? put_values(cli, &e)
                                              : put_designs(cli, &e);
}

bool cli_explore(struct cli *cli)
{
    bool json = cli->options.form == CLI_JSON;

    if (cli->options.csv && cli->options.form != CLI_TEXT)
        return cli_misused(
            cli, "--csv, --json and --svg cannot be combined; choose one");
    if (json) {
        cli_json_begin(cli);
    }
    if (cli->options.parameters)
        print_parameters(cli);
    else if (!explore(cli))
        return false;
    if (json)
        trod_json_close(&cli->json, '}');
    return true;
}
