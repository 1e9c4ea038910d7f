#!/bin/sh
# Where input comes from and output goes to, and that a failure leaves nothing behind.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >good.graph <<EOF
graph good
s: a b
a: t
b: t
t:
EOF
printf 'graph first\na:\ngraph second\nb: c\n' >bad.graph
good=$(cat good.graph)

# --- input
is "$(trod graph <good.graph)" "$good" "standard input is read without a file"
is "$(trod graph - <good.graph)" "$good" "standard input is read for -"
is "$(trod graph ./good.graph)" "$good" "a file is read"
is "$(trod graph good.graph good.graph | grep -c graph)" 2 "two files are read"
is "$(echo "$good" | trod graph good.graph - | grep -c graph)" 2 "a file and standard input"
is "$(cat good.graph good.graph | trod graph | grep -c graph)" 2 "one file with two graphs"
like "$(trod graph <bad.graph 2>&1)" "^trod: <stdin>:4: " "standard input has a name"
exits 5 "standard input that is closed" sh -c 'trod graph <&-'
is "$(printf 'graph g\r\na: b\r\nb:\r\n' | trod graph)" "$(printf 'graph g\na: b\nb:')" \
    "line ends of other systems are read"
is "$(printf 'graph g\na:' | trod graph)" "$(printf 'graph g\na:')" \
    "a last line may go without its end"
mkfifo pipe
cat good.graph >pipe &
is "$(trod graph pipe)" "$good" "a pipe has no size and is read all the same"
wait

# --- output
trod graph good.graph -o out
is "$(cat out)" "$good" "-o FILE"
is "$(trod graph good.graph -o -)" "$good" "-o - is standard output"
is "$(trod graph good.graph --output=out)" "" "with -o nothing goes to standard output"
trod number good.graph | trod probe >piped
is "$(cat piped)" "$(trod probe good.graph)" "a pipe from number to probe"
cp good.graph inplace.graph
trod number inplace.graph -o inplace.graph
is "$(cat inplace.graph)" "$(trod number good.graph)" "a file may be read and written"

# --- failures
echo before >out
for command in graph number probe; do
    is "$(trod $command bad.graph 2>/dev/null)" "" "$command: bad input prints nothing"
    trod $command bad.graph -o out 2>/dev/null
    is "$(cat out)" before "$command: bad input leaves the output file alone"
    trod $command bad.graph -o new 2>/dev/null
    ok "$command: bad input makes no output file" test ! -e new
done
is "$(trod graph good.graph missing.graph 2>/dev/null)" "" "a missing second file, nothing"
is "$(trod graph --json good.graph bad.graph 2>/dev/null)" "" "half a JSON text, nothing"

if [ -e /dev/full ]; then
    for command in graph number probe help; do
        set -- good.graph
        [ "$command" != help ] || shift
        # shellcheck disable=SC2016
        exits 5 "$command: standard output is full" \
            sh -c 'trod "$@" >/dev/full' sh "$command" "$@"
        exits 5 "$command: the file is full" trod "$command" "$@" -o /dev/full
    done
    exits 5 "--help on a full disk" sh -c 'trod --help >/dev/full'
    exits 5 "--version on a full disk" sh -c 'trod --version >/dev/full'
    like "$(trod graph good.graph -o /dev/full 2>&1)" \
        "^trod: writing /dev/full: No space left on device; make room" \
        "a full disk is said, with a remedy"
else
    skip "full disks" "no /dev/full"
fi
exits 5 "standard output is closed" sh -c 'trod graph good.graph >&-'
exits 0 "standard output is closed and not needed" sh -c 'trod graph good.graph -o out >&-'
is "$(cat out)" "$good" "... and did not become the file"
exits 5 "--help with standard output closed" sh -c 'trod --help >&-'
exits 3 "standard error is closed" sh -c 'trod graph bad.graph 2>&-'
exits 5 "all streams are closed" sh -c 'trod graph <&- >&- 2>&-'

# A reader that goes away: no message, no output of ours is waited for.
is "$(trod number --list good.graph 2>&1 | head -n 1)" "# good: all 2 paths" \
    "a reader may stop reading"

# --- memory
if [ "$TROD_CONFIG" = asan ]; then
    skip "out of memory" "the sanitizer needs it all"
else
    exits 5 "out of memory" sh -c 'ulimit -v 100000 && trod graph /dev/zero'
    like "$(sh -c 'ulimit -v 100000 && trod graph /dev/zero' 2>&1)" "^trod: out of memory; " \
        "out of memory: a message with a remedy"
fi

done_testing
