#include "llvm/across/across.h"

/* Emits plans into versions. A version executes the operations of one plan for each of its levels, at the same sites.
 * The sums are independent, so their order does not matter.
 */

/* --- sites --------------------------------------------------------------------------------- */

static uint32_t nsite_of(const struct trod_graph *graph)
{
    return graph->nedge + graph->nnode + 1;
}

static uint32_t *new_sites(uint32_t count, struct trod_arena *mem)
{
    uint32_t *site = trod_new(mem, uint32_t, count);

    for (uint32_t i = 0; i < count; i++)
        site[i] = TROD_NONE;
    return site;
}

static const struct trod_graph *graph_of(
    const struct trod_across_part *part, uint32_t frame)
{
    return trod_super_graph_of(
        part->numbered->super.unit, part->numbered->super.tree->frame[frame].function);
}

static void fill_nodes(struct trod_across_part *part, struct trod_arena *mem)
{
    const struct trod_super *super = &part->numbered->super;
    uint32_t nframe = super->tree->nframe;

    part->site_of_frame = trod_new(mem, uint32_t *, nframe);
    part->call_site_of_frame = new_sites(nframe, mem);
    for (uint32_t f = 0; f < nframe; f++) {
        const struct trod_graph *graph = graph_of(part, f);

        part->site_of_frame[f] = new_sites(nsite_of(graph), mem);
        for (trod_node v = 0; v < graph->nnode; v++)
            part->site_of_frame[f][trod_site_out(graph, v)] =
                trod_site_out(&super->graph, super->first_node_of_frame[f] + v);
    }
    part->site_of_frame[0][trod_site_in(graph_of(part, 0))] =
        trod_site_in(&super->graph);
}

void trod_across_fill_sites(struct trod_across_part *part, struct trod_arena *mem)
{
    const struct trod_super *super = &part->numbered->super;

    fill_nodes(part, mem);
    part->pauses = trod_new(mem, uint64_t, TROD_WORDS(super->graph.nedge));
    for (trod_edge e = 0; e < super->graph.nedge; e++) {
        uint32_t f = super->frame_of_edge[e];
        trod_node from = super->graph.src_of_edge[e] - super->first_node_of_frame[f];

        switch ((enum trod_super_kind)super->kind_of_edge[e]) {
        case TROD_SUPER_PAUSE:
            trod_add(part->pauses, e);
            part->site_of_frame[f][super->origin_of_edge[e]] = e;
            break;
        case TROD_SUPER_LOCAL:
            part->site_of_frame[f][super->origin_of_edge[e]] = e;
            break;
        case TROD_SUPER_CALL:
            part->call_site_of_frame[f] = e;
            break;
        case TROD_SUPER_RETURN:
            part->site_of_frame[f][trod_site_out(graph_of(part, f), from)] = e;
            break;
        }
    }
}

static void drop_counts(struct trod_op *op, const struct trod_plan *plan, uint32_t site)
{
    for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++)
        if (op[i].kind == TROD_OP_COUNT || op[i].kind == TROD_OP_COUNT_AT)
            op[i].kind = TROD_OP_NONE;
}

void trod_across_drop_false_ends(struct trod_across_part *part, struct trod_arena *mem)
{
    const struct trod_super *super = &part->numbered->super;
    const struct trod_super_tree *tree = super->tree;
    uint32_t n = part->plan.first_op[part->plan.nsite];
    struct trod_op *op = trod_new(mem, struct trod_op, n);

    for (uint32_t i = 0; i < n; i++)
        op[i] = part->plan.op[i];
    for (uint32_t f = 1; f < tree->nframe; f++) {
        uint32_t parent = tree->frame[f].parent;
        const uint64_t *unwinds =
            super->unit->function[tree->frame[parent].function].unwinds;
        trod_node v = super->first_node_of_frame[parent] + tree->frame[f].node;

        for (trod_edge e = super->graph.first_out[v]; e < super->graph.first_out[v + 1];
            e++)
            if ((super->kind_of_edge[e] == TROD_SUPER_LOCAL ||
                    super->kind_of_edge[e] == TROD_SUPER_PAUSE) &&
                trod_has(unwinds, super->origin_of_edge[e]))
                drop_counts(op, &part->plan, e);
    }
    part->plan.op = op;
}

