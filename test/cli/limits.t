#!/bin/sh
# Small files that expand to huge ones, and paths to pipes and devices: trod refuses them instead of reading without
# end.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'EOC'
static int f(int x)
{
    return x > 3 ? 1 : 2;
}
int main(int argc, char **argv)
{
    int s = 0;

    (void)argv;
    for (int i = 0; i < 20; i++)
        s += f(i * argc);
    return s < 0;
}
EOC
trod cc --wpp -g app.c -o app
TROD_OUT=app.trod ./app

# --- grammars: 31 rules, each the next one twice
{
    trod show app.trod | sed '/^R0/,$d'
    echo 'R0: 0 R1 R1 3'
    n=1
    while [ $n -lt 31 ]; do
        echo "R$n: R$((n + 1)) R$((n + 1))"
        n=$((n + 1))
    done
    echo 'R31: 6 4 2 6 4 2'
} >deep.text
for command in "calls segments" "calls steps --spans" "calls segments --json"; do
    # shellcheck disable=SC2086
    exits 3 "$command: more steps than are allowed" timeout 60 trod $command deep.text
    like "$tap_out" "^trod: deep.text: with thread 0 of .*app, 12884901890 steps must be read, and 1000000000 are allowed; --max-steps=N allows more" \
        "... with the limit and what raises it"
done
ok "html: the page is made" timeout 60 trod html -q -o page.html deep.text
is "$(grep -c 'paths across calls are omitted: .*--max-steps' page.html)" 1 "... and says what is not in it"
ok "a limit can be named" trod calls segments --max-steps=1000 app.trod
exits 3 "... and is kept" trod calls segments --max-steps=10 app.trod
exits 3 "html: the limit is of all files" timeout 60 trod calls segments --max-steps=100 app.trod app.trod app.trod
ok "sizes need no steps" timeout 60 trod calls steps deep.text
ok "nor do the hottest" timeout 60 trod calls steps --hot=3 deep.text

# --- packed profiles: a section of a few bytes for each 128 KiB
trod cc app.c -o plain
TROD_OUT=plain.trod ./plain
trod merge -o packed.trod plain.trod
cat >bomb.py <<'EOC'
import struct, sys, zlib
data, size = open(sys.argv[1], "rb").read(), int(sys.argv[2])
block, frame = 1 << 17, b"\x28\xb5\x2f\xfd\xe0" + struct.pack("<Q", size)
for at in range(0, size, block):
    n = min(block, size - at)
    frame += struct.pack("<I", n << 3 | 2 | (at + n == size))[:3] + b"\x01"
out, chain, at = data[:64], 0, 64
while at < len(data):
    head, length = data[at : at + 64], struct.unpack("<Q", data[at + 8 : at + 16])[0]
    payload = data[at + 64 : at + length]
    fields = list(struct.unpack("<IIQQIII20sII", head))
    if fields[1] == 5:
        payload, fields[4] = frame, fields[4] | 1
    if fields[1] == 4:
        payload = b"chain %08x\n" % chain
        fields[4] = 0
    fields[2], fields[3], fields[8] = 64 + len(payload), len(payload), zlib.crc32(payload)
    head = struct.pack("<IIQQIII20sI", *fields[:9])
    head += struct.pack("<I", zlib.crc32(head))
    chain = zlib.crc32(struct.pack("<II", chain, zlib.crc32(head[:60])))
    out, at = out + head + payload, at + length
open(sys.argv[3], "wb").write(out)
EOC
python3 bomb.py packed.trod 400000000 bomb.trod
ok "the file is small" test "$(wc -c <bomb.trod)" -lt 35000
for command in report check show "merge -o out.trod" coverage; do
    # shellcheck disable=SC2086
    exits 3 "$command: a profile that expands to much" trod $command bomb.trod
    like "$tap_out" "bomb.trod: its sections decompress to more than 16777216 bytes, for [0-9]+ in the file; .*--max-expand" \
        "... with the limit and what raises it"
done
python3 bomb.py packed.trod 3000000 small.trod
exits 3 "a limit can be named" trod check --max-expand=2m small.trod
exits 1 "... and what is below is read" trod check --max-expand=4m small.trod
exits 2 "... as a size" trod check --max-expand=much small.trod
ok "profiles that programs write are below it" trod check packed.trod
# Maps, too: blanks compress well.
head -c 70000000 /dev/zero | tr '\0' ' ' >blank.map
objcopy --update-section .trod.map=blank.map plain large 2>/dev/null
if trod split -o large.trodmap large 2>/dev/null && [ "$(wc -c <large.trodmap)" -lt 100000 ]; then
    exits 3 "a map that expands to much" trod report --brief --binary=large.trodmap plain.trod
    like "$tap_out" "it expands to 70000000 bytes, more than the 67108864 allowed; --max-expand allows more" "... is named, with the remedy"
    ok "... and may be allowed" trod report --brief --max-expand=80m --binary=large.trodmap plain.trod
else
    skip "maps that expand to much" "objcopy could not put one in"
fi
rm -f blank.map large

# --- paths that lead to no regular file
mkfifo pipe
trod show plain.trod | sed "s|^module \"[^\"]*\"|module \"$PWD/pipe\"|" >fifo.text
trod show plain.trod | sed "s|^module \"[^\"]*\"|module \"/dev/tty\"|" >device.text
for file in fifo.text device.text; do
    for command in report coverage "stage flow" "html -o page.html" "export --to=json" annotate "set list"; do
        # shellcheck disable=SC2086
        ok "$command: $file: does not block" timeout 20 trod $command $file
    done
done
like "$(timeout 20 trod report --brief fifo.text 2>&1)" "pipe: not a regular file" "and it says what it is"
exits 5 "--binary" timeout 20 trod report --brief --binary=pipe plain.trod
# Pipes that the user names are read.
for command in report "html -o page.html" merge; do
    cat plain.trod >pipe &
    # shellcheck disable=SC2086
    trod $command pipe >out 2>&1
    is "$?" 0 "$command: a pipe that is named is read"
    wait
done

done_testing
