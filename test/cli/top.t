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

# --- on a screen ---------------------------------------------------------------------------------

if ! command -v tmux >tmux.path; then
    skip "the screen" "no tmux"
    done_testing
    exit
fi
kill -9 "$pid"
wait "$pid" 2>/dev/null
TROD_OUT=live.trod ./app &
pid=$!
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

done_testing
