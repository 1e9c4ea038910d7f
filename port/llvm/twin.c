#include "llvm/port.h"

#include <stdio.h>
#include <string.h>

/* Functions with their code twice: a fast copy that runs nearly always and only looks whether it is
 * time for the other, and a slow copy in which every block reports that it begins.
 *
 *     fast                                     slow
 *     check   skip -= most; below 0: slow      again: may it be fast?
 *     ...                                      block: n, which begins now
 *     call                                     call
 *     test    samples pending: slow
 *
 * Checks stand at the entry, at each header of a loop, behind loops, and wherever more than MOST
 * blocks could run without one. What is subtracted is constant: the most blocks that can run before
 * the next check. Of these, the runtime tells the slow copy which is a start (own, see __trod_block); one beyond
 * those that really run is none. So nothing has to be counted, and all blocks are equally likely.
 *
 * Behind what may have run other code of the program is a test, no check: samples that began there
 * go on here. Samples are none of the fast copy's business otherwise.
 *
 * In loops that run no other code, skip is kept in a register.
 */

enum {
    MOST = 16,
    MOST_BEHIND = 2 /* a loop, that the loop's own check may stand for */
};

struct twin {
    const struct trod_body *body;
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTypeRef i64;
    LLVMValueRef table;
    uint64_t name;            /* a hash of the function's */
    LLVMValueRef own, cached; /* local variables */
    struct trod_arena *mem;
    struct trod_view view;
    struct trod_bridge_twins *twins;
    bool handles;        /* signals, perhaps */
    bool *is_check;      /* [nnode] */
    uint32_t *most;      /* [nnode] blocks from here up to the next check */
    uint32_t *loop_of;   /* [nnode] outermost loop around it that runs no other code */
    bool *calls;         /* [nnode] may run other code, before its terminator */
    LLVMValueRef *first; /* [nnode] of its block, behind PHIs */
    LLVMValueRef *first_slow;
    LLVMValueRef *last_slow; /* its terminator */
    LLVMValueRef *test;      /* before these */
    size_t ntest, room_test;
};

/* --- where things go -------------------------------------------------------------------- */

static bool is_invoke(LLVMValueRef term)
{
    return LLVMGetInstructionOpcode(term) == LLVMInvoke;
}

static void find_calls(struct twin *t)
{
    uint32_t nnode = t->body->graph.nnode;

    t->calls = trod_new(t->mem, bool, nnode);
    for (trod_node v = 0; v < nnode; v++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->body->block[v]); i;
            i = LLVMGetNextInstruction(i))
            t->calls[v] |= trod_bridge_may_run_code(i);
}

/* Is it out of the innermost loop around v? */
static bool leaves_loop(const struct twin *t, trod_node v, trod_node to)
{
    const struct trod_loops *loops = &t->view.loops;
    uint32_t own = loops->loop_of_node[v], l = loops->loop_of_node[to];

    while (l != TROD_NONE && l != own)
        l = loops->parent_of_loop[l];
    return l != own;
}

static void find_checks(struct twin *t)
{
    const struct trod_graph *graph = &t->body->graph;
    const struct trod_dag *dag = &t->view.dag;

    t->is_check = trod_new(t->mem, bool, graph->nnode);
    t->most = trod_new(t->mem, uint32_t, graph->nnode);
    t->is_check[graph->entry] = true;
    for (uint32_t i = 0; i < t->view.loops.nloop; i++)
        t->is_check[t->view.loops.header_of_loop[i]] = true;
    for (trod_node v = 0; v < graph->nnode; v++)
        if (trod_bridge_is_address_taken(t->body->block[v]))
            t->is_check[v] = true;
    /* What own was behind setjmp it may be again: nothing is to come of it. */
    for (trod_edge e = 0; e < graph->nedge; e++)
        if (trod_graph_leave(graph, graph->src_of_edge[e]) == TROD_RETURNS_AGAIN)
            t->is_check[graph->dst_of_edge[e]] = true;
    for (uint32_t i = dag->nreach; i-- > 0;) {
        trod_node v = dag->topo[i];

        if (v >= graph->nnode)
            continue;
        t->most[v] = 1;
        for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++) {
            trod_node to = graph->dst_of_edge[e];

            if (t->most[to] > MOST_BEHIND && leaves_loop(t, v, to))
                t->is_check[to] = true;
            if (!t->is_check[to] && t->most[to] + 1 > t->most[v])
                t->most[v] = t->most[to] + 1;
        }
        if (t->most[v] >= MOST)
            t->is_check[v] = true;
    }
}

