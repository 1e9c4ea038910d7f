#include "change/change_matcher.h"
#include "base/order.h"

#include <string.h>

/* The statements directly in a construct, in both versions. Owners are excluded. */
struct siblings {
    const uint32_t *old, *later; /* their numbers */
    uint32_t nold, nnew;
    uint32_t *at; /* [nold] index in `later` of the counterpart, or TROD_NO_CONSTRUCT */
};

typedef bool equal(const struct matcher *m, uint32_t old, uint32_t new);

static bool is_listed(
    const struct trod_constructs *of, const uint32_t *mapped, uint32_t c)
{
    return of->construct[c].level < TROD_LEVEL_FUNCTION &&
           (!mapped || mapped[c] == TROD_NO_CONSTRUCT);
}

static uint32_t list_children(uint32_t **out, const struct trod_constructs *of,
    const uint32_t *mapped, uint32_t parent, struct trod_arena *mem)
{
    uint32_t n = 0, end = of->construct[parent].next;

    for (uint32_t c = parent + 1; c < end; c = of->construct[c].next)
        n += is_listed(of, mapped, c);
    *out = trod_new(mem, uint32_t, n);
    n = 0;
    for (uint32_t c = parent + 1; c < end; c = of->construct[c].next)
        if (is_listed(of, mapped, c))
            (*out)[n++] = c;
    return n;
}

/* List the children of a construct and of its counterpart; with is_left, only those that are not mapped. */
static void list_siblings(
    struct siblings *out, struct matcher *m, uint32_t old, bool is_left)
{
    uint32_t *a, *b, new = m->out->new_of_old[old];

    out->nold =
        list_children(&a, m->old, is_left ? m->out->new_of_old : NULL, old, m->mem);
    out->nnew =
        list_children(&b, m->later, is_left ? m->out->old_of_new : NULL, new, m->mem);
    out->old = a;
    out->later = b;
    out->at = trod_new(m->mem, uint32_t, out->nold);
    for (uint32_t i = 0; i < out->nold; i++)
        out->at[i] = TROD_NO_CONSTRUCT;
}

static bool spend(struct matcher *m, uint64_t pairs)
{
    if (pairs > m->budget)
        return false;
    m->budget -= pairs;
    return true;
}

/* --- in order ------------------------------------------------------------------------------------------------ */

static bool is_tree_equal(const struct matcher *m, uint32_t old, uint32_t new)
{
    const struct trod_construct *a = &m->old->construct[old];
    const struct trod_construct *b = &m->later->construct[new];

    return a->tree == b->tree && a->level == b->level && a->next - old == b->next - new;
}

/* Equal except for descendants. For a construct without any, this is full equality. */
static bool is_head_equal(const struct matcher *m, uint32_t old, uint32_t new)
{
    const struct trod_construct *a = &m->old->construct[old];
    const struct trod_construct *b = &m->later->construct[new];

    return a->own == b->own && a->level == b->level &&
           a->kind == m->kind_of_new[b->kind];
}

/* A range of siblings in both versions: old .. old + nold - 1, later .. later + nnew - 1. */
struct stretch {
    uint32_t old, nold, later, nnew;
};

/* Match the common prefix and suffix. */
static void trim(
    struct stretch *s, struct siblings *of, const struct matcher *m, equal *is_equal)
{
    while (s->nold && s->nnew && is_equal(m, of->old[s->old], of->later[s->later])) {
        of->at[s->old] = s->later;
        s->old++;
        s->later++;
        s->nold--;
        s->nnew--;
    }
    while (
        s->nold && s->nnew &&
        is_equal(m, of->old[s->old + s->nold - 1], of->later[s->later + s->nnew - 1])) {
        s->nold--;
        s->nnew--;
        of->at[s->old + s->nold] = s->later + s->nnew;
    }
}

static uint32_t size_of(const struct trod_constructs *of, uint32_t construct)
{
    return of->construct[construct].next - construct;
}

/* Longest common subsequence, weighted by size: if a large loop and a small statement changed places, the statement
 * moved.
 */
