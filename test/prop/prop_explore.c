/* Explorations: random functions of levels have the effects they were made with; ranks are
 * correct; texts parse back; and designs that are tried together on random programs have the
 * results that each has alone.
 */
#include "kit/kit.h"
#include "kit/machine_program.h"
#include "prop/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explore/explore.h"

enum fault {
    NONE,
    HALF,    /* an effect is half of what it is */
    SIGN,    /* an effect has the opposite sign */
    SWAPPED, /* levels of two parameters are exchanged in one design */
    SHARES,  /* a share is off by a little */
    RANKED,  /* two ranks are exchanged */
    LOST,    /* a value is lost on its way through the text */
    UNSAID,  /* so is a reason why values are missing */
    OTHER,   /* alone, the table is another */
    FAULTS
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? (enum fault) * (const unsigned *)ctx : NONE;
}

enum { MOST_PARAMETERS = 5, MOST_VALUES = 3 };

static const char *const letter[] = {"a", "b", "c", "d", "e", "f", "g"};
static const char *const digit[] = {"0", "1", "2", "3"};

/* A study of any kind. */
static void draw_study(
    struct trod_study *out, struct kit_prop *p, struct trod_arena *mem)
{
    uint32_t n = 1 + (uint32_t)kit_draw(p, MOST_PARAMETERS);
    struct trod_explore_parameter *parameter =
        trod_new(mem, struct trod_explore_parameter, n);
    static const char *const measure[] = {"m", "n"};

    *out = (struct trod_study){.name = "s",
        .kind = (enum trod_explore_kind)kit_draw(p, TROD_EXPLORE_KINDS),
        .parameter = parameter,
        .nparameter = n,
        .measure = measure,
        .nmeasure = 1 + (uint32_t)kit_draw(p, 2)};
    if (out->kind == TROD_EXPLORE_BURMAN) {
        out->nrun = 8 + 4 * (uint32_t)kit_draw(p, 11);
        out->foldover = kit_draw(p, 2);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t most = out->kind == TROD_EXPLORE_BURMAN ? 2 : MOST_VALUES;

        parameter[i] = (struct trod_explore_parameter){.name = letter[i],
            .value = digit,
            .nvalue = 1 + (uint32_t)kit_draw(p, most)};
        parameter[i].base = (uint32_t)kit_draw(p, parameter[i].nvalue);
    }
}

static uint64_t draw_value(struct kit_prop *p)
{
    return kit_draw(p, 21);
}

/* --- main effects -------------------------------------------------------------------------------- */

/* A sum of one term for each parameter's level: no interactions. */
struct terms {
    double of[MOST_PARAMETERS][MOST_VALUES];
};

static double sum_of(const struct terms *t, const struct trod_designs *designs,
    uint32_t design, uint32_t n)
{
    double sum = 7;

    for (uint32_t i = 0; i < n; i++)
        sum += t->of[i][trod_design_level(designs, design, i)];
    return sum;
}

/* The expected effect, by brute force. */
static double effect_of(const struct terms *t, const struct trod_study *study,
    uint32_t column, enum fault fault)
{
    double low = INFINITY, high = -INFINITY, is;

    if (column >= study->nparameter)
        return 0;
    for (uint32_t v = 0; v < study->parameter[column].nvalue; v++) {
        low = fmin(low, t->of[column][v]);
        high = fmax(high, t->of[column][v]);
    }
    is = study->parameter[column].nvalue == 2 ? t->of[column][1] - t->of[column][0]
                                              : high - low;
    if (fault == HALF)
        return is / 2;
    return fault == SIGN ? -is : is;
}

static bool have_ranks(const struct trod_effects *effects, enum fault fault)
{
    uint32_t n = effects->neffect;
    double sum = 0;

    if (fault == RANKED && n > 1) {
        double first = effects->effect[0].rank[0];

        effects->effect[0].rank[0] = effects->effect[n - 1].rank[0];
        effects->effect[n - 1].rank[0] = first;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct trod_effect *x = &effects->effect[i];

        sum += x->rank[0];
        for (uint32_t k = 0; k < n; k++) {
            const struct trod_effect *y = &effects->effect[k];

            /* More of the variation is a lower rank. */
            if (x->share[0] > y->share[0] + 1e-9 && x->rank[0] >= y->rank[0])
                return false;
        }
    }
    return fabs(sum - n * (n + 1) / 2.0) < 1e-6;
}

