#include "model/model.h"

#include <inttypes.h>
#include <string.h>

static const char *const index_words[TROD_INDEXES] = {
    "xor", "xor-last", "xor-fold", "address", "multiply", "skew"};
static const char *const replace_words[TROD_REPLACES] = {
    "lfu", "lru", "inherit", "admit"};
static const char *const ties_words[TROD_TIESES] = {
    "first", "oldest", "newest", "random"};
static const char *const bound_words[] = {"lower", "upper", "estimate"};

static const struct trod_hot_design thesis = {
    .entries = 512, .ways = 4, .bits = 32, .shift = 2};

const char *trod_hot_bound_word(enum trod_hot_bound bound)
{
    return bound_words[bound];
}

/* --- checking and measuring --------------------------------------------------------------------------- */

static bool is_power(uint32_t n)
{
    return n && !(n & (n - 1));
}

bool trod_hot_design_check(const struct trod_hot_design *d, struct trod_err *err)
{
    if (!d->ways || !is_power(d->entries / d->ways) || d->entries % d->ways ||
        d->entries > UINT32_C(1) << 24)
        return trod_fail(err, TROD_E_INPUT,
            "a hot path table of %" PRIu32 " entries in %" PRIu32
            " ways; entries by ways must be a power of 2, and entries at most 2^24",
            d->entries, d->ways);
    if (d->index >= TROD_INDEXES || d->replace >= TROD_REPLACES ||
        d->ties >= TROD_TIESES)
        return trod_fail(err, TROD_E_INPUT,
            "a hot path table with an unknown index, replacement or tie");
    if (d->index == TROD_INDEX_SKEW && d->ways > TROD_HOT_SKEWED)
        return trod_fail(err, TROD_E_INPUT,
            "a skewed hot path table of %" PRIu32 " ways; %d are the most", d->ways,
            TROD_HOT_SKEWED);
    if (d->bits < 1 || d->bits > 64 || d->shift > 16)
        return trod_fail(err, TROD_E_INPUT,
            "accumulators have 1 to 64 bits, and addresses are shifted by 0 to 16");
    if (d->door && (!is_power(d->door) || d->door > UINT32_C(1) << 30))
        return trod_fail(err, TROD_E_INPUT,
            "a door of %" PRIu32 " bits; it must be a power of 2, at most 2^30",
            d->door);
    return true;
}

uint64_t trod_hot_design_bits(
    const struct trod_hot_design *d, uint32_t split, uint32_t address)
{
    uint64_t entry =
        1 + address + trod_bit_width(split) + split + d->bits; /* 1: valid bit */
    bool ordered = d->replace == TROD_REPLACE_LRU || d->ties == TROD_TIES_OLDEST ||
                   d->ties == TROD_TIES_NEWEST;
    bool random = d->replace == TROD_REPLACE_ADMIT || d->ties == TROD_TIES_RANDOM;

    if (ordered && d->ways > 1)
        entry += trod_bit_width(d->ways - 1);
    return d->entries * entry + d->door + (random ? 32 : 0);
}

/* In a set-associative table, the lowest count of a set bounds the count of a missing path; in a skewed one, and
 * with an admission filter, there is no bound.
 */
enum trod_hot_bound trod_hot_design_bound(const struct trod_hot_design *d)
{
    if (d->replace == TROD_REPLACE_LFU || d->replace == TROD_REPLACE_LRU)
        return TROD_BOUND_LOWER;
    if (d->replace == TROD_REPLACE_INHERIT && d->index != TROD_INDEX_SKEW && !d->door)
        return TROD_BOUND_UPPER;
    return TROD_BOUND_ESTIMATE;
}

/* --- text ------------------------------------------------------------------------------------------------- */

