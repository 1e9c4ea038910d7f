#include "llvm/port.h"
#include "trod/rt.h"

#include <llvm-c/Comdat.h>
#include <stdio.h>
#include <string.h>

/* Bundles: increments that always execute together become the increment of one counter.
 *
 * After inlining, a block often counts the only path of several functions, and their beginnings. What lies between these
 * increments cannot leave the function, so either all of them execute or none does. One counter of the function's own
 * stands for all; a record in section __trod_bnd (trod/rt.h) lists the counters that it adds to, and readers add it to each
 * of them. This is exact whatever is abandoned: no bundle extends over a call that may not return.
 *
 * A bundle with a beginning is counted where the first of its increments was, so that a function that crashes at once has
 * begun; others are counted where the last one was, so that no path ends before its time.
 */

static const char begun_mark[] = "trod-begun";

void trod_llvm_mark_begun(LLVMValueRef count)
{
    LLVMContextRef context = LLVMGetModuleContext(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(count))));

    LLVMAddCallSiteAttribute(count, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, begun_mark, sizeof begun_mark - 1, "", 0));
}

static bool is_begun(LLVMValueRef count)
{
    return LLVMGetCallSiteStringAttribute(count, LLVMAttributeFunctionIndex, begun_mark,
               sizeof begun_mark - 1) != NULL;
}

/* --- which counts -------------------------------------------------------------------------------- */

/* Counts of one block without anything between them that may leave. */
struct bundle {
    LLVMValueRef *count; /* calls, in order */
    uint32_t n, room;
    struct bundle *next;
};

struct bundler {
    LLVMModuleRef module;
    LLVMValueRef function, count; /* count: __trod_count */
    struct trod_arena *mem;
    struct bundle *first, **last;
    uint32_t nbundle, nword;
};

/* Is it the increment of one counter by one? */
static bool is_single(const struct bundler *m, LLVMValueRef i)
{
    return LLVMIsACallInst(i) && LLVMGetCalledValue(i) == m->count &&
           LLVMIsAGlobalVariable(LLVMGetOperand(i, TROD_COUNT_TABLE)) &&
           LLVMIsAConstantInt(LLVMGetOperand(i, TROD_COUNT_INDEX)) &&
           LLVMIsAConstantInt(LLVMGetOperand(i, TROD_COUNT_BY)) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(i, TROD_COUNT_BY)) == 1;
}

/* Threads are the same if the values are, or all of them are the answer to the same question (thread.c). */
static bool are_of_one_thread(LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef x = LLVMGetOperand(a, TROD_COUNT_THREAD),
                 y = LLVMGetOperand(b, TROD_COUNT_THREAD);

    return x == y ||
           (LLVMIsACallInst(x) && LLVMIsACallInst(y) &&
               LLVMGetCalledValue(x) == LLVMGetCalledValue(y) &&
               LLVMGetCalledValue(x) ==
                   LLVMGetNamedFunction(
                       LLVMGetGlobalParent(LLVMGetCalledValue(x)), "__trod_self"));
}

static void close_bundle(struct bundler *m, struct bundle *open)
{
    struct bundle *kept;

    if (open->n > 1) {
        kept = trod_new(m->mem, struct bundle, 1);
        *kept = *open;
        *m->last = kept;
        m->last = &kept->next;
        m->nbundle++;
        m->nword += 2 + kept->n;
    }
    *open = (struct bundle){0};
}

static void find_bundles(struct bundler *m, LLVMBasicBlockRef block)
{
    struct bundle open = {0};

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
        i = LLVMGetNextInstruction(i)) {
        bool single = is_single(m, i);

        if (single ? open.n && !are_of_one_thread(open.count[0], i)
                   : trod_llvm_leaves(i))
            close_bundle(m, &open);
        if (single)
            trod_push(m->mem, open.count, open.n, open.room, i);
    }
    close_bundle(m, &open);
}

/* --- counters and records ------------------------------------------------------------------------ */

