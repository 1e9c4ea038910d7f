/* dependence: from a module to its dependence graph. What code_memory.c, code_library.c, code_control.c and code_depend.c
 * share.
 *
 *     module -> classes of memory
 *     function + classes -> nodes and edges
 *
 * Glossary
 *   cell     what holds a value: an instruction's result, a parameter, what a function returns, or a place in memory. Points
 *            to at most one other cell; cells that are one class have been joined.
 *   carries  may a value of some type be an address: surely, perhaps (an integer that is wide enough), no
 *   library  a function that is only declared here and whose effects are known
 */
#ifndef TROD_DEPENDENCE_H
#define TROD_DEPENDENCE_H

#include "clang/code/code.h"

enum trod_code_carries { TROD_CARRIES_NOT, TROD_CARRIES_PERHAPS, TROD_CARRIES_SURELY };

/* --- code_library.c: what well-known functions do -------------------------------------------------- */

enum trod_code_effect {
    TROD_EFFECT_COPIES = 1, /* addresses from what it reads to what it writes */
    TROD_EFFECT_PLACES =
        2, /* an address within its first argument where the second points to */
    TROD_EFFECT_DEEP = 4,  /* reads whatever can be reached */
    TROD_EFFECT_INPUT = 8, /* reads and changes what the next one like it gives */
    TROD_EFFECT_THROWS = 16,
    TROD_EFFECT_LISTS = 32 /* makes its argument a list of variable arguments */
};

struct trod_code_library {
    const char *name;
    /* A letter an argument: `r`eads what it points to, `w`rites, `b`oth, `c`alls it, `.` neither. A star at the end: the
     * letter before it is also that of all further ones.
     */
    const char *args;
    char
        result; /* a digit: that argument's address; s: memory of its own, the same each time; v: all else */
    unsigned effects;
};

/* What is called, if that is known: of calls of library functions, intrinsics and assembly; NULL: of all others. */
const struct trod_code_library *trod_code_library_of(LLVMValueRef call);
/* The letter of an argument. */
char trod_code_library_arg(const struct trod_code_library *of, unsigned arg);

/* --- code_union.c: cells --------------------------------------------------------------------------- */

struct trod_code_wait {
    uint32_t cell, next;
};

struct trod_code_cells {
    struct trod_arena *mem;
    uint32_t *parent; /* [ncell]; number 0 is none */
    uint32_t *size;
    uint32_t *points;
    uint32_t *waiting; /* list of cells that get what this one will point to */
    uint32_t ncell, room, room_size, room_points, room_waiting;
    struct trod_code_wait *wait;
    uint32_t nwait, room_wait;
    uint64_t *work;
    uint32_t nwork, room_work;
    uint64_t njoin; /* so far */
};

void trod_code_cells_init(struct trod_code_cells *out, struct trod_arena *mem);
uint32_t trod_code_cell_new(struct trod_code_cells *cells);
uint32_t trod_code_cell_find(struct trod_code_cells *cells, uint32_t cell);
/* What it points to; 0: nothing so far. */
uint32_t trod_code_cell_points(struct trod_code_cells *cells, uint32_t cell);
/* The same; made if there is nothing. 0 of 0. */
uint32_t trod_code_cell_target(struct trod_code_cells *cells, uint32_t cell);
void trod_code_cell_join(struct trod_code_cells *cells, uint32_t a, uint32_t b);
/* Whatever `from` holds, `to` may hold. */
void trod_code_cell_copy(struct trod_code_cells *cells, uint32_t to, uint32_t from,
    enum trod_code_carries carries);

/* --- code_memory.c: which pointers point where -------------------------------------------------------- */

struct trod_code_function {
    LLVMValueRef
        function; /* NULL: all that are called through a pointer of some type */
    uint32_t nparam;
    uint32_t *param; /* cells */
    uint32_t result;
    uint32_t more; /* memory of variable arguments */
    bool is_taken;
};

struct trod_code_memory {
    LLVMModuleRef module;
    struct trod_arena *mem;
    struct trod_code_cells cells;
    struct trod_code_numbers cell_of_value;
    struct trod_code_numbers carries_of_type;
    struct trod_code_numbers number_of_function; /* functions, and types of functions */
    struct trod_code_function *function;
    uint32_t nfunction, room_function;
    struct trod_names hidden; /* memory that no symbol is of */
    uint32_t *cell_of_hidden;
    uint32_t room_hidden;
    uint32_t input, exception, error; /* such; 0: not needed */
    LLVMValueRef
        *outward; /* calls of what is elsewhere, which may call what it is handed */
    uint32_t noutward, room_outward;
};

/* paper:  Steensgaard, "Points-to analysis in almost linear time", POPL 1996; without fields
 * cost:   O(instructions), almost
 */
void trod_code_memory_build(
    struct trod_code_memory *out, LLVMModuleRef module, struct trod_arena *mem);
/* The class that an address is in; 0: none. */
uint32_t trod_code_memory_at(struct trod_code_memory *memory, LLVMValueRef address);
enum trod_code_carries trod_code_memory_carries(
    struct trod_code_memory *memory, LLVMTypeRef type);
struct trod_code_function *trod_code_memory_function(
    struct trod_code_memory *memory, LLVMValueRef function);
