#include "burster.h"

#include "control/control.h"

/* The newest burster; the list only grows. */
static _Atomic(struct trod_burster *) newest;

static struct trod_burst_options options;
static bool prepared;

enum { PROBES = 8 }; /* bursters looked at before a new one is made */

/* --- options -------------------------------------------------------------------------------- */

void __trod_burst_prepare(void)
{
    const char *text = __trod_os_environment("TROD_BURST"), *why;

    if (prepared)
        return;
    prepared = true;
    __trod_burst_options_default(&options);
    if (!__trod_burst_options_parse(&options, __trod_burst, &why))
        __trod_note(TROD_NOTE_BURST, -1, 0);
    options.types = __trod_burst_types;
    if (text && !__trod_burst_options_again(&options, text, &why))
        __trod_note(TROD_NOTE_BURST, -1, 0);
    __trod_refs_most(__trod_burst_options_trigger(&options) != TROD_BURST_NEVER &&
                             options.types >> TROD_BURST_STREAMS & 1
                         ? options.most
                         : 0);
}

void __trod_burst_started_with(struct trod_burst_options *out)
{
    const volatile char *from = (const volatile char *)&options;
    size_t i;

    for (i = 0; i < sizeof *out; i++) /* volatile: avoids memcpy */
        ((char *)out)[i] = from[i];
}

uint32_t __trod_burst_check(void)
{
    return trod_is_there(&__trod_burst_flagged) && __trod_burst_flagged
               ? TROD_BURST_FLAG
               : TROD_BURST_COUNT;
}

/* --- a burster -------------------------------------------------------------------------------- */

static int attach(struct trod_burster *b)
{
    uint64_t payload = sizeof(struct trod_format_burst), offset;
    int fd = __trod_borrow(), error;

    if (fd < 0)
        return fd;
    error = __trod_map_section(
        &offset, fd, b->section, b->section_size, TROD_NOTE_UNSAMPLED);
    if (!error) {
        b->shared = (void *)((char *)b->section + sizeof(struct trod_format_head));
        b->shared->thread = b->thread;
        error =
            __trod_put_live_head(fd, offset, TROD_SECTION_BURST, payload, b->thread);
    }
    __trod_give_fd(fd);
    return error;
}

/* Events after which a thread looks for a new setting, at most. */
enum { POLL = 1 << 14 };

static void open_plan(struct trod_burster *b, struct trod_own *own)
{
    struct trod_burst_options now;

    b->plan.clock = __trod_clock_ticks;
    b->plan.account.times = __trod_clock_times;
    b->plan.poll = __trod_control ? POLL : 0;
    if (__trod_burst_check() == TROD_BURST_FLAG) {
        b->plan.flag = &__trod_burst_flag;
        b->plan.ticks = &__trod_burst_ticks;
    }
    __trod_burst_now(&now, &b->heard, &b->nreset);
    b->mark = trod_burst_mark(b->heard);
    __trod_burst_open(&b->plan, &now, b->shared, own->emitted.hand.skip,
        __trod_seed(options.has_seed ? &options.seed : NULL, b->thread));
    __trod_refs_adopt(&b->refs, b->thread, b->shared);
}

static struct trod_burster *build(uint32_t thread, struct trod_own *of)
{
    uint64_t page = __trod_profile.page;
    uint64_t own = (sizeof(struct trod_burster) + page - 1) / page * page;
    uint64_t section = trod_format_live_size(sizeof(struct trod_format_burst), page);
    char *start = __trod_os_map(own + section);
    struct trod_burster *b = (void *)start;
    int error;

    if (!start)
        return NULL;
    __trod_os_hide_from_children(start, own);
    b->section = start + own;
    b->section_size = section;
    b->thread = thread;
    atomic_init(&b->owner, __trod_os_tid());
    error = attach(b);
    if (error) {
        __trod_note(TROD_NOTE_UNSAMPLED, -1, error);
        __trod_os_unmap(start, own + section);
        return NULL;
    }
    b->own = of;
    open_plan(b, of);
    b->image = __trod_image_start();
    b->image_end = __trod_image_end();
    b->alive = true;
    b->older = atomic_load(&newest);
    while (!atomic_compare_exchange_weak(&newest, &b->older, b))
        ;
    return b;
}

