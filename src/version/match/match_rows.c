#include "match/matcher.h"
#include "base/order.h"

#include <stdlib.h>

/* Both graphs as block sequences. Unique equal keys are anchors, as in patience diff: the longest subsequence of them
 * in the same order is kept. Gaps between anchors are matched by keys of a smaller radius, and finally by the longest
 * common subsequence.
 */
enum {
    MOST_CELLS = 1 << 22, /* of one table of the longest common subsequence */
    ALL_CELLS = 1 << 25,  /* of all these tables */
    MOST_DEPTH = 24       /* nesting depth of anchors within anchors */
};

struct rows {
    struct trod_matcher *m;
    const trod_node *a, *b;
    uint64_t cells; /* remaining budget */
};

/* A range of both sequences. */
struct gap {
    uint32_t a, na, b, nb;
};

static uint64_t key_a(const struct rows *r, unsigned radius, uint32_t i)
{
    return r->m->old.key[radius][r->a[i]];
}

static uint64_t key_b(const struct rows *r, unsigned radius, uint32_t i)
{
    return r->m->later.key[radius][r->b[i]];
}

static void pair(struct rows *r, uint32_t i, uint32_t j)
{
    trod_matcher_pair(r->m, r->a[i], r->b[j]);
}

/* Match the common prefix and suffix. */
static void trim(struct rows *r, struct gap *g, unsigned radius)
{
    while (g->na && g->nb && key_a(r, radius, g->a) == key_b(r, radius, g->b)) {
        pair(r, g->a++, g->b++);
        g->na--;
        g->nb--;
    }
    while (g->na && g->nb &&
           key_a(r, radius, g->a + g->na - 1) == key_b(r, radius, g->b + g->nb - 1)) {
        g->na--;
        g->nb--;
        pair(r, g->a + g->na, g->b + g->nb);
    }
}

/* --- the longest common subsequence of a small gap --------------------------------------------------------- */

static void match_common(struct rows *r, const struct gap *g)
{
    struct trod_arena *mem = r->m->mem;
    struct trod_mark mark = trod_arena_mark(mem);
    size_t width = (size_t)g->nb + 1;
    /* length[i][j]: for the suffixes from i and j on */
    uint32_t *length = trod_new(mem, uint32_t, ((size_t)g->na + 1) * width);
    uint32_t i = 0, j = 0;

    for (uint32_t x = g->na; x-- > 0;) {
        uint64_t key = key_a(r, 0, g->a + x);
        uint32_t *row = length + x * width, *below = row + width;

        for (uint32_t y = g->nb; y-- > 0;) {
            if (key == key_b(r, 0, g->b + y))
                row[y] = below[y + 1] + 1;
            else
                row[y] = below[y] > row[y + 1] ? below[y] : row[y + 1];
        }
    }
    while (i < g->na && j < g->nb) {
        if (key_a(r, 0, g->a + i) == key_b(r, 0, g->b + j))
            pair(r, g->a + i++, g->b + j++);
        else if (length[(i + 1) * width + j] >= length[i * width + j + 1])
            i++;
        else
            j++;
    }
    trod_arena_rewind(mem, mark);
}

/* --- anchors ---------------------------------------------------------------------------------------------------- */

struct place {
    uint64_t key;
    uint32_t at;
    bool is_new;
};

struct anchor {
    uint32_t a, b;
    uint32_t before; /* predecessor in the longest subsequence that ends here */
};

static int by_key(const void *x, const void *y)
{
    const struct place *a = x, *b = y;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->is_new != b->is_new)
        return a->is_new ? 1 : -1;
    return (a->at > b->at) - (a->at < b->at);
}

TROD_ORDER(by_old, struct anchor, TROD_UP(a))

/* Keys that occur once in each range. */
static uint32_t find_unique(struct anchor *out, const struct rows *r,
    const struct gap *g, unsigned radius, struct trod_arena *mem)
{
    uint32_t n = g->na + g->nb, count = 0;
    struct place *place = trod_new(mem, struct place, n);

    for (uint32_t i = 0; i < g->na; i++)
        place[i] = (struct place){key_a(r, radius, g->a + i), g->a + i, false};
    for (uint32_t i = 0; i < g->nb; i++)
        place[g->na + i] = (struct place){key_b(r, radius, g->b + i), g->b + i, true};
    trod_sort(place, n, by_key);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && place[end].key == place[i].key; end++)
            ;
        if (end == i + 2 && !place[i].is_new && place[i + 1].is_new)
            out[count++] = (struct anchor){place[i].at, place[i + 1].at, TROD_NONE};
    }
    trod_sort(out, count, by_old);
    return count;
}

