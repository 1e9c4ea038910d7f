#!/bin/sh
# From a source file to its paths: trod cc, the program, trod report.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >sign.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>

static int sign(int x)
{
    if (x < 0)
        return -1;
    return x > 0;
}

int main(int argc, char **argv)
{
    int sum = 0;

    for (int i = 1; i < argc; i++)
        sum += sign(atoi(argv[i]));
    printf("%d\n", sum);
    return sum < 0;
}
EOF

# fresh: no profile lies about from the step before.
fresh()
{
    rm -f ./*.trod
}

ok "a program is compiled and linked in one step" trod cc -O2 -g -o sign sign.c
is "$(./sign 3 4 -5)" 1 "the same output"
ok "its profile is sound" sh -c 'trod check sign.*.trod'
like "$(trod report --brief sign.*.trod)" ' 2  sign =1  entry 6:F return' "the way past the first test was taken twice"
like "$(trod report --brief sign.*.trod)" ' 1  sign =0  entry 6:T return' "and into it once"
like "$(trod report --brief --blocks sign.*.trod)" ' 1  sign =0  0 ' "paths can be printed as blocks"
ok "the report is JSON, if asked for" sh -c \
    'trod report --json sign.*.trod | perl -MJSON::PP -e "decode_json(join q(), <>)"'
./sign -7 >/dev/null
like "$(trod report --brief sign.*.trod)" ' 2  sign =0 ' "profiles of two runs are added up"

fresh
./sign 1 >/dev/null && mv sign.*.trod a.trod
./sign 1 -2 >/dev/null && mv sign.*.trod b.trod
like "$(trod diff --brief a.trod b.trod)" '^appeared +0 +1  sign =0 ' "expected two profiles"
like "$(trod diff --brief a.trod b.trod)" '^# paths: 2 appeared, 0 vanished, 0 moved, 3 same' "and summed up"
like "$(trod run -- ./sign 5 6)" ' 2  sign  sign\.c:4  =1$' "a program is run and reported on in one step"
is "$(find . -name 'sign.*.trod')" "" "and leaves nothing behind"
exits 3 "a program that was not compiled by trod is refused" trod run -- true

# A build runs what it has compiled.
mkdir built
cat >built/Makefile <<'EOM'
all: made.txt
tool: tool.c
	trod cc -o tool tool.c
made.txt: tool
	./tool >made.txt
	./tool >>made.txt
fails: tool
	./tool x
EOM
echo 'int puts(const char *); int main(int c, char **v) { (void)v; if (c > 1) return 7; puts("made"); return 0; }' >built/tool.c
like "$(trod run --build -- make -s -C built 2>&1)" '^trod: note: 1 profile of programs that the build ran was removed' \
    "trod run --build says what it removed"
is "$(cat built/made.txt)" "made
made" "... the build is done"
is "$(find . -name 'tool*.trod' | wc -l)" 0 "... and leaves no profile behind"
exits 2 "its status is that of the build" trod run --build make -s -C built fails
exits 0 "a build that runs nothing" trod run --build true
exits 2 "a build that is not named" trod run --build
exits 5 "a build command that is not there" trod run --build -- no-such-build
like "$(cd built && ./tool && ls)" 'tool\.[0-9]*\.trod' "the program itself still writes one"

fresh
ok "objects are compiled alone" trod cc -O2 -c sign.c
ok "and linked later" trod cc -o sign sign.o
./sign 1 >/dev/null
like "$(trod report --brief sign.*.trod)" ' 1  sign =1  0 ' "without -g paths are printed as blocks"

fresh
ok "functions are chosen" trod cc --only=main -O2 -g -o sign sign.c
./sign 1 >/dev/null
unlike "$(trod report --brief sign.*.trod)" '  sign =' "others are not counted"
like "$(trod report --brief sign.*.trod)" 'not counted: sign \(sign.c\): .*not chosen' "which the report says"

fresh
ok "the place of the profile is chosen" trod cc --out='here-%e.trod' -O2 -o sign sign.c
./sign 1 >/dev/null
ok "and it is there" test -f here-sign.trod
TROD_OUT=there.trod ./sign 1 >/dev/null
ok "the environment goes before it" test -f there.trod

fresh
ok "paths of the code" trod cc --at=code -O2 -g -o sign sign.c
./sign 1 >/dev/null
like "$(trod show sign.*.trod)" 'module .* code ' "are marked as such"
mv sign.*.trod code.trod
trod cc -O2 -g -o sign sign.c && ./sign 1 >/dev/null
exits 4 "and never mixed with those of the source" trod merge -o both.trod code.trod sign.*.trod

fresh
ok "a library" trod cc -O2 -g -shared -fPIC -o libsign.so sign.c
ok "static" trod cc -O2 -static -o sign sign.c
is "$(./sign 1)" 1 "runs"
ok "nothing is linked for --version" sh -c 'trod cc --version | grep -q clang'
exits 1 "the compiler's own errors are its own" trod cc -o sign missing.c

fresh
trod cc -O2 -g -o sign sign.c && ./sign 1 >/dev/null
trod cc -O1 -g -DOTHER -o sign sign.c
like "$(trod report --brief sign.*.trod 2>&1)" 'not the build that ran' "a binary that was built anew is not believed"
like "$(trod report --brief sign.*.trod 2>&1)" '\?[0-9a-f]{16} =' "and paths are printed as hash and id"
rm sign
like "$(trod report --brief sign.*.trod 2>&1)" 'No such file' "nor one that is gone"

cat >bang.cc <<'EOF'
#include <stdexcept>
static int bang(int x)
{
    if (x > 2)
        throw std::runtime_error("bang");
    return x;
}
int main()
{
    int caught = 0;
    for (int i = 0; i < 5; i++) {
        try {
            bang(i);
        } catch (const std::exception &) {
            caught++;
        }
    }
    return caught != 2;
}
EOF
fresh
ok "C++ is compiled" trod c++ -O2 -g -o bang bang.cc
ok "and throws as before" ./bang
like "$(trod report --brief bang.*.trod)" ' 3  bang\(int\) =[0-9]+  entry 4:F return 6' "paths end and go on across exceptions"

# --- unfinished activations -------------------------------------------------------------------

cat >leave.c <<'EOF'
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf back;
__attribute__((noinline)) static int inner(int x)
{
    if (x > 2)
        longjmp(back, x);
    return x;
}
__attribute__((noinline)) static int outer(int x)
{
    return inner(x) + 1;
}
int main(void)
{
    for (volatile int i = 0; i < 5; i++)
        if (!setjmp(back))
            outer(i);
    exit(0);
}
EOF
fresh
ok "a program that jumps is compiled" trod cc -O2 -o leave leave.c
ok "and jumps" ./leave
like "$(trod report --brief leave.*.trod)" '^# 2 activations of outer did not finish' "abandoned activations are reported"
like "$(trod report --brief leave.*.trod)" '^# 2 activations of main did not finish' "also the one that was come back to"
is "$(trod report --brief leave.*.trod | grep 'did not finish' | awk 'length > 80' | wc -l)" 0 "in 80 columns"
unlike "$(trod report --brief -q leave.*.trod)" 'did not finish' "not with -q"
is "$(trod report --brief --function=outer leave.*.trod | grep -c 'did not finish')" 1 "nor those that --function does not want"
is "$(trod report --json --function=outer leave.*.trod | grep -c '"begun"')" 1 "in JSON as well"
unlike "$(trod coverage -q leave.*.trod)" '^# .*did not finish' "coverage -q does not list them either"
perl -e 'print "#include <stdlib.h>\n";
    print "__attribute__((noinline)) int f$_(int n) { if (n > 1000) return 1; ", $_ ? "return f" . ($_ - 1) . "(n + 1) + n;" : "exit(0);", " }\n" for 0 .. 24;
    print "int main(int c, char **v) { (void)v; return f24(c); }\n"' >deep.c
trod cc -O1 -o deep deep.c && ./deep
is "$(trod report --brief deep.*.trod | grep -c 'did not finish')" 10 "of many functions that were left ten are listed"
like "$(trod report --brief deep.*.trod)" '^# and 14 activations of 14 more functions; --json lists them all$' "and the others counted"
like "$(trod report --brief leave.*.trod)" ' 3  outer ' "and none of their paths is counted"
like "$(trod report --json leave.*.trod)" '"left"' "for scripts too"
like "$(trod show leave.*.trod)" '^begun 5$' "what was begun is in the profile"
fresh
ok "--left=no" trod cc --left=no -O2 -o leave leave.c
./leave
is "$(trod report --brief leave.*.trod | grep -c '# left')" 0 "abandoned activations are not reported"
# Units share inline functions. Of their counters the linker keeps one copy, in which all units must count, also those that
# inlined the function.
shared=$root/test/program/inline_twice
entries() { trod export --to=lcov "$1" 2>log | sed -n 's/^FNDA://p' | sort; }
# shellcheck disable=SC2086
for flags in "" --counters --iterations=4; do
    for link in "" -flto; do
        ok "shared inline functions: ${flags:-paths} $link" trod c++ $flags -O2 -g -w $link -fuse-ld=lld -o shared "$shared.cc" "${shared}_part.cc"
        rm -f shared.trod
        TROD_OUT=shared.trod ./shared >log
        is "$(entries shared.trod)" "1,_ZN7CounterC2Ev
1,main
12,_Z5otheriR7Counter
13,_Z4onceIiET_S0_
13,_ZNK7Counter5totalEv
24,_Z8classifyi
24,_ZN7Counter3addEi" "shared inline functions: ${flags:-paths} $link: each was counted"
    done
done
exits 2 "a value that is none" trod cc --at=elsewhere leave.c
exits 2 "a limit that is none" trod cc --limit=many leave.c
done_testing
