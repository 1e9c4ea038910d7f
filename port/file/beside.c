#include "file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

/* A file is written to a temporary one in the same directory, which replaces it when complete, so
 * that neither a full disk nor a signal destroys the old contents. Some files cannot be replaced
 * and are overwritten instead: pipes and devices; files in directories that cannot be written to;
 * files whose owner would change.
 */

enum { MOST_LINKS = 40, MOST_TRIES = 100, PROC_MAGIC = 0x9fa0 };

/* --- signals --------------------------------------------------------------------------------------------- */

/* The temporary file: a signal that ends the process removes it. */
static char unfinished[4096];

static const int ending[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT};
enum { NENDING = sizeof ending / sizeof *ending };

static void clear_and_end(int signal)
{
    unlink(unfinished);
    raise(signal); /* the handler is reset; it is delivered on return */
}

static void hold(sigset_t *before)
{
    sigset_t held;

    sigemptyset(&held);
    for (int i = 0; i < NENDING; i++)
        sigaddset(&held, ending[i]);
    sigprocmask(SIG_BLOCK, &held, before);
}

static void watch(struct trod_file_beside *b)
{
    struct sigaction action = {
        .sa_handler = clear_and_end, .sa_flags = (int)SA_RESETHAND};
    struct sigaction ignored = {.sa_handler = SIG_IGN};

    for (int i = 0; i < NENDING; i++) {
        sigaction(ending[i], NULL, &b->before_signal[i]);
        if (b->before_signal[i].sa_handler == SIG_DFL)
            sigaction(ending[i], &action, NULL);
    }
    /* With SIGXFSZ ignored, exceeding the limit on file sizes is an error of write. */
    sigaction(SIGXFSZ, &ignored, &b->before_size);
}

static void unwatch(struct trod_file_beside *b)
{
    for (int i = 0; i < NENDING; i++)
        sigaction(ending[i], &b->before_signal[i], NULL);
    sigaction(SIGXFSZ, &b->before_size, NULL);
}

/* --- the target -------------------------------------------------------------------------------------------- */

static char *folder_of(const char *path, struct trod_arena *mem)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return trod_copy_text(mem, ".", 1);
    return trod_copy_text(mem, path, slash == path ? 1 : (size_t)(slash - path));
}

static char *join(const char *folder, const char *name, struct trod_arena *mem)
{
    return trod_format(mem, "%s/%s", folder, name);
}

/* Follows symbolic links: the file they lead to is replaced, not the link. *direct: the link is one
 * of /proc to an open file, whose name may have changed.
 */
static const char *follow(const char *path, bool *direct, struct trod_arena *mem)
{
    *direct = false;
    for (int i = 0; i < MOST_LINKS; i++) {
        char name[4096];
        ssize_t n = readlink(path, name, sizeof name - 1);
        const char *folder;
        struct statfs system;

        if (n < 0)
            break;
        name[n] = '\0';
        folder = folder_of(path, mem);
        *direct = statfs(folder, &system) == 0 && system.f_type == PROC_MAGIC;
        if (*direct)
            break;
        path = *name == '/' ? trod_copy_text(mem, name, (size_t)n)
                            : join(folder, name, mem);
    }
    return path;
}

/* --- opening ------------------------------------------------------------------------------------------------ */

/* Creates a temporary file in the target's directory; -1: errno has the reason. */
static int create(struct trod_file_beside *b, struct trod_arena *mem)
{
    const char *folder = folder_of(b->target, mem);
    int fd = -1;

    for (int i = 0; fd < 0 && i < MOST_TRIES; i++) {
        char name[64];
        sigset_t before;

        snprintf(name, sizeof name, ".trod-%ld-%d.tmp", (long)getpid(), i);
        b->temporary = join(folder, name, mem);
        if (b->watched && strlen(b->temporary) >= sizeof unfinished) {
            errno = ENAMETOOLONG;
            break;
        }
        hold(&before);
        fd = open(b->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
            b->exists ? 0600 : 0666);
        if (fd >= 0 && b->watched) {
            memcpy(unfinished, b->temporary, strlen(b->temporary) + 1);
            watch(b);
        }
        sigprocmask(SIG_SETMASK, &before, NULL);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0)
        b->temporary = NULL;
    return fd;
}

