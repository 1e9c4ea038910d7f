#!/bin/sh
# Streams of branches: trace files that are damaged, or read by the second reader; packets
# of Intel PT and branch stacks, over code of a few bytes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# At 0x1000: nop; dec %rax; jne 0x1001; call 0x1010; jmp *%rax.  At 0x1010: syscall; ret.
printf '\220\110\377\310\165\373\350\005\000\000\000\377\340\314\314\314\017\005\303' >code
{
    cat <<'END'
branches hand
code 0 0x1000 0x1004 0x1006 3 if 0x1001
code 1 0x1001 0x1004 0x1006 2 if 0x1001
code 2 0x1006 0x1006 0x100b 1 call 0x1010
code 3 0x1010 0x1010 0x1012 1 none
code 4 0x1012 0x1012 0x1013 1 return
code 5 0x100b 0x100b 0x100d 1 indirect
END
    awk 'BEGIN {
        for (i = 0; i < 2000; i++) {
            print "run 0 0 0x1001"
            for (k = i % 7; k; k--)
                print "run 0 1 0x1001: 0 load 8 0x" sprintf("%x", 4096 + 8 * k)
            print "run 0 1 0x1006\nrun 0 2 0x1010 stack 0x7ff8\nrun 0 3 0x1012"
            print "run 0 4 0x100b stack 0x7ff8\nrun 0 5 0x1000"
        }
        print "end 0"
    }'
} >hand

hash()
{
    trod hw trace "$@" | awk '$1 == "hash" { print $2 }'
}

ok "it can have been" trod hw trace --check hand
ok "as a trace file" trod hw trace --trace -o hand.branches hand
is "$(hash hand.branches)" "$(hash hand)" "which has the same branches"
trod hw trace --text hand.branches >back
ok "in a tenth of the bytes, at least" test "$(($(wc -c <hand.branches) * 10))" -lt "$(wc -c <hand)"
if command -v python3 >/dev/null && command -v zstd >/dev/null; then
    python3 "$root/tools/trod-branches.py" hand.branches >theirs
    ok "the second reader reads the same" cmp theirs back
    for seed in "$root"/fuzz/seed/fuzz_branch/*; do
        trod hw trace --trace -o seed.branches "$seed"
        is "$(python3 "$root/tools/trod-branches.py" seed.branches)" "$(trod hw trace --text seed.branches)" \
            "and of ${seed##*/}"
    done
else
    skip "the second reader reads the same" "no python3, or no zstd"
fi

head -c "$(($(wc -c <hand.branches) - 20))" hand.branches >short
trod hw trace short >printed 2>said
is $? 0 "a file that is cut off is read"
like "$(cat said)" 'short: truncated after [0-9]* instructions; the rest is missing' "and it is reported"
trod hw trace --check short >printed 2>said
is $? 1 "but it is not sound"
# A byte of the last chunk of runs, which is before the index and the end.
perl -e 'local $/; open(F, "<:raw", shift); $_ = <F>; my $at = rindex($_, "tbch");
    substr($_, $at - 3, 1) ^= "\001"; print' hand.branches >damaged
trod hw trace damaged >printed 2>said
is $? 0 "a damaged one, too"
like "$(cat said)" 'damaged in [0-9]* places; [0-9]* or more instructions could not be read' "and it is reported"
perl -e 'local $/; open(F, "<:raw", shift); $_ = <F>; substr($_, 8, 1) = "\002"; print' hand.branches >newer
trod hw trace newer >printed 2>said
is $? 3 "a head that is damaged is refused"

ok "as packets of Intel PT" trod hw trace --pt --image=code@0x1000 -o hand.pt hand
ok "and back" trod hw import --pt --image=code@0x1000 --trace -o pt.branches hand.pt
is "$(hash pt.branches)" "$(hash hand)" "the same branches"
is "$(trod hw import --pt --image=code@0x1000 --json hand.pt | awk '/"paths"/ { print $2 }')" "5," \
    "its paths are counted"
trod hw import --pt --image=code@0x2000 hand.pt >printed 2>said
is $? 0 "code that is elsewhere"
like "$(cat said)" 'no memory mapped' "cannot be decoded, and it is reported"
trod hw import --pt --image=code@0x1000 hand >printed 2>said
is $? 3 "what are no packets"
like "$(cat said)" 'hand: no PSB packet' "is refused"

trod hw trace --stacks=20 hand >hand.script
trod hw import --image=code@0x1000 --check hand.script >printed 2>said
is $? 0 "branch stacks are read"
is "$(cat said)" "" "with nothing to be said"
like "$(sed -n 1p printed)" 'stacks of up to 32 branches; shares are estimated' "and paths are estimated"
is "$(awk 'NR == 5 { print $3, $4 }' printed)" "code+0x1 code+0x4>code+0x1" "the hottest is the loop"
{
    echo "app  77 1.5: PERF_RECORD_MMAP2 77/77: [0x1000(0x13) @ 0 fe:01 1 2]: r-xp $PWD/code"
    cat hand.script
} >mapped.script
trod hw import --text mapped.script 2>said | grep -v '^image\|^branches' >with
is "$(cat said)" "" "mappings that perf printed are code, too"
trod hw import --text --image=code@0x1000 hand.script | grep -v '^image\|^branches' >named
ok "the same as if they were named" cmp with named
trod hw import --text hand.script >printed 2>said
like "$(cat said)" 'code is unknown' "without code it is reported"
done_testing
