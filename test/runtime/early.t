#!/bin/sh
# Instrumented code that runs before the runtime's constructor: in .preinit_array, in earlier constructors, and in
# functions that constructors of a library call.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >work.h <<'EOP'
static volatile int sink;
static inline __attribute__((always_inline)) void work(int n)
{
    for (int i = 0; i < n; i++)
        sink += i & 3 ? i : 2;
}
EOP
cat >constructor.c <<'EOP'
#include "work.h"
__attribute__((noinline)) void early(void) { work(3000); }
__attribute__((constructor(50))) static void before(void) { early(); }
int main(void) { work(1000); }
EOP
cat >preinit.c <<'EOP'
#include "work.h"
void early(int argc, char **argv, char **env) { (void)argc; (void)argv; (void)env; work(3000); }
__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **, char **) = early;
int main(void) { work(1000); }
EOP
cat >library.c <<'EOP'
void early(void);
__attribute__((constructor)) static void before(void) { early(); }
EOP
cat >called.c <<'EOP'
#include "work.h"
__attribute__((noinline)) void early(void) { work(3000); }
int main(void) { work(1000); }
EOP
clang-19 -fPIC -shared -o library.so library.c || exit 1

for mode in "" --wpp --online --burst --burst=trigger=flag "--online --coverage" "--burst --coverage"; do
    for program in constructor preinit called; do
        more=
        [ $program = called ] && more="-rdynamic $PWD/library.so"
        # shellcheck disable=SC2086
        trod cc $mode -O1 -o program $program.c $more || exit 1
        rm -rf run && mkdir run
        # shellcheck disable=SC2016
        exits 0 "cc $mode: $program" sh -c 'cd run && TROD_OUT=mine.trod timeout 20 ../program'
        is "$(cd run && ls -- *.trod)" mine.trod "cc $mode: $program: TROD_OUT is used"
        like "$(trod check run/mine.trod 2>&1)" ': live, sound' "cc $mode: $program: sound"
    done
done

# Early code is in the profile, counted and sampled.
trod cc -O1 -o program constructor.c && rm -f -- *.trod && ./program
like "$(trod report --brief -q -- *.trod)" ' 4005 times in all' "counts of early code are exact"
trod cc --burst=trigger=always -O1 -o program constructor.c && rm -f -- *.trod && ./program
like "$(trod sample functions -q -- *.trod)" ' 3000 .* early ' "bursts sample early code"
like "$(trod sample functions -q -- *.trod)" ' 1000 .* main ' "and continue after it"
trod cc --online=f=1 -O1 -o program constructor.c && rm -f -- *.trod && ./program
like "$(trod sample subpaths -q -- *.trod)" ' early ' "block sequences of early code are sampled"

# The program ends before there was a burst, or anything else.
cat >over.c <<'EOP'
#include <signal.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        kill(getpid(), SIGKILL);
    _exit(0);
}
EOP
for mode in "" --wpp --online --burst --burst=trigger=flag; do
    # shellcheck disable=SC2086
    trod cc $mode -O1 -o over over.c || exit 1
    rm -f -- *.trod
    ./over
    exits 0 "cc $mode: over by _exit at once: sound" trod check -- *.trod
    rm -f -- *.trod
    (./over killed) 2>log
    exits 0 "cc $mode: killed at once: sound" trod check -- *.trod
done

done_testing
