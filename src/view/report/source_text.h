/* source text: the text of conditions in the source of a program.
 *
 *     lines -> tokens -> the text of the condition at a line and column
 *
 * The map gives the line and column of a decision. Compilers use a location in the middle of the condition (the operator of a
 * comparison, the member of an object), so the condition extends on both sides: up to `&&`, `||`, `?`, `:` and `;`, and up to
 * the parentheses of the statement. Macros are not expanded; a condition inside a macro has the location of the macro and is shown as
 * its invocation.
 *
 * Glossary
 *   token     a word, a literal or an operator; comments, blanks and preprocessor directives are not tokens
 *   level     the tokens between two matching brackets, without those in inner brackets
 *   bound     the token at which a condition ends, on either side
 *
 * Sources are untrusted: any bytes can be tokenised, and a location without a condition gives none.
 * Memory: tokens point into the lines, which the caller keeps.
 */
#ifndef TROD_REPORT_SOURCE_TEXT_H
#define TROD_REPORT_SOURCE_TEXT_H

#include "base/base.h"

/* --- source_tokens.c: lines to tokens ------------------------------------------------------- */

struct trod_source_token {
    const char *text;
    uint32_t length;
    uint32_t line, column; /* from 1, in bytes, as compilers count them */
    uint32_t open;         /* the innermost bracket around it; UINT32_MAX: none */
    uint32_t partner;      /* of a bracket: the matching one; UINT32_MAX: none */
};

struct trod_source_text {
    const char *const *line;
    uint32_t nline;
    struct trod_source_token *token;
    uint32_t ntoken, room;
};

/* cost:   O(bytes) */
void trod_source_scan(struct trod_source_text *out, const char *const *line,
    uint32_t nline, struct trod_arena *mem);

/* Is it this word or operator? */
bool trod_source_is(const struct trod_source_token *token, const char *word);

/* The token at a location; UINT32_MAX: none. */
uint32_t trod_source_at(
    const struct trod_source_text *text, uint32_t line, uint32_t column);

/* --- source_condition.c: the condition at a place ---------------------------------------------- */

/* A range of tokens, inclusive. */
struct trod_source_range {
    uint32_t first, last;
};

/* The condition at a location, with the `ncondition` - 1 conditions after it that the compiler has merged with it. For the keyword of a
 * statement, its condition; for `switch`, the statement without its body.
 *
 * fails:  false, if there is none
 */
bool trod_source_condition(struct trod_source_range *out,
    const struct trod_source_text *text, uint32_t line, uint32_t column,
    uint32_t ncondition);

/* Print it on one line: blanks, line breaks and comments between tokens as one blank, control characters as `?`. */
void trod_source_print(struct trod_sink *sink, const struct trod_source_text *text,
    struct trod_source_range range);

#endif