/* Can something be done on every edge into the loop and out of it, and is nothing else done in it? */
static bool can_cache(const struct twin *t, const bool *inside)
{
    const struct trod_graph *graph = &t->body->graph;

    for (trod_node v = 0; v < graph->nnode; v++)
        if (inside[v] &&
            (t->calls[v] || trod_bridge_is_address_taken(t->body->block[v])))
            return false;
    for (trod_edge e = 0; e < graph->nedge; e++) {
        trod_node from = graph->src_of_edge[e], to = graph->dst_of_edge[e];

        if (inside[from] != inside[to] &&
            !trod_bridge_has_block_on_edge(
                LLVMGetBasicBlockTerminator(t->body->block[from]),
                t->body->successor_of_edge[e]))
            return false;
    }
    return true;
}

/* Nodes of loop l and of those within it. */
static void fill_inside(bool *inside, const struct twin *t, uint32_t l)
{
    const struct trod_loops *loops = &t->view.loops;

    for (trod_node v = 0; v < t->body->graph.nnode; v++) {
        uint32_t up = loops->loop_of_node[v];

        while (up != TROD_NONE && up != l)
            up = loops->parent_of_loop[up];
        inside[v] = up == l;
    }
}

/* Parents come first. */
static void find_loops(struct twin *t)
{
    const struct trod_loops *loops = &t->view.loops;
    uint32_t nnode = t->body->graph.nnode;
    bool *inside = trod_new(t->mem, bool, nnode);

    t->loop_of = trod_new(t->mem, uint32_t, nnode);
    for (trod_node v = 0; v < nnode; v++)
        t->loop_of[v] = TROD_NONE;
    for (uint32_t l = 0; l < loops->nloop; l++) {
        if (loops->irreducible_of_loop[l] ||
            t->loop_of[loops->header_of_loop[l]] != TROD_NONE)
            continue;
        fill_inside(inside, t, l);
        if (!can_cache(t, inside))
            continue;
        for (trod_node v = 0; v < nnode; v++)
            if (inside[v])
                t->loop_of[v] = l;
    }
}

static bool returns(const struct twin *t, trod_node v)
{
    LLVMBasicBlockRef block = t->body->block[v];

    return LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(block)) == LLVMRet &&
           !trod_bridge_musttail_call(block);
}

static void add_test(struct twin *t, LLVMValueRef before)
{
    trod_reserve(t->mem, t->test, t->ntest, t->room_test);
    t->test[t->ntest++] = before;
}

/* Is there a way from here on which a block begins and no check stands, or the end of a handler? */
static bool wants_test(const struct twin *t, trod_node v)
{
    const struct trod_graph *graph = &t->body->graph;

    if (t->handles && returns(t, v))
        return true;

    for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++)
        if (!t->is_check[graph->dst_of_edge[e]])
            return true;
    return false;
}

static void find_tests_of_invoke(struct twin *t, trod_node v, LLVMValueRef term)
{
    const struct trod_graph *graph = &t->body->graph;

    for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++) {
        bool at_end;

        if (!t->is_check[graph->dst_of_edge[e]])
            add_test(t, trod_bridge_first_insertion(trod_bridge_block_on_edge(
                            term, t->body->successor_of_edge[e], &at_end)));
    }
}

/* What follows the last call that may run other code. */
static LLVMValueRef behind_calls(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetBasicBlockTerminator(block);

    while (!trod_bridge_may_run_code(LLVMGetPreviousInstruction(i)))
        i = LLVMGetPreviousInstruction(i);
    return i;
}

static void find_tests(struct twin *t)
{
    for (trod_node v = 0; v < t->body->graph.nnode; v++) {
        LLVMValueRef term = LLVMGetBasicBlockTerminator(t->body->block[v]);

        if (!t->calls[v])
            continue;
        if (is_invoke(term))
            find_tests_of_invoke(t, v, term);
        else if (wants_test(t, v))
            add_test(t, behind_calls(t->body->block[v]));
    }
}

/* --- pieces of code ----------------------------------------------------------------------- */

static LLVMValueRef number(const struct twin *t, uint64_t value)
{
    return LLVMConstInt(t->i64, value, false);
}

/* The words of __trod_hand. */
enum {
    HAND_PENDING,
    HAND_OWN,
    HAND_AT,
    HAND_COST,
    HAND_SKIP,
    NHAND = HAND_SKIP + TROD_RT_SKIPS
};

