#!/usr/bin/perl
# Whole programs whose subpaths are sampled: what is told ran.
#
#     online.t [--part=I/N] [WORD...]
#
# Each program of this folder is built plain, with `trod cc --online`, and with the oracle that logs
# every block of the same code (port/llvm/oracle.c). It must print and return what it does plain.
# The trace that it writes with TROD_BLOCKS must be, thread by thread, what the oracle logs; and each
# subpath that it samples without must be somewhere in there, with every block that a thread began.
# Samples are read from the bytes of profiles: nothing of trod's readers is relied on.
use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib $FindBin::Bin;
use File::Basename qw(basename);
use File::Path qw(remove_tree make_path);
use Log;
use Oracle;

my $here = $FindBin::Bin;
my ($part, $parts) = part_of(\@ARGV);

# Where signals come, or what threads do, is not the same in any two runs.
my %differs = map { ($_ => 1) } qw(signal_handler.c interrupted.c noise.c kill9.c thread_churn.c cxx_threads.cc
    coroutine_threads.cc contexts.c);

# Where processes end without the end of the program, what they have not written of their trace yet is lost.
my %ends = map { ($_ => 1) } qw(exit_ways.c fork.c fork_calls.c fork_tree.c noreturn.c traps.c vfork_exec.c terminate.cc);

# --- rows of blocks -----------------------------------------------------------------

# By process and thread, what began: "HASH:BLOCK ...", sorted.
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
            # What the parent had begun goes on in the child.
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

# Sections of a type: their payloads.
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

# By number of block: "HASH:BLOCK".
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

# Subpaths of a profile, and how many samples were dropped.
sub sampled {
    my ($file) = @_;
    my $bytes = bytes_of($file);
    my $name = names_of($bytes);
    my ($dropped, $begun, @rows) = (0, 0);

    for my $section (sections($bytes, 9)) {
        my (undef, $nentry, $nchunk) = unpack 'LLL', $section;
        my ($more, undef, $less) = unpack 'QQQ', substr $section, 840, 24;
        ($begun, $dropped) = ($begun + $more, $dropped + $less);
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
            die "$length blocks, of which " . @blocks . " are told\n" if @blocks != $length;
            push @rows, join ' ', map { $name->[$_] // die "block $_ is nobody's\n" } @blocks;
        }
    }
    return ($begun, $dropped, @rows);
}

# The trace, like what is logged.
sub traced {
    my ($trace, @profiles) = @_;
    my (%row, $bytes);
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

sub first_difference {
    my ($want, $got, $may_end) = @_;

    if ($may_end) {
        my ($odd) = grep { my $row = $_; !grep { index("$_ ", "$row ") == 0 } @$want } @$got;
        return $odd ? "nobody did this: $odd" : '';
    }

    return @$got . ' threads, not ' . @$want if @$got != @$want;
    for my $i (0 .. $#$want) {
        return parting($want->[$i], $got->[$i]) if $want->[$i] ne $got->[$i];
    }
    return '';
}

sub program {
    my ($file, $level) = @_;
    my $head = read_head($file);
    my $name = basename($file);
    my $whole = !$differs{$name} && !@{$head->{library}} && !@{$head->{linked}};
    my @flags = ($level);
    my $plain = eval { [run(build('plain', $file, $head, [], ['-O2']), './program')] };
    my $folder = $plain && eval { build('online', $file, $head, ['--online'], \@flags) };

    return report("$name $level", $@) if !$folder;
    my @want;
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
        report("$name $level traced", grep { $_ } $wrong || $@ || first_difference(\@want, \@got, $ends{$name}));
    }
    for my $f (1, 2, 7, 50) {
        my $wrong = same_output($plain, run_online($folder, TROD_ONLINE => "f=$f,identity=sequence,memory=1m,most=1000000000,seed=$f"));
        my ($dropped, %seen) = (0);
        for my $profile (glob "$folder/out/*") {
            my ($begun, $less, @rows) = eval { sampled($profile) };
            $wrong ||= $@;
            $seen{$_} = 1 for @rows;
        }
        for my $row ($whole ? sort keys %seen : ()) {
            last if $wrong;
            $wrong = "sampled, but never ran: $row" if !grep { index(" $_ ", " $row ") >= 0 } @want;
        }
        report("$name $level sampled, one of $f", grep { $_ } $wrong);
    }
    remove_tree("$name.plain", "$name.online", "$name.oracle") if !$ENV{TROD_KEEP};
}

my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ } glob "$here/*.c $here/*.cc";
@files = grep { my $f = basename($_); !@ARGV || grep { index($f, $_) >= 0 } @ARGV } @files;
my $number = 0;
for my $file (@files) {
    for my $level ($ENV{TROD_FULL} ? qw(-O0 -O1 -O2 -O3 -Os) : (qw(-O2 -O0 -O1))[$number % 3]) {
        program($file, $level) if $number % $parts == $part - 1;
    }
    $number++;
}
finish();
