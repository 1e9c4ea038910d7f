#include "llvm/port.h"

/* Counting, first as a call of __trod_count, which touches nothing that the program could see and
 * costs nothing in the eyes of the inliner: what is inlined into what is not for us to
 * change. When all inlining is done, and before loops are dealt with for the last time, the
 * call becomes what it stands for.
 */

enum { THREAD, TABLE, INDEX, BY, NARGUMENT };

static LLVMValueRef count_function(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMTypeRef parameter[NARGUMENT] = {
        i64, LLVMPointerTypeInContext(context, 0), i64, i64};
    LLVMValueRef function = LLVMGetNamedFunction(module, "__trod_count");

    if (function)
        return function;
    function = LLVMAddFunction(module, "__trod_count",
        LLVMFunctionType(LLVMVoidTypeInContext(context), parameter, NARGUMENT, false));
    LLVMSetVisibility(function, LLVMHiddenVisibility);
    trod_bridge_only_counts(function);
    return function;
}

void trod_llvm_put_count(
    LLVMBuilderRef builder, LLVMModuleRef module, struct trod_llvm_count count)
{
    LLVMValueRef function = count_function(module), call;
    LLVMValueRef argument[NARGUMENT] = {[THREAD] = count.thread,
        [TABLE] = count.table,
        [INDEX] = count.index,
        [BY] = count.by};

    call = LLVMBuildCall2(
        builder, LLVMGlobalGetValueType(function), function, argument, NARGUMENT, "");
    trod_bridge_set_inline_cost(call, 0);
}

/* The table's address less 1 is what the thread's distance plus 1 is added to. Address arithmetic
 * leaves the table on purpose: not inbounds.
 */
static void lower(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMValueRef by = LLVMGetOperand(call, BY), bytes, distance, address, old, store;
    LLVMTypeRef i64 = LLVMTypeOf(by),
                i8 = LLVMInt8TypeInContext(LLVMGetTypeContext(i64));

    LLVMPositionBuilderBefore(builder, call);
    bytes = LLVMBuildShl(
        builder, LLVMGetOperand(call, INDEX), LLVMConstInt(i64, 3, false), "");
    distance = LLVMBuildAdd(
        builder, LLVMGetOperand(call, THREAD), LLVMConstInt(i64, UINT64_MAX, true), "");
    address = LLVMBuildGEP2(builder, i8, LLVMGetOperand(call, TABLE), &distance, 1, "");
    address = LLVMBuildGEP2(builder, i8, address, &bytes, 1, "trod.counter");
    old = LLVMBuildLoad2(builder, i64, address, "");
    store = LLVMBuildStore(builder, LLVMBuildAdd(builder, old, by, ""), address);
    LLVMSetAlignment(old, 8);
    LLVMSetAlignment(store, 8);
    trod_bridge_mark_counter(old);
    trod_bridge_mark_counter(store);
    LLVMInstructionEraseFromParent(call);
}

static bool is_count(LLVMValueRef instruction, LLVMValueRef function)
{
    return LLVMIsACallInst(instruction) && LLVMGetCalledValue(instruction) == function;
}

static void lower_function(
    LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef count)
{
    LLVMValueRef next;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_count(i, count))
                lower(builder, i);
        }
}

/* All at once: what LLVM has found out about one function stands in its callers, too. */
bool trod_llvm_lower_counts(LLVMModuleRef module)
{
    LLVMValueRef count = LLVMGetNamedFunction(module, "__trod_count");
    LLVMBuilderRef builder;

    if (!count)
        return false;
    builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            lower_function(builder, f, count);
            trod_bridge_widen_effects(f);
        }
    LLVMDisposeBuilder(builder);
    if (!LLVMGetFirstUse(count))
        LLVMDeleteFunction(count);
    return true;
}
