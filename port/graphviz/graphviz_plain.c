#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "graphviz/dot_child.h"
#include "graphviz/graphviz.h"

enum { PATIENCE = 10000, TRIES = 3 };

struct work {
    const struct trod_graphviz_many *many;
    struct trod_dot dot;
    struct trod_string out; /* the drawing being sent */
    size_t said;
    uint32_t next;         /* to send */
    struct trod_string in; /* output received for the first drawing not taken yet */
    uint32_t taken;
    bool hung_up;  /* everything was sent */
    int64_t since; /* time in milliseconds at which the last one was taken */
    int64_t until; /* deadline; 0: none */
};

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* --- one child, until it fails ------------------------------------------------------------------------------------ */

static void say(struct work *w)
{
    ssize_t n;

    if (w->said == w->out.length && w->next < w->many->count) {
        w->said = w->out.length = 0;
        w->many->put(w->many->ctx, w->next++, &w->out.sink);
    }
    if (w->said == w->out.length) {
        shutdown(w->dot.socket, SHUT_WR);
        w->hung_up = true;
        return;
    }
    n = send(w->dot.socket, w->out.text + w->said, w->out.length - w->said,
        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0)
        w->said += (size_t)n;
    else if (n < 0 && errno != EAGAIN && errno != EINTR)
        w->hung_up = true; /* what it printed before is still used */
}

/* Each drawing ends with a line "stop". */
static void take(struct work *w)
{
    static const char stop[] = "\nstop\n";
    size_t from = 0;

    for (;;) {
        const char *at = w->in.text + from;
        const char *end = memmem(at, w->in.length - from, stop, sizeof stop - 1);

        if (!end || w->taken == w->many->count)
            break;
        end += sizeof stop - 1;
        w->many->take(w->many->ctx, w->taken++, at, (size_t)(end - at));
        from += (size_t)(end - at);
        w->since = now();
    }
    if (from)
        memmove(w->in.text, w->in.text + from, w->in.length - from);
    w->in.length -= from;
}

/* False: the end. */
static bool hear(struct work *w)
{
    char bytes[1 << 14];
    ssize_t n = recv(w->dot.socket, bytes, sizeof bytes, MSG_DONTWAIT);

    if (n > 0) {
        w->in.sink.put(&w->in.sink, bytes, (size_t)n);
        take(w);
    }
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static bool is_over(const struct work *w)
{
    return w->until && now() >= w->until;
}

/* Returns when everything was sent and received, when dot ended, or on timeout: *late. */
static void talk(struct work *w, bool *late)
{
    int patience = w->many->patience ? w->many->patience : PATIENCE;

    *late = false;
    while (w->taken < w->many->count) {
        struct pollfd wait = {.fd = w->dot.socket, .events = POLLIN};
        int64_t left = w->since + patience - now();

        *late = left <= 0 || is_over(w);
        if (*late)
            return;
        if (!w->hung_up)
            wait.events |= POLLOUT;
        if (poll(&wait, 1, left < 100 ? (int)left : 100) < 0 && errno != EINTR)
            return;
        if (wait.revents & POLLOUT)
            say(w);
        if (wait.revents & (POLLIN | POLLHUP | POLLERR) && !hear(w))
            return;
    }
}

/* --- restarting it after a failure ---------------------------------------------- */

static bool start(struct work *w, struct trod_err *err)
{
    w->said = w->out.length = w->in.length = 0;
    w->next = w->taken;
    w->hung_up = false;
    w->since = now();
    return trod_dot_start(&w->dot, "-Tplain", err);
}

bool trod_graphviz_plain(
    const struct trod_graphviz_many *many, struct trod_arena *mem, struct trod_err *err)
{
    struct work w = {.many = many};
    struct trod_err why = {0};
    unsigned nfailed = 0;
    bool any = false;

    trod_string_init(&w.out, mem);
    trod_string_init(&w.in, mem);
    if (many->most)
        w.until = now() + many->most;
    while (w.taken < many->count && !is_over(&w)) {
        uint32_t before = w.taken;
        bool late;

        if (!start(&w, err))
            return false;
        talk(&w, &late);
        if (late)
            trod_dot_kill(&w.dot);
        else if (trod_dot_end(&w.dot, &why))
            why = (struct trod_err){0};
        if (w.taken == many->count || is_over(&w))
            break;
        any |= w.taken > before;
        nfailed = w.taken > before || late ? 0 : nfailed + 1;
        if (nfailed == TRIES || (nfailed && !any && w.taken + 1 == many->count))
            return trod_fail(err, TROD_E_SYSTEM, "%s",
                why.code ? why.text : "dot printed no layout of the graph");
        many->take(many->ctx, w.taken++, NULL, 0);
    }
    return true;
}
