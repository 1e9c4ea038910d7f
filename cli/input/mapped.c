#include "input/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_profile(const char *path)
{
    FILE *file = fopen(path, "rbe");
    uint8_t magic[8];
    bool ok = file && fread(magic, 1, sizeof magic, file) == sizeof magic &&
              trod_profile_is_binary(magic, sizeof magic);

    if (file)
        fclose(file);
    return ok;
}

static bool has_file(const struct cli_list *list, uint32_t from, const char *path)
{
    struct stat here, there;

    if (stat(path, &here) != 0)
        return true;
    for (uint32_t i = from; i < list->count; i++)
        if (stat(list->item[i], &there) == 0 && here.st_ino == there.st_ino &&
            here.st_dev == there.st_dev)
            return true;
    return false;
}

/* The text after a number of words; NULL if there are fewer. */
static char *skip_words(char *at, int n)
{
    for (; at && n > 0; n--) {
        at = strchr(at, ' ');
        while (at && *at == ' ')
            at++;
    }
    return at;
}

/* One line of /proc/PID/maps, 'FROM-TO rw-s OFFSET DEVICE INODE PATH'. A shared mapping may be a
 * profile. If its file was deleted, or its name is another file here, it is opened through the
 * process.
 */
static void take_mapping(
    struct cli_list *out, struct cli *cli, uint32_t from, uint64_t pid, char *line)
{
    char mapped[128];
    char *flags = skip_words(line, 1), *inode = skip_words(line, 4),
         *path = skip_words(line, 5);
    struct stat status;

    if (!path || *path != '/' || flags[3] != 's')
        return;
    if (stat(path, &status) != 0 || status.st_ino != strtoull(inode, NULL, 10)) {
        snprintf(mapped, sizeof mapped, "/proc/%" PRIu64 "/map_files/%.*s", pid,
            (int)strcspn(line, " "), line);
        path = mapped;
    }
    if (is_profile(path) && !has_file(out, from, path))
        cli_list_add(cli, out, trod_copy(&cli->mem, path));
}

/* A thread that had no room has no file mapped: look for a file with the default name. */
static void look_beside(struct cli_list *out, struct cli *cli, uint64_t pid)
{
    char path[4096], program[4096], *base;
    ssize_t n;

    snprintf(path, sizeof path, "/proc/%" PRIu64 "/exe", pid);
    n = readlink(path, program, sizeof program - 1);
    if (n <= 0)
        return;
    program[n] = '\0';
    base = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
    if (snprintf(path, sizeof path, "/proc/%" PRIu64 "/cwd/%.255s.%" PRIu64 ".trod",
            pid, base, pid) < (int)sizeof path &&
        is_profile(path))
        cli_list_add(cli, out, trod_copy(&cli->mem, path));
}

/* Lines of /proc/PID/maps; NULL if it cannot be read. */
static char *mappings_of(struct cli *cli, uint64_t pid)
{
    struct cli_bytes maps;
    char path[64];

    snprintf(path, sizeof path, "/proc/%" PRIu64 "/maps", pid);
    if (!cli_in_bytes(cli, &maps, path, &cli->mem))
        return NULL;
    return trod_copy_text(&cli->mem, maps.bytes, maps.length);
}

bool cli_process_profiles(struct cli_list *out, struct cli *cli, uint64_t pid)
{
    char *line = mappings_of(cli, pid);
    uint32_t from = out->count;

    if (!line)
        return trod_fail(&cli->err, TROD_E_SYSTEM,
            "process %" PRIu64 " cannot be read; name a running process of yours", pid);
    for (char *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        take_mapping(out, cli, from, pid, line);
    }
    if (out->count == from)
        look_beside(out, cli, pid);
    return true;
}

bool cli_process_has_mapped(struct cli *cli, uint64_t pid, uint64_t inode)
{
    char *line = mappings_of(cli, pid);

    for (char *end; line && *line; line = end) {
        char *at;

        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        at = skip_words(line, 4);
        if (at && strtoull(at, NULL, 10) == inode)
            return true;
    }
    return false;
}
