/* Sets of paths: lists come back from their text and obey the algebra of sets; coverage,
 * neighbours, untested paths and their explanations are those that looking at every path of
 * the function gives.
 */
#include "sample.h"

#include "pathset/pathset.h"

enum fault {
    NONE,
    CHARACTER_GONE, /* characters of the text are dropped */
    OTHER_SET,      /* minus is taken for and */
    LAST_GONE       /* the last path that ran, or was tested, is forgotten */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

/* --- lists ------------------------------------------------------------------------------------ */

enum { NFUNCTION = 5, NID = 6 };

/* Few functions and ids, so that two lists share some; some differ in little. */
static struct trod_profile_function function_at(uint64_t i)
{
    static const uint64_t all[NFUNCTION][4] = {{1, 1, 1, NID}, {1, 2, 1, NID},
        {1, 2, 2, NID}, {UINT64_MAX, 1, 1, NID}, {3, 0, 0, UINT64_MAX}};

    return (struct trod_profile_function){
        .name = all[i][0], .graph = all[i][1], .cuts = all[i][2], .npath = all[i][3]};
}

static const char *name_at(uint64_t i)
{
    static const char *const all[NFUNCTION] = {"f", "f", "list", "a \"b\"\n#c", "?"};

    return all[i];
}

static void draw_list(struct trod_list *out, struct kit_prop *p, struct trod_arena *mem)
{
    size_t n = kit_draw(p, 7);
    struct trod_list_function *function = trod_new(mem, struct trod_list_function, n);

    for (size_t i = 0; i < n; i++) {
        uint64_t f = kit_draw(p, NFUNCTION), unnamed = kit_draw(p, 8) == 7;
        size_t count = kit_draw(p, 5);
        trod_path *id = trod_new(mem, trod_path, count);

        for (size_t k = 0; k < count; k++)
            id[k] = kit_draw(p, NID);
        function[i] = (struct trod_list_function){.name = unnamed ? "?" : name_at(f),
            .function = function_at(f),
            .count = count,
            .id = id};
    }
    trod_list_build(
        out, kit_draw(p, 2) ? TROD_MODE_CODE : TROD_MODE_SOURCE, function, n, mem);
}

static void note_list(
    struct kit_prop *p, const struct trod_list *list, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_list_print(&text.sink, list, NULL);
    kit_note(p, "%s", text.text);
}

static bool lists_come_back(struct kit_prop *p, void *ctx)
{
    struct trod_string text, again;
    struct trod_list list, back;
    struct trod_text in;
    struct sample s;
    bool ok;

    sample_init(&s);
    draw_list(&list, p, &s.mem);
    trod_string_init(&text, &s.mem);
    trod_string_init(&again, &s.mem);
    trod_list_print(&text.sink, &list, NULL);
    for (size_t i = 0; fault_in(ctx) == CHARACTER_GONE && i < text.length; i++)
        if (text.text[i] == '=')
            text.text[i] = ' ';
    trod_text_init(&in, "printed", text.text, text.length);
    ok = trod_list_check(&list, &s.err) &&
         trod_list_parse(&back, &in, &s.mem, &s.err) && trod_list_check(&back, &s.err);
    if (ok)
        trod_list_print(&again.sink, &back, NULL);
    ok = ok && strcmp(text.text, again.text) == 0 &&
         trod_list_count(&list) == trod_list_count(&back);
    if (!ok)
        kit_note(p, "%s\n%s", s.err.text, text.text);
    return sample_free(&s, ok);
}

static bool has(const struct trod_list *list, uint64_t f, trod_path id)
{
    struct trod_profile_function function = function_at(f);

    for (size_t i = 0; i < list->nfunction; i++)
        for (size_t k = 0; k < list->function[i].count; k++)
            if (trod_function_compare(&list->function[i].function, &function) == 0 &&
                list->function[i].id[k] == id)
                return true;
    return false;
}

static bool right(enum trod_list_op op, bool a, bool b)
{
    if (op == TROD_LIST_UNION)
        return a || b;
    return op == TROD_LIST_AND ? a && b : a && !b;
}

static bool same_sets(enum trod_list_op op, const struct trod_list *a,
    const struct trod_list *b, const struct trod_list *c)
{
    uint64_t count = 0;

    for (uint64_t f = 0; f < NFUNCTION; f++)
        for (trod_path id = 0; id < NID; id++) {
            struct trod_profile_function function = function_at(f);
            const struct trod_list_function *found = trod_list_find(c, &function);
            bool in = found && trod_list_has(found, id);

            count += in;
            if (in != right(op, has(a, f, id), has(b, f, id)) || in != has(c, f, id))
                return false;
        }
    return count == trod_list_count(c);
}

static bool sets_are_sets(struct kit_prop *p, void *ctx)
{
    enum trod_list_op op = (enum trod_list_op)kit_draw(p, 3), asked = op;
    struct trod_list a, b, c;
    struct sample s;
    bool ok;

    sample_init(&s);
    draw_list(&a, p, &s.mem);
    draw_list(&b, p, &s.mem);
    if (fault_in(ctx) == OTHER_SET && op == TROD_LIST_MINUS)
        asked = TROD_LIST_AND;
    if (a.nfunction && b.nfunction && a.mode != b.mode)
        ok = !trod_list_combine(&c, asked, &a, &b, &s.mem, &s.err) &&
             s.err.code == TROD_E_MISMATCH;
    else
        ok = trod_list_combine(&c, asked, &a, &b, &s.mem, &s.err) &&
             trod_list_check(&c, &s.err) && same_sets(op, &a, &b, &c);
    if (!ok) {
        kit_note(p, "operation %d: %s", (int)op, s.err.text);
        note_list(p, &a, &s.mem);
        note_list(p, &b, &s.mem);
    }
    return sample_free(&s, ok);
}

/* Both ways to find what happened to a function. */
static enum trod_list_fate slow_fate(const struct trod_profile_function *f,
    const struct trod_profile_function *known, size_t n)
{
    bool name = false, graph = false;

    for (size_t i = 0; i < n; i++) {
        if (trod_function_compare(f, &known[i]) == 0)
            return TROD_FATE_SAME;
        name |= f->name == known[i].name;
        graph |= f->name == known[i].name && f->graph == known[i].graph;
    }
    return graph ? TROD_FATE_CUT : name ? TROD_FATE_CHANGED : TROD_FATE_VANISHED;
}

static bool fates_are_found(struct kit_prop *p, void *ctx)
{
    struct trod_profile_function known[4], *sorted;
    struct trod_list_match match;
    size_t n = kit_draw(p, 5), nkept = 0;
    struct trod_list list, kept;
    struct sample s;
    bool ok = true;

    sample_init(&s);
    draw_list(&list, p, &s.mem);
    sorted = trod_new(&s.mem, struct trod_profile_function, n);
    for (size_t i = 0; i < n; i++)
        sorted[i] = known[i] = function_at(kit_draw(p, NFUNCTION));
    trod_list_match(
        &match, &list, sorted, n - (fault_in(ctx) == LAST_GONE && n), &s.mem);
    trod_list_keep(&kept, &list, &match, &s.mem);
    for (size_t i = 0; i < list.nfunction; i++) {
        enum trod_list_fate fate = slow_fate(&list.function[i].function, known, n);

        nkept += fate == TROD_FATE_SAME;
        ok = ok && match.fate_of_function[i] == fate &&
             (trod_list_find(&kept, &list.function[i].function) != NULL) ==
                 (fate == TROD_FATE_SAME);
    }
    ok = ok && kept.nfunction == nkept &&
         match.nfunction_of_fate[TROD_FATE_SAME] == nkept;
    if (!ok)
        note_list(p, &list, &s.mem);
    return sample_free(&s, ok);
}

/* --- a function, all its paths, and some that ran ------------------------------------------------ */

struct world {
    struct sample s;
    struct sample_paths all; /* the ith has id i */
    struct trod_ran_path *ran;
    size_t nran;
    trod_edge *step;
};

static bool build_world(struct world *w, uint32_t max_node, struct kit_prop *p)
{
    const struct sample_options opt = {.max_node = max_node, .max_path = 200};
    size_t n;
    trod_path *id;
    struct trod_pathset set;

    if (!sample_build(&w->s, &opt, p))
        return false;
    sample_paths(&w->all, &w->s.view.dag, &w->s.mem);
    w->step = trod_new(&w->s.mem, trod_edge, w->s.view.dag.nreach);
    n = kit_draw(p, kit_draw(p, 3) ? 8 : 60);
    id = trod_new(&w->s.mem, trod_path, n);
    for (size_t i = 0; i < n; i++)
        id[i] = kit_draw(p, w->s.bl.npath);
    trod_pathset_build(&set, id, n, &w->s.mem);
    w->nran = set.count;
    w->ran = trod_new(&w->s.mem, struct trod_ran_path, set.count);
    for (size_t i = 0; i < set.count; i++)
        w->ran[i] = (struct trod_ran_path){
            .id = set.id[i], .count = 1 + kit_draw(p, 4), .nrun = 1};
    return true;
}

static bool fail_in(struct kit_prop *p, struct world *w, const char *what)
{
    kit_note(p, "%s", what);
    sample_note_numbering(p, &w->s.bl, &w->s.mem);
    for (size_t i = 0; i < w->nran; i++)
        sample_note_path(p, &w->s, "ran", w->ran[i].id);
    return false;
}

static bool on_path(const struct world *w, trod_path id, trod_edge e)
{
    for (uint32_t k = w->all.first[id]; k < w->all.first[id + 1]; k++)
        if (w->all.step[k] == e)
            return true;
    return false;
}

static bool ever_ran(const struct world *w, trod_edge e)
{
    for (size_t i = 0; i < w->nran; i++)
        if (on_path(w, w->ran[i].id, e))
            return true;
    return false;
}

static bool did_run(const struct world *w, trod_path id)
{
    for (size_t i = 0; i < w->nran; i++)
        if (w->ran[i].id == id)
            return true;
    return false;
}

static size_t given(const struct world *w, const void *ctx)
{
    return w->nran - (fault_in(ctx) == LAST_GONE && w->nran);
}

/* --- coverage ---------------------------------------------------------------------------------------- */

static bool reachable(const struct world *w, trod_node v)
{
    return w->s.view.order.pre_of_node[v] != TROD_NONE;
}

static bool block_ran(const struct world *w, trod_node v)
{
    for (trod_edge e = 0; e < w->s.view.dag.shape.nedge; e++)
        if (w->s.view.dag.shape.dst_of_edge[e] == v && ever_ran(w, e))
            return true;
    return false;
}

static void slow_cover(struct trod_covered *out, const struct world *w)
{
    const struct trod_graph *g = &w->s.graph;
    const struct trod_dag *dag = &w->s.view.dag;

    *out = (struct trod_covered){.path = {w->nran, w->all.count}};
    for (trod_node v = 0; v < g->nnode; v++) {
        out->block.all += reachable(w, v);
        out->block.ran += reachable(w, v) && block_ran(w, v);
    }
    for (trod_edge e = 0; e < g->nedge; e++) {
        bool cut = false;

        if (!reachable(w, g->src_of_edge[e]))
            continue;
        out->edge.all++;
        out->edge.ran += ever_ran(w, dag->dag_of_edge[e]);
        cut = g->cut_of_edge && g->cut_of_edge[e];
        for (uint32_t i = 0; i < w->s.limit.ncut; i++)
            cut |= w->s.limit.cut[i] == e;
        out->ncut += cut && !trod_has(w->s.view.order.retreating, e) &&
                     trod_graph_leave(g, g->dst_of_edge[e]) != TROD_RETURNS_AGAIN;
    }
}

static bool coverage_is_right(struct kit_prop *p, void *ctx)
{
    struct trod_covered fast, slow;
    struct world w;
    bool ok = build_world(&w, 12, p);

    if (ok) {
        trod_cover_function(&fast, &w.s.bl, w.ran, given(&w, ctx), w.step, &w.s.mem);
        slow_cover(&slow, &w);
        ok = (fast.path.ran == slow.path.ran && fast.path.all == slow.path.all &&
                 fast.edge.ran == slow.edge.ran && fast.edge.all == slow.edge.all &&
                 fast.block.ran == slow.block.ran && fast.block.all == slow.block.all &&
                 fast.ncut == slow.ncut) ||
             fail_in(p, &w, "coverage");
    }
    return sample_free(&w.s, ok);
}

/* --- neighbours ---------------------------------------------------------------------------------------- */

static trod_edge step_at(const struct world *w, trod_path id, uint32_t i)
{
    return w->all.step[w->all.first[id] + i];
}

static uint32_t length_of(const struct world *w, trod_path id)
{
    return w->all.first[id + 1] - w->all.first[id];
}

/* The edge that a path leaves a node by, or TROD_NONE. */
static trod_edge out_of(const struct world *w, trod_path id, trod_node v)
{
    for (uint32_t i = 0; i < length_of(w, id); i++)
        if (w->s.view.dag.shape.src_of_edge[step_at(w, id, i)] == v)
            return step_at(w, id, i);
    return TROD_NONE;
}

/* Does q go as p does, but by edge e where p's step i is? */
static bool leaves_at(
    const struct world *w, trod_path p, uint32_t i, trod_edge e, trod_path q)
{
    for (uint32_t k = 0; k < length_of(w, q); k++) {
        trod_edge f = step_at(w, q, k);
        trod_edge other = out_of(w, p, w->s.view.dag.shape.src_of_edge[f]);

        if (k < i    ? f != step_at(w, p, k)
            : k == i ? f != e
                     : other != TROD_NONE && other != f)
            return false;
    }
    return length_of(w, q) > i;
}

static uint32_t count_new(const struct world *w, trod_path q)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < length_of(w, q); k++)
        n += !ever_ran(w, step_at(w, q, k));
    return n;
}

