#include "stream/stream.h"
#include "base/order.h"
#include "base/table.h"

#include "stream/alike.h"

#include <stdlib.h>
#include <string.h>

/* Terminals below GAP are data. Each terminal from GAP on separates two runs and occurs once, so
 * only rule 0 contains it.
 */
#define GAP (UINT64_C(1) << 32)

/* --- the grammar ----------------------------------------------------------------------------------- */

struct collector {
    struct trod_streams *out;
    const struct trod_stream_options *options;
    struct trod_arena *mem;
    struct trod_grammar_builder builder;
    struct trod_stream_table data, threads;
    struct trod_stream_datum *datum;
    uint32_t room_datum;
    uint64_t *weight; /* by run */
    size_t nrun, room_run;
};

static void take_run(uint32_t thread, uint64_t weight, void *ctx)
{
    struct collector *t = ctx;

    trod_stream_table_add(&t->threads, thread, 0);
    trod_reserve(t->mem, t->weight, t->nrun, t->room_run);
    trod_grammar_add(&t->builder, GAP + t->nrun);
    t->weight[t->nrun++] = weight;
}

static void take_ref(const struct trod_stream_ref *ref, void *ctx)
{
    struct collector *t = ctx;
    struct trod_stream_datum datum;
    uint32_t number;

    if (trod_stream_is_out(t->out->names, t->options, ref))
        return;
    trod_stream_datum_of(&datum, t->out->names, t->out->by, ref);
    number = trod_stream_number_datum(&t->data, &datum);
    if (number == t->out->ndatum)
        trod_push(t->mem, t->datum, t->out->ndatum, t->room_datum, datum);
    trod_grammar_add(&t->builder, number);
    t->out->nref++;
    t->out->total = trod_sat_add(t->out->total, t->weight[t->nrun - 1]);
}

/* --- sets of streams ---------------------------------------------------------------------------------- */

struct set {
    struct trod_arena *mem;
    struct trod_stream *stream;
    size_t count, room;
    struct trod_table streams;
};

static uint64_t hash_of(const uint32_t *datum, uint32_t length)
{
    uint64_t hash = length;

    for (uint32_t i = 0; i < length; i++)
        hash = trod_mix(hash, datum[i]);
    return hash;
}

static uint32_t find(const struct set *set, const struct trod_stream *stream)
{
    uint32_t n = stream->length;

    return TROD_TABLE_FIND(&set->streams, hash_of(stream->datum, n), i,
        set->stream[i].length == n && memcmp(set->stream[i].datum, stream->datum,
                                          n * sizeof *stream->datum) == 0);
}

/* Add a stream. Its data must stay valid if it is new. */
static void add_to_set(struct set *set, const struct trod_stream *stream)
{
    struct trod_stream *s;
    uint32_t at = find(set, stream);

    if (at == TROD_TABLE_NONE) {
        trod_table_add(&set->streams, hash_of(stream->datum, stream->length), set->mem);
        trod_push(set->mem, set->stream, set->count, set->room, *stream);
        return;
    }
    s = &set->stream[at];
    s->nseen = trod_sat_add(s->nseen, stream->nseen);
    s->times = trod_sat_add(s->times, stream->times);
}

static bool is_in_set(const struct set *set, const struct trod_stream *stream)
{
    return find(set, stream) != TROD_TABLE_NONE;
}

/* --- hot rules ------------------------------------------------------------------------------------------ */

/* Uses of a rule: occurrences observed, and the sum of their weights. */
struct uses {
    uint64_t seen, times;
};

/* The stream of a rule: its expansion, or the repeated unit (root) of it. */
struct found {
    struct trod_stream stream;
    uint32_t period;
    bool is_root;
};

struct finder {
    struct trod_streams *out;
    const struct collector *taken;
    struct trod_arena *mem, *scratch;
    struct found *found;
    size_t nfound, room_found;
    uint32_t *row;   /* buffer for the longest expansion considered */
    double least;    /* minimum heat of a hot stream */
    uint64_t weight; /* weight of the run in which a part begins */
};

static void add_uses(struct uses *to, const struct uses *by)
{
    to->seen += by->seen;
    to->times = trod_sat_add(to->times, by->times);
}

static void drop_uses(struct uses *from, const struct uses *by)
{
    from->seen -= by->seen < from->seen ? by->seen : from->seen;
    from->times -= by->times < from->times ? by->times : from->times;
}

/* Symbols of rule 0 have the weight of their run. */
static void use_start(
    struct finder *f, const struct trod_grammar_part *part, struct uses *uses)
{
    for (uint32_t s = 0; s < part->first_symbol_of_rule[1]; s++) {
        uint64_t value = part->value_of_symbol[s];

        if (trod_has(part->is_rule, s))
            add_uses(&uses[value], &(struct uses){1, f->weight});
        else if (value >= GAP)
            f->weight = f->taken->weight[value - GAP];
    }
}

