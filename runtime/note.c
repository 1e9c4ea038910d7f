#include "runtime.h"

/* The keys, as in format.h, of notes that concern readers of the profile; NULL: for the log only. */
static const char *const key_of_note[] = {
    [TROD_NOTE_PRIVATE] = "private",
    [TROD_NOTE_SHARED] = "shared",
    [TROD_NOTE_DROPPED] = "dropped",
    [TROD_NOTE_UNRECORDED] = "unrecorded",
    [TROD_NOTE_GIVEN] = "given",
    [TROD_NOTE_UNSAMPLED] = "unsampled",
    [TROD_NOTE_TICKER] = "unsampled",
    [TROD_NOTE_NONE] = NULL,
    [TROD_NOTE_LOST] = NULL,
    [TROD_NOTE_UNENDED] = NULL,
    [TROD_NOTE_ONLINE] = NULL,
    [TROD_NOTE_BURST] = NULL,
    [TROD_NOTE_TRACE] = NULL,
    [TROD_NOTE_REFS] = "refs",
    [TROD_NOTE_CONTROLLED] = "controlled",
    [TROD_NOTE_RESET] = "reset",
    [TROD_NOTE_BUDGET] = "budget",
    [TROD_NOTE_ABSENT] = "unmetered",
    [TROD_NOTE_FORBIDDEN] = "unmetered",
    [TROD_NOTE_FILTERED] = "unmetered",
    [TROD_NOTE_UNMAPPED] = "unmetered",
    [TROD_NOTE_UNREADABLE] = "unmetered",
    [TROD_NOTE_BUSY] = "unmetered",
    [TROD_NOTE_UNMETERED] = "unmetered",
};

static const char *const text_of_note[] = {
    [TROD_NOTE_PRIVATE] =
        "counts of some threads stay in memory until the program ends",
    [TROD_NOTE_SHARED] = "no memory for a thread's own counters: threads share them",
    [TROD_NOTE_DROPPED] =
        "functions whose counters are not in the section are left out",
    [TROD_NOTE_UNRECORDED] = "no memory for more untested paths: some are not recorded",
    [TROD_NOTE_GIVEN] = "no space for more steps: the rest of a thread is not recorded",
    [TROD_NOTE_UNSAMPLED] = "no space for samples: a thread is not sampled",
    [TROD_NOTE_TICKER] = "the timer thread cannot be started: nothing is sampled",
    [TROD_NOTE_NONE] =
        "no profile can be created; the next attempt is at the program's end",
    [TROD_NOTE_LOST] = "counts in memory could not be written and are lost",
    [TROD_NOTE_UNENDED] = "the end could not be written; the counts are complete",
    [TROD_NOTE_ONLINE] = "TROD_ONLINE is invalid and has no effect",
    [TROD_NOTE_BURST] = "TROD_BURST is invalid, or a part of it has no effect",
    [TROD_NOTE_TRACE] = "TROD_BLOCKS cannot be written: the trace of blocks ends early",
    [TROD_NOTE_REFS] = "no space for more references: some are not written",
    [TROD_NOTE_CONTROLLED] =
        "sampling was changed while the program ran: counts have weights of their time",
    [TROD_NOTE_RESET] = "counts were set to 0 while the program ran",
    [TROD_NOTE_BUDGET] = "the checks alone take about ",
    [TROD_NOTE_ABSENT] =
        "the processor, or the virtual machine, does not offer such a counter",
    [TROD_NOTE_FORBIDDEN] =
        ("the kernel does not permit it; set the sysctl kernel.perf_event_paranoid to 2 "
         "or less, or give the program CAP_PERFMON"),
    [TROD_NOTE_FILTERED] =
        ("the program runs under a seccomp filter, which might end it for asking; run it "
         "without one"),
    [TROD_NOTE_UNMAPPED] =
        "the kernel maps no more counters; raise the sysctl kernel.perf_event_mlock_kb",
#ifdef __x86_64__
    [TROD_NOTE_UNREADABLE] = ("only the kernel may read the counter; write 1 to "
                              "/sys/bus/event_source/devices/cpu/rdpmc"),
#else
    [TROD_NOTE_UNREADABLE] = "trod reads counters of x86-64 processors only",
#endif
    [TROD_NOTE_BUSY] =
        "no counter of the processor is free; name fewer metrics, or end other profilers",
    [TROD_NOTE_UNMETERED] = "the kernel does not offer a counter",
};

/* Metrics of each note from TROD_NOTE_ABSENT on. A thread that adds to one at the same time may be in the note of another. */
static _Atomic uint64_t refused[TROD_NOTE_UNMETERED - TROD_NOTE_ABSENT + 1];

/* Of TROD_NOTE_BUDGET: shares, in thousandths and in millionths. Of two threads at the same time, one says its own. */
static uint64_t checks_share, budget_share;

static void put_percent(struct trod_stream *stream, uint64_t thousandths)
{
    __trod_put_uint(stream, thousandths / 10, 1);
    __trod_put_text(stream, ".");
    __trod_put_uint(stream, thousandths % 10, 1);
    __trod_put_text(stream, " %");
}

/* "cycles, branches: " */
static void put_metrics(struct trod_stream *stream, uint64_t metrics)
{
    uint32_t metric;
    bool later = false;

    for (metric = 0; metric < TROD_METERS; metric++) {
        if (!(metrics >> metric & 1))
            continue;
        if (later)
            __trod_put_text(stream, ", ");
        __trod_put_text(stream, trod_meter_name(metric));
        later = true;
    }
    __trod_put_text(stream, ": ");
}

