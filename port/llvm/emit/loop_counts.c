#include "llvm/port.h"

#include "base/order.h"

/* Loops that count in registers.
 *
 * In a short loop, an increment of memory in each iteration waits for the store of the previous one: four to five
 * cycles, whatever else the loop does. So innermost loops count in local variables, which LLVM keeps in registers,
 * and add them to the counters where the loop is left and before calls in it that may not return. What is added is
 * what the loop counted, so increments by signal handlers or by called functions in between are not lost.
 *
 * Not in loops that wait for others, by volatile or atomic accesses: they may be stopped from outside while they
 * wait. Not in loops that are never left.
 */

enum {
    MOST_IN_REGISTERS = 6, /* counters of a loop; more would be spilled */
    MOST_LEAVING = 4       /* calls that may not return */
};

/* A call that may not return costs more than to update a counter before it. */
static const double price_at_call = 0.25;

/* One counter, incremented at one or several places of a loop. */
struct loop_counter {
    LLVMValueRef table, index;
    LLVMValueRef variable; /* alloca */
    double saved; /* increments of memory, relative to one execution of the function */
    uint32_t order;
};

struct loop_counts {
    LLVMModuleRef module;
    LLVMValueRef function, count, self; /* of __trod_count, __trod_self */
    LLVMBuilderRef builder;
    struct trod_arena *mem;
    struct trod_bridge_flow *flow;
    struct trod_bridge_loop loop;
    LLVMValueRef thread; /* of the loop: a call of __trod_self before it */
    LLVMValueRef leaving[MOST_LEAVING];
    uint32_t nleaving;
    struct loop_counter *counter;
    uint32_t ncounter, room;
    LLVMValueRef *asked; /* calls of __trod_self */
    uint32_t nasked, room_asked;
    LLVMValueRef *variable; /* of all loops of the function */
    uint32_t nvariable, room_variable;
};

/* --- which loops ------------------------------------------------------------------------------------- */

static bool is_count(const struct loop_counts *m, LLVMValueRef i)
{
    return LLVMIsACallInst(i) && LLVMGetCalledValue(i) == m->count;
}

/* Is the address of the counter the same in every iteration, and known before the loop? */
static bool is_constant_count(const struct loop_counts *m, LLVMValueRef i)
{
    LLVMValueRef thread;

    if (!is_count(m, i))
        return false;
    thread = LLVMGetOperand(i, TROD_COUNT_THREAD);
    return trod_llvm_has_known_counter(i) && LLVMIsACallInst(thread) &&
           LLVMGetCalledValue(thread) == m->self;
}

static struct loop_counter *find_counter(const struct loop_counts *m, LLVMValueRef i)
{
    for (uint32_t k = 0; k < m->ncounter; k++)
        if (m->counter[k].table == LLVMGetOperand(i, TROD_COUNT_TABLE) &&
            m->counter[k].index == LLVMGetOperand(i, TROD_COUNT_INDEX))
            return &m->counter[k];
    return NULL;
}

static void add_saved(struct loop_counts *m, LLVMValueRef i, double times)
{
    struct loop_counter *c = find_counter(m, i);
    struct loop_counter made = {.table = LLVMGetOperand(i, TROD_COUNT_TABLE),
        .index = LLVMGetOperand(i, TROD_COUNT_INDEX),
        .order = m->ncounter};

    if (!c) {
        trod_push(m->mem, m->counter, m->ncounter, m->room, made);
        c = &m->counter[m->ncounter - 1];
    }
    c->saved += times;
}

/* Collects counters and leaving calls of a block. False: the loop must count in memory. */
static bool scan_block(struct loop_counts *m, LLVMBasicBlockRef block)
{
    double times = trod_bridge_flow_frequency(m->flow, block);

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
        i = LLVMGetNextInstruction(i)) {
        if (is_constant_count(m, i)) {
            add_saved(m, i, times);
            continue;
        }
        if (trod_bridge_waits(i))
            return false;
        if (!trod_llvm_leaves(i))
            continue;
        if (m->nleaving == MOST_LEAVING || trod_bridge_flow_is_always(m->flow, block))
            return false;
        m->leaving[m->nleaving++] = i;
    }
    return true;
}

TROD_ORDER(by_saved, struct loop_counter, TROD_DOWN(saved), TROD_UP(order))

/* Keeps the counters for which a register pays, most frequent first. */
static void choose_counters(struct loop_counts *m)
{
    double updates = trod_bridge_flow_entries(m->flow, m->loop.header);

    for (uint32_t k = 0; k < m->nleaving; k++)
        updates += price_at_call * trod_bridge_flow_frequency(m->flow,
                                       LLVMGetInstructionParent(m->leaving[k]));
    trod_sort(m->counter, m->ncounter, by_saved);
    if (m->ncounter > MOST_IN_REGISTERS)
        m->ncounter = MOST_IN_REGISTERS;
    while (m->ncounter && m->counter[m->ncounter - 1].saved <= updates)
        m->ncounter--;
}

