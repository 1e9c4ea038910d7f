#include "map/map.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* --- paths -------------------------------------------------------------------------------- */

/* Normalise a path: `.` is dropped, and `..` removes the component before it. */
const char *trod_only_path(
    const char *directory, const char *file, struct trod_arena *mem)
{
    size_t before = directory && *file != '/' ? strlen(directory) + 1 : 0, n = 0;
    size_t length = before + strlen(file) + 1;
    char *out = trod_new(mem, char, length + 1), *part, *end;
    char *text = trod_new(mem, char, length);

    if (before) {
        memcpy(text, directory, before - 1);
        text[before - 1] = '/';
    }
    memcpy(text + before, file, length - before);
    for (part = text; *part; part = *end ? end + 1 : end) {
        size_t size;

        end = part + strcspn(part, "/");
        size = (size_t)(end - part);
        if (!size || (size == 1 && *part == '.'))
            continue;
        if (size == 2 && part[0] == '.' && part[1] == '.') {
            do {
                n -= n != 0;
            } while (n && out[n] != '/');
            continue;
        }
        if (n || *text == '/')
            out[n++] = '/';
        memcpy(out + n, part, size);
        n += size;
    }
    out[n] = '\0';
    return out;
}

const char *trod_only_relative(
    const char *directory, const char *path, struct trod_arena *mem)
{
    const char *from, *to;
    size_t n = 0, same = 0, nup = 0, length;
    char *out;

    if (*path != '/' || *directory != '/')
        return path;
    from = trod_only_path(NULL, directory, mem);
    to = trod_only_path(NULL, path, mem);
    for (; from[n] == to[n] && from[n]; n++)
        if (to[n] == '/')
            same = n;
    if ((!from[n] && (!to[n] || to[n] == '/')) || (!to[n] && from[n] == '/'))
        same = n;
    if (!same)
        return path;
    for (n = same; from[n]; n++)
        nup += from[n] == '/';
    length = strlen(to + same);
    out = trod_new(mem, char, 3 * nup + length + 2);
    for (n = 0; n < nup; n++)
        memcpy(out + 3 * n, "../", 4);
    memcpy(out + 3 * nup, to + same + (length > 0), length ? length : 1);
    if (!*out)
        memcpy(out, ".", 2);
    return out;
}

/* Is `file` a suffix that begins at a path component? */
static bool ends_with(const char *path, const char *file)
{
    size_t n = strlen(path), m = strlen(file);

    return m && m <= n && memcmp(path + n - m, file, m) == 0 &&
           (m == n || *file == '/' || path[n - m - 1] == '/');
}

/* --- lists -------------------------------------------------------------------------------- */

/* The rest of a line, up to a blank: file names need no quotes. */
static bool read_file(const char **out, struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err)
{
    struct trod_token token;
    const char *from;

    if (!trod_text_peek(&token, text, mem, err))
        return false;
    *out = NULL;
    if (trod_token_is_over(&token))
        return true;
    if (token.quoted) {
        if (!trod_text_next(&token, text, mem, err))
            return false;
        *out = trod_only_path(NULL, token.name, mem);
        return true;
    }
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t'))
        text->at++;
    from = text->at;
    while (text->at < text->end && !memchr(" \t\r\n#", *text->at, 6))
        text->at++;
    *out =
        trod_only_path(NULL, trod_copy_text(mem, from, (size_t)(text->at - from)), mem);
    return true;
}

TROD_ORDER(by_function, struct trod_only_line, TROD_ALPHABETIC(function))

bool trod_only_parse(struct trod_only *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    uint32_t room = 0;

    *out = (struct trod_only){0};
    for (;;) {
        struct trod_only_line line = {0};
        struct trod_token token;

        if (!trod_text_next(&token, text, mem, err))
            return false;
        if (token.kind == TROD_T_END)
            break;
        if (token.kind == TROD_T_LINE)
            continue;
        if (token.kind != TROD_T_NAME)
            return trod_text_fail(text, err,
                "expected the mangled name of a function, and optionally a file");
        line.function = token.name;
        if (!read_file(&line.file, text, mem, err) ||
            !trod_text_take_end("a function and its file", text, mem, err))
            return false;
        trod_push(mem, out->line, out->count, room, line);
    }
    trod_sort(out->line, out->count, by_function);
    return true;
}

bool trod_only_has(const struct trod_only *only, const char *function,
    const char *const *path, uint32_t npath)
{
    uint32_t from = TROD_LOWER_BOUND(
        mid, 0, only->count, strcmp(only->line[mid].function, function) < 0);

    for (; from < only->count && strcmp(only->line[from].function, function) == 0;
        from++) {
        const char *file = only->line[from].file;

        if (!file)
            return true;
        for (uint32_t i = 0; i < npath; i++)
            if (ends_with(path[i], file))
                return true;
    }
    return false;
}

/* --- lists and maps ----------------------------------------------------------------------- */

static const char *directory_of(const struct trod_map *map, const char *unit)
{
    for (uint32_t i = 0; i < map->nunit; i++)
        if (map->unit[i].file == unit)
            return map->unit[i].directory;
    return NULL;
}

static bool is_of(const struct trod_only_line *line, const struct trod_map *map,
    const char *name, const char *unit, const char *file, struct trod_arena *mem)
{
    const char *directory;

    if (strcmp(line->function, name) != 0)
        return false;
    if (!line->file)
        return true;
    directory = directory_of(map, unit);
    return ends_with(trod_only_path(directory, unit, mem), line->file) ||
           (file && ends_with(trod_only_path(directory, file, mem), line->file));
}

bool trod_only_in_map(const struct trod_only_line *line, const struct trod_map *map,
    struct trod_arena *mem)
{
    for (uint32_t i = 0; i < map->nentry; i++)
        if (is_of(line, map, map->entry[i].name, map->entry[i].unit, map->entry[i].file,
                mem))
            return true;
    for (uint32_t i = 0; i < map->nskipped; i++)
        if (strcmp(map->skipped[i].why, TROD_NOT_CHOSEN) != 0 &&
            is_of(line, map, map->skipped[i].name, map->skipped[i].unit, NULL, mem))
            return true;
    return false;
}
