#include "build/compiler.h"
#include "commands.h"
#include "input/input.h"
#include "version/versions.h"

#include <unistd.h>
#include <fcntl.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "elf/section.h"

void cli_version_note(
    struct cli *cli, struct cli_version *version, const char *format, ...)
{
    char text[1000];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    trod_push(&cli->mem, version->note, version->nnote, version->room_note,
        trod_copy(&cli->mem, text));
}

/* --- places ------------------------------------------------------------------------------------------ */

/* The canonical path, if the file exists. */
static const char *real(struct cli *cli, const char *path)
{
    char found[PATH_MAX];

    return realpath(path, found) ? trod_copy(&cli->mem, found) : path;
}

const char *cli_path_from(struct cli *cli, const char *folder, const char *path)
{
    if (path[0] == '/')
        return path;
    return trod_format(&cli->mem, "%s/%s", folder, path);
}

/* The part before the last slash. */
static const char *folder_of(struct cli *cli, const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? trod_copy_text(
                       &cli->mem, path, slash == path ? 1 : (size_t)(slash - path))
                 : ".";
}

/* The length of the common parent folder of two paths. */
static size_t common(const char *a, const char *b)
{
    size_t n = 0, slash = 0;

    while (a[n] && a[n] == b[n]) {
        if (a[n] == '/')
            slash = n;
        n++;
    }
    return (!a[n] || a[n] == '/') && (!b[n] || b[n] == '/') ? n : slash;
}

static uint32_t depth_of(const char *path, size_t length)
{
    uint32_t depth = 0;

    for (size_t i = 0; i + 1 < length; i++)
        depth += path[i] == '/';
    return depth;
}

/* Header folders beside the source folders belong to the program; those of the system do not. */
static void widen(struct cli *cli, struct cli_version *version, const char *folder)
{
    size_t length = common(version->root, folder);
    uint32_t depth = depth_of(version->root, strlen(version->root)),
             with = depth_of(folder, length);

    if (length && with >= 2 && with + 1 >= depth && length < strlen(version->root))
        version->root = trod_copy_text(&cli->mem, folder, length);
}

static void find_root(struct cli *cli, struct cli_version *version)
{
    for (uint32_t i = 0; i < version->count; i++) {
        const char *folder = folder_of(cli, version->unit[i].path);

        version->root = version->root ? trod_copy_text(&cli->mem, folder,
                                            common(version->root, folder))
                                      : folder;
    }
    for (uint32_t i = 0; i < version->count; i++) {
        const struct cli_unit *unit = &version->unit[i];

        for (uint32_t k = 1; k < unit->narg; k++) {
            const char *arg = unit->arg[k];

            if (strncmp(arg, "-I", 2) != 0)
                continue;
            arg = arg[2] ? arg + 2 : k + 1 < unit->narg ? unit->arg[k + 1] : ".";
            widen(cli, version, real(cli, cli_path_from(cli, unit->directory, arg)));
        }
    }
    if (!*version->root)
        version->root = "/";
}

/* --- units -------------------------------------------------------------------------------------------- */

/* The next argument that affects the meaning of the source. libtool compiles a source twice, for
 * libraries and for programs; this does not count as a difference.
 */
static const char *next_said(const struct cli_unit *unit, uint32_t *at)
{
    static const char *const unsaid[] = {
        "-c", "-fPIC", "-fpic", "-fPIE", "-fpie", "-DPIC", "-MD", "-MMD", "-MP", "-MG"};
    static const char *const with_next[] = {"-o", "-MF", "-MT", "-MQ"};

    while (++*at < unit->narg) {
        const char *arg = unit->arg[*at];
        bool skip = false;

        for (size_t i = 0; i < sizeof unsaid / sizeof *unsaid; i++)
            skip = skip || strcmp(arg, unsaid[i]) == 0;
        for (size_t i = 0; i < sizeof with_next / sizeof *with_next; i++)
            if (strcmp(arg, with_next[i]) == 0) {
                ++*at;
                skip = true;
            }
        if (!skip)
            return arg;
    }
    return NULL;
}

