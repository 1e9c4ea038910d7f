#include "llvm/Config/llvm-config.h"

/* Functions that were added to the C API later, as LLVM implements them since. */
#if LLVM_VERSION_MAJOR < 18

#include "llvm/bridge/older.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

LLVMTailCallKind LLVMGetTailCallKind(LLVMValueRef call)
{
    auto *c = dyn_cast<CallInst>(unwrap(call)); /* an invoke has none */

    return (LLVMTailCallKind)(c ? c->getTailCallKind() : CallInst::TCK_None);
}

LLVMBool LLVMCanValueUseFastMathFlags(LLVMValueRef instruction)
{
    return isa<FPMathOperator>(unwrap(instruction));
}

/* The bits are those of later versions. */
LLVMFastMathFlags LLVMGetFastMathFlags(LLVMValueRef instruction)
{
    FastMathFlags flags = unwrap<Instruction>(instruction)->getFastMathFlags();

    return flags.allowReassoc() | flags.noNaNs() << 1 | flags.noInfs() << 2 |
           flags.noSignedZeros() << 3 | flags.allowReciprocal() << 4 |
           flags.allowContract() << 5 | flags.approxFunc() << 6;
}

LLVMBool LLVMGetNUW(LLVMValueRef instruction)
{
    return unwrap<Instruction>(instruction)->hasNoUnsignedWrap();
}

LLVMBool LLVMGetNSW(LLVMValueRef instruction)
{
    return unwrap<Instruction>(instruction)->hasNoSignedWrap();
}

LLVMBasicBlockRef LLVMGetBlockAddressBasicBlock(LLVMValueRef address)
{
    return wrap(unwrap<BlockAddress>(address)->getBasicBlock());
}

#endif
