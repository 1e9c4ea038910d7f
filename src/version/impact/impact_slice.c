#include "impact/impact_analysis.h"

#include <string.h>

/* A forward slice of each version: of the old one from what was deleted, edited or moved away, of the new one from what
 * was added, edited or moved there. A node belongs to the statement at its line. Statements that begin on the same line
 * cannot be distinguished and are treated as one.
 */

enum { NONE = TROD_NO_CONSTRUCT };

struct side {
    const struct trod_constructs *of;
    const struct trod_depends *depends;
    const uint32_t *function_of;
    struct trod_arena *mem;
    uint32_t *construct_of_node; /* [nnode] or NONE */
    uint32_t
        *change;     /* [nconstruct] the change that reached a construct of the slice */
    uint32_t *from;  /* [nconstruct] the construct before it, or NONE */
    uint64_t *in;    /* the slice, a set of constructs */
    uint32_t *order; /* the slice, in the order in which it was found */
    uint32_t norder;
    uint32_t *via;   /* [nnode] the construct that a node was reached through */
    uint64_t *seen;  /* set of nodes */
    uint32_t *queue; /* nodes */
    uint32_t nqueue;
};

/* --- from nodes to constructs ----------------------------------------------------------------------------- */

static uint32_t function_at(
    const struct side *s, const struct trod_depend_node *node, uint32_t *file)
{
    *file = node->file ? trod_names_find(&s->of->files, node->file) : UINT32_MAX;
    if (!node->function)
        return NONE;
    return trod_constructs_function(s->of, node->function, node->file);
}

/* The statement of a node; its function if the line is unknown. */
static uint32_t construct_at(const struct side *s, const struct trod_depend_node *node,
    uint32_t function, uint32_t file)
{
    uint32_t found = NONE;

    if (node->function && function == NONE)
        return NONE;
    if (node->line && file != UINT32_MAX)
        found =
            trod_constructs_at(s->of, file, node->line, function, TROD_LEVEL_STATEMENT);
    return found == NONE || !found ? function : found;
}

/* Consecutive nodes mostly have the same function and line: remember the last lookup. */
static void place_nodes(struct side *s)
{
    struct trod_depend_node last = {0};
    uint32_t function = NONE, file = UINT32_MAX, construct = NONE;

    s->construct_of_node = trod_new(s->mem, uint32_t, (size_t)s->depends->nnode + 1);
    for (uint32_t v = 0; v < s->depends->nnode; v++) {
        const struct trod_depend_node *node = &s->depends->node[v];

        if (!node->function && !node->file) {
            s->construct_of_node[v] = NONE;
            continue;
        }
        if (node->function != last.function || node->file != last.file)
            function = function_at(s, node, &file);
        if (node->function != last.function || node->file != last.file ||
            node->line != last.line || !node->function)
            construct = construct_at(s, node, function, file);
        last = *node;
        s->construct_of_node[v] = construct;
    }
}

/* --- constructs of the slice --------------------------------------------------------------------------------- */

static bool is_beside(const struct side *s, uint32_t a, uint32_t b)
{
    const struct trod_construct *x = &s->of->construct[a], *y = &s->of->construct[b];

    return s->function_of[a] != NONE && s->function_of[a] == s->function_of[b] &&
           x->level < TROD_LEVEL_FUNCTION && y->level < TROD_LEVEL_FUNCTION &&
           x->line == y->line && x->file == y->file;
}

static bool put(struct side *s, uint32_t c, uint32_t change, uint32_t from)
{
    if (trod_has(s->in, c))
        return false;
    trod_add(s->in, c);
    s->change[c] = change;
    s->from[c] = from;
    s->order[s->norder++] = c;
    return true;
}

/* Add a construct and all that begin on the same line. */
static void add(struct side *s, uint32_t c, uint32_t change, uint32_t from)
{
    if (!put(s, c, change, from))
        return;
    for (uint32_t i = c; i > 1 && is_beside(s, i, i - 1); i--)
        if (!put(s, i - 1, change, c))
            break;
    for (uint32_t i = c; i + 1 < s->of->nconstruct && is_beside(s, i, i + 1); i++)
        if (!put(s, i + 1, change, c))
            break;
}

