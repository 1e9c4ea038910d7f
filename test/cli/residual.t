#!/bin/sh
# trod calls residual: three builds, and the paths across calls that production runs and no test does.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >price.c <<'C'
#include <stdio.h>
#include <stdlib.h>

static int kind(int age)
{
    if (age < 18)
        puts("young");
    else
        puts("old");
    return age % 7;
}

int price(int age, int member)
{
    int p = 100;

    if (member)
        p = 50 + p % 3;
    if (kind(age) == 2)
        p += 3;
    return p;
}

static int apply(int (*f)(int), int x)
{
    return f(x) + 1;
}

int main(int argc, char **argv)
{
    int sum = 0;

    for (int i = 1; i + 1 < argc; i += 2)
        sum += price(atoi(argv[i]), atoi(argv[i + 1]));
    sum += apply(kind, argc);
    printf("%d\n", sum);
    return argc > 8 ? 9 : 0;
}
C
TMPDIR=$PWD/tmp
export TMPDIR
mkdir tmp
trod="$root/build/release/trod"
# Tests: an old member, a young stranger. So each branch of price and of kind is tested, and each pair in main.
build="\$CC -O1 -g -o price price.c"
tests="./price 31 1 && ./price 10 0"

# --- what it finds ---------------------------------------------------------------------------------

"$trod" calls residual --brief --build="$build" --test="$tests" --field="./price 10 1" >said 2>talk.txt
is "$?" 1 "untested paths: status 1"
like "$(cat said)" '^ +1 +1  price =[0-9]+  entry 17:T kind\( 6:T \) .*return 21$' "a young member: no test has both"
like "$(cat said)" '^ +no test took together: 17:T, 6:T$' "decisions of two functions that were never together"
like "$(cat said)" '^# stage 3, production: [1-9][0-9]* untested paths, [1-9][0-9]* of them across calls, in 1 runs$' "are counted"
like "$(cat said)" '^# stage 1, subpaths: [1-9][0-9]* ran, of 4 functions, in 2 runs$' "stage 1: subpaths and runs"
like "$(cat said)" '^# stage 2, tests: [1-9][0-9]* paths, [1-9][0-9]* of them across calls, in 2 runs$' "stage 2: paths"
like "$(cat said)" '^#   call sites followed, 1 deep: 3; not followed: 1$' "stage 2: call sites"
like "$(cat said)" '^# +1  an indirect call; only whole program paths say of what$' "stage 2: why calls are left out"
is "$(cat talk.txt)" "trod: $(sed -n 's/^# stage 3, production: \([0-9]*\) .*/\1/p' said) paths ran in production and in no test" \
    "the answer is printed, and nothing else if stderr is not a terminal"
is "$(ls tmp)" "" "nothing is left"

like "$("$trod" calls residual --build="$build" --test="$tests" --field="./price 10 1" 2>talk.txt)" '^ +17 .*  <- never together$' \
    "without --brief, decisions are printed as their conditions"

# Paths of single functions: all of them are tested.
"$trod" cc -O1 -g -o plain price.c
TROD_OUT=a.trod ./plain 31 1 >out
TROD_OUT=b.trod ./plain 10 0 >out
TROD_OUT=field.trod ./plain 10 1 >out
exits 0 "paths that stay in their functions do not show it" trod untested --brief --tested=a.trod --tested=b.trod field.trod

"$trod" calls residual --build="$build" --test="$tests" --field="./price 31 1" >said 2>talk.txt
is "$?" 0 "what was tested is tested: status 0"
like "$(cat said)" '^# untested: 0 paths, 0 times, in 0 functions$' "and said to be"

"$trod" calls residual --brief --depth=2 --build="$build" --test="$tests" --field="./price 10 1" >said 2>talk.txt
is "$?" 1 "two calls deep"
like "$(cat said)" ' main =[0-9]+ .*price\( 17:T kind\( 6:T \) ' "main, price and kind in one path"
like "$(cat said)" 'call sites followed, 2 deep' "which is reported"

"$trod" calls residual --json --build="$build" --test="$tests" --field="./price 10 1" >said 2>talk.txt
is "$(python3 -c 'import json; d = json.load(open("said")); s = d["stages"]
print(d["trod"], d["version"], s["depth"], s["wpp"], s["runs"], s["test_runs"], s["field_runs"], s["sites"],
    s["untested"] == d["untested"]["paths"], sum(r["sites"] for r in s["left_out"]) == s["sites_left_out"])')" \
    "calls residual 1 1 False 2 2 1 3 True True" "JSON"

