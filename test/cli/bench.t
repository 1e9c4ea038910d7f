#!/bin/sh
# The programs of bench/ that measure real programs, on one small enough to count by hand.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
bin=$root/build/$TROD_CONFIG/bench
export TROD_SUBJECTS="$PWD/subject" TROD_CORPUS="$PWD/corpus" COUNTED="$PWD/counted"

# chain: 2^3 paths and a probe for each decision. tree: 5 paths and 4 probes. main: into a loop, around it, out of it,
# past it. wide: 2^7 paths, more than are looked at one by one; it never runs.
mkdir subject source result
cat >source/tiny.c <<'C'
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int chain(int a, int b, int c)
{
    int p = 1;

    if (a)
        p = rand();
    if (b)
        p -= abs(p);
    if (c)
        p -= rand();
    return p;
}

__attribute__((noinline)) static int tree(int x)
{
    switch (x) {
    case 0: return rand();
    case 1: return abs(rand());
    case 2: return rand() / 3;
    case 3: return rand() % 7;
    default: return 1;
    }
}

void wide(int x)
{
    if (x & 1)
        rand();
    if (x & 2)
        rand();
    if (x & 4)
        rand();
    if (x & 8)
        rand();
    if (x & 16)
        rand();
    if (x & 32)
        rand();
    if (x & 64)
        rand();
}

int main(void)
{
    int a, b, c, x;

    while (scanf("%d %d %d %d", &a, &b, &c, &x) == 4)
        chain(a, b, c), tree(x);
    return 0;
}
C
cat >subject/tiny <<'SUBJECT'
# shellcheck shell=bash
fetch() { echo "$TROD_SUBJECTS/../source"; }
version() { echo tiny=1; }
sources() { echo tiny.c; }
flags() { echo -g; }
kinds() { echo odd; }
input() {
    case $* in
    'test odd') echo '1 1 1 9' ;;
    'field odd') echo '1 0 1 3' ;;
    test) printf '%s\n' '0 0 0 1' '1 1 0 1' '0 1 1 2' ;;
    field) printf '%s\n' '0 0 0 1' '1 1 1 1' '1 0 1 9' ;;
    esac
}
run() { program <"$1" >"$2"; }
SUBJECT
cp subject/tiny subject/broken
echo 'flags() { echo -DNOT=; echo --no-such-option; }' >>subject/broken

# --- bench/counted ------------------------------------------------------------------------------

is "$("$root/bench/counted" tiny)" "$COUNTED/tiny" 'a subject is built and run'
like "$(trod set list "$COUNTED/tiny/test.trod")" '^=4    # entry [0-9]+:F [0-9]+:T [0-9]+:T return' 'its profiles are there'
touch "$COUNTED/tiny/mark"
ok 'what was made of the same subject' "$root/bench/counted" tiny
ok 'stays as it is' test -e "$COUNTED/tiny/mark"
echo >>subject/tiny
ok 'what was made of another' "$root/bench/counted" tiny
exits 1 'is made anew' test -e "$COUNTED/tiny/mark"
exits 2 'a subject that is none' "$root/bench/counted" tiny nobody
exits 1 'a build that fails' "$root/bench/counted" broken
like "$("$root/bench/counted" broken 2>&1)" 'broken: the build fails; see .*/build.log' 'says where to look'

# --- the tables ---------------------------------------------------------------------------------

# shellcheck disable=SC2317
has() { grep -qF "$1" "$2"; }
"$root/bench/residual" "$COUNTED/tiny" >result/residual.json
"$root/bench/residual" --robust "$COUNTED/tiny" >result/robust.json
"$bin/density" "$COUNTED/tiny" >result/density.json
"$bin/few" tiny "$COUNTED/tiny" >result/few.json
"$root/bench/tables" "$PWD/result" >out

# chain: TTT and TFT, of edges that were taken. tree: the default, and the way from it.
ok 'untested paths' has '| tiny | 3 | 37.5 | 30.00 | 2 | 2 | 1 | 2 | 66.7 |' out
exits 2 'of nothing' "$root/bench/residual"
exits 5 'of a folder that is none' "$root/bench/residual" nowhere "$COUNTED/tiny"

