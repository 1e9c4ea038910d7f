/* Suites: coverage of tests, the greedy order, redundant tests and paths that predict failure,
 * compared with brute force.
 */
#include "kit/kit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/suite.h"

enum { TESTS = 7, FUNCTIONS = 3, IDS = 5, PATHS = FUNCTIONS * IDS };

enum fault {
    NONE,
    MISCOUNTED, /* a test is said to take one path more than it does */
    SECOND,     /* not the first test that takes a path is said to be */
    SWAPPED,    /* the order has two neighbours swapped */
    DROPPED,    /* a test that is needed is called redundant */
    KEPT,       /* a redundant one is not */
    OVERRATED,  /* the last suspect comes first */
    RASH,       /* a suspect is sure that is not */
    UNFAIR,     /* tests that do not enter the function count as if they did */
    LEAKY       /* a path of a function that was not chosen stays */
};

/* What was drawn, and what follows from it without any cleverness. */
struct model {
    uint32_t ntest;
    const char *name[TESTS];
    bool failed[TESTS];
    uint64_t time[TESTS];
    bool takes[TESTS][PATHS];
    bool enters[TESTS][FUNCTIONS];
};

struct sample {
    struct trod_arena mem, building;
    struct trod_err err;
    struct model m;
    struct trod_suite suite;
};

static void exhausted(void *ctx)
{
    (void)ctx;
    abort();
}

static bool end(struct sample *s, bool holds)
{
    trod_arena_free(&s->mem);
    trod_arena_free(&s->building);
    return holds;
}

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- drawing ---------------------------------------------------------------------------- */

static struct trod_profile_function function_of(uint32_t f)
{
    /* Hashes out of step with numbers: the order of a suite is not that of the model. */
    return (struct trod_profile_function){
        .name = (f * 5 + 2) % 7, .graph = 7 - f, .npath = IDS};
}

/* One profile of a test; what it takes is added to the model's. A path may be in two
 * modules, which have the function both.
 */
static void draw_tally(struct trod_profile_builder *b, struct sample *s,
    struct kit_prop *p, uint32_t t, uint32_t f)
{
    uint64_t set = kit_draw(p, (UINT64_C(1) << IDS) * 2); /* the last bit: was begun */
    struct trod_profile_tally tally = {.function = f};
    struct trod_profile_path *path =
        trod_new(&s->mem, struct trod_profile_path, IDS + 1);

    for (uint64_t id = 0; id <= IDS; id++) {
        if (!(set >> id & 1))
            continue;
        path[tally.npath++] = (struct trod_profile_path){.id = id, .count = 1 + id};
        s->m.enters[t][f] = true;
        if (id < IDS)
            s->m.takes[t][(uint64_t)f * IDS + id] = true;
    }
    tally.path = path;
    tally.module = set % 3 == 2;
    trod_profile_add_tally(b, &tally);
    if (set % 5 == 4) {
        tally.module = !tally.module;
        trod_profile_add_tally(b, &tally);
    }
}

static void add_field(struct trod_profile_field *field, const char *key, uint64_t time,
    struct trod_arena *mem)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRIu64 ".%09" PRIu64, time / 1000000000,
        time % 1000000000);
    *field = (struct trod_profile_field){key, trod_copy_text(mem, text, strlen(text))};
}

static bool draw_profile(struct trod_profile *out, struct sample *s, struct kit_prop *p,
    uint32_t t, uint64_t time)
{
    struct trod_profile_function *function =
        trod_new(&s->mem, struct trod_profile_function, FUNCTIONS);
    struct trod_profile_module module = {.path = "app",
        .build_id = "01",
        .mode = TROD_MODE_SOURCE,
        .nfunction = FUNCTIONS,
        .function = function};
    struct trod_profile_field *field = trod_new(&s->mem, struct trod_profile_field, 1);
    struct trod_profile_builder b;

    for (uint32_t f = 0; f < FUNCTIONS; f++)
        function[f] = function_of(f);
    trod_profile_builder_init(&b, &s->mem);
    trod_profile_add_module(&b, &module);
    module.path = "lib";
    module.build_id = "02";
    trod_profile_add_module(&b, &module);
    for (uint32_t f = 0; f < FUNCTIONS; f++)
        draw_tally(&b, s, p, t, f);
    add_field(field, "duration", time, &s->mem);
    trod_profile_add_run(&b, 0, field, 1);
    return trod_profile_build(out, &b, &s->err);
}

