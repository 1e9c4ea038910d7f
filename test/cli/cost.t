#!/bin/sh
# The tables of bench/cost: ratios, means, and builds that failed or were not made.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

mkdir result
cat >result/cost.json <<'JSON'
{"version": 2, "bench": "cost", "rounds": 3,
 "machine": {"cpu": "c", "cores": 1, "kernel": "k", "arch": "a", "compiler": "v"},
 "rows": [
  {"program": "one", "way": "plain", "seconds": 2.0, "low": 1.9, "high": 2.2, "system": 0.5, "text": 1024, "data": 1024, "peak": 2048, "compile": 1},
  {"program": "one", "way": "ir", "seconds": 2.2, "low": 2.1, "high": 2.4, "system": 0.3, "text": 2048, "data": 3072, "peak": 2048, "compile": 2},
  {"program": "one", "way": "trod", "seconds": 2.5, "low": 2.4, "high": 3.0, "system": 1.25, "text": 3072, "data": 4096, "peak": 4096, "compile": 3},
  {"program": "two", "way": "plain", "seconds": 1.0, "low": 1.0, "high": 1.0, "system": 0, "text": 1024, "data": 1024, "peak": 2048, "compile": 1},
  {"program": "two", "way": "ir", "seconds": 1.0, "low": 1.0, "high": 1.0, "system": 0, "text": 1024, "data": 1024, "peak": 2048, "compile": 1},
  {"program": "two", "way": "trod", "failed": "the run fails"},
  {"program": "three", "way": "plain", "failed": "the build fails"},
  {"program": "three", "way": "ir", "seconds": 1.0, "low": 1.0, "high": 1.0, "system": 0, "text": 1024, "data": 1024, "peak": 2048, "compile": 1},
  {"program": "three", "way": "trod", "failed": "the run fails"}
 ]}
JSON
"$root/bench/tables" "$PWD/result" >out

# shellcheck disable=SC2317
has() { grep -qxF "$1" out; }
ok 'ratios carry their spread' has '| one | 2.00 s | 1.10 (1.05-1.20) | 1.25 (1.20-1.50) |'
ok 'a build that failed says so' has '| two | 1.00 s | 1.00 (1.00-1.00) | failed: the run fails |'
ok 'so does one whose plain build failed' has '| three | failed: the build fails | failed: the build fails | failed: the run fails |'
ok 'a mean says of how many' has '| geometric mean |  | 1.049 (of 2) | 1.250 (of 1) |'
ok 'what trod adds for what clang adds' has '| one | 10.0% | 25.0% | 2.50 |'
ok 'system time is in the time' has '| one | 2.50 s | 1.00 | 1.50 |'
ok 'memory' has '| one | 2.0 MiB | 1.00 | 2.00 |'
unlike "$(cat out)" 'gcc arcs' 'a kind of build that is missing has no column'
unlike "$(cat out)" '### Instructions' 'a measure that is missing has no table'

# Chosen paths, side by side with all of them.
mkdir chosen
cat >chosen/cost.json <<'JSON'
{"version": 2, "bench": "cost", "rounds": 3,
 "machine": {"cpu": "c", "cores": 1, "kernel": "k", "arch": "a", "compiler": "v"},
 "rows": [
  {"program": "one", "way": "plain", "seconds": 2.0, "low": 2.0, "high": 2.0, "system": 0, "text": 1024, "data": 1024, "peak": 2048, "compile": 1},
  {"program": "one", "way": "trod", "seconds": 3.0, "low": 3.0, "high": 3.0, "system": 0, "text": 3072, "data": 4096, "peak": 4096, "compile": 3},
  {"program": "one", "way": "paths", "seconds": 2.2, "low": 2.2, "high": 2.2, "system": 0, "text": 2048, "data": 2048, "peak": 2048, "compile": 3},
  {"program": "one", "way": "tested", "seconds": 2.4, "low": 2.4, "high": 2.4, "system": 0, "text": 2560, "data": 3072, "peak": 2048, "compile": 3},
  {"program": "one", "way": "untested", "seconds": 2.1, "low": 2.1, "high": 2.1, "system": 0, "text": 2304, "data": 1024, "peak": 2048, "compile": 3}
 ]}
