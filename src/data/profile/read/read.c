#include "profile/read/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    HEADER_BYTES = sizeof(struct trod_format_header),
    HEAD_BYTES = sizeof(struct trod_format_head),
};

void trod_profile_lose(struct reader *r, size_t at, const char *format, ...)
{
    const char *name = r->options->name;
    char text[600];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    r->health.nloss++;
    trod_profile_add_note(&r->builder, "lost %s%sat %zu: %s", name ? name : "",
        name ? ": " : "", at, text);
}

const char *trod_profile_section_name(uint32_t type)
{
    static const char *const name[] = {
        [TROD_SECTION_RUN] = "RUN",
        [TROD_SECTION_MODULE] = "MODULE",
        [TROD_SECTION_COUNTS] = "COUNTS",
        [TROD_SECTION_END] = "END",
        [TROD_SECTION_PATHS] = "PATHS",
        [TROD_SECTION_NOTE] = "NOTE",
        [TROD_SECTION_STEPS] = "STEPS",
        [TROD_SECTION_PART] = "PART",
        [TROD_SECTION_SAMPLE] = "SAMPLE",
        [TROD_SECTION_BURST] = "BURST",
        [TROD_SECTION_REFS] = "REFS",
        [TROD_SECTION_SHARED] = "SHARED",
        [TROD_SECTION_BUNDLES] = "BUNDLES",
        [TROD_SECTION_CONTROL] = "CONTROL",
    };

    return type < sizeof name / sizeof *name ? name[type] : NULL;
}

/* --- sections ------------------------------------------------------------------------------------- */

static void get_head(struct trod_format_head *out, const uint8_t *p)
{
    *out = (struct trod_format_head){.magic = trod_load32(p),
        .type = trod_load32(p + 4),
        .size = trod_load64(p + 8),
        .payload = trod_load64(p + 16),
        .flags = trod_load32(p + 24),
        .module = trod_load32(p + 28),
        .thread = trod_load32(p + 32),
        .payload_checksum = trod_load32(p + 56),
        .checksum = trod_load32(p + 60)};
}

static bool is_head(struct reader *r, size_t at)
{
    const uint8_t *p;

    if (at > r->length || r->length - at < HEAD_BYTES)
        return false;
    p = trod_profile_look(r, at, HEAD_BYTES);
    return trod_load32(p) == TROD_SECTION_MAGIC &&
           trod_crc32(p, HEAD_BYTES - 4) == trod_load32(p + HEAD_BYTES - 4);
}

/* A section that is not all in the file may have been added by a running program since its length was
 * asked for: the program makes room before it writes the head.
 */
static size_t left_from(struct reader *r, size_t at, uint64_t size)
{
    if (size > r->length - at) {
        size_t now = r->source->length(r->source->ctx);

        if (now > r->length)
            r->length = now;
    }
    return r->length - at;
}

/* False: the lengths in its head are impossible. */
static bool open_section(struct reader *r, struct section *out, size_t at)
{
    bool live = r->health.kind == TROD_FORMAT_LIVE;
    size_t left;

    *out = (struct section){.at = at};
    get_head(&out->head, trod_profile_look(r, at, HEAD_BYTES));
    if (out->head.size < HEAD_BYTES ||
        out->head.payload > out->head.size - HEAD_BYTES ||
        (live && out->head.size % TROD_FORMAT_PAGE))
        return false;
    left = left_from(r, at, out->head.size);
    out->cut = out->head.size > left;
    out->size = out->cut ? left : (size_t)out->head.size;
    out->npayload = out->size - HEAD_BYTES;
    if (out->head.payload < out->npayload)
        out->npayload = (size_t)out->head.payload;
    return true;
}

/* Counters are read later, and references by others. */
static void load_payload(struct reader *r, struct section *s)
{
    bool stays =
        s->head.type == TROD_SECTION_COUNTS || s->head.type == TROD_SECTION_REFS;

    if (r->bytes || !stays || s->head.flags != TROD_SECTION_LIVE)
        s->payload = trod_profile_load(r, s->at + HEAD_BYTES, s->npayload);
}

