/* The caches and predictors of the core compared with plain ones. */
#include "timing_plain.h"

static enum part_fault fault_in(const void *ctx)
{
    return ctx ? *(const enum part_fault *)ctx : SOUND;
}

static bool caches_agree(struct kit_prop *p, void *ctx)
{
    struct plain_cache plain = {.fault = fault_in(ctx)};
    struct trod_timing_lines lines;
    struct sample s;
    uint64_t count = kit_draw(p, 300);

    begin(&s);
    draw_cache(&plain.how, p);
    trod_timing_lines_init(&lines, &plain.how, &s.mem);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t address = kit_draw(p, 1 << (6 + kit_draw(p, 6))), gone, fill, gone2;
        uint64_t kind = kit_draw(p, 4);
        uint32_t fill2 = 0;

        if (kind == 3) {
            bool there = plain_put_back(&plain, address);

            if (trod_timing_lines_put_back(&lines, address) != there)
                return end(&s, wrong(p, "put back", !there, there));
            continue;
        }
        if (plain_look(&plain, address, kind & 1, &gone, &fill) !=
            trod_timing_lines_look(&lines, address, kind & 1, &gone2, &fill2))
            return end(&s, wrong(p, "hit or miss of access", i, 0));
        if (gone != gone2)
            return end(&s, wrong(p, "line that went", gone2, gone));
        if (fill != fill2)
            return end(&s, wrong(p, "miss that brought it", fill2, fill));
    }
    if (lines.nmiss != plain.nmiss)
        return end(&s, wrong(p, "misses", lines.nmiss, plain.nmiss));
    return end(&s, true);
}

/* A stack that is popped more often than pushed has what it began with: zeros, in both. */
static bool predictors_agree(struct kit_prop *p, void *ctx)
{
    struct plain_predict plain;
    struct trod_timing_prediction how;
    struct trod_timing_predict *predict;
    struct sample s;
    uint64_t n = kit_draw(p, 200);

    begin(&s);
    draw_prediction(&how, p);
    plain_predict_init(&plain, &how, fault_in(ctx));
    predict = trod_timing_predict_build(&how, &s.mem);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t pc = kit_draw(p, 12) * 5;
        struct trod_code code = {.pc = pc,
            .last = pc,
            .after = pc + 2,
            .target = pc + 7,
            .kind = (uint8_t)kit_draw(p, TROD_BRANCH_KINDS)};
        struct trod_run run = {.code = &code, .thread = (uint32_t)kit_draw(p, THREADS)};
        enum trod_timing_outcome got, should;

        run.taken = code.kind == TROD_BRANCH_IF ? kit_draw(p, 2)
                                                : code.kind != TROD_BRANCH_NONE;
        run.next = !run.taken ? code.after : code.target;
        if (!trod_branch_is_direct(code.kind) && run.taken)
            run.next = kit_draw(p, 12) * 5 + 2;
        got = trod_timing_predict_run(predict, &run);
        should = plain_outcome(&plain, &run);
        if (got != should)
            return end(&s, wrong(p, "outcome", got, should));
    }
    return end(&s, true);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"caches do what plain ones do", caches_agree, {FIFO, NO_DIRT, NARROW}},
        {"predictors say what plain ones do", predictors_agree,
            {WARM, NO_META, SHORT, STICKY, FORGETFUL}},
    };

    return kit_run_tested("parts of the core", tested, sizeof tested / sizeof *tested);
}
