#include "grammar/grammar.h"

#include <string.h>

/* The published code recurses. Here a work list holds every node whose digram may be new, and is
 * processed until it is empty. Invariant: each digram is in the table, or its node is in the work
 * list, or it overlaps the occurrence that is in the table. Processing a node once too often does
 * no harm, so an entry may outlive its node.
 *
 * Cost: a match lowers (symbols - rules) by one, and adding a terminal raises it by one; a rule is
 * inlined at most once. Each of these adds a constant number of nodes to the work list.
 */

enum kind { DEAD, TERMINAL, RULE, GUARD };

struct trod_grammar_node {
    uint64_t value; /* the terminal, the rule, or the rule the guard belongs to */
    uint32_t prev, next;
    uint32_t prev_use, next_use; /* of the same rule; 0 for none */
    enum kind kind;
};

struct trod_grammar_rule {
    uint32_t guard; /* or the next free rule */
    uint32_t first_use;
    uint32_t nuse; /* 0: a free rule, or rule 0 */
};

/* Node 0 is the guard of rule 0, so 0 can mean "none" wherever a guard is impossible. */
enum { START = 0, NONE = 0 };

static struct trod_grammar_node *at(const struct trod_grammar_builder *b, uint32_t n)
{
    return &b->node[n];
}

static uint32_t next(const struct trod_grammar_builder *b, uint32_t n)
{
    return b->node[n].next;
}

static uint32_t prev(const struct trod_grammar_builder *b, uint32_t n)
{
    return b->node[n].prev;
}

static bool is_symbol(const struct trod_grammar_builder *b, uint32_t n)
{
    return b->node[n].kind == TERMINAL || b->node[n].kind == RULE;
}

static bool has_digram(const struct trod_grammar_builder *b, uint32_t n)
{
    return is_symbol(b, n) && is_symbol(b, next(b, n));
}

static bool is_same(const struct trod_grammar_builder *b, uint32_t m, uint32_t n)
{
    return at(b, m)->kind == at(b, n)->kind && at(b, m)->value == at(b, n)->value;
}

static bool is_same_digram(const struct trod_grammar_builder *b, uint32_t m, uint32_t n)
{
    return has_digram(b, m) && has_digram(b, n) && is_same(b, m, n) &&
           is_same(b, next(b, m), next(b, n));
}

static void note(struct trod_grammar_builder *b, uint32_t n)
{
    trod_push(b->scratch, b->changed, b->nchanged, b->room_changed, n);
}

/* --- the table of digrams -------------------------------------------------------------- */

static size_t home_of(const struct trod_grammar_builder *b, uint32_t n)
{
    const struct trod_grammar_node *one = at(b, n), *two = at(b, one->next);
    uint64_t kinds = (uint64_t)one->kind << 2 | (uint64_t)two->kind;

    return trod_mix(trod_mix(kinds, one->value), two->value) & (b->nslot - 1);
}

/* The slot of the digram at a node, or where it would be inserted. */
static size_t find(struct trod_grammar_builder *b, uint32_t n)
{
    size_t i = home_of(b, n);

    for (b->work.nlook++; b->slot[i] && !is_same_digram(b, b->slot[i], n);
        b->work.nlook++)
        i = (i + 1) & (b->nslot - 1);
    return i;
}

static void grow_table(struct trod_grammar_builder *b)
{
    uint32_t *old = b->slot;
    size_t nold = b->nslot;

    b->nslot = nold ? 2 * nold : 64;
    b->slot = trod_new(b->scratch, uint32_t, b->nslot);
    for (size_t i = 0; i < nold; i++)
        if (old[i])
            b->slot[find(b, old[i])] = old[i];
}

static void enter(struct trod_grammar_builder *b, uint32_t n)
{
    if (2 * b->ndigram >= b->nslot)
        grow_table(b);
    b->slot[find(b, n)] = n;
    b->ndigram++;
}

