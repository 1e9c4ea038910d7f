#include "kit/shape.h"

#include <stdio.h>

uint64_t kit_shape_from_rng(void *rng, uint64_t bound)
{
    return trod_rng_below(rng, bound);
}

struct source {
    kit_shape_source draw;
    void *ctx;
};

static uint32_t pick(const struct source *from, uint64_t bound)
{
    return bound > 1 ? (uint32_t)from->draw(from->ctx, bound) : 0;
}

/* True in `times` out of `of`, and never on a draw of 0 if less than all. */
static bool chance(const struct source *from, uint32_t times, uint32_t of)
{
    return pick(from, of) >= of - times;
}

/* --- any shape ------------------------------------------------------------- */

/* A graph before its nodes are renumbered: node 0 is the entry. Edges forward go
 * up in number, so that they alone make a DAG. All that is drawn for a node is
 * drawn together, so that shrinking can delete it.
 */
struct sketch {
    struct source from;
    const struct kit_shape_options *opt;
    uint32_t nnode, max_out;
    uint32_t *nsucc; /* [nnode] */
    trod_node *succ; /* [nnode * max_out] */
    /* Dominators as far as edges forward go; back edges to dominators change
     * nothing there. A node that the entry does not reach has depth 0.
     */
    trod_node *idom; /* [nnode] */
    uint32_t *depth; /* [nnode], the entry's is 1 */
};

static trod_node *succ_of(const struct sketch *s, trod_node v)
{
    return s->succ + (size_t)v * s->max_out;
}

/* Does nothing where the edge is one too many or must not be there twice. */
static bool add_edge(struct sketch *s, trod_node src, trod_node dst)
{
    trod_node *succ = succ_of(s, src);
    uint32_t n = s->nsucc[src], place;

    for (uint32_t i = 0; i < n; i++)
        if (succ[i] == dst && !s->opt->parallel)
            return false;
    if (n == s->max_out)
        return false;
    place = n - pick(&s->from, (uint64_t)n + 1);
    succ[n] = succ[place];
    succ[place] = dst;
    s->nsucc[src]++;
    return true;
}

static trod_node common_dominator(const struct sketch *s, trod_node a, trod_node b)
{
    while (a != b) {
        if (s->depth[a] < s->depth[b])
            b = s->idom[b];
        else
            a = s->idom[a];
    }
    return a;
}

static void add_forward(struct sketch *s, trod_node src, trod_node dst)
{
    /* Only reducible cycles need dominators, and the time they take. */
    bool wanted = s->opt->cycles && !s->opt->irreducible;

    if (!add_edge(s, src, dst) || !wanted || !s->depth[src])
        return;
    s->idom[dst] = s->depth[dst] ? common_dominator(s, s->idom[dst], src) : src;
    s->depth[dst] = s->depth[s->idom[dst]] + 1;
}

static void draw_ways_in(struct sketch *s, trod_node v)
{
    trod_node parent;
    uint32_t nmore;

    if (s->opt->unreachable && chance(&s->from, 1, 4))
        return;
    parent = v - 1 - pick(&s->from, v);
    /* v - 1 has one successor at most, a back edge: the rest are to come. */
    add_forward(s, s->nsucc[parent] < s->max_out ? parent : v - 1, v);
    for (nmore = pick(&s->from, s->max_out); nmore > 0; nmore--)
        add_forward(s, v - 1 - pick(&s->from, v), v);
}

static trod_node draw_back_target(struct sketch *s, trod_node v)
{
    uint32_t up;

    if (s->opt->irreducible)
        return v - pick(&s->from, (uint64_t)v + 1);
    for (up = pick(&s->from, s->depth[v]); up > 0; up--)
        v = s->idom[v];
    return v;
}

static void draw_nodes(struct sketch *s)
{
    bool cycles = (s->opt->cycles || s->opt->irreducible) && s->max_out > 1;
    uint32_t density = cycles ? pick(&s->from, 4) : 0;

    s->depth[0] = 1;
    for (trod_node v = 0; v < s->nnode; v++) {
        if (v > 0)
            draw_ways_in(s, v);
        if (density && chance(&s->from, density, 8))
            add_edge(s, v, draw_back_target(s, v));
    }
}

