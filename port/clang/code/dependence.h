/* dependence: from a module to its dependence graph. Shared by code_memory.c, code_library.c,
 * code_control.c and code_depend.c.
 *
 *     module -> classes of memory
 *     function + classes -> nodes and edges
 *
 * Glossary
 *   cell     what holds a value: an instruction's result, a parameter, a return value, or a memory
 *            location. Points to at most one other cell; the cells of a class have been joined.
 *   carries  may a value of some type be an address: yes, maybe (a wide enough integer), no
 *   library  a function that is only declared here and whose effects are known
 */
#ifndef TROD_DEPENDENCE_H
#define TROD_DEPENDENCE_H

#include "clang/code/code.h"

enum trod_code_carries { TROD_CARRIES_NOT, TROD_CARRIES_PERHAPS, TROD_CARRIES_SURELY };

/* --- code_library.c: effects of library functions -------------------------------------------------- */

enum trod_code_effect {
    TROD_EFFECT_COPIES = 1, /* copies addresses from what it reads to what it writes */
    TROD_EFFECT_PLACES =
        2, /* stores an address within its first argument where the second points to */
    TROD_EFFECT_DEEP = 4,  /* reads everything that is reachable */
    TROD_EFFECT_INPUT = 8, /* reads and changes the state of the input */
    TROD_EFFECT_THROWS = 16,
    TROD_EFFECT_LISTS = 32 /* makes its argument a va_list */
};

struct trod_code_library {
    const char *name;
    /* One letter for each argument: `r`eads what it points to, `w`rites, `b`oth, `c`alls it, `.`
     * neither. A star at the end repeats the letter before it for all further arguments.
     */
    const char *args;
    char
        result; /* a digit: the address in that argument; s: static memory of the function; v: anything else */
    unsigned effects;
};

/* The effects of a call of a library function, an intrinsic or assembly; NULL: any other call. */
const struct trod_code_library *trod_code_library_of(LLVMValueRef call);
/* The letter of an argument. */
char trod_code_library_arg(const struct trod_code_library *of, unsigned arg);

/* --- code_union.c: cells --------------------------------------------------------------------------- */

struct trod_code_wait {
    uint32_t cell, next;
};

struct trod_code_cells {
    struct trod_arena *mem;
    uint32_t *parent; /* [ncell]; number 0 is not a cell */
    uint32_t *size;
    uint32_t *points;
    uint32_t
        *waiting; /* list of cells that get this one's target as soon as it has one */
    uint32_t ncell, room, room_size, room_points, room_waiting;
    struct trod_code_wait *wait;
    uint32_t nwait, room_wait;
    uint64_t *work;
    uint32_t nwork, room_work;
    uint64_t njoin; /* number of joins so far */
};

void trod_code_cells_init(struct trod_code_cells *out, struct trod_arena *mem);
uint32_t trod_code_cell_new(struct trod_code_cells *cells);
uint32_t trod_code_cell_find(struct trod_code_cells *cells, uint32_t cell);
/* The cell it points to; 0: none so far. */
uint32_t trod_code_cell_points(struct trod_code_cells *cells, uint32_t cell);
/* The same; creates one if there is none. 0 for cell 0. */
uint32_t trod_code_cell_target(struct trod_code_cells *cells, uint32_t cell);
void trod_code_cell_join(struct trod_code_cells *cells, uint32_t a, uint32_t b);
/* `to` may hold everything that `from` holds. */
void trod_code_cell_copy(struct trod_code_cells *cells, uint32_t to, uint32_t from,
    enum trod_code_carries carries);

/* --- code_memory.c: points-to analysis ---------------------------------------------------------------- */

struct trod_code_function {
    LLVMValueRef
        function; /* NULL: all functions called through a pointer of some type */
    uint32_t nparam;
    uint32_t *param; /* cells */
    uint32_t result;
    uint32_t more; /* memory of its variable arguments */
    bool is_taken;
};

struct trod_code_memory {
    LLVMModuleRef module;
    struct trod_arena *mem;
    struct trod_code_cells cells;
    struct trod_code_numbers cell_of_value;
    struct trod_code_numbers carries_of_type;
    struct trod_code_numbers number_of_function; /* from functions and function types */
    struct trod_code_function *function;
    uint32_t nfunction, room_function;
    struct trod_names hidden; /* hidden state of libraries, which has no symbol */
    uint32_t *cell_of_hidden;
    uint32_t room_hidden;
    uint32_t input, exception, error; /* hidden state, as cells; 0: not needed */
    LLVMValueRef *
        outward; /* calls of functions in other units, which may call functions passed to them */
    uint32_t noutward, room_outward;
};

/* paper:  Steensgaard, "Points-to analysis in almost linear time", POPL 1996; not field-sensitive
 * cost:   almost O(instructions)
 */
void trod_code_memory_build(
    struct trod_code_memory *out, LLVMModuleRef module, struct trod_arena *mem);
/* The class of an address; 0: none. */
uint32_t trod_code_memory_at(struct trod_code_memory *memory, LLVMValueRef address);
enum trod_code_carries trod_code_memory_carries(
    struct trod_code_memory *memory, LLVMTypeRef type);
struct trod_code_function *trod_code_memory_function(
    struct trod_code_memory *memory, LLVMValueRef function);
/* May an argument be the address of this function, whose address is taken? */
bool trod_code_memory_is_handed(struct trod_code_memory *memory,
    const struct trod_code_function *f, LLVMValueRef arg);
