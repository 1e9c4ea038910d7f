# Paths across calls: segments, and untested paths.
use strict;
use warnings;

our @ways;

# What the thesis has beside ours: the head of a column, its average and its worst.
sub beside {
    my ($rows, $by, $what, $lines) = @_;
    table(['what', 'trod, geometric mean', 'worst', 'thesis, average', 'worst'], [map {
        my ($words, $way, $average, $worst) = @$_;
        my @there = grep { defined } map { cost_ratio($by->{$_}, $what, $way, 'plain') } @$rows;
        @there ? [$words, num(exp(sum(map { log } @there) / @there), 3), num((sort { $b <=> $a } @there)[0], 2), $average, $worst] : ();
    } @$lines], sub { @{$_[0]} });
}

sub across {
    my ($r, $title, $words) = @_;
    my (%by, @programs);
    for my $x (@{$r->{rows}}) {
        push @programs, $x->{program} unless $by{$x->{program}};
        $_->{size} = $_->{text} + $_->{data} for grep { $_ && defined $_->{text} } $x, $x->{over};
        $by{$x->{program}}{$x->{way}} = $x;
    }
    local @ways = (
        ['trod', 'plain', 'all paths of functions'], ['paths', 'plain', 'of these, tested'], ['subpaths', 'plain', 'all subpaths'],
        ['every', 'plain', 'across, all: Ball-Larus'], ['segments', 'plain', 'across, segments'],
        ['chosen', 'plain', 'across, tested'], ['tested', 'plain', 'across, residual'], ['untested', 'plain', 'across, untested only'],
    );
    my @all = (\@programs, \%by);
    my @later = grep { $_->{over} } @{$r->{rows}};
    print "### $title\n\n$words User time over the plain build's, medians of $r->{rounds} interleaved rounds, and the spread of the rounds. On ", machine($r), ".\n\n";
    print "$r->{note}\n\n" if $r->{note};
    print "The run was interrupted; $r->{resumed} programs were measured before the interruption.\n\n" if $r->{resumed};
    print "Measured later, on a machine with other load, interleaved with the plain build: ", join(', ', map { "$_->{way} of $_->{program}" } @later), ".\n\n" if @later;
    cost_table(@all, 'seconds', 2, sub { num($_[0], 2) . ' s' }, sub {
        my ($x, $base) = @_;
        return sprintf ' (%.2f-%.2f)', $x->{low} / $base->{seconds}, $x->{high} / $base->{seconds};
    });
    beside(@all, 'seconds', [
        ['across, all: Ball-Larus (figure 3.19)', 'every', '2.25', '2.80'], ['across, segments (figure 3.19)', 'segments', '1.26', '1.52'],
        ['across, tested', 'chosen', '1.26', '1.52'], ['across, residual', 'tested', '-', '-'], ['across, untested only', 'untested', '-', '-'],
    ]);
    return @all;
}

