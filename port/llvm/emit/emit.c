#include "llvm/emit/emitter.h"
#include "trod/rt.h"

static LLVMValueRef number(const struct trod_emitter *m, int64_t value)
{
    return LLVMConstInt(m->i64, (uint64_t)value, true);
}

/* --- operations -------------------------------------------------------------------------- */

static void emit_count(
    const struct trod_emitter *m, LLVMValueRef index, LLVMValueRef by)
{
    trod_llvm_put_count(m->builder, m->module,
        (struct trod_llvm_count){
            .thread = m->thread, .table = m->data.table, .index = index, .by = by});
}

static LLVMValueRef load_r(const struct trod_emitter *m)
{
    return LLVMBuildLoad2(m->builder, m->i64, m->r, "trod.r");
}

static LLVMValueRef r_plus(const struct trod_emitter *m, int64_t value)
{
    LLVMValueRef r = load_r(m);

    return value ? LLVMBuildAdd(m->builder, r, number(m, value), "") : r;
}

/* The counter of a sum that is known at compile time. */
static int64_t slot_of(const struct trod_emitter *m, int64_t sum)
{
    return m->ending ? (int64_t)trod_ending_look(m->ending, sum).slot : sum;
}

/* Subtracts the smallest sum, where the smallest sum has slot 0. */
static int64_t less_min(const struct trod_emitter *m, int64_t sum)
{
    return m->ending ? (int64_t)((uint64_t)sum - (uint64_t)m->ending->min) : sum;
}

uint64_t trod_emit_path_mask(const struct trod_ending *ending)
{
    return ending->low_bits ? (UINT64_C(1) << ending->low_bits) - 1 : UINT64_MAX;
}

/* The id of a path, extracted from its sum. */
static LLVMValueRef path_of(const struct trod_emitter *m, LLVMValueRef sum)
{
    uint64_t mask = trod_emit_path_mask(m->ending);

    return mask == UINT64_MAX
               ? sum
               : LLVMBuildAnd(m->builder, sum, number(m, (int64_t)mask), "");
}

struct trod_rt_look trod_emit_look(
    const struct trod_ending *e, enum trod_ending_kind what)
{
    static const uint8_t kind[] = {[TROD_END_SELECT] = TROD_RT_SELECT,
        [TROD_END_PREFER] = TROD_RT_PREFER,
        [TROD_END_HASH] = TROD_RT_HASH,
        [TROD_END_STRAY] = TROD_RT_STRAY,
        [TROD_END_MASK] = TROD_RT_MASK,
        [TROD_END_BITS] = TROD_RT_BITS};
    unsigned bits = what == TROD_END_HASH ? e->hash.shift : e->low_bits;
    struct trod_rt_look look = {.how = kind[what] | (uint64_t)bits << TROD_RT_BITS_AT,
        .nslot = e->nslot,
        .number = what == TROD_END_MASK ? e->interest[0] : e->hash.multiplier,
        .mask = UINT64_MAX};

    look.how |= trod_wants_counts(e->want) ? TROD_RT_COUNTS : 0;
    look.how |= trod_wants_others(e->want) ? TROD_RT_REPORTS : 0;
    look.how |= e->direct ? TROD_RT_DIRECT : 0;
    look.how |= e->npath >= UINT32_MAX ? TROD_RT_WIDE : 0;
    if (e->strays && what != TROD_END_STRAY)
        look.mask = trod_emit_path_mask(e);
    return look;
}

static void emit_ask(
    const struct trod_emitter *m, int64_t value, enum trod_ending_kind what)
{
    struct trod_rt_look look = trod_emit_look(m->ending, what);
    LLVMValueRef sum = r_plus(m, less_min(m, value));

    if (look.mask != UINT64_MAX)
        sum = path_of(m, sum);
    trod_llvm_put_ask(m->builder, m->module,
        &(struct trod_llvm_ask){
            .thread = trod_wants_counts(m->ending->want) ? m->thread : NULL,
            .table = m->data.table,
            .ids = m->data.ids,
            .how = look.how,
            .nslot = look.nslot,
            .number = look.number,
            .sum = sum});
}

