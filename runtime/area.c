#include "runtime.h"

/* The newest area; the list only grows. */
static _Atomic(struct trod_area *) newest;
/* Where to start searching for an area whose thread has ended. Any area will do. */
static _Atomic(struct trod_area *) cursor;

enum {
    PROBES = 8, /* areas looked at before a new one is made */
    CHUNK = 512 /* counters written at once, unless all are zero */
};

/* --- where things are ------------------------------------------------------------- */

/* The record of the first area, so that a process with one thread maps its counters by one system call.
 * That of every other area is in the page before its section.
 */
static struct trod_area first;
static atomic_bool first_used;
static _Atomic(char *) first_section; /* NULL: not mapped yet */

static char *section_of(struct trod_area *area)
{
    return area == &first ? atomic_load(&first_section)
                          : (char *)area + __trod_profile.page;
}

static uint64_t size_of_section(void)
{
    return trod_format_live_size(trod_payload(), __trod_profile.page);
}

uintptr_t __trod_area_base(struct trod_area *area)
{
    return 1 + (uintptr_t)section_of(area) + sizeof(struct trod_format_head) -
           (uintptr_t)__start___trod_cnt;
}

struct trod_area *__trod_area_of(uintptr_t base)
{
    uintptr_t before = 1 + sizeof(struct trod_format_head);
    char *section;

    if (base <= 1)
        return NULL;
    section = (char *)__start___trod_cnt + (base - before);
    return section == atomic_load(&first_section)
               ? &first
               : (void *)(section - __trod_profile.page);
}

/* --- into the file ---------------------------------------------------------------- */

/* Small programs reserve disk space for all counters. Larger ones do not: they touch a small part
 * of theirs. */
enum { LARGE = 1 << 20 };

static bool is_sparse(void)
{
    return __trod_name_sparse() || (!__trod_name_reserves() && trod_payload() > LARGE);
}

static int stretch(int fd, uint64_t offset, uint64_t size)
{
    if (!__trod_name_sparse() && !__trod_os_has_room(fd, size))
        return TROD_OS_NO_SPACE;
    return __trod_os_write_at(fd, "", 1, offset + size - 1);
}

static uint32_t next_number(void)
{
    return __trod_profile.shared ? __trod_shared_number()
                                 : atomic_fetch_add(&__trod_profile.nthread, 1);
}

/* The order matters: first disk space, because a touch of the mapping raises SIGBUS when the disk
 * is full; then the head, which makes the section valid; then the mapping. Where files are sparse,
 * the free space must at first suffice for all of the section.
 */
static int append(uint64_t *out, int fd)
{
    uint64_t size = size_of_section();
    uint64_t offset = __trod_take(size);
    int error =
        is_sparse() ? stretch(fd, offset, size) : __trod_os_reserve(fd, offset, size);

    if (error) {
        /* There may be no room for a note at the end, where other threads fail as well. */
        uint64_t used = __trod_note_at(TROD_NOTE_PRIVATE, fd, error, offset)
                            ? __trod_profile.page
                            : 0;

        __trod_give_back(offset + used, size - used);
        return error;
    }
    *out = offset;
    return __trod_put_live_head(
        fd, offset, TROD_SECTION_COUNTS, trod_payload(), next_number());
}

/* Map the section to the file; without an error, it is there. */
static int map_section(struct trod_area *area, int fd, uint64_t offset)
{
    uint64_t size = size_of_section();
    char *at = section_of(area);

    if (at)
        return __trod_os_map_file(at, size, fd, offset);
    at = __trod_os_map_new(size, fd, offset);
    atomic_store(&first_section, at);
    return at ? 0 : TROD_OS_NO_MEMORY;
}

/* In a shared file, reuse the counters of a process that has ended: counting continues in them. */
static int attach(struct trod_area *area, int fd)
{
    uint64_t size = size_of_section(), offset = 0;
    int error = 0;

    area->taken = 0;
    if (__trod_profile.shared)
        offset = __trod_shared_inherit(&area->taken, fd, size);
    if (!offset) {
        error = append(&offset, fd);
        if (!error && __trod_profile.shared)
            __trod_shared_add(&area->taken, offset);
    }
    if (!error)
        error = map_section(area, fd, offset);
    /* A failed mapping may leave a hole. */
    if (error && section_of(area))
        __trod_os_map_zeros(section_of(area), size);
    if (!error && is_sparse())
        __trod_os_expect_few(section_of(area), size);
    return error;
}

