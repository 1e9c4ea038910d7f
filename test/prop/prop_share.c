/* Shares: each path of a set is at one site, prices are those of the sites' own lists, no load is
 * above the bound, and none below what the best of all ways to share gives. Prices are of how often
 * a program passed its edges, as seen by walking them.
 */
#include "sample.h"

#include "pathset/pathset.h"

enum { MOST_FUNCTIONS = 3, MOST_SITES = 5 };

static const struct sample_options small = {
    .max_node = 14, .max_path = 200, .max_interest = 8};

/* Faults that must be found. */
enum fault {
    NONE,
    LOST,     /* a path of a site is gone */
    TWICE,    /* a path is at another site, too */
    CHEAPER,  /* the price of a site is not that of its list */
    HEAVY,    /* everything is at the first site */
    UNWEIGHED /* the last path that ran is forgotten */
};

struct world {
    struct trod_arena mem;
    struct trod_err err;
    struct sample s[MOST_FUNCTIONS];
    uint32_t nfunction;
    struct trod_map map;
    struct trod_list list;
    struct trod_ran ran;
    struct trod_share_options options;
    struct trod_share share;
};

static struct trod_profile_function identity(const struct world *w, uint32_t f)
{
    return (struct trod_profile_function){
        .name = f + 1, .graph = 2, .cuts = 3, .npath = w->s[f].bl.npath};
}

/* --- worlds ----------------------------------------------------------------------------------- */

/* As the compiler would have written it. */
static bool make_map(struct world *w)
{
    struct trod_string text;
    struct trod_text in;

    trod_string_init(&text, &w->mem);
    trod_put(&text.sink, "unit u source\n");
    for (uint32_t f = 0; f < w->nfunction; f++) {
        trod_put(&text.sink, "function f%" PRIu32 " %" PRIu32 " 2 3\n", f, f + 1);
        trod_number_print(&text.sink, &w->s[f].bl);
    }
    trod_text_init(&in, "map", text.text, text.length);
    return trod_map_parse(&w->map, &in, &w->mem, &w->err);
}

static void make_list(struct world *w)
{
    struct trod_list_function function[MOST_FUNCTIONS];

    for (uint32_t f = 0; f < w->nfunction; f++)
        function[f] = (struct trod_list_function){.name = "f",
            .function = identity(w, f),
            .count = w->s[f].paths.count,
            .id = w->s[f].paths.id};
    trod_list_build(&w->list, TROD_MODE_CODE, function, w->nfunction, &w->mem);
}

/* Any paths, any number of times. Functions that did not run may be known, or not. */
static void draw_ran(struct world *w, struct kit_prop *p)
{
    struct sample_dice dice = sample_dice(p, 1, 3);
    struct trod_ran_function *function =
        trod_new(&w->mem, struct trod_ran_function, w->nfunction);
    size_t n = 0;

    w->options.ran = dice.seed ? &w->ran : NULL;
    for (uint32_t f = 0; f < w->nfunction && dice.seed; f++) {
        uint64_t npath = w->s[f].bl.npath;
        struct trod_ran_path *path = trod_new(&w->mem, struct trod_ran_path, npath);

        function[n] =
            (struct trod_ran_function){.function = identity(w, f), .path = path};
        for (trod_path id = 0; id < npath; id++)
            if (sample_roll(dice, UINT64_C(1000) * f + id, 2))
                path[function[n].npath++] = (struct trod_ran_path){.id = id,
                    .count =
                        1 + sample_roll(dice, 7000 + UINT64_C(1000) * f + id, 1000),
                    .nrun = 1};
        n += sample_roll(dice, 9000 + f, 4) != 3;
    }
    w->ran = (struct trod_ran){
        .mode = TROD_MODE_CODE, .nrun = 1, .nfunction = n, .function = function};
}

/* A share takes some dozens of plans: one run in six is as long as those of other properties. */
static bool is_turn(struct kit_prop *p)
{
    return kit_draw(p, 6) == 0;
}

/* Functions that are only placed, or cut as well; one function and two sites. */
enum kind { ANY, PLACED, ONE_FOR_TWO };

