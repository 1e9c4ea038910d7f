#!/bin/sh
# Read the exports of a real program, bzip2, with the tools they are for: pprof, speedscope and the others.
# shellcheck source=test/kit/tap.sh
# shellcheck disable=SC2317 # functions are called by ok
. "${0%/*}/../kit/tap.sh"

flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
speedscope=speedscope@1.25.0
check()
{
    python3 "$root/test/export/check_export.py" "$@"
}

source=$("$root/tools/source" bzip2) || skip_all "no source of bzip2"
cp -r "$source" bzip2 && cd bzip2 || exit 1
# One program: its own makefile would use the installed library.
trod cc -g -O2 -D_FILE_OFFSET_BITS=64 -o bzip2 bzip2.c bzlib.c blocksort.c compress.c decompress.c huffman.c crctable.c randtable.c || exit 1
TROD_OUT=app.trod ./bzip2 -9 -k -c blocksort.c >packed.bz2
TROD_OUT=back.trod ./bzip2 -d -c packed.bz2 >unpacked
ok "bzip2 restores its input" cmp blocksort.c unpacked
trod merge -o both.trod app.trod back.trod
trod report --json --all-code --most=1000000 both.trod >both.report
like "$(cat both.report)" '"function": "mainGtU"' "it has paths"
for to in pprof pprof-blocks collapsed callgrind dot json csv; do
    ok "$to of bzip2" trod export -q --to=$to both.trod -o both.$to
done
for to in pprof collapsed json csv; do
    ok "$to has what the report has" check $to both.$to both.report both.json
done
callgrind_annotate --auto=yes --threshold=100 both.callgrind >both.annotated
ok "callgrind_annotate has the totals" check callgrind both.annotated both.report both.json
ok "and the lines" check annotated both.annotated both.report both.json
perl $flamegraph both.collapsed >both.svg
ok "flamegraph.pl has the frames" check flamegraph both.svg both.report both.json
if command -v dot >said; then
    trod export -q --to=dot --function=mainGtU both.trod -o one.dot
    ok "Graphviz draws mainGtU" dot -Tsvg one.dot -o one.svg
fi

# --- pprof ------------------------------------------------------------------------------------------------
if command -v go >said; then
    pprof()
    {
        PPROF_TMPDIR=$PWD GOCACHE=$PWD/cache GOFLAGS=-mod=mod go tool pprof "$@" 2>said
    }
    pprof -raw both.pprof >raw
    ok "pprof has every path" check raw raw both.report both.json
    pprof -top -nodecount=1000000 -nodefraction=0 both.pprof >top
    ok "pprof's top list has the counts of functions" check top top both.report both.json
    pprof -list '^mainGtU$' both.pprof >list
    ok "pprof lists how many paths went through lines" check list list both.report both.json
    pprof -list '^BZ2_compressBlock$' both.pprof >list
    ok "of another function, too" check list list both.report both.json
    like "$(pprof -peek '^mainGtU$' both.pprof)" '\| mainGtU' "pprof peeks"
    like "$(pprof -top -sample_index=blocks both.pprof)" '^Type: blocks' "pprof has blocks, too"
    like "$(pprof -top -cum -nodecount=1000000 both.pprof-blocks)" ' mainGtU blocksort\.c:[0-9]+( \(.*\))?( #[0-9]+)?$' "blocks have names of their own"
    trod report --json --all-code --most=1000000 app.trod >app.report
    trod export -q --to=json app.trod -o app.json
    exits 1 "another profile is distinguished" check raw raw app.report app.json
    exits 1 "by its functions" check top top app.report app.json
else
    skip "pprof" "no Go"
fi

# --- speedscope ----------------------------------------------------------------------------------------------
if command -v npm >said && command -v chromium >said &&
    npm pack $speedscope >said 2>&1 && tar xzf speedscope-*.tgz; then
    read_by_speedscope()
    {
        python3 "$root/test/export/speedscope.py" "$PWD/package/dist/release" "$1" "$1.json"
    }
    cp both.collapsed both.txt
    cp both.pprof-blocks both.pb.gz
    cp both.callgrind callgrind.out.both
    ok "speedscope reads stacks" read_by_speedscope both.txt
    ok "all of them, as often as they ran" check speedscope both.txt.json both.report both.json
    ok "speedscope reads pprof" read_by_speedscope both.pb.gz
    ok "all functions, as often as they ran" check speedscope both.pb.gz.json both.report both.json
    ok "speedscope reads callgrind" read_by_speedscope callgrind.out.both
    like "$(cat callgrind.out.both.json)" 'callgrind.out.both -- Blocks' "it has its events"
else
    skip "speedscope" "no npm, no chromium, or no network"
fi

done_testing