static bool finds_effects(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    static const char *const stream[] = {"x"};
    struct trod_explored e = {.stream = stream, .nstream = 1};
    struct trod_effects effects;
    struct terms t = {0};
    struct sample s;
    double *value, shares = fault == SHARES ? 1e-3 : 0;
    bool holds = true, any = false;

    begin(&s);
    draw_study(&e.study, p, &s.mem);
    e.study.nmeasure = 1;
    for (uint32_t i = 0; i < e.study.nparameter; i++)
        for (uint32_t v = 0; v < e.study.parameter[i].nvalue; v++)
            t.of[i][v] = (double)draw_value(p);
    if (!trod_designs_build(&e.designs, &e.study, &s.mem, &s.err))
        return end(&s, false);
    value = trod_new(&s.mem, double, e.designs.ndesign);
    for (uint32_t d = 0; d < e.designs.ndesign; d++)
        value[d] = sum_of(&t, &e.designs, d, e.study.nparameter);
    if (fault == SWAPPED)
        value[0] += 1;
    e.value = value;
    if (!trod_explored_check(&e, &s.err)) {
        kit_note(p, "%s", s.err.text);
        return end(&s, false);
    }
    trod_effects_build(&effects, &e, 0, MOST_PARAMETERS, &s.mem);
    for (uint32_t i = 0; i < effects.neffect; i++) {
        uint64_t columns = effects.effect[i].columns;
        double should =
            columns & (columns - 1)
                ? 0
                : effect_of(&t, &e.study, (uint32_t)__builtin_ctzll(columns), fault);

        holds = holds && fabs(effects.effect[i].mean - should) < 1e-9;
        shares += effects.effect[i].share[0];
        any = any || should != 0;
    }
    if (e.study.kind == TROD_EXPLORE_SWEEP)
        return end(&s, holds);
    return end(&s,
        holds && fabs(shares - (any ? 1 : 0)) < 1e-9 && have_ranks(&effects, fault));
}

/* --- interactions --------------------------------------------------------------------------------------- */

/* Of any values whatever, a full factorial's effects of all orders are all that varies. */
static bool shares_add_up(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    static const char *const stream[] = {"x"};
    struct trod_explored e = {.stream = stream, .nstream = 1};
    struct trod_effects effects;
    struct sample s;
    double *value, shares = 0;
    bool varies = false;

    begin(&s);
    draw_study(&e.study, p, &s.mem);
    e.study.nmeasure = 1;
    e.study.kind = TROD_EXPLORE_FACTORIAL;
    if (!trod_designs_build(&e.designs, &e.study, &s.mem, &s.err))
        return end(&s, false);
    value = trod_new(&s.mem, double, e.designs.ndesign);
    for (uint32_t d = 0; d < e.designs.ndesign; d++) {
        value[d] = (double)draw_value(p);
        varies = varies || value[d] != value[0];
    }
    e.value = value;
    trod_effects_build(&effects, &e, 0, MOST_PARAMETERS, &s.mem);
    for (uint32_t i = fault == SHARES; i < effects.neffect; i++)
        shares += effects.effect[i].share[0];
    return end(&s, fabs(shares - varies) < 1e-9);
}

/* --- texts ------------------------------------------------------------------------------------------------ */

static const char *print(const struct trod_explored *e, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_explored_print(&text.sink, e);
    return text.text;
}

/* Of some measures of some streams. */
static void draw_missing(
    struct trod_explored *e, struct kit_prop *p, struct trod_arena *mem)
{
    static const char *const what[] = {"addresses", "a b", "run", "9"};
    struct trod_explore_lack *missing = trod_new(
        mem, struct trod_explore_lack, (size_t)e->nstream * e->study.nmeasure + 1);

    e->missing = missing;
    for (uint32_t s = 0; s < e->nstream; s++)
        for (uint32_t m = 0; m < e->study.nmeasure; m++)
            if (kit_draw(p, 3) == 2) {
                uint64_t limit = kit_draw(p, 100);

                missing[e->nmissing++] = (struct trod_explore_lack){
                    s, m, what[kit_draw(p, 4)], limit + 1 + kit_draw(p, 9), limit};
            }
}

