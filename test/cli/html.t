#!/bin/sh
# Pages: with and without sources, with and without Graphviz; and input cannot inject code into them.
# test/page tests them in a browser.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

command -v python3 >python.path || skip_all "no python3"
walk() { python3 "$root/test/kit/page_walk.py" "$@"; }

# --- a program --------------------------------------------------------------------------------------------------

cat >app.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>

static int weigh(int x)
{
    int sum = 0;

    for (int i = 0; i < x; i++) {
        if (i % 3 == 0)
            sum += i;
        else if (i % 5 == 0)
            sum -= printf("%s", "");
    }
    return sum;
}

int rare(int x)
{
    return x > 1000 ? x : -x; /* </script><b>"&' */
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;

    if (n > 50)
        n = rare(n);
    return weigh(n) == 12345;
}
EOF
trod cc -g -O1 -o app app.c
TROD_OUT=app.trod ./app
TROD_OUT=big.trod ./app 60

ok "a page" trod html app.trod -o app.html
like "$(trod html app.trod -o app.html 2>&1)" '^trod: note: app.html: [0-9]+ KB; open it in a browser$' \
    "where it is, and how large"
is "$(trod html -q app.trod -o app.html 2>&1)" "" "-q: nothing is printed"
is "$(walk app.html)" "2 functions, 6 paths, 12 times" "its data are what they should be"
is "$(walk app.html "d['total']")" "$(trod report --brief app.trod | sed -n 's/.*, \([0-9]*\) times in all/\1/p')" \
    "all that ran is what a report says"
trod html -q app.trod >out.html
ok "standard output" cmp out.html app.html
trod html -q app.trod -o - >out.html
ok "-o -" cmp out.html app.html
trod html -q - <app.trod >out.html
ok "standard input" cmp out.html app.html
trod html --json app.trod >app.json
is "$(walk app.json "[d['trod'], d['version'], d['title']]")" "['page', 1, 'app']" "--json: the data alone"
like "$(cat app.html)" '<title>app</title>' "the title"
like "$(cat app.html)" 'Content-Security-Policy.*default-src .none' "no network"
unlike "$(cat app.html)" '<!-- trod:' "no place is left empty"
if command -v script >script.path; then
    like "$(script -qec 'trod html app.trod; echo status $?' typescript)" 'name a file with -o' \
        "not to a terminal"
    like "$(cat typescript)" 'status 2' "not to a terminal: status 2"
fi
exits 3 "a text that is not a profile" sh -c 'echo no | trod html'
exits 5 "no such file" trod html missing.trod -o x.html
exits 5 "no such folder" trod html app.trod -o missing/x.html
exits 2 "no such option" trod html --frobnicate app.trod

# --- large programs ------------------------------------------------------------------------------------------------

# A hot function, and a cold one of more lines than a page has of all.
{
    echo 'int hot(int x) { if (x & 1) return x / 2; return x + 1; }'
    echo 'int cold(int x) {'
    echo '    if (x > 1000000)'
    yes '        /* a line of text that is in the way of others */' | head -n 160000
    echo '        x = 5;'
    echo '    return x;'
    echo '}'
    echo 'int main(void) { int x = 1; for (int i = 0; i < 1000; i++) x = hot(x); return cold(x) < 0; }'
} >wide.c
trod cc -g -o wide wide.c
TROD_OUT=wide.trod ./wide
trod html --json wide.trod >wide.json
is "$(walk wide.json "[f['name'] for f in d['functions'] if f.get('cold')]")" "['cold']" "a large program: the coldest function is without its text"
is "$(walk wide.json "['conditions' in f for f in d['functions']]")" "[True, True, False]" "... and its conditions"
is "$(walk wide.json "[bool(l) for l in d['files'][0]['lines'][:6]]")" "[True, True, True, True, True, True]" "a hot one has its text, and some around"
is "$(walk wide.json "sum(bool(l) for l in d['files'][0]['lines']) < 100")" "True" "... and no more"
like "$(walk wide.json "d['notes']")" "1 of 3 functions, the coldest, are without their source text" "a note says so"
trod html --json --all-sources wide.trod >whole.json
is "$(walk whole.json "[f['name'] for f in d['functions'] if f.get('cold')]")" "[]" "--all-sources: all have theirs"
ok "a large page" trod html -q --all-sources wide.trod -o wide.html
like "$(grep -o '<script type="application/[a-z]*"' wide.html)" "gzip" "its data are compressed"
is "$(walk wide.html "len(d['functions'])")" 3 "... and are all there"
ok "a page that is not compressed" trod html -q --all-sources --no-compress wide.trod -o plain.html
like "$(grep -o '<script type="application/[a-z]*"' plain.html)" "json" "--no-compress: they are plain"
ok "compressed, it is a tenth as large" [ $(($(stat -c %s wide.html) * 10)) -lt "$(stat -c %s plain.html)" ]

