/* Hot path tables of a path profiler: they hold what a simulation without any cleverness holds; counts are the
 * bounds they are said to be; the reference counts every path; designs come back from their text.
 */
#include "scratch.h"

#include <string.h>

#include "model/model.h"

enum fault {
    NONE,
    OTHER_TIES,  /* ties go elsewhere */
    OTHER_INDEX, /* another index */
    NO_EXTRA,    /* newcomers begin at their own count */
    UNSEEN,      /* a path is not counted */
    MISREAD      /* the last part of a text is lost */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- hot path tables, simulated -------------------------------------------------------------------- */

struct naive_entry {
    uint32_t path; /* + 1 */
    uint64_t count, used;
};

struct naive {
    struct trod_hot_design design;
    struct naive_entry entry[64];
    uint64_t clock;
};

static uint32_t naive_set(const struct naive *n, const struct trod_descriptor *d)
{
    uint32_t nset = n->design.entries / n->design.ways;
    uint64_t value = d->start >> n->design.shift;

    if (n->design.index != TROD_INDEX_ADDRESS)
        value ^= d->length;
    for (uint32_t i = 0; i < d->length; i++) {
        if (!trod_has(d->outcome, i))
            continue;
        if (n->design.index == TROD_INDEX_XOR && i < 64)
            value ^= UINT64_C(1) << i;
        if (n->design.index == TROD_INDEX_XOR_LAST && d->length - 1 - i < 64)
            value ^= UINT64_C(1) << (d->length - 1 - i);
        if (n->design.index == TROD_INDEX_XOR_FOLD && nset > 1)
            value ^= UINT64_C(1) << (i % 64 % (trod_bit_width(nset) - 1));
    }
    return (uint32_t)(value % nset);
}

static bool goes_first(const struct naive *n, uint32_t a, uint32_t b)
{
    const struct naive_entry *x = &n->entry[a], *y = &n->entry[b];

    if (n->design.replace == TROD_REPLACE_LRU)
        return x->used < y->used;
    if (x->count != y->count)
        return x->count < y->count;
    if (n->design.ties == TROD_TIES_OLDEST)
        return x->used < y->used;
    if (n->design.ties == TROD_TIES_NEWEST)
        return x->used > y->used;
    return a < b;
}

static void naive_add(struct naive *n, uint32_t path, const struct trod_descriptor *d,
    uint64_t count, enum fault fault)
{
    uint32_t from = naive_set(n, d) * n->design.ways, to = from + n->design.ways;
    uint64_t most =
        n->design.bits == 64 ? UINT64_MAX : (UINT64_C(1) << n->design.bits) - 1;
    uint32_t at = UINT32_MAX;

    n->clock++;
    for (uint32_t i = from; i < to; i++)
        if (n->entry[i].path == path + 1)
            at = i;
    for (uint32_t i = from; i < to && at == UINT32_MAX; i++)
        if (!n->entry[i].path)
            at = i;
    if (at == UINT32_MAX) {
        at = from;
        for (uint32_t i = from + 1; i < to; i++)
            if (goes_first(n, i, at))
                at = i;
        if (n->design.replace != TROD_REPLACE_INHERIT || fault == NO_EXTRA)
            n->entry[at].count = 0;
    }
    n->entry[at].path = path + 1;
    n->entry[at].used = n->clock;
    n->entry[at].count += count;
    if (n->entry[at].count > most)
        n->entry[at].count = most;
}

static void draw_design(struct trod_hot_design *out, struct kit_prop *p, bool all)
{
    uint32_t sets = 1U << kit_draw(p, 3);

    *out = (struct trod_hot_design){.ways = 1 + (uint32_t)kit_draw(p, 4),
        .index = (uint8_t)kit_draw(p, all ? TROD_INDEXES : TROD_INDEX_MULTIPLY),
        .replace = (uint8_t)kit_draw(p, all ? TROD_REPLACES : TROD_REPLACE_ADMIT),
        .ties = (uint8_t)kit_draw(p, all ? TROD_TIESES : TROD_TIES_RANDOM),
        .bits = kit_draw(p, 3) ? 64 : (uint8_t)(1 + kit_draw(p, 8)),
        .shift = (uint8_t)kit_draw(p, 3)};
    out->entries = sets * out->ways;
    if (all && kit_draw(p, 4) == 3)
        out->door = 64;
    if (all)
        out->seed = kit_draw(p, 3);
}

struct few {
    uint64_t outcome[12][2];
    struct trod_path_end end[12];
    uint32_t count;
};

static void draw_few(struct few *out, struct kit_prop *p)
{
    out->count = 1 + (uint32_t)kit_draw(p, 12);
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t length = (uint32_t)kit_draw(p, kit_draw(p, 8) ? 5 : 100);

        out->outcome[i][0] = out->outcome[i][1] = 0;
        for (uint32_t k = 0; k < length && k < 128; k++)
            if (kit_draw(p, 2))
                trod_add(out->outcome[i], k);
        out->end[i] = (struct trod_path_end){.path = {.start = 4 * kit_draw(p, 8),
                                                 .length = length,
                                                 .outcome = out->outcome[i]},
            .reported = true};
    }
}

