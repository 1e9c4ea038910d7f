#!/bin/sh
# Maps outside of their programs: trod split, --maps, --binary; and compressed maps.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >sign.c <<'C'
#include <stdlib.h>

int sign(int x)
{
    return x < 0 ? -1 : x > 0;
}

int main(int argc, char **argv)
{
    return sign(atoi(argv[argc - 1])) > 1;
}
C
cc="$root/build/release/trod cc"
$cc -O1 -g -Wl,--build-id -o app sign.c
TROD_OUT=app.trod ./app 5
trod report --brief app.trod >whole

# has FILE SECTION: it does
has()
{
    readelf -SW "$1" | grep -q " $2 "
}

# --- split --------------------------------------------------------------------------------

ok "a map is split off" trod split app
ok "and lies beside the program" test -s app.trodmap
ok "it is an ELF file" has app.trodmap .trod.map
like "$(readelf -SW app.trodmap)" '\.trod\.map +PROGBITS .* C ' "compressed"
is "$(readelf -n app.trodmap 2>&1 | grep 'Build ID')" "$(readelf -n app | grep 'Build ID')" "with the build id"
ok "the program still has its own" has app .trod.map
is "$(trod report --brief --binary=app.trodmap app.trod)" "$(cat whole)" "a map will do for a program"
cp app.trodmap first
trod split -o again app
ok "the same again is the same" cmp first again
trod split -o - app >again
ok "also on standard output" cmp first again
trod split -o again app.trodmap
ok "and a map can be split off a map" cmp first again

# --- strip --------------------------------------------------------------------------------

cp app kept
rm app.trodmap
mkdir maps
ok "a map goes into a folder, and out of the program" trod split --strip -o maps app
id=$(readelf -n app | sed -n 's/.*Build ID: //p')
ok "where its name is the build id" test -s "maps/$id.trodmap"
ok "the map is the same" cmp first "maps/$id.trodmap"
if has app .trod.map; then tap_report no "the program has none"; else tap_report yes "the program has none"; fi
# shellcheck disable=SC2016 # for the inner shell
ok "loaded sections are unchanged" sh -c '
    for f in app kept; do objcopy -O binary --only-section=.text --only-section=__trod_fn $f $f.code; done
    cmp app.code kept.code'
TROD_OUT=second.trod ./app 5
is "$(trod report --brief --maps=maps second.trod)" "$(cat whole)" "it counts as before"
is "$(trod report --brief --maps=maps app.trod)" "$(cat whole)" "and older profiles have names, too"
is "$(trod diff --brief --maps=maps app.trod second.trod | head -n 1)" \
    "# paths: 0 appeared, 0 vanished, 0 moved, 2 same" "diff looks there, too"
mv "maps/$id.trodmap" maps/any-name
echo text >maps/notes
is "$(trod report --brief --maps=maps app.trod)" "$(cat whole)" "whatever it is called"
mv kept maps/program
rm maps/any-name
is "$(trod report --brief --maps=maps app.trod)" "$(cat whole)" "a program in the folder will do"
mkdir other
is "$(trod report --brief --maps=other --maps=maps app.trod)" "$(cat whole)" "in any of several folders"
trod split -o app.trodmap maps/program
is "$(trod report --brief app.trod)" "$(cat whole)" "a map beside the program is found unasked"
rm app.trodmap

# --- without a map ------------------------------------------------------------------------

like "$(trod report --brief app.trod 2>&1 >printed)" "^trod: note: .*/app: it has no map: .*'trod split'.*--binary.*--maps" \
    "a program without a map: the message says what to do"
like "$(cat printed)" '^ 50\.0%  50\.0% +1  \?[0-9a-f]{16} =[0-9]+$' "ids and counts are there"
exits 0 "which is not an error" trod report --brief -q app.trod
exits 3 "but named by hand it is" trod report --brief --binary=app app.trod
exits 3 "nothing can be split off it" trod split app
like "$(trod split app 2>&1)" "no section .trod.map; compile it with 'trod cc'" "and why is reported"
exits 3 "nor off a file that is not a program" trod split sign.c
exits 5 "nor off nothing" trod split nowhere
exits 2 "one at a time" trod split app app
exits 5 "a folder that is none" trod report --brief --maps=nowhere app.trod
$cc -O1 -g -Wl,--build-id -DOTHER -o maps/program sign.c -O2
like "$(trod report --brief --maps=maps app.trod 2>&1)" 'it has no map' "another build in the folder is not taken"
$cc -O1 -g -Wl,--build-id=none -o nameless sign.c
like "$(trod split nameless 2>&1)" 'no build id' "a program without a build id is remarked"
exits 3 "and has no name in a folder" trod split -o maps nameless
cp maps/program intact
exits 5 "where there is no objcopy" env TROD_OBJCOPY="$PWD/nowhere" trod split --strip -o out maps/program
ok "the program is unchanged" cmp maps/program intact
exits 5 "a map that cannot be written" trod split --strip -o nowhere/out maps/program
ok "leaves the program its own" cmp maps/program intact

# --- compressed in the program ------------------------------------------------------------

if command -v ld.lld-19 >said; then
    # shellcheck disable=SC2086 # words
    ok "lld compresses it" $cc -O1 -g -fuse-ld=lld-19 -o small sign.c
    like "$(readelf -SW small)" '\.trod\.map +PROGBITS .* C ' "unasked"
    TROD_OUT=small.trod ./small 5
    is "$(trod report --brief small.trod)" "$(cat whole)" "and it is read"
    $cc -O1 -g -fuse-ld=lld-19 -Wl,--compress-sections=.trod.map=zlib -o small sign.c
    like "$(readelf -SW small)" '\.trod\.map +PROGBITS .* C ' "zlib, if the user says so"
    is "$(trod report --brief --binary=small small.trod)" "$(cat whole)" "is read, too"
    $cc -O1 -g -fuse-ld=lld-19 -Wl,--compress-sections=.trod.map=none -o small sign.c
    unlike "$(readelf -SW small)" '\.trod\.map +PROGBITS .* C ' "or not at all"
else
    skip "lld compresses maps" "no ld.lld-19"
fi

# Damage: the beginning of the frame, and a size that is a lie.
offset=$(readelf -SW first | sed -n 's/.* \.trod\.map  *PROGBITS  *[0-9a-f]*  *\([0-9a-f]*\) .*/\1/p')
at=$((0x$offset))
cp first bent
printf 'XXXX' | dd of=bent bs=1 seek=$((at + 24)) conv=notrunc 2>said
exits 3 "a damaged map is refused" trod report --brief --binary=bent app.trod
like "$(trod report --brief --binary=bent app.trod 2>&1)" 'bent: section .trod.map cannot be read: zstd' "and called so"
cp first bent
printf '\377\377\377\377\377' | dd of=bent bs=1 seek=$((at + 8)) conv=notrunc 2>said
exits 3 "so is one that would be endless" trod report --brief --binary=bent app.trod
cp first bent
printf '\001' | dd of=bent bs=1 seek=$((at + 8)) conv=notrunc 2>said
exits 3 "and one that says less than it has" trod report --brief --binary=bent app.trod
cp first bent
printf '\011' | dd of=bent bs=1 seek=$at conv=notrunc 2>said
like "$(trod report --brief --binary=bent app.trod 2>&1)" 'compression method is not supported' "or is compressed in an unknown way"

like "$(trod split --text maps/program 2>&1)" '^unit ' "a map is text"

done_testing
