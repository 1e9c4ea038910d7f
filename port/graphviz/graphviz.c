#include "graphviz/graphviz.h"

#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is left to be said to the child, and where it is said and heard. */
struct talk {
    int socket;
    const char *at;
    size_t left;
    struct trod_sink *sink;
};

static bool fail_errno(struct trod_err *err, const char *what, int error)
{
    return trod_fail(err, TROD_E_SYSTEM, "%s: %s", what, strerror(error));
}

/* Say some more; the end is told by closing our half. A child that listens no longer
 * will be judged by how it ends.
 */
static void say(struct talk *talk)
{
    ssize_t n = 0;

    if (talk->left)
        n = send(talk->socket, talk->at, talk->left, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n < 0)
        talk->left = 0;
    else {
        talk->at += n;
        talk->left -= (size_t)n;
    }
    if (!talk->left)
        shutdown(talk->socket, SHUT_WR);
}

/* Bytes heard, 0 at the end. A child that dies with our words unread resets the line. */
static ssize_t hear(struct talk *talk)
{
    char bytes[1 << 14];
    ssize_t n = recv(talk->socket, bytes, sizeof bytes, MSG_DONTWAIT);

    if (n > 0)
        talk->sink->put(talk->sink, bytes, (size_t)n);
    if (n < 0 && errno == ECONNRESET)
        return 0;
    return n;
}

static bool talk_to_end(struct talk *talk, struct trod_err *err)
{
    bool told = false;

    for (;;) {
        struct pollfd wait = {.fd = talk->socket, .events = POLLIN};
        ssize_t n;

        if (!told)
            wait.events |= POLLOUT;
        if (poll(&wait, 1, -1) < 0 && errno != EINTR)
            return fail_errno(err, "waiting for dot", errno);
        if (wait.revents & POLLOUT) {
            say(talk);
            told = talk->left == 0;
        }
        if (!(wait.revents & (POLLIN | POLLHUP | POLLERR)))
            continue;
        n = hear(talk);
        if (n == 0)
            return true;
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return fail_errno(err, "reading from dot", errno);
    }
}

static bool start_dot(pid_t *child, const int pair[2], struct trod_err *err)
{
    static char program[] = "dot", format[] = "-Tsvg";
    char *const argv[] = {program, format, NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);

    if (error)
        return fail_errno(err, "starting dot", error);
    if (!(error = posix_spawn_file_actions_adddup2(&actions, pair[1], 0)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, pair[1], 1)))
        error = posix_spawnp(child, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT)
        return trod_fail(err, TROD_E_SYSTEM,
            "the program 'dot' is not on the PATH; install graphviz");
    return !error || fail_errno(err, "starting dot", error);
}

static bool judge(pid_t child, struct trod_err *err)
{
    int status;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return fail_errno(err, "waiting for dot", errno);
    if (WIFSIGNALED(status))
        return trod_fail(
            err, TROD_E_SYSTEM, "dot was ended by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status))
        return trod_fail(err, TROD_E_SYSTEM,
            "dot gave up with status %d; it says why above", WEXITSTATUS(status));
    return true;
}

bool trod_graphviz_svg(
    struct trod_sink *sink, const char *dot, size_t length, struct trod_err *err)
{
    struct talk talk = {.at = dot, .left = length, .sink = sink};
    int pair[2];
    pid_t child = -1;
    bool ok;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return fail_errno(err, "speaking to dot", errno);
    ok = start_dot(&child, pair, err);
    close(pair[1]);
    if (!ok) {
        close(pair[0]);
        return false;
    }
    talk.socket = pair[0];
    ok = talk_to_end(&talk, err);
    close(pair[0]);
    /* The child is waited for in any case; why it could not be heard comes first. */
    return judge(child, ok ? err : &(struct trod_err){0}) && ok;
}
