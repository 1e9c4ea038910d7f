#include "llvm/twin/twin_burst.h"

/* --- events ---------------------------------------------------------------------------------- */

LLVMValueRef trod_burst_slot(const struct trod_burst_code *b, uint32_t slot)
{
    LLVMValueRef index = trod_twin_number(&b->t, slot);

    return LLVMConstGEP2(b->t.i64, b->events_data.table, &index, 1);
}

/* An event: asks the runtime, which counts it, which profiles the next stretch is for. */
static void put_event(
    const struct trod_burst_code *b, trod_node v, uint32_t slot, uint32_t distance)
{
    const struct trod_twin *t = &b->t;

    LLVMBuildStore(t->builder,
        trod_twin_number(
            t, trod_twin_word(t, v) | (uint64_t)distance << TROD_RT_WORD_AT),
        trod_twin_hand(t, TROD_HAND_MOST));
    trod_burst_report(b, trod_burst_slot(b, slot), "__trod_burst_pass");
}

/* The same, and branches to a copy. */
static void ask(const struct trod_burst_code *b, trod_node v, uint32_t slot,
    uint32_t distance, LLVMBasicBlockRef fast, LLVMBasicBlockRef slow)
{
    const struct trod_twin *t = &b->t;
    LLVMValueRef own;

    put_event(b, v, slot, distance);
    own = LLVMBuildLoad2(
        t->builder, t->i64, trod_twin_hand(t, TROD_HAND_OWN), "trod.own");
    if (b->keeps)
        LLVMBuildStore(t->builder, own, t->own);
    LLVMBuildCondBr(t->builder,
        LLVMBuildICmp(t->builder, LLVMIntEQ, own, trod_twin_number(t, 0), ""), fast,
        slow);
}

/* Is skip kept in a register there? */
static bool is_cached(const struct trod_burst_code *b, trod_node v)
{
    return !b->flag && b->t.places.loop_of[v] != TROD_NONE;
}

