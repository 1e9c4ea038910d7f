/* graphviz: pictures, by the program `dot`.
 *
 *     DOT -> dot -Tsvg -> SVG
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

#endif
