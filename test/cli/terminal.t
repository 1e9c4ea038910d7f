#!/bin/sh
# Output on a terminal: paths as code, widths, colours, counts, code of the user and of libraries; and notes where the
# output may mislead.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

trod="$root/build/release/trod"
said()
{
    { "$@" >out; } 2>&1
}
widest()
{
    awk '{ if (length > n) n = length } END { print n + 0 }'
}

cat >walk.c <<'C'
#include <stdlib.h>
#include <string.h>
#define BEGINS(s) ((s)[0] == 'w' && (s)[1] == 'o')

static volatile int seen;

static int sign(int x, const char *word)
{
    if (!(x >= 0))
        return -1;
    if (x == 0 ||
        strcmp(word, "a word that is long enough to be cut off && more") == 0)
        return 0;
    switch (x % 3) {
    case 1:
        return 1;
    case 2: case 3:
        return 2;
    default:
        if (BEGINS(word))
            seen++;
        return 3;
    }
}

int main(int argc, char **argv)
{
    int sum = 0, n = argc > 1 ? atoi(argv[1]) : 5;

    for (int i = -2; i < n; i++)
        sum += sign(i, "word");
    return sum == 12345;
}
C
"$trod" cc -O1 -g -o walk walk.c
TROD_OUT=walk.trod ./walk 30000

# --- paths as the reader's code ---------------------------------------------------------------------------

trod report --most=100 walk.trod >all 2>err
is "$(cat err)" "" "nothing is to be said"
like "$(cat all)" '^ 16\.7%    10\.0k  sign  walk\.c:7  =[0-9]+$' "share, count, function, file, line and id"
like "$(cat all)" '^ +9  !\(x >= 0\) +yes  -> returns 24$' "a condition as it is written, its outcome, and the end"
like "$(cat all)" '^ +11  x == 0 +no$' "the first of two conditions"
like "$(cat all)" '^ +12  strcmp\(word, "a word that is long enough.*\.\.\. +no$' "the second, which is too long"
like "$(cat all)" '^ +14  switch \(x % 3\) +case 1$' "a switch, and its label"
like "$(cat all)" '^ +20  BEGINS\(word\) +yes x2$' "conditions of a macro, by the macro"
like "$(cat all)" '^ +loop iteration, line 30$' "where it starts"
like "$(cat all)" '^ +30  i < n  yes  -> next iteration, line 30$' "and ends"
is "$(trod report --most=100 walk.trod | grep -c '  =')" "$(trod report --brief --most=100 walk.trod | grep -c ' =')" \
    "as many paths as on lines of their own"

# --- width, colour, counts -----------------------------------------------------------------------------------

is "$(($(widest <all) <= 80))" 1 "80 columns"
like "$(COLUMNS=120 trod report walk.trod)" 'strcmp\(word, "a word that is long enough to be cut off && more"\) == 0  no' "more if there are"
is "$(($(COLUMNS=50 trod report walk.trod | sed /^#/d | widest) <= 50))" 1 "or fewer"
for n in 60 100; do
    is "$(($(script -qec "stty cols $n; unset COLUMNS; trod report walk.trod" log </dev/null | sed 's/\x1b\[[0-9;]*m//g; s/\r//; /^#/d' | widest) <= n))" \
        1 "a terminal of $n columns"
done
is "$(trod report walk.trod | grep -c "$(printf '\033')")" 0 "no colours in files"
like "$(trod report --color=always walk.trod)" "$(printf '\033')\[32myes" "unless asked for"
is "$(trod report --color=always walk.trod | sed 's/\x1b\[[0-9;]*m//g')" "$(trod report walk.trod)" "which change nothing else"
like "$(TERM=xterm script -qec 'trod report walk.trod' log </dev/null)" "$(printf '\033')\[32myes" "colours on a terminal"
unlike "$(TERM=xterm script -qec 'trod report --color=never walk.trod' log </dev/null)" "$(printf '\033')\[" "unless they are not wanted"
unlike "$(NO_COLOR=1 TERM=xterm script -qec 'trod report walk.trod' log </dev/null)" "$(printf '\033')\[" "or NO_COLOR is set"
exits 2 "a word that --color does not know" trod report --color=sometimes walk.trod
like "$(trod report --exact walk.trod)" '^ 16\.7%    10000  sign' "exact counts"
like "$(trod report --json walk.trod)" '"count": 10000' "JSON is exact"

