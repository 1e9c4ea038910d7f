#include "runtime.h"

/* Threads end without notice. What a thread owned can be taken over by the next that needs it. The
 * owner word has the number of changes of owner in its upper half, and the thread's id in the
 * lower: if an id is reused after we looked, the word differs. An owner with my own id has ended,
 * as long as I own none.
 */
bool __trod_inherit(_Atomic uint64_t *of, uint32_t me, bool have_none)
{
    uint64_t owner = atomic_load(of);
    uint32_t tid = (uint32_t)owner;

    if (tid == TROD_FOREVER || (tid == me && !have_none))
        return false;
    if (tid != TROD_NOBODY && tid != me &&
        !__trod_os_thread_gone(__trod_profile.pid, tid))
        return false;
    return atomic_compare_exchange_strong(of, &owner, ((owner >> 32) + 1) << 32 | me);
}

/* --- state that a child restores ----------------------------------------------------------- */

static void copy_words(void *to, const void *from, size_t size)
{
    size_t i;

    for (i = 0; i < size / sizeof(uint64_t); i++)
        ((volatile uint64_t *)to)[i] = ((const volatile uint64_t *)from)[i];
}

static void drop_copy(struct trod_kept *kept)
{
    if (kept->copy)
        __trod_os_unmap(kept->copy, kept->size);
    kept->copy = NULL;
}

void __trod_keep(struct trod_kept *kept, const void *section, size_t size)
{
    drop_copy(kept);
    kept->nforking++;
    kept->size = size;
    kept->copy = __trod_os_map(size);
    if (kept->copy)
        copy_words(kept->copy, section, size);
}

bool __trod_keep_no_more(struct trod_kept *kept)
{
    if (!kept->nforking)
        return false;
    kept->nforking--;
    if (kept->nforking)
        return false;
    drop_copy(kept);
    return true;
}

void __trod_take_back(struct trod_kept *kept, void *section, size_t size)
{
    kept->nforking = 0;
    if (!kept->copy)
        return;
    __trod_os_map_zeros(section, size);
    copy_words(section, kept->copy, kept->size);
    drop_copy(kept);
}

/* --- shared helpers -------------------------------------------------------------------------- */

uint64_t __trod_seed(const uint64_t *said, uint32_t thread)
{
    struct trod_os_time now = __trod_os_date();

    if (said)
        return *said + thread * UINT64_C(0x9e3779b97f4a7c15);
    return now.seconds * 1000000007 ^ (uint64_t)now.nanoseconds << 20 ^
           (uint64_t)__trod_profile.pid << 40 ^ __trod_os_tid();
}

/* Reserve disk space first: otherwise a touch raises SIGBUS when the disk is full. */
int __trod_map_section(
    uint64_t *offset, int fd, void *at, uint64_t size, enum trod_note note)
{
    int error;

    *offset = __trod_take(size);
    error = __trod_name_sparse() ? __trod_os_write_at(fd, "", 1, *offset + size - 1)
                                 : __trod_os_reserve(fd, *offset, size);
    if (!error)
        error = __trod_os_map_file(at, size, fd, *offset);
    if (error) {
        uint64_t used =
            __trod_note_at(note, fd, error, *offset) ? __trod_profile.page : 0;

        __trod_give_back(*offset + used, size - used);
    }
    return error;
}
