#include "clang/code/dependence.h"

static uint32_t cell(struct trod_code_memory *m, LLVMValueRef value)
{
    return trod_code_memory_cell(m, value);
}

static void copy(
    struct trod_code_memory *m, uint32_t to, uint32_t from, LLVMTypeRef type)
{
    trod_code_cell_copy(&m->cells, to, from, trod_code_memory_carries(m, type));
}

static void copy_value(struct trod_code_memory *m, LLVMValueRef to, LLVMValueRef from)
{
    enum trod_code_carries a = trod_code_memory_carries(m, LLVMTypeOf(to));
    enum trod_code_carries b = trod_code_memory_carries(m, LLVMTypeOf(from));

    if (a && b)
        trod_code_cell_copy(
            &m->cells, cell(m, to), cell(m, from), a == TROD_CARRIES_SURELY ? a : b);
}

/* --- calls of library functions --------------------------------------------------------------------------- */

static bool is_address(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* The contents of any memory that the call reads may be copied to all memory that it writes. */
static void copy_contents(struct trod_code_memory *m, LLVMValueRef call,
    const struct trod_code_library *library)
{
    unsigned n = LLVMGetNumArgOperands(call);
    uint32_t first = 0;

    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef arg = LLVMGetOperand(call, i);
        uint32_t at;

        if (trod_code_library_arg(library, i) == '.' || !is_address(arg))
            continue;
        if (!(at = trod_code_memory_at(m, arg)))
            continue;
        if (first)
            trod_code_cell_copy(&m->cells, at, first, TROD_CARRIES_SURELY);
        first = first ? first : at;
    }
}

static void follow_library(struct trod_code_memory *m, LLVMValueRef function,
    LLVMValueRef call, const struct trod_code_library *library)
{
    struct trod_code_cells *cells = &m->cells;

    if (library->result >= '0' && library->result <= '9')
        copy_value(m, call, LLVMGetOperand(call, (unsigned)(library->result - '0')));
    if (library->result == 's')
        trod_code_cell_join(cells, trod_code_memory_at(m, call),
            trod_code_memory_hidden(m, library->name));
    if (library->effects & TROD_EFFECT_COPIES)
        copy_contents(m, call, library);
    if (library->effects & TROD_EFFECT_PLACES) {
        uint32_t from = cell(m, LLVMGetOperand(call, 0));
        uint32_t at = trod_code_memory_at(m, LLVMGetOperand(call, 1));

        trod_code_cell_copy(cells, at, from, TROD_CARRIES_SURELY);
    }
    if (library->effects & TROD_EFFECT_INPUT)
        m->input = trod_code_memory_hidden(m, "<input>");
    if (library->effects & TROD_EFFECT_THROWS) {
        m->exception = trod_code_memory_hidden(m, "<exception>");
        if (LLVMGetNumArgOperands(call))
            trod_code_cell_copy(cells, m->exception, cell(m, LLVMGetOperand(call, 0)),
                TROD_CARRIES_SURELY);
    }
    if (library->effects & TROD_EFFECT_LISTS) {
        uint32_t at = trod_code_memory_at(m, LLVMGetOperand(call, 0));

        trod_code_cell_join(cells, trod_code_cell_target(cells, at),
            trod_code_memory_function(m, function)->more);
    }
}

/* --- calls ------------------------------------------------------------------------------------------------- */

void trod_code_memory_hand_over(
    struct trod_code_memory *m, LLVMValueRef call, uint32_t function)
{
    struct trod_code_function f = m->function[function];
    unsigned n = LLVMGetNumArgOperands(call);

    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef arg = LLVMGetOperand(call, i);

        if (!is_address(arg) || !cell(m, arg) || trod_code_memory_is_handed(m, &f, arg))
            continue;
        for (unsigned k = 0; k < f.nparam; k++)
            trod_code_cell_copy(
                &m->cells, f.param[k], cell(m, arg), TROD_CARRIES_SURELY);
    }
}

