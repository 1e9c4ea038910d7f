#!/usr/bin/perl
# Compare the lines, branches and functions that 'trod export --to=lcov' prints with those of other tools for the same
# run.
#
#     lines.t [WORD...]
#
# Each program is built three times, and its lines compared one by one:
#
#     gcov      clang --coverage, read by llvm-cov gcov: counters on edges of the IR, lines from debug information, like
#               trod's. As in trod, a line's count is how often control enters it; every block on the line counts.
#     llvm-cov  clang -fcoverage-mapping: counters in the syntax tree. A line's count is that of the region around it,
#               or of the one that begins on it and ran most.
#
# A count must agree with both tools, or with one of them if the test finds a reason why the other differs. Lines that
# cannot be compared, or differ for a reason, are counted by reason. A test at the end checks that enough lines agree.
# With words, only programs whose name contains one of them are tested; TROD_FULL=1 tests all programs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../program", $FindBin::Bin;
use Cwd qw(abs_path getcwd);
use File::Basename qw(basename);
use File::Path qw(make_path remove_tree);
use GcovRule qw(read_graphs count_by_gcov count_begins functions_on);
use JSON::PP;
use List::Util qw(uniq);
use Oracle qw(report finish run must read_head map_of);

my $here = abs_path("$FindBin::Bin/..");
my $config = $ENV{TROD_CONFIG} || 'release';
my $trod = abs_path("$here/../build/$config/trod");
our (%same, %not);

# --- readers of counts --------------------------------------------------------------

# By file: counts of lines, of outcomes of decisions by line, of functions.
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

# By line: the counts of regions that begin on it, and of the region around its beginning.
sub add_regions {
    my ($file, $text) = @_;

    for my $f (map { @{$_->{files}} } @{decode_json($text)->{data}}) {
        my $of = $file->{$f->{filename}} or next;
        my ($at, $around) = (0);
        for my $segment (@{$f->{segments}}) {
            my ($line, undef, $count, $has, $begins, $gap) = @$segment;
            $of->{around}{$_} = $around for $at + 1 .. $line;
            ($at, $around) = ($line, $has ? $count : undef);
            push @{$of->{begins}{$line}}, $count if $has && $begins && !$gap;
        }
    }
}

sub slurp {
    my ($file) = @_;
    open my $in, '<', $file or die "$file: $!\n";
    local $/;
    return scalar <$in>;
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
    my $graphs = @out == 1 ? read_graphs(slurp(map_of("$folder/program")), must($trod, 'stage', 'flow', '-q', '--json', @out)) : [];
    remove_tree($folder);
    return (read_lcov($lcov), $graphs, $printed, scalar @out);
}

sub llvm_lines {
    my ($file, $head, $input) = @_;
    my $folder = abs_path('.') . '/tree';

    make_path($folder);
    must(clang($file), '-O0', '-w', @{$head->{flags}}, '-fprofile-update=atomic',
        '-fprofile-instr-generate', '-fprofile-update=atomic', '-fcoverage-mapping', sources($file, $head), '-o',
        "$folder/program");
    local $ENV{LLVM_PROFILE_FILE} = 'raw';
    feed($input);
    my ($printed) = run($folder, './program');
    must('llvm-profdata-19', 'merge', "$folder/raw", '-o', "$folder/data");
    my $told = read_lcov(must('llvm-cov-19', 'export', '--format=lcov', "$folder/program",
        "-instr-profile=$folder/data"));
    add_regions($told, must('llvm-cov-19', 'export', '--format=text', "$folder/program",
        "-instr-profile=$folder/data"));
    remove_tree($folder);
    return ($told, $printed);
}

