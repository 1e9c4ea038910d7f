#include "llvm/port.h"

#include <string.h>

/* A function "stays" if it always ends by returning: it makes no call that may abandon it, except
 * of functions that stay. This is the greatest fixed point: at first all functions are marked, and
 * marks are removed until nothing changes. The mark is a string attribute, which LLVM ignores.
 */
static const char mark[] = "trod-stays";

static bool is_marked(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(
               function, LLVMAttributeFunctionIndex, mark, sizeof mark - 1) != NULL;
}

bool trod_llvm_leaves(LLVMValueRef instruction)
{
    LLVMValueRef callee;

    if (!trod_bridge_may_leave(instruction))
        return false;
    callee = trod_bridge_callee(instruction);
    return !callee || !is_marked(callee);
}

LLVMValueRef trod_llvm_first_leaving(LLVMBasicBlockRef block, LLVMValueRef before)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
        i = LLVMGetNextInstruction(i)) {
        if (i == before && i != LLVMGetBasicBlockTerminator(block))
            return NULL;
        if (trod_llvm_leaves(i))
            return i;
    }
    return NULL;
}

bool trod_llvm_may_leave(LLVMBasicBlockRef block, LLVMValueRef before)
{
    return trod_llvm_first_leaving(block, before) != NULL;
}

static bool stays(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        if (trod_llvm_may_leave(b, NULL))
            return false;
    return true;
}

/* cost:   passes over the module: at most the depth of the call graph */
void trod_llvm_find_leaving(LLVMModuleRef module)
{
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(
        LLVMGetModuleContext(module), mark, sizeof mark - 1, "", 0);
    bool changed = true;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
    while (changed) {
        changed = false;
        for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
            f = LLVMGetNextFunction(f))
            if (is_marked(f) && !stays(f)) {
                LLVMRemoveStringAttributeAtIndex(
                    f, LLVMAttributeFunctionIndex, mark, sizeof mark - 1);
                changed = true;
            }
    }
}
