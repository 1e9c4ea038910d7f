#include "llvm/bridge/bridge.h"
#include "llvm/bridge/bridge_version.hpp"
#include "llvm/bridge/bridge_shared.hpp"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Signals.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/SSAUpdaterBulk.h"

using namespace llvm;

/* --- twins ------------------------------------------------------------------------------- */

const char *trod_bridge_why_not_twin(LLVMValueRef function)
{
    Function &f = *unwrap<Function>(function);

    if (f.isPresplitCoroutine())
        return "is a coroutine";
    for (BasicBlock &block : f) {
        if (isa<CallBrInst>(block.getTerminator()))
            return "jumps by inline assembly";
        if (isa<FuncletPadInst>(block.getFirstNonPHI()) ||
            isa<CatchSwitchInst>(block.getFirstNonPHI()))
            return "handles exceptions in the way of another system";
        for (Instruction &i : block) {
            auto *call = dyn_cast<CallBase>(&i);

            if (i.getType()->isTokenTy() || (call && call->cannotDuplicate()))
                return "has code that must not be duplicated";
        }
    }
    return nullptr;
}

void trod_bridge_spread_returns(LLVMValueRef function)
{
    Function &f = *unwrap<Function>(function);

    for (BasicBlock &block : make_early_inc_range(f)) {
        if (!only_returns(block))
            continue;
        SmallVector<BasicBlock *, 8> from(predecessors(&block));

        for (BasicBlock *before : from) {
            auto *branch = dyn_cast<BranchInst>(before->getTerminator());

            if (branch && branch->isUnconditional())
                FoldReturnIntoUncondBranch(
                    cast<ReturnInst>(block.getTerminator()), &block, before);
        }
        if (pred_empty(&block))
            DeleteDeadBlock(&block);
    }
}

/* Sets an option as if on the command line, unless it is given there. */
static void set_option(StringRef name, StringRef value)
{
    auto &options = cl::getRegisteredOptions();
    auto found = options.find(name);

    if (found != options.end() && !found->second->getNumOccurrences())
        found->second->addOccurrence(0, name, value);
}

void trod_bridge_prepare_for_twins(void)
{
    set_option("large-interval-freq-threshold", "1000000000");
}

void trod_bridge_no_red_zone(LLVMValueRef function)
{
    unwrap<Function>(function)->addFnAttr(Attribute::NoRedZone);
}

bool trod_bridge_may_run_code(LLVMValueRef instruction)
{
    Instruction &i = *unwrap<Instruction>(instruction);
    auto *call = dyn_cast<CallBase>(&i);
    Function *callee = call ? call->getCalledFunction() : nullptr;

    /* fork runs the handlers of pthread_atfork. */
    return enters(i) || returns_twice(i) || (callee && callee->getName() == "fork");
}

bool trod_bridge_may_handle_signals(LLVMValueRef function)
{
    Function &f = *unwrap<Function>(function);
    size_t n = f.arg_size();

    return f.hasAddressTaken() && f.getReturnType()->isVoidTy() && !f.isVarArg() &&
           (n == 1 || (n == 3 && f.getArg(1)->getType()->isPointerTy() &&
                          f.getArg(2)->getType()->isPointerTy())) &&
           f.getArg(0)->getType()->isIntegerTy(32);
}

bool trod_bridge_is_address_taken(LLVMBasicBlockRef block)
{
    return unwrap(block)->hasAddressTaken();
}

/* An indirect branch of the copy leads to the original blocks, because addresses are theirs. */
static void branch_back(trod_bridge_twins &twins, IndirectBrInst &branch)
{
    auto *made = cast<IndirectBrInst>(twins.map[&branch]);
    BasicBlock *from = branch.getParent();
    BasicBlock *twin = made->getParent();

    for (unsigned i = 0; i < branch.getNumDestinations(); i++) {
        BasicBlock *to = branch.getDestination(i);

        cast<BasicBlock>(twins.map[to])->removePredecessor(twin, true);
        made->setSuccessor(i, to);
        for (PHINode &phi : to->phis()) {
            Value *value = phi.getIncomingValueForBlock(from);
            auto found = twins.map.find(value);

            phi.addIncoming(found == twins.map.end() ? value : &*found->second, twin);
        }
    }
}

