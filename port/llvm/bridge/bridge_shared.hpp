/* bridge_shared: declarations shared by the C++ files of the bridge. */
#ifndef TROD_BRIDGE_SHARED_H
#define TROD_BRIDGE_SHARED_H

#include "llvm/IR/Instructions.h"

/* --- bridge_ready.cpp ------------------------------------------------------------------ */

bool only_returns(llvm::BasicBlock &block);
bool enters(const llvm::Instruction &i);
bool returns_twice(const llvm::Instruction &i);
void hoist_allocas(llvm::Function &function);

#endif
