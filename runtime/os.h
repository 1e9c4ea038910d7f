/* os: all that the runtime asks of the system and of libc. os.c and os_start.c alone include their
 * headers.
 *
 * Calls go straight to the kernel: so they are not cancellation points, and a program
 * with an `open`, `mmap` or `getenv` of its own, instrumented perhaps, never hears of
 * ours. Results are 0 or more, or an error number negated. All stand between
 * __trod_os_calm and __trod_os_resume. All are async-signal-safe but those at the end,
 * for start-up. /
 */
#ifndef TROD_OS_H
#define TROD_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* --- the thread as we found it ---------------------------------------------------- */

struct trod_os_calm {
    uint64_t mask;
    int error;
};

/* No signal is delivered to this thread until __trod_os_resume. One that our own
 * writing raises (SIGXFSZ, SIGPIPE) is taken back and never delivered. /
 */
void __trod_os_calm(struct trod_os_calm *calm);
void __trod_os_resume(const struct trod_os_calm *calm);

/* --- files ------------------------------------------------------------------------ */

enum trod_os_open {
    TROD_OS_READ,
    TROD_OS_CREATE, /* for reading and writing; fails with -EEXIST where there is something */
    TROD_OS_UNNAMED, /* likewise, a file without a name in this directory */
    TROD_OS_UPDATE,  /* one that is there, and no symbolic link */
    TROD_OS_APPEND,  /* made if need be; never waits for the other end of a pipe */
    TROD_OS_STREAM   /* the same, and does */
};

/* The errors that we look at. */
enum trod_os_error {
    TROD_OS_NO_FOLDER = -2,  /* ENOENT */
    TROD_OS_NO_FD = -9,      /* EBADF */
    TROD_OS_LIMIT = -22,     /* EINVAL: the number is above the limit of descriptors */
    TROD_OS_FULL = -24,      /* EMFILE */
    TROD_OS_NO_MEMORY = -12, /* ENOMEM */
    TROD_OS_TAKEN = -17,     /* EEXIST */
    TROD_OS_NO_SPACE = -28,  /* ENOSPC */
    TROD_OS_NO_NAME = -36    /* ENAMETOOLONG */
};

/* What stays the same when a descriptor's number does not. */
struct trod_os_file {
    uint64_t device, inode;
    uint64_t size; /* which may not */
};

int __trod_os_open(const char *path, enum trod_os_open how);
int __trod_os_close(int fd);
int __trod_os_unlink(const char *path);
/* Give a file its name, or, if `from` is not NULL, one more. TROD_OS_TAKEN where there is something. */
int __trod_os_name(int fd, const char *from, const char *name);
int __trod_os_make_folder(const char *path);
int64_t __trod_os_read(int fd, void *bytes, size_t size);
int __trod_os_write(
    int fd, const void *bytes, size_t size); /* all of it, or an error */
int __trod_os_write_at(int fd, const void *bytes, size_t size, uint64_t offset);
int64_t __trod_os_link(const char *path, char *out, size_t size); /* readlink, no NUL */
int __trod_os_identify(struct trod_os_file *out, int fd);
/* The size of a regular file that nobody but we may write to; a negated error if it is none. */
int64_t __trod_os_own_size(int fd);
/* Whether all who map a file see the same: it is on a disk of this machine. */
bool __trod_os_is_local(int fd);
/* Whether more than twice as many bytes are free where the file is. */
bool __trod_os_has_room(int fd, uint64_t size);
int __trod_os_copy_fd(int fd, int least); /* least or above, closed by exec */
int __trod_os_flush(int fd);

/* Make sure that these bytes of a file can be written later, and that the file reaches
 * that far. Takes at most half of what is free. On failure what was taken is given back.
 */
int __trod_os_reserve(int fd, uint64_t offset, uint64_t size);

/* --- code ------------------------------------------------------------------------- */

/* Call frame information of the code at an address: its .eh_frame_hdr, or NULL. */
const uint8_t *__trod_os_unwind_table(uintptr_t address);

/* --- memory ----------------------------------------------------------------------- */

