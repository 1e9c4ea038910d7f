#!/bin/sh
# trod stage flow: counts of blocks, edges and lines, from counts of paths.
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

flow=$(trod stage flow --check app.trod)
like "$flow" '^function main main.c 9$' "functions, and where they begin"
like "$flow" '^function never main.c 5$' "those that did not run, too"
is "$(echo "$flow" | sed -n '/^function never/,/^function/p' | sed -n 2p)" "entered 0" "which were not entered"
like "$flow" '^1[01]: 8 \(T 7, F 1\)$' "lines, with decisions"
like "$flow" '^12: 7 ' "what joins behind a condition is not on its line"
is "$(echo "$flow" | grep -c '^file "[a-z]*/same.c"$')" 2 "files of one name in two folders are two"
like "$flow" '^3: 7 \(T 2, F 5\)$' "lines of a header are those of all copies"
is "$(trod stage flow --json app.trod | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["trod"], d["version"], d["exact"])
print(sorted(f["path"].split("/")[-2] + "/" + f["path"].split("/")[-1] for f in d["files"] if f["file"].endswith("/same.c")))
for f in d["functions"]:
    for b in f["blocks"]:
        if b["edges"] and sum(e["count"] for e in b["edges"]) != b["count"]:
            print("wrong", f["function"], b)
')" "stage flow 1 True
['one/same.c', 'two/same.c']" "JSON adds up"
is "$(trod stage flow -f never app.trod | grep -c '^function')" 1 "functions are chosen by name"

# Where it was left.
TROD_OUT=left.trod ./app now
like "$(trod stage flow --check left.trod)" '^# 1 activation of|^begun' "an abandoned activation is reported"

# Unfinished paths. main notes where it is; of other functions the stack tells the block, and if several ways lead
# there, nobody knows which was gone.
mkdir unfinished
cat >unfinished/app.c <<'C'
#include <stdio.h>
#include <stdlib.h>
void end(int n);
void middle(int n)
{
    if (n > 1)
        puts("more");
    else
        puts("one");
    end(n);
    puts("never");
}
int main(int argc, char **argv)
{
    if (argc > 1)
        puts(argv[1]);
    middle(argc);
    return 0;
}
C
cat >unfinished/end.c <<'C'
#include <stdlib.h>
void end(int n) { exit(n - 1); }
C
$trod cc -O0 -g -o unfinished/app unfinished/app.c unfinished/end.c
TROD_OUT=unfinished.trod unfinished/app >out.txt
flow=$(trod stage flow --check unfinished.trod)
like "$flow" '^unfinished 1$' "how many paths are unfinished"
like "$flow" '^15: 1 \(T 0, F 1\)$' "main is exact: what it did"
like "$flow" '^16: 0$' "and what it did not"
like "$flow" '^6: 1 \(T \?, F \?\)$' "another function ran; which way it went is not known"
like "$flow" '^7: \?$' "nor whether a line on one of the ways ran"
like "$flow" '^10: 1$' "it came to the call"
like "$(trod annotate unfinished.trod)" '^ +\? +7 ' "annotate shows it"
like "$(trod annotate unfinished.trod)" '1 activation of middle did not finish \(exit, longjmp, exception, kill\)$' "and why"
is "$(trod stage flow --json unfinished.trod | python3 -c '
import json, sys
d = json.load(sys.stdin)
print([l["count"] for f in d["files"] for l in f["lines"] if l["line"] in (7, 9) and f["file"].endswith("app.c")])
')" '[None, None]' "in JSON it is null"
lcov=$(trod export -q --to=lcov unfinished.trod)
unlike "$lcov" '^DA:[79],' "lcov does not have it"
like "$lcov" '^DA:10,1$' "but what ran"
like "$lcov" '^FNDA:1,main$' "functions that did not finish ran"
like "$lcov" '^# 2 lines are omitted: unfinished paths may or may not have run them$' "and says so"
like "$(trod coverage unfinished.trod)" '3 of 3 functions' "coverage counts them"
like "$(trod coverage --sort=share unfinished.trod)" ' main  unfinished/app.c:[0-9]+  \(1 did not finish\)$' "and says which"
$trod merge -q -o twice.trod unfinished.trod unfinished.trod
like "$(trod stage flow twice.trod)" '^10: 2$' "merged profiles keep where functions stopped"
mv unfinished/app unfinished/moved
like "$(trod stage flow -q --binary=unfinished/moved unfinished.trod)" '^10: 1$' "a program that moved is found by --binary"

# Some paths, and estimates.
printf 'list source\n' >none.list
$trod report --brief --list --most=1 -f main app.trod -o hot.list
$trod cc --paths=hot.list -g -o some main.c one/same.c two/same.c 2>err
TROD_OUT=some.trod ./some
like "$(trod stage flow --check some.trod)" '^partial$' "where only some paths are counted, it says so"

# Input.
exits 3 "no profile" trod stage flow main.c
exits 5 "no file" trod stage flow nothing.trod
exits 2 "no such option" trod stage flow --frobnicate app.trod
done_testing
