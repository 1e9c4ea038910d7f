#!/usr/bin/perl
# Run case files: inputs, commands, and the text expected of each.
#
#     test/case/run.t [--accept] [FILE...]
#
# With no files, all of test/case/*/*.case.  --accept rewrites the expectations
# in place and prints which files changed; review the diff before you commit.
#
#     # What this case shows, in a line or two.
#     --- input diamond.graph
#     graph diamond
#     ...
#     --- run trod stage number diamond.graph
#     --- stdout
#     ...
#     --- run trod stage number --no-such-option diamond.graph
#     --- status 2
#
# Each `run` is one test: a shell command, run in a temporary directory that
# holds the inputs and that all runs of the case share, with the trod of the
# configuration under test on PATH.  What is left out is expected to be empty,
# and the status 0; only where the status is another and no `stderr` is given,
# anything may be said there.  The temporary directory and the top of the tree
# read <tmp> and <top> in what was printed.  A line of text that itself starts
# with "--- " is written with a backslash before it; a text that does not end
# with a newline is followed by the line "\no newline".
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);

my $seconds = 60;    # for one command, asan and a loaded machine included

my $top = dirname(dirname(dirname(abs_path($0))));
chdir $top or die "$top: $!\n";
my $accept = @ARGV && $ARGV[0] eq '--accept' && shift @ARGV;
my @files = @ARGV ? @ARGV : glob 'test/case/*/*.case';
my $config = $ENV{TROD_CONFIG} || 'release';

# A case must not depend on who runs it: nothing of the environment but this.
my %keep = map { $_ => $ENV{$_} }
    grep { defined $ENV{$_} } qw(ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS);
my %environment = (%keep, LC_ALL => 'C', TZ => 'UTC', TERM => 'dumb',
    PATH => "$top/build/$config:$ENV{PATH}");

sub slurp {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    local $/;
    return <$file> // '';
}

sub spew {
    my ($path, $text) = @_;
    open my $file, '>:raw', $path or die "$path: $!\n";
    print $file $text;
    close $file or die "$path: $!\n";
}

# A case: what stands before the first section, then the sections in order,
# each { kind, rest of its line, text }.
sub parse_case {
    my ($path) = @_;
    my ($head, @sections) = ('');
    for (split /^/m, slurp($path)) {
        if (/^--- (input|run|stdout|stderr|status)\b[ \t]*(.*)$/) {
            push @sections, { kind => $1, rest => $2, text => '' };
        } elsif (/^--- /) {
            die "$path: unknown section: $_";
        } elsif (@sections) {
            $sections[-1]{text} .= $_;
        } else {
            $head .= $_;
        }
    }
    for my $section (@sections) {
        $section->{text} =~ s/^\\(\\*--- )/$1/mg;
        $section->{text} =~ s/\n\\no newline\n\z//;
    }
    die "$path: no line says what it shows; begin with '# ...'\n"
        unless $head =~ /^#\s*\S/;
    return ($head, group_runs($path, @sections));
}

# Inputs and runs in order; the expectations belong to the run before them.
sub group_runs {
    my ($path, @sections) = @_;
    my @steps;
    for my $section (@sections) {
        die "$path: text under --- $section->{kind}; write --- stdout before it\n"
            if $section->{kind} =~ /^(?:run|status)$/ && $section->{text} =~ /\S/;
        if ($section->{kind} =~ /^(?:input|run)$/) {
            die "$path: --- $section->{kind} needs a word after it\n"
                unless length $section->{rest};
            push @steps, $section;
            next;
        }
        die "$path: --- $section->{kind} before any --- run\n"
            unless @steps && $steps[-1]{kind} eq 'run';
        die "$path: --- status needs a number\n"
            if $section->{kind} eq 'status' && $section->{rest} !~ /^\d+$/;
        my $value = $section->{kind} eq 'status' ? $section->{rest} : $section->{text};
        $steps[-1]{want}{$section->{kind}} = $value;
    }
    die "$path: no --- run\n" unless grep { $_->{kind} eq 'run' } @steps;
    return @steps;
}

sub quote_text {
    my ($text) = @_;
    $text =~ s/^(\\*--- )/\\$1/mg;
    $text .= "\n\\no newline\n" if length $text && $text !~ /\n\z/;
    return $text;
}

