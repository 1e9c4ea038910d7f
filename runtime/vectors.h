/* vectors: calls out of code that must leave vector registers as they are. */
#ifndef TROD_VECTORS_H
#define TROD_VECTORS_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Call it, and leave vector registers as they were. */
uint64_t __trod_vectors_kept(uint64_t (*call)(void *), void *with);

#pragma GCC visibility pop

#endif