/* --- a version ----------------------------------------------------------------------------- */

struct version_builder {
    const struct trod_versions *v;
    struct trod_version *version;
    struct trod_arena *mem;
    LLVMContextRef context;
    LLVMValueRef thread;
    LLVMValueRef
        own_mask; /* variable: the mask of its own sum while a followed call runs */
    /* by level; a shared version has one more, which calls the runtime */
    struct trod_emitter m[TROD_CC_DEEPEST + 2];
    bool does[TROD_CC_DEEPEST + 2];
    uint32_t nlevel;
    uint32_t *part_of_call; /* parts that are possible callees of one call */
    uint32_t ncall;
};

/* Does some level's tree follow the call that this node begins with? Fills part_of_call. */
static bool find_calls(struct version_builder *s, trod_node node)
{
    s->ncall = 0;
    for (uint32_t j = 0; j <= s->version->depth; j++) {
        const struct trod_across_level *level = &s->version->level[j];
        const struct trod_super_tree *tree = &s->v->part[level->part]->tree;

        for (uint32_t f = 1; level->frame != TROD_NONE && f < tree->nframe; f++) {
            bool known =
                tree->frame[f].parent != level->frame || tree->frame[f].node != node;

            for (uint32_t i = 0; !known && i < s->ncall; i++)
                known = s->part_of_call[i] == tree->frame[f].function;
            if (!known)
                s->part_of_call[s->ncall++] = tree->frame[f].function;
        }
    }
    return s->ncall > 0;
}

static trod_edge way_to(const struct trod_graph *graph, trod_node node)
{
    return graph->in_edge[graph->first_in[node]];
}

/* The sites of a level, without the edges to followed calls: see go_into. */
static uint32_t *sites_of(struct version_builder *s, const uint32_t *all)
{
    const struct trod_graph *graph = &s->version->body.graph;
    uint32_t n = nsite_of(graph);
    uint32_t *site = trod_new(s->mem, uint32_t, n);

    for (uint32_t i = 0; i < n; i++)
        site[i] = all ? all[i] : i;
    for (trod_node v = 0; v < graph->nnode; v++)
        if (s->version->body.call_of_node[v] && find_calls(s, v))
            site[way_to(graph, v)] = TROD_NONE;
    return site;
}

static void begin(struct version_builder *s, struct trod_emitter *m)
{
    m->mem = s->mem;
    m->module = s->v->u->module;
    m->builder = LLVMCreateBuilderInContext(s->context);
    m->i64 = LLVMInt64TypeInContext(s->context);
    m->body = &s->version->body;
    m->coroutine = trod_bridge_is_coroutine(s->version->body.function);
}

static LLVMValueRef further(const struct trod_version *version, uint32_t n, uint32_t i)
{
    LLVMValueRef function = version->body.function;

    return LLVMGetParam(function, LLVMCountParams(function) - n + i);
}

static void emit_level(struct version_builder *s, uint32_t j)
{
    const struct trod_across_level *level = &s->version->level[j];
    const struct trod_across_part *part = s->v->part[level->part];
    struct trod_emitter *m = &s->m[j];

    s->does[j] = part->counts && level->frame != TROD_NONE;
    begin(s, m);
    if (j) {
        m->r = further(s->version, 2 * s->version->depth, 2 * (j - 1));
        m->mask = further(s->version, 2 * s->version->depth, 2 * (j - 1) + 1);
        m->pauses = part->pauses;
    }
    if (!s->does[j])
        return;
    m->plan = &part->plan;
    m->ending = part->plan.ending;
    m->data = part->data;
    m->site_of = sites_of(s, part->site_of_frame[level->frame]);
    m->thread = s->thread;
    trod_emit_body(m);
    s->thread = m->thread;
}

static void emit_relays(struct version_builder *s)
{
    struct trod_emitter *m = &s->m[s->nlevel];

    s->does[s->nlevel] = true;
    begin(s, m);
    m->relays = s->version->relays;
    m->relay = trod_across_declare_relay(m->module);
    m->r = further(s->version, 3, 0);
    m->mask = further(s->version, 3, 1);
    m->context = further(s->version, 3, 2);
    m->site_of = sites_of(s, NULL);
    trod_emit_body(m);
    s->nlevel++;
}

