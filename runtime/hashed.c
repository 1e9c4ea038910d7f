#include "runtime.h"

/* Entries probed before a table counts as full: most paths are found at the first probe, and
 * long probe sequences are slow.
 */
enum { PROBES = 64 };

static uint32_t nentry(void)
{
    return trod_is_there(&__trod_nhashed) ? __trod_nhashed : TROD_RT_HASHED;
}

static struct trod_format_hashed *table_at(uintptr_t base)
{
    return (struct trod_format_hashed *)((char *)__trod_hashed + (intptr_t)(base - 1));
}

/* Ids of one function are often neighbours: the product spreads them. */
static uint64_t first_probe(uint64_t function, uint64_t path)
{
    uint64_t x =
        (path + function * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd1342543de82ef95);

    return (x ^ x >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

/* Count the path in its entry or, if it may be added, in a free one. False if there is neither.
 *
 * The words of an entry are written in this order: function, path, count. The first claims the
 * entry, and it is valid only when the third is written. A signal handler that interrupts this
 * thread in between skips the incomplete entry. All accesses are atomic, because threads without
 * memory share an area, and because a thread created by clone may share everything with its
 * creator.
 */
static bool count_in(struct trod_format_hashed *hashed, uint64_t function,
    uint64_t path, uint64_t by, bool add)
{
    uint64_t at = first_probe(function, path), last = nentry() - 1, i;

    for (i = 0; i < PROBES; i++) {
        struct trod_format_hashed *entry = hashed + ((at + i) & last);
        uint64_t taken = __atomic_load_n(&entry->function, __ATOMIC_RELAXED);

        if (!taken) {
            if (!add)
                return false;
            if (__atomic_compare_exchange_n(&entry->function, &taken, function, false,
                    __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
                __atomic_store_n(&entry->path, path, __ATOMIC_RELEASE);
                __atomic_fetch_add(&entry->count, by, __ATOMIC_RELEASE);
                return true;
            }
        }
        if (taken == function &&
            __atomic_load_n(&entry->path, __ATOMIC_ACQUIRE) == path) {
            __atomic_fetch_add(&entry->count, by, __ATOMIC_RELAXED);
            return true;
        }
    }
    return false;
}

/* Searches the areas that the thread had before. Otherwise paths that do not fit one table would
 * fill one after another for as long as the program runs.
 */
static bool count_before(uintptr_t base, uint64_t function, uint64_t path, uint64_t by)
{
    struct trod_area *area = __trod_area_of(base);

    while (area && (area = area->before)) {
        if (count_in(table_at(__trod_area_base(area)), function, path, by, false))
            return true;
    }
    return false;
}

static void note_unrecorded(void)
{
    struct trod_os_calm calm;
    int fd;

    if (atomic_load(&__trod_profile.state) == TROD_CLOSED ||
        atomic_fetch_add(&__trod_profile.nunrecorded, 1))
        return;
    __trod_os_calm(&calm);
    fd = __trod_ready() ? __trod_borrow() : -1;
    __trod_note(TROD_NOTE_UNRECORDED, fd, 0);
    if (fd >= 0)
        __trod_give_fd(fd);
    __trod_os_resume(&calm);
}

/* For a path that is not in the first entry of its probe sequence. */
static __attribute__((noinline)) void count_slow(
    uint64_t function, uint64_t path, uint64_t by)
{
    uintptr_t base;

    do {
        base = __trod_self();
        if (count_in(table_at(base), function, path, by, false) ||
            count_before(base, function, path, by) ||
            count_in(table_at(base), function, path, by, true))
            return;
        /* Once memory is exhausted, do not try again: the counts are too low anyway. */
    } while (!atomic_load(&__trod_profile.nunrecorded) && __trod_go_on(base));
    note_unrecorded();
}

/* cost: 37 instructions if the path is in the first entry that is probed */
void __trod_untested(const uint64_t *table, uint64_t path)
{
    uint64_t function =
        ((uintptr_t)table - (uintptr_t)__start___trod_cnt) / sizeof *table + 1;
    uintptr_t base = trod_own()->emitted.thread;

    path++;
    if (base) {
        struct trod_format_hashed *entry =
            table_at(base) + (first_probe(function, path) & (nentry() - 1));

        if (__atomic_load_n(&entry->function, __ATOMIC_RELAXED) == function &&
            __atomic_load_n(&entry->path, __ATOMIC_ACQUIRE) == path) {
            __atomic_fetch_add(&entry->count, 1, __ATOMIC_RELAXED);
            return;
        }
    }
    count_slow(function, path, 1);
}

void __trod_count_hashed(const uint64_t *table, uint64_t id, uint64_t by)
{
    count_slow(((uintptr_t)table - (uintptr_t)__start___trod_cnt) / sizeof *table + 1,
        id + 1, by);
}

#ifdef __x86_64__
/* Like __trod_enter_most, but also preserves rax. Eight pushes and one more word align the stack.
 */
__asm__(".pushsection .text\n\t"
        ".p2align 4\n\t"
        ".globl __trod_untested_most\n\t"
        ".hidden __trod_untested_most\n\t"
        ".type __trod_untested_most, @function\n"
        "__trod_untested_most:\n\t"
        ".cfi_startproc\n\t"
        "push %rax\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %rcx\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %rdx\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %rsi\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %rdi\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %r8\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %r9\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %r10\n\t.cfi_adjust_cfa_offset 8\n\t"
        "sub $8, %rsp\n\t.cfi_adjust_cfa_offset 8\n\t"
        "call __trod_untested\n\t"
        "add $8, %rsp\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %r10\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %r9\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %r8\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rdi\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rsi\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rdx\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rcx\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rax\n\t.cfi_adjust_cfa_offset -8\n\t"
        "ret\n\t"
        ".cfi_endproc\n\t"
        ".size __trod_untested_most, . - __trod_untested_most\n\t"
        ".popsection");
#endif
