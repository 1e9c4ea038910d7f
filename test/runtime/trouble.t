#!/bin/sh
# If an operation fails, the program continues, counts stay exact as long as there is memory, and losses are reported.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
# shellcheck source=test/runtime/build.sh
. "$root/test/runtime/build.sh"
build_harness harness || exit 1
# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0
export TROD_OUT TROD_LOG

# --- no file -----------------------------------------------------------------

# A folder that cannot be created: a dangling link is in its place.
ln -s nowhere "$made/missing"
TROD_OUT=../missing/x.trod TROD_LOG=
exits 7 "no directory: the program is not affected" scenario single 1000 7
is "$(ls run)" "" "no directory: nothing is left behind"
is "$(scenario threads 8 1000 2>&1)" "" "no directory: no message"
TROD_LOG=2
like "$(scenario threads 8 1000 2>&1)" '^trod: process [0-9]+: .*missing/x.trod: .*ENOENT' \
    "TROD_LOG=2: a message on stderr"
TROD_LOG=log
scenario threads 8 1000
is "$(grep -c ^trod: run/log)" 2 "TROD_LOG=FILE: messages there, at once and at the end"
exits 0 "no directory: sync says no" scenario sync 1
TROD_LOG=/missing/log
ok "no directory for the log either" scenario threads 8 1000
TROD_LOG=
ln -s run/later "$made/link"
TROD_OUT=../link/x.trod
ok "the directory is there when the program ends" scenario later later
is "$(total)" 8001 "the directory is there when the program ends: exact"
like "$(report)" '^end private [2-9]$' "and it says that counts were in memory"
is "$(scenario fork-threads 2>&1; ls run)" "" "forks without a directory"

# as_nobody COMMAND...: without root privileges.
as_nobody()
{
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        "$@"
    fi
}
TROD_OUT=
chmod 755 "$made" && mkdir -p run && chmod 555 run
if as_nobody true 2>/dev/null; then
    rm -f run/*
    # shellcheck disable=SC2016
    exits 7 "a directory that is read-only" as_nobody sh -c \
        'cd run && exec "$0" single 1000 7' "$harness"
    is "$(ls run)" "" "a directory that is read-only: stays empty"
else
    skip "a directory that is read-only" "no setpriv"
fi

# --- limits -------------------------------------------------------------------

# limited FLAG LIMIT WORD...: under a limit of the shell's.
# shellcheck disable=SC2016,SC2317
limited()
{
    flag=$1 limit=$2
    shift 2
    rm -rf run && mkdir run
    sh -c 'cd run && flag=$1 limit=$2 && shift 2 && ulimit "$flag" "$limit" && exec "$0" "$@"' \
        "$harness" "$flag" "$limit" "$@"
}
TROD_OUT=
exits 7 "no file may have a byte" limited -f 0 single 1000 7
is "$(how_many)" 0 "no file may have a byte: none is left behind"
exits 7 "a limit within RUN and MODULE" limited -f 16 single 1000 7
# 160 KB of counters a thread, in blocks of 512 bytes: one area fits, but not two.
ok "a limit that one thread fits" limited -f 400 threads 8 1000
is "$(report | grep -c '^counts.* sum 1$')" 1 "the first thread's counts are in the file"
like "$(report)" '^note private .*EFBIG' "a note says where the others are"
unlike "$(report)" '^damage' "nothing is damaged"
ok "no memory" scenario memory
is "$(total)" 20 "no memory: counted in the section, exact"
like "$(report)" '^note shared ' "no memory: a note says so"
ok "no memory, and a fork" scenario memory 1
is "$(total)" 23 "no memory, and a fork: exact"
unset TROD_OUT
# The loader needs one descriptor to find libc; only afterwards none is free.
build_harness static -static
harness=$made/static
ok "no descriptors" limited -n 3 threads 8 1000
is "$(how_many)" 0 "no descriptors: no profile"
harness=$made/harness
ok "few descriptors" limited -n 10 threads 8 1000
is "$(total)" 8001 "few descriptors: exact"

# --- a full disk ----------------------------------------------------------------

# on_disk SIZE WORD...: in a file system of that size, copied to run afterwards.
# shellcheck disable=SC2016,SC2317
on_disk()
{
    size=$1
    shift
    rm -rf run disk && mkdir run disk
    unshare -m sh -c 'mount -t tmpfs -o size=$1 none disk && shift && cd disk &&
        { "$0" "$@"; status=$?; rm -f filler; cp -a . ../run; exit $status; }' \
        "$harness" "$size" "$@"
}
mkdir -p disk
if unshare -m mount -t tmpfs none disk 2>/dev/null; then
    exits 7 "a full disk" on_disk 4k single 1000 7
    is "$(total)" 0 "a full disk: nothing, in order"
    # 12 KB of fixed parts, 164 KB for an area.
    ok "a disk with room for two" on_disk 380k single 1000
    like "$(report)" '^end private 0$' "a disk with room for two: one is taken"
    ok "a disk with room for one" on_disk 300k single 1000
    like "$(report)" '^end private 1$' "a disk with room for one: is not filled up"
    is "$(total)" 1000 "a disk with room for one: exact"
    ok "a disk that fills up" on_disk 600k fill filler
    like "$(report)" '^counts thread 0 sum 20001$' \
        "a disk that fills up: reserved counters can be written"
    ok "a disk that fills up and is emptied" on_disk 600k fill filler 1
    is "$(total)" 20081 "a disk that fills up and is emptied: all is there at the end"
    ok "a disk too small for all threads" on_disk 800k crowd 20
    is "$(total)" 40000 "a disk too small for all threads: exact"
    like "$(report)" '^note private .*ENOSPC' "a note says why"
    like "$(report)" '^end lost 0' "and the END section that nothing is lost"
else
    skip "a full disk" "cannot mount here"
fi

# Room for 50 areas, or for the pages of them that are touched.
scenario crowd 50
taken=$(du -sk run | cut -f 1)
TROD_SPARSE=1 scenario crowd 50
is "$(total)" 100000 "TROD_SPARSE: exact"
is "$([ "$(du -sk run | cut -f 1)" -lt $((taken / 2)) ] && echo smaller)" smaller \
    "TROD_SPARSE: takes less"

# --- descriptors and files that the program takes over -------------------------------

export TROD_OUT
TROD_OUT=$made/run/p.trod TROD_LOG=$made/log
ok "all descriptors closed and taken" scenario close mine
is "$(total)" 81 "all descriptors closed and taken: exact"
ok "and the profile renamed" scenario close mine p.trod q.trod
is "$(total)" 1 "and the profile renamed: what was in it"
like "$(cat log)" 'counts in memory could not be written' "and the loss of the rest is reported"
TROD_LOG=
TROD_OUT=sub.trod
mkdir -p elsewhere
ok "another directory" scenario chdir "$made/elsewhere"
is "$(find run -name 'sub*.trod' | wc -l | tr -d ' ') $(ls elsewhere)" "1 " \
    "another directory: profiles are where the program started"
is "$(total)" 23 "another directory: exact"

# --- set-user-id programs ------------------------------------------------------------

if [ "$(id -u)" -eq 0 ] && as_nobody true 2>/dev/null; then
    cp harness trusted && chmod 4755 trusted
    rm -rf run && mkdir run && chmod 777 run
    TROD_OUT=$made/run/chosen.trod TROD_LOG=2
    exits 7 "a program with more rights than its user" as_nobody sh -c \
        'cd run && exec ../trusted single 1000 7'
    is "$(find run -name 'chosen*')" "" "it ignores TROD_OUT"
else
    skip "a program with more rights than its user" "needs root"
fi

done_testing
