#!/usr/bin/perl
# Real programs: with CC="trod cc" as the only change they build, pass their own suites, and write sound profiles.
#
#     run.t [NAME...]
#
# Each file in this folder describes a program, whose source tools/source provides. It is a shell script: `build` and
# `suite` run in a copy of the source; `failures` may print the tests that failed, given the log. If a suite fails, it
# also runs without trod, and must fail in the same tests. Comments at the head say:
#
#     # names: f g              functions that the report must name
#     # skipped: h              those it must say were not counted; no others
#     # open: yes               it kills processes, or forks and executes: profiles may be open
#     # with: other             a second source, beside the first
#     # commands: tclsh         what must be installed
#
# TROD_KEEP=1 keeps the temporary folder, and prints its name.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Copy qw(copy);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(sum);
use lib dirname(dirname(abs_path(__FILE__))) . '/kit';
use Tap qw(report skip finish);

my $here = dirname(abs_path($0));
my $root = dirname(dirname($here));
my $tmp = tempdir(CLEANUP => !$ENV{TROD_KEEP});
chdir $tmp or die "$tmp: $!\n";
chmod 0755, $tmp; # for suites that are not for root
print "# in $tmp\n" if $ENV{TROD_KEEP};
delete @ENV{grep { /^TROD_(?!CORPUS|KEEP)/ } keys %ENV};
delete @ENV{qw(CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LIBS MAKEFLAGS MAKELEVEL MFLAGS)};
$ENV{LC_ALL} = 'C';
$ENV{PATH} = "$root/build/release:$ENV{PATH}";

# --- programs ---------------------------------------------------------------------

sub read_head {
    my ($file) = @_;
    my %head = map { ($_ => []) } qw(names skipped open with commands);

    open my $in, '<', $file or die "$file: $!\n";
    while (<$in>) {
        last if !/^#/;
        push @{$head{$1}}, split ' ', $2 if /^# (\w+): (.*)/ && $head{$1};
    }
    close $in;
    return \%head;
}

sub text_of {
    my ($file) = @_;

    open my $in, '<', $file or die "$file: $!\n";
    local $/ = undef;
    return <$in> // '';
}

# The standard output of a command, which must succeed.
sub output_of {
    my (@command) = @_;

    open my $out, '-|', @command or die "$command[0]: $!\n";
    my $text = do { local $/ = undef; <$out> };
    close $out or die "$command[0] $command[1]: status " . ($? >> 8) . "\n";
    return $text;
}

# Run a function of a program's file in a folder. Its output goes to $folder.$function.
sub act {
    my ($name, $function, $folder, %env) = @_;
    my $pid = fork // die "fork: $!\n";

    if (!$pid) {
        @ENV{keys %env} = values %env;
        open STDOUT, '>', "$folder.$function" or die "$folder.$function: $!\n";
        open STDERR, '>&', \*STDOUT;
        open STDIN, '<', '/dev/null';
        chdir $folder or die "$folder: $!\n";
        exec 'timeout', '-k', '10', '3600', 'bash', '-c',
            ". $here/prelude.sh; . $here/$name; $function" or die "bash: $!\n";
    }
    waitpid $pid, 0;
    return $?;
}

sub tail_of {
    my ($file) = @_;
    my @lines = split /\n/, text_of($file);

    splice @lines, 0, @lines - 15 if @lines > 15;
    return join "\n", 'the end of its talk:', @lines;
}

# A copy of the source, and of those beside it.
sub unpack_source {
    my ($way, $name, $head) = @_;

    make_path("$name/$way");
    for my $one ($name, @{$head->{with}}) {
        chomp(my $source = output_of("$root/tools/source", $one));
        system('cp', '-a', $source, "$name/$way/$one") == 0 or die "cp: status $?\n";
    }
    return "$tmp/$name/$way/$name";
}

my %compilers = (
    trod => {CC => 'trod cc', CXX => 'trod c++'},
    plain => {CC => 'clang-19', CXX => 'clang++-19'},
);

# --- checks -----------------------------------------------------------------------

sub json_of { return decode_json(output_of('trod', @_)) }

# The output of `trod check` for these files, which it prints even if it fails.
sub check { return @{decode_json(scalar qx{trod check --json --quiet @_ 2>check.log})->{files}} }

