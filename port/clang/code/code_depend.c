#include "clang/code/dependence.h"
#include "meaning/meaning.h"
#include "base/order.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* The dependences of a unit, in the text form of src/version/impact/impact.h:
 *
 *     depends FILE
 *     unit FILE
 *     file 1 FILE
 *     node 7 FUNCTION 1 15               # line 0: unknown. One line may have several nodes: a call, its
 *                                        # arguments and its result are nodes of their own.
 *     memory 9
 *     7 -> 9 12
 *     points 7 9                         # of parameters, arguments, results, returned nodes, and classes
 *     global 9 NAME
 *     global 9 NAME FILE                 # static
 *     static f
 *     enters f 3 4                       # parameters, then the node of the entry of f. Variadic functions
 *                                        # have eight more parameters, for their variable arguments.
 *     leaves f 5
 *     calls 8 f 6 7 ; 9
 *     may-call 8 TYPE 6 7 ; 9
 *     taken f TYPE
 *
 * Calls of C library functions with known effects (code_library.c) become edges instead of `calls`.
 * The hidden state of the library is in globals with names that no symbol has: <input>, <exception>,
 * and one for each function that returns static memory.
 *
 * Ignored: that a call or a loop may not terminate, so that code after it does not run; addresses in
 * integers of other units; that another unit may define a function with the name of a library function.
 */

/* --- classes --------------------------------------------------------------------------------------------------- */

uint32_t trod_code_depends_class(struct trod_code_depends *d, uint32_t cell)
{
    uint32_t room = d->room_of_cell;

    if (!cell)
        return 0;
    cell = trod_code_cell_find(&d->memory.cells, cell);
    if (cell >= room) {
        d->room_of_cell = cell + d->memory.cells.ncell;
        d->number_of_cell = trod_arena_grow(d->mem, d->number_of_cell, room,
            d->room_of_cell, sizeof *d->number_of_cell);
    }
    if (!d->number_of_cell[cell]) {
        d->number_of_cell[cell] = d->next++;
        trod_push(d->mem, d->class, d->nclass, d->room_class, cell);
    }
    return d->number_of_cell[cell];
}

uint32_t trod_code_depends_at(struct trod_code_depends *d, LLVMValueRef address)
{
    return trod_code_depends_class(d, trod_code_memory_at(&d->memory, address));
}

/* Writes what a value points to, if anything. */
void trod_code_depends_points(struct trod_code_depends *d, uint32_t node, uint32_t cell)
{
    uint32_t to = cell ? trod_code_cell_points(&d->memory.cells, cell) : 0;

    if (to)
        trod_put(d->out, "points %u %u\n", node, trod_code_depends_class(d, to));
}

/* Classes found while writing get the next numbers, and so come later in the list. */
static void put_classes(struct trod_code_depends *d)
{
    for (uint32_t i = 0; i < d->nclass; i++) {
        uint32_t number = d->number_of_cell[d->class[i]];

        trod_put(d->out, "memory %u\n", number);
        trod_code_depends_points(d, number, d->class[i]);
    }
}

void trod_code_depends_type(struct trod_code_depends *d, LLVMTypeRef type)
{
    trod_put(d->out, "%016llx", (unsigned long long)trod_meaning_type(type));
}

/* --- edges ----------------------------------------------------------------------------------------------------- */

void trod_code_depends_edge(struct trod_code_depends *d, uint32_t from, uint32_t to)
{
    if (!from || !to || from == to)
        return;
    trod_push(
        d->mem, d->edge, d->nedge, d->room_edge, (struct trod_code_edge){from, to});
}

TROD_ORDER(compare, struct trod_code_edge, TROD_UP(from), TROD_UP(to))

static void put_edges(struct trod_code_depends *d)
{
    const struct trod_code_edge *last = NULL;

    trod_sort(d->edge, d->nedge, compare);
    for (uint32_t i = 0; i < d->nedge; i++) {
        const struct trod_code_edge *e = &d->edge[i];

        if (!last || last->from != e->from)
            trod_put(d->out, "%s%u -> %u", last ? "\n" : "", e->from, e->to);
        else if (last->to != e->to)
            trod_put(d->out, " %u", e->to);
        last = e;
    }
    if (last)
        trod_put(d->out, "\n");
    d->nedge = 0;
}

/* --- instructions ------------------------------------------------------------------------------------------------ */

