#!/bin/sh
# Set operations on profiles of real programs: counted, in chains, across calls, in bursts; and kinds without them.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >work.c <<'C'
#include <stdlib.h>

volatile int seen;

int kind(int i)
{
    if (i < 0)
        return -1;
    if (i % 2)
        seen = 1;
    if (i > 9)
        seen = 2;
    return i;
}

int main(int argc, char **argv)
{
    int s = 0;

    for (int i = 1; i < argc; i++)
        s += kind(atoi(argv[i]));
    return s == 1000;
}
C
mkdir next
sed 's/seen = 2;/while (i-- > 9) seen = 2;/' work.c >next/work.c

# build WORD OPTION...
build()
{
    word=$1
    shift
    "$root/build/release/trod" cc "$@" -O1 -g -o "$word" work.c
}

# ran FILE: which paths of 'kind' ran, by their decisions, and how often
ran()
{
    trod report --brief -q --function=kind "$1" | sed -n 's/^[^#]* \([0-9]*\)  kind =[0-9]*  entry \(.*\) return.*/\2 x\1/p' |
        sort | paste -sd';' -
}

build all
TROD_OUT=a.trod ./all -1 2 4 6
TROD_OUT=b.trod ./all 2 1 3 11
TROD_OUT=c.trod ./all 2
is "$(ran a.trod)" "7:F 9:F 11:F x3;7:T x1" "what ran, by decisions"
a_paths=$(trod show a.trod | grep -c '^=')
ok "union" trod set union -o union.trod a.trod b.trod c.trod
ok "intersection" trod set intersect -o both.trod a.trod b.trod c.trod
ok "difference" trod set subtract -o only.trod a.trod b.trod c.trod
ok "difference of counts" trod set subtract --counts -o more.trod a.trod b.trod
for file in union both only more; do
    exits 0 "$file is sound" trod check $file.trod
    like "$(trod report --brief $file.trod)" '^# note: (union|intersect|subtract) .*this is not a run$' "a report of $file says what it is"
done
is "$(ran only.trod)" "7:T x1" "what ran in the first alone"
is "$(ran both.trod)" "$(ran c.trod)" "what ran in all"
is "$(ran more.trod)" "7:F 9:F 11:F x2;7:T x1" "what ran more often"
is "$(ran union.trod)" "7:F 9:F 11:F x3;7:F 9:T 11:F x2;7:F 9:T 11:T x1;7:T x1" "what ran in any, as often as where it ran most"
trod set intersect -o with.trod a.trod b.trod
trod set subtract -o without.trod a.trod b.trod
is "$(trod set union --text with.trod without.trod | grep -c '^=')" "$a_paths" "the first is what it has in common, and what not"
trod set union --text a.trod b.trod | grep -v -e '^note' >one
trod set union --text b.trod a.trod | grep -v -e '^note' >other
ok "the order makes no difference" cmp one other
is "$(trod diff --brief union.trod union.trod | head -1 | grep -c '0 appeared, 0 vanished, 0 moved')" 1 "others read it"
like "$(trod merge only.trod c.trod | trod report)" '^# note: subtract ' "merged, it still says so"
like "$(trod coverage -q union.trod)" 'kind' "coverage of all that ran anywhere"
unlike "$(trod report --brief union.trod)" 'did not finish|before a fork' "counts of a set have no abandoned activations"

# --- another build ----------------------------------------------------------------------------------

(cd next && build next)
TROD_OUT=n.trod ./next/next -1 2
trod set subtract -o new.trod a.trod n.trod 2>said
like "$(cat said)" '^trod: note: 1 functions changed .*: kind$' "a function that changed is named"
like "$(trod show new.trod)" '^note "changed functions .*: [0-9a-f]{16}"$' "in the result, too"
is "$(ran new.trod)" "$(ran a.trod)" "none of its paths is the same"
is "$(trod report --brief -q --function=main new.trod | grep -c ' main =')" 0 "those of a function that did not change are"
like "$(trod diff --brief a.trod n.trod)" '^# [0-9]+ more belong to functions that changed' "diff counts them"

# --- other profiles -------------------------------------------------------------------------------------

build chains --iterations=2
build bursts --burst=trigger=always
for word in chains bursts; do
    TROD_OUT=$word.1 ./$word 1 2 3
    TROD_OUT=$word.2 ./$word 2
    for command in union intersect subtract; do
        trod set $command -q -o $word.$command $word.1 $word.2
        exits 0 "$command of $word" trod check $word.$command
    done
    is "$(trod set subtract -q --text $word.1 $word.1 | grep -c -e '^=' -e '^begun')" 0 "$word less itself is nothing"
done
like "$(trod sample functions bursts.union)" ' main ' "methods of a union"
unlike "$(trod show bursts.union)" '^note "sampled' "what was always counted is exact"
build some --burst
TROD_OUT=some.1 ./some 1 2 3
TROD_OUT=some.2 ./some 2
like "$(trod set subtract -q --text some.1 some.2)" '^note "sampled counts are estimates' "estimates are noted"
build steps --wpp
TROD_OUT=steps.trod ./steps 1
exits 4 "recorded steps instead of counts" trod set union -o x.trod steps.trod a.trod
like "$(trod set union -o x.trod steps.trod a.trod 2>&1)" "'trod calls steps'" "and the message says what to do"
build blocks --online
TROD_OUT=blocks.trod ./blocks 1
exits 4 "nor are samples" trod set intersect -o x.trod blocks.trod blocks.trod
exits 4 "modes are not mixed" trod set union -o x.trod a.trod chains.1
is "$(find . -name x.trod)" "" "and nothing is left of it"
exits 2 "one profile is not enough" trod set subtract -o x.trod a.trod
exits 3 "a file that is not a profile" trod set union -o x.trod a.trod work.c
exits 5 "a missing file" trod set union -o x.trod a.trod missing.trod
is "$(trod set union --text - b.trod <a.trod)" "$(trod set union --text a.trod b.trod)" "standard input by name"
head -c 73728 a.trod >cut.trod
like "$(trod set subtract --text b.trod cut.trod)" '^note "lost cut.trod' "a damaged one that was subtracted is reported"

done_testing
