#!/bin/sh
# 'trod emulate' on uninstrumented programs: their behaviour is unchanged, and the counts are right.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

why=$("$root/test/kit/emulator.sh") || skip_all "$why"

# counted PROFILE FUNCTION: the sum of the counts of its paths.
counted()
{
    trod report -q --json --group=function --most=100000 "$1" | perl -MJSON::PP -0777 -ne '
        my ($name, $n) = ($ENV{FUNCTION}, 0);
        for my $r (@{decode_json($_)->{report}{functions}}) { $n += $r->{count} if $r->{function} eq $name }
        print "$n\n"'
}

# unchanged NAME PROGRAM...: output and status are those without the emulator; writes NAME.trod and NAME.trace.
unchanged()
{
    name=$1
    shift
    "$@" >"$name.native" 2>&1
    status=$?
    trod emulate -q -o "$name.trod" --trace="$name.trace" --accesses --most=1 -- "$@" >"$name.all" 2>"$name.talk"
    sed '/^# 1 of /,$d' "$name.all" >"$name.emulated"
    ok "$name: prints what it prints by itself (status $status)" cmp "$name.native" "$name.emulated"
    ok "$name: its trace can have been" trod hw trace -q --check "$name.trace"
}

odd() { trod hw trace -q "$1" | awk '/odd runs/ { n = $1 } END { print n + 0 }'; }

# --- a program whose paths can be counted by hand --------------------------------------

cat >loops.c <<'EOF'
#include <stdio.h>

__attribute__((noinline)) int rounds(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}

__attribute__((noinline)) int leaf(int x)
{
    return x ^ 1;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += rounds(i % 10) + leaf(i);
    printf("%d\n", sum);
    return 0;
}
EOF
for how in "-no-pie" "-pie -fPIE" "-static"; do
    # Flags are words.
    # shellcheck disable=SC2086
    gcc -O0 $how -o loops loops.c
    unchanged loops ./loops
    is "$(FUNCTION=leaf counted loops.trod)" 1000 "$how: a function of one path that is called 1000 times"
    is "$(FUNCTION=rounds counted loops.trod)" 5500 "$how: a round is a path, and each call has one more"
    is "$(FUNCTION=main counted loops.trod)" 1001 "$how: so has main"
    is "$(odd loops.trace)" 0 "$how: no run is odd"
done
cp loops.trod first.trod
cp loops.trod.trodmap first.trod.trodmap
unchanged loops ./loops
like "$(trod overlap first.trod loops.trod)" "100" "two runs of one program overlap completely"
ok "profiles can be merged" trod merge -q -o both.trod first.trod loops.trod
is "$(FUNCTION=rounds counted both.trod)" 11000 "and add up"
ok "and compared" trod diff --brief -q first.trod loops.trod

# --- longjmp, exceptions, signals, threads -------------------------------------------------

cat >jumps.c <<'EOF'
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

__attribute__((noinline)) int deep(int n)
{
    if (!n)
        longjmp(back, 1);
    return deep(n - 1) + 1;
}

__attribute__((noinline)) int leaf(int x)
{
    return x ^ 1;
}

int main(void)
{
    volatile int n = 0;
    while (n++ < 100)
        if (!setjmp(back))
            deep(5);
        else
            n += leaf(n) & 0;
    printf("%d\n", n);
    return 0;
}
EOF
gcc -O0 -o jumps jumps.c
unchanged jumps ./jumps
is "$(FUNCTION=leaf counted jumps.trod)" 100 "longjmp: functions after it are counted"
is "$(odd jumps.trace)" 0 "longjmp is not odd"
like "$(trod report --brief jumps.trod)" "600 activations of deep did not finish" "longjmp: abandoned activations"

cat >throws.cc <<'EOF'
#include <cstdio>
#include <stdexcept>

__attribute__((noinline)) int leaf(int x)
{
    return x ^ 1;
}

__attribute__((noinline)) int thrower(int n)
{
    if (n % 3 == 0)
        throw std::runtime_error("three");
    return leaf(n);
}

int main()
{
    int sum = 0;
    for (int i = 0; i < 300; i++)
        try {
            sum += thrower(i);
        } catch (const std::exception &) {
            sum += leaf(i);
        }
    std::printf("%d\n", sum);
}
EOF
g++ -O0 -o throws throws.cc
unchanged throws ./throws
is "$(FUNCTION=_Z4leafi counted throws.trod)" 300 "exceptions: functions after them are counted"
is "$(odd throws.trace)" 0 "exceptions are not odd"

cat >signals.c <<'EOF'
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t came;

static void handle(int signal)
{
    (void)signal;
    came++;
}

int main(void)
{
    signal(SIGUSR1, handle);
    for (int i = 0; i < 50; i++)
        raise(SIGUSR1);
    printf("%d\n", (int)came);
    return 0;
}
EOF
gcc -O0 -o signals signals.c
unchanged signals ./signals
is "$(FUNCTION=handle counted signals.trod)" 50 "signal handlers are counted"

cat >threads.c <<'EOF'
#include <pthread.h>
#include <stdio.h>

__attribute__((noinline)) int leaf(int x)
{
    return x ^ 1;
}

