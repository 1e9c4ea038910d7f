/* Random machines, code, designs and runs for properties of the core, and how a difference is reported. */
#ifndef PROP_TIMING_DRAW_H
#define PROP_TIMING_DRAW_H

#include "scratch.h"

#include <inttypes.h>
#include <string.h>

#include "timing/timing.h"

/* What a drawn machine and a drawn stream have at most. */
enum {
    MOST_LINES = 64, /* of a cache */
    MOST_COUNTERS = 64,
    MOST_TARGETS = 32,
    MOST_STACK = 8,
    THREADS = 2,
    MOST_RUNS = 24,
    MOST_INSN = 5,
    CODES = 6,
    DESIGNS = 4
};

static inline bool wrong(
    struct kit_prop *p, const char *what, uint64_t got, uint64_t should)
{
    kit_note(p, "%s: %" PRIu64 ", not %" PRIu64, what, got, should);
    return false;
}

/* --- parts of machines ---------------------------------------------------------------------- */

/* At most MOST_LINES. */
static inline void draw_cache(struct trod_timing_cache *out, struct kit_prop *p)
{
    out->ways = UINT32_C(1) << kit_draw(p, 4);
    out->line = UINT32_C(8) << kit_draw(p, 3);
    out->size = (uint64_t)out->ways * out->line << kit_draw(p, 4);
    out->latency = (uint32_t)(1 + kit_draw(p, 5));
}

static inline void draw_prediction(
    struct trod_timing_prediction *out, struct kit_prop *p)
{
    *out = (struct trod_timing_prediction){
        .kind = (enum trod_timing_predictor)kit_draw(p, TROD_TIMING_PREDICTORS),
        .other = kit_draw(p, 2) ? TROD_TIMING_TWO_LEVEL : TROD_TIMING_GSHARE,
        .bimodal = UINT32_C(1) << kit_draw(p, 7),
        .counters = UINT32_C(1) << kit_draw(p, 7),
        .bits = (uint32_t)(1 + kit_draw(p, 6)),
        .histories = UINT32_C(1) << kit_draw(p, 4),
        .exclusive = kit_draw(p, 2),
        .meta = UINT32_C(1) << kit_draw(p, 5),
        .return_stack = (uint32_t)kit_draw(p, MOST_STACK),
        .btb_ways = UINT32_C(1) << kit_draw(p, 3)};
    out->btb = kit_draw(p, 4) ? out->btb_ways << kit_draw(p, 3) : 0;
}

/* --- scenes --------------------------------------------------------------------------------- */

/* A machine, designs for it, and what runs. */
struct scene {
    struct trod_timing_machine machine;
    struct trod_timing_design design[DESIGNS];
    struct trod_timing_injected injected[DESIGNS];
    struct trod_insn op[3];
    struct trod_code code[CODES];
    struct trod_insn insn[CODES][MOST_INSN];
    struct trod_run run[MOST_RUNS];
    struct trod_access access[MOST_RUNS][2 * MOST_INSN];
    uint32_t nrun;
};

static inline size_t inject(
    const struct trod_timing_injected **out, void *ctx, const struct trod_run *run)
{
    const struct trod_timing_injected *what = ctx;

    *out = what;
    return what->at < run->code->ninsn;
}

static inline uint32_t serve(
    void *ctx, const struct trod_run *run, const struct trod_timing_events *events)
{
    const struct trod_timing_injected *what = ctx;

    (void)events;
    return (uint32_t)(run->code->pc / 8 + what->at) % 6;
}

static inline void draw_insn(struct trod_insn *out, struct kit_prop *p)
{
    out->insn_class = (uint8_t)kit_draw(p, TROD_INSN_CLASSES);
    for (uint64_t i = kit_draw(p, 3); i--;)
        out->source[i] = (uint8_t)(1 + kit_draw(p, 4));
    if (kit_draw(p, 2))
        out->target[0] = (uint8_t)(1 + kit_draw(p, 4));
    out->nload = (uint8_t)(kit_draw(p, 3) == 2);
    out->nstore = (uint8_t)(kit_draw(p, 4) == 3);
}