/* Is this function, whose address is taken, one that an argument may be the address of? */
bool trod_code_memory_is_handed(struct trod_code_memory *memory,
    const struct trod_code_function *f, LLVMValueRef arg);
/* Of a call: the function, if it is one; NULL: through a pointer. */
LLVMValueRef trod_code_callee(LLVMValueRef call);

/* --- code_flow.c: what instructions do with addresses ------------------------------------------------- */

void trod_code_memory_follow(
    struct trod_code_memory *memory, LLVMValueRef function, LLVMValueRef instruction);
/* A function that is handed to a call may be called with whatever else that is handed. */
void trod_code_memory_hand_over(
    struct trod_code_memory *memory, LLVMValueRef call, uint32_t function);
uint32_t trod_code_memory_cell(struct trod_code_memory *memory, LLVMValueRef value);
struct trod_code_function *trod_code_memory_type(
    struct trod_code_memory *memory, LLVMTypeRef type, unsigned nparam);
uint32_t trod_code_memory_hidden(struct trod_code_memory *memory, const char *name);

/* --- code_control.c: what runs only if a branch decides so ------------------------------------------- */

enum { TROD_CODE_ENTRY = UINT32_MAX };

struct trod_code_control {
    uint32_t nblock;
    LLVMBasicBlockRef *block;
    uint32_t *first; /* [nblock + 1] */
    uint32_t
        *on; /* blocks whose end decides; TROD_CODE_ENTRY: that the function runs */
    uint32_t *first_jump; /* [nblock + 1] */
    /* Blocks whose end is a jump: were it not there, this one would run more or less often. */
    uint32_t *jump;
};

/* paper:  Ferrante, Ottenstein and Warren, "The program dependence graph and its use in optimization", TOPLAS 1987;
 *         jumps: Ball and Horwitz, "Slicing programs with arbitrary control-flow", AADEBUG 1993; dominators: Cooper,
 *         Harvey and Kennedy, "A simple, fast dominance algorithm", 2001
 */
void trod_code_control_build(
    struct trod_code_control *out, LLVMValueRef function, struct trod_arena *mem);

/* --- code_body.c: a function as nodes ------------------------------------------------------------------- */

/* Instructions of one line and one block that work on each other's results are one node. Not so calls of functions whose
 * effects are elsewhere, and what is handed to them: these are joined with parameters one by one.
 */
struct trod_code_body {
    LLVMValueRef function;
    uint32_t n;
    LLVMValueRef *code; /* [n] */
    uint32_t *line, *file, *block;
    uint32_t *node;   /* number; 0: none, the address of a local */
    uint32_t *result; /* of calls: another one; 0: of no call, or it gives nothing */
    uint32_t *branch; /* of calls that may end in another block: a third */
    uint32_t *
        jump; /* of what ends a block: a node nothing leads to, and what changes if the jump is another */
    uint8_t *is_call, *is_argument;
    uint32_t begin, nparam,
        first_param;                /* numbers of nodes; variable arguments have some */
    struct trod_code_numbers index; /* from instructions to numbers here */
    struct trod_code_control control;
};

enum {
    TROD_CODE_MORE = 8
}; /* variable arguments that are distinguished from what begins a function */

/* next: the first number that is free; and after it */
void trod_code_body_build(struct trod_code_body *out, LLVMValueRef function,
    struct trod_code_places *places, uint32_t *next, struct trod_arena *mem);
/* The node that computes a value; 0: none, it is a constant or the address of a local. */
uint32_t trod_code_body_source(const struct trod_code_body *body, LLVMValueRef value);

/* --- code_depend.c: all of a unit ------------------------------------------------------------------------ */

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
    uint32_t *number_of_cell; /* 0: it is not a class, or none that matters */
    uint32_t room_of_cell;
    uint32_t *class; /* cells, in the order of their numbers */
    uint32_t nclass, room_class;
    struct trod_code_edge *edge;
    uint32_t nedge, room_edge;
};

/* The section `depends` of a unit. */
void trod_code_depends_print(struct trod_sink *out, LLVMModuleRef module,
    struct trod_code_places *places, struct trod_arena *mem);

/* The number of a cell's class, and of the one that an address is in; 0 of none. */
uint32_t trod_code_depends_class(struct trod_code_depends *d, uint32_t cell);
uint32_t trod_code_depends_at(struct trod_code_depends *d, LLVMValueRef address);
/* What a value points to, if it points anywhere. */
void trod_code_depends_points(
    struct trod_code_depends *d, uint32_t node, uint32_t cell);
/* An edge, unless it is from or to 0. */
void trod_code_depends_edge(struct trod_code_depends *d, uint32_t from, uint32_t to);
/* A type of functions, as other units write it, too. */
void trod_code_depends_type(struct trod_code_depends *d, LLVMTypeRef type);

/* --- code_call.c ------------------------------------------------------------------------------------------- */

/* Whatever can be reached from a cell may change a node. */
void trod_code_depends_deep(struct trod_code_depends *d, uint32_t node, uint32_t cell);
void trod_code_depends_library(struct trod_code_depends *d, uint32_t node,
    LLVMValueRef call, const struct trod_code_library *library);
/* The call of a body's number: a line `calls` or `may-call`, and edges. */
void trod_code_depends_call(
    struct trod_code_depends *d, const struct trod_code_body *body, uint32_t i);

#endif
