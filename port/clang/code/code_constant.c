#include "clang/code/code.h"

#include <llvm-c/Target.h>
#include <string.h>

/* Types, constants, operands: what an instruction works on, as a hash that another compilation of the same gives
 * again.
 */

uint64_t trod_code_mix_bytes(uint64_t hash, const char *bytes, size_t length)
{
    hash = trod_mix(hash, length);
    for (; length >= 8; bytes += 8, length -= 8) {
        uint64_t word;

        memcpy(&word, bytes, 8);
        hash = trod_mix(hash, word);
    }
    for (; length; bytes++, length--)
        hash = trod_mix(hash, (unsigned char)*bytes);
    return hash;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    return trod_code_mix_bytes(hash, text, strlen(text));
}

/* --- types ----------------------------------------------------------------------------------------- */

static uint64_t function_type_hash(struct trod_code_meaning *m, LLVMTypeRef type)
{
    unsigned n = LLVMCountParamTypes(type);
    LLVMTypeRef *param = trod_new(m->mem, LLVMTypeRef, n + 1);
    uint64_t hash = trod_mix(n, LLVMIsFunctionVarArg(type) != 0);

    hash = trod_code_mix_type(m, hash, LLVMGetReturnType(type));
    LLVMGetParamTypes(type, param);
    for (unsigned i = 0; i < n; i++)
        hash = trod_code_mix_type(m, hash, param[i]);
    return hash;
}

static uint64_t struct_hash(struct trod_code_meaning *m, LLVMTypeRef type)
{
    unsigned n = LLVMIsOpaqueStruct(type) ? 0 : LLVMCountStructElementTypes(type);
    uint64_t hash = trod_mix(n, LLVMIsPackedStruct(type) != 0);

    for (unsigned i = 0; i < n; i++)
        hash = trod_code_mix_type(m, hash, LLVMStructGetTypeAtIndex(type, i));
    return hash;
}

/* Pointers are opaque, so that no type contains itself. */
static uint64_t type_hash(struct trod_code_meaning *m, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    switch (kind) {
    case LLVMIntegerTypeKind:
        return trod_mix(kind, LLVMGetIntTypeWidth(type));
    case LLVMPointerTypeKind:
        return trod_mix(kind, LLVMGetPointerAddressSpace(type));
    case LLVMFunctionTypeKind:
        return trod_mix(kind, function_type_hash(m, type));
    case LLVMStructTypeKind:
        return trod_mix(kind, struct_hash(m, type));
    case LLVMArrayTypeKind:
        return trod_code_mix_type(
            m, trod_mix(kind, LLVMGetArrayLength2(type)), LLVMGetElementType(type));
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind:
        return trod_code_mix_type(
            m, trod_mix(kind, LLVMGetVectorSize(type)), LLVMGetElementType(type));
    default:
        return trod_mix(kind, 0);
    }
}

uint64_t trod_code_mix_type(
    struct trod_code_meaning *m, uint64_t hash, LLVMTypeRef type)
{
    uint64_t *known = trod_code_numbers_find(&m->types, type), value;
    bool is_new;

    if (known)
        return trod_mix(hash, *known);
    value = type_hash(m, type);
    *trod_code_numbers_add(&m->types, type, &is_new) = value;
    return trod_mix(hash, value);
}

/* --- data and functions ------------------------------------------------------------------------------ */

enum { DEEPEST = 16 };

/* What has no name of its own, or one that is a number: strings, literals, initial values of locals. */
static bool is_known_by_content(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);

    if (LLVMGetValueKind(global) != LLVMGlobalVariableValueKind ||
        !LLVMGetInitializer(global))
        return false;
    return linkage == LLVMPrivateLinkage ||
           (linkage == LLVMInternalLinkage && trod_code_name(global)[0] == '.');
}

static uint64_t global_hash(struct trod_code_meaning *m, LLVMValueRef global)
{
    uint64_t *known, value;
    bool is_new;

    if (!is_known_by_content(global))
        return mix_text(1, trod_code_name(global));
    if ((known = trod_code_numbers_find(&m->contents, global)))
        return *known;
    if (m->depth >= DEEPEST)
        return 3;
    m->depth++;
    value = trod_code_mix_value(
        m, trod_mix(2, LLVMIsGlobalConstant(global) != 0), LLVMGetInitializer(global));
    m->depth--;
    if (!m->depth)
        *trod_code_numbers_add(&m->contents, global, &is_new) = value;
    return value;
}

/* --- constants ------------------------------------------------------------------------------------- */

static uint64_t mix_printed(uint64_t hash, LLVMValueRef value)
{
    char *text = LLVMPrintValueToString(value);

    hash = mix_text(hash, text);
    LLVMDisposeMessage(text);
    return hash;
}

static uint64_t mix_integer(uint64_t hash, LLVMValueRef value)
{
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));

    if (width > 64)
        return mix_printed(hash, value);
    return trod_mix(trod_mix(hash, width), LLVMConstIntGetZExtValue(value));
}

