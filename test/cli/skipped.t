#!/bin/sh
# Some of many files are not profiles: empty files, of programs that were killed early, and damaged ones.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'EOC'
int main(int argc, char **argv)
{
    (void)argv;
    return argc > 2 ? 0 : argc > 1 ? 0 : 0;
}
EOC
trod cc -g app.c -o app
TROD_OUT=1.trod ./app
TROD_OUT=2.trod ./app a
TROD_OUT=3.trod ./app a b
: >empty.trod
head -c 5 1.trod >cut.trod
head -c 4096 /dev/zero >zero.trod
echo 'int x;' >x.c
trod merge -o sound.trod 1.trod 2.trod 3.trod
bad="empty.trod cut.trod zero.trod x.c"

# shellcheck disable=SC2086
trod merge -o some.trod 1.trod $bad 2.trod 3.trod 2>said
is "$?" 0 "merge: files that are not profiles are skipped"
said=$(cat said)
like "$said" "^trod: note: 4 of 7 files could not be used and were skipped; --strict" \
    "... and how many there were is reported"
like "$said" "^trod: note: skipped: empty.trod: not a profile: the file is empty" "... of the first ones, which and why"
is "$(echo "$said" | grep -c 'skipped: ')" 3 "... and no more than three"
is "$(trod show some.trod | grep -v ^note)" "$(trod show sound.trod)" "... the others are all there"
like "$(trod show some.trod)" '^note "lost 4 of 7 files: they could not be used and were skipped"' \
    "the result says that it is not of all files"
like "$(trod report --brief some.trod)" "^# note: lost 4 of 7 files" "... also in the report on the sum"

for command in report coverage "stage flow" annotate "export --to=json" "report --json" \
    "coverage --json" "set list" "tests" "html -o page.html"; do
    # shellcheck disable=SC2086
    exits 0 "$command: skips what it cannot use" trod $command --strict 1.trod 2.trod 3.trod
    # shellcheck disable=SC2086
    exits 0 "$command: skips what it cannot use" trod $command 1.trod $bad 2.trod 3.trod
    like "$tap_out" "4 of 7 files could not be used and were skipped" "... and says so"
    # shellcheck disable=SC2086
    exits 3 "$command: --strict" trod $command --strict 1.trod $bad 2.trod 3.trod
done
# shellcheck disable=SC2086
exits 0 "show: skips what it cannot use" trod show 1.trod $bad 2.trod 3.trod
for command in report coverage "report --json" "coverage --json" "export --to=json" "show --json"; do
    # shellcheck disable=SC2086
    like "$(trod $command -q 1.trod $bad 2.trod 3.trod 2>&1)" 'lost 4 of 7 files|"skipped":' \
        "$command: the result itself says so"
done
is "$(grep -c "lost 4 of 7 files" page.html)" 1 "the page says so"

for file in $bad; do
    exits 3 "$file by itself is an error" trod report --brief "$file"
    exits 3 "... and for merge" trod merge -o none.trod "$file"
done
# shellcheck disable=SC2086
exits 3 "no file is a profile" trod merge -o none.trod $bad
like "$tap_out" "^trod: none of the 4 files could be used" "... and that is reported"
ok "... nothing is written" test ! -e none.trod
exits 5 "a file that is not there is an error" trod report --brief 1.trod missing.trod
# What is not there changes what the others have in common.
exits 3 "sets: every profile counts" trod set intersect -o none.trod 1.trod empty.trod
exits 3 "diff: every profile counts" trod diff --brief 1.trod empty.trod
exits 1 "untested: of tests and field" trod untested --brief --tested 1.trod --tested empty.trod 2.trod 3.trod
exits 3 "untested: no test can be used" trod untested --brief --tested empty.trod 2.trod

done_testing
