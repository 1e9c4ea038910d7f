// modes: O1 O3 code limit
#include <stdio.h>
#include <string.h>

static int word(const char *s)
{
    if (!strcmp(s, "alpha"))
        return 1;
    else if (!strcmp(s, "beta"))
        return 2;
    else if (!strcmp(s, "gamma"))
        return 3;
    else if (!strcmp(s, "delta"))
        return 4;
    else if (s[0] == 'e') {
        if (s[1] == 'p')
            return 5;
        else if (s[1] == 't')
            return 6;
        else
            return 7;
    } else if (s[0] >= 'x')
        return 8;
    return 0;
}

static int grade(int points)
{
    int g;

    if (points > 90)
        g = 'A';
    else if (points > 80)
        g = 'B';
    else if (points > 70)
        g = 'C';
    else if (points > 60)
        g = 'D';
    else
        g = 'F';
    return g;
}

/* Independent decisions: 2^6 paths. */
static int flags(int x)
{
    int n = 0;

    if (x & 1)
        n += 3;
    if (x & 2)
        n ^= 5;
    if (x & 4)
        n *= 2;
    if (x & 8)
        n -= 7;
    if (x & 16)
        n |= 64;
    if (x & 32)
        n = -n;
    return n;
}

int main(void)
{
    static const char *const words[] = {
        "alpha", "beta", "gamma", "delta", "epsilon", "eta", "else", "zeta", "iota"};

    for (int i = 0; i < 9; i++)
        printf("%d ", word(words[i]));
    for (int i = 50; i < 100; i += 7)
        printf("%c", grade(i));
    for (int i = 0; i < 200; i += 3)
        printf(" %d", flags(i));
    puts("");
    return 0;
}
