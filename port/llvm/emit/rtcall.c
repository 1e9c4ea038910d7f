#include "llvm/port.h"

#include <stdio.h>
#include <string.h>

LLVMTypeRef trod_llvm_pointer(LLVMContextRef context)
{
    return LLVMPointerTypeInContext(context, 0);
}

LLVMValueRef trod_llvm_declare(
    LLVMModuleRef module, const char *name, LLVMTypeRef *parameter, unsigned count)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef function = LLVMGetNamedFunction(module, name);

    if (function)
        return function;
    function = LLVMAddFunction(module, name,
        LLVMFunctionType(LLVMVoidTypeInContext(context), parameter, count, false));
    LLVMSetVisibility(function, LLVMHiddenVisibility);
    trod_bridge_only_counts(function);
    return function;
}

void trod_llvm_put_call(LLVMBuilderRef builder, LLVMModuleRef module, const char *name,
    LLVMValueRef *argument, unsigned count, bool rare)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    bool most = strncmp(LLVMGetTarget(module), "x86_64", 6) == 0;
    LLVMTypeRef parameter[2] = {
        trod_llvm_pointer(context), LLVMInt64TypeInContext(context)};
    LLVMValueRef function, call;
    char full[40];

    snprintf(full, sizeof full, "%s%s", name, most ? "_most" : "");
    function = trod_llvm_declare(module, full, parameter, count);
    if (rare)
        trod_bridge_mark_cold(function);
    if (most)
        LLVMSetFunctionCallConv(function, LLVMPreserveMostCallConv);
    call = LLVMBuildCall2(
        builder, LLVMGlobalGetValueType(function), function, argument, count, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
    trod_bridge_set_inline_cost(call, 0);
}
