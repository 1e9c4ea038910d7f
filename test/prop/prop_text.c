/* Text forms: printed text parses back to the same value and prints the same again, whatever
 * the names of blocks.
 */
#include "prop/sample.h"

#include "probe/probe.h"

/* --- names ------------------------------------------------------------------------ */

/* Names that mean something elsewhere, and every kind of character. */
static const char *const words[] = {NULL, ".", "graph", "paths", "numbering", "plan",
    "a b", "\"", "\\", "\\\"", "#", ":", ">", ">:", "=5", "~1", "+1", "-1", "*3", "{}",
    "{r=0}", "[r]++", "\t", "\r", " ", ",", "'", "%s%n", "..", ".5", "007", "signed",
    "ballarus", "flush", "r", "t0", "\x80\xff", "\xc3\xa9", "\x01", "\x7f", "a\nb"};
enum { NWORD = sizeof words / sizeof *words };

static const char *draw_name(
    const char *plain, struct kit_prop *p, struct trod_arena *mem)
{
    struct trod_string name;
    uint32_t word = (uint32_t)kit_draw(p, NWORD + 1);

    if (word == 0)
        return plain;
    trod_string_init(&name, mem);
    if (word < NWORD)
        trod_put(&name.sink, "%s", words[word]);
    for (int i = 0; word == NWORD && i < 700; i++) /* longer than any buffer */
        trod_put(&name.sink, "%c", i % 61 ? 'x' : ' ');
    return name.text;
}

static bool is_taken(const char *const *name, uint32_t count, const char *wanted)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(name[i], wanted) == 0)
            return true;
    return false;
}

static void draw_names(
    struct trod_graph *graph, struct kit_prop *p, struct trod_arena *mem)
{
    const char **name = trod_new(mem, const char *, graph->nnode);
    bool odd = kit_draw(p, 4);

    graph->name = odd ? draw_name("g", p, mem) : graph->name;
    if (!odd)
        return;
    for (trod_node v = 0; v < graph->nnode; v++) {
        struct trod_string plain;

        trod_string_init(&plain, mem);
        trod_put(&plain.sink, "n%u", v);
        name[v] = draw_name(plain.text, p, mem);
        if (is_taken(name, v, name[v]))
            name[v] = plain.text;
    }
    graph->name_of_node = name;
}

/* --- the same but for numbers ----------------------------------------------------- */

/* The number that a node gets when its graph has been printed and parsed: the entry
 * comes first, the others as they were.
 */
static trod_node renumbered(const struct trod_graph *graph, trod_node v)
{
    if (v >= graph->nnode) /* ENTRY and EXIT */
        return v;
    return v == graph->entry ? 0 : v + (v < graph->entry);
}

static bool same_graph(const struct trod_graph *a, const struct trod_graph *b)
{
    char x[16], y[16];

    if (a->nnode != b->nnode || a->nedge != b->nedge || b->entry != 0 ||
        strcmp(a->name, b->name) != 0)
        return false;
    for (trod_node v = 0; v < a->nnode; v++) {
        trod_node w = renumbered(a, v);
        trod_edge e = a->first_out[v], f = b->first_out[w];

        if (a->first_out[v + 1] - e != b->first_out[w + 1] - f ||
            strcmp(trod_graph_node_name(a, v, x), trod_graph_node_name(b, w, y)) != 0)
            return false;
        for (; e < a->first_out[v + 1]; e++, f++)
            if (renumbered(a, a->dst_of_edge[e]) != b->dst_of_edge[f])
                return false;
    }
    return true;
}

static trod_edge same_edge(
    const struct trod_graph *a, const struct trod_graph *b, trod_edge e)
{
    trod_node v = a->src_of_edge[e];

    return b->first_out[renumbered(a, v)] + (e - a->first_out[v]);
}