/* If others are counted directly, a report is a lookup that always misses: the lookup is lowered after coroutines are
 * split, when the thread is certain.
 */
static void emit_report(const struct trod_emitter *m, LLVMValueRef path)
{
    struct trod_llvm_ask nothing = {.table = m->data.table,
        .how = TROD_RT_MASK | TROD_RT_REPORTS | TROD_RT_DIRECT,
        .sum = path};

    if (m->ending->direct)
        trod_llvm_put_ask(m->builder, m->module, &nothing);
    else
        trod_llvm_put_report(m->builder, m->module, m->data.table, path);
}

/* Counts a path that ends, alone or as part of a chain. */
static void emit_path(const struct trod_emitter *m, LLVMValueRef path)
{
    if (m->body->chain)
        path = trod_llvm_past_add(&m->past, m->builder, path);
    if (m->body->chain && m->body->noted)
        trod_llvm_put_report(m->builder, m->module, m->data.table, path);
    else
        emit_count(m, path, number(m, 1));
}

static void emit_step(const struct trod_emitter *m, LLVMValueRef path)
{
    LLVMValueRef at = LLVMBuildGEP2(m->builder, m->i64, m->data.table, &path, 1, "");

    if (m->note) {
        m->note(m->note_ctx, at);
        return;
    }
    trod_llvm_put_call(m->builder, m->module, "__trod_step", &at, 1, false);
}

/* Emits what happens to the sum of a path at its end. */
static void emit_action(const struct trod_emitter *m, const struct trod_op *op)
{
    bool known = op->kind == TROD_OP_COUNT_AT;

    if (m->records) {
        emit_step(m, known ? number(m, op->value) : r_plus(m, op->value));
        return;
    }
    switch (op->action) {
    case TROD_ACTION_COUNT:
        emit_path(m, known ? number(m, slot_of(m, op->value))
                           : r_plus(m, less_min(m, op->value)));
        break;
    case TROD_ACTION_ASK:
        emit_ask(m, op->value, m->ending->kind);
        break;
    case TROD_ACTION_STRAY:
        emit_ask(m, op->value, TROD_END_STRAY);
        break;
    case TROD_ACTION_REPORT:
        emit_report(m, path_of(m, known ? number(m, op->value) : r_plus(m, op->value)));
        break;
    case TROD_ACTION_PASS:
        break;
    }
}

/* if (trips) { ... }, see enum trod_op_kind. Leaves the builder behind it. */
static void emit_flush(
    struct trod_emitter *m, const struct trod_op *op, LLVMValueRef before)
{
    LLVMBasicBlockRef head = LLVMGetInstructionParent(before), flush, rest;
    LLVMValueRef trips, any;

    trips = LLVMBuildLoad2(m->builder, m->i64, m->trips[op->loop], "trod.trips");
    any = LLVMBuildICmp(m->builder, LLVMIntNE, trips, number(m, 0), "");
    rest = trod_bridge_split_before(before);
    flush = LLVMInsertBasicBlockInContext(
        LLVMGetModuleContext(m->module), rest, "trod.flush");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(m->builder, head);
    LLVMBuildCondBr(m->builder, any, flush, rest);
    LLVMPositionBuilderAtEnd(m->builder, flush);
    emit_count(m, r_plus(m, less_min(m, op->value)), number(m, 1));
    emit_count(m, number(m, less_min(m, op->again + op->value)),
        LLVMBuildAdd(m->builder, trips, number(m, -1), ""));
    LLVMBuildStore(m->builder, number(m, op->again), m->r);
    LLVMBuildStore(m->builder, number(m, 0), m->trips[op->loop]);
    LLVMBuildBr(m->builder, rest);
    LLVMPositionBuilderBefore(m->builder, before);
}

static void emit_op(
    struct trod_emitter *m, const struct trod_op *op, LLVMValueRef before)
{
    LLVMValueRef trips;

