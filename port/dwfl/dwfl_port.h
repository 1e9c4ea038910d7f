/* dwfl_port: symbols, lines and code of files, through elfutils: libdwfl, libdw, libelf.
 *
 * A file is opened when something of it is asked for the first time, with its debug information: in itself, in a
 * file that .gnu_debuglink names, or in one found by build id. One that is gone, or is another build than
 * the one that ran, is passed over: its functions have no names.
 */
#ifndef TROD_DWFL_PORT_H
#define TROD_DWFL_PORT_H

#include "lift/lift.h"

struct trod_dwfl;

/* Opens nothing yet. */
struct trod_dwfl *trod_dwfl_open(struct trod_arena *mem);
void trod_dwfl_close(struct trod_dwfl *dwfl);

/* What it hands out lives until it is closed. */
void trod_dwfl_files(struct trod_lift_files *out, struct trod_dwfl *dwfl);

/* Call fn for each file that was asked for and could not be used, with the reason. */
void trod_dwfl_each_missing(const struct trod_dwfl *dwfl,
    void (*fn)(void *ctx, const char *path, const char *why), void *ctx);

/* --- frame_places.c: functions and lines of return addresses ---------------------------------- */

struct trod_dwfl_call {
    const char *function; /* linkage name */
    const char *unit;     /* source as the compiler was given it; NULL: unknown */
    uint32_t line;        /* of the call; 0: unknown */
};

struct trod_dwfl_frames;

/* NULL: the file cannot be read, or is another build. */
struct trod_dwfl_frames *trod_dwfl_frames_open(
    const char *path, const char *build_id, struct trod_arena *mem);
void trod_dwfl_frames_close(struct trod_dwfl_frames *frames);

/* The call before a return address, counted from the first byte of the image in memory: of the function itself and of
 * those it was inlined into, innermost first. How many; 0 without debug information.
 */
size_t trod_dwfl_calls(
    struct trod_dwfl_call **out, struct trod_dwfl_frames *frames, uint64_t offset);

/* --- plt_names.c: stubs of calls into other files -------------------------------------------- */

struct trod_dwfl_stub {
    uint64_t address, size;
    const char *name;
};

/* Stubs by what they jump through, and the names that relocations have for that.
 *
 * needs:  an Elf of libelf
 */
void trod_dwfl_stubs(
    struct trod_dwfl_stub **out, size_t *count, void *elf, struct trod_arena *mem);

#endif