static void add_memory(struct trod_code_depends *d, uint32_t node, LLVMValueRef code)
{
    const struct trod_code_library *library;

    switch (LLVMGetInstructionOpcode(code)) {
    case LLVMLoad:
        trod_code_depends_edge(
            d, trod_code_depends_at(d, LLVMGetOperand(code, 0)), node);
        break;
    case LLVMStore:
        trod_code_depends_edge(
            d, node, trod_code_depends_at(d, LLVMGetOperand(code, 1)));
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        trod_code_depends_edge(
            d, trod_code_depends_at(d, LLVMGetOperand(code, 0)), node);
        trod_code_depends_edge(
            d, node, trod_code_depends_at(d, LLVMGetOperand(code, 0)));
        break;
    case LLVMVAArg:
        trod_code_depends_deep(
            d, node, trod_code_memory_at(&d->memory, LLVMGetOperand(code, 0)));
        trod_code_depends_edge(
            d, node, trod_code_depends_at(d, LLVMGetOperand(code, 0)));
        break;
    case LLVMLandingPad:
        trod_code_depends_edge(
            d, trod_code_depends_class(d, d->memory.exception), node);
        break;
    case LLVMResume:
        trod_code_depends_edge(
            d, node, trod_code_depends_class(d, d->memory.exception));
        break;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        library = trod_code_library_of(code);
        if (library)
            trod_code_depends_library(d, node, code, library);
        break;
    default:
        break;
    }
}

static void add_code(
    struct trod_code_depends *d, const struct trod_code_body *body, uint32_t i)
{
    LLVMValueRef code = body->code[i];
    unsigned n = (unsigned)LLVMGetNumOperands(code);

    if (!body->node[i])
        return;
    if (body->is_call[i]) {
        trod_code_depends_call(d, body, i);
        return;
    }
    for (unsigned k = 0; k < n; k++)
        trod_code_depends_edge(
            d, trod_code_body_source(body, LLVMGetOperand(code, k)), body->node[i]);
    add_memory(d, body->node[i], code);
    if (body->is_argument[i])
        trod_code_depends_points(
            d, body->node[i], trod_code_memory_cell(&d->memory, code));
}

/* The node that decides which successor of a block runs. */
static uint32_t decider(const struct trod_code_body *body, uint32_t block)
{
    uint64_t at;

    if (block == TROD_CODE_ENTRY)
        return body->begin;
    at = *trod_code_numbers_find(
        &body->index, LLVMGetBasicBlockTerminator(body->control.block[block]));
    return body->branch[at] ? body->branch[at] : body->node[at];
}

static uint32_t jump_of(const struct trod_code_body *body, uint32_t block)
{
    return body->jump[*trod_code_numbers_find(
        &body->index, LLVMGetBasicBlockTerminator(body->control.block[block]))];
}

static void add_control(struct trod_code_depends *d, const struct trod_code_body *body)
{
    const struct trod_code_control *c = &body->control;

    for (uint32_t i = 0; i < body->n; i++) {
        for (uint32_t e = c->first_jump[body->block[i]];
            e < c->first_jump[body->block[i] + 1]; e++)
            trod_code_depends_edge(d, jump_of(body, c->jump[e]), body->node[i]);
        for (uint32_t e = c->first[body->block[i]]; e < c->first[body->block[i] + 1];
            e++)
            trod_code_depends_edge(d, decider(body, c->on[e]), body->node[i]);
    }
}

/* --- functions --------------------------------------------------------------------------------------------------- */

static void put_files(struct trod_code_depends *d)
{
    for (; d->nfile < d->places->files.count; d->nfile++) {
        trod_put(d->out, "file %u ", d->nfile + 1);
        trod_put_name(d->out, d->places->files.name[d->nfile]);
        trod_put(d->out, "\n");
    }
}

static void put_node(struct trod_code_depends *d, const char *name, uint32_t node,
    uint32_t file, uint32_t line)
{
    trod_put(d->out, "node %u ", node);
    trod_put_name(d->out, name);
    trod_put(d->out, " %u %u\n", file + 1, line);
}

static void put_nodes(struct trod_code_depends *d, const struct trod_code_body *body)
{
    const char *name = trod_code_name(body->function);
    uint32_t line, file = trod_code_function_place(&line, d->places, body->function);
    uint32_t last = 0;

    put_files(d);
    put_node(d, name, body->begin, file, line);
    for (uint32_t i = 0; i < body->nparam; i++)
        put_node(d, name, body->first_param + i, file, line);
    for (uint32_t i = 0; i < body->n; i++) {
        /* The first instruction of each node has a higher number than all before. */
        if (body->node[i] > last)
            put_node(d, name, last = body->node[i], body->file[i], body->line[i]);
        if (body->result[i])
            put_node(d, name, last = body->result[i], body->file[i], body->line[i]);
        if (body->branch[i])
            put_node(d, name, last = body->branch[i], body->file[i], body->line[i]);
        if (body->jump[i])
            put_node(d, name, last = body->jump[i], body->file[i], body->line[i]);
    }
}