static bool same_missing(const struct trod_explored *a, const struct trod_explored *b)
{
    bool same = a->nmissing == b->nmissing;

    for (uint32_t i = 0; same && i < a->nmissing; i++)
        same = a->missing[i].stream == b->missing[i].stream &&
               a->missing[i].measure == b->missing[i].measure &&
               a->missing[i].count == b->missing[i].count &&
               a->missing[i].limit == b->missing[i].limit &&
               strcmp(a->missing[i].what, b->missing[i].what) == 0;
    return same;
}

static bool text_comes_back(struct kit_prop *p, void *ctx)
{
    static const char *const stream[] = {"x", "a b", "\"", "run"};
    static const double odd[] = {0, -1, 1e-300, 1e300, 1.0 / 3, -0.1, NAN};
    struct trod_explored e = {.stream = stream}, back;
    const char *printed, *name;
    struct trod_token head;
    struct trod_text text;
    struct sample s;
    size_t n;
    double *value;
    bool ok;

    begin(&s);
    draw_study(&e.study, p, &s.mem);
    e.nstream = (uint32_t)kit_draw(p, 5);
    if (!trod_designs_build(&e.designs, &e.study, &s.mem, &s.err))
        return end(&s, false);
    n = (size_t)e.nstream * e.designs.ndesign * e.study.nmeasure;
    e.value = value = trod_new(&s.mem, double, n);
    for (size_t i = 0; i < n && i < 100; i++)
        value[i] = odd[kit_draw(p, sizeof odd / sizeof *odd)];
    draw_missing(&e, p, &s.mem);
    printed = print(&e, &s.mem);
    trod_text_init(&text, "printed", printed, strlen(printed));
    ok = trod_text_next(&head, &text, &s.mem, &s.err) &&
         trod_text_take_name(&name, "name", &text, &s.mem, &s.err) &&
         trod_explored_parse(&back, name, &text, &s.mem, &s.err);
    if (!ok) {
        kit_note(p, "%s: %s", printed, s.err.text);
        return end(&s, false);
    }
    if (fault_in(ctx) == LOST && n)
        value[n - 1] += 1;
    if (fault_in(ctx) == UNSAID && e.nmissing)
        e.nmissing--;
    ok = trod_explored_check(&back, &s.err) && same_missing(&e, &back);
    for (size_t i = 0; i < n; i++)
        ok = ok && (isnan(value[i]) ? isnan(back.value[i]) : value[i] == back.value[i]);
    return end(&s, ok && strcmp(printed, print(&back, &s.mem)) == 0);
}

/* --- designs together -------------------------------------------------------------------------------------- */

struct walked {
    struct trod_branch_sink sink; /* of the recorder */
    struct trod_arena *mem;
    struct trod_run *run;
    size_t nrun, room;
};

static void keep(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct walked *w = (struct walked *)to;
    struct trod_access *access = trod_new(w->mem, struct trod_access, run->naccess);

    for (uint32_t i = 0; i < run->naccess; i++)
        access[i] = run->access[i];
    trod_reserve(w->mem, w->run, w->nrun, w->room);
    w->run[w->nrun] = *run;
    w->run[w->nrun++].access = access;
}

static bool feed(struct trod_branch_sink *sink, void *ctx, struct trod_err *err)
{
    const struct walked *w = ctx;

    (void)err;
    for (size_t i = 0; i < w->nrun; i++)
        trod_branch_put_run(sink, &w->run[i]);
    return true;
}

static bool run_study(struct trod_explored *out, const struct trod_study *study,
    struct walked *w, struct sample *s)
{
    const struct trod_explore_source source = {"x", feed, w};

    return trod_explore_fits(&trod_explore_hardware, study, &s->err) &&
           trod_explore_run(
               out, study, &trod_explore_hardware, &source, 1, &s->mem, &s->err);
}

static const struct choice {
    const char *name;
    const char *const value[4];
} choices[] = {
    {"entries", {"1", "4", "16", "1024"}},
    {"ways", {"1", "1", "1", "1"}},
    {"index", {"address", "xor", "multiply", "skew"}},
    {"policy", {"lru", "lfu", "inherit", "admit"}},
    {"l2.size", {"1k", "4k", "16k", "64k"}},
    {"predictor", {"two_level", "hybrid", "combined", "perfect"}},
    {"split", {"1", "4", "32", "0"}},
    {"extend", {"nothing", "loops", "calls", "calls"}},
    {"queue", {"1", "2", "4", "8"}},
    {"window", {"1000", "2000", "4000", "100000"}},
    {"rate", {"2", "3", "5", "9"}},
    {"burst", {"1", "2", "3", "4"}},
    {"profile", {"methods", "calls", "streams", "calls"}},
};
enum { NCHOICE = sizeof choices / sizeof *choices };

