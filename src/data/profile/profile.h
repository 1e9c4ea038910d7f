/* profile: which paths ran, and how often.
 *
 *     bytes of a file -> profile -> merge, set, diff, hot, overlap -> bytes, text, JSON
 *
 * A running program leaves a live file; the tools write packed files. Both are
 * read from memory, or piece by piece, into the same structure. Damaged, truncated or
 * unknown parts become notes, and the rest is kept. doc/format.md specifies the files.
 *
 * Glossary
 *   run      one execution of a program: a record of fields, key and value, as in the
 *            format. The key `exit` says how it ended; `unknown`: the file does not
 *            say, because the program still runs, or was killed.
 *   module   an image of code, an executable or a shared library, with its functions.
 *            Two modules are merged if build id, mode and functions are equal; if there
 *            is no build id, the path must be, too. The path of a merged module is the
 *            first in the order of bytes. Modules of machine code have the functions that ran: those of
 *            one file are merged, with the functions of all.
 *   function identified by hashes of its name, its graph and its
 *            cuts; names themselves are in the binary. Also says which of its paths are counted.
 *   chosen   the paths that have counters, the slots, in functions that do not count all paths.
 *            Other paths that ran are unknown, or counted in the hash table: enum
 *            trod_format_counted.
 *   weeded   paths that a program recorded as untested, and the reader found among the
 *            chosen ones: counted with them. The field `weeded` of the run has their number.
 *   tally    the paths of one function that ran, in one group of runs
 *   group    runs whose counts are added. Most profiles have one; profiles merged
 *            with separate runs have one for each.
 *   count    how often a path ran. UINT64_MAX: that often or more.
 *   begun    how often a function entered code in which it may be abandoned; stored with
 *            its paths, as the count of id npath, which no path has
 *   steps    what one thread did, if this was recorded instead of counts: the order in which subpaths
 *            ended, as a grammar in parts. A terminal stands for a function and an id.
 *   samples  sampled subpaths of a thread, if blocks were sampled,
 *            each with its number of samples. A block is a terminal, too.
 *   burst    a number of consecutive events (function entries and iterations of loops) in which everything
 *            is counted: the sampling parameters of threads, combined if they are equal.
 *            Counts are then estimates.
 *   events   what bursts count besides paths: a function has a second record, whose ids are
 *            events, not paths
 *   set      a combination of several profiles as sets of paths: not the result of a run, and a note says so
 *   note     what was lost and why, or what this is: a keyword of the format, and a text
 *
 * A profile is always in its one canonical order, so that equal profiles are equal
 * structures, texts and files. To make one from parts, use a builder.
 *
 * Memory: everything lives in the arena handed in; a profile that was read does not refer to the
 * bytes it was read from.
 *
 * Invariants are listed at trod_profile_check().
 */
#ifndef TROD_PROFILE_H
#define TROD_PROFILE_H

#include <trod/format.h>

#include "base/base.h"
#include "grammar/grammar.h"

struct trod_profile_field {
    const char *key, *value; /* a word; any text */
};

struct trod_profile_run {
    uint32_t group;
    uint32_t nfield;
    const struct trod_profile_field *field; /* [nfield], in the order of the file */
};

struct trod_profile_function {
    uint64_t name, graph, cuts; /* as in struct trod_format_function */
    uint64_t npath;
    enum trod_format_counted counted;
    size_t nchosen;         /* 0 where all paths are counted */
    const uint64_t *chosen; /* [nchosen], ids ascending */
};

struct trod_profile_module {
    const char *path;     /* not empty; "?" if unknown */
    const char *build_id; /* hexadecimal; "" if it has none */
    enum trod_format_mode mode;
    uint32_t nfunction;
    const struct trod_profile_function *function; /* [nfunction], as in the image */
};

struct trod_profile_path {
    uint64_t id, count;
};

struct trod_profile_tally {
    uint32_t module, function, group;
    size_t npath;                         /* not 0; includes begun and stops */
    const struct trod_profile_path *path; /* [npath], ids ascending, no count is 0 */
};

struct trod_profile_steps {
    uint32_t module, thread;
    uint64_t ngiven; /* later steps that the program had no room to record */
    struct trod_grammar
        grammar; /* trod_profile_step() decodes its terminals. A change that was
                                    incomplete when the program died is not undone:
                                    digrams may occur twice */
};

