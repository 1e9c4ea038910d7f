#include "llvm/twin/twin_burst.h"

static LLVMValueRef twin_of(const struct trod_burst_code *b, LLVMValueRef value)
{
    return trod_bridge_twin_of(b->t.twins, value);
}

static void put_value(const struct trod_burst_code *b, LLVMValueRef value)
{
    LLVMBuildStore(b->t.builder, value, trod_twin_hand(&b->t, TROD_HAND_VALUE));
}

/* --- paths ------------------------------------------------------------------------------------- */

static void note_path(const void *ctx, LLVMValueRef at)
{
    const struct trod_burst_code *b = ctx;

    trod_burst_time_stop(b);
    trod_burst_time_count(b, at); /* before what else the runtime does is taken off */
    trod_burst_report(b, at, "__trod_burst_path");
}

static struct trod_emitter emitting(const struct trod_burst_code *b)
{
    return (struct trod_emitter){.mem = b->t.mem,
        .module = b->t.module,
        .builder = b->t.builder,
        .i64 = b->t.i64,
        .plan = b->plan,
        .data = b->paths,
        .records = true,
        .note = note_path,
        .note_ctx = b,
        .body = b->t.body,
        .r = b->sum};
}

static void put_path(
    const struct trod_burst_code *b, uint32_t site, LLVMValueRef before)
{
    struct trod_emitter m;

    if (!b->plan)
        return;
    m = emitting(b);
    trod_emit_site(&m, site, before);
}

/* Paths on an edge. One that ends where no iteration begins is followed by another without an event. */
static void put_path_on(
    const struct trod_burst_code *b, trod_edge e, LLVMValueRef before)
{
    uint32_t nend = *b->npath_end;

    put_path(b, e, before);
    if (*b->npath_end == nend || b->back[e])
        return;
    LLVMPositionBuilderBefore(b->t.builder, before);
    trod_burst_time_start(b);
}

/* A call that returns twice cuts the path, and a new one begins after it. The sum still belongs to
 * the old path, so it is set to the initial value of the new one. */
static void start_again(const struct trod_burst_code *b)
{
    const struct trod_graph *graph = &b->t.body->graph;

    for (trod_node v = 0; b->numbering && v < graph->nnode; v++) {
        trod_edge start = b->numbering->dag->start_of_node[v];
        int64_t sum = start == TROD_NONE ? 0 : b->numbering->val_of_edge[start];

        if (trod_graph_leave(graph, v) != TROD_RETURNS_AGAIN)
            continue;
        LLVMPositionBuilderBefore(b->t.builder, twin_of(b, b->terminator[v]));
        LLVMBuildStore(b->t.builder, trod_twin_number(&b->t, (uint64_t)sum), b->sum);
        trod_burst_time_start(b);
    }
}

/* --- loops ------------------------------------------------------------------------------------- */

static bool is_in(const struct trod_loops *loops, trod_node v, uint32_t loop)
{
    uint32_t l = loops->loop_of_node[v];

    while (l != TROD_NONE && l != loop)
        l = loops->parent_of_loop[l];
    return l == loop;
}

/* At the builder's position, on an edge that exits the loop. Reports the trip count; 0 means that
 * the slow copy did not see the first iteration. */
static void put_left(const struct trod_burst_code *b, uint32_t l)
{
    trod_burst_time_pause(b);
    put_value(b, LLVMBuildLoad2(b->t.builder, b->t.i64, b->iterations[l], ""));
    trod_burst_report(
        b, trod_burst_slot(b, b->events.iteration_of_loop[l] + 2), "__trod_burst_left");
    trod_burst_time_resume(b);
}

static void put_enter(const struct trod_burst_code *b, uint32_t l)
{
    LLVMBuildStore(b->t.builder, trod_twin_number(&b->t, 1), b->iterations[l]);
    trod_burst_time_pause(b);
    trod_burst_report(
        b, trod_burst_slot(b, b->events.iteration_of_loop[l] + 1), "__trod_burst_trip");
    trod_burst_time_resume(b);
}

static void put_iteration(const struct trod_burst_code *b, uint32_t l)
{
    LLVMBuilderRef builder = b->t.builder;
    LLVMValueRef zero = trod_twin_number(&b->t, 0);
    LLVMValueRef n = LLVMBuildLoad2(builder, b->t.i64, b->iterations[l], "");
    LLVMValueRef more = LLVMBuildZExt(
        builder, LLVMBuildICmp(builder, LLVMIntNE, n, zero, ""), b->t.i64, "");

    LLVMBuildStore(builder, LLVMBuildAdd(builder, n, more, ""), b->iterations[l]);
}

