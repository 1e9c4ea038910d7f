#include "commands.h"
#include "look/look.h"
#include "output/output.h"
#include "sample/sampled.h"
#include "stage/subject.h"

#include <string.h>

#include "elf/section.h"

/* --- names of indirectly called functions -------------------------------------------------------- */

struct named_module {
    const struct trod_profile_module *module;
    struct trod_elf_symbol *symbol;
    size_t nsymbol;
};

struct symbols {
    struct cli *cli;
    struct named_module *module;
    uint32_t count, room;
};

/* Symbols of the binary that ran, or of a named one with its build id. Without either, only names are missing. */
static void read_symbols(struct symbols *s, struct named_module *out)
{
    struct cli *cli = s->cli;
    const struct cli_list *binary = &cli->options.binary;
    struct trod_err none;

    for (uint32_t i = 0; i <= binary->count && !out->nsymbol; i++) {
        const char *file = i < binary->count ? binary->item[i] : out->module->path;
        char *id;

        if (trod_elf_build_id(&id, file, &cli->mem, &none) &&
            strcmp(id, out->module->build_id) == 0 &&
            !trod_elf_symbols(&out->symbol, &out->nsymbol, file, TROD_ELF_FUNCTIONS,
                &cli->mem, &none))
            out->nsymbol = 0;
    }
}

static const char *find_name(
    void *ctx, const struct trod_profile_module *module, uint64_t offset)
{
    struct symbols *s = ctx;
    const struct trod_elf_symbol *found;
    uint32_t i = 0;

    while (i < s->count && s->module[i].module != module)
        i++;
    if (i == s->count) {
        trod_reserve(&s->cli->mem, s->module, s->count, s->room);
        s->module[s->count] = (struct named_module){.module = module};
        read_symbols(s, &s->module[s->count++]);
    }
    found = trod_elf_find(s->module[i].symbol, s->module[i].nsymbol, offset);
    return found ? found->name : NULL;
}

bool cli_bursts_build(struct trod_bursts *out, struct cli *cli,
    const struct trod_profile *profile, const struct trod_map *map)
{
    struct symbols symbols = {.cli = cli};
    struct trod_bursts_symbols names = {find_name, &symbols};

    return trod_bursts_build(out, profile, map, &names, &cli->mem, &cli->err);
}

/* --- options for printing ------------------------------------------------------------------------- */

static bool check_options(struct cli *cli, enum trod_bursts_kind kind)
{
    const struct cli_options *o = &cli->options;

    if (o->burst_sort == TROD_BURST_BY_MEAN + 1 && kind != TROD_BURST_OF_LOOPS)
        return cli_misused(cli, "--sort=mean needs loops; choose another order");
    if (o->form >= CLI_DOT && kind != TROD_BURST_OF_PAIRS)
        return cli_misused(cli, "--dot and --svg need --graph");
    return true;
}

static bool check_type(
    struct cli *cli, const struct trod_bursts *burst, enum trod_bursts_kind kind)
{
    enum trod_burst_type type = trod_bursts_kind_type(kind);
    const char *word = trod_profile_type_name(type);

    return trod_bursts_has(burst, type) ||
           trod_fail(&cli->err, TROD_E_MISMATCH,
               "'%s' was not sampled for %s; compile it with 'trod cc --burst=types=%s', and "
               "have %s among the types of TROD_BURST",
               burst->name, word, word, word);
}

