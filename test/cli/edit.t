#!/bin/sh
# Edited streams: the built-in productions are those of the examples, for every form of a stream and every way to read
# it.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# A loop of 300 iterations, which calls three functions in turn.
{
    echo 'branches calls'
    echo 'code 0 0x1000 0x1004 0x1008 2 callindirect'
    printf 'insn 0x1000 4 alu 1 0: > 1\ninsn 0x1004 4 branch 0 1: 1 >\n'
    echo 'code 1 0x1008 0x1008 0x100c 1 if 0x1000'
    echo 'insn 0x1008 4 branch 0 0: 1 >'
    for f in 2 3 4; do
        echo "code $f 0x${f}000 0x${f}000 0x${f}001 1 return"
        echo "insn 0x${f}000 1 branch 1 0: >"
    done
    i=0
    while [ $i -lt 300 ]; do
        f=$((2 + i % 3))
        echo "run 0 0 0x${f}000: 0 load 8 0x5000, 1 store 8 0x7ff8"
        echo "run 0 $f 0x1008: 0 load 8 0x7ff8"
        i=$((i + 1))
        [ $i -lt 300 ] && echo "run 0 1 0x1000"
    done
    printf 'run 0 1 0x100c\nend 0\n'
} >calls.txt
ok "the stream is sound" trod hw trace --check calls.txt
ok "as a trace file" trod hw trace --trace -o calls.branches calls.txt

trod hw edit --set=sampleFreq=9 calls.txt >text
like "$(cat text)" 'accuracy: complete [0-9.]*%, top 90% ' "it is edited"
is "$(trod hw edit --set=sampleFreq=9 calls.branches)" "$(cat text)" "a trace file is edited the same"
is "$(trod hw edit --set=sampleFreq=9 - <calls.branches)" "$(cat text)" "so is standard input"

# As files.
for profile in methods calls streams; do
    for literal in '' literal/; do
        option=${literal:+--literal}
        # shellcheck disable=SC2086
        is "$(trod hw edit $option --profile=$profile --json calls.txt | grep -v '"profile":')" \
            "$(trod hw edit --productions="$root/example/hps/${literal}sampling.hps" \
                --productions="$root/example/hps/$literal$profile.hps" --json calls.txt)" \
            "example/hps/$literal$profile.hps is what comes with trod"
        # shellcheck disable=SC2086
        trod hw edit --text $option --profile=$profile >printed.hps
        is "$(trod hw edit --text --productions=printed.hps)" "$(cat printed.hps)" \
            "$literal$profile: what is printed reads back"
    done
done

# 600 events. A period of 6 meets the same call each time; 1 of 6 events is a third of all calls.
is "$(trod hw edit --profile=calls --set=sampleFreq=5 calls.txt | sed -n 's/^accuracy: complete \([0-9.]*\)%.*/\1/p')" \
    "" "a fixed period may meet no call at all"
is "$(trod hw edit --profile=calls --set=sampleFreq=4 --burst=2 calls.txt |
    sed -n 's/^accuracy: complete \([0-9.]*\)%.*/\1/p')" 33.33 "or the same each time"
is "$(trod hw edit --profile=calls --set=sampleFreq=4 --burst=2 --period=prime calls.txt |
    sed -n 's/^# \(sampleFreq.*\)/\1/p;s/^accuracy: complete \([0-9]*\).*/\1/p' | tr '\n' ' ')" \
    "sampleFreq 5 prime, burstLength 2 99 " "a prime number of events meets all"
is "$(trod hw edit --profile=calls --set=sampleFreq=4 --period=jitter calls.txt)" \
    "$(trod hw edit --profile=calls --set=sampleFreq=4 --period=jitter --seed=0 calls.txt)" \
    "jitter is the same each time"
unlike "$(trod hw edit --profile=calls --set=sampleFreq=4 --period=jitter --seed=5 calls.txt)" \
    "$(trod hw edit --profile=calls --set=sampleFreq=4 --period=jitter calls.txt | grep CallPair)" \
    "and another with another seed"

# A part.
like "$(trod hw edit --to=9 calls.txt | head -n 1)" '^# 10 instructions in 7 runs ' "a part of a stream"

done_testing
