#include "lift/lifter.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>

/* The end of a function without a symbol is unknown. At most this many blocks that did not run are
 * decoded for it. */
enum { MOST_DECODED = 2000 };

struct graph_maker {
    struct trod_lifter *l;
    struct trod_lift_function *f;
    struct trod_lift_symbol symbol;
    bool has_symbol;
    uint64_t *leader; /* places where nodes begin; l->leader holds the indices */
    uint32_t nleader, room_leader;
    uint32_t ndecoded;
    struct trod_lift_node *node;
    uint32_t nnode, room_node,
        ncode; /* the first ncode nodes are the leaders, in ascending order */
    struct trod_graph_builder builder;
    bool switches;
};

/* --- leaders ---------------------------------------------------------------------------------------- */

static bool is_foreign(const struct graph_maker *g, uint64_t place)
{
    if (place == g->f->entry)
        return false;
    return place == TROD_NOWHERE || trod_place_unit(place) != g->f->unit ||
           trod_lift_is_entry(g->l, place);
}

/* Code that did not run belongs to the function if it is inside the function's symbol, or in a
 * symbol of a split-off part. */
static bool may_decode(struct graph_maker *g, uint64_t place)
{
    struct trod_lift_symbol symbol;
    uint64_t offset = trod_place_offset(place);

    if (!g->has_symbol)
        return g->ndecoded < MOST_DECODED;
    if (offset >= g->symbol.start && offset < g->symbol.end)
        return true;
    return trod_lift_symbol_at(&symbol, g->l, place) && symbol.part;
}

static bool code_at(struct trod_code *out, struct graph_maker *g, uint64_t place)
{
    bool decoded;

    if (!trod_lift_code_at(out, &decoded, g->l, place) ||
        (decoded && !may_decode(g, place)))
        return false;
    g->ndecoded += decoded;
    return true;
}

static void add_leader(struct graph_maker *g, uint64_t place)
{
    bool is_new;

    trod_place_table_add(&g->l->leader, place, g->nleader, &is_new);
    if (!is_new)
        return;
    trod_push(g->l->mem, g->leader, g->nleader, g->room_leader, place);
}

static void add_target(struct graph_maker *g, uint64_t place)
{
    if (!is_foreign(g, place))
        add_leader(g, place);
}

/* Scan up to the first branch that is not a call. Calls are assumed to return. */
static void scan(struct graph_maker *g, uint64_t place)
{
    struct trod_code code;

    while (code_at(&code, g, place)) {
        if (code.kind == TROD_BRANCH_IF || code.kind == TROD_BRANCH_JUMP)
            add_target(g, code.target);
        if (code.kind == TROD_BRANCH_IF)
            add_target(g, code.after);
        if (code.kind != TROD_BRANCH_NONE && !trod_branch_is_call(code.kind))
            return;
        place = code.after;
        if (is_foreign(g, place) ||
            trod_place_table_find(&g->l->leader, place) != UINT32_MAX)
            return;
    }
}

TROD_ORDER(compare_places, uint64_t, trod_compare(*a, *b))

static void find_leaders(struct graph_maker *g, const uint64_t *start, size_t nstart)
{
    trod_place_table_clear(&g->l->leader);
    add_leader(g, g->f->entry);
    for (size_t i = 0; i < nstart; i++)
        add_leader(g, start[i]);
    for (uint32_t i = 0; i < g->nleader; i++)
        scan(g, g->leader[i]);
    trod_sort(g->leader, g->nleader, compare_places);
    trod_place_table_clear(&g->l->leader);
    for (uint32_t i = 0; i < g->nleader; i++)
        trod_place_table_add(&g->l->leader, g->leader[i], i, NULL);
}

/* --- nodes and edges ---------------------------------------------------------------------------------- */

static uint32_t add_node(struct graph_maker *g, const struct trod_lift_node *node)
{
    return trod_push(g->l->mem, g->node, g->nnode, g->room_node, *node);
}

