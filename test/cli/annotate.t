#!/bin/sh
# trod annotate: sources with counts; trod report -v and --conditions; paths grouped by where they begin.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'C'
static int never(int x)
{
    return x + 1;
}

int main(int argc, char **argv)
{
    int sum = 0;

    for (int i = 0; i < 20; i++) {
        if (i % 5 == 0)
            sum++;
	sum += argc > 3 ? never(i) : 0;
    }
    return sum > 100;
}
C
"$root/build/release/trod" cc -g -o app app.c
TROD_OUT=app.trod ./app

said=$(trod annotate app.trod)
like "$said" "^app.c$" "the file, as seen from here"
mkdir -p below/that
is "$(cd below/that && trod annotate --source=../.. ../../app.trod | head -n 1)" ../../app.c "from elsewhere"
is "$(cd below/that && trod annotate ../../app.trod | head -n 1)" "$PWD/app.c" "where sources are not read from, the whole path"
like "$said" '^[a-e ]+ 21 ######## +10      for \(int i = 0; i < 20; i\+\+\) \{  \[T 20, F 1\]$' "counts, heat, text, decisions"
like "$said" '^[a-e ]+ 4 ## +12              sum\+\+;$' "a line that ran less"
like "$said" '  13          sum \+=' "tabs become blanks"
like "$said" '^   main: [0-9] of [0-9] paths that ran, 21 times$' "paths are listed beneath"
like "$said" '^ a  [0-9 ][0-9]\.[0-9]% +[0-9]+  =[0-9]+  loop 10 10:T 11:F' "with a letter, and in words"
unlike "$said" 'return x \+ 1' "what did not run is left out"
like "$(trod annotate --all app.trod)" ' 0 +3      return x \+ 1;' "unless it is asked for"
unlike "$said" "$(printf '\033')" "no colours but on a terminal"
is "$(TERM=dumb script -qec 'trod annotate app.trod' out.txt </dev/null | grep -c "$(printf '\033')")" 0 "nor on one that has none"
is "$(NO_COLOR=1 TERM=xterm script -qec 'trod annotate app.trod' out.txt </dev/null | grep -c "$(printf '\033')")" 0 "none if NO_COLOR is set"
like "$(TERM=xterm script -qec 'trod annotate app.trod' out.txt </dev/null)" "$(printf '\033')\[31;1m" "else the hottest lines are red"

# Lines fit a terminal; what is piped is whole.
cat >wide.c <<'C'
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 100 && argc < 1000 && argc != 101 && argc != 102 && argc != 103 && argc != 104 && argc != 105)
        return 1;
    for (int i = 0; i < 3; i++)
        if (argc > 1 || argc > 2 || argc > 3 || argc > 4 || argc > 5 || argc > 6 || argc > 7 || argc > 8 || argc > 9)
            return 2;
    return 0; /* a comment that makes this line much longer than any terminal of eighty columns could ever be */
}
C
"$root/build/release/trod" cc -g -o wide wide.c
TROD_OUT=wide.trod ./wide
like "$(trod annotate wide.trod)" 'could ever be \*/$' "piped: whole lines"
for n in 60 80; do
    script -qec "stty cols $n; trod annotate --color=never wide.trod" out.txt </dev/null | tr -d '\r' >narrow
    is "$(awk -v n="$n" 'length > n' narrow)" "" "a terminal of $n columns: no line is longer"
    like "$(cat narrow)" '    return 0; .*\.\.\.$' "... text is cut"
done
like "$(cat narrow)" 'for \(int i = 0; i < 3;.*\[T 3, F 1\]$' "... counts of decisions are not"

# One path.
id=$(trod report --brief app.trod | sed -n 's/.*main =\([0-9]*\)  loop 10 10:F return.*/\1/p')
one=$(trod annotate --function=main --path="$id" app.trod)
like "$one" '^> .* 15      return sum > 100;$' "one path: lines on it are marked"
like "$one" '^  .* 12              sum\+\+;$' "others are not"
exits 2 "a path without a function" trod annotate --all --path=0 app.trod
exits 3 "a path that there is not" trod annotate --function=main --path=999 app.trod
is "$(trod annotate --most=1 app.trod | grep -c '^ [a-z] ')" 1 "as many paths as asked for"
is "$(trod annotate -q --file='*.h' app.trod)" "" "files are chosen"
is "$(trod annotate --file='app.c' app.trod)" "$said" "by name alone, too"

is "$(trod annotate --json app.trod | python3 -c '
import json, sys
d = json.load(sys.stdin)
f = d["files"][0]
print(d["trod"], d["version"], [l["text"].strip() for l in f["lines"] if l["line"] == 12], f["functions"][0]["count"])')" \
    "annotate 1 ['sum++;'] 21" "JSON"