/* The reason why a section cannot be used, or NULL. */
static const char *section_fault(const struct section *s)
{
    uint32_t flags = s->head.flags;
    bool live = flags & TROD_SECTION_LIVE;
    bool grows =
        s->head.type == TROD_SECTION_COUNTS || s->head.type == TROD_SECTION_STEPS ||
        s->head.type == TROD_SECTION_SAMPLE ||
        ((s->head.type == TROD_SECTION_BURST || s->head.type == TROD_SECTION_MODULE) &&
            live) ||
        s->head.type == TROD_SECTION_REFS || s->head.type == TROD_SECTION_SHARED ||
        s->head.type == TROD_SECTION_CONTROL;

    if (flags & ~(uint32_t)(TROD_SECTION_ZSTD | TROD_SECTION_LIVE))
        return "has a flag that is unknown; a later version of trod may support it";
    if (live && (flags & TROD_SECTION_ZSTD || !grows))
        return "has a flag that only what changes while a program runs may have";
    if (s->npayload < s->head.payload && !grows)
        return "is truncated";
    if (s->npayload < s->head.payload && flags & TROD_SECTION_ZSTD)
        return "is compressed and truncated";
    if (!live && s->npayload == s->head.payload &&
        trod_crc32(s->payload, s->npayload) != s->head.payload_checksum)
        return "is damaged: its checksum does not match";
    return NULL;
}

static uint64_t expanded_most(const struct reader *r)
{
    uint64_t times = trod_sat_mul(r->length, TROD_PROFILE_TIMES);

    if (r->options->most)
        return r->options->most;
    return times > TROD_PROFILE_EXPANDED ? times : TROD_PROFILE_EXPANDED;
}

static bool unpack(struct reader *r, struct section *s)
{
    const struct trod_profile_codec *codec = r->options->codec;
    uint64_t most = expanded_most(r), left = most - r->expanded;
    struct trod_err err = {0};
    uint8_t *bytes;

    if (!(s->head.flags & TROD_SECTION_ZSTD))
        return true;
    if (codec && codec->decompress(&bytes, &s->npayload, s->payload, s->npayload,
                     left > SIZE_MAX ? SIZE_MAX : (size_t)left, r->mem, &err)) {
        s->payload = bytes;
        r->expanded += s->npayload;
        return true;
    }
    r->too_large |= err.code == TROD_E_LIMIT;
    trod_profile_lose(r, s->at, "the %s section cannot be decompressed: %s",
        trod_profile_section_name(s->head.type),
        codec ? err.text : "trod was built without zstd");
    return false;
}

static void read_section(struct reader *r, struct section *s)
{
    const char *fault;

    if (!trod_profile_section_name(s->head.type)) {
        trod_profile_lose(r, s->at,
            "a section of unknown type %" PRIu32
            " is skipped; a later version of trod may support it",
            s->head.type);
        return;
    }
    load_payload(r, s);
    fault = section_fault(s);
    if (fault) {
        trod_profile_lose(r, s->at, "the %s section %s; it is skipped",
            trod_profile_section_name(s->head.type), fault);
        return;
    }
    if (!unpack(r, s))
        return;
    r->health.nsection++;
    switch ((enum trod_format_section)s->head.type) {
    case TROD_SECTION_RUN:
        trod_profile_read_run(r, s);
        break;
    case TROD_SECTION_MODULE:
        trod_profile_read_module(r, s);
        break;
    case TROD_SECTION_COUNTS:
    case TROD_SECTION_PATHS:
        trod_profile_defer(r, s);
        break;
    case TROD_SECTION_END:
        trod_profile_read_end(r, s);
        break;
    case TROD_SECTION_NOTE:
        trod_profile_read_notes(r, s);
        break;
    case TROD_SECTION_STEPS:
    case TROD_SECTION_PART:
        trod_profile_defer_steps(r, s);
        break;
    case TROD_SECTION_SAMPLE:
        trod_profile_defer_samples(r, s);
        break;
    case TROD_SECTION_BURST:
        r->nburst++;
        trod_profile_read_burst(r, s);
        break;
    case TROD_SECTION_REFS:
        trod_profile_read_refs(r, s);
        break;
    case TROD_SECTION_SHARED:
        trod_profile_read_shared(r, s);
        break;
    case TROD_SECTION_BUNDLES:
        trod_profile_defer_bundles(r, s);
        break;
    case TROD_SECTION_CONTROL:
        trod_profile_read_control(r, s);
        break;
    }
}