static inline void draw_machine(struct trod_timing_machine *m, struct kit_prop *p)
{
    trod_timing_machine_named(m, kit_draw(p, 2) ? "table5.3" : "perfect");
    m->width = (uint32_t)(1 + kit_draw(p, 4));
    m->rob = (uint32_t)(1 + kit_draw(p, 12));
    m->lsq = (uint32_t)(1 + kit_draw(p, 4));
    m->ifq = (uint32_t)(1 + kit_draw(p, 5));
    m->penalty = (uint32_t)kit_draw(p, 5);
    for (int i = 0; i < TROD_TIMING_POOLS; i++)
        m->units[i] = (uint32_t)(1 + kit_draw(p, 3));
    m->latency[TROD_INSN_DIVIDE] = (uint32_t)(1 + kit_draw(p, 6));
    m->busy[TROD_INSN_DIVIDE] = (uint32_t)(1 + kit_draw(p, 6));
    if (!m->l1i.size)
        return;
    draw_cache(&m->l1i, p);
    draw_cache(&m->l1d, p);
    draw_cache(&m->l2, p);
    if (m->l2.line < 32)
        m->l2 = (struct trod_timing_cache){512, 2, 32, 5};
    m->memory = (uint32_t)(1 + kit_draw(p, 30));
    draw_prediction(&m->prediction, p);
}

static inline void draw_codes(struct scene *s, struct kit_prop *p)
{
    uint64_t pc = 64;

    for (uint32_t i = 0; i < CODES; i++) {
        struct trod_code *c = &s->code[i];

        c->pc = pc;
        c->number = i;
        c->ninsn = (uint32_t)(1 + kit_draw(p, MOST_INSN));
        c->insn = s->insn[i];
        c->kind = (uint8_t)kit_draw(p, TROD_BRANCH_KINDS);
        for (uint32_t k = 0; k < c->ninsn; k++) {
            draw_insn(&s->insn[i][k], p);
            s->insn[i][k].pc = c->last = pc;
            s->insn[i][k].size = (uint8_t)(1 + kit_draw(p, 9));
            pc += s->insn[i][k].size;
        }
        c->after = pc;
        c->target = pc - kit_draw(p, 64);
    }
}

static inline void draw_accesses(
    struct scene *s, struct trod_run *run, struct kit_prop *p)
{
    struct trod_access *access = s->access[run - s->run];

    run->access = access;
    for (uint32_t k = 0; k < run->code->ninsn; k++) {
        const struct trod_insn *insn = &run->code->insn[k];

        for (uint8_t n = 0; n < insn->nload + insn->nstore; n++)
            access[run->naccess++] = (struct trod_access){kit_draw(p, 40) * 3,
                (uint16_t)k, (uint8_t)(1 + kit_draw(p, 10)), n >= insn->nload};
    }
}

static inline void draw_scene(struct scene *s, struct kit_prop *p)
{
    memset(s, 0, sizeof *s);
    draw_machine(&s->machine, p);
    draw_codes(s, p);
    for (int i = 0; i < 3; i++)
        draw_insn(&s->op[i], p);
    for (uint32_t i = 0; i < DESIGNS; i++) {
        struct trod_timing_design *d = &s->design[i];

        s->injected[i] = (struct trod_timing_injected){
            s->op, (uint32_t)kit_draw(p, 4), (uint16_t)kit_draw(p, 3), kit_draw(p, 2)};
        *d = (struct trod_timing_design){.name = "design", .ctx = &s->injected[i]};
        if (!i)
            continue;
        d->queue = (uint32_t)kit_draw(p, 4);
        d->pipelined = kit_draw(p, 2);
        d->freed_at_end = kit_draw(p, 2);
        d->service = serve;
        d->bubble = (uint32_t)kit_draw(p, 3);
        d->inject = kit_draw(p, 2) ? inject : NULL;
    }
    s->nrun = (uint32_t)kit_draw(p, MOST_RUNS);
    for (uint32_t i = 0; i < s->nrun; i++) {
        struct trod_run *run = &s->run[i];

        run->code = &s->code[kit_draw(p, CODES)];
        run->taken = run->code->kind == TROD_BRANCH_IF
                         ? kit_draw(p, 2)
                         : run->code->kind != TROD_BRANCH_NONE;
        run->next = !run->taken ? run->code->after : run->code->target;
        if (!trod_branch_is_direct(run->code->kind) && run->taken)
            run->next = s->code[kit_draw(p, CODES)].pc;
        run->thread = kit_draw(p, 8) == 7;
        run->odd = kit_draw(p, 10) == 9;
        if (kit_draw(p, 4))
            draw_accesses(s, run, p);
    }
}

#endif
