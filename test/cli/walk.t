#!/bin/sh
# The sessions that the documentation shows, on programs that must be fetched, print what it shows.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

"$root/tools/walk" >walk.diff 2>&1
status=$?
if [ $status -eq 77 ]; then
    skip 'the walk-throughs' 'a source cannot be fetched here'
else
    sed 's/^/# /' walk.diff
    is "$status" 0 'the first ten minutes and the walk-throughs are true'
fi
done_testing
