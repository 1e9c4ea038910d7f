#include "llvm/port.h"

/* Counting is first emitted as a call of __trod_count or __trod_put_cell. The call accesses no memory that the
 * program can see, and has no inline cost, so that instrumentation does not change inlining decisions. After inlining,
 * counts are joined (bundle.c) and taken out of loops (loop_counts.c). The calls are lowered after all optimisations:
 * LLVM would otherwise hoist the addresses of counters out of loops, and spill them.
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

bool trod_llvm_has_known_counter(LLVMValueRef call)
{
    LLVMValueRef table = LLVMGetOperand(call, TABLE),
                 index = LLVMGetOperand(call, INDEX);

    return LLVMIsAGlobalVariable(table) && LLVMIsAConstantInt(index) &&
           LLVMConstIntGetZExtValue(index) <
               LLVMGetArrayLength2(LLVMGlobalGetValueType(table));
}

/* --- addresses ------------------------------------------------------------------------------------- */

enum {
    FEWEST_FOR_BASE = 3
}; /* counts for which it pays to compute the address of the unit's counters */

/* What the counts of one function have in common. */
struct function_counts {
    LLVMBuilderRef builder;
    LLVMValueRef count, put; /* functions; put may be NULL */
    LLVMValueRef unit;   /* global: counters of the unit (unit_counters.c); or NULL */
    LLVMValueRef thread; /* that of the first count */
    LLVMValueRef
        base; /* address of the unit's counters for this thread; NULL: not computed */
    uint32_t ncount; /* calls that count in the unit's counters with this thread */
};

static LLVMTypeRef byte_in(LLVMValueRef call)
{
    return LLVMInt8TypeInContext(
        LLVMGetTypeContext(LLVMTypeOf(LLVMGetOperand(call, BY))));
}

/* The thread operand is the distance to the thread's counters plus 1; address_of subtracts the 1. The address is
 * outside of the global, so the GEP is not inbounds.
 */
static LLVMValueRef for_thread(
    const struct function_counts *m, LLVMValueRef call, LLVMValueRef global)
{
    LLVMValueRef distance = LLVMGetOperand(call, THREAD);

    return LLVMBuildGEP2(m->builder, byte_in(call), global, &distance, 1, "");
}

/* Does the call count in the unit's counters, with the thread of the others? */
static bool is_in_unit(
    const struct function_counts *m, LLVMValueRef call, uint64_t *offset)
{
    return m->unit && LLVMGetOperand(call, THREAD) == m->thread &&
           trod_bridge_base_of(LLVMGetOperand(call, TABLE), offset) == m->unit;
}

static LLVMValueRef address_of(const struct function_counts *m, LLVMValueRef call)
{
    LLVMTypeRef i64 = LLVMTypeOf(LLVMGetOperand(call, BY));
    LLVMValueRef address, bytes, rest;
    uint64_t offset = 0;

    if (m->base && is_in_unit(m, call, &offset)) {
        address = m->base;
    } else {
        address = for_thread(m, call, LLVMGetOperand(call, TABLE));
        offset = 0;
    }
    bytes = LLVMBuildShl(
        m->builder, LLVMGetOperand(call, INDEX), LLVMConstInt(i64, 3, false), "");
    address = LLVMBuildGEP2(m->builder, byte_in(call), address, &bytes, 1, "");
    rest = LLVMConstInt(i64, offset - 1, true);
    return LLVMBuildGEP2(m->builder, byte_in(call), address, &rest, 1, "trod.counter");
}

/* --- lowering -------------------------------------------------------------------------------------- */

