#include "llvm/source/decision.h"
#include "meaning/meaning.h"
#include "llvm/source/location.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

/* Maximum number of removed cases that are named with the default. */
enum { MOST_MERGED = 8 };

static void put_head(struct trod_sink *sink, const struct trod_body *body, bool *any)
{
    if (*any)
        return;
    trod_put(sink, "decisions ");
    trod_put_name(sink, body->name);
    trod_put(sink, "\n");
    *any = true;
}

/* The conditional branches of a body, and what each decides. */
struct branches {
    struct decision_answer *answer; /* of each block */
    uint32_t *leaf_of_block;  /* leaf that its branch is on; TROD_NO_BLOCK: none */
    trod_node *first_of_leaf; /* a block with a branch on this leaf; TROD_NONE: none */
    trod_node *next_of_block; /* the next block of the same leaf; TROD_NONE: none */
    uint32_t *of_leaf;        /* how many branches decide each leaf */
    bool *lost; /* of each statement: some branch of it could not be identified */
};

static void list_branches(struct branches *out, const struct decider *t)
{
    uint32_t nnode = t->body->graph.nnode;

    out->leaf_of_block = trod_new(t->mem, uint32_t, nnode);
    out->next_of_block = trod_new(t->mem, trod_node, nnode);
    out->first_of_leaf = trod_new(t->mem, trod_node, t->of->nleaf);
    for (uint32_t i = 0; i < t->of->nleaf; i++)
        out->first_of_leaf[i] = TROD_NONE;
    for (trod_node v = 0; v < nnode; v++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(t->body->block[v]);
        uint32_t number = LLVMIsABranchInst(last) && LLVMIsConditional(last)
                              ? trod_llvm_number_of(last)
                              : TROD_NO_BLOCK;

        out->leaf_of_block[v] = number < t->of->nleaf ? number : TROD_NO_BLOCK;
        if (out->leaf_of_block[v] == TROD_NO_BLOCK)
            continue;
        out->next_of_block[v] = out->first_of_leaf[number];
        out->first_of_leaf[number] = v;
    }
}

static LLVMValueRef condition_of(const struct decider *t, trod_node v)
{
    return LLVMGetCondition(LLVMGetBasicBlockTerminator(t->body->block[v]));
}

/* Does the computation of a value use the value of this leaf? */
static bool has_part(const struct decider *t, uint32_t leaf, LLVMValueRef value)
{
    for (const struct known_value *k = t->first_of_leaf[leaf]; k; k = k->next) {
        bool negated = false;

        if (trod_decision_is_part(
                trod_decision_without_not(k->now.value, &negated), value, DEPTH))
            return true;
    }
    return false;
}

/* Is a value that of this leaf, or its negation? */
static bool is_value_of(const struct decider *t, uint32_t leaf, LLVMValueRef value)
{
    bool negated = false;

    value = trod_decision_without_not(value, &negated);
    for (const struct known_value *k = t->first_of_leaf[leaf]; k; k = k->next)
        if (trod_decision_without_not(k->now.value, &negated) == value)
            return true;
    return false;
}

/* Marks all statements that an unidentified branch may belong to. */
static void lose(
    struct branches *out, const struct decider *t, uint32_t number, LLVMValueRef value)
{
    out->lost[trod_decision_root_of(t, t->of->leaf[number].statement)] = true;
    for (uint32_t i = 0; i < t->of->nleaf; i++) {
        bool *lost = &out->lost[trod_decision_root_of(t, t->of->leaf[i].statement)];

        *lost = *lost || has_part(t, i, value);
    }
}

/* Identifies the branches on values of && and || (`scalar`), or all others. */
static void ask_some(struct branches *out, const struct decider *t, bool scalar)
{
    for (trod_node v = 0; v < t->body->graph.nnode; v++) {
        struct decision_answer *answer = &out->answer[v];
        uint32_t number = out->leaf_of_block[v];

        if (number == TROD_NO_BLOCK ||
            (t->of->leaf[number].scalar != TROD_NO_BLOCK) != scalar)
            continue;
        *answer = trod_decision_ask_branch(t, number, condition_of(t, v));
        for (uint32_t i = 0; answer->found && i < answer->nleaf; i++)
            out->of_leaf[answer->leaf[i]]++;
        if (!answer->found)
            lose(out, t, number, condition_of(t, v));
    }
}

/* Branches on values of && or || are identified last: such a branch may now decide one operand
 * only, which requires that the branches of the others are known. */
static void ask_branches(struct branches *out, const struct decider *t)
{
    list_branches(out, t);
    out->answer = trod_new(t->mem, struct decision_answer, t->body->graph.nnode);
    out->of_leaf = trod_new(t->mem, uint32_t, t->of->nleaf);
    out->lost = trod_new(t->mem, bool, t->of->nstatement);
    for (uint32_t i = 0; i < t->of->nleaf; i++)
        t->has_branch[i] = out->first_of_leaf[i] != TROD_NONE;
    ask_some(out, t, false);
    for (uint32_t i = 0; i < t->of->nleaf; i++)
        t->has_branch[i] = t->has_branch[i] || out->of_leaf[i];
    ask_some(out, t, true);
}

