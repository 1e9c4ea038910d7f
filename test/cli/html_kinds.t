#!/bin/sh
# Pages of every kind of profile: the counts in their data are those that the commands for these kinds print. html.t
# tests plain path profiles.
# shellcheck disable=SC2016 # Perl stands in single quotes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

perl -MJSON::PP -e 1 2>/dev/null || skip_all "perl has no JSON::PP"

cat >app.c <<'END'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf out;

__attribute__((noinline)) int weigh(int x)
{
    int sum = 0;
    for (int i = 0; i < x % 7; i++)
        if (i & 1)
            sum += i;
        else
            sum -= x;
    return sum;
}

__attribute__((noinline)) int pick(int x)
{
    if (x % 3 == 0)
        return weigh(x) + 1;
    if (x % 101 == 0)
        longjmp(out, 1);
    return x % 5 ? 2 : 3;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    volatile int sum = 0;
    for (int i = 0; i < n; i++) {
        if (setjmp(out))
            continue;
        if (i % 4)
            sum += pick(i);
        else
            sum -= weigh(i);
    }
    printf("%d\n", sum);
    return 0;
}
END

# query PERL: an expression over the parsed data, in $_; helpers are below.
cat >Page.pm <<'END'
package Page;
use JSON::PP;
use Exporter 'import';
our @EXPORT = qw(page spans rows table least link_of);

my $page;
sub page { $page = $_[0] }
sub link_of { defined $_[0] && $_[0] =~ /^\d+$/ ? $page->{functions}[$_[0]]{link} : $_[0] }

# A list of spans by its word.
sub spans { my ($word) = @_; (grep { $_->{word} eq $word } @{$page->{spans}})[0] }

# Rows of a table by its word, as hashes by column; functions by the linker's names.
sub table { my ($word) = @_; (grep { $_->{word} eq $word } @{$page->{tables}})[0] }
sub rows {
    my $t = table($_[0]);
    return map {
        my $row = $_;
        +{ map { my ($name, $kind) = @{$t->{columns}[$_]}; ($name => $kind eq "function" ? link_of($row->[$_]) : $row->[$_]) } 0 .. $#$row }
    } @{$t->{rows}};
}

# Of all rotations the least.
sub least {
    my @all = @_;
    return (sort map { join " ", @all[$_ .. $#all], @all[0 .. $_ - 1] } 0 .. $#all)[0];
}
1;
END
query() { perl -I. -MPage -MJSON::PP -e 'local $/; $_ = decode_json(<STDIN>); page($_) if $_->{trod} eq "page"; print do { '"$1 }"; }

# html NAME FILE...: the data of a page in NAME.json, and the page made of them as well.
html()
{
    name=$1
    shift
    trod html -q --json "$@" >"$name.json" && trod html -q "$@" -o "$name.html"
}

# --- segments: of steps, and of paths across calls ------------------------------------------------

page_segments='join "\n", sort map { my $s = $_; join " ", $s->{count}, map { "$_->[0]:" . link_of($_->[1]) . " $_->[4]" } @{$s->{items}} }
    @{spans("segments")->{list}}'
text_segments='join "\n", sort map { my ($s, $depth) = ($_, 0); join " ", $s->{count}, map {
    if (ref $_) { "$depth:$_->{function} $_->{path}" } else { $depth += $_ eq "call" ? 1 : -1; () } } @{$s->{steps}} }
    @{$_->{wpps}[0]{segments}}'

trod cc --wpp -O1 -g -o steps app.c && TROD_OUT=steps.trod ./steps 300 >/dev/null
for depth in 1 3; do
    trod calls segments -q --depth=$depth --names --json --most=100000 steps.trod >segments.json
    html page --depth=$depth steps.trod
    is "$(query "$page_segments" <page.json)" "$(query "$text_segments" <segments.json)" "segments of steps, up to $depth calls"
    is "$(query 'spans("segments")->{total}' <page.json)" "$(query '$_->{wpps}[0]{total}' <segments.json)" "and their sum"
done
trod calls steps -q --hot=1000 --json steps.trod >hot.json
is "$(query 'my $p = $_->{paths}; join "\n", sort map { link_of($p->{function}[$_]) . " $p->{id}[$_] $p->{count}[$_]" } 0 .. $#{$p->{id}}' <page.json)" \
    "$(query 'join "\n", sort map { "$_->{function} $_->{id} $_->{count}" } @{$_->{subpaths}{hot}}' <hot.json)" "subpaths of functions are counted from steps"

trod cc --subpaths -O1 -g -o sub app.c && TROD_OUT=sub.trod ./sub 300 >/dev/null
trod cc --segments=sub.trod --depth=2 -O1 -g -o across app.c && TROD_OUT=across.trod ./across 300 >/dev/null
trod calls segments -q --depth=2 --names --json --most=100000 across.trod >segments.json
html page --depth=2 across.trod
is "$(query "$page_segments" <page.json)" "$(query "$text_segments" <segments.json)" "segments of paths across calls"
trod report -q --json --most=100000 across.trod >report.json
# Items as one line: calls open what is nested, returns close it.
is "$(query 'join "\n", sort map { my ($s, $depth, $text) = ($_, undef, ""); for my $item (@{$s->{items}}) {
        my ($at, $f, $name, undef, $words) = @$item;
        $text .= $at > $depth ? " $name(" : " )" if defined $depth;
        $text .= ($text eq "" ? "" : " ") . $words if $words ne "";
        $depth = $at; }
    "$s->{count} $text" } @{spans("across")->{list}}' <page.json)" \
    "$(query 'join "\n", sort map { $_->{function} eq "weigh" ? () : "$_->{count} $_->{path}" } @{$_->{report}{hot}}' <report.json)" \
    "paths across calls, piece by piece, are those of the report"

