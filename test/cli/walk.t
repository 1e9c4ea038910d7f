#!/bin/sh
# The walk-throughs in doc/testing.md and doc/across.md do what they say, on a program that is not ours.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

"$root/tools/walk" >walk.diff 2>&1
status=$?
if [ $status -eq 77 ]; then
    skip 'the walk-throughs' 'the source of bzip2 cannot be fetched here'
else
    sed 's/^/# /' walk.diff
    is "$status" 0 'the walk-throughs in doc/testing.md and doc/across.md are true'
fi
done_testing