/* The best way on, or npath. */
static trod_path slow_neighbour(
    const struct world *w, trod_path p, uint32_t i, trod_edge e)
{
    trod_path best = w->all.count;

    for (trod_path q = 0; q < w->all.count; q++)
        if (leaves_at(w, p, i, e, q) &&
            (best == w->all.count || count_new(w, q) < count_new(w, best)))
            best = q;
    return best;
}

/* By id: the path that ran, or NULL where the path is no neighbour. */
static const struct trod_ran_path **slow_missing(struct world *w)
{
    const struct trod_graph *g = &w->s.view.dag.shape;
    const struct trod_ran_path **near =
        trod_new(&w->s.mem, const struct trod_ran_path *, w->all.count);

    for (size_t r = 0; r < w->nran; r++)
        for (uint32_t i = 1; i < length_of(w, w->ran[r].id); i++) {
            trod_edge taken = step_at(w, w->ran[r].id, i);
            trod_node v = g->src_of_edge[taken];

            for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
                trod_path q =
                    e == taken ? w->all.count : slow_neighbour(w, w->ran[r].id, i, e);

                if (q < w->all.count && !did_run(w, q) &&
                    (!near[q] || near[q]->count < w->ran[r].count))
                    near[q] = &w->ran[r];
            }
        }
    return near;
}

