/* runtime: the library that is linked into every instrumented program and writes its profile.
 *
 *     prepare (constructor) -> enter -> start, area (first entry of a process, of a thread)
 *                                -> fork (in a child) -> finish (destructor)
 *
 * Each image, an executable or a shared library, has its own copy, with its own profile and its own
 * areas, and does not know of others. Symbols are hidden and
 * begin with __trod_, because users' programs may use any other name.
 *
 * Glossary
 *   section   the module's counters as the linker laid them out (__trod_cnt)
 *   area      a thread's copy of the section, at a fixed distance. Its layout in memory is
 *                 record page | head of a COUNTS section | counters ... up to a page
 *             where everything after the record is a mapping of the profile or, if that fails,
 *             anonymous memory. Areas are never moved, and not freed until the image is
 *             unloaded: a function may continue to count in one for as long as it runs.
 *   hashed    the table of untested paths in the section, and so in every area. When a thread's table is
 *             full, the thread continues in another area, and keeps the previous ones.
 *   recorder  in a module that records steps, a thread's grammar of its steps, instead of an area;
 *             part, step, terminal, rule: as in trod/format.h
 *   owner     the thread an area belongs to. When the thread has ended, according to the kernel,
 *             another thread may take over the area and continue to count in it.
 *   place     where an area's counts are stored; see below
 *   calm      signals are blocked and errno is saved. All of the runtime runs this way, so that
 *             no code of the program interrupts it.
 *
 * Concurrency: no locks. One thread creates the profile (TROD_STARTING); others wait for
 * it, for a second at most. Areas form a list that grows only at its head. Offsets in the file
 * are allocated by an atomic addition.
 *
 * Stack: less than 4 KB, for signal stacks. Memory: never malloc.
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
    TROD_NONE,     /* no function was entered yet */
    TROD_STARTING, /* a thread is creating the profile */
    TROD_OPEN,     /* areas are mapped from the profile */
    TROD_FAILED,   /* the profile could not be created; tried again at exit */
    TROD_CLOSED    /* the image is being unloaded */
};

/* The profile of this image in this process. */
struct trod_profile {
    _Atomic uint32_t state;    /* enum trod_state */
    _Atomic uint32_t nwaiting; /* threads that wait for another to start the profile */
    uint64_t end; /* offset of the next section, unless the file is shared; atomic */
    _Atomic uint32_t nthread;       /* numbers of threads assigned */
    _Atomic uint32_t said;          /* bit for each enum trod_note that was reported */
    _Atomic uint32_t nentering;     /* threads in __trod_enter */
    _Atomic bool counts_in_section; /* some thread had no memory for an area */
    _Atomic uint64_t nunrecorded;   /* untested paths that could not be recorded */
    _Atomic uint32_t nrecorded;     /* numbers of threads assigned to recorders */
    _Atomic uint32_t npart;         /* parts of steps that were closed */
    _Atomic uint32_t nsampled;      /* numbers of threads assigned to watchers */
    _Atomic uint64_t ntaken;        /* bytes on disk for steps */
    _Atomic uint64_t ngiven;        /* steps dropped by threads without a recorder */
    uint8_t *
        kept; /* a page of the file for NOTE, followed by one for END, mapped: for messages
                      when there is no space, or no descriptor; NULL: none */
    size_t nkept; /* bytes of the NOTE so far */
    struct trod_format_shared
        *shared;     /* mapped; NULL: only this process uses the file */
    uint64_t home;   /* the PID namespace of this process */
    uint32_t pid;    /* of the process that this state belongs to */
    uint32_t parent; /* the process that forked it; 0: none */
    bool forked;
    int fd; /* valid as long as it still refers to this file */
    _Atomic int
        fresh; /* 1 + a descriptor of it that the program cannot know yet; 0: none */
    struct trod_os_file file;
    struct trod_os_time clock; /* when the process started, or was forked */
    size_t page;               /* of the system, TROD_FORMAT_PAGE at least */
    char name[TROD_NAME_ROOM]; /* absolute */
};
extern struct trod_profile __trod_profile;

