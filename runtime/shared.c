#include "runtime.h"

/* One file for all processes of an image. See TROD_SECTION_SHARED in trod/format.h.
 *
 * No process waits for another. A process that is killed at any point leaves an area whose owner
 * has ended, or room in the file that stays unused.
 */

#define ADD(word, by) __atomic_fetch_add(&(word), (by), __ATOMIC_SEQ_CST)
#define GET(word) __atomic_load_n(&(word), __ATOMIC_SEQ_CST)

static uint64_t size_of_section(void)
{
    return trod_format_live_size(
        sizeof(struct trod_format_shared), __trod_profile.page);
}

/* --- which processes may use it ------------------------------------------------------ */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Without a build id: a hash of the functions, including the places of their counters. */
static uint64_t hash_image(const struct trod_image *image)
{
    uint64_t hash = mix(image->nid, trod_payload());
    const struct trod_rt_function *f;
    size_t i;

    for (i = 0; i < image->nid; i++)
        hash = mix(hash, image->id[i]);
    for (f = __start___trod_fn;
        !image->nid && (uintptr_t)f < (uintptr_t)__stop___trod_fn; f++)
        hash = mix(mix(mix(mix(hash, f->name), f->graph), f->cuts), f->npath);
    return hash;
}

/* Steps, samples and bursts belong to one process each. */
bool __trod_shared_is_wanted(void)
{
    return __trod_name_shared() && !trod_is_there(&__trod_records) &&
           !trod_is_there(__trod_online) && !trod_is_there(__trod_burst);
}

/* --- creating and joining -------------------------------------------------------------- */

int64_t __trod_shared_put(int fd, uint64_t offset)
{
    uint64_t size = size_of_section();
    int error;

    if (!__trod_os_is_local(fd) || !__trod_os_home())
        return 0;
    error = __trod_os_reserve(fd, offset, size);
    if (!error)
        error = __trod_put_live_head(
            fd, offset, TROD_SECTION_SHARED, sizeof(struct trod_format_shared), 0);
    return error ? error : (int64_t)size;
}

/* The header of the file and the section behind it. */
static uint64_t size_of_front(void)
{
    return __trod_profile.page + size_of_section();
}

static void *map_front(int fd)
{
    return __trod_os_map_new(size_of_front(), fd, 0);
}

static void enter(void *front, uint64_t home)
{
    __trod_profile.home = home;
    __trod_profile.shared =
        (struct trod_format_shared *)((char *)front + __trod_profile.page +
                                      sizeof(struct trod_format_head));
}

/* File systems without a block device, as all network file systems are, have the major number 0. */
static bool is_on_disk(const struct trod_os_file *file)
{
    return file->device >> 8 & 0xfff || file->device >> 44;
}

/* Identifies a file on a disk; 0 for others. A copy of the file is another file. */
static uint32_t place_of(const struct trod_os_file *file)
{
    return is_on_disk(file) ? (uint32_t)mix(mix(0, file->device), file->inode) | 1 : 0;
}

/* The process that created the file found its file system local. It is the same here if the file has the same
 * number on a block device: that is the same device.
 */
static bool is_local(
    int fd, const struct trod_os_file *file, const struct trod_format_shared *shared)
{
    uint32_t place = place_of(file);

    return (place && place == shared->place) || __trod_os_is_local(fd);
}

int __trod_shared_open(int fd, const struct trod_image *image, uint64_t end)
{
    void *front = map_front(fd);

    if (!front)
        return TROD_OS_NO_MEMORY;
    enter(front, __trod_os_home());
    __trod_profile.shared->image = hash_image(image);
    __trod_profile.shared->place = place_of(&__trod_profile.file);
    __trod_profile.shared->nstarted = 1;
    __atomic_store_n(&__trod_profile.shared->end, end, __ATOMIC_SEQ_CST);
    return 0;
}

