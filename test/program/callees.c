// modes: O1 O3 code lto
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

/* One call site with several callees; functions that the library calls back, which call back
 * themselves; a callee that is not instrumented.
 */

static int twice(int x)
{
    return 2 * x;
}

static int up(int x)
{
    if (x > 20)
        return x;
    return x + 1;
}

static int down(int x)
{
    int steps = 0;

    while (x > 0) {
        x -= 3;
        steps++;
    }
    return steps;
}

static int (*pick(int i))(int)
{
    switch (i % 4) {
    case 0:
        return twice;
    case 1:
        return up;
    case 2:
        return down;
    }
    return abs;
}

/* After the same call, more calls. */
static int both(int (*f)(int), int (*g)(int), int x)
{
    int y = f(x);

    if (y & 1)
        return g(y);
    return g(f(y));
}

static int apply(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += both(pick(i), pick(i / 2), i);
    return sum;
}

/* --- callbacks ----------------------------------------------------------------------- */

static int ncompare;

static int sign(int x)
{
    if (x < 0)
        return -1;
    return x > 0;
}

static int by_size(const void *a, const void *b)
{
    ncompare++;
    return sign(*(const int *)a - *(const int *)b);
}

static int by_digit(const void *a, const void *b)
{
    int x = *(const int *)a % 10, y = *(const int *)b % 10;

    return x == y ? by_size(a, b) : sign(x - y);
}

/* A comparison function that sorts. */
static int by_sorted(const void *a, const void *b)
{
    int x[3] = {3, *(const int *)a % 7, 1}, y[3] = {2, *(const int *)b % 7, 4};

    qsort(x, 3, sizeof *x, by_size);
    qsort(y, 3, sizeof *y, by_size);
    return x[1] == y[1] ? by_size(a, b) : sign(x[1] - y[1]);
}

static int sort(int (*by)(const void *, const void *))
{
    int a[] = {31, 4, 15, 92, 65, 35, 89, 79}, sum = 0, key = 15;

    qsort(a, 8, sizeof *a, by);
    for (int i = 0; i < 8; i++)
        sum = 3 * sum + a[i];
    if (by == by_size && bsearch(&key, a, 8, sizeof *a, by))
        sum++;
    return sum;
}

static void visit(const void *node, VISIT when, int depth)
{
    if (when == postorder || when == leaf)
        printf(" %d/%d", **(int *const *)node, depth);
}

static void walk(void)
{
    static int a[] = {5, 2, 8, 1, 9};
    void *root = NULL;

    for (int i = 0; i < 5; i++)
        tsearch(&a[i], &root, by_size);
    twalk(root, visit);
    puts("");
}

static void last_words(void)
{
    printf("%d\n", apply(3));
}

int main(void)
{
    atexit(last_words);
    printf("%d\n", apply(14));
    printf("%d %d", sort(by_size), sort(by_digit));
    printf(" %d %d\n", sort(by_sorted), ncompare);
    walk();
    return 0;
}
