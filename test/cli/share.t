#!/bin/sh
# A set of paths partitioned among sites: the table, the lists, and builds that count them.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

trod="$root/build/release/trod"
cp "$root/example/json.c" .
awk 'BEGIN {
    printf "["
    for (i = 0; i < 200; i++)
        printf "%s{\"id\": %d, \"name\": \"row \\\"%d\\\"\\u0041\", \"share\": -%.3fe+2, \"tags\": [%s], \"on\": %s}\n",
            i ? "," : "", i, i, i / 7, i % 3 ? "\"a\", \"b\"" : "", i % 5 ? "true" : "null"
    print "]"
}' >rows.json
"$trod" cc -O1 -g -o json json.c
TROD_OUT=all.trod ./json <rows.json >all.said

# function and path, in lists; with counts, in profiles
paths() { awk '/^function/ { f = $3 } /^=/ { print f $1 }' "$@"; }
counts() { "$trod" show -q "$1" | awk '/^function/ { f = $2 } /^=/ { print f $1, $2 }'; }
several() { awk '/^function/ { on = $NF > 1 } /^function/ && on || !/^function/ && (on || /^list/)'; }

# --- the table --------------------------------------------------------------------------------

trod set partition --sites=3 --out=site all.trod >said 2>talk.txt
like "$(head -n 1 said)" '^# [0-9]+ paths of [0-9]+ functions for 3 sites; ' "how much there is to share"
like "$(cat said)" '^# operations: .* ran in the profiles' "operations are of what ran"
is "$(grep -c '^ *[123] .* site\.[123]\.list$' said)" 3 "a row for each site"
like "$(cat said)" '^ once .* one build for all of these$' "against one build"
like "$(cat said)" '^  all .* 100\.00%  one build for all paths there are$' "and against all paths"
is "$(awk '$1 ~ /^[123]$/ { n += $3 } $1 == "once" { print n - $3 }' said)" 0 "sites have all paths together"
is "$(awk '$1 ~ /^[123]$/ && $6 > most { most = $6 } $1 == "once" { print most * 2 < $6 }' said)" 1 \
    "no site bears half of what one build would"
like "$(cat talk.txt)" 'note: [0-9]+ functions with a single path are omitted' "what cc leaves out of a profile is left out"

# --- the lists --------------------------------------------------------------------------------

trod set list all.trod | several >set.list
is "$(paths site.1.list site.2.list site.3.list | sort)" "$(paths set.list | sort)" "each path is in one list"
is "$(trod set list -q site.?.list --binary=json)" "$(trod set list -q set.list --binary=json)" "together they are the set"
like "$(cat site.1.list)" '^=[0-9]+    # (entry|loop) ' "with the decisions of each path"
for i in 1 2 3; do mv site.$i.list before.$i.list; done
trod set partition -q --sites=3 --out=site all.trod >again
is "$(cat again)" "$(cat said)" "the same again"
is "$(cat site.?.list)" "$(cat before.?.list)" "with the same lists"
echo damaged >site.1.list
ok "files that are there are written anew" trod set partition -q --sites=3 --out=site all.trod
is "$(cat site.1.list)" "$(cat before.1.list)" "in whole"
trod set partition -q --sites=3 all.trod >none
is "$(ls none.* ./*.4.list 2>talk.txt)" "" "without --out no list is written"
unlike "$(cat none)" '\.list' "nor named"

# --- builds -----------------------------------------------------------------------------------

# counted PREFIX NSITE: what each site counts is what the build for all paths counted, and all of
# its list.
counts all.trod | sort >all.counts
counted()
{
    : >"$1.counts"
    for i in $(seq "$2"); do
        "$trod" cc --paths="$1.$i.list" -O1 -g -o json.site json.c 2>talk.txt
        is "$(cat talk.txt)" "" "$1.$i: it is built, without a word"
        rm -f part.trod
        TROD_OUT=part.trod ./json.site <rows.json >part.said
        is "$(cat part.said)" "$(cat all.said)" "$1.$i: the same output"
        counts part.trod | sort >part.counts
        paths "$1.$i.list" | sort >part.paths
        is "$(join part.paths part.counts)" "$(join part.paths all.counts)" "$1.$i: it counts its paths right"
        is "$(comm -23 part.counts all.counts)" "" "$1.$i: nothing else is counted wrong"
        join part.paths part.counts >>"$1.counts"
    done
    paths "$1".*.list | sort | join - all.counts >wanted
    is "$(sort "$1.counts")" "$(cat wanted)" "$1: together they count what one build counts"
}
counted site 3
is "$(paths set.list | sort | join - all.counts)" "$(cat wanted)" "which is all of the set"

