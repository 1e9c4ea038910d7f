#!/bin/sh
# The tester's walk-through in doc/testing.md does what it says, on a program that is not ours.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

"$root/tools/walk" >walk.diff 2>&1
status=$?
if [ $status -eq 77 ]; then
    skip 'the walk-through' 'the source of bzip2 cannot be fetched here'
else
    sed 's/^/# /' walk.diff
    is "$status" 0 'the walk-through in doc/testing.md is true'
fi
done_testing
