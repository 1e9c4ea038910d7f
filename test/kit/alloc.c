#include "kit/kit.h"

#include "base/base.h"

static void back_to_kit(void *ctx)
{
    jmp_buf *back = ctx;

    longjmp(*back, 1);
}

/* True when fn got to its end with the nth allocation set to fail. */
static bool completes(
    uint64_t nth, void (*fn)(struct trod_arena *mem, void *ctx), void *ctx)
{
    /* Volatile and static storage: both must survive the jump. */
    static struct trod_arena mem;
    static jmp_buf back;
    volatile bool completed = false;

    trod_arena_init(&mem, back_to_kit, &back);
    trod_arena_fail_at(&mem, nth);
    if (setjmp(back) == 0) {
        fn(&mem, ctx);
        completed = true;
    }
    trod_arena_free(&mem);
    return completed;
}

size_t kit_each_allocation_failure(
    void (*fn)(struct trod_arena *mem, void *ctx), void *ctx)
{
    size_t before = trod_arena_chunks();
    size_t nfailure = 0;

    while (!completes(nfailure + 1, fn, ctx)) {
        nfailure++;
        assert_int_equal(trod_arena_chunks(), before);
    }
    assert_int_equal(trod_arena_chunks(), before);
    return nfailure;
}
