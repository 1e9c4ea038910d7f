#include "html_kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- what is to be in it -------------------------------------------------------------------------------------------- */

static bool read_since(
    struct trod_profile_diff *out, struct cli *cli, const struct trod_profile *profile)
{
    struct cli_list one = {.item = &cli->options.since, .count = 1};
    struct trod_profile *old = trod_new(&cli->mem, struct trod_profile, 1);

    return cli_profiles_sum(old, cli, &one) &&
           trod_profile_diff(out, old, profile, &cli->mem, &cli->err);
}

static bool read_tested(struct trod_list *list, struct cli *cli,
    const struct trod_profile *profile, const struct trod_map *map)
{
    struct trod_untested none = {0};
    struct cli_tested tested, *out = &tested;
    struct trod_ran ran;

    if (!trod_profile_check_counts(profile, &cli->err) ||
        !cli_tested_read(out, cli, map) ||
        !trod_ran_build(&ran, &profile, 1, &cli->mem, &cli->err))
        return false;
    if (cli->options.function)
        trod_list_choose(&out->list, &out->list, cli_report_wants,
            trod_copy_text(
                &cli->mem, cli->options.function, strlen(cli->options.function)),
            &cli->mem);
    *list = tested.list;
    return cli_tested_match(cli, out, &ran, map, &none);
}

static uint32_t confidence_of(const void *ctx, uint32_t entry, uint64_t id)
{
    return trod_page_known_of(ctx, entry, id);
}

static void take_kinds(
    struct trod_page *page, struct cli *cli, const struct trod_page_kinds *kinds)
{
    page->spans = kinds->spans;
    page->nspans = kinds->nspans;
    page->table = kinds->table;
    page->ntable = kinds->ntable;
    page->hardware = kinds->hardware;
    if (kinds->known) {
        page->confidence = kinds->known->confidence;
        page->nconfidence = kinds->known->nconfidence;
    }
    for (uint32_t i = 0; i < kinds->nnote; i++)
        trod_page_note(page, &cli->mem, "%s", kinds->note[i]);
}

/* What was not counted did not run 0 times. */
static void forget_counts(struct trod_flows *flows)
{
    for (uint32_t i = 0; i < flows->map->nentry; i++)
        flows->of_entry[i].entry = NULL;
}

static bool build(struct trod_page *out, struct cli *cli,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_page_kinds *kinds)
{
    const struct cli_options *o = &cli->options;
    struct trod_flows *flows = trod_new(&cli->mem, struct trod_flows, 1);
    struct trod_page_options options = {
        .all = o->all, .also = kinds->also, .most = o->most, .missing = o->missing};
    struct trod_profile_diff since;
    struct trod_list tested;

    if (o->function) {
        options.wants = cli_report_wants;
        options.ctx = trod_copy_text(&cli->mem, o->function, strlen(o->function));
    }
    if (o->since) {
        if (!read_since(&since, cli, profile))
            return false;
        options.since = &since;
    }
    if (o->tested.count) {
        if (!read_tested(&tested, cli, profile, map))
            return false;
        options.tested = &tested;
    }
    if (kinds->known) {
        options.confidence_of = confidence_of;
        options.confidence_ctx = kinds->known;
    }
    trod_flows_build_any(flows, profile, map, &cli->mem);
    cli_add_unfinished(cli, flows, profile);
    if (kinds->uncounted)
        forget_counts(flows);
    if (kinds->sampled)
        trod_page_flows_sampled(flows, kinds->sampled, &cli->mem);
    if (!trod_page_build(out, profile, map, flows, &options, &cli->mem, &cli->err))
        return false;
    take_kinds(out, cli, kinds);
    return true;
}

/* --- sources ------------------------------------------------------------------------------------------------------------ */

static void fill_files(struct trod_page *page, struct cli *cli)
{
    time_t built = cli_sources_built(page->profile);
    uint32_t nlost = 0;

    for (uint32_t i = 0; i < page->nfile; i++) {
        struct trod_page_file *file = &page->file[i];
        struct cli_source source;

        if (file->why)
            continue;
        if (!cli_source_read(&source, cli, file->name, file->directory)) {
            file->why = source.why;
            nlost++;
            continue;
        }
        trod_page_fill_file(
            page, i, (const char *const *)source.line, source.nline, &cli->mem);
        if (built && source.changed > built)
            trod_page_note(page, &cli->mem,
                "%s was changed after the program was built: lines may not be what ran",
                source.path);
    }
    if (nlost)
        trod_page_note(page, &cli->mem,
            "%" PRIu32 " of %" PRIu32
            " sources were not found or are outside of the working directory; name the "
            "folder that has them with --source",
            nlost, page->nfile);
}

/* --- facts ---------------------------------------------------------------------------------------------------------------- */

struct facts {
    struct cli *cli;
    struct trod_page_fact *fact;
    uint32_t count, room;
};

