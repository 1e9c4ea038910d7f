#!/bin/sh
# trod top: once for scripts, and on a screen that is driven by keys while the program runs and after it was killed.
# shellcheck disable=SC2317 # Called by the trap, and by ok.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'END'
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned sum;

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

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 0;

    alarm(120); /* the test has ended */
    for (unsigned round = 0; !n || round < n; round++) {
        for (unsigned i = 0; i < 20000; i++) {
            if (i & 1)
                odd(i);
            else
                even(i);
        }
        if (!n)
            usleep(20000);
    }
    return 0;
}
END
# The plugin is of no configuration with sanitizers.
"$root/build/release/trod" cc --online -g -O1 app.c -o app || exit 1
TROD_OUT=%p.trod ./app &
pid=$!
socket=trod-top-$$
stop()
{
    kill -9 "$pid" 2>/dev/null
    tmux -L "$socket" kill-server 2>/dev/null
    rm -rf "$tap_tmp"
}
trap stop EXIT

# until_seen SECONDS COMMAND PATTERN: as soon as the output of a command has a line like this.
until_seen()
{
    i=0
    while [ $i -lt $(($1 * 10)) ]; do
        seen=$(sh -c "$2" 2>&1)
        printf '%s\n' "$seen" | grep -Eq -e "$3" && return 0
        sleep 0.1
        i=$((i + 1))
    done
    return 1
}

# --- once ---------------------------------------------------------------------------------------

ok "a process has a profile" until_seen 20 "trod top --once -p $pid" '^# [1-9].* of [1-9].* subpaths that were sampled'
like "$(trod top --once -p "$pid")" "main|odd|even" "its hot functions are printed"
like "$(trod top --once --json -p "$pid")" '"trod": "top"' "in JSON"
is "$(trod top --once --most=3 "$pid.trod" | grep -c '^  *[0-9]')" 3 "of a file, three rows"
# lengths: the column of how many blocks.
lengths() { sed -n 's/^ *[0-9]* *[0-9]* *[0-9.>x]*%* *[0-9.]*% *\([0-9]*\)  .*/\1/p'; }
like "$(trod top --once --error=10% "$pid.trod")" '^# an error of 10% needs 1798 samples of a subpath: [0-9]+ of [0-9]+ have them' \
    "how many samples an error needs"
like "$(trod top --once --error=10% "$pid.trod")" '^ *1 .*% +(enough|[0-9.]+x|>1000x) ' "and how much longer each row"
trod top --once --sort=length "$pid.trod" >longest
is "$(lengths <longest | sort -rn)" "$(lengths <longest)" "the longest first"
mv "$pid.trod" gone.trod && cp gone.trod copy.trod && rm gone.trod
if [ "$(id -u)" -eq 0 ]; then
    like "$(trod top --once -p "$pid" 2>&1)" 'subpaths that were sampled' "a profile that has no name any more"
else
    skip "a profile that has no name any more" "only root may look there"
fi
exits 2 "no terminal, and not once" trod top copy.trod
exits 2 "no file and no process" trod top --once
exits 2 "no process id" trod top --once -p x
exits 2 "an interval of nothing" trod top --interval=0 copy.trod
exits 3 "a process without a profile" trod top --once -p $$
exits 5 "a process that is not there" trod top --once -p 4194305

# --- paths that are counted ---------------------------------------------------------------------

kill -9 "$pid"
wait "$pid" 2>/dev/null
"$root/build/release/trod" cc -g -O1 app.c -o counted || exit 1
TROD_OUT=counted.trod ./counted &
pid=$!
ok "a program that counts" until_seen 20 "trod top --once --interval=0.2 -p $pid" '^ +[1-9][0-9.kM]* +[0-9.]+% +[1-9].* main =[0-9]+ '
trod top --once --interval=0.5 --json --most=1000 -p "$pid" >top.json
# exact FILE: shares add up, rates are what ran in the interval, and nothing ran more often than in all.
adds_up()
{
    perl -MJSON::PP -e '
        my $top = decode_json(do { local $/; <> });
        my ($share, $more) = (0, 0);
        for (@{$top->{paths}}) {
            $share += $_->{share};
            $more += $_->{more};
            exit 1 if $_->{more} > $_->{count} || abs($_->{rate} * $top->{seconds} - $_->{more}) > 1e-3 * $_->{more} + 1;
        }
        exit !(abs($share - 1) < 1e-4 && $more == $top->{more} && $more > 1000 && $top->{seconds} > 0.4)' "$1"
}
ok "rates and shares add up" adds_up top.json
like "$(trod top --once --interval=0.2 --group=function -p "$pid")" '^ .* (odd|even)  ' "by function"
like "$(trod top --once --interval=0.2 --group=loop -p "$pid")" '^ .* main  loop [0-9]+' "by loop"
exits 2 "block sequences have lengths" trod top --once --sort=length counted.trod
exits 4 "no times" trod top --once --sort=time counted.trod
kill -9 "$pid"
wait "$pid" 2>/dev/null
TROD_OUT=ended.trod ./counted 3
is "$(trod top --once --sort=count ended.trod | sed -n 's/^ *-  *[0-9.]*%  *\([0-9.]*k*\)  *\(.*\)$/\1 \2/p')" \
    "$(trod report -q --brief --all-paths ended.trod | sed -n 's/^ *[0-9.]*%  *[0-9.]*%  *\([0-9.]*k*\)  *\(.*\)$/\1 \2/p')" "a program that has ended: counts of a report"
