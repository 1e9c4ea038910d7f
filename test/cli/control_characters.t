#!/bin/sh
# Names with escape sequences, from untrusted files: a terminal prints them and does not interpret them. Neither does a
# spreadsheet.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'EOC'
int main(int argc, char **argv)
{
    int sum = 0;

    (void)argv;
    for (int i = 0; i < 300000; i++)
        sum += i % 3 ? argc : 2;
    return sum < 0;
}
EOC
# Colours and titles; the same in UTF-8 and as single bytes; overrides of direction; a bell, a backspace, a delete.
evil=$(printf 'm\033[2J\033]0;owned\007\302\233\23331m\342\200\256\342\201\246\b\177ain')
trod cc -g app.c -o app
TROD_OUT=app.trod ./app
trod cc --online app.c -o sampled
TROD_OUT=sampled.trod ./sampled
# with_map PROGRAM: its map, with that name for main, and a file of that name.
with_map()
{
    trod split --text "$1" | sed "/^command/d; s|^function main|function \"$evil\"|; s|^numbering main|numbering \"$evil\"|
        s|^\(meaning\) main|\1 \"$evil\"|; s|^\(nodes\) main|\1 \"$evil\"|; s|^\(lines\) main|\1 \"$evil\"|
        s|^\([a-z]*\) main|\1 \"$evil\"|; s|app\.c|\"$evil.c\"|g" >"$1.map"
    objcopy --update-section ".trod.map=$1.map" "$1" "$1.evil"
}
with_map app 2>/dev/null
with_map sampled 2>/dev/null
trod show app.trod | sed "s|^argument: .*|argument: \"$evil\"|; s|^module \"[^\"]*\"|module \"$evil\"|
    s|^program: .*|program: \"$evil\"|" >evil.text
echo "note \"lost $evil\"" >>evil.text
trod merge -o evil.trod evil.text
cp app.trod "$evil.trod"

# unclean TEXT: what would do something to a terminal.
unclean()
{
    sed 's/\r$//' | LC_ALL=C grep -ac "$(printf '[\001-\010\013-\037\177]\\|\302[\200-\237]\\|\342\200\256\\|\342\201\246\\|[^\302]\233')"
}

for command in "report" "report -v" "coverage" "coverage --missing=3" "annotate" "stage flow" "set list" "export --to=csv" \
    "export --to=collapsed" "export --to=lcov" "report --json" "diff app.trod" "report --group=file" "tests" "show" \
    "show --json" "check" "merge --text" "check --json"; do
    binary=--binary=app.evil
    case $command in show* | check* | merge*) binary= ;; esac
    # shellcheck disable=SC2086
    trod $command $binary evil.trod >out 2>&1
    ok "$command: prints something" test -s out
    is "$(unclean <out)" 0 "$command: no control characters"
done
for command in "sample subpaths" "top --once" "sample subpaths --text" "sample subpaths --json"; do
    # shellcheck disable=SC2086
    trod $command --binary=sampled.evil sampled.trod >out 2>&1
    ok "$command: prints something" test -s out
    is "$(unclean <out)" 0 "$command: no control characters"
done
like "$(trod sample subpaths --binary=sampled.evil sampled.trod 2>&1)" '\\x1b\[2J' "subpaths: what was there is shown"
for command in check report "report --strict" show; do
    # shellcheck disable=SC2086
    trod $command "$evil.trod" >out 2>&1
    # shellcheck disable=SC2086
    trod $command "missing$evil.trod" >>out 2>&1
    is "$(unclean <out)" 0 "$command: names of files"
done
echo "$evil" >"$evil.c"
is "$(trod report "$evil.c" 2>&1 | unclean)" 0 "messages"
like "$(trod report --binary=app.evil evil.trod 2>&1)" '\\x1b\[2J' "what was there is shown"
ok "what is printed as text is read again, the same" sh -c 'trod show evil.trod >1 && trod show 1 >2 && cmp 1 2'
ok "a name is what it was" sh -c 'trod merge -o again.trod 1 && cmp again.trod evil.trod'
unlike "$(trod show app.trod)" '\\x' "other names are as they were"

# --- spreadsheets
is "$(printf 'graph "h\303\244\342\202\254\320\216"\na:\n' | trod stage graph)" "$(printf 'graph h\303\244\342\202\254\320\216\na:')" \
    "letters of other languages are no control characters"
for start in = + - @; do
    trod split --text app | sed "/^command/d; s|^\([a-z]*\) main|\1 \"${start}cmd()\"|; s|app\.c|\"${start}app,c\"|g" >formula.map
    objcopy --update-section .trod.map=formula.map app formula 2>/dev/null
    trod export --to=csv -q --binary=formula app.trod >out.csv
    like "$(cat out.csv)" ",'[$start]cmd\(\),'[$start]cmd\(\)|,'[$start]cmd\(\),," "csv: $start is text"
    unlike "$(cat out.csv)" ",\"?[$start]" "... in every cell"
done

done_testing
