#include "refs.h"

_Atomic uint64_t __trod_refs_order, __trod_refs_epoch;

bool __trod_refs_wanted = true;

static _Atomic uint64_t taken, taken_by_heap; /* bytes of all chunks */
static uint64_t most = UINT64_C(256) << 20;

enum {
    LONGEST = 10,       /* bytes of the longest varint */
    STACK = 8 << 20,    /* usual limit of the first thread's stack */
    LONGEST_NAME = 1000 /* bytes of a name that are kept */
};

void __trod_refs_most(uint64_t bytes)
{
    most = bytes;
    __trod_refs_wanted = bytes != 0;
}

/* --- records ------------------------------------------------------------------------------- */

static uint8_t *put(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

static uint8_t *put_kind(uint8_t *at, enum trod_refs_record kind)
{
    return put(at, 2 * (uint64_t)kind + 1);
}

/* A record becomes visible at once, when it is complete. */
static void publish(struct trod_refs *r, uint8_t *at)
{
    r->at = at;
    __atomic_store_n(&r->live->used, (uint64_t)(at - r->bytes), __ATOMIC_RELEASE);
}

/* --- chunks ---------------------------------------------------------------------------------- */

static uint64_t size_of_chunk(void)
{
    return __trod_profile.page > TROD_REFS_CHUNK ? __trod_profile.page
                                                 : TROD_REFS_CHUNK;
}

static uint64_t payload_of_chunk(void)
{
    return size_of_chunk() - sizeof(struct trod_format_head);
}

static bool take_within(_Atomic uint64_t *of, uint64_t limit)
{
    uint64_t size = size_of_chunk();

    if (atomic_fetch_add(of, size) < limit && atomic_load(of) <= limit)
        return true;
    atomic_fetch_sub(of, size);
    return false;
}

/* Allocations must leave room for references. */
static bool may_take(const struct trod_refs *r)
{
    if (!take_within(&taken, most))
        return false;
    if (!r->heap || take_within(&taken_by_heap, most / 2))
        return true;
    atomic_fetch_sub(&taken, size_of_chunk());
    return false;
}

/* The order matters: first disk space, because a touch raises SIGBUS when the disk is full; then
 * the mapping, in place of the previous chunk; then the head, which makes it a section.
 */
static int attach(void *section, int fd)
{
    uint64_t size = size_of_chunk(), offset = __trod_take(size);
    int error = __trod_name_sparse() ? __trod_os_write_at(fd, "", 1, offset + size - 1)
                                     : __trod_os_reserve(fd, offset, size);

    if (error) {
        __trod_give_back(offset, size);
        return error;
    }
    error = __trod_os_map_file(section, size, fd, offset);
    if (error) {
        __trod_os_map_zeros(section, size); /* a failed mapping may leave a hole */
        return error;
    }
    return __trod_put_live_head(fd, offset, TROD_SECTION_REFS, payload_of_chunk(), 0);
}

static void *section_of(const struct trod_refs *r)
{
    return (char *)r->live - sizeof(struct trod_format_head);
}

/* The first chunk, or one that replaces the current chunk. */
static int take_chunk(struct trod_refs *r)
{
    void *section = r->live ? section_of(r) : __trod_os_map(size_of_chunk());
    int fd, error;

    if (!section)
        return TROD_OS_NO_MEMORY;
    if (!may_take(r))
        error = TROD_OS_NO_SPACE;
    else {
        fd = __trod_borrow();
        error = fd < 0 ? fd : attach(section, fd);
        if (fd >= 0)
            __trod_give_fd(fd);
    }
    if (error && !r->live)
        __trod_os_unmap(section, size_of_chunk());
    if (error)
        return error;
    r->live = (void *)((char *)section + sizeof(struct trod_format_head));
    return 0;
}

/* Readers begin with empty state, too. */
static void forget(struct trod_refs *r)
{
    int i;

    r->site = r->order = r->address = 0;
    for (i = 0; i < TROD_REFS_LAST; i++)
        ((volatile uint64_t *)r->last)[i] = 0;
}

static void put_thread(struct trod_refs *r)
{
    uint8_t *at = put_kind(r->at, TROD_REFS_THREAD);

    forget(r);
    at = put(at, r->thread);
    at = put(at, r->npart++);
    at = put(at, r->low);
    at = put(at, r->size);
    publish(r, put(at, r->pointer));
}

static void put_burst(struct trod_refs *r, enum trod_refs_record kind)
{
    uint64_t weight = r->how ? r->how->type[TROD_BURST_STREAMS].weight : 1;

    publish(r, put(put_kind(r->at, kind), weight ? weight : 1));
}

static void begin_chunk(struct trod_refs *r)
{
    r->live->image = __trod_image_start();
    r->at = r->bytes = (uint8_t *)(r->live + 1);
    r->end = (uint8_t *)r->live + payload_of_chunk();
    forget(r);
    if (r->has_thread)
        put_thread(r);
    if (r->in_burst)
        put_burst(r, TROD_REFS_ON);
}

static void say(int error)
{
    int fd = atomic_load(&__trod_profile.state) == TROD_OPEN ? __trod_borrow() : -1;

    __trod_note(TROD_NOTE_REFS, fd, error);
    if (fd >= 0)
        __trod_give_fd(fd);
}

static uint64_t next_chunk(void *with)
{
    struct trod_refs *r = with;
    struct trod_os_calm calm;
    bool ready;
    int error = 0;

    __trod_os_calm(&calm);
    atomic_fetch_add(&__trod_profile.nentering, 1);
    ready = __trod_os_pid() == __trod_profile.pid && __trod_ready() &&
            atomic_load(&__trod_profile.state) != TROD_CLOSED;
    if (ready)
        error = take_chunk(r);
    if (ready && !error)
        begin_chunk(r);
    else
        r->stopped = true;
    if (error)
        say(error);
    atomic_fetch_sub(&__trod_profile.nentering, 1);
    __trod_os_resume(&calm);
    return !r->stopped;
}

/* Is there room for so many varints and more bytes?
 *
 * cost:   a comparison; some ten system calls where a chunk is full
 */
static bool has_room(struct trod_refs *r, size_t nvarint, size_t more)
{
    size_t size = nvarint * LONGEST + more;

    if ((size_t)(r->end - r->at) >= size)
        return true;
    if (!r->stopped && __trod_keep_vectors(next_chunk, r))
        return true;
    if (r->live)
        r->live->nlost++;
    return false;
}

/* --- references -------------------------------------------------------------------------------- */

static uint64_t find_stack(void *with)
{
    struct trod_refs *r = with;
    struct trod_os_calm calm;
    uintptr_t to;

    __trod_os_calm(&calm);
    r->low = r->size = 0;
    if (__trod_image_around(&r->low, &to, (uintptr_t)__builtin_frame_address(0))) {
        if (__trod_os_tid() == __trod_os_pid() && to - r->low < STACK && to > STACK)
            r->low = to - STACK;
        r->size = to - r->low;
    }
#if defined(__x86_64__)
    __asm__("mov %%fs:0, %0" : "=r"(r->pointer));
#elif defined(__aarch64__)
    __asm__("mrs %0, tpidr_el0" : "=r"(r->pointer));
#else
    r->pointer = 0;
#endif
    __trod_os_resume(&calm);
    return 0;
}

void __trod_refs_adopt(
    struct trod_refs *r, uint32_t thread, const struct trod_format_burst *how)
{
    r->thread = thread;
    r->npart = 0;
    r->how = how;
    r->has_thread = true;
    r->in_burst = r->known = false;
}

/* Delayed until there is a reference: finding the bounds of the stack is slow. */
static void write_thread_record(struct trod_refs *r)
{
    __trod_keep_vectors(find_stack, r);
    r->known = true;
    if (r->at && has_room(r, TROD_REFS_NUMBERS + 1, 0) && !r->npart)
        put_thread(r);
}

void __trod_refs_burst(struct trod_refs *r)
{
    r->in_burst = false;
    if (r->has_thread && !r->known)
        write_thread_record(r);
    if (!has_room(r, 2, 0))
        return;
    r->in_burst = true;
    put_burst(r, TROD_REFS_BURST);
}

/* Something was allocated or freed since the last reference. */
static __attribute__((noinline)) uint8_t *put_at(struct trod_refs *r, uint64_t order)
{
    uint8_t *at = put_kind(r->at, TROD_REFS_AT);

    atomic_fetch_add(&__trod_refs_epoch, 1);
    trod_call(__trod_heap_flush);
    at = put(at, order - r->order);
    r->order = order;
    return at;
}

/* cost:   some 30 instructions, and 6 for each byte after the second */
void __trod_refs_add(struct trod_refs *r, uint32_t site, uintptr_t address)
{
    uint64_t order = atomic_load_explicit(&__trod_refs_order, memory_order_relaxed);
    uint64_t *last = &r->last[site % TROD_REFS_LAST];
    uint8_t *at;

    if (!has_room(r, 4, 0))
        return;
    at = order == r->order ? r->at : put_at(r, order);
    at = put(at, 2 * trod_refs_zigzag(site - r->site));
    at = put(at, trod_refs_zigzag(address - *last));
    r->site = site;
    *last = address;
    publish(r, at);
}

/* --- allocations ---------------------------------------------------------------------------------- */

static uint8_t *put_order(struct trod_refs *r, uint8_t *at, uint64_t order)
{
    at = put(at, trod_refs_zigzag(order - r->order));
    r->order = order;
    return at;
}

static uint8_t *put_address(struct trod_refs *r, uint8_t *at, uintptr_t address)
{
    at = put(at, trod_refs_zigzag(address - r->address));
    r->address = address;
    return at;
}

void __trod_refs_made(struct trod_refs *r, uint64_t order, uint32_t site,
    uint64_t number, uintptr_t address, uint64_t size)
{
    uint64_t *last = &r->last[site % TROD_REFS_LAST];
    uint8_t *at;

    if (!has_room(r, TROD_REFS_NUMBERS + 1, 0))
        return;
    at = put_order(r, put_kind(r->at, TROD_REFS_MADE), order);
    at = put(at, site);
    at = put(at, trod_refs_zigzag(number - *last));
    *last = number;
    at = put_address(r, at, address);
    publish(r, put(at, size));
}

void __trod_refs_gone(struct trod_refs *r, uint64_t order, uintptr_t address)
{
    uint8_t *at;

    if (!has_room(r, 3, 0))
        return;
    at = put_order(r, put_kind(r->at, TROD_REFS_GONE), order);
    publish(r, put_address(r, at, address));
}

static size_t length_of(const char *name)
{
    size_t length = 0;

    while (length < LONGEST_NAME && name[length])
        length++;
    return length;
}

static uint8_t *put_name(uint8_t *at, const char *name, size_t length)
{
    while (length--)
        *(volatile uint8_t *)at++ = (uint8_t)*name++;
    return at;
}

void __trod_refs_site(struct trod_refs *r, uint32_t site, uint32_t line,
    uint32_t column, const char *file, const char *function)
{
    size_t nfile = length_of(file), nfunction = length_of(function);
    uint8_t *at;

    if (!has_room(r, TROD_REFS_NUMBERS + 1, nfile + nfunction))
        return;
    at = put_kind(r->at, TROD_REFS_SITE);
    at = put(put(put(at, site), line), column);
    at = put(put(at, nfile), nfunction);
    publish(r, put_name(put_name(at, file, nfile), function, nfunction));
}

/* --- fork ------------------------------------------------------------------------------------------- */

void __trod_refs_forked(void)
{
    atomic_store(&taken, 0);
    atomic_store(&taken_by_heap, 0);
}

void __trod_refs_detach(struct trod_refs *r)
{
    if (r->live)
        __trod_os_map_zeros(section_of(r), size_of_chunk());
}