/* --- where the slice begins --------------------------------------------------------------------------------------- */

static void reach_node(struct side *s, uint32_t node, uint32_t via)
{
    if (trod_has(s->seen, node))
        return;
    trod_add(s->seen, node);
    s->via[node] = via;
    s->queue[s->nqueue++] = node;
}

/* Start from the class of a variable that the dependences know. Returns whether they do. */
static bool begin_at_class(struct side *s, uint32_t c, const struct trod_names *globals,
    const uint32_t *first, const uint32_t *next)
{
    const struct trod_construct *data = &s->of->construct[c];
    uint32_t name = trod_names_find(globals, data->name);
    bool found = false;

    if (name == UINT32_MAX)
        return false;
    for (uint32_t i = first[name]; i != NONE; i = next[i]) {
        const struct trod_depend_global *global = &s->depends->global[i];

        if (global->file && strcmp(global->file, s->of->files.name[data->file]) != 0)
            continue;
        reach_node(s, global->node, c);
        found = true;
    }
    return found;
}

/* Start from the uses of other constructs at file scope: types, and variables that no unit has. */
static void begin_at_uses(
    struct side *s, uint32_t c, const uint32_t *first, const uint32_t *use)
{
    for (uint32_t i = first[c]; i < first[c + 1]; i++)
        add(s, s->of->use[use[i]].from, s->change[c], c);
}

static void index_uses(const struct side *s, uint32_t *first, uint32_t *use)
{
    for (uint32_t i = 0; i < s->of->nuse; i++)
        first[s->of->use[i].to + 1]++;
    for (uint32_t c = 0; c < s->of->nconstruct; c++)
        first[c + 1] += first[c];
    for (uint32_t i = s->of->nuse; i-- > 0;)
        use[--first[s->of->use[i].to + 1]] = i;
    memmove(first, first + 1, s->of->nconstruct * sizeof *first);
    first[s->of->nconstruct] = s->of->nuse;
}

/* Start from changes at file scope. Constructs at file scope that this adds are appended to the order, and so processed
 * as well.
 */
static void begin_outside(struct side *s)
{
    uint32_t nglobal = s->depends->nglobal;
    uint32_t *first_use = trod_new(s->mem, uint32_t, (size_t)s->of->nconstruct + 2);
    uint32_t *use = trod_new(s->mem, uint32_t, (size_t)s->of->nuse + 1);
    uint32_t *first = trod_new(s->mem, uint32_t, (size_t)nglobal + 1);
    uint32_t *next = trod_new(s->mem, uint32_t, (size_t)nglobal + 1);
    struct trod_names globals;

    trod_names_init(&globals, s->mem);
    for (uint32_t i = 0; i <= nglobal; i++)
        first[i] = NONE;
    for (uint32_t i = 0; i < nglobal; i++) {
        uint32_t name = trod_names_add(&globals, s->depends->global[i].name);

        next[i] = first[name];
        first[name] = i;
    }
    index_uses(s, first_use, use);
    for (uint32_t i = 0; i < s->norder; i++) {
        uint32_t c = s->order[i];

        if (s->function_of[c] != NONE)
            continue;
        if (!s->of->construct[c].name || !begin_at_class(s, c, &globals, first, next))
            begin_at_uses(s, c, first_use, use);
    }
}

/* A changed field changes its class. */
static void begin_at_classes(struct side *s)
{
    for (uint32_t i = 0; i < s->norder; i++) {
        uint32_t c = s->order[i], parent = s->of->construct[c].parent;

        if (parent != NONE && s->function_of[c] == NONE &&
            s->of->construct[parent].level == TROD_LEVEL_CLASS)
            add(s, parent, s->change[c], c);
    }
}

static void begin_at_nodes(struct side *s)
{
    for (uint32_t v = 0; v < s->depends->nnode; v++)
        if (s->construct_of_node[v] != NONE && trod_has(s->in, s->construct_of_node[v]))
            reach_node(s, v, s->construct_of_node[v]);
}

/* --- what the slice reaches --------------------------------------------------------------------------------------- */

