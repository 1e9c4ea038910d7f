#include "pathset/pathset.h"

#include <string.h>

/* Limit of the search for three decisions that were apart: words of bit sets read per path. */
enum { BUDGET = 1 << 22 };

/* --- what was tested ---------------------------------------------------------------------------- */

void trod_explainer_init(struct trod_explainer *out,
    const struct trod_numbering *ballarus, const trod_path *tested, size_t ntested,
    struct trod_arena *mem)
{
    const struct trod_graph *g = &ballarus->dag->shape;

    *out = (struct trod_explainer){.ballarus = ballarus,
        .mem = mem,
        .tested_path = tested,
        .ntested = ntested,
        .step = trod_new(mem, trod_edge, ballarus->dag->nreach),
        .tested = trod_new(mem, uint64_t, TROD_WORDS(g->nedge)),
        .number_of_edge = trod_new(mem, uint32_t, g->nedge)};
    for (trod_edge e = 0; e < g->nedge; e++) {
        trod_node v = g->src_of_edge[e];

        out->number_of_edge[e] =
            g->first_out[v + 1] - g->first_out[v] > 1 ? out->ndecision++ : TROD_NONE;
    }
    out->nword = TROD_WORDS(out->ndecision);
    for (size_t i = 0; i < ntested; i++) {
        uint32_t n = trod_number_decode(out->step, ballarus, tested[i]);

        for (uint32_t k = 0; k < n; k++)
            trod_add(out->tested, out->step[k]);
    }
}

/* Which decisions occur together on a tested path. Computed only when all edges are tested. */
static void fill_sets(struct trod_explainer *x)
{
    if (x->set)
        return;
    x->set = trod_new(x->mem, uint64_t, x->ntested * x->nword);
    x->together = trod_new(x->mem, uint64_t, x->ndecision * x->nword);
    for (size_t i = 0; i < x->ntested; i++) {
        uint64_t *set = x->set + i * x->nword;
        uint32_t n = trod_number_decode(x->step, x->ballarus, x->tested_path[i]);

        for (uint32_t k = 0; k < n; k++)
            if (x->number_of_edge[x->step[k]] != TROD_NONE)
                trod_add(set, x->number_of_edge[x->step[k]]);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t d = x->number_of_edge[x->step[k]];

            for (size_t w = 0; d != TROD_NONE && w < x->nword; w++)
                x->together[d * x->nword + w] |= set[w];
        }
    }
}

/* --- one path ------------------------------------------------------------------------------------- */

static enum trod_why why(const struct trod_explainer *x, uint32_t nstep)
{
    if (!x->ntested)
        return TROD_WHY_ENTERED;
    for (uint32_t i = 0; i < nstep; i++)
        if (!trod_has(x->tested, x->step[i]))
            return TROD_WHY_EDGES;
    return TROD_WHY_APART;
}

enum trod_why trod_explain_why(struct trod_explainer *explainer, trod_path id)
{
    return why(explainer, trod_number_decode(explainer->step, explainer->ballarus, id));
}

/* A new path compared with the tested ones. Its decisions are identified by their index on it. */
struct seen {
    const struct trod_explainer *x;
    const trod_edge *edge; /* [n], decisions in the order of the path */
    uint32_t n;
    size_t nword;
    uint64_t
        *on; /* [ntested][nword] decisions of the new path that each tested path has */
};

static bool are_together(const struct seen *s, uint32_t i, uint32_t j)
{
    const uint32_t *number = s->x->number_of_edge;

    return trod_has(
        s->x->together + number[s->edge[i]] * s->x->nword, number[s->edge[j]]);
}

static uint32_t find_pair(uint32_t *place, const struct seen *s)
{
    for (uint32_t j = 1; j < s->n; j++)
        for (uint32_t i = j; i-- > 0;)
            if (!are_together(s, i, j)) {
                place[0] = i;
                place[1] = j;
                return 2;
            }
    return 0;
}

static void project(struct seen *s)
{
    s->nword = TROD_WORDS(s->n);
    s->on = trod_new(s->x->mem, uint64_t, s->x->ntested * s->nword);
    for (size_t t = 0; t < s->x->ntested; t++)
        for (uint32_t i = 0; i < s->n; i++)
            if (trod_has(s->x->set + t * s->x->nword, s->x->number_of_edge[s->edge[i]]))
                trod_add(s->on + t * s->nword, i);
}

/* The last decision before index i that is not in the set, or TROD_NONE. */
static uint32_t last_absent(const uint64_t *set, uint32_t i)
{
    while (i-- > 0)
        if (!trod_has(set, i))
            return i;
    return TROD_NONE;
}

/* Find a third decision, before these two, that no tested path has together with them. Usually a
 * few tested paths suffice to rule it out.
 */
