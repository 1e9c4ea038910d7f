# Compare programs that sample block sequences with the oracle.
#
#     try_online NAME FILE HEAD PLAIN LEVEL MAY   test a program at an optimization level: its output and status, its
#                trace, and its samples, a test each. MAY->{differ}: it executes different blocks in each run.
#                MAY->{end}: processes end abruptly, and lose the part of the trace that they have not written.
#
# The samples are read from the bytes of profiles, without trod's readers.
package Online;
use strict;
use warnings;
no warnings 'portable'; # numbers are 64 bits wide
use Cwd qw(abs_path);
use Exporter qw(import);
use File::Basename qw(basename dirname);
use File::Path qw(remove_tree make_path);
use List::Util qw(sum0);
use lib dirname(abs_path(__FILE__));
use Log;
use Oracle;

our @EXPORT = qw(try_online);

# --- block sequences ----------------------------------------------------------------

# The blocks that each thread of each process entered: "HASH:BLOCK ...", sorted.
sub logged {
    my ($log) = @_;
    my (%row, %function);

    each_event($log, sub {
        my ($kind, $pid, $thread, $image, $activation, $value) = @_;
        my $key = "$pid $image $activation";
        if ($kind == ENTER) {
            $function{$key} = sprintf '%016x', $value;
        } elsif ($kind == BLOCK) {
            push @{$row{"$pid $thread"}}, ($function{$key} // $function{"- $image $activation"} // die "no function\n") . ":$value";
        } elsif ($kind == FORKED) {
            # Activations of the parent continue in the child.
            my $parent = $activation;
            for (grep { /^$parent / } keys %function) {
                $function{$_ =~ s/^\d+/$pid/r} //= $function{$_};
            }
        }
    });
    return sort map { join ' ', @$_ } values %row;
}

# --- profiles, from their bytes -----------------------------------------------------

sub bytes_of {
    my ($file) = @_;

    open my $in, '<:raw', $file or die "$file: $!\n";
    local $/ = undef;
    return scalar <$in>;
}

# The payloads of the sections of a type.
sub sections {
    my ($bytes, $type) = @_;
    my ($at, @found) = (4096);

    while ($at + 64 <= length $bytes) {
        my ($magic, $is, $size, $payload) = unpack 'LLQQ', substr $bytes, $at, 24;
        if ($magic != 0x44524f54) {
            $at += 4096;
            next;
        }
        push @found, substr $bytes, $at + 64, $payload if $is == $type;
        $at += $size;
    }
    return @found;
}

# By number of the block: "HASH:BLOCK".
sub names_of {
    my ($bytes) = @_;
    my ($module) = sections($bytes, 2);
    my (undef, $n) = unpack 'QL', $module;
    my @name;

    for my $i (0 .. $n - 1) {
        my ($name, undef, undef, $nblock, $first) = unpack 'QQQQQ', substr $module, 32 + 56 * $i, 56;
        $name[$first + $_] = sprintf '%016x:%d', $name, $_ for 0 .. $nblock - 1;
    }
    return \@name;
}

sub blocks_of_text {
    my ($text) = @_;
    my ($value, $shift, @blocks) = (0, 0);

    for my $byte (unpack 'C*', $text) {
        $value |= ($byte & 127) << $shift;
        $shift += 7;
        next if $byte & 128;
        push @blocks, @blocks ? $blocks[-1] + ($value & 1 ? -($value + 1) / 2 : $value / 2) : $value;
        ($value, $shift) = (0, 0);
    }
    return @blocks;
}

# The number of samples that a profile began, and the block sequences that it has.
sub sampled {
    my ($file) = @_;
    my $bytes = bytes_of($file);
    my $name = names_of($bytes);
    my ($begun, @rows) = (0);

    for my $section (sections($bytes, 9)) {
        my (undef, $nentry, $nchunk) = unpack 'LLL', $section;
        $begun += unpack 'Q', substr $section, 840, 8;
        my $entries = 936;
        my $chunks = $entries + 32 * $nentry;
        for my $i (0 .. $nentry - 1) {
            my ($state, undef, undef, $length, $nbyte, $chunk) = unpack 'QQQSSS', substr $section, $entries + 32 * $i, 32;
            next if !($state & 0xffffffffff);
            my $text = '';
            while ($chunk) {
                $text .= substr $section, $chunks + 16 * $chunk, 14;
                $chunk = unpack 'S', substr $section, $chunks + 16 * $chunk + 14, 2;
            }
            my @blocks = blocks_of_text(substr $text, 0, $nbyte);
            die "an entry has $length blocks, its text " . @blocks . "\n" if @blocks != $length;
            push @rows, join ' ', map { $name->[$_] // die "block $_ belongs to no function\n" } @blocks;
        }
    }
    return ($begun, @rows);
}

# The trace, in the form of `logged`.
sub traced {
    my ($trace, @profiles) = @_;
    my (%row, $bytes);

    return () if !@profiles; # nothing was instrumented
    my $name = names_of(bytes_of($profiles[0]));

    $bytes = bytes_of($trace);
    for (my $at = 0; $at < length $bytes;) {
        my ($magic, $thread, $n, $pid) = unpack 'LLLL', substr $bytes, $at, 16;
        die "the trace has no chunk at $at\n" if $magic != 0x4b4c4254;
        push @{$row{"$pid $thread"}}, map { $_ == 0xffffffff ? '-' : $name->[$_] } unpack 'L*', substr $bytes, $at + 16, 4 * $n;
        $at += 16 + 4 * $n;
    }
    return sort map { join ' ', @$_ } values %row;
}

# --- one program ---------------------------------------------------------------------

sub same_output {
    my ($plain, @ran) = @_;

    return $ran[0] eq $plain->[0] && $ran[1] == $plain->[1] ? '' : "it printed '$ran[0]', status $ran[1]; plain '$plain->[0]', $plain->[1]";
}

sub run_online {
    my ($folder, %env) = @_;

    remove_tree("$folder/out");
    make_path("$folder/out");
    local @ENV{keys %env, 'TROD_OUT'} = (values %env, 'out/%e.%p.%m.trod');
    return run($folder, './program');
}

# A sample begins at each of n blocks with probability 1/f. The tolerance is five standard errors, plus 2 for small n.
# Processes with the same seed draw the same numbers, so that their errors add up.
sub off_by {
    my ($begun, $f, $n, $processes) = @_;
    my $error = 5 * sqrt($processes * $n / $f * (1 - 1 / $f)) + 2;

    return abs($begun - $n / $f) <= $error ? '' : "$begun samples begin in $n blocks, expected one in $f";
}

sub first_difference {
    my ($want, $got, $may_end) = @_;

    if ($may_end) {
        my ($odd) = grep { my $row = $_; !grep { index("$_ ", "$row ") == 0 } @$want } @$got;
        return $odd ? "no thread executed: $odd" : '';
    }

    return @$got . ' threads, not ' . @$want if @$got != @$want;
    for my $i (0 .. $#$want) {
        return show_difference($want->[$i], $got->[$i]) if $want->[$i] ne $got->[$i];
    }
    return '';
}

sub try_online {
    my ($name, $file, $head, $plain, $level, $may) = @_;
    my $whole = !$may->{differ} && !@{$head->{library}} && !@{$head->{linked}};
    my @flags = ($level);
    my $folder = eval { build('online', $file, $head, ['--online'], \@flags) };
    my @want;

    return report("$name $level", $@) if !$folder;
    if ($whole) {
        my $logging = eval { build('oracle', $file, $head, ['--online'], \@flags) };
        return report("$name $level oracle", $@) if !$logging;
        local $ENV{TROD_ORACLE_LOG} = abs_path($logging) . '/log';
        open my $log, '>', "$logging/log" or die "log: $!\n";
        close $log;
        run($logging, './program');
        @want = eval { logged("$logging/log") };
        return report("$name $level log", $@) if $@;
        my $trace = abs_path($folder) . '/trace';
        unlink $trace;
        my $wrong = same_output($plain, run_online($folder, TROD_BLOCKS => $trace, TROD_ONLINE => 'f=never'));
        my @got = eval { traced($trace, glob "$folder/out/*") };
        report("$name $level traced", grep { $_ } $wrong || $@ || first_difference(\@want, \@got, $may->{end}));
    }
    for my $f (1, 2, 7, 50) {
        my $wrong = same_output($plain, run_online($folder, TROD_ONLINE => "f=$f,identity=sequence,memory=1m,most=1000000000,seed=$f"));
        my ($begun, %seen) = (0);
        for my $profile (glob "$folder/out/*") {
            my ($more, @rows) = eval { sampled($profile) };
            $wrong ||= $@;
            $begun += $more // 0;
            $seen{$_} = 1 for @rows;
        }
        for my $row ($whole ? sort keys %seen : ()) {
            last if $wrong;
            $wrong = "sampled, but never ran: $row" if !grep { index(" $_ ", " $row ") >= 0 } @want;
        }
        $wrong ||= off_by($begun, $f, sum0(map { 1 + tr/ // } @want), scalar(my @files = glob "$folder/out/*")) if $whole;
        report("$name $level sampled, one of $f", grep { $_ } $wrong);
    }
    remove_tree($folder, basename($file) . '.oracle') if !$ENV{TROD_KEEP};
}

1;
