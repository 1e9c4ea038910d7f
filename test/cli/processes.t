#!/bin/bash
# One profile for all processes of a program: TROD_OUT without %p and %t.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# work N: count N iterations; CHILDREN of them at the same time, each with a thread; those with an odd number are killed
# when they have counted.
cat >app.c <<'EOC'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned sink;

static void work(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i % 3 ? i : 1;
}

static void *thread(void *n)
{
    work(*(unsigned *)n);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? atoi(argv[1]) : 0, nchild = argc > 2 ? atoi(argv[2]) : 0;
    pthread_t other;

    for (unsigned k = 0; k < nchild; k++)
        if (!fork()) {
            pthread_create(&other, 0, thread, &n);
            work(n);
            pthread_join(other, 0);
            if (k % 2)
                kill(getpid(), SIGKILL);
            return 0;
        }
    while (wait(0) > 0)
        ;
    work(n);
    return 0;
}
EOC
trod cc -g -pthread app.c -o app
# Times that the loop's body ran, in whatever paths.
iterations() { trod annotate -q --all --json "$@" | perl -MJSON::PP -0777 -ne '
    my ($work) = grep { $_->{line} == 13 } map { @{$_->{lines} // []} } @{decode_json($_)->{files}};
    print $work->{count} // "none", "\n"'; }
field() { trod show "$2" | sed -n "s/^$1: //p"; }

TROD_OUT=two.trod ./app 10
TROD_OUT=two.trod ./app 20
is "$(echo two*.trod)" "two.trod" "two runs leave one file"
is "$(iterations two.trod)" 30 "... with the counts of both"
is "$(field processes two.trod) $(field exit two.trod)" "2 order" "... and how many there were"
is "$(trod check two.trod)" "two.trod: live, sound; runs: 1, modules: 1, paths: 5" "... and it is sound"
size=$(stat -c %s two.trod)
for i in $(seq 20); do TROD_OUT=two.trod ./app "$i"; done
is "$(stat -c %s two.trod)" "$size" "runs one after another count in the same place"
is "$(iterations two.trod)" 240 "... and nothing is lost"

TROD_OUT=each.%p.trod ./app 10
TROD_OUT=each.%p.trod ./app 10
is "$(printf '%s\n' each.*.trod | wc -l)" 2 "%p: each process has its own file"

# 30 processes of 10 children each, of two threads each, all at the same time.
(
    for i in $(seq 30); do TROD_OUT=many.trod ./app 1000 10 & done
    wait
) &
while kill -0 $! 2>/dev/null; do
    [ -e many.trod ] || continue
    trod check -q many.trod >during 2>&1 || cat during
done >complaints
wait
is "$(cat complaints)" "" "a reader sees a sound profile while they run"
is "$(echo many*.trod)" "many.trod" "300 children, half of them killed: one file"
is "$(iterations many.trod)" $((30 * 1000 + 300 * 2000)) "... with all counts"
is "$(field processes many.trod) $(field ended many.trod)" "330 180" "... and how many ended normally"

# What may not be joined.
cat app.c >other.c
echo 'int other(void) { return 2; }' >>other.c
trod cc -g -pthread other.c -o other
for i in 1 2 3; do
    TROD_OUT=build.trod ./app 10
    TROD_OUT=build.trod ./other 10
done
is "$(echo build*.trod)" "build.1.trod build.trod" "another build has a file of its own"
is "$(iterations build.trod) $(iterations build.1.trod)" "30 30" "... which all its processes share"

TROD_OUT=victim.trod ./app 10
cp victim.trod before
ln -s victim.trod link.trod
TROD_OUT=link.trod ./app 10
ok "a symbolic link is not followed" cmp victim.trod before
ok "... but another name is found" [ -f link.1.trod ]
for how in "chmod 660" "truncate -s 50000" "truncate -s 4096" "truncate -s 0"; do
    cp victim.trod damaged.trod
    $how damaged.trod
    cp -p damaged.trod before
    TROD_OUT=damaged.trod ./app 10
    ok "$how: the file is left alone" cmp damaged.trod before
    rm -f damaged*.trod
done
for byte in 9 13 17 60 4100 4104 4112 4160 4168; do
    cp victim.trod damaged.trod
    perl -e 'open my $f, "+<", "damaged.trod" or die; seek $f, $ARGV[0], 0; read $f, my $was, 1; seek $f, $ARGV[0], 0;
        print $f chr(ord($was) ^ 0x55)' "$byte"
    cp -p damaged.trod before
    TROD_OUT=damaged.trod ./app 10
    ok "byte $byte is damaged: the file is left alone" cmp damaged.trod before
    rm -f damaged*.trod
done
# The place of an area is beyond the file.
cp victim.trod damaged.trod
perl -e 'open my $f, "+<", $ARGV[0] or die; seek $f, 4096 + 64 + 88 + 512 * 16 + 16, 0; print $f pack "Q<", 1 << 40' damaged.trod
exits 0 "an area that is not in the file is not mapped" env TROD_OUT=damaged.trod ./app 10
if [ "$(id -u)" = 0 ]; then
    cp victim.trod foreign.trod
    chown 1 foreign.trod
    cp -p foreign.trod before
    TROD_OUT=foreign.trod ./app 10
    ok "a file of another user is left alone" cmp foreign.trod before
else
    skip "a file of another user is left alone" "only root can make one"
fi

# Owners that seem to have ended and have not; and the reverse.
cat >first_thread.c <<'EOC'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static volatile unsigned sink;
static void work(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i % 3 ? i : 1; }
static void *later(void *p) { (void)p; for (int i = 0; i < 50; i++) { work(1000); usleep(10000); } exit(0); }
int main(int argc, char **argv)
{
    pthread_t t;
    (void)argv;
    if (argc > 1) { work(1000); return 0; }
    pthread_create(&t, 0, later, 0);
    work(1000);
    pthread_exit(0);
}
EOC
trod cc -g -pthread first_thread.c -o first_thread
TROD_OUT=thread.trod ./first_thread &
while kill -0 $! 2>/dev/null; do TROD_OUT=thread.trod ./first_thread short; echo; done >runs
wait
is "$(trod report -q --json --all-code --most=100 thread.trod | perl -MJSON::PP -0777 -ne '
    my $n = 0; for (@{decode_json($_)->{report}{hot}}) { $n += $_->{count} if $_->{function} eq "work"; } print $n')" \
    $((51 * 1001 + $(wc -l <runs) * 1001)) "the first thread of a process has ended: its area is not taken away"

size=$(stat -c %s two.trod)
TROD_OUT=two.trod perl -e '
    for (1 .. 5) { my $pid = fork // die; exec "./app", 10 or die if !$pid; select undef, undef, undef, 0.2; }'
is "$(stat -c %s two.trod)" "$size" "a process that was not waited for has ended"
is "$(iterations two.trod)" 290 "... and its counts are there"

if unshare -pf true 2>/dev/null; then
    TROD_OUT=space.trod ./app 10
    TROD_OUT=space.trod unshare -pf ./app 10
    TROD_OUT=space.trod ./app 10
    is "$(iterations space.trod)" 30 "processes of another namespace count in areas of their own"
else
    skip "processes of another namespace" "unshare is not allowed here"
fi

# Steps are of one process.
trod cc --wpp -g -pthread app.c -o steps
TROD_OUT=steps.trod ./steps 10
TROD_OUT=steps.trod ./steps 10
is "$(echo steps*.trod)" "steps.1.trod steps.trod" "recorded steps have a file for each process"
# --- what a start and a fork cost -----------------------------------------------------------

# The system calls of a program that joins the file, and of a child of fork, beside those of the program compiled without
# trod. WIDE has 1.5 MB of counters.
cat >start.c <<'EOC'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned sink;
#ifdef WIDE
#define IF(n)     \
    if (x >> n & 1) \
        sink += n;
#define NAME(n)                                                              \
    void name##n(unsigned x)                                                 \
    {                                                                        \
        IF(0) IF(1) IF(2) IF(3) IF(4) IF(5) IF(6) IF(7) IF(8) IF(9) IF(10)   \
        IF(11) IF(12) IF(13) IF(14) IF(15)                                   \
    }
NAME(1) NAME(2) NAME(3)
#endif

int main(int argc, char **argv)
{
    if (argc > 1 && atoi(argv[1]) > 0) {
        if (!fork()) {
            sink++;
            _exit(argc > 2);
        }
        wait(0);
    } else if (argc > 1) {
        pause();
    }
    return 0;
}
EOC
# calls PROGRAM [ARGUMENT]: of all its processes
calls() { rm -f trace.*; strace -ff -o trace -e signal=none "$@" >/dev/null 2>&1; cat trace.* | grep -vc '^+++'; }
if strace -o trace true 2>log; then
    for how in NARROW WIDE; do
        clang-19 -O1 -g -D$how start.c -o plain_$how
        trod cc -O1 -g -D$how start.c -o $how
        export TROD_OUT=$how.trod
        ./$how; ./$how
        more=$(($(calls ./$how) - $(calls ./plain_$how)))
        ok "$how: a process that joins makes at most 20 system calls more ($more)" [ "$more" -le 20 ]
        child=$(($(calls ./$how 1) - $(calls ./plain_$how 1) - more))
        ok "$how: a child of fork at most 12 more ($child)" [ "$child" -le 12 ]
        for i in 1 2 3 4 5 6 7 8 9 10 11 12; do ./$how 0 & done 2>log
        for i in 1 2 3 4 5 6 7 8 9 10; do
            [ "$(field processes $how.trod)" -ge 18 ] && break
            sleep 0.2
        done
        more=$(($(calls ./$how) - $(calls ./plain_$how)))
        ok "$how: beside twelve that live, at most 30 more ($more)" [ "$more" -le 30 ]
        # shellcheck disable=SC2046
        kill $(jobs -p)
        wait 2>/dev/null
        unset TROD_OUT
    done
else
    skip "system calls of a start" "no strace that traces"
fi

done_testing
