#!/bin/sh
# Input and output files. A failure leaves no partial output.
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
is "$(trod stage graph <good.graph)" "$good" "standard input is read without a file"
is "$(trod stage graph - <good.graph)" "$good" "standard input is read for -"
is "$(trod stage graph ./good.graph)" "$good" "a file is read"
is "$(trod stage graph good.graph good.graph | grep -c graph)" 2 "two files are read"
is "$(echo "$good" | trod stage graph good.graph - | grep -c graph)" 2 "a file and standard input"
is "$(cat good.graph good.graph | trod stage graph | grep -c graph)" 2 "one file with two graphs"
like "$(trod stage graph <bad.graph 2>&1)" "^trod: <stdin>:4: " "standard input has a name"
exits 5 "standard input that is closed" sh -c 'trod stage graph <&-'
is "$(printf 'graph g\r\na: b\r\nb:\r\n' | trod stage graph)" "$(printf 'graph g\na: b\nb:')" \
    "line ends of other systems are read"
is "$(printf 'graph g\na:' | trod stage graph)" "$(printf 'graph g\na:')" \
    "a last line may go without its end"
mkfifo pipe
cat good.graph >pipe &
is "$(trod stage graph pipe)" "$good" "a pipe has no size and is read all the same"
wait

# --- output
trod stage graph good.graph -o out
is "$(cat out)" "$good" "-o FILE"
is "$(trod stage graph good.graph -o -)" "$good" "-o - is standard output"
is "$(trod stage graph good.graph --output=out)" "" "with -o nothing goes to standard output"
trod stage number good.graph | trod stage probe >piped
is "$(cat piped)" "$(trod stage probe good.graph)" "a pipe from number to probe"
cp good.graph inplace.graph
trod stage number inplace.graph -o inplace.graph
is "$(cat inplace.graph)" "$(trod stage number good.graph)" "a file may be read and written"

# --- failures
echo before >out
# shellcheck disable=SC2086 # a name of two words
for command in "stage graph" "stage number" "stage probe"; do
    is "$(trod $command bad.graph 2>/dev/null)" "" "$command: bad input prints nothing"
    trod $command bad.graph -o out 2>/dev/null
    is "$(cat out)" before "$command: bad input leaves the output file alone"
    trod $command bad.graph -o new 2>/dev/null
    ok "$command: bad input makes no output file" test ! -e new
done
is "$(trod stage graph good.graph missing.graph 2>/dev/null)" "" "a missing second file, nothing"
is "$(trod stage graph --json good.graph bad.graph 2>/dev/null)" "" "half a JSON text, nothing"

if [ -e /dev/full ]; then
    for command in "stage graph" "stage number" "stage probe" help; do
        set -- good.graph
        [ "$command" != help ] || shift
        # shellcheck disable=SC2016,SC2086
        exits 5 "$command: standard output is full" \
            sh -c 'trod "$@" >/dev/full' sh $command "$@"
        # shellcheck disable=SC2086
        exits 5 "$command: the file is full" trod $command "$@" -o /dev/full
    done
    exits 5 "--help on a full disk" sh -c 'trod --help >/dev/full'
    exits 5 "--version on a full disk" sh -c 'trod --version >/dev/full'
    like "$(trod stage graph good.graph -o /dev/full 2>&1)" \
        "^trod: writing /dev/full: No space left on device; make room" \
        "a full disk is reported, with a remedy"
else
    skip "full disks" "no /dev/full"
fi
exits 5 "standard output is closed" sh -c 'trod stage graph good.graph >&-'
exits 0 "standard output is closed and not needed" sh -c 'trod stage graph good.graph -o out >&-'
is "$(cat out)" "$good" "... and did not become the file"
exits 5 "--help with standard output closed" sh -c 'trod --help >&-'
exits 3 "standard error is closed" sh -c 'trod stage graph bad.graph 2>&-'
exits 5 "all streams are closed" sh -c 'trod stage graph <&- >&- 2>&-'

# --- files are replaced when they are whole
# 3,000 paths are more than the one block that may be written.
{
    printf 'profile\nrun\nprogram: app\nmodule app source 5f3a90c2\n'
    echo 'function 8c3f1d9a00b2e6f7 12ab34cd56ef7890 cbf29ce484222325 3000'
    awk 'BEGIN { for (i = 0; i < 3000; i++) print "=" i, i * 7919 % 100003 + 1 }'
} >large.text
trod merge -o large.trod large.text
cp large.trod all.trod
chmod 640 all.trod
limited()
{
    (ulimit -f 1 && exec "$@")
}
exits 5 "a limit on the size of files is an error like any other" \
    limited trod merge -o all.trod all.trod large.trod
