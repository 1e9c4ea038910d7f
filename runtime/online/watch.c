#include "watch.h"

#include "control/control.h"

/* The newest watcher; the list only grows. */
static _Atomic(struct trod_watcher *) newest;

/* The options in the environment when the program started; -1: no trace. */
static struct trod_sampler_options options;
static int trace = -1;
static bool prepared;

enum { PROBES = 8 }; /* watchers looked at before a new one is made */

/* --- options ------------------------------------------------------------------------------ */

static bool starts(const char *text, const char *with)
{
    while (*with)
        if (*text++ != *with++)
            return false;
    return true;
}

/* A descriptor, or a file. */
static int open_trace(const char *name)
{
    int fd = 0;

    if (!starts(name, "fd:"))
        return __trod_os_open(name, TROD_OS_STREAM);
    for (name += 3; *name >= '0' && *name <= '9' && fd < 100000; name++)
        fd = 10 * fd + (*name - '0');
    return fd;
}

void __trod_online_prepare(void)
{
    const char *text = __trod_os_environment("TROD_ONLINE"), *why;
    const char *blocks = __trod_os_environment("TROD_BLOCKS");
    struct trod_image image;

    if (prepared)
        return;
    prepared = true;
    __trod_sampler_options_default(&options);
    if (!__trod_sampler_options_parse(&options, __trod_online, &why) ||
        (text && !__trod_sampler_options_parse(&options, text, &why)))
        __trod_note(TROD_NOTE_ONLINE, -1, 0);
    __trod_image_find(&image);
    if (blocks && *blocks && !image.library)
        trace = open_trace(blocks);
}

void __trod_watch_started_with(struct trod_sampler_options *out)
{
    const volatile char *from = (const volatile char *)&options;
    size_t i;

    for (i = 0; i < sizeof *out; i++) /* volatile: avoids memcpy */
        ((char *)out)[i] = from[i];
}

/* --- the trace ------------------------------------------------------------------------------ */

enum { HEAD = 4 };
#define MAGIC UINT32_C(0x4b4c4254)

static void write_trace(struct trod_watcher *w)
{
    struct trod_os_calm calm;

    if (!w->ntraced)
        return;
    __trod_os_calm(&calm);
    w->traced[0] = MAGIC;
    w->traced[1] = w->thread;
    w->traced[2] = w->ntraced;
    w->traced[3] = __trod_profile.pid;
    if (__trod_os_write(trace, w->traced, (HEAD + w->ntraced) * sizeof *w->traced)) {
        __trod_note(TROD_NOTE_TRACE, -1, 0);
        w->trace = false;
    }
    w->ntraced = 0;
    __trod_os_resume(&calm);
}

void __trod_watch_trace(struct trod_watcher *w, uint32_t block)
{
    w->traced[HEAD + w->ntraced++] = block;
    if (w->ntraced == TROD_TRACE_BLOCKS)
        write_trace(w);
}

/* --- a watcher -------------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t size)
{
    return (size + __trod_profile.page - 1) / __trod_profile.page * __trod_profile.page;
}

static int attach(struct trod_watcher *w)
{
    uint64_t payload = __trod_sampler_shared_size(&options), offset;
    struct trod_sampler_options now;
    int fd = __trod_borrow(), error;

    if (fd < 0)
        return fd;
    __trod_watch_now(&now, &w->heard, &w->nreset);
    error = __trod_map_section(
        &offset, fd, w->section, w->section_size, TROD_NOTE_UNSAMPLED);
    if (!error) {
        __trod_sampler_open(w->sampler,
            (void *)((char *)w->section + sizeof(struct trod_format_head)), &now,
            __trod_seed(options.has_seed ? &options.seed : NULL, w->thread), w->thread);
        __trod_sampler_budget_open(
            &w->budget, w->sampler, now.budget, __trod_clock_ticks, __trod_clock_times);
        error =
            __trod_put_live_head(fd, offset, TROD_SECTION_SAMPLE, payload, w->thread);
    }
    __trod_give_fd(fd);
    return error;
}

/* Allocates the watcher and its sampler, which children do not inherit, and the section. */
static struct trod_watcher *build(uint32_t thread)
{
    uint64_t own = (sizeof(struct trod_watcher) + 63) / 64 * 64;
    uint64_t chunk = trace >= 0 ? sizeof(uint32_t) * (HEAD + TROD_TRACE_BLOCKS) : 0;
    uint64_t private = round_up(own + chunk + __trod_sampler_private_size(&options));
    uint64_t section = trod_format_live_size(
        __trod_sampler_shared_size(&options), __trod_profile.page);
    char *start = __trod_os_map(private + section);
    struct trod_watcher *w = (void *)start;
    int error;