# The odd test has TTT and the default; the odd field TFT and case 3.
ok 'with the tests of all kinds' has '| tiny, usual | 1 | 12.5 | 10.00 |' out
ok 'a field of another kind' has '| tiny, odd | 2 | 50.0 | 50.00 |' out
exits 1 'of a folder without kinds' "$root/bench/residual" --robust nowhere "$COUNTED/tiny"

# Paths that ran, paths, widths of Ball-Larus, published, trod's, slots.
ok 'chain: TTF, FTT and FFF of 8, 1 to 7' has '"3 8 7 3 3 4"' result/density.json
ok 'main: three of 4, the first and the last' has '"3 4 4 3 3 4"' result/density.json
ok 'tree: two of 5, side by side' has '"2 5 2 2 2 2"' result/density.json
ok 'density in a table' has '| tiny | 3 | 3 | 8 | 100.0% | 100.0% | 100.0% | 33.3% | 33.3% | 1.00 (2) | 1.0 | 1.3 | 2.3 | 1.5 |' out

# Paths, probes of all, and shares of them for 1 to 5 paths.
ok 'a tree: a probe a path' has '"5 4 0.250 0.500 0.750 1.000 - 0.250 0.250"' result/few.json
ok 'a chain: all of them' has '"8 3 1.000 1.000 1.000 1.000 1.000 1.000 1.000"' result/few.json
is "$(sed -n 's/.*"sets": //p' result/few.json | tr -d '\n')" '117,144,170,175,156,' 'all sets, but no more than 100 of wide'
ok 'few paths in a table' has '| tiny | 4 | 0 | 0 | 100.0% | 100.0% | 100.0% | 100.0% | 100.0% | 25.0% | 25.0% | 25.0% | 100.0% |' out
"$bin/few" other "$COUNTED/tiny" >other.json
unlike "$(cat other.json)" points 'only the one that is asked for is drawn'

# The same comparison for a part of the tables. What is in the tree stays as it is.
before=$(cat "$root/doc/results.md" "$root/doc/seeds.md" | cksum)
ok 'tables are repeated' env OUT="$PWD/repeated" TABLES='density few' SUBJECTS=tiny "$root/bench/repeat" --quick
is "$(cat "$root/doc/results.md" "$root/doc/seeds.md" | cksum)" "$before" 'without a change of any document'
ok 'what they measure' has '| methods that need less than 60% of Ball-Larus'"'"'s probes | 50% | 25.0% | 0.50 | worse |' repeated/seeds.md
unlike "$(cat repeated/seeds.md)" '^\| figure 3.16 ' 'and nothing else'
exits 1 'a table that fails' env OUT="$PWD/again" TABLES='few' SUBJECTS=nobody "$root/bench/repeat" --quick

# --- across calls -------------------------------------------------------------------------------

# Calls of rand end segments: the ways into chain are FFF and back, T, FTT; into tree 1, twice, and 2.
mkdir across
is "$(COUNTED=$PWD/across "$root/bench/counted" --across tiny)" "$PWD/across/tiny" 'a subject is built for its segments'
is "$(grep -c ' ( ' across/tiny/tests.segments)" 5 'which are those of the small input'
is "$(COUNTED=$PWD/whole WHOLE=1 "$root/bench/counted" --across tiny)" "$PWD/whole/tiny" 'also as one unit'
is "$(grep -c ' ( ' whole/tiny/tests.segments)" 5 'with the same segments'
"$root/bench/residual" --across "$PWD/across/tiny" >result/untested.json
"$bin/density" "$PWD/across/tiny" >result/dense.json
"$root/bench/tables" "$PWD/result" >out
ok 'segments within units' has '| tiny | 5 | 100.0% | 6 | 100.0% |' out
# main into chain TTT and back into tree 1 is as before up to the call of rand. New is chain behind it, with c; TF
# behind it; the default of tree.
like "$(sed -n '/Untested paths across calls/,/^###/s/^| tiny | //p' out)" '^[1-9][0-9]* \| [0-9.]+ \| [0-9.]+ \|$' 'untested paths across calls'
like "$(sed -n '/How dense ids are across/,/^##/p' out)" '\| tiny \| 3 \|' 'how dense they are'
exits 1 'no steps, no segments' "$root/bench/residual" --across "$COUNTED/tiny"