/* An entry of a sampler: a subpath. */
struct trod_profile_sampled {
    uint64_t count; /* of samples, not 0 */
    uint32_t level; /* of frequency */
    uint32_t length;
    const uint32_t *block; /* [length], terminals */
};

enum {
    TROD_PROFILE_SHORTEST = 2,
    TROD_PROFILE_LONGEST = 1024
}; /* subpaths, in blocks */

struct trod_profile_samples {
    uint32_t module;
    struct trod_format_sample
        how; /* nentry and nchunk are 0; so are meaningless fields */
    size_t nsampled;
    const struct trod_profile_sampled *sampled; /* by blocks, level, count */
};

enum { TROD_PROFILE_MILLION = 1000000 }; /* budgets are parts of it */

/* Threads of one group with the same sampling parameters. */
struct trod_profile_burst {
    uint32_t group;
    uint64_t nthread; /* BURST sections */
    struct trod_format_burst
        how; /* sums; sparsity and weight are the least; thread is 0 */
    uint64_t most_sparsity[TROD_BURST_TYPES], most_weight[TROD_BURST_TYPES];
};

struct trod_profile {
    uint32_t ngroup;
    uint32_t nrun;
    const struct trod_profile_run *run;
    uint32_t nmodule;
    const struct trod_profile_module *module;
    size_t ntally;
    const struct trod_profile_tally *tally; /* by module, function, group */
    uint32_t nsteps, nsamples;
    const struct trod_profile_steps *steps; /* by module, thread */
    const struct trod_profile_samples
        *samples; /* by module, thread; several of one thread
                                                   by content */
    uint32_t nburst, nnote;
    const struct trod_profile_burst
        *burst;              /* by trod_profile_compare_bursts, none equal */
    const char *const *note; /* ascending, none twice */
};

/* Are its ids events instead of paths? */
static inline bool trod_profile_is_events(const struct trod_profile_function *function)
{
    return function->counted == TROD_COUNTED_EVENTS;
}

/* The greatest possible id: npath is begun, and those above it are stops, see trod/format.h. */
uint64_t trod_profile_last_id(const struct trod_profile_function *function);

/* The number of a tally's paths with lower ids than this. Fast if few have higher ones. */
size_t trod_profile_count_below(const struct trod_profile_tally *tally, uint64_t id);

/* The number of paths of a tally, without begun and stops; 0 for events. */
size_t trod_profile_npath(
    const struct trod_profile *profile, const struct trod_profile_tally *tally);

/* How often a chosen path was reported as untested, over all runs. */
uint64_t trod_profile_nweeded(const struct trod_profile *profile);

/* Does a path have a slot? */
bool trod_profile_is_chosen(const struct trod_profile_function *function, uint64_t id);

/* Would a path have a count if it had run? If only untested paths have one: as far
 * as the function says which were tested.
 */
bool trod_profile_is_counted(const struct trod_profile_function *function, uint64_t id);

/* Do all paths that ran have a count, in all functions? */
bool trod_profile_is_whole(const struct trod_profile *profile);

/* all, chosen, residual, untested, rest, events */
const char *trod_profile_counted_name(enum trod_format_counted counted);

/* source, code and so on */
const char *trod_profile_mode_name(enum trod_format_mode mode);
/* False if there is no such mode. */
bool trod_profile_mode_parse(enum trod_format_mode *out, const char *word);

/* --- steps.c: recorded steps ------------------------------------------------------ */

/* A terminal is first_of_function plus the id of a subpath. Functions have npath + 1 each, in
 * their order.
 */
struct trod_profile_terminals {
    uint32_t nfunction;
    const uint64_t *first_of_function; /* [nfunction + 1]; saturates */
};
void trod_profile_terminals(struct trod_profile_terminals *out,
    const struct trod_profile_module *module, struct trod_arena *mem);

/* Decode a terminal to a function and the id of a subpath; false if it is invalid.
 *
 * cost:   O(log functions)
 */
bool trod_profile_step(uint32_t *function, uint64_t *id,
    const struct trod_profile_terminals *of, uint64_t terminal);

/* Are all terminals valid? If not, *terminal is an invalid one. */
bool trod_profile_check_terminals(uint64_t *terminal,
    const struct trod_profile_steps *steps, const struct trod_profile_terminals *of);

