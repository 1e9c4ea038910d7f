#include "number/number.h"

const char *trod_number_kind_name(enum trod_numbering_kind kind)
{
    static const char *const name[] = {
        [TROD_BALLARUS] = "ballarus",
        [TROD_SELECTIVE] = "selective",
        [TROD_PREFERENTIAL] = "preferential",
        [TROD_LENGTH] = "length",
        [TROD_STRAY] = "stray",
        [TROD_PACKED] = "packed",
    };

    return name[kind];
}

bool trod_number_ballarus(struct trod_numbering *out, const struct trod_dag *dag,
    struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_graph *g = &dag->shape;
    uint64_t *npath = trod_new(mem, uint64_t, g->nnode);
    int64_t *val = trod_new(mem, int64_t, g->nedge);

    npath[dag->exit] = 1;
    for (uint32_t i = dag->nreach; i-- > 0;) {
        trod_node v = dag->topo[i];

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
            val[e] = (int64_t)npath[v];
            npath[v] += npath[g->dst_of_edge[e]];
            if (npath[v] > TROD_PATH_MAX)
                return trod_fail(err, TROD_E_LIMIT,
                    "'%s' has 2^63 paths or more; set a limit, so that edges are cut",
                    g->name);
        }
    }
    *out = (struct trod_numbering){.kind = TROD_BALLARUS,
        .dag = dag,
        .val_of_edge = val,
        .max = (int64_t)npath[g->entry] - 1,
        .npath_of_node = npath,
        .npath = npath[g->entry]};
    return true;
}

void trod_number_length(
    struct trod_numbering *out, const struct trod_dag *dag, struct trod_arena *mem)
{
    const struct trod_graph *g = &dag->shape;
    int64_t *val = trod_new(mem, int64_t, g->nedge);
    struct trod_err never;
    int64_t min, max;
    bool ok;

    for (trod_edge e = 0; e < g->nedge; e++)
        val[e] = g->dst_of_edge[e] != dag->exit;
    ok = trod_number_range(&min, &max, dag, val, mem, &never);
    assert(ok); /* a path has at most as many blocks as there are nodes */
    (void)ok;
    *out = (struct trod_numbering){
        .kind = TROD_LENGTH, .dag = dag, .val_of_edge = val, .min = min, .max = max};
}