# --- the pictures -------------------------------------------------------------------------------

mkdir picture
if command -v gnuplot >gnuplot.path; then
    ok 'pictures are drawn' "$root/bench/plot" result picture
    is "$(cd picture && echo *)" 'dense.svg density.svg few.svg ratio.svg single.svg' 'of all results that there are'
else
    skip 'pictures are drawn' 'there is no gnuplot'
fi
# --- subpaths -----------------------------------------------------------------------------------

# Every block is a start, so the sample has as many as there are, but for those whose subpath the end of the program cut
# off.
KEPT=$PWD/kept BUILT=$PWD/nowhere ONLINE=f=1,ones=text "$root/bench/hottest" tiny >result/hottest.json
KEPT=$PWD/kept BUILT=$PWD/nowhere ONLINE=f=1,ones=text "$root/bench/hottest" tiny >again.json
is "$(grep -c '"program":"tiny"' result/hottest.json)" 1 'what a subject sampled, and what ran'
is "$(perl -MJSON::PP -e 'local $/; my $r = decode_json(<STDIN>)->{rows}[0]; my $lost = $r->{blocks} - $r->{sample}{blocks}; print $r->{blocks} > 20 && $lost >= 0 && $lost <= 31 ? "equal" : "$r->{blocks} $r->{sample}{blocks}"' <result/hottest.json)" \
    equal 'as many blocks'
is "$(perl -MJSON::PP -e 'local $/; print join " ", map { decode_json($_)->{rows}[0]{counting} } split /(?<=^}\n)/m, <STDIN>' <again.json)" \
    "$(perl -MJSON::PP -e 'local $/; print decode_json(<STDIN>)->{rows}[0]{counting}' <result/hottest.json)" 'what was counted before is not counted again'
"$root/bench/tables" "$PWD/result" >out
ok 'in tables' has '### The ten hottest of the sample' out
ok 'of the large input' has '| tiny | large | ' out
exits 2 'a subject that is none' "$root/bench/hottest" nobody

# --- bursts -------------------------------------------------------------------------------------

# row WAY: of the result, in one line of words.
row() { perl -MJSON::PP -e 'local $/; my ($x) = grep { $_->{way} eq $ARGV[0] } @{decode_json(<STDIN>)->{rows}}; print $x->{failed} // (defined $x->{seconds} && $x->{text} > 0 ? "ran" : "nothing")' "$1" <result/burst.json; }
export BUILT="$PWD/built"
ROUNDS=1 WAYS='plain never never_flag methods_1000 streams_1000' "$root/bench/burst" tiny >result/burst.json
for way in plain never never_flag methods_1000 streams_1000; do
    is "$(row $way)" ran "bursts: $way"
done
inode=$(stat -c %i "$BUILT/tiny/count")
ROUNDS=1 WAYS='plain never methods_100' "$root/bench/burst" tiny >again.json
is "$(stat -c %i "$BUILT/tiny/count")" "$inode" 'what was built is not built again'
ROUNDS=2 SIZE=field WAYS='plain never_flag budget_flag' "$root/bench/burst" --budget tiny >result/burst_budget.json
like "$(cat result/burst_budget.json)" '"way": "budget_flag", .*"achieved": \[[0-9.]+,[0-9.]+\]' 'what it says it spent'

# One of one is all there is. Streams go on as long as a burst does; how many events the first burst has left is random,
# unless there is a seed.
RATES=1 BURSTS=1 PERIODS='' KEPT=$PWD/kept_bursts "$root/bench/burst_overlap" tiny >result/burst_overlap.json
RATES=1 BURSTS=1000000 SEED=1 KEPT=$PWD/kept_streams "$root/bench/burst_overlap" --streams tiny >result/burst_streams.json
overlaps() { perl -MJSON::PP -e 'local $/; print join " ", map { "$_->{kind} $_->{complete} $_->{top}" } @{decode_json(<STDIN>)->{rows}[0]{overlap}}' <"$1"; }
is "$(overlaps result/burst_overlap.json)" 'calls 1 1 graph 1 1 methods 1 1 paths 1 1 trips 1 1' 'a sample of all is all'
is "$(overlaps result/burst_streams.json)" 'streams 1 1' 'of streams, too'
like "$(cat result/burst_overlap.json)" '"is":.*"methods":3,' 'what there is'
# The program is so short that the kernel may find no time in user mode: tables print times that are written here.
perl -pi -e 'my $s = /"way": "plain"/ ? 1 : 1.05; s/"(seconds|low|high)": [0-9.]+/"$1": $s/g' result/burst.json
"$root/bench/tables" "$PWD/result" >out
ok 'bursts in tables' has '## Bursts: accuracy' out
ok 'and what they cost' has '| count, geometric mean | at most 6% | 5.0%, of the lowest 5.0% | yes |' out
exits 2 'a subject that is none' "$root/bench/burst_overlap" nobody
exits 2 'none to be timed' "$root/bench/burst" nobody

