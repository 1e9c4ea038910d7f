#!/usr/bin/perl
# Compare meanings with another identity of a function: its code as clang prints it, without names, types and metadata.
# One token of a program is changed at a time; a meaning must change exactly if that text does.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Test::More;

my $root = dirname(dirname(dirname(abs_path($0))));
my $config = $ENV{TROD_CONFIG} // 'release';
my $trod = "$root/build/$config/trod";
chdir tempdir(CLEANUP => 1) or die;

# The lines of a file that a command writes.
sub slurp {
    my ($file) = @_;
    open my $in, '<', $file or die "$file: $!\n";
    return <$in>;
}

# From function to meaning; nothing if it does not compile.
sub meanings {
    my ($file) = @_;
    system("$trod cc -w -O0 -c -o unit.o $file 2>log") == 0 or return;
    system('objcopy --dump-section .trod.map=unit.map unit.o copy.o') == 0 or die;
    my %of;
    for (slurp('unit.map')) {
        $of{$1} = $2 if /^meaning (\S+) (\w+)$/;
    }
    return \%of;
}

# From function to text.
sub texts {
    my ($file) = @_;
    system("clang-19 -w -O0 -S -emit-llvm -o unit.ll $file") == 0 or die;
    my (%content, %of, $name);
    for (slurp('unit.ll')) {
        # Private data is known by what is in it.
        $content{$1} = $2 if /^(\@[\w.]+) = private .*constant (.*?)(?:, align \d+)?$/;
    }
    for (slurp('unit.ll')) {
        $name = $1 if /^define .*?\@(\w+)\(/;
        next if !defined $name;
        s/, align \d+//g;
        s/ align \d+//g;
        s/#\d+//g;
        s/, !\S+ !\d+//g;
        s/; preds.*//;
        s/\b(nsw|nuw|inbounds|exact|noundef|dso_local|internal|noalias)\b ?//g;
        s/(\@[\w.]+)/$content{$1} \/\/ $1/ge;
        $of{$name} .= $_;
        undef $name if /^\}/;
    }
    return \%of;
}

my @edit = (
    [qr/(?<![\w.])(\d+)(?![\w.x])/, sub { $_[0] + 1 }, 'a number'],
    [qr/(?<=\w) (\+) (?=\w)/, sub { ' - ' }, 'a sum'],
    [qr/(?<=[\w)]) (<) (?=\w)/, sub { ' <= ' }, 'a comparison'],
    [qr/(==)/, sub { '!=' }, 'a test'],
    [qr/(\+\+)/, sub { '--' }, 'a step'],
    [qr/(&&)/, sub { '||' }, 'a condition'],
    [qr/(\bbreak;)/, sub { 'continue;' }, 'a jump'],
    [qr/"(\w+)/, sub { "\"x$_[0]" }, 'a string'],
);

# The program with the n-th match of a pattern replaced, and the line of that; nothing if there is none.
sub mutant {
    my ($source, $pattern, $new, $n) = @_;
    my $seen = 0;
    while ($source =~ /$pattern/g) {
        next if $seen++ != $n;
        my ($from, $to, $old) = ($-[0], $+[0], $1);
        my $text = $new->($old);
        return if substr($source, 0, $from) =~ /#[^\n]*$/; # the preprocessor's
        my $line = 1 + (() = substr($source, 0, $from) =~ /\n/g);
        return (substr($source, 0, $from) . $text . substr($source, $to), $line);
    }
    return;
}

my ($tried, $changed) = (0, 0);

# Where a way to tell meanings and the texts disagree, over mutants of a program.
sub disagreements {
    my ($program, $tell) = @_;
    my $source = join '', slurp("$root/test/program/$program.c");
    my $write = sub {
        open my $out, '>', "$program.c" or die;
        print {$out} $_[0];
        close $out;
    };
    $write->($source);
    my ($meaning, $text) = ($tell->("$program.c"), texts("$program.c"));
    my @wrong;
    for my $edit (@edit) {
        my ($pattern, $new, $what) = @$edit;
        for my $n (0 .. 7) {
            my ($mutant) = mutant($source, $pattern, $new, $n) or next;
            $write->($mutant);
            my $other = $tell->("$program.c") // next;
            my $said = texts("$program.c");
            for my $f (grep { exists $other->{$_} } sort keys %$meaning) {
                my ($a, $b) = ($meaning->{$f} ne $other->{$f}, $text->{$f} ne $said->{$f});
                $tried++;
                $changed += $b;
                push @wrong, "$what, number $n, in $f: text " . ($b ? 'differs' : 'same') if $a != $b;
            }
        }
    }
    return @wrong;
}

for my $program (qw(interpreter switch loops bits short_circuit callees function_pointers)) {
    is(join("\n", disagreements($program, \&meanings)), '', "$program: meanings change where texts do");
}
cmp_ok($tried, '>', 500, 'many were tried');
cmp_ok($changed, '>', 100, 'many changed');

# Meanings that do not know how numbers are compared.
sub planted {
    my ($file) = @_;
    system("clang-19 -w -O0 -fsyntax-only $file 2>log") == 0 or return;
    my $of = texts($file);
    s/icmp \w+// for values %$of;
    return $of;
}
cmp_ok(scalar disagreements('loops', \&planted), '>', 0, 'others would be found out');

# From function to its graph, and hash and lines of each block.
sub blocks {
    my ($file) = @_;
    system("$trod cc -w -g -O0 -c -o unit.o $file 2>log") == 0 or return;
    system('objcopy --dump-section .trod.map=unit.map unit.o copy.o') == 0 or die;
    my (%of, $function, $section);
    for (slurp('unit.map')) {
        if (/^function (\S+) \S+ (\S+)/) {
            $function = $of{$1} = {graph => $2};
        } elsif (/^([a-z]+)/) {
            $section = $1;
        } elsif (/^(\d+): (\w+)/ && $section eq 'nodes') {
            $function->{hash}[$1] = $2;
        } elsif (/^(\d+): (.*)/ && $section eq 'lines') {
            $function->{lines}[$1] = {map { $_ => 1 } split ' ', $2};
        }
    }
    return \%of;
}

# An edit of an operator or a string changes blocks that have its line, and at least one.
my $edits = 0;
for my $program (qw(interpreter switch loops bits short_circuit)) {
    my $source = join '', slurp("$root/test/program/$program.c");
    my $base = do { system("cp $root/test/program/$program.c ."); blocks("$program.c") };
    my @wrong;
    for my $edit (grep { $_->[2] ne 'a number' } @edit) {
        for my $n (0 .. 7) {
            my ($mutant, $line) = mutant($source, @$edit[0, 1], $n) or next;
            open my $out, '>', "$program.c" or die;
            print {$out} $mutant;
            close $out;
            my $other = blocks("$program.c") // next;
            for my $f (sort keys %$base) {
                my ($old, $new) = ($base->{$f}, $other->{$f});
                next if !$new || $old->{graph} ne $new->{graph};
                my @differ = grep { $old->{hash}[$_] ne $new->{hash}[$_] } 0 .. $#{$old->{hash}};
                my $here = grep { $_->{$line} } @{$old->{lines}};
                push @wrong, "$edit->[2], line $line, in $f: @differ"
                    if $here && !@differ || grep { !$old->{lines}[$_]{$line} } @differ;
                $edits += @differ > 0;
            }
        }
    }
    is(join("\n", @wrong), '', "$program: hashes of blocks change where the edit is");
}
cmp_ok($edits, '>', 50, 'many changed');
done_testing();