extern const char __trod_image_head[] __asm__("__ehdr_start")
    __attribute__((weak, visibility("hidden")));

/* Is this weak symbol defined in the image? An undefined one is null; but gold resolves it to the start of
 * position-independent images.
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

/* --- own.c, table.c: the state of a thread for this image ---------------------------------- */

struct trod_recorder;
struct trod_watcher;
struct trod_burster;
struct trod_heap;

/* Initially all zeros. */
struct trod_own {
    struct trod_rt_own emitted; /* first: what emitted code uses */
    struct trod_recorder *recorder;
    struct trod_watcher *watcher;
    struct trod_burster *burster;
    struct trod_heap *heap;
    bool stepping; /* the thread is adding a step, or was when a longjmp left it */
    bool shared;   /* all threads share this one, because there is no memory for more */
};

/* In images of code that was not compiled for shared libraries: a thread-local variable. NULL in others. */
struct trod_own *__trod_own_tls(void);
/* In others: in the thread's table, which is created if necessary. */
struct trod_own *__trod_own_table(void);
/* Make own, that of the calling thread, visible to emitted code of shared libraries. */
void __trod_own_publish(struct trod_own *own);
/* Called before the image's code runs, if possible. */
void __trod_own_prepare(void);
/* In a child of fork; before the image is unloaded. */
void __trod_own_fork(void);
void __trod_own_release(void);

/* For images that do not link one of the two files. Defined wherever they are used, because otherwise linkers would
 * find and link them from the archive.
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

/* A section that is being written to the file, with its checksum so far. After an
 * error, further writes do nothing.
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
    const struct trod_crc_table
        *crc; /* for many bytes, which are aligned to 8 then; NULL: there are few */
};

struct trod_crc_table {
    uint32_t of[8][256];
};
void __trod_crc_fill(struct trod_crc_table *table);
uint32_t __trod_crc(uint32_t crc, const void *bytes, size_t size);

void __trod_stream_begin(struct trod_stream *stream, int fd, uint32_t type,
    uint64_t offset, uint8_t *bytes, size_t room);
void __trod_put(struct trod_stream *stream, const void *bytes, size_t size);
void __trod_put_text(struct trod_stream *stream, const char *text);
void __trod_put_uint(struct trod_stream *stream, uint64_t value, unsigned digits);
void __trod_put_time(struct trod_stream *stream, struct trod_os_time time);
void __trod_put_escaped(struct trod_stream *stream, const char *text, size_t length);
/* Write the remaining bytes, and the head last. Returns the size of the section, or a negated
 * error.
 */
int64_t __trod_stream_end(struct trod_stream *stream);

/* Allocate space for a section at the end; release it, if it is still the last. */
uint64_t __trod_take(uint64_t size);
void __trod_give_back(uint64_t offset, uint64_t size);

/* Write the head of a section whose payload is in one of the reserved pages, and which has no head yet, or that of
 * a shorter payload.
 */
void __trod_put_kept(uint8_t *page, uint32_t type, size_t payload);

/* The head of this module's COUNTS or STEPS. 0, or a negated error. */
int __trod_put_live_head(
    int fd, uint64_t offset, uint32_t type, uint64_t payload, uint32_t thread);

/* --- image.c: the image that contains this runtime --------------------------------------------- */

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
/* The memory mapping that contains an address. False if there is none. */
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

/* The frames of this thread that belong to the image, starting with the one that contains `caller`, a return address. */
void __trod_unwind(struct trod_stops *out, uintptr_t caller);

/* --- name.c: where the profile goes ----------------------------------------------- */