# Lines only: gcov identifies branches by line and order, as trod does.
sub gcov_lines {
    my ($file, $head, $input) = @_;
    my $folder = abs_path('.') . '/gcov';
    my (%file, $f);

    make_path($folder);
    my $back = getcwd();
    chdir $folder or die;
    my $done = eval {
    must(clang($file), '-O0', '-g', '-w', @{$head->{flags}}, '-fprofile-update=atomic',
        '--coverage', '-fprofile-update=atomic', sources($file, $head), '-o', 'program');
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

# Reasons come from the output of the other tools, or from blocks and edges that trod counted, not from the source text.

my $why_inferred = 'an activation is abandoned, or setjmp returns again: they infer counts from other counts';
my $why_entries = 'its count of entries of a function differs from that of both others';

# Both other tools count some edges or regions, and infer the rest on the assumption that inflow equals outflow.
sub is_inferred {
    my ($all, $file, $line) = @_;

    return scalar grep { $_->{left} || $_->{returns_twice} || $all->{trapped}{$_->{name}} }
        functions_on($all->{graphs}, $file, $line);
}

# Whether one tool counts other entries of a function on the line than trod and the other tool.
sub has_other_entries {
    my ($all, $file, $line, $one, $other) = @_;

    for my $f (functions_on($all->{graphs}, $file, $line)) {
        my ($by_one, $by_other) = map { $all->{$_}{$file}{function}{$f->{name}} } $one, $other;
        return 1 if defined $by_one && defined $by_other && $by_other == $f->{entered} && $by_one != $by_other;
    }
    return 0;
}

sub why_not_gcov {
    my ($all, $file, $line, $own) = @_;
    my $g = $all->{gcov}{$file}{line}{$line};

    return 'it has no such line' if !defined $g;
    return 'its rule gives its count from the edges that trod counted' if (count_by_gcov($all->{graphs}, $file, $line) // -1) == $g;
    return $why_entries if has_other_entries($all, $file, $line, 'gcov', 'tree');
    return 'it counts exceptions that reach a function on the line of its last brace' if $g > $own && is_last_brace($file, $line);
    return is_inferred($all, $file, $line) ? $why_inferred : undef;
}

# The brace that ends a function of C++.
sub is_last_brace {
    my ($file, $line) = @_;

    open my $in, '<', $file or return 0;
    my @text = <$in>;
    return $file =~ /\.cc$/ && $text[$line - 1] =~ /^(    )?\}/;
}

sub why_not_region {
    my ($all, $file, $line) = @_;
    my $f = $all->{tree}{$file} or return 'it leaves the file out';
    my @begin = @{$f->{begins}{$line} // []};

    return 'it has no such line' if !defined $f->{line}{$line};
    return 'no region begins on the line: it prints the count of one around it' if !@begin;
    return 'several regions are on the line, with different counts' if uniq(@begin, $f->{around}{$line} // ()) > 1;
    return $why_entries if has_other_entries($all, $file, $line, 'tree', 'gcov');
    return 'code on the line is of functions it does not have'
        if !grep { defined $f->{function}{$_->{name}} } functions_on($all->{graphs}, $file, $line);
    return 'control leaves the line and returns to it in one region' if count_begins($all->{graphs}, $file, $line) > 1;
    return is_inferred($all, $file, $line) ? $why_inferred : undef;
}

# Exceptions reach the head of a handler whether it catches them or not. The other tools count those that it catches, or
# those that leave the handler before it.
sub is_of_handler {
    my ($file, $line) = @_;
    my @open;

    open my $in, '<', $file or return 0;
    while (my $text = <$in>) {
        return 1 if $. == $line && $text =~ /\bcatch\s*\(/;
        for my $brace ($text =~ /[{}]/g) {
            push @open, $text =~ /\bcatch\s*\(/ if $brace eq '{';
            return 1 if $brace eq '}' && pop @open && $. == $line;
        }
        return 0 if $. == $line;
    }
    return 0;
}

# Why trod's count may be less than both: unfinished paths are not counted.
sub why_less {
    my ($all, $file, $line, $own) = @_;
    my @on = functions_on($all->{graphs}, $file, $line);

    return undef if grep { defined && $own > $_ } map { $all->{$_}{$file}{line}{$line} } qw(gcov tree);
    return 'less, in a function with abandoned activations, which trod reports' if grep { $_->{left} } @on;
    return (grep { $all->{trapped}{$_->{name}} } @on) ? 'less, in a function that a signal handler abandoned, which trod does not report' : undef;
}

# Found by hand: gcov takes edges of the loop's condition for one iteration more than there was.
my %known = ('json.c:34 6705' => 'gcov has an iteration that did not run; llvm-cov: several regions are on the line');

# Why trod's count may differ from both: both have a reason, and gcov's rule gives it if each block is on the line once.
sub why_neither {
    my ($all, $file, $line, $own) = @_;
    my ($by_gcov, $by_tree) = (why_not_gcov(@_), why_not_region(@_));

    return $known{basename($file) . ":$line $own"} if $known{basename($file) . ":$line $own"};
    return undef if !defined $by_gcov || !defined $by_tree;
    return (count_by_gcov($all->{graphs}, $file, $line, 1) // -1) == $own ? "gcov: $by_gcov; llvm-cov: $by_tree" : undef;
}

sub note {
    my ($what, $why) = @_;

    $not{$what}{$why}++ if defined $why;
    return defined $why;
}

# Whether a line's count agrees with both tools, or with one of them and there is a reason why the other differs.
sub is_explained {
    my ($all, $file, $line, $own) = @_;
    my ($g, $t) = map { $all->{$_}{$file}{line}{$line} } qw(gcov tree);
    my $is_gcov = defined $g && $g == $own;
    my $is_tree = defined $t && $t == $own;

    return ++$same{lines} if $is_gcov && $is_tree;
    return note('lines', 'that no other tool has') if !defined $g && !defined $t;
    # test/cli/exceptions.t has their counts.
    return note('lines', 'the head or the end of a handler, which exceptions reach') if is_of_handler($file, $line);
    return note('gcov', why_not_gcov(@_)) if $is_tree;
    return note('llvm-cov', why_not_region(@_)) if $is_gcov;
    return note('neither', why_less(@_) // why_neither(@_));
}

sub compare {
    my ($all) = @_;
    my $ours = $all->{ours};
    my @wrong;

    for my $file (sort keys %$ours) {
        my ($by_gcov, $by_tree) = map { $all->{$_}{$file}{line} // {} } qw(gcov tree);
        for my $line (sort { $a <=> $b } keys %{$ours->{$file}{line}}) {
            my $own = $ours->{$file}{line}{$line};
            push @wrong, sprintf '%s:%d: %d, and %s by gcov, %s by llvm-cov', basename($file), $line, $own,
                $by_gcov->{$line} // 'none', $by_tree->{$line} // 'none' if !is_explained($all, $file, $line, $own);
        }
        $not{lines}{'that gcov alone has'} += grep { !exists $ours->{$file}{line}{$_} } keys %$by_gcov;
        $not{lines}{'that llvm-cov has, without code on them'} +=
            grep { !exists $ours->{$file}{line}{$_} && !exists $by_gcov->{$_} } keys %$by_tree;
    }
    return @wrong;
}

sub compare_functions {
    my ($all) = @_;
    my ($ours, $tree) = @$all{qw(ours tree)};
    my %left = (%{$all->{trapped}}, map { $_->{left} ? ($_->{name} => 1) : () } @{$all->{graphs}});
    my @wrong;

    for my $file (grep { $tree->{$_} } sort keys %$ours) {
        for my $name (sort keys %{$ours->{$file}{function}}) {
            my ($own, $by_gcov, $by_tree) = map { $all->{$_}{$file}{function}{$name} } qw(ours gcov tree);
            if (!defined $by_tree) {
                $not{functions}{'not told by llvm-cov'}++;
            } elsif ($own == $by_tree) {
                $same{functions}++;
            } elsif ($left{$name} && $own < $by_tree) {
                $not{functions}{'less, left in the middle'}++;
            } elsif (defined $by_gcov && $own == $by_gcov) {
                $not{functions}{'as gcov has it, and not llvm-cov'}++;
            } else {
                push @wrong, "$name: entered $own, and $by_tree by llvm-cov";
            }
        }
    }
    return @wrong;
}

# Decisions on a line as unordered pairs of counts: ours must be among theirs.
sub compare_branches {
    my ($all) = @_;
    my ($ours, $theirs) = @$all{qw(ours tree)};
    my @wrong;

    for my $file (grep { $theirs->{$_} } sort keys %$ours) {
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
            } elsif (@own > 1) {
                $not{branches}{'several on the line: the outcome of some is decided on once more'} += @own;
            } elsif (is_inferred($all, $file, $line)) {
                $not{branches}{$why_inferred} += @own;
            } elsif ($ours->{$file}{line}{$line} == ($all->{gcov}{$file}{line}{$line} // -1)
                && $ours->{$file}{line}{$line} != ($theirs->{$file}{line}{$line} // -1)) {
                $not{branches}{'the line has the count that gcov has, and not llvm-cov'} += @own;
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
    'pure.c' => 'calls what need not be called', 'coroutine.cc' => $coroutines, 'coroutine_threads.cc' => $coroutines,
    'coroutine_race.cc' => $coroutines);

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
    my ($ours, $graphs) = @$got;
    my $all = {ours => $ours, graphs => $graphs, gcov => $gcov, tree => $tree->[0],
        trapped => {map { $_ => 1 } @{$head->{trapped} // []}}};
    report("$name: lines", compare($all));
    report("$name: functions and decisions", compare_functions($all), compare_branches($all));
    plant_lines($name, $all);
    plant($all) if $name eq 'loops.c';
}

# Planted faults: a count that is one too large or too small must be found on every line that other tools have, unless
# one of them has that count, or an activation was abandoned and both have more.
sub plant_lines {
    my ($name, $all) = @_;
    my @missed;
    local (%same, %not);

    for my $file (sort keys %{$all->{ours}}) {
        for my $line (sort { $a <=> $b } keys %{$all->{ours}{$file}{line}}) {
            my $own = $all->{ours}{$file}{line}{$line};
            my @their = grep { defined } map { $all->{$_}{$file}{line}{$line} } qw(gcov tree) or next;
            next if is_of_handler($file, $line);
            for my $wrong ($own + 1, $own ? $own - 1 : ()) {
                next if grep { $_ == $wrong } @their;
                next if !is_explained($all, $file, $line, $wrong) || defined why_less($all, $file, $line, $wrong);
                push @missed, basename($file) . ":$line: $wrong for $own";
            }
        }
    }
    report("$name: a wrong count of a line is found", @missed);
}

# Planted faults in counts of functions and decisions.
sub plant {
    my ($all) = @_;
    my ($f) = values %{$all->{ours}};
    my ($name) = sort keys %{$f->{function}};
    my ($at) = sort { $a <=> $b } keys %{$f->{branch}};
    local (%same, %not);

    $f->{function}{$name}++;
    report('a call too many is found', compare_functions($all) ? () : 'it is not');
    $f->{function}{$name}--;
    $f->{branch}{$at}{0}[0]++;
    report('and an outcome too many', compare_branches($all) ? () : 'it is not');
    $f->{branch}{$at}{0}[0]--;
}

my %least = (programs => 8, lines => 250, functions => 50, branches => 60);

sub totals {
    for my $what (qw(programs lines gcov llvm-cov neither functions branches)) {
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
