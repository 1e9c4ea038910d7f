#include "llvm/twin.h"

#include <stdio.h>
#include <string.h>

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
    struct trod_twin_places places;
    struct trod_bridge_twins *twins;
    LLVMValueRef *first; /* [nnode] of its block, behind PHIs */
    LLVMValueRef *first_slow;
    LLVMValueRef *last_slow; /* its terminator */
};

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
    HAND_MOST,
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
    uint32_t l = t->places.loop_of[v];
    trod_node of = l == TROD_NONE ? v : t->places.view.loops.header_of_loop[l];

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
        number(t, t->places.most[v] | (uint64_t)word_of(t, v) << TROD_RT_WORD_AT),
        hand(t, HAND_MOST));
    call(t, name);
    own = LLVMBuildLoad2(t->builder, t->i64, hand(t, HAND_OWN), "trod.own");
    if (t->places.loop_of[v] != TROD_NONE)
        fill_cached(t, v);
    LLVMBuildCondBr(t->builder,
        LLVMBuildICmp(t->builder, LLVMIntEQ, own, number(t, TROD_RT_FAST), ""), fast,
        slow);
}

/* Subtract; what is left. */
static LLVMValueRef take(const struct twin *t, trod_node v, LLVMValueRef from)
{
    LLVMValueRef skip = LLVMBuildLoad2(t->builder, t->i64, from, "trod.skip"), left;

    left = LLVMBuildSub(t->builder, skip, number(t, t->places.most[v]), "trod.skip");
    LLVMBuildStore(t->builder, left, from);
    return left;
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
    bool cached = t->places.loop_of[v] != TROD_NONE, open = is_open(t, v);
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
    if (cached)
        spill_cached(t, v);
    if (open) {
        /* No block is there: to tell it from who comes to ask from the slow copy. */
        LLVMBuildStore(t->builder, number(t, 0), hand(t, HAND_AT));
        LLVMBuildBr(t->builder, slow_head);
        join_phis(t, head, over, slow_head);
    } else {
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
    LLVMBuildStore(t->builder, number(t, 0), hand(t, HAND_OWN));
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

/* In what power of two a cost is. */
static unsigned class_of(unsigned cost)
{
    unsigned class = 0;

    while (cost >>= 1)
        class ++;
    return class;
}

/* As little code as can be: there is one of these in each slow block. On x86-64 that is a call which
 * LLVM does not know of, with its argument where such calls may leave anything.
 */
static void put_block(const struct twin *t, trod_node v, unsigned cost)
{
    static const char text[] = "lea $0, %r11\n\tcall __trod_block_all";
    static const char constraints[] = "*m,~{r11},~{memory},~{dirflag},~{fpsr},~{flags}";
    LLVMTypeRef i8 = LLVMInt8TypeInContext(t->context);
    LLVMTypeRef pointer = trod_llvm_pointer(t->context);
    LLVMValueRef index = number(t, v * sizeof(uint64_t) + class_of(cost)), at, made;
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(t->context), &pointer, 1, false);

    LLVMPositionBuilderBefore(t->builder, t->first_slow[v]);
    at = LLVMConstGEP2(i8, t->table, &index, 1);
    if (strncmp(LLVMGetTarget(t->module), "x86_64", 6) != 0) {
        LLVMBuildStore(t->builder, at, hand(t, HAND_AT));
        call(t, "__trod_block");
        return;
    }
    made = LLVMBuildCall2(t->builder, type,
        LLVMGetInlineAsm(type, text, sizeof text - 1, constraints,
            sizeof constraints - 1, true, false, LLVMInlineAsmDialectATT, false),
        &at, 1, "");
    LLVMAddCallSiteAttribute(made, 1, LLVMCreateTypeAttribute(t->context, kind, i8));
}

static void copy_own(const struct twin *t, LLVMValueRef from, LLVMValueRef to)
{
    LLVMBuildStore(
        t->builder, LLVMBuildLoad2(t->builder, t->i64, from, "trod.own"), to);
}

/* What is to come of a start is the activation's own, not of what it calls. */
static void keep_own(const struct twin *t, LLVMValueRef slow_call)
{
    LLVMPositionBuilderBefore(t->builder, slow_call);
    copy_own(t, hand(t, HAND_OWN), t->own);
    if (LLVMIsAInvokeInst(slow_call))
        return;
    LLVMPositionBuilderBefore(t->builder, LLVMGetNextInstruction(slow_call));
    copy_own(t, t->own, hand(t, HAND_OWN));
}

/* Behind an invoke, where no check stands, a test does. */
static void bring_back_own(const struct twin *t, LLVMValueRef slow_test)
{
    if (slow_test != trod_bridge_first_insertion(LLVMGetInstructionParent(slow_test)))
        return;
    LLVMPositionBuilderBefore(t->builder, slow_test);
    copy_own(t, t->own, hand(t, HAND_OWN));
}

/* What the slow copy calls, unless it goes nowhere from there. */
static size_t find_slow_calls(LLVMValueRef **out, const struct twin *t)
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

        if (t->places.loop_of[from] == t->places.loop_of[to])
            continue;
        if (t->places.loop_of[from] != TROD_NONE)
            on_edge(t, e, from, spill_cached);
        if (t->places.loop_of[to] != TROD_NONE)
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
    cache_loops(t);
    for (trod_node v = 0; v < graph->nnode; v++)
        if (t->places.is_check[v] && t->places.most[v])
            put_check(t, v);
    for (size_t i = 0; i < t->places.ntest; i++)
        put_test(t, t->places.test[i], twin_of_test[i]);
    for (trod_node v = 0; v < graph->nnode; v++) {
        put_block(t, v, cost[v]);
        if (t->places.handles && LLVMGetInstructionOpcode(t->last_slow[v]) == LLVMRet &&
            !trod_bridge_musttail_call(LLVMGetInstructionParent(t->last_slow[v])))
            put_left(t, v);
    }
    for (size_t i = 0; i < ncall; i++)
        keep_own(t, slow_call[i]);
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
    body->block[body->graph.entry] = trod_bridge_split_allocas(body->function);
    trod_twin_places(&t.places, body, mem);
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
