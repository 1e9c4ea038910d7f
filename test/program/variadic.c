// modes: O1 code
#include <stdarg.h>
#include <stdio.h>

static double total(const char *types, ...)
{
    double sum = 0;
    va_list args;

    va_start(args, types);
    for (; *types; types++) {
        switch (*types) {
        case 'i':
            sum += va_arg(args, int);
            break;
        case 'd':
            sum += va_arg(args, double);
            break;
        case 's':
            sum += *va_arg(args, const char *);
            break;
        default:
            va_end(args);
            return -1;
        }
    }
    va_end(args);
    return sum;
}

static int most(int n, ...)
{
    va_list args, copy;
    int best = 0;

    va_start(args, n);
    va_copy(copy, args);
    while (n--) {
        int x = va_arg(args, int);

        if (x > best)
            best = x;
    }
    best += va_arg(copy, int);
    va_end(copy);
    va_end(args);
    return best;
}

int main(void)
{
    printf("%g %g %g %g\n", total(""), total("idd", 1, 2.5, 3.0),
        total("sis", "a", 2, "b"), total("ix", 1));
    printf("%d\n", most(5, 3, 9, 2, 11, 4));
    return 0;
}
