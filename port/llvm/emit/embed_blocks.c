#include "llvm/emit/embed.h"
#include "llvm/emit/counters.h"
#include "llvm/source/location.h"
#include "llvm/meaning/meaning.h"
#include "base/order.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* --- jumps ---------------------------------------------------------------------------------------------------- */

/* Blocks that do nothing but go to another: clang puts where a loop or a condition ends to the line of what was last before. */
void trod_embed_put_jumps(struct trod_sink *sink, const struct trod_body *body)
{
    bool any = false;

    for (trod_node v = 0; v < body->graph.nnode; v++) {
        LLVMValueRef first = LLVMGetFirstInstruction(body->block[v]);

        if (!LLVMIsABranchInst(first) || LLVMIsConditional(first) ||
            !LLVMInstructionGetDebugLoc(first))
            continue;
        if (!any) {
            trod_put(sink, "jumps ");
            trod_put_name(sink, body->name);
        }
        any = true;
        trod_put(sink, " %u", v);
    }
    trod_put(sink, any ? "\n" : "");
}

/* Is the line of a block's last instruction, a jump or a return, on no other instruction of it? */
static bool ends_on_own_line(const struct trod_body *body, trod_node v)
{
    LLVMMetadataRef file = trod_location_own_file(body->function);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(body->block[v]);
    unsigned line = trod_embed_line_of(last, file, false);

    if (!line || (!LLVMIsAReturnInst(last) &&
                     (!LLVMIsABranchInst(last) || LLVMIsConditional(last))))
        return false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(body->block[v]); i != last;
        i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && trod_embed_line_of(i, file, false) == line)
            return false;
    return true;
}

/* clang puts the jump from the end of a branch past its `else`, and a return, to the closing brace: `} else if (x) {`. */
void trod_embed_put_tails(struct trod_sink *sink, const struct trod_body *body)
{
    bool any = false;

    for (trod_node v = 0; v < body->graph.nnode; v++) {
        if (!ends_on_own_line(body, v))
            continue;
        if (!any) {
            trod_put(sink, "tails ");
            trod_put_name(sink, body->name);
        }
        any = true;
        trod_put(sink, " %u", v);
    }
    trod_put(sink, any ? "\n" : "");
}

/* The places of all instructions, each with the first block that has it. */
struct placed {
    LLVMMetadataRef at;
    trod_node first;
};

static int by_place(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;

    if (a->at != b->at)
        return (uintptr_t)a->at < (uintptr_t)b->at ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

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

/* clang emits a block that nothing is written for, such as the end of a loop or a label of a switch, with the place of what it
 * emitted before: a jump with line and column of a block before it is no code of that line. What is written, `break` or `goto`,
 * has a place of its own.
 */
void trod_embed_put_borrowed(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    size_t n;
    struct placed *places = find_places(&n, body, mem);
    bool any = false;

    for (trod_node v = 0; v < body->graph.nnode; v++) {
        LLVMValueRef first = LLVMGetFirstInstruction(body->block[v]);
        struct placed key = {LLVMInstructionGetDebugLoc(first), v};
        const struct placed *at = NULL;

        if (key.at && LLVMIsABranchInst(first) && !LLVMIsConditional(first))
            at = bsearch(&key, places, n, sizeof key, by_place_alone);
        if (!at || at->first >= v)
            continue;
        if (!any) {
            trod_put(sink, "borrowed ");
            trod_put_name(sink, body->name);
        }
        any = true;
        trod_put(sink, " %u", v);
    }
    trod_put(sink, any ? "\n" : "");
    trod_arena_rewind(mem, mark);
}

/* --- lines that are gone --------------------------------------------------------------------------------------- */

static bool *find_line(const struct trod_conditions *of, bool *there, unsigned line)
{
    uint32_t low = 0, high = of->nline;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (of->line[mid] < line)
            low = mid + 1;
        else
            high = mid;
    }
    return low < of->nline && of->line[low] == line ? &there[low] : NULL;
}

/* Lines that the front end made code of, and that no block has any more: they may have run whenever the function did. Other
 * functions that are made of the same text, such as those of a template, may still have them.
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

/* The line of the loop statement that begins with a block, as whoever goes back there says; 0: not known, or in included text. */
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