static void add_arc(struct graph_maker *g, trod_node from, trod_node to, bool cut)
{
    trod_graph_builder_add(&g->builder, from, to);
    g->builder.arc[g->builder.narc - 1].cut = cut;
}

/* The node of a place. A place outside the function gets a node that represents it. */
static trod_node node_of(struct graph_maker *g, uint64_t place)
{
    uint32_t number =
        is_foreign(g, place) ? UINT32_MAX : trod_place_table_find(&g->l->leader, place);
    bool goes_on = place != TROD_NOWHERE && trod_lift_is_entry(g->l, place);

    if (number != UINT32_MAX)
        return number;
    for (uint32_t v = g->ncode; v < g->nnode; v++)
        if (g->node[v].start == place)
            return v;
    return add_node(g, &(struct trod_lift_node){.start = place,
                           .after = place,
                           .to = goes_on ? place : TROD_NOWHERE,
                           .end = goes_on ? TROD_LIFT_LEAVES : TROD_LIFT_UNKNOWN});
}

static void end_node(struct graph_maker *g, trod_node v, enum trod_lift_end end,
    uint64_t after, uint64_t to)
{
    g->node[v].end = (uint8_t)end;
    g->node[v].after = after;
    g->node[v].to = to;
}

/* End a node with the branch of a code. */
static void end_by_branch(
    struct graph_maker *g, trod_node v, const struct trod_code *code)
{
    bool back = code->target <= code->last;

    switch (code->kind) {
    case TROD_BRANCH_IF:
        end_node(g, v, TROD_LIFT_IF, code->after, TROD_NOWHERE);
        add_arc(g, v, node_of(g, code->target), back && !is_foreign(g, code->target));
        add_arc(g, v, node_of(g, code->after), false);
        break;
    case TROD_BRANCH_JUMP:
        if (is_foreign(g, code->target)) {
            end_node(g, v, TROD_LIFT_LEAVES, code->after, code->target);
            g->node[v].jumps = true;
            break;
        }
        end_node(g, v, TROD_LIFT_JUMP, code->after, TROD_NOWHERE);
        add_arc(g, v, node_of(g, code->target), back);
        break;
    case TROD_BRANCH_INDIRECT:
        end_node(g, v, TROD_LIFT_SWITCH, code->after, TROD_NOWHERE);
        g->switches = true;
        break;
    default:
        end_node(g, v, TROD_LIFT_LEAVES, code->after, TROD_NOWHERE);
        break;
    }
}

static uint64_t next_leader(const struct graph_maker *g, trod_node v, uint64_t behind)
{
    for (v++; v < g->ncode; v++)
        if (g->leader[v] > behind)
            return g->leader[v];
    return TROD_NOWHERE;
}

/* Fill a node from its leader to the next leader or the first branch. A leader inside the last
 * instruction (a jump over a prefix) does not end the node.
 */
static void fill_node(struct graph_maker *g, trod_node v)
{
    uint64_t place = g->leader[v], next = next_leader(g, v, place);
    struct trod_code code;

    if (!code_at(&code, g, place)) {
        end_node(g, v, TROD_LIFT_UNKNOWN, place, TROD_NOWHERE);
        return;
    }
    do {
        if (next <= code.last) {
            end_node(g, v, TROD_LIFT_FALLS, next, TROD_NOWHERE);
            add_arc(g, v, node_of(g, next), false);
            return;
        }
        if (code.kind != TROD_BRANCH_NONE && !trod_branch_is_call(code.kind)) {
            end_by_branch(g, v, &code);
            return;
        }
        g->node[v].calls |= trod_branch_is_call(code.kind);
        place = code.after;
        if (next < place)
            next = next_leader(g, v, place - 1);
        if (place == next) {
            end_node(g, v, TROD_LIFT_FALLS, place, TROD_NOWHERE);
            add_arc(g, v, node_of(g, place), false);
            return;
        }
        if (is_foreign(g, place)) {
            end_node(g, v, TROD_LIFT_LEAVES, place, place);
            return;
        }
    } while (code_at(&code, g, place));
    end_node(g, v, TROD_LIFT_LEAVES, place, TROD_NOWHERE);
}

