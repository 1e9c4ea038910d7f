#include "input/input.h"

#include <dirent.h>
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

static bool is_file(const char *path, uint64_t inode)
{
    struct stat status;

    return stat(path, &status) == 0 && status.st_ino == inode;
}

/* The name of a profile by default, if the process did not change its directory. False if it is unknown. */
static bool fill_default(char *out, size_t room, uint64_t pid)
{
    char path[64], program[4096], *base;
    ssize_t n;

    snprintf(path, sizeof path, "/proc/%" PRIu64 "/exe", pid);
    n = readlink(path, program, sizeof program - 1);
    if (n <= 0)
        return false;
    program[n] = '\0';
    base = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
    return snprintf(out, room, "/proc/%" PRIu64 "/cwd/%.255s.%" PRIu64 ".trod", pid,
               base, pid) < (int)room;
}

/* A descriptor by which the process has a file open. */
static bool fill_descriptor(char *out, size_t room, uint64_t pid, uint64_t inode)
{
    const struct dirent *entry;
    bool found = false;
    char folder[64];
    DIR *dir;

    snprintf(folder, sizeof folder, "/proc/%" PRIu64 "/fd", pid);
    dir = opendir(folder);
    while (dir && !found && (entry = readdir(dir))) {
        snprintf(out, room, "%s/%.20s", folder, entry->d_name);
        found = is_file(out, inode);
    }
    if (dir)
        closedir(dir);
    return found;
}

/* One line of /proc/PID/maps, 'FROM-TO rw-s OFFSET DEVICE INODE PATH'. A shared mapping may be a
 * profile. If its file was deleted, or its name is another file here, or unknown to the kernel, which knows only that the
 * file was created without one, it is opened through the process. Links of mappings are for root alone.
 */
static void take_mapping(
    struct cli_list *out, struct cli *cli, uint32_t from, uint64_t pid, char *line)
{
    char other[512];
    char *flags = skip_words(line, 1), *number = skip_words(line, 4),
         *path = skip_words(line, 5);
    uint64_t inode;

    if (!path || *path != '/' || flags[3] != 's')
        return;
    inode = strtoull(number, NULL, 10);
    if (!is_file(path, inode)) {
        path = other;
        if (!(fill_default(other, sizeof other, pid) && is_file(other, inode)) &&
            !fill_descriptor(other, sizeof other, pid, inode))
            snprintf(other, sizeof other, "/proc/%" PRIu64 "/map_files/%.*s", pid,
                (int)strcspn(line, " "), line);
    }
    if (is_profile(path) && !has_file(out, from, path))
        cli_list_add(cli, out, trod_copy(&cli->mem, path));
}

/* A thread that had no room has no file mapped: look for a file with the default name. */
static void look_beside(struct cli_list *out, struct cli *cli, uint64_t pid)
{
    char path[512];

    if (fill_default(path, sizeof path, pid) && is_profile(path))
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
