#include "commands.h"
#include "look/look.h"
#include "output/output.h"
#include "test/verdict.h"

#include <inttypes.h>

/* --- reading --------------------------------------------------------------------------- */

static void note_losses(struct cli *cli, const struct cli_profiles *in)
{
    uint32_t nnote = 0;

    for (uint32_t i = 0; i < in->count; i++)
        nnote += in->profile[i].nnote;
    for (uint32_t i = 0; i < in->count; i++)
        if (!trod_profile_is_whole(&in->profile[i])) {
            cli_note(cli,
                "%s: only some paths are counted in it; 'trod show' prints which",
                in->name);
            break;
        }
    if (in->health.nloss)
        cli_note(cli, "%s: damaged; some of its paths may be missing", in->name);
    else if (nnote)
        cli_note(cli,
            "%s: it has notes, and some of its paths may be missing; 'trod show' prints the notes",
            in->name);
}

/* Files are read one by one; only the set of their paths is kept. */
static bool add_files(struct cli *cli, struct trod_suite_builder *b,
    const struct cli_list *file, bool failed)
{
    struct cli_skips skips = {.of = file->count};
    struct trod_arena mem;
    bool ok = true;

    trod_arena_init(&mem, cli->mem.exhausted, cli->mem.ctx);
    for (uint32_t i = 0; ok && i < file->count; i++) {
        struct trod_suite_source naming = {
            .field = cli->options.name_field, .failed = failed};
        struct cli_profiles in;

        ok = cli_profiles_read(&in, cli, file->item[i], &mem);
        if (!ok) {
            ok = cli_skips_take(&skips, cli);
            continue;
        }
        note_losses(cli, &in);
        naming.file = in.name;
        ok = !in.count || trod_suite_add(b, in.profile, in.count, &naming, &cli->err);
        trod_arena_free(&mem);
    }
    trod_arena_free(&mem);
    return ok && cli_skips_end(&skips, cli);
}

static void note_names(
    struct cli *cli, const struct trod_suite_builder *b, const struct trod_suite *suite)
{
    const char *field = cli->options.name_field;
    uint32_t nsum = 0;

    if (b->nunnamed)
        cli_note(cli,
            "%" PRIu32 " tests have no field '%s', and are named by their files",
            b->nunnamed, field);
    if (field && b->ngroup > suite->ntest)
        cli_note(cli,
            "%" PRIu32 " profiles are %" PRIu32 " tests: those of one name are one",
            b->ngroup, suite->ntest);
    else if (b->ngroup > suite->ntest)
        cli_note(cli, "%" PRIu32 " profiles are named twice, and counted once",
            b->ngroup - suite->ntest);
    for (uint32_t t = 0; !field && t < suite->ntest; t++)
        nsum += suite->test[t].nrun > 1;
    if (nsum && b->ngroup == suite->ntest)
        cli_note(cli,
            "%" PRIu32
            " profiles are sums of several runs, and count as one test each; 'trod merge "
            "--keep-runs' keeps runs separate",
            nsum);
}

static bool read_suite(struct cli *cli, struct trod_suite *out)
{
    struct cli_options *o = &cli->options;
    struct trod_suite_options options = {.foreign = o->foreign};
    const char *standard = "-";
    struct cli_list input = {.item = &standard, .count = 1};
    struct trod_suite_builder builder;
    struct trod_arena mem;
    bool ok;

    trod_arena_init(&mem, cli->mem.exhausted, cli->mem.ctx);
    trod_suite_builder_init(&builder, &mem);
    if (o->file.count || o->failed.count)
        input = o->file;
    ok = cli_profiles_list(&input, cli, &input) &&
         cli_profiles_list(&o->failed, cli, &o->failed) &&
         add_files(cli, &builder, &input, false) &&
         add_files(cli, &builder, &o->failed, true) &&
         trod_suite_build(out, &builder, &options, &cli->mem, &cli->err) &&
         (!TROD_CHECKED || trod_suite_check(out, &cli->mem, &cli->err));
    if (ok)
        note_names(cli, &builder, out);
    trod_arena_free(&mem);
    return ok;
}

