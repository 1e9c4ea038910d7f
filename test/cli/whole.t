#!/bin/sh
# trod cc --whole-program: a program of several files is instrumented when it is linked, however it is built, and what cannot be part
# of such a build is refused.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

[ "$TROD_CONFIG" = release ] || skip_all "the plugin and the driver are the same in every configuration"
command -v ld.lld-19 >lld.path || skip_all "lld-19 is not installed"

mkdir -p lib app
cat >lib/step.c <<'C'
static int leaf(int x)
{
    if (x == 5)
        return 7;
    return 1;
}
int step(int x)
{
    return x > 3 ? leaf(x) : 2 * leaf(x + 1);
}
C
cat >app/main.c <<'C'
#include <stdio.h>
int step(int x);
static int leaf(int x)
{
    return x > 2 ? x : -x;
}
int main(void)
{
    int sum = 0;

    for (int i = 0; i < 6; i++)
        sum += i & 1 ? step(i) : leaf(i);
    printf("%d\n", sum);
    return 0;
}
C

# ran PROGRAM: run it, and print its segments, sorted.
ran()
{
    rm -f x.trod
    TROD_OUT=x.trod "./$1" >printed && trod calls segments -q x.trod >x.segments && grep '^[0-9]' x.segments | sort
}
want='1 main:1 ( leaf:0 ) main:7
1 main:3 ( step:0 )
1 step:0 ( leaf.3:0 ) step:2
2 main:3 ( step:1 )
2 main:4 ( leaf:0 ) main:7
2 step:1 ( leaf.3:1 ) step:3'

trod cc --whole-program --wpp -O2 -o wpp app/main.c lib/step.c
is "$(ran wpp)" "$want" "recorded: segments cross files"
cp x.segments list

# --- however it is built ------------------------------------------------------------------------

count="--whole-program --segments=$PWD/list"
# Options are words.
# shellcheck disable=SC2086
trod cc $count -O2 -o once app/main.c lib/step.c
is "$(ran once)" "$want" "counted: the same, in one command"
# apart OPTION...: objects one by one, in their own folders. A file's name is a part of what its local functions are.
apart()
{
    (cd lib && trod cc --whole-program "$@" -O2 -g -c step.c -o ../step.o) &&
        (cd app && trod cc --whole-program "$@" -O2 -g -c main.c -o ../main.o)
}
apart --wpp && trod cc --whole-program --wpp main.o step.o -o wpp
is "$(ran wpp)" "$want" "recorded: one by one, in other folders, linked without a level"
cp x.segments apart.list
apart --segments="$PWD/apart.list" && trod cc --whole-program --segments=apart.list main.o step.o -o apart
is "$(ran apart)" "$want" "counted: one by one"
llvm-ar-19 rc libstep.a step.o
trod cc --whole-program --segments=apart.list -O2 main.o -L. -lstep -o archive
is "$(ran archive)" "$want" "from an archive"
for lto in -flto -flto=thin; do
    trod cc --segments=list -O2 $lto -fuse-ld=lld -o lto app/main.c lib/step.c
    is "$(ran lto)" "$want" "$lto implies it"
done
like "$(trod report -q --brief x.trod)" 'step =[0-9]*  entry 9:F leaf[(] 3:F [)] return 9' "reports name functions as the source does"
like "$(trod report -q x.trod)" 'step  lib/step.c:7' "and their files"
unlike "$(trod cc --segments=list --explain -O2 -flto -fuse-ld=lld -o lto app/main.c lib/step.c 2>&1)" 'not followed' "every call is followed"
like "$(trod cc --segments=list --explain -O2 -o one app/main.c lib/step.c 2>&1)" 'the call of step .*not followed' \
    "without it, not those into another file"

# All paths, as without.
paths()
{
    trod report -q --json --all-paths --most=100 "$@" | python3 -c '
import json, sys
for row in sorted((r.get("demangled", r["function"]), r["file"], r["id"], r["count"]) for r in json.load(sys.stdin)["report"]["hot"]):
    print(*row)'
}
trod cc -O2 -g -o plain app/main.c lib/step.c
trod cc --whole-program -O2 -g -o whole app/main.c lib/step.c
is "$(TROD_OUT=whole.trod ./whole)" "$(TROD_OUT=plain.trod ./plain)" "it prints the same"
is "$(paths whole.trod)" "$(paths plain.trod)" "all paths: those of a build file by file"

# A library and a program, each a whole.
trod cc --whole-program -O2 -g -fPIC -shared -o libstep.so lib/step.c
trod cc --whole-program -O2 -g -o dynamic app/main.c -L. -lstep -Wl,-rpath,"$PWD"
TROD_OUT=z.%m.trod ./dynamic >printed
is "$(find . -name 'z.*.trod' | wc -l)" 2 "a library and a program have a profile each"
is "$(paths z.*.trod)" "$(paths plain.trod)" "and all paths are there"

# trod calls residual builds three times; the tests never make step() decide otherwise.
cat >app/some.c <<'C'
#include <stdlib.h>
int step(int x);
int main(int argc, char **argv)
{
    int sum = 0;

    for (int i = 0; i < atoi(argv[argc - 1]); i++)
        sum += i & 1 ? step(i) : 1;
    return sum > 100;
}
C
residual()
{
    # The shell that runs the command expands it.
    # shellcheck disable=SC2016
    trod calls residual --build='$CC '"$1"' -O2 -g -o some app/some.c lib/step.c' --test='./some 3' --field='./some 7' >residual.out
    echo $?
    cat residual.out
}
like "$(residual -flto)" '^1$' "untested paths across files"
like "$(cat residual.out)" 'followed, 1 deep: 2; not followed: 0' "every call is followed in a residual build"
like "$(cat residual.out)" 'calls step:' "and what was untested in it is shown"
like "$(residual '')" 'followed, 1 deep: 1; not followed: 1' "without -flto, not the one into another file"

# --- what is refused ------------------------------------------------------------------------------

refuse()
{
    name=$1 pattern=$2
    shift 2
    exits 2 "$name is refused" "$@"
    like "$("$@" 2>&1)" "$pattern" "$name: the message says why"
}
refuse "a sanitizer" 'cannot be combined with -fsanitize=' trod cc --whole-program -fsanitize=address -c lib/step.c
refuse "another linker" 'needs lld' trod cc --whole-program -fuse-ld=bfd -o x app/main.c lib/step.c
refuse "-r" 'cannot be combined with -r' trod cc --whole-program -r -o x.o app/main.c lib/step.c
refuse "--counters" 'cannot be combined with' trod cc --whole-program --counters -c lib/step.c
command -v clang-16 >clang.path && refuse "clang 16" 'needs clang 19' env TROD_CLANG=clang-16 trod cc --whole-program -c lib/step.c
done_testing
