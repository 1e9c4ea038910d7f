/* os: the runtime's interface to the system and to libc. Only os.c, os_start.c and os_clock.c include
 * their headers, and control/meter_kernel.c, which calls none of libc.
 *
 * System calls are made directly. So they are not cancellation points, and a program
 * that defines its own `open`, `mmap` or `getenv`, perhaps instrumented, never sees
 * them. Results are 0 or more, or a negated error number. All calls, except of clocks, are
 * between __trod_os_calm and __trod_os_resume. All are async-signal-safe, except those at the end,
 * for start-up.
 */
#ifndef TROD_OS_H
#define TROD_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* --- the state of the interrupted thread ---------------------------------------------------- */

struct trod_os_calm {
    uint64_t mask;
    int error;
};

/* Block signals for this thread until __trod_os_resume. A signal that the runtime's own
 * writes raise (SIGXFSZ, SIGPIPE) is consumed and never delivered.
 */
void __trod_os_calm(struct trod_os_calm *calm);
void __trod_os_resume(const struct trod_os_calm *calm);

/* --- files ------------------------------------------------------------------------ */

enum trod_os_open {
    TROD_OS_READ,
    TROD_OS_CREATE, /* for reading and writing; fails with -EEXIST if the name exists */
    TROD_OS_UNNAMED, /* likewise, a file without a name in this directory */
    TROD_OS_UPDATE,  /* an existing file, not a symbolic link */
    TROD_OS_APPEND, /* created if necessary; does not wait for the other end of a pipe */
    TROD_OS_STREAM  /* the same, but waits */
};

/* Errors that the runtime handles. */
enum trod_os_error {
    TROD_OS_NO_FOLDER = -2,  /* ENOENT */
    TROD_OS_NO_FD = -9,      /* EBADF */
    TROD_OS_LIMIT = -22,     /* EINVAL: the number is above the limit of descriptors */
    TROD_OS_FULL = -24,      /* EMFILE */
    TROD_OS_NO_MEMORY = -12, /* ENOMEM */
    TROD_OS_DENIED = -1,     /* EPERM */
    TROD_OS_FORBIDDEN = -13, /* EACCES */
    TROD_OS_NO_DEVICE = -19, /* ENODEV */
    TROD_OS_UNSUPPORTED = -95, /* EOPNOTSUPP */
    TROD_OS_TAKEN = -17,       /* EEXIST */
    TROD_OS_NO_SPACE = -28,    /* ENOSPC */
    TROD_OS_NO_NAME = -36      /* ENAMETOOLONG */
};

/* The identity of a file, whatever its descriptor is. */
struct trod_os_file {
    uint64_t device,
        inode; /* device: as Linux numbers them, major number in bits 8 to 19 and from 44 on */
    uint64_t size; /* not part of the identity */
};

int __trod_os_open(const char *path, enum trod_os_open how);
int __trod_os_close(int fd);
int __trod_os_unlink(const char *path);
/* Give an unnamed file its name or, if `from` is not NULL, link that name. TROD_OS_TAKEN if the name exists. */
int __trod_os_name(int fd, const char *from, const char *name);
int __trod_os_make_folder(const char *path);
int64_t __trod_os_read(int fd, void *bytes, size_t size);
int __trod_os_write(
    int fd, const void *bytes, size_t size); /* all of it, or an error */
int __trod_os_write_at(int fd, const void *bytes, size_t size, uint64_t offset);
int64_t __trod_os_link(const char *path, char *out, size_t size); /* readlink, no NUL */
int __trod_os_identify(struct trod_os_file *out, int fd);
/* The same for a regular file that only this user, or root, may write; an error for other files. */
int __trod_os_identify_own(struct trod_os_file *out, int fd);
/* Are mappings of the file coherent, because it is on a local file system? */
bool __trod_os_is_local(int fd);
/* Does the file system have more than twice as many bytes free? */
bool __trod_os_has_room(int fd, uint64_t size);
int __trod_os_copy_fd(int fd, int least); /* least or above, closed by exec */
int __trod_os_flush(int fd);

/* Make sure that these bytes of a file can be written later, and that the file extends
 * that far. Uses at most half of the free space. On failure, releases what it reserved.
 */
int __trod_os_reserve(int fd, uint64_t offset, uint64_t size);

/* --- code ------------------------------------------------------------------------- */

/* Call frame information of the code at an address: its .eh_frame_hdr, or NULL. */
const uint8_t *__trod_os_unwind_table(uintptr_t address);

/* --- memory ----------------------------------------------------------------------- */

