#include "llvm/burst.h"

/* --- events ---------------------------------------------------------------------------------- */

LLVMValueRef trod_burst_slot(const struct trod_burst_code *b, uint32_t slot)
{
    LLVMValueRef index = trod_twin_number(&b->t, slot);

    return LLVMConstGEP2(b->t.i64, b->events_data.table, &index, 1);
}

/* Ask the runtime, which counts the event, what the stretch that begins is for. */
static void ask(const struct trod_burst_code *b, trod_node v, uint32_t slot,
    uint32_t distance, LLVMBasicBlockRef fast, LLVMBasicBlockRef slow)
{
    const struct trod_twin *t = &b->t;
    LLVMValueRef own;

    LLVMBuildStore(t->builder,
        trod_twin_number(
            t, trod_twin_word(t, v) | (uint64_t)distance << TROD_RT_WORD_AT),
        trod_twin_hand(t, TROD_HAND_MOST));
    trod_twin_report(t, trod_burst_slot(b, slot), "__trod_burst_pass");
    own = LLVMBuildLoad2(
        t->builder, t->i64, trod_twin_hand(t, TROD_HAND_OWN), "trod.own");
    LLVMBuildCondBr(t->builder,
        LLVMBuildICmp(t->builder, LLVMIntEQ, own, trod_twin_number(t, 0), ""), fast,
        slow);
}

/* Is it time? */
static LLVMValueRef look(const struct trod_burst_code *b, trod_node v)
{
    const struct trod_twin *t = &b->t;
    bool cached = t->places.loop_of[v] != TROD_NONE;
    LLVMValueRef from, left;

    if (b->flag) {
        LLVMTypeRef i8 = LLVMInt8TypeInContext(t->context);
        LLVMValueRef flag = LLVMGetNamedGlobal(t->module, "__trod_burst_flag");

        if (!flag) {
            flag = LLVMAddGlobal(t->module, i8, "__trod_burst_flag");
            LLVMSetVisibility(flag, LLVMHiddenVisibility);
        }
        flag = LLVMBuildLoad2(t->builder, i8, flag, "trod.flag");
        LLVMSetVolatile(flag, true);
        return LLVMBuildICmp(t->builder, LLVMIntNE, flag, LLVMConstInt(i8, 0, 0), "");
    }
    from = cached ? t->cached : trod_twin_skip(t, v);
    left =
        LLVMBuildSub(t->builder, LLVMBuildLoad2(t->builder, t->i64, from, "trod.skip"),
            trod_twin_number(t, 1), "trod.skip");
    LLVMBuildStore(t->builder, left, from);
    return LLVMBuildICmp(
        t->builder, LLVMIntSLT, left, trod_twin_number(t, 0), "trod.below");
}

/* --- ways between the copies ------------------------------------------------------------------ */

static bool is_cached(const struct trod_burst_code *b, trod_node v)
{
    return !b->flag && b->t.places.loop_of[v] != TROD_NONE;
}

static void open_gate(struct trod_burst_code *b)
{
    const struct trod_twin *t = &b->t;
    LLVMBasicBlockRef nowhere = trod_twin_add_block(t, "trod.nowhere");

    b->to_gate = trod_twin_add_block(t, "trod.to");
    b->gate = trod_twin_add_block(t, "trod.gate");
    LLVMPositionBuilderAtEnd(t->builder, b->to_gate);
    b->way = LLVMBuildPhi(t->builder, t->i64, "trod.way");
    LLVMBuildBr(t->builder, b->gate);
    LLVMPositionBuilderAtEnd(t->builder, b->gate);
    b->gate_end = LLVMBuildSwitch(t->builder, b->way, nowhere, 8);
    LLVMPositionBuilderAtEnd(t->builder, nowhere);
    LLVMBuildUnreachable(t->builder);
}

/* Where the builder stands, in the fast copy: go over, to a block of the slow copy in which it then
 * stands. The runtime is told that the event is one of the fast copy.
 */
static void go_over(const struct trod_burst_code *b, trod_node v)
{
    const struct trod_twin *t = &b->t;
    LLVMValueRef way = trod_twin_number(t, LLVMCountIncoming(b->way));
    LLVMBasicBlockRef from = LLVMGetInsertBlock(t->builder);
    LLVMBasicBlockRef to = trod_twin_add_block(t, "trod.come");

    if (is_cached(b, v))
        trod_twin_spill(t, v);
    LLVMBuildBr(t->builder, b->to_gate);
    LLVMAddIncoming(b->way, &way, &from, 1);
    LLVMAddCase(b->gate_end, way, to);
    LLVMPositionBuilderAtEnd(t->builder, to);
    LLVMBuildStore(t->builder, trod_twin_number(t, TROD_RT_FAST),
        trod_twin_hand(t, TROD_HAND_OWN));
}

/* A block on the way to one of the fast copy. */
static LLVMBasicBlockRef land(
    struct trod_burst_code *b, trod_node v, LLVMBasicBlockRef at)
{
    const struct trod_twin *t = &b->t;
    LLVMBasicBlockRef block = trod_twin_add_block(t, "trod.land");

