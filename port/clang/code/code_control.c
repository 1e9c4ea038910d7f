#include "clang/code/dependence.h"

/* Blocks are numbered in the function's order. The exit comes last; all blocks that end the
 * function lead there, and so does one block of each infinite loop.
 */
struct blocks {
    uint32_t n; /* including the exit */
    uint32_t *first_out, *out, *first_in, *in;
    uint32_t *order, *rank; /* reverse postorder of the reversed graph, from the exit */
    uint32_t *idom;         /* immediate postdominator */
    uint8_t *is_end;        /* leads to the exit */
};

/* Is it a jump, without which control would continue with the next block? */
static bool is_jump(const struct trod_code_control *c, uint32_t block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(c->block[block]);

    if (block + 1 == c->nblock)
        return false;
    if (LLVMGetInstructionOpcode(end) == LLVMUnreachable)
        return true;
    return LLVMGetInstructionOpcode(end) == LLVMBr && LLVMGetNumSuccessors(end) == 1 &&
           LLVMGetSuccessor(end, 0) != c->block[block + 1];
}

static void fill_out(
    struct blocks *g, struct trod_code_control *c, bool jumps, struct trod_arena *mem)
{
    struct trod_code_numbers number;
    uint32_t nedge = 0, n = c->nblock;
    bool is_new;

    trod_code_numbers_init(&number, mem);
    for (uint32_t b = 0; b < n; b++) {
        *trod_code_numbers_add(&number, c->block[b], &is_new) = b;
        nedge += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(c->block[b])) + 1;
    }
    g->n = n + 1;
    g->first_out = trod_new(mem, uint32_t, g->n + 1);
    g->out = trod_new(mem, uint32_t, nedge + 1);
    g->is_end = trod_new(mem, uint8_t, g->n);
    nedge = 0;
    for (uint32_t b = 0; b < n; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(c->block[b]);
        unsigned nsuccessor = LLVMGetNumSuccessors(end);

        g->is_end[b] = !nsuccessor;
        for (unsigned i = 0; i < nsuccessor; i++)
            g->out[nedge++] =
                (uint32_t)*trod_code_numbers_find(&number, LLVMGetSuccessor(end, i));
        if (jumps && is_jump(c, b))
            g->out[nedge++] = b + 1;
        g->first_out[b + 1] = nedge;
    }
    g->first_out[n + 1] = nedge;
}

static void fill_in(struct blocks *g, struct trod_arena *mem)
{
    uint32_t nedge = g->first_out[g->n], *at = trod_new(mem, uint32_t, g->n + 1);

    g->first_in = trod_new(mem, uint32_t, g->n + 1);
    g->in = trod_new(mem, uint32_t, nedge + 1);
    for (uint32_t e = 0; e < nedge; e++)
        g->first_in[g->out[e] + 1]++;
    for (uint32_t b = 0; b < g->n; b++)
        at[b + 1] = g->first_in[b + 1] += g->first_in[b];
    for (uint32_t b = 0; b + 1 < g->n; b++)
        for (uint32_t e = g->first_out[b]; e < g->first_out[b + 1]; e++)
            g->in[at[g->out[e]]++] = b;
}

/* --- order of the reversed graph ----------------------------------------------------------------------- */

/* Appends the postorder of the blocks that reach a block. */
static uint32_t walk_back(struct blocks *g, uint32_t from, uint32_t n, uint8_t *seen,
    uint32_t *stack, uint32_t *next)
{
    uint32_t depth = 0;

    if (seen[from])
        return n;
    seen[from] = 1;
    next[from] = g->first_in[from];
    stack[depth++] = from;
    while (depth) {
        uint32_t b = stack[depth - 1];

        if (next[b] < g->first_in[b + 1]) {
            uint32_t to = g->in[next[b]++];

            if (!seen[to]) {
                seen[to] = 1;
                next[to] = g->first_in[to];
                stack[depth++] = to;
            }
        } else {
            g->order[n++] = b;
            depth--;
        }
    }
    return n;
}

