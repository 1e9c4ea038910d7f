/* decision: which condition of the source a branch decides, and which successor means that it is true.
 *
 *     conditions of a function + values that they have now -> answer for each branch
 */
#ifndef TROD_LLVM_DECISION_H
#define TROD_LLVM_DECISION_H

#include "llvm/source/condition.h"

/* More of a statement are not compared: 2 to the power of this. */
enum { MOST_ATOMS = 8, MOST_LEAVES = 16, DEPTH = 16 };

/* A leaf of a statement that is one chain; conditions inside the values of && and || are links of their own. */
struct chain_link {
    uint32_t leaf;
    uint32_t enter;
    enum trod_operator before;
    uint32_t to
        [2]; /* where its value is true, and where not: a block that some link is entered by, or an end */
    int atom;      /* the value that it depends on; -1: none is known */
    bool opposite; /* it is the opposite of that */
};

struct condition_chain {
    uint32_t n;
    struct chain_link link[MOST_LEAVES];
    uint32_t yes, no; /* ends */
    LLVMValueRef atom[MOST_ATOMS];
    unsigned natom;
    bool whole; /* all of it is here */
};

struct known_value {
    struct trod_bridge_tracked now;
    struct known_value *next;
};

struct decider {
    const struct trod_body *body;
    const struct trod_conditions *of;
    struct known_value **first_of_leaf; /* values that it has now */
    bool *has_branch;                   /* of each leaf */
    struct trod_arena *mem;
};

/* What is known of a decision: the unit that it is of, and whether the first way is where that is true. */
struct decision_answer {
    bool found; /* it is of a unit */
    bool known, first;
    LLVMMetadataRef file;
    uint32_t line, column;
    uint32_t nleaf;
    uint32_t leaf[MOST_LEAVES];
};

/* Add the conditions of a value to a chain. */
void trod_decision_add_value(const struct decider *t, struct condition_chain *c,
    uint32_t number, uint32_t enter, enum trod_operator before, uint32_t yes,
    uint32_t no);
LLVMValueRef trod_decision_without_not(LLVMValueRef value, bool *negated);
bool trod_decision_is_part(LLVMValueRef part, LLVMValueRef of, unsigned depth);
uint32_t trod_decision_root_of(const struct decider *t, uint32_t statement);
/* What a branch decides. */
struct decision_answer trod_decision_ask_branch(
    const struct decider *t, uint32_t number, LLVMValueRef value);

#endif
