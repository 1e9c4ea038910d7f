#!/bin/sh
# The tree itself: what `make lint` checks in seconds.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

for check in format layers map phrases; do
    is "$("$root/tools/check-$check" 2>&1)" "" "tools/check-$check has nothing to say"
done
done_testing
