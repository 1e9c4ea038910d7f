#!/usr/bin/perl
# A virtual machine with the online library: Debian's Lua, patched by example/vm. Scripts print what they print with plain
# Lua; what is sampled agrees with every block, counted; names, lines, errors, coroutines, states, and ends of processes.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(sum0 max);
use Time::HiRes qw(sleep);
use lib dirname(dirname(abs_path(__FILE__))) . '/kit';
use Tap qw(report skip finish);

my $root = dirname(dirname(dirname(abs_path($0))));
my $vm = "$root/example/vm";
my $tmp = tempdir(CLEANUP => !$ENV{TROD_KEEP});
chdir $tmp or die "$tmp: $!\n";
print "# in $tmp\n" if $ENV{TROD_KEEP};
delete @ENV{grep { /^TROD_(?!CORPUS|KEEP)/ } keys %ENV};
delete @ENV{qw(LUA_INIT LUA_PATH LUA_CPATH MAKEFLAGS MAKELEVEL MFLAGS)};
$ENV{LC_ALL} = 'C';
$ENV{PATH} = "$root/build/release:$ENV{PATH}";

sub text_of {
    my ($file) = @_;

    open my $in, '<', $file or return '';
    local $/ = undef;
    return <$in> // '';
}

# Nothing, if a file is empty.
sub said {
    my ($file) = @_;
    my $text = text_of($file);

    return $text eq '' ? () : $text;
}

sub put {
    my ($file, $text) = @_;

    open my $out, '>', $file or die "$file: $!\n";
    print $out $text;
    close $out or die "$file: $!\n";
}

# Run with variables; standard output and error go to a file. Returns the status.
sub run {
    my ($env, $out, @command) = @_;
    my $pid = fork // die "fork: $!\n";

    if (!$pid) {
        @ENV{keys %$env} = values %$env;
        open STDOUT, '>', $out or die "$out: $!\n";
        open STDERR, '>&', \*STDOUT;
        exec @command or die "$command[0]: $!\n";
    }
    waitpid $pid, 0;
    return $?;
}


