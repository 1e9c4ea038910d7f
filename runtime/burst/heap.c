#include "refs.h"

/* An object that was allocated and has not been written yet; address 0: none. */
struct pending_object {
    uintptr_t address;
    uint64_t size, order, number;
    struct trod_rt_site *site;
};

enum { PENDING = 256 };

/* A thread's allocations and frees go into chunks of their own, beside those of its references.
 * Objects that are allocated and freed between two references are dropped: records are delayed
 * until a reference may be to them, or until there is no room. In memory that children do not
 * inherit: in a child whose fork was not noticed, all are dead.
 */
struct trod_heap {
    bool alive;
    bool busy; /* the thread is executing this code */
    struct trod_heap *older;
    _Atomic uint64_t owner; /* as in struct trod_area */
    struct trod_refs refs;
    uint64_t epoch;
    uint32_t npending;
    struct pending_object pending[PENDING]; /* sorted by address */
};

/* The newest; the list only grows. */
static _Atomic(struct trod_heap *) newest;
static _Atomic uint32_t nsite;

/* For threads that cannot have one. */
static struct trod_heap nobody;

enum { PROBES = 8 }; /* looked at before a new one is made */

/* --- to and from threads ---------------------------------------------------------------------- */

/* Of a thread that has ended outside of this code. */
static bool take_over(struct trod_heap *h, uint32_t me)
{
    return !h->busy && __trod_inherit(&h->owner, me, true);
}

static struct trod_heap *build(uint32_t me)
{
    size_t size = (sizeof(struct trod_heap) + __trod_profile.page - 1) /
                  __trod_profile.page * __trod_profile.page;
    struct trod_heap *h = __trod_os_map(size);

    if (!h)
        return &nobody;
    __trod_os_hide_from_children(h, size);
    h->refs.heap = true;
    h->alive = true;
    atomic_init(&h->owner, me);
    h->older = atomic_load(&newest);
    while (!atomic_compare_exchange_weak(&newest, &h->older, h))
        ;
    return h;
}

static struct trod_heap *claim(void)
{
    uint32_t me = __trod_os_tid();
    struct trod_heap *h = atomic_load(&newest);
    int i;

    if (__trod_os_pid() != __trod_profile.pid)
        return &nobody;
    for (i = 0; h && i < PROBES; i++, h = h->older) {
        if (take_over(h, me))
            return h;
    }
    return build(me);
}

static struct trod_heap *open_heap(struct trod_own *own)
{
    struct trod_os_calm calm;

    __trod_os_calm(&calm);
    atomic_fetch_add(&__trod_profile.nentering, 1);
    trod_call(__trod_burst_prepare); /* the options may exclude references */
    if (!own->heap)
        own->heap = !own->shared && __trod_ready() &&
                            atomic_load(&__trod_profile.state) != TROD_CLOSED
                        ? claim()
                        : &nobody;
    atomic_fetch_sub(&__trod_profile.nentering, 1);
    __trod_os_resume(&calm);
    return own->heap;
}

/* Acquire the thread's heap. NULL: there is none, or a signal handler interrupted this code. */
static struct trod_heap *take(void)
{
    struct trod_own *own;
    struct trod_heap *h;

    if (!__trod_refs_wanted)
        return NULL;
    own = trod_own();
    h = own->heap ? own->heap : open_heap(own);
    if (!h->alive || h->busy)
        return NULL;
    h->busy = true;
    atomic_signal_fence(memory_order_seq_cst);
    return h;
}

static void give(struct trod_heap *h)
{
    atomic_signal_fence(memory_order_seq_cst);
    h->busy = false;
}

/* --- records ------------------------------------------------------------------------------------ */

/* The number of an allocation site. Its names are written once; other threads may use the number
 * earlier. */