static void attach_if_possible(struct trod_area *area)
{
    int fd = __trod_borrow(), error;

    error = fd < 0 ? fd : attach(area, fd);
    if (!error)
        atomic_store(&area->place, TROD_IN_FILE);
    else
        __trod_note(TROD_NOTE_PRIVATE, fd, error);
    if (fd >= 0)
        __trod_give_fd(fd);
}

bool __trod_area_attach(struct trod_area *area, bool open)
{
    atomic_store(&area->place, TROD_PRIVATE);
    if (open)
        attach_if_possible(area);
    if (!section_of(area))
        atomic_store(&first_section, __trod_os_map(size_of_section()));
    return section_of(area);
}

/* --- set to 0 ----------------------------------------------------------------------- */

/* How often counts were set to 0. */
static _Atomic uint32_t nreset;

/* In the hash table, what is counted stays: an entry is found by it. Zeros are only read: they may have no page. */
static void clear_counters(uint64_t *counter)
{
    uint64_t n = trod_payload() / sizeof *counter, hashed = n, i;
    uint64_t nhashed = trod_is_there(&__trod_nhashed) ? __trod_nhashed : TROD_RT_HASHED;

    if (trod_is_there(__trod_hashed))
        hashed = ((uintptr_t)__trod_hashed - (uintptr_t)__start___trod_cnt) /
                 sizeof *counter;
    for (i = 0; i < n; i++) {
        bool is_key = i >= hashed && i - hashed < 3 * nhashed && (i - hashed) % 3 != 2;

        if (!is_key && ((volatile uint64_t *)counter)[i])
            ((volatile uint64_t *)counter)[i] = 0;
    }
}

static void clear_area(struct trod_area *area)
{
    char *section = section_of(area);

    if (section && atomic_load(&area->place) != TROD_BLANK)
        clear_counters((uint64_t *)(section + sizeof(struct trod_format_head)));
}

static void clear_old(struct trod_area *area)
{
    uint32_t now = atomic_load(&nreset);

    if (area->nreset != now)
        clear_area(area);
    area->nreset = now;
}

static bool is_mine(const struct trod_area *area, const struct trod_area *mine)
{
    while (mine && mine != area)
        mine = mine->before;
    return mine;
}

void __trod_area_reset(uintptr_t base, uint32_t number)
{
    struct trod_area *mine = __trod_area_of(base), *area;
    uint32_t me = __trod_os_tid();

    atomic_store(&nreset, number);
    if (base == 1)
        clear_counters(__start___trod_cnt);
    for (area = atomic_load(&newest); area; area = area->older) {
        if (is_mine(area, mine)) {
            clear_old(area);
        } else if (area->nreset != number && __trod_inherit(&area->owner, me, false)) {
            clear_old(area);
            atomic_fetch_and(&area->owner, ~(uint64_t)UINT32_MAX); /* nobody's */
        }
    }
}

/* --- to and from threads ---------------------------------------------------------- */

/* cost: PROBES system calls at most, so that a thousand live threads cost little; the cursor
 * advances cyclically, so that every area is examined in turn
 */
static struct trod_area *find_free(uint32_t me, bool have_none)
{
    struct trod_area *area = atomic_load(&cursor);
    int i;

    for (i = 0; i < PROBES; i++) {
        if (!area)
            area = atomic_load(&newest);
        if (!area || __trod_inherit(&area->owner, me, have_none))
            break;
        area = area->older;
    }
    atomic_store(&cursor, area);
    return i < PROBES ? area : NULL;
}

static struct trod_area *build(uint32_t owner)
{
    uint64_t size = size_of_section();
    struct trod_area *area;

    if (!size || size > SIZE_MAX / 2)
        return NULL;
    area = atomic_exchange(&first_used, true)
               ? __trod_os_map(__trod_profile.page + size)
               : &first;
    if (!area)
        return NULL;
    atomic_init(&area->owner, owner);
    atomic_init(&area->place, TROD_BLANK);
    return area;
}

static void publish(struct trod_area *area)
{
    area->older = atomic_load(&newest);
    while (!atomic_compare_exchange_weak(&newest, &area->older, area))
        ;
}

/* If the process id is not the one we know, this is a child of vfork or clone. Either it shares our
 * memory, so that its area is also in use by the parent's thread; or it has a copy, and would
 * interfere with the parent when it writes to the parent's file. Its counts stay in memory.
 */
struct trod_area *__trod_area_claim(bool open, struct trod_area *before)
{
    uint32_t me = __trod_os_tid();
    /* The first thread of a process has its id. */
    bool stranger = me != __trod_profile.pid && __trod_os_pid() != __trod_profile.pid;
    struct trod_area *area = stranger ? NULL : find_free(me, !before);
    bool fresh = !area;

