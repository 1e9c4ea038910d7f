#include "llvm/bridge/bridge.h"
#include "llvm/bridge/bridge_shared.hpp"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

/* LLVM's lists of globals that are kept are constants. To add to one is to make another, and the old one stays among the
 * users of all its members: one by one, that takes quadratic time here and in the passes that follow.
 */
static const char kept_mark[] = "trod-kept", retained_mark[] = "trod-retained";

void trod_bridge_keep(LLVMValueRef global)
{
    unwrap<GlobalVariable>(global)->addAttribute(kept_mark);
}

void trod_bridge_retain(LLVMValueRef global)
{
    unwrap<GlobalVariable>(global)->addAttribute(retained_mark);
}

static SmallVector<GlobalValue *, 0> take_marked(Module &module, const char *mark)
{
    SmallVector<GlobalValue *, 0> found;

    for (GlobalVariable &global : module.globals()) {
        if (!global.hasAttribute(mark))
            continue;
        global.setAttributes(
            global.getAttributes().removeAttribute(module.getContext(), mark));
        found.push_back(&global);
    }
    return found;
}

void trod_bridge_keep_marked(Module &module)
{
    SmallVector<GlobalValue *, 0> kept = take_marked(module, kept_mark);
    SmallVector<GlobalValue *, 0> retained = take_marked(module, retained_mark);

    if (!kept.empty())
        appendToCompilerUsed(module, kept);
    if (!retained.empty())
        appendToUsed(module, retained);
}

void trod_bridge_set_bss_section(LLVMValueRef global, const char *name)
{
    /* As `#pragma clang section bss` does: an explicit section would occupy space in the file. */
    unwrap<GlobalVariable>(global)->addAttribute("bss-section", name);
}

bool trod_bridge_is_in_bss_section(LLVMValueRef global, const char *name)
{
    return unwrap<GlobalVariable>(global)
               ->getAttribute("bss-section")
               .getValueAsString() == name;
}
