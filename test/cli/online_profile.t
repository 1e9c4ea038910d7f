#!/bin/sh
# Profiles that a program lays out with the online library: functions that it makes while it runs, their map, and its end.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

lib=$root/build/$TROD_CONFIG/libtrod-online.a
CC=gcc
if [ "$TROD_CONFIG" = asan ]; then
    CC="clang-19 -fsanitize=address,undefined"
fi
cat >machine.c <<'C'
/* Makes the function `first`, runs it, and waits for a line; then the same with `second`; then it ends, in order or not. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <trod/online.h>

static char memory[65536];

static uint32_t make(struct trod_online *o, const char *name, uint32_t line)
{
    uint32_t first_line[] = {0, 1, 2, 3}, lines[] = {line, line + 1, line + 2};
    uint32_t first_way[] = {0, 1, 3, 3}, ways[] = {1, 1, 2};
    struct trod_online_function f = {.name = name, .file = "one.script", .line = line, .nblock = 3, .first_line = first_line,
        .line_of = lines, .first_way = first_way, .way = ways};
    char text[1000];
    size_t n = trod_online_function_text(text, sizeof text, &f);
    FILE *map = fopen("machine.map", "a");

    fwrite(text, 1, n, map);
    fclose(map);
    return trod_online_function_add(o, &f);
}

static void run(struct trod_online *o, uint32_t first)
{
    char line[100];

    for (int i = 0; i < 1000; i++) {
        trod_online_block(o, first);
        for (int k = 0; k < 9; k++)
            trod_online_block(o, first + 1);
        trod_online_block(o, first + 2);
    }
    if (!fgets(line, sizeof line, stdin))
        exit(1);
}

int main(int argc, char **argv)
{
    char map[4096];
    struct trod_online_profile about = {.room = 10, .program = "/usr/bin/machine", .map = map, .pid = (uint64_t)getpid()};
    struct trod_online_options options = {.text = "f=8,least-f=8", .seed = 1, .profile = &about};
    struct trod_online *o;
    int fd = open("machine.trod", O_RDWR | O_CREAT | O_TRUNC, 0666);

    if (!getcwd(map, sizeof map - 20))
        return 1;
    strcat(map, "/machine.map");
    about.size = trod_online_profile_size(sizeof memory, &options, NULL);
    if (ftruncate(fd, (off_t)about.size) != 0)
        return 1;
    about.file = mmap(NULL, about.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    o = trod_online_create(memory, sizeof memory, &options, NULL);
    run(o, make(o, "first", 10));
    run(o, make(o, "second", 20));
    if (argc > 1 && strcmp(argv[1], "end") == 0)
        trod_online_profile_end(o, 1, 500000000);
    return 0;
}
C
# shellcheck disable=SC2086
ok "a program with a profile builds" $CC -std=gnu11 -Wall -Wextra -Werror -O1 -I"$root/include" -o machine machine.c "$lib"
[ -x machine ] || exit 1

# `ok` calls it.
# shellcheck disable=SC2317
# until_seen COMMAND PATTERN: as soon as the output of a command has a line like this, or after a minute.
until_seen()
{
    i=0
    while [ "$i" -lt 600 ]; do
        sh -c "$1" 2>&1 | grep -Eq -e "$2" && return 0
        sleep 0.1
        i=$((i + 1))
    done
    return 1
}

mkfifo lines
./machine <lines &
pid=$!
exec 3>lines
ok "a function that was made is seen while the program runs" until_seen "trod top --once -p $pid" ' first [(]?11'
unlike "$(trod top --once -p "$pid")" "second" "and no other"
echo >&3
ok "so is one that is made later" until_seen "trod top --once -p $pid" ' second [(]?21'
like "$(trod check machine.trod)" "live, sound, still running or killed" "the file is sound"
kill -9 "$pid"
wait "$pid" 2>log
exec 3>&-
like "$(trod report machine.trod)" " (first|second) [(]?[12]1" "what was sampled stays when the program is killed"
is "$(trod show machine.trod)" "$("$root/tools/trod-read.py" machine.trod)" "a second reader agrees"

rm machine.map
printf '\n\n' | ./machine end
like "$(trod check machine.trod)" "live, sound; runs: 1" "a program that ends in order"
trod report machine.trod >whole
like "$(cat whole)" " first \(?11" "its report names functions and lines"
trod merge -o both.trod machine.trod machine.trod
like "$(trod report both.trod)" " second \(?21" "a merged profile knows where the map is"
mkdir moved && mv machine.map moved && cp machine.trod moved
like "$(trod report machine.trod 2>&1)" '\?[0-9a-f]{16} ' "without the map there are no names"
is "$(trod report --binary=moved/machine.map machine.trod)" "$(cat whole)" "the map can be named"
mv moved/machine.map moved/machine.trod.trodmap
is "$(trod report moved/machine.trod)" "$(cat whole)" "or be beside the profile"

# What a program is writing ends anywhere: the function that is not complete has no name yet.
map=moved/machine.trod.trodmap
size=$(wc -c <$map)
for n in 1 2 40 $((size / 2)); do
    head -c $((size - n)) $map >cut.map
    trod report --binary=cut.map machine.trod >said 2>&1 || echo "status $?" >>said
    unlike "$(cat said)" "damaged|status| second " "a map without its last $n bytes is read up to its last function"
    like "$(cat said)" " first \(?11" "which has its name"
done
# A planted fault: a map that is damaged before its end is refused.
sed 's/^graph "first"/grph "first"/' $map >damaged.map
exits 3 "a damaged map is refused" trod report --binary=damaged.map machine.trod
done_testing
