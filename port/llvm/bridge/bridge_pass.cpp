#include "llvm/bridge/bridge.h"
#include "llvm/bridge/bridge_shared.hpp"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/* --- the pass ---------------------------------------------------------------------------- */

namespace
{

struct Pass : PassInfoMixin<Pass> {
    trod_bridge_point point;

    explicit Pass(trod_bridge_point p) : point(p)
    {
    }
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        bool changed = trod_instrument_module(wrap(&module), point);

        trod_bridge_keep_marked(module);
        return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    static bool isRequired()
    {
        return true;
    } /* also for optnone functions, -O0 */
};

void add_start(ModulePassManager &passes, OptimizationLevel)
{
    passes.addPass(Pass(TROD_POINT_START));
}

void add_early(ModulePassManager &passes, OptimizationLevel)
{
    passes.addPass(Pass(TROD_POINT_EARLY));
}

void add_middle(ModulePassManager &passes, OptimizationLevel)
{
    passes.addPass(Pass(TROD_POINT_MIDDLE));
}

void add_late(ModulePassManager &passes, OptimizationLevel)
{
    passes.addPass(Pass(TROD_POINT_LATE));
}

bool add_by_name(
    StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>)
{
    if (name == "trod" || name == "trod-early")
        passes.addPass(Pass(TROD_POINT_EARLY));
    else if (name == "trod-late")
        passes.addPass(Pass(TROD_POINT_LATE));
    else
        return false;
    return true;
}

void add_passes(PassBuilder &builder)
{
    builder.registerPipelineStartEPCallback(add_start);
    builder.registerPipelineEarlySimplificationEPCallback(add_early);
    builder.registerOptimizerEarlyEPCallback(add_middle);
    builder.registerOptimizerLastEPCallback(add_late);
    builder.registerFullLinkTimeOptimizationLastEPCallback(add_late);
    builder.registerPipelineParsingCallback(add_by_name);
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "trod", "0.1", add_passes};
}