static void match_in_order(
    struct stretch s, struct siblings *of, struct matcher *m, equal *is_equal)
{
    struct trod_mark mark = trod_arena_mark(m->mem);
    size_t width;
    uint32_t *best, i = 0, k = 0;

    trim(&s, of, m, is_equal);
    if (!s.nold || !s.nnew || !spend(m, (uint64_t)s.nold * s.nnew))
        return;
    width = (size_t)s.nnew + 1;
    /* best[i][k]: the weight of the suffixes from i and k on */
    best = trod_new(m->mem, uint32_t, (s.nold + (size_t)1) * width);
    for (i = s.nold; i-- > 0;)
        for (k = s.nnew; k-- > 0;) {
            uint32_t *to = &best[i * width + k], down = to[width], across = to[1];

            *to = down > across ? down : across;
            if (is_equal(m, of->old[s.old + i], of->later[s.later + k])) {
                uint32_t both = to[width + 1] + size_of(m->old, of->old[s.old + i]);

                *to = both > *to ? both : *to;
            }
        }
    for (i = k = 0; i < s.nold && k < s.nnew;) {
        const uint32_t *from = &best[i * width + k];

        if (is_equal(m, of->old[s.old + i], of->later[s.later + k]) &&
            *from == from[width + 1] + size_of(m->old, of->old[s.old + i]))
            of->at[s.old + i++] = s.later + k++;
        else if (*from == from[width])
            i++;
        else
            k++;
    }
    trod_arena_rewind(m->mem, mark);
}

/* Match within each gap between siblings that are matched already. */
static void match_in_gaps(struct siblings *of, struct matcher *m, equal *is_equal)
{
    struct stretch s = {0};

    for (uint32_t i = 0; i <= of->nold; i++) {
        if (i < of->nold && of->at[i] == TROD_NO_CONSTRUCT)
            continue;
        s.nold = i - s.old;
        s.nnew = (i < of->nold ? of->at[i] : of->nnew) - s.later;
        match_in_order(s, of, m, is_equal);
        if (i < of->nold)
            s = (struct stretch){.old = i + 1, .later = of->at[i] + 1};
    }
}

/* --- alike --------------------------------------------------------------------------------------------------- */

static bool has_below(const struct trod_constructs *of, uint32_t construct)
{
    return of->construct[construct].next > construct + 1;
}

static uint32_t list_bags(struct match_bag *bag, uint32_t *place,
    const struct trod_constructs *of, const uint32_t *mapped, const uint32_t *child,
    uint32_t count, struct trod_arena *mem)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (mapped[child[i]] != TROD_NO_CONSTRUCT || !has_below(of, child[i]))
            continue;
        trod_match_bag(&bag[n], of, child[i], mem);
        place[n++] = i;
    }
    return n;
}

static uint64_t sum_of(const struct match_bag *bag, uint32_t count)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += bag[i].count;
    return sum;
}

static void match_alike(const struct siblings *of, struct matcher *m)
{
    struct match_bag *a = trod_new(m->mem, struct match_bag, of->nold);
    struct match_bag *b = trod_new(m->mem, struct match_bag, of->nnew);
    uint32_t *pa = trod_new(m->mem, uint32_t, of->nold);
    uint32_t *pb = trod_new(m->mem, uint32_t, of->nnew);
    uint32_t na, nb, n = 0;
    struct match_alike *alike;

    na = list_bags(a, pa, m->old, m->out->new_of_old, of->old, of->nold, m->mem);
    nb = list_bags(b, pb, m->later, m->out->old_of_new, of->later, of->nnew, m->mem);
    if (!na || !nb || !spend(m, sum_of(a, na) * nb + sum_of(b, nb) * na))
        return;
    alike = trod_new(m->mem, struct match_alike, (size_t)na * nb);
    for (uint32_t i = 0; i < na; i++)
        for (uint32_t k = 0; k < nb; k++) {
            const struct trod_construct *x = &m->old->construct[of->old[pa[i]]];
            const struct trod_construct *y = &m->later->construct[of->later[pb[k]]];
            double dice = x->level == y->level ? trod_match_dice(&a[i], &b[k]) : 0;

            if (dice > 0 && dice >= m->options.least_alike)
                alike[n++] = (struct match_alike){.dice = dice,
                    .is_kind = x->kind == m->kind_of_new[y->kind],
                    .away = pa[i] > pb[k] ? pa[i] - pb[k] : pb[k] - pa[i],
                    .old = of->old[pa[i]],
                    .later = of->later[pb[k]]};
        }
    trod_match_best(m, alike, n);
}

