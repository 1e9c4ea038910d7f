#include "llvm/port.h"

#include "base/order.h"

#include <string.h>

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

/* An address in common is computed for at least FEWEST_FOR_BASE counts, if it replaces PRICE_OF_BASE instructions or more.
 * NEAR is the distance between the first and the last counter that short instructions reach: on x86-64 their offsets are
 * one byte, from -128.
 */
enum { FEWEST_FOR_BASE = 3, PRICE_OF_BASE = 2, NEAR = 256 - 8, NEAR_BELOW = 120 };

/* A counter's place in its object: the counters of the unit (unit_counters.c), or a table of a shared function. */
struct counter_place {
    LLVMValueRef object;
    uint64_t offset; /* of the table, if the index is not constant */
    uint32_t number; /* of the count, in program order */
    LLVMValueRef call;
};

/* What the counts of one function have in common. */
struct function_counts {
    LLVMBuilderRef builder;
    LLVMValueRef count, put; /* functions; put may be NULL */
    LLVMValueRef thread;     /* that of the first count */
    struct counter_place
        base; /* most counters are in this object, and many near this place */
    LLVMValueRef address; /* of the base for this thread, less 1; NULL: not computed */
    struct counter_place *place; /* of all counts with this thread */
    uint32_t nplace, room_place;
    struct trod_arena *mem;
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

/* Where the call counts. False if that is not known, or if the thread is not that of the others. */
static bool find_place(
    struct counter_place *out, const struct function_counts *m, LLVMValueRef call)
{
    LLVMValueRef index = LLVMGetOperand(call, INDEX);

    if (LLVMGetOperand(call, THREAD) != m->thread)
        return false;
    out->object = trod_bridge_base_of(LLVMGetOperand(call, TABLE), &out->offset);
    if (LLVMIsAConstantInt(index))
        out->offset += 8 * LLVMConstIntGetZExtValue(index);
    return out->object != NULL;
}

static LLVMValueRef add_bytes(const struct function_counts *m, LLVMValueRef call,
    LLVMValueRef address, uint64_t n)
{
    LLVMValueRef bytes = LLVMConstInt(LLVMTypeOf(LLVMGetOperand(call, BY)), n, true);

    return LLVMBuildGEP2(m->builder, byte_in(call), address, &bytes, 1, "");
}

static LLVMValueRef address_of(const struct function_counts *m, LLVMValueRef call)
{
    LLVMValueRef index = LLVMGetOperand(call, INDEX), address, bytes;
    struct counter_place place;
    uint64_t rest =
        8 * (LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) : 0) - 1;

