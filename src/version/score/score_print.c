#include "score/score.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- text -------------------------------------------------------------------------------------------- */

static void put_row(struct trod_sink *sink, const struct trod_score *s, int width)
{
    trod_put(sink, "%-*s %8" PRIu64 " %8" PRIu64, width, s->input ? s->input : "all",
        s->nentry, s->ncorrect);
    trod_put(sink, " %7.2f%% %7.2f%%  %.4f", 100 * s->acc, 100 * s->near, s->precision);
    if (s->has_recall)
        trod_put(sink, " %.4f %.4f", s->recall, s->f);
    else
        trod_put(sink, " %6s %6s", "-", "-");
    trod_put(sink, " %7.2f%% %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 "\n",
        100 * s->hot, s->nreused, s->ninferred, s->nmissing, s->nextra);
}

static int width_of(const struct trod_score_table *table)
{
    size_t width = 5;

    for (uint32_t i = 0; i < table->nscore; i++)
        if (table->score[i].input && strlen(table->score[i].input) > width)
            width = strlen(table->score[i].input);
    return width > 60 ? 60 : (int)width;
}

static void put_saved(struct trod_sink *sink, const char *word, double value)
{
    if (isnan(value))
        trod_put(sink, "# %s: unknown: there are no times without profiling\n", word);
    else
        trod_put(sink, "# %s: %.1f%%\n", word, 100 * value);
}

void trod_score_print(struct trod_sink *sink, const struct trod_score_table *table)
{
    int width = width_of(table);

    trod_put(sink, "# %s\n", table->type);
    trod_put(sink, "%-*s %8s %8s %8s %8s  %-6s %-6s %-6s %8s %8s %8s %8s %8s\n", width,
        "input", "entries", "correct", "Acc", "near", "P", "R", "F", "hot", "reused",
        "inferred", "missing", "extra");
    for (uint32_t i = 0; i < table->nscore; i++)
        put_row(sink, &table->score[i], width);
    if (table->nscore != 1)
        put_row(sink, &table->all, width);
    if (table->nindirect)
        trod_put(sink,
            "# %" PRIu64 " places that ran call through pointers: callees unknown\n",
            table->nindirect);
    if (table->times) {
        put_saved(sink, "TS_total", table->times->ts_total);
        put_saved(sink, "TS_overhead", table->times->ts_overhead);
        trod_put(sink, "# inputs that were skipped: %" PRIu32 " of %" PRIu32 "\n",
            table->times->nskipped, table->times->ninput);
    }
}

static const char *const how_words[] = {
    "", " reused", " validated", " inferred", " profiled"};

static void put_wrong(struct trod_sink *sink, const struct trod_score_wrong *wrong)
{
    const struct trod_scored *e = wrong->full ? wrong->full : wrong->merged;

    trod_put(sink, "# ");
    trod_put_name(sink, e->function);
    if (e->file)
        trod_put(sink, "  %s", e->file);
    if (e->part != TROD_NONE)
        trod_put(sink, "  part %" PRIu32, e->part);
    if (e->other)
        trod_put(sink, "  %s", e->other);
    if (e->id)
        trod_put(sink, "  =%" PRIu64, e->id);
    if (wrong->merged)
        trod_put(sink, ": %" PRIu64 "%s", wrong->merged->count,
            how_words[wrong->merged->how]);
    else
        trod_put(sink, ": missing");
    if (wrong->merged && wrong->merged->has_was)
        trod_put(sink, ", was %" PRIu64, wrong->merged->was);
    trod_put(sink, ", is %" PRIu64 "\n", wrong->full ? wrong->full->count : 0);
}

void trod_score_print_wrong(
    struct trod_sink *sink, const struct trod_score_table *table, uint64_t most)
{
    for (uint32_t i = 0; i < table->nscore; i++) {
        const struct trod_score *s = &table->score[i];

        if (s->nwrong && most)
            trod_put(sink, "# wrong in %s, %zu in all:\n", s->input ? s->input : "it",
                s->nwrong);
        for (size_t k = 0; k < s->nwrong && k < most; k++)
            put_wrong(sink, &s->wrong[k]);
    }
}

/* --- JSON -------------------------------------------------------------------------------------------- */

static void json_score(
    struct trod_json *json, const char *key, const struct trod_score *s)
{
    trod_json_open(json, key, '{');
    if (s->input)
        trod_json_text(json, "input", s->input);
    trod_json_uint(json, "entries", s->nentry);
    trod_json_uint(json, "correct", s->ncorrect);
    trod_json_uint(json, "near", s->nnear);
    trod_json_uint(json, "reused", s->nreused);
    trod_json_uint(json, "true", s->ntrue);
    trod_json_uint(json, "reusable", s->nreusable);
    trod_json_uint(json, "inferred", s->ninferred);
    trod_json_uint(json, "inferred_true", s->ninferred_true);
    trod_json_uint(json, "missing", s->nmissing);
    trod_json_uint(json, "extra", s->nextra);
    trod_json_real(json, "acc", s->acc);
    trod_json_real(json, "acc_near", s->near);
    trod_json_real(json, "precision", s->precision);
    if (s->has_recall) {
        trod_json_real(json, "recall", s->recall);
        trod_json_real(json, "f", s->f);
    }
    trod_json_real(json, "hot", s->hot);
    trod_json_close(json, '}');
}

static void json_times(struct trod_json *json, const struct trod_score_times *times)
{
    trod_json_open(json, "times", '{');
    if (!isnan(times->ts_total))
        trod_json_real(json, "ts_total", times->ts_total);
    if (!isnan(times->ts_overhead))
        trod_json_real(json, "ts_overhead", times->ts_overhead);
    trod_json_real(json, "analysis", times->analysis);
    trod_json_uint(json, "skipped", times->nskipped);
    trod_json_uint(json, "inputs", times->ninput);
    trod_json_close(json, '}');
}

void trod_score_json(struct trod_json *json, const struct trod_score_table *table)
{
    trod_json_text(json, "type", table->type);
    trod_json_open(json, "inputs", '[');
    for (uint32_t i = 0; i < table->nscore; i++)
        json_score(json, NULL, &table->score[i]);
    trod_json_close(json, ']');
    json_score(json, "all", &table->all);
    if (table->nindirect)
        trod_json_uint(json, "indirect", table->nindirect);
    if (table->times)
        json_times(json, table->times);
}