"$root/build/release/trod" cc --burst=types=paths+time,rate=100 -g -O1 app.c -o timed || exit 1
TROD_OUT=timed.trod ./timed &
pid=$!
ok "times" until_seen 20 "trod top --once --interval=0.5 --sort=time -p $pid" '^ *~[0-9.kM]+ +[0-9.]+% +[0-9.]+% +~[0-9.kM]+ +[0-9.]+[nmu]?s '
like "$(trod top --once --interval=0.1 --sort=time -p "$pid")" '^  rate/s  share     \+-    count    time    mean     p99  function and path$' "their head"
# On a busy machine too little may be timed in half a second: then once more.
by_time() {
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        trod top --once --interval=0.5 --sort=time --json -p "$pid" >timed.json
        are_by_time timed.json
        status=$?
        [ "$status" -eq 3 ] || return "$status"
    done
    echo "too little was timed, $try times"
    return 1
}
are_by_time() {
    perl -MJSON::PP -0777 -e '
        my $top = decode_json(<>);
        my ($last, $each);
        for (@{$top->{paths}}) {
            my $own = $_->{time} ? $_->{time}{own} : 0;
            exit 1 if !$own && $_->{share};
            next if !$own;
            exit 1 if defined $last && $own > $last || $_->{error} > 0.5 || abs($_->{error} - $_->{time}{error}) > 1e-3;
            $each //= $_->{share} / $own;
            exit 1 if abs($_->{share} / $own / $each - 1) > 1e-3;
            $last = $own;
            $sum += $_->{share};
        }
        exit($sum >= 1.0001 ? 1 : $last && $sum > 0.5 ? 0 : 3)' "$1"
}
ok "by time: shares and errors are those of own times" by_time
kill -9 "$pid"
wait "$pid" 2>/dev/null
TROD_OUT=live.trod ./app &
pid=$!

# --- on a screen ---------------------------------------------------------------------------------

if ! command -v tmux >tmux.path; then
    skip "the screen" "no tmux"
    done_testing
    exit
fi
until_seen 20 "trod top --once -p $pid" '^# [1-9].* of [1-9].* subpaths that were sampled'

screen() { tmux -L "$socket" capture-pane -p; }
keys() { tmux -L "$socket" send-keys "$@"; }
shows() { until_seen 20 "tmux -L $socket capture-pane -p" "$1"; }

