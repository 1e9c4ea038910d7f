/* Scores of random entries equal a brute-force count, and increase with the share of a profile
 * that is right.
 */
#include "scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "score/score.h"

enum fault {
    NONE,
    COUNT_TOO_HIGH, /* of one entry, on one side */
    TAKEN_ALL,      /* what did not run is an entry, too */
    FORGOTTEN       /* one of them is */
};

enum { MOST = 8, FUNCTIONS = 3, PARTS = 3 };

static void draw_entries(struct kit_prop *p, struct trod_scored_entries *out, bool full,
    struct trod_arena *mem)
{
    static const char *const function[FUNCTIONS] = {"f", "g", "h"};
    static const char *const file[] = {NULL, "a.c", "b.c"};
    uint32_t n = (uint32_t)kit_draw(p, MOST);

    *out = (struct trod_scored_entries){.type = "blocks",
        .entry = trod_new(mem, struct trod_scored, MOST),
        .room = MOST};
    for (uint32_t i = 0; i < n; i++) {
        struct trod_scored e = {.function = function[kit_draw(p, FUNCTIONS)],
            .file = file[kit_draw(p, 3)],
            .part = (uint32_t)kit_draw(p, PARTS),
            .count = kit_draw(p, 4) * (kit_draw(p, 2) ? 100 : 1)};

        e.count += e.count >= 100 && kit_draw(p, 2);
        if (!full) {
            e.how = (enum trod_scored_how)kit_draw(p, TROD_SCORED_PROFILED + 1);
            e.has_was = kit_draw(p, 2);
            e.was = e.has_was ? kit_draw(p, 4) : 0;
        }
        out->entry[out->nentry++] = e;
    }
    trod_scored_order(out);
}

/* --- brute force ------------------------------------------------------------------------------------------ */

/* Files are all there on both sides, or matched here as they say: all that is drawn has files that are equal or none, so
 * that only those of one name on each side may differ.
 */
static size_t nfile(const struct trod_scored_entries *of, const char *function)
{
    size_t n = 0;

    for (size_t i = 0; i < of->nentry; i++) {
        bool first = strcmp(of->entry[i].function, function) == 0;

        for (size_t k = 0; first && k < i; k++)
            first = strcmp(of->entry[k].function, function) != 0 ||
                    of->entry[k].file != of->entry[i].file;
        n += first;
    }
    return n;
}

static bool is_one(const struct trod_scored_entries *merged,
    const struct trod_scored_entries *full, const struct trod_scored *m,
    const struct trod_scored *f)
{
    if (strcmp(m->function, f->function) != 0 || m->part != f->part)
        return false;
    return m->file == f->file ||
           (nfile(merged, m->function) == 1 && nfile(full, m->function) == 1);
}

static const struct trod_scored *find_full(const struct trod_scored_entries *merged,
    const struct trod_scored_entries *full, const struct trod_scored *m)
{
    for (size_t i = 0; i < full->nentry; i++)
        if (is_one(merged, full, m, &full->entry[i]))
            return &full->entry[i];
    return NULL;
}

static const struct trod_scored *find_merged(const struct trod_scored_entries *merged,
    const struct trod_scored_entries *full, const struct trod_scored *f)
{
    for (size_t i = 0; i < merged->nentry; i++)
        if (is_one(merged, full, &merged->entry[i], f))
            return &merged->entry[i];
    return NULL;
}

static double total(const struct trod_scored_entries *of)
{
    double sum = 0;

    for (size_t i = 0; i < of->nentry; i++)
        sum += (double)of->entry[i].count;
    return sum;
}

static double share(double part, double of)
{
    return of > 0 ? part / of : 1;
}

/* Only what can be counted from one side at a time. */
static struct trod_score count(const struct trod_scored_entries *merged,
    const struct trod_scored_entries *full, bool all)
{
    struct trod_score s = {0};
    double whole = total(full), other = total(merged);

    for (size_t i = 0; i < full->nentry; i++) {
        const struct trod_scored *f = &full->entry[i];
        const struct trod_scored *m = find_merged(merged, full, f);

        if (!f->count && !all)
            continue;
        s.nentry++;
        s.nmissing += !m;
        if (!m)
            continue;
        s.ncorrect += m->count == f->count;
        s.nnear += fabs((double)m->count - (double)f->count) <= (double)f->count / 100;
        if (f->count && m->count && whole > 0 && other > 0)
            s.hot += fmin((double)f->count / whole, (double)m->count / other);
    }
    for (size_t i = 0; i < merged->nentry; i++) {
        const struct trod_scored *m = &merged->entry[i];
        const struct trod_scored *f = find_full(merged, full, m);
        bool counts = f && (f->count || all), right = counts && f->count == m->count;
        bool reused = m->how == TROD_SCORED_REUSED || m->how == TROD_SCORED_VALIDATED;

        s.nextra += m->count && (!f || !f->count);
        if (!counts && !m->count)
            continue;
        s.nreused += reused;
        s.ntrue += reused && right;
        s.nreusable +=
            counts && ((reused && right) || (m->has_was && m->was == f->count));
        s.ninferred += m->how == TROD_SCORED_INFERRED;
    }
    return s;
}

