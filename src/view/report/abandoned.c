#include "report/report.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>

static uint64_t count_ended(const struct trod_profile *profile,
    const struct trod_profile_tally *tally, const struct trod_map *map,
    const struct trod_map_entry *entry, const bool *exposed)
{
    size_t npath = trod_profile_npath(profile, tally);
    uint64_t ended = 0;

    for (size_t i = 0; i < npath; i++) {
        trod_path last;
        uint32_t n;

        if (!trod_chain_last(&last, &entry->chain, tally->path[i].id))
            continue;
        n = trod_number_decode(map->step, &entry->numbering, last);
        if (trod_dag_ends(entry->numbering.dag, exposed, map->step[n - 1]))
            ended = trod_sat_add(ended, tally->path[i].count);
    }
    return ended;
}

static void add_tally(struct trod_abandoned *left, const struct trod_profile *profile,
    const struct trod_profile_tally *tally, const struct trod_map *map,
    struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    const struct trod_graph *graph = left->entry->numbering.dag->graph;
    bool *exposed = trod_new(mem, bool, graph->nnode);
    size_t npath = trod_profile_npath(profile, tally);

    trod_graph_exposed(exposed, graph, mem);
    if (npath < tally->npath &&
        tally->path[npath].id ==
            profile->module[tally->module].function[tally->function].npath)
        left->begun = trod_sat_add(left->begun, tally->path[npath].count);
    left->ended = trod_sat_add(
        left->ended, count_ended(profile, tally, map, left->entry, exposed));
    trod_arena_rewind(mem, mark);
}

/* If not all paths are counted, the number of returns is unknown. */
static bool all_counted(
    const struct trod_profile *profile, const struct trod_profile_tally *tally)
{
    enum trod_format_counted counted =
        profile->module[tally->module].function[tally->function].counted;

    return counted == TROD_COUNTED_ALL || counted == TROD_COUNTED_RESIDUAL;
}

/* The tallies of a function, one per group, are adjacent. */
size_t trod_report_abandoned(struct trod_abandoned **out,
    const struct trod_profile *profile, const struct trod_map *map,
    struct trod_arena *mem)
{
    struct trod_abandoned *left = trod_new(mem, struct trod_abandoned, profile->ntally);
    size_t n = 0;

    *out = left;
    /* Begun and ended cannot be compared: estimates differ by chance, and the counts of a set are not of a run. */
    if (!trod_profile_is_exact(profile) || trod_profile_is_set(profile))
        return 0;

    for (size_t i = 0, j; i < profile->ntally; i = j) {
        const struct trod_profile_tally *t = &profile->tally[i];
        struct trod_abandoned one = {
            .entry =
                trod_map_find(map, &profile->module[t->module].function[t->function])};

        for (j = i; j < profile->ntally && profile->tally[j].module == t->module &&
                    profile->tally[j].function == t->function;
            j++)
            if (one.entry && one.entry->begun && all_counted(profile, t))
                add_tally(&one, profile, &profile->tally[j], map, mem);
        if (one.begun != one.ended)
            left[n++] = one;
    }
    return n;
}

/* Only functions that the user asked for. */
static size_t find_wanted(struct trod_abandoned **out,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem)
{
    size_t n = trod_report_abandoned(out, profile, map, mem), nwanted = 0;

    for (size_t i = 0; i < n; i++)
        if ((*out)[i].entry->shown != TROD_HIDDEN_FILE &&
            (!options || !options->wants ||
                options->wants((*out)[i].entry->name, options->ctx)))
            (*out)[nwanted++] = (*out)[i];
    return nwanted;
}

static uint64_t times_of(const struct trod_abandoned *left)
{
    return left->ended > left->begun ? left->ended - left->begun
                                     : left->begun - left->ended;
}

/* The most frequent first, then in the order of the profile. */
static int compare_times(const void *a, const void *b)
{
    const struct trod_abandoned *x = *(const struct trod_abandoned *const *)a;
    const struct trod_abandoned *y = *(const struct trod_abandoned *const *)b;
    uint64_t m = times_of(x), n = times_of(y);

    return m != n ? (m < n ? 1 : -1) : (x > y) - (x < y);
}

enum { MOST_LEFT = 10, MOST_NAME = 80 };

static void put_left(
    struct trod_sink *sink, const struct trod_abandoned *left, struct trod_arena *mem)
{
    uint64_t n = times_of(left);

    trod_put(sink, "# %" PRIu64 " activation%s of ", n, n == 1 ? "" : "s");
    trod_put_shown(sink, trod_entry_name(left->entry, MOST_NAME, mem));
    trod_put(sink, left->ended > left->begun
                       ? " began before a fork\n"
                       : " did not finish (exit, longjmp, exception, kill)\n");
}

/* System code is hidden in reports; its activations are left by the same jumps as those of its callers. */
static size_t drop_hidden(struct trod_abandoned *left, size_t n)
{
    size_t nshown = 0;

    for (size_t i = 0; i < n; i++)
        if (left[i].entry->shown == TROD_SHOWN)
            left[nshown++] = left[i];
    return nshown;
}

void trod_report_abandoned_print(struct trod_sink *sink,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem)
{
    struct trod_abandoned *left;
    size_t n = find_wanted(&left, profile, map, options, mem), nhidden;
    const struct trod_abandoned **by_times =
        trod_new(mem, const struct trod_abandoned *, n + 1);
    uint64_t rest = 0;

    nhidden = n;
    n = drop_hidden(left, n);
    nhidden -= n;
    for (size_t i = 0; i < n; i++)
        by_times[i] = &left[i];
    trod_sort(by_times, n, compare_times);
    for (size_t i = 0; i < n; i++) {
        if (i >= MOST_LEFT) {
            rest = trod_sat_add(rest, times_of(by_times[i]));
            continue;
        }
        put_left(sink, by_times[i], mem);
    }
    if (n > MOST_LEFT)
        trod_put(sink,
            "# and %" PRIu64
            " activations of %zu more functions; --json lists them all\n",
            rest, n - MOST_LEFT);
    if (nhidden)
        trod_put(sink,
            "# activations of %zu function%s of system headers and libraries did not\n"
            "#   finish, either; --all-code shows them\n",
            nhidden, nhidden == 1 ? "" : "s");
}

void trod_report_abandoned_json(struct trod_json *json,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem)
{
    struct trod_abandoned *left;
    size_t n = find_wanted(&left, profile, map, options, mem);

    trod_json_open(json, "left", '[');
    for (size_t i = 0; i < n; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_display_name(json, "function", left[i].entry->name);
        trod_json_uint(json, "begun", left[i].begun);
        trod_json_uint(json, "ended", left[i].ended);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}