static bool neighbours_are_right(struct kit_prop *p, void *ctx)
{
    const struct trod_ran_path **near;
    struct trod_neighbour *found;
    struct world w;
    size_t n, at = 0;
    bool ok = build_world(&w, 6, p);

    if (ok) {
        n = trod_neighbours_of_function(
            &found, &w.s.bl, w.ran, given(&w, ctx), w.step, &w.s.mem);
        near = slow_missing(&w);
        for (trod_path q = 0; ok && q < w.all.count; q++)
            if (near[q]) {
                ok = at < n && found[at].id == q && found[at].near == near[q]->id &&
                     found[at].count == near[q]->count &&
                     found[at].nnew == count_new(&w, q) &&
                     on_path(&w, q, found[at].edge) &&
                     on_path(&w, near[q]->id, found[at].taken);
                at++;
            }
        ok = (ok && at == n) || fail_in(p, &w, "neighbours");
    }
    return sample_free(&w.s, ok);
}

/* --- explanations ------------------------------------------------------------------------------------------ */

/* Has a tested path all of these edges? */
static bool together(const struct world *w, const trod_edge *edge, uint32_t n)
{
    for (size_t i = 0; i < w->nran; i++) {
        uint32_t k = 0;

        while (k < n && on_path(w, w->ran[i].id, edge[k]))
            k++;
        if (k == n)
            return true;
    }
    return false;
}

