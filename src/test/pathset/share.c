#include "pathset/pathset.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    PROBES =
        16, /* load: the number of probes has 1/PROBES of the weight of their executions */
    NKNOWN = 1 << 12
};

#define WORK UINT64_C(4000000000) /* nanoseconds: some seconds */

/* --- prices ----------------------------------------------------------------------------------- */

double trod_share_load(const struct trod_price *price, const struct trod_price *once)
{
    double dynamic = once->dynamic > 0 ? price->dynamic / once->dynamic : 0;

    return dynamic +
           (once->nop ? (double)price->nop / ((double)once->nop * PROBES) : 0);
}

struct trod_share_known {
    uint64_t hash; /* of the set and its function; 0: free */
    struct trod_price price;
};

static uint64_t hash_of(size_t function, const struct trod_pathset *paths)
{
    uint64_t hash = trod_mix(function + 1, paths->count);

    for (size_t i = 0; i < paths->count; i++)
        hash = trod_mix(hash, paths->id[i]);
    return hash ? hash : 1;
}

/* Estimated time of all numberings together, in nanoseconds; the factors were measured on real programs. */
static uint64_t steps_of(
    const struct trod_pricer *pricer, const struct trod_pathset *paths)
{
    uint64_t nedge = pricer->field.shape.nedge;

    return 64 * (16 + (uint64_t)paths->count) * (16 + nedge) + 8 * nedge * nedge;
}

struct trod_price trod_partition_price(
    struct trod_partitioner *s, size_t function, const struct trod_pathset *paths)
{
    const struct trod_pricer *pricer = &s->pricer[function];
    uint64_t hash = hash_of(function, paths), steps;
    struct trod_share_known *known = &s->known[hash % NKNOWN];

    if (!paths->count)
        return (struct trod_price){0};
    if (known->hash == hash)
        return known->price;
    steps = steps_of(pricer, paths);
    s->work -= steps < s->work ? steps : s->work;
    if (!trod_price_paths(&known->price, pricer, paths, s->mem, s->err)) {
        s->failed = true;
        return (struct trod_price){0};
    }
    known->hash = hash;
    return known->price;
}

static void add_price(struct trod_price *sum, const struct trod_price *price)
{
    sum->nop += price->nop;
    sum->bytes = trod_sat_add(sum->bytes, price->bytes);
    sum->dynamic += price->dynamic;
}

/* The paths of a function that ran; NULL: unknown. */
static const struct trod_ran_function *ran_of(const struct trod_ran *ran,
    const struct trod_profile_function *function,
    const struct trod_ran_function *nothing)
{
    const struct trod_ran_function *found = ran ? trod_ran_find(ran, function) : NULL;

    return ran && !found ? nothing : found;
}

/* The price of a single build for all paths. A function that several units have is counted once, as in profiles. */
static void price_program(struct trod_share_sum *out, const struct trod_map *map,
    const struct trod_ran *ran, struct trod_arena *mem)
{
    const struct trod_ran_function nothing = {.npath = 0};

    *out = (struct trod_share_sum){0};
    for (uint32_t i = 0; i < map->nentry; i++) {
        const struct trod_map_entry *e = &map->entry[i];
        struct trod_profile_function function = {.name = e->name_hash,
            .graph = e->graph_hash,
            .cuts = e->cuts_hash,
            .npath = e->numbering.npath};
        struct trod_mark mark = trod_arena_mark(mem);
        struct trod_pricer pricer;
        struct trod_price price;

        if (!e->numbering.dag || trod_map_find(map, &function) != e)
            continue;
        trod_pricer_init(&pricer, &e->numbering, ran_of(ran, &function, &nothing), mem);
        trod_price_all(&price, &pricer, e->begun, mem);
        add_price(&out->price, &price);
        out->nfunction++;
        out->npath = trod_sat_add(out->npath, function.npath);
        trod_arena_rewind(mem, mark);
    }
}

/* --- whole functions, the most expensive first ------------------------------------------------ */

TROD_ORDER(by_load, struct trod_share_group, TROD_DOWN(load), TROD_UP(function))

