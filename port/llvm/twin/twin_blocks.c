#include "llvm/twin/twin.h"

/* --- pieces of code ----------------------------------------------------------------------- */

/* Tells the runtime how many blocks the check at v is for. */
static void tell(const struct trod_twin *t, trod_node v, const char *name)
{
    LLVMBuildStore(t->builder,
        trod_twin_number(
            t, t->places.most[v] | (uint64_t)trod_twin_word(t, v) << TROD_RT_WORD_AT),
        trod_twin_hand(t, TROD_HAND_MOST));
    trod_twin_call(t, name);
}

/* Asks the runtime in which copy to continue, and branches there. */
static void ask(const struct trod_twin *t, trod_node v, const char *name,
    LLVMBasicBlockRef fast, LLVMBasicBlockRef slow)
{
    LLVMValueRef own;

    tell(t, v, name);
    own = LLVMBuildLoad2(
        t->builder, t->i64, trod_twin_hand(t, TROD_HAND_OWN), "trod.own");
    if (t->places.loop_of[v] != TROD_NONE)
        trod_twin_fill(t, v);
    LLVMBuildCondBr(t->builder,
        LLVMBuildICmp(
            t->builder, LLVMIntEQ, own, trod_twin_number(t, TROD_RT_FAST), ""),
        fast, slow);
}

/* Subtracts the blocks up to the next check from skip. Returns the new value. */
static LLVMValueRef take(const struct trod_twin *t, trod_node v, LLVMValueRef from)
{
    LLVMValueRef skip = LLVMBuildLoad2(t->builder, t->i64, from, "trod.skip"), left;

    left = LLVMBuildSub(
        t->builder, skip, trod_twin_number(t, t->places.most[v]), "trod.skip");
    LLVMBuildStore(t->builder, left, from);
    return left;
}

/* Does control go back to the fast copy here? At loop headers only, and not if another predecessor is impossible: a block
 * with two has a PHI for each value of both copies that is used from there on. Each copy branches to the start of the
 * other one's header, so that loops of the fast copy still have a single entry.
 */
static bool is_open(const struct trod_twin *t, trod_node v)
{
    const struct trod_loops *loops = &t->places.view.loops;
    LLVMBasicBlockRef block = t->body->block[v];
    uint32_t l = loops->loop_of_node[v];

    while (l != TROD_NONE && loops->header_of_loop[l] != v)
        l = loops->parent_of_loop[l];
    return l != TROD_NONE && v != t->body->graph.entry &&
           !trod_bridge_is_address_taken(block) &&
           LLVMGetInstructionOpcode(trod_bridge_first_no_phi(block)) != LLVMLandingPad;
}

static void add_way(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from)
{
    LLVMAddIncoming(phi, &value, &from, 1);
}

static void join_phis(const struct trod_twin *t, LLVMBasicBlockRef head,
    LLVMBasicBlockRef over, LLVMBasicBlockRef slow_head)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(head); i && LLVMIsAPHINode(i);
        i = LLVMGetNextInstruction(i)) {
        LLVMValueRef twin = trod_bridge_twin_of(t->twins, i);

        add_way(twin, i, over);
        add_way(i, twin, slow_head);
    }
}

static void put_check(const struct trod_twin *t, trod_node v)
{
    bool cached = t->places.loop_of[v] != TROD_NONE, open = is_open(t, v);
    LLVMBasicBlockRef head = LLVMGetInstructionParent(t->first[v]);
    LLVMBasicBlockRef slow_head = LLVMGetInstructionParent(t->first_slow[v]);
    LLVMBasicBlockRef fast = trod_twin_open_end(t, t->first[v]), slow, over;
    LLVMValueRef left = take(t, v, cached ? t->cached : trod_twin_skip(t, v));
    LLVMValueRef below = LLVMBuildICmp(
        t->builder, LLVMIntSLT, left, trod_twin_number(t, 0), "trod.below");

    over = trod_twin_add_block(t, "trod.over");
    trod_bridge_mark_unlikely(LLVMBuildCondBr(t->builder, below, over, fast));
    slow = trod_twin_open_end(t, t->first_slow[v]);
    if (v == t->body->graph.entry) {
        LLVMBuildUnreachable(t->builder);
    } else if (open) {
        ask(t, v, "__trod_online_again", head, slow);
    } else {
        tell(t, v, "__trod_online_pass");
        LLVMBuildBr(t->builder, slow);
    }
    LLVMPositionBuilderAtEnd(t->builder, over);
    if (cached)
        trod_twin_spill(t, v);
    if (open) {
        /* 0, not a block, distinguishes this check from one that the slow copy makes. */
        LLVMBuildStore(
            t->builder, trod_twin_number(t, 0), trod_twin_hand(t, TROD_HAND_AT));
        LLVMBuildBr(t->builder, slow_head);
        join_phis(t, head, over, slow_head);
    } else if (v == t->body->graph.entry) {
        ask(t, v, "__trod_online_enter", fast, slow);
    } else {
        tell(t, v, "__trod_online_stay");
        LLVMBuildBr(t->builder, slow);
    }
}

