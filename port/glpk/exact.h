/* exact: the best preferential numbering there is, by integer programming.
 *
 * Turns paths of interest into the edge values with the smallest delta possible
 * (problem A of the thesis), with a proof, through GLPK. For small sets: the work is
 * exponential in the number of paths. It is the oracle of the tests and the answer to
 * "how far from the best is preferential numbering?".
 */
#ifndef TROD_EXACT_H
#define TROD_EXACT_H

#include "number/number.h"

struct trod_exact_options {
    uint32_t most_paths; /* 0 = 16 */
    double seconds;      /* for each width tried; 0 = 10 */
};

struct trod_exact_optimum {
    struct trod_numbering numbering; /* kind preferential, narrowest found */
    uint64_t width;                  /* of its ids of interest */
    uint64_t proved;                 /* none narrower than this exists */
    bool optimal;                    /* width == proved */
    uint32_t solves;                 /* integer programs solved */
};

/* Try widths from the number of paths up, until one can be had or the width that
 * trod_number_preferential() reaches is all that is left.
 *
 * fails:  TROD_E_LIMIT with more than most_paths paths, or numbers past 63 bits
 */
bool trod_exact_preferential(struct trod_exact_optimum *out,
    const struct trod_interest *interest, const struct trod_exact_options *options,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
