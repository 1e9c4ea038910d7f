#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Where compilers and package managers install. Paths come from debug information: absolute, possibly with `..`. */
bool trod_is_system_path(const char *path)
{
    static const char *const folders[] = {"/usr/include/", "/usr/lib/", "/usr/lib32/",
        "/usr/lib64/", "/usr/local/include/", "/usr/local/lib/", "/usr/bin/../",
        "/lib/", "/lib64/", "/opt/", "/nix/store/", "/snap/"};

    if (*path != '/')
        return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    return strstr(path, "/include/c++/") || strstr(path, "/lib/clang/");
}

/* Machine code belongs to the file that contains it, whatever its debug information says: libraries of a distribution
 * name their sources relative to the build directory.
 */
bool trod_is_system_code(const struct trod_map_entry *entry)
{
    return (entry->file && trod_is_system_path(entry->file)) ||
           (entry->machine && trod_is_system_path(entry->unit));
}

const char *trod_entry_name(
    const struct trod_map_entry *entry, size_t most, struct trod_arena *mem)
{
    return strcmp(entry->display_name, entry->name) == 0
               ? trod_clip_middle(entry->display_name, most, mem)
               : trod_short_name(entry->display_name, most, mem);
}

static const char *join(const char *a, const char *b, struct trod_arena *mem)
{
    return trod_format(mem, "%s%s", a, b);
}

const char *trod_place_text(
    const struct trod_map_entry *entry, size_t most, struct trod_arena *mem)
{
    const char *file = entry->file ? entry->file : entry->unit, *slash, *at;
    struct trod_string out;
    char line[16] = "";

    if (entry->declared)
        snprintf(line, sizeof line, ":%" PRIu32, entry->declared);
    if (strncmp(file, "./", 2) == 0 && file[2])
        file += 2;
    trod_string_init(&out, mem);
    trod_put_shown(&out.sink, file);
    trod_put(&out.sink, "%s", line);
    if (trod_letters(out.text) <= most)
        return out.text;
    /* Keep the last folders: they are the most specific. */
    for (at = out.text; (slash = strchr(at + 1, '/')); at = slash)
        if (trod_letters(slash) + 3 <= most)
            return join("...", slash, mem);
    return at + (*at == '/');
}
