#include "runtime.h"

/* The newest recorder; the list only grows. */
static _Atomic(struct trod_recorder *) newest;
/* Where to start searching for a recorder whose thread has ended. */
static _Atomic(struct trod_recorder *) cursor;

/* For threads that cannot have one. */
static uint32_t no_recorder;
static struct trod_recorder nobody = {.idle = &no_recorder, .stopped = true};

enum {
    PROBES = 8,         /* recorders examined before a new one is made */
    FIRST_SLOTS = 256,  /* initial slots of the table of digrams */
    FIRST_NODES = 8192, /* initial capacity */
    LARGE = 65536       /* bytes from which memory is given back */
};

/* --- layout ------------------------------------------------------------------------- */

/* Memory layout: the page with idle
 * the recorder, a page for writing
 * the section
 * links
 * slots, twice. The section is mapped from the profile.
 */
struct layout {
    uint32_t nnode, nslot;
    size_t record, section, links, slots, end;
    uint64_t section_size;
};

static uint64_t payload_of(uint32_t nnode)
{
    return sizeof(struct trod_format_steps) +
           (uint64_t)nnode * sizeof(struct trod_format_node);
}

/* A rule has two symbols, and the queue may add to them. */
static void lay_out(struct layout *out, uint32_t most)
{
    size_t page = __trod_profile.page;

    out->nnode = most + most / 2 + 4 * TROD_STEPS_QUEUE;
    for (out->nslot = FIRST_SLOTS; out->nslot < 2 * most; out->nslot *= 2)
        ;
    out->section_size = trod_format_live_size(payload_of(out->nnode), page);
    out->record = page;
    out->section =
        out->record + page + (sizeof(struct trod_recorder) + page - 1) / page * page;
    out->links = out->section + out->section_size;
    out->slots =
        out->links + (out->nnode * sizeof(struct trod_link) + page - 1) / page * page;
    out->end = out->slots + sizeof(struct trod_digram) * 2 * out->nslot;
}

static void *byte(void *start, size_t at)
{
    return (char *)start + at;
}

static void *start_of(struct trod_recorder *r)
{
    return (char *)r - __trod_profile.page;
}

static void *section_of(struct trod_recorder *r)
{
    return (char *)r->live - sizeof(struct trod_format_head);
}

/* --- disk space --------------------------------------------------------------------- */

static bool may_take(uint64_t size)
{
    uint64_t most = __trod_name_most();

    if (atomic_fetch_add(&__trod_profile.ntaken, size) <= most &&
        atomic_load(&__trod_profile.ntaken) <= most)
        return true;
    atomic_fetch_sub(&__trod_profile.ntaken, size);
    return false;
}

/* Reserve disk space, so that the first nnode nodes can be written even if the disk fills up. */
static int reserve(struct trod_recorder *r, int fd, uint32_t nnode)
{
    size_t page = __trod_profile.page;
    uint64_t from = r->nready ? trod_format_live_size(payload_of(r->nready), page) : 0;
    uint64_t to = trod_format_live_size(payload_of(nnode), page);
    int error;

    if (!may_take(to - from))
        return TROD_OS_NO_SPACE;
    error =
        __trod_name_sparse() ? 0 : __trod_os_reserve(fd, r->offset + from, to - from);
    if (error)
        atomic_fetch_sub(&__trod_profile.ntaken, to - from);
    else
        r->nready = (uint32_t)((to - payload_of(0) - sizeof(struct trod_format_head)) /
                               sizeof(struct trod_format_node));
    if (r->nready > r->most_nodes)
        r->nready = r->most_nodes;
    return error;
}

static int extend(struct trod_recorder *r)
{
    uint32_t nnode = r->nready > r->most_nodes / 2 ? r->most_nodes : 2 * r->nready;
    int fd, error;

    if (r->nready == r->most_nodes)
        return TROD_OS_NO_SPACE;
    fd = __trod_borrow();
    if (fd < 0)
        return fd;
    error = reserve(r, fd, nnode);
    __trod_give_fd(fd);
    return error;
}

/* --- parts -------------------------------------------------------------------------- */

void __trod_record_table(struct trod_recorder *r, uint32_t nslot)
{
    r->slot = r->table + nslot;
    r->mask = nslot - 1;
    r->shift = 32;
    while (nslot >>= 1)
        r->shift--;
}

