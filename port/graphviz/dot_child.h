/* dot_child: the program `dot` as a child, spoken to over one socket. For the files of this folder. */
#ifndef TROD_DOT_CHILD_H
#define TROD_DOT_CHILD_H

#include "child/child.h"

struct trod_dot {
    struct trod_child child;
    int socket;
};

/* fails:  TROD_E_SYSTEM when there is no dot, or no process for it */
bool trod_dot_start(
    struct trod_dot *out, const char *format, struct trod_err *err) TROD_MUST_CHECK;

/* Hang up, wait, and say how it ended.
 *
 * fails:  TROD_E_SYSTEM when it failed
 */
bool trod_dot_end(struct trod_dot *dot, struct trod_err *err) TROD_MUST_CHECK;

/* The same of one that has been waited for long enough. */
void trod_dot_kill(struct trod_dot *dot);

bool trod_dot_fail(struct trod_err *err, const char *what, int error);

#endif
