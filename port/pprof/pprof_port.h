/* pprof: profiles for the pprof tool and what else reads its format, by protobuf-c.
 *
 *     exported -> stacks -> profile.proto -> gzip
 *
 * A path is a sample: its blocks are a stack of locations, each with the function it is in and its first line; the block
 * where the path ended is the innermost. So a function, a line or a location has as `cum` how many paths went through it,
 * and as `flat` how many ended there. The same profile makes the same bytes.
 *
 * Most views distinguish frames by function names alone, not by lines: for these, blocks are functions of
 * their own, below the function that the path is of.
 */
#ifndef TROD_PPROF_PORT_H
#define TROD_PPROF_PORT_H

#include "export/export.h"

/* Ends with an entry without a name. */
extern const struct trod_export_format trod_pprof_formats[];

#endif
