#include "commands.h"
#include "input/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* If the file of TROD_OUT belongs to another build, a program writes beside it: a.trod, then
 * a.1.trod. The reader of a.trod sees only one build, so the others are noted.
 */

static const char suffix[] = ".trod";

enum { MOST_NUMBER = 1000 };

static bool is_named(const struct cli_list *files, const char *path)
{
    for (uint32_t i = 0; i < files->count; i++)
        if (strcmp(files->item[i], path) == 0)
            return true;
    return false;
}

/* a.1.trod; without a suffix, a.1 */
static bool put_number(char out[4096], const char *path, unsigned number)
{
    size_t length = strlen(path), n = sizeof suffix - 1;
    bool suffixed = length > n && strcmp(path + length - n, suffix) == 0;
    int stem = (int)(suffixed ? length - n : length);

    return snprintf(out, 4096, "%.*s.%u%s", stem, path, number,
               suffixed ? suffix : "") < 4096;
}

static void report_other_runs(
    struct cli *cli, const struct cli_list *files, const char *path)
{
    char other[4096], first[4096] = "";
    uint32_t n = 0;

    for (unsigned i = 1; i < MOST_NUMBER; i++) {
        if (!put_number(other, path, i) || access(other, F_OK) != 0)
            break;
        if (!is_named(files, other) && !n++)
            memcpy(first, other, sizeof first);
    }
    if (n)
        cli_note(cli,
            "%s is of one build; programs of other builds with the same TROD_OUT wrote %s%s: also "
            "name %s to add %s, or remove old profiles before a run",
            path, first, n > 1 ? " and others" : "", n > 1 ? "these" : "it",
            n > 1 ? "them" : "it");
}

void cli_other_runs(struct cli *cli, const struct cli_list *files)
{
    for (uint32_t i = 0; i < files->count; i++)
        report_other_runs(cli, files, files->item[i]);
}