tmux -L "$socket" -f /dev/null new-session -d -x 100 -y 12 "exec trod top --interval=0.2 -p $pid 2>screen.err"
ok "a screen" shows '^trod top: app, running; '
like "$(screen)" '^rank +count +\+- +share +blocks +subpath' "a head"
like "$(screen)" 'q quit  s sort  / filter  f freeze' "a line of help"
like "$(screen | sed -n 4p)" '^ +1 +[0-9.kM]+ .*(main|odd|even) ' "the hottest first"
blocks=$(screen | sed -n 's/.*; \([0-9.e+]*\) blocks.*/\1/p')
ok "it goes on" until_seen 20 "tmux -L $socket capture-pane -p | grep -v '; $blocks blocks'" '^trod top'
keys s
ok "another order" shows '^by blocks, '
keys s
ok "by length" shows '^by length, '
screen >longest
is "$(lengths <longest | sort -rn)" "$(lengths <longest)" "the longest first on the screen"
keys s
ok "by function" shows '^by function, '
keys s
ok "by count again" shows '^by count, '
keys / o d d Enter
ok "only lines with a text" shows "with 'odd': [0-9]+ of"
is "$(screen | sed -n '4,11p' | grep . | grep -vc odd)" 0 "no others"
keys / BSpace BSpace BSpace Enter
ok "all again" shows '^by count, [0-9]+ subpaths'
keys / x Escape
ok "a text that is not wanted" shows '^by count, [0-9]+ subpaths'
keys b
ok "blocks" shows '#[0-9]'
keys b
keys Down Down
ok "down" until_seen 20 "tmux -L $socket capture-pane -p | sed -n 4p" '^ +3 '
keys Home
ok "and up" until_seen 20 "tmux -L $socket capture-pane -p | sed -n 4p" '^ +1 '
tmux -L "$socket" resize-window -x 60 -y 8
ok "a smaller screen" until_seen 20 "tmux -L $socket capture-pane -p | sed -n 8p" 'q quit'
tmux -L "$socket" resize-window -x 100 -y 12
keys f
ok "frozen" shows '^trod top: app, running, frozen'
first=$(screen | sed -n 4p)
sleep 0.5
is "$(screen | sed -n 4p)" "$first" "nothing moves"
keys w
ok "a name to write to" shows '^write to: app.subpaths'
keys Enter
ok "written" shows 'written to app.subpaths'
is "$(sed -n 3p app.subpaths | cut -c1-90)" "$(echo "$first" | cut -c1-90)" "what is seen"
keys f
like "$(screen)" 'o on/off  - slower  \+ faster  r reset' "keys that control the program are in the line of help"
keys o
ok "sampling is switched off" shows 'sampling is off'
ok "the program is asked for it" until_seen 20 "trod sample control live.trod" '^  now     off'
keys o
ok "and on" until_seen 20 "trod sample control live.trod" '^  now     on'
keys -
ok "slower" shows 'one of [0-9]+ blocks is a start'
keys +
ok "faster, anew" shows 'is a start; samples begin anew'
keys r
ok "anew" shows '; samples begin anew'
trod sample control --budget=4% live.trod >control.out
keys +
ok "faster, with a budget" shows 'the budget is 8%'
keys -
ok "slower, with a budget" shows 'the budget is 4%'
# Checks alone may take more than the budget: then next to nothing is sampled, on a machine that is slow enough to notice.
trod sample control --budget=0 --rate=1000 --reset live.trod >control.out
ok "rows again" until_seen 20 "tmux -L $socket capture-pane -p | sed -n 4p" '^ +1 '
kill -9 "$pid"
ok "the end of the program is reported" shows '^trod top: app, killed'
like "$(screen | sed -n 4p)" '^ +1 ' "the last picture stays"
keys q
ok "enough" until_seen 20 "tmux -L $socket list-sessions" 'no server|error|lost'
is "$(cat screen.err)" "" "nothing was said besides"

TROD_OUT=done.trod ./app 20
tmux -L "$socket" -f /dev/null new-session -d -x 100 -y 12 "exec trod top done.trod"
ok "a program that ended" shows '^trod top: app, ended'
keys q
ok "enough of it" until_seen 20 "tmux -L $socket list-sessions" 'no server|error|lost'

TROD_OUT=seen.trod ./timed &
pid=$!
ok "paths of a program" until_seen 20 "trod top --once --interval=0.1 -p $pid" ' main =[0-9]+ '
tmux -L "$socket" -f /dev/null new-session -d -x 110 -y 12 "exec trod top --interval=0.2 -p $pid 2>screen.err"
ok "a screen of paths" shows '^trod top: timed, running; ~[0-9.kM]+ paths in the last 0\.[2-9] s'
like "$(screen)" '^  rate/s  share     \+-    count    time    mean     p99  function and path' "their head"
like "$(screen | sed -n 2p)" '^paths by rate, [0-9]+ paths' "by rate"
like "$(screen)" 's sort  g group' "keys of paths"
keys g
ok "by loop" shows '^loops and entries by rate, '
keys g
ok "by function" shows '^functions by rate, [0-9]+ functions'
ok "with files" shows ' (odd|even)  app\.c'
keys g g s s
ok "by time" shows '^paths by time, '
keys / o d d Enter
ok "only paths with a text" shows "with 'odd': [0-9]+ of"
keys / BSpace BSpace BSpace Enter
keys o
ok "bursts are switched off" shows 'sampling is off'
ok "the program is asked for that, too" until_seen 20 "trod sample control seen.trod" '^  now     off'
keys o
ok "and for bursts again" until_seen 20 "trod sample control seen.trod" '^  now     on'
keys w
ok "a name for paths" shows '^write to: timed.paths'
keys Enter
ok "paths are written" shows 'written to timed.paths'
like "$(sed -n 1p timed.paths)" '^# ~[0-9.kM]+ paths ' "what was seen"
kill -9 "$pid"
ok "in the end, all that ran" shows '^trod top: timed, killed; ~[0-9.kM]+ paths since it began'
like "$(screen | sed -n 4p)" '^ +- ' "without rates"
keys q
ok "enough of paths" until_seen 20 "tmux -L $socket list-sessions" 'no server|error|lost'
is "$(cat screen.err)" "" "nothing was said"

done_testing