/* A node that edges forward do not lead on from must be an exit: all others
 * reach one of these.
 */
static void make_exits(struct sketch *s)
{
    for (trod_node v = 0; v < s->nnode; v++)
        if (s->nsucc[v] == 1 && succ_of(s, v)[0] <= v)
            s->nsucc[v] = 0;
}

/* The number that each node of the sketch goes by in the graph. */
static trod_node *renumbering(const struct sketch *s, struct trod_arena *mem)
{
    trod_node *to = trod_new(mem, trod_node, s->nnode);

    for (trod_node v = 0; v < s->nnode; v++)
        to[v] = v;
    for (trod_node v = s->nnode - 1; v > 0 && s->opt->shuffled; v--) {
        trod_node other = v - pick(&s->from, (uint64_t)v + 1);
        trod_node kept = to[v];

        to[v] = to[other];
        to[other] = kept;
    }
    return to;
}

static const char *const *names(uint32_t nnode, struct trod_arena *mem)
{
    const char **name = trod_new(mem, const char *, nnode);

    for (trod_node v = 0; v < nnode; v++) {
        char buffer[16];
        int length = snprintf(buffer, sizeof buffer, "n%u", v);

        name[v] = trod_copy_text(mem, buffer, (size_t)length);
    }
    return name;
}

static void build(
    struct trod_graph *out, const struct sketch *s, struct trod_arena *mem)
{
    const trod_node *to = renumbering(s, mem);
    struct trod_graph_builder builder;

    trod_graph_builder_init(&builder, "shape", mem);
    builder.nnode = s->nnode;
    builder.entry = to[0];
    if (s->opt->named)
        builder.name_of_node = names(s->nnode, mem);
    for (trod_node v = 0; v < s->nnode; v++)
        for (uint32_t i = 0; i < s->nsucc[v]; i++)
            trod_graph_builder_add(&builder, to[v], to[succ_of(s, v)[i]]);
    trod_graph_build(out, &builder);
}

void kit_shape(struct trod_graph *out, const struct kit_shape_options *opt,
    kit_shape_source draw, void *ctx, struct trod_arena *mem)
{
    struct sketch s = {
        .from = {draw, ctx}, .opt = opt, .max_out = opt->max_out ? opt->max_out : 3};

    s.nnode = 1 + pick(&s.from, opt->max_node ? opt->max_node : 12);
    s.nsucc = trod_new(mem, uint32_t, s.nnode);
    s.succ = trod_new(mem, trod_node, (size_t)s.nnode * s.max_out);
    s.idom = trod_new(mem, trod_node, s.nnode);
    s.depth = trod_new(mem, uint32_t, s.nnode);
    draw_nodes(&s);
    if (!opt->no_exit)
        make_exits(&s);
    build(out, &s, mem);
}

/* --- structured code -------------------------------------------------------- */

/* As deep as people indent. */
enum { MAX_DEPTH = 12 };

enum statement { IF, SWITCH, WHILE, DO };

/* Edges whose target is not written yet: a list of arcs through their dst. */
typedef uint32_t pending;

struct open_statement {
    enum statement kind;
    trod_node head;
    uint32_t arms_left; /* of an if or a switch */
    bool complete;      /* the arms are all the cases there are */
    pending out;        /* edges to what follows */
    pending again;      /* edges to the condition of a do-while */
};

struct writer {
    struct source from;
    struct trod_graph_builder builder;
    struct open_statement open[MAX_DEPTH];
    uint32_t depth;
    trod_node at; /* the block being written; TROD_NONE after a jump */
};

static trod_node new_block(struct writer *w)
{
    return w->builder.nnode++;
}

static void go(struct writer *w, trod_node src, trod_node dst)
{
    if (src != TROD_NONE)
        trod_graph_builder_add(&w->builder, src, dst);
}

static void go_later(struct writer *w, trod_node src, pending *list)
{
    if (src != TROD_NONE) {
        trod_graph_builder_add(&w->builder, src, *list);
        *list = w->builder.narc - 1;
    }
}