# What is wrong with a profile: it must be sound, and have ended in order if it says so.
sub unsound {
    my ($file, $open) = @_;
    my $check = decode_json(scalar qx{trod check --json --quiet $file 2>check.log} || '{}')->{files}[0];

    return "no profile: " . text_of('check.log') if !$check;
    my @wrong = map { "note: $_" } @{$check->{notes} // []};
    push @wrong, $check->{error} if $check->{error};
    push @wrong, 'it is damaged' if !$check->{error} && !$check->{sound};
    push @wrong, 'it did ' . ($open ? '' : 'not ') . 'end in order' if !!$check->{open} != !!$open;
    return @wrong;
}

# --- what is built --------------------------------------------------------------------------------------

if (run({}, 'source.log', "$root/tools/source", 'lua')) {
    skip('Lua', 'no source: ' . ((split /\n/, text_of('source.log'))[-1] // ''));
    finish();
}
# Lua takes its hash seed from addresses: runs are the same with a fixed one.
report('Lua builds, plain and patched',
    run({}, 'build.log', "$vm/build-lua", "$tmp/built", '-O2 -Werror -Dluai_makeseed(L)=1') ? text_of('build.log') : ())
    or finish();
my ($lua, $plain) = ("$tmp/built/lua", "$tmp/built/lua-plain");

# A planted fault: sources of something else are not changed.
mkdir 'other';
put('other/lvm.c', "int x;\n");
report('the patch refuses other sources',
    run({}, 'other.log', "$vm/patch-lua", 'other') && text_of('other/lvm.c') eq "int x;\n" ? () : 'it does not');

# --- scripts --------------------------------------------------------------------------------------------

my %small = (fannkuch => 7, trees => 8, spectral => 40, queens => 6, words => 800, sieve => 3000);

for my $name (sort keys %small) {
    my @script = ("$vm/script/$name.lua", $small{$name});
    my @wrong;

    run({}, 'plain.out', $plain, @script) and push @wrong, 'plain Lua fails';
    my $want = text_of('plain.out');
    push @wrong, 'it prints nothing' if $want eq '';
    my $n = () = glob '*.trod';
    run({}, 'off.out', $lua, @script) and push @wrong, 'off: it fails';
    push @wrong, 'off: ' . text_of('off.out') if text_of('off.out') ne $want;
    push @wrong, 'off: it writes a profile' if $n != (() = glob '*.trod');
    for my $how ('', 'budget=2%', 'f=1,least-f=1', 'f=never', 'f=50,threshold=100,memory=16k') {
        unlink glob 'on.trod*';
        run({TROD_ONLINE => $how, TROD_OUT => 'on.trod'}, 'on.out', $lua, @script) and push @wrong, "$how: it fails";
        push @wrong, "$how: " . text_of('on.out') if text_of('on.out') ne $want;
        push @wrong, map { "$how: $_" } unsound('on.trod');
    }
    report("$name prints what it prints with plain Lua, and its profiles are sound", @wrong);
}

# --- truth ----------------------------------------------------------------------------------------------

# Blocks of a trace, in their order.
sub blocks_of {
    my ($file) = @_;
    my @word = unpack 'V*', text_of($file);
    my @block;

    for (my $at = 0; $at < @word; $at += 4 + $word[$at + 2]) {
        die "$file: not a trace\n" if $word[$at] != 0x4b4c4254;
        push @block, @word[$at + 4 .. $at + 3 + $word[$at + 2]];
    }
    return @block;
}

# The least rotation, as a key.
sub key_of {
    my (@block) = @_;
    my $least;

    for my $i (0 .. $#block) {
        my $key = pack 'N*', @block[$i .. $#block], @block[0 .. $i - 1];
        $least = $key if !defined $least || $key lt $least;
    }
    return $least;
}

# How often each subpath of some length ran.
sub count {
    my ($length, @block) = @_;
    my %n;

    $n{pack 'N*', @block[$_ .. $_ + $length - 1]}++ for 0 .. @block - $length;
    my %sum;
    $sum{key_of(unpack 'N*', $_)} += $n{$_} for keys %n;
    return \%sum;
}

# f, and the samples of each subpath, by length. Blocks of functions that are added have the same numbers in files as in
# the text of a profile.
sub samples_of {
    my ($profile) = @_;
    my ($f, $longest, %row);

    for my $line (split /\n/, scalar qx{trod show $profile}) {
        $f = $1 if $line =~ /^frequency 0 (\S+)/;
        if ($line =~ /^sampled (\d+) (\d+) (.+)/) {
            my @block = split ' ', $3;
            die "more levels than one\n" if $2;
            $row{@block}{key_of(@block)} += $1;
        }
    }
    return ($f, \%row);
}

# Samples of a subpath that ran N times are binomial: by more than five standard errors none may differ.
sub differences {
    my ($profile, @block) = @_;
    my ($f, $row) = samples_of($profile);
    my %weight = (2 => 8 / 15, 4 => 4 / 15, 8 => 2 / 15, 16 => 1 / 15); # powers, bias 0.5
    my ($most, $n, @wrong) = (0, 0);

    for my $length (sort { $a <=> $b } keys %weight) {
        my $exact = count($length, @block);
        my %all = map { ($_ => 1) } keys %{$row->{$length} // {}}, grep { $exact->{$_} * $weight{$length} / $f > 30 } keys %$exact;
        for my $key (keys %all) {
            my $expected = ($exact->{$key} // 0) * $weight{$length} / $f;
            my $sampled = $row->{$length}{$key} // 0;
            my $z = abs($sampled - $expected) / sqrt(max($expected, 1));

            $n++;
            $most = $z if $z > $most;
            # One of 10^6 by chance; rare ones have longer tails.
            push @wrong, join(' ', unpack 'N*', $key) . ": $sampled samples, $expected expected" if $z > ($expected > 10 ? 5 : 8);
        }
    }
    printf "# %d blocks, %d subpaths compared; the largest difference is %.1f standard errors\n", scalar @block, $n, $most;
    return ($n < 10 ? "only $n subpaths" : (), @wrong);
}

for my $name (sort keys %small) {
    unlink glob 'truth.trod*';
    run({TROD_ONLINE => 'f=16,least-f=16,longest=16,most=16m,memory=128k,ones=text,seed=7', TROD_OUT => 'truth.trod', TROD_BLOCKS => 'trace'},
        'truth.out', $lua, "$vm/script/$name.lua", $small{$name});
    my @block = blocks_of('trace');
    report("$name: samples agree with every block, counted", unsound('truth.trod'), differences('truth.trod', @block));
    next if $name ne 'queens';

    # Planted faults: one block in three has another number; one in three is missing.
    my @other = map { $block[$_] + ($_ % 3 == 0) } 0 .. $#block;
    report('wrong numbers would be noticed', differences('truth.trod', @other) ? () : 'they are not');
    report('missing blocks would be noticed', differences('truth.trod', grep { $_ % 3 } @block) ? () : 'they are not');
}

# trod's own counting of all subpaths finds the same program, names and numbers.
{
    my $text = scalar qx{trod sample subpaths --exact --most=3 -- $lua $vm/script/sieve.lua 3000 2>&1};

    report('trod counts all subpaths exactly, with names', $text =~ / 2  sieve 7 6\n/ ? () : $text);
}

# --- names and lines ------------------------------------------------------------------------------------

put('names.lua', <<'LUA');
local Account = {}
function Account.new(b)
  return setmetatable({balance = b}, {__index = Account})
end
function Account:deposit(v)
  if v > 0 then
    self.balance = self.balance + v
  else
    self.balance = self.balance - v
  end
end
function global_one(n)
  local s = 0
  for i = 1, n do s = s + i end
  return s
end
local handlers = {
  run = function(n)
    while n > 0 do n = n - 1 end
    return n
  end
}
local late
late = function(n)
  repeat n = n - 1 until n < 0
  return n
end
local function outer()
  late = late
  local a = Account.new(1)
  for i = 1, 300 do
    a:deposit(i % 2 - 1)
    global_one(3)
    handlers.run(4)
    late(5)
    pcall(function() local x = 0 for k = 1, 3 do x = x + k end error("caught " .. x) end)
  end
end
for _ = 1, 40 do outer() end
LUA
run({TROD_ONLINE => 'f=8,least-f=8,most=16m,memory=128k', TROD_OUT => 'names.trod'}, 'names.out', $lua, 'names.lua');
{
    my $map = text_of('names.trod.trodmap');
    my %line = ('names.lua' => 1, 'Account.new' => 2, 'Account.deposit' => 5, global_one => 12, run => 18, late => 24,
        outer => 28, 'names.lua:36' => 36);
    my @wrong;

    for my $name (sort keys %line) {
        $name eq 'names.lua:36' and next;
        push @wrong, "$name is missing, or not on line $line{$name}"
            if $map !~ /^function "\Q$name\E" .*\nfile "names.lua"\ndeclared $line{$name}\n/m;
    }
    push @wrong, 'an anonymous function is missing' if $map !~ /^function "names\.lua:36" /m && $map !~ /^function "names\.lua:\d+" /m;
    report('functions have the names that the script gives them, and their lines', @wrong);

    my $text = scalar qx{trod sample subpaths --most=1000 names.trod 2>&1};
    report('reports print functions and lines', $text =~ /global_one (13 )?14/ ? () : substr($text, 0, 2000),
        $text =~ /Account\.deposit .*9/ ? () : 'the outcome of a condition is missing',
        $text =~ /run \(?19/ ? () : 'the loop of run is missing');
    report('trod report prints the same', scalar qx{trod report names.trod 2>&1} =~ /global_one/ ? () : 'it does not');
    qx{trod merge -o both.trod names.trod names.trod 2>&1};
    report('a merged profile keeps its names', scalar qx{trod report both.trod 2>&1} =~ /global_one/ ? () : 'it does not');
    report('a second reader agrees', scalar qx{python3 $root/tools/trod-read.py names.trod 2>&1} eq scalar qx{trod show names.trod 2>&1}
        ? () : 'it does not');
    rename 'names.trod.trodmap', 'elsewhere';
    report('without its map, functions have no names', scalar qx{trod report names.trod 2>&1} =~ /\?[0-9a-f]{16}/ ? () : 'they have');
    report('the map can be named', scalar qx{trod report --binary=elsewhere names.trod 2>&1} =~ /global_one/ ? () : 'it cannot');
    put('cut.map', substr $map, 0, length($map) - 10);
    report('a map that is being written is read up to its last function',
        scalar qx{trod sample subpaths --binary=cut.map names.trod 2>&1} !~ /damaged/ ? () : 'it is not');
}

# --- collected functions, states, processes -------------------------------------------------------------

put('many.lua', <<'LUA');
-- Functions come and go; equal ones are one.
for i = 1, 3000 do
  local f = load("local s = 0 for k = 1, 20 do s = s + k end return s + " .. i % 7, "=made")
  assert(f() == 210 + i % 7)
  if i % 100 == 0 then
    collectgarbage()
  end
end
LUA
run({TROD_ONLINE => 'f=8,least-f=8,most=16m', TROD_OUT => 'many.trod'}, 'many.out', $lua, 'many.lua');
report('functions that are collected leave sound numbers', said('many.out'), unsound('many.trod'));
{
    my $n = () = text_of('many.trod.trodmap') =~ /^function "made"/mg;
    report('equal functions are one', $n == 1 ? () : "there are $n");
}

put('room.lua', <<'LUA');
for i = 1, 20000 do
  local text = ("\n"):rep(i // 150) .. "local s = 0" .. ("\n"):rep(i % 150) .. " for k = 1, 9 do s = s + k end return s"
  load(text, "=made")()
end
LUA
run({TROD_ONLINE => 'f=1,least-f=1,most=16m', TROD_OUT => 'room.trod'}, 'room.out', $lua, 'room.lua');
report('more functions than there is room for', said('room.out'), unsound('room.trod'),
    scalar qx{trod report --most=1000 room.trod 2>&1} =~ /functions without room/ ? () : 'they are not named as such',
    (() = text_of('room.trod.trodmap') =~ /^function /mg) == 8192 ? () : 'the map has more');

put('exit.lua', "local n = 0 for i = 1, 1000 do n = n + i end os.execute('true') os.exit(3)\n");
report('os.exit ends in order',
    run({TROD_ONLINE => 'f=4', TROD_OUT => 'exit.trod'}, 'exit.out', $lua, 'exit.lua') >> 8 == 3 ? () : 'the status is wrong', unsound('exit.trod'));

put('endless.lua', <<'LUA');
local function work(n)
  local s = 0
  for i = 1, n do
    if i % 3 == 0 then
      s = s + i
    end
  end
  return s
end
while true do work(1000) end
LUA
{
    my $pid = fork // die "fork: $!\n";
    my $top = '';

    if (!$pid) {
        @ENV{qw(TROD_ONLINE TROD_OUT)} = ('budget=50%', 'endless.trod');
        exec $lua, 'endless.lua' or die "$lua: $!\n";
    }
    # Sooner or later the hot loop is there.
    for (1 .. 600) {
        $top = scalar qx{trod top --once -p $pid 2>&1};
        last if $top =~ /work \(?[34]/;
        sleep 0.1;
    }
    report('trod top shows it while it runs', $top =~ /budget 50.00%/ && $top =~ /work \(?[34]/ ? () : $top);
    kill 'KILL', $pid;
    waitpid $pid, 0;
    report('a killed process leaves a sound profile', unsound('endless.trod', 1),
        scalar qx{trod report endless.trod 2>&1} =~ /work \(?[34]/ ? () : ('it has no samples', scalar qx{trod report endless.trod 2>&1}));
}

# States in threads, one of which forks.
put('states.c', <<'C');
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "lauxlib.h"
#include "lualib.h"
static const char script[] = "local function sum(n) local s = 0 for i = 1, n do s = s + i end return s end "
                             "for i = 1, 20000 do sum(30) end return sum(10)";
static int go(lua_State *L)
{
    if (luaL_dostring(L, script) != LUA_OK || lua_tointeger(L, -1) != 55)
        return 1;
    lua_settop(L, 0);
    return 0;
}
static void *one(void *context)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    *(int *)context = go(L);
    lua_close(L);
    return NULL;
}
int main(void)
{
    pthread_t thread[4];
    int bad[4], i, sum = 0, status;
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    sum += go(L);
    for (i = 0; i < 4; i++)
        pthread_create(thread + i, NULL, one, bad + i);
    if (fork() == 0)
        _exit(go(L));
    wait(&status);
    sum += status;
    for (i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        sum += bad[i];
    }
    sum += go(L);
    lua_close(L);
    return sum;
}
C
{
    my @sources = grep { !m{/luac?\.c$} } glob "$tmp/built/src-lua/*.c";
    my @wrong;

    push @wrong, text_of('states.log')
        if run({}, 'states.log', qw(gcc -std=gnu99 -O1 -g -fsanitize=thread -w -DLUA_COMPAT_5_3 -DLUA_USE_LINUX), "-I$root/include", "-I$tmp/built/src-lua", '-o', 'states',
            'states.c', @sources, "$root/build/release/libtrod-online.a", qw(-lm -ldl -lpthread));
    push @wrong, text_of('states.out') if run({TROD_ONLINE => 'f=16', TROD_OUT => 'states/%p.trod'}, 'states.out', 'sh', '-c', 'mkdir -p out; TROD_OUT=out/states.trod ./states');
    my @profile = glob 'out/*.trod';
    push @wrong, scalar @profile . ' profiles' if @profile != 5;
    push @wrong, unsound($_) for @profile;
    push @wrong, 'all of them together do not name sum' if scalar qx{trod report out 2>&1} !~ /sum/;
    report('states in several threads, and a child of fork', @wrong);
}

# --- LPeg -----------------------------------------------------------------------------------------------

if (run({}, 'lpeg.log', "$root/tools/source", 'lpeg')) {
    skip('LPeg', 'no source');
} else {
    my ($source) = text_of('lpeg.log') =~ m{^(/.*)$}m;
    my $folder = basename($source);

    system('cp', '-a', $source, '.');
    system("gcc -O2 -shared -fPIC -w -I$tmp/built/src-lua -o $folder/lpeg.so $folder/*.c") == 0 or print "# lpeg is not built\n";
    chdir $folder or die "$folder: $!\n";
    my $status = run({}, 'plain.out', $plain, 'test.lua');
    my @wrong = $status ? 'it fails with plain Lua' : ();
    for my $how ('budget=2%', 'f=8,least-f=8') {
        unlink glob 'lpeg.trod*';
        push @wrong, "$how: it fails" if run({TROD_ONLINE => $how, TROD_OUT => 'lpeg.trod'}, 'on.out', $lua, 'test.lua');
        push @wrong, map { "$how: $_" } unsound('lpeg.trod');
        push @wrong, "$how: its output differs" if text_of('on.out') ne text_of('plain.out');
    }
    report("LPeg's suite passes", @wrong);
    chdir $tmp;
}
finish();
