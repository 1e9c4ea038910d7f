#include "probe/probe.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

/* --- operations ---------------------------------------------------------- */

struct reader {
    struct trod_parse in;
    /* Operations as they are read, before edges are numbered. An exit is recorded even without operations, with
     * TROD_OP_NONE.
     */
    struct item {
        enum trod_body_place place;
        uint32_t index;
        uint32_t line;
        struct trod_op op;
    } *item;
    uint32_t nitem, room_item;
    uint32_t *line_of_arc;
    uint32_t narc, room_arc;
    uint32_t line_of_start;
};

static bool no_op(struct reader *r, uint32_t line)
{
    r->in.text->line = line; /* the offending token may be the end of the line */
    return trod_parse_fail(&r->in,
        "expected an operation inside braces: r=N, r+=N, r-=N, [r]++, [r+N]++, "
        "[r-N]++, [N]++, begun++, tN++ or flush tN [r+N] r=N; close them on the same "
        "line");
}

/* Expects each mark of a string in turn. */
static bool take_marks(struct reader *r, const char *marks)
{
    struct trod_token token;
    uint32_t line = r->in.text->line;

    for (; *marks; marks++) {
        if (!trod_parse_next(&token, &r->in))
            return false;
        if (!trod_token_is_mark(&token, *marks))
            return no_op(r, line);
    }
    return true;
}

/* The digits of a constant whose sign has been read. */
static bool take_digits(int64_t *out, struct reader *r, const struct trod_token *digits,
    bool minus, uint32_t line)
{
    uint64_t size;

    if (digits->kind != TROD_T_NAME)
        return no_op(r, line);
    if (digits->quoted || !trod_text_uint(&size, digits->name) ||
        size > (uint64_t)INT64_MAX + minus)
        return trod_parse_fail(&r->in,
            "'%.60s' is not a constant; write a whole number from -2^63 to 2^63 - 1",
            digits->name);
    *out = (int64_t)(minus ? 0 - size : size);
    return true;
}

/* N or -N */
static bool take_constant(int64_t *out, struct reader *r)
{
    uint32_t line = r->in.text->line;
    struct trod_token token;
    bool minus;

    if (!trod_parse_next(&token, &r->in))
        return false;
    minus = trod_token_is_mark(&token, '-');
    if (minus && !trod_parse_next(&token, &r->in))
        return false;
    return take_digits(out, r, &token, minus, line);
}

/* `++`, `?`, `>`, `!` or `~` */
static bool take_action(struct trod_op *op, struct reader *r)
{
    uint32_t line = r->in.text->line;
    struct trod_token token;

    if (!trod_parse_next(&token, &r->in))
        return false;
    if (trod_token_is_mark(&token, '+'))
        return take_marks(r, "+");
    if (token.kind != TROD_T_MARK || !strchr("?>!~", token.mark))
        return no_op(r, line);
    op->action = trod_token_is_mark(&token, '?')   ? TROD_ACTION_ASK
                 : trod_token_is_mark(&token, '>') ? TROD_ACTION_STRAY
                 : trod_token_is_mark(&token, '!') ? TROD_ACTION_REPORT
                                                   : TROD_ACTION_PASS;
    return true;
}

/* The rest of `[r]`, `[r+N]` or `[r-N]` after the r. */
static bool take_distance(int64_t *out, struct reader *r)
{
    uint32_t line = r->in.text->line;
    struct trod_token sign, digits;

    if (!trod_parse_next(&sign, &r->in))
        return false;
    *out = 0;
    if (trod_token_is_mark(&sign, ']'))
        return true;
    if (!trod_token_is_mark(&sign, '+') && !trod_token_is_mark(&sign, '-'))
        return no_op(r, line);
    return trod_parse_next(&digits, &r->in) &&
           take_digits(out, r, &digits, trod_token_is_mark(&sign, '-'), line) &&
           take_marks(r, "]");
}

/* tN; whether the plan has this number is checked at the end. */
static bool is_trip_counter(uint32_t *loop, const struct trod_token *token)
{
    uint64_t number;

    if (token->kind != TROD_T_NAME || token->quoted || token->name[0] != 't' ||
        !trod_text_uint(&number, token->name + 1) || number >= UINT32_MAX)
        return false;
    *loop = (uint32_t)number;
    return true;
}

