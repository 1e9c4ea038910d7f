#include "llvm/bridge/bridge.h"
#include "llvm/bridge/bridge_version.hpp"
#include "llvm/bridge/bridge_shared.hpp"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

/* --- labels as values ----------------------------------------------------------------------- */

namespace
{

/* The addresses of a function's labels, and the constant tables that hold them. A copy of the function needs
 * tables of its own, which is possible only if no address leaves the function: an address that was stored
 * elsewhere would lead from a copy into the original.
 */
struct Labels {
    Function &function;
    SmallVector<GlobalVariable *, 4> table, copy;
    SmallPtrSet<const Value *, 16> seen;
    bool inside = true;

    explicit Labels(Function &f) : function(f)
    {
        for (BasicBlock &block : f)
            if (block.hasAddressTaken())
                if (BlockAddress *address = BlockAddress::lookup(&block))
                    follow(*address);
    }

    bool stay() const
    {
        return inside;
    }

    void follow(Value &value)
    {
        if (!seen.insert(&value).second)
            return;
        for (User *user : value.users())
            inside = inside && take(*user);
    }

    bool take(User &user)
    {
        if (auto *variable = dyn_cast<GlobalVariable>(&user)) {
            if (!variable->isConstant() || !variable->hasLocalLinkage())
                return false;
            table.push_back(variable);
            follow(*variable);
            return inside;
        }
        if (isa<Constant>(user)) {
            follow(user);
            return inside;
        }
        auto *i = dyn_cast<Instruction>(&user);
        if (!i || i->getFunction() != &function)
            return false;
        if (isa<IndirectBrInst>(i) || isa<ICmpInst>(i))
            return true;
        if (isa<PHINode>(i) || isa<SelectInst>(i) || isa<CastInst>(i) ||
            isa<FreezeInst>(i) || isa<GetElementPtrInst>(i) || isa<LoadInst>(i)) {
            follow(*i);
            return inside;
        }
        return false;
    }

    void copy_tables(ValueToValueMapTy &map)
    {
        for (GlobalVariable *from : table) {
            auto *to = new GlobalVariable(*from->getParent(), from->getValueType(), true,
                GlobalValue::PrivateLinkage, nullptr, from->getName() + ".trod", from);

            to->copyAttributesFrom(from);
            copy.push_back(to);
            map[from] = to;
        }
    }

    /* Blocks of the copy exist now. */
    void fill_tables(ValueToValueMapTy &map)
    {
        for (size_t i = 0; i < copy.size(); i++)
            copy[i]->setInitializer(MapValue(table[i]->getInitializer(), map));
    }
};

} // namespace

/* --- copies ----------------------------------------------------------------------------------- */

const char *trod_bridge_why_not_inside(LLVMValueRef function)
{
    Function &f = *unwrap<Function>(function);

    if (f.isDeclarationForLinker())
        return "is not in this unit";
    if (f.isInterposable())
        return "may be replaced when the program is linked or loaded";
    if (f.isPresplitCoroutine())
        return "is a coroutine";
    for (BasicBlock &block : f)
        if (block.getTerminatingMustTailCall())
            return "ends with a call that must be the last";
    if (!Labels(f).stay())
        return "has labels whose addresses may be used elsewhere";
    return nullptr;
}

/* LLVM does not inline functions with variable arguments, with labels whose addresses are taken, or with calls that
 * may return twice.
 */
static bool is_never_inlined(Function &f)
{
    if (f.isVarArg())
        return true;
    for (BasicBlock &block : f) {
        if (block.hasAddressTaken())
            return true;
        for (Instruction &i : block)
            if (returns_twice(i))
                return true;
    }
    return false;
}

bool trod_bridge_stays_apart(LLVMValueRef function)
{
    Function &f = *unwrap<Function>(function);

    return (f.hasFnAttribute(Attribute::NoInline) &&
               !f.hasFnAttribute(Attribute::OptimizeNone)) ||
           is_never_inlined(f);
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
    Labels labels(from);
    Function *to;

    parameter.append(nparameter, PointerType::getUnqual(from.getContext()));
    to = Function::Create(
        FunctionType::get(type->getReturnType(), parameter, type->isVarArg()),
        GlobalValue::InternalLinkage, from.getAddressSpace(), name, from.getParent());
    if (labels.stay())
        labels.copy_tables(map);
    for (unsigned i = 0; i < from.arg_size(); i++) {
        to->getArg(i)->setName(from.getArg(i)->getName());
        map[from.getArg(i)] = to->getArg(i);
    }
    CloneFunctionInto(
        to, &from, map, CloneFunctionChangeType::LocalChangesOnly, returns);
    labels.fill_tables(map);
    to->setLinkage(GlobalValue::InternalLinkage);
    to->setVisibility(GlobalValue::DefaultVisibility);
    to->setDLLStorageClass(GlobalValue::DefaultStorageClass);
    to->setComdat(nullptr);
    return wrap(to);
}

/* Attributes of a call that gets further arguments before one of its own. */
static AttributeList shift_attributes(const CallBase &call, unsigned at, unsigned count)
{
    const AttributeList &old = call.getAttributes();
    SmallVector<AttributeSet, 8> of_argument;

    for (unsigned i = 0; i < call.arg_size(); i++) {
        if (i == at)
            of_argument.append(count, AttributeSet());
        of_argument.push_back(old.getParamAttrs(i));
    }
    return AttributeList::get(
        call.getContext(), old.getFnAttrs(), old.getRetAttrs(), of_argument);
}

/* Further arguments follow the named ones, and precede variable ones. */
LLVMValueRef trod_bridge_call_copy(
    LLVMValueRef call, LLVMValueRef copy, LLVMValueRef *argument, unsigned count)
{
    CallBase *old = unwrap<CallBase>(call), *made;
    Function *to = unwrap<Function>(copy);
    SmallVector<Value *, 8> all(old->args());
    SmallVector<OperandBundleDef, 1> bundles;
    unsigned named = to->arg_size() - count;

    for (unsigned i = 0; i < count; i++)
        all.insert(all.begin() + named + i, unwrap(argument[i]));
    old->getOperandBundlesAsDefs(bundles);
    if (auto *invoke = dyn_cast<InvokeInst>(old))
        made = InvokeInst::Create(to, invoke->getNormalDest(), invoke->getUnwindDest(),
            all, bundles, "", place_before(old));
    else
        made = CallInst::Create(to, all, bundles, "", place_before(old));
    made->setCallingConv(old->getCallingConv());
    made->setAttributes(shift_attributes(*old, named, count));
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
