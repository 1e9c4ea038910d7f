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
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/SSAUpdaterBulk.h"

using namespace llvm;

/* glibc's header declares that swapcontext returns twice if the compiler has -fcf-protection but no
 * attribute for "returns by an indirect jump". In fact it returns at most once, so it is treated as
 * a call that may not return.
 */
static bool switches_stacks(const CallBase &call)
{
    Function *callee = call.getCalledFunction();

    return callee && callee->getName() == "swapcontext";
}

/* A coroutine that suspends returns to its caller, and returns again when it is resumed. */
bool returns_twice(const Instruction &i)
{
    auto *call = dyn_cast<CallInst>(&i);

    return call && !switches_stacks(*call) &&
           (call->hasFnAttr(Attribute::ReturnsTwice) ||
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

/* Does the branch test whether a coroutine's frame is on the heap, to allocate or free it? */
static bool asks_for_frame(const BranchInst &branch)
{
    const Value *condition = branch.isConditional() ? branch.getCondition() : nullptr;
    auto *compare = dyn_cast_or_null<ICmpInst>(condition);

    if (compare)
        return calls_intrinsic(compare->getOperand(0), Intrinsic::coro_free) ||
               calls_intrinsic(compare->getOperand(1), Intrinsic::coro_free);
    return condition && calls_intrinsic(condition, Intrinsic::coro_alloc);
}

/* The index of the successor where both outcomes meet, if the other successor is a single block
 * that leads there; otherwise -1. */
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

/* Is it a block that only allocates or frees a coroutine's frame, and is not part of paths? */
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

/* --- variable arguments --- */

static const char fetches_argument[] = "trod.argument";

/* Clang names the blocks that va_arg consists of: vaarg.in_reg, vaarg.on_stack and the like, and vaarg.end. */
void trod_bridge_mark_arguments(LLVMModuleRef module)
{
    for (Function &f : *unwrap(module))
        for (BasicBlock &block : f) {
            auto *branch = dyn_cast<BranchInst>(block.getTerminator());

            if (branch && branch->isConditional() &&
                !block.getName().starts_with("vaarg.maybe") &&
                branch->getSuccessor(0)->getName().starts_with("vaarg."))
                branch->setMetadata(
                    fetches_argument, MDNode::get(f.getContext(), {}));
        }
}

using Between = SmallVector<BasicBlock *, TROD_BRIDGE_BETWEEN>;

/* The block where all ways from a branch meet again, if only a few blocks without calls lie between. */
static BasicBlock *meeting_block(Between &between, const BranchInst &branch)
{
    BasicBlock *meet = nullptr;

    for (unsigned i = 0; i < branch.getNumSuccessors(); i++)
        between.push_back(branch.getSuccessor(i));
    for (size_t i = 0; i < between.size(); i++) {
        if (between.size() > TROD_BRIDGE_BETWEEN)
            return nullptr;
        if (BasicBlock *next = between[i]->getSingleSuccessor()) {
            if (meet && meet != next)
                return nullptr;
            meet = next;
        } else {
            for (BasicBlock *to : successors(between[i]))
                if (!is_contained(between, to))
                    between.push_back(to);
        }
    }
    if (is_contained(between, meet))
        return nullptr;
    for (BasicBlock *block : between) {
        for (BasicBlock *from : predecessors(block))
            if (from != branch.getParent() && !is_contained(between, from))
                return nullptr;
        for (Instruction &i : *block)
            if (isa<CallBase>(i))
                return nullptr;
    }
    return meet;
}

LLVMBasicBlockRef trod_bridge_past_branch(
    LLVMBasicBlockRef *between, unsigned *count, LLVMValueRef terminator)
{
    auto *branch = dyn_cast<BranchInst>(unwrap<Instruction>(terminator));
    int frame = branch && asks_for_frame(*branch) ? meeting_point(*branch) : -1;
    BasicBlock *meet = nullptr;
    Between found;

    if (frame >= 0) {
        meet = branch->getSuccessor((unsigned)frame);
        found.push_back(branch->getSuccessor(1 - (unsigned)frame));
    } else if (branch && branch->isConditional() &&
               branch->getMetadata(fetches_argument)) {
        meet = meeting_block(found, *branch);
    }
    for (size_t i = 0; meet && i < found.size(); i++)
        between[i] = wrap(found[i]);
    *count = meet ? (unsigned)found.size() : 0;
    return wrap(meet);
}

/* The optimiser decides whether the frame is on the heap, and the decision may differ between
 * builds. Paths must not depend on it. Where the branch cannot be left out of the graph, it is
 * decided here: on the heap.
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

/* Marks the jump from a landing pad that was split off to the block it was split from. */
static const char split_pad[] = "trod.pad";

static void split_unwind_edges(Function &function)
{
    SmallVector<BasicBlock *, 8> pads;

    /* Without optimisation, clang may leave a landing pad that nothing unwinds to. */
    for (BasicBlock &block : function)
        if (block.isLandingPad() && !block.getSinglePredecessor() && !pred_empty(&block))
            pads.push_back(&block);
    for (BasicBlock *pad : pads) {
        /* Each iteration gives the first predecessor a pad of its own. The others share one that
         * has one predecessor less.
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

/* An exception that a function does not catch skips landing pads without cleanup, unless they are
 * inlined into a function that cleans up or catches it. So that paths do not depend on inlining,
 * all landing pads become cleanups.
 */
static void stop_all_exceptions(Function &function)
{
    for (BasicBlock &block : function)
        if (LandingPadInst *pad = block.getLandingPadInst())
            pad->setCleanup(true);
}

/* --- calls right before a return --------------------------------------------------------- */

/* Marks the call that ends a path. */
static const char last_call[] = "trod.last";

/* May this instruction be between a tail call and its return? */
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

/* Is a value the result of a call, possibly converted? */
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

/* The last call of a block, if the block then only returns this value, or nothing. LLVM can turn
 * such a call into a jump. NULL: there is none. */
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

bool only_returns(BasicBlock &block)
{
    for (Instruction &i : block)
        if (!isa<PHINode>(i) && !i.isTerminator() && !comes_to_nothing(i))
            return false;
    return isa<ReturnInst>(block.getTerminator()) && !block.hasAddressTaken() &&
           &block != &block.getParent()->getEntryBlock();
}

/* If a block only returns, gives each predecessor that ends with such a call a return of its own. */
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

/* Is it a call of a C library function that is known not to call back, and that the program does
 * not define itself? */
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

/* A placeholder that is lowered later. */
static bool is_own(const CallBase &call)
{
    const Function *callee = call.getCalledFunction();

    return callee && callee->getName().starts_with("__trod_counter");
}

bool enters(const Instruction &i)
{
    auto *call = dyn_cast<CallBase>(&i);

    return call && !isa<IntrinsicInst>(call) && !call->isInlineAsm() &&
           !returns_twice(i) && !is_harmless(*call) && !is_own(*call);
}

void hoist_allocas(Function &function)
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

    return enters(*first) && !ends && unwrap(block)->getSinglePredecessor() &&
                   !is_passed(*unwrap(block))
               ? wrap(first)
               : nullptr;
}

LLVMValueRef trod_bridge_called_function(LLVMValueRef call)
{
    CallBase *c = unwrap<CallBase>(call);
    auto *alias = dyn_cast<GlobalAlias>(c->getCalledOperand());
    auto *of = alias && !alias->isInterposable()
                   ? dyn_cast<Function>(alias->getAliaseeObject())
                   : nullptr;

    /* The constructors of a complete object and of a base may be one function with two names. */
    return wrap(of && of->getFunctionType() == c->getFunctionType()
                    ? of
                    : c->getCalledFunction());
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
    /* Parallel edges of a switch are split separately, because each has its own case value. */
    return wrap(SplitCriticalEdge(term, successor, CriticalEdgeSplittingOptions()));
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

LLVMValueRef trod_bridge_base_of(LLVMValueRef address, uint64_t *offset)
{
    auto *constant = dyn_cast<Constant>(unwrap(address));
    APInt sum(64, 0);
    Value *base;

    if (!constant)
        return nullptr;
    base = constant->stripAndAccumulateConstantOffsets(DataLayout(""), sum, true);
    *offset = sum.getZExtValue();
    return isa<GlobalVariable>(base) ? wrap(base) : nullptr;
}
