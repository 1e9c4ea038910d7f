#!/bin/sh
# Profiles of several programs: different functions with the same name, and functions that are the same in all.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >shared.h <<'EOC'
static inline int inlined(int x)
{
    return x > 2 ? 1 : 2;
}
EOC
cat >shared.c <<'EOC'
#include "shared.h"
int shared(int x)
{
    if (x & 1)
        x += 3;
    return x > 5 ? inlined(x) : 0;
}
EOC
cat >one.c <<'EOC'
#include "shared.h"
int shared(int x);
int palloc(int x)
{
    return x > 1 ? x : 0;
}
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 3)
        return palloc(argc) < 0;
    return shared(argc) + inlined(argc) < 0;
}
EOC
cat >two.c <<'EOC'
#include "shared.h"
int shared(int x);
int palloc(int x)
{
    for (int i = 0; i < x; i++)
        x -= i & 1;
    return x;
}
int main(int argc, char **argv)
{
    int sum = 0;

    for (int i = 0; i < argc; i++)
        sum += shared(i) + palloc(i) + (argv[i] == 0) + inlined(i);
    return sum < 0;
}
EOC
for program in one two; do
    trod cc -g -O0 $program.c shared.c -o $program
    TROD_OUT=$program.trod ./$program a
    TROD_OUT=$program-more.trod ./$program a b c
done
trod merge -o tests.trod one.trod two.trod

# --- untested
trod untested --brief --tested tests.trod one-more.trod >out 2>said
is "$?" 1 "tests of two programs, the field of one: it is the same build"
like "$(cat out)" "palloc" "what other tests ran of that name is not what this program has"
like "$(cat out)" "main" "... and main is its own"
like "$(cat said)" "2 functions of other programs' tests have the same names as functions in production; they are skipped" "what is passed over is counted"
trod untested --brief --tested one.trod one-more.trod | sed 's/^#.*//' >alone
sed 's/^#.*//' out >both
ok "the answer is that of its own tests" cmp both alone
trod untested --brief --tested tests.trod one-more.trod two-more.trod >out 2>said
is "$?" 1 "the field of both"
exits 0 "nothing is untested where the tests are the field" trod untested --brief --tested tests.trod one.trod
exits 0 "... or of the other" trod untested --brief --tested tests.trod two.trod
trod set list tests.trod --binary=one --binary=two >tests.list 2>/dev/null
exits 0 "a list of both, the field of both" trod untested --brief --tested tests.list one.trod two.trod
# Another build is still one.
sed 's/argc > 3/argc > 3 \&\& argc < 9/' one.c >changed.c
trod cc -g -O0 changed.c shared.c -o changed
TROD_OUT=changed.trod ./changed a
exits 4 "tests of another build are refused" trod untested --brief --tested one.trod changed.trod
exits 4 "... also with those of another program" trod untested --brief --tested tests.trod changed.trod
exits 4 "... and the other way round" trod untested --brief --tested changed.trod --tested two.trod one.trod

# --- one number
all="one.trod two.trod one-more.trod two-more.trod"
# shellcheck disable=SC2086
report=$(trod report --brief --most=1000 $all | sed -n 's/^# [0-9]* of \([0-9]*\) paths that ran.*/\1/p')
# shellcheck disable=SC2086
coverage=$(trod coverage --group=program $all | sed -n 's/^# ran: \([0-9]*\) of .*/\1/p')
# shellcheck disable=SC2086
page=$(trod html -q --json $all | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["paths"]["count"]))')
is "$report" "$coverage" "report and coverage print the same number of paths"
is "$page" "$coverage" "so does the page"
# shellcheck disable=SC2086
trod report --brief --most=1000 $all >rows
joined=$(sed -n 's/^# \([0-9]*\) paths of copies .*/\1/p' rows)
is "$(($(grep -c '^ *[0-9.]*%' rows) + joined))" "$report" "each is one row, or a copy that is added to one"
is "$joined" 2 "copies of a header's function"
# shellcheck disable=SC2086
is "$(trod set list $all | grep -c '^=')" "$report" "a list has as many"
# shellcheck disable=SC2086
is "$(trod report --brief --list --most=1000 $all | grep -c '^=')" "$report" "so has the list of a report"
# shellcheck disable=SC2086
is "$(trod report --brief --most=1000 $all | awk '/^ *[0-9.]*%/ && /shared/ { n += $3 } END { print n + 0 }')" \
    "$(for f in $all; do trod report --brief $f; done | awk '/^ *[0-9.]*%/ && /shared/ { n += $3 } END { print n + 0 }')" \
    "counts are those of all programs"
for command in report coverage; do
    # shellcheck disable=SC2086
    is "$(trod merge $all 2>/dev/null | trod $command --most=1000)" "$(trod $command --most=1000 $all)" "$command: merged or not"
done

done_testing
