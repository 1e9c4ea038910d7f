#include "match/validate.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

enum { GOOD = 8, BAD = 1, OWN = 4, CALLS = 4 };

/* --- sorting -------------------------------------------------------------------------------------------------- */

static int compare_text(const char *a, const char *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int compare_functions(const struct trod_entry *a, const struct trod_entry *b)
{
    int order = compare_text(a->function, b->function);

    return order ? order : compare_text(a->file, b->file);
}

static int compare_parts(const struct trod_entry *a, const struct trod_entry *b)
{
    int order = trod_compare(a->part, b->part);

    if (!order)
        order = compare_text(a->other, b->other);
    return order ? order : trod_compare(a->id, b->id);
}

/* An entry of the old or new profile of a run, or the number of calls of a function in it. */
struct row {
    const struct trod_entry *entry;
    uint32_t run;
    bool now, calls;
};

static int by_place(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    int order = compare_functions(a->entry, b->entry);

    if (!order)
        order = (int)b->calls - (int)a->calls;
    if (!order && !a->calls)
        order = compare_parts(a->entry, b->entry);
    if (!order)
        order = trod_compare(a->run, b->run);
    return order ? order : (int)a->now - (int)b->now;
}

struct rows {
    struct row *row;
    size_t count;
};

static void add_rows(struct rows *out, const struct trod_entries *from, uint32_t run,
    bool now, bool calls)
{
    for (uint32_t i = 0; from && i < from->nentry; i++)
        out->row[out->count++] = (struct row){&from->entry[i], run, now, calls};
}

static void gather(struct rows *out, const struct trod_validate_run *run, uint32_t nrun,
    struct trod_arena *mem)
{
    size_t room = 0;

    for (uint32_t i = 0; i < nrun; i++) {
        room += (size_t)run[i].was->nentry + run[i].now->nentry;
        if (run[i].calls_was && run[i].calls_now)
            room += (size_t)run[i].calls_was->nentry + run[i].calls_now->nentry;
    }
    *out = (struct rows){.row = trod_new(mem, struct row, room)};
    for (uint32_t i = 0; i < nrun; i++) {
        bool has = run[i].calls_was && run[i].calls_now;

        add_rows(out, run[i].was, i, false, false);
        add_rows(out, run[i].now, i, true, false);
        add_rows(out, has ? run[i].calls_was : NULL, i, false, true);
        add_rows(out, has ? run[i].calls_now : NULL, i, true, true);
    }
    if (room)
        trod_sort(out->row, out->count, by_place);
}

/* --- agreement ---------------------------------------------------------------------------------------------------- */

struct evidence {
    uint32_t nyes, nno, nidle;
};

/* Compare the rows of one entry, run by run. */
static void compare_rows(struct evidence *out, const struct row *row, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        uint64_t was = 0, now = 0;

        for (end = i; end < count && row[end].run == row[i].run; end++) {
            if (row[end].now)
                now = row[end].entry->count;
            else
                was = row[end].entry->count;
        }
        if (was != now)
            out->nno++;
        else if (was)
            out->nyes++;
        else
            out->nidle++;
    }
}

static void add_entry(struct trod_validated *out, const struct row *row, size_t count)
{
    struct trod_validate_function *f = &out->function[out->nfunction - 1];
    struct trod_validate_entry *e = &out->entry[out->nentry++];
    struct evidence seen = {0};

    *e = (struct trod_validate_entry){.like = row->entry};
    for (size_t i = 0; i < count; i++) {
        bool says = row[i].entry->how == TROD_HOW_REUSED;

        if (row[i].now)
            continue;
        e->reusable = says && (e->reusable || !e->has_was);
        e->has_was = true;
    }
    compare_rows(&seen, row, count);
    e->nyes = seen.nyes;
    e->nno = seen.nno;
    e->nidle = seen.nidle;
    f->nentry++;
    f->nyes += seen.nyes;
    f->nno += seen.nno;
}

/* --- trust -------------------------------------------------------------------------------------------------------- */

static double trust_of(const struct trod_validated *of,
    const struct trod_validate_function *f, bool reusable, uint32_t yes, uint32_t no)
{
    double good = 1 + (reusable ? GOOD : 0), all = good + 1 + (reusable ? 0 : BAD);
    double own = yes, agree = (double)(f->nyes - yes), against = (double)(f->nno - no);

    if (no || (of->options.whole && f->nno))
        return 0;
    if (of->options.whole && f->nyes) {
        own = own > 0 ? own : 1;
        agree = (double)f->nyes - own;
    }
    agree += f->calls_yes;
    if (f->calls_no) {
        own = agree = 0;
        against += CALLS * (double)f->calls_no;
    }
    return (good + OWN * own + agree) / (all + OWN * own + agree + against);
}

