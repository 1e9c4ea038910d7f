#include "build/compiler.h"
#include "input/input.h"

#include <string.h>
#include <unistd.h>

#include "elf/section.h"

/* After linking, report the given paths that are not in the program. Only the linker knows which
 * units belong to a program. Missing functions may be intended, if several programs share one list.
 */

enum { MOST_NAMED = 10 };

static const char *output_of(char **args)
{
    const char *out = "a.out";

    for (; *args; args++) {
        if (strcmp(*args, "-o") == 0 && args[1])
            out = *++args;
        else if (strncmp(*args, "-o", 2) == 0 && (*args)[2])
            out = *args + 2;
    }
    return out;
}

static void name_missing(struct cli *cli, const char *program,
    const struct trod_list *list, const struct trod_list_match *match)
{
    struct trod_string names;
    size_t n = 0, nnamed = 0;

    trod_string_init(&names, &cli->mem);
    for (size_t i = 0; i < list->nfunction; i++) {
        if (match->fate_of_function[i] == TROD_FATE_SAME)
            continue;
        n++;
        if (nnamed == MOST_NAMED || strcmp(list->function[i].name, "?") == 0)
            continue;
        trod_put(&names.sink, "%s", nnamed++ ? ", " : ": ");
        trod_put_name(&names.sink, list->function[i].name);
    }
    if (n)
        cli_note(cli,
            "%zu function%s with given paths %s missing from %s or changed there%s%s; 'trod set "
            "list --binary' lists them all",
            n, n == 1 ? "" : "s", n == 1 ? "is" : "are", program, names.text,
            nnamed && nnamed < n ? ", ..." : "");
}

static void name_functions(struct cli *cli, const char *program, const char *file,
    const struct trod_only *only, const struct trod_map *map)
{
    struct trod_string names;
    size_t n = 0;

    trod_string_init(&names, &cli->mem);
    for (uint32_t i = 0; i < only->count; i++) {
        if (trod_only_in_map(&only->line[i], map, &cli->mem))
            continue;
        if (++n > MOST_NAMED)
            continue;
        trod_put(&names.sink, "%s", n > 1 ? ", " : ": ");
        trod_put_name(&names.sink, only->line[i].function);
        if (only->line[i].file)
            trod_put(&names.sink, " of %s", only->line[i].file);
    }
    if (n)
        cli_note(cli, "%zu function%s of %s %s not in %s%s%s", n, n == 1 ? "" : "s",
            file, n == 1 ? "is" : "are", program, names.text,
            n > MOST_NAMED ? ", ..." : "");
}

/* A program that was not compiled by trod has no map, and so none of the functions. */
bool cli_cc_name_functions(struct cli *cli, const struct cli_cc *cc, char **args)
{
    const char *program = output_of(args);
    struct trod_map map = {0};
    struct trod_only only;
    struct trod_text text;
    struct cli_bytes in;
    char *bytes;
    size_t length;

    if (access(program, R_OK) != 0)
        return true;
    if (!cli_in_bytes(cli, &in, cc->only, &cli->mem))
        return false;
    trod_text_init(&text, in.name, in.bytes, in.length);
    if (!trod_only_parse(&only, &text, &cli->mem, &cli->err) ||
        !trod_elf_section(&bytes, &length, program, ".trod.map", &cli->mem, &cli->err))
        return false;
    trod_text_init(&text, program, bytes, length);
    if (!trod_map_parse(&map, &text, &cli->mem, &cli->err))
        return false;
    name_functions(cli, program, cc->only, &only, &map);
    return true;
}

bool cli_cc_name_missing(struct cli *cli, const struct cli_cc *cc, char **args)
{
    const char *program = output_of(args);
    struct trod_profile_function *known;
    struct trod_list_match match;
    struct cli_chosen chosen;
    struct trod_list list;
    struct trod_map map;
    size_t nknown;

    if (access(program, R_OK) != 0)
        return true;
    trod_push(&cli->mem, cli->options.binary.item, cli->options.binary.count,
        cli->options.binary.room, program);
    if (!cli_chosen_read(&chosen, cli, &cc->sets) ||
        !cli_chosen_maps(&map, cli, &chosen) ||
        !cli_chosen_list(&list, cli, &chosen, &map))
        return false;
    nknown = trod_known_map(&known, &map, &cli->mem);
    trod_list_match(&match, &list, known, nknown, &cli->mem);
    if (!list.nfunction)
        cli_note(cli, "the given files have no paths: %s",
            cc->given.of[TROD_CC_PATHS] ? "nothing is counted"
                                        : "all paths are treated as untested");
    name_missing(cli, program, &list, &match);
    return true;
}
