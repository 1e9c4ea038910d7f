#include "llvm/source/decision.h"
#include "llvm/source/location.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

/* --- statements as chains ------------------------------------------------------------------------- */

/* Appends the leaves of a statement. `yes` and `no` replace its two ends. */
static void add_statement(const struct decider *t, struct condition_chain *c,
    uint32_t number, uint32_t enter, enum trod_operator before, uint32_t yes,
    uint32_t no)
{
    const struct trod_statement *s = &t->of->statement[number];

    c->whole &= s->linear;
    for (uint32_t i = 0; i < s->nleaf && c->whole; i++) {
        const struct trod_leaf *leaf = &t->of->leaf[s->first + i];
        uint32_t to[2];

        for (int k = 0; k < 2; k++)
            to[k] = leaf->to[k] == s->yes  ? yes
                    : leaf->to[k] == s->no ? no
                                           : leaf->to[k];
        trod_decision_add_value(t, c, s->first + i, i ? leaf->enter : enter,
            i ? leaf->before : before, to[0], to[1]);
    }
}

void trod_decision_add_value(const struct decider *t, struct condition_chain *c,
    uint32_t number, uint32_t enter, enum trod_operator before, uint32_t yes,
    uint32_t no)
{
    const struct trod_leaf *leaf = &t->of->leaf[number];
    const struct trod_statement *s;

    if (c->n == MOST_LEAVES)
        c->whole = false;
    if (!c->whole)
        return;
    if (leaf->scalar == TROD_NO_BLOCK) {
        c->link[c->n++] =
            (struct chain_link){number, enter, before, {yes, no}, -1, false};
        return;
    }
    s = &t->of->statement[leaf->scalar];
    if (leaf->negated) {
        uint32_t other = yes;

        yes = no;
        no = other;
    }
    if (s->scalar == TROD_JOINS_AND)
        add_statement(t, c, leaf->scalar, enter, before, s->yes, no);
    else
        add_statement(t, c, leaf->scalar, enter, before, yes, s->no);
    if (c->whole)
        trod_decision_add_value(
            t, c, s->right, t->of->leaf[s->right].enter, s->scalar, yes, no);
}

/* --- values ----------------------------------------------------------------------------------------- */

static LLVMIntPredicate opposite_of(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntEQ:
        return LLVMIntNE;
    case LLVMIntNE:
        return LLVMIntEQ;
    case LLVMIntUGT:
        return LLVMIntULE;
    case LLVMIntULE:
        return LLVMIntUGT;
    case LLVMIntUGE:
        return LLVMIntULT;
    case LLVMIntULT:
        return LLVMIntUGE;
    case LLVMIntSGT:
        return LLVMIntSLE;
    case LLVMIntSLE:
        return LLVMIntSGT;
    case LLVMIntSGE:
        return LLVMIntSLT;
    default:
        return LLVMIntSGE;
    }
}

static LLVMIntPredicate mirrored(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntUGT:
        return LLVMIntULT;
    case LLVMIntUGE:
        return LLVMIntULE;
    case LLVMIntULT:
        return LLVMIntUGT;
    case LLVMIntULE:
        return LLVMIntUGE;
    case LLVMIntSGT:
        return LLVMIntSLT;
    case LLVMIntSGE:
        return LLVMIntSLE;
    case LLVMIntSLT:
        return LLVMIntSGT;
    case LLVMIntSLE:
        return LLVMIntSGE;
    default:
        return p;
    }
}

/* Of floating-point predicates: the bits are equal, greater, less, unordered. */
static LLVMIntPredicate mirrored_real(unsigned p)
{
    return (LLVMIntPredicate)((p & 9) | (p & 2) << 1 | (p & 4) >> 1);
}

/* Did the optimiser invert a comparison? 0: unchanged; 1: inverted; -1: unknown. A value
 * other than a comparison of the same operands counts as unchanged: the optimiser replaces a
 * comparison by another value only if that is equal to it.
 */
