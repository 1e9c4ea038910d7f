/* A profile: the bytes as they are, the same with corrected checksums, or text. */
#include "fuzz.h"

#include "kit/pieces.h"
#include "profile/profile.h"
#include "profile/times.h"
#include "zstd/zstd_port.h"

enum { MOST_BYTES = 1 << 17, MOST_UNPACKED = 1 << 20 };

static void put32(uint8_t *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

static size_t length_of(const uint8_t *head, size_t left)
{
    uint64_t length = 0;

    for (int i = 7; i >= 0; i--)
        length = length << 8 | head[16 + i];
    return length < left ? (size_t)length : left;
}

/* A fuzzer does not guess checksums: without correcting them it would test little but rejections. */
static uint8_t *mended(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    uint8_t *copy = trod_new(mem, uint8_t, length);

    memcpy(copy, bytes, length);
    if (length >= 64)
        put32(copy + 60, trod_crc32(copy, 60));
    for (size_t at = 64; at + 64 <= length; at++)
        if (memcmp(copy + at, "TORD", 4) == 0) {
            put32(copy + at + 56,
                trod_crc32(copy + at + 64, length_of(copy + at, length - at - 64)));
            put32(copy + at + 60, trod_crc32(copy + at, 60));
        }
    return copy;
}

static const char *print(const struct trod_profile *profile, struct trod_arena *mem)
{
    struct trod_string text;
    struct trod_json json;

    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    trod_profile_json(&json, NULL, profile);
    trod_string_init(&text, mem);
    trod_profile_print(&text.sink, profile);
    return text.text;
}

static bool parse(struct trod_profile *out, const char *bytes, size_t length,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_text text;
    bool more;

    trod_text_init(&text, "fuzz", bytes, length);
    if (trod_profile_parse(out, &more, &text, mem, err))
        return more;
    FUZZ_MUST(err->code == TROD_E_INPUT || err->code == TROD_E_MISMATCH);
    return false;
}

/* Whatever the cells are. */
static void check_times(const struct trod_profile *profile, enum trod_meter_kind metric,
    struct trod_arena *mem)
{
    const struct trod_time *sum = NULL;
    struct trod_times times;
    struct trod_string text;
    struct trod_json json;
    struct trod_err err = {0};

    trod_times_build_of(&times, profile, metric, mem);
    FUZZ_MUST_DO(trod_times_check(&times, &err), &err);
    FUZZ_MUST(!times.npath || metric || trod_profile_has_times(profile));
    FUZZ_MUST(!times.npath || !metric || trod_profile_metrics(profile) >> metric & 1);
    for (size_t i = 0; i < times.npath && i < 100; i++) {
        const struct trod_time *time = &times.path[i].time;

        FUZZ_MUST(trod_time_quantile(time, 0.5) <= trod_time_quantile(time, 0.99));
        sum = trod_time_sum(sum, time, mem);
    }
    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    trod_json_open(&json, NULL, '{');
    trod_times_json(&json, "times", &times);
    if (sum)
        trod_time_json(&json, &times, sum);
    trod_json_close(&json, '}');
}

/* What was accepted is valid, and survives round trips through bytes and through text. */
static void check_again(const struct trod_profile *profile, struct trod_arena *mem)
{
    const char *text = print(profile, mem);
    struct trod_profile_read_options options = {.codec = &trod_zstd_codec};
    struct trod_profile_health health;
    struct trod_profile_diff diff;
    struct trod_profile back;
    struct trod_string bytes;
    struct trod_err err = {0};
    struct trod_hot hot;

    FUZZ_MUST_DO(trod_profile_check(profile, &err), &err);
    FUZZ_MUST_DO(parse(&back, text, strlen(text), mem, &err), &err);
    FUZZ_MUST(strcmp(text, print(&back, mem)) == 0);
    trod_string_init(&bytes, mem);
    FUZZ_MUST_DO(
        trod_profile_write(&bytes.sink, profile, options.codec, mem, &err), &err);
    FUZZ_MUST_DO(trod_profile_read(&back, &health, (const uint8_t *)bytes.text,
                     bytes.length, &options, mem, &err),
        &err);
    FUZZ_MUST(health.nloss == 0);
    FUZZ_MUST(strcmp(text, print(&back, mem)) == 0);
    trod_profile_hot(&hot, profile, 10, mem);
    for (uint32_t metric = TROD_METER_TIME; metric < TROD_METERS; metric++)
        if (!metric || trod_profile_metrics(profile) >> metric & 1)
            check_times(profile, (enum trod_meter_kind)metric, mem);
    if (trod_profile_has_samples(profile)) {
        FUZZ_MUST(!trod_profile_check_counts(profile, &err));
        return;
    }
    if (profile->nsteps) {
        trod_profile_nstep(profile, mem);
        FUZZ_MUST(!trod_profile_check_counts(profile, &err));
        return;
    }
    FUZZ_MUST_DO(trod_profile_diff(&diff, profile, &back, mem, &err), &err);
    for (size_t i = 0; i < diff.nfunction; i++)
        FUZZ_MUST(diff.function[i].kind == TROD_DIFF_SAME);
}

enum { BLOCK = 64 };

/* Pieces for kit_pieces_fill: all of one size, and all zeros are left out. */
static uint64_t same_block(void *ctx, uint64_t bound)
{
    (void)ctx;
    return bound - 1;
}

/* Reads the profile as if all zero blocks were holes of the file, in memory and through a small window; the result must be the
 * same.
 */
static void read_sparse(const char *want, const uint8_t *bytes, size_t length,
    struct trod_profile_read_options options, struct trod_arena *mem)
{
    struct kit_pieces pieces = {.bytes = bytes, .length = length};
    struct trod_source source = kit_source(&pieces);
    struct trod_profile profile;
    struct trod_err err = {0};

    kit_pieces_fill(&pieces, same_block, NULL, BLOCK, mem);
    options.data = pieces.data;
    options.ndata = pieces.ndata;
    FUZZ_MUST_DO(
        trod_profile_read(&profile, NULL, bytes, length, &options, mem, &err), &err);
    FUZZ_MUST(strcmp(want, print(&profile, mem)) == 0);
    options.window = (size_t)3 * BLOCK;
    FUZZ_MUST_DO(
        trod_profile_read_from(&profile, NULL, &source, &options, mem, &err), &err);
    FUZZ_MUST(strcmp(want, print(&profile, mem)) == 0);
}

static void read_bytes(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    struct trod_profile_read_options options = {
        .name = "fuzz", .codec = &trod_zstd_codec, .most = MOST_UNPACKED};
    struct trod_profile_health health;
    struct trod_profile profile;
    struct trod_err err = {0};

    if (trod_profile_read(&profile, &health, bytes, length, &options, mem, &err)) {
        FUZZ_MUST(!health.nloss || profile.nnote);
        check_again(&profile, mem);
        read_sparse(print(&profile, mem), bytes, length, options, mem);
    } else {
        fuzz_refused(&err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_profile profile;
    struct trod_err err = {0};
    struct trod_arena mem;

    if (length > MOST_BYTES)
        return 0;
    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (!length || !memchr(bytes, 0, length)) {
        if (parse(&profile, (const char *)bytes, length, &mem, &err))
            check_again(&profile, &mem);
    } else {
        read_bytes(bytes, length, &mem);
        read_bytes(mended(bytes, length, &mem), length, &mem);
    }
    trod_arena_free(&mem);
    return 0;
}
