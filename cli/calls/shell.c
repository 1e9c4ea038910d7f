#include "calls/recordings.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Runs commands of the user, one at a time. Meanwhile a signal that would end trod ends the command
 * instead, and trod continues, so that it removes temporary files.
 */

static const int ending[] = {SIGHUP, SIGINT, SIGTERM};
enum { NENDING = sizeof ending / sizeof *ending };

static volatile sig_atomic_t child_now, caught;

static void pass_on(int signal)
{
    caught = signal;
    if (child_now > 0)
        kill((pid_t)child_now, signal);
}

bool cli_shell_run(
    struct cli *cli, struct trod_child *child, const char *command, const char *log)
{
    struct sigaction action = {.sa_handler = pass_on}, before[NENDING];
    sigset_t held, old;
    char shell[] = "/bin/sh", option[] = "-c";
    char *const argv[] = {shell, option, trod_copy(&cli->mem, command), NULL};
    struct trod_child_options options = {.mask = &old};
    bool ok;

    options.out = options.err =
        open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (options.out < 0)
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", log, strerror(errno));

    sigemptyset(&held);
    for (int i = 0; i < NENDING; i++)
        sigaddset(&held, ending[i]);
    sigprocmask(SIG_BLOCK, &held, &old);
    ok = trod_child_start(child, argv, &options, &cli->err);
    close(options.out);
    child_now = ok ? child->pid : 0;
    for (int i = 0; i < NENDING; i++) {
        sigaction(ending[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    ok = ok && trod_child_wait(child, &cli->err);
    child_now = 0;
    for (int i = 0; i < NENDING; i++)
        sigaction(ending[i], &before[i], NULL);
    return ok && (!caught || trod_fail(&cli->err, TROD_E_SYSTEM, "ended by signal %d",
                                 (int)caught));
}

/* Print the end of a log, from the beginning of a line. */
void cli_shell_tail(const char *log)
{
    enum { MOST = 2000 };
    char bytes[MOST + 1];
    FILE *file = fopen(log, "re");
    const char *from = bytes, *line;
    size_t n;

    if (!file)
        return;
    n = fseek(file, -MOST, SEEK_END) == 0 || fseek(file, 0, SEEK_SET) == 0
            ? fread(bytes, 1, MOST, file)
            : 0;
    fclose(file);
    bytes[n] = '\0';
    if (n == MOST && (line = strchr(bytes, '\n')))
        from = line + 1;
    fwrite(from, 1, n - (size_t)(from - bytes), stderr);
    if (n && bytes[n - 1] != '\n')
        fputc('\n', stderr);
}
