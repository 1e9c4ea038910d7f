/* grammar: a long sequence, compressed to a grammar that produces exactly it.
 *
 *     terminals, one by one -> grammar -> sizes, hot rules, the terminals again
 *
 * The grammar is Sequitur's. Two adjacent symbols that occur twice become a rule, and
 * a rule with a single use is expanded there; both as soon as a new terminal causes
 * it. A sequence that repeats itself at any scale, such as an execution, becomes
 * much smaller. The meaning of terminals is up to the caller.
 *
 * Glossary
 *   terminal  an element of the sequence: a 64-bit number
 *   symbol    a terminal, or the number of a rule, which stands for its expansion
 *   rule      a sequence of symbols; rule 0 is the start, and not used by others
 *   digram    two adjacent symbols in a rule
 *   overlap   said of two occurrences of a digram that share a symbol, as in a a a
 *   part      a separate grammar, for a part of the sequence. There are several if
 *             the limit on symbols was reached; rules are not shared among them.
 *   length    of a rule: the number of terminals in its expansion
 *   count     of a rule: the number of its expansions, when rule 0 is expanded
 *   weight    count times length: the terminals of the sequence that the rule accounts for
 *   depth     of a part: the largest number of nested rules, when rule 0 is expanded
 *
 * Lengths, counts and weights saturate: a grammar of 100 rules may stand for more terminals
 * than 64 bits can count.
 *
 * Memory: results are in the given arena. The builder keeps its state in an
 * arena for scratch, which may be freed afterwards. It may be the same one.
 *
 * Invariants are listed at trod_grammar_check().
 */
#ifndef TROD_GRAMMAR_H
#define TROD_GRAMMAR_H

#include "base/base.h"

struct trod_grammar_part {
    uint32_t nrule;                       /* at least 1 */
    const uint32_t *first_symbol_of_rule; /* [nrule + 1] */
    const uint64_t *value_of_symbol;      /* a terminal, or a rule, if in is_rule */
    const uint64_t *is_rule;              /* set of symbols */
};

struct trod_grammar {
    const char *name;
    uint32_t npart; /* at least 1 */
    const struct trod_grammar_part *part;
};

/* --- sequitur.c: from terminals to a grammar --------------------------------------------- */

/* The largest limit on symbols of a part: 32-bit numbers suffice, including rules and scratch. */
#define TROD_GRAMMAR_MOST (UINT64_C(1) << 30)

/* Work done so far, in all parts. */
struct trod_grammar_work {
    uint64_t nlook;  /* visited entries of the table of digrams */
    uint64_t nmatch; /* digrams that occurred already */
    uint64_t nrule;  /* rules created */
    uint64_t nback;  /* rules expanded, because one use was left */
};

struct trod_grammar_builder {
    struct trod_arena *mem, *scratch;
    uint64_t most;
    struct trod_grammar_part *part; /* closed parts */
    uint32_t npart, room_part;
    uint64_t nsymbol; /* of the open part */
    uint32_t nrule;   /* of the open part, including rule 0 */
    struct trod_grammar_work work;

    /* Symbols in doubly linked rings, one for each rule, closed by a guard. */
    struct trod_grammar_node *node;
    size_t nnode, room_node;
    uint32_t free_node;
    struct trod_grammar_rule *rule;
    size_t nslot_of_rule, room_rule;
    uint32_t free_rule;

    /* One occurrence of each digram: its first node, 0 for none. */
    uint32_t *slot;
    size_t nslot, ndigram;

    /* Work lists: nodes whose digrams may be new or duplicates, rules that may have a single use. */
    uint32_t *changed;
    size_t nchanged, room_changed;
    uint32_t *lonely;
    size_t nlonely, room_lonely;
};

/* most: limit on symbols of a part, at most TROD_GRAMMAR_MOST; 0: that. */
void trod_grammar_builder_init(struct trod_grammar_builder *builder, uint64_t most,
    struct trod_arena *mem, struct trod_arena *scratch);

/* Add a terminal to the end of the sequence. When the open part reaches
 * the limit, it is closed, and its scratch is reused for the next one.
 *
 * cost:   O(1) expected, amortized over all that is added
 * paper:  Nevill-Manning & Witten, "Identifying Hierarchical Structure in Sequences: A
 *         linear-time algorithm", JAIR 7, 1997
 */
void trod_grammar_add(struct trod_grammar_builder *builder, uint64_t terminal);

/* The grammar of what was added so far; more may be added after it. Rules are numbered
 * in breadth-first order from rule 0.
 *
 * cost:   O(symbols of the open part + parts)
 */
