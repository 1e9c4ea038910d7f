#!/bin/sh
# Budgets of programs that sample block sequences: under a clock of their own, whose ticks are known; and under the real one,
# with threads, forks and signals, that nothing is lost and estimates are right.
# shellcheck disable=SC2317 # Called by ok and exits.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cc=${CC:-clang-19}
export TROD_OUT=%p.trod

# --- a clock of their own ---------------------------------------------------------------------------

# Each call of step takes STEP ticks, and two checks are made, which are believed to take half a tick each: one where it is
# entered, one in the loop that calls it. A look at the clock takes LOOK ticks.
cat >clock.c <<'END_C'
#include <stdint.h>
#include <stdlib.h>

#include "control/budget.h"

uint64_t fake_now = 1, fake_look = 16, fake_asleep;

__attribute__((visibility("hidden"))) uint64_t __trod_clock_ticks(void);
__attribute__((visibility("hidden"))) uint64_t __trod_clock_ticks(void)
{
    return fake_now += fake_look;
}

/* A third of the ticks, as nanoseconds. */
__attribute__((visibility("hidden"))) void __trod_clock_times(struct trod_clocks *out);
__attribute__((visibility("hidden"))) void __trod_clock_times(struct trod_clocks *out)
{
    out->all = fake_now / 3;
    out->own = (fake_now - fake_asleep) / 3;
}
END_C
cat >known.c <<'END_C'
#include <stdint.h>
#include <stdlib.h>

extern uint64_t fake_now, fake_look, fake_asleep;

__attribute__((noinline)) static void step(uint64_t ticks)
{
    fake_now += ticks;
}

int main(int argc, char **argv)
{
    uint64_t ticks = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 20000000;

    fake_look = argc > 3 ? strtoull(argv[3], NULL, 10) : 16;
    for (uint64_t i = 0; i < n; i++) {
        step(ticks);
        if (argc > 4 && i % 1000 == 0) {
            fake_now += 9000 * ticks; /* nine tenths of the time */
            fake_asleep += 9000 * ticks;
        }
    }
    return 0;
}
END_C

# share KEY FILE: in percent.
share()
{
    trod sample subpaths --json "$2" | sed -n "s/.*\"$1\": \\([0-9.e-]*\\).*/\\1/p" | head -1 |
        awk '{printf "%.4f\n", 100 * $1}'
}
# between LOW X HIGH
between()
{
    awk -v low="$1" -v x="$2" -v high="$3" 'BEGIN {exit !(x >= low && x <= high)}' && return
    echo "# $2 is not from $1 to $3"
    return 1
}
f_of() { trod sample subpaths "$1" | sed -n 's/.*one of \([0-9.e+]*\) blocks is a start.*/\1/p'; }

# known OPTIONS TICKS N LOOK [sleep]: always the same samples.
known()
{
    rm -f ./*.trod
    TROD_ONLINE=seed=7${1:+,$1} ./known "$2" "$3" "$4" ${5+"$5"} && mv ./*.trod known.trod
}

"$cc" -O2 -ffreestanding -mgeneral-regs-only -I"$root/include" -I"$root/runtime" -c clock.c -o clock.o &&
    trod cc --online --budget=5% -O1 -g known.c clock.o -o known || exit 1
known "" 100 20000000 16
ok "the checks are known: one of a hundred ticks" between 0.9 "$(share checks known.trod)" 1.1
ok "the budget is spent" between 4.0 "$(share achieved known.trod)" 5.3
like "$(trod sample subpaths known.trod)" '^# budget 5.00%, spent about [45]\.[0-9]*%: sampling [34]\.[0-9]*%, checks [01]\.[0-9]*%' "the first lines say so"
near=$(f_of known.trod)
known "" 100 20000000 4000
ok "where samples take longer, there are fewer" between "$(awk "BEGIN {print 8 * $near}")" "$(f_of known.trod)" 1e9
ok "and the budget is kept" between 3.0 "$(share achieved known.trod)" 5.5
known "" 100 20000000 16 sleep
ok "sleep is not time" between 4.0 "$(share achieved known.trod)" 5.3
known "budget=0.5%" 100 200000000 16
like "$(trod sample subpaths known.trod)" 'note: budget the checks alone take about [01]\.[0-9] %, above the budget of 0\.5 %' "checks alone are above the budget: a note"
ok "and samples are as few as can be" between 4e6 "$(f_of known.trod)" 1e7
ok "they take nothing" between 0 "$(share sampling known.trod)" 0.2
known "budget=3%" 100 20000000 16
unlike "$(trod sample subpaths known.trod)" 'note: budget' "a budget above them: no note"
known "budget=0" 100 20000000 16
unlike "$(trod sample subpaths known.trod)" '^# budget' "no budget: nothing is measured"

# --- the real clock -----------------------------------------------------------------------------------

sed -n '/^cat >app.c/,/^END/p' "$root/test/runtime/watch.t" | sed '1d;$d' >app.c
trod cc --online --budget=20% -O2 -g -pthread app.c -o app && "$cc" -O2 -pthread app.c -o plain || exit 1

# sums: what all profiles have of samples.
sums() { cat ./*.trod.text | awk -v key="$1" '$1 == key {n += $2} END {print n + 0}'; }
whole()
{
    for profile in *.trod; do
        trod check "$profile" | grep -q sound || return 1
        trod show "$profile" >"$profile.text" || return 1
    done
    # At most one sample of each length is pending where a thread ends.
    between 0 $(($(sums starts) - $(sums counted) - $(sums dropped))) 2000
}

for what in "work 20000000" "threads 2000000" "churn 100000" "fork 10000000" "alarms 2000" "leaps 2000"; do
    rm -f ./*.trod ./*.text
    # shellcheck disable=SC2086
    is "$(./app $what | sort)" "$(./plain $what | sort)" "$what: does what it does"
    ok "$what: all samples are accounted for" whole
    like "$(trod sample subpaths ./*.trod)" '^# budget 20.00%, spent about [0-9.]*%: sampling [0-9.]*%, checks [0-9.]*%' "$what: what it took is told"
done

# --- estimates ----------------------------------------------------------------------------------------

ran() { rm -f ./*.trod; TROD_ONLINE=$1 ./app work 20000000 >/dev/null; trod sample subpaths --json ./*.trod | sed -n 's/.*"blocks": \([0-9]*\),.*/\1/p' | head -1; }
truth=$(ran budget=0,f=20,most=1m)
ok "estimates are right, whatever f was" between "$(awk "BEGIN {print .9 * $truth}")" "$(ran budget=60%)" "$(awk "BEGIN {print 1.1 * $truth}")"

done_testing
