/* graphviz: pictures, by the program `dot`.
 *
 *     DOT -> dot -Tsvg -> SVG
 *     many DOTs -> dot -Tplain -> layout of each
 *
 * The library prints DOT, and dot lays it out. It runs as a child process, connected by one socket
 * that is written and read at the same time, so that there is no deadlock.
 */
#ifndef TROD_GRAPHVIZ_H
#define TROD_GRAPHVIZ_H

#include "base/base.h"

/* Lay out one drawing and write the SVG to a sink. Messages of dot go to standard error. Bytes are
 * written as they arrive, so a failure may follow them.
 *
 * fails:  TROD_E_SYSTEM if there is no dot, or it fails
 */
bool trod_graphviz_svg(struct trod_sink *sink, const char *dot, size_t length,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- graphviz_plain.c: many drawings, one dot ------------------------------------------------------------------ */

struct trod_graphviz_many {
    uint32_t count;
    /* put: the DOT of a drawing. take: the output of `dot -Tplain` for it, in the same order;
     * length 0: it took too long, or dot crashed. Drawings for which there was no time are not
     * passed to take.
     */
    void (*put)(void *ctx, uint32_t number, struct trod_sink *sink);
    void (*take)(void *ctx, uint32_t number, const char *plain, size_t length);
    void *ctx;
    int patience; /* timeout of each drawing, in milliseconds; 0: 10000 */
    int64_t most; /* timeout of all of them, in milliseconds; 0: none */
};

/* Lay out all drawings with one dot process. If one takes too long, it is skipped and a new process
 * continues with the next.
 *
 * fails:  TROD_E_SYSTEM if there is no dot, or it fails at three drawings in a row, or at all of
 *         them; what was taken remains valid
 */
bool trod_graphviz_plain(const struct trod_graphviz_many *many, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
