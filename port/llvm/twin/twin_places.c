#include "llvm/twin/twin.h"

enum {
    MOST = 32,
    MOST_BEHIND = 6 /* blocks after a loop that the loop's check may include */
};

struct places {
    struct trod_twin_places *out;
    const struct trod_body *body;
    struct trod_arena *mem;
};

static bool is_invoke(LLVMValueRef term)
{
    return LLVMGetInstructionOpcode(term) == LLVMInvoke;
}

static void find_calls(struct places *t)
{
    uint32_t nnode = t->body->graph.nnode;

    t->out->calls = trod_new(t->mem, bool, nnode);
    for (trod_node v = 0; v < nnode; v++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->body->block[v]); i;
            i = LLVMGetNextInstruction(i))
            t->out->calls[v] |= trod_bridge_may_run_code(i);
}

/* Does an edge to `to` leave the innermost loop around v? */
static bool leaves_loop(const struct places *t, trod_node v, trod_node to)
{
    const struct trod_loops *loops = &t->out->view.loops;
    uint32_t own = loops->loop_of_node[v], l = loops->loop_of_node[to];

    while (l != TROD_NONE && l != own)
        l = loops->parent_of_loop[l];
    return l != own;
}

static void find_checks(struct places *t)
{
    const struct trod_graph *graph = &t->body->graph;
    const struct trod_dag *dag = &t->out->view.dag;

    t->out->is_check = trod_new(t->mem, bool, graph->nnode);
    t->out->most = trod_new(t->mem, uint32_t, graph->nnode);
    t->out->is_check[graph->entry] = true;
    for (uint32_t i = 0; i < t->out->view.loops.nloop; i++)
        t->out->is_check[t->out->view.loops.header_of_loop[i]] = true;
    for (trod_node v = 0; v < graph->nnode; v++)
        if (trod_bridge_is_address_taken(t->body->block[v]))
            t->out->is_check[v] = true;
    /* longjmp may restore an old value of own after setjmp. A check there overwrites it. */
    for (trod_edge e = 0; e < graph->nedge; e++)
        if (trod_graph_leave(graph, graph->src_of_edge[e]) == TROD_RETURNS_AGAIN)
            t->out->is_check[graph->dst_of_edge[e]] = true;
    for (uint32_t i = dag->nreach; i-- > 0;) {
        trod_node v = dag->topo[i];

        if (v >= graph->nnode)
            continue;
        t->out->most[v] = 1;
        for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++) {
            trod_node to = graph->dst_of_edge[e];

            if (t->out->most[to] > MOST_BEHIND && leaves_loop(t, v, to))
                t->out->is_check[to] = true;
            if (!t->out->is_check[to] && t->out->most[to] + 1 > t->out->most[v])
                t->out->most[v] = t->out->most[to] + 1;
        }
        if (t->out->most[v] >= MOST)
            t->out->is_check[v] = true;
    }
}

/* Can skip be kept in a register in the loop? It must not run other code, and every edge into it
 * and out of it must be able to carry code. */
static bool can_cache(const struct places *t, const bool *inside)
{
    const struct trod_graph *graph = &t->body->graph;

    for (trod_node v = 0; v < graph->nnode; v++)
        if (inside[v] &&
            (t->out->calls[v] || trod_bridge_is_address_taken(t->body->block[v])))
            return false;
    for (trod_edge e = 0; e < graph->nedge; e++) {
        trod_node from = graph->src_of_edge[e], to = graph->dst_of_edge[e];

        if (inside[from] != inside[to] &&
            !trod_bridge_has_block_on_edge(
                LLVMGetBasicBlockTerminator(t->body->block[from]),
                t->body->successor_of_edge[e]))
            return false;
    }
    return true;
}

/* The nodes of loop l and of the loops nested in it. */
static void fill_inside(bool *inside, const struct places *t, uint32_t l)
{
    const struct trod_loops *loops = &t->out->view.loops;

    for (trod_node v = 0; v < t->body->graph.nnode; v++) {
        uint32_t up = loops->loop_of_node[v];

        while (up != TROD_NONE && up != l)
            up = loops->parent_of_loop[up];
        inside[v] = up == l;
    }
}

