#include "suite/suite.h"

#include <inttypes.h>
#include <string.h>

#include "suite/test_builder.h"

/* --- the suite ------------------------------------------------------------------------------ */

static bool check_things(
    const struct trod_suite *s, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_names names;

    trod_names_init(&names, mem);
    for (uint32_t t = 0; t < s->ntest; t++)
        if (trod_names_add(&names, s->test[t].name) != t)
            return trod_fail(
                err, TROD_E_INTERNAL, "two tests have the name '%s'", s->test[t].name);
    for (uint32_t f = 1; f < s->nfunction; f++)
        if (trod_suite_compare_functions(&s->function[f - 1], &s->function[f]) >= 0)
            return trod_fail(
                err, TROD_E_INTERNAL, "function %" PRIu32 " is not in order", f);
    for (uint32_t p = 0; p < s->npath; p++) {
        const struct trod_suite_path *path = &s->path[p];

        if (path->function >= s->nfunction ||
            path->id >= s->function[path->function].npath)
            return trod_fail(
                err, TROD_E_INTERNAL, "path %" PRIu32 " is none of its function", p);
        if (p > 0 &&
            (path[-1].function > path->function ||
                (path[-1].function == path->function && path[-1].id >= path->id)))
            return trod_fail(
                err, TROD_E_INTERNAL, "path %" PRIu32 " is not in order", p);
    }
    return true;
}

static bool check_lists(const size_t *first, const uint32_t *at, uint32_t count,
    uint32_t bound, const char *what, struct trod_err *err)
{
    if (first[0] != 0)
        return trod_fail(err, TROD_E_INTERNAL, "%s do not start at 0", what);
    for (uint32_t i = 0; i < count; i++) {
        if (first[i] > first[i + 1])
            return trod_fail(
                err, TROD_E_INTERNAL, "%s %" PRIu32 " end before they start", what, i);
        for (size_t j = first[i]; j < first[i + 1]; j++)
            if (at[j] >= bound || (j > first[i] && at[j - 1] >= at[j]))
                return trod_fail(err, TROD_E_INTERNAL,
                    "%s %" PRIu32 " are out of range or order", what, i);
    }
    return true;
}

/* The lists must be inverses of each other. Both ascend, so visiting the tests of all paths in
 * order yields each test's paths in order.
 */
static bool check_turned(
    const struct trod_suite *s, struct trod_arena *mem, struct trod_err *err)
{
    size_t *at = trod_new(mem, size_t, s->ntest);

    if (s->first_path_of_test[s->ntest] != s->first_test_of_path[s->npath])
        return trod_fail(
            err, TROD_E_INTERNAL, "tests take more or fewer paths than are taken");
    if (s->ntest)
        memcpy(at, s->first_path_of_test, s->ntest * sizeof *at);
    for (uint32_t p = 0; p < s->npath; p++) {
        if (s->first_test_of_path[p] == s->first_test_of_path[p + 1])
            return trod_fail(err, TROD_E_INTERNAL, "no test takes path %" PRIu32, p);
        for (size_t i = s->first_test_of_path[p]; i < s->first_test_of_path[p + 1];
            i++) {
            uint32_t t = s->test_of_path[i];

            if (at[t] == s->first_path_of_test[t + 1] || s->path_of_test[at[t]] != p)
                return trod_fail(err, TROD_E_INTERNAL,
                    "test %" PRIu32 " takes path %" PRIu32
                    " as seen from one side only",
                    t, p);
            at[t]++;
        }
    }
    return true;
}

static bool check_entered(const struct trod_suite *s, struct trod_err *err)
{
    for (uint32_t p = 0; p < s->npath; p++) {
        uint32_t f = s->path[p].function;
        size_t e = s->first_test_of_function[f];

        for (size_t i = s->first_test_of_path[p]; i < s->first_test_of_path[p + 1];
            i++) {
            while (e < s->first_test_of_function[f + 1] &&
                   s->test_of_function[e] < s->test_of_path[i])
                e++;
            if (e == s->first_test_of_function[f + 1] ||
                s->test_of_function[e] != s->test_of_path[i])
                return trod_fail(err, TROD_E_INTERNAL,
                    "test %" PRIu32 " takes path %" PRIu32
                    " of a function it does not enter",
                    s->test_of_path[i], p);
        }
    }
    return true;
}

bool trod_suite_check(
    const struct trod_suite *suite, struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_suite *s = suite;
    struct trod_mark mark = trod_arena_mark(mem);
    bool ok = check_things(s, mem, err) &&
              check_lists(s->first_path_of_test, s->path_of_test, s->ntest, s->npath,
                  "paths of test", err) &&
              check_lists(s->first_test_of_path, s->test_of_path, s->npath, s->ntest,
                  "tests of path", err) &&
              check_lists(s->first_test_of_function, s->test_of_function, s->nfunction,
                  s->ntest, "tests of function", err) &&
              check_turned(s, mem, err) && check_entered(s, err);

    trod_arena_rewind(mem, mark);
    return ok;
}

/* --- an order -------------------------------------------------------------------------------- */

/* The number of a test's paths that are not in the set; adds them. */
static uint32_t add_new(uint64_t *set, const struct trod_suite *s, uint32_t t)
{
    uint32_t n = 0;

    for (size_t i = s->first_path_of_test[t]; i < s->first_path_of_test[t + 1]; i++) {
        n += !trod_has(set, s->path_of_test[i]);
        trod_add(set, s->path_of_test[i]);
    }
    return n;
}

