#!/bin/sh
# What maps record about code, to migrate profiles: hashes of functions and blocks that change only with their meaning,
# and where and how units were compiled.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >weigh.c <<'EOF'
#include <assert.h>
struct item { int kind, size; const char *name; };
int total, calls;
int note(const char *what, int n);
void fail(const char *file, int line, const char *why);
static int twice(int n) { return 2 * n; }
static int thrice(int n) { return 3 * n; }
int weigh(struct item *it, int n, int most)
{
    int sum = 0, bad = 0;

    for (int i = 0; i < n; i++) {
        assert(it[i].name);
        switch (it[i].kind) {
        case 1:
            sum += it[i].size;
            break;
        case 2:
            note("two", twice(it[i].size));
            total++;
            break;
        default:
            bad++;
            note(it[i].name, 7);
        }
        if (sum > most) {
            note("much", thrice(sum));
            break;
        }
    }
    if (bad)
        fail(__FILE__, __LINE__, "bad");
    return sum;
}
EOF
mkdir new deep

# map TO FILE FLAG...: the map of what the compiler makes of a file.
map()
{
    to=$1
    in=$2
    shift 2
    trod cc "$@" -c -o unit.o "$in" && objcopy --dump-section .trod.map="$to" unit.o copy.o
}

# hashes MAP: those of the function weigh; of its blocks, and its meaning.
hashes()
{
    awk '$1 == "nodes" { on = $2 == "weigh"; next } /^[a-z]/ { on = 0 } on { print $1, $2 }
        $1 == "meaning" && $2 == "weigh" { print "meaning", $3 }' "$1" | sort
}

# differ FLAG...: which hashes of new/weigh.c are other than those in $base; 'all' if the graph is another.
differ()
{
    map new.map new/weigh.c -g "$@" || return
    hashes "$base" >old.txt
    hashes new.map >new.txt
    if [ "$(wc -l <old.txt)" != "$(wc -l <new.txt)" ]; then
        echo all
    else
        join old.txt new.txt | awk '$2 != $3 { sub(":", "", $1); print $1 }' | sort | tr '\n' ' '
    fi
}

# edited SED [FLAG]: the same for a file that was edited.
edited()
{
    sed -E "$1" weigh.c >new/weigh.c
    if [ -n "$1" ] && cmp -s weigh.c new/weigh.c; then
        echo "nothing was edited by $1"
    elif [ "$#" -gt 1 ]; then
        differ "$level" "$2"
    else
        differ "$level"
    fi
}

# block TEXT: the block that the first line with this text is in, and the meaning.
block()
{
    line=$(grep -nF -e "$1" weigh.c | head -n 1 | cut -d: -f1)
    awk -v "line=$line" '$1 == "lines" { on = $2 == "weigh"; next } /^[a-z]/ { on = 0 }
        on { for (i = 2; i <= NF; i++) if ($i == line) { sub(":", "", $1); print $1; exit } }' "$base" |
        tr '\n' ' '
    printf 'meaning '
}

for level in -O0 -O1 -O2 -O3; do
    base=base$level.map
    map "$base" weigh.c -g "$level"
    like "$(cat "$base")" '^meaning weigh [0-9a-f]{16}$' "$level: a function has a meaning"
    is "$(hashes "$base" | wc -l)" \
        "$(awk '$1 == "numbering" { on = $2 == "weigh" } /^meaning/ { on = 0 }
            on && /^[0-9]/ { n++ } END { print n + 1 }' "$base")" "$level: each of its blocks has a hash"
    like "$(cat "$base")" '^[0-9]+: [0-9a-f]{16} twice note$' "$level: and whom it calls"

    # What changes nothing.
    is "$(edited '')" "" "$level: the same file in another folder"
    is "$(edited 's/^int weigh/\/* More\n * words.\n *\/\n&/; s/int sum = 0/int  sum =\n 0/')" "" \
        "$level: comments, blanks and lines, in assertions, too"
    is "$(edited 's/\bsum\b/result/g; s/\bbad\b([^"])/wrong\1/g; s/\bit\b/list/g')" \
        "" "$level: names of locals"
    is "$(edited '/^static int twice/{h;d};/^static int thrice/{G}')" "" "$level: functions in another order"
    is "$(edited 's/^static int twice/int other(int n) { return n ? note("other", 1) : 2; }\n&/')" \
        "" "$level: another function before it"
    is "$(edited '' -fPIC)" "" "$level: position-independent code"
    is "$(edited '' -fno-plt)" "" "$level: other ways to call"
    is "$(edited 's/\bitem\b/thing/g')" "" "$level: names of types"

    # What changes one block.
    is "$(edited 's/"two"/"deux"/')" "$(block '"two"')" "$level: a text"
    is "$(edited 's/total\+\+/total += 2/')" "$(block 'total++')" "$level: a number"
    is "$(edited 's/total\+\+/calls++/')" "$(block 'total++')" "$level: another global"
    is "$(edited 's/twice\(it/thrice(it/')" "$(block 'twice(it')" "$level: another callee"
    is "$(edited 's/, 7\)/, most)/')" "$(block ', 7)')" "$level: another argument"
    is "$(edited 's/bad\+\+/bad += 3/')" "$(block 'bad++')" "$level: another step"
    is "$(edited 's/sum > most/sum >= most/')" "$(block 'sum > most')" "$level: a comparison"
    is "$(edited 's/case 2/case 3/')" "$(block 'switch')" "$level: a case"
    is "$(edited 's/bad\+\+;/&\n total--;/')" "$(block 'bad++')" "$level: a statement more"
    is "$(edited '/total\+\+/d')" "$(block 'total++')" "$level: a statement less"
    is "$(edited 's/"bad"/"very bad"/')" "$(block '"bad"')" "$level: what is said beside a line"
    is "$(edited 's/int sum = 0/int sum = 4/')" "0 meaning " "$level: how a variable begins"
    is "$(edited 's/it\[i\]\.size;/it[i].kind;/')" "$(block 'sum += it')" "$level: another field"

    # What changes more.
    is "$(edited 's/if \(bad\)/if (bad \&\& note("bad", bad))/')" all "$level: a condition more is another graph"
