#!/bin/sh
# Which lines ran: only code of a line counts for it, at every level of optimisation.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'C'
#include <stdio.h>
static int width, depth;
static int *kept;
static void add(int t)
{
    switch (t) {
    case 1:
        goto more;
    case 2:
        width = 7;
    default:
    more:
        depth++;
    }
}
static int cross(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i * j > 1000)
                return 0;
    depth++;
    return 1;
}
static void flush(_Bool all,
    int tty, int *rest)
{
    if (all
        && (tty > 1
            || (rest && *rest > 4)))
        puts("flushed");
}
static int keep(int x)
{
    int slot;
    if (x < 0) {
        int other;
        kept = &other;
        scanf("%d", kept);
        return *kept;
    }
    slot = x;
    return slot;
}
int main(void)
{
    for (int i = 3; i < 9; i++)
        add(i);
    add(1);
    flush(0, 0, &width);
    return !cross(3) || keep(2) != 2;
}
C
count() { # TEXT: of the line that has it
    trod stage flow --json app.trod | python3 -c '
import json, sys
for f in json.load(sys.stdin)["files"]:
    if f["path"].endswith("/app.c"):
        print(" ".join(str(r["count"]) for r in f["lines"] if r["line"] == int(sys.argv[1])) or "-")' "$(grep -n "$1" app.c | cut -d: -f1)"
}
for level in -O0 -O1 -O2 -O3; do
    trod cc -w -g $level app.c -o app && rm -f app.trod && TROD_OUT=app.trod ./app >out
    is "$(count "width = 7")" 0 "$level: who comes to a label was not on the line before it"
    is "$(count "return 0;")" 0 "$level: who leaves a loop was not in its last line"
    is "$(count "if (all")" 1 "$level: the first condition of several lines was evaluated, though the last was not"
    is "$(count "int other;")" - "$level: a line that only declares a variable has no code"
done
done_testing
