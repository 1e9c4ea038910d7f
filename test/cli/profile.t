#!/bin/sh
# Profiles on the command line: show, merge, check; and a second reader, written from the specification alone.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

seed=$root/fuzz/seed/fuzz_profile
cp "$seed"/* .

# --- show ---------------------------------------------------------------------------------

is "$(trod show live-ended)" "$(trod show packed-plain)" "a live profile shows as a packed one"
is "$(trod show text-ended)" "$(trod show packed-plain)" "and as a text"
is "$(trod show text-groups)" "$(trod show packed-groups-zstd)" "groups, compressed or not"
is "$(trod show <live-ended)" "$(trod show live-ended)" "standard input"
is "$(trod show - <text-ended)" "$(trod show text-ended)" "standard input by name"
trod show live-ended text-groups >both
is "$(trod show both)" "$(cat both)" "what is shown can be shown again, several in a file"
like "$(trod show live-killed)" '^exit: unknown$' "a program that was killed"
like "$(trod show live-cut 2>/dev/null)" '^note "lost live-cut: at 20480: .* 600 of 701 counters"$' \
    "counters that are cut off"
like "$(trod show live-cut 2>/dev/null)" '^=1 2$' "and those that are not"
like "$(trod show live-cut 2>&1 >both)" '^trod: note: live-cut: damaged; 1 losses' "damage is reported"
is "$(trod show -q live-cut 2>&1 >both)" "" "but not with -q"
head -c 12288 live-killed >nothing
like "$(trod show nothing 2>/dev/null)" 'there are no counters' "a file that was cut before its counters"
exits 0 "a damaged profile can be shown" trod show live-cut packed-cut
head -c 10 live-ended >begun
exits 0 "so can one that was cut off in its header" trod show -q begun
like "$(trod check begun 2>said)" '^begun: live, damaged' "it is called damaged"
exits 3 "a file that is not a profile cannot" trod show "$root/layers.txt"
exits 3 "nor can nothing" trod show /dev/null
exits 5 "a missing file" trod show missing.trod
like "$(trod show "$root/layers.txt" 2>&1)" 'not a profile' "and is called so"

# --- merge --------------------------------------------------------------------------------

trod merge -q -o one.trod live-ended live-killed
trod merge -q -o other.trod live-killed live-ended
ok "the order makes no difference" cmp one.trod other.trod
trod merge -q -o one.trod one.trod packed-plain
trod merge -q -o other.trod packed-plain live-killed live-ended
ok "nor do the steps" cmp one.trod other.trod
is "$(trod show one.trod)" "$(trod merge -q --text live-ended live-killed text-ended)" \
    "text and bytes say the same"
like "$(trod show one.trod)" '^=5 6$' "counts are added up"
is "$(trod show one.trod | grep -c '^run$')" 3 "runs are all listed"
like "$(trod merge --keep-runs --text live-ended live-killed)" '^=5 3 @0$' "runs kept apart"
like "$(trod merge --text live-ended live-ended 2>&1)" '^trod: note: 1 runs occur more' \
    "the same file twice is remarked"
like "$(trod merge --text live-cut 2>/dev/null)" '^note "lost live-cut: at 20480' \
    "what was lost is noted in the result"
exits 4 "modes are not mixed" trod merge -o x.trod live-ended packed-groups
exits 3 "a file that is not a profile is not merged, with --strict" trod merge --strict -o x.trod live-ended "$root/layers.txt"
is "$(find . -name x.trod)" "" "and nothing is left of it"
i=0
while [ $i -lt 150 ]; do
    i=$((i + 1))
    printf 'profile\nrun\npid: %d\nmodule a code\n' $i
    printf 'function 0000000000000001 0000000000000002 0000000000000003 4\n=1 2\n'
done >many
split -l 60 many many.
like "$(trod merge --text many.*)" '^=1 300$' "more files and profiles than one batch"
is "$(trod merge --text many.*)" "$(trod merge --text many)" "in any portions"
is "$(trod merge --keep-runs many | trod show | grep -c '^=1 2 @')" 150 "all kept apart"

# --- check --------------------------------------------------------------------------------

exits 0 "sound profiles" trod check live-ended live-killed packed-plain packed-groups-zstd text-ended
for file in live-cut live-head-damaged packed-cut packed-head-damaged packed-magic-damaged; do
    exits 1 "$file is damaged" trod check "$file"
done
exits 3 "no profile" trod check "$root/layers.txt"
exits 3 "no profile among others" trod check live-ended "$root/layers.txt" live-cut
exits 5 "a missing file" trod check missing.trod
is "$(trod check live-ended)" "live-ended: live, sound; runs: 1, modules: 1, paths: 4" "what is in it"
like "$(trod check live-killed)" 'live, sound, still running or killed' "one without an end"
like "$(trod check live-cut "$root/layers.txt" live-ended 2>/dev/null)" '^live-ended: live, sound' \
    "all files are looked at"
if perl -MJSON::PP -e 1 2>/dev/null; then
    for command in "show live-ended" "check live-ended"; do
        # shellcheck disable=SC2016,SC2086
        is "$(trod $command --json | perl -MJSON::PP -e \
            'local $/; $_ = decode_json(<STDIN>); print "$_->{trod} $_->{version}"')" \
            "${command%% *} 1" "trod $command --json parses"
    done
else
    skip "--json parses" "perl has no JSON::PP"
fi

# --- the second reader -----------------------------------------------------------------------

trod merge -q -o merged live-ended live-killed text-ended
trod merge -q --keep-runs -o apart live-ended live-killed text-ended
if command -v python3 >/dev/null && command -v zstd >/dev/null; then
    for file in live-* packed-* merged apart; do
        trod show -q "$file" | grep -v '^note "lost ' >ours
        python3 "$root/tools/trod-read.py" "$file" >theirs 2>said
        is "$(cat theirs)" "$(cat ours)" "a reader made from the specification agrees on $file"
    done
    # Cut off anywhere, it is the same profile for both.
    agree=yes
    for size in 63 64 500 800 8200 12287 12400 20560; do
        for file in live-ended live-killed packed-groups; do
            head -c $size $file >part
            trod show -q part 2>said | grep -v '^note "lost ' >ours
            python3 "$root/tools/trod-read.py" part >theirs 2>said
            cmp -s ours theirs || agree="no: $file, $size bytes"
        done
    done
    is "$agree" yes "and on files that are cut off"
else
    skip "a reader made from the specification agrees" "no python3 or no zstd"
fi

done_testing
