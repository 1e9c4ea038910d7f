/* refs: references and allocations on their way into the profile.
 *
 *     __trod_refs_burst, __trod_refs_add (burst.c), heap.c -> chunk -> REFS sections
 *
 * Linked only into programs whose data streams are sampled.
 *
 * Glossary
 *   chunk   a REFS section that is mapped and written to. When it is full, another replaces it in
 *           memory, up to the limit on chunks.
 *   order   the number of earlier allocations and frees in the process
 *
 * A struct trod_refs that is all zeros is empty. The caller ensures that
 * one thread at a time uses it, and no signal handler in between. refs.c uses only general
 * registers and preserves vector registers.
 */
#ifndef TROD_REFS_H
#define TROD_REFS_H

#include "runtime.h"

#pragma GCC visibility push(hidden)

enum { TROD_REFS_CHUNK = 64 * 1024 }; /* bytes of a section, or a page */

struct trod_refs {
    uint8_t *at, *end;             /* the free part of the chunk */
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
    bool has_thread; /* references of a thread are written */
    bool known;      /* its stack is known */
    bool heap;       /* allocations are written */
    bool stopped;    /* no more records are written */
};

/* Number of orders assigned so far; and an epoch that changes before the first reference to a new object
 * is recorded.
 */
extern _Atomic uint64_t __trod_refs_order, __trod_refs_epoch;

/* Limit on the bytes of all chunks of a process, 256 MiB by default; allocations may use half of it. 0: there are
 * no references, and allocations are not recorded.
 */
void __trod_refs_most(uint64_t bytes);
extern bool __trod_refs_wanted;

/* From now on, records belong to this thread, whose BURST section is how (or NULL): initially, and when the thread takes
 * the struct over from one that has ended.
 */
void __trod_refs_adopt(
    struct trod_refs *r, uint32_t thread, const struct trod_format_burst *how);

/* A burst begins: references up to the next burst are consecutive. */
void __trod_refs_burst(struct trod_refs *r);
void __trod_refs_add(struct trod_refs *r, uint32_t site, uintptr_t address);

/* For allocations; order was assigned to it. */
void __trod_refs_made(struct trod_refs *r, uint64_t order, uint32_t site,
    uint64_t number, uintptr_t address, uint64_t size);
void __trod_refs_gone(struct trod_refs *r, uint64_t order, uintptr_t address);
void __trod_refs_site(struct trod_refs *r, uint32_t site, uint32_t line,
    uint32_t column, const char *file, const char *function);

/* heap.c: write the thread's buffered allocations; null if the part is not linked. */
void __trod_heap_flush(void) __attribute__((weak));

/* In a child of fork, whose chunks are the parent's: for the process; and for a struct that an interrupted call
 * still uses, whose records are discarded.
 */
void __trod_refs_forked(void);
void __trod_refs_detach(struct trod_refs *r);

#pragma GCC visibility pop

#endif
