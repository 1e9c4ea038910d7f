/* sequence: which function called which, in which order, and how a part of that is replaced.
 *
 *     recorded steps -> spans, shared -> old spans where nothing changed, new ones where it did -> sequence
 *
 * A call sequence is the order in which functions were entered, with the span of each: what was called until it
 * returned. Equal spans are one (a graph without cycles): long sequences have few.
 *
 *     span NUMBER FUNCTION : CHILD*COUNT CHILD ...      # children before parents; the last line is the root of its thread
 *     thread NUMBER ROOT
 *
 * What old span is reused where a function has several: the whole of it if the caller is exempt, with all below it; the only one if
 * there is only one; the k-th for the k-th if there are as many as before and arguments are not affected; else
 * the function is not exempt.
 */
#ifndef TROD_SEQUENCE_H
#define TROD_SEQUENCE_H

#include "migrate/migrate.h"

struct trod_span_child {
    uint32_t span;
    uint64_t count; /* in a row */
};
struct trod_span {
    uint32_t function; /* number in names */
    uint32_t nchild;
    const struct trod_span_child *child;
    uint64_t ncall; /* entries in all of it, itself included; saturates */
};
struct trod_call_sequence {
    struct trod_names function;
    uint32_t nspan;
    struct trod_span *span;
    uint32_t nthread;
    uint32_t *root_of_thread;
};

#endif
