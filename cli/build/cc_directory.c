#include "build/compiler.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The directory of a unit, as clang's debug information has it. So options that keep the machine's
 * paths out of debug information keep them out of maps, too.
 */

static const char *value_of(const char *arg, const char *option)
{
    size_t n = strlen(option);

    return strncmp(arg, option, n) == 0 ? arg + n : NULL;
}

/* The shell's name of the folder ($PWD), if it is valid; otherwise the system's. */
char *cli_cc_working_folder(struct cli *cli)
{
    const char *name = getenv("PWD");
    struct stat shell, own;
    char path[4096];

    if (name && *name == '/' && stat(name, &shell) == 0 && stat(".", &own) == 0 &&
        shell.st_dev == own.st_dev && shell.st_ino == own.st_ino)
        return trod_copy(&cli->mem, name);
    return getcwd(path, sizeof path) ? trod_copy(&cli->mem, path) : NULL;
}

/* OLD=NEW: a path that begins with OLD begins with NEW instead. */
static char *mapped(struct cli *cli, char *path, const char *map)
{
    const char *new = strchr(map, '=');
    size_t n = new ? (size_t)(new - map) : 0;
    struct trod_string text;

    if (!new || strncmp(path, map, n) != 0)
        return NULL;
    trod_string_init(&text, &cli->mem);
    trod_put(&text.sink, "%s%s", new + 1, path + n);
    return text.length ? text.text : trod_copy_text(&cli->mem, ".", 1);
}

/* The value of the last argument that is one of two options; NULL: there is none. */
static const char *last_of(char **args, const char *a, const char *b)
{
    const char *found = NULL;

    for (; *args; args++) {
        const char *value = value_of(*args, a);

        value = value ? value : value_of(*args, b);
        found = value ? value : found;
    }
    return found;
}

char *cli_cc_directory(struct cli *cli, char **args)
{
    const char *said =
        last_of(args, "-ffile-compilation-dir=", "-fdebug-compilation-dir=");
    char *folder = said ? trod_copy(&cli->mem, said) : cli_cc_working_folder(cli);
    char *out = folder;

    /* If several match, the last is used. */
    for (; folder && *args; args++) {
        const char *map = value_of(*args, "-ffile-prefix-map=");
        char *other;

        map = map ? map : value_of(*args, "-fdebug-prefix-map=");
        other = map ? mapped(cli, folder, map) : NULL;
        out = other ? other : out;
    }
    return out;
}
