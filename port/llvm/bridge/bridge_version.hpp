/* bridge_version: what versions of LLVM differ in, for the C++ files of the bridge.
 *
 * Debug information about variables is in records between instructions from version 19 on, and in calls of intrinsics before.
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

/* The call of an awaiter's await_suspend: from then on the coroutine may go on, or be gone, on another
 * thread, before the call has returned.
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

/* do(variable), which may erase it, for those that stand before an instruction. */
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

/* Which call that is cannot be told from others. */
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

/* do(variable), which may erase it, if the instruction is one: so the caller has the next one already. */
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
