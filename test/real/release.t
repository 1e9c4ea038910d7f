#!/bin/bash
# Run the commands of doc/releases/walkthrough-new-release.md, one after the other, on a real pair of releases.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# Indented lines are commands, up to the first that shows output.
perl -ne '
    if (/^    (.*)/) { $shown = 1 if $1 =~ /^# (paths|loops)/; print "$1\n" unless $shown }
    elsif (/\S/) { $shown = 0 }' "$root/doc/releases/walkthrough-new-release.md" >commands
ok "the page has commands" test -s commands
(cd "$root" && rm -rf build/release-example && bash -e "$OLDPWD/commands") >printed 2>complaint
is $? 0 "all commands of the walk-through work"
like "$(cat printed)" "functions, [0-9]+ to be profiled again" "a plan is printed"
like "$(cat printed)" "migrated from another version" "the merged file is a profile"
score=$(awk '$1 == "all" { print $4 }' printed | tail -n 1)
ok "more than 98 % of paths are right: $score" awk -v s="${score:-0}" 'BEGIN { exit !(s + 0 > 98) }'
done_testing