/* Read the environment and the working directory: once, as early as possible. */
void __trod_name_prepare(bool library);
/* Where the log goes: the number of a descriptor or an absolute name; "" for nowhere. */
const char *__trod_name_log(void);
/* Is disk space allocated only for touched pages: in all sections; in none. Otherwise in large ones. */
bool __trod_name_sparse(void);
bool __trod_name_reserves(void);
/* Is the name the same for all processes? Then they share the file. */
bool __trod_name_shared(void);
/* Does the pattern contain the names of the program or of the image? */
bool __trod_name_has_paths(void);
/* Does the profile contain the program's arguments? */
bool __trod_name_arguments(void);
/* Limits: symbols of a part of recorded steps; bytes of disk for all steps. */
uint32_t __trod_name_symbols(void);
uint64_t __trod_name_most(void);
/* Where the program started; "" if unknown. */
const char *__trod_name_directory(void);
/* Expand the pattern. False if the result is too long or the directory is unknown. The expansion of the pattern itself
 * begins at *own, after the directory in which the program started.
 */
bool __trod_name_build(char *out, size_t room, size_t *own, const char *image,
    const char *program, uint64_t seconds);

/* --- note.c: failures ----------------------------------------------- */

enum trod_note {
    TROD_NOTE_PRIVATE,    /* a thread's counts are in memory until exit */
    TROD_NOTE_SHARED,     /* threads share counters */
    TROD_NOTE_DROPPED,    /* functions were omitted from MODULE */
    TROD_NOTE_UNRECORDED, /* untested paths could not be recorded */
    TROD_NOTE_GIVEN,      /* steps could not be recorded */
    TROD_NOTE_UNSAMPLED,  /* a thread's subpaths are not sampled */
    TROD_NOTE_TICKER,     /* nothing is sampled, because there are no ticks */
    TROD_NOTE_NONE,       /* there is no profile */
    TROD_NOTE_LOST,       /* counts in memory could not be written at exit */
    TROD_NOTE_UNENDED,    /* only END is missing */
    TROD_NOTE_ONLINE,     /* TROD_ONLINE is invalid */
    TROD_NOTE_BURST,      /* TROD_BURST is invalid */
    TROD_NOTE_TRACE,      /* blocks could not be written */
    TROD_NOTE_REFS,       /* references, or allocations, could not be written */
    TROD_NOTE_CONTROLLED, /* how the program samples was changed */
    TROD_NOTE_RESET,      /* counts were set to 0 */
    TROD_NOTE_BUDGET,     /* checks take more than the budget */
    TROD_NOTE_ABSENT,     /* metrics: the processor does not count them, */
    TROD_NOTE_FORBIDDEN,  /* the kernel does not permit it, */
    TROD_NOTE_FILTERED,   /* a seccomp filter might not, */
    TROD_NOTE_UNMAPPED,   /* too many are mapped, */
    TROD_NOTE_UNREADABLE, /* only the kernel may read them, */
    TROD_NOTE_BUSY,       /* all counters are in use, */
    TROD_NOTE_UNMETERED   /* or another error */
};

/* Report it in the log and, if it concerns the counts, in the profile (fd, or -1): each
 * only once.
 */
void __trod_note(enum trod_note note, int fd, int error);
/* TROD_NOTE_BUDGET: checks take so many thousandths of the time, and the budget is so many millionths. */
void __trod_note_budget(int fd, uint64_t checks, uint64_t budget);
/* One of those from TROD_NOTE_ABSENT on: of the metrics of this mask. */
void __trod_note_metrics(enum trod_note note, uint64_t metrics, int error);
/* The same, in a page that was allocated for something else. Returns whether the page is now used. */
bool __trod_note_at(enum trod_note note, int fd, int error, uint64_t offset);

/* --- fixed.c: the constant part of a profile: header, RUN, MODULE ---------------- */

/* Of the image and of the program; "" if unknown. */
struct trod_paths {
    char image[TROD_NAME_ROOM], program[TROD_NAME_ROOM];
};
/* 0, or a negated error. */
int __trod_put_fixed(int fd, const struct trod_image *image,
    const struct trod_paths *paths, struct trod_os_time date);
/* Were functions omitted from MODULE? */
bool __trod_has_dropped(void);

/* --- start.c: a new profile ------------------------------------------------------- */

