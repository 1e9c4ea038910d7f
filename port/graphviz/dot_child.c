#include "graphviz/dot_child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

bool trod_dot_fail(struct trod_err *err, const char *what, int error)
{
    return trod_fail(err, TROD_E_SYSTEM, "%s: %s", what, strerror(error));
}

static bool spawn(pid_t *child, const char *format, int socket, struct trod_err *err)
{
    static char program[] = "dot";
    char option[16];
    char *const argv[] = {program, option, NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);

    if (error)
        return trod_dot_fail(err, "starting dot", error);
    assert(strlen(format) < sizeof option);
    memcpy(option, format, strlen(format) + 1);
    if (!(error = posix_spawn_file_actions_adddup2(&actions, socket, 0)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, socket, 1)))
        error = posix_spawnp(child, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT)
        return trod_fail(err, TROD_E_SYSTEM,
            "the program 'dot' is not on the PATH; install graphviz");
    return !error || trod_dot_fail(err, "starting dot", error);
}

bool trod_dot_start(struct trod_dot *out, const char *format, struct trod_err *err)
{
    int pair[2];
    bool ok;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return trod_dot_fail(err, "speaking to dot", errno);
    *out = (struct trod_dot){.pid = -1, .socket = pair[0]};
    ok = spawn(&out->pid, format, pair[1], err);
    close(pair[1]);
    if (!ok)
        close(pair[0]);
    return ok;
}

bool trod_dot_end(struct trod_dot *dot, struct trod_err *err)
{
    int status;

    close(dot->socket);
    while (waitpid(dot->pid, &status, 0) < 0)
        if (errno != EINTR)
            return trod_dot_fail(err, "waiting for dot", errno);
    if (WIFSIGNALED(status))
        return trod_fail(
            err, TROD_E_SYSTEM, "dot was killed by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status))
        return trod_fail(err, TROD_E_SYSTEM,
            "dot failed with status %d; see its message above", WEXITSTATUS(status));
    return true;
}

void trod_dot_kill(struct trod_dot *dot)
{
    struct trod_err ignored;

    kill(dot->pid, SIGKILL);
    if (!trod_dot_end(dot, &ignored))
        return; /* as it was meant to */
}