/* The function that a call names; NULL: it is indirect. */
LLVMValueRef trod_code_callee(LLVMValueRef call);

/* --- code_flow.c: how instructions move addresses ----------------------------------------------------- */

void trod_code_memory_follow(
    struct trod_code_memory *memory, LLVMValueRef function, LLVMValueRef instruction);
/* A function passed to a call may be called with everything else that is passed. */
void trod_code_memory_hand_over(
    struct trod_code_memory *memory, LLVMValueRef call, uint32_t function);
uint32_t trod_code_memory_cell(struct trod_code_memory *memory, LLVMValueRef value);
struct trod_code_function *trod_code_memory_type(
    struct trod_code_memory *memory, LLVMTypeRef type, unsigned nparam);
uint32_t trod_code_memory_hidden(struct trod_code_memory *memory, const char *name);

/* --- code_control.c: control dependences ------------------------------------------------------------- */

enum { TROD_CODE_ENTRY = UINT32_MAX };

struct trod_code_control {
    uint32_t nblock;
    LLVMBasicBlockRef *block;
    uint32_t *first; /* [nblock + 1] */
    uint32_t *
        on; /* blocks whose terminator decides; TROD_CODE_ENTRY: the entry of the function */
    uint32_t *first_jump; /* [nblock + 1] */
    /* Blocks that end with a jump: without the jump, this block would run more or less often. */
    uint32_t *jump;
};

/* paper:  Ferrante, Ottenstein and Warren, "The program dependence graph and its use in optimization", TOPLAS 1987;
 *         jumps: Ball and Horwitz, "Slicing programs with arbitrary control-flow", AADEBUG 1993; dominators: Cooper,
 *         Harvey and Kennedy, "A simple, fast dominance algorithm", 2001
 */
void trod_code_control_build(
    struct trod_code_control *out, LLVMValueRef function, struct trod_arena *mem);

/* --- code_body.c: a function as nodes ------------------------------------------------------------------- */

/* Instructions of one line and one block that use each other's results are one node. Calls of
 * functions with unknown effects, and their arguments, are nodes of their own, because they are
 * joined with parameters one by one.
 */
struct trod_code_body {
    LLVMValueRef function;
    uint32_t n;
    LLVMValueRef *code; /* [n] */
    uint32_t *line, *file, *block;
    uint32_t *node;   /* number of its node; 0: none, the address of a local */
    uint32_t *result; /* of calls: node of the result; 0: not a call, or void */
    uint32_t
        *branch; /* of invokes: node of the decision between return and exception */
    uint32_t *
        jump; /* of terminators: node that stands for the jump and has no incoming edges */
    uint8_t *is_call, *is_argument;
    uint32_t begin, nparam,
        first_param; /* node numbers; nparam includes TROD_CODE_MORE for variadic functions */
    struct trod_code_numbers index; /* from instructions to their indices here */
    struct trod_code_control control;
};

enum { TROD_CODE_MORE = 8 }; /* variable arguments that have nodes of their own */

/* *next: the first free node number; updated */
void trod_code_body_build(struct trod_code_body *out, LLVMValueRef function,
    struct trod_code_places *places, uint32_t *next, struct trod_arena *mem);
/* The node that computes a value; 0: none, it is a constant or the address of a local. */
uint32_t trod_code_body_source(const struct trod_code_body *body, LLVMValueRef value);

/* --- code_depend.c: a unit ------------------------------------------------------------------------------- */

struct trod_code_edge {
    uint32_t from, to;
};

struct trod_code_depends {
    struct trod_sink *out;
    LLVMModuleRef module;
    struct trod_code_places *places;
    struct trod_arena *mem;
    struct trod_code_memory memory;
    uint32_t next, nfile;
    uint32_t *number_of_cell; /* 0: not a class, or an irrelevant one */
    uint32_t room_of_cell;
    uint32_t *class; /* cells, by class number */
    uint32_t nclass, room_class;
    struct trod_code_edge *edge;
    uint32_t nedge, room_edge;
};

/* Write the section `depends` of a unit. */
void trod_code_depends_print(struct trod_sink *out, LLVMModuleRef module,
    struct trod_code_places *places, struct trod_arena *mem);

/* The number of a cell's class, and of the class of an address; 0: none. */
uint32_t trod_code_depends_class(struct trod_code_depends *d, uint32_t cell);
uint32_t trod_code_depends_at(struct trod_code_depends *d, LLVMValueRef address);
/* Write what a value points to, if anything. */
void trod_code_depends_points(
    struct trod_code_depends *d, uint32_t node, uint32_t cell);
/* Add an edge, unless an end is 0. */
void trod_code_depends_edge(struct trod_code_depends *d, uint32_t from, uint32_t to);
/* Write a function type in the form that all units use. */
void trod_code_depends_type(struct trod_code_depends *d, LLVMTypeRef type);

/* --- code_call.c ------------------------------------------------------------------------------------------- */

/* Everything reachable from a cell may change a node. */
void trod_code_depends_deep(struct trod_code_depends *d, uint32_t node, uint32_t cell);
void trod_code_depends_library(struct trod_code_depends *d, uint32_t node,
    LLVMValueRef call, const struct trod_code_library *library);
/* Write the call with this index in a body: a line `calls` or `may-call`, and edges. */
void trod_code_depends_call(
    struct trod_code_depends *d, const struct trod_code_body *body, uint32_t i);

#endif
