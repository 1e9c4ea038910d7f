#!/usr/bin/perl
# Compare a burst that lasts the whole run with the counts of other tools.
#
#     burst_others.t [WORD...]
#
#     -finstrument-functions    how often each function is entered, and how often from which call site
#     llvm-cov                  how often the condition of each loop is evaluated
#     valgrind's lackey         every load and store of the same run, in order
#
# The programs in this folder that finish normally in one process, at -O0, where all tools agree on what a call and a
# loop is. A test at the end checks that enough was compared.
use strict;
use warnings;
no warnings 'portable'; # numbers are 64 bits wide
use FindBin;
use lib $FindBin::Bin;
use Cwd qw(abs_path);
use File::Basename qw(basename);
use File::Path qw(remove_tree);
use JSON::PP;
use List::Util qw(sum0);
use Burst;
use Oracle;
use Tap qw(skip);

my $here = $FindBin::Bin;
my @flags = ('-O0', '-g');
my %compared = (entries => 0, calls => 0, 'calls through pointers' => 0, loops => 0, references => 0);

# Programs that execute different blocks in each run, end abnormally, or have several processes.
my %not = map { ($_ => 1) } qw(signal_handler.c interrupted.c noise.c kill9.c thread_churn.c cxx_threads.cc
    coroutine_threads.cc contexts.c exit_ways.c fork.c fork_calls.c fork_tree.c noreturn.c traps.c vfork_exec.c
    terminate.cc endless.c);
# Programs whose hooks report other callers or callees: aliases, calls that are jumps, parts of coroutines, pure
# functions that the hooks make impure. llvm-cov derives wrong counts where longjmp returns.
my %not_calls = map { ($_ => 1) } qw(aliases.c weak.c callees.c musttail.c pure.c coroutine.cc
    coroutine_race.cc);
my %not_loops = map { ($_ => 1) } qw(setjmp.c sigsetjmp.c lost_iterations.c loop_registers.c coroutine.cc);
# Functions that the compiler generates, without hooks.
my $made = qr/^_ZTh|^_ZTv|^__cxx_|^_GLOBAL_|^__clang_/;

# At -O0 the code generator drops some unused loads, of which C++ has many.
my %traced = ('loops.c' => '-O0', 'recursion.c' => '-O0', map { ($_ => '-O1') } qw(function_pointers.c interpreter.c
    switch.c variadic.c virtual_calls.cc exceptions.cc));

# --- one program -------------------------------------------------------------------

sub text_of {
    my ($file) = @_;

    open my $in, '<:raw', $file or die "$file: $!\n";
    local $/ = undef;
    return scalar <$in>;
}

# The map: functions by hash, and of each its name, calls [line, column, callee] and loops [line].
sub sites_of {
    my ($binary) = @_;
    my (%of, %named, $f, $here);

    for (split /\n/, text_of(map_of($binary))) {
        if (/^function ("(?:[^"\\]|\\.)*"|\S+) ([0-9a-f]{16}) /) {
            $f = $of{$2} = {name => $1, call => [], loop => []};
            $named{$1}++;
            $here = 0;
        } elsif (/^events /) {
            $here = 1;
        } elsif ($here && /^call (\d+) \d+ (\d+) (\d+) (.*)/) {
            $f->{call}[$1] = [$2, $3, $4];
        } elsif ($here && /^loop (\d+) \d+ (\d+)/) {
            $f->{loop}[$1] = $2;
        } elsif (/^[a-z]+ /) {
            $here = 0;
        }
    }
    # Functions with the same name cannot be distinguished.
    return {map { $named{$of{$_}{name}} == 1 ? ($_ => $of{$_}) : () } keys %of};
}

# By address: a name of the function.
sub symbols_of {
    my ($binary) = @_;
    my (%name, @start);

    for (split /\n/, must('nm', '--defined-only', $binary)) {
        next if !/^([0-9a-f]+) [tTwWvViu] (\S+)$/;
        $name{hex $1} //= $2;
    }
    return \%name;
}

