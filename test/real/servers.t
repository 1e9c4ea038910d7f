#!/bin/bash
# Real servers, built by `trod cc`: one profile is left behind by all of their processes, whether they fork, are reloaded,
# killed or started again, and its counts are those that the servers and their logs say.
#
#     servers.t [redis|memcached|nginx|postgresql|python]...
#
# By default all but python, whose build and tests take longer than all others together; bench/servers runs it, too. The
# last two run their own tests.
# TROD_BUILT=FOLDER keeps the builds there and uses those that it has.
# `ok` calls functions; descriptions of servers use variables.
# shellcheck disable=SC2034,SC2317
set -u
here=$(cd "${0%/*}/../../bench" && pwd)
kit=$(cd "${0%/*}/../kit" && pwd)
keep=${TROD_BUILT:+$(realpath -m "$TROD_BUILT")}
# shellcheck source=test/kit/tap.sh
. "$kit/tap.sh"
out=$tap_tmp/out
limit=1800
# shellcheck source=bench/server.sh
. "$here/server.sh"
kept=${keep:-$tap_tmp/built}
server=
chmod 755 "$tap_tmp"
mkdir -p "$out"
corpus=${TROD_CORPUS-}
unset "${!TROD_@}"
[ -z "$corpus" ] || export TROD_CORPUS=$corpus

# What the clients of the same build write is not looked at.
export TROD_OUT=$out/clients/%m.trod
mkdir "$out/clients"
owned "$out/clients"

# --- what a profile says -------------------------------------------------------------------------------------------------

# fresh: a new folder for the server, and one for its profiles.
fresh() {
    place=$tap_tmp/place
    rm -rf "$place" "$tap_tmp/left"
    mkdir "$place" "$tap_tmp/left"
    owned "$place" "$tap_tmp/left"
}

# counted SERVE...: start a server whose processes share a profile.
counted() { TROD_OUT=$tap_tmp/left/one.trod serve "$@"; }

# entries FUNCTION: how often it was entered.
entries() {
    [ -e "$out/info" ] || trod export -q --to=lcov -o "$out/info" "$tap_tmp/left" || return
    sed -n "s/^FNDA:\([0-9]*\),$1\$/\1/p" "$out/info"
}

# What can be said of every server's profile.
look() {
    local name=$1
    shift
    rm -f "$out/info"
    is "$(cd "$tap_tmp/left" && echo *)" one.trod "$name: one profile is left behind"
    ok "$name: it is sound" trod check -q "$tap_tmp/left/one.trod"
    is "$(cd "$out" && trod report --json -q --most=100000 "$tap_tmp/left" | perl -MJSON::PP -e 'local $/; my $r = decode_json(<STDIN>)->{report};
        my %seen = map { ($_->{function} => 1) } @{$r->{hot}}; print join " ", grep { !$seen{$_} } @ARGV; print "notes" if @{$r->{notes}}' "$@")" "" \
        "$name: the report names its functions, and no loss"
}

# --- servers -------------------------------------------------------------------------------------------------------------

build_one() {
    name=$1
    built=$kept/$name/trod
    describe "$name"
    lacks=$(missing)
    [ -z "$lacks" ] || { skip "$name" "not installed: ${lacks//$'\n'/ }"; return 1; }
    [ ! -x "$built/$(image)" ] || return 0
    ok "$name builds" make_built "$name" "$built" "trod cc"
    [ -x "$built/$(image)" ] || { tail -n 15 "$built.log" >&2; return 1; }
}

# It is killed, and started again with its log. Snapshots and new logs are written by children.
redis() {
    local first second cli benchmark
    fresh
    cli=("$built/src/redis-cli" -s "$place/socket")
    benchmark=("$built/src/redis-benchmark" -q -s "$place/socket" -r 1000 -n 20000)
    # `ok` would run it in a subshell, and the server ends with its parent.
    redis_start() { counted "$built/src/redis-server" --port 0 --unixsocket "$place/socket" --unixsocketperm 777 --dir "$place" --appendonly yes --save ''; }
    # The answer may be that it is still loading its data.
    serves() { [ "$("${cli[@]}" ping)" = PONG ]; }
    idle() { "${cli[@]}" info persistence | grep -q "^$1:0"; }
    # The number of commands, without this one.
    commands() { "${cli[@]}" info stats | tr -d '\r' | sed -n 's/^total_commands_processed://p'; }
    redis_start
    ok "redis starts" await serves
    ok "redis: a load" "${benchmark[@]}" -P 4 -t set,get,incr,lpush,zadd
    ok "redis: a snapshot" "${cli[@]}" bgsave
    ok "redis: a load meanwhile" "${benchmark[@]}" -t set,get
    ok "redis: the snapshot is complete" await idle rdb_bgsave_in_progress
    first=$(commands)
    kill -9 "$("${cli[@]}" info server | tr -d '\r' | sed -n 's/^process_id://p')"
    wait "$server"
    rm -f "$place/socket"
    redis_start
    ok "redis starts again after it was killed" await serves
    ok "redis: a new log" "${cli[@]}" bgrewriteaof
    ok "redis: a load meanwhile" "${benchmark[@]}" -t incr,hset
    ok "redis: the log is complete" await idle aof_rewrite_in_progress
    second=$(commands)
    served
    look redis call processCommand zslInsert lookupKey
    # Beyond these: the commands that asked for the first number and the process id, and for the second number.
    is "$(entries call)" "$((first + second + 3))" "redis: as many commands were counted as redis processed"
    is "$(entries rdbSave)" 1 "redis: a child's snapshot was counted"
    # The first start writes one, too.
    is "$(entries rewriteAppendOnlyFile)" 2 "redis: a child's log was counted"
    unset -f redis_start serves idle commands
}

