#include "commands.h"
#include "look/html_kinds.h"
#include "look/look.h"
#include "output/output.h"
#include "test/verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gzip/gzip.h"

/* --- contents
 * ------------------------------------------------------------------------------------------------------- */

struct other {
    struct trod_profile profile;
    struct trod_profile_diff diff;
    struct trod_flows flows;
};

/* The profile to compare with, and its line counts, for functions that are also in the map. */
static bool read_since(struct trod_page_options *options, struct cli *cli,
    const struct trod_profile *profile, const struct trod_map *map)
{
    struct cli_list one = {.item = &cli->options.since, .count = 1};
    struct other *old = trod_new(&cli->mem, struct other, 1);

    if (!cli_profiles_sum(&old->profile, cli, &one) ||
        !trod_profile_diff(&old->diff, &old->profile, profile, &cli->mem, &cli->err))
        return false;
    trod_flows_build_any(&old->flows, &old->profile, map, &cli->mem);
    options->since = &old->diff;
    options->before = &old->flows;
    return true;
}

/* Each group of runs of each file is a test; none if there is only one group. */
static void list_tests(
    struct trod_page_options *options, struct cli *cli, const struct cli_html_input *in)
{
    struct trod_page_test *test = NULL;
    uint32_t n = 0, room = 0;

    for (uint32_t i = 0; i < in->none; i++) {
        const struct cli_html_profile *one = &in->one[i];

        for (uint32_t g = 0; g < one->profile->ngroup && one->profile->ntally; g++) {
            struct trod_string name;

            trod_string_init(&name, &cli->mem);
            trod_put(&name.sink, "%s", one->file);
            if (g)
                trod_put(&name.sink, "@%" PRIu32, g + 1);
            trod_push(&cli->mem, test, n, room,
                (struct trod_page_test){name.text, one->profile, g});
        }
    }
    options->test = test;
    options->ntest = n;
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
            trod_copy(&cli->mem, cli->options.function), &cli->mem);
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

/* Counts are removed where they are unknown, since unknown does not mean 0. */
static void forget_counts(struct trod_flows *flows)
{
    for (uint32_t i = 0; i < flows->map->nentry; i++)
        flows->of_entry[i].entry = NULL;
}

