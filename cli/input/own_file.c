#include "input/input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool cli_own_file(struct cli *cli, char **out, const char *name)
{
    static const char *const place[] = {"", "../lib/trod/"};
    char self[4096], path[8192];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash;

    if (n < 0)
        return trod_fail(
            &cli->err, TROD_E_SYSTEM, "/proc/self/exe: %s", strerror(errno));
    self[n] = '\0';
    slash = strrchr(self, '/');
    slash[1] = '\0';
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        snprintf(path, sizeof path, "%s%s%s", self, place[i], name);
        if (access(path, R_OK) == 0) {
            *out = trod_copy(&cli->mem, path);
            return true;
        }
    }
    return trod_fail(&cli->err, TROD_E_SYSTEM,
        "%s is missing beside %strod; build or install trod again", name, self);
}