# --- what a counted build loses -----------------------------------------------------------------

# Nine comparisons a call become an indirect jump.
cat >chain.c <<'C'
volatile int x = 8;
__attribute__((noinline)) static int f(int n)
{
    switch (n) {
    case 0: return 14; case 1: return 3; case 2: return 77; case 3: return x; case 4: return 5;
    case 5: return 41; case 6: return 9 * x; case 7: return 12; case 8: return 2 + x;
    }
    return 1;
}
int main(void) { int sum = 0; for (int i = 0; i < 1000; i++) sum += f(x); return sum == 1; }
C
clang-19 -O2 -o table chain.c && clang-19 -O2 -fno-jump-tables -o chain chain.c
"$root/bench/losses" --static table chain >losses
like "$(cat losses)" '^[0-9]+ bytes of code, relative to plain [0-9.]+$' 'sizes of two builds'
if command -v valgrind >losses.valgrind; then
    "$root/bench/losses" table chain <losses >losses.run
    like "$(cat losses.run)" '^\+[0-9.]+.*	jump table	f$' 'a jump table that is lost'
    like "$("$root/bench/losses" table table)" 'instructions, relative to plain 1\.000$' 'no difference'
else
    skip 'a jump table that is lost' 'there is no valgrind'
    skip 'no difference' 'there is no valgrind'
fi
exits 2 'one build' "$root/bench/losses" table
exits 2 'a build that is none' "$root/bench/losses" table nobody

# --- what makes counts cheap --------------------------------------------------------------------

# Instructions are those of a run under callgrind.
if command -v valgrind >levers.valgrind; then
    "$root/bench/levers" tiny >result/levers.json
    is "$(grep -c '"instructions": [1-9]' result/levers.json)" 10 'all builds of levers run'
    perl -pi -e 's/"instructions": \K[0-9]+/{plain => 1000, ir => 1500, no_sums => 1300, none => 1400}->{(\/"way": "(\w+)"\/)[0]} \/\/ 1250/e' result/levers.json
    "$root/bench/tables" "$PWD/result" >out
    ok 'without one of them' grep -qE '^\| without \*sums\*: [a-z ]+ \| 1\.300 \|.*\| 1\.30 \(tiny\) \|$' out
    ok 'with all' grep -qE '^\| all \| 1\.250 \|.*\| 1\.25 \(tiny\) \|$' out
else
    skip 'all builds of levers run' 'there is no valgrind'
    skip 'without one of them' 'there is no valgrind'
    skip 'with all' 'there is no valgrind'
fi
exits 2 'a subject that is none' "$root/bench/levers" nobody

# --- a command, and what it leaves behind -------------------------------------------------------

exits 3 'the status is that of the command' "$bin/spend" --all=60 spent sh -c '(setsid sh -c "sleep 1; echo late >late" &); exit 3'
is "$(cat late)" late 'what a command leaves behind is waited for'
like "$(cat spent)" '^[0-9.]+ [0-9.]+ [0-9]+ [1-9][0-9.]+$' 'and measured'
exits 124 'a command has a limit of time' "$bin/spend" --all=1 spent sh -c '(setsid sleep 977 &); sleep 978'
is "$(pgrep -fx 'sleep 97[78]')" '' 'all of it is killed then'
exits 2 'a server that is none' "$root/bench/servers" nobody
exits 2 'neither to sample' "$root/bench/live" nobody

done_testing
