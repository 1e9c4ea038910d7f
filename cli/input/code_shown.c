#include "input/input.h"

#include <fnmatch.h>
#include <string.h>

/* Which functions reports show: those of selected files, without system code. */

static bool matches_file(const char *glob, const char *file)
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

    return (!o->file_glob || matches_file(o->file_glob, path)) &&
           (!o->directory || is_in_directory(o->directory, path));
}

/* The function's file, or one that it includes text of. */
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

/* A mistyped name must not give an empty answer. */
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

bool cli_code_choose(struct cli *cli, struct trod_map *map)
{
    uint32_t nchosen = 0, nown = 0;

    for (uint32_t i = 0; i < map->nentry; i++) {
        struct trod_map_entry *entry = &map->entry[i];

        if (!is_entry_chosen(cli, map, entry)) {
            entry->shown = TROD_HIDDEN_FILE;
            continue;
        }
        nchosen++;
        if (cli->options.all_code || cli->options.file_glob || cli->options.directory ||
            !trod_is_system_code(entry))
            nown++;
        else
            entry->shown = TROD_HIDDEN_SYSTEM;
    }
    /* In a program of the system, everything is shown. */
    for (uint32_t i = 0; !nown && i < map->nentry; i++)
        if (map->entry[i].shown == TROD_HIDDEN_SYSTEM)
            map->entry[i].shown = TROD_SHOWN;
    return !map->nentry || check_chosen(cli, nchosen);
}
