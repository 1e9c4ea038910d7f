#include "cli.h"

#include <string.h>

enum { MOST_LETTERS = 64 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Damerau-Levenshtein distance: letters to insert, delete, replace, or swap with their neighbour.
 *
 * paper: Damerau, "A technique for computer detection and correction of spelling errors", CACM 1964
 */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[3][MOST_LETTERS + 1] = {{0}};
    size_t na = strlen(a), nb = strlen(b);

    if (na > MOST_LETTERS || nb > MOST_LETTERS)
        return UINT32_MAX;
    for (size_t j = 0; j <= nb; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        unsigned *now = row[i % 3], *one = row[(i + 2) % 3], *two = row[(i + 1) % 3];

        now[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            now[j] = least(
                least(one[j], now[j - 1]) + 1, one[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], two[j - 2] + 1);
        }
    }
    return row[na % 3][nb];
}

void cli_nearest_try(struct cli_nearest *nearest, const char *word)
{
    unsigned d = distance(nearest->typed, word);
    size_t n = strlen(nearest->typed);

    /* A prefix of a word is near it, whatever the length of the rest. */
    if (n >= 3 && strncmp(word, nearest->typed, n) == 0)
        d = 1;
    if (d > 1 + n / 4 || (nearest->word && d >= nearest->distance))
        return;
    nearest->word = word;
    nearest->distance = d;
}
