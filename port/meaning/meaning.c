#include "meaning/meaning.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum {
    BACK = 0xb10c,
    BEFORE,
    OUTSIDE,
    ARGUMENT,
    VARIABLE,
    BLOCK,
    NEUTRAL,
    HANDED,
    BYTES
};

/* --- numbers ------------------------------------------------------------------------------------ */

static void set_number(struct trod_meaning *m, LLVMValueRef value, uint32_t number)
{
    bool is_new;

    *trod_keys_add(&m->number, (uintptr_t)value, &is_new, m->mem) = number;
}

uint32_t trod_meaning_number(const struct trod_meaning *of, LLVMValueRef value)
{
    const uint64_t *number = trod_keys_find(&of->number, (uintptr_t)value);

    return number ? (uint32_t)*number : 0;
}

/* Looks through llvm.expect, whose result is its operand. */
static LLVMValueRef through(LLVMValueRef value)
{
    while (trod_meaning_calls(value, "llvm.expect"))
        value = LLVMGetOperand(value, 0);
    return value;
}

/* Is it a variable of the function, not a dynamic alloca? */
static bool is_variable(LLVMValueRef value)
{
    return LLVMIsAAllocaInst(value) && LLVMIsAConstantInt(LLVMGetOperand(value, 0));
}

static void find_homes(struct trod_meaning *m, struct trod_arena *mem)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(m->function);

    m->nargument = LLVMCountParams(m->function);
    m->home = trod_new(mem, LLVMValueRef, (size_t)m->nargument + 1);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i;
        i = LLVMGetNextInstruction(i)) {
        LLVMValueRef value, to;

        if (LLVMGetInstructionOpcode(i) != LLVMStore)
            continue;
        value = LLVMGetOperand(i, 0);
        to = LLVMGetOperand(i, 1);
        if (LLVMIsAArgument(value) && is_variable(to))
            m->home[trod_meaning_number(m, value)] = to;
    }
}

void trod_meaning_open(
    struct trod_meaning *out, LLVMValueRef function, struct trod_arena *mem)
{
    uint32_t number = 0, nblock = 0;

    *out = (struct trod_meaning){.function = function,
        .layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function)),
        .mem = mem};
    for (unsigned k = 0; k < LLVMCountParams(function); k++)
        set_number(out, LLVMGetParam(function, k), k);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b)) {
        set_number(out, LLVMBasicBlockAsValue(b), nblock++);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
            i = LLVMGetNextInstruction(i))
            if (!trod_meaning_is_noise(i))
                set_number(out, i, number++);
    }
    find_homes(out, mem);
}

/* --- values from other blocks ------------------------------------------------------------------- */

/* Of structures and arrays only the kind: the size of a variable is hashed where it is defined. */
static uint64_t hash_of_kind(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind
               ? trod_mix(0, kind)
               : trod_meaning_type(type);
}

static uint64_t hash_variable(const struct trod_meaning *m, LLVMValueRef variable)
{
    for (uint32_t k = 0; k < m->nargument; k++)
        if (m->home[k] == variable)
            return trod_mix(ARGUMENT, k);
    return trod_mix(VARIABLE, hash_of_kind(LLVMGetAllocatedType(variable)));
}

/* Hashes the instruction that computes a value; of its operands, only globals, arguments and variables. */
static uint64_t hash_from(const struct trod_meaning *m, LLVMValueRef value)
{
    uint64_t hash;
    int n;

    if (LLVMIsAArgument(value))
        return trod_mix(ARGUMENT, trod_meaning_number(m, value));
    if (is_variable(value))
        return hash_variable(m, value);
    hash = trod_mix(OUTSIDE, LLVMGetInstructionOpcode(value));
    hash = trod_mix(hash, trod_meaning_type(LLVMTypeOf(value)));
    if (LLVMIsAPHINode(value))
        return hash;
    n = LLVMGetNumOperands(value);
    for (int k = 0; k < n; k++) {
        LLVMValueRef from = LLVMGetOperand(value, (unsigned)k);

        if (LLVMIsAGlobalValue(from))
            hash = trod_mix(hash, trod_meaning_constant(m, from, false));
        else if (LLVMIsAArgument(from) || is_variable(from))
            hash = trod_mix(hash, hash_from(m, from));
    }
    return hash;
}

/* --- one instruction ---------------------------------------------------------------------------- */

enum { MOST_OUTSIDE = 64 };

struct scan {
    const struct trod_meaning *m;
    LLVMBasicBlockRef block; /* NULL: the exact hash of the whole function */
    uint32_t here;           /* number of the instruction */
    LLVMValueRef outside[MOST_OUTSIDE];
    uint32_t noutside;
};

/* Includes the index of the value among those that the block uses from elsewhere, so that x + x
 * differs from x + y. */
static uint64_t hash_outside(struct scan *s, LLVMValueRef value)
{
    uint32_t k = 0;

    while (k < s->noutside && s->outside[k] != value)
        k++;
    if (k == s->noutside && k < MOST_OUTSIDE)
        s->outside[s->noutside++] = value;
    return trod_mix(hash_from(s->m, value), k);
}