# --- samples of blocks ---------------------------------------------------------------------------

trod cc --online=f=8 -O1 -g -o sampled app.c && TROD_OUT=sampled.trod ./sampled 20000 >/dev/null
trod sample subpaths -q --json --most=2000 sampled.trod >subpaths.json
html page sampled.trod
is "$(query 'join "\n", map { my $s = $_; "$s->{count} " . least(map { my $i = $_; map { link_of($i->[1]) . ":$_" } @{$i->[3]} } @{$s->{items}}) }
        @{spans("subpaths")->{list}}' <page.json)" \
    "$(query 'join "\n", map { "$_->{count} " . least(map { "$_->{function}:$_->{block}" } @{$_->{blocks}}) } @{$_->{programs}[0]{subpaths}}' <subpaths.json)" \
    "subpaths, their blocks and estimates, in their order"
# Counts are whole, bounds are of the estimate before it was made so.
is "$(perl -MJSON::PP -e 'local $/; my ($page, $text) = map { open my $in, "<", $_ or die; decode_json(<$in>) } @ARGV;
    my $span = $page->{spans}[0]{list}, my $row = $text->{programs}[0]{subpaths}; my $off = 0;
    for (0 .. $#$row) { my $n = $row->[$_]{count}; my $e = $row->[$_]{error};
        $off++ if abs($span->[$_]{high} / (1 + $e) - $n) > 0.5 + $n / 1e4 || ($e < 0.9 && abs($span->[$_]{low} / (1 - $e) - $n) > 0.5 + $n / 1e4) }
    print scalar(@$row) > 20 ? "" : "few, ", "$off off"' page.json subpaths.json)" "0 off" "and how far these may be off"
is "$(query '$_->{exact} ? "exact" : "estimates"' <page.json)" estimates "they are estimates"
is "$(query 'join " ", map { defined $_->[2] ? "known" : "not" } map { @{$_->{edges}}[0] } @{$_->{functions}}' <page.json)" "not not not" \
    "edges of blocks that were sampled have no count"

