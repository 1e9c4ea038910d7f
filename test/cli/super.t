#!/bin/sh
# Supergraphs: statuses, pipes, and JSON that parses.
# shellcheck disable=SC2016 # Perl stands in single quotes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >prog.functions <<'END'
numbering main ballarus
>: s a+2 b+4
s: >a t+1
a: >b t+1
b: t
t:

calls main
a: f
b: f

numbering f ballarus
>: x
x: y z+1
y:
z:
END
printf 'wpp w\n( main:0 ( f:0 ) main:2 ( f:1 ) main:4 )\n' >w.wpp
trod calls segments w.wpp >w.segments
printf 'super main*1\n1: 0 t f*1\n' >bad.super
mkdir folder

exits 0 "done" trod calls supergraph prog.functions w.segments
exits 0 "done, with a check" trod calls supergraph --check --depth=3 --limit=100 prog.functions w.segments
exits 2 "an unknown option" trod calls supergraph --frobnicate prog.functions w.segments
exits 2 "depth 0" trod calls supergraph --depth=0 prog.functions w.segments
exits 3 "bad input" trod calls supergraph prog.functions bad.super
exits 3 "nothing that says which calls to go into" trod calls supergraph prog.functions
exits 3 "an empty input" trod calls supergraph /dev/null
exits 5 "a missing file" trod calls supergraph missing.functions
exits 5 "a folder for a file" trod calls supergraph folder
exits 5 "an output in a missing folder" trod calls supergraph prog.functions w.segments -o missing/out

is "$(cat prog.functions w.segments | trod calls supergraph)" "$(trod calls supergraph prog.functions w.segments)" "standard input"
is "$(trod calls supergraph prog.functions w.segments | sed '/^graph/,$d' | trod calls supergraph prog.functions -)" \
    "$(trod calls supergraph prog.functions w.segments)" "frames that are read give the same supergraph"
is "$(trod calls supergraph prog.functions w.segments | sed -n '/^graph/,$p' | trod stage number --list | grep -c '^ *[0-9]')" \
    "$(trod calls supergraph --list prog.functions w.segments | grep -c '^ *[0-9]')" "as many paths as 'trod stage number' finds in it"
is "$(trod calls supergraph --list prog.functions w.segments | awk '$2 == "yes" { $1 = $2 = ""; print }')" \
    "  main:0 ( f:0 ) main:2 ( f:1 ) main:4" "of these, one has listed segments only"
is "$(trod calls supergraph -q --depth=4294967296 prog.functions w.segments)" \
    "$(trod calls supergraph prog.functions w.segments)" "a depth beyond all calls"
like "$(trod calls supergraph --limit=1 prog.functions w.segments 2>&1)" "has 2\^[0-9.]* paths" "a limit that cannot be kept"
printf 'segments none 1\n' >none.segments
like "$(trod calls supergraph prog.functions none.segments 2>&1)" "note: no call is followed" "nothing to go into"

if perl -MJSON::PP -e 1 2>/dev/null; then
    query() { perl -MJSON::PP -e 'local $/; $_ = decode_json(<STDIN>); print '"$1"; }

    trod calls supergraph --json --list prog.functions w.segments >out
    is "$(query '"$_->{trod} $_->{version}"' <out)" "calls supergraph 1" "JSON parses"
    is "$(query '$_->{supergraphs}[0]{root}' <out)" main "the root"
    is "$(query 'join " ", map { $_->{function} } @{$_->{supergraphs}[0]{frames}}' <out)" "main f f" "frames"
    is "$(query 'scalar grep { $_->{listed} } @{$_->{supergraphs}[0]{paths}}' <out)" 1 "paths"
else
    skip "JSON" "perl has no JSON::PP"
fi

done_testing
