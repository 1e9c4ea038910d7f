#include "burst/burst.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- orders ---------------------------------------------------------------------------------- */

int trod_bursts_compare_methods(
    const struct trod_bursts_method *a, const struct trod_bursts_method *b)
{
    int by = strcmp(a->function, b->function);

    return by ? by : strcmp(a->file, b->file);
}

int trod_bursts_compare_calls(
    const struct trod_bursts_call *a, const struct trod_bursts_call *b)
{
    int by = strcmp(a->function, b->function);

    by = by ? by : strcmp(a->file, b->file);
    by = by ? by : trod_compare(a->site, b->site);
    by = by ? by : trod_compare(a->line, b->line);
    by = by ? by : trod_compare(a->column, b->column);
    by = by ? by : strcmp(a->callee, b->callee);
    return by ? by : trod_compare(a->indirect, b->indirect);
}

int trod_bursts_compare_loops(
    const struct trod_bursts_loop *a, const struct trod_bursts_loop *b)
{
    int by = strcmp(a->function, b->function);

    by = by ? by : strcmp(a->file, b->file);
    by = by ? by : trod_compare(a->loop, b->loop);
    by = by ? by : trod_compare(a->line, b->line);
    return by ? by : trod_compare(a->depth, b->depth);
}

static int by_method(const void *x, const void *y)
{
    return trod_bursts_compare_methods(x, y);
}

static int by_call(const void *x, const void *y)
{
    return trod_bursts_compare_calls(x, y);
}

static int by_loop(const void *x, const void *y)
{
    return trod_bursts_compare_loops(x, y);
}

uint64_t trod_bursts_method_count(const struct trod_bursts_method *method)
{
    return trod_sat_add(method->nentry, method->nagain);
}

uint64_t trod_bursts_loop_count(const struct trod_bursts_loop *loop)
{
    return trod_sat_add(loop->nenter, loop->nagain);
}

static int hot_method(const void *x, const void *y)
{
    int by = trod_compare(trod_bursts_method_count(y), trod_bursts_method_count(x));

    return by ? by : trod_bursts_compare_methods(x, y);
}

TROD_ORDER(hot_call, struct trod_bursts_call, TROD_DOWN(count),
    trod_bursts_compare_calls(a, b))

TROD_ORDER(hot_loop, struct trod_bursts_loop,
    trod_compare(trod_bursts_loop_count(b), trod_bursts_loop_count(a)),
    trod_bursts_compare_loops(a, b))

/* --- duplicates ------------------------------------------------------------------------------- */

static void add_method(void *to, const void *from)
{
    struct trod_bursts_method *a = to;
    const struct trod_bursts_method *b = from;

    a->nentry = trod_sat_add(a->nentry, b->nentry);
    a->nagain = trod_sat_add(a->nagain, b->nagain);
}

static void add_call(void *to, const void *from)
{
    struct trod_bursts_call *a = to;
    const struct trod_bursts_call *b = from;

    a->count = trod_sat_add(a->count, b->count);
}

static void add_loop(void *to, const void *from)
{
    struct trod_bursts_loop *a = to;
    const struct trod_bursts_loop *b = from;

    a->nenter = trod_sat_add(a->nenter, b->nenter);
    a->nagain = trod_sat_add(a->nagain, b->nagain);
    for (int i = 0; i < TROD_BURST_TRIPS_MOST; i++)
        a->ntrip[i] = trod_sat_add(a->ntrip[i], b->ntrip[i]);
}

/* Sort by identity, add up duplicates, then sort by count; returns their number. */
static size_t put_in_order(void *item, size_t n, size_t size,
    int (*same)(const void *, const void *), void (*add)(void *, const void *),
    int (*hot)(const void *, const void *))
{
    char *at = item;
    size_t kept = 0;

    if (!n)
        return 0;
    qsort(item, n, size, same);
    for (size_t i = 0; i < n; i++) {
        char *last = at + (kept ? kept - 1 : 0) * size;

        if (kept && same(last, at + i * size) == 0)
            add(last, at + i * size);
        else if (kept++ != i)
            memcpy(at + (kept - 1) * size, at + i * size, size);
    }
    qsort(item, kept, size, hot);
    return kept;
}

void trod_bursts_order(struct trod_bursts *burst, struct trod_bursts_method *method,
    size_t nmethod, struct trod_bursts_call *call, size_t ncall,
    struct trod_bursts_loop *loop, size_t nloop)
{
    burst->nmethod = put_in_order(
        method, nmethod, sizeof *method, by_method, add_method, hot_method);
    burst->ncall = put_in_order(call, ncall, sizeof *call, by_call, add_call, hot_call);
    burst->nloop = put_in_order(loop, nloop, sizeof *loop, by_loop, add_loop, hot_loop);
    burst->method = method;
    burst->call = call;
    burst->loop = loop;
}

