#!/bin/sh
# Decisions are printed as in the source: T where a condition is true as written, cases by their labels, loops by their
# statement.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

trod=${TROD:-trod}
cat >words.c <<'C'
#include <stdio.h>
#include <stdlib.h>

enum { C_NUMBER = 7, C_STRING };
#define NOT_BOTH(x, y) (!((x) && (y)))

static int seen;
static int see(int x)
{
    seen++;
    return x;
}

static int kind(int c)
{
    switch (c) {
    case 'a' ... 'c':
        return see(1);
    case C_STRING:
        return see(2);
    default:
        return see(3);
    }
}

int main(int argc, char **argv)
{
    int n = 0, sum = 0, flag = argc == 1;

    if (!argv[1])
        see(1);
    if (!(argc > 3))
        see(2);
    if (!(see(argc) && see(n)) || see(5))
        see(3);
    if (see(argc) && !(see(n) || see(0)))
        see(4);
    if (NOT_BOTH(see(argc), see(n)))
        see(5);
    while (see(n) < 3 && !see(0))
        n++;
    do
        sum += see(n);
    while (--n > 0);
    for (int i = 0; i < 5; i++)
        sum += kind(i + 'a');
    sum += !flag ? see(6) : see(7);
    sum += kind(C_STRING);
    printf("%d %d\n", sum, seen);
    return 0;
}
C
line() { grep -nF "$2" "$1" | head -1 | cut -d: -f1; }
# Counts of each decision of a line, in the order of the source.
decisions() { trod stage flow words.trod | sed -n "/^file/,\$s/^$(line "$1" "$2"): [0-9]* //p"; }

for level in -O0 -O1 -O2 -O3; do
    $trod cc -g $level -o words words.c
    rm -f words.trod
    TROD_OUT=words.trod ./words >plain
    is "$(cat plain)" "24 29" "$level: the program is the same"
    is "$(decisions words.c "if (!argv")" "(T 1, F 0)" "$level: if (!x) is true where its body runs"
    is "$(decisions words.c "if (!(argc")" "(T 1, F 0)" "$level: if (!(x > y))"
    is "$(decisions words.c "if (!(see")" "(T 1, F 0) (T 0, F 1) (T 0, F 0)" "$level: leaves of !(a && b) || c are their own"
    is "$(decisions words.c "if (see(argc) && !(")" "(T 1, F 0) (T 0, F 1) (T 0, F 1)" "$level: and of a && !(b || c)"
    like "$(decisions words.c "while (see(n)")" '^\(T 3, F 1\) \(T 3, F [01]\)$' "$level: while (a && !b)" # -O0 has the whole, not !b
    is "$(decisions words.c "while (--n")" "(T 2, F 1)" "$level: do ... while"
    is "$(decisions words.c "for (int i")" "(T 5, F 1)" "$level: for"
    is "$(decisions words.c "sum += !flag")" "(T 0, F 1)" "$level: !x ? y : z"
    is "$(decisions words.c "switch (c)")" "(default 2, case 'a' ... 'c' 3, case C_STRING 1)" "$level: labels as they are written"
    like "$(trod report --brief -f main words.trod)" 'entry 30:T 32:T 34:T 34:F 36:T 36:F x2 38:' "$level: and so are paths"
    like "$(trod report --brief -f main words.trod)" 'loop 42 44:T again 42' "$level: a loop is on the line of its statement"
    like "$(trod export --to=lcov words.trod)" '^BRDA:30,0,0,1$' "$level: the first branch of lcov is the true one"
done
like "$(trod annotate -f main words.trod)" 'if \(!argv\[1\]\)  \[T 1, F 0\]' "annotate"
trod html -o words.html words.trod 2>/dev/null
like "$(python3 "$root/test/kit/page_walk.py" words.html '[x for f in d["functions"] if f["name"] == "main" for x in f["decisions"] if x[1] == 30]')" \
    "30, '(F', 'T|T', 'F)'" "the page has them, too"

# A branch that is not a decision of the source has no T and F.
$trod cc --at=code -g -O2 -o words words.c
rm -f words.trod
TROD_OUT=words.trod ./words >/dev/null
is "$(trod report --brief words.trod | grep -c '[0-9]:[TF] ')" 0 "in optimised code, unknown outcomes are not printed"

# C++.
cat >words.cc <<'C'
#include <cstdio>
#include <vector>
static int see(int x) { return x; }
int main(int argc, char **)
{
    std::vector<int> v{1, 2, 3};
    bool on = argc > 5;
    int sum = 0;
    for (int x : v)
        if (not(see(x) == 2 and not on)) [[likely]]
            sum += x;
    switch (on) {
    case true:
        sum++;
        break;
    case false:
        sum--;
    }
    if (__builtin_expect(!on, 0))
        see(1);
    std::printf("%d\n", sum);
}
C
for level in -O0 -O2; do
    $trod c++ -Wno-switch-bool -g $level -o words words.cc
    rm -f words.trod
    TROD_OUT=words.trod ./words >/dev/null
    is "$(decisions words.cc "for (int x" | grep -o '(T 3, F 1)')" "(T 3, F 1)" "$level: for over a range"
    like "$(decisions words.cc "if (not")" '\(T 1, F 2\) \(T 1, F 0\)' "$level: not, and"
    like "$(decisions words.cc "__builtin_expect")" 'T 1, F 0' "$level: an expected condition"
done

# The loop's own branch is on the value of all of its conditions, which a macro puts in one place.
cat >scan.c <<'C'
#define SCAN(x) while (*s && !(x)) s++
int main(void)
{
    const char *s = "ab?c?>";
    SCAN(s[0] == '?' && s[1] == '>');
    return *s != '?';
}
C
$trod cc -g -O0 -o scan scan.c && TROD_OUT=scan.trod ./scan
is "$($trod stage flow --json scan.trod | python3 -c '
import json, sys
for d in json.load(sys.stdin)["files"][0]["decisions"]:
    print(d["conditions"], *d["ways"])' | sort | tr '\n' ';')" "1 2 3;1 5 0;3 4 1;" "a branch on the value of && says how many conditions it is of"

# One side of ?: is a constant: the condition's outcomes are not those of the other side alone.
cat >settled.c <<'C'
static volatile int n, x = 1;
__attribute__((noinline)) static void check(int free)
{
    if (free == 0 ? x == 1 : 1) /* x is read only then */
        n++;
}
int main(void)
{
    for (int i = 0; i < 10; i++)
        check(i > 7);
    return 0;
}
C
for level in -O0 -O1 -O2; do
    $trod cc -g $level -o settled settled.c && rm -f words.trod && TROD_OUT=words.trod ./settled
    like "$(decisions settled.c "if (free")" '^\(T 8, F 2\) \(T 8, F 0, partly\)' "$level: ?: with a constant"
done
done_testing
