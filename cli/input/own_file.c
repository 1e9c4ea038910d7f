#include "input/input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The folder of the trod executable, with a trailing '/'. */
static bool find_self(char self[4096])
{
    ssize_t n = readlink("/proc/self/exe", self, 4095);

    if (n < 0)
        return false;
    self[n] = '\0';
    strrchr(self, '/')[1] = '\0';
    return true;
}

char *cli_find_own(struct cli *cli, const char *name)
{
    static const char *const place[] = {"", "../lib/trod/"};
    char self[4096], path[8192];

    for (size_t i = 0; find_self(self) && i < sizeof place / sizeof *place; i++) {
        snprintf(path, sizeof path, "%s%s%s", self, place[i], name);
        if (access(path, R_OK) == 0)
            return trod_copy(&cli->mem, path);
    }
    return NULL;
}

bool cli_own_file(struct cli *cli, char **out, const char *name)
{
    char self[4096];

    *out = cli_find_own(cli, name);
    if (*out)
        return true;
    if (!find_self(self))
        return trod_fail(
            &cli->err, TROD_E_SYSTEM, "/proc/self/exe: %s", strerror(errno));
    return trod_fail(&cli->err, TROD_E_SYSTEM,
        "%s is missing beside %strod; build or install trod again", name, self);
}