static uint32_t number_of(struct trod_heap *h, struct trod_rt_site *site)
{
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED), none = 0;
    uint32_t me = __trod_profile.pid;

    if (!number) {
        number = atomic_fetch_add(&nsite, 1) + 1;
        if (!__atomic_compare_exchange_n(&site->number, &none, number, false,
                __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            number = none;
    }
    if (__atomic_load_n(&site->said, __ATOMIC_RELAXED) != me &&
        __atomic_exchange_n(&site->said, me, __ATOMIC_RELAXED) != me)
        __trod_refs_site(&h->refs, number, site->line, site->column,
            site->file ? site->file : "", site->function ? site->function : "");
    return number;
}

static struct pending_object *pending_at(struct trod_heap *h, uintptr_t address)
{
    return &h->pending[(address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}

static void write_pending(struct trod_heap *h, struct pending_object *p)
{
    __trod_refs_made(
        &h->refs, p->order, number_of(h, p->site), p->number, p->address, p->size);
    p->address = 0;
    h->npending--;
}

static void write_all(struct trod_heap *h)
{
    int i;

    for (i = 0; i < PENDING && h->npending; i++) {
        if (h->pending[i].address)
            write_pending(h, &h->pending[i]);
    }
}

/* Another thread may have references to pending objects. */
static void catch_up(struct trod_heap *h)
{
    uint64_t epoch = atomic_load_explicit(&__trod_refs_epoch, memory_order_relaxed);

    if (epoch != h->epoch) {
        h->epoch = epoch;
        write_all(h);
    }
}

static void note_made(
    struct trod_heap *h, const void *object, uint64_t size, struct trod_rt_site *site)
{
    struct pending_object *p = pending_at(h, (uintptr_t)object);

    catch_up(h);
    if (p->address)
        write_pending(h, p);
    p->address = (uintptr_t)object;
    p->size = size;
    p->site = site;
    p->number = __atomic_fetch_add(&site->nmade, 1, __ATOMIC_RELAXED);
    p->order = atomic_fetch_add(&__trod_refs_order, 1);
    h->npending++;
}

/* If the object is pending, the record is dropped. With several threads, the address may belong to
 * another object by now.
 */
static void note_gone(struct trod_heap *h, uint64_t order, const void *object)
{
    struct pending_object *p = pending_at(h, (uintptr_t)object);

    catch_up(h);
    if (p->address == (uintptr_t)object) {
        p->address = 0;
        h->npending--;
        if (atomic_load_explicit(&newest, memory_order_relaxed) == h && !h->older)
            return;
    }
    __trod_refs_gone(&h->refs, order, (uintptr_t)object);
}

/* An allocation takes its order after the allocator returns, a free before the allocator is called:
 * sorted by order, objects never overlap.
 */
void __trod_heap_made(const void *object, uint64_t size, struct trod_rt_site *site)
{
    struct trod_heap *h;

    if (!object || !(h = take()))
        return;
    note_made(h, object, size, site);
    give(h);
}

void __trod_heap_made_at(
    void *const *at, uint32_t status, uint64_t size, struct trod_rt_site *site)
{
    if (!status)
        __trod_heap_made(*at, size, site);
}

void __trod_heap_made_text(const char *text, struct trod_rt_site *site)
{
    uint64_t length = 0;

    if (!text)
        return;
    while (((const volatile char *)text)[length])
        length++;
    __trod_heap_made(text, length + 1, site);
}

void __trod_heap_gone(const void *object)
{
    struct trod_heap *h;

    if (!object || !(h = take()))
        return;
    note_gone(h, atomic_fetch_add(&__trod_refs_order, 1), object);
    give(h);
}

uint64_t __trod_heap_order(void)
{
    return atomic_fetch_add(&__trod_refs_order, 1);
}

/* Size 0: the object is freed. */
void __trod_heap_moved(uint64_t order, const void *from, const void *object,
    uint64_t size, struct trod_rt_site *site)
{
    struct trod_heap *h;

    if ((!object && size) || !(h = take()))
        return;
    if (from)
        note_gone(h, order, from);
    if (object)
        note_made(h, object, size, site);
    give(h);
}

/* --- fork and exit --------------------------------------------------------------------------- */

void __trod_heap_flush(void)
{
    struct trod_heap *h = trod_own()->heap;

    if (!h || !h->alive || h->busy)
        return;
    h->busy = true;
    atomic_signal_fence(memory_order_seq_cst);
    write_all(h);
    give(h);
}

void __trod_heap_fork(void)
{
    atomic_store(&newest, NULL);
    trod_own()->heap = NULL;
    __trod_refs_forked();
}

/* Threads that continue to run keep their pending objects. */
void __trod_heap_finish(void)
{
    uint32_t me = __trod_os_tid();
    struct trod_heap *h;

    for (h = atomic_load(&newest); h; h = h->older) {
        if (h->alive && take_over(h, me))
            write_all(h);
    }
}