static bool is_suitable(struct loop_counts *m)
{
    m->ncounter = m->room = m->nleaving = 0;
    m->counter = NULL;
    for (unsigned k = 0; k < m->loop.nblock; k++)
        if (!scan_block(m, m->loop.block[k]))
            return false;
    choose_counters(m);
    return m->ncounter;
}

/* --- rewriting one ----------------------------------------------------------------------------------- */

static LLVMTypeRef word(const struct loop_counts *m)
{
    return LLVMInt64TypeInContext(LLVMGetModuleContext(m->module));
}

static void add_variables(struct loop_counts *m)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(m->function);

    for (uint32_t k = 0; k < m->ncounter; k++) {
        LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(entry));
        m->counter[k].variable = LLVMBuildAlloca(m->builder, word(m), "trod.loop");
        trod_push(m->mem, m->variable, m->nvariable, m->room_variable,
            m->counter[k].variable);
        LLVMPositionBuilderBefore(
            m->builder, LLVMGetBasicBlockTerminator(m->loop.before));
        LLVMBuildStore(m->builder, LLVMConstNull(word(m)), m->counter[k].variable);
    }
}

static void replace_counts(const struct loop_counts *m, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        const struct loop_counter *c =
            is_constant_count(m, i) ? find_counter(m, i) : NULL;
        LLVMValueRef old;

        next = LLVMGetNextInstruction(i);
        if (!c)
            continue;
        LLVMPositionBuilderBefore(m->builder, i);
        old = LLVMBuildLoad2(m->builder, word(m), c->variable, "");
        LLVMBuildStore(m->builder,
            LLVMBuildAdd(m->builder, old, LLVMGetOperand(i, TROD_COUNT_BY), ""),
            c->variable);
        LLVMInstructionEraseFromParent(i);
    }
}

static void update_counters(
    const struct loop_counts *m, LLVMValueRef before, bool again)
{
    LLVMPositionBuilderBefore(m->builder, before);
    for (uint32_t k = 0; k < m->ncounter; k++) {
        const struct loop_counter *c = &m->counter[k];

        trod_llvm_put_count(m->builder, m->module,
            (struct trod_llvm_count){.thread = m->thread,
                .table = c->table,
                .index = c->index,
                .by = LLVMBuildLoad2(m->builder, word(m), c->variable, "")});
        if (again)
            LLVMBuildStore(m->builder, LLVMConstNull(word(m)), c->variable);
    }
}

/* A call of __trod_self that was executed when the loop is entered; a new one if there is none. */
static LLVMValueRef thread_before(const struct loop_counts *m)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(m->loop.before);

    for (uint32_t k = 0; k < m->nasked; k++)
        if (trod_bridge_flow_dominates(m->flow, m->asked[k], end))
            return m->asked[k];
    LLVMPositionBuilderBefore(m->builder, end);
    return trod_llvm_put_thread(m->builder, m->module);
}

static void rewrite(struct loop_counts *m)
{
    m->thread = thread_before(m);
    add_variables(m);
    for (unsigned k = 0; k < m->loop.nblock; k++)
        replace_counts(m, m->loop.block[k]);
    for (unsigned k = 0; k < m->loop.nexit; k++)
        update_counters(m, trod_bridge_first_insertion(m->loop.exit[k]), false);
    for (uint32_t k = 0; k < m->nleaving; k++)
        update_counters(m, m->leaving[k], true);
}

/* Finds calls of __trod_self, and whether there is anything to do. */
static bool has_counts(struct loop_counts *m)
{
    bool found = false;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->function); b;
        b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
            i = LLVMGetNextInstruction(i)) {
            found |= is_constant_count(m, i);
            if (LLVMIsACallInst(i) && LLVMGetCalledValue(i) == m->self)
                trod_push(m->mem, m->asked, m->nasked, m->room_asked, i);
        }
    return found;
}

static bool is_optimised(LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("optnone", 7);

    return !LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

void trod_llvm_count_in_registers(LLVMValueRef function, LLVMValueRef count,
    LLVMBuilderRef builder, struct trod_arena *mem)
{
    struct loop_counts m = {.module = LLVMGetGlobalParent(function),
        .function = function,
        .count = count,
        .builder = builder,
        .mem = mem};

    m.self = LLVMGetNamedFunction(m.module, "__trod_self");
    if (!m.self || !is_optimised(function) || !has_counts(&m) ||
        trod_bridge_calls_setjmp(function))
        return;
    m.flow = trod_bridge_flow_open(function);
    for (unsigned k = 0; trod_bridge_flow_loop(m.flow, k, &m.loop); k++)
        if (is_suitable(&m) && trod_bridge_flow_prepare_loop(m.flow, k, &m.loop))
            rewrite(&m);
    trod_bridge_flow_close(m.flow);
    if (m.nvariable)
        trod_bridge_promote(function, m.variable, m.nvariable);
}
