/* Chains of paths: adding paths one by one gives a number from which the last path can be
 * read, and the number of chains equals an exhaustive enumeration.
 */
#include "prop/sample.h"

static const struct sample_options small = {.max_node = 8};

enum { MOST_STEPS = 12, MOST_CHAINS = 100000 };
enum fault { NONE, BASE, FORGETFUL, NO_RETURN, SHORT };

/* --- numbers ---------------------------------------------------------------------------- */

static bool tells_last(const struct trod_chain *chain, const trod_path *ended,
    uint32_t nended, trod_path id)
{
    trod_path path[TROD_ITERATIONS_MAX], last;
    unsigned n = trod_chain_decode(path, chain, id);
    uint32_t want = nended < chain->iterations ? nended : chain->iterations;

    if (n != want || !trod_chain_last(&last, chain, id) || last != ended[nended - 1])
        return false;
    return memcmp(path, ended + nended - n, n * sizeof *path) == 0;
}

/* Any paths at all, in any order: numbers know nothing of what may follow what. */
static bool last_come_out(struct kit_prop *p, void *ctx)
{
    const enum fault *fault = ctx;
    struct sample s;
    struct trod_chain chain;
    trod_path ended[MOST_STEPS], id = 0;
    uint32_t nended = 1 + (uint32_t)kit_draw(p, MOST_STEPS);
    bool ok = sample_build(&s, &small, p);

    if (!ok)
        return sample_free(&s, false);
    trod_chain_init(&chain, &s.bl, 1 + (unsigned)kit_draw(p, TROD_ITERATIONS_MAX));
    for (uint32_t i = 0; i < nended && ok; i++) {
        ended[i] = kit_draw(p, s.bl.npath);
        if (*fault == FORGETFUL && i == 2)
            id = 0;
        id = trod_chain_add(&chain, id, ended[i]);
        if (*fault == BASE && chain.iterations > 1)
            id = (id + 1) % chain.nchain;
        ok = id < chain.nchain && tells_last(&chain, ended, i + 1, id);
    }
    if (!ok) {
        kit_note(
            p, "%u iterations, %" PRIu64 " chains", chain.iterations, chain.nchain);
        sample_fail(p, &s, NULL);
    }
    return sample_free(&s, ok);
}

/* --- how many ----------------------------------------------------------------------------- */

struct lister {
    const struct trod_chain *chain;
    const struct sample_paths *all;
    enum fault fault;
    uint64_t count;
};

static bool may_follow(const struct lister *l, uint32_t p, uint32_t q)
{
    const struct trod_dag *dag = l->all->dag;
    trod_edge end = l->all->step[l->all->first[p + 1] - 1];
    trod_edge start = l->all->step[l->all->first[q]];
    trod_node at = dag->shape.dst_of_edge[start];

    if (dag->kind_of_edge[start] != TROD_DAG_START)
        return false;
    return (dag->kind_of_edge[end] == TROD_DAG_END &&
               dag->graph->dst_of_edge[dag->origin_of_edge[end]] == at) ||
           (l->fault != NO_RETURN &&
               trod_graph_leave(dag->graph, at) == TROD_RETURNS_AGAIN);
}

/* Chains of n paths more, after a path that begins one. A chain that does not begin at the entry
 * has as many paths as there are iterations.
 */
static void list_behind(struct lister *l, uint32_t p, unsigned n, bool entered)
{
    unsigned iterations = l->chain->iterations - (l->fault == SHORT);

    if (n == iterations || entered)
        l->count++;
    for (uint32_t q = 0; n < iterations && q < l->all->count; q++)
        if (may_follow(l, p, q))
            list_behind(l, q, n + 1, entered);
}

static bool all_are_counted(struct kit_prop *p, void *ctx)
{
    const enum fault *fault = ctx;
    struct sample s;
    struct sample_paths all;
    struct trod_chain chain;
    struct lister l = {.chain = &chain, .all = &all, .fault = *fault};
    uint64_t count;
    bool ok;

    if (!sample_build(&s, &small, p))
        return sample_free(&s, false);
    trod_chain_init(&chain, &s.bl, 1 + (unsigned)kit_draw(p, 4));
    while (chain.nchain > MOST_CHAINS && chain.iterations > 1)
        trod_chain_init(&chain, &s.bl, chain.iterations - 1);
    sample_paths(&all, &s.view.dag, &s.mem);
    for (uint32_t i = 0; i < all.count; i++)
        list_behind(&l, i, 1,
            s.view.dag.kind_of_edge[all.step[all.first[i]]] == TROD_DAG_ENTER);
    count = trod_chain_count(&chain, &s.mem);
    ok = count == l.count && count <= chain.nchain;
    if (!ok) {
        kit_note(p, "%u iterations: %" PRIu64 " chains, and %" PRIu64 " are counted",
            chain.iterations, l.count, count);
        sample_fail(p, &s, NULL);
    }
    return sample_free(&s, ok);
}

static enum fault none = NONE, base = BASE, forgetful = FORGETFUL,
                  no_return = NO_RETURN, shorter = SHORT;

static void test_last_come_out(void **state)
{
    (void)state;
    kit_check("the last paths come out", last_come_out, &none);
    kit_check_planted("one too many", last_come_out, &base);
    kit_check_planted("the past forgotten", last_come_out, &forgetful);
}

static void test_all_are_counted(void **state)
{
    (void)state;
    kit_check("chains are as many as can be written down", all_are_counted, &none);
    kit_check_planted("no call returns again", all_are_counted, &no_return);
    kit_check_planted("a round fewer", all_are_counted, &shorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_come_out),
        cmocka_unit_test(test_all_are_counted),
    };

    return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