static bool is_close(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static bool is_score(const struct trod_score *a, const struct trod_score *b)
{
    double precision = share((double)b->ntrue, (double)b->nreused);
    double recall = share((double)b->ntrue, (double)b->nreusable);

    return a->nentry == b->nentry && a->ncorrect == b->ncorrect &&
           a->nnear == b->nnear && a->nmissing == b->nmissing &&
           a->nextra == b->nextra && a->nreused == b->nreused && a->ntrue == b->ntrue &&
           a->nreusable == b->nreusable && a->ninferred == b->ninferred &&
           is_close(a->acc, share((double)b->ncorrect, (double)b->nentry)) &&
           is_close(a->precision, precision) && is_close(a->recall, recall) &&
           is_close(a->f, precision + recall > 0
                              ? 2 * precision * recall / (precision + recall)
                              : 0) &&
           is_close(a->hot, b->hot);
}

static void note(
    struct kit_prop *p, const char *side, const struct trod_scored_entries *of)
{
    for (size_t i = 0; i < of->nentry; i++)
        kit_note(p, "%s %s %s %u: %u", side, of->entry[i].function,
            of->entry[i].file ? of->entry[i].file : "-", (unsigned)of->entry[i].part,
            (unsigned)of->entry[i].count);
}

static bool score_is_counted(struct kit_prop *p, void *ctx)
{
    enum fault fault = ctx ? *(const enum fault *)ctx : NONE;
    struct trod_scored_entries merged, full;
    struct trod_score score, counted;
    struct sample s;
    bool all = kit_draw(p, 2);

    begin(&s);
    draw_entries(p, &merged, false, &s.mem);
    draw_entries(p, &full, true, &s.mem);
    note(p, "merged", &merged);
    note(p, "full", &full);
    counted = count(&merged, &full, all);
    if (fault == COUNT_TOO_HIGH && merged.nentry)
        merged.entry[0].count++;
    if (fault == FORGOTTEN && merged.nentry)
        merged.nentry--;
    if (!trod_score_build(
            &score, &merged, &full, all || fault == TAKEN_ALL, &s.mem, &s.err))
        return end(&s, !counted.nentry);
    if (!trod_score_check(&score, &s.err)) {
        kit_note(p, "%s", s.err.text);
        return end(&s, false);
    }
    return end(&s, is_score(&score, &counted));
}

/* A profile is right about itself; and where one more entry is made right, Acc does not fall. */
static bool right_is_better(struct kit_prop *p, void *ctx)
{
    enum fault fault = ctx ? *(const enum fault *)ctx : NONE;
    struct trod_scored_entries merged, full;
    struct trod_score itself, before, after;
    struct sample s;
    bool ok;

    begin(&s);
    draw_entries(p, &full, true, &s.mem);
    merged = full;
    merged.entry = trod_new(&s.mem, struct trod_scored, full.nentry);
    if (full.nentry)
        memcpy(merged.entry, full.entry, full.nentry * sizeof *full.entry);
    if (!trod_score_build(&itself, &full, &full, false, &s.mem, &s.err))
        return end(&s, true);
    for (size_t i = 0; i < merged.nentry; i++)
        merged.entry[i].count += kit_draw(p, 2);
    ok = trod_score_build(&before, &merged, &full, false, &s.mem, &s.err);
    if (merged.nentry)
        merged.entry[0].count = full.entry[0].count + (fault == COUNT_TOO_HIGH);
    ok = ok && trod_score_build(&after, &merged, &full, false, &s.mem, &s.err);
    note(p, "full", &full);
    return end(
        &s, ok && itself.acc == 1 && itself.hot > 1 - 1e-9 && after.acc >= before.acc);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"a score is what is counted", score_is_counted,
            {COUNT_TOO_HIGH, TAKEN_ALL, FORGOTTEN}},
        {"what is right is better", right_is_better, {COUNT_TOO_HIGH}},
    };

    return kit_run_tested("score", tested, sizeof tested / sizeof *tested);
}
