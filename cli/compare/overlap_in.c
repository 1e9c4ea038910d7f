#include "compare/compared.h"
#include "sample/sampled.h"

#include <string.h>

/* --- texts ------------------------------------------------------------------------------------- */

/* A section, which must be the only one of the file. */
static bool take_section(
    struct cli_compared *out, struct cli *cli, const char *head, struct trod_text *text)
{
    struct trod_token name, rest;
    bool ok;

    if (!trod_text_next(&name, text, &cli->mem, &cli->err))
        return false;
    if (name.kind != TROD_T_NAME)
        return trod_text_fail(
            text, &cli->err, "expected a name after '%s', as in '%s NAME'", head, head);
    if (out->kind == CLI_BURSTS)
        ok = trod_bursts_parse(&out->burst, name.name, text, &cli->mem, &cli->err);
    else if (out->kind == CLI_SUBPATHS)
        ok = trod_subpaths_parse(&out->subpaths, name.name, text, &cli->mem, &cli->err);
    else
        ok = trod_segments_parse(&out->segments, name.name, text, &cli->mem, &cli->err);
    do
        ok = ok && trod_text_next(&rest, text, &cli->mem, &cli->err);
    while (ok && rest.kind == TROD_T_LINE);
    return ok &&
           (rest.kind == TROD_T_END ||
               trod_text_fail(text, &cli->err,
                   "expected the end of the file; put each section in a separate file"));
}

static bool find_kind(enum cli_member_kind *out, const struct trod_token *head)
{
    static const struct {
        const char *word;
        enum cli_member_kind kind;
    } known[] = {
        {"subpaths", CLI_SUBPATHS}, {"segments", CLI_SEGMENTS}, {"bursts", CLI_BURSTS}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (trod_token_is_word(head, known[i].word)) {
            *out = known[i].kind;
            return true;
        }
    return false;
}

static bool take_text(
    bool *taken, struct cli_compared *out, struct cli *cli, const struct cli_bytes *in)
{
    struct trod_token head;
    struct trod_text text;
    struct trod_err none;

    trod_text_init(&text, in->name, in->bytes, in->length);
    *taken = !(in->length && memchr(in->bytes, '\0', in->length)) &&
             trod_text_next(&head, &text, &cli->mem, &none) &&
             find_kind(&out->kind, &head);
    if (!*taken)
        return true;
    out->text = true;
    return take_section(out, cli, head.name, &text);
}

/* --- profiles ----------------------------------------------------------------------------------- */

static bool are_steps(const struct cli_profiles *in)
{
    for (uint32_t i = 0; i < in->count; i++)
        if (in->profile[i].nsteps)
            return true;
    return false;
}

static bool take_profiles(
    struct cli_compared *out, struct cli *cli, const struct cli_bytes *in)
{
    const struct trod_profile **profile;
    struct cli_profiles read;
    bool taken;

    if (!cli_profiles_take(&read, cli, in))
        return false;
    out->recorded.takes_counts = true;
    if (are_steps(&read)) {
        out->kind = CLI_SEGMENTS;
        return cli_recorded_take(&out->recorded, cli, in, &taken);
    }
    profile = trod_new(&cli->mem, const struct trod_profile *, read.count);
    for (uint32_t i = 0; i < read.count; i++)
        profile[i] = &read.profile[i];
    if (!trod_profile_merge(
            &out->profile, profile, read.count, NULL, &cli->mem, &cli->err))
        return false;
    out->kind = trod_profile_has_samples(&out->profile) ? CLI_SUBPATHS : CLI_PATHS;
    if (cli->options.members > 1 && trod_profile_has_bursts(&out->profile))
        out->kind = CLI_BURSTS;
    out->counted =
        out->profile.nmodule && out->profile.module[0].mode == TROD_MODE_SEGMENTS;
    return !out->counted || cli_recorded_take(&out->recorded, cli, in, &taken);
}

bool cli_compared_read(struct cli_compared *out, struct cli *cli, const char *path)
{
    struct cli_bytes in;
    bool taken;

    *out = (struct cli_compared){0};
    if (!cli_in_bytes(cli, &in, path, &cli->mem) || !take_text(&taken, out, cli, &in))
        return false;
    out->name = in.name;
    return taken || take_profiles(out, cli, &in);
}

/* --- both --------------------------------------------------------------------------------------- */

static bool check_kinds(
    const struct cli_compared *a, const struct cli_compared *b, struct cli *cli)
{
    static const char *const what[] = {
        [CLI_PATHS] = "paths were counted",
        [CLI_SUBPATHS] = "block sequences were sampled",
        [CLI_SEGMENTS] = "steps were recorded, or their segments listed",
        [CLI_BURSTS] = "functions, calls or loops were counted in bursts",
    };
    const struct trod_profile_module *m = a->profile.module, *n = b->profile.module;

    if (cli->options.members > 1 && (a->kind != CLI_BURSTS || b->kind != CLI_BURSTS))
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "%s: %s; functions, calls and loops are counted by programs compiled with 'trod cc "
            "--burst'",
            a->kind != CLI_BURSTS ? a->name : b->name,
            what[a->kind != CLI_BURSTS ? a->kind : b->kind]);
    if (a->kind == CLI_BURSTS && cli->options.members <= 1)
        return cli_misused(
            cli, "%s: %s; select one with --kind", a->name, what[a->kind]);
    if (a->kind != b->kind)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "%s: %s, but in %s %s; compare profiles of the same kind of build", a->name,
            what[a->kind], b->name, what[b->kind]);
    if (a->kind == CLI_PATHS && m && n && a->profile.nmodule && b->profile.nmodule &&
        m->mode != n->mode)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "%s: paths are of mode %s, but in %s of mode %s; compare programs compiled in the "
            "same mode",
            a->name, trod_profile_mode_name(m->mode), b->name,
            trod_profile_mode_name(n->mode));
    return true;
}

