#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct report {
    struct trod_rows rows;
    uint64_t nall, count; /* all paths that ran and their count, listed or not */
    uint64_t nsingle;     /* omitted paths of functions with a single path */
    bool weighed;         /* shares are of the total weight */
    bool exact;           /* counts are not estimates */
    struct trod_times times;
};

static bool is_choosing(
    const struct trod_map *map, const struct trod_report_options *options)
{
    for (uint32_t i = 0; i < map->nentry; i++)
        if (map->entry[i].shown != TROD_SHOWN)
            return true;
    return options->wants;
}

/* A function without decisions has one path, which shows nothing beyond its name. */
static bool is_single(const struct trod_row *row)
{
    return row->entry && row->entry->numbering.dag && !row->entry->nframe &&
           row->entry->chain.iterations <= 1 && row->entry->numbering.npath == 1;
}

/* If there are more paths than fit in the list, omit single paths in favour of others. */
static void drop_single(struct report *out, size_t most)
{
    struct trod_rows *rows = &out->rows;
    size_t nsingle = 0, n = 0;

    for (size_t i = 0; i < rows->count; i++)
        nsingle += is_single(&rows->row[i]);
    if (rows->count <= most || nsingle == rows->count)
        return;
    for (size_t i = 0; i < rows->count; i++)
        if (!is_single(&rows->row[i]))
            rows->row[n++] = rows->row[i];
    rows->count = n;
    out->nsingle = nsingle;
}

/* Sorting by count needs memory for the listed paths only; everything else examines all paths. The text report joins
 * the copies of a function; JSON keeps them separate.
 */
static void build(struct report *out, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_report_options *options, bool joins,
    struct trod_arena *mem)
{
    size_t listed = options->most ? options->most : TROD_REPORT_MOST, most = listed;
    bool drops = joins && options->no_single && !options->group;
    struct trod_hot hot;

    trod_rows_init(&out->rows, map, options, mem);
    if (joins)
        out->rows.first_copy = trod_map_copies(map, mem);
    if (drops || out->rows.first_copy || options->sort != TROD_SORT_COUNT ||
        options->group || is_choosing(map, options))
        most = SIZE_MAX;
    if (options->metric || trod_profile_has_times(profile)) {
        trod_times_build_of(&out->times, profile, options->metric, mem);
        out->rows.times = &out->times;
    }
    trod_profile_hot_joined(&hot, profile, most, mem);
    for (size_t i = 0; i < hot.npath; i++) {
        const struct trod_hot_path *p = &hot.path[i];

        trod_rows_add(&out->rows, &profile->module[p->module].function[p->function],
            p->id, p->count, 0);
    }
    out->nsingle = 0;
    if (drops)
        drop_single(out, listed);
    trod_rows_finish(&out->rows);
    out->nall = hot.nall;
    out->count = hot.total;
    out->weighed = options->sort == TROD_SORT_WEIGHT;
    out->exact = trod_profile_is_exact(profile);
}

static double share(const struct report *r, uint64_t part)
{
    uint64_t total = r->weighed                  ? r->rows.weight
                     : trod_rows_timed(&r->rows) ? r->times.own
                                                 : r->count;

    return total ? (double)part / (double)total : 0;
}

static uint64_t part_of(const struct report *r, const struct trod_row *row)
{
    if (trod_rows_timed(&r->rows))
        return trod_row_own(row);
    return r->weighed ? row->weight[0] : row->count[0];
}

/* Estimates are printed with a leading ~. */
static void put_count(
    struct trod_sink *sink, const struct report *r, int width, uint64_t count)
{
    const struct trod_style *style = &r->rows.options->style;
    char text[1 + TROD_COUNT_TEXT] = "~";

    trod_count_text(text + 1, count, style->exact);
    trod_put_coloured(
        sink, style, TROD_COLOUR_COUNT, width, r->exact ? text + 1 : text);
}

static uint64_t listed(const struct report *r)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < r->rows.nlisted; i++)
        sum = trod_sat_add(sum, part_of(r, &r->rows.row[i]));
    return sum;
}

