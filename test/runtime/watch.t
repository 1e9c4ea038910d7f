#!/bin/sh
# Programs that sample block sequences, under stress: killed, with short-lived threads, forks, signals, abandoned
# activations, and no space. The profile is readable, and the program is not disturbed.
# shellcheck disable=SC2317 # Called by ok and exits.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned sum;
static volatile sig_atomic_t alarms, wanted;
static sigjmp_buf place;

__attribute__((noinline)) static void even(unsigned i)
{
    if (i & 2)
        sum += i;
}

__attribute__((noinline)) static unsigned work(unsigned n)
{
    unsigned own = 0;

    for (unsigned i = 0; i < n; i++) {
        if (i % 3)
            even(i);
        else
            own += i ^ own >> 3;
    }
    return own;
}

static void *thread(void *n)
{
    work(*(unsigned *)n);
    return NULL;
}

static void on_alarm(int signal)
{
    (void)signal;
    alarms++;
    for (unsigned i = 0; i < 5; i++)
        even(i);
    if (wanted && alarms % 3 == 0)
        siglongjmp(place, 1);
}

static void ring(void)
{
    struct itimerval often = {{0, 200}, {0, 200}};
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = on_alarm;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 100000;
    pthread_t id[16];

    if (strcmp(what, "work") == 0) {
        printf("%u\n", work(n));
    } else if (strcmp(what, "threads") == 0) {
        for (int i = 0; i < 16; i++)
            pthread_create(&id[i], NULL, thread, &n);
        for (int i = 0; i < 16; i++)
            pthread_join(id[i], NULL);
    } else if (strcmp(what, "churn") == 0) {
        for (int i = 0; i < 200; i++) {
            pthread_create(&id[0], NULL, thread, &n);
            pthread_join(id[0], NULL);
        }
    } else if (strcmp(what, "fork") == 0) {
        printf("%u\n", work(n));
        fflush(stdout);
        if (fork() == 0) {
            work(n);
            exit(0);
        }
        wait(NULL);
    } else if (strcmp(what, "alarms") == 0 || strcmp(what, "leaps") == 0) {
        ring();
        wanted = what[0] == 'l';
        while (alarms < 600) {
            if (!sigsetjmp(place, 1))
                work(n);
        }
        setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
        wanted = 0;
        printf("%u\n", work(n));
    } else if (strcmp(what, "die") == 0) {
        work(n);
        kill(getpid(), SIGKILL);
    } else {
        for (;;)
            work(n);
    }
    return 0;
}
END
cc=${CC:-clang-19}
"$cc" -O2 -pthread app.c -o plain && trod cc --online -O2 -g -pthread app.c -o app || exit 1
TROD_OUT=%p.trod
export TROD_OUT
export TROD_ONLINE=f=50

# said WORD: a field of the only profile, from the JSON report.
said()
{
    trod sample subpaths --json ./*.trod | sed -n "s/^ *\"$1\": \([0-9.e+]*\),*$/\1/p" | head -1
}

samplers()
{
    trod sample subpaths ./*.trod | sed -n 's/^# \([0-9]*\) sampler.*/\1/p'
}

# ran WORD...: run the program in an empty folder; its output.
ran()
{
    rm -f ./*.trod
    ./app "$@"
}

# --- killed --------------------------------------------------------------------------------------

is "$(ran work)" "$(./plain work)" "the same output"
like "$(trod sample subpaths ./*.trod)" '^ +1 .* (work|even)' "block sequences are reported"
is "$(trod check ./*.trod >said 2>&1; echo $?)" 0 "and sound"
rm -f ./*.trod
exits 137 "killed" ./app die
ok "killed: it can be read" trod check ./*.trod
like "$(trod sample subpaths ./*.trod)" '^ +1 .* (work|even)' "killed: block sequences are reported"

# --- concurrent readers ----------------------------------------------------------------------------

rm -f ./*.trod
./app for ever &
pid=$!
look()
{
    n=0
    while [ ! -s "$pid.trod" ] && [ "$n" -lt 100 ]; do
        sleep 0.1
        n=$((n + 1))
    done
    for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        trod sample subpaths "$pid.trod" >seen 2>complaint || return 1
        ! grep -q damaged complaint || return 1
    done
}
ok "readers of the changing file find no error" look
kill -9 $pid
wait $pid 2>/dev/null

# --- threads ---------------------------------------------------------------------------------------

ran threads
ok "threads have their own samplers" test "$(samplers)" -ge 2
ok "and no more than one each" test "$(samplers)" -le 17
ran churn 2000
ok "samplers of ended threads are reused" test "$(samplers)" -le 3
size=$(stat -c %s ./*.trod)
ok "and memory does not grow" test "$size" -le $((4 * 65536))
TROD_ONLINE=f=50,memory=16k
ran threads
size=$(stat -c %s ./*.trod)
ok "no thread has more than it was given" test "$size" -le $((17 * 16384 + 5 * 4096))
TROD_ONLINE=f=50

# --- children --------------------------------------------------------------------------------------

ran fork >seen
is "$(find . -name '*.trod' | wc -l)" 2 "a child of fork has its own profile"
for profile in ./*.trod; do
    like "$(trod sample subpaths "$profile")" '^ +1 .* (work|even)' "and samples of its own"
done

# --- signals ---------------------------------------------------------------------------------------

for f in 2 50 5000; do
    TROD_ONLINE=f=$f
    is "$(ran alarms)" "$(./plain work)" "signal handlers, one of $f"
    ok "signal handlers, one of $f: sound" trod check ./*.trod
    is "$(ran leaps)" "$(./plain work)" "handlers that are left by longjmp, one of $f"
    ok "handlers that are left by longjmp, one of $f: sound" trod check ./*.trod
done
TROD_ONLINE=f=2
ran alarms >seen
ok "samples that a handler interrupts are dropped, and counted" test "$(said dropped)" -gt 0

# --- every block -----------------------------------------------------------------------------------

TROD_ONLINE=f=never
rm -f trace ./*.trod
TROD_BLOCKS=trace ./app work >seen
mkfifo pipe
wc -c <pipe >through &
TROD_BLOCKS=pipe ./app work >seen
wait $!
is "$(cat through)" "$(stat -c %s trace)" "the trace goes through a pipe as into a file"
ok "and is of every block" test "$(stat -c %s trace)" -gt 800000

# --- without space -----------------------------------------------------------------------------------

TROD_ONLINE=f=50
ln -s nowhere missing
TROD_OUT=missing/x.trod
is "$(ran work)" "$(./plain work)" "no directory: the same output"
TROD_OUT=%p.trod
rm -f ./*.trod
is "$(sh -c 'ulimit -f 40 && ./app work')" "$(./plain work)" "no space for a sample: the same output"
like "$(trod check ./*.trod 2>&1)" 'unsampled' "and a note says that nothing is sampled"
TROD_ONLINE=f=x,memory=1 TROD_LOG=2
export TROD_LOG
like "$(ran work 2>&1)" 'TROD_ONLINE is invalid' "unknown options are reported in the log"
TROD_LOG=

done_testing
