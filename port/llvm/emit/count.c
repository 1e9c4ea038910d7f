#include "llvm/port.h"

/* Counting is first emitted as a call of __trod_count or __trod_put_cell. The call accesses no memory that the
 * program can see, and has no inline cost, so that instrumentation does not change inlining decisions. The call is
 * lowered after all inlining, and before the last loop passes.
 */

enum {
    THREAD = TROD_COUNT_THREAD,
    TABLE = TROD_COUNT_TABLE,
    INDEX = TROD_COUNT_INDEX,
    BY = TROD_COUNT_BY,
    NARGUMENT = BY + 1
};

static const char add_name[] = "__trod_count", put_name[] = "__trod_put_cell";

static LLVMValueRef count_function(LLVMModuleRef module, const char *name)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMTypeRef parameter[NARGUMENT] = {
        i64, LLVMPointerTypeInContext(context, 0), i64, i64};
    LLVMValueRef function = LLVMGetNamedFunction(module, name);

    if (function)
        return function;
    function = LLVMAddFunction(module, name,
        LLVMFunctionType(LLVMVoidTypeInContext(context), parameter, NARGUMENT, false));
    LLVMSetVisibility(function, LLVMHiddenVisibility);
    trod_bridge_only_counts(function);
    return function;
}

void trod_llvm_put_count(
    LLVMBuilderRef builder, LLVMModuleRef module, struct trod_llvm_count count)
{
    LLVMValueRef function = count_function(module, count.put ? put_name : add_name),
                 call;
    LLVMValueRef argument[NARGUMENT] = {[THREAD] = count.thread,
        [TABLE] = count.table,
        [INDEX] = count.index,
        [BY] = count.by};

    call = LLVMBuildCall2(
        builder, LLVMGlobalGetValueType(function), function, argument, NARGUMENT, "");
    trod_bridge_set_inline_cost(call, 0);
    if (count.begun)
        trod_llvm_mark_begun(call);
}

/* The thread operand is the distance to the thread's counters plus 1, so 1 is subtracted. The address is outside of
 * the table object, so the GEP is not inbounds.
 */
static LLVMValueRef address_of(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMValueRef by = LLVMGetOperand(call, BY), bytes, distance, address;
    LLVMTypeRef i64 = LLVMTypeOf(by),
                i8 = LLVMInt8TypeInContext(LLVMGetTypeContext(i64));

    bytes = LLVMBuildShl(
        builder, LLVMGetOperand(call, INDEX), LLVMConstInt(i64, 3, false), "");
    distance = LLVMBuildAdd(
        builder, LLVMGetOperand(call, THREAD), LLVMConstInt(i64, UINT64_MAX, true), "");
    address = LLVMBuildGEP2(builder, i8, LLVMGetOperand(call, TABLE), &distance, 1, "");
    return LLVMBuildGEP2(builder, i8, address, &bytes, 1, "trod.counter");
}

/* The store to a cell is volatile, because the cell must have its value when the following call begins. */
static void lower(LLVMBuilderRef builder, LLVMValueRef call, bool put)
{
    LLVMValueRef value = LLVMGetOperand(call, BY), address, old, store;

    LLVMPositionBuilderBefore(builder, call);
    address = address_of(builder, call);
    if (!put) {
        old = LLVMBuildLoad2(builder, LLVMTypeOf(value), address, "");
        LLVMSetAlignment(old, 8);
        trod_bridge_mark_counter(old);
        value = LLVMBuildAdd(builder, old, value, "");
    }
    store = LLVMBuildStore(builder, value, address);
    LLVMSetAlignment(store, 8);
    LLVMSetVolatile(store, put);
    trod_bridge_mark_counter(store);
    LLVMInstructionEraseFromParent(call);
}

static bool is_count(LLVMValueRef instruction, LLVMValueRef function)
{
    return function && LLVMIsACallInst(instruction) &&
           LLVMGetCalledValue(instruction) == function;
}

static void lower_function(
    LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef count, LLVMValueRef put)
{
    LLVMValueRef next;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_count(i, count) || is_count(i, put))
                lower(builder, i, is_count(i, put));
        }
}

/* Lowers all functions at once: what LLVM derived about the effects of one function is recorded in its callers, too. */
bool trod_llvm_lower_counts(LLVMModuleRef module, struct trod_arena *mem)
{
    LLVMValueRef count = LLVMGetNamedFunction(module, add_name);
    LLVMValueRef put = LLVMGetNamedFunction(module, put_name);
    LLVMBuilderRef builder;

    if (!count)
        return false;
    builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            struct trod_mark mark = trod_arena_mark(mem);

            trod_llvm_bundle(f, count, builder, mem);
            trod_arena_rewind(mem, mark);
            lower_function(builder, f, count, put);
            trod_bridge_widen_effects(f);
        }
    LLVMDisposeBuilder(builder);
    if (!LLVMGetFirstUse(count))
        LLVMDeleteFunction(count);
    if (put && !LLVMGetFirstUse(put))
        LLVMDeleteFunction(put);
    return true;
}
