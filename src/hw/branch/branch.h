/* branch: branch streams: the execution of a program, block by block.
 *
 *     emulator, trace file, importer, generator -> runs -> (model, core, edit, lift)
 *
 * A block is a sequence of instructions that are always executed together; only the last of them may be a branch.
 * An execution is the sequence of blocks that threads ran, with the successor of each. Consumers do
 * not depend on the processor: kinds of branches, classes of instructions and registers are the same for all.
 *
 * Glossary
 *   code     a block in memory: where it begins, how it ends. Identified by its address; after
 *            memory was changed, another code may have the same address
 *   branch   the last instruction of a code, if its kind says so
 *   taken    said of a branch: it did not fall through. Always, except for conditional ones
 *   forward, backward   direction of the target of a direct branch, taken or not: after its own
 *            address, or to it or before
 *   run      one execution of a code by a thread, with its successor
 *   odd      said of a run: its successor is impossible for its code. A signal handler began or returned, or code
 *            was changed; or the decoder is wrong. Programs without signals have none
 *   access   a load or store of a run
 *   image    a mapped file: its code is identified by file and offset
 *
 *   gap      a missing part of a stream: threads end there, and later threads with the same numbers
 *            are different ones
 *
 * Memory: codes and images live as long as the stream; a run is valid until the sink returns.
 */
#ifndef TROD_BRANCH_H
#define TROD_BRANCH_H

#include "base/base.h"
#include "base/table.h"

/* --- codes ------------------------------------------------------------------------------------ */

enum trod_branch_kind {
    TROD_BRANCH_NONE, /* falls through, or repeats itself: a split block, or a system call, for example */
    TROD_BRANCH_IF,       /* conditional; direct */
    TROD_BRANCH_JUMP,     /* always; direct */
    TROD_BRANCH_INDIRECT, /* to where a register or memory says; not a return */
    TROD_BRANCH_CALL,
    TROD_BRANCH_CALL_INDIRECT,
    TROD_BRANCH_RETURN,
    TROD_BRANCH_KINDS
};

/* The functional unit that executes an instruction. */
enum trod_insn_class {
    TROD_INSN_ALU, /* integers, moves, and everything not listed below */
    TROD_INSN_MULTIPLY,
    TROD_INSN_DIVIDE,
    TROD_INSN_FLOAT,
    TROD_INSN_FLOAT_MULTIPLY,
    TROD_INSN_FLOAT_DIVIDE,
    TROD_INSN_BRANCH,
    TROD_INSN_NOTHING, /* no-operations, hints */
    TROD_INSN_SYSTEM,  /* waits until all earlier instructions are done */
    TROD_INSN_CLASSES
};

enum {
    TROD_INSN_SOURCES = 6, /* registers, at most; more are omitted */
    TROD_INSN_TARGETS = 4,
    TROD_INSN_REGISTERS = 255 /* numbered from 1; 0: none */
};

struct trod_insn {
    uint64_t pc;
    uint8_t size;
    uint8_t insn_class;    /* enum trod_insn_class */
    uint8_t nload, nstore; /* accesses: an x86 instruction may do several */
    uint8_t source[TROD_INSN_SOURCES];
    uint8_t target[TROD_INSN_TARGETS];
};

struct trod_code {
    uint64_t pc;     /* of its first instruction */
    uint64_t last;   /* of its last one, the branch */
    uint64_t after;  /* address after it */
    uint64_t target; /* of direct branches; otherwise 0 */
    uint32_t number; /* number of the code, from 0 in order of appearance */
    uint32_t ninsn;
    uint8_t kind;                 /* enum trod_branch_kind */
    const struct trod_insn *insn; /* [ninsn], or NULL: not requested */
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

/* Was the branch taken, given its successor? */
static inline bool trod_branch_is_taken(const struct trod_code *code, uint64_t next)
{
    return code->kind == TROD_BRANCH_IF ? next != code->after
                                        : code->kind != TROD_BRANCH_NONE;
}

/* Is the successor possible? */
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
    uint16_t insn; /* index in the code */
    uint8_t size;  /* bytes */
    bool store;
};

