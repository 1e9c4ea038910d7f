#include "llvm/port.h"

#include <string.h>

/* The number of a block. */
static trod_node number_of(const struct trod_keys *numbers, LLVMBasicBlockRef block)
{
    return (trod_node)*trod_keys_find(numbers, (uintptr_t)block);
}

static void number_blocks(struct trod_keys *out, const struct trod_body *body,
    uint32_t n, struct trod_arena *mem)
{
    bool is_new;

    for (trod_node v = 0; v < n; v++)
        *trod_keys_add(out, (uintptr_t)body->block[v], &is_new, mem) = v;
}

static const uint8_t *leaves(
    const struct trod_body *body, uint32_t nnode, struct trod_arena *mem)
{
    uint8_t *leave = trod_new(mem, uint8_t, nnode);
    bool any = false;

    for (trod_node v = 0; v < nnode; v++) {
        if (trod_bridge_returns_twice(body->block[v]))
            leave[v] = TROD_RETURNS_AGAIN;
        else if (trod_llvm_may_leave(body->block[v], trod_llvm_way_out(body->block[v])))
            leave[v] = TROD_MAY_LEAVE;
        any |= leave[v] != TROD_STAYS;
    }
    return any ? leave : NULL;
}

/* --- calls ----------------------------------------------------------------------------- */

static const char *name_of(LLVMValueRef call)
{
    LLVMValueRef callee = trod_bridge_called_function(call);
    size_t length;

    return callee ? LLVMGetValueName2(callee, &length) : NULL;
}

/* The name of what ends the function in this block other than a return: a call that does not
 * return, a resumed exception, or a trap. NULL: the block continues, or returns.
 */
static const char *name_of_end(LLVMBasicBlockRef block)
{
    LLVMValueRef call;

    switch (LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(block))) {
    case LLVMResume:
        return "_Unwind_Resume";
    case LLVMUnreachable:
        call = trod_bridge_noreturn_call(block);
        return !call ? "trap" : name_of(call) ? name_of(call) : "*";
    default:
        return NULL;
    }
}

static void find_calls(struct trod_body *out, uint32_t nnode, struct trod_arena *mem)
{
    struct trod_call *call = trod_new(mem, struct trod_call, 2 * (size_t)nnode);
    uint32_t n = 0;

    out->call_of_node = trod_new(mem, LLVMValueRef, nnode);
    for (trod_node v = 0; v < nnode; v++) {
        LLVMValueRef first = trod_bridge_entering_call(out->block[v]);
        const char *end = name_of_end(out->block[v]);

        out->call_of_node[v] = first;
        if (first)
            call[n++] = (struct trod_call){v, name_of(first), false};
        if (end)
            call[n++] = (struct trod_call){v, strcmp(end, "*") == 0 ? NULL : end, true};
    }
    out->calls = (struct trod_calls){n, call};
}

static void hide(
    struct trod_body *out, trod_node v, uint32_t nnode, struct trod_arena *mem)
{
    if (!out->hidden)
        out->hidden = trod_new(mem, bool, nnode);
    out->hidden[v] = true;
}

void trod_llvm_graph(struct trod_body *out, LLVMValueRef function, bool steps,
    enum trod_bridge_last last, struct trod_arena *mem)
{
    struct trod_graph_builder builder;
    struct trod_keys numbers = {0};
    size_t length;
    unsigned room = 0;

    *out = (struct trod_body){.function = function};
    out->name = LLVMGetValueName2(function, &length);
    trod_bridge_prepare(function, last);
    if (steps)
        trod_bridge_isolate_calls(function);
    trod_graph_builder_init(&builder, out->name, mem);
    builder.nnode = LLVMCountBasicBlocks(function);
    out->block = trod_new(mem, LLVMBasicBlockRef, builder.nnode);
    LLVMGetBasicBlocks(function, out->block);
    number_blocks(&numbers, out, builder.nnode, mem);
    builder.leave_of_node = leaves(out, builder.nnode, mem);
    if (steps)
        find_calls(out, builder.nnode, mem);
    for (trod_node v = 0; v < builder.nnode; v++) {
        LLVMValueRef term = LLVMGetBasicBlockTerminator(out->block[v]);
        unsigned n = LLVMGetNumSuccessors(term);
        LLVMBasicBlockRef between[TROD_BRIDGE_BETWEEN];
        unsigned nbetween;
        LLVMBasicBlockRef past = trod_bridge_past_branch(between, &nbetween, term);

        for (unsigned i = 0; i < nbetween; i++)
            hide(out, number_of(&numbers, between[i]), builder.nnode, mem);
        for (unsigned i = 0; i < (past ? 1 : n); i++) {
            LLVMBasicBlockRef to = past ? past : LLVMGetSuccessor(term, i);

            if (!past && !trod_bridge_has_block_on_edge(term, i))
                out->why_not = "an indirect branch shares its target";
            trod_reserve(mem, out->successor_of_edge, builder.narc, room);
            out->successor_of_edge[builder.narc] = past ? TROD_EVERY_WAY : i;
            trod_graph_builder_add(&builder, v, number_of(&numbers, to));
            builder.arc[builder.narc - 1].cut =
                (steps && trod_bridge_entering_call(to)) || trod_bridge_gives_away(to);
        }
    }
    /* Blocks are added in order, so arc numbers are edge numbers. */
    trod_graph_build(&out->graph, &builder);
}