static struct trod_verdict judge(const struct trod_validated *of,
    const struct trod_validate_function *f, bool reusable, uint32_t yes, uint32_t no)
{
    struct trod_verdict v = {.trust = trust_of(of, f, reusable, yes, no)};

    if (v.trust >= of->options.least) {
        v.kind = reusable ? TROD_VERDICT_KEEP : TROD_VERDICT_GRANT;
        v.how = yes ? TROD_HOW_VALIDATED : TROD_HOW_REUSED;
    } else {
        v.kind = reusable ? TROD_VERDICT_WITHDRAW : TROD_VERDICT_REFUSE;
    }
    return v;
}

/* An entry that no old profile has cannot be reused, whatever its function's verdict. */
static struct trod_verdict judge_entry(const struct trod_validated *of,
    const struct trod_validate_function *f, const struct trod_validate_entry *e)
{
    if (!e->has_was)
        return (struct trod_verdict){.kind = TROD_VERDICT_REFUSE};
    return judge(of, f, e->reusable, e->nyes, e->nno);
}

static bool is_reused(enum trod_verdict_kind kind)
{
    return kind == TROD_VERDICT_KEEP || kind == TROD_VERDICT_GRANT;
}

static void judge_function(struct trod_validated *out, struct trod_validate_function *f)
{
    f->reusable = judge(out, f, true, 0, 0);
    f->affected = judge(out, f, false, 0, 0);
    for (uint32_t i = f->first; i < f->first + f->nentry; i++) {
        struct trod_validate_entry *e = &out->entry[i];

        e->verdict = judge_entry(out, f, e);
        out->nverdict[e->verdict.kind]++;
        f->nreused += is_reused(e->verdict.kind);
        out->nno += e->nno > 0;
        out->nyes += e->nyes && !e->nno;
        out->nidle += !e->nyes && !e->nno;
    }
}

/* --- the interface ------------------------------------------------------------------------------------------------ */

static bool is_same_place(const struct row *a, const struct row *b)
{
    return compare_functions(a->entry, b->entry) == 0 && a->calls == b->calls &&
           (a->calls || compare_parts(a->entry, b->entry) == 0);
}

static void add_place(struct trod_validated *out, const struct row *row, size_t count)
{
    const struct trod_entry *e = row->entry;
    struct trod_validate_function *last =
        out->nfunction ? &out->function[out->nfunction - 1] : NULL;
    struct evidence seen = {0};

    if (!last || compare_text(last->function, e->function) ||
        compare_text(last->file, e->file)) {
        last = &out->function[out->nfunction++];
        *last = (struct trod_validate_function){
            .function = e->function, .file = e->file, .first = out->nentry};
    }
    if (!row->calls) {
        add_entry(out, row, count);
        return;
    }
    compare_rows(&seen, row, count);
    last->calls_yes = seen.nyes;
    last->calls_no = seen.nno;
}

void trod_validate_build(struct trod_validated *out,
    const struct trod_validate_run *run, uint32_t nrun,
    const struct trod_validate_options *options, struct trod_arena *mem)
{
    struct rows rows;

    gather(&rows, run, nrun, mem);
    *out = (struct trod_validated){.options = *options,
        .function = trod_new(mem, struct trod_validate_function, rows.count),
        .entry = trod_new(mem, struct trod_validate_entry, rows.count)};
    if (out->options.least <= 0)
        out->options.least = 0.7;
    for (size_t i = 0, end; i < rows.count; i = end) {
        for (end = i + 1;
            end < rows.count && is_same_place(&rows.row[i], &rows.row[end]); end++)
            ;
        add_place(out, &rows.row[i], end - i);
    }
    for (uint32_t i = 0; i < out->nfunction; i++)
        judge_function(out, &out->function[i]);
}

static const struct trod_validate_function *find_function(
    const struct trod_validated *of, const struct trod_entry *like)
{
    uint32_t low = 0, high = of->nfunction;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct trod_validate_function *f = &of->function[middle];
        int order = compare_text(f->function, like->function);

        order = order ? order : compare_text(f->file, like->file);
        if (!order)
            return f;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

struct trod_verdict trod_validate_find(
    const struct trod_validated *of, const struct trod_entry *like, bool reusable)
{
    const struct trod_validate_function *f = find_function(of, like);
    uint32_t low, high;

    if (!f)
        return judge(of, &(struct trod_validate_function){0}, reusable, 0, 0);
    low = f->first;
    high = f->first + f->nentry;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_parts(of->entry[middle].like, like);

        if (!order && of->entry[middle].has_was)
            return of->entry[middle].verdict;
        /* The check runs have it in the new version only, so an old count, of another input, was 0 there. */
        if (!order)
            return judge(of, f, reusable, 0, of->entry[middle].nno);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return reusable ? f->reusable : f->affected;
}

const char *trod_verdict_name(enum trod_verdict_kind kind)
{
    static const char *const name[] = {"keep", "withdraw", "grant", "refuse"};

    return name[kind];
}
