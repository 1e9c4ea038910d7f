#!/bin/sh
# Explorations of recorded streams: values do not depend on the form and number of streams; text is printed as it was
# read; the values of a design are those of 'trod hw model'.
# shellcheck disable=SC2016 # Perl stands in single quotes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# A loop of N iterations through eight branches: a random generator chooses the path of each, few of them often.
cat >make.pl <<'END'
my ($seed, $rounds) = @ARGV;
print "branches made\n";
printf "code %d %#x %#x %#x 2 if %#x\n", $_, 0x1000 + 0x20 * $_, 0x1004 + 0x20 * $_, 0x1008 + 0x20 * $_, 0x1000 + 0x20 * ($_ + 1) for 0 .. 7;
printf "code %d %#x %#x %#x 6 jump %#x\n", 8 + $_, 0x1008 + 0x20 * $_, 0x101c + 0x20 * $_, 0x1020 + 0x20 * $_, 0x1000 + 0x20 * ($_ + 1) for 0 .. 7;
print "code 16 0x1100 0x1108 0x110c 3 if 0x1000\n";
my $x = $seed;
for my $i (1 .. $rounds) {
    $x = $x * 16807 % 2147483647;
    my $path = $x % 4 ? $x % 3 : ($x >> 8) % 256;
    for my $b (0 .. 7) {
        my $next = 0x1000 + 0x20 * ($b + 1);
        printf "run 0 %d %#x\n", $b, $path >> $b & 1 ? $next : 0x1008 + 0x20 * $b;
        printf "run 0 %d %#x\n", 8 + $b, $next unless $path >> $b & 1;
    }
    printf "run 0 16 %#x\n", $i < $rounds ? 0x1000 : 0x110c;
}
print "end 0\n";
END
perl make.pl 7 3000 >one.branches
perl make.pl 11 2000 >two.branches
cat >tables.study <<'END'
study tables
design factorial
measure frequency dynamic.frequency paths
entries 16 64
ways 2 4
policy lru lfu inherit
window 40000
END

ok "streams are explored" sh -c 'trod hw explore --check --text tables.study one.branches two.branches >both'
ok "as each alone" sh -c '
    trod hw explore --text tables.study one.branches >first
    trod hw explore --text tables.study two.branches >second
    { cat first; sed -n "/^stream/,\$p" second; } | cmp - both'
ok "and as a trace" sh -c '
    trod hw trace --trace one.branches -o one.trace
    trod hw explore --text tables.study one.trace | cmp - first'
ok "text is printed as it was read" sh -c '
    trod hw explore tables.study one.branches two.branches >printed
    trod hw explore both | cmp - printed
    trod hw explore --json both >json
    trod hw explore --json tables.study one.branches two.branches | cmp - json'
ok "JSON is sound" perl -MJSON::PP -e '
    local $/; open my $in, "<", "json" or die; my $r = decode_json(<$in>);
    die unless $r->{version} == 1 && @{$r->{values}} == 24 && @{$r->{effects}} == 3 * 6;
    for my $v (@{$r->{values}}) { die if $v->{has}{frequency} > 100 + 1e-9 || $v->{has}{frequency} < 0 }
    my %sum; $sum{$_->{measure}} += $_->{sum_of_ranks} for @{$r->{effects}};
    for my $m (keys %sum) { die $m unless abs($sum{$m} - 2 * 21) < 1e-9 }'
ok "a table is worth what trod hw model says" sh -c '
    for policy in lru lfu inherit; do
        for ways in 2 4; do
            trod hw model --json --window=40000 --table=64x$ways,$policy,xor one.branches >model.json

            MODEL=model.json WAYS=$ways POLICY=$policy perl -MJSON::PP -e '"'"'
                local $/; my ($m, $e) = map { open my $in, "<", $_ or die; decode_json(<$in>) } $ENV{MODEL}, "json";
                my $is = $m->{streams}[0]{tables}[0];
                my ($v) = grep { $_->{stream} eq "one" && $_->{is}{entries} == 64 && $_->{is}{ways} == $ENV{WAYS} && $_->{is}{policy} eq $ENV{POLICY} } @{$e->{values}};
                die JSON::PP->new->pretty->encode([$is, $v]) unless $is && abs($is->{overlap} - $v->{has}{frequency} / 100) < 1e-9;
            '"'"' || exit 1
        done
    done'
ok "CSV has a line for each value" sh -c '[ "$(trod hw explore --csv both | wc -l)" -eq $((1 + 2 * 12 * 3)) ]'
ok "a part of a stream is another stream" sh -c '
    trod hw explore --text --to=10000 tables.study one.branches >part
    ! cmp -s part first && grep -q "^stream one" part'
ok "studies that trod knows can be run" sh -c '
    trod hw explore --study=policies one.branches >policies && grep -q "^policy " policies &&
    trod hw explore --study=bursts one.branches >bursts && grep -q "^rate " bursts'
ok "replacements that look at counters themselves cost more" sh -c '
    trod hw explore --study=bursts --csv one.branches | perl -F, -ane "
        \$v{\$F[1]}{\$F[5]} = \$F[6] if \$F[2] eq q(methods);
        END { for (values %v) { exit 1 unless \$_->{dise} > \$_->{hps}; \$some ||= \$_->{hps} > 0 } exit !\$some }"'
ok "pictures are XML" sh -c 'trod hw explore --svg both | perl -0ne "exit !(m{^<svg .*</svg>\n\z}s && !/nan|inf/)"'
ok "streams of the same name have their paths as names" sh -c '
    mkdir -p other && cp two.branches other/one.branches
    trod hw explore --text tables.study one.branches other/one.branches | grep -q "^stream \"other/one.branches\""'
exits 3 "what is no stream is refused" trod hw explore tables.study tables.study
done_testing
