#!/bin/sh
# doc/seeds.md is what bench/seeds prints; records that are wrong, or whose result is missing, are refused.
# Some quoted text is Perl.
# shellcheck disable=SC2016
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# Messages name files as they are below the tree or here.
seeds() { "$root/bench/seeds" "$@"; }

seeds >now
ok "doc/seeds.md is up to date; 'make generated' rewrites it" cmp now "$root/doc/seeds.md"
for number in 'figure 3.16' 'figure 5.12' 'table 3.5' 'table 4.11' 'figure 10' 'table 2'; do
    like "$(cat now)" "^\| $number \|" "there is $number"
done

# Commands and their options exist.
trod help --commands >commands
grep -o '`trod [a-z][^`]*`' now | tr -d '`' | sort -u >named
while read -r _ first second rest; do
    case $first\ $second in
    *\ -* | *\ ) command=$first rest="$second $rest" ;;
    *) command="$first $second" ;;
    esac
    ok "trod $command is a command" grep -qx "$command" commands
    # shellcheck disable=SC2086
    trod $command --help >options
    for option in $rest; do
        ok "trod $command $option is an option" grep -q -e "${option%%=*}" options
    done
done <named

# --- faults -------------------------------------------------------------------------------------

# fault MESSAGE NAME FILE PERL: with a record changed by a line of Perl, bench/seeds says so and prints no page.
fault()
{
    rm -rf planted
    cp -r "$root/bench/seed" planted
    perl -0pi -e "$4" "planted/$3"
    if cmp -s "planted/$3" "$root/bench/seed/$3"; then
        is same planted "$2: the fault is planted"
    fi
    exits 3 "$2" seeds --seeds=planted
    like "$(seeds --seeds=planted 2>&1)" "^bench/seeds: .*planted/$3.*$1" "$2: the message"
    is "$(seeds --seeds=planted 2>planted.log)" '' "$2: no page"
}

fault "make bench has no table 'costs'" 'a table that does not exist' 2007-vaswani.seed 's/^tables   cost /tables   costs /m'
fault "no single number in 'Across calls / Cost', row 'geometric mean', column 'across, segment'" 'a column that is gone' 2007-vaswani.seed \
    's/across, segments$/across, segment/m'
fault "has no single number in 'Across calls / Costs'" 'a section that is gone' 2007-vaswani.seed 's{Across calls / Cost$}{Across calls / Costs}m'
fault 'row .all rows.' 'several rows where one is wanted' 2002-oren.seed 's/most of all rows \| subpaths/all rows | subpaths/'
fault "figure 3.18 has no record" 'a figure without a record' 2007-vaswani.seed 's/experiment figure 3.18\n.*?\n\n//s'
fault "figure 6 has two records" 'two records' 2002-apiwattanapong.seed 's/experiment figure 7/experiment figure 6/'
fault "the document has no figure 8" 'a figure that the document does not have' 2002-apiwattanapong.seed 's/experiment figure 7/experiment figure 8/'
fault "figure 3.19 is worse; say 'why'" 'worse without a reason' 2007-vaswani.seed 's/(experiment figure 3.19\n.*?)why .*?\n/$1/s'
fault "figure 5.9 is not run; say 'why'" 'not run without a reason' 2007-vaswani.seed 's/(experiment figure 5.9\n.*?)why .*?\n/$1/s'
fault "has neither 'tables' nor a 'command'" 'an experiment that cannot be repeated' 2002-apiwattanapong.seed 's/tables   few\n//'
fault "the units differ" 'percent beside a number' 2002-oren.seed 's/360.74%/360.74/'
fault "'half' is no number" 'a figure that is no number' 2002-apiwattanapong.seed 's/50%/half/'
fault "is not WHAT | THEIRS" 'a figure without its place' 2002-apiwattanapong.seed 's/ \| all \| 1 path: below 60%//'
fault "there is no section 'fewer'" 'a section without a name' 2002-apiwattanapong.seed 's/\| few \| all/| fewer | all/'
fault "there is no test/case/number/none.case" 'a file that does not exist' 2002-apiwattanapong.seed 's/selective-counterexample.case/none.case/'
fault "is 39752, not 39753" 'a sum that is wrong' 2002-oren.seed 's/= 39752/= 39753/'
fault "is 0.038, not 0.039" 'a sum of an experiment' 2002-oren.seed 's/1000000 = 0.038/1000000 = 0.039/'
fault "is what the document has" 'an erratum that is none' 2002-oren.seed 's/printed 39742/printed 39752/'
fault "is not EXPRESSION = RESULT" 'a sum that is a program' 2002-oren.seed 's/147168 - 107416/system("touch ran")/'
exits 1 'which is not run' test -e ran
fault "a record 'experiment' has no 'nmae'" 'a field that does not exist' 2002-oren.seed 's/^name /nmae /m'
fault "has no 'name'; add it" 'an experiment without a name' 2002-oren.seed 's/^name .*\n//m'
fault "'remark' again" 'a field twice' 2002-oren.seed 's/^(remark .*\n)/$1$1/m'

# A table that has not been run, if there is one.
for table in $("$root/bench/run" --list); do
    [ -e "$root/bench/result/$table.json" ] || missing=$table
done
if [ -n "${missing-}" ]; then
    fault "run 'make bench TABLES=$missing'" 'a table that has no result' 2002-oren.seed "s/tables   online/tables   $missing/"
else
    skip 'a table that has no result' 'all have been run'
fi

mkdir empty
exits 3 'a folder without records' seeds --seeds=empty
exits 3 'a page of results that does not exist' seeds --results=nowhere.md
exits 255 'an option that does not exist' seeds --nonsense

