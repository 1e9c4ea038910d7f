#!/bin/sh
# Lists of paths, coverage and untested paths of a real program.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >price.c <<'C'
#include <stdlib.h>

int never(int x)
{
    return x > 3 ? rand() : 2;
}

int price(int age, int member, int day)
{
    int p = 100;

    if (age < 18)
        p = rand();
    if (member)
        p -= abs(p);
    if (day == 3)
        p -= rand();
    return p;
}
C
cat >main.c <<'C'
#include <stdlib.h>

int never(int x);
int price(int age, int member, int day);

int main(int argc, char **argv)
{
    int sum = 0;

    if (argc < 4)
        return never(argc);
    for (int i = 1; i + 2 < argc; i += 3)
        sum += price(atoi(argv[i]), atoi(argv[i + 1]), atoi(argv[i + 2]));
    return sum == 12345;
}
C
trod="$root/build/release/trod"
"$trod" cc -O1 -g -o app main.c price.c
TROD_OUT=adult.trod ./app 20 0 1    # F F F
TROD_OUT=child.trod ./app 10 1 1    # T T F
TROD_OUT=member.trod ./app 30 1 3   # F T T
TROD_OUT=field1.trod ./app 10 1 3 20 0 1   # T T T, F F F
TROD_OUT=field2.trod ./app 10 1 3 10 0 3   # T T T, T F T
tests="--tested=adult.trod --tested=child.trod --tested=member.trod"

# --- lists ------------------------------------------------------------------------------------

trod set list adult.trod child.trod member.trod -o tests.list
is "$(head -n 1 tests.list)" "list source" "a list says what its paths are of"
like "$(cat tests.list)" '^function price [0-9a-f]{16} [0-9a-f]{16} [0-9a-f]{16} 8$' "functions, their hashes and paths"
like "$(cat tests.list)" '^=7    # entry 12:F 14:F 16:F return 18$' "each path is reported"
is "$(trod set list tests.list --binary=app)" "$(cat tests.list)" "a list comes back, with a program to tell it"
is "$(trod set list -q tests.list)" "$(sed 's/  *#.*//' tests.list)" "and without, as ids"
is "$(trod set list -f price child.trod --minus=adult.trod | grep -c '^=')" 1 "less what others ran"
is "$(trod set list -f price adult.trod --and=field1.trod | grep '^=' | cut -c1-2)" "=7" "what both ran"
is "$(trod report --brief --list --most=1 -f price field1.trod | grep -c '^=')" 1 "a report's paths as a list"
is "$(trod report --brief --list --most=1000 field1.trod)" "$(trod set list field1.trod)" "all of them are those of the profile"
exits 2 "a list of groups" trod report --brief --list --group=file field1.trod
like "$(trod report --brief --list -f '?nothing' field1.trod 2>&1)" "note: the list is empty" "an empty list is said to be"

# --- coverage ---------------------------------------------------------------------------------

trod coverage --sort=share adult.trod child.trod member.trod >said
like "$(cat said)" '^  37\.5%       3       8  100\.0% 100\.0%  price  price\.c:8$' "paths, edges and blocks of a function"
like "$(cat said)" '^   0\.0%       0 .*  never  price\.c:[0-9]+$' "a function that never ran"
like "$(cat said)" '^#   13 of 17 blocks .* 2 of 3 functions \(66\.7%\)$' "and all of the program"
is "$(sed -n '4s/.*  \([a-z]*\)  .*/\1/p' said)" never "the lowest share comes first"
is "$(trod coverage --sort=function adult.trod | grep -o '[a-z]*  [a-z]*\.c:[0-9]*$' | cut -d' ' -f1 | paste -sd' ' -)" \
    "main never price" "by name"
is "$(trod coverage --sort=left adult.trod | sed -n '4s/.*  \([a-z]*\)  .*/\1/p')" price "what is left, most first"
is "$(trod coverage --group=file adult.trod | grep -o '[a-z]*\.c .*' | sort | paste -sd, -)" \
    "main.c  1 of 1 functions,price.c  1 of 2 functions" "by file"
is "$(trod coverage --group=program adult.trod | wc -l)" 2 "the sum alone"
is "$(trod coverage --most=1 adult.trod | grep -c '%  [a-z]*  [a-z]*\.c')" 1 "as many rows as asked for"
is "$(trod coverage -f price adult.trod | head -n 2)" "# ran: 1 of 8 paths (12.5%), 3 of 9 edges (33.3%),
#   4 of 7 blocks (57.1%), 1 of 1 functions (100.0%)" \
    "a choice of functions, and sums of it"
