/* condition: what the branches of a function decide, as its source has it.
 *
 *     function as the front end made it -> statements, leaves -> ... passes ... -> ways of its graph
 *
 * The front end turns `if (a && !b)` into one branch for each leaf, exchanges the ways of one under `!`, and names blocks
 * by what they are: if.then, land.lhs.true. From these names follows, for each leaf, which way means that it is true as it is
 * written. The first passes merge and invert branches. So conditions are followed as values: a branch on
 * a value that is some leaves' logical function is a decision of these leaves, whatever became of the rest. What cannot be
 * identified so is omitted.
 *
 * Glossary
 *   leaf        a condition without && and || at its top; it includes the `!` before it
 *   statement   a chain of leaves with two ends: where the whole is true, and where it is not
 *   inner       a block between two leaves: where the right side of && or || begins
 *   scalar      && or || the value of which is wanted, not only where it leads to
 *   unit        leaves in a row with two ways out: a leaf, the sides of an operator, a whole statement
 */
#ifndef TROD_LLVM_CONDITION_H
#define TROD_LLVM_CONDITION_H

#include "llvm/port.h"

#define TROD_NO_BLOCK UINT32_MAX

enum trod_operator { TROD_JOINS_NONE, TROD_JOINS_AND, TROD_JOINS_OR };

struct trod_leaf {
    LLVMValueRef value;
    LLVMIntPredicate predicate; /* of a comparison, as it was; 0: it is none */
    bool real;                  /* and it is one of reals */
    uint32_t to[2];             /* blocks, where the value is true, and where not */
    uint32_t enter;             /* inner block that it begins in; TROD_NO_BLOCK */
    enum trod_operator
        before; /* operator that it, or what begins with it, is the right side of */
    int yes;    /* index of `to` where it is true as written; -1: unknown */
    LLVMMetadataRef file; /* that line and own_line are in; NULL: unknown */
    uint32_t line, column;
    uint32_t own_line,
        own_column; /* of the branch: of the operator that it is on the left side of */
    uint32_t statement;
    uint32_t
        scalar; /* statement that is the left side of the operator whose value this is; TROD_NO_BLOCK */
    bool negated; /* of that: it is the value's opposite */
};

struct trod_statement {
    uint32_t yes, no; /* blocks */
    enum trod_operator scalar;
    bool linear;  /* each leaf but the last leads to the next */
    bool settled; /* by a constant, too: one side of ?: is one */
    uint32_t first, nleaf;
    uint32_t right;    /* of scalars: leaf of the right side; TROD_NO_BLOCK */
    uint32_t consumer; /* statement with a leaf that is its value; TROD_NO_BLOCK */
};

struct trod_label {
    int64_t value;
    const char *text;
};

struct trod_cases {
    uint32_t nvalue;
    int64_t *value; /* of all cases, in order */
    uint32_t nlabel;
    struct trod_label *label;
    const char *otherwise; /* default */
    bool own; /* clang's own: where to continue after what is done on leaving a scope */
};

struct trod_conditions {
    LLVMValueRef function;
    struct trod_leaf *leaf; /* of a statement, in order */
    uint32_t nleaf, room_leaf;
    struct trod_statement *statement;
    uint32_t nstatement, room_statement;
    struct trod_cases *cases;
    uint32_t ncases, room_cases;
    uint32_t *line; /* with code, in its own file; ascending */
    uint32_t nline, room_line;
    bool taken; /* the values of its leaves were */
    struct trod_conditions *next;
};

/* --- condition.c ------------------------------------------------------------------------------ */

/* Of all functions of a module, as the front end made it; forgotten by the other. */
void trod_llvm_find_conditions(LLVMModuleRef module, void (*exhausted)(void *ctx));
void trod_llvm_drop_conditions(LLVMModuleRef module);

/* Of one; NULL: unknown. */
struct trod_conditions *trod_llvm_conditions_of(LLVMValueRef function);

/* The values of its leaves now, where they are known; once. */
void trod_llvm_take_values(struct trod_conditions *of,
    void (*take)(void *ctx, const struct trod_bridge_tracked *tracked), void *ctx);

/* Is it a branch that decides whether a handler is for the type of the exception that is there? */
bool trod_llvm_is_catch(LLVMValueRef instruction);

/* The leaf, or switch, that a terminator had then; TROD_NO_BLOCK: none. */
uint32_t trod_llvm_number_of(LLVMValueRef terminator);

/* --- decision.c -------------------------------------------------------------------------------- */

/* Section `decisions` of a body.
 *
 * needs:  the graph as it is instrumented, before anything is emitted
 */
void trod_llvm_map_decisions(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem);

/* --- source_scan.c: what is written in the source -------------------------------------------------- */

/* Text between two operators: how many more parentheses are opened than closed. False: this is not the text, or a macro
 * stands there.
 */
bool trod_scan_between(
    int *open, const struct trod_leaf *from, const struct trod_leaf *to);

/* Forget the texts that were read. */
void trod_scan_close(void);

/* --- case_labels.c --------------------------------------------------------------------------------- */

/* The labels of a switch as they are written, of all values for which the source leaves no doubt.
 *
 * needs:  the function as the front end made it: cases are in the order of the source
 */
void trod_scan_cases(
    struct trod_cases *out, LLVMValueRef instruction, struct trod_arena *mem);

#endif