static bool tables_are_simulated(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    struct trod_hot_design design;
    struct trod_reference r;
    struct trod_hot_table t;
    struct naive n = {0};
    struct sample s;
    struct few few;
    bool ok = true;

    begin(&s);
    draw_design(&design, p, false);
    n.design = design;
    if (fault == OTHER_TIES)
        n.design.ties = (uint8_t)(design.ties == TROD_TIES_NEWEST ? TROD_TIES_OLDEST
                                                                  : TROD_TIES_NEWEST);
    if (fault == OTHER_INDEX)
        n.design.index = (uint8_t)((design.index + 1) % TROD_INDEX_MULTIPLY);
    draw_few(&few, p);
    trod_reference_init(&r, &s.mem);
    trod_hot_table_init(&t, &design, &s.mem);
    for (uint64_t i = kit_draw(p, 80); i > 0; i--) {
        struct trod_path_end *e = &few.end[kit_draw(p, few.count)];
        uint64_t count = 1 + kit_draw(p, 3);
        uint32_t number;

        e->weight = e->count = count;
        number = trod_reference_add(&r, e);
        trod_hot_table_add(&t, number, &r.path[number], count);
        naive_add(&n, number, &e->path, count, fault);
    }
    for (uint32_t i = 0; ok && i < design.entries; i++)
        ok = t.entry[i].path == n.entry[i].path && t.entry[i].count == n.entry[i].count;
    if (!ok)
        kit_note(p, "entries differ");
    if (ok &&
        (!trod_hot_table_check(&t, &r, &s.err) || !trod_reference_check(&r, &s.err)))
        ok = wrong(p, s.err.text);
    return end(&s, ok);
}

/* Of any design: it is sound, and its counts are what they are said to be. */
static bool counts_are_bounds(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    struct trod_hot_score score;
    struct trod_hot_design design;
    struct trod_reference r;
    struct trod_hot_table t;
    uint64_t weight[12] = {0};
    struct sample s;
    struct few few;
    bool ok = true;

    begin(&s);
    draw_design(&design, p, true);
    design.bits = 64;
    draw_few(&few, p);
    trod_reference_init(&r, &s.mem);
    trod_hot_table_init(&t, &design, &s.mem);
    for (uint64_t i = kit_draw(p, 120); i > 0; i--) {
        struct trod_path_end *e = &few.end[kit_draw(p, few.count)];
        uint32_t number;

        e->weight = e->count = 1 + kit_draw(p, 3);
        number = trod_reference_add(&r, e);
        if (fault == UNSEEN && i == 5)
            continue;
        trod_hot_table_add(&t, number, &r.path[number], e->count);
    }
    if (!trod_hot_table_check(&t, &r, &s.err))
        ok = wrong(p, s.err.text);
    for (uint32_t i = 0; ok && i < design.entries; i++) {
        const struct trod_hot_entry *e = &t.entry[i];
        enum trod_hot_bound bound = trod_hot_design_bound(&design);
        uint64_t truth = e->path ? r.path[e->path - 1].weight : 0;

        if (fault == NO_EXTRA && e->extra)
            continue;
        if ((bound == TROD_BOUND_LOWER && e->count > truth) ||
            (bound == TROD_BOUND_UPPER &&
                (e->count < truth || e->count - e->extra > truth)))
            ok = wrong(p, "a count is no bound");
    }
    for (uint32_t i = 0; i < r.npath; i++)
        weight[i] = r.path[i].weight;
    trod_hot_table_score(&score, &t, weight, r.npath, &s.mem);
    if (ok &&
        (score.overlap > score.coverage + 1e-9 || score.coverage > score.ideal + 1e-9))
        ok = wrong(p, "overlap is above coverage, or that above the ideal");
    return end(&s, ok);
}

