#!/bin/sh
# The overlap of two profiles of real programs: counted, sampled and recorded ones.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >work.c <<'C'
#include <stdlib.h>

static int twice(int i)
{
    if (i > 5 && i % 2)
        return 2 * i;
    return i + i;
}

static int work(int n)
{
    int s = 0;

    for (int i = 0; i < n; i++)
        if (i % 3 == 0)
            s += i;
        else
            s -= twice(i);
    return s;
}

int main(int argc, char **argv)
{
    return work(atoi(argv[argc - 1])) == 1;
}
C

# build WORD OPTION...: the program and its profiles WORD10.trod and WORD31.trod
build()
{
    word=$1
    shift
    "$root/build/release/trod" cc "$@" -O1 -g -o "$word" work.c
    for n in 10 31; do
        TROD_OUT=$word$n.trod "./$word" $n
    done
}

# numbers FILE FILE OPTION...: the two overlaps, and the members of the first
numbers()
{
    trod overlap "$@" | awk '/^complete/ { print $2, $3, $4, $5 } /^top/ { print $3 }' | paste -sd' ' -
}

# --- paths ------------------------------------------------------------------------------------

# Counts are, of twice, 1 1 4 and 8 8 4, of work 1 3 6 1 and 1 10 20 1, of main 1 and 1: 18 and 53 in all.
build all
all=$(trod overlap all10.trod all31.trod)
like "$all" '^complete +[0-9.]+% +[0-9]+ +[0-9]+ +[0-9]+$' "the overlap of all"
like "$all" '^top 90% +[0-9.]+% ' "and of the top"
like "$all" '^ +14\.[0-9]+%  22\.2%   7\.[0-9]%  twice =[0-9]+  entry 5:F return 8$' "what costs most, as report tells it"
is "$(numbers all10.trod all31.trod | cut -d' ' -f1,5)" "$(numbers all31.trod all10.trod | cut -d' ' -f1,5)" \
    "the same the other way round"
trod merge -q -o twice.trod all10.trod all10.trod
is "$(numbers all10.trod twice.trod --min=100 | cut -d' ' -f1,5)" "100.00% 100.00%" "the same program twice is the same"
like "$(trod overlap --group=function all10.trod all31.trod)" '^ .*%  twice  work\.c$' "by function"
is "$(numbers all10.trod all31.trod --group=file)" "100.00% 1 1 1 100.00%" "by file"
is "$(trod overlap --most=2 all10.trod all31.trod | grep -c '^ .*%')" 2 "as many as are wanted"
is "$(trod overlap - all31.trod <all10.trod)" "$all" "from standard input"

exits 1 "less than is demanded" trod overlap --min=99 all10.trod all31.trod
exits 0 "as much" trod overlap --min=50 all10.trod all31.trod
exits 1 "the top has less than is demanded" trod overlap --top=90 --min=99 all10.trod all31.trod

# By hand, from what 'trod show' tells: the sum of the lesser shares.
share_sum()
{
    for f in all10 all31; do
        trod show $f.trod | awk -v f=$f '/^function/ { at = $2 } /^=/ { print f, at $1, $2 }'
    done | awk '{ n[$1, $2] = $3; sum[$1] += $3; path[$2] = 1 }
        END {
            for (p in path) {
                a = n["all10", p] / sum["all10"]; b = n["all31", p] / sum["all31"]
                all += a < b ? a : b
            }
            printf "%.2f%%\n", 100 * all
        }'
}
is "$(numbers all10.trod all31.trod | cut -d' ' -f1)" "$(share_sum)" "as a few lines of awk have it"

if perl -MJSON::PP -e 1 2>/dev/null; then
    is "$(trod overlap --json all10.trod all31.trod | perl -MJSON::PP -e '
        local $/; my $o = decode_json(<STDIN>)->{overlap};
        printf "%s %.2f%% %d %d", $o->{members}, 100 * $o->{complete}{overlap}, $o->{top}{percent}, scalar @{$o->{paths}}')" \
        "paths $(share_sum) 90 $(echo "$all" | grep -c '^ .*%')" "in JSON"
else
    skip "in JSON" "no JSON::PP"
fi

# --- subpaths ---------------------------------------------------------------------------------

"$root/build/release/trod" cc --online=f=4 -O1 -g -o some work.c
TROD_OUT=some.trod ./some 20000
TROD_OUT=more.trod ./some 30000
is "$(numbers some.trod some.trod --min=100 | cut -d' ' -f1,5)" "100.00% 100.00%" "samples, with themselves"
exits 0 "and of two runs" trod overlap --min=50 some.trod more.trod
like "$(trod overlap some.trod more.trod)" '^# subpaths in common$' "members are subpaths"
like "$(trod overlap some.trod more.trod)" '^ .*%  .*main .*1[5-9]' "which are printed with lines"
trod sample subpaths --text some.trod -o some.subpaths
is "$(numbers some.subpaths some.trod | cut -d' ' -f1)" "100.00%" "as text, they are the same"
exits 2 "there are no functions to put them together by" trod overlap --group=function some.trod more.trod

# --- segments ---------------------------------------------------------------------------------

build wpp --wpp
like "$(trod overlap wpp10.trod wpp31.trod)" '^ .*%  work: loop .* calls twice [0-9]+ \( twice: entry .* \) work: after twice ' \
    "recorded segments are reported"
trod calls segments wpp31.trod -o wpp.segments
build seg --segments=wpp.segments
is "$(numbers wpp31.trod seg31.trod --min=100 | cut -d' ' -f1,5)" "100.00% 100.00%" "counted ones are as recorded"
is "$(numbers wpp.segments seg31.trod --min=100 | cut -d' ' -f1,5)" "100.00% 100.00%" "and as listed"
like "$(trod overlap seg10.trod seg31.trod)" '^# paths in common$' "paths across calls are paths"
like "$(trod overlap --depth=1 seg10.trod seg31.trod)" '^# segments in common$' "and segments, with --depth"
exits 4 "segments of another depth" trod overlap --depth=2 wpp.segments seg31.trod

# --- what cannot be compared --------------------------------------------------------------------

exits 4 "paths and samples" trod overlap all10.trod some.trod
exits 4 "paths and steps" trod overlap all10.trod wpp10.trod
exits 4 "paths of two modes" trod overlap all10.trod seg10.trod
like "$(trod overlap all10.trod seg10.trod 2>&1)" \
    '^trod: all10\.trod: paths are of mode source, but in seg10\.trod of mode segments; compare ' "says where, what and why"
exits 2 "one alone" trod overlap all10.trod
exits 2 "three" trod overlap all10.trod all10.trod all10.trod
exits 5 "one that is not there" trod overlap all10.trod missing.trod
exits 3 "a file that is not a profile" trod overlap work.c all10.trod

done_testing
