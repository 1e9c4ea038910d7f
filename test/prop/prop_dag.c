/* The DAG of a graph: its invariants hold, and a walk through the graph, split at the cuts, is
 * a sequence of its paths.
 */
#include "prop/sample.h"

static const struct sample_options small = {.max_node = 20};

/* --- invariants ------------------------------------------------------------------- */

static bool is_valid(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct sample_dice dice;
    struct trod_view view;
    uint64_t *extra;
    uint8_t *kind;
    struct sample s;
    bool ok;

    sample_init(&s);
    sample_graph(&s.graph, 40, p, &s.mem);
    dice = sample_dice(p, 1, 2);
    extra = trod_new(&s.mem, uint64_t, TROD_WORDS(s.graph.nedge) + 1);
    for (trod_edge e = 0; e < s.graph.nedge; e++)
        if (sample_roll(dice, e, 4) == 3)
            trod_add(extra, e);
    trod_graph_view(&view, &s.graph, dice.seed ? extra : NULL, &s.mem);
    if (*planted) {
        uint32_t nedge = view.dag.shape.nedge;

        kind = trod_new(&s.mem, uint8_t, nedge);
        memcpy(kind, view.dag.kind_of_edge, nedge);
        kind[kit_draw(p, nedge)] = (uint8_t)kit_draw(p, 5);
        view.dag.kind_of_edge = kind;
    }
    ok =
        trod_graph_check(&s.graph, &s.err) && trod_dag_check(&view.dag, &s.mem, &s.err);
    if (!ok) {
        kit_note(p, "%s", s.err.text);
        sample_note_graph(p, &s.graph, &s.mem);
    }
    return sample_free(&s, ok);
}

/* --- walks ------------------------------------------------------------------------ */

/* The path being walked, as edges of the DAG. */
struct piece {
    trod_edge *step;
    uint32_t nstep;
    trod_path id;
};

static void begin(struct piece *piece, const struct sample *s, trod_edge first)
{
    piece->nstep = 1;
    piece->step[0] = first;
    piece->id = (trod_path)s->bl.val_of_edge[first];
}

static void go_on(struct piece *piece, const struct sample *s, trod_edge e)
{
    piece->step[piece->nstep++] = e;
    piece->id += (trod_path)s->bl.val_of_edge[e];
}

/* A piece is a path if it hangs together from ENTRY to EXIT, and then decoding its id
 * gives it back.
 */
static bool is_path(const struct piece *piece, struct sample *s)
{
    const struct trod_dag *dag = &s->view.dag;
    trod_edge *step = trod_new(&s->mem, trod_edge, dag->nreach);
    trod_node at = dag->shape.entry;

    for (uint32_t i = 0; i < piece->nstep; i++) {
        if (dag->shape.src_of_edge[piece->step[i]] != at)
            return false;
        at = dag->shape.dst_of_edge[piece->step[i]];
    }
    return at == dag->exit && piece->id < s->bl.npath &&
           trod_number_decode(step, &s->bl, piece->id) == piece->nstep &&
           memcmp(step, piece->step, piece->nstep * sizeof *step) == 0;
}

static bool walk(struct sample *s, struct kit_prop *p, bool planted)
{
    const struct trod_dag *dag = &s->view.dag;
    struct piece piece = {.step = trod_new(&s->mem, trod_edge, s->graph.nedge + 3)};
    struct sample_dice dice = sample_dice(p, 0, 1);
    trod_node v = s->graph.entry;

    begin(&piece, s, dag->shape.first_out[dag->shape.entry]);
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t first = s->graph.first_out[v], n = s->graph.first_out[v + 1] - first;
        trod_edge e = first + (n ? (trod_edge)sample_roll(dice, i, n) : 0), d;

        if (!n) {
            go_on(&piece, s, dag->shape.first_out[v]);
            return is_path(&piece, s);
        }
        d = dag->dag_of_edge[e];
        v = s->graph.dst_of_edge[e];
        go_on(&piece, s, d);
        if (dag->kind_of_edge[d] != TROD_DAG_END)
            continue;
        if (!is_path(&piece, s))
            return false;
        /* The planted fault: as though the function were entered anew. */
        begin(&piece, s,
            planted ? dag->shape.first_out[dag->shape.entry] : dag->start_of_node[v]);
    }
    return true;
}

static bool walks_are_paths(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct sample s;
    bool ok = sample_build(&s, &small, p);

    for (int i = 0; ok && i < 3; i++)
        ok = walk(&s, p, *planted) || sample_fail(p, &s, NULL);
    return sample_free(&s, ok);
}

static bool sound = false, faulty = true;

static void test_valid(void **state)
{
    (void)state;
    kit_check("every DAG is valid", is_valid, &sound);
    kit_check_planted("an edge of another kind", is_valid, &faulty);
}

static void test_walks(void **state)
{
    (void)state;
    kit_check("walks are rows of paths", walks_are_paths, &sound);
    kit_check_planted("every path from the entry", walks_are_paths, &faulty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_walks),
    };

    return cmocka_run_group_tests_name("dag", tests, NULL, NULL);
}
