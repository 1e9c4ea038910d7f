#!/bin/sh
# Builds that do not count all paths: slots, and untested paths in the hash table; many paths, threads, signals and
# forks, and every way to end the program.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
# shellcheck source=test/runtime/build.sh
. "$root/test/runtime/build.sh"
harness_source=hashed_program.c
build_harness harness || exit 1

# lines PATTERN: of the report.
lines()
{
    report | grep -E "$1"
}

# few N WHAT: there are at most N areas in the profile.
few()
{
    n=$(lines '^counts' | wc -l)
    is "$([ "$n" -le "$1" ] && echo few)" few "$2: $n areas, at most $1"
}

ok "slots" scenario slots
is "$(lines '^(path|total)')" "path 2 0 2
path 2 4 1
path 2 7 1
path 2 98 3
path 4 0 1
path 4 4294967295 4
path 4 9223372036854775806 1
path 5 0 1
path 5 7 5
total 19" "slots: their paths, and a slot without a path"
is "$(lines '^function' | sort)" "function 2 counted 1 slots 7 - 0 98
function 3 counted 2 slots 5 - 70000
function 4 counted 2 slots 4294967295 -
function 5 counted 3 slots" "slots: MODULE says which"
like "$(report)" '^module 1554 counters 5 functions mode 2 hashed 512$' "MODULE has the hash table"

ok "entries that are half written, or there twice" scenario entries
is "$(lines '^(path|total)')" "path 5 3 42
total 42" "entries that are half written, or there twice: exact"
case $(uname -m) in
    x86_64) ok "registers come back" scenario registers ;;
    *) skip "registers come back" "not here" ;;
esac

ok "more paths than a table holds" scenario many 5000 3
is "$(lines '^(hashed|total)')" "hashed 3 5000 paths, 5000 of them 3 times
total 15002" "more paths than a table holds: exact"
few 16 "more paths than a table holds"
unlike "$(report)" '^note' "more paths than a table holds: no note"
ok "again and again" scenario many 3000 100
is "$(lines '^(hashed|total)')" "hashed 3 3000 paths, 3000 of them 100 times
total 300002" "again and again: exact"
few 10 "again and again"

ok "8 threads" scenario threads 3000 3 8
is "$(lines '^(hashed|total)')" "hashed 3 3000 paths, 3000 of them 24 times
total 72016" "8 threads: exact"
ok "200 short threads" scenario threads 2500 1 4 50
is "$(lines '^(hashed|total)')" "hashed 3 2500 paths, 2500 of them 200 times
total 500400" "200 short threads: exact"
few 120 "200 short threads"

ok "the first is counted in a signal handler" scenario handler
is "$(total)" 5 "the first is counted in a signal handler: exact"
for i in 1 2 3; do
    want=$(scenario storm)
    is "$(total)" "$want" "handlers that count what threads count, $i"
done
HARNESS_EARLY=1
export HARNESS_EARLY
ok "before constructors" scenario many 1 1
is "$(lines '^(hashed|total)')" "hashed 3 1500 paths, 1499 of them 1 times, 1 of them 2 times
total 1503" "before constructors: exact"
unset HARNESS_EARLY

ok "a fork, with frames in areas from before" scenario fork
is "$(for file in $(profiles); do
    "$here/read-profile" "$file" | sed -n 's/^total //p'
done | sort -n | tr '\n' ' ')" "4002 4003500 " \
    "a fork, with frames in areas from before: exact, though the child is killed"
ok "a child of vfork" scenario vfork
is "$(lines '^(hashed|total)')" \
    "hashed 3 3000 paths, 2500 of them 6 times, 500 of them 7 times
total 18508" "a child of vfork: exact"

for delay in 100 1000 5000 20000; do
    steps=$(scenario killed $delay)
    got=$(total)
    is "$([ "$got" = "$steps" ] || [ "$got" = $((steps + 1)) ] && echo exact)" exact \
        "killed at some moment: $got of $steps"
done

# A folder that cannot be created yet: a link is in its place, and its target does not exist.
ln -s run/later "$made/link"
TROD_OUT=../link/x.trod
export TROD_OUT
ok "the directory is there when the program ends" scenario later later
is "$(lines '^(hashed|total)')" "hashed 3 3000 paths, 3000 of them 5 times
total 15008" "the directory is there when the program ends: exact"
unset TROD_OUT

# Paths that cannot be recorded are reported.
for many in 3002:0 3001:1; do
    ok "no memory, ${many#*:}" scenario memory "${many#*:}"
    like "$(report)" '^note unrecorded ' "no memory, ${many#*:}: a note says so"
    lost=$(lines '^end unrecorded' | tr -dc 0-9)
    is "$(($(total) + ${lost:-0}))" "${many%:*}" \
        "no memory, ${many#*:}: the END section has the number: $lost"
done
exits 137 "no memory, and a death" scenario memory 2
like "$(report)" '^note unrecorded ' "no memory, and a death: the note is there"
unlike "$(scenario many 2000 1; report)" 'unrecorded' "but only then"

done_testing