/* Steps of all threads, saturating. */
uint64_t trod_profile_nstep(const struct trod_profile *profile, struct trod_arena *mem);

/* Does the profile have counts?
 *
 * fails:  TROD_E_MISMATCH when steps were recorded, or blocks sampled
 */
bool trod_profile_check_counts(
    const struct trod_profile *profile, struct trod_err *err) TROD_MUST_CHECK;

/* --- samples.c: sampled subpaths ----------------------------------------------------- */

/* Were blocks sampled, and not paths counted? There may be no sample yet. */
bool trod_profile_has_samples(const struct trod_profile *profile);

/* Completed samples of all threads, saturating. */
uint64_t trod_profile_nsample(const struct trod_profile *profile);

/* Is an entry valid, apart from its blocks? */
bool trod_profile_is_sampled(
    const struct trod_format_sample *how, const struct trod_profile_sampled *sampled);

/* Are all blocks valid terminals? If not, *block is an invalid one. */
bool trod_profile_check_blocks(uint64_t *block,
    const struct trod_profile_samples *samples,
    const struct trod_profile_terminals *of);

/* The fault in sampling parameters, or NULL; and set meaningless fields to 0. */
const char *trod_profile_how_fault(const struct trod_format_sample *how);
void trod_profile_clean_how(struct trod_format_sample *how);

/* Keywords; NULL if there is none. */
const char *trod_profile_identity_name(uint32_t identity);
const char *trod_profile_lengths_name(uint32_t lengths);
const char *trod_profile_ageing_name(uint32_t ageing);

int trod_profile_compare_sampled(
    const struct trod_profile_sampled *a, const struct trod_profile_sampled *b);
int trod_profile_compare_samples(
    const struct trod_profile_samples *a, const struct trod_profile_samples *b);

/* --- bursts.c: sampling parameters of bursts ------------------------------------------------ */

/* Was it sampled in bursts? No thread may have recorded parameters. */
bool trod_profile_has_bursts(const struct trod_profile *profile);

/* Are counts exact, not estimates? */
bool trod_profile_is_exact(const struct trod_profile *profile);

/* Was a type sampled? */
bool trod_profile_has_type(const struct trod_profile_burst *burst, uint32_t type);

/* Its fault, or NULL. */
const char *trod_profile_burst_fault(const struct trod_profile_burst *burst);

/* Keywords; NULL if there is none. */
const char *trod_profile_trigger_name(uint32_t trigger);
const char *trod_profile_period_name(uint32_t period);
const char *trod_profile_type_name(uint32_t type);

/* Order by group and requested parameters. Merge equal ones; returns the remaining number. */
int trod_profile_compare_bursts(
    const struct trod_profile_burst *a, const struct trod_profile_burst *b);
uint32_t trod_profile_sum_bursts(struct trod_profile_burst *burst, uint32_t nburst);
/* The same with the greatest of each number, not the sum. */
uint32_t trod_profile_widen_bursts(struct trod_profile_burst *burst, uint32_t nburst);

/* --- profile_build.c: from parts in any order to a profile ------------------------ */

/* Parts refer to each other by the numbers they are given here. */
struct trod_profile_builder {
    struct trod_arena *mem;
    struct trod_profile_run *run;
    uint32_t nrun, room_run;
    struct trod_profile_module *module;
    uint32_t nmodule, room_module;
    struct trod_profile_tally *tally;
    size_t ntally, room_tally;
    struct trod_profile_steps *steps;
    uint32_t nsteps, room_steps;
    struct trod_profile_samples *samples;
    uint32_t nsamples, room_samples;
    struct trod_profile_burst *burst;
    uint32_t nburst, room_burst;
    const char **note;
    uint32_t nnote, room_note;
    bool copy;         /* parts do not live as long as the profile: copy them */
    bool keep_modules; /* except modules */
};

void trod_profile_builder_init(
    struct trod_profile_builder *builder, struct trod_arena *mem);

/* Arrays and texts are not copied and must live as long as the profile or, if
 * builder->copy is set, until it is built. Group numbers are arbitrary.
 */
void trod_profile_add_run(struct trod_profile_builder *builder, uint32_t group,
    const struct trod_profile_field *field, uint32_t nfield);
uint32_t trod_profile_add_module(
    struct trod_profile_builder *builder, const struct trod_profile_module *module);
