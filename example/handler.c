/* handler: a profiler of one's own, in bursts.
 *
 *     trod cc --burst=types=handler,rate=1000,burst=20 -O2 -o handler handler.c && ./handler [N]
 *
 * Two matrices are multiplied. The handler is shown one event of a thousand, twenty in a row, with all that is
 * loaded and stored there: it counts how often each matrix is touched, and how often that is in another line of the
 * cache than the last time. The other 999 events of 1000 cost a subtraction each.
 *
 * What it counts with must not be what the program is in the middle of: plain variables of a thread, no
 * malloc, no stdio. What it found is printed at the end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <trod/burst.h>

/* --- the handler ---------------------------------------------------------------------------------- */

enum { LINE = 64 };

static struct region {
    const char *name;
    const char *start, *end;
    uintptr_t line;          /* that was touched last */
    uint64_t touches, lines; /* estimates */
} regions[3];

static uint64_t entries, rounds, paths;

static void touch(const char *address, uint64_t weight)
{
    int i;

    for (i = 0; i < 3; i++) {
        struct region *r = regions + i;

        if (address < r->start || address >= r->end)
            continue;
        r->touches += weight;
        if ((uintptr_t)address / LINE != r->line)
            r->lines += weight;
        r->line = (uintptr_t)address / LINE;
    }
}

void trod_burst_handler(const struct trod_burst_event *event)
{
    switch (event->kind) {
    case TROD_HANDLER_ENTRY:
        entries += event->weight;
        break;
    case TROD_HANDLER_BACK:
        rounds += event->weight;
        break;
    case TROD_HANDLER_PATH:
        paths += event->weight;
        break;
    case TROD_HANDLER_REF:
        touch(event->of.ref.address, event->weight);
        break;
    default:
        break;
    }
}

/* --- the program ------------------------------------------------------------------------------------ */

static void note(int i, const char *name, const double *start, size_t n)
{
    regions[i].name = name;
    regions[i].start = (const char *)start;
    regions[i].end = (const char *)(start + n);
}

static double row_by_column(const double *a, const double *b, size_t n)
{
    double sum = 0;
    size_t k;

    for (k = 0; k < n; k++)
        sum += a[k] * b[k * n];
    return sum;
}

static void multiply(double *c, const double *a, const double *b, size_t n)
{
    size_t i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            c[i * n + j] = row_by_column(a + i * n, b + j, n);
}

/* At the end, and not in main: the compiler does not know that a handler is called, and takes what it writes
 * for unchanged within a function.
 */
static double cube;

static void tell(void)
{
    int i;

    printf("touches of a and b: %.0f each, in truth\n", cube);
    for (i = 0; i < 3; i++) {
        const struct region *r = regions + i;

        printf("%s: about %" PRIu64 " touches, %.0f%% of them in another line\n",
            r->name, r->touches,
            r->touches ? 100 * (double)r->lines / (double)r->touches : 0);
    }
    printf("entries and iterations: about %" PRIu64 "; paths: about %" PRIu64 "\n",
        entries + rounds, paths);
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 400, i;
    double *a = calloc(3 * n * n, sizeof *a);

    if (!a || atexit(tell))
        return 1;
    cube = (double)n * (double)n * (double)n;
    for (i = 0; i < 2 * n * n; i++)
        a[i] = (double)(i % 7);
    note(0, "a, by rows", a, n * n);
    note(1, "b, by columns", a + n * n, n * n);
    note(2, "c, the product", a + 2 * n * n, n * n);
    multiply(a + 2 * n * n, a, a + n * n, n);
    return a[2 * n * n] < 0;
}
