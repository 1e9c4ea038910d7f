#include "runtime.h"

/* --- the process ------------------------------------------------------------------ */

/* A thread that comes to wait after this looked for one finds the state changed, and does not sleep. */
void __trod_started(bool open)
{
    atomic_store(&__trod_profile.state, open ? TROD_OPEN : TROD_FAILED);
    if (atomic_load(&__trod_profile.nwaiting))
        __trod_os_wake(&__trod_profile.state);
}

/* False after about a second. */
static bool wait_for_start(void)
{
    bool in_time;

    atomic_fetch_add(&__trod_profile.nwaiting, 1);
    in_time = __trod_os_wait(&__trod_profile.state, TROD_STARTING);
    atomic_fetch_sub(&__trod_profile.nwaiting, 1);
    return in_time;
}

/* The thread that starts the profile is calm: no signal handler of the program can run in it, wait
 * for it or jump out of it. If it does not finish within a second (a slow network, a vfork child
 * killed meanwhile), the counts of other threads stay in memory, where they are as exact.
 */
bool __trod_ready(void)
{
    for (;;) {
        uint32_t state = atomic_load(&__trod_profile.state);

        if (state == TROD_NONE) {
            bool open;

            if (!atomic_compare_exchange_strong(
                    &__trod_profile.state, &state, TROD_STARTING))
                continue;
            open = __trod_start();
            __trod_started(open);
            return open;
        }
        if (state != TROD_STARTING)
            return state == TROD_OPEN;
        if (!wait_for_start())
            return false;
    }
}

/* --- the thread ------------------------------------------------------------------- */

static void set_thread(struct trod_own *own, uintptr_t base)
{
    own->emitted.thread = base;
    __trod_own_publish(own);
}

static uintptr_t find_counters(const struct trod_own *own)
{
    bool open = __trod_ready();
    struct trod_area *area;
    int fd;

    if (atomic_load(&__trod_profile.state) == TROD_CLOSED)
        return 1; /* later counts will not be read */
    area = own->shared ? NULL : __trod_area_claim(open, NULL);
    if (area)
        return __trod_area_base(area);
    atomic_store(&__trod_profile.counts_in_section, true);
    fd = open ? __trod_borrow() : -1;
    __trod_note(TROD_NOTE_SHARED, fd, 0);
    if (fd >= 0)
        __trod_give_fd(fd);
    return 1;
}

/* cost: once for each thread. About 5 system calls if it takes over an area, 15 if it gets a new
 * one; the first thread of a process some 40, and the writing of MODULE; 13 if it joins the file of others
 */
uintptr_t __trod_enter(void)
{
    struct trod_os_calm calm;
    struct trod_own *own;
    uintptr_t base;

    __trod_os_calm(&calm);
    atomic_fetch_add(&__trod_profile.nentering, 1);
    /* A signal handler may have done this between the caller's check and the calm. */
    own = trod_own();
    base = own->emitted.thread;
    if (!base)
        base = find_counters(own);
    set_thread(own, base);
    atomic_fetch_sub(&__trod_profile.nentering, 1);
    __trod_os_resume(&calm);
    return base;
}

bool __trod_go_on(uintptr_t base)
{
    struct trod_os_calm calm;
    struct trod_own *own;
    bool gone;

    __trod_os_calm(&calm);
    atomic_fetch_add(&__trod_profile.nentering, 1);
    /* Unless a signal handler did so before the calm. */
    own = trod_own();
    gone = own->emitted.thread != base;
    if (!gone && !own->shared && atomic_load(&__trod_profile.state) != TROD_CLOSED) {
        struct trod_area *area =
            __trod_area_claim(__trod_ready(), __trod_area_of(base));

        if (area) {
            set_thread(own, __trod_area_base(area));
            gone = true;
        }
    }
    atomic_fetch_sub(&__trod_profile.nentering, 1);
    __trod_os_resume(&calm);
    return gone;
}

#ifdef __x86_64__
/* The same for callers that keep their arguments in registers: it preserves all general registers
 * except rax and r11 (LLVM's preserve_most), so that callers need not save anything for a call that
 * is rarely made. Seven pushes align the stack.
 */
__asm__(".pushsection .text\n\t"
        ".p2align 4\n\t"
        ".globl __trod_enter_most\n\t"
        ".hidden __trod_enter_most\n\t"
        ".type __trod_enter_most, @function\n"
        "__trod_enter_most:\n\t"
        ".cfi_startproc\n\t"
        "push %rcx\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %rdx\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %rsi\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %rdi\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %r8\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %r9\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %r10\n\t.cfi_adjust_cfa_offset 8\n\t"
        "call __trod_enter\n\t"
        "pop %r10\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %r9\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %r8\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rdi\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rsi\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rdx\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rcx\n\t.cfi_adjust_cfa_offset -8\n\t"
        "ret\n\t"
        ".cfi_endproc\n\t"
        ".size __trod_enter_most, . - __trod_enter_most\n\t"
        ".popsection");
