#!/bin/sh
# A burst handler that the program defines: the example of the manual; the exact events that it receives when everything
# is sampled.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

if ! command -v clang-19 >/dev/null || [ ! -f "$root/build/release/trod-llvm.so" ]; then
    skip "trod cc" "there is no compiler"
    done_testing
    # shellcheck disable=SC2317
    exit
fi
trod=$root/build/release/trod

ok "the example builds" "$trod" cc --burst=types=handler,rate=1000,burst=20 -O2 -Wall -Wextra -Werror \
    -I"$root/include" -o handler "$root/example/handler.c"
TROD_BURST=seed=1 ./handler >said
is "$(awk '/^    \$ TROD_BURST=seed=1 \.\/handler$/ { on = 1; next } on && !/^    / { exit } on { print substr($0, 5) }' \
    "$root/doc/production/burst-handler.md")" "$(cat said)" "the manual shows what it says"
ok "it builds without trod" gcc -O2 -Wall -Wextra -Werror -I"$root/include" -o plain "$root/example/handler.c"

# 20 * 20 products of 20 each, all seen.
TROD_BURST=trigger=always ./handler 20 >said
like "$(cat said)" '^a, by rows: about 8000 touches' "all loads are shown"
like "$(cat said)" '^c, the product: about 401 touches' "all 400 stores are shown, and the load at the end"
TROD_BURST=trigger=never ./handler 20 >said
like "$(cat said)" '^a, by rows: about 0 touches' "or none"

cat >kinds.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <trod/burst.h>

static uint64_t seen[17], in_leaf, direct, indirect, weights;
static void (*volatile pointer)(void);
static int cell;

void trod_burst_handler(const struct trod_burst_event *event)
{
    seen[event->kind]++;
    weights += event->weight;
    if (event->kind == TROD_HANDLER_ENTRY && event->function == trod_burst_name("leaf"))
        in_leaf++;
    if (event->kind == TROD_HANDLER_CALL) {
        if (event->of.call.function == (const void *)(uintptr_t)pointer)
            indirect++;
        else
            direct++;
    }
}

__attribute__((noinline)) void leaf(void) { *(volatile int *)&cell = 1; }

__attribute__((noinline)) double caller(int n, double x)
{
    for (int i = 0; i < n; i++) {
        leaf();
        x = x * 1.5 + 1;
        pointer();
    }
    return x;
}

static void tell(void)
{
    printf("entries of leaf %d, rounds %d, direct %d, indirect %d, paths %d\n", (int)in_leaf,
        (int)seen[TROD_HANDLER_BACK], (int)direct >= 7, (int)indirect,
        seen[TROD_HANDLER_PATH] > 0);
}

int main(void)
{
    pointer = leaf;
    atexit(tell);
    return caller(7, 1) != 49.2578125;
}
END
ok "a program with calls builds" "$trod" cc --burst=types=handler,trigger=always -O1 \
    -fno-unroll-loops -I"$root/include" -o kinds kinds.c
is "$(./kinds)" "entries of leaf 14, rounds 6, direct 1, indirect 7, paths 1" \
    "entries, rounds, calls and paths are shown"
./kinds >said
is $? 0 "values in vectors are as they were"

done_testing