/* Now and then two profiles have one name: they are one test. */
static bool draw_suite(struct sample *s, struct kit_prop *p)
{
    static const char *const name[] = {"c", "a", "g", "b", "f", "d", "e"};
    struct trod_suite_builder b;
    uint64_t nprofile = kit_draw(p, TESTS + 1);

    memset(s, 0, sizeof *s);
    trod_arena_init(&s->mem, exhausted, NULL);
    trod_arena_init(&s->building, exhausted, NULL);
    trod_suite_builder_init(&b, &s->building);
    for (uint64_t i = 0; i < nprofile; i++) {
        bool again = s->m.ntest && kit_draw(p, 8) == 7;
        uint32_t t = again ? (uint32_t)kit_draw(p, s->m.ntest) : s->m.ntest++;
        uint64_t time = kit_draw(p, 4) * 1500000000;
        struct trod_suite_source naming = {.file = name[t]};
        struct trod_profile profile;

        s->m.name[t] = name[t];
        if (!again)
            s->m.failed[t] = kit_draw(p, 2);
        naming.failed = s->m.failed[t];
        s->m.time[t] += time;
        if (!draw_profile(&profile, s, p, t, time) ||
            !trod_suite_add(&b, &profile, 1, &naming, &s->err))
            return wrong(p, s->err.text);
    }
    for (uint32_t t = 0; t < s->m.ntest; t++)
        for (uint32_t q = 0; q < PATHS; q++)
            if (s->m.takes[t][q])
                kit_note(p, "test %s%s takes %u", name[t],
                    s->m.failed[t] ? ", which fails," : "", q);
    return (trod_suite_build(&s->suite, &b, NULL, &s->mem, &s->err) &&
               trod_suite_check(&s->suite, &s->mem, &s->err)) ||
           wrong(p, s->err.text);
}

/* The model's number of a path. */
static uint32_t number_of(const struct trod_suite *suite, uint32_t path)
{
    for (uint32_t f = 0; f < FUNCTIONS; f++)
        if (function_of(f).name == suite->function[suite->path[path].function].name)
            return f * IDS + (uint32_t)suite->path[path].id;
    abort();
}

/* --- what tests take --------------------------------------------------------------------- */

static struct trod_suite_worth worth_of(const struct model *m, uint32_t t)
{
    struct trod_suite_worth w = {0};

    for (uint32_t q = 0; q < PATHS; q++) {
        bool only = true, first = true;

        for (uint32_t u = 0; u < m->ntest; u++) {
            only = only && (u == t || !m->takes[u][q]);
            first = first && (u >= t || !m->takes[u][q]);
        }
        w.npath += m->takes[t][q];
        w.nonly += m->takes[t][q] && only;
        w.nfirst += m->takes[t][q] && first;
    }
    return w;
}

static bool attributes(struct kit_prop *p, void *ctx)
{
    struct sample s;
    struct trod_suite_worth worth[TESTS];
    uint32_t npath = 0;

    if (!draw_suite(&s, p))
        return end(&s, false);
    trod_suite_worth(worth, &s.suite);
    if (fault_in(ctx) == MISCOUNTED && s.suite.ntest)
        worth[s.suite.ntest - 1].npath++;
    for (uint32_t t = 0; t < s.m.ntest; t++) {
        struct trod_suite_worth want = worth_of(&s.m, t);

        if (worth[t].npath != want.npath || worth[t].nonly != want.nonly ||
            worth[t].nfirst != want.nfirst || s.suite.test[t].time != s.m.time[t] ||
            s.suite.test[t].failed != s.m.failed[t])
            return end(&s, wrong(p, "a test is not worth what it is said to be"));
    }
    for (uint32_t i = 0; i < s.suite.npath; i++) {
        uint32_t q = number_of(&s.suite, i), first = 0;
        size_t at = s.suite.first_test_of_path[i];

        if (fault_in(ctx) == SECOND && at + 1 < s.suite.first_test_of_path[i + 1])
            at++;
        while (!s.m.takes[first][q])
            first++;
        if (s.suite.test_of_path[at] != first)
            return end(&s, wrong(p, "another test is the first to take a path"));
    }
    for (uint32_t q = 0; q < PATHS; q++) {
        bool taken = false;

        for (uint32_t t = 0; t < s.m.ntest; t++)
            taken = taken || s.m.takes[t][q];
        npath += taken;
    }
    return end(&s, npath == s.suite.npath);
}

/* --- the order ------------------------------------------------------------------------------- */

static uint32_t count_new(const struct model *m, uint32_t t, const bool *taken)
{
    uint32_t n = 0;

    for (uint32_t q = 0; q < PATHS; q++)
        n += m->takes[t][q] && !taken[q];
    return n;
}

/* Is a better than b as the next test? */
static bool is_next(
    const struct model *m, uint32_t a, uint32_t b, const bool *taken, bool by_time)
{
    uint64_t x = count_new(m, a, taken), y = count_new(m, b, taken);

    if (by_time) {
        x *= m->time[b] ? m->time[b] : 1;
        y *= m->time[a] ? m->time[a] : 1;
    }
    return x != y ? x > y : strcmp(m->name[a], m->name[b]) < 0;
}

