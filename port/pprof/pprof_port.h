/* pprof: profiles for the pprof tool and others that read its format, by protobuf-c.
 *
 *     exported -> stacks -> profile.proto -> gzip
 *
 * A path is a sample. Its blocks are a stack of locations, each with its function and first line;
 * the block where the path ended is the innermost. So `cum` of a function, line or location is the
 * number of paths through it, and `flat` the number of paths that end there. The output is
 * deterministic.
 *
 * Most views distinguish frames by function name only, not by line. For these, blocks are functions
 * of their own, below the function of the path.
 */
#ifndef TROD_PPROF_PORT_H
#define TROD_PPROF_PORT_H

#include "export/export.h"

/* The last entry has no name. */
extern const struct trod_export_format trod_pprof_formats[];

#endif
