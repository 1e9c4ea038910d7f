#!/usr/bin/perl
# What trod derives for clang's counters is what clang's counters count, counter by counter.
#
#     counters.t [--part=I/N] [WORD...]
#
# Each program is built twice, by 'trod cc --counters' and by 'clang -fprofile-instr-generate', and both run.  Then
#
#     counters     'trod export --to=llvm' has the functions of clang's profile, their hashes, and every count
#     llvm-cov     says the same of both profiles, on clang's binary and on trod's
#     clang        takes trod's profile without a warning and makes of it, byte for byte, the object that it makes
#                  of its own
#
# A function that is left in the middle counts less by its paths: how often that was is told, and its counters must not be
# more than clang's.  Of a function that was promised to have no effects clang loses calls, for its counters are none to it:
# it must not have more than trod.  What cannot be compared is counted, by reason.  With words only programs whose name contains
# one; all of them and more levels with TROD_FULL=1.
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

# Counters that are in a file while they count: what runs after LLVM would have written them is in them, too.
my @counting = qw(-fprofile-instr-generate -mllvm -runtime-counter-relocation);

# Where clang's profile is not of the whole run: of programs at a level.
my $left_out = 'clang drops calls';
my $left_in = 'left in the middle';
my %doubt = (
    # Its third call, of which nobody wants the value, is in the code that clang makes without optimizing, but not selected.
    'pure.c -O0' => {square => $left_out},
    # No call of it is left when all is linked.
    'pure.c -O2 -flto -fuse-ld=lld' => {total => $left_out},
    'pure.c -O2 -flto=thin -fuse-ld=lld' => {total => $left_out},
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
        # What clang has of values follows; it has none of these.
        die "$file: $name lacks counters\n" if @{$count{"$name $hash"}} != $n;
    }
    return \%count;
}

# A child that ends by itself writes nothing, or over what its parent wrote.
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

# --- what is compared ----------------------------------------------------------------

# Whether counts are on the side of others that a reason allows.
sub is_within {
    my ($why, $ours, $theirs) = @_;
    my ($less, $more) = $why eq $left_in ? ($ours, $theirs) : $why eq $left_out ? ($theirs, $ours) : return 1;

    return !grep { $less->[$_] > $more->[$_] } 0 .. $#$less;
}

# What is wrong with counters, but for functions that there is a reason for; in $whole whether all were compared.
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

# What llvm-cov says, without its warning that the program is newer than the profile. Functions, and the branches of files, come
# as the linker put them.
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

# Why both runs are not of the same, if so.
sub unfit {
    my ($ours, $theirs) = @_;

    return $ours->{unfit} // $theirs->{unfit} // ($ours->{status} & 127 ? 'does not end well'
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
        map { ($_ => $left_in) } @{$head->{abandons}}, @{$head->{trapped}}, keys %{$ours->{left}});
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

# Any count that is one more must be noticed, and a function of another hash.
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
    report("$name: every count that is wrong is noticed", $missed ? "$missed are not" : ());
    my ($key) = sort keys %$ours;
    my $whole;
    my %other = %$ours;
    $other{"${key}1"} = delete $other{$key};
    report("$name: another hash is noticed",
        compare(\%other, $theirs, {}, \$whole) ? () : 'it is not');
}

# --- real programs -----------------------------------------------------------------------

# Programs that nobody here wrote, each part of the full run another: counters, and whole programs that clang makes. What
# is with a name makes two runs of two builds the same: lua's hashes begin with an address and the time, and it looks up strings by their addresses.
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

# By one name, whichever it is: bzip2 and lua work on their own.
sub real_run {
    my ($real, $program) = @_;

    rename $program, 'real.program' or die "$program: $!\n";
    must("$here/coverage/subject", $real->[0], 'run', map { abs_path('.') . "/$_" } 'input', 'result', 'real.program');
    rename 'real.program', $program or die "$program: $!\n";
}

# What clang's own program counts.
sub real_theirs {
    my ($real, $out) = @_;

    unlink glob 'real.*.raw';
    real_run($real, 'real.llvm');
    must('llvm-profdata-19', 'merge', '--text', '-o', $out, glob 'real.*.raw');
    return read_profile($out);
}

# If two runs of one program are not the same to clang, two of two programs prove nothing.
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
    my %left = map { ($_ => $left_in) } slurp('real.ours') =~ /^# \d+ activations? of (\S+) did not finish/mg;
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

# Least in a quarter of the full run, in the quick run.
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
