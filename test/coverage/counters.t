#!/usr/bin/perl
# Compare the counters that trod derives for clang with clang's own, one by one.
#
#     counters.t [--part=I/N] [WORD...]
#
# Each program is built twice, by 'trod cc --counters' and by 'clang -fprofile-instr-generate', and both run.  Then
#
#     counters     'trod export --to=llvm' has the functions of clang's profile, their hashes, and every count
#     llvm-cov     prints the same for both profiles, with clang's binary and with trod's
#     clang        reads trod's profile without a warning and compiles the same object, byte for byte, as with its own
#
# Abandoned activations are missing in counts of paths: trod reports their number, and its counters must not exceed
# clang's. clang drops calls of pure functions, as it does not regard its counters as a side effect: there its counters
# must not exceed trod's. Functions that cannot be compared are counted, by reason. With words, only programs whose name
# contains one of them are tested. TROD_FULL=1 adds all other programs and more levels.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../program", $FindBin::Bin;
use Compared qw(is_chosen totals);
use Cwd qw(abs_path);
use File::Basename qw(basename);
use File::Path qw(make_path remove_tree);
use JSON::PP;
use Oracle qw(part_of report finish run must read_head build trod_says);

my $here = "$FindBin::Bin/..";
my $trod = $ENV{TROD} // "$here/../build/" . ($ENV{TROD_CONFIG} // 'release') . '/trod';
my ($part, $parts) = part_of(\@ARGV);
my @levels = (['-O0'], ['-O2']);
push @levels, ['-O1', '-g'], ['-O3'], ['-O2', '-flto', '-fuse-ld=lld'],
    ['-O2', '-flto=thin', '-fuse-ld=lld']
    if $ENV{TROD_FULL};

# Counters in a mapped file. They include code that runs after LLVM would have written them.
my @counting = qw(-fprofile-instr-generate -mllvm -runtime-counter-relocation);

# Functions for which clang's profile is incomplete, by program and level.
my $dropped = 'clang drops calls';
my $abandoned = 'abandoned activations';
my %doubt = (
    # The value of its third call is unused. At -O0 the call is in the IR, but instruction selection drops it.
    'pure.c -O0' => {square => $dropped},
    # Link-time optimization removes all its calls.
    'pure.c -O2 -flto -fuse-ld=lld' => {total => $dropped},
    'pure.c -O2 -flto=thin -fuse-ld=lld' => {total => $dropped},
);

our (%same, %not);

sub clang { return $_[0] =~ /\.cc$/ ? 'clang++-19' : 'clang-19' }

sub slurp {
    my ($file) = @_;

    open my $in, '<', $file or die "$file: $!\n";
    local $/ = undef;
    return scalar <$in>;
}

# --- profiles -----------------------------------------------------------------------