/* --- followed calls -------------------------------------------------------------------------- */

/* Emits the operations of all levels on the edge to a call. `callee` is the part that the call is followed into;
 * TROD_NONE: it is not followed.
 */
static void emit_way(
    struct version_builder *s, trod_node node, uint32_t callee, LLVMValueRef call)
{
    trod_edge way = way_to(&s->version->body.graph, node);

    for (uint32_t j = 0; j < s->nlevel; j++) {
        uint32_t site = way, frame;

        if (!s->does[j])
            continue;
        if (!s->m[j].relays) {
            const struct trod_across_level *level = &s->version->level[j];
            const struct trod_across_part *part = s->v->part[level->part];

            frame = trod_frame_behind(&part->tree, level->frame, node, callee);
            site = frame == TROD_NONE ? part->site_of_frame[level->frame][way]
                                      : part->call_site_of_frame[frame];
        }
        trod_emit_site(&s->m[j], site, call);
    }
}

static LLVMValueRef or_null(const struct version_builder *s, LLVMValueRef pointer)
{
    return pointer ? pointer : LLVMConstNull(trod_llvm_pointer(s->context));
}

/* Sets the mask of the own sum, so that the callee updates it. */
static void follow(struct version_builder *s, LLVMValueRef call)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(s->version->body.function);
    LLVMBuilderRef builder = s->m[0].builder;

    if (!s->own_mask) {
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
        s->own_mask = LLVMBuildAlloca(builder, s->m[0].i64, "trod.mask");
    }
    LLVMPositionBuilderBefore(builder, call);
    LLVMBuildStore(builder, LLVMConstAllOnes(s->m[0].i64), s->own_mask);
}

static void call_version(
    struct version_builder *s, trod_node node, uint32_t callee, LLVMValueRef call)
{
    LLVMValueRef argument[2 * (TROD_CC_DEEPEST + 1)];
    const struct trod_across_part *own = s->v->part[s->version->part];
    uint32_t n;
    const struct trod_version *to =
        trod_version_behind(&n, s->v, s->version, node, callee);

    follow(s, call);
    for (size_t j = 0; j < n; j++) {
        argument[2 * j] = or_null(s, s->m[j].r);
        argument[2 * j + 1] = j ? or_null(s, s->m[j].mask) : s->own_mask;
    }
    n *= 2;
    if (to->shared) {
        uint32_t frame = trod_frame_behind(&own->tree, 0, node, callee);

        argument[2] = own->context_of_frame[frame];
        n = 3;
    }
    trod_bridge_call_copy(call, to->body.function, argument, n);
}

static void go_into(struct version_builder *s, trod_node node)
{
    LLVMValueRef call = s->version->body.call_of_node[node];
    bool guarded = !trod_bridge_called_function(call);

    for (uint32_t i = 0; i < s->ncall; i++) {
        uint32_t callee = s->part_of_call[i];
        LLVMValueRef direct = call;

        if (guarded)
            direct = trod_bridge_guard(call, s->v->part[callee]->body.function);
        emit_way(s, node, callee, direct);
        call_version(s, node, callee, direct);
    }
    if (guarded)
        emit_way(s, node, TROD_NONE, call);
}

void trod_across_emit(
    const struct trod_versions *v, struct trod_version *version, struct trod_arena *mem)
{
    struct version_builder s = {.v = v,
        .version = version,
        .mem = mem,
        .context = LLVMGetModuleContext(v->u->module),
        .nlevel = version->depth + 1,
        .part_of_call = trod_new(mem, uint32_t, v->npart)};

    for (uint32_t j = 0; j <= version->depth; j++)
        emit_level(&s, j);
    if (version->shared)
        emit_relays(&s);
    for (trod_node node = 0; node < version->body.graph.nnode; node++)
        if (version->body.call_of_node[node] && find_calls(&s, node))
            go_into(&s, node);
    if (s.m[0].r)
        trod_bridge_promote(version->body.function, &s.m[0].r, 1);
    if (s.own_mask)
        trod_bridge_promote(version->body.function, &s.own_mask, 1);
    trod_bridge_writes_memory(version->body.function);
    for (uint32_t j = 0; j < s.nlevel; j++)
        LLVMDisposeBuilder(s.m[j].builder);
}
