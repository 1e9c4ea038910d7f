#!/bin/sh
# Everything that is dropped is reported, unless -q is given.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

{
    for name in alpha beta gamma; do
        printf 'graph %s\ns: a a\na: b b\nb: t t\nt:\n\n' "$name"
    done
    printf 'paths alpha\ns a b t\n'
} >three.graph

notes() { { trod "$@" >/dev/null; } 2>&1; }

is "$(notes stage number three.graph)" "" "nothing to say"
is "$(notes stage number --function='[ab]*' three.graph)" \
    "trod: note: --function '[ab]*' skips 1 of 3: gamma" "a function that is skipped"
is "$(notes stage number -q --function='[ab]*' three.graph)" "" "-q"
is "$(trod stage number -q --function='[ab]*' three.graph | grep -c ^numbering)" 2 \
    "a glob chooses"
is "$(trod stage number --function=beta three.graph 2>/dev/null | grep -c ^numbering)" 1 \
    "a name chooses"

is "$(notes stage number --limit=6 --function=beta -q three.graph)" "" "cuts, with -q"
like "$(notes stage number --limit=6 --function=beta three.graph)" \
    "^trod: note: 'beta': 8 paths are more than 6, cut: " "cuts for the limit"
like "$(trod stage number -q --limit=6 --function=beta three.graph)" \
    "^# 8 paths are more than 6, cut: " "cuts are in the text, -q or not"
like "$(trod stage probe -q --limit=6 --function=beta three.graph)" \
    "^# 8 paths are more than 6, cut: " "cuts are in the text of plans"
like "$(trod stage probe -q --limit=6 --json --function=beta three.graph)" '"limit": \{' \
    "cuts are in JSON"

like "$(notes stage number --list --most=1 --function=beta three.graph)" \
    "'beta': 7 paths are not listed; --most lists more" "a list that is cut short"
like "$(notes stage number --kind=selective three.graph)" "'beta' has no chosen paths" \
    "a function without paths of interest, next to one with some"
like "$(notes stage graph three.graph)" "'alpha' has chosen paths" \
    "paths that trod stage graph has no use for"

# So many functions that they do not fit a line.
i=0
while [ $i -lt 200 ]; do
    printf 'graph function_number_%d\na:\n' $i
    i=$((i + 1))
done >many.graph
like "$(notes stage graph --function='*_7' many.graph)" \
    "skips 199 of 200: function_number_0, .*, \.\.\.$" "many functions that are skipped"

# Names come from the input and must not reach the terminal's controls.
is "$(printf 'graph "\033[31mred\\nline"\na: b\n' | trod stage graph 2>&1)" \
    "trod: <stdin>:2: node 'b' of '\\x1b[31mred\\x0aline' has no line of its own; add 'b:' (an exit), or correct the name" \
    "control characters in names are shown, not sent"

done_testing