/* After `r`: =N, +=N or -=N */
static bool take_change(struct trod_op *op, struct reader *r)
{
    uint32_t line = r->in.text->line;
    struct trod_token sign, digits;

    if (!trod_parse_next(&sign, &r->in))
        return false;
    op->kind = trod_token_is_mark(&sign, '=') ? TROD_OP_SET : TROD_OP_ADD;
    if (op->kind == TROD_OP_SET)
        return take_constant(&op->value, r);
    if (!trod_token_is_mark(&sign, '+') && !trod_token_is_mark(&sign, '-'))
        return no_op(r, line);
    return take_marks(r, "=") && trod_parse_next(&digits, &r->in) &&
           take_digits(&op->value, r, &digits, trod_token_is_mark(&sign, '-'), line);
}

/* After `[`: r]++, r+N]++, r-N]++ or N]++, or another action instead of ++ */
static bool take_count(struct trod_op *op, struct reader *r)
{
    struct trod_token token;
    bool known;

    if (!trod_parse_peek(&token, &r->in))
        return false;
    known = !trod_token_is_word(&token, "r");
    op->kind = known ? TROD_OP_COUNT_AT : TROD_OP_COUNT;
    if (known)
        return take_constant(&op->value, r) && take_marks(r, "]") && take_action(op, r);
    return trod_parse_next(&token, &r->in) && take_distance(&op->value, r) &&
           take_action(op, r);
}

/* After `flush`: tN [r+N] r=N */
static bool take_flush(struct trod_op *op, struct reader *r)
{
    uint32_t line = r->in.text->line;
    struct trod_token counter, index, again;

    op->kind = TROD_OP_FLUSH;
    if (!trod_parse_next(&counter, &r->in))
        return false;
    if (!is_trip_counter(&op->loop, &counter))
        return no_op(r, line);
    if (!take_marks(r, "[") || !trod_parse_next(&index, &r->in))
        return false;
    if (!trod_token_is_word(&index, "r"))
        return no_op(r, line);
    if (!take_distance(&op->value, r) || !trod_parse_next(&again, &r->in))
        return false;
    if (!trod_token_is_word(&again, "r"))
        return no_op(r, line);
    return take_marks(r, "=") && take_constant(&op->again, r);
}

static bool take_op(
    struct trod_op *op, struct reader *r, const struct trod_token *first, uint32_t line)
{
    if (trod_token_is_word(first, "r"))
        return take_change(op, r);
    if (trod_token_is_mark(first, '['))
        return take_count(op, r);
    if (trod_token_is_word(first, "flush"))
        return take_flush(op, r);
    op->kind = trod_token_is_word(first, "begun") ? TROD_OP_BEGIN : TROD_OP_BUMP;
    if (op->kind == TROD_OP_BUMP && !is_trip_counter(&op->loop, first))
        return no_op(r, line);
    return take_marks(r, "++");
}

static void note(struct reader *r, enum trod_body_place place, uint32_t index,
    struct trod_op op, uint32_t line)
{
    trod_push(r->in.mem, r->item, r->nitem, r->room_item,
        (struct item){.place = place, .index = index, .line = line, .op = op});
}

static bool take_ops(struct reader *r, enum trod_body_place place, uint32_t index)
{
    uint32_t line = r->in.text->line;
    struct trod_token token;

    if (!trod_parse_peek(&token, &r->in))
        return false;
    if (!trod_token_is_mark(&token, '{'))
        return true;
    if (!trod_parse_next(&token, &r->in) || !trod_parse_next(&token, &r->in))
        return false;
    while (!trod_token_is_mark(&token, '}')) {
        struct trod_op op = {0};

        if (!take_op(&op, r, &token, line) || !trod_parse_next(&token, &r->in))
            return false;
        note(r, place, index, op, line);
    }
    return true;
}

static bool annotate(void *ctx, enum trod_body_place place, uint32_t index,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct reader *r = ctx;

    (void)text;
    (void)mem;
    (void)err;
    switch (place) {
    case TROD_BODY_START:
        r->line_of_start = r->in.text->line;
        break;
    case TROD_BODY_ARC:
        trod_push(r->in.mem, r->line_of_arc, r->narc, r->room_arc, r->in.text->line);
        break;
    case TROD_BODY_EXIT:
        note(r, place, index, (struct trod_op){0}, r->in.text->line);
        break;
    }
    return take_ops(r, place, index);
}

