#include "online/online.h"

#include <inttypes.h>
#include <string.h>

/* A block, and what it decided as far as the next ones show. If others came in between, that is told
 * where its function goes on.
 */
struct trod_online_word {
    uint32_t function;
    trod_node node;
    uint32_t way; /* that the block went, or TROD_NONE */
    trod_node of; /* whose decision shows here only, or TROD_NONE */
    uint32_t way_of;
};

/* --- names -------------------------------------------------------------------------------------------- */

void trod_online_names(struct trod_online_names *out,
    const struct trod_subpaths *subpaths, const struct trod_map *map,
    struct trod_arena *mem)
{
    uint32_t n = subpaths->blocks->nfunction, longest = 0;

    *out = (struct trod_online_names){.subpaths = subpaths};
    out->entry_of_function = trod_new(mem, const struct trod_map_entry *, n);
    out->name_of_function = trod_new(mem, const char *, n);
    for (uint32_t f = 0; f < n; f++) {
        const struct trod_profile_function *function = &subpaths->blocks->function[f];
        const struct trod_map_entry *entry = trod_map_find(map, function);
        const char *name = entry ? entry->name : trod_map_name(map, function->name);
        struct trod_string hash;

        if (!name) {
            trod_string_init(&hash, mem);
            trod_put(&hash.sink, "?%016" PRIx64, function->name);
            name = hash.text;
        }
        /* What has no block in it was not read as one. */
        if (entry && (!entry->numbering.dag ||
                         entry->numbering.dag->graph->nnode != function->npath))
            entry = NULL;
        out->entry_of_function[f] = entry;
        out->name_of_function[f] = name;
    }
    for (size_t i = 0; i < subpaths->nsubpath; i++)
        if (longest < subpaths->subpath[i].length)
            longest = subpaths->subpath[i].length;
    out->word = trod_new(mem, struct trod_online_word, longest);
}

/* --- from blocks to words ------------------------------------------------------------------------------- */

struct telling {
    const struct trod_online_names *names;
    bool blocks;
    struct trod_online_word *word;
    uint32_t nword;
    uint32_t function; /* named last, or TROD_NONE */
    uint32_t line;     /* told last, of that function; 0: none */
    bool any;          /* something was told of the function */
    bool start;        /* nothing was told yet, or a bracket opened */
};

/* Which of several ways leads from one block to another; TROD_NONE if there is one way or none. */
static uint32_t way_to(const struct trod_map_entry *entry, trod_node from, trod_node to)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    uint32_t n = g->first_out[from + 1] - g->first_out[from];

    for (uint32_t i = 0; n > 1 && i < n; i++)
        if (g->dst_of_edge[g->first_out[from] + i] == to)
            return i;
    return TROD_NONE;
}

static bool leads_to(const struct trod_map_entry *entry, trod_node from, trod_node to)
{
    const struct trod_graph *g = entry->numbering.dag->graph;

    for (trod_edge e = g->first_out[from]; e < g->first_out[from + 1]; e++)
        if (g->dst_of_edge[e] == to)
            return true;
    return false;
}

/* A block behind others of other functions: of which block before these it is the next. */
static void look_back(struct telling *t, uint32_t i)
{
    struct trod_online_word *w = &t->word[i];
    const struct trod_map_entry *entry = t->names->entry_of_function[w->function];

    w->of = TROD_NONE;
    w->way_of = 0;
    if (!entry || !i || t->word[i - 1].function == w->function)
        return;
    for (uint32_t k = i; k-- > 0;) {
        const struct trod_online_word *before = &t->word[k];

        if (before->function != w->function)
            continue;
        if (before->way == TROD_NONE && leads_to(entry, before->node, w->node)) {
            uint32_t way = way_to(entry, before->node, w->node);

            w->way_of = way == TROD_NONE ? 0 : way;
            w->of = way == TROD_NONE ? TROD_NONE : before->node;
        }
        return;
    }
}

/* The last block is told as if the first followed if they are rounds. */
static void find_words(struct telling *t, const struct trod_online_subpath *s)
{
    const struct trod_online_blocks *blocks = t->names->subpaths->blocks;
    bool rounds = trod_online_period(s->block, s->length) < s->length;

    for (uint32_t i = 0; i < s->length; i++) {
        struct trod_online_word *w = &t->word[i];

        w->function = trod_online_blocks_function(blocks, s->block[i]);
        w->node = trod_online_blocks_node(blocks, w->function, s->block[i]);
    }
    for (uint32_t i = 0; i < s->length; i++) {
        struct trod_online_word *w = &t->word[i];
        const struct trod_online_word *next = &t->word[(i + 1) % s->length];
        const struct trod_map_entry *entry = t->names->entry_of_function[w->function];

        w->way = TROD_NONE;
        if (entry && next->function == w->function && (rounds || i + 1 < s->length))
            w->way = way_to(entry, w->node, next->node);
        look_back(t, i);
    }
    t->nword = s->length;
}

/* --- from words to text ----------------------------------------------------------------------------------- */

static uint32_t first_line(const struct trod_map_entry *entry, trod_node v)
{
    uint32_t at = entry->first_line[v];

    return at < entry->first_line[v + 1] ? entry->line[at] : 0;
}

