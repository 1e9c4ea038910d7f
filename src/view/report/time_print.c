#include "report/report.h"

#include <stdio.h>

bool trod_rows_timed(const struct trod_rows *rows)
{
    return rows->times && !rows->times_b && rows->options->sort == TROD_SORT_TIME;
}

uint64_t trod_row_own(const struct trod_row *row)
{
    return row->time ? row->time->own : 0;
}

void trod_rows_put_ticks(
    struct trod_sink *sink, const struct trod_rows *rows, int width, double ticks)
{
    char text[1 + TROD_TIME_TEXT] = "~";

    trod_time_text(text + 1, rows->times, ticks);
    trod_put_coloured(sink, &rows->options->style, TROD_COLOUR_COUNT, width,
        rows->times->spread != 0 ? text : text + 1);
}

static const char *error_text(char out[TROD_TIME_TEXT], const struct trod_times *times,
    const struct trod_time *time)
{
    double error = trod_times_error(times, time);

    if (error < 0)
        return "-";
    snprintf(out, TROD_TIME_TEXT, error < 9.995 ? "%.1f%%" : "%.0f%%", 100 * error);
    return error < 1e6 ? out : "-";
}

/* --- columns ---------------------------------------------------------------------------------- */

void trod_rows_put_time_heads(struct trod_sink *sink)
{
    trod_put(sink, "   mean     p50     p99   error  ");
}

void trod_row_put_times(
    struct trod_sink *sink, const struct trod_rows *rows, const struct trod_row *row)
{
    char text[4][TROD_TIME_TEXT];

    if (!row->time) {
        trod_put(sink, "%7s %7s %7s %7s  ", "-", "-", "-", "-");
        return;
    }
    trod_put(sink, "%7s %7s %7s %7s  ",
        trod_time_text(text[0], rows->times, trod_time_mean(row->time)),
        trod_time_text(text[1], rows->times, trod_time_quantile(row->time, 0.5)),
        trod_time_text(text[2], rows->times, trod_time_quantile(row->time, 0.99)),
        error_text(text[3], rows->times, row->time));
}

/* --- below a title -------------------------------------------------------------------------------- */

static void put_both(struct trod_sink *sink, const struct trod_rows *rows,
    const char *what, double a, double b)
{
    char text[2][TROD_TIME_TEXT];

    trod_put(sink, "%s %s to %s", what, trod_time_text(text[0], rows->times, a),
        trod_time_text(text[1], rows->times_b, b));
}

static void put_comparison(struct trod_sink *sink, const struct trod_rows *rows,
    const struct trod_row *row, unsigned column)
{
    const struct trod_time *a = row->time, *b = row->time_b;

    trod_put(sink, "%*s  ", (int)column, "");
    put_both(sink, rows, "p50", trod_time_quantile(a, 0.5), trod_time_quantile(b, 0.5));
    put_both(
        sink, rows, ", p99", trod_time_quantile(a, 0.99), trod_time_quantile(b, 0.99));
    trod_put(sink, "\n");
}

void trod_row_put_time_line(struct trod_sink *sink, const struct trod_rows *rows,
    const struct trod_row *row, unsigned column)
{
    const struct trod_time *time = row->time;
    char text[5][TROD_TIME_TEXT];

    if (rows->times_b) {
        put_comparison(sink, rows, row, column);
        return;
    }
    if (!time) {
        trod_put(sink, "%*s  was not %s\n", (int)column, "",
            rows->times->metric ? "measured" : "timed");
        return;
    }
    trod_put(sink, "%*s  mean %s, p50 %s, p99 %s, with callees %s; error %s\n",
        (int)column, "", trod_time_text(text[0], rows->times, trod_time_mean(time)),
        trod_time_text(text[1], rows->times, trod_time_quantile(time, 0.5)),
        trod_time_text(text[2], rows->times, trod_time_quantile(time, 0.99)),
        trod_time_text(text[3], rows->times, (double)time->with / (double)time->count),
        error_text(text[4], rows->times, time));
}

/* --- below the rows ------------------------------------------------------------------------------ */

/* A path that ends waits until everything before it is done, which in a program without clocks goes on beside the next one.
 * The less a path takes, the more of its time is that.
 */
static void put_excess(struct trod_sink *sink, const struct trod_rows *rows)
{
    const struct trod_times *times = rows->times;
    double ratio = times->ran ? (double)times->own / (double)times->ran : 0;

    if (ratio < 1.15)
        return;
    trod_put(sink, "# own times add up to %.1f times the CPU time of their threads, ",
        ratio);
    trod_rows_put_ticks(sink, rows, 0, (double)times->ran);
    trod_put(sink, ": short paths take less than this\n");
}

void trod_rows_put_time_notes(struct trod_sink *sink, const struct trod_rows *rows)
{
    double away = 0;

    if (rows->times->metric) {
        trod_put(sink,
            "# events are %s of the paths themselves, without what they call\n",
            trod_meter_name(rows->times->metric));
        return;
    }
    for (size_t i = 0; i < rows->times->npath; i++)
        away += (double)rows->times->path[i].time.away;
    trod_put(
        sink, "# times are those of the paths themselves, without what they call\n");
    if (!rows->times->ticks)
        trod_put(sink,
            "# times are in ticks: the program ended before its clock was measured\n");
    put_excess(sink, rows);
    if (away <= 0)
        return;
    trod_put(sink, "# while paths were executed, their threads did not run for ");
    trod_rows_put_ticks(sink, rows, 0, away);
    trod_put(sink, ": not included\n");
}

void trod_row_time_json(
    struct trod_json *json, const struct trod_rows *rows, const struct trod_row *row)
{
    if (!row->time)
        return;
    trod_json_open(json, rows->times->metric ? "metric" : "time", '{');
    trod_time_json(json, rows->times, row->time);
    trod_json_close(json, '}');
}