static void *work(void *of)
{
    int sum = 0;
    for (int i = 0; i < 500; i++)
        sum += leaf(i);
    *(int *)of = sum;
    return NULL;
}

int main(void)
{
    pthread_t thread[4];
    int sum[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, work, &sum[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    printf("%d\n", sum[0] + sum[1] + sum[2] + sum[3]);
    return 0;
}
EOF
gcc -O0 -pthread -o threads threads.c
unchanged threads ./threads
is "$(FUNCTION=leaf counted threads.trod)" 2000 "counts of threads are added"

# --- other processes ------------------------------------------------------------------------

cat >script <<'EOF'
#!/bin/sh
./loops
(./loops)
exec ./loops
EOF
chmod +x script
unchanged script ./script
is "$(FUNCTION=leaf counted script.trod)" 3000 "programs that a script runs and executes"

cat >forks.c <<'EOF'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) int leaf(int x)
{
    return x ^ 1;
}

int main(void)
{
    for (int i = 0; i < 10; i++)
        leaf(i);
    fflush(stdout);
    if (fork() == 0) {
        for (int i = 0; i < 100; i++)
            leaf(i);
        _exit(0);
    }
    wait(NULL);
    puts("done");
    return 0;
}
EOF
gcc -O0 -o forks forks.c
unchanged forks ./forks
is "$(FUNCTION=leaf counted forks.trod)" 110 "a child of fork counts from zero"

# --- libraries ---------------------------------------------------------------------------------

echo '__attribute__((visibility("default"))) int in_library(int x) { return x + 1; }' >library.c
gcc -O0 -shared -fPIC -o liblibrary.so library.c
cat >opens.c <<'EOF'
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    void *library = dlopen("./liblibrary.so", RTLD_NOW);
    int (*function)(int) = (int (*)(int))dlsym(library, "in_library");
    int n = 0;
    while (n < 70)
        n = function(n);
    printf("%d\n", n);
    return 0;
}
EOF
gcc -O0 -o opens opens.c -ldl
unchanged opens ./opens
is "$(FUNCTION=in_library counted opens.trod)" 70 "libraries that the program opens by dlopen"

# --- models that run a program ------------------------------------------------------------------

trod emulate -q --trace=bare.trace --most=1 -- ./loops >loops.out
for model in trace timing edit model; do
    trod hw $model --json -- ./loops >$model.live 2>$model.talk
    like "$(cat $model.live)" '"instructions"|"insns"|"runs"|"bursts"' "trod hw $model: something is reported for a program that it runs"
    like "$(cat $model.talk)" "$(./loops)" "trod hw $model: what it prints goes to the standard error"
done
like "$(trod hw model --json --set='metric: mispredictions' -- ./loops 2>talk)" '"metric": "mispredictions"' "mispredictions on paths"
like "$(trod hw model --set='metric: misses' -- ./loops 2>talk)" '  share +misses' "misses on paths"
exits 3 "misses of a trace without accesses" trod hw model --set='metric: misses' bare.trace
is "$(find /tmp -maxdepth 1 -name 'trod-trace-*' -newer bare.trace 2>talk | wc -l)" 0 "no temporary file remains"

# --- ends ------------------------------------------------------------------------------------------

cat >dies.c <<'EOF'
#include <stdlib.h>

__attribute__((noinline)) int leaf(int x)
{
    return x ^ 1;
}

int main(void)
{
    for (int i = 0; i < 25; i++)
        leaf(i);
    abort();
}
EOF
gcc -O0 -o dies dies.c
trod emulate -o dies.trod --most=1 -- ./dies >dies.out 2>dies.talk
like "$(cat dies.talk)" "killed by signal 6" "a signal that ends the program is named"
is "$(FUNCTION=leaf counted dies.trod)" 25 "and the paths before it are counted"

# --- other machines ------------------------------------------------------------------------------

for machine in aarch64 riscv64; do
    if ! command -v $machine-linux-gnu-gcc >/dev/null; then
        skip "$machine" "no cross compiler"
    elif why=$("$root/test/kit/emulator.sh" $machine); then
        $machine-linux-gnu-gcc -O0 -static -o loops.$machine loops.c
        trod emulate -q -o $machine.trod --trace=$machine.trace --most=1 -- ./loops.$machine >$machine.out
        is "$(head -n 1 $machine.out)" "$(./loops)" "$machine: prints the same"
        is "$(FUNCTION=leaf counted $machine.trod)" 1000 "$machine: leaf"
        is "$(FUNCTION=rounds counted $machine.trod)" 5500 "$machine: rounds"
        is "$(odd $machine.trace)" 0 "$machine: no run is odd"
        ok "$machine: its trace can have been" trod hw trace -q --check $machine.trace
    else
        skip "$machine" "$why"
    fi
done

# --- usage errors --------------------------------------------------------------------------------

exits 2 "no program" trod emulate
exits 5 "a program that is not there" trod emulate -- ./nothing
exits 5 "a file that is not a program" trod emulate -- ./loops.c
exits 2 "accesses without a trace" trod emulate --accesses -- ./loops
printf 'no program' >text
chmod +x text
exits 3 "a text file that is executable" trod emulate -- ./text
exits 5 "an emulator that is not there" trod emulate --emulator=./nothing -- ./loops

done_testing
