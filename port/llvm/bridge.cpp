#include "llvm/bridge.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Signals.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/SSAUpdaterBulk.h"

using namespace llvm;

/* A coroutine that is suspended returns to who called it, and again when it is resumed. */
static bool returns_twice(const Instruction &i)
{
    auto *call = dyn_cast<CallInst>(&i);

    return call && (call->hasFnAttr(Attribute::ReturnsTwice) ||
                       call->getIntrinsicID() == Intrinsic::coro_suspend);
}

static void isolate_returns_twice(Function &function)
{
    SmallVector<Instruction *, 4> calls;

    for (BasicBlock &block : function)
        for (Instruction &i : block)
            if (returns_twice(i))
                calls.push_back(&i);
    for (Instruction *call : calls) {
        SplitBlock(call->getParent(), call);
        SplitBlock(call->getParent(), call->getNextNode());
    }
}

/* --- coroutines -------------------------------------------------------------------------- */

/* The call of an awaiter's await_suspend: from then on the coroutine may go on, or be gone, on another
 * thread, before the call has returned.
 */
static bool gives_away(const Instruction &i)
{
    auto *call = dyn_cast<CallBase>(&i);

    if (!call)
        return false;
    switch (call->getIntrinsicID()) {
    case Intrinsic::coro_await_suspend_void:
    case Intrinsic::coro_await_suspend_bool:
    case Intrinsic::coro_await_suspend_handle:
        return true;
    default:
        return false;
    }
}

static void isolate_gives_away(Function &function)
{
    SmallVector<Instruction *, 4> calls;

    for (BasicBlock &block : function)
        for (Instruction &i : block)
            if (gives_away(i))
                calls.push_back(&i);
    for (Instruction *call : calls)
        SplitBlock(call->getParent(), call);
}

bool trod_bridge_gives_away(LLVMBasicBlockRef block)
{
    return gives_away(*unwrap(block)->getFirstNonPHIOrDbg());
}

static bool calls_intrinsic(const Value *value, Intrinsic::ID id)
{
    auto *call = dyn_cast<IntrinsicInst>(value);

    return call && call->getIntrinsicID() == id;
}

/* A branch on whether the frame is on the heap: where it is allocated, or freed. */
static bool asks_for_frame(const BranchInst &branch)
{
    const Value *condition = branch.isConditional() ? branch.getCondition() : nullptr;
    auto *compare = dyn_cast_or_null<ICmpInst>(condition);

    if (compare)
        return calls_intrinsic(compare->getOperand(0), Intrinsic::coro_free) ||
               calls_intrinsic(compare->getOperand(1), Intrinsic::coro_free);
    return condition && calls_intrinsic(condition, Intrinsic::coro_alloc);
}

/* Which successor is where both ways meet, if one is a single block that leads to the other; or -1. */
static int meeting_point(const BranchInst &branch)
{
    for (unsigned i = 0; i < 2; i++) {
        BasicBlock *way = branch.getSuccessor(1 - i), *meet = branch.getSuccessor(i);

        if (way != meet && way->getSingleSuccessor() == meet &&
            way->getSinglePredecessor() == branch.getParent())
            return (int)i;
    }
    return -1;
}

/* Is a block passed over, whether it runs or not? */
static bool is_passed(const BasicBlock &block)
{
    const BasicBlock *before = block.getSinglePredecessor();
    auto *branch =
        dyn_cast_or_null<BranchInst>(before ? before->getTerminator() : nullptr);

    if (!branch || !asks_for_frame(*branch))
        return false;
    int meet = meeting_point(*branch);

    return meet >= 0 && branch->getSuccessor((unsigned)meet) != &block;
}

int trod_bridge_past_frame(LLVMValueRef terminator)
{
    auto *branch = dyn_cast<BranchInst>(unwrap<Instruction>(terminator));

    return branch && asks_for_frame(*branch) ? meeting_point(*branch) : -1;
}

/* Whether the frame is on the heap is the optimizer's choice, which differs from build to build, and
 * so would paths. Where the choice cannot be passed over, it is made here.
 */
