// modes: O1 O3 code
#include <stdio.h>

/* Functions that call each other, in turn and in each other's arguments; small ones in loops. */

static int odd(unsigned n);

static int even(unsigned n)
{
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(unsigned n)
{
    return n == 0 ? 0 : even(n - 1);
}

/* A grammar: sum of products of digits and sums in parentheses. */
static const char *at;

static int sum(void);

static int factor(void)
{
    int value = 0;

    if (*at == '(') {
        at++;
        value = sum();
        at++;
        return value;
    }
    while (*at >= '0' && *at <= '9')
        value = 10 * value + *at++ - '0';
    return value;
}

static int product(void)
{
    int value = factor();

    while (*at == '*') {
        at++;
        value *= factor();
    }
    return value;
}

static int sum(void)
{
    int value = product();

    for (;;) {
        if (*at == '+') {
            at++;
            value += product();
        } else if (*at == '-') {
            at++;
            value -= product();
        } else {
            return value;
        }
    }
}

static int parse(const char *text)
{
    at = text;
    return sum();
}

/* Called by itself from two places, and from within its own argument. */
static int ninety_one(int n)
{
    return n > 100 ? n - 10 : ninety_one(ninety_one(n + 11));
}

int main(void)
{
    static const char *const text[] = {
        "1+2*3", "(1+2)*3", "2*(3-(4-5))*6", "((7))", "1-1-1-1", "12*12+(3*(4+5))"};

    for (unsigned i = 0; i < 6; i++)
        printf("%d %d\n", parse(text[i]), even(i) + 2 * odd(i));
    printf("%d %d\n", ninety_one(99), ninety_one(85));
    return 0;
}