/* The file may be shorter than its end says: other processes are about to append. */
static bool is_sound(const char *front, const struct trod_image *image, int fd,
    const struct trod_os_file *file)
{
    const struct trod_format_head *head = (const void *)(front + __trod_profile.page);
    const struct trod_format_shared *shared = (const void *)(head + 1);

    return head->magic == TROD_SECTION_MAGIC && head->type == TROD_SECTION_SHARED &&
           head->payload == sizeof *shared && head->size == size_of_section() &&
           head->checksum ==
               __trod_crc(0, head, offsetof(struct trod_format_head, checksum)) &&
           shared->image == hash_image(image) &&
           GET(shared->end) % __trod_profile.page == 0 && is_local(fd, file, shared);
}

static bool is_header(const struct trod_format_header *header)
{
    static const char magic[] = TROD_FORMAT_MAGIC;
    unsigned i;

    for (i = 0; i < sizeof header->magic; i++) {
        if (header->magic[i] != (uint8_t)magic[i])
            return false;
    }
    return header->version == TROD_FORMAT_VERSION && header->kind == TROD_FORMAT_LIVE &&
           header->first == __trod_profile.page &&
           header->checksum ==
               __trod_crc(0, header, offsetof(struct trod_format_header, checksum));
}

/* A file is used only if it certainly belongs to this image. */
int __trod_shared_join(const char *name, const struct trod_image *image)
{
    int fd = __trod_os_open(name, TROD_OS_UPDATE);
    struct trod_os_file file;
    uint64_t home = 0;
    void *front = NULL;

    if (fd >= 0 && !__trod_os_identify_own(&file, fd) && file.size >= size_of_front())
        home = __trod_os_home();
    if (home)
        front = map_front(fd);
    if (front && is_header(front) && is_sound(front, image, fd, &file)) {
        __trod_profile.file = file;
        enter(front, home);
        ADD(__trod_profile.shared->nstarted, 1);
        return fd;
    }
    if (front)
        __trod_os_unmap(front, size_of_front());
    if (fd >= 0)
        __trod_os_close(fd);
    return fd == TROD_OS_NO_FOLDER ? fd : TROD_OS_TAKEN;
}

void __trod_shared_close(void)
{
    struct trod_format_shared *shared = __trod_profile.shared;

    __trod_profile.shared = NULL;
    if (shared)
        __trod_os_unmap(
            (char *)shared - sizeof(struct trod_format_head) - __trod_profile.page,
            size_of_front());
}

void __trod_shared_leave(void)
{
    __atomic_fetch_sub(&__trod_profile.shared->nstarted, 1, __ATOMIC_SEQ_CST);
    __trod_shared_close();
}

void __trod_shared_forked(void)
{
    ADD(__trod_profile.shared->nstarted, 1);
}

/* --- areas ------------------------------------------------------------------------------ */

/* Entries to look at; of their owners, how many to ask the kernel for, and how many of those that exist to read the
 * status of: one call, and three. Where most owners live, some areas are not found and a new one is made, until
 * there are several times as many as processes that live at one time. Their table must not get full.
 */
enum { PROBES = 64, ASKED = 4, READ = 1 };

struct search {
    uint32_t nasked, nread; /* still allowed */
};

/* The parent of a new process has hardly ended: its child does not ask. */
static bool has_ended(struct search *search, uint32_t pid)
{
    if (pid == __trod_profile.pid || pid == __trod_profile.parent || !search->nasked)
        return false;
    search->nasked--;
    if (__trod_os_process_unknown(pid))
        return true;
    if (!search->nread)
        return false;
    search->nread--;
    return __trod_os_process_ended(pid);
}

