#include "explore/hardware.h"

#include <math.h>
#include <string.h>

/* The events of a metric, on a machine reduced to what the metric depends on. */
struct source {
    uint32_t metric;
    uint64_t predictor, l2_size, l2_ways; /* 0 where the metric does not depend on it */
    struct trod_timing_machine machine;
    struct trod_timing *core;
    const struct trod_timing_events *events; /* of the current run */
    bool blind;                              /* some access had no address */
};

struct lane {
    struct trod_detector detector;
    struct trod_reference reference;
    uint32_t source; /* UINT32_MAX: none */
    bool windowed;
    uint64_t window;     /* instructions */
    uint64_t ninsn;      /* instructions since the window began */
    uint64_t *in_window; /* weight of each path */
    uint32_t room_window;
    uint64_t window_weight;
    uint32_t *cell; /* indices into hardware_paths.cell */
    uint32_t ncell, room_cell;
    bool skips_idle;
    uint64_t *sum; /* [n]: weight of the n heaviest paths; NULL: not computed */
};

struct cell {
    struct trod_hot_table table;
    uint32_t lane;
    double sum; /* sum of the windows' overlaps */
    uint64_t nwindow;
};

struct hardware_paths {
    struct trod_arena *mem;
    struct source **source;
    uint32_t nsource, room_source;
    struct lane **lane; /* allocated one by one: addresses are stable */
    uint32_t nlane, room_lane;
    struct cell **cell;
    uint32_t ncell, room_cell;
};

struct hardware_paths *trod_hardware_paths_build(struct trod_arena *mem)
{
    struct hardware_paths *paths = trod_new(mem, struct hardware_paths, 1);

    paths->mem = mem;
    return paths;
}

/* --- sharing between designs ------------------------------------------------------------------------- */

/* Branch predictions do not depend on caches, nor cache misses on the predictor. */
static void need(
    struct source *out, const struct hardware_design *design, uint32_t metric)
{
    *out = (struct source){.metric = metric, .machine = design->machine};
    if (metric == TROD_METRIC_MISPREDICTIONS) {
        out->predictor = design->predictor;
        out->machine.l1i.size = out->machine.l1d.size = out->machine.l2.size = 0;
    } else {
        out->l2_size = design->machine.l2.size;
        out->l2_ways = design->machine.l2.ways;
        out->machine.prediction =
            (struct trod_timing_prediction){.kind = TROD_TIMING_PERFECT};
    }
}

static uint32_t source_for(
    struct hardware_paths *paths, const struct hardware_design *design, uint32_t metric)
{
    struct source wanted, *source;

    if (metric < TROD_METRIC_MISSES)
        return UINT32_MAX;
    need(&wanted, design, metric);
    for (uint32_t i = 0; i < paths->nsource; i++) {
        source = paths->source[i];
        if (source->metric == metric && source->predictor == wanted.predictor &&
            source->l2_size == wanted.l2_size && source->l2_ways == wanted.l2_ways)
            return i;
    }
    source = trod_new(paths->mem, struct source, 1);
    *source = wanted;
    source->core = trod_timing_build(&source->machine, NULL, 0, paths->mem);
    return trod_push(
        paths->mem, paths->source, paths->nsource, paths->room_source, source);
}

static uint32_t lane_for(struct hardware_paths *paths,
    const struct hardware_design *design, const struct hardware_measure *measure)
{
    uint32_t source = source_for(paths, design, measure->metric);
    struct trod_control control = design->control;
    struct lane *lane;

    control.metric = (uint8_t)measure->metric;
    for (uint32_t i = 0; i < paths->nlane; i++) {
        lane = paths->lane[i];
        if (lane->source == source && lane->windowed == measure->windowed &&
            (!lane->windowed || lane->window == design->window) &&
            lane->skips_idle == !design->idle &&
            trod_hardware_same_control(&lane->detector.control, &control))
            return i;
    }
    lane = trod_new(paths->mem, struct lane, 1);
    trod_detector_init(&lane->detector, &control, paths->mem);
    trod_reference_init(&lane->reference, paths->mem);
    lane->source = source;
    lane->windowed = measure->windowed;
    lane->window = design->window;
    lane->skips_idle = !design->idle;
    return trod_push(paths->mem, paths->lane, paths->nlane, paths->room_lane, lane);
}

uint32_t trod_hardware_paths_add(struct hardware_paths *paths,
    const struct hardware_design *design, const struct hardware_measure *measure)
{
    uint32_t number = lane_for(paths, design, measure);
    struct lane *lane = paths->lane[number];
    struct cell *cell;

    for (uint32_t i = 0; i < lane->ncell; i++)
        if (trod_hardware_same_table(
                &paths->cell[lane->cell[i]]->table.design, &design->table))
            return lane->cell[i];
    cell = trod_new(paths->mem, struct cell, 1);
    trod_hot_table_init(&cell->table, &design->table, paths->mem);
    cell->lane = number;
    trod_push(paths->mem, lane->cell, lane->ncell, lane->room_cell, paths->ncell);
    return trod_push(paths->mem, paths->cell, paths->ncell, paths->room_cell, cell);
}

/* --- overlaps ------------------------------------------------------------------------------------------- */

/* The overlap of the table's shares with those of all paths, in percent. A path outside the table
 * has share 0 there. */
