#include "clang/code/dependence.h"

#include <string.h>

/* --- types that can hold an address --------------------------------------------------------------------- */

static enum trod_code_carries most(enum trod_code_carries a, enum trod_code_carries b)
{
    if (a == TROD_CARRIES_SURELY || b == TROD_CARRIES_NOT)
        return a;
    return b;
}

static enum trod_code_carries carries_of(
    struct trod_code_memory *memory, LLVMTypeRef type)
{
    enum trod_code_carries found = TROD_CARRIES_NOT;

    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        return TROD_CARRIES_SURELY;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) >= 64 ? TROD_CARRIES_PERHAPS
                                               : TROD_CARRIES_NOT;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind:
        return trod_code_memory_carries(memory, LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            found = most(found,
                trod_code_memory_carries(memory, LLVMStructGetTypeAtIndex(type, i)));
        return found;
    default:
        return TROD_CARRIES_NOT;
    }
}

enum trod_code_carries trod_code_memory_carries(
    struct trod_code_memory *memory, LLVMTypeRef type)
{
    const uint64_t *known = trod_code_numbers_find(&memory->carries_of_type, type);
    enum trod_code_carries found;
    bool is_new;

    if (known)
        return (enum trod_code_carries) * known;
    found = carries_of(memory, type);
    *trod_code_numbers_add(&memory->carries_of_type, type, &is_new) = found;
    return found;
}

/* --- functions ------------------------------------------------------------------------------------------- */

/* The entry of a function or function type. Parameters beyond those known are added. */
static struct trod_code_function *function_of(struct trod_code_memory *memory,
    const void *key, LLVMValueRef function, unsigned nparam)
{
    bool is_new;
    uint64_t *number = trod_code_numbers_add(&memory->number_of_function, key, &is_new);
    struct trod_code_function *f;

    if (is_new) {
        *number = memory->nfunction;
        trod_reserve(
            memory->mem, memory->function, memory->nfunction, memory->room_function);
        f = &memory->function[memory->nfunction++];
        *f = (struct trod_code_function){.function = function, .nparam = nparam};
        f->param = trod_new(memory->mem, uint32_t, nparam + 1);
        f->result = trod_code_cell_new(&memory->cells);
        f->more = trod_code_cell_new(&memory->cells);
        for (unsigned i = 0; i < nparam; i++)
            f->param[i] = trod_code_cell_new(&memory->cells);
    }
    return &memory->function[*number];
}

struct trod_code_function *trod_code_memory_function(
    struct trod_code_memory *memory, LLVMValueRef function)
{
    return function_of(memory, function, function, LLVMCountParams(function));
}

struct trod_code_function *trod_code_memory_type(
    struct trod_code_memory *memory, LLVMTypeRef type, unsigned nparam)
{
    return function_of(memory, type, NULL, nparam);
}

LLVMValueRef trod_code_callee(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);

    while (LLVMGetValueKind(callee) == LLVMGlobalAliasValueKind)
        callee = LLVMAliasGetAliasee(callee);
    return LLVMGetValueKind(callee) == LLVMFunctionValueKind ? callee : NULL;
}

static bool is_call(LLVMValueRef user)
{
    return LLVMIsACallInst(user) || LLVMIsAInvokeInst(user) || LLVMIsACallBrInst(user);
}

/* Is its address taken? */
static bool is_taken(LLVMValueRef function)
{
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        unsigned narg;

        if (LLVMGetValueKind(user) == LLVMBlockAddressValueKind)
            continue;
        if (LLVMGetValueKind(user) == LLVMGlobalAliasValueKind ||
            !LLVMIsAInstruction(user) || !is_call(user) ||
            LLVMGetCalledValue(user) != function)
            return true;
        narg = LLVMGetNumArgOperands(user);
        for (unsigned i = 0; i < narg; i++)
            if (LLVMGetOperand(user, i) == function)
                return true;
    }
    return false;
}

/* --- cells of values ------------------------------------------------------------------------------------- */

uint32_t trod_code_memory_hidden(struct trod_code_memory *memory, const char *name)
{
    uint32_t before = memory->hidden.count, n = trod_names_add(&memory->hidden, name);

    if (memory->hidden.count > before) {
        trod_reserve(memory->mem, memory->cell_of_hidden, n, memory->room_hidden);
        memory->cell_of_hidden[n] = trod_code_cell_new(&memory->cells);
    }
    return memory->cell_of_hidden[n];
}

/* The cell of a constant that is composed of others: it points to everything that one of them points to. */
static uint32_t cell_of_parts(struct trod_code_memory *memory, LLVMValueRef value)
{
    uint32_t cell = 0;
    int n = LLVMGetNumOperands(value);

    for (int i = 0; i < n; i++) {
        uint32_t part =
            trod_code_memory_cell(memory, LLVMGetOperand(value, (unsigned)i));

        if (part && cell)
            trod_code_cell_copy(&memory->cells, cell, part, TROD_CARRIES_SURELY);
        cell = cell ? cell : part;
    }
    return cell;
}

