/* Speed of the core model: a stream of blocks as compilers emit them, five instructions on average, a third of them
 * loads or stores, through one engine and through several.
 *
 *     build/release/bench/core [MILLIONS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "timing/timing.h"

enum { CODES = 4000, MOST_INSN = 9, RUNS = 1 << 17 };

struct stream {
    struct trod_code code[CODES];
    struct trod_insn insn[CODES][MOST_INSN];
    uint32_t succ[CODES][4]; /* taken, not taken; of an indirect branch, any */
    uint8_t bias[CODES];     /* probability that the branch is taken, of 256 */
    struct trod_run run[RUNS];
    struct trod_access *access;
    uint64_t ninsn;
};

static void exhausted(void *ctx)
{
    (void)ctx;
    fprintf(stderr, "out of memory\n");
    exit(1);
}

static void draw_insn(struct trod_insn *out, uint64_t pc, struct trod_rng *rng)
{
    static const uint8_t classes[] = {TROD_INSN_ALU, TROD_INSN_ALU, TROD_INSN_ALU,
        TROD_INSN_ALU, TROD_INSN_ALU, TROD_INSN_ALU, TROD_INSN_ALU, TROD_INSN_ALU,
        TROD_INSN_ALU, TROD_INSN_ALU, TROD_INSN_ALU, TROD_INSN_ALU, TROD_INSN_ALU,
        TROD_INSN_MULTIPLY, TROD_INSN_FLOAT, TROD_INSN_FLOAT_MULTIPLY};
    uint64_t kind = trod_rng_below(rng, 100);

    *out = (struct trod_insn){.pc = pc,
        .size = (uint8_t)(2 + trod_rng_below(rng, 5)),
        .insn_class = classes[trod_rng_below(rng, sizeof classes)],
        .nload = kind < 22,
        .nstore = kind >= 22 && kind < 33};
    for (uint64_t i = 1 + trod_rng_below(rng, 2); i--;)
        out->source[i] = (uint8_t)(1 + trod_rng_below(rng, 16));
    if (!out->nstore)
        out->target[0] = (uint8_t)(1 + trod_rng_below(rng, 16));
}

/* Blocks of 1 to 9 instructions. Branch targets are near, and most branches are biased. */
static void draw_codes(struct stream *s, struct trod_rng *rng)
{
    uint64_t pc = 0x400000;

    for (uint32_t i = 0; i < CODES; i++) {
        struct trod_code *c = &s->code[i];

        *c = (struct trod_code){.pc = pc,
            .number = i,
            .kind = TROD_BRANCH_IF,
            .ninsn = (uint32_t)(1 + trod_rng_below(rng, MOST_INSN)),
            .insn = s->insn[i]};
        for (uint32_t k = 0; k < c->ninsn; k++) {
            draw_insn(&s->insn[i][k], pc, rng);
            c->last = pc;
            pc += s->insn[i][k].size;
        }
        s->insn[i][c->ninsn - 1].insn_class = TROD_INSN_BRANCH;
        c->after = pc;
        s->succ[i][0] = (i + CODES - 6 + (uint32_t)trod_rng_below(rng, 14)) % CODES;
        s->succ[i][1] = (i + 1) % CODES;
        s->succ[i][2] = (uint32_t)trod_rng_below(rng, CODES);
        s->succ[i][3] = (uint32_t)trod_rng_below(rng, CODES);
        if (trod_rng_below(rng, 16) == 0)
            c->kind = TROD_BRANCH_INDIRECT;
        s->bias[i] = (uint8_t)(trod_rng_below(rng, 4) ? trod_rng_below(rng, 2) * 245 + 5
                                                      : trod_rng_below(rng, 256));
    }
    for (uint32_t i = 0; i < CODES; i++) {
        if (i + 1 == CODES)
            s->code[i].kind = TROD_BRANCH_JUMP;
        if (trod_branch_is_direct(s->code[i].kind))
            s->code[i].target = s->code[s->succ[i][0]].pc;
    }
}

static uint64_t draw_address(struct trod_rng *rng)
{
    uint64_t kind = trod_rng_below(rng, 100);
    uint64_t within = kind < 80   ? UINT64_C(8) << 10
                      : kind < 97 ? UINT64_C(64) << 10
                                  : UINT64_C(4) << 20;

    return 0x10000000 + trod_rng_below(rng, within / 8) * 8;
}

