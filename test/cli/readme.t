#!/bin/sh
# What README.md shows is what trod says, and the tables are those of the results.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

ok 'the runs in README.md are true' "$root/tools/readme"
"$root/bench/tables" >results.md
ok 'doc/results.md is made from bench/result' cmp results.md "$root/doc/results.md"
done_testing
