#include "change/change_matcher.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* --- same ------------------------------------------------------------------------------------------------- */

/* A function with the same meaning is the same, and so is everything mapped in it. */
static void fill_meant(struct matcher *m, uint32_t old)
{
    struct trod_changes *out = m->out;

    for (uint32_t c = old; c < m->old->construct[old].next; c++) {
        uint32_t to = out->new_of_old[c];

        if (to == TROD_NO_CONSTRUCT || m->owner_of_old[c] != old)
            continue;
        trod_add(out->same_of_old, c);
        trod_add(out->same_of_new, to);
    }
}

void trod_changes_fill_same(struct matcher *m)
{
    struct trod_changes *out = m->out;

    for (uint32_t c = m->old->nconstruct; c-- > 0;) {
        if (out->new_of_old[c] == TROD_NO_CONSTRUCT || trod_has(out->same_of_old, c))
            continue;
        if (trod_change_is_meant(out, c)) {
            fill_meant(m, c);
        } else if (trod_change_is_made_of_same(out, c)) {
            trod_add(out->same_of_old, c);
            trod_add(out->same_of_new, out->new_of_old[c]);
        }
    }
}

/* --- changes ---------------------------------------------------------------------------------------------- */

struct finder {
    struct matcher *m;
    uint32_t room;
    bool *is_seen_of_old; /* it or a descendant has a change */
    bool *is_seen_of_new;
};

static void see(bool *is_seen, const struct trod_constructs *of, uint32_t construct)
{
    for (uint32_t c = construct; c != TROD_NO_CONSTRUCT && !is_seen[c];
        c = of->construct[c].parent)
        is_seen[c] = true;
}

static void add(
    struct finder *f, enum trod_change_kind kind, uint32_t old, uint32_t new)
{
    struct trod_changes *out = f->m->out;

    trod_push(f->m->mem, out->change, out->nchange, f->room,
        (struct trod_change){.kind = kind, .old = old, .later = new});
    if (old != TROD_NO_CONSTRUCT)
        see(f->is_seen_of_old, f->m->old, old);
    if (new != TROD_NO_CONSTRUCT)
        see(f->is_seen_of_new, f->m->later, new);
}

/* Is it in a function with the same meaning? Differences there are not changes. */
static bool is_in_same_meaning(const struct matcher *m, uint32_t old)
{
    uint32_t owner = m->owner_of_old[old];

    return owner != old && trod_change_is_meant(m->out, owner);
}

static bool is_quiet_new(const struct matcher *m, uint32_t new)
{
    uint32_t owner = m->owner_of_new[new], from = m->out->old_of_new[owner];

    return owner != new &&
           from != TROD_NO_CONSTRUCT &&trod_change_is_meant(m->out, from);
}

/* Descendants of an added or deleted construct are not changes of their own. */
static void find_unmapped(struct finder *f)
{
    const struct matcher *m = f->m;

    for (uint32_t c = 1; c < m->old->nconstruct; c++) {
        uint32_t above = m->old->construct[c].parent;

        if (m->out->new_of_old[c] == TROD_NO_CONSTRUCT && !is_in_same_meaning(m, c) &&
            (m->out->new_of_old[above] != TROD_NO_CONSTRUCT ||
                is_in_same_meaning(m, above)))
            add(f, TROD_CHANGE_DELETED, c, TROD_NO_CONSTRUCT);
    }
    for (uint32_t c = 1; c < m->later->nconstruct; c++) {
        uint32_t above = m->later->construct[c].parent;

        if (m->out->old_of_new[c] == TROD_NO_CONSTRUCT && !is_quiet_new(m, c) &&
            (m->out->old_of_new[above] != TROD_NO_CONSTRUCT || is_quiet_new(m, above)))
            add(f, TROD_CHANGE_ADDED, TROD_NO_CONSTRUCT, c);
    }
}

static bool may_differ(const struct matcher *m, uint32_t old)
{
    return m->out->new_of_old[old] != TROD_NO_CONSTRUCT &&
           !trod_has(m->out->same_of_old, old) && !is_in_same_meaning(m, old);
}

static void find_edited(struct finder *f)
{
    const struct matcher *m = f->m;

    for (uint32_t c = 1; c < m->old->nconstruct; c++) {
        uint32_t to = m->out->new_of_old[c];

        if (may_differ(m, c) && m->old->construct[c].own != m->later->construct[to].own)
            add(f, TROD_CHANGE_EDITED, c, to);
    }
}

/* --- moved ------------------------------------------------------------------------------------------------- */