# --- which functions, which paths ------------------------------------------------------------------------------------

is "$(trod html --json --all app.trod >x.json && walk x.json "sorted(f['name'] for f in d['functions'])")" \
    "['main', 'rare', 'weigh']" "--all: functions that did not run"
is "$(trod html --json -f 'we*' app.trod >x.json && walk x.json "([f['name'] for f in d['functions']], d['total'])")" \
    "(['weigh'], 12)" "--function: shares are of all that ran"
is "$(trod html --json --most=2 app.trod >x.json && walk x.json "(d['paths']['count'], d['notes'])")" \
    "([5, 3], ['4 paths are not listed, for 2 ran as often or more: together they ran 4 times; list more with --most'])" \
    "--most: what is left out is reported"

trod html --json --since=app.trod big.trod >x.json
is "$(walk x.json "sorted({(d['functions'][f]['name'], x) for f, x in zip(d['paths']['function'], d['paths']['flags'])})")" \
    "[('main', 4), ('main', 8), ('rare', 4), ('weigh', 4), ('weigh', 8)]" "--since: new and gone"
trod html --json --since=app.trod app.trod >x.json
is "$(walk x.json "(set(d['paths']['flags']), d['paths']['old'] == d['paths']['count'])")" "({0}, True)" \
    "--since the same: nothing is new"
is "$(walk x.json "[d['old_total']] + sorted((f['name'], f['old'] == f['count']) for f in d['functions'])")" "[12, ('main', True), ('weigh', True)]" \
    "--since: counts of functions in both"
is "$(walk x.json "[f['rows']['old'] == f['rows']['count'] for f in d['files']]")" "[True]" "--since: counts of lines in both"
trod html -q --json --since=big.trod app.trod >x.json
trod annotate -q --all --json big.trod >old.json
is "$(walk x.json "[(l, n) for f in d['files'] for l, n in zip(f['rows']['line'], f['rows']['old'])]")" \
    "$(python3 -c "import json; print([(l['line'], l['count']) for f in json.load(open('old.json'))['files'] for l in f['lines']])")" \
    "--since: lines of the other profile have the counts that annotate prints of it"
trod html -q --json --tested=app.trod big.trod >x.json
is "$(walk x.json "(d['tested'], set(d['paths']['flags']))")" "(True, {1})" "--tested: untested paths are marked"
trod html -q --json --missing=3 app.trod >x.json
is "$(walk x.json "(d['paths']['flags'].count(2), d['paths']['count'][-3:])")" "(3, [0, 0, 0])" \
    "--missing: paths that nearly ran"
mkdir v2
sed 's/i % 3/i % 4 \&\& i > 2/' app.c >v2/app.c
(cd v2 && trod cc -g -O1 -o ../other app.c)
TROD_OUT=other.trod ./other
exits 4 "--tested of another build" trod html --tested=other.trod app.trod -o x.html
exits 0 "--tested of another build, --partial" trod html --tested=other.trod --partial app.trod -o x.html
trod html -q --json --since=other.trod app.trod >x.json
like "$(walk x.json "d['notes']")" '1 functions changed since' "--since another build: what changed is reported"

