#include "calls/recordings.h"
#include "commands.h"
#include "output/output.h"
#include "version/carried.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_EXPANDED = 10000000 }; /* steps, by default */

struct printer {
    struct cli *cli;
    struct cli_recorded recorded;
    struct trod_functions functions;
    struct cli_table sizes;
    struct trod_profile_builder counted;
    struct trod_wpp_printer printer; /* of the current thread */
    uint32_t nthread;                /* in all files */
};

/* --- sizes ---------------------------------------------------------------------------------- */

static const char *const columns[] = {"profile", "module", "thread", "subpaths",
    "symbols", "rules", "parts", "depth", "ratio", "bytes", "bytes/million", "given"};

static const char *last_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* Bytes per million subpaths. */
static void add_rate(struct cli_table *table, uint64_t bytes, uint64_t nsubpath)
{
    double rate = nsubpath ? 1e6 * (double)bytes / (double)nsubpath : 0;

    if (!nsubpath)
        cli_table_blank(table);
    else if (rate >= 100)
        cli_table_uint(table, (uint64_t)(rate + 0.5));
    else
        cli_table_real(table, rate);
}

static void add_sizes(struct printer *s, const struct cli_recorded_thread *t)
{
    struct trod_grammar_sizes sizes;
    uint64_t bytes = trod_recorded_bytes(&t->steps->grammar);
    struct cli_table *table = &s->sizes;

    trod_grammar_sizes(&sizes, &t->steps->grammar, &s->cli->mem);
    cli_table_file(table, t->file);
    cli_table_file(table, last_of(t->module->path));
    cli_table_uint(table, t->steps->thread);
    cli_table_uint(table, sizes.nterminal);
    cli_table_uint(table, sizes.nsymbol);
    cli_table_uint(table, sizes.nrule);
    cli_table_uint(table, sizes.npart);
    cli_table_uint(table, sizes.depth);
    cli_table_real(table, sizes.ratio);
    cli_table_uint(table, bytes);
    add_rate(table, bytes, sizes.nterminal);
    cli_table_uint(table, t->steps->ngiven);
    if (sizes.npart > 1)
        cli_note(s->cli,
            "%s: thread %" PRIu32
            " of %s outgrew its bound on symbols: it is in %" PRIu64
            " parts, and what repeats across them is in each; TROD_SYMBOLS sets the bound",
            t->file, t->steps->thread, last_of(t->module->path), (uint64_t)sizes.npart);
}

/* --- steps ---------------------------------------------------------------------------------- */

/* The name of a thread: its module, and its number if there are several. */
static const char *name_of(struct printer *s, const struct cli_recorded_thread *t)
{
    struct trod_string name;

    trod_string_init(&name, &s->cli->mem);
    trod_put(&name.sink, "%s", last_of(t->module->path));
    if (s->nthread > 1)
        trod_put(&name.sink, ".%" PRIu32, t->steps->thread);
    return name.text;
}

static bool put_step(const struct trod_step *step, void *ctx)
{
    struct printer *s = ctx;
    uint64_t most = s->cli->options.most;

    if (most && s->printer.nprinted == most)
        return false;
    if (s->cli->options.form == CLI_JSON) {
        trod_step_json(&s->cli->json, step, &s->functions.name);
        s->printer.nprinted++;
    } else {
        trod_wpp_print_next(&s->printer, step);
    }
    return true;
}

static bool can_expand(struct cli *cli, const struct cli_recorded_thread *t)
{
    struct trod_grammar_sizes sizes;

    trod_grammar_sizes(&sizes, &t->grammar, &cli->mem);
    return cli->options.most || sizes.nterminal <= MOST_EXPANDED ||
           trod_fail(&cli->err, TROD_E_LIMIT,
               "%s: thread %" PRIu32 " has %" PRIu64
               " subpaths; limit the steps printed with --most=N",
               t->file, t->steps->thread, sizes.nterminal);
}

