#include "llvm/emit/counters.h"

#include "meaning/meaning.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Clang's counters are calls of an intrinsic. Each has the name and hash of its function, the number of counters and
 * the index of one of them. Clang lowers them to memory at the start of its pipeline. Before that, they are replaced
 * by calls of an undefined function, which the first clean-up passes neither drop nor analyse. The calls are removed
 * once the graph is built.
 */

static const char intrinsic[] = "llvm.instrprof.";
static const char increment[] = "llvm.instrprof.increment";
static const char step[] = "llvm.instrprof.increment.step";
static const char mark[] = "__trod_counter";
static const char names[] = "__llvm_coverage_names";
static const char prefix[] = "__profn_";
static const char attribute[] = "trod-counters"; /* "HASH COUNT NAME" */

enum { ATTRIBUTE_LENGTH = sizeof attribute - 1 };

/* Operands of the intrinsic. */
enum { OF_NAME, OF_HASH, OF_COUNT, OF_INDEX, OF_STEP };

struct adopter {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef i1, type;
    LLVMValueRef mark;
    struct trod_arena *mem;
};

/* --- clang's counters -------------------------------------------------------------------------- */

static size_t find_calls(LLVMValueRef **out, LLVMValueRef function, const char *callee,
    struct trod_arena *mem)
{
    size_t n = 0, room = 0;

    *out = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
            i = LLVMGetNextInstruction(i)) {
            if (!trod_meaning_calls(i, callee))
                continue;
            trod_reserve(mem, *out, n, room);
            (*out)[n++] = i;
        }
    return n;
}

/* Stores the function's name in profiles as an attribute, until its graph is built. */
static void keep_head(const struct adopter *a, LLVMValueRef function, LLVMValueRef call)
{
    LLVMContextRef context = LLVMGetModuleContext(a->module);
    LLVMValueRef name = LLVMGetInitializer(LLVMGetOperand(call, OF_NAME));
    struct trod_string text;
    size_t length;
    const char *bytes = LLVMGetAsString(name, &length);

    trod_string_init(&text, a->mem);
    trod_put(&text.sink, "%llu %llu %.*s",
        LLVMConstIntGetZExtValue(LLVMGetOperand(call, OF_HASH)),
        LLVMConstIntGetZExtValue(LLVMGetOperand(call, OF_COUNT)), (int)length, bytes);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(
            context, attribute, ATTRIBUTE_LENGTH, text.text, (unsigned)text.length));
}

/* The condition under which a counter is incremented by one: constant true for an unconditional increment. NULL: it
 * is incremented by another value.
 */
static LLVMValueRef condition_of(const struct adopter *a, LLVMValueRef call)
{
    LLVMValueRef by =
        trod_meaning_calls(call, step) ? LLVMGetOperand(call, OF_STEP) : NULL;

    if (!by || (LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) == 1))
        return LLVMConstInt(a->i1, 1, false);
    return LLVMIsAZExtInst(by) && LLVMTypeOf(LLVMGetOperand(by, 0)) == a->i1
               ? LLVMGetOperand(by, 0)
               : NULL;
}

/* --- replacing them ---------------------------------------------------------------------------- */

static void adopt(const struct adopter *a, LLVMValueRef call)
{
    LLVMValueRef argument[] = {LLVMGetOperand(call, OF_INDEX), condition_of(a, call)};
    LLVMValueRef by =
        trod_meaning_calls(call, step) ? LLVMGetOperand(call, OF_STEP) : NULL;

    LLVMPositionBuilderBefore(a->builder, call);
    LLVMBuildCall2(a->builder, a->type, a->mark, argument, 2, "");
    LLVMInstructionEraseFromParent(call);
    if (by && LLVMIsAInstruction(by) && !LLVMGetFirstUse(by))
        LLVMInstructionEraseFromParent(by);
}

/* Replaces all counters of a function, or drops all if one of them is incremented by an unknown value. */
static void adopt_function(const struct adopter *a, LLVMValueRef function)
{
    LLVMValueRef *call;
    size_t n = find_calls(&call, function, intrinsic, a->mem);
    bool known = n > 0;

    for (size_t i = 0; i < n; i++)
        known &= trod_meaning_calls(call[i], increment) &&
                 LLVMGetOperand(call[i], OF_NAME) == LLVMGetOperand(call[0], OF_NAME) &&
                 condition_of(a, call[i]);
    if (known)
        keep_head(a, function, call[0]);
    for (size_t i = 0; i < n; i++)
        if (known)
            adopt(a, call[i]);
        else
            LLVMInstructionEraseFromParent(call[i]);
}

/* For a choice without a branch, clang increments a counter by the condition. A branch is made, because paths record
 * only branches.
 */
static void branch_on(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMValueRef condition = LLVMGetOperand(call, 1), old;
    LLVMBasicBlockRef from = LLVMGetInstructionParent(call), rest, counts;

    rest = trod_bridge_split_before(LLVMGetNextInstruction(call));
    counts = trod_bridge_split_before(call);
    old = LLVMGetBasicBlockTerminator(from);
    LLVMPositionBuilderBefore(builder, old);
    LLVMBuildCondBr(builder, condition, counts, rest);
    LLVMInstructionEraseFromParent(old);
}

static void branch_on_choices(const struct adopter *a)
{
    for (LLVMUseRef use = LLVMGetFirstUse(a->mark); use; use = LLVMGetNextUse(use))
        if (!LLVMIsConstant(LLVMGetOperand(LLVMGetUser(use), 1)))
            branch_on(a->builder, LLVMGetUser(use));
}

/* Clang finds regions for llvm-cov by the names of functions. When it lowers counters it emits the names of functions
 * that have some, and others that are listed. Now none has counters, so all are listed.
 */
