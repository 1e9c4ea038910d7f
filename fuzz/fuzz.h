/* What the fuzz targets share. A target parses its bytes; if they are accepted, what
 * was read is printed, parsed and printed again, which must give the same text, and the
 * validators of its stage are run. Anything that must not be ends the process.
 *
 * Sizes are capped so that no input takes more than a moment.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/probe.h"

enum {
    FUZZ_MOST_BYTES = 1 << 14,
    FUZZ_MOST_EDGES = 120, /* for what is not linear */
    FUZZ_MOST_PATHS = 500
};

#define FUZZ_MUST(holds)                                                               \
    ((holds) ? (void)0                                                                 \
             : (fprintf(stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #holds), \
                   abort()))

/* Says what err says before it ends the process. */
#define FUZZ_MUST_DO(done, err)                                                 \
    ((done) ? (void)0                                                           \
            : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, (err)->text), \
                  abort()))

static inline void fuzz_exhausted(void *ctx)
{
    (void)ctx;
    fprintf(stderr, "out of memory\n");
    abort();
}

/* Any refusal must say why, at a place in the text. */
static inline void fuzz_refused(const struct trod_err *err)
{
    FUZZ_MUST(err->code == TROD_E_INPUT || err->code == TROD_E_LIMIT);
    FUZZ_MUST(err->text[0] != '\0' && memchr(err->text, '\0', sizeof err->text));
}

/* The head of a section, `word NAME`; NULL when there is none. */
static inline const char *fuzz_head(struct trod_text *text, const char *word,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_token token;

    if (!trod_text_next(&token, text, mem, err) || token.kind != TROD_T_NAME ||
        strcmp(token.name, word) != 0 || !trod_text_next(&token, text, mem, err) ||
        token.kind != TROD_T_NAME)
        return NULL;
    return token.name;
}

static inline uint64_t fuzz_path_count(
    const struct trod_dag *dag, struct trod_arena *mem)
{
    uint64_t *down = trod_new(mem, uint64_t, dag->shape.nnode);

    trod_dag_count(down, NULL, dag);
    return down[dag->shape.entry];
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#endif
