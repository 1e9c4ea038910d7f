#include "graphviz/dot_child.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool trod_dot_fail(struct trod_err *err, const char *what, int error)
{
    return trod_fail(err, TROD_E_SYSTEM, "%s: %s", what, strerror(error));
}

bool trod_dot_start(struct trod_dot *out, const char *format, struct trod_err *err)
{
    static char program[] = "dot";
    char option[16], *const argv[] = {program, option, NULL};
    int pair[2];
    bool ok;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return trod_dot_fail(err, "speaking to dot", errno);
    assert(strlen(format) < sizeof option);
    memcpy(option, format, strlen(format) + 1);
    out->socket = pair[0];
    ok = trod_child_start(&out->child, argv,
        &(struct trod_child_options){
            .in = pair[1], .out = pair[1], .remedy = "install graphviz"},
        err);
    close(pair[1]);
    if (!ok)
        close(pair[0]);
    return ok;
}

bool trod_dot_end(struct trod_dot *dot, struct trod_err *err)
{
    char ending[80];

    close(dot->socket);
    if (!trod_child_wait(&dot->child, err))
        return false;
    return !trod_child_failed(&dot->child) ||
           trod_fail(err, TROD_E_SYSTEM, "dot %s; see its message above",
               trod_child_ending(ending, &dot->child));
}

void trod_dot_kill(struct trod_dot *dot)
{
    struct trod_err ignored;

    kill(dot->child.pid, SIGKILL);
    if (!trod_dot_end(dot, &ignored))
        return; /* success */
}