    LLVMPositionBuilderBefore(m->builder, before);
    switch (op->kind) {
    case TROD_OP_NONE:
        break;
    case TROD_OP_SET:
        LLVMBuildStore(m->builder, number(m, op->value), m->r);
        break;
    case TROD_OP_ADD:
        LLVMBuildStore(m->builder, r_plus(m, op->value), m->r);
        break;
    case TROD_OP_COUNT:
    case TROD_OP_COUNT_AT:
        emit_action(m, op);
        break;
    case TROD_OP_BEGIN:
        trod_llvm_put_count(m->builder, m->module,
            (struct trod_llvm_count){.thread = m->thread,
                .table = m->data.table,
                .index = number(m, (int64_t)m->nslot),
                .by = number(m, 1),
                .begun = true});
        break;
    case TROD_OP_BUMP:
        trips = LLVMBuildLoad2(m->builder, m->i64, m->trips[op->loop], "");
        LLVMBuildStore(m->builder, LLVMBuildAdd(m->builder, trips, number(m, 1), ""),
            m->trips[op->loop]);
        break;
    case TROD_OP_FLUSH:
        emit_flush(m, op, before);
        break;
    }
}

/* Does an operation need the thread's counters? */
static bool counts_in_thread(const struct trod_plan *plan, const struct trod_op *op)
{
    if (op->kind == TROD_OP_COUNT || op->kind == TROD_OP_COUNT_AT)
        return op->action == TROD_ACTION_COUNT ||
               (op->action == TROD_ACTION_ASK && trod_wants_counts(plan->ending->want));
    return op->kind == TROD_OP_BEGIN || op->kind == TROD_OP_FLUSH;
}

static void hand_over(const struct trod_emitter *m, uint32_t site, LLVMValueRef before)
{
    LLVMValueRef argument[4] = {m->r, m->mask, m->context, number(m, site)};

    LLVMPositionBuilderBefore(m->builder, before);
    LLVMBuildCall2(
        m->builder, LLVMGlobalGetValueType(m->relay), m->relay, argument, 4, "");
}

static bool pauses(const struct trod_emitter *m, uint32_t site)
{
    return m->mask && site < m->plan->numbering->dag->graph->nedge &&
           trod_has(m->pauses, site);
}

static bool does_something(const struct trod_emitter *m, uint32_t site)
{
    return m->relays ? trod_has(m->relays, site)
                     : m->plan->first_op[site] < m->plan->first_op[site + 1] ||
                           pauses(m, site) || trod_emit_has_stop_site(m, site);
}

static void emit_ops(struct trod_emitter *m, uint32_t site, LLVMValueRef before)
{
    for (uint32_t i = m->plan->first_op[site]; i < m->plan->first_op[site + 1]; i++)
        emit_op(m, &m->plan->op[i], before);
}

static LLVMValueRef load_mask(const struct trod_emitter *m)
{
    return LLVMBuildLoad2(m->builder, m->i64, m->mask, "trod.mask");
}

/* Updates the sum of another function, unless its mask says that it is not followed here. */
static void emit_op_masked(
    struct trod_emitter *m, const struct trod_op *op, LLVMValueRef before)
{
    LLVMValueRef mask, value = number(m, op->value);

    LLVMPositionBuilderBefore(m->builder, before);
    mask = load_mask(m);
    if (op->kind == TROD_OP_ADD)
        value = LLVMBuildAdd(
            m->builder, load_r(m), LLVMBuildAnd(m->builder, value, mask, ""), "");
    else
        value = LLVMBuildSelect(m->builder,
            LLVMBuildICmp(m->builder, LLVMIntNE, mask, number(m, 0), ""), value,
            load_r(m), "");
    LLVMBuildStore(m->builder, value, m->r);
}

/* If more than the sum changes, a branch on the mask is needed. */
static void emit_site_branched(
    struct trod_emitter *m, uint32_t site, LLVMValueRef before)
{
    LLVMBasicBlockRef head = LLVMGetInstructionParent(before);
    LLVMBasicBlockRef rest = trod_bridge_split_before(before), then;
    LLVMValueRef follows, last;

