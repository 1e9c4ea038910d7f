#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>

/* One path of a comparison, wherever it stands in it. */
struct moved {
    const struct trod_diff_function *function;
    const struct trod_diff_path *path;
};

static uint64_t distance(const struct trod_diff_path *p)
{
    return p->a > p->b ? p->a - p->b : p->b - p->a;
}

static int farthest_first(const void *x, const void *y)
{
    const struct moved *a = x, *b = y;
    uint64_t da = distance(a->path), db = distance(b->path);

    if (da != db)
        return da < db ? 1 : -1;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return (a->path > b->path) - (a->path < b->path);
}

/* The paths that did not run as often in both, those that moved farthest first. */
static struct moved *collect(
    size_t *count, const struct trod_profile_diff *diff, struct trod_arena *mem)
{
    struct moved *list = NULL;
    size_t n = 0, room = 0;

    for (size_t i = 0; i < diff->nfunction; i++) {
        const struct trod_diff_function *f = &diff->function[i];

        for (size_t j = 0; j < f->npath; j++) {
            if (f->path[j].a == f->path[j].b)
                continue;
            trod_reserve(mem, list, n, room);
            list[n++] = (struct moved){f, &f->path[j]};
        }
    }
    if (n)
        qsort(list, n, sizeof *list, farthest_first);
    *count = n;
    return list;
}

static const char *word_of(const struct trod_diff_path *p)
{
    static const char *const word[] = {
        [TROD_DIFF_SAME] = "same",
        [TROD_DIFF_MOVED] = "moved",
        [TROD_DIFF_APPEARED] = "appeared",
        [TROD_DIFF_VANISHED] = "vanished",
        [TROD_DIFF_CHANGED] = "changed",
    };

    return word[trod_diff_path_kind(p)];
}

static void put_function(
    struct trod_sink *sink, const struct moved *m, const struct trod_map *map)
{
    const struct trod_map_entry *entry = trod_map_find(map, &m->function->function);

    if (entry) {
        trod_put_name(sink, entry->name);
        trod_put(sink, " =%" PRIu64 "  ", m->path->id);
        trod_tell_path(sink, map, entry, m->path->id);
    } else {
        trod_put(
            sink, "?%016" PRIx64 " =%" PRIu64, m->function->function.name, m->path->id);
    }
}

void trod_report_compare(struct trod_sink *sink, const struct trod_profile_diff *diff,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem)
{
    size_t most = options->most ? options->most : TROD_REPORT_MOST, n;
    struct moved *list = collect(&n, diff, mem);

    trod_put(sink,
        "# paths: %" PRIu64 " appeared, %" PRIu64 " vanished, %" PRIu64
        " moved, %" PRIu64 " same\n",
        diff->npath_of_kind[TROD_DIFF_APPEARED],
        diff->npath_of_kind[TROD_DIFF_VANISHED], diff->npath_of_kind[TROD_DIFF_MOVED],
        diff->npath_of_kind[TROD_DIFF_SAME]);
    if (n > most)
        trod_put(sink, "# the %zu of %zu that moved farthest\n", most, n);
    for (size_t i = 0; i < n && i < most; i++) {
        const struct trod_diff_path *p = list[i].path;

        trod_put(sink, "%-8s %12" PRIu64 " %12" PRIu64 "  ", word_of(p), p->a, p->b);
        put_function(sink, &list[i], map);
        trod_put(sink, "\n");
    }
}

void trod_report_compare_json(struct trod_json *json, const char *key,
    const struct trod_profile_diff *diff, const struct trod_map *map,
    struct trod_arena *mem)
{
    size_t n;
    struct moved *list = collect(&n, diff, mem);

    trod_json_open(json, key, '{');
    trod_json_uint(json, "appeared", diff->npath_of_kind[TROD_DIFF_APPEARED]);
    trod_json_uint(json, "vanished", diff->npath_of_kind[TROD_DIFF_VANISHED]);
    trod_json_uint(json, "moved", diff->npath_of_kind[TROD_DIFF_MOVED]);
    trod_json_uint(json, "same", diff->npath_of_kind[TROD_DIFF_SAME]);
    trod_json_open(json, "paths", '[');
    for (size_t i = 0; i < n; i++) {
        const struct trod_map_entry *entry =
            trod_map_find(map, &list[i].function->function);

        trod_json_open(json, NULL, '{');
        trod_json_text(json, "what", word_of(list[i].path));
        if (entry)
            trod_json_text(json, "function", entry->name);
        trod_json_uint(json, "id", list[i].path->id);
        trod_json_uint(json, "a", list[i].path->a);
        trod_json_uint(json, "b", list[i].path->b);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}