/* --- path starts without an incoming edge ---------------------------------------------------------------- */

/* For each leader, whether a backward edge leads to it. */
static bool *find_loop_heads(const struct graph_maker *g)
{
    bool *explained = trod_new(g->l->mem, bool, g->nnode);

    for (uint32_t a = 0; a < g->builder.narc; a++)
        if (g->builder.arc[a].cut)
            explained[g->builder.arc[a].dst] = true;
    return explained;
}

/* Indirect jumps lead to the switch node, which leads to all starts that have no other incoming edge. */
static void add_switch(struct graph_maker *g, const uint64_t *start, size_t nstart)
{
    bool *explained = find_loop_heads(g);
    uint32_t before = g->builder.narc;
    trod_node hub = g->nnode;

    g->f->switch_node = TROD_NONE;
    for (size_t i = 0; g->switches && i < nstart; i++) {
        trod_node v = trod_place_table_find(&g->l->leader, start[i]);

        if (start[i] == g->f->entry || explained[v] || (i && start[i] == start[i - 1]))
            continue;
        add_arc(g, hub, v, false);
    }
    if (g->builder.narc == before)
        return;
    g->f->switch_node = add_node(
        g, &(struct trod_lift_node){
               .start = TROD_NOWHERE, .after = TROD_NOWHERE, .to = TROD_NOWHERE});
    for (trod_node v = 0; v < g->ncode; v++)
        if (g->node[v].end == TROD_LIFT_SWITCH)
            add_arc(g, v, hub, true);
}

/* Connect the remaining starts: those after a signal handler or longjmp, and those whose edge is
 * unknown. They become reachable from the entry by cut edges. An entry that ended the function gets
 * an exit node to keep doing so.
 */
static void add_unreached(struct graph_maker *g, const uint64_t *start, size_t nstart)
{
    struct trod_mark mark = trod_arena_mark(g->l->mem);
    bool *explained = find_loop_heads(g), *wanted = trod_new(g->l->mem, bool, g->nnode);
    trod_node entry = trod_place_table_find(&g->l->leader, g->f->entry);
    struct trod_order order;
    struct trod_graph graph;
    bool leaves = true, any = false;
    uint32_t nnode = g->nnode;

    g->builder.nnode = g->nnode;
    g->builder.entry = entry;
    trod_graph_build(&graph, &g->builder);
    trod_graph_order(&order, &graph, g->l->mem);
    for (uint32_t a = 0; a < g->builder.narc; a++)
        leaves &= g->builder.arc[a].src != entry;
    for (size_t i = 0; i < nstart; i++) {
        trod_node v = trod_place_table_find(&g->l->leader, start[i]);
        bool resumes = explained[v] || (g->f->switch_node != TROD_NONE && v != entry);

        if (start[i] != g->f->entry && (!resumes || order.pre_of_node[v] == TROD_NONE))
            wanted[v] = any = true;
    }
    /* Rewind only if nothing is added: new arcs and nodes would lie behind the scratch memory. */
    if (!any) {
        trod_arena_rewind(g->l->mem, mark);
        return;
    }
    if (leaves && g->node[entry].end != TROD_LIFT_UNKNOWN)
        add_arc(g, entry,
            add_node(g, &(struct trod_lift_node){.start = TROD_NOWHERE,
                            .after = TROD_NOWHERE,
                            .to = g->node[entry].to,
                            .jumps = g->node[entry].jumps,
                            .end = TROD_LIFT_LEAVES}),
            false);
    for (trod_node v = 0; v < nnode; v++)
        if (wanted[v])
            add_arc(g, entry, v, true);
}

