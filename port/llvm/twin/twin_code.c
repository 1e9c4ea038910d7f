#include "llvm/twin/twin.h"

#include <stdio.h>
#include <string.h>

LLVMValueRef trod_twin_number(const struct trod_twin *t, uint64_t value)
{
    return LLVMConstInt(t->i64, value, false);
}

LLVMValueRef trod_twin_hand(const struct trod_twin *t, unsigned word)
{
    LLVMValueRef index = trod_twin_number(t, 1 + word), at = t->at;

    if (!trod_llvm_is_library(t->module))
        return LLVMConstGEP2(t->i64, trod_llvm_thread_variable(t->module), &index, 1);
    if (!at)
        at = LLVMBuildIntToPtr(t->builder, trod_llvm_ask_own(t->builder, t->module),
            trod_llvm_pointer(t->context), "");
    return LLVMBuildGEP2(t->builder, t->i64, at, &index, 1, "");
}

void trod_twin_find_hand(struct trod_twin *t)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(t->body->function);
    LLVMValueRef own;

    if (!trod_llvm_is_library(t->module))
        return;
    own = trod_llvm_load_own(LLVMGetBasicBlockTerminator(entry));
    LLVMPositionBuilderBefore(
        t->builder, LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(own)));
    t->at =
        LLVMBuildIntToPtr(t->builder, own, trod_llvm_pointer(t->context), "trod.at");
}

/* The skip word that a check subtracts from. Any word is correct. Neighbouring checks use different
 * ones, because a load right after a store to the same word is slow. All checks of a loop that
 * keeps skip in a register use the same word.
 */
unsigned trod_twin_word(const struct trod_twin *t, trod_node v)
{
    uint32_t l = t->places.loop_of[v];
    trod_node of = l == TROD_NONE ? v : t->places.view.loops.header_of_loop[l];

    return t->one ? 0 : (unsigned)(trod_mix(t->name, of) % TROD_RT_SKIPS);
}

LLVMValueRef trod_twin_skip(const struct trod_twin *t, trod_node v)
{
    return trod_twin_hand(t, TROD_HAND_SKIP + trod_twin_word(t, v));
}

void trod_twin_fill(const struct trod_twin *t, trod_node v)
{
    LLVMBuildStore(t->builder,
        LLVMBuildLoad2(t->builder, t->i64, trod_twin_skip(t, v), "trod.skip"),
        t->cached);
}

void trod_twin_spill(const struct trod_twin *t, trod_node v)
{
    LLVMBuildStore(t->builder, LLVMBuildLoad2(t->builder, t->i64, t->cached, ""),
        trod_twin_skip(t, v));
}

static bool is_x86_64(const struct trod_twin *t)
{
    return strncmp(LLVMGetTarget(t->module), "x86_64", 6) == 0;
}

/* Calls a function of the runtime as any other. Arguments are passed in memory. */
static void call(const struct trod_twin *t, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(t->module, name);

    if (!function) {
        unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);

        function = LLVMAddFunction(t->module, name,
            LLVMFunctionType(LLVMVoidTypeInContext(t->context), NULL, 0, false));
        LLVMSetVisibility(function, LLVMHiddenVisibility);
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(t->context, nounwind, 0));
        trod_bridge_mark_cold(function);
    }
    LLVMBuildCall2(t->builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
}

/* Splits a block before an instruction and leaves the first part without a terminator, which the
 * caller adds. Returns the second part. */
LLVMBasicBlockRef trod_twin_open_end(const struct trod_twin *t, LLVMValueRef before)
{
    LLVMBasicBlockRef head = LLVMGetInstructionParent(before);
    LLVMBasicBlockRef rest = trod_bridge_split_before(before);

    /* For the location: the last one may be of the slow copy, a function of its own. */
    LLVMPositionBuilderBefore(t->builder, before);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(t->builder, head);
    return rest;
}

LLVMBasicBlockRef trod_twin_add_block(const struct trod_twin *t, const char *name)
{
    return LLVMAppendBasicBlockInContext(t->context, t->body->function, name);
}

void trod_twin_copy(const struct trod_twin *t, LLVMValueRef from, LLVMValueRef to)
{
    LLVMBuildStore(
        t->builder, LLVMBuildLoad2(t->builder, t->i64, from, "trod.own"), to);
}

