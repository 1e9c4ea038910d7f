#include "commands.h"
#include "input/input.h"
#include "output/output.h"
#include "stage/subject.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

bool cli_place(struct cli *cli, const struct cli_subject *subject)
{
    struct trod_text place = {.file = subject->file, .line = subject->line};
    struct trod_err err = cli->err;

    trod_text_error(&place, &cli->err, "%s", err.text);
    cli->err.code = err.code;
    return false;
}

/* --- sections --------------------------------------------------------------------- */

struct reader {
    struct cli *cli;
    struct cli_document *document;
    struct trod_text text;
    bool paths_only;
    bool any; /* section so far */
};

static bool next(struct reader *r, struct trod_token *token)
{
    return trod_text_next(token, &r->text, &r->cli->mem, &r->cli->err);
}

static struct cli_subject *add_subject(struct reader *r, uint32_t line)
{
    struct cli_document *d = r->document;

    trod_reserve(&r->cli->mem, d->subject, d->count, d->room);
    d->subject[d->count] = (struct cli_subject){.file = r->text.file, .line = line};
    return &d->subject[d->count++];
}

/* Includes the head of the section. */
static bool read_graph(struct reader *r, uint32_t line)
{
    struct cli_subject *subject = add_subject(r, line);
    struct trod_graph *graph = trod_new(&r->cli->mem, struct trod_graph, 1);
    bool more;

    subject->graph = graph;
    return trod_graph_parse(graph, &more, &r->text, &r->cli->mem, &r->cli->err);
}

/* A sum that does not fit is reported without a line. */
static bool failed_to_read(struct reader *r, const struct cli_subject *subject)
{
    return r->cli->err.code == TROD_E_LIMIT ? cli_place(r->cli, subject) : false;
}

static bool read_numbering(struct reader *r, const char *name, uint32_t line)
{
    struct cli_subject *subject = add_subject(r, line);
    struct trod_numbering *numbering = trod_new(&r->cli->mem, struct trod_numbering, 1);

    if (!trod_number_parse(numbering, name, &r->text, &r->cli->mem, &r->cli->err))
        return failed_to_read(r, subject);
    subject->numbering = numbering;
    subject->graph = numbering->dag->graph;
    return true;
}

static bool read_plan(struct reader *r, const char *name, uint32_t line)
{
    struct cli_subject *subject = add_subject(r, line);
    struct trod_plan *plan = trod_new(&r->cli->mem, struct trod_plan, 1);

    if (!trod_probe_parse(plan, name, &r->text, &r->cli->mem, &r->cli->err))
        return failed_to_read(r, subject);
    subject->plan = plan;
    subject->graph = plan->numbering->dag->graph;
    return true;
}

/* The last function of this name: a program may have several. */
static struct cli_subject *find_subject(const struct cli_document *d, const char *name)
{
    for (uint32_t i = d->count; i-- > 0;)
        if (strcmp(d->subject[i].graph->name, name) == 0)
            return &d->subject[i];
    return NULL;
}

static bool read_paths(struct reader *r, const char *name)
{
    struct cli_subject *subject = find_subject(r->document, name);
    struct trod_text place = r->text;
    struct trod_token token;

    if (!next(r, &token))
        return false;
    if (token.kind != TROD_T_LINE && token.kind != TROD_T_END)
        return trod_text_fail(&place, &r->cli->err,
            "more than one word after 'paths'; write the paths on lines of their own");
    if (!subject) {
        trod_text_error(&place, &r->cli->err,
            "there is no graph '%s' before its paths; put it there, or correct the name",
            name);
        if (r->paths_only)
            r->cli->err.code = TROD_E_MISMATCH;
        return false;
    }
    return trod_trails_parse(
        &subject->trails, &r->text, subject->graph, &r->cli->mem, &r->cli->err);
}

static bool read_section(struct reader *r, struct trod_token head)
{
    struct trod_token name;
    uint32_t line = r->text.line;

    if (!next(r, &name))
        return false;
    if (head.kind == TROD_T_NAME && name.kind == TROD_T_NAME) {
        if (strcmp(head.name, "paths") == 0)
            return read_paths(r, name.name);
        if (strcmp(head.name, "numbering") == 0 && !r->paths_only)
            return read_numbering(r, name.name, line);
        if (strcmp(head.name, "plan") == 0 && !r->paths_only)
            return read_plan(r, name.name, line);
    }
    r->text.line = line;
    return trod_text_fail(&r->text, &r->cli->err, "expected the head of a section: %s",
        r->paths_only ? "'paths NAME'"
                      : "'graph NAME', 'paths NAME', 'numbering NAME KIND' or 'plan "
                        "NAME PLACEMENT'; a block's line has a colon after its name");
}

static bool read_sections(struct reader *r)
{
    for (;;) {
        struct trod_text before = r->text;
        struct trod_token head;

        if (!next(r, &head))
            return false;
        if (head.kind == TROD_T_LINE)
            continue;
        if (head.kind == TROD_T_END)
            break;
        r->any = true;
        if (head.kind == TROD_T_NAME && strcmp(head.name, "graph") == 0 &&
            !r->paths_only) {
            uint32_t line = r->text.line;

            r->text = before;
            if (!read_graph(r, line))
                return false;
        } else if (!read_section(r, head)) {
            return false;
        }
    }
    return r->any || trod_text_fail(&r->text, &r->cli->err,
                         "the file is empty; begin with '%s NAME'",
                         r->paths_only ? "paths" : "graph");
}

