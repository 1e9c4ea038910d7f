#!/bin/sh
# The output in README.md is what trod prints, and its tables are those of the results.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

ok 'the runs in README.md are true' "$root/tools/readme"
"$root/example/demo" >demo.out 2>&1
missing=$(sed -n 's/^\$ //p' demo.out | sed 's/^TROD_OUT=[^ ]* //; s/ .*//' | sort -u | while read -r program; do
    [ -x "$root/$program" ] || echo "$program"
done)
is "$missing" "" "make demo prints commands that can be typed in the project's folder"
"$root/tools/walk" guide >guide.diff 2>&1
status=$?
sed 's/^/# /' guide.diff
is "$status" 0 'the runs in doc/guide.md are true'
"$root/bench/tables" >results.md
ok 'doc/results.md is made from bench/result' cmp results.md "$root/doc/results.md"
done_testing
