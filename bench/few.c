/* How many probes a few chosen paths need, compared with all paths, in the functions of real programs.
 *
 *     few SUBJECT FOLDER...       as bench/counted prints them; one row per subject
 *
 * For each function with 2 to MOST_PATHS paths: the number of edges with a value under selective numbering, divided
 * by that under Ball-Larus. It is the average over sets of 1 to SIZES paths: all sets, or MOST_SETS drawn at random.
 * A set is a proper subset of the function's paths. Functions that were cut to the limit on paths are skipped,
 * because their paths are parts of real ones.
 *
 *     sound       as trod does it
 *     safe        the phases of the published algorithm that are sound
 *     published   all of them: what the paper measured
 *
 * The functions of SUBJECT are also points for the plots: paths, probes of Ball-Larus, trod's ratio for each size,
 * and the other two ratios for one path. They are sorted by paths / 2^probes, from tree-like functions to chains of
 * decisions.
 *
 * paper:  Apiwattanapong & Harrold, "Selective Path Profiling", PASTE 2002, figures 6 and
 *         7, whose methods had up to 5656 paths
 */
#include "counted.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_PATHS = 5656, MOST_SETS = 100, SIZES = 5 };

enum way { SOUND, SAFE, PUBLISHED, NWAY };

static const char *const way_name[NWAY] = {"sound", "safe", "published"};

struct point {
    uint64_t npath;
    uint32_t nprobe;           /* with Ball-Larus */
    uint32_t nset[SIZES];      /* 0: there are no sets of this size */
    double ratio[NWAY][SIZES]; /* of probes; average over the sets */
};

/* Functions that were skipped, by reason. */
struct skipped {
    uint64_t one_path, too_many, cut;
};

struct work {
    struct trod_arena mem; /* freed after each function */
    struct trod_rng rng;
    trod_path set[MOST_SETS][SIZES];
};

/* --- sets of paths ------------------------------------------------------------------------ */