LLVMValueRef trod_twin_add_variable(const struct trod_twin *t, const char *name)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(t->slow);

    LLVMPositionBuilderBefore(t->builder, LLVMGetFirstInstruction(entry));
    return LLVMBuildAlloca(t->builder, t->i64, name);
}

static void on_edge(const struct trod_twin *t, trod_edge e, trod_node v,
    void (*put)(const struct trod_twin *, trod_node))
{
    LLVMBasicBlockRef from = t->body->block[t->body->graph.src_of_edge[e]], block;
    trod_node to = t->body->graph.dst_of_edge[e],
              source = t->body->graph.src_of_edge[e];
    LLVMValueRef last, before;
    bool at_end;

    block = trod_bridge_block_on_edge(
        LLVMGetBasicBlockTerminator(from), t->body->successor_of_edge[e], &at_end);
    if (at_end)
        LLVMPositionBuilderBefore(t->builder, LLVMGetBasicBlockTerminator(block));
    else if (block == t->body->block[to])
        LLVMPositionBuilderBefore(t->builder, t->first[to]);
    else
        LLVMPositionBuilderBefore(t->builder, trod_bridge_first_insertion(block));
    last = LLVMGetBasicBlockTerminator(block);
    before = LLVMGetPreviousInstruction(last);
    put(t, v);
    /* A check at the start of the block comes before code at its end, even if both are in the same
     * place. */
    if (at_end && t->first[source] == last)
        t->first[source] =
            before ? LLVMGetNextInstruction(before) : LLVMGetFirstInstruction(block);
}

void trod_twin_cache_loops(const struct trod_twin *t)
{
    const struct trod_graph *graph = &t->body->graph;

    for (trod_edge e = 0; e < graph->nedge; e++) {
        trod_node from = graph->src_of_edge[e], to = graph->dst_of_edge[e];

        if (t->places.loop_of[from] == t->places.loop_of[to])
            continue;
        if (t->places.loop_of[from] != TROD_NONE)
            on_edge(t, e, from, trod_twin_spill);
        if (t->places.loop_of[to] != TROD_NONE)
            on_edge(t, e, to, trod_twin_fill);
    }
}

/* Inline assembly with a call that LLVM does not see. A call that it sees takes a frame, and functions that call nothing
 * else would set that up at each of their entries. The argument is in r11, which calls clobber; NULL: there is none.
 */
static void call_unseen(const struct trod_twin *t, LLVMValueRef at, const char *name)
{
    static const char constraints[] = "*m,~{r11},~{memory},~{dirflag},~{fpsr},~{flags}";
    const char *wants = constraints + (at ? 0 : strlen("*m,"));
    LLVMTypeRef i8 = LLVMInt8TypeInContext(t->context);
    LLVMTypeRef pointer = trod_llvm_pointer(t->context);
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMTypeRef type = LLVMFunctionType(
        LLVMVoidTypeInContext(t->context), &pointer, at != NULL, false);
    LLVMValueRef made;
    char text[80];

    snprintf(text, sizeof text, "%scall %s%s_all", at ? "lea $0, %r11\n\t" : "", name,
        trod_llvm_is_library(t->module) ? "_shared" : "");
    made = LLVMBuildCall2(t->builder, type,
        LLVMGetInlineAsm(type, text, strlen(text), wants, strlen(wants), true, false,
            LLVMInlineAsmDialectATT, false),
        &at, at != NULL, "");
    if (at)
        LLVMAddCallSiteAttribute(
            made, 1, LLVMCreateTypeAttribute(t->context, kind, i8));
}

void trod_twin_call(const struct trod_twin *t, const char *name)
{
    if (is_x86_64(t))
        call_unseen(t, NULL, name);
    else
        call(t, name);
}

void trod_twin_report(const struct trod_twin *t, LLVMValueRef at, const char *name)
{
    if (is_x86_64(t)) {
        call_unseen(t, at, name);
        return;
    }
    LLVMBuildStore(t->builder, at, trod_twin_hand(t, TROD_HAND_AT));
    call(t, name);
}

