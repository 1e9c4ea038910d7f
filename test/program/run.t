#!/usr/bin/perl
# Whole programs: what trod counts is what ran.
#
#     run.t [--part=I/N] [WORD...]
#
# Each program of this folder is built plain, instrumented, and with the oracle
# that logs every block (port/llvm/oracle.c).  Instrumented it must print and
# return what it does plain; its counts must be those that `derive` finds in the
# oracle's log.  Only programs whose name contains one of the words are run;
# every mode for every program with TROD_FULL=1.
#
# A program says in comments at its head what it needs:
#
#     // flags: -pthread          for compiler and linker
#     // with: other_part.c       a second unit
#     // library: some_part.c     built as ./some_part.so, for dlopen
#     // linked: some_part.c      the same, and linked with
#     // modes: static lto        besides -O0 and -O2, in the quick run
#     // abandons: main f         functions that are left in the middle of a path
use strict;
use warnings;
use Cwd qw(abs_path getcwd);
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use JSON::PP;

my $here = dirname(abs_path($0));
my $root = dirname(dirname($here));
my $trod = $ENV{TROD} // "$root/build/" . ($ENV{TROD_CONFIG} // 'release') . '/trod';
my ($part, $parts) = (1, 1);
($part, $parts) = ($1, $2) if @ARGV && $ARGV[0] =~ m{^--part=(\d+)/(\d+)$} && shift @ARGV;
my $tmp = tempdir(CLEANUP => !$ENV{TROD_KEEP});
chdir $tmp or die "$tmp: $!\n";
delete @ENV{grep { /^TROD_(?!FULL|PLANT|KEEP)/ } keys %ENV};
$ENV{LC_ALL} = 'C';

# --- modes ------------------------------------------------------------------------

# Of each: options of trod's own, and of the compiler.
my @modes = (
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
    [codethin => ['--at=code'], ['-O2', '-flto=thin', '-fuse-ld=lld']],
    [guards => [], ['-O2', '-fstack-protector-all', '-fcf-protection', '-D_FORTIFY_SOURCE=2']],
    [linker => [], ['-O2', '-g', '-fdata-sections', '-ffunction-sections', '-fuse-ld=lld',
        '-Wl,--gc-sections', '-Wl,--icf=all']],
    [asan => [], ['-O1', '-fsanitize=address']],
    [ubsan => [], ['-O1', '-fsanitize=undefined']],
);
my %always = map { ($_ => 1) } qw(O0 O2);
my %asked = map { ($_ => 1) } qw(asan ubsan); # sanitizers see signals and exits first

my $have_lld = grep { -x "$_/ld.lld-19" } split /:/, $ENV{PATH};

# --- TAP --------------------------------------------------------------------------

my $count = 0;
my $bad = 0;

sub report {
    my ($name, @wrong) = @_;

    $count++;
    $bad++ if @wrong;
    print @wrong ? 'not ' : '', "ok $count - $name\n";
    # prove shows what goes to stderr, and hides comments.
    if (@wrong) {
        splice @wrong, 8, @wrong, '...' if @wrong > 9;
        print STDERR "# failed: $name\n", map { "#   $_\n" } map { split /\n/ } @wrong;
    }
}

# --- building and running ---------------------------------------------------------

# What a command printed, and its status as wait has it.
sub run {
    my ($cwd, @command) = @_;
    my $pid = open my $out, '-|';

    die "fork: $!\n" if !defined $pid;
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
    my %head = map { ($_ => []) } qw(flags with library linked modes abandons);

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

    return $cxx ? 'clang++-19' : 'clang-19' if $kind eq 'plain';
    return ($trod, $cxx ? 'c++' : 'cc', @$own);
}

# A program, and its library if it has one; the folder they are in.
sub build {
    my ($kind, $file, $head, $own, $flags) = @_;
    my $folder = basename($file) . ".$kind";
    my @oracle = $kind eq 'oracle' ? "$tmp/oracle_rt.o" : ();

    make_path($folder);
    local $ENV{TROD_ORACLE} = 1 if @oracle;
    delete $ENV{TROD_ORACLE} if !@oracle;
    my @linked = map { "$folder/" . s/\.\w+$/.so/r } @{$head->{linked}};
    for my $library (@{$head->{library}}, @{$head->{linked}}) {
        my @shared = grep { !/^-(static|no-pie|fno-pie)/ } @$flags;
        my $name = $library =~ s/\.\w+$/.so/r;
        must(compiler($kind, $library, $own), @shared, '-w', @{$head->{flags}}, '-fPIC',
            '-shared', "-Wl,-soname,$name", "$here/$library", @oracle, '-o', "$folder/$name");
    }
    push @linked, '-Wl,-rpath,$ORIGIN' if @linked;
    must(compiler($kind, $file, $own), @$flags, '-w', @{$head->{flags}}, $file,
        (map { "$here/$_" } @{$head->{with}}), @linked, @oracle, '-o', "$folder/program");
    return $folder;
}

sub binaries { return glob "$_[0]/program $_[0]/*.so" }

sub map_of {
    my ($binary) = @_;

    must('objcopy', '-O', 'binary', '--only-section=.trod.map',
        '--set-section-flags', '.trod.map=alloc', $binary, "$binary.map");
    # Where lld links it is compressed: 24 bytes of head, whose type is 2, and zstd.
    if (text_of("$binary.map") =~ /^\x02\x00\x00\x00/) {
        must('sh', '-c', 'tail -c +25 "$1" | zstd -dcq >"$1.text"', 'sh', "$binary.map");
        return "$binary.map.text";
    }
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
        /^(\w+)\t(.*)\t(\d+)\t(.*)$/ or die "derive: $_\n";
        $found{$1}{$2}{$4} = $3;
    }
    return (\%found, @ran);
}