# --- calls -------------------------------------------------------------------------

# Counts of entries by function, and of calls by caller, line, column and callee.
sub hooked {
    my ($file, $head, $folder) = @_;
    my $symbol = symbols_of("$folder/program");
    my (%entry, %pair, @rows);

    local $ENV{CALL_HOOKS} = abs_path($folder) . '/calls';
    run($folder, './program');
    for (split /\n/, text_of("$folder/calls")) {
        my ($function, $site, $n) = split ' ';
        my $name = $symbol->{hex $function} // next;
        $entry{$name} += $n;
        # A return address is the instruction after the call.
        push @rows, [$name, hex($site) - 1, $n] if hex($site) < 1 << 30;
    }
    my @symbolized = split /\n\n/, must('llvm-symbolizer-19', '--obj=' . "$folder/program", '--inlines', '--no-demangle',
        '--output-style=LLVM', map { sprintf '%#x', $_->[1] } @rows) if @rows;
    for my $i (0 .. $#rows) {
        my ($caller, $place) = (split /\n/, $symbolized[$i])[-2, -1]; # the function that the others are inlined into
        next if $caller eq '??' || $place !~ /:(\d+):(\d+)$/;
        $pair{"$caller $1:$2 $rows[$i][0]"} += $rows[$i][2];
    }
    return (\%entry, \%pair);
}