    if (fresh)
        area = build(stranger ? TROD_FOREVER : me);
    if (!area)
        return NULL;
    clear_old(area);
    area->before = before;
    if (atomic_load(&area->place) == TROD_BLANK &&
        !__trod_area_attach(area, open && !stranger))
        return NULL;
    if (fresh)
        publish(area);
    return area;
}

/* After this, the parent's file must not receive another count, and all addresses must stay valid:
 * frames of the forking thread and of coroutines continue to use them.
 */
void __trod_area_fork(struct trod_area *mine)
{
    struct trod_area *area;

    for (area = atomic_load(&newest); area; area = area->older) {
        __trod_os_map_zeros(section_of(area), size_of_section());
        atomic_store(&area->place, TROD_BLANK);
        atomic_store(&area->owner, TROD_NOBODY);
    }
    /* The only thread of a new process has its id. */
    for (area = mine; area; area = area->before)
        atomic_store(&area->owner, __trod_profile.pid);
    atomic_store(&cursor, NULL);
}

/* --- at the end ------------------------------------------------------------------- */

static bool is_zero(const uint64_t *counter, uint64_t count)
{
    uint64_t i;

    for (i = 0; i < count; i++) {
        if (counter[i])
            return false;
    }
    return true;
}

/* The head is written last, so that readers never take a partial section for a complete one. */
static bool write_counts(int fd, const uint64_t *counter, uint32_t thread)
{
    uint64_t ncounter = trod_payload() / sizeof *counter, size = size_of_section();
    uint64_t offset = __trod_take(size), i;

    for (i = 0; i < ncounter; i += CHUNK) {
        uint64_t count = ncounter - i < CHUNK ? ncounter - i : CHUNK;

        if (is_zero(counter + i, count))
            continue;
        if (__trod_os_write_at(fd, counter + i, count * sizeof *counter,
                offset + sizeof(struct trod_format_head) + i * sizeof *counter))
            return false;
    }
    if (size > sizeof(struct trod_format_head) + trod_payload() &&
        __trod_os_write_at(fd, "", 1, offset + size - 1))
        return false;
    return !__trod_put_live_head(
        fd, offset, TROD_SECTION_COUNTS, trod_payload(), thread);
}

static void write_area(
    int fd, const uint64_t *counter, uint32_t *nprivate, uint32_t *nlost)
{
    if (is_zero(counter, trod_payload() / sizeof *counter))
        return;
    ++*nprivate;
    if (fd < 0 || !write_counts(fd, counter, next_number()))
        ++*nlost;
}

bool __trod_area_all_in_file(void)
{
    struct trod_area *area;

    for (area = atomic_load(&newest); area; area = area->older) {
        if (atomic_load(&area->place) != TROD_IN_FILE)
            return false;
    }
    return !atomic_load(&__trod_profile.counts_in_section);
}

void __trod_area_write(int fd, uint32_t *nprivate, uint32_t *nlost)
{
    struct trod_area *area;

    *nprivate = *nlost = 0;
    for (area = atomic_load(&newest); area; area = area->older) {
        if (atomic_load(&area->place) != TROD_IN_FILE)
            write_area(fd,
                (const uint64_t *)(section_of(area) + sizeof(struct trod_format_head)),
                nprivate, nlost);
    }
    if (atomic_load(&__trod_profile.counts_in_section))
        write_area(fd, __start___trod_cnt, nprivate, nlost);
}

bool __trod_area_flush(void)
{
    struct trod_area *area;
    bool whole = !atomic_load(&__trod_profile.counts_in_section);

    for (area = atomic_load(&newest); area; area = area->older) {
        uint32_t place = atomic_load(&area->place);

        if (place == TROD_PRIVATE)
            whole = false;
        if (place == TROD_IN_FILE &&
            __trod_os_flush_map(section_of(area), size_of_section()))
            whole = false;
    }
    return whole;
}

void __trod_area_release(void)
{
    struct trod_area *area = atomic_load(&newest), *older;
    uint32_t me = __trod_os_tid(), taken;

    atomic_store(&newest, NULL);
    atomic_store(&cursor, NULL);
    for (; area; area = older) {
        older = area->older;
        if (!__trod_inherit(&area->owner, me, true))
            continue;
        taken = area->taken;
        if (area == &first)
            __trod_os_unmap(section_of(area), size_of_section());
        else
            __trod_os_unmap(area, __trod_profile.page + size_of_section());
        __trod_shared_release(taken);
    }
}
