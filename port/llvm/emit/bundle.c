#include "llvm/port.h"
#include "trod/rt.h"

#include "base/order.h"

#include <llvm-c/Comdat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bundles: increments that always execute together become the increment of one counter.
 *
 * After inlining, a block often counts the only path of several functions, and their begun activations; so do blocks
 * that execute equally often. If nothing between these increments can leave the function, either all of them execute
 * or none does. One counter, which belongs to no path, replaces them. A record in section __trod_bnd (trod/rt.h)
 * lists the counters it replaces, and readers add it to each of them. No bundle extends over a call that may not
 * return, so counts stay exact if an activation is abandoned.
 *
 * A bundle at the end of a block is also the sum of the bundles at the beginning of its successors, if nothing else leads
 * to these. Then it needs no counter: its counters are listed in the records of all these bundles.
 *
 * A bundle with a count of begun activations is counted at its first increment, so that a function that crashes at
 * once counts as begun. Other bundles are counted at their last increment, so that no path is counted before it ends.
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

/* --- finding bundles ----------------------------------------------------------------------------- */

/* Increments of one block, or of several that execute one after another, with no call between them that may not
 * return.
 */
struct bundle {
    LLVMValueRef *count; /* calls of __trod_count, in the order of execution */
    uint32_t n, room;
    LLVMValueRef
        *derived; /* of other bundles, which are the sums of this one and others */
    uint32_t nderived, room_derived;
    bool begins;           /* one of them counts begun activations */
    bool is_derived;       /* it is a sum: no counter */
    bool is_kept;          /* it has a counter */
    struct bundle *joined; /* the bundle that it was merged into; NULL: none */
    struct bundle *next;   /* in program order */
};

/* The first and the last bundle of a block; either may be empty. They are the same if all calls in the block return. */
struct bundled_block {
    LLVMBasicBlockRef block;
    LLVMBasicBlockRef before; /* the only predecessor; NULL: none, or several */
    uint32_t nbefore;
    struct bundle *first, *last;
};

struct bundler {
    LLVMModuleRef module;
    LLVMValueRef function, count; /* count: __trod_count */
    LLVMValueRef self;            /* __trod_self; NULL: not called in the module */
    uint32_t ncount;              /* increments of one counter by one */
    struct trod_arena *mem;
    struct bundled_block *block; /* by address of the block */
    uint32_t nblock, room_block;
    struct bundle *first, **last;
    uint32_t nbundle, nword;
    LLVMValueRef *indexed; /* tables that are indexed at run time */
    uint32_t nindexed, room_indexed;
};

/* Does the call add one to a counter that is known at compile time? */
static bool is_single(const struct bundler *m, LLVMValueRef i)
{
    return LLVMIsACallInst(i) && LLVMGetCalledValue(i) == m->count &&
           trod_llvm_has_known_counter(i) &&
           LLVMIsAConstantInt(LLVMGetOperand(i, TROD_COUNT_BY)) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(i, TROD_COUNT_BY)) == 1;
}

/* The thread is the same if the values are equal, or if both are calls of __trod_self (thread.c). */
static bool are_of_one_thread(const struct bundler *m, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef x = LLVMGetOperand(a, TROD_COUNT_THREAD),
                 y = LLVMGetOperand(b, TROD_COUNT_THREAD);

    return x == y ||
           (m->self && LLVMIsACallInst(x) && LLVMIsACallInst(y) &&
               LLVMGetCalledValue(x) == m->self && LLVMGetCalledValue(y) == m->self);
}

static struct bundle *open_bundle(struct bundler *m)
{
    struct bundle *made = trod_new(m->mem, struct bundle, 1);

    *m->last = made;
    m->last = &made->next;
    return made;
}

static void add_count(struct bundler *m, struct bundle *b, LLVMValueRef count)
{
    b->begins |= is_begun(count);
    trod_push(m->mem, b->count, b->n, b->room, count);
}

static void find_bundles(struct bundler *m, LLVMBasicBlockRef block)
{
    struct bundle *open = open_bundle(m);
    struct bundled_block made = {.block = block, .first = open};

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
        i = LLVMGetNextInstruction(i)) {
        bool single = is_single(m, i);

        if (single ? open->n && !are_of_one_thread(m, open->count[0], i)
                   : trod_llvm_leaves(i))
            open = open_bundle(m);
        m->ncount += single;
        if (single)
            add_count(m, open, i);
        else if (LLVMIsACallInst(i) && LLVMGetCalledValue(i) == m->count)
            trod_push(m->mem, m->indexed, m->nindexed, m->room_indexed,
                LLVMGetOperand(i, TROD_COUNT_TABLE));
    }
    made.last = open;
    trod_push(m->mem, m->block, m->nblock, m->room_block, made);
}

/* --- blocks that execute equally often --------------------------------------------------------------- */

enum { MOST_BETWEEN = 32 };

TROD_ORDER(by_block, struct bundled_block, TROD_UP(block))

