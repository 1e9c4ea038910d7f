#include "online/online.h"

#include <inttypes.h>
#include <string.h>

/* A block, and its outcome if the following blocks show it. If blocks of other functions are in
 * between, the outcome is printed where the block's function continues. Blocks are printed as lines
 * where these are known.
 */
struct trod_online_word {
    uint32_t function;
    trod_node node;
    uint32_t way;  /* index of the edge taken, or TROD_NONE */
    uint32_t line; /* 0: the block itself is printed */
    trod_node of;  /* block whose decision is printed here, or TROD_NONE */
    uint32_t of_way, of_line;
    const char *outcome, *of_outcome; /* of these decisions; NULL: unknown */
};

/* The outcome is omitted because the line of the next block shows it. */
enum { WAY_SHOWN = UINT32_MAX - 1 };

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
        const struct trod_map_entry *entry = trod_map_find_blocks(map, function);
        const char *name = entry ? entry->name : trod_map_name(map, function->name);
        char *hash;

        if (!name) {
            hash = trod_format(mem, "?%016" PRIx64, function->name);
            name = hash;
        }
        out->entry_of_function[f] = entry;
        out->name_of_function[f] = name;
    }
    for (size_t i = 0; i < subpaths->nsubpath; i++)
        if (longest < subpaths->subpath[i].length)
            longest = subpaths->subpath[i].length;
    out->word = trod_new(mem, struct trod_online_word, longest);
}

/* --- from blocks to words ------------------------------------------------------------------------------- */

struct formatter {
    const struct trod_online_names *names;
    bool blocks;
    bool cyclic; /* the first block follows the last */
    struct trod_online_word *word;
    uint32_t nword;
    uint32_t function; /* named last, or TROD_NONE */
    uint32_t line;     /* printed last, of that function; 0: none */
    bool start;        /* nothing was printed yet, or a bracket opened */
};

static const struct trod_map_entry *entry_of(
    const struct formatter *t, uint32_t function)
{
    return t->names->entry_of_function[function];
}

/* The index of the edge from one block to another; TROD_NONE: no such edge. */
static uint32_t way_to(const struct trod_map_entry *entry, trod_node from, trod_node to)
{
    const struct trod_graph *g = entry->numbering.dag->graph;

    for (trod_edge e = g->first_out[from]; e < g->first_out[from + 1]; e++)
        if (g->dst_of_edge[e] == to)
            return e - g->first_out[from];
    return TROD_NONE;
}

static uint32_t count_ways(const struct trod_map_entry *entry, trod_node v)
{
    const struct trod_graph *g = entry->numbering.dag->graph;

    return g->first_out[v + 1] - g->first_out[v];
}

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

/* The same if the first block is a branch; otherwise TROD_NONE. */
static uint32_t decision(
    const struct trod_map_entry *entry, trod_node from, trod_node to)
{
    return count_ways(entry, from) > 1 ? way_to(entry, from, to) : TROD_NONE;
}

/* Does the line of the target distinguish the edge from the block's other edges? */
static bool is_clear(const struct trod_map_entry *entry, trod_node v, uint32_t way)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    uint32_t line = first_line(entry, g->dst_of_edge[g->first_out[v] + way]);

    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
        if (e != g->first_out[v] + way && first_line(entry, g->dst_of_edge[e]) == line)
            return false;
    return line;
}

/* The outcome of a decision as the source has it, or else the index of the edge. In optimised code
 * it is mostly unknown which outcome the source calls true; then the line of the next block is more
 * useful than an index.
 */
static const char *find_outcome(
    const struct trod_map_entry *entry, trod_node v, uint32_t *way)
{
    const struct trod_map_decision *d = trod_map_decision_of(entry, v);
    const char *outcome = d && *way != TROD_NONE ? d->way[*way] : NULL;

    if (!outcome && *way != TROD_NONE && entry->first_line && is_clear(entry, v, *way))
        *way = WAY_SHOWN;
    return outcome;
}

/* Can the second block follow the first? Between functions: by a call, to the entry block, or by a
 * return, from an exit block.
 */
static bool can_follow(const struct formatter *t, const struct trod_online_word *a,
    const struct trod_online_word *b)
{
    const struct trod_map_entry *from = entry_of(t, a->function);
    const struct trod_map_entry *to = entry_of(t, b->function);

    if (!from || !to)
        return true;
    if (a->function == b->function && way_to(from, a->node, b->node) != TROD_NONE)
        return true;
    return b->node == to->numbering.dag->graph->entry || !count_ways(from, a->node);
}

/* Among equivalent rotations, choose a feasible one: it begins at a block that cannot follow its predecessor. */
static uint32_t find_begin(struct formatter *t)
{
    const struct trod_online_word *w = t->word;

    for (uint32_t i = 0; i < t->nword; i++)
        if (!can_follow(t, &w[(i ? i : t->nword) - 1], &w[i]))
            return i;
    return 0;
}

