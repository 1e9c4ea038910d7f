#include "llvm/source/condition.h"
#include "llvm/source/location.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

/* More of a statement are not compared: 2 to the power of this. */
enum { MOST_ATOMS = 8, MOST_LEAVES = 16, DEPTH = 16 };

/* Cases that are named on the way of another. */
enum { MOST_MERGED = 8 };

/* A leaf where all of a statement is one chain, scalars gone into. */
struct link {
    uint32_t leaf;
    uint32_t enter;
    enum trod_operator before;
    uint32_t to
        [2]; /* where its value is true, and where not: a block that some link is entered by, or an end */
    int atom;      /* the value that it depends on; -1: none is known */
    bool opposite; /* it is the opposite of that */
};

struct chain {
    uint32_t n;
    struct link link[MOST_LEAVES];
    uint32_t yes, no; /* ends */
    LLVMValueRef atom[MOST_ATOMS];
    unsigned natom;
    bool whole; /* all of it is here */
};

struct known {
    struct trod_bridge_tracked now;
    struct known *next;
};

struct telling {
    const struct trod_body *body;
    const struct trod_conditions *of;
    struct known **first_of_leaf; /* values that it has now */
    bool *has_branch;             /* of each leaf */
    struct trod_arena *mem;
};

/* What is known of a decision: the unit that it is of, and whether the first way is where that is true. */
struct answer {
    bool found; /* it is of a unit */
    bool known, first;
    LLVMMetadataRef file;
    uint32_t line, column;
    uint32_t nleaf;
    uint32_t leaf[MOST_LEAVES];
};

/* --- statements as chains ------------------------------------------------------------------------- */

static void add_value(const struct telling *t, struct chain *c, uint32_t leaf,
    uint32_t enter, enum trod_operator before, uint32_t yes, uint32_t no);

/* The leaves of a statement; its ends are where these lead to. */
static void add_statement(const struct telling *t, struct chain *c, uint32_t number,
    uint32_t enter, enum trod_operator before, uint32_t yes, uint32_t no)
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
        add_value(t, c, s->first + i, i ? leaf->enter : enter,
            i ? leaf->before : before, to[0], to[1]);
    }
}