/* Small tables are kept. */
void __trod_record_drop_table(struct trod_digram *slot, uint32_t nslot)
{
    size_t size = nslot * sizeof *slot;
    struct trod_os_calm calm;

    if (size < LARGE)
        return;
    __trod_os_calm(&calm);
    __trod_os_map_zeros(slot, size);
    __trod_os_resume(&calm);
}

/* First unlink the nodes of the previous part, then change the part. */
static void begin_part(struct trod_recorder *r, uint32_t thread, uint32_t part)
{
    __atomic_store_n(&r->node[0].next, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&r->node[0].symbol, TROD_STEPS_GUARD, __ATOMIC_RELEASE);
    trod_record_set_both(&r->live->thread, thread, part);
    r->thread = thread;
    r->part = part;
    r->link[0].next = 0;
    r->link[0].symbol = TROD_STEPS_GUARD;
    r->link[0].prev = 0;
    r->link[0].prev_use = r->link[0].next_use = 0;
    r->nnode = 1;
    r->free_node = 0;
    r->nsymbol = r->ndigram = 0;
    r->nchanged = r->nlonely = 0;
    __trod_record_table(r, FIRST_SLOTS);
}

static unsigned size_of_varint(uint64_t value)
{
    unsigned size = 1;

    while (value >>= 7)
        size++;
    return size;
}

static void put_varint(struct trod_stream *stream, uint64_t value)
{
    uint8_t bytes[10];
    unsigned n = 0;

    for (; value >= 0x80; value >>= 7)
        bytes[n++] = (uint8_t)(value | 0x80);
    bytes[n++] = (uint8_t)value;
    __trod_put(stream, bytes, n);
}

/* Rules in the order in which they are first reached. The table of digrams is no longer needed, and
 * is reused as the list of their guards; likewise their use counts are overwritten by their
 * numbers.
 */
struct rules {
    uint32_t *guard; /* by number */
    uint32_t count;
    uint64_t size; /* in bytes, when written */
};

static uint64_t code_of(struct trod_recorder *r, struct rules *rules, uint32_t symbol)
{
    uint32_t guard = symbol & ~TROD_STEPS_RULE;

    if (!(symbol & TROD_STEPS_RULE))
        return 2 * (uint64_t)symbol;
    if (rules && !r->link[guard].next_use) {
        r->link[guard].next_use = 1;
        r->link[guard].prev_use = rules->count;
        rules->guard[rules->count++] = guard;
    }
    return 2 * (uint64_t)r->link[guard].prev_use + 1;
}

static void number_rules(struct rules *out, struct trod_recorder *r)
{
    void *list = r->table;
    uint32_t i, n;

    out->guard = list;
    out->guard[0] = 0;
    out->count = 1;
    out->size = 0;
    for (n = 1; n < r->nnode; n++) {
        if (r->link[n].symbol == TROD_STEPS_GUARD)
            r->link[n].next_use = 0;
    }
    for (i = 0; i < out->count; i++) {
        uint32_t guard = out->guard[i], count = 0;

        for (n = r->link[guard].next; n != guard; n = r->link[n].next, count++)
            out->size += size_of_varint(code_of(r, out, r->link[n].symbol));
        out->size += size_of_varint(count);
    }
    out->size += size_of_varint(out->count) + size_of_varint(r->part) + 1;
}

static void put_rules(
    struct trod_stream *stream, struct trod_recorder *r, const struct rules *rules)
{
    uint32_t i, n, count;

    put_varint(stream, r->part);
    put_varint(stream, 0);
    put_varint(stream, rules->count);
    for (i = 0; i < rules->count; i++) {
        uint32_t guard = rules->guard[i];

        for (n = r->link[guard].next, count = 0; n != guard; n = r->link[n].next)
            count++;
        put_varint(stream, count);
        for (n = r->link[guard].next; n != guard; n = r->link[n].next)
            put_varint(stream, code_of(r, NULL, r->link[n].symbol));
    }
}

/* The head is written last: until then the nodes define the part. Half of the free disk space is
 * left for what must be written at the end.
 */
static int write_rules(
    struct trod_recorder *r, int fd, const struct rules *rules, uint64_t offset)
{
    uint64_t size = trod_format_live_size(rules->size, __trod_profile.page);
    int error = __trod_name_sparse() ? 0 : __trod_os_reserve(fd, offset, size);
    struct trod_stream stream;
    int64_t written;

