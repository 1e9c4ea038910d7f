#!/bin/sh
# Programs that are controlled while they run: what is in force before and after, what counts are worth then, and that
# nothing that is written into their profiles by others, or half-written, changes what they do.
# shellcheck disable=SC2317 # Called by the trap, and by ok.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# Runs until SIGTERM, then says how often even was called. SIGUSR1: forks a child that does the same. With an argument, that
# many threads at a time run and end all along.
cat >app.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t stopped, forking;
static volatile unsigned sum;
static unsigned long calls;

__attribute__((noinline)) static void even(unsigned i)
{
    if (i & 2)
        sum += i;
}

__attribute__((noinline)) static void odd(unsigned i)
{
    if (i & 4)
        sum ^= i;
}

static void on_signal(int signal)
{
    *(signal == SIGUSR1 ? &forking : &stopped) = 1;
}

__attribute__((noinline)) static void work(void)
{
    for (unsigned i = 0; i < 20000; i++) {
        if (i & 1)
            odd(i);
        else
            even(i);
    }
}

static void *run(void *unused)
{
    (void)unused;
    work();
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t thread[16];

    alarm(120); /* the test has ended */
    signal(SIGUSR1, on_signal);
    signal(SIGTERM, on_signal);
    while (!stopped) {
        work();
        calls += 10000;
        for (int i = 0; i < n; i++)
            pthread_create(&thread[i], NULL, run, NULL);
        for (int i = 0; i < n; i++)
            pthread_join(thread[i], NULL);
        if (forking && (forking = 0, fork() == 0)) {
            FILE *pid = fopen("child", "w");

            alarm(60);
            calls = 0;
            fprintf(pid, "%d\n", (int)getpid());
            fclose(pid);
        }
        usleep(2000);
    }
    printf("%lu\n", calls);
    return 0;
}
END
cc=$root/build/release/trod # The plugin is of no configuration with sanitizers.
build() { "$cc" cc "$1" -g -O1 -pthread app.c -o "$2" || exit 1; }
build --burst=rate=100 app
build --burst=off shipped
build --burst=trigger=flag,off,hz=500 ticking
build --online sampled
"$cc" cc -g -O1 -pthread app.c -o counted || exit 1

pids=
stop()
{
    # shellcheck disable=SC2046,SC2086
    kill -9 $pids $(cat child 2>/dev/null) 2>/dev/null
    rm -rf "$tap_tmp"
}
trap stop EXIT

# until_seen COMMAND PATTERN: as soon as the output of a command has a line like this; 20 seconds at most.
until_seen()
{
    i=0
    while [ $i -lt 200 ]; do
        sh -c "$1" 2>&1 | grep -Eq -e "$2" && return 0
        sleep 0.1
        i=$((i + 1))
    done
    return 1
}

# start FILE PROGRAM [WORD...]: sets pid; what it prints goes to FILE.said.
start()
{
    out=$1
    program=$2
    shift 2
    TROD_OUT=$out "./$program" "$@" >"$out.said" &
    pid=$!
    pids="$pids $pid"
    until_seen "trod check $out" 'paths: [1-9]|events: [1-9]|still running' || return 1
    until_seen "trod sample control $out" 'now' || true
}

control() { trod sample control "$@"; }
now() { control "$@" | sed -n 's/^  now  *//p'; }
# ended: the last program, normally; what it said.
ended()
{
    kill -TERM "$pid"
    until_seen "cat $out.said" '^[0-9]'
    cat "$out.said"
}
# entered FUNCTION FILE: how often, as a number.
entered()
{
    trod sample functions --json "$2" | python3 -c "
import json, sys
rows = json.load(sys.stdin)['programs'][0]['functions']
print(sum(f['entered'] for f in rows if f['function'] == '$1'))"
}
close() { python3 -c "import sys; a, b = float(sys.argv[1]), float(sys.argv[2]); sys.exit(not abs(a - b) <= b * 0.1)" "$@"; }

# --- what is in force -------------------------------------------------------------------------

start app.trod app
is "$(now app.trod)" "on; rate 100; burst 1; types paths+methods+calls+trips" "what a program does at first"
is "$(control "$pid" | sed -n 's/^  now  *//p')" "$(now app.trod)" "the same by the id of the process"
is "$(control --rate=20 --types=methods+calls --rate=calls=50 app.trod | sed 1d)" \
    "  before  on; rate 100; burst 1; types paths+methods+calls+trips
  now     on; rate 20, calls 50; burst 1; types methods+calls" "rates and types change"
