/* emitted: by hand what the compiler emits (trod/rt.h), for tests of the runtime without it.
 *
 *     FUNCTION(step, 4, 1)         a function with 4 paths: its table and its record, the
 *                                  name of which is a number instead of a hash
 *     ENTER;  COUNT(step, i);      inside of it
 */
#ifndef EMITTED_H
#define EMITTED_H

#include "trod/format.h"
#include "trod/rt.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* A distance between sections is nothing that C could initialise with; assemblers can. */
#define FUNCTION_(n, name, symbol)                                                \
    uint64_t symbol[(n) + 1]                                                      \
        __attribute__((visibility("hidden"), section("__trod_cnt"), aligned(8))); \
    __asm__(                                                                      \
        ".pushsection __trod_fn,\"a\",@progbits\n\t"                              \
        ".balign 8\n\t"                                                           \
        ".quad " TEXT(name) ", 2, 3, " TEXT(n) "\n\t"                             \
                                               ".quad " TEXT(symbol) " - .\n\t"   \
                                                                     ".popsection")
#define FUNCTION(fn, n, name) FUNCTION_(n, name, table_of_##fn)

#define ENTER uintptr_t trod_base = __trod_thread ? __trod_thread : __trod_enter()
#define COUNT(fn, i) count(table_of_##fn + (i), trod_base)

static inline void count(uint64_t *counter, uintptr_t base)
{
    ++*(volatile uint64_t *)((char *)counter + base - 1);
}

const uint32_t __trod_mode = TROD_MODE_CODE;

#endif