/* Children that both parents have in common, with their order in both versions and their sizes. The increasing
 * subsequence of the largest total size stays; the others have moved.
 */
struct chain {
    uint32_t *child; /* in old order */
    uint32_t *rank;  /* position in new order, from 1 */
    uint32_t *
        before; /* predecessor in the best chain that ends here, or TROD_NO_CONSTRUCT */
    uint64_t *sum; /* size of that chain */
    uint32_t *
        tree; /* [count + 1] Fenwick tree: index + 1 of the best chain that ends at or below a rank */
    uint32_t count;
};

static uint32_t best_up_to(const struct chain *c, uint32_t rank)
{
    uint32_t best = 0;

    for (; rank; rank -= rank & (0 - rank))
        if (c->tree[rank] && (!best || c->sum[c->tree[rank] - 1] > c->sum[best - 1]))
            best = c->tree[rank];
    return best;
}

static void enter(struct chain *c, uint32_t place)
{
    for (uint32_t r = c->rank[place]; r <= c->count; r += r & (0 - r))
        if (!c->tree[r] || c->sum[place] > c->sum[c->tree[r] - 1])
            c->tree[r] = place + 1;
}

TROD_ORDER(by_new, uint32_t, trod_compare(*a, *b))

static uint32_t rank_of(const uint32_t *sorted, uint32_t count, uint32_t construct)
{
    uint32_t low = TROD_LOWER_BOUND(middle, 0, count, sorted[middle] < construct);

    return low + 1;
}

static uint32_t count_children(const struct trod_constructs *of, uint32_t parent)
{
    uint32_t n = 0;

    for (uint32_t c = parent + 1; c < of->construct[parent].next;
        c = of->construct[c].next)
        n++;
    return n;
}

static void list_chain(struct chain *out, const struct matcher *m, uint32_t old)
{
    uint32_t most = count_children(m->old, old), new = m->out->new_of_old[old];
    uint32_t *sorted = trod_new(m->mem, uint32_t, most);

    *out = (struct chain){.child = trod_new(m->mem, uint32_t, most),
        .rank = trod_new(m->mem, uint32_t, most),
        .before = trod_new(m->mem, uint32_t, most),
        .sum = trod_new(m->mem, uint64_t, most),
        .tree = trod_new(m->mem, uint32_t, (size_t)most + 1)};
    for (uint32_t c = old + 1; c < m->old->construct[old].next;
        c = m->old->construct[c].next) {
        uint32_t to = m->out->new_of_old[c];

        if (m->old->construct[c].level >= TROD_LEVEL_FUNCTION ||
            to == TROD_NO_CONSTRUCT || m->later->construct[to].parent != new)
            continue;
        sorted[out->count] = to;
        out->child[out->count++] = c;
    }
    trod_sort(sorted, out->count, by_new);
    for (uint32_t i = 0; i < out->count; i++)
        out->rank[i] = rank_of(sorted, out->count, m->out->new_of_old[out->child[i]]);
}

static void find_out_of_order(struct finder *f, uint32_t old)
{
    const struct matcher *m = f->m;
    struct chain c;
    uint32_t stays;

    list_chain(&c, m, old);
    for (uint32_t i = 0; i < c.count; i++) {
        uint32_t best = best_up_to(&c, c.rank[i]);

        c.before[i] = best ? best - 1 : TROD_NO_CONSTRUCT;
        c.sum[i] = m->old->construct[c.child[i]].next - c.child[i] +
                   (best ? c.sum[best - 1] : 0);
        enter(&c, i);
    }
    stays = best_up_to(&c, c.count);
    stays = stays ? stays - 1 : TROD_NO_CONSTRUCT;
    for (uint32_t i = c.count; i-- > 0;) {
        if (i == stays)
            stays = c.before[i];
        else
            add(f, TROD_CHANGE_MOVED, c.child[i], m->out->new_of_old[c.child[i]]);
    }
}

/* Moved into another construct, or within the same one. */
static void find_moved(struct finder *f)
{
    const struct matcher *m = f->m;

    for (uint32_t c = 1; c < m->old->nconstruct; c++) {
        uint32_t to = m->out->new_of_old[c];

        if (to == TROD_NO_CONSTRUCT || m->owner_of_old[c] == c ||
            is_in_same_meaning(m, c))
            continue;
        if (m->out->new_of_old[m->old->construct[c].parent] !=
            m->later->construct[to].parent)
            add(f, TROD_CHANGE_MOVED, c, to);
    }
    for (uint32_t c = 1; c < m->old->nconstruct; c++) {
        struct trod_mark mark = trod_arena_mark(m->mem);
        uint32_t nchange = m->out->nchange;

        if (may_differ(m, c) && m->old->construct[c].next > c + 1)
            find_out_of_order(f, c);
        /* Added changes are in the same arena: keep them. */
        if (m->out->nchange == nchange)
            trod_arena_rewind(m->mem, mark);
    }
}