/* Would some two, or three, of all edges of the path do? */
static bool fewer_do(const struct world *w, trod_path id, uint32_t size)
{
    uint32_t n = length_of(w, id);

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < (size > 1 ? i : 1); j++)
            for (uint32_t k = 0; k < (size > 2 ? j : 1); k++) {
                trod_edge edge[3] = {step_at(w, id, i),
                    step_at(w, id, size > 1 ? j : i), step_at(w, id, size > 2 ? k : i)};

                if (!together(w, edge, 3))
                    return true;
            }
    return false;
}

static bool right_edges(
    const struct world *w, trod_path id, const struct trod_explained *x)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < length_of(w, id); i++) {
        trod_edge e = step_at(w, id, i);
        trod_node v = w->s.view.dag.shape.src_of_edge[e];
        const uint32_t *first = w->s.view.dag.shape.first_out;

        if (ever_ran(w, e) || first[v + 1] - first[v] < 2)
            continue;
        if (n >= x->nedge || x->edge[n] != e)
            return false;
        n++;
    }
    return n && n == x->nedge;
}

static bool right_set(
    const struct world *w, trod_path id, const struct trod_explained *x)
{
    trod_edge less[64];

    if (x->nedge > 64 || together(w, x->edge, x->nedge))
        return false;
    for (uint32_t k = 0; k < x->nedge; k++) {
        if (!on_path(w, id, x->edge[k]))
            return false;
        for (uint32_t i = 0; i < x->nedge; i++)
            less[i - (i > k)] = x->edge[i];
        if (!together(w, less, x->nedge - 1))
            return false;
    }
    for (uint32_t size = 1; x->smallest && size < 4 && size < x->nedge; size++)
        if (fewer_do(w, id, size))
            return false;
    return x->nedge == 2 || !fewer_do(w, id, 2);
}