static LLVMValueRef is_flag_set(const struct trod_twin *t)
{
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

/* The condition that a burst begins. */
static LLVMValueRef look(const struct trod_burst_code *b, trod_node v)
{
    const struct trod_twin *t = &b->t;
    LLVMValueRef from, left;

    if (b->flag)
        return is_flag_set(t);
    from = is_cached(b, v) ? t->cached : trod_twin_skip(t, v);
    left =
        LLVMBuildSub(t->builder, LLVMBuildLoad2(t->builder, t->i64, from, "trod.skip"),
            trod_twin_number(t, 1), "trod.skip");
    LLVMBuildStore(t->builder, left, from);
    return LLVMBuildICmp(
        t->builder, LLVMIntSLT, left, trod_twin_number(t, 0), "trod.below");
}

/* --- transitions between the copies ----------------------------------------------------------- */

/* At the builder's position: branches to `over` if a burst begins, otherwise to `on`. */
static void put_look(const struct trod_burst_code *b, trod_node v,
    LLVMBasicBlockRef over, LLVMBasicBlockRef on)
{
    trod_bridge_mark_unlikely(LLVMBuildCondBr(b->t.builder, look(b, v), over, on));
}

/* Before a transition to the slow copy: marks the event as one of the fast copy. */
static void come_over(const struct trod_burst_code *b, trod_node v)
{
    const struct trod_twin *t = &b->t;

    if (is_cached(b, v))
        trod_twin_spill(t, v);
    trod_twin_set_fast(t);
}

/* Adds a block through which the slow copy enters block `at` of the fast copy. */
static LLVMBasicBlockRef land(
    const struct trod_burst_code *b, trod_node v, LLVMBasicBlockRef at)
{
    const struct trod_twin *t = &b->t;
    LLVMBasicBlockRef block = trod_twin_add_block(t, "trod.land");

    LLVMPositionBuilderAtEnd(t->builder, block);
    if (is_cached(b, v))
        trod_twin_fill(t, v);
    LLVMBuildBr(t->builder, at);
    return block;
}

/* Splits a block of the slow copy after its PHIs. */
static LLVMBasicBlockRef split_slow(const struct trod_burst_code *b, trod_node v)
{
    return trod_bridge_split_before(trod_bridge_first_insertion(
        trod_bridge_twin_of_block(b->t.twins, b->t.body->block[v])));
}

/* The slow copy runs to its end, also if nothing is on: that is rare. */
static void put_entry_apart(const struct trod_burst_code *b)
{
    const struct trod_twin *t = &b->t;
    trod_node v = t->body->graph.entry;
    LLVMBasicBlockRef over = trod_twin_add_block(t, "trod.over");
    LLVMBasicBlockRef fast =
        trod_twin_open_end(t, trod_bridge_first_insertion(t->body->block[v]));

    put_look(b, v, over, fast);
    trod_bridge_go_on(over, t->slow);
    LLVMPositionBuilderBefore(t->builder, trod_twin_slow_start(t));
    trod_twin_set_fast(t);
    put_event(b, v, b->events.entry, 0);
    if (b->keeps)
        trod_twin_copy(t, trod_twin_hand(t, TROD_HAND_OWN), t->own);
    trod_burst_time_start(b);
}

static void put_entry(const struct trod_burst_code *b)
{
    const struct trod_twin *t = &b->t;
    trod_node v = t->body->graph.entry;
    LLVMBasicBlockRef over = trod_twin_add_block(t, "trod.over");
    /* The check comes before a loop's skip is loaded into a register, because the runtime may
     * change skip. */
    LLVMBasicBlockRef fast = trod_twin_open_end(
                          t, trod_bridge_first_insertion(t->body->block[v])),
                      slow;

    put_look(b, v, over, fast);
    slow = split_slow(b, v);
    LLVMPositionBuilderBefore(t->builder, trod_bridge_first_insertion(slow));
    trod_burst_time_start(b);
    LLVMPositionBuilderAtEnd(t->builder, over);
    come_over(b, v);
    ask(b, v, b->events.entry, 0, fast, slow);
}

/* Clears the trip counts of all loops around a header: the slow copy did not see their first iterations. */
static void forget_rounds(const struct trod_burst_code *b, trod_node header)
{
    const struct trod_loops *loops = &b->t.places.view.loops;

    if (!b->iterations)
        return;
    for (uint32_t l = loops->loop_of_node[header]; l != TROD_NONE;
        l = loops->parent_of_loop[l])
        LLVMBuildStore(b->t.builder, trod_twin_number(&b->t, 0), b->iterations[l]);
}

/* Sets the sum of a path that begins at a header to its initial value. */
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

/* Adds the incoming block `also` to the PHIs of a header. Its values are the copies of those from
 * block `fast`. */
static void add_ways(const struct trod_burst_code *b, LLVMBasicBlockRef header,
    LLVMBasicBlockRef fast, LLVMBasicBlockRef also)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); phi && LLVMIsAPHINode(phi);
        phi = LLVMGetNextInstruction(phi))
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (LLVMGetIncomingBlock(phi, i) == fast) {
                LLVMValueRef twin =
                    trod_bridge_twin_of(b->t.twins, LLVMGetIncomingValue(phi, i));

                LLVMAddIncoming(phi, &twin, &also, 1);
                break;
            }
}

/* The loop with this header. */
static uint32_t loop_at(const struct trod_burst_code *b, trod_node header)
{
    const struct trod_loops *loops = &b->t.places.view.loops;
    uint32_t l = loops->loop_of_node[header];

    while (l != TROD_NONE && loops->header_of_loop[l] != header)
        l = loops->parent_of_loop[l];
    return l;
}

/* The slot that counts a loop's iterations, and its distance from the slot of all back edges. */
static uint32_t iteration_slot(
    const struct trod_burst_code *b, trod_node header, uint32_t *distance)
{
    uint32_t l = loop_at(b, header), slot = b->events.back;

    if (b->events.iteration_of_loop && l != TROD_NONE)
        slot = b->events.iteration_of_loop[l];
    *distance = slot - b->events.back;
    return slot;
}

/* Splits a block before its branch to a header, for what is done only if the path goes on in the slow copy. *event is
 * the branch of the first part. */
static LLVMBasicBlockRef put_start(
    const struct trod_burst_code *b, LLVMValueRef last, LLVMValueRef *event)
{
    LLVMBasicBlockRef first = LLVMGetInstructionParent(last);
    LLVMBasicBlockRef block = trod_bridge_split_before(last);

    LLVMPositionBuilderBefore(b->t.builder, last);
    trod_burst_time_start(b);
    *event = LLVMGetBasicBlockTerminator(first);
    return block;
}