static uint32_t cell_of_known(struct trod_code_memory *memory, LLVMValueRef value)
{
    bool is_new;
    uint64_t *cell = trod_code_numbers_add(&memory->cell_of_value, value, &is_new);

    if (is_new)
        *cell = trod_code_cell_new(&memory->cells);
    return (uint32_t)*cell;
}

uint32_t trod_code_memory_cell(struct trod_code_memory *memory, LLVMValueRef value)
{
    uint32_t cell;

    switch (LLVMGetValueKind(value)) {
    case LLVMInstructionValueKind:
    case LLVMArgumentValueKind:
        return cell_of_known(memory, value);
    case LLVMFunctionValueKind:
    case LLVMGlobalVariableValueKind:
    case LLVMGlobalIFuncValueKind:
        cell = cell_of_known(memory, value);
        trod_code_cell_target(&memory->cells, cell);
        return cell;
    case LLVMGlobalAliasValueKind:
        return trod_code_memory_cell(memory, LLVMAliasGetAliasee(value));
    case LLVMConstantExprValueKind:
    case LLVMConstantStructValueKind:
    case LLVMConstantArrayValueKind:
    case LLVMConstantVectorValueKind:
        return cell_of_parts(memory, value);
    default:
        return 0;
    }
}

uint32_t trod_code_memory_at(struct trod_code_memory *memory, LLVMValueRef address)
{
    uint32_t cell = trod_code_memory_cell(memory, address);

    return cell ? trod_code_cell_target(&memory->cells, cell) : 0;
}

/* --- a module --------------------------------------------------------------------------------------------- */

static void follow_data(struct trod_code_memory *memory)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(memory->module); g;
        g = LLVMGetNextGlobal(g)) {
        LLVMValueRef content = LLVMGetInitializer(g);
        uint32_t cell = content ? trod_code_memory_cell(memory, content) : 0;

        if (cell)
            trod_code_cell_copy(&memory->cells, trod_code_memory_at(memory, g), cell,
                TROD_CARRIES_SURELY);
    }
}

static void follow_function(struct trod_code_memory *memory, LLVMValueRef function)
{
    struct trod_code_function *f = trod_code_memory_function(memory, function);
    uint32_t n = 0;

    for (LLVMValueRef a = LLVMGetFirstParam(function); a; a = LLVMGetNextParam(a), n++)
        trod_code_cell_join(&memory->cells, f->param[n], cell_of_known(memory, a));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
            i = LLVMGetNextInstruction(i))
            if (!trod_code_is_nothing(i))
                trod_code_memory_follow(memory, function, i);
}

/* A function whose address is taken is joined with all functions that are called through a pointer
 * of its type. */
static void join_taken(struct trod_code_memory *memory, LLVMValueRef function)
{
    struct trod_code_cells *cells = &memory->cells;
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    unsigned n = LLVMCountParams(function);
    struct trod_code_function any = *trod_code_memory_type(memory, type, n);
    struct trod_code_function *f = trod_code_memory_function(memory, function);

    f->is_taken = true;
    for (unsigned i = 0; i < n && i < any.nparam; i++)
        trod_code_cell_join(cells, f->param[i], any.param[i]);
    trod_code_cell_join(cells, f->result, any.result);
    trod_code_cell_join(cells, f->more, any.more);
}

bool trod_code_memory_is_handed(struct trod_code_memory *memory,
    const struct trod_code_function *f, LLVMValueRef arg)
{
    uint32_t cell = trod_code_memory_cell(memory, arg);

    return f->is_taken && cell &&
           trod_code_cell_points(&memory->cells, cell) ==
               trod_code_memory_at(memory, f->function);
}

static void join_outward(struct trod_code_memory *memory, LLVMValueRef call)
{
    unsigned n = LLVMGetNumArgOperands(call);

    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef arg = LLVMGetOperand(call, i);

        if (LLVMGetTypeKind(LLVMTypeOf(arg)) != LLVMPointerTypeKind)
            continue;
        for (uint32_t f = 0; f < memory->nfunction; f++)
            if (trod_code_memory_is_handed(memory, &memory->function[f], arg))
                trod_code_memory_hand_over(memory, call, f);
    }
}

void trod_code_memory_build(
    struct trod_code_memory *out, LLVMModuleRef module, struct trod_arena *mem)
{
    uint64_t before;

    *out = (struct trod_code_memory){.module = module, .mem = mem};
    trod_code_cells_init(&out->cells, mem);
    trod_code_numbers_init(&out->cell_of_value, mem);
    trod_code_numbers_init(&out->carries_of_type, mem);
    trod_code_numbers_init(&out->number_of_function, mem);
    trod_names_init(&out->hidden, mem);
    if (LLVMGetNamedFunction(module, "__errno_location"))
        out->error = trod_code_memory_hidden(out, "__errno_location");
    follow_data(out);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            follow_function(out, f);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMGetIntrinsicID(f) && is_taken(f))
            join_taken(out, f);
    do {
        before = out->cells.njoin;
        for (uint32_t i = 0; i < out->noutward; i++)
            join_outward(out, out->outward[i]);
    } while (out->cells.njoin > before);
}