static bool inherit(struct search *search, struct trod_format_shared_area *area)
{
    uint64_t owner = GET(area->owner), mine;
    uint32_t pid = (uint32_t)owner;

    if (!GET(area->offset) || area->home != __trod_profile.home ||
        (pid && !has_ended(search, pid)))
        return false;
    mine = ((owner >> 32) + 1) << 32 | __trod_profile.pid;
    return __atomic_compare_exchange_n(
        &area->owner, &owner, mine, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* Is the section inside the file, whatever its entry says? Files only grow: the size is asked for again where the one
 * known does not suffice.
 */
static bool is_inside(int fd, uint64_t offset, uint64_t size)
{
    struct trod_os_file now = __trod_profile.file;

    if (offset % __trod_profile.page || offset > UINT64_MAX - size)
        return false;
    return offset + size <= now.size ||
           (!__trod_os_identify(&now, fd) && offset + size <= now.size);
}

uint64_t __trod_shared_inherit(uint32_t *taken, int fd, uint64_t size)
{
    struct trod_format_shared *shared = __trod_profile.shared;
    struct search search = {ASKED, READ};
    uint32_t n = GET(shared->narea), first, i;

    if (n > TROD_SHARED_AREAS)
        n = TROD_SHARED_AREAS;
    if (n > TROD_SHARED_AREAS / 2)
        search.nasked = search.nread = PROBES;
    /* Processes that start at the same time begin at different entries. */
    first = n ? __trod_profile.pid % n : 0;
    for (i = 0; i < n && i < PROBES; i++) {
        struct trod_format_shared_area *area = &shared->area[(first + i) % n];

        if (!inherit(&search, area))
            continue;
        if (!is_inside(fd, area->offset, size))
            return 0;
        *taken = (first + i) % n + 1;
        return area->offset;
    }
    return 0;
}

void __trod_shared_add(uint32_t *taken, uint64_t offset)
{
    struct trod_format_shared *shared = __trod_profile.shared;
    uint32_t at = GET(shared->narea) < TROD_SHARED_AREAS ? ADD(shared->narea, 1)
                                                         : TROD_SHARED_AREAS;

    if (at >= TROD_SHARED_AREAS)
        return; /* other processes cannot take it over */
    shared->area[at].home = __trod_profile.home;
    __atomic_store_n(&shared->area[at].owner, __trod_profile.pid, __ATOMIC_SEQ_CST);
    __atomic_store_n(&shared->area[at].offset, offset, __ATOMIC_SEQ_CST);
    *taken = at + 1;
}

void __trod_shared_release(uint32_t taken)
{
    if (__trod_profile.shared && taken)
        __atomic_and_fetch(&__trod_profile.shared->area[taken - 1].owner,
            ~(uint64_t)UINT32_MAX, __ATOMIC_SEQ_CST);
}

uint32_t __trod_shared_number(void)
{
    return ADD(__trod_profile.shared->ncounts, 1);
}

/* --- notes and the end of the process ---------------------------------------------------- */

bool __trod_shared_note(uint32_t bit)
{
    return !(
        __atomic_fetch_or(&__trod_profile.shared->noted, bit, __ATOMIC_SEQ_CST) & bit);
}

/* False if there is no room. */
static bool add_stop(const struct trod_stop *stop)
{
    struct trod_format_shared_stop *of = __trod_profile.shared->stop;
    uint64_t place = stop->offset + 1;
    uint32_t at = (uint32_t)(place * UINT64_C(0x9e3779b97f4a7c15) >> 40), i;

    for (i = 0; i < TROD_SHARED_STOPS; i++) {
        struct trod_format_shared_stop *s = &of[(at + i) % TROD_SHARED_STOPS];
        uint64_t free = 0;

        if (GET(s->place) == place ||
            __atomic_compare_exchange_n(
                &s->place, &free, place, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ||
            free == place) {
            ADD(s->times, stop->times);
            return true;
        }
    }
    return false;
}

void __trod_shared_end(const struct trod_stops *stops, uint64_t duration,
    uint32_t nprivate, uint32_t nlost)
{
    struct trod_format_shared *shared = __trod_profile.shared;
    bool whole = stops->whole;
    uint32_t i;

    for (i = 0; i < stops->count; i++) {
        if (!add_stop(&stops->stop[i]))
            whole = false;
    }
    ADD(shared->npart, whole ? 0 : 1);
    ADD(shared->duration, duration);
    ADD(shared->nprivate, nprivate);
    ADD(shared->nlost, nlost);
    ADD(shared->nunrecorded, atomic_load(&__trod_profile.nunrecorded));
    ADD(shared->nended, 1);
}