static void put_ends(struct trod_code_depends *d, const struct trod_code_body *body)
{
    struct trod_code_function *f =
        trod_code_memory_function(&d->memory, body->function);
    const char *name = trod_code_name(body->function);

    if (LLVMGetLinkage(body->function) == LLVMInternalLinkage) {
        trod_put(d->out, "static ");
        trod_put_name(d->out, name);
        trod_put(d->out, "\n");
    }
    trod_put(d->out, "enters ");
    trod_put_name(d->out, name);
    for (uint32_t i = 0; i < body->nparam; i++)
        trod_put(d->out, " %u", body->first_param + i);
    trod_put(d->out, " %u\nleaves ", body->begin);
    trod_put_name(d->out, name);
    for (uint32_t i = 0; i < body->n; i++)
        if (LLVMGetInstructionOpcode(body->code[i]) == LLVMRet &&
            LLVMGetNumOperands(body->code[i]))
            trod_put(d->out, " %u", body->node[i]);
    trod_put(d->out, "\n");
    for (uint32_t i = 0; i < f->nparam; i++)
        trod_code_depends_points(d, body->first_param + i, f->param[i]);
    for (uint32_t i = f->nparam; i < body->nparam; i++) {
        trod_code_depends_points(d, body->first_param + i, f->more);
        trod_code_depends_edge(
            d, body->first_param + i, trod_code_depends_class(d, f->more));
        trod_code_depends_edge(d, body->begin, trod_code_depends_class(d, f->more));
    }
    for (uint32_t i = 0; i < body->n; i++)
        if (LLVMGetInstructionOpcode(body->code[i]) == LLVMRet &&
            LLVMGetNumOperands(body->code[i]))
            trod_code_depends_points(d, body->node[i], f->result);
}

static void put_function(struct trod_code_depends *d, LLVMValueRef function)
{
    struct trod_code_body body;

    trod_code_body_build(&body, function, d->places, &d->next, d->mem);
    put_nodes(d, &body);
    put_ends(d, &body);
    for (uint32_t i = 0; i < body.n; i++)
        add_code(d, &body, i);
    add_control(d, &body);
    put_edges(d);
}

/* --- data ------------------------------------------------------------------------------------------------------- */

static uint32_t file_of_data(struct trod_code_depends *d, LLVMValueRef global)
{
    size_t n;
    LLVMValueMetadataEntry *entry = LLVMGlobalCopyAllMetadata(global, &n);
    uint32_t file = 0;

    for (size_t i = 0; i < n; i++) {
        LLVMMetadataRef of = LLVMValueMetadataEntriesGetMetadata(entry, (unsigned)i);

        if (LLVMGetMetadataKind(of) == LLVMDIGlobalVariableExpressionMetadataKind) {
            LLVMMetadataRef variable = LLVMDIGlobalVariableExpressionGetVariable(of);
            LLVMMetadataRef at = variable ? LLVMDIVariableGetFile(variable) : NULL;

            file = trod_code_file_of(d->places, at);
        }
    }
    LLVMDisposeValueMetadataEntries(entry);
    return file;
}

static void put_global(struct trod_code_depends *d, LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);

    if (linkage == LLVMPrivateLinkage)
        return;
    trod_put(d->out, "global %u ", trod_code_depends_at(d, global));
    trod_put_name(d->out, trod_code_name(global));
    if (linkage == LLVMInternalLinkage) {
        trod_put(d->out, " ");
        trod_put_name(d->out, d->places->files.name[file_of_data(d, global)]);
    }
    trod_put(d->out, "\n");
}

static void put_data(struct trod_code_depends *d)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(d->module); g; g = LLVMGetNextGlobal(g))
        if (strncmp(trod_code_name(g), "__prof", 6) != 0 &&
            strncmp(trod_code_name(g), "llvm.", 5) != 0)
            put_global(d, g);
    for (uint32_t i = 0; i < d->memory.hidden.count; i++) {
        trod_put(d->out, "global %u ",
            trod_code_depends_class(d, d->memory.cell_of_hidden[i]));
        trod_put_name(d->out, d->memory.hidden.name[i]);
        trod_put(d->out, "\n");
    }
}

static void put_taken(struct trod_code_depends *d)
{
    for (uint32_t i = 0; i < d->memory.nfunction; i++) {
        const struct trod_code_function *f = &d->memory.function[i];

        if (!f->is_taken)
            continue;
        trod_put(d->out, "taken ");
        trod_put_name(d->out, trod_code_name(f->function));
        trod_put(d->out, " ");
        trod_code_depends_type(d, LLVMGlobalGetValueType(f->function));
        trod_put(d->out, "\n");
    }
}

/* --- the unit ---------------------------------------------------------------------------------------------------- */

void trod_code_depends_print(struct trod_sink *out, LLVMModuleRef module,
    struct trod_code_places *places, struct trod_arena *mem)
{
    struct trod_code_depends d = {
        .out = out, .module = module, .places = places, .mem = mem, .next = 1};

    trod_code_memory_build(&d.memory, module, mem);
    trod_put(out, "depends ");
    trod_put_name(out, places->files.name[0]);
    trod_put(out, "\nunit ");
    trod_put_name(out, places->files.name[0]);
    trod_put(out, "\n");
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) &&
            LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage)
            put_function(&d, f);
    put_taken(&d);
    put_data(&d);
    put_classes(&d);
}