static void settle_frame(Function &function)
{
    SmallVector<IntrinsicInst *, 2> asked;
    bool settles = false;

    if (!function.isPresplitCoroutine())
        return;
    for (BasicBlock &block : function)
        for (Instruction &i : block) {
            auto *branch = dyn_cast<BranchInst>(&i);

            settles |= branch && asks_for_frame(*branch) && meeting_point(*branch) < 0;
            if (calls_intrinsic(&i, Intrinsic::coro_alloc))
                asked.push_back(cast<IntrinsicInst>(&i));
        }
    for (IntrinsicInst *i : asked)
        if (settles) {
            i->replaceAllUsesWith(ConstantInt::getTrue(i->getContext()));
            i->eraseFromParent();
        }
}

/* Of the jump from a landing pad that was split off to the block that it was of. */
static const char split_pad[] = "trod.pad";

static void split_unwind_edges(Function &function)
{
    SmallVector<BasicBlock *, 8> pads;

    for (BasicBlock &block : function)
        if (block.isLandingPad() && !block.getSinglePredecessor())
            pads.push_back(&block);
    for (BasicBlock *pad : pads) {
        /* Each round gives the first way in a pad of its own and leaves the rest with one
         * that has one way in less.
         */
        while (pad && pad->isLandingPad() && !pad->getSinglePredecessor()) {
            SmallVector<BasicBlock *, 2> made;
            BasicBlock *first = *pred_begin(pad);

            SplitLandingPadPredecessors(pad, first, ".trod", ".rest", made);
            for (BasicBlock *block : made)
                block->getTerminator()->setMetadata(
                    split_pad, MDNode::get(function.getContext(), {}));
            pad = made.size() > 1 ? made[1] : nullptr;
        }
    }
}

/* An exception that a function does not catch passes by its landing pads, unless they clean up,
 * or are inlined into one that does or catches it. They all do now: which paths ran is not the
 * inliner's choice.
 */
static void stop_all_exceptions(Function &function)
{
    for (BasicBlock &block : function)
        if (LandingPadInst *pad = block.getLandingPadInst())
            pad->setCleanup(true);
}

/* --- calls that are the last thing a function does --------------------------------------- */

/* Of the call that ends a path. */
static const char last_call[] = "trod.last";

/* What may stand between a tail call and its return. */
static bool comes_to_nothing(const Instruction &i)
{
    auto *intrinsic = dyn_cast<IntrinsicInst>(&i);

    return isa<DbgInfoIntrinsic>(i) || isa<PseudoProbeInst>(i) ||
           (intrinsic && (intrinsic->getIntrinsicID() == Intrinsic::lifetime_end ||
                             intrinsic->getIntrinsicID() == Intrinsic::assume ||
                             intrinsic->getIntrinsicID() ==
                                 Intrinsic::experimental_noalias_scope_decl));
}

static bool hands_on(const Instruction &i)
{
    return isa<TruncInst>(i) || isa<BitCastInst>(i) || isa<IntToPtrInst>(i) ||
           isa<PtrToIntInst>(i) || isa<ExtractValueInst>(i) || isa<InsertValueInst>(i);
}

/* Is a value the result of a call, in another form perhaps? */
static bool is_result(const Value *value, const CallInst *call)
{
    auto *i = dyn_cast_or_null<Instruction>(value);

    if (!value || isa<UndefValue>(value) || value == call)
        return true;
    if (!i || i->getParent() != call->getParent() || !hands_on(*i))
        return false;
    if (auto *into = dyn_cast<InsertValueInst>(i))
        return is_result(into->getAggregateOperand(), call) &&
               is_result(into->getInsertedValueOperand(), call);
    return is_result(i->getOperand(0), call);
}

/* The call that a block ends with, if all that happens behind it is that this value, or nothing, is
 * returned: one that LLVM can make a jump. NULL: there is none. */
static CallInst *call_before_return(BasicBlock &block, const Value *value, bool marked)
{
    for (Instruction *i = block.getTerminator()->getPrevNode(); i; i = i->getPrevNode())
        if (!comes_to_nothing(*i) && !hands_on(*i)) {
            auto *call = dyn_cast<CallInst>(i);

            return call && !isa<IntrinsicInst>(call) && !call->isInlineAsm() &&
                           !call->isNoTailCall() && !call->isMustTailCall() &&
                           (call->isTailCall() || !marked) && is_result(value, call)
                       ? call
                       : nullptr;
        }
    return nullptr;
}