    if (error)
        return error;
    __trod_stream_begin(
        &stream, fd, TROD_SECTION_PART, offset, r->bytes, __trod_profile.page);
    stream.thread = r->thread;
    put_rules(&stream, r, rules);
    written = __trod_stream_end(&stream);
    return written < 0 ? (int)written : 0;
}

static int write_part(struct trod_recorder *r, int fd)
{
    struct rules rules;
    uint64_t size, offset;
    int error;

    number_rules(&rules, r);
    size = trod_format_live_size(rules.size, __trod_profile.page);
    if (!may_take(size))
        return TROD_OS_NO_SPACE;
    offset = __trod_take(size);
    error = write_rules(r, fd, &rules, offset);
    if (error) {
        __trod_give_back(offset, size);
        atomic_fetch_sub(&__trod_profile.ntaken, size);
    } else {
        atomic_fetch_add(&__trod_profile.npart, 1);
    }
    return error;
}

/* Start the next part, if the previous one can be written or is empty. */
static int finish_part(struct trod_recorder *r, uint32_t thread, uint32_t part)
{
    struct layout at;
    int fd, error;

    if (r->nsymbol) {
        fd = __trod_borrow();
        if (fd < 0)
            return fd;
        error = write_part(r, fd);
        __trod_give_fd(fd);
        if (error)
            return error;
        lay_out(&at, r->most);
        __trod_os_map_zeros(r->table, at.end - at.slots);
    }
    begin_part(r, thread, part);
    return 0;
}

static void say_given(int error)
{
    int fd = atomic_load(&__trod_profile.state) == TROD_OPEN ? __trod_borrow() : -1;

    __trod_note(TROD_NOTE_GIVEN, fd, error);
    if (fd >= 0)
        __trod_give_fd(fd);
}

bool __trod_record_close(struct trod_recorder *r)
{
    struct trod_os_calm calm;
    int error;

    __trod_os_calm(&calm);
    error = finish_part(r, r->thread, r->part + 1);
    if (error)
        say_given(error);
    __trod_os_resume(&calm);
    return !error;
}

bool __trod_record_room(struct trod_recorder *r)
{
    struct trod_os_calm calm;
    int error;

    __trod_os_calm(&calm);
    error = extend(r);
    if (error && !r->left)
        error = finish_part(r, r->thread, r->part + 1);
    if (error)
        say_given(error);
    __trod_os_resume(&calm);
    return !error;
}

/* --- creating a recorder -------------------------------------------------------------- */

static int attach(struct trod_recorder *r, const struct layout *at)
{
    int fd = __trod_borrow(), error;

    if (fd < 0)
        return fd;
    r->offset = __trod_take(at->section_size);
    error = __trod_os_write_at(fd, "", 1, r->offset + at->section_size - 1);
    if (!error)
        error = reserve(r, fd,
            __trod_name_sparse() || r->most_nodes < FIRST_NODES ? r->most_nodes
                                                                : FIRST_NODES);
    if (!error)
        error = __trod_os_map_file(section_of(r), at->section_size, fd, r->offset);
    if (error) {
        __trod_give_back(r->offset, at->section_size);
    } else {
        r->live->nnode = at->nnode;
        begin_part(r, 0, 0);
    }
    if (!error)
        error = __trod_put_live_head(
            fd, r->offset, TROD_SECTION_STEPS, payload_of(at->nnode), 0);
    __trod_give_fd(fd);
    return error;
}

static struct trod_recorder *build_one(uint32_t owner, uint32_t most, int *error)
{
    struct trod_recorder *r;
    struct layout at;
    void *start;

    lay_out(&at, most);
    start = __trod_os_map(at.end);
    *error = TROD_OS_NO_MEMORY;
    if (!start)
        return NULL;
    __trod_os_hide_from_children(start, __trod_profile.page);
    r = byte(start, at.record);
    r->idle = start;
    r->most = most;
    r->most_nodes = at.nnode;
    r->most_slots = at.nslot;
    r->bytes = byte(start, at.section - __trod_profile.page);
    r->live = byte(start, at.section + sizeof(struct trod_format_head));
    r->node = byte(r->live, sizeof *r->live);
    r->link = byte(start, at.links);
    r->table = byte(start, at.slots);
    atomic_init(&r->owner, owner);
    *error = attach(r, &at);
    if (!*error)
        return r;
    __trod_os_unmap(start, at.end);
    return NULL;
}

