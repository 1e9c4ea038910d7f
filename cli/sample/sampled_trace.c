#include "sample/subpaths.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trod/online.h"

enum { USUAL_MEMORY = 64 << 10 };

struct cli_sampler {
    struct trod_arena *mem;
    const char *options;
    size_t memory; /* per thread */
    uint64_t seed;
    struct trod_online **one; /* by number of thread, in the order of appearance */
    uint64_t *thread;
    uint32_t count, room, room_thread;
};

/* --- options -------------------------------------------------------------------------------------- */

bool cli_parse_size(uint64_t *out, const char *text, const char *end)
{
    static const char units[] = "kKmMgG";
    const char *unit = end > text ? strchr(units, end[-1]) : NULL;
    unsigned shift = unit && *unit ? 10 * (1 + (unsigned)(unit - units) / 2) : 0;
    uint64_t n = 0;

    end -= shift > 0;
    for (; text < end && *text >= '0' && *text <= '9' && n < UINT64_C(1) << 40; text++)
        n = 10 * n + (uint64_t)(*text - '0');
    *out = n << shift;
    return text == end && n > 0 && n < UINT64_C(1) << 50 >> shift;
}

/* In programs the runtime allocates the samplers' memory; here the caller does. */
static bool find_memory(size_t *out, const char *options)
{
    uint64_t size = USUAL_MEMORY;

    for (const char *at = options, *end; at; at = *end ? end + 1 : NULL) {
        end = strchr(at, ',');
        end = end ? end : at + strlen(at);
        if (strncmp(at, "memory=", 7) == 0 && !cli_parse_size(&size, at + 7, end))
            return false;
    }
    *out = (size_t)size;
    return true;
}

bool cli_sampler_open(struct cli_sampler **out, struct cli *cli, const char *options,
    enum trod_sample_identity identity, uint64_t seed)
{
    static const char *const word[] = {"rotation", "sequence", "xor"};
    struct cli_sampler *s = trod_new(&cli->mem, struct cli_sampler, 1);
    struct trod_string text;
    const char *why;

    trod_string_init(&text, &cli->mem);
    trod_put(
        &text.sink, "%s%sidentity=%s", options, *options ? "," : "", word[identity]);
    why = trod_online_check(text.text);
    if (why || !find_memory(&s->memory, options))
        return cli_misused(
            cli, "--sample=%s: %s", options, why ? why : "memory= takes bytes, as 64k");
    s->mem = &cli->mem;
    s->options = text.text;
    s->seed = seed;
    *out = s;
    return true;
}

/* --- blocks --------------------------------------------------------------------------------------- */

static bool add_thread(struct cli_sampler *s, uint64_t thread, struct trod_err *err)
{
    struct trod_online_options options = {
        .text = s->options, .seed = s->seed * UINT64_C(1000003) + thread};
    void *memory = trod_arena_take(s->mem, s->memory, 1);
    const char *why;

    trod_reserve(s->mem, s->one, s->count, s->room);
    trod_reserve(s->mem, s->thread, s->count, s->room_thread);
    s->one[s->count] = trod_online_create(memory, s->memory, &options, &why);
    s->thread[s->count] = thread;
    return s->one[s->count++] ||
           trod_fail(
               err, TROD_E_LIMIT, "a sampler for thread %" PRIu64 ": %s", thread, why);
}

bool cli_sampler_add(struct cli_sampler *s, uint64_t thread, const uint32_t *block,
    size_t nblock, struct trod_err *err)
{
    struct trod_online *one;
    uint32_t i = 0;

    while (i < s->count && s->thread[i] != thread)
        i++;
    if (i == s->count && !add_thread(s, thread, err))
        return false;
    one = s->one[i];
    for (size_t k = 0; k < nblock; k++)
        if (block[k] == TROD_EVERY_GAP)
            trod_online_break(one);
        else
            trod_online_block(one, block[k]);
    return true;
}

/* --- results -------------------------------------------------------------------------------------- */

static double exponent;

static double weigh(uint32_t length)
{
    return pow(length, exponent);
}

/* As 'trod sample subpaths' ranks: the estimate minus one standard error. */
static double score(const struct cli_sampled_row *row)
{
    return row->samples > 1
               ? row->estimate * (1 - 1 / sqrt(row->samples)) * weigh(row->length)
               : 0;
}

static int by_score(const void *x, const void *y)
{
    double a = score(x), b = score(y);

    return (a < b) - (a > b);
}

void cli_sampler_read(struct cli_sampled *out, struct cli_sampler *s, double weight)
{
    struct trod_online_hot *hot;
    struct trod_online_sum sum;

    trod_online_sum(&sum, s->one, s->count);
    hot = trod_new(s->mem, struct trod_online_hot, sum.subpaths);
    exponent = weight;
    *out = (struct cli_sampled){.f = sum.f,
        .nbegun = sum.begun,
        .nsample = sum.sampled,
        .ndropped = sum.dropped,
        .nrejected = sum.rejected};
    out->nrow = trod_online_hottest(hot, sum.subpaths, s->one, s->count, weigh);
    out->row = trod_new(s->mem, struct cli_sampled_row, out->nrow);
    for (size_t i = 0; i < out->nrow; i++) {
        uint32_t *block = trod_new(s->mem, uint32_t, hot[i].length);

        trod_online_blocks(block, hot[i].length, &hot[i], s->one, s->count);
        out->nkept += hot[i].samples;
        out->row[i] = (struct cli_sampled_row){.estimate = hot[i].estimate,
            .samples = hot[i].samples,
            .both = trod_online_error(hot[i].samples, 0.95, true),
            .one = trod_online_error(hot[i].samples, 0.95, false),
            .length = hot[i].length,
            .block = block};
    }
    trod_sort(out->row, out->nrow, by_score);
}

size_t cli_sampled_find(const struct cli_sampled *sampled,
    enum trod_sample_identity identity, const uint32_t *block, uint32_t length)
{
    for (size_t i = 0; i < sampled->nrow; i++) {
        const struct cli_sampled_row *row = &sampled->row[i];
        uint32_t all = 0;

        if (row->length != length)
            continue;
        if (identity != TROD_SAMPLE_XOR) {
            if (memcmp(row->block, block, length * sizeof *block) == 0)
                return i + 1;
            continue;
        }
        for (uint32_t k = 0; k < length; k++)
            all ^= row->block[k] ^ block[k];
        if (!all)
            return i + 1;
    }
    return 0;
}