static bool only_returns(BasicBlock &block)
{
    for (Instruction &i : block)
        if (!isa<PHINode>(i) && !i.isTerminator() && !comes_to_nothing(i))
            return false;
    return isa<ReturnInst>(block.getTerminator()) && !block.hasAddressTaken() &&
           &block != &block.getParent()->getEntryBlock();
}

/* Where ways meet only to return, those that come from such a call return by themselves. */
static void return_at_once(BasicBlock &block, bool marked)
{
    auto *ret = cast<ReturnInst>(block.getTerminator());
    SmallVector<BasicBlock *, 8> from(predecessors(&block));

    for (BasicBlock *before : from) {
        auto *branch = dyn_cast<BranchInst>(before->getTerminator());
        const Value *value = ret->getReturnValue();
        auto *phi = dyn_cast_or_null<PHINode>(value);

        if (phi && phi->getParent() == &block)
            value = phi->getIncomingValueForBlock(before);
        if (branch && branch->isUnconditional() &&
            call_before_return(*before, value, marked))
            FoldReturnIntoUncondBranch(ret, &block, before);
    }
    if (pred_empty(&block))
        DeleteDeadBlock(&block);
}

static bool may_call_last(Function &function)
{
    return !function.hasFnAttribute(Attribute::OptimizeNone) &&
           !function.getFnAttribute("disable-tail-calls").getValueAsBool() &&
           !function.isPresplitCoroutine() && !function.callsFunctionThatReturnsTwice();
}

static void find_last_calls(Function &function, enum trod_bridge_last last)
{
    bool marked = last == TROD_LAST_MARKED;

    if (!may_call_last(function))
        return;
    for (BasicBlock &block : make_early_inc_range(function))
        if (only_returns(block))
            return_at_once(block, marked);
    for (BasicBlock &block : function)
        if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator()))
            if (CallInst *call =
                    call_before_return(block, ret->getReturnValue(), marked))
                call->setMetadata(last_call, last == TROD_LAST_RETURNS
                                                 ? nullptr
                                                 : MDNode::get(block.getContext(), {}));
}

LLVMValueRef trod_bridge_last_call(LLVMBasicBlockRef block)
{
    BasicBlock &b = *unwrap(block);

    if (CallInst *call = b.getTerminatingMustTailCall())
        return wrap(call);
    for (Instruction *i = b.getTerminator(); i && isa<ReturnInst>(b.getTerminator());
        i = i->getPrevNode())
        if (isa<CallInst>(i) && i->getMetadata(last_call))
            return wrap(i);
    return nullptr;
}

void trod_bridge_prepare(LLVMValueRef function, enum trod_bridge_last last)
{
    Function &f = *unwrap<Function>(function);

    settle_frame(f);
    find_last_calls(f, last);
    stop_all_exceptions(f);
    isolate_returns_twice(f);
    isolate_gives_away(f);
    split_unwind_edges(f);
    SplitIndirectBrCriticalEdges(f, /*IgnoreBlocksWithoutPHI=*/false);
}

LLVMBasicBlockRef trod_bridge_rest_of_pad(LLVMBasicBlockRef block)
{
    Instruction *last = unwrap(block)->getTerminator();

    return last->getMetadata(split_pad) ? wrap(last->getSuccessor(0)) : nullptr;
}

/* One of the C library that is known not to call anybody back, unless the program has its own. */
static bool is_harmless(const CallBase &call)
{
    static thread_local std::string target;
    static thread_local std::unique_ptr<TargetLibraryInfoImpl> known;
    const Function *callee = call.getCalledFunction();
    LibFunc which;

    if (!known || target != call.getModule()->getTargetTriple()) {
        target = call.getModule()->getTargetTriple();
        known = std::make_unique<TargetLibraryInfoImpl>(Triple(target));
    }

    return callee && callee->isDeclarationForLinker() &&
           TargetLibraryInfo(*known, call.getFunction()).getLibFunc(call, which) &&
           which != LibFunc_qsort;
}

/* A mark that will be gone. */
static bool is_own(const CallBase &call)
{
    const Function *callee = call.getCalledFunction();

    return callee && callee->getName().starts_with("__trod_counter");
}