static void add_value(const struct telling *t, struct chain *c, uint32_t number,
    uint32_t enter, enum trod_operator before, uint32_t yes, uint32_t no)
{
    const struct trod_leaf *leaf = &t->of->leaf[number];
    const struct trod_statement *s;

    if (c->n == MOST_LEAVES)
        c->whole = false;
    if (!c->whole)
        return;
    if (leaf->scalar == TROD_NO_BLOCK) {
        c->link[c->n++] = (struct link){number, enter, before, {yes, no}, -1, false};
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
        add_value(t, c, s->right, t->of->leaf[s->right].enter, s->scalar, yes, no);
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

/* Reals: bits of a predicate are equal, greater, less, unordered. */
static LLVMIntPredicate mirrored_real(unsigned p)
{
    return (LLVMIntPredicate)((p & 9) | (p & 2) << 1 | (p & 4) >> 1);
}

/* A comparison may have been made its own opposite. 0: it is as it was; 1: the opposite; -1: not known. What is no comparison of the same has taken the
 * place of one that was as it was: a value that is known can stand for that, and none for the opposite.
 */
static int turned(const struct trod_leaf *leaf, const struct trod_bridge_tracked *now)
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

static LLVMValueRef without_not(LLVMValueRef value, bool *negated)
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

/* Is a value part of what another is computed from, as a logical function? */
static bool is_part(LLVMValueRef part, LLVMValueRef of, unsigned depth)
{
    bool negated = false;
    LLVMValueRef v = without_not(of, &negated);
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
        if (is_part(part, LLVMGetOperand(v, (unsigned)i), depth - 1))
            return true;
    return false;
}

/* The value of a leaf that a branch on `value` depends on: the leaf itself, or one of its copies. */
static void find_atom(
    const struct telling *t, struct chain *c, struct link *link, LLVMValueRef value)
{
    for (const struct known *k = t->first_of_leaf[link->leaf]; k; k = k->next) {
        bool opposite = false;
        LLVMValueRef now = without_not(k->now.value, &opposite);
        int turn = turned(&t->of->leaf[link->leaf], &k->now);
        unsigned i = 0;

        if (turn < 0 || LLVMIsConstant(now) || !is_part(now, value, DEPTH))
            continue;
        while (i < c->natom && c->atom[i] != now)
            i++;
        if (i == MOST_ATOMS)
            return;
        if (i == c->natom)
            c->atom[c->natom++] = now;
        link->atom = (int)i;
        link->opposite = opposite != turn;
        return;
    }
}

/* What a value is if atoms are as the bits say. False: it is no function of these. */
static bool evaluate(
    bool *out, const struct chain *c, LLVMValueRef value, unsigned bits, unsigned depth)
{
    bool negated = false, x, y;
    LLVMValueRef v = without_not(value, &negated);

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
    uint32_t from, to; /* links */
    uint32_t way[2];   /* where it leads to */
    uint32_t nway;
};

/* Where leaves from..to lead if atoms are as the bits say. */
static uint32_t leave_by(
    const struct chain *c, uint32_t from, uint32_t to, unsigned bits)
{
    uint32_t at = from, where;

    for (;;) {
        const struct link *link = &c->link[at];

        where = link->to[(bits >> link->atom & 1) == link->opposite];
        do
            at++;
        while (at <= to && c->link[at].enter != where);
        if (at > to)
            return where;
    }
}

static bool find_ways(struct unit *out, const struct chain *c)
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

/* Where a unit is true, as it is written. TROD_NO_BLOCK: not known. As tell_ways of condition.c does it for a leaf. */
static uint32_t true_end(
    const struct telling *t, const struct chain *c, const struct unit *u)
{
    uint32_t left = TROD_NO_BLOCK, right = TROD_NO_BLOCK, far;

    if (u->from == u->to) {
        const struct link *link = &c->link[u->from];
        int yes = t->of->leaf[link->leaf].yes;

        return yes < 0 ? TROD_NO_BLOCK : link->to[yes];
    }
    if (!u->from && u->to + 1 == c->n)
        return c->yes;
    for (int k = 0; k < 2 && u->to + 1 < c->n; k++)
        if (u->way[k] == c->link[u->to + 1].enter)
            right = u->way[c->link[u->to + 1].before == TROD_JOINS_AND ? k : 1 - k];
    if (u->from) {
        const struct link *before = &c->link[u->from - 1];

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

/* Is a value a unit, or its opposite? 1, -1; 0: neither. */
static int compare(const struct chain *c, const struct unit *u, LLVMValueRef value)
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

/* The answer of a unit, if the value is that. */
static struct answer ask(
    const struct telling *t, const struct chain *c, struct unit *u, LLVMValueRef value)
{
    const struct trod_leaf *leaf = &t->of->leaf[c->link[u->from].leaf];
    struct answer answer = {.file = leaf->file,
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

static bool has_ends(const struct chain *c)
{
    for (unsigned k = 0; k < c->n; k++)
        if (c->link[k].to[0] == TROD_NO_BLOCK || c->link[k].to[1] == TROD_NO_BLOCK)
            return false;
    return true;
}

/* The statement that a value ends up in. */
static uint32_t root_of(const struct telling *t, uint32_t statement)
{
    for (uint32_t n = 0;
        t->of->statement[statement].consumer != TROD_NO_BLOCK && n < t->of->nstatement;
        n++)
        statement = t->of->statement[statement].consumer;
    return statement;
}

static bool build_chain(
    struct chain *c, const struct telling *t, uint32_t statement, LLVMValueRef value)
{
    const struct trod_statement *s;

    statement = root_of(t, statement);
    s = &t->of->statement[statement];
    *c = (struct chain){.yes = s->yes, .no = s->no, .whole = true};
    add_statement(t, c, statement, TROD_NO_BLOCK, TROD_JOINS_NONE, s->yes, s->no);
    for (uint32_t i = 0; i < c->n; i++)
        find_atom(t, c, &c->link[i], value);
    return c->whole && has_ends(c);
}

/* A statement that is no chain, or too long for one: the leaf by itself. */
static struct answer ask_leaf(
    const struct telling *t, uint32_t number, LLVMValueRef value)
{
    const struct trod_leaf *leaf = &t->of->leaf[number];
    struct chain c = {.n = 1,
        .link = {{.leaf = number,
            .enter = TROD_NO_BLOCK,
            .to = {leaf->to[0], leaf->to[1]},
            .atom = -1}}};
    struct unit u = {0};

    find_atom(t, &c, &c.link[0], value);
    return ask(t, &c, &u, value);
}

/* Can a branch that was on a leaf be of this unit? Others' conditions were merged into it, and it still has its own. Where it was on
 * the value of && or ||, leaves that it does not have must have branches of their own: the two sides may have come to the same.
 */
static bool may_be(const struct telling *t, const struct chain *c, const struct unit *u,
    uint32_t number)
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

/* The smallest unit that a branch decides; where there are two of a size, none. */
static struct answer ask_chain(
    const struct telling *t, uint32_t number, LLVMValueRef value)
{
    struct answer answer = {0}, other;
    struct chain c;

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
                return (struct answer){0};
            answer = other;
        }
    return answer;
}

/* The leaf that a branch was of comes first; others must agree. A branch on the value of && or || may be one on its right side
 * by now: that is the leaf then.
 */
static struct answer ask_branch(
    const struct telling *t, uint32_t number, LLVMValueRef value)
{
    bool negated = false;
    struct answer answer = {0};

    if (t->of->leaf[number].scalar != TROD_NO_BLOCK &&
        !LLVMIsAPHINode(without_not(value, &negated)))
        answer = ask_chain(t, number, value);
    if (!answer.known)
        answer = ask_leaf(t, number, value);
    return answer.found ? answer : ask_chain(t, number, value);
}

/* --- the section --------------------------------------------------------------------------------------- */

static void put_head(struct trod_sink *sink, const struct trod_body *body, bool *any)
{
    if (*any)
        return;
    trod_put(sink, "decisions ");
    trod_put_name(sink, body->name);
    trod_put(sink, "\n");
    *any = true;
}

/* Branches on conditions, and how often each is decided. */
struct branches {
    struct answer *answer; /* of each block */
    uint32_t *of_leaf;     /* how many branches decide it */
    bool *lost;            /* of each statement: some branch of it could not be told */
};

static bool is_branch(const struct telling *t, LLVMValueRef last, uint32_t *number)
{
    *number = t->of && LLVMIsABranchInst(last) && LLVMIsConditional(last)
                  ? trod_llvm_number_of(last)
                  : TROD_NO_BLOCK;
    return *number != TROD_NO_BLOCK && *number < t->of->nleaf;
}

/* Is the value of a leaf part of another? */
static bool has_part(const struct telling *t, uint32_t leaf, LLVMValueRef value)
{
    for (const struct known *k = t->first_of_leaf[leaf]; k; k = k->next) {
        bool negated = false;

        if (is_part(without_not(k->now.value, &negated), value, DEPTH))
            return true;
    }
    return false;
}

/* Is a value that of a leaf, and nothing else? */
static bool is_value_of(const struct telling *t, uint32_t leaf, LLVMValueRef value)
{
    bool negated = false;

    value = without_not(value, &negated);
    for (const struct known *k = t->first_of_leaf[leaf]; k; k = k->next)
        if (without_not(k->now.value, &negated) == value)
            return true;
    return false;
}

/* A branch that cannot be told may be one of several statements at once. */
static void lose(
    struct branches *out, const struct telling *t, uint32_t number, LLVMValueRef value)
{
    out->lost[root_of(t, t->of->leaf[number].statement)] = true;
    for (uint32_t i = 0; i < t->of->nleaf; i++) {
        bool *lost = &out->lost[root_of(t, t->of->leaf[i].statement)];

        *lost = *lost || has_part(t, i, value);
    }
}

static void ask_branches(struct branches *out, const struct telling *t)
{
    uint32_t nnode = t->body->graph.nnode, number;

    out->answer = trod_new(t->mem, struct answer, nnode);
    out->of_leaf = trod_new(t->mem, uint32_t, t->of->nleaf);
    out->lost = trod_new(t->mem, bool, t->of->nstatement);
    for (trod_node v = 0; v < nnode; v++)
        if (is_branch(t, LLVMGetBasicBlockTerminator(t->body->block[v]), &number))
            t->has_branch[number] = true;
    for (trod_node v = 0; v < nnode; v++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(t->body->block[v]);
        struct answer *answer = &out->answer[v];

        if (!is_branch(t, last, &number))
            continue;
        *answer = ask_branch(t, number, LLVMGetCondition(last));
        for (uint32_t i = 0; answer->found && i < answer->nleaf; i++)
            out->of_leaf[answer->leaf[i]]++;
        if (!answer->found)
            lose(out, t, number, LLVMGetCondition(last));
    }
}

/* Is the condition decided here and nowhere else? */
static bool is_whole(
    const struct telling *t, const struct branches *b, const struct answer *answer)
{
    for (uint32_t i = 0; i < answer->nleaf; i++) {
        uint32_t leaf = answer->leaf[i];

        if (b->of_leaf[leaf] > 1 ||
            t->of->statement[t->of->leaf[leaf].statement].settled ||
            b->lost[root_of(t, t->of->leaf[leaf].statement)])
            return false;
    }
    return true;
}

/* The block, where its decision stands, and of how many conditions it is. */
static void put_place(struct trod_sink *sink, const struct telling *t, trod_node v,
    LLVMMetadataRef file, uint32_t line, uint32_t column, uint32_t ncondition)
{
    const char *name = file && !trod_location_is_same_file(
                                   file, trod_location_own_file(t->body->function))
                           ? trod_location_file_name(file, t->mem)
                           : NULL;

    trod_put(sink, "%u: %u %u %u", v, line, column, ncondition);
    if (name) {
        trod_put(sink, " in ");
        trod_put_name(sink, name);
    }
}

/* The same of a switch, or a call that may throw, by its debug location; NULL: it has none. */
static void put_location(
    struct trod_sink *sink, const struct telling *t, trod_node v, LLVMMetadataRef at)
{
    put_place(sink, t, v, at ? trod_location_file(at) : NULL,
        at ? LLVMDILocationGetLine(at) : 0, at ? LLVMDILocationGetColumn(at) : 0, 0);
}

/* A branch on the value of && or || decides all of its conditions at once. */
static uint32_t count_conditions(const struct telling *t, const struct answer *answer)
{
    struct chain c = {.whole = true};

    if (answer->nleaf > 1 || t->of->leaf[answer->leaf[0]].scalar == TROD_NO_BLOCK)
        return answer->nleaf;
    add_value(t, &c, answer->leaf[0], TROD_NO_BLOCK, TROD_JOINS_NONE, TROD_NO_BLOCK,
        TROD_NO_BLOCK);
    return c.whole ? c.n : MOST_LEAVES;
}

static void put_branch(struct trod_sink *sink, const struct telling *t,
    const struct branches *b, trod_node v, bool *any)
{
    const struct answer *answer = &b->answer[v];

    if (!answer->known)
        return;
    put_head(sink, t->body, any);
    put_place(sink, t, v, answer->file, answer->line, answer->column,
        count_conditions(t, answer));
    trod_put(sink, "%s %s\n", is_whole(t, b, answer) ? "" : " *",
        answer->first ? "T F" : "F T");
}

static const char *label_of(const struct trod_cases *cases, int64_t value)
{
    for (uint32_t i = 0; i < cases->nlabel; i++)
        if (cases->label[i].value == value)
            return cases->label[i].text;
    return NULL;
}

static bool had_case(const struct trod_cases *cases, int64_t value)
{
    for (uint32_t i = 0; i < cases->nvalue; i++)
        if (cases->value[i] == value)
            return true;
    return !cases->nvalue;
}

/* How values of a switch were made smaller: by what was subtracted, and by how many bits they were shifted. */
struct scale {
    uint64_t base;
    unsigned shift;
};

static int64_t case_value(
    LLVMValueRef instruction, struct scale scale, unsigned successor)
{
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(instruction, 0)));
    int64_t value =
        LLVMConstIntGetSExtValue(LLVMGetOperand(instruction, 2 * successor));
    uint64_t was = ((uint64_t)value << scale.shift) + scale.base;

    if (!scale.shift && !scale.base)
        return value;
    if (width < 64) {
        was &= (UINT64_C(1) << width) - 1;
        was |= was >> (width - 1) ? ~((UINT64_C(1) << width) - 1) : 0;
    }
    return (int64_t)was;
}

/* What a rotation to the right is of, and by how many bits; NULL: it is none. */
static LLVMValueRef rotated(LLVMValueRef value, unsigned *bits)
{
    LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    size_t length;

    if (!callee || !LLVMIsAFunction(callee) ||
        strncmp(LLVMGetValueName2(callee, &length), "llvm.fshl.", 10) != 0 ||
        LLVMGetOperand(value, 0) != LLVMGetOperand(value, 1) ||
        !LLVMIsAConstantInt(LLVMGetOperand(value, 2)))
        return NULL;
    *bits =
        width - (unsigned)(LLVMConstIntGetZExtValue(LLVMGetOperand(value, 2)) % width);
    return *bits < 64 ? LLVMGetOperand(value, 0) : NULL;
}

/* Cases with large gaps of one size between them are made dense: the optimizer subtracts the least value, and rotates by the bits
 * that all others have not set.
 */
static struct scale find_scale(const struct trod_cases *cases, LLVMValueRef last)
{
    struct scale scale = {0};
    LLVMValueRef value = rotated(LLVMGetOperand(last, 0), &scale.shift);

    if (!value)
        return (struct scale){0};
    if (LLVMIsABinaryOperator(value) && LLVMIsAConstantInt(LLVMGetOperand(value, 1))) {
        uint64_t by = (uint64_t)LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));

        if (LLVMGetInstructionOpcode(value) == LLVMSub)
            scale.base = by;
        else if (LLVMGetInstructionOpcode(value) == LLVMAdd)
            scale.base = 0 - by;
    }
    for (unsigned i = 1; i < LLVMGetNumSuccessors(last); i++)
        if (!had_case(cases, case_value(last, scale, i)))
            return (struct scale){0};
    return scale;
}

static bool has_case(LLVMValueRef instruction, struct scale scale, int64_t value)
{
    for (unsigned i = 1; i < LLVMGetNumSuccessors(instruction); i++)
        if (case_value(instruction, scale, i) == value)
            return true;
    return false;
}

/* Cases that the source does not have. */
static unsigned count_new(
    const struct trod_cases *cases, LLVMValueRef last, struct scale scale)
{
    unsigned n = 0;

    for (unsigned i = 1; i < LLVMGetNumSuccessors(last); i++)
        n += !had_case(cases, case_value(last, scale, i));
    return n;
}

static const char *case_text(
    const struct trod_cases *cases, int64_t value, struct trod_arena *mem)
{
    const char *label = label_of(cases, value);
    struct trod_string digits;

    if (label)
        return label;
    trod_string_init(&digits, mem);
    trod_put(&digits.sink, "case %" PRId64, value);
    return digits.text;
}

/* The way that no case of the switch takes. Cases that led where it does are gone, and are counted there: they are named before it.
 * Where one value alone is left for the default, the optimizer makes it a case, and nothing leads to the default any more.
 */
static void put_otherwise(struct trod_sink *sink, const struct telling *t,
    const struct trod_cases *cases, LLVMValueRef last, struct scale scale)
{
    const char *named[MOST_MERGED];
    unsigned n = 0, more = 0;
    struct trod_string text;

    trod_string_init(&text, t->mem);
    for (uint32_t i = 0; i < cases->nvalue; i++) {
        const char *label;
        unsigned k = 0;

        if (has_case(last, scale, cases->value[i]))
            continue;
        label = case_text(cases, cases->value[i], t->mem);
        while (k < n && strcmp(named[k], label) != 0)
            k++;
        if (k < n)
            continue;
        if (n == MOST_MERGED) {
            more++;
            continue;
        }
        named[n++] = label;
        trod_put(&text.sink, "%s or ", label);
    }
    if (more)
        trod_put(&text.sink, "%u more or ", more);
    trod_put(&text.sink, "%s",
        count_new(cases, last, scale) ? "unreachable" : cases->otherwise);
    trod_put_name(sink, text.text);
}

static void put_switch(struct trod_sink *sink, const struct telling *t, trod_node v,
    LLVMValueRef last, bool *any)
{
    uint32_t number = t->of ? trod_llvm_number_of(last) : TROD_NO_BLOCK;
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(last);
    const struct trod_cases *cases;
    struct scale scale = {0};

    if (number == TROD_NO_BLOCK || number >= t->of->ncases)
        return;
    cases = &t->of->cases[number];
    if (!cases->own)
        scale = find_scale(cases, last);
    if (!cases->own && count_new(cases, last, scale) > 1)
        return; /* other values than those of the source */
    put_head(sink, t->body, any);
    if (cases->own) {
        trod_put(sink, "%u: 0 0 0", v);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
            trod_put(sink, " \"-\"");
        trod_put(sink, "\n");
        return;
    }
    put_location(sink, t, v, at);
    trod_put(sink, " ");
    put_otherwise(sink, t, cases, last, scale);
    for (unsigned i = 1; i < LLVMGetNumSuccessors(last); i++) {
        int64_t value = case_value(last, scale, i);

        trod_put(sink, " ");
        trod_put_name(sink, had_case(cases, value) ? case_text(cases, value, t->mem)
                                                   : cases->otherwise);
    }
    trod_put(sink, "\n");
}

static void put_invoke(struct trod_sink *sink, const struct telling *t, trod_node v,
    LLVMValueRef last, bool *any)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(last);

    put_head(sink, t->body, any);
    put_location(sink, t, v, at);
    trod_put(sink, " returns throws\n");
}

