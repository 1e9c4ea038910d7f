#include "grammar/grammar.h"
#include "base/order.h"

#include <stdlib.h>

static bool is_rule(const struct trod_grammar_part *part, uint32_t symbol)
{
    return trod_has(part->is_rule, symbol);
}

uint32_t trod_grammar_order(
    uint32_t *order, const struct trod_grammar_part *part, struct trod_arena *mem)
{
    const uint32_t *first = part->first_symbol_of_rule;
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t *nleft =
        trod_new(mem, uint32_t, part->nrule); /* uses by rules not yet ordered */
    uint32_t n = 0;

    for (uint32_t s = 0; s < first[part->nrule]; s++)
        if (is_rule(part, s))
            nleft[part->value_of_symbol[s]]++;
    for (uint32_t r = 0; r < part->nrule; r++)
        if (!nleft[r])
            order[n++] = r;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t s = first[order[i]]; s < first[order[i] + 1]; s++)
            if (is_rule(part, s) && !--nleft[part->value_of_symbol[s]])
                order[n++] = (uint32_t)part->value_of_symbol[s];
    trod_arena_rewind(mem, mark);
    return n;
}

/* --- expansion ---------------------------------------------------------------------------- */

/* A stack of the rules being expanded, as deep as the grammar. The arena is not rewound, because fn
 * may allocate from it.
 */
struct opened {
    struct trod_arena *mem;
    struct open_rule {
        uint32_t at, end; /* symbols still to expand */
    } *rule;
    size_t count, room;
};

static void open_rule(
    struct opened *o, const struct trod_grammar_part *part, uint64_t rule)
{
    const uint32_t *first = part->first_symbol_of_rule;

    trod_push(o->mem, o->rule, o->count, o->room,
        (struct open_rule){first[rule], first[rule + 1]});
}

static bool expand(struct opened *o, const struct trod_grammar_part *part,
    uint32_t rule, trod_grammar_taker fn, void *ctx)
{
    open_rule(o, part, rule);
    while (o->count) {
        struct open_rule *last = &o->rule[o->count - 1];
        uint32_t s = last->at;

        if (s == last->end) {
            o->count--;
            continue;
        }
        last->at++;
        if (is_rule(part, s))
            open_rule(o, part, part->value_of_symbol[s]);
        else if (!fn(part->value_of_symbol[s], ctx))
            return false;
    }
    return true;
}

bool trod_grammar_expand_rule(const struct trod_grammar_part *part, uint32_t rule,
    trod_grammar_taker fn, void *ctx, struct trod_arena *mem)
{
    struct opened o = {.mem = mem};

    return expand(&o, part, rule, fn, ctx);
}

bool trod_grammar_expand(const struct trod_grammar *grammar, trod_grammar_taker fn,
    void *ctx, struct trod_arena *mem)
{
    struct opened o = {.mem = mem};

    for (uint32_t i = 0; i < grammar->npart; i++)
        if (!expand(&o, &grammar->part[i], 0, fn, ctx))
            return false;
    return true;
}

/* --- sizes -------------------------------------------------------------------------------- */

/* Bottom-up: rules that a rule uses are later in the order, and computed first. */
static uint32_t fill_lengths(uint64_t *length, uint32_t *depth, const uint32_t *order,
    const struct trod_grammar_part *part)
{
    const uint32_t *first = part->first_symbol_of_rule;

    for (uint32_t i = part->nrule; i-- > 0;) {
        uint32_t r = order[i], deepest = 0;

        for (uint32_t s = first[r]; s < first[r + 1]; s++) {
            uint64_t value = part->value_of_symbol[s];

            length[r] = trod_sat_add(length[r], is_rule(part, s) ? length[value] : 1);
            if (is_rule(part, s) && depth[value] > deepest)
                deepest = depth[value];
        }
        depth[r] = deepest + 1;
    }
    return depth[0];
}

static void fill_counts(
    uint64_t *count, const uint32_t *order, const struct trod_grammar_part *part)
{
    const uint32_t *first = part->first_symbol_of_rule;

    count[0] = 1;
    for (uint32_t i = 0; i < part->nrule; i++)
        for (uint32_t s = first[order[i]]; s < first[order[i] + 1]; s++)
            if (is_rule(part, s)) {
                uint64_t *of_used = &count[part->value_of_symbol[s]];

                *of_used = trod_sat_add(*of_used, count[order[i]]);
            }
}

void trod_grammar_measure(struct trod_grammar_measure *out,
    const struct trod_grammar_part *part, struct trod_arena *mem)
{
    uint64_t *length = trod_new(mem, uint64_t, part->nrule);
    uint64_t *count = trod_new(mem, uint64_t, part->nrule);
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t *order = trod_new(mem, uint32_t, part->nrule);
    uint32_t *depth = trod_new(mem, uint32_t, part->nrule);
    uint32_t nordered = trod_grammar_order(order, part, mem);

    assert(nordered == part->nrule);
    (void)nordered;
    out->depth = fill_lengths(length, depth, order, part);
    fill_counts(count, order, part);
    out->length_of_rule = length;
    out->count_of_rule = count;
    trod_arena_rewind(mem, mark);
}

void trod_grammar_sizes(struct trod_grammar_sizes *out,
    const struct trod_grammar *grammar, struct trod_arena *mem)
{
    *out = (struct trod_grammar_sizes){.npart = grammar->npart, .ratio = 1};
    for (uint32_t i = 0; i < grammar->npart; i++) {
        const struct trod_grammar_part *part = &grammar->part[i];
        struct trod_mark mark = trod_arena_mark(mem);
        struct trod_grammar_measure measure;

        trod_grammar_measure(&measure, part, mem);
        out->nterminal = trod_sat_add(out->nterminal, measure.length_of_rule[0]);
        out->nsymbol += part->first_symbol_of_rule[part->nrule];
        out->nrule += part->nrule;
        if (measure.depth > out->depth)
            out->depth = measure.depth;
        trod_arena_rewind(mem, mark);
    }
    if (out->nsymbol)
        out->ratio = (double)out->nterminal / (double)out->nsymbol;
}

/* --- hot rules ---------------------------------------------------------------------------- */

static int by_weight(const void *a, const void *b)
{
    const struct trod_grammar_hot *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

size_t trod_grammar_hot(struct trod_grammar_hot **out,
    const struct trod_grammar *grammar, struct trod_arena *mem)
{
    size_t n = 0;

    for (uint32_t i = 0; i < grammar->npart; i++)
        n += grammar->part[i].nrule - 1;
    *out = trod_new(mem, struct trod_grammar_hot, n);
    n = 0;
    for (uint32_t i = 0; i < grammar->npart; i++) {
        struct trod_mark mark = trod_arena_mark(mem);
        struct trod_grammar_measure measure;

        trod_grammar_measure(&measure, &grammar->part[i], mem);
        for (uint32_t r = 1; r < grammar->part[i].nrule; r++)
            (*out)[n++] = (struct trod_grammar_hot){.part = i,
                .rule = r,
                .count = measure.count_of_rule[r],
                .length = measure.length_of_rule[r],
                .weight =
                    trod_sat_mul(measure.count_of_rule[r], measure.length_of_rule[r])};
        trod_arena_rewind(mem, mark);
    }
    trod_sort(*out, n, by_weight);
    return n;
}
