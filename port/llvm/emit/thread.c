#include "llvm/port.h"

#include <string.h>

/* The thread's counters: __trod_thread, or __trod_enter() while that is 0. Code for shared libraries cannot use this
 * variable and looks the address up in a table (trod/rt.h).
 *
 * Each function that counts calls __trod_self once. LLVM believes that this function is pure and always returns the
 * same value, so calls of inlined functions are merged and moved to where they are needed. After these passes the
 * calls are lowered to a load, a test and a branch that is almost never taken.
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

static LLVMValueRef variable(LLVMModuleRef module, const char *name)
{
    LLVMValueRef global = LLVMGetNamedGlobal(module, name);

    if (global)
        return global;
    global = LLVMAddGlobal(module, word_of(module), name);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    return global;
}

LLVMValueRef trod_llvm_thread_variable(LLVMModuleRef module)
{
    LLVMValueRef global = variable(module, "__trod_thread");

    LLVMSetThreadLocalMode(global, LLVMInitialExecTLSModel);
    return global;
}

static bool is_x86_64(LLVMModuleRef module)
{
    return strncmp(LLVMGetTarget(module), "x86_64", 6) == 0;
}

static bool has_flag(LLVMModuleRef module, const char *name)
{
    return LLVMGetModuleFlag(module, name, strlen(name)) != NULL;
}

bool trod_llvm_is_library(LLVMModuleRef module)
{
    return has_flag(module, "PIC Level") && !has_flag(module, "PIE Level");
}

/* One such reference in an image is enough. */
void trod_llvm_name_own(LLVMModuleRef module)
{
    const char *of =
        trod_llvm_is_library(module) ? "__trod_entry" : "__trod_link_with_trod_cc";
    LLVMValueRef global = LLVMAddGlobal(
        module, trod_llvm_pointer(LLVMGetModuleContext(module)), "__trod_own_is");

    LLVMSetInitializer(global, variable(module, of));
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, true);
    trod_bridge_keep(global);
}

static LLVMValueRef enter_function(LLVMModuleRef module)
{
    bool most = is_x86_64(module);
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

/* --- code for shared libraries --------------------------------------------------------- */

static LLVMValueRef load_word(
    LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef at)
{
    LLVMValueRef word = LLVMBuildLoad2(builder, word_of(module), at, "trod.word");

    trod_bridge_mark_thread(word);
    return word;
}

/* Loads the word that all images of the process share. */
static LLVMValueRef load_shared(LLVMBuilderRef builder, LLVMModuleRef module)
{
    enum { FS = 257 };
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef slot = load_word(builder, module, variable(module, "__trod_slot"));
    LLVMTypeRef byte = LLVMInt8TypeInContext(context), type;
    LLVMValueRef pointer;
    unsigned id;

    if (is_x86_64(module))
        return load_word(builder, module,
            LLVMBuildIntToPtr(
                builder, slot, LLVMPointerTypeInContext(context, FS), ""));
    id = LLVMLookupIntrinsicID("llvm.thread.pointer", 19);
    type = LLVMIntrinsicGetType(context, id, NULL, 0);
    pointer = LLVMBuildCall2(
        builder, type, LLVMGetIntrinsicDeclaration(module, id, NULL, 0), NULL, 0, "");
    return load_word(
        builder, module, LLVMBuildGEP2(builder, byte, pointer, &slot, 1, ""));
}

static void branch_if_none(LLVMBuilderRef builder, LLVMModuleRef module,
    LLVMValueRef value, LLVMBasicBlockRef slow, LLVMBasicBlockRef rest)
{
    LLVMValueRef none = LLVMBuildICmp(builder, LLVMIntEQ, value,
        LLVMConstInt(word_of(module), 0, false), "trod.none");

    trod_bridge_mark_unlikely(LLVMBuildCondBr(builder, none, slow, rest));
}

/* At the end of a block: loads one of the image's two words, and branches to slow if it is not set yet. */
static LLVMValueRef load_entry(LLVMBuilderRef builder, LLVMModuleRef module,
    unsigned which, LLVMBasicBlockRef slow, LLVMBasicBlockRef rest)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBasicBlockRef known =
        LLVMInsertBasicBlockInContext(context, slow, "trod.known");
    LLVMValueRef entry = load_word(builder, module, variable(module, "__trod_entry"));
    LLVMValueRef at, value;

    branch_if_none(builder, module, entry, slow, known);
    LLVMPositionBuilderAtEnd(builder, known);
    at = LLVMBuildAdd(builder, load_shared(builder, module), entry, "");
    at = LLVMBuildAdd(builder, at,
        LLVMConstInt(word_of(module), which * sizeof(uint64_t), false), "");
    value = load_word(builder, module,
        LLVMBuildIntToPtr(builder, at, trod_llvm_pointer(context), ""));
    branch_if_none(builder, module, value, slow, rest);
    return value;
}

/* --- both ------------------------------------------------------------------------------- */

static LLVMValueRef load_variable(LLVMBuilderRef builder, LLVMModuleRef module,
    LLVMBasicBlockRef slow, LLVMBasicBlockRef rest)
{
    LLVMValueRef value = LLVMBuildLoad2(
        builder, word_of(module), trod_llvm_thread_variable(module), "trod.thread");

    trod_bridge_mark_thread(value);
    branch_if_none(builder, module, value, slow, rest);
    return value;
}

/* Loads a thread-local word before an instruction, from the variable or, if `shared`, from the table. While it is 0,
 * `enter` is called.
 */
static LLVMValueRef load(LLVMValueRef before, bool shared, unsigned which,
    LLVMValueRef (*enter)(LLVMModuleRef))
{
    LLVMBasicBlockRef head = LLVMGetInstructionParent(before), slow, rest, from[2];
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(head));
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMValueRef value[2], word;

    rest = trod_bridge_split_before(before);
    slow = LLVMInsertBasicBlockInContext(context, rest, "trod.enter");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(builder, head);
    value[0] = shared ? load_entry(builder, module, which, slow, rest)
                      : load_variable(builder, module, slow, rest);
    from[0] = LLVMGetInsertBlock(builder);
    LLVMPositionBuilderAtEnd(builder, slow);
    value[1] = call(builder, enter(module));
    from[1] = slow;
    LLVMBuildBr(builder, rest);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(rest));
    word = LLVMBuildPhi(builder, word_of(module), "trod.counters");
    LLVMAddIncoming(word, value, from, 2);
    LLVMDisposeBuilder(builder);
    return word;
}

LLVMValueRef trod_llvm_load_thread(LLVMValueRef before)
{
    LLVMBasicBlockRef head = LLVMGetInstructionParent(before);
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(head));

    return load(before, trod_llvm_is_library(module), 0, enter_function);
}

static LLVMValueRef enter_own_function(LLVMModuleRef module)
{
    const char *name = is_x86_64(module) ? "__trod_own_enter_all" : "__trod_own_enter";
    LLVMValueRef enter = LLVMGetNamedFunction(module, name);

    if (enter)
        return enter;
    enter = declare(module, name);
    give(enter, "cold", 4);
    if (is_x86_64(module))
        LLVMSetFunctionCallConv(enter, LLVMPreserveAllCallConv);
    return enter;
}

LLVMValueRef trod_llvm_load_own(LLVMValueRef before)
{
    return load(before, true, 1, enter_own_function);
}

LLVMValueRef trod_llvm_ask_own(LLVMBuilderRef builder, LLVMModuleRef module)
{
    return call(builder, enter_own_function(module));
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
