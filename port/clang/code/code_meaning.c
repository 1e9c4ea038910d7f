#include "clang/code/code.h"

#include <llvm-c/Target.h>
#include <string.h>

/* A function's code as one number. */

void trod_code_meaning_init(
    struct trod_code_meaning *out, LLVMModuleRef module, struct trod_arena *mem)
{
    *out = (struct trod_code_meaning){
        .module = module, .layout = LLVMGetModuleDataLayout(module), .mem = mem};
    trod_code_numbers_init(&out->types, mem);
    trod_code_numbers_init(&out->contents, mem);
}

/* --- what does not count ----------------------------------------------------------------------------- */

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static const char *intrinsic_name(LLVMValueRef instruction)
{
    LLVMValueRef callee;

    if (LLVMGetInstructionOpcode(instruction) != LLVMCall)
        return NULL;
    callee = LLVMGetCalledValue(instruction);
    if (LLVMGetValueKind(callee) != LLVMFunctionValueKind ||
        !LLVMGetIntrinsicID(callee))
        return NULL;
    return trod_code_name(callee);
}

bool trod_code_is_nothing(LLVMValueRef instruction)
{
    const char *name = intrinsic_name(instruction);

    return name && (begins(name, "llvm.dbg.") || begins(name, "llvm.instrprof.") ||
                       begins(name, "llvm.lifetime."));
}

uint64_t trod_code_function_shape(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
            i = LLVMGetNextInstruction(i)) {
            const char *name = intrinsic_name(i);

            if (name && begins(name, "llvm.instrprof.increment"))
                return LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
        }
    return 0;
}

/* --- attributes: those that say how something is passed --------------------------------------------- */

struct way {
    const char *name;
    bool of_type;
};

static const struct way ways[] = {{"byval", true}, {"sret", true}, {"inalloca", true},
    {"zeroext", false}, {"signext", false}, {"inreg", false}, {"nest", false}};

static uint64_t mix_way(struct trod_code_meaning *m, uint64_t hash,
    LLVMAttributeRef attribute, const struct way *way)
{
    hash = trod_mix(hash, (uint64_t)(way - ways));
    if (way->of_type && LLVMIsTypeAttribute(attribute))
        return trod_code_mix_type(m, hash, LLVMGetTypeAttributeValue(attribute));
    return hash;
}

static unsigned kind_of(const struct way *way)
{
    return LLVMGetEnumAttributeKindForName(way->name, strlen(way->name));
}

static uint64_t mix_ways(
    struct trod_code_meaning *m, uint64_t hash, LLVMValueRef of, unsigned nparam)
{
    bool is_function = LLVMGetValueKind(of) == LLVMFunctionValueKind;

    for (unsigned i = 0; i <= nparam; i++) {
        unsigned n = is_function ? LLVMGetAttributeCountAtIndex(of, i)
                                 : LLVMGetCallSiteAttributeCount(of, i);

        for (size_t k = 0; n && k < sizeof ways / sizeof *ways; k++) {
            unsigned kind = kind_of(&ways[k]);
            LLVMAttributeRef a = is_function
                                     ? LLVMGetEnumAttributeAtIndex(of, i, kind)
                                     : LLVMGetCallSiteEnumAttribute(of, i, kind);

            if (a)
                hash = mix_way(m, trod_mix(hash, i), a, &ways[k]);
        }
    }
    return hash;
}

/* --- instructions -------------------------------------------------------------------------------------- */

static uint64_t mix_operands(
    struct trod_code_meaning *m, uint64_t hash, LLVMValueRef i, uint64_t but)
{
    unsigned n = (unsigned)LLVMGetNumOperands(i);

    for (unsigned k = 0; k < n; k++)
        if (k < 64 && but >> k & 1)
            hash = trod_mix(hash, 0);
        else
            hash = trod_code_mix_value(m, hash, LLVMGetOperand(i, k));
    return hash;
}

static uint64_t mix_call(struct trod_code_meaning *m, uint64_t hash, LLVMValueRef i)
{
    hash = trod_code_mix_type(m, hash, LLVMGetCalledFunctionType(i));
    hash = trod_mix(hash, LLVMGetInstructionCallConv(i));
    hash = mix_ways(m, hash, i, LLVMGetNumArgOperands(i));
    return mix_operands(m, hash, i, trod_code_told_place(i));
}

static uint64_t mix_join(struct trod_code_meaning *m, uint64_t hash, LLVMValueRef i)
{
    unsigned n = LLVMCountIncoming(i);

    for (unsigned k = 0; k < n; k++)
        hash = trod_code_mix_value(
            m, hash, LLVMBasicBlockAsValue(LLVMGetIncomingBlock(i, k)));
    return mix_operands(m, hash, i, 0);
}

