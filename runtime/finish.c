#include "runtime.h"

/* Defined here, so that any program that links the runtime also gets its constructor and destructor. */
struct trod_profile __trod_profile;
/* For images whose code does not refer to any other. */
struct trod_own __trod_own_of_all = {.shared = true};

/* The first constructor of the image and its last destructor: C++ objects are constructed and
 * destroyed in between. Priorities up to 100 are reserved for the compiler.
 */
enum { FIRST = 101 };

__attribute__((constructor(FIRST))) static void begin(void)
{
    struct trod_os_calm calm;

    if (!trod_payload() && !trod_is_there(&__trod_always))
        return; /* nothing in this image is counted */
    __trod_os_calm(&calm);
    __trod_prepare();
    __trod_os_on_fork(__trod_before_fork, __trod_after_fork, __trod_forked);
    __trod_own_prepare();
    trod_call(__trod_online_prepare);
    trod_call(__trod_burst_prepare);
    if (trod_is_there(&__trod_always))
        __trod_ready();
    __trod_os_resume(&calm);
    if (!trod_payload())
        return;
    if (trod_is_there(&__trod_seeks))
        __trod_enter();
    if (trod_is_there(&__trod_records))
        __trod_record_enter();
}

static struct trod_os_time ended; /* the clock when the destructor began */

static struct trod_os_time since(struct trod_os_time start)
{
    struct trod_os_time now = ended;

    now.seconds -= start.seconds;
    if (now.nanoseconds < start.nanoseconds) {
        now.seconds--;
        now.nanoseconds += 1000000000;
    }
    now.nanoseconds -= start.nanoseconds;
    return now;
}

static void put_number(struct trod_stream *stream, const char *key, uint64_t value)
{
    __trod_put_text(stream, key);
    __trod_put_uint(stream, value, 1);
    __trod_put_text(stream, "\n");
}

static void put_hex(struct trod_stream *stream, uint64_t value)
{
    char text[16];
    int i = 16;

    do {
        text[--i] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value);
    __trod_put(stream, text + i, (size_t)(16 - i));
}

static uintptr_t caller; /* return address of the destructor */

/* The positions of activations that are unfinished when the program ends. */
static void put_stops(struct trod_stream *stream)
{
    struct trod_stops stops;
    uint32_t i;

    __trod_unwind(&stops, caller);
    if (!stops.whole)
        __trod_put_text(stream, "stack part\n");
    for (i = 0; i < stops.count; i++) {
        __trod_put_text(stream, "stop ");
        put_hex(stream, stops.stop[i].offset);
        put_number(stream, " ", stops.stop[i].times);
    }
}

static void put_end_lines(struct trod_stream *stream, uint32_t nprivate, uint32_t nlost)
{
    __trod_put_text(stream, "exit order\nduration ");
    __trod_put_time(stream, since(__trod_profile.clock));
    __trod_put_text(stream, "\n");
    put_number(stream, "threads ", atomic_load(&__trod_profile.nthread));
    put_number(stream, "private ", nprivate);
    put_number(stream, "lost ", nlost);
    if (atomic_load(&__trod_profile.nunrecorded))
        put_number(stream, "unrecorded ", atomic_load(&__trod_profile.nunrecorded));
    if (trod_is_there(&__trod_records)) {
        put_number(stream, "recorded ", atomic_load(&__trod_profile.nrecorded));
        put_number(stream, "parts ", atomic_load(&__trod_profile.npart));
    }
    if (trod_is_there(__trod_online) || trod_is_there(__trod_burst))
        put_number(stream, "sampled ", atomic_load(&__trod_profile.nsampled));
    if (trod_is_there(__trod_record_ngiven) && __trod_record_ngiven())
        put_number(stream, "given ", __trod_record_ngiven());
    put_stops(stream);
}