# Sources that are not there, or elsewhere.
mkdir moved && mv app.c moved
gone=$(trod annotate app.trod)
like "$gone" '^# .*app.c: it was not found; name its folder with --source$' "why there is no text"
like "$gone" ' block 2: line 11$' "and blocks instead"
is "$(trod annotate --source=moved app.trod | sed 's|^moved/app.c$|app.c|')" "$said" "sources are looked for where one says"

# Code of an inlined function is shown where it is written; what is between is left out.
{
    printf 'static int twice(int x)\n{\n    return x & 1 ? 2 * x : x;\n}\n'
    for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo "/* filler $n */"; done
    printf 'int main(int argc, char **argv)\n{\n    int sum = 0;\n\n    (void)argv;\n    for (int i = 0; i < 100 * argc; i++)\n        sum += twice(i);\n    return sum < 0;\n}\n'
} >far.c
"$root/build/release/trod" cc --at=code -O2 -fno-vectorize -fno-unroll-loops -g -o far far.c
TROD_OUT=far.trod ./far
far=$(trod annotate --function=main far.trod)
like "$far" ' 3      return x & 1' "an inlined line"
like "$far" '^ *\.\.\.$' "... what is between"
unlike "$far" 'filler 10' "... is left out"
like "$far" ' 25  int main' "... up to the name of the function"

# Times: of a path and of all paths on a line.
cat >timed.c <<'C'
static unsigned mix(unsigned n, unsigned x)
{
    if (n % 3 == 0)
        x = x * 16807 % 2147483647;
    else
        x += n;
    return x;
}

int main(int argc, char **argv)
{
    unsigned x = (unsigned)argc;

    for (unsigned i = 0; i < 30000; i++)
        x = mix(i, x);
    return argv[0] == 0 ? (int)x : 0;
}
C
"$root/build/release/trod" cc --burst=types=paths+time,trigger=always -O1 -g -o timed timed.c
TROD_OUT=timed.trod ./timed
timed=$(trod annotate --time timed.trod)
like "$timed" '^[a-z ]+ 10\.0k +[0-9.]+[mun]?s #+ +4          x = x' "times: a line has its count and the time of its paths"
like "$timed" '^   main: [0-9] of [0-9] paths that ran, 3[0-9]* times, own time [0-9.]+.s$' "... a function the own time of its paths"
like "$timed" '^ a +[0-9.]+% +[0-9.]+k +[0-9.]+[mun]?s mean +[0-9.]+.?s  =[0-9]+  ' "... a path its own, and the mean"
like "$timed" '^# the time of a line is' "... and what that means"
trod annotate --time --json timed.trod >timed.json
is "$(python3 - <<'PY'
import json
d = json.load(open("timed.json"))
f = d["files"][0]
paths = [p for g in f["functions"] for p in g["paths"] if "time" in p]
off = lambda a, b: abs(a - b) > 1e-4 * max(abs(a), abs(b), 1)
print(len(paths) >= 2,
    [l["line"] for l in f["lines"] if off(l["own"], sum(p["time"]["own"] for p in paths if l["line"] in p["lines"]))],
    off(sum(p["share"] for p in paths), 1), off(sum(p["time"]["own"] for p in paths), d["times"]["own"]),
    off(sum(g["own"] for g in f["functions"]), d["times"]["own"]),
    sorted((p["time"]["own"] for p in paths), reverse=True) == [p["time"]["own"] for p in paths])
PY
)" "True [] False False False True" "... all add up: lines, shares, functions"
is "$(grep '"count"' timed.json | sort)" "$(trod annotate --json timed.trod | grep '"count"' | sort)" "... counts are as without"
exits 4 "times of a program that has none" trod annotate --time app.trod

# trod report.
like "$(trod report --brief --conditions --source=moved app.trod)" '11:F \(i % 5 == 0\)' "conditions"
like "$(trod report -v --source=moved app.trod)" '^ +12 \|             sum\+\+;$' "lines of a path"
is "$(trod report -v --source=moved app.trod | grep -v ' | ')" "$(trod report --source=moved app.trod)" "and nothing else is new"
is "$(trod report --brief --group=loop app.trod | sed 's/^.*  main  //' | tail -n 2)" "loop 10  app.c
entry  app.c" "paths by where they begin"
is "$(trod report --brief --group=loop app.trod | awk '/%/ { n += $3 } END { print n }')" 21 "which are all of them"
is "$(trod report --json -v --source=moved --most=1 app.trod | python3 -c '
import json, sys
print([l["line"] for l in json.load(sys.stdin)["report"]["hot"][0]["lines"]][:3])')" "[10, 11, 13]" "JSON has the lines"
done_testing