/* --- statements whose value is decided in several places -------------------------------------------------------- */

static bool is_link(
    const struct branches *b, const struct condition_chain *c, trod_node v)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->link[i].leaf == b->leaf_of_block[v])
            return true;
    return false;
}

/* Does an edge lead, without further branches, to block `to` or to another condition of the same
 * statement? */
static bool leads_to(const struct trod_graph *g, const struct branches *b,
    const struct condition_chain *c, trod_edge e, trod_node to)
{
    trod_node v = g->dst_of_edge[e];

    for (uint32_t n = 0; n < g->nnode && v != to && !is_link(b, c, v); n++) {
        if (g->first_out[v + 1] - g->first_out[v] != 1)
            return false;
        v = g->dst_of_edge[g->first_out[v]];
    }
    return true;
}

/* Does control reach the branch on the value of && or || for every outcome of its operands? Jump
 * threading bypasses it where the outcome is already known.
 */
static bool sees_all(
    const struct decider *t, const struct branches *b, trod_node at, uint32_t leaf)
{
    const struct trod_graph *g = &t->body->graph;
    struct condition_chain c = {.whole = true};

    if (t->of->leaf[leaf].scalar == TROD_NO_BLOCK)
        return true;
    trod_decision_add_value(
        t, &c, leaf, TROD_NO_BLOCK, TROD_JOINS_NONE, TROD_NO_BLOCK, TROD_NO_BLOCK);
    if (!c.whole)
        return false;
    for (uint32_t i = 0; i < c.n; i++)
        for (trod_node v = b->first_of_leaf[c.link[i].leaf]; v != TROD_NONE;
            v = b->next_of_block[v])
            for (trod_edge e = g->first_out[v]; v != at && e < g->first_out[v + 1]; e++)
                if (!leads_to(g, b, &c, e, at))
                    return false;
    return true;
}

/* Does this branch alone decide the condition? */
static bool is_whole(const struct decider *t, const struct branches *b, trod_node v)
{
    const struct decision_answer *answer = &b->answer[v];

    for (uint32_t i = 0; i < answer->nleaf; i++) {
        uint32_t leaf = answer->leaf[i];

        if (b->of_leaf[leaf] > 1 || !sees_all(t, b, v, leaf) ||
            t->of->statement[t->of->leaf[leaf].statement].settled ||
            b->lost[trod_decision_root_of(t, t->of->leaf[leaf].statement)])
            return false;
    }
    return true;
}

