/* Density of the ids of paths that ran, in real programs.
 *
 *     density FOLDER...       as bench/counted prints them; one row per subject
 *
 * The chosen paths of a function are those that ran on the subject's small inputs. Delta, the width of their id range
 * divided by their number, is measured for Ball-Larus, for preferential numbering as published and as trod does it,
 * and for multiply-shift slots. Each function is also a point for the plots: chosen paths, paths, and the four
 * widths. Points are sorted by the width of Ball-Larus divided by trod's.
 *
 * paper:  Vaswani, "Efficient Online Path Profiling", 2007, figures 3.17 and 3.18
 */
#include "counted.h"

#include <inttypes.h>
#include <math.h>

enum { SLOT_BITS = 24 };

/* A delta up to this counts as 1. */
static const double near_one = 1.1;

enum way { BALLARUS, PUBLISHED, BEST, SLOTS, NWAY };

static const char *const way_name[NWAY] = {"ballarus", "published", "best", "slots"};

struct point {
    const char *function;
    uint64_t npath;
    size_t ninterest;
    double width[NWAY]; /* 0: no slots were found */
};

static double delta(const struct point *p, enum way way)
{
    return p->width[way] / (double)p->ninterest;
}

/* --- one function ------------------------------------------------------------------------ */

static void measure(struct point *out, const struct trod_map_entry *entry,
    const struct trod_ran_function *f, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    trod_path *id = trod_new(mem, trod_path, f->npath);
    struct trod_interest interest;
    struct trod_numbering numbering;
    struct trod_measure m;
    struct trod_pathset paths;
    struct trod_slots slots;
    struct trod_err err;

    for (size_t i = 0; i < f->npath; i++)
        id[i] = f->path[i].id;
    trod_pathset_build(&paths, id, f->npath, mem);
    trod_interest_build(&interest, &entry->numbering, &paths, mem);
    *out = (struct point){.function = entry->name,
        .npath = entry->numbering.npath,
        .ninterest = paths.count};
    trod_number_measure(&m, &entry->numbering, &interest, mem);
    out->width[BALLARUS] = m.width;
    trod_number_preferential(&numbering, &interest, TROD_PREFER_PAPER, mem);
    trod_number_measure(&m, &numbering, &interest, mem);
    out->width[PUBLISHED] = m.width;
    trod_number_preferential(&numbering, &interest, TROD_PREFER_BEST, mem);
    trod_number_measure(&m, &numbering, &interest, mem);
    out->width[BEST] = m.width;
    if (trod_number_hash(&slots, &paths, SLOT_BITS, mem, &err))
        out->width[SLOTS] = (double)slots.nslot;
    trod_arena_rewind(mem, mark);
}

/* --- one subject ------------------------------------------------------------------------- */

static int by_ratio(const void *x, const void *y)
{
    const struct point *a = x, *b = y;
    double p = a->width[BALLARUS] / a->width[BEST];
    double q = b->width[BALLARUS] / b->width[BEST];

    if (p != q)
        return p < q ? -1 : 1;
    return (a->ninterest > b->ninterest) - (a->ninterest < b->ninterest);
}

/* Prints how many functions have a delta near 1 with one numbering, of all and of those with several chosen paths. A
 * single path nearly always has.
 */
static void print_way(
    struct trod_json *json, const struct point *point, size_t n, enum way way)
{
    const struct point *worst = NULL;
    uint64_t near = 0, near_several = 0, failed = 0;

    for (const struct point *p = point; p < point + n; p++) {
        failed += p->width[way] == 0;
        if (p->width[way] == 0)
            continue;
        near += delta(p, way) <= near_one;
        near_several += p->ninterest > 1 && delta(p, way) <= near_one;
        if (!worst || delta(p, way) > delta(worst, way))
            worst = p;
    }
    trod_json_open(json, way_name[way], '{');
    trod_json_uint(json, "near", near);
    trod_json_uint(json, "near_several", near_several);
    trod_json_uint(json, "failed", failed);
    if (worst) {
        trod_json_real(json, "worst", delta(worst, way));
        trod_json_text(json, "worst_function", worst->function);
        trod_json_uint(json, "worst_interest", worst->ninterest);
    }
    trod_json_close(json, '}');
}

static void print_points(struct trod_json *json, const struct point *point, size_t n)
{
    trod_json_open(json, "points", '[');
    for (const struct point *p = point; p < point + n; p++) {
        char text[160];

        snprintf(text, sizeof text, "%zu %" PRIu64 " %.0f %.0f %.0f %.0f", p->ninterest,
            p->npath, p->width[BALLARUS], p->width[PUBLISHED], p->width[BEST],
            p->width[SLOTS]);
        trod_json_text(json, NULL, text);
    }
    trod_json_close(json, ']');
}

static void print_row(struct trod_json *json, const char *name, struct point *point,
    size_t n, uint64_t nunknown)
{
    uint64_t several = 0, npath = 0, nmore = 0;
    double log_ratio = 0, log_several = 0;

    for (size_t i = 0; i < n; i++) {
        double ratio = log(point[i].width[BALLARUS] / point[i].width[BEST]);

        npath += point[i].ninterest;
        log_ratio += ratio;
        log_several += point[i].ninterest > 1 ? ratio : 0;
        several += point[i].ninterest > 1;
        nmore += point[i].ninterest > 1 && point[i].ninterest < point[i].npath;
    }
    if (n)
        qsort(point, n, sizeof *point, by_ratio);
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "program", name);
    trod_json_uint(json, "functions", n);
    trod_json_uint(json, "without_map", nunknown);
    trod_json_uint(json, "several", several);
    trod_json_uint(json, "several_not_all", nmore);
    trod_json_uint(json, "paths", npath);
    for (enum way way = 0; way < NWAY; way++)
        print_way(json, point, n, way);
    if (several) {
        trod_json_real(json, "ratio", exp(log_ratio / (double)n));
        trod_json_real(json, "ratio_several", exp(log_several / (double)several));
    }
    print_points(json, point, n);
    trod_json_close(json, '}');
}

static void study(struct trod_json *json, const char *folder, struct trod_arena *mem)
{
    struct trod_map map;
    struct trod_ran ran;
    struct point *point;
    uint64_t nunknown = 0;
    size_t n = 0;

    counted_map(&map, folder, mem);
    counted_ran(&ran, folder, "test.trod", mem);
    point = trod_new(mem, struct point, ran.nfunction);
    for (size_t i = 0; i < ran.nfunction; i++) {
        const struct trod_ran_function *f = &ran.function[i];
        const struct trod_map_entry *entry = trod_map_find(&map, &f->function);

        if (f->npath && entry && entry->numbering.dag)
            measure(&point[n++], entry, f, mem);
        else
            nunknown += f->npath != 0;
    }
    print_row(json, counted_name(folder), point, n, nunknown);
}

int main(int argc, char **argv)
{
    struct trod_sink sink;
    struct trod_json json;

    bench_open(&json, &sink, "density");
    for (int i = 1; i < argc; i++) {
        struct trod_arena mem;

        trod_arena_init(&mem, bench_exhausted, NULL);
        study(&json, argv[i], &mem);
        trod_arena_free(&mem);
    }
    bench_close(&json);
    return 0;
}
