#!/bin/sh
# A folder stands for the profiles in and below it, wherever profiles are read.
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
mkdir -p tests/deep/er empty "blank name"
TROD_OUT=tests/2.trod ./app a
TROD_OUT=tests/1.trod ./app
TROD_OUT=tests/deep/er/3.trod ./app a b
TROD_OUT=field.trod ./app a b
all="tests/1.trod tests/2.trod tests/deep/er/3.trod"
echo "not a profile" >tests/README
ln -s .. tests/deep/circle

for command in "show" "merge --text" "check" "report" "coverage" "annotate" "tests" "set list" "stage flow" \
    "export --to=json" "html --json"; do
    # shellcheck disable=SC2086
    is "$(trod $command tests 2>&1)" "$(trod $command $all 2>&1)" "$command: a folder is all *.trod files below it"
done
is "$(trod tests tests/ 2>&1)" "$(trod tests tests 2>&1)" "a slash at the end changes nothing"
is "$(trod diff tests/1.trod tests 2>&1 | head -3)" "$(
    # shellcheck disable=SC2086
    trod merge -q -o all.trod $all
    trod diff tests/1.trod all.trod 2>&1 | head -3
)" "diff: a folder is one side"
exits 0 "untested: --tested takes a folder" trod untested --tested=tests/ field.trod
exits 1 "... and finds what is in none of its profiles" trod untested --tested=tests/1.trod tests
exits 0 "html: --tested takes a folder" trod html --tested=tests -o page.html field.trod
exits 0 "tests: --failed takes a folder" trod tests --failed=tests/deep tests/1.trod tests/2.trod
cp tests/1.trod "blank name/a b.trod"
exits 0 "names may have blanks" trod report "blank name"

for command in report merge coverage tests show check "untested --tested=empty" "untested --tested=field.trod"; do
    # shellcheck disable=SC2086
    exits 3 "$command: a folder without profiles is an error" trod $command empty
    like "$tap_out" "^trod: empty: this folder has no profiles \(files NAME.trod\); run the program first" \
        "... that names it and what to do"
done
: >empty/none.trod
exits 3 "a folder of one file that is not a profile is an error" trod report empty
like "$tap_out" "^trod: empty/none.trod: not a profile: the file is empty" "... that names the file"
ln -s nowhere empty/gone.trod
exits 5 "a link to nothing is an error" trod report empty
like "$tap_out" "^trod: empty/gone.trod: No such file" "... that names the link"

done_testing
