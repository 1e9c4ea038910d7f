/* stream: hot data streams: loads and stores that recur in the same order.
 *
 *     chunks of a profile -> references -> grammar -> hot streams -> text, JSON
 *
 * In bursts, a program records the address of each load and store. With knowledge of its memory, an
 * address becomes an object and an offset; addresses differ from run to run, and these do not.
 * A sequence that recurs often is a stream: data that should be adjacent in memory, or
 * prefetched.
 *
 * Glossary
 *   code       a load or a store in the program's code
 *   place      a call site that allocates objects
 *   object     an allocated one, identified by place and number; a global or thread-local variable; the stack
 *              of a thread; or all unknown memory
 *   offset     of a reference: bytes after the start of its object; for a stack, below its upper end; for
 *              unknown memory, the address
 *   reference  a code, an object and an offset
 *   run        consecutive references of a thread, without a gap: those of a burst
 *   weight     of a run: how many references each of it stands for
 *   datum      a terminal of the grammar; references that are alike (enum
 *              trod_stream_by) have the same datum
 *   stream     a sequence of data, of a length within bounds, that occurs at least twice
 *   times      non-overlapping occurrences of a stream, each times its weight
 *   heat       length times occurrences: the references that it accounts for
 *   cold       said of an occurrence of a rule outside of streams found before
 *   root       the shortest sequence that another repeats, perhaps with a partial repetition at the end. A sequence that
 *              repeats its root at least twice, as in loops, is printed as the root, in the rotation
 *              that begins with the first datum by name
 *
 * Streams are rules of Sequitur's grammar, found longest first. The references of a stream are subtracted from the rules
 * within it: shares of all streams add up to at most 100%.
 *
 * paper:  Chilimbi, "Efficient Representations and Abstractions for Quantifying and Exploiting Data
 *         Reference Locality", PLDI 2001; Chilimbi and Hirzel, "Dynamic Hot Data Stream Prefetching for
 *         General-Purpose Programs", PLDI 2002
 *
 * Memory: results are in the given arena. Names refer to their sources.
 *
 * Invariants are listed at trod_stream_refs_check() and trod_streams_check().
 */
#ifndef TROD_STREAM_H
#define TROD_STREAM_H

#include <trod/format.h>

#include "profile/overlap.h"
#include "base/base.h"
#include "base/table.h"
#include "grammar/grammar.h"
#include "profile/profile.h"
#include "report/report.h"

enum trod_stream_access {
    TROD_STREAM_LOAD,
    TROD_STREAM_STORE,
    TROD_STREAM_BOTH,
    TROD_STREAM_UNKNOWN_ACCESS
};

/* A source location. Line 0: unknown; then column is a number within the function. */
struct trod_stream_spot {
    const char *function, *file; /* file "": unknown */
    uint32_t line, column;
};

struct trod_stream_code {
    struct trod_stream_spot spot;
    enum trod_stream_access access;
    uint32_t nbyte; /* 0: unknown */
};

enum trod_stream_kind {
    TROD_STREAM_HEAP,   /* place, number */
    TROD_STREAM_GLOBAL, /* name */
    TROD_STREAM_LOCAL,  /* of a thread: name, number is the thread's */
    TROD_STREAM_STACK,  /* number is the thread's */
    TROD_STREAM_UNKNOWN
};

struct trod_stream_object {
    enum trod_stream_kind kind;
    uint32_t place;
    uint64_t number;
    const char *name;
};

struct trod_stream_ref {
    uint32_t code, object;
    uint64_t offset;
};

/* --- stream_names.c: numbers of codes, places and objects -------------------------------------- */

/* From two numbers to a small one, in order of arrival. */
struct trod_stream_table {
    struct trod_arena *mem;
    struct trod_stream_pair {
        uint64_t a, b;
    } *pair; /* by number */
    uint32_t count, room;
    struct trod_table pairs;
};
void trod_stream_table_init(struct trod_stream_table *table, struct trod_arena *mem);
/* Its number; a new one is assigned if necessary. */
uint32_t trod_stream_table_add(struct trod_stream_table *table, uint64_t a, uint64_t b);
/* UINT32_MAX: it was never added. */
uint32_t trod_stream_table_find(
    const struct trod_stream_table *table, uint64_t a, uint64_t b);

struct trod_stream_names {
    struct trod_arena *mem;
    struct trod_stream_code *code;
    uint32_t ncode, room_code;
    struct trod_stream_spot *place;
    uint32_t nplace, room_place;
    struct trod_stream_object *object;
    uint32_t nobject, room_object;
};

