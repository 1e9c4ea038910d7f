#include "commands.h"
#include "output/output.h"
#include "stage/subject.h"

#include <inttypes.h>
#include <string.h>

uint64_t cli_list_most(const struct cli *cli, uint64_t npath)
{
    uint64_t most = cli->options.most ? cli->options.most : 1000;

    return most < npath ? most : npath;
}

const char *cli_list_trail(
    int64_t *sum, struct cli *cli, const struct cli_numbered *numbered, trod_path id)
{
    trod_edge *step = numbered->step;
    uint32_t nstep = trod_number_decode(step, &numbered->ballarus, id);
    struct trod_string text;

    if (sum)
        *sum = trod_number_sum(&numbered->numbering, step, nstep);
    trod_string_init(&text, &cli->mem);
    trod_trail_print(&text.sink, numbered->dag, step, nstep);
    return text.text;
}

/* --- tables of paths -------------------------------------------------------------- */

/* Redundant columns are omitted: the sum if it equals the id, the parts if there are none, interest
 * if no path has any.
 */
struct columns {
    const char *head[6];
    uint32_t count;
    bool sum, parts, interest;
};

static void choose_columns(
    struct columns *out, const struct cli_numbered *n, bool with_interest)
{
    *out = (struct columns){
        .sum = n->numbering.kind != TROD_BALLARUS,
        .parts = n->numbering.kind == TROD_PACKED,
        .interest = with_interest,
    };
    out->head[out->count++] = "id";
    if (out->sum)
        out->head[out->count++] = "sum";
    if (out->parts) {
        out->head[out->count++] = "low";
        out->head[out->count++] = "high";
    }
    if (out->interest)
        out->head[out->count++] = "interest";
    out->head[out->count++] = "path";
}

static void add_path(struct cli_table *t, struct cli *cli, const struct columns *c,
    const struct cli_numbered *n, trod_path id, bool interesting)
{
    int64_t sum, low, high;
    const char *trail = cli_list_trail(&sum, cli, n, id);

    cli_table_uint(t, id);
    if (c->sum)
        cli_table_int(t, sum);
    if (c->parts) {
        trod_number_unpack(&low, &high, &n->numbering, sum);
        cli_table_int(t, low);
        cli_table_int(t, high);
    }
    if (c->interest)
        cli_table_yes_no(t, interesting);
    cli_table_words(t, trail);
}

static const char *describe(struct cli *cli, uint64_t listed, uint64_t npath)
{
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    if (listed == npath)
        trod_put(&text.sink, "all %" PRIu64 " paths", npath);
    else
        trod_put(
            &text.sink, "the first %" PRIu64 " of %" PRIu64 " paths", listed, npath);
    return text.text;
}

void cli_list_paths(struct cli *cli, const struct cli_numbered *numbered)
{
    const struct trod_pathset *paths = &numbered->interest.paths;
    uint64_t npath = numbered->ballarus.npath;
    uint64_t most = cli_list_most(cli, npath);
    const char *name = numbered->dag->graph->name;
    struct columns columns;
    struct cli_table table;
    size_t next = 0;

    choose_columns(&columns, numbered, numbered->has_interest);
    cli_table_init(&table, "list", columns.head, columns.count, &cli->mem);
    for (trod_path id = 0; id < most; id++) {
        bool interesting = next < paths->count && paths->id[next] == id;

        add_path(&table, cli, &columns, numbered, id, interesting);
        next += interesting;
    }
    cli_table_put(cli, &table, name, describe(cli, most, npath));
    if (cli->options.form == CLI_JSON)
        trod_json_uint(&cli->json, "not_listed", npath - most);
    if (most < npath)
        cli_note(cli, "'%s': %" PRIu64 " paths are not listed; --most lists more", name,
            npath - most);
}

/* --- paths of interest ------------------------------------------------------------ */

static void print_interest(struct cli *cli, const struct cli_numbered *n)
{
    struct trod_sink *sink = &cli->out.sink;

    trod_put(sink, "paths ");
    trod_put_name(sink, n->dag->graph->name);
    trod_put(sink, "\n");
    for (size_t i = 0; i < n->interest.paths.count; i++) {
        int64_t sum, low, high;
        const char *trail = cli_list_trail(&sum, cli, n, n->interest.paths.id[i]);

        sink->put(sink, trail, strlen(trail));
        trod_put(sink, "  # %" PRId64, sum);
        if (n->numbering.kind == TROD_PACKED) {
            trod_number_unpack(&low, &high, &n->numbering, sum);
            trod_put(sink, ": low %" PRId64 ", high %" PRId64, low, high);
        }
        if (n->has_slots)
            trod_put(sink, ", slot %" PRIu64, trod_slot(&n->slots, (trod_path)sum));
        trod_put(sink, "\n");
    }
}

void cli_list_interest(struct cli *cli, const struct cli_numbered *numbered)
{
    struct columns columns;
    struct cli_table table;

    if (!numbered->has_interest)
        return;
    if (cli->options.form != CLI_JSON) {
        print_interest(cli, numbered);
        return;
    }
    choose_columns(&columns, numbered, false);
    cli_table_init(&table, "paths", columns.head, columns.count, &cli->mem);
    for (size_t i = 0; i < numbered->interest.paths.count; i++)
        add_path(&table, cli, &columns, numbered, numbered->interest.paths.id[i], true);
    cli_table_json(&cli->json, &table);
}

/* --- single paths ----------------------------------------------------------------- */

/* A single result: in text form, only what was requested. */
static void answer(struct cli *cli, const struct cli_numbered *n, trod_path id,
    bool want_trail, struct trod_sink *sink)
{
    int64_t sum;
    const char *trail = cli_list_trail(&sum, cli, n, id);

    if (cli->options.form == CLI_JSON) {
        trod_json_open(&cli->json, NULL, '{');
        trod_json_uint(&cli->json, "id", id);
        trod_json_int(&cli->json, "sum", sum);
        trod_json_text(&cli->json, "path", trail);
        trod_json_close(&cli->json, '}');
        return;
    }
    if (want_trail)
        sink->put(sink, trail, strlen(trail));
    else
        trod_put(sink, "%" PRId64, sum);
    trod_put(sink, "\n");
}

static bool answer_all(struct cli *cli, const struct cli_numbered *n,
    const struct cli_list *list, bool decode)
{
    const char *option = decode ? "--decode" : "--encode";

    if (cli->options.form == CLI_JSON)
        trod_json_open(&cli->json, option + 2, '[');
    for (uint32_t i = 0; i < list->count; i++) {
        struct trod_trail trail = {.file = option, .line = 1, .by_id = true};
        trod_path id;

        if (decode && !trod_text_uint(&trail.id, list->item[i]))
            return cli_misused(
                cli, "--decode: '%s' is not a path id, a whole number", list->item[i]);
        if (!decode &&
            !cli_trail_read(cli, &trail, list->item[i], option, n->dag->graph))
            return false;
        if (!trod_trail_encode(&id, &trail, &n->ballarus, &cli->err))
            return false;
        answer(cli, n, id, decode, &cli->out.sink);
    }
    if (cli->options.form == CLI_JSON)
        trod_json_close(&cli->json, ']');
    return true;
}

bool cli_list_decode(struct cli *cli, const struct cli_numbered *numbered)
{
    return answer_all(cli, numbered, &cli->options.decode, true);
}

bool cli_list_encode(struct cli *cli, const struct cli_numbered *numbered)
{
    return answer_all(cli, numbered, &cli->options.encode, false);
}