ok "no room: the file that was read and written is as it was" cmp all.trod large.trod
like "$(limited trod merge -o all.trod all.trod large.trod 2>&1)" \
    "^trod: writing all.trod: File too large" "... and the file is named"
exits 5 "no room for a new file" limited trod merge -o some.trod all.trod
ok "... which is not begun" test ! -e some.trod
# The same of other commands.
for command in "show" "report" "merge --text" "export --format=csv" "set union --text"; do
    cp large.trod kept
    # shellcheck disable=SC2086
    limited trod $command -o kept large.trod 2>/dev/null
    ok "$command: no room, and the file is as it was" cmp kept large.trod
done
is "$(find . -name '.trod-*')" "" "nothing is left behind"

trod merge -o all.trod all.trod large.trod
is "$(stat -c %a all.trod)" 640 "a file that is replaced keeps its mode"
(umask 027 && trod stage graph good.graph -o narrow)
is "$(stat -c %a narrow)" 640 "a new file has the mode that the umask says"
mkdir -p far/away
echo before >far/away/target
ln -s away/target far/middle
ln -s far/middle link
trod stage graph good.graph -o link
is "$(cat far/away/target)" "$good" "what a link leads to is replaced"
ok "... and the link is still one" test -L link
ln -s far/new dangling
trod stage graph good.graph -o dangling
is "$(cat far/new)" "$good" "a link may lead to a file that is not there yet"
mkfifo sink
cat sink >got &
trod stage graph good.graph -o sink
wait
is "$(cat got)" "$good" "a pipe is written to, and stays one"
ok "... indeed" test -p sink
is "$(trod stage graph good.graph -o /dev/stdout)" "$good" "/dev/stdout"
{ echo first; trod stage graph good.graph -o /dev/stdout; echo last; } >mixed
is "$(cat mixed)" "$(printf 'first\n%s\nlast' "$good")" \
    "/dev/stdout that is a file is written on, not cut off"
trod stage graph good.graph -o /dev/fd/3 3>third
is "$(cat third)" "$good" "/dev/fd/3"
exits 5 "a folder is not a file" trod stage graph good.graph -o far
exits 5 "a folder that is not there" trod stage graph good.graph -o nowhere/out

# The same without root privileges: owners and folders matter.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    # shellcheck disable=SC2317 # called through ok and exits
    other()
    {
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    }
    chmod 755 . "$tap_tmp"
    echo before >locked
    chmod 444 locked
    chmod 777 far
    cp locked far/locked
    chmod 444 far/locked
    exits 5 "a file that may not be written is not replaced" \
        other "$(command -v trod)" stage graph -o far/locked "$PWD/good.graph"
    is "$(cat far/locked)" before "... and is as it was"
    mkdir closed
    cp large.trod closed/open
    chmod 666 closed/open
    inode=$(stat -c %i closed/open)
    ok "a file in a folder that takes no others is written" \
        other "$(command -v trod)" stage graph -o closed/open "$PWD/good.graph"
    is "$(cat closed/open)" "$good" "... all of it"
    is "$(stat -c %i:%u closed/open)" "$inode:0" "... where it is"
    cp large.trod far/roots
    chmod 666 far/roots
    ok "a file of another user is written" \
        other "$(command -v trod)" stage graph -o far/roots "$PWD/good.graph"
    is "$(stat -c %u far/roots)" 0 "... and stays theirs"
    is "$(cat far/roots)" "$good" "... with what was written"
    is "$(find . -name '.trod-*')" "" "nothing is left behind"
else
    skip "files of others" "not root"
fi

# A reader that goes away: no message, no output of ours is waited for.
is "$(trod stage number --list good.graph 2>&1 | head -n 1)" "# good: all 2 paths" \
    "a reader may stop reading"

# --- memory
if [ "$TROD_CONFIG" = asan ]; then
    skip "out of memory" "the sanitizer needs it all"
else
    exits 5 "out of memory" sh -c 'ulimit -v 100000 && trod stage graph /dev/zero'
    like "$(sh -c 'ulimit -v 100000 && trod stage graph /dev/zero' 2>&1)" "^trod: out of memory; " \
        "out of memory: a message with a remedy"
fi

done_testing