TROD_CC_OPTIONS=--skip=apply "$trod" calls residual --build="$build" --test="$tests" --field="./price 31 1" >said
like "$(cat said)" '^# stage 1, subpaths: .* of 3 functions' "options for the whole build hold, too"

"$trod" calls residual --build="$build" --test="$tests" --field="./price 31 1 1 1 1 1 1 1 >out" >said 2>talk.txt
like "$(cat talk.txt)" "^trod: note: './price .*' ended with status 9$" "a production run that fails is still reported"

# --- whole program paths -----------------------------------------------------------------------------

cat >apply.c <<'C'
#include <stdio.h>
#include <stdlib.h>

static int a(int x)
{
    if (x > 3)
        puts("a");
    return x;
}

static int b(int x)
{
    if (x > 3)
        puts("b");
    return x + 1;
}

static int apply(int (*f)(int), int x, int y)
{
    if (y)
        puts("y");
    return f(x) + 1;
}

int main(int argc, char **argv)
{
    return apply(argc > 3 ? a : b, argc > 1 ? atoi(argv[1]) : 0, argc > 2) == 99;
}
C
build_apply="\$CC -O1 -g -o apply apply.c"
tests_apply="./apply 1 && ./apply 5 1 && ./apply 1 1 1 && ./apply 4 2 1"
"$trod" calls residual --build="$build_apply" --test="$tests_apply" --field="./apply 5" >said 2>talk.txt
is "$?" 0 "subpaths do not say of what an indirect call is"
"$trod" calls residual --brief --with-wpp --keep=whole --build="$build_apply" --test="$tests_apply" --field="./apply 5" >said 2>talk.txt
is "$?" 1 "whole program paths do"
like "$(cat said)" ' apply =[0-9]+  entry 20:F b\( 13:T \) return 22$' "and what follows it is reported"
like "$(cat said)" '^# stage 1, whole program paths: [0-9]+ segments of depth 1 in 4 functions, 4 runs$' "stage 1: segments"
like "$(cat whole/tests.segments)" '^1 apply:[0-9]+ \( b:[0-9]+ \) apply:[0-9]+$' "which are kept"

"$trod" calls residual --with-wpp --build="$build_apply" --test="$tests_apply" --field="./apply 5 1" >said 2>talk.txt
is "$?" 0 "what was tested is tested"

# --- paths that end in a call ------------------------------------------------------------------------

cat >loop.c <<'C'
#include <stdio.h>

static int count(int n)
{
    int k = 0;

    while (n > 0) {
        if (n % 3)
            puts("three");
        n -= 2, k++;
    }
    return k;
}

int main(int argc, char **argv)
{
    (void)argv;
    return count(argc * 2) == 99;
}
C
"$trod" cc --subpaths -O1 -g -o loop loop.c
TROD_OUT=loop.trod ./loop 1 2 >out
"$trod" cc --segments=loop.trod -O1 -g -o loop loop.c
TROD_OUT=round.trod ./loop 1 2 >out
TROD_OUT=round.trod.two ./loop 1 >out
is "$(trod report --brief -f main round.trod round.trod.two | sed -n 's/.*  main =[0-9]*  //p' | sort)" \
    "after count 18 return 18
