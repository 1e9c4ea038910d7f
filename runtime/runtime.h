/* runtime: what is linked into every instrumented program, and makes its profile.
 *
 *     prepare (constructor) -> enter -> start, area (first entry of a process, of a thread)
 *                                -> fork (in a child) -> finish (destructor)
 *
 * All of it lives in one image, an executable or a shared library, and knows of no other:
 * each image has its own copy, its own profile, its own areas. Symbols are hidden and
 * begin with __trod_, because users' programs may use any other name.
 *
 * Glossary
 *   section   the module's counters as the linker laid them out (__trod_cnt)
 *   area      a thread's copy of the section, at a fixed distance. It lies in memory as
 *                 record page | head of a COUNTS section | counters ... up to a page
 *             where everything behind the record is a mapping of the profile or, failing
 *             that, plain memory. Areas are made and never moved or freed until the image is
 *             unloaded: a function may go on counting in one for as long as it runs.
 *   hashed       the table of untested paths in the section, and so in every area. When a thread's is
 *             full it goes on in a further area, and keeps the ones before.
 *   recorder  in a module that records, a thread's grammar of its steps, in the place of an area;
 *             part, step, terminal, rule: as in trod/format.h
 *   owner     the thread an area belongs to. When the kernel does not know it any more,
 *             another thread may take the area over and count on in it.
 *   place     where an area's counts are; see below
 *   calm      signals are blocked, errno is put aside. All of the runtime runs so, so that
 *             nothing of the program runs in the middle of it.
 *
 * Concurrency: no locks. One thread starts the profile (TROD_STARTING), others wait for
 * it, a second at most. Areas form a list that only grows at its head. Offsets in the file
 * are taken by an atomic addition.
 *
 * Stack: less than 4 KB, for signal stacks. Memory: no malloc, ever.
 */
#ifndef TROD_RUNTIME_H
#define TROD_RUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trod/format.h"
#include "trod/rt.h"

#include "os.h"

#pragma GCC visibility push(hidden)

enum { TROD_NAME_ROOM = 4096 };

enum trod_state {
    TROD_NONE,     /* nothing was entered yet */
    TROD_STARTING, /* a thread is making the profile */
    TROD_OPEN,     /* areas go to the profile */
    TROD_FAILED,   /* no profile can be made; tried once more at exit */
    TROD_CLOSED    /* the image is being unloaded */
};

/* The profile of this image in this process. */
struct trod_profile {
    _Atomic uint32_t state; /* enum trod_state */
    uint64_t end; /* offset of the next section, unless the file is shared; atomic */
    _Atomic uint32_t nthread;       /* numbers of threads given out */
    _Atomic uint32_t said;          /* bit for each enum trod_note */
    _Atomic uint32_t nentering;     /* threads in __trod_enter */
    _Atomic bool counts_in_section; /* some thread had no memory for an area */
    _Atomic uint64_t nunrecorded;   /* untested paths that could not be noted */
    _Atomic uint32_t nrecorded;     /* numbers of threads given out to recorders */
    _Atomic uint32_t npart;         /* parts of steps that were closed */
    _Atomic uint32_t nsampled;      /* numbers of threads given out to watchers */
    _Atomic uint64_t ntaken;        /* bytes on disk for steps */
    _Atomic uint64_t ngiven;        /* steps given up by threads without a recorder */
    uint8_t *
        kept; /* a page of the file for NOTE, and behind it one for END, mapped: for what must be said
                      when there is no space, or no descriptor; NULL: nowhere */
    size_t nkept; /* bytes of the NOTE so far */
    struct trod_format_shared
        *shared;   /* mapped; NULL: the file is of this process alone */
    uint64_t home; /* of process ids in it */
    uint32_t pid;  /* of the process that all this is about */
    bool forked;
    int fd; /* ours as long as it is still this file */
    _Atomic int
        fresh; /* one more than a descriptor of it that the program cannot know yet; 0: none */
    struct trod_os_file file;
    struct trod_os_time clock; /* when the process started, or was forked */
    size_t page;               /* of the system, TROD_FORMAT_PAGE at least */
    char name[TROD_NAME_ROOM]; /* absolute */
};
extern struct trod_profile __trod_profile;