static uint32_t last_line(const struct trod_map_entry *entry, trod_node v)
{
    uint32_t end = entry->first_line[v + 1];

    return end > entry->first_line[v] ? entry->line[end - 1] : 0;
}

static void put_blank(struct trod_sink *sink, struct telling *t)
{
    if (!t->start)
        trod_put(sink, " ");
    t->start = false;
}

static void put_block(struct trod_sink *sink, struct telling *t,
    const struct trod_map_entry *entry, trod_node node)
{
    char buffer[16];

    put_blank(sink, t);
    trod_put(sink, "#");
    if (entry)
        trod_put_name(
            sink, trod_graph_node_name(entry->numbering.dag->graph, node, buffer));
    else
        trod_put(sink, "%" PRIu32, node);
    t->line = 0;
    t->any = true;
}

static void put_way(struct trod_sink *sink, const struct trod_map_entry *entry,
    trod_node v, uint32_t way)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    uint32_t nway = g->first_out[v + 1] - g->first_out[v];

    if (nway == 2)
        trod_put(sink, way == 0 ? ":T" : ":F");
    else if (way == 0)
        trod_put(sink, ":default");
    else
        trod_put(sink, ":case%" PRIu32, way);
}

static void put_decision(struct trod_sink *sink, struct telling *t,
    const struct trod_map_entry *entry, trod_node v, uint32_t way)
{
    uint32_t line = last_line(entry, v);

    if (!line) {
        put_block(sink, t, entry, v);
    } else {
        put_blank(sink, t);
        trod_put(sink, "%" PRIu32, line);
    }
    put_way(sink, entry, v, way);
    t->line = line;
    t->any = true;
}

static void put_function(struct trod_sink *sink, struct telling *t, uint32_t function)
{
    if (t->function == function)
        return;
    if (t->function != TROD_NONE && !t->start)
        trod_put(sink, " |");
    put_blank(sink, t);
    if (t->names->name_of_function[function][0] == '?')
        trod_put(sink, "%s", t->names->name_of_function[function]);
    else
        trod_put_name(sink, t->names->name_of_function[function]);
    t->function = function;
    t->line = 0;
    t->any = false;
}

/* A block that decides nothing is told by its line, unless that is what was told last. */
static void put_word(
    struct trod_sink *sink, struct telling *t, const struct trod_online_word *w)
{
    const struct trod_map_entry *entry = t->names->entry_of_function[w->function];
    uint32_t line;

    put_function(sink, t, w->function);
    if (t->blocks || !entry || !entry->first_line) {
        put_block(sink, t, entry, w->node);
        return;
    }
    if (w->of != TROD_NONE)
        put_decision(sink, t, entry, w->of, w->way_of);
    if (w->way != TROD_NONE) {
        put_decision(sink, t, entry, w->node, w->way);
        return;
    }
    line = first_line(entry, w->node);
    if (!line) {
        if (!t->any)
            put_block(sink, t, entry, w->node);
    } else if (line != t->line) {
        put_blank(sink, t);
        trod_put(sink, "%" PRIu32, line);
        t->line = line;
        t->any = true;
    }
}

/* --- rounds ------------------------------------------------------------------------------------------------ */

static bool is_same(
    const struct trod_online_word *a, const struct trod_online_word *b, uint32_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* Of how many words a round is that begins here, and how many there are: as many words as possible, in
 * rounds as short as possible.
 */
static uint32_t find_rounds(const struct telling *t, uint32_t from, uint32_t *nround)
{
    uint32_t left = t->nword - from, best = 0;

    *nround = 1;
    for (uint32_t n = 1; n <= left / 2; n++) {
        uint32_t k = 1;

        while (
            (k + 1) * n <= left && is_same(&t->word[from], &t->word[from + k * n], n))
            k++;
        if (k > 1 && k * n > best * *nround) {
            best = n;
            *nround = k;
        }
    }
    return best;
}

static bool is_of_several(const struct trod_online_word *word, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (word[i].function != word[0].function)
            return true;
    return false;
}

static void put_rounds(struct trod_sink *sink, struct telling *t, uint32_t from,
    uint32_t n, uint32_t nround)
{
    if (is_of_several(&t->word[from], n)) {
        if (!t->start)
            trod_put(sink, " |");
        t->function = TROD_NONE;
    } else {
        put_function(sink, t, t->word[from].function);
    }
    put_blank(sink, t);
    trod_put(sink, "(");
    t->start = true;
    t->line = 0;
    for (uint32_t i = 0; i < n; i++)
        put_word(sink, t, &t->word[from + i]);
    trod_put(sink, ")x%" PRIu32, nround);
    t->start = false;
    t->line = 0;
}

void trod_online_tell(struct trod_sink *sink, const struct trod_online_names *names,
    const struct trod_online_subpath *subpath, bool blocks)
{
    struct telling t = {.names = names,
        .blocks = blocks,
        .function = TROD_NONE,
        .start = true,
        .word = names->word};
    uint32_t n, nround;

    find_words(&t, subpath);
    for (uint32_t i = 0; i < t.nword; i += n * nround) {
        n = find_rounds(&t, i, &nround);
        if (n) {
            put_rounds(sink, &t, i, n, nround);
        } else {
            n = 1;
            put_word(sink, &t, &t.word[i]);
        }
    }
}