/* --- siblings of the same kind ------------------------------------------------------------------------------- */

static uint64_t kind_of(const struct trod_construct *c, uint32_t kind)
{
    return (uint64_t)c->level << 32 | kind;
}

static uint32_t list_plain(struct match_key *out, const struct trod_constructs *of,
    const uint32_t *mapped, const uint32_t *kind, const uint32_t *child, uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct trod_construct *c = &of->construct[child[i]];

        if (mapped[child[i]] == TROD_NO_CONSTRUCT && !has_below(of, child[i]))
            out[n++] =
                (struct match_key){.key = kind_of(c, kind ? kind[c->kind] : c->kind),
                    .construct = child[i]};
    }
    return n;
}

static void map_plain(struct matcher *m, uint32_t old, uint32_t new)
{
    trod_match_pair(m, old, new);
}

/* Keep only kinds that occur equally often in both; for others, any pairing would be a guess. */
static uint32_t keep_as_many(
    struct match_key *a, uint32_t na, const struct match_key *b, uint32_t nb)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < na; i++) {
        uint32_t own = 0, other = 0;

        for (uint32_t k = 0; k < na; k++)
            own += a[k].key == a[i].key;
        for (uint32_t k = 0; k < nb; k++)
            other += b[k].key == a[i].key;
        if (own == other)
            a[n++].construct = a[i].construct;
    }
    return n;
}

static void match_gap(const struct siblings *of, struct stretch s, struct matcher *m)
{
    struct trod_mark mark = trod_arena_mark(m->mem);
    struct match_key *a = trod_new(m->mem, struct match_key, s.nold);
    struct match_key *b = trod_new(m->mem, struct match_key, s.nnew);
    struct match_key *keep = trod_new(m->mem, struct match_key, s.nold);
    uint32_t na =
        list_plain(a, m->old, m->out->new_of_old, NULL, of->old + s.old, s.nold);
    uint32_t nb = list_plain(
        b, m->later, m->out->old_of_new, m->kind_of_new, of->later + s.later, s.nnew);
    uint32_t n;

    if (na && nb && spend(m, (uint64_t)na * ((uint64_t)na + nb))) {
        memcpy(keep, a, na * sizeof *a);
        n = keep_as_many(keep, na, b, nb);
        for (uint32_t i = 0; i < n; i++) {
            const struct trod_construct *c = &m->old->construct[keep[i].construct];

            keep[i].key = kind_of(c, c->kind);
        }
        trod_match_keys(m, keep, n, b, nb, false, map_plain);
    }
    trod_arena_rewind(m->mem, mark);
}

/* The index of a construct among siblings, which ascend; their count if it is not among them. */
static uint32_t place_of(const uint32_t *child, uint32_t count, uint32_t construct)
{
    uint32_t low = TROD_LOWER_BOUND(middle, 0, count, child[middle] < construct);

    return low < count && child[low] == construct ? low : count;
}

/* A construct without descendants has no similarity: map it to one between the same two neighbours. */
static void match_plain(struct matcher *m, uint32_t old)
{
    struct siblings of;
    struct stretch s = {0};

    list_siblings(&of, m, old, false);
    for (uint32_t i = 0; i <= of.nold; i++) {
        uint32_t to = i < of.nold ? m->out->new_of_old[of.old[i]] : 0;
        uint32_t place =
            to == TROD_NO_CONSTRUCT ? of.nnew : place_of(of.later, of.nnew, to);

        if (i < of.nold && (place == of.nnew || place < s.later))
            continue;
        s.nold = i - s.old;
        s.nnew = (i < of.nold ? place : of.nnew) - s.later;
        match_gap(&of, s, m);
        s = (struct stretch){.old = i + 1, .later = place + 1};
    }
}