/* Upper bound of thread numbers; numbers of ended threads may be reused. */
#define TROD_BRANCH_THREADS UINT32_C(65536)
/* Upper bound of accesses of a run. */
#define TROD_BRANCH_ACCESSES UINT32_C(65536)

struct trod_run {
    const struct trod_code *code;
    uint64_t next;
    uint64_t
        stack; /* of calls and returns: location of the return address, if known; otherwise 0 */
    uint32_t thread;
    uint32_t naccess;
    bool taken;                       /* trod_branch_is_taken() */
    bool odd;                         /* not trod_branch_may_go() */
    const struct trod_access *access; /* in order */
};

/* A consumer of a stream. Any function may be NULL. Runs of different threads are interleaved; those of one
 * thread are in order, and each begins at the successor of the previous one. A code precedes its runs, and an image
 * the codes in it.
 */
struct trod_branch_sink {
    void (*code)(struct trod_branch_sink *to, const struct trod_code *code);
    void (*image)(struct trod_branch_sink *to, const struct trod_image *image);
    void (*run)(struct trod_branch_sink *to, const struct trod_run *run);
    void (*end)(struct trod_branch_sink *to, uint32_t thread); /* the thread ended */
};

static inline void trod_branch_put_code(
    struct trod_branch_sink *to, const struct trod_code *code)
{
    if (to->code)
        to->code(to, code);
}

static inline void trod_branch_put_image(
    struct trod_branch_sink *to, const struct trod_image *image)
{
    if (to->image)
        to->image(to, image);
}

static inline void trod_branch_put_run(
    struct trod_branch_sink *to, const struct trod_run *run)
{
    if (to->run)
        to->run(to, run);
}

static inline void trod_branch_put_end(struct trod_branch_sink *to, uint32_t thread)
{
    if (to->end)
        to->end(to, thread);
}

/* --- branch_text.c: streams as text ---------------------------------------------------------------- */

/* Keywords of the text form; NULL after the last. */
const char *trod_branch_kind_name(uint8_t kind);
const char *trod_insn_class_name(uint8_t insn_class);

/* A sink that prints. Threads that have not ended at the end of the stream have no `end`. */
struct trod_branch_printer {
    struct trod_branch_sink sink;
    struct trod_sink *out;
};

/* Prints the head, 'branches NAME'. */
void trod_branch_printer_init(
    struct trod_branch_printer *printer, struct trod_sink *out, const char *name);

/* A single code or image, also for other text forms. */
void trod_branch_print_code(struct trod_sink *out, const struct trod_code *code);
void trod_branch_print_image(struct trod_sink *out, const struct trod_image *image);

/* The rest of a line 'code' or 'image', and lines of instructions below the first; number: the expected one.
 *
 * fails:  TROD_E_INPUT if it is not such a line, or trod_branch_check_code() fails
 */
