#include "control.h"

#include "trod/control.h"

/* The program controls itself. It writes into the same block as others do; two at the same time do not wait. */

enum { TRIES = 1000 };

#define MOST_F (UINT64_C(1) << 40)
#define MOST_RATE UINT64_C(100000000)

/* The setting is asked for again and again: another writer needs an instant. 0: it does not end. */
static uint64_t begin(struct trod_format_control *block)
{
    int i;

    for (i = 0; i < TRIES; i++) {
        uint64_t was = __atomic_load_n(&block->sequence, __ATOMIC_RELAXED);

        if (!(was & 1) && __atomic_compare_exchange_n(&block->sequence, &was, was + 1,
                              false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return was + 1;
    }
    return 0;
}

/* The check is of the sequence that the setting will have. */
static void put(struct trod_format_control *block,
    const struct trod_format_setting *setting, uint64_t sequence)
{
    struct trod_format_control next;

    next.sequence = sequence;
    __trod_control_copy(&next.setting, setting, sizeof *setting);
    __trod_control_copy(&block->setting, setting, sizeof *setting);
    block->check = __trod_crc(0, &next, TROD_CONTROL_CHECKED);
    __atomic_store_n(&block->sequence, sequence, __ATOMIC_RELEASE);
}

static bool set_rate(struct trod_format_setting *s,
    const struct trod_format_control *block, uint64_t rate)
{
    bool bursts = block->kind == TROD_CONTROL_BURST;
    unsigned i;

    if (!rate || rate > (bursts ? MOST_RATE : MOST_F) ||
        (bursts && block->trigger == TROD_BURST_FLAG))
        return false;
    for (i = 0; i < (bursts ? TROD_BURST_TYPES : 2); i++)
        s->rate[i] = rate;
    if (bursts)
        s->trigger = TROD_BURST_COUNT;
    return true;
}

static bool set(struct trod_format_setting *s, const struct trod_format_control *block,
    int action, uint64_t value)
{
    switch (action) {
    case TROD_CONTROL_OFF:
    case TROD_CONTROL_ON:
        s->on = action == TROD_CONTROL_ON;
        return true;
    case TROD_CONTROL_RATE:
        return set_rate(s, block, value);
    case TROD_CONTROL_RESET:
        s->nreset++;
        return true;
    default:
        return false;
    }
}

int trod_rt_control(int action, uint64_t value)
{
    struct trod_format_control *block;
    struct trod_format_setting s;
    struct trod_os_calm calm;
    uint64_t heard, odd;
    int status = -1;

    __trod_os_calm(&calm);
    block = __trod_control;
    if (__trod_control_read(&s, &heard) && set(&s, block, action, value)) {
        odd = begin(block);
        if (odd)
            put(block, &s, odd + 1);
        status = odd ? 0 : -1;
    }
    __trod_os_resume(&calm);
    return status;
}

/* --- snapshots ------------------------------------------------------------------------------------ */

enum { BLOCK = 4096 };

static bool is_zero(const uint64_t *word)
{
    unsigned i;

    for (i = 0; i < BLOCK / sizeof *word; i++)
        if (word[i])
            return false;
    return true;
}

/* Zeros become holes. */
static int copy_file(int to, const char *from, uint64_t size)
{
    uint64_t at;
    int error = 0;

    for (at = 0; at < size && !error; at += BLOCK)
        if (size - at < BLOCK || !is_zero((const void *)(from + at)))
            error = __trod_os_write_at(
                to, from + at, size - at < BLOCK ? size - at : BLOCK, at);
    if (!error)
        error = __trod_os_write_at(to, from + size - 1, 1, size - 1);
    return error;
}

/* Sections are valid at every moment, so a copy is, too. Files only grow. */
static int write_snapshot(int fd, const char *path)
{
    struct trod_os_file file;
    void *bytes;
    int to, error = __trod_os_identify(&file, fd);

    if (error || !file.size)
        return -1;
    bytes = __trod_os_map_new(file.size, fd, 0);
    if (!bytes)
        return -1;
    to = __trod_os_open(path, TROD_OS_CREATE);
    error = to < 0 ? to : copy_file(to, bytes, file.size);
    if (to >= 0)
        __trod_os_close(to);
    if (to >= 0 && error)
        __trod_os_unlink(path);
    __trod_os_unmap(bytes, file.size);
    return error ? -1 : 0;
}

int trod_rt_snapshot(const char *path)
{
    struct trod_os_calm calm;
    int status = -1, fd;

    __trod_os_calm(&calm);
    if (atomic_load(&__trod_profile.state) == TROD_OPEN) {
        fd = __trod_borrow();
        if (fd >= 0) {
            status = write_snapshot(fd, path);
            __trod_give_fd(fd);
        }
    }
    __trod_os_resume(&calm);
    return status;
}
