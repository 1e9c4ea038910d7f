/* bridge_version: differences between versions of LLVM, for the C++ files of the bridge.
 *
 * From version 19 on, debug information about variables is in records between instructions; before,
 * in calls of intrinsics.
 */
#ifndef TROD_BRIDGE_VERSION_H
#define TROD_BRIDGE_VERSION_H

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ModRef.h"

#if LLVM_VERSION_MAJOR >= 19

#include "llvm/IR/DebugProgramInstruction.h"

using trod_variable = llvm::DbgVariableRecord;
using trod_memory = llvm::IRMemLocation;

/* Is it the call of an awaiter's await_suspend? From then on another thread may resume or destroy
 * the coroutine, even before the call returns.
 */
inline bool gives_away(const llvm::Instruction &i)
{
    auto *call = llvm::dyn_cast<llvm::CallBase>(&i);

    if (!call)
        return false;
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::coro_await_suspend_void:
    case llvm::Intrinsic::coro_await_suspend_bool:
    case llvm::Intrinsic::coro_await_suspend_handle:
        return true;
    default:
        return false;
    }
}

inline bool takes_variables(const llvm::Function &function)
{
    return function.IsNewDbgInfoFormat;
}

inline void put_variable(llvm::DIArgList *of, llvm::DILocalVariable *variable,
    llvm::DIExpression *expression, llvm::DILocation *at, llvm::BasicBlock &block,
    llvm::BasicBlock::iterator before)
{
    block.insertDbgRecordBefore(new llvm::DbgVariableRecord(of, variable, expression, at,
                                    llvm::DbgVariableRecord::LocationType::Value),
        before);
}

/* Calls do(variable) for the records before an instruction; it may erase them. */
template <typename Do> void each_variable(llvm::Instruction &i, Do take)
{
    for (llvm::DbgRecord &r : llvm::make_early_inc_range(i.getDbgRecordRange()))
        if (auto *variable = llvm::dyn_cast<llvm::DbgVariableRecord>(&r))
            take(*variable);
}

inline void drop_variables(llvm::Instruction &i)
{
    i.dropDbgRecords();
}

inline llvm::BasicBlock::iterator place_before(llvm::Instruction *i)
{
    return i->getIterator();
}

#else

using trod_variable = llvm::DbgVariableIntrinsic;
using trod_memory = llvm::MemoryEffects;

/* This version cannot distinguish that call from others. */
inline bool gives_away(const llvm::Instruction &)
{
    return false;
}

inline bool takes_variables(const llvm::Function &)
{
    return true;
}

inline void put_variable(llvm::DIArgList *of, llvm::DILocalVariable *variable,
    llvm::DIExpression *expression, llvm::DILocation *at, llvm::BasicBlock &block,
    llvm::BasicBlock::iterator before)
{
    llvm::LLVMContext &context = block.getContext();
    llvm::Function *value = llvm::Intrinsic::getDeclaration(
        block.getModule(), llvm::Intrinsic::dbg_value);
    llvm::Value *all[] = {llvm::MetadataAsValue::get(context, of),
        llvm::MetadataAsValue::get(context, variable),
        llvm::MetadataAsValue::get(context, expression)};

    llvm::CallInst::Create(value, all, "", &*before)->setDebugLoc(at);
}

/* Calls do(variable) if the instruction is such a call; it may erase it, so the caller must already
 * have the next instruction. */
template <typename Do> void each_variable(llvm::Instruction &i, Do take)
{
    if (auto *variable = llvm::dyn_cast<llvm::DbgVariableIntrinsic>(&i))
        take(*variable);
}

inline void drop_variables(llvm::Instruction &)
{
}

inline llvm::Instruction *place_before(llvm::Instruction *i)
{
    return i;
}

#endif
#endif
