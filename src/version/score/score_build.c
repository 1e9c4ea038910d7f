#include "profile/overlap.h"
#include "score/score.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* --- files ---------------------------------------------------------------------------------------- */

/* Is one path a suffix of the other, at a folder boundary? */
static bool is_tail(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);

    if (na < nb)
        return is_tail(b, a);
    return strcmp(a + na - nb, b) == 0 && (na == nb || a[na - nb - 1] == '/');
}

static const char *skip_dot(const char *file)
{
    while (file[0] == '.' && file[1] == '/')
        file += 2;
    return file;
}

static bool is_file(const char *a, const char *b)
{
    return a && b && is_tail(skip_dot(a), skip_dot(b));
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Entries of functions with the same name, on both sides, sorted by file. */
struct namesakes {
    struct trod_scored *entry;
    const struct trod_scored *full;
    size_t n, nfull;
};

static size_t count_files(const struct trod_scored *entry, size_t n)
{
    size_t nfile = n != 0;

    for (size_t i = 1; i < n; i++)
        nfile += !is_same(entry[i - 1].file, entry[i].file);
    return nfile;
}

/* The full profile's file for a merged entry: the same, or the only one that fits; otherwise unchanged. */
static const char *file_of(const struct namesakes *s, const char *file, size_t nfile)
{
    const struct trod_scored *found = NULL;
    size_t nfull = count_files(s->full, s->nfull);
    bool several = false;

    for (size_t i = 0; i < s->nfull; i++) {
        if (is_same(s->full[i].file, file))
            return file;
        if (!is_file(s->full[i].file, file))
            continue;
        several = several || (found && !is_same(found->file, s->full[i].file));
        found = &s->full[i];
    }
    if (found && !several)
        return found->file;
    return nfile == 1 && nfull == 1 ? s->full->file : file;
}

static void align_namesakes(const struct namesakes *s)
{
    size_t nfile = count_files(s->entry, s->n);

    for (size_t i = 0, j; i < s->n; i = j) {
        const char *was = s->entry[i].file, *file = file_of(s, was, nfile);

        for (j = i; j < s->n && is_same(s->entry[j].file, was); j++)
            s->entry[j].file = file;
    }
}

static size_t run_of(const struct trod_scored *entry, size_t at, size_t n)
{
    size_t to = at;

    while (to < n && strcmp(entry[to].function, entry[at].function) == 0)
        to++;
    return to - at;
}

static int compare(const void *a, const void *b)
{
    return trod_scored_compare(a, b);
}

/* The merged entries with the file names of the full ones, sorted. */
static struct trod_scored *align(const struct trod_scored_entries *merged,
    const struct trod_scored_entries *full, struct trod_arena *mem)
{
    struct trod_scored *out = trod_new(mem, struct trod_scored, merged->nentry);
    size_t at = 0;

    if (merged->nentry)
        memcpy(out, merged->entry, merged->nentry * sizeof *out);
    for (size_t i = 0; i < merged->nentry;) {
        struct namesakes s = {.entry = &out[i], .n = run_of(out, i, merged->nentry)};

        while (
            at < full->nentry && strcmp(full->entry[at].function, out[i].function) < 0)
            at++;
        s.full = &full->entry[at];
        if (at < full->nentry && strcmp(full->entry[at].function, out[i].function) == 0)
            s.nfull = run_of(full->entry, at, full->nentry);
        i += s.n;
        if (s.nfull)
            align_namesakes(&s);
    }
    trod_sort(out, merged->nentry, compare);
    return out;
}

/* --- one entry -------------------------------------------------------------------------------------- */

static bool is_near(uint64_t count, uint64_t of)
{
    uint64_t off = count > of ? count - of : of - count;

    return off <= of / 100;
}

/* Either may be NULL, not both. */
static void score_one(struct trod_score *out, const struct trod_scored *m,
    const struct trod_scored *f, bool all)
{
    uint64_t count = m ? m->count : 0, right = f ? f->count : 0;
    bool counts = f && (right || all), equal = counts && m && count == right;
    bool reused =
        m && (m->how == TROD_SCORED_REUSED || m->how == TROD_SCORED_VALIDATED);

    if (!counts && !count)
        return;
    if (!equal)
        out->wrong[out->nwrong++] = (struct trod_score_wrong){
            m, f, count > right ? count - right : right - count};
    out->nentry += counts;
    out->ncorrect += equal;
    out->nnear += counts && m && is_near(count, right);
    out->nmissing += counts && !m;
    out->nextra += count && !right;
    out->nreused += reused;
    out->ntrue += reused && equal;
    out->nreusable +=
        counts && m && ((m->has_was && m->was == right) || (reused && equal));
    out->ninferred += m && m->how == TROD_SCORED_INFERRED;
    out->ninferred_true += m && m->how == TROD_SCORED_INFERRED && equal;
    out->has_recall = out->has_recall || (m && m->has_was);
    if (count || right)
        out->member[out->nmember++] = (struct trod_overlap_member){count, right};
}

/* --- all entries ------------------------------------------------------------------------------------ */

static double share(uint64_t part, uint64_t of)
{
    return of ? (double)part / (double)of : 1;
}

static int farther(const void *a, const void *b)
{
    const struct trod_score_wrong *x = a, *y = b;

    if (x->off != y->off)
        return x->off < y->off ? 1 : -1;
    return trod_scored_compare(
        x->full ? x->full : x->merged, y->full ? y->full : y->merged);
}

static void finish(struct trod_score *out, struct trod_arena *mem)
{
    struct trod_overlap overlap;

    out->acc = share(out->ncorrect, out->nentry);
    out->near = share(out->nnear, out->nentry);
    out->precision = share(out->ntrue, out->nreused);
    out->recall = share(out->ntrue, out->nreusable);
    out->f = out->precision + out->recall > 0
                 ? 2 * out->precision * out->recall / (out->precision + out->recall)
                 : 0;
    trod_overlap_build(&overlap, out->member, out->nmember, 0, mem);
    out->hot = overlap.all.overlap;
}

bool trod_score_build(struct trod_score *out, const struct trod_scored_entries *merged,
    const struct trod_scored_entries *full, bool all, struct trod_arena *mem,
    struct trod_err *err)
{
    const struct trod_scored *m;
    size_t i = 0, j = 0;

    if (strcmp(merged->type, full->type) != 0)
        return trod_fail(err, TROD_E_MISMATCH,
            "merged entries are of type '%s', those of the full profile of type '%s'; "
            "use the same type for both",
            merged->type, full->type);
    *out = (struct trod_score){.input = merged->input,
        .member =
            trod_new(mem, struct trod_overlap_member, merged->nentry + full->nentry),
        .wrong = trod_new(mem, struct trod_score_wrong, merged->nentry + full->nentry)};
    m = align(merged, full, mem);
    while (i < merged->nentry || j < full->nentry) {
        int by = i == merged->nentry ? 1
                 : j == full->nentry ? -1
                                     : trod_scored_compare(&m[i], &full->entry[j]);

        score_one(out, by <= 0 ? &m[i] : NULL, by >= 0 ? &full->entry[j] : NULL, all);
        i += by <= 0;
        j += by >= 0;
    }
    if (!out->nentry)
        return trod_fail(err, TROD_E_MISMATCH,
            "nothing ran in the full profile%s%s: accuracy cannot be measured; run "
            "the program again, and make sure that it can write its profile",
            merged->input ? " of " : "", merged->input ? merged->input : "");
    trod_sort(out->wrong, out->nwrong, farther);
    finish(out, mem);
    return true;
}

void trod_score_sum(struct trod_score *out, const struct trod_score *score,
    uint32_t nscore, struct trod_arena *mem)
{
    size_t room = 0;

    for (uint32_t i = 0; i < nscore; i++)
        room += score[i].nmember;
    *out =
        (struct trod_score){.member = trod_new(mem, struct trod_overlap_member, room)};
    for (uint32_t i = 0; i < nscore; i++) {
        const struct trod_score *s = &score[i];

        out->nentry += s->nentry;
        out->ncorrect += s->ncorrect;
        out->nnear += s->nnear;
        out->nreused += s->nreused;
        out->ntrue += s->ntrue;
        out->nreusable += s->nreusable;
        out->ninferred += s->ninferred;
        out->ninferred_true += s->ninferred_true;
        out->nmissing += s->nmissing;
        out->nextra += s->nextra;
        out->has_recall = out->has_recall || s->has_recall;
        for (size_t k = 0; k < s->nmember; k++)
            out->member[out->nmember++] = s->member[k];
    }
    finish(out, mem);
}

static bool is_share(double value)
{
    return value >= 0 && value <= 1;
}

bool trod_score_check(const struct trod_score *s, struct trod_err *err)
{
    const char *fault = NULL;

    if (s->ncorrect > s->nnear || s->nnear + s->nmissing > s->nentry)
        fault = "more entries are right than there are";
    else if (s->ntrue > s->nreused || s->ntrue > s->nreusable ||
             s->nreusable > s->nentry || s->ninferred_true > s->ninferred)
        fault = "more reused entries are right than there are";
    else if (!is_share(s->acc) || !is_share(s->near) || !is_share(s->precision) ||
             !is_share(s->recall) || !is_share(s->f) || !is_share(s->hot))
        fault = "a share is not between 0 and 1";
    else if (s->acc != share(s->ncorrect, s->nentry) ||
             s->precision != share(s->ntrue, s->nreused) ||
             s->recall != share(s->ntrue, s->nreusable))
        fault = "a share is not that of its parts";
    return !fault || trod_fail(err, TROD_E_INTERNAL, "score: %s", fault);
}
