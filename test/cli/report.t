#!/bin/sh
# The lists of trod report and trod diff: which functions, in which order, in which groups.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >twice.c <<'C'
int twice(int i)
{
    if (i > 5 && i % 2)
        return 2 * i;
    return i + i;
}
C
cat >work.c <<'C'
#include <stdlib.h>

int twice(int i);

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
"$root/build/release/trod" cc -O1 -g -o work work.c twice.c
TROD_OUT=a.trod ./work 10
TROD_OUT=b.trod ./work 30

# column N: the words in it, of the rows, on one line
column()
{
    grep '^ *[0-9]' | awk -v n="$1" '{ print $n }' | paste -sd' ' -
}

# --- choosing ---------------------------------------------------------------------------------

is "$(trod report --brief --function='tw*' a.trod | column 4 | tr ' ' '\n' | sort -u)" twice "functions are chosen by name"
is "$(trod report --brief -f 'tw*' a.trod | head -n 1)" \
    "# 3 of 3 paths that ran and were chosen, 18 times in all" "and their number is printed"
like "$(trod report --brief -f 'tw*' a.trod)" '^ 22\.2%  22\.2%            4  twice' "shares are of all that ran"
exits 3 "a name that nothing has" trod report --brief -f 'nothing' a.trod
is "$(trod diff --brief -f work a.trod b.trod | grep -c ' work =')" \
    "$(trod diff --brief a.trod b.trod | grep -c ' work =')" "diff chooses, too"
unlike "$(trod diff --brief -f work a.trod b.trod)" ' twice =' "and leaves out others"

# --- order ------------------------------------------------------------------------------------

is "$(trod report --brief --sort=count a.trod)" "$(trod report --brief a.trod)" "by count is how it was"
is "$(trod report --brief a.trod | column 3)" "$(trod report --brief a.trod | column 3 | tr ' ' '\n' | sort -rn | paste -sd' ' -)" \
    "counts go down"
is "$(trod report --brief --sort=weight a.trod | column 4)" \
    "$(trod report --brief --sort=weight a.trod | column 4 | tr ' ' '\n' | sort -rn | paste -sd' ' -)" "weights go down"
is "$(trod report --brief --sort=function a.trod | column 4 | tr ' ' '\n' | uniq | paste -sd' ' -)" "main twice work" \
    "functions by name"
is "$(trod report --brief --sort=file a.trod | column 4 | tr ' ' '\n' | uniq | paste -sd' ' -)" "twice main work" \
    "functions by file"
is "$(trod report --brief --sort=weight a.trod | tail -n 1 | cut -c8-13)" "100.0%" "all weights are the whole"
# Of each path, blocks times count: counted here by hand from the blocks.
is "$(trod report --brief --blocks --sort=weight a.trod | grep '^ *[0-9]' | awk '{
        n = 0
        for (i = 7; i <= NF; i++)
            if ($i == ">" && i > 7) break
            else if ($i != ">") n++
        if (n * $3 != $4) print
    }')" "" "a weight is the count times the blocks"
is "$(trod report --brief --sort=weight a.trod | head -n 1 | grep -o '[0-9]* blocks')" \
    "$(trod report --brief --sort=weight a.trod | grep '^ *[0-9]' | awk '{ n += $4 } END { print n " blocks" }')" \
    "and they add up to the blocks that ran"
is "$(trod report --brief --sort=function --most=2 a.trod | grep -c '^ *[0-9]')" 2 "as many rows as asked for"
exits 2 "an order that is none" trod report --brief --sort=size a.trod

# --- groups -----------------------------------------------------------------------------------

is "$(trod report --brief --group=none a.trod)" "$(trod report --brief a.trod)" "no groups is how it was"
is "$(trod report --brief --group=function a.trod | column 5)" "work twice main" "a row for each function"
is "$(trod report --brief --group=function a.trod | column 6)" "work.c twice.c work.c" "with its file"
is "$(trod report --brief --group=file a.trod | column 5)" "work.c twice.c" "a row for each file"
is "$(trod report --brief --group=file a.trod | grep '^ *[0-9]' | awk '{ n += $3 } END { print n }')" \
    "$(trod report --brief a.trod | grep '^ *[0-9]' | awk '{ n += $3 } END { print n }')" "nothing is lost in groups"
is "$(trod report --brief --group=file a.trod | grep '^ *[0-9]' | awk '{ n += $4 } END { print n }')" \
    "$(trod report --brief a.trod | grep -c '^ *[0-9]')" "and every path is in one"
like "$(trod diff --brief --group=function a.trod b.trod)" '^moved +11 +31 +2  work  work\.c$' "differences in groups"
like "$(trod diff --brief --group=file --sort=weight a.trod b.trod)" '^moved .* twice\.c$' "by file and weight"
like "$(trod diff --brief --most=1 a.trod b.trod)" '^# 1 of [0-9]+ paths, those that moved farthest' "the farthest of all"
is "$(trod diff --brief --sort=function a.trod b.trod | grep -v '^#' | awk '{ print $4 }' | uniq | paste -sd' ' -)" \
    "twice work" "differences by name"

# --- without names ----------------------------------------------------------------------------

mv work moved
like "$(trod report --brief --group=function -q a.trod)" '^ .* \?[0-9a-f]{16}  \?$' "unknown functions are not merged"
like "$(trod report --brief --group=file -q a.trod)" '^100\.0% .* \?$' "in no file"
mv moved work

# --- paths that say nothing -------------------------------------------------------------------------

like "$(trod report a.trod)" ' main ' "a path without a decision is listed where there is room"
unlike "$(trod report --most=2 --brief a.trod)" 'not listed: 0' "a count of zero is not printed"
like "$(trod report --most=2 a.trod)" '^# not listed: 1 path of functions without a decision; see --all-paths$' \
    "where there is none, others come first"
unlike "$(trod report --most=2 --all-paths a.trod)" 'not listed' "--all-paths: all of them"
unlike "$(trod report --most=1 -f 'ma*' a.trod)" 'not listed' "a function that was asked for"

# --- JSON -------------------------------------------------------------------------------------

if perl -MJSON::PP -e 1 2>said; then
    # shellcheck disable=SC2016
    field='local $/; $_ = decode_json(<STDIN>); my $r = $_->{report} // $_->{diff};'
    is "$(trod report --json a.trod | perl -MJSON::PP -e "$field"'
        my $sum = 0; $sum += $_->{share} for @{$r->{hot}}; printf "%.3f %.3f", $sum, $r->{hot}[-1]{all}')" \
        "1.000 1.000" "shares in JSON are fractions"
    is "$(trod report --json --group=function a.trod | perl -MJSON::PP -e "$field"'
        print join " ", map { "$_->{function}:$_->{paths}" } @{$r->{functions}}')" "work:4 twice:3 main:1" \
        "groups in JSON"
    is "$(trod report --json -f main a.trod | perl -MJSON::PP -e "$field"'
        print join " ", map { "$_->{function}=$_->{id} $_->{weight}" } @{$r->{hot}}')" "main=0 1" "a choice in JSON"
    is "$(trod diff --json --group=file a.trod b.trod | perl -MJSON::PP -e "$field"'
        print join " ", map { $_->{file} } @{$r->{files}}')" "work.c twice.c" "differences in JSON"
else
    skip "the same in JSON" "perl has no JSON::PP"
fi

done_testing
