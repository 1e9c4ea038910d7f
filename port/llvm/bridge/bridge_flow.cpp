#include "llvm/bridge/bridge.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <memory>
#include <vector>

using namespace llvm;

struct trod_bridge_flow {
    explicit trod_bridge_flow(Function &f) : tree(f), loops(tree) {}

    DominatorTree tree;
    LoopInfo loops;
    std::unique_ptr<PostDominatorTree> post; /* when it is first used */
    /* Of the function before loops were prepared. */
    std::unique_ptr<BranchProbabilityInfo> probability;
    std::unique_ptr<BlockFrequencyInfo> frequency;
    std::vector<Loop *> innermost;
    std::vector<LLVMBasicBlockRef> block, exit;
};

struct trod_bridge_flow *trod_bridge_flow_open(LLVMValueRef function)
{
    return new trod_bridge_flow(*unwrap<Function>(function));
}

void trod_bridge_flow_close(struct trod_bridge_flow *flow)
{
    delete flow;
}

LLVMBasicBlockRef trod_bridge_flow_before(
    struct trod_bridge_flow *flow, LLVMBasicBlockRef block)
{
    BasicBlock *b = unwrap(block);
    auto *node = flow->tree.getNode(b);
    BasicBlock *a = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;

    if (!flow->post)
        flow->post = std::make_unique<PostDominatorTree>(*b->getParent());
    auto *post = a ? flow->post->getNode(a) : nullptr;

    if (!post || !post->getIDom() || post->getIDom()->getBlock() != b ||
        flow->loops.getLoopFor(a) != flow->loops.getLoopFor(b))
        return nullptr;
    return wrap(a);
}

bool trod_bridge_flow_between(struct trod_bridge_flow *flow, LLVMBasicBlockRef from,
    LLVMBasicBlockRef to, LLVMBasicBlockRef *out, unsigned most, unsigned *count)
{
    Loop *loop = flow->loops.getLoopFor(unwrap(from));
    SmallVector<BasicBlock *, 16> open{unwrap(from)};
    SmallPtrSet<BasicBlock *, 16> seen{unwrap(to)};

    *count = 0;
    while (!open.empty())
        for (BasicBlock *next : successors(open.pop_back_val())) {
            /* Control can return to `from` without reaching `to`, for example by `continue`. */
            if (next == unwrap(from))
                return false;
            if (!seen.insert(next).second)
                continue;
            if (*count == most || flow->loops.getLoopFor(next) != loop)
                return false;
            out[(*count)++] = wrap(next);
            open.push_back(next);
        }
    /* There must be no other way in. */
    seen.insert(unwrap(from));
    for (BasicBlock *b : seen)
        for (BasicBlock *before : predecessors(b))
            if (b != unwrap(from) && (before == unwrap(to) || !seen.contains(before)))
                return false;
    return true;
}

/* --- frequencies ------------------------------------------------------------------------- */

static void estimate(struct trod_bridge_flow *flow)
{
    Function &f = *flow->tree.getRoot()->getParent();

    if (flow->frequency)
        return;
    flow->probability = std::make_unique<BranchProbabilityInfo>(f, flow->loops);
    flow->frequency =
        std::make_unique<BlockFrequencyInfo>(f, *flow->probability, flow->loops);
}

static double relative(struct trod_bridge_flow *flow, BlockFrequency frequency)
{
    BlockFrequency entry = flow->frequency->getBlockFreq(flow->tree.getRoot());

    return (double)frequency.getFrequency() / (double)entry.getFrequency();
}

double trod_bridge_flow_frequency(struct trod_bridge_flow *flow, LLVMBasicBlockRef block)
{
    estimate(flow);
    return relative(flow, flow->frequency->getBlockFreq(unwrap(block)));
}

double trod_bridge_flow_entries(struct trod_bridge_flow *flow, LLVMBasicBlockRef header)
{
    BasicBlock *to = unwrap(header);
    Loop *loop = flow->loops.getLoopFor(to);
    SmallPtrSet<BasicBlock *, 4> seen;
    double sum = 0;

    estimate(flow);
    for (BasicBlock *from : predecessors(to))
        if (!loop->contains(from) && seen.insert(from).second)
            sum += relative(flow, flow->frequency->getBlockFreq(from) *
                                      flow->probability->getEdgeProbability(from, to));
    return sum;
}