static bool check_steps(const struct trod_suite *s, const struct trod_suite_step *step,
    enum trod_suite_by by, struct trod_arena *mem, struct trod_err *err)
{
    uint64_t *run = trod_new(mem, uint64_t, TROD_WORDS(s->ntest));
    uint64_t *taken = trod_new(mem, uint64_t, TROD_WORDS(s->npath));
    uint32_t nall = 0;
    uint64_t time = 0;

    for (uint32_t i = 0; i < s->ntest; i++) {
        uint32_t t = step[i].test, n;

        if (t >= s->ntest || trod_has(run, t))
            return trod_fail(err, TROD_E_INTERNAL,
                "step %" PRIu32 " is not a test, or is a duplicate", i);
        trod_add(run, t);
        n = add_new(taken, s, t);
        nall += n;
        time = trod_sat_add(time, s->test[t].time);
        if (step[i].nnew != n || step[i].nall != nall || step[i].time != time)
            return trod_fail(err, TROD_E_INTERNAL,
                "step %" PRIu32 " adds %" PRIu32 " paths, not %" PRIu32
                ", or its sums are wrong",
                i, n, step[i].nnew);
        if (i > 0 && by == TROD_BY_PATHS && step[i - 1].nnew < n)
            return trod_fail(err, TROD_E_INTERNAL,
                "step %" PRIu32 " adds more than the one before", i);
    }
    return nall == s->npath ||
           trod_fail(err, TROD_E_INTERNAL, "some paths are never taken");
}

bool trod_suite_order_check(const struct trod_suite *suite,
    const struct trod_suite_step *step, enum trod_suite_by by, struct trod_arena *mem,
    struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    bool ok = check_steps(suite, step, by, mem, err);

    trod_arena_rewind(mem, mark);
    return ok;
}

/* --- redundant tests --------------------------------------------------------------------------- */

/* The number of kept tests that take a path, and the last of them. */
static uint32_t count_kept(
    uint32_t *last, const struct trod_suite *s, const bool *is_redundant, uint32_t p)
{
    uint32_t n = 0;

    for (size_t i = s->first_test_of_path[p]; i < s->first_test_of_path[p + 1]; i++)
        if (!is_redundant[s->test_of_path[i]]) {
            *last = s->test_of_path[i];
            n++;
        }
    return n;
}

static bool check_kept(const struct trod_suite *s, const bool *is_redundant,
    struct trod_arena *mem, struct trod_err *err)
{
    uint64_t *needed = trod_new(mem, uint64_t, TROD_WORDS(s->ntest));

    for (uint32_t p = 0; p < s->npath; p++) {
        uint32_t last = 0, n = count_kept(&last, s, is_redundant, p);

        if (!n)
            return trod_fail(err, TROD_E_INTERNAL,
                "path %" PRIu32 " is taken by redundant tests alone", p);
        if (n == 1)
            trod_add(needed, last);
    }
    for (uint32_t t = 0; t < s->ntest; t++)
        if (!is_redundant[t] && !trod_has(needed, t))
            return trod_fail(err, TROD_E_INTERNAL, "test '%s' adds nothing and is kept",
                s->test[t].name);
    return true;
}

bool trod_suite_redundant_check(const struct trod_suite *suite,
    const bool *is_redundant, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    bool ok = check_kept(suite, is_redundant, mem, err);

    trod_arena_rewind(mem, mark);
    return ok;
}

/* --- suspects ----------------------------------------------------------------------------------- */

static uint32_t count_failed(
    const struct trod_suite *s, const uint32_t *test, size_t from, size_t to)
{
    uint32_t n = 0;

    for (size_t i = from; i < to; i++)
        n += s->test[test[i]].failed;
    return n;
}

static bool counts_hold(const struct trod_suite *s, const struct trod_suspect *x)
{
    size_t from = s->first_test_of_path[x->path];
    size_t to = s->first_test_of_path[x->path + 1];

    return x->nfailed == count_failed(s, s->test_of_path, from, to) && x->nfailed &&
           (size_t)x->nfailed + x->npassed == to - from &&
           x->nfailed <= x->nfailed_in && x->npassed <= x->npassed_in;
}

static bool check_suspects(const struct trod_suspects *all, const struct trod_suite *s,
    struct trod_arena *mem, struct trod_err *err)
{
    uint64_t *there = trod_new(mem, uint64_t, TROD_WORDS(s->npath));
    uint32_t n = 0;

    for (uint32_t i = 0; i < all->nsuspect; i++) {
        const struct trod_suspect *x = &all->suspect[i];

        if (x->path >= s->npath || trod_has(there, x->path) || !counts_hold(s, x))
            return trod_fail(err, TROD_E_INTERNAL,
                "suspect %" PRIu32 " is not a path that failing tests take, is there "
                "twice, or its counts are wrong",
                i);
        trod_add(there, x->path);
        if (x->sure && (all->too_few || x->low <= 0))
            return trod_fail(err, TROD_E_INTERNAL,
                "suspect %" PRIu32 " cannot be as sure as that", i);
        if (i > 0 && (x[-1].sure < x->sure ||
                         (x[-1].sure == x->sure && x[-1].importance < x->importance)))
            return trod_fail(
                err, TROD_E_INTERNAL, "suspect %" PRIu32 " is not in order", i);
    }
    for (uint32_t p = 0; p < s->npath; p++)
        n += count_failed(s, s->test_of_path, s->first_test_of_path[p],
                 s->first_test_of_path[p + 1]) > 0;
    return n == all->nsuspect || trod_fail(err, TROD_E_INTERNAL,
                                     "some paths of failing tests are not "
                                     "listed");
}

bool trod_suspects_check(const struct trod_suspects *suspects,
    const struct trod_suite *suite, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    bool ok = check_suspects(suspects, suite, mem, err);

    trod_arena_rewind(mem, mark);
    return ok;
}