# Threads; it is killed and started again.
memcached() {
    local i
    fresh
    for i in 1 2 3; do
        counted "$built/memcached" -s "$place/socket" -a 777 -t 4 -m 64
        ok "memcached starts" await test -S "$place/socket"
        ok "memcached: a load" "$here/client" memcached "$place/socket" 30 20000
        if [ "$i" = 2 ]; then
            served
        else
            kill_served
        fi
        rm -f "$place/socket"
    done
    look memcached process_command_ascii item_get do_store_item
    is "$(entries process_command_ascii)" 60000 "memcached: every command was counted"
}

# kill_served: kill the server itself, which is the child of what measures it.
kill_served() {
    kill -9 "$(ps -o pid= --ppid "$server" | tr -d ' ')"
    wait "$server"
}

# Workers are replaced while they serve, and one is killed.
nginx() {
    local i sent workers lines
    fresh
    site
    sed -i 's/error.log;/error.log notice;/' "$place/nginx.conf"
    started() { grep -c 'start worker process [0-9]' "$place/logs/error.log"; }
    started_all() { [ "$(started)" -ge "$1" ]; }
    counted "$built/objs/nginx" -p "$place" -c "$place/nginx.conf" -e "$place/logs/error.log"
    ok "nginx starts" await started_all 2
    "$here/client" http "$place/socket" 30 60000 >"$out/sent" 2>&1 &
    sent=$!
    for i in 1 2 3; do
        sleep 0.5
        workers=$(started)
        kill -HUP "$(cat "$place/pid")"
        ok "nginx: reload $i starts new workers" await started_all $((workers + 2))
    done
    wait "$sent"
    is $? 0 "nginx: every request was answered"
    sed 's/^/# /' "$out/sent"
    # Old workers, which a reload told to end, are not replaced.
    workers=$(ps -o pid=,args= --ppid "$(cat "$place/pid")" | sed -n '/shutting down/!{s/^ *\([0-9]*\) .*/\1/p;q;}')
    i=$(started)
    kill -9 "$workers"
    ok "nginx: a worker that was killed is replaced" await started_all $((i + 1))
    ok "nginx: a load" "$here/client" http "$place/socket" 30 5000
    served
    lines=$(wc -l <"$place/logs/access.log")
    look nginx ngx_http_log_handler ngx_http_process_request ngx_http_gzip_body_filter
    is "$(entries ngx_http_log_handler)" "$lines" "nginx: as many requests were counted as are in its log"
    is "$(entries ngx_worker_process_init)" "$(started)" "nginx: as many workers were counted as it started"
    unset -f started started_all
}

# second FOLDER: profiles that a number sets apart from another. libpq.so.5.15 has one in its own name.
second() {
    local file
    for file in "$1"/*.[0-9]*.trod; do
        [ ! -e "${file%.*.trod}.trod" ] || echo "$file"
    done
}

# The server's own tests, with a profile for each of its programs and libraries.
own_tests() {
    fresh
    TROD_OUT=$tap_tmp/left/%m.trod
    ok "$name passes its own tests" run_suite "$name" "$built"
    TROD_OUT=$out/clients/%m.trod
    is "$(second "$tap_tmp/left")" "" "$name: each program and library leaves one profile"
    ok "$name: they are sound" trod check -q "$tap_tmp/left"
    ok "$name: the report works" trod report -q "$tap_tmp/left"
}
postgresql() {
    own_tests
    rm -f "$out/info"
    ok "postgresql: it served connections" test "$(entries ConnCreate)" -gt 100
    is "$(entries BackendInitialize)" "$(entries ConnCreate)" "postgresql: as many processes were counted as it accepted connections"
}
python() { own_tests; }

[ $# -gt 0 ] || set -- redis memcached nginx postgresql
for one; do
    build_one "$one" && "$one"
    [ -n "$keep" ] || rm -rf "${kept:?}/$one"
done
done_testing