    if (m->address && find_place(&place, m, call) && place.object == m->base.object) {
        address = m->address;
        rest = place.offset - m->base.offset;
    } else {
        address = for_thread(m, call, LLVMGetOperand(call, TABLE));
    }
    if (!LLVMIsAConstantInt(index)) {
        bytes = LLVMBuildShl(
            m->builder, index, LLVMConstInt(LLVMTypeOf(index), 3, false), "");
        address = LLVMBuildGEP2(m->builder, byte_in(call), address, &bytes, 1, "");
    }
    address = add_bytes(m, call, address, rest);
    LLVMSetValueName2(address, "trod.counter", strlen("trod.counter"));
    return address;
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

/* Finds the thread that most functions have only one of, and the places of counters. */
static void note_count(struct function_counts *m, LLVMValueRef call)
{
    struct counter_place place;

    if (!m->thread && LLVMIsAInstruction(LLVMGetOperand(call, THREAD)))
        m->thread = LLVMGetOperand(call, THREAD);
    if (!m->thread || !find_place(&place, m, call))
        return;
    place.number = m->nplace;
    place.call = call;
    trod_push(m->mem, m->place, m->nplace, m->room_place, place);
}

TROD_ORDER(by_object, struct counter_place, TROD_UP(object), TROD_UP(offset))

/* The object with most of the counters, the first of several, and the place in it that most of its counters are near.
 * Returns how many the object has.
 */
static uint32_t choose_base(struct function_counts *m)
{
    uint32_t most = 0;

    trod_sort(m->place, m->nplace, by_object);
    for (uint32_t first = 0, end; first < m->nplace; first = end) {
        uint32_t low = first, most_near = 0;
        struct counter_place base = m->place[first];

        for (end = first; end < m->nplace && m->place[end].object == base.object;
            end++) {
            while (m->place[end].offset - m->place[low].offset > NEAR)
                low++;
            if (end - low < most_near)
                continue;
            most_near = end - low + 1;
            base.offset = m->place[low].offset + NEAR_BELOW;
        }
        if (end - first < most || (end - first == most && base.number > m->base.number))
            continue;
        most = end - first;
        m->base = base;
    }
    return most;
}

/* An address that lies within the base's object. It has a symbol of its own, because the code generator adds the
 * distance of the thread before a constant. If units share the object, the linker drops all copies but one: then only
 * the object's own symbol is certain to be in the copy that remains, and the base is its first byte. Bundles of a shared
 * function are not shared themselves: they are dropped or kept together with its code.
 */
static LLVMValueRef name_place(struct function_counts *m, LLVMValueRef call)
{
    LLVMTypeRef byte = byte_in(call);
    LLVMModuleRef module = LLVMGetGlobalParent(m->count);
    LLVMValueRef at, alias;

    if (LLVMGetLinkage(m->base.object) != LLVMPrivateLinkage) {
        m->base.offset = 1;
        return m->base.object;
    }
    at = LLVMConstInt(LLVMTypeOf(LLVMGetOperand(call, BY)), m->base.offset - 1, true);
    alias = LLVMAddAlias2(
        module, byte, 0, LLVMConstGEP2(byte, m->base.object, &at, 1), "__trod_near");
    LLVMSetLinkage(alias, LLVMPrivateLinkage);
    return alias;
}

/* Computes the address in the last block that executes before all counts that use it, outside of loops, if these are
 * frequent enough by LLVM's estimate. If the thread is determined in a loop, which was a recursion, the address is computed in it, too.
 */
static void add_base(struct function_counts *m, LLVMValueRef function)
{
    struct trod_bridge_flow *flow = trod_bridge_flow_open(function);
    LLVMBasicBlockRef above = NULL, from = LLVMGetInstructionParent(m->thread);
    LLVMValueRef at, call = NULL;
    double executed = 0;

    for (uint32_t i = 0; i < m->nplace; i++) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(m->place[i].call);

        if (m->place[i].object != m->base.object ||
            !trod_bridge_flow_is_reachable(flow, block))
            continue;
        call = m->place[i].call;
        executed += trod_bridge_flow_frequency(flow, block);
        above = trod_bridge_flow_above(flow, from, above ? above : block, block);
    }
    if (above && executed >= PRICE_OF_BASE * trod_bridge_flow_frequency(flow, above)) {
        at = above == from ? LLVMGetNextInstruction(m->thread)
                           : trod_bridge_first_insertion(above);
        if (LLVMIsAPHINode(at))
            at = trod_bridge_first_insertion(from);
        LLVMPositionBuilderBefore(m->builder, at);
        m->address = for_thread(m, call, name_place(m, call));
    }
    trod_bridge_flow_close(flow);
}

static void lower_function(struct function_counts *m, LLVMValueRef function)
{
    struct trod_mark mark = trod_arena_mark(m->mem);
    LLVMValueRef next;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
            i = LLVMGetNextInstruction(i))
            if (is_count(i, m->count) || is_count(i, m->put))
                note_count(m, i);
    if (!trod_llvm_without(TROD_LEVER_ADDRESSES) && choose_base(m) >= FEWEST_FOR_BASE)
        add_base(m, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_count(i, m->count) || is_count(i, m->put))
                lower(m, i, is_count(i, m->put));
        }
    trod_arena_rewind(m->mem, mark);
}

/* Lowers all functions at once: what LLVM derived about the effects of one function is recorded in its callers, too. */
bool trod_llvm_lower_counts(LLVMModuleRef module, struct trod_arena *mem)
{
    LLVMValueRef count = LLVMGetNamedFunction(module, add_name);
    LLVMValueRef put = LLVMGetNamedFunction(module, put_name);
    LLVMBuilderRef builder;

    if (!count)
        return false;
    if (!trod_llvm_without(TROD_LEVER_ADDRESSES))
        trod_llvm_unit_counters(module, mem);
    builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            struct function_counts m = {
                .builder = builder, .count = count, .put = put, .mem = mem};

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
    if (!trod_llvm_without(TROD_LEVER_BUNDLES))
        trod_llvm_bundle(function, count, builder, mem);
    if (!trod_llvm_without(TROD_LEVER_LOOPS))
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
