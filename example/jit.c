/* jit: an interpreter that finds its own hot traces.
 *
 *     cc -O2 -o jit jit.c libtrod-online.a && ./jit [NUMBERS]
 *
 * A machine with a few registers runs a small program. The interpreter cuts the program into basic blocks,
 * tells an instance of trod_online about each block that begins, and "compiles" what is told to be hot: here,
 * it prints the trace that a compiler would be given. At the end it prints what was hottest.
 *
 * Blocks are fed one by one at jumps; where the interpreter runs straight on, nothing is done.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <trod/online.h>

/* --- the machine ---------------------------------------------------------------------------------- */

enum op { SET, ADD, MUL, SHIFT, AND, LESS, EQUAL, JUMP, BRANCH, HALT };

/* a = b op c. Jumps go to c, branches do so if a is not 0. b and c are registers, but c of SET is a number.
 */
struct instruction {
    enum op op;
    int a, b, c;
};

/* Of how many numbers below n it takes an odd number of steps to come to 1, if a step from x is to x / 2 or,
 * if that is not whole, to 3 x + 1.
 *
 *   r0 n  r1 i  r2 x  r3 steps  r4 found  r5 scratch  r6 0  r7 1  r8 3
 */
static const struct instruction program[] = {
    {SET, 7, 0, 1},     /*  0 */
    {SET, 8, 0, 3},     /*  1 */
    {SET, 1, 0, 2},     /*  2 */
    {LESS, 5, 1, 0},    /*  3 while (i < n) { */
    {BRANCH, 5, 0, 6},  /*  4 */
    {HALT, 0, 0, 0},    /*  5 */
    {ADD, 2, 1, 6},     /*  6     x = i */
    {SET, 3, 0, 0},     /*  7     steps = 0 */
    {EQUAL, 5, 2, 7},   /*  8     while (x != 1) { */
    {BRANCH, 5, 0, 18}, /*  9 */
    {AND, 5, 2, 7},     /* 10         if (x & 1) */
    {BRANCH, 5, 0, 14}, /* 11 */
    {SHIFT, 2, 2, 7},   /* 12             x /= 2 */
    {JUMP, 0, 0, 16},   /* 13         else */
    {MUL, 2, 2, 8},     /* 14             x = 3 * x + 1 */
    {ADD, 2, 2, 7},     /* 15 */
    {ADD, 3, 3, 7},     /* 16         steps++ */
    {JUMP, 0, 0, 8},    /* 17     } */
    {AND, 5, 3, 7},     /* 18     if (steps & 1) */
    {BRANCH, 5, 0, 21}, /* 19 */
    {JUMP, 0, 0, 22},   /* 20 */
    {ADD, 4, 4, 7},     /* 21         found++ */
    {ADD, 1, 1, 7},     /* 22     i++ */
    {JUMP, 0, 0, 3},    /* 23 } */
};

enum { NINSTRUCTION = sizeof program / sizeof *program, NREGISTER = 9 };

/* A block begins at the start, where a jump goes, and after a jump. */
static bool begins[NINSTRUCTION + 1];

static void find_blocks(void)
{
    begins[0] = true;
    for (int i = 0; i < NINSTRUCTION; i++) {
        if (program[i].op == JUMP || program[i].op == BRANCH) {
            begins[program[i].c] = true;
            begins[i + 1] = true;
        }
    }
}

/* --- what a compiler would do ----------------------------------------------------------------------- */

enum { LONGEST = 64 };

static void print_trace(
    const struct trod_online_hot *hot, struct trod_online *const *all, size_t nall)
{
    uint32_t block[LONGEST];
    size_t n = trod_online_blocks(block, LONGEST, hot, all, nall);

    for (size_t i = 0; i < n; i++)
        printf(" %" PRIu32, block[i]);
    printf("\n");
}

/* Told while the interpreter runs. */
static void compile(
    void *context, struct trod_online *o, const struct trod_online_hot *hot)
{
    int *ncompiled = context;

    if (++*ncompiled > 8)
        return;
    printf("compile:");
    print_trace(hot, &o, 1);
}

/* --- the interpreter ------------------------------------------------------------------------------- */

static uint64_t nblock; /* to be compared with what is estimated */

static uint64_t run(struct trod_online *o, uint64_t n)
{
    uint64_t r[NREGISTER] = {n};

    for (uint32_t at = 0;; at++) {
        const struct instruction *in = program + at;

        if (begins[at]) {
            trod_online_block(o, at);
            nblock++;
        }
        switch (in->op) {
        case SET:
            r[in->a] = (uint64_t)in->c;
            break;
        case ADD:
            r[in->a] = r[in->b] + r[in->c];
            break;
        case MUL:
            r[in->a] = r[in->b] * r[in->c];
            break;
        case SHIFT:
            r[in->a] = r[in->b] >> r[in->c];
            break;
        case AND:
            r[in->a] = r[in->b] & r[in->c];
            break;
        case LESS:
            r[in->a] = r[in->b] < r[in->c];
            break;
        case EQUAL:
            r[in->a] = r[in->b] == r[in->c];
            break;
        case BRANCH:
            if (!r[in->a])
                break;
            /* fall through */
        case JUMP:
            at = (uint32_t)in->c - 1;
            break;
        case HALT:
            return r[4];
        }
    }
}

int main(int argc, char **argv)
{
    static _Alignas(64) char memory[32768];
    int ncompiled = 0;
    struct trod_online_options options = {
        .text = "f=64,most=16k,longest=16,threshold=100k",
        .seed = 1,
        .hot = compile,
        .confidence = 0.95,
        .context = &ncompiled};
    struct trod_online_hot hot[5];
    struct trod_online_sum sum;
    const char *why;
    struct trod_online *o = trod_online_create(memory, sizeof memory, &options, &why);
    uint64_t found;
    size_t n;

    if (!o) {
        fprintf(stderr, "jit: %s\n", why);
        return 1;
    }
    find_blocks();
    found = run(o, argc > 1 ? strtoull(argv[1], NULL, 10) : 100000);
    trod_online_sum(&sum, &o, 1);
    printf("%" PRIu64 " numbers; %" PRIu64
           " blocks, estimated %.0f; one of %.0f sampled at last\n",
        found, nblock, sum.blocks, sum.f);
    n = trod_online_hottest(hot, 5, &o, 1, NULL);
    for (size_t i = 0; i < n; i++) {
        printf("%10.0f times, +- %2.0f%%, of %" PRIu32 ":", hot[i].estimate,
            100 * trod_online_error(hot[i].samples, 0.95, true), hot[i].length);
        print_trace(hot + i, &o, 1);
    }
    return 0;
}