static bool build(struct world *w, struct kit_prop *p, enum kind kind)
{
    static const uint64_t work[] = {1, 50000, 400000};
    bool one_for_two = kind == ONE_FOR_TWO;

    *w = (struct world){
        .nfunction = one_for_two ? 1 : 1 + (uint32_t)kit_draw(p, MOST_FUNCTIONS)};
    trod_arena_init(&w->mem, sample_exhausted, NULL);
    for (uint32_t f = 0; f < w->nfunction; f++)
        if (!sample_build(&w->s[f], &small, p))
            return false;
    w->options.nsite = one_for_two ? 2 : 1 + (uint32_t)kit_draw(p, MOST_SITES);
    w->options.work = kind == ANY ? work[kit_draw(p, 3)] : one_for_two ? 2000000 : 1;
    draw_ran(w, p);
    make_list(w);
    return make_map(w) && trod_share_build(&w->share, &w->list, &w->map, &w->options,
                              &w->mem, &w->err);
}

static bool finish(struct world *w, struct kit_prop *p, bool holds)
{
    struct trod_string text;

    if (!holds) {
        trod_string_init(&text, &w->mem);
        trod_share_print(&text.sink, &w->share, NULL);
        trod_list_print(&text.sink, &w->list, NULL);
        for (uint32_t i = 0; i < w->share.nsite; i++)
            trod_list_print(&text.sink, &w->share.site[i].list, NULL);
        kit_note(p, "%s\n%s", w->err.text, text.text);
        for (uint32_t f = 0; f < w->nfunction && w->s[f].bl.dag; f++)
            sample_note_numbering(p, &w->s[f].bl, &w->mem);
    }
    for (uint32_t f = 0; f < w->nfunction; f++)
        trod_arena_free(&w->s[f].mem);
    trod_arena_free(&w->mem);
    return holds;
}

/* --- what must hold ----------------------------------------------------------------------------- */

static uint32_t nsite_with(const struct world *w, uint32_t f, trod_path id)
{
    struct trod_profile_function function = identity(w, f);
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->share.nsite; i++) {
        const struct trod_list *list = &w->share.site[i].list;

        for (size_t k = 0; k < list->nfunction; k++)
            for (size_t j = 0; j < list->function[k].count; j++)
                n += trod_function_compare(&list->function[k].function, &function) ==
                         0 &&
                     list->function[k].id[j] == id;
    }
    return n;
}

static bool is_partition(const struct world *w)
{
    for (uint32_t f = 0; f < w->nfunction; f++)
        for (trod_path id = 0; id < w->s[f].bl.npath; id++)
            if (nsite_with(w, f, id) != sample_wanted(&w->s[f], id))
                return false;
    return true;
}

static struct trod_pricer pricer_of(struct world *w, uint32_t f)
{
    struct trod_profile_function function = identity(w, f);
    const struct trod_ran_function nothing = {.function = function};
    const struct trod_ran_function *ran = trod_ran_find(&w->ran, &function);
    struct trod_pricer pricer;

    trod_pricer_init(&pricer, &trod_map_find(&w->map, &function)->numbering,
        !w->options.ran ? NULL
        : ran           ? ran
                        : &nothing,
        &w->mem);
    return pricer;
}

/* Of some paths of each function, from scratch. */
static bool price_of(
    struct trod_price *out, struct world *w, const struct trod_list *list)
{
    *out = (struct trod_price){0};
    for (uint32_t f = 0; f < w->nfunction; f++) {
        struct trod_profile_function function = identity(w, f);
        const struct trod_list_function *listed = trod_list_find(list, &function);
        struct trod_pricer pricer = pricer_of(w, f);
        struct trod_price price;
        struct trod_pathset paths;

        if (!listed)
            continue;
        paths = (struct trod_pathset){.id = listed->id, .count = listed->count};
        if (!trod_price_paths(&price, &pricer, &paths, &w->mem, &w->err))
            return false;
        out->nop += price.nop;
        out->bytes += price.bytes;
        out->dynamic += price.dynamic;
    }
    return true;
}