/* --- the plan ------------------------------------------------------------ */

static bool read_placement(enum trod_placement *out, struct reader *r)
{
    uint32_t line = r->in.text->line;
    struct trod_token token;
    int placement = TROD_PLACE_FRONTIER;

    if (!trod_parse_next(&token, &r->in))
        return false;
    while (placement <= TROD_PLACE_PLAIN &&
           !trod_token_is_word(&token, trod_probe_placement_name(placement)))
        placement++;
    if (placement > TROD_PLACE_PLAIN) {
        r->in.text->line = line;
        return trod_parse_fail(&r->in,
            "a plan is frontier, tree or plain; write one of them after its name");
    }
    *out = placement;
    if (!trod_parse_next(&token, &r->in))
        return false;
    return token.kind == TROD_T_LINE || token.kind == TROD_T_END ||
           trod_parse_fail(&r->in, "unexpected text after 'plan'");
}

/* Set the line for an error message. */
static struct trod_text *at_line(struct reader *r, uint32_t line)
{
    r->in.text->line = line;
    return r->in.text;
}

/* Every retreating edge must be written as a cut, since operations are those of a DAG. */
static bool check_cuts(struct reader *r, const struct trod_graph_body *body,
    const struct trod_order *order)
{
    const struct trod_graph *graph = &body->graph;

    for (uint32_t a = 0; a < graph->nedge; a++) {
        trod_edge e = body->edge_of_arc[a];
        const char *to = graph->name_of_node[graph->dst_of_edge[e]];

        if (trod_has(order->retreating, e) &&
            !(graph->cut_of_edge && graph->cut_of_edge[e]))
            return trod_text_fail(at_line(r, r->line_of_arc[a]), r->in.err,
                "a plan runs on a graph without cycles, and the edge '%.60s' -> "
                "'%.60s' closes one; cut it: write '>%.60s'",
                graph->name_of_node[graph->src_of_edge[e]], to, to);
    }
    return true;
}

static bool check_ways(struct reader *r, const struct trod_graph_body *body)
{
    const struct trod_graph *graph = &body->graph;

    if (body->has_starts && (body->nstart != 1 || body->start[0] != graph->entry))
        return trod_text_fail(
            r->line_of_start ? at_line(r, r->line_of_start) : r->in.text, r->in.err,
            "the '>:' line of a plan names the entry, which here is '%.60s', and "
            "nothing else; what starts other paths stands on the cut edges",
            graph->name_of_node[graph->entry]);
    for (uint32_t i = 0; i < r->nitem; i++) {
        trod_node v;

        if (r->item[i].place != TROD_BODY_EXIT)
            continue;
        v = body->node_of_name[r->item[i].index];
        if (graph->first_out[v] < graph->first_out[v + 1])
            return trod_text_fail(at_line(r, r->item[i].line), r->in.err,
                "'.' gives '%.60s' an exit edge, but it has successors; remove one or the other",
                graph->name_of_node[v]);
    }
    return true;
}

static bool is_trips(const struct item *item)
{
    return item->op.kind == TROD_OP_BUMP || item->op.kind == TROD_OP_FLUSH;
}

static bool note_header(struct reader *r, trod_node *header_of_loop,
    const struct trod_graph_body *body, const struct item *item)
{
    const struct trod_graph *graph = &body->graph;
    trod_node *header = &header_of_loop[item->op.loop];
    trod_edge e = TROD_NONE;

    if (item->place == TROD_BODY_ARC)
        e = body->edge_of_arc[item->index];
    if (e == TROD_NONE || !graph->cut_of_edge || !graph->cut_of_edge[e])
        return trod_text_fail(at_line(r, item->line), r->in.err,
            "t%" PRIu32 "++ must stand on a cut edge to the header of a loop",
            item->op.loop);
    if (*header != TROD_NONE && *header != graph->dst_of_edge[e])
        return trod_text_fail(at_line(r, item->line), r->in.err,
            "t%" PRIu32
            " already counts the iterations of '%.60s'; give each loop a separate trip counter",
            item->op.loop, graph->name_of_node[*header]);
    *header = graph->dst_of_edge[e];
    return true;
}