void trod_hot_design_print(struct trod_sink *sink, const struct trod_hot_design *d)
{
    trod_put(sink, "%" PRIu32 "x%" PRIu32 ",%s,%s", d->entries, d->ways,
        replace_words[d->replace], index_words[d->index]);
    if (d->ties)
        trod_put(sink, ",ties=%s", ties_words[d->ties]);
    if (d->bits != thesis.bits)
        trod_put(sink, ",bits=%u", (unsigned)d->bits);
    if (d->shift != thesis.shift)
        trod_put(sink, ",shift=%u", (unsigned)d->shift);
    if (d->door)
        trod_put(sink, ",door=%" PRIu32, d->door);
    if (d->seed)
        trod_put(sink, ",seed=%" PRIu64, d->seed);
}

struct piece {
    const char *word;  /* up to the next comma or equals sign */
    const char *value; /* after the equals sign, or NULL */
    uint32_t column;
};

static bool fail_at(struct trod_err *err, const struct piece *piece, const char *what)
{
    return trod_fail(err, TROD_E_INPUT, "table:%" PRIu32 ": '%s' %s", piece->column,
        piece->word, what);
}

static bool find_word(
    uint8_t *out, const char *word, const char *const *words, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        if (strcmp(word, words[i]) != 0)
            continue;
        *out = i;
        return true;
    }
    return false;
}

static bool parse_size(
    struct trod_hot_design *out, const struct piece *piece, struct trod_arena *mem)
{
    const char *x = strchr(piece->word, 'x');
    uint64_t entries, ways;

    if (!x ||
        !trod_text_uint(
            &entries, trod_copy_text(mem, piece->word, (size_t)(x - piece->word))) ||
        !trod_text_uint(&ways, x + 1) || entries > UINT32_MAX || ways > UINT32_MAX)
        return false;
    out->entries = (uint32_t)entries;
    out->ways = (uint32_t)ways;
    return true;
}

static bool parse_value(
    struct trod_hot_design *out, const struct piece *piece, struct trod_err *err)
{
    uint64_t value;

    if (strcmp(piece->word, "ties") == 0)
        return find_word(&out->ties, piece->value, ties_words, TROD_TIESES) ||
               fail_at(err, piece, "is first, oldest, newest or random");
    if (!trod_text_uint(&value, piece->value))
        return fail_at(err, piece, "wants a number");
    if (strcmp(piece->word, "bits") == 0 && value <= 64)
        out->bits = (uint8_t)value;
    else if (strcmp(piece->word, "shift") == 0 && value <= 16)
        out->shift = (uint8_t)value;
    else if (strcmp(piece->word, "door") == 0 && value <= UINT32_MAX)
        out->door = (uint32_t)value;
    else if (strcmp(piece->word, "seed") == 0)
        out->seed = value;
    else
        return fail_at(err, piece,
            "is none of ties, bits (up to 64), shift (up to 16), door and seed, or its "
            "number is too large");
    return true;
}

static bool parse_piece(struct trod_hot_design *out, const struct piece *piece,
    struct trod_arena *mem, struct trod_err *err)
{
    if (piece->value)
        return parse_value(out, piece, err);
    return parse_size(out, piece, mem) ||
           find_word(&out->replace, piece->word, replace_words, TROD_REPLACES) ||
           find_word(&out->index, piece->word, index_words, TROD_INDEXES) ||
           fail_at(err, piece,
               "is neither ENTRIESxWAYS, nor a replacement (lfu, lru, inherit, admit), "
               "nor an index (xor, xor-last, xor-fold, address, multiply, skew)");
}

bool trod_hot_design_parse(struct trod_hot_design *out, const char *text,
    struct trod_arena *mem, struct trod_err *err)
{
    const char *at = text;

    *out = thesis;
    out->name = trod_copy(mem, text);
    for (;;) {
        size_t length = strcspn(at, ","), head = strcspn(at, ",=");
        struct piece piece = {
            .word = trod_copy_text(mem, at, head), .column = (uint32_t)(at - text) + 1};

        if (head < length)
            piece.value = trod_copy_text(mem, at + head + 1, length - head - 1);
        if (!parse_piece(out, &piece, mem, err))
            return false;
        if (!at[length])
            break;
        at += length + 1;
    }
    return trod_hot_design_check(out, err);
}