/* Other data of the profile, if there is one, explain why something may be missing. */
static bool put(struct cli *cli, const struct trod_bursts *burst,
    enum trod_bursts_kind kind, const struct trod_profile *profile,
    const struct trod_map *map)
{
    const struct cli_options *o = &cli->options;
    struct trod_report_options report;
    struct trod_bursts_options options;

    cli_report_options(&report, cli);
    options = (struct trod_bursts_options){.most = report.most,
        .sort = o->burst_sort ? (enum trod_bursts_sort)(o->burst_sort - 1)
                              : TROD_BURST_BY_COUNT,
        .wants = report.wants,
        .ctx = report.ctx};
    if (!check_type(cli, burst, kind) ||
        ((o->check || TROD_CHECKED) && !trod_bursts_check(burst, &cli->mem, &cli->err)))
        return false;
    if (o->form == CLI_JSON) {
        trod_json_open(&cli->json, NULL, '{');
        trod_bursts_json(&cli->json, burst, kind, &options, &cli->mem);
        if (profile)
            cli_chosen_remarks(cli, profile, map);
        trod_json_close(&cli->json, '}');
    } else if (o->form != CLI_TEXT) {
        trod_bursts_draw(&cli->out.sink, burst, &options, &cli->mem);
    } else {
        cli_out_gap(cli);
        if (o->as_text)
            trod_bursts_print(&cli->out.sink, burst);
        else
            trod_bursts_report(&cli->out.sink, burst, kind, &options, &cli->mem);
        if (profile && !o->as_text)
            cli_chosen_remarks(cli, profile, map);
    }
    return true;
}

/* --- files ---------------------------------------------------------------------------------------------- */

struct gathered {
    enum trod_bursts_kind kind;
    const struct trod_profile **profile;
    uint32_t count, room;
};

bool cli_bursts_is_text(const struct cli_bytes *in)
{
    struct trod_text text;

    trod_text_init(&text, in->name, in->bytes, in->length);
    while (text.at < text.end && (*text.at == '\n' || *text.at == ' '))
        text.at++;
    return (size_t)(text.end - text.at) >= 7 && memcmp(text.at, "bursts ", 7) == 0;
}

/* Sections of a text, one after another. */
static bool put_text(
    struct cli *cli, const struct cli_bytes *in, enum trod_bursts_kind kind)
{
    struct trod_text text;

    trod_text_init(&text, in->name, in->bytes, in->length);
    for (;;) {
        struct trod_token head, name;
        struct trod_bursts burst;

        if (!trod_text_next(&head, &text, &cli->mem, &cli->err))
            return false;
        if (head.kind == TROD_T_END)
            return true;
        if (head.kind == TROD_T_LINE)
            continue;
        if (!trod_text_next(&name, &text, &cli->mem, &cli->err))
            return false;
        if (!trod_token_is_word(&head, "bursts") || name.kind != TROD_T_NAME)
            return trod_text_fail(&text, &cli->err,
                "expected the head of a section, 'bursts NAME', or a line of one");
        if (!trod_bursts_parse(&burst, name.name, &text, &cli->mem, &cli->err) ||
            !put(cli, &burst, kind, NULL, NULL))
            return false;
    }
}

static bool take_file(struct cli *cli, const char *path, void *ctx)
{
    struct gathered *g = ctx;
    struct cli_profiles in;
    struct cli_bytes bytes;

    if (!cli_in_bytes(cli, &bytes, path, &cli->mem))
        return false;
    if (cli_bursts_is_text(&bytes))
        return put_text(cli, &bytes, g->kind);
    if (!cli_profiles_take(&in, cli, &bytes))
        return false;
    for (uint32_t i = 0; i < in.count; i++)
        trod_push(&cli->mem, g->profile, g->count, g->room, &in.profile[i]);
    return true;
}

static bool put_profiles(struct cli *cli, struct gathered *g)
{
    struct trod_bursts burst;
    struct trod_profile sum;
    struct trod_map map;

    trod_push(
        &cli->mem, g->profile, g->count, g->room, cli_skips_noted(cli, &cli->mem));
    return trod_profile_merge(&sum, g->profile, g->count, NULL, &cli->mem, &cli->err) &&
           cli_maps_read(cli, &map, &sum) &&
           cli_bursts_build(&burst, cli, &sum, &map) &&
           put(cli, &burst, g->kind, &sum, &map);
}

bool cli_bursts_put(struct cli *cli, enum trod_bursts_kind kind)
{
    struct gathered all = {.kind = kind};

    if (!check_options(cli, kind))
        return false;
    cli_profiles_open_json(cli, "programs");
    if (!cli_profiles_each(cli, take_file, &all) ||
        (all.count && !put_profiles(cli, &all)))
        return false;
    cli_profiles_close_json(cli);
    return cli_draw_finish(cli);
}
