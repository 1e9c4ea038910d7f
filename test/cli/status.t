#!/bin/sh
# Exit statuses: 0 done, 1 no, 2 usage, 3 bad input, 4 mismatch, 5 system.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >good.graph <<EOF
graph good
s: a b
a: t
b: t
t:
EOF
cat >unsound.graph <<EOF
graph unsound
0: 4 3
3: 6 5 4
4: 5 6
5: 6
6:
paths unsound
0 4 6
0 3 6
EOF
echo 'graph bad' >bad.graph
printf 'paths other\ns a t\n' >other.paths
mkdir folder

# shellcheck disable=SC2086 # a name of two words
for command in "stage graph" "stage number" "stage probe"; do
    exits 0 "$command: done" trod $command good.graph
    exits 0 "$command: done, with a check" trod $command --check good.graph
    exits 2 "$command: an unknown option" trod $command --frobnicate good.graph
    exits 2 "$command: an option without its argument" trod $command good.graph -o
    exits 3 "$command: bad input" trod $command bad.graph
    exits 3 "$command: an empty input" trod $command /dev/null
    exits 3 "$command: no function of that name" trod $command --function=x good.graph
    exits 5 "$command: a missing file" trod $command missing.graph
    exits 5 "$command: a folder for a file" trod $command folder
    exits 5 "$command: an output that cannot be opened" trod $command good.graph -o folder
    exits 5 "$command: an output in a missing folder" \
        trod $command good.graph -o missing/out
done

exits 1 "no: a published numbering that is wrong" \
    trod stage number --check --kind=selective-published unsound.graph
exits 0 "ours is right" trod stage number --check --kind=selective unsound.graph
trod stage number --kind=selective-published unsound.graph >unsound.numbering
exits 1 "no: a numbering from a file that is wrong" trod stage number --check unsound.numbering
exits 1 "no: the same before planning" trod stage probe --check unsound.numbering
exits 0 "without --check it is not checked" trod stage number unsound.numbering

exits 2 "number: an unknown kind" trod stage number --kind=best good.graph
exits 2 "number: a kind without paths of interest" trod stage number --kind=selective good.graph
exits 2 "number: --exact without paths of interest" trod stage number --exact good.graph
exits 2 "number: a limit that is not a number" trod stage number --limit=few good.graph
exits 2 "number: a limit of 0" trod stage number --limit=0 good.graph
exits 2 "graph: an unknown thing to show" trod stage graph --show=dom,sub good.graph
exits 2 "graph: a list that does not end" \
    trod stage graph --show=dom,dom,dom,dom,dom,dom,dom,dom,dom,dom,dom,dom,dom,dom,dom,dom,dom \
    good.graph
exits 2 "number: two ways to number" trod stage number --kind=length --pack=length,ballarus good.graph
exits 2 "number: a picture of an answer" trod stage number --dot --list good.graph
exits 2 "graph: a picture of an answer" trod stage graph --svg --show=dom good.graph
exits 2 "probe: a picture of an answer" trod stage probe --dot --cost good.graph
exits 2 "probe: an unknown placement" trod stage probe --place=here good.graph
exits 2 "a picture of two functions" trod stage graph --svg good.graph unsound.graph
exits 3 "number: a limit that cannot be kept" trod stage number --limit=1 good.graph
exits 3 "number: an id that no path has" trod stage number --decode=2 good.graph
exits 4 "number: paths of another function" trod stage number --paths=other.paths good.graph
exits 5 "number: a missing list of paths" trod stage number --paths=missing.paths good.graph

like "$(trod stage number --kind=selective good.graph 2>&1)" "^trod: .*--path TRAIL" \
    "a kind without paths of interest: the message says how to give them"
like "$(trod stage graph missing.graph 2>&1)" "^trod: missing.graph: No such file" \
    "a missing file is named"
like "$(trod stage graph folder 2>&1)" "^trod: folder: Is a directory" "a folder is named"

done_testing
