/* grammar: a long sequence as a small grammar that yields it and nothing else.
 *
 *     terminals, one by one -> grammar -> sizes, hot rules, the terminals again
 *
 * The grammar is Sequitur's. Whenever two neighbours occur twice they become a rule, and
 * a rule that is used once is put back where it is used; both as soon as a terminal makes
 * it so. A sequence that repeats itself at any scale, as what a program does, becomes
 * much smaller. What terminals mean is the caller's.
 *
 * Glossary
 *   terminal  a number of 64 bits, of which the sequence is made
 *   symbol    a terminal, or the number of a rule, which stands for what it expands to
 *   rule      a row of symbols; rule 0 is the start, and used by no other
 *   digram    two symbols side by side in a rule
 *   overlap   said of two occurrences of a digram that share a symbol, as in a a a
 *   part      a grammar of its own, for a stretch of the sequence. There are several when
 *             a bound on the symbols held was reached; rules are not shared among them.
 *   length    of a rule: how many terminals it expands to
 *   count     of a rule: how often it is expanded, when rule 0 is
 *   weight    count times length: the terminals of the sequence that the rule accounts for
 *   depth     of a part: how many rules are open at most, when rule 0 is expanded
 *
 * Lengths, counts and weights saturate: a grammar of 100 rules may stand for more terminals
 * than 64 bits can count.
 *
 * Memory: what is built is in the arena handed in. The builder keeps its own things in an
 * arena for scratch, which may be freed when all is built. It may be the same one.
 *
 * Invariants are listed at trod_grammar_check().
 */
#ifndef TROD_GRAMMAR_H
#define TROD_GRAMMAR_H

#include "base/base.h"

struct trod_grammar_part {
    uint32_t nrule;                       /* at least 1 */
    const uint32_t *first_symbol_of_rule; /* [nrule + 1] */
    const uint64_t *value_of_symbol;      /* a terminal, or a rule if is_rule has it */
    const uint64_t *is_rule;              /* set of symbols */
};

struct trod_grammar {
    const char *name;
    uint32_t npart; /* at least 1 */
    const struct trod_grammar_part *part;
};

/* --- sequitur.c: from terminals to a grammar --------------------------------------------- */

/* The most symbols that a part may hold: what 32 bits can number, with rules and scratch. */
#define TROD_GRAMMAR_MOST (UINT64_C(1) << 30)

/* What the building took so far; of all parts. */
struct trod_grammar_work {
    uint64_t nlook;  /* entries of the table of digrams that were looked at */
    uint64_t nmatch; /* digrams that were found to be there already */
    uint64_t nrule;  /* rules that were made */
    uint64_t nback;  /* rules that were put back, because one use was left */
};

struct trod_grammar_builder {
    struct trod_arena *mem, *scratch;
    uint64_t most;
    struct trod_grammar_part *part; /* that are closed */
    uint32_t npart, room_part;
    uint64_t nsymbol; /* of the open part */
    uint32_t nrule;   /* of the open part, rule 0 among them */
    struct trod_grammar_work work;

    /* Symbols in doubly linked rings, one a rule, closed by a guard. */
    struct trod_grammar_node *node;
    size_t nnode, room_node;
    uint32_t free_node;
    struct trod_grammar_rule *rule;
    size_t nslot_of_rule, room_rule;
    uint32_t free_rule;

    /* One occurrence of each digram: its first node, 0 for none. */
    uint32_t *slot;
    size_t nslot, ndigram;

    /* Nodes whose digrams may be new or there twice, rules that may be used once. */
    uint32_t *changed;
    size_t nchanged, room_changed;
    uint32_t *lonely;
    size_t nlonely, room_lonely;
};

/* most: the symbols that a part may hold, at most TROD_GRAMMAR_MOST; 0 is that. */
void trod_grammar_builder_init(struct trod_grammar_builder *builder, uint64_t most,
    struct trod_arena *mem, struct trod_arena *scratch);

/* Add a terminal to the end of the sequence. When the open part holds as many symbols as
 * it may, it is closed, and its scratch is used for the next one.
 *
 * cost:   O(1) expected, amortized over all that is added
 * paper:  Nevill-Manning & Witten, "Identifying Hierarchical Structure in Sequences: A
 *         linear-time algorithm", JAIR 7, 1997
 */