/* The slow copy runs to its end, also if none of its blocks is a start: that is rare. */
static void put_check_apart(const struct trod_twin *t)
{
    trod_node v = t->body->graph.entry;
    LLVMBasicBlockRef fast = trod_twin_open_end(t, t->first[v]);
    LLVMBasicBlockRef over = trod_twin_add_block(t, "trod.over");
    LLVMValueRef left = take(t, v, trod_twin_skip(t, v));
    LLVMValueRef below = LLVMBuildICmp(
        t->builder, LLVMIntSLT, left, trod_twin_number(t, 0), "trod.below");

    trod_bridge_mark_unlikely(LLVMBuildCondBr(t->builder, below, over, fast));
    trod_bridge_go_on(over, t->slow);
    LLVMPositionBuilderBefore(t->builder, trod_twin_slow_start(t));
    tell(t, v, "__trod_online_stay");
}

static void put_test(const struct trod_twin *t, LLVMValueRef before, LLVMValueRef twin)
{
    LLVMBasicBlockRef fast = trod_twin_open_end(t, before), slow, over;
    LLVMValueRef pending = LLVMBuildLoad2(
        t->builder, t->i64, trod_twin_hand(t, TROD_HAND_PENDING), "trod.pending");

    pending = LLVMBuildICmp(t->builder, LLVMIntNE, pending, trod_twin_number(t, 0), "");
    over = trod_twin_add_block(t, "trod.over");
    trod_bridge_mark_unlikely(LLVMBuildCondBr(t->builder, pending, over, fast));
    slow = trod_bridge_split_before(twin);
    LLVMPositionBuilderAtEnd(t->builder, over);
    LLVMBuildStore(
        t->builder, trod_twin_number(t, 0), trod_twin_hand(t, TROD_HAND_OWN));
    LLVMBuildBr(t->builder, slow);
}

/* An estimate of what a block costs, from 1 to 255. */
static unsigned cost_of(LLVMBasicBlockRef block)
{
    enum { CALL = 10, DEAREST = 255 };
    unsigned cost = 0;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
        i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAPHINode(i) || LLVMIsADbgInfoIntrinsic(i))
            continue;
        cost += LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) ? CALL : 1;
    }
    return cost > DEAREST ? DEAREST : cost ? cost : 1;
}

/* Base-2 logarithm of a cost, rounded down. */
static unsigned class_of(unsigned cost)
{
    unsigned class = 0;

    while (cost >>= 1)
        class ++;
    return class;
}

/* Must be short, because every block of the slow copy has it. */
static void put_block(const struct trod_twin *t, trod_node v, unsigned cost)
{
    LLVMValueRef index = trod_twin_number(t, v * sizeof(uint64_t) + class_of(cost));

    LLVMPositionBuilderBefore(t->builder, t->first_slow[v]);
    trod_twin_report(t,
        LLVMConstGEP2(LLVMInt8TypeInContext(t->context), t->table, &index, 1),
        "__trod_block");
}

/* Restores own after an invoke, where a test is instead of a check. */
static void bring_back_own(const struct trod_twin *t, LLVMValueRef slow_test)
{
    if (slow_test != trod_bridge_first_insertion(LLVMGetInstructionParent(slow_test)))
        return;
    LLVMPositionBuilderBefore(t->builder, slow_test);
    trod_twin_copy(t, t->own, trod_twin_hand(t, TROD_HAND_OWN));
}

/* The calls of the slow copy after which control continues. */
static size_t find_slow_calls(LLVMValueRef **out, const struct trod_twin *t)
{
    size_t n = 0, room = 0;

    *out = NULL;
    for (trod_node v = 0; v < t->body->graph.nnode; v++) {
        if (!t->places.calls[v] || !LLVMGetNumSuccessors(t->last_slow[v]))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->body->block[v]); i;
            i = LLVMGetNextInstruction(i)) {
            if (!trod_bridge_may_run_code(i))
                continue;
            trod_reserve(t->mem, *out, n, room);
            (*out)[n++] = trod_bridge_twin_of(t->twins, i);
        }
    }
    return n;
}

