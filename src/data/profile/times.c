#include "profile/times.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>

/* --- cells ----------------------------------------------------------------------------------- */

struct cell {
    uint64_t name, graph, cuts, id;
    uint32_t cell;
    uint64_t count;
};

TROD_ORDER(by_cell, struct cell, TROD_UP(name), TROD_UP(graph), TROD_UP(cuts),
    TROD_UP(id), TROD_UP(cell))

static int compare_paths(const struct cell *a, const struct cell *b)
{
    int by = trod_compare(a->name, b->name);

    by = by ? by : trod_compare(a->graph, b->graph);
    by = by ? by : trod_compare(a->cuts, b->cuts);
    return by ? by : trod_compare(a->id, b->id);
}

/* What a cell is of, TROD_METER_TIME for times; TROD_METERS: it is none. */
static uint32_t kind_of(uint64_t id)
{
    if (id >= TROD_EVENTS_NPATH)
        return TROD_METERS;
    if (trod_event_kind(id) == TROD_EVENT_TIME)
        return TROD_METER_TIME;
    if (trod_event_kind(id) != TROD_EVENT_METER)
        return TROD_METERS;
    id = trod_event_a(id) >> TROD_METER_AT;
    return id && trod_meter_name((uint32_t)id) ? (uint32_t)id : TROD_METERS;
}

static uint32_t cell_of(uint64_t id)
{
    uint32_t a = trod_event_a(id);

    return trod_event_kind(id) == TROD_EVENT_METER ? a & ((1 << TROD_METER_AT) - 1) : a;
}

static size_t count_cells(
    const struct trod_profile *profile, enum trod_meter_kind metric)
{
    size_t n = 0;

    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];

        if (!trod_profile_is_events(&profile->module[t->module].function[t->function]))
            continue;
        for (size_t k = 0; k < t->npath; k++)
            n += kind_of(t->path[k].id) == metric;
    }
    return n;
}

static struct cell *list_cells(const struct trod_profile *profile,
    enum trod_meter_kind metric, size_t n, struct trod_arena *mem)
{
    struct cell *cell = trod_new(mem, struct cell, n), *to = cell;

    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];
        const struct trod_profile_function *f =
            &profile->module[t->module].function[t->function];

        for (size_t k = 0; trod_profile_is_events(f) && k < t->npath; k++)
            if (kind_of(t->path[k].id) == metric)
                *to++ = (struct cell){.name = f->name,
                    .graph = f->graph,
                    .cuts = f->cuts ^ TROD_EVENTS_CUTS,
                    .id = trod_event_b(t->path[k].id),
                    .cell = cell_of(t->path[k].id),
                    .count = t->path[k].count};
    }
    trod_sort(cell, n, by_cell);
    return cell;
}

/* --- paths ------------------------------------------------------------------------------------- */

struct builder {
    struct trod_times *out;
    struct trod_path_time *path;
    struct trod_time_in_bin *bin; /* the next free one */
};

static void add_to_bin(
    struct builder *b, struct trod_time *time, uint32_t bin, uint64_t count)
{
    if (!time->nbin || b->bin[-1].bin != bin) {
        *b->bin++ = (struct trod_time_in_bin){.bin = bin};
        time->nbin++;
    }
    b->bin[-1].count = trod_sat_add(b->bin[-1].count, count);
    time->count = trod_sat_add(time->count, count);
}

static void add_cell(struct builder *b, struct trod_time *time, const struct cell *cell)
{
    switch (cell->cell) {
    case TROD_TIME_OWN:
        time->own = trod_sat_add(time->own, cell->count);
        return;
    case TROD_TIME_WITH:
        time->with = trod_sat_add(time->with, cell->count);
        return;
    case TROD_TIME_AWAY:
        time->away = trod_sat_add(time->away, cell->count);
        return;
    case TROD_TIME_SQUARES:
        time->squares += (double)cell->count;
        return;
    case TROD_TIME_HIGHS:
        time->squares += 0x1p32 * (double)cell->count;
        return;
    default:
        break;
    }
    if (cell->cell >= TROD_TIME_BIN && cell->cell < TROD_TIME_BIN + TROD_TIME_BINS)
        add_to_bin(b, time, cell->cell - TROD_TIME_BIN, cell->count);
    else
        b->out->nunknown++;
}