/* Weights and cuts, which a plain graph also has. */
static bool same_marks(const struct trod_graph *a, const struct trod_graph *b)
{
    for (trod_edge e = 0; e < a->nedge; e++) {
        trod_edge f = same_edge(a, b, e);

        if ((a->weight_of_edge != NULL) != (b->weight_of_edge != NULL) ||
            (a->weight_of_edge && a->weight_of_edge[e] != b->weight_of_edge[f]) ||
            (a->cut_of_edge && a->cut_of_edge[e]) !=
                (b->cut_of_edge && b->cut_of_edge[f]))
            return false;
    }
    return true;
}

/* --- graphs ----------------------------------------------------------------------- */

/* Planted faults: characters dropped from what was printed. */
static void drop(struct trod_string *text, const char *unwanted)
{
    size_t n = 0;

    for (size_t i = 0; i < text->length; i++)
        if (!strchr(unwanted, text->text[i]))
            text->text[n++] = text->text[i];
    text->length = n;
    text->text[n] = '\0';
}

static bool fail_with(
    struct kit_prop *p, const struct sample *s, const struct trod_string *text)
{
    kit_note(p, "%s", s->err.text);
    kit_note(p, "%s", text->text);
    return false;
}

/* One graph twice, so that one ends where the next begins. */
static bool graph_back(struct sample *s, struct trod_string *text)
{
    struct trod_graph back;
    struct trod_string again;
    struct trod_text in;
    bool more = true;

    trod_text_init(&in, "printed", text->text, text->length);
    trod_string_init(&again, &s->mem);
    for (int i = 0; i < 2; i++) {
        if (!trod_graph_parse(&back, &more, &in, &s->mem, &s->err) || !more ||
            !trod_graph_check(&back, &s->err) || !same_graph(&s->graph, &back) ||
            !same_marks(&s->graph, &back))
            return false;
        trod_graph_print(&again.sink, &back);
    }
    return trod_graph_parse(&back, &more, &in, &s->mem, &s->err) && !more &&
           strcmp(text->text, again.text) == 0;
}

static bool graphs(struct kit_prop *p, void *ctx)
{
    const char *dropped = ctx;
    struct trod_string text;
    struct sample s;
    bool ok;

    sample_init(&s);
    sample_graph(&s.graph, 12, p, &s.mem);
    draw_names(&s.graph, p, &s.mem);
    trod_string_init(&text, &s.mem);
    trod_graph_print(&text.sink, &s.graph);
    trod_graph_print(&text.sink, &s.graph);
    drop(&text, dropped);
    ok = graph_back(&s, &text) || fail_with(p, &s, &text);
    return sample_free(&s, ok);
}

/* --- paths ------------------------------------------------------------------------ */

static bool named_sample(struct sample *s, uint32_t max_node, struct kit_prop *p)
{
    const struct sample_options opt = {0};

    sample_init(s);
    sample_graph(&s->graph, max_node, p, &s->mem);
    draw_names(&s->graph, p, &s->mem);
    if (!sample_number(s, &opt, p))
        return false;
    sample_interest(s, 8, p);
    return true;
}

static void print_paths(struct trod_string *text, struct sample *s)
{
    trod_edge *step = trod_new(&s->mem, trod_edge, s->view.dag.nreach);

    trod_put(&text->sink, "paths ");
    trod_put_name(&text->sink, s->graph.name);
    trod_put(&text->sink, "\n");
    for (size_t i = 0; i < s->paths.count; i++) {
        uint32_t n = trod_number_decode(step, &s->bl, s->paths.id[i]);

        trod_trail_print(&text->sink, &s->view.dag, step, n);
        trod_put(&text->sink, "\n");
    }
    trod_put(&text->sink, "paths other\n");
}

/* Takes the two words that open a section. */
static bool take_head(const char **name, struct trod_text *in, struct trod_arena *mem,
    struct trod_err *err)
{
    struct trod_token token;

    if (!trod_text_next(&token, in, mem, err) ||
        !trod_text_next(&token, in, mem, err) || token.kind != TROD_T_NAME)
        return false;
    *name = token.name;
    return true;
}