static struct bundled_block *find_block(
    const struct bundler *m, LLVMBasicBlockRef block)
{
    struct bundled_block key = {.block = block};

    return bsearch(&key, m->block, m->nblock, sizeof key, by_block);
}

static struct bundle *whole(struct bundle *b)
{
    while (b->joined)
        b = b->joined;
    return b;
}

/* Do all calls between the two blocks return, and is there no loop between them? */
static bool is_clear(const struct bundler *m, struct trod_bridge_flow *flow,
    LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMBasicBlockRef between[MOST_BETWEEN];
    unsigned n;

    if (!trod_bridge_flow_between(flow, from, to, between, MOST_BETWEEN, &n))
        return false;
    for (unsigned i = 0; i < n; i++) {
        const struct bundled_block *b = find_block(m, between[i]);

        if (!b || b->first != b->last)
            return false;
    }
    return true;
}

/* A bundle that begins is counted at its first increment: increments of later blocks would be counted too early. */
static void join(struct bundler *m, struct bundle *a, struct bundle *b)
{
    if (a == b || a->begins || b->begins ||
        (a->n && b->n && !are_of_one_thread(m, a->count[0], b->count[0])))
        return;
    for (uint32_t i = 0; i < b->n; i++)
        add_count(m, a, b->count[i]);
    b->n = 0;
    b->joined = a;
}

static void join_blocks(struct bundler *m)
{
    struct trod_bridge_flow *flow = trod_bridge_flow_open(m->function);

    trod_sort(m->block, m->nblock, by_block);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->function); b;
        b = LLVMGetNextBasicBlock(b)) {
        LLVMBasicBlockRef before = trod_bridge_flow_before(flow, b);
        const struct bundled_block *from = before ? find_block(m, before) : NULL;
        const struct bundled_block *to = find_block(m, b);

        if (from && to && is_clear(m, flow, before, b))
            join(m, whole(from->last), whole(to->first));
    }
    trod_bridge_flow_close(flow);
}

/* --- bundles that are sums of others ------------------------------------------------------------------ */

enum {
    MOST_PARTS = 6,   /* bundles whose sum is another */
    MOST_LISTED = 24, /* counters that are listed in their records because of that */
    MOST_DEPTH = 8 /* blocks without increments between a bundle and one of its parts */
};

static void note_predecessors(struct bundler *m)
{
    for (uint32_t i = 0; i < m->nblock; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(m->block[i].block);
        unsigned n = end ? LLVMGetNumSuccessors(end) : 0;

        for (unsigned k = 0; k < n; k++) {
            struct bundled_block *to = find_block(m, LLVMGetSuccessor(end, k));

            if (!to || (to->nbefore && to->before == m->block[i].block))
                continue;
            to->before = to->nbefore++ ? NULL : m->block[i].block;
        }
    }
}

/* What a bundle is the sum of. */
struct parts {
    struct bundle *of, *part[MOST_PARTS];
    uint32_t n;
};

/* Collects bundles of which exactly one executes, once, whenever the block has. False: there are none, or too many. */
static bool find_parts(const struct bundler *m, struct parts *parts,
    const struct bundled_block *from, uint32_t depth)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from->block);
    unsigned n = end ? LLVMGetNumSuccessors(end) : 0;

    for (unsigned k = 0; k < n; k++) {
        const struct bundled_block *to = find_block(m, LLVMGetSuccessor(end, k));
        struct bundle *b;
        bool seen = false;

        if (!to || to->before != from->block)
            return false;
        b = whole(to->first);
        /* Several cases of a switch may have one block. */
        for (unsigned j = 0; j < k && !seen; j++)
            seen = LLVMGetSuccessor(end, j) == to->block;
        if (seen)
            continue;
        if (b->n && !b->is_derived) {
            if (parts->n == MOST_PARTS || b == parts->of ||
                !are_of_one_thread(m, parts->of->count[0], b->count[0]))
                return false;
            parts->part[parts->n++] = b;
        } else if (to->first != to->last || depth == MOST_DEPTH ||
                   !find_parts(m, parts, to, depth + 1)) {
            return false;
        }
    }
    return n > 0;
}

static void derive(struct bundler *m, struct bundle *b, const struct parts *parts)
{
    for (uint32_t i = 0; i < parts->n; i++) {
        struct bundle *part = parts->part[i];

        for (uint32_t k = 0; k < b->n; k++)
            trod_push(
                m->mem, part->derived, part->nderived, part->room_derived, b->count[k]);
        for (uint32_t k = 0; k < b->nderived; k++)
            trod_push(m->mem, part->derived, part->nderived, part->room_derived,
                b->derived[k]);
    }
    b->is_derived = true;
}