/* --- building and numbering ----------------------------------------------------------------------------- */

static const char *name_node(const struct graph_maker *g, trod_node v)
{
    const struct trod_lift_files *files = g->l->files;
    uint64_t place = g->node[v].start, offset = trod_place_offset(place);
    const struct trod_lift_unit *unit;
    struct trod_string name;

    if (place == TROD_NOWHERE && v == g->f->switch_node)
        return "switch";
    if (place == TROD_NOWHERE)
        return g->node[v].end == TROD_LIFT_LEAVES ? "return" : "nowhere";
    trod_string_init(&name, g->l->mem);
    unit = &g->l->unit[trod_place_unit(place)];
    if (trod_place_unit(place) != g->f->unit)
        trod_put(&name.sink, "%s.", unit->name);
    if (files->address && unit->image.path)
        offset = files->address(files->ctx, &unit->image, offset);
    trod_put(&name.sink, "0x%" PRIx64, offset);
    return name.text;
}

static void finish_graph(struct graph_maker *g)
{
    const char **name = trod_new(g->l->mem, const char *, g->nnode);
    uint8_t *leave = trod_new(g->l->mem, uint8_t, g->nnode);
    bool *exposed = trod_new(g->l->mem, bool, g->nnode);

    for (trod_node v = 0; v < g->nnode; v++) {
        name[v] = name_node(g, v);
        leave[v] = g->node[v].calls ? TROD_MAY_LEAVE : TROD_STAYS;
    }
    g->builder.nnode = g->nnode;
    g->builder.entry = trod_place_table_find(&g->l->leader, g->f->entry);
    g->builder.name_of_node = name;
    g->builder.leave_of_node = leave;
    g->f->node = g->node;
    trod_graph_build(&g->f->graph, &g->builder);
    g->f->graph.marked = true;
    trod_graph_exposed(exposed, &g->f->graph, g->l->mem);
    g->f->exposed = exposed;
}

static uint64_t hash_of_cuts(const struct trod_dag *dag)
{
    uint64_t hash = 0;

    for (trod_edge e = 0; e < dag->shape.nedge; e++)
        if (dag->kind_of_edge[e] == TROD_DAG_END)
            hash = trod_mix(hash, dag->origin_of_edge[e]);
    return hash;
}

bool trod_lift_graph(struct trod_lift_function *f, const uint64_t *start, size_t nstart,
    struct trod_lifter *l, struct trod_err *err)
{
    struct trod_limit limit = {.most = l->limit};
    struct graph_maker g = {.l = l, .f = f};

    g.has_symbol = trod_lift_symbol_at(&g.symbol, l, f->entry);
    trod_graph_builder_init(&g.builder, f->name, l->mem);
    find_leaders(&g, start, nstart);
    for (uint32_t i = 0; i < g.nleader; i++)
        add_node(&g, &(struct trod_lift_node){.start = g.leader[i]});
    g.ncode = g.nleader;
    f->ncode = g.ncode;
    g.ndecoded = 0; /* fill_node decodes the same blocks again, in another order */
    for (trod_node v = 0; v < g.ncode; v++)
        fill_node(&g, v);
    add_switch(&g, start, nstart);
    add_unreached(&g, start, nstart);
    finish_graph(&g);
    if (!trod_number_limit(&f->view, &f->limit, &f->graph, &limit, l->mem, err) ||
        !trod_number_ballarus(&f->numbering, &f->view.dag, l->mem, err))
        return false;
    f->graph_hash = trod_graph_hash(&f->graph, l->mem);
    f->cuts_hash = hash_of_cuts(&f->view.dag);
    return true;
}

trod_node trod_lift_node_at(const struct trod_lift_function *f, uint64_t place)
{
    trod_node low =
        TROD_LOWER_BOUND(middle, 0, f->ncode, f->node[middle].start < place);

    return low < f->ncode && f->node[low].start == place ? low : TROD_NONE;
}