extern const char __trod_image_head[] __asm__("__ehdr_start")
    __attribute__((weak, visibility("hidden")));

/* Whether something that the image may have or not, a weak symbol, is there. If not it is null; but gold makes it
 * where position independent images begin.
 */
static inline bool trod_is_there(const void *symbol)
{
    return symbol && symbol != (const void *)__trod_image_head;
}

/* Bytes of the module's counters. */
static inline uint64_t trod_payload(void)
{
    return (uint64_t)((uintptr_t)__stop___trod_cnt - (uintptr_t)__start___trod_cnt);
}

/* --- own.c, table.c: what a thread has of this image ---------------------------------- */

struct trod_recorder;
struct trod_watcher;
struct trod_burster;
struct trod_heap;

/* All of it zeros at first. */
struct trod_own {
    struct trod_rt_own emitted; /* first: what emitted code uses */
    struct trod_recorder *recorder;
    struct trod_watcher *watcher;
    struct trod_burster *burster;
    struct trod_heap *heap;
    bool
        stepping; /* the thread is in the middle of a step, or was when it was left there for good */
    bool shared; /* all threads have this one, for there is no memory for more */
};

/* In images of code that was not compiled for shared libraries: a thread-local variable. NULL in others. */
struct trod_own *__trod_own_tls(void);
/* In the others: in the thread's table, which it gets if it has none. */
struct trod_own *__trod_own_table(void);
/* What emitted code for shared libraries finds for the calling thread, whose own it is. */
void __trod_own_publish(struct trod_own *own);
/* Before the image's code runs, if it can be. */
void __trod_own_prepare(void);
/* In a child of fork; before the image is unloaded. */
void __trod_own_fork(void);
void __trod_own_release(void);

/* For images that have not got the one file or the other. Defined wherever they are used, or linkers would look
 * for them in the archive, and find them.
 */
extern struct trod_own __trod_own_of_all;
#ifndef TROD_OWN_TLS
__attribute__((weak)) struct trod_own *__trod_own_tls(void)
{
    return NULL;
}
#endif
#ifndef TROD_OWN_TABLE
__attribute__((weak)) struct trod_own *__trod_own_table(void)
{
    return &__trod_own_of_all;
}
__attribute__((weak)) void __trod_own_publish(struct trod_own *own)
{
    (void)own;
}
__attribute__((weak)) void __trod_own_prepare(void)
{
}
__attribute__((weak)) void __trod_own_fork(void)
{
}
__attribute__((weak)) void __trod_own_release(void)
{
}
#endif

static inline struct trod_own *trod_own(void)
{
    struct trod_own *own = __trod_own_tls();

    return own ? own : __trod_own_table();
}

/* --- append.c: sections at the end of the profile --------------------------------- */

/* A section on its way into the file; its checksum grows with it. Once something
 * failed, the rest is silence. /
 */
struct trod_stream {
    int fd;
    int error; /* the first, negated */
    uint32_t type;
    uint32_t thread;
    uint32_t checksum;
    uint64_t offset;  /* of the section */
    uint64_t payload; /* so far */
    size_t used, room;
    uint8_t *bytes;
};

uint32_t __trod_crc(uint32_t crc, const void *bytes, size_t size);

void __trod_stream_begin(struct trod_stream *stream, int fd, uint32_t type,
    uint64_t offset, uint8_t *bytes, size_t room);
void __trod_put(struct trod_stream *stream, const void *bytes, size_t size);
void __trod_put_text(struct trod_stream *stream, const char *text);
void __trod_put_uint(struct trod_stream *stream, uint64_t value, unsigned digits);
void __trod_put_time(struct trod_stream *stream, struct trod_os_time time);
void __trod_put_escaped(struct trod_stream *stream, const char *text, size_t length);
/* Write what is left and, last of all, the head. The size of the section, or a negated
 * error.
 */
int64_t __trod_stream_end(struct trod_stream *stream);

/* Take a place for a section; give it back, if nobody came behind it. */
uint64_t __trod_take(uint64_t size);
void __trod_give_back(uint64_t offset, uint64_t size);

