#include "number/number.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

struct reader {
    struct trod_parse in;
    const struct trod_graph *graph;
    struct trod_token token;
    trod_edge *edge;
    uint32_t nedge, room;
};

static bool next(struct reader *r)
{
    return trod_parse_next(&r->token, &r->in);
}

static bool at_mark(const struct reader *r, char mark)
{
    return r->token.kind == TROD_T_MARK && r->token.mark == mark;
}

static bool at_end(const struct reader *r)
{
    return r->token.kind == TROD_T_LINE || r->token.kind == TROD_T_END;
}

/* Linear search: lists of paths are short compared to graphs, and graphs made by programs have no table of names. */
static bool find_node(struct reader *r, trod_node *out)
{
    char buffer[16];

    if (r->token.kind != TROD_T_NAME)
        return trod_parse_fail(&r->in,
            "expected the name of a block; a path is written "
            "as 'a b c', '> b c > b' or '=ID'");
    for (trod_node v = 0; v < r->graph->nnode; v++) {
        if (strcmp(trod_graph_node_name(r->graph, v, buffer), r->token.name) == 0) {
            *out = v;
            return true;
        }
    }
    return trod_parse_fail(&r->in,
        "'%s' has no block '%s'; 'trod stage graph' lists its "
        "blocks",
        r->graph->name, r->token.name);
}

/* `~N` after a block: the Nth of the parallel edges that lead to it. */
static bool read_which(struct reader *r, uint64_t *which)
{
    *which = 1;
    if (!next(r))
        return false;
    if (!at_mark(r, '~'))
        return true;
    if (!next(r))
        return false;
    if (r->token.kind != TROD_T_NAME || !trod_text_uint(which, r->token.name) ||
        !*which)
        return trod_parse_fail(&r->in, "'~' must be followed by which of the parallel "
                                       "edges is meant, from 1 up");
    return next(r);
}

static bool find_edge(struct reader *r, trod_node u, trod_node v, uint64_t which)
{
    const struct trod_graph *g = r->graph;
    char from[16], to[16];
    uint64_t seen = 0;

    for (trod_edge e = g->first_out[u]; e < g->first_out[u + 1]; e++) {
        if (g->dst_of_edge[e] == v && ++seen == which) {
            trod_push(r->in.mem, r->edge, r->nedge, r->room, e);
            return true;
        }
    }
    if (seen)
        return trod_parse_fail(&r->in,
            "'%s' has %" PRIu64 " edges %s -> %s, there is no number %" PRIu64, g->name,
            seen, trod_graph_node_name(g, u, from), trod_graph_node_name(g, v, to),
            which);
    return trod_parse_fail(&r->in,
        "'%s' has no edge %s -> %s; a path follows edges, "
        "block by block",
        g->name, trod_graph_node_name(g, u, from), trod_graph_node_name(g, v, to));
}

static bool read_id(struct reader *r, struct trod_trail *out)
{
    if (!next(r))
        return false;
    if (r->token.kind != TROD_T_NAME || !trod_text_uint(&out->id, r->token.name))
        return trod_parse_fail(&r->in, "'=' must be followed by the id of a path, a "
                                       "whole number");
    out->by_id = true;
    if (!next(r))
        return false;
    return at_end(r) ||
           trod_parse_fail(&r->in, "more than an id on the line of a path");
}

/* Blocks, and optionally `> block` at the end. The first block has been looked up. */
static bool read_blocks(struct reader *r, struct trod_trail *out)
{
    trod_node u = out->first, v;
    uint64_t which;

    while (!at_end(r)) {
        if (out->breaks)
            return trod_parse_fail(&r->in,
                "a path ends with the block after its cut; write the rest as a separate path, '> block ...'");
        if (at_mark(r, ',') && !next(r))
            return false;
        if (at_mark(r, '>')) {
            out->breaks = true;
            if (!next(r))
                return false;
        }
        if (!find_node(r, &v) || !read_which(r, &which) || !find_edge(r, u, v, which))
            return false;
        u = v;
    }
    return true;
}

