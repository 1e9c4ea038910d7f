#!/bin/sh
# Help: every command has it, and its examples work.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

is "$(trod --version)" "trod 0.1.0" "--version"
is "$(trod stage number --version)" "trod 0.1.0" "--version of a command"
ok "--help" trod --help
is "$(trod --help | head -n 1)" "Usage: trod COMMAND [ARGUMENT...]" "the usage of trod"
is "$(trod help | head -n 5)" "$(trod --help | head -n 5)" "'trod help' is 'trod --help'"

is "$(trod --help | awk 'length > 84 || NR > 60')" "" "an overview that fits a screen"
like "$(trod --help | sed -n '5,7p')" 'trod cc.*' "it starts with compiling"
trod help --commands >commands
while IFS= read -r command; do
    # shellcheck disable=SC2086 # one word or two
    help=$(trod $command --help)
    is "$(echo "$help" | sed -n "1s|^\(Usage: trod $command \).*|\1|p")" "Usage: trod $command " "trod $command --help: usage"
    like "$help" "^Examples:" "trod $command --help: examples"
    is "$(echo "$help" | sed '/^Examples:/,$d' | grep -E '(^|[^a-z-])([a-z]+) \2([^a-z-]|$)|^Mandatory or optional')" "" "trod $command --help: no word twice"
    like "$(trod --help)" " $(echo "${command##* }" | sed 's/[+]/[+]/g')( |\$)" "trod --help lists $command"
    # shellcheck disable=SC2086
    is "$(trod help $command | head -n 1)" "$(echo "$help" | head -n 1)" \
        "trod help $command"
done <commands
for namespace in set calls sample version hw stage; do
    is "$(trod help $namespace)" "$(trod $namespace --help)" "trod help $namespace"
    like "$(trod help $namespace)" "^Examples:" "trod help $namespace: examples"
    exits 2 "trod $namespace alone" trod $namespace
done
like "$(trod version impact --help)" "^ METHOD is one of:" "help lists the words that an option takes"
is "$(trod help stage probe | head -n 1)" "$(trod stage probe --help | head -n 1)" "help finds a command by its last word"
like "$(trod graph 2>&1)" "did you mean 'stage graph'" "so does a suggestion"
like "$(trod stage grpah 2>&1)" "did you mean 'stage graph'" "a mistyped word in a namespace"
like "$(trod reprot 2>&1)" "did you mean 'report'" "a mistyped command"

exits 2 "no command" trod
exits 2 "an unknown command" trod frobnicate
exits 2 "an unknown option before the command" trod --frobnicate graph
exits 2 "help on an unknown command" trod help frobnicate
exits 2 "help on two commands" trod help report merge
exits 2 "completion for an unknown shell" trod help --completion=csh
like "$(trod frobnicate 2>&1)" "^trod: 'frobnicate' is not a command.*'trod help'" \
    "an unknown command is named, with what to do"

# Every example of every help text runs, as it stands.
cat >diamond.graph <<EOF
graph diamond
s: a b
a: t
b: t
t:
EOF
cat >loop.graph <<EOF
graph loop
s: h
h: s t
t:
EOF
cat >prog.graph <<EOF
graph start
s: main
main:
graph main
s: s t
t:
EOF
printf 'profile\nrun\npid: 1\n' >app.trod
echo 'int main(void) { return 0; }' >app.c
trod cc -o app app.c
trod cc --wpp -o steps app.c
TROD_OUT=migrated.trod ./app
TROD_OUT=steps.trod ./steps
echo 'segments hot 1' >hot.segments
# shellcheck disable=SC2016
printf 'app: app.c\n\t$(CC) -o app app.c\nt: t.c\n\t$(CC) -o t t.c\n' >Makefile
cp app.c t.c
printf 'profile\nrun\npid: 2\n' >other.trod
printf 'profile\nrun\npid: 6\n' >tests.trod
echo 'list source' >hot.list
cat >full.trod <<EOF
profile
module app burst
function 0000000000000001 0000000000000000 0000000000000000 2
=1 9
function 0000000000000001 0000000000000000 000073746e657665 4611686018427387904 events
=72057594037927936 9
=216172782113783808 1
=432345564227567616 9
=648518346341351425 63
=648518445125599233 9
EOF
cp full.trod sampled.trod
grep -v -e ' 2$' -e '=1 9' full.trod >app.trod
echo 'segments hot 1' >hot.segments
mkdir tests
printf 'profile\nrun\npid: 3\nduration: 0.5\n' >tests/a.trod
printf 'profile\nrun\npid: 4\n' >bad.trod
printf 'profile\nrun\npid: 5\n' >worse.trod
mkdir maps
printf 'sequence steps\n1 2 1 2\n' >steps.sequence
printf 'wpp thread\n( main:0 ( f:1 ) main:2 )\n' >thread.wpp
printf 'numbering main ballarus\n>: s a+1\ns: >a\na:\ncalls main\na: main\n' >prog.functions
printf 'segments test 1\n1 main:0 ( main:0 )\n' >prog.segments
printf 'branches app\n' | tee gzip.branches >bzip2.branches
printf 'branches app\ncode 0 0x1000 0x1004 0x1008 2 if 0x1000\nrun 0 0 0x1000\nrun 0 0 0x1008\nend 0\n' >app.branches
mkdir -p home/.local/share/bash-completion/completions home/.config/fish/completions
HOME=$PWD/home
export HOME
{
    for command in cc run diff overlap report export 'set list' coverage untested 'calls residual' 'set partition' tests 'stage grammar' 'calls steps' 'calls segments' 'calls supergraph' 'hw timing' 'hw edit' 'hw explore' 'stage graph' 'stage number' 'stage probe' show merge check split help html; do
        # shellcheck disable=SC2086
        trod help $command
    done
    trod help set | sed 1,/^Examples:/d
    trod help stage | sed 1,/^Examples:/d
} | sed -n 's/^  \(trod [a-z]* .*\)/\1/p' | grep -v 'trod [a-z]*  ' | grep -v -e 'man -l' -e --strip |
    sort -u >examples
[ "$(wc -l <examples)" -ge 12 ] && enough=yes || enough=no
is "$enough" yes "there are a dozen examples"
while IFS= read -r example; do
    # Functions of the profiles here have no names.
    example "$(printf '%s\n' "$example" | sed "s/'parse_\*'/'?*'/")"
done <examples
command -v dot >/dev/null && like "$(cat main.svg)" '<svg' "one of them drew a picture"

# Completion, as bash would ask for it: words so far, of which the last is being typed.
completed()
{
    bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _trod
        printf "%s\n" "${COMPREPLY[*]}"' "$root/dist/completion/trod.bash" "$@"
}
if command -v bash >/dev/null; then
    is "$(completed trod cov)" "coverage" "commands are completed"
    is "$(completed trod stage nu)" "number" "and those of a namespace"
    is "$(completed trod stage number --mea)" "--measure" "options are completed"
    is "$(completed trod stage number --kind = preferential-)" \
        "preferential-published preferential-fit" "words are completed behind ="
    is "$(completed trod stage probe --place pl)" "plain" "words are completed behind a blank"
    is "$(completed trod stage graph dia)" "diamond.graph" "files are completed"
    is "$(completed trod stage graph -o dia)" "diamond.graph" "files are completed for -o"
    is "$(completed trod stage number --limit '')" "" "nothing is made up for a number"
    is "$(completed trod help pr)" "probe" "commands are completed for help"
else
    skip "completion" "no bash"
fi

done_testing
