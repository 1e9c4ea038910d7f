/* refs: references and allocations on their way into the profile.
 *
 *     __trod_refs_burst, __trod_refs_add (burst.c), heap.c -> chunk -> REFS sections
 *
 * Only in programs whose data streams are sampled.
 *
 * Glossary
 *   chunk   a REFS section that is mapped and written to. When it is full another takes its place in
 *           memory, until there are as many as may be.
 *   order   how many allocations and frees there were before in the process
 *
 * A struct trod_refs that is all zeros is one that nothing was put into. Whoever has it sees to it that
 * one thread at a time uses it, and that no handler does in the middle of that. refs.c keeps to general
 * registers, and leaves vectors as they are.
 */
#ifndef TROD_REFS_H
#define TROD_REFS_H

#include "runtime.h"

#pragma GCC visibility push(hidden)

enum { TROD_REFS_CHUNK = 64 * 1024 }; /* bytes of a section, or a page */

struct trod_refs {
    uint8_t *at, *end;             /* what is free of the chunk */
    uint8_t *bytes;                /* its first */
    struct trod_format_refs *live; /* NULL: there was none yet */
    uint64_t site;                 /* the last */
    uint64_t order;                /* the last */
    uint64_t address;              /* the last of an allocation */
    uint64_t last[TROD_REFS_LAST];
    const struct trod_format_burst *how; /* or NULL: weights are 1 */
    uint32_t thread;
    uint32_t npart;
    uintptr_t low, size, pointer; /* of the thread: stack, thread pointer */
    bool in_burst;
    bool has_thread; /* what is written is a thread's */
    bool known;      /* where its stack is */
    bool heap;       /* it is allocations */
    bool stopped;    /* there is no room for more, ever */
};

/* Orders given out so far; and how often references were found to come behind new ones, which changes
 * before any that is of an object that was new.
 */
extern _Atomic uint64_t __trod_refs_order, __trod_refs_epoch;

/* Bytes that all chunks of a process may take, 256 MiB unless said; allocations half of it. 0: there are
 * no references, and allocations are not noted.
 */
void __trod_refs_most(uint64_t bytes);
extern bool __trod_refs_wanted;

/* From now on what is added is of this thread, whose BURST is how (or NULL): at first, and when it
 * was another's, who is gone.
 */
void __trod_refs_adopt(
    struct trod_refs *r, uint32_t thread, const struct trod_format_burst *how);

/* A burst begins here: what follows, up to the next, is contiguous. */
void __trod_refs_burst(struct trod_refs *r);
void __trod_refs_add(struct trod_refs *r, uint32_t site, uintptr_t address);

/* Of allocations; order is one that was given out for it. */
void __trod_refs_made(struct trod_refs *r, uint64_t order, uint32_t site,
    uint64_t number, uintptr_t address, uint64_t size);
void __trod_refs_gone(struct trod_refs *r, uint64_t order, uintptr_t address);
void __trod_refs_site(struct trod_refs *r, uint32_t site, uint32_t line,
    uint32_t column, const char *file, const char *function);

/* heap.c: write what the thread keeps back; a null pointer where nothing is. */
void __trod_heap_flush(void) __attribute__((weak));

/* In a child of fork: chunks are the parent's. Of the process; and of one that the child goes back to the
 * middle of, for nothing.
 */
void __trod_refs_forked(void);
void __trod_refs_detach(struct trod_refs *r);

#pragma GCC visibility pop

#endif
