#!/bin/sh
# Every thread counts exactly, however it was created, and the program is not disturbed.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
# shellcheck source=test/runtime/build.sh
. "$root/test/runtime/build.sh"
build_harness harness || exit 1

exits 7 "the exit status is the program's" scenario single 1000 7
is "$(total)" 1000 "one thread"
is "$(how_many)" 1 "one profile"
is "$(report | grep -Ec '^(path 1 . 250|end exit order|end lost 0|end private 0)$')" 7 \
    "every path a quarter, and a normal end"
unlike "$(report)" '^(note|gap|damage)' "nothing to note"

ok "8 threads" scenario threads 8 300000
is "$(total)" 2400001 "8 threads: exact"
ok "100 threads at once, twice" scenario crowd 100
is "$(total)" 200000 "100 threads at once, twice: exact"
is "$([ "$(report | grep -c '^counts')" -lt 200 ] && echo few)" few \
    "some areas were reused"
unlike "$(report)" '^(note|gap|damage|end private [^0])' "all at once: nothing to note"
ok "1000 short threads" scenario churn 1000
is "$(total)" 10000 "1000 short threads: exact"
is "$([ "$(report | grep -c '^counts')" -le 40 ] && echo few)" few \
    "areas of ended threads are reused"

ok "a thread by clone" scenario clone 1
is "$(total)" 5000015 "a thread by clone: exact"
ok "the first entry is in a thread by clone" scenario clone
is "$(total)" 5000010 "the first entry is in a thread by clone: exact"
ok "a thread that is about to be cancelled" scenario cancel
is "$(total)" 1 "a thread that is about to be cancelled: exact"

ok "the first entry is in a signal handler" scenario handler
is "$(total)" 3 "the first entry is in a signal handler: exact"
for i in 1 2 3; do
    want=$(scenario storm)
    is "$(total)" "$want" "handlers that count in threads that enter, $i"
done

ok "errno, signal masks, descriptors and heap are unchanged" scenario invisible
is "$(total)" 3 "and the steps are counted"
# shellcheck disable=SC2016
ok "the same with all descriptors closed" \
    sh -c 'cd run && exec "$0" invisible <&- >&- 2>&-' "$harness"

HARNESS_EARLY=1 HARNESS_LATE=1
export HARNESS_EARLY HARNESS_LATE
ok "a constructor and a destructor that count" scenario single 10
is "$(total)" 14 "a constructor and a destructor that count: exact"
unset HARNESS_EARLY HARNESS_LATE

ok "counts are put on disk" scenario sync 0

done_testing
