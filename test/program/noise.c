// modes: O1 O3 code
#include <complex.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

/* Features that affect no decision but often expose compiler bugs: variable arrays, nested scopes,
 * bit fields, structures by value, labels as values, wide integers, floating point.
 */

struct pair {
    unsigned a : 3, b : 5;
    double d;
};

static struct pair swap(struct pair p)
{
    struct pair q = {.a = p.b & 7, .b = p.a, .d = -p.d};

    return p.d > 0 ? q : p;
}

static int variable(int n)
{
    int sum = 0;

    for (int i = 1; i < n; i++) {
        int a[i];

        memset(a, 0, sizeof a);
        for (int j = 0; j < i; j += 2)
            a[j] = j;
        for (int j = 0; j < i; j++) {
            if (a[j] == 4)
                goto next;
            sum += a[j];
        }
    next:;
    }
    return sum;
}

static int wide(unsigned __int128 x)
{
    int n = 0;

    while (x) {
        if (x % 10 == 7)
            n++;
        x /= 10;
    }
    return n;
}

static int mandelbrot(double re, double im)
{
    double complex c = re + im * I, z = 0;
    int n = 0;

    while (n < 20 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) {
        z = z * z + c;
        n++;
    }
    return n;
}

int main(void)
{
    struct pair p = {5, 9, 1.5};
    unsigned __int128 x = 7;

    p = swap(swap(p));
    printf("%d %d %g %d", p.a, p.b, p.d, variable(9));
    for (int i = 0; i < 5; i++)
        x = x * 1000007 + 7;
    printf(" %d", wide(x));
    for (int i = 0; i < 6; i++)
        printf(" %d", mandelbrot(-1.5 + i * 0.4, 0.3));
    puts("");
    return 0;
}
