#include "llvm/burst.h"

/* Values on their way between the copies lie in memory, in a frame that both know: what is live on a back
 * edge, of whichever copy, is stored before the other one is gone to, and loaded there. So the copies share no
 * registers, and either may be a function of its own.
 */
struct frame {
    const struct trod_burst_code *b;
    const struct trod_twin *t;
    LLVMBasicBlockRef *block; /* of the fast copy */
    uint32_t nblock, room_block;
    uint32_t *first_pred, *pred; /* [nblock + 1], [npred] numbers of blocks */
    uint32_t *mark;           /* [nblock] value that was found to be live there, last */
    trod_edge *edge_of_block; /* [nblock] whose back edge it is, or TROD_NONE */
    uint32_t *stack;
    uint32_t nvalue;
};

/* --- blocks --------------------------------------------------------------------------------- */

struct numbered_block {
    LLVMBasicBlockRef block;
    uint32_t number;
};

/* Blocks are found again by address. */
struct index {
    struct numbered_block *slot;
    uint64_t mask;
};

static struct numbered_block *find(const struct index *index, LLVMBasicBlockRef block)
{
    uint64_t at = trod_mix((uintptr_t)block, 0) & index->mask;

    while (index->slot[at].block && index->slot[at].block != block)
        at = (at + 1) & index->mask;
    return &index->slot[at];
}

static void number_blocks(struct frame *f, struct index *index)
{
    uint64_t size = 16;
    size_t room = 0, n = 0;

    for (LLVMBasicBlockRef i = LLVMGetFirstBasicBlock(f->t->body->function); i;
        i = LLVMGetNextBasicBlock(i)) {
        trod_reserve(f->t->mem, f->block, n, room);
        f->block[n++] = i;
    }
    f->nblock = (uint32_t)n;
    while (size < 2 * n)
        size *= 2;
    index->mask = size - 1;
    index->slot = trod_new(f->t->mem, struct numbered_block, size);
    for (uint32_t i = 0; i < f->nblock; i++)
        *find(index, f->block[i]) = (struct numbered_block){f->block[i], i};
}

static unsigned count_successors(LLVMBasicBlockRef block)
{
    return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block));
}

static uint32_t successor(
    const struct frame *f, const struct index *index, uint32_t block, unsigned i)
{
    LLVMValueRef term = LLVMGetBasicBlockTerminator(f->block[block]);

    return find(index, LLVMGetSuccessor(term, i))->number;
}

static void find_predecessors(struct frame *f, const struct index *index)
{
    uint32_t n = 0;

    f->first_pred = trod_new(f->t->mem, uint32_t, f->nblock + 2);
    for (uint32_t i = 0; i < f->nblock; i++)
        for (unsigned k = 0; k < count_successors(f->block[i]); k++, n++)
            f->first_pred[successor(f, index, i, k) + 2]++;
    for (uint32_t i = 2; i < f->nblock + 2; i++)
        f->first_pred[i] += f->first_pred[i - 1];
    f->pred = trod_new(f->t->mem, uint32_t, n);
    for (uint32_t i = 0; i < f->nblock; i++)
        for (unsigned k = 0; k < count_successors(f->block[i]); k++)
            f->pred[f->first_pred[successor(f, index, i, k) + 1]++] = i;
}

/* --- what is live ----------------------------------------------------------------------------- */

static void add_live(struct frame *f, struct trod_burst_way *way, uint32_t value)
{
    trod_reserve(f->t->mem, way->live, way->nlive, way->room_live);
    way->live[way->nlive++] = value;
}

/* At the end of a block, if it was not known. Blocks of back edges have but a branch. */
static void live_at_end(struct frame *f, uint32_t block, uint32_t value, uint32_t *n)
{
    trod_edge e = f->edge_of_block[block];

    if (f->mark[block] == value + 1)
        return;
    f->mark[block] = value + 1;
    f->stack[(*n)++] = block;
    if (e != TROD_NONE)
        add_live(f, &f->b->way_of_edge[e], value);
}

/* From a use up to the definition. */
static void find_live(
    struct frame *f, const struct index *index, LLVMValueRef value, uint32_t number)
{
    uint32_t own = find(index, LLVMGetInstructionParent(value))->number, n = 0;

    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        uint32_t at = find(index, LLVMGetInstructionParent(user))->number;