JSON
"$root/bench/tables" "$PWD/chosen" >out
ok 'chosen paths have columns' has '| program | plain | trod, all paths | trod chosen | trod calls residual | trod untested only |'
ok 'their code' has '| one | 1 KiB | 3.00 | 2.00 | 2.50 | 2.25 |'
ok 'and their data' has '| one | 1 KiB | 4.0 | 2.0 | 3.0 | 1.0 |'
if command -v gnuplot >gnuplot.path; then
    ok 'a picture of them' "$root/bench/plot" chosen chosen
    ok 'has them all' grep -q 'trod untested only' chosen/cost.svg
else
    skip 'a picture of them' 'there is no gnuplot'
fi

# Across calls, and recordings.
mkdir across
cat >across/across.json <<'JSON'
{"version": 2, "bench": "across", "rounds": 3,
 "machine": {"cpu": "c", "cores": 1, "kernel": "k", "arch": "a", "compiler": "v"},
 "rows": [
  {"program": "one", "way": "plain", "seconds": 2.0, "low": 2.0, "high": 2.0, "system": 0, "text": 1024, "data": 1024, "peak": 2048, "compile": 1},
  {"program": "one", "way": "every", "seconds": 4.0, "low": 3.0, "high": 5.0, "system": 0, "text": 3072, "data": 4096, "peak": 4096, "compile": 3},
  {"program": "one", "way": "segments", "seconds": 2.2, "low": 2.2, "high": 2.2, "system": 0, "text": 2048, "data": 1024, "peak": 2048, "compile": 3},
  {"program": "two", "way": "plain", "seconds": 1.0, "low": 1.0, "high": 1.0, "system": 0, "text": 1024, "data": 1024, "peak": 2048, "compile": 1},
  {"program": "two", "way": "every", "seconds": 2.0, "low": 2.0, "high": 2.0, "system": 0, "text": 4096, "data": 4096, "peak": 4096, "compile": 3},
  {"program": "two", "way": "segments", "failed": "the build fails"}
 ]}
JSON
cat >across/recorded.json <<'JSON'
{"version": 1, "bench": "recorded", "rounds": 1, "symbols": 65536, "most": 1000000,
 "machine": {"cpu": "c", "cores": 1, "kernel": "k", "arch": "a", "compiler": "v"},
 "rows": [
  {"program": "one", "input": "field", "paths": 9, "blocks": 5000, "plain": {"user": 2, "system": 0, "peak": 1024},
   "usual": {"user": 20, "peak": 4096, "subpaths": 1000, "symbols": 100, "rules": 1, "parts": 2, "bytes": 500, "given": 0},
   "small": {"user": 10, "peak": 2048, "subpaths": 1000, "symbols": 200, "rules": 1, "parts": 4, "bytes": 800, "given": 0}},
  {"program": "two", "failed": "no sources"}
 ]}
JSON
"$root/bench/tables" "$PWD/across" >out
ok 'costs across calls' has '| one | 2.00 s | 2.00 (1.50-2.50) | 1.10 (1.10-1.10) |'
ok 'beside the thesis' has '| across, all: Ball-Larus (figure 3.19) | 2.000 | 2.00 | 2.25 | 2.80 |'
ok 'code beside the thesis' has '| across: Ball-Larus (table 3.5) | 3.464 | 4.00 | 5.33 | 6.91 |'
ok 'a build that failed is left out of that' has '| across, segments (figure 3.19) | 1.100 | 1.10 | 1.26 | 1.52 |'
ok 'a recording' has '| one | large | 5000 | 1000 | 2.000 s | 10.0 | 1.8e+07 | 10.0 | 500,000 | 2 | 0 |'
ok 'and its memory' has '| one | 5000 | 1.0 | 4.0 | 2.0 | 2 | 4 | 500,000 | 800,000 | 10.0 | 5.0 |'
ok 'one that failed says so' has 'two: no sources.'
done_testing