static bool init_pricers(struct trod_partitioner *s, const struct trod_map *map)
{
    const struct trod_ran_function nothing = {.npath = 0};

    for (size_t f = 0; f < s->list->nfunction; f++) {
        const struct trod_list_function *listed = &s->list->function[f];
        const struct trod_map_entry *entry = trod_map_find(map, &listed->function);

        if (!entry || !entry->numbering.dag)
            return trod_fail(s->err, TROD_E_MISMATCH,
                "no map has the function '%.200s' (%016" PRIx64
                ") as it is in the set; name the program with --binary",
                listed->name, listed->function.name);
        trod_pricer_init(&s->pricer[f], &entry->numbering,
            ran_of(s->ran, &listed->function, &nothing), s->mem);
    }
    return true;
}

static void price_functions(struct trod_partitioner *s)
{
    for (size_t f = 0; f < s->list->nfunction; f++) {
        const struct trod_list_function *listed = &s->list->function[f];
        struct trod_pathset paths = {.id = listed->id, .count = listed->count};
        struct trod_share_group *g = &s->group[s->ngroup++];

        *g = (struct trod_share_group){.function = f, .count = listed->count};
        g->price = trod_partition_price(s, f, &paths);
        add_price(&s->once, &g->price);
    }
    for (size_t i = 0; i < s->ngroup; i++) {
        s->group[i].load = trod_share_load(&s->group[i].price, &s->once);
        s->fair += s->group[i].load / s->nsite;
    }
}

static uint32_t least_loaded(const struct trod_partitioner *s)
{
    uint32_t least = 0;

    for (uint32_t i = 1; i < s->nsite; i++)
        if (s->load_of_site[i] < s->load_of_site[least])
            least = i;
    return least;
}

static void place_functions(struct trod_partitioner *s)
{
    trod_sort(s->group, s->ngroup, by_load);
    for (size_t i = 0; i < s->ngroup; i++) {
        struct trod_share_group *g = &s->group[i];

        g->site = least_loaded(s);
        s->load_of_site[g->site] += g->load;
        for (size_t k = 0; k < g->count; k++)
            s->site_of_path[g->function][k] = g->site;
    }
}

/* --- the result --------------------------------------------------------------------------------- */

static void take_group(struct trod_list_function *out, const struct trod_partitioner *s,
    const struct trod_share_group *g)
{
    const struct trod_list_function *listed = &s->list->function[g->function];
    trod_path *id = trod_new(s->mem, trod_path, g->count);

    *out = *listed;
    out->id = id;
    out->count = 0;
    for (size_t k = 0; k < listed->count; k++)
        if (s->site_of_path[g->function][k] == g->site)
            id[out->count++] = listed->id[k];
    assert(out->count == g->count);
}

static void fill_site(
    struct trod_share_site *out, const struct trod_partitioner *s, uint32_t site)
{
    struct trod_list_function *function;
    size_t n = 0;

    for (size_t i = 0; i < s->ngroup; i++)
        n += s->group[i].count && s->group[i].site == site;
    function = trod_new(s->mem, struct trod_list_function, n);
    n = 0;
    for (size_t i = 0; i < s->ngroup; i++) {
        const struct trod_share_group *g = &s->group[i];

        if (!g->count || g->site != site)
            continue;
        take_group(&function[n++], s, g);
        out->sum.npath += g->count;
        add_price(&out->sum.price, &g->price);
    }
    out->sum.nfunction = n;
    trod_list_build(&out->list, s->list->mode, function, n, s->mem);
}

static void fill_share(struct trod_share *out, const struct trod_partitioner *s)
{
    *out = (struct trod_share){.measured = s->ran != NULL, .nsite = s->nsite};
    out->site = trod_new(s->mem, struct trod_share_site, s->nsite);
    for (uint32_t i = 0; i < s->nsite; i++) {
        fill_site(&out->site[i], s, i);
        out->nempty += !out->site[i].sum.npath;
    }
    for (size_t f = 0; f < s->list->nfunction; f++) {
        bool cut = false;

        for (size_t k = 1; k < s->list->function[f].count; k++)
            cut |= s->site_of_path[f][k] != s->site_of_path[f][0];
        out->ncut += cut;
    }
    out->once.price = s->once;
    out->once.nfunction = s->list->nfunction;
    out->once.npath = trod_list_count(s->list);
}

