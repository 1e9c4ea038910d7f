#!/bin/sh
# Chains (--iterations): what is counted, what every command prints for it, and what is refused.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >walk.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>

int slow, fast;

int walk(const char *s)
{
    int n = 0;

    for (; *s; s++) {
        if (*s == 'x')
            slow++;
        else
            fast++;
        n++;
    }
    return n;
}

int main(int argc, char **argv)
{
    int n = 0;

    for (int i = 1; i < argc; i++)
        n += walk(argv[i]);
    printf("%d %d %d\n", n, slow, fast);
    return 0;
}
EOF
flags='-O2 -g -fno-inline'

fresh() { rm -f walk.*.trod; }

# rows FILE...: the chains of walk with their counts, and nothing else, in a fixed order.
rows() { trod report --brief --exact --quiet --function=walk --most=1000 "$@" | sed -n 's/^ *[0-9.]*% *[0-9.]*% *\([0-9]*\)  walk =[0-9]*  /\1 /p' | LC_ALL=C sort; }

# --- two rounds ------------------------------------------------------------------------
# shellcheck disable=SC2086
ok "a program is compiled" trod cc --iterations=2 --out=walk.%p.trod $flags -o walk walk.c
is "$(./walk xxaax a '')" "6 3 3" "and does what it did"
cat >want <<'EOF'
1 [loop 10 10:T 11:F] x2 again 10
1 entry 10:F return 17
1 entry 10:T 11:F again 10
1 entry 10:T 11:F then loop 10 10:F return 17
1 entry 10:T 11:T again 10
1 entry 10:T 11:T then loop 10 10:T 11:T again 10
1 loop 10 10:T 11:F then loop 10 10:T 11:T again 10
1 loop 10 10:T 11:T then loop 10 10:F return 17
1 loop 10 10:T 11:T then loop 10 10:T 11:F again 10
EOF
is "$(rows walk.*.trod)" "$(cat want)" "every window is there, printed path by path"
like "$(trod show walk.*.trod)" "^module .* iterations2" "the profile has a mode of its own"
like "$(trod set list walk.*.trod)" "^list iterations2" "and so have lists"
like "$(trod set list walk.*.trod)" "then loop 10 10:F return 17$" "which tell chains in comments"
like "$(trod coverage --function=walk walk.*.trod)" "^# ran: 9 of 15 paths " "coverage knows what the graph allows"
like "$(trod coverage --brief --function=walk --missing=100 walk.*.trod)" "walk =[0-9]*  entry 10:T 11:F then loop 10 10:T 11:F again 10" "and what never came in a row"
like "$(trod report --json walk.*.trod)" '"blocks": *"> [^"]* then > ' "for scripts too"
like "$(trod report --brief --exact --sort=weight --group=function walk.*.trod)" " walk  walk.c" "groups are of functions, as ever"
ok "the profile is sound" trod check walk.*.trod
ok "and is packed" trod merge -o packed.trod walk.*.trod
is "$(rows packed.trod)" "$(cat want)" "which changes nothing"

# --- compared -----------------------------------------------------------------------------
mv packed.trod tests.trod
rm -f walk.*.trod
./walk xxaaxx >out
trod untested --brief --function=walk --tested=tests.trod walk.*.trod >said 2>&1
is "$?" 1 "what no test took in a row is found"
like "$(cat said)" "\[loop 10 10:T 11:T\] x2 again 10" "slow behind slow"
like "$(cat said)" "^ *no test took in succession: the last 2$" "with the reason"
like "$(cat said)" "^#   1 new chains only: each path was tested" "and summed up"
like "$(trod untested --quiet --json --tested=tests.trod walk.*.trod 2>&1)" '"row": *2' "for scripts too"
like "$(trod diff --brief tests.trod walk.*.trod)" "walk =[0-9]*  .* then loop" "a difference is printed path by path"
like "$(trod tests tests.trod walk.*.trod)" "tests.trod" "tests are ranked"

