#!/bin/sh
# trod tests on a program with a bug on one path: which tests are worth running, and which path the failing tests share.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# Each branch is taken by tests that pass; the fee is wrong only for a foreign letter that is
# registered. A test is a call; it fails if the fee is not what it should be.
cat >post.c <<'C'
#include <stdlib.h>

static int fee(int foreign, int heavy, int registered)
{
    int cents = 80;

    if (foreign)
        cents = 110;
    if (heavy)
        cents *= 2;
    if (registered)
        cents += foreign ? 255 : 265;
    return cents;
}

static int count(int n)
{
    int s = 0;

    for (int i = 0; i < n; i++)
        s += i & 1;
    return s;
}

int main(int argc, char **argv)
{
    int f = argv[1][0] == 'f', h = argv[1][1] == 'h', r = argv[1][2] == 'r';

    if (argc > 2)
        count(atoi(argv[2]));
    return fee(f, h, r) != (f ? 110 : 80) * (1 + h) + 265 * r;
}
C
# -O0, because clang turns decisions into arithmetic where it can.
"$root/build/release/trod" cc -O0 -g -o post post.c

# post NAME ARGUMENT...: one test, its profile in pass or fail, whichever it did.
mkdir pass fail
post()
{
    name=$1
    shift
    TROD_ARGV=1 TROD_OUT=$name.trod ./post "$@" && to=pass || to=fail
    mv "$name.trod" "$to"/
}

