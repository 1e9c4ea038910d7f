#include "stream/stream.h"

#include "stream/alike.h"

/* The automaton of all streams: a trie of their data, with failure and output links.
 *
 * paper:  Aho & Corasick, "Efficient String Matching: An Aid to Bibliographic Search", CACM 1975
 */
struct node {
    uint32_t failure; /* node of the longest proper suffix; 0: the root */
    uint32_t output;  /* nearest node along failure links that ends a stream; 0: none */
    uint32_t stream;  /* number + 1 of the stream that ends here; 0: none */
    uint32_t first_child, sibling; /* 0: none */
    uint32_t datum;
};

struct counter {
    uint64_t end; /* of the last occurrence, in references */
    uint64_t seen, times;
};

struct matcher {
    struct trod_streams *of;
    const struct trod_stream_options *options;
    struct trod_stream *stream;
    size_t nstream;
    struct trod_stream_table data;
    struct trod_stream_table ways; /* node, datum -> way_to[number] */
    uint32_t *way_to;
    size_t room_way;
    struct node *node;
    uint32_t nnode, room_node;
    struct counter *counter;
    uint32_t *code; /* ring buffer: codes of the last references */
    uint64_t nref, weight;
    uint32_t at;
    struct trod_arena *mem, *scratch;
};

/* --- the trie ---------------------------------------------------------------------------------------- */

static uint32_t child_of(const struct matcher *l, uint32_t node, uint32_t datum)
{
    uint32_t way = trod_stream_table_find(&l->ways, node, datum);

    return way == UINT32_MAX ? 0 : l->way_to[way];
}

static uint32_t add_child(struct matcher *l, uint32_t node, uint32_t datum)
{
    uint32_t child = child_of(l, node, datum), way;

    if (child)
        return child;
    trod_reserve(l->scratch, l->node, l->nnode, l->room_node);
    child = l->nnode++;
    l->node[child] =
        (struct node){.sibling = l->node[node].first_child, .datum = datum};
    l->node[node].first_child = child;
    way = trod_stream_table_add(&l->ways, node, datum);
    trod_reserve(l->scratch, l->way_to, way, l->room_way);
    l->way_to[way] = child;
    return child;
}

static uint32_t go_on(const struct matcher *l, uint32_t node, uint32_t datum)
{
    uint32_t child;

    while (!(child = child_of(l, node, datum)) && node)
        node = l->node[node].failure;
    return child;
}

/* Fill failure and output links breadth-first: nodes nearer to the root come first. */
static void link_nodes(struct matcher *l)
{
    uint32_t *row = trod_new(l->scratch, uint32_t, (size_t)l->nnode + 1);
    uint32_t count = 1;

    for (uint32_t i = 0; i < count; i++) {
        struct node *node = &l->node[row[i]];

        for (uint32_t c = node->first_child; c; c = l->node[c].sibling) {
            struct node *child = &l->node[c];
            uint32_t end = row[i] ? go_on(l, node->failure, child->datum) : 0;

            child->failure = end;
            child->output = l->node[end].stream ? end : l->node[end].output;
            row[count++] = c;
        }
    }
}

static void build_tree(struct matcher *l)
{
    trod_stream_table_init(&l->ways, l->scratch);
    trod_reserve(l->scratch, l->node, l->nnode, l->room_node);
    l->nnode = 1;
    for (size_t i = 0; i < l->nstream; i++) {
        uint32_t node = 0;

        for (uint32_t k = 0; k < l->stream[i].length; k++)
            node = add_child(l, node, l->stream[i].datum[k]);
        l->node[node].stream = (uint32_t)i + 1;
    }
    link_nodes(l);
}

/* --- occurrences ----------------------------------------------------------------------------------------- */

static void keep_codes(struct matcher *l, struct trod_stream *s)
{
    uint32_t longest = l->of->longest;
    uint32_t *code = trod_new(l->mem, uint32_t, s->length);

    for (uint32_t i = 0; i < s->length; i++)
        code[i] = l->code[(l->nref - s->length + i) % longest];
    s->code = code;
}

/* Count an occurrence if it does not overlap the previous one. This greedy choice finds the most
 * occurrences without overlap. */
static void found(struct matcher *l, uint32_t number)
{
    struct trod_stream *s = &l->stream[number];
    struct counter *c = &l->counter[number];

    if (!s->code)
        keep_codes(l, s);
    if (l->nref - s->length < c->end)
        return;
    c->end = l->nref;
    c->seen++;
    c->times = trod_sat_add(c->times, l->weight);
}

static void look_run(uint32_t thread, uint64_t weight, void *ctx)
{
    struct matcher *l = ctx;

    (void)thread;
    l->weight = weight;
    l->at = 0;
}

static void look_ref(const struct trod_stream_ref *ref, void *ctx)
{
    struct matcher *l = ctx;
    struct trod_stream_datum datum;

    if (trod_stream_is_out(l->of->names, l->options, ref))
        return;
    trod_stream_datum_of(&datum, l->of->names, l->of->by, ref);
    l->code[l->nref++ % l->of->longest] = ref->code;
    l->at = go_on(l, l->at, trod_stream_number_datum(&l->data, &datum));
    for (uint32_t n = l->node[l->at].stream ? l->at : l->node[l->at].output; n;
        n = l->node[n].output)
        found(l, l->node[n].stream - 1);
}

/* Give data the numbers they had in the first pass. */
static void number_data(struct matcher *l)
{
    trod_stream_table_init(&l->data, l->scratch);
    for (uint32_t i = 0; i < l->of->ndatum; i++)
        trod_stream_number_datum(&l->data, &l->of->datum[i]);
}

void trod_stream_look(struct trod_streams *streams, const struct trod_stream_refs *refs,
    const struct trod_stream_options *options, size_t most, bool exact,
    struct trod_arena *mem, struct trod_arena *scratch)
{
    struct matcher l = {.of = streams,
        .options = options,
        .nstream = most < streams->nstream ? most : streams->nstream,
        .mem = mem,
        .scratch = scratch};
    struct trod_stream_visitor visitor = {look_run, look_ref, &l};

    l.stream = trod_new(mem, struct trod_stream, l.nstream + 1);
    for (size_t i = 0; i < l.nstream; i++)
        l.stream[i] = streams->stream[i];
    l.counter = trod_new(scratch, struct counter, l.nstream + 1);
    l.code = trod_new(scratch, uint32_t, streams->longest);
    number_data(&l);
    build_tree(&l);
    trod_stream_each(refs, &visitor);
    for (size_t i = 0; exact && i < l.nstream; i++) {
        l.stream[i].nseen = l.counter[i].seen;
        l.stream[i].times = l.counter[i].times;
        l.stream[i].heat = trod_sat_mul(l.stream[i].times, l.stream[i].length);
    }
    streams->exact |= exact;
    streams->stream = l.stream;
    streams->nstream = l.nstream;
    streams->sorted = NULL;
    if (exact)
        trod_stream_order(streams, l.stream, l.nstream, scratch);
}