/* A smaller one, if there is no room for the requested number of symbols. */
static struct trod_recorder *build(uint32_t owner)
{
    uint32_t most = __trod_name_symbols();
    struct trod_recorder *r;
    int error = 0;

    for (;;) {
        r = build_one(owner, most, &error);
        if (r || most < 4096)
            break;
        most /= 16;
    }
    if (!r)
        say_given(error);
    return r;
}

static void publish(struct trod_recorder *r)
{
    r->older = atomic_load(&newest);
    while (!atomic_compare_exchange_weak(&newest, &r->older, r))
        ;
}

/* --- to and from threads ---------------------------------------------------------------- */

/* Like areas. */
/* Write its contents, so that it can be reused. If that is impossible, or if its thread died while
 * adding, the recorder becomes unavailable for good.
 */
static bool empty(struct trod_recorder *r, uint32_t thread, uint32_t part)
{
    if (__atomic_exchange_n(r->idle, 0, __ATOMIC_ACQUIRE)) {
        if (__trod_record_drain(r) && !finish_part(r, thread, part)) {
            r->left = false;
            r->before = NULL;
            __atomic_store_n(r->idle, 1, __ATOMIC_RELEASE);
            return true;
        }
        r->stopped = true;
    }
    atomic_store(&r->owner, TROD_FOREVER);
    return false;
}

static struct trod_recorder *find_free(uint32_t me, bool have_none, uint32_t thread)
{
    struct trod_recorder *r = atomic_load(&cursor);
    int i;

    for (i = 0; i < PROBES; i++) {
        if (!r)
            r = atomic_load(&newest);
        if (!r)
            break;
        if (__trod_inherit(&r->owner, me, have_none) && empty(r, thread, 0))
            break;
        r = r->older;
    }
    atomic_store(&cursor, r);
    return i < PROBES ? r : NULL;
}

/* A recorder for a thread that has none. A child of vfork shares its parent's memory: the recorder
 * it gets is also the parent's, and is never reused.
 */
static struct trod_recorder *claim(void)
{
    bool stranger = __trod_os_pid() != __trod_profile.pid;
    uint32_t thread = atomic_fetch_add(&__trod_profile.nrecorded, 1);
    struct trod_recorder *r =
        stranger ? NULL : find_free(__trod_os_tid(), true, thread);

    if (r)
        return r;
    r = build(stranger ? TROD_FOREVER : __trod_os_tid());
    if (!r)
        return &nobody;
    begin_part(r, thread, 0);
    __atomic_store_n(r->idle, 1, __ATOMIC_RELEASE);
    publish(r);
    return r;
}

/* The recorder that was interrupted last time is idle by now, unless its call was abandoned. Only a
 * thread that abandons calls repeatedly ever has more than two.
 */
static struct trod_recorder *claim_next(struct trod_recorder *from)
{
    uint32_t thread = from->thread, part = from->part + 1;
    struct trod_recorder *r = from->before;

    if (r && empty(r, thread, part)) {
        atomic_store(&r->owner, atomic_load(&from->owner));
        return r;
    }
    r = build((uint32_t)atomic_load(&from->owner));
    if (!r)
        return &nobody;
    begin_part(r, thread, part);
    __atomic_store_n(r->idle, 1, __ATOMIC_RELEASE);
    publish(r);
    return r;
}

static bool can_record(void)
{
    return trod_payload() / sizeof(uint64_t) < TROD_STEPS_RULE && __trod_ready() &&
           atomic_load(&__trod_profile.state) != TROD_CLOSED;
}

struct trod_recorder *__trod_record_enter(void)
{
    struct trod_os_calm calm;
    struct trod_own *own;

    __trod_os_calm(&calm);
    atomic_fetch_add(&__trod_profile.nentering, 1);
    /* A signal handler may have done this before the calm. */
    own = trod_own();
    if (!own->recorder)
        own->recorder = !own->shared && can_record() ? claim() : &nobody;
    atomic_fetch_sub(&__trod_profile.nentering, 1);
    __trod_os_resume(&calm);
    return own->recorder;
}

struct trod_recorder *__trod_record_go_on(struct trod_recorder *r)
{
    struct trod_own *own = trod_own();
    struct trod_os_calm calm;