static void use_rule(const struct trod_grammar_part *part, uint32_t rule,
    struct uses *uses, const struct uses *by,
    void (*change)(struct uses *, const struct uses *))
{
    const uint32_t *first = part->first_symbol_of_rule;

    for (uint32_t s = first[rule]; s < first[rule + 1]; s++)
        if (trod_has(part->is_rule, s))
            change(&uses[part->value_of_symbol[s]], by);
}

struct row {
    uint32_t *datum;
    uint32_t length, most; /* 0: all */
};

static bool put_datum(uint64_t terminal, void *ctx)
{
    struct row *row = ctx;

    row->datum[row->length++] = (uint32_t)terminal;
    return row->length != row->most;
}

/* The smallest period of a sequence; its length if it does not repeat. */
static uint32_t period_of(const struct row *row, struct trod_arena *scratch)
{
    struct trod_mark mark = trod_arena_mark(scratch);
    uint32_t *border = trod_new(scratch, uint32_t, (size_t)row->length + 1), k = 0;
    uint32_t period;

    for (uint32_t i = 1; i < row->length; i++) {
        while (k && row->datum[i] != row->datum[k])
            k = border[k];
        k += row->datum[i] == row->datum[k];
        border[i + 1] = k;
    }
    period = row->length - border[row->length];
    trod_arena_rewind(scratch, mark);
    return period;
}

/* The expansion of a rule may be longer than any stream and still repeat one. */
enum { ROUNDS = 64 }; /* limit of expansions considered, times the longest stream */

/* How often a root is repeated to reach the minimum length of a stream; 0: it would exceed the maximum. */
static uint32_t repeats_of(const struct trod_streams *of, uint32_t period)
{
    uint32_t each = (of->shortest + period - 1) / period;

    return (uint64_t)each * period <= of->longest ? each : 0;
}

static void keep(struct finder *f, const struct found *found, const uint32_t *row)
{
    uint32_t length = found->stream.length;
    uint32_t *datum = trod_new(f->mem, uint32_t, length);

    memcpy(datum, row, length * sizeof *datum);
    trod_reserve(f->mem, f->found, f->nfound, f->room_found);
    f->found[f->nfound] = *found;
    f->found[f->nfound++].stream.datum = datum;
}

static void expand(struct row *row, struct finder *f,
    const struct trod_grammar_part *part, uint32_t rule)
{
    struct trod_mark mark = trod_arena_mark(f->scratch);

    row->length = 0;
    trod_grammar_expand_rule(part, rule, put_datum, row, f->scratch);
    trod_arena_rewind(f->scratch, mark);
}

/* The smallest period of a rule's expansion, which is in f->row then. False: it is too long for a stream, and so is its
 * period. What repeats at once does so from its beginning, so of most long rules only the beginning is expanded.
 */
static bool find_period(struct row *row, uint32_t *period, struct finder *f,
    const struct trod_grammar_part *part, uint32_t rule, uint64_t length)
{
    uint32_t longest = f->out->longest;

    *row = (struct row){.datum = f->row};
    if (length > 2 * (uint64_t)longest) {
        row->most = 2 * longest;
        expand(row, f, part, rule);
        if (period_of(row, f->scratch) > longest)
            return false;
        row->most = 0;
    }
    expand(row, f, part, rule);
    *period = period_of(row, f->scratch);
    return true;
}

/* Add the expansion of a rule, or the root that it repeats. False: it is too long and does not repeat a root. */
static bool add_rule(struct finder *f, const struct trod_grammar_part *part,
    uint32_t rule, uint64_t length, const struct uses *cold)
{
    struct found found = {.stream = {.nseen = cold->seen, .times = cold->times}};
    uint32_t period, nrepeat, each;
    struct row row;

    if (!find_period(&row, &period, f, part, rule, length))
        return false;
    nrepeat = row.length / period;
    each = repeats_of(f->out, period);
    found.period = period;
    found.stream.length = row.length;
    if (nrepeat > 1 && each && nrepeat >= each) {
        found.stream.length = period;
        found.stream.nseen = trod_sat_mul(cold->seen, nrepeat / each);
        found.stream.times = trod_sat_mul(cold->times, nrepeat / each);
        found.is_root = true;
    }
    if (found.stream.length > f->out->longest || (!found.is_root && cold->seen < 2))
        return false;
    keep(f, &found, row.datum);
    return true;
}

