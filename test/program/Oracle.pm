# Compare whole programs with the oracle: what the tests of programs share.
#
# Loading this module creates a temporary folder, changes into it (TROD_KEEP=1 keeps it), cleans the
# environment, and builds the runtime of the oracle.
#
#     @modes          names of modes, with the options of trod and of the compiler
#     @set_modes      modes that count only some paths
#     @chain_modes    modes that count chains (--iterations)
#     @step_modes     modes in which paths also end at calls
#     @segment_modes  modes that count paths across the calls of segments
#     try_mode    test one program in one mode; true if it passes
#     plant       the same with planted faults (events and paths dropped from the log): each comparison must fail
#     use_clang   compile programs with this version of clang from now on
#     aim_at      compile programs for another machine, and run them in its emulator, from now on
#     finish      print the plan and exit
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

our @EXPORT = qw(@modes @set_modes @chain_modes @step_modes @segment_modes part_of report finish run must read_head
    build map_of trod_says try_mode plant aim_at use_clang);

my $here = dirname(abs_path(__FILE__));
my $root = dirname(dirname($here));
my $trod = $ENV{TROD} // "$root/build/" . ($ENV{TROD_CONFIG} // 'release') . '/trod';
my $tmp = tempdir(CLEANUP => !$ENV{TROD_KEEP});
chdir $tmp or die "$tmp: $!\n";
delete @ENV{grep { /^TROD_(?!FULL|EVERY|PLANT|KEEP)/ } keys %ENV};
$ENV{LC_ALL} = 'C';

# --- modes ------------------------------------------------------------------------

# A mode: its name, options of trod, options of the compiler.
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

# The last option of trod takes a set of paths.
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

# Chains. Under a low limit nearly all of them are recorded, not counted.
our @chain_modes = (
    [iterations2 => ['--iterations=2'], ['-O2']],
    [iterations3 => ['--iterations=3'], ['-O0']],
    [recorded2 => ['--iterations=2', '--limit=8'], ['-O2']],
    [iterations8 => ['--iterations=8'], ['-O1']],
    [iterations20 => ['--iterations=2'], ['-O0']],
    [iterations32 => ['--iterations=3'], ['-O2']],
    [recorded4 => ['--iterations=4', '--limit=40'], ['-O0']],
    [wholeiterations => ['--whole-program', '--iterations=2'], ['-O2']],
    [iterations3lto => ['--iterations=3'], ['-O2', '-flto', '-fuse-ld=lld']],
);

# The first option of trod says whether steps are recorded in order or counted.
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

# The first option is the depth of the segments. --ran: calls are followed on the subpaths that ran, instead of on those
# in a list of segments.
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

# If the first argument is --part=I/N, remove it. Returns (I, N), by default (1, 1).
sub part_of {
    my ($arguments) = @_;

    return (1, 1) if !@$arguments || $arguments->[0] !~ m{^--part=(\d+)/(\d+)$};
    shift @$arguments;
    return ($1, $2);
}

# --- another compiler, another machine --------------------------------------------

my $clang = 19;
my @target; # options of the compiler
my @runner; # the command that runs ./program

sub make_oracle {
    must("clang-$clang", @target, '-O2', '-fPIC', '-c', "$here/oracle_rt.c", '-o', "$tmp/oracle_rt.o");
}

sub use_clang {
    ($clang) = @_;
    $ENV{TROD_CLANG} = "clang-$clang";
    $ENV{TROD_CLANGXX} = "clang++-$clang";
}

# Arguments: options of the compiler, the emulator and its options.
sub aim_at {
    (my $options, @runner) = @_;
    @target = @$options;
    make_oracle();
}

# --- building and running ---------------------------------------------------------

