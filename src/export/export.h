/* export: profiles for other tools.
 *
 *     profile + map + flows -> whatever another tool reads
 *
 * One file here for each format that is text, one under port/ for each that needs a library. What each says of paths is in
 * doc/export.md, with the tool that it was checked with.
 *
 * Glossary
 *   format   a word, what reads it, and a function that prints it
 *   exported what is to be printed: a profile, and what was derived of it
 */
#ifndef TROD_EXPORT_H
#define TROD_EXPORT_H

#include "flow/flow.h"

struct trod_exported {
    const struct trod_profile *profile;
    const struct trod_map *map;
    const struct trod_flows *flows;
    const struct trod_flow_source *source; /* by name */
    size_t nsource;
    const char *version;                            /* of trod */
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
    uint64_t most; /* paths, where a format is of some; 0: its own choice */
};

struct trod_export_format {
    const char *name;
    const char *summary; /* what it is, and what reads it */
    bool binary;         /* it is no text: not for a terminal */
    bool (*put)(struct trod_sink *sink, const struct trod_exported *in,
        struct trod_arena *mem, struct trod_err *err);
};

/* Those of this folder; ends with an entry without a name. */
extern const struct trod_export_format trod_export_formats[];

#endif