sub trod_says {
    my ($folder) = @_;
    my %count;

    make_path("$folder/out");
    local $ENV{TROD_OUT} = 'out/%e.%p.%m.trod';
    my @ran = run($folder, './program');
    my @profiles = glob "$folder/out/*";
    die "no profile\n" if !@profiles;
    my $json = must($trod, 'report', '--quiet', '--json', '--blocks', '--most=1000000',
        (map { "--binary=$_" } binaries($folder)), @profiles);
    my $report = decode_json($json)->{report};
    for my $row (@{$report->{hot}}) {
        my $blocks = $row->{blocks} =~ s/~\d+//gr;
        $count{$row->{function}}{$blocks} += $row->{count};
    }
    return (\%count, $report->{notes}, @ran);
}

# What is wrong, if anything is.
sub compare {
    my ($oracle, $trod_count, $abandons) = @_;
    my %may = map { ($_ => 1) } @$abandons;
    my @wrong;

    for my $name (sort keys %{$oracle->{abandoned} // {}}) {
        push @wrong, "$name is left in the middle of "
            . join ', ', map { "'$_'" } sort keys %{$oracle->{abandoned}{$name}}
            if !$may{$name};
    }
    my %names = map { ($_ => 1) } map { keys %$_ } $oracle->{count} // {},
        $oracle->{maybe} // {}, $trod_count;
    for my $name (sort keys %names) {
        my $sure = $oracle->{count}{$name} // {};
        my $maybe = $oracle->{maybe}{$name} // {};
        my $begun = $oracle->{abandoned}{$name} // {};
        my %blocks = map { ($_ => 1) } keys %$sure, keys %{$trod_count->{$name} // {}};
        for my $path (sort keys %blocks) {
            my $least = $sure->{$path} // 0;
            my $most = $least + ($maybe->{$path} // 0);
            $most += $begun->{$_} for grep { "$path " =~ /^\Q$_\E / } keys %$begun;
            my $got = $trod_count->{$name}{$path} // 0;
            my $want = $least == $most ? $least : "$least..$most";
            push @wrong, "$name: '$path' counted $got, ran $want"
                if $got < $least || $got > $most;
        }
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
    my ($counts, $notes, @counted) = trod_says($counting);
    push @wrong, "prints\n$counted[0]and not\n$plain->[0]" if $counted[0] ne $plain->[0];
    push @wrong, "status $counted[1], not $plain->[1]" if $counted[1] != $plain->[1];
    push @wrong, "with the oracle it prints\n$logged[0]" if $logged[0] ne $plain->[0];
    push @wrong, "the oracle's map is another"
        if maps_text($counting) ne maps_text($logging);
    push @wrong, "note: $_" for map { ref $_ ? encode_json($_) : $_ } @$notes;
    push @wrong, compare($oracle, $counts, $head->{abandons});
    return @wrong;
}

sub program {
    my ($file) = @_;
    my $head = read_head($file);
    my $name = basename($file);
    my %mode = (%always, map { ($_ => 1) } @{$head->{modes}});
    my $plain = eval { [run(build('plain', $file, $head, [], ['-O2']), './program')] };

    return report("$name plain", $@) if !$plain;
    return report("$name plain", 'it prints nothing') if $plain->[0] eq '';
    for my $mode (@modes) {
        my ($word, $own, $flags) = @$mode;
        next if !$mode{$word} && (!$ENV{TROD_FULL} || $asked{$word});
        # A program with a library cannot be static.
        next if (@{$head->{library}} || @{$head->{linked}}) && $word =~ /^(static|pie)$/;
        if ("@$flags" =~ /ld=lld/ && !$have_lld) {
            $count++;
            print "ok $count # SKIP $name $word: lld-19 is not installed\n";
            next;
        }
        my @wrong = eval { try($file, $head, $plain, $own, $flags) };
        report("$name $word", $@ ? $@ : @wrong);
        remove_tree("$name.trod", "$name.oracle") if !$ENV{TROD_KEEP};
    }
    remove_tree("$name.plain");
}

# A comparison that cannot fail is no evidence: without one event of the log, whichever, it must.
sub plant {
    my ($file) = @_;
    my $head = read_head($file);
    my $plain = [run(build('plain', $file, $head, [], ['-O2']), './program')];

    for my $event (2, 3, 10, 25, 40, 60) {
        local $ENV{TROD_PLANT} = $event;
        my @wrong = eval { try($file, $head, $plain, [], ['-O1']) };
        report("event $event is missed", @wrong || $@ ? () : 'it is not');
    }
}

my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ } glob "$here/*.c $here/*.cc";
@files = grep { my $f = basename($_); !@ARGV || grep { index($f, $_) >= 0 } @ARGV } @files;
my $number = 0;
must('clang-19', '-O2', '-fPIC', '-c', "$here/oracle_rt.c", '-o', 'oracle_rt.o');
for my $file (@files) {
    program($file) if $number++ % $parts == $part - 1;
}
plant("$here/loops.c") if $part == 1 && !@ARGV;
print "1..$count\n";
exit($bad ? 1 : 0);
