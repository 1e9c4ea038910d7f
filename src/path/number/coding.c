#include "number/number.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

static wide wide_gcd(wide a, wide b)
{
    while (b) {
        wide c = a % b;

        a = b;
        b = c;
    }
    return a;
}

/* Reduce the fraction; false if it does not fit. */
static bool reduce(struct trod_ratio *out, wide num, wide den)
{
    wide common = wide_gcd(num, den);

    num /= common;
    den /= common;
    *out = (struct trod_ratio){(uint64_t)num, (uint64_t)den};
    return num <= UINT64_MAX && den <= UINT64_MAX;
}

static struct trod_ratio ratio(uint64_t num, uint64_t den)
{
    struct trod_ratio out = {0, 1};

    if (den)
        reduce(&out, num, den);
    return out;
}

/* --- models of a graph ------------------------------------------------------------- */

/* A model whose contexts are nodes of the DAG, from the number of paths after each edge. If a node has no paths after
 * it, all its probabilities are 0.
 */
static void model_of_nodes(struct trod_model *out, const struct trod_dag *dag,
    const uint64_t *behind_edge, struct trod_arena *mem)
{
    const struct trod_graph *g = &dag->shape;
    uint32_t *symbol = trod_new(mem, uint32_t, g->nedge);
    struct trod_ratio *chance = trod_new(mem, struct trod_ratio, g->nedge);
    struct trod_ratio *low = trod_new(mem, struct trod_ratio, g->nedge);
    trod_node *node = trod_new(mem, trod_node, g->nnode);

    for (trod_node v = 0; v < g->nnode; v++) {
        uint64_t total = 0, before = 0;

        node[v] = v;
        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
            total += behind_edge[e];
        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
            symbol[e] = e;
            chance[e] = ratio(behind_edge[e], total);
            low[e] = ratio(before, total);
            before += behind_edge[e];
        }
    }
    *out = (struct trod_model){.ncontext = g->nnode,
        .first_symbol = g->first_out,
        .symbol = symbol,
        .chance = chance,
        .low = low,
        .node_of_context = node};
}

void trod_coding_ballarus(struct trod_model *out, const struct trod_numbering *ballarus,
    struct trod_arena *mem)
{
    const struct trod_graph *g = &ballarus->dag->shape;
    uint64_t *behind = trod_new(mem, uint64_t, g->nedge);

    for (trod_edge e = 0; e < g->nedge; e++)
        behind[e] = ballarus->npath_of_node[g->dst_of_edge[e]];
    model_of_nodes(out, ballarus->dag, behind, mem);
}

/* The number of paths of interest that reach a state. Multiplied by the number of paths after an arc, it is the arc's
 * weight.
 */
static uint64_t *count_prefixes(const struct trod_interest *in, struct trod_arena *mem)
{
    uint64_t *prefixes = trod_new(mem, uint64_t, in->nstate);

    prefixes[in->nstate - 1] = 1;
    for (uint32_t s = in->nstate; s-- > 0;)
        for (uint32_t a = in->first_arc[s]; a < in->first_arc[s + 1]; a++)
            prefixes[in->state_of_arc[a]] += prefixes[s];
    return prefixes;
}

void trod_coding_joined(struct trod_model *out, const struct trod_interest *interest,
    struct trod_arena *mem)
{
    const struct trod_dag *dag = interest->ballarus->dag;
    uint64_t *behind = trod_new(mem, uint64_t, dag->shape.nedge);
    uint64_t *prefixes = count_prefixes(interest, mem);

    for (uint32_t s = 0; s < interest->nstate; s++)
        for (uint32_t a = interest->first_arc[s]; a < interest->first_arc[s + 1]; a++)
            behind[interest->edge_of_arc[a]] +=
                prefixes[s] * interest->npath_of_state[interest->state_of_arc[a]];
    model_of_nodes(out, dag, behind, mem);
}

void trod_coding_interest(struct trod_model *out, const struct trod_interest *interest,
    struct trod_arena *mem)
{
    struct trod_ratio *chance = trod_new(mem, struct trod_ratio, interest->narc);
    struct trod_ratio *low = trod_new(mem, struct trod_ratio, interest->narc);

    for (uint32_t s = 0; s < interest->nstate; s++) {
        uint64_t before = 0, total = interest->npath_of_state[s];

        for (uint32_t a = interest->first_arc[s]; a < interest->first_arc[s + 1]; a++) {
            uint64_t behind = interest->npath_of_state[interest->state_of_arc[a]];

            chance[a] = ratio(behind, total);
            low[a] = ratio(before, total);
            before += behind;
        }
    }
    *out = (struct trod_model){.ncontext = interest->nstate,
        .first_symbol = interest->first_arc,
        .symbol = interest->edge_of_arc,
        .chance = chance,
        .low = low,
        .node_of_context = interest->node_of_state};
}

/* --- coding paths ---------------------------------------------------------------------- */

static uint32_t find_symbol(
    const struct trod_model *model, uint32_t context, trod_edge edge)
{
    uint32_t i = model->first_symbol[context];

    while (model->symbol[i] != edge)
        i++;
    assert(i < model->first_symbol[context + 1]);
    return i;
}

