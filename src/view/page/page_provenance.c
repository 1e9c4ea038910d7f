#include "page/kinds.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- marks ---------------------------------------------------------------------------------------------- */

enum { HOWS = TROD_HOW_PROFILED + 1 };

static const char *const titles[HOWS] = {
    [TROD_HOW_NONE] = "no entry has its provenance",
    [TROD_HOW_REUSED] =
        "reused from the old profile: no change of what it depends on is known",
    [TROD_HOW_VALIDATED] =
        "reused from the old profile, and confirmed by the check run",
    [TROD_HOW_INFERRED] = "inferred from known counts around it",
    [TROD_HOW_PROFILED] = "counted by the new program",
};

/* The most reliable first; the last may be omitted. */
static const enum trod_how order[HOWS] = {TROD_HOW_PROFILED, TROD_HOW_VALIDATED,
    TROD_HOW_REUSED, TROD_HOW_INFERRED, TROD_HOW_NONE};

/* Of equal paths, the least trusted first, then the less reliable. */
static int by_path(const void *x, const void *y)
{
    const struct trod_page_mark *a = x, *b = y;

    if (a->entry != b->entry)
        return a->entry < b->entry ? -1 : 1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    if (a->trust != b->trust)
        return a->trust < b->trust ? -1 : 1;
    return (a->how > b->how) - (a->how < b->how);
}

/* Entries with count 0 are skipped: the path may have run on another input. */
static void gather(struct trod_page_known *out, const struct trod_page_names *names,
    const struct trod_entries *entries)
{
    for (uint32_t i = 0; i < entries->nentry; i++) {
        const struct trod_entry *e = &entries->entry[i];
        uint32_t entry = trod_page_names_find(names, e->function, e->file);

        if (entry == TROD_NONE) {
            out->nunknown++;
            continue;
        }
        if (!e->count)
            continue;
        out->mark[out->nmark++] =
            (struct trod_page_mark){entry, e->id, (uint32_t)e->how, e->trust};
    }
}

static void keep_least(struct trod_page_known *known)
{
    size_t n = 0;

    trod_sort(known->mark, known->nmark, by_path);
    for (size_t i = 0; i < known->nmark; i++)
        if (!n || known->mark[i].entry != known->mark[n - 1].entry ||
            known->mark[i].id != known->mark[n - 1].id)
            known->mark[n++] = known->mark[i];
    known->nmark = n;
}

/* --- classes ----------------------------------------------------------------------------------------------- */

static void fill_classes(struct trod_page_known *known, struct trod_arena *mem)
{
    struct trod_page_confidence *class =
        trod_new(mem, struct trod_page_confidence, HOWS);
    double trust[HOWS] = {0};
    size_t count[HOWS] = {0};

    for (size_t i = 0; i < known->nmark; i++) {
        trust[known->mark[i].how] += known->mark[i].trust;
        count[known->mark[i].how]++;
    }
    for (int i = 0; i < HOWS; i++) {
        enum trod_how how = order[i];

        if (how && !count[how])
            continue;
        known->number_of_how[how] = known->nconfidence;
        class[known->nconfidence++] =
            (struct trod_page_confidence){.word = trod_how_name(how),
                .title = titles[how],
                .degree = count[how] ? trust[how] / (double)count[how] : 0};
    }
    known->confidence = class;
}

void trod_page_known_build(struct trod_page_known *out,
    const struct trod_page_names *names, const struct trod_entries *const *entries,
    uint32_t nentries, struct trod_arena *mem)
{
    size_t n = 0;

    for (uint32_t i = 0; i < nentries; i++)
        n += entries[i]->nentry;
    *out = (struct trod_page_known){.mark = trod_new(mem, struct trod_page_mark, n)};
    for (uint32_t i = 0; i < nentries; i++)
        gather(out, names, entries[i]);
    keep_least(out);
    fill_classes(out, mem);
}

uint32_t trod_page_known_of(
    const struct trod_page_known *known, uint32_t entry, uint64_t id)
{
    size_t low = 0, high = known->nmark;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct trod_page_mark *m = &known->mark[middle];

        if (m->entry < entry || (m->entry == entry && m->id < id))
            low = middle + 1;
        else
            high = middle;
    }
    if (low < known->nmark && known->mark[low].entry == entry &&
        known->mark[low].id == id)
        return known->number_of_how[known->mark[low].how];
    return known->number_of_how[TROD_HOW_NONE];
}

/* --- tables -------------------------------------------------------------------------------------------------- */

#define COLUMNS(of) ((uint32_t)(sizeof(of) / sizeof *(of)))

