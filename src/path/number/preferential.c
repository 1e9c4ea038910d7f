#include "number/number.h"

#include <string.h>

/* Partial ids of the paths of interest from a state on: low <= id < next. Both are 0 until an edge has a value. */
struct interval {
    int64_t low, next;
};

/* The join: the smallest value that puts the ids of this edge at or above those of all earlier edges, for every state
 * at its source.
 */
static int64_t join(
    const struct trod_interest *in, const struct interval *ids, trod_edge e)
{
    int64_t value = INT64_MIN;

    for (uint32_t i = in->first_use[e]; i < in->first_use[e + 1]; i++) {
        int64_t wish = ids[in->use[i].from].next - ids[in->use[i].to].low;

        value = wish > value ? wish : value;
    }
    return value;
}

static void extend(
    const struct trod_interest *in, struct interval *ids, trod_edge e, int64_t value)
{
    for (uint32_t i = in->first_use[e]; i < in->first_use[e + 1]; i++) {
        struct interval *here = &ids[in->use[i].from];
        const struct interval *there = &ids[in->use[i].to];

        if (here->low == here->next)
            here->low = there->low + value;
        here->next = there->next + value;
    }
}

/* Figure 3.10 of the thesis, with states of the automaton instead of prefixes.
 *
 * No value exceeds the number of paths of the DAG, so nothing overflows: by induction, ids from a node on are within
 * 0..npath_of_node-1.
 */
static int64_t number_paper(
    int64_t *val, const struct trod_interest *in, struct trod_arena *mem)
{
    const struct trod_dag *dag = in->ballarus->dag;
    const struct trod_graph *g = &dag->shape;
    struct trod_mark mark = trod_arena_mark(mem);
    struct interval *ids = trod_new(mem, struct interval, in->nstate);
    int64_t width;

    for (uint32_t s = 0; s < in->nstate; s++)
        if (in->node_of_state[s] == dag->exit)
            ids[s] = (struct interval){.next = 1};
    for (uint32_t i = dag->nreach; i-- > 0;) {
        trod_node v = dag->topo[i];

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
            if (in->first_use[e] == in->first_use[e + 1])
                continue;
            val[e] = join(in, ids, e);
            extend(in, ids, e, val[e]);
        }
    }
    width = ids[in->nstate - 1].next;
    trod_arena_rewind(mem, mark);
    return width;
}

/* Ball-Larus values on the edges of interest. The edges of ENTRY are reduced by the smallest id of interest. */
static int64_t number_range(int64_t *val, const struct trod_interest *in)
{
    const struct trod_numbering *bl = in->ballarus;
    const struct trod_graph *g = &bl->dag->shape;
    const struct trod_pathset *paths = &in->paths;
    int64_t least = (int64_t)paths->id[0];

    for (trod_edge e = 0; e < g->nedge; e++)
        val[e] = bl->val_of_edge[e];
    for (trod_edge e = g->first_out[g->entry]; e < g->first_out[g->entry + 1]; e++)
        val[e] -= least;
    return (int64_t)paths->id[paths->count - 1] - least + 1;
}

/* --- the fit ------------------------------------------------------------------
 *
 * The intervals of the paper leave gaps where states of a node disagree. Here each state keeps the exact set of its ids
 * as bits. An edge gets the smallest value at which its sets fit into the gaps of the earlier edges, for all states at
 * once.
 */

struct id_set {
    uint64_t *bits;
    uint32_t nbit; /* highest id + 1 */
};

/* 64 ids of a set from `first` on; there are none below 0. */
static uint64_t ids_from(const struct id_set *set, int64_t first)
{
    int64_t word = first >> 6; /* rounds down, also if negative */
    unsigned by = first & 63;
    int64_t words = (int64_t)TROD_WORDS(set->nbit);
    uint64_t low = word >= 0 && word < words ? set->bits[word] : 0;
    uint64_t high = word + 1 >= 0 && word + 1 < words ? set->bits[word + 1] : 0;

    return by ? low >> by | high << (64 - by) : low;
}

/* The words of the other set that `there`, shifted, may overlap. */
static void touched(
    uint32_t *first, uint32_t *last, const struct id_set *there, int64_t shift)
{
    int64_t from = shift < 0 ? 0 : shift;

    *first = (uint32_t)(from / 64);
    *last = (uint32_t)((there->nbit + shift + 63) / 64);
}

static bool clash(const struct id_set *here, const struct id_set *there, int64_t shift)
{
    uint32_t i, last;

    touched(&i, &last, there, shift);
    for (; i < last && i < TROD_WORDS(here->nbit); i++)
        if (here->bits[i] & ids_from(there, 64 * (int64_t)i - shift))
            return true;
    return false;
}

static void merge(struct id_set *here, const struct id_set *there, int64_t shift)
{
    uint32_t i, last;

    touched(&i, &last, there, shift);
    for (; i < last; i++)
        here->bits[i] |= ids_from(there, 64 * (int64_t)i - shift);
    if (there->nbit + shift > here->nbit)
        here->nbit = (uint32_t)(there->nbit + shift);
}

static int64_t lowest(const struct id_set *set)
{
    uint32_t i = 0;

    while (!set->bits[i])
        i++;
    return 64 * (int64_t)i + __builtin_ctzll(set->bits[i]);
}