static const char *const measures[] = {"frequency", "misses", "mispredictions", "power",
    "dynamic.frequency", "ideal.frequency", "ideal.misses", "instructions", "paths",
    "overhead", "accuracy", "hps", "dise", "dise.basic", "dise.checks"};

static bool alike(double a, double b)
{
    return isnan(a) ? isnan(b) : fabs(a - b) < 1e-9;
}

/* Two parameters vary, together and each design alone. */
static bool together_as_alone(struct kit_prop *p, void *ctx)
{
    struct kit_walk_options options = {.accesses = true, .nrun = 300, .stacks = true};
    struct trod_explore_parameter parameter[2], fixed[2];
    const char *value[2][2], *one[2];
    struct trod_study study = {.name = "s",
        .kind = TROD_EXPLORE_FACTORIAL,
        .parameter = parameter,
        .nparameter = 2,
        .measure = measures,
        .nmeasure = sizeof measures / sizeof *measures};
    struct trod_explored e, alone;
    struct walked w = {.sink = {.run = keep}};
    struct sample s;
    uint32_t first = (uint32_t)kit_draw(p, NCHOICE - 1);
    uint32_t which[2] = {first, first + 1 + (uint32_t)kit_draw(p, NCHOICE - 1 - first)};
    bool holds = true;

    /* Caches and predictors are large: one run of so many. */
    if (kit_draw(p, 20))
        return true;
    begin(&s);
    w.mem = &s.mem;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t a = (uint32_t)kit_draw(p, 3);
        const struct choice *choice = &choices[which[i]];

        value[i][0] = choice->value[a];
        value[i][1] = choice->value[a + 1 + kit_draw(p, 3 - a)];
        parameter[i] = (struct trod_explore_parameter){
            choice->name, value[i], strcmp(value[i][0], value[i][1]) == 0 ? 1 : 2, 0};
    }
    kit_walk(&w.sink, p, &options, &s.mem);
    if (trod_study_find(&study, "ways") == UINT32_MAX &&
        trod_study_find(&study, "entries") != UINT32_MAX) {
        for (uint32_t v = 0; v < 2; v++) {
            uint32_t at = trod_study_find(&study, "entries");

            if (strcmp(value[at][v], "1") == 0)
                value[at][v] = "8";
        }
    }
    if (!run_study(&e, &study, &w, &s)) {
        kit_note(p, "%s", s.err.text);
        return end(&s, false);
    }
    for (uint32_t d = 0; d < e.designs.ndesign; d++) {
        struct trod_study of_one = study;

        of_one.parameter = fixed;
        for (uint32_t i = 0; i < 2; i++) {
            one[i] = trod_design_value(
                &study, &e.designs, fault_in(ctx) == OTHER ? 0 : d, i);
            fixed[i] =
                (struct trod_explore_parameter){parameter[i].name, &one[i], 1, 0};
        }
        if (!run_study(&alone, &of_one, &w, &s))
            return end(&s, false);
        for (uint32_t m = 0; m < study.nmeasure; m++)
            if (!alike(trod_explored_value(&e, 0, d, m),
                    trod_explored_value(&alone, 0, 0, m))) {
                kit_note(p, "%s of design %u: %g together, %g alone", measures[m], d,
                    trod_explored_value(&e, 0, d, m),
                    trod_explored_value(&alone, 0, 0, m));
                holds = false;
            }
    }
    return end(&s, holds);
}

static const struct kit_tested tested[] = {
    {"effects are those of the function", finds_effects,
        {HALF, SIGN, SWAPPED, SHARES, RANKED}},
    {"effects of all orders are all that varies", shares_add_up, {SHARES}},
    {"explorations come back from text", text_comes_back, {LOST, UNSAID}},
    {"designs tried together are what each is alone", together_as_alone, {OTHER}},
};

int main(void)
{
    return kit_run_tested("explore", tested, sizeof tested / sizeof *tested);
}