static bool is_same(const struct cli_unit *a, const struct cli_unit *b)
{
    uint32_t i = 0, k = 0;
    const char *one, *other;

    if (strcmp(a->path, b->path) != 0 || strcmp(a->directory, b->directory) != 0)
        return false;
    do {
        one = next_said(a, &i);
        other = next_said(b, &k);
        if (!one || !other)
            return one == other;
    } while (strcmp(one, other) == 0);
    return false;
}

void cli_version_add(
    struct cli *cli, struct cli_version *version, const struct cli_unit *unit)
{
    struct cli_unit added = *unit;

    added.path = real(cli, cli_path_from(cli, unit->directory, unit->file));
    for (uint32_t i = 0; i < version->count; i++)
        if (is_same(&version->unit[i], &added))
            return;
    trod_push(&cli->mem, version->unit, version->count, version->room, added);
}

/* --- maps of binaries ------------------------------------------------------------------------------------ */

/* The rest of a map's line that begins with this word; NULL: it begins with another. */
static const char *behind(const char *line, size_t length, const char *word)
{
    size_t n = strlen(word);

    return length > n && memcmp(line, word, n) == 0 && line[n] == ' ' ? line + n + 1
                                                                      : NULL;
}

static bool first_name(struct cli *cli, const char **out, const char *name,
    const char *from, const char *end)
{
    struct trod_text text;

    trod_text_init(&text, name, from, (size_t)(end - from));
    return trod_text_take_name(out, "a name", &text, &cli->mem, &cli->err);
}

static bool command_words(struct cli *cli, struct cli_unit *unit, const char *command)
{
    struct trod_text text;
    struct trod_token token;

    trod_text_init(&text, "command", command, strlen(command));
    do {
        if (!trod_text_next(&token, &text, &cli->mem, &cli->err))
            return false;
        if (token.kind == TROD_T_NAME)
            cli_unit_add(cli, unit, token.name);
    } while (token.kind == TROD_T_NAME || token.kind == TROD_T_LINE);
    return token.kind == TROD_T_END ||
           trod_fail(&cli->err, TROD_E_INPUT, "its command has unquoted words");
}

/* A unit without functions is not in the map. Sources that the same command compiled are added nevertheless. */
static void add_sources(
    struct cli *cli, struct cli_version *version, const struct cli_unit *unit)
{
    struct cli_unit other = *unit;

    cli_version_add(cli, version, unit);
    for (uint32_t i = 1; i < unit->narg; i++)
        if (unit->arg[i][0] != '-' && unit->arg[i - 1][0] != '-' &&
            cli_is_c(unit->arg[i])) {
            other.file = unit->arg[i];
            cli_version_add(cli, version, &other);
        }
}

/* Omitted arguments may matter, so they are noted. */
static void note_omitted(
    struct cli *cli, struct cli_version *version, const struct cli_unit *unit)
{
    for (uint32_t i = 1; i < unit->narg; i++) {
        const char *at = strstr(unit->arg[i], CLI_OMITTED);

        if (at)
            cli_version_note(cli, version,
                "%s: %s %.*s was not recorded; compile with 'trod cc --record=all', or name "
                "compile_commands.json",
                unit->file, at == unit->arg[i] ? "a folder of" : "the value of",
                at == unit->arg[i] ? (int)strlen(unit->arg[i - 1])
                                   : (int)(at - unit->arg[i] - 1),
                at == unit->arg[i] ? unit->arg[i - 1] : unit->arg[i]);
    }
}

/* Finish a unit of the map. */
static void end_unit(struct cli *cli, struct cli_version *version,
    struct cli_unit *unit, const char *command, const char *folder)
{
    struct cli_list around = {0};