if (my $r = result('across')) {
    print <<'TEXT';
## Across calls

Segments of depth 1: from a call, through the callee, and on after the call. Those of interest ran on the small inputs, the tests, and come from a whole program path (`trod cc --wpp`, `trod calls segments`); times are measured on the
large inputs, production. *Across, all* counts all paths across the calls on these segments, as Ball and Larus do: with a counter for each path, or a hash table if there are too many. *Segments* counts the paths that consist of the
segments (`--segments=LIST`). *Tested* counts the paths that the tests took, with or without segments (`--paths`), *residual* these and all others that run (`--tested`), *untested only* the others.

TEXT
    my $kib = sub { num($_[0] / 1024, 0) . ' KiB' };
    my @all = across($r, 'Cost', 'One unit per source file: calls of functions in other source files are not followed (see below for their number). In this measurement, builds for all paths across calls had tables of up to 2^31 counters, and two programs could not be linked. Since then they use a hash table beyond 65,536, and were not measured again.');
    my $whole = result('whole');
    my @whole = $whole ? across($whole, 'Cost, programs as one unit', 'All sources of a program are linked as bitcode first, for all builds, so that every call on a segment is followed.') : ();
    print "### Code size\n\nSize relative to the plain build. Tables 3.4 and 3.5 of the thesis, whose code size includes counters. Counters of paths that never run take no memory and no disk space.\n\n";
    for my $x ([\@all, 'units'], @whole ? [\@whole, 'one unit'] : ()) {
        my ($programs, $words) = @$x;
        local @ways = map { [$_->[0], 'plain', $_->[1]] } (['trod', 'functions: Ball-Larus'], ['paths', 'functions: chosen'],
            ['every', 'across: Ball-Larus'], ['segments', 'across: segments'], ['chosen', 'across: tested'], ['tested', 'across: residual']);
        print "Code and constants, $words:\n\n";
        cost_table(@$programs, 'text', 2, $kib);
        print "With all that can be written, $words:\n\n";
        cost_table(@$programs, 'size', 1, $kib);
        my @thesis = (['functions: Ball-Larus (table 3.4)', 'trod', '3.21', '5.41'], ['functions: chosen (table 3.4)', 'paths', '3.03', '5.00'],
            ['across: Ball-Larus (table 3.5)', 'every', '5.33', '6.91'], ['across: segments (table 3.5)', 'segments', '4.35', '5.38'],
            ['across: tested', 'chosen', '4.35', '5.38']);
        print "Beside the thesis, code and constants only:\n\n";
        beside(@$programs, 'text', \@thesis);
        print "And with all that can be written, as the thesis counts:\n\n";
        beside(@$programs, 'size', \@thesis);
    }
}

# Rows of bench/residual --across, of units and of whole programs.
sub untested_table {
    my ($r) = @_;
    my @lines = map { [$_->{program}, $_->{paths}, share($_->{paths}, $_->{field_paths}), share($_->{count}, $_->{field_count})] } @{$r->{rows}};
    push @lines, ['average', map { my $column = $_; my @there = grep { defined } map { $_->[$column] } @lines; @there ? sum(@there) / @there : undef } 1 .. 3] if @lines > 1;
    table(['program', 'untested paths', '% of paths', '% of what ran'], \@lines, sub {
        my ($name, $paths, @share) = @{$_[0]};
        return ($name, num($paths, $name eq 'average' ? 1 : 0), num($share[0], 1), small($share[1]));
    });
}