# Functions of a profile in text form: by name and hash, counts.
sub read_profile {
    my ($file) = @_;
    my @lines = grep { !/^(#|:|$)/ } split /\n/, slurp($file);
    my %count;

    while (@lines) {
        my ($name, $hash, $n) = splice @lines, 0, 3;
        $count{"$name $hash"} = [splice @lines, 0, $n];
        # Value profiles would follow; clang has none here.
        die "$file: $name lacks counters\n" if @{$count{"$name $hash"}} != $n;
    }
    return \%count;
}

# A child of fork writes nothing, or overwrites what its parent wrote.
sub theirs {
    my ($file, $head, $flags, $input) = @_;
    my $folder = build('plain', $file, $head, [],
        [@$flags, @counting, '-fcoverage-mapping', '-fprofile-update=atomic']);

    local $ENV{LLVM_PROFILE_FILE} = 'raw.%p.%m%c';
    open STDIN, '<', $input or die "$input: $!\n";
    my ($printed, $status) = run($folder, './program');
    my @raw = glob "$folder/raw.*";
    return {folder => $folder, unfit => 'clang writes no profile'} if !@raw;
    must('llvm-profdata-19', 'merge', @raw, '-o', "$folder/data");
    must('llvm-profdata-19', 'merge', '--text', "$folder/data", '-o', "$folder/text");
    return {folder => $folder, printed => $printed, status => $status, nraw => scalar @raw};
}

sub ours {
    my ($file, $head, $flags, $input) = @_;
    my $folder = build('trod', $file, $head, ['--counters'], $flags);

    open STDIN, '<', $input or die "$input: $!\n";
    my (undef, $left, undef, $printed, $status) = trod_says($folder, 1);
    my @profiles = glob "$folder/out/*";
    return {folder => $folder, unfit => 'no profile is left'} if !@profiles;
    must($trod, 'export', '--quiet', '--to=llvm', '-o', "$folder/text",
        (map { "--binary=$_" } glob "$folder/program $folder/*.so"), @profiles);
    must('llvm-profdata-19', 'merge', "$folder/text", '-o', "$folder/data");
    return {folder => $folder, left => $left, printed => $printed, status => $status,
        nprofile => scalar @profiles};
}

# --- comparing -----------------------------------------------------------------------

# Whether counts differ only in the direction that the reason allows.
sub is_within {
    my ($why, $ours, $theirs) = @_;
    my ($less, $more) = $why eq $abandoned ? ($ours, $theirs) : $why eq $dropped ? ($theirs, $ours) : return 1;

    return !grep { $less->[$_] > $more->[$_] } 0 .. $#$less;
}

# Returns the differences of counters, except for functions with a reason. $whole: whether all were compared.
sub compare {
    my ($ours, $theirs, $reasons, $whole) = @_;
    my @wrong;

    for my $key (sort keys %{{%$ours, %$theirs}}) {
        my ($function) = $key =~ /([^:]+) \d+$/;
        my ($a, $b) = ($ours->{$key}, $theirs->{$key});
        my $why = $reasons->{$function};
        $why //= 'not counted by trod' if !$a;
        if ($why) {
            $not{functions}{$why}++;
            $$whole = 0;
            push @wrong, "$key: @$a, and clang has @$b: more than '$why' explains" if $a && $b && !is_within($why, $a, $b);
            next;
        }
        push @wrong, "$key: clang has no such function" if !$b;
        next if !$b;
        $same{functions}++;
        $same{counters} += @$a;
        push @wrong, "$key: @$a, and clang has @$b" if "@$a" ne "@$b";
    }
    return @wrong;
}

# The output of llvm-cov, without its warning that the program is newer than the profile. The order of functions, and of
# the branches in files, is that of the linker.
sub coverage {
    my ($binary, $data) = @_;
    my $json = JSON::PP->new->canonical;
    my $text = must('llvm-cov-19', 'export', $binary, "-instr-profile=$data") =~ s/^warning:.*\n//mgr;
    my $said = $json->decode($text)->{data}[0];

    for my $list (\$said->{functions}, map { (\$_->{branches}, \$_->{expansions}) } @{$said->{files}}) {
        $$list = [sort map { $json->encode($_) } @{$$list}];
    }
    return $json->encode($said);
}

sub compare_coverage {
    my ($ours, $theirs) = @_;
    my $want = coverage("$theirs->{folder}/program", "$theirs->{folder}/data");
    my @wrong;

    push @wrong, "llvm-cov says otherwise of clang's program"
        if coverage("$theirs->{folder}/program", "$ours->{folder}/data") ne $want;
    push @wrong, "llvm-cov says otherwise of trod's program"
        if coverage("$ours->{folder}/program", "$ours->{folder}/data") ne $want;
    $same{coverage}++;
    return @wrong;
}

sub object {
    my ($file, $head, $data, $out) = @_;

    must(clang($file), '-O2', '-w', @{$head->{flags}}, "-fprofile-use=$data",
        '-Werror=profile-instr-out-of-date', '-Werror=profile-instr-unprofiled', '-c', $file, '-o', $out);
    return slurp($out);
}

sub compare_objects {
    my ($file, $head, $ours, $theirs) = @_;

    $same{objects}++;
    return object($file, $head, "$ours->{folder}/data", 'ours.o')
        eq object($file, $head, "$theirs->{folder}/data", 'theirs.o')
        ? () : 'objects differ';
}

# --- one program -----------------------------------------------------------------------

# Why the two runs cannot be compared, or undef.
sub unfit {
    my ($ours, $theirs) = @_;

    return $ours->{unfit} // $theirs->{unfit} // ($ours->{status} & 127 ? 'ended by a signal'
        : $ours->{nprofile} > $theirs->{nraw} ? 'several processes' : undef);
}

sub try {
    my ($file, $head, $flags, $input) = @_;
    my $name = basename($file);
    my ($ours, $theirs) = (ours($file, $head, $flags, $input), theirs($file, $head, $flags, $input));
    my $why = unfit($ours, $theirs);
    my $whole = 1;

    $not{programs}{$why}++, return if $why;
    $same{programs}++;
    my %reasons = (%{$doubt{"$name @$flags"} // {}},
        map { ($_ => $abandoned) } @{$head->{abandons}}, @{$head->{trapped}}, keys %{$ours->{left}});
    my ($a, $b) = map { read_profile("$_->{folder}/text") } $ours, $theirs;
    my @wrong = compare($a, $b, \%reasons, \$whole);
    push @wrong, "it prints $ours->{printed}, not $theirs->{printed}"
        if $ours->{printed} ne $theirs->{printed};
    if ($whole && !@wrong) {
        push @wrong, compare_coverage($ours, $theirs);
        push @wrong, compare_objects($file, $head, $ours, $theirs);
    }
    report("$name @$flags", @wrong);
    plant($name, $a, $b) if $name eq 'loops.c' && $flags->[0] eq '-O2';
}

# Planted faults: a count that is one too large, and a function with another hash.
sub plant {
    my ($name, $ours, $theirs) = @_;
    my $missed = 0;
    local (%same, %not);

    for my $counts (map { $ours->{$_} } sort keys %$ours) {
        for my $i (0 .. $#$counts) {
            my $whole;
            $counts->[$i]++;
            $missed += !compare($ours, $theirs, {}, \$whole);
            $counts->[$i]--;
        }
    }
    report("$name: every wrong count is found", $missed ? "$missed are not" : ());
    my ($key) = sort keys %$ours;
    my $whole;
    my %other = %$ours;
    $other{"${key}1"} = delete $other{$key};
    report("$name: a wrong hash is found",
        compare(\%other, $theirs, {}, \$whole) ? () : 'it is not');
}

# --- real programs -----------------------------------------------------------------------

# Third-party programs, one for each part of the full run: counters, and whole programs that clang compiles. The flags
# after a name make runs of two builds equal: lua seeds its hashes with an address and the time, and caches strings by
# address.
my @real = (
    ['bzip2'],
    ['lua', '-Dluai_makeseed(L)=1u', '-DSTRCACHE_N=1', '-DSTRCACHE_M=2'],
    ['zlib'],
    ['minisat'],
);

sub real_build {
    my ($real, $out, @compiler) = @_;
    my ($name, @flags) = @$real;

    must("$here/coverage/subject", $name, 'build', abs_path('.') . '/input', @compiler, '-O2', @flags, '-o',
        abs_path('.') . "/$out");
}

# Under one name for both builds: bzip2 and lua read their own file.
sub real_run {
    my ($real, $program) = @_;

    rename $program, 'real.program' or die "$program: $!\n";
    must("$here/coverage/subject", $real->[0], 'run', map { abs_path('.') . "/$_" } 'input', 'result', 'real.program');
    rename 'real.program', $program or die "$program: $!\n";
}

# The counters of clang's build.
sub real_theirs {
    my ($real, $out) = @_;

    unlink glob 'real.*.raw';
    real_run($real, 'real.llvm');
    must('llvm-profdata-19', 'merge', '--text', '-o', $out, glob 'real.*.raw');
    return read_profile($out);
}

# If two runs of clang's build differ, a comparison with trod's build proves nothing.
sub unlike {
    my ($a, $b) = @_;
    my @unlike = grep { "@{$a->{$_}}" ne "@{$b->{$_}}" } sort keys %$a;

    return @unlike ? "two runs of clang's own program differ: @unlike" : ();
}

sub real {
    my ($real) = @_;
    my $cxx = $real->[0] eq 'minisat';
    my $clang = $cxx ? 'clang++-19' : 'clang-19';

    real_build($real, 'real.trod', abs_path($trod), $cxx ? 'c++' : 'cc', '--counters');
    real_build($real, 'real.llvm', $clang, @counting);
    local $ENV{TROD_OUT} = abs_path('.') . '/real.%p.profile';
    local $ENV{LLVM_PROFILE_FILE} = abs_path('.') . '/real.%p%c.raw';
    real_run($real, 'real.trod');
    must($trod, 'export', '--quiet', '--to=llvm', '--binary=real.trod', '-o', 'real.ours', glob 'real.*.profile');
    my %left = map { ($_ => $abandoned) } slurp('real.ours') =~ /^# \d+ activations? of (\S+) did not finish/mg;
    my ($theirs, $again) = map { real_theirs($real, $_) } 'real.theirs', 'real.again';
    my $whole = 1;
    my @wrong = (unlike($theirs, $again), compare(read_profile('real.ours'), $theirs, \%left, \$whole));
    if ($whole && !@wrong) {
        for my $whose (qw(ours theirs)) {
            must('llvm-profdata-19', 'merge', '-o', "real.$whose.data", "real.$whose");
            real_build($real, "program.$whose", $clang, "-fprofile-use=" . abs_path("real.$whose.data"));
        }
        push @wrong, 'programs differ' if slurp('program.ours') ne slurp('program.theirs');
    }
    report("$real->[0]: " . ($whole ? 'counters and the program' : 'counters'), @wrong);
    unlink glob 'real.* program.*';
}

# --- all of them -------------------------------------------------------------------------

my @quick = qw(loops.c switch.c short_circuit.c templates.cc json.c lambdas.cc exceptions.cc shared.cc);

sub programs {
    my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ } glob "$here/program/*.c $here/program/*.cc";
    my @out = map { my $file = $_; [$file, read_head($file), '/dev/null'] } @files;
    my $json = "$here/../example/json.c";
    my %head = %{read_head($json)};

    push @out, [$json, \%head, 'rows.json'];
    for my $seed (2001, 2002, 2004 .. 2009) { # 2003 never ends
        push @out, ["seed$seed.c", {%head, flags => ['-I/usr/include/csmith']}, '/dev/null'];
    }
    return @out;
}

sub write_rows {
    open my $out, '>', 'rows.json' or die "rows.json: $!\n";
    print $out '[', join(",\n", map { qq({"id": $_, "on": ) . ($_ % 5 ? 'true' : 'null') . '}' } 0 .. 99),
        "]\n";
    close $out;
}

# Minimum in a quarter of the full run, and in the quick run.
my %least = (
    programs => [80, 14],
    functions => [600, 80],
    counters => [3000, 400],
    coverage => [50, 8],
    objects => [50, 8],
);

write_rows();
my @programs = programs();
for my $i (0 .. $#programs) {
    my ($file, $head, $input) = @{$programs[$i]};
    next if !is_chosen(basename($file), $i, \@quick, $part, $parts);
    must('csmith', '--seed', $1, qw(--max-funcs 6 --max-block-depth 4 --concise -o), $file)
        if $file =~ /^seed(\d+)/;
    for my $flags (@levels) {
        remove_tree(glob '*.trod *.plain');
        eval { try($file, $head, $flags, $input); 1 } or report(basename($file) . " @$flags", $@);
    }
}
for my $i (0 .. $#real) {
    next if @ARGV ? !grep { $real[$i][0] eq $_ } @ARGV : !$ENV{TROD_FULL} || $i % $parts != $part - 1;
    eval { real($real[$i]); 1 } or report($real[$i][0], $@);
}
totals(\%least, \%same, \%not, $parts);
finish();