size_t __trod_os_page(void);
void *__trod_os_map(size_t size); /* zeros; NULL on failure */
int __trod_os_unmap(void *at, size_t size);
int __trod_os_map_file(
    void *at, size_t size, int fd, uint64_t offset); /* replaces an existing mapping */
void *__trod_os_map_new(size_t size, int fd, uint64_t offset); /* or NULL */
int __trod_os_map_zeros(void *at, size_t size);                /* the same */
/* Zeros at a fixed address. TROD_OS_TAKEN: it is in use. */
int __trod_os_map_at(void *at, size_t size);
bool __trod_os_is_readable(const void *at); /* the eight bytes there */
int __trod_os_flush_map(void *at, size_t size);
/* Pages of a mapping are touched at random: disable read-ahead. */
void __trod_os_expect_few(void *at, size_t size);
void __trod_os_hide_from_children(void *at, size_t size); /* zeros after any fork */
void __trod_os_show_to_children(void *at, size_t size);   /* undo this */

/* --- processes, threads, time ----------------------------------------------------- */

uint32_t __trod_os_pid(void);
uint32_t __trod_os_parent(void);
uint32_t __trod_os_tid(void);
bool __trod_os_thread_gone(uint32_t pid, uint32_t tid);
/* Has the process ended and been waited for; or not yet waited for? (os_process.c) */
bool __trod_os_process_unknown(uint32_t pid);
bool __trod_os_process_ended(uint32_t pid);
/* Identifies the PID namespace; 0 if unknown. */
uint64_t __trod_os_home(void);
bool __trod_os_on_signal_stack(void);

uintptr_t __trod_os_pointer(void); /* the thread pointer */

/* A word of each thread that all images of the process can use, 0 initially and again when the thread ends. Its offset
 * from the thread pointer, or 0 if unknown. Uses one of the process's about thousand keys.
 */
int __trod_os_make_key(uint32_t *key, int64_t *slot);
int __trod_os_set_key(uint32_t key, uintptr_t value);

/* Sleep while *word is value, at most about a second; false on timeout. */
bool __trod_os_wait(const void *word, uint32_t value);
void __trod_os_wake(const void *word);
/* The same, at most so long. */
void __trod_os_wait_for(const void *word, uint32_t value, uint64_t nanoseconds);

/* A thread that is unknown to libc. It may call functions of this file, but nothing of libc, because it has
 * no errno. Its stack is below top, a multiple of 16; its thread pointer is pointed, zeros that
 * stay allocated; both are its own. All signals that are blocked here are blocked there. *tid is its id until it
 * has ended, then 0. Returns that id, or an error.
 */
int __trod_os_start_thread(void (*run)(void), void *top, void *pointed, uint32_t *tid);
void __trod_os_leave_thread(void) __attribute__((noreturn));

struct trod_os_time {
    uint64_t seconds;
    uint32_t nanoseconds;
};
/* Not with signals blocked at the end of a program: it may have forbidden the instruction that reads the clock, and
 * emulate it in a handler.
 */
struct trod_os_time __trod_os_date(void);      /* since 1970 */
struct trod_os_time __trod_os_clock(void);     /* monotonic */
struct trod_os_time __trod_os_own_clock(void); /* CPU time of the thread */

/* Read a clock without a system call; false where that is impossible. (os_clock.c) */
struct timespec;
bool __trod_os_read_clock(struct timespec *out, int clock);

int __trod_os_host(char *out, size_t size);      /* NUL-terminated */
int __trod_os_directory(char *out, size_t size); /* NUL-terminated */
const char *__trod_os_error_name(int error);     /* "ENOSPC"; "" if unknown */

/* --- system calls of other parts -------------------------------------------------- */

int64_t __trod_os_call(long number, const uint64_t of[6]);

/* --- start-up --------------------------------------------------------------------- */

/* Does the program have more privileges than its user? */
bool __trod_os_is_secure(void);
/* NULL if not set, or if the program is secure. */
const char *__trod_os_environment(const char *name);
/* Register handlers to call before every fork(), and in the parent and in the child after it, until the image is unloaded. */
void __trod_os_on_fork(void (*before)(void), void (*parent)(void), void (*child)(void));
/* A random number that is secret to the process. */
uint64_t __trod_os_secret(void);
/* The image is being unloaded: unregister its handlers from libc, if crtbegin.o does not. */
void __trod_os_forget_image(void);
/* The name the kernel started the program by, or "". */
const char *__trod_os_started_as(void);

#pragma GCC visibility pop

#endif