/* In the slow copy, each back edge is an event. Returns the block that asks the runtime, which
 * follows the probes of the path that ends there. */
static LLVMBasicBlockRef put_back_slow(const struct trod_burst_code *b, trod_edge e)
{
    const struct trod_twin *t = &b->t;
    trod_node v = t->body->graph.dst_of_edge[e];
    LLVMBasicBlockRef fast = b->back[e], event, land_at, slow;
    LLVMBasicBlockRef header = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(fast), 0);
    LLVMValueRef last =
        LLVMGetBasicBlockTerminator(trod_bridge_twin_of_block(t->twins, fast));
    uint32_t distance, slot = iteration_slot(b, v, &distance);

    slow = LLVMGetSuccessor(last, 0);
    event = trod_bridge_split_before(last);
    if (b->watch)
        slow = put_start(b, last, &last);
    land_at = land(b, v, header);
    add_ways(b, header, fast, land_at);
    LLVMPositionBuilderBefore(t->builder, last);
    ask(b, v, slot, distance, land_at, slow);
    LLVMInstructionEraseFromParent(last);
    return event;
}

static void put_back(const struct trod_burst_code *b, trod_edge e)
{
    const struct trod_twin *t = &b->t;
    trod_node v = t->body->graph.dst_of_edge[e];
    LLVMBasicBlockRef event = put_back_slow(b, e);
    LLVMBasicBlockRef over = trod_twin_add_block(t, "trod.over");
    LLVMValueRef last = LLVMGetBasicBlockTerminator(b->back[e]);

    LLVMPositionBuilderBefore(t->builder, last);
    put_look(b, v, over, LLVMGetSuccessor(last, 0));
    LLVMInstructionEraseFromParent(last);
    LLVMPositionBuilderAtEnd(t->builder, over);
    come_over(b, v);
    forget_rounds(b, v);
    start_path(b, v);
    LLVMBuildBr(t->builder, event);
}

/* --- entry point ----------------------------------------------------------------------------- */

/* Gives each back edge a block of its own, with only a branch in it. */
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

/* Gives each edge of an invoke a block, so that own can be restored there. */
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

static void add_variables(struct trod_burst_code *b)
{
    const struct trod_loops *loops = &b->t.places.view.loops;

    b->t.own = trod_twin_add_variable(&b->t, "trod.own");
    b->t.cached = trod_twin_add_variable(&b->t, "trod.cached");
    if (b->numbering)
        b->sum = trod_twin_add_variable(&b->t, "trod.sum");
    if (!b->events.iteration_of_loop)
        return;
    b->iterations = trod_new(b->t.mem, LLVMValueRef, loops->nloop);
    for (uint32_t l = 0; l < loops->nloop; l++)
        b->iterations[l] = trod_twin_add_variable(&b->t, "trod.iterations");
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
    if (trod_twin_is_apart(&b->t))
        put_entry_apart(b);
    else
        put_entry(b);
}

static bool has_back_edges(const struct trod_burst_code *b)
{
    for (trod_edge e = 0; e < b->t.body->graph.nedge; e++)
        if (b->back[e])
            return true;
    return false;
}

static void finish(struct trod_burst_code *b)
{
    size_t nloop = b->iterations ? b->t.places.view.loops.nloop : 0;
    LLVMValueRef *variable = trod_new(b->t.mem, LLVMValueRef, nloop + 1);
    unsigned n = 0;

    if (b->numbering)
        variable[n++] = b->sum;
    for (size_t l = 0; l < nloop; l++)
        variable[n++] = b->iterations[l];
    trod_twin_close(&b->t, variable, n);
}

void trod_llvm_burst(
    struct trod_body *body, const struct trod_burst_want *want, struct trod_arena *mem)
{
    struct trod_burst_code b = {.types = want->types,
        .flag = want->flag,
        .metrics = want->metrics,
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
    if (!has_back_edges(&b) && trod_twin_may_part(&b.t))
        trod_twin_part(&b.t);
    else
        /* Loads are reported by the slow copy. */
        trod_twin_copy_within(&b.t, body, b.events.nref == 0, true);
    add_variables(&b);
    trod_burst_time_open(&b);
    if (!b.flag)
        trod_twin_find_hand(&b.t);
    find_first(&b.t);
    put_all(&b);
    finish(&b);
}