static uint64_t mix_indices(uint64_t hash, LLVMValueRef i)
{
    unsigned n = LLVMGetNumIndices(i);

    for (unsigned k = 0; k < n; k++)
        hash = trod_mix(hash, LLVMGetIndices(i)[k]);
    return hash;
}

static uint64_t mix_mask(uint64_t hash, LLVMValueRef i)
{
    unsigned n = LLVMGetNumMaskElements(i);

    for (unsigned k = 0; k < n; k++)
        hash = trod_mix(hash, (uint64_t)LLVMGetMaskValue(i, k));
    return hash;
}

/* What an instruction says beyond its operands. */
static uint64_t mix_flags(struct trod_code_meaning *m, uint64_t hash, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMICmp:
        return trod_mix(hash, LLVMGetICmpPredicate(i));
    case LLVMFCmp:
        return trod_mix(hash, LLVMGetFCmpPredicate(i));
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return trod_mix(
            trod_mix(hash, (uint64_t)LLVMGetNUW(i)), (uint64_t)LLVMGetNSW(i));
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMLShr:
    case LLVMAShr:
        return trod_mix(hash, (uint64_t)LLVMGetExact(i));
    case LLVMAlloca:
        return trod_code_mix_type(m, hash, LLVMGetAllocatedType(i));
    case LLVMLoad:
    case LLVMStore:
        return trod_mix(
            trod_mix(hash, (uint64_t)LLVMGetVolatile(i)), LLVMGetOrdering(i));
    case LLVMFence:
        return trod_mix(hash, LLVMGetOrdering(i));
    case LLVMAtomicRMW:
        return trod_mix(trod_mix(hash, LLVMGetAtomicRMWBinOp(i)), LLVMGetOrdering(i));
    case LLVMAtomicCmpXchg:
        return trod_mix(trod_mix(hash, LLVMGetCmpXchgSuccessOrdering(i)),
            LLVMGetCmpXchgFailureOrdering(i));
    case LLVMExtractValue:
    case LLVMInsertValue:
        return mix_indices(hash, i);
    case LLVMShuffleVector:
        return mix_mask(hash, i);
    case LLVMLandingPad:
        return trod_mix(hash, (uint64_t)LLVMIsCleanup(i));
    default:
        return hash;
    }
}

static uint64_t mix_instruction(
    struct trod_code_meaning *m, uint64_t hash, LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

    hash = trod_code_mix_type(m, trod_mix(hash, opcode), LLVMTypeOf(i));
    hash = mix_flags(m, hash, i);
    if (LLVMCanValueUseFastMathFlags(i))
        hash = trod_mix(hash, LLVMGetFastMathFlags(i));
    switch (opcode) {
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return mix_call(m, hash, i);
    case LLVMPHI:
        return mix_join(m, hash, i);
    case LLVMGetElementPtr:
        return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind
                   ? trod_code_mix_address(m, hash, i)
                   : mix_operands(m, hash, i, 0);
    default:
        return mix_operands(m, hash, i, 0);
    }
}

/* --- a function ---------------------------------------------------------------------------------------- */

static void number(struct trod_code_numbers *local, const void *what)
{
    bool is_new;
    uint64_t *value = trod_code_numbers_add(local, what, &is_new);

    *value = local->keys.count;
}

static void number_all(struct trod_code_numbers *local, LLVMValueRef function)
{
    for (LLVMValueRef a = LLVMGetFirstParam(function); a; a = LLVMGetNextParam(a))
        number(local, a);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b)) {
        number(local, LLVMBasicBlockAsValue(b));
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
            i = LLVMGetNextInstruction(i))
            if (!trod_code_is_nothing(i))
                number(local, i);
    }
}

static uint64_t mix_head(
    struct trod_code_meaning *m, uint64_t hash, LLVMValueRef function)
{
    hash = trod_code_mix_type(m, hash, LLVMGlobalGetValueType(function));
    hash = trod_mix(hash, LLVMGetFunctionCallConv(function));
    hash = mix_ways(m, hash, function, LLVMCountParams(function));
    if (LLVMHasPersonalityFn(function))
        hash = trod_code_mix_value(m, hash, LLVMGetPersonalityFn(function));
    return hash;
}

uint64_t trod_code_function_meaning(struct trod_code_meaning *m, LLVMValueRef function)
{
    struct trod_code_numbers local;
    uint64_t hash;

    trod_code_numbers_init(&local, m->mem);
    number_all(&local, function);
    m->local = &local;
    hash = mix_head(m, 0, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b)) {
        hash = trod_code_mix_value(m, hash, LLVMBasicBlockAsValue(b));
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
            i = LLVMGetNextInstruction(i))
            if (!trod_code_is_nothing(i))
                hash = mix_instruction(m, hash, i);
    }
    m->local = NULL;
    return hash ? hash : 1;
}