# Run a command. Returns what it printed and its wait status.
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
    my %head = map { ($_ => []) } qw(flags with library linked modes abandons trapped ambiguous ifunc skips);

    open my $in, '<', $file or die "$file: $!\n";
    while (<$in>) {
        last if !m{^// (\w+): (.*)};
        die "$file: unknown key '$1' in the head\n" if !$head{$1};
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

# Build a program, and its library if it has one. Returns their folder; the file "said" there has the compiler's output.
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

# Run an oracle build. Returns counts by kind, function and blocks (derive), what the program printed and its status.
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

# Without the marks of parallel edges, which the oracle cannot distinguish.
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
    my %abandoned = map { ($_->{function} => 0) } @{$report->{left}};
    $abandoned{$_->{function}} += $_->{begun} - $_->{ended} for @{$report->{left}};
    return (\%count, \%abandoned, $report->{notes}, @ran);
}

# Returns the differences. A trap may abandon an activation at any instruction: by then its path may have been counted,
# and trod does not count the abandoned activation.
sub compare {
    my ($oracle, $trod_count, $trod_abandoned, $head) = @_;
    my %trapped = map { ($_ => 1) } @{$head->{trapped}};
    my %may = (%trapped, map { ($_ => 1) } @{$head->{abandons}});
    my @wrong;

    for my $name (sort keys %{$oracle->{unfinished} // {}}) {
        push @wrong, "$name: abandoned activation on an unfinished path, "
            . join ', ', map { "'$_'" } sort keys %{$oracle->{unfinished}{$name}}
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
            my $begun = $trapped{$name} ? $oracle->{unfinished}{$name} // {} : {};
            $most += $begun->{$_} for grep { "$path " =~ /^\Q$_\E / } keys %$begun;
            push @wrong, "$name: '$path' counted $got, ran $want"
                if $got < $want || $got > $most;
        }
    }
    my $abandoned = $oracle->{abandoned} // {};
    %names = map { ($_ => 1) } keys %$abandoned, keys %$trod_abandoned;
    for my $name (grep { !$trapped{$_} } sort keys %names) {
        my $want = $abandoned->{$name}{'-'} // 0;
        my $got = $trod_abandoned->{$name} // 0;
        push @wrong, "$name: $got abandoned activations are counted, $want were" if $got != $want;
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
    my ($counts, $abandoned, $notes, @counted) = trod_says($counting);
    push @wrong, "prints\n$counted[0]instead of\n$plain->[0]" if $counted[0] ne $plain->[0];
    push @wrong, "status $counted[1], expected $plain->[1]" if $counted[1] != $plain->[1];
    push @wrong, "the oracle build prints\n$logged[0]" if $logged[0] ne $plain->[0];
    push @wrong, "the oracle build has a different map"
        if maps_text($counting) ne maps_text($logging);
    push @wrong, "note: $_" for map { ref $_ ? encode_json($_) : $_ } @$notes;
    push @wrong, compare($oracle, $counts, $abandoned, $head);
    return @wrong;
}

sub try_mode {
    my ($name, $file, $head, $plain, $mode) = @_;
    my ($word, $own, $flags) = @$mode;

    if ("@$flags" =~ /ld=lld/ && !$have_lld) {
        skip("$name $word", 'lld-19 is not installed');
        return 1;
    }
    if (grep { $_ eq $word } @{$head->{skips}}) {
        skip("$name $word", 'the program is not to be tested in this mode');
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

# A number below $of, always the same for the same words.
sub pick {
    my ($of, @words) = @_;

    return unpack('%32C*', join ' ', map { $_ x 3 } @words) % $of;
}

# The name of the function in a line of a list; undef if it is of something else.
sub name_in_list {
    my ($name) = $_[0] =~ /^function ("(?:[^"\\]|\\.)*"|\S+) /;

    $name =~ s/\\(.)/$1/gs if defined $name && $name =~ s/^"(.*)"$/$1/s;
    return $name;
}

# From a profile of all paths, write a list of about half of the paths that ran, and of a few that did not. Returns by
# function: the blocks of listed paths; whether all of its paths are listed. Counts are compared by name, so nothing is
# listed of functions that share one, such as static ones in two files.
sub draw_set {
    my ($counting, $file) = @_;
    my (%in, %whole, %ran, %named, $list);
    my @profiles = glob "$counting/out/*";

    for my $row (@{report_of($counting, @profiles)->{hot}}) {
        $ran{$row->{function}}{$row->{id}} = blocks_of($row);
    }
    my @lines = split /\n/, must($trod, 'set', 'list', '--quiet', (map { "--binary=$_" } binaries($counting)), @profiles);
    $named{$_}++ for map { name_in_list($_) // () } @lines;
    for (@lines) {
        my $name = name_in_list($_);
        if (!defined $name) {
            $list .= "$_\n" if !/^=/;
            next;
        }
        next if $named{$name} > 1;
        my ($npath) = / (\d+)$/;
        my $ids = $ran{$name} // {};
        my $mood = pick(8, $name); # of most functions half is listed, of some nothing, of some everything
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

# The counts that a build with a set of paths may report for a path that ran $ran times.
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
    my @common = grep { /^--(?:(?:at|limit)=|whole-program$)/ } @own;
    my $want = $option eq '--paths' ? $option : (grep { $_ eq '--untested-only' } @own)[0] // $option;
    my $counting = build('trod', $file, $head, \@common, $flags);
    my $logging = build('oracle', $file, $head, \@common, $flags);
    my @wrong;

    trod_says($counting);
    my ($in, $whole) = draw_set($counting, "$counting/set.list");
    my ($oracle) = oracle_says($logging);
    my $list = abs_path("$counting/set.list");
    my $chosen = build('set', $file, $head, [@own, '--partial', "$option=$list"], $flags);
    my ($counts, $abandoned, $notes, @counted) = trod_says($chosen, 'may be silent');
    push @wrong, "prints\n$counted[0]instead of\n$plain->[0]" if $counted[0] ne $plain->[0];
    push @wrong, "status $counted[1], expected $plain->[1]" if $counted[1] != $plain->[1];
    push @wrong, "note: $_" for map { ref $_ ? encode_json($_) : $_ } @$notes;
    push @wrong, compare_set($want, $in, $whole, $oracle, $counts, $head);
    return @wrong;
}

# --- steps ------------------------------------------------------------------------

my @depths = (1, 2, 3);

# The output of derive_steps: {traces => [...], ambiguous => {why => 1}}, and the counts of segment, decoded_segment,
# unfinished and forked by depth and steps. A trace that is ambiguous is replaced by the decoded one.
sub oracle_steps {
    my ($folder) = @_;
    my %found = (ambiguous => {},
        map { ($_ => {map { ($_ => {}) } @depths}) } qw(segment decoded_segment unfinished forked));
    my %trace;

    open my $log, '>', "$folder/log" or die "log: $!\n";
    close $log;
    local $ENV{TROD_ORACLE_LOG} = abs_path("$folder/log");
    my @ran = run($folder, './program');
    for (split /\n/, must('perl', "$here/derive_steps", (map { "--depth=$_" } @depths), "$folder/log",
            map { map_of($_) } binaries($folder))) {
        my ($kind, $what, $steps) = split /\t/;
        $trace{$what} = $steps if $kind eq 'trace' || $kind eq 'decoded';
        $found{ambiguous}{$steps =~ s/ .*//r} = 1 if $kind eq 'ambiguous';
        $found{$kind}{$1}{$steps} = $2 if $what =~ /^(\d+) (\d+)$/;
    }
    $found{traces} = [sort values %trace];
    return (\%found, @ran);
}

# Steps in the form of derive_steps: of paths that differ only in parallel edges, the first stands for all.
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

# The sections of a text form with steps: their lines, and the hashes of their functions by name.
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

# Counts of segments, by depth and steps. A profile of segments has only the depth it was built for.
sub trod_segments {
    my ($folder, @depth) = @_;
    my @from = from($folder);
    my $functions = read_maps(map { map_of($_) } binaries($folder));
    my %count = map { ($_ => {}) } @depth;

    for my $depth (@depth) {
        for my $section (sections(must($trod, 'calls', 'segments', '--quiet', "--depth=$depth", @from))) {
            for (@{$section->{lines}}) {
                my ($count, $steps) = /^(\d+) (.*)/ or die "unknown line '$_'\n";
                $count{$depth}{same_steps($functions, $section->{known}, $steps)} += $count;
            }
        }
    }
    return \%count;
}

# Arguments of a command that reads the profiles of a program.
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

sub trod_traces {
    my ($folder) = @_;
    my $functions = read_maps(map { map_of($_) } binaries($folder));
    my @traces = map { same_steps($functions, $_->{known}, join ' ', @{$_->{lines}}) }
        sections(must($trod, 'calls', 'steps', '--quiet', '--expand', from($folder)));

    return [sort grep { $_ ne '' } @traces];
}

sub compare_traces {
    my ($want, $got) = @_;
    my %count;
    my @wrong;

    $count{$_}++ for @$want;
    $count{$_}-- for @$got;
    my @missing = grep { $count{$_} > 0 } sort keys %count;
    my @extra = grep { $count{$_} < 0 } sort keys %count;
    push @wrong, @$got . ' traces of threads, expected ' . @$want if @$got != @$want;
    while (@missing && @extra) {
        push @wrong, show_difference(shift @missing, shift @extra);
    }
    push @wrong, map { "missing trace: '" . substr($_, 0, 200) . "'" } @missing;
    push @wrong, map { "trace that no thread executed: '" . substr($_, 0, 200) . "'" } @extra;
    return @wrong;
}

sub compare_counts {
    my ($what, $want, $got) = @_;
    my %all = (%$want, %$got);

    return map { "$what: '$_' counted " . ($got->{$_} // 0) . ', ran ' . ($want->{$_} // 0) }
        grep { ($got->{$_} // 0) != ($want->{$_} // 0) } sort keys %all;
}

sub try_steps {
    my ($file, $head, $plain, $own, $flags) = @_;
    my $recording = build('trod', $file, $head, $own, $flags);
    my $logging = build('oracle', $file, $head, $own, $flags);
    my %may = map { ($_ => 1) } @{$head->{ambiguous}};
    my @wrong;

    my ($oracle, @logged) = oracle_steps($logging);
    my @recorded = run_trod($recording);
    my $segments = trod_segments($recording, @depths);
    push @wrong, "prints\n$recorded[0]instead of\n$plain->[0]" if $recorded[0] ne $plain->[0];
    push @wrong, "status $recorded[1], expected $plain->[1]" if $recorded[1] != $plain->[1];
    push @wrong, "the oracle build prints\n$logged[0]" if $logged[0] ne $plain->[0];
    push @wrong, "the oracle build has a different map" if maps_text($recording) ne maps_text($logging);
    push @wrong, map { "subpaths are ambiguous: $_" } grep { !$may{$_} } sort keys %{$oracle->{ambiguous}};
    push @wrong, compare_traces($oracle->{traces}, trod_traces($recording));
    push @wrong, map { compare_counts("depth $_", $oracle->{decoded_segment}{$_}, $segments->{$_}) } @depths;
    return @wrong;
}

# --- segments ---------------------------------------------------------------------

# Write a list of all segments that ran or, if other paths are counted too, of three in four. Returns the listed ones,
# by steps.
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

# The calls that the compiler reports as not followed, by caller, block and callee: `any`, at any depth; `deeper`, only
# in such a context; `differs`, by function, all calls in it and of it.
sub unfollowed_calls {
    my ($folder) = @_;
    my %unfollowed = (any => {}, deeper => {}, differs => {});

    for (split /\n/, text_of("$folder/said")) {
        # Two functions have this name, as in a program and its library. The segments belong to one of them.
        $unfollowed{differs}{$1} = 1
            if /: '(\S+)' differs from the function of the given segments .*; no call in it or of it/;
        next if !/^trod: the call of (an unknown function|\S+) (?:in block (\d+) )?of (\S+) is not followed: (.*)/;
        my ($callee, $block, $caller, $why) = ($1, $2 // '*', $3, $4);
        next if $why eq 'it is deeper than the limit on frames';
        $callee = '*' if $callee eq 'an unknown function';
        $unfollowed{$why =~ $in_context ? 'deeper' : 'any'}{"$caller $block $callee"} = 1;
    }
    return \%unfollowed;
}

# Whether a segment contains such a call; or ends, below the limit on calls, before an indirect call, whose callee may
# not be instrumented.
sub has_unfollowed_call {
    my ($functions, $unfollowed, $most, $steps) = @_;
    my %by_name = map { ($_->{shown} => $_) } values %$functions;
    my $depth = 0;
    my ($site, $callee); # of the next call

    for (split / /, $steps) {
        $depth++ if $_ eq '(';
        $depth-- if $_ eq ')';
        next if !/^(.*):(\d+)$/;
        my ($f, $id) = ($by_name{$1}, $2);
        return 1 if $unfollowed->{differs}{$f->{name}} && $steps =~ /\(/;
        for my $call (defined $site ? map { ("$_ $f->{name}", "$_ *") } $site, $site =~ s/\d+$/*/r : ()) {
            return 1 if $unfollowed->{any}{$call} || $depth > 1 && $unfollowed->{deeper}{$call};
        }
        my $end = end_of($f, $id);
        $callee = $f->{call}{$end} // $f->{last}{$end};
        $site = defined $callee ? "$f->{name} $end" : undef;
    }
    my $ncall = () = $steps =~ /\(/g;
    return $ncall < $most && ($callee // '') eq '*';
}

# Whether a listed segment overlaps one that ran and is not listed. A path that contains both does not consist of listed
# segments, and is not counted. The record of a child of fork lacks segments that began in its parent.
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
    my $recording = build('trod', $file, $head, [$by_ran ? '--subpaths' : '--wpp', @common], $flags);
    my $logging = build('oracle', $file, $head, ['--wpp', @common], $flags);
    my ($in, @wrong);

    run_trod($recording);
    my ($oracle) = oracle_steps($logging);
    if ($by_ran) {
        $in = $oracle->{segment}{$depth};
        unshift @own, "--depth=$depth", map { '--segments=' . abs_path($_) } glob "$recording/out/*";
    } else {
        my $list = abs_path($recording) . '/list.segments';
        $in = draw_segments($recording, $depth, !$only_listed, $list);
        unshift @own, "--segments=$list";
    }
    return keys %{$oracle->{decoded_segment}{$depth}} ? 'no segment is listed' : () if !%$in;
    my $counting = build('set', $file, $head, ['--explain', '--partial', @own], $flags);
    my @counted = run_trod($counting);
    my $ran = $oracle->{segment}{$depth};
    my @profiles = glob "$counting/out/*"; # none if nothing is counted
    my $got = @profiles ? trod_segments($counting, $depth)->{$depth} : {};
    my $functions = read_maps(map { map_of($_) } binaries($recording));
    my $unfollowed = unfollowed_calls($counting);
    push @wrong, "prints\n$counted[0]instead of\n$plain->[0]" if $counted[0] ne $plain->[0];
    push @wrong, "status $counted[1], expected $plain->[1]" if $counted[1] != $plain->[1];
    my $nunfollowed = 0;
    my %all = (%$in, %$got);
    my @aside = (@{$head->{trapped}}, @{$head->{ifunc}});
    for my $steps (sort keys %all) {
        my ($has, $was) = ($got->{$steps} // 0, $ran->{$steps} // 0);
        my $least = $was - ($oracle->{unfinished}{$depth}{$steps} // 0);
        my $most = $was + ($oracle->{forked}{$depth}{$steps} // 0);
        next if $has >= $least && $has <= $most || $has < $was && !$in->{$steps};
        next if grep { $steps =~ /(?:^| )\Q$_\E:/ } @aside;
        next if $has < $was && has_unfollowed_call($functions, $unfollowed, $depth, $steps) && ++$nunfollowed;
        next if $has < $was && $only_listed && overlaps_unlisted($steps, $in, $ran);
        push @wrong, ($in->{$steps} ? '' : 'not listed: ') . "'$steps' counted $has, ran $was";
    }
    print '# ', scalar keys %$in, " segments, of which $nunfollowed contain calls that are not followed\n";
    return @wrong;
}

# --- faults -----------------------------------------------------------------------

# A comparison that cannot fail proves nothing. It must fail if one event of the log is dropped. If a path is dropped
# from the chains after it, the comparison of chains must fail, and that of single paths must not.
sub plant {
    my ($file, $head, @events) = @_;
    my $plain = [run(build('plain', $file, $head, [], ['-O2']), './program')];
    # The differences. The folders are removed first: profiles of an earlier run would be added.
    my $wrong = sub {
        my ($try, @own) = @_;

        remove_tree(map { basename($file) . ".$_" } qw(trod oracle set));
        my @wrong = eval { $try->($file, $head, $plain, \@own, ['-O1']) };
        return $@ ? $@ : @wrong;
    };
    my $must_fail = sub { my ($name, @wrong) = @_; report($name, @wrong ? () : 'no difference is reported') };

    for my $event (@events) {
        local $ENV{TROD_PLANT} = $event;
        my $name = "event $event is dropped: the comparison of";
        $must_fail->("$name paths fails", $wrong->(\&try));
        $must_fail->("$name a residual build fails", $wrong->(\&try_set, '--tested'));
        $must_fail->("$name chains fails", $wrong->(\&try, '--iterations=2'));
        $must_fail->("$name whole program paths fails", $wrong->(\&try_steps, '--wpp'));
        $must_fail->("$name segments fails", $wrong->(\&try_segments, '--segments=1'));
    }
    for my $path (2, 7) {
        local $ENV{TROD_FORGET} = $path;
        my $name = "path $path is dropped from chains: the comparison of";
        report("$name single paths passes", $wrong->(\&try));
        $must_fail->("$name chains fails", $wrong->(\&try, '--iterations=2'));
        $must_fail->("$name recorded chains fails", $wrong->(\&try, '--iterations=3', '--limit=8'));
    }
    remove_tree(map { basename($file) . ".$_" } qw(plain trod oracle set)) if !$ENV{TROD_KEEP};
}

make_oracle();
1;
