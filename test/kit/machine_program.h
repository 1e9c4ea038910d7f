/* Random programs in imaginary machine code, and walks through them: streams for property tests of their readers.
 *
 * A program is functions, laid out one after another; blocks of instructions in them; branches of all kinds
 * between them. Draws decide where a walk goes, so loops, recursion, calls through pointers and tail calls
 * occur. Options add threads, longjmp() and signal handlers.
 *
 * Codes are those that an emulator finds: from where control arrives to the next branch. If control enters a code
 * in its middle, there is a second code, which overlaps the first.
 *
 * Draws of 0 give the plainest program, and end the walk soon.
 */
#ifndef KIT_MACHINE_PROGRAM_H
#define KIT_MACHINE_PROGRAM_H

#include "kit/kit.h"

#include "branch/branch.h"

/* Where draws come from: a property's, or a generator's for long walks. */
struct kit_draws {
    uint64_t (*draw)(void *ctx, uint64_t bound); /* 0..bound-1 */
    void *ctx;
};

struct kit_draws kit_draws_of_prop(struct kit_prop *p);
struct kit_draws kit_draws_of_rng(struct trod_rng *rng);

struct kit_walk_options {
    uint32_t nfunction; /* at most; 0: 6 */
    uint32_t nblock;    /* of a function, at most; 0: 8 */
    uint32_t nthread;   /* at most; 0: 1 */
    uint32_t nrun;      /* in all, at most; 0: 200 */
    bool no_insns;      /* codes without instructions */
    bool accesses;
    bool stacks;  /* where return addresses lie */
    bool longjmp; /* some functions jump to an outer caller */
    bool signals; /* signal handlers interrupt */
    bool gaps;    /* threads end, and others of their number begin */
    bool again;   /* a thread that ended begins again, until there are nrun runs */
    bool tails;   /* jumps to other functions */
    bool whole;   /* continue until all threads ended, even beyond nrun */
    bool x86;     /* sizes of instructions are those of kit_program_bytes() */
    bool no_cuts; /* no code ends without a branch */
};

struct kit_block {
    uint64_t pc, last, after;
    struct trod_insn *insn;
    uint32_t ninsn;
    uint32_t function;
    uint8_t kind;
    bool cut;               /* kind is NONE, and a code ends here nevertheless */
    uint32_t target;        /* of direct ones: a block */
    uint32_t choice[4];     /* of indirect ones: blocks */
    struct trod_code *code; /* that begins here, once it was run */
};

struct kit_program {
    struct kit_walk_options options;
    struct trod_image image;
    struct kit_block *block; /* by address */
    uint32_t nblock;
    uint32_t *entry; /* of each function: a block */
    uint32_t *frame; /* of each function: bytes */
    uint32_t nfunction;
    uint32_t handler, restorer,
        jumper;       /* functions of signals and longjmp; UINT32_MAX: none */
    uint64_t outside; /* where a thread's first function returns to: no code */
    uint32_t ncode;   /* so far */
    struct trod_arena *mem;
};

void kit_program_draw(struct kit_program *out, struct kit_draws draws,
    const struct kit_walk_options *options, struct trod_arena *mem);

/* The bytes of the program, from image.start to image.end, for x86-64: nops and branches.
 *
 * needs:  options.x86
 */
void kit_program_bytes(uint8_t *out, const struct kit_program *program);

/* Walk the program: one image, codes before they first run, runs, ends of all threads. Fills totals with the numbers
 * of unusual events, if it is not NULL.
 */
struct kit_walked {
    uint64_t nrun, ninsn, naccess;
    uint64_t nodd;     /* runs */
    uint64_t nsignal;  /* signal handlers that ran */
    uint64_t nlongjmp; /* times */
    uint64_t nthread;  /* that ended */
};
void kit_program_walk(struct kit_program *program, struct trod_branch_sink *to,
    struct kit_draws draws, struct kit_walked *totals);

/* Both. */
void kit_walk(struct trod_branch_sink *to, struct kit_prop *p,
    const struct kit_walk_options *options, struct trod_arena *mem);

#endif
