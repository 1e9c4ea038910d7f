/* decision: which source condition a branch decides, and which successor means that it is true.
 *
 *     conditions of a function + current values of their leaves -> answer for each branch
 */
#ifndef TROD_LLVM_DECISION_H
#define TROD_LLVM_DECISION_H

#include "llvm/source/condition.h"

/* Larger statements are not analysed: comparing truth tables takes 2 to the power of MOST_ATOMS
 * evaluations. */
enum { MOST_ATOMS = 8, MOST_LEAVES = 16, DEPTH = 16 };

/* A leaf of a statement, as part of one chain. Conditions inside the values of && and || are links
 * of their own. */
struct chain_link {
    uint32_t leaf;
    uint32_t enter;
    enum trod_operator before;
    uint32_t to
        [2]; /* where it leads if its value is true, and if false: a block that another link is entered by, or an end */
    int atom;      /* index of the value that it depends on; -1: unknown */
    bool opposite; /* it is the negation of the atom */
};

struct condition_chain {
    uint32_t n;
    struct chain_link link[MOST_LEAVES];
    uint32_t yes, no; /* ends */
    LLVMValueRef atom[MOST_ATOMS];
    unsigned natom;
    bool whole; /* the chain is complete */
};

struct known_value {
    struct trod_bridge_tracked now;
    struct known_value *next;
};

struct decider {
    const struct trod_body *body;
    const struct trod_conditions *of;
    struct known_value **first_of_leaf; /* current values of each leaf */
    bool *has_branch;                   /* of each leaf */
    struct trod_arena *mem;
};

/* What a branch decides: a unit of a statement, and whether its first successor means that the unit
 * is true. */
struct decision_answer {
    bool found; /* the unit is known; the meaning of its successors may not be */
    bool known, first;
    LLVMMetadataRef file;
    uint32_t line, column;
    uint32_t nleaf;
    uint32_t leaf[MOST_LEAVES];
};

/* Appends a leaf to a chain; if it is the value of && or ||, appends its operands instead. */
void trod_decision_add_value(const struct decider *t, struct condition_chain *c,
    uint32_t number, uint32_t enter, enum trod_operator before, uint32_t yes,
    uint32_t no);
LLVMValueRef trod_decision_without_not(LLVMValueRef value, bool *negated);
bool trod_decision_is_part(LLVMValueRef part, LLVMValueRef of, unsigned depth);
uint32_t trod_decision_root_of(const struct decider *t, uint32_t statement);
/* Identifies what a branch decides. */
struct decision_answer trod_decision_ask_branch(
    const struct decider *t, uint32_t number, LLVMValueRef value);

#endif