/* The store to a cell is volatile, because the cell must have its value when the following call begins. */
static void lower(const struct function_counts *m, LLVMValueRef call, bool put)
{
    LLVMValueRef value = LLVMGetOperand(call, BY), address, old, store;

    LLVMPositionBuilderBefore(m->builder, call);
    address = address_of(m, call);
    if (!put) {
        old = LLVMBuildLoad2(m->builder, LLVMTypeOf(value), address, "");
        LLVMSetAlignment(old, 8);
        trod_bridge_mark_counter(old);
        value = LLVMBuildAdd(m->builder, old, value, "");
    }
    store = LLVMBuildStore(m->builder, value, address);
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

/* Finds the thread that most functions have only one of, and how often it counts in the unit's counters. */
static void find_thread(struct function_counts *m, LLVMValueRef call)
{
    uint64_t offset;

    if (!m->thread && LLVMIsAInstruction(LLVMGetOperand(call, THREAD)))
        m->thread = LLVMGetOperand(call, THREAD);
    m->ncount += is_in_unit(m, call, &offset);
}

/* One address for all counters of the unit, where the thread is determined. */
static void add_base(struct function_counts *m, LLVMValueRef call)
{
    LLVMValueRef next = LLVMGetNextInstruction(m->thread);

    if (m->ncount < FEWEST_FOR_BASE)
        return;
    if (LLVMIsAPHINode(next))
        next = trod_bridge_first_insertion(LLVMGetInstructionParent(m->thread));
    LLVMPositionBuilderBefore(m->builder, next);
    m->base = for_thread(m, call, m->unit);
}

static void lower_function(struct function_counts *m, LLVMValueRef function)
{
    LLVMValueRef next, last = NULL;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
            i = LLVMGetNextInstruction(i)) {
            uint64_t offset;

            if (!is_count(i, m->count) && !is_count(i, m->put))
                continue;
            find_thread(m, i);
            if (is_in_unit(m, i, &offset))
                last = i;
        }
    if (last)
        add_base(m, last);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_count(i, m->count) || is_count(i, m->put))
                lower(m, i, is_count(i, m->put));
        }
}

/* Lowers all functions at once: what LLVM derived about the effects of one function is recorded in its callers, too. */
bool trod_llvm_lower_counts(LLVMModuleRef module, struct trod_arena *mem)
{
    LLVMValueRef count = LLVMGetNamedFunction(module, add_name);
    LLVMValueRef put = LLVMGetNamedFunction(module, put_name), unit;
    LLVMBuilderRef builder;

    if (!count)
        return false;
    unit = trod_llvm_unit_counters(module, mem);
    builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            struct function_counts m = {
                .builder = builder, .count = count, .put = put, .unit = unit};

            lower_function(&m, f);
            trod_bridge_widen_effects(f);
        }
    LLVMDisposeBuilder(builder);
    if (!LLVMGetFirstUse(count))
        LLVMDeleteFunction(count);
    if (put && !LLVMGetFirstUse(put))
        LLVMDeleteFunction(put);
    return true;
}

/* --- before that, after inlining --------------------------------------------------------------------- */

/* A function whose counts are joined has this attribute, also if the rest of the pipeline runs when it is linked. */
static const char joined_mark[] = "trod-joined";

static void join_function(LLVMValueRef function, LLVMValueRef count,
    LLVMBuilderRef builder, struct trod_arena *mem)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    struct trod_mark mark = trod_arena_mark(mem);

    if (LLVMGetStringAttributeAtIndex(
            function, LLVMAttributeFunctionIndex, joined_mark, sizeof joined_mark - 1))
        return;
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, joined_mark, sizeof joined_mark - 1, "", 0));
    trod_llvm_bundle(function, count, builder, mem);
    trod_llvm_count_in_registers(function, count, builder, mem);
    trod_arena_rewind(mem, mark);
}

bool trod_llvm_join_counts(LLVMModuleRef module, struct trod_arena *mem)
{
    LLVMValueRef count = LLVMGetNamedFunction(module, add_name);
    LLVMBuilderRef builder;

    if (!count)
        return false;
    builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            join_function(f, count, builder, mem);
    LLVMDisposeBuilder(builder);
    return true;
}