/* Continue in a new block, to which all the pending edges go. */
static void land(struct writer *w, pending list)
{
    w->at = new_block(w);
    while (list != TROD_NONE) {
        struct trod_graph_arc *arc = &w->builder.arc[list];

        list = arc->dst;
        arc->dst = w->at;
    }
}

static void write_plain(struct writer *w)
{
    trod_node before = w->at;

    w->at = new_block(w);
    go(w, before, w->at);
}

static void write_arm(struct writer *w, struct open_statement *s)
{
    trod_node before = w->at;

    s->arms_left--;
    w->at = new_block(w);
    go(w, s->head, w->at);
    if (s->kind == SWITCH && before != s->head && chance(&w->from, 1, 8))
        go(w, before, w->at);
    else if (before != s->head)
        go_later(w, before, &s->out);
}

static void open_statement(struct writer *w)
{
    static const enum statement mix[] = {IF, IF, IF, IF, IF, SWITCH, WHILE, DO};
    struct open_statement *s = &w->open[w->depth++];

    *s = (struct open_statement){
        .kind = mix[pick(&w->from, 8)], .out = TROD_NONE, .again = TROD_NONE};
    if (s->kind == WHILE || s->kind == DO)
        write_plain(w);
    s->head = w->at;
    if (s->kind == WHILE)
        write_plain(w);
    if (s->kind == IF)
        s->complete = chance(&w->from, 1, 2);
    if (s->kind == IF || s->kind == SWITCH) {
        s->arms_left = s->kind == IF ? s->complete + 1u : 2 + pick(&w->from, 12);
        write_arm(w, s);
    }
}

static void close_statement(struct writer *w)
{
    struct open_statement *s = &w->open[--w->depth];

    if (s->kind == WHILE) {
        go(w, w->at, s->head);
        go_later(w, s->head, &s->out);
    } else if (s->kind == DO) {
        go_later(w, w->at, &s->again);
        land(w, s->again);
        go(w, w->at, s->head);
        go_later(w, w->at, &s->out);
    } else {
        go_later(w, w->at, &s->out);
        if (s->arms_left || !s->complete)
            go_later(w, s->head, &s->out);
    }
    land(w, s->out);
}

/* Ends an if without else by break, continue or return. In no other place: so
 * whatever follows a statement is always reachable.
 */
static void write_jump(struct writer *w)
{
    uint32_t kind = pick(&w->from, 3), i = w->depth;
    struct open_statement *s;

    while (
        i > 0 && (w->open[i - 1].kind == IF || (kind && w->open[i - 1].kind == SWITCH)))
        i--;
    s = i > 0 && kind < 2 ? &w->open[i - 1] : NULL;
    if (s && kind == 0)
        go_later(w, w->at, &s->out);
    else if (s && s->kind == WHILE)
        go(w, w->at, s->head);
    else if (s)
        go_later(w, w->at, &s->again);
    w->at = TROD_NONE;
    close_statement(w);
}

static void end_arm(struct writer *w)
{
    struct open_statement *s = &w->open[w->depth - 1];

    if (s->arms_left)
        write_arm(w, s);
    else
        close_statement(w);
}

static bool may_jump(const struct writer *w)
{
    const struct open_statement *s = w->depth ? &w->open[w->depth - 1] : NULL;

    return s && s->kind == IF && !s->complete;
}

static void write_something(struct writer *w)
{
    uint32_t what = pick(&w->from, 16);

    if (what >= 9 && w->depth < MAX_DEPTH)
        open_statement(w);
    else if (what == 8 && may_jump(w))
        write_jump(w);
    else if (what == 7 || w->depth == 0)
        write_plain(w);
    else
        end_arm(w);
}

void kit_shape_structured(struct trod_graph *out, uint32_t nnode, kit_shape_source draw,
    void *ctx, struct trod_arena *mem)
{
    struct writer w = {.from = {draw, ctx}};

    trod_graph_builder_init(&w.builder, "structured", mem);
    w.at = new_block(&w);
    while (w.builder.nnode < nnode)
        write_something(&w);
    while (w.depth)
        close_statement(&w);
    trod_graph_build(out, &w.builder);
}
