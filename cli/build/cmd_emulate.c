#include "build/emulated.h"
#include "build/lifted.h"
#include "commands.h"
#include "look/look.h"
#include "output/output.h"

#include <errno.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>

#include "elf/section.h"

/* trod emulate: run an unmodified program, and report on it and its children. */

/* Empty files belong to processes that ended before they could write them. */
static bool find_seen(
    struct cli *cli, const struct cli_emulated *e, struct cli_list *out)
{
    glob_t found;
    uint32_t nempty = 0;

    if (glob(cli_joined(cli, e->folder, "/*.seen", ""), 0, NULL, &found) != 0)
        return trod_fail(&cli->err, TROD_E_SYSTEM,
            "%s did not load the plugin of trod, or could not run %s; a statically linked QEMU, "
            "such as Debian 13's, cannot load plugins: name another with --emulator",
            e->emulator, e->program);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct stat of;

        if (stat(found.gl_pathv[i], &of) == 0 && of.st_size)
            cli_list_add(cli, out, trod_copy(&cli->mem, found.gl_pathv[i]));
        else
            nempty++;
    }
    globfree(&found);
    if (nempty)
        cli_note(cli,
            "%u %s ended before its record could be written, and is not counted",
            (unsigned)nempty, nempty == 1 ? "process was" : "processes were");
    return out->count || trod_fail(&cli->err, TROD_E_SYSTEM,
                             "%s ended before its record could be written", e->program);
}

static bool keep_raw(struct cli *cli, struct cli_list *files)
{
    const char *folder = cli->options.raw_files;

    if (!folder)
        return true;
    if (mkdir(folder, 0777) < 0 && errno != EEXIST)
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", folder, strerror(errno));
    for (uint32_t i = 0; i < files->count; i++) {
        struct cli_bytes in;
        struct trod_string out;

        if (!cli_in_bytes(cli, &in, files->item[i], &cli->mem))
            return false;
        trod_string_init(&out, &cli->mem);
        out.sink.put(&out.sink, in.bytes, in.length);
        if (!cli_out_file(
                cli, cli_joined(cli, folder, strrchr(files->item[i], '/'), ""), &out))
            return false;
    }
    return true;
}

static bool report(struct cli *cli, const struct cli_emulated *e, const char *output)
{
    struct cli_lift_options from = {.limit = cli->options.limit};
    struct cli_list files = {0};
    struct trod_profile profile;
    struct trod_map map;
    const char *path =
        output ? output : cli_joined(cli, e->folder, "/", "profile.trod");

    cli_list_add(cli, &files, path);
    return find_seen(cli, e, &from.seen) && keep_raw(cli, &from.seen) &&
           cli_lifted_write(
               cli, &from, path, cli_joined(cli, path, TROD_MAP_SUFFIX, "")) &&
           cli_profiles_sum(&profile, cli, &files) &&
           cli_maps_read(cli, &map, &profile) &&
           (cli_report_put(cli, &profile, &map), true);
}

bool cli_emulate(struct cli *cli)
{
    struct cli_emulated e = {.argv = cli->options.file,
        .trace = cli->options.trace_file,
        .accesses = cli->options.accesses};
    const char *output = cli->options.output;
    bool ok;

    if (!e.argv.count)
        return cli_misused(cli, "name a program to run after '--'");
    if ((cli->options.accesses || cli->options.first_insns) && !cli->options.trace_file)
        return cli_misused(cli, "--accesses and --first need --trace=FILE");
    cli->options.output = NULL;
    ok = cli_emulated_run(cli, &e) && report(cli, &e, output);
    cli_emulated_remove(cli, &e);
    return ok;
}