static bool is_of_block(const struct scan *s, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == s->block &&
           !LLVMIsAPHINode(value) && !is_variable(value);
}

static uint64_t hash_value(struct scan *s, LLVMValueRef value)
{
    value = through(value);
    if (LLVMValueIsBasicBlock(value))
        return trod_mix(BLOCK, s->block ? 0 : trod_meaning_number(s->m, value));
    if (!LLVMIsAInstruction(value) && !LLVMIsAArgument(value))
        return trod_meaning_constant(s->m, value, !s->block);
    if (!s->block)
        return trod_mix(LLVMIsAArgument(value) ? ARGUMENT : BEFORE,
            trod_meaning_number(s->m, value));
    if (is_of_block(s, value))
        return trod_mix(BACK, s->here - trod_meaning_number(s->m, value));
    return hash_outside(s, value);
}

static uint64_t hash_operands(struct scan *s, uint64_t hash, LLVMValueRef i)
{
    int n = LLVMGetNumOperands(i);

    for (int k = 0; k < n; k++)
        hash = trod_mix(hash, hash_value(s, LLVMGetOperand(i, (unsigned)k)));
    return hash;
}

/* --- calls -------------------------------------------------------------------------------------- */

static uint64_t hash_call(struct scan *s, uint64_t hash, LLVMValueRef call)
{
    hash = trod_mix(hash, hash_value(s, LLVMGetCalledValue(call)));
    hash = trod_mix(hash, trod_meaning_type(LLVMGetCalledFunctionType(call)));
    hash = trod_mix(hash, LLVMGetInstructionCallConv(call));
    hash = trod_mix(hash, trod_meaning_passing(call, LLVMGetNumArgOperands(call)));
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMValueRef argument = LLVMGetOperand(call, k);
        bool neutral = trod_meaning_is_neutral(call, k);

        hash = trod_mix(hash, neutral ? NEUTRAL : hash_value(s, argument));
    }
    if (s->block || !LLVMIsAInvokeInst(call))
        return hash;
    hash =
        trod_mix(hash, hash_value(s, LLVMBasicBlockAsValue(LLVMGetNormalDest(call))));
    return trod_mix(
        hash, hash_value(s, LLVMBasicBlockAsValue(LLVMGetUnwindDest(call))));
}

/* --- other instructions ------------------------------------------------------------------------- */

/* Offsets are in bytes, so that a field added to a structure changes only accesses to the fields it
 * moves. */
static uint64_t hash_place(struct scan *s, uint64_t hash, LLVMValueRef i)
{
    struct trod_meaning_step step = {.layout = s->m->layout};
    int n = LLVMGetNumOperands(i);

    if (!trod_meaning_is_plain(i))
        return hash_operands(
            s, trod_mix(hash, trod_meaning_type(LLVMGetGEPSourceElementType(i))), i);
    hash = trod_mix(hash, hash_value(s, LLVMGetOperand(i, 0)));
    for (int k = 1; k < n; k++) {
        LLVMValueRef index = LLVMGetOperand(i, (unsigned)k);
        uint64_t size = trod_meaning_move(&step, i, index);

        if (size)
            hash = trod_mix(trod_mix(hash, size), hash_value(s, index));
    }
    return trod_mix(trod_mix(hash, BYTES), (uint64_t)step.bytes);
}

/* The hash of a block does not depend on the order of cases. */
static uint64_t hash_switch(struct scan *s, uint64_t hash, LLVMValueRef i)
{
    int n = LLVMGetNumOperands(i);
    uint64_t cases = 0;

    if (!s->block)
        return hash_operands(s, hash, i);
    hash = trod_mix(hash, hash_value(s, LLVMGetOperand(i, 0)));
    for (int k = 2; k < n; k += 2)
        cases += hash_value(s, LLVMGetOperand(i, (unsigned)k));
    return trod_mix(hash, cases);
}

static uint64_t hash_phi(struct scan *s, uint64_t hash, LLVMValueRef phi)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        hash = trod_mix(hash, hash_value(s, LLVMGetIncomingValue(phi, k)));
        hash = trod_mix(
            hash, hash_value(s, LLVMBasicBlockAsValue(LLVMGetIncomingBlock(phi, k))));
    }
    return hash;
}

static uint64_t hash_indices(uint64_t hash, LLVMValueRef i)
{
    const unsigned *index = LLVMGetIndices(i);

    for (unsigned k = 0; k < LLVMGetNumIndices(i); k++)
        hash = trod_mix(hash, index[k]);
    return hash;
}