void trod_profile_add_tally(
    struct trod_profile_builder *builder, const struct trod_profile_tally *tally);
/* needs:  a grammar whose used rules are defined and not empty, except rule 0, without cycles */
void trod_profile_add_steps(
    struct trod_profile_builder *builder, const struct trod_profile_steps *steps);
/* needs:  how without a fault, valid entries, whose blocks are terminals */
void trod_profile_add_samples(
    struct trod_profile_builder *builder, const struct trod_profile_samples *samples);
/* needs:  no fault */
void trod_profile_add_burst(
    struct trod_profile_builder *builder, const struct trod_profile_burst *burst);
void trod_profile_add_note(
    struct trod_profile_builder *builder, const char *format, ...) TROD_FORMAT(2, 3);

/* A deep copy of a module. */
void trod_profile_copy_module(
    struct trod_profile_module *module, struct trod_arena *mem);

/* Put all parts in order. Tallies of the same function and group are added, equal
 * modules are merged, counts of 0 are omitted. Counts saturate at UINT64_MAX, and a note
 * says so.
 *
 * needs:  tallies of modules and functions that were added, ids ascending, npath at most
 * fills:  *out; the builder is used up
 * fails:  TROD_E_MISMATCH when modules have different modes
 * cost:   O(paths) if each tally occurs once, otherwise times its number of
 *         occurrences; a sort of the rest
 */
bool trod_profile_build(struct trod_profile *out, struct trod_profile_builder *builder,
    struct trod_err *err) TROD_MUST_CHECK;

/* The orders of the invariants: negative, 0 or positive. */
int trod_profile_compare_runs(
    const struct trod_profile_run *a, const struct trod_profile_run *b);
int trod_profile_compare_modules(
    const struct trod_profile_module *a, const struct trod_profile_module *b);
int trod_profile_compare_functions(
    const struct trod_profile_function *f, const struct trod_profile_function *g);
/* 0: they are the same module, regardless of their paths. */
int trod_profile_compare_identity(
    const struct trod_profile_module *a, const struct trod_profile_module *b);

/* --- join.c: modules of machine code ---------------------------------------------------------- */

/* Give all modules of one file the functions of all of them, in the order of compare_functions, unless they
 * already have the same. Part of building a profile.
 */
void trod_profile_join(struct trod_profile_builder *builder);

extern const char trod_profile_saturated[]; /* the note on counts that stopped */

/* --- read.c, read_source.c, read_lines.c, read_module.c, read_sums.c, read_paths.c, read_steps.c, read_samples.c, read_bursts.c: from bytes, even if damaged */

/* A compressor. The library itself has none; port/zstd has. */
struct trod_profile_codec {
    /* One frame from some bytes, in the arena. */
    bool (*compress)(uint8_t **out, size_t *length, const uint8_t *bytes, size_t nbyte,
        struct trod_arena *mem, struct trod_err *err);
    /* The bytes of one frame, in the arena; TROD_E_LIMIT if they are more than `most`. */
    bool (*decompress)(uint8_t **out, size_t *length, const uint8_t *frame,
        size_t nframe, size_t most, struct trod_arena *mem, struct trod_err *err);
};

/* A small file must not expand without limit. */
enum { TROD_PROFILE_EXPANDED = 16 << 20, TROD_PROFILE_TIMES = 200 };

struct trod_profile_read_options {
    const char *name; /* of the file, for notes and messages; NULL: none */
    const struct trod_profile_codec *codec; /* NULL: compressed sections are lost */
    /* Bytes that all sections may decompress to; 0: TROD_PROFILE_EXPANDED, or TROD_PROFILE_TIMES the length of the
     * file, whichever is more. */
    uint64_t most;
    /* The same file, read a moment later, or NULL: a running program reuses places, entries that differ are skipped. */
    const uint8_t *again;
    size_t nagain;
    /* The ranges of bytes that may not be 0, ascending, if known for a file with holes; NULL: all of it. */
    const struct trod_extent *data;
    uint32_t ndata;
    size_t window; /* bytes of a source that are kept at a time; 0: 64 KiB */
};

/* A REFS section of a live file, which is not part of the profile. */
struct trod_profile_refs {
    uint32_t module, thread;
    size_t at, nbyte; /* of its payload, as far as the file has it */
    uint64_t nwhole;  /* bytes it should have */
};