/* In the reserved page, or in a new one if there is space. */
static bool put_end(int fd, uint32_t nprivate, uint32_t nlost)
{
    size_t head = sizeof(struct trod_format_head), page = __trod_profile.page;
    uint8_t *kept = __trod_profile.kept;
    struct trod_stream stream;
    uint8_t bytes[256];

    if (__trod_profile.shared) {
        struct trod_os_time lived = since(__trod_profile.clock);
        struct trod_stops stops;

        __trod_unwind(&stops, caller);
        __trod_shared_end(
            &stops, lived.seconds * 1000000000 + lived.nanoseconds, nprivate, nlost);
        return true;
    }
    if (kept) {
        __trod_stream_begin(&stream, -1, 0, 0, kept + page + head, page - head);
        put_end_lines(&stream, nprivate, nlost);
        __trod_put_kept(kept + page, TROD_SECTION_END, stream.used);
        if (!__trod_profile.nkept) /* no gap if no note was written */
            __trod_put_kept(kept, TROD_SECTION_NOTE, 0);
        return true;
    }
    if (fd < 0)
        return false;
    __trod_stream_begin(
        &stream, fd, TROD_SECTION_END, __trod_take(page), bytes, sizeof bytes);
    put_end_lines(&stream, nprivate, nlost);
    return __trod_stream_end(&stream) >= 0;
}

/* Try once more what failed earlier: space may have been freed, or a directory created. */
static bool start_again(void)
{
    uint32_t failed = TROD_FAILED;
    bool open;

    if (!atomic_compare_exchange_strong(&__trod_profile.state, &failed, TROD_STARTING))
        return failed == TROD_OPEN;
    open = __trod_start();
    __trod_started(open);
    return open;
}

static void close_profile(void)
{
    uint32_t nprivate, nlost;
    int fd;

    if (!__trod_ready() && !start_again()) {
        __trod_note(TROD_NOTE_LOST, -1, 0);
        return;
    }
    trod_call(__trod_online_finish);
    trod_call(__trod_heap_finish);
    trod_call(__trod_burst_finish);
    fd = __trod_profile.shared && __trod_area_all_in_file() ? -1 : __trod_borrow();
    __trod_area_write(fd, &nprivate, &nlost);
    if (nlost)
        __trod_note(TROD_NOTE_LOST, -1, 0);
    if (!put_end(fd, nprivate, nlost))
        __trod_note(TROD_NOTE_UNENDED, -1, 0);
    if (fd >= 0)
        __trod_give_fd(fd);
}

/* The program may continue for a while with other destructors and threads: its areas stay mapped,
 * and counts in the file remain valid. A library may be about to be unloaded: memory that no thread
 * can use any longer is released. Other threads keep theirs, because this may also be the end of
 * the program while they still run; after dlclose it is wasted address space.
 */
static void unload(void)
{
    struct trod_image image;
    struct trod_own *own;

    __trod_image_find(&image);
    if (!image.library)
        return;
    atomic_store(&__trod_profile.state, TROD_CLOSED);
    trod_call(__trod_ticker_stop);
    own = trod_own();
    own->emitted.thread = 0;
    own->recorder = NULL;
    __trod_own_release();
    if (!atomic_load(&__trod_profile.nentering)) {
        __trod_area_release();
        trod_call(__trod_record_release);
    }
    __trod_drop_fd();
    __trod_drop_kept();
    __trod_shared_close();
    __trod_os_forget_image();
}

/* Not for an unknown process: a vfork child that exits in its parent's memory. */
__attribute__((destructor(FIRST))) static void finish(void)
{
    struct trod_os_calm calm;

    caller = (uintptr_t)__builtin_return_address(0);
    ended = __trod_os_clock();
    __trod_os_calm(&calm);
    if (__trod_profile.pid == __trod_os_pid()) {
        if (atomic_load(&__trod_profile.state) != TROD_NONE)
            close_profile();
        unload();
    }
    __trod_os_resume(&calm);
}
