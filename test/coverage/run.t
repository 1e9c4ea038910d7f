#!/usr/bin/perl
# Compare counts derived from paths with LLVM's own counters for the same run.
#
#     run.t [--part=I/N] [WORD...]
#
# A path is a list of blocks: counts of paths determine the counts of blocks, edges and calls. For each program these
# must be equal to
#
#     other builds     the same function, with the same graph, at other limits and levels
#     pgo-instr-use    counts of edges, from LLVM's own counters in the IR
#     llvm-cov         counts of functions, decisions and regions, from clang's counters in the syntax tree
#
# Functions that cannot be compared are counted, by reason. A test at the end checks that enough were compared. The
# programs are those of test/program that finish normally in one process, and some more. With words, only programs whose
# name contains one of them are tested; TROD_FULL=1 adds all levels.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../program", $FindBin::Bin;
use Compared qw(is_chosen totals);
use File::Basename qw(basename);
use File::Path qw(make_path remove_tree);
use JSON::PP;
use Oracle qw(part_of report finish run must read_head build map_of trod_says);

my $here = "$FindBin::Bin/..";
my ($part, $parts) = part_of(\@ARGV);

my @builds = (
    [[], ['-O0', '-g']],
    [['--limit=12'], ['-O0', '-g']],
    [[], ['-O2', '-g']],
    [['--limit=12'], ['-O2', '-g']],
);
push @builds, [['--limit=5'], ['-O0', '-g']], [['--limit=40'], ['-O0', '-g']],
    [[], ['-O1', '-g']], [['--limit=20'], ['-O3', '-g']], [[], ['-Os', '-g']]
    if $ENV{TROD_FULL};

# Functions for which LLVM's counters in the IR are wrong, and those for which clang's in the syntax tree are.
my $late = 'runs after LLVM wrote its counts';
my %doubt = (
    'at_exit.c' => {after => $late},
    'initializers.cc' => {_ZN5ThingD2Ev => $late},
    'pure.c' => {square => 'need not be called'},
);
my %tree_doubt = (
    'templates.cc' => {
        _Z4kindIiEiT_ => 'if constexpr takes code out of no region',
        _Z7longestIJiiiEEiiDpT_ => 'the loop is placed at its range',
    },
);

# How much was compared, and how much was not, by reason.
our %same;
our %not;
my $input; # of the next program

# --- counts of trod ---------------------------------------------------------------

# By function of the map: the hash of its graph, the successors of each block, and the lines of each block. Functions
# with the same name cannot be distinguished.
sub read_map {
    my ($file) = @_;
    my (%function, $f, $table);

    open my $in, '<', $file or die "$file: $!\n";
    while (my $line = <$in>) {
        chomp $line;
        if ($line =~ /^function ("(?:[^"\\]|\\.)*"|\S+) ([0-9a-f]+) ([0-9a-f]+) /) {
            my ($name, $own, $graph) = ($1, $2, $3);
            $name =~ s/^"(.*)"$/$1/s;
            my $was = $function{$name};
            $f = $function{$name} = {graph => $graph, own => $own, to => [], lines => []};
            $f->{twice} = 1
                if $was && ($was->{twice} || $was->{own} ne $own || $was->{graph} ne $graph);
        } elsif ($line =~ /^([a-z]\w*) /) {
            $table = $1;
        } elsif ($line =~ /^(\d+)!*:(.*)/) {
            my ($block, @words) = ($1, split ' ', $2);
            $f->{lines}[$block] = [@words] if $table eq 'lines';
            $f->{to}[$block] = [map { /^>?(\d+)/ ? 0 + $1 : () } @words]
                if $table eq 'numbering';
        }
    }
    close $in;
    return \%function;
}