/* Is a value that of a leaf of the statement that another leaf is of? */
static bool is_of_statement(const struct telling *t, uint32_t leaf, LLVMValueRef value)
{
    uint32_t statement = root_of(t, t->of->leaf[leaf].statement);

    for (uint32_t i = 0; i < t->of->nleaf; i++)
        if (root_of(t, t->of->leaf[i].statement) == statement &&
            is_value_of(t, i, value))
            return true;
    return false;
}

/* Did a leaf become part of the branch of another statement? A condition that both have is the statement's own: the optimizer
 * evaluates it once.
 */
static bool is_merged(
    const struct telling *t, uint32_t leaf, uint32_t number, LLVMValueRef value)
{
    for (const struct known *k = t->first_of_leaf[leaf]; k; k = k->next) {
        bool negated = false;
        LLVMValueRef now = without_not(k->now.value, &negated);

        if (!LLVMIsConstant(now) && is_part(now, value, DEPTH) &&
            !is_of_statement(t, number, now))
            return true;
    }
    return false;
}

/* Conditions of other lines that became part of the branch of a block. */
static void put_merged(struct trod_sink *sink, const struct telling *t)
{
    const struct trod_body *body = t->body;
    LLVMMetadataRef own = trod_location_own_file(body->function);
    uint32_t number;
    bool any = false;

    for (trod_node v = 0; v < body->graph.nnode; v++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(body->block[v]);

        if (!is_branch(t, last, &number) ||
            is_value_of(t, number, LLVMGetCondition(last)))
            continue;
        for (uint32_t i = 0; i < t->of->nleaf; i++) {
            const struct trod_leaf *leaf = &t->of->leaf[i];

            if (i == number || !leaf->line || leaf->line == t->of->leaf[number].line ||
                !trod_location_is_same_file(leaf->file, own) ||
                !is_merged(t, i, number, LLVMGetCondition(last)))
                continue;
            if (!any) {
                trod_put(sink, "merged ");
                trod_put_name(sink, body->name);
            }
            any = true;
            trod_put(sink, " %u %u", v, leaf->line);
        }
    }
    trod_put(sink, any ? "\n" : "");
}

