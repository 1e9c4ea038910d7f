#define _GNU_SOURCE 1

#include "os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(void *) == 8 && sizeof(long) == 8, "64-bit systems only");
_Static_assert(
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "counters are mapped as they are");

/* System calls without libc; see os.h. Six arguments are always passed: the kernel ignores unused
 * ones.
 */
#if defined(__x86_64__)
static int64_t kernel(
    long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    register uint64_t r10 __asm__("r10") = d;
    register uint64_t r8 __asm__("r8") = e;
    register uint64_t r9 __asm__("r9") = f;
    int64_t result;

    __asm__ volatile("syscall"
        : "=a"(result)
        : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
        : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
static int64_t kernel(
    long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    register int64_t x8 __asm__("x8") = number;
    register uint64_t x0 __asm__("x0") = a;
    register uint64_t x1 __asm__("x1") = b;
    register uint64_t x2 __asm__("x2") = c;
    register uint64_t x3 __asm__("x3") = d;
    register uint64_t x4 __asm__("x4") = e;
    register uint64_t x5 __asm__("x5") = f;

    __asm__ volatile("svc 0"
        : "+r"(x0)
        : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
        : "memory");
    return (int64_t)x0;
}
#else
static int64_t kernel(
    long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    long result = syscall(number, a, b, c, d, e, f);

    return result == -1 ? -errno : result;
}
#endif

/* Converts numbers and pointers to a register value. */
#define word(x) _Generic((x), int: (uint64_t)(int64_t)(x), default: (uint64_t)(x))
#define call_(n, a, b, c, d, e, f, ...) \
    kernel((n), word(a), word(b), word(c), word(d), word(e), word(f))
#define call(...) call_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

int64_t __trod_os_call(long number, const uint64_t of[6])
{
    return kernel(number, of[0], of[1], of[2], of[3], of[4], of[5]);
}

/* --- preserving the state of the thread ------------------------------------------- */

enum { KERNEL_SET = 8 }; /* bytes of the kernel's signal set; libc's is larger */

void __trod_os_calm(struct trod_os_calm *calm)
{
    uint64_t all = UINT64_MAX;

    calm->error = errno;
    calm->mask = 0;
    call(SYS_rt_sigprocmask, SIG_SETMASK, &all, &calm->mask, KERNEL_SET);
}

void __trod_os_resume(const struct trod_os_calm *calm)
{
    call(SYS_rt_sigprocmask, SIG_SETMASK, &calm->mask, NULL, KERNEL_SET);
    errno = calm->error;
}

/* The kernel reports some errors of write also as a signal to the writing thread. All signals are
 * blocked, so that it is still pending, unless it is ignored.
 */
static int64_t take_back(int64_t result)
{
    int raised = result == -EFBIG ? SIGXFSZ : result == -EPIPE ? SIGPIPE : 0;

    if (raised) {
        uint64_t set = UINT64_C(1) << (raised - 1);
        struct timespec now = {0, 0};

        call(SYS_rt_sigtimedwait, &set, NULL, &now, KERNEL_SET);
    }
    return result;
}

/* --- files ------------------------------------------------------------------------ */

/* Independent of the umask: whoever can write to a profile can kill the program, and whoever can
 * read it learns what the program did. */
enum { FILE_MODE = 0600, FOLDER_MODE = 0755 };

int __trod_os_open(const char *path, enum trod_os_open how)
{
    static const int flags[] = {
        [TROD_OS_READ] = O_RDONLY,
        [TROD_OS_CREATE] = O_RDWR | O_CREAT | O_EXCL,
        [TROD_OS_UNNAMED] = O_RDWR | O_TMPFILE,
        [TROD_OS_UPDATE] = O_RDWR | O_NOFOLLOW | O_NONBLOCK,
        [TROD_OS_APPEND] = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK,
        [TROD_OS_STREAM] = O_WRONLY | O_CREAT | O_APPEND,
    };

    return (int)call(
        SYS_openat, AT_FDCWD, path, flags[how] | O_CLOEXEC | O_NOCTTY, FILE_MODE);
}

int __trod_os_close(int fd)
{
    return (int)call(SYS_close, fd);
}

int __trod_os_unlink(const char *path)
{
    return (int)call(SYS_unlinkat, AT_FDCWD, path, 0);
}

int __trod_os_name(int fd, const char *from, const char *name)
{
    char link[32] = "/proc/self/fd/";
    unsigned at = 14, digits = 1;
    int64_t error;
    int left;

    if (from)
        return (int)call(SYS_linkat, AT_FDCWD, from, AT_FDCWD, name, 0);
    for (left = fd; left > 9; left /= 10)
        digits++;
    for (left = fd; digits; left /= 10)
        link[at + --digits] = (char)('0' + left % 10);
    error = call(SYS_linkat, AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
    if (error == -ENOENT) /* /proc may not be mounted; this needs more rights */
        error = call(SYS_linkat, fd, "", AT_FDCWD, name, AT_EMPTY_PATH);
    return (int)error;
}

int __trod_os_make_folder(const char *path)
{
    return (int)call(SYS_mkdirat, AT_FDCWD, path, FOLDER_MODE);
}

int64_t __trod_os_read(int fd, void *bytes, size_t size)
{
    return call(SYS_read, fd, bytes, size);
}

int __trod_os_write(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;

    while (size) {
        int64_t done = take_back(call(SYS_write, fd, at, size));

        if (done <= 0)
            return done < 0 ? (int)done : -EIO;
        at += done;
        size -= (size_t)done;
    }
    return 0;
}

int __trod_os_write_at(int fd, const void *bytes, size_t size, uint64_t offset)
{
    const char *at = bytes;

    while (size) {
        int64_t done = take_back(call(SYS_pwrite64, fd, at, size, offset));

        if (done <= 0)
            return done < 0 ? (int)done : -EIO;
        at += done;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return 0;
}

int64_t __trod_os_link(const char *path, char *out, size_t size)
{
    return call(SYS_readlinkat, AT_FDCWD, path, out, size);
}

static int identify(struct trod_os_file *out, struct stat *file, int fd)
{
    int64_t error;

    file->st_dev = 0; /* analyzers do not know that the kernel writes it */
    file->st_ino = 0;
    file->st_size = 0;
    file->st_uid = 0;
    file->st_mode = 0;
    error = call(SYS_fstat, fd, file);
    if (error)
        return (int)error;
    out->device = file->st_dev;
    out->inode = file->st_ino;
    out->size = (uint64_t)file->st_size;
    return 0;
}

int __trod_os_identify(struct trod_os_file *out, int fd)
{
    struct stat file;

    return identify(out, &file, fd);
}

/* What only root may write, root may: the user need not be asked for. */
int __trod_os_identify_own(struct trod_os_file *out, int fd)
{
    struct stat file;
    int error = identify(out, &file, fd);

    if (error)
        return error;
    if (!S_ISREG(file.st_mode) || file.st_mode & (S_IWGRP | S_IWOTH) ||
        (file.st_uid && file.st_uid != (uint32_t)call(SYS_geteuid)))
        return -EPERM;
    return 0;
}

/* Magic numbers of NFS, SMB (three), FUSE, 9P, Ceph, AFS (two), Lustre, GPFS, Coda, OCFS2, GFS2. */
bool __trod_os_is_local(int fd)
{
    static const uint32_t remote[] = {0x6969, 0x517b, 0xff534d42, 0xfe534d42,
        0x65735546, 0x01021997, 0x00c36400, 0x5346414f, 0x6b414653, 0x0bd00bd0,
        0x47504653, 0x73757245, 0x7461636f, 0x01161970};
    struct statfs disk;
    size_t i;

    disk.f_type = 0;
    if (call(SYS_fstatfs, fd, &disk))
        return false;
    for (i = 0; i < sizeof remote / sizeof *remote; i++) {
        if ((uint32_t)disk.f_type == remote[i])
            return false;
    }
    return true;
}

bool __trod_os_has_room(int fd, uint64_t size)
{
    struct statfs disk;

    disk.f_bsize = 0;
    disk.f_bavail = 0;
    return call(SYS_fstatfs, fd, &disk) || disk.f_bsize <= 0 ||
           size / (uint64_t)disk.f_bsize <= disk.f_bavail / 2;
}

int __trod_os_copy_fd(int fd, int least)
{
    return (int)call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, least);
}

int __trod_os_flush(int fd)
{
    return (int)call(SYS_fsync, fd);
}

static int write_zeros(int fd, uint64_t offset, uint64_t size)
{
    static char zeros
        [4096]; /* never written; not const, so that it takes no room in the program's file */
    int error = 0;

    for (; size && !error; offset += sizeof zeros, size -= sizeof zeros) {
        if (size < sizeof zeros)
            return __trod_os_write_at(fd, zeros, size, offset);
        error = __trod_os_write_at(fd, zeros, sizeof zeros, offset);
    }
    return error;
}

/* Where space can be reserved only by writing zeros, at most this many bytes are written. */
enum { MOST_ZEROS = 16 << 20 };

int __trod_os_reserve(int fd, uint64_t offset, uint64_t size)
{
    int64_t error;

    if (!__trod_os_has_room(fd, size))
        return -ENOSPC;
    error = take_back(call(SYS_fallocate, fd, 0, offset, size));
    if ((error == -EOPNOTSUPP || error == -ENOSYS) && size <= MOST_ZEROS)
        error = write_zeros(fd, offset, size);
    if (error)
        call(SYS_fallocate, fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset,
            size);
    return (int)error;
}

/* --- memory ----------------------------------------------------------------------- */

size_t __trod_os_page(void)
{
    return getauxval(AT_PAGESZ);
}

/* NORESERVE: most counters are never touched, and must not count against a memory limit. */
static int64_t map(void *at, size_t size, int flags, int fd, uint64_t offset)
{
    return call(
        SYS_mmap, at, size, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, fd, offset);
}

/* Errors are the values from -4095 to -1, which are not addresses. */
static bool is_error(int64_t result)
{
    return result < 0 && result > -4096;
}

void *__trod_os_map(size_t size)
{
    int64_t at = map(NULL, size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return is_error(at) ? NULL : (void *)(uintptr_t)at;
}

int __trod_os_unmap(void *at, size_t size)
{
    return (int)call(SYS_munmap, at, size);
}

int __trod_os_map_file(void *at, size_t size, int fd, uint64_t offset)
{
    int64_t error = map(at, size, MAP_SHARED | MAP_FIXED, fd, offset);

    return is_error(error) ? (int)error : 0;
}

void *__trod_os_map_new(size_t size, int fd, uint64_t offset)
{
    int64_t at = map(NULL, size, MAP_SHARED, fd, offset);

    return is_error(at) ? NULL
                        : (void *)(uintptr_t)at; /* NOLINT(performance-no-int-to-ptr) */
}

int __trod_os_map_zeros(void *at, size_t size)
{
    int64_t error = map(at, size, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

    return is_error(error) ? (int)error : 0;
}

void __trod_os_expect_few(void *at, size_t size)
{
    call(SYS_madvise, at, size, MADV_RANDOM);
}

/* Kernels before 4.17 treat the address as a hint. */
int __trod_os_map_at(void *at, size_t size)
{
    int64_t got =
        map(at, size, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    if (is_error(got))
        return (int)got;
    if ((uintptr_t)got == (uintptr_t)at)
        return 0;
    call(SYS_munmap, got, size);
    return -EEXIST;
}

/* The kernel reads the set before it rejects the invalid operation. */
bool __trod_os_is_readable(const void *at)
{
    return call(SYS_rt_sigprocmask, -1, at, NULL, KERNEL_SET) != -EFAULT;
}

int __trod_os_flush_map(void *at, size_t size)
{
    return (int)call(SYS_msync, at, size, MS_SYNC);
}

/* Kernels before 4.14 do not support this; the failure is ignored. */
void __trod_os_hide_from_children(void *at, size_t size)
{
    call(SYS_madvise, at, size, MADV_WIPEONFORK);
}

void __trod_os_show_to_children(void *at, size_t size)
{
    call(SYS_madvise, at, size, MADV_KEEPONFORK);
}

/* --- processes, threads, time ----------------------------------------------------- */

uint32_t __trod_os_pid(void)
{
    return (uint32_t)call(SYS_getpid);
}

uint32_t __trod_os_parent(void)
{
    return (uint32_t)call(SYS_getppid);
}

uint32_t __trod_os_tid(void)
{
    return (uint32_t)call(SYS_gettid);
}

bool __trod_os_thread_gone(uint32_t pid, uint32_t tid)
{
    return call(SYS_tgkill, pid, tid, 0) == -ESRCH;
}

bool __trod_os_process_unknown(uint32_t pid)
{
    return call(SYS_kill, pid, 0) == -ESRCH;
}

uint64_t __trod_os_home(void)
{
    struct stat file;

    file.st_ino = 0;
    return call(SYS_newfstatat, AT_FDCWD, "/proc/self/ns/pid", &file, 0) ? 0
                                                                         : file.st_ino;
}

bool __trod_os_on_signal_stack(void)
{
    stack_t stack = {0};

    call(SYS_sigaltstack, NULL, &stack);
    return stack.ss_flags & SS_ONSTACK;
}

uintptr_t __trod_os_pointer(void)
{
    return (uintptr_t)__builtin_thread_pointer();
}

/* Only glibc has it, from 2.32 on. It identifies the libc at run time: programs may be linked with
 * another libc than the one whose headers the runtime was compiled with.
 */
extern const char __libc_single_threaded __attribute__((weak));

/* glibc keeps the values of the first 32 keys beside the thread pointer, in struct pthread, whose layout
 * is not documented: so the runtime sets a value and searches for it. It is above the pointer on x86, below
 * on others.
 */
static int64_t find_slot(uint32_t key)
{
    const char *pointer = __builtin_thread_pointer();
#ifdef __x86_64__
    enum { SIZE = 0x600 }; /* minimal size of struct pthread */
    const char *from = pointer;
#else
    enum {
        SIZE = 0x800
    }; /* maximal size; at most a page, because the runtime checks one page for being mapped */
    const char *from = pointer - SIZE;
#endif
    uintptr_t value = ((uintptr_t)&key ^ UINT64_C(0x74726f6474726f64)) | 1;
    const volatile uintptr_t *at = (const volatile void *)from, *end = at + SIZE / 8;
    int64_t slot = 0;

    if (!&__libc_single_threaded || !__trod_os_is_readable(from) ||
        pthread_setspecific(key, (const void *)value))
        return 0;
    while (at < end && *at != value)
        at++;
    if (at < end && !pthread_setspecific(key, (const void *)(value + 2)) &&
        *at == value + 2)
        slot = (const volatile char *)at - pointer;
    pthread_setspecific(key, NULL);
    return at < end && *at == 0 ? slot : 0;
}

int __trod_os_make_key(uint32_t *key, int64_t *slot)
{
    pthread_key_t made;
    int error = pthread_key_create(&made, NULL);

    if (error)
        return -error;
    *key = made;
    *slot = find_slot(made);
    return 0;
}

int __trod_os_set_key(uint32_t key, uintptr_t value)
{
    return -pthread_setspecific(key, (const void *)value);
}

bool __trod_os_wait(const void *word, uint32_t value)
{
    struct timespec second = {1, 0};

    return call(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &second, NULL, 0) !=
           -ETIMEDOUT;
}

void __trod_os_wake(const void *word)
{
    call(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

void __trod_os_wait_for(const void *word, uint32_t value, uint64_t nanoseconds)
{
    struct timespec most = {
        (time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};

    call(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &most, NULL, 0);
}

/* Exactly the flags of pthread_create: valgrind supports no others. */
enum {
    THREAD_FLAGS = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND |
                   CLONE_THREAD | CLONE_SETTLS | CLONE_PARENT_SETTID |
                   CLONE_CHILD_CLEARTID
};

#if defined(__x86_64__)
int __trod_os_start_thread(void (*run)(void), void *top, void *pointed, uint32_t *tid)
{
    register uint32_t *r10 __asm__("r10") = tid;
    register void *r8 __asm__("r8") = pointed;
    int64_t result;

    *(void **)pointed = pointed; /* where code finds the thread pointer */
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jne 1f\n\t"
                     "xor %%ebp, %%ebp\n\t"
                     "call *%[run]\n\t"
                     "ud2\n"
                     "1:"
        : "=a"(result)
        : "a"(SYS_clone), "D"((long)THREAD_FLAGS), "S"(top), "d"(tid), "r"(r10),
        "r"(r8), [run] "b"(run)
        : "rcx", "r11", "memory", "cc");
    return (int)result;
}
#elif defined(__aarch64__)
int __trod_os_start_thread(void (*run)(void), void *top, void *pointed, uint32_t *tid)
{
    register int64_t x8 __asm__("x8") = SYS_clone;
    register int64_t x0 __asm__("x0") = THREAD_FLAGS;
    register void *x1 __asm__("x1") = top;
    register uint32_t *x2 __asm__("x2") = tid;
    register void *x3 __asm__("x3") = pointed;
    register uint32_t *x4 __asm__("x4") = tid;

    __asm__ volatile("svc 0\n\t"
                     "cbnz x0, 1f\n\t"
                     "mov x29, xzr\n\t"
                     "blr %[run]\n\t"
                     "brk 1\n"
                     "1:"
        : "+r"(x0)
        : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), [run] "r"(run)
        : "x30", "memory", "cc");
    return (int)x0;
}
#else
int __trod_os_start_thread(void (*run)(void), void *top, void *pointed, uint32_t *tid)
{
    (void)run;
    (void)top;
    (void)pointed;
    (void)tid;
    return -ENOSYS;
}
#endif

void __trod_os_leave_thread(void)
{
    for (;;)
        call(SYS_exit, 0);
}

static struct trod_os_time time_of(clockid_t clock)
{
    struct timespec now = {0, 0};
    struct trod_os_time out;

    if (!__trod_os_read_clock(&now, clock))
        call(SYS_clock_gettime, clock, &now);
    out.seconds = (uint64_t)now.tv_sec;
    out.nanoseconds = (uint32_t)now.tv_nsec;
    return out;
}

struct trod_os_time __trod_os_date(void)
{
    return time_of(CLOCK_REALTIME);
}

struct trod_os_time __trod_os_own_clock(void)
{
    return time_of(CLOCK_THREAD_CPUTIME_ID);
}

struct trod_os_time __trod_os_clock(void)
{
    return time_of(CLOCK_MONOTONIC);
}

int __trod_os_host(char *out, size_t size)
{
    struct utsname system;
    int64_t error;
    size_t i = 0;

    system.nodename[0] = 0;
    error = call(SYS_uname, &system);
    if (!error) {
        for (; i + 1 < size && system.nodename[i]; i++)
            out[i] = system.nodename[i];
    }
    out[i] = 0;
    return (int)error;
}

int __trod_os_directory(char *out, size_t size)
{
    int64_t length = call(SYS_getcwd, out, size);

    if (length >= 0 && out[0] == '/')
        return 0;
    out[0] = 0; /* the name starts with "(unreachable)" */
    return length < 0 ? (int)length : -ENOENT;
}

const char *__trod_os_error_name(int error)
{
    static const struct {
        int error;
        const char *name;
    } names[] = {
        {EACCES, "EACCES"},
        {EAGAIN, "EAGAIN"},
        {EBADF, "EBADF"},
        {EDQUOT, "EDQUOT"},
        {EEXIST, "EEXIST"},
        {EFBIG, "EFBIG"},
        {EINVAL, "EINVAL"},
        {EIO, "EIO"},
        {EISDIR, "EISDIR"},
        {ELOOP, "ELOOP"},
        {EMFILE, "EMFILE"},
        {ENAMETOOLONG, "ENAMETOOLONG"},
        {ENFILE, "ENFILE"},
        {ENODEV, "ENODEV"},
        {ENOENT, "ENOENT"},
        {ENOMEM, "ENOMEM"},
        {ENOSPC, "ENOSPC"},
        {ENOSYS, "ENOSYS"},
        {ENOTDIR, "ENOTDIR"},
        {EOPNOTSUPP, "EOPNOTSUPP"},
        {EPERM, "EPERM"},
        {EROFS, "EROFS"},
    };
    size_t i;

    for (i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].error == error)
            return names[i].name;
    }
    return "";
}