entry count( 7:T 8:F again 7
entry count( 7:T 8:T again 7" "an iteration that ends in a call is reported, and the decisions before it"

# --- how deep --------------------------------------------------------------------------------------

exits 2 "a depth of nothing" "$trod" cc --depth=2 -c price.c
exits 2 "no depth" "$trod" cc --segments=whole/tests.segments --depth=0 -c price.c
exits 2 "too much of it" "$trod" cc --segments=whole/tests.segments --depth=9 -c price.c
like "$("$trod" cc --segments=whole/tests.segments --depth=2 -O1 -g -c apply.c 2>&1)" \
    '^trod: segments have a depth of their own; remove --depth$' "segments have a depth of their own"

# --- what stays ------------------------------------------------------------------------------------

ok "without a field" "$trod" calls residual --keep=stages --build="$build" --test="$tests"
is "$(cd stages && echo *)" "1-build.log 1-run.log 2-build.log 2-run.log 3-build.log field subpaths subpaths.trod tests tests.trod" \
    "profiles and logs are kept"
is "$(grep -c young stages/2-run.log)" 3 "what commands print is in the logs"
mkdir sites
TROD_OUT='sites/%p.trod' ./price 10 1 >out
like "$(trod untested --brief --tested=stages/tests.trod sites/*.trod 2>talk.txt)" 'no test took together: 17:T, 6:T' \
    "the build reports production runs later"
"$trod" calls residual --keep=stages --build="$build" --test="./price 31 1" --field="./price 10 0" >said 2>talk.txt
like "$(cat said)" '^# stage 2, tests: .* in 1 runs$' "a folder that is used again forgets what was in it"
printf 'int main(void) { return 0; }\n' >one.c
"$trod" calls residual --build="\$CC -o one one.c" --test=./one --field=./one >said 2>talk.txt
is "$?" 0 "a program of one path"
like "$(cat talk.txt)" 'note: every path is tested' "has nothing to find in the field"

# --- what can go wrong -----------------------------------------------------------------------------

exits 2 "no build" trod calls residual --test=x --field=y
exits 2 "no tests" trod calls residual --build=x --field=y
exits 2 "neither a field nor a folder" trod calls residual --build=x --test=y
exits 2 "too deep" trod calls residual --depth=9 --build=x --test=y --field=z
exits 2 "a file" trod calls residual --build=x --test=y --field=z file
exits 5 "a folder that cannot be" trod calls residual --keep=price.c/x --build=x --test=y
exits 3 "a build that fails" trod calls residual --build="echo oops; exit 7" --test=y --field=z
said=$(trod calls residual --build="echo oops; exit 7" --test=y --field=z 2>&1)
like "$said" "^trod: stage 1 of 3, building: 'echo oops; exit 7' ended with status 7$" "is named, with its status"
like "$said" "^oops$" "and what it printed is shown"
said=$("$trod" calls residual --build="$build" --test="./price 1 1; kill -9 \$\$" --field=z 2>&1)
like "$said" "^trod: stage 1 of 3, testing: '.*' was killed by signal 9 [(]Killed[)]$" "tests that are killed"
said=$("$trod" calls residual --build="cc -o price price.c" --test=./price --field=z 2>&1)
like "$said" "^trod: stage 1 of 3, 'cc -o price price.c' compiled nothing with .CC .*make clean all CC=" "a build with another compiler"
said=$("$trod" calls residual --build="$build" --test=true --field=z 2>&1)
like "$said" "^trod: stage 1 of 3, 'true' wrote no profile; it must run what '.*' built" "tests that run something else"
rm price
said=$("$trod" calls residual --build="[ -e price ] || $build" --test="$tests" --field=z 2>&1)
like "$said" "^trod: stage 2 of 3, '.*' compiled nothing" "a build that finds nothing to do"
rm price
said=$("$trod" calls residual --build="[ -e price ] || $build; \$CC -O1 -g -c price.c" --test="$tests" --field=z 2>&1)
like "$said" "^trod: stage 2 of 3, .*/price counts paths in mode steps, not segments: .* did not rebuild it; .*make clean all" \
    "a build that does not link anew"
rm -f price
said=$("$trod" calls residual --build="case \$TROD_CC_OPTIONS in *tested*) ;; *) $build ;; esac; \$CC -O1 -g -c price.c" --test="$tests" \
    --field="./price 10 1" 2>&1)
like "$said" "^trod: stage 3 of 3, .*/price is still the build of stage 2: .*must rebuild it" "or not in the end"
"$trod" calls residual --build="$build" --test="./price 1 1; touch begun; exec sleep 60" --field=z >said 2>talk.txt &
until [ -e begun ]; do sleep 0.1; done
kill "$!"
wait "$!"
is "$?" 5 "a signal ends it"
like "$(cat talk.txt)" "stage 1 of 3, '.*': ended by signal 15" "which is reported"
is "$(ls tmp)" "" "nothing is left of any of these"

if command -v script >talk.txt; then
    like "$(script -qec "'$trod' calls residual --build='$build' --test=./price --field=./price" typescript)" \
        'trod: stage 3 of 3, running as in production: ./price' "a terminal is notified of each stage"
else
    skip "a terminal is notified of each stage" "no script"
fi

done_testing
