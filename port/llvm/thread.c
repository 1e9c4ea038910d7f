#include "llvm/port.h"

#include <string.h>

/* Where the thread's counters are: __trod_thread, or while that is 0, __trod_enter().
 *
 * Functions that count ask once, by a call of __trod_self, of which LLVM is told that it reads
 * nothing and always answers the same. So those of functions inlined into one become one, and
 * go to where they are needed. Only when all that has been done are the calls replaced by what
 * they stand for: a load, a test and a branch that is hardly ever taken.
 */

static LLVMTypeRef word_of(LLVMModuleRef module)
{
    return LLVMInt64TypeInContext(LLVMGetModuleContext(module));
}

static void give(LLVMValueRef function, const char *attribute, size_t length)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, length);

    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(context, kind, 0));
}

static LLVMValueRef declare(LLVMModuleRef module, const char *name)
{
    LLVMTypeRef type = LLVMFunctionType(word_of(module), NULL, 0, false);
    LLVMValueRef function = LLVMAddFunction(module, name, type);

    LLVMSetVisibility(function, LLVMHiddenVisibility);
    give(function, "nounwind", 8);
    return function;
}

static LLVMValueRef call(LLVMBuilderRef builder, LLVMValueRef function)
{
    LLVMValueRef made = LLVMBuildCall2(
        builder, LLVMGlobalGetValueType(function), function, NULL, 0, "trod.counters");

    LLVMSetInstructionCallConv(made, LLVMGetFunctionCallConv(function));
    return made;
}

static LLVMValueRef thread_variable(LLVMModuleRef module)
{
    LLVMValueRef global = LLVMGetNamedGlobal(module, "__trod_thread");

    if (global)
        return global;
    global = LLVMAddGlobal(module, word_of(module), "__trod_thread");
    LLVMSetThreadLocalMode(global, LLVMInitialExecTLSModel);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    return global;
}

static LLVMValueRef enter_function(LLVMModuleRef module)
{
    bool most = strncmp(LLVMGetTarget(module), "x86_64", 6) == 0;
    const char *name = most ? "__trod_enter_most" : "__trod_enter";
    LLVMValueRef enter = LLVMGetNamedFunction(module, name);

    if (enter)
        return enter;
    enter = declare(module, name);
    give(enter, "cold", 4);
    if (most)
        LLVMSetFunctionCallConv(enter, LLVMPreserveMostCallConv);
    return enter;
}

LLVMValueRef trod_llvm_load_thread(LLVMValueRef before)
{
    LLVMBasicBlockRef head = LLVMGetInstructionParent(before), slow, rest, from[2];
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(head));
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMValueRef none, value[2], thread;

    LLVMPositionBuilderBefore(builder, before);
    value[0] = LLVMBuildLoad2(
        builder, word_of(module), thread_variable(module), "trod.thread");
    none = LLVMBuildICmp(builder, LLVMIntEQ, value[0],
        LLVMConstInt(word_of(module), 0, false), "trod.none");
    trod_bridge_mark_thread(value[0]);
    rest = trod_bridge_split_before(before);
    slow = LLVMInsertBasicBlockInContext(context, rest, "trod.enter");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(builder, head);
    trod_bridge_mark_unlikely(LLVMBuildCondBr(builder, none, slow, rest));
    LLVMPositionBuilderAtEnd(builder, slow);
    value[1] = call(builder, enter_function(module));
    LLVMBuildBr(builder, rest);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(rest));
    thread = LLVMBuildPhi(builder, word_of(module), "trod.counters");
    from[0] = head;
    from[1] = slow;
    LLVMAddIncoming(thread, value, from, 2);
    LLVMDisposeBuilder(builder);
    return thread;
}

LLVMValueRef trod_llvm_put_thread(LLVMBuilderRef builder, LLVMModuleRef module)
{
    LLVMValueRef self = LLVMGetNamedFunction(module, "__trod_self"), asked;

    if (!self) {
        self = declare(module, "__trod_self");
        give(self, "willreturn", 10);
        give(self, "speculatable", 12);
        trod_bridge_is_pure(self);
    }
    asked = call(builder, self);
    trod_bridge_set_inline_cost(asked, 0);
    return asked;
}

bool trod_llvm_lower_threads(LLVMModuleRef module)
{
    LLVMValueRef self = LLVMGetNamedFunction(module, "__trod_self");
    LLVMUseRef use;

    while (self && (use = LLVMGetFirstUse(self))) {
        LLVMValueRef asked = LLVMGetUser(use);

        LLVMReplaceAllUsesWith(asked, trod_llvm_load_thread(asked));
        LLVMInstructionEraseFromParent(asked);
    }
    if (self)
        LLVMDeleteFunction(self);
    return self != NULL;
}
