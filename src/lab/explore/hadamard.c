#include "explore/explore.h"

#include <string.h>

/* Plackett and Burman's generators: each row is the previous one, rotated by one; the last row is all low. */
static const char *const first_row[] = {
    "+++-+--",
    "++-+++---+-",
    "++++-+-++--+---",
    "++--++++-+-+----++-",
    "+++++-+-++--++--+-+----",
};

static const char *known_row(uint32_t n)
{
    for (size_t i = 0; i < sizeof first_row / sizeof *first_row; i++)
        if (strlen(first_row[i]) == n - 1)
            return first_row[i];
    return NULL;
}

static void turn(uint8_t *high, const char *row, uint32_t n)
{
    uint32_t m = n - 1;

    for (uint32_t r = 0; r < m; r++)
        for (uint32_t c = 0; c < m; c++)
            high[r * m + c] = row[(c + m - r) % m] == '+';
    memset(high + (size_t)m * m, 0, m);
}

static bool is_prime(uint32_t q)
{
    for (uint32_t d = 2; d * d <= q; d++)
        if (q % d == 0)
            return false;
    return q > 1;
}

/* The Legendre symbol of x modulo the prime q: 1 for a nonzero square, -1 for a non-square, 0 for 0. */
static int residue(uint32_t x, uint32_t q)
{
    if (x % q == 0)
        return 0;
    for (uint32_t y = 1; y <= q / 2; y++)
        if (y * y % q == x % q)
            return 1;
    return -1;
}

/* --- square matrices of +1 and -1 ----------------------------------------------------------- */

/* Paley's first construction: q + 1 rows, q = 3 modulo 4. */
static void paley_first(int8_t *h, uint32_t q)
{
    uint32_t n = q + 1;

    for (uint32_t r = 0; r < n; r++)
        for (uint32_t c = 0; c < n; c++) {
            int8_t *cell = &h[r * n + c];

            if (r == 0 || c == 0)
                *cell = (int8_t)(r == 0 ? 1 : -1);
            else if (r == c)
                *cell = 1;
            else
                *cell = (int8_t)residue(q + r - c, q);
        }
    h[0] = 1;
}

/* Paley's second construction: 2 (q + 1) rows, q = 1 modulo 4. Each entry of a symmetric conference
 * matrix becomes a 2-by-2 block. */
static void paley_second(int8_t *h, uint32_t q)
{
    static const int8_t zero[2][2] = {{1, -1}, {-1, -1}}, one[2][2] = {{1, 1}, {1, -1}};
    uint32_t n = 2 * (q + 1);

    for (uint32_t r = 0; r < n; r++)
        for (uint32_t c = 0; c < n; c++) {
            uint32_t i = r / 2, k = c / 2;
            int s = i == k ? 0 : i == 0 || k == 0 ? 1 : residue(q + i - k, q);

            h[r * n + c] = (int8_t)(s ? s * one[r % 2][c % 2] : zero[r % 2][c % 2]);
        }
}

static bool fill_square(int8_t *h, uint32_t n, struct trod_arena *mem);

/* Sylvester's construction. Recursion depth: how often n can be halved. */
static bool double_up(int8_t *h, uint32_t n, struct trod_arena *mem)
{
    uint32_t m = n / 2;
    int8_t *half = trod_new(mem, int8_t, (size_t)m *m);

    if (!fill_square(half, m, mem))
        return false;
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t c = 0; c < n; c++)
            h[r * n + c] = (int8_t)(r >= m && c >= m ? -half[(r - m) * m + c - m]
                                                     : half[r % m * m + c % m]);
    return true;
}

static bool fill_square(int8_t *h, uint32_t n, struct trod_arena *mem)
{
    if (n == 1) {
        h[0] = 1;
        return true;
    }
    if (n == 2)
        return double_up(h, n, mem);
    if (n % 4 != 0)
        return false;
    if (is_prime(n - 1))
        paley_first(h, n - 1);
    else if (is_prime(n / 2 - 1) && (n / 2 - 1) % 4 == 1)
        paley_second(h, n / 2 - 1);
    else
        return double_up(h, n, mem);
    return true;
}

/* Negate rows that begin with -1, then drop the first column. */
static void drop_first(uint8_t *high, const int8_t *h, uint32_t n)
{
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t c = 1; c < n; c++)
            high[r * (n - 1) + c - 1] = h[r * n + c] == h[(size_t)r * n];
}

bool trod_hadamard_fill(uint8_t *high, uint32_t n, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    const char *row;
    int8_t *h;
    bool known;

    if (n < 4 || n % 4 != 0 || n > TROD_BURMAN_MOST)
        return false;
    row = known_row(n);
    if (row) {
        turn(high, row, n);
        return true;
    }
    h = trod_new(mem, int8_t, (size_t)n *n);
    known = fill_square(h, n, mem);
    if (known)
        drop_first(high, h, n);
    trod_arena_rewind(mem, mark);
    return known;
}

bool trod_hadamard_check(const uint8_t *high, uint32_t nrow, uint32_t ncolumn)
{
    for (uint32_t a = 0; a < ncolumn; a++)
        for (uint32_t b = 0; b <= a; b++) {
            uint32_t same = 0, both = 0;

            for (uint32_t r = 0; r < nrow; r++) {
                const uint8_t *row = high + (size_t)r * ncolumn;

                same += !row[a] == !row[b];
                both += row[a] && row[b];
            }
            if (a == b ? 2 * both != nrow : 2 * same != nrow)
                return false;
        }
    return true;
}
