# shellcheck shell=sh
# TAP for shell tests.  Source it first:
#
#     #!/bin/sh
#     . "${0%/*}/../kit/tap.sh"
#
#     is "$(trod --version | head -n 1)" "trod 0.1.0" "prints its version"
#     like "$(trod --help)" "^Usage:" "prints its usage"
#     exits 2 "an unknown command is a usage error" trod frobnicate
#     ok "a graph checks" trod stage graph --check "$root/example/diamond.graph"
#     done_testing
#
# After sourcing, the working directory is an empty temporary one that is
# removed at exit, $root is the top of the tree, and `trod` on PATH is the one
# of the configuration under test ($TROD_CONFIG, release by default).
#
# The plan is printed by done_testing and not by a trap on exit: a script that
# dies half way must leave no plan behind, or it would look complete.

root=$(cd "${0%/*}" && git_top=$PWD &&
    while [ ! -f "$git_top/layers.txt" ] && [ -n "$git_top" ]; do
        git_top=${git_top%/*}
    done && printf '%s' "$git_top")
: "${TROD_CONFIG:=release}"
PATH=$root/build/$TROD_CONFIG:$PATH
LC_ALL=C
export PATH LC_ALL TROD_CONFIG root
unset COLUMNS NO_COLOR

tap_count=0
tap_failed=0
tap_tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tap_tmp"' EXIT
cd "$tap_tmp" || exit 1

# tap_report PASSED NAME: one result line.
tap_report()
{
    tap_count=$((tap_count + 1))
    if [ "$1" = yes ]; then
        echo "ok $tap_count - $2"
    else
        echo "not ok $tap_count - $2"
        tap_failed=$((tap_failed + 1))
    fi
}

# Details of failures go to stderr: prove shows that, and hides comments.
tap_explain()
{
    printf '%s\n' "$2" | sed "s/^/#   $1/" >&2
}

# ok NAME COMMAND...: the command succeeds.
ok()
{
    tap_name=$1
    shift
    if tap_out=$("$@" 2>&1); then
        tap_report yes "$tap_name"
    else
        tap_report no "$tap_name"
        echo "# failed: $tap_name: $*" >&2
        tap_explain "" "$tap_out"
    fi
}

# exits STATUS NAME COMMAND...: the command ends with just this status.
exits()
{
    tap_want=$1 tap_name=$2
    shift 2
    tap_out=$("$@" 2>&1) && tap_got=0 || tap_got=$?
    if [ "$tap_got" -eq "$tap_want" ]; then
        tap_report yes "$tap_name"
    else
        tap_report no "$tap_name"
        echo "# failed: $tap_name: status $tap_got, not $tap_want: $*" >&2
        tap_explain "" "$tap_out"
    fi
}

# is GOT WANT NAME: two texts are equal.
is()
{
    if [ "$1" = "$2" ]; then
        tap_report yes "$3"
    else
        tap_report no "$3"
        echo "# failed: $3" >&2
        tap_explain "got:  " "$1"
        tap_explain "want: " "$2"
    fi
}

# like GOT REGEX NAME, unlike GOT REGEX NAME: some line matches the extended
# regular expression; none does.
like()
{
    if printf '%s\n' "$1" | grep -Eq -e "$2"; then
        tap_report yes "$3"
    else
        tap_report no "$3"
        echo "# failed: $3: no line matches /$2/" >&2
        tap_explain "got:  " "$1"
    fi
}

unlike()
{
    if printf '%s\n' "$1" | grep -Eq -e "$2"; then
        tap_report no "$3"
        echo "# failed: $3: a line matches /$2/" >&2
        tap_explain "got:  " "$1"
    else
        tap_report yes "$3"
    fi
}

# skip NAME REASON: report that something could not be tested here.
skip()
{
    tap_count=$((tap_count + 1))
    echo "ok $tap_count # SKIP $1: $2"
}

# skip_all REASON: nothing here can be tested on this machine.
skip_all()
{
    echo "1..0 # SKIP $1"
    exit 0
}

# example COMMAND: an example of a help text works. Some run a program in an emulator.
example()
{
    case $1 in
    'trod hw '*' -- '*)
        tap_why=$("$root/test/kit/emulator.sh") || { skip "example: $1" "$tap_why" && return; }
        ;;
    esac
    ok "example: $1" sh -c "$1"
}

# The plan, and an exit status that agrees with it.
done_testing()
{
    echo "1..$tap_count"
    [ "$tap_failed" -eq 0 ]
    exit
}