void trod_grammar_add(struct trod_grammar_builder *builder, uint64_t terminal);

/* The grammar of what was added so far; more may be added after it. Rules are numbered as
 * they are met, breadth first from rule 0.
 *
 * cost:   O(symbols of the open part + parts)
 */
void trod_grammar_build(struct trod_grammar *out,
    const struct trod_grammar_builder *builder, const char *name);

/* --- expand.c: the sequence again, and how large things are ------------------------------- */

/* Put the rules of a part in an order in which each stands before all it uses.
 *
 * fills:  order[part->nrule], as far as there is one; gives how many rules are in it. The
 *         others expand to themselves, or are used by such.
 */
uint32_t trod_grammar_order(
    uint32_t *order, const struct trod_grammar_part *part, struct trod_arena *mem);

/* fn is called for one terminal after the other, and says whether to go on. It may take
 * memory from the same arena.
 *
 * needs:  a grammar without cycles
 * gives:  false if fn did not want to go on
 * cost:   O(terminals), and memory for as many rules as are open at once
 */
typedef bool (*trod_grammar_taker)(uint64_t terminal, void *ctx);
bool trod_grammar_expand(const struct trod_grammar *grammar, trod_grammar_taker fn,
    void *ctx, struct trod_arena *mem);
bool trod_grammar_expand_rule(const struct trod_grammar_part *part, uint32_t rule,
    trod_grammar_taker fn, void *ctx, struct trod_arena *mem);

/* Of one part, by rule. Needs one without cycles. */
struct trod_grammar_measure {
    const uint64_t *length_of_rule;
    const uint64_t *count_of_rule; /* 1 for rule 0, 0 for rules that are not reached */
    uint32_t depth;
};
void trod_grammar_measure(struct trod_grammar_measure *out,
    const struct trod_grammar_part *part, struct trod_arena *mem);

/* Of all parts. */
struct trod_grammar_sizes {
    uint64_t nterminal;
    uint64_t nsymbol; /* in the rules: what the grammar takes */
    uint64_t nrule;
    uint32_t npart;
    uint32_t depth; /* of the deepest */
    double ratio;   /* terminals for a symbol; 1 for an empty sequence */
};
void trod_grammar_sizes(struct trod_grammar_sizes *out,
    const struct trod_grammar *grammar, struct trod_arena *mem);

struct trod_grammar_hot {
    uint32_t part, rule;
    uint64_t count, length, weight;
};

/* All rules but the starts, the heaviest first. A rule that is used by another counts in
 * both. What it expands to may be elsewhere in the sequence, across the ends of rules:
 * counts are lower bounds for how often a subsequence is there.
 *
 * fills:  *out; gives how many
 */
size_t trod_grammar_hot(struct trod_grammar_hot **out,
    const struct trod_grammar *grammar, struct trod_arena *mem);

/* --- grammar_text.c: the text form --------------------------------------------------------- */

struct trod_sequence {
    const char *name;
    size_t count;
    const uint64_t *terminal;
};

/* Read a section behind its head, `sequence NAME` or `grammar NAME`, up to a line that
 * belongs to another.
 *
 * fails:  TROD_E_INPUT; of a grammar, when rules are not in order, are used and not there,
 *         are empty, or expand to themselves; or when R0 is used. What else a grammar must
 *         be is for the validator.
 */
bool trod_sequence_parse(struct trod_sequence *out, const char *name,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
bool trod_grammar_parse(struct trod_grammar *out, const char *name,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

void trod_grammar_print(struct trod_sink *sink, const struct trod_grammar *grammar);
/* What is behind the head. */
void trod_grammar_print_rules(
    struct trod_sink *sink, const struct trod_grammar *grammar);
void trod_grammar_json(
    struct trod_json *json, const char *key, const struct trod_grammar *grammar);

/* The head of a sequence, and its terminals one by one, as a taker: it is all there when
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
 *   - there is a part, and none is empty but one that is alone;
 *   - each has a rule 0, which no rule uses, and all others have two symbols or more;
 *   - rules that are used are there, and none expands to itself;
 *   - each rule but rule 0 is used twice or more (so all are reached from rule 0);
 *   - no digram occurs twice in a part, but for occurrences that overlap.
 *
 * fails:  TROD_E_INTERNAL
 * cost:   O(symbols) expected
 */
bool trod_grammar_check(const struct trod_grammar *grammar, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