# What blocks are estimated to have run is near what they ran; weigh runs its loop's block most.
trod cc --at=code -O1 -g -o counted app.c && TROD_OUT=counted.trod ./counted 20000 >/dev/null
html counted counted.trod
hottest='my ($most) = sort { $b->[0] <=> $a->[0] } map { @{$_->{blocks}} } grep { $_->{link} eq "weigh" } @{$_->{functions}}; '
estimate=$(query "$hottest"'$most->[0]' <page.json)
truth=$(query "$hottest"'$most->[0]' <counted.json)
ok "the hottest block of a function is within a tenth ($estimate for $truth)" \
    test $((estimate * 10)) -gt $((truth * 9)) -a $((estimate * 10)) -lt $((truth * 11))

# --- bursts --------------------------------------------------------------------------------------------

trod cc --burst=types=methods+calls+trips,rate=10 -O1 -g -o bursts app.c && TROD_OUT=bursts.trod ./bursts 20000 >/dev/null
html page bursts.trod
for command in functions calls loops; do
    trod sample $command -q --json --most=2000 bursts.trod >$command.json
done
is "$(query 'join "\n", map { "$_->{function} $_->{file} $_->{events} $_->{entered} $_->{again} $_->{share} $_->{error}" } rows("methods")' <page.json)" \
    "$(query 'join "\n", map { "$_->{function} $_->{file} $_->{count} $_->{entered} $_->{again} $_->{share} $_->{error}" } @{$_->{programs}[0]{functions}}' <functions.json)" \
    "methods"
is "$(query 'join "\n", map { "$_->{caller} $_->{place} $_->{callee} $_->{count} $_->{share}" } rows("calls")' <page.json)" \
    "$(query 'join "\n", map { "$_->{function} $_->{file}:$_->{line}:$_->{column} $_->{callee} $_->{count} $_->{share}" } @{$_->{programs}[0]{calls}}' <calls.json)" \
    "calls"
is "$(query 'join "\n", map { "$_->{function} $_->{loop} $_->{place} $_->{iterations} $_->{entered} $_->{mean} $_->{trips}" } rows("trips")' <page.json)" \
    "$(query 'join "\n", map { "$_->{function} $_->{loop} $_->{file}:$_->{line} $_->{count} $_->{entered} $_->{mean} " . join(" ", map { ($_->{to} && $_->{to} > $_->{from} ? "$_->{from}-$_->{to}" : $_->{from}) . ":$_->{visits}" } @{$_->{trips}}) } @{$_->{programs}[0]{loops}}' <loops.json)" \
    "trips"
is "$(query 'join " ", map { defined $_->{blocks}[0][0] ? "known" : "not" } @{$_->{functions}}' <page.json)" "not not not" \
    "without paths among them, blocks have no counts"

trod cc --burst=types=paths+time,rate=10 -O1 -g -o times app.c && TROD_OUT=times.trod ./times 200000 >/dev/null
html page times.trod
trod report -q --sort=time --json --most=2000 times.trod >times.json
is "$(query 'join "\n", map { join " ", $_->{path} =~ /^=(\d+)/, @{$_}{qw(function time share error times mean p50 p99)} } rows("times")' <page.json)" \
    "$(query 'join "\n", map { join " ", $_->{id}, $_->{function}, $_->{time}{own}, $_->{share}, @{$_->{time}}{qw(error executions mean p50 p99)} } grep { $_->{time} } @{$_->{report}{hot}}' <times.json)" \
    "times"

cp "$root/example/list.c" .
trod cc --burst=types=streams,rate=10,burst=100 -O1 -g -o streams list.c && TROD_OUT=streams.trod ./streams >/dev/null
trod sample data -q --json --most=200 streams.trod >streams.json
html page streams.trod
is "$(query 'join "\n", map { "$_->{heat} $_->{share} $_->{length} $_->{times} $_->{seen}" } rows("streams")' <page.json)" \
    "$(query 'join "\n", map { "$_->{heat} $_->{share} $_->{length} $_->{times} $_->{seen}" } @{$_->{programs}[0]{streams}}' <streams.json)" \
    "streams"

# --- coverage, and unfinished calls ------------------------------------------------------------------------

