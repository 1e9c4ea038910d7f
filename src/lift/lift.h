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
    bool
        cut; /* it did not come to its end: its function was left somewhere behind its last outcome */
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

/* --- lift_text.c: what was seen, as text ------------------------------------------------
 *
 *     seen 1 /bin/true 4711 1700000000 whole      # version, program, pid, start; or part
 *     image 0 "/bin/true" 3e7a 0x401000 0x409000 0x1000   # build id, addresses, offset in the file
 *     image 1 - - 0x7000 0x8000 0x0               # no file, no build id
 *     code 0x401000 0x401004 0x401006 if 0x401020 3       # first, last, behind, kind, target, instructions
 *     code 0x401006 0x401006 0x401007 return 0x0 1
 *     path 0x401000 0x401000 0 12 48              # function, start, outcomes, count, instructions
 *     path 0x401000 0x401006 - 1 1                # no branch with an outcome
 *     cut 0x401000 0x401000 - 1 2                 # the same, of a path that did not come to its end
 *     total 24 49 0                               # runs, instructions, odd runs
 *
 * The total is the last line, so that what was cut off can be told.
 */

/* All of it, or piece by piece, in this order: who has it in tables of its own prints these. */
void trod_seen_print(struct trod_sink *sink, const struct trod_seen *seen);
void trod_seen_print_head(struct trod_sink *sink, const struct trod_seen *seen);
void trod_seen_print_image(
    struct trod_sink *sink, uint32_t number, const struct trod_image *image);
void trod_seen_print_code(struct trod_sink *sink, const struct trod_code *code);
void trod_seen_print_path(struct trod_sink *sink, const struct trod_seen_path *path);
void trod_seen_print_total(struct trod_sink *sink, const struct trod_seen *seen);

/* Lines between head and total may be in any order; numbers of images and codes are those of
 * their lines.
 *
 * fails:  TROD_E_INPUT, with file, line and remedy
 * cost:   O(bytes)
 */
bool trod_seen_parse(struct trod_seen *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* none, if, jump, indirect, call, call-indirect, return; "?" for what is none. */
const char *trod_seen_kind_name(uint8_t kind);

/* --- lift_check.c: everything that must hold --------------------------------------------- */

/* What is wrong with one, or NULL. */
const char *trod_seen_image_fault(const struct trod_image *image);
const char *trod_seen_code_fault(const struct trod_code *code);
const char *trod_seen_path_fault(const struct trod_seen_path *path);

/* Invariants: addresses of an image ascend, so do those of a code; only direct branches have a
 * target, a code has instructions and its place as number; a path has a count, and no bits behind
 * its outcomes.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_seen_check(
    const struct trod_seen *seen, struct trod_err *err) TROD_MUST_CHECK;

#endif
