#!/bin/sh
# What README.md shows is what trod says, and the tables are those of the results.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

ok 'the runs in README.md are true' "$root/tools/readme"
"$root/tools/walk" guide >guide.diff 2>&1
status=$?
sed 's/^/# /' guide.diff
is "$status" 0 'the runs in doc/guide.md are true'
"$root/bench/tables" >results.md
ok 'doc/results.md is made from bench/result' cmp results.md "$root/doc/results.md"
done_testing
