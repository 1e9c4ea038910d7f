#!/bin/sh
# Untrusted maps: sources are read from the user's folder, not from where a map says.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

mkdir -p build/src elsewhere/deep
cat >build/src/app.c <<'EOC'
/* the text of app.c */
int main(int argc, char **argv)
{
    (void)argv;
    return argc > 5;
}
EOC
echo 'SECRET' >elsewhere/secret
(cd build && trod cc -g src/app.c -o app && TROD_OUT=app.trod ./app)
cp build/app.trod app.trod
trod split --text build/app >map

# What is shown from some folder.
shown()
{
    # shellcheck disable=SC2086
    trod html $2 -q -o page.html "$1"
    cat page.html
    # shellcheck disable=SC2086
    trod annotate $2 "$1" 2>&1
    # shellcheck disable=SC2086
    trod report -v $2 "$1" 2>&1
}

is "$(cd build && shown app.trod | grep -c 'the text of app.c')" 2 "sources below the working directory are shown"
is "$(shown build/app.trod | grep -c 'the text of app.c')" 2 "... wherever below it"
out=$(cd elsewhere && shown ../build/app.trod)
is "$(echo "$out" | grep -c 'the text of app.c')" 0 "sources elsewhere are not shown"
is "$(echo "$out" | grep -c 'src/app.c: it is outside the working directory; name its folder with --source')" 3 \
    "... and why, with the remedy, in each of them"
is "$(cd elsewhere && shown ../build/app.trod --source=../build | grep -c 'the text of app.c')" 2 "--source names the folder"
is "$(cd elsewhere && shown ../build/app.trod --source=/ | grep -c 'the text of app.c')" 2 "... or one above it"
mkdir build/.git build/inside
is "$(cd build/inside && shown ../app.trod | grep -c 'the text of app.c')" 2 "the git checkout that one is in counts, too"
rmdir build/.git

# Links lead to where they lead.
mv build/src/app.c elsewhere/app.c
ln -s ../../elsewhere/app.c build/src/app.c
is "$(cd build && shown app.trod | grep -c 'the text of app.c')" 0 "a link does not lead out"
is "$(cd build && shown app.trod --source=../elsewhere | grep -c 'the text of app.c')" 2 "... but where --source says"
rm build/src/app.c
ln -s /etc/passwd build/src/app.c
is "$(cd build && shown app.trod | grep -c '^root:')" 0 "a link to a system file"
rm build/src/app.c
mkfifo build/src/app.c
is "$(cd build && shown app.trod | grep -c 'the text of app.c')" 0 "a pipe is not a source, and trod does not block on it"
rm build/src/app.c

# A profile whose map names other files.
(
    cd build || exit
    sed "s|^directory .*|directory \"$PWD/../elsewhere\"|; s|src/app.c|secret|g" ../map >evil.map
    objcopy --update-section .trod.map=evil.map app evil 2>/dev/null
)
if [ -s build/evil ]; then
    is "$(cd build && shown app.trod "--binary=evil" | grep -c SECRET)" 0 "a map does not say what may be read"
    ok "... the folder one is in does" \
        sh -c 'cd elsewhere && trod html -q --binary=../build/evil -o - ../build/app.trod | grep -q SECRET'
else
    skip "maps of others" "objcopy cannot put one in"
fi

done_testing