/* Later entries of the probe sequence move up, so that no search stops before them. */
static void take_out(struct trod_grammar_builder *b, size_t i)
{
    size_t mask = b->nslot - 1;

    for (size_t k = (i + 1) & mask; b->slot[k]; k = (k + 1) & mask) {
        size_t home = home_of(b, b->slot[k]);

        b->work.nlook++;
        if (((k - home) & mask) >= ((k - i) & mask)) {
            b->slot[i] = b->slot[k];
            i = k;
        }
    }
    b->slot[i] = NONE;
    b->ndigram--;
}

/* The digram at a node is about to disappear. Digrams that overlapped it, and so were not in the
 * table, must be processed.
 */
static void forget(struct trod_grammar_builder *b, uint32_t n)
{
    size_t i;

    if (!has_digram(b, n))
        return;
    i = find(b, n);
    if (b->slot[i] != n)
        return;
    take_out(b, i);
    if (is_same_digram(b, prev(b, n), n))
        note(b, prev(b, n));
    if (is_same_digram(b, next(b, n), n))
        note(b, next(b, n));
}

/* --- nodes and rules -------------------------------------------------------------------- */

static void join(struct trod_grammar_builder *b, uint32_t left, uint32_t right)
{
    at(b, left)->next = right;
    at(b, right)->prev = left;
}

static void add_use(struct trod_grammar_builder *b, uint32_t n)
{
    struct trod_grammar_rule *rule = &b->rule[at(b, n)->value];

    at(b, n)->prev_use = NONE;
    at(b, n)->next_use = rule->first_use;
    if (rule->first_use)
        at(b, rule->first_use)->prev_use = n;
    rule->first_use = n;
    rule->nuse++;
}

static void drop_use(struct trod_grammar_builder *b, uint32_t n)
{
    struct trod_grammar_rule *rule = &b->rule[at(b, n)->value];
    uint32_t before = at(b, n)->prev_use, after = at(b, n)->next_use;

    if (before)
        at(b, before)->next_use = after;
    else
        rule->first_use = after;
    if (after)
        at(b, after)->prev_use = before;
    if (--rule->nuse == 1) {
        trod_push(b->scratch, b->lonely, b->nlonely, b->room_lonely,
            (uint32_t)at(b, n)->value);
    }
}

static uint32_t new_node(struct trod_grammar_builder *b, enum kind kind, uint64_t value)
{
    uint32_t n = b->free_node;

    if (n) {
        b->free_node = next(b, n);
    } else {
        trod_reserve(b->scratch, b->node, b->nnode, b->room_node);
        n = (uint32_t)b->nnode++;
    }
    *at(b, n) = (struct trod_grammar_node){.kind = kind, .value = value};
    if (kind == RULE)
        add_use(b, n);
    return n;
}

static void free_node(struct trod_grammar_builder *b, uint32_t n)
{
    if (at(b, n)->kind == RULE)
        drop_use(b, n);
    at(b, n)->kind = DEAD;
    at(b, n)->next = b->free_node;
    b->free_node = n;
}

static uint32_t new_rule(struct trod_grammar_builder *b)
{
    uint32_t r = b->free_rule, guard;

    if (r) {
        b->free_rule = b->rule[r].guard;
    } else {
        trod_reserve(b->scratch, b->rule, b->nslot_of_rule, b->room_rule);
        r = (uint32_t)b->nslot_of_rule++;
    }
    guard = new_node(b, GUARD, r);
    b->rule[r] = (struct trod_grammar_rule){.guard = guard};
    join(b, guard, guard);
    b->nrule++;
    return r;
}

static void free_rule(struct trod_grammar_builder *b, uint32_t r)
{
    free_node(b, b->rule[r].guard);
    b->rule[r] = (struct trod_grammar_rule){.guard = b->free_rule};
    b->free_rule = r;
    b->nrule--;
}

static void append(
    struct trod_grammar_builder *b, uint32_t r, enum kind kind, uint64_t value)
{
    uint32_t n = new_node(b, kind, value), guard = b->rule[r].guard;