# --- which tests take a path ----------------------------------------------------------------------------------------

trod html -q --json app.trod big.trod app.trod >x.json
is "$(walk x.json "(d['tests'], sorted({tuple(t) for t in d['paths']['tests']}))")" "(['app.trod', 'big.trod', 'app.trod'], [(1, 1), (2, 0, 2)])" \
    "several profiles: which have each path"
is "$(walk app.json "('tests' in d, 'tests' in d['paths'])")" "(False, False)" "one profile: nothing to tell apart"
trod merge --keep-runs -o kept.trod app.trod big.trod
trod html -q --json kept.trod >x.json
is "$(walk x.json "d['tests']")" "['kept.trod', 'kept.trod@2']" "groups of one profile are distinguished"

# --- an editor ------------------------------------------------------------------------------------------------------

trod html -q --json --editor='vscode://file{path}:{line}' app.trod >x.json
is "$(walk x.json "(d['editor'], d['files'][0]['path'])")" "('vscode://file{path}:{line}', '$PWD/app.c')" "--editor: a link, and where files are"
# shellcheck disable=SC2016
for link in 'javascript:open({path})' 'data:{path}' 'vscode://file' 'emacs {path}' ''; do
    exits 2 "--editor: '$link' is no link to a file" trod html -q --json --editor="$link" app.trod
done

# --- sources --------------------------------------------------------------------------------------------------------

is "$(walk app.html "d['files'][0]['lines'][3]")" "static int weigh(int x)" "sources are in it"
mkdir moved
mv app.c moved/
trod html -q --json app.trod >x.json
like "$(walk x.json "(d['files'][0]['lines'], d['files'][0]['why'], d['notes'])")" \
    'None, .*app.c: it (was not found|is outside the working directory).*--source.*1 of 1 sources' "sources that are gone: why"
trod html -q --json --source=moved app.trod >x.json
is "$(walk x.json "(len(d['files'][0]['lines']), d['notes'])")" "(29, [])" "--source: where they are"
touch -d '2100-01-01' moved/app.c
trod html -q --json --source=moved app.trod >x.json
like "$(walk x.json "d['notes']")" 'moved/app.c changed after the program was built' \
    "sources that changed: a note"
mkdir -p moved/deep/down
{ printf '\001\000\002' && cat moved/app.c; } >moved/deep/down/app.c
trod html -q --json --source=moved/deep/down app.trod >x.json
like "$(walk x.json "d['files'][0]['why']")" 'it is not text' "sources that are no text"
printf '\377\r\n<\r\nx' >moved/deep/down/app.c
trod html -q --json --source=moved/deep/down app.trod >x.json
is "$(walk x.json "d['files'][0]['lines']")" "['\\\\xff', '<', 'x']" "sources in no encoding"
cp moved/app.c .

trod cc -O1 -o plain app.c
TROD_OUT=plain.trod ./plain
trod html -q --json plain.trod >x.json
like "$(walk x.json "(d['files'], d['functions'][0]['line'])")" 'without -g.*None' "without debug information"
is "$(walk x.json "d['functions'][0]['ran']")" 5 "without debug information: the paths"
mv plain plain.gone
trod html -q --json plain.trod >x.json
like "$(walk x.json "(d['total'], len(d['paths']['id']), d['notes'])")" '12, 0, .*are in no map.*--binary' \
    "without its program: a note"
trod html -q --json --binary=plain.gone plain.trod >x.json
is "$(walk x.json "len(d['paths']['id'])")" 6 "--binary"

