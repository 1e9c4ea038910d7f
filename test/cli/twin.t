#!/bin/sh
# Code that exists twice (--burst, --online): where control never comes back from the slow copy, the fast copy is the code
# of the plain build after a check of two instructions, and the slow copy is a function of its own.
# shellcheck disable=SC2317 # Functions are called by the kit.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

case $(uname -m) in
x86_64) ;;
*) skip_all 'instructions of x86-64 are compared' ;;
esac

cat >leaf.c <<'END'
void spread(int *p, int a, long b, int c)
{
    if (p[a] > c)
        p[b] = a;
    if (a < c)
        p[b + 1] = c;
}
int seventh(int a, int b, int c, int d, int e, int f, int g)
{
    return a > b ? c * d : e + f / g;
}
END
cat >caller.c <<'END'
int first(int x);
int second(const char *s, int x);
int both(const char *s, int x)
{
    int y = first(x);

    if (y > 3)
        y += second(s, x + y);
    return second(s + 1, y);
}
END

# code FILE FUNCTION: its instructions, without the names of places. Registers may be others.
code() {
    sed -n "/^$2:/,/^\\.Lfunc_end/p" "$1" |
        sed -e 's/[[:space:]]*#.*//' -e '/^[^[:space:]]/d' -e '/^[[:space:]]*\./d' -e 's/\.LBB[0-9_]*/.LBB/' -e '/^[[:space:]]*$/d'
}

# unchecked FILE FUNCTION: the same without the check.
unchecked() { code "$1" "$2" | sed -e '/%fs:__trod_thread/d' -e '/^[[:space:]]*js[[:space:]]/d'; }
operations() { awk '{ print $1 }'; }

# What leads to the slow copy is at the end, out of the way.
same() {
    code plain.s "$1" | operations >want
    unchecked twin.s "$1" | operations | head -n "$(wc -l <want)" >got
    grep -q . want && diff want got >&2 && [ "$(code twin.s "$1" | grep -c '%fs:__trod_thread')" -eq 1 ] &&
        code twin.s "$1" | grep -q "j[ms]p*[[:space:]]*$1\\.slow"
}
has_slow() { code twin.s "$1.slow" | grep -q '__trod_'; }

clang-19 -O2 -S -o plain.s leaf.c
for way in burst online; do
    trod cc "--$way" -O2 -S -o twin.s leaf.c
    ok "$way: a leaf is the plain code after a check" same spread
    ok "$way: its slow copy is a function of its own" has_slow spread
done

is "$(grep -c '^seventh.slow:' twin.s)" 0 'arguments on the stack would have to be copied'

clang-19 -O2 -S -o plain.s caller.c
trod cc --burst -O2 -S -o twin.s caller.c
ok 'burst: a function with calls is the plain code after a check' same both
ok 'burst: its slow copy is a function of its own, too' has_slow both
trod cc --online -O2 -S -o twin.s caller.c
is "$(grep -c '^both.slow:' twin.s)" 0 'online: after a call, control may go to the slow copy'
trod cc --burst -O2 -fPIC -S -o twin.s leaf.c
is "$(grep -c '^spread.slow:' twin.s)" 0 'code for shared libraries looks up the state of the thread at its entry'

# After a loop that keeps its word in a register comes a check. Control must not come back from the slow copy before the
# word is written back: if it did, and the check had the same word, it would go back and forth for ever. One of sixteen
# checks has.
cat >words.c <<'END'
#include <stdio.h>

#define F(n)                                                                         \
    __attribute__((noinline)) static unsigned f##n(const unsigned char *p, int *out) \
    {                                                                                \
        unsigned sum = n;                                                            \
        do                                                                           \
            sum = sum * 31 + *p++;                                                   \
        while (*p);                                                                  \
        if (sum & 1) out[0]++;                                                       \
        if (sum & 2) out[1] += out[0];                                               \
        if (sum & 4) out[2] ^= out[1];                                               \
        if (sum & 8) out[3]++;                                                       \
        if (sum & 16) out[4] += out[3];                                              \
        if (sum & 32) out[5] ^= out[4];                                              \
        if (sum & 64) out[6]++;                                                      \
        if (sum & 128) out[7] += out[6];                                             \
        return sum;                                                                  \
    }
#define CALL(n) sum += f##n((const unsigned char *)"some text" + i % 9, out);
#define TEN(of, n) of(n##0) of(n##1) of(n##2) of(n##3) of(n##4) of(n##5) of(n##6) of(n##7) of(n##8) of(n##9)
#define ALL(of) TEN(of, 1) TEN(of, 2) TEN(of, 3) TEN(of, 4) TEN(of, 5) TEN(of, 6) TEN(of, 7) TEN(of, 8)

ALL(F)

int main(void)
{
    int out[8] = {0};
    unsigned sum = 0;

    for (int i = 0; i < 2000; i++) {
        ALL(CALL)
    }
    printf("%u %d\n", sum, out[7]);
    return 0;
}
END
clang-19 -O1 -w -o plain words.c && ./plain >want
trod cc --online -O1 -w -o twin words.c
for f in never 1000; do
    TROD_OUT=words.trod TROD_ONLINE=f=$f timeout 60 ./twin >got
    is "$(cat got)" "$(cat want)" "f=$f: control comes out of the checks after loops"
done

# After a call into code that is not instrumented, whose callbacks are: a sample may have begun there. Control must then go
# on in the slow copy, although what comes next was moved before the check (an address on the stack).
cat >sorts.c <<'END'
#include <stdlib.h>

static int sign(int x)
{
    if (x < 0)
        return -1;
    return x > 0;
}
static int by_size(const void *a, const void *b)
{
    return sign(*(const int *)a - *(const int *)b);
}
static int by_middle(const void *a, const void *b)
{
    int x[3] = {3, *(const int *)a % 7, 1}, y[3] = {2, *(const int *)b % 7, 4};

    qsort(x, 3, sizeof *x, by_size);
    qsort(y, 3, sizeof *y, by_size);
    return x[1] == y[1] ? by_size(a, b) : sign(x[1] - y[1]);
}
int main(void)
{
    int a[40];

    for (int i = 0; i < 40; i++)
        a[i] = i * 7919 % 101;
    qsort(a, 40, sizeof *a, by_middle);
    return 0;
}
END
trod cc --online -O0 -g -o sorts sorts.c
# rows FILE: sequences of two blocks.
rows() { sed -n 's/^ *[0-9]* .*%  *2  \([a-z].*\)/\1/p' "$1" | sort -u; }
rm -f ./*.trod
trod sample subpaths --exact -q --lengths=2 --identity=sequence --blocks --most=10000 -o exact -- ./sorts
for seed in 1 2 3 4 5 6; do
    TROD_OUT=sorts.$seed.trod TROD_ONLINE=f=5,identity=sequence,lengths=2:1,seed=$seed ./sorts
done
rows exact >ran
trod sample subpaths -q --blocks --most=10000 -o some sorts.*.trod
rows some >sampled
ok 'sequences of two blocks were sampled' test "$(wc -l <sampled)" -gt 5
is "$(comm -13 ran sampled)" '' 'none of them but what ran'

done_testing
