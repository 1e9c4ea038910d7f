#!/bin/sh
# The page comes up in a real browser: Debian's Chromium and nothing else.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

command -v chromium >/dev/null || skip_all "no chromium here: 'tools/deps test' installs it where it can"

# The document as the browser has it when all scripts have run.
dom()
{
    chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --user-data-dir="$PWD/profile" --virtual-time-budget=10000 \
        --dump-dom "file://$PWD/$1" 2>chromium.err
}

perl "$root/test/page/generate" --seed=5 --paths=50 --functions=4 >data.json
perl "$root/tools/page" data.json >page.html
dom page.html >page.dom
ready=$(head -n 3 page.dom | grep -c 'data-trod-ready="1"')
is "$ready" 1 "the page is ready"
[ "$ready" = 1 ] || cat chromium.err >&2
unlike "$(head -n 3 page.dom)" "data-trod-error" "without an error"
# Behind the data, not in them.
sed '1,/<script type="application\/json"/!d' page.dom >before.dom
names=$(sed 's/"name":"/\n&/g' data.json | sed -n 's/^"name":"\([a-z_0-9]*\)".*/\1/p')
for name in $names; do
    ok "function $name is in the list" grep -q ">$name<" before.dom
done
ok "the path that ran most is chosen" grep -q 'class="row at" role="row".*id="paths-grid-0"' before.dom
ok "and stands there in full" grep -q 'class="step-way step"' before.dom
ok "it is lit in the graph" grep -q 'class="block lit"' before.dom
ok "and in the source" grep -Eq 'class="row( odd)? code own lit"' before.dom

# What cannot be shown says so.
sed 's/"version":1/"version":2/' data.json >other.json
perl "$root/tools/page" other.json >other.html
like "$(dom other.html | head -n 3)" 'data-trod-error="the data are not of version 1' "data of another version are refused"
ok "nothing in the view is from elsewhere" sh -c "test -s '$root'/src/view/page/view/order.txt && ! grep -rEnH '(src|href)=\"?(https?:)?//|@import|url\(\"?(https?:)?//' '$root'/src/view/page/view"

# What trod itself makes of a profile.
cat >app.c <<EOF
int main(int argc, char **argv)
{
    int sum = 0;

    for (int i = 0; i < 10; i++)
        sum += argc > 1 && argv[1][0] == 'x' ? i : 1;
    return sum != 10;
}
EOF
trod cc -g -o app app.c
TROD_OUT=app.trod ./app
ok "trod html" trod html -o app.html app.trod
dom app.html >app.dom
like "$(head -n 3 app.dom)" 'data-trod-ready="1"' "a page of trod is ready"
sed '1,/<script type="application\/json"/!d' app.dom >before.dom
ok "its function is in the list" grep -q ">main<" before.dom
ok "its hottest path is lit" grep -Eq 'class="row( odd)? code own lit"' before.dom

# A large page, whose data are compressed, and which has no text of cold functions.
{
    echo 'int hot(int x) { if (x & 1) return x / 2; return x + 1; }'
    echo 'int cold(int x) { if (x > 5000) x = 1;'
    yes '        /* a line of text that is in the way of others */' | head -n 160000
    echo '    if (x > 1000) x = 5; return x; }'
    echo 'int main(void) { int x = 1; for (int i = 0; i < 1000; i++) x = hot(x); return cold(x) < 0; }'
} >big.c
trod cc -g -o big big.c
TROD_OUT=big.trod ./big
trod html -q --all-sources -o big.html big.trod
like "$(grep -o '<script type="application/[a-z]*"' big.html)" gzip "a large page is compressed"
dom big.html >big.dom
like "$(head -n 3 big.dom)" 'data-trod-ready="1"' "... and ready"
unlike "$(head -n 3 big.dom)" "data-trod-error" "... without an error"
ok "its function is in the list" grep -q ">hot<" big.dom
trod html -q -o folded.html big.trod
dom 'folded.html#f=2' | sed '1,/<script type="application/!d' >folded.dom
ok "a cold function says where its text is" grep -q "The page has no text of cold.*--function=" folded.dom

# A function that is cut for the limit on paths has no loop.
cat >cut.c <<EOF
int main(int argc, char **argv)
{
    int n = 0;

    (void)argv;
    if (argc & 1)
        n++;
    if (argc & 2)
        n += 2;
    if (argc & 4)
        n += 4;
    if (argc & 8)
        n += 8;
    return n != 1;
}
EOF
trod cc --limit=8 -g -O0 -o cut cut.c
TROD_OUT=cut.trod ./cut
trod html -q -o cut.html cut.trod
dom cut.html | sed '1,/<script type="application\/json"/!d' | sed 's/<[^>]*>/ /g' | tr -s ' ' >words
ok "where a path ends at a cut" grep -q 'to 10 (cut)' words
ok "where a path starts at a cut" grep -q 'from 10 (cut)' words
ok "no loop, and nothing goes there again" sh -c '! grep -E "(loop|again) [0-9]" words'
done_testing
