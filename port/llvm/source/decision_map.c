#include "llvm/source/decision.h"
#include "llvm/source/location.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

/* Cases that are named on the way of another. */
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

/* Branches on conditions, and how often each is decided. */
struct branches {
    struct decision_answer *answer; /* of each block */
    uint32_t *of_leaf;              /* how many branches decide it */
    bool *lost; /* of each statement: some branch of it could not be told */
};

static bool is_branch(const struct decider *t, LLVMValueRef last, uint32_t *number)
{
    *number = t->of && LLVMIsABranchInst(last) && LLVMIsConditional(last)
                  ? trod_llvm_number_of(last)
                  : TROD_NO_BLOCK;
    return *number != TROD_NO_BLOCK && *number < t->of->nleaf;
}

/* Is the value of a leaf part of another? */
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

/* Is a value that of a leaf, and nothing else? */
static bool is_value_of(const struct decider *t, uint32_t leaf, LLVMValueRef value)
{
    bool negated = false;

    value = trod_decision_without_not(value, &negated);
    for (const struct known_value *k = t->first_of_leaf[leaf]; k; k = k->next)
        if (trod_decision_without_not(k->now.value, &negated) == value)
            return true;
    return false;
}

/* A branch that cannot be told may be one of several statements at once. */
static void lose(
    struct branches *out, const struct decider *t, uint32_t number, LLVMValueRef value)
{
    out->lost[trod_decision_root_of(t, t->of->leaf[number].statement)] = true;
    for (uint32_t i = 0; i < t->of->nleaf; i++) {
        bool *lost = &out->lost[trod_decision_root_of(t, t->of->leaf[i].statement)];

        *lost = *lost || has_part(t, i, value);
    }
}

static void ask_branches(struct branches *out, const struct decider *t)
{
    uint32_t nnode = t->body->graph.nnode, number;

    out->answer = trod_new(t->mem, struct decision_answer, nnode);
    out->of_leaf = trod_new(t->mem, uint32_t, t->of->nleaf);
    out->lost = trod_new(t->mem, bool, t->of->nstatement);
    for (trod_node v = 0; v < nnode; v++)
        if (is_branch(t, LLVMGetBasicBlockTerminator(t->body->block[v]), &number))
            t->has_branch[number] = true;
    for (trod_node v = 0; v < nnode; v++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(t->body->block[v]);
        struct decision_answer *answer = &out->answer[v];

        if (!is_branch(t, last, &number))
            continue;
        *answer = trod_decision_ask_branch(t, number, LLVMGetCondition(last));
        for (uint32_t i = 0; answer->found && i < answer->nleaf; i++)
            out->of_leaf[answer->leaf[i]]++;
        if (!answer->found)
            lose(out, t, number, LLVMGetCondition(last));
    }
}

/* Is the condition decided here and nowhere else? */
static bool is_whole(const struct decider *t, const struct branches *b,
    const struct decision_answer *answer)
{
    for (uint32_t i = 0; i < answer->nleaf; i++) {
        uint32_t leaf = answer->leaf[i];

        if (b->of_leaf[leaf] > 1 ||
            t->of->statement[t->of->leaf[leaf].statement].settled ||
            b->lost[trod_decision_root_of(t, t->of->leaf[leaf].statement)])
            return false;
    }
    return true;
}

/* The block, where its decision stands, and of how many conditions it is. */
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

/* The same of a switch, or a call that may throw, by its debug location; NULL: it has none. */
static void put_location(
    struct trod_sink *sink, const struct decider *t, trod_node v, LLVMMetadataRef at)
{
    put_place(sink, t, v, at ? trod_location_file(at) : NULL,
        at ? LLVMDILocationGetLine(at) : 0, at ? LLVMDILocationGetColumn(at) : 0, 0);
}

/* A branch on the value of && or || decides all of its conditions at once. */
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

static int64_t case_value(LLVMValueRef instruction, unsigned successor)
{
    return LLVMConstIntGetSExtValue(LLVMGetOperand(instruction, 2 * successor));
}

static bool has_case(LLVMValueRef instruction, int64_t value)
{
    for (unsigned i = 1; i < LLVMGetNumSuccessors(instruction); i++)
        if (case_value(instruction, i) == value)
            return true;
    return false;
}

static bool had_case(const struct trod_cases *cases, int64_t value)
{
    for (uint32_t i = 0; i < cases->nvalue; i++)
        if (cases->value[i] == value)
            return true;
    return !cases->nvalue;
}

/* Where one value alone is left for the default, the optimizer makes it a case, and nothing leads to the default any more. */
static bool has_default_as_case(const struct trod_cases *cases, LLVMValueRef last)
{
    for (unsigned i = 1; i < LLVMGetNumSuccessors(last); i++)
        if (!had_case(cases, case_value(last, i)))
            return true;
    return false;
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

/* The way that no case of the switch takes. Cases that led where it does are gone, and are counted there: they are named before it. */
static void put_otherwise(struct trod_sink *sink, const struct decider *t,
    const struct trod_cases *cases, LLVMValueRef last)
{
    const char *named[MOST_MERGED];
    unsigned n = 0, more = 0;
    struct trod_string text;

    trod_string_init(&text, t->mem);
    for (uint32_t i = 0; i < cases->nvalue; i++) {
        const char *label;
        unsigned k = 0;

        if (has_case(last, cases->value[i]))
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
        has_default_as_case(cases, last) ? "unreachable" : cases->otherwise);
    trod_put_name(sink, text.text);
}

static void put_switch(struct trod_sink *sink, const struct decider *t, trod_node v,
    LLVMValueRef last, bool *any)
{
    uint32_t number = t->of ? trod_llvm_number_of(last) : TROD_NO_BLOCK;
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(last);
    const struct trod_cases *cases;

    if (number == TROD_NO_BLOCK || number >= t->of->ncases)
        return;
    cases = &t->of->cases[number];
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
    put_otherwise(sink, t, cases, last);
    for (unsigned i = 1; i < LLVMGetNumSuccessors(last); i++) {
        int64_t value = case_value(last, i);

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

/* Conditions of other lines that became part of the branch of a block. */
static void put_merged(struct trod_sink *sink, const struct decider *t)
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
                !has_part(t, i, LLVMGetCondition(last)))
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
