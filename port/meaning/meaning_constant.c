#include "meaning/meaning.h"

#include <string.h>

enum {
    DEEPEST = 8
}; /* maximum depth of pointers that are followed through private data */

enum { SELF = 0x5e1f, NAMED, CONTENT, DATA, PLACE, SPELLED };

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t length)
{
    uint64_t word;

    hash = trod_mix(hash, length);
    for (; length >= sizeof word; bytes += sizeof word, length -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = trod_mix(hash, word);
    }
    word = 0;
    memcpy(&word, bytes, length);
    return trod_mix(hash, word);
}

/* --- types -------------------------------------------------------------------------------------- */

static uint64_t hash_struct(uint64_t hash, LLVMTypeRef type)
{
    unsigned n = LLVMIsOpaqueStruct(type) ? 0 : LLVMCountStructElementTypes(type);

    hash = trod_mix(hash, (uint64_t)n * 2 + (LLVMIsPackedStruct(type) != 0));
    for (unsigned i = 0; i < n; i++)
        hash = trod_mix(hash, trod_meaning_type(LLVMStructGetTypeAtIndex(type, i)));
    return hash;
}

static uint64_t hash_signature(uint64_t hash, LLVMTypeRef type)
{
    enum { MOST = 32 };
    LLVMTypeRef parameter[MOST];
    unsigned n = LLVMCountParamTypes(type);

    hash = trod_mix(hash, (uint64_t)n * 2 + (LLVMIsFunctionVarArg(type) != 0));
    hash = trod_mix(hash, trod_meaning_type(LLVMGetReturnType(type)));
    if (n > MOST)
        return hash; /* arguments distinguish the other types */
    LLVMGetParamTypes(type, parameter);
    for (unsigned i = 0; i < n; i++)
        hash = trod_mix(hash, trod_meaning_type(parameter[i]));
    return hash;
}

uint64_t trod_meaning_type(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint64_t hash = trod_mix(0, kind);

    switch (kind) {
    case LLVMIntegerTypeKind:
        return trod_mix(hash, LLVMGetIntTypeWidth(type));
    case LLVMPointerTypeKind:
        return trod_mix(hash, LLVMGetPointerAddressSpace(type));
    case LLVMArrayTypeKind:
        hash = trod_mix(hash, LLVMGetArrayLength2(type));
        return trod_mix(hash, trod_meaning_type(LLVMGetElementType(type)));
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind:
        hash = trod_mix(hash, LLVMGetVectorSize(type));
        return trod_mix(hash, trod_meaning_type(LLVMGetElementType(type)));
    case LLVMStructTypeKind:
        return hash_struct(hash, type);
    case LLVMFunctionTypeKind:
        return hash_signature(hash, type);
    default:
        return hash;
    }
}

/* --- offsets in structures ---------------------------------------------------------------------- */

bool trod_meaning_is_plain(LLVMValueRef gep)
{
    int n = LLVMGetNumOperands(gep);

    for (int k = 0; k < n; k++) {
        LLVMTypeKind kind =
            LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(gep, (unsigned)k)));

        if (kind != (k ? LLVMIntegerTypeKind : LLVMPointerTypeKind))
            return false;
    }
    return true;
}

uint64_t trod_meaning_move(
    struct trod_meaning_step *step, LLVMValueRef gep, LLVMValueRef index)
{
    LLVMValueRef constant = LLVMIsAConstantInt(index);
    uint64_t size;

    if (!step->type) {
        step->type = LLVMGetGEPSourceElementType(gep);
    } else if (LLVMGetTypeKind(step->type) == LLVMStructTypeKind) {
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);

        step->bytes += (int64_t)LLVMOffsetOfElement(step->layout, step->type, field);
        step->type = LLVMStructGetTypeAtIndex(step->type, field);
        return 0;
    } else {
        step->type = LLVMGetElementType(step->type);
    }
    size = LLVMABISizeOfType(step->layout, step->type);
    if (!constant)
        return size;
    step->bytes += (int64_t)size * LLVMConstIntGetSExtValue(index);
    return 0;
}

/* --- constants ---------------------------------------------------------------------------------- */

struct hasher {
    const struct trod_meaning *m;
    bool exact;
    unsigned depth;
};

static uint64_t hash_constant(const struct hasher *h, LLVMValueRef c);

/* The length without the number that distinguishes local names of one unit. */
static size_t length_without_number(const char *name, size_t length)
{
    size_t n = length;

    while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
        n--;
    return n > 1 && n < length && name[n - 1] == '.' ? n - 1 : length;
}

static uint64_t hash_global(const struct hasher *h, LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    bool is_own = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    LLVMValueRef content = NULL;

    if (global == h->m->function)
        return trod_mix(0, SELF);
    /* Private data without a name of its own: strings, literals, initial values of locals. */
    if ((linkage == LLVMPrivateLinkage ||
            (linkage == LLVMInternalLinkage && *name == '.')) &&
        LLVMIsAGlobalVariable(global))
        content = LLVMGetInitializer(global);
    if (content && h->depth < DEEPEST) {
        struct hasher deeper = {h->m, h->exact, h->depth + 1};

        return trod_mix(CONTENT, hash_constant(&deeper, content));
    }
    return hash_bytes(
        NAMED, name, is_own ? length_without_number(name, length) : length);
}