/* --- the reference, and overlap ------------------------------------------------------------------- */

static bool paths_are_counted(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    uint64_t count[12] = {0}, all = 0;
    struct trod_reference r;
    struct sample s;
    struct few few;
    bool ok = true;

    begin(&s);
    draw_few(&few, p);
    trod_reference_init(&r, &s.mem);
    for (uint64_t i = kit_draw(p, 60); i > 0; i--) {
        uint32_t which = (uint32_t)kit_draw(p, few.count);

        few.end[which].weight = few.end[which].ninsn = 1 + kit_draw(p, 5);
        if (!(fault == UNSEEN && i == 3))
            trod_reference_add(&r, &few.end[which]);
        all += few.end[which].weight;
        for (uint32_t k = 0; k < few.count; k++)
            if (few.end[k].path.start == few.end[which].path.start &&
                few.end[k].path.length == few.end[which].path.length &&
                memcmp(few.outcome[k], few.outcome[which], 16) == 0)
                count[k]++;
    }
    for (uint32_t k = 0; ok && k < few.count; k++) {
        uint32_t number = trod_reference_find(&r, &few.end[k].path);

        ok = number == UINT32_MAX ? !count[k] : r.path[number].count == count[k];
    }
    if (!ok || r.weight != all || r.ninsn != all)
        ok = wrong(p, "counts differ");
    if (ok && !trod_reference_check(&r, &s.err))
        ok = wrong(p, s.err.text);
    return end(&s, ok);
}

/* --- texts ------------------------------------------------------------------------------------------------ */

static bool designs_come_back(struct kit_prop *p, void *ctx)
{
    struct trod_hot_design design, back;
    struct trod_string text, again;
    struct sample s;
    bool ok;

    begin(&s);
    draw_design(&design, p, true);
    trod_string_init(&text, &s.mem);
    trod_hot_design_print(&text.sink, &design);
    kit_note(p, "%s", text.text);
    if (fault_in(ctx) == MISREAD && strrchr(text.text, ','))
        *strrchr(text.text, ',') = '\0';
    if (!trod_hot_design_parse(&back, text.text, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    trod_string_init(&again, &s.mem);
    trod_hot_design_print(&again.sink, &back);
    back.name = NULL;
    trod_string_init(&text, &s.mem);
    trod_hot_design_print(&text.sink, &design);
    ok = strcmp(text.text, again.text) == 0 && back.entries == design.entries &&
         back.ways == design.ways && back.index == design.index &&
         back.replace == design.replace && back.ties == design.ties &&
         back.bits == design.bits && back.shift == design.shift &&
         back.door == design.door && back.seed == design.seed;
    return end(&s, ok);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"hot path tables hold what a simulation holds", tables_are_simulated,
            {OTHER_TIES, OTHER_INDEX, NO_EXTRA}},
        {"counts are the bounds they are said to be", counts_are_bounds, {UNSEEN}},
        {"the reference counts every path", paths_are_counted, {UNSEEN}},
        {"designs come back from their text", designs_come_back, {MISREAD}},
    };

    return kit_run_tested("model_hot", tested, sizeof tested / sizeof *tested);
}
