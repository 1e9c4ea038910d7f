// flags: -fexceptions
// modes: O1 code
#include <stdio.h>

/* Cleanup attributes, statement expressions, __builtin_unreachable, local labels. */

static int closed;

static void close_it(int *what)
{
    if (*what > 2)
        closed += *what;
    else
        closed++;
}

static int scopes(int n)
{
    __attribute__((cleanup(close_it))) int outer = n;

    for (int i = 0; i < n; i++) {
        __attribute__((cleanup(close_it))) int inner = i;

        if (inner == 2)
            continue;
        if (inner == 4)
            return closed;
        if (inner == 5)
            break;
    }
    return outer;
}

static int expression(int n)
{
    int x = ({
        int y = 0;
        while (y * y < n)
            y++;
        y > 2 ? y : -y;
    });

    return x;
}

static int narrowed(unsigned n)
{
    switch (n & 3) {
    case 0:
        return 1;
    case 1:
        return 5;
    case 2:
        return 7;
    case 3:
        return 11;
    default:
        __builtin_unreachable();
    }
}

int main(void)
{
    for (int i = 0; i < 8; i++)
        printf("%d %d %d\n", scopes(i), expression(i), narrowed((unsigned)i * 3));
    printf("%d\n", closed);
    return 0;
}
