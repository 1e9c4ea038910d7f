#!/bin/sh
# The counts are in the file, however the program ends.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
# shellcheck source=test/runtime/build.sh
. "$root/test/runtime/build.sh"
build_harness harness || exit 1
# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0

# dies STATUS HOW
# shellcheck disable=SC2016
dies()
{
    exits "$1" "$2: the status is the program's own" \
        sh -c 'cd run && "$0" end "$1"; exit $?' "$harness" "$2"
    is "$(total)" 1200 "$2: exact"
}

mkdir run
for death in 137:kill 143:term 134:abort 139:segv 0:_exit 0:quick; do
    rm -f run/*
    dies "${death%:*}" "${death#*:}"
    unlike "$(report)" '^end' "${death#*:}: not a normal end"
done
rm -f run/*
dies 0 thread
like "$(report)" '^end exit order$' "the last thread ends: a normal end"

for delay in 100 1000 5000 20000 50000; do
    steps=$(scenario killed $delay)
    got=$(total)
    is "$([ "$got" = "$steps" ] || [ "$got" = $((steps + 1)) ] && echo exact)" exact \
        "killed at some moment: $got of $steps"
done

ok "threads continue while the program ends" scenario busy
like "$(report)" '^end exit order$' "threads continue while the program ends: a normal end"

done_testing