    then = LLVMInsertBasicBlockInContext(
        LLVMGetModuleContext(m->module), rest, "trod.follows");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(m->builder, head);
    follows = LLVMBuildICmp(m->builder, LLVMIntNE, load_mask(m), number(m, 0), "");
    LLVMBuildCondBr(m->builder, follows, then, rest);
    LLVMPositionBuilderAtEnd(m->builder, then);
    last = LLVMBuildBr(m->builder, rest);
    emit_ops(m, site, last);
    if (!pauses(m, site))
        return;
    LLVMPositionBuilderBefore(m->builder, last);
    LLVMBuildStore(m->builder, number(m, 0), m->mask);
}

static void emit_site_masked(struct trod_emitter *m, uint32_t site, LLVMValueRef before)
{
    const struct trod_plan *plan = m->plan;
    bool branches = pauses(m, site);

    for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++)
        branches |= plan->op[i].kind != TROD_OP_ADD &&
                    plan->op[i].kind != TROD_OP_SET && plan->op[i].kind != TROD_OP_NONE;
    if (branches) {
        emit_site_branched(m, site, before);
        return;
    }
    for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++)
        if (plan->op[i].kind != TROD_OP_NONE)
            emit_op_masked(m, &plan->op[i], before);
}

void trod_emit_site(struct trod_emitter *m, uint32_t site, LLVMValueRef before)
{
    const struct trod_plan *plan = m->plan;
    bool counts = false;

    if (!does_something(m, site))
        return;
    if (m->relays) {
        hand_over(m, site, before);
        return;
    }
    if (m->mask) {
        emit_site_masked(m, site, before);
        return;
    }
    if (trod_emit_has_stop_site(m, site))
        trod_emit_stop_site(m, site, before);
    for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++)
        counts |= counts_in_thread(plan, &plan->op[i]);
    /* A coroutine may have resumed on another thread. */
    if (m->coroutine && counts && !m->records)
        m->thread = trod_llvm_load_thread(before);
    emit_ops(m, site, before);
}

/* --- sites --------------------------------------------------------------------------------- */

/* The first instruction after the allocas, which must stay in the entry block. */
static LLVMValueRef behind_allocas(LLVMBasicBlockRef entry)
{
    LLVMValueRef i = LLVMGetFirstInstruction(entry);

    while (LLVMGetInstructionOpcode(i) == LLVMAlloca)
        i = LLVMGetNextInstruction(i);
    return i;
}

static LLVMValueRef add_variable(const struct trod_emitter *m, const char *name)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(m->body->function);

    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(entry));
    return LLVMBuildAlloca(m->builder, m->i64, name);
}

LLVMValueRef trod_llvm_way_out(LLVMBasicBlockRef block)
{
    LLVMValueRef term = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef last = trod_bridge_last_call(block);

    if (!last && LLVMGetInstructionOpcode(term) == LLVMUnreachable)
        last = trod_bridge_noreturn_call(block);
    if (!last)
        last = trod_bridge_coroutine_end(block);
    return last ? last : term;
}

/* The plan's site for a site of the body; TROD_NONE: none. */
static uint32_t site_at(const struct trod_emitter *m, uint32_t site)
{
    return m->site_of ? m->site_of[site] : site;
}

static void emit_edge(struct trod_emitter *m, trod_edge e)
{
    const struct trod_body *body = m->body;
    LLVMBasicBlockRef from = body->block[body->graph.src_of_edge[e]], on;
    uint32_t site = site_at(m, e);
    bool at_end;

    if (site == TROD_NONE || !does_something(m, site))
        return;
    if (body->successor_of_edge[e] == TROD_EVERY_WAY) {
        trod_emit_site(m, site, LLVMGetBasicBlockTerminator(from));
        return;
    }
    on = trod_bridge_block_on_edge(
        LLVMGetBasicBlockTerminator(from), body->successor_of_edge[e], &at_end);
    trod_emit_site(m, site,
        at_end ? LLVMGetBasicBlockTerminator(on) : trod_bridge_first_insertion(on));
}