uint64_t trod_coding_encode(const struct trod_model *model,
    const uint32_t *context_of_step, const trod_edge *edge_of_step, uint32_t nstep,
    uint64_t width)
{
    uint64_t low = 0, high = width;

    for (uint32_t i = 0; i < nstep; i++) {
        uint32_t s = find_symbol(model, context_of_step[i], edge_of_step[i]);
        const struct trod_ratio *from = &model->low[s], *part = &model->chance[s];
        wide n = high - low;
        /* The upper end is (low + probability) n, rounded up. First find a common denominator. */
        wide den =
            (wide)from->den / (uint64_t)wide_gcd(from->den, part->den) * part->den;
        wide upper = from->num * (den / from->den) + part->num * (den / part->den);

        high = low + (uint64_t)((upper * n + den - 1) / den);
        low += (uint64_t)(from->num * n / from->den);
    }
    return low;
}

double trod_coding_bits(const struct trod_ratio *chance, uint32_t alphabet)
{
    double bits = 0;

    for (uint32_t i = 0; i < alphabet; i++) {
        double p = (double)chance[i].num / (double)chance[i].den;

        if (p > 0)
            bits -= p * log2(p);
    }
    return bits;
}

/* The probability of reaching each context, in topological order: states in descending order, nodes along topo. */
double trod_coding_entropy(const struct trod_model *model,
    const struct trod_interest *interest, const struct trod_dag *dag,
    struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    double *reached = trod_new(mem, double, model->ncontext), bits = 0;
    uint32_t n = interest ? model->ncontext : dag->nreach;

    reached[interest ? n - 1 : dag->shape.entry] = 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = interest ? n - 1 - i : dag->topo[i];
        uint32_t first = model->first_symbol[c], last = model->first_symbol[c + 1];

        bits += reached[c] * trod_coding_bits(model->chance + first, last - first);
        for (uint32_t s = first; s < last; s++) {
            uint32_t to = interest ? interest->state_of_arc[s]
                                   : dag->shape.dst_of_edge[model->symbol[s]];

            reached[to] += reached[c] * (double)model->chance[s].num /
                           (double)model->chance[s].den;
        }
    }
    trod_arena_rewind(mem, mark);
    return bits;
}

/* --- coding messages -------------------------------------------------------------------- */

static bool too_fine(struct trod_err *err)
{
    return trod_fail(err, TROD_E_LIMIT,
        "the interval of the message is too fine for 64-bit "
        "fractions; code it in shorter pieces");
}

static bool add(struct trod_ratio *out, struct trod_ratio a, struct trod_ratio b)
{
    uint64_t common = (uint64_t)wide_gcd(a.den, b.den);
    wide den;

    assert(a.den && b.den);
    den = (wide)(a.den / common) * b.den;
    if (den > UINT64_MAX)
        return false;
    return reduce(out,
        (wide)a.num * (uint64_t)(den / a.den) + (wide)b.num * (uint64_t)(den / b.den),
        den);
}

static bool multiply(struct trod_ratio *out, struct trod_ratio a, struct trod_ratio b)
{
    return reduce(out, (wide)a.num * b.num, (wide)a.den * b.den);
}

bool trod_coding_message(struct trod_ratio *low, struct trod_ratio *high,
    const struct trod_ratio *chance_of_symbol, const uint32_t *symbol, uint32_t nsymbol,
    struct trod_err *err)
{
    struct trod_ratio width = {1, 1};

    *low = (struct trod_ratio){0, 1};
    for (uint32_t i = 0; i < nsymbol; i++) {
        struct trod_ratio before = {0, 1}, shift;

        for (uint32_t s = 0; s < symbol[i]; s++)
            if (!add(&before, before, chance_of_symbol[s]))
                return too_fine(err);
        if (!multiply(&shift, before, width) || !add(low, *low, shift) ||
            !multiply(&width, width, chance_of_symbol[symbol[i]]))
            return too_fine(err);
    }
    return add(high, *low, width) || too_fine(err);
}

/* a < b */
static bool below(struct trod_ratio a, struct trod_ratio b)
{
    return (wide)a.num * b.den < (wide)b.num * a.den;
}

bool trod_coding_unmessage(uint32_t *symbol, uint32_t nsymbol, struct trod_ratio number,
    const struct trod_ratio *chance_of_symbol, uint32_t alphabet, struct trod_err *err)
{
    /* Narrow the message's interval, one symbol at a time, to the part that contains the number. */
    for (uint32_t i = 0; i < nsymbol; i++) {
        struct trod_ratio low, high;

        for (symbol[i] = 0; symbol[i] < alphabet; symbol[i]++) {
            if (!trod_coding_message(&low, &high, chance_of_symbol, symbol, i + 1, err))
                return false;
            if (below(number, high))
                break;
        }
        if (symbol[i] == alphabet)
            return trod_fail(err, TROD_E_INPUT,
                "%llu/%llu is not below 1: no message has it",
                (unsigned long long)number.num, (unsigned long long)number.den);
    }
    return true;
}
