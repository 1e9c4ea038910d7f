/* lift: what ran of machine code, as functions, graphs and paths.
 *
 *     codes, paths counted by address -> functions -> graphs, numberings -> a profile and its map
 *
 * So that whatever reads profiles reads those of programs that nobody compiled anew.
 *
 * Glossary
 *   seen   what an emulator saw of one process: images, codes, paths with counts
 */
#ifndef TROD_LIFT_H
#define TROD_LIFT_H

#include "branch/branch.h"
#include "model/model.h"

struct trod_seen_path {
    struct trod_descriptor path;
    uint64_t count;
    uint64_t ninsn; /* instructions, of all times it ran */
};

struct trod_seen {
    const char *program; /* file */
    uint64_t start;      /* seconds since 1970 */
    uint32_t pid;
    bool whole; /* the process came to its end, and nothing was left out */
    const struct trod_image *image;
    uint32_t nimage;
    const struct trod_code *code;
    uint32_t ncode;
    const struct trod_seen_path *path;
    uint64_t npath;
    uint64_t nrun, ninsn, nodd;
};

#endif