/* Splitting a block moves its end, with the terminator, to a new block, so the order of sites matters. The entry
 * comes first: in an empty entry block it is before the same instruction as the next site. Then exits, which are
 * before the ends of blocks, then edges, which are found by terminators. block[] is updated from the parents of
 * terminators.
 */
static void emit_sites(struct trod_emitter *m, LLVMValueRef *terminator,
    LLVMValueRef *out_of, LLVMValueRef in)
{
    const struct trod_body *body = m->body;
    uint32_t site;

    if ((site = site_at(m, trod_site_in(&body->graph))) != TROD_NONE)
        trod_emit_site(m, site, in);
    for (trod_node v = 0; v < body->graph.nnode; v++)
        if ((site = site_at(m, trod_site_out(&body->graph, v))) != TROD_NONE)
            trod_emit_site(m, site, out_of[v]);
    for (trod_edge e = 0; e < body->graph.nedge; e++) {
        trod_node v = body->graph.src_of_edge[e];

        body->block[v] = LLVMGetInstructionParent(terminator[v]);
        emit_edge(m, e);
    }
}

static void add_variables(struct trod_emitter *m)
{
    m->ntrip = m->plan ? m->plan->nloop : 0;
    m->trips = trod_new(m->mem, LLVMValueRef, m->ntrip);
    for (uint32_t i = 0; i < m->ntrip; i++)
        m->trips[i] = add_variable(m, "trod.trips");
    if (!m->r)
        m->r = add_variable(m, "trod.r");
    if (m->body->stops)
        m->s = add_variable(m, "trod.s");
}

static bool any_counts(const struct trod_plan *plan)
{
    for (uint32_t i = 0; i < plan->first_op[plan->nsite]; i++)
        if (counts_in_thread(plan, &plan->op[i]))
            return true;
    return false;
}

void trod_emit_body(struct trod_emitter *m)
{
    const struct trod_body *body = m->body;
    LLVMValueRef *terminator = trod_new(m->mem, LLVMValueRef, body->graph.nnode);
    LLVMValueRef *out_of = trod_new(m->mem, LLVMValueRef, body->graph.nnode);
    LLVMValueRef in;

    for (trod_node v = 0; v < body->graph.nnode; v++) {
        terminator[v] = LLVMGetBasicBlockTerminator(body->block[v]);
        out_of[v] = trod_llvm_way_out(body->block[v]);
    }
    in = behind_allocas(body->block[body->graph.entry]);
    add_variables(m);
    LLVMPositionBuilderBefore(m->builder, in);
    for (uint32_t i = 0; i < m->ntrip; i++)
        LLVMBuildStore(m->builder, number(m, 0), m->trips[i]);
    if (!m->thread && !m->coroutine && !m->records && m->plan && any_counts(m->plan))
        m->thread = trod_llvm_put_thread(m->builder, m->module);
    if (body->chain)
        trod_llvm_past_open(&m->past, body, m->builder, in);
    if (m->s)
        trod_emit_stops(m, out_of);
    emit_sites(m, terminator, out_of, in);
    if (body->chain)
        trod_llvm_past_close(&m->past);
    trod_bridge_writes_memory(body->function);
}

void trod_llvm_emit(const struct trod_body *body, const struct trod_plan *plan,
    struct trod_rt_function *record, bool records, struct trod_arena *mem)
{
    LLVMModuleRef module = LLVMGetGlobalParent(body->function);
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct trod_emitter m = {.mem = mem,
        .module = module,
        .builder = LLVMCreateBuilderInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
        .plan = plan,
        .ending = plan->ending,
        .records = records,
        .body = body,
        .coroutine = trod_bridge_is_coroutine(body->function)};

    trod_llvm_add_data(&m.data, body, plan->ending, record, mem);
    m.nslot = trod_format_counts_each(record->counted) ? record->npath : record->nslot;
    trod_emit_body(&m);
    trod_bridge_promote(body->function, m.trips, m.ntrip);
    trod_bridge_promote(body->function, &m.r, 1);
    if (m.s)
        trod_bridge_promote(body->function, &m.s, 1);
    LLVMDisposeBuilder(m.builder);
}