/* Callers with the same name are distinguished by their files; the files of callees are unknown. */
void trod_bursts_pairs(struct trod_bursts_call **out, size_t *npair,
    const struct trod_bursts *burst, struct trod_arena *mem)
{
    struct trod_bursts_call *pair =
        trod_new(mem, struct trod_bursts_call, burst->ncall);

    for (size_t i = 0; i < burst->ncall; i++)
        pair[i] = (struct trod_bursts_call){.function = burst->call[i].function,
            .file = burst->call[i].file,
            .callee = burst->call[i].callee,
            .count = burst->call[i].count};
    *npair =
        put_in_order(pair, burst->ncall, sizeof *pair, by_call, add_call, hot_call);
    *out = pair;
}

/* --- from events -------------------------------------------------------------------------------- */

struct builder {
    const struct trod_profile *profile;
    const struct trod_map *map;
    const struct trod_bursts_symbols *symbols;
    struct trod_arena *mem;
    struct trod_bursts_method *method;
    size_t nmethod, room_method;
    struct trod_bursts_call *call;
    size_t ncall, room_call;
    struct trod_bursts_loop *loop;
    size_t nloop, room_loop;
    uint64_t nunknown;
};

/* A function whose events are added. */
struct counted {
    const struct trod_profile_module *module;
    const struct trod_map_entry *entry; /* NULL: in no map */
    const char *function, *file;
    const uint32_t *depth_of_loop;
    uint32_t ndepth;
    const struct trod_profile_tally *tally;
};

static const char *unknown_name(struct builder *b, uint64_t hash)
{
    return trod_format(b->mem, "?%016" PRIx64, hash);
}

static void open_function(
    struct counted *out, struct builder *b, const struct trod_profile_tally *tally)
{
    const struct trod_profile_module *module = &b->profile->module[tally->module];
    const struct trod_profile_function *function = &module->function[tally->function];
    const struct trod_map_entry *entry = trod_map_find_events(b->map, function);

    *out = (struct counted){.module = module, .entry = entry, .tally = tally};
    if (!entry) {
        out->function = unknown_name(b, function->name);
        out->file = "?";
        return;
    }
    out->function = entry->name;
    out->file = entry->file ? entry->file : entry->unit;
}

/* Loops have the same numbers in the map and in its graph. */
static void find_depths(struct counted *f, struct trod_arena *mem)
{
    const struct trod_graph *graph = f->entry->numbering.dag->graph;
    struct trod_view view;

    trod_graph_view(&view, graph, NULL, mem);
    f->depth_of_loop = view.loops.depth_of_loop;
    f->ndepth = view.loops.nloop;
}

static void add_entry(
    struct builder *b, const struct counted *f, uint64_t nentry, uint64_t nagain)
{
    trod_push(b->mem, b->method, b->nmethod, b->room_method,
        (struct trod_bursts_method){.function = f->function,
            .file = f->file,
            .nentry = nentry,
            .nagain = nagain});
}

static struct trod_bursts_loop *add_to_loop(
    struct builder *b, struct counted *f, uint32_t number)
{
    struct trod_bursts_loop loop = {
        .function = f->function, .file = f->file, .loop = number};

    if (f->entry && number < f->entry->events.nloop)
        loop.line = f->entry->events.loop[number].line;
    if (f->entry && !f->depth_of_loop)
        find_depths(f, b->mem);
    if (number < f->ndepth)
        loop.depth = f->depth_of_loop[number];
    trod_reserve(b->mem, b->loop, b->nloop, b->room_loop);
    b->loop[b->nloop] = loop;
    return &b->loop[b->nloop++];
}

static const char *name_at(struct builder *b, const struct counted *f, uint64_t offset)
{
    const char *name = b->symbols && b->symbols->name
                           ? b->symbols->name(b->symbols->ctx, f->module, offset)
                           : NULL;

    if (name)
        return name;
    return trod_format(b->mem, "+0x%" PRIx64, offset);
}

/* The sum of the counts by callee of a call through a pointer. */
static uint64_t sum_known(const struct trod_profile_tally *t, uint32_t site)
{
    uint64_t first = trod_event_id(TROD_EVENT_CALL_TO, site, 0), sum = 0;
    size_t from = TROD_LOWER_BOUND(middle, 0, t->npath, t->path[middle].id < first);

    for (; from < t->npath && t->path[from].id - first <= UINT32_MAX; from++)
        sum = trod_sat_add(sum, t->path[from].count);
    return sum;
}

static void add_to_calls(
    struct builder *b, const struct counted *f, uint64_t id, uint64_t count)
{
    uint32_t site = trod_event_a(id), to = trod_event_b(id);
    struct trod_bursts_call call = {.function = f->function,
        .file = f->file,
        .site = site,
        .callee = "?",
        .count = count};

