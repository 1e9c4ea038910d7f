#include "profile/read/reader.h"
#include "base/order.h"

#include <string.h>

/* Bytes come from memory, or from a file that may be much larger than memory: a profile that many
 * processes share is mostly holes. Of a file, one window at a time is kept.
 */
enum { WINDOW = 1 << 16 };

/* --- in memory ------------------------------------------------------------------------------- */

static size_t length_of_memory(void *ctx)
{
    const struct memory *m = ctx;

    return m->length;
}

static bool find_in_memory(struct trod_extent *out, void *ctx, uint64_t from)
{
    const struct memory *m = ctx;
    uint32_t i;

    if (!m->data) {
        *out = (struct trod_extent){from, m->length};
        return from < m->length;
    }
    i = TROD_LOWER_BOUND(middle, 0, m->ndata, m->data[middle].to <= from);
    if (i == m->ndata)
        return false;
    *out = m->data[i];
    return true;
}

static void read_memory(uint8_t *out, void *ctx, uint64_t from, size_t n)
{
    const struct memory *m = ctx;

    memcpy(out, m->bytes + from, n);
}

void trod_profile_memory(struct trod_source *out, struct memory *memory)
{
    *out = (struct trod_source){.ctx = memory,
        .length = length_of_memory,
        .find = find_in_memory,
        .read = read_memory};
}

/* --- a window --------------------------------------------------------------------------------- */

size_t trod_profile_window(const struct reader *r)
{
    size_t least = sizeof(struct trod_format_head);
    size_t most = r->options->window ? r->options->window : WINDOW;

    return most < least ? least : most;
}

static void move_window(struct reader *r, size_t at, size_t n)
{
    size_t most = trod_profile_window(r);

    if (n > r->room_window || r->pinned) {
        r->room_window = most < r->length ? most : r->length;
        r->window = trod_new(r->mem, uint8_t, r->room_window);
        r->pinned = false;
    }
    r->in_window = (struct trod_extent){at, at + n};
    r->source->read(r->window, r->source->ctx, at, n);
}

static const uint8_t *look(struct reader *r, size_t at, size_t n, size_t ahead)
{
    assert(at <= r->length && n <= r->length - at && n <= ahead);
    if (r->bytes)
        return r->bytes + at;
    if (at < r->in_window.from || at + n > r->in_window.to)
        move_window(r, at, ahead < r->length - at ? ahead : r->length - at);
    return r->window + (at - r->in_window.from);
}

const uint8_t *trod_profile_look(struct reader *r, size_t at, size_t n)
{
    return look(r, at, n, trod_profile_window(r));
}

const uint8_t *trod_profile_look_only(struct reader *r, size_t at, size_t n)
{
    return look(r, at, n, n);
}

/* Memory that is not written to takes no room: holes are not read. */
const uint8_t *trod_profile_load_anew(struct reader *r, size_t at, size_t n)
{
    uint8_t *bytes = trod_new(r->mem, uint8_t, n);
    struct trod_extent data = {at, at};
    size_t end = at + n;

    while (data.to < end && r->source->find(&data, r->source->ctx, data.to) &&
           data.from < end) {
        size_t from = data.from < at ? at : (size_t)data.from;
        size_t to = data.to < end ? (size_t)data.to : end;

        r->source->read(bytes + (from - at), r->source->ctx, from, to - from);
    }
    return bytes;
}

const uint8_t *trod_profile_load(struct reader *r, size_t at, size_t n)
{
    if (r->bytes)
        return r->bytes + at;
    if (at < r->in_window.from || at + n > r->in_window.to)
        return trod_profile_load_anew(r, at, n);
    /* A small file is not copied: the window stays. */
    if (!r->in_window.from && r->in_window.to == r->length) {
        r->pinned = true;
        return r->window + at;
    }
    return memcpy(
        trod_new(r->mem, uint8_t, n), r->window + (at - r->in_window.from), n);
}

static bool is_zero(const uint8_t *bytes, size_t length)
{
    return !length || (!bytes[0] && memcmp(bytes, bytes + 1, length - 1) == 0);
}

bool trod_profile_are_zero(struct reader *r, size_t from, size_t to)
{
    size_t most = trod_profile_window(r);
    struct trod_extent data;

    for (size_t at = from, n; at < to; at += n) {
        if (!r->source->find(&data, r->source->ctx, at) || data.from >= to)
            return true;
        if (data.from > at)
            at = (size_t)data.from;
        n = (data.to < to ? (size_t)data.to : to) - at;
        if (n > most)
            n = most;
        if (!is_zero(trod_profile_look_only(r, at, n), n))
            return false;
    }
    return true;
}

/* --- what it is ----------------------------------------------------------------------------------- */

bool trod_profile_is_binary(const uint8_t *bytes, size_t length)
{
    return length >= 8 && memcmp(bytes, TROD_FORMAT_MAGIC, 8) == 0;
}

bool trod_profile_begins_binary(const uint8_t *bytes, size_t length)
{
    return trod_profile_is_binary(bytes, length) ||
           (length && memchr(bytes, '\0', length));
}

bool trod_profile_may_change(const uint8_t *bytes, size_t length)
{
    bool samples = false;

    if (!trod_profile_is_binary(bytes, length) ||
        length < sizeof(struct trod_format_header) ||
        trod_load32(bytes + 12) != TROD_FORMAT_LIVE)
        return false;
    for (size_t at = TROD_FORMAT_PAGE, size;
        at < length && length - at >= sizeof(struct trod_format_head); at += size) {
        size = TROD_FORMAT_PAGE;
        if (trod_load32(bytes + at) != TROD_SECTION_MAGIC)
            continue;
        samples |= trod_load32(bytes + at + 4) == TROD_SECTION_SAMPLE;
        if (trod_load32(bytes + at + 4) == TROD_SECTION_END)
            return false;
        if (trod_load64(bytes + at + 8) > TROD_FORMAT_PAGE &&
            trod_load64(bytes + at + 8) <= length - at)
            size = (size_t)trod_load64(bytes + at + 8) / TROD_FORMAT_PAGE *
                   TROD_FORMAT_PAGE;
    }
    return samples;
}
