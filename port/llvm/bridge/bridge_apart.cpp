#include "llvm/bridge/bridge.h"
#include "llvm/bridge/bridge_version.hpp"
#include "llvm/bridge/bridge_shared.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

/* --- what both copies share ------------------------------------------------------------- */

static bool may_precede(const Instruction &i, bool loads)
{
    auto *intrinsic = dyn_cast<IntrinsicInst>(&i);

    if (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::lifetime_start)
        return true;
    return !i.isTerminator() && !i.mayHaveSideEffects() && !i.isEHPad() &&
           (loads || !i.mayReadFromMemory()) && (!isa<CallBase>(i) || intrinsic);
}

/* Is the value the same wherever it is computed, and does it depend on nothing that is computed in this block? */
static bool may_move(const Instruction &i, const BasicBlock &block)
{
    if (isa<CallBase>(i) || isa<AllocaInst>(i) || isa<PHINode>(i) || i.isTerminator() ||
        i.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&i))
        return false;
    for (const Value *value : i.operands())
        if (isa<Instruction>(value) && cast<Instruction>(value)->getParent() == &block)
            return false;
    return true;
}

LLVMBasicBlockRef trod_bridge_split_allocas(LLVMValueRef function)
{
    Function &f = *unwrap<Function>(function);
    BasicBlock &entry = f.getEntryBlock();

    hoist_allocas(f);
    return wrap(SplitBlock(&entry, &*entry.getFirstNonPHIOrDbgOrAlloca()));
}

LLVMBasicBlockRef trod_bridge_split_harmless(LLVMBasicBlockRef block, bool loads)
{
    BasicBlock::iterator i = unwrap(block)->getFirstInsertionPt();

    while (isa<DbgInfoIntrinsic>(*i) || may_precede(*i, loads))
        ++i;
    BasicBlock *rest = SplitBlock(unwrap(block), &*i);

    for (Instruction &next : make_early_inc_range(*rest))
        if (may_move(next, *rest))
            next.moveBefore(unwrap(block)->getTerminator());
    return wrap(rest);
}

/* --- a slow copy that is a function of its own ------------------------------------------ */

/* Attributes of functions that would do something twice if one began with the other. */
static const char *const once[] = {"fentry-call", "instrument-function-entry",
    "instrument-function-entry-inlined", "patchable-function",
    "patchable-function-entry", "function-instrument"};

/* Passed in ways for which the code generator does not promise that a call is a jump. */
static bool is_plain(const Argument &argument)
{
    return !argument.hasByValAttr() && !argument.hasInAllocaAttr() &&
           !argument.hasPreallocatedAttr() && !argument.hasSwiftErrorAttr() &&
           !argument.hasSwiftSelfAttr() && !argument.hasNestAttr();
}

/* Are all arguments in registers, by x86-64's calling convention? Others would be loaded, and stored where they already
 * are.
 */
static bool fit_registers(Function &function)
{
    enum { GENERAL = 6, VECTORS = 8 };
    unsigned general = 0, vectors = 0;

    for (Argument &argument : function.args()) {
        Type *type = argument.getType();

        if (type->isFloatTy() || type->isDoubleTy() || type->isVectorTy())
            vectors++;
        else if (type->isPointerTy() || type->isIntegerTy())
            general += type->getPrimitiveSizeInBits() > 64 ? 2 : 1;
        else
            return false;
    }
    return general <= GENERAL && vectors <= VECTORS;
}

bool trod_bridge_may_part(LLVMValueRef function)
{
    Function &f = *unwrap<Function>(function);

    if (f.isVarArg() || f.doesNotReturn() || f.hasPrefixData() || f.hasPrologueData() ||
        f.hasGC() ||
        (f.getCallingConv() != CallingConv::C &&
            f.getCallingConv() != CallingConv::Fast))
        return false;
    for (const char *name : once)
        if (f.hasFnAttribute(name))
            return false;
    for (Argument &argument : f.args())
        if (!is_plain(argument))
            return false;
    if (!fit_registers(f))
        return false;
    for (BasicBlock &block : f) {
        if (block.hasAddressTaken())
            return false;
        for (Instruction &i : block)
            if (returns_twice(i))
                return false;
    }
    return true;
}

trod_bridge_twins *trod_bridge_make_twins_apart(
    LLVMValueRef function, LLVMValueRef *slow)
{
    Function &f = *unwrap<Function>(function);
    Function *to = Function::Create(f.getFunctionType(), GlobalValue::InternalLinkage,
        f.getAddressSpace(), f.getName() + ".slow", f.getParent());
    auto *twins = new trod_bridge_twins;
    SmallVector<ReturnInst *, 8> returns;

    for (unsigned i = 0; i < f.arg_size(); i++)
        twins->map[f.getArg(i)] = to->getArg(i);
    CloneFunctionInto(
        to, &f, twins->map, CloneFunctionChangeType::LocalChangesOnly, returns);
    to->setLinkage(GlobalValue::InternalLinkage);
    to->setVisibility(GlobalValue::DefaultVisibility);
    to->setComdat(f.getComdat());
    to->removeFnAttr(Attribute::Hot);
    to->addFnAttr(Attribute::Cold);
    to->addFnAttr(Attribute::NoProfile);
    if (!to->hasFnAttribute(Attribute::OptimizeNone)) {
        to->addFnAttr(Attribute::MinSize);
        to->addFnAttr(Attribute::OptimizeForSize);
    }
    for (BasicBlock &block : *to)
        for (Instruction &i : make_early_inc_range(block)) {
            drop_variables(i);
            if (isa<DbgInfoIntrinsic>(i))
                i.eraseFromParent();
        }
    *slow = wrap(to);
    return twins;
}

void trod_bridge_forget_twins(trod_bridge_twins *twins)
{
    delete twins;
}

void trod_bridge_go_on(LLVMBasicBlockRef block, LLVMValueRef slow)
{
    IRBuilder<> builder(unwrap(block));
    Function *f = unwrap(block)->getParent(), *to = unwrap<Function>(slow);
    SmallVector<Value *, 8> arguments;
    SmallVector<AttributeSet, 8> of_argument;
    AttributeList all = f->getAttributes();
    CallInst *call;

    for (Argument &argument : f->args()) {
        arguments.push_back(&argument);
        of_argument.push_back(all.getParamAttrs(argument.getArgNo()));
    }
    call = builder.CreateCall(to, arguments);
    if (DISubprogram *of = f->getSubprogram())
        call->setDebugLoc(DILocation::get(f->getContext(), of->getLine(), 0, of));
    call->setTailCallKind(CallInst::TCK_MustTail);
    call->setCallingConv(f->getCallingConv());
    call->setAttributes(AttributeList::get(
        f->getContext(), AttributeSet(), all.getRetAttrs(), of_argument));
    if (f->getReturnType()->isVoidTy())
        builder.CreateRetVoid();
    else
        builder.CreateRet(call);
}