static void list_names(const struct adopter *a, LLVMValueRef listed)
{
    LLVMTypeRef pointer = trod_llvm_pointer(LLVMGetModuleContext(a->module));
    LLVMValueRef *name = NULL, old = listed ? LLVMGetInitializer(listed) : NULL, made;
    unsigned n = 0, room = 0, nold = old ? (unsigned)LLVMGetNumOperands(old) : 0;

    for (unsigned i = 0; i < nold; i++)
        trod_push(a->mem, name, n, room, LLVMGetOperand(old, i));
    for (LLVMValueRef g = LLVMGetFirstGlobal(a->module); g; g = LLVMGetNextGlobal(g)) {
        size_t length;

        if (strncmp(LLVMGetValueName2(g, &length), prefix, sizeof prefix - 1) != 0 ||
            LLVMGetFirstUse(g))
            continue; /* a used name is in the list already */
        trod_push(a->mem, name, n, room, g);
    }
    if (listed)
        LLVMDeleteGlobal(listed);
    if (!n)
        return;
    made = LLVMAddGlobal(a->module, LLVMArrayType2(pointer, n), names);
    LLVMSetInitializer(made, LLVMConstArray2(pointer, name, n));
    LLVMSetLinkage(made, LLVMInternalLinkage);
    LLVMSetGlobalConstant(made, true);
}

static void drop_names(const struct adopter *a)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(a->module), next; g; g = next) {
        size_t length;

        next = LLVMGetNextGlobal(g);
        if (strncmp(LLVMGetValueName2(g, &length), prefix, sizeof prefix - 1) == 0 &&
            !LLVMGetFirstUse(g))
            LLVMDeleteGlobal(g);
    }
}

void trod_llvm_adopt_counters(LLVMModuleRef module, void (*exhausted)(void *ctx))
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct trod_arena mem;
    struct adopter a = {.module = module,
        .builder = LLVMCreateBuilderInContext(context),
        .i1 = LLVMInt1TypeInContext(context),
        .mem = &mem};
    LLVMTypeRef parameter[] = {LLVMInt32TypeInContext(context), a.i1};

    trod_arena_init(&mem, exhausted, NULL);
    a.type = LLVMFunctionType(LLVMVoidTypeInContext(context), parameter, 2, false);
    a.mark = LLVMAddFunction(module, mark, a.type);
    trod_bridge_only_counts(a.mark);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        adopt_function(&a, f);
    branch_on_choices(&a);
    if (LLVMGetNamedGlobal(module, "__llvm_coverage_mapping"))
        list_names(&a, LLVMGetNamedGlobal(module, names));
    else
        drop_names(&a);
    LLVMDisposeBuilder(a.builder);
    trod_arena_free(&mem);
}

/* --- after the graph is built --------------------------------------------------------------------- */

static LLVMAttributeRef attribute_of(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(
        function, LLVMAttributeFunctionIndex, attribute, ATTRIBUTE_LENGTH);
}

static void take_head(
    struct trod_llvm_counters *out, LLVMAttributeRef from, struct trod_arena *mem)
{
    unsigned length;
    const char *text = LLVMGetStringAttributeValue(from, &length);
    const char *end = text + length;
    char *at;

    out->hash = strtoull(text, &at, 10);
    out->count = (uint32_t)strtoul(at, &at, 10);
    out->name = trod_copy_text(mem, at + 1, (size_t)(end - at - 1));
}

static void take_block(struct trod_llvm_counters *out, LLVMBasicBlockRef block,
    uint32_t *room, struct trod_arena *mem)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!trod_meaning_calls(i, mark))
            continue;
        trod_push(mem, out->index, out->nindex, *room,
            (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)));
        LLVMInstructionEraseFromParent(i);
    }
}

void trod_llvm_take_counters(struct trod_body *body, struct trod_arena *mem)
{
    LLVMAttributeRef from = attribute_of(body->function);
    struct trod_llvm_counters *out;
    uint32_t room = 0;

    if (!from)
        return;
    out = trod_new(mem, struct trod_llvm_counters, 1);
    take_head(out, from, mem);
    out->first = trod_new(mem, uint32_t, (size_t)body->graph.nnode + 1);
    for (trod_node v = 0; v < body->graph.nnode; v++) {
        take_block(out, body->block[v], &room, mem);
        out->first[v + 1] = out->nindex;
    }
    body->counters = out;
}

void trod_llvm_map_counters(struct trod_sink *sink, const struct trod_body *body)
{
    const struct trod_llvm_counters *c = body->counters;

    if (!c)
        return;
    trod_put(sink, "counters ");
    trod_put_name(sink, body->name);
    trod_put(sink, " ");
    trod_put_name(sink, c->name);
    trod_put(sink, " %016" PRIx64 " %u\n", c->hash, c->count);
    for (trod_node v = 0; v < body->graph.nnode; v++) {
        trod_put(sink, "%u:", v);
        for (uint32_t i = c->first[v]; i < c->first[v + 1]; i++)
            trod_put(sink, " %u", c->index[i]);
        trod_put(sink, "\n");
    }
}

/* Includes functions that are not instrumented. */
void trod_llvm_drop_counters(LLVMModuleRef module)
{
    LLVMValueRef f = LLVMGetNamedFunction(module, mark);
    LLVMUseRef use;

    if (!f)
        return;
    while ((use = LLVMGetFirstUse(f)))
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
    LLVMDeleteFunction(f);
    for (f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (attribute_of(f))
            LLVMRemoveStringAttributeAtIndex(
                f, LLVMAttributeFunctionIndex, attribute, ATTRIBUTE_LENGTH);
}