static bool near(double a, double b)
{
    double off = a - b, size = 1 + (a < 0 ? -a : a);

    return (off < 0 ? -off : off) <= 1e-9 * size;
}

static bool same_price(const struct trod_price *a, const struct trod_price *b)
{
    return a->nop == b->nop && a->bytes == b->bytes && near(a->dynamic, b->dynamic);
}

static bool prices_are_right(struct world *w)
{
    struct trod_price price;

    for (uint32_t i = 0; i < w->share.nsite; i++)
        if (!price_of(&price, w, &w->share.site[i].list) ||
            !same_price(&price, &w->share.site[i].sum.price))
            return false;
    return price_of(&price, w, &w->list) && same_price(&price, &w->share.once.price);
}

static double highest_load(const struct world *w)
{
    double most = 0;

    for (uint32_t i = 0; i < w->share.nsite; i++) {
        double load =
            trod_share_load(&w->share.site[i].sum.price, &w->share.once.price);

        most = load > most ? load : most;
    }
    return most;
}

/* A fair share of all whole functions, and what is left of the most expensive of them. */
static bool is_below_bound(struct world *w)
{
    double all = 0, most = 0, n = w->share.nsite;

    for (size_t f = 0; f < w->list.nfunction; f++) {
        struct trod_list alone;
        struct trod_price price;
        double load;

        trod_list_build(&alone, w->list.mode, &w->list.function[f], 1, &w->mem);
        if (!price_of(&price, w, &alone))
            return false;
        load = trod_share_load(&price, &w->share.once.price);
        all += load;
        most = load > most ? load : most;
    }
    return highest_load(w) <= all / n + most * (1 - 1 / n) + 1e-9;
}

/* --- faults --------------------------------------------------------------------------------------- */

static bool spoil(struct world *w, enum fault fault)
{
    struct trod_share_site *site = w->share.site;
    uint32_t last = w->share.nsite - 1;
    struct trod_list_function function;

    while (last && !site[last].list.nfunction)
        last--;
    if (!site[last].list.nfunction)
        return false;
    function = site[last].list.function[0];
    switch (fault) {
    case NONE:
    case UNWEIGHED:
        break;
    case LOST:
        function.count--;
        trod_list_build(&site[last].list, TROD_MODE_CODE, &function, 1, &w->mem);
        site[last].sum.npath = function.count;
        site[last].sum.nfunction = site[last].list.nfunction;
        break;
    case TWICE:
        if (!last || !trod_list_combine(&site[0].list, TROD_LIST_UNION, &site[0].list,
                         &site[last].list, &w->mem, &w->err))
            return false;
        site[0].sum.npath = trod_list_count(&site[0].list);
        site[0].sum.nfunction = site[0].list.nfunction;
        break;
    case CHEAPER:
        site[last].sum.price.nop--;
        break;
    case HEAVY:
        for (uint32_t i = 0; i < w->share.nsite; i++) {
            site[i].sum = (struct trod_share_sum){0};
            trod_list_build(&site[i].list, TROD_MODE_CODE, NULL, 0, &w->mem);
        }
        site[0].list = w->list;
        site[0].sum = w->share.once;
        break;
    }
    return fault != NONE;
}

/* --- properties ------------------------------------------------------------------------------------- */

static bool shares_are_right(struct kit_prop *p, void *ctx)
{
    const enum fault *fault = ctx;
    struct world w;
    bool ok;

    if (!is_turn(p))
        return true;
    ok = build(&w, p, ANY);
    if (ok && (*fault == NONE || spoil(&w, *fault)))
        ok = trod_share_check(&w.share, &w.list, &w.mem, &w.err) && is_partition(&w) &&
             prices_are_right(&w) && is_below_bound(&w);
    return finish(&w, p, ok);
}

/* The validator alone must find what it says it does. */
static bool validator_agrees(struct kit_prop *p, void *ctx)
{
    enum fault fault = (enum fault)(kit_draw(p, TWICE + 1));
    struct world w;
    bool ok;

    if (!is_turn(p))
        return true;
    ok = build(&w, p, PLACED);
    if (ok && spoil(&w, fault))
        ok = trod_share_check(&w.share, &w.list, &w.mem, &w.err) == is_partition(&w) &&
             !(ctx && !is_partition(&w)); /* planted: there is never anything to find */
    return finish(&w, p, ok);
}