exits 0 "coverage that is enough" trod coverage -f price --min=12.5 --min-edges=33 --min-blocks=50 adult.trod
exits 1 "too few paths" trod coverage -f price --min=12.6 adult.trod
exits 1 "too few edges" trod coverage -f price --min-edges=34 adult.trod
exits 1 "too few blocks" trod coverage -f price --min-blocks=58 adult.trod
like "$(trod coverage -f price --min=50 adult.trod 2>&1)" 'trod: 12\.50% of the paths ran, less than the 50% of --min' \
    "coverage below the minimum is reported"
like "$(trod coverage -f price --min=50 adult.trod 2>said)" 'price\.c:8$' "and the table is printed all the same"

"$trod" cc --limit=6 -O1 -g -o cut main.c price.c
TROD_OUT=cut.trod ./cut 20 0 1
like "$(trod coverage cut.trod)" ' [0-9]\*  .*  price  price\.c:8$' "functions cut for the limit are marked"
like "$(trod coverage cut.trod)" '^# functions with more paths than .trod cc --limit. allows, marked ...: 1;' "and counted"
unlike "$(trod coverage adult.trod)" '[0-9]\*' "others are not"

# --- neighbours -------------------------------------------------------------------------------

trod coverage --brief --missing -f price adult.trod >said
like "$(cat said)" '^# worth testing next: functions that ran often' "what is worth testing next comes before"
unlike "$(trod coverage --brief --missing --group=program adult.trod)" "worth testing" "but not where rows are asked for"
is "$(grep -c ' price =' said)" 3 "a path of three decisions has three neighbours"
like "$(cat said)" '^ +1  price =6  entry 12:F 14:F 16:T return 18$' "which are reported"
like "$(cat said)" '^ +as =7, but 16:T, not 16:F; [12] edges? never ran$' "with what they differ in"
is "$(trod coverage --brief --missing=1 -f price adult.trod | grep -c ' price =')" 1 "as many as asked for"
is "$(trod coverage --brief --missing=9 -f price child.trod child.trod adult.trod | grep -o ' price =[0-9]*' | head -n 1)" \
    " price =3" "those near what ran most come first"

# --- untested ---------------------------------------------------------------------------------

# shellcheck disable=SC2086
exits 1 "something is untested" trod untested --brief $tests field1.trod field2.trod
# shellcheck disable=SC2086
trod untested --brief $tests field1.trod field2.trod >said 2>talk.txt
like "$(cat talk.txt)" '^trod: [0-9]+ paths ran in production and in no test$' "which is reported"
like "$(cat said)" '^ +2 +2  price =0  entry 12:T 14:T 16:T return 18$' "in how many runs, how often, and which way"
is "$(grep -A1 ' price =0 ' said | tail -n 1)" "                    no test took together: 12:T, 16:T" \
    "decisions that were never together"
is "$(grep -A1 ' price =2 ' said | tail -n 1)" "                    no test took together: 12:T, 14:F" \
    "the first that are not"
is "$(grep -o ' price =[0-9]*' said | paste -sd' ' -)" " price =0  price =2" "most runs first"
like "$(cat said)" 'only new combinations of tested edges' "what edge coverage would not show is counted"
exits 0 "nothing is untested" trod untested --brief --tested=field1.trod --tested=field2.trod field1.trod field2.trod
is "$(trod untested --brief --tested=tests.list -f price field1.trod field2.trod 2>talk.txt)" \
    "$(trod untested --brief --tested=adult.trod --tested=tests.list -f price field1.trod field2.trod 2>talk.txt)" "tests may be a list"
is "$(trod untested --brief --tested=tests.list -f price --list field1.trod 2>talk.txt | grep -c '^=')" 1 "and the answer is one"
TROD_OUT=new1.trod ./app 10 1 3 10 0 3
TROD_OUT=new2.trod ./app 10 1 3 20 0 1
exits 0 "tests that do the same leave nothing untested" \
    trod untested --brief --tested=tests.list --tested=new1.trod --tested=new2.trod field1.trod field2.trod
trod untested --brief --tested=tests.list --list field1.trod field2.trod -o todo.list 2>talk.txt
exits 0 "what is tested next is no longer untested" trod untested --brief --tested=tests.list --tested=todo.list field1.trod field2.trod
trod merge --keep-runs -o both.trod field1.trod field2.trod
like "$(trod untested --brief --tested=tests.list both.trod 2>talk.txt)" '^ +2 +2  price =0 ' "runs kept apart in one profile count as such"
TROD_OUT=nobody.trod ./app 2
like "$(trod untested --brief --tested=tests.list nobody.trod 2>talk.txt)" '^ +no test entered the function$' "a function that no test entered"

# --- another build ----------------------------------------------------------------------------