trod cc -O1 -g -o app app.c && TROD_OUT=app.trod ./app 300 >/dev/null
html page app.trod
trod coverage -q --json app.trod >functions.json
trod coverage -q --json --group=file app.trod >files.json
is "$(query 'join "\n", map { "$_->{function} $_->{file} $_->{ran} $_->{possible} $_->{paths} $_->{edges} $_->{blocks}" } rows("coverage")' <page.json)" \
    "$(query 'join "\n", map { "$_->{function} $_->{file} $_->{paths}{ran} $_->{paths}{all} $_->{paths}{share} $_->{edges}{share} $_->{blocks}{share}" } @{$_->{coverage}{functions}}' <functions.json)" \
    "coverage of functions"
is "$(query 'join "\n", map { "$_->{file} $_->{ran} $_->{possible} $_->{functions}" } rows("files")' <page.json)" \
    "$(query 'join "\n", map { "$_->{file} $_->{paths}{ran} $_->{paths}{all} $_->{functions}{all}" } @{$_->{coverage}{files}}' <files.json)" \
    "coverage of files"
is "$(query 'join " ", map { "$_->{function} $_->{unfinished}" } rows("unfinished calls")' <page.json)" \
    "$(trod report --brief app.trod | sed -n 's/^# \([0-9]*\) activations* of \([a-z]*\) did not finish.*/\2 \1/p' | paste -sd ' ')" \
    "unfinished calls"

# --- hot path tables ------------------------------------------------------------------------------------------

# Twenty loops with two ways each; which of them run changes with time.
perl -e 'print "branches loops\n";
    sub at { sprintf "0x%x", 0x1000 * ($_[0] + 1) + 4 * $_[1] }
    for my $k (0 .. 19) {
        my $n = 4 * $k;
        printf "code %d %s %s %s 1 if %s\n", $n, at($k, 0), at($k, 0), at($k, 1), at($k, 2);
        printf "code %d %s %s %s 1 if %s\n", $n + 1, at($k, 1), at($k, 1), at($k, 2), at($k, 0);
        printf "code %d %s %s %s 1 if %s\n", $n + 2, at($k, 2), at($k, 2), at($k, 3), at($k, 0);
        printf "code %d %s %s %s 1 indirect\n", $n + 3, at($k, 3), at($k, 3), at($k, 4);
    }
    my $seed = 1;
    sub draw { $seed = ($seed * 1103515245 + 12345) % 2147483648; int($seed / 65536) % $_[0] }
    my $k = 0;
    for my $t (0 .. 3999) {
        my $left = draw(3);
        printf "run 0 %d %s\n", 4 * $k, at($k, $left ? 1 : 2);
        if ($left) { printf "run 0 %d %s\n", 4 * $k + 1, at($k, $left == 1 ? 0 : 2); next if $left == 1 }
        if (draw(4)) { printf "run 0 %d %s\n", 4 * $k + 2, at($k, 0); next }
        my $next = int($t / 500) % 4 * 5 + draw(6);
        $next = 19 if $next > 19;
        printf "run 0 %d %s\nrun 0 %d %s\n", 4 * $k + 2, at($k, 3), 4 * $k + 3, at($next, 0);
        $k = $next;
    }
    print "end 0\n"' >stream.txt
trod hw trace --trace -o app.branches stream.txt
model='trod hw model --json --most=1000 --table=8x2,lfu,xor'
$model --window=100 stream.txt >model.json
html page --table=8x2,lfu,xor --window=100 stream.txt
is "$(query '$_->{hardware}{windows}' <page.json)" "$(query '$_->{streams}[0]{nwindow}' <model.json)" "as many windows as the model has"
is "$(query 'my $sum = 0; $sum += $_ for @{$_->{hardware}{overlap}}; sprintf "%.4f", $sum / $_->{hardware}{windows}' <page.json)" \
    "$(query 'sprintf "%.4f", $_->{streams}[0]{tables}[0]{windows}' <model.json)" "the table is as right in them"