static bool enters(const Instruction &i)
{
    auto *call = dyn_cast<CallBase>(&i);

    return call && !isa<IntrinsicInst>(call) && !call->isInlineAsm() &&
           !returns_twice(i) && !is_harmless(*call) && !is_own(*call);
}

static void hoist_allocas(Function &function)
{
    BasicBlock &entry = function.getEntryBlock();
    Instruction *first = &*entry.getFirstNonPHIOrDbgOrAlloca();

    for (Instruction &i : make_early_inc_range(entry))
        if (auto *variable = dyn_cast<AllocaInst>(&i))
            if (isa<ConstantInt>(variable->getArraySize()) &&
                first->comesBefore(variable))
                variable->moveBefore(first);
}

void trod_bridge_isolate_calls(LLVMValueRef function)
{
    Function &f = *unwrap<Function>(function);
    SmallVector<Instruction *, 16> calls;

    hoist_allocas(f);
    for (BasicBlock &block : f)
        for (Instruction &i : block)
            if (enters(i) && !is_passed(block) &&
                (isa<InvokeInst>(i) || !cast<CallBase>(i).doesNotReturn()) &&
                !(isa<CallInst>(i) && cast<CallInst>(i).isMustTailCall()))
                calls.push_back(&i);
    for (Instruction *call : calls)
        SplitBlock(call->getParent(), call);
}

LLVMValueRef trod_bridge_entering_call(LLVMBasicBlockRef block)
{
    Instruction *first = &*unwrap(block)->getFirstNonPHIOrDbg();
    auto *call = dyn_cast<CallBase>(first);
    bool ends = call && isa<CallInst>(call) &&
                (call->doesNotReturn() || cast<CallInst>(call)->isMustTailCall());

    return enters(*first) && !ends && unwrap(block)->getSinglePredecessor()
               ? wrap(first)
               : nullptr;
}

LLVMValueRef trod_bridge_called_function(LLVMValueRef call)
{
    return wrap(unwrap<CallBase>(call)->getCalledFunction());
}

bool trod_bridge_returns_twice(LLVMBasicBlockRef block)
{
    return returns_twice(*unwrap(block)->getFirstNonPHIOrDbg());
}

bool trod_bridge_has_block_on_edge(LLVMValueRef terminator, unsigned successor)
{
    Instruction *term = unwrap<Instruction>(terminator);
    BasicBlock *to = term->getSuccessor(successor);

    if (to->getSinglePredecessor() || term->getNumSuccessors() == 1)
        return true;
    return !isa<IndirectBrInst>(term) && !to->isEHPad();
}

LLVMBasicBlockRef trod_bridge_block_on_edge(
    LLVMValueRef terminator, unsigned successor, bool *at_end_of_source)
{
    Instruction *term = unwrap<Instruction>(terminator);
    BasicBlock *to = term->getSuccessor(successor);

    *at_end_of_source = !to->getSinglePredecessor() && term->getNumSuccessors() == 1;
    if (*at_end_of_source)
        return wrap(term->getParent());
    if (to->getSinglePredecessor())
        return wrap(to);
    if (!trod_bridge_has_block_on_edge(terminator, successor))
        return nullptr;
    /* Parallel edges of a switch stay apart: each has its own value. */
    return wrap(SplitCriticalEdge(term, successor, CriticalEdgeSplittingOptions()));
}

const char *trod_bridge_why_not_inside(LLVMValueRef function)
{
    Function &f = *unwrap<Function>(function);

    if (f.isDeclarationForLinker())
        return "is not in this unit";
    if (f.isInterposable())
        return "may be replaced when the program is linked or loaded";
    if (f.isVarArg())
        return "has a variable number of arguments";
    if (f.isPresplitCoroutine())
        return "is a coroutine";
    for (BasicBlock &block : f) {
        if (block.getTerminatingMustTailCall())
            return "ends with a call that must be the last";
        if (block.hasAddressTaken())
            return "has labels whose addresses are taken";
        for (Instruction &i : block)
            if (returns_twice(i))
                return "calls a function that may return twice";
    }
    return nullptr;
}

bool trod_bridge_stays_apart(LLVMValueRef function)
{
    Function &f = *unwrap<Function>(function);

    return f.hasFnAttribute(Attribute::NoInline) &&
           !f.hasFnAttribute(Attribute::OptimizeNone);
}

