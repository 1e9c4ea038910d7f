#include "commands.h"
#include "input/input.h"

#include <fnmatch.h>
#include <string.h>

/* The functions that commands use: those of the selected programs and files. Reports hide system
 * code among them. */

bool cli_file_matches(const char *glob, const char *file)
{
    const char *slash = strrchr(file, '/');

    return fnmatch(glob, file, 0) == 0 || (slash && fnmatch(glob, slash + 1, 0) == 0);
}

/* Is it below the folder, at any depth of the path? src contains project/src/a.c and src/b.c. */
static bool is_in_directory(const char *directory, const char *path)
{
    size_t n = strlen(directory);

    while (n > 1 && directory[n - 1] == '/')
        n--;
    for (const char *at = path; at; at = strchr(at + 1, '/')) {
        const char *from = *at == '/' && *directory != '/' ? at + 1 : at;

        if (strncmp(from, directory, n) == 0 && from[n] == '/')
            return true;
        if (*directory == '/')
            return false;
    }
    return false;
}

static bool is_chosen(const struct cli *cli, const char *path)
{
    const struct cli_options *o = &cli->options;

    return (!o->file_glob || cli_file_matches(o->file_glob, path)) &&
           (!o->directory || is_in_directory(o->directory, path));
}

/* The function's file, or a file whose text it includes. */
static bool is_entry_chosen(
    struct cli *cli, const struct trod_map *map, const struct trod_map_entry *entry)
{
    const char *directory = trod_flow_directory(map, entry);

    if (is_chosen(cli, trod_only_path(directory, trod_flow_file(entry), &cli->mem)))
        return true;
    for (uint32_t i = 0; i < entry->nincluded; i++)
        if (is_chosen(
                cli, trod_only_path(directory, entry->included[i].file, &cli->mem)))
            return true;
    return false;
}

/* A mistyped name must be an error, not an empty result. */
static bool check_chosen(struct cli *cli, uint32_t nchosen)
{
    const struct cli_options *o = &cli->options;

    return nchosen || (!o->file_glob && !o->directory) ||
           trod_fail(&cli->err, TROD_E_INPUT,
               "%s%s: the program has no function in such a file; 'trod coverage "
               "--group=file' lists its files",
               o->file_glob ? "--file=" : "--directory=",
               o->file_glob ? o->file_glob : o->directory);
}

static bool is_any_chosen(const struct cli_options *o)
{
    return o->file_glob || o->directory;
}

bool cli_code_filter(struct cli *cli, struct trod_map *map)
{
    uint32_t nchosen = 0;

    if (!is_any_chosen(&cli->options))
        return true;
    for (uint32_t i = 0; i < map->nentry; i++)
        if (is_entry_chosen(cli, map, &map->entry[i]))
            nchosen++;
        else
            map->entry[i].shown = TROD_HIDDEN_FILE;
    return !map->nentry || check_chosen(cli, nchosen);
}

void cli_code_choose(struct cli *cli, struct trod_map *map)
{
    uint32_t nown = 0;

    if (cli->options.all_code || is_any_chosen(&cli->options))
        return;
    for (uint32_t i = 0; i < map->nentry; i++)
        nown += !trod_is_system_code(&map->entry[i]);
    /* If the program itself is system code, it is shown. */
    for (uint32_t i = 0; nown && i < map->nentry; i++)
        if (trod_is_system_code(&map->entry[i]))
            map->entry[i].shown = TROD_HIDDEN_SYSTEM;
}

/* --- programs ------------------------------------------------------------------------------ */

static void keep_name(struct cli *cli, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    for (uint32_t i = 0; i < cli->others.count; i++)
        if (strcmp(cli->others.item[i], name) == 0)
            return;
    cli_list_add(cli, &cli->others, trod_copy(&cli->mem, name));
}

void cli_programs_filter(
    struct cli_profiles *profiles, struct cli *cli, struct trod_arena *mem)
{
    const char *glob = cli->options.program_glob;
    uint32_t kept = 0;

    for (uint32_t i = 0; glob && i < profiles->count; i++) {
        struct trod_profile *profile = &profiles->profile[i];
        bool *is_kept = trod_new(mem, bool, profile->nmodule);
        bool any = false;

        for (uint32_t m = 0; m < profile->nmodule; m++) {
            is_kept[m] = cli_file_matches(glob, profile->module[m].path);
            any |= is_kept[m];
            if (!is_kept[m])
                keep_name(cli, profile->module[m].path);
        }
        cli->any_program |= any;
        if (any)
            trod_profile_keep_modules(
                &profiles->profile[kept++], profile, is_kept, mem);
    }
    if (glob)
        profiles->count = kept;
}

bool cli_programs_check(struct cli *cli)
{
    const char *glob = cli->options.program_glob;
    struct cli_nearest nearest = {.typed = glob};

    if (!glob || cli->any_program || !cli->others.count)
        return true;
    for (uint32_t i = 0; i < cli->others.count; i++)
        cli_nearest_try(&nearest, cli->others.item[i]);
    if (nearest.word)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "--program=%s: no profile is of such a program; did you mean '%s'?", glob,
            nearest.word);
    return trod_fail(&cli->err, TROD_E_INPUT,
        "--program=%s: no profile is of such a program; there are profiles of '%s'%s",
        glob, cli->others.item[0], cli->others.count > 1 ? " and others" : "");
}