/* Resynchronise after damage: the offset of the next valid section head, or the length of the file.
 * In a live file heads are only at page boundaries. Holes are skipped: a head does not begin with a 0.
 */
static size_t find_head(struct reader *r, size_t at)
{
    size_t step = r->health.kind == TROD_FORMAT_LIVE ? TROD_FORMAT_PAGE : 1;
    struct trod_extent data = {0};

    for (at += step - at % step; at < r->length; at += step) {
        if (at >= data.to) {
            if (!r->source->find(&data, r->source->ctx, at) || data.from >= r->length)
                break;
            if (data.from > at)
                at = (size_t)((data.from + step - 1) / step * step);
        }
        if (is_head(r, at))
            return at;
    }
    return r->length;
}

static void read_sections(struct reader *r, size_t at)
{
    bool live = r->health.kind == TROD_FORMAT_LIVE;
    struct section section;

    while (at < r->length) {
        if (is_head(r, at) && open_section(r, &section, at)) {
            read_section(r, &section);
            r->chain =
                trod_profile_chain(r->chain, trod_profile_look(r, at, HEAD_BYTES));
            at += section.size;
            if (!live && section.head.type == TROD_SECTION_END && r->health.ended &&
                at < r->length) {
                trod_profile_lose(r, at,
                    "%zu bytes after the end of the profile are skipped",
                    r->length - at);
                return;
            }
        } else {
            size_t next = find_head(r, at);

            /* Zeros are space that a running program reserved and did not use. */
            if (!live || !trod_profile_are_zero(r, at, next))
                trod_profile_lose(r, at,
                    "%zu bytes that do not belong to a section are skipped", next - at);
            at = next;
        }
    }
}

/* --- the header ------------------------------------------------------------------------------------ */

static bool refuse(struct reader *r, struct trod_err *err, const char *why)
{
    const char *name = r->options->name;

    return trod_fail(
        err, TROD_E_INPUT, "%s%s%s", name ? name : "", name ? ": " : "", why);
}

/* Reconstruct a damaged header: the kind of file and the first section, from the fields that are
 * plausible or else from the sections. False: there is no section where the first one may be.
 */
static bool guess(struct reader *r, uint64_t *first)
{
    enum { LARGEST_PAGE = 1 << 16 };
    struct section section;
    uint32_t kind = r->length >= HEADER_BYTES
                        ? trod_load32(trod_profile_look(r, 0, HEADER_BYTES) + 12)
                        : 0;

    *first = HEADER_BYTES;
    r->health.kind = TROD_FORMAT_PACKED;
    if (is_head(r, HEADER_BYTES) && open_section(r, &section, HEADER_BYTES))
        return true;
    r->health.kind = TROD_FORMAT_LIVE;
    for (size_t page = TROD_FORMAT_PAGE; page <= LARGEST_PAGE; page *= 2)
        if (is_head(r, page) && open_section(r, &section, page)) {
            *first = page;
            return true;
        }
    if (kind == TROD_FORMAT_PACKED)
        r->health.kind = TROD_FORMAT_PACKED;
    return false;
}

static bool is_first(enum trod_format_kind kind, uint64_t first)
{
    return kind == TROD_FORMAT_LIVE ? first && first % TROD_FORMAT_PAGE == 0
                                    : first == HEADER_BYTES;
}