/* Trip counters are numbered from 0 without gaps, and each has one header. Each has an edge, so the edges read so far
 * bound their number.
 */
static bool fill_loops(
    struct trod_plan *out, struct reader *r, const struct trod_graph_body *body)
{
    trod_node *header = trod_new(r->in.mem, trod_node, body->graph.nedge);
    uint32_t nloop = 0;

    memset(header, 0xff, body->graph.nedge * sizeof *header);
    for (uint32_t i = 0; i < r->nitem; i++) {
        struct item *item = &r->item[i];

        if (!is_trips(item))
            continue;
        if (item->op.loop >= body->graph.nedge)
            return trod_text_fail(at_line(r, item->line), r->in.err,
                "trip counter t%" PRIu32 " is out of range; number them from t0",
                item->op.loop);
        if (item->op.kind == TROD_OP_BUMP && !note_header(r, header, body, item))
            return false;
        if (item->op.loop >= nloop)
            nloop = item->op.loop + 1;
    }
    for (uint32_t loop = 0; loop < nloop; loop++)
        if (header[loop] == TROD_NONE)
            return trod_parse_fail(&r->in,
                "trip counter t%" PRIu32 " of plan '%.60s' never goes up; number trip "
                "counters from t0 without holes, and bump each on the edges back to "
                "the header of its loop",
                loop, body->graph.name);
    out->nloop = nloop;
    out->header_of_loop = header;
    return true;
}

static uint32_t site_of(const struct trod_graph_body *body, const struct item *item)
{
    switch (item->place) {
    case TROD_BODY_START:
        break;
    case TROD_BODY_ARC:
        return body->edge_of_arc[item->index];
    case TROD_BODY_EXIT:
        return trod_site_out(&body->graph, body->node_of_name[item->index]);
    }
    return trod_site_in(&body->graph);
}

/* Sort operations by site, stably. */
static void fill_ops(
    struct trod_plan *out, const struct reader *r, const struct trod_graph_body *body)
{
    uint32_t nsite = trod_site_in(&body->graph) + 1;
    uint32_t *first_op = trod_new(r->in.mem, uint32_t, (size_t)nsite + 1);
    struct trod_op *op = trod_new(r->in.mem, struct trod_op, r->nitem);
    struct trod_mark mark = trod_arena_mark(r->in.mem);
    uint32_t *place = trod_new(r->in.mem, uint32_t, nsite);

    for (uint32_t i = 0; i < r->nitem; i++)
        if (r->item[i].op.kind != TROD_OP_NONE)
            first_op[site_of(body, &r->item[i]) + 1]++;
    for (uint32_t site = 0; site < nsite; site++) {
        first_op[site + 1] += first_op[site];
        place[site] = first_op[site];
    }
    for (uint32_t i = 0; i < r->nitem; i++)
        if (r->item[i].op.kind != TROD_OP_NONE) {
            op[place[site_of(body, &r->item[i])]++] = r->item[i].op;
            out->begins |= r->item[i].op.kind == TROD_OP_BEGIN;
        }
    trod_arena_rewind(r->in.mem, mark);
    out->nsite = nsite;
    out->first_op = first_op;
    out->op = op;
}

bool trod_probe_parse(struct trod_plan *out, const char *name, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {.in = {text, mem, err}};
    struct trod_body_reader reader = {.annotate = annotate, .ctx = &r};
    struct trod_graph_body *body = trod_new(mem, struct trod_graph_body, 1);
    struct trod_view *view = trod_new(mem, struct trod_view, 1);
    struct trod_numbering *numbering = trod_new(mem, struct trod_numbering, 1);

    *out = (struct trod_plan){.numbering = numbering};
    if (!read_placement(&out->placement, &r) ||
        !trod_graph_parse_body(body, name, text, &reader, mem, err))
        return false;
    trod_graph_view(view, &body->graph, NULL, mem);
    numbering->dag = &view->dag;
    if (!check_cuts(&r, body, &view->order) || !check_ways(&r, body) ||
        !fill_loops(out, &r, body))
        return false;
    fill_ops(out, &r, body);
    return true;
}