static void put_reason(struct trod_stream *stream, enum trod_note note, int error)
{
    const char *name = __trod_os_error_name(-error);

    if (note >= TROD_NOTE_ABSENT)
        put_metrics(stream, atomic_load(&refused[note - TROD_NOTE_ABSENT]));
    __trod_put_text(stream, text_of_note[note]);
    if (note == TROD_NOTE_BUDGET) {
        put_percent(stream, checks_share);
        __trod_put_text(stream, ", above the budget of ");
        put_percent(stream, budget_share / 1000);
        __trod_put_text(stream, ": samples are as few as can be");
    }
    if (error) {
        __trod_put_text(stream, " (");
        __trod_put_text(stream, *name ? name : "error ");
        if (!*name)
            __trod_put_uint(stream, (uint64_t)-error, 1);
        __trod_put_text(stream, ")");
    }
    __trod_put_text(stream, "\n");
}

/* Opened each time: the program may close or redirect any descriptor. */
static int open_log(const char *name)
{
    return name[0] == '/' ? __trod_os_open(name, TROD_OS_APPEND)
                          : __trod_os_copy_fd(name[0] - '0', 3);
}

enum { LOG_NAME = 200 }; /* characters of the profile's name, up to four bytes each */

/* One write, so that lines of several processes are not interleaved. */
static void put_log(enum trod_note note, int error)
{
    struct trod_stream line;
    uint8_t bytes[1024];
    int fd;

    if (!__trod_name_log()[0])
        return;
    fd = open_log(__trod_name_log());
    if (fd < 0)
        return;
    __trod_stream_begin(&line, -1, 0, 0, bytes, sizeof bytes);
    __trod_put_text(&line, "trod: process ");
    __trod_put_uint(&line, __trod_profile.pid, 1);
    __trod_put_text(&line, ": ");
    if (__trod_profile.name[0]) {
        size_t length = 0;

        while (length < LOG_NAME && __trod_profile.name[length])
            length++;
        __trod_put_escaped(&line, __trod_profile.name, length);
        __trod_put_text(&line, ": ");
    }
    put_reason(&line, note, error);
    if (!line.error)
        __trod_os_write(fd, bytes, line.used);
    __trod_os_close(fd);
}

/* Writes a new note to the log. Returns whether it goes to the profile, too. */
static bool is_news(enum trod_note note, int error)
{
    uint32_t bit = UINT32_C(1) << note;

    if (atomic_fetch_or(&__trod_profile.said, bit) & bit)
        return false;
    put_log(note, error);
    return key_of_note[note] && (!__trod_profile.shared || __trod_shared_note(bit));
}

static void put_line(struct trod_stream *stream, enum trod_note note, int error)
{
    __trod_put_text(stream, key_of_note[note]);
    __trod_put_text(stream, " ");
    put_reason(stream, note, error);
}

/* Written to the reserved page. A process that dies here leaves a damaged NOTE, which readers
 * recognise. Of two threads at the same time, one may lose its line.
 */
static void put_in_kept(enum trod_note note, int error)
{
    uint8_t *page = __trod_profile.kept, *at;
    size_t used = __trod_profile.nkept, i;
    struct trod_stream line;
    uint8_t bytes[512];

    if (!page || __trod_profile.pid != __trod_os_pid())
        return;
    __trod_stream_begin(&line, -1, 0, 0, bytes, sizeof bytes);
    put_line(&line, note, error);
    at = page + sizeof(struct trod_format_head);
    if (line.error ||
        used + line.used > __trod_profile.page - sizeof(struct trod_format_head))
        return;
    for (i = 0; i < line.used; i++)
        ((volatile uint8_t *)at)[used + i] = bytes[i];
    __trod_profile.nkept = used + line.used;
    __trod_put_kept(page, TROD_SECTION_NOTE, used + line.used);
}

static bool put_note(enum trod_note note, int fd, int error, uint64_t offset)
{
    struct trod_stream section;
    uint8_t bytes[128];

    __trod_stream_begin(&section, fd, TROD_SECTION_NOTE, offset, bytes, sizeof bytes);
    put_line(&section, note, error);
    return __trod_stream_end(&section) >= 0;
}

void __trod_note(enum trod_note note, int fd, int error)
{
    uint64_t offset;

    if (!is_news(note, error))
        return;
    if (note != TROD_NOTE_GIVEN && fd >= 0) {
        offset = __trod_take(__trod_profile.page);
        if (put_note(note, fd, error, offset))
            return;
        __trod_give_back(offset, __trod_profile.page);
    }
    put_in_kept(note, error);
}

void __trod_note_budget(int fd, uint64_t checks, uint64_t budget)
{
    checks_share = checks;
    budget_share = budget;
    __trod_note(TROD_NOTE_BUDGET, fd, 0);
}

void __trod_note_metrics(enum trod_note note, uint64_t metrics, int error)
{
    atomic_fetch_or(&refused[note - TROD_NOTE_ABSENT], metrics);
    __trod_note(note, -1, error);
}

bool __trod_note_at(enum trod_note note, int fd, int error, uint64_t offset)
{
    if (!is_news(note, error))
        return false;
    if (put_note(note, fd, error, offset))
        return true;
    put_in_kept(note, error);
    return false;
}