unsigned trod_bridge_size(LLVMValueRef function)
{
    return unwrap<Function>(function)->getInstructionCount();
}

LLVMValueRef trod_bridge_copy(
    LLVMValueRef function, const char *name, unsigned nparameter)
{
    Function &from = *unwrap<Function>(function);
    FunctionType *type = from.getFunctionType();
    SmallVector<Type *, 8> parameter(type->param_begin(), type->param_end());
    SmallVector<ReturnInst *, 8> returns;
    ValueToValueMapTy map;
    Function *to;

    parameter.append(nparameter, PointerType::getUnqual(from.getContext()));
    to = Function::Create(FunctionType::get(type->getReturnType(), parameter, false),
        GlobalValue::InternalLinkage, from.getAddressSpace(), name, from.getParent());
    for (unsigned i = 0; i < from.arg_size(); i++) {
        to->getArg(i)->setName(from.getArg(i)->getName());
        map[from.getArg(i)] = to->getArg(i);
    }
    CloneFunctionInto(
        to, &from, map, CloneFunctionChangeType::LocalChangesOnly, returns);
    to->setLinkage(GlobalValue::InternalLinkage);
    to->setVisibility(GlobalValue::DefaultVisibility);
    to->setDLLStorageClass(GlobalValue::DefaultStorageClass);
    to->setComdat(nullptr);
    return wrap(to);
}

LLVMValueRef trod_bridge_call_copy(
    LLVMValueRef call, LLVMValueRef copy, LLVMValueRef *argument, unsigned count)
{
    CallBase *old = unwrap<CallBase>(call), *made;
    Function *to = unwrap<Function>(copy);
    SmallVector<Value *, 8> all(old->args());
    SmallVector<OperandBundleDef, 1> bundles;

    for (unsigned i = 0; i < count; i++)
        all.push_back(unwrap(argument[i]));
    old->getOperandBundlesAsDefs(bundles);
    if (auto *invoke = dyn_cast<InvokeInst>(old))
        made = InvokeInst::Create(to, invoke->getNormalDest(), invoke->getUnwindDest(),
            all, bundles, "", old->getIterator());
    else
        made = CallInst::Create(to, all, bundles, "", old->getIterator());
    made->setCallingConv(old->getCallingConv());
    made->setAttributes(old->getAttributes());
    made->removeFnAttr(Attribute::Memory);
    made->setDebugLoc(old->getDebugLoc());
    made->takeName(old);
    old->replaceAllUsesWith(made);
    old->eraseFromParent();
    return wrap(made);
}

bool trod_bridge_may_guard(LLVMValueRef call, LLVMValueRef function)
{
    CallBase *c = unwrap<CallBase>(call);

    return isa<CallInst>(c) && !c->isMustTailCall() &&
           isLegalToPromote(*c, unwrap<Function>(function));
}

LLVMValueRef trod_bridge_guard(LLVMValueRef call, LLVMValueRef function)
{
    return wrap(&promoteCallWithIfThenElse(
        *unwrap<CallBase>(call), unwrap<Function>(function)));
}

void trod_bridge_inline_always(LLVMValueRef function)
{
    unwrap<Function>(function)->addFnAttr("function-inline-cost", "0");
}

void trod_bridge_drop_unused(LLVMValueRef function)
{
    Function *f = unwrap<Function>(function);

    f->removeDeadConstantUsers();
    if (f->use_empty())
        f->eraseFromParent();
}

LLVMValueRef trod_bridge_first_insertion(LLVMBasicBlockRef block)
{
    return wrap(&*unwrap(block)->getFirstInsertionPt());
}

LLVMValueRef trod_bridge_first_no_phi(LLVMBasicBlockRef block)
{
    return wrap(&*unwrap(block)->getFirstNonPHI());
}

LLVMBasicBlockRef trod_bridge_split_before(LLVMValueRef instruction)
{
    Instruction *at = unwrap<Instruction>(instruction);

    return wrap(SplitBlock(at->getParent(), at));
}

void trod_bridge_promote(LLVMValueRef function, LLVMValueRef *alloca, unsigned count)
{
    DominatorTree tree(*unwrap<Function>(function));
    SmallVector<AllocaInst *, 4> list;

    for (unsigned i = 0; i < count; i++)
        if (isAllocaPromotable(unwrap<AllocaInst>(alloca[i])))
            list.push_back(unwrap<AllocaInst>(alloca[i]));
    PromoteMemToReg(list, tree);
}

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

