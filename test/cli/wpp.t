#!/bin/sh
# Recorded steps: those of a program with all kinds of calls are exact; threads and profiles are added.
# shellcheck disable=SC2016 # Perl stands in single quotes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >walk.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static jmp_buf there;

static int cmp(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int leaf(int x)
{
    if (x % 3 == 0)
        return x + 1;
    return 2 * x;
}

static int mid(int x)
{
    int s = 0;

    for (int i = 0; i < x; i++)
        s += leaf(i);
    return s;
}

static void jump(int x)
{
    if (x > 1)
        longjmp(there, 1);
}

static int fact(int n)
{
    return n < 2 ? 1 : n * fact(n - 1);
}

static int (*volatile pointer)(int) = leaf;

static void handler(int s)
{
    leaf(s);
}

static void *run(void *p)
{
    mid(2);
    return p;
}

int main(int argc, char **argv)
{
    int v[] = {3, 1};
    pthread_t t;

    (void)argv;
    qsort(v, 2, sizeof *v, cmp);
    mid(argc + 1);
    fact(3);
    pointer(7);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    if (setjmp(there) == 0)
        for (int i = 0; i < 3; i++)
            jump(i);
    if (argc > 1) {
        pthread_create(&t, NULL, run, NULL);
        pthread_join(t, NULL);
    }
    return 0;
}
END
ok "a program that records its steps" trod cc --wpp -O1 -g -pthread -o walk walk.c
TROD_OUT=one.trod ./walk
TROD_OUT=two.trod ./walk x

# Ids are as the graphs are; names and order are not.
names() { sed -e '/^wpp/d' -e '/^function/d' -e 's/:[0-9]*//g' | tr '\n' ' ' | sed 's/ $//'; }

is "$(trod calls steps --expand one.trod | names)" "( main [ cmp ] ( ) main ( mid ( leaf ) mid mid ( leaf ) mid mid ) main ( fact ( fact ( fact ) fact ) fact ) main ( leaf ) main ( ) main [ handler ( leaf ) handler ] ( ) main main ( jump ) main main ( jump ) main main ( jump ( )! )! main )" \
    "the steps are those that it made"
ok "steps are sound, and read as they are printed" sh -c 'trod calls steps --expand one.trod >steps && trod calls steps steps >again && cmp steps again'
is "$(trod calls steps --expand --most=3 one.trod | names)" "( main [ # ... and more" "no more steps than asked for"
is "$(trod calls segments --check one.trod)" "$(trod calls steps --expand one.trod | trod calls segments | sed 's/^segments [a-z]*/segments walk/')" \
    "segments of a profile are those of its steps"
is "$(trod calls segments --depth=3 one.trod)" "$(trod calls steps --expand one.trod | trod calls segments --depth=3)" "the same, deeper"
like "$(trod calls segments --names one.trod)" '
      mid  loop 24 24:T calls leaf 25
        leaf  entry 14:F return 17
      mid  after leaf 25 again 24' "a segment is printed with lines, with nested calls"
is "$(trod calls segments --names --most=2 one.trod | grep -c %)" 2 "no more of them than asked for"
is "$(trod calls segments one.trod | trod calls segments --names --binary=walk)" "$(trod calls segments --names one.trod)" \
    "segments in a text file are printed with the given program"

like "$(trod calls steps two.trod)" 'two.trod  walk         0 .*
two.trod  walk         1 ' "threads are apart"
like "$(trod calls steps --expand two.trod)" '^wpp walk.0
.*
wpp walk.1' "and so are their steps"
count() { trod calls segments "$@" | sed -n 's/^\([0-9]*\) .*/\1/p' | paste -sd+ | bc; }
command -v bc >/dev/null && {
    both=$(count one.trod two.trod)
    is "$both" "$(($(count one.trod) + $(count two.trod)))" "segments of several profiles are added up"
}
like "$(trod calls steps --hot=2 one.trod)" 'walk: what repeats, .*
# 2 of [0-9]* paths that ran, .* blocks in all
' "hot rules and subpaths"
like "$(trod calls steps --grammar one.trod)" '^grammar walk
R0: main:0 cmp:0 ' "the grammar has subpaths"

cp walk walk.too
trod cc --wpp -O1 -g -pthread -DOTHER -o walk walk.c
cp walk.too other
exits 0 "a program that is named" trod calls steps --hot --binary=other one.trod
cp other walk

exits 4 "merge refuses" trod merge one.trod two.trod
like "$(trod merge one.trod two.trod 2>&1)" "trod calls steps" "and says what to do"
exits 2 "--most without --expand" trod calls steps --most=3 one.trod
exits 5 "a missing file" trod calls steps missing.trod
exits 3 "no profile" trod calls steps walk.c

# A bound on symbols makes parts; one on the file, steps that are given up.
TROD_SYMBOLS=16 TROD_OUT=parts.trod ./walk
is "$(trod calls steps --expand parts.trod)" "$(trod calls steps --expand one.trod)" "parts hold the same steps"
like "$(trod calls steps parts.trod)" ' walk  .* [2-9]  ' "and there are some"

if perl -MJSON::PP -e 1 2>/dev/null; then
    query() { perl -MJSON::PP -e 'local $/; $_ = decode_json(<STDIN>); print '"$1"; }

    is "$(trod calls steps --json two.trod | query '"$_->{trod} $_->{version} " . @{$_->{threads}}')" "calls steps 1 2" "JSON parses"
    is "$(trod calls steps --json --expand one.trod | query 'join " ", map { ref $_ ? $_->{function} : $_ } @{$_->{threads}[0]{steps}}[0 .. 6]')" \
        "call main interruption cmp resume call return" "steps"
    is "$(trod calls steps --json --hot one.trod | query '$_->{threads}[0]{hot}[0]{first}[0]{function} ? "yes" : "no"')" yes "hot rules"
    is "$(trod calls steps --json --hot one.trod | query '$_->{subpaths}{hot}[0]{path} ? "yes" : "no"')" yes "hot subpaths"
    is "$(trod calls steps --json --grammar one.trod | query '$_->{threads}[0]{grammar}[0][0][0]{function}')" main "a grammar"
    is "$(trod calls segments --json --names one.trod | query '$_->{wpps}[0]{segments}[0]{steps}[0]{path} ? "yes" : "no"')" yes "segments in words"
    is "$(trod calls segments --json one.trod | query '$_->{given}')" 0 "nothing was given up"
else
    skip "JSON" "perl has no JSON::PP"
fi

done_testing