static const struct trod_page_column entry_columns[] = {
    {"function", TROD_PAGE_FUNCTION}, {"part", TROD_PAGE_TEXT},
    {"line", TROD_PAGE_TEXT}, {"count", TROD_PAGE_COUNT}, {"was", TROD_PAGE_TEXT},
    {"known", TROD_PAGE_TEXT}, {"trust", TROD_PAGE_REAL}};

static const char *put_number(uint64_t number, struct trod_arena *mem)
{
    return trod_format(mem, "%" PRIu64, number);
}

/* A loop, block or edge by its number; a callee by its name. */
static const char *put_part(const struct trod_entry *e, struct trod_arena *mem)
{
    if (e->other)
        return e->other;
    return e->part == TROD_NONE ? "" : put_number(e->part, mem);
}

static void add_entry(struct trod_page_rows *rows, const struct trod_entry *e)
{
    trod_page_rows_begin(rows);
    trod_page_rows_function(rows, e->function, e->file);
    trod_page_rows_text(rows, put_part(e, rows->mem));
    trod_page_rows_text(rows, e->line ? put_number(e->line, rows->mem) : "");
    trod_page_rows_count(rows, e->count);
    trod_page_rows_text(rows, e->has_was ? put_number(e->was, rows->mem) : "");
    trod_page_rows_text(rows, trod_how_name(e->how));
    trod_page_rows_real(rows, e->how ? e->trust : -1);
}

static int by_count(const void *x, const void *y)
{
    const struct trod_entry *const *a = x, *const *b = y;

    if ((*a)->count != (*b)->count)
        return (*a)->count < (*b)->count ? 1 : -1;
    return *a < *b ? -1 : *a > *b;
}

static const char *put_title(const struct trod_entries *e, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_put(&text.sink, "Entries of type %s", e->type);
    if (e->version)
        trod_put(&text.sink, " of %s", e->version);
    if (e->input)
        trod_put(&text.sink, " on input %s", e->input);
    trod_put(&text.sink, ", and how each is known.");
    return text.text;
}

void trod_page_table_entries(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_entries *entries,
    size_t most, struct trod_arena *mem)
{
    const struct trod_entry **sorted =
        trod_new(mem, const struct trod_entry *, entries->nentry);
    struct trod_page_rows rows;

    *out = (struct trod_page_table){
        .word = entries->input ? entries->input : entries->type,
        .title = put_title(entries, mem)};
    for (uint32_t i = 0; i < entries->nentry; i++)
        sorted[i] = &entries->entry[i];
    trod_sort(sorted, entries->nentry, by_count);
    trod_page_rows_init(&rows, names, COLUMNS(entry_columns), most, mem);
    for (uint32_t i = 0; i < entries->nentry; i++)
        add_entry(&rows, sorted[i]);
    trod_page_rows_finish(out, &rows, entry_columns);
}

static const struct trod_page_column known_columns[] = {{"known", TROD_PAGE_TEXT},
    {"what that is", TROD_PAGE_TEXT}, {"entries", TROD_PAGE_COUNT},
    {"share", TROD_PAGE_SHARE}, {"count", TROD_PAGE_COUNT}, {"trust", TROD_PAGE_REAL}};

struct known_sums {
    uint64_t nentry[HOWS], count[HOWS], all;
    double trust[HOWS];
};

static void sum(struct known_sums *sums, const struct trod_entries *entries)
{
    for (uint32_t i = 0; i < entries->nentry; i++) {
        const struct trod_entry *e = &entries->entry[i];

        sums->nentry[e->how]++;
        sums->trust[e->how] += e->trust;
        sums->count[e->how] = trod_sat_add(sums->count[e->how], e->count);
        sums->all++;
    }
}

void trod_page_table_known(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_entries *const *entries,
    uint32_t nentries, struct trod_arena *mem)
{
    struct known_sums sums = {.all = 0};
    struct trod_page_rows rows;

    *out = (struct trod_page_table){.word = "known",
        .title = "How the entries of this version are known, of all inputs."};
    for (uint32_t i = 0; i < nentries; i++)
        sum(&sums, entries[i]);
    trod_page_rows_init(&rows, names, COLUMNS(known_columns), HOWS, mem);
    for (int i = 0; i < HOWS; i++) {
        enum trod_how how = order[i];

        if (!sums.nentry[how])
            continue;
        trod_page_rows_begin(&rows);
        trod_page_rows_text(&rows, trod_how_name(how));
        trod_page_rows_text(&rows, titles[how]);
        trod_page_rows_count(&rows, sums.nentry[how]);
        trod_page_rows_real(&rows, (double)sums.nentry[how] / (double)sums.all);
        trod_page_rows_count(&rows, sums.count[how]);
        trod_page_rows_real(
            &rows, how ? sums.trust[how] / (double)sums.nentry[how] : -1);
    }
    trod_page_rows_finish(out, &rows, known_columns);
}