/* The same, but within the copy: the address is compared with that of each original block, and
 * control continues in the copy of that block.
 */
static void branch_within(trod_bridge_twins &twins, IndirectBrInst &branch)
{
    auto *made = cast<IndirectBrInst>(twins.map[&branch]);
    BasicBlock *twin = made->getParent(), *at = twin;
    Function *f = twin->getParent();
    SmallPtrSet<BasicBlock *, 16> seen;

    for (unsigned i = 0; i < branch.getNumDestinations(); i++) {
        BasicBlock *to = branch.getDestination(i);
        auto *goes = cast<BasicBlock>(twins.map[to]);

        if (!seen.insert(to).second) {
            goes->removePredecessor(twin, true);
            continue;
        }
        BasicBlock *next = BasicBlock::Create(f->getContext(), "trod.next", f);
        IRBuilder<> builder(at);

        if (at == twin)
            builder.SetInsertPoint(made);
        builder.CreateCondBr(
            builder.CreateICmpEQ(made->getAddress(), BlockAddress::get(f, to)), goes,
            next);
        goes->replacePhiUsesWith(twin, at);
        at = next;
    }
    new UnreachableInst(f->getContext(), at);
    made->eraseFromParent();
}

/* Block addresses in the copy remain those of the original blocks. */
static void keep_constants(trod_bridge_twins &twins, Instruction &i)
{
    auto found = twins.map.find(&i);
    auto *twin = found == twins.map.end()
                     ? nullptr
                     : dyn_cast_or_null<Instruction>(found->second);

    for (unsigned k = 0; twin && k < i.getNumOperands(); k++)
        if (isa<Constant>(i.getOperand(k)))
            twin->setOperand(k, i.getOperand(k));
}