static void take(void *ctx, const struct trod_bridge_tracked *now)
{
    struct telling *t = ctx;
    struct known *known;

    if (now->number >= t->of->nleaf)
        return;
    known = trod_new(t->mem, struct known, 1);
    *known = (struct known){*now, t->first_of_leaf[now->number]};
    t->first_of_leaf[now->number] = known;
}

void trod_llvm_map_decisions(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem)
{
    struct trod_conditions *of = trod_llvm_conditions_of(body->function);
    struct telling t = {.body = body, .of = of && !of->taken ? of : NULL, .mem = mem};
    const struct trod_graph *g = &body->graph;
    struct branches branches = {0};
    bool any = false;

    if (t.of) {
        t.first_of_leaf = trod_new(mem, struct known *, t.of->nleaf);
        t.has_branch = trod_new(mem, bool, t.of->nleaf);
        trod_llvm_take_values(of, take, &t);
        ask_branches(&branches, &t);
        put_merged(sink, &t);
    }
    for (trod_node v = 0; v < g->nnode; v++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(body->block[v]);
        unsigned n = LLVMGetNumSuccessors(last);

        if (n < 2 || g->first_out[v + 1] - g->first_out[v] != n)
            continue;
        if (LLVMIsABranchInst(last) && branches.answer)
            put_branch(sink, &t, &branches, v, &any);
        else if (LLVMIsASwitchInst(last))
            put_switch(sink, &t, v, last, &any);
        else if (LLVMIsAInvokeInst(last))
            put_invoke(sink, &t, v, last, &any);
    }
}
