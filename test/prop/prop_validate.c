/* validate: verdicts equal the formula, computed by scanning all entries for each. */
#include "prop/scratch.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "match/validate.h"

enum fault {
    NO_FAULT,
    FAULT_IDLE,  /* what is 0 in both counts as agreeing */
    FAULT_CALLS, /* calls do not matter */
    FAULT_FLAG,  /* the analysis is not asked */
    FAULT_WHOLE  /* entries stand for themselves */
};

enum { RUNS = 3, FUNCTIONS = 3, PARTS = 4, ROOM = FUNCTIONS * PARTS };

struct drawn {
    struct trod_entries list[RUNS][4]; /* was, now, calls_was, calls_now */
    struct trod_entry entry[RUNS][4][ROOM];
    struct trod_validate_run run[RUNS];
    uint32_t nrun;
    struct trod_validate_options options;
};

static const char *const names[FUNCTIONS] = {"f", "g", "h"};

static void add(struct drawn *d, uint32_t run, unsigned which, uint32_t function,
    uint32_t part, uint64_t count, bool reusable)
{
    struct trod_entries *list = &d->list[run][which];

    list->entry[list->nentry++] = (struct trod_entry){.function = names[function],
        .file = function == 1 ? NULL : "f.c",
        .part = part,
        .count = count,
        .how = reusable ? TROD_HOW_REUSED : TROD_HOW_NONE};
}

static void draw_run(struct drawn *d, uint32_t run, struct kit_prop *p)
{
    bool calls = kit_draw(p, 2);

    for (unsigned k = 0; k < 4; k++)
        d->list[run][k] = (struct trod_entries){.entry = d->entry[run][k]};
    d->run[run] = (struct trod_validate_run){&d->list[run][0], &d->list[run][1],
        calls ? &d->list[run][2] : NULL, calls ? &d->list[run][3] : NULL};
    /* Parts backwards: entries may come in any order. */
    for (uint32_t f = 0; f < FUNCTIONS; f++) {
        for (uint32_t part = PARTS; part-- > 0;) {
            uint64_t what = kit_draw(p, 12), was = what % 3;
            uint64_t now = kit_draw(p, 4) == 3 ? kit_draw(p, 3) : was;

            if (what < 10)
                add(d, run, 0, f, part, was, kit_draw(p, 2));
            if (kit_draw(p, 8) < 7)
                add(d, run, 1, f, part, now, false);
        }
        if (calls && kit_draw(p, 4) < 3) {
            uint64_t was = kit_draw(p, 3);

            add(d, run, 2, f, TROD_NONE, was, false);
            add(d, run, 3, f, TROD_NONE, kit_draw(p, 4) == 3 ? 7 : was, false);
        }
    }
}

static void draw_all(struct drawn *d, struct kit_prop *p)
{
    memset(d, 0, sizeof *d);
    d->nrun = 1 + (uint32_t)kit_draw(p, RUNS);
    d->options.whole = kit_draw(p, 2);
    d->options.least = kit_draw(p, 4) == 3 ? 0.05 + (double)kit_draw(p, 19) / 20 : 0;
    for (uint32_t i = 0; i < d->nrun; i++)
        draw_run(d, i, p);
}

/* --- the formula, from the entries themselves ---------------------------------------------------------------- */

/* -1: not there. */
static int64_t count_in(
    const struct trod_entries *list, uint32_t function, uint32_t part, bool *reusable)
{
    for (uint32_t i = 0; i < list->nentry; i++) {
        const struct trod_entry *e = &list->entry[i];

        if (e->function == names[function] && e->part == part) {
            if (reusable)
                *reusable = e->how == TROD_HOW_REUSED;
            return (int64_t)e->count;
        }
    }
    return -1;
}

struct found {
    double yes, no;
    bool has_was, reusable;
};