/* Profiles of paths across calls are compared by paths; by segments only on request. */
static void choose_kinds(struct cli_compared *a, struct cli_compared *b, bool asked)
{
    if (a->counted && (asked || b->kind == CLI_SEGMENTS))
        a->kind = CLI_SEGMENTS;
    if (b->counted && (asked || a->kind == CLI_SEGMENTS))
        b->kind = CLI_SEGMENTS;
}

/* Segments of each profile are read with the map of its own program, and printed with both maps. */
static bool read_maps_apart(struct cli_compared *a, struct cli_compared *b,
    struct trod_map *map, struct cli *cli)
{
    struct trod_string text[2], both;

    for (int i = 0; i < 2; i++) {
        struct cli_recorded *r = i ? &b->recorded : &a->recorded;
        struct trod_profile modules;

        cli_recorded_modules(&modules, r, cli);
        if (!cli_maps_text(cli, &text[i], &modules) ||
            !cli_maps_parse(cli, &r->map, &text[i]))
            return false;
    }
    trod_string_init(&both, &cli->mem);
    trod_put(&both.sink, "%s", text[0].text);
    if (strcmp(text[0].text, text[1].text) != 0)
        trod_put(&both.sink, "%s", text[1].text);
    return cli_maps_parse(cli, map, &both);
}

/* For texts, maps come only from files named by --binary. */
static bool read_maps(struct cli_compared *a, struct cli_compared *b,
    struct trod_map *map, struct cli *cli)
{
    struct trod_profile both;

    *map = (struct trod_map){0};
    if (a->kind == CLI_BURSTS)
        return true;
    if (a->kind == CLI_SEGMENTS)
        return read_maps_apart(a, b, map, cli);
    return trod_profile_merge(&both,
               (const struct trod_profile *[]){&a->profile, &b->profile}, 2, NULL,
               &cli->mem, &cli->err) &&
           cli_maps_read(cli, map, &both);
}

static bool fill(struct cli_compared *c, struct cli *cli)
{
    uint64_t depth = cli->options.depth ? cli->options.depth : 1;

    struct trod_map map;

    if (c->text || c->kind == CLI_PATHS)
        return true;
    if (c->kind == CLI_BURSTS)
        return cli_maps_read(cli, &map, &c->profile) &&
               cli_bursts_build(&c->burst, cli, &c->profile, &map);
    if (c->kind == CLI_SUBPATHS)
        return trod_online_estimate(&c->subpaths, &c->profile, &cli->mem, &cli->err);
    return cli_recorded_segments(&c->segments, &c->recorded, cli, depth);
}

bool cli_compared_join(struct cli_compared *a, struct cli_compared *b,
    struct trod_map *map, struct cli *cli)
{
    choose_kinds(a, b, cli->options.depth != 0);
    return check_kinds(a, b, cli) && read_maps(a, b, map, cli) && fill(a, cli) &&
           fill(b, cli);
}