# Of a long file, functions that ran, and what is between two of them if it is short.
awk 'BEGIN {
    text[100] = "int one(int x) { return x > 1 ? x : 1; }"
    text[120] = "int two(int x) { return x > 2 ? x : 2; }"
    text[5000] = "int main(int c, char **v) { return one(c) + two(c) == c && v; }"
    for (i = 1; i <= 10050; i++)
        print (i in text) ? text[i] : "// " i
}' >long.c
trod cc -g -O0 -o long long.c
TROD_OUT=long.trod ./long
trod html -q --json --no-layout long.trod >x.json
is "$(walk x.json "[bool(d['files'][0]['lines'][i - 1]) for i in (50, 99, 100, 110, 120, 130, 4990, 4995)]")" \
    "[False, True, True, True, True, False, False, True]" "of long files, functions and what is around them"
is "$(walk x.json "[max(d['files'][0]['rows']['line']), min(d['files'][0]['rows']['line'])]")" "[5000, 100]" "of long files, lines that are there have counts"

# --- names that would break out -------------------------------------------------------------------------------------

mkdir 'x<script>y'
cat >'x<script>y/less.cc' <<'EOF'
struct point { int x; };
bool operator<(point a, point b) { return a.x < b.x; /* </script> <!-- */ }
int main(int argc, char **) { return point{argc} < point{0}; }
EOF
trod c++ -g -O1 -o less 'x<script>y/less.cc'
TROD_OUT=less.trod ./less
trod html -q less.trod -o less.html
is "$(walk less.html "sorted(f['name'] for f in d['functions'])")" "['main', 'operator<(point, point)']" \
    "names and sources with '<' in them"
odd='<b>&"'
cp less "$odd"
TROD_OUT=odd.trod "./$odd"
trod html -q odd.trod -o odd.html
like "$(cat odd.html)" '<title>&lt;b&gt;&amp;&quot;</title>' "titles with '<' in them"
ok "titles with '<' in them: the data" walk odd.html

# --- Graphviz -------------------------------------------------------------------------------------------------------

mkdir bin
ln -s "$(command -v sh)" bin/
trod=$(command -v trod)
without() { PATH=$PWD/bin "$trod" html --json app.trod "$@"; }
fake() { printf '#!/bin/sh\n%s\n' "$1" >bin/dot && chmod +x bin/dot; }
if command -v dot >dot.path; then
    is "$(walk app.html "[len(f['layout']['blocks']) - len(f['blocks']) for f in d['functions']]")" "[0, 0]" \
        "graphs are laid out"
    is "$(walk app.html "[e[:1] for f in d['functions'] for e in f['layout']['edges']].count('M')")" \
        "$(walk app.html "sum(len(f['edges']) for f in d['functions'])")" "every edge has a curve"
else
    skip "layouts" "no dot"
fi
exits 0 "no dot" without -o x.json
like "$(walk x.json "(d['functions'][0]['layout'], d['notes'])")" "None, .*'dot' is not on the PATH; install graphviz" \
    "no dot: a note in the page"
like "$(without 2>&1 >x.json)" "^trod: note: graphs are not drawn: .*install graphviz" "no dot: a note"
is "$(without --no-layout 2>&1 >x.json)" "" "--no-layout"
fake 'exit 3'
like "$(without 2>&1 >x.json)" 'dot ended with status 3' "dot fails"
is "$(walk x.json)" "2 functions, 6 paths, 12 times" "dot fails: the rest is there"
# shellcheck disable=SC2016
fake 'while read -r line; do case $line in "}") echo "graph 1 nonsense"; echo stop;; esac; done'
exits 0 "dot says nonsense" without -o x.json
like "$(walk x.json "(d['functions'][0]['layout'], d['notes'])")" "None, .*graphs are not drawn" \
    "dot says nonsense: a note"
fake 'exec sleep 100'
exits 0 "dot says nothing" timeout 60 env PATH="$PWD/bin:$PATH" "$trod" html --json --layout=1 app.trod -o x.json
like "$(walk x.json "d['notes']")" "no time was left; the page does it; give dot more with --layout" "dot says nothing: a note"
if [ -n "${TROD_FULL:-}" ] && command -v dot >dot.path; then # ten seconds
    # The first dot hangs: the graph that it was at is given up, and a second dot goes on.
    fake "[ -e bin/again ] && exec $(command -v dot) -Tplain; : >bin/again; exec $(command -v sleep) 100"
    exits 0 "dot hangs at one graph" without --layout=60 -o x.json
    is "$(walk x.json "([f['layout'] is None for f in d['functions']], d['notes'][-1])")" \
        "([True, False], '1 graphs are not drawn: dot took too long for them')" "dot hangs at one graph: the others are there"
