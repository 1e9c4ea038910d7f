#!/bin/sh
# Profiles for clang, of its own counters and of lines, read by llvm-profdata, llvm-cov and clang.
# test/coverage/counters.t checks the counts.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
TROD_OUT=%e.trod
export TROD_OUT

cat >app.c <<'C'
#include <stdio.h>

static int
weigh(int x)
{
    int sum = 0;

    while (x > 0) {
        sum += x % 2 ? 3 : 1;
        x--;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int sum = 0;

    for (int i = 0; i < 10; i++)
        sum += weigh(i);
    if (argc > 1)
        puts(argv[1]);
    printf("%d\n", sum);
    return 0;
}
C
build=release
[ -e "$root/build/$TROD_CONFIG/trod-llvm.so" ] && build=$TROD_CONFIG
cc="$root/build/$build/trod cc"

# --- counters -------------------------------------------------------------------

# Options are a list.
# shellcheck disable=SC2086
ok "clang's counters are noted" $cc --counters -O2 -g -o app app.c
is "$(./app)" 95 "and the program does what it did"
like "$(trod split --text app)" '^counters weigh "app.c:weigh" [0-9a-f]{16} 3$' "the map says where they are"
ok "nothing that counts for clang is in it" sh -c '! nm app | grep -E "__profc|__profd|__llvm_profile|__trod_counter"'
trod export --to=llvm -o app.proftext app.trod
is "$(sed -n '/^app.c:weigh/,/^$/p' app.proftext | sed '/^#/d' | tail -n +3 | tr '\n' ' ')" "3 10 45 25  " \
    "calls, rounds and odd ones are counted"
ok "llvm-profdata reads the text" llvm-profdata-19 merge -o app.profdata app.proftext
trod export --to=profdata -o other.profdata app.trod
ok "and makes of it what trod makes with it" cmp app.profdata other.profdata
like "$(llvm-cov-19 report app -instr-profile=app.profdata | tail -n 1)" "^TOTAL +[0-9]+ +1 " \
    "llvm-cov finds all regions in the same program, and the one that did not run"
ok "clang takes it without a warning" clang-19 -Wall -Werror -O2 -fprofile-use=app.profdata \
    -Werror=profile-instr-out-of-date -Werror=profile-instr-unprofiled -c -o app.o app.c
sed 's/x % 2/x % 2 \&\& x > 1/' app.c >changed.c
mkdir changed && mv changed.c changed/app.c
like "$(cd changed && clang-19 -O2 -fprofile-use=../app.profdata -c -o app.o app.c 2>&1)" "out of date" \
    "and sees a function that is another by now"

# shellcheck disable=SC2086
$cc --counters --iterations=2 -O2 -o rounds app.c && ./rounds >out
is "$(trod export -q --to=llvm rounds.trod | sed '/^#/d')" "$(sed '/^#/d' app.proftext)" "paths in a row say the same"
# shellcheck disable=SC2086
$cc --counters --subpaths -O2 -o subpaths app.c && ./subpaths >out
is "$(trod export -q --to=llvm subpaths.trod | sed '/^#/d')" "$(sed '/^#/d' app.proftext)" "and paths that end at calls"
trod merge -o twice.trod app.trod app.trod
is "$(trod export -q --to=llvm twice.trod | grep -x 45)" "" "profiles are added up"
is "$(trod export -q --to=llvm --function=main app.trod | grep -c weigh)" 0 "one function is exported alone"

# --- what is not there ----------------------------------------------------------

# shellcheck disable=SC2086
$cc -O2 -g -o plain app.c && ./plain >out
exits 4 "without counters in the map there is no profile" trod export --to=llvm plain.trod
like "$(trod export --to=llvm plain.trod 2>&1)" "trod cc --counters" "and the message says what to do"
exits 5 "without llvm-profdata there is none that is indexed" env TROD_PROFDATA=no-such-program trod export --to=profdata -o x app.trod
like "$(TROD_PROFDATA=no-such-program trod export --to=profdata -o x app.trod 2>&1)" "no-such-program.*install" "and the message says so"
exits 5 "one that fails is no success" env TROD_PROFDATA=false trod export --to=profdata -o x app.trod
ok "nothing is left behind" test ! -e x
for option in --at=code --wpp --online --burst --paths=app.trod; do
    # shellcheck disable=SC2086
    exits 2 "--counters and $option do not go together" $cc --counters $option -O2 -o x app.c
done

# --- lines ----------------------------------------------------------------------

trod export --to=sample -o app.sample plain.trod
is "$(sed -n '/^weigh:/,/^[a-z]*:.*/p' app.sample | head -n 1)" "weigh:155:10" "lines of a function, and how often it began"
is "$(grep -A 9 '^weigh:' app.sample | sed -n 's/^ \(.*\)/\1/p' | head -n 4 | tr '\n' ',')" "4: 55,5: 45,6: 45,8: 10," \
    "counted from the line that its name is on"
like "$(cat app.sample)" "^ [0-9]+: 10 weigh:10$" "calls are of whom they call"
ok "llvm-profdata reads it" llvm-profdata-19 merge --sample -o app.prof app.sample
like "$(llvm-profdata-19 show --sample app.prof)" "Function: weigh: 155, 10" "and says the same"
like "$(clang-19 -Wall -Werror -O2 -gline-tables-only -fprofile-sample-use=app.sample -S -emit-llvm -o - app.c)" \
    '"function_entry_count", i64 2' "clang takes it"
gcc -g -O1 -fno-inline -o emulated app.c
if why=$("$root/test/kit/emulator.sh"); then
    trod emulate -o emulated.trod ./emulated >out 2>&1
    like "$(trod export -q --to=sample emulated.trod)" "^weigh:[0-9]+:10$" "programs that were emulated have lines, too"
    like "$(trod export -q --to=sample emulated.trod | sed -n '/^weigh:/,/^[a-z]/p')" "^ 5: 45$" "counted the same way"
else
    skip "lines of programs that were emulated" "$why"
fi
# shellcheck disable=SC2086
$cc -O2 -o bare app.c && ./bare >out
exits 4 "without lines there is none" trod export --to=sample bare.trod
like "$(trod export --to=sample bare.trod 2>&1)" "build with -g" "and the message says what to do"

done_testing