static LLVMValueRef hand(const struct twin *t, unsigned word)
{
    LLVMValueRef global = LLVMGetNamedGlobal(t->module, "__trod_hand");
    LLVMValueRef index = number(t, word);

    if (!global) {
        global = LLVMAddGlobal(t->module, LLVMArrayType2(t->i64, NHAND), "__trod_hand");
        LLVMSetThreadLocalMode(global, LLVMInitialExecTLSModel);
        LLVMSetVisibility(global, LLVMHiddenVisibility);
    }
    return LLVMConstInBoundsGEP2(t->i64, global, &index, 1);
}

/* Which word a check subtracts from. Any will do; those of neighbours differ, for one that was just
 * written is slow to read. All of a loop that keeps it in a register have the same.
 */
static unsigned word_of(const struct twin *t, trod_node v)
{
    uint32_t l = t->loop_of[v];
    trod_node of = l == TROD_NONE ? v : t->view.loops.header_of_loop[l];

    return (unsigned)(trod_mix(t->name, of) % TROD_RT_SKIPS);
}

static LLVMValueRef skip_of(const struct twin *t, trod_node v)
{
    return hand(t, HAND_SKIP + word_of(t, v));
}

/* Of the loop that a node is in. */
static void fill_cached(const struct twin *t, trod_node v)
{
    LLVMBuildStore(t->builder,
        LLVMBuildLoad2(t->builder, t->i64, skip_of(t, v), "trod.skip"), t->cached);
}

static void spill_cached(const struct twin *t, trod_node v)
{
    LLVMBuildStore(
        t->builder, LLVMBuildLoad2(t->builder, t->i64, t->cached, ""), skip_of(t, v));
}

/* Whatever the runtime is handed lies in memory, and registers stay as they are, as far as can be:
 * the fast copy is to have them to itself.
 */
static void call(const struct twin *t, const char *name)
{
    bool all = strncmp(LLVMGetTarget(t->module), "x86_64", 6) == 0;
    LLVMValueRef function, made;
    char full[40];

    snprintf(full, sizeof full, "%s%s", name, all ? "_all" : "");
    function = LLVMGetNamedFunction(t->module, full);
    if (!function) {
        unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);

        function = LLVMAddFunction(t->module, full,
            LLVMFunctionType(LLVMVoidTypeInContext(t->context), NULL, 0, false));
        LLVMSetVisibility(function, LLVMHiddenVisibility);
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(t->context, nounwind, 0));
        trod_bridge_mark_cold(function);
        if (all)
            LLVMSetFunctionCallConv(function, LLVMPreserveAllCallConv);
    }
    made = LLVMBuildCall2(
        t->builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
    LLVMSetInstructionCallConv(made, LLVMGetFunctionCallConv(function));
}

/* Split before an instruction: what comes before it goes on to where it is told to. */
static LLVMBasicBlockRef open_end(const struct twin *t, LLVMValueRef before)
{
    LLVMBasicBlockRef head = LLVMGetInstructionParent(before);
    LLVMBasicBlockRef rest = trod_bridge_split_before(before);

    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(t->builder, head);
    return rest;
}

static LLVMBasicBlockRef add_block(const struct twin *t, const char *name)
{
    return LLVMAppendBasicBlockInContext(t->context, t->body->function, name);
}

/* Ask the runtime how to go on, in this copy or the other. */
static void ask(const struct twin *t, trod_node v, const char *name,
    LLVMBasicBlockRef fast, LLVMBasicBlockRef slow)
{
    LLVMValueRef own;

    LLVMBuildStore(t->builder,
        number(t, t->most[v] | (uint64_t)word_of(t, v) << TROD_RT_WORD_AT),
        hand(t, HAND_COST));
    call(t, name);
    own = LLVMBuildLoad2(t->builder, t->i64, hand(t, HAND_OWN), "trod.own");
    LLVMBuildStore(t->builder, own, t->own);
    if (t->loop_of[v] != TROD_NONE)
        fill_cached(t, v);
    LLVMBuildCondBr(t->builder,
        LLVMBuildICmp(t->builder, LLVMIntEQ, own, number(t, TROD_RT_FAST), ""), fast,
        slow);
}

/* Subtract; what is left. */
static LLVMValueRef take(const struct twin *t, trod_node v, LLVMValueRef from)
{
    LLVMValueRef skip = LLVMBuildLoad2(t->builder, t->i64, from, "trod.skip"), left;

    left = LLVMBuildSub(t->builder, skip, number(t, t->most[v]), "trod.skip");
    LLVMBuildStore(t->builder, left, from);
    return left;
}

