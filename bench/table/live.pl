# What sampling a server costs while it serves, from outside: means of paired rounds and their confidence intervals.
use strict;
use warnings;

# Student's t for a probability of 95 %, by degrees of freedom.
my @student = (undef, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086);

# The mean of the ratios of two lists, round by round, and half of its confidence interval.
sub paired {
    my ($x, $y) = @_;
    my @ratio = map { $x->[$_] / $y->[$_] } grep { $_ < @$x && $y->[$_] } 0 .. $#$y;
    return unless @ratio > 1;
    my $mean = sum(@ratio) / @ratio;
    my $variance = sum(map { ($_ - $mean)**2 } @ratio) / (@ratio - 1);
    return ($mean, ($student[@ratio - 1] // 1.96) * sqrt($variance / @ratio));
}

my @live_ways = (
    ['perf', 'plain, with perf record'], ['clang', 'clang front-end counters'], ['paths', 'trod, all paths'],
    ['burst_off', 'trod --burst, off'], ['burst_on', '..., on: one of 1000'], ['burst_budget', '..., on: budget of 2 %'],
    ['online_off', 'trod --online, off'], ['online_on', '..., on'],
);
if (my $r = result('live')) {
    my (%by, @servers);
    for my $x (@{$r->{rows}}) {
        push @servers, $x->{server} unless $by{$x->{server}};
        $by{$x->{server}}{$x->{way}} = $x;
    }
    print <<"TEXT";
## Sampling a server while it serves

`bench/live`: the servers above under load, built to sample (`--burst=types=paths+time`, `--online`), off, and switched on with `trod sample control` when they serve; beside counters, and `perf record -F 997 -e cpu-clock`, whose own processor time is in parentheses. Processor time of all
processes of the server, from outside, over that of the plain build in the same round: means of $r->{rounds} rounds and half the 95 % confidence interval. *Stated* is what trod reports that bursts took. On @{[machine($r)]}.

TEXT
    print "$r->{note}\n\n" if $r->{note};
    print "A short look: small loads.\n\n" if $r->{quick};
    my @lines;
    for my $server (@servers) {
        my $plain = $by{$server}{plain};
        push @lines, [$server, 'plain', num(median(@{$plain->{processor}}), 2) . ' s', '', '', num(median(@{$plain->{peak}}) / 1024, 1), '1'];
        for my $way (@live_ways) {
            my $x = $by{$server}{$way->[0]} or next;
            if ($x->{failed}) {
                push @lines, [$server, $way->[1], "failed: $x->{failed}", '', '', '', ''];
                next;
            }
            my ($mean, $half) = paired($x->{processor}, $plain->{processor});
            my $beside = $x->{beside} ? sprintf(' (%.1f%%)', 100 * median(@{$x->{beside}}) / median(@{$plain->{processor}})) : '';
            push @lines, [$server, $way->[1], defined $mean ? num($mean, 3) . $beside : 'one round', defined $half ? sprintf('+-%.3f', $half) : '',
                defined $x->{stated} ? percent($x->{stated}, 1) : '', num(median(@{$x->{peak}}) / 1024, 1), num($x->{text} / $plain->{text}, 2)];
        }
    }
    table(['server', 'build', 'processor time', '', 'stated', 'largest process, MB', 'text'], \@lines, sub { @{$_[0]} });
}

1;