    if (!start)
        return NULL;
    __trod_os_hide_from_children(start, private);
    w->traced = (void *)(start + own);
    w->sampler = (void *)(start + own + chunk);
    w->section = start + private;
    w->section_size = section;
    w->thread = thread;
    w->trace = trace >= 0;
    w->idle = TROD_IDLE_FIRST;
    atomic_init(&w->owner, __trod_os_tid());
    error = attach(w);
    if (error) {
        __trod_note(TROD_NOTE_UNSAMPLED, -1, error);
        __trod_os_unmap(start, private + section);
        return NULL;
    }
    w->alive = true;
    w->older = atomic_load(&newest);
    while (!atomic_compare_exchange_weak(&newest, &w->older, w))
        ;
    return w;
}

/* Of a thread that has ended outside of this code. */
static bool take_over(struct trod_watcher *w, uint32_t me)
{
    return !w->busy && __trod_inherit(&w->owner, me, false);
}

static struct trod_watcher *claim(void)
{
    uint32_t thread = atomic_fetch_add(&__trod_profile.nsampled, 1);
    uint32_t me = __trod_os_tid();
    struct trod_watcher *w = atomic_load(&newest);
    int i;

    for (i = 0; w && i < PROBES; i++, w = w->older) {
        if (!take_over(w, me))
            continue;
        write_trace(w);
        w->thread = thread;
        __trod_sampler_adopt(w->sampler, thread);
        __trod_sampler_budget_adopt(&w->budget);
        return w;
    }
    return build(thread);
}

uint64_t __trod_watch_open(void *own)
{
    struct trod_own *of = own;
    struct trod_watcher *w = NULL;
    struct trod_os_calm calm;

    __trod_os_calm(&calm);
    if (of->watcher) {
        __trod_os_resume(&calm);
        return false;
    }
    atomic_fetch_add(&__trod_profile.nentering, 1);
    __trod_prepare();
    __trod_online_prepare();
    if (__trod_os_pid() == __trod_profile.pid && !of->shared)
        w = __trod_ready() && atomic_load(&__trod_profile.state) != TROD_CLOSED
                ? claim()
                : NULL;
    atomic_fetch_sub(&__trod_profile.nentering, 1);
    of->watcher = w;
    if (w) {
        w->own = of;
        w->busy = true;
    }
    __trod_os_resume(&calm);
    return w != NULL;
}

uint64_t __trod_watch_gap(void *watcher)
{
    struct trod_watcher *w = watcher;

    return __trod_sampler_gap(w->sampler);
}

uint64_t __trod_watch_begin(void *watcher)
{
    struct trod_watcher *w = watcher;

    __trod_sampler_begin_of(w->sampler, w->nraised);
    return 0;
}

uint64_t __trod_watch_settle(void *watcher)
{
    struct trod_watcher *w = watcher;
    uint64_t f = __trod_sampler_budget_control(&w->budget);

    if (w->budget.is_exceeded && !w->budget.is_noted) {
        w->budget.is_noted = true;
        __trod_budget_note(&w->budget.account);
    }
    if (f)
        __trod_sampler_aim(w->sampler, (double)f);
    return __trod_sampler_raised(w->sampler);
}

uint64_t __trod_watch_add(void *watcher)
{
    struct trod_watcher *w = watcher;

    return __trod_sampler_add(w->sampler, w->block, w->cost);
}

uint64_t __trod_watch_break(void *watcher)
{
    struct trod_watcher *w = watcher;

    __trod_sampler_break(w->sampler);
    if (w->trace)
        __trod_watch_trace(w, UINT32_MAX);
    return 0;
}

/* The samples of threads that have ended without following the last reset of w. needs: calm */
void __trod_watch_forget_ended(const struct trod_watcher *w)
{
    struct trod_watcher *other;
    uint32_t me = __trod_os_tid();

    for (other = atomic_load(&newest); other; other = other->older) {
        if (other->nreset == w->nreset || !take_over(other, me))
            continue;
        __trod_sampler_restart(other->sampler, w->sampler->f, w->sampler->least_f);
        other->nreset = w->nreset;
        atomic_fetch_and(&other->owner, ~(uint64_t)UINT32_MAX); /* nobody's */
    }
}

/* --- fork and exit ------------------------------------------------------------------------------ */

static size_t size_of(const struct trod_watcher *w)
{
    return (size_t)((const char *)w->section - (const char *)w);
}

void __trod_watch_keep(struct trod_watcher *w)
{
    __trod_os_show_to_children(w, size_of(w));
    __trod_keep(&w->kept, w->section, w->section_size);
}

void __trod_watch_keep_no_more(struct trod_watcher *w)
{
    if (__trod_keep_no_more(&w->kept))
        __trod_os_hide_from_children(w, size_of(w));
}

/* The interrupted sample is discarded, and the trace belongs to the parent. */
void __trod_watch_detach(struct trod_watcher *w)
{
    __trod_take_back(&w->kept, w->section, w->section_size);
    w->ntraced = 0;
    w->trace = false;
}

/* The sections belong to the parent. The watchers themselves are zeros here. */
void __trod_watch_fork(void)
{
    atomic_store(&newest, NULL);
    atomic_store(&__trod_profile.nsampled, 0);
}

void __trod_online_finish(void)
{
    struct trod_watcher *w;

    for (w = atomic_load(&newest); w; w = w->older)
        if (w->trace)
            write_trace(w);
}