static uint64_t mix_data(struct trod_code_meaning *m, uint64_t hash, LLVMValueRef value)
{
    size_t length;
    LLVMTypeRef type = LLVMTypeOf(value);
    uint64_t n;

    hash = trod_code_mix_type(m, hash, type);
    if (LLVMIsConstantString(value)) {
        const char *bytes = LLVMGetAsString(value, &length);

        return trod_code_mix_bytes(hash, bytes, length);
    }
    n = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength2(type)
                                                   : LLVMGetVectorSize(type);
    for (uint64_t i = 0; i < n; i++)
        hash =
            trod_code_mix_value(m, hash, LLVMGetAggregateElement(value, (unsigned)i));
    return hash;
}

static uint64_t mix_operands(
    struct trod_code_meaning *m, uint64_t hash, LLVMValueRef value)
{
    int n = LLVMGetNumOperands(value);

    for (int i = 0; i < n; i++)
        hash = trod_code_mix_value(m, hash, LLVMGetOperand(value, (unsigned)i));
    return hash;
}

static uint64_t mix_expression(
    struct trod_code_meaning *m, uint64_t hash, LLVMValueRef value)
{
    LLVMOpcode opcode = LLVMGetConstOpcode(value);

    hash = trod_code_mix_type(m, trod_mix(hash, opcode), LLVMTypeOf(value));
    if (opcode == LLVMGetElementPtr)
        return trod_code_mix_address(m, hash, value);
    return mix_operands(m, hash, value);
}

static uint64_t mix_assembly(uint64_t hash, LLVMValueRef value)
{
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(value, &length);

    hash = trod_code_mix_bytes(hash, text, length);
    text = LLVMGetInlineAsmConstraintString(value, &length);
    hash = trod_code_mix_bytes(hash, text, length);
    return trod_mix(hash, LLVMGetInlineAsmHasSideEffects(value) != 0);
}

/* Where it jumps to, if it is in the function at hand. */
static uint64_t mix_label(
    struct trod_code_meaning *m, uint64_t hash, LLVMValueRef value)
{
    const uint64_t *local =
        m->local ? trod_code_numbers_find(m->local,
                       LLVMBasicBlockAsValue(LLVMGetBlockAddressBasicBlock(value)))
                 : NULL;

    return trod_mix(hash, local ? *local : 0);
}

uint64_t trod_code_mix_value(
    struct trod_code_meaning *m, uint64_t hash, LLVMValueRef value)
{
    LLVMValueKind kind = LLVMGetValueKind(value);
    const uint64_t *local;

    switch (kind) {
    case LLVMConstantIntValueKind:
        return mix_integer(trod_mix(hash, kind), value);
    case LLVMConstantFPValueKind:
        return mix_printed(trod_mix(hash, kind), value);
    case LLVMFunctionValueKind:
    case LLVMGlobalVariableValueKind:
    case LLVMGlobalAliasValueKind:
    case LLVMGlobalIFuncValueKind:
        return trod_mix(hash, global_hash(m, value));
    case LLVMConstantDataArrayValueKind:
    case LLVMConstantDataVectorValueKind:
        return mix_data(m, trod_mix(hash, LLVMConstantArrayValueKind), value);
    case LLVMConstantExprValueKind:
        return mix_expression(m, trod_mix(hash, kind), value);
    case LLVMInlineAsmValueKind:
        return mix_assembly(trod_mix(hash, kind), value);
    case LLVMBlockAddressValueKind:
        return mix_label(m, trod_mix(hash, kind), value);
    case LLVMMetadataAsValueValueKind:
        return trod_mix(hash, kind);
    case LLVMArgumentValueKind:
    case LLVMBasicBlockValueKind:
    case LLVMInstructionValueKind:
        local = trod_code_numbers_find(m->local, value);
        return trod_mix(trod_mix(hash, kind), local ? *local : 0);
    default:
        hash = trod_code_mix_type(m, trod_mix(hash, kind), LLVMTypeOf(value));
        return mix_operands(m, hash, value);
    }
}

/* --- addresses ------------------------------------------------------------------------------------- */

static bool has_known_size(LLVMTypeRef type)
{
    return LLVMTypeIsSized(type) && LLVMGetTypeKind(type) != LLVMScalableVectorTypeKind;
}

/* Of a step into an array: bytes if the index is known, what is scaled by what if not. */
static uint64_t mix_step(struct trod_code_meaning *m, uint64_t hash, int64_t *offset,
    LLVMTypeRef element, LLVMValueRef index)
{
    uint64_t size;

    if (!has_known_size(element))
        return trod_code_mix_value(m, trod_code_mix_type(m, hash, element), index);
    size = LLVMABISizeOfType(m->layout, element);
    if (LLVMGetValueKind(index) == LLVMConstantIntValueKind) {
        *offset += (int64_t)((uint64_t)LLVMConstIntGetSExtValue(index) * size);
        return hash;
    }
    return trod_code_mix_value(m, trod_mix(hash, size), index);
}

uint64_t trod_code_mix_address(
    struct trod_code_meaning *m, uint64_t hash, LLVMValueRef address)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    unsigned n = (unsigned)LLVMGetNumOperands(address);
    int64_t offset = 0;

    hash = trod_code_mix_value(m, hash, LLVMGetOperand(address, 0));
    hash = mix_step(m, hash, &offset, type, LLVMGetOperand(address, 1));
    for (unsigned i = 2; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(address, i);

        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);

            offset += (int64_t)LLVMOffsetOfElement(m->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
        } else {
            type = LLVMGetElementType(type);
            hash = mix_step(m, hash, &offset, type, index);
        }
    }
    return trod_mix(hash, (uint64_t)offset);
}