post plain --- 3
post again --- 3
post foreign f--
post heavy -h-
post both fh- 0
post registered --r
post parcel -hr 9
post few --- 1
post bug1 f-r
post bug2 f-r 3
post bug3 f-r 5
post bug4 f-r 0
is "$(echo pass/*.trod fail/*.trod | wc -w)" 12 "twelve tests"
is "$(cd fail && echo *.trod)" "bug1.trod bug2.trod bug3.trod bug4.trod" "of which four fail"
bugs=$(printf -- ' --failed=%s' fail/*.trod)

# rows of the first table; a column of it
rows() { awk '/^#/ { next } /^$/ { exit } n++'; }
column() { rows | awk -v n="$1" '{ print $n }' | paste -sd' ' -; }

# --- fault localisation -------------------------------------------------------------------

# shellcheck disable=SC2086
trod tests $bugs pass/*.trod >ranked
# Lines of the decisions: foreign, not heavy, registered.
culprit='fee =[0-9]+  entry 7:T 9:F 11:T return 13$'
like "$(rows <ranked | head -n 1)" "$culprit" "the path that has the bug is ranked first"
is "$(rows <ranked | head -n 1 | awk '{ print $4, $5, $7 }')" "4 0 yes" "all that fail take it, none that pass"
is "$(grep -c '  yes  ' ranked)" 1 "no other path is sure"
like "$(head -n 1 ranked)" '^# 4 tests failed, 8 passed; ' "how many failed is reported"
# By hand: F 4, S 0, of 12 that enter: Increase is 1 - 4/12, importance the harmonic mean with 1.
is "$(rows <ranked | head -n 1 | awk '{ print $1, $2, $6 }')" "0.8 0.6667 1" "with these scores"
unlike "$(cat ranked)" "too few" "there are enough tests"
like "$(trod tests --failed=fail/bug1.trod pass/few.trod pass/plain.trod)" '^# too few tests for a verdict' \
    "one failing test is too few"
unlike "$(trod tests --failed=fail/bug1.trod pass/*.trod)" '  yes  ' "of one failing test nothing is sure"
# shellcheck disable=SC2086
is "$(trod tests $bugs --function=count pass/*.trod | grep -c ' fee ')" 0 "functions are chosen"
# shellcheck disable=SC2086
like "$(trod tests $bugs --blocks pass/*.trod | rows | head -n 1)" 'fee =[0-9]+  [^:]*$' "paths are printed as blocks"
# shellcheck disable=SC2086
like "$(trod tests $bugs)" '^# too few tests' "nothing passed: too few"
# shellcheck disable=SC2086
is "$(trod tests --most=1 $bugs pass/*.trod | rows | wc -l)" 1 "as many rows as asked for"
trod merge -q --keep-runs -o bugs.trod fail/*.trod
is "$(trod tests --failed=bugs.trod pass/*.trod)" "$(cat ranked)" "runs kept apart are tests of their own"
trod merge -q -o sum.trod fail/*.trod
like "$(trod tests --failed=sum.trod pass/*.trod 2>&1)" '^trod: note: 1 profiles are sums of several runs' \
    "runs added up are one test, and a note says so"

# A program that dies on the path: it is counted, because that is where the function ended.
cat >die.c <<'C'
#include <stdlib.h>

static void check(int a, int b)
{
    int n = 1;

    if (a)
        n = 2;
    if (b)
        n += 2;
    if (n == 4)
        abort();
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        check(argv[i][0] == 'a', argv[i][1] == 'b');
    return 0;
}
C
"$root/build/release/trod" cc -O0 -g -o die die.c
i=0
for words in -- a- -b '-- -b' 'a- -b' 'a- --'; do
    # shellcheck disable=SC2086
    TROD_OUT=lived$((i += 1)).trod ./die $words
done
for words in ab '-- ab' 'a- ab' '-b -- ab'; do
    # shellcheck disable=SC2086
    TROD_OUT=died$((i += 1)).trod sh -c 'ulimit -c 0; ./die "$@"; true' sh $words 2>said
done
like "$(trod tests --failed=died7.trod --failed=died8.trod --failed=died9.trod --failed=died10.trod lived*.trod | rows |
    head -n 1)" '  4  +0  +1  yes   check =[0-9]+  entry 7:T 9:T 11:T stop 12$' "the path that a program died on comes first"

# --- the order ------------------------------------------------------------------------------

trod tests pass/*.trod >order
like "$(head -n 1 order)" '^# 8 tests, [0-9]+ paths; 90% of them after [0-9] tests, all after [0-9]$' "what is in it"
is "$(column 3 <order)" "$(column 3 <order | tr ' ' '\n' | sort -rn | paste -sd' ' -)" "new paths become fewer"
is "$(rows <order | awk '{ n += $3; if (n != $4) print }')" "" "and are added up"
is "$(rows <order | tail -n 1 | awk '{ print $5 }')" "100.0%" "to all there are"
total=$(head -n 1 order | sed 's/.*tests, \([0-9]*\) paths.*/\1/')
is "$(rows <order | awk '{ n += $8 } END { print n }')" "$total" "each path has a first test"
is "$(rows <order | grep -c 'plain\.trod .*  yes$')" 1 "a test that is there twice is redundant once"
is "$(rows <order | grep -c 'again\.trod .*  no$')" 1 "its twin, whose name comes first, is kept"
is "$(rows <order | awk '$6 > 0 && $7 > 0 && $9 == "yes"')" "" "a test that takes paths alone is kept"
# shellcheck disable=SC2046
is "$(trod tests $(rows <order | awk '$9 == "no" { print $2 }') | head -n 1 | sed 's/^[^,]*, //; s/;.*//')" \
    "$total paths" "the tests that are kept take all paths"
like "$(cat order)" 'greedily' "how they were found is reported"
is "$(trod tests --by=paths pass/*.trod)" "$(cat order)" "by paths is how it was"
is "$(trod tests --by=time pass/*.trod | rows | awk '{ print NF }' | sort -u)" 11 "by time, with seconds"
is "$(trod tests --most=2 pass/*.trod | rows | wc -l)" 2 "as many tests as asked for"
like "$(trod tests --most=2 pass/*.trod)" '^# 2 of 8 tests, ' "and how many there are"
is "$(trod tests --name=argument pass/*.trod 2>&1 | rows | grep -c './post')" 7 "tests are named by a field"
like "$(trod tests --name=argument pass/*.trod 2>&1)" '^trod: note: 8 profiles are 7 tests' "one name is one test"
like "$(trod tests --name=colour pass/*.trod 2>&1)" "^trod: note: 8 tests have no field 'colour'" "a field that no test has"
like "$(trod tests pass/few.trod pass/few.trod 2>&1)" '^trod: note: 1 profiles are named twice' "a file twice"
is "$(trod tests -q pass/few.trod pass/few.trod 2>&1 | rows | wc -l)" 1 "counts once"
ok "-o" trod tests -o out pass/*.trod
is "$(cat out)" "$(cat order)" "writes to a file"

# --- the first test of each path ------------------------------------------------------------

trod tests --first --most=1000 pass/plain.trod pass/foreign.trod pass/again.trod >first
is "$(rows <first | awk '$1 ~ /again/')" "" "a test that comes last is not first"
like "$(cat first)" '^pass/foreign\.trod +1  fee =[0-9]+  entry 7:T' "the first to take a path, in words"
like "$(cat first)" '^pass/plain\.trod +2  count =' "and how many take it"
is "$(rows <first | awk '{ print $3 }' | uniq | paste -sd' ' -)" "count fee main" "by function"

# --- tests that take nothing ------------------------------------------------------------------

printf 'profile\nrun\npid: 1\n' >nothing.trod
trod tests pass/*.trod nothing.trod >with
like "$(cat with)" '^ +[0-9]  nothing\.trod +0 .* +0 +0 +0  yes$' "an empty profile is a test that takes no path"
is "$(head -n 1 with | sed 's/^[^,]*, //; s/;.*//')" "$total paths" "and changes nothing"
like "$(trod tests nothing.trod)" '^# 1 test, 0 paths$' "alone, too"

# --- JSON -------------------------------------------------------------------------------------------

if perl -MJSON::PP -e 1 2>said; then
    # shellcheck disable=SC2016
    field='local $/; $_ = decode_json(<STDIN>);'
    is "$(trod tests --json pass/*.trod nothing.trod | perl -MJSON::PP -e "$field"'
        print join " ", $_->{trod}, $_->{version}, $_->{tests}, scalar @{$_->{order}}, $_->{order}[-1]{share}')" \
        "tests 1 9 9 1" "the order in JSON has all tests"
    # shellcheck disable=SC2086
    is "$(trod tests -q --json $bugs pass/*.trod | perl -MJSON::PP -e "$field"'
        my $s = $_->{suspects}[0]; print join " ", $_->{too_few} ? 1 : 0, map { $s->{$_} }
        qw(function failed passed failed_in_function passed_in_function importance)')" \
        "0 fee 4 0 4 8 0.8" "suspects in JSON"
    is "$(trod tests -q --json --first pass/plain.trod | perl -MJSON::PP -e "$field"'
        print join " ", map { $_->{test} } $_->{first}[0]')" "pass/plain.trod" "first tests in JSON"
else
    skip "the same in JSON" "perl has no JSON::PP"
fi

# --- what does not belong together --------------------------------------------------------------

mkdir code other
"$root/build/release/trod" cc --at=code -O1 -o code/post post.c
TROD_OUT=code.trod ./code/post ---
exits 4 "tests of two modes" trod tests pass/few.trod code.trod
like "$(trod tests pass/few.trod code.trod 2>&1)" \
    '^trod: code\.trod: its paths are counted in mode code, those of pass/few\.trod in mode source' "are refused"
echo 'int main(int argc, char **argv) { while (argc-- > 5) if (**argv == 1) return 1; return 0; }' >other/other.c
"$root/build/release/trod" cc -O0 -o other/other other/other.c
TROD_OUT=other.trod ./other/other
exits 4 "tests of two programs" trod tests pass/few.trod other.trod
like "$(trod tests pass/few.trod other.trod 2>&1)" \
    '^trod: tests pass/few\.trod and other\.trod belong to programs that share no function' "are refused"
exits 0 "unless they belong together" trod tests --foreign pass/few.trod other.trod
sed 's/if (heavy)/if (heavy \&\& registered)/' post.c >new.c
cp new.c post.c
"$root/build/release/trod" cc -O0 -g -o post post.c
TROD_OUT=new.trod ./post ---
exits 4 "tests of two builds" trod tests pass/few.trod new.trod
like "$(trod tests pass/few.trod new.trod 2>&1)" \
    "^trod: pass/few\.trod and new\.trod belong to two builds of '.*/post', in which 1 functions differ" "are refused"
exits 0 "unless that is wanted" trod tests -q --foreign pass/few.trod new.trod
exits 4 "a test that failed and passed" trod tests --failed=pass/few.trod pass/few.trod
exits 2 "two questions at once" trod tests --first --failed=bugs.trod pass/few.trod
exits 2 "an order that is none" trod tests --by=size pass/few.trod
exits 3 "no profile" trod tests post.c
exits 3 "tests without times by time" trod tests --by=time nothing.trod
exits 5 "a file that is not there" trod tests missing.trod

done_testing