void trod_grammar_build(struct trod_grammar *out,
    const struct trod_grammar_builder *builder, const char *name);

/* --- expand.c: expansion and sizes ------------------------------- */

/* Put the rules of a part in an order in which each precedes the rules it uses.
 *
 * fills:  order[part->nrule], as far as possible; returns the number of rules in it. The
 *         others expand to themselves, or are used by such rules.
 */
uint32_t trod_grammar_order(
    uint32_t *order, const struct trod_grammar_part *part, struct trod_arena *mem);

/* Call fn for each terminal in order, until it returns false. It may allocate
 * from the same arena.
 *
 * needs:  a grammar without cycles
 * gives:  false if fn did
 * cost:   O(terminals), and memory for the nesting depth
 */
typedef bool (*trod_grammar_taker)(uint64_t terminal, void *ctx);
bool trod_grammar_expand(const struct trod_grammar *grammar, trod_grammar_taker fn,
    void *ctx, struct trod_arena *mem);
bool trod_grammar_expand_rule(const struct trod_grammar_part *part, uint32_t rule,
    trod_grammar_taker fn, void *ctx, struct trod_arena *mem);

/* Measures of a part, by rule. It must have no cycles. */
struct trod_grammar_measure {
    const uint64_t *length_of_rule;
    const uint64_t *count_of_rule; /* 1 for rule 0, 0 for unreachable rules */
    uint32_t depth;
};
void trod_grammar_measure(struct trod_grammar_measure *out,
    const struct trod_grammar_part *part, struct trod_arena *mem);

/* Sizes of all parts together. */
struct trod_grammar_sizes {
    uint64_t nterminal;
    uint64_t nsymbol; /* in all rules: the size of the grammar */
    uint64_t nrule;
    uint32_t npart;
    uint32_t depth; /* of the deepest */
    double ratio;   /* terminals per symbol; 1 for an empty sequence */
};
void trod_grammar_sizes(struct trod_grammar_sizes *out,
    const struct trod_grammar *grammar, struct trod_arena *mem);

struct trod_grammar_hot {
    uint32_t part, rule;
    uint64_t count, length, weight;
};

/* All rules except the starts, the heaviest first. A rule that is used by another counts in
 * both. Its expansion may also occur elsewhere in the sequence, across the ends of rules:
 * counts are lower bounds of the occurrences of a subsequence.
 *
 * fills:  *out; returns their number
 */
size_t trod_grammar_hot(struct trod_grammar_hot **out,
    const struct trod_grammar *grammar, struct trod_arena *mem);

/* --- grammar_text.c: the text form --------------------------------------------------------- */

struct trod_sequence {
    const char *name;
    size_t count;
    const uint64_t *terminal;
};

/* Read a section after its head, `sequence NAME` or `grammar NAME`, up to a line that
 * belongs to another.
 *
 * fails:  TROD_E_INPUT; for a grammar, if rules are not in order, are used and undefined,
 *         are empty, or expand to themselves; or if R0 is used. The validator
 *         checks everything else.
 */
bool trod_sequence_parse(struct trod_sequence *out, const char *name,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
bool trod_grammar_parse(struct trod_grammar *out, const char *name,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

void trod_grammar_print(struct trod_sink *sink, const struct trod_grammar *grammar);
/* The part after the head. */
void trod_grammar_print_rules(
    struct trod_sink *sink, const struct trod_grammar *grammar);
void trod_grammar_json(
    struct trod_json *json, const char *key, const struct trod_grammar *grammar);

/* The head of a sequence, and its terminals one by one, as a taker: the output is complete when
 * the last was taken and the line is ended.
 */
struct trod_sequence_printer {
    struct trod_sink *sink;
    uint64_t nprinted;
    uint64_t most; /* to print; 0: all */
};
void trod_sequence_print_head(struct trod_sink *sink, const char *name);
bool trod_sequence_print_next(uint64_t terminal, void *printer);
void trod_sequence_print_end(struct trod_sequence_printer *printer);

/* --- grammar_check.c: the validator ---------------------------------------------------------- */

/* Check that
 *   - there is a part, and none is empty, except if it is the only one;
 *   - each has a rule 0, which no rule uses, and all others have two symbols or more;
 *   - used rules are defined, and none expands to itself;
 *   - each rule except rule 0 is used at least twice (so all are reachable from rule 0);
 *   - no digram occurs twice in a part, except for occurrences that overlap.
 *
 * fails:  TROD_E_INTERNAL
 * cost:   O(symbols) expected
 */
bool trod_grammar_check(const struct trod_grammar *grammar, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
