#!/bin/sh
# Methods, calls and trip counts of programs that count in bursts. One burst for the whole run gives exact counts, short
# bursts give estimates near them. Callees of indirect calls have names. Profiles of threads, children, killed programs
# and libraries are readable, and the second reader agrees.
# shellcheck disable=SC2016 # Perl stands in single quotes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'END'
#include <stdio.h>
#include <stdlib.h>

typedef int (*op)(int);

static __attribute__((noinline)) int add(int x)
{
    return x + 3;
}

__attribute__((noinline)) int mul(int x)
{
    return x * 3;
}

op ops[3] = {add, mul, abs};

__attribute__((noinline)) int rounds(unsigned n)
{
    volatile int k = 0;

    while (n > 1) {
        n /= 2;
        k++;
    }
    return k;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6000;
    volatile long sum = 0;

    for (int i = 0; i < n; i++) {
        sum += rounds(i % 16);
        for (int j = 0; j < i % 4; j++)
            sum += ops[j](j);
    }
    printf("%ld\n", sum);
    return 0;
}
END
cc=$root/build/release/trod # The plugin is of no configuration with sanitizers.
"$cc" cc --burst -g -O2 app.c -o app || exit 1
plain=$(gcc -O2 app.c -o plain && ./plain)

# rows COMMAND PROFILE: what trod sample COMMAND prints, without the head.
rows() { trod sample "$@" | grep -v '^#' | sed -e 1d -e 's/^ *[0-9.]*% *[0-9.]*% *//' -e 's/  */ /g'; }

# --- exact ---------------------------------------------------------------------------

is "$(TROD_BURST=trigger=always TROD_OUT=full.trod ./app)" "$plain" "the same output"
is "$(rows functions full.trod)" "13500 6000 7500 rounds app.c
10500 1 10499 main app.c
4500 4500 0 add app.c
3000 3000 0 mul app.c" "methods are exact"
is "$(rows calls full.trod)" "6000 main app.c:35:16 -> rounds
4500 main app.c:37:20 -> add (indirect)
3000 main app.c:37:20 -> mul (indirect)
1500 main app.c:37:20 -> elsewhere (indirect)
1 main app.c:39:5 -> printf" "calls are exact, and callees of indirect calls have names"
is "$(rows calls --graph --function=m* full.trod | tail -n 1)" "1 main app.c -> printf" "pairs are"
is "$(rows loops full.trod)" "12750 5250 2.4 1 rounds loop 0 app.c:23 trips 1:750 2-3:4500
9000 4500 2.0 2 main loop 1 app.c:37 trips 1:1500 2-3:3000
6000 1 6000.0 1 main loop 0 app.c:35 trips 4096-8191:1" "trips are"
like "$(trod report --brief --exact full.trod)" '^# one burst from beginning to end' "the report says that all was counted"
like "$(trod report --brief --exact full.trod)" ', 31500 times in all' "and how often"
unlike "$(trod report --brief --exact full.trod)" '~|=[0-9]{15}' "it has no estimates and no events"
like "$(trod check full.trod)" 'sound; .*paths: 14, events: 2[0-9]' "it is sound"

# --- estimates ------------------------------------------------------------------------

is "$(TROD_BURST=rate=10,seed=1 TROD_OUT=some.trod ./app)" "$plain" "the same output in bursts"
like "$(trod report --brief --exact some.trod)" '^# bursts by count, jitter; of events, paths 1 in 10,' "the report says how"
like "$(trod report --brief --exact some.trod)" ' ~[0-9]+0  rounds =0' "and that counts are estimates"
like "$(trod sample functions some.trod)" '~[0-9.k]+ +~[0-9.k]+ +~[0-9.k]+  rounds  app.c' "methods are estimates"
for kind in paths functions calls graph loops; do
    ok "most of $kind is in both" trod overlap --kind=$kind --min=85 full.trod some.trod
