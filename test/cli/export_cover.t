#!/bin/sh
# Coverage for other tools: lcov, Cobertura and gcov's JSON. The tools that read them print trod's numbers.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

mkdir work && cd work || exit 1
cat >part.h <<'C'
static inline int sign(int x)
{
    return x < 0 ? -1 : x > 0;
}
C
cat >twin.hh <<'C'
template <typename T> T largest(T a, T b)
{
    if (a < b)
        return b;
    return a;
}
C
cat >one.c <<'C'
#include "part.h"
int two(int i);
int never(int x)
{
    if (x)
        return 1;
    return 2;
}
int main(int argc, char **argv)
{
    int s = 0;
    for (int i = 0; i < 10 + argc; i++) {
        switch (i % 4) {
        case 0: s++; break;
        case 1: s += 2;
        default: s--;
        }
        if (i > 3 && s % 2)
            s += two(i);
    }
    return sign(s) > 5;
}
C
cat >two.cc <<'C'
#include "part.h"
#include "twin.hh"
extern "C" int two(int i)
{
    return sign(i) * largest(i, 7) + (int)largest(2.5, 1.5 * i);
}
C
trod="$root/build/release/trod"
$trod cc -g -c one.c && $trod c++ -g -c two.cc && $trod c++ -g -o app one.o two.o
TROD_OUT=a.trod ./app
TROD_OUT=b.trod ./app x y z

# What trod stage flow says of lines: how many there are, and how many ran.
lines=$(trod stage flow a.trod | awk '/^file/ { on = 1; next } /^function/ { on = 0 } on && /^[0-9]+:/ { n++; ran += $2 > 0 } END { print ran "/" n }')

# --- lcov ------------------------------------------------------------------------------------------

trod export --to=lcov -o a.info a.trod
trod export --to=lcov -o b.info b.trod
trod export --to=lcov -o both.info a.trod b.trod
summary=$(lcov --rc lcov_branch_coverage=1 --summary a.info 2>&1)
is "$(echo "$summary" | sed -n 's/.*lines.*(\([0-9]*\) of \([0-9]*\) lines)/\1\/\2/p')" "$lines" "lcov counts the lines that trod does"
like "$summary" 'functions\.+: [0-9.]+% \(6 of 7 functions\)' "and functions: those of one name are one, instances of templates are not"
is "$(awk -F: '/^SF/ { print $2 }' a.info | sed "s|$PWD/||" | paste -sd' ' -)" "one.c part.h twin.hh two.cc" \
    "files are named whole, so that they are found"
is "$(sed -n '/one.c/,/end_of/s/^DA:5,//p' a.info)" 0 "a function that never ran is there"
like "$(sed -n '/one.c/,/end_of/p' a.info)" '^BRDA:5,0,0,-$' "and that its decision was never come to"
like "$(sed -n '/one.c/,/end_of/p' a.info)" '^BRDA:13,0,2,3$' "a switch has a branch for each way"
# lcov 2 writes FNA:INDEX,COUNT,NAME for FNDA:COUNT,NAME.
records() { sed 's/^FNA:[0-9]*,/FNDA:/' "$1" | grep -E "^($2):" | sort; }
lcov -q --rc lcov_branch_coverage=1 -a a.info -a b.info -o sum.info 2>err
is "$(records sum.info 'SF|DA|FNDA|BRDA')" "$(records both.info 'SF|DA|FNDA|BRDA')" \
    "lcov adds up two as trod does"
ok "genhtml makes pages of it" genhtml -q --branch-coverage -o html a.info
like "$(find html -name one.c.gcov.html -exec cat {} +)" 's \+= two' \
    "with the sources"
is "$(trod export --to=lcov --function=main a.trod | grep -c '^FN:')" 1 "functions are chosen"
is "$(trod export --to=lcov --function=main a.trod | grep -c '^DA:5,')" 0 "and their lines alone"

# --- gcov ------------------------------------------------------------------------------------------