like "$(query 'sprintf "%.4f", $_->{streams}[0]{tables}[0]{windows}' <model.json)" '^0\.[1-9]' "which is neither never nor always"
insns=$(query '$_->{streams}[0]{instructions}' <model.json)
is "$(query '$_->{hardware}{windows} * 100 + $_->{hardware}{behind}' <page.json)" "$insns" "windows, and what is behind the last, are all instructions"
html page --table=8x2,lfu,xor --window="$insns" stream.txt
$model --window="$insns" stream.txt >model.json
is "$(query 'join "\n", sort map { "$_->{text} $_->{really}[0]" } @{$_->{hardware}{entries}}' <page.json)" \
    "$(query 'join "\n", sort map { sprintf "0x%x %s %d", $_->{start}, $_->{outcomes}, $_->{count} } @{$_->{streams}[0]{hottest}}' <model.json)" \
    "in one window, paths ran as often as the model says"
is "$(query 'my $over = 0; for my $e (@{$_->{hardware}{entries}}) { $over++ if $e->{held}[0] > $e->{really}[0] } $over' <page.json)" 0 \
    "a table that forgets counts too little, never too much"
is "$(query 'scalar grep { $_->{held}[0] } @{$_->{hardware}{entries}}' <page.json)" 8 "and holds as many paths as it has entries"
html page app.trod app.branches
is "$(query '"$_->{hardware}{windows} of $_->{hardware}{window}"' <page.json)" "$((insns / 100)) of 100" "about a hundred windows by default"
is "$(query 'join " ", map { $_->{link} } sort { $a->{link} cmp $b->{link} } @{$_->{functions}}' <page.json)" "main pick weigh" \
    "a profile and a trace are in one page"

exits 2 "two tables" trod html --json --table=8x2 --table=4x2 stream.txt
exits 2 "a table that cannot be" trod html --json --table=500x3 stream.txt
exits 2 "events that the stream does not have" trod html --json --set='metric: misses' stream.txt
exits 3 "too many windows" trod html --json --window=1 stream.txt
like "$(trod html --json --window=1 stream.txt 2>&1)" "more than 4096 windows of 1 instructions; choose larger ones with --window" "and what to do"
printf 'branches x\nrun 0 7 0x10\n' >bad.txt
exits 3 "a stream that cannot have been" trod html --json bad.txt

# --- several kinds in one page -------------------------------------------------------------------------------------

html page app.trod steps.trod sampled.trod bursts.trod streams.trod app.branches
is "$(query 'join " ", (map { $_->{word} } @{$_->{spans}}, @{$_->{tables}}), $_->{hardware} ? "hardware" : ()' <page.json)" \
    "segments subpaths methods calls trips streams unfinished calls coverage files hardware" "profiles of all modes, and a trace"
is "$(query '$_->{total}' <page.json)" "$(trod report --json app.trod | query '$_->{report}{total}')" "paths are those of the first"
if python3 -c 'import jsonschema' 2>said; then
    for how in "" ${TROD_FULL:+--mutate}; do
        # Unquoted: it may be none.
        # shellcheck disable=SC2086
        ok "all of it is what the schema says, and whatever is changed is found" \
            python3 "$root/test/export/check_schema.py" $how "$root/doc/schema/page.schema.json" page.json
    done
else
    skip "the schema" "no python3-jsonschema"
fi
like "$(query 'join " ", @{$_->{notes}}' <page.json)" "of 4 modes are here: paths, lines and blocks are those of mode source" "and a note says so"
trod html -q --json sampled.trod >alone.json
sum='join "\n", map { "$_->{count} $_->{items}[0][4]" } @{spans("subpaths")->{list}}'
is "$(query "$sum" <page.json)" "$(query "$sum" <alone.json)" "of others, what is there beside paths"

# --- how entries of another version are known --------------------------------------------------------------------

sed 's/x % 5 ? 2 : 3/x % 5 ? 4 : x % 2 ? 3 : 1/' app.c >new.c
trod cc -O1 -g -o one app.c && trod cc -O1 -g -o two new.c
for n in 40 300; do
    TROD_OUT=$n.trod ./one $n >/dev/null