size_t __trod_os_page(void);
void *__trod_os_map(size_t size); /* zeros; NULL if there is no room */
int __trod_os_unmap(void *at, size_t size);
int __trod_os_map_file(
    void *at, size_t size, int fd, uint64_t offset); /* in place of what is there */
void *__trod_os_map_new(size_t size, int fd, uint64_t offset); /* or NULL */
int __trod_os_map_zeros(void *at, size_t size);                /* the same */
/* Zeros at a place that all of the process agree on. TROD_OS_TAKEN: there is something. */
int __trod_os_map_at(void *at, size_t size);
bool __trod_os_is_readable(const void *at); /* the eight bytes there */
int __trod_os_flush_map(void *at, size_t size);
/* Pages of a mapping are touched here and there: those around them are not read. */
void __trod_os_expect_few(void *at, size_t size);
void __trod_os_hide_from_children(void *at, size_t size); /* zeros after any fork */
void __trod_os_show_to_children(void *at, size_t size);   /* no more */

/* --- processes, threads, time ----------------------------------------------------- */

uint32_t __trod_os_pid(void);
uint32_t __trod_os_parent(void);
uint32_t __trod_os_tid(void);
bool __trod_os_thread_gone(uint32_t pid, uint32_t tid);
/* It has ended, and its parent knows; or does not yet. (os_process.c) */
bool __trod_os_process_unknown(uint32_t pid);
bool __trod_os_process_gone(uint32_t pid);
/* A number of the namespace that ids of processes are in; 0 if unknown. */
uint64_t __trod_os_home(void);
bool __trod_os_on_signal_stack(void);

uintptr_t __trod_os_pointer(void); /* the thread pointer */

/* A word of each thread that all of the process may know of, 0 at first and again when the thread ends. How far it is
 * from the thread pointer, or 0 if unknown. A key costs one of a process's thousand.
 */
int __trod_os_make_key(uint32_t *key, int64_t *slot);
int __trod_os_set_key(uint32_t key, uintptr_t value);

/* Sleep while *word is value, at most about a second; false if that passed. */
bool __trod_os_wait(const void *word, uint32_t value);
void __trod_os_wake(const void *word);
/* The same, at most so long. */
void __trod_os_wait_for(const void *word, uint32_t value, uint64_t nanoseconds);

/* A thread that libc does not know: it may call what is in this file, and nothing of libc, for it has
 * no errno. It runs below top, a multiple of 16, with its thread pointer at pointed, which is zeros and
 * stays; both for itself. All signals that are blocked here are blocked there. *tid is its id until it
 * has left, then 0. That id, or an error.
 */
int __trod_os_start_thread(void (*run)(void), void *top, void *pointed, uint32_t *tid);
void __trod_os_leave_thread(void) __attribute__((noreturn));

struct trod_os_time {
    uint64_t seconds;
    uint32_t nanoseconds;
};
struct trod_os_time __trod_os_date(void);      /* since 1970 */
struct trod_os_time __trod_os_clock(void);     /* since some moment, never set back */
struct trod_os_time __trod_os_own_clock(void); /* that the thread had a processor */

int __trod_os_host(char *out, size_t size);      /* NUL-terminated */
int __trod_os_directory(char *out, size_t size); /* NUL-terminated */
const char *__trod_os_error_name(int error); /* "ENOSPC"; "" if it is none we know */

/* --- start-up --------------------------------------------------------------------- */

/* Whether the program has more rights than its user. */
bool __trod_os_is_secure(void);
/* NULL if not set, or if the program is secure. */
const char *__trod_os_environment(const char *name);
/* Call these before every fork(), then in the parent and in the child, until the image is unloaded. */
void __trod_os_on_fork(void (*before)(void), void (*parent)(void), void (*child)(void));
/* A number that differs between processes, and that others cannot know. */
uint64_t __trod_os_secret(void);
/* The image is being unloaded: have libc forget its handlers, if nobody else does. */
void __trod_os_forget_image(void);
/* The name the kernel started the program by, or "". */
const char *__trod_os_started_as(void);

#pragma GCC visibility pop

#endif
