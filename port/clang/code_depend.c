#include "clang/depending.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* Who depends on whom in a unit, in the text form that src/impact/impact.h has:
 *
 *     depends FILE
 *     unit FILE
 *     file 1 FILE
 *     node 7 FUNCTION 1 15               # line 0: not known. Several nodes may be of one line: a call, what is handed to it and what
 *                                        # it gives are nodes of their own.
 *     memory 9
 *     7 -> 9 12
 *     points 7 9                         # of parameters, arguments, results, returned nodes, and classes
 *     global 9 NAME
 *     global 9 NAME FILE                 # static
 *     static f
 *     enters f 3 4                       # parameters, then what begins f. Variadic functions have eight more, for what else is
 *                                        # handed to them.
 *     leaves f 5
 *     calls 8 f 6 7 ; 9
 *     may-call 8 TYPE 6 7 ; 9
 *     taken f TYPE
 *
 * What is known of functions of the C library (code_library.c) has become edges: there are no `calls` of these. Their
 * hidden state is in globals whose names no symbol has: <input>, <exception>, and those of functions that return memory of
 * their own.
 *
 * Not followed: that a call, or a loop, may not come back, so that what is behind it does not run; addresses in integers
 * of other units; that another unit has a function of its own with a name of the C library.
 */

struct edge {
    uint32_t from, to;
};

struct depends {
    struct trod_sink *out;
    LLVMModuleRef module;
    struct trod_code_places *places;
    struct trod_arena *mem;
    struct trod_code_memory memory;
    struct trod_code_meaning meaning; /* types as hashes */
    uint32_t next, nfile;
    struct trod_code_numbers number_of_class;
    uint32_t *class; /* cells, in the order of their numbers */
    uint32_t *class_number;
    uint32_t nclass, room_class, room_number;
    struct edge *edge;
    uint32_t nedge, room_edge;
};

/* --- classes --------------------------------------------------------------------------------------------------- */

static uint32_t class_of(struct depends *d, uint32_t cell)
{
    uint64_t *number;
    bool is_new;

    if (!cell)
        return 0;
    cell = trod_code_cell_find(&d->memory.cells, cell);
    number = trod_code_numbers_add(
        &d->number_of_class, (const void *)(uintptr_t)cell, &is_new);
    if (is_new) {
        *number = d->next++;
        trod_reserve(d->mem, d->class, d->nclass, d->room_class);
        trod_reserve(d->mem, d->class_number, d->nclass, d->room_number);
        d->class_number[d->nclass] = (uint32_t)*number;
        d->class[d->nclass++] = cell;
    }
    return (uint32_t)*number;
}

static uint32_t class_at(struct depends *d, LLVMValueRef address)
{
    return class_of(d, trod_code_memory_at(&d->memory, address));
}

/* What a value points to, if it points anywhere. */
static void put_points(struct depends *d, uint32_t node, uint32_t cell)
{
    uint32_t to = cell ? trod_code_cell_points(&d->memory.cells, cell) : 0;

    if (to)
        trod_put(d->out, "points %u %u\n", node, class_of(d, to));
}

/* Those that are found on the way are numbered, and so come later in the list. */
static void put_classes(struct depends *d)
{
    for (uint32_t i = 0; i < d->nclass; i++) {
        trod_put(d->out, "memory %u\n", d->class_number[i]);
        put_points(d, d->class_number[i], d->class[i]);
    }
}

/* --- edges ----------------------------------------------------------------------------------------------------- */

static void add_edge(struct depends *d, uint32_t from, uint32_t to)
{
    if (!from || !to || from == to)
        return;
    trod_reserve(d->mem, d->edge, d->nedge, d->room_edge);
    d->edge[d->nedge++] = (struct edge){from, to};
}