static bool explanations_are_right(struct kit_prop *p, void *ctx)
{
    struct trod_explained x;
    struct trod_explainer explainer;
    trod_path *tested;
    struct world w;
    bool ok = build_world(&w, 8, p), any_new = false;

    if (ok) {
        trod_path id = kit_draw(p, w.s.bl.npath);

        tested = trod_new(&w.s.mem, trod_path, w.nran);
        for (size_t i = 0; i < w.nran; i++)
            tested[i] = w.ran[i].id;
        trod_explainer_init(&explainer, &w.s.bl, tested, given(&w, ctx), &w.s.mem);
        if (did_run(&w, id))
            return sample_free(&w.s, true);
        trod_explain(&x, &explainer, id, w.step);
        for (uint32_t i = 0; i < length_of(&w, id); i++)
            any_new |= !ever_ran(&w, step_at(&w, id, i));
        if (!w.nran)
            ok = x.why == TROD_WHY_ENTERED && !x.nedge;
        else if (any_new)
            ok = x.why == TROD_WHY_EDGES && right_edges(&w, id, &x);
        else
            ok = x.why == TROD_WHY_APART && right_set(&w, id, &x);
        if (!ok) {
            for (uint32_t i = 0; i < x.nedge; i++)
                kit_note(p, "edge %u", x.edge[i]);
            sample_note_path(p, &w.s, "untested", id);
            fail_in(p, &w, "explanation");
        }
    }
    return sample_free(&w.s, ok);
}

