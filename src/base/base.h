/* base: memory, errors, output and data structures that all stages use.
 *
 * Nothing here knows of graphs or profiles. The rules of the house live in
 * this header:
 *
 * memory   All structures live in arenas. A function without a `mem` parameter
 *          allocates nothing. Arena memory is zeroed. Exhaustion never returns
 *          to the caller: it goes to the arena's handler, which must not come
 *          back (it jumps or ends the process). So `return false` is a
 *          complete error path, and freeing the arena is a complete clean-up.
 * errors   A function without an `err` parameter cannot fail. One with it
 *          returns false after trod_fail() filled in code and message; the
 *          caller owns the struct. Bad input is an error, an impossible state
 *          an assertion.
 * output   Text goes to a sink the caller handed in, never to stdout.
 *
 * Glossary
 *   arena  a region of memory freed as a whole
 *   mark   a point in an arena's life that it can be wound back to
 *   sink   something that takes bytes: a file, a string
 *   text   a cursor over the bytes of a text form, with file name and line
 *   names  a table from name to small number, in order of arrival
 *   set    an array of bits
 *   rng    a seeded stream of numbers, the same on every machine
 */
#ifndef TROD_BASE_H
#define TROD_BASE_H

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/table.h"

#define TROD_VERSION "0.1.0"

#define TROD_MUST_CHECK __attribute__((warn_unused_result))
#define TROD_FORMAT(f, a) __attribute__((format(printf, f, a)))

/* --- err.c: what went wrong, for a person ------------------------------- */

/* The values are the exit statuses of the command line. */
enum trod_err_code {
    TROD_OK = 0,
    TROD_E_INPUT = 3,    /* malformed or out of range: the input must change */
    TROD_E_MISMATCH = 4, /* two inputs that do not belong together */
    TROD_E_SYSTEM = 5,   /* the operating system said no */
    TROD_E_LIMIT = 6,    /* well-formed, but beyond what can be represented */
    TROD_E_INTERNAL = 70 /* a validator found trod's own result wrong */
};

struct trod_err {
    enum trod_err_code code;
    char text[1000];
};

/* Fill err and be false, so that a caller can `return trod_fail(err, ...)`. A message
 * names the thing, the place and the remedy. A macro, for compilers and analyzers to see
 * that it is false.
 */
#define trod_fail(...) (trod_err_set(__VA_ARGS__), false)

void trod_err_set(struct trod_err *err, enum trod_err_code code, const char *format,
    ...) TROD_FORMAT(3, 4);
void trod_err_set_at(struct trod_err *err, enum trod_err_code code, const char *file,
    uint32_t line, const char *format, va_list args);

/* --- arena.c: memory by lifetime ---------------------------------------- */

struct trod_chunk;

struct trod_arena {
    struct trod_chunk *head;      /* newest chunk; linked to older ones */
    void (*exhausted)(void *ctx); /* must not return */
    void *ctx;
    uint64_t ntake;   /* calls of take and grow so far */
    uint64_t fail_at; /* fault injection: this call fails; 0 = never */
    size_t live;      /* bytes in chunks */
    size_t peak;      /* most bytes ever in chunks */
};

struct trod_mark {
    struct trod_chunk *chunk;
    size_t used;
};

void trod_arena_init(struct trod_arena *mem, void (*exhausted)(void *ctx), void *ctx);
void trod_arena_free(struct trod_arena *mem);

/* Zeroed memory for count things of the given size; never NULL. */
void *trod_arena_take(struct trod_arena *mem, size_t count, size_t size)
    __attribute__((returns_nonnull));

/* A longer copy of an array (in place where it was the newest thing taken);
 * the new tail is zeroed.
 */
void *trod_arena_grow(struct trod_arena *mem, void *old, size_t old_count,
    size_t new_count, size_t size) __attribute__((returns_nonnull));

/* Free everything taken since the mark: scratch memory of a pass. */
struct trod_mark trod_arena_mark(const struct trod_arena *mem);
void trod_arena_rewind(struct trod_arena *mem, struct trod_mark mark);

/* Fault injection: make the nth call of take or grow fail, counted from the
 * arena's birth. No test is complete without it.
 */
void trod_arena_fail_at(struct trod_arena *mem, uint64_t nth);

/* Chunks alive in all arenas of the process: zero when nothing leaks. */
size_t trod_arena_chunks(void);

#define trod_new(mem, type, count) \
    ((type *)trod_arena_take((mem), (count), sizeof(type)))

/* Make room for one more in a growing array: items[count] is valid after it. */
#define trod_reserve(mem, items, count, room)                                          \
    ((count) < (room) ? (void)0                                                        \
                      : (void)((items) = trod_arena_grow((mem), (items), (room),       \
                                   (room) ? 2 * (size_t)(room) : 16, sizeof *(items)), \
                            (room) = (room) ? 2 * (room) : 16))

