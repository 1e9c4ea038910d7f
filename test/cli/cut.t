#!/bin/sh
# A function with too many paths is cut: its paths end and begin in the middle of code without a loop, and reports say
# so.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'END'
#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;

int chain(int x)
{
    int n = 0;

    if (x & 1)
        n += 1;
    if (x & 2)
        n += 2;
    if (x & 4)
        n += 3;
    if (x & 8)
        n += 5;
    if (x & 16)
        n += 7;
    if (x & 32)
        n += 9;
    return n;
}

int turn(int x)
{
    int n = 0;

    for (int i = 0; i < x; i++) {
        if (i & 1)
            n += 1;
        if (i & 2)
            n += 2;
        if (i & 4)
            n += 3;
        if (i & 8)
            n += 5;
    }
    return n;
}

int jumps(int x)
{
    int n = x ? 2 : 1;

    if (!setjmp(env))
        n += 2;
    return n;
}

int main(int argc, char **argv)
{
    int sum = 0, most = argc > 1 ? 8 : 64;

    for (int i = 0; i < most; i++)
        sum += chain(i) + turn(i) + jumps(i);
    return sum == 0;
}
END

trod cc --limit=16 -g -O0 -o app app.c
TROD_OUT=app.trod ./app
all=$(trod report --brief --most=1000 app.trod)
of() { printf '%s\n' "$all" | grep " $1 ="; }

# A chain of conditions.
unlike "$(of chain)" 'loop|again' "code without a loop is printed without one"
like "$(of chain)" ' entry 10:T 12:T 14:T to 16 \(cut\)$' "a path ends at a cut"
like "$(of chain)" ' from 16 \(cut\) 16:F 18:F 20:F return 22$' "the next starts there"

# A loop whose body is cut: back edges and cuts are distinguished.
like "$(of turn)" ' loop 29 .* to 3[0-9] \(cut\)$' "a round of a loop that ends at a cut"
like "$(of turn)" ' from 3[0-9] \(cut\) .* again 29$' "from the cut to the next round"
unlike "$(of turn)" 'loop 3|again 3|from 29 ' "the head of the loop is the loop, all else the cut"
like "$(of main)" ' loop 55 55:T again 55$' "a loop that is not cut"
unlike "$(of main)" 'cut' "is printed without a cut"

# What may return more than once ends the path before it: no loop either.
unlike "$(of jumps)" 'loop|again' "a call that may return more than once is no loop"

# Every view that tells paths.
groups=$(trod report --brief --group=loop app.trod)
like "$groups" ' chain  from 16 \(cut\)  ' "where paths begin"
like "$groups" ' turn  loop 29  ' "and where loops do"
trod report --json --most=1000 app.trod >app.json
fields() { sed -n '/"function": "'"$1"'"/,/}/p' app.json | sed -n 's/^ *"\(starts\|ends\)": "\(.*\)",$/\1 \2/p' | sort -u | tr '\n' ' '; }
is "$(fields chain)" "ends cut ends return starts cut starts entry " "JSON: starts and ends, at cuts"
is "$(fields main)" "ends loop ends return starts entry starts loop " "JSON: starts and ends, in loops"
unlike "$(trod set list app.trod --json | sed -n '/"chain"/,/]/p')" 'loop|again' "list"
unlike "$(trod set list app.trod | sed -n '/^function chain/,/^function/p')" 'loop|again' "list as text"
like "$(trod export --to=csv app.trod | grep ',chain,')" ',cut,' "export: kind of a path"
unlike "$(trod export --to=csv app.trod | grep ',chain,')" 'loop|again' "export: its words"
unlike "$(trod export --to=json app.trod | sed -n '/"name": "chain"/,/}/p')" '"closes": true' "export: edges"
like "$(trod export --to=json app.trod)" '"closes": true' "export: edges of loops"
TROD_OUT=other.trod ./app few
moved=$(trod diff --brief --most=1000 app.trod other.trod | grep ' chain =')
like "$moved" ' from 16 \(cut\) ' "diff"
unlike "$moved" 'loop|again' "diff: no loop"
like "$(trod annotate --json app.trod)" '"ends": "cut"' "annotate"

# The page has it from the edges: 1 closes a loop, 3 is another cut.
trod html -q --json app.trod -o page.json
edges() {
    python3 -c "
import json, sys
for f in json.load(open('page.json'))['functions']:
    if f['name'] == sys.argv[1]:
        print(sorted({e[3] for e in f['edges'] if len(e) > 3 and e[3]}))" "$1"
}
is "$(edges chain) $(edges turn) $(edges main) $(edges jumps)" "[3] [1, 3] [1] [3]" "the page: which edges are cut, and why"

# Chains, and followed calls.
trod cc --iterations=2 --limit=16 -g -O0 -o rows app.c 2>/dev/null
TROD_OUT=rows.trod ./rows
unlike "$(trod report --brief --most=1000 rows.trod | grep ' chain =')" 'loop|again' "rounds"
like "$(trod report --brief --most=1000 rows.trod | grep ' chain =')" ' then from [0-9]+ \(cut\) ' "rounds: one path behind the other"
trod cc --subpaths --limit=16 -g -O0 -o sub app.c
TROD_OUT=sub.trod ./sub
unlike "$(trod report --brief --most=1000 sub.trod | grep ' chain =')" 'loop|again' "subpaths"
like "$(trod report --brief --most=1000 sub.trod | grep ' main =')" ' after chain .* calls ' "subpaths: calls stay calls"
trod cc --segments=sub.trod --limit=16 -g -O0 -o seg app.c 2>/dev/null
TROD_OUT=seg.trod ./seg
unlike "$(trod report --brief --most=1000 seg.trod | grep ' main =')" '(again|loop) (1[0-9]|2[0-4])' "followed calls"
done_testing