    join(b, prev(b, guard), n);
    join(b, n, guard);
    b->nsymbol++;
}

/* --- changes of rules --------------------------------------------------------------------- */

/* Replace a digram by the rule that expands to it. */
static void replace(struct trod_grammar_builder *b, uint32_t n, uint32_t r)
{
    uint32_t before = prev(b, n), two = next(b, n), after = next(b, two), use;

    forget(b, before);
    forget(b, n);
    forget(b, two);
    use = new_node(b, RULE, r);
    free_node(b, n);
    free_node(b, two);
    join(b, before, use);
    join(b, use, after);
    b->nsymbol--;
    note(b, use);
    note(b, before);
}

/* Rule utility: replace the only use of a rule by its right-hand side. */
static void put_back(struct trod_grammar_builder *b, uint32_t r)
{
    uint32_t use = b->rule[r].first_use, guard = b->rule[r].guard;
    uint32_t before = prev(b, use), after = next(b, use);
    uint32_t first = next(b, guard), last = prev(b, guard);

    forget(b, before);
    forget(b, use);
    join(b, before, first);
    join(b, last, after);
    free_node(b, use);
    free_rule(b, r);
    b->nsymbol--;
    b->work.nback++;
    note(b, last);
    note(b, before);
}

/* The rule whose right-hand side is exactly this digram; 0 if there is none. */
static uint32_t rule_of(const struct trod_grammar_builder *b, uint32_t n)
{
    uint32_t before = prev(b, n), after = next(b, next(b, n));

    return at(b, before)->kind == GUARD && before == after
               ? (uint32_t)at(b, before)->value
               : START;
}

/* Two rules have the same right-hand side: replace all uses of one by the other. */
static void unite(struct trod_grammar_builder *b, uint32_t keep, uint32_t r)
{
    uint32_t guard = b->rule[r].guard, one = next(b, guard), two = prev(b, guard);

    while (b->rule[r].first_use) {
        uint32_t use = b->rule[r].first_use;

        forget(b, prev(b, use));
        forget(b, use);
        drop_use(b, use);
        at(b, use)->value = keep;
        add_use(b, use);
        note(b, use);
        note(b, prev(b, use));
    }
    forget(b, one);
    free_node(b, one);
    free_node(b, two);
    free_rule(b, r);
    b->nsymbol -= 2;
    note(b, next(b, b->rule[keep].guard));
}

/* The digrams at two nodes are equal and do not overlap. */
static void match(struct trod_grammar_builder *b, uint32_t n, uint32_t there)
{
    uint32_t r = rule_of(b, n), r_there = rule_of(b, there);

    b->work.nmatch++;
    if (r && r_there) {
        unite(b, r_there, r);
    } else if (r_there) {
        replace(b, n, r_there);
    } else if (r) {
        replace(b, there, r);
    } else {
        uint32_t two = next(b, n);

        r = new_rule(b);
        b->work.nrule++;
        append(b, r, at(b, n)->kind, at(b, n)->value);
        append(b, r, at(b, two)->kind, at(b, two)->value);
        replace(b, there, r);
        replace(b, n, r);
        note(b, next(b, b->rule[r].guard));
    }
}

/* --- adding ----------------------------------------------------------------------------- */

/* If the digram in the table overlaps this one, one beyond it may not: in a a a a, with the middle
 * digram in the table, the outer two match.
 */
static void look(struct trod_grammar_builder *b, uint32_t n)
{
    uint32_t there;

    if (!has_digram(b, n))
        return;
    there = b->slot[find(b, n)];
    if (!there)
        enter(b, n);
    else if (next(b, there) == n && is_same_digram(b, prev(b, there), n))
        match(b, n, prev(b, there));
    else if (next(b, n) == there && is_same_digram(b, next(b, there), n))
        match(b, n, next(b, there));
    else if (there != n && next(b, there) != n && next(b, n) != there)
        match(b, n, there);
}