/* --- untested paths ----------------------------------------------------------------------------------------- */

enum { NRUN = 4 };

static const struct trod_profile_function identity = {.name = 1, .graph = 2, .cuts = 3};

/* The map of one function, as the compiler would have written it. */
static bool make_map(struct trod_map *out, struct world *w)
{
    struct trod_string text;
    struct trod_text in;

    trod_string_init(&text, &w->s.mem);
    trod_put(&text.sink, "unit u source\nfunction f 1 2 3\n");
    trod_number_print(&text.sink, &w->s.bl);
    trod_text_init(&in, "map", text.text, text.length);
    return trod_map_parse(out, &in, &w->s.mem, &w->s.err);
}

struct field {
    struct trod_profile profile[NRUN];
    const struct trod_profile *list[NRUN];
    uint64_t *count[NRUN]; /* by id */
};

static bool draw_profile(
    struct field *f, uint32_t run, struct world *w, struct kit_prop *p)
{
    struct trod_profile_function *function =
        trod_new(&w->s.mem, struct trod_profile_function, 1);
    struct trod_profile_module module = {.path = "app",
        .build_id = "",
        .mode = TROD_MODE_SOURCE,
        .nfunction = 1,
        .function = function};
    struct trod_profile_builder builder;
    struct trod_profile_tally tally = {0};
    uint64_t ndraw = kit_draw(p, 6);
    struct trod_profile_path *path =
        trod_new(&w->s.mem, struct trod_profile_path, w->s.bl.npath + 1);

    *function = identity;
    function->npath = w->s.bl.npath;
    f->count[run] = trod_new(&w->s.mem, uint64_t, w->s.bl.npath);
    for (uint64_t i = 0; i < ndraw; i++)
        f->count[run][kit_draw(p, w->s.bl.npath)] += 1 + kit_draw(p, 3);
    trod_profile_builder_init(&builder, &w->s.mem);
    trod_profile_add_module(&builder, &module);
    tally.path = path;
    for (uint64_t id = 0; id < w->s.bl.npath; id++)
        if (f->count[run][id])
            path[tally.npath++] =
                (struct trod_profile_path){.id = id, .count = f->count[run][id]};
    if (kit_draw(p, 2)) /* how often it was begun is not a path */
        path[tally.npath++] =
            (struct trod_profile_path){.id = w->s.bl.npath, .count = 7};
    if (tally.npath)
        trod_profile_add_tally(&builder, &tally);
    f->list[run] = &f->profile[run];
    return trod_profile_build(&f->profile[run], &builder, &w->s.err);
}

static bool right_untested(
    const struct world *w, const struct field *f, const struct trod_untested *u)
{
    uint64_t n = 0, nfield = 0, nwhy = 0;

    for (trod_path id = 0; id < w->all.count; id++) {
        uint64_t nrun = 0, count = 0, found = 0;

        for (int run = 0; run < NRUN; run++) {
            nrun += f->count[run][id] != 0;
            count += f->count[run][id];
        }
        nfield += nrun != 0;
        n += nrun && !did_run(w, id);
        for (size_t i = 0; i < u->npath; i++)
            found += u->path[i].id == id && u->path[i].nrun == nrun &&
                     u->path[i].count == count;
        if (found != (nrun && !did_run(w, id)))
            return false;
    }
    for (size_t i = 1; i < u->npath; i++)
        if (u->path[i - 1].nrun < u->path[i].nrun ||
            (u->path[i - 1].nrun == u->path[i].nrun &&
                u->path[i - 1].count < u->path[i].count))
            return false;
    for (int why = 0; why <= TROD_WHY_APART; why++)
        nwhy += u->npath_of_why[why];
    return n == u->npath && n == nwhy && nfield == u->nfield &&
           !u->npath_of_why[TROD_WHY_UNKNOWN] && u->nfunction == (n != 0) &&
           u->nentered == (n && !w->nran);
}