bool trod_trail_parse(struct trod_trail *out, struct trod_text *text,
    const struct trod_graph *graph, struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {.in = {text, mem, err}, .graph = graph};

    *out = (struct trod_trail){.file = text->file, .line = text->line};
    if (!next(&r))
        return false;
    out->line = text->line;
    if (at_mark(&r, '='))
        return read_id(&r, out);
    if (at_mark(&r, '>')) {
        out->resumes = true;
        if (!next(&r))
            return false;
    }
    if (!find_node(&r, &out->first) || !next(&r) || !read_blocks(&r, out))
        return false;
    out->edge = r.edge;
    out->nedge = r.nedge;
    return true;
}

bool trod_trails_parse(struct trod_trails *out, struct trod_text *text,
    const struct trod_graph *graph, struct trod_arena *mem, struct trod_err *err)
{
    for (;;) {
        struct trod_text ahead = *text;
        struct trod_token token;

        if (!trod_text_next(&token, &ahead, mem, err))
            return false;
        if (token.kind == TROD_T_END)
            return true;
        /* A block with the name of a keyword is quoted at the start of a path. */
        if (token.kind == TROD_T_NAME && !token.quoted && trod_text_is_head(token.name))
            return true;
        trod_reserve(mem, out->trail, out->count, out->room);
        if (!trod_trail_parse(&out->trail[out->count++], text, graph, mem, err))
            return false;
    }
}

void trod_trails_keep(uint64_t *keep, const struct trod_trails *trails)
{
    for (uint32_t i = 0; i < trails->count; i++) {
        const struct trod_trail *t = &trails->trail[i];

        for (uint32_t j = 0; j + t->breaks < t->nedge; j++)
            trod_add(keep, t->edge[j]);
    }
}

/* --- to and from edges of the DAG ------------------------------------------------- */

static bool refuse(const struct trod_trail *trail, struct trod_err *err,
    const char *format, ...) TROD_FORMAT(3, 4);

static bool refuse(
    const struct trod_trail *trail, struct trod_err *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    trod_err_set_at(err, TROD_E_INPUT, trail->file, trail->line, format, args);
    va_end(args);
    return false;
}

static bool encode_start(trod_path *id, const struct trod_trail *trail,
    const struct trod_numbering *bl, struct trod_err *err)
{
    const struct trod_dag *dag = bl->dag;
    trod_edge e = dag->shape.first_out[dag->shape.entry]; /* ENTER */
    char name[16];

    if (trail->resumes) {
        e = dag->start_of_node[trail->first];
        if (e == TROD_NONE)
            return refuse(trail, err,
                "no path of '%s' starts after a cut at '%s'; remove the '>', or start at a loop header",
                dag->graph->name, trod_graph_node_name(dag->graph, trail->first, name));
    } else if (trail->first != dag->graph->entry) {
        return refuse(trail, err, "a path of '%s' starts at its entry '%s'%s",
            dag->graph->name, trod_graph_node_name(dag->graph, dag->graph->entry, name),
            dag->start_of_node[trail->first] == TROD_NONE
                ? ""
                : ", or after a cut: write '> ' before it");
    }
    *id = (trod_path)bl->val_of_edge[e];
    return true;
}

