/* What properties of profiles share: an arena and an error for one run of a property. It begins
 * with begin(&s), and ends with `return end(&s, holds)`.
 */
#ifndef PROP_SCRATCH_H
#define PROP_SCRATCH_H

#include <stdlib.h>

#include "base/base.h"
#include "kit/kit.h"

struct sample {
    struct trod_arena mem;
    struct trod_err err;
};

static inline void exhausted(void *ctx)
{
    (void)ctx;
    abort();
}

static inline void begin(struct sample *s)
{
    trod_arena_init(&s->mem, exhausted, NULL);
    s->err.text[0] = '\0';
}

static inline bool end(struct sample *s, bool holds)
{
    trod_arena_free(&s->mem);
    return holds;
}

/* Choices of a property, for what takes them from anywhere. */
static inline uint64_t draw(void *p, uint64_t bound)
{
    return kit_draw(p, bound);
}

#endif
