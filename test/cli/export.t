#!/bin/sh
# Exports: the tools that read them print the same counts as reports on the same profile.
# shellcheck source=test/kit/tap.sh
# shellcheck disable=SC2317 # functions are called by ok
. "${0%/*}/../kit/tap.sh"
: "${TROD_FULL=}"

cc=$root/build/release/trod # clang loads no plugin with sanitizers in it
schemas=$root/doc/schema
check()
{
    python3 "$root/test/export/check_export.py" "$@"
}
schema()
{
    python3 "$root/test/export/check_schema.py" "$@"
}
flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
# Debian's python3 may be the smallest there is.
python3 -c 'import csv, gzip, json' 2>said || skip_all "no python3, or not all of it"
python3 -c 'import jsonschema' 2>said && schemas_work=yes || schemas_work=no

cat >app.c <<'END'
#include <stdio.h>
#include <stdlib.h>

static int weigh(int x)
{
    if (x % 3 == 0)
        return 3;
    return x & 1 ? 1 : 2;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

static int begin(int n)
{
    return n > 3 ? n : 3;
}

static int sum(int n)
{
    int s = 0;

    for (int i = 0; i < begin(n); i++) {
        if (i % 5 == 0)
            s += weigh(i);
        else
            s ^= i;
    }
    return s;
}

int main(int argc, char **argv)
{
    int all[40];
    int n = argc > 1 ? atoi(argv[1]) : 40;

    for (int i = 0; i < 40; i++)
        all[i] = sum(i + n) % 97;
    qsort(all, 40, sizeof *all, compare);
    printf("%d %d\n", all[0], weigh(all[39]));
    return 0;
}
END
# As odd as names can be: of functions, and of files.
cat >'we ird,"x".c' <<'END'
int f(int) __asm__("a;b \"c\" d,é 5");
int f(int x)
{
    if (x > 3)
        return 1;
    return 2;
}
int main(void)
{
    int s = 0;
    for (int i = 0; i < 10; i++)
        s += f(i);
    return s != 14;
}
END
cat >cxx.cc <<'END'
namespace {
template <class T, int N> struct box {
    T at[N];
    template <class F> int each(F f)
    {
        int s = 0;
        for (auto &x : at)
            if (f(x))
                s++;
        return s;
    }
};
}
int main()
{
    box<int, 7> b{{1, 2, 3, 4, 5, 6, 7}};
    return b.each([](int x) { return x % 2 == 0; }) != 3;
}
END
"$cc" cc -g -O1 app.c -o app && TROD_OUT=full.trod ./app >said && TROD_OUT=less.trod ./app 1 >said || exit 1
"$cc" cc --at=code -g -O2 app.c -o code && TROD_OUT=code.trod ./code >said || exit 1
"$cc" cc --iterations=3 -g -O1 app.c -o rounds && TROD_OUT=rounds.trod ./rounds >said || exit 1
trod report --brief --list --most=4 full.trod -o hot.list
"$cc" cc --paths=hot.list -g -O1 app.c -o some && TROD_OUT=some.trod ./some >said || exit 1
"$cc" cc --burst=rate=10 -g -O1 app.c -o burst && TROD_OUT=burst.trod ./burst >said || exit 1
"$cc" cc --subpaths -g -O1 app.c -o sub && TROD_OUT=sub.trod ./sub >said || exit 1
"$cc" cc --segments=sub.trod -g -O1 app.c -o across && TROD_OUT=across.trod ./across >said || exit 1
"$cc" cc -O1 app.c -o noline && TROD_OUT=noline.trod ./noline >said || exit 1
"$cc" cc -g -O0 'we ird,"x".c' -o weird && TROD_OUT=weird.trod ./weird || exit 1
"$cc" c++ -g -O0 cxx.cc -o cxx && TROD_OUT=cxx.trod ./cxx || exit 1
trod show full.trod >lone.trod && sed -i 's/^module [^ ]* source.*/module nowhere source/' lone.trod
printf 'profile\nrun\npid: 1\n' >empty.trod

# --- every kind of profile, in every format ---------------------------------------------------------
# All kinds in a full run.
kinds="full some burst across weird cxx"
[ -z "${TROD_FULL:-}" ] || kinds="$kinds code rounds noline lone empty"
for of in $kinds; do
    trod report --json --all-code --most=1000000 "$of.trod" >"$of.report"
    for to in pprof pprof-blocks collapsed callgrind dot json csv; do
        ok "$to of $of" trod export -q --to="$to" "$of.trod" -o "$of.$to"
    done
    for to in pprof collapsed json csv; do
        ok "$to of $of has what the report has" check "$to" "$of.$to" "$of.report" "$of.json"
    done
    # Frames of different blocks must not have one name.
    if [ "$of" = full ]; then
        like "$(cat full.collapsed)" ';sum app\.c:28 \(i % 5 == 0\);' "frames are named by conditions"
        sed 's/ #[0-9]*//g' full.collapsed >merged.collapsed
        exits 1 "names that blocks share are found" check collapsed merged.collapsed full.report full.json
    fi
    if command -v callgrind_annotate >said; then
        callgrind_annotate --auto=yes --threshold=100 "$of.callgrind" >"$of.annotated" 2>said
        is "$(cat said)" "" "callgrind_annotate has nothing to say about $of"
        ok "callgrind_annotate has the totals of the report, and of its functions: $of" \
            check callgrind "$of.annotated" "$of.report" "$of.json"
    else
        skip "callgrind_annotate" "not installed"
    fi
    if [ -f $flamegraph ] && [ "$of" != empty ]; then
        ok "flamegraph.pl draws $of" sh -c "perl $flamegraph $of.collapsed >$of.svg"
        ok "every frame of it is as wide as it ought to be: $of" \
            check flamegraph "$of.svg" "$of.report" "$of.json"
    fi
    if [ "$schemas_work" = yes ]; then
        ok "$of is what the schema says" schema "$schemas/export.schema.json" "$of.json"
        ok "so is its report" schema "$schemas/report.schema.json" "$of.report"
    else
        skip "schemas" "no python3-jsonschema"
    fi
done

# The checks can fail.
trod report --json --all-code --most=1000000 less.trod >less.report
trod export --to=json less.trod -o less.json
for to in pprof collapsed json csv; do
    exits 1 "$to of another run differs" check "$to" "full.$to" less.report less.json
done
[ -f full.annotated ] && exits 1 "annotations of another run differ" check callgrind full.annotated less.report less.json
[ -f full.svg ] && exits 1 "so is a picture" check flamegraph full.svg less.report less.json

# --- lines, calls ------------------------------------------------------------------------------------------
[ -f full.annotated ] && ok "callgrind_annotate has the lines of the sources" check annotated full.annotated full.report full.json
[ -f full.annotated ] && exits 1 "and of no other run" check annotated full.annotated less.report less.json
begun=$(python3 -c 'import json; d = json.load(open("full.json")); print([f["entered"] for f in d["functions"] if f["function"] == "begin"][0])')
number=$(sed -n 's/^c*fn=(\([0-9]*\)) begin$/\1/p' full.callgrind) # a name is written once
cost=$(sed -n "/^fn=($number)/,/^\$/p" full.callgrind | awk '/^[0-9]/ { a += $2; b += $3; c += $4 } END { print a, b, c }')
is "$(grep -A2 'cfn=.*begin' full.callgrind | sed -n "s/^calls=\([0-9]*\) .*/\1/p")" "$begun" "a function is called as often as it was entered"
is "$(grep -A2 'cfn=.*begin' full.callgrind | tail -n 1 | cut -d ' ' -f 2-)" "$cost" "called from one place, it costs there what it costs"
is "$(grep -A2 'cfn=.*weigh' full.callgrind | tail -n 1 | cut -d ' ' -f 2-)" "0 0 0" "called from two, nothing is guessed"

# --- pictures ------------------------------------------------------------------------------------------------
if command -v dot >said; then
    counts()
    {
        dot -Tsvg "$1.dot" | grep -c "class=\"$2\""
    }
    inside()
    {
        python3 -c 'import json, sys
d = json.load(open(sys.argv[1] + ".json"))
print(sum(len(f[sys.argv[2]]) for f in d["functions"] if any(b["count"] for b in f["blocks"])))' "$1" "$2"
    }
    for of in full across some weird cxx ${TROD_FULL:+rounds}; do
        is "$(counts "$of" node) $(counts "$of" edge)" "$(inside "$of" blocks) $(inside "$of" edges)" "Graphviz draws all blocks and edges: $of"
    done
    trod export --to=dot --most=1 full.trod -o one.dot
    is "$(grep -c '^digraph' one.dot)" 1 "with --most=1, one function is drawn"
    trod export --to=dot --function=sum --most=1 full.trod -o one.dot
    trod export --to=json --function=sum --most=1 full.trod -o one.json
    is "$(grep -c 'style=bold\|dashed,bold' one.dot)" \
        "$(python3 -c 'import json; print(len(json.load(open("one.json"))["paths"][0]["chain"][0]["edges"]))')" "and the edges of one path are bold"
fi

# --- what is not whole, or estimated -----------------------------------------------------------------------
like "$(trod export --to=collapsed some.trod 2>&1 >said)" 'only chosen paths are counted' "parts are noted"
like "$(trod export --to=callgrind -q some.trod)" '^desc: .*only chosen paths are counted' "callgrind: a partial profile is marked"
like "$(cat some.collapsed)" '^sum \[chosen paths only\];' "stacks: a partial profile is marked"
like "$(cat burst.collapsed)" '^main \[estimated\];' "so are estimates"
like "$(trod export --to=dot -q some.trod)" 'some paths are not counted' "and parts in pictures"
like "$(cat some.csv)" ',chosen,yes,' "and in tables"
like "$(cat burst.csv)" ',all,no,' "estimates, too"
is "$(trod export -q --to=csv some.trod 2>&1 >said)" "" "-q silences notes"

# --- subpaths that were sampled -----------------------------------------------------------------------------
"$cc" cc --online=f=16,seed=1 -g -O1 app.c -o online && TROD_OUT=online.trod ./online >said || exit 1
trod sample subpaths --json --most=1000000 online.trod >online.report
for to in pprof collapsed json csv; do
    ok "$to of samples" trod export -q --to=$to online.trod -o online.$to
done
[ "$schemas_work" = yes ] && ok "JSON of samples is what the schema says" schema "$schemas/export.schema.json" online.json
cat >samples.py <<'END'
import csv, json, sys
sys.path.insert(0, sys.argv[1])
import pprof_wire
rows = json.load(open("online.report"))["programs"][0]["subpaths"]
want = sorted((r["count"], r["samples"]) for r in rows)
d = json.load(open("online.json"))
assert sorted((round(s["estimate"]), s["samples"]) for s in d["subpaths"]) == want, "JSON"
assert not d["exact"] and not d["whole"]
got = sorted(int(r["count"]) for r in csv.DictReader(open("online.csv", newline="")))
assert all(abs(a - b[0]) <= 1 for a, b in zip(got, want)) and len(got) == len(want), "CSV"
p = pprof_wire.read("online.pprof")
assert p["types"][0] == ["subpaths", "count"] and p["period"] > 0, p["types"]
assert len(p["samples"]) == len(want)
for (frames, values, _), s in zip(p["samples"], d["subpaths"]):
    assert [f[1] for f in frames] == [b["name"] for b in s["blocks"]]
    assert abs(values[0] - s["estimate"]) <= 1 and values[1] == values[0] * len(frames)
assert sum(int(l.split()[-1]) for l in open("online.collapsed")) == sum(v[0] for _, v, _ in p["samples"])
END
ok "samples are what 'trod sample subpaths' prints" python3 samples.py "$root/test/export"
for to in callgrind dot; do
    exits 4 "samples are not for $to" trod export --to=$to online.trod
done
like "$(trod export --to=dot online.trod 2>&1)" 'without --online' "and how to come by what is"
"$cc" cc --wpp -g -O1 app.c -o steps && TROD_OUT=steps.trod ./steps 1 >said || exit 1
exits 4 "steps were not counted" trod export --to=csv steps.trod

# --- programs as they are ------------------------------------------------------------------------------------
if [ "$TROD_CONFIG" != release ]; then
    skip "programs as they are" "in the release configuration"
elif why=$("$root/test/kit/emulator.sh"); then
    gcc -g -O1 app.c -o plain
    trod emulate -q -o machine.trod -- ./plain >said 2>&1
    trod report --json --all-code --most=1000000 machine.trod >machine.report
    for to in json pprof collapsed csv; do
        ok "$to of a program as it is" trod export -q --to=$to machine.trod -o machine.$to
        ok "it has what the report has: $to" check $to machine.$to machine.report machine.json
    done
    trod export -q --to=callgrind machine.trod -o machine.callgrind
    command -v callgrind_annotate >said && callgrind_annotate --auto=yes --threshold=100 machine.callgrind >machine.annotated 2>said &&
        ok "so does callgrind_annotate" check callgrind machine.annotated machine.report machine.json
else
    skip "programs as they are" "$why"
fi

# --- what is chosen --------------------------------------------------------------------------------------------
is "$(trod export --to=csv --function=weigh full.trod | cut -d , -f 3 | sort -u | tr '\n' ' ')" "function weigh " "--function chooses"
is "$(trod export --to=csv --most=2 full.trod | wc -l)" 3 "--most=2"
is "$(trod export --to=collapsed --most=2 full.trod)" "$(head -n 2 full.collapsed)" "the hottest come first"
is "$(trod export --to=csv full.trod less.trod | awk -F , 'NR > 1 { n += $11 } END { print n }')" \
    "$(trod export --to=csv full.trod less.trod | wc -l >said; trod report --json full.trod less.trod | sed -n 's/^ *"total": \([0-9]*\),/\1/p')" "several are added up"
is "$(trod export --to=csv - <full.trod)" "$(cat full.csv)" "standard input"
trod export --to=pprof full.trod -o again.pprof
ok "the same profile gives the same bytes" cmp full.pprof again.pprof

# --- what doc/everyday/export.md shows ------------------------------------------------------------------------------
shown() # COMMAND: what stands below it, up to the next command or the end of the block
{
    awk -v command="\$ $1" '$0 == command { on = 1; next } /^[$`]/ { on = 0 } on' "$root/doc/everyday/export.md"
}
mkdir -p build/demo
cp -r "$root/example" . # conditions are read from the sources
sed -n "/^awk 'BEGIN/,/^}'/p" "$root/example/demo" | sed "s/^}'.*/}'/" >rows.sh
sh rows.sh >rows.json
(cd "$root" && "$cc" cc -O2 -g -o "$tap_tmp/build/demo/json" example/json.c) || exit 1
TROD_OUT=build/demo/json.trod build/demo/json <rows.json >said
for command in 'trod export --to=collapsed --most=2 build/demo/json.trod' 'trod export --to=dot --function=peek build/demo/json.trod'; do
    is "$(sh -c "$command")" "$(shown "$command")" "doc/everyday/export.md: $command"
done

# --- wrong calls ---------------------------------------------------------------------------------------------------
exits 2 "no format" trod export full.trod
exits 2 "an unknown format" trod export --to=frob full.trod
exits 2 "an unknown option" trod export --frob full.trod
exits 3 "no profile" trod export --to=csv app.c
exits 5 "no file" trod export --to=csv missing.trod
exits 5 "no folder" trod export --to=csv full.trod -o missing/out
terminal()
{
    python3 -c 'import os, pty, sys
status = pty.spawn(sys.argv[1:], lambda fd: os.read(fd, 1024))
sys.exit(os.waitstatus_to_exitcode(status))' "$@"
}
exits 2 "pprof is not for a terminal" terminal trod export --to=pprof full.trod
exits 0 "CSV is" terminal trod export --to=csv full.trod

# --- other JSON that has a schema -----------------------------------------------------------------------------------
if [ "$schemas_work" = yes ]; then
    trod coverage --json --missing=3 full.trod >coverage.json
    trod coverage --json --group=file full.trod >coverage2.json
    trod diff --json full.trod less.trod >diff.json
    trod diff --json --group=function full.trod less.trod >diff2.json
    trod untested --json --tested=less.trod full.trod >untested.json 2>said
    trod report --json --group=function burst.trod >report2.json
    trod report --json --group=file --sort=weight across.trod >report3.json
    trod report --json --conditions full.trod >report4.json
    for of in coverage coverage2 diff diff2 untested report2 report3 report4; do
        ok "$of is what its schema says" schema "$schemas/${of%[234]}.schema.json" $of.json
    done
    cp full.report report.json
    cp full.json export.json
    # A document has hundreds of mutants: all kinds in a full run.
    for of in export ${TROD_FULL:+coverage diff untested report}; do
        ok "whatever is changed in it is found: $of" schema --mutate "$schemas/$of.schema.json" "$of.json"
    done
    if trod help html >said 2>&1; then
        for of in full rounds some burst across online; do
            trod html -q "$of.trod" -o page.html
            python3 -c 'import re
print(re.search(r"id=\"trod-data\">(.*?)</script>", open("page.html").read(), re.S)[1])' >page.json
            ok "the data of a page is what its schema says: $of" schema "$schemas/page.schema.json" page.json
            [ -z "$TROD_FULL" ] ||
                ok "whatever is changed in it is found" schema --mutate "$schemas/page.schema.json" page.json
        done
    fi
    exits 1 "one is not another" schema "$schemas/diff.schema.json" coverage.json
fi

done_testing
