#include "edit/edit_reader.h"

#include <inttypes.h>
#include <string.h>

/* Operator-precedence parser with an explicit stack of operators that wait for their right operand:
 * untrusted patterns nest deeply, and this parser does not recurse.
 */
struct open_operator {
    int operator; /* enum trod_edit_term_kind, or OPEN */
    const struct trod_edit_token *at;
};

enum { OPEN = -1 };

struct pattern {
    struct trod_edit_reader *r;
    struct open_operator waiting[TROD_EDIT_DEPTH];
    uint32_t nwaiting;
    uint32_t nleaf;
};

static void add_term(struct trod_edit_reader *r, struct trod_edit_term term)
{
    trod_push(r->mem, r->term, r->nterm, r->room_term, term);
}

static bool push(struct pattern *p, int operator, const struct trod_edit_token * at)
{
    if (p->nwaiting == TROD_EDIT_DEPTH)
        return trod_edit_fail(at, p->r->err, TROD_E_LIMIT,
            "the pattern nests deeper than %d; make two productions of it",
            TROD_EDIT_DEPTH);
    p->waiting[p->nwaiting++] = (struct open_operator){operator, at };
    return true;
}

/* NOT binds tightest, then AND, then OR. */
static int strength(int operator)
{
    if (operator== OPEN)
        return 0;
    return operator== TROD_EDIT_OR ? 1 : operator== TROD_EDIT_AND ? 2 : 3;
}

static void settle(struct pattern *p, int least)
{
    while (p->nwaiting && strength(p->waiting[p->nwaiting - 1].operator) >= least)
        add_term(p->r, (struct trod_edit_term){
                           .kind = (uint8_t)p->waiting[--p->nwaiting].operator});
}

/* --- terms ---------------------------------------------------------------------------------- */

static bool take_class(struct pattern *p)
{
    struct trod_edit_reader *r = p->r;
    const struct trod_edit_token *relation = trod_edit_take(r), *t;
    enum trod_edit_class class;
    bool not = trod_edit_is_mark(relation, TROD_EDIT_M_NE);

    if (!not&&!trod_edit_is_mark(relation, TROD_EDIT_M_EQ))
        return trod_edit_fail(relation, r->err, TROD_E_INPUT,
            "expected == or != after T.OPCLASS, not %s",
            trod_edit_quote(relation, r->mem));
    t = trod_edit_take(r);
    class =
        t->kind == TROD_EDIT_T_WORD ? trod_edit_class_find(t->word) : TROD_EDIT_CLASSES;
    if (class == TROD_EDIT_CLASSES)
        return trod_edit_fail(t, r->err, TROD_E_INPUT,
            "%s is not a class of instructions; expected one of: proc_call, branch, cond_branch, "
            "jump, indirect, return, mem_op, load, store, alu, multiply, divide, float, "
            "float_multiply, float_divide, nothing, system and any",
            trod_edit_quote(t, r->mem));
    add_term(
        r, (struct trod_edit_term){.kind = TROD_EDIT_IS, .number = (uint8_t)class});
    if (not)
        add_term(r, (struct trod_edit_term){.kind = TROD_EDIT_NOT});
    return true;
}

static bool take_bound(struct trod_edit_reader *r, uint64_t *out)
{
    const struct trod_edit_token *t = trod_edit_take(r);

    if (t->kind != TROD_EDIT_T_NUMBER)
        return trod_edit_fail(t, r->err, TROD_E_INPUT,
            "expected an address, not %s; write LOW .. HIGH",
            trod_edit_quote(t, r->mem));
    *out = t->number;
    return true;
}

static bool take_range(struct pattern *p, uint8_t left)
{
    struct trod_edit_term term = {.kind = TROD_EDIT_IN, .left = left};
    const struct trod_edit_token *dots, *from = trod_edit_look(p->r);

    if (!take_bound(p->r, &term.low))
        return false;
    dots = trod_edit_take(p->r);
    if (!trod_edit_is_mark(dots, TROD_EDIT_M_RANGE))
        return trod_edit_fail(dots, p->r->err, TROD_E_INPUT,
            "expected .. between two addresses, not %s",
            trod_edit_quote(dots, p->r->mem));
    if (!take_bound(p->r, &term.high))
        return false;
    if (term.low >= term.high)
        return trod_edit_fail(from, p->r->err, TROD_E_INPUT,
            "this range is empty; it includes the first address and excludes the "
            "second, which must be higher");
    add_term(p->r, term);
    return true;
}

static int relation_of(const struct trod_edit_token *t)
{
    static const int mark[] = {[TROD_EDIT_EQ] = TROD_EDIT_M_EQ,
        [TROD_EDIT_NE] = TROD_EDIT_M_NE,
        [TROD_EDIT_LT] = '<',
        [TROD_EDIT_LE] = TROD_EDIT_M_LE,
        [TROD_EDIT_GT] = '>',
        [TROD_EDIT_GE] = TROD_EDIT_M_GE};

    for (int i = 0; i <= TROD_EDIT_GE; i++)
        if (trod_edit_is_mark(t, mark[i]))
            return i;
    return -1;
}