static void put_total(struct trod_sink *sink, const struct report *r)
{
    if (trod_rows_timed(&r->rows)) {
        trod_rows_put_ticks(sink, &r->rows, 0, (double)r->times.own);
        if (r->times.metric)
            trod_put(sink, " %s of their own in all", trod_meter_name(r->times.metric));
        else
            trod_put(sink, " of own time in all");
        return;
    }
    put_count(sink, r, 0, r->weighed ? r->rows.weight : r->count);
    trod_put(sink, r->weighed ? " blocks in all" : " times in all");
}

static void put_heads(struct trod_sink *sink, const struct report *r, const char *what)
{
    bool timed = trod_rows_timed(&r->rows);

    trod_put(sink, "share    all  %s      count  %s",
        !timed            ? ""
        : r->times.metric ? "    events"
                          : "      time",
        r->weighed ? "      weight  " : "");
    if (timed)
        trod_rows_put_time_heads(sink);
    trod_put(sink, "%s%s\n", r->rows.options->group ? "   paths  " : "", what);
}

static void put_head(struct trod_sink *sink, const struct report *r)
{
    static const char *const what[] = {
        [TROD_GROUP_NONE] = "function and path",
        [TROD_GROUP_FUNCTION] = "function and file",
        [TROD_GROUP_FILE] = "file",
        [TROD_GROUP_LOOP] = "function, where paths begin, and file",
    };
    const struct trod_report_options *o = r->rows.options;
    uint64_t nall = o->group || is_choosing(r->rows.map, o)
                        ? r->rows.count + r->rows.njoined + r->nsingle
                        : r->nall;

    trod_put(sink, "# %zu of %" PRIu64 " %s that ran%s", r->rows.nlisted, nall,
        trod_rows_word(&r->rows),
        o->wants || r->rows.nunwanted ? " and were chosen" : "");
    trod_put(sink, ", ");
    put_total(sink, r);
    if (trod_rows_detailed(&r->rows) && r->rows.nlisted) {
        trod_put(sink, "; %s %.1f%%\n", r->rows.nlisted == 1 ? "this is" : "these are",
            100 * share(r, listed(r)));
        trod_put(sink, " share  %s  count  %sfunction\n",
            !trod_rows_timed(&r->rows) ? ""
            : r->times.metric          ? "  events  "
                                       : "    time  ",
            r->weighed ? "  weight  " : "");
    } else {
        trod_put(sink, "\n");
        put_heads(sink, r, what[o->group]);
    }
}

/* --- one line per row ----------------------------------------------------------------------------- */

static void put_rows(struct trod_sink *sink, const struct report *r)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < r->rows.nlisted; i++) {
        const struct trod_row *row = &r->rows.row[i];

        sum = trod_sat_add(sum, part_of(r, row));
        trod_put(sink, "%5.1f%% %5.1f%% ", 100 * share(r, part_of(r, row)),
            100 * share(r, sum));
        if (trod_rows_timed(&r->rows)) {
            trod_rows_put_ticks(sink, &r->rows, 9, (double)trod_row_own(row));
            trod_put(sink, " ");
        }
        put_count(sink, r, 12, row->count[0]);
        trod_put(sink, "  ");
        if (trod_rows_timed(&r->rows))
            trod_row_put_times(sink, &r->rows, row);
        if (r->weighed) {
            put_count(sink, r, 12, row->weight[0]);
            trod_put(sink, "  ");
        }
        if (r->rows.options->group)
            trod_put(sink, "%8" PRIu64 "  ", row->npath);
        trod_row_put(sink, &r->rows, row);
        trod_put(sink, "\n");
    }
}

/* --- paths with source code ------------------------------------------------------------------------- */

enum { NAME_COLUMN = 17, WEIGHT_COLUMNS = 10, TIME_COLUMNS = 10 };