    if (!unit->file)
        return;
    cli_list_add(cli, &around, folder);
    cli_list_add(cli, &around, ".");
    unit->directory = cli_place_find(cli, unit->directory, unit->file, &around);
    if (!command)
        cli_version_note(cli, version,
            "%s: its compiler command is unknown; compile it with 'trod cc'",
            unit->file);
    else if (!command_words(cli, unit, command))
        cli_version_note(cli, version, "%s: %s", unit->file, cli->err.text);
    else {
        note_omitted(cli, version, unit);
        add_sources(cli, version, unit);
    }
}

static bool read_map(struct cli *cli, struct cli_version *version, const char *bytes,
    size_t length, const char *folder)
{
    struct cli_unit unit = {0};
    const char *command = NULL, *end = bytes + length;

    for (const char *line = bytes, *stop; line < end; line = stop + 1) {
        const char *value;
        size_t n;

        stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        n = (size_t)(stop - line);
        if ((value = behind(line, n, "unit"))) {
            end_unit(cli, version, &unit, command, folder);
            unit = (struct cli_unit){.directory = folder};
            command = NULL;
            if (!first_name(cli, &unit.file, version->name, value, stop))
                return false;
        } else if ((value = behind(line, n, "directory"))) {
            if (!first_name(cli, &unit.directory, version->name, value, stop))
                return false;
        } else if ((value = behind(line, n, "command"))) {
            if (!first_name(cli, &command, version->name, value, stop))
                return false;
        }
    }
    end_unit(cli, version, &unit, command, folder);
    return true;
}

static bool read_binary(struct cli *cli, struct cli_version *version, const char *path)
{
    char *bytes;
    size_t length;

    if (!trod_elf_section(&bytes, &length, path, ".trod.map", &cli->mem, &cli->err))
        return false;
    if (!length)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: it has no map; compile it with 'trod cc', or name compile_commands.json",
            path);
    return read_map(cli, version, bytes, length, folder_of(cli, real(cli, path)));
}

/* --- versions ------------------------------------------------------------------------------------------- */

/* compile_commands.json in a folder, or in its build folder. */
static const char *commands_in(struct cli *cli, const char *folder)
{
    static const char *const place[] = {
        "compile_commands.json", "build/compile_commands.json"};
    struct stat status;

    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        const char *path = cli_path_from(cli, folder, place[i]);

        if (stat(path, &status) == 0)
            return path;
    }
    return NULL;
}

static bool is_json(const char *path)
{
    size_t length = strlen(path);

    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

bool cli_version_find(
    struct cli *cli, struct cli_version *out, const char *name, const char *root)
{
    struct stat status;
    const char *path = name;
    bool ok;

    *out = (struct cli_version){.name = name};
    if (stat(name, &status) != 0)
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", name, strerror(errno));
    if (S_ISDIR(status.st_mode) && !(path = commands_in(cli, name)))
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: it has no compile_commands.json, which cmake, meson and bear write; create one, "
            "or name a binary that 'trod cc' built",
            name);
    ok = is_json(path) ? cli_version_commands(cli, out, path)
                       : read_binary(cli, out, path);
    if (!ok)
        return false;
    if (!out->count)
        return trod_fail(&cli->err, TROD_E_INPUT, "%s: %s", name,
            out->nnote ? out->note[0] : "it has no compiled units");
    if (root)
        out->root = real(cli, root);
    else
        find_root(cli, out);
    return true;
}

bool cli_version_is(const char *path)
{
    int fd = strcmp(path, "-") == 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    char head[5] = {0};
    struct stat of;
    bool is = fd >= 0 && fstat(fd, &of) == 0 && S_ISDIR(of.st_mode);

    if (fd >= 0 && !is && read(fd, head, 4) == 4)
        is = memcmp(head, "\177ELF", 4) == 0 || head[strspn(head, " \t\n")] == '[';
    if (fd >= 0)
        close(fd);
    return is;
}
