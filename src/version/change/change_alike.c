#include "change/change_matcher.h"
#include "base/order.h"

#include <stdlib.h>

/* A hash that more owners than this share does not identify any of them. */
enum { COMMON_HASH = 32, LEAST_SHARED = 3 };

TROD_ORDER(by_hash, uint64_t, trod_compare(*a, *b))

void trod_match_bag(struct match_bag *out, const struct trod_constructs *of,
    uint32_t construct, struct trod_arena *mem)
{
    uint32_t end = of->construct[construct].next, count = end - construct - 1;
    uint64_t *hash = trod_new(mem, uint64_t, count);

    for (uint32_t i = 0; i < count; i++)
        hash[i] = of->construct[construct + 1 + i].tree;
    trod_sort(hash, count, by_hash);
    *out = (struct match_bag){.hash = hash, .count = count};
}

double trod_match_dice(const struct match_bag *a, const struct match_bag *b)
{
    uint32_t i = 0, k = 0, n = 0;

    while (i < a->count && k < b->count) {
        if (a->hash[i] == b->hash[k]) {
            n++;
            i++;
            k++;
        } else if (a->hash[i] < b->hash[k]) {
            i++;
        } else {
            k++;
        }
    }
    return n ? 2.0 * n / ((double)a->count + b->count) : 0;
}

static int by_alike(const void *a, const void *b)
{
    const struct match_alike *x = a, *y = b;

    if (x->dice != y->dice)
        return x->dice > y->dice ? -1 : 1;
    if (x->is_kind != y->is_kind)
        return x->is_kind ? -1 : 1;
    if (x->away != y->away)
        return x->away < y->away ? -1 : 1;
    if (x->old != y->old)
        return x->old < y->old ? -1 : 1;
    return x->later < y->later ? -1 : x->later > y->later;
}

void trod_match_best(struct matcher *m, struct match_alike *alike, uint32_t count)
{
    trod_sort(alike, count, by_alike);
    for (uint32_t i = 0; i < count; i++)
        if (m->out->new_of_old[alike[i].old] == TROD_NO_CONSTRUCT &&
            m->out->old_of_new[alike[i].later] == TROD_NO_CONSTRUCT)
            trod_match_pair(m, alike[i].old, alike[i].later);
}

/* --- owners ------------------------------------------------------------------------------------------------ */

/* A hash below an unmapped new owner. Sorted by hash, then by owner. */
struct holder {
    uint64_t hash;
    uint32_t owner;
};

TROD_ORDER(by_holder, struct holder, TROD_UP(hash), TROD_UP(owner))

static bool is_left(
    const struct trod_constructs *of, const uint32_t *mapped, uint32_t c)
{
    return of->construct[c].level >= TROD_LEVEL_FUNCTION &&
           mapped[c] == TROD_NO_CONSTRUCT && of->construct[c].next > c + 1;
}

static uint32_t list_holders(struct holder **out, const struct matcher *m)
{
    struct holder *all = NULL;
    uint32_t n = 0, room = 0;

    for (uint32_t c = 1; c < m->later->nconstruct; c++) {
        if (!is_left(m->later, m->out->old_of_new, c))
            continue;
        for (uint32_t i = c + 1; i < m->later->construct[c].next; i++) {
            trod_push(
                m->mem, all, n, room, (struct holder){m->later->construct[i].tree, c});
        }
    }
    trod_sort(all, n, by_holder);
    *out = all;
    return n;
}

static uint32_t first_of(const struct holder *holder, uint32_t count, uint64_t hash)
{
    uint32_t low = TROD_LOWER_BOUND(middle, 0, count, holder[middle].hash < hash);

    return low;
}

/* The number of hashes that each new owner shares with one old owner. */
struct share_counter {
    const struct holder *holder;
    uint32_t nholder;
    uint32_t *shared_of_new; /* nonzero only for those in `touched` */
    uint32_t *touched;
    uint32_t ntouched;
};

/* Count one hash, which the old owner has `times` times. */
static void share(struct share_counter *s, uint64_t hash, uint32_t times)
{
    uint32_t first = first_of(s->holder, s->nholder, hash), end = first, nowner = 0;

    for (; end < s->nholder && s->holder[end].hash == hash && nowner <= COMMON_HASH;
        end++)
        nowner += end == first || s->holder[end].owner != s->holder[end - 1].owner;
    if (nowner > COMMON_HASH)
        return;
    while (first < end) {
        uint32_t owner = s->holder[first].owner, n = 0;

        for (; first < end && s->holder[first].owner == owner; first++)
            n++;
        if (!s->shared_of_new[owner])
            s->touched[s->ntouched++] = owner;
        s->shared_of_new[owner] += n < times ? n : times;
    }
}

static void share_all(struct share_counter *s, const struct match_bag *bag)
{
    for (uint32_t i = 0, n; i < bag->count; i += n) {
        for (n = 1; i + n < bag->count && bag->hash[i + n] == bag->hash[i];)
            n++;
        share(s, bag->hash[i], n);
    }
}

struct alikes {
    struct match_alike *alike;
    uint32_t count, room;
};

/* Append the pairs that are similar enough, and reset the counters. */
static void take_alike(
    struct alikes *out, const struct matcher *m, struct share_counter *s, uint32_t old)
{
    const struct trod_construct *a = &m->old->construct[old];

    for (uint32_t t = 0; t < s->ntouched; t++) {
        uint32_t new = s->touched[t], n = s->shared_of_new[new];
        const struct trod_construct *b = &m->later->construct[new];
        double dice =
            2.0 * n / ((double)(a->next - old - 1) + (double)(b->next - new - 1));

        s->shared_of_new[new] = 0;
        if (n < LEAST_SHARED || dice < m->options.least_alike || a->level != b->level)
            continue;
        trod_push(m->mem, out->alike, out->count, out->room,
            (struct match_alike){.dice = dice,
                .is_kind = a->kind == m->kind_of_new[b->kind],
                .old = old,
                .later = new});
    }
    s->ntouched = 0;
}

void trod_match_renamed(struct matcher *m)
{
    struct alikes found = {0};
    struct share_counter s = {0};
    struct match_bag bag;
    struct holder *holder;

    s.nholder = list_holders(&holder, m);
    if (!s.nholder)
        return;
    s.holder = holder;
    s.shared_of_new = trod_new(m->mem, uint32_t, m->later->nconstruct);
    s.touched = trod_new(m->mem, uint32_t, m->later->nconstruct);
    for (uint32_t c = 1; c < m->old->nconstruct; c++) {
        if (!is_left(m->old, m->out->new_of_old, c))
            continue;
        trod_match_bag(&bag, m->old, c, m->mem);
        share_all(&s, &bag);
        take_alike(&found, m, &s, c);
    }
    trod_match_best(m, found.alike, found.count);
}
