# Real servers: profiles that many processes leave, and what counting and reading them cost.
use strict;
use warnings;

# Rows by server and way, and the servers in their order.
sub servers_by_way {
    my ($r) = @_;
    my (%by, @servers);
    for my $x (@{$r->{rows}}) {
        push @servers, $x->{server} unless $by{$x->{server}};
        $by{$x->{server}}{$x->{way}} = $x;
    }
    return (\@servers, \%by);
}

sub megabytes { my ($x) = @_; return defined $x ? num($x / 1e6, $x < 1e7 ? 2 : 1) : '-' }

# What a row says of a measurement, over what the plain build's says.
sub over_plain {
    my ($x, $plain, $value) = @_;
    my ($one, $other) = map { $_ && !$_->{failed} ? $value->($_) : undef } $x, $plain;
    return defined $one && $other ? $one / $other : undef;
}

sub own_tests {
    my ($x, $plain) = @_;
    my $suite = $x->{suite} or return '-';
    return 'pass' if $suite->{passed};
    return 'not in time' if $suite->{late};
    my @failed = @{$suite->{failures}};
    my $same = $plain->{suite} && "@failed" eq "@{$plain->{suite}{failures}}" && @failed && !$plain->{suite}{passed};
    return @failed ? scalar(@failed) . ' fail' . ($x == $plain ? '' : $same ? ', as plain' : ', others than plain') : 'fail';
}

# Seconds and megabytes of reading.
sub reading {
    my ($x) = @_;
    return ('-', '-') if !$x;
    return ('failed', '-') if $x->{failed};
    return (num($x->{elapsed}, 2), megabytes(1024 * $x->{peak}));
}

