#!/bin/sh
# Text that a function includes, or that #line names, is reported in the file that it is in.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >ops.def <<'C'


case 1:
    if (x > 3)
        r += 2;
    break;
case 2:
    while (x-- > 0)
        r++;
    break;
C
# As yacc writes it: an action of parse.y, and back.
cat >app.c <<'C'
#include <stdio.h>
static int run(int op, int x)
{
    int r = 0;
    switch (op) {
#include "ops.def"
    default:
        r = -1;
    }
    return r;
}
static int parse(int x)
{
    int r = 0;
#line 40 "parse.y"
    if (!(x & 1) && x > 4)
        r = putchar(65);
#line 19 "app.c"
    if (x > 7)
        r++;
    return r;
}
int main(void)
{
    int s = 0;
    for (int i = 0; i < 10; i++)
        s += run(i % 3, i) + parse(i);
    printf("%d\n", s);
    return 0;
}
C
decisions() { # FILE
    trod stage flow --json app.trod | python3 -c '
import json, sys
for f in json.load(sys.stdin)["files"]:
    if f["path"].endswith("/" + sys.argv[1]):
        print(" ".join("%d:%s" % (d["line"], ",".join(map(str, d["ways"]))) for d in f["decisions"]))' "$1"
}
for level in -O0 -O1 -O2 -O3; do
    trod cc -g $level app.c -o app && rm -f app.trod && TROD_OUT=app.trod ./app >out
    is "$(decisions ops.def)" "4:2,1 8:15,3" "$level: decisions of included text are of its file"
    like "$(decisions parse.y)" "^40:(5,5 40:2,3|2,8)$" "$level: decisions behind #line are of the file it names"
    like "$(decisions app.c)" "^5:4,3,3 19:2,8 26:10,1$" "$level: and the rest of its own"
    like "$(trod report -q app.trod)" "^ +4  x > 3 +yes  \(ops.def\)" "$level: a path has its text, and names the file"
    like "$(trod report -q --brief app.trod)" "run .*ops.def:4:T" "$level: also in one line"
    unlike "$(trod report -q --brief app.trod)" "run .* 4:T" "$level: and does not take its lines for its own"
    like "$(trod export --to=lcov app.trod | sed -n '/ops.def/,/end_of/s/^DA://p' | tr '\n' ' ')" "^4,3 5,2 (6,3 )?8,18 9,15 (10,3 )?$" \
        "$level: lines of included text are of its file"
    ok "$level: the flow is sound" trod stage flow --check app.trod
    trod annotate app.trod | sed -n '/^ops.def$/,/^parse.y$/p' >included
    like "$(cat included)" "^[a-z ]+ 3 #* +4      if \(x > 3\)  \[T 2, F 1\]" "$level: annotate shows included text under its file, with counts and decisions"
    like "$(cat included)" "^   run, which includes this text: " "$level: and names the function that includes it"
    like "$(trod annotate app.trod | sed -n '/^# .*parse.y/,$p')" "block [0-9]+: line 40" "$level: text that cannot be read is blocks, with its own lines"
    is "$(trod annotate --file=ops.def app.trod | grep -c '^ops.def$')" 1 "$level: --file takes the name of an included file"
    is "$(trod annotate --json app.trod | python3 -c '
import json, sys
for f in json.load(sys.stdin)["files"]:
    if f["file"].endswith("ops.def"):
        print([x["function"] for x in f["functions"] if x.get("included")], [x["count"] for x in f["lines"] if x["line"] == 4])')" "['run'] [3]" "$level: so does --json"
done
done_testing