/* The longest subsequence that ascends in both, moved to the front of the array. */
static uint32_t longest(struct anchor *anchor, uint32_t n, struct trod_arena *mem)
{
    uint32_t *top = trod_new(mem, uint32_t, n), npile = 0;
    struct anchor *kept;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t low =
            TROD_LOWER_BOUND(middle, 0, npile, anchor[top[middle]].b < anchor[i].b);

        anchor[i].before = low ? top[low - 1] : TROD_NONE;
        top[low] = i;
        npile += low == npile;
    }
    kept = trod_new(mem, struct anchor, npile);
    for (uint32_t k = npile, i = npile ? top[npile - 1] : TROD_NONE; k-- > 0;
        i = anchor[i].before)
        kept[k] = anchor[i];
    for (uint32_t k = 0; k < npile; k++)
        anchor[k] = kept[k];
    return npile;
}

/* Radius -1 selects the longest common subsequence. MOST_DEPTH bounds the recursion. */
static void match_gap(struct rows *r, struct gap g, int radius, unsigned depth)
{
    struct trod_arena *mem = r->m->mem;
    struct trod_mark mark;
    struct anchor *anchor;
    uint32_t n, least = g.na < g.nb ? g.na : g.nb;
    unsigned by = radius < 0 ? 0 : (unsigned)radius;
    uint64_t cells;

    trim(r, &g, by);
    cells = ((uint64_t)g.na + 1) * ((uint64_t)g.nb + 1);
    if (!g.na || !g.nb || depth == MOST_DEPTH)
        return;
    if (radius < 0 && cells <= MOST_CELLS && cells <= r->cells) {
        r->cells -= cells;
        match_common(r, &g);
        return;
    }
    mark = trod_arena_mark(mem);
    anchor = trod_new(mem, struct anchor, least);
    n = longest(anchor, find_unique(anchor, r, &g, by, mem), mem);
    for (uint32_t i = 0; i < n; i++)
        pair(r, anchor[i].a, anchor[i].b);
    for (uint32_t i = 0; (n || radius >= 0) && i <= n; i++) {
        uint32_t a = i ? anchor[i - 1].a + 1 : g.a, b = i ? anchor[i - 1].b + 1 : g.b;
        uint32_t enda = i < n ? anchor[i].a : g.a + g.na;
        uint32_t endb = i < n ? anchor[i].b : g.b + g.nb;

        match_gap(r, (struct gap){a, enda - a, b, endb - b},
            radius < 0 ? radius : radius - 1, depth + 1);
    }
    trod_arena_rewind(mem, mark);
}

/* --- block sequences ---------------------------------------------------------------------------------------------- */

/* In graphs of the same shape, blocks at equal positions correspond: matched ones separate the gaps. */
static void match_alike(struct rows *r)
{
    uint32_t n = r->m->old.order.nreach;

    for (uint32_t i = 0, end; i < n; i = end + 1) {
        for (end = i; end < n && trod_matcher_open(r->m, r->a[end], r->b[end]); end++)
            ;
        match_gap(r, (struct gap){i, end - i, i, end - i}, TROD_MATCH_RADII - 1, 0);
    }
}

static uint32_t row_of(trod_node *out, const struct trod_match_side *side,
    const trod_node *matched, bool by_place)
{
    uint32_t n = 0;

    if (by_place) {
        for (uint32_t i = side->order.nreach; i-- > 0;)
            out[n++] = side->order.post[i];
        return n;
    }
    for (trod_node v = 0; v < side->graph->nnode; v++)
        if (side->order.post_of_node[v] != TROD_NONE && matched[v] == TROD_NONE)
            out[n++] = v;
    return n;
}

void trod_matcher_rows(struct trod_matcher *m)
{
    struct trod_mark mark = trod_arena_mark(m->mem);
    trod_node *a = trod_new(m->mem, trod_node, m->old.graph->nnode);
    trod_node *b = trod_new(m->mem, trod_node, m->later.graph->nnode);
    struct rows r = {.m = m, .a = a, .b = b, .cells = ALL_CELLS};
    uint32_t na = row_of(a, &m->old, m->match->new_of_old, m->alike);
    uint32_t nb = row_of(b, &m->later, m->match->old_of_new, m->alike);

    if (m->alike)
        match_alike(&r);
    else
        match_gap(&r, (struct gap){0, na, 0, nb}, TROD_MATCH_RADII - 1, 0);
    trod_arena_rewind(m->mem, mark);
}

/* Match keys that are unique in both graphs, at any position: blocks that were moved. */
void trod_matcher_moved(struct trod_matcher *m)
{
    struct trod_mark mark = trod_arena_mark(m->mem);
    trod_node *a = trod_new(m->mem, trod_node, m->old.graph->nnode);
    trod_node *b = trod_new(m->mem, trod_node, m->later.graph->nnode);
    struct rows r = {.m = m, .a = a, .b = b};
    struct gap all = {
        0, row_of(a, &m->old, NULL, true), 0, row_of(b, &m->later, NULL, true)};
    struct anchor *anchor =
        trod_new(m->mem, struct anchor, all.na < all.nb ? all.na : all.nb);
    uint32_t n = find_unique(anchor, &r, &all, 0, m->mem);

    for (uint32_t i = 0; i < n; i++)
        if (trod_matcher_open(m, a[anchor[i].a], b[anchor[i].b]))
            pair(&r, anchor[i].a, anchor[i].b);
    trod_arena_rewind(m->mem, mark);
}