static bool put_expanded(struct printer *s, const struct cli_recorded_thread *t)
{
    const struct trod_identity *identity = trod_functions_identity(&s->functions);
    struct cli *cli = s->cli;
    bool all;

    if (!can_expand(cli, t))
        return false;
    s->printer = (struct trod_wpp_printer){
        .sink = &cli->out.sink, .function = &s->functions.name};
    if (cli->options.form == CLI_JSON) {
        trod_identity_json(&cli->json, "functions", &s->functions.name, identity);
        trod_json_open(&cli->json, "steps", '[');
        all = trod_recorded_run(t->recorded, &t->grammar);
        trod_json_close(&cli->json, ']');
        trod_json_bool(&cli->json, "all", all);
        return true;
    }
    cli_out_gap(cli);
    trod_wpp_print_head(&cli->out.sink, name_of(s, t));
    trod_identity_print(&cli->out.sink, &s->functions.name, identity);
    all = trod_recorded_run(t->recorded, &t->grammar);
    trod_wpp_print_end(&s->printer);
    if (!all)
        trod_put(&cli->out.sink, "# ... and more\n");
    return true;
}

/* --- grammars and hot subsequences ----------------------------------------------------------- */

static void put_grammar(struct printer *s, const struct cli_recorded_thread *t)
{
    struct cli *cli = s->cli;

    if (cli->options.form == CLI_JSON) {
        trod_recorded_json(&cli->json, "grammar", t->recorded, &t->grammar);
        return;
    }
    cli_out_gap(cli);
    trod_recorded_print(&cli->out.sink, t->recorded, &t->grammar, name_of(s, t));
}

static void put_rules(struct printer *s, const struct cli_recorded_thread *t)
{
    struct cli *cli = s->cli;
    const struct trod_map *map = &s->recorded.map;
    size_t most = (size_t)cli->options.hot;

    if (cli->options.form == CLI_JSON) {
        trod_rules_json(&cli->json, "hot", t->recorded, &t->grammar, map, most);
        return;
    }
    cli_out_gap(cli);
    trod_put(&cli->out.sink, "# ");
    trod_put_name(&cli->out.sink, name_of(s, t));
    trod_put(&cli->out.sink, ": what repeats, and how much of all subpaths it is\n");
    trod_rules_print(&cli->out.sink, t->recorded, &t->grammar, map, most);
}

static void count(struct printer *s, const struct cli_recorded_thread *t)
{
    struct trod_arena *mem = &s->cli->mem;
    uint64_t *count = trod_new(mem, uint64_t, t->recorded->decoder.nsubpath);

    trod_recorded_count(count, &t->grammar, mem);
    trod_recorded_tally(&s->counted, trod_profile_add_module(&s->counted, t->module),
        t->recorded, count);
}

static bool put_counted(struct printer *s)
{
    struct cli *cli = s->cli;
    struct trod_report_options options = {
        .most = (size_t)cli->options.hot, .sort = TROD_SORT_WEIGHT};
    struct trod_profile profile;

    if (!trod_profile_build(&profile, &s->counted, &cli->err))
        return false;
    if (cli->options.form == CLI_JSON) {
        trod_report_json(
            &cli->json, "subpaths", &profile, &s->recorded.map, &options, &cli->mem);
        return true;
    }
    cli_out_gap(cli);
    trod_report_print(&cli->out.sink, &profile, &s->recorded.map, &options, &cli->mem);
    return true;
}

/* --- threads ---------------------------------------------------------------------------------- */

static void json_sizes(struct printer *s)
{
    struct cli_table *table = &s->sizes;
    struct trod_json *json = &s->cli->json;
    const struct cli_cell *cell = &table->cell[table->ncell - table->ncolumn];

    for (uint32_t c = 0; c < table->ncolumn; c++)
        cli_cell_json(json, table->column[c], &cell[c]);
}

static bool put_thread(struct cli *cli, const struct cli_recorded_thread *t, void *ctx)
{
    const struct cli_options *o = &cli->options;
    struct printer *s = ctx;
    bool ok = true;

    add_sizes(s, t);
    if (o->form == CLI_JSON) {
        trod_json_open(&cli->json, NULL, '{');
        json_sizes(s);
    }
    if (o->hot)
        count(s, t);
    if (o->hot)
        put_rules(s, t);
    if (o->grammar)
        put_grammar(s, t);
    if (o->expand)
        ok = put_expanded(s, t);
    if (o->form == CLI_JSON)
        trod_json_close(&cli->json, '}');
    return ok;
}

