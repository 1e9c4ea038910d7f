/* port/child: other programs, started and waited for.
 *
 * Nothing else here calls fork or exec. A program that cannot be started is an error of trod_child_start, never a status of
 * a child.
 */
#ifndef TROD_CHILD_H
#define TROD_CHILD_H

#include <signal.h>
#include <sys/types.h>

#include "base/base.h"

struct trod_child {
    pid_t pid;
    const char *name; /* argv[0], for messages */
    int status;       /* when it has ended: its exit status, 0 if a signal ended it */
    int signal;       /* that ended it; 0: none */
};

enum { TROD_CHILD_NOTHING = -1 };

struct trod_child_options {
    const char *path; /* the file, if argv[0] is not to be looked up */
    int in, out, err; /* its standard streams; 0: ours; TROD_CHILD_NOTHING: /dev/null */
    const sigset_t *mask; /* signals that it blocks; NULL: as we do */
    const char *remedy;   /* what to do if it cannot be started; NULL: nothing */
};

/* Start a program: argv[0], looked up on the PATH unless it has a '/'. options: NULL for none
 *
 * fails:  TROD_E_SYSTEM, with the reason: there is no such program, or it cannot be executed
 */
bool trod_child_start(struct trod_child *out, char *const *argv,
    const struct trod_child_options *options, struct trod_err *err) TROD_MUST_CHECK;

/* Wait until it ends. If pid is -1, wait for any child: pid is then that child's.
 *
 * fills:  child->pid, child->status, child->signal
 * fails:  TROD_E_SYSTEM
 */
bool trod_child_wait(struct trod_child *child, struct trod_err *err) TROD_MUST_CHECK;

static inline bool trod_child_failed(const struct trod_child *child)
{
    return child->status || child->signal;
}

/* How it ended: "ended with status 3", "was killed by signal 11 (Segmentation fault)". */
const char *trod_child_ending(char out[80], const struct trod_child *child);

/* Become the program instead.
 *
 * fails:  always, if it returns: TROD_E_SYSTEM
 */
bool trod_child_become(char *const *argv, struct trod_err *err) TROD_MUST_CHECK;

#endif