/* If blocks of other functions precede a block, find the earlier block of its own function that it
 * follows, and the decision there. An entry block was reached by a call.
 */
static void look_back(struct formatter *t, uint32_t i)
{
    struct trod_online_word *w = &t->word[i];
    const struct trod_map_entry *entry = entry_of(t, w->function);
    uint32_t n = t->nword, most = t->cyclic ? n : i;

    w->of = TROD_NONE;
    if (!entry || w->node == entry->numbering.dag->graph->entry)
        return;
    for (uint32_t back = 1; back <= most; back++) {
        const struct trod_online_word *before = &t->word[(i + n - back) % n];

        if (before->function != w->function)
            continue;
        if (back > 1 && decision(entry, before->node, w->node) != TROD_NONE) {
            w->of = before->node;
            w->of_way = decision(entry, before->node, w->node);
            w->of_line = entry->first_line ? last_line(entry, w->of) : 0;
            w->of_outcome = find_outcome(entry, w->of, &w->of_way);
        }
        return;
    }
}

static void find_word(struct formatter *t, uint32_t i)
{
    struct trod_online_word *w = &t->word[i];
    const struct trod_online_word *next = &t->word[(i + 1) % t->nword];
    const struct trod_map_entry *entry = entry_of(t, w->function);

    w->way = TROD_NONE;
    w->line = w->of_way = w->of_line = 0;
    if (t->blocks || !entry || !entry->first_line) {
        w->of = TROD_NONE;
        return;
    }
    if (next->function == w->function && (t->cyclic || i + 1 < t->nword))
        w->way = decision(entry, w->node, next->node);
    w->line =
        w->way == TROD_NONE ? first_line(entry, w->node) : last_line(entry, w->node);
    w->outcome = find_outcome(entry, w->node, &w->way);
    look_back(t, i);
}

static void place_words(
    struct formatter *t, const trod_block *block, uint32_t n, uint32_t begin)
{
    const struct trod_online_blocks *blocks = t->names->subpaths->blocks;

    t->nword = n;
    for (uint32_t i = 0; i < n; i++) {
        trod_block at = block[(begin + i) % n];
        struct trod_online_word *w = &t->word[i];

        *w = (struct trod_online_word){
            .function = trod_online_blocks_function(blocks, at)};
        w->node = trod_online_blocks_node(blocks, w->function, at);
    }
}

/* Fill the words of a subpath. Returns the first one to print, since a rotation may begin anywhere. */
static uint32_t place_rotated(struct formatter *t, const struct trod_online_subpath *s)
{
    uint32_t begin = 0;

    place_words(t, s->block, s->length, 0);
    if (t->names->subpaths->identity == TROD_SAMPLE_ROTATION)
        begin = find_begin(t);
    if (begin)
        place_words(t, s->block, s->length, begin);
    return begin;
}

static void find_words(struct formatter *t)
{
    for (uint32_t i = 0; i < t->nword; i++)
        find_word(t, i);
    /* Two blocks printed as lines are equal if their lines are: the block number is cleared. */
    for (uint32_t i = 0; i < t->nword; i++) {
        if (t->word[i].line)
            t->word[i].node = 0;
        if (t->word[i].of != TROD_NONE && t->word[i].of_line)
            t->word[i].of = 0;
    }
}

/* --- from words to text ----------------------------------------------------------------------------------- */

static void put_blank(struct trod_sink *sink, struct formatter *t)
{
    if (!t->start)
        trod_put(sink, " ");
    t->start = false;
}

static void put_place(struct trod_sink *sink, struct formatter *t,
    const struct trod_map_entry *entry, trod_node node, uint32_t line)
{
    char buffer[16];

    put_blank(sink, t);
    if (line) {
        trod_put(sink, "%" PRIu32, line);
    } else if (entry) {
        trod_put(sink, "#");
        trod_put_name(
            sink, trod_graph_node_name(entry->numbering.dag->graph, node, buffer));
    } else {
        trod_put(sink, "#%" PRIu32, node);
    }
}

static void put_way(struct trod_sink *sink, const char *outcome, uint32_t way)
{
    if (outcome) {
        trod_put(sink, ":");
        trod_put_shown(sink, outcome);
    } else if (way != WAY_SHOWN) {
        trod_put(sink, ":way%" PRIu32, way + 1);
    }
}

static void put_function(struct trod_sink *sink, struct formatter *t, uint32_t function)
{
    const char *name = t->names->name_of_function[function];

    if (t->function == function)
        return;
    if (t->function != TROD_NONE && !t->start)
        trod_put(sink, " |");
    put_blank(sink, t);
    if (name[0] == '?')
        trod_put(sink, "%s", name);
    else
        trod_put_display_name(sink, name);
    t->function = function;
    t->line = 0;
}