static void draw_runs(struct stream *s, struct trod_rng *rng, struct trod_arena *mem)
{
    uint32_t at = 0, naccess = 0, nseen = 0;
    static uint32_t seen[CODES];

    s->access = trod_new(mem, struct trod_access, (size_t)RUNS * MOST_INSN);
    for (uint32_t i = 0; i < RUNS; i++) {
        const struct trod_code *c = &s->code[at];
        struct trod_run *run = &s->run[i];
        bool taken =
            c->kind != TROD_BRANCH_IF || trod_rng_below(rng, 256) < s->bias[at];
        uint64_t way =
            c->kind == TROD_BRANCH_INDIRECT ? trod_rng_below(rng, 4) : !taken;

        /* Invert a branch now and then, so that loops end. */
        nseen += !seen[at];
        if (++seen[at] % 24 == 0 && c->kind == TROD_BRANCH_IF) {
            taken = !taken;
            way = !taken;
        }
        at = s->succ[at][way];
        *run = (struct trod_run){.code = c,
            .taken = taken,
            .next = taken ? s->code[at].pc : c->after,
            .access = s->access + naccess};
        for (uint32_t k = 0; k < c->ninsn; k++) {
            if (!c->insn[k].nload && !c->insn[k].nstore)
                continue;
            s->access[naccess++] = (struct trod_access){
                draw_address(rng), (uint16_t)k, 8, c->insn[k].nstore};
            run->naccess++;
        }
        s->ninsn += c->ninsn;
    }
    printf(
        "%" PRIu32 " blocks, %.1f instructions each\n", nseen, (double)s->ninsn / RUNS);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void measure(const struct stream *s, const struct trod_timing_design *design,
    uint32_t ndesign, uint64_t wanted)
{
    struct trod_timing_machine machine;
    struct trod_timing_cycles cycles[8] = {{0}};
    const struct trod_timing_events *events;
    struct trod_arena mem;
    struct trod_timing *core;
    double took;

    trod_timing_machine_named(&machine, "table5.3");
    trod_arena_init(&mem, exhausted, NULL);
    core = trod_timing_build(&machine, design, ndesign, &mem);
    took = seconds();
    for (uint64_t n = 0; n < wanted; n += s->ninsn)
        for (uint32_t i = 0; i < RUNS; i++)
            trod_timing_take(core, &s->run[i]);
    took = seconds() - took;
    events = trod_timing_events_of(core);
    trod_timing_cycles_of(cycles, core);
    printf("%7" PRIu32 " %7.1f %9.3f %10.4f %10.4f %10.4f\n", ndesign,
        (double)events->ninsn / took / 1e6,
        ndesign ? (double)events->ninsn / (double)cycles[0].cycles : 0,
        (double)events->nmispredict / (double)events->nbranch,
        (double)events->nl1d_miss / (double)events->nl1d,
        (double)events->nl2_miss / (double)events->nl2);
    trod_arena_free(&mem);
}

int main(int argc, char **argv)
{
    static const struct trod_timing_design design[] = {{.name = "base"},
        {.name = "queue 1", .queue = 1}, {.name = "queue 2", .queue = 2},
        {.name = "queue 4", .queue = 4}, {.name = "queue 8", .queue = 8},
        {.name = "pipelined 1", .queue = 1, .pipelined = true},
        {.name = "pipelined 4", .queue = 4, .pipelined = true},
        {.name = "pipelined 8", .queue = 8, .pipelined = true}};
    uint64_t wanted = (argc > 1 ? strtoull(argv[1], NULL, 10) : 50) * 1000000;
    static struct stream stream;
    struct trod_arena mem;
    struct trod_rng rng;

    trod_arena_init(&mem, exhausted, NULL);
    trod_rng_init(&rng, 7);
    draw_codes(&stream, &rng);
    draw_runs(&stream, &rng, &mem);
    printf("designs    MIPS       IPC mispredict   l1d miss    l2 miss\n");
    for (uint32_t n = 0; n <= 8; n = n ? 2 * n : 1)
        measure(&stream, design, n, wanted);
    trod_arena_free(&mem);
    return 0;
}
