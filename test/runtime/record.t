#!/bin/sh
# Recorded steps are complete and in order at every moment.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
# shellcheck source=test/runtime/build.sh
. "$root/test/runtime/build.sh"
harness_source=record_interrupted.c
build_harness interrupted || exit 1
harness_source=record_program.c
build_harness harness || exit 1
TROD_OUT=%p.trod
export TROD_OUT TROD_SYMBOLS

# interrupted WORD...: a scenario of the program that handlers and forks interrupt.
# shellcheck disable=SC2317
interrupted()
{
    (harness=$made/interrupted && scenario "$@")
}

# lines PATTERN: of the report.
lines()
{
    report | grep -E "$1"
}

sizes="16 1000000"
[ -z "${TROD_FULL:-}" ] || sizes="16 64 1000 1000000"
for pattern in one nest walk few mixed; do
    for TROD_SYMBOLS in $sizes; do
        ok "$pattern, $TROD_SYMBOLS symbols: all steps in order" scenario single "$pattern" 20000
        like "$(report)" "^steps thread 0 parts [0-9]+ steps 20000 crc $(cat run/crc)\$" \
            "$pattern, $TROD_SYMBOLS symbols: an independent reader agrees"
    done
done

# The grammar equals the one that the library builds from the same steps, rule by rule.
for pattern in one nest walk few mixed; do
    for TROD_SYMBOLS in $sizes; do
        scenario single "$pattern" 20000
        {
            echo "grammar g"
            trod show run/*.trod | sed -n '/^steps 0$/,$p' | grep -E '^(R|part)'
        } >got
        trod stage grammar --expand got | trod stage grammar --most-symbols="$TROD_SYMBOLS" >want
        ok "$pattern, $TROD_SYMBOLS symbols: the grammar that the library makes" cmp got want
        ok "$pattern, $TROD_SYMBOLS symbols: and it is one" trod stage grammar --check got
    done
done

# The same for many short sequences with many overlaps.
: >got
: >want
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    for pattern in few copies; do
        TROD_SYMBOLS=$((16 + 37 * seed))
        scenario single $pattern $((50 * seed)) $seed
        {
            echo "grammar g"
            trod show run/*.trod | sed -n '/^steps 0$/,$p' | grep -E '^(R|part)'
        } >one
        cat one >>got
        trod stage grammar --expand one | trod stage grammar --most-symbols=$TROD_SYMBOLS >>want
    done
done
ok "many short ones: the grammars that the library makes" cmp got want

TROD_SYMBOLS=64
scenario single one 20000
like "$(report)" '^end parts 0$' "a loop fits one part"
scenario single few 20000
like "$(report)" '^end parts [1-9][0-9][0-9]$' "and noise does not: the end says so"
like "$(report)" '^end recorded 1$' "the end says how many threads were recorded"
unlike "$(report)" '^(note|end given)' "no step was dropped"
is "$(lines '^module')" "module 2002 counters 2 functions mode 3
module path $made/harness
module id $(readelf -n harness | sed -n 's/.*Build ID: //p')" "the module"
exits 4 "trod merge does not add up steps" trod merge -o sum run/*.trod
like "$(trod report --brief run/*.trod 2>&1)" 'trod calls steps' "trod report names the command that prints them"
like "$(trod check run/*.trod)" ' live, sound; .*, threads: 1, steps: 20000$' "trod check counts them"
case $(uname -m) in
    x86_64) ok "registers come back" scenario registers ;;
    *) skip "registers come back" "not here" ;;
esac

# --- deaths --------------------------------------------------------------------

for TROD_SYMBOLS in 16 1000 1000000; do
    for delay in 100 1000 5000; do
        ok "killed at some moment, $TROD_SYMBOLS symbols, $delay" \
            scenario killed mixed $delay
    done
done

# planted PROGRAM FILE EDIT: build a runtime with a fault, and of PROGRAM.c a $harness with it.
planted()
{
    program=$1
    shift
    rm -rf "$made/planted" && mkdir "$made/planted"
    source=$(find "$root/runtime" -name "$1")
    sed "$2" "$source" >"$made/planted/$1"
    cmp -s "$source" "$made/planted/$1" && return 1
    # The others are as they were built.
    cp "$made"/rt/*.o "$made/planted"
    # shellcheck disable=SC2086
    "$CC" $rt_flags -c -o "$made/planted/${1%.c}.o" "$made/planted/$1" || return 1
    # An archive, as programs are linked with it: some objects are only for programs that ask for them.
    ar rcs "$made/planted/libtrod-rt.a" "$made"/planted/*.o || return 1
    # shellcheck disable=SC2086
    "$CC" $harness_flags -I"$here" -o "$made/faulty" "$here/$program.c" \
        "$made/planted/libtrod-rt.a" -pthread
}

if ! scenario stepwise few 2 >log 2>&1; then
    skip "killed at every instruction" "cannot trace here: $(head -n 1 log)"
elif [ -z "${TROD_FULL:-}" ]; then # instruction by instruction takes minutes
    TROD_SYMBOLS=16
    ok "killed at every instruction: few" scenario stepwise few 25
    ok "a signal before instruction 997, 1994 ..." interrupted pricked few 60 997 1 1 1
else
    for TROD_SYMBOLS in 16 1000000; do
        for pattern in few mixed; do
            ok "killed at every instruction: $pattern, $TROD_SYMBOLS symbols" \
                scenario stepwise $pattern 100
        done
    done
    # A signal handler with its own step interrupts at every instruction.
    for every in 997 1009 1021; do
        for how in "1 0 0" "1 1 0" "1 0 1" "1 1 1"; do
            TROD_SYMBOLS=$((every * 4 - 3948))
            # shellcheck disable=SC2086
            ok "a signal before instruction $every, $((2 * every)) ..., $how" \
                interrupted pricked few 60 $every $how
        done
    done
    # A handler forks before every instruction; the parent is far ahead when its child continues.
    TROD_SYMBOLS=16
    ok "forked at every instruction" interrupted fork-everywhere mixed 1
    # A fault is found only if a runtime that is built in the same way is sound without one.
    harness=$made/faulty
    planted record_interrupted step.c '1i /* no fault */' || exit 1
    ok "built anew without a fault: forked at every instruction" scenario fork-everywhere mixed 1
    ok "built anew without a fault: a signal before instruction 997, 1994 ..." scenario pricked few 60 997
    planted record_program step.c '1i /* no fault */' || exit 1
    ok "built anew without a fault: killed at every instruction" scenario stepwise few 100
    for fault in 'step.c s/own->stepping = true;//' \
        'step.c s/if (r != own->recorder) {.*/&own->recorder = r;/' \
        'record.c s/if (r->kept.nforking)/if (0)/'; do
        planted record_interrupted "${fault%% *}" "${fault#* }" || exit 1
        is "$(scenario fork-everywhere mixed 1 >log 2>&1 && echo sound)" "" "found: $fault"
    done
    TROD_SYMBOLS=40
    for fault in 'step.c s/publish(&live->nundo, 2);//' \
        'step.c s/publish_next(r, before, use);//' \
        'record.c s/r->part + 1/r->part/' \
        'record.c s/^    trod_record_set_both.*/r->live->thread = thread + 0 * part;/' \
        'record.c /^    __atomic_store_n(&r->node.0..next/d
            s/^    trod_record_set_both.*/&r->node[0].next = 0;/'; do
        planted record_program "${fault%% *}" "${fault#* }" || exit 1
        is "$(scenario stepwise few 100 >log 2>&1 && echo sound)" "" "found: $fault"
    done
    for fault in 'step.c s/^        set_taken(r, taken, n);//' \
        'step.c s/^        link_last(r, n);//
            s/^        set_taken(r, taken + 1, NONE);/&link_last(r, n);/'; do
        planted record_interrupted "${fault%% *}" "${fault#* }" || exit 1
        found=
        for every in 997 1009 1021; do
            scenario pricked few 60 $every >log 2>&1 || found=yes
        done
        is "$found" yes "found: $fault"
    done
    harness=$made/harness
fi

# --- handlers, threads, children -------------------------------------------------

TROD_SYMBOLS=1000000
ok "a timer" interrupted storm mixed 1
ok "a timer, on a stack of its own" interrupted storm mixed 1 1
ok "a timer whose handler makes more steps than fit the queue" interrupted storm mixed 600
ok "the same on a stack of its own" interrupted storm mixed 600 1 0 100
unlike "$(report)" '^(note|end given)' "no step was dropped"
ok "a timer whose handler does not return" interrupted storm mixed 1 0 1
ok "the same on a stack of its own" interrupted storm mixed 1 1 1
TROD_SYMBOLS=64
ok "a timer, small parts" interrupted storm mixed 1 0 0 100
ok "a timer whose handler does not return, small parts" interrupted storm mixed 1 0 1 100
unlike "$(report)" '^(note|end given)' "no step was dropped"
for TROD_SYMBOLS in 100 1000000; do
    ok "8 threads, $TROD_SYMBOLS symbols" scenario threads 8 20000
    ok "200 short threads, 4 at a time, $TROD_SYMBOLS symbols" scenario threads 200 500 4
    is "$(lines '^end recorded' | tr -dc 0-9)" 201 "each is one"
    ok "100 threads at once, $TROD_SYMBOLS symbols" scenario threads 100 200
done
ok "fork" interrupted fork mixed
is "$(report | grep -c '^run birth fork$')" 1 "fork: the child's profile says that it was forked"
ok "fork in a handler" interrupted fork-handler mixed
ok "vfork" interrupted vfork mixed
ok "a child by the system call, without atfork handlers" interrupted raw-fork mixed
is "$(how_many)" 1 "a child by the system call: no profile"
ok "a thread with its creator's thread data" interrupted clone
ok "sync" scenario sync mixed
HARNESS_EARLY=1
export HARNESS_EARLY
ok "before constructors" scenario early
unset HARNESS_EARLY
HARNESS_LATE=1
export HARNESS_LATE
scenario single mixed 10
is "$(total)" 11 "after main"
unset HARNESS_LATE
scenario early
like "$(report)" '^steps thread 0 parts 1 steps 0 ' "a program without a step has a profile"

# --- no room ----------------------------------------------------------------------

# accounted NAME STEPS: recorded steps and dropped steps add up to all.
accounted()
{
    given=$(report | sed -n 's/^steps .* given //p')
    is "$(($(total) + ${given:-0}))" "$2" "$1: all steps are accounted for, ${given:-0} dropped"
    is "${given:+given}" given "$1: and some were dropped"
    like "$(trod check "$(profiles | head -n 1)" 2>&1)" 'steps that the program had no space' \
        "$1: trod check calls it a loss"
}

TROD_SYMBOLS=64
TROD_WPP_MOST=200000
export TROD_WPP_MOST
ok "a bound on disk space" scenario cramped few 50000
accounted "a bound on disk space" 50000
like "$(report)" '^note given ' "a bound on disk space: a note says so"
like "$(report)" "^end given $given\$" "a bound on disk space: the end says how many"
is "$([ "$(du -k "$(profiles)" | cut -f 1)" -le 250 ] && echo kept)" kept "and it is kept"
exits 137 "a bound on disk space, and a death" scenario cramped few 50000 1
given=$(report | sed -n 's/^steps .* given //p')
is "$(($(total) + given))" 50000 "a bound on disk space, and a death: all are accounted for"
TROD_WPP_MOST=1000
ok "a bound that nothing fits" scenario cramped few 1000
like "$(report)" '^end given 1000$' "a bound that nothing fits: all are dropped"
unset TROD_WPP_MOST

ok "no memory" scenario memory mixed
like "$(report)" '^end given 1000$' "no memory: the end says how many are dropped"

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
ok "a limit on the size of files" limited -f 600 cramped few 50000
accounted "a limit on the size of files" 50000
like "$(report)" "^end given $given\$" "a limit on the size of files: the end says so"
TROD_SYMBOLS=1000000
ok "a limit on the size of files, large parts" limited -f 6000 cramped few 50000
is "$(total)" 50000 "a limit on the size of files, large parts: makes them smaller"
ln -s nowhere "$made/missing"
TROD_OUT=../missing/x.trod
ok "no directory" scenario cramped few 1000
is "$(ls run)" "" "no directory: nothing is left behind"
TROD_OUT=%p.trod

# shellcheck disable=SC2016,SC2317
on_disk()
{
    size=$1
    shift
    rm -rf run disk && mkdir run disk
    unshare -m sh -c 'mount -t tmpfs -o size=$1 none disk && shift && cd disk &&
        { "$0" "$@"; status=$?; cp -a --sparse=always . ../run; exit $status; }' \
        "$harness" "$size" "$@"
}
mkdir -p disk
if unshare -m mount -t tmpfs none disk 2>log; then
    TROD_SYMBOLS=1000
    ok "a disk that fills up" on_disk 300k cramped few 300000
    accounted "a disk that fills up" 300000
    like "$(report)" '^note given .*ENOSPC' "a disk that fills up: a note says why"
    like "$(report)" "^end given $given\$" "a disk that fills up: there is room to say so"
else
    skip "a disk that fills up" "cannot mount here"
fi

done_testing