/* For a rule that is too long: add the stretches between the rules it uses, as long as possible. */
static void add_rest(struct finder *f, const struct trod_grammar_part *part,
    uint32_t rule, const struct uses *cold)
{
    uint32_t end = part->first_symbol_of_rule[rule + 1];
    struct row row = {.datum = f->row};

    for (uint32_t s = part->first_symbol_of_rule[rule]; s <= end; s++) {
        bool is_datum = s < end && !trod_has(part->is_rule, s);
        struct found found = {
            .stream = {.length = row.length, .nseen = cold->seen, .times = cold->times},
            .period = row.length};

        if (row.length >= f->out->shortest &&
            (row.length == f->out->longest || !is_datum) &&
            (double)row.length * (double)cold->times >= f->least)
            keep(f, &found, row.datum);
        if (row.length == f->out->longest || !is_datum)
            row.length = 0;
        if (is_datum)
            put_datum(part->value_of_symbol[s], &row);
    }
}

/* May a rule be hot? A cheap test, without expanding it. */
static bool is_hot(const struct finder *f, uint64_t length, const struct uses *cold)
{
    return length >= f->out->shortest && length <= (uint64_t)ROUNDS * f->out->longest &&
           cold->seen && (double)length * (double)cold->times >= f->least;
}

/* Visit rules before those they use. A hot rule claims all occurrences of the rules within it. A
 * cold rule passes on the occurrences that no other rule has claimed.
 *
 * paper:  Chilimbi & Hirzel, PLDI 2002, figure 5
 */
static void find_rules(struct finder *f, const struct trod_grammar_part *part)
{
    uint32_t *order = trod_new(f->scratch, uint32_t, part->nrule);
    struct uses *uses = trod_new(f->scratch, struct uses, part->nrule);
    struct uses *cold = trod_new(f->scratch, struct uses, part->nrule);
    struct trod_grammar_measure measure;
    uint32_t n = trod_grammar_order(order, part, f->scratch);

    trod_grammar_measure(&measure, part, f->scratch);
    use_start(f, part, uses);
    for (uint32_t i = 0; i < n; i++)
        if (order[i])
            use_rule(part, order[i], uses, &uses[order[i]], add_uses);
    memcpy(cold, uses, part->nrule * sizeof *cold);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rule = order[i];
        uint64_t length = measure.length_of_rule[rule];
        struct uses taken = uses[rule];

        if (!rule)
            continue;
        if (!is_hot(f, length, &cold[rule]) ||
            !add_rule(f, part, rule, length, &cold[rule])) {
            if (length > f->out->longest && cold[rule].seen >= 2)
                add_rest(f, part, rule, &cold[rule]);
            drop_uses(&taken, &cold[rule]);
        }
        use_rule(part, rule, cold, &taken, drop_uses);
    }
}

/* --- roots ------------------------------------------------------------------------------------------------ */

/* Data to sort, with their keys. */
struct ranked {
    const struct trod_streams *of;
    uint32_t datum;
};

TROD_ORDER(by_what, struct ranked,
    trod_stream_compare_data(
        a->of, &a->of->datum[a->datum], b->of, &b->of->datum[b->datum]),
    TROD_UP(datum))

/* Rank the data of repeating sequences by identity. */
static uint32_t *rank_data(const struct finder *f)
{
    uint32_t *rank = trod_new(f->scratch, uint32_t, (size_t)f->out->ndatum + 1);
    struct ranked *row =
        trod_new(f->scratch, struct ranked, (size_t)f->out->ndatum + 1);
    uint32_t n = 0;

    for (size_t i = 0; i < f->nfound; i++) {
        const struct trod_stream *s = &f->found[i].stream;

        for (uint32_t k = 0; k < f->found[i].period && k < s->length; k++)
            if (!rank[s->datum[k]]) {
                rank[s->datum[k]] = 1;
                row[n++] = (struct ranked){f->out, s->datum[k]};
            }
    }
    trod_sort(row, n, by_what);
    for (uint32_t i = 0; i < n; i++)
        rank[row[i].datum] = i;
    return rank;
}

/* The index where the least rotation begins. */
static uint32_t least_rotation(
    const uint32_t *datum, uint32_t length, const uint32_t *rank)
{
    uint32_t a = 0, b = 1, n = 0;

    while (a < length && b < length && n < length) {
        uint32_t x = rank[datum[(a + n) % length]], y = rank[datum[(b + n) % length]];

        if (x == y) {
            n++;
            continue;
        }
        if (x > y)
            a += n + 1;
        else
            b += n + 1;
        b += a == b;
        n = 0;
    }
    return a < b ? a : b;
}

/* It is arbitrary where a sequence from a loop begins. So a root is replaced by its least rotation,
 * repeated until it has the minimum length.
 */