struct fit {
    const struct trod_interest *in;
    struct id_set *set;
    int64_t most;    /* ids from here on are no improvement */
    uint64_t budget; /* words compared */
};

/* The smallest value with which edge e collides at no state. */
static bool fit_edge(struct fit *f, trod_edge e, int64_t *value)
{
    uint32_t first = f->in->first_use[e], last = f->in->first_use[e + 1];
    int64_t shift = INT64_MAX;

    for (uint32_t i = first; i < last; i++) {
        int64_t low = lowest(&f->set[f->in->use[i].to]);

        shift = low < shift ? low : shift;
    }
    for (shift = -shift; shift < f->most; shift++) {
        bool good = true;

        for (uint32_t i = first; good && i < last; i++) {
            const struct id_set *there = &f->set[f->in->use[i].to];
            uint64_t work = TROD_WORDS(there->nbit) + 1;

            if (work > f->budget || there->nbit + shift > f->most)
                return false;
            f->budget -= work;
            good = !clash(&f->set[f->in->use[i].from], there, shift);
        }
        if (good) {
            *value = shift;
            return true;
        }
    }
    return false;
}

static bool fit_node(struct fit *f, int64_t *val, trod_node v, struct trod_arena *mem)
{
    const struct trod_graph *g = &f->in->ballarus->dag->shape;

    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
        if (f->in->first_use[e] == f->in->first_use[e + 1])
            continue;
        if (!fit_edge(f, e, &val[e]))
            return false;
        for (uint32_t i = f->in->first_use[e]; i < f->in->first_use[e + 1]; i++) {
            struct id_set *here = &f->set[f->in->use[i].from];

            if (!here->bits)
                here->bits = trod_new(mem, uint64_t, TROD_WORDS(f->most));
            merge(here, &f->set[f->in->use[i].to], val[e]);
        }
    }
    return true;
}

/* The width of the numbering, or INT64_MAX if it is not narrower than `most` within the budget. */
static int64_t number_fit(
    int64_t *val, const struct trod_interest *in, int64_t most, struct trod_arena *mem)
{
    enum { MOST_IDS = 1 << 20, MOST_BYTES = 1 << 28 };
    const struct trod_dag *dag = in->ballarus->dag;
    struct trod_mark mark = trod_arena_mark(mem);
    struct fit f = {.in = in, .most = most, .budget = 1 << 26};
    int64_t width = INT64_MAX;
    bool ok = true;

    if (most > MOST_IDS || (uint64_t)most / 8 * in->nstate > MOST_BYTES)
        return INT64_MAX;
    f.set = trod_new(mem, struct id_set, in->nstate);
    for (uint32_t s = 0; s < in->nstate; s++) {
        if (in->node_of_state[s] == dag->exit) {
            f.set[s].bits = trod_new(mem, uint64_t, TROD_WORDS(most));
            f.set[s].bits[0] = 1;
            f.set[s].nbit = 1;
        }
    }
    for (uint32_t i = dag->nreach; ok && i-- > 0;)
        ok = fit_node(&f, val, dag->topo[i], mem);
    if (ok)
        width = f.set[in->nstate - 1].nbit;
    trod_arena_rewind(mem, mark);
    return width;
}

static void give(struct trod_numbering *out, const struct trod_interest *in,
    const int64_t *val, struct trod_arena *mem)
{
    const struct trod_dag *dag = in->ballarus->dag;
    struct trod_err never;
    bool ok;

    *out = (struct trod_numbering){
        .kind = TROD_PREFERENTIAL, .dag = dag, .val_of_edge = val};
    ok = trod_number_range(&out->min, &out->max, dag, val, mem, &never);
    /* Values are at most those of Ball-Larus ids, and at least their negatives; a path has fewer than 2^32 of them.
     * Sums that do not fit belong to paths that are not of interest, and wrap like the register.
     */
    if (!ok) {
        out->min = INT64_MIN;
        out->max = INT64_MAX;
    }
}

void trod_number_preferential(struct trod_numbering *out,
    const struct trod_interest *interest, enum trod_preferential_way way,
    struct trod_arena *mem)
{
    uint32_t nedge = interest->ballarus->dag->shape.nedge;
    int64_t *best = trod_new(mem, int64_t, nedge);
    int64_t *other = trod_new(mem, int64_t, nedge);
    int64_t width = INT64_MAX, w;

    if (!interest->paths.count) {
        give(out, interest, best, mem);
        return;
    }
    if (way != TROD_PREFER_RANGE)
        width = number_paper(best, interest, mem);
    if (way == TROD_PREFER_RANGE || way == TROD_PREFER_BEST) {
        w = number_range(other, interest);
        if (w < width) {
            memcpy(best, other, nedge * sizeof *best);
            width = w;
        }
    }
    if ((way == TROD_PREFER_FIT || way == TROD_PREFER_BEST) &&
        width > (int64_t)interest->paths.count) {
        memset(other, 0, nedge * sizeof *other);
        w = number_fit(other, interest, width, mem);
        if (w < width)
            memcpy(best, other, nedge * sizeof *best);
    }
    give(out, interest, best, mem);
}