/* At the return of a signal handler: the interrupted function may be in its fast copy, where it has
 * no test. */
static void put_left(const struct trod_twin *t, trod_node v)
{
    LLVMPositionBuilderBefore(t->builder, t->last_slow[v]);
    trod_twin_call(t, "__trod_online_left");
}

/* --- entry point -------------------------------------------------------------------------- */

static void find_first(struct trod_twin *t)
{
    uint32_t nnode = t->body->graph.nnode;

    t->first = trod_new(t->mem, LLVMValueRef, nnode);
    t->first_slow = trod_new(t->mem, LLVMValueRef, nnode);
    t->last_slow = trod_new(t->mem, LLVMValueRef, nnode);
    for (trod_node v = 0; v < nnode; v++) {
        t->first[v] = trod_bridge_first_insertion(t->body->block[v]);
        t->first_slow[v] = trod_bridge_twin_of(t->twins, t->first[v]);
        t->last_slow[v] = trod_bridge_twin_of(
            t->twins, LLVMGetBasicBlockTerminator(t->body->block[v]));
    }
}

static void put_all(struct trod_twin *t)
{
    const struct trod_graph *graph = &t->body->graph;
    LLVMValueRef *twin_of_test = trod_new(t->mem, LLVMValueRef, t->places.ntest);
    unsigned *cost = trod_new(t->mem, unsigned, graph->nnode);
    LLVMValueRef *slow_call;
    size_t ncall;

    for (size_t i = 0; i < t->places.ntest; i++)
        twin_of_test[i] = trod_bridge_twin_of(t->twins, t->places.test[i]);
    for (trod_node v = 0; v < graph->nnode; v++)
        cost[v] = cost_of(t->body->block[v]);
    ncall = find_slow_calls(&slow_call, t);
    for (size_t i = 0; i < t->places.ntest; i++)
        bring_back_own(t, twin_of_test[i]);
    trod_twin_cache_loops(t);
    for (trod_node v = 0; v < graph->nnode; v++)
        if (t->places.is_check[v] && t->places.most[v] && !trod_twin_is_apart(t))
            put_check(t, v);
    if (trod_twin_is_apart(t))
        put_check_apart(t);
    for (size_t i = 0; i < t->places.ntest; i++)
        put_test(t, t->places.test[i], twin_of_test[i]);
    for (trod_node v = 0; v < graph->nnode; v++) {
        put_block(t, v, cost[v]);
        if (t->places.handles && LLVMGetInstructionOpcode(t->last_slow[v]) == LLVMRet &&
            !trod_bridge_last_call(LLVMGetInstructionParent(t->last_slow[v])))
            put_left(t, v);
    }
    for (size_t i = 0; i < ncall; i++)
        trod_twin_keep_own(t, slow_call[i]);
}

/* Does it run no other code, and is its only check at its entry? */
static bool is_leaf(const struct trod_twin *t)
{
    trod_node entry = t->body->graph.entry;

    for (trod_node v = 0; v < t->body->graph.nnode; v++)
        if (t->places.calls[v] ||
            (v != entry && t->places.is_check[v] && t->places.most[v]))
            return false;
    return !t->places.handles;
}

void trod_llvm_twin(
    struct trod_body *body, struct trod_rt_function *record, struct trod_arena *mem)
{
    struct trod_twin t;
    struct trod_llvm_data data;

    trod_twin_open(&t, body, mem);
    trod_llvm_add_data(&data, body, NULL, record, mem);
    t.table = data.table;
    t.name = record->name;
    body->block[body->graph.entry] = trod_bridge_split_allocas(body->function);
    trod_twin_places(&t.places, body, mem);
    if (is_leaf(&t) && trod_twin_may_part(&t))
        trod_twin_part(&t);
    else
        trod_twin_copy_within(&t, body, true, false);
    trod_twin_tests(&t.places, body, mem);
    t.own = trod_twin_add_variable(&t, "trod.own");
    t.cached = trod_twin_add_variable(&t, "trod.cached");
    trod_twin_find_hand(&t);
    find_first(&t);
    put_all(&t);
    trod_twin_close(&t, NULL, 0);
}
