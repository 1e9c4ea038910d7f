#include "page/kinds.h"
#include "base/order.h"

#include <inttypes.h>

#define COLUMNS(of) ((uint32_t)(sizeof(of) / sizeof *(of)))

/* In nanoseconds; if the clock is unknown, in ticks. */
static const struct trod_page_column time_columns[] = {{"function", TROD_PAGE_FUNCTION},
    {"path", TROD_PAGE_TEXT}, {"time", TROD_PAGE_TIME}, {"share", TROD_PAGE_SHARE},
    {"error", TROD_PAGE_SHARE}, {"times", TROD_PAGE_COUNT}, {"mean", TROD_PAGE_TIME},
    {"p50", TROD_PAGE_TIME}, {"p99", TROD_PAGE_TIME}, {"with callees", TROD_PAGE_TIME}};
static const struct trod_page_column tick_columns[] = {{"function", TROD_PAGE_FUNCTION},
    {"path", TROD_PAGE_TEXT}, {"time", TROD_PAGE_REAL}, {"share", TROD_PAGE_SHARE},
    {"error", TROD_PAGE_SHARE}, {"times", TROD_PAGE_COUNT}, {"mean", TROD_PAGE_REAL},
    {"p50", TROD_PAGE_REAL}, {"p99", TROD_PAGE_REAL}, {"with callees", TROD_PAGE_REAL}};

static const struct trod_map_entry *entry_of(
    const struct trod_map *map, const struct trod_path_time *path)
{
    struct trod_profile_function events = {.name = path->name,
        .graph = path->graph,
        .cuts = path->cuts ^ TROD_EVENTS_CUTS,
        .npath = TROD_EVENTS_NPATH,
        .counted = TROD_COUNTED_EVENTS};

    return trod_map_find_events(map, &events);
}

static const char *put_path(const struct trod_map *map,
    const struct trod_map_entry *entry, uint64_t id, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_put(&text.sink, "=%" PRIu64, id);
    if (entry && entry->numbering.dag) {
        trod_put(&text.sink, " ");
        trod_path_print_folded(&text.sink, map, entry, id, NULL, mem);
    }
    return text.text;
}

static void add_function(struct trod_page_rows *rows,
    const struct trod_map_entry *entry, const struct trod_path_time *path)
{
    if (entry)
        trod_page_rows_function(rows, entry->name, entry->file);
    else
        trod_page_rows_function(
            rows, trod_format(rows->mem, "?%016" PRIx64, path->name), NULL);
}

static void add_time(
    struct trod_page_rows *rows, const struct trod_times *times, double ticks)
{
    trod_page_rows_real(rows, trod_time_in_unit(times, ticks));
}

static void add_path(struct trod_page_rows *rows, const struct trod_times *times,
    const struct trod_path_time *path)
{
    const struct trod_map *map = rows->names->map;
    const struct trod_map_entry *entry = entry_of(map, path);
    const struct trod_time *time = &path->time;

    trod_page_rows_begin(rows);
    if (rows->nseen > rows->most)
        return;
    add_function(rows, entry, path);
    trod_page_rows_text(rows, put_path(map, entry, path->id, rows->mem));
    add_time(rows, times, (double)time->own);
    trod_page_rows_real(rows, times->own ? (double)time->own / (double)times->own : -1);
    trod_page_rows_real(rows, trod_times_error(times, time));
    trod_page_rows_count(rows, time->count);
    add_time(rows, times, trod_time_mean(time));
    add_time(rows, times, trod_time_quantile(time, 0.5));
    add_time(rows, times, trod_time_quantile(time, 0.99));
    add_time(rows, times, (double)time->with / (double)time->count);
}

TROD_ORDER(by_own, struct trod_path_time, TROD_DOWN(time.own), TROD_UP(name),
    TROD_UP(graph), TROD_UP(cuts), TROD_UP(id))

void trod_page_table_times(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_times *times, size_t most,
    struct trod_arena *mem)
{
    struct trod_path_time *path = trod_new(mem, struct trod_path_time, times->npath);
    struct trod_page_rows rows;

    *out = (struct trod_page_table){.word = "times",
        .title =
            times->ticks
                ? "Where the time goes: own time of paths, without what they call."
                : "Where the time goes: own time of paths, without what they call, in "
                  "ticks: the program ended before its clock was measured.",
        .estimates = times->spread != 0,
        .mentions = true};
    for (size_t i = 0; i < times->npath; i++)
        path[i] = times->path[i];
    trod_sort(path, times->npath, by_own);
    trod_page_rows_init(&rows, names, COLUMNS(time_columns), most, mem);
    for (size_t i = 0; i < times->npath; i++)
        add_path(&rows, times, &path[i]);
    trod_page_rows_finish(out, &rows, times->ticks ? time_columns : tick_columns);
}