static bool read_header(struct reader *r, uint64_t *first, struct trod_err *err)
{
    size_t n = r->length < HEADER_BYTES ? r->length : HEADER_BYTES;
    uint8_t p[HEADER_BYTES] = {0};
    bool ours, sound;

    if (n)
        memcpy(p, trod_profile_look(r, 0, n), n);
    ours = trod_profile_is_binary(p, r->length);
    sound = ours && r->length >= HEADER_BYTES &&
            trod_crc32(p, HEADER_BYTES - 4) == trod_load32(p + HEADER_BYTES - 4);
    if (!sound && !guess(r, first) && !ours)
        return refuse(r, err,
            r->length >= 5 && memcmp(p + 1, "TROD", 4) == 0
                ? "a profile that was modified in transit, as by a text-mode transfer; copy it as "
                  "binary"
                : "not a profile; name a file that an instrumented program or 'trod merge' wrote");
    if (sound && (trod_load32(p + 8) < TROD_FORMAT_OLDEST ||
                     trod_load32(p + 8) > TROD_FORMAT_VERSION))
        return refuse(r, err,
            "a profile in another version of the format; use the version of trod that built the "
            "program");
    if (sound)
        r->health.kind = trod_load32(p + 12);
    if (r->health.kind != TROD_FORMAT_LIVE && r->health.kind != TROD_FORMAT_PACKED)
        return refuse(r, err,
            "a profile of an unknown kind; use the version of trod that built the program");
    if (sound)
        *first = trod_load64(p + 16);
    if (!sound) {
        trod_profile_lose(r, 0, "the header of the file is damaged");
    } else if (!is_first(r->health.kind, *first)) {
        trod_profile_lose(r, 0, "the first section has an invalid offset");
        *first = HEADER_BYTES;
    } else if (*first > r->length) {
        trod_profile_lose(r, r->length, "the file ends before the first section");
    }
    return true;
}

static const struct trod_profile_read_options no_options;

static bool read_profile(struct trod_profile *out, struct trod_profile_health *health,
    struct reader *r, struct trod_err *err)
{
    uint64_t first = 0;

    r->length = r->source->length(r->source->ctx);
    trod_profile_builder_init(&r->builder, r->mem);
    if (!read_header(r, &first, err))
        return false;
    if (first < r->length)
        read_sections(r, (size_t)first);
    if (r->too_large)
        return trod_fail(err, TROD_E_LIMIT,
            "%s: its sections decompress to more than %" PRIu64
            " bytes, for %zu in the file; if you trust it, allow more with --max-expand",
            r->options->name ? r->options->name : "a profile", expanded_most(r),
            r->length);
    trod_profile_read_counted(r);
    trod_profile_read_steps(r);
    trod_profile_read_samples(r);
    trod_profile_list_images(r);
    trod_profile_widen_weights(r);
    if (r->health.kind == TROD_FORMAT_LIVE && !r->health.ended && !r->ncounted &&
        !r->nrecorded && !r->nsampled && !r->nburst)
        trod_profile_lose(r, r->length,
            "there are no counters: the file was truncated, or the program was killed before it "
            "had any");
    if (r->health.kind == TROD_FORMAT_LIVE)
        trod_profile_finish_run(r);
    else if (!r->health.ended)
        trod_profile_lose(r, r->length, "the file ends before the profile does");
    if (health)
        *health = r->health;
    return trod_profile_build(out, &r->builder, err);
}

bool trod_profile_read(struct trod_profile *out, struct trod_profile_health *health,
    const uint8_t *bytes, size_t length,
    const struct trod_profile_read_options *options, struct trod_arena *mem,
    struct trod_err *err)
{
    struct memory memory = {.bytes = bytes,
        .length = length,
        .data = options ? options->data : NULL,
        .ndata = options ? options->ndata : 0};
    struct trod_source source;
    struct reader r = {.source = &source,
        .bytes = bytes,
        .options = options ? options : &no_options,
        .mem = mem};

    trod_profile_memory(&source, &memory);
    return read_profile(out, health, &r, err);
}

bool trod_profile_read_from(struct trod_profile *out,
    struct trod_profile_health *health, const struct trod_source *source,
    const struct trod_profile_read_options *options, struct trod_arena *mem,
    struct trod_err *err)
{
    struct reader r = {
        .source = source, .options = options ? options : &no_options, .mem = mem};

    return read_profile(out, health, &r, err);
}