static void slice(struct side *s)
{
    begin_at_classes(s);
    begin_outside(s);
    begin_at_nodes(s);
    for (uint32_t i = 0; i < s->nqueue; i++) {
        uint32_t node = s->queue[i], via = s->via[node];

        for (uint64_t e = s->depends->first_out[node];
            e < s->depends->first_out[node + 1]; e++) {
            uint32_t to = s->depends->to[e], c = s->construct_of_node[to];

            if (trod_has(s->seen, to))
                continue;
            if (c != NONE)
                add(s, c, s->change[via], via);
            reach_node(s, to, c == NONE ? via : c);
        }
    }
}

static void open_side(struct side *s, const struct trod_constructs *of,
    const struct trod_depends *depends, const uint32_t *function_of,
    struct trod_arena *mem)
{
    size_t n = (size_t)of->nconstruct + 1, nnode = (size_t)depends->nnode + 1;

    *s = (struct side){
        .of = of, .depends = depends, .function_of = function_of, .mem = mem};
    s->change = trod_new(mem, uint32_t, n);
    s->from = trod_new(mem, uint32_t, n);
    s->in = trod_new(mem, uint64_t, TROD_WORDS(n));
    s->order = trod_new(mem, uint32_t, n);
    s->via = trod_new(mem, uint32_t, nnode);
    s->seen = trod_new(mem, uint64_t, TROD_WORDS(nnode));
    s->queue = trod_new(mem, uint32_t, nnode);
    place_nodes(s);
}

/* Start from a change and everything below it that exists in this version only. */
static void begin_at_change(
    struct side *s, uint32_t c, uint32_t change, const uint32_t *other)
{
    add(s, c, change, NONE);
    for (uint32_t i = c + 1; other[c] == NONE && i < s->of->construct[c].next; i++)
        if (other[i] == NONE)
            add(s, i, change, c);
}

static void slice_old(struct side *s, const struct trod_changes *changes)
{
    for (uint32_t i = 0; i < changes->nchange; i++)
        if (changes->change[i].old != NONE)
            begin_at_change(s, changes->change[i].old, i, changes->new_of_old);
    slice(s);
}

static void slice_new(struct side *s, const struct trod_changes *changes)
{
    for (uint32_t i = 0; i < changes->nchange; i++)
        if (changes->change[i].later != NONE)
            begin_at_change(s, changes->change[i].later, i, changes->old_of_new);
    slice(s);
}

/* --- both versions ------------------------------------------------------------------------------------------------ */

static void mark_old(struct trod_impact_analysis *a, const struct side *s)
{
    for (uint32_t i = 0; i < s->norder; i++) {
        uint32_t c = s->order[i];

        trod_impact_mark(a, c, s->change[c], s->from[c]);
    }
}

/* If the construct before it is new, the reason is the nearest one before that which the old version has. */
static void mark_new(struct trod_impact_analysis *a, const struct side *s)
{
    uint32_t *near = trod_new(a->mem, uint32_t, (size_t)s->of->nconstruct + 1);

    for (uint32_t i = 0; i < s->norder; i++) {
        uint32_t c = s->order[i], old = a->changes->old_of_new[c];
        uint32_t through = s->from[c] == NONE ? NONE : near[s->from[c]];

        near[c] = old == NONE ? through : old;
        trod_add(a->out->affected_of_new, c);
        if (old != NONE && old != through)
            trod_impact_mark(a, old,
                through == NONE ? s->change[c] : a->out->change_of_old[through],
                through);
    }
}

bool trod_impact_find_sl(struct trod_impact *out, const struct trod_impact_input *input,
    struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_changes *changes = input->changes;
    struct trod_impact_analysis a;
    struct side old, new;

    if (!input->old || !input->later)
        return trod_fail(err, TROD_E_INPUT,
            "'%s' needs the dependences of both versions; give them, or choose another method",
            trod_impact_ways[out->method].name);
    trod_impact_begin(&a, out, changes, mem);
    open_side(&old, changes->old, input->old, a.function_of_old, mem);
    slice_old(&old, changes);
    mark_old(&a, &old);
    open_side(&new, changes->later, input->later, a.function_of_new, mem);
    slice_new(&new, changes);
    mark_new(&a, &new);
    trod_impact_finish(&a, true);
    return true;
}
