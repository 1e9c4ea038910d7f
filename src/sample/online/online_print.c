#include "online/online.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.95

static double confidence_of(const struct trod_subpaths_options *o)
{
    return o->confidence > 0 ? o->confidence : CONFIDENCE;
}

static double threshold_of(
    const struct trod_subpaths *subpaths, const struct trod_subpaths_options *o)
{
    return o->threshold > 0 ? o->threshold : subpaths->threshold;
}

/* --- selection and order --------------------------------------------------------------------------- */

static bool is_wanted(const struct trod_online_names *names,
    const struct trod_online_subpath *s, const struct trod_subpaths_options *o)
{
    const struct trod_online_blocks *blocks = names->subpaths->blocks;

    if (o->low > 0 ? trod_subpaths_verdict(s, o->low, o->threshold, confidence_of(o)) ==
                         TROD_ONLINE_BELOW
                   : s->estimate < threshold_of(names->subpaths, o))
        return false;
    for (uint32_t i = 0; o->wants && i < s->length; i++)
        if (o->wants(names->name_of_function[trod_online_blocks_function(
                         blocks, s->block[i])],
                o->ctx))
            return true;
    return !o->wants;
}

struct sorted_row {
    struct trod_online_row row;
    double key;
    const char *name; /* by function */
    size_t order;     /* original order, among equals */
};