void trod_twin_set_fast(const struct trod_twin *t)
{
    /* A library that tests the flag has not looked for the thread's state yet. */
    if (is_x86_64(t) && (t->at || !trod_llvm_is_library(t->module)))
        call_unseen(t, NULL, "__trod_burst_over");
    else
        LLVMBuildStore(t->builder, trod_twin_number(t, TROD_RT_FAST),
            trod_twin_hand(t, TROD_HAND_OWN));
}

void trod_twin_keep_own(const struct trod_twin *t, LLVMValueRef slow_call)
{
    LLVMPositionBuilderBefore(t->builder, slow_call);
    trod_twin_copy(t, trod_twin_hand(t, TROD_HAND_OWN), t->own);
    trod_twin_restore_own(t, slow_call);
}

void trod_twin_restore_own(const struct trod_twin *t, LLVMValueRef slow_call)
{
    if (LLVMIsAInvokeInst(slow_call))
        return;
    LLVMPositionBuilderBefore(t->builder, LLVMGetNextInstruction(slow_call));
    trod_twin_copy(t, t->own, trod_twin_hand(t, TROD_HAND_OWN));
}

bool trod_twin_may_part(const struct trod_twin *t)
{
    return is_x86_64(t) && !trod_llvm_is_library(t->module) &&
           trod_bridge_may_part(t->body->function);
}

bool trod_twin_is_apart(const struct trod_twin *t)
{
    return t->slow != t->body->function;
}

void trod_twin_part(struct trod_twin *t)
{
    t->twins = trod_bridge_make_twins_apart(t->body->function, &t->slow);
}

void trod_twin_copy_within(
    struct trod_twin *t, struct trod_body *body, bool loads, bool within)
{
    trod_node entry = body->graph.entry;

    body->block[entry] = trod_bridge_split_harmless(body->block[entry], loads);
    t->twins = trod_bridge_make_twins(body->function, body->block[entry], within);
}

LLVMValueRef trod_twin_slow_start(const struct trod_twin *t)
{
    return trod_bridge_first_insertion(
        trod_bridge_twin_of_block(t->twins, t->body->block[t->body->graph.entry]));
}

void trod_twin_open(
    struct trod_twin *out, const struct trod_body *body, struct trod_arena *mem)
{
    LLVMModuleRef module = LLVMGetGlobalParent(body->function);
    LLVMContextRef context = LLVMGetModuleContext(module);

    *out = (struct trod_twin){.body = body,
        .slow = body->function,
        .module = module,
        .context = context,
        .builder = LLVMCreateBuilderInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
        .mem = mem};
}

/* Removes a variable that nothing reads: it would take a frame, which functions set up at each of their entries. */
static void drop_unread(LLVMValueRef variable)
{
    LLVMUseRef use;

    for (use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != variable)
            return;
    }
    while ((use = LLVMGetFirstUse(variable)))
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
    LLVMInstructionEraseFromParent(variable);
}

static bool is_call(LLVMValueRef i)
{
    return LLVMIsAInvokeInst(i) ||
           (LLVMIsACallInst(i) && !LLVMIsAInlineAsm(LLVMGetCalledValue(i)) &&
               (!LLVMIsAIntrinsicInst(i) || LLVMIsAMemIntrinsic(i)));
}

static bool calls(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
        block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
            i = LLVMGetNextInstruction(i))
            if (is_call(i))
                return true;
    return false;
}

/* Variables of the slow copy stay in memory if there are calls: promoted, they would need registers that the function
 * saves at each of its entries.
 */
void trod_twin_close(struct trod_twin *t, LLVMValueRef *variable, unsigned count)
{
    bool apart = trod_twin_is_apart(t);

    if (apart)
        trod_bridge_forget_twins(t->twins);
    else
        trod_bridge_join_twins(t->body->function, t->twins);
    trod_bridge_promote(t->slow, &t->cached, 1);
    if (apart)
        trod_bridge_promote(t->slow, &t->own, 1);
    else
        drop_unread(t->own);
    if (apart || !calls(t->slow))
        trod_bridge_promote(t->slow, variable, count);
    else
        for (unsigned i = 0; i < count; i++)
            drop_unread(variable[i]);
    trod_bridge_writes_memory(t->body->function);
    trod_bridge_writes_memory(t->slow);
    /* Reports are calls that LLVM does not see, which would overwrite the red zone. */
    trod_bridge_no_red_zone(t->slow);
    LLVMDisposeBuilder(t->builder);
}
