#include "timing/timing.h"

enum { STACKS = 64, WEAKLY_TAKEN = 2 };

struct target {
    uint64_t branch; /* its address + 1; 0: empty */
    uint64_t target;
};

struct stack {
    uint64_t *after;
    uint32_t top;
};

struct trod_timing_predict {
    struct trod_timing_prediction how;
    uint8_t *bimodal, *counter, *meta;
    uint32_t *history; /* gshare has one */
    struct target *btb;
    struct stack stack[STACKS];
};

static uint8_t *counters(uint32_t count, struct trod_arena *mem)
{
    uint8_t *counter = trod_new(mem, uint8_t, count);

    for (uint32_t i = 0; i < count; i++)
        counter[i] = WEAKLY_TAKEN;
    return counter;
}

struct trod_timing_predict *trod_timing_predict_build(
    const struct trod_timing_prediction *prediction, struct trod_arena *mem)
{
    struct trod_timing_predict *p = trod_new(mem, struct trod_timing_predict, 1);
    enum trod_timing_predictor kind = prediction->kind;

    p->how = *prediction;
    if (kind == TROD_TIMING_PERFECT)
        return p;
    if (kind == TROD_TIMING_BIMODAL || kind == TROD_TIMING_COMBINED)
        p->bimodal = counters(prediction->bimodal, mem);
    if (kind == TROD_TIMING_COMBINED) {
        p->meta = counters(prediction->meta, mem);
        kind = prediction->other;
    }
    if (kind == TROD_TIMING_GSHARE || kind == TROD_TIMING_TWO_LEVEL) {
        p->counter = counters(prediction->counters, mem);
        if (kind == TROD_TIMING_GSHARE) {
            p->how.histories = 1;
            p->how.exclusive = true;
        }
        p->history = trod_new(mem, uint32_t, p->how.histories);
    }
    if (prediction->btb)
        p->btb = trod_new(mem, struct target, prediction->btb);
    for (int i = 0; i < STACKS && prediction->return_stack; i++)
        p->stack[i].after = trod_new(mem, uint64_t, prediction->return_stack);
    return p;
}

/* --- directions ------------------------------------------------------------------------------------- */

/* Folded, because with instructions of four bytes three of four counters would be unused.
 * Instructions of variable length lose nothing. */
static uint64_t folded(uint64_t address)
{
    return address ^ address >> 2;
}

static void learn(uint8_t *counter, bool up)
{
    if (up)
        *counter += *counter < 3;
    else
        *counter -= *counter > 0;
}

static bool predict_direction(
    struct trod_timing_predict *p, uint64_t address, bool taken)
{
    uint64_t at = folded(address);
    uint8_t *bimodal = NULL, *counter = NULL;
    bool right;

    if (p->bimodal)
        bimodal = &p->bimodal[at & (p->how.bimodal - 1)];
    if (p->counter) {
        uint32_t *history = &p->history[at & (p->how.histories - 1)];
        uint64_t index =
            p->how.exclusive ? *history ^ at : *history | at << p->how.bits;

        counter = &p->counter[index & (p->how.counters - 1)];
        *history = (*history << 1 | taken) & ((UINT32_C(1) << p->how.bits) - 1);
    }
    if (bimodal && counter) {
        uint8_t *meta = &p->meta[at & (p->how.meta - 1)];
        bool first = *bimodal >= 2, second = *counter >= 2;

        right = (*meta >= 2 ? second : first) == taken;
        if (first != second)
            learn(meta, second == taken);
    } else if (bimodal || counter) {
        right = (*(bimodal ? bimodal : counter) >= 2) == taken;
    } else {
        right = taken == (p->how.kind == TROD_TIMING_TAKEN);
    }
    if (bimodal)
        learn(bimodal, taken);
    if (counter)
        learn(counter, taken);
    return right;
}

/* --- targets ---------------------------------------------------------------------------------------------- */

/* Whether the target was predicted; the table is updated. For taken branches only. */
static bool predict_target(
    struct trod_timing_predict *p, uint64_t address, uint64_t next)
{
    uint32_t ways = p->how.btb_ways, way = 0;
    struct target *set, found;
    bool known;

    if (!p->btb)
        return true;
    set = p->btb + (folded(address) & (p->how.btb / ways - 1)) * ways;
    while (way < ways - 1 && set[way].branch != address + 1)
        way++;
    found = set[way];
    known = found.branch == address + 1 && found.target == next;
    for (; way; way--)
        set[way] = set[way - 1];
    set[0] = (struct target){address + 1, next};
    return known;
}

static bool predict_return(struct trod_timing_predict *p, const struct trod_run *run)
{
    struct stack *stack = &p->stack[run->thread % STACKS];

    if (!stack->after)
        return predict_target(p, run->code->last, run->next);
    stack->top = (stack->top ? stack->top : p->how.return_stack) - 1;
    return stack->after[stack->top] == run->next;
}

static void push(struct trod_timing_predict *p, const struct trod_run *run)
{
    struct stack *stack = &p->stack[run->thread % STACKS];

    if (!stack->after)
        return;
    stack->after[stack->top] = run->code->after;
    stack->top = stack->top + 1 == p->how.return_stack ? 0 : stack->top + 1;
}

static enum trod_timing_outcome predict(
    struct trod_timing_predict *p, const struct trod_run *run)
{
    const struct trod_code *code = run->code;

    switch (code->kind) {
    case TROD_BRANCH_IF:
        if (!predict_direction(p, code->last, run->taken)) {
            if (run->taken)
                predict_target(p, code->last, run->next);
            return TROD_TIMING_MISPREDICTED;
        }
        return !run->taken || predict_target(p, code->last, run->next)
                   ? TROD_TIMING_RIGHT
                   : TROD_TIMING_MISFETCHED;
    case TROD_BRANCH_CALL:
        push(p, run);
        /* fall through */
    case TROD_BRANCH_JUMP:
        return predict_target(p, code->last, run->next) ? TROD_TIMING_RIGHT
                                                        : TROD_TIMING_MISFETCHED;
    case TROD_BRANCH_CALL_INDIRECT:
        push(p, run);
        /* fall through */
    case TROD_BRANCH_INDIRECT:
        return predict_target(p, code->last, run->next) ? TROD_TIMING_RIGHT
                                                        : TROD_TIMING_MISPREDICTED;
    case TROD_BRANCH_RETURN:
        return predict_return(p, run) ? TROD_TIMING_RIGHT : TROD_TIMING_MISPREDICTED;
    default:
        return TROD_TIMING_RIGHT;
    }
}

enum trod_timing_outcome trod_timing_predict_run(
    struct trod_timing_predict *predictor, const struct trod_run *run)
{
    return predictor->how.kind == TROD_TIMING_PERFECT ? TROD_TIMING_RIGHT
                                                      : predict(predictor, run);
}
