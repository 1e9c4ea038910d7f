#!/bin/sh
# The options of trod cc: one table for the command line, help and the plugin.
# `ok` and others call functions.
# shellcheck disable=SC2317
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

trod="$root/build/release/trod"
plugin="$root/build/release/trod-llvm.so"
echo 'int main(int c, char **v) { return c > 1 ? !v : 0; }' >app.c
echo 'list source' >set.list

# What it says on stderr.
said()
{
    # shellcheck disable=SC2069 # stdout goes elsewhere on purpose
    "$@" 2>&1 >out
}

# --- the command line -------------------------------------------------------------------

exits 2 "a word of none" trod cc --at=home -c app.c
is "$(said trod cc --at=home -c app.c)" "trod: invalid value 'home' for --at; expected one of: source, code" "and which there are"
exits 2 "a number out of range" trod cc --iterations=9 -c app.c
is "$(said trod cc --iterations=9 -c app.c)" "trod: --iterations=9: expected a whole number from 2 to 8, the most paths in a chain" \
    "and the range"
is "$(said trod cc --limit=0 -c app.c)" "trod: --limit=0: expected a whole number from 1, the most paths of a function" "from below"
like "$(said trod cc --code-limit=-1 -c app.c)" "^trod: --code-limit=-1: expected a whole number, the most" "without limits"
exits 2 "no argument" trod cc --limit -c app.c
is "$(said trod cc --limit -c app.c)" "trod: --limit needs an argument: --limit=N" "and what it would be"
exits 2 "an argument of a flag" trod cc --wpp=yes -c app.c
is "$(said trod cc --wpp=yes -c app.c)" "trod: --wpp takes no argument" "and so it says"
exits 5 "a file that is not there" trod cc --paths=none.list -c app.c
like "$(said trod cc --paths=none.list -c app.c)" "none.list: .*; name a profile or a path list" "and what to name"
like "$(said trod cc --onlien -c app.c)" "did you mean --online" "a mistyped one"
exits 2 "a budget that is none" trod cc --budget=much -c app.c
like "$(said trod cc --budget=much -c app.c)" "^trod: --burst=budget=much: " "and so it says"

# --- combinations -----------------------------------------------------------------------

# refused WORD OPTION...: the message has the word.
refused()
{
    word=$1
    shift
    exits 2 "$* is refused" trod cc "$@" -c app.c
    like "$(said trod cc "$@" -c app.c)" "$word" "$*: why"
}
refused "counts all chains" --iterations=2 --paths=set.list
refused "source-level loops" --iterations=2 --at=code
refused "cannot be combined; give one" --paths=set.list --tested=set.list
refused "add --tested=FILE" --untested-only
for option in --plan=all --explain --partial; do
    refused "^trod: --plan, --explain and --partial need" $option
done
refused "--wpp, --subpaths and --segments cannot be combined" --wpp --subpaths
refused "--wpp, --subpaths and --segments cannot be combined" --subpaths --segments=set.list
refused "paths across calls" --wpp --at=code
refused "records all steps" --wpp --tested=set.list
refused "--depth needs" --depth=2
refused "--code-limit and --others need" --others
refused "does not count paths" --online --wpp
refused "--online samples optimised code" --online=longest=4 --at=source
refused "--burst samples in bursts" --burst --online
refused "--burst samples in bursts" --budget=2% --iterations=2
refused "window= exclude each other" --online=window=100 --budget=2%
refused "--burst samples optimised code" --burst --at=source
refused "counts of all paths" --counters --burst
refused "source-level paths" --counters --at=code

# --- the plugin alone -------------------------------------------------------------------

# plain VARIABLE=VALUE...: clang with the plugin, without trod cc.
plain()
{
    env "$@" clang-19 -O1 -g -fpass-plugin="$plugin" -fno-discard-value-names -c app.c -o app.o
}
if command -v clang-19 >/dev/null && [ -f "$plugin" ]; then
    ok "the plugin takes options from the environment" plain TROD_CC_AT=code TROD_CC_LIMIT=10 TROD_CC_WPP=no
    ok "a file as well" plain TROD_CC_TESTED=set.list TROD_CC_UNTESTED_ONLY=yes 'TROD_CC_PLAN=hash'
    for bad in AT=home LIMIT=0 LIMIT=many ITERATIONS=9 DEPTH=0 CODE_LIMIT=-1 LEFT=maybe WPP=1 PLAN=best RECORD= ONLINE=f=x \
        BURST=rate=x PATHS=; do
        rm -f app.o
        ok "TROD_CC_$bad is refused" sh -c '! "$@" 2>/dev/null' - env "TROD_CC_$bad" \
            clang-19 -fpass-plugin="$plugin" -c app.c -o app.o
        like "$(said plain "TROD_CC_$bad")" "^trod: .*TROD_CC_${bad%%=*}" "by name"
        is "$(find . -name app.o)" "" "and nothing is compiled"
    done
    like "$(said plain TROD_CC_AT=home)" "expected one of: source, code" "with the values that are valid"
    like "$(said plain TROD_CC_WPP=1)" "expected one of: yes, no" "those of a flag"
    like "$(said plain TROD_CC_DEPTH=0)" "whole number from 1 to 8" "those of a number"
    like "$(said plain TROD_CC_WPP=yes TROD_CC_SUBPATHS=yes)" "cannot be combined" "combinations are refused as well"
    ok "trod cc passes on what it is given, not what it finds" env TROD_CC_AT=home TROD_CC_WPP=1 "$trod" cc -c app.c
else
    skip "the plugin alone" "no clang 19"
fi

# --- help -------------------------------------------------------------------------------

# What help lists, the plugin knows, and refuses to take anything for.
trod cc --help | sed -n 's/^      --\([a-z-]*\).*/\1/p' >options
is "$(wc -l <options)" 25 "help lists the options"
grep -v -x -e budget -e only -e out -e skip options >checked
while IFS= read -r option; do
    variable=TROD_CC_$(echo "$option" | tr a-z- A-Z_)
    ok "the plugin knows --$option" sh -c '! "$@" 2>/dev/null' - env "$variable=?/?" \
        clang-19 -fpass-plugin="$plugin" -c app.c -o app.o
done <checked
like "$(cat "$root/dist/man/trod-cc.1")" 'fB..-only.fR=.fIGLOB|FILE' "so does the man page"
if command -v bash >/dev/null; then
    is "$(bash -c '. "$0"; COMP_WORDS=(trod cc --plan = se); COMP_CWORD=4; _trod; echo "${COMPREPLY[*]}"' \
        "$root/dist/completion/trod.bash")" selective "completion knows the words"
else
    skip "completion" "no bash"
fi

done_testing