        if (LLVMIsAPHINode(user)) {
            for (unsigned i = 0; i < LLVMCountIncoming(user); i++)
                if (LLVMGetIncomingValue(user, i) == value)
                    live_at_end(f, find(index, LLVMGetIncomingBlock(user, i))->number,
                        number, &n);
        } else if (at != own) {
            for (uint32_t i = f->first_pred[at]; i < f->first_pred[at + 1]; i++)
                live_at_end(f, f->pred[i], number, &n);
        }
        while (n) {
            uint32_t block = f->stack[--n];

            if (block == own)
                continue;
            for (uint32_t i = f->first_pred[block]; i < f->first_pred[block + 1]; i++)
                live_at_end(f, f->pred[i], number, &n);
        }
    }
}

void trod_burst_find_live(struct trod_burst_code *b)
{
    struct frame f = {.b = b, .t = &b->t};
    const struct trod_graph *graph = &b->t.body->graph;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(b->t.body->function);
    struct index index;
    size_t room = 0;

    b->way_of_edge = trod_new(b->t.mem, struct trod_burst_way, graph->nedge);
    number_blocks(&f, &index);
    find_predecessors(&f, &index);
    f.mark = trod_new(b->t.mem, uint32_t, f.nblock);
    f.stack = trod_new(b->t.mem, uint32_t, f.nblock + 1);
    f.edge_of_block = trod_new(b->t.mem, trod_edge, f.nblock);
    for (uint32_t i = 0; i < f.nblock; i++)
        f.edge_of_block[i] = TROD_NONE;
    for (trod_edge e = 0; e < graph->nedge; e++)
        if (b->back[e])
            f.edge_of_block[find(&index, b->back[e])->number] = e;
    for (uint32_t k = 0; k < f.nblock; k++) {
        if (f.block[k] == entry)
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(f.block[k]); i;
            i = LLVMGetNextInstruction(i)) {
            if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind)
                continue;
            trod_reserve(b->t.mem, b->value, b->nvalue, room);
            b->value[b->nvalue] = i;
            find_live(&f, &index, i, (uint32_t)b->nvalue++);
        }
    }
}

/* --- the frame ---------------------------------------------------------------------------------- */

/* A place for each value that is live somewhere, and one for what is returned. */
static LLVMTypeRef lay_out(struct trod_burst_code *b)
{
    const struct trod_graph *graph = &b->t.body->graph;
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(b->t.body->function));
    LLVMTypeRef *type = trod_new(b->t.mem, LLVMTypeRef, b->nvalue + 1);
    unsigned n = 0;

    b->place_of_value = trod_new(b->t.mem, uint32_t, b->nvalue);
    for (size_t i = 0; i < b->nvalue; i++)
        b->place_of_value[i] = TROD_NONE;
    type[n++] = LLVMGetTypeKind(result) == LLVMVoidTypeKind ? b->t.i64 : result;
    for (trod_edge e = 0; e < graph->nedge; e++)
        for (size_t i = 0; i < b->way_of_edge[e].nlive; i++) {
            uint32_t value = b->way_of_edge[e].live[i];

            if (b->place_of_value[value] != TROD_NONE)
                continue;
            b->place_of_value[value] = n;
            type[n++] = LLVMTypeOf(b->value[value]);
        }
    return LLVMStructTypeInContext(b->t.context, type, n, false);
}

static LLVMValueRef place(const struct trod_burst_code *b, uint32_t i)
{
    return LLVMBuildStructGEP2(b->t.builder, b->frame_type, b->frame, i, "");
}

static void put_stores(const struct trod_burst_code *b,
    const struct trod_burst_way *way, LLVMBasicBlockRef in, bool slow)
{
    LLVMPositionBuilderBefore(b->t.builder, LLVMGetBasicBlockTerminator(in));
    for (size_t i = 0; i < way->nlive; i++) {
        LLVMValueRef value = b->value[way->live[i]];

        if (slow)
            value = trod_bridge_twin_of(b->t.twins, value);
        LLVMBuildStore(b->t.builder, value, place(b, b->place_of_value[way->live[i]]));
    }
}