static bool find_third(uint32_t *place, const struct seen *s, uint32_t i, uint32_t j)
{
    struct trod_mark mark = trod_arena_mark(s->x->mem);
    uint64_t *any = trod_new(s->x->mem, uint64_t, s->nword);
    uint32_t absent = i - 1;

    for (size_t t = 0; absent != TROD_NONE && t < s->x->ntested; t++) {
        const uint64_t *on = s->on + t * s->nword;

        if (!trod_has(on, i) || !trod_has(on, j))
            continue;
        for (size_t w = 0; w < s->nword; w++)
            any[w] |= on[w];
        if (trod_has(any, absent))
            absent = last_absent(any, i);
    }
    trod_arena_rewind(s->x->mem, mark);
    *place = absent;
    return absent != TROD_NONE;
}

static uint32_t find_three(uint32_t *place, const struct seen *s)
{
    for (uint32_t j = 2; j < s->n; j++)
        for (uint32_t i = j; i-- > 1;)
            if (find_third(&place[0], s, i, j)) {
                place[1] = i;
                place[2] = j;
                return 3;
            }
    return 0;
}

static bool can_afford_three(const struct seen *s)
{
    uint64_t pairs = trod_sat_mul(s->n, s->n) / 2;

    return trod_sat_mul(trod_sat_mul(pairs, s->x->ntested), s->nword) <= BUDGET;
}

/* Does no tested path have all of these decisions, leaving out the one at `without`? */
static bool are_apart(
    const struct seen *s, const uint32_t *place, uint32_t n, uint32_t without)
{
    for (size_t t = 0; t < s->x->ntested; t++) {
        const uint64_t *on = s->on + t * s->nword;
        uint32_t k = 0;

        while (k < n && (k == without || trod_has(on, place[k])))
            k++;
        if (k == n)
            return false;
    }
    return true;
}

/* The decision that excludes most of the remaining tested paths. */
static uint32_t most_informative(const struct seen *s, const size_t *left, size_t nleft)
{
    size_t fewest = nleft;
    uint32_t best = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        size_t stay = 0;

        for (size_t k = 0; k < nleft; k++)
            stay += trod_has(s->on + left[k] * s->nword, i);
        if (stay < fewest) {
            fewest = stay;
            best = i;
        }
    }
    assert(
        fewest <
        nleft); /* the edges of a path identify it, so every other path lacks some decision */
    return best;
}

static uint32_t thin_out(const struct seen *s, uint32_t *place, uint32_t n)
{
    for (uint32_t k = n; k-- > 0;)
        if (are_apart(s, place, n, k)) {
            memmove(place + k, place + k + 1, (n - k - 1) * sizeof *place);
            n--;
        }
    return n;
}

static uint32_t find_greedily(uint32_t *place, const struct seen *s)
{
    size_t *left = trod_new(s->x->mem, size_t, s->x->ntested);
    bool *taken = trod_new(s->x->mem, bool, s->n);
    size_t nleft = s->x->ntested;
    uint32_t n = 0;

    for (size_t t = 0; t < nleft; t++)
        left[t] = t;
    while (nleft) {
        uint32_t i = most_informative(s, left, nleft);
        size_t stay = 0;

        taken[i] = true;
        for (size_t k = 0; k < nleft; k++)
            if (trod_has(s->on + left[k] * s->nword, i))
                left[stay++] = left[k];
        nleft = stay;
    }
    for (uint32_t i = 0; i < s->n; i++)
        if (taken[i])
            place[n++] = i;
    return thin_out(s, place, n);
}

static uint32_t find_apart(uint32_t *place, struct seen *s, bool *smallest)
{
    uint32_t n = find_pair(place, s), fewest = 3;

    *smallest = true;
    if (n)
        return n;
    project(s);
    if (can_afford_three(s)) {
        n = find_three(place, s);
        fewest = 4;
    }
    if (n)
        return n;
    n = find_greedily(place, s);
    *smallest = n <= fewest;
    return n;
}

static void explain_apart(
    struct trod_explained *out, struct trod_explainer *x, trod_edge *room, uint32_t n)
{
    struct trod_mark mark;
    struct seen s = {.x = x, .edge = room, .n = n};
    uint32_t *place;

    fill_sets(x);
    mark = trod_arena_mark(x->mem);
    place = trod_new(x->mem, uint32_t, n);
    out->nedge = find_apart(place, &s, &out->smallest);
    for (uint32_t i = 0; i < out->nedge; i++)
        room[i] = room[place[i]];
    trod_arena_rewind(x->mem, mark);
}

void trod_explain(struct trod_explained *out, struct trod_explainer *explainer,
    trod_path id, trod_edge *room)
{
    struct trod_explainer *x = explainer;
    uint32_t nstep = trod_number_decode(x->step, x->ballarus, id), n = 0;

    *out = (struct trod_explained){.why = why(x, nstep), .edge = room};
    if (out->why == TROD_WHY_ENTERED)
        return;
    for (uint32_t i = 0; i < nstep; i++)
        if (x->number_of_edge[x->step[i]] != TROD_NONE &&
            (out->why == TROD_WHY_APART || !trod_has(x->tested, x->step[i])))
            room[n++] = x->step[i];
    if (out->why == TROD_WHY_APART)
        explain_apart(out, x, room, n);
    else
        out->nedge = n;
}