/* Irreducible loops have no trip counts: they can be entered elsewhere than at the header. */
static void put_trips(const struct trod_burst_code *b, trod_edge e, LLVMValueRef before)
{
    const struct trod_graph *graph = &b->t.body->graph;
    const struct trod_loops *loops = &b->t.places.view.loops;
    trod_node from = graph->src_of_edge[e], to = graph->dst_of_edge[e];

    LLVMPositionBuilderBefore(b->t.builder, before);
    for (uint32_t l = loops->loop_of_node[from]; l != TROD_NONE;
        l = loops->parent_of_loop[l])
        if (!is_in(loops, to, l) && !loops->irreducible_of_loop[l])
            put_left(b, l);
    for (uint32_t l = loops->loop_of_node[to]; l != TROD_NONE;
        l = loops->parent_of_loop[l]) {
        if (loops->header_of_loop[l] != to)
            continue;
        if (!is_in(loops, from, l))
            put_enter(b, l);
        else if (!loops->irreducible_of_loop[l])
            put_iteration(b, l);
    }
}

static bool changes_loop(const struct trod_burst_code *b, trod_edge e)
{
    const struct trod_graph *graph = &b->t.body->graph;
    const struct trod_loops *loops = &b->t.places.view.loops;
    trod_node from = graph->src_of_edge[e], to = graph->dst_of_edge[e];

    return b->iterations &&
           (b->back[e] || loops->loop_of_node[from] != loops->loop_of_node[to]);
}

/* --- edges --------------------------------------------------------------------------------------- */

static bool has_ops(const struct trod_burst_code *b, uint32_t site)
{
    return b->plan && b->plan->first_op[site] < b->plan->first_op[site + 1];
}

/* The insertion point on an edge of the slow copy. */
static LLVMValueRef place_on(const struct trod_burst_code *b, trod_edge e)
{
    const struct trod_body *body = b->t.body;
    LLVMValueRef term = b->terminator[body->graph.src_of_edge[e]];
    LLVMBasicBlockRef on;
    bool at_end;

    if (b->back[e])
        return LLVMGetBasicBlockTerminator(
            trod_bridge_twin_of_block(b->t.twins, b->back[e]));
    /* The target of an indirect branch has no other predecessors. */
    if (LLVMGetInstructionOpcode(term) == LLVMIndirectBr)
        return trod_bridge_first_insertion(trod_bridge_twin_of_block(
            b->t.twins, body->block[body->graph.dst_of_edge[e]]));
    on = trod_bridge_block_on_edge(
        twin_of(b, term), body->successor_of_edge[e], &at_end);
    return at_end ? LLVMGetBasicBlockTerminator(on) : trod_bridge_first_insertion(on);
}

static void put_edges(const struct trod_burst_code *b)
{
    const struct trod_graph *graph = &b->t.body->graph;

    for (trod_edge e = 0; e < graph->nedge; e++) {
        bool trips = changes_loop(b, e);
        LLVMValueRef before;

        if (!trips && !has_ops(b, e))
            continue;
        before = place_on(b, e);
        put_path_on(b, e, before);
        if (trips)
            put_trips(b, e, before);
    }
}

/* --- calls, loads and stores ------------------------------------------------------------------------ */

static void report_call(const struct trod_burst_code *b, uint32_t i)
{
    const struct trod_burst_call *of = &b->events.call[i];
    LLVMValueRef call = twin_of(b, of->call);

    if (!of->indirect) {
        trod_burst_report(b, trod_burst_slot(b, of->slot), "__trod_burst_call");
        return;
    }
    put_value(
        b, LLVMBuildPtrToInt(b->t.builder, LLVMGetCalledValue(call), b->t.i64, ""));
    LLVMBuildStore(b->t.builder,
        trod_twin_number(&b->t, i | (uint64_t)of->slot << TROD_RT_SLOT_AT),
        trod_twin_hand(&b->t, TROD_HAND_MOST));
    trod_burst_report(b, trod_burst_slot(b, of->slot), "__trod_burst_call_to");
}

