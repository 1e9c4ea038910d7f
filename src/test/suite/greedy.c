#include "suite/suite.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* The number of paths that a test would add. It never increases (submodularity). */
struct offer {
    uint32_t test, nnew;
};

/* A max-heap of offers. Those below the top may be outdated, which only makes them too high; the
 * one on top is updated before it is taken (lazy greedy).
 */
struct heap {
    const struct trod_suite *suite;
    enum trod_suite_by by;
    struct offer *offer;
    uint32_t count;
};

/* Paths per nanosecond are compared as fractions, without rounding. */
static int compare_worth(const struct heap *h, struct offer a, struct offer b)
{
    wide x = a.nnew, y = b.nnew;

    if (h->by == TROD_BY_TIME) {
        uint64_t time_a = h->suite->test[a.test].time;
        uint64_t time_b = h->suite->test[b.test].time;

        x *= time_b ? time_b : 1;
        y *= time_a ? time_a : 1;
    }
    return (x > y) - (x < y);
}

static bool is_better(const struct heap *h, struct offer a, struct offer b)
{
    int by = compare_worth(h, a, b);

    return by ? by > 0
              : strcmp(h->suite->test[a.test].name, h->suite->test[b.test].name) < 0;
}

static void sink(struct heap *h, uint32_t i)
{
    struct offer down = h->offer[i];

    for (uint32_t child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && is_better(h, h->offer[child + 1], h->offer[child]))
            child++;
        if (!is_better(h, h->offer[child], down))
            break;
        h->offer[i] = h->offer[child];
    }
    h->offer[i] = down;
}

/* A path that a chosen test takes is not new to any other test. */
static uint32_t take(uint32_t *nnew_of_test, uint64_t *taken,
    const struct trod_suite *suite, uint32_t test)
{
    uint32_t n = 0;

    for (size_t i = suite->first_path_of_test[test];
        i < suite->first_path_of_test[test + 1]; i++) {
        uint32_t p = suite->path_of_test[i];

        if (trod_has(taken, p))
            continue;
        trod_add(taken, p);
        n++;
        for (size_t j = suite->first_test_of_path[p];
            j < suite->first_test_of_path[p + 1]; j++)
            nnew_of_test[suite->test_of_path[j]]--;
    }
    return n;
}

static struct offer best(struct heap *h, const uint32_t *nnew_of_test)
{
    struct offer top;

    while (h->offer[0].nnew != nnew_of_test[h->offer[0].test]) {
        h->offer[0].nnew = nnew_of_test[h->offer[0].test];
        sink(h, 0);
    }
    top = h->offer[0];
    h->offer[0] = h->offer[--h->count];
    sink(h, 0);
    return top;
}

void trod_suite_order(struct trod_suite_step *step, const struct trod_suite *suite,
    enum trod_suite_by by, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t *nnew_of_test = trod_new(mem, uint32_t, suite->ntest);
    uint64_t *taken = trod_new(mem, uint64_t, TROD_WORDS(suite->npath));
    struct heap heap = {.suite = suite, .by = by, .count = suite->ntest};
    uint32_t nall = 0;
    uint64_t time = 0;

    heap.offer = trod_new(mem, struct offer, (size_t)suite->ntest + 1);
    for (uint32_t t = 0; t < suite->ntest; t++) {
        nnew_of_test[t] =
            (uint32_t)(suite->first_path_of_test[t + 1] - suite->first_path_of_test[t]);
        heap.offer[t] = (struct offer){t, nnew_of_test[t]};
    }
    for (uint32_t i = suite->ntest / 2; i-- > 0;)
        sink(&heap, i);
    for (uint32_t i = 0; i < suite->ntest; i++) {
        struct offer top = best(&heap, nnew_of_test);

        nall += take(nnew_of_test, taken, suite, top.test);
        time = trod_sat_add(time, suite->test[top.test].time);
        step[i] = (struct trod_suite_step){
            .test = top.test, .nnew = top.nnew, .nall = nall, .time = time};
    }
    trod_arena_rewind(mem, mark);
}

uint32_t trod_suite_reach(
    const struct trod_suite *suite, const struct trod_suite_step *step, double share)
{
    uint32_t n = 0;

    while (n < suite->ntest && (n ? step[n - 1].nall : 0) < share * suite->npath)
        n++;
    return n;
}

void trod_suite_redundant(bool *is_redundant, const struct trod_suite *suite,
    const struct trod_suite_step *step, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t *nkept_of_path = trod_new(mem, uint32_t, suite->npath);

    for (uint32_t p = 0; p < suite->npath; p++)
        nkept_of_path[p] =
            (uint32_t)(suite->first_test_of_path[p + 1] - suite->first_test_of_path[p]);
    for (uint32_t i = suite->ntest; i-- > 0;) {
        uint32_t t = step[i].test;
        const uint32_t *path = suite->path_of_test + suite->first_path_of_test[t];
        const uint32_t *end = suite->path_of_test + suite->first_path_of_test[t + 1];
        const uint32_t *p = path;

        while (p < end && nkept_of_path[*p] > 1)
            p++;
        is_redundant[t] = p == end;
        for (p = path; is_redundant[t] && p < end; p++)
            nkept_of_path[*p]--;
    }
    trod_arena_rewind(mem, mark);
}
