#include "zstd/zstd_port.h"

#include <inttypes.h>
#include <zstd.h>

/* Profiles are written once and read often; beyond this level they hardly shrink. */
enum { LEVEL = 9, LEVEL_OF_TRACES = 3 };

static bool compress(uint8_t **out, size_t *length, const uint8_t *bytes, size_t nbyte,
    struct trod_arena *mem, struct trod_err *err)
{
    size_t room = ZSTD_compressBound(nbyte);

    *out = trod_new(mem, uint8_t, room);
    *length = ZSTD_compress(*out, room, bytes, nbyte, LEVEL);
    return !ZSTD_isError(*length) ||
           trod_fail(err, TROD_E_SYSTEM, "zstd: %s", ZSTD_getErrorName(*length));
}

static bool decompress(uint8_t **out, size_t *length, const uint8_t *frame,
    size_t nframe, size_t most, struct trod_arena *mem, struct trod_err *err)
{
    unsigned long long size = ZSTD_getFrameContentSize(frame, nframe);

    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
        return trod_fail(
            err, TROD_E_INPUT, "zstd: the frame does not contain its content size");
    if (ZSTD_findFrameCompressedSize(frame, nframe) != nframe)
        return trod_fail(err, TROD_E_INPUT, "zstd: not one whole frame");
    if (size > most)
        return trod_fail(err, TROD_E_LIMIT,
            "zstd: %llu bytes in one frame, more than the %zu allowed", size, most);
    *out = trod_new(mem, uint8_t, (size_t)size + 1);
    *length = ZSTD_decompress(*out, (size_t)size, frame, nframe);
    return !ZSTD_isError(*length) ||
           trod_fail(err, TROD_E_INPUT, "zstd: %s", ZSTD_getErrorName(*length));
}

const struct trod_profile_codec trod_zstd_codec = {compress, decompress};

static size_t pack(void *out, size_t room, const void *bytes, size_t nbyte)
{
    size_t took = ZSTD_compress(out, room, bytes, nbyte, LEVEL_OF_TRACES);

    return ZSTD_isError(took) ? 0 : took;
}

static bool unpack(void *out, size_t length, const void *bytes, size_t nbyte)
{
    return ZSTD_decompress(out, length, bytes, nbyte) == length;
}

const struct trod_branch_codec trod_zstd_branch_codec = {
    TROD_BRANCH_TRACE_ZSTD, pack, unpack};

bool trod_zstd_expand(char **out, size_t length, const char *bytes, size_t nbyte,
    struct trod_arena *mem, struct trod_err *err)
{
    size_t got;

    *out = trod_new(mem, char, length + 1);
    got = ZSTD_decompress(*out, length, bytes, nbyte);
    if (ZSTD_isError(got))
        return trod_fail(err, TROD_E_INPUT, "zstd: %s", ZSTD_getErrorName(got));
    return got == length ||
           trod_fail(err, TROD_E_INPUT, "zstd: %zu bytes are there, %zu should be", got,
               length);
}
