#include "commands.h"
#include "look/look.h"
#include "output/output.h"
#include "sample/sampled.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* trod run: run a program, and report the profiles of it and its children. */

/* The profiles in the temporary folder. */
static bool find_profiles(struct cli *cli, const char *folder, struct cli_list *out)
{
    char pattern[256];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/*", folder);
    if (glob(pattern, 0, NULL, &found) != 0)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "the program wrote no profile; compile it with 'trod cc'");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        trod_push(&cli->mem, out->item, out->count, out->room,
            trod_copy(&cli->mem, found.gl_pathv[i]));
    }
    globfree(&found);
    return true;
}

static void remove_all(const char *folder, const struct cli_list *files)
{
    for (uint32_t i = 0; i < files->count; i++)
        unlink(files->item[i]);
    rmdir(folder);
}

/* For a build: profiles of programs that it runs are useless, and would be left in its folders. The
 * exit status is the command's. */
static bool run_build(struct cli *cli)
{
    char folder[] = "/tmp/trod-run-XXXXXX", pattern[64], ending[80];
    struct cli_list files = {0};
    struct trod_child child;
    bool ok;

    if (!mkdtemp(folder))
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", folder, strerror(errno));
    snprintf(pattern, sizeof pattern, "%s/%%e.%%m.trod", folder);
    setenv("TROD_OUT", pattern, 1);
    ok = trod_child_start(&child, cli->raw, NULL, &cli->err) &&
         trod_child_wait(&child, &cli->err);
    if (ok && find_profiles(cli, folder, &files))
        cli_note(cli, "%" PRIu32 " profile%s of programs that the build ran %s removed",
            files.count, files.count == 1 ? "" : "s",
            files.count == 1 ? "was" : "were");
    remove_all(folder, &files);
    if (!ok || !trod_child_failed(&child))
        return ok;
    cli->exit = child.signal ? CLI_SYSTEM : (enum cli_exit)child.status;
    return trod_fail(&cli->err, TROD_E_SYSTEM, "%s %s", child.name,
        trod_child_ending(ending, &child));
}

bool cli_run(struct cli *cli)
{
    bool build = cli->raw[0] && strcmp(cli->raw[0], "--build") == 0;
    char folder[] = "/tmp/trod-run-XXXXXX", pattern[64];
    struct cli_list files = {0};
    struct trod_profile profile;
    struct trod_map map;
    struct trod_child child;
    bool ok;

    cli->raw += build;
    if (cli->raw[0] && strcmp(cli->raw[0], "--") == 0)
        cli->raw++;
    if (!cli->raw[0])
        return cli_misused(cli, "name a program to run");
    if (build)
        return run_build(cli);
    if (getenv("TROD_OUT"))
        cli_note(cli,
            "TROD_OUT=%s is not used: 'trod run' reports and keeps no profile; start the "
            "program itself to keep one",
            getenv("TROD_OUT"));
    if (!mkdtemp(folder))
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", folder, strerror(errno));
    snprintf(pattern, sizeof pattern, "%s/%%e.%%p.%%m.trod", folder);
    setenv("TROD_OUT", pattern, 1);
    ok = trod_child_start(&child, cli->raw, NULL, &cli->err) &&
         trod_child_wait(&child, &cli->err) && find_profiles(cli, folder, &files) &&
         cli_profiles_sum(&profile, cli, &files) && cli_maps_read(cli, &map, &profile);
    remove_all(folder, &files);
    if (!ok || !cli_report_can(cli, &profile))
        return false;
    cli_code_choose(cli, &map);
    cli_note_ending(cli, child.name, &child);
    if (trod_profile_has_samples(&profile))
        return cli_subpaths_put_sampled(cli, &profile, &map);
    cli_report_put(cli, &profile, &map);
    return true;
}