/* A section of which the payload is in one of the pages that were kept, and the head is not yet, or is that of
 * a shorter payload.
 */
void __trod_put_kept(uint8_t *page, uint32_t type, size_t payload);

/* The head of this module's COUNTS or STEPS. 0, or a negated error. */
int __trod_put_live_head(
    int fd, uint64_t offset, uint32_t type, uint64_t payload, uint32_t thread);

/* --- image.c: what we are linked into --------------------------------------------- */

struct trod_image {
    bool library;
    const uint8_t *id; /* build id */
    size_t nid;
};
void __trod_image_find(struct trod_image *out);
/* The path of the image, of the program; "" if unknown. */
void __trod_image_path(char *out, size_t room);
void __trod_program_path(char *out, size_t room);
const char *__trod_base_name(const char *path);
/* Where the image begins and ends; 0 if unknown. */
uintptr_t __trod_image_start(void);
uintptr_t __trod_image_end(void);
/* The memory around an address, as the system has it. False if it has none. */
bool __trod_image_around(uintptr_t *from, uintptr_t *to, uintptr_t address);

/* --- unwind.c: frames that are still on the stack ----------------------------------- */

enum { TROD_MOST_STOPS = 64 };

struct trod_stop {
    uint64_t offset; /* of a return address, from the start of the image */
    uint64_t times;
};
struct trod_stops {
    bool whole; /* all frames of the stack were seen */
    uint32_t count;
    struct trod_stop stop[TROD_MOST_STOPS];
};

/* Of this thread, those of the image from the one that `caller`, a return address, is in. */
void __trod_unwind(struct trod_stops *out, uintptr_t caller);

/* --- name.c: where the profile goes ----------------------------------------------- */

/* Read environment and directory: once, as early as possible. */
void __trod_name_prepare(bool library);
/* Where the log goes: the number of a descriptor or an absolute name; "" for nowhere. */
const char *__trod_name_log(void);
/* Whether disk space is taken only for what is touched: of all sections; of no section. Otherwise of large ones. */
bool __trod_name_sparse(void);
bool __trod_name_reserves(void);
/* Whether the name is the same for all processes: then the file is, too. */
bool __trod_name_shared(void);
/* Whether names of the program or the image are in it. */
bool __trod_name_has_paths(void);
/* Does the profile contain the program's arguments? */
bool __trod_name_arguments(void);
/* Symbols that a part of recorded steps may hold; bytes of disk that all steps may take. */
uint32_t __trod_name_symbols(void);
uint64_t __trod_name_most(void);
/* Where the program started; "" if unknown. */
const char *__trod_name_directory(void);
/* Expand the pattern. False if the result is too long or the directory is unknown. What the pattern says itself begins at
 * *own: before it is where the program started.
 */
bool __trod_name_build(char *out, size_t room, size_t *own, const char *image,
    const char *program, uint64_t seconds);

/* --- note.c: what could not be done ----------------------------------------------- */

enum trod_note {
    TROD_NOTE_PRIVATE,    /* a thread's counts are in memory until exit */
    TROD_NOTE_SHARED,     /* threads share counters */
    TROD_NOTE_DROPPED,    /* functions were left out of MODULE */
    TROD_NOTE_UNRECORDED, /* untested paths could not be noted */
    TROD_NOTE_GIVEN,      /* steps could not be recorded */
    TROD_NOTE_UNSAMPLED,  /* a thread's subpaths are not sampled */
    TROD_NOTE_TICKER,     /* nothing is sampled, for there are no ticks */
    TROD_NOTE_NONE,       /* there is no profile */
    TROD_NOTE_LOST,       /* counts in memory could not be written at exit */
    TROD_NOTE_UNENDED,    /* all is there but END */
    TROD_NOTE_ONLINE,     /* what is wrong with TROD_ONLINE */
    TROD_NOTE_BURST,      /* with TROD_BURST */
    TROD_NOTE_TRACE,      /* blocks could not be written */
    TROD_NOTE_REFS        /* references, or allocations, could not be written */
};