static bool is_greedy(
    const struct model *m, const struct trod_suite_step *step, bool by_time)
{
    bool taken[PATHS] = {0}, run[TESTS] = {0};
    uint32_t nall = 0;

    for (uint32_t i = 0; i < m->ntest; i++) {
        uint32_t t = step[i].test;

        if (t >= m->ntest || run[t] || step[i].nnew != count_new(m, t, taken))
            return false;
        run[t] = true;
        for (uint32_t u = 0; u < m->ntest; u++)
            if (!run[u] && is_next(m, u, t, taken, by_time))
                return false;
        nall += step[i].nnew;
        if (step[i].nall != nall)
            return false;
        for (uint32_t q = 0; q < PATHS; q++)
            taken[q] = taken[q] || m->takes[t][q];
    }
    return true;
}

static bool orders(struct kit_prop *p, void *ctx)
{
    enum trod_suite_by by = kit_draw(p, 2) ? TROD_BY_TIME : TROD_BY_PATHS;
    struct trod_suite_step step[TESTS], other;
    struct sample s;

    if (!draw_suite(&s, p))
        return end(&s, false);
    trod_suite_order(step, &s.suite, by, &s.mem);
    if (fault_in(ctx) == SWAPPED && s.m.ntest > 1) {
        other = step[0];
        step[0] = step[1];
        step[1] = other;
    } else if (!trod_suite_order_check(&s.suite, step, by, &s.mem, &s.err)) {
        return end(&s, wrong(p, s.err.text));
    }
    return end(&s, is_greedy(&s.m, step, by == TROD_BY_TIME));
}

/* --- redundant tests ------------------------------------------------------------------------- */

/* Do the tests that are kept, but for one, take all that a test takes? */
static bool is_covered(
    const struct model *m, const bool *is_redundant, uint32_t but, uint32_t t)
{
    for (uint32_t q = 0; q < PATHS; q++) {
        bool kept = !m->takes[t][q];

        for (uint32_t u = 0; u < m->ntest; u++)
            kept = kept || (u != but && !is_redundant[u] && m->takes[u][q]);
        if (!kept)
            return false;
    }
    return true;
}

static bool drops(struct kit_prop *p, void *ctx)
{
    enum trod_suite_by by = kit_draw(p, 2) ? TROD_BY_TIME : TROD_BY_PATHS;
    struct trod_suite_step step[TESTS];
    bool is_redundant[TESTS] = {0}, found = false;
    struct sample s;

    if (!draw_suite(&s, p))
        return end(&s, false);
    trod_suite_order(step, &s.suite, by, &s.mem);
    trod_suite_redundant(is_redundant, &s.suite, step, &s.mem);
    for (uint32_t t = 0; t < s.m.ntest && !found; t++) {
        found = (fault_in(ctx) == DROPPED && !is_redundant[t]) ||
                (fault_in(ctx) == KEPT && is_redundant[t]);
        is_redundant[t] ^= found;
    }
    for (uint32_t t = 0; t < s.m.ntest; t++)
        if (is_covered(&s.m, is_redundant, t, t) != is_redundant[t])
            return end(&s,
                wrong(p, "a test that is needed is dropped, or one that is not, kept"));
    return end(&s,
        found || trod_suite_redundant_check(&s.suite, is_redundant, &s.mem, &s.err));
}

/* --- suspects --------------------------------------------------------------------------------- */

/* Wilson's interval as the textbook has it: where a proportion x would be just Z standard
 * errors from hits of n, the roots of (n + z^2) x^2 - (2 hits + z^2) x + hits^2 / n.
 */
static double wilson(double hits, double n, double sign)
{
    double zz = 1.959963984540054 * 1.959963984540054;
    double a = n + zz, b = 2 * hits + zz, c = hits * hits / n;

    return (b + sign * sqrt(fmax(0, b * b - 4 * a * c))) / (2 * a);
}

struct direct {
    double increase, low, importance, ochiai;
    bool enough;
};