static void put_loads(const struct trod_burst_code *b, const struct trod_burst_way *way,
    LLVMBasicBlockRef in, LLVMValueRef *load)
{
    LLVMPositionBuilderBefore(b->t.builder, trod_bridge_first_insertion(in));
    for (size_t i = 0; i < way->nlive; i++)
        load[i] = LLVMBuildLoad2(b->t.builder, LLVMTypeOf(b->value[way->live[i]]),
            place(b, b->place_of_value[way->live[i]]), "");
}

/* Each copy returns through the fast one. */
static void put_returns(struct trod_burst_code *b, LLVMValueRef *slow_return, size_t n)
{
    LLVMBasicBlockRef out;

    if (!n)
        return;
    out = trod_twin_add_block(&b->t, "trod.return");
    trod_reserve(b->t.mem, b->landing, b->nlanding, b->room_landing);
    b->landing[b->nlanding++] = out;
    for (size_t i = 0; i < n; i++) {
        LLVMPositionBuilderBefore(b->t.builder, slow_return[i]);
        if (LLVMGetNumOperands(slow_return[i]))
            LLVMBuildStore(
                b->t.builder, LLVMGetOperand(slow_return[i], 0), place(b, 0));
        LLVMBuildBr(b->t.builder, out);
    }
    LLVMPositionBuilderAtEnd(b->t.builder, out);
    if (LLVMGetNumOperands(slow_return[0]))
        LLVMBuildRet(b->t.builder,
            LLVMBuildLoad2(b->t.builder, LLVMTypeOf(LLVMGetOperand(slow_return[0], 0)),
                place(b, 0), ""));
    else
        LLVMBuildRetVoid(b->t.builder);
    for (size_t i = 0; i < n; i++)
        LLVMInstructionEraseFromParent(slow_return[i]);
}

static void return_elsewhere(struct trod_burst_code *b)
{
    LLVMValueRef *slow_return = NULL;
    size_t n = 0, room = 0;

    for (trod_node v = 0; v < b->t.body->graph.nnode; v++) {
        if (LLVMGetInstructionOpcode(b->terminator[v]) != LLVMRet ||
            trod_bridge_musttail_call(LLVMGetInstructionParent(b->terminator[v])))
            continue;
        trod_reserve(b->t.mem, slow_return, n, room);
        slow_return[n++] = trod_bridge_twin_of(b->t.twins, b->terminator[v]);
    }
    put_returns(b, slow_return, n);
}

void trod_burst_put_frame(struct trod_burst_code *b)
{
    const struct trod_graph *graph = &b->t.body->graph;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(b->t.body->function);
    struct trod_bridge_ssa *ssa;
    unsigned *fast, *slow;

    b->frame_type = lay_out(b);
    LLVMPositionBuilderBefore(b->t.builder, LLVMGetFirstInstruction(entry));
    b->frame = LLVMBuildAlloca(b->t.builder, b->frame_type, "trod.frame");
    return_elsewhere(b);
    for (trod_edge e = 0; e < graph->nedge; e++) {
        struct trod_burst_way *way = &b->way_of_edge[e];

        if (!b->back[e])
            continue;
        way->in_fast = trod_new(b->t.mem, LLVMValueRef, way->nlive);
        way->in_slow = trod_new(b->t.mem, LLVMValueRef, way->nlive);
        put_stores(b, way, way->over, false);
        put_stores(b, way, way->leave, true);
        put_loads(b, way, way->come, way->in_slow);
        put_loads(b, way, way->land, way->in_fast);
    }
    ssa = trod_bridge_ssa_open();
    fast = trod_new(b->t.mem, unsigned, b->nvalue);
    slow = trod_new(b->t.mem, unsigned, b->nvalue);
    for (size_t i = 0; i < b->nvalue; i++) {
        if (b->place_of_value[i] == TROD_NONE)
            continue;
        fast[i] = trod_bridge_ssa_add(ssa, b->value[i]);
        slow[i] =
            trod_bridge_ssa_add(ssa, trod_bridge_twin_of(b->t.twins, b->value[i]));
    }
    for (trod_edge e = 0; e < graph->nedge; e++) {
        const struct trod_burst_way *way = &b->way_of_edge[e];

        for (size_t i = 0; b->back[e] && i < way->nlive; i++) {
            trod_bridge_ssa_also(ssa, fast[way->live[i]], way->in_fast[i]);
            trod_bridge_ssa_also(ssa, slow[way->live[i]], way->in_slow[i]);
        }
    }
    trod_bridge_ssa_close(b->t.body->function, ssa);
}