uint32_t trod_stream_add_code(
    struct trod_stream_names *names, const struct trod_stream_code *code);
uint32_t trod_stream_add_place(
    struct trod_stream_names *names, const struct trod_stream_spot *place);
uint32_t trod_stream_add_object(
    struct trod_stream_names *names, const struct trod_stream_object *object);

/* As text: `make list.c:8:15 #5`, `table`, `stack of thread 0`; a place, `make list.c:8:15`. */
void trod_stream_put_spot(struct trod_sink *sink, const struct trod_stream_spot *spot);
void trod_stream_put_object(
    struct trod_sink *sink, const struct trod_stream_names *names, uint32_t object);

/* Negative, 0 or positive: by identity, not by number, so that it is the same in all profiles. */
int trod_stream_compare_spots(
    const struct trod_stream_spot *a, const struct trod_stream_spot *b);
int trod_stream_compare_codes(
    const struct trod_stream_code *a, const struct trod_stream_code *b);
int trod_stream_compare_objects(const struct trod_stream_names *a,
    const struct trod_stream_object *of_a, const struct trod_stream_names *b,
    const struct trod_stream_object *of_b);

/* --- stream_heap.c: the object at an address ---------------------------------------------- */

struct trod_stream_made {
    uint64_t order, address, size;
    uint32_t site;
    uint64_t number;
};

struct trod_stream_gone {
    uint64_t order, address;
};

struct trod_stream_heap;

/* Objects over time. If one begins where another still exists, it replaces that: the free
 * was not seen.
 *
 * cost:   O(n log n)
 */
struct trod_stream_heap *trod_stream_heap_build(struct trod_stream_made *made,
    size_t nmade, struct trod_stream_gone *gone, size_t ngone, struct trod_arena *mem);

/* The object that existed when so many orders had been assigned; NULL: none.
 *
 * cost:   O(log n), and O(1) for each allocation or free since the order of the last query
 */
const struct trod_stream_made *trod_stream_heap_find(
    struct trod_stream_heap *heap, uint64_t address, uint64_t order);

/* --- stream_chunk.c, stream_trace.c: from bytes to references ---------------------------------------------------- */

/* A REFS section's payload. */
struct trod_stream_chunk {
    const uint8_t *bytes;
    size_t nbyte;
};

/* A variable: `at` bytes after the start of the image, or after the thread pointer, modulo 2^64. */
struct trod_stream_symbol {
    const char *name;
    uint64_t at, size;
};

/* Information besides the chunks; all may be empty. */
struct trod_stream_image {
    /* Describe a site. False: unknown. */
    bool (*code)(struct trod_stream_code *out, uint32_t site, void *ctx);
    void *ctx;
    size_t nglobal, nlocal;
    const struct trod_stream_symbol *global, *local; /* ascending, without overlap */
};

struct trod_stream_trace;

struct trod_stream_run {
    uint32_t thread;
    uint64_t weight;
    size_t nref; /* 0 in a trace: not known in advance */
};

/* References, in an array or in chunks that are decoded on demand. */
struct trod_stream_refs {
    const char *name;
    struct trod_stream_names *names; /* grow while a trace is read */
    struct trod_stream_trace *trace; /* NULL: they are in the array */
    size_t nrun;
    const struct trod_stream_run *run;
    const struct trod_stream_ref *ref;
    uint64_t nlost;    /* references and allocations lost for lack of room */
    uint64_t ndamaged; /* chunks that could not be read to their ends */
};

/* Index all chunks of a module's image; damaged ones are counted.
 *
 * needs:  chunks, and what the image refers to, as long as the references are used
 * fills:  *out
 * cost:   O(bytes)
 */
void trod_stream_open(struct trod_stream_refs *out, const char *name,
    const struct trod_stream_chunk *chunk, size_t nchunk,
    const struct trod_stream_image *image, struct trod_arena *mem);

/* --- stream_code.c: descriptions of loads and stores ---------------------------------------------- */

/* Context of trod_stream_find_code, which is a `code` of struct trod_stream_image. */
struct trod_stream_maps {
    const struct trod_profile_image *image;
    const struct trod_map *map;
};
bool trod_stream_find_code(struct trod_stream_code *out, uint32_t site, void *maps);

/* Remove symbols without a size, and those that begin inside another, from an ascending array. Returns the
 * remaining number.
 */
size_t trod_stream_tidy_symbols(struct trod_stream_symbol *symbol, size_t count);

/* --- stream_refs.c: iteration, text form, validator ------------------------------ */