static bool says_the_same_again(struct kit_prop *p, void *ctx)
{
    struct trod_string one, two;
    struct trod_share again;
    struct world w;
    bool ok;

    if (!is_turn(p))
        return true;
    ok = build(&w, p, ANY);
    trod_string_init(&one, &w.mem);
    trod_string_init(&two, &w.mem);
    if (ok && ctx)
        w.options.nsite++;
    if (ok)
        ok = trod_share_build(&again, &w.list, &w.map, &w.options, &w.mem, &w.err);
    for (uint32_t i = 0; ok && i < w.share.nsite; i++) {
        trod_list_print(&one.sink, &w.share.site[i].list, &w.map);
        trod_list_print(&two.sink, &again.site[i].list, &w.map);
    }
    return finish(&w, p, ok && strcmp(one.text, two.text) == 0);
}

/* Two sites, one function, all ways to share: none is better than the best of them. */
static bool best_of_all(double *out, struct world *w)
{
    const struct trod_list_function *listed = &w->list.function[0];
    struct trod_pricer pricer = pricer_of(w, (uint32_t)listed->function.name - 1);
    trod_path *id = trod_new(&w->mem, trod_path, listed->count);

    *out = 2;
    for (uint32_t part = 0; part < 1u << listed->count; part++) {
        double worse = 0;

        for (uint32_t side = 0; side < 2; side++) {
            struct trod_pathset paths = {.id = id};
            struct trod_price price;
            double load;

            for (size_t k = 0; k < listed->count; k++)
                if ((part >> k & 1) == side)
                    id[paths.count++] = listed->id[k];
            if (!trod_price_paths(&price, &pricer, &paths, &w->mem, &w->err))
                return false;
            load = trod_share_load(&price, &w->share.once.price);
            worse = load > worse ? load : worse;
        }
        *out = worse < *out ? worse : *out;
    }
    return true;
}

static double sum_of_ratios;
static uint64_t nratio;

static bool none_beats_the_best(struct kit_prop *p, void *ctx)
{
    struct world w;
    bool ok;
    double best, high;

    if (!is_turn(p))
        return true;
    ok = build(&w, p, ONE_FOR_TWO);
    if (ok && w.list.nfunction && w.list.function[0].count <= 4) {
        high = highest_load(&w) - (ctx ? 0.2 : 0);
        ok = best_of_all(&best, &w) && high >= best - 1e-9;
        if (best > 0) {
            sum_of_ratios += high / best;
            nratio++;
        }
    }
    return finish(&w, p, ok);
}

/* --- weights ------------------------------------------------------------------------------------------- */

/* Is it a site at which something may stand: an edge, an exit, or the way in? */
static bool is_site(const struct trod_graph *g, uint32_t site)
{
    trod_node v = site - g->nedge;

    return site < g->nedge || site == trod_site_in(g) ||
           g->first_out[v] == g->first_out[v + 1];
}

enum { MOST_STEPS = 60 };

struct walks {
    struct sample *s;
    uint64_t *count_of_path, *passed; /* [bl.npath], by site of a plan */
};

static trod_edge way_on(const struct trod_graph *g, trod_node v, struct kit_prop *p)
{
    uint32_t n = g->first_out[v + 1] - g->first_out[v];

    return g->first_out[v] + (uint32_t)kit_draw(p, n);
}

