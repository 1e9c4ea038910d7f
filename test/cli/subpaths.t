#!/bin/sh
# Hot block sequences of programs that sample blocks. If a sample begins at every block, counts are exact; if at few,
# estimates are within their bounds. Threads and runs are merged; lines, decisions and iterations are printed.
# shellcheck disable=SC2016 # Perl stands in single quotes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static unsigned hash(const char *s)
{
    unsigned h = 5381;

    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h;
}

__attribute__((noinline)) static int odd(unsigned h)
{
    if (h & 1)
        return 1;
    if (h % 3 == 0)
        return 2;
    return 0;
}

static volatile long total;

static void *work(void *n)
{
    long sum = 0;
    char text[8] = "abc";

    for (long i = 0; i < *(long *)n; i++) {
        text[0] = (char)('a' + i % 26);
        sum += odd(hash(text));
    }
    total += sum;
    return NULL;
}

int main(int argc, char **argv)
{
    long n = atol(argv[1]), nthread = argc > 2 ? atol(argv[2]) : 0;
    pthread_t thread[16];

    for (long i = 0; i < nthread; i++)
        pthread_create(&thread[i], NULL, work, &n);
    work(&n);
    for (long i = 0; i < nthread; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
END
# The plugin is of no configuration with sanitizers.
"$root/build/release/trod" cc --online -g -O2 -pthread app.c -o app || exit 1

# query PERL: the value of an expression on the JSON that comes in; nothing without JSON::PP.
query() { perl -MJSON::PP -e 'local $/; $_ = decode_json(<STDIN>)->{programs}[0]; print '"$1"; }
perl -MJSON::PP -e 1 2>/dev/null || { echo "1..0 # SKIP perl has no JSON::PP"; exit 0; }

every=f=1,most=1000000000,memory=1m,ones=text,identity=sequence

# --- all is counted ---------------------------------------------------------------------------

TROD_OUT=two.trod TROD_ONLINE=$every,lengths=2:1 ./app 1000
exits 0 "a profile with samples is sound" trod check two.trod
like "$(trod check two.trod)" "samplers: 1, samples: [0-9]+" "trod check says how many samples there are"
trod sample subpaths --json --most=1000 two.trod >two.json
# In each iteration: a block of the loop, hash's first, three of its loop, its last, odd's first and last.
blocks=$(query '$_->{blocks}' <two.json)
ok "an iteration has eight blocks ($blocks ran)" test "$blocks" -ge 8000
ok "and there is not much else" test "$blocks" -le 8020
is "$(query '$_->{samples} - eval join "+", map { $_->{count} } @{$_->{subpaths}}' <two.json)" 0 \
    "where every block is a start, counts are true"
is "$(query 'join " ", map { $_->{count} } grep { $_->{subpath} =~ /^hash \(\d+\)x2$/ }
    @{$_->{subpaths}}' <two.json)" 2000 "two iterations of a loop of three blocks"

TROD_OUT=eight.trod TROD_ONLINE=$every,identity=rotation,lengths=8:1 ./app 1000
first=$(trod sample subpaths eight.trod | sed -n 3p)
like "$first" ' 8  main [#0-9]+ \| hash \([0-9]+\)x4 [0-9]+ \| odd [0-9]+ [0-9]+$' \
    "an iteration as printed: $first"
like "$(trod sample subpaths --blocks eight.trod | sed -n 3p)" 'hash #0 \(#1\)x3 #2 \| odd #0 #[12]$' "the same by blocks"
like "$(trod report --brief eight.trod | sed -n 3p)" 'hash ' "trod report --brief prints block sequences, too"
like "$(trod sample subpaths --function=odd eight.trod | sed -n 3p)" ' odd ' "subpaths through a function"
is "$(trod sample subpaths --function=nobody eight.trod | sed -n '3,$p' | grep -c -v '^#')" 0 "and through one that is not there"

# --- few are seen -------------------------------------------------------------------------------

TROD_OUT=true.trod TROD_ONLINE=$every,identity=rotation,lengths=4:1 ./app 300000
TROD_OUT=some.trod TROD_ONLINE=f=64,seed=7,lengths=4:1,memory=64k ./app 300000
trod sample subpaths --json --most=1000 true.trod >true.json
trod sample subpaths --json --most=5 some.trod >some.json
is "$(query 'scalar @{$_->{subpaths}}' <some.json)" 5 "the five hottest"
for i in 0 1 2 3 4; do
    name=$(query "\$_->{subpaths}[$i]{subpath}" <some.json)
    is "$(query "join ' ', map { \$_->{count} } @{\$_->{subpaths}}[$i]" <some.json |
        N="$name" E="$(query "\$_->{subpaths}[$i]{error}" <some.json)" perl -MJSON::PP -e '
        my $estimate = <STDIN>;
        open my $file, "<", "true.json" or die; local $/;
        my ($true) = map { $_->{count} } grep { $_->{subpath} eq $ENV{N} }
            @{decode_json(<$file>)->{programs}[0]{subpaths}};
        print abs($estimate - $true) <= $ENV{E} * $estimate ? "within" : "$estimate, not $true, within $ENV{E}"')" \
        within "estimate $((i + 1)) is as near as it says: $name"
done

# --- threads and runs ------------------------------------------------------------------------------

TROD_OUT=threads.trod TROD_ONLINE=$every,lengths=2:1 ./app 1000 3
trod sample subpaths --json --most=1 threads.trod >threads.json
# One that has ended hands its sampler on.
like "$(query '$_->{samplers}' <threads.json)" '^[1-4]$' "samplers of four threads"
trod sample subpaths --json --most=1 two.trod two.trod two.trod two.trod >four.json
is "$(query '$_->{subpaths}[0]{count}' <threads.json)" "$(query '$_->{subpaths}[0]{count}' <four.json)" \
    "four threads have what four runs have"
trod merge -q -o all.trod two.trod two.trod two.trod two.trod
is "$(trod sample subpaths --json --most=1 all.trod)" "$(cat four.json)" "merged into one file it is the same"
is "$(trod sample subpaths --text all.trod | trod sample subpaths --binary=app)" "$(trod sample subpaths --binary=app all.trod)" \
    "and in text"

# --- while it runs ------------------------------------------------------------------------------------

# With little room, and all counts halved again and again, places are used for others all the time.
TROD_OUT=busy.trod TROD_ONLINE=memory=8k,f=16,most=500,age=200,ones=text ./app 100000000 2 &
pid=$!
torn=0 i=0
while [ $i -lt 100 ] && ! trod sample subpaths busy.trod 2>/dev/null | grep -q '^ *1 '; do
    i=$((i + 1))
    sleep 0.1
done
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    trod check busy.trod >"now.$i" 2>&1 || torn=$((torn + 1))
done
kill -9 $pid
is "$torn" 0 "a file that changes while it is read is sound"
exits 0 "and so it is when the program was killed" trod check busy.trod
like "$(trod sample subpaths busy.trod)" "blocks ran, about, of late$" "the report covers recent blocks"

# --- errors and notes -------------------------------------------------------------------------------

exits 4 "paths that were not counted cannot be compared" trod diff --brief two.trod two.trod
exits 4 "nor listed" trod set list two.trod
exits 4 "nor said to cover anything" trod coverage two.trod
exits 2 "nor sorted as paths" trod report --brief --sort=file two.trod
TROD_OUT=never.trod TROD_ONLINE=f=never ./app 1000
exits 0 "a program that skips everything leaves a sound profile" trod check never.trod
like "$(trod sample subpaths never.trod)" "^# 0 of 0 subpaths" "with nothing in it"
like "$(trod run ./app 100000)" " hash " "trod run prints block sequences"
# The second reader knows what the first does.
if python3 -c 1 2>/dev/null; then
    for profile in two threads eight all; do
        is "$(python3 "$root/tools/trod-read.py" $profile.trod)" "$(trod show $profile.trod)" \
            "the other reader agrees on $profile.trod"
    done
fi

done_testing