/* Select functions by --function, --file and --directory, with names from the map. */
static void choose(struct cli *cli, struct cli_suite *t)
{
    const struct trod_suite all = t->suite;
    bool *is_wanted = trod_new(&cli->mem, bool, all.nfunction);
    struct trod_report_options options;
    struct trod_rows rows;

    cli_report_options(&options, cli);
    t->options = options;
    t->options.wants = NULL;
    if (!options.wants && !cli->options.file_glob && !cli->options.directory)
        return;
    trod_rows_init(&rows, &t->map, &options, &cli->mem);
    for (uint32_t f = 0; f < all.nfunction; f++) {
        size_t before = rows.count;

        trod_rows_add(&rows, &all.function[f], 0, 1, 0);
        is_wanted[f] = rows.count > before;
    }
    trod_suite_choose(&t->suite, &all, is_wanted, &cli->mem);
}

/* --- summary ------------------------------------------------------------------------------ */

static bool is_json(const struct cli *cli)
{
    return cli->options.form == CLI_JSON;
}

static uint32_t listed(const struct cli_suite *t, uint32_t count)
{
    return count < t->most ? count : t->most;
}

static const char *chosen(const struct cli *cli)
{
    const struct cli_options *o = &cli->options;

    return o->function || o->file_glob || o->directory ? " of the selected functions"
                                                       : "";
}

/* "20 of 100 tests" */
static void put_part(
    struct trod_sink *sink, uint32_t part, uint32_t all, const char *what)
{
    if (part < all)
        trod_put(sink, "%" PRIu32 " of ", part);
    trod_put(sink, "%" PRIu32 " %s%s", all, what, all == 1 ? "" : "s");
}

static double seconds(uint64_t nanoseconds)
{
    return (double)nanoseconds / 1e9;
}

/* --- ordered tests ---------------------------------------------------------------------------- */

struct ordered {
    struct trod_suite_step *step;
    struct trod_suite_worth *worth;
    bool *is_redundant;
    uint32_t nredundant;
    enum trod_suite_by by;
};

static bool order_tests(
    struct cli *cli, struct ordered *out, const struct trod_suite *s)
{
    out->by =
        cli->options.by ? (enum trod_suite_by)(cli->options.by - 1) : TROD_BY_PATHS;
    out->step = trod_new(&cli->mem, struct trod_suite_step, s->ntest);
    out->worth = trod_new(&cli->mem, struct trod_suite_worth, s->ntest);
    out->is_redundant = trod_new(&cli->mem, bool, s->ntest);
    out->nredundant = 0;
    trod_suite_worth(out->worth, s);
    trod_suite_order(out->step, s, out->by, &cli->mem);
    trod_suite_redundant(out->is_redundant, s, out->step, &cli->mem);
    for (uint32_t t = 0; t < s->ntest; t++)
        out->nredundant += out->is_redundant[t];
    return !TROD_CHECKED ||
           (trod_suite_order_check(s, out->step, out->by, &cli->mem, &cli->err) &&
               trod_suite_redundant_check(s, out->is_redundant, &cli->mem, &cli->err));
}

static bool check_times(struct cli *cli, const struct trod_suite *s)
{
    uint32_t ntimed = 0;

    for (uint32_t t = 0; t < s->ntest; t++)
        ntimed += s->test[t].timed;
    if (!ntimed)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "no test has a duration, because programs record it only when they exit normally; "
            "use --by=paths");
    if (ntimed < s->ntest)
        cli_note(cli,
            "%" PRIu32 " of %" PRIu32
            " tests have no duration; the longest known duration is assumed for them",
            s->ntest - ntimed, s->ntest);
    return true;
}

static void tabulate_order(struct cli_table *out, struct cli *cli,
    const struct cli_suite *t, const struct ordered *o)
{
    static const char *const column[] = {"step", "test", "new", "all", "share", "paths",
        "only", "first", "redundant", "seconds", "until"};
    const struct trod_suite *s = &t->suite;
    uint32_t n = sizeof column / sizeof *column;

    cli_table_init(out, "order", column, o->by == TROD_BY_TIME ? n : n - 2, &cli->mem);
    for (uint32_t i = 0; i < listed(t, s->ntest); i++) {
        const struct trod_suite_step *step = &o->step[i];
        const struct trod_suite_test *test = &s->test[step->test];

        cli_table_uint(out, i + 1);
        cli_table_file(out, test->name);
        cli_table_uint(out, step->nnew);
        cli_table_uint(out, step->nall);
        cli_table_share(out, s->npath ? (double)step->nall / s->npath : 1);
        cli_table_uint(out, o->worth[step->test].npath);
        cli_table_uint(out, o->worth[step->test].nonly);
        cli_table_uint(out, o->worth[step->test].nfirst);
        cli_table_yes_no(out, o->is_redundant[step->test]);
        if (o->by != TROD_BY_TIME)
            continue;
        if (test->timed)
            cli_table_real(out, seconds(test->time));
        else
            cli_table_blank(out);
        cli_table_real(out, seconds(step->time));
    }
}