/* Append to a growing array; evaluates to the index of the new item. The value may refer to the old items and count. */
#define trod_push(mem, items, count, room, ...)     \
    (trod_reserve((mem), (items), (count), (room)), \
        (void)((items)[(count)] = (__VA_ARGS__)), (count)++)

/* Copies of a text, or of so many bytes of one, NUL-terminated. */
char *trod_copy(struct trod_arena *mem, const char *from);
char *trod_copy_text(struct trod_arena *mem, const char *from, size_t length);

/* --- sink.c: where text goes --------------------------------------------- */

struct trod_sink {
    void (*put)(struct trod_sink *sink, const char *bytes, size_t length);
    void *ctx;
};

void trod_put(struct trod_sink *sink, const char *format, ...) TROD_FORMAT(2, 3);

/* A sink that collects in memory; text is NUL-terminated at all times. */
struct trod_string {
    struct trod_sink sink;
    struct trod_arena *mem;
    char *text;
    size_t length, room;
};
void trod_string_init(struct trod_string *out, struct trod_arena *mem);

/* A text as printf would write it, however long. */
char *trod_format(struct trod_arena *mem, const char *format, ...) TROD_FORMAT(2, 3);

/* --- json.c: objects and arrays onto a sink -------------------------------- */

struct trod_json {
    struct trod_sink *sink;
    uint32_t depth;
    uint64_t filled; /* bit d: something was written at depth d */
    bool compact;    /* no line breaks, no blanks: for programs, not people */
    bool in_html;    /* '<' is written as \u003c: it cannot end an enclosing script */
};

/* Keys are NULL inside arrays. Depth is at most 63. */
void trod_json_init(struct trod_json *json, struct trod_sink *sink);
void trod_json_open(struct trod_json *json, const char *key, char bracket);
void trod_json_close(struct trod_json *json, char bracket);
void trod_json_text(struct trod_json *json, const char *key, const char *text);
void trod_json_uint(struct trod_json *json, const char *key, uint64_t value);
void trod_json_int(struct trod_json *json, const char *key, int64_t value);
void trod_json_real(struct trod_json *json, const char *key, double value);
void trod_json_bool(struct trod_json *json, const char *key, bool value);
void trod_json_null(struct trod_json *json, const char *key);

/* A text in pieces: what is written to the sink until its end must not need escaping. */
struct trod_sink *trod_json_text_begin(struct trod_json *json, const char *key);
void trod_json_text_end(struct trod_json *json);

/* --- json_read.c: JSON that others wrote ------------------------------------ */

enum trod_json_kind {
    TROD_JSON_NULL,
    TROD_JSON_FALSE,
    TROD_JSON_TRUE,
    TROD_JSON_NUMBER,
    TROD_JSON_TEXT,
    TROD_JSON_ARRAY,
    TROD_JSON_OBJECT
};

enum { TROD_JSON_NONE = UINT32_MAX };

/* Values are in the order of the text: the descendants of value v are v + 1 .. next - 1. */
struct trod_json_value {
    enum trod_json_kind kind;
    uint32_t line, next;
    const char *key;  /* of a member of an object, else NULL */
    const char *text; /* of a text; of a number, as written; otherwise NULL */
};

struct trod_json_doc {
    const char *file;
    struct trod_json_value *value; /* number 0 is all of it */
    uint32_t nvalue, room;
};

/* Exactly RFC 8259: UTF-8, no comments, no trailing commas, one value. Nesting is limited only by
 * memory.
 *
 * fails:  TROD_E_INPUT, also on a NUL in a text; TROD_E_LIMIT beyond 2^32 - 2 values
 * cost:   O(bytes)
 */
