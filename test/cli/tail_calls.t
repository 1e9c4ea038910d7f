#!/bin/sh
# Recursion that needs no stack without trod needs none with it: tail calls stay jumps, into other units and through
# pointers.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >a.c <<'END'
#include <stdio.h>
long odd(long n, long sum);
long even(long n, long sum) { return n ? odd(n - 1, sum + 1) : sum; }

long behind_loop(long n, long sum);
long loop(long n, long sum)
{
    if (n & 4)
        sum += 2;
    if (n & 8)
        sum ^= 1;
    for (long i = 0; i < (n & 3); i++)
        sum += i;
    return n ? behind_loop(n - 1, sum) : sum;
}

struct machine { const unsigned char *pc; long sum, rounds; };
typedef long op(struct machine *);
op *table[3];
static long add(struct machine *m) { m->sum++; m->pc++; return table[*m->pc](m); }
static long again(struct machine *m)
{
    if (--m->rounds)
        m->pc -= m->pc[1];
    else
        m->pc += 2;
    return table[*m->pc](m);
}
static long stop(struct machine *m) { return m->sum; }
op *table[3] = {add, again, stop};

int main(void)
{
    static const unsigned char code[] = {0, 0, 1, 2, 2, 2};
    struct machine m = {code, 0, 100000};

    printf("%ld %ld %ld\n", even(300000, 0), loop(300000, 0), table[0](&m));
    return 0;
}
END
cat >b.c <<'END'
long even(long n, long sum);
long odd(long n, long sum) { return n ? even(n - 1, sum + 1) : sum; }
long loop(long n, long sum);
long behind_loop(long n, long sum)
{
    if (n & 32)
        sum += 3;
    if (n & 64)
        sum ^= 5;
    return n ? loop(n - 1, sum) : sum;
}
END
cat >a.cc <<'END'
#include <cstdio>
struct step { virtual long take(long n, long sum) = 0; };
extern step *other;
struct here : step {
    long take(long n, long sum) override
    {
        if (n & 8)
            sum ^= 1;
        return n ? other->take(n - 1, sum + 1) : sum;
    }
} ping;
step *mine = &ping;
int main() { std::printf("%ld\n", ping.take(300000, 0)); }
END
cat >b.cc <<'END'
struct step { virtual long take(long n, long sum) = 0; };
extern step *mine;
struct there : step {
    long take(long n, long sum) override { return n ? mine->take(n - 1, sum + 1) : sum; }
} pong;
step *other = &pong;
END

# runs NAME: with little stack, what it prints.
runs()
{
    # shellcheck disable=SC3045 # dash and bash have it
    (ulimit -s 256 && TROD_OUT="$1.trod" "./$1" 2>&1)
}

clang-19 -O2 a.c b.c -o plain
want=$(runs plain)
like "$want" '^300000 [0-9]+ 200000$' "the plain program needs no stack"

# keeps NAME OPTION...: the same, built by trod.
keeps()
{
    name=$1
    shift
    if trod cc "$@" a.c b.c -o "$name" 2>log; then
        is "$(runs "$name")" "$want" "$*"
    else
        is "$(cat log)" "" "$*"
    fi
}
keeps source -O2
keeps one -O1
keeps size -Os -g
keeps code --at=code -O2
keeps subpaths --subpaths -O2
keeps rounds --iterations=2 -O2
keeps limit --limit=2 -O2
keeps counters --counters -O2
keeps tested --tested=source.trod -O2
keeps untested --untested-only --tested=source.trod -O2
keeps chosen --paths=source.trod -O2
keeps online --online=f=2 -O2
keeps burst --burst=rate=1 -O2
keeps shared -O2 -fPIC -flto=thin -fuse-ld=lld

is "$(trod report --brief --exact --most=99 source.trod | awk '$4 == "even" { n += $3 } END { print n }')" 150001 \
    "every path is counted"
unlike "$(trod report --brief --exact source.trod)" 'did not finish' "all finish"

trod c++ -O2 a.cc b.cc -o virtual
is "$(runs virtual)" "$(clang++-19 -O2 a.cc b.cc -o plain && runs plain)" "virtual calls"
done_testing