static int inversion_of(
    const struct trod_leaf *leaf, const struct trod_bridge_tracked *now)
{
    LLVMIntPredicate p = leaf->predicate, q;
    bool same, swapped;

    if (!now->left || !LLVMIsAInstruction(now->value) ||
        LLVMGetInstructionOpcode(now->value) != (leaf->real ? LLVMFCmp : LLVMICmp))
        return 0;
    same = LLVMGetOperand(now->value, 0) == now->left &&
           LLVMGetOperand(now->value, 1) == now->right;
    swapped = LLVMGetOperand(now->value, 0) == now->right &&
              LLVMGetOperand(now->value, 1) == now->left;
    if (!same && !swapped)
        return now->value == leaf->value ? -1 : 0;
    q = leaf->real ? (LLVMIntPredicate)LLVMGetFCmpPredicate(now->value)
                   : LLVMGetICmpPredicate(now->value);
    if (!same)
        q = leaf->real ? mirrored_real(q) : mirrored(q);
    if (q == p)
        return 0;
    return q == (leaf->real ? (LLVMIntPredicate)(LLVMRealPredicateTrue - p)
                            : opposite_of(p))
               ? 1
               : -1;
}

LLVMValueRef trod_decision_without_not(LLVMValueRef value, bool *negated)
{
    while (LLVMIsAInstruction(value)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(value);

        if (op == LLVMXor && LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
            *negated = !*negated;
        else if (op != LLVMFreeze)
            break;
        value = LLVMGetOperand(value, 0);
    }
    return value;
}

/* Does the computation of `of`, by logical operations only, use the value `part`? */
bool trod_decision_is_part(LLVMValueRef part, LLVMValueRef of, unsigned depth)
{
    bool negated = false;
    LLVMValueRef v = trod_decision_without_not(of, &negated);
    int n;

    if (v == part)
        return true;
    if (!depth || !LLVMIsAInstruction(v))
        return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSelect:
    case LLVMAnd:
    case LLVMOr:
        n = LLVMGetNumOperands(v);
        break;
    default:
        return false;
    }
    for (int i = 0; i < n; i++)
        if (trod_decision_is_part(part, LLVMGetOperand(v, (unsigned)i), depth - 1))
            return true;
    return false;
}

/* Finds the current value of a leaf that `value` depends on, and makes it an atom. */
static void find_atom(const struct decider *t, struct condition_chain *c,
    struct chain_link *link, LLVMValueRef value)
{
    for (const struct known_value *k = t->first_of_leaf[link->leaf]; k; k = k->next) {
        bool opposite = false;
        LLVMValueRef now = trod_decision_without_not(k->now.value, &opposite);
        int inverted = inversion_of(&t->of->leaf[link->leaf], &k->now);
        unsigned i = 0;

        if (inverted < 0 || LLVMIsConstant(now) ||
            !trod_decision_is_part(now, value, DEPTH))
            continue;
        while (i < c->natom && c->atom[i] != now)
            i++;
        if (i == MOST_ATOMS)
            return;
        if (i == c->natom)
            c->atom[c->natom++] = now;
        link->atom = (int)i;
        link->opposite = opposite != inverted;
        return;
    }
}

/* Evaluates `value` for an assignment of the atoms, given as bits. False: it is not a function of
 * these atoms. */
static bool evaluate(bool *out, const struct condition_chain *c, LLVMValueRef value,
    unsigned bits, unsigned depth)
{
    bool negated = false, x, y;
    LLVMValueRef v = trod_decision_without_not(value, &negated);

    if (!depth)
        return false;
    for (unsigned i = 0; i < c->natom; i++)
        if (c->atom[i] == v) {
            *out = (bits >> i & 1) != negated;
            return true;
        }
    if (LLVMIsAConstantInt(v)) {
        *out = (LLVMConstIntGetZExtValue(v) != 0) != negated;
        return true;
    }
    if (!LLVMIsAInstruction(v))
        return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSelect:
        if (!evaluate(&x, c, LLVMGetOperand(v, 0), bits, depth - 1) ||
            !evaluate(&y, c, LLVMGetOperand(v, x ? 1 : 2), bits, depth - 1))
            return false;
        *out = y != negated;
        return true;
    case LLVMAnd:
    case LLVMOr:
        if (!evaluate(&x, c, LLVMGetOperand(v, 0), bits, depth - 1) ||
            !evaluate(&y, c, LLVMGetOperand(v, 1), bits, depth - 1))
            return false;
        *out = (LLVMGetInstructionOpcode(v) == LLVMAnd ? x && y : x || y) != negated;
        return true;
    default:
        return false;
    }
}