bool trod_json_read(struct trod_json_doc *out, const char *file, const char *bytes,
    size_t length, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The first value in an array or object, and the one after another; TROD_JSON_NONE: there is none. */
uint32_t trod_json_first(const struct trod_json_doc *doc, uint32_t of);
uint32_t trod_json_next(const struct trod_json_doc *doc, uint32_t of, uint32_t after);
/* The last member of an object that has this key; TROD_JSON_NONE also if `of` is not an object or is TROD_JSON_NONE. */
uint32_t trod_json_member(
    const struct trod_json_doc *doc, uint32_t of, const char *key);
/* The text of a value; NULL if it is not a text, or is TROD_JSON_NONE. */
const char *trod_json_text_of(const struct trod_json_doc *doc, uint32_t value);
/* The value as an integer; false if it is not one, or does not fit. */
bool trod_json_uint_of(
    uint64_t *out, const struct trod_json_doc *doc, uint32_t value) TROD_MUST_CHECK;

/* --- text.c: reading text forms -------------------------------------------- */

/* A cursor. Bytes are untrusted: any sequence is either parsed or refused. */
struct trod_text {
    const char *file;
    const char *at, *end;
    uint32_t line;   /* of the token last taken */
    uint32_t breaks; /* lines from there down to the next token */
};

enum trod_token_kind {
    TROD_T_END,  /* of the text */
    TROD_T_LINE, /* end of a non-empty line */
    TROD_T_NAME, /* a bare word of letters, digits, _ . $ % @ and bytes from 0x80 up,
                    or "quoted", with \" \\ and \n as escapes */
    TROD_T_MARK  /* any other single character */
};

struct trod_token {
    enum trod_token_kind kind;
    bool quoted;
    char mark;        /* TROD_T_MARK */
    const char *name; /* TROD_T_NAME: in the arena, NUL-terminated */
    size_t length;
};

void trod_text_init(
    struct trod_text *text, const char *file, const char *bytes, size_t length);

/* Take the next token. Blanks and comments (# to end of line) separate tokens;
 * empty lines give none.
 *
 * fails:  TROD_E_INPUT on an unclosed quote, a NUL or a bad escape
 */
bool trod_text_next(struct trod_token *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Read the next token without moving the cursor. */
bool trod_text_peek(struct trod_token *out, const struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Is it this word, not quoted? Is the line over, or the text? Is it this single character? */
bool trod_token_is_word(const struct trod_token *token, const char *word);
static inline bool trod_token_is_over(const struct trod_token *token)
{
    return token->kind == TROD_T_LINE || token->kind == TROD_T_END;
}

static inline bool trod_token_is_mark(const struct trod_token *token, char mark)
{
    return token->kind == TROD_T_MARK && token->mark == mark;
}

/* trod_fail() with "file:line: " before the message. */
#define trod_text_fail(...) (trod_text_error(__VA_ARGS__), false)

void trod_text_error(const struct trod_text *text, struct trod_err *err,
    const char *format, ...) TROD_FORMAT(3, 4);

/* A decimal integer; false if it is not one or does not fit. */
bool trod_text_uint(uint64_t *out, const char *digits) TROD_MUST_CHECK;

/* The next token as a name, a whole number, or a hash of 16 hexadecimal digits; `what` says in
 * messages what was expected.
 */
bool trod_text_take_name(const char **out, const char *what, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_text_take_uint(uint64_t *out, const char *what, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_text_take_hash(uint64_t *out, const char *what, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_text_int(int64_t *out, const char *digits) TROD_MUST_CHECK;

/* The end of a line; `what` is what came before it. */
bool trod_text_take_end(const char *what, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Bytes of the UTF-8 character that a text starts with, 0 if it does not start with one. */
size_t trod_utf8_length(const char *bytes);

/* If a text starts with a character that controls a terminal instead of being displayed, its length in bytes: a control
 * character (of one byte, or of two in UTF-8), or one that changes the direction of writing. Otherwise 0. Tabs and line breaks
 * are included.
 */
size_t trod_control_length(const char *bytes);

/* Does a text contain any? */
bool trod_has_controls(const char *text);

/* A text for people, control characters shown as \xNN for each byte. */
void trod_put_shown(struct trod_sink *sink, const char *text);

/* Does this word, bare, open a section: graph, paths, numbering, plan? */
bool trod_text_is_head(const char *word);

/* Print a name so that it parses back: bare if possible, otherwise quoted, without control characters except tabs. */
void trod_put_name(struct trod_sink *sink, const char *name);

/* --- display_name.c: demangled names ---------------------------------------- */

/* Set the demangler, once, before anything is printed. Without one, linkage names are printed. Text that trod
 * reads back has linkage names: trod_put_name.
 *
 * demangle: the name in memory of malloc, or NULL if there is no other
 */
void trod_set_demangler(char *(*demangle)(const char *linkage));

/* Print the demangled name; without one, as trod_put_name does. */
void trod_put_display_name(struct trod_sink *sink, const char *name);

/* Print the demangled name. Without one, print nothing and return false. */
bool trod_put_demangled(struct trod_sink *sink, const char *name);

/* The linkage name; then the demangled name, if there is one, as "demangled", or KEY_demangled if the key is not "function". */
void trod_json_display_name(struct trod_json *json, const char *key, const char *name);

/* --- style.c: how numbers, names and colours look on a terminal ------------ */

struct trod_style {
    unsigned width; /* columns; 0: no lines are cut or wrapped */
    bool colour;
    bool exact; /* counts with all their digits */
    bool whole; /* long paths are not folded */
};

enum trod_colour {
    TROD_COLOUR_NONE,
    TROD_COLOUR_COUNT,
    TROD_COLOUR_NAME,
    TROD_COLOUR_LINE,
    TROD_COLOUR_YES,
    TROD_COLOUR_NO,
    TROD_COLOUR_MARK /* what the reader is to look at */
};

/* A count for people: 9999, 12.3k, 1.0M; with all its digits if `exact`. */
enum { TROD_COUNT_TEXT = 24 };
const char *trod_count_text(char out[TROD_COUNT_TEXT], uint64_t count, bool exact);

/* The same, or a text, in a column of so many letters: right-aligned, or left-aligned if `width` is negative. */
void trod_put_count(
    struct trod_sink *sink, const struct trod_style *style, int width, uint64_t count);
void trod_put_coloured(struct trod_sink *sink, const struct trod_style *style,
    enum trod_colour colour, int width, const char *text);

/* Letters of a text in UTF-8; an invalid byte counts as one. */
size_t trod_letters(const char *text);

/* At most so many letters: `text` itself, or its beginning, or both its ends, with an ellipsis. */
const char *trod_clip(const char *text, size_t most, struct trod_arena *mem);
const char *trod_clip_middle(const char *text, size_t most, struct trod_arena *mem);

/* Print a text in lines, broken at blanks, with so many blanks before each. */
void trod_put_wrapped(struct trod_sink *sink, const struct trod_style *style,
    unsigned indent, const char *text);

/* The name of a C++ function without parameters and result; if that is too long, also without arguments of templates; if that
 * is still too long, its last two parts, whatever their length; or these clipped.
 */
const char *trod_short_parts(const char *name, size_t most, struct trod_arena *mem);
const char *trod_short_name(const char *name, size_t most, struct trod_arena *mem);

/* --- names.c: from name to number --------------------------------------- */

struct trod_names {
    struct trod_arena *mem;
    const char **name; /* by number */
    uint32_t count, room;
    struct trod_table numbers;
};

void trod_names_init(struct trod_names *names, struct trod_arena *mem);
/* The number of a name, given one if it is new. */
uint32_t trod_names_add(struct trod_names *names, const char *name);
/* UINT32_MAX when the name was never added. */
uint32_t trod_names_find(const struct trod_names *names, const char *name);

/* Bytes of a file, from one offset up to another. */
struct trod_extent {
    uint64_t from, to;
};

/* The bytes of a file, for readers that want only some of them at a time. Each function gets ctx. */
struct trod_source {
    void *ctx;
    /* A program that runs may add bytes. */
    size_t (*length)(void *ctx);
    /* The first range, at an offset or after it, whose bytes may not be 0. False: there is none. */
    bool (*find)(struct trod_extent *out, void *ctx, uint64_t from);
    /* Bytes that cannot be read are 0; whoever made the source knows of it. */
    void (*read)(uint8_t *out, void *ctx, uint64_t from, size_t n);
};

/* --- bits.c: sets, hashes, arithmetic that cannot wrap ------------------- */

#define TROD_WORDS(n) (((size_t)(n) + 63) / 64)

static inline bool trod_has(const uint64_t *set, uint32_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static inline void trod_add(uint64_t *set, uint32_t i)
{
    set[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void trod_drop(uint64_t *set, uint32_t i)
{
    set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* Is the value in an ascending array? */
bool trod_is_among(const uint64_t *ascending, size_t count, uint64_t value);

/* One step of a 64-bit hash: order matters, zero is not a fixed point. */
uint64_t trod_mix(uint64_t hash, uint64_t value);

/* Smallest b with value < 2^b. */
unsigned trod_bit_width(uint64_t value);

/* a + b, or UINT64_MAX if that does not fit. */
uint64_t trod_sat_add(uint64_t a, uint64_t b);
uint64_t trod_sat_mul(uint64_t a, uint64_t b);

/* --- crc.c: checksums ------------------------------------------------------ */

/* CRC-32 as in zip and PNG: polynomial 0x04c11db7 reflected, all ones before and
 * inverted after. That of "123456789" is 0xcbf43926.
 */
uint32_t trod_crc32(const void *bytes, size_t length);

/* --- rng.c: seeded numbers --------------------------------------------- */

struct trod_rng {
    uint64_t state;
};

void trod_rng_init(struct trod_rng *rng, uint64_t seed);
uint64_t trod_rng_next(struct trod_rng *rng);
/* Uniform in 0..bound-1; bound must not be 0. */
uint64_t trod_rng_below(struct trod_rng *rng, uint64_t bound);

#endif