static void fill_order(struct blocks *g, struct trod_arena *mem)
{
    uint8_t *seen = trod_new(mem, uint8_t, g->n);
    uint32_t *stack = trod_new(mem, uint32_t, g->n);
    uint32_t *next = trod_new(mem, uint32_t, g->n);
    uint32_t n = 0, exit = g->n - 1;

    g->order = trod_new(mem, uint32_t, g->n);
    g->rank = trod_new(mem, uint32_t, g->n);
    for (uint32_t b = 0; b < exit; b++)
        if (g->is_end[b])
            n = walk_back(g, b, n, seen, stack, next);
    /* Infinite loops. */
    for (uint32_t b = exit; b-- > 0;)
        if (!seen[b]) {
            g->is_end[b] = 1;
            n = walk_back(g, b, n, seen, stack, next);
        }
    g->order[n++] = exit;
    assert(n == g->n);
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t swap = g->order[i];

        g->order[i] = g->order[n - 1 - i];
        g->order[n - 1 - i] = swap;
    }
    for (uint32_t i = 0; i < n; i++)
        g->rank[g->order[i]] = i;
}

static uint32_t meet(const struct blocks *g, uint32_t a, uint32_t b)
{
    while (a != b)
        if (g->rank[a] > g->rank[b])
            a = g->idom[a];
        else
            b = g->idom[b];
    return a;
}

static uint32_t after_of(const struct blocks *g, uint32_t b)
{
    uint32_t found = g->is_end[b] ? g->n - 1 : UINT32_MAX;

    for (uint32_t e = g->first_out[b]; e < g->first_out[b + 1]; e++)
        if (g->idom[g->out[e]] != UINT32_MAX)
            found = found == UINT32_MAX ? g->out[e] : meet(g, found, g->out[e]);
    return found;
}

static void fill_dominators(struct blocks *g, struct trod_arena *mem)
{
    bool changed = true;

    g->idom = trod_new(mem, uint32_t, g->n);
    for (uint32_t b = 0; b < g->n; b++)
        g->idom[b] = UINT32_MAX;
    g->idom[g->n - 1] = g->n - 1;
    while (changed) {
        changed = false;
        for (uint32_t i = 1; i < g->n; i++) {
            uint32_t b = g->order[i], after = after_of(g, b);

            changed |= g->idom[b] != after;
            g->idom[b] = after;
        }
    }
}

/* --- control dependences --------------------------------------------------------------------------------- */

/* The rows of one kind; only counted while `on` is NULL. */
struct rows {
    uint32_t *first, *on, *at;
};

/* Marks all blocks from `to` up to the immediate postdominator of `from`. */
static void mark(
    const struct rows *rows, const struct blocks *g, uint32_t from, uint32_t to)
{
    uint32_t until = from == TROD_CODE_ENTRY ? g->n - 1 : g->idom[from];

    for (uint32_t b = to; b != until && b != g->n - 1; b = g->idom[b])
        if (rows->on)
            rows->on[rows->at[b]++] = from;
        else
            rows->at[b]++;
}

static void mark_all(const struct rows *rows, const struct trod_code_control *c,
    const struct blocks *g, bool jumps)
{
    if (!jumps)
        mark(rows, g, TROD_CODE_ENTRY, 0);
    for (uint32_t b = 0; b < c->nblock; b++)
        if (jumps ? is_jump(c, b) : g->first_out[b + 1] - g->first_out[b] > 1)
            for (uint32_t e = g->first_out[b]; e < g->first_out[b + 1]; e++)
                mark(rows, g, b, g->out[e]);
}

static void build(uint32_t **first, uint32_t **on, struct trod_code_control *c,
    bool jumps, struct trod_arena *mem)
{
    struct blocks g = {0};
    struct rows rows = {.first = trod_new(mem, uint32_t, c->nblock + 1),
        .at = trod_new(mem, uint32_t, c->nblock + 1)};

    fill_out(&g, c, jumps, mem);
    fill_in(&g, mem);
    fill_order(&g, mem);
    fill_dominators(&g, mem);
    mark_all(&rows, c, &g, jumps);
    for (uint32_t b = 0; b < c->nblock; b++) {
        rows.first[b + 1] = rows.first[b] + rows.at[b];
        rows.at[b] = rows.first[b];
    }
    rows.on = trod_new(mem, uint32_t, rows.first[c->nblock] + 1);
    mark_all(&rows, c, &g, jumps);
    *first = rows.first;
    *on = rows.on;
}

void trod_code_control_build(
    struct trod_code_control *out, LLVMValueRef function, struct trod_arena *mem)
{
    *out = (struct trod_code_control){.nblock = LLVMCountBasicBlocks(function)};
    out->block = trod_new(mem, LLVMBasicBlockRef, out->nblock);
    LLVMGetBasicBlocks(function, out->block);
    build(&out->first, &out->on, out, false, mem);
    build(&out->first_jump, &out->jump, out, true, mem);
}