bool trod_branch_parse_code(struct trod_code *out, uint32_t number,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
bool trod_branch_parse_image(struct trod_image *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Read a stream, after the name in its head, to the end of the text. On an error, everything before it
 * has been sent to the sink.
 *
 * fails:  TROD_E_INPUT if a line is invalid, or runs do not match codes
 */
bool trod_branch_parse(struct trod_branch_sink *to, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- branch_check.c: consistency ------------------------------------------------------ */

/* Check one code: addresses in order, instructions without gaps.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_branch_check_code(
    const struct trod_code *code, struct trod_err *err) TROD_MUST_CHECK;

/* Findings. Those before TROD_BRANCH_SOUND are faults of the producer; the others are legal, but in
 * ordinary programs only the last two occur.
 */
enum trod_branch_finding {
    TROD_BRANCH_BAD_CODE, /* trod_branch_check_code(), or out of order */
    TROD_BRANCH_BAD_FLAG, /* the flags taken or odd are wrong */
    TROD_BRANCH_BAD_SEQUENCE, /* a run does not begin at the successor of the previous one */
    TROD_BRANCH_BAD_ACCESS, /* not possible for an instruction of the code, or out of order */
    TROD_BRANCH_BAD_THREAD, /* number too large, or the end of an unknown thread */
    TROD_BRANCH_ODD,
    TROD_BRANCH_RETURN_AWAY, /* to an address that no open call returns to: from a handler, or a switch of stacks */
    TROD_BRANCH_RETURN_SLOT, /* to the right address, but at another location than the call's */
    TROD_BRANCH_RETURN_DOWN, /* to a caller further down: longjmp, exceptions */
    TROD_BRANCH_RETURN_ABOVE, /* no call is open: its function was entered before the stream began */
    TROD_BRANCH_FINDINGS
};
#define TROD_BRANCH_SOUND TROD_BRANCH_ODD

/* As text: 'returns to callers further down'. */
const char *trod_branch_finding_name(enum trod_branch_finding finding);

/* A sink that checks. */
struct trod_branch_checker {
    struct trod_branch_sink sink;
    struct trod_arena *mem;
    uint64_t count[TROD_BRANCH_FINDINGS];
    uint64_t nrun_of_kind[TROD_BRANCH_KINDS], ntaken; /* taken: of conditional ones */
    uint64_t nrun, ninsn, naccess, nend;
    uint32_t ncode, nimage, nthread;   /* threads: highest number of threads that ran */
    struct trod_err first;             /* fault: where; code is TROD_OK: none yet */
    struct trod_branch_shadow *shadow; /* by number of thread */
    uint32_t room;
};

void trod_branch_checker_init(
    struct trod_branch_checker *checker, struct trod_arena *mem);

/* Is it free of faults of the producer?
 *
 * fails:  TROD_E_INPUT with the first fault, and their number
 */
bool trod_branch_checked(
    const struct trod_branch_checker *checker, struct trod_err *err) TROD_MUST_CHECK;

/* What it found, as text. */
void trod_branch_checked_print(
    struct trod_sink *sink, const struct trod_branch_checker *checker);

/* --- branch_hash.c: hashes of streams ------------------------------------------------- */

/* A sink that hashes. Order matters. */
struct trod_branch_hasher {
    struct trod_branch_sink sink;
    uint64_t all;   /* of runs, and of ends of threads */
    uint64_t codes; /* separate, because their position may differ */
    uint64_t
        branches; /* addresses of branches and their successors: independent of how codes are divided */
    uint64_t nbranch;
};

void trod_branch_hasher_init(struct trod_branch_hasher *hasher);

/* --- branch_tee.c: streams to several ---------------------------------------------------------------- */

/* A sink that passes everything on to several others, in order. */
struct trod_branch_tee {
    struct trod_branch_sink sink;
    struct trod_branch_sink **to;
    size_t count;
};

void trod_branch_tee_init(
    struct trod_branch_tee *tee, struct trod_branch_sink **to, size_t count);

/* --- branch_place.c: functions and lines ------------------------------------------------------------- */

struct trod_branch_place {
    const char *function; /* as in the source */
    uint64_t offset;      /* from its first byte */
    const char *source;   /* file; NULL: unknown */
    uint32_t line;
};

/* What an address is in the program; ports know. find fails if there is no symbol. */
struct trod_branch_places {
    void *ctx;
    bool (*find)(void *ctx, struct trod_branch_place *out, uint64_t address);
};

/* `  FUNCTION  FILE:LINE`, without debug lines `  FUNCTION+0x12`; nothing if the address is unknown, or places is NULL. */
void trod_branch_put_place(
    struct trod_sink *sink, const struct trod_branch_places *places, uint64_t address);
void trod_branch_json_place(struct trod_json *json, const char *key,
    const struct trod_branch_places *places, uint64_t address);

/* --- branch_cut.c: a part of a stream ------------------------------------------------------------------ */

/* A sink that passes on all codes and images, and runs whose first instruction has a number in from..to-1, counted
 * over all threads; and the ends of threads within the range.
 */
struct trod_branch_cutter {
    struct trod_branch_sink sink;
    struct trod_branch_sink *on;
    uint64_t from, to; /* to 0: no end */
    uint64_t ninsn;    /* so far */
    uint64_t ran[TROD_BRANCH_THREADS / 64];
};

void trod_branch_cutter_init(struct trod_branch_cutter *cutter,
    struct trod_branch_sink *on, uint64_t from, uint64_t to);

/* --- branch_guess.c, branch_write.c, branch_read.c: trace files ------------------------------------------ */

/* doc/format-trace.md has the layout. */
#define TROD_BRANCH_TRACE_MAGIC "trodbran"
enum {
    TROD_BRANCH_TRACE_VERSION = 1,
    TROD_BRANCH_TRACE_RUNS = 1 << 20,  /* of a chunk, at most */
    TROD_BRANCH_TRACE_CHUNK = 1 << 24, /* bytes of one, at most */
    TROD_BRANCH_TRACE_CODES = 1 << 24, /* in all, at most */
    TROD_BRANCH_TRACE_STORED = 0,      /* codecs */
    TROD_BRANCH_TRACE_ZSTD = 1
};

/* A compressor for chunks. */
struct trod_branch_codec {
    uint8_t number;
    /* Size of the result, at most room; 0: it does not fit, or compression failed. */
    size_t (*pack)(void *out, size_t room, const void *bytes, size_t nbyte);
    /* Decompress to exactly so many bytes, or false. */
    bool (*unpack)(void *out, size_t length, const void *bytes, size_t nbyte);
};

struct trod_guess;

/* A sink that writes a trace file. Memory is bounded by a chunk and the codes: it does not grow
 * with runs. Not thread-safe.
 */
struct trod_branch_writer {
    struct trod_branch_sink sink;
    struct trod_sink *out;
    const struct trod_branch_codec *codec; /* NULL: none */
    struct trod_arena *mem;
    uint64_t nbyte, nrun, ninsn;         /* written; added */
    struct trod_branch_writer_state *of; /* private */
};

void trod_branch_writer_init(struct trod_branch_writer *writer, struct trod_sink *out,
    const char *name, const struct trod_branch_codec *codec, struct trod_arena *mem);

/* Write the rest, and the index. A file without an index is read as a truncated one. */
void trod_branch_writer_finish(struct trod_branch_writer *writer);

/* Write the current chunk, and begin another. */
void trod_branch_writer_flush(struct trod_branch_writer *writer);

struct trod_branch_health {
    const char *name; /* of the stream */
    uint32_t version;
    uint32_t nchunk;   /* of runs */
    uint32_t nread;    /* of these: read, not skipped */
    bool cut_off;      /* truncated */
    uint32_t ndamaged; /* damaged places, each up to the next valid chunk */
    uint64_t nlost;    /* number of missing instructions, as far as known */
    uint64_t ninsn;    /* in total, including lost ones */
};

struct trod_branch_read_options {
    const struct trod_branch_codec *codec; /* NULL: compressed chunks are damaged */
    uint64_t from, to; /* as in trod_branch_cutter; chunks outside are skipped */
};

/* Read a trace file as far as possible. After damage the stream has a gap.
 *
 * fails:  TROD_E_INPUT if it is not a trace file, or has another version
 */
bool trod_branch_read(struct trod_branch_sink *to, struct trod_branch_health *health,
    const char *file, const uint8_t *bytes, size_t length,
    const struct trod_branch_read_options *options, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Read only its name and version. */
bool trod_branch_read_head(struct trod_branch_health *health, const char *file,
    const uint8_t *bytes, size_t length, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Do the bytes begin like a trace file? */
bool trod_branch_is_trace(const uint8_t *bytes, size_t length);

/* --- branch_stacks.c: branch stacks in the output of 'perf script' ------------------------------------------- */

/* Decodes the code between two taken branches: every instruction from one address
 * to another, in order. False: the code is unknown, or an instruction before the last does not fall through.
 */
struct trod_branch_decoder {
    bool (*walk)(void *ctx, uint64_t pc, uint64_t last,
        void (*take)(
            void *to, uint64_t pc, uint8_t size, uint8_t kind, uint64_t target),
        void *to);
    void *ctx;
};

struct trod_branch_stacks {
    uint64_t nsample;  /* lines with a stack */
    uint64_t nbranch;  /* in all of these */
    uint64_t nbroken;  /* inconsistent places in stacks: these are divided there */
    uint64_t nskipped; /* other lines */
    uint64_t nplain;   /* code between branches that could not be decoded */
    uint32_t longest;  /* longest stack, in branches */
};

/* Read lines of 'perf script -F ip,brstack', or with more fields, and of --show-mmap-events. Each stack becomes runs of
 * a thread, from the target of its oldest branch to its newest branch, followed by a gap. Without a
 * decoder, or if the code is unknown, the code between two branches is one code of one or two instructions that
 * ends with the second branch; conditional branches in it that were not taken are not seen.
 *
 * fails:  TROD_E_INPUT if no line has a branch stack
 */
bool trod_branch_parse_stacks(struct trod_branch_sink *to,
    struct trod_branch_stacks *out, const char *file, const char *bytes, size_t length,
    const struct trod_branch_decoder *decoder, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The mappings in such lines; *out is allocated in mem. */
size_t trod_branch_parse_maps(
    struct trod_image **out, const char *bytes, size_t length, struct trod_arena *mem);

/* A sink that prints what 'perf script' would print for samples of a stream: after a taken branch,
 * with a probability of one in period, the last taken branches of its thread.
 */
struct trod_branch_stack_printer {
    struct trod_branch_sink sink;
    struct trod_sink *out;
    struct trod_arena *mem;
    struct trod_rng rng;
    uint64_t period;
    uint32_t depth; /* at most TROD_BRANCH_STACK */
    uint64_t nsample;
    struct trod_branch_stack **stack; /* by number of thread */
    uint32_t room;
};
enum { TROD_BRANCH_STACK = 64 };

void trod_branch_stack_printer_init(struct trod_branch_stack_printer *printer,
    struct trod_sink *out, uint32_t depth, uint64_t period, uint64_t seed,
    struct trod_arena *mem);

/* --- branch_paths.c: straight paths -------------------------------------------------------------------------- */

/* A straight path extends from the target of a backward, indirect or odd branch, a call or a return to the next of these.
 * It is identified by its start and its taken branches. It does not depend on functions, so it can be counted in any
 * stream, and estimated for one with gaps.
 */
struct trod_branch_path {
    uint64_t start;
    uint32_t length; /* number of taken branches, including the last */
    struct trod_branch_step {
        uint64_t from, to;
    } *step;
    uint64_t nseen;
    double weight; /* its executions, up to a common factor */
};

/* A sink that counts them. In a stream of branch stacks, long paths are seen less often: with W
 * branches in a stack, a path is visible at W - length positions; weights compensate for this.
 */
struct trod_branch_paths {
    struct trod_branch_sink sink;
    struct trod_arena *mem;
    bool sampled;
    struct trod_branch_path *path;
    uint32_t npath, room;
    struct trod_table paths;
    double weight; /* of all */
    uint64_t ncut; /* paths whose beginning or end is missing */
    struct trod_branch_straight **thread;
    uint32_t room_thread;
};

void trod_branch_paths_init(
    struct trod_branch_paths *paths, bool sampled, struct trod_arena *mem);

/* Paths by weight, largest first; equal ones by address. */
const struct trod_branch_path **trod_branch_paths_order(
    const struct trod_branch_paths *paths, struct trod_arena *mem);

/* The overlap of two, from 0 to 1: the sum of the smaller of each path's shares. */
double trod_branch_paths_overlap(
    const struct trod_branch_paths *a, const struct trod_branch_paths *b);

#endif