/* Say it in the log and, where it concerns the counts, in the profile (fd, or -1): each
 * only once.
 */
void __trod_note(enum trod_note note, int fd, int error);
/* The same, in a page that was taken for something else. Whether it is in use now. */
bool __trod_note_at(enum trod_note note, int fd, int error, uint64_t offset);

/* --- fixed.c: what does not change in a profile: header, RUN, MODULE ---------------- */

/* Of the image and of the program; "" if unknown. */
struct trod_paths {
    char image[TROD_NAME_ROOM], program[TROD_NAME_ROOM];
};
/* 0, or a negated error. */
int __trod_put_fixed(int fd, const struct trod_image *image,
    const struct trod_paths *paths, struct trod_os_time date);
/* Whether functions were left out of MODULE. */
bool __trod_has_dropped(void);

/* --- start.c: a new profile ------------------------------------------------------- */

void __trod_prepare(void);
/* Create the file, write header, RUN and MODULE. needs: state is TROD_STARTING */
bool __trod_start(void);
/* The profile's file on a descriptor that only the caller knows, or a negated error.
 * The one we keep may have been closed by the program, or even be a file of the
 * program's by now. /
 */
int __trod_borrow(void);
/* Give it back. */
void __trod_give_fd(int fd);
void __trod_drop_fd(void);
void __trod_drop_kept(void);

/* --- area.c: counters of a thread ------------------------------------------------- */

enum trod_place {
    TROD_BLANK, /* zeros in memory, nobody's */
    TROD_IN_FILE,
    TROD_PRIVATE /* in memory until exit */
};

struct trod_area {
    struct trod_area *older;
    struct trod_area *before; /* where its owner was before it went on here, or NULL */
    _Atomic uint64_t owner;   /* times it changed hands << 32 | thread id; see area.c */
    _Atomic uint32_t place;   /* enum trod_place */
    uint32_t taken;           /* its entry in a shared file, plus 1; 0: none */
};

/* An area for the calling thread, which has `before` (or NULL): another one. NULL if there is no
 * memory for one.
 */
struct trod_area *__trod_area_claim(bool open, struct trod_area *before);
/* What __trod_thread is for an area, and back. */
uintptr_t __trod_area_base(const struct trod_area *area);
struct trod_area *__trod_area_of(uintptr_t base);
/* In a child of fork: all areas are empty, all but mine and those before it nobody's. */
void __trod_area_fork(struct trod_area *mine);
void __trod_area_attach(struct trod_area *area, bool open);
/* Whether nothing is in memory. */
bool __trod_area_all_in_file(void);
/* Write what is in memory; how many were, how many could not be. */
void __trod_area_write(int fd, uint32_t *nprivate, uint32_t *nlost);
/* Wait until what is mapped is on disk; false if something is not in the file. */
bool __trod_area_flush(void);
/* Unmap what no living thread can still be counting in but the calling one. */
void __trod_area_release(void);

/* --- shared.c: one file for all processes of an image ------------------------------- */

/* Whether the file is to be one. */
bool __trod_shared_is_wanted(void);
/* The section, of a new file. Its size; 0 if the file cannot be shared; or a negated error. */
int64_t __trod_shared_put(int fd, uint64_t offset);
/* Map it, when all that is fixed is in the file. 0, or a negated error. */
int __trod_shared_open(int fd, const struct trod_image *image, uint64_t end);
/* Another process's file, if it is one of this image. Its descriptor, TROD_OS_TAKEN, or TROD_OS_NO_FOLDER if there is
 * nothing of this name.
 */
int __trod_shared_join(const char *name, const struct trod_image *image);
void __trod_shared_close(void);
/* The process could not join after all. */
void __trod_shared_leave(void);
/* In a child of fork. */
void __trod_shared_forked(void);
/* The offset of a section of counters whose process is gone; 0 if none is found. *taken: the number of its entry. */
uint64_t __trod_shared_inherit(uint32_t *taken, int fd, uint64_t size);
/* A new one, for others to inherit; and before its end, if nobody counts in it any more. */
void __trod_shared_add(uint32_t *taken, uint64_t offset);
void __trod_shared_release(uint32_t taken);
/* A number for a new COUNTS. */
uint32_t __trod_shared_number(void);
/* Whether it is the first of its kind. */
bool __trod_shared_note(uint32_t bit);
/* This process ends in order. */
void __trod_shared_end(const struct trod_stops *stops, uint64_t duration,
    uint32_t nprivate, uint32_t nlost);