# Another figure of theirs or of ours changes the page.
cp -r "$root/bench/seed" other
sed -i 's/55.72%/54.72%/' other/2002-oren.seed
seeds --seeds=other >changed
exits 1 'another figure of theirs' cmp -s now changed
sed 's/| geometric mean |  |  |  | 13.1% | 4.5% |/| geometric mean |  |  |  | 13.2% | 4.5% |/' "$root/doc/results.md" >results.md
exits 1 'another figure of ours is planted' cmp -s results.md "$root/doc/results.md"
seeds --results=results.md >changed
exits 1 'another figure of ours' cmp -s now changed
is "$(diff now changed | grep -c '^> |')" 1 'changes one line of a table'

# --- what is compared ---------------------------------------------------------------------------

mkdir one
cat >results.md <<'PAGE'
## Chapter: one

| program | a | b | c: x | y | d: x | y |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| lua | 1.10 (1.00-1.20) | 1,000 KiB | 1% | 2% | 3% | 4% |
|  | 1.30 | - | 5% | 6% | 7% | 8% |
| geometric mean | 1.196 |  |  |  |  |  |

All are found in 3 of 4 programs.

### Cost

| program | size | a | b |
| --- | ---: | ---: | ---: |
| *mean, chosen* | | 5.0% | |
| lua | 4 | 1 | 1 |
| lua | 5 | 2 | < 0.01 |

## Chapter: two

### Cost

By misses:

| `own` | a |
| --- | ---: |
| `own` | 7 |
PAGE
cat >one/a.seed <<'SEED'
document one
by       Somebody
title    Something
kind     2000
numbers  figure 1-2

section one = Chapter: one
section cost = Chapter: one / Cost
section more = Chapter: two / Cost

experiment figure 1
name     One
tables   cost
figure   over | 20% | lower | over one | geometric mean | a
figure   mean of both | 1.1 | lower | one | mean of all rows | a
figure   of the named | 1.1 | higher | one | mean of named rows | a
figure   bytes | 1,024,000 | property | bytes one | lua | b
figure   second y | 8% | higher | one | most of all rows | d: y
figure   difference | 1% | higher | one | least of all rows | d: y minus c: x
figure   said | 100% | higher | one | says | All are found in # of # programs
figure   stars | 5.0% | lower | cost | mean, chosen | a
figure   little | 1% | lower | share cost | lua / 5 | b
figure   ticks, behind a line | none | lower | more > By misses | own | a
why      Because.

illustration figure 2
name     Two
nothing  there is nothing to do
SEED
seeds --seeds=one --results=results.md >page
# row WHAT: theirs, ours, ratio and verdict.
row() { sed -n "s/^|.*| $1 | \([^|]*\) | \([^|]*\) | \([^|]*\) | \([^|]*\) |.*/\1, \2, \3, \4/p" page; }
is "$(row over)" '20%, 19.6%, 0.98, equal' 'a ratio as what it adds; less than half of a digit is equal'
is "$(row 'mean of both')" '1.1, 1.20, 1.09, worse' 'a mean of all rows, without the summary'
is "$(row 'of the named')" '1.1, 1.10, 1.00, equal' 'of those that have a name'
is "$(row bytes)" '1,024,000, 1,024,000, 1.00, property' 'KiB as bytes'
is "$(row 'second y')" '8%, 8%, 1.00, equal' 'a head under the head of a group'
is "$(row difference)" '1%, 3%, 3.00, better' 'a difference'
is "$(row said)" '100%, 75.0%, 0.75, worse' 'what a sentence says'
is "$(row stars)" '5.0%, 5.0%, 1.00, equal' 'a name in stars'
is "$(row 'ticks, behind a line')" 'no number in the text, 7, none, ours alone' 'a number that they do not have'
like "$(cat page)" 'results.md#cost-1\)' 'the second heading of one name has a number'
like "$(cat now)" '^- figure 1\.1, .*: nothing: ' 'an illustration that nothing carries out'
is "$(row little)" '1%, < 0.01%, 0.01, better' 'what is below a number'

# A run of some tables.
sed -i '/^| geometric mean/d' results.md
seeds --seeds=one --results=results.md >page
is "$(row over)" '' 'a figure that is not in this run is left out'
like "$(cat page)" '^\*\*This page is of another run, .*/results.md' 'and the page says of which run it is'
printf '## Chapter: one\n\n| program | a |\n| --- | ---: |\n| lua | 1.10 |\n' >results.md
seeds --seeds=one --results=results.md >page
is "$(row over)" '20%, 10%, 0.50, better' 'a program alone is its own summary'
is "$(row bytes)" '' 'a column that is not in this run'
printf '## Hybrid profiling support, modelled\n\n### Accuracy and what it costs\n\n| rate | methods: accuracy |\n| --- | ---: |\n| 1/1000 | 95%% |\n' >results.md
seeds --results=results.md >page
unlike "$(cat page)" 'in software, accuracy of methods at 1/1000 .* 95%' 'a section is not taken for one of another chapter'
printf '## A chapter\n\n### A few paths of a function\n\n| program | 1 path: below 60%% |\n| --- | ---: |\n| lua | 51.2%% |\n' >results.md
seeds --results=results.md >page
like "$(cat page)" '\| 50% \| 51.2% \| 1.02 \| better' 'one whose chapter begins with another table is found'

# --- what is repeated ---------------------------------------------------------------------------

"$root/bench/run" --list >list
seeds --tables >tables
ok 'there are tables to repeat' test -s tables
is "$(grep -vxFf list tables)" '' 'all of which exist'
is "$(seeds --seeds=one --tables)" cost 'those that records name'

done_testing
