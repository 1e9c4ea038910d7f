/* Bursts of random plans in random programs: each is as many events in a row as it should be, and as many are off
 * between two of them, by word, as the period says; whatever activations there are, however many
 * types.
 */
#include "kit/burst_model.h"

static void draw_options(char *out, size_t room, struct kit_prop *p)
{
    static const char *const periods[] = {"jitter", "fixed", "prime", "geometric"};
    static const char *const types[] = {"paths", "paths+calls",
        "paths+methods+calls+trips+streams+handler", "streams+methods"};
    size_t period = kit_draw(p, 4), type = kit_draw(p, 4);
    uint64_t rate = 1 + kit_draw(p, 40), burst = 1 + kit_draw(p, 5);
    int n = snprintf(out, room,
        "types=%s,period=%s,words=%d,rate=%" PRIu64 ",burst=%" PRIu64, types[type],
        periods[period], kit_draw(p, 2) ? 16 : 1, rate, burst);

    if (kit_draw(p, 2))
        snprintf(out + n, room - (size_t)n,
            ",rate.streams=%" PRIu64 ",burst.streams=%" PRIu64 ",rate.paths=%" PRIu64,
            1 + kit_draw(p, 20), 1 + kit_draw(p, 9), 1 + kit_draw(p, 9));
    kit_note(p, "%s", out);
}

/* Loops that stay in an activation, and calls and returns. */
static bool bursts_are_bursts(struct kit_prop *p, void *ctx)
{
    static struct burst_model f;
    uint64_t n = kit_draw(p, 3000), spread = 1 + kit_draw(p, TROD_RT_SKIPS), i;
    unsigned activation = 0;
    char options[300];
    const char *why;

    draw_options(options, sizeof options, p);
    burst_model_drawn = kit_draw(p, UINT32_MAX);
    why = burst_model_open(&f, options, burst_model_drawn * 7);
    if (why) {
        kit_note(p, "%s", why);
        return false;
    }
    f.fault = ctx ? *(const enum burst_model_fault *)ctx : BURST_MODEL_RIGHT;
    for (i = 0; i < n; i++) {
        unsigned word = (unsigned)burst_model_draw(spread) % f.options.words;

        if (burst_model_draw(8) == 0)
            activation = (unsigned)burst_model_draw(BURST_MODEL_ACTIVATIONS);
        burst_model_event(&f, word, activation);
        if (!burst_model_check(&f, word)) {
            kit_note(p, "%s, event %" PRIu64 " of %" PRIu64, f.why, i, n);
            return false;
        }
    }
    return true;
}

static void test_bursts(void **state)
{
    (void)state;
    kit_check("bursts are what they should be", bursts_are_bursts, NULL);
}

static void test_planted(void **state)
{
    static enum burst_model_fault faults[] = {BURST_MODEL_TWICE, BURST_MODEL_DEAF,
        BURST_MODEL_ASTRAY, BURST_MODEL_EARLY, BURST_MODEL_LONGER};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof faults / sizeof *faults; i++)
        kit_check_planted("a fault in bursts is found", bursts_are_bursts, faults + i);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bursts),
        cmocka_unit_test(test_planted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
