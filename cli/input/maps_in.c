#include "commands.h"
#include "test/verdict.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cxx/demangle.h"
#include "elf/section.h"

/* The text of all maps. */
struct maps {
    struct cli *cli;
    struct trod_string text;
};

static bool add_map(struct maps *maps, const char *file, const char *build_id)
{
    return trod_elf_map(&maps->text, file, build_id, &maps->cli->mem, &maps->cli->err);
}

/* The map of functions that a program made while it ran is text, which may still grow: what follows the last empty line
 * is not complete. False: it is no such text.
 */
static bool add_text(struct maps *maps, const char *file)
{
    static const char head[] = "unit ";
    struct trod_string text;
    int fd = trod_elf_open(file);
    char room[1 << 14];
    ssize_t got;
    size_t n;

    if (fd < 0)
        return false;
    trod_string_init(&text, &maps->cli->mem);
    do {
        got = read(fd, room, sizeof room);
        if (got > 0)
            text.sink.put(&text.sink, room, (size_t)got);
    } while (got > 0 && strncmp(text.text, head, sizeof head - 1) == 0);
    close(fd);
    if (got || text.length < sizeof head)
        return false;
    for (n = text.length; n > 2; n--)
        if (text.text[n - 1] == '\n' && text.text[n - 2] == '\n')
            break;
    if (n > 2)
        maps->text.sink.put(&maps->text.sink, text.text, n);
    return true;
}

/* --- folders ------------------------------------------------------------------------------ */

static const char *join(struct cli *cli, const char *folder, const char *name)
{
    return trod_format(&cli->mem, "%s/%s", folder, name);
}

/* Find a program, library or map with this build id, under any name. */
static bool search(struct maps *maps, const char *folder, const char *build_id)
{
    struct trod_mark mark = trod_arena_mark(&maps->cli->mem);
    DIR *dir = opendir(folder);
    struct dirent *found;
    bool ok = false;

    while (dir && !ok && (found = readdir(dir))) {
        const char *path = join(maps->cli, folder, found->d_name);
        struct stat status;

        /* The arena is not rewound: the text of the maps grows in it. */
        ok = stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
             add_map(maps, path, build_id);
        if (!ok)
            trod_arena_rewind(&maps->cli->mem, mark);
    }
    if (dir)
        closedir(dir);
    return ok;
}

/* Files written by 'trod split' are found by name, others by reading them. */
static bool find_in_folders(struct maps *maps, const char *build_id)
{
    const struct cli_list *folder = &maps->cli->options.maps;
    char *name;

    name = trod_format(&maps->cli->mem, "%s" TROD_MAP_SUFFIX, build_id);
    for (uint32_t i = 0; *build_id && i < folder->count; i++)
        if (add_map(maps, join(maps->cli, folder->item[i], name), build_id))
            return true;
    for (uint32_t i = 0; *build_id && i < folder->count; i++)
        if (search(maps, folder->item[i], build_id))
            return true;
    return false;
}

/* --- one module ------------------------------------------------------------------------------ */

/* Search the named folders, then the binary where it ran, then a file beside it. If the binary is
 * missing or was rebuilt, only names are lost.
 */
static void find_map(struct maps *maps, const struct trod_profile_module *m)
{
    struct cli *cli = maps->cli;
    struct trod_err why;
    char *beside;

    if (find_in_folders(maps, m->build_id) || add_map(maps, m->path, m->build_id))
        return;
    why = cli->err;
    beside = trod_format(&cli->mem, "%s" TROD_MAP_SUFFIX, m->path);
    if (access(beside, R_OK) == 0 && add_map(maps, beside, m->build_id))
        return;
    cli_note(cli, "%s%s", why.text,
        access(m->path, F_OK) == 0
            ? ""
            : "; without it, paths are printed as numbers: name the program with --binary=FILE, or "
              "its folder with --maps=FOLDER");
}

/* --- programs that were emulated, or made functions while they ran --------------------------- */

static bool add_once(struct maps *maps, struct cli_list *added, const char *file)
{
    for (uint32_t i = 0; i < added->count; i++)
        if (strcmp(added->item[i], file) == 0)
            return true;
    if (access(file, R_OK) != 0 || !(add_text(maps, file) || add_map(maps, file, NULL)))
        return false;
    trod_push(&maps->cli->mem, added->item, added->count, added->room, file);
    return true;
}

/* Of such modules the file says no path. */
static bool is_made(const struct trod_profile_module *m)
{
    return m->mode == TROD_MODE_BLOCKS && !*m->build_id && strcmp(m->path, "?") == 0;
}

