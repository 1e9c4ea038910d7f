#include "llvm/port.h"

/* Chains of paths (src/path/number/number.h): the id of a chain has the ids of its paths as digits, the last path
 * last.
 *
 * For K iterations, K-1 variables hold the ids of the chains of the last 1, 2, ..., K-1 paths. When a path ends, each
 * becomes the next shorter one times the base, plus the new digit. These multiplications are independent; dropping
 * the first digit of a single number would take a division.
 */

/* When a call returns again, registers may have the values of its first return, but memory keeps later ones. So these
 * variables are in memory: paths that ended before a longjmp did end.
 */
static bool returns_again(const struct trod_graph *graph)
{
    for (trod_node v = 0; v < graph->nnode; v++)
        if (trod_graph_leave(graph, v) == TROD_RETURNS_AGAIN)
            return true;
    return false;
}

static void put_past(const struct trod_llvm_past *past, LLVMBuilderRef builder,
    unsigned k, LLVMValueRef value)
{
    LLVMSetVolatile(LLVMBuildStore(builder, value, past->past[k]), past->in_memory);
}

static LLVMValueRef get_past(
    const struct trod_llvm_past *past, LLVMBuilderRef builder, unsigned k)
{
    LLVMValueRef load = LLVMBuildLoad2(builder, past->i64, past->past[k], "trod.past");

    LLVMSetVolatile(load, past->in_memory);
    return load;
}

void trod_llvm_past_open(struct trod_llvm_past *out, const struct trod_body *body,
    LLVMBuilderRef builder, LLVMValueRef in)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(body->function);

    *out = (struct trod_llvm_past){.chain = body->chain,
        .function = body->function,
        .i64 = LLVMInt64TypeInContext(
            LLVMGetModuleContext(LLVMGetGlobalParent(body->function))),
        .in_memory = returns_again(&body->graph)};
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
    for (unsigned k = 1; k < body->chain->iterations; k++)
        out->past[k] = LLVMBuildAlloca(builder, out->i64, "trod.past");
    LLVMPositionBuilderBefore(builder, in);
    for (unsigned k = 1; k < body->chain->iterations; k++)
        put_past(out, builder, k, LLVMConstNull(out->i64));
}

LLVMValueRef trod_llvm_past_add(
    const struct trod_llvm_past *past, LLVMBuilderRef builder, LLVMValueRef path)
{
    LLVMValueRef base = LLVMConstInt(past->i64, past->chain->base, false);
    LLVMValueRef digit =
        LLVMBuildAdd(builder, path, LLVMConstInt(past->i64, 1, false), "");
    LLVMValueRef id = NULL, longer;

    for (unsigned k = past->chain->iterations - 1; k; k--) {
        longer = LLVMBuildAdd(builder,
            LLVMBuildMul(builder, get_past(past, builder, k), base, ""), digit, "");
        if (id)
            put_past(past, builder, k + 1, longer);
        else
            id = longer;
    }
    put_past(past, builder, 1, digit);
    return id;
}

void trod_llvm_past_close(struct trod_llvm_past *past)
{
    if (!past->in_memory)
        trod_bridge_promote(
            past->function, past->past + 1, past->chain->iterations - 1);
}