static void rotate(struct trod_stream *out, const struct finder *f,
    const struct found *from, const uint32_t *rank)
{
    uint32_t period = from->period, each = repeats_of(f->out, period), start;
    uint32_t *datum;

    start = least_rotation(from->stream.datum, period, rank);
    datum = trod_new(f->mem, uint32_t, (size_t)each *period);
    for (uint32_t i = 0; i < each * period; i++)
        datum[i] = from->stream.datum[(start + i) % period];
    *out = from->stream;
    out->datum = datum;
    out->length = each * period;
}

/* Add roots first. A sequence of one root and a partial repetition counts as the root, if the root
 * was found elsewhere. */
static void put_together(struct set *set, const struct finder *f)
{
    const uint32_t *rank = rank_data(f);
    struct trod_stream stream;

    for (size_t i = 0; i < f->nfound; i++)
        if (f->found[i].is_root) {
            rotate(&stream, f, &f->found[i], rank);
            add_to_set(set, &stream);
        }
    for (size_t i = 0; i < f->nfound; i++) {
        const struct found *found = &f->found[i];

        if (found->is_root)
            continue;
        stream = found->stream;
        if (found->period < stream.length && found->period >= f->out->shortest) {
            rotate(&stream, f, found, rank);
            if (!is_in_set(set, &stream))
                stream = found->stream;
        }
        add_to_set(set, &stream);
    }
}

/* --- in order ----------------------------------------------------------------------------------------------- */

struct ordered {
    const struct trod_streams *of;
    struct trod_stream stream;
};

static int by_heat(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    int by;

    if (x->stream.heat != y->stream.heat)
        return x->stream.heat > y->stream.heat ? -1 : 1;
    by = trod_stream_compare(x->of, &x->stream, y->of, &y->stream);
    return by ? by
              : memcmp(x->stream.datum, y->stream.datum,
                    x->stream.length * sizeof *x->stream.datum);
}

void trod_stream_order(const struct trod_streams *of, struct trod_stream *stream,
    size_t nstream, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct ordered *row = trod_new(mem, struct ordered, nstream + 1);

    for (size_t i = 0; i < nstream; i++)
        row[i] = (struct ordered){of, stream[i]};
    trod_sort(row, nstream, by_heat);
    for (size_t i = 0; i < nstream; i++)
        stream[i] = row[i].stream;
    trod_arena_rewind(mem, mark);
}

static void finish(struct finder *f)
{
    struct set set = {.mem = f->mem};

    put_together(&set, f);
    for (size_t i = 0; i < set.count; i++)
        set.stream[i].heat = trod_sat_mul(set.stream[i].times, set.stream[i].length);
    trod_stream_order(f->out, set.stream, set.count, f->scratch);
    f->out->stream = set.stream;
    f->out->nstream = f->out->nfound = set.count;
}

static void take_all(struct collector *t, const struct trod_stream_refs *refs,
    struct trod_arena *scratch)
{
    struct trod_stream_visitor visitor = {take_run, take_ref, t};

    trod_grammar_builder_init(&t->builder, t->options->most_symbols, scratch, scratch);
    trod_stream_table_init(&t->data, scratch);
    trod_stream_table_init(&t->threads, scratch);
    trod_stream_each(refs, &visitor);
    t->out->datum = t->datum;
    t->out->nrun = t->nrun;
    t->out->nthread = t->threads.count;
}

void trod_stream_find(struct trod_streams *out, const struct trod_stream_refs *refs,
    const struct trod_stream_options *options, struct trod_arena *mem,
    struct trod_arena *scratch)
{
    struct collector taken = {.out = out, .options = options, .mem = mem};
    struct finder f = {
        .out = out, .taken = &taken, .mem = mem, .scratch = scratch, .weight = 1};
    struct trod_grammar grammar;

    *out = (struct trod_streams){.name = refs->name,
        .names = refs->names,
        .by = options->by,
        .shortest = options->shortest ? options->shortest : TROD_STREAM_SHORTEST,
        .longest = options->longest ? options->longest : TROD_STREAM_LONGEST,
        .nlost = refs->nlost,
        .ndamaged = refs->ndamaged};
    take_all(&taken, refs, scratch);
    trod_grammar_build(&grammar, &taken.builder, out->name);
    f.row = trod_new(scratch, uint32_t, (size_t)ROUNDS * out->longest);
    f.least = options->least * (double)out->total;
    for (uint32_t i = 0; i < grammar.npart; i++) {
        out->nsymbol += grammar.part[i].first_symbol_of_rule[grammar.part[i].nrule];
        find_rules(&f, &grammar.part[i]);
    }
    finish(&f);
}
