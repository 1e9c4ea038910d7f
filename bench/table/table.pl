# What the chapters share: reading results, printing tables, and comparing ways to build a program.
use strict;
use warnings;
use JSON::PP;

our $folder;

sub result {
    my ($name) = @_;
    open my $file, '<', "$folder/$name.json" or return;
    local $/;
    return decode_json(<$file>);
}

sub machine {
    my ($m) = @{$_[0]}{machine};
    return "$m->{cpu}, $m->{cores} cores, $m->{kernel} $m->{arch}, compiler $m->{compiler}";
}

# A table from column heads "name|unit-or-empty" and a function from row to cells.
sub table {
    my ($heads, $rows, $cells) = @_;
    print '| ', join(' | ', @$heads), " |\n";
    print '| --- |', ' ---: |' x (@$heads - 1), "\n";
    print '| ', join(' | ', $cells->($_)), " |\n" for @$rows;
    print "\n";
}

sub num { my ($x, $d) = @_; return !defined $x ? '-' : $x >= 1e6 ? sprintf '%.1e', $x : sprintf "%.${d}f", $x }
sub thousands { my $x = reverse shift; $x =~ s/(\d{3})(?=\d)/$1,/g; return scalar reverse $x }
sub share { my ($part, $whole) = @_; return $whole ? 100 * $part / $whole : undef }
sub small { my ($x) = @_; return defined $x && $x > 0 && $x < 0.005 ? '< 0.01' : num($x, 2) }
sub percent { my ($part, $whole) = @_; return $whole ? sprintf '%.1f%%', 100 * $part / $whole : '-' }

# Show a picture that bench/plot has drawn.
sub picture {
    my ($name, $words) = @_;
    print "![$words](picture/$name.svg)\n\n" if -e "doc/picture/$name.svg" && $folder eq 'bench/result';
}

sub sum { my $sum = 0; $sum += $_ for @_; return $sum }
sub points { my ($x, $digits) = @_; return defined $x ? sprintf("%.@{[$digits // 1]}f%%", $x) : '-' }
sub per_cent { my ($x, $digits) = @_; return defined $x ? sprintf("%.@{[$digits // 1]}f%%", 100 * $x) : '-' }
sub one_of { return '1/' . $_[0] }

# Lists of numbers, some undefined; and lists of [program, number].
sub plain_mean { my @x = grep { defined } @_; return @x ? sum(@x) / @x : undef }
sub median { my @x = sort { $a <=> $b } grep { defined } @_; return @x ? $x[$#x / 2] : undef }
sub mean { return @_ ? sum(map { $_->[1] } @_) / @_ : undef }
sub worst { return (sort { $a->[1] <=> $b->[1] } @_)[0] }

# --- ways to build a program ------------------------------------------------------------------------------------------

# The cost table's ways to build: what each is measured against, and its head.
our @ways = (
    ['ir', 'plain', 'clang IR counters'], ['ir_edges', 'plain', 'clang IR counters, without values'],
    ['frontend', 'plain', 'clang front-end counters'],
    ['coverage', 'plain', 'clang coverage bytes'], ['arcs', 'gcc', 'gcc arcs (over gcc)'],
    ['trod', 'plain', 'trod, all paths'], ['code', 'plain', 'trod --at=code'],
    ['paths', 'plain', 'trod chosen'], ['tested', 'plain', 'trod calls residual'], ['untested', 'plain', 'trod untested only'],
);

# What a row is measured against: the other way's, or if it was measured later, what that took then.
sub cost_base {
    my ($rows, $way, $base) = @_;
    return $rows->{$way} && $rows->{$way}{over} || $rows->{$base};
}

sub cost_ratio {
    my ($rows, $what, $way, $base) = @_;
    my $over = cost_base($rows, $way, $base);
    my ($x, $y) = map { $_ && $_->{$what} } $rows->{$way}, $over;
    return $x && $y ? $x / $y : undef;
}

# A table of one measure: programs down, ways across, geometric mean and worst below.
sub cost_table {
    my ($programs, $by, $what, $digits, $first, $cell) = @_;
    my @there = grep { my $way = $_->[0]; grep { $by->{$_}{$way} } @$programs } @ways;
    my (%log, %n, %worst);
    my @lines = map {
        my ($p, $rows) = ($_, $by->{$_});
        my $plain = $rows->{plain} || {};
        [$p, defined $plain->{$what} ? $first->($plain->{$what}) : $plain->{failed} ? "failed: $plain->{failed}" : '-', map {
            my ($way, $base) = @$_;
            my $x = cost_ratio($rows, $what, $way, $base);
            if (defined $x) {
                $log{$way} += log $x;
                $n{$way}++;
                $worst{$way} = $x if !$worst{$way} || $x > $worst{$way};
            }
            my ($why) = grep { defined } map { ($rows->{$_} || {})->{failed} } $way, $base;
            defined $x ? num($x, $digits) . ($cell ? $cell->($rows->{$way}, cost_base($rows, $way, $base)) : '') : $why ? "failed: $why" : '-';
        } @there];
    } @$programs;
    return unless %n;
    push @lines, ['geometric mean', '', map {
        my $n = $n{$_->[0]};
        !$n ? '-' : num(exp($log{$_->[0]} / $n), $digits + 1) . ($n < @$programs ? " (of $n)" : '')
    } @there] if @$programs > 1;
    push @lines, ['worst', '', map { num($worst{$_->[0]}, $digits) } @there] if @$programs > 1;
    table(['program', 'plain', map { $_->[2] } @there], \@lines, sub { @{$_[0]} });
}

# Rows of a script that measures, by program and way; and the programs in their order.
sub by_way {
    my ($r) = @_;
    my (%by, @programs);
    for my $x (@{$r->{rows}}) {
        push @programs, $x->{program} unless $by{$x->{program}};
        $x->{processor} = $x->{seconds} + $x->{system} if defined $x->{system};
        $by{$x->{program}}{$x->{way}} = $x;
    }
    return (\@programs, \%by);
}

# Of all programs that have both: how many times as long a way takes; geometric mean and worst, and which that is.
sub mean_and_worst {
    my ($programs, $by, $way, $base, $what) = @_;
    my @there = sort { $b->[1] <=> $a->[1] } grep { defined $_->[1] } map { [$_, cost_ratio($by->{$_}, $what // 'seconds', $way, $base)] } @$programs;
    return @there ? (exp(sum(map { log $_->[1] } @there) / @there), $there[0][1], $there[0][0]) : ();
}

# A bar, and whether it was cleared: lines of [what, aim, is, yes or no].
sub bars {
    my @lines = grep { defined $_->[2] } @_;
    table(['what', 'aim', 'is', 'met'], \@lines, sub { my ($x) = @_; return (@$x[0 .. 2], $x->[3] ? 'yes' : 'no') }) if @lines;
}

1;