static bool paths_back(struct sample *s, struct trod_string *text)
{
    struct trod_trails trails = {0};
    struct trod_token token;
    struct trod_text in;
    const char *name;

    trod_text_init(&in, "printed", text->text, text->length);
    if (!take_head(&name, &in, &s->mem, &s->err) || strcmp(name, s->graph.name) != 0 ||
        !trod_text_next(&token, &in, &s->mem, &s->err) || token.kind != TROD_T_LINE ||
        !trod_trails_parse(&trails, &in, &s->graph, &s->mem, &s->err))
        return false;
    if (trails.count != s->paths.count)
        return false;
    for (uint32_t i = 0; i < trails.count; i++) {
        trod_path id;

        if (!trod_trail_encode(&id, &trails.trail[i], &s->bl, &s->err) ||
            id != s->paths.id[i])
            return false;
    }
    return take_head(&name, &in, &s->mem, &s->err) && strcmp(name, "other") == 0;
}

static bool path_lists(struct kit_prop *p, void *ctx)
{
    const char *dropped = ctx;
    struct trod_string text;
    struct sample s;
    bool ok = named_sample(&s, 12, p);

    if (ok) {
        trod_string_init(&text, &s.mem);
        print_paths(&text, &s);
        drop(&text, dropped);
        ok = paths_back(&s, &text) || fail_with(p, &s, &text);
        if (!ok)
            sample_note_graph(p, &s.graph, &s.mem);
    }
    return sample_free(&s, ok);
}

/* --- numberings ------------------------------------------------------------------- */

static bool same_dag(const struct trod_dag *a, const struct trod_dag *b)
{
    for (trod_edge e = 0; e < a->shape.nedge; e++) {
        trod_node v = a->shape.src_of_edge[e];
        trod_edge f =
            b->shape.first_out[renumbered(a->graph, v)] + (e - a->shape.first_out[v]);

        if (a->shape.nedge != b->shape.nedge ||
            a->kind_of_edge[e] != b->kind_of_edge[f] ||
            renumbered(a->graph, a->shape.dst_of_edge[e]) != b->shape.dst_of_edge[f])
            return false;
    }
    return true;
}

static bool same_numbering(
    const struct trod_numbering *a, const struct trod_numbering *b)
{
    const struct trod_dag *dag = a->dag;

    if (a->kind != b->kind || a->min != b->min || a->max != b->max ||
        a->npath != b->npath || a->low_bits != b->low_bits ||
        a->low_signed != b->low_signed || !same_graph(dag->graph, b->dag->graph) ||
        !same_dag(dag, b->dag))
        return false;
    for (trod_edge e = 0; e < dag->shape.nedge; e++) {
        trod_node v = dag->shape.src_of_edge[e];
        trod_edge f = b->dag->shape.first_out[renumbered(dag->graph, v)] +
                      (e - dag->shape.first_out[v]);

        if (a->val_of_edge[e] != b->val_of_edge[f])
            return false;
    }
    return true;
}

static bool numbering_back(
    struct sample *s, const struct trod_numbering *n, struct trod_string *text)
{
    struct trod_numbering back;
    struct trod_string again;
    struct trod_text in;
    const char *name;

    trod_text_init(&in, "printed", text->text, text->length);
    if (!take_head(&name, &in, &s->mem, &s->err) ||
        !trod_number_parse(&back, name, &in, &s->mem, &s->err) ||
        !trod_dag_check(back.dag, &s->mem, &s->err) ||
        !trod_number_check(&back, &s->mem, &s->err) || !same_numbering(n, &back))
        return false;
    trod_string_init(&again, &s->mem);
    trod_number_print(&again.sink, &back);
    return strcmp(text->text, again.text) == 0;
}

static bool numberings(struct kit_prop *p, void *ctx)
{
    const char *dropped = ctx;
    struct trod_numbering n;
    struct trod_string text;
    struct sample s;
    bool ok = named_sample(&s, 12, p) && sample_numbering(&n, &s, p);

    if (ok) {
        trod_string_init(&text, &s.mem);
        trod_number_print(&text.sink, &n);
        drop(&text, dropped);
        ok = numbering_back(&s, &n, &text) || fail_with(p, &s, &text);
    }
    return sample_free(&s, ok);
}

