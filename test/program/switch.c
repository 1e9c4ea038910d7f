// modes: O1 O3 code limit
#include <stdio.h>

/* Switches of every size: jump table, sparse, fallthrough, nested, default in the middle,
 * ranges, on 64 bits, and with nothing but a default.
 */

static int dense(int x)
{
    switch (x) {
    case 0:
        return 5;
    case 1:
        return x * 7;
    case 2:
    case 3:
        x += 2;
        break;
    case 4:
        x ^= 9;
        break;
    case 5:
        return -x;
    case 6:
        puts("six");
        break;
    case 7:
        return 70;
    }
    return x;
}

static int sparse(int x)
{
    switch (x) {
    case -1000000:
        return 1;
    case 3:
        return printf("three\n");
    case 77:
    case 7777:
        return 3;
    case 1 << 20:
        return 4;
    default:
        return 0;
    }
}

static int falls(int x)
{
    int sum = 0;

    switch (x) {
    case 3:
        sum += 100;
        /* fall through */
    case 2:
        sum += 10;
        if (x == 3)
            break;
        /* fall through */
    default:
        sum += 7;
        /* fall through */
    case 1:
        sum += 1;
        break;
    case 9:;
    }
    return sum;
}

static int nested(int x, int y)
{
    switch (x) {
    case 1:
        switch (y) {
        case 1:
            return 11;
        case 2:
            break;
        default:
            y = 3;
        }
        break;
    case 2:
        while (y--)
            switch (y & 3) {
            case 0:
                x += 2;
                continue;
            case 1:
                x++;
                break;
            case 3:
                return x;
            }
    }
    return x * 10 + y;
}

static const char *kind(unsigned char c)
{
    switch (c) {
    case '0' ... '9':
        return "digit";
    case 'a' ... 'z':
    case 'A' ... 'Z':
        return "letter";
    case ' ':
        return "blank";
    default:
        return "other";
    }
}

static int wide(unsigned long long x)
{
    switch (x) {
    case 1ull << 63:
        return 1;
    case 0x123456789abcdefull:
        return 2;
    }
    return 3;
}

static int only_default(int x)
{
    switch (x) {
    default:
        x++;
    }
    return x;
}

/* Duff's device: a switch into the middle of a loop. */
static int duff(int n)
{
    int sum = 0, turns = (n + 3) / 4;

    if (!n)
        return 0;
    switch (n % 4) {
    case 0:
        do {
            sum += 1;
        case 3:
            sum += 2;
        case 2:
            sum += 3;
        case 1:
            sum += 4;
        } while (--turns);
    }
    return sum;
}

int main(void)
{
    static const int odd[] = {-1000000, 3, 77, 7777, 1 << 20, 5};
    static const unsigned long long big[] = {1ull << 63, 0x123456789abcdefull, 4};

    for (int i = -2; i < 11; i++)
        printf(
            "%d %d %d %d\n", dense(i), falls(i), only_default(i), duff(i < 0 ? 0 : i));
    for (int i = 0; i < 6; i++)
        printf("%d\n", sparse(odd[i]));
    for (int i = 0; i < 9; i++)
        printf("%d\n", nested(i % 3, i));
    for (const char *p = "Ab 9~"; *p; p++)
        puts(kind((unsigned char)*p));
    for (int i = 0; i < 3; i++)
        printf("%d\n", wide(big[i]));
    return 0;
}
