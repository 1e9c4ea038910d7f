#include "llvm/port.h"

/* A brute-force recorder for tests: every block reports that it ran, without plans, numberings and placement.
 * test/program compares its log with the counts.
 *
 *     uint64_t __trod_oracle_enter(uint64_t name)                    a new activation
 *     void __trod_oracle_block(uint64_t activation, uint32_t block)
 *     void __trod_oracle_back(uint64_t activation, uint32_t block)   setjmp returned
 *     void __trod_oracle_returned(uint64_t activation, uint32_t block)
 *                                                                    its first call returned
 *     void __trod_oracle_leave(uint64_t activation, uint32_t how)    the activation ends
 */
struct oracle {
    const struct trod_body *body;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef i64, i32, none;
    LLVMValueRef activation; /* local variable */
    bool in_memory;          /* not in a register, which setjmp may restore */
};

static LLVMValueRef call(const struct oracle *o, const char *name, LLVMTypeRef result,
    LLVMTypeRef *parameter, LLVMValueRef *value, unsigned count)
{
    LLVMTypeRef type = LLVMFunctionType(result, parameter, count, false);
    LLVMValueRef function = LLVMGetNamedFunction(o->module, name);

    if (!function) {
        unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);

        function = LLVMAddFunction(o->module, name, type);
        LLVMSetVisibility(function, LLVMHiddenVisibility);
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(LLVMGetModuleContext(o->module), nounwind, 0));
    }
    return LLVMBuildCall2(o->builder, type, function, value, count, "");
}

static void add_activation(struct oracle *o, uint64_t name)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(o->body->function);
    LLVMValueRef value = LLVMConstInt(o->i64, name, false), store;

    LLVMPositionBuilderBefore(o->builder, LLVMGetFirstInstruction(entry));
    o->activation = LLVMBuildAlloca(o->builder, o->i64, "trod.activation");
    value = call(o, "__trod_oracle_enter", o->i64, &o->i64, &value, 1);
    store = LLVMBuildStore(o->builder, value, o->activation);
    LLVMSetVolatile(store, o->in_memory);
}

static LLVMValueRef load_activation(const struct oracle *o)
{
    LLVMValueRef load = LLVMBuildLoad2(o->builder, o->i64, o->activation, "");

    LLVMSetVolatile(load, o->in_memory);
    return load;
}

static void add_event(
    const struct oracle *o, const char *name, unsigned number, LLVMValueRef before)
{
    LLVMTypeRef parameter[2] = {o->i64, o->i32};
    LLVMValueRef value[2];

    LLVMPositionBuilderBefore(o->builder, before);
    value[0] = load_activation(o);
    value[1] = LLVMConstInt(o->i32, number, false);
    call(o, name, o->none, parameter, value, 2);
}

/* How a function ends. 0: returns; 1: resumes unwinding; 2: calls a function that does not return. */
static unsigned how_left(LLVMValueRef terminator)
{
    switch (LLVMGetInstructionOpcode(terminator)) {
    case LLVMRet:
        return 0;
    case LLVMResume:
        return 1;
    default:
        return 2;
    }
}

/* Reports that the call at the start of a block returned. Calls that end the block are skipped. */
static void add_returned(const struct oracle *o, trod_node v)
{
    LLVMValueRef call = o->body->call_of_node ? o->body->call_of_node[v] : NULL;

    if (call && LLVMIsACallInst(call))
        add_event(o, "__trod_oracle_returned", v, LLVMGetNextInstruction(call));
}

static bool returns_twice(const struct trod_body *body)
{
    for (trod_node v = 0; v < body->graph.nnode; v++)
        if (trod_bridge_returns_twice(body->block[v]))
            return true;
    return false;
}

void trod_llvm_oracle(const struct trod_body *body,
    const struct trod_rt_function *record, struct trod_arena *mem)
{
    LLVMModuleRef module = LLVMGetGlobalParent(body->function);
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct oracle o = {.body = body,
        .module = module,
        .builder = LLVMCreateBuilderInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
        .i32 = LLVMInt32TypeInContext(context),
        .none = LLVMVoidTypeInContext(context),
        .in_memory = returns_twice(body)};
    LLVMValueRef *first = trod_new(mem, LLVMValueRef, body->graph.nnode);
    LLVMValueRef *out_of = trod_new(mem, LLVMValueRef, body->graph.nnode);

    for (trod_node v = 0; v < body->graph.nnode; v++) {
        first[v] = trod_bridge_first_insertion(body->block[v]);
        out_of[v] = trod_llvm_way_out(body->block[v]);
    }
    add_activation(&o, record->name);
    for (trod_node v = 0; v < body->graph.nnode; v++) {
        LLVMValueRef term = LLVMGetBasicBlockTerminator(body->block[v]);

        if (body->hidden && body->hidden[v])
            continue;
        add_returned(&o, v);
        add_event(&o, "__trod_oracle_block", v, first[v]);
        if (trod_graph_leave(&body->graph, v) == TROD_RETURNS_AGAIN)
            add_event(&o, "__trod_oracle_back", v, term);
        if (!LLVMGetNumSuccessors(term))
            add_event(&o, "__trod_oracle_leave", how_left(term), out_of[v]);
    }
    if (!o.in_memory)
        trod_bridge_promote(body->function, &o.activation, 1);
    trod_bridge_writes_memory(body->function);
    LLVMDisposeBuilder(o.builder);
}
