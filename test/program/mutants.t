#!/usr/bin/perl
# Migrate profiles across random changes. A program is changed in one token at a time. `trod version score`, which
# shares no code with migration, compares the migrated profile with a full profile of the changed program.
#
# If everything is profiled again, the merged profile must equal the full profile. If trod's own method decides, that
# must hold for the input that is the check, and for most entries of all inputs.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(sum0);
use Test::More;

my $root = dirname(dirname(dirname(abs_path($0))));
my $trod = "$root/build/release/trod";
my $wanted = $ENV{TROD_FULL} ? 40 : 5;
my $seed = $ENV{TROD_SEED} || 20261116;
chdir tempdir(CLEANUP => 1) or die;
delete @ENV{grep { /^TROD_/ } keys %ENV};

sub slurp { my ($file) = @_; local $/; open my $in, '<', $file or die "$file: $!\n"; return scalar <$in> }
sub spew { my ($file, $text) = @_; open my $out, '>', $file or die "$file: $!\n"; print $out $text; close $out or die "$file: $!\n"; return }
sub run { my ($command) = @_; return system("timeout 20 sh -c '$command' >printed 2>complaint") }

# A generator that gives the same numbers on every machine.
sub below { my ($n) = @_; $seed = $seed * 16807 % 2147483647; return $seed % $n }

my @edit = (
    [qr/(?<![\w.'\\])(\d+)(?![\w.x'])/, sub { $_[0] + 1 }],
    [qr/(==)/, sub { '!=' }],
    [qr/( < )/, sub { ' <= ' }],
    [qr/( && )/, sub { ' || ' }],
    [qr/(\bbreak;)/, sub { 'return true;' }],
    [qr/(\+\+;)/, sub { ' += 2;' }],
    [qr/(return true;)/, sub { 'return false;' }],
    [qr/(r->at \+= )/, sub { "r->words++;\n        r->at += " }],
);

sub mutant {
    my ($source) = @_;
    my ($pattern, $new) = @{$edit[below(scalar @edit)]};
    my @at;
    while ($source =~ /$pattern/g) { push @at, [$-[1], $+[1], $1] if substr($source, 0, $-[0]) !~ /#[^\n]*$/ }
    return if !@at;
    my ($from, $to, $old) = @{$at[below(scalar @at)]};
    my $line = 1 + (() = substr($source, 0, $from) =~ /\n/g);
    substr($source, $from, $to - $from) = $new->($old);
    return ($source, "line $line");
}

# profiled PROGRAM NAME: profile it on all inputs; false if it dies or does not finish.
my %input = (
    small => '[1, {"a": "b\\u00e9"}, null, true, -2.5e3]',
    large => '[' . join(', ', map { "{\"k$_\": [$_, \"text $_\", false, {\"deep\": [[$_]]}]}" } 1 .. 200) . ']',
    wrong => '{"a": [1, 2, {"b": tru}]}');
spew("$_.json", $input{$_}) for keys %input;
sub profiled {
    my ($program, $name, @of) = @_;
    for my $of (@of) {
        unlink "$name-$of.trod";
        my $status = run("TROD_OUT=$name-$of.trod ./$program <$of.json");
        return if $status & 127 || $status >> 8 > 100 || !-s "$name-$of.trod";
    }
    return 1;
}

my $source = slurp("$root/example/json.c");
mkdir $_ for qw(old new);
spew('old/json.c', $source);
run("$trod cc -O1 -g -w -o app-old old/json.c") == 0 or die slurp('complaint');
my @of = sort keys %input;
ok profiled('app-old', 'was', @of), 'the program as it is runs on all inputs';

my (%sum, $done);
for (my $tries = 0; ($done // 0) < $wanted && $tries < 20 * $wanted; $tries++) {
    my ($changed, $where) = mutant($source) or next;
    spew('new/json.c', $changed);
    next if run("$trod cc -O1 -g -w -o app-new new/json.c") != 0 || !profiled('app-new', 'full', @of);
    $done++;
    for my $type (qw(paths loops)) {
        for my $method (qw(none own)) {
            my $check = $method eq 'own' ? '--check=small=full-small.trod' : '';
            my $name = "$where, $type by $method";
            run("rm -rf plan merged; $trod migrate --old=app-old --new=app-new --type=$type --method=$method $check " . join(' ', map { "$_=was-$_.trod" } @of) . ' -o plan') == 0
                or (fail("$name: " . slurp('complaint')), next);
            run("$trod cc --only=plan/reprofile -O1 -g -w -o app-some new/json.c") == 0 or die slurp('complaint');
            my @run = slurp('plan/plan') =~ /^input (\w+) run/mg;
            profiled('app-some', 'some', @run) or die "$name: it ran before, and fails now";
            run("$trod migrate --finish=plan " . join(' ', map { "$_=some-$_.trod" } @run) . ' -o merged') == 0 or (fail("$name: " . slurp('complaint')), next);
            run("$trod version score --json merged " . join(' ', map { "--full=$_=full-$_.trod" } @of)) == 0 or (fail("$name: " . slurp('complaint')), next);
            for my $of (@{decode_json(slurp('printed'))->{scores}[0]{inputs}}) {
                $sum{$type}{$method}[0] += $of->{correct};
                $sum{$type}{$method}[1] += $of->{entries};
                next if $method eq 'own' && $of->{input} ne 'small';
                is "$of->{correct} and $of->{extra} more", "$of->{entries} and 0 more", "$name: $of->{input} equals the full profile";
            }
        }
    }
}
is $done, $wanted, 'so many changed programs compile and end';
for my $type (qw(paths loops)) {
    my ($correct, $entries) = @{$sum{$type}{own} // [0, 1]};
    my $share = sprintf '%.2f', 100 * $correct / $entries;
    note "$type by own: $share % of $entries entries are right";
    # Changes of one token are harder than those of a release: most of them introduce bugs, which change what inputs
    # run.
    cmp_ok $share, '>', 85, "$type: trod's own method is right about most";
}
done_testing;