/* Before a call that leaves the function, the path is still running. */
static void put_call(const struct trod_burst_code *b, uint32_t i)
{
    const struct trod_burst_call *of = &b->events.call[i];
    bool leaves = of->call == b->way_out[of->node] && !LLVMIsAInvokeInst(of->call);

    LLVMPositionBuilderBefore(b->t.builder, twin_of(b, of->call));
    if (leaves)
        trod_burst_time_pause(b);
    report_call(b, i);
    if (leaves)
        trod_burst_time_resume(b);
}

/* The address operand of the copy. */
static LLVMValueRef address_in(
    LLVMValueRef access, LLVMValueRef twin, LLVMValueRef address)
{
    for (int i = 0; i < LLVMGetNumOperands(access); i++)
        if (LLVMGetOperand(access, (unsigned)i) == address)
            return LLVMGetOperand(twin, (unsigned)i);
    return address;
}

static void put_ref(const struct trod_burst_code *b, uint32_t i)
{
    const struct trod_burst_ref *of = &b->events.ref[i];
    LLVMValueRef access = twin_of(b, of->access);
    LLVMValueRef address = address_in(of->access, access, of->address);

    LLVMPositionBuilderBefore(b->t.builder, access);
    trod_burst_time_pause(b);
    put_value(b, LLVMBuildPtrToInt(b->t.builder, address, b->t.i64, ""));
    trod_burst_report(b, trod_burst_slot(b, of->slot), "__trod_burst_ref");
    trod_burst_time_resume(b);
}

/* --- restoring own -------------------------------------------------------------------------- */

/* The calls of the slow copy that may run other code of the program. */
static size_t find_slow_calls(LLVMValueRef **out, const struct trod_burst_code *b)
{
    const struct trod_twin *t = &b->t;
    size_t n = 0, room = 0;

    *out = NULL;
    for (trod_node v = 0; v < t->body->graph.nnode; v++) {
        LLVMValueRef last = trod_bridge_last_call(t->body->block[v]);

        if (!t->places.calls[v])
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->body->block[v]); i;
            i = LLVMGetNextInstruction(i)) {
            if (!trod_bridge_may_run_code(i) || i == last)
                continue;
            trod_reserve(t->mem, *out, n, room);
            (*out)[n++] = twin_of(b, i);
        }
    }
    return n;
}

static void put_own(const struct trod_burst_code *b, LLVMValueRef *call, size_t ncall)
{
    const struct trod_body *body = b->t.body;

    for (trod_edge e = 0; e < body->graph.nedge; e++) {
        LLVMValueRef term = b->terminator[body->graph.src_of_edge[e]];

        if (LLVMGetInstructionOpcode(term) != LLVMInvoke ||
            !b->t.places.calls[body->graph.src_of_edge[e]] ||
            !trod_bridge_may_run_code(term))
            continue;
        LLVMPositionBuilderBefore(b->t.builder,
            trod_bridge_first_insertion(
                LLVMGetSuccessor(twin_of(b, term), body->successor_of_edge[e])));
        trod_twin_copy(&b->t, b->t.own, trod_twin_hand(&b->t, TROD_HAND_OWN));
    }
    for (size_t i = 0; i < ncall; i++)
        trod_twin_restore_own(&b->t, call[i]);
}

void trod_burst_probes(struct trod_burst_code *b)
{
    const struct trod_graph *graph = &b->t.body->graph;
    LLVMValueRef *call;
    size_t ncall = find_slow_calls(&call, b);

    b->keeps = ncall > 0;
    /* First of all: the insertion points below may be in the same place, as in a block with only a
     * terminator. */
    put_path(b, trod_site_in(graph),
        trod_bridge_first_insertion(
            trod_bridge_twin_of_block(b->t.twins, b->t.body->block[graph->entry])));
    start_again(b);
    trod_burst_time_calls(b);
    for (size_t i = 0; i < b->events.nref; i++)
        put_ref(b, (uint32_t)i);
    for (size_t i = 0; i < b->events.ncall; i++)
        put_call(b, (uint32_t)i);
    for (trod_node v = 0; v < graph->nnode; v++)
        if (has_ops(b, trod_site_out(graph, v)))
            put_path(b, trod_site_out(graph, v), twin_of(b, b->way_out[v]));
    put_edges(b);
    put_own(b, call, ncall);
}
