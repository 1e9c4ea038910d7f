#include "commands.h"
#include "output/output.h"
#include "test/verdict.h"

#include <string.h>

/* The functions in production's profiles and in its map: a function all of whose paths are tested
 * has no counters.
 */
static size_t known_to(struct trod_profile_function **out, struct cli *cli,
    const struct trod_ran *field, const struct trod_map *map)
{
    struct trod_profile_function *ran, *mapped, *both;
    size_t nran = trod_known_ran(&ran, field, &cli->mem);
    size_t nmapped = trod_known_map(&mapped, map, &cli->mem);

    both = trod_new(&cli->mem, struct trod_profile_function, nran + nmapped);
    if (nran)
        memcpy(both, ran, nran * sizeof *both);
    if (nmapped)
        memcpy(both + nran, mapped, nmapped * sizeof *both);
    *out = both;
    return nran + nmapped;
}

/* Do the tests have the same functions as production? */
bool cli_tested_match(struct cli *cli, const struct cli_tested *tests,
    const struct trod_ran *field, const struct trod_map *map,
    const struct trod_untested *untested)
{
    const struct trod_list *tested = &tests->list;
    unsigned differs = 1u << TROD_FATE_CUT | 1u << TROD_FATE_CHANGED;
    struct trod_profile_function *known;
    size_t nknown = known_to(&known, cli, field, map), n;
    struct trod_list_match found;

    if (tested->nfunction && field->nfunction && tested->mode != field->mode)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "the tests counted paths in mode %s, production in mode %s; run the tests with a "
            "build of the same mode",
            trod_profile_mode_name(tested->mode), trod_profile_mode_name(field->mode));
    trod_list_match(&found, tested, known, nknown, &cli->mem);
    trod_list_others(
        &found, tested, tests->known, tests->nknown, known, nknown, &cli->mem);
    n = cli_chosen_complain(cli, tested, &found, differs);
    if ((n || untested->nskipped) && !cli->options.partial) {
        for (size_t i = 0; !n && i < untested->nskipped; i++)
            cli_note(cli, "%s: no test ran the build that production ran",
                untested->skipped[i]);
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "the tests ran another build: %zu of its functions differ; name the tests of the "
            "build in production, or compare unchanged functions with --partial",
            n > untested->nskipped ? n : untested->nskipped);
    }
    if (tested->nfunction && nknown && !found.nfunction_of_fate[TROD_FATE_SAME])
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "production has none of the functions that the tests ran; name the tests of this "
            "program with --tested");
    if (found.nfunction_of_fate[TROD_FATE_OTHER])
        cli_note(cli,
            "%zu functions of other programs' tests have the same names as functions in "
            "production; they are skipped",
            found.nfunction_of_fate[TROD_FATE_OTHER]);
    if (found.nfunction_of_fate[TROD_FATE_VANISHED])
        cli_note(cli,
            "functions that the tests ran and the program in production does not have: %zu",
            found.nfunction_of_fate[TROD_FATE_VANISHED]);
    return true;
}

void cli_untested_put(struct cli *cli, const struct cli_found *found)
{
    const struct trod_untested *untested = &found->untested;
    const struct trod_map *map = &found->map;
    struct trod_style style;
    struct trod_path_look look = {.style = &style};
    struct cli_text text;
    struct trod_list list;

    cli_style(&style, cli);
    if (cli->options.form != CLI_JSON && !cli->options.list && !cli->options.brief)
        look.text = cli_text_open(&text, cli, &found->chosen.sum, map);
    if (cli->options.list)
        trod_untested_list(&list, untested, &found->field, &cli->mem);
    if (cli->options.form == CLI_JSON && cli->options.list)
        trod_list_json(&cli->json, "list", &list, map, &cli->mem);
    else if (cli->options.form == CLI_JSON)
        trod_untested_json(&cli->json, "untested", untested, map, &cli->mem);
    else if (cli->options.list)
        trod_list_print(&cli->out.sink, &list, map);
    else
        trod_untested_print(&cli->out.sink, untested, map,
            cli->options.brief ? NULL : &look, &cli->mem);
    if (cli->options.form == CLI_JSON || !cli->options.list)
        cli_chosen_remarks(cli, &found->chosen.sum, map);
}

/* The functions of the tested programs: all functions of profiles, and functions of lists that have paths. */
static bool read_known(
    struct cli_tested *out, struct cli *cli, const struct cli_chosen *chosen)
{
    struct trod_profile_function *known;
    struct trod_ran ran;
    size_t n;

    if (!trod_ran_build(&ran, chosen->profile, chosen->nprofile, &cli->mem, &cli->err))
        return false;
    n = ran.nfunction;
    known = trod_new(&cli->mem, struct trod_profile_function, n + out->list.nfunction);
    for (size_t i = 0; i < n; i++)
        known[i] = ran.function[i].function;
    for (size_t i = 0; i < out->list.nfunction; i++)
        known[n++] = out->list.function[i].function;
    trod_known_sort(known, n);
    out->known = known;
    out->nknown = n;
    return true;
}

bool cli_tested_read(
    struct cli_tested *out, struct cli *cli, const struct trod_map *map)
{
    struct cli_chosen chosen;

    if (!cli_chosen_read(&chosen, cli, &cli->options.tested) ||
        !cli_chosen_list(&out->list, cli, &chosen, map) ||
        !read_known(out, cli, &chosen))
        return false;
    cli_chosen_notes(cli, &chosen);
    if (!out->list.nfunction)
        cli_note(cli, "the tests ran no path");
    return true;
}

bool cli_untested_find(
    struct cli_found *out, struct cli *cli, const struct cli_list *files)
{
    const struct cli_options *o = &cli->options;
    struct trod_untested_options options = {.most = o->most};
    struct cli_chosen *chosen = &out->chosen;
    struct cli_tested tested;

    if (!cli_chosen_read(chosen, cli, files))
        return false;
    if (chosen->nlist)
        return cli_misused(cli, "a list has no counts; name profiles from production");
    if (!cli_chosen_maps(&out->map, cli, chosen))
        return false;
    cli_code_choose(cli, &out->map);
    if (!cli_tested_read(&tested, cli, &out->map) ||
        !trod_ran_build(
            &out->field, chosen->profile, chosen->nprofile, &cli->mem, &cli->err))
        return false;
    if (o->function) {
        options.wants = cli_report_wants;
        options.ctx = trod_copy(&cli->mem, o->function);
        trod_list_choose(
            &tested.list, &tested.list, options.wants, options.ctx, &cli->mem);
    }
    if (!o->most && o->form != CLI_JSON)
        options.most = TROD_REPORT_MOST;
    options.known = tested.known;
    options.nknown = tested.nknown;
    trod_untested_build(
        &out->untested, &tested.list, &out->field, &out->map, &options, &cli->mem);
    return cli_tested_match(cli, &tested, &out->field, &out->map, &out->untested);
}

bool cli_untested(struct cli *cli)
{
    struct cli_found found;

    if (!cli->options.tested.count)
        return cli_misused(
            cli, "the tested paths are missing; name profiles or lists with --tested");
    if (!cli_untested_find(&found, cli, &cli->options.file))
        return false;
    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
    }
    cli_untested_put(cli, &found);
    if (cli->options.form == CLI_JSON)
        trod_json_close(&cli->json, '}');
    return !found.untested.npath ||
           cli_no(
               cli, "%zu paths ran in production and in no test", found.untested.npath);
}