sub burst_calls {
    my ($events, $site, $symbol) = @_;
    my (%entry, %pair, %is_pointer);

    for my $hash (keys %$site) {
        my ($f, $e) = ($site->{$hash}, $events->{$hash} // {});
        $entry{$f->{name}} = $e->{1}{0}{0} // 0;
        for my $i (0 .. $#{$f->{call}}) {
            my ($line, $column, $callee) = @{$f->{call}[$i] // next};
            my $n = $e->{6}{$i}{0} // 0;
            $pair{"$f->{name} $line:$column $callee"} += $n if $n && $callee ne '*';
            for my $to (keys %{$e->{7}{$i} // {}}) {
                my $name = $symbol->{$to - 1} // next;
                $pair{"$f->{name} $line:$column $name"} += $e->{7}{$i}{$to};
                $is_pointer{"$f->{name} $line:$column $name"} = 1;
            }
        }
    }
    return (\%entry, \%pair, \%is_pointer);
}

sub compare_calls {
    my ($name, $file, $head, $events, $site, $binary) = @_;
    my $folder = build('plain', $file,
        {%$head, flags => [@{$head->{flags}}, '-finstrument-functions', abs_path('hooks.o')]}, [], \@flags);
    my ($entry, $pair) = hooked($file, $head, $folder);
    my ($our_entry, $our_pair, $is_pointer) = burst_calls($events, $site, symbols_of($binary));
    my %known = map { ($_->{name} => 1) } grep { $_->{name} !~ $made } values %$site;
    my %thunks = map { (s/ \S+$//r => 1) } grep { / _ZT[hv]/ } keys %$our_pair;
    my @wrong;

    for my $f (sort keys %known) {
        my ($want, $got) = ($entry->{$f} // 0, $our_entry->{$f});
        push @wrong, "$f is entered $want times, $got are counted" if $got != $want;
        $compared{entries}++ if $want;
    }
    for my $p (sort keys %{{%$pair, %$our_pair}}) {
        my ($caller, $line, $callee) = split ' ', $p;
        my $place = "$caller $line";
        next if !$known{$caller} || !$known{$callee} || $thunks{$place};
        my ($want, $got) = ($pair->{$p} // 0, $our_pair->{$p} // 0);
        push @wrong, "$p: $want calls, $got are counted" if $got != $want;
        $compared{$is_pointer->{$p} ? 'calls through pointers' : 'calls'}++;
    }
    report("$name calls", @wrong);
    remove_tree($folder);
}

# --- loops -------------------------------------------------------------------------

# A loop with its condition first evaluates it once per iteration, and once more.
sub compare_loops {
    my ($name, $file, $head, $events, $site) = @_;
    my $folder = build('plain', $file, {%$head,
        flags => [@{$head->{flags}}, '-fprofile-instr-generate', '-fcoverage-mapping', '-fprofile-update=atomic']}, [], \@flags);
    my ($base, @source, @wrong, %branch, %loops) = (basename($file), split /\n/, text_of($file));

    local $ENV{LLVM_PROFILE_FILE} = abs_path($folder) . '/raw';
    run($folder, './program');
    must('llvm-profdata-19', 'merge', '-o', "$folder/merged", "$folder/raw");
    my $said = decode_json(must('llvm-cov-19', 'export', "--instr-profile=$folder/merged", "$folder/program"));
    for my $f (@{$said->{data}[0]{functions}}) {
        next if $f->{filenames}[0] !~ /\Q$base\E$/;
        for (@{$f->{branches} // []}) {
            push @{$branch{$f->{name} =~ s/^.*://r}{$_->[0]}}, $_->[4] + $_->[5];
        }
    }
    for my $hash (keys %$site) {
        my ($f, $e) = ($site->{$hash}, $events->{$hash} // {});
        for my $l (0 .. $#{$f->{loop}}) {
            my $line = $f->{loop}[$l] || next;
            push @{$loops{$f->{name}}{$line}}, ($e->{3}{$l}{0} // 0) + ($e->{4}{$l}{0} // 0);
        }
    }
    for my $f (sort keys %loops) {
        for my $line (sort { $a <=> $b } keys %{$loops{$f}}) {
            my ($ours, $theirs) = ($loops{$f}{$line}, $branch{$f}{$line} // []);
            next if @$ours != 1 || @$theirs != 1;
            next if $source[$line - 1] !~ /^\s*(?:for|while) \(/ || $source[$line - 1] =~ /&&|\|\||\?/;
            $compared{loops}++ if $theirs->[0];
            push @wrong, "$f line $line: its condition is evaluated $theirs->[0] times, $ours->[0] are counted"
                if $ours->[0] != $theirs->[0];
        }
    }
    report("$name loops", @wrong);
    remove_tree($folder);
}

# --- loads and stores ----------------------------------------------------------------

sub zigzag { return $_[0] & 1 ? -(($_[0] + 1) >> 1) : $_[0] >> 1 }

# The addresses in a profile's chunks, in order.
sub references {
    my ($bytes) = @_;
    my (%piece, $at);
    my @more = (0, 1, 1, 5, 5, 2, 5, 1);

    for ($at = 4096; $at + 64 <= length $bytes;) {
        my ($magic, $type, $size) = unpack 'LLQ', substr $bytes, $at, 16;
        $at += 4096, next if $magic != 0x44524f54;
        if ($type == 11) {
            my ($used) = unpack 'Q', substr $bytes, $at + 64, 8;
            my @value;
            my ($value, $shift) = (0, 0);
            my @bytes = unpack 'C*', substr $bytes, $at + 64 + 64, $used;
            my ($i, $site, %last, $list) = (0, 0);
            my $next = sub {
                my ($v, $s) = (0, 0);
                while (1) {
                    my $byte = $bytes[$i++];
                    $v |= ($byte & 127) << $s;
                    return $v if $byte < 128;
                    $s += 7;
                }
            };
            while ($i < @bytes) {
                my $first = $next->();
                if ($first & 1) {
                    my @n = map { $next->() } 1 .. $more[$first >> 1];
                    $i += $n[3] + $n[4] if $first >> 1 == 6;
                    next if $first >> 1 != 3;
                    $list = $piece{$n[0]}{$n[1]} = [];
                    ($site, %last) = (0);
                } else {
                    use integer;
                    $site += zigzag($first >> 1);
                    my $of = $site % 64;
                    $last{$of} = ($last{$of} // 0) + zigzag($next->());
                    push @$list, $last{$of};
                }
            }
        }
        $at += $size;
    }
    die "more than one thread\n" if keys %piece > 1;
    my ($of) = values %piece;
    return [map { @{$of->{$_}} } sort { $a <=> $b } keys %{$of // {}}];
}

# Recorded references must be a subsequence of what lackey saw. Reports the first that is not.
sub compare_references {
    my ($name, $folder, $options) = @_;
    my $log = abs_path($folder) . '/lackey';
    my ($n, $of, @wrong) = (0, 0);

    remove_tree("$folder/out");
    mkdir "$folder/out";
    local $ENV{TROD_OUT} = 'out/%e.%p.%m.trod';
    local $ENV{TROD_BURST} = $options;
    run($folder, 'valgrind', '--tool=lackey', '--trace-mem=yes', "--log-file=$log", './program');
    my @profiles = glob "$folder/out/*";
    return report("$name references", scalar(@profiles) . ' profiles') if @profiles != 1;
    my $refs = eval { references(text_of($profiles[0])) };
    return report("$name references", $@) if $@;
    open my $in, '<', $log or die "$log: $!\n";
    while ($n < @$refs && defined(my $line = <$in>)) {
        next if $line !~ /^ [LSM] ([0-9a-f]+),(\d+)/;
        my ($address, $size) = (hex $1, $2);
        # One access in the code may be several of the processor, and the reverse.
        $n++ while $n < @$refs && $address <= $refs->[$n] && $refs->[$n] < $address + $size && (!$of || $line ne $of)
            && ($of = $line);
        $of = 0;
    }
    close $in;
    push @wrong, sprintf 'of %d references, that to %#x, the %dth, was not made there', scalar @$refs, $refs->[$n], $n
        if $n < @$refs;
    push @wrong, 'none were noted' if !@$refs && $options =~ /always/;
    $compared{references} += @$refs;
    report("$name references, $options", @wrong);
    unlink $log;
}

# --- all -----------------------------------------------------------------------------

sub program {
    my ($file) = @_;
    my $head = read_head($file);
    my $name = basename($file);

    return if @{$head->{library}} || @{$head->{linked}};
    my $folder = eval { build('burst', $file, $head, ['--burst=types=' . every_type], \@flags) };
    return report("$name builds", $@) if !$folder;
    my (undef, $status) = run_burst($folder, 'trigger=always');
    my @profiles = glob "$folder/out/*";
    if (!$status && @profiles == 1) {
        my $events = read_events(@profiles);
        my $site = sites_of("$folder/program");
        compare_calls($name, $file, $head, $events, $site, "$folder/program") if !$not_calls{$name};
        compare_loops($name, $file, $head, $events, $site) if !$not_loops{$name};
    }
    remove_tree($folder) if !$ENV{TROD_KEEP};
    my $level = $traced{$name} // return;
    $folder = build('burst', $file, $head, ['--burst=types=' . every_type], [$level]);
    compare_references($name, $folder, $_) for 'trigger=always', 'rate=20,burst=7,seed=3';
    remove_tree($folder) if !$ENV{TROD_KEEP};
}

my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ } glob "$here/*.c $here/*.cc";
@files = grep { my $f = basename($_); @ARGV ? grep { index($f, $_) >= 0 } @ARGV : !$not{$f} } @files;
must('clang-19', '-O1', '-fPIE', '-c', "$here/call_hooks_part.c", '-o', 'hooks.o');
program($_) for @files;
if (!@ARGV) {
    my %least = (entries => 150, calls => 150, 'calls through pointers' => 8, loops => 30, references => 5000);
    for my $what (sort keys %least) {
        report("$what compared: $compared{$what}", $compared{$what} >= $least{$what} ? () : "not $least{$what}");
    }
}
finish();
