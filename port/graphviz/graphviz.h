/* graphviz: pictures, by the program `dot`.
 *
 *     DOT -> dot -Tsvg -> SVG
 *     many DOTs -> dot -Tplain -> where everything is, one by one
 *
 * The library prints DOT; laying it out is left to the program that does it best. It is
 * run as a child and spoken to over one socket, written and read at the same time, so
 * that neither side can wait for the other for ever.
 */
#ifndef TROD_GRAPHVIZ_H
#define TROD_GRAPHVIZ_H

#include "base/base.h"

/* Lay out one drawing and hand the SVG to a sink. What dot has to say goes to our
 * standard error. The sink gets its bytes as they come: a failure may follow them.
 *
 * fails:  TROD_E_SYSTEM when there is no dot, or it fails
 */
bool trod_graphviz_svg(struct trod_sink *sink, const char *dot, size_t length,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- graphviz_plain.c: many drawings, one dot ------------------------------------------------------------------ */

struct trod_graphviz_many {
    uint32_t count;
    /* The DOT of one of them; and what `dot -Tplain` says of it, in their order. Length 0: it took too long, or dot
     * fell over it. Those that there was no time for are not taken.
     */
    void (*put)(void *ctx, uint32_t number, struct trod_sink *sink);
    void (*take)(void *ctx, uint32_t number, const char *plain, size_t length);
    void *ctx;
    int patience; /* milliseconds for each; 0: 10000 */
    int64_t most; /* milliseconds for all; 0: as long as it takes */
};

/* One dot lays out all of them, one after the other. One that takes too long is given up, and another dot continues after
 * it.
 *
 * fails:  TROD_E_SYSTEM when there is no dot, or it fails at three of them in a row, or at all; what was
 *         taken stays
 */
bool trod_graphviz_plain(const struct trod_graphviz_many *many, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
