# Whole programs against the oracle: what the tests of programs share.
#
# Loading it makes a temporary folder and goes there (TROD_KEEP=1 keeps it), cleans the
# environment, and builds the runtime of the oracle.
#
#     @modes      words, and what they mean to trod and to the compiler
#     @set_modes  the same for builds that count some paths, or look for others
#     @row_modes  the same for builds that count paths in a row
#     @step_modes the same for builds whose paths end at calls, too
#     @segment_modes  the same for builds that count paths across the calls in segments
#     try_mode    one program in one mode, told as one test; whether all is well
#     plant       the same with events of the log left out, and paths forgotten: each must be missed
#     use_clang   from then on programs are compiled by this version of clang
#     aim_at      from then on programs are for another machine, and run in its emulator
#     finish      the plan, and out
package Oracle;
use strict;
use warnings;
use Cwd qw(abs_path);
use Exporter qw(import);
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use JSON::PP;
use lib dirname(dirname(abs_path(__FILE__))) . '/kit', dirname(abs_path(__FILE__));
use Log;
use Tap qw(report skip finish);

our @EXPORT = qw(@modes @set_modes @row_modes @step_modes @segment_modes part_of report finish run must read_head build map_of
    trod_says try_mode plant aim_at use_clang);

my $here = dirname(abs_path(__FILE__));
my $root = dirname(dirname($here));
my $trod = $ENV{TROD} // "$root/build/" . ($ENV{TROD_CONFIG} // 'release') . '/trod';
my $tmp = tempdir(CLEANUP => !$ENV{TROD_KEEP});
chdir $tmp or die "$tmp: $!\n";
delete @ENV{grep { /^TROD_(?!FULL|EVERY|PLANT|KEEP)/ } keys %ENV};
$ENV{LC_ALL} = 'C';

# --- modes ------------------------------------------------------------------------

# Of each: options of trod's own, and of the compiler.
our @modes = (
    [O0 => [], ['-O0']],
    [O2 => [], ['-O2']],
    [O1 => [], ['-O1']],
    [O3 => [], ['-O3']],
    [Os => [], ['-Os']],
    [debug => [], ['-O1', '-g']],
    [code => ['--at=code'], ['-O2']],
    [code0 => ['--at=code'], ['-O0']],
    [code3 => ['--at=code'], ['-O3', '-g']],
    [limit => ['--limit=40'], ['-O1']],
    [static => [], ['-O2', '-static']],
    [pie => [], ['-O2', '-static-pie']],
    [nopie => [], ['-O2', '-fno-pie', '-no-pie']],
    [pic => [], ['-O2', '-fPIC']],
    [sections => [], ['-O2', '-ffunction-sections', '-Wl,--gc-sections']],
    [lto => [], ['-O2', '-flto', '-fuse-ld=lld']],
    [thin => [], ['-O2', '-flto=thin', '-fuse-ld=lld']],
    [codelto => ['--at=code'], ['-O2', '-flto', '-fuse-ld=lld']],
    [whole => ['--whole-program'], ['-O2']],
    [whole0 => ['--whole-program'], ['-O0']],
    [wholecode => ['--whole-program', '--at=code'], ['-O3']],
    [codethin => ['--at=code'], ['-O2', '-flto=thin', '-fuse-ld=lld']],
    [guards => [], ['-O2', '-fstack-protector-all', '-fcf-protection', '-D_FORTIFY_SOURCE=2']],
    [linker => [], ['-O2', '-g', '-fdata-sections', '-ffunction-sections', '-fuse-ld=lld',
        '-Wl,--gc-sections', '-Wl,--icf=all']],
    [asan => [], ['-O1', '-fsanitize=address']],
    [ubsan => [], ['-O1', '-fsanitize=undefined']],
);

# Of each: what is done with a set of paths, and the same.
our @set_modes = (
    [residual => ['--tested'], ['-O2']],
    [untested => ['--untested-only', '--tested'], ['-O2']],
    [chosen => ['--paths'], ['-O2']],
    [residual0 => ['--tested'], ['-O0']],
    [untested0 => ['--untested-only', '--tested'], ['-O0']],
    [chosen0 => ['--paths'], ['-O0']],
    [hash => ['--plan=hash', '--tested'], ['-O2']],
    [prefer => ['--plan=preferential', '--tested'], ['-O1']],
    [select => ['--plan=selective', '--paths'], ['-O2']],
    [choseprefer => ['--plan=preferential', '--paths'], ['-O3']],
    [chosehash => ['--plan=hash', '--paths'], ['-Os']],
    [unhash => ['--plan=hash', '--untested-only', '--tested'], ['-O2']],
    [codetested => ['--at=code', '--tested'], ['-O2']],
    [codeuntested => ['--at=code', '--untested-only', '--tested'], ['-O2']],
    [codechosen => ['--at=code', '--paths'], ['-O2']],
    [ltountested => ['--untested-only', '--tested'], ['-O2', '-flto', '-fuse-ld=lld']],
    [wholeuntested => ['--whole-program', '--untested-only', '--tested'], ['-O2']],
    [thintested => ['--tested'], ['-O2', '-flto=thin', '-fuse-ld=lld']],
    [staticuntested => ['--untested-only', '--tested'], ['-O2', '-static']],
    [limittested => ['--limit=40', '--plan=hash', '--tested'], ['-O1']],
);