# --- too many for a counter each ---------------------------------------------------------------
fresh
# shellcheck disable=SC2086
trod cc --iterations=2 --limit=6 --explain --out=walk.%p.trod $flags -o walk walk.c 2>said
like "$(cat said)" "^trod: walk: 6 paths, chains of 2, recorded in a table$" "what is done is explained"
./walk xxaax a '' >out
is "$(rows walk.*.trod)" "$(cat want)" "chains that are noted are the same"
fresh
# shellcheck disable=SC2086
trod cc --iterations=3 --explain --out=walk.%p.trod $flags -o walk walk.c 2>said
like "$(cat said)" "^trod: walk: 6 paths, chains of 3, a counter for each chain$" "three are as well"
./walk xxaax a '' >out
like "$(rows walk.*.trod)" "^1 \[loop 10 10:T 11:F\] x2 then loop 10 10:T 11:T again 10" "and counted"
fresh

cat >many.c <<'EOF'
#include <stdio.h>

unsigned count[16];

int main(void)
{
    unsigned x = 1, sum = 0;

    for (int i = 0; i < 100000; i++) {
        x = x * 1664525 + 1013904223;
        for (int bit = 0; bit < 4; bit++)
            if (x >> (28 + bit) & 1)
                count[bit]++;
    }
    for (int i = 0; i < 16; i++)
        sum += count[i];
    printf("%u\n", sum);
    return 0;
}
EOF
trod cc --iterations=8 --explain --out=many.%p.trod -O0 -o many many.c 2>said
like "$(cat said)" "main: [0-9]* paths, chains of 8, recorded" "eight in a row"
./many >out
trod cc --out=plain.%p.trod -O0 -o plain many.c
./plain >out
total() { trod report --brief --exact --quiet "$@" | sed -n 's/.* that ran, \([0-9]*\) times.*/\1/p'; }
is "$(total many.*.trod)" "$(total plain.*.trod)" "as many chains end as paths"
# lasts FILE...: the last paths of chains with the counts of all their chains.
lasts()
{
    trod report --brief --exact --quiet --blocks --most=1000000 "$@" |
        sed -n 's/^ *[0-9.]*% *[0-9.]*% *\([0-9]*\)  main =[0-9]*  \(.* then \)*/\1 /p' |
        awk '{ n = $1; $1 = ""; count[$0] += n } END { for (p in count) print count[p] p }' | sort
}
is "$(lasts many.*.trod)" "$(lasts plain.*.trod)" "and their last paths are these paths"

cat >wide.c <<'EOF'
int f(unsigned x)
{
    int n = 0;

    for (; x; x >>= 1)
        if (x & 1)
            n++;
    return n;
}
int main(void) { return f(5) - 2; }
EOF
trod cc --iterations=4 --explain --limit=1000000 -O0 -c -o wide.o wide.c 2>said
like "$(cat said)" "main: 1 paths, counted without chains: no path follows another" "a function without a loop has paths"

# --- what does not go together -------------------------------------------------------------------
exits 2 "one round is none" trod cc --iterations=1 -c walk.c
exits 2 "nine are too many" trod cc --iterations=9 -c walk.c
exits 2 "a number is wanted" trod cc --iterations=two -c walk.c
exits 2 "chosen paths cannot be combined with it" trod cc --iterations=2 --paths=tests.trod -c walk.c
exits 2 "nor others than these" trod cc --iterations=2 --tested=tests.trod -c walk.c
exits 2 "optimised code has other rounds" trod cc --iterations=2 --at=code -c walk.c
exits 2 "plans are about some paths" trod cc --iterations=2 --plan=hash -c walk.c
exits 4 "a plain build does not know chains" trod cc --tested=tests.trod -c walk.c
# shellcheck disable=SC2086
trod cc --out=plain.%p.trod $flags -o plain walk.c
rm -f plain.*.trod
./plain xa >out
exits 4 "chains and paths are not added up" trod merge -o both.trod tests.trod plain.*.trod
exits 4 "nor compared" trod diff --brief tests.trod plain.*.trod
trod set list tests.trod >tests.list
exits 4 "nor shared" trod set partition --sites=2 tests.list
done_testing
