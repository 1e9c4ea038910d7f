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
 *   taken    said of a branch: it did not continue after itself. Of all but conditional ones always
 *   forward, backward   where a direct branch goes if it is taken, whether it was or not: after its own
 *            address, or to it or before
 *   run      a code was run once, by a thread, and went somewhere
 *   odd      said of a run: it went where its code cannot go. A signal came in, or its handler returned, or code
 *            was changed; or the decoder is wrong. Programs without signals have none
 *   access   a load or store of a run
 *   image    a file that is mapped: code at addresses in it is known by file and offset
 *
 *   gap      what is between two parts of a stream is unknown: threads ended, and those of the same numbers
 *            that follow are others
 *
 * Memory: codes and images live as long as the stream; a run is the sink's until it returns.
 */
#ifndef TROD_BRANCH_H
#define TROD_BRANCH_H

#include "base/base.h"
#include "base/table.h"

/* --- codes ------------------------------------------------------------------------------------ */

enum trod_branch_kind {
    TROD_BRANCH_NONE, /* continues after itself, or repeats itself: cut off, or a system call, say */
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
    TROD_INSN_SOURCES = 6, /* registers, at most; more are omitted */
    TROD_INSN_TARGETS = 4,
    TROD_INSN_REGISTERS = 255 /* numbers from 1; 0: none */
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
    uint64_t after;  /* after it */
    uint64_t target; /* of direct branches: where to if taken; else 0 */
    uint32_t number; /* its own, from 0 in the order they were found */
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

/* Did it, having gone there? */
static inline bool trod_branch_is_taken(const struct trod_code *code, uint64_t next)
{
    return code->kind == TROD_BRANCH_IF ? next != code->after
                                        : code->kind != TROD_BRANCH_NONE;
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

/* Numbers of threads are below; of those that ended they may come again. */
#define TROD_BRANCH_THREADS UINT32_C(65536)
/* Accesses of a run are at most so many. */
#define TROD_BRANCH_ACCESSES UINT32_C(65536)

struct trod_run {
    const struct trod_code *code;
    uint64_t next;
    uint64_t
        stack; /* of calls and returns, where it is known: where the return address lies; else 0 */
    uint32_t thread;
    uint32_t naccess;
    bool taken;                       /* trod_branch_is_taken() */
    bool odd;                         /* not trod_branch_may_go() */
    const struct trod_access *access; /* in order */
};

/* Where a stream goes. Any function may be NULL. Runs of different threads are in some order; those of one
 * thread in theirs, and each begins where the one before went. A code comes before its runs, an image before
 * codes that are in it.
 */
struct trod_branch_sink {
    void (*code)(struct trod_branch_sink *to, const struct trod_code *code);
    void (*image)(struct trod_branch_sink *to, const struct trod_image *image);
    void (*run)(struct trod_branch_sink *to, const struct trod_run *run);
    void (*end)(
        struct trod_branch_sink *to, uint32_t thread); /* there is no more of it */
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

/* The words of the text form; NULL beyond them. */
const char *trod_branch_kind_name(uint8_t kind);
const char *trod_insn_class_name(uint8_t insn_class);

/* A sink that prints. Threads that did not end when the stream does are not said to. */
struct trod_branch_printer {
    struct trod_branch_sink sink;
    struct trod_sink *out;
};

/* Prints the head, 'branches NAME'. */
void trod_branch_printer_init(
    struct trod_branch_printer *printer, struct trod_sink *out, const char *name);

/* One code by itself, or one image: lines of other text forms too. */
void trod_branch_print_code(struct trod_sink *out, const struct trod_code *code);
void trod_branch_print_image(struct trod_sink *out, const struct trod_image *image);

/* The rest of a line 'code' or 'image', and lines of instructions below the first; number: what comes next.
 *
 * fails:  TROD_E_INPUT where it is not such a line, or trod_branch_check_code() fails
 */
bool trod_branch_parse_code(struct trod_code *out, uint32_t number,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
bool trod_branch_parse_image(struct trod_image *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* All of a stream, after the name in its head, to the end of the text. What was sent before something is
 * found wrong stays sent.
 *
 * fails:  TROD_E_INPUT where a line is none, or runs do not fit codes
 */
bool trod_branch_parse(struct trod_branch_sink *to, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- branch_check.c: whether it can have been ------------------------------------------------------ */

/* One code by itself: addresses in order, instructions without holes.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_branch_check_code(
    const struct trod_code *code, struct trod_err *err) TROD_MUST_CHECK;

/* What is found. Those before TROD_BRANCH_SOUND are faults of who made the stream; the others happen, but in
 * clean programs only the last two do.
 */
enum trod_branch_finding {
    TROD_BRANCH_BAD_CODE,     /* trod_branch_check_code(), or out of order */
    TROD_BRANCH_BAD_FLAG,     /* taken or odd, and is not; or is, and not said to be */
    TROD_BRANCH_BAD_SEQUENCE, /* a run begins where the one before did not go */
    TROD_BRANCH_BAD_ACCESS, /* that no instruction of the code does, or out of order */
    TROD_BRANCH_BAD_THREAD, /* its number is too large, or it ended and was not there */
    TROD_BRANCH_ODD,
    TROD_BRANCH_RETURN_AWAY, /* to where no call that is open is to come back: a handler's, or a switch of stacks */
    TROD_BRANCH_RETURN_SLOT, /* to the right address, but that lay elsewhere than the call put it */
    TROD_BRANCH_RETURN_DOWN, /* to a caller further down: longjmp, exceptions */
    TROD_BRANCH_RETURN_ABOVE, /* no call is open: its function was entered before the stream began */
    TROD_BRANCH_FINDINGS
};
#define TROD_BRANCH_SOUND TROD_BRANCH_ODD

/* In words: 'returns to callers further down'. */
const char *trod_branch_finding_name(enum trod_branch_finding finding);

/* A sink that checks. */
struct trod_branch_checker {
    struct trod_branch_sink sink;
    struct trod_arena *mem;
    uint64_t count[TROD_BRANCH_FINDINGS];
    uint64_t nrun_of_kind[TROD_BRANCH_KINDS], ntaken; /* taken: of conditional ones */
    uint64_t nrun, ninsn, naccess, nend;
    uint32_t ncode, nimage, nthread;   /* threads: that ever ran, by number */
    struct trod_err first;             /* fault: where; code is TROD_OK: none yet */
    struct trod_branch_shadow *shadow; /* by number of thread */
    uint32_t room;
};

void trod_branch_checker_init(
    struct trod_branch_checker *checker, struct trod_arena *mem);

/* Is it free of faults of who made it?
 *
 * fails:  TROD_E_INPUT with the first, and how many there are
 */
bool trod_branch_checked(
    const struct trod_branch_checker *checker, struct trod_err *err) TROD_MUST_CHECK;

/* What it found, as text. */
void trod_branch_checked_print(
    struct trod_sink *sink, const struct trod_branch_checker *checker);

/* --- branch_hash.c: whether two streams are the same ------------------------------------------------- */

/* A sink that hashes. Order matters. */
struct trod_branch_hasher {
    struct trod_branch_sink sink;
    uint64_t all;   /* of runs, and of ends of threads */
    uint64_t codes; /* by themselves: they may come sooner or later */
    uint64_t
        branches; /* addresses of branches and where they went: the same however codes are cut */
    uint64_t nbranch;
};

void trod_branch_hasher_init(struct trod_branch_hasher *hasher);

/* --- branch_tee.c: streams to several ---------------------------------------------------------------- */

/* A sink that hands all on, in order. */
struct trod_branch_tee {
    struct trod_branch_sink sink;
    struct trod_branch_sink **to;
    size_t count;
};

void trod_branch_tee_init(
    struct trod_branch_tee *tee, struct trod_branch_sink **to, size_t count);

/* --- branch_cut.c: a part of a stream ------------------------------------------------------------------ */

/* A sink that hands on all codes and images, and runs whose first instruction has a number in from..to-1, counted
 * over all threads; and ends of threads that ran there, if they ended there.
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

/* How chunks are made smaller. */
struct trod_branch_codec {
    uint8_t number;
    /* Bytes it took, at most room; 0: more than that, or it cannot. */
    size_t (*pack)(void *out, size_t room, const void *bytes, size_t nbyte);
    /* To just so many bytes, or false. */
    bool (*unpack)(void *out, size_t length, const void *bytes, size_t nbyte);
};

struct trod_guess;

/* A sink that writes a trace file. Memory is that of a chunk, and of what is known of codes: it does not grow
 * with runs. Not to be called by two threads at a time.
 */
struct trod_branch_writer {
    struct trod_branch_sink sink;
    struct trod_sink *out;
    const struct trod_branch_codec *codec; /* NULL: none */
    struct trod_arena *mem;
    uint64_t nbyte, nrun, ninsn;         /* written; put */
    struct trod_branch_writer_state *of; /* its own */
};

void trod_branch_writer_init(struct trod_branch_writer *writer, struct trod_sink *out,
    const char *name, const struct trod_branch_codec *codec, struct trod_arena *mem);

/* Write what is left, and the index. A file without is read as one that was cut off. */
void trod_branch_writer_finish(struct trod_branch_writer *writer);

/* Write what there is, and begin another chunk. */
void trod_branch_writer_flush(struct trod_branch_writer *writer);

struct trod_branch_health {
    const char *name; /* of the stream */
    uint32_t version;
    uint32_t nchunk; /* of runs */
    uint32_t nread;  /* of these, those that were read and not passed over */
    bool cut_off;    /* it has no end */
    uint32_t
        ndamaged; /* places that could not be read, with all up to the next sound chunk */
    uint64_t nlost; /* instructions that are known to be missing */
    uint64_t ninsn; /* in all, lost ones too */
};

struct trod_branch_read_options {
    const struct trod_branch_codec *codec; /* NULL: compressed chunks are damaged */
    uint64_t from,
        to; /* as of a trod_branch_cutter; chunks before and behind are passed over */
};

/* Read a trace file as far as it can be read. Behind damage the stream has a gap.
 *
 * fails:  TROD_E_INPUT where it is not a trace file, or of another version
 */
bool trod_branch_read(struct trod_branch_sink *to, struct trod_branch_health *health,
    const char *file, const uint8_t *bytes, size_t length,
    const struct trod_branch_read_options *options, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* No more than its name and version: first what trod_branch_read() does. */
bool trod_branch_read_head(struct trod_branch_health *health, const char *file,
    const uint8_t *bytes, size_t length, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Do the bytes begin like a trace file? */
bool trod_branch_is_trace(const uint8_t *bytes, size_t length);

/* --- branch_stacks.c: what 'perf script' prints of branch stacks ------------------------------------------- */

/* What is between two branches that were taken, for those who know the code: every instruction from one address
 * to another, in order. False: it is unknown, or another instruction than the last does not continue after itself.
 */
struct trod_branch_decoder {
    bool (*walk)(void *ctx, uint64_t pc, uint64_t last,
        void (*take)(
            void *to, uint64_t pc, uint8_t size, uint8_t kind, uint64_t target),
        void *to);
    void *ctx;
};

struct trod_branch_stacks {
    uint64_t nsample; /* lines with a stack */
    uint64_t nbranch; /* in all of these */
    uint64_t
        nbroken; /* places where a stack does not hold together: it is parted there */
    uint64_t nskipped; /* lines that are of something else */
    uint64_t nplain;   /* stretches between branches that could not be decoded */
    uint32_t longest;  /* most branches in a stack */
};

/* Lines of 'perf script -F ip,brstack' or with more fields, and of --show-mmap-events. Each stack becomes runs of
 * a thread, from where its oldest branch went to its newest branch, and an end: the stream is all gaps. Without a
 * decoder, or where it knows nothing, a stretch between two branches is one code of one or two instructions that
 * ends with the second; conditional branches in it that were not taken are not seen.
 *
 * fails:  TROD_E_INPUT where no line has a branch stack
 */
bool trod_branch_parse_stacks(struct trod_branch_sink *to,
    struct trod_branch_stacks *out, const char *file, const char *bytes, size_t length,
    const struct trod_branch_decoder *decoder, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The mappings in such lines; *out is allocated in mem. */
size_t trod_branch_parse_maps(
    struct trod_image **out, const char *bytes, size_t length, struct trod_arena *mem);

/* A sink that prints, of a stream, what 'perf script' would, had there been samples: after a branch that is taken,
 * with a chance of one in period, the last branches taken of its thread.
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

/* A straight path goes from where a backward, indirect or odd branch, a call or a return went to the next of these:
 * where it begins, and which branches were taken. It needs no function to be known, so it can be counted of any
 * stream, and estimated of one that is all gaps.
 */
struct trod_branch_path {
    uint64_t start;
    uint32_t length; /* branches that are taken, the one that ends it included */
    struct trod_branch_step {
        uint64_t from, to;
    } *step;
    uint64_t nseen;
    double weight; /* how often it ran, up to a factor that is the same for all */
};

/* A sink that counts them. Of a stream of branch stacks, a path is seen the less often the longer it is: of W
 * branches in a stack, the W - length places where it can be; weights make up for that.
 */
struct trod_branch_paths {
    struct trod_branch_sink sink;
    struct trod_arena *mem;
    bool sampled;
    struct trod_branch_path *path;
    uint32_t npath, room;
    struct trod_table paths;
    double weight; /* of all */
    uint64_t ncut; /* paths that the stream does not have the begin or end of */
    struct trod_branch_straight **thread;
    uint32_t room_thread;
};

void trod_branch_paths_init(
    struct trod_branch_paths *paths, bool sampled, struct trod_arena *mem);

/* Paths by weight, largest first; equal ones by address. */
const struct trod_branch_path **trod_branch_paths_order(
    const struct trod_branch_paths *paths, struct trod_arena *mem);

/* How much two have in common, from 0 to 1: of each path the smaller of its shares. */
double trod_branch_paths_overlap(
    const struct trod_branch_paths *a, const struct trod_branch_paths *b);

#endif
