#include "commands.h"
#include "input/input.h"
#include "output/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child/child.h"
#include "elf/section.h"
#include "file/file.h"

/* trod split: write the map of a program to a separate file. */

/* The output: the file given; in a folder, named by build id; otherwise beside the program. */
static bool choose_output(struct cli *cli, const char *program, const char *build_id)
{
    const char *output = cli->options.output;
    struct trod_string path;
    struct stat status;

    trod_string_init(&path, &cli->mem);
    if (!output) {
        trod_put(&path.sink, "%s" TROD_MAP_SUFFIX, program);
    } else if (strcmp(output, "-") != 0 && stat(output, &status) == 0 &&
               S_ISDIR(status.st_mode)) {
        if (!*build_id)
            return trod_fail(&cli->err, TROD_E_INPUT,
                "%s: it has no build id to name the file in %s; link it with -Wl,--build-id, or name "
                "a file",
                program, output);
        trod_put(&path.sink, "%s/%s" TROD_MAP_SUFFIX, output, build_id);
    } else {
        return true;
    }
    cli->options.output = path.text;
    return true;
}

static bool read_map(struct cli *cli, const char *program, char **map, size_t *length,
    char **note, size_t *nnote)
{
    if (!trod_elf_section(map, length, program, ".trod.map", &cli->mem, &cli->err) ||
        !trod_elf_section(
            note, nnote, program, ".note.gnu.build-id", &cli->mem, &cli->err))
        return false;
    return *length ||
           trod_fail(&cli->err, TROD_E_INPUT,
               "%s: it has no section .trod.map; compile it with 'trod cc', or "
               "split it before it is stripped",
               program);
}

/* objcopy comes with every linker. It removes sections without moving loaded ones. */
static bool run_objcopy(struct cli *cli, const char *from, const char *to)
{
    const char *objcopy = getenv("TROD_OBJCOPY");
    char *const argv[] = {
        trod_copy(&cli->mem, objcopy && *objcopy ? objcopy : "objcopy"),
        (char[]){"--remove-section=.trod.map"}, trod_copy(&cli->mem, from),
        trod_copy(&cli->mem, to), NULL};
    struct trod_child_options options = {
        .remedy = "install binutils, or name an objcopy in TROD_OBJCOPY"};
    struct trod_child child;

    if (!trod_child_start(&child, argv, &options, &cli->err) ||
        !trod_child_wait(&child, &cli->err))
        return false;
    return !trod_child_failed(&child) ||
           trod_fail(&cli->err, TROD_E_SYSTEM,
               "%s could not remove the map from %s, which is unchanged", argv[0],
               from);
}

static bool strip(struct cli *cli, const char *program)
{
    struct trod_file_beside beside;
    int error = trod_file_begin(&beside, program, true, &cli->mem);

    if (error)
        return cli_out_check(cli, program, error);
    if (!beside.temporary)
        return cli_out_check(cli, program, trod_file_end(&beside, EACCES));
    if (run_objcopy(cli, program, beside.temporary))
        return cli_out_check(cli, program, trod_file_end(&beside, 0));
    trod_file_end(&beside, ECANCELED);
    return false;
}

bool cli_split(struct cli *cli)
{
    char *map, *note, *build_id;
    size_t length, nnote;
    const char *program;

    if (cli->options.file.count != 1)
        return cli_misused(cli, "expected one program or library; name it");
    program = cli->options.file.item[0];
    if (!read_map(cli, program, &map, &length, &note, &nnote))
        return false;
    if (cli->options.as_text) {
        cli->out.sink.put(&cli->out.sink, map, length);
        return true;
    }
    if (!trod_elf_build_id(&build_id, program, &cli->mem, &cli->err) ||
        !choose_output(cli, program, build_id))
        return false;
    if (!*build_id)
        cli_note(cli,
            "%s: it has no build id: its map can be found with --binary, not with --maps",
            program);
    if (!trod_elf_map_write(
            &cli->out.sink, map, length, note, nnote, &cli->mem, &cli->err))
        return false;
    if (!cli->options.strip)
        return true;
    /* The map must be written before it is removed from the program. */
    if (!cli_out_write(cli))
        return false;
    cli->out.length = 0;
    cli->options.output = NULL;
    return strip(cli, program);
}