trod_bridge_twins *trod_bridge_make_twins(
    LLVMValueRef function, LLVMBasicBlockRef start, bool within)
{
    Function &f = *unwrap<Function>(function);
    auto *twins = new trod_bridge_twins;

    BasicBlock *before = unwrap(start)->getSinglePredecessor();

    for (BasicBlock &block : f)
        if (&block != &f.getEntryBlock() && &block != before)
            twins->block.push_back(&block);
    for (BasicBlock *block : twins->block) {
        BasicBlock *twin = CloneBasicBlock(block, twins->map, ".slow", &f);

        twins->map[block] = twin;
        twins->twin.push_back(twin);
    }
    for (BasicBlock *twin : twins->twin) {
        for (Instruction &i : make_early_inc_range(*twin)) {
            drop_variables(i);
            if (isa<DbgInfoIntrinsic>(i))
                i.eraseFromParent();
            else
                RemapInstruction(
                    &i, twins->map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
        }
    }
    /* All instructions first, because the next loop removes entries from PHIs of any block. */
    for (BasicBlock *block : twins->block)
        for (Instruction &i : *block)
            keep_constants(*twins, i);
    for (BasicBlock *block : twins->block) {
        if (auto *branch = dyn_cast<IndirectBrInst>(block->getTerminator())) {
            if (within)
                branch_within(*twins, *branch);
            else
                branch_back(*twins, *branch);
        }
    }
    return twins;
}

LLVMValueRef trod_bridge_twin_of(trod_bridge_twins *twins, LLVMValueRef value)
{
    auto found = twins->map.find(unwrap(value));

    return found == twins->map.end() ? value : wrap(&*found->second);
}

LLVMBasicBlockRef trod_bridge_twin_of_block(
    trod_bridge_twins *twins, LLVMBasicBlockRef block)
{
    return wrap(cast<BasicBlock>(&*twins->map[unwrap(block)]));
}

/* A value and its copy become one variable with two definitions. */
static void join(SSAUpdaterBulk &updater, Instruction &value, Instruction &twin)
{
    unsigned variable = updater.AddVariable(value.getName(), value.getType());

    updater.AddAvailableValue(variable, value.getParent(), &value);
    updater.AddAvailableValue(variable, twin.getParent(), &twin);
    for (Instruction *i : {&value, &twin}) {
        for (Use &use : i->uses()) {
            auto *user = cast<Instruction>(use.getUser());

            if (isa<PHINode>(user)
                    ? cast<PHINode>(user)->getIncomingBlock(use) != i->getParent()
                    : user->getParent() != i->getParent())
                updater.AddUse(variable, &use);
        }
    }
}

void trod_bridge_join_twins(LLVMValueRef function, trod_bridge_twins *twins)
{
    Function &f = *unwrap<Function>(function);
    SSAUpdaterBulk updater;

    for (auto pair : twins->map) {
        auto *value = dyn_cast<Instruction>(const_cast<Value *>(pair.first));
        auto *twin = dyn_cast_or_null<Instruction>(pair.second);

        if (value && twin && value != twin && !value->getType()->isVoidTy())
            join(updater, *value, *twin);
    }
    {
        DominatorTree tree(f);

        updater.RewriteAllUses(&tree);
    }
    delete twins;
}

bool trod_bridge_leave_alone(LLVMValueRef function)
{
    Function *f = unwrap<Function>(function);

    return f->isDeclaration() || f->hasAvailableExternallyLinkage() ||
           f->hasFnAttribute(Attribute::NoProfile) ||
           f->hasFnAttribute(Attribute::SkipProfile) ||
           f->hasFnAttribute(Attribute::Naked) || f->getName().starts_with("__trod_");
}

bool trod_bridge_may_leave(LLVMValueRef instruction)
{
    auto *call = dyn_cast<CallBase>(unwrap<Instruction>(instruction));

    if (call && call->doesNotReturn()) /* includes traps */
        return true;
    if (!call || isa<IntrinsicInst>(call) || call->onlyReadsMemory())
        return false;
    return !(call->hasFnAttr(Attribute::WillReturn) && call->doesNotThrow());
}

LLVMValueRef trod_bridge_callee(LLVMValueRef instruction)
{
    auto *call = dyn_cast<CallBase>(unwrap<Instruction>(instruction));
    Function *callee = call ? call->getCalledFunction() : nullptr;

    return callee && !callee->isDeclaration() && !callee->isInterposable()
               ? wrap(callee)
               : nullptr;
}

bool trod_bridge_is_resolver(LLVMValueRef function)
{
    Function *f = unwrap<Function>(function);

    for (GlobalIFunc &ifunc : f->getParent()->ifuncs())
        if (ifunc.getResolverFunction() == f)
            return true;
    return false;
}

LLVMValueRef trod_bridge_noreturn_call(LLVMBasicBlockRef block)
{
    for (Instruction &i : *unwrap(block))
        if (auto *call = dyn_cast<CallInst>(&i))
            if (call->doesNotReturn() && !call->isInlineAsm())
                return wrap(call);
    return nullptr;
}

LLVMValueRef trod_bridge_coroutine_end(LLVMBasicBlockRef block)
{
    for (Instruction &i : *unwrap(block))
        if (auto *call = dyn_cast<IntrinsicInst>(&i))
            if (call->getIntrinsicID() == Intrinsic::coro_end)
                return wrap(call);
    return nullptr;
}

void trod_bridge_writes_memory(LLVMValueRef function)
{
    Function *f = unwrap<Function>(function);

    f->removeFnAttr(Attribute::Memory);
    f->removeFnAttr(Attribute::Speculatable);
    for (User *user : f->users()) {
        if (auto *call = dyn_cast<CallBase>(user)) {
            call->removeFnAttr(Attribute::Memory);
            call->removeFnAttr(Attribute::Speculatable);
        }
    }
}

void trod_bridge_is_pure(LLVMValueRef function)
{
    unwrap<Function>(function)->setDoesNotAccessMemory();
}

void trod_bridge_only_counts(LLVMValueRef function)
{
    Function *f = unwrap<Function>(function);

    f->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    f->setDoesNotThrow();
    f->setWillReturn();
    f->addFnAttr(Attribute::NoCallback);
    f->addFnAttr(Attribute::NoSync);
    f->addFnAttr(Attribute::NoFree);
}

static MemoryEffects widen(MemoryEffects effects)
{
    if (effects.getModRef(trod_memory::InaccessibleMem) == ModRefInfo::NoModRef)
        return effects;
    return effects | MemoryEffects(trod_memory::Other, ModRefInfo::ModRef);
}

void trod_bridge_widen_effects(LLVMValueRef function)
{
    Function *f = unwrap<Function>(function);

    f->setMemoryEffects(widen(f->getMemoryEffects()));
    for (User *user : f->users())
        if (auto *call = dyn_cast<CallBase>(user))
            if (call->getAttributes().hasFnAttr(Attribute::Memory))
                call->setMemoryEffects(widen(call->getAttributes().getMemoryEffects()));
}

void trod_bridge_set_inline_cost(LLVMValueRef call, unsigned cost)
{
    CallBase *c = unwrap<CallBase>(call);

    c->addFnAttr(
        Attribute::get(c->getContext(), "call-inline-cost", std::to_string(cost)));
}

bool trod_bridge_is_coroutine(LLVMValueRef function)
{
    return unwrap<Function>(function)->isPresplitCoroutine();
}

static StringRef linkage_name(const DISubprogram *of)
{
    return of->getLinkageName().empty() ? of->getName() : of->getLinkageName();
}

/* Line tables alone have no linkage names. In C, the name is one. */
void trod_bridge_find_origin(struct trod_bridge_origin *out, LLVMValueRef function)
{
    const DISubprogram *of = unwrap<Function>(function)->getSubprogram();

    if (!of || !of->getUnit())
        return;
    if (!of->getLinkageName().empty() ||
        !dwarf::isCPlusPlus((dwarf::SourceLanguage)of->getUnit()->getSourceLanguage())) {
        out->name = linkage_name(of).data();
        out->nname = linkage_name(of).size();
    }
    out->file = of->getUnit()->getFilename().data();
    out->nfile = of->getUnit()->getFilename().size();
    out->local = of->isLocalToUnit();
}

const char *trod_bridge_function_at(LLVMMetadataRef location, size_t *length)
{
    const auto *at = dyn_cast<DILocation>(unwrap(location));
    const DISubprogram *of = at ? at->getScope()->getSubprogram() : nullptr;

    if (!of)
        return nullptr;
    StringRef name = linkage_name(of);
    *length = name.size();
    return name.empty() ? nullptr : name.data();
}

bool trod_bridge_is_marked(LLVMModuleRef module)
{
    return unwrap(module)->getNamedMetadata("trod.instrumented") != nullptr;
}

void trod_bridge_mark(LLVMModuleRef module)
{
    unwrap(module)->getOrInsertNamedMetadata("trod.instrumented");
}

void trod_bridge_mark_cold(LLVMValueRef function)
{
    unwrap<Function>(function)->addFnAttr(Attribute::Cold);
}

void trod_bridge_mark_unlikely(LLVMValueRef branch)
{
    Instruction *i = unwrap<Instruction>(branch);

    i->setMetadata(LLVMContext::MD_prof,
        MDBuilder(i->getContext()).createBranchWeights(1, 1u << 20));
}

/* A TBAA type of its own, a child of clang's root and a sibling of 'omnipotent char'. A type with
 * another root may alias anything, and one below char may be accessed through any char pointer.
 */
static void set_type(Instruction *i, const char *name)
{
    MDBuilder make(i->getContext());
    bool c = StringRef(i->getModule()->getSourceFileName()).ends_with(".c");
    MDNode *root = make.createTBAARoot(c ? "Simple C/C++ TBAA" : "Simple C++ TBAA");
    MDNode *type = make.createTBAAScalarTypeNode(name, root);

    i->setMetadata(LLVMContext::MD_tbaa, make.createTBAAStructTagNode(type, type, 0));
    /* Sanitizers are to check only the program's memory: a thread may take over the counters of one
     * that has ended. */
    i->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(i->getContext(), {}));
}

void trod_bridge_mark_counter(LLVMValueRef load_or_store)
{
    set_type(unwrap<Instruction>(load_or_store), "trod counter");
}

void trod_bridge_remove_files(void)
{
    sys::RunInterruptHandlers();
}

void trod_bridge_mark_thread(LLVMValueRef load)
{
    set_type(unwrap<Instruction>(load), "trod thread");
}
