#!/bin/sh
# The timer thread: it ticks, the program does not notice it, and it ends with the program, however that ends.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
# shellcheck source=test/runtime/build.sh
. "$root/test/runtime/build.sh"

# shellcheck disable=SC2317 # called through ok
build_ticking()
{
    for source in burst/ticker os os_start os_clock; do
        # shellcheck disable=SC2086
        "$CC" $rt_flags -D_GNU_SOURCE -c -o "${source##*/}.o" "$root/runtime/$source.c" || return 1
    done
    # shellcheck disable=SC2086
    "$CC" $harness_flags "-I$root/runtime" "$@" -o ticking \
        "$here/ticker_program.c" ticker.o os.o os_start.o os_clock.o -pthread
}

for CC in gcc clang-19; do
    command -v $CC >/dev/null || { skip "$CC" "not installed"; continue; }
    for kind in "" "-static" "-O0"; do
        # shellcheck disable=SC2086
        ok "$CC $kind: a program builds" build_ticking $kind
        for word in plain signals fork pthread_exit pthread_exit-alone raw-exit exec stops; do
            ok "$CC $kind: $word" timeout -s KILL 100 ./ticking $word
        done
        timeout -s KILL 100 ./ticking kill 2>log
        is $? 137 "$CC $kind: killed"
        timeout -s KILL 100 ./ticking abort 2>log
        is $? 134 "$CC $kind: aborted"
    done
done

# The output is closed when the daemon ends, which it does only with its ticker.
is "$(timeout -s KILL 100 ./ticking daemon)" "a daemon ticks" "a daemon has its own ticker"
ok "stopped although its next tick is seconds away" timeout -s KILL 100 ./ticking stops 1

timeout -s KILL 100 ./ticking no-memory 2>log
is "$? $(cat log)" "3 there is no ticker: error 12" "no room for its stack is an error"

if command -v valgrind >/dev/null; then
    # Without debug information: there is some that valgrind does not understand.
    ok "a program for valgrind builds" build_ticking -s
    for word in plain fork pthread_exit exec; do
        ok "valgrind: $word" timeout -s KILL 100 valgrind -q --error-exitcode=9 \
            --trace-children=yes --log-file=valgrind.log ./ticking $word
        is "$(cat valgrind.log)" "" "valgrind: $word, no error"
    done
else
    skip "valgrind" "not installed"
fi

done_testing
