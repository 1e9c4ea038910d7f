#include "grammar/grammar.h"

#include <inttypes.h>

struct validator {
    const struct trod_grammar *grammar;
    const struct trod_grammar_part *part;
    struct trod_arena *mem;
    struct trod_err *err;
};

/* The message names the grammar, and the part if there are several. */
#define complain(c, format, ...)                                                    \
    trod_fail((c)->err, TROD_E_INTERNAL, "grammar '%s', part %" PRIu32 ": " format, \
        (c)->grammar->name, (uint32_t)((c)->part - (c)->grammar->part + 1),         \
        __VA_ARGS__)

static bool check_shape(const struct validator *c)
{
    const struct trod_grammar_part *part = c->part;
    const uint32_t *first = part->first_symbol_of_rule;

    if (!part->nrule || first[0] != 0)
        return complain(c, "%s", "there is no rule 0 at its start");
    for (uint32_t r = 0; r < part->nrule; r++)
        if (first[r + 1] < first[r] || (r && first[r + 1] - first[r] < 2))
            return complain(c,
                "R%" PRIu32 " has fewer than two symbols; write them where it is "
                "used, and remove the rule",
                r);
    if (first[1] == 0 && c->grammar->npart > 1)
        return complain(c, "%s", "it is empty, and not the only part; remove it");
    for (uint32_t s = 0; s < first[part->nrule]; s++)
        if (trod_has(part->is_rule, s) &&
            (part->value_of_symbol[s] == 0 || part->value_of_symbol[s] >= part->nrule))
            return complain(c, "R%" PRIu64 " is used; it is %s",
                part->value_of_symbol[s],
                part->value_of_symbol[s] ? "not there"
                                         : "the start, which no rule uses");
    return true;
}

static bool check_uses(const struct validator *c)
{
    const struct trod_grammar_part *part = c->part;
    uint32_t *order = trod_new(c->mem, uint32_t, part->nrule);
    uint32_t *nuse = trod_new(c->mem, uint32_t, part->nrule);

    if (trod_grammar_order(order, part, c->mem) < part->nrule)
        return complain(c, "%s", "a rule expands to itself");
    for (uint32_t s = 0; s < part->first_symbol_of_rule[part->nrule]; s++)
        if (trod_has(part->is_rule, s))
            nuse[part->value_of_symbol[s]]++;
    for (uint32_t r = 1; r < part->nrule; r++)
        if (nuse[r] < 2)
            return complain(c, "R%" PRIu32 " is %s; a rule must be used at least twice",
                r, nuse[r] ? "used once" : "not used");
    return true;
}

static bool is_same(const struct trod_grammar_part *part, uint32_t s, uint32_t t)
{
    return part->value_of_symbol[s] == part->value_of_symbol[t] &&
           trod_has(part->is_rule, s) == trod_has(part->is_rule, t);
}

static void put_symbol(
    struct trod_sink *sink, const struct trod_grammar_part *part, uint32_t s)
{
    trod_put(sink, "%s%" PRIu64, trod_has(part->is_rule, s) ? "R" : "",
        part->value_of_symbol[s]);
}

static bool twice(const struct validator *c, uint32_t s, uint32_t r)
{
    struct trod_string text;

    trod_string_init(&text, c->mem);
    put_symbol(&text.sink, c->part, s);
    trod_put(&text.sink, " ");
    put_symbol(&text.sink, c->part, s + 1);
    return complain(
        c, "'%s' in R%" PRIu32 " occurs twice; make it a rule", text.text, r);
}

/* The first occurrence is kept: in a run of four equal symbols, the third digram does not overlap it. */
static bool check_digrams(const struct validator *c)
{
    const struct trod_grammar_part *part = c->part;
    const uint32_t *first = part->first_symbol_of_rule;
    size_t mask = ((size_t)2 << trod_bit_width(first[part->nrule])) - 1;
    uint32_t *slot = trod_new(c->mem, uint32_t, mask + 1); /* symbol + 1 */

    for (uint32_t r = 0; r < part->nrule; r++)
        for (uint32_t s = first[r]; s + 1 < first[r + 1]; s++) {
            uint64_t kinds = (uint64_t)trod_has(part->is_rule, s) * 2 +
                             trod_has(part->is_rule, s + 1);
            size_t i = trod_mix(trod_mix(kinds, part->value_of_symbol[s]),
                           part->value_of_symbol[s + 1]) &
                       mask;

            while (slot[i] &&
                   !(is_same(part, slot[i] - 1, s) && is_same(part, slot[i], s + 1)))
                i = (i + 1) & mask;
            if (!slot[i])
                slot[i] = s + 1;
            else if (slot[i] != s)
                return twice(c, s, r);
        }
    return true;
}

bool trod_grammar_check(
    const struct trod_grammar *grammar, struct trod_arena *mem, struct trod_err *err)
{
    struct validator c = {
        .grammar = grammar, .part = grammar->part, .mem = mem, .err = err};
    bool ok = true;

    if (!grammar->npart)
        return trod_fail(
            err, TROD_E_INTERNAL, "grammar '%s' has no part", grammar->name);
    for (; ok && c.part < grammar->part + grammar->npart; c.part++) {
        struct trod_mark mark = trod_arena_mark(mem);

        ok = check_shape(&c) && check_uses(&c) && check_digrams(&c);
        trod_arena_rewind(mem, mark);
    }
    return ok;
}