/* The hash of a construct differs, but none of its parts does: report it as edited. */
static void find_unexplained(struct finder *f)
{
    const struct matcher *m = f->m;

    for (uint32_t c = m->old->nconstruct; c-- > 1;) {
        uint32_t to = m->out->new_of_old[c];

        if (may_differ(m, c) && !f->is_seen_of_old[c] && !f->is_seen_of_new[to])
            add(f, TROD_CHANGE_EDITED, c, to);
    }
}

/* --- order and weight ---------------------------------------------------------------------------------------- */

struct ordered {
    uint64_t group, place; /* see trod_change_rank() */
    struct trod_change change;
};

TROD_ORDER(by_order, struct ordered, TROD_UP(group), TROD_UP(place),
    (int)a->change.kind - (int)b->change.kind)

static void sort_changes(struct matcher *m)
{
    struct trod_changes *out = m->out;
    struct trod_mark mark = trod_arena_mark(m->mem);
    struct ordered *all = trod_new(m->mem, struct ordered, out->nchange);

    for (uint32_t i = 0; i < out->nchange; i++) {
        all[i].change = out->change[i];
        trod_change_rank(&all[i].group, &all[i].place, out, &out->change[i]);
    }
    trod_sort(all, out->nchange, by_order);
    for (uint32_t i = 0; i < out->nchange; i++)
        out->change[i] = all[i].change;
    trod_arena_rewind(m->mem, mark);
}

static double weigh(const struct trod_change_options *options,
    enum trod_change_kind kind, const struct trod_constructs *of, uint32_t construct)
{
    const char *what = of->kinds.name[of->construct[construct].kind];

    for (uint32_t i = options->nweight; i-- > 0;) {
        const struct trod_change_weight *w = &options->weight[i];

        if ((w->kind < 0 || w->kind == (int)kind) &&
            (!w->what || strcmp(w->what, what) == 0))
            return w->weight;
    }
    return 1;
}

/* The weight of an added or deleted construct, including descendants that were added or deleted with it. */
static double weigh_all(const struct trod_change_options *options,
    enum trod_change_kind kind, const struct trod_constructs *of,
    const uint32_t *mapped, uint32_t construct)
{
    double sum = 0;

    for (uint32_t c = construct; c < of->construct[construct].next; c++)
        if (mapped[c] == TROD_NO_CONSTRUCT)
            sum += weigh(options, kind, of, c);
    return sum;
}

static double weight_of(const struct matcher *m, const struct trod_change *c)
{
    const struct trod_change_options *o = &m->options;

    switch (c->kind) {
    case TROD_CHANGE_ADDED:
        return weigh_all(o, c->kind, m->later, m->out->old_of_new, c->later);
    case TROD_CHANGE_DELETED:
        return weigh_all(o, c->kind, m->old, m->out->new_of_old, c->old);
    case TROD_CHANGE_EDITED:
    case TROD_CHANGE_MOVED:
        return weigh(o, c->kind, m->old, c->old) +
               weigh(o, c->kind, m->later, c->later);
    }
    return 0;
}

static void weigh_changes(struct matcher *m)
{
    const struct trod_change_options *o = &m->options;
    double changed = 0, all = 0;

    for (uint32_t i = 0; i < m->out->nchange; i++)
        changed += weight_of(m, &m->out->change[i]);
    for (uint32_t c = 1; c < m->old->nconstruct; c++)
        all += weigh(o, TROD_CHANGE_DELETED, m->old, c);
    for (uint32_t c = 1; c < m->later->nconstruct; c++)
        all += weigh(o, TROD_CHANGE_ADDED, m->later, c);
    m->out->significance = all > 0 ? changed / all : 0;
}

void trod_changes_fill(struct matcher *m)
{
    struct finder f = {.m = m,
        .is_seen_of_old = trod_new(m->mem, bool, m->old->nconstruct),
        .is_seen_of_new = trod_new(m->mem, bool, m->later->nconstruct)};

    find_unmapped(&f);
    find_edited(&f);
    find_moved(&f);
    find_unexplained(&f);
    sort_changes(m);
    weigh_changes(m);
}
