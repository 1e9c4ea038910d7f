#include "llvm/port.h"

#include <stdlib.h>
#include <string.h>

/* What makes counts cheap can be left out, one by one: TROD_WITHOUT=bundles,loops. For bench/levers, which measures
 * what each saves, and for test/program/without.t: counts are the same whatever is left out.
 */

static const char *const name_of_lever[TROD_NLEVER] = {
    [TROD_LEVER_BUNDLES] = "bundles",
    [TROD_LEVER_SINGLES] = "singles",
    [TROD_LEVER_SUMS] = "sums",
    [TROD_LEVER_LOOPS] = "loops",
    [TROD_LEVER_ADDRESSES] = "addresses",
    [TROD_LEVER_LATE] = "late",
};

/* The words of the variable, separated by commas. */
static const char *next_word(const char **rest, size_t *length)
{
    const char *word = *rest;

    *length = strcspn(word, ",");
    *rest = word + *length + (word[*length] == ',');
    return word;
}

static bool is_word(const char *word, size_t length, enum trod_llvm_lever lever)
{
    return strlen(name_of_lever[lever]) == length &&
           memcmp(word, name_of_lever[lever], length) == 0;
}

bool trod_llvm_without(enum trod_llvm_lever lever)
{
    const char *rest = getenv("TROD_WITHOUT");

    while (rest && *rest) {
        size_t length;
        const char *word = next_word(&rest, &length);

        if (is_word(word, length, lever))
            return true;
    }
    return false;
}

void trod_llvm_check_levers(void)
{
    const char *rest = getenv("TROD_WITHOUT");
    struct trod_err err;

    while (rest && *rest) {
        size_t length;
        const char *word = next_word(&rest, &length);
        bool known = false;

        for (int k = 0; k < TROD_NLEVER; k++)
            known |= is_word(word, length, (enum trod_llvm_lever)k);
        if (known)
            continue;
        trod_err_set(&err, TROD_E_INPUT,
            "TROD_WITHOUT: \"%.*s\" cannot be left out; only bundles, singles, sums, "
            "loops, addresses, late",
            (int)length, word);
        trod_llvm_fail(&err);
    }
}