is "$(now app.trod)" "on; rate 20, calls 50; burst 1; types methods+calls" "and stay so"
control --types=paths+methods+calls+trips --rate=10 "$pid" >control.out
like "$(control --json --rate=30 app.trod)" '"followed": true' "a thread has followed when the command ends"
ok "JSON has both" sh -c "trod sample control --json --burst=2 app.trod | python3 -c '
import json, sys
p = json.load(sys.stdin)[\"programs\"][0]
sys.exit(not (p[\"before\"][\"burst\"][\"calls\"] == 1 and p[\"now\"][\"burst\"][\"calls\"] == 2 and p[\"kind\"] == \"burst\"))'"
control --burst=1 --rate=25 app.trod >control.out
truth=$(ended)
ok "estimates are right across all these rates" close "$(entered even app.trod)" "$truth"
like "$(trod sample functions app.trod)" '^# note: controlled ' "the profile says that rates changed"
like "$(trod sample functions app.trod)" 'methods 1 in [0-9]+ to ' "and between which"
trod merge -o merged.trod app.trod
like "$(trod show merged.trod)" '^note "controlled' "a merged profile, too"
unlike "$(trod show merged.trod)" '^note "lost' "which lacks nothing"
exits 3 "a program that has ended" trod sample control --off app.trod
like "$(trod sample control --off app.trod 2>&1)" 'has ended, or this is a copy; name a running process' "the message says what to do"
exits 3 "a merged profile" trod sample control --off merged.trod

# --- off and on ----------------------------------------------------------------------------------

start off.trod shipped
like "$(now off.trod)" '^off; rate 1000' "a program that was shipped off"
is "$(trod sample functions off.trod | grep -c ' even ')" 0 "counts nothing"
like "$(control --on --rate=50 off.trod)" '^  now     on; rate 50' "is switched on"
ok "and counts" until_seen "trod sample functions off.trod" ' even '
control --off off.trod >control.out
before=$(entered even off.trod)
sleep 0.3
is "$(entered even off.trod)" "$before" "and off again, and does not"
control --snapshot=then.trod --reset --on off.trod >control.out
is "$(entered even then.trod)" "$before" "a snapshot is taken before counts are set to 0"
is "$(control --snapshot off.trod && ls off.trod.snapshot)" off.trod.snapshot "its default name"
like "$(trod check off.trod)" 'reset counts were set to 0' "the profile says so"
kill -9 "$pid"
wait "$pid" 2>/dev/null
like "$(trod check off.trod)" 'sound' "and is sound when the program is killed"

start flag.trod ticking
like "$(now flag.trod)" '^off; burst 1' "a program whose bursts are begun by time, off"
is "$(trod sample functions flag.trod | grep -c ' even ')" 0 "counts nothing"
like "$(control --on flag.trod)" '^  now     on' "is switched on"
ok "and counts" until_seen "trod sample functions flag.trod" ' (even|main|work) '
exits 2 "it has no rate" trod sample control --rate=5 flag.trod
ended >ended.out

# --- exact ---------------------------------------------------------------------------------------

TROD_BURST=trigger=always start exact.trod app
like "$(now exact.trod)" '^on; every event' "every event is counted"
control --types=methods+paths exact.trod >control.out
control --off exact.trod >control.out
like "$(trod report --brief --exact exact.trod)" 'counts are exact' "what was counted is exact"
unlike "$(trod report --brief --exact exact.trod)" '~' "and nothing an estimate"
control --on exact.trod >control.out
sleep 0.1
control --off exact.trod >control.out
like "$(trod report --brief --exact exact.trod)" 'counts are exact' "still, after off and on"
control --on --rate=10 exact.trod >control.out
like "$(trod report --brief --exact exact.trod)" 'counts are estimates' "until there is a rate"
ended >ended.out

TROD_BURST=trigger=always start count.trod app
control --types=methods count.trod >control.out
is "$(ended)" "$(entered even count.trod)" "exact counts stay exact when other types go off"

# --- threads -------------------------------------------------------------------------------------

start threads.trod app 8
control --rate=5 threads.trod >control.out
sleep 0.3
control --off threads.trod >control.out
sleep 0.5
control --reset threads.trod >control.out
sleep 0.5
is "$(trod sample functions threads.trod | grep -c ' even ')" 0 "a reset includes threads that have ended"
control --on threads.trod >control.out
ok "new threads are on again" until_seen "trod sample functions threads.trod" ' even '
ended >ended.out
like "$(trod check threads.trod)" 'sound' "the profile is sound"

# --- children, and processes of one name ------------------------------------------------------------

TROD_SPARSE=1 start family.%p.trod app 2>/dev/null || true
mother=$pid
until_seen "trod sample control $mother" ' now ' || true
control --rate=7 "$mother" >control.out
control --off "$mother" >control.out
kill -USR1 "$mother"
ok "there is a child" until_seen 'cat child' '^[0-9]'
child=$(cat child)
ok "a child has a block of its own" until_seen "trod sample control $child" '^  now     off; rate 7'
is "$(now "$child")" "$(now "$mother")" "and begins as its parent was told"
like "$(control --on "$child")" '^  now     on; rate 7' "it is switched on"
ok "and counts" until_seen "trod sample functions family.$child.trod" ' even '
like "$(now "$mother")" '^off' "its parent is not"
kill -9 "$child" "$mother"

TROD_OUT=both.trod ./counted >both.said &
one=$!
TROD_OUT=both.trod ./counted >both.said &
pids="$pids $one $!"
ok "two processes count in one file" until_seen 'trod check both.trod' 'paths: [1-9]'
exits 3 "they cannot be controlled" trod sample control --off both.trod
like "$(trod sample control "$one" 2>&1)" "build it with 'trod cc --burst' or --online.*--snapshot works" "the message says how to build them, and what works"
ok "a snapshot of both" trod sample control --snapshot=first.trod both.trod
sleep 0.2
ok "and another" trod sample control --snapshot=second.trod both.trod
ok "whose difference are the counts in between" trod set subtract --counts -o between.trod second.trod first.trod
like "$(trod report --brief between.trod)" 'even' "which has paths"
kill -9 "$one" "${pids##* }"

# --- online ------------------------------------------------------------------------------------------

start online.trod sampled
is "$(now online.trod)" "on; rate 1024" "a program that samples online"
begun() { trod show online.trod | sed -n 's/^starts //p'; }
control --off online.trod >control.out
sleep 0.2
before=$(begun)
sleep 0.3
is "$(begun)" "$before" "off: no sample begins"
control --on --rate=5 --reset online.trod >control.out
ok "on: they do, and those before are gone" until_seen 'trod sample subpaths online.trod' 'note: reset'
control --rate=100000000 online.trod >control.out
like "$(trod sample subpaths online.trod)" 'one of 1[0-9.e+]*0?[0-9]* blocks is a start' "a higher rate thins the samples"
exits 2 "a lower one needs --reset" trod sample control --rate=5 online.trod
exits 2 "there are no types" trod sample control --types=paths online.trod
control --budget=3% --rate=1000 --reset online.trod >control.out
like "$(now online.trod)" 'on; rate 1000; budget 3%' "a budget, and the rate it begins at"
ok "it is followed, and what it takes is told" until_seen 'trod sample subpaths online.trod' '^# budget 3.00%, spent about [0-9.]*%'
like "$(control --json online.trod)" '"budget": 0.03' "also as JSON"
exits 2 "a budget that is none" trod sample control --budget=lots online.trod
control --budget=0 online.trod >control.out
like "$(now online.trod)" 'on; rate 1000$' "no longer"
ended >ended.out
like "$(trod check online.trod)" 'sound' "the profile is sound"

# --- damage --------------------------------------------------------------------------------------------

# poke FILE WHAT: write into the control section. 'follow' does it right.
cat >poke.py <<'END'
import random, struct, sys, zlib
name, what = sys.argv[1:]
data = open(name, 'rb').read()
at = next(i for i in range(0, len(data), 4096) if data[i:i + 8] == b'TORD' + struct.pack('<I', 15)) + 64
sequence, = struct.unpack_from('<Q', data, at)
setting = bytearray(data[at + 8:at + 296])
check = None
if what == 'odd':
    sequence += 1
    struct.pack_into('<I', setting, 0, 0)
elif what == 'check':
    sequence += 2
    struct.pack_into('<I', setting, 0, 0)
    check = 12345
elif what == 'noise':
    setting = bytearray(random.Random(1).randbytes(288))
    sequence = 0x123456789abcdef0
    check = 99
else:
    sequence = (sequence | 1) + 1
    place, value, form = {'follow': (32, 7, '<Q'), 'rate': (32, 0, '<Q'), 'huge': (32, 1 << 60, '<Q'),
        'types': (4, 1 << 30, '<I'), 'trigger': (8, 3, '<I'), 'budget': (12, 1 << 31, '<I'), 'on': (0, 9, '<I')}[what]
    struct.pack_into(form, setting, place, value)
if check is None:
    check = zlib.crc32(struct.pack('<Q', sequence) + setting)
with open(name, 'r+b') as out:
    out.seek(at)
    out.write(struct.pack('<Q', sequence) + setting + struct.pack('<I', check))
END
# counts_on: the program still samples.
counts_on()
{
    seen=$(entered even damaged.trod)
    i=0
    while [ "$i" -lt 100 ]; do
        [ "$(entered even damaged.trod)" -gt "$seen" ] && return 0
        sleep 0.1
        i=$((i + 1))
    done
    return 1
}
start damaged.trod app
for what in odd check noise rate huge types trigger budget on; do
    python3 poke.py damaged.trod "$what"
    sleep 0.1
    ok "$what: the program goes on" counts_on
    like "$(trod sample control damaged.trod)" 'unknown: the control section is damaged' "$what: it is said"
    exits 3 "$what: more must be said" trod sample control --off damaged.trod
    control --on --rate=100 damaged.trod >control.out
    is "$(now damaged.trod)" "on; rate 100; burst 1; types paths+methods+calls+trips" "$what: all of it is said anew"
done
# Planted: what is right is followed, so the above shows that the rest is not.
python3 poke.py damaged.trod follow
like "$(now damaged.trod)" 'on; rate 7, ' "a setting with the right check is followed"
truth=$(ended)
ok "estimates were right all along" close "$(entered even damaged.trod)" "$truth"
like "$(trod check damaged.trod)" 'sound' "the profile is sound"

# --- others ---------------------------------------------------------------------------------------------

start read.trod app
for rate in 3 200 9 50 2 1000; do
    trod sample control --rate=$rate read.trod >control.out &
    trod check read.trod >check.out 2>&1 || break
    trod report --brief read.trod >report.out 2>&1 || break
    wait $!
done
like "$(cat check.out)" 'sound' "a reader meanwhile finds it sound"
like "$(now read.trod)" 'rate 1000' "and the last setting is in force"
(
    while trod sample control --rate=50 read.trod && trod sample control --rate=5 read.trod; do :; done
) >control.out 2>&1 &
loop=$!
sleep 0.3
kill -9 "$pid"
wait "$loop" 2>/dev/null
like "$(trod check read.trod)" 'sound' "a program that is killed while it is controlled leaves a sound profile"
if [ "$(id -u)" -eq 0 ] && command -v setpriv >setpriv.path; then
    start mine.trod app
    chmod 755 . && cp "$(command -v trod)" trod.other && chmod 755 trod.other
    setpriv --reuid=65534 --clear-groups ./trod.other sample control --off "$PWD/mine.trod" >other.out 2>&1
    is $? 5 "the profile of another user"
    like "$(cat other.out)" 'only that user and root can control' "is not controlled"
    like "$(now mine.trod)" '^on' "the program goes on"
    ended >ended.out
else
    skip "the profile of another user" "only root can be two"
fi
exits 2 "nothing is named" trod sample control --off
exits 2 "both" trod sample control --on --off app.trod
exits 5 "a file that is not there" trod sample control none.trod
exits 5 "a process that is not there" trod sample control 4194305
start types.trod app
exits 3 "a type that was not compiled in" trod sample control --types=streams types.trod
like "$(trod sample control --types=streams types.trod 2>&1)" "build it with 'trod cc --burst=types=paths.methods.calls.trips.streams'" "the message says how to build it"
exits 2 "a rate that is none" trod sample control --rate=0 types.trod
ended >ended.out

# --- by the program itself ----------------------------------------------------------------------------------

cat >self.c <<'END'
#include <stdio.h>
#include <unistd.h>

#include "trod/control.h"

static volatile unsigned sum;

__attribute__((noinline)) static void even(unsigned i)
{
    sum += i;
}

static void work(void)
{
    for (unsigned i = 0; i < 4000000; i++)
        even(i);
}

int main(void)
{
    int failed = 0;

    work();
    failed += trod_control_rate(10) + trod_control_on();
    work();
    failed += trod_control_off();
    work();
    failed += trod_control_snapshot("self.snapshot.trod");
    failed += 3 * !trod_control_rate(0);
    printf("%d\n", failed);
    return 0;
}
END
"$cc" cc --burst=off -g -O1 -I"$root/include" self.c -o self || exit 1
is "$(TROD_OUT=self.trod ./self)" 0 "a program that controls itself"
ok "it was on in the second of three parts" sh -c "n=\$1; [ \$n -gt 3000000 ] && [ \$n -lt 5000000 ]" - "$(entered even self.trod)"
is "$(entered even self.snapshot.trod)" "$(entered even self.trod)" "its snapshot is a profile"
gcc -I"$root/include" self.c -o alone && is "$(./alone)" -4 "without trod it links, and nothing happens"
"$cc" cc -I"$root/include" self.c -o counting && is "$(TROD_OUT=counting.trod ./counting)" -4 "nor in a program that counts everything"

done_testing