static int compare(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

static void put_edges(struct depends *d)
{
    const struct edge *last = NULL;

    if (d->nedge)
        qsort(d->edge, d->nedge, sizeof *d->edge, compare);
    for (uint32_t i = 0; i < d->nedge; i++) {
        const struct edge *e = &d->edge[i];

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

/* --- calls of what is known -------------------------------------------------------------------------------------- */

static void put_called(struct depends *d, uint32_t node, LLVMValueRef function)
{
    trod_put(d->out, "calls %u ", node);
    trod_put_name(d->out, trod_code_name(function));
    trod_put(d->out, "\n");
}

/* Whoever is called here may call what it was handed. */
static void put_handed(struct depends *d, uint32_t node, LLVMValueRef arg)
{
    struct trod_code_cells *cells = &d->memory.cells;
    uint32_t to;

    if (LLVMGetValueKind(arg) == LLVMFunctionValueKind) {
        put_called(d, node, arg);
        return;
    }
    to = trod_code_cell_points(cells, trod_code_memory_cell(&d->memory, arg));
    for (uint32_t i = 0; to && i < d->memory.nfunction; i++) {
        LLVMValueRef f = d->memory.function[i].function;

        if (f && d->memory.function[i].is_taken &&
            trod_code_memory_at(&d->memory, f) == to)
            put_called(d, node, f);
    }
}

static void read_deep(struct depends *d, uint32_t node, uint32_t cell)
{
    enum { DEEPEST = 8 };

    for (int i = 0; cell && i < DEEPEST; i++) {
        add_edge(d, class_of(d, cell), node);
        cell = trod_code_cell_points(&d->memory.cells, cell);
    }
}

static void add_library(struct depends *d, uint32_t node, LLVMValueRef call,
    const struct trod_code_library *library)
{
    unsigned n = LLVMGetNumArgOperands(call);

    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef arg = LLVMGetOperand(call, i);
        char letter = trod_code_library_arg(library, i);

        if (LLVMGetTypeKind(LLVMTypeOf(arg)) != LLVMPointerTypeKind)
            continue;
        if (library->effects & TROD_EFFECT_DEEP)
            read_deep(d, node, trod_code_memory_at(&d->memory, arg));
        if (letter == 'r' || letter == 'b')
            add_edge(d, class_at(d, arg), node);
        if (letter == 'w' || letter == 'b')
            add_edge(d, node, class_at(d, arg));
        if (letter == 'c')
            put_handed(d, node, arg);
    }
    if (library->effects & TROD_EFFECT_INPUT) {
        add_edge(d, class_of(d, d->memory.input), node);
        add_edge(d, node, class_of(d, d->memory.input));
    }
    if (library->effects & TROD_EFFECT_THROWS)
        add_edge(d, node, class_of(d, d->memory.exception));
    if (library->name[0] != 'l' && d->memory.error)
        add_edge(d, node, class_of(d, d->memory.error));
}

/* --- calls ----------------------------------------------------------------------------------------------------- */

/* The node that hands an argument over. Addresses that nobody computes have one for each call, to point from. */
static uint32_t argument_node(struct depends *d, const struct trod_code_body *body,
    uint32_t call, LLVMValueRef arg)
{
    uint32_t node = trod_code_body_source(body, arg);
    uint32_t cell = trod_code_memory_cell(&d->memory, arg);

    if (node || !cell || !trod_code_cell_points(&d->memory.cells, cell))
        return node ? node : body->node[call];
    node = d->next++;
    trod_put(d->out, "node %u ", node);
    trod_put_name(d->out, trod_code_name(body->function));
    trod_put(d->out, " %u %u\n", body->file[call] + 1, body->line[call]);
    put_points(d, node, cell);
    return node;
}

static void put_type(struct depends *d, LLVMTypeRef type)
{
    trod_put(d->out, "%016llx",
        (unsigned long long)trod_code_mix_type(&d->meaning, 0, type));
}

static void put_call(struct depends *d, const struct trod_code_body *body, uint32_t i)
{
    enum { MOST = 256 };
    LLVMValueRef call = body->code[i], callee = trod_code_callee(call);
    unsigned n = LLVMGetNumArgOperands(call);
    uint32_t node[MOST];

    n = n < MOST ? n : MOST;
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef arg = LLVMGetOperand(call, k);

        node[k] = argument_node(d, body, i, arg);
        if ((!callee || LLVMIsDeclaration(callee)) &&
            LLVMGetValueKind(arg) == LLVMFunctionValueKind)
            put_handed(d, body->node[i], arg);
    }
    trod_put(d->out, callee ? "calls %u " : "may-call %u ", body->node[i]);
    if (callee)
        trod_put_name(d->out, trod_code_name(callee));
    else
        put_type(d, LLVMGetCalledFunctionType(call));
    for (unsigned k = 0; k < n; k++)
        trod_put(d->out, " %u", node[k]);
    trod_put(d->out, " ;");
    if (body->result[i])
        trod_put(d->out, " %u", body->result[i]);
    trod_put(d->out, "\n");
    if (body->result[i])
        put_points(d, body->result[i], trod_code_memory_cell(&d->memory, call));
    add_edge(d, body->node[i], body->result[i]);
    if (!callee)
        add_edge(
            d, trod_code_body_source(body, LLVMGetCalledValue(call)), body->node[i]);
    if (body->branch[i]) {
        add_edge(d, body->node[i], body->branch[i]);
        add_edge(d, class_of(d, trod_code_memory_hidden(&d->memory, "<exception>")),
            body->branch[i]);
    }
    if (d->memory.error && callee && LLVMIsDeclaration(callee))
        add_edge(d, body->node[i], class_of(d, d->memory.error));
}

/* --- instructions ------------------------------------------------------------------------------------------------ */

static void add_memory(struct depends *d, uint32_t node, LLVMValueRef code)
{
    const struct trod_code_library *library;

    switch (LLVMGetInstructionOpcode(code)) {
    case LLVMLoad:
        add_edge(d, class_at(d, LLVMGetOperand(code, 0)), node);
        break;
    case LLVMStore:
        add_edge(d, node, class_at(d, LLVMGetOperand(code, 1)));
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        add_edge(d, class_at(d, LLVMGetOperand(code, 0)), node);
        add_edge(d, node, class_at(d, LLVMGetOperand(code, 0)));
        break;
    case LLVMVAArg:
        read_deep(d, node, trod_code_memory_at(&d->memory, LLVMGetOperand(code, 0)));
        add_edge(d, node, class_at(d, LLVMGetOperand(code, 0)));
        break;
    case LLVMLandingPad:
        add_edge(d, class_of(d, d->memory.exception), node);
        break;
    case LLVMResume:
        add_edge(d, node, class_of(d, d->memory.exception));
        break;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        library = trod_code_library_of(code);
        if (library)
            add_library(d, node, code, library);
        break;
    default:
        break;
    }
}

static void add_code(struct depends *d, const struct trod_code_body *body, uint32_t i)
{
    LLVMValueRef code = body->code[i];
    unsigned n = (unsigned)LLVMGetNumOperands(code);

    if (!body->node[i])
        return;
    if (body->is_call[i]) {
        put_call(d, body, i);
        return;
    }
    for (unsigned k = 0; k < n; k++)
        add_edge(
            d, trod_code_body_source(body, LLVMGetOperand(code, k)), body->node[i]);
    add_memory(d, body->node[i], code);
    if (body->is_argument[i])
        put_points(d, body->node[i], trod_code_memory_cell(&d->memory, code));
}

/* The node that decides where a block goes on. */
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

static void add_control(struct depends *d, const struct trod_code_body *body)
{
    const struct trod_code_control *c = &body->control;

    for (uint32_t i = 0; i < body->n; i++) {
        for (uint32_t e = c->first_jump[body->block[i]];
            e < c->first_jump[body->block[i] + 1]; e++)
            add_edge(d, jump_of(body, c->jump[e]), body->node[i]);
        for (uint32_t e = c->first[body->block[i]]; e < c->first[body->block[i] + 1];
            e++)
            add_edge(d, decider(body, c->on[e]), body->node[i]);
    }
}

/* --- functions --------------------------------------------------------------------------------------------------- */

static void put_files(struct depends *d)
{
    for (; d->nfile < d->places->files.count; d->nfile++) {
        trod_put(d->out, "file %u ", d->nfile + 1);
        trod_put_name(d->out, d->places->files.name[d->nfile]);
        trod_put(d->out, "\n");
    }
}

static void put_node(
    struct depends *d, const char *name, uint32_t node, uint32_t file, uint32_t line)
{
    trod_put(d->out, "node %u ", node);
    trod_put_name(d->out, name);
    trod_put(d->out, " %u %u\n", file + 1, line);
}

static void put_nodes(struct depends *d, const struct trod_code_body *body)
{
    const char *name = trod_code_name(body->function);
    uint32_t line, file = trod_code_function_place(&line, d->places, body->function);
    uint32_t last = 0;

    put_files(d);
    put_node(d, name, body->begin, file, line);
    for (uint32_t i = 0; i < body->nparam; i++)
        put_node(d, name, body->first_param + i, file, line);
    for (uint32_t i = 0; i < body->n; i++) {
        /* Numbers ascend with the first of each node. */
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

static void put_ends(struct depends *d, const struct trod_code_body *body)
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
        put_points(d, body->first_param + i, f->param[i]);
    for (uint32_t i = f->nparam; i < body->nparam; i++) {
        put_points(d, body->first_param + i, f->more);
        add_edge(d, body->first_param + i, class_of(d, f->more));
        add_edge(d, body->begin, class_of(d, f->more));
    }
    for (uint32_t i = 0; i < body->n; i++)
        if (LLVMGetInstructionOpcode(body->code[i]) == LLVMRet &&
            LLVMGetNumOperands(body->code[i]))
            put_points(d, body->node[i], f->result);
}

static void put_function(struct depends *d, LLVMValueRef function)
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

static uint32_t file_of_data(struct depends *d, LLVMValueRef global)
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

static void put_global(struct depends *d, LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);

    if (linkage == LLVMPrivateLinkage)
        return;
    trod_put(d->out, "global %u ", class_at(d, global));
    trod_put_name(d->out, trod_code_name(global));
    if (linkage == LLVMInternalLinkage) {
        trod_put(d->out, " ");
        trod_put_name(d->out, d->places->files.name[file_of_data(d, global)]);
    }
    trod_put(d->out, "\n");
}

static void put_data(struct depends *d)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(d->module); g; g = LLVMGetNextGlobal(g))
        if (strncmp(trod_code_name(g), "__prof", 6) != 0 &&
            strncmp(trod_code_name(g), "llvm.", 5) != 0)
            put_global(d, g);
    for (uint32_t i = 0; i < d->memory.hidden.count; i++) {
        trod_put(d->out, "global %u ", class_of(d, d->memory.cell_of_hidden[i]));
        trod_put_name(d->out, d->memory.hidden.name[i]);
        trod_put(d->out, "\n");
    }
}

static void put_taken(struct depends *d)
{
    for (uint32_t i = 0; i < d->memory.nfunction; i++) {
        const struct trod_code_function *f = &d->memory.function[i];

        if (!f->is_taken)
            continue;
        trod_put(d->out, "taken ");
        trod_put_name(d->out, trod_code_name(f->function));
        trod_put(d->out, " ");
        put_type(d, LLVMGlobalGetValueType(f->function));
        trod_put(d->out, "\n");
    }
}

/* --- a unit ------------------------------------------------------------------------------------------------------ */

void trod_code_depends_print(struct trod_sink *out, LLVMModuleRef module,
    struct trod_code_places *places, struct trod_arena *mem)
{
    struct depends d = {
        .out = out, .module = module, .places = places, .mem = mem, .next = 1};

    trod_code_memory_build(&d.memory, module, mem);
    trod_code_meaning_init(&d.meaning, module, mem);
    trod_code_numbers_init(&d.number_of_class, 1 << 10, mem);
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
