/* bridge_shared: declarations shared by the C++ files of the bridge. */
#ifndef TROD_BRIDGE_SHARED_H
#define TROD_BRIDGE_SHARED_H

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

/* --- bridge_ready.cpp ------------------------------------------------------------------ */

bool only_returns(llvm::BasicBlock &block);
bool enters(const llvm::Instruction &i);
bool returns_twice(const llvm::Instruction &i);
void hoist_allocas(llvm::Function &function);

/* --- bridge_twin.cpp, bridge_apart.cpp ------------------------------------------------- */

struct trod_bridge_twins {
    llvm::ValueToValueMapTy map;
    llvm::SmallVector<llvm::BasicBlock *, 32> block, twin; /* in one function */
};

/* --- bridge_globals.cpp ---------------------------------------------------------------- */

/* At the end of a pass: what was marked by trod_bridge_keep and trod_bridge_retain. */
void trod_bridge_keep_marked(llvm::Module &module);

#endif