my %server_ways = (plain => 'plain', clang => 'clang', trod => 'trod');
if (my $r = result('servers')) {
    my ($servers, $by) = servers_by_way($r);
    my $processor = sub { my ($x) = @_; return $x->{processor} // $x->{user} + $x->{system} };
    my $elapsed = sub { $_[0]{elapsed} };
    my @rows = map { my $server = $_; map { $by->{$server}{$_} || () } qw(plain clang trod) } @$servers;
    print <<"TEXT";
## Servers

Programs of many processes, built by clang -O2 (plain), with `-fprofile-instr-generate` (clang), and by `trod cc`. All processes of a program or shared library count in one file: `%m` in `LLVM_PROFILE_FILE` and in
`TROD_OUT`. `bench/servers` runs them, [bench/server](../bench/server) describes them. Builds take turns in the loads, of which there are $r->{rounds} rounds. On @{[machine($r)]}.

TEXT
    print "$r->{note}\n\n" if $r->{note};
    print "A short look: some of the tests, small loads.\n\n" if $r->{quick};
    print "The run was interrupted; $r->{resumed} measurements are from before the interruption.\n\n" if $r->{resumed};
    print "### Their own tests\n\nProcessor time is that of all processes, user and system; in parentheses elapsed time, which includes waiting. Sizes are on disk, in MB. nginx has no tests in its sources: its profile is that of the load. The plain build leaves no profile, and `report` reads trod's only.\n\n";
    table(['server', 'build', 'own tests', 'processor', 'over plain', 'profiles', 'programs and libraries', 'size', 'largest', 'merge, s', 'merge, MB', 'report, s', 'report, MB'], \@rows, sub {
        my ($x) = @_;
        my ($suite, $plain) = ($x->{suite}, $by->{$x->{server}}{plain});
        my $left = $suite || $x->{load};
        my ($ratio, $waited) = map { over_plain($suite, $plain->{suite}, $_) } $processor, $elapsed;
        my $file = $x->{way} ne 'plain';
        return ($x->{server}, $server_ways{$x->{way}}, own_tests($x, $plain), $suite ? num($processor->($suite), 1) . ' s' : '-',
            $file && defined $ratio ? num($ratio, 2) . ' (' . num($waited, 2) . ')' : '-',
            $file ? (map({ $left->{$_} // '-' } qw(profiles images)), map({ megabytes($left->{$_}) } qw(bytes largest)), map { reading($left->{$_}) } qw(merge report)) : ('-') x 8);
    });
    print "### Loads\n\nProcessor time of the server only, and its largest process. In parentheses the spread of the rounds.\n\n";
    table(['server', 'build', 'processor', 'over plain', 'elapsed, over plain', 'largest process, MB', 'profiles', 'size'], \@rows, sub {
        my ($x) = @_;
        my ($load, $plain) = ($x->{load}, $by->{$x->{server}}{plain}{load});
        return ($x->{server}, $server_ways{$x->{way}}, $load ? 'failed' : '-', ('-') x 5) if !$load || $load->{failed};
        my ($ratio, $waited) = map { over_plain($load, $plain, $_) } $processor, $elapsed;
        my $file = $x->{way} ne 'plain';
        return ($x->{server}, $server_ways{$x->{way}}, num($load->{processor}, 2) . ' s',
            $file && defined $ratio ? sprintf('%.2f (%.2f-%.2f)', $ratio, map { $load->{$_} / $plain->{processor} } qw(low high)) : '-',
            $file ? num($waited, 2) : '-', megabytes(1024 * $load->{peak}), $file ? ($load->{profiles}, megabytes($load->{bytes})) : ('-', '-'));
    });
    my @connected = grep { $_->{connect} } @rows;
    if (@connected) {
        print "### A connection\n\nProcessor time of the server for a connection that asks one small thing: the process that is forked for it, and its end. Of $r->{connections} connections, in milliseconds.\n\n";
        table(['server', 'build', 'ms', 'spread'], \@connected, sub {
            my ($x) = @_;
            my $c = $x->{connect};
            return ($x->{server}, $server_ways{$x->{way}}, num($c->{ms}, 2), sprintf '%.2f-%.2f', @$c{qw(low high)});
        });
    }
    my @each = grep { $_->{each} } @rows;
    if (@each) {
        print "### One profile for each process\n\nThe same tests with `%m.%p` in `TROD_OUT`, and `trod merge` of all profiles under a limit on address space (`ulimit -v`).\n\n";
        table(['server', 'own tests', 'processor, over one file', 'profiles', 'all, MB', 'of the server itself', 'average, MB', 'merge, s', 'merge, MB', 'limit, MB', 'merged, MB'], \@each, sub {
            my ($x) = @_;
            my ($e, $one) = @$x{qw(each suite)};
            my $ratio = over_plain($e, $one, $processor);
            return ($x->{server}, $e->{passed} ? 'pass' : 'fail', num($ratio, 2), $e->{profiles}, megabytes($e->{bytes}), $e->{own} // '-', $e->{own} ? megabytes($e->{own_bytes} / $e->{own}) : '-',
                reading($e->{merge}), num($e->{merge}{limit} * 1024 / 1e6, 0), $e->{merge}{failed} ? "failed: $e->{merge}{failed}" : megabytes($e->{merge}{merged}));
        });
    }
    my $postgres = $by->{postgresql} || {};
    my ($clang, $trod) = map { $postgres->{$_} || {} } qw(clang trod);
    my $times = over_plain($trod->{suite}, $clang->{suite}, $processor);
    my $each = $trod->{each} || {};
    my $merge = $each->{merge} || {};
    my $mean = $each->{own} ? $each->{own_bytes} / $each->{own} : undef;
    bars(
        ['PostgreSQL passes its own tests, with one profile for each program and library', 'yes', $trod->{suite} && ($trod->{suite}{passed} && $trod->{suite}{profiles} == $trod->{suite}{images} ? 'yes' : 'no'),
            $trod->{suite} && $trod->{suite}{passed} && $trod->{suite}{profiles} == $trod->{suite}{images}],
        ['processor time of PostgreSQL\'s tests over clang\'s counters', 'at most 1.3', $times && num($times, 2), $times && $times <= 1.3],
        ['average profile of a process of PostgreSQL', 'at most 1 MB', $mean && megabytes($mean) . ' MB', $mean && $mean <= 1e6],
        ['merge of ' . ($each->{profiles} // 0) . ' profiles, within ' . num(($merge->{limit} // 0) * 1024 / 1e6, 0) . ' MB', 'at most 30 s', $each->{merge} && ($merge->{failed} ? 'fails' : num($merge->{elapsed}, 1) . ' s'),
            $each->{merge} && !$merge->{failed} && $merge->{elapsed} <= 30],
    );
}

1;
