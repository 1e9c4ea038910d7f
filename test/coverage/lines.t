#!/usr/bin/perl
# Lines, branches and functions that 'trod export --to=lcov' tells are those that others count for the same run.
#
#     lines.t [WORD...]
#
# Each program is built three times, and its lines compared one by one:
#
#     gcov      clang --coverage, read by llvm-cov gcov: counters on edges of the IR, lines from debug information, as trod's.
#               A line's count is how often it was begun, as trod's is; all blocks that debug information has on it count.
#     llvm-cov  clang -fcoverage-mapping: counters in the syntax tree. A line's count is that of the region around it,
#               or of the one that begins on it and ran most.
#
# A count must be that of both; or of one of them, and the reason is told.
# What cannot be compared, or differs for a reason that can be told, is counted, by reason; at the end a test says whether
# enough was the same.  With words only programs whose name contains one; all programs with TROD_FULL=1.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../program";
use Cwd qw(abs_path getcwd);
use File::Basename qw(basename);
use File::Path qw(make_path remove_tree);
use Oracle qw(report finish run must read_head);

my $here = abs_path("$FindBin::Bin/..");
my $config = $ENV{TROD_CONFIG} || 'release';
my $trod = abs_path("$here/../build/$config/trod");
our (%same, %not);

# --- what each says -----------------------------------------------------------------

# Of each file: counts of lines; of ways of decisions, by line; of functions.
sub read_lcov {
    my ($text) = @_;
    my (%file, $f);

    for (split /\n/, $text) {
        $f = $file{$1} //= {line => {}, branch => {}, function => {}} if /^SF:(.*)/;
        $f->{line}{$1} += $2 if /^DA:(\d+),(\d+)/;
        $f->{function}{$2} += $1 if /^FNDA:(\d+),(?:[^,:]*\.\w+:)?(.*)/;
        push @{$f->{branch}{$1}{$2}}, $4 eq '-' ? 0 : $4 if /^BRDA:(\d+),(\d+),(\d+),(.*)/;
    }
    return \%file;
}

sub clang { return $_[0] =~ /\.cc$/ ? 'clang++-19' : 'clang-19' }

sub sources {
    my ($file, $head) = @_;
    return ($file, map { "$here/program/$_" } @{$head->{with}});
}

sub feed {
    my ($input) = @_;
    open STDIN, '<', $input or die "$input: $!\n";
}

sub trod_lines {
    my ($file, $head, $input) = @_;
    my $folder = abs_path('.') . '/trod';

    make_path($folder);
    must($trod, $file =~ /\.cc$/ ? 'c++' : 'cc', '-O0', '-g', '-w', @{$head->{flags}},
        sources($file, $head), '-o', "$folder/program");
    feed($input);
    local $ENV{TROD_OUT} = "$folder/out.%p";
    my ($printed, $status) = (run($folder, './program'))[0, 1];
    my @out = glob "$folder/out.*";
    my $lcov = @out == 1 ? must($trod, 'export', '-q', '--to=lcov', @out) : '';
    my %left = map { /^# (?:left in the middle|begun before a fork): (\S+)/ ? ($1 => 1) : () }
        split /\n/, $lcov;
    remove_tree($folder);
    return (read_lcov($lcov), \%left, $printed, scalar @out);
}

sub llvm_lines {
    my ($file, $head, $input) = @_;
    my $folder = abs_path('.') . '/tree';

    make_path($folder);
    must(clang($file), '-O0', '-w', @{$head->{flags}}, '-fprofile-update=atomic',
        '-fprofile-instr-generate', '-fcoverage-mapping', sources($file, $head), '-o',
        "$folder/program");
    local $ENV{LLVM_PROFILE_FILE} = 'raw';
    feed($input);
    my ($printed) = run($folder, './program');
    must('llvm-profdata-19', 'merge', "$folder/raw", '-o', "$folder/data");
    my $lcov = must('llvm-cov-19', 'export', '--format=lcov', "$folder/program",
        "-instr-profile=$folder/data");
    remove_tree($folder);
    return (read_lcov($lcov), $printed);
}

# Lines alone: its branches are told by line and order, as ours are.
sub gcov_lines {
    my ($file, $head, $input) = @_;
    my $folder = abs_path('.') . '/gcov';
    my (%file, $f);

    make_path($folder);
    my $back = getcwd();
    chdir $folder or die;
    my $done = eval {
    must(clang($file), '-O0', '-g', '-w', @{$head->{flags}}, '-fprofile-update=atomic',
        '--coverage', sources($file, $head), '-o', 'program');
    feed($input);
    run($folder, './program');
    for my $gcda (glob '*.gcda') {
        must('llvm-cov-19', 'gcov', '-b', '-c', '-i', $gcda);
        for my $gcov (glob '*.gcov') {
            open my $in, '<', $gcov or die "$gcov: $!\n";
            while (<$in>) {
                $f = $file{$1} //= {line => {}, branch => {}, function => {}} if /^file:(.*)/;
                $f->{line}{$1} += $2 if /^lcount:(\d+),(\d+)/;
                $f->{function}{$2} += $1 if /^function:\d+,(?:\d+,)?(\d+),(.*)/;
            }
            close $in;
            unlink $gcov;
        }
    }
    1;
    };
    chdir $back or die;
    remove_tree($folder);
    die $@ if !$done;
    return \%file;
}

# --- comparing ----------------------------------------------------------------------

sub slurp_lines {
    my ($file) = @_;
    open my $in, '<', $file or return [];
    my @lines = <$in>;
    return ['', @lines];
}

# Why gcov has another count than ours and llvm-cov's; why llvm-cov has another than ours and gcov's.
sub why_not_gcov {
    my ($text) = @_;

    return $text !~ /[;{}:]\s*$/ ? 'a block that comes back to the line is counted again'
        : 'a jump behind a loop or condition has the last line of that';
}

sub why_not_region {
    my ($text) = @_;

    return $text =~ /^\s*\}/ ? 'a closing brace, where ways meet'
        : $text =~ /\bdo\b/ ? 'rounds of a loop that begins on it, without code of its own'
        : $text =~ /^\s*(?:case\b|default\b|\w+\s*:(?!:))/ ? 'a label or a case, which more than one way leads to'
        : 'code of several regions, or of a macro';
}

