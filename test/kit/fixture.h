/* What unit tests with an arena and an error share: `have`, made anew for each test by set_up and
 * tear_down, and must(), which fails the test with the error's words.
 */
#ifndef KIT_FIXTURE_H
#define KIT_FIXTURE_H

#include "kit/kit.h"

#include <stdlib.h>

#include "base/base.h"

static struct {
    struct trod_arena mem;
    struct trod_err err;
} have;

static inline void die(void *ctx)
{
    (void)ctx;
    abort();
}

static inline int set_up(void **state)
{
    (void)state;
    trod_arena_init(&have.mem, die, NULL);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    trod_arena_free(&have.mem);
    return 0;
}

static inline void must(bool ok)
{
    if (!ok)
        fail_msg("%s", have.err.text);
}

#endif
