#!/bin/sh
# trod flow: how often blocks, edges and lines ran, as paths tell it.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >part.h <<'C'
static inline int sign(int x)
{
    return x < 0 ? -1 : x > 0;
}
C
mkdir -p one two
for d in one two; do
    printf '#include "../part.h"\nint %s(int i)\n{\n    return sign(i) * %s0;\n}\n' "$d" 1 >"$d/same.c"
done
cat >main.c <<'C'
#include <stdlib.h>
int one(int), two(int);
int never(int x)
{
    return x ? 1 : 2;
}
int main(int argc, char **argv)
{
    int sum = 0;

    for (int i = 0; i < 7; i++)
        if (i % 3)
            sum += one(i);
        else
            sum += two(-i);
    if (argc > 1)
        exit(3);
    return sum == 12345;
}
C
trod="$root/build/release/trod"
(cd one && $trod cc -g -c -o ../one.o same.c)
(cd two && $trod cc -g -c -o ../two.o same.c)
$trod cc -g -o app main.c one.o two.o
TROD_OUT=app.trod ./app

flow=$(trod flow --check app.trod)
like "$flow" '^function main main.c 9$' "functions, and where they begin"
like "$flow" '^function never main.c 5$' "those that did not run, too"
is "$(echo "$flow" | sed -n '/^function never/,/^function/p' | sed -n 2p)" "entered 0" "which were not entered"
like "$flow" '^1[01]: 8 \(T 7, F 1\)$' "lines, with decisions"
like "$flow" '^12: 7 ' "what joins behind a condition is not on its line"
is "$(echo "$flow" | grep -c '^file same.c$')" 2 "files of one name in two folders are two"
like "$flow" '^3: 7 \(T 2, F 5\)$' "lines of a header are those of all copies"
is "$(trod flow --json app.trod | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["trod"], d["version"], d["exact"])
print(sorted(f["path"].split("/")[-2] + "/" + f["path"].split("/")[-1] for f in d["files"] if f["file"] == "same.c"))
for f in d["functions"]:
    for b in f["blocks"]:
        if b["edges"] and sum(e["count"] for e in b["edges"]) != b["count"]:
            print("wrong", f["function"], b)
')" "flow 1 True
['one/same.c', 'two/same.c']" "JSON adds up"
is "$(trod flow -f never app.trod | grep -c '^function')" 1 "functions are chosen by name"

# Where it was left.
TROD_OUT=left.trod ./app now
like "$(trod flow --check left.trod)" '^# 1 activation of|^begun' "a function that was left is told"

# Some paths, and estimates.
printf 'list source\n' >none.list
$trod report --brief --list --most=1 -f main app.trod -o hot.list
$trod cc --paths=hot.list -g -o some main.c one/same.c two/same.c 2>err
TROD_OUT=some.trod ./some
like "$(trod flow --check some.trod)" '^partial$' "where only some paths are counted, it says so"

# Input.
exits 3 "no profile" trod flow main.c
exits 5 "no file" trod flow nothing.trod
exits 2 "no such option" trod flow --frobnicate app.trod
done_testing
