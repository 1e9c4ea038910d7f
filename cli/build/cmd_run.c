#include "commands.h"
#include "look/look.h"
#include "sample/sampled.h"

#include <errno.h>
#include <glob.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* trod run: run a program, and report on what it and its children left behind. */

static bool run(struct cli *cli, char **argv, int *status)
{
    pid_t child;
    int failed = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);

    if (failed)
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", argv[0], strerror(failed));
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return trod_fail(&cli->err, TROD_E_SYSTEM, "waiting for %s: %s", argv[0],
                strerror(errno));
    return true;
}

/* The profiles in a folder of our own. */
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

/* The program's status is ours, unless something of our own went wrong. */
static void pass_on(struct cli *cli, char *const *argv, int status)
{
    if (WIFSIGNALED(status))
        cli_note(cli, "%s was killed by signal %d; its counts up to then are reported",
            argv[0], WTERMSIG(status));
    else if (WEXITSTATUS(status))
        cli_note(cli, "%s ended with status %d", argv[0], WEXITSTATUS(status));
}

bool cli_run(struct cli *cli)
{
    char folder[] = "/tmp/trod-run-XXXXXX", pattern[64];
    struct cli_list files = {0};
    struct trod_profile profile;
    struct trod_map map;
    int status = 0;
    bool ok;

    if (cli->raw[0] && strcmp(cli->raw[0], "--") == 0)
        cli->raw++;
    if (!cli->raw[0])
        return cli_misused(cli, "name a program to run");
    if (getenv("TROD_OUT"))
        cli_note(cli,
            "TROD_OUT=%s is not used: 'trod run' reports and keeps no profile; start the "
            "program itself to keep one",
            getenv("TROD_OUT"));
    if (!mkdtemp(folder))
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", folder, strerror(errno));
    snprintf(pattern, sizeof pattern, "%s/%%e.%%p.%%m.trod", folder);
    setenv("TROD_OUT", pattern, 1);
    ok = run(cli, cli->raw, &status) && find_profiles(cli, folder, &files) &&
         cli_profiles_sum(&profile, cli, &files) &&
         cli_maps_read(cli, &map, &profile) && cli_code_choose(cli, &map);
    remove_all(folder, &files);
    if (!ok)
        return false;
    pass_on(cli, cli->raw, status);
    if (trod_profile_has_samples(&profile))
        return cli_subpaths_put_sampled(cli, &profile, &map);
    cli_report_put(cli, &profile, &map);
    return true;
}
