/* base/order: comparators for qsort and binary search.
 *
 * Macros only. A comparator is the list of its sort keys, the most significant first; a binary search is the condition
 * that holds below the bound. Both expand to the code one would write by hand.
 */
#ifndef TROD_BASE_ORDER_H
#define TROD_BASE_ORDER_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Below, equal or above: negative, 0 or positive. Arguments are evaluated twice; both must be of one signedness. Numbers
 * that are not ordered (NaN) are equal.
 */
#define trod_compare(x, y) (((x) > (y)) - ((x) < (y)))

/* --- comparators --------------------------------------------------------- */

/* Define `static int name(const void *, const void *)`, for qsort and bsearch, of elements of a type. Terms are one to eight
 * expressions in `a` and `b`, pointers to the two elements; the first that is not 0 decides, and the following ones are
 * not evaluated.
 *
 *     TROD_ORDER(by_rank, struct row, TROD_DOWN(count), TROD_ALPHABETIC(name), by_place(a, b))
 */
#define TROD_ORDER(name, type, ...)                                                    \
    static int name(const void *a_, const void *b_)                                    \
    {                                                                                  \
        const type *a = a_;                                                            \
        const type *b = b_;                                                            \
                                                                                       \
        return __extension__(TROD_ORDER_TERMS(__VA_ARGS__, TROD_ORDER_8, TROD_ORDER_7, \
            TROD_ORDER_6, TROD_ORDER_5, TROD_ORDER_4, TROD_ORDER_3, TROD_ORDER_2,      \
            TROD_ORDER_1, )(__VA_ARGS__));                                             \
    }

/* Terms: the lower first, the higher first, by strcmp. */
#define TROD_UP(field) trod_compare(a->field, b->field)
#define TROD_DOWN(field) trod_compare(b->field, a->field)
#define TROD_ALPHABETIC(field) strcmp(a->field, b->field)

#define TROD_ORDER_TERMS(t1, t2, t3, t4, t5, t6, t7, t8, pick, ...) pick
#define TROD_ORDER_1(term) (term)
#define TROD_ORDER_2(term, ...) (term) ?: TROD_ORDER_1(__VA_ARGS__)
#define TROD_ORDER_3(term, ...) (term) ?: TROD_ORDER_2(__VA_ARGS__)
#define TROD_ORDER_4(term, ...) (term) ?: TROD_ORDER_3(__VA_ARGS__)
#define TROD_ORDER_5(term, ...) (term) ?: TROD_ORDER_4(__VA_ARGS__)
#define TROD_ORDER_6(term, ...) (term) ?: TROD_ORDER_5(__VA_ARGS__)
#define TROD_ORDER_7(term, ...) (term) ?: TROD_ORDER_6(__VA_ARGS__)
#define TROD_ORDER_8(term, ...) (term) ?: TROD_ORDER_7(__VA_ARGS__)

/* Sort an array by a comparator. It may be empty, and NULL then; count is evaluated twice. */
#define trod_sort(items, count, by) \
    ((count) ? qsort((items), (count), sizeof *(items), (by)) : (void)0)

/* --- searches ------------------------------------------------------------- */

/* The lower bound: the smallest i of low..high - 1 for which `below`, an expression in i, is false; high if there is none.
 * An upper bound has `<=` where a lower bound has `<`.
 *
 *     size_t at = TROD_LOWER_BOUND(i, 0, count, entry[i].line < line);
 *
 * needs:  where `below` holds for some i, it holds for all that are less
 * cost:   O(log(high - low)) evaluations of `below`
 */
#define TROD_LOWER_BOUND(i, low, high, below)     \
    __extension__({                               \
        size_t low_ = (low), high_ = (high);      \
                                                  \
        while (low_ < high_) {                    \
            size_t i = low_ + (high_ - low_) / 2; \
                                                  \
            if (below)                            \
                low_ = (i) + 1;                   \
            else                                  \
                high_ = (i);                      \
        }                                         \
        low_;                                     \
    })

#endif