/* A module of a live file, and its counters, to which numbers of sites refer. */
struct trod_profile_image {
    uint32_t number; /* in heads of sections */
    const char *path, *build_id;
    uint32_t nfunction;
    const struct trod_profile_function *function;
    const uint64_t *counter_of_function; /* UINT64_MAX: unknown */
    const uint64_t *nslot_of_function;
    const uint64_t *const *id_of_slot; /* of a function; all ones: no id */
};

/* What the reader found. */
struct trod_profile_health {
    enum trod_format_kind kind;
    uint64_t nsection; /* sections that were read */
    uint64_t nloss;    /* losses that were noted */
    bool ended;        /* there is an END section */
    uint32_t nrefs, nimage;
    const struct trod_profile_refs *refs; /* in the order of the file */
    const struct trod_profile_image *image;
    size_t control_at; /* offset of the payload of CONTROL; 0: none */
};

/* The function and the id of a site, which is the counter of a slot of events, in O(functions). False if there is none. */
bool trod_profile_find_site(uint32_t *function, uint64_t *id,
    const struct trod_profile_image *image, uint64_t site);

/* Read a profile, live or packed, and recover as much as possible of a damaged one. Every
 * section that is lost, wholly or in part, has a note that says where and why.
 *
 * fills:  *out, *health (which may be NULL)
 * fails:  TROD_E_INPUT when the bytes are not a profile, or are of a later version;
 *         TROD_E_LIMIT when it would decompress to more than options->most; never because of
 *         damage after the header
 * cost:   O(bytes), plus the decompressed bytes; for damaged packed files
 *         one more visit of each byte
 */