/* --- plans ------------------------------------------------------------------------ */

static bool same_op(const struct trod_op *a, const struct trod_op *b)
{
    return a->kind == b->kind && a->loop == b->loop && a->value == b->value &&
           a->again == b->again;
}

static bool same_plan(const struct trod_plan *a, const struct trod_plan *b)
{
    const struct trod_graph *x = a->numbering->dag->graph;
    const struct trod_graph *y = b->numbering->dag->graph;

    if (a->placement != b->placement || a->nsite != b->nsite || a->nloop != b->nloop ||
        !same_graph(x, y) || !same_dag(a->numbering->dag, b->numbering->dag))
        return false;
    for (uint32_t i = 0; i < a->nloop; i++)
        if (renumbered(x, a->header_of_loop[i]) != b->header_of_loop[i])
            return false;
    for (uint32_t site = 0; site < a->nsite; site++) {
        uint32_t other = site, i = a->first_op[site], j;

        if (site < x->nedge)
            other = same_edge(x, y, site);
        else if (site < trod_site_in(x))
            other = trod_site_out(y, renumbered(x, site - x->nedge));
        j = b->first_op[other];
        if (a->first_op[site + 1] - i != b->first_op[other + 1] - j)
            return false;
        for (; i < a->first_op[site + 1]; i++, j++)
            if (!same_op(&a->op[i], &b->op[j]))
                return false;
    }
    return true;
}

static bool plan_back(
    struct sample *s, const struct trod_plan *plan, struct trod_string *text)
{
    struct trod_plan back;
    struct trod_string again;
    struct trod_text in;
    const char *name;

    trod_text_init(&in, "printed", text->text, text->length);
    if (!take_head(&name, &in, &s->mem, &s->err) ||
        !trod_probe_parse(&back, name, &in, &s->mem, &s->err) ||
        !trod_probe_check(&back, &s->mem, &s->err) || !same_plan(plan, &back))
        return false;
    trod_string_init(&again, &s->mem);
    trod_probe_print(&again.sink, &back);
    return strcmp(text->text, again.text) == 0;
}

static bool plans(struct kit_prop *p, void *ctx)
{
    const char *dropped = ctx;
    struct trod_numbering n;
    struct trod_string text;
    struct trod_plan plan;
    struct sample s;
    bool ok = named_sample(&s, 12, p) && sample_numbering(&n, &s, p);

    if (ok) {
        struct trod_probe_options options = {
            .placement = (enum trod_placement)kit_draw(p, 3),
            .no_trips = kit_draw(p, 2)};

        trod_probe_plan(&plan, &n, &s.view.loops, &options, &s.mem);
        trod_string_init(&text, &s.mem);
        trod_probe_print(&text.sink, &plan);
        drop(&text, dropped);
        ok = plan_back(&s, &plan, &text) || fail_with(p, &s, &text);
    }
    return sample_free(&s, ok);
}

/* cmocka hands on no const. */
static char nothing[] = "", quotes[] = "\"", weights[] = "*", cuts[] = ">",
            signs[] = "-+", parallel[] = "~", braces[] = "{}";

static void test_graphs(void **state)
{
    (void)state;
    kit_check("graphs come back", graphs, nothing);
    kit_check_planted("names without quotes", graphs, quotes);
    kit_check_planted("weights without marks", graphs, weights);
}

static void test_paths(void **state)
{
    (void)state;
    kit_check("path lists come back", path_lists, nothing);
    kit_check_planted("cuts without marks", path_lists, cuts);
    kit_check_planted("parallel edges without numbers", path_lists, parallel);
}

static void test_numberings(void **state)
{
    (void)state;
    kit_check("numberings come back", numberings, nothing);
    kit_check_planted("values without signs", numberings, signs);
}

static void test_plans(void **state)
{
    (void)state;
    kit_check("plans come back", plans, nothing);
    kit_check_planted("operations without braces", plans, braces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_numberings),
        cmocka_unit_test(test_plans),
    };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