void __trod_prepare(void);
/* Create the file, write header, RUN and MODULE. needs: state is TROD_STARTING */
bool __trod_start(void);
/* The profile's file on a descriptor that only the caller knows, or a negated error.
 * The program may have closed the descriptor that the runtime keeps, or reused its
 * number for another file.
 */
int __trod_borrow(void);
/* Close it. */
void __trod_give_fd(int fd);
void __trod_drop_fd(void);
void __trod_drop_kept(void);

/* --- area.c: counters of a thread ------------------------------------------------- */

enum trod_place {
    TROD_BLANK, /* zeros in memory, without an owner */
    TROD_IN_FILE,
    TROD_PRIVATE /* in memory until exit */
};

struct trod_area {
    struct trod_area *older;
    struct trod_area *before; /* the previous area of its owner, or NULL */
    _Atomic uint64_t owner; /* number of owners so far << 32 | thread id; see area.c */
    _Atomic uint32_t place; /* enum trod_place */
    uint32_t taken;         /* its entry in a shared file, plus 1; 0: none */
    uint32_t nreset; /* how often its counts were to be set to 0 when that was done */
};

/* A new area for the calling thread, whose current one is `before` (or NULL). NULL if there is no
 * memory for it.
 */
struct trod_area *__trod_area_claim(bool open, struct trod_area *before);
/* The value of __trod_thread for an area, and back. */
uintptr_t __trod_area_base(struct trod_area *area);
struct trod_area *__trod_area_of(uintptr_t base);
/* In a child of fork: all areas are empty, and all except mine and its predecessors have no owner. */
void __trod_area_fork(struct trod_area *mine);
/* Map its counters: in the file if that is open and has room, or else in memory. False if there is none. */
bool __trod_area_attach(struct trod_area *area, bool open);
/* Are all areas in the file? */
bool __trod_area_all_in_file(void);
/* For the number-th time, set counters to 0: of the calling thread, whose area is at base, and of threads that have ended
 * without doing this.
 */
void __trod_area_reset(uintptr_t base, uint32_t number);
/* Write the areas that are in memory; their number, and how many could not be written. */
void __trod_area_write(int fd, uint32_t *nprivate, uint32_t *nlost);
/* Wait until all mapped areas are on disk; false if some are not in the file. */
bool __trod_area_flush(void);
/* Unmap all areas except those in which another living thread may still count. */
void __trod_area_release(void);

/* --- shared.c: one file for all processes of an image ------------------------------- */

/* Should the file be shared? */
bool __trod_shared_is_wanted(void);
/* Write the SHARED section of a new file. Its size; 0 if the file cannot be shared; or a negated error. */
int64_t __trod_shared_put(int fd, uint64_t offset);
/* Map it, after the constant part was written. 0, or a negated error. */
int __trod_shared_open(int fd, const struct trod_image *image, uint64_t end);
/* Open another process's file, if it is of this image. Its descriptor, TROD_OS_TAKEN, or TROD_OS_NO_FOLDER if there is
 * no file of this name.
 */
int __trod_shared_join(const char *name, const struct trod_image *image);
void __trod_shared_close(void);
/* Undo a join that failed later. */
void __trod_shared_leave(void);
/* In a child of fork. */
void __trod_shared_forked(void);
/* The offset of a COUNTS section whose process has ended; 0 if there is none. *taken: the number of its entry. */
uint64_t __trod_shared_inherit(uint32_t *taken, int fd, uint64_t size);
/* Register a new section, for others to inherit; release it at the end, if nothing counts in it any more. */
void __trod_shared_add(uint32_t *taken, uint64_t offset);
void __trod_shared_release(uint32_t taken);
/* A number for a new COUNTS. */
uint32_t __trod_shared_number(void);
/* Is it the first NOTE of its kind in the file? */
bool __trod_shared_note(uint32_t bit);
/* This process ends normally. */
void __trod_shared_end(const struct trod_stops *stops, uint64_t duration,
    uint32_t nprivate, uint32_t nlost);