    __trod_os_calm(&calm);
    atomic_fetch_add(&__trod_profile.nentering, 1);
    if (own->recorder == r) {
        r->left = true;
        own->recorder = can_record() ? claim_next(r) : &nobody;
        if (own->recorder != &nobody)
            own->recorder->before = r;
    }
    atomic_fetch_sub(&__trod_profile.nentering, 1);
    __trod_os_resume(&calm);
    return own->recorder;
}

bool __trod_record_is_foreign(struct trod_recorder *r)
{
    struct trod_os_calm calm;
    bool foreign;

    if (r->frame)
        return false;
    __trod_os_calm(&calm);
    foreign = __trod_os_pid() != __trod_profile.pid;
    if (foreign)
        trod_own()->recorder = &nobody;
    __trod_os_resume(&calm);
    return foreign;
}

/* --- failures ----------------------------------------------------------------------------- */

void __trod_record_stop(struct trod_recorder *r)
{
    r->stopped = true;
    r->frame = 0;
}

void __trod_record_give_up(struct trod_recorder *r)
{
    if (r->live && trod_own()->recorder != &nobody)
        __atomic_fetch_add(&r->live->ngiven, 1, __ATOMIC_RELAXED);
    else if (atomic_load(&__trod_profile.state) != TROD_CLOSED)
        atomic_fetch_add(&__trod_profile.ngiven, 1);
}

uint64_t __trod_record_ngiven(void)
{
    uint64_t sum = atomic_load(&__trod_profile.ngiven);
    struct trod_recorder *r;

    for (r = atomic_load(&newest); r; r = r->older)
        sum += __atomic_load_n(&r->live->ngiven, __ATOMIC_RELAXED);
    return sum;
}

/* --- fork and exit -------------------------------------------------------------------------- */

static size_t used_of(const struct trod_recorder *r)
{
    return (size_t)trod_format_live_size(payload_of(r->nready), sizeof(uint64_t));
}

/* The calling thread may have been adding a step when the signal handler that forks interrupted it. */
void __trod_record_before_fork(void)
{
    struct trod_own *own = trod_own();
    struct trod_recorder *r;
    uint32_t me;

    if (!own->stepping)
        return;
    me = __trod_os_tid();
    for (r = atomic_load(&newest); r; r = r->older)
        if (r == own->recorder || (uint32_t)atomic_load(&r->owner) == me)
            __trod_keep(&r->kept, section_of(r), used_of(r));
}

void __trod_record_after_fork(void)
{
    struct trod_recorder *r;

    if (!trod_own()->stepping)
        return;
    for (r = atomic_load(&newest); r; r = r->older)
        __trod_keep_no_more(&r->kept);
}

/* An interrupted call returns to a copy, which is discarded. Without memory for a copy, it may
 * write this one step to the parent's file.
 */
static void detach(struct trod_recorder *r, const struct layout *at)
{
    r->left = true;
    r->before = NULL;
    atomic_store(&r->owner, TROD_FOREVER);
    __trod_take_back(&r->kept, section_of(r), at->section_size);
}

void __trod_record_fork(void)
{
    struct trod_recorder *r = atomic_load(&newest), *older;
    struct layout at;

    atomic_store(&newest, NULL);
    atomic_store(&cursor, NULL);
    trod_own()->recorder = NULL;
    for (; r; r = older) {
        older = r->older;
        lay_out(&at, r->most);
        if (r->kept.nforking)
            detach(r, &at);
        else
            __trod_os_unmap(start_of(r), at.end);
    }
}

bool __trod_record_flush(void)
{
    bool whole = !__trod_record_ngiven();
    struct trod_recorder *r;
    struct layout at;

    for (r = atomic_load(&newest); r; r = r->older) {
        lay_out(&at, r->most);
        if (__trod_os_flush_map(section_of(r), at.section_size))
            whole = false;
    }
    return whole;
}

void __trod_record_release(void)
{
    struct trod_recorder *r = atomic_load(&newest), *older;
    uint32_t me = __trod_os_tid();
    struct layout at;

    atomic_store(&newest, NULL);
    atomic_store(&cursor, NULL);
    for (; r; r = older) {
        older = r->older;
        lay_out(&at, r->most);
        if (!r->frame && __trod_inherit(&r->owner, me, true))
            __trod_os_unmap(start_of(r), at.end);
    }
}