static bool encode_step(trod_path *id, const struct trod_trail *trail, uint32_t i,
    const struct trod_numbering *bl, struct trod_err *err)
{
    const struct trod_dag *dag = bl->dag;
    trod_edge e = dag->dag_of_edge[trail->edge[i]];
    bool must_cut = trail->breaks && i + 1 == trail->nedge;
    char from[16], to[16];
    const char *u =
        trod_graph_node_name(dag->graph, dag->graph->src_of_edge[trail->edge[i]], from);
    const char *v =
        trod_graph_node_name(dag->graph, dag->graph->dst_of_edge[trail->edge[i]], to);

    if (e == TROD_NONE)
        return refuse(
            trail, err, "block '%s' of '%s' cannot be reached", u, dag->graph->name);
    if (must_cut && dag->kind_of_edge[e] != TROD_DAG_END)
        return refuse(trail, err,
            "edge %s -> %s of '%s' is not cut: no path ends there; "
            "write '%s %s ...' and go on to an exit or a cut",
            u, v, dag->graph->name, u, v);
    if (!must_cut && dag->kind_of_edge[e] == TROD_DAG_END)
        return refuse(trail, err,
            "edge %s -> %s of '%s' is cut: the path ends there; write "
            "'... %s > %s', and '> %s ...' for the next one",
            u, v, dag->graph->name, u, v, v);
    *id += (trod_path)bl->val_of_edge[e];
    return true;
}

bool trod_trail_encode(trod_path *id, const struct trod_trail *trail,
    const struct trod_numbering *ballarus, struct trod_err *err)
{
    const struct trod_dag *dag = ballarus->dag;
    trod_node last = trail->first;
    char name[16];

    if (trail->by_id) {
        *id = trail->id;
        return trail->id < ballarus->npath ||
               refuse(trail, err,
                   "'%s' has no path %" PRIu64 "; ids go from 0 to %" PRIu64,
                   dag->graph->name, trail->id, ballarus->npath - 1);
    }
    if (!encode_start(id, trail, ballarus, err))
        return false;
    for (uint32_t i = 0; i < trail->nedge; i++) {
        if (!encode_step(id, trail, i, ballarus, err))
            return false;
        last = dag->graph->dst_of_edge[trail->edge[i]];
    }
    /* The edge to EXIT has the value 0, as it is the only one of its node. */
    if (!trail->breaks &&
        dag->graph->first_out[last] != dag->graph->first_out[last + 1])
        return refuse(trail, err,
            "a path of '%s' ends at an exit or with a cut ('... > "
            "block'), not at '%s'",
            dag->graph->name, trod_graph_node_name(dag->graph, last, name));
    return true;
}

static void print_block(
    struct trod_sink *sink, const struct trod_graph *graph, trod_node v)
{
    char buffer[16];

    trod_put_name(sink, trod_graph_node_name(graph, v, buffer));
}

/* The index among parallel edges, if there are any. */
static void print_which(
    struct trod_sink *sink, const struct trod_graph *g, trod_edge edge)
{
    trod_node u = g->src_of_edge[edge];
    uint32_t which = 0, count = 0;

    for (trod_edge e = g->first_out[u]; e < g->first_out[u + 1]; e++) {
        if (g->dst_of_edge[e] == g->dst_of_edge[edge]) {
            count++;
            which = e <= edge ? count : which;
        }
    }
    if (count > 1)
        trod_put(sink, "~%u", which);
}

void trod_trail_print(struct trod_sink *sink, const struct trod_dag *dag,
    const trod_edge *edge_of_step, uint32_t nstep)
{
    for (uint32_t i = 0; i < nstep; i++) {
        trod_edge e = edge_of_step[i], origin = dag->origin_of_edge[e];

        switch ((enum trod_dag_kind)dag->kind_of_edge[e]) {
        case TROD_DAG_START:
            trod_put(sink, "> ");
            print_block(sink, dag->graph, dag->shape.dst_of_edge[e]);
            break;
        case TROD_DAG_ENTER:
            print_block(sink, dag->graph, dag->shape.dst_of_edge[e]);
            break;
        case TROD_DAG_REAL:
        case TROD_DAG_END:
            trod_put(sink, dag->kind_of_edge[e] == TROD_DAG_END ? " > " : " ");
            print_block(sink, dag->graph, dag->graph->dst_of_edge[origin]);
            print_which(sink, dag->graph, origin);
            break;
        case TROD_DAG_LEAVE:
            break;
        }
    }
}