struct trod_stream_visitor {
    void (*run)(uint32_t thread, uint64_t weight, void *ctx);
    void (*ref)(const struct trod_stream_ref *ref, void *ctx);
    void *ctx;
};

/* Runs in the order in which they began, as far as known; the same each time. */
void trod_stream_each(
    const struct trod_stream_refs *refs, const struct trod_stream_visitor *visitor);

/* The same for a trace. */
void trod_stream_trace_each(
    struct trod_stream_trace *trace, const struct trod_stream_visitor *visitor);

/*     refs NAME
 *     lost 3                               # if any were
 *     code 0 sum list.c 12 9 load 8        # function, file, line, column; bytes
 *     place 0 make list.c 8 15
 *     object 0 heap 0 5                    # place, number
 *     object 1 global table
 *     object 2 local cache 0               # thread
 *     object 3 stack 0                     # thread
 *     object 4 unknown
 *     burst 0 1000                         # thread, weight: a run begins
 *     0 0 8                                # code, object, offset
 *
 * Codes, places and objects have numbers from 0 on, in order, and are defined before they are used.
 */
void trod_stream_refs_print(
    struct trod_sink *sink, const struct trod_stream_refs *refs);

/* Read a section after its head and name, `refs NAME`, up to a line that belongs to another.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_stream_refs_parse(struct trod_stream_refs *out, const char *name,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Check that references refer to defined codes and objects, objects to defined places, and that
 * weights are not 0.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_stream_refs_check(
    const struct trod_stream_refs *refs, struct trod_err *err) TROD_MUST_CHECK;

/* --- stream_data.c, stream_hot.c: finding hot streams --------------------------------------------------------------------- */

enum trod_stream_by {       /* references are the same datum if they are */
    TROD_STREAM_BY_OBJECT,  /* of the same object */
    TROD_STREAM_BY_ADDRESS, /* of the same byte of the same object */
    TROD_STREAM_BY_FIELD,   /* of the same byte of objects of the same place */
    TROD_STREAM_BY_SITE     /* by the same code */
};

/* object, address, field, site */
const char *trod_stream_by_name(enum trod_stream_by by);
bool trod_stream_by_parse(enum trod_stream_by *out, const char *word);

/* What all references of a datum have in common. Numbers are in names of the streams; UINT32_MAX: not
 * applicable.
 */
struct trod_stream_datum {
    uint32_t object, place, code;
    uint64_t offset; /* by address and by field; else 0 */
};

struct trod_stream {
    uint32_t length;
    const uint32_t *datum; /* [length] */
    const uint32_t
        *code;      /* [length] code of the first occurrence; NULL: not recorded */
    uint64_t nseen; /* occurrences, unweighted */
    uint64_t times, heat;
};

enum {
    TROD_STREAM_SHORTEST = 2,
    TROD_STREAM_LONGEST = 100,
    TROD_STREAM_LONGEST_EVER = 10000
};

struct trod_stream_options {
    enum trod_stream_by by;
    uint32_t shortest, longest; /* in references; 0: as above */
    double least;               /* minimum share of all references; 0: any */
    uint64_t most_symbols;      /* of a part of the grammar; 0: the maximum */
    bool no_stack;              /* omit references to stacks */
};

struct trod_streams {
    const char *name;
    const struct trod_stream_names *names;
    enum trod_stream_by by;
    uint32_t shortest, longest;
    uint64_t nrun, nthread;
    uint64_t nref;  /* references seen */
    uint64_t total; /* references that they stand for */
    uint64_t nlost, ndamaged;
    uint64_t nsymbol; /* of the grammar */
    bool exact;       /* times counts all occurrences, of each stream separately */
    uint32_t ndatum;
    const struct trod_stream_datum *datum;
    size_t nfound; /* number of streams found; some may have been dropped since */
    size_t nstream;
    const struct trod_stream *stream; /* the hottest first, then by identity */
    size_t nsorted;
    /* Those with heat, by data; NULL: trod_stream_sort_by_data() was not called. */
    const struct trod_stream *const *sorted;
};

/* scratch may be freed afterwards; it may be the same arena.
 *
 * cost:   O(references) expected, and memory for data and the grammar, which has parts of most_symbols
 */
void trod_stream_find(struct trod_streams *out, const struct trod_stream_refs *refs,
    const struct trod_stream_options *options, struct trod_arena *mem,
    struct trod_arena *scratch);

/* Order data by identity, across profiles; and streams, datum by datum. */
int trod_stream_compare_data(const struct trod_streams *a,
    const struct trod_stream_datum *of_a, const struct trod_streams *b,
    const struct trod_stream_datum *of_b);