/* --- units ------------------------------------------------------------------------------------------- */

struct unit {
    uint32_t from, to; /* first and last link */
    uint32_t way[2];   /* the two blocks it leads to */
    uint32_t nway;
};

/* Where links from..to lead under an assignment of the atoms. */
static uint32_t leave_by(
    const struct condition_chain *c, uint32_t from, uint32_t to, unsigned bits)
{
    uint32_t at = from, where;

    for (;;) {
        const struct chain_link *link = &c->link[at];

        where = link->to[(bits >> link->atom & 1) == link->opposite];
        do
            at++;
        while (at <= to && c->link[at].enter != where);
        if (at > to)
            return where;
    }
}

static bool find_ways(struct unit *out, const struct condition_chain *c)
{
    out->nway = 0;
    for (uint32_t i = out->from; i <= out->to; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t where = c->link[i].to[k], j = 0;
            bool inside = false;

            for (uint32_t q = i + 1; q <= out->to; q++)
                inside |= c->link[q].enter == where;
            while (j < out->nway && out->way[j] != where)
                j++;
            if (inside || j < out->nway)
                continue;
            if (j == 2)
                return false;
            out->way[out->nway++] = where;
        }
    return out->nway == 2;
}

/* The block that a unit leads to if it is true as written. TROD_NO_BLOCK: unknown. */
static uint32_t true_end(
    const struct decider *t, const struct condition_chain *c, const struct unit *u)
{
    uint32_t left = TROD_NO_BLOCK, right = TROD_NO_BLOCK, far;

    if (u->from == u->to) {
        const struct chain_link *link = &c->link[u->from];
        int yes = t->of->leaf[link->leaf].yes;

        return yes < 0 ? TROD_NO_BLOCK : link->to[yes];
    }
    if (!u->from && u->to + 1 == c->n)
        return c->yes;
    for (int k = 0; k < 2 && u->to + 1 < c->n; k++)
        if (u->way[k] == c->link[u->to + 1].enter)
            right = u->way[c->link[u->to + 1].before == TROD_JOINS_AND ? k : 1 - k];
    if (u->from) {
        const struct chain_link *before = &c->link[u->from - 1];

        far = before->to[before->to[0] == c->link[u->from].enter];
        for (int k = 0; k < 2; k++)
            if (u->way[k] == far)
                left = u->way[c->link[u->from].before == TROD_JOINS_OR ? k : 1 - k];
        if (left != TROD_NO_BLOCK && u->to + 1 < c->n &&
            far == c->link[u->to + 1].enter)
            return left;
    }
    if (left == TROD_NO_BLOCK || right == TROD_NO_BLOCK || left == right)
        return left == TROD_NO_BLOCK ? right : left;
    return TROD_NO_BLOCK;
}

/* Compares the truth tables of a value and a unit. 1: equal; -1: opposite; 0: neither. */
static int compare(
    const struct condition_chain *c, const struct unit *u, LLVMValueRef value)
{
    bool same = true, other = true;

    for (uint32_t i = u->from; i <= u->to; i++)
        if (c->link[i].atom < 0)
            return 0;
    for (unsigned bits = 0; bits < 1u << c->natom && (same || other); bits++) {
        bool is;

        if (!evaluate(&is, c, value, bits, DEPTH))
            return 0;
        is = is == (leave_by(c, u->from, u->to, bits) == u->way[0]);
        same &= is;
        other &= !is;
    }
    return same ? 1 : other ? -1 : 0;
}

/* Describes the unit, if the value is equal to it or its opposite. */
static struct decision_answer ask(const struct decider *t,
    const struct condition_chain *c, struct unit *u, LLVMValueRef value)
{
    const struct trod_leaf *leaf = &t->of->leaf[c->link[u->from].leaf];
    struct decision_answer answer = {.file = leaf->file,
        .line = leaf->line,
        .column = leaf->column,
        .nleaf = u->to - u->from + 1};
    int is = find_ways(u, c) ? compare(c, u, value) : 0;
    uint32_t yes = is ? true_end(t, c, u) : TROD_NO_BLOCK;

    if (!is)
        return answer;
    answer.found = true;
    for (uint32_t i = u->from; i <= u->to; i++)
        answer.leaf[i - u->from] = c->link[i].leaf;
    if (yes == TROD_NO_BLOCK)
        return answer;
    answer.known = true;
    answer.first = (yes == u->way[0]) == (is > 0);
    return answer;
}