# Counts of calls, blocks and edges, from counts of paths.
sub count_blocks {
    my ($count_of_path) = @_;
    my %out = (calls => 0, block => {}, edge => {});

    while (my ($path, $count) = each %$count_of_path) {
        my @words = split ' ', $path;
        if ($words[0] eq '>') {
            shift @words;
        } else {
            $out{calls} += $count;
        }
        my ($next) = @words > 1 && $words[-2] eq '>' ? (splice @words, -2)[1] : ();
        $out{block}{$_} += $count for @words;
        push @words, $next if defined $next;
        $out{edge}{"$words[$_ - 1] $words[$_]"} += $count for 1 .. $#words;
    }
    return \%out;
}

# The next program reads the input from its start.
sub feed {
    open STDIN, '<', $input or die "$input: $!\n";
}

# The functions of the map with their counts, which are zero if a function never ran.
sub trod_counts {
    my ($file, $head, $own, $flags) = @_;
    my $folder = build('trod', $file, $head, $own, $flags);

    feed();
    my ($paths, $left, $notes, $printed, $status) = trod_says($folder);
    die "note: ", encode_json($notes), "\n" if @$notes;
    my $nprofile = () = glob "$folder/out/*";
    my $function = read_map(map_of("$folder/program"));
    for my $name (keys %$function) {
        $function->{$name}{count} = count_blocks($paths->{$name} // {});
    }
    remove_tree($folder);
    return {function => $function, printed => $printed, status => $status,
        nprofile => $nprofile};
}

# --- other builds -----------------------------------------------------------------

sub differences {
    my ($what, $ours, $theirs) = @_;
    my %keys = map { ($_ => 1) } keys %$ours, keys %$theirs;

    return map { "$what $_: " . ($ours->{$_} // 0) . ', and ' . ($theirs->{$_} // 0) }
        grep { ($ours->{$_} // 0) != ($theirs->{$_} // 0) } sort keys %keys;
}

sub differences_in {
    my ($ours, $theirs) = @_;

    return differences('calls', map { {'' => $_->{calls}} } $ours, $theirs),
        map { my $what = $_; differences($what, map { $_->{$what} } $ours, $theirs) }
        qw(block edge);
}

# Counts by the place of a block in the graph: the number it has when blocks are visited in
# depth, first successors first.  Builds lay the same graph out in different orders.
sub in_place {
    my ($f) = @_;
    my (%place, @todo);

    for (@todo = (0); @todo;) {
        my $v = pop @todo;
        next if defined $place{$v};
        $place{$v} = keys %place;
        push @todo, reverse @{$f->{to}[$v]};
    }
    my $move = sub {
        my ($counts) = @_;
        return {map { (join(' ', map { $place{$_} } split) => $counts->{$_}) } keys %$counts};
    };
    return {calls => $f->{count}{calls}, map { ($_ => $move->($f->{count}{$_})) } qw(block edge)};
}

# Compare each function with the first build in which it has the same graph. Equal source is not enough, as some levels
# simplify the graph first.
sub compare_builds {
    my ($before, $other, $left) = @_;
    my @wrong;

    for my $name (sort keys %{$other->{function}}) {
        my $ours = $other->{function}{$name};
        my ($theirs) = grep { $_ && $_->{graph} eq $ours->{graph} }
            map { $_->{function}{$name} } @$before;
        my $why = $ours->{twice} ? 'two of one name' : $left->{$name} ? $left->{$name}
            : !$theirs ? 'another graph' : undef;
        $not{builds}{$why}++, next if $why;
        $same{builds}++;
        push @wrong, map { "$other->{label}: $name: $_" }
            differences_in(in_place($ours), in_place($theirs));
    }
    return @wrong;
}

# --- counters in the IR -----------------------------------------------------------

# By function of an annotated module: its calls; for each block its successors, their weights, and whether it is a
# decision.
sub read_ir {
    my ($file, $function) = @_;
    my ($f, $block, %weights, %calls, %spot);

    open my $in, '<', $file or die "$file: $!\n";
    while (my $line = <$in>) {
        if ($line =~ /^define .*?@("[^"]*"|[\w.\$-]+)\(/) {
            my $name = $1 =~ s/^"(.*)"$/$1/r;
            $f = $function->{$name} = {block => [{label => ''}], file => $file};
            $f->{prof} = $1 if $line =~ /!prof !(\d+)/;
            $block = $f->{block}[0];
        } elsif ($line =~ /^}/) {
            undef $f;
        } elsif ($f && $line =~ /^("[^"]*"|[\w.\$-]+):/) {
            # The first may carry a name.
            $block = $f->{block}[0]{label} eq '' && !$f->{block}[0]{some}
                ? $f->{block}[0] : {};
            push @{$f->{block}}, $block if $block != $f->{block}[0];
            $block->{label} = $1;
        } elsif ($f && $line =~ /\S/) {
            $block->{some} = 1;
            my @labels = $line =~ /label %("[^"]*"|[\w.\$-]+)/g;
            push @{$block->{to}}, @labels if @labels;
            $block->{decision} = $1 if $line =~ /^  br i1 (\S+),/;
            $block->{phi}{$1} = 1 if $line =~ /^  (%\S+) = phi i1 /;
            $f->{odd} = 1 if $line =~ /= callbr |= invoke |^  (?:callbr|invoke|indirectbr) /;
            $f->{coroutine} = 1 if $line =~ /[@]llvm\.coro\.begin/;
            $block->{prof} = $1 if $block->{to} && $line =~ /!prof !(\d+)/;
            $block->{turn} = $1 if $block->{to} && $line =~ /!dbg !(\d+)/;
            push @{$block->{spots}}, $1
                if $line =~ m{^  (?!#dbg|ret|br|switch|resume|unreachable)[^!]*.*!dbg !(\d+)};
        } elsif ($line =~ /^!(\d+) = !\{!"branch_weights", (.*)\}/) {
            $weights{$1} = [map { /i32 (-?\d+)/ } split /, /, $2];
        } elsif ($line =~ /^!(\d+) = !\{!"function_entry_count", i64 (-?\d+)/) {
            $calls{$1} = $2;
        } elsif ($line =~ /^!(\d+) = (?:distinct )?!DILocation\(line: (\d+), column: (\d+)/) {
            $spot{$1} = [$2, $3];
        }
    }
    close $in;
    for my $g (grep { $_->{file} eq $file } values %$function) {
        $g->{calls} = $calls{$g->{prof} // ''} // 0;
        for my $b (grep { defined $_->{prof} } @{$g->{block}}) {
            $b->{weights} = $weights{$b->{prof}};
            $b->{vague} = !$b->{weights};
            # clang's own estimates stay where nothing was counted.
            delete $b->{weights} if "@{$b->{weights} // []}" =~ /^(1 1048575|1048575 1)$/;
        }
        for my $b (@{$g->{block}}) {
            $b->{spots} = [grep { $_ } map { $spot{$_} } @{$b->{spots} // []}];
            $b->{turn} = $spot{$b->{turn} // ''};
        }
        settle($g);
    }
}

# Labels become numbers. Blocks that LLVM inserted on edges, to count there, are removed.
sub settle {
    my ($f) = @_;
    my %to_of_added = map { ($_->{label} => $_->{to}[0]) }
        grep { $_->{label} =~ /_crit_edge\d*"?$/ } @{$f->{block}};
    my @kept = grep { !$to_of_added{$_->{label}} } @{$f->{block}};
    my %at = map { ($kept[$_]{label} => $_) } 0 .. $#kept;

    for my $block (@kept) {
        $block->{to} = [map { $at{$to_of_added{$_} // $_} } @{$block->{to} // []}];
    }
    $f->{block} = \@kept;
    $f->{to} = [map { $_->{to} } @kept];
}

# Counts of all blocks and edges, from weights: inflow equals outflow. Undef if that does not hold, as at indirect
# branches, or if weights are missing, as at calls that may throw and were profiled for their targets.
sub flow {
    my ($f) = @_;
    my $n = @{$f->{block}};
    my (@ways_in, @in, @out, %edge);

    $ways_in[$_] = 0, $in[$_] = 0 for 0 .. $n - 1;
    $ways_in[$_]++ for map { @{$_->{to}} } @{$f->{block}};
    $in[0] = $f->{calls};
    my $send = sub {
        my ($from, $to, $count) = @_;
        $edge{"$from $to"} += $count;
        $in[$to] += $count;
        $ways_in[$to]--;
    };
    for my $v (0 .. $n - 1) {
        my $block = $f->{block}[$v];
        my @to = @{$block->{to}};
        next if @to < 2;
        my @weights = @{$block->{weights} // [(0) x @to]};
        return if $block->{vague} || @weights != @to;
        $out[$v] += $_ for @weights;
        $send->($v, $to[$_], $weights[$_]) for 0 .. $#to;
    }
    for (my @todo = 0 .. $n - 1; @todo;) {
        my @ready = grep { !$ways_in[$_] } @todo;
        return if !@ready;
        @todo = grep { $ways_in[$_] } @todo;
        for my $v (@ready) {
            my @to = @{$f->{block}[$v]{to}};
            $send->($v, $to[0], $in[$v]) if @to == 1;
        }
    }
    return if grep { defined $out[$_] && $out[$_] != $in[$_] } 0 .. $n - 1;
    return {calls => $f->{calls}, block => {map { ($_ => $in[$_]) } 0 .. $n - 1}, edge => \%edge};
}

sub sources {
    my ($file, $head) = @_;

    return ($file, map { "$here/program/$_" } @{$head->{with}});
}

sub clang {
    my ($file) = @_;

    return $file =~ /\.cc$/ ? 'clang++-19' : 'clang-19';
}

sub profiled {
    my ($folder) = @_;

    local $ENV{LLVM_PROFILE_FILE} = 'raw';
    feed();
    my @ran = run($folder, './program');
    must('llvm-profdata-19', 'merge', "$folder/raw", '-o', "$folder/data");
    return @ran;
}

# Compare with LLVM's counters in the IR, on edges that it chooses.
sub ir_counts {
    my ($file, $head) = @_;
    my $folder = 'ir';
    my (%function, @objects);

    make_path($folder);
    for my $source (sources($file, $head)) {
        my $stem = "$folder/" . basename($source);
        must(clang($file), '-O0', '-g', '-w', @{$head->{flags}}, '-Xclang',
            '-disable-llvm-passes', '-fno-discard-value-names', '-emit-llvm', '-c', $source, '-o',
            "$stem.bc");
        must('opt-19', '-passes=pgo-instr-gen,instrprof', '-instrprof-atomic-counter-update-all',
            "$stem.bc", '-o', "$stem.gen.bc");
        must(clang($file), '-O0', '-w', '-c', "$stem.gen.bc", '-o', "$stem.o");
        push @objects, "$stem.o";
    }
    must(clang($file), '-fprofile-generate', @{$head->{flags}}, @objects, '-o', "$folder/program");
    my ($printed) = profiled($folder);
    for my $source (sources($file, $head)) {
        my $stem = "$folder/" . basename($source);
        must('opt-19', '-passes=pgo-instr-use', "-pgo-test-profile-file=$folder/data", '-S',
            "$stem.bc", '-o', "$stem.ll");
        read_ir("$stem.ll", \%function);
    }
    remove_tree($folder);
    return (\%function, $printed);
}

sub compare_ir {
    my ($first, $ir, $left) = @_;
    my @wrong;

    for my $name (sort keys %{$first->{function}}) {
        my ($ours, $theirs) = ($first->{function}{$name}, $ir->{$name});
        my $why = !$theirs ? 'not in the IR' : $ours->{twice} ? 'two of one name'
            : $left->{$name} ? $left->{$name}
            : encode_json($ours->{to}) ne encode_json($theirs->{to}) ? 'another graph' : undef;
        my $counts = $why ? undef : flow($theirs);
        $why //= 'weights are missing' if !$counts;
        $not{edges}{$why} += () = map { @$_ } @{$ours->{to}} if $why;
        next if $why;
        $theirs->{fits} = 1;
        $same{edges} += () = map { @$_ } @{$ours->{to}};
        push @wrong, map { "$name: $_" } differences_in($ours->{count}, $counts);
    }
    return @wrong;
}

# --- counters in the syntax tree --------------------------------------------------

sub tree_counts {
    my ($file, $head) = @_;
    my $folder = 'tree';

    make_path($folder);
    must(clang($file), '-O0', '-w', @{$head->{flags}}, '-fprofile-update=atomic',
        '-fprofile-instr-generate', '-fprofile-update=atomic', '-fcoverage-mapping', sources($file, $head), '-o',
        "$folder/program");
    my ($printed) = profiled($folder);
    my $json = decode_json(must('llvm-cov-19', 'export', "$folder/program",
        "-instr-profile=$folder/data"));
    my %function;
    for my $f (@{$json->{data}[0]{functions}}) {
        my $name = $f->{name} =~ s/^.*://r;
        $function{$name} = {twice => 1}, next if $function{$name};
        $function{$name} = $f;
    }
    remove_tree($folder);
    return (\%function, $printed);
}

use constant CODE => 0; # as a kind of region

# How often code at a place in a function ran; undef if a macro or no region is there.
sub region_count {
    my ($f, $line, $column) = @_;
    my $inner;

    for my $r (grep { $_->[5] == 0 } @{$f->{regions}}) {
        next if $line < $r->[0] || $line == $r->[0] && $column < $r->[1];
        next if $line > $r->[2] || $line == $r->[2] && $column >= $r->[3];
        # Regions nest, and are ordered from the outside in.
        $inner = $r;
    }
    return $inner && $inner->[7] == CODE ? $inner->[4] : undef;
}

sub pair {
    return join '/', sort { $a <=> $b } @_;
}

# Decisions of a function by line, as unordered pairs of counts: a negation swaps the outcomes.
sub our_decisions {
    my ($ours, $theirs) = @_;
    my %on;

    for my $v (grep { $theirs->{block}[$_]{decision} } 0 .. $#{$theirs->{block}}) {
        my @to = @{$ours->{to}[$v]};
        my $line = $ours->{lines}[$v] && $ours->{lines}[$v][-1];
        next if !$line || $to[0] == $to[1];
        # The outcome of && or || as a value: both sides were decided before.
        my $whole = $theirs->{block}[$v]{phi}{$theirs->{block}[$v]{decision}};
        push @{$on{$line}{$whole ? 'whole' : 'leaf'}},
            pair(map { $ours->{count}{edge}{"$v $_"} // 0 } @to);
    }
    return \%on;
}

sub tree_decisions {
    my ($f) = @_;
    my %on;

    push @{$on{$_->[0]}}, pair($_->[4], $_->[5]) for grep { $_->[6] == 0 } @{$f->{branches}};
    return \%on;
}

# Whether clang has a decision on a line that is not in the source.
sub has_own_decisions {
    my ($ours, $theirs) = @_;

    return grep { map({ @$_ } values %{$ours->{$_}}) > @{$theirs->{$_} // []} } keys %$ours;
}

# Each decision of trod must be one of clang's, which also has decisions that are not branches.
sub compare_decisions {
    my ($name, $ours, $theirs) = @_;
    my @wrong;

    for my $line (sort { $a <=> $b } keys %$ours) {
        my @leaves = @{$ours->{$line}{leaf} // []};
        my %there;
        $there{$_}++ for @{$theirs->{$line} // []};
        $same{decisions} += @leaves;
        $not{decisions}{'of && and || as values'} += @{$ours->{$line}{whole} // []};
        push @wrong, "$name: line $line decides @leaves, and @{$theirs->{$line} // []}"
            if grep { ($there{$_} //= 0)-- <= 0 } @leaves;
    }
    return @wrong;
}

# A block ran as often as the region that all its code is in.
sub compare_regions {
    my ($name, $ours, $block, $f) = @_;
    my %end = map { ("$_->[2]:" . ($_->[3] - 1) => 1) }
        grep { $_->[0] < $_->[2] || $_ == $f->{regions}[0] } @{$f->{regions}};
    my @wrong;

    for my $v (0 .. $#$block) {
        my %at = map { ("$_->[0]:$_->[1]" => $_) } @{$block->[$v]{spots}};
        # All exits of a scope meet at its closing brace. A condition may have the location of its statement.
        delete @at{keys %end};
        delete $at{join ':', @{$block->[$v]{turn}}} if $block->[$v]{turn};
        my @counts = map { region_count($f, @$_) } values %at;
        my %want = map { ($_ => 1) } grep { defined } @counts;
        my $why = !%at ? 'no code in the block' : grep({ !defined } @counts) ? 'a macro'
            : keys %want > 1 ? 'in several regions' : undef;
        $not{blocks}{$why}++, next if $why;
        $same{blocks}++;
        my $got = $ours->{count}{block}{$v} // 0;
        push @wrong, "$name: block $v ran $got, and " . join(' ', keys %want)
            . ' at ' . join ' ', sort keys %at if !$want{$got};
    }
    return @wrong;
}

sub compare_tree {
    my ($first, $ir, $tree, $left) = @_;
    my @wrong;

    for my $name (sort keys %{$first->{function}}) {
        my ($ours, $theirs) = ($first->{function}{$name}, $tree->{$name});
        my $why = !$theirs ? 'of clang or the system'
            : $ours->{twice} || $theirs->{twice} ? 'two of one name'
            : $left->{$name};
        $not{functions}{$why}++, next if $why;
        $same{functions}++;
        push @wrong, map { "$name: $_" }
            differences('calls', {'' => $ours->{count}{calls}}, {'' => $theirs->{count}});
        my $in_ir = $ir->{$name};
        my $ours_on = $in_ir && $in_ir->{fits} ? our_decisions($ours, $in_ir) : {};
        my $theirs_on = tree_decisions($theirs);
        $why = !$in_ir || !$in_ir->{fits} ? 'not comparable by edges'
            : $in_ir->{odd} ? 'has ways that clang does not count'
            : has_own_decisions($ours_on, $theirs_on) ? 'decides what nobody wrote' : undef;
        $not{blocks}{$why} += @{$ours->{to}}, next if $why;
        push @wrong, compare_decisions($name, $ours_on, $theirs_on),
            compare_regions($name, $ours, $in_ir->{block}, $theirs);
    }
    return @wrong;
}

# --- one program ------------------------------------------------------------------

# The counts of all tools for one program. Dies if one of them fails.
sub gather {
    my ($file, $head) = @_;
    my %it = (name => basename($file));

    $it{left} = {map { ($_ => 'left in the middle') } @{$head->{abandons}},
        @{$head->{trapped}}};
    for my $build (@builds) {
        my $got = trod_counts($file, $head, @$build);
        $it{unfit} = $got->{status} & 127 ? 'does not end well'
            : $got->{nprofile} > 1 ? 'several processes' : undef;
        return \%it if $it{unfit};
        push @{$it{got}}, {%$got, label => "@{$build->[0]} @{$build->[1]}"};
    }
    ($it{ir}, $it{ir_printed}) = ir_counts($file, $head);
    ($it{tree}, $it{tree_printed}) = tree_counts($file, $head);
    for my $coroutine (grep { $it{ir}{$_}{coroutine} } keys %{$it{ir}}) {
        $it{left}{$coroutine} = 'resumed on the path it was suspended on';
    }
    return \%it;
}

# For each comparison: its name, and the differences.
sub judge {
    my ($it) = @_;
    my ($name, $first, $left) = @$it{qw(name got left)};
    my @others;

    for my $i (1 .. $#$first) {
        push @others, compare_builds([@$first[0 .. $i - 1]], $first->[$i], $left);
    }
    $first = $first->[0];
    my %in_ir = (%$left, %{$doubt{$name} // {}});
    my %in_tree = (%in_ir, %{$tree_doubt{$name} // {}});
    my %printed = map { ($_ => $it->{$_} ne $first->{printed} ? ["it prints $it->{$_}"] : []) }
        qw(ir_printed tree_printed);
    return (['in other builds', @others],
        ['by edges', @{$printed{ir_printed}}, compare_ir($first, $it->{ir}, \%in_ir)],
        ['by regions', @{$printed{tree_printed}},
            compare_tree($first, $it->{ir}, $it->{tree}, \%in_tree)]);
}

sub program {
    my ($file, $head) = @_;
    my $it = eval { gather($file, $head) };

    return report(basename($file), $@) if !$it;
    $not{programs}{$it->{unfit}}++, return if $it->{unfit};
    $same{programs}++;
    for my $verdict (judge($it)) {
        my ($how, @wrong) = @$verdict;
        report("$it->{name} $how", @wrong);
    }
    plant($it) if $it->{name} eq 'loops.c';
}

# Planted faults: one call, one execution of a block or one of an edge too many. Every comparison must find them.
sub plant {
    my ($it) = @_;
    my $count = $it->{got}[0]{function}{skip_some}{count};

    for my $fault (['a call', \$count->{calls}], ['a block', \$count->{block}{6}],
        ['an edge', \$count->{edge}{'2 3'}]) {
        my ($what, $number) = @$fault;
        local (%same, %not);
        $$number++;
        report("$what too many is found $_->[0]", @$_ > 1 ? () : 'it is not') for judge($it);
        $$number--;
    }
}

# --- all of them ------------------------------------------------------------------

my @quick = qw(loops.c switch.c short_circuit.c templates.cc json.c);

# Each: a file, its head, and its input.
sub programs {
    my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ } glob "$here/program/*.c $here/program/*.cc";
    my @out = map { my $file = $_; [$file, read_head($file), '/dev/null'] } @files;
    my $json = "$here/../example/json.c";
    my %head = %{read_head($json)};

    push @out, [$json, \%head, 'rows.json'];
    for my $seed (1001 .. 1008) {
        push @out, ["seed$seed.c", {%head, flags => ['-I/usr/include/csmith']}, '/dev/null'];
    }
    return @out;
}

sub write_rows {
    open my $out, '>', 'rows.json' or die "rows.json: $!\n";
    print $out "[\n";
    for my $i (0 .. 999) {
        print $out $i ? ',' : '', qq({"id": $i, "name": "row \\"$i\\"", "share": ), -$i / 7,
            ', "tags": [', $i % 3 ? '"a", "b"' : '', '], "on": ', $i % 5 ? 'true' : 'null', "}\n";
    }
    print $out "]\n";
    close $out;
}

# Minimum in a quarter of the full run, and in the quick run.
my %least = (
    programs => [9, 5],
    builds => [900, 90],
    edges => [600, 450],
    functions => [40, 40],
    decisions => [60, 80],
    blocks => [200, 200],
);

write_rows();
my @programs = programs();
for my $i (0 .. $#programs) {
    my ($file, $head, $reads) = @{$programs[$i]};
    next if !is_chosen(basename($file), $i, \@quick, $part, $parts);
    $input = $reads;
    must('csmith', '--seed', $1, qw(--max-funcs 6 --max-block-depth 4 --concise -o), $file)
        if $file =~ /^seed(\d+)/;
    program($file, $head);
}
totals(\%least, \%same, \%not, $parts);
finish();
