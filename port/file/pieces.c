#include "file/file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Where a small file has holes does not matter. */
enum { SMALL = 1 << 16 };

static size_t length_of(void *ctx)
{
    struct trod_file_pieces *pieces = ctx;
    struct stat status;

    if (fstat(pieces->fd, &status) == 0)
        pieces->length = (size_t)status.st_size;
    return pieces->length;
}

/* File systems that do not know of holes say so, or that there are none. */
static bool find(struct trod_extent *out, void *ctx, uint64_t from)
{
    struct trod_file_pieces *pieces = ctx;
    off_t data, hole;

    *out = (struct trod_extent){from, pieces->length};
    if (from >= pieces->length || pieces->length <= SMALL)
        return from < pieces->length;
    data = lseek(pieces->fd, (off_t)from, SEEK_DATA);
    if (data < 0)
        return errno != ENXIO;
    hole = lseek(pieces->fd, data, SEEK_HOLE);
    out->from = (uint64_t)data;
    if (hole > data)
        out->to = (uint64_t)hole;
    return out->to > out->from;
}

static void read_at(uint8_t *out, void *ctx, uint64_t from, size_t n)
{
    struct trod_file_pieces *pieces = ctx;

    while (n) {
        ssize_t got = pread(pieces->fd, out, n, (off_t)from);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && !pieces->error)
            pieces->error = errno;
        if (got <= 0)
            break;
        out += got;
        from += (uint64_t)got;
        n -= (size_t)got;
    }
    memset(out, 0, n);
}

bool trod_file_pieces_begin(
    struct trod_file_pieces *out, int fd, uint8_t *head, size_t nhead)
{
    struct stat status;

    *out = (struct trod_file_pieces){.fd = fd};
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
        lseek(fd, 0, SEEK_CUR) != 0)
        return false;
    out->length = (size_t)status.st_size;
    if (out->length < nhead)
        return false;
    read_at(head, out, 0, nhead);
    return !out->error;
}

struct trod_source trod_file_source(struct trod_file_pieces *pieces)
{
    return (struct trod_source){
        .ctx = pieces, .length = length_of, .find = find, .read = read_at};
}