/* Of a path that is in no bin nothing can be said. It is damaged, or of a process that was killed. */
static void add_path(struct builder *b, const struct cell *cell, size_t n)
{
    struct trod_path_time path = {.name = cell->name,
        .graph = cell->graph,
        .cuts = cell->cuts,
        .id = cell->id,
        .time.bin = b->bin};

    for (size_t i = 0; i < n; i++)
        if (cell[i].count)
            add_cell(b, &path.time, &cell[i]);
    if (!path.time.count) {
        b->out->nunknown++;
        return;
    }
    b->path[b->out->npath++] = path;
    b->out->own = trod_sat_add(b->out->own, path.time.own);
}

/* A time that is observed with a probability of 1 / weight, and counted so often, has the variance (weight - 1) x its
 * square. Where bursts are started by time, observations are as random as their number: weight x its square.
 */
double trod_burst_spread(
    const struct trod_profile_burst *burst, enum trod_burst_type type)
{
    double weight =
        (double)burst->most_weight[type] * (double)burst->how.type[type].burst;

    if (burst->how.trigger == TROD_BURST_ALWAYS || !trod_profile_has_type(burst, type))
        return 0;
    return burst->how.trigger == TROD_BURST_FLAG ? weight : weight - 1;
}

/* What a thread ran, without bursts and checks. */
static uint64_t ran_by(const struct trod_format_burst *how)
{
    uint64_t spent = trod_sat_add(how->cost, how->floor);

    return how->time > spent ? how->time - spent : 0;
}

static void find_how(struct trod_times *out, const struct trod_profile *profile)
{
    out->spread = profile->nburst ? 0 : -1;
    for (uint32_t i = 0; i < profile->nburst; i++) {
        const struct trod_profile_burst *burst = &profile->burst[i];

        out->ticks = trod_sat_add(out->ticks, burst->how.ticks);
        out->nanoseconds = trod_sat_add(out->nanoseconds, burst->how.nanoseconds);
        out->ran = trod_sat_add(out->ran, ran_by(&burst->how));
        out->spread = fmax(out->spread, trod_burst_spread(burst, TROD_BURST_TIME));
    }
    if (!out->ticks || !out->nanoseconds || out->metric)
        out->ticks = out->nanoseconds = 0;
}

void trod_times_build_of(struct trod_times *out, const struct trod_profile *profile,
    enum trod_meter_kind metric, struct trod_arena *mem)
{
    size_t n = count_cells(profile, metric), to;
    const struct cell *cell = list_cells(profile, metric, n, mem);
    struct builder b = {.out = out,
        .path = trod_new(mem, struct trod_path_time, n),
        .bin = trod_new(mem, struct trod_time_in_bin, n)};

    *out = (struct trod_times){.metric = metric, .path = b.path};
    find_how(out, profile);
    for (size_t from = 0; from < n; from = to) {
        for (to = from + 1; to < n && !compare_paths(&cell[from], &cell[to]);)
            to++;
        add_path(&b, cell + from, to - from);
    }
}

void trod_times_build(
    struct trod_times *out, const struct trod_profile *profile, struct trod_arena *mem)
{
    trod_times_build_of(out, profile, TROD_METER_TIME, mem);
}

uint64_t trod_profile_metrics(const struct trod_profile *profile)
{
    uint64_t metrics = 0;

    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];

        if (!trod_profile_is_events(&profile->module[t->module].function[t->function]))
            continue;
        for (size_t k = 0; k < t->npath; k++) {
            uint32_t kind = kind_of(t->path[k].id);

            if (kind != TROD_METERS)
                metrics |= UINT64_C(1) << kind;
        }
    }
    return metrics & ~(UINT64_C(1) << TROD_METER_TIME);
}

bool trod_profile_has_times(const struct trod_profile *profile)
{
    for (uint32_t i = 0; i < profile->nburst; i++)
        if (trod_profile_has_type(&profile->burst[i], TROD_BURST_TIME))
            return true;
    return count_cells(profile, TROD_METER_TIME);
}

static int compare_to(const struct trod_path_time *path, const struct cell *with)
{
    struct cell key = {path->name, path->graph, path->cuts, path->id, 0, 0};

    return compare_paths(&key, with);
}

/* The first path of a function with this id or a higher one; of a later function, if there is none. */
static size_t find_from(const struct trod_times *times,
    const struct trod_profile_function *function, uint64_t id)
{
    struct cell key = {function->name, function->graph, function->cuts, id, 0, 0};

    return TROD_LOWER_BOUND(i, 0, times->npath, compare_to(&times->path[i], &key) < 0);
}

size_t trod_times_of(const struct trod_path_time **out, const struct trod_times *times,
    const struct trod_profile_function *function)
{
    size_t from = find_from(times, function, 0), n = 0;

    *out = times->path + from;
    while (from + n < times->npath && (*out)[n].name == function->name &&
           (*out)[n].graph == function->graph && (*out)[n].cuts == function->cuts)
        n++;
    return n;
}