/* Hashes LLVM's text of constants that are too rare for a case of their own. */
static uint64_t hash_spelled(uint64_t hash, LLVMValueRef c)
{
    char *text = LLVMPrintValueToString(c);

    hash = hash_bytes(trod_mix(hash, SPELLED), text, strlen(text));
    LLVMDisposeMessage(text);
    return hash;
}

static uint64_t hash_real(uint64_t hash, LLVMValueRef c)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(c));
    LLVMBool lost;
    double value;
    uint64_t bits;

    if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)
        return hash_spelled(hash, c);
    value = LLVMConstRealGetDouble(c, &lost);
    memcpy(&bits, &value, sizeof bits);
    return trod_mix(hash, bits);
}

static uint64_t hash_elements(const struct hasher *h, uint64_t hash, LLVMValueRef c)
{
    LLVMTypeRef type = LLVMTypeOf(c);
    uint64_t n = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength2(type)
                                                            : LLVMGetVectorSize(type);
    size_t length;
    const char *text;

    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind && LLVMIsConstantString(c)) {
        text = LLVMGetAsString(c, &length);
        return hash_bytes(trod_mix(hash, DATA), text, length);
    }
    for (uint64_t i = 0; i < n; i++)
        hash =
            trod_mix(hash, hash_constant(h, LLVMGetAggregateElement(c, (unsigned)i)));
    return hash;
}

static uint64_t hash_operands(const struct hasher *h, uint64_t hash, LLVMValueRef c)
{
    int n = LLVMGetNumOperands(c);

    for (int k = 0; k < n; k++)
        hash = trod_mix(hash, hash_constant(h, LLVMGetOperand(c, (unsigned)k)));
    return hash;
}

static uint64_t hash_expression(const struct hasher *h, uint64_t hash, LLVMValueRef c)
{
    LLVMOpcode opcode = LLVMGetConstOpcode(c);
    struct trod_meaning_step step = {.layout = h->m->layout};
    int n = LLVMGetNumOperands(c);

    hash = trod_mix(hash, opcode);
    if (opcode != LLVMGetElementPtr || !trod_meaning_is_plain(c))
        return hash_operands(h, hash, c);
    for (int k = 1; k < n; k++) {
        LLVMValueRef index = LLVMGetOperand(c, (unsigned)k);
        uint64_t size = trod_meaning_move(&step, c, index);

        if (size)
            hash = trod_mix(trod_mix(hash, size), hash_constant(h, index));
    }
    hash = trod_mix(trod_mix(hash, PLACE), (uint64_t)step.bytes);
    return trod_mix(hash, hash_constant(h, LLVMGetOperand(c, 0)));
}

static uint64_t hash_constant(const struct hasher *h, LLVMValueRef c)
{
    LLVMValueKind kind = LLVMGetValueKind(c);
    uint64_t hash = trod_mix(0, kind);

    switch (kind) {
    case LLVMFunctionValueKind:
    case LLVMGlobalVariableValueKind:
    case LLVMGlobalAliasValueKind:
    case LLVMGlobalIFuncValueKind:
        return hash_global(h, c);
    case LLVMBasicBlockValueKind:
    case LLVMMetadataAsValueValueKind:
        return hash;
    default:
        break;
    }
    hash = trod_mix(hash, trod_meaning_type(LLVMTypeOf(c)));
    switch (kind) {
    case LLVMConstantIntValueKind:
        if (LLVMGetTypeKind(LLVMTypeOf(c)) != LLVMIntegerTypeKind ||
            LLVMGetIntTypeWidth(LLVMTypeOf(c)) > 64)
            return hash_spelled(hash, c);
        return trod_mix(hash, LLVMConstIntGetZExtValue(c));
    case LLVMConstantFPValueKind:
        return hash_real(hash, c);
    case LLVMConstantDataArrayValueKind:
    case LLVMConstantDataVectorValueKind:
        return hash_elements(h, hash, c);
    case LLVMConstantExprValueKind:
        return hash_expression(h, hash, c);
    case LLVMConstantArrayValueKind:
    case LLVMConstantStructValueKind:
    case LLVMConstantVectorValueKind:
        return hash_operands(h, hash, c);
    case LLVMBlockAddressValueKind:
        return trod_mix(hash,
            h->exact ? trod_meaning_number(h->m,
                           LLVMBasicBlockAsValue(LLVMGetBlockAddressBasicBlock(c)))
                     : 0);
    case LLVMInlineAsmValueKind:
        return hash_spelled(hash, c);
    default:
        return hash; /* null, zeros, undef, poison */
    }
}

uint64_t trod_meaning_constant(
    const struct trod_meaning *of, LLVMValueRef constant, bool exact)
{
    return hash_constant(&(struct hasher){of, exact, 0}, constant);
}

const char *trod_meaning_text(LLVMValueRef constant, size_t *length)
{
    LLVMValueRef content =
        LLVMIsAGlobalVariable(constant) ? LLVMGetInitializer(constant) : NULL;

    if (!content || !LLVMIsGlobalConstant(constant) ||
        LLVMGetTypeKind(LLVMTypeOf(content)) != LLVMArrayTypeKind ||
        !LLVMIsAConstantDataSequential(content) || !LLVMIsConstantString(content))
        return NULL;
    return LLVMGetAsString(content, length);
}
