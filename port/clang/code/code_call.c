#include "clang/code/dependence.h"

#include <string.h>

/* Calls: those with known effects become edges. All others are listed for the stage that joins units. */

/* --- calls of library functions ---------------------------------------------------------------------------------- */

/* The callee may call functions passed to it, and depend on their results. */
static void put_handed(struct trod_code_depends *d, uint32_t node, LLVMValueRef arg)
{
    if (LLVMGetTypeKind(LLVMTypeOf(arg)) != LLVMPointerTypeKind)
        return;
    for (uint32_t i = 0; i < d->memory.nfunction; i++) {
        const struct trod_code_function *f = &d->memory.function[i];

        if (!trod_code_memory_is_handed(&d->memory, f, arg))
            continue;
        trod_put(d->out, "calls %u ", node);
        trod_put_name(d->out, trod_code_name(f->function));
        trod_put(d->out, " ; %u\n", node);
    }
}

void trod_code_depends_deep(struct trod_code_depends *d, uint32_t node, uint32_t cell)
{
    enum { DEEPEST = 8 };

    for (int i = 0; cell && i < DEEPEST; i++) {
        trod_code_depends_edge(d, trod_code_depends_class(d, cell), node);
        cell = trod_code_cell_points(&d->memory.cells, cell);
    }
}

void trod_code_depends_library(struct trod_code_depends *d, uint32_t node,
    LLVMValueRef call, const struct trod_code_library *library)
{
    unsigned n = LLVMGetNumArgOperands(call);

    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef arg = LLVMGetOperand(call, i);
        char letter = trod_code_library_arg(library, i);

        if (LLVMGetTypeKind(LLVMTypeOf(arg)) != LLVMPointerTypeKind)
            continue;
        if (library->effects & TROD_EFFECT_DEEP)
            trod_code_depends_deep(d, node, trod_code_memory_at(&d->memory, arg));
        if (letter == 'r' || letter == 'b')
            trod_code_depends_edge(d, trod_code_depends_at(d, arg), node);
        if (letter == 'w' || letter == 'b')
            trod_code_depends_edge(d, node, trod_code_depends_at(d, arg));
        if (letter == 'c')
            put_handed(d, node, arg);
    }
    if (library->effects & TROD_EFFECT_INPUT) {
        trod_code_depends_edge(d, trod_code_depends_class(d, d->memory.input), node);
        trod_code_depends_edge(d, node, trod_code_depends_class(d, d->memory.input));
    }
    if (library->effects & TROD_EFFECT_THROWS)
        trod_code_depends_edge(
            d, node, trod_code_depends_class(d, d->memory.exception));
    if (d->memory.error && strncmp(library->name, "llvm.", 5) != 0)
        trod_code_depends_edge(d, node, trod_code_depends_class(d, d->memory.error));
}

/* --- calls ----------------------------------------------------------------------------------------------------- */

/* The node that passes an argument. Constant addresses have one for each call, to point from. */
static uint32_t argument_node(struct trod_code_depends *d,
    const struct trod_code_body *body, uint32_t call, LLVMValueRef arg)
{
    uint32_t node = trod_code_body_source(body, arg);
    uint32_t cell = trod_code_memory_cell(&d->memory, arg);

    if (node || !cell || !trod_code_cell_points(&d->memory.cells, cell))
        return node ? node : body->node[call];
    node = d->next++;
    trod_put(d->out, "node %u ", node);
    trod_put_name(d->out, trod_code_name(body->function));
    trod_put(d->out, " %u %u\n", body->file[call] + 1, body->line[call]);
    trod_code_depends_points(d, node, cell);
    return node;
}

enum { MOST_ARGUMENTS = 256 };

static unsigned fill_arguments(uint32_t node[MOST_ARGUMENTS],
    struct trod_code_depends *d, const struct trod_code_body *body, uint32_t i)
{
    LLVMValueRef call = body->code[i], callee = trod_code_callee(call);
    unsigned n = LLVMGetNumArgOperands(call);

    n = n < MOST_ARGUMENTS ? n : MOST_ARGUMENTS;
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef arg = LLVMGetOperand(call, k);

        node[k] = argument_node(d, body, i, arg);
        if (callee && LLVMIsDeclaration(callee))
            put_handed(d, body->node[i], arg);
    }
    return n;
}

static void add_call(
    struct trod_code_depends *d, const struct trod_code_body *body, uint32_t i)
{
    LLVMValueRef call = body->code[i], callee = trod_code_callee(call);

    trod_code_depends_edge(d, body->node[i], body->result[i]);
    if (!callee)
        trod_code_depends_edge(
            d, trod_code_body_source(body, LLVMGetCalledValue(call)), body->node[i]);
    if (body->branch[i]) {
        trod_code_depends_edge(d, body->node[i], body->branch[i]);
        trod_code_depends_edge(d,
            trod_code_depends_class(
                d, trod_code_memory_hidden(&d->memory, "<exception>")),
            body->branch[i]);
    }
    if (d->memory.error && callee && LLVMIsDeclaration(callee))
        trod_code_depends_edge(
            d, body->node[i], trod_code_depends_class(d, d->memory.error));
}

void trod_code_depends_call(
    struct trod_code_depends *d, const struct trod_code_body *body, uint32_t i)
{
    LLVMValueRef call = body->code[i], callee = trod_code_callee(call);
    uint32_t node[MOST_ARGUMENTS];
    unsigned n = fill_arguments(node, d, body, i);

    trod_put(d->out, callee ? "calls %u " : "may-call %u ", body->node[i]);
    if (callee)
        trod_put_name(d->out, trod_code_name(callee));
    else
        trod_code_depends_type(d, LLVMGetCalledFunctionType(call));
    for (unsigned k = 0; k < n; k++)
        trod_put(d->out, " %u", node[k]);
    trod_put(d->out, " ;");
    if (body->result[i])
        trod_put(d->out, " %u", body->result[i]);
    trod_put(d->out, "\n");
    if (body->result[i])
        trod_code_depends_points(
            d, body->result[i], trod_code_memory_cell(&d->memory, call));
    add_call(d, body, i);
}