const struct trod_time *trod_times_find(const struct trod_times *times,
    const struct trod_profile_function *function, uint64_t id)
{
    struct cell key = {function->name, function->graph, function->cuts, id, 0, 0};
    size_t at = find_from(times, function, id);

    if (at == times->npath || compare_to(&times->path[at], &key))
        return NULL;
    return &times->path[at].time;
}

/* --- sums and estimates --------------------------------------------------------------------------- */

static void merge_bins(struct trod_time *out, const struct trod_time *a,
    const struct trod_time *b, struct trod_time_in_bin *to)
{
    size_t i = 0, k = 0;

    out->bin = to;
    while (i < a->nbin || k < b->nbin) {
        uint32_t of_a = i < a->nbin ? a->bin[i].bin : UINT32_MAX;
        uint32_t of_b = k < b->nbin ? b->bin[k].bin : UINT32_MAX;
        struct trod_time_in_bin next = {.bin = of_a < of_b ? of_a : of_b};

        if (of_a == next.bin)
            next.count = a->bin[i++].count;
        if (of_b == next.bin)
            next.count = trod_sat_add(next.count, b->bin[k++].count);
        to[out->nbin++] = next;
    }
}

const struct trod_time *trod_time_sum(
    const struct trod_time *a, const struct trod_time *b, struct trod_arena *mem)
{
    struct trod_time *out;

    if (!a || !b)
        return a ? a : b;
    out = trod_new(mem, struct trod_time, 1);
    *out = (struct trod_time){.count = trod_sat_add(a->count, b->count),
        .own = trod_sat_add(a->own, b->own),
        .with = trod_sat_add(a->with, b->with),
        .away = trod_sat_add(a->away, b->away),
        .squares = a->squares + b->squares};
    merge_bins(out, a, b, trod_new(mem, struct trod_time_in_bin, a->nbin + b->nbin));
    return out;
}

double trod_time_mean(const struct trod_time *time)
{
    return time->count ? (double)time->own / (double)time->count : 0;
}

double trod_time_quantile(const struct trod_time *time, double part)
{
    double wanted = part * (double)time->count, before = 0;

    for (size_t i = 0; i < time->nbin; i++) {
        double least = (double)trod_time_least(time->bin[i].bin);
        double most = time->bin[i].bin + 1 < TROD_TIME_BINS
                          ? (double)trod_time_least(time->bin[i].bin + 1) - 1
                          : (double)UINT64_MAX;
        double here = (double)time->bin[i].count;

        if (before + here >= wanted || i + 1 == time->nbin)
            return least + (most - least) * fmin(1, fmax(0, wanted - before) / here);
        before += here;
    }
    return 0;
}

/* Squares are counted as often as times. */
double trod_times_error(const struct trod_times *times, const struct trod_time *time)
{
    if (times->spread < 0 || !time->own)
        return -1;
    return 1.96 * sqrt(times->spread * time->squares) / (double)time->own;
}

/* --- changes --------------------------------------------------------------------------------------- */

/* Below this number of independent observations, nothing is said about a mean. */
enum { LEAST_OBSERVED = 8 };

/* A mean in nanoseconds, its variance, and the number of independent observations. */
struct mean {
    double value, variance, observed;
};

/* Observed with a probability p, a time counts 1/p times, and spread is 1/p - 1, or more if bursts are long. The means of two
 * runs of one program differ also if all executions were timed: then each of these is an observation.
 */
static struct mean mean_of(const struct trod_times *times, const struct trod_time *time)
{
    double unit = (double)times->nanoseconds / (double)times->ticks;
    double n = (double)time->count, mean = trod_time_mean(time);
    double each = times->spread + 1, around = time->squares - mean * (double)time->own;

    return (struct mean){.value = mean * unit,
        .variance = unit * unit * each * fmax(0, around) / (n * n),
        .observed = times->spread < 0 ? 0 : n / each};
}

void trod_time_compare(struct trod_time_change *out, const struct trod_times *times_a,
    const struct trod_time *a, const struct trod_times *times_b,
    const struct trod_time *b)
{
    struct mean before = mean_of(times_a, a), after = mean_of(times_b, b);
    double change = after.value - before.value;
    double deviation = sqrt(before.variance + after.variance);

    *out = (struct trod_time_change){.before = before.value,
        .after = after.value,
        .more = change * (double)b->count,
        .error = -1,
        .chance = 1};
    if (fmin(before.observed, after.observed) < LEAST_OBSERVED)
        return;
    out->error = 1.96 * deviation;
    if (change != 0)
        out->chance = deviation > 0 ? erfc(fabs(change) / deviation / sqrt(2)) : 0;
}