# A file that was cut between two sections looks like that of a process that was killed.
sub unsound {
    my ($open, @checked) = @_;
    my @wrong;

    for my $file (@checked) {
        my $what = basename($file->{file});
        push @wrong, "$what: $file->{error}" if $file->{error};
        push @wrong, "$what: damaged" if !$file->{error} && !$file->{sound};
        push @wrong, "$what: did not end in order" if $file->{open} && !$open;
        push @wrong, map { "$what: $_" } @{$file->{notes} // []};
    }
    return @wrong;
}

# Problems of a report: losses, paths without names, missing functions.
sub problems {
    my ($report, $head) = @_;
    my %seen = map { ($_->{function} => 1) } @{$report->{hot}};
    my @wrong = map { "note: " . (ref $_ ? encode_json($_) : $_) } @{$report->{notes}};

    push @wrong, "nothing ran" if !@{$report->{hot}};
    push @wrong, map { "$_->{function} =$_->{id}: no name, or no decisions" }
        grep { $_->{function} =~ /^\?/ || ($_->{path} // '') eq '' } @{$report->{hot}};
    push @wrong, map { "$_ is missing" } grep { !$seen{$_} } @{$head->{names}};
    return @wrong;
}

sub skipped {
    my ($report, $head) = @_;
    my %got = map { ($_->{function} => 1) } @{$report->{skipped}};
    my %want = map { ($_ => 1) } @{$head->{skipped}};

    return ((map { "$_ is skipped" } grep { !$want{$_} } sort keys %got),
        (map { "$_ is not skipped" } grep { !$got{$_} } sort keys %want));
}

sub size_of {
    my (@files) = @_;
    my $sum = 0;

    $sum += (stat)[12] * 512 for @files;
    return sprintf '%.1f MB', $sum / 1e6;
}

sub profiles {
    my ($name, $head, $out) = @_;
    my @files = sort glob "$out/*";

    return report("$name writes profiles", 'none') if !@files;
    print '# ', scalar @files, ' profiles, ', size_of(@files), ' on disk, largest ',
        size_of((sort { -s $b <=> -s $a } @files)[0]), "\n";
    my @checked = check(@files);
    print '# ', scalar(grep { $_->{open} } @checked), " of them did not end in order\n";
    report("$name: every profile is sound", unsound($head->{open}[0], @checked),
        @checked == @files ? () : scalar @checked . ' were checked');

    # A planted fault: the check must fail for half a profile.
    copy($files[0], 'cut.trod');
    truncate 'cut.trod', (-s 'cut.trod') / 2;
    report("$name: half a profile is not sound", unsound(0, check('cut.trod')) ? () : 'it is');

    report("$name: all profiles merge", eval { output_of('trod', 'merge', '-o', 'all.trod', @files); 1 } ? () : $@);
    print '# merged: ', -s 'all.trod', " bytes\n";
    my ($merged) = check('all.trod');
    report("$name: the sum is sound", unsound(0, $merged),
        $merged->{runs} == sum(map { $_->{runs} } @checked) ? () : "it is of $merged->{runs} runs");
    my $sum = reported('all.trod');

    # Of some profiles, as there may be thousands: the sum is that of its parts.
    @files = @files[0 .. 39] if @files > 40;
    output_of('trod', 'merge', '-o', 'some.trod', @files);
    report("$name: the report on the sum equals that on its parts",
        encode(reported('some.trod')) eq encode(reported(@files)) ? () : 'it is not');
    print "# $sum->{paths} paths of ", scalar keys %{{map { ($_->{function} => 1) } @{$sum->{hot}}}},
        " functions ran $sum->{total} times\n";
    report("$name: the report names functions and paths, and no loss", problems($sum, $head));
    report("$name: exactly the functions that were not counted are named", skipped($sum, $head));
}

sub reported { return json_of('report', '--json', '--quiet', '--all-code', '--most=10000000', @_)->{report} }

sub encode { return JSON::PP->new->canonical->encode($_[0]) }

# A suite that fails must also fail without trod, in the same tests.
sub compare_with_plain {
    my ($name, $head, $folder) = @_;
    my $plain = unpack_source('plain', $name, $head);
    my %env = (%{$compilers{plain}}, TROD_OUT => "$tmp/$name/plain.out/none");
    my @failed;

    make_path("$name/plain.out");
    act($name, 'build', $plain, %env);
    return 'it passes without trod', tail_of("$folder.suite") if !act($name, 'suite', $plain, %env);
    for my $log ("$folder.suite", "$plain.suite") {
        my $text = qx{bash -c '. $here/$name; failures' <$log};
        return 'which tests fail is not known', tail_of("$folder.suite") if $? || $text eq '';
        push @failed, $text;
    }
    print "# without trod: $_\n" for split /\n/, $failed[1];
    return $failed[0] eq $failed[1] ? () : "with trod:\n$failed[0]without:\n$failed[1]";
}

sub program {
    my ($name) = @_;
    my $head = read_head("$here/$name");

    for my $command (@{$head->{commands}}) {
        return skip($name, "$command is not installed")
            if !grep { -x "$_/$command" } split /:/, $ENV{PATH};
    }
    my $folder = eval { unpack_source('trod', $name, $head) };
    return skip($name, "no source: $@") if !$folder;
    my $out = "$tmp/$name/out";
    my %env = (%{$compilers{trod}}, TROD_OUT => "$tmp/$name/build.out/%e.%p.%m.trod");

    make_path($out, "$tmp/$name/build.out");
    my $start = time;
    my $status = act($name, 'build', $folder, %env);
    report("$name builds with trod", $status ? tail_of("$folder.build") : ()) or return;
    printf "# built in %d s\n", time - $start;
    $start = time;
    $env{TROD_OUT} = "$out/%e.%p.%m.trod";
    $status = act($name, 'suite', $folder, %env);
    printf "# suite ran for %d s\n", time - $start;
    report("$name passes its own suite" . ($status ? ', where it does without trod' : ''),
        $status ? compare_with_plain($name, $head, $folder) : ());
    $start = time;
    eval { profiles($name, $head, $out); 1 } or report("$name: profiles", $@);
    printf "# profiles were read in %d s\n", time - $start;
    remove_tree($name) if !$ENV{TROD_KEEP};
}

my @names = @ARGV ? @ARGV : map { basename($_) } grep { !/\./ } glob "$here/*";
program($_) for @names;
finish();