# A count must be what both have, or for a reason one of them.
sub compare {
    my ($ours, $gcov, $tree, $left) = @_;
    my @wrong;

    for my $file (sort keys %$ours) {
        my @text = @{slurp_lines($file)};
        my ($by_gcov, $by_tree) = map { $_->{$file}{line} // {} } $gcov, $tree;
        for my $line (sort { $a <=> $b } keys %{$ours->{$file}{line}}) {
            my $own = $ours->{$file}{line}{$line};
            my ($g, $t) = ($by_gcov->{$line}, $by_tree->{$line});
            my $text = ($text[$line] // '') =~ s/^\s+|\s+$//gr;
            if (!defined $g && !defined $t) {
                $not{lines}{'that nobody else has'}++;
            } elsif (defined $t && $t == $own && defined $g && $g == $own) {
                $same{lines}++;
            } elsif (defined $t && $t == $own) {
                $not{gcov}{defined $g ? why_not_gcov($text) : 'it does not have it'}++;
            } elsif (defined $g && $g == $own) {
                $not{'llvm-cov'}{defined $t ? why_not_region($text) : 'it does not have it'}++;
            } elsif (%$left) {
                $not{lines}{'in a program with functions left in the middle'}++;
            } elsif (!defined $t && $own && defined $g && $g > $own && $g % $own == 0) {
                $not{gcov}{'a block that comes back to the line is counted again'}++;
            } elsif (defined $g && $text =~ /\)\s*\{$/ && $g > $own) {
                $not{gcov}{'a function begins on the line'}++;
            } elsif (defined $g && $text =~ /&&|\|\|/ && $g > $own) {
                $not{gcov}{'edges are taken for a round that no path went'}++;
            } elsif (!$tree->{$file}) {
                $not{gcov}{'another count, in a file that llvm-cov leaves out'}++;
            } else {
                push @wrong, sprintf '%s:%d: %d, and %s by gcov, %s by llvm-cov: %s', basename($file), $line, $own,
                    $g // 'none', $t // 'none', $text;
            }
        }
        $not{lines}{'that gcov alone has'} += grep { !exists $ours->{$file}{line}{$_} } keys %$by_gcov;
        $not{lines}{'that llvm-cov has, without code on them'} +=
            grep { !exists $ours->{$file}{line}{$_} && !exists $by_gcov->{$_} } keys %$by_tree;
    }
    return @wrong;
}

sub compare_functions {
    my ($how, $ours, $theirs, $left) = @_;
    my @wrong;

    for my $file (grep { $theirs->{$_} } sort keys %$ours) {
        for my $name (sort keys %{$ours->{$file}{function}}) {
            my ($own, $their) = map { $_->{$file}{function}{$name} } $ours, $theirs;
            $not{'functions'}{"not told by $how"}++, next if !defined $their;
            $not{'functions'}{'left in the middle'}++, next if $left->{$name};
            $same{functions}++;
            push @wrong, "$name: entered $own, and $their by $how" if $own != $their;
        }
    }
    return @wrong;
}

# Decisions on a line as pairs, whichever way is first: those of ours are among theirs.
sub compare_branches {
    my ($ours, $theirs, $left) = @_;
    my @wrong;

    for my $file (grep { $theirs->{$_} } sort keys %$ours) {
        my @text = @{slurp_lines($file)};
        for my $line (sort { $a <=> $b } keys %{$ours->{$file}{branch}}) {
            my @own = grep { @$_ == 2 } values %{$ours->{$file}{branch}{$line}};
            my @their = values %{$theirs->{$file}{branch}{$line} // {}};
            $not{branches}{'of more than two ways'} += grep { @$_ != 2 } values %{$ours->{$file}{branch}{$line}};
            if (!@their || @own != @their) {
                $not{branches}{!@their ? 'no condition was written there' : 'another number of them on the line'} += @own;
                next;
            }
            my $pairs = sub { join ' ', sort map { join '/', sort { $a <=> $b } @$_ } @_ };
            if ($pairs->(@own) eq $pairs->(@their)) {
                $same{branches} += @own;
            } elsif (($text[$line] // '') =~ /&&|\|\|/) {
                $not{branches}{'the outcome of && or || is decided on once more'} += @own;
            } elsif (%$left) {
                $not{branches}{'in a program with functions left in the middle'} += @own;
            } else {
                push @wrong, basename($file) . ":$line: " . $pairs->(@own) . ', and ' . $pairs->(@their);
            }
        }
    }
    return @wrong;
}

# --- programs -----------------------------------------------------------------------

my @quick = qw(loops.c switch.c short_circuit.c templates.cc containers.cc recursion.c inline_twice.cc shared.cc json.c);
my $late = 'runs on after others wrote their counts, or does not come to that';
my $coroutines = 'coroutines go on with the path they were suspended on';
my %unfit = ('at_exit.c' => $late, 'initializers.cc' => $late, 'kill9.c' => $late,
    'pure.c' => 'calls what need not be called', 'coroutine.cc' => $coroutines, 'coroutine_threads.cc' => $coroutines);

sub is_chosen {
    my ($name) = @_;

    return scalar grep { index($name, $_) >= 0 } @ARGV if @ARGV;
    return $ENV{TROD_FULL} || grep { $name eq $_ } @quick;
}

sub programs {
    my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ } glob "$here/program/*.c $here/program/*.cc";
    my @out = map { my $file = $_; [$file, read_head($file), '/dev/null'] } @files;
    my $json = abs_path("$here/../example/json.c");

    push @out, [$json, read_head($json), abs_path('rows.json')];
    return grep { is_chosen(basename($_->[0])) } @out;
}

sub write_rows {
    open my $out, '>', 'rows.json' or die "rows.json: $!\n";
    print $out '[', join(",\n", map { qq({"id": $_, "name": "row \\"$_\\"", "tags": [1, "a", null, true]}) } 0 .. 99), "]\n";
    close $out;
}

sub program {
    my ($file, $head, $input) = @_;
    my $name = basename($file);
    my ($got, $tree, $gcov);

    $not{programs}{'needs a library of its own'}++, return if @{$head->{library} // []} || @{$head->{linked} // []};
    $not{programs}{$unfit{$name}}++, return if $unfit{$name};
    my $done = eval {
        $got = [trod_lines($file, $head, $input)];
        return 1 if $got->[3] != 1;
        $tree = [llvm_lines($file, $head, $input)];
        $gcov = gcov_lines($file, $head, $input);
        1;
    };
    if (!$done) {
        $not{programs}{'does not end well, or cannot be built by others'}++;
        print "# $name: ", (split /\n/, $@)[0], "\n";
        return;
    }
    $not{programs}{'several processes, or none'}++, return if $got->[3] != 1;
    $same{programs}++;
    my ($ours, $left) = @$got;
    $left->{$_} = 1 for @{$head->{abandons} // []}, @{$head->{trapped} // []};
    report("$name: lines", compare($ours, $gcov, $tree->[0], $left));
    report("$name: functions and decisions", compare_functions('llvm-cov', $ours, $tree->[0], $left),
        compare_branches($ours, $tree->[0], $left));
    plant($ours, $gcov, $tree->[0]) if $name eq 'loops.c';
}

# One more of anything must be noticed.
sub plant {
    my ($ours, $gcov, $tree) = @_;
    my ($f) = values %$ours;
    my ($line) = sort { $a <=> $b } grep { $f->{line}{$_} > 1 } keys %{$f->{line}};
    my ($name) = sort keys %{$f->{function}};
    my ($at) = sort { $a <=> $b } keys %{$f->{branch}};
    local (%same, %not);

    $f->{line}{$line}++;
    report('a line too many is noticed', compare($ours, $gcov, $tree, {}) ? () : 'it is not');
    $f->{line}{$line}--;
    $f->{function}{$name}++;
    report('so is a call', compare_functions('llvm-cov', $ours, $tree, {}) ? () : 'it is not');
    $f->{function}{$name}--;
    $f->{branch}{$at}{0}[0]++;
    report('and a way of a decision', compare_branches($ours, $tree, {}) ? () : 'it is not');
}

my %least = (programs => 8, lines => 250, functions => 50, branches => 60);

sub totals {
    for my $what (qw(programs lines gcov llvm-cov functions branches)) {
        my $left_out = 0;
        $left_out += $_ for values %{$not{$what} // {}};
        print "# $what: ", defined $least{$what} ? ($same{$what} //= 0) . ' the same, ' : '', "$left_out not\n";
        print "#     $_: $not{$what}{$_}\n" for grep { $not{$what}{$_} } sort keys %{$not{$what} // {}};
        report("enough $what were compared", $same{$what} < $least{$what} ? "$same{$what}" : ())
            if !@ARGV && defined $least{$what};
    }
}

write_rows();
program(@$_) for programs();
totals();
finish();