/* The program has no map: the run names the map's file, or it is beside the profile. */
static bool find_named(struct maps *maps, const struct trod_profile *profile)
{
    const struct cli_list *file = &maps->cli->options.file;
    struct cli_list added = {0};
    bool named, any = false;

    for (uint32_t m = 0; m < profile->nmodule; m++)
        any |= profile->module[m].mode == TROD_MODE_MACHINE ||
               is_made(&profile->module[m]);
    if (!any)
        return false;
    for (uint32_t i = 0; i < profile->nrun; i++)
        for (uint32_t k = 0; k < profile->run[i].nfield; k++)
            if (strcmp(profile->run[i].field[k].key, "map") == 0)
                add_once(maps, &added, profile->run[i].field[k].value);
    named = added.count;
    for (uint32_t i = 0; !named && i < file->count; i++) {
        char *beside;

        beside = trod_format(&maps->cli->mem, "%s" TROD_MAP_SUFFIX, file->item[i]);
        add_once(maps, &added, beside);
    }
    return added.count;
}

static bool check_folders(struct cli *cli)
{
    for (uint32_t i = 0; i < cli->options.maps.count; i++) {
        DIR *dir = opendir(cli->options.maps.item[i]);

        if (!dir)
            return trod_fail(&cli->err, TROD_E_SYSTEM,
                "%s: %s; name a folder with maps", cli->options.maps.item[i],
                strerror(errno));
        closedir(dir);
    }
    return true;
}

bool cli_maps_text(
    struct cli *cli, struct trod_string *out, const struct trod_profile *profile)
{
    const struct cli_list *binary = &cli->options.binary;
    struct maps maps = {.cli = cli};
    bool named;

    if (!check_folders(cli))
        return false;
    trod_string_init(&maps.text, &cli->mem);
    for (uint32_t i = 0; i < binary->count; i++)
        if (!add_text(&maps, binary->item[i]) && !add_map(&maps, binary->item[i], NULL))
            return false;
    named = !binary->count && find_named(&maps, profile);
    for (uint32_t i = 0; !binary->count && i < profile->nmodule; i++)
        if (!named || (profile->module[i].mode != TROD_MODE_MACHINE &&
                          !is_made(&profile->module[i])))
            find_map(&maps, &profile->module[i]);
    *out = maps.text;
    return true;
}

/* Compares demangled names. */
static void report_duplicate_names(struct cli *cli, struct trod_map_entry *entry)
{
    entry->display_name = trod_cxx_name(entry->name, &cli->mem);
    for (uint32_t i = 0; i < entry->ninlined; i++)
        if (entry->inlined[i].function)
            entry->inlined[i].display_name =
                trod_cxx_name(entry->inlined[i].function, &cli->mem);
}

bool cli_maps_parse(
    struct cli *cli, struct trod_map *out, const struct trod_string *text)
{
    struct trod_text in;

    trod_text_init(&in, ".trod.map", text->text, text->length);
    if (!trod_map_parse(out, &in, &cli->mem, &cli->err))
        return false;
    for (uint32_t i = 0; i < out->nentry; i++)
        report_duplicate_names(cli, &out->entry[i]);
    return true;
}

/* An unknown function name is an error: an empty result would be misleading. */
static bool check_function(
    struct cli *cli, const struct trod_map *map, const struct trod_profile *profile)
{
    const char *glob = cli->options.function;
    struct cli_nearest nearest = {.typed = glob};
    char *copy;

    /* Lists contain names; that of an unnamed function begins with '?'. */
    if (!glob || glob[0] == '?' || (!map->nentry && !profile->nmodule))
        return true;
    copy = trod_copy(&cli->mem, glob);
    for (uint32_t i = 0; i < map->nentry; i++) {
        if (cli_report_wants(map->entry[i].name, copy))
            return true;
        cli_nearest_try(&nearest, map->entry[i].name);
    }
    if (!map->nentry)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "--function=%s: function names are unknown, because no map of the program was found; "
            "name the program with --binary",
            glob);
    return nearest.word
               ? trod_fail(&cli->err, TROD_E_INPUT,
                     "--function=%s: no function of the program has that name; did you "
                     "mean '%s'?",
                     glob, nearest.word)
               : trod_fail(&cli->err, TROD_E_INPUT,
                     "--function=%s: no function of the program has that name; 'trod "
                     "coverage' lists them all",
                     glob);
}

bool cli_maps_read(
    struct cli *cli, struct trod_map *out, const struct trod_profile *profile)
{
    struct trod_string text;

    if (!cli_programs_check(cli) || !cli_maps_text(cli, &text, profile) ||
        !cli_maps_parse(cli, out, &text) || !check_function(cli, out, profile))
        return false;
    cli_places_find(cli, out, profile);
    trod_map_name_files(out, &cli->mem);
    return cli_code_filter(cli, out);
}
