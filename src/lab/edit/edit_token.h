/* Tokens of productions. Unlike those of other text forms they have columns, since a production is long and
 * may go over several lines.
 */
#ifndef TROD_EDIT_TOKEN_H
#define TROD_EDIT_TOKEN_H

#include "base/base.h"

enum trod_edit_token_kind {
    TROD_EDIT_T_END,
    TROD_EDIT_T_WORD,   /* letters, digits, _; with a T. before it */
    TROD_EDIT_T_NUMBER, /* decimal, or hexadecimal after 0x */
    TROD_EDIT_T_MARK
};

/* Marks of several characters. */
enum {
    TROD_EDIT_M_ARROW = 256, /* => or the arrow of U+21D2 */
    TROD_EDIT_M_AND,
    TROD_EDIT_M_OR,
    TROD_EDIT_M_EQ,
    TROD_EDIT_M_NE,
    TROD_EDIT_M_LE,
    TROD_EDIT_M_GE,
    TROD_EDIT_M_RANGE
};

struct trod_edit_token {
    enum trod_edit_token_kind kind;
    int mark;
    uint64_t number;
    const char *word; /* in the arena */
    const char *at;   /* in the bytes */
    size_t length;
    const char *file;
    uint32_t line, column; /* from 1; columns are characters */
};

struct trod_edit_lexer {
    const char *file, *at, *end;
    uint32_t line, column;
};

void trod_edit_lexer_init(
    struct trod_edit_lexer *lexer, const char *file, const char *bytes, size_t length);

/* Blanks, ends of lines and comments (# to the end of a line) part tokens.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_edit_lexer_next(struct trod_edit_token *out, struct trod_edit_lexer *lexer,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* trod_fail() with "file:line:column: " before the message. */
#define trod_edit_fail(...) (trod_edit_error(__VA_ARGS__), false)

void trod_edit_error(const struct trod_edit_token *at, struct trod_err *err,
    enum trod_err_code code, const char *format, ...) TROD_FORMAT(4, 5);

#endif
