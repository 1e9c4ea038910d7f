#include "commands.h"
#include "input/input.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where units were compiled. Maps omit the folders above the project, as in "project/src". So the
 * folder is searched around the program and the working directory: in each folder above them, with
 * as many trailing components of its name as exist.
 */

static bool is_there(const char *folder, const char *file)
{
    char path[PATH_MAX];
    struct stat status;

    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path)
        return false;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Search a folder and those above it. */
static const char *find_above(
    struct cli *cli, const char *from, const char *part, const char *file)
{
    char folder[PATH_MAX], at[2 * PATH_MAX], found[PATH_MAX];
    char *slash;

    if (!realpath(from, folder))
        return NULL;
    do {
        snprintf(at, sizeof at, "%s/%s", folder, part);
        if (is_there(at, file) && realpath(at, found))
            return trod_copy(&cli->mem, found);
        slash = strrchr(folder, '/');
        if (slash)
            *slash = '\0';
    } while (slash);
    return NULL;
}

const char *cli_place_find(struct cli *cli, const char *directory, const char *file,
    const struct cli_list *around)
{
    const char *part = directory;

    if (!directory || *directory == '/' || *file == '/')
        return directory;
    for (;;) {
        for (uint32_t i = 0; i < around->count; i++) {
            const char *found = find_above(cli, around->item[i], part, file);

            if (found)
                return found;
        }
        if (strcmp(part, ".") == 0)
            return directory;
        part = strchr(part, '/');
        part = part ? part + 1 : ".";
    }
}

/* The folder that a file is in. */
void cli_place_add(struct cli *cli, struct cli_list *around, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *folder = slash ? trod_copy_text(&cli->mem, file,
                                     slash == file ? 1 : (size_t)(slash - file))
                               : ".";

    for (uint32_t i = 0; i < around->count; i++)
        if (strcmp(around->item[i], folder) == 0)
            return;
    cli_list_add(cli, around, folder);
}

void cli_places_find(
    struct cli *cli, struct trod_map *map, const struct trod_profile *profile)
{
    struct cli_list around = {0};

    for (uint32_t i = 0; i < cli->options.source.count; i++)
        cli_list_add(cli, &around, cli->options.source.item[i]);
    cli_list_add(cli, &around, ".");
    for (uint32_t i = 0; i < cli->options.binary.count; i++)
        cli_place_add(cli, &around, cli->options.binary.item[i]);
    for (uint32_t i = 0; profile && i < profile->nmodule; i++)
        cli_place_add(cli, &around, profile->module[i].path);
    for (uint32_t i = 0; i < map->nunit; i++)
        map->unit[i].directory =
            cli_place_find(cli, map->unit[i].directory, map->unit[i].file, &around);
}
