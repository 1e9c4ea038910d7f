/* source scan: reads the source text for what the IR lacks: how labels and parentheses are written.
 *
 *     debug location -> text there -> tokens -> labels of a switch, with their values
 *
 * The scanner does not know which lines the preprocessor kept, nor all macros. So the text is only
 * evidence, and ambiguous results are dropped.
 */
#ifndef TROD_LLVM_SOURCE_SCAN_H
#define TROD_LLVM_SOURCE_SCAN_H

#include "llvm/source/condition.h"

/* --- source_scan.c -------------------------------------------------------------------------------- */

/* The text at a location; NULL: unknown. */
const char *trod_scan_text_at(LLVMMetadataRef file, uint32_t line, uint32_t column);

/* Of the file that trod_scan_text_at read last: the line number of a position, a scanner from there
 * on, the path. */
uint32_t trod_scan_line_of(const char *at);
struct trod_scan trod_scan_from(const char *at);
const char *trod_scan_path(void);

struct trod_scan {
    const char *start; /* of the text; needed to see whether # begins a line */
    const char *at, *end;
    const char *token; /* the current token */
    size_t length;
};

/* Reads a word, a literal, or a punctuator. False: the end, a directive, or unsupported text. */
bool trod_scan_next(struct trod_scan *s);
bool trod_scan_is(const struct trod_scan *s, const char *word);
bool trod_scan_is_word(char c);
void trod_scan_blanks(struct trod_scan *s);

/* After an opening punctuator: skips to after the matching closing one. */
bool trod_scan_skip(struct trod_scan *s, char opens, char closes);

/* Is this a preprocessor directive? The next function reads it, with its continuation lines. */
bool trod_scan_at_directive(const struct trod_scan *s);
void trod_scan_line(struct trod_scan *s, const char **from, const char **to);

/* --- macro_text.c: macros and constants -------------------------------------------------------- */

struct trod_macro {
    bool function;           /* it has parameters */
    bool doubtful;           /* it is defined several times, or conditionally */
    const char *from, *to;   /* replacement text */
    const char *names, *end; /* its parameters */
};

/* The macro of a name, as defined in this file or in what it includes from its own directory; NULL:
 * none. */
const struct trod_macro *trod_macro_find(const char *name, size_t length);

/* The replacement text with the arguments substituted, without comments; NULL: the arguments do not
 * match. */
const char *trod_macro_expand(const struct trod_macro *macro, const char *from,
    const char *to, struct trod_arena *mem);

/* Evaluates a constant expression. False: unknown. */
bool trod_constant_read(
    int64_t *out, LLVMModuleRef module, const char *from, const char *to);

void trod_macros_close(void);

#endif