/* --- heir.c: ownership that passes between threads; helpers ---------------------- */

enum { TROD_NOBODY = 0 };       /* not a thread id: free */
#define TROD_FOREVER UINT32_MAX /* not a thread id: never free */

/* Make the calling thread the owner, if there is none or the owner has ended; or, with have_none, if it is the owner
 * already. Returns whether it is.
 */
bool __trod_inherit(_Atomic uint64_t *of, uint32_t me, bool have_none);

/* A signal handler may fork while its thread is changing a section. The child continues there, and
 * must find the section as it was at the fork, not as the parent has changed it since in the shared file. So it is
 * copied before a fork. Handlers that interrupt the fork may fork as well.
 */
struct trod_kept {
    uint32_t nforking; /* number of nested forks */
    void *copy;        /* or NULL: there was no memory */
    size_t size;       /* a multiple of 8 */
};
void __trod_keep(struct trod_kept *kept, const void *section, size_t size);
/* In the parent; returns whether this was the outermost fork. */
bool __trod_keep_no_more(struct trod_kept *kept);
/* In the child: use the copy as the section; without a copy, it is still the parent's. */
void __trod_take_back(struct trod_kept *kept, void *section, size_t size);

/* The seed of a thread's random numbers: *said, or a random one if that is NULL. */
uint64_t __trod_seed(const uint64_t *said, uint32_t thread);

/* Map a new section without its head. 0, or a negated error, which has been noted. */
int __trod_map_section(
    uint64_t *offset, int fd, void *at, uint64_t size, enum trod_note note);

/* --- enter.c: a thread's first entry ---------------------------------------------- */

/* Create the profile if necessary. Returns whether it is open. */
bool __trod_ready(void);
/* The calling thread, which set the state to TROD_STARTING, has started the profile or failed. */
void __trod_started(bool open);
/* Give the calling thread, whose counters are at base, another area; false if there is none. */
bool __trod_go_on(uintptr_t base);
void __trod_before_fork(void);
void __trod_after_fork(void);
void __trod_forked(void);

/* --- hashed.c: paths without a slot ------------------------------ */

/* As __trod_untested, but count `by` times. */
void __trod_count_hashed(const uint64_t *table, uint64_t id, uint64_t by);

/* --- record.c: recorders of steps ----------------------------- */

enum { TROD_RECORD_CHANGED = 8192, TROD_RECORD_LONELY = 1024 };

/* A node in memory. The nodes in the file are never read back, because others may write there. For a guard: the last
 * node of its rule, the number of uses of the rule, and the list of these.
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

/* A growing grammar and its STEPS section. Not freed until the image is unloaded.
 * When the thread has ended, another may take the recorder over: the part is closed, and the next belongs to that thread.
 *
 * A thread clears idle while it adds a step. idle is on a page that children do not inherit: in a child
 * created without fork handlers, all recorders stay busy.
 */
struct trod_recorder {
    uint32_t *idle;
    uintptr_t frame; /* stack frame of the call that is adding; 0: none */
    struct trod_format_steps *live;
    struct trod_format_node *node;
    struct trod_link *link;
    struct trod_digram *slot;
    uint32_t thread, part; /* as in the file */
    uint32_t mask, shift;  /* of slots */
    uint32_t ndigram;
    uint32_t nnode;     /* used so far, including free ones */
    uint32_t nready;    /* that have space on disk */
    uint32_t free_node; /* or 0 */
    uint32_t nsymbol;
    uint32_t most; /* limit on symbols of a part */
    uint32_t nchanged, nlonely;
    bool left;    /* the thread continues in another one */
    bool stopped; /* nothing more is recorded; idle stays cleared */

    struct trod_kept kept;

    uint32_t most_nodes, most_slots;
    struct trod_digram *table; /* a table of n slots begins at slot n */
    struct trod_recorder *older;
    struct trod_recorder *before; /* the previous recorder of the thread, or NULL */
    _Atomic uint64_t owner;       /* as in struct trod_area */
    uint64_t offset;              /* of its section */
    uint8_t *bytes;               /* a page, for writing */
    uint32_t
        changed[TROD_RECORD_CHANGED]; /* nodes whose digram may be new or a duplicate */
    uint32_t lonely[TROD_RECORD_LONELY]; /* rules that may have only one use */
};

