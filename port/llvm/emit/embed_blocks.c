#include "llvm/emit/embed.h"
#include "llvm/emit/counters.h"
#include "llvm/source/location.h"
#include "meaning/meaning.h"
#include "base/order.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* --- sets of blocks -------------------------------------------------------------------------------------------- */

/* Writes the section of a set, unless the set is empty. */
static void put_set(struct trod_sink *sink, enum trod_map_set set,
    const struct trod_body *body,
    bool (*has)(const struct trod_body *body, trod_node v, const void *ctx),
    const void *ctx)
{
    bool any = false;

    for (trod_node v = 0; v < body->graph.nnode; v++) {
        if (!has(body, v, ctx))
            continue;
        if (!any) {
            trod_put(sink, "%s ", trod_map_set_name(set));
            trod_put_name(sink, body->name);
        }
        any = true;
        trod_put(sink, " %u", v);
    }
    trod_put(sink, any ? "\n" : "");
}

/* The jump that a block consists of, if it has a debug location; otherwise NULL. */
static LLVMValueRef only_jump(const struct trod_body *body, trod_node v)
{
    LLVMValueRef first = LLVMGetFirstInstruction(body->block[v]);

    return LLVMIsABranchInst(first) && !LLVMIsConditional(first) &&
                   LLVMInstructionGetDebugLoc(first)
               ? first
               : NULL;
}

/* clang gives the end of a loop or of a condition the line of the preceding code. */
static bool is_jump(const struct trod_body *body, trod_node v, const void *ctx)
{
    (void)ctx;
    return only_jump(body, v);
}

/* Is the last instruction of a block, a jump or a return, the only one on its line? clang gives the jump at the end
 * of an `if` branch, and a return, the line of the closing brace: `} else if (x) {`.
 */
static bool ends_on_own_line(const struct trod_body *body, trod_node v, const void *ctx)
{
    LLVMMetadataRef file = trod_location_own_file(body->function);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(body->block[v]);
    unsigned line = trod_embed_line_of(last, file, false);

    (void)ctx;
    if (!line || (!LLVMIsAReturnInst(last) &&
                     (!LLVMIsABranchInst(last) || LLVMIsConditional(last))))
        return false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(body->block[v]); i != last;
        i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && trod_embed_line_of(i, file, false) == line)
            return false;
    return true;
}

/* The last call of a block that ends in `unreachable`; otherwise NULL. */
static LLVMValueRef last_call(const struct trod_body *body, trod_node v)
{
    LLVMValueRef i = LLVMGetBasicBlockTerminator(body->block[v]);

    if (!LLVMIsAUnreachableInst(i))
        return NULL;
    while (i && (!LLVMIsACallInst(i) || trod_meaning_is_noise(i)))
        i = LLVMGetPreviousInstruction(i);
    return i;
}

static bool throws(const struct trod_body *body, trod_node v, const void *ctx)
{
    LLVMValueRef call = last_call(body, v);

    (void)ctx;
    return call && (trod_meaning_calls(call, "__cxa_throw") ||
                       trod_meaning_calls(call, "__cxa_rethrow"));
}

static bool stops(const struct trod_body *body, trod_node v, const void *ctx)
{
    return last_call(body, v) && !throws(body, v, ctx);
}

static bool unwinds(const struct trod_body *body, trod_node v, const void *ctx)
{
    (void)ctx;
    return LLVMIsAResumeInst(LLVMGetBasicBlockTerminator(body->block[v]));
}

/* The debug location of an instruction, and the first block that has it. */
struct placed {
    LLVMMetadataRef at;
    trod_node first;
};

TROD_ORDER(by_place, struct placed, trod_compare((uintptr_t)a->at, (uintptr_t)b->at),
    TROD_UP(first))

static struct placed *find_places(
    size_t *n, const struct trod_body *body, struct trod_arena *mem)
{
    struct placed *out = NULL;
    size_t room = 0, kept = 0;

    *n = 0;
    for (trod_node v = 0; v < body->graph.nnode; v++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(body->block[v]); i;
            i = LLVMGetNextInstruction(i)) {
            LLVMMetadataRef at =
                trod_llvm_is_no_code(i) ? NULL : LLVMInstructionGetDebugLoc(i);

            if (!at || (*n && out[*n - 1].at == at))
                continue;
            trod_reserve(mem, out, *n, room);
            out[(*n)++] = (struct placed){at, v};
        }
    trod_sort(out, *n, by_place);
    for (size_t i = 0; i < *n; i++)
        if (!kept || out[kept - 1].at != out[i].at)
            out[kept++] = out[i];
    *n = kept;
    return out;
}