LLVMBasicBlockRef trod_bridge_flow_above(struct trod_bridge_flow *flow,
    LLVMBasicBlockRef from, LLVMBasicBlockRef a, LLVMBasicBlockRef b)
{
    BasicBlock *above = flow->tree.findNearestCommonDominator(unwrap(a), unwrap(b));
    Loop *loop = flow->loops.getLoopFor(unwrap(from));

    while (flow->loops.getLoopFor(above) != loop && above != unwrap(from))
        above = flow->tree.getNode(above)->getIDom()->getBlock();
    return wrap(above);
}

bool trod_bridge_flow_is_reachable(
    struct trod_bridge_flow *flow, LLVMBasicBlockRef block)
{
    return flow->tree.isReachableFromEntry(unwrap(block));
}

bool trod_bridge_flow_is_always(struct trod_bridge_flow *flow, LLVMBasicBlockRef block)
{
    Loop *loop = flow->loops.getLoopFor(unwrap(block));
    SmallVector<BasicBlock *, 4> latch;

    loop->getLoopLatches(latch);
    return all_of(latch,
        [&](BasicBlock *b) { return flow->tree.dominates(unwrap(block), b); });
}

bool trod_bridge_flow_dominates(
    struct trod_bridge_flow *flow, LLVMValueRef first, LLVMValueRef second)
{
    Instruction *a = unwrap<Instruction>(first), *b = unwrap<Instruction>(second);

    return a->getFunction() == b->getFunction() && flow->tree.dominates(a, b);
}

/* --- loops -------------------------------------------------------------------------------- */

static void list(struct trod_bridge_flow *flow, Loop *loop, struct trod_bridge_loop *out)
{
    SmallVector<BasicBlock *, 8> exit;

    flow->block.clear();
    flow->exit.clear();
    for (BasicBlock *b : loop->blocks())
        flow->block.push_back(wrap(b));
    loop->getUniqueExitBlocks(exit);
    for (BasicBlock *b : exit)
        flow->exit.push_back(wrap(b));
    out->before = wrap(loop->getLoopPreheader());
    out->header = wrap(loop->getHeader());
    out->block = flow->block.data();
    out->nblock = (unsigned)flow->block.size();
    out->exit = flow->exit.data();
    out->nexit = (unsigned)flow->exit.size();
}

bool trod_bridge_flow_loop(
    struct trod_bridge_flow *flow, unsigned k, struct trod_bridge_loop *out)
{
    if (flow->innermost.empty())
        for (Loop *loop : flow->loops.getLoopsInPreorder())
            if (loop->isInnermost())
                flow->innermost.push_back(loop);
    if (k >= flow->innermost.size())
        return false;
    list(flow, flow->innermost[k], out);
    return true;
}

bool trod_bridge_flow_prepare_loop(
    struct trod_bridge_flow *flow, unsigned k, struct trod_bridge_loop *out)
{
    Loop *loop = flow->innermost[k];

    if (!loop->getLoopPreheader() &&
        !InsertPreheaderForLoop(loop, &flow->tree, &flow->loops, nullptr, false))
        return false;
    formDedicatedExitBlocks(loop, &flow->tree, &flow->loops, nullptr, false);
    list(flow, loop, out);
    return out->nexit > 0 && loop->hasDedicatedExits() &&
           all_of(flow->exit, [](LLVMBasicBlockRef b) {
               return unwrap(b)->getFirstInsertionPt() != unwrap(b)->end();
           });
}

bool trod_bridge_waits(LLVMValueRef instruction)
{
    Instruction *i = unwrap<Instruction>(instruction);

    return i->isAtomic() || i->isVolatile();
}

bool trod_bridge_calls_setjmp(LLVMValueRef function)
{
    return unwrap<Function>(function)->callsFunctionThatReturnsTwice();
}
