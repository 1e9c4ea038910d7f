#include "control.h"

/* Programs refer to it weakly, as trod/control.h says, and that takes nothing out of an archive. */
int trod_rt_control(int action, uint64_t value);
__attribute__((used)) static int (*const self)(int, uint64_t) = trod_rt_control;

struct trod_format_control *__trod_control;

/* The last setting that was followed here, or in the parent of this process. Its sequence is as in a block; 0: none. */
static struct trod_format_control last;
static uint64_t first = 2; /* the first sequence */

/* --- settings --------------------------------------------------------------------------------- */

static uint32_t check_of(const struct trod_format_control *c)
{
    return __trod_crc(0, c, TROD_CONTROL_CHECKED);
}

void __trod_control_copy(void *to, const void *from, size_t size)
{
    size_t i;

    for (i = 0; i < size; i++) /* volatile: avoids memcpy */
        ((volatile uint8_t *)to)[i] = ((const volatile uint8_t *)from)[i];
}

uint64_t __trod_control_first(void)
{
    return first;
}

/* Writers make the sequence odd, write, and make it even again. Returns it; 0: this is happening now. */
static uint64_t take(
    struct trod_format_control *out, const struct trod_format_control *from)
{
    uint64_t sequence = __atomic_load_n(&from->sequence, __ATOMIC_ACQUIRE);

    if (sequence & 1)
        return 0;
    __trod_control_copy(out, from, offsetof(struct trod_format_control, kind));
    atomic_thread_fence(memory_order_acquire);
    return __atomic_load_n(&from->sequence, __ATOMIC_RELAXED) == sequence &&
                   out->sequence == sequence
               ? sequence
               : 0;
}

bool __trod_control_read(struct trod_format_setting *out, uint64_t *heard)
{
    struct trod_format_control seen;
    uint64_t sequence = __trod_control ? take(&seen, __trod_control) : 0;

    if (!sequence)
        return false;
    *heard = sequence;
    if (seen.check != check_of(&seen)) {
        __trod_control_ignored(sequence);
        return false;
    }
    __trod_control_copy(out, &seen.setting, sizeof *out);
    return true;
}

bool __trod_control_last(struct trod_format_setting *out, uint64_t *heard)
{
    struct trod_format_control seen;
    uint64_t sequence = take(&seen, &last);

    if (!sequence)
        return false;
    *heard = sequence;
    __trod_control_copy(out, &seen.setting, sizeof *out);
    return true;
}

/* Of two threads at the same time, one keeps its setting; both are as good. */
static void keep(const struct trod_format_setting *setting, uint64_t sequence)
{
    uint64_t was = __atomic_load_n(&last.sequence, __ATOMIC_RELAXED);

    if (was & 1 || was == sequence ||
        !__atomic_compare_exchange_n(
            &last.sequence, &was, was | 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    __trod_control_copy(&last.setting, setting, sizeof *setting);
    __atomic_store_n(&last.sequence, sequence, __ATOMIC_RELEASE);
}

void __trod_control_followed(const struct trod_format_setting *setting, uint64_t heard)
{
    keep(setting, heard);
    if (!__trod_control)
        return;
    __trod_control->nreset = setting->nreset;
    __atomic_store_n(&__trod_control->heard, heard, __ATOMIC_RELEASE);
}

void __trod_control_ignored(uint64_t heard)
{
    if (__trod_control)
        __atomic_store_n(&__trod_control->ignored, heard, __ATOMIC_RELEASE);
}

void __trod_control_note(bool reset)
{
    enum trod_note note = reset ? TROD_NOTE_RESET : TROD_NOTE_CONTROLLED;
    int fd = __trod_borrow();

    __trod_note(note, fd < 0 ? -1 : fd, 0);
    if (fd >= 0)
        __trod_give_fd(fd);
}

/* --- budgets -------------------------------------------------------------------------------------- */

/* In thousandths. */
static uint64_t thousandths(uint64_t part, uint64_t whole)
{
    return whole ? part / (whole / 1000 + 1) : 0;
}

void __trod_budget_note(const struct trod_budget *b)
{
    struct trod_os_calm calm;
    int fd;

    __trod_os_calm(&calm);
    fd = __trod_borrow();
    __trod_note_budget(fd < 0 ? -1 : fd, thousandths(b->paid_floor, b->time), b->share);
    if (fd >= 0)
        __trod_give_fd(fd);
    __trod_os_resume(&calm);
}

/* --- the section -------------------------------------------------------------------------------- */

static uint64_t size_of_section(void)
{
    return trod_format_live_size(
        sizeof(struct trod_format_control), __trod_profile.page);
}

static void fill(struct trod_format_control *block)
{
    if (trod_is_there((const void *)(uintptr_t)__trod_burst_settle))
        __trod_burst_settle(block);
    if (trod_is_there((const void *)(uintptr_t)__trod_online_settle))
        __trod_online_settle(block);
    block->pid = __trod_profile.pid;
    __trod_control_last(&block->setting, &first);
    block->nreset = block->setting.nreset;
    block->sequence = block->heard = first;
    block->check = check_of(block);
}

/* Its place is given back if there is no room for it: then the program cannot be controlled. */
static void *map_section(int fd, uint64_t offset)
{
    uint64_t size = size_of_section();
    char *section = NULL;

    if (!__trod_os_reserve(fd, offset, size))
        section = __trod_os_map_new(size, fd, offset);
    if (!section)
        __trod_give_back(offset, size);
    return section;
}

void __trod_control_open(int fd)
{
    uint64_t offset = __trod_take(size_of_section());
    char *section = map_section(fd, offset);
    struct trod_format_control *block;

    if (!section)
        return;
    block = (void *)(section + sizeof(struct trod_format_head));
    fill(block);
    if (__trod_put_live_head(fd, offset, TROD_SECTION_CONTROL, sizeof *block, 0)) {
        __trod_os_unmap(section, size_of_section());
        return;
    }
    __atomic_store_n(&__trod_control, block, __ATOMIC_RELEASE);
}

/* In a child of fork: the block is the parent's. Another thread may have been keeping a setting. */
void __trod_control_fork(void)
{
    if (last.sequence & 1)
        last.sequence = 0;
    if (last.sequence)
        first = last.sequence;
    if (__trod_control)
        __trod_os_unmap((char *)__trod_control - sizeof(struct trod_format_head),
            size_of_section());
    __trod_control = NULL;
}