/* Of a thread that has ended outside of this code. */
static bool take_over(struct trod_burster *b, uint32_t me)
{
    return !b->busy && __trod_inherit(&b->owner, me, false);
}

static struct trod_burster *claim(struct trod_own *own)
{
    uint32_t thread = atomic_fetch_add(&__trod_profile.nsampled, 1);
    uint32_t me = __trod_os_tid();
    struct trod_burster *b = atomic_load(&newest);
    int i;

    for (i = 0; b && i < PROBES; i++, b = b->older) {
        if (!take_over(b, me))
            continue;
        b->thread = b->shared->thread = thread;
        b->own = own;
        __trod_burst_adopt(&b->plan, own->emitted.hand.skip);
        __trod_refs_adopt(&b->refs, thread, b->shared);
        b->streaming = false;
        b->last = 0;
        b->meter.open = false;
        if (trod_control_is_new(b->heard))
            __trod_burster_follow(b);
        return b;
    }
    return build(thread, own);
}

/* Ticks a second of a program that samples nothing, and looks whether it is to. */
enum { SLOW = 20 };

void __trod_burster_tick(const struct trod_burster *b)
{
    bool off = b->plan.trigger == TROD_BURST_NEVER;
    uint32_t hz = off ? SLOW : options.hz;
    int error;

    if (b->plan.trigger == TROD_BURST_ALWAYS || (off && !__trod_control))
        return;
    error = __trod_ticker_start(hz);
    if (error)
        __trod_note(TROD_NOTE_TICKER, -1, error);
    __trod_ticker_set(hz);
}

uint64_t __trod_burster_open(void *own)
{
    struct trod_own *of = own;
    struct trod_burster *b = NULL;
    struct trod_os_calm calm;

    __trod_os_calm(&calm);
    if (of->burster) {
        __trod_os_resume(&calm);
        return 0;
    }
    atomic_fetch_add(&__trod_profile.nentering, 1);
    __trod_prepare();
    __trod_burst_prepare();
    if (__trod_os_pid() == __trod_profile.pid && !of->shared)
        b = __trod_ready() && atomic_load(&__trod_profile.state) != TROD_CLOSED
                ? claim(of)
                : NULL;
    atomic_fetch_sub(&__trod_profile.nentering, 1);
    if (b && b->plan.flag)
        __trod_burster_tick(b);
    of->burster = b;
    __trod_os_resume(&calm);
    return 0;
}

void __trod_burster_forget_ended(struct trod_burster *b)
{
    struct trod_burster *other;
    uint32_t me = __trod_os_tid();

    for (other = atomic_load(&newest); other; other = other->older) {
        if (other->nreset == b->nreset || !take_over(other, me))
            continue;
        __trod_burst_forget(&other->plan);
        other->nreset = b->nreset;
        other->shared->types = 0; /* as of a thread that has not begun */
        atomic_fetch_and(&other->owner, ~(uint64_t)UINT32_MAX); /* nobody's */
    }
}

static size_t size_of(const struct trod_burster *b)
{
    return (size_t)((const char *)b->section - (const char *)b);
}

void __trod_burster_keep(struct trod_burster *b)
{
    __trod_os_show_to_children(b, size_of(b));
    __trod_keep(&b->kept, b->section, b->section_size);
}

void __trod_burster_keep_no_more(struct trod_burster *b)
{
    if (__trod_keep_no_more(&b->kept))
        __trod_os_hide_from_children(b, size_of(b));
}

/* The interrupted event is discarded. */
void __trod_burster_detach(struct trod_burster *b)
{
    __trod_take_back(&b->kept, b->section, b->section_size);
    if (trod_is_there((const void *)(uintptr_t)__trod_meter_forked))
        __trod_meter_forked(b);
    __trod_refs_detach(&b->refs);
}

/* In a child: sections belong to the parent, and bursters are zeros. */
void __trod_burster_fork(void)
{
    atomic_store(&newest, NULL);
    atomic_store(&__trod_profile.nsampled, 0);
    __trod_refs_forked();
}

/* The image may be unloaded next. */
void __trod_burst_finish(void)
{
    __trod_ticker_stop();
}
