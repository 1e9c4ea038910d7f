#!/bin/sh
# Committed files that are generated from the option tables are up to date.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# same FILE OPTION...: the file holds what 'trod help OPTION...' prints.
same()
{
    file=$1
    shift
    trod help "$@" >now
    ok "$file is up to date; 'make generated' rewrites it" cmp now "$root/$file"
}

# All but help itself, whose page is the first.
commands=$(trod help --commands | grep -v '^help$' | tr ' ' -)

same dist/man/trod.1 --man
for command in $commands; do
    same "dist/man/trod-$command.1" --man "$(echo "$command" | tr - ' ')"
done
for shell in bash zsh fish; do
    same dist/completion/trod.$shell --completion=$shell
done

for page in "$root"/dist/man/*.1; do
    name=${page##*/}
    if command -v groff >/dev/null; then
        is "$(groff -man -ww -Tascii -z "$page" 2>&1)" "" "$name is sound roff"
    else
        skip "$name is sound roff" "no groff"
    fi
done

for command in $commands; do
    case $command in cc | c++ | run) continue ;; esac # options of compilers and programs
    page=$(cat "$root/dist/man/trod-$command.1")
    # shellcheck disable=SC2046 # a name of one or two words
    for option in $(trod $(echo "$command" | tr - ' ') --help | sed -n 's/^ .*--\([a-z-]*\).*/\1/p'); do
        case $option in help | usage | version) continue ;; esac
        like "$page" "$(echo "$option" | sed 's/-/\\\\-/g')" "trod-$command.1 has --$option"
    done
done

done_testing
