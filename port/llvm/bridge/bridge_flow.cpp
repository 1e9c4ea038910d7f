#include "llvm/bridge/bridge.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

struct trod_bridge_flow {
    explicit trod_bridge_flow(Function &f) : tree(f), post(f), loops(tree) {}

    DominatorTree tree;
    PostDominatorTree post;
    LoopInfo loops;
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
    auto *post = a ? flow->post.getNode(a) : nullptr;

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
