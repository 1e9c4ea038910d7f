#!/bin/sh
# Pictures: DOT by itself, SVG through Graphviz.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >loop.graph <<EOF
graph loop
s: h
h: b t
b: h
t:
paths loop
s h b > h
EOF

dot=$(trod stage number --dot loop.graph)
like "$dot" '^digraph \{' "number --dot"
like "$dot" 'n0 -> n1 \[style=bold\]' "paths of interest are lit"
like "$dot" 'n2 -> n1 \[style="dashed,bold".*label=" > \+2"' "cuts are dashed, with values"
like "$(trod stage probe --dot loop.graph)" 'label="t0\+\+"' "probe --dot shows operations"
like "$(trod stage graph --dot -q loop.graph)" 'subgraph cluster_0' "graph --dot boxes loops"
is "$(trod stage graph --dot -q loop.graph loop.graph | grep -c digraph)" 2 "--dot of two functions"

# --- without Graphviz, or with one that fails
mkdir bin
ln -s "$(command -v sh)" bin/
trod=$(command -v trod)
without() { PATH=$PWD/bin "$trod" stage graph -q --svg loop.graph "$@"; }
exits 5 "no dot" without
like "$(without 2>&1)" "^trod: .*'dot'.*; install graphviz$" "no dot: a remedy"
is "$(without 2>/dev/null)" "" "no dot: nothing is printed"
without -o out.svg 2>/dev/null
ok "no dot: no file is made" test ! -e out.svg

fake() { printf '#!/bin/sh\n%s\n' "$1" >bin/dot && chmod +x bin/dot; }
fake 'echo "<svg half"; exit 3'
exits 5 "dot fails" without
is "$(without 2>/dev/null)" "" "dot fails: nothing is printed"
fake 'kill -9 $$'
exits 5 "dot is killed" without
like "$(without 2>&1)" "signal 9" "dot is killed: the signal is named"
fake 'exec <&-; exit 0'
exits 0 "dot may read nothing" without
fake 'exec /missing'
exits 5 "dot cannot be run" without

# Much to say and much to hear at once: neither side may wait for the other.
{
    echo 'graph long'
    i=0
    while [ $i -lt 20000 ]; do
        echo "a_long_name_for_block_number_$i: a_long_name_for_block_number_$((i + 1))"
        i=$((i + 1))
    done
    echo "a_long_name_for_block_number_$i:"
} >long.graph
ln -s "$(command -v cat)" bin/cat
fake 'exec cat'
PATH=$PWD/bin:$PATH timeout 60 "$trod" stage graph --svg long.graph >echo.svg
is "$?" 0 "a dot that talks while it listens"
trod stage graph --dot long.graph >long.dot
ok "... all of it" cmp echo.svg long.dot
fake 'head -c 10 >/dev/null; exit 1'
exits 5 "a dot that stops listening" env PATH="$PWD/bin:$PATH" "$trod" stage graph --svg long.graph

# --- with Graphviz
rm bin/dot
if command -v dot >/dev/null; then
    # shellcheck disable=SC2086 # a name of two words
    for command in "stage graph" "stage number" "stage probe"; do
        svg=$(trod $command -q --svg loop.graph)
        like "$svg" '^<svg ' "trod $command --svg"
        like "$svg" '^</svg>' "trod $command --svg: to its end"
    done
    like "$(printf 'graph "a<b>&c"\n"x&y": "\\"q\\""\n"\\"q\\"":\n' | trod stage graph --svg)" \
        'x&amp;y' "any name can be drawn"
    trod stage graph -q --svg loop.graph -o loop.svg
    like "$(cat loop.svg)" '^<svg ' "--svg -o FILE"
    exits 5 "--svg to a full disk" trod stage graph -q --svg loop.graph -o /dev/full
else
    skip "--svg" "no dot; install graphviz"
fi

done_testing
