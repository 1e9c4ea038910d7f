#!/bin/sh
# Segments: statuses, pipes, and JSON that parses.
# shellcheck disable=SC2016 # Perl stands in single quotes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

printf 'wpp thread\n( main:0 ( f:1 ) main:2 ( f:1 ( g:3 ) f:4 ) main:5 )\n' >thread.wpp
printf 'wpp bad\n( main:0 ) )\n' >bad.wpp
mkdir folder

exits 0 "done" trod calls segments thread.wpp
exits 0 "done, with a check" trod calls segments --check --depth=3 thread.wpp
exits 2 "an unknown option" trod calls segments --frobnicate thread.wpp
exits 2 "depth 0" trod calls segments --depth=0 thread.wpp
exits 2 "a depth that is not a number" trod calls segments --depth=deep thread.wpp
exits 3 "bad input" trod calls segments bad.wpp
exits 3 "an empty input" trod calls segments /dev/null
exits 5 "a missing file" trod calls segments missing.wpp
exits 3 "a folder without profiles" trod calls segments folder
exits 5 "an output in a missing folder" trod calls segments thread.wpp -o missing/out

like "$(trod calls segments bad.wpp 2>&1)" "^trod: bad.wpp:2: step 4: a return closes no call" \
    "what no thread can have done is named, with its place"
like "$(trod calls segments --depth=0 thread.wpp 2>&1)" "'0' is not a positive whole number" "depth 0: why not"
like "$(trod calls segments /dev/null 2>&1)" "begin with 'wpp NAME'" "an empty input: how to begin"

is "$(trod calls segments <thread.wpp)" "$(trod calls segments thread.wpp)" "standard input"
is "$(trod calls segments --depth=2 thread.wpp | trod calls segments)" "$(trod calls segments --depth=2 thread.wpp)" \
    "segments that are read are printed as they are"
is "$(trod calls segments --depth=18446744073709551615 thread.wpp | sed -n 2p)" \
    "1 main:0 ( f:1 ) main:2 ( f:1 ( g:3 ) f:4 ) main:5" "a depth beyond all calls"

if perl -MJSON::PP -e 1 2>/dev/null; then
    query() { perl -MJSON::PP -e 'local $/; $_ = decode_json(<STDIN>); print '"$1"; }

    trod calls segments --json thread.wpp >out
    is "$(query '"$_->{trod} $_->{version}"' <out)" "calls segments 1" "JSON parses"
    is "$(query '$_->{wpps}[0]{depth}' <out)" 1 "the depth"
    is "$(query 'join " ", map { ref $_ ? "$_->{function}:$_->{subpath}" : $_ }
        @{$_->{wpps}[0]{segments}[0]{steps}}' <out)" "main:0 call f:1 return main:2" "steps"
else
    skip "JSON" "perl has no JSON::PP"
fi

# A function all of whose paths are listed: with --others, and a plan that keeps others apart, they are counted all the
# same.
cat >calls.c <<'END'
#include <stdio.h>

__attribute__((noinline)) static int twice(int x) { return 2 * x; }
__attribute__((noinline)) static int next(int x) { return twice(x) + 1; }

int main(void)
{
    int n = 0;

    for (int i = 0; i < 5; i++)
        n += next(i);
    printf("%d\n", n);
    return 0;
}
END
trod cc --wpp -O1 calls.c -o noted && TROD_OUT=noted.trod ./noted >out
trod calls segments --quiet --depth=2 noted.trod >list.segments
next_of() { grep -o '^[0-9]* next:0 ( twice:0 ) next:1$' "$1"; }
for plan in all preferential hash; do
    trod cc --segments=list.segments --others --plan="$plan" -O1 calls.c -o counted &&
        TROD_OUT="$plan.trod" ./counted >out
    trod calls segments --quiet --depth=2 "$plan.trod" >out
    is "$(next_of out)" "$(next_of list.segments)" "every path is listed, and counted by $plan"
done
like "$(next_of list.segments)" "^5 " "as often as it ran"

# A program and its library may have units of one name, as all that are instrumented at the link, with functions of one name.
mkdir program library
cat >program/part.c <<'END'
#include <stdio.h>

int outside(int x);
__attribute__((noinline, visibility("hidden"))) int same(int x) { return x > 2 ? x : 1; }
__attribute__((noinline, visibility("hidden"))) int inside(int x) { return same(x) + 1; }

int main(void)
{
    int n = 0;

    for (int i = 0; i < 5; i++)
        n += inside(i) + outside(i);
    printf("%d\n", n);
    return 0;
}
END
cat >library/part.c <<'END'
__attribute__((noinline, visibility("hidden"))) int same(int x) { return x > 3 ? x : x > 1 ? 7 : 2; }
int outside(int x) { return same(x) - 1; }
END
# build OPTION...: both, and run the program.
build()
{
    rm -rf out
    (cd library && trod cc "$@" -O1 -flto -fuse-ld=lld -fPIC -shared -Wl,-soname,part.so -o ../part.so part.c) &&
        (cd program && trod cc "$@" -O1 -flto -fuse-ld=lld -o ../app part.c ../part.so) && LD_LIBRARY_PATH=. TROD_OUT=out/%m.trod ./app >log
}
build --wpp
trod calls segments --quiet --depth=1 out/app.trod >app.segments
trod calls segments --quiet --depth=1 out/part.so.trod >part.segments
build --segments="$PWD/app.segments" --partial
like "$(trod calls segments --quiet --depth=1 --binary=app --binary=part.so out/*.trod)" '^5 inside:0 \( same:0 \) inside:1$' "segments of a program, beside a library with a unit and a function of the same names"
build --segments="$PWD/part.segments" --partial
like "$(trod calls segments --quiet --depth=1 --binary=app --binary=part.so out/*.trod)" '^4 outside:0 \( same:1 \) outside:1$' "and of the library"

done_testing
