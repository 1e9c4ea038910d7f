/* What times the paths of the slow copy: see struct trod_rt_watch. An activation has its watch in its frame, so that
 * nothing needs to be undone when longjmp or an exception abandons it.
 */
#include "llvm/twin/twin_burst.h"

#include <stdio.h>
#include <string.h>

enum {
    WORDS = sizeof(struct trod_rt_watch) / sizeof(uint64_t),
    METER_WORDS = sizeof(struct trod_rt_meter) / sizeof(uint64_t)
};

static bool has_x86(const struct trod_burst_code *b)
{
    return strncmp(LLVMGetTarget(b->t.module), "x86_64", 6) == 0;
}

void trod_burst_report(
    const struct trod_burst_code *b, LLVMValueRef at, const char *name)
{
    static const char plain[] = "__trod_burst_";
    char timed[40];

    if (b->watch && strncmp(name, plain, sizeof plain - 1) == 0) {
        snprintf(timed, sizeof timed, "__trod_timed_%s", name + sizeof plain - 1);
        name = timed;
    }
    trod_twin_report(&b->t, at, name);
}

/* Elsewhere than on x86-64, at an argument: what is passed in memory may be changed by a signal handler. */
static void call_with_watch(const struct trod_burst_code *b, const char *name)
{
    LLVMTypeRef pointer = trod_llvm_pointer(b->t.context);
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(b->t.context), &pointer, 1, false);
    LLVMValueRef function = LLVMGetNamedFunction(b->t.module, name), watch = b->watch;
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);

    if (!function) {
        function = LLVMAddFunction(b->t.module, name, type);
        LLVMSetVisibility(function, LLVMHiddenVisibility);
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(b->t.context, nounwind, 0));
        trod_bridge_mark_cold(function);
    }
    LLVMBuildCall2(b->t.builder, type, function, &watch, 1, "");
}

static void report(const struct trod_burst_code *b, const char *what)
{
    char name[40];

    snprintf(name, sizeof name, "__trod_%s_%s", b->metrics ? "meter" : "watch", what);
    if (has_x86(b))
        trod_twin_report(&b->t, b->watch, name);
    else
        call_with_watch(b, name);
}

void trod_burst_time_open(struct trod_burst_code *b)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(b->t.slow);

    b->npath_end = trod_new(b->t.mem, uint32_t, 1);
    if (!trod_burst_has(b, TROD_BURST_TIME))
        return;
    LLVMPositionBuilderBefore(b->t.builder, LLVMGetFirstInstruction(entry));
    b->watch = LLVMBuildAlloca(b->t.builder,
        LLVMArrayType2(b->t.i64, b->metrics ? METER_WORDS : WORDS), "trod.watch");
}

void trod_burst_time_start(const struct trod_burst_code *b)
{
    if (b->watch)
        report(b, "start");
}

void trod_burst_time_pause(const struct trod_burst_code *b)
{
    if (b->watch)
        report(b, "pause");
}

void trod_burst_time_resume(const struct trod_burst_code *b)
{
    if (b->watch)
        report(b, "resume");
}

void trod_burst_time_stop(const struct trod_burst_code *b)
{
    ++*b->npath_end;
    trod_burst_time_pause(b);
}

static void put_word(const struct trod_burst_code *b, size_t at, LLVMValueRef value)
{
    LLVMValueRef index = trod_twin_number(&b->t, at / sizeof(uint64_t));

    LLVMBuildStore(b->t.builder, value,
        LLVMBuildGEP2(b->t.builder, b->t.i64, b->watch, &index, 1, ""));
}

void trod_burst_time_count(const struct trod_burst_code *b, LLVMValueRef at)
{
    LLVMBuilderRef builder = b->t.builder;
    LLVMValueRef path;

    if (!b->watch)
        return;
    path = LLVMBuildSub(builder, LLVMBuildPtrToInt(builder, at, b->t.i64, ""),
        LLVMBuildPtrToInt(builder, b->paths.table, b->t.i64, ""), "");
    put_word(b, offsetof(struct trod_rt_watch, path),
        LLVMBuildUDiv(builder, path, trod_twin_number(&b->t, sizeof(uint64_t)), ""));
    put_word(b, offsetof(struct trod_rt_watch, table),
        LLVMBuildPtrToInt(builder, b->events_data.table, b->t.i64, ""));
    report(b, "ended");
}

/* --- calls ------------------------------------------------------------------------------------ */

static bool is_call(LLVMValueRef i)
{
    return (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && !LLVMIsAIntrinsicInst(i) &&
           !LLVMIsAInlineAsm(LLVMGetCalledValue(i));
}

static void put_pause(const struct trod_burst_code *b, LLVMValueRef call)
{
    LLVMPositionBuilderBefore(b->t.builder, call);
    trod_burst_time_pause(b);
    if (LLVMIsAInvokeInst(call))
        return;
    LLVMPositionBuilderBefore(b->t.builder, LLVMGetNextInstruction(call));
    trod_burst_time_resume(b);
}

/* Where control continues after an invoke, or after another call that ends a block. */
static void put_resume_on(const struct trod_burst_code *b, trod_edge e)
{
    const struct trod_body *body = b->t.body;
    LLVMValueRef term = b->terminator[body->graph.src_of_edge[e]];

    if (LLVMGetInstructionOpcode(term) != LLVMInvoke)
        return;
    LLVMPositionBuilderBefore(b->t.builder,
        trod_bridge_first_insertion(LLVMGetSuccessor(
            trod_bridge_twin_of(b->t.twins, term), body->successor_of_edge[e])));
    trod_burst_time_resume(b);
}

/* A path that ends before a call, as before one that does not return, is not running any more. */
void trod_burst_time_calls(const struct trod_burst_code *b)
{
    const struct trod_body *body = b->t.body;

    if (!b->watch)
        return;
    for (trod_node v = 0; v < body->graph.nnode; v++) {
        LLVMValueRef last = trod_bridge_last_call(body->block[v]);

        for (LLVMValueRef i = LLVMGetFirstInstruction(body->block[v]); i;
            i = LLVMGetNextInstruction(i))
            if (is_call(i) && i != last && (i != b->way_out[v] || LLVMIsAInvokeInst(i)))
                put_pause(b, trod_bridge_twin_of(b->t.twins, i));
    }
    for (trod_edge e = 0; e < body->graph.nedge; e++)
        put_resume_on(b, e);
}
