/* dot_child: the program `dot` as a child process, connected by one socket. Private to this folder. */
#ifndef TROD_DOT_CHILD_H
#define TROD_DOT_CHILD_H

#include "child/child.h"

struct trod_dot {
    struct trod_child child;
    int socket;
};

/* fails:  TROD_E_SYSTEM if there is no dot, or it cannot be started */
bool trod_dot_start(
    struct trod_dot *out, const char *format, struct trod_err *err) TROD_MUST_CHECK;

/* Close the socket, wait for dot, and report how it ended.
 *
 * fails:  TROD_E_SYSTEM if it failed
 */
bool trod_dot_end(struct trod_dot *dot, struct trod_err *err) TROD_MUST_CHECK;

/* The same after a timeout: kills it. */
void trod_dot_kill(struct trod_dot *dot);

bool trod_dot_fail(struct trod_err *err, const char *what, int error);

#endif
