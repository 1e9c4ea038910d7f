/* wording: the source as text, for what the program does not say: how labels and parentheses are written.
 *
 *     place of a debug location -> text there -> tokens -> labels of a switch, with their values
 *
 * Nothing here knows which lines the preprocessor kept, or all macros. So texts are only evidence, and what they leave in doubt is
 * not reported.
 */
#ifndef TROD_LLVM_SOURCE_SCAN_H
#define TROD_LLVM_SOURCE_SCAN_H

#include "llvm/source/condition.h"

/* --- source_scan.c -------------------------------------------------------------------------------- */

/* What is written at a place; NULL: unknown. */
const char *trod_scan_text_at(LLVMMetadataRef file, uint32_t line, uint32_t column);

/* Of the file that trod_scan_text_at read last: the number of a line, the rest of the text, the name. */
uint32_t trod_scan_line_of(const char *at);
struct trod_scan trod_scan_from(const char *at);
const char *trod_scan_path(void);

struct trod_scan {
    const char *start; /* of the text: a directive is the first of its line */
    const char *at, *end;
    const char *token; /* the last one */
    size_t length;
};

/* A word, a literal, or a mark of one character. False: the end, a directive, or what is not understood. */
bool trod_scan_next(struct trod_scan *s);
bool trod_scan_is(const struct trod_scan *s, const char *word);
bool trod_scan_is_word(char c);
void trod_scan_blanks(struct trod_scan *s);

/* After an opening mark: to behind the one that closes it. */
bool trod_scan_skip(struct trod_scan *s, char opens, char closes);

/* A line of the preprocessor, with those that continue it. */
bool trod_scan_at_directive(const struct trod_scan *s);
void trod_scan_line(struct trod_scan *s, const char **from, const char **to);

/* --- macro_text.c: macros and constants -------------------------------------------------------- */

struct trod_macro {
    bool function;           /* it has parameters */
    bool doubtful;           /* there is another of its name */
    const char *from, *to;   /* what stands for it */
    const char *names, *end; /* of its parameters */
};

/* The macro of a name, by this file and what it includes from its own folder; NULL: there is none. */
const struct trod_macro *trod_macro_find(const char *name, size_t length);

/* A macro's text with the arguments of a call in it, comments left out; NULL: they do not fit. */
const char *trod_macro_expand(const struct trod_macro *macro, const char *from,
    const char *to, struct trod_arena *mem);

/* The value of a constant expression. False: unknown. */
bool trod_constant_read(
    int64_t *out, LLVMModuleRef module, const char *from, const char *to);

void trod_macros_close(void);

#endif
