# shellcheck shell=bash
# Shared by bench/hardware and bench/emulate: Debian's own programs and their inputs. Source it after bench/subject.sh.
# $kept is a permanent folder and $out a temporary one; the result is in $command and $input.
kept=${kept-}
out=${out-}

# Find the file and the package of a program.
file_of() {
    case $1 in
    cc1) gcc -print-prog-name=cc1 ;;
    lua) echo /usr/bin/lua5.4 ;;
    gzip | bzip2 | grep | sed) for f in /usr/bin/$1 /bin/$1; do [ ! -x "$f" ] || { readlink -f "$f"; return; }; done ;;
    *) echo "/usr/bin/$1" ;;
    esac
}
version_of() {
    local package
    # /bin is a link to /usr/bin, and packages use either name.
    package=$(dpkg -S "$1" "${1#/usr}" 2>>"$out/log" | cut -d: -f1 | head -n 1) || true
    dpkg-query -W -f '${Package} ${Version}' "${package:-none}" 2>>"$out/log" || echo unknown
}

# Make reproducible input: text, programs and tables.
inputs() {
    words 20000000 >text
    (numbers 400000 7 && words 4000000) >mixed
    perl -e '
        my $x = 1;
        print "#include <stddef.h>\nstruct s { int a, b; double c; struct s *next; };\n";
        for my $f (0 .. 1500) {
            $x = $x * 16807 % 2147483647;
            print "int f$f(struct s *s, int n)\n{\n    int r = ", $x % 1000, ";\n    for (int i = 0; i < n; i++) {\n        if ((i & ", $x % 15 + 1, ") == 0)\n            r += s->a * i;\n";
            print "        else if (s->b > r)\n            r ^= s->b << ", $x % 7, ";\n        switch (r & 3) {\n        case 0: r++; break;\n        case 1: s->c += r; break;\n        default: s = s->next ? s->next : s;\n        }\n    }\n";
            print $f ? "    return r + f" . ($x % $f) . "(s, n / 2);\n}\n" : "    return r;\n}\n";
        }' >many.c
    cat >calls.py <<'PY'
import json, re
class Node:
    def __init__(self, key): self.key, self.left, self.right = key, None, None
def insert(n, key):
    if n is None: return Node(key)
    if key < n.key: n.left = insert(n.left, key)
    elif key > n.key: n.right = insert(n.right, key)
    return n
def walk(n): return [] if n is None else walk(n.left) + [n.key] + walk(n.right)
x, root, count = 1, None, {}
for i in range(200000):
    x = x * 16807 % 2147483647
    root = insert(root, x % 5000)
    w = "%x" % (x >> 12)
    count[w[:3]] = count.get(w[:3], 0) + 1
    if i % 100 == 0:
        text = json.dumps({"i": i, "w": [w, w[::-1]], "n": sorted(count.values())[:20]})
        assert json.loads(text)["i"] == i
        re.sub(r"([0-9])([a-f]+)", r"\2\1", text)
print(len(walk(root)), len(count))
PY
    cat >words.pl <<'PL'
my (%count, %after, $last);
while (<>) {
    for my $w (/(\w+)/g) { $count{$w}++; $after{$last}{$w}++ if defined $last; $last = $w }
    s/\b(\w)(\w*)\b/\u$1\L$2/g; my @f = sort { $a cmp $b } split ' ';
    $count{join '', map { substr $_, 0, 1 } @f}++ if @f > 5;
}
print scalar(keys %count), " ", scalar(keys %after), "\n";
PL
    cat >work.lua <<'LUA'
local x, t, s = 1, {}, 0
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
for i = 1, 3000000 do
    x = x * 16807 % 2147483647
    local k = string.format("%d", x % 997)
    t[k] = (t[k] or 0) + 1
    if i % 1000 == 0 then s = s + fib(15) local l = {} for w in pairs(t) do l[#l + 1] = w end table.sort(l) s = s + #table.concat(l, ",") end
end
print(s)
LUA
    cat >work.sql <<'SQL'
create table t(a integer primary key, b integer, c text);
with recursive n(i, x) as (select 1, 1 union all select i + 1, x * 16807 % 2147483647 from n where i < 60000)
insert into t select i, x % 1000, printf('%08x', x) from n;
create index tb on t(b);
select b, count(*), max(c), sum(length(c)) from t group by b order by 2 desc, 1 limit 5;
select count(*) from t u join t v on u.b = v.b where u.a < 3000 and v.c > u.c;
update t set c = upper(c) || b where b % 7 = 0;
select count(distinct substr(c, 1, 3)), group_concat(distinct b % 10) from t where c like '%A%';
delete from t where b between 100 and 300;
select sum(a), avg(b) from (select * from t order by c desc limit 20000);
SQL
    perl -e '
        my @w = (["the", "a", "every"], [qw(old new small green)], [qw(dog program path cat house man)], [qw(sees finds wants counts likes)], [qw(with near behind)]);
        my $x = 1; sub pick { $x = $x * 16807 % 2147483647; my $l = $w[$_[0]]; return $l->[($x >> 8) % @$l] }
        for (1 .. 400) { my $s = join " ", pick(0), pick(1), pick(2), pick(3), pick(0), pick(1), pick(2), pick(4), pick(0), pick(2); print ucfirst($s), ".\n" }' >sentences
    perl -e 'my $x = 1; print "["; for my $i (1 .. 30000) { $x = $x * 16807 % 2147483647; printf "%s{\"i\":%d,\"x\":[%d,%d],\"s\":\"%x\"}", $i > 1 ? "," : "", $i, $x % 7, $x % 1000, $x } print "]\n"' >table.json
    printf '%s\n' 'scale = 60' 'define f(n) {' '  auto i, s' '  s = 0' '  for (i = 1; i <= n; i++) { s += 1 / (i * i); if (i % 7 == 0) s -= sqrt(i) / i }' '  return (s)' '}' \
        'f(20000)' 'e(7.5)' 'a(1) * 4' 'l(2)' 'x = 2 ^ 4000' 'scale = 0' 'x % 10007' 'quit' >sums.bc
}

# The command line of each program.
# shellcheck disable=SC2016,SC2034
command_of() {
    case $1 in
    gzip) command=("$file" -9 -c "$kept/input/mixed") ;;
    bzip2) command=("$file" -c "$kept/input/mixed") ;;
    xz) command=("$file" -T1 -6 -c "$kept/input/mixed") ;;
    zstd) command=("$file" -q --single-thread -9 -c "$kept/input/text") ;;
    brotli) command=("$file" -q 7 -c "$kept/input/mixed") ;;
    link-parser) command=("$file" en -batch) input=$kept/input/sentences ;;
    sqlite3) command=("$file" :memory:) input=$kept/input/work.sql ;;
    python3) command=("$file" -I "$kept/input/calls.py") ;;
    perl) command=("$file" "$kept/input/words.pl" "$kept/input/mixed") ;;
    cc1) command=("$file" -quiet -O2 -o "$out/many.s" "$kept/input/many.c") ;;
    gawk) command=("$file" '{ for (i = 1; i <= NF; i++) n[$i]++; gsub(/[aeiou]+/, "<&>"); b += length($0) } END { c = asorti(n, k); print NR, c, b }' "$kept/input/text") ;;
    lua) command=("$file" "$kept/input/work.lua") ;;
    sort) command=("$file" --parallel=1 -S 200M "$kept/input/text") ;;
    grep) command=("$file" -cE '(path|edge) .*(loop|graph) [0-9]+|count(to|in)? .*block$' "$kept/input/text") ;;
    bc) command=("$file" -lq) input=$kept/input/sums.bc ;;
    jq) command=("$file" 'map(select(.x[0] > 2) | {k: .s[0:2], v: (.x | add)}) | group_by(.k) | map({k: .[0].k, n: length, sum: (map(.v) | add)}) | sort_by(-.sum) | .[0:9]' "$kept/input/table.json") ;;
    *) return 1 ;;
    esac
}
