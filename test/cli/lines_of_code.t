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
    is "$(count "width = 7")" 0 "$level: a jump to a label does not run the line before it"
    is "$(count "return 0;")" 0 "$level: leaving a loop does not run its last line"
    is "$(count "if (all")" 1 "$level: the first condition of several lines was evaluated, though the last was not"
    is "$(count "int other;")" - "$level: a line that only declares a variable has no code"
done
# Code of a line that became part of other code, or is gone, may have run: what is left of it does not say that the line
# did not.
cat >app.c <<'C'
static volatile int n, level;
__attribute__((noinline)) static void copy(int prefix, int offset)
{
    if (prefix == 1 || level >= 10) {
        if (offset >= 8) {
            n += 1;
            return;
        }
    }
    n += 2;
}
__attribute__((noinline)) static void never(int prefix, int offset)
{
    if (prefix < 0)
        if (level && (offset == 3 || level == 2))
            if (offset == 5)
                n += 3;
}
__attribute__((noinline)) static void known(int *to, int *from, int size)
{
    if (!to || !from || size < 0)
        return;
    if (level == 99) {
        if (to) /* it is */
            *to = 1;
        n += 4;
    }
}
int main(void)
{
    for (int i = 0; i < 20; i++)
        level = i, copy(0, i), never(i, i), known(&i, &i, i);
    return 0;
}
C
for level in -O0 -O1 -O2 -O3; do
    trod cc -w -g $level app.c -o app && rm -f app.trod && TROD_OUT=app.trod ./app
    if [ $level = -O0 ]; then want=10; else want=None; fi
    is "$(count "offset >= 8")" $want "$level: a condition that became part of another line's is not said not to have run"
    is "$(count "offset == 3")" 0 "$level: a condition that was not come to did not run"
    is "$(count "it is")" 0 "$level: nor did one that the optimizer knows by what was asked before"
    is "$(count "n += 1")" 10 "$level: what follows is counted"
done

cat >app.cpp <<'C'
static volatile int n;
template <bool trim> struct text {
    __attribute__((noinline)) static const char *parse(const char *s)
    {
        char first = *s;
        while (*s)
            s++;
        if (trim)
            n += first;
        return s;
    }
};
int main(int argc, char **)
{
    n += *text<false>::parse("abc");
    return argc > 5 ? *text<true>::parse("abc") : 0;
}
C
lines() { trod stage flow app.trod | sed -n '/^file/,$s/^\([59]: [0-9?]*\).*/\1/p'; }
for level in -O0 -O1 -O2 -O3; do
    trod c++ -w -g $level app.cpp -o app && rm -f app.trod && TROD_OUT=app.trod ./app
    if [ $level = -O0 ]; then want=1; else want='?'; fi
    is "$(lines)" "5: $want
9: 0" "$level: a line that one function of a template lost, and another did not run"
done
done_testing
