/* base/parse: the context of a parser of a text form, and its verbs.
 *
 * A parser has a cursor, an arena for what it reads and an error to fill. A parser's own struct embeds them,
 *
 *     struct parser {
 *         struct trod_parse in;
 *         ...
 *     };
 *
 * and passes `&p->in` to the verbs. Each verb takes one token or one line's end. `what` says in the message what was
 * expected; a message begins with file and line.
 *
 * fails:  all verbs, with TROD_E_INPUT, on any other token, and where trod_text_next does
 * cost:   O(bytes of the token)
 */
#ifndef TROD_BASE_PARSE_H
#define TROD_BASE_PARSE_H

#include "base/base.h"

struct trod_parse {
    struct trod_text *text;
    struct trod_arena *mem;
    struct trod_err *err;
};

/* False, with a message about the line of the token last taken. */
#define trod_parse_fail(in, ...) trod_text_fail((in)->text, (in)->err, __VA_ARGS__)

/* --- parse.c: verbs -------------------------------------------------------- */

/* Any token: taken, and peeked at. */
bool trod_parse_next(
    struct trod_token *out, const struct trod_parse *in) TROD_MUST_CHECK;
bool trod_parse_peek(
    struct trod_token *out, const struct trod_parse *in) TROD_MUST_CHECK;

/* A name or word, bare or quoted; an integer; one below 2^32; a hash of 16 hexadecimal digits. */
bool trod_parse_name(
    const char **out, const struct trod_parse *in, const char *what) TROD_MUST_CHECK;
bool trod_parse_uint(
    uint64_t *out, const struct trod_parse *in, const char *what) TROD_MUST_CHECK;
bool trod_parse_u32(
    uint32_t *out, const struct trod_parse *in, const char *what) TROD_MUST_CHECK;
bool trod_parse_hash(
    uint64_t *out, const struct trod_parse *in, const char *what) TROD_MUST_CHECK;

/* A number as strtod reads it, all of the word. */
bool trod_parse_real(
    double *out, const struct trod_parse *in, const char *what) TROD_MUST_CHECK;

/* A word of a list, as its number. The list is a function that returns NULL after the last, or an array. */
bool trod_parse_listed(uint32_t *out, const struct trod_parse *in,
    const char *(*word)(uint32_t), const char *what) TROD_MUST_CHECK;
bool trod_parse_word(uint32_t *out, const struct trod_parse *in,
    const char *const *word, uint32_t count, const char *what) TROD_MUST_CHECK;

/* The end of a line, or of the text; `what` is what came before it. */
bool trod_parse_end(const struct trod_parse *in, const char *what) TROD_MUST_CHECK;

#endif
