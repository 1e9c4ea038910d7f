package Stepped;

# Derive the paths of a program by brute force: the emulator steps through it and logs the address of each instruction,
# a disassembler classifies each instruction, and paths follow the definition in model.h. No code is shared with the
# plugin.
#
# On x86-64 the machine's stack is used: an activation is alive until the stack pointer is above its return address.
# Other machines (aarch64, riscv64) keep return addresses in registers; there a return is matched with the return
# addresses of all activations, and programs that jump out of functions cannot be handled.
use strict;
use warnings;
no warnings 'portable'; # numbers have 64 bits

use Exporter qw(import);
our @EXPORT_OK = qw(paths_stepped paths_seen);

my %objdump = (
    x86_64 => ['objdump'],
    aarch64 => ['aarch64-linux-gnu-objdump'],
    riscv64 => ['riscv64-linux-gnu-objdump', '-M', 'no-aliases'],
);

sub lines_of {
    my (@command) = @_;
    open my $in, '-|', @command or die "$command[0]: $!\n";
    my @lines = <$in>;
    close $in or die "@command failed\n";
    return @lines;
}

# --- instructions ------------------------------------------------------------------------------

sub kind_x86_64 {
    my ($text) = @_;
    1 while $text =~ s/^(?:bnd|notrack|addr32|data16|rex\.W|rep[nz]*|cs|ds|lock)\s+//;
    return ('return') if $text =~ /^retq?\b/;
    return ('call', hex $1) if $text =~ /^callq?\s+([0-9a-f]+)\b(?!\()/;
    return ('call-indirect') if $text =~ /^callq?\b/;
    return ('jump', hex $1) if $text =~ /^jmpq?\s+([0-9a-f]+)\b(?!\()/;
    return ('indirect') if $text =~ /^jmpq?\b/;
    return ('if', hex $1) if $text =~ /^(?:j[a-z]+|loop[a-z]*)\s+([0-9a-f]+)\b/;
    return ('none');
}

sub kind_aarch64 {
    my ($text) = @_;
    return ('return') if $text =~ /^ret/;
    return ('call-indirect') if $text =~ /^blr/;
    return ('indirect') if $text =~ /^br/;
    return ('call', hex $1) if $text =~ /^bl\s+([0-9a-f]+)/;
    return ('jump', hex $1) if $text =~ /^b\s+([0-9a-f]+)/;
    return ('if', hex $1) if $text =~ /^(?:b\.\w+|cbn?z\s+\w+,|tbn?z\s+\w+,\s*#\d+,)\s*([0-9a-f]+)/;
    return ('none');
}

sub kind_riscv64 {
    my ($text) = @_;
    return (($1 eq 'ra' || $1 eq 't0' ? 'call' : 'jump'), hex $2)
        if $text =~ /^jal\s+(\w+),([0-9a-f]+)/;
    return ('jump', hex $1) if $text =~ /^c\.j\s+([0-9a-f]+)/;
    return ('call-indirect') if $text =~ /^c\.jalr|^jalr\s+(?:ra|t0),/;
    return ('return') if $text =~ /^c\.jr\s+(?:ra|t0)\b|^jalr\s+zero,\S*\((?:ra|t0)\)/;
    return ('indirect') if $text =~ /^c\.jr|^jalr/;
    return ('if', hex $1)
        if $text =~ /^(?:b(?:eq|ne|lt|ge|ltu|geu)\s+\w+,\w+,|c\.(?:beqz|bnez)\s+\w+,)([0-9a-f]+)/;
    return ('none');
}

my %kind_of = (x86_64 => \&kind_x86_64, aarch64 => \&kind_aarch64, riscv64 => \&kind_riscv64);

# address -> [kind, target, after, repeats]
sub instructions {
    my ($machine, $program) = @_;
    my %insn;
    for (lines_of(@{$objdump{$machine}}, '-d', '-w', '-z', $program)) {
        my ($pc, $bytes, $text) = /^\s*([0-9a-f]+):\t([0-9a-f ]+?)\s*\t(.*)/ or next;
        my $size = ($bytes =~ tr/0-9a-f//) / 2;
        my ($kind, $target) = $kind_of{$machine}->($text);
        $insn{hex $pc} = [$kind, $target, hex($pc) + $size, scalar $text =~ /^rep/];
    }
    return \%insn;
}

sub entries {
    my ($program) = @_;
    my %entry;
    for (lines_of('readelf', '-sW', $program)) {
        my @field = split;
        $entry{hex $field[1]} = 1
            if @field >= 7 && $field[3] =~ /^I?FUNC$/ && $field[6] ne 'UND';
    }
    return \%entry;
}

# --- paths ------------------------------------------------------------------------------------------

# Call the callback with each address of the log, and the stack pointer, if the log has it after the address.
sub steps {
    my ($tell, $machine, $log) = @_;
    my ($pc, $stack);
    local $_;
    open my $in, '<', $log or die "$log: $!\n";
    while (<$in>) {
        $stack = hex $1 if /\bRSP=([0-9a-f]+)/;
        if (m{^Trace \d+: 0x[0-9a-f]+ \[[0-9a-f]+/([0-9a-f]+)/}) {
            $tell->($pc, $stack) if defined $pc;
            $pc = hex $1;
        }
    }
    $tell->($pc, $stack) if defined $pc;
}

# Paths by 'path|cut FUNCTION START OUTCOMES', each [count, instructions].
sub paths_stepped {
    my ($machine, $program, $log) = @_;
    my ($insn, $entry) = (instructions($machine, $program), entries($program));
    my (@frame, %path, $last);
    my $begin = sub {
        my ($f, $function, $start) = @_;
        @{$f}{qw(function start outcomes ninsn)} = ($function, $start, '', 0);
    };
    my $count = sub {
        my ($word, $f) = @_;
        my $key = sprintf '%s %x %x %s', $word, $f->{function}, $f->{start},
            $f->{outcomes} eq '' ? '-' : $f->{outcomes};
        $path{$key}[0]++;
        $path{$key}[1] += $f->{ninsn};
    };
    my $go_on = sub { # elsewhere, in the innermost activation, or in that of the current stack pointer
        my ($to, $stack) = @_;
        my $dropped = 0;
        while (@frame > 1 && defined $frame[-1]{slot} && defined $stack && $frame[-1]{slot} < $stack) {
            $count->(cut => $frame[-1]) if $dropped++;
            pop @frame;
        }
        $count->(cut => $frame[-1]) if $dropped;
        $begin->($frame[-1], $entry->{$to} ? $to : $frame[-1]{function}, $to);
    };
    my $step = sub {
        my ($to, $stack) = @_;
        my ($from, $before) = $last ? @$last : ();
        my $i = defined $from && ($insn->{$from} or die sprintf "%x: not disassembled\n", $from);
        my $f = $frame[-1];

        $last = [$to, $stack];
        if (!defined $from) {
            push @frame, {};
            return $begin->($frame[0], $to, $to);
        }
        my ($kind, $target, $after, $repeats) = @$i;
        return if $kind eq 'none' && $repeats && $to == $from;
        $f->{ninsn}++;
        if ($kind eq 'if' || $kind eq 'jump') {
            my $taken = $kind eq 'jump' || $to != $after;
            die sprintf "%x: goes to %x\n", $from, $to if $to != ($taken ? $target : $after);
            $f->{outcomes} .= $taken ? 1 : 0;
            if ($taken && ($target <= $from || $entry->{$to})) {
                $count->(path => $f);
                $begin->($f, $entry->{$to} ? $to : $f->{function}, $to);
            }
        } elsif ($kind =~ /^call/) {
            push @frame, {back => $after, slot => defined $before ? $before - 8 : undef};
            $begin->($frame[-1], $to, $to);
            $entry->{$to} = 1;
        } elsif ($kind eq 'return') {
            if (@frame > 1 && defined $before ? ($f->{slot} // -1) == $before : ($f->{back} // -1) == $to) {
                $count->(path => pop @frame);
                if ($to != $f->{back}) {
                    $count->(cut => $frame[-1]);
                    $go_on->($to, $stack);
                }
            } else {
                $count->(path => $f);
                $go_on->($to, $stack);
            }
        } elsif ($kind eq 'indirect') {
            $count->(path => $f);
            $go_on->($to, $stack);
        } elsif ($to != $after) {
            die sprintf "%x: goes to %x\n", $from, $to;
        }
    };
    steps($step, $machine, $log);
    $frame[-1]{ninsn}++;
    $count->(cut => $_) for @frame;
    return \%path;
}

# The same, from a file of the plugin.
sub paths_seen {
    my ($file) = @_;
    my (%path, %total);
    local $_;
    open my $in, '<', $file or die "$file: $!\n";
    while (<$in>) {
        $path{"$1 $2 $3 $4"} = [$5, $6]
            if /^(path|cut) 0x([0-9a-f]+) 0x([0-9a-f]+) ([01]+|-) (\d+) (\d+)/;
        @total{qw(nrun ninsn nodd)} = ($1, $2, $3) if /^total (\d+) (\d+) (\d+)/;
    }
    return (\%path, \%total);
}

1;