/* Properties of an instruction other than its operands. */
static uint64_t hash_details(const struct scan *s, uint64_t hash, LLVMValueRef i)
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
        return s->block
                   ? hash
                   : trod_mix(hash, (LLVMGetNUW(i) != 0) * 2u + (LLVMGetNSW(i) != 0));
    case LLVMAlloca:
        return trod_mix(hash, trod_meaning_type(LLVMGetAllocatedType(i)));
    case LLVMLoad:
    case LLVMStore:
        hash = trod_mix(hash, LLVMGetOrdering(i));
        return trod_mix(hash, LLVMGetVolatile(i) != 0);
    case LLVMAtomicRMW:
        return trod_mix(trod_mix(hash, LLVMGetAtomicRMWBinOp(i)), LLVMGetOrdering(i));
    case LLVMAtomicCmpXchg:
        return trod_mix(trod_mix(hash, LLVMGetCmpXchgSuccessOrdering(i)),
            LLVMGetCmpXchgFailureOrdering(i));
    case LLVMFence:
        return trod_mix(hash, LLVMGetOrdering(i));
    case LLVMExtractValue:
    case LLVMInsertValue:
        return hash_indices(hash, i);
    case LLVMShuffleVector:
        for (unsigned k = 0; k < LLVMGetNumMaskElements(i); k++)
            hash = trod_mix(hash, (uint64_t)LLVMGetMaskValue(i, k));
        return hash;
    case LLVMLandingPad:
        return s->block ? hash : trod_mix(hash, LLVMIsCleanup(i) != 0);
    default:
        return hash;
    }
}

static uint64_t hash_instruction(struct scan *s, LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    uint64_t hash = trod_mix(opcode, trod_meaning_type(LLVMTypeOf(i)));

    s->here = trod_meaning_number(s->m, i);
    hash = hash_details(s, hash, i);
    if (!s->block && LLVMCanValueUseFastMathFlags(i))
        hash = trod_mix(hash, LLVMGetFastMathFlags(i));
    switch (opcode) {
    case LLVMCall:
    case LLVMInvoke:
        return hash_call(s, hash, i);
    case LLVMGetElementPtr:
        return hash_place(s, hash, i);
    case LLVMSwitch:
        return hash_switch(s, hash, i);
    case LLVMPHI:
        return hash_phi(s, hash, i);
    default:
        return hash_operands(s, hash, i);
    }
}

/* --- functions and blocks ----------------------------------------------------------------------- */

uint64_t trod_meaning_of_function(const struct trod_meaning *of)
{
    struct scan s = {.m = of};
    LLVMValueRef f = of->function;
    uint64_t hash = trod_meaning_type(LLVMGlobalGetValueType(f));

    hash = trod_mix(hash, LLVMGetFunctionCallConv(f));
    hash = trod_mix(hash, trod_meaning_passing(f, LLVMCountParams(f)));
    if (LLVMHasPersonalityFn(f))
        hash = trod_mix(hash, hash_value(&s, LLVMGetPersonalityFn(f)));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(of->function); b;
        b = LLVMGetNextBasicBlock(b)) {
        hash = trod_mix(hash, BLOCK);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
            i = LLVMGetNextInstruction(i))
            if (!trod_meaning_is_noise(i))
                hash = trod_mix(hash, hash_instruction(&s, i));
    }
    return hash ? hash : 1;
}

/* The value that a block passes to a phi; 0: none, or undefined. A value from another block is
 * hashed without its index, because the number of values that only pass through does not depend on
 * this block.
 */
static uint64_t hash_handed(const struct scan *s, LLVMValueRef phi)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef value = through(LLVMGetIncomingValue(phi, k));
        uint32_t end;

        if (LLVMGetIncomingBlock(phi, k) != s->block)
            continue;
        if (LLVMIsUndef(value) || LLVMIsPoison(value))
            return 0;
        end = trod_meaning_number(s->m, LLVMGetBasicBlockTerminator(s->block));
        if (is_of_block(s, value))
            return trod_mix(BACK, end - trod_meaning_number(s->m, value));
        if (LLVMIsAInstruction(value) || LLVMIsAArgument(value))
            return hash_from(s->m, value);
        return trod_meaning_constant(s->m, value, false);
    }
    return 0;
}

/* Hashes the values as a set: a second phi that receives the same value does not depend on this block. */
static uint64_t hash_all_handed(const struct scan *s)
{
    enum { MOST = 64 };
    LLVMValueRef term = LLVMGetBasicBlockTerminator(s->block);
    uint64_t seen[MOST], sum = 0;
    unsigned n = 0, nsuccessor = LLVMGetNumSuccessors(term);

    for (unsigned k = 0; k < nsuccessor; k++) {
        LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetSuccessor(term, k));

        for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
            uint64_t handed = hash_handed(s, i);
            unsigned j = 0;

            while (j < n && seen[j] != handed)
                j++;
            if (!handed || j < n || n == MOST)
                continue;
            seen[n++] = handed;
            sum += trod_mix(HANDED, handed);
        }
    }
    return sum;
}

uint64_t trod_meaning_of_block(const struct trod_meaning *of, LLVMBasicBlockRef block)
{
    struct scan s = {.m = of, .block = block};
    uint64_t hash = 0;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
        i = LLVMGetNextInstruction(i))
        if (!trod_meaning_is_noise(i) && !LLVMIsAPHINode(i) && !is_variable(i))
            hash = trod_mix(hash, hash_instruction(&s, i));
    return trod_mix(hash, hash_all_handed(&s));
}