static int by_id(const void *x, const void *y)
{
    const trod_path *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

/* The number of sets of k paths of n: at most 5656^5 / 5!, which fits into 64 bits. */
static uint64_t nset_of(uint64_t n, uint32_t k)
{
    uint64_t count = 1;

    for (uint32_t i = 0; i < k; i++)
        count = count * (n - i) / (i + 1);
    return count;
}

/* The next set in the order of ids. It must exist. */
static void next_set(trod_path *set, uint64_t n, uint32_t k)
{
    uint32_t i = k;

    do
        i--;
    while (set[i] == n - k + i);
    set[i]++;
    for (i++; i < k; i++)
        set[i] = set[i - 1] + 1;
}

static bool holds_twice(const trod_path *set, uint32_t k)
{
    for (uint32_t i = 1; i < k; i++)
        if (set[i] == set[i - 1])
            return true;
    return false;
}

static void draw_set(struct work *w, uint32_t nset, uint64_t n, uint32_t k)
{
    trod_path *set = w->set[nset];
    bool known;

    do {
        for (uint32_t i = 0; i < k; i++)
            set[i] = trod_rng_below(&w->rng, n);
        qsort(set, k, sizeof *set, by_id);
        known = holds_twice(set, k);
        for (uint32_t s = 0; s < nset && !known; s++)
            known = memcmp(w->set[s], set, k * sizeof *set) == 0;
    } while (known);
}

/* Lists all sets of k of n paths, or MOST_SETS distinct ones. Returns their number. */
static uint32_t choose_sets(struct work *w, uint64_t n, uint32_t k)
{
    uint64_t all = n > k ? nset_of(n, k) : 0;
    uint32_t nset = all < MOST_SETS ? (uint32_t)all : MOST_SETS;

    for (uint32_t s = 0; s < nset; s++) {
        if (all > MOST_SETS) {
            draw_set(w, s, n, k);
        } else if (s == 0) {
            for (uint32_t i = 0; i < k; i++)
                w->set[0][i] = i;
        } else {
            memcpy(w->set[s], w->set[s - 1], sizeof w->set[s]);
            next_set(w->set[s], n, k);
        }
    }
    return nset;
}

/* --- one function ---------------------------------------------------------------------------- */

static uint32_t count_probes(const struct trod_numbering *numbering)
{
    uint32_t n = 0;

    for (trod_edge e = 0; e < numbering->dag->shape.nedge; e++)
        n += numbering->val_of_edge[e] != 0;
    return n;
}

static void add_set(struct point *p, uint32_t size, struct trod_interest *interest,
    struct trod_arena *mem)
{
    struct trod_numbering numbering[NWAY];
    struct trod_err err;

    bench_require(trod_number_selective(&numbering[SOUND], interest, mem, &err), &err);
    bench_require(
        trod_number_selective_paper(&numbering[SAFE], interest, false, mem, &err),
        &err);
    bench_require(
        trod_number_selective_paper(&numbering[PUBLISHED], interest, true, mem, &err),
        &err);
    for (enum way way = 0; way < NWAY; way++)
        p->ratio[way][size - 1] += count_probes(&numbering[way]);
}

static void study_function(
    struct point *out, struct work *w, const struct trod_numbering *ballarus)
{
    *out = (struct point){.npath = ballarus->npath, .nprobe = count_probes(ballarus)};
    for (uint32_t size = 1; size <= SIZES; size++) {
        uint32_t nset = choose_sets(w, ballarus->npath, size);

        for (uint32_t s = 0; s < nset; s++) {
            struct trod_mark mark = trod_arena_mark(&w->mem);
            struct trod_pathset paths = {.id = w->set[s], .count = size};
            struct trod_interest interest;

            trod_interest_build(&interest, ballarus, &paths, &w->mem);
            add_set(out, size, &interest, &w->mem);
            trod_arena_rewind(&w->mem, mark);
        }
        out->nset[size - 1] = nset;
        for (enum way way = 0; nset && way < NWAY; way++)
            out->ratio[way][size - 1] /= (double)nset * out->nprobe;
    }
}

/* --- one subject ------------------------------------------------------------------------------ */

static int by_shape(const void *x, const void *y)
{
    const struct point *a = x, *b = y;
    double p = log2((double)a->npath) - a->nprobe;
    double q = log2((double)b->npath) - b->nprobe;

    if (p != q)
        return p < q ? -1 : 1;
    return (a->npath > b->npath) - (a->npath < b->npath);
}

static void print_way(struct trod_json *json, const struct point *point, size_t n,
    uint32_t size, enum way way, struct trod_arena *mem)
{
    double *ratio = trod_new(mem, double, n);
    uint64_t below = 0, above = 0;
    uint32_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (point[i].nset[size - 1])
            ratio[count++] = point[i].ratio[way][size - 1];
    for (uint32_t i = 0; i < count; i++) {
        below += ratio[i] < 0.6;
        above += ratio[i] >= 0.9;
    }
    trod_json_open(json, way_name[way], '{');
    trod_json_real(json, "median", bench_spread(ratio, count).median);
    trod_json_uint(json, "below_0.6", below);
    trod_json_uint(json, "from_0.9", above);
    trod_json_close(json, '}');
}

static void print_size(struct trod_json *json, const struct point *point, size_t n,
    uint32_t size, struct trod_arena *mem)
{
    uint64_t nfunction = 0, nset = 0;

    for (size_t i = 0; i < n; i++) {
        nfunction += point[i].nset[size - 1] != 0;
        nset += point[i].nset[size - 1];
    }
    if (!nset)
        return;
    trod_json_open(json, NULL, '{');
    trod_json_uint(json, "paths", size);
    trod_json_uint(json, "functions", nfunction);
    trod_json_uint(json, "sets", nset);
    for (enum way way = 0; way < NWAY; way++)
        print_way(json, point, n, size, way, mem);
    trod_json_close(json, '}');
}

static void print_points(
    struct trod_json *json, const struct point *point, size_t n, struct trod_arena *mem)
{
    trod_json_open(json, "points", '[');
    for (const struct point *p = point; p < point + n; p++) {
        struct trod_string text;

        trod_string_init(&text, mem);
        trod_put(&text.sink, "%" PRIu64 " %u", p->npath, p->nprobe);
        for (uint32_t k = 0; k < SIZES; k++)
            if (p->nset[k])
                trod_put(&text.sink, " %.3f", p->ratio[SOUND][k]);
            else
                trod_put(&text.sink, " -");
        trod_put(&text.sink, " %.3f %.3f", p->ratio[SAFE][0], p->ratio[PUBLISHED][0]);
        trod_json_text(json, NULL, text.text);
    }
    trod_json_close(json, ']');
}

static bool is_cut(const struct trod_map_entry *entry, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    trod_edge *step = trod_new(mem, trod_edge, entry->numbering.dag->nreach);
    struct trod_covered covered;

    trod_cover_function(&covered, &entry->numbering, NULL, 0, step, mem);
    trod_arena_rewind(mem, mark);
    return covered.ncut != 0;
}

/* The map has an inline function once for every unit that contains it. */
static size_t study_functions(struct point *point, struct skipped *skipped,
    struct work *w, const struct trod_map *map, struct trod_arena *mem)
{
    struct trod_profile_function *known;
    size_t nknown = trod_known_map(&known, map, mem), n = 0;

    for (size_t i = 0; i < nknown; i++) {
        const struct trod_map_entry *entry = &map->entry[i];

        if (trod_map_find(map, &known[i]) != entry)
            continue;
        if (entry->numbering.npath < 2)
            skipped->one_path++;
        else if (is_cut(entry, mem))
            skipped->cut++;
        else if (entry->numbering.npath > MOST_PATHS)
            skipped->too_many++;
        else
            study_function(&point[n++], w, &entry->numbering);
    }
    if (n)
        qsort(point, n, sizeof *point, by_shape);
    return n;
}

static void study(
    struct trod_json *json, struct work *w, const char *folder, const char *drawn)
{
    struct skipped skipped = {0};
    struct trod_arena mem;
    struct trod_map map;
    struct point *point;
    size_t n;

    trod_arena_init(&mem, bench_exhausted, NULL);
    trod_rng_init(&w->rng, 2002);
    counted_map(&map, folder, &mem);
    point = trod_new(&mem, struct point, map.nentry);
    n = study_functions(point, &skipped, w, &map, &mem);
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "program", counted_name(folder));
    trod_json_uint(json, "functions", n);
    trod_json_uint(json, "one_path", skipped.one_path);
    trod_json_uint(json, "too_many", skipped.too_many);
    trod_json_uint(json, "cut", skipped.cut);
    trod_json_open(json, "sizes", '[');
    for (uint32_t size = 1; size <= SIZES; size++)
        print_size(json, point, n, size, &mem);
    trod_json_close(json, ']');
    if (strcmp(counted_name(folder), drawn) == 0)
        print_points(json, point, n, &mem);
    trod_json_close(json, '}');
    trod_arena_free(&mem);
}

int main(int argc, char **argv)
{
    struct trod_sink sink;
    struct trod_json json;
    struct work w;

    trod_arena_init(&w.mem, bench_exhausted, NULL);
    bench_open(&json, &sink, "few");
    for (int i = 2; i < argc; i++)
        study(&json, &w, argv[i], argv[1]);
    bench_close(&json);
    trod_arena_free(&w.mem);
    return 0;
}