static void subtract_bins(
    struct trod_time *out, const struct trod_time *earlier, struct trod_arena *mem)
{
    struct trod_time_in_bin *bin = trod_new(mem, struct trod_time_in_bin, out->nbin);
    size_t n = 0, k = 0;

    out->count = 0;
    for (size_t i = 0; i < out->nbin; i++) {
        bin[n] = out->bin[i];
        while (k < earlier->nbin && earlier->bin[k].bin < bin[n].bin)
            k++;
        if (k < earlier->nbin && earlier->bin[k].bin == bin[n].bin)
            bin[n].count -= earlier->bin[k].count < bin[n].count ? earlier->bin[k].count
                                                                 : bin[n].count;
        out->count = trod_sat_add(out->count, bin[n].count);
        n += bin[n].count > 0;
    }
    out->bin = bin;
    out->nbin = n;
}

/* False: nothing was added. */
static bool subtract(
    struct trod_time *out, const struct trod_time *earlier, struct trod_arena *mem)
{
    if (earlier->count > out->count || earlier->own > out->own ||
        earlier->with > out->with || earlier->away > out->away)
        return true;
    out->own -= earlier->own;
    out->with -= earlier->with;
    out->away -= earlier->away;
    out->squares = fmax(0, out->squares - earlier->squares);
    subtract_bins(out, earlier, mem);
    return out->count;
}

void trod_times_since(struct trod_times *out, const struct trod_times *earlier,
    const struct trod_times *now, struct trod_arena *mem)
{
    struct trod_path_time *path = trod_new(mem, struct trod_path_time, now->npath);

    *out = *now;
    out->path = path;
    out->npath = 0;
    out->own = 0;
    for (size_t i = 0; i < now->npath; i++) {
        const struct trod_profile_function function = {.name = now->path[i].name,
            .graph = now->path[i].graph,
            .cuts = now->path[i].cuts};
        const struct trod_time *before =
            earlier ? trod_times_find(earlier, &function, now->path[i].id) : NULL;

        path[out->npath] = now->path[i];
        if (before && !subtract(&path[out->npath].time, before, mem))
            continue;
        out->own = trod_sat_add(out->own, path[out->npath++].time.own);
    }
}

TROD_ORDER(by_value, double, trod_compare(*a, *b))

double trod_times_threshold(const double *chance, size_t n, struct trod_arena *mem)
{
    static const double rate = 0.05;
    struct trod_mark mark = trod_arena_mark(mem);
    double *sorted = trod_new(mem, double, n), threshold = -1;

    for (size_t i = 0; i < n; i++)
        sorted[i] = chance[i];
    trod_sort(sorted, n, by_value);
    for (size_t i = 0; i < n; i++)
        if (sorted[i] <= rate * (double)(i + 1) / (double)n)
            threshold = sorted[i];
    trod_arena_rewind(mem, mark);
    return threshold;
}

/* --- the validator ------------------------------------------------------------------------------- */

static bool check_time(const struct trod_time *time)
{
    uint64_t count = 0;

    for (size_t i = 0; i < time->nbin; i++) {
        if (!time->bin[i].count || time->bin[i].bin >= TROD_TIME_BINS ||
            (i && time->bin[i - 1].bin >= time->bin[i].bin))
            return false;
        count = trod_sat_add(count, time->bin[i].count);
    }
    return count && count == time->count && time->squares >= 0;
}

bool trod_times_check(const struct trod_times *times, struct trod_err *err)
{
    uint64_t own = 0;

    for (size_t i = 0; i < times->npath; i++) {
        const struct trod_path_time *p = &times->path[i];
        struct cell key = {p->name, p->graph, p->cuts, p->id, 0, 0};

        if (i && compare_to(&times->path[i - 1], &key) >= 0)
            return trod_fail(err, TROD_E_INTERNAL,
                "the time of path %" PRIu64 " is not in order, or there twice", p->id);
        if (!check_time(&p->time))
            return trod_fail(err, TROD_E_INTERNAL,
                "the times of path %" PRIu64
                " are not in order, or their number is wrong",
                p->id);
        own = trod_sat_add(own, p->time.own);
    }
    if (own != times->own)
        return trod_fail(err, TROD_E_INTERNAL, "own times do not add up");
    return true;
}
