#include "llvm/bridge/bridge.h"
#include "llvm/bridge/bridge_version.hpp"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/* --- tracked values of conditions --------------------------------------------------------- */

/* Values are tracked by debug records: passes update them, and do not otherwise depend on them. The
 * record of a comparison includes its operands, because a pass may invert the comparison in place.
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

    put_variable(DIArgList::get(context, of), variable, arguments(context, of.size()),
        DILocation::get(context, 0, 0, scope), block, before);
}

/* Two records: one at the function's entry, because the block of the value may be deleted; and one
 * in that block, because it may be duplicated. */
void trod_bridge_track(LLVMValueRef function, LLVMValueRef value, unsigned number)
{
    Function &f = *unwrap<Function>(function);
    auto *i = dyn_cast<Instruction>(unwrap(value));

    if (!f.getSubprogram() || !takes_variables(f))
        return;
    put_record(unwrap(value), number, f.getEntryBlock(),
        f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    if (i)
        put_record(
            i, number, *i->getParent(), i->getParent()->getTerminator()->getIterator());
}

static bool read_tracked(trod_variable &record, trod_bridge_tracked &out)
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
        for (Instruction &i : make_early_inc_range(block))
            each_variable(i, [&](trod_variable &record) {
                trod_bridge_tracked out;

                if (record.getVariable()->getName() != tracked)
                    return;
                if (take && read_tracked(record, out))
                    take(ctx, &out);
                record.eraseFromParent();
            });
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

/* clang gives the test of a handler, and the call that begins it, the location of other code. The
 * variable that the handler declares has the right line; without one, the handler's lexical block
 * has.
 */
unsigned trod_bridge_handler_line(LLVMValueRef branch)
{
    auto *test = unwrap<BranchInst>(branch);
    const DILocation *own = test->getDebugLoc().get(), *begin = nullptr;

    if (!own)
        return 0;
    for (Instruction &i : *test->getSuccessor(0)) {
        const DILocation *at = i.getDebugLoc().get();
        unsigned line = 0;

        each_variable(i, [&](trod_variable &variable) {
            if (!line && variable.getVariable()->getLine() >= own->getLine())
                line = variable.getVariable()->getLine();
        });
        if (line)
            return line;
        if (auto *declare = dyn_cast<DbgVariableIntrinsic>(&i))
            return declare->getVariable()->getLine();
        if (!at || isa<PHINode>(i) || at == begin)
            continue;
        if (!begin) {
            begin = at;
            continue;
        }
        auto *block = dyn_cast<DILexicalBlock>(at->getScope());
        while (block && block->getScope() != own->getScope()->getScope() &&
               isa<DILexicalBlock>(block->getScope()))
            block = cast<DILexicalBlock>(block->getScope());
        return block ? block->getLine() : 0;
    }
    return 0;
}
