#include "graph/graph.h"
#include "base/parse.h"

#include <string.h>

/* Returns what is wrong with a call, or NULL; `before` is the previous call, or NULL. */
static const char *fault_of(const struct trod_call *call,
    const struct trod_call *before, const struct trod_graph *graph)
{
    trod_node v = call->node;

    if (v >= graph->nnode)
        return "it is in no node of the graph";
    if (before && before->node == v && before->last == call->last)
        return "its node already has a call there";
    if (before && (before->node > v || (before->node == v && before->last)))
        return "it is out of order; write the calls in the order of their nodes, and "
               "the call at the end of a node last";
    if (call->last)
        return graph->first_out[v] == graph->first_out[v + 1]
                   ? NULL
                   : "it never returns, and its node has successors";
    if (v == graph->entry)
        return "it begins the entry; paths to it must end, so it needs a node of its own";
    if (graph->first_in[v + 1] - graph->first_in[v] != 1)
        return "its node does not have exactly one predecessor";
    if (!graph->cut_of_edge || !graph->cut_of_edge[graph->in_edge[graph->first_in[v]]])
        return "the edge into its node is not cut";
    return NULL;
}

bool trod_calls_check(const struct trod_calls *calls, const struct trod_graph *graph,
    struct trod_err *err)
{
    const struct trod_call *call = calls->call;

    for (uint32_t i = 0; i < calls->ncall; i++) {
        const char *fault = fault_of(&call[i], i ? &call[i - 1] : NULL, graph);

        if (fault)
            return trod_fail(err, TROD_E_INTERNAL, "call %u of '%s', at node %u: %s",
                i + 1, graph->name, call[i].node, fault);
    }
    return true;
}

const struct trod_call *trod_calls_find(
    const struct trod_calls *calls, trod_node node, bool last)
{
    uint32_t from = 0, to = calls->ncall;

    while (from < to) {
        uint32_t mid = from + (to - from) / 2;
        const struct trod_call *call = &calls->call[mid];

        if (call->node < node || (call->node == node && call->last < last))
            from = mid + 1;
        else
            to = mid;
    }
    return from < calls->ncall && calls->call[from].node == node &&
                   calls->call[from].last == last
               ? &calls->call[from]
               : NULL;
}

/* --- text form -------------------------------------------------------------------------- */

void trod_calls_print(struct trod_sink *sink, const struct trod_calls *calls,
    const struct trod_graph *graph)
{
    char buffer[16];

    trod_put(sink, "calls ");
    trod_put_name(sink, graph->name);
    trod_put(sink, "\n");
    for (uint32_t i = 0; i < calls->ncall; i++) {
        const struct trod_call *call = &calls->call[i];

        trod_put_name(sink, trod_graph_node_name(graph, call->node, buffer));
        trod_put(sink, call->last ? "!: " : ": ");
        if (call->callee)
            trod_put_name(sink, call->callee);
        else
            trod_put(sink, "*");
        trod_put(sink, "\n");
    }
}

struct reader {
    struct trod_parse in;
    struct trod_names names; /* of nodes */
};

/* A call line begins with a name followed by a colon or '!'. */
static bool at_call(bool *out, struct reader *r)
{
    struct trod_text ahead = *r->in.text;
    struct trod_token one, two = {0};

    if (!trod_text_next(&one, &ahead, r->in.mem, r->in.err))
        return false;
    if (one.kind == TROD_T_NAME && !trod_text_next(&two, &ahead, r->in.mem, r->in.err))
        return false;
    *out = trod_token_is_mark(&two, ':') || trod_token_is_mark(&two, '!');
    return true;
}

static bool read_callee(struct trod_call *out, struct reader *r)
{
    struct trod_token token;

    if (!trod_parse_next(&token, &r->in))
        return false;
    if (token.kind == TROD_T_NAME)
        out->callee = token.name;
    else if (!trod_token_is_mark(&token, '*'))
        return trod_parse_fail(&r->in,
            "expected the function that is called, or '*' if the call is indirect");
    return trod_parse_end(&r->in, "the function that is called");
}

static bool read_call(struct trod_call *out, struct reader *r, const char *function)
{
    struct trod_token name, mark;

    if (!trod_parse_next(&name, &r->in) || !trod_parse_next(&mark, &r->in))
        return false;
    *out = (struct trod_call){.node = trod_names_find(&r->names, name.name),
        .last = trod_token_is_mark(&mark, '!')};
    if (out->node == UINT32_MAX)
        return trod_parse_fail(&r->in,
            "'%.100s' has no node '%.100s'; correct the name", function, name.name);
    if (out->last && !trod_parse_next(&mark, &r->in))
        return false;
    if (!trod_token_is_mark(&mark, ':'))
        return trod_parse_fail(
            &r->in, "expected a line 'node: function' or 'node!: function'");
    return read_callee(out, r);
}

static void add_node(struct reader *r, const struct trod_graph *graph, trod_node v)
{
    char buffer[16];
    const char *name = trod_graph_node_name(graph, v, buffer);

    trod_names_add(&r->names, name == buffer ? trod_copy(r->in.mem, name) : name);
}

bool trod_calls_parse(struct trod_calls *out, const struct trod_graph *graph,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {.in = {text, mem, err}};
    struct trod_call *call = NULL;
    uint32_t n = 0, room = 0;
    bool more;

    trod_names_init(&r.names, mem);
    for (trod_node v = 0; v < graph->nnode; v++)
        add_node(&r, graph, v);
    if (!trod_parse_end(&r.in, "the name of a function"))
        return false;
    for (;;) {
        const char *fault;

        if (!at_call(&more, &r))
            return false;
        if (!more)
            break;
        trod_reserve(mem, call, n, room);
        if (!read_call(&call[n], &r, graph->name))
            return false;
        fault = fault_of(&call[n], n ? &call[n - 1] : NULL, graph);
        if (fault)
            return trod_text_fail(
                text, err, "invalid call of '%.100s': %s", graph->name, fault);
        n++;
    }
    *out = (struct trod_calls){.ncall = n, .call = call};
    return true;
}