bool trod_profile_read(struct trod_profile *out, struct trod_profile_health *health,
    const uint8_t *bytes, size_t length,
    const struct trod_profile_read_options *options, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The same from a source, without options->again and ->data. Counters are read a window at a time: memory grows
 * with those that are not 0. Samples of a program that may be running are read twice.
 */
bool trod_profile_read_from(struct trod_profile *out,
    struct trod_profile_health *health, const struct trod_source *source,
    const struct trod_profile_read_options *options, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Does a file whose first bytes these are have to be in the binary form, damaged or not? Text never contains a NUL. */
bool trod_profile_begins_binary(const uint8_t *bytes, size_t length);

/* May the program have sampled while the file was read? Then read it again, for options->again. */
bool trod_profile_may_change(const uint8_t *bytes, size_t length);

/* Does it begin like a profile in its binary form? */
bool trod_profile_is_binary(const uint8_t *bytes, size_t length);

/* --- write.c: the packed form ------------------------------------------------------- */

/* Equal profiles give equal bytes, with the same codec. A section is compressed
 * if that makes it smaller; without a codec (NULL) none is.
 *
 * fails:  as the codec does
 */
bool trod_profile_write(struct trod_sink *sink, const struct trod_profile *profile,
    const struct trod_profile_codec *codec, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- merge.c: several profiles into one ------------------------------------------------ */

struct trod_profile_merge_options {
    bool keep_runs;    /* keep groups separate; otherwise all become one */
    bool keep_modules; /* modules live as long as the result: do not copy them */
};

/* Add profiles. Order and grouping make
 * no difference. A profile merged with itself keeps its structure and doubles its counts. Samples
 * stay separate; bursts with equal parameters in one group are added.
 *
 * fails:  TROD_E_MISMATCH when they have different modes, or steps were recorded
 */
bool trod_profile_merge(struct trod_profile *out,
    const struct trod_profile *const *profile, uint32_t nprofile,
    const struct trod_profile_merge_options *options, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- set.c, set_paths.c: profiles as sets of paths ---------------------------------------- */

enum trod_set_kind {
    TROD_SET_UNION,     /* paths of any, each with the greatest of its counts */
    TROD_SET_INTERSECT, /* paths of all, with the least */
    TROD_SET_SUBTRACT, /* paths of the first that ran in none of the others, with its counts */
    TROD_SET_SUBTRACT_COUNTS /* paths of the first, with its counts less those of the others, above 0 */
};

struct trod_profile_set {
    struct trod_profile profile;
    uint64_t nunknown; /* omitted paths: some profile does not count them */
    size_t nchanged;
    uint64_t *
        changed; /* hashes of names of functions that have other graphs or cuts in other profiles, ascending */
};

/* Combine several profiles as sets of paths. Paths are identified as by trod_profile_diff(): by name, graph and cuts of the
 * function, in any module, and id. The count of a path in a profile is the sum over its groups, modules and copies. The result
 * keeps an entry of one of the profiles, in its own module; nothing is moved. So union and intersection are each idempotent,
 * commutative and associative, and absorb each other. Begun and events are members like paths.
 *
 * Groups of a profile are added. Runs are those of all, or for subtraction those of the first, each once; bursts with equal
 * parameters keep the greatest numbers. Notes are those of all, and one names the operation: trod_profile_is_set(). Others say
 * what is unknown.
 *
 * needs:  a profile or more
 * fails:  TROD_E_MISMATCH when they have different modes, steps were recorded, or blocks sampled
 * cost:   O(n log n) of all paths and functions
 */
bool trod_profile_combine(struct trod_profile_set *out, enum trod_set_kind kind,
    const struct trod_profile *const *profile, uint32_t nprofile,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Is it such a combination, or merged from one? Then the counts of a function are not those of a run. */
bool trod_profile_is_set(const struct trod_profile *profile);

/* --- profile_choose.c: parts of a profile -------------------------------------------------- */

/* Modules with what they counted; runs stay. out may be profile; refers to it. */
void trod_profile_keep_modules(struct trod_profile *out,
    const struct trod_profile *profile, const bool *is_kept, struct trod_arena *mem);

/* Counts of some functions, with a note. Modules keep all functions, so that the result can be merged with others. */
void trod_profile_keep_functions(struct trod_profile *out,
    const struct trod_profile *profile,
    bool (*wants)(const struct trod_profile_function *function, void *ctx), void *ctx,
    struct trod_arena *mem);

/* --- diff.c: what appeared, vanished, moved -------------------------------------------- */

enum trod_diff_kind {
    TROD_DIFF_SAME,     /* equal counts */
    TROD_DIFF_MOVED,    /* in both, with different counts */
    TROD_DIFF_APPEARED, /* only in B */
    TROD_DIFF_VANISHED, /* only in A */
    TROD_DIFF_CHANGED   /* functions: same name, but other graph or cuts in the
                           other profile: ids cannot be compared */
};

struct trod_diff_path {
    uint64_t id;
    uint64_t a, b; /* counts; 0: did not run */
};

struct trod_diff_function {
    struct trod_profile_function function;
    const char *module;       /* path of the first module that has it, in A or else B */
    enum trod_diff_kind kind; /* APPEARED, VANISHED, CHANGED: the function itself is
                                 in one of them only; otherwise SAME or MOVED, by paths */
    bool in_a, in_b;
    uint64_t a, b; /* sums of counts */
    size_t npath;
    const struct trod_diff_path *path; /* that ran in A or in B, ids ascending */
};

struct trod_profile_diff {
    size_t nfunction;
    const struct trod_diff_function *function; /* by name, graph, cuts */
    uint64_t npath_of_kind[TROD_DIFF_CHANGED + 1];
    uint64_t nunknown; /* omitted paths, which one of the two does not count */
};

/* Compare two profiles, of one build or of two. Functions are matched by their hashes,
 * in any module: modules, groups and copies of a function are added. Paths that ran in one
 * of the two and are not counted in the other are omitted.
 *
 * fails:  TROD_E_MISMATCH when they have different modes, or steps were recorded
 */
bool trod_profile_diff(struct trod_profile_diff *out, const struct trod_profile *a,
    const struct trod_profile *b, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

enum trod_diff_kind trod_diff_path_kind(const struct trod_diff_path *path);

/* --- hot.c: the hottest paths ------------------------------------------------------ */

struct trod_hot_path {
    uint32_t module, function;
    uint64_t id, count; /* of all groups */
};

struct trod_hot {
    size_t npath; /* listed */
    const struct trod_hot_path *path;
    uint64_t nall;  /* paths that ran, listed or not */
    uint64_t total; /* sum of their counts, saturating */
};

/* The hottest paths over all functions, at most `most` of them: highest count first, and
 * among equals by module, function and id.
 *
 * cost:   O(paths log most)
 */
void trod_profile_hot(struct trod_hot *out, const struct trod_profile *profile,
    size_t most, struct trod_arena *mem);

/* The same across modules: functions with the same name, graph, cuts and number of paths are one,
 * represented by the first of them.
 *
 * cost:   a sort of the paths, if functions occur more than once
 */
void trod_profile_hot_joined(struct trod_hot *out, const struct trod_profile *profile,
    size_t most, struct trod_arena *mem);

/* --- profile_text.c, profile_parse.c, samples_text.c, bursts_text.c: the text form ---------------------------------------
 *
 *     profile
 *     run
 *     program: "/usr/bin/app"
 *     exit: unknown
 *     burst count jitter 3                         # trigger, period; of 3 threads
 *     words 16                                     # hz, budget (of a million), time, cost
 *     seen 12                                      # events by the runtime; passed, missed
 *     type paths 1 999 999 1000 1000 12 12         # burst; sparsity and weight, the least
 *                                                  # and the most; bursts, events on
 *     module "/usr/bin/app" source 5f3a90c2        # path, mode, build id if any
 *     function 8c3f1d9a00b2e6f7 12ab34cd56ef7890 cbf29ce484222325 16
 *     =0 120                                       # path 0 ran 120 times
 *     =5 3
 *     begun 123
 *     steps 0 given 7                              # of thread 0; 7 could not be recorded
 *     R0: 5 R1 R1                                  # as in the text form of grammars
 *     R1: 0 0
 *     samples 0 rotation                           # of thread 0; which subpaths are one
 *     lengths powers 2 32 0.5                      # shortest, longest, bias
 *     frequency 0 1024                             # of level 0; more, and fields, below
 *     starts 7                                     # samples begun; counted, dropped, rejected
 *     sampled 3 0 12 13 14 12                      # count, level, blocks
 *     note "lost at 12288: ..."
 *
 * A function has the hashes of its name, graph and cuts, and its number of paths; unless all are
 * counted, the word chosen, residual, untested, rest or events, and lines `slots =1 =5 ...` with the chosen ids. With
 * several groups, runs, bursts and paths name theirs: `run @1`, `burst flag jitter 3 @1`, `=5 3 @1`. A saturated count
 * is followed by `+`. Fields of samples that are 0 have no line: `chance 4 0.25` for a
 * listed length, `costs`, `ageing halves 1000`, `threshold 5000`, `level 1`, `starts`, `counted`,
 * `dropped`, `rejected` and `once`, each with a number.
 */

void trod_profile_print(struct trod_sink *sink, const struct trod_profile *profile);
void trod_profile_json(
    struct trod_json *json, const char *key, const struct trod_profile *profile);

/* The lines of one sampler, from `samples` on, whose keyword has been read, up to
 * the first that does not belong to it; the caller handles the module.
 */
void trod_profile_samples_print(
    struct trod_sink *sink, const struct trod_profile_samples *samples);
void trod_profile_samples_json(
    struct trod_json *json, const struct trod_profile_samples *samples);
bool trod_profile_samples_parse(struct trod_profile_samples *out,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The same for bursts. */
void trod_profile_burst_print(
    struct trod_sink *sink, const struct trod_profile_burst *burst, bool groups);
void trod_profile_burst_json(
    struct trod_json *json, const struct trod_profile_burst *burst);
bool trod_profile_burst_parse(struct trod_profile_burst *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Parse the next profile of a text. Parts may be in any order, except that fields follow
 * their run, functions, steps and samples their module and paths their function.
 *
 * fills:  *out, or sets *more to false at the end of the text
 * fails:  TROD_E_INPUT, with file, line and remedy; TROD_E_MISMATCH when modules have
 *         different modes
 */
bool trod_profile_parse(struct trod_profile *out, bool *more, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- profile_check.c: everything that must hold ---------------------------------------------- */

/* Invariants: runs, modules, tallies and notes are in order, and modules, tallies and
 * notes are unique; every group has a run, a tally or a burst; bursts have no fault, are in order and unique; numbers of modules, functions and
 * groups are in range; all modules have one mode, which is known; ids are ascending and
 * not above their function's npath, no count is 0; chosen ids are ascending and below
 * npath, and there are none if all paths are counted; samples are in order, of modules of mode
 * blocks, with valid lengths, levels and blocks; keys are words, without blanks and line
 * breaks; build ids are hexadecimal; a saturated count has its note.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_profile_check(
    const struct trod_profile *profile, struct trod_err *err) TROD_MUST_CHECK;

#endif
