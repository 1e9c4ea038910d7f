#include "suite/suite.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

/* --- confidence ---------------------------------------------------------------------------- */

static const double Z =
    1.959963984540054; /* 97.5th percentile of the normal distribution: 95% two-sided */
static const double TAIL = 0.025; /* one-sided error probability */
enum { CHANCES = 20 };            /* accepted false positives: 1 in CHANCES */

struct interval {
    double low, high;
};

/* Wilson's score interval of a proportion, n > 0. */
static struct interval wilson(double hits, double n)
{
    double p = hits / n, z = Z * Z / n;
    double middle = (p + z / 2) / (1 + z);
    double half = sqrt(z * (p * (1 - p) + z / 4)) / (1 + z);

    return (struct interval){middle - half, middle + half};
}

/* Of the tests that take the path, a share p fails; of those that do not, a share q. If a share w
 * of all tests that enter the function takes the path, w p + (1 - w) q of them fail, so increase is
 * (1 - w)(p - q). The lower end of p - q is Newcombe's.
 */
static double lower_end(const struct trod_suspect *s)
{
    double with = (double)s->nfailed + s->npassed;
    double all = (double)s->nfailed_in + s->npassed_in;
    double without = all - with;
    double p, q, below, above;

    if (without == 0)
        return 0;
    p = s->nfailed / with;
    q = (s->nfailed_in - s->nfailed) / without;
    below = p - wilson(s->nfailed, with).low;
    above = wilson(s->nfailed_in - s->nfailed, without).high - q;
    return without / all * (p - q - sqrt(below * below + above * above));
}

/* Could a perfect predictor arise by chance? Counts the ways to choose the failing tests, up to
 * just above CHANCES. */
static bool are_too_few(uint32_t nfailed, uint32_t npassed)
{
    uint32_t fewer = nfailed < npassed ? nfailed : npassed;
    double ways = 1;

    for (uint32_t i = 1; i <= fewer && ways <= CHANCES; i++)
        ways = ways * ((double)nfailed + npassed - fewer + i) / i;
    return nfailed < 2 || ways <= CHANCES;
}

/* --- one path -------------------------------------------------------------------------------- */

/* A single failing test has sensitivity 1, where the logarithms are 0. */
static double sensitivity(uint32_t nfailed, uint32_t nall)
{
    return nfailed == nall ? 1 : log(nfailed) / log(nall);
}

static double harmonic_mean(double a, double b)
{
    return a > 0 && b > 0 ? 2 / (1 / a + 1 / b) : 0;
}

static void judge(struct trod_suspect *s, const struct trod_suspects *all)
{
    double took = (double)s->nfailed + s->npassed;
    double entered = (double)s->nfailed_in + s->npassed_in;

    s->increase = s->nfailed / took - s->nfailed_in / entered;
    s->low = lower_end(s);
    s->importance = harmonic_mean(s->increase, sensitivity(s->nfailed, all->nfailed));
    s->ochiai = s->nfailed / sqrt(all->nfailed * took);
    s->sure = !all->too_few && s->low > 0;
}

static int descending(double a, double b)
{
    return (a < b) - (a > b);
}

TROD_ORDER(by_rank, struct trod_suspect, b->sure - a->sure,
    descending(a->importance, b->importance), descending(a->increase, b->increase),
    descending(a->ochiai, b->ochiai), TROD_UP(path))

/* --- all paths -------------------------------------------------------------------------------- */

static uint32_t count_failed(
    const struct trod_suite *suite, const uint32_t *test, const uint32_t *end)
{
    uint32_t n = 0;

    for (; test < end; test++)
        n += suite->test[*test].failed;
    return n;
}

static void count_takers(
    struct trod_suspect *s, const struct trod_suite *suite, uint32_t p)
{
    const uint32_t *test = suite->test_of_path + suite->first_test_of_path[p];
    const uint32_t *end = suite->test_of_path + suite->first_test_of_path[p + 1];

    s->path = p;
    s->nfailed = count_failed(suite, test, end);
    s->npassed = (uint32_t)(end - test) - s->nfailed;
}

static void count_entrants(
    struct trod_suspect *s, const struct trod_suite *suite, uint32_t f)
{
    const uint32_t *test = suite->test_of_function + suite->first_test_of_function[f];
    const uint32_t *end =
        suite->test_of_function + suite->first_test_of_function[f + 1];

    s->nfailed_in = count_failed(suite, test, end);
    s->npassed_in = (uint32_t)(end - test) - s->nfailed_in;
}

void trod_suite_suspects(
    struct trod_suspects *out, const struct trod_suite *suite, struct trod_arena *mem)
{
    struct trod_suspect *suspect = trod_new(mem, struct trod_suspect, suite->npath);
    struct trod_suspect s = {0};
    uint32_t n = 0;

    *out = (struct trod_suspects){0};
    for (uint32_t t = 0; t < suite->ntest; t++)
        out->nfailed += suite->test[t].failed;
    out->npassed = suite->ntest - out->nfailed;
    out->too_few = are_too_few(out->nfailed, out->npassed);
    for (uint32_t p = 0; p < suite->npath; p++) {
        if (p == 0 || suite->path[p - 1].function != suite->path[p].function)
            count_entrants(&s, suite, suite->path[p].function);
        count_takers(&s, suite, p);
        if (!s.nfailed)
            continue;
        judge(&s, out);
        out->nsure += s.sure;
        suspect[n++] = s;
    }
    trod_sort(suspect, n, by_rank);
    out->nsuspect = n;
    out->nchance = TAIL * n;
    out->suspect = suspect;
}