static LLVMValueRef add_global(
    const struct bundler *m, const char *prefix, LLVMTypeRef type, unsigned alignment)
{
    size_t length;
    const char *of = LLVMGetValueName2(m->function, &length);
    LLVMComdatRef comdat = LLVMGetComdat(m->function);
    LLVMValueRef global;
    char name[256];

    snprintf(name, sizeof name, "%s%.200s", prefix, of);
    global = LLVMAddGlobal(m->module, type, name);
    LLVMSetInitializer(global, LLVMConstNull(type));
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetAlignment(global, alignment);
    if (comdat)
        LLVMSetComdat(global, comdat);
    return global;
}

static LLVMValueRef address_of(
    const struct bundler *m, LLVMValueRef table, uint64_t index)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(m->module));
    LLVMValueRef at = LLVMConstInt(i64, index, false);

    return LLVMConstGEP2(i64, table, &at, 1);
}

/* What goes into word k of a record: the distance from there to an address. */
static LLVMValueRef distance(
    const struct bundler *m, LLVMValueRef record, uint32_t k, LLVMValueRef address)
{
    LLVMContextRef context = LLVMGetModuleContext(m->module);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context),
                i64 = LLVMInt64TypeInContext(context);
    LLVMValueRef at = LLVMConstInt(i64, k, false);
    LLVMValueRef word = LLVMConstGEP2(i32, record, &at, 1);

    return LLVMConstTrunc(
        LLVMConstSub(LLVMConstPtrToInt(address, i64), LLVMConstPtrToInt(word, i64)),
        i32);
}

static void add_records(const struct bundler *m, LLVMValueRef table)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(m->module));
    LLVMTypeRef type = LLVMArrayType2(i32, m->nword);
    LLVMValueRef record = add_global(m, "__trod_bnd_", type, 4);
    LLVMValueRef *word = trod_new(m->mem, LLVMValueRef, m->nword);
    uint32_t k = 0, number = 0;

    for (const struct bundle *b = m->first; b; b = b->next, number++) {
        word[k] = distance(m, record, k, address_of(m, table, number));
        k++;
        word[k++] = LLVMConstInt(i32, b->n, false);
        for (uint32_t i = 0; i < b->n; i++, k++)
            word[k] = distance(m, record, k,
                address_of(m, LLVMGetOperand(b->count[i], TROD_COUNT_TABLE),
                    LLVMConstIntGetZExtValue(
                        LLVMGetOperand(b->count[i], TROD_COUNT_INDEX))));
    }
    LLVMSetInitializer(record, LLVMConstArray2(i32, word, m->nword));
    LLVMSetGlobalConstant(record, true);
    LLVMSetSection(record, "__trod_bnd");
    /* In a group with its function it goes where that goes. */
    if (LLVMGetComdat(m->function))
        trod_bridge_keep(m->module, record);
    else
        trod_bridge_retain(m->module, record);
}

/* --- in place of the counts ------------------------------------------------------------------------ */

static LLVMValueRef place_of(const struct bundle *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (is_begun(b->count[i]))
            return b->count[0];
    return b->count[b->n - 1];
}

static void replace(const struct bundler *m, const struct bundle *b, LLVMValueRef table,
    uint32_t number, LLVMBuilderRef builder)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(m->module));
    LLVMValueRef place = place_of(b);

    LLVMPositionBuilderBefore(builder, place);
    trod_llvm_put_count(builder, m->module,
        (struct trod_llvm_count){.thread = LLVMGetOperand(place, TROD_COUNT_THREAD),
            .table = table,
            .index = LLVMConstInt(i64, number, false),
            .by = LLVMConstInt(i64, 1, false)});
    for (uint32_t i = 0; i < b->n; i++)
        LLVMInstructionEraseFromParent(b->count[i]);
}

void trod_llvm_bundle(LLVMValueRef function, LLVMValueRef count, LLVMBuilderRef builder,
    struct trod_arena *mem)
{
    struct bundler m = {.module = LLVMGetGlobalParent(function),
        .function = function,
        .count = count,
        .mem = mem};
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(m.module));
    LLVMValueRef table;
    uint32_t number = 0;

    m.last = &m.first;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        find_bundles(&m, b);
    if (!m.nbundle)
        return;
    table = add_global(&m, "__trod_cnt_bundles_", LLVMArrayType2(i64, m.nbundle), 8);
    trod_bridge_set_bss_section(table, "__trod_cnt");
    add_records(&m, table);
    for (const struct bundle *b = m.first; b; b = b->next)
        replace(&m, b, table, number++, builder);
}
