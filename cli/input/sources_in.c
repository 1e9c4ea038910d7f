#include "commands.h"
#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Larger files are not hand-written sources. */
enum { MOST_BYTES = 64 << 20 };

time_t cli_sources_built(const struct trod_profile *profile)
{
    time_t built = 0;

    for (uint32_t i = 0; i < profile->nmodule; i++) {
        struct stat status;

        if (stat(profile->module[i].path, &status) == 0 && status.st_mtime > built)
            built = status.st_mtime;
    }
    return built;
}

/* --- paths --------------------------------------------------------------------------------------------- */

static const char *join(struct cli *cli, const char *folder, const char *name)
{
    return trod_format(&cli->mem, "%s/%s", folder, name);
}

static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* --- permitted folders
 * ------------------------------------------------------------------------------------------- */

/* Maps name files, and anyone can make a map: a report or page must not disclose files that only
 * its author may read. So text is read only below the folders of --source, the working directory,
 * or the git checkout that contains it; never merely because a map names it.
 */

static void add_root(struct cli *cli, const char *folder)
{
    struct cli_list *roots = &cli->source_roots;
    char real[PATH_MAX];

    if (!realpath(folder, real))
        return;
    trod_push(
        &cli->mem, roots->item, roots->count, roots->room, trod_copy(&cli->mem, real));
}

/* The root of the git checkout: programs are often built in a folder beside the sources. */
static void add_checkout(struct cli *cli)
{
    char folder[PATH_MAX], mark[PATH_MAX + 8];
    struct stat status;
    char *slash;

    if (!getcwd(folder, sizeof folder))
        return;
    while ((slash = strrchr(folder, '/')) && slash != folder) {
        snprintf(mark, sizeof mark, "%s/.git", folder);
        if (stat(mark, &status) == 0) {
            add_root(cli, folder);
            return;
        }
        *slash = '\0';
    }
}

static void fill_roots(struct cli *cli)
{
    if (cli->source_roots.count)
        return;
    for (uint32_t i = 0; i < cli->options.source.count; i++)
        add_root(cli, cli->options.source.item[i]);
    add_root(cli, ".");
    add_checkout(cli);
}

static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);

    return strncmp(path, folder, n) == 0 && (path[n] == '/' || folder[n - 1] == '/');
}

static bool may_be_read(struct cli *cli, const char *real)
{
    fill_roots(cli);
    for (uint32_t i = 0; i < cli->source_roots.count; i++)
        if (is_below(real, cli->source_roots.item[i]))
            return true;
    return false;
}

const char *cli_source_heading(struct cli *cli, const char *path)
{
    char folder[PATH_MAX];

    return may_be_read(cli, path) && getcwd(folder, sizeof folder)
               ? trod_only_relative(folder, path, &cli->mem)
               : path;
}

/* --- finding a file
 * ------------------------------------------------------------------------------------------------ */

/* May the file be read? A file outside the permitted folders is recorded. */
static bool is_open(struct cli *cli, const char *path, const char **outside)
{
    char real[PATH_MAX];

    if (!is_file(path) || !realpath(path, real))
        return false;
    if (may_be_read(cli, real))
        return true;
    *outside = path;
    return false;
}

/* Search a folder for as many trailing components of the name as exist there: the sources may have
 * been moved, as a whole or in part.
 */
static const char *find_under(
    struct cli *cli, const char *folder, const char *name, const char **outside)
{
    const char *at = name;

    do {
        const char *path;

        at += strspn(at, "/");
        path = join(cli, folder, at);
        if (*at && is_open(cli, path, outside))
            return path;
        at = strchr(at, '/');
    } while (at);
    return NULL;
}

/* Search the directory of compilation, and those above it: clang splits an absolute name where it
 * diverges from that directory, and keeps the rest.
 */
static const char *find_above(
    struct cli *cli, const char *directory, const char *name, const char **outside)
{
    char *folder = trod_copy(&cli->mem, directory);

    for (;;) {
        const char *path = join(cli, folder, name);
        char *slash = strrchr(folder, '/');

        if (is_open(cli, path, outside))
            return path;
        if (!slash)
            return NULL;
        *slash = '\0';
    }
}

static const char *find(
    struct cli *cli, const char *name, const char *directory, const char **outside)
{
    const struct cli_list *folder = &cli->options.source;
    const char *path = NULL;

    for (uint32_t i = 0; !path && i < folder->count; i++)
        path = find_under(cli, folder->item[i], name, outside);
    if (!path && *name != '/' && directory)
        path = find_above(cli, directory, name, outside);
    if (!path && is_open(cli, name, outside))
        path = name;
    return path;
}

/* --- contents
 * ---------------------------------------------------------------------------------------------------- */

static bool why_not(
    struct cli_source *out, struct cli *cli, const char *path, const char *why)
{
    char *text;

    text = trod_format(&cli->mem, "%s: %s", path, why);
    out->why = text;
    return false;
}

/* The file behind a path may have changed since it was checked. */
static bool is_what_was_found(struct cli *cli, int fd)
{
    char link[64], real[PATH_MAX];
    ssize_t n;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, real, sizeof real - 1);
    if (n < 0)
        return false;
    real[n] = '\0';
    return may_be_read(cli, real);
}

static bool read_bytes(struct cli_source *out, struct cli *cli, char **bytes, size_t *n)
{
    int fd = open(out->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    ssize_t got = 1;

    if (fd < 0)
        return why_not(out, cli, out->path, strerror(errno));
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size > MOST_BYTES || !is_what_was_found(cli, fd)) {
        close(fd);
        return why_not(out, cli, out->path,
            status.st_size > MOST_BYTES ? "it is too large"
                                        : "it is not a source file");
    }
    out->changed = status.st_mtime;
    *bytes = trod_new(&cli->mem, char, (size_t)status.st_size + 1);
    for (*n = 0; got > 0 && *n < (size_t)status.st_size;
        *n += got > 0 ? (size_t)got : 0)
        got = read(fd, *bytes + *n, (size_t)status.st_size - *n);
    close(fd);
    if (got < 0)
        return why_not(out, cli, out->path, strerror(errno));
    return !memchr(*bytes, '\0', *n) || why_not(out, cli, out->path, "it is not text");
}

/* The text is split into lines in place. */
static void cut_lines(struct cli_source *out, struct cli *cli, char *bytes, size_t n)
{
    uint32_t room = 0;
    char *at = bytes;

    while (at < bytes + n) {
        char *end = memchr(at, '\n', (size_t)(bytes + n - at));

        if (!end)
            end = bytes + n;
        *end = '\0';
        if (end > at && end[-1] == '\r')
            end[-1] = '\0';
        trod_push(&cli->mem, out->line, out->nline, room, at);
        at = end + 1;
    }
    if (!out->line)
        out->line = trod_new(&cli->mem, const char *, 1);
}

bool cli_source_read(
    struct cli_source *out, struct cli *cli, const char *name, const char *directory)
{
    const char *outside = NULL;
    char *bytes = NULL;
    size_t n = 0;

    *out = (struct cli_source){.name = name};
    out->path = find(cli, name, directory, &outside);
    if (!out->path && outside)
        return why_not(out, cli, outside,
            "it is outside the working directory; name its folder with --source");
    if (!out->path)
        return why_not(out, cli,
            *name == '/' || !directory ? name : join(cli, directory, name),
            "it was not found; name its folder with --source");
    if (!read_bytes(out, cli, &bytes, &n))
        return false;
    cut_lines(out, cli, bytes, n);
    return true;
}