static void give_back(const struct twin *t, trod_node v, LLVMValueRef from)
{
    LLVMValueRef left = LLVMBuildLoad2(t->builder, t->i64, from, "");

    LLVMBuildStore(t->builder,
        LLVMBuildAdd(t->builder, left, number(t, t->most[v]), ""), skip_of(t, v));
}

/* Where blocks may have one more way in, the copies lead to the beginning of each other, so that
 * loops of the fast one keep the one way in that they have. Values go along.
 */
static bool is_open(const struct twin *t, trod_node v)
{
    LLVMBasicBlockRef block = t->body->block[v];

    return v != t->body->graph.entry && !trod_bridge_is_address_taken(block) &&
           LLVMGetInstructionOpcode(trod_bridge_first_no_phi(block)) != LLVMLandingPad;
}

static void add_way(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from)
{
    LLVMAddIncoming(phi, &value, &from, 1);
}

static void join_phis(const struct twin *t, LLVMBasicBlockRef head,
    LLVMBasicBlockRef over, LLVMBasicBlockRef slow_head)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(head); i && LLVMIsAPHINode(i);
        i = LLVMGetNextInstruction(i)) {
        LLVMValueRef twin = trod_bridge_twin_of(t->twins, i);

        add_way(twin, i, over);
        add_way(i, twin, slow_head);
    }
}

static void put_check(const struct twin *t, trod_node v)
{
    bool cached = t->loop_of[v] != TROD_NONE, open = is_open(t, v);
    LLVMBasicBlockRef head = LLVMGetInstructionParent(t->first[v]);
    LLVMBasicBlockRef slow_head = LLVMGetInstructionParent(t->first_slow[v]);
    LLVMBasicBlockRef fast = open_end(t, t->first[v]), slow, over;
    LLVMValueRef left = take(t, v, cached ? t->cached : skip_of(t, v));
    LLVMValueRef below =
        LLVMBuildICmp(t->builder, LLVMIntSLT, left, number(t, 0), "trod.below");

    over = add_block(t, "trod.over");
    trod_bridge_mark_unlikely(LLVMBuildCondBr(t->builder, below, over, fast));
    slow = open_end(t, t->first_slow[v]);
    if (!open && v != t->body->graph.entry)
        take(t, v, skip_of(t, v));
    if (v == t->body->graph.entry)
        LLVMBuildUnreachable(t->builder);
    else
        ask(t, v, open ? "__trod_online_again" : "__trod_online_enter",
            open ? head : fast, slow);
    LLVMPositionBuilderAtEnd(t->builder, over);
    if (open) {
        give_back(t, v, cached ? t->cached : skip_of(t, v));
        LLVMBuildBr(t->builder, slow_head);
        join_phis(t, head, over, slow_head);
    } else {
        if (cached)
            spill_cached(t, v);
        ask(t, v, "__trod_online_enter", fast, slow);
    }
}

static void put_test(const struct twin *t, LLVMValueRef before, LLVMValueRef twin)
{
    LLVMBasicBlockRef fast = open_end(t, before), slow, over;
    LLVMValueRef pending =
        LLVMBuildLoad2(t->builder, t->i64, hand(t, HAND_PENDING), "trod.pending");

    pending = LLVMBuildICmp(t->builder, LLVMIntNE, pending, number(t, 0), "");
    over = add_block(t, "trod.over");
    trod_bridge_mark_unlikely(LLVMBuildCondBr(t->builder, pending, over, fast));
    slow = trod_bridge_split_before(twin);
    LLVMPositionBuilderAtEnd(t->builder, over);
    LLVMBuildStore(t->builder, number(t, 0), t->own);
    LLVMBuildBr(t->builder, slow);
}

/* About what a block costs, from 1 to 255. */
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

static void put_block(const struct twin *t, trod_node v, unsigned cost)
{
    LLVMValueRef index = number(t, v), own;

    LLVMPositionBuilderBefore(t->builder, t->first_slow[v]);
    LLVMBuildStore(t->builder, LLVMConstInBoundsGEP2(t->i64, t->table, &index, 1),
        hand(t, HAND_AT));
    LLVMBuildStore(t->builder, number(t, cost), hand(t, HAND_COST));
    own = LLVMBuildLoad2(t->builder, t->i64, t->own, "trod.own");
    LLVMBuildStore(t->builder, own, hand(t, HAND_OWN));
    call(t, "__trod_block");
    own = LLVMBuildLoad2(t->builder, t->i64, hand(t, HAND_OWN), "trod.own");
    LLVMBuildStore(t->builder, own, t->own);
}