done

# What is expected of a branch may change the graph, but not the meaning.
sed 's/if (bad)/if (__builtin_expect(bad != 0, 0))/' weigh.c >new/weigh.c
cp new/weigh.c weigh.c
sed 's/__builtin_expect(bad != 0, 0)/(long)(bad != 0)/' weigh.c >new/weigh.c
for level in -O0 -O2; do
    base=base.map
    map "$base" weigh.c -g "$level"
    map new.map new/weigh.c -g "$level"
    is "$(sed -n 's/^meaning weigh //p' new.map)" "$(sed -n 's/^meaning weigh //p' base.map)" \
        "$level: what is expected of a branch is no part of the meaning"
done

# A number that is the line of its call needs no file beside it, if it is not small.
{
    yes '' | head -n 200
    sed 's/, 7)/, __LINE__)/' weigh.c
} >far.c
mv far.c weigh.c
map "$base" weigh.c -g -O2
{
    echo
    cat weigh.c
} >new/weigh.c
is "$(differ -O2)" "" "lines as arguments, a line further down"
{
    echo
    sed 's/__LINE__)/__LINE__ + 1)/' weigh.c
} >new/weigh.c
is "$(differ -O2)" "$(block '__LINE__)')" "but not what is made of them"

# In maps of optimised code, what was inlined is part of it.
cat >weigh.c <<'EOF'
static int inner(int x) { return x * 3; }
int weigh(int x) { return inner(x) + 1; }
EOF
sed 's/3/5/' weigh.c >new/weigh.c
for mode in --at=code --burst --online; do
    map base.map weigh.c "$mode" -O2
    map new.map new/weigh.c "$mode" -O2
    like "$(cat base.map)" '^meaning weigh [0-9a-f]{16}$' "$mode: a function has a meaning"
    is "$(sed -n 's/^meaning weigh //p' new.map | grep -cf - base.map)" 0 "$mode: other code was inlined into it"
done
for mode in --at=source --wpp --subpaths --iterations=2; do
    map base.map weigh.c "$mode" -O2
    map new.map new/weigh.c "$mode" -O2
    is "$(sed -n 's/^meaning weigh //p' new.map | grep -cf - base.map)" 1 "$mode: what it calls is no part of it"
    is "$(sed -n 's/^meaning inner //p' new.map | grep -cf - base.map)" 0 "$mode: but of what is called"
done

# Where units were compiled.
cp weigh.c deep
# directory FLAG...: of a unit that is compiled in the folder deep.
directory()
{
    (cd deep && export HOME=/ && map unit.map weigh.c "$@" && sed -n 's/^directory //p' unit.map)
}
here=$(pwd)
is "$(directory)" "\"${here#/*/}/deep\"" "the map says where a unit was compiled"
is "$(directory -ffile-prefix-map="$here"=src)" '"src/deep"' "or where its files are said to be"
is "$(directory -fdebug-prefix-map="$here/deep"=)" '"."' "or nothing of that"
is "$(directory -ffile-prefix-map="$here"=a -ffile-prefix-map="$here/deep"=b)" b "the last that fits goes"
is "$(directory -fdebug-compilation-dir=/build/x)" '"/build/x"' "or what the folder is said to be"
is "$(directory -ffile-prefix-map=/nowhere=a)" "\"${here#/*/}/deep\"" "mappings of other folders have no effect"
like "$(cat deep/unit.map)" '^command .*clang.*weigh.c' "the command stands beside it"

done_testing