TROD_ORDER(
    by_place_alone, struct placed, trod_compare((uintptr_t)a->at, (uintptr_t)b->at))

/* The debug locations of all blocks. */
struct all_places {
    const struct placed *place; /* sorted */
    size_t n;
};

/* clang gives a block without source text, such as the end of a loop or a switch label, the location of what it
 * emitted before. So a jump with the line and column of an earlier block is not code of that line. A `break` or
 * `goto` has its own location.
 */
static bool is_borrowed(const struct trod_body *body, trod_node v, const void *ctx)
{
    const struct all_places *all = ctx;
    LLVMValueRef jump = only_jump(body, v);
    struct placed key = {jump ? LLVMInstructionGetDebugLoc(jump) : NULL, v};
    const struct placed *at =
        jump ? bsearch(&key, all->place, all->n, sizeof key, by_place_alone) : NULL;

    return at && at->first < v;
}

void trod_embed_put_sets(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct all_places all = {0};

    all.place = find_places(&all.n, body, mem);
    put_set(sink, TROD_MAP_JUMPS, body, is_jump, NULL);
    put_set(sink, TROD_MAP_TAILS, body, ends_on_own_line, NULL);
    put_set(sink, TROD_MAP_BORROWED, body, is_borrowed, &all);
    put_set(sink, TROD_MAP_THROWS, body, throws, NULL);
    put_set(sink, TROD_MAP_UNWINDS, body, unwinds, NULL);
    put_set(sink, TROD_MAP_STOPS, body, stops, NULL);
    trod_arena_rewind(mem, mark);
}

/* --- lines without code ------------------------------------------------------------------------------------------ */

static bool *find_line(const struct trod_conditions *of, bool *there, unsigned line)
{
    size_t at = TROD_LOWER_BOUND(i, 0, of->nline, of->line[i] < line);

    return at < of->nline && of->line[at] == line ? &there[at] : NULL;
}

/* Writes the lines for which the front end emitted code, but no block has any now. They may have run whenever the
 * function did. Other functions of the same text, such as other instances of a template, may still have them.
 */
void trod_embed_put_gone(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem)
{
    const struct trod_conditions *of = trod_llvm_conditions_of(body->function);
    LLVMMetadataRef file = trod_location_own_file(body->function);
    struct trod_mark mark = trod_arena_mark(mem);
    bool any = false, *there;

    if (!of || of->taken)
        return;
    there = trod_new(mem, bool, of->nline);
    for (trod_node v = 0; v < body->graph.nnode; v++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(body->block[v]); i;
            i = LLVMGetNextInstruction(i)) {
            bool *own = find_line(of, there, trod_embed_line_of(i, file, false));
            bool *condition =
                find_line(of, there, trod_embed_condition_line(of, i, file));

            if (own)
                *own |= !trod_llvm_is_no_code(i);
            if (condition)
                *condition = true;
        }
    for (uint32_t i = 0; i < of->nline; i++) {
        if (there[i])
            continue;
        if (!any) {
            trod_put(sink, "merged ");
            trod_put_name(sink, body->name);
        }
        any = true;
        trod_put(sink, " %u %u", body->graph.entry, of->line[i]);
    }
    trod_put(sink, any ? "\n" : "");
    trod_arena_rewind(mem, mark);
}

/* --- loops ---------------------------------------------------------------------------------------------------- */

/* The line of the loop statement, according to the back edges to its header; 0: unknown, or in included text. */
static uint32_t loop_line(
    const struct trod_body *body, const struct trod_order *order, trod_node v)
{
    const struct trod_graph *g = &body->graph;
    LLVMMetadataRef own = trod_location_own_file(body->function);

    for (uint32_t k = g->first_in[v]; k < g->first_in[v + 1]; k++) {
        LLVMBasicBlockRef from = body->block[g->src_of_edge[g->in_edge[k]]];
        LLVMMetadataRef at = trod_bridge_loop_place(LLVMGetBasicBlockTerminator(from));

        if (at && trod_has(order->retreating, g->in_edge[k]) &&
            trod_location_is_same_file(trod_location_file(at), own))
            return LLVMDILocationGetLine(at);
    }
    return 0;
}

void trod_embed_put_loops(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_order order;
    bool any = false;

    trod_graph_order(&order, &body->graph, mem);

    for (trod_node v = 0; v < body->graph.nnode; v++) {
        uint32_t line = loop_line(body, &order, v);

        if (!line)
            continue;
        if (!any) {
            trod_put(sink, "loops ");
            trod_put_name(sink, body->name);
        }
        any = true;
        trod_put(sink, " %u %u", v, line);
    }
    trod_put(sink, any ? "\n" : "");
    trod_arena_rewind(mem, mark);
}