/* Returns whether some path starts or ends at a cut. */
static bool put_paths(struct trod_sink *sink, const struct report *r)
{
    unsigned column = NAME_COLUMN + (r->weighed ? WEIGHT_COLUMNS : 0) +
                      (trod_rows_timed(&r->rows) ? TIME_COLUMNS : 0);
    bool cut = false;

    for (size_t i = 0; i < r->rows.nlisted; i++) {
        const struct trod_row *row = &r->rows.row[i];

        trod_put(sink, "%5.1f%%  ", 100 * share(r, part_of(r, row)));
        if (trod_rows_timed(&r->rows)) {
            trod_rows_put_ticks(sink, &r->rows, 8, (double)trod_row_own(row));
            trod_put(sink, "  ");
        }
        put_count(sink, r, 7, row->count[0]);
        trod_put(sink, "  ");
        if (r->weighed) {
            put_count(sink, r, 8, row->weight[0]);
            trod_put(sink, "  ");
        }
        cut |= trod_row_put_path(sink, &r->rows, row, column);
    }
    return cut;
}

static void put_body(struct trod_sink *sink, const struct report *r)
{
    bool cut = false;

    if (trod_rows_detailed(&r->rows))
        cut = put_paths(sink, r);
    else
        put_rows(sink, r);
    trod_rows_put_notes(sink, &r->rows, cut);
    if (trod_rows_timed(&r->rows))
        trod_rows_put_time_notes(sink, &r->rows);
    if (r->nsingle)
        trod_put(sink,
            "# not listed: %" PRIu64
            " path%s of functions without a decision; see --all-paths\n",
            r->nsingle, r->nsingle == 1 ? "" : "s");
    if (r->rows.njoined)
        trod_put(sink,
            "# %" PRIu64
            " path%s of copies of these functions in other units %s added to\n"
            "#   theirs; --json lists %s apart\n",
            r->rows.njoined, r->rows.njoined == 1 ? "" : "s",
            r->rows.njoined == 1 ? "is" : "are", r->rows.njoined == 1 ? "it" : "them");
}

/* Functions that are only partly counted, and the number of their counters. */
struct partial {
    uint64_t nfunction, nslot;
};

static struct partial partial_of(
    const struct trod_profile *profile, enum trod_format_counted counted)
{
    struct partial out = {0};

    for (uint32_t m = 0; m < profile->nmodule; m++)
        for (uint32_t f = 0; f < profile->module[m].nfunction; f++) {
            const struct trod_profile_function *of = &profile->module[m].function[f];

            if (of->counted == counted) {
                out.nfunction++;
                out.nslot += of->nchosen;
            }
        }
    return out;
}

void trod_report_partial(struct trod_sink *sink, const struct trod_profile *profile)
{
    struct partial chosen = partial_of(profile, TROD_COUNTED_CHOSEN);
    struct partial untested = partial_of(profile, TROD_COUNTED_UNTESTED);
    struct partial rest = partial_of(profile, TROD_COUNTED_REST);

    if (chosen.nfunction)
        trod_put(sink,
            "# %" PRIu64 " functions: only chosen paths are counted, %" PRIu64
            " of them;\n#   other paths are not recorded\n",
            chosen.nfunction, chosen.nslot);
    if (untested.nfunction || rest.nfunction)
        trod_put(sink,
            "# %" PRIu64
            " functions: only untested paths are counted; counts of\n#   tested paths are not "
            "recorded\n",
            untested.nfunction + rest.nfunction);
}

void trod_report_partial_json(
    struct trod_json *json, const struct trod_profile *profile)
{
    static const enum trod_format_counted kind[] = {
        TROD_COUNTED_CHOSEN, TROD_COUNTED_UNTESTED, TROD_COUNTED_REST};

    trod_json_open(json, "partial", '[');
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        struct partial partial = partial_of(profile, kind[i]);

        if (!partial.nfunction)
            continue;
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "counted", trod_profile_counted_name(kind[i]));
        trod_json_uint(json, "functions", partial.nfunction);
        trod_json_uint(json, "slots", partial.nslot);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

/* If more functions than this are skipped for one reason, print only their number. JSON lists all. */
enum { MOST_SKIPPED = 5 };

static bool is_wanted(const struct trod_report_options *options, const char *function)
{
    return !options || !options->wants || options->wants(function, options->ctx);
}

