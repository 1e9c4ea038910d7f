#!/bin/sh
# trod migrate on text files: what it merges from a plan and entries, what it prints, and the statuses of errors.
# test/program/migrate.t tests whole programs.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

mkdir plan
cat >plan/plan <<'END'
migration calls own 30
old app1
new app2
module app2 00ff
input small check
input large run f
input other skipped
function affected f a.c f a.c "it changed"
function unaffected g a.c g a.c
again f a.c
END
cat >plan/small.old <<'END'
entries calls
entry f a.c - - 0 10 4 profiled was 3 trust 1
entry g a.c - - 0 20 7 profiled was 7 trust 1
END
cat >plan/large.old <<'END'
entries calls
entry f a.c - - 0 10 30 inferred was 30 trust 0.5
entry g a.c - - 0 20 70 validated was 70 trust 0.99
END
cat >plan/other.old <<'END'
entries calls
entry g a.c - - 0 20 5 reused was 5 trust 0.9
END
printf 'entries calls\nentry f a.c - - 0 10 41\n' >large.entries

# --- merging --------------------------------------------------------------------------

ok "a plan is finished with what was counted" trod migrate --finish=plan large.entries -o merged
is "$(cat merged/large.entries)" 'entries calls
input large
version app2
entry f a.c - - 0 10 41 profiled was 30 trust 1.0000
entry g a.c - - 0 20 70 validated was 70 trust 0.9900' "what was counted replaces what was inferred"
is "$(sed -n 4p merged/other.entries)" 'entry g a.c - - 0 20 5 reused was 5 trust 0.9000' "what was skipped is as planned"
is "$(grep -c profiled merged/small.entries)" 2 "what was checked is profiled"
is "$(trod migrate --finish=plan large.entries -o merged)" 'small: 2 entries
  profiled         2  counts 11
large: 2 entries
  validated        1  counts 70
  profiled         1  counts 41
other: 1 entries
  reused           1  counts 5' "and it prints how many entries are of which kind"
unlike "$(trod migrate --finish=plan large.entries -o merged)" "$(printf '\033')" "without colours, where there is no terminal"
like "$(trod migrate --finish=plan --json large.entries -o merged)" '"profiled": *{' "as JSON, too"
like "$(trod migrate --finish=plan --explain=f large.entries -o merged)" 'profiled .*41 .*was 30' "one function can be looked at"
ok "nothing need be run again" trod migrate --finish=plan --no-rerun -o merged
like "$(cat merged/large.entries)" 'entry f .* 30 inferred' "then it is inferred"

# --- what is refused ---------------------------------------------------------------------

exits 3 "an input that must be run" trod migrate --finish=plan -o merged
exits 4 "an input that the plan does not know" trod migrate --finish=plan large.entries huge=large.entries -o merged
exits 3 "a function that nothing is merged of" trod migrate --finish=plan --explain=h large.entries -o merged
exits 5 "a plan that is not there" trod migrate --finish=nowhere -o merged
# An untrusted plan may name any file.
mkdir -p deep/er/evil
for name in ../../x /tmp/x a/b .. . ""; do
    sed "s|^input small|input \"$name\"|" plan/plan >deep/er/evil/plan
    cp plan/*.old deep/er/evil
    cp plan/small.old deep/x.old
    exits 3 "an input of the name '$name'" trod migrate --finish=deep/er/evil --no-rerun -o deep/er/evil
    like "$tap_out" "'.*' is no name for an input|expected the name of an input|name" "... is refused by name"
done
is "$(find . -name 'x.entries' -o -name 'b.entries')" "" "nothing is written outside of the folder"
exits 2 "no folder" trod migrate --finish=plan large.entries
exits 2 "--finish and --score" trod migrate --finish=plan --score=merged -o merged
exits 2 "no versions" trod migrate --type=loops a.trod -o plan
exits 2 "no type" trod migrate --old=a --new=b a.trod -o plan
exits 2 "no profiles" trod migrate --old=a --new=b --type=loops -o plan
exits 2 "no level" trod migrate --old=a --new=b --type=loops --level=big a.trod -o plan
exits 2 "no method" trod migrate --old=a --new=b --type=loops --method=magic a.trod -o plan
exits 3 "an unknown type" trod migrate --old=a --new=b --type=mine a.trod -o plan
like "$(trod migrate --old=a --new=b --type=mine a.trod -o plan 2>&1)" 'statement, loop, function, class, program' "is refused with the levels there are"
exits 3 "a level that is too fine" trod migrate --old=a --new=b --type=paths --level=loop a.trod -o plan
printf 'entries loops\nentry f a.c 0 - 0 1 1\n' >loops.entries
exits 4 "entries of another type" trod migrate --finish=plan large=loops.entries -o merged
printf 'entries calls\nentry f\n' >cut.entries
exits 3 "entries that are cut off" trod migrate --finish=plan large=cut.entries -o merged
like "$(trod migrate --finish=plan large=cut.entries -o merged 2>&1)" 'cut.entries:2: ' "are refused with the line"
echo 'input small run' >plan/plan
exits 3 "a plan that is none" trod migrate --finish=plan large.entries -o merged

done_testing