done
TROD_OUT=check.trod ./two 40 >/dev/null
for type in paths loops; do
    trod migrate -q --old=one --new=two --type=$type --check=40=check.trod 40.trod 300.trod -o plan-$type >/dev/null
    trod migrate -q --no-rerun --finish=plan-$type -o merged-$type >/dev/null
done
html page merged-paths/all.trod merged-paths/*.entries
# The least trusted of several.
perl -e 'my %least; for (@ARGV) { open my $in, "<", $_ or die; while (<$in>) {
        next unless /^entry (\S+) \S+ \S+ \S+ (\d+) \S+ (\d+) (\w+) .*trust (\S+)/ && $3;
        my $key = "$1 $2";
        $least{$key} = [$5, $4] if !$least{$key} || $5 < $least{$key}[0] } }
    print join "\n", sort map { "$_ $least{$_}[1]" } keys %least' merged-paths/40.entries merged-paths/300.entries >known.txt
is "$(query 'my ($p, $all) = ($_->{paths}, $_->{confidence}); join "\n", sort map { link_of($p->{function}[$_]) . " $p->{id}[$_] $all->[$p->{confidence}[$_]]{word}" } 0 .. $#{$p->{id}}' <page.json)" \
    "$(cat known.txt)" "paths are known as their entries say"
like "$(query 'join " ", map { $_->{word} } @{$_->{confidence}}' <page.json)" '^(profiled ?)?(validated ?)?(reused ?)?(inferred ?)?$' \
    "classes are those of trod migrate, the best known first"
is "$(query 'my $n = 0; $n += $_->{entries} for rows("known"); $n' <page.json)" "$(cat merged-paths/40.entries merged-paths/300.entries | grep -c '^entry')" \
    "how many entries are known how"
html page --binary=two merged-loops/*.entries
is "$(query 'join "\n", sort map { "$_->{function} $_->{part} $_->{count} $_->{was} $_->{known}" } rows("300")' <page.json)" \
    "$(sed -n 's/^entry \(\S*\) \S* \(\S*\) \S* \S* \S* \(\S*\) \(\w*\) was \(\S*\) .*/\1 \2 \3 \5 \4/p; s/^entry \(\S*\) \S* \(\S*\) \S* \S* \S* \(\S*\) \(\w*\) trust .*/\1 \2 \3  \4/p' merged-loops/300.entries | sort)" \
    "entries that are no paths are a table, with how each is known"
printf 'entries paths\nentry f\n' >bad.entries
exits 3 "entries that are none" trod html --json app.trod bad.entries
like "$(trod html --json app.trod bad.entries 2>&1)" "bad.entries:2" "and where"

# --- programs as they are ---------------------------------------------------------------------------------------------

if [ -z "${TROD_FULL:-}" ]; then
    skip "programs as they are" "in a full run"
elif why=$("$root/test/kit/emulator.sh"); then
    cc -O1 -g -o plain app.c
    trod emulate -q -o plain.trod -- ./plain 300 >/dev/null 2>&1
    html page plain.trod
    trod report -q --json --all-code --most=100000 plain.trod >report.json
    is "$(query 'my $p = $_->{paths}; join "\n", sort map { link_of($p->{function}[$_]) . " $p->{id}[$_] $p->{count}[$_]" } 0 .. $#{$p->{id}}' <page.json)" \
        "$(query 'join "\n", sort map { "$_->{function} $_->{id} $_->{count}" } @{$_->{report}{hot}}' <report.json)" "paths of a program that was emulated"
    is "$(query 'join " ", sort grep { /^(main|pick|weigh)$/ } map { $_->{name} } grep { defined $_->{line} } @{$_->{functions}}' <page.json)" "main pick weigh" \
        "whose functions have names and lines"
    trod html -q --json -o page.json app.trod -- ./plain 300 2>/dev/null
    like "$(query 'join " ", map { defined $_->{function} ? link_of($_->{function}) : () } @{$_->{hardware}{entries}}' <page.json)" 'weigh' \
        "a program is run for what a table would have held, and its functions are those of the profile"
else
    skip "programs as they are" "$why"
fi

done_testing
