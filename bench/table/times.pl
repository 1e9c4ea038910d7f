# How right times of paths are, beside known paths.
use strict;
use warnings;

if (my $r = result('times')) {
    my (%of, @cases);
    for my $x (@{$r->{rows}}) {
        push @cases, $x->{case} unless $of{$x->{case}};
        $of{$x->{case}}{$x->{path}} = $x;
    }
    my @paths = (['brief', 'a chain of 40 multiplications'], ['short', '300'], ['long', '12,000'], ['near', '256 pointers in 16 KiB'],
        ['far', '64 pointers in 128 MiB'], ['sort', 'a sort of 64 numbers by the library, with callees'], ['sleep', 'sleep, with callees']);
    my $off = sub {
        my ($x) = @_;
        return 'none was timed' unless $x && @{$x->{told} // []};
        return sprintf '%+.1f%%', 100 * (median(map { $x->{told}[$_] / $x->{truth}[$_] } 0 .. $#{$x->{told}}) - 1);
    };
    print <<"TEXT";
## Bursts: accuracy of times

`bench/times`: a program whose paths are known, built with `--burst=types=paths+time`; paths are executed in batches of one kind, in a random order. The truth is what the plain build measures itself around batches of the same kind, under the same disturbance: CPU time of the thread, and elapsed time for the last two paths. Runs of @{[num($r->{milliseconds} / 1000, 0)]} s, medians of $r->{rounds} interleaved rounds. On @{[machine($r)]}.

TEXT
    print "$r->{note}\n\n" if $r->{note};
    print "What an execution takes, of one execution in 100:\n\n";
    my $hundredth = $of{'one of 100'};
    table(['path', 'truth', 'trod', 'difference', 'error that trod states'], \@paths, sub {
        my ($name, $words) = @{$_[0]};
        my $x = $hundredth->{$name};
        my $say = sub { my ($t) = @_; return defined $t ? $t >= 1e5 ? num($t / 1e3, 0) . ' us' : $t >= 1e4 ? num($t / 1e3, 1) . ' us' : num($t, 1) . ' ns' : 'none was timed' };
        return ($words, $say->(median(@{$x->{truth} // []})), $say->(median(@{$x->{told} // []})), $off->($x), @{$x->{error} // []} ? per_cent(median(@{$x->{error}})) : 'not stated');
    });
    print <<'TEXT';
What reading the clock takes is measured with nothing between two reads, and is less where a path is: part of it is done beside the path. So some 8 ns too much are taken off each execution, which shows in the shortest path.

The difference, in each situation. *Sum*: own times of all paths, and what the library did for the sort, over the CPU time of the same process, which includes what sampling costs; of the fork, over that of the parent, which is two thirds of both. With elapsed time, the truth depends on what the machine does in that moment, and so does the difference.

TEXT
    table(['sampled', map({ $_->[0] } @paths), 'sum'], \@cases, sub {
        my ($case) = @_;
        my $all = $of{$case}{all};
        return ($case, map({ $off->($of{$case}{$_->[0]}) } @paths), num(median(map { $all->{own}[$_] / $all->{cpu}[$_] } 0 .. $#{$all->{own}}), 2));
    });
}

1;
