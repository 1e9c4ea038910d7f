#include "super/super.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

/* --- printing -------------------------------------------------------------------------------- */

static const char *node_name(const struct trod_super_unit *unit, uint32_t function,
    trod_node node, char buffer[16])
{
    return trod_graph_node_name(trod_super_graph_of(unit, function), node, buffer);
}

void trod_super_print(struct trod_sink *sink, const struct trod_super_tree *tree,
    const struct trod_super_unit *unit)
{
    char buffer[16];

    trod_put(sink, "super ");
    trod_put_name(sink, unit->function[tree->frame[0].function].name);
    trod_put(sink, "*%" PRIu64 "\n", tree->frame[0].count);
    for (uint32_t i = 1; i < tree->nframe; i++) {
        const struct trod_super_frame *frame = &tree->frame[i];

        trod_put(sink, "%u: %u ", i, frame->parent);
        trod_put_name(sink,
            node_name(unit, tree->frame[frame->parent].function, frame->node, buffer));
        trod_put(sink, frame->guarded ? " ?" : " ");
        trod_put_name(sink, unit->function[frame->function].name);
        trod_put(sink, "*%" PRIu64 "\n", frame->count);
    }
}

void trod_super_json(struct trod_json *json, const char *key,
    const struct trod_super_tree *tree, const struct trod_super_unit *unit)
{
    char buffer[16];

    trod_json_open(json, key, '[');
    for (uint32_t i = 0; i < tree->nframe; i++) {
        const struct trod_super_frame *frame = &tree->frame[i];

        trod_json_open(json, NULL, '{');
        trod_json_text(json, "function", unit->function[frame->function].name);
        trod_json_uint(json, "count", frame->count);
        if (i) {
            trod_json_uint(json, "parent", frame->parent);
            trod_json_text(json, "node",
                node_name(
                    unit, tree->frame[frame->parent].function, frame->node, buffer));
            trod_json_bool(json, "guarded", frame->guarded);
        }
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

void trod_super_left_json(struct trod_json *json, const char *key,
    const struct trod_super_plan *plan, const struct trod_super_unit *unit)
{
    char buffer[16];

    trod_json_open(json, key, '[');
    for (uint32_t i = 0; i < plan->nleft; i++) {
        const struct trod_super_left *left = &plan->left[i];

        trod_json_open(json, NULL, '{');
        trod_json_text(json, "function", unit->function[left->function].name);
        if (left->node != TROD_NONE)
            trod_json_text(
                json, "node", node_name(unit, left->function, left->node, buffer));
        if (left->callee)
            trod_json_text(json, "callee", left->callee);
        trod_json_text(json, "why", left->why);
        trod_json_uint(json, "count", left->count);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

void trod_super_left_print(struct trod_sink *sink, const struct trod_super_left *left,
    const struct trod_super_unit *unit)
{
    char buffer[16];

    trod_put(sink, "%" PRIu64 " ", left->count);
    trod_put_name(sink, unit->function[left->function].name);
    if (left->node != TROD_NONE) {
        trod_put(sink, " ");
        trod_put_name(sink, node_name(unit, left->function, left->node, buffer));
    }
    if (left->callee) {
        trod_put(sink, " calls ");
        trod_put_name(sink, left->callee);
    }
    trod_put(sink, ": %s", left->why);
}

/* --- parsing ----------------------------------------------------------------------------------- */

struct parser {
    struct trod_parse in;
    const struct trod_super_unit *unit;
    struct trod_super_frame *frame;
    struct trod_names *nodes; /* by function; built when first needed */
    uint32_t nframe, room;
    uint64_t size;
};

/* `*COUNT` and the end of the line. */
static bool take_count(struct parser *p, uint64_t *out)
{
    struct trod_token token;

    if (!trod_parse_next(&token, &p->in))
        return false;
    if (!trod_token_is_mark(&token, '*'))
        return trod_parse_fail(
            &p->in, "expected '*' and how many segments go there, at most");
    return trod_parse_uint(out, &p->in, "how many segments go there") &&
           trod_parse_end(&p->in, "a frame");
}

static bool take_function(struct parser *p, struct trod_super_frame *out)
{
    struct trod_token token;

    if (!trod_parse_next(&token, &p->in))
        return false;
    out->guarded = trod_token_is_mark(&token, '?');
    if (out->guarded && !trod_parse_next(&token, &p->in))
        return false;
    if (token.kind != TROD_T_NAME)
        return trod_parse_fail(
            &p->in, "expected the function that is called, or '?' before it");
    out->function = trod_names_find(&p->unit->names, token.name);
    return out->function != UINT32_MAX ||
           trod_parse_fail(&p->in,
               "there is no function '%.100s' before this; put its numbering there",
               token.name);
}

/* A node of the parent's function, by name. */
static bool take_node(struct parser *p, struct trod_super_frame *out)
{
    uint32_t function = p->frame[out->parent].function;
    const struct trod_graph *graph = trod_super_graph_of(p->unit, function);
    struct trod_names *names = &p->nodes[function];
    const char *name;

    if (!names->mem) {
        trod_names_init(names, p->in.mem);
        for (trod_node v = 0; v < graph->nnode; v++) {
            char buffer[16];
            const char *own = trod_graph_node_name(graph, v, buffer);

            trod_names_add(names, own == buffer ? trod_copy(p->in.mem, own) : own);
        }
    }
    if (!trod_parse_name(&name, &p->in, "the node of a call"))
        return false;
    out->node = trod_names_find(names, name);
    return out->node != UINT32_MAX ||
           trod_parse_fail(&p->in, "'%.100s' has no node '%.100s'",
               p->unit->function[function].name, name);
}

/* `PARENT NODE FUNCTION*COUNT`, after the number of the frame and its colon. */
static bool take_frame(struct parser *p)
{
    struct trod_super_frame frame = {0};
    uint64_t parent;

    if (!trod_parse_uint(&parent, &p->in, "the frame that calls"))
        return false;
    if (parent >= p->nframe)
        return trod_parse_fail(&p->in,
            "a frame must follow the frame that calls it, and there is no frame "
            "%" PRIu64 " before this",
            parent);
    frame.parent = (uint32_t)parent;
    frame.depth = p->frame[parent].depth + 1;
    if (!take_node(p, &frame) || !take_function(p, &frame) ||
        !take_count(p, &frame.count))
        return false;
    p->size += trod_super_size(p->unit, frame.function);
    if (p->size > TROD_SUPER_MOST)
        return trod_parse_fail(
            &p->in, "the supergraph would be too large; remove frames");
    trod_push(p->in.mem, p->frame, p->nframe, p->room, frame);
    return true;
}

/* A line of frames begins with a number that has a colon after it. */
static bool at_frame(bool *out, struct parser *p)
{
    struct trod_text ahead = *p->in.text;
    struct trod_token one, two = {0};
    uint64_t number = 0;

    if (!trod_text_next(&one, &ahead, p->in.mem, p->in.err))
        return false;
    if (one.kind == TROD_T_NAME && !trod_text_next(&two, &ahead, p->in.mem, p->in.err))
        return false;
    *out = trod_token_is_mark(&two, ':');
    if (!*out)
        return true;
    if (!trod_text_uint(&number, one.name) || number != p->nframe)
        return trod_text_fail(&ahead, p->in.err,
            "frames are numbered from 1 up: this is %u, not '%.100s'", p->nframe,
            one.name);
    *p->in.text = ahead;
    return true;
}

bool trod_super_parse(struct trod_super_tree *out, const char *name,
    struct trod_text *text, const struct trod_super_unit *unit, struct trod_arena *mem,
    struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}, .unit = unit};
    struct trod_super_frame root = {.parent = TROD_NONE, .node = TROD_NONE};
    uint32_t line = text->line;
    struct trod_err found;
    bool more;

    p.nodes = trod_new(mem, struct trod_names, unit->nfunction);
    root.function = trod_names_find(&unit->names, name);
    if (root.function == UINT32_MAX)
        return trod_text_fail(text, err,
            "there is no function '%.100s' before this; put its numbering there", name);
    if (!take_count(&p, &root.count))
        return false;
    p.size = trod_super_size(unit, root.function);
    trod_push(mem, p.frame, p.nframe, p.room, root);
    for (;;) {
        if (!at_frame(&more, &p))
            return false;
        if (!more)
            break;
        if (!take_frame(&p))
            return false;
    }
    *out = (struct trod_super_tree){.nframe = p.nframe, .frame = p.frame};
    if (trod_super_tree_check(out, unit, mem, err))
        return true;
    found = *err;
    text->line = line;
    return trod_text_fail(text, err, "%s", found.text);
}
