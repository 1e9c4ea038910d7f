#!/bin/sh
# Builds that count some paths: what they count, print and refuse.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >age.c <<'EOT'
#include <stdio.h>
#include <stdlib.h>

static int twice(int x)
{
    return 2 * x;
}

int price(int age, int member)
{
    volatile int sum = 10;

    if (age < 18)
        sum = 5;
    if (member)
        sum -= 2;
    return twice(sum);
}

int main(int argc, char **argv)
{
    int sum = 0;

    for (int i = 1; i + 1 < argc; i += 2)
        sum += price(atoi(argv[i]), atoi(argv[i + 1]));
    printf("%d\n", sum);
    return 0;
}
EOT
flags='-O2 -g -fno-inline'

# counts FILE: the paths of price and twice with their counts, as "price=ID:COUNT".
counts()
{
    trod report --quiet --json --most=1000 "$@" |
        perl -MJSON::PP -e 'print map { "$_->{function}=$_->{id}:$_->{count}\n" } @{decode_json(join q(), <>)->{report}{hot}}' |
        grep -E '^(price|twice)' | sort | tr '\n' ' '
}

# shellcheck disable=SC2086
trod cc $flags -o age age.c
TROD_OUT=tests.trod ./age 30 0 30 0 10 1 >/dev/null
all=$(TROD_OUT=all.trod ./age 30 0 10 0 10 0 10 1 >/dev/null; counts all.trod)
is "$all" "price=0:1 price=1:2 price=3:1 twice=0:4 " "the ids are as below"

# --- what is counted ------------------------------------------------------------------

# shellcheck disable=SC2086
ok "chosen paths" trod cc --paths=tests.trod $flags -o chosen age.c
TROD_OUT=chosen.trod ./chosen 30 0 10 0 10 1 >/dev/null
like "$(counts chosen.trod)" '^price=0:1 (price=1:1 )?price=3:1 $' "are counted, and functions with one path are not"
trod set list tests.trod --function=twice >twice.list
# shellcheck disable=SC2086
trod cc --paths=twice.list $flags -o chosen age.c
TROD_OUT=twice.trod ./chosen 30 0 10 0 10 1 >/dev/null
is "$(counts twice.trod)" "twice=0:3 " "unless a list names them"

# shellcheck disable=SC2086
ok "a residual build" trod cc --tested=tests.trod $flags -o residual age.c
TROD_OUT=residual.trod ./residual 30 0 10 0 10 0 10 1 >/dev/null
is "$(counts residual.trod)" "price=0:1 price=1:2 price=3:1 " "counts all paths of functions with untested ones"
# shellcheck disable=SC2086
ok "a build for untested paths" trod cc --tested=tests.trod --untested-only --plan=hash $flags -o untested age.c
TROD_OUT=untested.trod ./untested 30 0 10 0 10 0 10 1 >/dev/null
is "$(counts untested.trod)" "price=1:2 " "counts no others"
TROD_OUT=nothing.trod ./untested 30 0 >/dev/null
ok "it leaves a profile if there were none" trod check nothing.trod

exits 1 "untested paths are reported" trod untested --brief --tested=tests.trod untested.trod
said=$(trod untested --brief --tested=tests.trod untested.trod 2>&1)
like "$said" '^# untested: 1 paths, 2 times, in 1 functions' "without shares, which are unknown"
like "$said" 'no test took together: 13:T, 15:F' "with the reason"
like "$said" '^# 2 functions: only untested paths are counted' "and what is not known"
exits 0 "nothing was untested in the other run" trod untested --brief --tested=tests.trod nothing.trod
trod untested --brief --tested=tests.trod --list untested.trod >new.list 2>/dev/null
exits 0 "tests that have grown leave nothing" trod untested --brief --tested=tests.trod --tested=new.list untested.trod
like "$(trod untested --brief --tested=tests.trod --tested=new.list untested.trod)" 'removed: 2 times' "and what was taken for untested is weeded out, and counted"
like "$(trod coverage untested.trod)" '^# 2 functions: only untested paths are counted' "coverage does not pass a part off as whole"

# --- explanations ------------------------------------------------------------------------

# shellcheck disable=SC2086
said=$(trod cc --tested=tests.trod --untested-only --explain $flags -o explained age.c 2>&1)
like "$said" '^trod: price: untested by [a-z]+, the cheapest at run time; 2 of 4 paths known' "--explain says how"
like "$said" '^trod: twice: nothing is counted: every path is tested' "and where not"
like "$said" '^trod: +hash +[0-9.]+ operations a call, [0-9]+ in the code, [0-9]+ bytes' "and what else there is"
like "$(trod split --text explained)" '^# untested by ' "the map keeps it"

# --- what is refused ------------------------------------------------------------------------

exits 2 "--paths and --tested exclude each other" trod cc --paths=twice.list --tested=tests.trod -c age.c
exits 2 "--untested-only needs --tested" trod cc --untested-only -c age.c
exits 2 "--plan needs paths" trod cc --plan=hash -c age.c
exits 2 "--plan has words" trod cc --plan=best --tested=tests.trod -c age.c
like "$(trod cc --plan=best --tested=tests.trod -c age.c 2>&1)" 'invalid value .best. for --plan; expected one of: auto, all, .*hash' "which are named"
exits 5 "a file that is not there" trod cc --tested=none.trod -c age.c
like "$(trod cc --tested=none.trod -c age.c 2>&1)" 'none.trod: No such file' "is named"
printf 'list source\nfunction price 1 2\n' >bad.list
exits 3 "a bad list" trod cc --paths=bad.list -c age.c
like "$(trod cc --paths=bad.list -c age.c 2>&1)" 'bad.list:2: ' "is named, with its line"
exits 3 "a profile that is none" trod cc --tested=age.c -c age.c
echo 'list source' >empty.list
# shellcheck disable=SC2086
like "$(trod cc --paths=empty.list $flags -o empty age.c 2>&1)" 'the given files have no paths: nothing is counted' "an empty set is noted"
exits 4 "paths of the other kind" trod cc --at=code --tested=tests.trod -c age.c
like "$(trod cc --at=code --tested=tests.trod -c age.c 2>&1)" 'to the source, .* use --at=source' "with the remedy"

# --- another version --------------------------------------------------------------------------

sed 's/sum -= 2;/{ sum -= 2; if (age > 60) sum--; }/; s/twice/double_it/' age.c >next.c
cp next.c age.c
# shellcheck disable=SC2086
exits 4 "a function that has changed is refused" trod cc --tested=tests.trod $flags -o next age.c
# shellcheck disable=SC2086
said=$(trod cc --tested=tests.trod $flags -o next age.c 2>&1)
like "$said" "age.c: 'price' differs from the function of the given paths" "and named"
like "$said" '1 function has changed .* --partial' "with the remedy"
# shellcheck disable=SC2086
said=$(trod cc --tested=tests.trod --partial $flags -o next age.c 2>&1)
like "$said" "'price' .* all its paths are treated as untested" "with --partial its paths count as untested"
like "$said" '^trod: note: 2 functions with given paths are missing from next or changed there: price, \.\.\.; ' "what has vanished is noted"
TROD_OUT=next.trod ./next 30 0 10 1 >/dev/null
like "$(counts next.trod)" '^price=[0-9]+:1 price=[0-9]+:1 $' "so that none is missed"
exits 4 "reports refuse as well" trod untested --brief --tested=tests.trod next.trod
done_testing
