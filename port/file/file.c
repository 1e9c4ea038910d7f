#include "file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int trod_file_read(char **out, size_t *length, int fd, struct trod_arena *mem)
{
    struct stat status;
    size_t room = 1 << 16, used = 0;
    char *bytes;

    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        room = (size_t)status.st_size + 1;
    bytes = trod_arena_take(mem, room, 1);
    for (;;) {
        ssize_t n = read(fd, bytes + used, room - used);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        used += (size_t)n;
        if (used == room) {
            bytes = trod_arena_grow(mem, bytes, used, 2 * room, 1);
            room *= 2;
        }
        if (n == 0)
            break;
    }
    bytes[used] = '\0';
    *out = bytes;
    *length = used;
    return 0;
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