static void judge(struct direct *out, const struct model *m, uint32_t q, bool unfair)
{
    double f = 0, s = 0, f_in = 0, s_in = 0, nf = 0, np = 0, ways = 1, heard, p, r, d;

    for (uint32_t t = 0; t < m->ntest; t++) {
        bool enters = unfair || m->enters[t][q / IDS];

        nf += m->failed[t];
        np += !m->failed[t];
        f += m->failed[t] && m->takes[t][q];
        s += !m->failed[t] && m->takes[t][q];
        f_in += m->failed[t] && enters;
        s_in += !m->failed[t] && enters;
    }
    for (int i = 0; i < (int)nf; i++)
        ways *= (nf + np - i) / (i + 1);
    *out = (struct direct){.increase = f / (f + s) - f_in / (f_in + s_in),
        .ochiai = f / sqrt(nf * (f + s)),
        .enough = nf >= 2 && ways > 20.5};
    heard = nf > 1 ? log(f) / log(nf) : 1;
    if (out->increase > 0 && heard > 0)
        out->importance = 2 * out->increase * heard / (out->increase + heard);
    if (f_in + s_in == f + s)
        return;
    p = f / (f + s);
    r = (f_in - f) / (f_in + s_in - f - s);
    d = hypot(p - wilson(f, f + s, -1), wilson(f_in - f, f_in + s_in - f - s, 1) - r);
    out->low = (p - r - d) * (1 - (f + s) / (f_in + s_in));
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static bool is_judged(const struct trod_suspect *s, const struct direct *d)
{
    return near(s->increase, d->increase) && near(s->low, d->low) &&
           near(s->importance, d->importance) && near(s->ochiai, d->ochiai) &&
           (s->sure == (d->enough && d->low > 0) || near(d->low, 0));
}

static bool suspects(struct kit_prop *p, void *ctx)
{
    struct trod_suspects all;
    struct trod_suspect *x;
    struct sample s;
    uint32_t n;

    if (!draw_suite(&s, p))
        return end(&s, false);
    trod_suite_suspects(&all, &s.suite, &s.mem);
    n = all.nsuspect;
    x = trod_new(&s.mem, struct trod_suspect, n + 1);
    if (n)
        memcpy(x, all.suspect, n * sizeof *x);
    if (fault_in(ctx) == OVERRATED && n > 1) {
        struct trod_suspect last = x[n - 1];

        memmove(x + 1, x, (n - 1) * sizeof *x);
        x[0] = last;
    }
    if (fault_in(ctx) == RASH && n)
        x[n - 1].sure = true;
    for (uint32_t i = 0; i < n; i++) {
        struct direct d;

        judge(&d, &s.m, number_of(&s.suite, x[i].path), fault_in(ctx) == UNFAIR);
        if (!is_judged(&x[i], &d))
            return end(&s, wrong(p, "a suspect is misjudged"));
        if (i && (x[i - 1].sure < x[i].sure ||
                     (x[i - 1].sure == x[i].sure &&
                         x[i - 1].importance < x[i].importance - 1e-12)))
            return end(&s, wrong(p, "suspects are not in order"));
    }
    return end(&s, trod_suspects_check(&all, &s.suite, &s.mem, &s.err));
}

/* --- choosing functions --------------------------------------------------------------------- */

/* The same as if tests had never taken other paths. */
static bool chooses(struct kit_prop *p, void *ctx)
{
    uint64_t set = kit_draw(p, 1 << FUNCTIONS);
    bool is_wanted[FUNCTIONS];
    struct trod_suite_worth worth[TESTS];
    struct trod_suite some;
    struct sample s;

    if (!draw_suite(&s, p))
        return end(&s, false);
    for (uint32_t f = 0; f < s.suite.nfunction; f++)
        for (uint32_t g = 0; g < FUNCTIONS; g++)
            if (function_of(g).name == s.suite.function[f].name)
                is_wanted[f] = set >> g & 1;
    trod_suite_choose(&some, &s.suite, is_wanted, &s.mem);
    if (!trod_suite_check(&some, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    for (uint32_t t = 0; t < s.m.ntest; t++)
        for (uint32_t q = 0; q < PATHS; q++)
            s.m.takes[t][q] =
                s.m.takes[t][q] &&
                (set >> q / IDS & 1 || (fault_in(ctx) == LEAKY && q == 1));
    trod_suite_worth(worth, &some);
    for (uint32_t t = 0; t < s.m.ntest; t++) {
        struct trod_suite_worth want = worth_of(&s.m, t);

        if (memcmp(&worth[t], &want, sizeof want) != 0)
            return end(&s, wrong(p, "other paths are taken of the selected functions"));
    }
    return end(&s, true);
}

/* --- all of them --------------------------------------------------------------------------------- */

static const struct kit_tested properties[] = {
    {"tests take what they take", attributes, {MISCOUNTED, SECOND}},
    {"each next test adds most", orders, {SWAPPED}},
    {"what is dropped is not missed", drops, {DROPPED, KEPT}},
    {"suspects are ranked as published", suspects, {OVERRATED, RASH, UNFAIR}},
    {"functions are chosen", chooses, {LEAKY}},
};
int main(void)
{
    return kit_run_tested("suite", properties, sizeof properties / sizeof *properties);
}