# Paths in a row; under a low limit nearly all of them are noted, and not counted.
our @row_modes = (
    [rounds2 => ['--iterations=2'], ['-O2']],
    [rounds3 => ['--iterations=3'], ['-O0']],
    [noted2 => ['--iterations=2', '--limit=8'], ['-O2']],
    [rounds8 => ['--iterations=8'], ['-O1']],
    [rounds20 => ['--iterations=2'], ['-O0']],
    [rounds32 => ['--iterations=3'], ['-O2']],
    [noted4 => ['--iterations=4', '--limit=40'], ['-O0']],
    [wholerounds => ['--whole-program', '--iterations=2'], ['-O2']],
    [rounds3lto => ['--iterations=3'], ['-O2', '-flto', '-fuse-ld=lld']],
);

# Of each: whether steps are noted in a row or counted, and the same.
our @step_modes = (
    [wpp => ['--wpp'], ['-O2']],
    [wpp0 => ['--wpp'], ['-O0']],
    [subpaths => ['--subpaths'], ['-O2']],
    [wpp1 => ['--wpp'], ['-O1', '-g']],
    [wpp3 => ['--wpp', '--limit=64'], ['-O3']],
    [subpaths0 => ['--subpaths'], ['-O0']],
    [wpplto => ['--wpp'], ['-O2', '-flto', '-fuse-ld=lld']],
    [wppthin => ['--wpp'], ['-O2', '-flto=thin', '-fuse-ld=lld']],
    [wppstatic => ['--wpp'], ['-O2', '-static']],
    [sublimit => ['--subpaths', '--limit=64'], ['-Os']],
);

# Of each: how deep segments are, and the same; --ran: not a list of segments but the subpaths that ran
# say which calls are gone into.
our @segment_modes = (
    [segments => ['--segments=1'], ['-O2']],
    [shared => ['--segments=1', '--code-limit=0'], ['-O2']],
    [segments2 => ['--segments=2'], ['-O2']],
    [segments0 => ['--segments=1', '--others'], ['-O0']],
    [segments20 => ['--segments=2', '--plan=all'], ['-O0']],
    [segments3 => ['--segments=3'], ['-O1', '-g']],
    [shared0 => ['--segments=1', '--code-limit=0'], ['-O0']],
    [shared2 => ['--segments=2', '--others', '--code-limit=0'], ['-O3']],
    [segall => ['--segments=2', '--others', '--plan=all'], ['-O2']],
    [segselect => ['--segments=1', '--plan=selective'], ['-O2']],
    [segprefer => ['--segments=2', '--others', '--plan=preferential'], ['-O1']],
    [seghash => ['--segments=2', '--plan=hash'], ['-Os']],
    [sharedprefer => ['--segments=1', '--code-limit=0', '--plan=preferential'], ['-O2']],
    [sharedhash => ['--segments=1', '--code-limit=0', '--plan=hash'], ['-O1']],
    [somecode => ['--segments=2', '--code-limit=60'], ['-O2']],
    [seglto => ['--segments=2', '--others'], ['-O2', '-flto', '-fuse-ld=lld']],
    [segthin => ['--segments=1'], ['-O2', '-flto=thin', '-fuse-ld=lld']],
    [segstatic => ['--segments=1'], ['-O2', '-static']],
    [seglimit => ['--segments=2', '--limit=64'], ['-O2']],
    [segran => ['--segments=1', '--ran'], ['-O2']],
    [segran2 => ['--segments=2', '--ran'], ['-O0']],
);

my $have_lld = grep { -x "$_/ld.lld-19" } split /:/, $ENV{PATH};

# --- parts ------------------------------------------------------------------------

# --part=I/N as the first of the arguments, which it is taken out of: which part of how many.
sub part_of {
    my ($arguments) = @_;

    return (1, 1) if !@$arguments || $arguments->[0] !~ m{^--part=(\d+)/(\d+)$};
    shift @$arguments;
    return ($1, $2);
}

# --- another compiler, another machine --------------------------------------------

my $clang = 19;
my @target; # options of the compiler
my @runner; # what ./program is run by

sub make_oracle {
    must("clang-$clang", @target, '-O2', '-fPIC', '-c', "$here/oracle_rt.c", '-o', "$tmp/oracle_rt.o");
}