/* Bundles that begin stay where they are: a function that crashes at once has begun. */
static void derive_bundles(struct bundler *m)
{
    note_predecessors(m);
    for (LLVMBasicBlockRef block = LLVMGetLastBasicBlock(m->function); block;
        block = LLVMGetPreviousBasicBlock(block)) {
        const struct bundled_block *from = find_block(m, block);
        struct bundle *b = from ? whole(from->last) : NULL;
        struct parts parts = {.of = b};

        if (b && b->n && !b->begins && !b->is_derived &&
            find_parts(m, &parts, from, 0) &&
            parts.n * (b->n + b->nderived) <= MOST_LISTED)
            derive(m, b, &parts);
    }
}

/* A bundle of one increment pays off if there are other bundles: all bundle counters are adjacent, so that one
 * register with their address serves all of them. It does not pay off if its own table is in a register anyway, or if
 * one address serves the bundles and the table, as parts of the unit's object (unit_counters.c).
 */
static bool is_worth_it(const struct bundler *m, const struct bundle *b)
{
    if (b->is_derived)
        return false;
    if (b->n + b->nderived != 1)
        return b->n;
    if (trod_llvm_without(TROD_LEVER_SINGLES) ||
        (!LLVMGetComdat(m->function) &&
            trod_llvm_is_unit_table(LLVMGetOperand(b->count[0], TROD_COUNT_TABLE))))
        return false;
    for (uint32_t i = 0; i < m->nindexed; i++)
        if (m->indexed[i] == LLVMGetOperand(b->count[0], TROD_COUNT_TABLE))
            return false;
    return true;
}

static void keep_bundles(struct bundler *m)
{
    for (struct bundle *b = m->first; b; b = b->next) {
        b->is_kept = is_worth_it(m, b);
        m->nbundle += b->is_kept;
        m->nword += b->is_kept ? 2 + b->n + b->nderived : 0;
    }
    /* A single bundle of one increment stays what it was. */
    if (m->nword == 3)
        m->nbundle = 0;
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

/* The distance from word k of a record to an address. */
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

static LLVMValueRef counter_of(const struct bundler *m, LLVMValueRef count)
{
    return address_of(m, LLVMGetOperand(count, TROD_COUNT_TABLE),
        LLVMConstIntGetZExtValue(LLVMGetOperand(count, TROD_COUNT_INDEX)));
}

static void add_records(const struct bundler *m, LLVMValueRef table)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(m->module));
    LLVMTypeRef type = LLVMArrayType2(i32, m->nword);
    LLVMValueRef record = add_global(m, "__trod_bnd_", type, 4);
    LLVMValueRef *word = trod_new(m->mem, LLVMValueRef, m->nword);
    uint32_t k = 0, number = 0;

    for (const struct bundle *b = m->first; b; b = b->next) {
        if (!b->is_kept)
            continue;
        word[k] = distance(m, record, k, address_of(m, table, number++));
        k++;
        word[k++] = LLVMConstInt(i32, b->n + b->nderived, false);
        for (uint32_t i = 0; i < b->n + b->nderived; i++, k++)
            word[k] = distance(m, record, k,
                counter_of(m, i < b->n ? b->count[i] : b->derived[i - b->n]));
    }
    LLVMSetInitializer(record, LLVMConstArray2(i32, word, m->nword));
    LLVMSetGlobalConstant(record, true);
    LLVMSetSection(record, "__trod_bnd");
    /* In the comdat group of its function, the linker keeps or drops both. */
    if (LLVMGetComdat(m->function))
        trod_bridge_keep(record);
    else
        trod_bridge_retain(record);
}

/* --- replacing increments --------------------------------------------------------------------------- */

static LLVMValueRef place_of(const struct bundle *b)
{
    return b->count[b->begins ? 0 : b->n - 1];
}

static void put_counter(const struct bundler *m, const struct bundle *b,
    LLVMValueRef table, uint32_t number, LLVMBuilderRef builder)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(m->module));
    LLVMValueRef place = place_of(b);

    LLVMPositionBuilderBefore(builder, place);
    trod_llvm_put_count(builder, m->module,
        (struct trod_llvm_count){.thread = LLVMGetOperand(place, TROD_COUNT_THREAD),
            .table = table,
            .index = LLVMConstInt(i64, number, false),
            .by = LLVMConstInt(i64, 1, false)});
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

    m.self = LLVMGetNamedFunction(m.module, "__trod_self");
    m.last = &m.first;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        find_bundles(&m, b);
    /* Dominators are computed only if there is something to bundle. */
    if (m.ncount < 2)
        return;
    join_blocks(&m);
    if (!trod_llvm_without(TROD_LEVER_SUMS))
        derive_bundles(&m);
    keep_bundles(&m);
    if (!m.nbundle)
        return;
    table = add_global(&m, "__trod_cnt_bundles_", LLVMArrayType2(i64, m.nbundle), 8);
    trod_bridge_set_bss_section(table, "__trod_cnt");
    add_records(&m, table);
    for (const struct bundle *b = m.first; b; b = b->next) {
        if (b->is_kept)
            put_counter(&m, b, table, number++, builder);
        for (uint32_t i = 0; i < b->n && (b->is_kept || b->is_derived); i++)
            LLVMInstructionEraseFromParent(b->count[i]);
    }
}
