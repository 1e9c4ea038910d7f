#!/bin/sh
# Completion in zsh and fish, at a pseudo-terminal. help.t tests bash.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

: >diamond.graph
mkdir maps functions
cp "$root/dist/completion/trod.zsh" functions/_trod
cp "$root/dist/completion/trod.fish" .

zsh_offers()
{
    "$root/test/kit/zsh-complete" "$PWD/functions" "$1" | tr '\n' ' '
}

# Without what it says of each. fish 4 also offers words that contain the letters of the last one in this order.
fish_offers()
{
    HOME=$PWD fish --no-config -c "source trod.fish; complete -C '$1'" 2>&1 | cut -f 1 | sort -u |
        last=${1##* } awk 'index($0, ENVIRON["last"]) == 1' | tr '\n' ' '
}

each()
{
    is "$($1 'trod cov')" "coverage " "$2: commands"
    is "$($1 'trod stage numb')" "number " "$2: commands of a namespace"
    is "$($1 'trod sta')" "stage " "$2: namespaces"
    is "$($1 'trod stage number --mea')" "--measure " "$2: options"
    is "$($1 'trod report --sort ')" "L1-dcache-load-misses L1-icache-load-misses LLC-load-misses branch-misses branches \
bus-cycles cache-misses cache-references context-switches count cycles dTLB-load-misses file function iTLB-load-misses \
instructions major-faults page-faults ref-cycles stalled-cycles-backend stalled-cycles-frontend time weight " "$2: words"
    is "$($1 'trod help pr')" "probe " "$2: commands for help"
    is "$($1 'trod stage number --limit ')" "" "$2: nothing is made up for a number"
    is "$($1 'trod cc --onl')" "--online --only " "$2: options of the compiler"
}

if command -v zsh >/dev/null; then
    each zsh_offers zsh
    is "$(zsh_offers 'trod stage graph dia')" "diamond.graph " "zsh: files"
    is "$(zsh_offers 'trod report --maps=m')" "maps " "zsh: folders behind ="
    is "$(zsh_offers 'trod report --sort=w')" "weight " "zsh: words behind ="
else
    skip "completion of zsh" "no zsh"
fi
if command -v fish >/dev/null; then
    each fish_offers fish
    is "$(fish_offers 'trod stage graph dia')" "diamond.graph " "fish: files"
    is "$(fish_offers 'trod report --maps=m')" "--maps=maps/ " "fish: folders behind ="
    is "$(fish_offers 'trod report --sort=w')" "--sort=weight " "fish: words behind ="
    is "$(fish_offers 'trod no-command --mea')" "" "fish: options of no command"
else
    skip "completion of fish" "no fish"
fi
done_testing