#endif

void __trod_count_rare(uint64_t *counter)
{
    __trod_count(__trod_self(), counter, 0, 1);
}

uintptr_t __trod_self(void)
{
    uintptr_t base = trod_own()->emitted.thread;

    return base ? base : __trod_enter();
}

void __trod_put_cell(uintptr_t thread, uint64_t *table, uint64_t index, uint64_t value)
{
    uint64_t *cell = (uint64_t *)(uintptr_t)((uintptr_t)(table + index) + thread - 1);

    *(volatile uint64_t *)cell = value;
}

void __trod_count(uintptr_t thread, uint64_t *table, uint64_t index, uint64_t by)
{
    uint64_t *counter = (uint64_t *)((char *)&table[index] + (intptr_t)(thread - 1));

    *counter += by;
}

/* --- fork ------------------------------------------------------------------------- */

static void clear_section(void)
{
    volatile uint64_t *counter = __start___trod_cnt;
    uint64_t i;

    for (i = 0; i < trod_payload() / sizeof *counter; i++)
        counter[i] = 0;
}

/* Has this image anything to do in the parent? */
static bool acts_in_parent(void)
{
    return trod_is_there(&__trod_records) || trod_is_there(__trod_online) ||
           trod_is_there(__trod_burst);
}

void __trod_before_fork(void)
{
    struct trod_os_calm calm;

    if (!acts_in_parent())
        return;

    __trod_os_calm(&calm);
    trod_call(__trod_record_before_fork);
    trod_call(__trod_online_before_fork);
    trod_call(__trod_burst_before_fork);
    __trod_os_resume(&calm);
}

void __trod_after_fork(void)
{
    struct trod_os_calm calm;

    if (!acts_in_parent())
        return;
    __trod_os_calm(&calm);
    trod_call(__trod_record_after_fork);
    trod_call(__trod_online_after_fork);
    trod_call(__trod_burst_after_fork);
    __trod_os_resume(&calm);
}

/* In a child of fork: as if nothing had been counted, but all addresses stay valid. Other threads
 * may have been interrupted anywhere, so none of their state is trusted.
 */
void __trod_forked(void)
{
    struct trod_own *own = trod_own();
    uintptr_t base = own->emitted.thread;
    struct trod_area *mine = __trod_area_of(base), *area;
    bool open = false, recorded = own->recorder != NULL;
    bool shared =
        __trod_profile.shared && atomic_load(&__trod_profile.state) == TROD_OPEN;
    struct trod_os_time now = __trod_os_clock();
    struct trod_os_calm calm;

    __trod_os_calm(&calm);
    __trod_own_fork();
    if (!shared) {
        __trod_drop_fd();
        __trod_shared_close();
    }
    __trod_drop_kept();
    atomic_store(&__trod_profile.nthread, 0);
    atomic_store(&__trod_profile.said, 0);
    atomic_store(&__trod_profile.nentering, 0);
    atomic_store(&__trod_profile.nwaiting, 0);
    atomic_store(&__trod_profile.nunrecorded, 0);
    atomic_store(&__trod_profile.nrecorded, 0);
    atomic_store(&__trod_profile.npart, 0);
    atomic_store(&__trod_profile.ntaken, 0);
    atomic_store(&__trod_profile.ngiven, 0);
    __trod_profile.parent = __trod_profile.pid;
    __trod_profile.pid = __trod_os_pid();
    __trod_profile.clock = now;
    __trod_profile.forked = true;
    if (atomic_exchange(&__trod_profile.counts_in_section, base == 1))
        clear_section();
    __trod_area_fork(mine);
    trod_call(__trod_record_fork);
    trod_call(__trod_online_fork);
    trod_call(__trod_burst_fork);
    trod_call(__trod_heap_fork);
    trod_call(__trod_control_fork);
    /* A file that processes share is also the child's. */
    if (shared)
        __trod_shared_forked();
    else if (atomic_load(&__trod_profile.state) != TROD_CLOSED)
        atomic_store(&__trod_profile.state, TROD_NONE);
    if (base)
        open = __trod_ready();
    for (area = mine; area; area = area->before)
        __trod_area_attach(area, open);
    __trod_os_resume(&calm);
    if (recorded)
        __trod_record_enter();
}

/* --- functions for programs ------------------------------------------------------- */

int trod_rt_sync(void)
{
    struct trod_os_calm calm;
    bool whole = false;
    int fd;

    __trod_os_calm(&calm);
    if (atomic_load(&__trod_profile.state) == TROD_OPEN) {
        whole = __trod_area_flush() &&
                (!trod_is_there(__trod_record_flush) || __trod_record_flush());
        fd = __trod_borrow();
        if (fd < 0 || __trod_os_flush(fd))
            whole = false;
        if (fd >= 0)
            __trod_give_fd(fd);
    }
    __trod_os_resume(&calm);
    return whole ? 0 : -1;
}