/* A block that is not a branch is printed as its line, unless that line was printed last. */
static void put_word(
    struct trod_sink *sink, struct formatter *t, const struct trod_online_word *w)
{
    const struct trod_map_entry *entry = entry_of(t, w->function);

    put_function(sink, t, w->function);
    if (w->of != TROD_NONE) {
        put_place(sink, t, entry, w->of, w->of_line);
        put_way(sink, w->of_outcome, w->of_way);
    }
    if (w->way != TROD_NONE && w->way != WAY_SHOWN) {
        put_place(sink, t, entry, w->node, w->line);
        put_way(sink, w->outcome, w->way);
    } else if (!w->line || w->line != t->line) {
        put_place(sink, t, entry, w->node, w->line);
    }
    t->line = w->line;
}

/* --- iterations ------------------------------------------------------------------------------------------------ */

static bool is_equal(const struct trod_online_word *a, const struct trod_online_word *b)
{
    return a->function == b->function && a->node == b->node && a->way == b->way &&
           a->line == b->line && a->of == b->of && a->of_way == b->of_way &&
           a->of_line == b->of_line && a->outcome == b->outcome &&
           a->of_outcome == b->of_outcome;
}

static bool is_same(
    const struct trod_online_word *a, const struct trod_online_word *b, uint32_t n)
{
    while (n && is_equal(a, b)) {
        a++;
        b++;
        n--;
    }
    return !n;
}

/* The length in words of the iteration that begins here, and its number of repetitions: as many
 * words in total as possible, then the shortest iteration.
 */
static uint32_t find_repeats(
    const struct trod_online_word *word, uint32_t nword, uint32_t *nrepeat)
{
    uint32_t best = 0;

    *nrepeat = 1;
    for (uint32_t n = 1; n <= nword / 2; n++) {
        uint32_t k = 1;

        while ((k + 1) * n <= nword && is_same(word, word + (size_t)k * n, n))
            k++;
        if (k > 1 && k * n > best * *nrepeat) {
            best = n;
            *nrepeat = k;
        }
    }
    return best;
}

static bool are_of_several(const struct trod_online_word *word, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (word[i].function != word[0].function)
            return true;
    return false;
}

static void put_words(struct trod_sink *sink, struct formatter *t,
    const struct trod_online_word *word, uint32_t n);

/* An iteration that spans several functions begins with a function's name. */
static void put_repeats(struct trod_sink *sink, struct formatter *t,
    const struct trod_online_word *word, uint32_t n, uint32_t nrepeat)
{
    if (are_of_several(word, n)) {
        if (!t->start)
            trod_put(sink, " |");
        t->function = TROD_NONE;
    } else {
        put_function(sink, t, word->function);
    }
    put_blank(sink, t);
    trod_put(sink, "(");
    t->start = true;
    t->line = 0;
    put_words(sink, t, word, n);
    trod_put(sink, ")x%" PRIu32, nrepeat);
    t->start = false;
    t->line = 0;
}

/* Recursive: an iteration has at most half as many words as its context. */
static void put_words(struct trod_sink *sink, struct formatter *t,
    const struct trod_online_word *word, uint32_t n)
{
    uint32_t nrepeat, length;

    for (uint32_t i = 0; i < n; i += length * nrepeat) {
        length = find_repeats(word + i, n - i, &nrepeat);
        if (length) {
            put_repeats(sink, t, word + i, length, nrepeat);
        } else {
            length = 1;
            put_word(sink, t, &word[i]);
        }
    }
}

void trod_subpath_print(struct trod_sink *sink, const struct trod_online_names *names,
    const struct trod_online_subpath *subpath, bool blocks)
{
    struct formatter t = {.names = names,
        .blocks = blocks,
        .function = TROD_NONE,
        .start = true,
        .word = names->word};

    t.cyclic = trod_online_period(subpath->block, subpath->length) < subpath->length;
    place_rotated(&t, subpath);
    find_words(&t);
    put_words(sink, &t, t.word, t.nword);
}

uint32_t trod_online_begin(
    const struct trod_online_names *names, const struct trod_online_subpath *subpath)
{
    struct formatter t = {.names = names, .word = names->word};

    return place_rotated(&t, subpath);
}

void trod_subpath_print_blocks(struct trod_sink *sink,
    const struct trod_online_names *names, const trod_block *block, uint32_t nblock,
    bool whole)
{
    struct formatter t = {.names = names, .start = true, .word = names->word};

    t.cyclic = whole && trod_online_period(block, nblock) < nblock;
    place_words(&t, block, nblock, 0);
    t.function = t.word[0].function;
    find_words(&t);
    put_words(sink, &t, t.word, t.nword);
}