    trod_reserve(t->mem, b->landing, b->nlanding, b->room_landing);
    b->landing[b->nlanding++] = block;
    LLVMPositionBuilderAtEnd(t->builder, block);
    if (is_cached(b, v))
        trod_twin_fill(t, v);
    LLVMBuildBr(t->builder, at);
    return block;
}

static void put_entry(struct trod_burst_code *b)
{
    const struct trod_twin *t = &b->t;
    trod_node v = t->body->graph.entry;
    LLVMBasicBlockRef fast = trod_twin_open_end(t, t->first[v]), slow, over, landing;
    LLVMValueRef time = look(b, v);

    over = trod_twin_add_block(t, "trod.over");
    trod_bridge_mark_unlikely(LLVMBuildCondBr(t->builder, time, over, fast));
    slow = trod_twin_open_end(t, trod_bridge_first_insertion(trod_bridge_twin_of_block(
                                     t->twins, t->body->block[v])));
    LLVMBuildUnreachable(t->builder);
    landing = land(b, v, fast);
    LLVMPositionBuilderAtEnd(t->builder, over);
    go_over(b, v);
    ask(b, v, b->events.entry, 0, landing, slow);
}

/* A visit of which the slow copy did not see the beginning. */
static void forget_rounds(const struct trod_burst_code *b, trod_node header)
{
    const struct trod_loops *loops = &b->t.places.view.loops;

    if (!b->rounds)
        return;
    for (uint32_t l = loops->loop_of_node[header]; l != TROD_NONE;
        l = loops->parent_of_loop[l])
        LLVMBuildStore(b->t.builder, trod_twin_number(&b->t, 0), b->rounds[l]);
}

/* The sum of a path that begins at a header. */
static void start_path(const struct trod_burst_code *b, trod_node header)
{
    const struct trod_dag *dag;

    if (!b->numbering)
        return;
    dag = b->numbering->dag;
    LLVMBuildStore(b->t.builder,
        trod_twin_number(
            &b->t, (uint64_t)b->numbering->val_of_edge[dag->start_of_node[header]]),
        b->sum);
}

/* What the header gets from the landing is what it gets from the back edge; see frame.c. */
static void add_ways(
    LLVMBasicBlockRef header, LLVMBasicBlockRef fast, LLVMBasicBlockRef land)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); phi && LLVMIsAPHINode(phi);
        phi = LLVMGetNextInstruction(phi))
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (LLVMGetIncomingBlock(phi, i) == fast) {
                LLVMValueRef value = LLVMGetIncomingValue(phi, i);

                LLVMAddIncoming(phi, &value, &land, 1);
                break;
            }
}

/* Of the loop that a header heads. */
static uint32_t loop_at(const struct trod_burst_code *b, trod_node header)
{
    const struct trod_loops *loops = &b->t.places.view.loops;
    uint32_t l = loops->loop_of_node[header];

    while (l != TROD_NONE && loops->header_of_loop[l] != header)
        l = loops->parent_of_loop[l];
    return l;
}

static void put_back(struct trod_burst_code *b, trod_edge e)
{
    const struct trod_twin *t = &b->t;
    trod_node v = t->body->graph.dst_of_edge[e];
    uint32_t l = loop_at(b, v), slot = b->events.back, distance = 0;
    LLVMBasicBlockRef fast = b->back[e], event, header, slow_header;
    struct trod_burst_way *way = &b->way_of_edge[e];
    LLVMValueRef last = LLVMGetBasicBlockTerminator(fast), time;
    LLVMValueRef last_slow =
        LLVMGetBasicBlockTerminator(trod_bridge_twin_of_block(t->twins, fast));

    if (b->events.round_of_loop && l != TROD_NONE) {
        slot = b->events.round_of_loop[l];
        distance = slot - b->events.back;
    }
    header = LLVMGetSuccessor(last, 0);
    slow_header = LLVMGetSuccessor(last_slow, 0);
    LLVMPositionBuilderBefore(t->builder, last);
    time = look(b, v);
    way->over = trod_twin_add_block(t, "trod.over");
    trod_bridge_mark_unlikely(LLVMBuildCondBr(t->builder, time, way->over, header));
    LLVMInstructionEraseFromParent(last);
    event = trod_bridge_split_before(last_slow);
    way->land = land(b, v, header);
    way->leave = trod_twin_add_block(t, "trod.leave");
    LLVMPositionBuilderAtEnd(t->builder, way->leave);
    LLVMBuildBr(t->builder, way->land);
    add_ways(header, fast, way->land);
    LLVMPositionBuilderBefore(t->builder, last_slow);
    ask(b, v, slot, distance, way->leave, slow_header);
    LLVMInstructionEraseFromParent(last_slow);
    LLVMPositionBuilderAtEnd(t->builder, way->over);
    go_over(b, v);
    way->come = LLVMGetInsertBlock(t->builder);
    forget_rounds(b, v);
    start_path(b, v);
    LLVMBuildBr(t->builder, event);
}

/* --- all of it ------------------------------------------------------------------------------- */