fi

# --- every kind of profile ------------------------------------------------------------------------------------------

# kind NAME ARGUMENT...: of a program that was built so.
kind() {
    name=$1
    shift
    if ! trod cc "$@" -g -O1 -o "k_$name" app.c 2>cc.log || ! TROD_OUT=k_$name.trod "./k_$name" 40; then
        ok "$name: is built and runs" cat cc.log missing
        return
    fi
    ok "$name" trod html -q "k_$name.trod" -o "k_$name.html"
    ok "$name: the data" walk "k_$name.html"
}
kind code --at=code
kind limit --limit=7
is "$(walk k_limit.html "[f['limited'] > 0 for f in d['functions'] if f['name'] == 'weigh']")" "[True]" \
    "a limit on paths is reported"
kind rounds --iterations=3
like "$(walk k_rounds.html "d['paths']['way']")" '\|' "rounds: paths in a row"
kind subpaths --subpaths
is "$(walk k_subpaths.html "any(len(e) > 3 and e[3] == 2 for f in d['functions'] for e in f['edges'])")" True \
    "subpaths: cuts before calls"
kind segments --segments=k_subpaths.trod
is "$(walk k_segments.html "sorted({tuple(f['frames']) for f in d['functions'] if 'frames' in f}) != []")" True \
    "segments: frames"
kind paths --paths=app.trod
kind tested --tested=app.trod
kind untested --tested=app.trod --untested-only
like "$(walk k_untested.html "(d['notes'], [f['partial'] for f in d['functions']])")" 'True' \
    "what is counted in part is marked"
kind wpp --wpp
kind online --online
kind burst --burst=rate=10
is "$(walk k_burst.html "d['exact']")" False "bursts: estimates"
if [ -z "${TROD_FULL:-}" ]; then
    skip "programs as they are" "in a full run"
elif why=$("$root/test/kit/emulator.sh"); then
    gcc -g -O1 -o as_is app.c
    trod emulate -q -o machine.trod -- ./as_is 40 >emulated.txt
    ok "emulated" trod html -q machine.trod -o machine.html
    ok "emulated: the data" walk machine.html
    is "$(walk machine.html "'main' in [f['name'] for f in d['functions']]")" True "emulated: functions have names"
else
    skip "programs as they are" "$why"
fi

# --- many paths -----------------------------------------------------------------------------------------------------

"$root/test/page/many" >many.c
trod cc -g -O1 -o many many.c
TROD_OUT=many.trod ./many
trod html -q --json many.trod >x.json
is "$(python3 -c 'import json; d = json.load(open("x.json"))
print(len(d["paths"]["id"]) > 131072, len(set(zip(d["paths"]["function"], d["paths"]["start"], d["paths"]["way"]))) == len(d["paths"]["id"]), d["notes"])')" \
    "True True []" "more than a hundred thousand paths, each another way, and nothing left out"

# --- damage ---------------------------------------------------------------------------------------------------------

size=$(wc -c <app.trod)
head -c $((size * 2 / 3)) app.trod >cut.trod
exits 0 "a profile that is cut off" trod html -q cut.trod -o cut.html
is "$(walk cut.html "len(d['notes']) > 0")" True "a profile that is cut off: what was lost is reported"
trod html -q --json app.trod app.trod big.trod >x.json
is "$(walk x.json "dict(d['facts'])['runs']")" 3 "several profiles are added up"
printf 'profile\nrun\npid: 1\n' >empty.trod
exits 0 "nothing ran" trod html -q empty.trod -o empty.html
is "$(walk empty.html)" "0 functions, 0 paths, 0 times" "nothing ran: an empty page"

done_testing