sed 's/if (member)/if (member \&\& rand())/' price.c >next.c
"$trod" cc -O1 -g -o next main.c next.c
TROD_OUT=next.trod ./next 10 1 3 20 0 1
exits 4 "tests of another build" trod untested --brief --tested=tests.list next.trod
like "$(trod untested --brief --tested=adult.trod next.trod 2>&1)" 'note: price: its graph differs' "functions that differ are named"
like "$(trod untested --brief --tested=adult.trod next.trod 2>&1)" '^trod: the tests ran another build.*--partial' "and what to do"
like "$(trod untested --brief --partial --tested=adult.trod next.trod 2>talk.txt)" '^# not compared, .*: price$' "--partial: what is not compared"
unlike "$(trod untested --brief --partial --tested=adult.trod next.trod 2>talk.txt)" ' price =' "is not called untested"
exits 4 "a list of another build" trod set list --binary=next tests.list
like "$(trod set list --binary=next tests.list 2>&1)" 'price: its graph differs' "says so"
is "$(trod set list --binary=next --partial tests.list 2>talk.txt | grep -c '^function')" 1 "--partial keeps the rest"
exits 4 "a list cut elsewhere" trod set list --binary=cut tests.list
like "$(trod set list --binary=cut tests.list 2>&1)" 'price: its cuts differ' "says so, too"
echo 'int main(void) { return 0; }' >lone.c
"$trod" cc -g -o lone lone.c
like "$(trod set list --binary=lone tests.list 2>&1)" 'price: the program has no function of this name' "functions that vanished"
TROD_OUT=lone.trod ./lone
exits 4 "tests of another program" trod untested --brief --tested=tests.list lone.trod

# --- nothing in silence -----------------------------------------------------------------------

cat >leaves.c <<'C'
void quits(void);

int leaves(int n)
{
    if (n > 1)
        quits();
    return n;
}

int main(int argc, char **argv)
{
    (void)argv;
    return leaves(argc) + 3;
}
C
printf '#include <stdlib.h>\nvoid quits(void) { exit(0); }\n' >quits.c
"$trod" cc --only=leaves -O1 -g -o leaves leaves.c quits.c
TROD_OUT=leaves.trod ./leaves 1
like "$(trod coverage leaves.trod)" '^# 1 activation of leaves did not finish' "coverage reports abandoned activations"
like "$(trod coverage --sort=share leaves.trod)" '^   0\.0% .* leaves  leaves\.c:[0-9]+  \(1 did not finish\)$' "whose paths did not run"
like "$(trod untested --brief --tested=leaves.trod leaves.trod 2>talk.txt)" '^# 1 activation of leaves did not finish' "so does untested"
like "$(cat talk.txt)" 'note: the tests ran no path' "tests that ran nothing are reported"
head -c $(($(wc -c <both.trod) - 20)) both.trod >damaged.trod
like "$(trod coverage damaged.trod)" '^# note: ' "coverage reports losses of a profile"
like "$(trod untested --brief --tested=both.trod damaged.trod)" '^# note: ' "by untested"
like "$(trod untested --brief --tested=damaged.trod damaged.trod 2>&1)" '^trod: note: .*lost' "of the tests, too"
like "$(trod set list damaged.trod 2>&1)" '^trod: note: .*lost' "and by list"

# --- JSON -------------------------------------------------------------------------------------

if perl -MJSON::PP -e 1 2>said; then
    # shellcheck disable=SC2016
    field='local $/; $_ = decode_json(<STDIN>);'
    is "$(trod coverage --json --missing -f price adult.trod | perl -MJSON::PP -e "$field"'
        my $f = $_->{coverage}{functions} // []; my $t = $_->{coverage}{total};
        print "$t->{paths}{ran} $t->{paths}{all} $t->{edges}{share} ", scalar @$f, " ",
            join ",", map { "$_->{id}:$_->{near}:$_->{takes}" } @{$_->{missing}}')" \
        "1 8 0.333333 1 3:7:12:T,5:7:14:T,6:7:16:T" "coverage and neighbours"
    is "$(trod coverage --json adult.trod | perl -MJSON::PP -e "$field"'
        print join " ", map { $_->{function} } @{$_->{coverage}{functions}}')" "price main never" "rows"
    is "$(trod untested --json --tested=tests.list -f price field1.trod field2.trod 2>talk.txt | perl -MJSON::PP -e "$field"'
        print join " ", map { "$_->{id} $_->{runs} $_->{why} @{$_->{edges}}" } @{$_->{untested}{untested}}')" \
        "0 2 new combination 12:T 16:T 2 1 new combination 12:T 14:F" "untested paths"
    is "$(trod report --list --json -f price field1.trod | perl -MJSON::PP -e "$field"'
        print join " ", map { $_->{id} } @{$_->{list}{functions}[0]{paths}}')" "0 7" "a list"
else
    skip "the same in JSON" "perl has no JSON::PP"
fi

done_testing
