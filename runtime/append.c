#include "runtime.h"

/* --- checksum --------------------------------------------------------------------- */

/* Four bits at a time: the table is small, and so are most inputs. */
static const uint32_t half[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
    0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8,
    0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

uint32_t __trod_crc(uint32_t crc, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;

    crc = ~crc;
    while (size--) {
        crc ^= *at++; /* NOLINT(clang-analyzer-core.uninitialized.Assign) */
        crc = crc >> 4 ^ half[crc & 15];
        crc = crc >> 4 ^ half[crc & 15];
    }
    return ~crc;
}

/* table[k][b]: the effect of a byte b on the checksum k bytes later. */
void __trod_crc_fill(struct trod_crc_table *table)
{
    uint32_t b, k, crc;

    for (b = 0; b < 256; b++) {
        crc = b >> 4 ^ half[b & 15];
        table->of[0][b] = crc >> 4 ^ half[crc & 15];
    }
    for (k = 1; k < 8; k++)
        for (b = 0; b < 256; b++) {
            crc = table->of[k - 1][b];
            table->of[k][b] = crc >> 8 ^ table->of[0][crc & 255];
        }
}

/* Slicing by eight, for module descriptions: about a megabyte in large programs. */
static uint32_t crc_of_many(const struct trod_crc_table *table, uint32_t crc,
    const uint64_t *words, size_t count)
{
    crc = ~crc;
    for (; count--; words++) {
        uint64_t word = *words ^ crc;
        uint32_t low = (uint32_t)word, high = (uint32_t)(word >> 32);

        crc = table->of[7][low & 255] ^ table->of[6][low >> 8 & 255] ^
              table->of[5][low >> 16 & 255] ^ table->of[4][low >> 24] ^
              table->of[3][high & 255] ^ table->of[2][high >> 8 & 255] ^
              table->of[1][high >> 16 & 255] ^ table->of[0][high >> 24];
    }
    return ~crc;
}

/* --- places ----------------------------------------------------------------------- */

/* The end of the file. All processes that count into it share this word. */
static uint64_t *end_of_file(void)
{
    return __trod_profile.shared ? &__trod_profile.shared->end : &__trod_profile.end;
}

uint64_t __trod_take(uint64_t size)
{
    return __atomic_fetch_add(end_of_file(), size, __ATOMIC_SEQ_CST);
}

void __trod_give_back(uint64_t offset, uint64_t size)
{
    uint64_t end = offset + size;

    __atomic_compare_exchange_n(
        end_of_file(), &end, offset, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* --- heads ------------------------------------------------------------------------ */

static int put_head(int fd, uint64_t offset, struct trod_format_head *head)
{
    head->magic = TROD_SECTION_MAGIC;
    head->checksum = __trod_crc(0, head, offsetof(struct trod_format_head, checksum));
    return __trod_os_write_at(fd, head, sizeof *head, offset);
}

int __trod_put_live_head(
    int fd, uint64_t offset, uint32_t type, uint64_t payload, uint32_t thread)
{
    struct trod_format_head head = {0};

    head.type = type;
    head.payload = payload;
    head.size = trod_format_live_size(payload, __trod_profile.page);
    head.flags = TROD_SECTION_LIVE;
    head.thread = thread;
    return put_head(fd, offset, &head);
}

void __trod_put_kept(uint8_t *page, uint32_t type, size_t payload)
{
    struct trod_format_head head = {0};
    volatile uint8_t *to = page;
    size_t i;

    head.magic = TROD_SECTION_MAGIC;
    head.type = type;
    head.payload = payload;
    head.size = __trod_profile.page;
    head.payload_checksum = __trod_crc(0, page + sizeof head, payload);
    head.checksum = __trod_crc(0, &head, offsetof(struct trod_format_head, checksum));
    for (i = 0; i < sizeof head; i++) {
        /* All fields are set. NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
        to[i] = ((const volatile uint8_t *)&head)[i];
    }
}

/* --- streams ---------------------------------------------------------------------- */

void __trod_stream_begin(struct trod_stream *stream, int fd, uint32_t type,
    uint64_t offset, uint8_t *bytes, size_t room)
{
    stream->fd = fd;
    stream->error = 0;
    stream->type = type;
    stream->thread = 0;
    stream->checksum = 0;
    stream->offset = offset;
    stream->payload = 0;
    stream->used = 0;
    stream->room = room;
    stream->bytes = bytes;
    stream->crc = NULL;
}

static uint32_t checksum(const struct trod_stream *stream)
{
    size_t nword = stream->crc ? stream->used / sizeof(uint64_t) : 0;
    uint32_t crc = stream->checksum;
    const void *bytes = stream->bytes; /* aligned, in a stream with a table */

    if (nword)
        crc = crc_of_many(stream->crc, crc, bytes, nword);
    return __trod_crc(crc, stream->bytes + nword * sizeof(uint64_t),
        stream->used - nword * sizeof(uint64_t));
}

static void flush(struct trod_stream *stream)
{
    if (!stream->error) {
        stream->checksum = checksum(stream);
        stream->error = __trod_os_write_at(stream->fd, stream->bytes, stream->used,
            stream->offset + sizeof(struct trod_format_head) + stream->payload);
        stream->payload += stream->used;
    }
    stream->used = 0;
}

void __trod_put(struct trod_stream *stream, const void *bytes, size_t size)
{
    const volatile uint8_t *at = bytes; /* volatile: avoids a call of memcpy */
    const volatile uint32_t *word = bytes;
    void *end = stream->bytes + stream->used;
    uint32_t *to = end;

    /* Copy words where both sides are aligned and there is room. */
    if (((uintptr_t)at | (uintptr_t)to | size) % sizeof *to == 0 &&
        size <= stream->room - stream->used) {
        stream->used += size;
        for (; size; size -= sizeof *to)
            *to++ = *word++;
        return;
    }
    while (size--) {
        if (stream->used == stream->room)
            flush(stream);
        stream->bytes[stream->used++] = *at++;
    }
}

void __trod_put_text(struct trod_stream *stream, const char *text)
{
    for (; *text; text++)
        __trod_put(stream, text, 1);
}

void __trod_put_uint(struct trod_stream *stream, uint64_t value, unsigned digits)
{
    char text[20];
    unsigned at = sizeof text;

    while (value || digits) {
        text[--at] = (char)('0' + value % 10);
        value /= 10;
        if (digits)
            digits--;
    }
    __trod_put(stream, text + at, sizeof text - at);
}

void __trod_put_time(struct trod_stream *stream, struct trod_os_time time)
{
    __trod_put_uint(stream, time.seconds, 1);
    __trod_put_text(stream, ".");
    __trod_put_uint(stream, time.nanoseconds, 9);
}

void __trod_put_escaped(struct trod_stream *stream, const char *text, size_t length)
{
    static const char hex[] = "0123456789abcdef";
    size_t i;

    for (i = 0; i < length; i++) {
        uint8_t c = (uint8_t)text[i];

        if (c == '\\') {
            __trod_put(stream, "\\\\", 2);
        } else if (c < 32 || c == 127) {
            __trod_put(stream, "\\x", 2);
            __trod_put(stream, hex + (c >> 4), 1);
            __trod_put(stream, hex + (c & 15), 1);
        } else {
            __trod_put(stream, text + i, 1);
        }
    }
}

int64_t __trod_stream_end(struct trod_stream *stream)
{
    struct trod_format_head head = {0};

    flush(stream);
    if (stream->error)
        return stream->error;
    head.type = stream->type;
    head.thread = stream->thread;
    head.payload = stream->payload;
    head.size = trod_format_live_size(stream->payload, __trod_profile.page);
    head.payload_checksum = stream->checksum;
    /* The file extends to the end of the section, unless something follows already. */
    if (head.size > sizeof head + stream->payload)
        stream->error =
            __trod_os_write_at(stream->fd, "", 1, stream->offset + head.size - 1);
    if (!stream->error)
        stream->error = put_head(stream->fd, stream->offset, &head);
    return stream->error ? stream->error : (int64_t)head.size;
}
