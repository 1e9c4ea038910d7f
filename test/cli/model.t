#!/bin/sh
# Models of a path profiler: statuses, traces and pipes, JSON that parses, tables that agree.
# shellcheck disable=SC2016 # Perl stands in single quotes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# A loop of 12 bits, by a counter in Perl: 4096 paths of 12 branches, each as often as the next.
perl -e '
    print "branches loop\n";
    for my $i (0 .. 11) {
        printf "code %d 0x%x 0x%x 0x%x 1 if 0x%x\n", 2 * $i, 16 * $i, 16 * $i, 16 * $i + 4, 16 * $i + 16;
        printf "code %d 0x%x 0x%x 0x%x 3 none\n", 2 * $i + 1, 16 * $i + 4, 16 * $i + 12, 16 * $i + 16;
    }
    print "code 24 0xc0 0xc0 0xc4 1 if 0x0\n";
    for my $n (0 .. 4095) {
        for my $i (0 .. 11) {
            my $taken = $n >> $i & 1;
            printf "run 0 %d 0x%x\n", 2 * $i, 16 * $i + ($taken ? 16 : 4);
            printf "run 0 %d 0x%x\n", 2 * $i + 1, 16 * $i + 16 if !$taken;
        }
        print "run 0 24 0x0\n";
    }
    print "end 0\n"' >loop
mkdir folder
echo 'control own' >own
echo 'call: jump' >bad

exits 0 "done" trod hw model loop
exits 0 "done, with a check" trod hw model --check loop
exits 0 "a register in a file" trod hw model --control=own loop
exits 2 "an unknown option" trod hw model --frobnicate loop
exits 2 "a table that cannot be" trod hw model --table=3x2 loop
exits 2 "a line that is none" trod hw model --set=back loop
exits 2 "a percentage beyond all" trod hw model --phases --least=101 loop
exits 2 "a window of nothing" trod hw model --window=0 loop
exits 3 "a register that is none" trod hw model --control=bad loop
exits 3 "a stream that is none" trod hw model own
exits 5 "a missing file" trod hw model missing
exits 5 "a missing register" trod hw model --control=missing loop
exits 3 "a folder without profiles" trod hw model folder

like "$(trod hw model loop)" "4096 paths ran 4096 times; 4096 popped" "every path of a loop is distinguished"
like "$(trod hw model --set='split: 8' loop)" "288 paths ran 8192 times; 4096 popped, 4096 split" \
    "paths that are split are fewer: 256 first parts, and 16 others from each of two blocks"
is "$(trod hw model --most=1 loop | tail -n 1)" "          1   0.02%              1     13 0x0 NNNNNNNNNNNNT" \
    "of equals, the first in the stream is printed first"
like "$(trod hw model --from=31 --to=62 loop)" ": 16 runs, 9 branches, 30 instructions" "a part of a stream is its own"
is "$(trod hw model - <loop)" "$(trod hw model loop)" "standard input is the same"
trod hw trace --trace -o loop.trace loop
is "$(trod hw model loop.trace)" "$(trod hw model loop)" "a trace is the same as its text"
like "$(trod hw model --table=4096x1,lfu,xor loop)" "100\.00% .* 4096x1,lfu,xor" \
    "of one start, exclusive or tells all outcomes apart"
like "$(trod hw model --table=4096x1,lfu,address loop)" " 0\.02% .* 4096x1,lfu,address" "the address none"

# What is printed as text is printed as JSON, and JSON parses.
trod hw model --json --spread --phases=5000 --grammar --table=16x4,lfu,xor --table=16x4,admit,skew loop >out.json
is "$(perl -MJSON::PP -e '
    local $/;
    my $s = decode_json(<STDIN>)->{streams}[0];
    print join " ", $s->{paths}, scalar(@{$s->{tables}}), $s->{tables}[0]{counts}, $s->{tables}[1]{counts},
        $s->{lengths}[-1]{instructions}, scalar(@{$s->{grammars}}), scalar(@{$s->{hottest}})' <out.json)" \
    "4096 2 lower estimate 1 1 20" "JSON has tables, lengths, grammars and paths"
is "$(trod hw model --json --table=16x4,admit,skew loop)" "$(trod hw model --json --table=16x4,admit,skew loop)" \
    "chance is the same each time"
isnt=$(trod hw model --table=16x4,admit,skew,seed=1 loop)
ok "another seed is another chance" test "$isnt" != "$(trod hw model --table=16x4,admit,skew,seed=2 loop)"

# Examples of its help.
cp loop app.branches
trod help hw model | sed -n 's/^  \(trod hw model .*\)/\1/p' >examples
ok "there are examples" test -s examples
while IFS= read -r example; do
    example "$example"
done <examples

# --- names of places ----------------------------------------------------------------------------

# A stream of code in a program that is there: f runs 3 times, and what is behind its first byte once.
cat >named.c <<'C'
volatile int x;
__attribute__((noinline)) void f(void)
{
    x++;
}
int main(void)
{
    f();
    return 0;
}
C
clang-19 -g -O1 -no-pie -o named named.c
# shellcheck disable=SC2046
set -- $(readelf -lW named | sed -n 's/^ *LOAD *\(0x[0-9a-f]*\) \(0x[0-9a-f]*\) 0x[0-9a-f]* 0x[0-9a-f]* \(0x[0-9a-f]*\) R E.*/\1 \2 \3/p')
f=0x$(nm named | sed -n 's/ T f$//p')
{
    echo 'branches named'
    printf 'image 0x%x 0x%x 0x%x "%s"\n' "$2" $(($2 + $3)) "$1" "$PWD/named"
    printf 'code 0 0x%x 0x%x 0x%x 1 if 0x%x\n' "$f" "$f" $((f + 1)) "$f"
    printf 'run 0 0 0x%x\nrun 0 0 0x%x\nrun 0 0 0x%x\nend 0\n' "$f" "$f" $((f + 1))
} >named.branches
like "$(trod hw model named.branches)" ' T  f  .*named\.c:4$' 'functions and lines of the program'
is "$(trod hw model --json named.branches | perl -MJSON::PP -e 'local $/; my $p = decode_json(<STDIN>)->{streams}[0]{hottest}[0]{place}; print "$p->{function} $p->{offset} $p->{line}"')" \
    'f 0 4' 'in JSON, too'
like "$(trod hw edit --profile=methods named.branches)" '  f  .*named\.c:4$' 'of edited streams, too'
clang-19 -O1 -no-pie -o named named.c
like "$(trod hw model named.branches)" " T  f$" 'without debug information, the function'
strip named
unlike "$(trod hw model named.branches)" " T  " 'without symbols, the address alone'
rm named
unlike "$(trod hw model named.branches)" " T  " 'and without the file'

done_testing
