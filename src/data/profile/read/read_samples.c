#include "profile/read/reader.h"

#include <inttypes.h>
#include <string.h>

enum {
    SAMPLE_BYTES = sizeof(struct trod_format_sample),
    ENTRY_BYTES = sizeof(struct trod_format_sampled),
    CHUNK_BYTES = sizeof(struct trod_format_chunk),
};

/* A section being read. */
struct intake {
    struct reader *r;
    const struct section *section;
    const struct places *places;
    const uint8_t *again; /* the payload, read a moment later; or NULL */
    size_t nagain;
    struct trod_format_sample how;
    struct trod_profile_sampled *sampled;
    size_t nsampled;
    uint64_t nbad;
};

static double get_double(const uint8_t *p)
{
    uint64_t bits = trod_load64(p);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static float get_float(const uint8_t *p)
{
    uint32_t bits = trod_load32(p);
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static void get_how(struct trod_format_sample *out, const uint8_t *p)
{
    *out = (struct trod_format_sample){.thread = trod_load32(p),
        .nentry = trod_load32(p + 4),
        .nchunk = trod_load32(p + 8),
        .identity = trod_load32(p + 12),
        .lengths = trod_load32(p + 16),
        .shortest = trod_load32(p + 20),
        .longest = trod_load32(p + 24),
        .nlength = trod_load32(p + 28),
        .bias = get_double(p + 32)};
    p += 40;
    for (int i = 0; i < TROD_SAMPLE_LENGTHS; i++, p += 8) {
        out->length[i].length = trod_load32(p);
        out->length[i].chance = get_float(p + 4);
    }
    out->costs = trod_load32(p);
    out->ageing = trod_load32(p + 4);
    out->period = trod_load64(p + 8);
    out->threshold = get_double(p + 16);
    p += 24;
    for (int i = 0; i < TROD_SAMPLE_LEVELS; i++, p += 8)
        out->frequency[i] = get_double(p);
    out->level = trod_load64(p);
    out->nbegun = trod_load64(p + 8);
    out->nsample = trod_load64(p + 16);
    out->ndropped = trod_load64(p + 24);
    out->nrejected = trod_load64(p + 32);
    out->nonce = trod_load64(p + 40);
    out->time = trod_load64(p + 48);
    out->cost = trod_load64(p + 56);
    out->floor = trod_load64(p + 64);
    out->budget = trod_load32(p + 72);
}

/* Decode the blocks of a text, which must contain nothing else. */
static bool read_blocks(uint32_t *out, uint32_t length, const uint8_t **at,
    const uint8_t *end, const struct places *places)
{
    int64_t number = 0;

    for (uint32_t i = 0; i < length; i++) {
        uint64_t code, terminal;

        if (!trod_load_varint(&code, at, end))
            return false;
        /* A block and a difference have at most 33 bits. */
        if (code >> 34)
            return false;
        number =
            i ? number + ((int64_t)(code >> 1) ^ -(int64_t)(code & 1)) : (int64_t)code;
        if (number < 0 ||
            !trod_profile_find_terminal(&terminal, places, (uint64_t)number) ||
            terminal > UINT32_MAX)
            return false;
        out[i] = (uint32_t)terminal;
    }
    return true;
}

static void take(struct intake *in, struct trod_profile_sampled *sampled,
    const uint8_t **at, const uint8_t *end)
{
    uint32_t *block = trod_new(in->r->mem, uint32_t, sampled->length);

    sampled->block = block;
    if (read_blocks(block, sampled->length, at, end, in->places))
        in->sampled[in->nsampled++] = *sampled;
    else
        in->nbad++;
}

/* --- live files ---------------------------------------------------------------------------------- */

/* Is the entry still the same subpath in a second, later read of a live file? A slot is only reused
 * with another generation, and its text only after its count was 0.
 */
static bool is_still(const struct intake *in, uint64_t state, size_t at)
{
    uint64_t now;

    if (!in->again)
        return true;
    if (at + 8 > in->nagain)
        return false;
    now = trod_load64(in->again + at);
    return now >> 48 == state >> 48 && now & TROD_SAMPLE_COUNT;
}

/* Copy the text of an entry into one piece; false if it is incomplete. */
static bool gather(
    uint8_t *text, const struct intake *in, uint32_t nbyte, uint32_t chunk)
{
    size_t first = SAMPLE_BYTES + (size_t)in->how.nentry * ENTRY_BYTES;

    for (uint32_t done = 0; done < nbyte; done += TROD_SAMPLE_TEXT) {
        size_t at = first + (size_t)chunk * CHUNK_BYTES;
        uint32_t left = nbyte - done;

        if (!chunk || chunk >= in->how.nchunk ||
            at + CHUNK_BYTES > in->section->npayload)
            return false;
        memcpy(text + done, in->section->payload + at,
            left < TROD_SAMPLE_TEXT ? left : TROD_SAMPLE_TEXT);
        chunk = in->section->payload[at + 14] | (uint32_t)in->section->payload[at + 15]
                                                    << 8;
    }
    return true;
}

static void read_entry(struct intake *in, size_t at)
{
    const uint8_t *p = in->section->payload + at;
    uint64_t state = trod_load64(p);
    uint32_t sizes = trod_load32(p + 24), chunk = trod_load32(p + 28) & 0xffff;
    uint32_t nbyte = sizes >> 16;
    struct trod_profile_sampled sampled = {.count = state & TROD_SAMPLE_COUNT,
        .level = trod_sample_level(state),
        .length = sizes & 0xffff};
    const uint8_t *from;
    uint8_t *text;

    if (!sampled.count || !is_still(in, state, at))
        return;
    text = trod_new(in->r->mem, uint8_t, nbyte);
    from = text;
    if (trod_profile_is_sampled(&in->how, &sampled) && gather(text, in, nbyte, chunk))
        take(in, &sampled, &from, text + nbyte);
    else
        in->nbad++;
}

static const char *read_live(struct intake *in)
{
    uint64_t room = in->section->head.payload - SAMPLE_BYTES;

    if (in->how.nentry > room / ENTRY_BYTES ||
        in->how.nchunk > (room - (uint64_t)in->how.nentry * ENTRY_BYTES) / CHUNK_BYTES)
        return "has more entries than fit";
    in->sampled = trod_new(in->r->mem, struct trod_profile_sampled, in->how.nentry);
    for (uint32_t i = 0; i < in->how.nentry; i++) {
        size_t at = SAMPLE_BYTES + (size_t)i * ENTRY_BYTES;

        if (at + ENTRY_BYTES > in->section->npayload)
            break;
        read_entry(in, at);
    }
    return NULL;
}

/* --- packed ------------------------------------------------------------------------------------------ */

static const char *read_packed(struct intake *in)
{
    const uint8_t *at = in->section->payload + SAMPLE_BYTES;
    const uint8_t *end = in->section->payload + in->section->npayload;

    /* An entry takes at least five bytes. */
    if (in->how.nentry > (uint64_t)(end - at) / 5)
        return "has more entries than fit";
    in->sampled = trod_new(in->r->mem, struct trod_profile_sampled, in->how.nentry);
    for (uint32_t i = 0; i < in->how.nentry; i++) {
        struct trod_profile_sampled sampled = {0};
        uint64_t level, length;

        if (!trod_load_varint(&sampled.count, &at, end) ||
            !trod_load_varint(&level, &at, end) || level > UINT32_MAX ||
            !trod_load_varint(&length, &at, end) || length > UINT32_MAX)
            return "has entries that do not end";
        sampled.level = (uint32_t)level;
        sampled.length = (uint32_t)length;
        if (!trod_profile_is_sampled(&in->how, &sampled))
            return "has entries that cannot be";
        take(in, &sampled, &at, end);
        if (in->nbad)
            return "has blocks of no function";
    }
    return at == end ? NULL : "has more than its entries";
}

/* --- sections ---------------------------------------------------------------------------------------- */

/* Levels are written before the entries that refer to them, so the second read of a live file has
 * all levels that entries of the first read need.
 */
static const uint8_t *place_of_how(const struct intake *in)
{
    return in->again && SAMPLE_BYTES <= in->nagain ? in->again : in->section->payload;
}

/* Read a section of a program that may be running again. */
static void read_again(struct intake *in)
{
    const struct trod_profile_read_options *o = in->r->options;
    size_t place = in->section->at + sizeof(struct trod_format_head);

    if (in->r->bytes && o->again) {
        in->nagain = place < o->nagain ? o->nagain - place : 0;
        in->again = o->again + (in->nagain ? place : o->nagain);
    } else if (!in->r->bytes && in->r->health.kind == TROD_FORMAT_LIVE &&
               !in->r->health.ended && !(in->section->head.flags & TROD_SECTION_ZSTD)) {
        in->again = trod_profile_load_anew(in->r, place, in->section->npayload);
        in->nagain = in->section->npayload;
    }
}

static const char *read_samples(struct intake *in)
{
    const char *fault;

    if (in->section->npayload < SAMPLE_BYTES)
        return "is too short";
    get_how(&in->how, place_of_how(in));
    fault = trod_profile_how_fault(&in->how);
    if (fault)
        return fault;
    return in->r->health.kind == TROD_FORMAT_LIVE ? read_live(in) : read_packed(in);
}

static void read_section(struct reader *r, const struct section *s)
{
    struct image *image = trod_profile_image_of(r, s->head.module);
    struct intake in = {.r = r, .section = s};
    struct trod_profile_samples samples;
    struct places places;
    const char *fault;

    if (!image) {
        trod_profile_lose(r, s->at,
            "the SAMPLE section is of module %" PRIu32
            ", which the file does not describe; its samples are lost",
            s->head.module);
        return;
    }
    trod_profile_list_places(&places, r, image);
    in.places = &places;
    read_again(&in);
    fault = r->builder.module[image->module].mode == TROD_MODE_BLOCKS
                ? read_samples(&in)
                : "is of a module whose blocks are not sampled";
    if (fault) {
        trod_profile_lose(
            r, s->at, "the SAMPLE section %s; its samples are lost", fault);
        return;
    }
    if (in.nbad)
        trod_profile_lose(r, s->at,
            "%" PRIu64 " subpaths of a SAMPLE section are damaged; they are skipped",
            in.nbad);
    samples = (struct trod_profile_samples){.module = image->module,
        .how = in.how,
        .nsampled = in.nsampled,
        .sampled = in.sampled};
    trod_profile_add_samples(&r->builder, &samples);
}

void trod_profile_defer_samples(struct reader *r, const struct section *s)
{
    trod_push(r->mem, r->sampled, r->nsampled, r->room_sampled, *s);
}

void trod_profile_read_samples(struct reader *r)
{
    for (uint32_t i = 0; i < r->nsampled; i++)
        read_section(r, &r->sampled[i]);
}
