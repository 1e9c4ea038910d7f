#include "graphviz/dot_child.h"
#include "graphviz/graphviz.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What remains to be sent to the child, and the socket. */
struct talk {
    int socket;
    const char *at;
    size_t left;
    struct trod_sink *sink;
};

/* Sends some more, and shuts down our half of the socket at the end. If the child has stopped
 * reading, its exit status decides.
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

/* Receives bytes; 0: the end. A child that exits before it has read everything resets the connection. */
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
    bool written = false;

    for (;;) {
        struct pollfd wait = {.fd = talk->socket, .events = POLLIN};
        ssize_t n;

        if (!written)
            wait.events |= POLLOUT;
        if (poll(&wait, 1, -1) < 0 && errno != EINTR)
            return trod_dot_fail(err, "waiting for dot", errno);
        if (wait.revents & POLLOUT) {
            say(talk);
            written = talk->left == 0;
        }
        if (!(wait.revents & (POLLIN | POLLHUP | POLLERR)))
            continue;
        n = hear(talk);
        if (n == 0)
            return true;
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return trod_dot_fail(err, "reading from dot", errno);
    }
}

bool trod_graphviz_svg(
    struct trod_sink *sink, const char *dot, size_t length, struct trod_err *err)
{
    struct talk talk = {.at = dot, .left = length, .sink = sink};
    struct trod_dot child;
    bool ok;

    if (!trod_dot_start(&child, "-Tsvg", err))
        return false;
    talk.socket = child.socket;
    ok = talk_to_end(&talk, err);
    /* Wait for the child in any case. An error of the conversation takes precedence. */
    return trod_dot_end(&child, ok ? err : &(struct trod_err){0}) && ok;
}