/* Each back edge gets a block of its own, with a branch and nothing else. */
static void split_back_edges(struct trod_burst_code *b)
{
    const struct trod_body *body = b->t.body;

    b->back = trod_new(b->t.mem, LLVMBasicBlockRef, body->graph.nedge);
    for (trod_edge e = 0; e < body->graph.nedge; e++) {
        LLVMBasicBlockRef on;
        bool at_end;

        if (!trod_has(b->t.places.view.order.retreating, e))
            continue;
        on = trod_bridge_block_on_edge(b->terminator[body->graph.src_of_edge[e]],
            body->successor_of_edge[e], &at_end);
        b->back[e] =
            at_end ? trod_bridge_split_before(LLVMGetBasicBlockTerminator(on)) : on;
    }
}

/* So that something can be done behind each. */
static void split_invokes(const struct trod_burst_code *b)
{
    const struct trod_body *body = b->t.body;

    for (trod_edge e = 0; e < body->graph.nedge; e++) {
        LLVMValueRef term = b->terminator[body->graph.src_of_edge[e]];
        bool at_end;

        if (LLVMGetInstructionOpcode(term) == LLVMInvoke)
            trod_bridge_block_on_edge(term, body->successor_of_edge[e], &at_end);
    }
}

static void find_first(struct trod_twin *t)
{
    uint32_t nnode = t->body->graph.nnode;

    t->first = trod_new(t->mem, LLVMValueRef, nnode);
    for (trod_node v = 0; v < nnode; v++)
        t->first[v] = trod_bridge_first_insertion(t->body->block[v]);
}

static void find_ends(struct trod_burst_code *b)
{
    const struct trod_body *body = b->t.body;

    b->terminator = trod_new(b->t.mem, LLVMValueRef, body->graph.nnode);
    b->way_out = trod_new(b->t.mem, LLVMValueRef, body->graph.nnode);
    for (trod_node v = 0; v < body->graph.nnode; v++) {
        b->terminator[v] = LLVMGetBasicBlockTerminator(body->block[v]);
        b->way_out[v] = trod_llvm_way_out(body->block[v]);
    }
}

static LLVMValueRef add_slow_variable(const struct trod_burst_code *b, const char *name)
{
    LLVMPositionBuilderBefore(b->t.builder, b->gate_end);
    return LLVMBuildAlloca(b->t.builder, b->t.i64, name);
}

/* Those of the slow copy do not outlive it. */
static void add_variables(struct trod_burst_code *b)
{
    const struct trod_loops *loops = &b->t.places.view.loops;

    b->t.own = add_slow_variable(b, "trod.own");
    b->t.cached = trod_twin_add_variable(&b->t, "trod.cached");
    if (b->numbering)
        b->sum = add_slow_variable(b, "trod.sum");
    if (!b->events.round_of_loop)
        return;
    b->rounds = trod_new(b->t.mem, LLVMValueRef, loops->nloop);
    for (uint32_t l = 0; l < loops->nloop; l++)
        b->rounds[l] = add_slow_variable(b, "trod.rounds");
}

static void put_all(struct trod_burst_code *b)
{
    const struct trod_graph *graph = &b->t.body->graph;

    if (!b->flag)
        trod_twin_cache_loops(&b->t);
    trod_burst_probes(b);
    for (trod_edge e = 0; e < graph->nedge; e++)
        if (b->back[e])
            put_back(b, e);
    put_entry(b);
}

/* Where it stays, LLVM must know that there are calls, which it does not see, and variables be where
 * it looks for them.
 */
static void move_slow(const struct trod_burst_code *b)
{
    LLVMValueRef function = b->t.body->function;
    bool had = trod_bridge_has_red_zone(function, false);

    if (trod_bridge_outline(b->gate, b->landing, (unsigned)b->nlanding,
            trod_twin_hand(&b->t, TROD_HAND_VALUE)))
        trod_bridge_has_red_zone(function, had);
    else
        trod_bridge_hoist_variables(b->gate);
}

void trod_llvm_burst(
    struct trod_body *body, const struct trod_burst_want *want, struct trod_arena *mem)
{
    struct trod_burst_code b = {.types = want->types,
        .flag = want->flag,
        .plan = want->plan,
        .numbering = want->plan ? want->plan->numbering : NULL};

    trod_twin_open(&b.t, body, mem);
    b.t.name = want->record->name;
    b.t.one = want->one;
    b.events = *want->events;
    if (want->plan)
        trod_llvm_add_data(&b.paths, body, NULL, want->record, mem);
    trod_llvm_add_events(
        &b.events_data, body, b.events.id, b.events.nslot, want->record, mem);
    body->block[body->graph.entry] = trod_bridge_split_allocas(body->function);
    trod_twin_loops(&b.t.places, body, mem);
    find_ends(&b);
    split_back_edges(&b);
    split_invokes(&b);
    trod_burst_find_live(&b);
    b.t.twins = trod_bridge_make_twins(body->function, true);
    open_gate(&b);
    add_variables(&b);
    find_first(&b.t);
    put_all(&b);
    trod_burst_put_frame(&b);
    trod_twin_close(&b.t, false);
    move_slow(&b);
}