/* Outer loops come before those nested in them, so the outermost one is chosen. */
static void find_loops(struct places *t)
{
    const struct trod_loops *loops = &t->out->view.loops;
    uint32_t nnode = t->body->graph.nnode;
    bool *inside = trod_new(t->mem, bool, nnode);

    t->out->loop_of = trod_new(t->mem, uint32_t, nnode);
    for (trod_node v = 0; v < nnode; v++)
        t->out->loop_of[v] = TROD_NONE;
    for (uint32_t l = 0; l < loops->nloop; l++) {
        if (loops->irreducible_of_loop[l] ||
            t->out->loop_of[loops->header_of_loop[l]] != TROD_NONE)
            continue;
        fill_inside(inside, t, l);
        if (!can_cache(t, inside))
            continue;
        for (trod_node v = 0; v < nnode; v++)
            if (inside[v])
                t->out->loop_of[v] = l;
    }
}

static bool returns(const struct places *t, trod_node v)
{
    LLVMBasicBlockRef block = t->body->block[v];

    return LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(block)) == LLVMRet &&
           !trod_bridge_last_call(block);
}

static void add_test(struct places *t, LLVMValueRef before)
{
    trod_push(t->mem, t->out->test, t->out->ntest, t->out->room_test, before);
}

/* Is a test needed after the calls of v: does an edge lead to a block without a check, or does a
 * signal handler return? */
static bool wants_test(const struct places *t, trod_node v)
{
    const struct trod_graph *graph = &t->body->graph;

    if (t->out->handles && returns(t, v))
        return true;

    for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++)
        if (!t->out->is_check[graph->dst_of_edge[e]])
            return true;
    return false;
}

static void find_tests_of_invoke(struct places *t, trod_node v, LLVMValueRef term)
{
    const struct trod_graph *graph = &t->body->graph;

    for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++) {
        bool at_end;

        if (!t->out->is_check[graph->dst_of_edge[e]])
            add_test(t, trod_bridge_first_insertion(trod_bridge_block_on_edge(
                            term, t->body->successor_of_edge[e], &at_end)));
    }
}

/* The instruction after the last call that may run other code. */
static LLVMValueRef behind_calls(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetBasicBlockTerminator(block);

    while (!trod_bridge_may_run_code(LLVMGetPreviousInstruction(i)))
        i = LLVMGetPreviousInstruction(i);
    return i;
}

static void find_invokes(struct places *t)
{
    for (trod_node v = 0; v < t->body->graph.nnode; v++) {
        LLVMValueRef term = LLVMGetBasicBlockTerminator(t->body->block[v]);

        if (t->out->calls[v] && is_invoke(term))
            find_tests_of_invoke(t, v, term);
    }
}

void trod_twin_tests(
    struct trod_twin_places *out, const struct trod_body *body, struct trod_arena *mem)
{
    struct places p = {out, body, mem};

    for (trod_node v = 0; v < body->graph.nnode; v++)
        if (out->calls[v] && !is_invoke(LLVMGetBasicBlockTerminator(body->block[v])) &&
            wants_test(&p, v))
            add_test(&p, behind_calls(body->block[v]));
}

void trod_twin_places(
    struct trod_twin_places *out, const struct trod_body *body, struct trod_arena *mem)
{
    struct places p = {out, body, mem};

    *out = (struct trod_twin_places){
        .handles = trod_bridge_may_handle_signals(body->function)};
    trod_graph_view(&out->view, &body->graph, NULL, mem);
    find_calls(&p);
    find_checks(&p);
    find_loops(&p);
    find_invokes(&p);
}

void trod_twin_loops(
    struct trod_twin_places *out, const struct trod_body *body, struct trod_arena *mem)
{
    struct places p = {out, body, mem};

    *out = (struct trod_twin_places){0};
    trod_graph_view(&out->view, &body->graph, NULL, mem);
    find_calls(&p);
    find_loops(&p);
}
