#include "commands.h"
#include "output/output.h"
#include "test/verdict.h"

#include <string.h>

/* trod set partition: divide a set of paths among many builds. */

enum { MOST_SITES = 10000 };

/* Counts of paths: from members of the set, and from inputs of --counts. */
static bool read_counts(struct trod_ran *out, struct cli *cli, struct cli_chosen *set)
{
    struct cli_chosen counts = {0};
    uint32_t n = set->nprofile;
    const struct trod_profile **all;

    if (cli->options.counts.count &&
        !cli_chosen_read(&counts, cli, &cli->options.counts))
        return false;
    if (counts.nlist)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "a list has no counts; name profiles with --counts");
    cli_chosen_notes(cli, &counts);
    all = trod_new(&cli->mem, const struct trod_profile *, n + counts.nprofile);
    for (uint32_t i = 0; i < n; i++)
        all[i] = set->profile[i];
    for (uint32_t i = 0; i < counts.nprofile; i++)
        all[n + i] = counts.profile[i];
    set->profile = all;
    set->nprofile = n + counts.nprofile;
    return trod_ran_build(out, all, set->nprofile, &cli->mem, &cli->err);
}

/* Only functions with a map entry have prices. */
static bool match(
    const struct trod_list *list, struct cli *cli, const struct trod_map *map)
{
    unsigned stale =
        1u << TROD_FATE_CUT | 1u << TROD_FATE_CHANGED | 1u << TROD_FATE_VANISHED;
    struct trod_profile_function *known;
    size_t nknown = trod_known_map(&known, map, &cli->mem), n;
    struct trod_list_match found;

    trod_list_match(&found, list, known, nknown, &cli->mem);
    n = cli_chosen_complain(cli, list, &found, stale);
    return !n ||
           trod_fail(&cli->err, TROD_E_MISMATCH,
               "%zu of %zu functions have no map entry, so the cost of their probes is unknown; "
               "name the program with --binary, or remove them with 'trod set list --partial "
               "--binary=PROGRAM'",
               n, list->nfunction);
}

static bool write_lists(
    struct cli *cli, const struct trod_share *share, const struct trod_map *map)
{
    const char *prefix = cli->options.prefix;

    for (uint32_t i = 0; prefix && i < share->nsite; i++) {
        struct trod_mark mark = trod_arena_mark(&cli->mem);
        struct trod_string text;
        bool ok;

        trod_string_init(&text, &cli->mem);
        trod_list_print(&text.sink, &share->site[i].list, map);
        ok = cli_out_file(cli, trod_share_file(prefix, i, &cli->mem), &text);
        trod_arena_rewind(&cli->mem, mark);
        if (!ok)
            return false;
    }
    return true;
}

static void note_empty(
    struct cli *cli, const struct trod_share *share, const struct trod_list *list)
{
    if (!list->nfunction)
        cli_note(cli, "no paths to partition: all lists are empty");
    else if (share->nempty && trod_list_count(list) < share->nsite)
        cli_note(cli, "%u of the sites have no path: there are more sites than paths",
            (unsigned)share->nempty);
    else if (share->nempty)
        cli_note(cli,
            "%u of the sites have no path: moving one there would not reduce the cost",
            (unsigned)share->nempty);
}

static void put(struct cli *cli, const struct trod_share *share)
{
    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
        trod_share_json(&cli->json, "share", share, cli->options.prefix, &cli->mem);
        trod_json_close(&cli->json, '}');
    } else {
        trod_share_print(&cli->out.sink, share, cli->options.prefix);
    }
}

/* The paths that ran in the profiles, as for 'trod cc --paths', and the listed ones. */
static bool make_set(struct trod_list *out, struct cli *cli,
    const struct cli_chosen *chosen, const struct trod_map *map)
{
    struct trod_list all, several;
    struct trod_ran ran;

    if (!trod_ran_build(&ran, chosen->profile, chosen->nprofile, &cli->mem, &cli->err))
        return false;
    trod_list_ran(&all, &ran, map, &cli->mem);
    trod_list_several(&several, &all, &cli->mem);
    if (several.nfunction < all.nfunction)
        cli_note(cli,
            "%zu functions with a single path are omitted; a list from 'trod set list' includes "
            "them",
            all.nfunction - several.nfunction);
    return trod_list_combine(
               out, TROD_LIST_UNION, &several, &chosen->list, &cli->mem, &cli->err) &&
           (!TROD_CHECKED || trod_list_check(out, &cli->err));
}

/* Inputs of --counts are not members of the set, but their maps are read, too. */
static bool read_set(
    struct trod_list *list, struct trod_map *map, struct trod_ran *ran, struct cli *cli)
{
    struct cli_options *o = &cli->options;
    struct cli_chosen chosen;
    uint32_t nprofile;

    if (!cli_chosen_read(&chosen, cli, &o->file))
        return false;
    cli_chosen_notes(cli, &chosen);
    nprofile = chosen.nprofile;
    if (!read_counts(ran, cli, &chosen) || !cli_chosen_maps(map, cli, &chosen))
        return false;
    chosen.nprofile = nprofile;
    if (!make_set(list, cli, &chosen, map))
        return false;
    if (o->function)
        trod_list_choose(
            list, list, cli_report_wants, trod_copy(&cli->mem, o->function), &cli->mem);
    if (list->mode > TROD_MODE_ITERATIONS)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "the list is of mode %s, and selected chains cannot be counted; use a list of mode "
            "source or code",
            trod_profile_mode_name(list->mode));
    if (list->nfunction && ran->nfunction && list->mode != ran->mode)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "the list is of mode %s, the profiles are of mode %s; use a list made from such "
            "profiles",
            trod_profile_mode_name(list->mode), trod_profile_mode_name(ran->mode));
    return match(list, cli, map);
}

bool cli_share(struct cli *cli)
{
    struct cli_options *o = &cli->options;
    struct trod_share_options options = {.nsite = (uint32_t)o->sites};
    struct trod_share share;
    struct trod_list list;
    struct trod_map map;
    struct trod_ran ran;

    if (!o->sites)
        return cli_misused(cli, "the number of sites is missing; add --sites=N");
    if (o->sites > MOST_SITES)
        return cli_misused(cli, "--sites: there can be at most %d", MOST_SITES);
    if (o->prefix && !*o->prefix)
        return cli_misused(cli, "--out needs a prefix for the names of the lists");
    if (!read_set(&list, &map, &ran, cli))
        return false;
    options.ran = ran.nrun ? &ran : NULL;
    if (!trod_share_build(&share, &list, &map, &options, &cli->mem, &cli->err) ||
        (TROD_CHECKED && !trod_share_check(&share, &list, &cli->mem, &cli->err)))
        return false;
    note_empty(cli, &share, &list);
    if (!write_lists(cli, &share, &map))
        return false;
    put(cli, &share);
    return true;
}