/* Edges that the field took and no test did; is anything new on its paths? */
static bool right_summary(
    const struct world *w, const struct field *f, const struct trod_untested *u)
{
    const struct trod_dag *dag = &w->s.view.dag;
    uint64_t nedge = 0;
    bool any = false;

    for (trod_edge e = 0; e < dag->shape.nedge; e++) {
        bool taken = false;

        for (trod_path id = 0; id < w->all.count; id++)
            for (int run = 0; run < NRUN; run++)
                taken |= f->count[run][id] && on_path(w, id, e);
        any |= taken && !ever_ran(w, e);
        nedge += taken && !ever_ran(w, e) && dag->origin_of_edge[e] != TROD_NONE;
    }
    return u->nedge == nedge && u->nfunction_edge == any &&
           u->npath_mapped == u->npath && u->npath_hidden == (any ? 0 : u->npath);
}

static bool untested_is_right(struct kit_prop *p, void *ctx)
{
    struct trod_untested_options options = {0};
    struct trod_list_function tested = {.name = "f", .function = identity};
    struct trod_list list;
    struct trod_untested u;
    struct trod_ran ran;
    struct trod_map map;
    struct field f;
    struct world w;
    trod_path *id;
    bool ok = build_world(&w, 6, p);

    for (uint32_t run = 0; ok && run < NRUN; run++)
        ok = draw_profile(&f, run, &w, p);
    if (ok) {
        id = trod_new(&w.s.mem, trod_path, w.nran);
        for (size_t i = 0; i < w.nran; i++)
            id[i] = w.ran[i].id;
        tested.function.npath = w.s.bl.npath;
        tested.id = id;
        tested.count = given(&w, ctx);
        trod_list_build(&list, TROD_MODE_SOURCE, &tested, 1, &w.s.mem);
        ok = make_map(&map, &w) &&
             trod_ran_build(&ran, f.list, NRUN, &w.s.mem, &w.s.err);
        if (ok)
            trod_untested_build(&u, &list, &ran, &map, &options, &w.s.mem);
        ok = (ok && right_untested(&w, &f, &u) && right_summary(&w, &f, &u)) ||
             fail_in(p, &w, w.s.err.text);
    }
    return sample_free(&w.s, ok);
}

/* --- all --------------------------------------------------------------------------------------------------------- */

static enum fault character_gone = CHARACTER_GONE, other_set = OTHER_SET,
                  last_gone = LAST_GONE;

static void test_lists(void **state)
{
    (void)state;
    kit_check("lists come back", lists_come_back, NULL);
    kit_check_planted("a list without marks", lists_come_back, &character_gone);
}

static void test_sets(void **state)
{
    (void)state;
    kit_check("lists are sets", sets_are_sets, NULL);
    kit_check_planted("minus taken for and", sets_are_sets, &other_set);
}

static void test_fates(void **state)
{
    (void)state;
    kit_check("stale functions are found", fates_are_found, NULL);
    kit_check_planted("a function is overlooked", fates_are_found, &last_gone);
}

static void test_coverage(void **state)
{
    (void)state;
    kit_check("coverage is that of all paths", coverage_is_right, NULL);
    kit_check_planted("coverage without the last path", coverage_is_right, &last_gone);
}

static void test_neighbours(void **state)
{
    (void)state;
    kit_check("neighbours are the nearest", neighbours_are_right, NULL);
    kit_check_planted(
        "neighbours without the last path", neighbours_are_right, &last_gone);
}

static void test_explanations(void **state)
{
    (void)state;
    kit_check("explanations hold", explanations_are_right, NULL);
    kit_check_planted("explanations without the last tested path",
        explanations_are_right, &last_gone);
}

static void test_untested(void **state)
{
    (void)state;
    kit_check("no untested path is missed", untested_is_right, NULL);
    kit_check_planted(
        "untested without the last tested path", untested_is_right, &last_gone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_fates),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_explanations),
        cmocka_unit_test(test_untested),
    };

    return cmocka_run_group_tests_name("chosen", tests, NULL, NULL);
}