    if (f->entry && site < f->entry->events.ncall) {
        const struct trod_map_call *from = &f->entry->events.call[site];

        call.line = from->line;
        call.column = from->column;
        call.callee = from->callee ? from->callee : "?";
        call.indirect = !from->callee;
    }
    if (trod_event_kind(id) == TROD_EVENT_CALL_TO) {
        call.indirect = true;
        call.callee = to ? name_at(b, f, (uint64_t)to - 1) : "elsewhere";
    }
    trod_push(b->mem, b->call, b->ncall, b->room_call, call);
}

static void add_event(struct builder *b, struct counted *f, uint64_t id, uint64_t count)
{
    uint32_t a = trod_event_a(id), power = trod_event_b(id);
    uint64_t known;

    switch (trod_event_kind(id)) {
    case TROD_EVENT_ENTRY:
        add_entry(b, f, count, 0);
        break;
    case TROD_EVENT_BACK:
        add_entry(b, f, 0, count);
        break;
    case TROD_EVENT_ENTER:
        add_to_loop(b, f, a)->nenter = count;
        break;
    case TROD_EVENT_ITERATION:
        add_to_loop(b, f, a)->nagain = count;
        break;
    case TROD_EVENT_TRIPS:
        if (power < TROD_BURST_TRIPS_MOST)
            add_to_loop(b, f, a)->ntrip[power] = count;
        else
            b->nunknown++;
        break;
    case TROD_EVENT_CALL:
        known = sum_known(f->tally, a);
        if (known < count)
            add_to_calls(b, f, id, count - known);
        break;
    case TROD_EVENT_CALL_TO:
        add_to_calls(b, f, id, count);
        break;
    case TROD_EVENT_REF:
    case TROD_EVENT_TIME:
    case TROD_EVENT_METER:
        break;
    default:
        b->nunknown++;
        break;
    }
}

static const char *program_of(const struct trod_profile *profile)
{
    const char *path = profile->nmodule ? profile->module[0].path : "?";

    for (uint32_t i = 0; i < profile->nrun; i++)
        for (uint32_t k = 0; k < profile->run[i].nfield; k++)
            if (strcmp(profile->run[i].field[k].key, "program") == 0)
                path = profile->run[i].field[k].value;
    return strrchr(path, '/') && strrchr(path, '/')[1] ? strrchr(path, '/') + 1 : path;
}

/* Bursts of all groups are combined. */
static void put_how(
    struct trod_bursts *out, const struct trod_profile *profile, struct trod_arena *mem)
{
    struct trod_profile_burst *how =
        trod_new(mem, struct trod_profile_burst, profile->nburst);

    for (uint32_t i = 0; i < profile->nburst; i++) {
        how[i] = profile->burst[i];
        how[i].group = 0;
    }
    out->nhow = trod_profile_sum_bursts(how, profile->nburst);
    out->how = how;
}

bool trod_bursts_build(struct trod_bursts *out, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_bursts_symbols *symbols,
    struct trod_arena *mem, struct trod_err *err)
{
    struct builder b = {.profile = profile, .map = map, .symbols = symbols, .mem = mem};

    if (!trod_profile_has_bursts(profile))
        return trod_fail(err, TROD_E_MISMATCH,
            "'%s' was not sampled in bursts: it has no functions, calls or loops; compile it "
            "with 'trod cc --burst'",
            program_of(profile));
    *out = (struct trod_bursts){.name = program_of(profile)};
    put_how(out, profile, mem);
    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];
        struct counted f;

        if (!trod_profile_is_events(&profile->module[t->module].function[t->function]))
            continue;
        open_function(&f, &b, t);
        for (size_t k = 0; k < t->npath; k++)
            if (t->path[k].id < TROD_EVENTS_NPATH)
                add_event(&b, &f, t->path[k].id, t->path[k].count);
    }
    trod_bursts_order(out, b.method, b.nmethod, b.call, b.ncall, b.loop, b.nloop);
    out->nunknown = b.nunknown;
    return true;
}

/* --- precision of counts ------------------------------------------------------------------------- */

bool trod_bursts_has(const struct trod_bursts *burst, enum trod_burst_type type)
{
    for (uint32_t i = 0; i < burst->nhow; i++)
        if (trod_profile_has_type(&burst->how[i], type))
            return true;
    return !burst->nhow;
}

bool trod_bursts_is_exact(const struct trod_bursts *burst)
{
    for (uint32_t i = 0; i < burst->nhow; i++)
        if (burst->how[i].how.trigger != TROD_BURST_ALWAYS)
            return false;
    return burst->nhow;
}

double trod_bursts_error(
    const struct trod_bursts *burst, enum trod_burst_type type, uint64_t count)
{
    double heaviest = 0;

    for (uint32_t i = 0; i < burst->nhow; i++) {
        const struct trod_profile_burst *how = &burst->how[i];
        double weight =
            (double)how->most_weight[type] * (double)how->how.type[type].burst;

        if (how->how.trigger != TROD_BURST_ALWAYS && weight > heaviest)
            heaviest = weight;
    }
    if (!burst->nhow || !count)
        return -1;
    return 1.96 * sqrt(heaviest / (double)count);
}