static void print_redundant(
    struct cli *cli, const struct cli_suite *t, const struct ordered *o)
{
    static const char *const column[] = {"test", "paths"};
    const struct trod_suite *s = &t->suite;
    struct cli_table table;
    uint32_t n = 0;

    if (!o->nredundant)
        trod_put(&cli->out.sink, "\n# no test is redundant: each takes a path that no "
                                 "other takes\n");
    if (!o->nredundant)
        return;
    cli_table_init(&table, "redundant", column, 2, &cli->mem);
    for (uint32_t i = 0; i < s->ntest && n < t->most; i++)
        if (o->is_redundant[i]) {
            cli_table_file(&table, s->test[i].name);
            cli_table_uint(&table, o->worth[i].npath);
            n++;
        }
    trod_put(&cli->out.sink, "\n# ");
    put_part(&cli->out.sink, n, o->nredundant, "redundant test");
    trod_put(&cli->out.sink,
        ": the other %" PRIu32
        " take all their paths (found\n#   greedily; a smaller selection may exist)\n",
        s->ntest - o->nredundant);
    cli_table_print(&cli->out.sink, &table);
}

static void print_order(
    struct cli *cli, const struct cli_suite *t, const struct ordered *o)
{
    const struct trod_suite *s = &t->suite;
    struct trod_sink *sink = &cli->out.sink;
    struct cli_table table;

    tabulate_order(&table, cli, t, o);
    trod_put(sink, "# ");
    put_part(sink, listed(t, s->ntest), s->ntest, "test");
    trod_put(sink, ", %" PRIu32 " paths%s", s->npath, chosen(cli));
    if (s->npath)
        trod_put(sink, "; 90%% of them after %" PRIu32 " tests, all after %" PRIu32,
            trod_suite_reach(s, o->step, 0.9), trod_suite_reach(s, o->step, 1));
    trod_put(sink, "\n");
    cli_table_print(sink, &table);
    print_redundant(cli, t, o);
}

static void json_order(
    struct cli *cli, const struct cli_suite *t, const struct ordered *o)
{
    const struct trod_suite *s = &t->suite;
    struct cli_table table;

    tabulate_order(&table, cli, t, o);
    trod_json_uint(&cli->json, "paths", s->npath);
    trod_json_uint(&cli->json, "tests", s->ntest);
    trod_json_uint(
        &cli->json, "tests_for_90_percent", trod_suite_reach(s, o->step, 0.9));
    trod_json_uint(&cli->json, "tests_for_all", trod_suite_reach(s, o->step, 1));
    trod_json_uint(&cli->json, "redundant", o->nredundant);
    cli_table_json(&cli->json, &table);
}

static bool put_order(struct cli *cli, const struct cli_suite *t)
{
    struct ordered o;

    if (!order_tests(cli, &o, &t->suite) ||
        (o.by == TROD_BY_TIME && !check_times(cli, &t->suite)))
        return false;
    if (is_json(cli))
        json_order(cli, t, &o);
    else
        print_order(cli, t, &o);
    return true;
}

/* --- the command ------------------------------------------------------------------------------ */

static bool put(struct cli *cli, struct cli_suite *t)
{
    if (cli->options.failed.count)
        return cli_suspects_put(cli, t);
    if (cli->options.first)
        return cli_first_put(cli, t);
    return put_order(cli, t);
}

bool cli_tests(struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    struct trod_profile modules = {0};
    struct cli_suite t = {.most = UINT32_MAX};
    bool ok;

    if (o->failed.count && (o->first || o->by))
        return cli_misused(cli, "--failed cannot be combined with --by or --first");
    if (o->first && o->by)
        return cli_misused(cli, "--first and --by cannot be combined");
    if (!read_suite(cli, &t.suite))
        return false;
    modules.nmodule = t.suite.nmodule;
    modules.module = t.suite.module;
    if (!cli_maps_read(cli, &t.map, &modules))
        return false;
    if (o->most || !is_json(cli))
        t.most = !o->most               ? TROD_REPORT_MOST
                 : o->most > UINT32_MAX ? UINT32_MAX
                                        : (uint32_t)o->most;
    choose(cli, &t);
    if (!is_json(cli))
        return put(cli, &t);
    cli_json_begin(cli);
    ok = put(cli, &t);
    trod_json_close(&cli->json, '}');
    return ok;
}
