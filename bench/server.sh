# shellcheck shell=bash disable=SC2034,SC2154
# Shared by scripts that build servers in several ways and run them. A server is a real program at a pinned version,
# described by functions in the file bench/server/NAME:
#
#     needs           commands and headers (as in #include) that must be installed
#     build           in a copy of the sources; $CC is the compiler with its flags
#     image           the file that serves, relative to the sources
#     suite [quick]   run its own tests, or some of them; status 0 if they pass. Not defined if it has none
#     failures        print the names of the tests that failed, given the log of `suite`
#     load AMOUNT     run the server with `serve`, send it that much work with the programs of the plain build in $client,
#                     end it with `served`. The server is in $built; $place is a new folder, which its user owns
#     amount [quick]  how much work that is
#     attended        `load` calls it when the server serves: a script may define what is to happen then
#     connect N       if defined, as load: open N connections, one after the other
#     each            if defined, the suite also runs with one profile for each process
#
# Servers listen on sockets in $place only. They run as nobody, because some refuse root. Whatever is left of them is
# killed after $limit seconds, or when the script ends.
here=${here:?} # the folder bench
spend=$here/../build/release/bench/spend
server_folder=$here/server
out=${out:?}
limit=${LIMIT:-3600}

user=()
[ "$(id -u)" -ne 0 ] || user=(setpriv --reuid=nobody --regid=nogroup --clear-groups --)

servers() { (cd "$server_folder" && echo *); }

# owned FOLDER...: give folders to the user that servers run as.
owned() { [ ${#user[@]} -eq 0 ] || chown -R nobody:nogroup "$@"; }

attended() { :; }

# say WORDS...: progress, on a terminal only.
say() { [ ! -t 2 ] || printf '\r\033[K%s' "$*" >&2; }
complain() { echo "bench/$bench: $name: $*" >&2; }

# describe NAME: define the functions of a server. Use a subshell, so that the next one starts from these defaults.
# shellcheck disable=SC2317
describe() {
    needs() { :; }
    unset -f suite connect each
    failures() { :; }
    amount() { echo 1; }
    # shellcheck source=/dev/null
    . "$server_folder/$1"
}

# missing: what the server needs and this machine lacks.
missing() {
    local one
    for one in $(needs); do
        case $one in
        *.h) echo "#include <$one>" | clang-19 -E -x c - >>"$out/log" 2>&1 || echo "$one" ;;
        *) command -v "$one" >>"$out/log" || echo "$one" ;;
        esac
    done
}

# unpack NAME FOLDER: a copy of the sources.
unpack() {
    local source
    source=$("$here/../tools/source" "$1") || return
    rm -rf "$2"
    mkdir -p "${2%/*}"
    cp -a "$source" "$2"
}

# make_built NAME FOLDER COMPILER: build a server from its sources. What programs of the build write is discarded.
make_built() {
    local name=$1 folder=$2
    unpack "$name" "$folder" || return
    mkdir -p "$folder.made"
    (cd "$folder" && unset CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LIBS MAKEFLAGS MAKELEVEL MFLAGS &&
        CC=$3 TROD_OUT="$folder.made/%m.trod" LLVM_PROFILE_FILE="$folder.made/%m.profraw" act "$name" build) >"$folder.log" 2>&1 || return
    rm -rf "$folder.made"
    owned "$folder"
}

# act NAME FUNCTION ARGUMENT...: run a function of a description in a shell of its own, which ends when a command fails.
# This shell does not expand the words.
# shellcheck disable=SC2016
act() { bash -euo pipefail -c '. "$1"; shift; "$@"' bash "$server_folder/$1" "${@:2}"; }

# run_suite NAME FOLDER [quick]: run the server's own tests with its build in FOLDER, with a limit of time. What it prints
# is the log; time and memory are appended to $out/suite.spent.
# shellcheck disable=SC2016
run_suite() {
    (cd "$2" && "$spend" "--all=$limit" "$out/suite.spent" "${user[@]}" env HOME="$2" \
        bash -euo pipefail -c '. "$1"; shift; suite "$@"' bash "$server_folder/$1" "${@:3}") </dev/null 2>&1
}

# run_served FUNCTION ARGUMENT...: run `load` or another function that serves, in a new folder. What the server takes is
# in $out/spent. Call it in a subshell that ends when a command fails.
run_served() {
    place=$out/place
    rm -rf "$place" "$out/made" "$out/spent"
    mkdir -p "$place" "$out/made"
    owned "$place" "$out/made"
    chmod 755 "$out"
    : >"$out/served.log"
    "$@" >"$out/load.log" 2>&1
    [ -s "$out/spent" ]
}

# serve COMMAND...: start a server in the background. Its time and memory are appended to $out/spent when it ends.
serve() {
    "$spend" "--all=$limit" "$out/spent" "${user[@]}" "$@" </dev/null >>"$out/served.log" 2>&1 &
    server=$!
}

# await COMMAND...: until it succeeds, for a minute.
await() {
    local i
    for ((i = 0; i < 600; i++)); do
        ! "$@" >>"$out/await.log" 2>&1 || return 0
        kill -0 "$server" || return
        sleep 0.1
    done
    return 1
}

# served: ask the server to end, and wait for it.
served() {
    kill -TERM "$server"
    wait "$server" || true
    server=
}

# --- for benchmarks, which define $bench, $trod, $kept, $ways, and $compiler, an array by way ------------------------------

# into FOLDER: where profiles are written.
into() {
    rm -rf "$1"
    mkdir -p "$1"
    owned "$1"
    export TROD_OUT="$1/%m.trod" LLVM_PROFILE_FILE="$1/%m.profraw"
}

# try COMMAND...: run it in a subshell that ends when a command fails; $? is its status. It works only where failures end
# this script, too: not in a condition.
try() {
    set +e
    (set -e; "$@")
    tried=$?
    set -e
}

# key WAY: what its build depends on.
key() {
    echo "$1 ${compiler[$1]}"
    "$here/../tools/source" --package "$name"
    clang-19 --version
    declare -f build
    [ "${compiler[$1]#"$trod "}" = "${compiler[$1]}" ] || cksum "$trod" "${trod%/*}"/{trod-llvm.so,libtrod-rt.a}
}

builds() {
    local way start
    for way in "${ways[@]}"; do
        key "$way" >"$out/key"
        ! cmp -s "$out/key" "$kept/$name/$way.key" || continue
        say "$name: build $way"
        rm -rf "$kept/$name/$way".*
        start=$SECONDS
        mkdir -p "$kept/$name"
        make_built "$name" "$kept/$name/$way" "${compiler[$way]}" || { complain "the build of $way fails: see $kept/$name/$way.log"; return 1; }
        [ -x "$kept/$name/$way/$(image)" ] || { complain "the build of $way made no $(image): see $kept/$name/$way.log"; return 1; }
        echo $((SECONDS - start)) >"$kept/$name/$way.seconds"
        cp "$out/key" "$kept/$name/$way.key"
    done
}
