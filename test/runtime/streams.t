#!/bin/sh
# Programs whose loads and stores are recorded in bursts: the references, and the objects they allocated, are right. If
# the program is killed, has short-lived threads, forks, is interrupted, abandons activations or has no space, the
# profile is readable and the program is not disturbed.
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

struct node {
    struct node *next;
    long value;
};

long table[8];
static __thread long own[4];
static volatile sig_atomic_t alarms, wanted;
static sigjmp_buf place;

__attribute__((noinline)) static struct node *make(long n)
{
    struct node *list = NULL;

    for (long i = 0; i < n; i++) {
        struct node *new = malloc(sizeof *new);

        new->next = list;
        new->value = i;
        list = new;
    }
    return list;
}

__attribute__((noinline)) static long sum(const struct node *node)
{
    long s = 0;

    for (; node; node = node->next)
        s += node->value;
    return s;
}

__attribute__((noinline)) static void drop(struct node *node)
{
    while (node) {
        struct node *next = node->next;

        free(node);
        node = next;
    }
}

__attribute__((noinline)) static long walk(const struct node *list, long n)
{
    long s = 0;

    for (long i = 0; i < n; i++) {
        s += sum(list);
        table[i & 7] = s;
        own[i & 3] += table[(i + 1) & 7];
    }
    return s + own[1];
}

__attribute__((noinline)) static long work(long n)
{
    struct node *list = make(5);
    long s = walk(list, n);

    drop(list);
    return s;
}

static void *thread(void *n)
{
    work(*(long *)n);
    return NULL;
}

static void on_alarm(int signal)
{
    (void)signal;
    alarms++;
    table[0] += alarms;
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
    long n = argc > 2 ? atol(argv[2]) : 1000;
    struct node *list;
    pthread_t id[8];

    if (strcmp(what, "work") == 0) {
        printf("%ld\n", work(n));
    } else if (strcmp(what, "threads") == 0) {
        for (int i = 0; i < 8; i++)
            pthread_create(&id[i], NULL, thread, &n);
        for (int i = 0; i < 8; i++)
            pthread_join(id[i], NULL);
    } else if (strcmp(what, "churn") == 0) {
        for (int i = 0; i < 200; i++) {
            pthread_create(&id[0], NULL, thread, &n);
            pthread_join(id[0], NULL);
        }
    } else if (strcmp(what, "fork") == 0) {
        list = make(5);
        printf("%ld\n", sum(list));
        fflush(stdout);
        if (fork() == 0) {
            for (long i = 0; i < n; i++)
                table[0] += sum(list);
            work(n);
            exit(0);
        }
        wait(NULL);
        drop(list);
    } else if (strcmp(what, "leaps") == 0) {
        list = make(5);
        ring();
        wanted = 1;
        while (alarms < 300) {
            if (!sigsetjmp(place, 1))
                walk(list, n);
        }
        setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
        wanted = 0;
        memset(table, 0, sizeof table);
        memset(own, 0, sizeof own);
        printf("%ld\n", work(1000));
    } else {
        work(n);
        kill(getpid(), SIGKILL);
    }
    return 0;
}
END
cc=${CC:-clang-19}
"$cc" -O1 -pthread app.c -o plain && trod cc --burst=types=streams -O1 -g -pthread app.c -o app || exit 1
TROD_OUT=%p.trod
export TROD_OUT