/* Store two adjacent numbers atomically. */
static inline void trod_record_set_both(uint32_t *at, uint32_t one, uint32_t two)
{
    typedef uint64_t __attribute__((may_alias)) both;

    __atomic_store_n((both *)at, (uint64_t)two << 32 | one, __ATOMIC_RELEASE);
    atomic_signal_fence(memory_order_seq_cst);
}

/* Another recorder for the calling thread, which is adding to r. */
struct trod_recorder *__trod_record_go_on(struct trod_recorder *r);
/* Was this process created without fork handlers? */
bool __trod_record_is_foreign(struct trod_recorder *r);
/* A larger table of digrams, empty. */
void __trod_record_table(struct trod_recorder *r, uint32_t nslot);
/* Free a table that is no longer used. */
void __trod_record_drop_table(struct trod_digram *slot, uint32_t nslot);
/* Make room for more nodes, in this part or in a new one. False if that fails. */
bool __trod_record_room(struct trod_recorder *r);
/* Write the part to the profile, and begin the next. False if it cannot be written. */
bool __trod_record_close(struct trod_recorder *r);
/* Stop recording; count a step that was not recorded. */
void __trod_record_stop(struct trod_recorder *r);
void __trod_record_give_up(struct trod_recorder *r);

/* --- vectors.c ---------------------------------------------------------------------------- */

/* Call a function and preserve vector registers. */
uint64_t __trod_keep_vectors(uint64_t (*call)(void *), void *with);

/* --- parts that are linked only if they are needed ------------------ */

/* Null if the part is not linked: check with trod_is_there. */

/* record.c: steps. A recorder for the calling thread, which has none yet; a stopped one if there can be none. */
struct trod_recorder *__trod_record_enter(void) __attribute__((weak));
uint64_t __trod_record_ngiven(void) __attribute__((weak));
void __trod_record_before_fork(void) __attribute__((weak));
void __trod_record_after_fork(void) __attribute__((weak));
/* In a child of fork: interrupted calls finish in a copy, which is discarded. */
void __trod_record_fork(void) __attribute__((weak));
bool __trod_record_flush(void) __attribute__((weak));
void __trod_record_release(void) __attribute__((weak));

/* online.c, watch.c: sampled subpaths. */
void __trod_online_prepare(void) __attribute__((weak));
void __trod_online_before_fork(void) __attribute__((weak));
void __trod_online_after_fork(void) __attribute__((weak));
void __trod_online_fork(void) __attribute__((weak));
void __trod_online_finish(void) __attribute__((weak));

/* burst.c, burst_thread.c: bursts. ticker.c: stopped before an image is unloaded. */
void __trod_burst_prepare(void) __attribute__((weak));
void __trod_burst_before_fork(void) __attribute__((weak));
void __trod_burst_after_fork(void) __attribute__((weak));
void __trod_burst_fork(void) __attribute__((weak));
void __trod_burst_finish(void) __attribute__((weak));
void __trod_ticker_stop(void) __attribute__((weak));

/* control.c: the section by which the program is controlled; fd: of the profile. */
void __trod_control_open(int fd) __attribute__((weak));
void __trod_control_fork(void) __attribute__((weak));

/* heap.c: allocations. */
void __trod_heap_fork(void) __attribute__((weak));
void __trod_heap_finish(void) __attribute__((weak));

static inline void trod_call(void (*part)(void))
{
    if (trod_is_there((const void *)(uintptr_t)part))
        part();
}

/* --- step.c: the grammar ------------------------------------------------------------ */

/* Add the steps that handlers put into the queue. False if there is no room. */
bool __trod_record_drain(struct trod_recorder *r);

#pragma GCC visibility pop

#endif