static struct found look(
    const struct drawn *d, unsigned which, uint32_t function, uint32_t part, bool idle)
{
    struct found out = {.reusable = true};

    for (uint32_t i = 0; i < d->nrun; i++) {
        bool reusable = true;
        int64_t was = count_in(&d->list[i][which], function, part, &reusable);
        int64_t now = count_in(&d->list[i][which + 1], function, part, NULL);
        bool there = was >= 0 || now >= 0;

        out.has_was |= was >= 0;
        out.reusable &= reusable;
        was = was < 0 ? 0 : was;
        now = now < 0 ? 0 : now;
        out.yes += there && was == now && (was || idle);
        out.no += was != now;
    }
    out.reusable &= out.has_was;
    return out;
}

static double expected(const struct drawn *d, uint32_t function,
    const struct found *own, bool reusable, enum fault fault)
{
    struct found calls = look(d, 2, function, TROD_NONE, false);
    double yes = 0, no = 0, mine = own->yes, trust;

    for (uint32_t part = 0; part < PARTS; part++) {
        struct found other = look(d, 0, function, part, fault == FAULT_IDLE);

        yes += other.yes;
        no += other.no;
    }
    if (fault == FAULT_CALLS)
        calls = (struct found){0};
    if (fault == FAULT_FLAG)
        reusable = true;
    if (own->no > 0 || (d->options.whole && fault != FAULT_WHOLE && no > 0))
        return 0;
    if (d->options.whole && fault != FAULT_WHOLE && yes > 0 && mine == 0)
        mine = 1;
    yes = yes - mine + calls.yes;
    if (calls.no > 0)
        yes = mine = 0;
    no += 4 * calls.no;
    trust = (reusable ? 9 : 1) + 4 * mine + yes;
    return trust / (trust + 1 + (reusable ? 0 : 1) + no);
}

static bool is_right(const struct drawn *d, const struct trod_validated *v,
    uint32_t function, uint32_t part, enum fault fault, struct kit_prop *p)
{
    struct found own = look(d, 0, function, part, fault == FAULT_IDLE);
    double least = d->options.least > 0 ? d->options.least : 0.7;
    bool reusable = own.has_was ? own.reusable : part % 2;
    struct trod_entry like = {.function = names[function],
        .file = function == 1 ? NULL : "f.c",
        .part = part};
    double trust = expected(d, function, &own, reusable, fault);
    struct trod_verdict verdict = trod_validate_find(v, &like, reusable);
    enum trod_verdict_kind kind =
        trust >= least ? reusable ? TROD_VERDICT_KEEP : TROD_VERDICT_GRANT
        : reusable     ? TROD_VERDICT_WITHDRAW
                       : TROD_VERDICT_REFUSE;

    if (fabs(trust - verdict.trust) < 1e-9 && kind == verdict.kind &&
        (verdict.how == TROD_HOW_VALIDATED) == (own.yes > 0 && trust >= least))
        return true;
    kit_note(p, "%s %u: %s %g, should be %s %g", names[function], part,
        trod_verdict_name(verdict.kind), verdict.trust, trod_verdict_name(kind), trust);
    return false;
}

static bool says_so(struct kit_prop *p, void *ctx)
{
    enum fault fault = ctx ? *(const unsigned *)ctx : NO_FAULT;
    struct sample s;
    struct drawn d;
    struct trod_validated v;
    bool ok = true;

    begin(&s);
    draw_all(&d, p);
    trod_validate_build(&v, d.run, d.nrun, &d.options, &s.mem);
    if (!trod_validate_check(&v, &s.err)) {
        kit_note(p, "%s", s.err.text);
        return end(&s, false);
    }
    /* One part more than any run has. */
    for (uint32_t f = 0; ok && f < FUNCTIONS; f++)
        for (uint32_t part = 0; ok && part <= PARTS; part++)
            ok = is_right(&d, &v, f, part, fault, p);
    return end(&s, ok);
}

static const struct kit_tested tested[] = {
    {"says_so", says_so, {FAULT_IDLE, FAULT_CALLS, FAULT_FLAG, FAULT_WHOLE}},
};

int main(void)
{
    return kit_run_tested("validate", tested, sizeof tested / sizeof *tested);
}