static bool has_ends(const struct condition_chain *c)
{
    for (unsigned k = 0; k < c->n; k++)
        if (c->link[k].to[0] == TROD_NO_BLOCK || c->link[k].to[1] == TROD_NO_BLOCK)
            return false;
    return true;
}

/* The statement that finally consumes the value of this one. */
uint32_t trod_decision_root_of(const struct decider *t, uint32_t statement)
{
    for (uint32_t n = 0;
        t->of->statement[statement].consumer != TROD_NO_BLOCK && n < t->of->nstatement;
        n++)
        statement = t->of->statement[statement].consumer;
    return statement;
}

static bool build_chain(struct condition_chain *c, const struct decider *t,
    uint32_t statement, LLVMValueRef value)
{
    const struct trod_statement *s;

    statement = trod_decision_root_of(t, statement);
    s = &t->of->statement[statement];
    *c = (struct condition_chain){.yes = s->yes, .no = s->no, .whole = true};
    add_statement(t, c, statement, TROD_NO_BLOCK, TROD_JOINS_NONE, s->yes, s->no);
    for (uint32_t i = 0; i < c->n; i++)
        find_atom(t, c, &c->link[i], value);
    return c->whole && has_ends(c);
}

/* Treats the leaf alone, for statements that are too long or not a chain. */
static struct decision_answer ask_leaf(
    const struct decider *t, uint32_t number, LLVMValueRef value)
{
    const struct trod_leaf *leaf = &t->of->leaf[number];
    struct condition_chain c = {.n = 1,
        .link = {{.leaf = number,
            .enter = TROD_NO_BLOCK,
            .to = {leaf->to[0], leaf->to[1]},
            .atom = -1}}};
    struct unit u = {0};

    find_atom(t, &c, &c.link[0], value);
    return ask(t, &c, &u, value);
}

/* Can a branch that was on leaf `number` now decide this unit? The optimiser merges other
 * conditions into a branch but keeps its own, so the unit must contain the leaf. If the leaf was
 * the value of && or ||, the leaves before it that are outside of the unit must have branches of
 * their own: otherwise the two sides may have become the same value.
 */
static bool may_be(const struct decider *t, const struct condition_chain *c,
    const struct unit *u, uint32_t number)
{
    for (uint32_t i = 0; i < c->n; i++) {
        bool inside = i >= u->from && i <= u->to;

        if (c->link[i].leaf == number)
            return inside;
        if (t->of->leaf[number].scalar != TROD_NO_BLOCK && !inside &&
            !t->has_branch[c->link[i].leaf])
            return false;
    }
    return t->of->leaf[number].scalar != TROD_NO_BLOCK;
}

/* The smallest unit that a branch decides. If there are several of that size, it is ambiguous and
 * none is returned. */
static struct decision_answer ask_chain(
    const struct decider *t, uint32_t number, LLVMValueRef value)
{
    struct decision_answer answer = {0}, other;
    struct condition_chain c;

    if (!build_chain(&c, t, t->of->leaf[number].statement, value))
        return answer;
    for (uint32_t size = 0; size < c.n && !answer.found; size++)
        for (uint32_t from = 0; from + size < c.n; from++) {
            struct unit u = {.from = from, .to = from + size};

            if (!may_be(t, &c, &u, number))
                continue;
            other = ask(t, &c, &u, value);
            if (!other.found)
                continue;
            if (answer.found)
                return (struct decision_answer){0};
            answer = other;
        }
    return answer;
}

/* Tries the leaf that the branch was on first, then the whole chain. A branch on the value of && or
 * || may have become one on its right side only, so the chain is tried first there.
 */
struct decision_answer trod_decision_ask_branch(
    const struct decider *t, uint32_t number, LLVMValueRef value)
{
    bool negated = false;
    struct decision_answer answer = {0};

    if (t->of->leaf[number].scalar != TROD_NO_BLOCK &&
        !LLVMIsAPHINode(trod_decision_without_not(value, &negated)))
        answer = ask_chain(t, number, value);
    if (!answer.known)
        answer = ask_leaf(t, number, value);
    return answer.found ? answer : ask_chain(t, number, value);
}