mkdir gcov
trod export --to=gcov -o gcov/a.json a.trod
touch gcov/a.gcno gcov/a.gcda
cat >gcov/tool <<'S'
#!/bin/sh
case " $* " in
*" --version "*) echo "gcov (GCC) 12.2.0" ;;
*" --help "*) echo "  -j, --json-format  Output JSON intermediate format" ;;
*) gzip -c "${0%/*}/a.json" >a.gcov.json.gz ;;
esac
S
chmod +x gcov/tool
(cd gcov && geninfo --gcov-tool "$PWD/tool" --rc lcov_branch_coverage=1 -q -o a.info . 2>err)
is "$(records gcov/a.info 'SF|DA|FNDA')" "$(records a.info 'SF|DA|FNDA')" \
    "geninfo reads the same out of gcov's JSON"
is "$(lcov --rc lcov_branch_coverage=1 --summary gcov/a.info 2>&1 | grep branches)" "$(echo "$summary" | grep branches)" "and as many branches"

# --- Cobertura ---------------------------------------------------------------------------------------

trod export --to=cobertura -o a.xml a.trod
ok "it is what Cobertura's XML is" xmllint --noout --nonet --relaxng "$root/test/cli/cobertura.rng" a.xml
sed 's/<methods>/<method>/' a.xml >bad.xml
exits 1 "and what is not is seen" xmllint --noout --nonet --relaxng "$root/test/cli/cobertura.rng" bad.xml
is "$(xmllint --nonet --xpath 'concat(/coverage/@lines-covered, "/", /coverage/@lines-valid)' a.xml 2>/dev/null)" "$lines" "with the same lines"
is "$(xmllint --nonet --xpath 'string(//class[@filename="one.c"]/lines/line[@number="18"]/@condition-coverage)' a.xml 2>/dev/null)" \
    "100% (4/4)" "conditions are put together"
is "$(xmllint --nonet --xpath 'string(//method[@name="double largest<double>(double, double)"]/@line-rate)' a.xml 2>/dev/null)" "0.7500" \
    "methods have names as people read them"
git init -q . && git config user.email a@b && git config user.name a && git add one.c two.cc ./*.h ./*.hh && git commit -qm one
git branch -m main && git checkout -qb next
sed -i 's/return 1;/return 1 + 0;/; s/s += two(i);/s += two(i) + 0;/' one.c
git commit -qam two
$trod cc -g -c one.c && $trod c++ -g -o app one.o two.o
TROD_OUT=c.trod ./app
trod export --to=cobertura -o c.xml c.trod
diff=$(diff-cover c.xml --compare-branch=main 2>&1)
like "$diff" '^one\.c \(50\.0%\): Missing lines 6$' "diff-cover says which new lines did not run"

# --- unknown lines -------------------------------------------------------------------------------------

trod report --brief --list --most=1 --function=main c.trod -o hot.list
$trod cc --paths=hot.list -g -c one.c 2>err && $trod c++ -g -o some one.o two.o
TROD_OUT=some.trod ./some
for to in lcov cobertura gcov; do
    exits 4 "$to: where not all paths are counted, nothing is passed off as whole" trod export --to=$to some.trod
done
cat >quit.c <<'C'
#include <stdlib.h>
void leave(int x)
{
    if (x)
        exit(0);
}
int main(int argc, char **argv)
{
    leave(argc);
    return 1;
}
C
$trod cc -g -o quit quit.c
TROD_OUT=quit.trod ./quit
for to in lcov cobertura gcov; do
    like "$(trod export -q --to=$to quit.trod)" '1 activation of main did not finish' "$to tells of functions that were left"
done
ok "lcov does not mind" lcov --summary "$(trod export -q --to=lcov -o quit.info quit.trod; echo quit.info)"
$trod cc -o bare quit.c
TROD_OUT=bare.trod ./bare
exits 3 "without -g there are no lines" trod export --to=lcov bare.trod
rm bare quit
exits 4 "without the program they are unknown" trod export --to=lcov quit.trod
done_testing