static bool put_recorded(struct printer *s)
{
    struct cli *cli = s->cli;
    const struct cli_options *o = &cli->options;
    bool sizes_only = !o->hot && !o->grammar && !o->expand;

    if (!sizes_only && !cli_recorded_maps(&s->recorded, cli))
        return false;
    for (uint32_t i = 0; i < s->recorded.count; i++)
        s->nthread += s->recorded.one[i].profile->nsteps;
    if (o->form == CLI_JSON)
        trod_json_open(&cli->json, "threads", '[');
    if (!cli_recorded_each(&s->recorded, cli, sizes_only ? NULL : &s->functions,
            put_step, s, put_thread))
        return false;
    if (o->form == CLI_JSON)
        trod_json_close(&cli->json, ']');
    if (o->hot && !put_counted(s))
        return false;
    if (o->form == CLI_JSON)
        trod_json_uint(&cli->json, "given", cli_recorded_given(&s->recorded));
    else if (sizes_only)
        cli_table_print(&cli->out.sink, &s->sizes);
    return true;
}

/* --- text ------------------------------------------------------------------------------------- */

static bool put_section(struct cli *cli, const char *head, struct trod_text *text)
{
    struct trod_wpp wpp;
    struct trod_token name;
    uint32_t line = text->line;

    if (!trod_text_next(&name, text, &cli->mem, &cli->err))
        return false;
    if (name.kind != TROD_T_NAME || strcmp(head, "wpp") != 0) {
        text->line = line;
        return trod_text_fail(text, &cli->err,
            "expected a profile, or the head of a section, 'wpp NAME', or steps of one");
    }
    if (!trod_wpp_parse(&wpp, name.name, text, &cli->mem, &cli->err))
        return false;
    if (cli->options.form == CLI_JSON) {
        trod_wpp_json(&cli->json, NULL, &wpp);
    } else {
        cli_out_gap(cli);
        trod_wpp_print(&cli->out.sink, &wpp);
    }
    return true;
}

static bool put_file(struct cli *cli, const char *path, void *ctx)
{
    struct printer *s = ctx;
    struct cli_bytes in;
    struct trod_text text;
    bool taken;

    if (!cli_in_bytes(cli, &in, path, &cli->mem) ||
        !cli_recorded_take(&s->recorded, cli, &in, &taken))
        return false;
    if (taken)
        return true;
    if (cli->options.hot || cli->options.grammar)
        return cli_misused(cli,
            "%s: --hot and --grammar are for profiles; for steps as text, use 'trod calls "
            "segments'",
            in.name);
    trod_text_init(&text, in.name, in.bytes, in.length);
    return cli_text_sections(cli, &text, put_section, "'wpp NAME', or name a profile");
}

bool cli_wpp(struct cli *cli)
{
    struct printer s = {.cli = cli};

    if (cli->options.spans)
        return cli_spans_put(cli);
    if (cli->options.selective || cli->options.old_sequence)
        return cli_misused(cli, "--selective and --old need --spans");
    if (cli->options.most && !cli->options.expand)
        return cli_misused(cli, "--most needs --expand");
    trod_functions_init(&s.functions, &cli->mem);
    trod_profile_builder_init(&s.counted, &cli->mem);
    cli_table_init(
        &s.sizes, "threads", columns, sizeof columns / sizeof *columns, &cli->mem);
    cli_profiles_open_json(cli, "wpps");
    if (!cli_profiles_each(cli, put_file, &s))
        return false;
    if (cli->options.form == CLI_JSON)
        trod_json_close(&cli->json, ']');
    if (s.recorded.count && !put_recorded(&s))
        return false;
    if (cli->options.form == CLI_JSON) {
        cli_skips_json(cli);
        trod_json_close(&cli->json, '}');
    }
    return true;
}
