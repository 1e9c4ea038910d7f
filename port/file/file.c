#include "file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Reads up to `to`, or to the end if that is 0. */
static int read_to(
    struct trod_file_data *out, size_t *room, size_t to, int fd, struct trod_arena *mem)
{
    size_t from = out->length;

    while (!to || out->length < to) {
        size_t most = (to ? to : *room) - out->length;
        ssize_t n = read(fd, out->bytes + out->length, most);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        if (n == 0)
            break;
        out->length += (size_t)n;
        if (out->length == *room) {
            out->bytes = trod_arena_grow(mem, out->bytes, *room, 2 * *room, 1);
            *room *= 2;
        }
    }
    if (out->length > from)
        trod_push(mem, out->extent, out->nextent, out->room,
            (struct trod_extent){from, out->length});
    return 0;
}

/* The next extent, from an offset on, that is not a hole. False: there is none, or the file system
 * does not support this. */
static bool next_data(struct trod_extent *out, int fd, uint64_t at)
{
    off_t from = lseek(fd, (off_t)at, SEEK_DATA);
    off_t to = from < 0 ? from : lseek(fd, from, SEEK_HOLE);

    *out = (struct trod_extent){(uint64_t)from, (uint64_t)to};
    return to > from && from >= 0 && lseek(fd, from, SEEK_SET) == from;
}

int trod_file_read_data(struct trod_file_data *out, int fd, struct trod_arena *mem)
{
    struct stat status;
    struct trod_extent next;
    size_t room = 1 << 16;
    bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    off_t start = regular ? lseek(fd, 0, SEEK_CUR) : 0;
    int error = 0;

    if (regular)
        room = (size_t)status.st_size + 1;
    *out = (struct trod_file_data){.bytes = trod_arena_take(mem, room, 1)};
    if (regular && start == 0) {
        uint64_t size = (uint64_t)status.st_size;

        for (uint64_t at = 0; !error && at < size && next_data(&next, fd, at);
            at = next.to) {
            out->length = (size_t)next.from;
            error = next.from < size
                        ? read_to(out, &room, next.to < size ? next.to : size, fd, mem)
                        : 0;
        }
        /* Reads the rest: a hole at the end, a file whose holes are unknown, or data appended meanwhile. */
        if (!error && out->nextent)
            out->length = (size_t)size;
        if (lseek(fd, (off_t)out->length, SEEK_SET) < 0)
            return errno;
    }
    if (!error)
        error = read_to(out, &room, 0, fd, mem);
    out->bytes[out->length] = '\0';
    return error;
}

int trod_file_read(char **out, size_t *length, int fd, struct trod_arena *mem)
{
    struct trod_file_data data;
    int error = trod_file_read_data(&data, fd, mem);

    *out = data.bytes;
    *length = data.length;
    return error;
}

int trod_file_load(char **out, size_t *length, const char *path, struct trod_arena *mem)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), error;

    if (fd < 0)
        return errno;
    error = trod_file_read(out, length, fd, mem);
    close(fd);
    return error;
}

int trod_file_write(int fd, const char *bytes, size_t length)
{
    while (length) {
        ssize_t n = write(fd, bytes, length);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        bytes += n;
        length -= (size_t)n;
    }
    return 0;
}