sub use_clang {
    ($clang) = @_;
    $ENV{TROD_CLANG} = "clang-$clang";
    $ENV{TROD_CLANGXX} = "clang++-$clang";
}

# Options of the compiler, and an emulator with what that needs.
sub aim_at {
    (my $options, @runner) = @_;
    @target = @$options;
    make_oracle();
}

# --- building and running ---------------------------------------------------------

# What a command printed, and its status as wait has it.
sub run {
    my ($cwd, @command) = @_;
    my $pid = open my $out, '-|';

    die "fork: $!\n" if !defined $pid;
    unshift @command, @runner if $command[0] eq './program';
    if (!$pid) {
        open STDERR, '>&', \*STDOUT;
        chdir $cwd or die "$cwd: $!\n";
        exec 'timeout', '-k', '1', '60', @command or die "$command[0]: $!\n";
    }
    my $text = do { local $/ = undef; <$out> };
    close $out;
    return ($text // '', $?);
}

sub must {
    my (@command) = @_;
    my ($text, $status) = run('.', @command);

    die "@command: status $status\n$text" if $status;
    return $text;
}

sub read_head {
    my ($file) = @_;
    my %head = map { ($_ => []) } qw(flags with library linked modes abandons trapped guesses ifunc);

    open my $in, '<', $file or die "$file: $!\n";
    while (<$in>) {
        last if !m{^// (\w+): (.*)};
        die "$file: what is '$1'?\n" if !$head{$1};
        push @{$head{$1}}, split ' ', $2;
    }
    close $in;
    return \%head;
}

sub compiler {
    my ($kind, $file, $own) = @_;
    my $cxx = $file =~ /\.cc$/;

    return ($cxx ? "clang++-$clang" : "clang-$clang", @target) if $kind eq 'plain';
    return ($trod, $cxx ? 'c++' : 'cc', @$own, @target);
}

# A program, and its library if it has one; the folder they are in, with what the compiler said.
sub build {
    my ($kind, $file, $head, $own, $flags) = @_;
    my $folder = basename($file) . ".$kind";
    my $said = '';
    my @oracle = $kind eq 'oracle' ? "$tmp/oracle_rt.o" : ();

    make_path($folder);
    local $ENV{TROD_ORACLE} = 1 if @oracle;
    delete $ENV{TROD_ORACLE} if !@oracle;
    my @linked = map { "$folder/" . s/\.\w+$/.so/r } @{$head->{linked}};
    for my $library (@{$head->{library}}, @{$head->{linked}}) {
        my @shared = grep { !/^-(static|no-pie|fno-pie)/ } @$flags;
        my $name = $library =~ s/\.\w+$/.so/r;
        $said .= must(compiler($kind, $library, $own), @shared, '-w', @{$head->{flags}}, '-fPIC',
            '-shared', "-Wl,-soname,$name", "$here/$library", @oracle, '-o', "$folder/$name");
    }
    push @linked, '-Wl,-rpath,$ORIGIN' if @linked;
    $said .= must(compiler($kind, $file, $own), @$flags, '-w', @{$head->{flags}}, $file,
        (map { "$here/$_" } @{$head->{with}}), @linked, @oracle, '-o', "$folder/program");
    open my $out, '>', "$folder/said" or die "$folder/said: $!\n";
    print $out $said;
    close $out;
    return $folder;
}

sub binaries { return glob "$_[0]/program $_[0]/*.so" }

sub map_of {
    my ($binary) = @_;

    must($trod, 'split', '--text', '-o', "$binary.map", $binary);
    return "$binary.map";
}

sub text_of {
    my ($file) = @_;

    open my $in, '<', $file or die "$file: $!\n";
    local $/ = undef;
    return <$in>;
}

# --- both sides -------------------------------------------------------------------

# By kind, function, blocks: how often.
sub oracle_says {
    my ($folder) = @_;
    my %found;

    open my $log, '>', "$folder/log" or die "log: $!\n";
    close $log;
    local $ENV{TROD_ORACLE_LOG} = abs_path("$folder/log");
    my @ran = run($folder, './program');
    for (split /\n/, must('perl', "$here/derive", "$folder/log",
            map { map_of($_) } binaries($folder))) {
        /^(\w+)\t(.*)\t(-?\d+)\t(.*)$/ or die "derive: $_\n";
        $found{$1}{$2}{$4} = $3;
    }
    return (\%found, @ran);
}

sub report_of {
    my ($folder, @profiles) = @_;

    return decode_json(must($trod, 'report', '--quiet', '--json', '--all-code', '--blocks', '--most=1000000',
        (map { "--binary=$_" } binaries($folder)), @profiles))->{report};
}

# Parallel edges are not told apart.
sub blocks_of { return $_[0]{blocks} =~ s/~\d+//gr }

sub trod_says {
    my ($folder, $may_be_silent) = @_;
    my %count;

    make_path("$folder/out");
    local $ENV{TROD_OUT} = 'out/%e.%p.%m.trod';
    my @ran = run($folder, './program');
    my @profiles = glob "$folder/out/*";
    return ({}, {}, [], @ran) if !@profiles && $may_be_silent;
    die "no profile\n" if !@profiles;
    my $report = report_of($folder, @profiles);
    for my $row (@{$report->{hot}}) {
        $count{$row->{function}}{blocks_of($row)} += $row->{count};
    }
    my %left = map { ($_->{function} => 0) } @{$report->{left}};
    $left{$_->{function}} += $_->{begun} - $_->{ended} for @{$report->{left}};
    return (\%count, \%left, $report->{notes}, @ran);
}

# What is wrong, if anything is.  A function that is trapped is left where nobody could
# foresee it: its path may have been counted by then, and its being left is not seen.
sub compare {
    my ($oracle, $trod_count, $trod_left, $head) = @_;
    my %trapped = map { ($_ => 1) } @{$head->{trapped}};
    my %may = (%trapped, map { ($_ => 1) } @{$head->{abandons}});
    my @wrong;

    for my $name (sort keys %{$oracle->{abandoned} // {}}) {
        push @wrong, "$name is left in the middle of "
            . join ', ', map { "'$_'" } sort keys %{$oracle->{abandoned}{$name}}
            if !$may{$name};
    }
    my $ran = $oracle->{count} // {};
    my %names = map { ($_ => 1) } keys %$ran, keys %$trod_count;
    for my $name (sort keys %names) {
        my %blocks = map { ($_ => 1) } map { keys %{$_->{$name} // {}} } $ran, $trod_count;
        for my $path (sort keys %blocks) {
            my $want = $ran->{$name}{$path} // 0;
            my $got = $trod_count->{$name}{$path} // 0;
            my $most = $want;
            my $begun = $trapped{$name} ? $oracle->{abandoned}{$name} // {} : {};
            $most += $begun->{$_} for grep { "$path " =~ /^\Q$_\E / } keys %$begun;
            push @wrong, "$name: '$path' counted $got, ran $want"
                if $got < $want || $got > $most;
        }
    }
    my $left = $oracle->{left} // {};
    %names = map { ($_ => 1) } keys %$left, keys %$trod_left;
    for my $name (grep { !$trapped{$_} } sort keys %names) {
        my $want = $left->{$name}{'-'} // 0;
        my $got = $trod_left->{$name} // 0;
        push @wrong, "$name was left $want times, and $got are known" if $got != $want;
    }
    return @wrong;
}

# --- one program in one mode ------------------------------------------------------

sub maps_text {
    my ($folder) = @_;

    return join '', map { text_of(map_of($_)) =~ s/^command .*\n//gmr } binaries($folder);
}

sub try {
    my ($file, $head, $plain, $own, $flags) = @_;
    my $counting = build('trod', $file, $head, $own, $flags);
    my $logging = build('oracle', $file, $head, $own, $flags);
    my @wrong;

    my ($oracle, @logged) = oracle_says($logging);
    my ($counts, $left, $notes, @counted) = trod_says($counting);
    push @wrong, "prints\n$counted[0]and not\n$plain->[0]" if $counted[0] ne $plain->[0];
    push @wrong, "status $counted[1], not $plain->[1]" if $counted[1] != $plain->[1];
    push @wrong, "with the oracle it prints\n$logged[0]" if $logged[0] ne $plain->[0];
    push @wrong, "the oracle's map is another"
        if maps_text($counting) ne maps_text($logging);
    push @wrong, "note: $_" for map { ref $_ ? encode_json($_) : $_ } @$notes;
    push @wrong, compare($oracle, $counts, $left, $head);
    return @wrong;
}

sub try_mode {
    my ($name, $file, $head, $plain, $mode) = @_;
    my ($word, $own, $flags) = @$mode;

    if ("@$flags" =~ /ld=lld/ && !$have_lld) {
        skip("$name $word", 'lld-19 is not installed');
        return 1;
    }
    my $how = @$own && $own->[-1] =~ /^--(paths|tested)$/ ? \&try_set
        : @$own && $own->[0] =~ /^--segments=/ ? \&try_segments
        : @$own && $own->[0] eq '--wpp' ? \&try_steps : \&try;
    my @wrong = eval { $how->($file, $head, $plain, $own, $flags) };
    @wrong = ($@) if $@;
    report("$name $word", @wrong);
    remove_tree(map { basename($file) . ".$_" } qw(trod oracle set)) if !$ENV{TROD_KEEP};
    return !@wrong;
}

# --- sets of paths ----------------------------------------------------------------

# One of a few, always the same for the same words.
sub pick {
    my ($of, @words) = @_;

    return unpack('%32C*', join ' ', map { $_ x 3 } @words) % $of;
}

# From what a program with every path counted ran: a list with about half of it, and a few paths
# that did not run. By function: blocks that are in it; whether all of its paths are.
sub draw_set {
    my ($counting, $file) = @_;
    my (%in, %whole, %ran, $list);
    my @profiles = glob "$counting/out/*";

    for my $row (@{report_of($counting, @profiles)->{hot}}) {
        $ran{$row->{function}}{$row->{id}} = blocks_of($row);
    }
    for (split /\n/, must($trod, 'set', 'list', '--quiet', (map { "--binary=$_" } binaries($counting)), @profiles)) {
        if (!/^function /) {
            $list .= "$_\n" if !/^=/;
            next;
        }
        my ($npath) = / (\d+)$/;
        my ($name) = /^function ("(?:[^"\\]|\\.)*"|\S+) /;
        $name =~ s/\\(.)/$1/gs if $name =~ s/^"(.*)"$/$1/s;
        my $ids = $ran{$name} // {};
        my $mood = pick(8, $name); # most are halved; some are left out, some are whole
        my %chosen = map { ($_ => 1) } grep {
            $mood && ($mood == 1 || pick(2, $ids->{$_})) } keys %$ids;
        my $other = pick(1 << 20, $name, $npath) % $npath;
        $chosen{$other} = 1 if $mood && !exists $ids->{$other};
        next if !%chosen;
        $list .= join "\n", $_, (map { "=$_" } sort { $a <=> $b } keys %chosen), '';
        $in{$name}{$ids->{$_} // ''} = 1 for keys %chosen;
        $whole{$name} = 1 if keys %chosen == $npath;
    }
    open my $out, '>', $file or die "$file: $!\n";
    print $out $list;
    close $out;
    return (\%in, \%whole);
}

# How often a build with a set may count a path that ran so often.
sub expect {
    my ($want, $in, $whole, $name, $path, $ran) = @_;
    my $of_it = $in->{$name}{$path};

    return $of_it ? $ran : (0, $ran) if $want eq '--paths';
    return 0 if $whole->{$name};
    return $of_it && $want eq '--untested-only' ? (0, $ran) : $ran;
}

sub compare_set {
    my ($want, $in, $whole, $oracle, $count, $head) = @_;
    my %trapped = map { ($_ => 1) } @{$head->{trapped}};
    my $ran = $oracle->{count} // {};
    my %names = map { ($_ => 1) } keys %$ran, keys %$count;
    my @wrong;

    for my $name (grep { !$trapped{$_} } sort keys %names) {
        my %blocks = map { ($_ => 1) } map { keys %{$_->{$name} // {}} } $ran, $count;
        for my $path (sort keys %blocks) {
            my $all = $ran->{$name}{$path} // 0;
            my $got = $count->{$name}{$path} // 0;
            my @may = expect($want, $in, $whole, $name, $path, $all);
            push @wrong, "$name: '$path' ran $all, counted $got, not " . join ' or ', @may
                if !grep { $got == $_ } @may;
        }
    }
    return @wrong;
}

sub try_set {
    my ($file, $head, $plain, $own, $flags) = @_;
    my @own = @$own;
    my $option = pop @own;
    my @common = grep { /^--(at|limit)=/ } @own;
    my $want = $option eq '--paths' ? $option : (grep { $_ eq '--untested-only' } @own)[0] // $option;
    my $counting = build('trod', $file, $head, \@common, $flags);
    my $logging = build('oracle', $file, $head, \@common, $flags);
    my @wrong;

    trod_says($counting);
    my ($in, $whole) = draw_set($counting, "$counting/set.list");
    my ($oracle) = oracle_says($logging);
    my $list = abs_path("$counting/set.list");
    my $chosen = build('set', $file, $head, [@own, '--partial', "$option=$list"], $flags);
    my ($counts, $left, $notes, @counted) = trod_says($chosen, 'may be silent');
    push @wrong, "prints\n$counted[0]and not\n$plain->[0]" if $counted[0] ne $plain->[0];
    push @wrong, "status $counted[1], not $plain->[1]" if $counted[1] != $plain->[1];
    push @wrong, "note: $_" for map { ref $_ ? encode_json($_) : $_ } @$notes;
    push @wrong, compare_set($want, $in, $whole, $oracle, $counts, $head);
    return @wrong;
}

# --- steps ------------------------------------------------------------------------

my @depths = (1, 2, 3);

# What derive_steps finds: {rows => [...], blind => {why => 1}}; segment, as they were, and piece, as
# they are told, by depth and steps: counts.
sub oracle_steps {
    my ($folder) = @_;
    my %found = (blind => {}, map { ($_ => {map { ($_ => {}) } @depths}) } qw(segment piece broken forked));
    my %row;

    open my $log, '>', "$folder/log" or die "log: $!\n";
    close $log;
    local $ENV{TROD_ORACLE_LOG} = abs_path("$folder/log");
    my @ran = run($folder, './program');
    for (split /\n/, must('perl', "$here/derive_steps", (map { "--depth=$_" } @depths), "$folder/log",
            map { map_of($_) } binaries($folder))) {
        my ($kind, $what, $steps) = split /\t/;
        $row{$what} = $steps if $kind eq 'row' || $kind eq 'told';
        $found{blind}{$steps =~ s/ .*//r} = 1 if $kind eq 'blind';
        $found{$kind}{$1}{$steps} = $2 if $what =~ /^(\d+) (\d+)$/;
    }
    $found{rows} = [sort values %row];
    return (\%found, @ran);
}

# Steps as derive_steps writes them; of paths that differ in parallel edges only, the first.
sub same_steps {
    my ($functions, $known, $text) = @_;

    return join ' ', map {
        if (/^("(?:[^"\\]|\\.)*"|[^"]+):(\d+)$/) {
            my ($name, $id) = ($1, $2);
            my $f = $functions->{$known->{$name} // die "no line 'function $name'\n"}
                // die "$name is not in the map\n";
            "$f->{shown}:" . same_id($f, $id);
        } else {
            $_;
        }
    } $text =~ /((?:"(?:[^"\\]|\\.)*"|[^\s"])+)/g;
}

# The sections of a text form with steps: lines by line, and who its functions are.
sub sections {
    my ($text) = @_;
    my @section;

    for (split /\n/, $text) {
        next if /^#/ || /^$/;
        if (/^(?:wpp|segments) /) {
            push @section, {known => {}, lines => []};
        } elsif (/^function ("(?:[^"\\]|\\.)*"|\S+) ([0-9a-f]{16}) /) {
            $section[-1]{known}{$1} = $2;
        } else {
            push @{$section[-1]{lines}}, $_;
        }
    }
    return @section;
}

# By depth or, if it is a profile of segments, by the one that was asked for: steps and counts.
sub trod_segments {
    my ($folder, @depth) = @_;
    my @from = from($folder);
    my $functions = read_maps(map { map_of($_) } binaries($folder));
    my %count = map { ($_ => {}) } @depth;

    for my $depth (@depth) {
        for my $section (sections(must($trod, 'calls', 'segments', '--quiet', "--depth=$depth", @from))) {
            for (@{$section->{lines}}) {
                my ($count, $steps) = /^(\d+) (.*)/ or die "what is '$_'?\n";
                $count{$depth}{same_steps($functions, $section->{known}, $steps)} += $count;
            }
        }
    }
    return \%count;
}

# Where a command reads what a program left.
sub from {
    my ($folder) = @_;

    return ((map { "--binary=$_" } binaries($folder)), glob "$folder/out/*");
}

sub run_trod {
    my ($folder) = @_;

    make_path("$folder/out");
    local $ENV{TROD_OUT} = 'out/%e.%p.%m.trod';
    return run($folder, './program');
}

sub trod_rows {
    my ($folder) = @_;
    my $functions = read_maps(map { map_of($_) } binaries($folder));
    my @rows = map { same_steps($functions, $_->{known}, join ' ', @{$_->{lines}}) }
        sections(must($trod, 'calls', 'steps', '--quiet', '--expand', from($folder)));

    return [sort grep { $_ ne '' } @rows];
}

sub compare_rows {
    my ($want, $got) = @_;
    my %count;
    my @wrong;

    $count{$_}++ for @$want;
    $count{$_}-- for @$got;
    my @missing = grep { $count{$_} > 0 } sort keys %count;
    my @extra = grep { $count{$_} < 0 } sort keys %count;
    push @wrong, @$got . ' threads are told, not ' . @$want if @$got != @$want;
    while (@missing && @extra) {
        push @wrong, parting(shift @missing, shift @extra);
    }
    push @wrong, map { "not told: '" . substr($_, 0, 200) . "'" } @missing;
    push @wrong, map { "told, but was not: '" . substr($_, 0, 200) . "'" } @extra;
    return @wrong;
}

sub compare_counts {
    my ($what, $want, $got) = @_;
    my %all = (%$want, %$got);

    return map { "$what: '$_' told " . ($got->{$_} // 0) . ', was ' . ($want->{$_} // 0) }
        grep { ($got->{$_} // 0) != ($want->{$_} // 0) } sort keys %all;
}

sub try_steps {
    my ($file, $head, $plain, $own, $flags) = @_;
    my $noting = build('trod', $file, $head, $own, $flags);
    my $logging = build('oracle', $file, $head, $own, $flags);
    my %may = map { ($_ => 1) } @{$head->{guesses}};
    my @wrong;

    my ($oracle, @logged) = oracle_steps($logging);
    my @noted = run_trod($noting);
    my $told = trod_segments($noting, @depths);
    push @wrong, "prints\n$noted[0]and not\n$plain->[0]" if $noted[0] ne $plain->[0];
    push @wrong, "status $noted[1], not $plain->[1]" if $noted[1] != $plain->[1];
    push @wrong, "with the oracle it prints\n$logged[0]" if $logged[0] ne $plain->[0];
    push @wrong, "the oracle's map is another" if maps_text($noting) ne maps_text($logging);
    push @wrong, map { "cannot be told as it was: $_" } grep { !$may{$_} } sort keys %{$oracle->{blind}};
    push @wrong, compare_rows($oracle->{rows}, trod_rows($noting));
    push @wrong, map { compare_counts("depth $_", $oracle->{piece}{$_}, $told->{$_}) } @depths;
    return @wrong;
}

# --- segments ---------------------------------------------------------------------

# All segments that ran or, if others are counted, too, three in four: into a file. By steps: whether it
# is there.
sub draw_segments {
    my ($folder, $depth, $others, $file) = @_;
    my $functions = read_maps(map { map_of($_) } binaries($folder));
    my $text = must($trod, 'calls', 'segments', '--quiet', "--depth=$depth", from($folder));
    my ($section) = sections($text);
    my %in;

    open my $out, '>', $file or die "$file: $!\n";
    for (split /\n/, $text) {
        my $steps = /^\d+ (.*)/ ? same_steps($functions, $section->{known}, $1) : undef;
        next if defined $steps && $others && @{$section->{lines}} > 4 && !pick(4, $steps);
        print $out "$_\n";
        $in{$steps} = 1 if defined $steps;
    }
    close $out;
    return \%in;
}

# Why calls are not followed in a followed caller, though they are elsewhere.
my $in_context = qr/^(?:what calls it is|the limit on code is reached$)/;

# What the compiler said about calls that it does not go into: by caller, block and callee, at any
# depth, or only in such a context.
sub left_out {
    my ($folder) = @_;
    my %left = (any => {}, deeper => {}, apart => {});

    for (split /\n/, text_of("$folder/said")) {
        # Two functions have this name, as in a program and its library: only one can be that of the segments.
        $left{apart}{$1} = 1 if /: '(\S+)' differs from the function of the given segments .*; no call in it or of it/;
        next if !/^trod: the call of (an unknown function|\S+) (?:in block (\d+) )?of (\S+) is not followed: (.*)/;
        my ($callee, $block, $caller, $why) = ($1, $2 // '*', $3, $4);
        next if $why eq 'it is deeper than the limit on frames';
        $callee = '*' if $callee eq 'an unknown function';
        $left{$why =~ $in_context ? 'deeper' : 'any'}{"$caller $block $callee"} = 1;
    }
    return \%left;
}

# Whether a segment goes through such a call; or ends, with calls to spare, before an indirect one
# of which nobody knows that it was to the outside.
sub is_left_out {
    my ($functions, $left, $most, $steps) = @_;
    my %by_name = map { ($_->{shown} => $_) } values %$functions;
    my $depth = 0;
    my ($site, $callee); # of the call that comes next

    for (split / /, $steps) {
        $depth++ if $_ eq '(';
        $depth-- if $_ eq ')';
        next if !/^(.*):(\d+)$/;
        my ($f, $id) = ($by_name{$1}, $2);
        return 1 if $left->{apart}{$f->{name}} && $steps =~ /\(/;
        for my $call (defined $site ? map { ("$_ $f->{name}", "$_ *") } $site, $site =~ s/\d+$/*/r : ()) {
            return 1 if $left->{any}{$call} || $depth > 1 && $left->{deeper}{$call};
        }
        my $end = end_of($f, $id);
        $callee = $f->{call}{$end} // $f->{last}{$end};
        $site = defined $callee ? "$f->{name} $end" : undef;
    }
    my $ncall = () = $steps =~ /\(/g;
    return $ncall < $most && ($callee // '') eq '*';
}

# Whether a listed segment overlaps one that ran and is not listed, so that a path may have both: such a path does not
# consist of listed segments, and is not counted. The record of a child of fork lacks segments that began in its parent.
sub overlaps_unlisted {
    my ($steps, $in, $ran) = @_;
    my @own = $steps =~ /(\S+:\d+)/g;

    for my $other (grep { !$in->{$_} } keys %$ran) {
        my @other = $other =~ /(\S+:\d+)/g;
        return 1 if grep({ $_ eq $own[0] } @other) || grep { $_ eq $other[0] } @own;
    }
    return 0;
}

sub try_segments {
    my ($file, $head, $plain, $own, $flags) = @_;
    my ($depth) = $own->[0] =~ /=(\d+)/;
    my @own = grep { $_ ne '--ran' } @$own[1 .. $#$own];
    my @common = grep { /^--limit=/ } @own;
    my $by_ran = @own < $#$own;
    my $only_listed = !$by_ran && !grep { $_ eq '--others' } @own;
    my $noting = build('trod', $file, $head, [$by_ran ? '--subpaths' : '--wpp', @common], $flags);
    my $logging = build('oracle', $file, $head, ['--wpp', @common], $flags);
    my ($in, @wrong);

    run_trod($noting);
    my ($oracle) = oracle_steps($logging);
    if ($by_ran) {
        $in = $oracle->{segment}{$depth};
        unshift @own, "--depth=$depth", map { '--segments=' . abs_path($_) } glob "$noting/out/*";
    } else {
        my $list = abs_path($noting) . '/list.segments';
        $in = draw_segments($noting, $depth, !$only_listed, $list);
        unshift @own, "--segments=$list";
    }
    return keys %{$oracle->{piece}{$depth}} ? 'no segment is told' : () if !%$in;
    my $counting = build('set', $file, $head, ['--explain', '--partial', @own], $flags);
    my @counted = run_trod($counting);
    my $ran = $oracle->{segment}{$depth};
    my @profiles = glob "$counting/out/*"; # none if nothing is counted
    my $got = @profiles ? trod_segments($counting, $depth)->{$depth} : {};
    my $functions = read_maps(map { map_of($_) } binaries($noting));
    my $left = left_out($counting);
    push @wrong, "prints\n$counted[0]and not\n$plain->[0]" if $counted[0] ne $plain->[0];
    push @wrong, "status $counted[1], not $plain->[1]" if $counted[1] != $plain->[1];
    my $nleft = 0;
    my %all = (%$in, %$got);
    my @aside = (@{$head->{trapped}}, @{$head->{ifunc}});
    for my $steps (sort keys %all) {
        my ($has, $was) = ($got->{$steps} // 0, $ran->{$steps} // 0);
        my $least = $was - ($oracle->{broken}{$depth}{$steps} // 0);
        my $most = $was + ($oracle->{forked}{$depth}{$steps} // 0);
        next if $has >= $least && $has <= $most || $has < $was && !$in->{$steps} || grep { $steps =~ /(?:^| )\Q$_\E:/ } @aside;
        next if $has < $was && is_left_out($functions, $left, $depth, $steps) && ++$nleft;
        next if $has < $was && $only_listed && overlaps_unlisted($steps, $in, $ran);
        push @wrong, ($in->{$steps} ? '' : 'not asked for: ') . "'$steps' counted $has, ran $was";
    }
    print '# ', scalar keys %$in, " segments, of which $nleft go into calls that are left out\n";
    return @wrong;
}

# --- faults -----------------------------------------------------------------------

# A comparison that cannot fail is no evidence: without one event of the log, whichever, it must; and so
# it must, of paths in a row but not of paths alone, when one is forgotten.
sub plant {
    my ($file, $head, @events) = @_;
    my $plain = [run(build('plain', $file, $head, [], ['-O2']), './program')];
    # What is wrong, from a fresh start: profiles of a run before would add up.
    my $wrong = sub {
        my ($try, @own) = @_;

        remove_tree(map { basename($file) . ".$_" } qw(trod oracle set));
        my @wrong = eval { $try->($file, $head, $plain, \@own, ['-O1']) };
        return $@ ? $@ : @wrong;
    };
    my $missed = sub { my ($name, @wrong) = @_; report($name, @wrong ? () : 'it is not') };

    for my $event (@events) {
        local $ENV{TROD_PLANT} = $event;
        $missed->("event $event is missed", $wrong->(\&try));
        $missed->("event $event is missed in a residual build", $wrong->(\&try_set, '--tested'));
        $missed->("event $event is missed in a row", $wrong->(\&try, '--iterations=2'));
        $missed->("event $event is missed in a whole program path", $wrong->(\&try_steps, '--wpp'));
        $missed->("event $event is missed in segments", $wrong->(\&try_segments, '--segments=1'));
    }
    for my $path (2, 7) {
        local $ENV{TROD_FORGET} = $path;
        report("path $path that is forgotten is not missed alone", $wrong->(\&try));
        $missed->("path $path that is forgotten is missed in a row", $wrong->(\&try, '--iterations=2'));
        $missed->("path $path that is forgotten is missed where rows are noted",
            $wrong->(\&try, '--iterations=3', '--limit=8'));
    }
    remove_tree(map { basename($file) . ".$_" } qw(plain trod oracle set)) if !$ENV{TROD_KEEP};
}

make_oracle();
1;