# Long paths are folded.
{
    echo 'int many(int x, int *sum)'
    echo '{'
    i=0
    while [ $i -lt 16 ]; do
        echo "    if (x & $((1 << i)))"
        echo "        *sum += $i;"
        i=$((i + 1))
    done
    echo '    return *sum;'
    echo '}'
    echo 'int main(void) { int sum = 0; return many(5, &sum) == 77; }'
} >many.c
"$trod" cc --limit=10000000 -O1 -g -o many many.c
TROD_OUT=many.trod ./many
like "$(trod report -f many many.trod)" '^ +\.\.\. 5 more decisions; -v shows all$' "many decisions are folded"
is "$(trod report -f many -v many.trod | grep -c '  x & [0-9]* ')" 16 "unless all are asked for"

# --- when the source is not there -----------------------------------------------------------------------------

mkdir moved && mv walk.c moved
trod report --most=2 walk.trod >said 2>err
like "$(cat said)" '^ +entry 9:F 11:F 12:F ' "lines and outcomes"
is "$(grep -c 'conditions are not shown: .*walk\.c: it was not found; name its folder with --source' err)" 1 "and one note"
is "$(trod report --source=moved walk.trod 2>err)" "$(mv moved/walk.c . && trod report walk.trod)" "which says how"
touch -d '+1 hour' walk.c
like "$(said trod report walk.trod)" 'walk\.c changed after the program was built' "a source that was changed"
touch -d '-1 hour' walk.c

"$trod" cc -O1 -o plain walk.c
TROD_OUT=plain.trod ./plain
is "$(trod report plain.trod | grep -c 'compile with -g to see lines and conditions')" 1 "without -g, that is said once"

# --- whose code -------------------------------------------------------------------------------------------------

mkdir -p src/deep
cat >src/deep/own.cc <<'C'
#include <algorithm>
#include <vector>
int main()
{
    std::vector<int> v = {3, 1, 2};
    std::sort(v.begin(), v.end());
    return v[0] == 1 ? 0 : 1;
}
C
printf 'int g(int x);\nint g(int x)\n{\n    return x > 1 ? 2 : 3;\n}\n' >src/g.cc
"$trod" c++ -O1 -g -o own src/deep/own.cc src/g.cc
TROD_OUT=own.trod ./own
is "$(trod report --brief own.trod | grep -c ' =')" 1 "functions of the system are hidden"
like "$(trod report own.trod)" '^# [0-9]+ paths of system headers and libraries are hidden; --all-code shows them$' "how many is said"
like "$(trod report --brief --all-code own.trod)" 'std::' "they can be shown"
is "$(said trod report --all-code own.trod)" "" "whose sources are not searched for"
like "$(trod coverage own.trod)" 'functions of system headers and libraries are hidden' "coverage leaves them out"
is "$(trod coverage --all-code own.trod | sed -n 's/.* of \([0-9]*\) functions .*/\1/p')" \
    "$(($(trod coverage own.trod | sed -n 's/.* of \([0-9]*\) functions .*/\1/p') + $(trod coverage own.trod | sed -n 's/^# \([0-9]*\) functions of system.*/\1/p')))" \
    "and nothing else"
like "$(trod annotate own.trod)" 'own\.cc' "annotate shows one's own"
unlike "$(trod annotate own.trod)" 'stl_algo' "and nothing else, too"
like "$(trod coverage --group=file --sort=file --file='g.cc' own.trod)" 'g\.cc  0 of 1 functions' "files by name"
unlike "$(trod coverage --group=file --sort=file --file='g.cc' own.trod)" 'own\.cc' "not others"
like "$(trod coverage --group=file --sort=file --directory=src/deep own.trod)" 'own\.cc  1 of [12] functions' "files by folder"
unlike "$(trod coverage --group=file --sort=file --directory=src/deep own.trod)" 'g\.cc' "not others"
exits 3 "a file that is not there" trod report --file=nosuch.c own.trod
exits 3 "a folder that is not there" trod report --directory=nosuch own.trod

# --- coverage and what no test ran ---------------------------------------------------------------------------

