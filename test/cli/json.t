#!/bin/sh
# JSON parses, names its stage and version, and has the same contents as the text.
# shellcheck disable=SC2016 # Perl stands in single quotes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

perl -MJSON::PP -e 1 2>/dev/null || skip_all "perl has no JSON::PP"

cat >figures.txt <<EOF
graph fig34
s: a b
a: c b
b: c
c: d t
d: t
t:
paths fig34
s a c d t
s a c t
s b c t

graph "odd \"name\" \\\\ ü"
s: s*7 "a	tab"*1
"a	tab":

numbering read selective
s: t+1 t
t:

plan planned plain
>: s {r=0}
s: t
t: . {[r]++}
EOF

# query PERL: an expression over the parsed text, in \$_.
query()
{
    perl -MJSON::PP -e 'local $/; $_ = decode_json(<STDIN>); print '"$1"
}

for arguments in "graph" "graph --show=all" "number" "number --list" "number --measure" \
    "number --coding" "number --check" "probe" "probe --cost" "probe --place=tree --check"; do
    # shellcheck disable=SC2086
    trod stage $arguments --json -q figures.txt >out
    is "$(query '"$_->{trod} $_->{version}"' <out)" "stage ${arguments%% *} 1" \
        "trod stage $arguments --json parses"
done

one() { trod stage "$@" --json -q --function=fig34 figures.txt; }

is "$(one graph | query 'scalar @{$_->{graphs}}')" 1 "one function was chosen"
is "$(one graph | query 'join " ", @{$_->{graphs}[0]{graph}{nodes}}')" "s a b c d t" "nodes"
is "$(one graph | query '$_->{graphs}[0]{hash}')" \
    "$(trod stage graph -q --function=fig34 --show=hash figures.txt | tail -n 1)" "hash"
is "$(one graph --show=dom | query 'join " ",
    map { ($_->{dominator} // "-") . $_->{block} } @{$_->{graphs}[0]{dom}}')" \
    "-s sa sb sc cd ct" "dominators, null for none"
is "$(one number --list | query 'join ", ",
    map { "$_->{id} $_->{path}" } grep { $_->{interest} } @{$_->{numberings}[0]{list}}')" \
    "0 s a c d t, 1 s a c t, 5 s b c t" "paths of interest are printed as true and false"
is "$(one number --list --most=2 | query '$_->{numberings}[0]{not_listed}')" 4 \
    "how many paths are not listed"
is "$(one number --kind=preferential | query 'join " ",
    map { $_->{sum} } @{$_->{numberings}[0]{paths}}')" "0 1 2" "ids of interest"
is "$(one number --measure | query 'join " ", map { $_->{delta} }
    grep { $_->{kind} eq "preferential" } @{$_->{numberings}[0]{measure}}')" 1 "delta"
is "$(one number --coding | query '$_->{numberings}[0]{coding}{joined}[6]{chance}')" 1/3 \
    "chances are fractions"
is "$(one number --encode='s b c d t' | query '$_->{numberings}[0]{encode}[0]{id}')" 4 \
    "--encode"
is "$(one number --decode=4 | query '$_->{numberings}[0]{decode}[0]{path}')" "s b c d t" \
    "--decode"
is "$(printf 'graph g\na: b b\nb: c c\nc: d d\nd:\n' | trod stage number -q --limit=6 --json |
    query 'scalar @{$_->{numberings}[0]{limit}{cut}}')" 2 "cuts for the limit"
is "$(one number --pack=length,ballarus | query '$_->{numberings}[0]{numbering}{low_bits}')" \
    3 "--pack"
is "$(one probe | query '$_->{plans}[0]{plan}{placement}')" frontier "a plan"
is "$(one probe --cost | query 'join " ", map { $_->{placement} } @{$_->{plans}[0]{cost}}')" \
    "frontier tree plain" "costs"
is "$(trod stage probe --json -q --function=planned figures.txt | query '
    join " ", map { $_->{ops}[0]{kind} } @{$_->{plans}[0]{plan}{sites}}')" "count set" \
    "a plan that was read"
is "$(trod stage graph --json -q --function='odd*' figures.txt | query '
    $_->{graphs}[0]{graph}{name} eq "odd \"name\" \\ \x{fc}"')" 1 "names of any characters"
is "$(printf 'graph g\n"\377": b\nb:\n' | trod stage graph --json |
    query 'scalar @{$_->{graphs}[0]{graph}{nodes}}')" 2 "names that are no text at all"

done_testing