/* --- elsewhere ----------------------------------------------------------------------------------------------- */

static uint32_t list_moved(struct match_key *out, const struct trod_constructs *of,
    const uint32_t *mapped, const uint32_t *owner_of, uint32_t owner)
{
    uint32_t n = 0;

    for (uint32_t c = owner + 1; c < of->construct[owner].next; c++)
        if (mapped[c] == TROD_NO_CONSTRUCT && owner_of[c] == owner)
            out[n++] = (struct match_key){
                .key = trod_mix(of->construct[c].level, of->construct[c].tree),
                .construct = c};
    return n;
}

static void map_moved(struct matcher *m, uint32_t old, uint32_t new)
{
    if (m->out->new_of_old[old] == TROD_NO_CONSTRUCT &&
        m->out->old_of_new[new] == TROD_NO_CONSTRUCT)
        trod_match_whole(m, old, new);
}

/* Match unmapped constructs whose tree is unique on both sides. Twice: mapping a construct removes its parts,
 * which may make equal ones elsewhere unique.
 */
static void match_moved(struct matcher *m, uint32_t old, uint32_t new)
{
    struct match_key *a = trod_new(m->mem, struct match_key, size_of(m->old, old));
    struct match_key *b = trod_new(m->mem, struct match_key, size_of(m->later, new));

    for (int round = 0; round < 2; round++) {
        uint32_t na = list_moved(a, m->old, m->out->new_of_old, m->owner_of_old, old);
        uint32_t nb = list_moved(b, m->later, m->out->old_of_new, m->owner_of_new, new);

        trod_match_keys(m, a, na, b, nb, true, map_moved);
    }
}

/* --- the interface ------------------------------------------------------------------------------------------- */

/* Mapped constructs of the old version whose descendants are not all mapped. */
struct pairs {
    uint32_t *old;
    uint32_t count, room;
};

static void add_pairs(
    struct pairs *todo, const struct siblings *of, const struct matcher *m)
{
    for (uint32_t i = 0; i < of->nold; i++) {
        uint32_t to = m->out->new_of_old[of->old[i]];

        if (to == TROD_NO_CONSTRUCT || trod_has(m->out->same_of_old, of->old[i]) ||
            !has_below(m->old, of->old[i]) || !has_below(m->later, to))
            continue;
        trod_push(m->mem, todo->old, todo->count, todo->room, of->old[i]);
    }
}

static void match_equal(struct pairs *todo, struct matcher *m, uint32_t old)
{
    struct siblings of;

    list_siblings(&of, m, old, true);
    match_in_gaps(&of, m, is_tree_equal);
    match_in_gaps(&of, m, is_head_equal);
    for (uint32_t i = 0; i < of.nold; i++)
        if (of.at[i] != TROD_NO_CONSTRUCT)
            trod_match_pair(m, of.old[i], of.later[of.at[i]]);
    add_pairs(todo, &of, m);
}

static void match_edited(struct pairs *todo, struct matcher *m, uint32_t old)
{
    struct siblings of;

    list_siblings(&of, m, old, true);
    match_alike(&of, m);
    add_pairs(todo, &of, m);
}

void trod_match_within(struct matcher *m, uint32_t old, uint32_t new)
{
    struct pairs todo = {0};
    uint32_t nequal = 0, nedited = 0;

    m->budget = m->options.most_pairs;
    trod_push(m->mem, todo.old, todo.count, todo.room, old);
    /* Equal constructs first, anywhere: a new construct around an old one is similar to it, too. */
    while (nequal < todo.count) {
        for (; nequal < todo.count; nequal++)
            match_equal(&todo, m, todo.old[nequal]);
        match_moved(m, old, new);
        for (; nedited < nequal; nedited++)
            match_edited(&todo, m, todo.old[nedited]);
    }
    match_moved(m, old, new);
    for (uint32_t i = 0; i < todo.count; i++)
        match_plain(m, todo.old[i]);
}