static double overlap_of(
    const struct cell *cell, const struct lane *lane, bool in_window)
{
    const struct trod_hot_table *table = &cell->table;
    uint64_t all = in_window ? lane->window_weight : lane->reference.weight;
    double total = 0, sum = 0;

    for (uint32_t i = 0; i < table->design.entries; i++)
        if (table->entry[i].path)
            total += (double)table->entry[i].count;
    if (!all || total <= 0)
        return all ? 0 : (double)NAN;
    for (uint32_t i = 0; i < table->design.entries; i++) {
        const struct trod_hot_entry *entry = &table->entry[i];
        uint64_t weight;

        if (!entry->path)
            continue;
        weight = in_window ? lane->in_window[entry->path - 1]
                           : lane->reference.path[entry->path - 1].weight;
        sum += fmin((double)entry->count / total, (double)weight / (double)all);
    }
    return 100 * sum;
}

static void close_window(struct hardware_paths *paths, struct lane *lane)
{
    for (uint32_t i = 0; i < lane->ncell; i++) {
        struct cell *cell = paths->cell[lane->cell[i]];
        double overlap = overlap_of(cell, lane, true);

        trod_hot_table_clear(&cell->table);
        if (isnan(overlap))
            continue; /* the window had no events */
        cell->sum += overlap;
        cell->nwindow++;
    }
    if (lane->in_window)
        memset(lane->in_window, 0, lane->room_window * sizeof *lane->in_window);
    lane->window_weight = 0;
    lane->ninsn = 0;
}

/* The share of the heaviest paths: what an ideal table of this size would hold. */
static double ideal_of(struct hardware_paths *paths, struct lane *lane, uint32_t most)
{
    const struct trod_reference *r = &lane->reference;

    if (!r->weight)
        return (double)NAN;
    if (!lane->sum) {
        const uint32_t *order = trod_reference_order(r, paths->mem);

        lane->sum = trod_new(paths->mem, uint64_t, (size_t)r->npath + 1);
        for (uint32_t i = 0; i < r->npath; i++)
            lane->sum[i + 1] = lane->sum[i] + r->path[order[i]].weight;
    }
    return 100 * (double)lane->sum[most < r->npath ? most : r->npath] /
           (double)r->weight;
}

double trod_hardware_paths_result(struct hardware_paths *paths, uint32_t number,
    const struct hardware_measure *measure)
{
    const struct cell *cell = paths->cell[number];
    struct lane *lane = paths->lane[cell->lane];
    const struct source *source =
        lane->source == UINT32_MAX ? NULL : paths->source[lane->source];

    if (source && measure->metric != TROD_METRIC_MISPREDICTIONS &&
        trod_timing_is_blind(trod_timing_events_of(source->core)))
        return (double)NAN;
    if (measure->of == HARDWARE_DISTINCT)
        return (double)lane->reference.npath;
    if (measure->of == HARDWARE_IDEAL)
        return ideal_of(paths, lane, cell->table.design.entries);
    if (!measure->windowed)
        return overlap_of(cell, lane, false);
    /* An incomplete last window counts only if it is the only one: it is easier to predict than a complete one. */
    if (!cell->nwindow)
        return overlap_of(cell, lane, true);
    return cell->sum / (double)cell->nwindow;
}

/* --- running ----------------------------------------------------------------------------------------------- */

static void count_in_window(
    struct hardware_paths *paths, struct lane *lane, uint32_t path, uint64_t weight)
{
    while (path >= lane->room_window) {
        uint32_t room = lane->room_window ? 2 * lane->room_window : 1024;

        lane->in_window = trod_arena_grow(paths->mem, lane->in_window,
            lane->room_window, room, sizeof *lane->in_window);
        lane->room_window = room;
    }
    lane->in_window[path] += weight;
    lane->window_weight += weight;
}

static void take_ends(struct hardware_paths *paths, struct lane *lane, uint32_t nend)
{
    for (uint32_t i = 0; i < nend; i++) {
        const struct trod_path_end *end = &lane->detector.end[i];
        uint32_t path;

        if (!end->reported)
            continue;
        path = trod_reference_add(&lane->reference, end);
        if (lane->windowed)
            count_in_window(paths, lane, path, end->weight);
        if (!end->count && lane->skips_idle)
            continue;
        for (uint32_t k = 0; k < lane->ncell; k++)
            trod_hot_table_add(&paths->cell[lane->cell[k]]->table, path,
                &lane->reference.path[path], end->count);
    }
}

static uint64_t events_of(const struct source *source)
{
    switch (source->metric) {
    case TROD_METRIC_MISSES:
        return trod_timing_metric_of(source->events, TROD_TIMING_L2_MISSES);
    case TROD_METRIC_MISPREDICTIONS:
        return trod_timing_metric_of(source->events, TROD_TIMING_MISPREDICTIONS);
    default:
        return trod_timing_metric_of(source->events, TROD_TIMING_POWER);
    }
}

void trod_hardware_paths_run(struct hardware_paths *paths, const struct trod_run *run)
{
    for (uint32_t i = 0; i < paths->nsource; i++)
        paths->source[i]->events = trod_timing_take(paths->source[i]->core, run);
    for (uint32_t i = 0; i < paths->nlane; i++) {
        struct lane *lane = paths->lane[i];
        uint64_t events =
            lane->source == UINT32_MAX ? 0 : events_of(paths->source[lane->source]);

        take_ends(paths, lane, trod_detector_run(&lane->detector, run, events));
        if (!lane->windowed)
            continue;
        lane->ninsn += run->code->ninsn;
        if (lane->ninsn >= lane->window)
            close_window(paths, lane);
    }
}

void trod_hardware_paths_end(struct hardware_paths *paths, uint32_t thread)
{
    for (uint32_t i = 0; i < paths->nlane; i++) {
        struct lane *lane = paths->lane[i];

        take_ends(paths, lane, trod_detector_end(&lane->detector, thread));
    }
}
