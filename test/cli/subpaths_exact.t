#!/bin/sh
# All block sequences of a trace: exact counts, errors, partial results, stops, and a sample of the same trace.
# shellcheck disable=SC2016 # Perl stands in single quotes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# trace TEXT...: each is a thread and its blocks, '-' for a gap: a chunk.
trace() {
    perl -e 'binmode STDOUT; for (@ARGV) { my ($t, @b) = split; print pack "V*", 0x4b4c4254, $t, scalar @b, 0, map { $_ eq "-" ? 0xffffffff : $_ } @b }' -- "$@"
}
trace '0 1 2 3 1 2 3 1 2' '7 1 2' '0 3 9 - 1 2' '7 3' >small.blocks

is "$(trod sample subpaths --exact --lengths=3 small.blocks)" "# small.blocks: all subpaths of 15 blocks, 2 threads, 1 gap
rank  count  share  length  path
   1      8  88.9%       3  1 2 3
   2      1  11.1%       3  2 3 9

length  subpaths  sequences  different
     3         9          4          2" "rotations are one, threads and what a gap parts are not"
is "$(trod sample subpaths --exact --lengths=3 --identity=sequence --most=1 small.blocks | sed -n 3p)" \
    "   1      4  44.4%       3  1 2 3" "sequences, of all threads together"
is "$(trace '0 1 2 2 3 1 4 4 3' | trod sample subpaths --exact --lengths=4 --identity=xor | sed -n 3p)" \
    "   1      4  80.0%       4  1 2 2 3" "exclusive ors merge what the thesis says they merge"
is "$(trod sample subpaths --exact --lengths=2,3 --weight=9 --most=1 small.blocks | sed -n 3p)" \
    "   1      8  88.9%       3  1 2 3" "weights rank"
is "$(trod sample subpaths --exact <small.blocks 2>&1 | head -n 1)" "# <stdin>: all subpaths of 15 blocks, 2 threads, 1 gap" "standard input"
is "$(trod sample subpaths --exact --lengths=2-4,8 small.blocks | awk '$1 == "length" { on = 1; next } on { printf "%s ", $1 }')" "2 3 4 8 " "ranges of lengths"
is "$(trod sample subpaths --exact --check small.blocks)" "$(trod sample subpaths --exact small.blocks)" "checked"
is "$(trod sample subpaths --exact --lengths=2 --stops=4 small.blocks | grep -c '^# .*: after')" 3 "stops after every 4 of 15 blocks"
is "$(trod sample subpaths --exact --lengths=2 --stops=50% small.blocks | sed -n 1,3p)" "# small.blocks: after 8 blocks
rank  count  share  length  path
   1      3  42.9%       2  1 2" "half of it"

exits 2 "a length of 1" trod sample subpaths --exact --lengths=1 small.blocks
exits 2 "a length that is not a number" trod sample subpaths --exact --lengths=two small.blocks
exits 2 "no memory" trod sample subpaths --exact --memory=0 small.blocks
exits 2 "memory in parsecs" trod sample subpaths --exact --memory=1p small.blocks
exits 2 "a share of what is not known" trod sample subpaths --exact --stops=10% -- true
exits 2 "a seed for nothing" trod sample subpaths --exact --seed=1 small.blocks
exits 2 "a sampler with no such option" trod sample subpaths --exact --sample=g=1 small.blocks
exits 3 "an empty trace" trod sample subpaths --exact /dev/null
exits 3 "a program that writes no blocks" trod sample subpaths --exact -- true
exits 5 "a program that is not there" trod sample subpaths --exact -- ./not-there
exits 5 "a file that is not there" trod sample subpaths --exact not-there
exits 3 "too little memory" trod sample subpaths --exact --memory=20k small.blocks
like "$(trod sample subpaths --exact -- true 2>&1)" "true wrote no blocks; compile it with 'trod cc --online'" "why not"

# Nothing partial passes for the whole.
head -c 60 small.blocks >cut.blocks
exits 3 "a trace that was cut off" trod sample subpaths --exact cut.blocks
like "$(trod sample subpaths --exact cut.blocks 2>&1)" "the last 12 bytes are not a whole chunk: the end is missing" "is named"
is "$(trod sample subpaths --exact --partial --lengths=2 cut.blocks 2>&1 | head -n 1)" "trod: note: cut.blocks: the end is missing, from block 8 on" "or noted"
perl -e 'binmode STDOUT; for (1 .. 300) { print pack "V*", 0x4b4c4254, 0, 500, 0, map { $x = ($x * 16807 + 11) % 2147483647; $_ % 5 < 3 ? $_ % 5 : 10 + $x % 40 } 1 .. 500 }' >large.blocks
exits 3 "a table that is full" trod sample subpaths --exact --memory=1m large.blocks
like "$(trod sample subpaths --exact --memory=1m large.blocks 2>&1)" "blocks were counted, and [0-9]* different subpaths found; then there was no space for more in 1048576 bytes" \
    "how far it came"
is "$(trod sample subpaths --exact --memory=1m large.blocks 2>/dev/null)" "" "and no result"
like "$(trod sample subpaths --exact --partial --memory=1m large.blocks 2>&1 >out)" "note: partial: .* up to [0-9]* times more often than printed" "a partial result says so"
is "$(sed -n 1,7p out)" "$(trod sample subpaths --exact large.blocks | sed -n 1,7p)" "of what is hot it misses nothing"

