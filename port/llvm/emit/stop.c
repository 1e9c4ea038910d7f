#include "llvm/emit/emitter.h"

#include <string.h>

/* For a function that runs once in a process, an unfinished path is known exactly. The Ball-Larus sum of the path so
 * far is kept in a variable of its own. Before the first call of each block that may not return, it is stored in the
 * stop cell together with the block. The cell is in the mapped profile, so it survives however the process ends.
 */

/* --- which functions ---------------------------------------------------------------------------------- */

static bool is_main(LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);

    return strcmp(name, "main") == 0 && LLVMGetLinkage(function) == LLVMExternalLinkage;
}

enum { MOST_VISITED = 512 };

/* Blocks that were visited, each once. The search gives up after MOST_VISITED. */
struct visited {
    LLVMBasicBlockRef block[MOST_VISITED];
    unsigned n;
};

static bool visit(struct visited *v, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < v->n; i++)
        if (v->block[i] == block)
            return true;
    if (v->n == MOST_VISITED)
        return false;
    v->block[v->n++] = block;
    return true;
}

/* May a block run again in the same activation? True if the search gives up. */
static bool is_in_cycle(LLVMBasicBlockRef block)
{
    struct visited v = {{block}, 1};

    for (unsigned i = 0; i < v.n; i++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(v.block[i]);
        unsigned n = LLVMGetNumSuccessors(last);

        for (unsigned k = 0; k < n; k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(last, k);

            if (next == block || !visit(&v, next))
                return true;
        }
    }
    return false;
}

/* The only call of a function with internal linkage; otherwise NULL. */
static LLVMValueRef only_call(LLVMValueRef function)
{
    LLVMUseRef use = LLVMGetFirstUse(function);
    LLVMValueRef user;

    if (LLVMGetLinkage(function) != LLVMInternalLinkage || !use || LLVMGetNextUse(use))
        return NULL;
    user = LLVMGetUser(use);
    return (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) &&
                   LLVMGetCalledValue(user) == function
               ? user
               : NULL;
}

enum { DEEPEST = 8 };

bool trod_llvm_runs_once(LLVMValueRef function)
{
    for (int depth = 0; depth < DEEPEST; depth++) {
        LLVMValueRef call;

        if (is_main(function))
            return !LLVMGetFirstUse(function);
        call = only_call(function);
        if (!call || is_in_cycle(LLVMGetInstructionParent(call)))
            return false;
        function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    }
    return false;
}

/* --- stop cells ---------------------------------------------------------------------------------------- */

static LLVMValueRef number(const struct trod_emitter *m, int64_t value)
{
    return LLVMConstInt(m->i64, (uint64_t)value, true);
}

static void put_cell(const struct trod_emitter *m, LLVMValueRef value)
{
    trod_llvm_put_count(m->builder, m->module,
        (struct trod_llvm_count){.thread = m->thread,
            .table = m->data.table,
            .index = number(m, (int64_t)m->nslot + 1),
            .by = value,
            .put = true});
}

void trod_emit_stops(const struct trod_emitter *m, const LLVMValueRef *out_of)
{
    const struct trod_graph *g = &m->body->graph;

    for (trod_node v = 0; v < g->nnode; v++) {
        LLVMValueRef call = trod_llvm_first_leaving(m->body->block[v], out_of[v]), sum;

        if (trod_graph_leave(g, v) == TROD_STAYS || !call)
            continue;
        LLVMPositionBuilderBefore(m->builder, call);
        sum = LLVMBuildLoad2(m->builder, m->i64, m->s, "trod.s");
        sum = LLVMBuildMul(m->builder, sum, number(m, g->nnode), "");
        put_cell(m, LLVMBuildAdd(m->builder, sum, number(m, (int64_t)v + 1), ""));
    }
}

/* Is the site an exit of the function, not an edge? */
static bool is_out(const struct trod_graph *g, uint32_t site)
{
    return site != trod_site_in(g) && site >= g->nedge;
}

static bool is_cut(const struct trod_dag *dag, trod_edge e)
{
    return dag->dag_of_edge[e] != TROD_NONE &&
           dag->kind_of_edge[dag->dag_of_edge[e]] == TROD_DAG_END;
}

/* At the entry and on cut edges: the initial sum of a path. On other edges: the value to add. */
static int64_t value_at(const struct trod_emitter *m, uint32_t site)
{
    const struct trod_numbering *numbering = m->plan->numbering;
    const struct trod_dag *dag = numbering->dag;
    trod_edge e = dag->shape.first_out[dag->shape.entry];

    if (site == trod_site_in(dag->graph)) {
        while (dag->kind_of_edge[e] != TROD_DAG_ENTER)
            e++;
    } else if (is_cut(dag, site)) {
        e = dag->start_of_node[dag->graph->dst_of_edge[site]];
    } else {
        e = dag->dag_of_edge[site];
    }
    return e == TROD_NONE ? 0 : numbering->val_of_edge[e];
}

bool trod_emit_has_stop_site(const struct trod_emitter *m, uint32_t site)
{
    const struct trod_dag *dag;
    const struct trod_graph *g;

    if (!m->s)
        return false;
    dag = m->plan->numbering->dag;
    g = dag->graph;
    if (is_out(g, site))
        return g->first_out[site - g->nedge] == g->first_out[site - g->nedge + 1];
    return site == trod_site_in(g) || is_cut(dag, site) || value_at(m, site);
}

void trod_emit_stop_site(
    const struct trod_emitter *m, uint32_t site, LLVMValueRef before)
{
    const struct trod_dag *dag = m->plan->numbering->dag;
    LLVMValueRef value;

    LLVMPositionBuilderBefore(m->builder, before);
    if (is_out(dag->graph, site)) {
        put_cell(m, number(m, 0));
        return;
    }
    value = number(m, value_at(m, site));
    if (site != trod_site_in(dag->graph) && !is_cut(dag, site))
        value = LLVMBuildAdd(
            m->builder, LLVMBuildLoad2(m->builder, m->i64, m->s, "trod.s"), value, "");
    LLVMBuildStore(m->builder, value, m->s);
}