# ran WORD...: the program in a clean place; what it prints.
ran()
{
    rm -f ./*.trod
    ./app "$@"
}

# references: the names of what was loaded and stored, in order: object and offset.
references()
{
    trod sample data --refs "$@" | awk '
        $1 == "place" { place[$2] = $3 }
        $1 == "object" && $3 == "heap" { object[$2] = place[$4] "#" $5 }
        $1 == "object" && $3 == "global" { object[$2] = $4 }
        $1 == "object" && $3 == "local" { object[$2] = $4 "@" $5 }
        $1 == "object" && ($3 == "stack" || $3 == "unknown") { object[$2] = $3 }
        $1 == "code" { of[$2] = $3 }
        $1 == "burst" { print "burst" }
        $1 ~ /^[0-9]+$/ { print of[$1], object[$2] "+" $3 }'
}

# --- all of it --------------------------------------------------------------------------------------

export TROD_BURST=trigger=always
is "$(ran work 3)" "$(./plain work 3)" "it does what it did"
awk 'BEGIN {
    for (i = 0; i < 5; i++) {
        print "make make#" i "+0"
        print "make make#" i "+8"
    }
    for (n = 0; n < 3; n++) {
        for (i = 4; i >= 0; i--) {
            print "sum make#" i "+8"
            print "sum make#" i "+0"
        }
        print "walk table+" 8 * n
        print "walk table+" 8 * (n + 1)
        print "walk own@0+" 8 * n
    }
    for (i = 4; i >= 0; i--)
        print "drop make#" i "+0"
    print "walk own@0+8"
}' | sort >wanted
references ./*.trod | grep -E '^(make|sum|walk|drop) ' | grep -v ' stack+' | sort -u >seen
sort -u wanted >wanted.u
is "$(comm -23 wanted.u seen)" "" "every object is named by its allocation, variables by name"
is "$(comm -13 wanted.u seen)" "" "and nothing else was loaded or stored"
is "$(references ./*.trod | grep '^sum')" "$(awk 'BEGIN {
    for (n = 0; n < 3; n++)
        for (i = 4; i >= 0; i--) {
            print "sum make#" i "+8"
            print "sum make#" i "+0"
        }
}')" "in the order in which it was"
ran work 300 >printed
like "$(trod sample data --check --by=address ./*.trod)" '^ +1 +[0-9]+ ' "the traversal of a list is a stream"
like "$(trod sample data --by=field ./*.trod)" 'make app.c:[0-9]+:[0-9]+ \+8   load sum app.c:[0-9]+:[0-9]+' "with lines"
ok "the profile is sound" trod check ./*.trod

# --- some of it --------------------------------------------------------------------------------------

TROD_BURST=rate=10,burst=50,seed=1
is "$(ran work 20000)" "$(./plain work 20000)" "in bursts: the same output"
seen=$(trod sample data --json ./*.trod | sed -n 's/^ *"references": \([0-9]*\),$/\1/p')
total=$(trod sample data --json ./*.trod | sed -n 's/^ *"total": \([0-9]*\),$/\1/p')
is "$total" "$((10 * seen))" "a reference stands for ten"
TROD_BURST=trigger=always
ran work 20000 >printed
all=$(trod sample data --json ./*.trod | sed -n 's/^ *"total": \([0-9]*\),$/\1/p')
ok "and all together for what there are, about" test "$total" -gt $((all * 8 / 10)) -a "$total" -lt $((all * 12 / 10))
TROD_BURST=trigger=never
ran work >printed
exits 4 "nothing is recorded where nothing is sampled" trod sample data ./*.trod

# --- killed --------------------------------------------------------------------------------------------

TROD_BURST=trigger=always
rm -f ./*.trod
exits 137 "killed" ./app die
ok "killed: it can be read" trod check ./*.trod
like "$(trod sample data ./*.trod)" '^# .*: 1[0-9]{4} references in 1 burst' "killed: all is there"
unlike "$(references ./*.trod)" '^sum unknown' "killed: so are the objects"

# --- threads ---------------------------------------------------------------------------------------------

ran threads
like "$(trod sample data --check ./*.trod)" ' in 9 bursts of 9 threads' "threads have their own bursts"
is "$(references ./*.trod | grep -c '^sum unknown')" 0 "and know their objects"
is "$(references ./*.trod | grep -c '^sum make')" 80000 "none is missing"
ran churn 50
like "$(trod sample data --check ./*.trod)" ' in 201 bursts of 201 threads' "short-lived threads, too"
size=$(stat -c %s ./*.trod)
ok "space of ended threads is reused" test "$size" -le $((12 * 65536))
is "$(references ./*.trod | grep -c '^sum make')" 100000 "and their references are recorded"

# --- children --------------------------------------------------------------------------------------------

ran fork 10 >printed
is "$(find . -name '*.trod' | wc -l)" 2 "a child of fork has its own profile"
for profile in ./*.trod; do
    ok "it is sound" trod sample data --check "$profile"
    like "$(references "$profile")" '^sum make#' "with objects of its own"
done
ran fork 10 >printed
is "$(references ./*.trod | grep -c '^burst')" 2 "and a burst of its own"

# --- signals ---------------------------------------------------------------------------------------------

for how in trigger=always rate=2 rate=100,burst=20; do
    TROD_BURST=$how
    is "$(ran leaps)" "$(./plain leaps)" "handlers that are left by longjmp, $how"
    ok "handlers that are left by longjmp, $how: sound" trod sample data --check ./*.trod
done

# --- without room ------------------------------------------------------------------------------------------

TROD_BURST=trigger=always,most=128k
is "$(ran work 100000)" "$(./plain work 100000)" "a bound on space: the same output"
size=$(stat -c %s ./*.trod)
ok "and takes no more" test "$size" -le $((131072 + 12 * 4096))
like "$(trod check ./*.trod 2>&1)" 'no space for more references' "a note says so"
like "$(trod sample data ./*.trod)" 'no space was left for at least [0-9]+ more references' "and how many there were"
TROD_BURST=trigger=always
rm -f ./*.trod
is "$(sh -c 'ulimit -f 400 && ./app work 100000')" "$(./plain work 100000)" "no space on the disk: the same output"
ok "the recorded part is readable" trod sample data --check ./*.trod

done_testing
