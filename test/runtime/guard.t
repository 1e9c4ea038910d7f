#!/bin/sh
# Permissions of profiles, and the profiles of programs that drop privileges or descriptors, are killed, or whose file
# others change.
# shellcheck disable=SC2012 # names of profiles are plain
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
here=$root/test/runtime
# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0

trod cc -O1 -o program "$here/guard_program.c" -pthread || exit 1

# in_run COMMAND...: in an empty folder.
in_run()
{
    rm -rf run && mkdir run
    (cd run && "$@")
}
counted()
{
    trod report --brief --exact -q --most=100 run/*.trod | sed -n 's/.* \([0-9]*\) times in all.*/\1/p' | tail -n 1
}

# --- names ------------------------------------------------------------------------

TROD_OUT=same.trod
export TROD_OUT
# shellcheck disable=SC2016
in_run sh -c 'for i in 1 2 3 4 5 6 7; do ../program; chmod 660 *.trod; done'
is "$(cd run && ls -- *.trod | wc -l | tr -d ' ')" 7 "seven profiles of one name that others may write to: seven files, all *.trod"
is "$(cd run && ls same.trod same.[1-4].trod | tr '\n' ' ')" \
    "same.1.trod same.2.trod same.3.trod same.4.trod same.trod " "with small numbers first"
if command -v strace >/dev/null; then
    i=100
    while [ $((i -= 1)) -gt 0 ]; do
        : >run/same.$i.trod
    done
    (cd run && strace -f -o ../trace ../program)
    is "$([ "$(grep -c EEXIST trace)" -le 6 ] && echo few)" few "a free name is found in a few steps"
else
    skip "a free name is found in a few steps" "no strace"
fi
TROD_OUT=plain
in_run sh -c 'echo precious >plain; ../program'
is "$(cd run && ls | tr '\n' ' ')" "plain plain.1 " "a name without the suffix gets its number at the end"
unset TROD_OUT

# --- permissions ---------------------------------------------------------------------

# shellcheck disable=SC2016
TROD_OUT=made/deep/p.trod in_run sh -c 'umask 0; exec ../program'
is "$(stat -c %a run/made/deep/p.trod)" 600 "umask 0: only the owner can read a profile"
is "$(stat -c %a run/made/deep)" 755 "umask 0: only the owner can write to a folder"
# shellcheck disable=SC2016
TROD_LOG=log in_run sh -c 'umask 0; TROD_OUT=/proc/none/x.trod exec ../program'
is "$(stat -c %a run/log)" 600 "umask 0: only the owner can read the log"

as_nobody()
{
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
if [ "$(id -u)" -eq 0 ] && as_nobody true 2>/dev/null; then
    chmod 755 .
    mkdir chosen
    trod cc -O1 -o trusted "$here/guard_program.c" -pthread &&
        trod cc "--out=$PWD/chosen/%e.trod" -O1 -o suid_named "$here/guard_program.c" -pthread &&
        trod cc --out=near.trod -O1 -o near "$here/guard_program.c" -pthread || exit 1
    chmod 4755 trusted suid_named near
    rm -rf run && mkdir run && chmod 777 run
    # shellcheck disable=SC2016
    exits 0 "a set-user-id program" as_nobody sh -c \
        'cd run && umask 0 && TROD_OUT=x.trod TROD_LOG=x.log exec ../trusted'
    exits 0 "with a name of its own that is relative" as_nobody sh -c 'cd run && exec ../near'
    is "$(ls -A run)" "" "writes nothing to a folder of the caller"
    exits 0 "with a name of its own" as_nobody sh -c 'cd run && umask 0 && TROD_OUT=x.trod exec ../suid_named'
    is "$(ls -A run) $(stat -c '%n %U %a' chosen/*)" " chosen/suid_named.trod root 600" \
        "writes a profile there, which only its owner can read"
else
    skip "a set-user-id program" "needs root and setpriv"
fi

# --- no descriptor ----------------------------------------------------------------------

exits 0 "no more descriptors" in_run ../program limit
is "$(counted)" 3010 "no more descriptors: later threads are counted"
like "$(trod check run/*.trod 2>&1)" ': live, sound' "no more descriptors: sound"
if [ "$(id -u)" -eq 0 ]; then
    mkdir -p jail
    exits 0 "all closed, and another root" in_run ../program leave ../jail
    exits 1 "all closed, and another root: the loss is reported" trod check run/*.trod
    like "$(trod check run/*.trod 2>&1)" 'counts of [12] threads, which the program could not write' \
        "all closed, and another root: of how many areas"
    is "$(trod show -q run/*.trod | grep -c '^exit: order')" 1 "all closed, and another root: it ended normally"
else
    skip "all closed, and another root" "needs root"
fi

# --- killed while the profile is made -----------------------------------------------------

# Before each system call of the start: no file, or one that can be read.
if command -v strace >/dev/null && strace -o trace -e inject=getpid:signal=KILL:when=1 true 2>log; then
    bad='' n=0
    for call in openat linkat pwrite64 fcntl fallocate mmap; do
        for when in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
            in_run strace -f -o ../trace -e "inject=$call:signal=KILL:when=$when" ../program 2>log
            for file in run/*; do
                [ -e "$file" ] || continue
                n=$((n + 1))
                trod show "$file" >log 2>&1 || bad="$bad $call:$when"
            done
        done
    done
    is "$bad" "" "killed at any moment of the start: files are whole ($n of them)"
else
    skip "killed at any moment of the start" "no strace that injects"
fi

# --- a file that others write to ------------------------------------------------------------

for mode in "" --wpp --online=f=1 --online=f=1,window=100 --burst=trigger=always --burst=types=streams,trigger=always; do
    # shellcheck disable=SC2086
    trod cc $mode -O1 -o ruined "$here/guard_program.c" -pthread || exit 1
    TROD_OUT=p.trod TROD_SYMBOLS=500 exits 0 "cc $mode: the profile is filled with ones" in_run timeout 30 ../ruined ruin p.trod
    TROD_OUT=p.trod TROD_SYMBOLS=500 exits 0 "cc $mode: with small numbers" in_run timeout 30 ../ruined ruin p.trod small
done

done_testing
