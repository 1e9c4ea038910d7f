#include "probe/probe.h"

const char *trod_ending_name(enum trod_ending_kind kind)
{
    static const char *const name[] = {
        [TROD_END_ALL] = "all",
        [TROD_END_SELECT] = "selective",
        [TROD_END_PREFER] = "preferential",
        [TROD_END_HASH] = "hash",
        [TROD_END_STRAY] = "stray",
        [TROD_END_MASK] = "mask",
        [TROD_END_BITS] = "bits",
    };

    return name[kind];
}

const char *trod_want_name(enum trod_want want)
{
    static const char *const name[] = {
        [TROD_WANT_ALL] = "all",
        [TROD_WANT_CHOSEN] = "chosen",
        [TROD_WANT_RESIDUAL] = "residual",
        [TROD_WANT_UNTESTED] = "untested",
    };

    return name[want];
}

static struct trod_look look_in_slot(
    const struct trod_ending *ending, uint64_t slot, trod_path id)
{
    bool hit = slot < ending->nslot && ending->id_of_slot[slot] == id;

    return (struct trod_look){.hit = hit, .slot = slot, .id = id};
}

struct trod_look trod_ending_look(const struct trod_ending *ending, int64_t sum)
{
    uint64_t x = (uint64_t)sum, low = ending->low_bits, slot;
    trod_path id = low ? x & ((UINT64_C(1) << low) - 1) : x;

    switch (ending->kind) {
    case TROD_END_ALL:
        break;
    case TROD_END_SELECT:
        slot = x - (uint64_t)ending->min;
        if (slot >= ending->nslot)
            return (struct trod_look){.id = TROD_NO_PATH};
        return (struct trod_look){.hit = ending->id_of_slot[slot] != TROD_NO_PATH,
            .slot = slot,
            .id = ending->id_of_slot[slot]};
    case TROD_END_PREFER:
        return look_in_slot(ending, x >> low, id);
    case TROD_END_HASH:
        return look_in_slot(ending, trod_slot(&ending->hash, id), id);
    case TROD_END_STRAY:
        return (struct trod_look){.hit = x >> low == 0, .id = id};
    case TROD_END_MASK:
    case TROD_END_BITS:
        return (struct trod_look){.hit = trod_has(ending->interest, id), .id = id};
    }
    return (struct trod_look){.hit = true, .slot = x, .id = x};
}

uint64_t trod_ending_bytes(const struct trod_ending *ending)
{
    uint64_t id = ending->npath < UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
    uint64_t bytes =
        sizeof(uint64_t); /* there is always one counter, of activations begun */

    if (ending->direct)
        bytes += sizeof(uint64_t) * ending->npath;
    else if (trod_wants_counts(ending->want) || ending->kind == TROD_END_ALL)
        bytes += sizeof(uint64_t) * ending->nslot;
    if (ending->id_of_slot)
        bytes += id * ending->nslot;
    if (ending->kind == TROD_END_BITS)
        bytes += TROD_WORDS(ending->npath) * sizeof(uint64_t);
    return bytes;
}

/* --- actions ------------------------------------------------------------------------ */

/* The number of ways to reach each state of the automaton. */
static void count_ways(uint64_t *way, const struct trod_interest *in)
{
    way[in->nstate - 1] = 1;
    for (uint32_t s = in->nstate; s-- > 0;)
        for (uint32_t a = in->first_arc[s]; a < in->first_arc[s + 1]; a++)
            way[in->state_of_arc[a]] = trod_sat_add(way[in->state_of_arc[a]], way[s]);
}

static uint64_t ninterest_of_edge(
    const struct trod_interest *in, const uint64_t *way, trod_edge e)
{
    uint64_t n = 0;

    for (uint32_t u = in->first_use[e]; u < in->first_use[e + 1]; u++)
        n += way[in->use[u].from] * in->npath_of_state[in->use[u].to];
    return n;
}

/* If the sum is a constant, it is looked up at compile time. */
static enum trod_action action_of_known(const struct trod_ending *ending, int64_t sum)
{
    bool hit = trod_ending_look(ending, sum).hit;

    if (hit)
        return trod_wants_counts(ending->want) ? TROD_ACTION_COUNT : TROD_ACTION_PASS;
    return trod_wants_others(ending->want) ? TROD_ACTION_REPORT : TROD_ACTION_PASS;
}

/* The paths that pass an edge. */
struct crowd {
    uint64_t all, core, interest; /* all paths; those in the core; those of interest */
};

static enum trod_action action_of_many(
    const struct trod_ending *ending, const struct crowd *by)
{
    if (!by->interest)
        return trod_wants_others(ending->want) ? TROD_ACTION_REPORT : TROD_ACTION_PASS;
    if (by->all == by->interest && !trod_wants_counts(ending->want))
        return TROD_ACTION_PASS;
    return ending->strays && by->core == by->interest ? TROD_ACTION_STRAY
                                                      : TROD_ACTION_ASK;
}

/* Do all sums have slots? Then no bounds check is needed. */
static bool is_wide(const struct trod_ending *ending, const struct trod_numbering *n)
{
    return ending->kind == TROD_END_SELECT && n->min >= ending->min &&
           (uint64_t)n->max - (uint64_t)ending->min < ending->nslot;
}

void trod_ending_actions(struct trod_dag_ops *ops,
    const struct trod_numbering *numbering, const struct trod_ending *ending,
    const struct trod_interest *interest, struct trod_arena *mem)
{
    const struct trod_dag *dag = numbering->dag;
    const struct trod_graph *shape = &dag->shape;
    uint8_t *action = trod_new(mem, uint8_t, shape->nedge);
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *down = trod_new(mem, uint64_t, shape->nnode);
    uint64_t *up = trod_new(mem, uint64_t, shape->nnode);
    uint64_t *core_down = trod_new(mem, uint64_t, shape->nnode);
    uint64_t *core_up = trod_new(mem, uint64_t, shape->nnode);
    uint64_t *way = trod_new(mem, uint64_t, interest->nstate);

    ops->action_of_edge = action;
    trod_dag_count(down, up, dag);
    trod_interest_count_core(core_down, core_up, interest);
    if (interest->nstate)
        count_ways(way, interest);
    for (trod_edge e = 0; e < shape->nedge; e++) {
        trod_node v = shape->src_of_edge[e], w = shape->dst_of_edge[e];
        struct crowd by = {.all = up[v] * down[w],
            .core = trod_has(interest->edges, e) ? core_up[v] * core_down[w] : 0,
            .interest = ninterest_of_edge(interest, way, e)};

        if (ending->kind == TROD_END_ALL)
            action[e] = TROD_ACTION_COUNT;
        else if (ops->kind_of_edge[e] == TROD_OP_COUNT_AT)
            action[e] = (uint8_t)action_of_known(ending, ops->value_of_edge[e]);
        else if (ops->kind_of_edge[e] == TROD_OP_COUNT)
            action[e] = (uint8_t)action_of_many(ending, &by);
        if (action[e] == TROD_ACTION_ASK && is_wide(ending, numbering))
            action[e] = TROD_ACTION_COUNT;
    }
    trod_arena_rewind(mem, mark);
}