/* As if it stood on the command line, unless it does. */
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

    /* fork runs what pthread_atfork was told. */
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

LLVMBasicBlockRef trod_bridge_split_allocas(LLVMValueRef function)
{
    Function &f = *unwrap<Function>(function);
    BasicBlock &entry = f.getEntryBlock();

    hoist_allocas(f);
    return wrap(SplitBlock(&entry, &*entry.getFirstNonPHIOrDbgOrAlloca()));
}

struct trod_bridge_twins {
    ValueToValueMapTy map;
    SmallVector<BasicBlock *, 32> block, twin;
};

/* An indirect branch goes where addresses say: to the blocks that were there first. */
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

/* The same within the copy: what the address is compared with is that of the block that was there
 * first.
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

/* The address of a block stays that of the block that was there first. */
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

trod_bridge_twins *trod_bridge_make_twins(LLVMValueRef function, bool within)
{
    Function &f = *unwrap<Function>(function);
    auto *twins = new trod_bridge_twins;

    for (BasicBlock &block : f)
        if (&block != &f.getEntryBlock())
            twins->block.push_back(&block);
    for (BasicBlock *block : twins->block) {
        BasicBlock *twin = CloneBasicBlock(block, twins->map, ".slow", &f);

        twins->map[block] = twin;
        twins->twin.push_back(twin);
    }
    for (BasicBlock *twin : twins->twin) {
        for (Instruction &i : make_early_inc_range(*twin)) {
            i.dropDbgRecords();
            if (isa<DbgInfoIntrinsic>(i))
                i.eraseFromParent();
            else
                RemapInstruction(
                    &i, twins->map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
        }
    }
    /* All of them first: going back takes entries out of PHIs of any block. */
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

/* A value and its twin are one variable now, that is set in two places. */
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

void trod_bridge_keep(LLVMModuleRef module, LLVMValueRef global)
{
    appendToCompilerUsed(*unwrap(module), {unwrap<GlobalValue>(global)});
}

void trod_bridge_retain(LLVMModuleRef module, LLVMValueRef global)
{
    appendToUsed(*unwrap(module), {unwrap<GlobalValue>(global)});
}

void trod_bridge_set_bss_section(LLVMValueRef global, const char *name)
{
    /* As `#pragma clang section bss` does: a section given outright is always in the file. */
    unwrap<GlobalVariable>(global)->addAttribute("bss-section", name);
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

    if (call && call->doesNotReturn()) /* traps, too */
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
    if (effects.getModRef(IRMemLocation::InaccessibleMem) == ModRefInfo::NoModRef)
        return effects;
    return effects | MemoryEffects(IRMemLocation::Other, ModRefInfo::ModRef);
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

const char *trod_bridge_function_at(LLVMMetadataRef location, size_t *length)
{
    const auto *at = dyn_cast<DILocation>(unwrap(location));
    const DISubprogram *of = at ? at->getScope()->getSubprogram() : nullptr;

    if (!of)
        return nullptr;
    StringRef name = of->getLinkageName().empty() ? of->getName() : of->getLinkageName();
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

/* A type of our own, a child of clang's root, beside 'omnipotent char': a type on another root
 * could be anything, and one below char is what every char pointer may point to.
 */
static void set_type(Instruction *i, const char *name)
{
    MDBuilder make(i->getContext());
    bool c = StringRef(i->getModule()->getSourceFileName()).ends_with(".c");
    MDNode *root = make.createTBAARoot(c ? "Simple C/C++ TBAA" : "Simple C++ TBAA");
    MDNode *type = make.createTBAAScalarTypeNode(name, root);

    i->setMetadata(LLVMContext::MD_tbaa, make.createTBAAStructTagNode(type, type, 0));
    /* Sanitizers look at the program's memory: a thread may take over a dead one's counters. */
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

/* --- values that conditions were given ---------------------------------------------------- */

/* As debug records: passes keep them up to date, and never look at them. A comparison comes with what it compares: it may
 * be made its own opposite in its place.
 */
static const char tracked[] = "trod.condition";

static DIExpression *arguments(LLVMContext &context, unsigned count)
{
    SmallVector<uint64_t, 6> ops;

    for (unsigned i = 0; i < count; i++) {
        ops.push_back(dwarf::DW_OP_LLVM_arg);
        ops.push_back(i);
    }
    return DIExpression::get(context, ops);
}

static void put_record(
    Value *value, unsigned number, BasicBlock &block, BasicBlock::iterator before)
{
    LLVMContext &context = block.getContext();
    DISubprogram *scope = block.getParent()->getSubprogram();
    SmallVector<ValueAsMetadata *, 3> of{ValueAsMetadata::get(value)};

    if (auto *compare = dyn_cast<CmpInst>(value))
        for (Value *operand : compare->operands())
            of.push_back(ValueAsMetadata::get(operand));
    auto *variable = DILocalVariable::get(context, scope, tracked, scope->getFile(),
        number, nullptr, 0, DINode::FlagArtificial, 0, nullptr);

    block.insertDbgRecordBefore(
        new DbgVariableRecord(DIArgList::get(context, of), variable,
            arguments(context, of.size()), DILocation::get(context, 0, 0, scope),
            DbgVariableRecord::LocationType::Value),
        before);
}

/* Where the function begins, for a block may be deleted; and where it is used, for a block may be copied. */
void trod_bridge_track(LLVMValueRef function, LLVMValueRef value, unsigned number)
{
    Function &f = *unwrap<Function>(function);
    auto *i = dyn_cast<Instruction>(unwrap(value));

    if (!f.getSubprogram() || !f.IsNewDbgInfoFormat)
        return;
    put_record(unwrap(value), number, f.getEntryBlock(),
        f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    if (i)
        put_record(
            i, number, *i->getParent(), i->getParent()->getTerminator()->getIterator());
}

static bool tell_tracked(DbgVariableRecord &record, trod_bridge_tracked &out)
{
    unsigned n = record.getNumVariableLocationOps();

    if (n != 1 && n != 3)
        return false;
    if (record.getExpression() != arguments(record.getParent()->getContext(), n))
        return false;
    out = {};
    out.number = record.getVariable()->getLine();
    for (unsigned k = 0; k < n; k++) {
        Value *value = record.getVariableLocationOp(k);

        if (!value || isa<UndefValue>(value))
            return false;
        (k == 0 ? out.value : k == 1 ? out.left : out.right) = wrap(value);
    }
    return true;
}

void trod_bridge_take_tracked(LLVMValueRef function,
    void (*take)(void *ctx, const struct trod_bridge_tracked *tracked), void *ctx)
{
    for (BasicBlock &block : *unwrap<Function>(function))
        for (Instruction &i : block)
            for (DbgRecord &r : make_early_inc_range(i.getDbgRecordRange())) {
                auto *record = dyn_cast<DbgVariableRecord>(&r);
                trod_bridge_tracked out;

                if (!record || record->getVariable()->getName() != tracked)
                    continue;
                if (take && tell_tracked(*record, out))
                    take(ctx, &out);
                record->eraseFromParent();
            }
}

void trod_bridge_each_enumerator(LLVMModuleRef module,
    void (*take)(void *ctx, const char *name, size_t length, int64_t value), void *ctx)
{
    DebugInfoFinder finder;

    finder.processModule(*unwrap(module));
    for (const DIType *type : finder.types())
        if (type->getTag() == dwarf::DW_TAG_enumeration_type)
            for (const DINode *node : cast<DICompositeType>(type)->getElements())
                if (auto *of = dyn_cast<DIEnumerator>(node))
                    take(ctx, of->getName().data(), of->getName().size(),
                        of->getValue().getSExtValue());
}

LLVMMetadataRef trod_bridge_loop_place(LLVMValueRef branch)
{
    MDNode *loop = unwrap<Instruction>(branch)->getMetadata(LLVMContext::MD_loop);

    for (unsigned i = 1; loop && i < loop->getNumOperands(); i++)
        if (auto *at = dyn_cast<DILocation>(loop->getOperand(i)))
            return at->getInlinedAt() ? nullptr : wrap(at);
    return nullptr;
}

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
        return trod_instrument_module(wrap(&module), point) ? PreservedAnalyses::none()
                                                            : PreservedAnalyses::all();
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
