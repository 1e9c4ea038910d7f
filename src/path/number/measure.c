#include "number/number.h"

static unsigned signed_width(int64_t value)
{
    return 1 + trod_bit_width((uint64_t)(value < 0 ? ~value : value));
}

/* The smallest and largest sum among the paths of interest, computed on the automaton, so that shared parts are visited
 * once.
 */
static void measure_sums(struct trod_measure *out,
    const struct trod_numbering *numbering, const struct trod_interest *in,
    struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    int64_t *low = trod_new(mem, int64_t, in->nstate);
    int64_t *high = trod_new(mem, int64_t, in->nstate);

    for (uint32_t s = 0; s < in->nstate; s++) {
        for (uint32_t a = in->first_arc[s]; a < in->first_arc[s + 1]; a++) {
            uint32_t to = in->state_of_arc[a];
            uint64_t val = (uint64_t)numbering->val_of_edge[in->edge_of_arc[a]];
            int64_t l = (int64_t)((uint64_t)low[to] + val);
            int64_t h = (int64_t)((uint64_t)high[to] + val);

            if (a == in->first_arc[s] || l < low[s])
                low[s] = l;
            if (a == in->first_arc[s] || h > high[s])
                high[s] = h;
        }
    }
    out->min = low[in->nstate - 1];
    out->max = high[in->nstate - 1];
    trod_arena_rewind(mem, mark);
}

void trod_number_measure(struct trod_measure *out,
    const struct trod_numbering *numbering, const struct trod_interest *interest,
    struct trod_arena *mem)
{
    *out = (struct trod_measure){
        .npath = interest->ballarus->npath, .ninterest = interest->paths.count};
    for (trod_edge e = 0; e < numbering->dag->shape.nedge; e++) {
        unsigned bits = signed_width(numbering->val_of_edge[e]);

        out->nprobe += numbering->val_of_edge[e] != 0;
        out->value_bits = bits > out->value_bits ? bits : out->value_bits;
    }
    if (!interest->paths.count)
        return;
    measure_sums(out, numbering, interest, mem);
    out->width = (double)out->max - (double)out->min + 1;
    out->delta = out->width / (double)out->ninterest;
}