sub print_case {
    my ($head, @steps) = @_;
    my $out = $head;
    for my $step (@steps) {
        my $want = $step->{want} || {};
        $out .= "--- $step->{kind} $step->{rest}\n" . quote_text($step->{text});
        $out .= "--- stdout\n" . quote_text($want->{stdout}) if length($want->{stdout} // '');
        $out .= "--- stderr\n" . quote_text($want->{stderr}) if length($want->{stderr} // '');
        $out .= "--- status $want->{status}\n" if $want->{status};
    }
    return $out;
}

# Run one command; its stdout, stderr and status, with no machine's paths.
sub run_command {
    my ($command, $folder) = @_;
    my $spill = tempdir(CLEANUP => 1);
    my $child = fork // die "fork: $!\n";
    if (!$child) {
        %ENV = (%environment, HOME => $folder);
        chdir $folder or die;
        open STDIN, '<', '/dev/null' or die;
        open STDOUT, '>', "$spill/out" or die;
        open STDERR, '>', "$spill/err" or die;
        exec 'timeout', $seconds, 'sh', '-c', $command or die;
    }
    waitpid $child, 0;
    my %got = (status => $? & 127 ? 128 + ($? & 127) : $? >> 8,
        stdout => slurp("$spill/out"), stderr => slurp("$spill/err"));
    s/\Q$folder\E/<tmp>/g, s/\Q$top\E/<top>/g for @got{qw(stdout stderr)};
    return \%got;
}

sub show_difference {
    my ($what, $want, $got) = @_;
    my $folder = tempdir(CLEANUP => 1);
    spew("$folder/want", $want);
    spew("$folder/got", $got);
    my $diff = `diff -u --label "$what wanted" --label "$what got" $folder/want $folder/got`;
    $diff =~ s/^/#   /mg;
    print STDERR $diff;
}

sub matches {
    my ($name, $want, $got) = @_;
    my $status = $want->{status} // 0;
    my @wrong;
    push @wrong, 'stdout' if ($want->{stdout} // '') ne $got->{stdout};
    # A success prints nothing on stderr; a failure may print anything unless the case has an expectation.
    push @wrong, 'stderr'
        if (defined $want->{stderr} || $status == 0)
        && ($want->{stderr} // '') ne $got->{stderr};
    push @wrong, 'status' if $status != $got->{status};
    return 1 unless @wrong;
    print STDERR "# failed: $name\n";
    for my $what (@wrong) {
        my ($w, $g) = map { $_->{$what} // '' } $want, $got;
        ($w, $g) = (($w || 0) . "\n", "$g\n") if $what eq 'status';
        show_difference($what, $w, $g);
    }
    if (!grep { $_ eq 'stderr' } @wrong and length $got->{stderr}) {
        print STDERR map { "#   stderr: $_\n" } split /\n/, $got->{stderr};
    }
    return 0;
}

# What --accept makes of a run: stderr of a failure stays out unless asked for.
sub accepted {
    my ($want, $got) = @_;
    my %new = (stdout => $got->{stdout}, status => $got->{status});
    $new{stderr} = $got->{stderr} if defined $want->{stderr} || $got->{status} == 0;
    return \%new;
}

my ($count, $failed) = (0, 0);

sub report {
    my ($held, $name) = @_;
    $count++;
    $failed++ unless $held;
    print $held ? 'ok' : 'not ok', " $count - $name\n" unless $accept;
}

sub run_case {
    my ($path) = @_;
    my ($head, @steps) = parse_case($path);
    my $folder = abs_path(tempdir(CLEANUP => 1));
    (my $short = $path) =~ s{^.*test/case/|\.case$}{}g;
    for my $step (@steps) {
        if ($step->{kind} eq 'input') {
            spew("$folder/$step->{rest}", $step->{text});
            next;
        }
        my $name = "$short: $step->{rest}";
        $name =~ s/#/\\#/g;
        my $got = run_command($step->{rest}, $folder);
        if ($accept) {
            $step->{want} = accepted($step->{want} || {}, $got);
            print "$path: status $got->{status}: $step->{rest}\n"
                if $got->{status} >= 70;
        } else {
            report(matches($name, $step->{want} || {}, $got), $name);
        }
    }
    return unless $accept;
    my $new = print_case($head, @steps);
    return if $new eq slurp($path);
    spew($path, $new);
    print "accepted $path\n";
}

$| = 1;
for my $path (@files) {
    next if eval { run_case($path); 1 };
    # A case that cannot be read is a failure, not the end of the others.
    print STDERR "# $@";
    report(0, $path);
}
print "1..$count\n" unless $accept;
exit($failed ? 1 : 0);
