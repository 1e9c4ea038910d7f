/* branch: what a processor did, block by block.
 *
 *     emulator, trace file, importer, generator -> runs -> (model, core, edit, lift)
 *
 * Instructions that are always carried out in a row are a block, and only the last of them may be a branch.
 * What a program did is the sequence of the blocks that its threads ran, and where each went. All that comes
 * behind knows no processor: kinds of branches, classes of instructions and registers are the same for all.
 *
 * Glossary
 *   code     a block as it is in memory: where it begins, what it ends with. Known by its address; after
 *            memory was changed, another code may be at the same one
 *   branch   the last instruction of a code, if its kind says so
 *   taken    said of a branch: it did not go on behind itself. Of all but conditional ones always
 *   forward, backward   where a direct branch goes if it is taken, whether it was or not: behind its own
 *            address, or to it or before
 *   run      a code was run once, by a thread, and went somewhere
 *   odd      said of a run: it went where its code cannot go. A signal came in, or its handler returned, or code
 *            was changed; or the decoder is wrong. Programs without signals have none
 *   access   a load or store of a run
 *   image    a file that is mapped: code at addresses in it is known by file and offset
 *
 * Memory: codes and images live as long as the stream; a run is the sink's until it returns.
 */
#ifndef TROD_BRANCH_H
#define TROD_BRANCH_H

#include "base/base.h"

/* --- codes ------------------------------------------------------------------------------------ */

enum trod_branch_kind {
    TROD_BRANCH_NONE, /* goes on behind itself, or repeats itself: cut off, or a system call, say */
    TROD_BRANCH_IF,       /* conditional; direct */
    TROD_BRANCH_JUMP,     /* always; direct */
    TROD_BRANCH_INDIRECT, /* to where a register or memory says; not a return */
    TROD_BRANCH_CALL,
    TROD_BRANCH_CALL_INDIRECT,
    TROD_BRANCH_RETURN,
    TROD_BRANCH_KINDS
};

/* What carries an instruction out, in a core. */
enum trod_insn_class {
    TROD_INSN_ALU, /* whole numbers, moves, and all that is not named here */
    TROD_INSN_MULTIPLY,
    TROD_INSN_DIVIDE,
    TROD_INSN_FLOAT,
    TROD_INSN_FLOAT_MULTIPLY,
    TROD_INSN_FLOAT_DIVIDE,
    TROD_INSN_BRANCH,
    TROD_INSN_NOTHING, /* no-operations, hints */
    TROD_INSN_SYSTEM,  /* waits until all before it is done */
    TROD_INSN_CLASSES
};

enum {
    TROD_INSN_SOURCES = 6, /* registers, at most; more are left out */
    TROD_INSN_TARGETS = 4,
    TROD_INSN_REGISTERS = 255 /* numbers from 1; 0: none */
};

struct trod_insn {
    uint64_t pc;
    uint8_t size;
    uint8_t class;         /* enum trod_insn_class */
    uint8_t nload, nstore; /* accesses: an x86 instruction may do several */
    uint8_t source[TROD_INSN_SOURCES];
    uint8_t target[TROD_INSN_TARGETS];
};

struct trod_code {
    uint64_t pc;     /* of its first instruction */
    uint64_t last;   /* of its last one, the branch */
    uint64_t after;  /* behind it */
    uint64_t target; /* of direct branches: where to if taken; else 0 */
    uint32_t number; /* its own, from 0 in the order they were found */
    uint32_t ninsn;
    uint8_t kind;                 /* enum trod_branch_kind */
    const struct trod_insn *insn; /* [ninsn], or NULL: nobody asked */
};

static inline bool trod_branch_is_direct(uint8_t kind)
{
    return kind == TROD_BRANCH_IF || kind == TROD_BRANCH_JUMP ||
           kind == TROD_BRANCH_CALL;
}

static inline bool trod_branch_is_call(uint8_t kind)
{
    return kind == TROD_BRANCH_CALL || kind == TROD_BRANCH_CALL_INDIRECT;
}

static inline bool trod_branch_is_backward(const struct trod_code *code)
{
    return code->target <= code->last;
}

/* Can it have gone there? */
static inline bool trod_branch_may_go(const struct trod_code *code, uint64_t next)
{
    switch (code->kind) {
    case TROD_BRANCH_NONE:
        return next == code->after || (next >= code->pc && next <= code->last);
    case TROD_BRANCH_IF:
        return next == code->target || next == code->after;
    case TROD_BRANCH_JUMP:
    case TROD_BRANCH_CALL:
        return next == code->target;
    default:
        return true;
    }
}

struct trod_image {
    const char *path;     /* NULL: no file */
    const char *build_id; /* hexadecimal, or NULL */
    uint64_t start, end;  /* addresses */
    uint64_t offset;      /* of start, in the file */
};

/* --- runs ---------------------------------------------------------------------------------------- */

struct trod_access {
    uint64_t address;
    uint16_t insn; /* which of the code */
    uint8_t size;  /* bytes */
    bool store;
};

struct trod_run {
    const struct trod_code *code;
    uint64_t next;
    uint64_t
        stack; /* of calls and returns, where it is known: where the return address lies; else 0 */
    uint32_t thread;
    uint32_t naccess;
    bool taken;
    bool odd;
    const struct trod_access *access; /* in order */
};

/* Where a stream goes. Any function may be NULL. Runs of different threads are in some order; those of one
 * thread in theirs.
 */
struct trod_branch_sink {
    void (*code)(struct trod_branch_sink *to, const struct trod_code *code);
    void (*image)(struct trod_branch_sink *to, const struct trod_image *image);
    void (*run)(struct trod_branch_sink *to, const struct trod_run *run);
    void (*end)(
        struct trod_branch_sink *to, uint32_t thread); /* there is no more of it */
};

#endif
