#include "calls/recordings.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Commands that the user gave, one at a time. While one runs, a signal that would end us ends it,
 * and then we go on: what was made for it is to be cleared away.
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

static _Noreturn void become(const char *command, const char *log)
{
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
        _exit(CLI_SYSTEM);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static bool wait_for(struct cli *cli, pid_t child, int *status)
{
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return trod_fail(
                &cli->err, TROD_E_SYSTEM, "waiting for a command: %s", strerror(errno));
    return true;
}

bool cli_shell_run(struct cli *cli, const char *command, const char *log, int *status)
{
    struct sigaction action = {.sa_handler = pass_on}, before[NENDING];
    sigset_t held, old;
    pid_t child;
    bool ok;

    sigemptyset(&held);
    for (int i = 0; i < NENDING; i++)
        sigaddset(&held, ending[i]);
    sigprocmask(SIG_BLOCK, &held, &old);
    child = fork();
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &old, NULL);
        become(command, log);
    }
    child_now = child;
    for (int i = 0; i < NENDING; i++) {
        sigaction(ending[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    ok = child < 0 ? trod_fail(&cli->err, TROD_E_SYSTEM, "%s", strerror(errno))
                   : wait_for(cli, child, status);
    child_now = 0;
    for (int i = 0; i < NENDING; i++)
        sigaction(ending[i], &before[i], NULL);
    return ok && (!caught || trod_fail(&cli->err, TROD_E_SYSTEM, "ended by signal %d",
                                 (int)caught));
}

void cli_shell_tell(struct trod_sink *sink, int status)
{
    if (WIFSIGNALED(status))
        trod_put(sink, "was killed by signal %d", WTERMSIG(status));
    else
        trod_put(sink, "ended with status %d", WEXITSTATUS(status));
}

/* The last bytes from the beginning of a line. */
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
