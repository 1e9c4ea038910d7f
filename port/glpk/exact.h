/* exact: the optimal preferential numbering, by integer programming.
 *
 * Finds edge values with the smallest possible delta for the paths of interest (problem A of the
 * thesis), with a proof, through GLPK. Only for small sets: the time is exponential in the number
 * of paths. It is the oracle of tests, and measures how far preferential numbering is from the
 * optimum.
 */
#ifndef TROD_EXACT_H
#define TROD_EXACT_H

#include "number/number.h"

struct trod_exact_options {
    uint32_t most_paths; /* 0 = 16 */
    double seconds;      /* for each width tried; 0 = 10 */
};

struct trod_exact_optimum {
    struct trod_numbering numbering; /* preferential; the narrowest found */
    uint64_t width;                  /* of its ids of interest */
    uint64_t proved;                 /* proven lower bound on the width */
    bool optimal;                    /* width == proved */
    uint32_t solves;                 /* integer programs solved */
};

/* Try widths from the number of paths upwards, until one is feasible, or only the width that
 * trod_number_preferential() reaches is left.
 *
 * fails:  TROD_E_LIMIT with more than most_paths paths, or numbers beyond 63 bits
 */
bool trod_exact_preferential(struct trod_exact_optimum *out,
    const struct trod_interest *interest, const struct trod_exact_options *options,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
