#include "kit/sampler_feed.h"

struct sampler_harness feed;
uint32_t trace[TRACE];

static uint64_t drawn;

void open_feed(const char *options, uint64_t seed)
{
    const char *why;

    if (!sampler_harness_open(&feed, options, seed, &why))
        fail_msg("%s: %s", options, why);
}

void close_feed(void)
{
    const char *why = sampler_harness_check(&feed);

    if (why)
        fail_msg("%s", why);
    sampler_harness_close(&feed);
}

void draw_from(uint64_t seed)
{
    drawn = seed;
}

uint32_t draw(uint32_t bound)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((drawn >> 33) * bound >> 31);
}

void make_trace(uint64_t seed)
{
    uint32_t i = 0, n;

    drawn = seed;
    while (i < TRACE) {
        uint32_t turn = draw(10);

        trace[i++] = 100;
        for (n = turn < 6 ? 3 : turn < 9 ? 5 : 2; n > 0 && i < TRACE; n--)
            trace[i++] = 100 + 7 * (turn < 6 ? 1 : turn < 9 ? 2 : 30) + n;
        if (turn == 9 && i < TRACE)
            trace[i++] = draw(40);
    }
}

uint32_t count_in_trace(const uint32_t *row, uint32_t n, uint32_t from)
{
    uint32_t count = 0, i;

    for (i = from; i + n <= TRACE; i++)
        count += !memcmp(trace + i, row, n * sizeof *row);
    return count;
}

void rotate_to(uint32_t *out, const uint32_t *row, uint32_t n, uint32_t first)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        out[i] = row[(first + i) % n];
}