static bool take_comparison(struct pattern *p, uint8_t left)
{
    struct trod_edit_reader *r = p->r;
    struct trod_edit_term term = {.kind = TROD_EDIT_COMPARE, .left = left};
    const struct trod_edit_token *t = trod_edit_take(r);
    int relation = relation_of(t);

    if (trod_edit_is_word(t, "in"))
        return take_range(p, left);
    if (relation < 0)
        return trod_edit_fail(t, r->err, TROD_E_INPUT,
            "expected ==, !=, <, <=, >, >= or 'in', not %s",
            trod_edit_quote(t, r->mem));
    term.relation = (uint8_t)relation;
    t = trod_edit_take(r);
    if (trod_edit_is_word(t, "T.PC")) {
        term.right = TROD_EDIT_PC;
    } else if (trod_edit_is_word(t, "T.Target")) {
        term.right = TROD_EDIT_TARGET;
    } else if (t->kind == TROD_EDIT_T_NUMBER) {
        term.right = TROD_EDIT_NUMBER;
        term.low = t->number;
    } else {
        return trod_edit_fail(t, r->err, TROD_E_INPUT,
            "expected an address, T.PC or T.Target, not %s",
            trod_edit_quote(t, r->mem));
    }
    add_term(r, term);
    return true;
}

static bool take_flag(
    struct pattern *p, uint8_t kind, uint32_t number, const struct trod_edit_token *t)
{
    struct trod_edit_term term = {.kind = kind};

    if (!trod_edit_take_counter(p->r, &term.number, number, t))
        return false;
    add_term(p->r, term);
    return true;
}

static bool take_term(struct pattern *p)
{
    struct trod_edit_reader *r = p->r;
    const struct trod_edit_token *t = trod_edit_take(r);
    bool negated = p->nwaiting && p->waiting[p->nwaiting - 1].operator== TROD_EDIT_NOT;
    bool compares = trod_edit_is_word(t, "T.OPCLASS") || trod_edit_is_word(t, "T.PC") ||
                    trod_edit_is_word(t, "T.Target");
    uint32_t number;

    if (p->nleaf++ == TROD_EDIT_TERMS)
        return trod_edit_fail(t, r->err, TROD_E_LIMIT,
            "a pattern has at most %d comparisons and flags; make two productions of it",
            TROD_EDIT_TERMS);
    if (compares && negated)
        return trod_edit_fail(
            t, r->err, TROD_E_INPUT, "put the comparison after ! in parentheses");
    if (trod_edit_is_word(t, "T.OPCLASS"))
        return take_class(p);
    if (compares)
        return take_comparison(
            p, trod_edit_is_word(t, "T.PC") ? TROD_EDIT_PC : TROD_EDIT_TARGET);
    if (trod_edit_numbered(&number, t, "overflow_"))
        return take_flag(p, TROD_EDIT_OVERFLOW, number, t);
    if (trod_edit_numbered(&number, t, "zero_"))
        return take_flag(p, TROD_EDIT_ZERO, number, t);
    return trod_edit_fail(t, r->err, TROD_E_INPUT,
        "expected T.OPCLASS, T.PC, T.Target, overflow_N, zero_N, ! or a parenthesis, not %s",
        trod_edit_quote(t, r->mem));
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Prefix operators, opening parentheses, and a term. */
static bool take_operand(struct pattern *p)
{
    for (;;) {
        const struct trod_edit_token *t = trod_edit_look(p->r);

        if (trod_edit_is_mark(t, '!')) {
            if (!push(p, TROD_EDIT_NOT, trod_edit_take(p->r)))
                return false;
        } else if (trod_edit_is_mark(t, '(')) {
            if (!push(p, OPEN, trod_edit_take(p->r)))
                return false;
        } else {
            return take_term(p);
        }
    }
}

/* Closing parentheses after a term. */
static bool take_closed(struct pattern *p)
{
    while (trod_edit_is_mark(trod_edit_look(p->r), ')')) {
        settle(p, 1);
        if (!p->nwaiting)
            return trod_edit_fail(trod_edit_look(p->r), p->r->err, TROD_E_INPUT,
                "this ')' closes no parenthesis; remove it");
        p->nwaiting--;
        trod_edit_take(p->r);
    }
    return true;
}

bool trod_edit_take_pattern(
    struct trod_edit_reader *r, uint32_t *first, uint32_t *count)
{
    struct pattern p = {.r = r};

    *first = r->nterm;
    for (;;) {
        const struct trod_edit_token *t;
        int operator;

        if (!take_operand(&p))
            return false;
        /* A NOT applies to the operand after it, even if that is parenthesized. */
        if (!take_closed(&p))
            return false;
        t = trod_edit_look(r);
        if (trod_edit_is_mark(t, TROD_EDIT_M_AND))
            operator= TROD_EDIT_AND;
        else if (trod_edit_is_mark(t, TROD_EDIT_M_OR))
            operator= TROD_EDIT_OR;
        else
            break;
        trod_edit_take(r);
        settle(&p, strength(operator));
        if (!push(&p, operator, t))
            return false;
    }
    settle(&p, 1);
    if (p.nwaiting)
        return trod_edit_fail(p.waiting[p.nwaiting - 1].at, r->err, TROD_E_INPUT,
            "the parenthesis is not closed; add a ')' before %s",
            trod_edit_quote(trod_edit_look(r), r->mem));
    *count = r->nterm - *first;
    return true;
}