done
exits 2 "what is compared has a name" trod overlap --kind=most full.trod some.trod
near=$(trod sample functions --json some.trod | perl -0ne '
    my %want = (rounds => 13500, main => 10500, add => 4500, mul => 3000);
    while (/"function": "(\w+)".*?"count": (\d+),\s*"share": [\d.e-]+,\s*"error": ([\d.e-]+)/sg) {
        my ($name, $count, $error) = ($1, $2, $3);
        print "$name: $count, not within three of $error\n"
            if abs($count - $want{$name}) > 2.5 * $error * $want{$name} + 100;
    }')
is "$near" "" "they are as near as their errors say"
is "$(TROD_BURST=types=methods,rate=10 TROD_OUT=one.trod ./app >said && trod sample calls one.trod 2>&1 | cut -c1-38)" \
    "trod: 'app' was not sampled for calls;" "what was not sampled is not nothing"

# --- the form of profiles ---------------------------------------------------------------

trod merge -o packed.trod full.trod
is "$(trod show packed.trod)" "$(trod show full.trod)" "packed it is the same"
is "$(trod show packed.trod | trod sample calls --text -)" "$(trod sample calls --text full.trod)" "as text it is the same"
trod merge -q -o twice.trod full.trod full.trod
is "$(rows calls twice.trod | head -n 1)" "12000 main app.c:35:16 -> rounds" "merged it is twice as much"
trod sample functions --text full.trod >full.bursts
is "$(trod sample loops full.bursts)" "$(trod sample loops full.trod)" "what is printed is read"
like "$(trod run ./app 2>&1)" '^# bursts by count' "'trod run' reports on it"
if command -v python3 >said && command -v zstd >said; then
    for profile in full some one packed twice; do
        is "$(python3 "$root/tools/trod-read.py" $profile.trod)" "$(trod show $profile.trod)" \
            "the second reader agrees on $profile"
    done
fi

# --- names ---------------------------------------------------------------------------------

cp app stripped
"$cc" split -o app.map app
strip stripped
is "$(trod sample calls --binary=app.map full.trod)" "$(trod sample calls full.trod)" \
    "names of functions come from where the program ran, all others from the map"
cp app elsewhere
mv app moved
like "$(trod sample calls --binary=app.map full.trod)" '4500  main  app.c:37:20 -> \+0x[0-9a-f]+ \(indirect\)' \
    "without the program, offsets"
is "$(trod sample calls --binary=elsewhere full.trod)" "$(trod sample calls --text full.trod --binary=elsewhere >b && trod sample calls b)" \
    "a program that is named is as good"
mv moved app

# --- libraries, threads, children, the killed -------------------------------------------------

cat >lib.c <<'END'
static __attribute__((noinline)) int inside(int x)
{
    return x + 1;
}
static __attribute__((noinline)) int beside(int x)
{
    return x - 1;
}
int (*volatile choice[2])(int) = {inside, beside};
int libcall(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += choice[i % 2](i);
    return sum;
}
END
cat >user.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int libcall(int n);
static void *work(void *n)
{
    libcall(*(int *)n);
    return 0;
}
int main(int argc, char **argv)
{
    pthread_t thread[3];
    int n = 1000;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], 0, work, &n);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], 0);
    if (argc > 1 && !fork()) {
        libcall(100);
        _exit(0);
    }
    if (argc > 1)
        wait(0);
    if (argc > 2)
        raise(SIGKILL);
    return 0;
}
END
"$cc" cc --burst=trigger=always -g -O1 -fPIC -shared lib.c -o libl.so &&
    "$cc" cc --burst=trigger=always -g -O1 -pthread user.c -L. -ll -Wl,-rpath,"$PWD" -o user || exit 1
TROD_OUT='user.%p.%m.trod' ./user
calls=$(trod sample calls --function=libcall user.*.trod)
like "$calls" ' 1500  libcall  lib.c:14:16 -> inside \(indirect\)' "a library's functions are named, over all threads"
like "$calls" ' 1500  libcall  lib.c:14:16 -> beside \(indirect\)' "all of them"
like "$calls" ' 3  work  user.c:9:5 -> libcall' "and so is its caller"
rm user.*.trod
TROD_OUT='user.%p.%m.trod' ./user child killed
like "$(trod sample calls --function=libcall user.*.trod)" ' 1550  libcall  lib.c:14:16 -> inside' \
    "what a child did is there, and what the killed did"
like "$(trod check user.*.trod)" 'sound, still running or killed; .*events: [1-9]' "its profile is sound"

cat >cxx.cpp <<'END'
struct shape {
    virtual ~shape() {}
    virtual int area() const = 0;
};
struct square : shape {
    int side;
    explicit square(int n) : side(n) {}
    __attribute__((noinline)) int area() const override { return side * side; }
};
__attribute__((noinline)) static int sum(const shape *const *s, int n)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all += s[i]->area();
    return all;
}
int main()
{
    square a(1), b(2);
    const shape *all[] = {&a, &b, &a};
    return sum(all, 3) == 6 ? 0 : 1;
}
END
"$cc" c++ --burst=trigger=always -g -O1 cxx.cpp -o cxx && TROD_OUT=cxx.trod ./cxx
like "$(trod sample calls cxx.trod)" ' 3  sum\(.*\)  cxx.cpp:14:22 -> square::area\(\) const \(indirect\)' \
    "virtual functions are named"

# --- references --------------------------------------------------------------------------------

"$cc" cc --burst=types=methods+streams,trigger=always -g -O1 app.c -o refs && TROD_OUT=refs.trod ./refs 100 >said
like "$(trod check refs.trod)" 'sections of references: [1-9]' "references are seen"
like "$(trod merge -o refs.packed refs.trod 2>&1)" "refs.trod: references are omitted" "and left out of what is merged"
like "$(trod check refs.packed)" 'packed, sound' "which is sound"
done_testing