bool trod_share_build(struct trod_share *out, const struct trod_list *list,
    const struct trod_map *map, const struct trod_share_options *options,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_partitioner s = {.list = list,
        .ran = options->ran,
        .nsite = options->nsite,
        .work = UINT64_MAX,
        .mem = mem,
        .err = err};

    assert(options->nsite);
    s.pricer = trod_new(mem, struct trod_pricer, list->nfunction);
    s.site_of_path = trod_new(mem, uint32_t *, list->nfunction);
    for (size_t f = 0; f < list->nfunction; f++)
        s.site_of_path[f] = trod_new(mem, uint32_t, list->function[f].count);
    s.group = trod_new(mem, struct trod_share_group, trod_list_count(list));
    s.load_of_site = trod_new(mem, double, s.nsite);
    s.known = trod_new(mem, struct trod_share_known, NKNOWN);
    if (!init_pricers(&s, map))
        return false;
    price_functions(&s);
    place_functions(&s);
    s.work = options->work ? options->work : WORK;
    if (!s.failed)
        trod_partition_balance(&s);
    if (s.failed)
        return false;
    fill_share(out, &s);
    price_program(&out->all, map, s.ran, mem);
    return true;
}

/* --- validator ------------------------------------------------------------------------------------ */

/* Mark the paths of a site; none may be marked twice. */
static bool check_group(uint8_t *seen, const struct trod_list_function *in_set,
    const struct trod_list_function *in_site, struct trod_err *err)
{
    size_t k = 0;

    for (size_t i = 0; i < in_site->count; i++) {
        while (k < in_set->count && in_set->id[k] < in_site->id[i])
            k++;
        if (k == in_set->count || in_set->id[k] != in_site->id[i])
            return trod_fail(err, TROD_E_INTERNAL,
                "a site has a path of '%.200s' that is not in the set", in_set->name);
        if (seen[k]++)
            return trod_fail(err, TROD_E_INTERNAL,
                "two sites have the same path of '%.200s'", in_set->name);
    }
    return true;
}

static bool check_function(const struct trod_share *share,
    const struct trod_list_function *in_set, uint64_t *npath, struct trod_arena *mem,
    struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    uint8_t *seen = trod_new(mem, uint8_t, in_set->count);

    for (uint32_t i = 0; i < share->nsite; i++) {
        const struct trod_list_function *in_site =
            trod_list_find(&share->site[i].list, &in_set->function);

        if (in_site && !check_group(seen, in_set, in_site, err))
            return false;
    }
    for (size_t k = 0; k < in_set->count; k++)
        if (!seen[k])
            return trod_fail(err, TROD_E_INTERNAL,
                "no site has the path %" PRIu64 " of '%.200s'", in_set->id[k],
                in_set->name);
    *npath += in_set->count;
    trod_arena_rewind(mem, mark);
    return true;
}

bool trod_share_check(const struct trod_share *share, const struct trod_list *list,
    struct trod_arena *mem, struct trod_err *err)
{
    uint64_t npath = 0, nlisted = 0;

    for (uint32_t i = 0; i < share->nsite; i++) {
        const struct trod_share_site *site = &share->site[i];

        if (!trod_list_check(&site->list, err))
            return false;
        nlisted += trod_list_count(&site->list);
        if (site->sum.npath != trod_list_count(&site->list) ||
            site->sum.nfunction != site->list.nfunction)
            return trod_fail(
                err, TROD_E_INTERNAL, "the sums of a site are not those of its list");
    }
    for (size_t f = 0; f < list->nfunction; f++)
        if (!check_function(share, &list->function[f], &npath, mem, err))
            return false;
    return nlisted == npath ||
           trod_fail(err, TROD_E_INTERNAL,
               "sites have paths of functions that are not in the set");
}