static void put_skipped(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_report_options *options)
{
    for (uint32_t i = 0; i < map->nskipped; i++) {
        const struct trod_map_skipped *own = &map->skipped[i];
        uint32_t before = 0, n = 0;

        if (!is_wanted(options, own->name))
            continue;
        for (uint32_t k = 0; k < map->nskipped; k++) {
            bool same = strcmp(map->skipped[k].why, own->why) == 0 &&
                        is_wanted(options, map->skipped[k].name);

            before += same && k < i;
            n += same;
        }
        if (n > MOST_SKIPPED && before)
            continue;
        trod_put(sink, "# not counted: ");
        if (!trod_put_demangled(sink, own->name))
            trod_put(sink, "%s", own->name);
        if (strcmp(own->unit, "-") != 0) /* not of a whole program */
            trod_put(sink, " (%s)", own->unit);
        if (n > MOST_SKIPPED)
            trod_put(sink, " and %u others", n - 1);
        trod_put(sink, ": %s\n", own->why);
    }
}

void trod_report_remarks(struct trod_sink *sink, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem)
{
    trod_report_partial(sink, profile);
    if (!options || !options->quiet) {
        trod_report_abandoned_print(sink, profile, map, options, mem);
        put_skipped(sink, map, options);
    }
    for (uint32_t i = 0; i < profile->nnote; i++)
        trod_put(sink, "# note: %s\n", profile->note[i]);
}

void trod_report_remarks_json(struct trod_json *json,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem)
{
    trod_report_partial_json(json, profile);
    trod_report_abandoned_json(json, profile, map, options, mem);
    trod_json_open(json, "skipped", '[');
    for (uint32_t i = 0; i < map->nskipped; i++) {
        if (!is_wanted(options, map->skipped[i].name))
            continue;
        trod_json_open(json, NULL, '{');
        trod_json_display_name(json, "function", map->skipped[i].name);
        trod_json_text(json, "why", map->skipped[i].why);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_open(json, "notes", '[');
    for (uint32_t i = 0; i < profile->nnote; i++)
        trod_json_text(json, NULL, profile->note[i]);
    trod_json_close(json, ']');
}

void trod_report_print(struct trod_sink *sink, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem)
{
    struct report r;

    build(&r, profile, map, options, true, mem);
    trod_report_how(sink, profile->burst, profile->nburst);
    put_head(sink, &r);
    put_body(sink, &r);
    trod_report_remarks(sink, profile, map, options, mem);
}

static void json_rows(struct trod_json *json, const struct report *r)
{
    uint64_t sum = 0;

    trod_json_open(
        json, r->rows.options->group ? trod_rows_word(&r->rows) : "hot", '[');
    for (size_t i = 0; i < r->rows.nlisted; i++) {
        const struct trod_row *row = &r->rows.row[i];

        sum = trod_sat_add(sum, part_of(r, row));
        trod_json_open(json, NULL, '{');
        trod_row_json(json, &r->rows, row);
        trod_json_uint(json, "count", row->count[0]);
        if (row->entry)
            trod_json_uint(json, "weight", row->weight[0]);
        trod_json_real(json, "share", share(r, part_of(r, row)));
        trod_json_real(json, "all", share(r, sum));
        trod_row_time_json(json, &r->rows, row);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

void trod_report_json(struct trod_json *json, const char *key,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem)
{
    struct report r;

    build(&r, profile, map, options, false, mem);
    trod_json_open(json, key, '{');
    trod_json_uint(json, "paths", r.nall);
    trod_json_uint(json, "total", r.count);
    if (trod_profile_has_bursts(profile)) {
        trod_json_bool(json, "exact", r.exact);
        trod_report_how_json(json, profile->burst, profile->nburst);
    }
    if (r.weighed)
        trod_json_uint(json, "weight", r.rows.weight);
    if (r.rows.times)
        trod_times_json(json, r.rows.times->metric ? "metric" : "times", r.rows.times);
    if (r.rows.nhidden)
        trod_json_uint(json, "hidden", r.rows.nhidden);
    json_rows(json, &r);
    trod_report_remarks_json(json, profile, map, options, mem);
    trod_json_close(json, '}');
}