/* --- the document as a whole ------------------------------------------------------ */

static bool read_file(
    struct cli *cli, struct cli_document *document, const char *path, bool paths_only)
{
    struct reader r = {.cli = cli, .document = document, .paths_only = paths_only};

    return cli_in_read(cli, &r.text, path) && read_sections(&r);
}

/* List the omitted functions, as far as they fit into a line. */
static void note_skipped(struct cli *cli, const struct cli_document *d)
{
    uint32_t nskipped = d->count - d->nchosen, named = 0;
    char names[200] = "";
    size_t used = 0;

    for (uint32_t i = 0; i < d->count && used < sizeof names / 2; i++) {
        if (d->subject[i].chosen)
            continue;
        snprintf(names + used, sizeof names - used, "%s%.60s", named ? ", " : "",
            d->subject[i].graph->name);
        used = strlen(names);
        named++;
    }
    cli_note(cli, "--function '%s' skips %u of %u: %s%s", cli->options.function,
        nskipped, d->count, names, named < nskipped ? ", ..." : "");
}

static bool choose(struct cli *cli, struct cli_document *d)
{
    const char *glob = cli->options.function;

    for (uint32_t i = 0; i < d->count; i++) {
        struct cli_subject *s = &d->subject[i];

        s->chosen = !glob || fnmatch(glob, s->graph->name, 0) == 0;
        d->nchosen += s->chosen;
    }
    assert(d->count > 0); /* input with paths alone was refused before */
    if (!d->nchosen)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "no function matches --function '%s'; the first of %u is called '%s'", glob,
            d->count, d->subject[0].graph->name);
    if (d->nchosen < d->count)
        note_skipped(cli, d);
    return true;
}

bool cli_trail_read(struct cli *cli, struct trod_trail *out, const char *trail,
    const char *option, const struct trod_graph *graph)
{
    struct trod_text text;

    trod_text_init(&text, option, trail, strlen(trail));
    return trod_trail_parse(out, &text, graph, &cli->mem, &cli->err);
}

/* A path given as an option does not name its function. */
static bool add_paths(struct cli *cli, struct cli_document *d)
{
    const struct cli_options *o = &cli->options;
    struct cli_subject *s = d->subject;

    if (d->nchosen > 1 && o->path.count + o->encode.count + o->decode.count > 0)
        return cli_misused(cli,
            "--path, --encode and --decode need one function, and %u were read; choose one with "
            "--function",
            d->nchosen);
    while (!s->chosen)
        s++;
    for (uint32_t i = 0; i < o->path.count; i++) {
        trod_reserve(&cli->mem, s->trails.trail, s->trails.count, s->trails.room);
        if (!cli_trail_read(cli, &s->trails.trail[s->trails.count++], o->path.item[i],
                "--path", s->graph))
            return false;
    }
    return true;
}

bool cli_document_read(struct cli_document *out, struct cli *cli)
{
    const struct cli_options *o = &cli->options;

    *out = (struct cli_document){0};
    if (!o->file.count && !read_file(cli, out, "-", false))
        return false;
    for (uint32_t i = 0; i < o->file.count; i++)
        if (!read_file(cli, out, o->file.item[i], false))
            return false;
    for (uint32_t i = 0; i < o->path_file.count; i++)
        if (!read_file(cli, out, o->path_file.item[i], true))
            return false;
    if (!choose(cli, out))
        return false;
    if (o->form == CLI_SVG && out->nchosen > 1)
        return cli_misused(cli,
            "--svg needs one function, and %u were read; choose one with --function",
            out->nchosen);
    if (o->form >= CLI_DOT && cli_is_asked(o))
        return cli_misused(cli,
            "--dot and --svg draw a function and cannot be combined with queries; use text or "
            "--json");
    if (!add_paths(cli, out))
        return false;
    for (uint32_t i = 0; i < out->count; i++)
        cli->any_trails |= out->subject[i].chosen && out->subject[i].trails.count;
    return true;
}

bool cli_document_each(struct cli *cli, const struct cli_document *document,
    const char *array, bool (*fn)(struct cli *cli, const struct cli_subject *subject))
{
    bool is_json = cli->options.form == CLI_JSON;

    if (is_json) {
        cli_json_begin(cli);
        trod_json_open(&cli->json, array, '[');
    }
    for (uint32_t i = 0; i < document->count; i++) {
        struct trod_mark mark = trod_arena_mark(&cli->mem);

        if (!document->subject[i].chosen)
            continue;
        if (cli->options.form == CLI_TEXT)
            cli_out_gap(cli);
        if (is_json)
            trod_json_open(&cli->json, NULL, '{');
        if (!fn(cli, &document->subject[i]))
            return false;
        if (is_json)
            trod_json_close(&cli->json, '}');
        trod_arena_rewind(&cli->mem, mark);
    }
    if (is_json) {
        trod_json_close(&cli->json, ']');
        trod_json_close(&cli->json, '}');
    }
    return cli_draw_finish(cli);
}