static int by_key(const void *x, const void *y)
{
    const struct sorted_row *a = x, *b = y;
    int by = a->name && b->name ? strcmp(a->name, b->name) : 0;

    if (by)
        return by;
    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static double key_of(
    const struct trod_online_row *row, const struct trod_subpaths_options *o)
{
    if (o->sort == TROD_ONLINE_BY_BLOCKS)
        return row->subpath->estimate * row->subpath->length;
    return o->sort == TROD_ONLINE_BY_LENGTH ? row->subpath->length : row->score;
}

/* An estimate from n samples, minus one standard error. Ranked by estimates alone, rare long
 * subpaths would be among the hottest as soon as they are sampled once, because one such sample
 * stands for very many executions.
 */
static double cautious(double estimate, double n)
{
    return n > 1 ? estimate * (1 - 1 / sqrt(n)) : 0;
}

/* For each length, the executions of all its subpaths: each block that ran begins one. Estimates of all may add up to more than
 * the estimated number of blocks.
 */
static double *totals_of(const struct trod_subpaths *subpaths, struct trod_arena *mem)
{
    double *total = trod_new(mem, double, TROD_PROFILE_LONGEST + 1);

    for (size_t i = 0; i < subpaths->nsubpath; i++)
        total[subpaths->subpath[i].length] += subpaths->subpath[i].estimate;
    for (uint32_t i = 0; i <= TROD_PROFILE_LONGEST; i++)
        total[i] = fmax(total[i], subpaths->nblock);
    return total;
}

/* Ranks are by score among all subpaths, listed or not. */
static struct sorted_row *score_all(const struct trod_subpaths *subpaths,
    const struct trod_subpaths_options *o, struct trod_arena *mem)
{
    struct sorted_row *all = trod_new(mem, struct sorted_row, subpaths->nsubpath);
    double confidence = confidence_of(o), *total = totals_of(subpaths, mem);

    for (size_t i = 0; i < subpaths->nsubpath; i++) {
        const struct trod_online_subpath *s = &subpaths->subpath[i];
        double n = trod_online_nsample(s);
        struct trod_online_row row = {.subpath = s,
            .score = cautious(s->estimate, n) * pow((double)s->length, o->weight),
            .error = trod_subpaths_error(n, confidence, false),
            .share = total[s->length] > 0 ? s->estimate / total[s->length] : 0};

        if (o->low > 0)
            row.verdict = trod_subpaths_verdict(s, o->low, o->threshold, confidence);
        if (o->error > 0 && s->heaviest > 0)
            row.more = fmax(0, trod_subpaths_needed(o->error, confidence) / n - 1);
        row.sure = s->estimate * (1 - trod_subpaths_error(n, confidence, true)) >=
                   threshold_of(subpaths, o);
        all[i] = (struct sorted_row){.row = row, .key = row.score, .order = i};
    }
    trod_sort(all, subpaths->nsubpath, by_key);
    for (size_t i = 0; i < subpaths->nsubpath; i++)
        all[i].row.rank = i + 1;
    return all;
}

size_t trod_online_rows(struct trod_online_row **out, size_t *nrow,
    const struct trod_online_names *names, const struct trod_subpaths_options *options,
    struct trod_arena *mem)
{
    const struct trod_subpaths *subpaths = names->subpaths;
    size_t most = options->most ? options->most : TROD_REPORT_MOST, n = 0;
    struct sorted_row *all = score_all(subpaths, options, mem);

    for (size_t i = 0; i < subpaths->nsubpath; i++)
        if (is_wanted(names, all[i].row.subpath, options)) {
            all[n] = all[i];
            all[n].key = key_of(&all[n].row, options);
            all[n].order = n;
            if (options->sort == TROD_ONLINE_BY_FUNCTION)
                all[n].name = names->name_of_function[trod_online_blocks_function(
                    subpaths->blocks, all[n].row.subpath->block[0])];
            n++;
        }
    trod_sort(all, n, by_key);
    *nrow = n < most ? n : most;
    *out = trod_new(mem, struct trod_online_row, *nrow);
    for (size_t i = 0; i < *nrow; i++)
        (*out)[i] = all[i].row;
    return n;
}

/* --- as text ------------------------------------------------------------------------------------------ */

/* Estimates are printed with only their significant digits. */
static const char *estimate_text(
    char out[TROD_COUNT_TEXT], const struct trod_subpaths *subpaths, double estimate)
{
    return trod_count_text(out, (uint64_t)llround(estimate), subpaths->exact);
}

static int count_width(const struct trod_subpaths *subpaths)
{
    return subpaths->exact ? 14 : 7;
}

void trod_online_head(struct trod_sink *sink, const struct trod_subpaths *subpaths,
    size_t nrow, size_t nall, const struct trod_subpaths_options *options)
{
    char blocks[TROD_COUNT_TEXT];

    trod_put(sink, "# %zu of %zu subpaths that %s%s; %s blocks ran%s\n", nrow, nall,
        subpaths->exact ? "ran" : "were sampled",
        options->wants || threshold_of(subpaths, options) > 0 ? " and were chosen" : "",
        estimate_text(blocks, subpaths, subpaths->nblock),
        subpaths->exact  ? ""
        : subpaths->aged ? ", about, of late"
                         : ", about");
    trod_report_spent(sink, &subpaths->spent);
    trod_put(sink, "rank %*s %s%s  share  blocks  subpath\n", count_width(subpaths),
        subpaths->costs ? "cost" : "count", subpaths->exact ? "" : "    +-",
        options->error > 0 && !subpaths->exact ? "    more" : "");
}

/* How much more has to run, relative to what did. */
static void put_more(struct trod_sink *sink, double more)
{
    if (more <= 0)
        trod_put(sink, "  enough");
    else if (more < 1000)
        trod_put(sink, " %6.*fx", more < 10 ? 1 : 0, more);
    else
        trod_put(sink, "  >1000x");
}

static const char *const verdict_word[] = {
    [TROD_ONLINE_UNDECIDED] = "undecided",
    [TROD_ONLINE_BELOW] = "below",
    [TROD_ONLINE_ABOVE] = "above",
    [TROD_ONLINE_BETWEEN] = "between",
};

void trod_online_row(struct trod_sink *sink, const struct trod_online_names *names,
    const struct trod_online_row *row, const struct trod_subpaths_options *options)
{
    char count[TROD_COUNT_TEXT];

    trod_put(sink, "%4zu %*s ", row->rank, count_width(names->subpaths),
        estimate_text(count, names->subpaths, row->subpath->estimate));
    if (!names->subpaths->exact) {
        if (row->error < 10)
            trod_put(sink, "%5.1f%%", 100 * row->error);
        else
            trod_put(sink, "  >10x");
        if (options->error > 0)
            put_more(sink, row->more);
    }
    trod_put(sink, " %5.1f%% %7" PRIu32 "  ", 100 * row->share, row->subpath->length);
    if (options->low > 0)
        trod_put(sink, "%s: ", verdict_word[row->verdict]);
    else if (threshold_of(names->subpaths, options) > 0 && !names->subpaths->exact)
        trod_put(sink, row->sure ? "sure: " : "perhaps: ");
    trod_subpath_print(sink, names, row->subpath, options->blocks);
}

/* --- how many more samples ---------------------------------------------------------------------------- */

void trod_online_need_add(
    struct trod_online_need *need, const struct trod_online_row *row)
{
    need->nrow++;
    need->nenough += row->more <= 0;
    need->more = fmax(need->more, row->more);
}

double trod_online_samples(const struct trod_subpaths *subpaths, double more)
{
    return subpaths->most_frequency > 0
               ? more * subpaths->nblock / subpaths->most_frequency
               : 0;
}

static void put_need(struct trod_sink *sink, const struct trod_subpaths *subpaths,
    const struct trod_online_need *need, const struct trod_subpaths_options *options)
{
    trod_put(sink,
        "# an error of %.3g%% needs %.0f samples of a subpath: %zu of %zu have them",
        100 * options->error,
        ceil(trod_subpaths_needed(options->error, confidence_of(options))),
        need->nenough, need->nrow);
    if (need->more > 0)
        trod_put(sink,
            "; all will when %.3g times as many blocks ran again, with %.3g samples more",
            need->more, trod_online_samples(subpaths, need->more));
    trod_put(sink, "\n");
}

/* What two thresholds leave out. */
static void put_verdicts(struct trod_sink *sink, const struct trod_subpaths *subpaths,
    const struct trod_subpaths_options *o)
{
    size_t n[TROD_ONLINE_BETWEEN + 1] = {0};

    for (size_t i = 0; i < subpaths->nsubpath; i++)
        n[trod_subpaths_verdict(
            &subpaths->subpath[i], o->low, o->threshold, confidence_of(o))]++;
    trod_put(sink,
        "# %zu ran more than %.6g times, %zu less than %.6g, %zu are between",
        n[TROD_ONLINE_ABOVE], o->low, n[TROD_ONLINE_BELOW], o->threshold,
        n[TROD_ONLINE_BETWEEN]);
    if (!subpaths->exact)
        trod_put(sink,
            ", and %zu undecided; each is wrong with a probability of at most %.3g%%",
            n[TROD_ONLINE_UNDECIDED], 100 * (1 - confidence_of(o)));
    trod_put(sink, "\n");
}

void trod_online_foot(struct trod_sink *sink, const struct trod_subpaths *subpaths,
    const struct trod_online_need *need, const struct trod_subpaths_options *options)
{
    if (options->low > 0)
        put_verdicts(sink, subpaths, options);
    if (subpaths->exact)
        return;
    if (options->error > 0)
        put_need(sink, subpaths, need, options);
    trod_put(sink, "# %" PRIu64 " sampler%s: %" PRIu64 " samples", subpaths->nsampler,
        subpaths->nsampler == 1 ? "" : "s", subpaths->nsample);
    if (subpaths->ndropped)
        trod_put(sink, ", %" PRIu64 " dropped", subpaths->ndropped);
    if (subpaths->nrejected)
        trod_put(sink, ", %" PRIu64 " rejected for their cost", subpaths->nrejected);
    if (subpaths->nsampler)
        trod_put(sink, "; one of %.6g blocks is a start", subpaths->least_frequency);
    if (subpaths->least_frequency < subpaths->most_frequency)
        trod_put(sink, ", or of up to %.6g", subpaths->most_frequency);
    trod_put(sink, "\n");
}

void trod_online_print(struct trod_sink *sink, const struct trod_online_names *names,
    const struct trod_subpaths_options *options, struct trod_arena *mem)
{
    struct trod_online_row *row;
    struct trod_online_need need = {0};
    size_t nrow, nall = trod_online_rows(&row, &nrow, names, options, mem);

    trod_online_head(sink, names->subpaths, nrow, nall, options);
    for (size_t i = 0; i < nrow; i++) {
        trod_online_row(sink, names, &row[i], options);
        trod_put(sink, "\n");
        trod_online_need_add(&need, &row[i]);
    }
    trod_online_foot(sink, names->subpaths, &need, options);
}

/* --- as JSON -------------------------------------------------------------------------------------------- */

/* Execution counts are printed as integers. */
static void json_whole(struct trod_json *json, const char *key, double value)
{
    trod_json_uint(json, key, value < 0x1p64 ? (uint64_t)(value + 0.5) : UINT64_MAX);
}

static void json_blocks(struct trod_json *json, const struct trod_online_names *names,
    const struct trod_online_subpath *s)
{
    const struct trod_online_blocks *blocks = names->subpaths->blocks;

    trod_json_open(json, "blocks", '[');
    for (uint32_t i = 0; i < s->length; i++) {
        uint32_t f = trod_online_blocks_function(blocks, s->block[i]);
        trod_node v = trod_online_blocks_node(blocks, f, s->block[i]);
        const struct trod_map_entry *entry = names->entry_of_function[f];

        trod_json_open(json, NULL, '{');
        trod_json_display_name(json, "function", names->name_of_function[f]);
        trod_json_uint(json, "block", v);
        if (entry && entry->first_line) {
            trod_json_open(json, "lines", '[');
            for (uint32_t l = entry->first_line[v]; l < entry->first_line[v + 1]; l++)
                trod_json_uint(json, NULL, entry->line[l]);
            trod_json_close(json, ']');
        }
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_row(struct trod_json *json, const struct trod_online_names *names,
    const struct trod_online_row *row, const struct trod_subpaths_options *options,
    struct trod_arena *mem)
{
    const struct trod_online_subpath *s = row->subpath;
    double one_sided =
        trod_subpaths_error(trod_online_nsample(s), confidence_of(options), true);
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_subpath_print(&text.sink, names, s, options->blocks);
    trod_json_open(json, NULL, '{');
    trod_json_uint(json, "rank", row->rank);
    json_whole(json, "count", s->estimate);
    if (!names->subpaths->exact) {
        trod_json_uint(json, "samples", s->count);
        trod_json_real(json, "error", row->error);
        trod_json_real(json, "error_one_sided", one_sided);
        if (options->error > 0) {
            trod_json_real(json, "more", row->more);
            json_whole(json, "more_samples",
                ceil(trod_online_samples(names->subpaths, row->more)));
        }
    }
    trod_json_real(json, "share", row->share);
    trod_json_real(json, "score", row->score);
    trod_json_uint(json, "length", s->length);
    if (options->low > 0)
        trod_json_text(json, "verdict", verdict_word[row->verdict]);
    else if (threshold_of(names->subpaths, options) > 0)
        trod_json_bool(json, "sure", row->sure);
    trod_json_text(json, "subpath", text.text);
    json_blocks(json, names, s);
    trod_json_close(json, '}');
}

void trod_online_json(struct trod_json *json, const struct trod_online_names *names,
    const struct trod_subpaths_options *options, struct trod_arena *mem)
{
    const struct trod_subpaths *subpaths = names->subpaths;
    struct trod_online_row *row;
    size_t nrow, nall = trod_online_rows(&row, &nrow, names, options, mem);

    trod_json_text(json, "program", subpaths->name);
    trod_json_text(json, "identity", trod_profile_identity_name(subpaths->identity));
    trod_json_bool(json, "exact", subpaths->exact);
    json_whole(json, "blocks", subpaths->nblock);
    if (!subpaths->exact) {
        trod_json_real(json, "confidence", confidence_of(options));
        trod_json_bool(json, "costs", subpaths->costs);
        trod_json_bool(json, "aged", subpaths->aged);
        trod_json_uint(json, "samplers", subpaths->nsampler);
        trod_json_uint(json, "samples", subpaths->nsample);
        trod_json_uint(json, "dropped", subpaths->ndropped);
        trod_json_uint(json, "rejected", subpaths->nrejected);
        trod_json_real(json, "least_frequency", subpaths->least_frequency);
        trod_json_real(json, "most_frequency", subpaths->most_frequency);
        if (subpaths->spent.time) {
            trod_json_open(json, "spent", '{');
            trod_report_spent_json(json, &subpaths->spent);
            trod_json_close(json, '}');
        }
    }
    if (threshold_of(subpaths, options) > 0)
        json_whole(json, "threshold", threshold_of(subpaths, options));
    if (options->low > 0)
        json_whole(json, "low", options->low);
    if (options->error > 0 && !subpaths->exact) {
        trod_json_real(json, "error", options->error);
        json_whole(json, "needed",
            ceil(trod_subpaths_needed(options->error, confidence_of(options))));
    }
    trod_json_uint(json, "distinct", subpaths->nsubpath);
    trod_json_uint(json, "chosen", nall);
    trod_json_open(json, "subpaths", '[');
    for (size_t i = 0; i < nrow; i++)
        json_row(json, names, &row[i], options, mem);
    trod_json_close(json, ']');
}