# A program that writes blocks as one built with --online does.
cat >writes <<'END'
#!/bin/sh
fd=${TROD_BLOCKS#fd:}
cat small.blocks >&"$fd"
exit "$1"
END
chmod +x writes
exits 3 "no trace" trod sample subpaths --exact writes
is "$(trod sample subpaths --exact --lengths=3 -- ./writes 0 | sed 's/ .*writes:/ small.blocks:/')" "$(trod sample subpaths --exact --lengths=3 small.blocks)" "a program's blocks, through a pipe"
like "$(trod sample subpaths --exact -- ./writes 3 2>&1)" "note: ./writes ended with status 3" "its status is noted"

# The sampler and all of it, of the same trace: over seeds, estimates are right on average, and bounds hold.
perl -e 'binmode STDOUT; for (1 .. 200) { print pack "V*", 0x4b4c4254, $_ % 2, 1000, 0, map { $x = ($x * 16807 + 11) % 2147483647; $x % 50 ? $_ % 4 : 9 } 1 .. 1000 }' >sampled.blocks
if perl -MJSON::PP -e 1 2>/dev/null; then
    query() { perl -MJSON::PP -e 'local $/; $_ = decode_json(<STDIN>); print '"$1"; }

    trod sample subpaths --exact --json --stops=25% --most=3 --sample=f=64 sampled.blocks >out
    is "$(query '"$_->{trod} $_->{version} $_->{blocks} $_->{collisions} $_->{too_low}"' <out)" "sample subpaths 1 200000 0 0" "JSON parses"
    is "$(query 'join " ", map { $_->{blocks} } @{$_->{stops}}' <out)" "50000 100000 150000 200000" "stops"
    is "$(query 'scalar grep { $_->{sample}{samples} } @{$_->{stops}}' <out)" 4 "the sample at each"
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
        trod sample subpaths --exact --json --most=100 --sample=f=64 --seed=$seed sampled.blocks
    done >seeds
    perl -MJSON::PP -e '
        my ($json, $held, $all, $sum, $variance) = (JSON::PP->new, 0, 0, 0, 0);
        local $/; $json->incr_parse(<STDIN>);
        while (my $run = $json->incr_parse) {
            my %sampled = map { ("@{$_->{blocks}}" => $_) } @{$run->{sample}{rows}};
            # Chosen for what is true of them: chosen for their estimates, they would be those that are too high.
            for my $row (@{$run->{rows}}[0 .. 5]) {
                my $found = $sampled{"@{$row->{blocks}}"} or next;
                my $error = $found->{estimate} / $row->{count} - 1;
                $all++;
                $held++ if abs($error) <= $found->{bound};
                $sum += $error;
                $variance += (1 + $error) / $found->{samples};
            }
        }
        printf "%s %s %s\n", $all, $held / $all >= 0.95 ? "held" : "bounds held in $held of $all", abs($sum) <= 4 * sqrt($variance) ? "unbiased" : "mean error " . $sum / $all' <seeds >found
    is "$(cat found)" "144 held unbiased" "over 24 seeds, bounds hold and estimates are right on average"
fi

# Programs that are built for it. With every block a start and one length, what is sampled is all there is: the two ways
# to the same counts share nothing but the emitted code.
if command -v clang-19 >/dev/null && [ -e "$root/build/$TROD_CONFIG/trod-llvm.so" ]; then
    cat >walk.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int leaf(int x) { return x % 3 ? 2 * x : x + 1; }
int (*volatile pointer)(int) = leaf;

static int two(int x)
{
    if (x & 4)
        return pointer(x);
    return pointer(x) + pointer(x + 1);
}

static void *work(void *p)
{
    long s = 0;

    for (int i = 0; i < 300; i++) {
        if (i % 2)
            s += two(i);
        else if (i % 7 == 3)
            s ^= i;
        for (int k = 0; k < i % 5; k++)
            s += pointer(k) & 1;
    }
    *(volatile long *)p = s;
    return p;
}

int main(void)
{
    pthread_t t[2];
    long s[3];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, &s[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    if (fork() == 0) {
        work(&s[2]);
        exit(0);
    }
    wait(NULL);
    work(&s[2]);
    return s[0] + s[1] + s[2] == 1;
}
END
    ok "a program is built" trod cc --online -O2 -g -o walk walk.c -lpthread
    TROD_BLOCKS=walk.blocks TROD_OUT=traced.%p.trod ./walk
    profile=$(echo traced.*.trod | cut -d ' ' -f 1)
    is "$(trod sample subpaths --exact -- ./walk | sed 1d)" "$(trod sample subpaths --exact walk.blocks "$profile" | sed 1d)" "a file and a pipe have the same, with names"
    like "$(trod sample subpaths --exact walk.blocks "$profile")" "4 threads, 0 gaps" "threads of a child are its own"
    like "$(trod sample subpaths --exact walk.blocks "$profile")" "leaf .* | work" "functions are named"
    exits 3 "names from a file that is not a profile" trod sample subpaths --exact small.blocks walk.blocks
    trace '0 1000000 1000001' >foreign.blocks
    like "$(trod sample subpaths --exact foreign.blocks "$profile" 2>&1)" "note: $profile: blocks of foreign.blocks that it does not have are printed as numbers" "blocks of another program"
    if perl -MJSON::PP -e 1 2>/dev/null; then
        counts() { perl -MJSON::PP -e 'local $/; my $r = decode_json(<STDIN>); print "$_->{count} $_->{subpath}\n" for @{$r->{rows} || $r->{programs}[0]{subpaths}}' | sort; }
        for length in 2 3 8 13; do
            rm -f sampled.*.trod
            TROD_ONLINE=f=1,lengths=$length:1,memory=1m,most=10000000,ones=text TROD_OUT=sampled.%p.trod ./walk
            trod sample subpaths --json --blocks --most=100000 sampled.*.trod | counts >sampled
            trod sample subpaths --exact --json --blocks --most=100000 --lengths=$length walk.blocks "$profile" | counts >counted
            ok "length $length: with every block a start, samples are all there is" cmp sampled counted
        done
    fi
fi

done_testing