static bool build(struct trod_page *out, struct cli *cli,
    const struct cli_html_input *in, const struct trod_page_kinds *kinds)
{
    const struct trod_profile *profile = &in->sum[0];
    const struct trod_map *map = &in->map;
    const struct cli_options *o = &cli->options;
    struct trod_flows *flows = trod_new(&cli->mem, struct trod_flows, 1);
    struct trod_page_options options = {
        .all = o->all, .also = kinds->also, .most = o->most, .missing = o->missing};
    struct trod_list tested;

    if (o->function) {
        options.wants = cli_report_wants;
        options.ctx = trod_copy(&cli->mem, o->function);
    }
    list_tests(&options, cli, in);
    if (o->since && !read_since(&options, cli, profile, map))
        return false;
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

/* --- sources ---------------------------------------------------------------------------------- */

/* Reads the sources that are readable; returns their number of lines. */
static uint64_t read_sources(
    struct cli_source *source, struct trod_page *page, struct cli *cli)
{
    uint64_t nline = 0;

    for (uint32_t i = 0; i < page->nfile; i++) {
        struct trod_page_file *file = &page->file[i];

        if (file->why)
            continue;
        if (cli_source_read(&source[i], cli, file->name, file->directory))
            nline += source[i].nline;
        else
            file->why = source[i].why;
    }
    return nline;
}

static void fold(struct trod_page *page, struct cli *cli, uint64_t nline)
{
    if (cli->options.all_sources)
        return;
    trod_page_fold(page, nline);
    if (page->folded && page->ntold < page->nfunction)
        trod_page_note(page, &cli->mem,
            "%" PRIu32 " of %" PRIu32
            " functions, the coldest, are without their source text, because the program is "
            "large; --all-sources includes it, --function and --file choose functions",
            page->nfunction - page->ntold, page->nfunction);
}

static void fill_files(struct trod_page *page, struct cli *cli)
{
    time_t built = cli_sources_built(page->profile);
    struct cli_source *sources = trod_new(&cli->mem, struct cli_source, page->nfile);
    uint32_t nlost = 0, nown = 0; /* system headers are not included */

    fold(page, cli, read_sources(sources, page, cli));
    for (uint32_t i = 0; i < page->nfile; i++) {
        struct cli_source source = sources[i];

        nown += !page->file[i].system;
        if (!source.line) {
            nlost += source.why && !page->file[i].system;
            continue;
        }
        trod_page_fill_file(
            page, i, (const char *const *)source.line, source.nline, &cli->mem);
        if (built && source.changed > built)
            trod_page_note(page, &cli->mem,
                "%s changed after the program was built: line numbers may be wrong",
                source.path);
    }
    if (nlost)
        trod_page_note(page, &cli->mem,
            "%" PRIu32 " of %" PRIu32
            " sources were not found or are outside the working directory; name their folder "
            "with --source",
            nlost, nown);
}

/* --- the page --------------------------------------------------------------------------------- */

/* Written before the message that it was. */
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

enum {
    PLAIN = 1 << 20,
    LEVEL = 6
}; /* smallest data worth compressing, in bytes; level of zlib */

/* Browsers decompress the data; a smaller page is easier to mail and store. */
static bool pack(struct trod_page *page, struct cli *cli)
{
    struct trod_string text, packed;
    struct trod_json json;

    if (cli->options.no_compress)
        return true;
    trod_string_init(&text, &cli->mem);
    trod_string_init(&packed, &cli->out_mem);
    trod_json_init(&json, &text.sink);
    json.compact = true;
    trod_page_json(&json, page);
    if (text.length < PLAIN)
        return true;
    if (!trod_gzip_put(
            &packed.sink, text.text, text.length, LEVEL, &cli->mem, &cli->err))
        return false;
    page->packed = packed.text;
    page->npacked = packed.length;
    return true;
}

/* The scheme must not run a script, and there must be a placeholder for the file. */
static bool is_link(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789+.-";
    static const char *const refused[] = {"javascript:", "data:", "vbscript:", "blob:"};
    size_t n = strspn(text, letters);

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strncmp(text, refused[i], strlen(refused[i])) == 0)
            return false;
    return n && text[n] == ':' && strstr(text, "{path}");
}

bool cli_html(struct cli *cli)
{
    bool json = cli->options.form == CLI_JSON;
    struct cli_html_input in;
    struct trod_page_kinds kinds;
    struct trod_page page;
    struct cli_text text;

    if (!json && cli_to_terminal(cli))
        return cli_misused(cli,
            "a page cannot be written to a terminal; name a file with -o FILE.html");
    if (cli->options.editor && !is_link(cli->options.editor))
        return cli_misused(cli,
            "--editor needs a link with {path}, and optionally {line} and {column}, such as "
            "vscode://file{path}:{line}:{column}");
    if (!cli_html_read(&in, cli) || !cli_html_kinds(&kinds, cli, &in) ||
        !build(&page, cli, &in, &kinds))
        return false;
    page.editor = cli->options.editor;
    cli_html_facts(&page, cli);
    fill_files(&page, cli);
    page.text = cli_text_open(&text, cli, NULL, &in.map);
    text.quiet = true;
    cli_html_lay_out(&page, cli);
    if (TROD_CHECKED && !trod_page_check(&page, &cli->mem, &cli->err))
        return false;
    if (json) {
        trod_page_json(&cli->json, &page);
        return true;
    }
    if (!pack(&page, cli))
        return false;
    trod_page_write(&cli->out.sink, &page);
    return write_page(cli);
}