TROD_OUT=few.trod ./walk 1
trod coverage few.trod >said
is "$(sed -n 1p said | grep -c '^# ran: .* paths .* edges')" 1 "coverage begins with the sums"
like "$(cat said)" '^# worth testing next: ' "then what is worth testing"
like "$(cat said)" '<- never' "and the nearest paths that did not run"
is "$(($(widest <said) <= 80))" 1 "in 80 columns"
trod untested --tested=few.trod walk.trod >said 2>err
like "$(cat said)" '^ +14  switch \(x % 3\) +case 1  <- no test' "untested: the decision that is new"
is "$(($(widest <said) <= 80))" 1 "in 80 columns, too"
trod diff few.trod walk.trod >said
like "$(cat said)" '^ +30  i < n  yes' "diff shows conditions"
is "$(($(widest <said) <= 80))" 1 "in 80 columns as well"

# --- messages ---------------------------------------------------------------------------------------------------

TROD_OUT=twice.trod ./walk 1
like "$(said trod report twice.trod)" '^$' "one run"
TROD_OUT=twice.trod ./walk 2
is "$(said trod report twice.trod)$(echo twice*.trod)" "twice.trod" "two runs count in one file"
echo "static int unused(void) { return 1; } int (*used)(void) = unused;" >>walk.c
trod cc -g walk.c -o walk.other
TROD_OUT=twice.trod ./walk.other 2
like "$(said trod report twice.trod)" 'twice\.trod is of one build; programs of other builds with the same TROD_OUT wrote twice\.1\.trod: also name it' "another build beside it"
is "$(said trod report twice.trod twice.1.trod)" "" "unless it is named"
like "$(TROD_OUT=kept.trod said trod run ./walk 1)" 'TROD_OUT=kept.trod is not used' "trod run keeps no profile"
like "$(said trod report --sotr=count walk.trod)" 'sotr is not an option of trod report; did you mean --sort\?' "an option that is nearest"
exits 2 "an option that is none" trod report --sotr=count walk.trod
like "$(said trod report --frobnicate walk.trod)" "'trod report --help' lists them" "or where they are"
ok "the beginning of an option is enough" trod report --bri walk.trod

like "$(said "$trod" cc --onyl=sign -c walk.c)" 'onyl is not an option of trod cc and goes to the compiler; did you mean --only\?' "an option of trod cc"
is "$("$trod" cc --std=c11 -g -c walk.c 2>&1)" "" "those of the compiler are not"

printf '#!/bin/sh\necho "Debian clang version 14.0.6"\n' >clang-of-old && chmod +x clang-of-old
exits 5 "another clang" env TROD_CLANG=./clang-of-old "$trod" cc -c walk.c
like "$(said env TROD_CLANG=./clang-of-old "$trod" cc -c walk.c)" 'clang-of-old is clang 14\.0\.6, and trod has plugins for clang (16 and )?19; install' "and so it says"

"$trod" cc -g -c -o walk.o walk.c
like "$(clang-19 -o x walk.o 2>&1)" '__trod_link_with_trod_cc' "objects that are linked without trod"

# --- what build systems try ------------------------------------------------------------------------------------

mkdir probes && cd probes || exit 1
printf 'int main(void)\n{\n    return 0;\n}\n' >conftest.c
"$trod" cc -g conftest.c && ./a.out
"$trod" cc -g -o conftest conftest.c && ./conftest
"$trod" cc -g -c conftest.c && "$trod" cc -o conftest conftest.o && ./conftest
printf 'int two(void);\nint main(void)\n{\n    return two() - 2;\n}\n' >conftest1.c
printf 'int two(void);\nint two(void)\n{\n    return 2;\n}\n' >conftest2.c
cp conftest2.c two.c
"$trod" cc -c conftest1.c && "$trod" cc -c conftest2.c && ok "of two objects" "$trod" cc -o conftest conftest1.o conftest2.o && ./conftest
is "$(echo ./*.trod)" "./*.trod" "which leaves nothing behind, either"
"$trod" cc -c two.c && ar rcs libtwo.a two.o && ok "with a library that is instrumented" "$trod" cc -o conftest conftest1.c -L. -ltwo
mkdir -p b/CMakeFiles/CMakeScratch/TryCompile-x && cp conftest.c b/CMakeFiles/CMakeScratch/TryCompile-x/test.c
"$trod" cc -o t b/CMakeFiles/CMakeScratch/TryCompile-x/test.c && ./t
is "$(echo ./*.trod)" "./*.trod" "programs that configure and CMake try leave nothing behind"
cp conftest.c main.c
"$trod" cc -g main.c && ./a.out
is "$(echo ./a.out.*.trod | wc -w)" 1 "others do"
cd ..

done_testing