static void settle(struct trod_grammar_builder *b)
{
    while (b->nchanged || b->nlonely) {
        if (b->nchanged) {
            look(b, b->changed[--b->nchanged]);
        } else {
            uint32_t r = b->lonely[--b->nlonely];

            if (b->rule[r].nuse == 1)
                put_back(b, r);
        }
    }
}

static void open_part(struct trod_grammar_builder *b)
{
    b->nnode = b->nslot_of_rule = 0;
    b->free_node = b->free_rule = NONE;
    b->nsymbol = b->nrule = 0;
    b->ndigram = 0;
    memset(b->slot, 0, b->nslot * sizeof *b->slot);
    new_rule(b);
}

void trod_grammar_builder_init(struct trod_grammar_builder *out, uint64_t most,
    struct trod_arena *mem, struct trod_arena *scratch)
{
    assert(most <= TROD_GRAMMAR_MOST);
    *out = (struct trod_grammar_builder){
        .mem = mem, .scratch = scratch, .most = most ? most : TROD_GRAMMAR_MOST};
    grow_table(out);
    open_part(out);
}

/* --- rules as arrays -------------------------------------------------------------------- */

struct renumbering {
    uint32_t *old;    /* by number */
    uint32_t *number; /* by old number; 0: not yet numbered */
    uint32_t count;
};

static uint32_t number_of(struct renumbering *all, uint32_t old)
{
    if (!all->number[old]) {
        all->number[old] = all->count;
        all->old[all->count++] = old;
    }
    return all->number[old];
}

static void take_part(
    struct trod_grammar_part *out, const struct trod_grammar_builder *b)
{
    uint32_t *first = trod_new(b->mem, uint32_t, (size_t)b->nrule + 1), n = 0;
    uint64_t *value = trod_new(b->mem, uint64_t, b->nsymbol);
    uint64_t *is_rule = trod_new(b->mem, uint64_t, TROD_WORDS(b->nsymbol));
    struct trod_mark mark = trod_arena_mark(b->scratch);
    struct renumbering all = {.old = trod_new(b->scratch, uint32_t, b->nrule),
        .number = trod_new(b->scratch, uint32_t, b->nslot_of_rule),
        .count = 1};

    for (uint32_t r = 0; r < all.count; r++) {
        uint32_t guard = b->rule[all.old[r]].guard;

        first[r] = n;
        for (uint32_t s = next(b, guard); s != guard; s = next(b, s), n++) {
            value[n] = at(b, s)->value;
            if (at(b, s)->kind == RULE) {
                value[n] = number_of(&all, (uint32_t)value[n]);
                trod_add(is_rule, n);
            }
        }
    }
    assert(all.count == b->nrule && n == b->nsymbol);
    first[b->nrule] = n;
    trod_arena_rewind(b->scratch, mark);
    *out = (struct trod_grammar_part){.nrule = b->nrule,
        .first_symbol_of_rule = first,
        .value_of_symbol = value,
        .is_rule = is_rule};
}

void trod_grammar_add(struct trod_grammar_builder *b, uint64_t terminal)
{
    append(b, START, TERMINAL, terminal);
    note(b, prev(b, prev(b, START)));
    settle(b);
    if (b->nsymbol >= b->most) {
        trod_reserve(b->mem, b->part, b->npart, b->room_part);
        take_part(&b->part[b->npart++], b);
        open_part(b);
    }
}

void trod_grammar_build(
    struct trod_grammar *out, const struct trod_grammar_builder *b, const char *name)
{
    bool open = b->nsymbol || !b->npart;
    struct trod_grammar_part *part =
        trod_new(b->mem, struct trod_grammar_part, (size_t)b->npart + open);

    if (b->npart)
        memcpy(part, b->part, b->npart * sizeof *part);
    if (open)
        take_part(&part[b->npart], b);
    *out = (struct trod_grammar){
        .name = trod_copy(b->mem, name), .npart = b->npart + open, .part = part};
}
