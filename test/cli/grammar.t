#!/bin/sh
# Grammars: statuses, pipes, JSON that parses, and sequences larger than fit on a screen.
# shellcheck disable=SC2016 # Perl stands in single quotes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

printf 'sequence steps\n1 2 3 4 2 3\n1 2 3 4 2 3\n' >steps.sequence
printf 'grammar loose\nR0: 1 R1\nR1: 2 3\n' >loose.grammar
printf 'grammar bad\nR0: R1\n' >bad.grammar
mkdir folder

exits 0 "done" trod stage grammar steps.sequence
exits 0 "done, with a check" trod stage grammar --check steps.sequence
exits 0 "without --check it is not checked" trod stage grammar loose.grammar
exits 1 "no: a grammar that was read is not sound" trod stage grammar --check loose.grammar
exits 2 "an unknown option" trod stage grammar --frobnicate steps.sequence
exits 2 "a bound that is not a number" trod stage grammar --most-symbols=few steps.sequence
exits 2 "a bound of 0" trod stage grammar --most-symbols=0 steps.sequence
exits 2 "a bound beyond what can be held" trod stage grammar --most-symbols=4294967296 steps.sequence
exits 2 "--most of what is not expanded" trod stage grammar --most=3 steps.sequence
exits 3 "bad input" trod stage grammar bad.grammar
exits 3 "an empty input" trod stage grammar /dev/null
exits 5 "a missing file" trod stage grammar missing.sequence
exits 3 "a folder without profiles" trod stage grammar folder
exits 5 "an output in a missing folder" trod stage grammar steps.sequence -o missing/out

like "$(trod stage grammar bad.grammar 2>&1)" "^trod: bad.grammar:2: R0 uses R1, which has no line" \
    "a rule that is not there is named, with its place"
like "$(trod stage grammar --check loose.grammar 2>&1)" \
    "^trod: loose.grammar:1: grammar 'loose', part 1: R1 is used once.*--expand" \
    "what is not sound is named, with what to do"
like "$(trod stage grammar /dev/null 2>&1)" "begin with 'sequence NAME'" "an empty input: how to begin"

is "$(trod stage grammar <steps.sequence)" "$(trod stage grammar steps.sequence)" "standard input"
is "$(trod stage grammar steps.sequence steps.sequence | grep -c '^grammar steps$')" 2 "two files"
trod stage grammar -o out.grammar steps.sequence
is "$(trod stage grammar --expand out.grammar | sed 1d | tr '\n' ' ')" "1 2 3 4 2 3 1 2 3 4 2 3 " \
    "a grammar that was written comes back as the sequence"

# Long, and repeated at several scales.
perl -e 'print "sequence long\n"; for my $i (1 .. 30000) { my $n = $i; my $z = 0;
    while ($n % 2 == 0) { $n /= 2; $z++ } print $i % 1000 ? $z : 99, $i % 20 ? " " : "\n" }' >long.sequence
for most in '' --most-symbols=50 --most-symbols=1; do
    # shellcheck disable=SC2086
    trod stage grammar --check $most long.sequence >long.grammar
    trod stage grammar --expand long.grammar | sed 1d | tr -s ' \n' '\n' >back
    sed 1d long.sequence | tr -s ' \n' '\n' >there
    ok "a long sequence comes back ${most:-without a bound}" cmp back there
done

# What doc/stages/grammar.md shows.
{ echo sequence licence; od -An -v -tu1 "$root/LICENSE"; } >licence.sequence
for options in "--sizes --most-symbols=100" "--sizes --most-symbols=1000" --hot=3; do
    # shellcheck disable=SC2086
    trod stage grammar $options licence.sequence | tail -n 1 >row
    ok "doc/stages/grammar.md has what 'trod stage grammar $options' says" grep -qF "$(cat row)" "$root/doc/stages/grammar.md"
done

if perl -MJSON::PP -e 1 2>/dev/null; then
    query() { perl -MJSON::PP -e 'local $/; $_ = decode_json(<STDIN>); print '"$1"; }
    json() { trod stage grammar --json "$@" steps.sequence; }

    is "$(json | query '"$_->{trod} $_->{version}"')" "stage grammar 1" "JSON parses"
    is "$(json | query 'join " ", @{$_->{grammars}[0]{parts}[0][1]}')" "1 R2 4 R2" "a rule"
    is "$(json --expand | query 'join "", @{$_->{grammars}[0]{sequence}}')" 123423123423 "--expand"
    is "$(json --hot | query 'join " ", map { $_->{weight} } @{$_->{grammars}[0]{hot}}')" "12 8" "--hot"
    is "$(json --sizes | query '$_->{grammars}[0]{sizes}[0]{symbols}')" 8 "--sizes"
    is "$(json --sizes --most-symbols=3 | query '$_->{grammars}[0]{sizes}[0]{unbounded}')" 8 \
        "--sizes with a bound tells what there would be without it"
else
    skip "JSON" "perl has no JSON::PP"
fi

done_testing