/* --- heir.c: what threads leave to others, and what each needs ---------------------- */

enum { TROD_NOBODY = 0 };       /* no thread's id: free to take */
#define TROD_FOREVER UINT32_MAX /* no thread's id either: never free */

/* Whether it is the calling thread's now: it was nobody's, or a thread's that is gone; or, if that has none,
 * its own.
 */
bool __trod_inherit(_Atomic uint64_t *of, uint32_t me, bool have_none);

/* A handler may fork in the middle of what its thread was doing to a section; the child goes back there, and
 * must find it as it was then, and not as the parent has left it meanwhile, whose file it is in. So it is
 * copied before a fork. Handlers that come while we fork may fork, too.
 */
struct trod_kept {
    uint32_t nforking; /* how many forks the thread is in, in the middle of it */
    void *copy;        /* or NULL: there was no memory */
    size_t size;       /* a multiple of 8 */
};
void __trod_keep(struct trod_kept *kept, const void *section, size_t size);
/* In the parent; whether that was the last. */
bool __trod_keep_no_more(struct trod_kept *kept);
/* In the child: the section is the copy now, or without one the parent's still. */
void __trod_take_back(struct trod_kept *kept, void *section, size_t size);

/* Of what a thread draws by chance: as it was said, or NULL. */
uint64_t __trod_seed(const uint64_t *said, uint32_t thread);

/* Map a new section, whose head is not there yet. 0, or a negated error, of which there is a note. */
int __trod_map_section(
    uint64_t *offset, int fd, void *at, uint64_t size, enum trod_note note);

/* --- enter.c: a thread's first entry ---------------------------------------------- */

/* Be sure that the profile was started, or cannot be. Whether it is open. */
bool __trod_ready(void);
/* Give the calling thread, whose counters are at base, others; false if there are none. */
bool __trod_go_on(uintptr_t base);
void __trod_before_fork(void);
void __trod_after_fork(void);
void __trod_forked(void);

/* --- hashed.c: paths that are not counted in slots ------------------------------ */

/* As __trod_untested, so many times. */
void __trod_count_hashed(const uint64_t *table, uint64_t id, uint64_t by);

/* --- record.c: who records a thread's steps, and where ----------------------------- */

enum { TROD_RECORD_CHANGED = 8192, TROD_RECORD_LONELY = 1024 };

/* A node, in memory: what is in the file is never read back, because others may write there. A guard's: the last of
 * its rule; how often, and where, the rule is used.
 */
struct trod_link {
    uint32_t next, symbol; /* as in the file */
    uint32_t prev;
    uint32_t prev_use, next_use; /* of the same rule; 0: none */
};

/* Where a digram is: its first node; 0: none. */
struct trod_digram {
    uint32_t hash, node;
};

/* A grammar that grows, and its STEPS section. Made and not freed until the image is unloaded.
 * When the thread is gone another may have it: the part is closed, and the next is that thread's.
 *
 * Who adds takes idle away. It is on a page that children do not inherit: in a child
 * whose fork was not seen, all recorders stay busy.
 */
struct trod_recorder {
    uint32_t *idle;
    uintptr_t frame; /* stack of who is adding; 0: nobody */
    struct trod_format_steps *live;
    struct trod_format_node *node;
    struct trod_link *link;
    struct trod_digram *slot;
    uint32_t thread, part; /* as in the file */
    uint32_t mask, shift;  /* of slots */
    uint32_t ndigram;
    uint32_t nnode;     /* used so far, free ones among them */
    uint32_t nready;    /* that there is room for on disk */
    uint32_t free_node; /* or 0 */
    uint32_t nsymbol;
    uint32_t most; /* symbols of a part */
    uint32_t nchanged, nlonely;
    bool left;    /* the thread has gone on in another one */
    bool stopped; /* nothing more is recorded; idle is gone for good */