static void follow_call(
    struct trod_code_memory *m, LLVMValueRef function, LLVMValueRef call)
{
    const struct trod_code_library *library = trod_code_library_of(call);
    LLVMValueRef callee = trod_code_callee(call);
    unsigned n = LLVMGetNumArgOperands(call);
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    struct trod_code_function f;

    if (callee && LLVMIsDeclaration(callee) && !LLVMGetIntrinsicID(callee))
        trod_push(m->mem, m->outward, m->noutward, m->room_outward, call);
    if (library) {
        follow_library(m, function, call, library);
        return;
    }
    f = callee ? *trod_code_memory_function(m, callee)
               : *trod_code_memory_type(m, type, LLVMCountParamTypes(type));
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef arg = LLVMGetOperand(call, i);

        copy(m, i < f.nparam ? f.param[i] : f.more, cell(m, arg), LLVMTypeOf(arg));
    }
    copy(m, cell(m, call), f.result, LLVMTypeOf(call));
}

/* --- instructions ------------------------------------------------------------------------------------------ */

static void follow_load(
    struct trod_code_memory *m, LLVMValueRef i, LLVMValueRef address)
{
    uint32_t at = trod_code_memory_at(m, address);

    if (trod_code_memory_carries(m, LLVMTypeOf(i)))
        copy(m, cell(m, i), at, LLVMTypeOf(i));
}

static void follow_store(
    struct trod_code_memory *m, LLVMValueRef value, LLVMValueRef address)
{
    uint32_t at = trod_code_memory_at(m, address);

    if (trod_code_memory_carries(m, LLVMTypeOf(value)))
        copy(m, at, cell(m, value), LLVMTypeOf(value));
}

static void follow_operands(struct trod_code_memory *m, LLVMValueRef i, unsigned first)
{
    unsigned n = (unsigned)LLVMGetNumOperands(i);

    if (trod_code_memory_carries(m, LLVMTypeOf(i)))
        for (unsigned k = first; k < n; k++)
            copy_value(m, i, LLVMGetOperand(i, k));
}

static void follow_return(
    struct trod_code_memory *m, LLVMValueRef function, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;

    if (value && trod_code_memory_carries(m, LLVMTypeOf(value)))
        copy(m, trod_code_memory_function(m, function)->result, cell(m, value),
            LLVMTypeOf(value));
}

void trod_code_memory_follow(
    struct trod_code_memory *m, LLVMValueRef function, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
        trod_code_memory_at(m, i);
        break;
    case LLVMLoad:
        follow_load(m, i, LLVMGetOperand(i, 0));
        break;
    case LLVMVAArg:
        copy(m, cell(m, i),
            trod_code_cell_target(
                &m->cells, trod_code_memory_at(m, LLVMGetOperand(i, 0))),
            LLVMTypeOf(i));
        break;
    case LLVMStore:
        follow_store(m, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
        break;
    case LLVMAtomicRMW:
        follow_load(m, i, LLVMGetOperand(i, 0));
        follow_store(m, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0));
        break;
    case LLVMAtomicCmpXchg:
        follow_load(m, i, LLVMGetOperand(i, 0));
        follow_store(m, LLVMGetOperand(i, 2), LLVMGetOperand(i, 0));
        break;
    case LLVMGetElementPtr:
        copy_value(m, i, LLVMGetOperand(i, 0));
        break;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        follow_call(m, function, i);
        break;
    case LLVMRet:
        follow_return(m, function, i);
        break;
    case LLVMLandingPad:
        m->exception = trod_code_memory_hidden(m, "<exception>");
        copy(m, cell(m, i), m->exception, LLVMTypeOf(i));
        break;
    case LLVMResume:
        m->exception = trod_code_memory_hidden(m, "<exception>");
        copy(m, m->exception, cell(m, LLVMGetOperand(i, 0)),
            LLVMTypeOf(LLVMGetOperand(i, 0)));
        break;
    case LLVMSelect:
        follow_operands(m, i, 1);
        break;
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMBr:
    case LLVMSwitch:
        break;
    default:
        follow_operands(m, i, 0);
        break;
    }
}
