/* dwfl_port: symbols, lines and code of files, through elfutils: libdwfl, libdw, libelf.
 *
 * A file is opened on the first request, with its debug information: its own, that of the file
 * named by .gnu_debuglink, or that found by build id. A file that is missing, or that is another
 * build than the one that ran, is skipped: its functions have no names.
 */
#ifndef TROD_DWFL_PORT_H
#define TROD_DWFL_PORT_H

#include "lift/lift.h"

struct trod_dwfl;

/* Does not open files yet. */
struct trod_dwfl *trod_dwfl_open(struct trod_arena *mem);
void trod_dwfl_close(struct trod_dwfl *dwfl);

/* The results are valid until it is closed. */
void trod_dwfl_files(struct trod_lift_files *out, struct trod_dwfl *dwfl);

/* Call fn for each requested file that could not be used, with the reason. */
void trod_dwfl_each_missing(const struct trod_dwfl *dwfl,
    void (*fn)(void *ctx, const char *path, const char *why), void *ctx);

/* --- frame_places.c: functions and lines of return addresses ---------------------------------- */

struct trod_dwfl_call {
    const char *function; /* linkage name */
    const char *unit;     /* source file as given to the compiler; NULL: unknown */
    uint32_t line;        /* of the call; 0: unknown */
};

struct trod_dwfl_frames;

/* NULL: the file cannot be read, or is another build. */
struct trod_dwfl_frames *trod_dwfl_frames_open(
    const char *path, const char *build_id, struct trod_arena *mem);
void trod_dwfl_frames_close(struct trod_dwfl_frames *frames);

/* The call before a return address, given as an offset in the image: in the function itself and in
 * those it was inlined into, innermost first. Returns their number; 0 without debug information.
 */
size_t trod_dwfl_calls(
    struct trod_dwfl_call **out, struct trod_dwfl_frames *frames, uint64_t offset);

/* --- plt_names.c: PLT stubs ------------------------------------------------------------------ */

struct trod_dwfl_stub {
    uint64_t address, size;
    const char *name;
};

/* The stubs of the PLT, named by the relocations of the slots that they jump through.
 *
 * needs:  an Elf of libelf
 */
void trod_dwfl_stubs(
    struct trod_dwfl_stub **out, size_t *count, void *elf, struct trod_arena *mem);

#endif