# --- one function -----------------------------------------------------------------------------

trod set partition -q --sites=2 --function=string --out=one all.trod >said
is "$(grep -h '^function' one.1.list one.2.list | cut -d' ' -f2 | sort -u)" string "functions are chosen"
like "$(head -n 1 said)" 'several sites have paths of: 1$' "one function is cut"
is "$(paths one.1.list one.2.list | sort)" "$(trod set list --function=string all.trod | paths | sort)" "and nothing of it lost"
is "$(awk '$1 ~ /^[12]$/ && $6 > most { most = $6 } $1 == "once" { print most < $6 }' said)" 1 "each site pays less than for all of it"
counted one 2

# --- sites and paths --------------------------------------------------------------------------

trod set partition --sites=1 --out=lone all.trod >said 2>talk.txt
is "$(paths lone.1.list | sort)" "$(paths set.list | sort)" "one site has everything"
is "$(awk '$1 == 1 { print $2, $3, $4, $5, $6, $7 }' said)" "$(awk '$1 == "once" { print $2, $3, $4, $5, $6, $7 }' said)" \
    "at the price of one build"
n=$(($(paths set.list | wc -l) + 3))
trod set partition --sites=$n --out=many all.trod >said 2>talk.txt
like "$(cat talk.txt)" 'note: [0-9]+ of the sites have no path: there are more sites than paths' "sites without a path are reported"
is "$(paths many.*.list | sort)" "$(paths set.list | sort)" "nothing is lost for it"
empty=$(grep -L '^=' many.*.list | head -n 1)
is "$(cat "$empty")" "list source" "their lists are empty"
ok "and can be given to cc" "$trod" cc --paths="$empty" -O1 -o nothing json.c
trod set partition --sites=2 --function='?nothing' --out=no all.trod >said 2>talk.txt
like "$(cat talk.txt)" 'note: no paths to partition: all lists are empty' "an empty set is reported"
is "$(cat no.1.list no.2.list | sort -u)" "list source" "and so are its lists"

# --- lists and counts -------------------------------------------------------------------------

trod set partition -q --sites=2 --binary=json set.list >said
like "$(cat said)" '^# operations: .*estimated for a thousand calls' "without profiles, operations are estimated"
trod set partition -q --sites=2 --counts=all.trod set.list >said
like "$(cat said)" '^# operations: .* ran in the profiles' "--counts prints how often paths run"
is "$(awk '$1 == "once" { print $3 }' said)" "$(paths set.list | wc -l)" "and adds none to the set"
echo '[]' >little.json
TROD_OUT=little.trod ./json <little.json >part.said
trod set partition -q --sites=2 --counts=little.trod set.list >little
is "$(awk '$1 == "once" { print $6 < 1000 }' little)" 1 "where little runs, operations are few"

# --- what is refused --------------------------------------------------------------------------

exits 2 "no number of sites" trod set partition all.trod
exits 2 "no site" trod set partition --sites=0 all.trod
exits 2 "too many sites" trod set partition --sites=10001 all.trod
exits 2 "an empty prefix" trod set partition --sites=2 --out= all.trod
exits 5 "no such file" trod set partition --sites=2 missing.trod
exits 5 "no such folder" trod set partition --sites=2 --out=missing/site all.trod
exits 3 "counts of a list" trod set partition --sites=2 --counts=set.list --binary=json set.list
exits 4 "a list without a program" trod set partition --sites=2 set.list
like "$(trod set partition --sites=2 set.list 2>&1)" 'note: string: the program has no function of this name' "functions without a map are named"
like "$(trod set partition --sites=2 set.list 2>&1)" '^trod: .*functions have no map entry.*--binary' "with what to do"
sed 's/case .n.:/case 110: case 78:/' json.c >other.c
"$trod" cc -O1 -g -o other other.c
exits 4 "a list of another build" trod set partition --sites=2 --binary=other set.list

# --- JSON -------------------------------------------------------------------------------------

if perl -MJSON::PP -e 1 2>said; then
    # shellcheck disable=SC2016
    is "$(trod set partition -q --json --sites=3 --out=site all.trod | perl -MJSON::PP -e '
        local $/; $_ = decode_json(<STDIN>); my $s = $_->{share}; my $n = 0;
        $n += $_->{paths} for @{$s->{sites}};
        print "$_->{trod} $_->{version} ", scalar @{$s->{sites}}, " $s->{sites}[2]{file} ", $n - $s->{once}{paths},
            " $s->{all}{of_all} ", $s->{measured} ? "measured" : "estimated"')" \
        "set partition 1 3 site.3.list 0 1 measured" "the same in JSON"
else
    skip "the same in JSON" "perl has no JSON::PP"
fi

done_testing