/* From the entry to an exit; a walk that is too long is taken back. */
static void walk(struct walks *w, struct kit_prop *p)
{
    const struct trod_dag *dag = &w->s->view.dag;
    const struct trod_graph *g = &w->s->graph;
    const int64_t *val = w->s->bl.val_of_edge;
    trod_edge step[MOST_STEPS];
    trod_node v = g->entry;
    uint32_t n = 0;
    int64_t sum;

    for (; g->first_out[v] < g->first_out[v + 1]; v = g->dst_of_edge[step[n - 1]]) {
        if (n == MOST_STEPS)
            return;
        step[n++] = way_on(g, v, p);
    }
    w->passed[trod_site_in(g)]++;
    w->passed[trod_site_out(g, v)]++;
    sum = val[dag->shape.first_out[dag->shape.entry]];
    for (uint32_t i = 0; i < n; i++) {
        trod_edge d = dag->dag_of_edge[step[i]];

        w->passed[step[i]]++;
        sum += val[d];
        if (dag->kind_of_edge[d] == TROD_DAG_END) {
            w->count_of_path[sum]++;
            sum = val[dag->start_of_node[g->dst_of_edge[step[i]]]];
        }
    }
    w->count_of_path[sum + val[dag->shape.first_out[v]]]++;
}

static bool weights_are_those_of_walks(struct kit_prop *p, void *ctx)
{
    const enum fault *fault = ctx;
    struct sample s;
    struct walks w = {.s = &s};
    struct trod_ran_function ran = {0};
    struct trod_ran_path *path;
    struct trod_pricer pricer;
    uint32_t nsite;
    bool ok = sample_build(&s, &small, p);

    if (!ok)
        return sample_free(&s, false);
    nsite = s.graph.nedge + s.graph.nnode + 1;
    w.count_of_path = trod_new(&s.mem, uint64_t, s.bl.npath);
    w.passed = trod_new(&s.mem, uint64_t, nsite);
    path = trod_new(&s.mem, struct trod_ran_path, s.bl.npath);
    for (uint64_t i = kit_draw(p, 5); i > 0; i--)
        walk(&w, p);
    for (trod_path id = 0; id < s.bl.npath; id++)
        if (w.count_of_path[id])
            path[ran.npath++] =
                (struct trod_ran_path){.id = id, .count = w.count_of_path[id]};
    ran.path = path;
    ran.npath -= *fault == UNWEIGHED && ran.npath;
    trod_pricer_init(&pricer, &s.bl, &ran, &s.mem);
    for (uint32_t site = 0; ok && site < nsite; site++)
        ok = !is_site(&s.graph, site) ||
             trod_site_weight(&pricer.field, site) == w.passed[site];
    if (!ok)
        sample_fail(p, &s, NULL);
    return sample_free(&s, ok);
}

/* --- tests --------------------------------------------------------------------------------------------- */

static enum fault none = NONE, lost = LOST, twice = TWICE, cheaper = CHEAPER,
                  heavy = HEAVY, unweighed = UNWEIGHED;

static void test_shares(void **state)
{
    (void)state;
    kit_check("each path is at one site, at its price", shares_are_right, &none);
    kit_check_planted("a path is lost", shares_are_right, &lost);
    kit_check_planted("a path is at two sites", shares_are_right, &twice);
    kit_check_planted("a site is cheaper than its list", shares_are_right, &cheaper);
    kit_check_planted("one site has everything", shares_are_right, &heavy);
}

static void test_validator(void **state)
{
    (void)state;
    kit_check("the validator knows a partition", validator_agrees, NULL);
    kit_check_planted("it never finds anything", validator_agrees, &lost);
}

static void test_again(void **state)
{
    (void)state;
    kit_check("the same set is shared in the same way", says_the_same_again, NULL);
    kit_check_planted("for one more site", says_the_same_again, &none);
}

static void test_best(void **state)
{
    (void)state;
    kit_check("no share beats the best of all", none_beats_the_best, NULL);
    if (nratio)
        print_message("# %" PRIu64 " shares of few paths for two sites: %.4f times the "
                      "load of the best\n",
            nratio, sum_of_ratios / (double)nratio);
    kit_check_planted("loads are taken for less", none_beats_the_best, &none);
}

static void test_weights(void **state)
{
    (void)state;
    kit_check("weights are those of walks", weights_are_those_of_walks, &none);
    kit_check_planted(
        "the last path is forgotten", weights_are_those_of_walks, &unweighed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_validator),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_best),
        cmocka_unit_test(test_weights),
    };

    return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
