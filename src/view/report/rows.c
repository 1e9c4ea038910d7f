#include "report/report.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- from paths to rows ----------------------------------------------------------------- */

void trod_rows_init(struct trod_rows *out, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem)
{
    *out = (struct trod_rows){.map = map, .options = options, .mem = mem};
}

/* A path from ENTRY to EXIT of the DAG has one block between each two edges. Of a chain, only the last path counts: the
 * paths before it are the last ones of other chains.
 */
static uint64_t count_blocks(
    const struct trod_map *map, const struct trod_map_entry *entry, uint64_t id)
{
    trod_path last;

    if (!entry || !entry->numbering.dag || !trod_chain_last(&last, &entry->chain, id))
        return 1;
    return trod_number_decode(map->step, &entry->numbering, last) - 1;
}

/* The DAG edge with which the path, or the last path of the chain, starts. */
static trod_edge start_of(
    const struct trod_map *map, const struct trod_map_entry *entry, uint64_t id)
{
    trod_path last;

    if (!entry || !entry->numbering.dag || !trod_chain_last(&last, &entry->chain, id))
        return TROD_NONE;
    trod_number_decode(map->step, &entry->numbering, last);
    return map->step[0];
}

static uint64_t sat_mul(uint64_t a, uint64_t b)
{
    uint64_t product;

    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static const char *name_of(struct trod_rows *rows, const struct trod_map_entry *entry,
    const struct trod_profile_function *function)
{
    struct trod_string name;

    if (entry)
        return entry->name;
    trod_string_init(&name, rows->mem);
    trod_put(&name.sink, "?%016" PRIx64, function->name);
    return name.text;
}

static const char *file_of(const struct trod_map_entry *entry)
{
    if (!entry)
        return "?";
    return entry->file ? entry->file : entry->unit;
}

static const struct trod_map_entry *first_copy(
    const struct trod_rows *rows, const struct trod_map_entry *entry)
{
    return entry && rows->first_copy ? rows->first_copy[entry - rows->map->entry]
                                     : entry;
}

void trod_rows_add(struct trod_rows *rows, const struct trod_profile_function *function,
    uint64_t id, uint64_t a, uint64_t b)
{
    const struct trod_report_options *o = rows->options;
    const struct trod_map_entry *entry =
        first_copy(rows, trod_map_find(rows->map, function));
    struct trod_row row = {.entry = entry,
        .function = name_of(rows, entry, function),
        .file = file_of(entry),
        .order = rows->count,
        .id = id,
        .npath = rows->keep_same || a != b,
        .count = {a, b},
        .time = rows->times ? trod_times_find(rows->times, function, id) : NULL,
        .time_b = rows->times_b ? trod_times_find(rows->times_b, function, id) : NULL};
    uint64_t nblock = count_blocks(rows->map, entry, id);

    row.start =
        o->group == TROD_GROUP_LOOP ? start_of(rows->map, entry, id) : TROD_NONE;
    row.weight[0] = sat_mul(a, nblock);
    row.weight[1] = sat_mul(b, nblock);
    rows->weight = trod_sat_add(rows->weight, row.weight[0]);
    if ((o->wants && !o->wants(row.function, o->ctx)) ||
        (entry && entry->shown == TROD_HIDDEN_FILE)) {
        rows->nunwanted++;
        return;
    }
    if (entry && entry->shown == TROD_HIDDEN_SYSTEM) {
        rows->nhidden++;
        return;
    }
    trod_push(rows->mem, rows->row, rows->count, rows->room, row);
}

/* --- order -------------------------------------------------------------------------------- */

static uint64_t distance(const uint64_t pair[2])
{
    return pair[0] > pair[1] ? pair[0] - pair[1] : pair[1] - pair[0];
}

static int highest_first(const uint64_t a[2], const uint64_t b[2])
{
    uint64_t x = distance(a), y = distance(b);

    return (x < y) - (x > y);
}

static int by_order(const struct trod_row *a, const struct trod_row *b)
{
    return (a->order > b->order) - (a->order < b->order);
}

TROD_ORDER(by_count, struct trod_row, highest_first(a->count, b->count), by_order(a, b))

TROD_ORDER(
    by_weight, struct trod_row, highest_first(a->weight, b->weight), by_count(a, b))

static const char *display_name_of(const struct trod_row *row)
{
    return row->entry && *row->function ? row->entry->display_name : row->function;
}

TROD_ORDER(by_time, struct trod_row, trod_compare(trod_row_own(b), trod_row_own(a)),
    by_count(a, b))

TROD_ORDER(by_change, struct trod_row,
    trod_compare(fabs(b->change.more), fabs(a->change.more)), by_count(a, b))

TROD_ORDER(by_function, struct trod_row, strcmp(display_name_of(a), display_name_of(b)),
    TROD_ALPHABETIC(function), TROD_ALPHABETIC(file), by_count(a, b))

TROD_ORDER(by_file, struct trod_row, TROD_ALPHABETIC(file), by_function(a, b))

static void sort(struct trod_rows *rows, int (*compare)(const void *, const void *))
{
    trod_sort(rows->row, rows->count, compare);
}

/* --- groups --------------------------------------------------------------------------------- */

static bool in_one_group(
    const struct trod_row *a, const struct trod_row *b, enum trod_report_group group)
{
    if (strcmp(a->file, b->file) != 0)
        return false;
    return group == TROD_GROUP_FILE ||
           (strcmp(a->function, b->function) == 0 &&
               (group != TROD_GROUP_LOOP ||
                   (a->entry == b->entry && a->start == b->start)));
}

static void add_row(
    const struct trod_rows *rows, struct trod_row *to, const struct trod_row *from)
{
    to->npath += from->npath;
    to->time = trod_time_sum(to->time, from->time, rows->mem);
    to->time_b = trod_time_sum(to->time_b, from->time_b, rows->mem);
    for (int i = 0; i < 2; i++) {
        to->count[i] = trod_sat_add(to->count[i], from->count[i]);
        to->weight[i] = trod_sat_add(to->weight[i], from->weight[i]);
    }
}

/* By function, then by start. Several functions may have the same name. */
static int by_start(const void *x, const void *y)
{
    const struct trod_row *a = x, *b = y;
    int by = strcmp(a->file, b->file);

    by = by ? by : strcmp(a->function, b->function);
    if (by)
        return by;
    if (a->entry != b->entry)
        return a->entry < b->entry ? -1 : 1;
    by = (a->start > b->start) - (a->start < b->start);
    return by ? by : by_count(a, b);
}

static void put_together(struct trod_rows *rows)
{
    enum trod_report_group group = rows->options->group;
    size_t n = 0;

    if (group == TROD_GROUP_NONE)
        return;
    sort(rows, group == TROD_GROUP_LOOP ? by_start : by_file);
    for (size_t i = 0; i < rows->count; i++) {
        if (n && in_one_group(&rows->row[n - 1], &rows->row[i], group)) {
            add_row(rows, &rows->row[n - 1], &rows->row[i]);
            continue;
        }
        rows->row[n] = rows->row[i];
        if (group == TROD_GROUP_FILE)
            rows->row[n].function = "";
        rows->row[n].order = n;
        n++;
    }
    rows->count = n;
}

static int by_path(const void *x, const void *y)
{
    const struct trod_row *a = x, *b = y;

    if (a->entry != b->entry)
        return (uintptr_t)a->entry < (uintptr_t)b->entry ? -1 : 1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return by_order(a, b);
}

/* Add up the paths of all copies of a function. */
static void join_copies(struct trod_rows *rows)
{
    size_t n = 0;

    if (!rows->first_copy || rows->options->group != TROD_GROUP_NONE)
        return;
    sort(rows, by_path);
    for (size_t i = 0; i < rows->count; i++) {
        struct trod_row *last = n ? &rows->row[n - 1] : NULL;

        if (last && last->entry && last->entry == rows->row[i].entry &&
            last->id == rows->row[i].id) {
            add_row(rows, last, &rows->row[i]);
            rows->njoined++;
        } else {
            rows->row[n++] = rows->row[i];
        }
    }
    rows->count = n;
}

/* In a comparison, drop groups in which no path moved. */
static void drop_same(struct trod_rows *rows)
{
    size_t n = 0;

    for (size_t i = 0; i < rows->count; i++)
        if (rows->row[i].npath)
            rows->row[n++] = rows->row[i];
    rows->count = n;
}

/* In a comparison of times, keep what was timed in both profiles. */
static void compare_times(struct trod_rows *rows)
{
    size_t n = 0;

    for (size_t i = 0; i < rows->count; i++) {
        struct trod_row *row = &rows->row[i];

        if (!row->time || !row->time_b)
            continue;
        trod_time_compare(
            &row->change, rows->times, row->time, rows->times_b, row->time_b);
        rows->row[n++] = *row;
    }
    rows->count = n;
}

static void mark_places(struct trod_rows *rows)
{
    struct trod_mark mark = trod_arena_mark(rows->mem);
    const struct trod_map_entry **entry =
        trod_new(rows->mem, const struct trod_map_entry *, rows->nlisted);
    const enum trod_row_place *place;

    for (size_t i = 0; i < rows->nlisted; i++)
        entry[i] = rows->row[i].entry;
    place = trod_row_places(entry, rows->nlisted, rows->mem);
    for (size_t i = 0; i < rows->nlisted; i++)
        rows->row[i].place = place[i];
    trod_arena_rewind(rows->mem, mark);
}

void trod_rows_finish(struct trod_rows *rows)
{
    static int (*const order[])(const void *, const void *) = {
        [TROD_SORT_COUNT] = by_count,
        [TROD_SORT_WEIGHT] = by_weight,
        [TROD_SORT_FUNCTION] = by_function,
        [TROD_SORT_FILE] = by_file,
        [TROD_SORT_TIME] = by_time,
    };
    size_t most = rows->options->most ? rows->options->most : TROD_REPORT_MOST;

    join_copies(rows);
    put_together(rows);
    drop_same(rows);
    if (rows->times_b)
        compare_times(rows);
    sort(rows, rows->times_b ? by_change : order[rows->options->sort]);
    rows->nlisted = rows->count < most ? rows->count : most;
    if (rows->options->group == TROD_GROUP_NONE ||
        rows->options->group == TROD_GROUP_LOOP)
        mark_places(rows);
}

/* --- text ------------------------------------------------------------------------------------- */

void trod_row_put(
    struct trod_sink *sink, const struct trod_rows *rows, const struct trod_row *row)
{
    const struct trod_condition_source *text =
        rows->options->conditions ? rows->options->text : NULL;
    struct trod_map_entry plain;

    if (rows->options->group == TROD_GROUP_FILE) {
        trod_put_shown(sink, row->file);
        return;
    }
    if (row->entry)
        trod_put_display_name(sink, row->function);
    else
        trod_put(sink, "%s", row->function);
    trod_row_put_place(sink, row->entry, row->place);
    if (rows->options->group) {
        trod_put(sink, "  ");
        if (rows->options->group == TROD_GROUP_LOOP && row->start != TROD_NONE) {
            trod_edge_print(sink, row->entry, row->start);
            trod_put(sink, "  ");
        }
        trod_put_shown(sink, row->file);
        return;
    }
    trod_put(sink, " =%" PRIu64, row->id);
    if (!row->entry)
        return;
    plain = *row->entry;
    if (rows->options->blocks)
        plain.first_line = NULL;
    trod_put(sink, "  ");
    if (rows->options->style.whole)
        trod_path_print(sink, rows->map, &plain, row->id, text);
    else
        trod_path_print_folded(sink, rows->map, &plain, row->id, text, rows->mem);
}

/* The arena is not rewound: the sink may collect its output in the same arena. */
static void json_path(
    struct trod_json *json, const struct trod_rows *rows, const struct trod_row *row)
{
    struct trod_map_entry plain = *row->entry;
    struct trod_string text;

    trod_string_init(&text, rows->mem);
    trod_path_print(&text.sink, rows->map, row->entry, row->id,
        rows->options->conditions ? rows->options->text : NULL);
    trod_json_text(json, "path", text.text);
    trod_path_ends_json(json, rows->map, row->entry, row->id);
    if (rows->options->conditions && rows->options->text)
        trod_path_decisions_json(
            json, "decisions", rows->map, row->entry, row->id, rows->options->text);
    plain.first_line = NULL;
    trod_string_init(&text, rows->mem);
    trod_path_print(&text.sink, rows->map, &plain, row->id, NULL);
    trod_json_text(json, "blocks", text.text);
}

void trod_row_json(
    struct trod_json *json, const struct trod_rows *rows, const struct trod_row *row)
{
    enum trod_report_group group = rows->options->group;

    if (group != TROD_GROUP_FILE)
        trod_json_display_name(json, "function", row->function);
    if (row->entry && (row->entry->file || group == TROD_GROUP_FILE))
        trod_json_text(json, "file", row->file);
    if (row->entry && group == TROD_GROUP_NONE) {
        if (row->entry->declared)
            trod_json_uint(json, "line", row->entry->declared);
        trod_json_text(json, "unit", row->entry->unit);
    }
    if (group == TROD_GROUP_NONE)
        trod_json_uint(json, "id", row->id);
    else
        trod_json_uint(json, "paths", row->npath);
    if (group == TROD_GROUP_LOOP && row->start != TROD_NONE) {
        struct trod_string text;

        trod_string_init(&text, rows->mem);
        trod_edge_print(&text.sink, row->entry, row->start);
        trod_json_text(json, "start", text.text);
    }
    if (row->entry && group == TROD_GROUP_NONE)
        json_path(json, rows, row);
    if (row->entry && group == TROD_GROUP_NONE && rows->options->lines)
        trod_path_lines_json(
            json, "lines", rows->map, row->entry, row->id, rows->options->text);
}

const char *trod_rows_word(const struct trod_rows *rows)
{
    static const char *const word[] = {
        [TROD_GROUP_NONE] = "paths",
        [TROD_GROUP_FUNCTION] = "functions",
        [TROD_GROUP_FILE] = "files",
        [TROD_GROUP_LOOP] = "loops",
    };

    return word[rows->options->group];
}