int trod_stream_compare(const struct trod_streams *a, const struct trod_stream *of_a,
    const struct trod_streams *b, const struct trod_stream *of_b);

/* Sort streams. */
void trod_stream_order(const struct trod_streams *of, struct trod_stream *stream,
    size_t nstream, struct trod_arena *mem);

/* --- stream_count.c: all occurrences -------------------------------------------------------------------- */

/* Read all references again for the hottest `most` streams, and record the first occurrence of each.
 * exact: count all non-overlapping occurrences of each, inside other
 * streams or not. Other streams are dropped, and the rest is sorted again.
 *
 * needs:  streams found in these references with these options
 * cost:   O(references * streams that end at one)
 */
void trod_stream_look(struct trod_streams *streams, const struct trod_stream_refs *refs,
    const struct trod_stream_options *options, size_t most, bool exact,
    struct trod_arena *mem, struct trod_arena *scratch);

/* --- stream_print.c: output as text and JSON--------------------------------------------------------------- */

enum { TROD_STREAM_MOST = 20 };

struct trod_stream_print_options {
    size_t most;                                    /* streams; 0: TROD_STREAM_MOST */
    bool (*wants)(const char *function, void *ctx); /* NULL: all; one code suffices */
    void *ctx;
};
void trod_stream_report(struct trod_sink *sink, const struct trod_streams *streams,
    const struct trod_stream_print_options *options, struct trod_arena *mem);
/* Members of the open object. */
void trod_stream_json(struct trod_json *json, const struct trod_streams *streams,
    const struct trod_stream_print_options *options, struct trod_arena *mem);
/* Member `data`: those of one stream. */
void trod_stream_json_data(struct trod_json *json, const struct trod_streams *streams,
    const struct trod_stream *stream);
/* One datum as text. */
void trod_stream_put_datum(
    struct trod_sink *sink, const struct trod_streams *streams, uint32_t datum);

/* --- stream_overlap.c: overlap of two profiles ----------------------------------------------------------- */

/* For streams that are compared with several others: sort them once.
 *
 * fills:  streams->sorted, streams->nsorted
 * cost:   O(n log n)
 */
void trod_stream_sort_by_data(struct trod_streams *streams, struct trod_arena *mem);

struct trod_stream_overlap {
    struct trod_overlap overlap;
    const struct trod_streams *a, *b;
    const struct trod_stream **stream; /* by member */
    const bool *in_b;                  /* by member: which names it has */
};

/* Members are streams, by their data; counts are heats.
 *
 * fails:  TROD_E_MISMATCH when data are of different kinds, or one has no streams
 * cost:   O(n log n)
 */
bool trod_stream_overlap_build(struct trod_stream_overlap *out,
    const struct trod_streams *a, const struct trod_streams *b, uint32_t top_of,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
void trod_stream_overlap_print(
    struct trod_sink *sink, const struct trod_stream_overlap *overlap, size_t most);
void trod_stream_overlap_json(struct trod_json *json, const char *key,
    const struct trod_stream_overlap *overlap, size_t most);

/* --- stream_text.c: the text form of streams ------------------------------------------------------------------
 *
 *     streams NAME object 2 100            # by, shortest, longest
 *     seen 4 2 12000 12000000              # runs, threads, references, references they stand for
 *     lost 3                               # if any were; damaged, exact
 *     code ..., place ..., object ...      # as of references
 *     datum 0 object 0 8                   # object, offset; or place, offset; or code
 *     stream 40 40000 80000: 0 1           # seen, times, heat: data
 */
void trod_streams_print(struct trod_sink *sink, const struct trod_streams *streams);
bool trod_streams_parse(struct trod_streams *out, const char *name,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Lines with names in either form. *taken: the word begins such a line, which was read. */
void trod_stream_print_code(
    struct trod_sink *sink, const struct trod_stream_names *names, uint32_t code);
void trod_stream_print_place(
    struct trod_sink *sink, const struct trod_stream_names *names, uint32_t place);
void trod_stream_print_object(
    struct trod_sink *sink, const struct trod_stream_names *names, uint32_t object);
bool trod_stream_parse_name(bool *taken, struct trod_stream_names *names,
    const char *word, struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- stream_check.c: the validator ----------------------------------------------------------------------------- */

/* Check that data refer to defined names, as required by `by`; that streams have defined data,
 * lengths within bounds, and are sorted; that heat is length times occurrences and, unless exact, the sum of heats
 * does not exceed the total.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_streams_check(
    const struct trod_streams *streams, struct trod_err *err) TROD_MUST_CHECK;

#endif
