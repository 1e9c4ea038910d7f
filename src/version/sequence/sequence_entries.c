#include "sequence/sequence.h"
#include "base/order.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

/* Not a function: the predecessor of a caller's first call and the successor of its last. */
enum { NOBODY = UINT32_MAX };

struct transition {
    uint32_t caller, from, to;
    uint64_t count, nreused, was;
};

struct table {
    struct trod_arena *mem;
    struct trod_names function; /* names of both sequences */
    struct transition *row;
    uint32_t nrow, room;
    struct trod_table rows;
};

static struct transition *find(struct table *t, struct transition of)
{
    uint64_t hash = trod_mix(trod_mix(trod_mix(0, of.caller), of.from), of.to);
    uint32_t at = TROD_TABLE_FIND(&t->rows, hash, i,
        t->row[i].caller == of.caller && t->row[i].from == of.from &&
            t->row[i].to == of.to);

    if (at == TROD_TABLE_NONE) {
        at = trod_table_add(&t->rows, hash, t->mem);
        trod_push(t->mem, t->row, t->nrow, t->room, of);
    }
    return &t->row[at];
}

/* --- spans ------------------------------------------------------------------------------------------------ */

struct span_use {
    struct table *table;
    const uint32_t *number; /* from functions of the sequence to names in the table */
    uint64_t times;         /* occurrences of the span */
    bool reused, is_old;
};

static void add(const struct span_use *a, uint32_t caller, uint32_t from, uint32_t to,
    uint64_t count)
{
    struct transition *row;

    if (!count)
        return;
    count = trod_sat_mul(count, a->times);
    row = find(a->table, (struct transition){.caller = caller, .from = from, .to = to});
    if (a->is_old) {
        row->was = trod_sat_add(row->was, count);
        return;
    }
    row->count = trod_sat_add(row->count, count);
    if (a->reused)
        row->nreused = trod_sat_add(row->nreused, count);
}

static void add_span(const struct span_use *a,
    const struct trod_call_sequence *sequence, const struct trod_span *span)
{
    uint32_t caller = a->number[span->function], from = NOBODY;

    for (uint32_t i = 0; i < span->nchild; i++) {
        const struct trod_span_child *c = &span->child[i];
        uint32_t to = a->number[sequence->span[c->span].function];

        add(a, caller, from, to, 1);
        add(a, caller, to, to, c->count - 1);
        from = to;
    }
    add(a, caller, from, NOBODY, 1);
}

static void add_sequence(
    struct table *t, const struct trod_call_sequence *sequence, bool is_old)
{
    uint64_t *times = trod_new(t->mem, uint64_t, sequence->nspan);
    uint32_t *number = trod_new(t->mem, uint32_t, sequence->function.count);

    for (uint32_t f = 0; f < sequence->function.count; f++)
        number[f] = trod_names_add(&t->function, sequence->function.name[f]);
    for (uint32_t thread = 0; thread < sequence->nthread; thread++) {
        trod_call_sequence_count(times, sequence, thread);
        for (uint32_t s = 0; s < sequence->nspan; s++)
            if (times[s])
                add_span(&(struct span_use){.table = t,
                             .number = number,
                             .times = times[s],
                             .reused = sequence->span[s].how == TROD_SPAN_REUSED,
                             .is_old = is_old},
                    sequence, &sequence->span[s]);
    }
}

/* --- entries ---------------------------------------------------------------------------------------------- */

TROD_ORDER(
    compare, struct trod_entry, TROD_ALPHABETIC(function), TROD_ALPHABETIC(other))

static const char *other_of(const struct table *t, const struct transition *row)
{
    return trod_format(t->mem, "%s>%s",
        row->from == NOBODY ? "" : t->function.name[row->from],
        row->to == NOBODY ? "" : t->function.name[row->to]);
}

void trod_call_sequence_entries(struct trod_entries *out,
    const struct trod_call_sequence *sequence, const struct trod_call_sequence *old,
    struct trod_arena *mem)
{
    struct table t = {.mem = mem};

    trod_names_init(&t.function, mem);
    add_sequence(&t, sequence, false);
    if (old)
        add_sequence(&t, old, true);
    *out = (struct trod_entries){.type = "sequences",
        .input = sequence->name,
        .nentry = t.nrow,
        .room = t.nrow,
        .entry = trod_new(mem, struct trod_entry, t.nrow)};
    for (uint32_t i = 0; i < t.nrow; i++) {
        const struct transition *row = &t.row[i];
        bool reused = row->count && row->nreused == row->count;

        out->entry[i] = (struct trod_entry){.function = t.function.name[row->caller],
            .part = TROD_NONE,
            .other = other_of(&t, row),
            .count = row->count,
            .how = !old     ? TROD_HOW_NONE
                   : reused ? TROD_HOW_REUSED
                            : TROD_HOW_PROFILED,
            .has_was = old != NULL,
            .was = row->was,
            .trust = reused ? 0.9 : 1};
    }
    trod_sort(out->entry, t.nrow, compare);
}