static void add_fact(struct facts *f, const char *what, const char *value)
{
    if (!value || !*value)
        return;
    trod_reserve(&f->cli->mem, f->fact, f->count, f->room);
    f->fact[f->count++] = (struct trod_page_fact){what, value};
}

static const char *text_of(struct cli *cli, uint64_t number)
{
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    trod_put(&text.sink, "%" PRIu64, number);
    return text.text;
}

static const char *field_of(const struct trod_profile_run *run, const char *key)
{
    for (uint32_t i = 0; i < run->nfield; i++)
        if (strcmp(run->field[i].key, key) == 0)
            return run->field[i].value;
    return NULL;
}

static const char several[] = "several";

/* The value that all runs have; `several` if they differ, NULL if none has any. */
static const char *common(const struct trod_profile *profile, const char *key)
{
    const char *value = NULL;

    for (uint32_t i = 0; i < profile->nrun; i++) {
        const char *own = field_of(&profile->run[i], key);

        if (own && value && strcmp(own, value) != 0)
            return several;
        value = own ? own : value;
    }
    return value;
}

/* When the first run started, by the clock of the world: pages are the same wherever they are made. */
static const char *first_start(struct cli *cli, const struct trod_profile *profile)
{
    long long first = 0;
    char text[40];
    time_t when;
    struct tm parts;

    for (uint32_t i = 0; i < profile->nrun; i++) {
        const char *start = field_of(&profile->run[i], "start");
        long long seconds = start ? strtoll(start, NULL, 10) : 0;

        if (seconds > 0 && (!first || seconds < first))
            first = seconds;
    }
    when = (time_t)first;
    if (!first || !gmtime_r(&when, &parts) ||
        !strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts))
        return NULL;
    return trod_copy_text(&cli->mem, text, strlen(text));
}

/* More modules than this are told by their number. */
enum { MOST_MODULES = 3 };

static void add_modules(struct facts *f, const struct trod_profile *profile)
{
    uint32_t n = profile->nmodule;

    if (n)
        add_fact(f, "mode", trod_profile_mode_name(profile->module[0].mode));
    if (n > MOST_MODULES)
        add_fact(f, "modules", text_of(f->cli, n));
    for (uint32_t i = 0; i < n && n <= MOST_MODULES; i++) {
        if (n > 1)
            add_fact(f, "module", profile->module[i].path);
        add_fact(f, "build id", profile->module[i].build_id);
    }
}

static void fill_facts(struct trod_page *page, struct cli *cli)
{
    const struct trod_profile *profile = page->profile;
    const char *program = common(profile, "program");
    struct facts f = {.cli = cli};

    if (!program && profile->nmodule)
        program = profile->module[0].path;
    add_fact(&f, "program", program);
    add_modules(&f, profile);
    add_fact(&f, "runs", text_of(cli, profile->nrun));
    add_fact(&f, "first run", first_start(cli, profile));
    add_fact(&f, "exit", common(profile, "exit"));
    add_fact(&f, "duration", common(profile, "duration"));
    add_fact(&f, "host", common(profile, "host"));
    add_fact(&f, "trod", CLI_VERSION);
    page->fact = f.fact;
    page->nfact = f.count;
    if (program && strrchr(program, '/'))
        program = strrchr(program, '/') + 1;
    page->title = program == several ? "several programs" : program ? program : "trod";
}

/* --- the page ---------------------------------------------------------------------------------------------------------------- */

/* Written here, so that it is not said to be there before it is. */
static bool write_page(struct cli *cli)
{
    const char *path = cli->options.output;
    double size = (double)cli->out.length;

    if (!path || strcmp(path, "-") == 0)
        return true;
    if (!cli_out_file(cli, path, &cli->out))
        return false;
    if (size < 1e6)
        cli_note(cli, "%s: %.0f KB; open it in a browser", path, size / 1e3);
    else
        cli_note(cli, "%s: %.1f MB; open it in a browser", path, size / 1e6);
    cli->out.length = 0;
    cli->options.output = NULL;
    return true;
}

bool cli_html(struct cli *cli)
{
    bool json = cli->options.form == CLI_JSON;
    struct cli_html_input in;
    struct trod_page_kinds kinds;
    struct trod_page page;

    if (!json && cli_to_terminal(cli))
        return cli_misused(
            cli, "a page is for a browser; name a file for it with -o FILE.html");
    if (!cli_html_read(&in, cli) || !cli_html_kinds(&kinds, cli, &in) ||
        !build(&page, cli, &in.sum[0], &in.map, &kinds))
        return false;
    fill_facts(&page, cli);
    fill_files(&page, cli);
    cli_html_lay_out(&page, cli);
    if (TROD_CHECKED && !trod_page_check(&page, &cli->mem, &cli->err))
        return false;
    if (json) {
        trod_page_json(&cli->json, &page);
        return true;
    }
    trod_page_write(&cli->out.sink, &page);
    return write_page(cli);
}