/* What was interrupted may be in the fast copy, where no test stands. */
static void put_left(const struct twin *t, trod_node v)
{
    LLVMPositionBuilderBefore(t->builder, t->last_slow[v]);
    call(t, "__trod_online_left");
}

/* --- loops that run no other code ----------------------------------------------------------- */

static void on_edge(const struct twin *t, trod_edge e, trod_node v,
    void (*put)(const struct twin *, trod_node))
{
    LLVMBasicBlockRef from = t->body->block[t->body->graph.src_of_edge[e]], block;
    trod_node to = t->body->graph.dst_of_edge[e];
    bool at_end;

    block = trod_bridge_block_on_edge(
        LLVMGetBasicBlockTerminator(from), t->body->successor_of_edge[e], &at_end);
    if (at_end)
        LLVMPositionBuilderBefore(t->builder, LLVMGetBasicBlockTerminator(block));
    else if (block == t->body->block[to])
        LLVMPositionBuilderBefore(t->builder, t->first[to]);
    else
        LLVMPositionBuilderBefore(t->builder, trod_bridge_first_insertion(block));
    put(t, v);
}

static void cache_loops(const struct twin *t)
{
    const struct trod_graph *graph = &t->body->graph;

    for (trod_edge e = 0; e < graph->nedge; e++) {
        trod_node from = graph->src_of_edge[e], to = graph->dst_of_edge[e];

        if (t->loop_of[from] == t->loop_of[to])
            continue;
        if (t->loop_of[from] != TROD_NONE)
            on_edge(t, e, from, spill_cached);
        if (t->loop_of[to] != TROD_NONE)
            on_edge(t, e, to, fill_cached);
    }
}

/* --- all of it ---------------------------------------------------------------------------- */

static LLVMValueRef add_variable(const struct twin *t, const char *name)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(t->body->function);

    LLVMPositionBuilderBefore(t->builder, LLVMGetFirstInstruction(entry));
    return LLVMBuildAlloca(t->builder, t->i64, name);
}

static void find_first(struct twin *t)
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

static void put_all(struct twin *t)
{
    const struct trod_graph *graph = &t->body->graph;
    LLVMValueRef *twin_of_test = trod_new(t->mem, LLVMValueRef, t->ntest);
    unsigned *cost = trod_new(t->mem, unsigned, graph->nnode);

    for (size_t i = 0; i < t->ntest; i++)
        twin_of_test[i] = trod_bridge_twin_of(t->twins, t->test[i]);
    for (trod_node v = 0; v < graph->nnode; v++)
        cost[v] = cost_of(t->body->block[v]);
    cache_loops(t);
    for (trod_node v = 0; v < graph->nnode; v++)
        if (t->is_check[v] && t->most[v])
            put_check(t, v);
    for (size_t i = 0; i < t->ntest; i++)
        put_test(t, t->test[i], twin_of_test[i]);
    for (trod_node v = 0; v < graph->nnode; v++) {
        put_block(t, v, cost[v]);
        if (t->handles && LLVMGetInstructionOpcode(t->last_slow[v]) == LLVMRet &&
            !trod_bridge_musttail_call(LLVMGetInstructionParent(t->last_slow[v])))
            put_left(t, v);
    }
}

void trod_llvm_twin(
    struct trod_body *body, struct trod_rt_function *record, struct trod_arena *mem)
{
    LLVMModuleRef module = LLVMGetGlobalParent(body->function);
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct twin t = {.body = body,
        .module = module,
        .context = context,
        .builder = LLVMCreateBuilderInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
        .mem = mem};
    struct trod_llvm_data data;

    trod_llvm_add_data(&data, body, NULL, record, mem);
    t.table = data.table;
    t.name = record->name;
    t.handles = trod_bridge_may_handle_signals(body->function);
    trod_graph_view(&t.view, &body->graph, NULL, mem);
    body->block[body->graph.entry] = trod_bridge_split_allocas(body->function);
    find_calls(&t);
    find_checks(&t);
    find_loops(&t);
    find_tests(&t);
    t.own = add_variable(&t, "trod.own");
    t.cached = add_variable(&t, "trod.cached");
    t.twins = trod_bridge_make_twins(body->function);
    find_first(&t);
    put_all(&t);
    trod_bridge_join_twins(body->function, t.twins);
    /* Not own, though: it would take a register that the fast copy has no use for. */
    trod_bridge_promote(body->function, &t.cached, 1);
    trod_bridge_writes_memory(body->function);
    LLVMDisposeBuilder(t.builder);
}