/* Writes the block, the source location of its decision, and the number of conditions in it. */
static void put_place(struct trod_sink *sink, const struct decider *t, trod_node v,
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

/* The same for a switch, or a call that may throw. `at` may be NULL. */
static void put_location(
    struct trod_sink *sink, const struct decider *t, trod_node v, LLVMMetadataRef at)
{
    put_place(sink, t, v, at ? trod_location_file(at) : NULL,
        at ? LLVMDILocationGetLine(at) : 0, at ? LLVMDILocationGetColumn(at) : 0, 0);
}

/* The number of conditions that a branch decides. One on the value of && or || decides all of its
 * operands at once. */
static uint32_t count_conditions(
    const struct decider *t, const struct decision_answer *answer)
{
    struct condition_chain c = {.whole = true};

    if (answer->nleaf > 1 || t->of->leaf[answer->leaf[0]].scalar == TROD_NO_BLOCK)
        return answer->nleaf;
    trod_decision_add_value(t, &c, answer->leaf[0], TROD_NO_BLOCK, TROD_JOINS_NONE,
        TROD_NO_BLOCK, TROD_NO_BLOCK);
    return c.whole ? c.n : MOST_LEAVES;
}

static void put_branch(struct trod_sink *sink, const struct decider *t,
    const struct branches *b, trod_node v, bool *any)
{
    const struct decision_answer *answer = &b->answer[v];

    if (!answer->known)
        return;
    put_head(sink, t->body, any);
    put_place(sink, t, v, answer->file, answer->line, answer->column,
        count_conditions(t, answer));
    trod_put(
        sink, "%s %s\n", is_whole(t, b, v) ? "" : " *", answer->first ? "T F" : "F T");
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

/* How the optimiser transformed the values of a switch: value = (old - base) >> shift. */
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

/* The operand of a rotation to the right, and the number of bits; NULL: not a rotation. */
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

/* The optimiser makes cases with a common power of two between them dense: it subtracts the
 * smallest value, and rotates to the right by the common trailing zero bits.
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

/* Counts the cases whose values the source does not have. */
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

/* Writes the name of the default successor. Cases that led to the same block were removed and are
 * counted there, so they are named first. If only one value remains for the default, the optimiser
 * makes that a case, and the default becomes unreachable.
 */
static void put_otherwise(struct trod_sink *sink, const struct decider *t,
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

static void put_switch(struct trod_sink *sink, const struct decider *t, trod_node v,
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
        return; /* the optimiser changed the values in an unknown way */
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

static void put_invoke(struct trod_sink *sink, const struct decider *t, trod_node v,
    LLVMValueRef last, bool *any)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(last);

    put_head(sink, t->body, any);
    put_location(sink, t, v, at);
    trod_put(sink, " returns throws\n");
}

bool trod_llvm_is_catch(LLVMValueRef last)
{
    LLVMValueRef type = LLVMIsABranchInst(last) && LLVMIsConditional(last)
                            ? LLVMGetCondition(last)
                            : NULL;

    return type && LLVMIsAICmpInst(type) && LLVMGetICmpPredicate(type) == LLVMIntEQ &&
           (trod_meaning_calls(LLVMGetOperand(type, 0), "llvm.eh.typeid.for") ||
               trod_meaning_calls(LLVMGetOperand(type, 1), "llvm.eh.typeid.for"));
}

static void put_catch(struct trod_sink *sink, const struct decider *t, trod_node v,
    LLVMValueRef last, bool *any)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(last);
    unsigned line = trod_bridge_handler_line(last);

    put_head(sink, t->body, any);
    if (line)
        put_place(sink, t, v, trod_location_file(at), line, 0, 0);
    else
        put_location(sink, t, v, at);
    trod_put(sink, " catches \"passes on\"\n");
}

/* Does a value belong to the same statement as this leaf? */
static bool is_of_statement(const struct decider *t, uint32_t leaf, LLVMValueRef value)
{
    uint32_t statement = trod_decision_root_of(t, t->of->leaf[leaf].statement);

    for (uint32_t i = 0; i < t->of->nleaf; i++)
        if (trod_decision_root_of(t, t->of->leaf[i].statement) == statement &&
            is_value_of(t, i, value))
            return true;
    return false;
}

/* Did a leaf become part of a branch of another statement? A condition that both statements have
 * does not count: the optimiser evaluates it once for both.
 */
static bool is_merged(
    const struct decider *t, uint32_t leaf, uint32_t number, LLVMValueRef value)
{
    for (const struct known_value *k = t->first_of_leaf[leaf]; k; k = k->next) {
        bool negated = false;
        LLVMValueRef now = trod_decision_without_not(k->now.value, &negated);

        if (!LLVMIsConstant(now) && trod_decision_is_part(now, value, DEPTH) &&
            !is_of_statement(t, number, now))
            return true;
    }
    return false;
}

/* Writes section `merged`: conditions of other lines that became part of a block's branch. */
static void put_merged(
    struct trod_sink *sink, const struct decider *t, const struct branches *b)
{
    const struct trod_body *body = t->body;
    LLVMMetadataRef own = trod_location_own_file(body->function);
    bool any = false;

    for (trod_node v = 0; v < body->graph.nnode; v++) {
        uint32_t number = b->leaf_of_block[v];

        if (number == TROD_NO_BLOCK || is_value_of(t, number, condition_of(t, v)))
            continue;
        for (uint32_t i = 0; i < t->of->nleaf; i++) {
            const struct trod_leaf *leaf = &t->of->leaf[i];

            if (i == number || !leaf->line || leaf->line == t->of->leaf[number].line ||
                !trod_location_is_same_file(leaf->file, own) ||
                !is_merged(t, i, number, condition_of(t, v)))
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
    struct decider *t = ctx;
    struct known_value *known;

    if (now->number >= t->of->nleaf)
        return;
    known = trod_new(t->mem, struct known_value, 1);
    *known = (struct known_value){*now, t->first_of_leaf[now->number]};
    t->first_of_leaf[now->number] = known;
}

void trod_llvm_map_decisions(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem)
{
    struct trod_conditions *of = trod_llvm_conditions_of(body->function);
    struct decider t = {.body = body, .of = of && !of->taken ? of : NULL, .mem = mem};
    const struct trod_graph *g = &body->graph;
    struct branches branches = {0};
    bool any = false;

    if (t.of) {
        t.first_of_leaf = trod_new(mem, struct known_value *, t.of->nleaf);
        t.has_branch = trod_new(mem, bool, t.of->nleaf);
        trod_llvm_take_values(of, take, &t);
        ask_branches(&branches, &t);
        put_merged(sink, &t, &branches);
    }
    for (trod_node v = 0; v < g->nnode; v++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(body->block[v]);
        unsigned n = LLVMGetNumSuccessors(last);

        if (n < 2 || g->first_out[v + 1] - g->first_out[v] != n)
            continue;
        if (trod_llvm_is_catch(last))
            put_catch(sink, &t, v, last, &any);
        else if (LLVMIsABranchInst(last) && branches.answer)
            put_branch(sink, &t, &branches, v, &any);
        else if (LLVMIsASwitchInst(last))
            put_switch(sink, &t, v, last, &any);
        else if (LLVMIsAInvokeInst(last))
            put_invoke(sink, &t, v, last, &any);
    }
}