int trod_file_begin(
    struct trod_file_beside *out, const char *path, bool watch, struct trod_arena *mem)
{
    bool direct;

    *out = (struct trod_file_beside){.watched = watch, .fd = -1};
    out->target = follow(path, &direct, mem);
    out->exists = stat(out->target, &out->before) == 0;
    out->direct = direct || (out->exists && !S_ISREG(out->before.st_mode));
    if (out->direct) {
        out->fd = open(out->target, O_WRONLY | O_TRUNC | O_CLOEXEC);
        return out->fd < 0 ? errno : 0;
    }
    /* A file without write permission must not be replaced either. */
    if (out->exists && faccessat(AT_FDCWD, out->target, W_OK, AT_EACCESS) != 0)
        return errno;
    out->fd = create(out, mem);
    if (out->fd < 0 && out->exists &&
        (errno == EACCES || errno == EPERM || errno == EROFS))
        out->fd = memfd_create("trod", MFD_CLOEXEC);
    return out->fd < 0 ? errno : 0;
}

/* --- closing ------------------------------------------------------------------------------------------------- */

static int copy_bytes(int to, int from)
{
    char bytes[1 << 16];
    off_t at = 0;

    for (;;) {
        ssize_t n = pread(from, bytes, sizeof bytes, at), done = 0;

        if (n < 0)
            return errno;
        if (n == 0)
            return 0;
        while (done < n) {
            ssize_t put = pwrite(to, bytes + done, (size_t)(n - done), at + done);

            if (put < 0 && errno != EINTR)
                return errno;
            done += put > 0 ? put : 0;
        }
        at += n;
    }
}

/* Overwrites the old file in place. The space is allocated before the first byte is lost. */
static int copy_over(const struct trod_file_beside *b)
{
    int from = b->temporary ? open(b->temporary, O_RDONLY | O_CLOEXEC) : dup(b->fd);
    int to = open(b->target, O_WRONLY | O_CLOEXEC), error = 0;
    struct stat new = {0};

    if (from < 0 || to < 0 || fstat(from, &new) != 0)
        error = errno;
    if (!error && new.st_size && fallocate(to, 0, 0, new.st_size) != 0 &&
        errno != EOPNOTSUPP &&errno != ENOSYS) {
        error = errno;
        if (ftruncate(to, b->before.st_size) != 0)
            error = errno;
    } else if (!error) {
        error = copy_bytes(to, from);
        if (!error && ftruncate(to, new.st_size) != 0)
            error = errno;
    }
    if (from >= 0)
        close(from);
    if (to >= 0 && close(to) != 0 && !error)
        error = errno;
    return error;
}

/* Gives the new file the owner and mode of the old one, and syncs it before it is renamed. */
static bool dress(const struct trod_file_beside *b, int *error)
{
    int fd = open(b->temporary, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat now;
    bool ok = fd >= 0 && fstat(fd, &now) == 0;

    if (ok && (now.st_uid != b->before.st_uid || now.st_gid != b->before.st_gid))
        ok = fchown(fd, b->before.st_uid, b->before.st_gid) == 0;
    ok = ok && fchmod(fd, b->before.st_mode & 07777) == 0;
    if (ok && fsync(fd) != 0 && errno != EINVAL && errno != EROFS)
        *error = errno;
    if (fd >= 0)
        close(fd);
    return ok;
}

static int replace(const struct trod_file_beside *b)
{
    int error = 0;

    if (!b->temporary || (b->exists && !dress(b, &error)))
        return copy_over(b);
    if (error || rename(b->temporary, b->target) == 0)
        return error;
    error = errno;
    /* It is a mount point, or belongs to another user in a sticky directory like /tmp. */
    return b->exists && (error == EBUSY || error == EPERM || error == EACCES)
               ? copy_over(b)
               : error;
}

int trod_file_end(struct trod_file_beside *b, int error)
{
    sigset_t before;

    /* Some file systems report only on close that they are full. A memory file disappears when it
     * is closed. */
    if ((b->temporary || b->direct) && close(b->fd) != 0 && !error)
        error = errno;
    if (!b->direct && !error)
        error = replace(b);
    if (!b->direct && !b->temporary)
        close(b->fd);
    if (b->temporary) {
        hold(&before);
        unlink(b->temporary); /* if it still exists */
        if (b->watched)
            unwatch(b);
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    return error;
}