    struct trod_kept kept;

    uint32_t most_nodes, most_slots;
    struct trod_digram *table; /* n slots are from the n-th on */
    struct trod_recorder *older;
    struct trod_recorder *before; /* the one that the thread left for this, or NULL */
    _Atomic uint64_t owner;       /* as of an area */
    uint64_t offset;              /* of its section */
    uint8_t *bytes;               /* a page, for writing */
    uint32_t
        changed[TROD_RECORD_CHANGED]; /* nodes whose digram may be new or there twice */
    uint32_t lonely[TROD_RECORD_LONELY]; /* rules that may be used once */
};

/* Two numbers side by side, at once. */
static inline void trod_record_set_both(uint32_t *at, uint32_t one, uint32_t two)
{
    typedef uint64_t __attribute__((may_alias)) both;

    __atomic_store_n((both *)at, (uint64_t)two << 32 | one, __ATOMIC_RELEASE);
    atomic_signal_fence(memory_order_seq_cst);
}

/* The calling thread's, which has none yet; one that is stopped if there can be none. */
struct trod_recorder *__trod_record_enter(void);
/* Another one for the calling thread, which is in the middle of adding to r. */
struct trod_recorder *__trod_record_go_on(struct trod_recorder *r);
/* Whether this is a process whose fork was not seen. */
bool __trod_record_is_foreign(struct trod_recorder *r);
/* A larger table of digrams, empty. */
void __trod_record_table(struct trod_recorder *r, uint32_t nslot);
/* Give back what one that is not used any more takes. */
void __trod_record_drop_table(struct trod_digram *slot, uint32_t nslot);
/* Room for more nodes, or else in a new part. False if there is neither. */
bool __trod_record_room(struct trod_recorder *r);
/* Write the part to the profile, and begin the next. False if it cannot be written. */
bool __trod_record_close(struct trod_recorder *r);
/* Nothing more can be recorded; count a step that was not. */
void __trod_record_stop(struct trod_recorder *r);
void __trod_record_give_up(struct trod_recorder *r);
uint64_t __trod_record_ngiven(void);
/* Before fork, and in the parent after it. */
void __trod_record_before_fork(void);
void __trod_record_after_fork(void);
/* In a child of fork: those that are in the middle of adding may finish, for nothing. */
void __trod_record_fork(void);
bool __trod_record_flush(void);
void __trod_record_release(void);

/* --- vectors.c ---------------------------------------------------------------------------- */

/* Call it, and leave vector registers as they were. */
uint64_t __trod_keep_vectors(uint64_t (*call)(void *), void *with);

/* --- parts that are linked only where there is something for them to do ------------------ */

/* Null where the part is not linked: check with trod_is_there. */

/* online.c, watch.c: sampled subpaths. */
void __trod_online_prepare(void) __attribute__((weak));
void __trod_online_before_fork(void) __attribute__((weak));
void __trod_online_after_fork(void) __attribute__((weak));
void __trod_online_fork(void) __attribute__((weak));
void __trod_online_finish(void) __attribute__((weak));

/* burst.c, burst_thread.c: bursts. ticker.c: before an image is unloaded. */
void __trod_burst_prepare(void) __attribute__((weak));
void __trod_burst_before_fork(void) __attribute__((weak));
void __trod_burst_after_fork(void) __attribute__((weak));
void __trod_burst_fork(void) __attribute__((weak));
void __trod_burst_finish(void) __attribute__((weak));
void __trod_ticker_stop(void) __attribute__((weak));

/* heap.c: allocations. */
void __trod_heap_fork(void) __attribute__((weak));
void __trod_heap_finish(void) __attribute__((weak));

static inline void trod_call(void (*part)(void))
{
    if (trod_is_there((const void *)(uintptr_t)part))
        part();
}

/* --- step.c: the grammar ------------------------------------------------------------ */

/* Add what handlers have left in the queue. False if there is no room. */
bool __trod_record_drain(struct trod_recorder *r);

#pragma GCC visibility pop

#endif