my ($parts, $one) = map { result($_) } qw(untested untested_whole);
if ($parts) {
    print <<'TEXT';
### Segments, and which are within units

Segments of depth 1 that ran on the small inputs, their executions, and the shares within one unit.

TEXT
    my @lines = map { [@$_{qw(program segments within segments_ran within_ran)}] } @{$parts->{rows}};
    push @lines, ['all', map { my $column = $_; sum(map { $_->[$column] } @lines) } 1 .. 4] if @lines > 1;
    table(['program', 'segments', 'within units', 'they ran', 'within units'], \@lines, sub {
        my ($name, $segments, $within, $ran, $within_ran) = @{$_[0]};
        return ($name, thousands($segments), percent($within, $segments), thousands($ran), percent($within_ran, $ran));
    });
}
for my $x ([$parts, 'within units'], [$one, 'programs as one unit']) {
    my ($r, $words) = @$x;
    next unless $r;
    print "### Untested paths across calls, $words\n\nAs table 3.2 of the thesis, where the averages are 314.8 untested paths, 35.9% of the paths, 11.8% of what ran. Small inputs are the tests, large ones production;\n",
        "paths are those across the calls on segments of the tests, and those of functions without such calls. A path ends before a call that no test made.\n\n";
    untested_table($r);
}
for my $x (['dense', 'within units'], ['dense_whole', 'programs as one unit']) {
    my ($name, $words) = @$x;
    my $r = result($name) or next;
    my @rows = @{$r->{rows}};
    my %all = (program => 'all', map({ my $key = $_; $key => sum(map { $_->{$key} } @rows) } qw(functions several paths)));
    for my $way (qw(ballarus published best slots)) {
        $all{$way}{$_} = do { my $key = $_; sum(map { $_->{$way}{$key} } @rows) } for qw(near near_several failed);
        ($all{$way}{worst}) = sort { $b <=> $a } map { $_->{$way}{worst} // 0 } @rows;
    }
    print "### How dense ids are across calls, $words\n\nSize of the interval of ids over the number of paths of interest, those that ran on the small input, function by function, calls followed. As figure 3.20 of the thesis, where it is \"very close to\n",
        "1\" for \"almost all procedures\". Columns as for [the paths that ran](#the-paths-that-ran).\n\n";
    picture($name, 'Size of the interval of ids against the number of paths of interest, calls followed');
    table(['program', 'functions', 'several', 'paths', 'near 1, trod', 'of several', 'published', 'slots', 'Ball-Larus', 'worst, trod', 'published', 'slots', 'Ball-Larus'],
        [@rows, @rows > 1 ? \%all : ()], sub {
            my ($x) = @_;
            return ($x->{program}, thousands($x->{functions}), thousands($x->{several}), thousands($x->{paths}), percent($x->{best}{near}, $x->{functions}),
                map({ percent($x->{$_}{near_several}, $x->{several}) } qw(best published slots ballarus)),
                num($x->{best}{worst}, 2), map({ num($x->{$_}{worst}, 1) . ($x->{$_}{failed} ? ", $x->{$_}{failed} failed" : '') } qw(published slots ballarus)));
        });
}
if (my $r = result('recorded')) {
    my $mib = sub { num($_[0] / 1024, 1) };
    my @there = grep { !$_->{failed} } @{$r->{rows}};
    print <<"TEXT";
### Whole program paths

All steps of a program are recorded (`trod cc --wpp`): user time relative to the plain build, time per subpath, and size. Ratio is subpaths per symbol of the grammar; bytes are the size of the grammar in the file per
million subpaths. Inputs are the large ones, or the small ones where those run more than @{[$r->{most} / 1e6]} million paths. On @{[machine($r)]}.

TEXT
    table(['program', 'input', 'blocks', 'subpaths', 'plain', 'slowdown', 'ns for a subpath', 'ratio', 'bytes a million', 'parts', 'given up'], \@there, sub {
        my ($x) = @_;
        my ($p, $u) = @$x{qw(plain usual)};
        return ($x->{program}, $x->{input} eq 'field' ? 'large' : 'small', num($x->{blocks}, 0), num($u->{subpaths}, 0), num($p->{user}, 3) . ' s', num($u->{user} / $p->{user}, 1),
            num(1e9 * ($u->{user} - $p->{user}) / $u->{subpaths}, 0), num($u->{subpaths} / $u->{symbols}, 1), thousands(sprintf '%.0f', 1e6 * $u->{bytes} / $u->{subpaths}), $u->{parts}, $u->{given});
    });
    print "$_->{program}: $_->{failed}.\n\n" for grep { $_->{failed} } @{$r->{rows}};
    my $slow = exp(sum(map { log($_->{usual}{user} / $_->{plain}{user}) } @there) / (@there || 1));
    printf "Geometric mean of the slowdowns: %s; of the ratios: %s.\n\n", num($slow, 1), num(exp(sum(map { log($_->{usual}{subpaths} / $_->{usual}{symbols}) } @there) / (@there || 1)), 1);
    printf "Memory: maximum resident size in MiB, without recording, with the default bound on symbols (TROD_SYMBOLS, 1,048,576), and with %s. It does not depend on the run time. A small bound increases the size, because\n" .
        "repetition across parts is found again in each. It is faster, because more of the tables fits the cache.\n\n", thousands($r->{symbols});
    table(['program', 'blocks', 'plain', 'recording', 'small bound', 'parts', 'small bound', 'bytes a million', 'small bound', 'slowdown', 'small bound'], \@there, sub {
        my ($x) = @_;
        my ($p, $u, $s) = @$x{qw(plain usual small)};
        return ($x->{program}, num($x->{blocks}, 0), map({ $mib->($_->{peak}) } $p, $u, $s), $u->{parts}, $s->{parts},
            map({ thousands(sprintf '%.0f', 1e6 * $_->{bytes} / $_->{subpaths}) } $u, $s), map { num($_->{user} / $p->{user}, 1) } $u, $s);
    });
}

1;
