/* emitted: macros for the code that the compiler emits (trod/rt.h), to test the runtime without the compiler.
 *
 *     FUNCTION(step, 4, 1)         a function with 4 paths: its table and its record, the
 *                                  name of which is a number instead of a hash
 *     SLOTTED(pick, 99, 2, uint32_t, 3, 1, 7, -1, 5)
 *                                  one with 99 paths, name 2, ids of 32 bits, 3 slots,
 *                                  counted as in enum trod_format_counted; the ids
 *     MET                          once, where untested paths are noted
 *     ENTER;  COUNT(step, i);      inside of a function: a path or a slot
 *     UNTESTED(pick, id);          likewise
 *     RECORDS                      once, where steps are recorded
 *     STEP(step, id);              inside of a function: its subpath ended
 */
#ifndef EMITTED_H
#define EMITTED_H

#include "trod/format.h"
#include "trod/rt.h"

/* C cannot initialise data with the distance between sections; assemblers can. */
#define TABLE_(ncounter, symbol) \
    uint64_t symbol[ncounter]    \
        __attribute__((visibility("hidden"), section("__trod_cnt"), aligned(8)))
#define LINE_(...) #__VA_ARGS__ "\n\t"
#define LINE(...) LINE_(__VA_ARGS__)
#define RECORD_(npath, name, table, ids, nslot, counted)                               \
    __asm__(".pushsection __trod_fn,\"a\",@progbits\n\t.balign 8\n\t" LINE(.quad name, \
        2, 3, npath) LINE(.quad table -.) LINE(.quad ids -.)                           \
            LINE(.long nslot, counted) ".popsection")
#define FUNCTION(fn, npath, name)       \
    TABLE_((npath) + 1, table_of_##fn); \
    RECORD_(npath, name, table_of_##fn, table_of_##fn, 0, 0)
#define SLOTTED(fn, npath, name, type, nslot, counted, ...)    \
    TABLE_((nslot) + 1, table_of_##fn);                        \
    const type ids_of_##fn[(nslot) + 1]                        \
        __attribute__((visibility("hidden"))) = {__VA_ARGS__}; \
    RECORD_(npath, name, table_of_##fn, ids_of_##fn, nslot, counted)
#define MET                                                 \
    struct trod_format_hashed __trod_hashed[TROD_RT_HASHED] \
        __attribute__((visibility("hidden"), section("__trod_cnt"), aligned(8)))

/* The compiler emits different code for shared libraries and for executables. */
#if defined(__PIC__) && !defined(__PIE__)
#define ENTER uintptr_t trod_base = in_table() ? in_table() : __trod_enter()
static inline uintptr_t in_table(void)
{
    char *pointer = __builtin_thread_pointer();

    return __trod_entry
               ? *(uintptr_t *)(*(uintptr_t *)(pointer + __trod_slot) + __trod_entry)
               : 0;
}
static const uint64_t *const own_is __attribute__((used)) = &__trod_entry;
#else
#define ENTER uintptr_t trod_base = __trod_thread ? __trod_thread : __trod_enter()
static const uint32_t *const own_is __attribute__((used)) = &__trod_link_with_trod_cc;
#endif
#define COUNT(fn, i) count(table_of_##fn + (i), trod_base)
#define UNTESTED(fn, id) __trod_untested(table_of_##fn, id)

#define RECORDS const uint32_t __trod_records __attribute__((visibility("hidden"))) = 1
#define STEP(fn, id) __trod_step(table_of_##fn + (id))

static inline void count(uint64_t *counter, uintptr_t base)
{
    ++*(volatile uint64_t *)((char *)counter + base - 1);
}

#ifndef MODE
#define MODE TROD_MODE_CODE
#endif
const uint32_t __trod_mode = MODE;

#endif
