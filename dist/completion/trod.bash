# Completion of trod for bash, printed by `trod help --completion=bash`.

# shellcheck shell=bash disable=SC2207
_trod()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local words='' others=''

    COMPREPLY=()
    # --option=value comes as three words.
    if [ "$cur" = = ]; then
        cur=
    elif [ "$prev" = = ]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    local command=${COMP_WORDS[1]} at=1
    case $command in
    set | calls | sample | version | hw | stage)
        command="$command ${COMP_WORDS[2]}"
        at=2
        ;;
    esac
    if [ "$COMP_CWORD" -le "$at" ]; then
        case ${COMP_WORDS[1]}:$COMP_CWORD in
        set:2) words="--help list union intersect subtract partition" ;;
        calls:2) words="--help steps segments supergraph residual" ;;
        sample:2) words="--help subpaths functions calls loops data" ;;
        version:2) words="--help constructs diff impact score" ;;
        hw:2) words="--help trace import lift model timing edit explore" ;;
        stage:2) words="--help graph number probe grammar flow" ;;
        *) words="--help --version cc c++ run emulate report html annotate top coverage untested tests diff overlap migrate merge export check show split help set calls sample version hw stage" ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
        return
    fi
    case $command:$prev in
    'cc:--at')
        COMPREPLY=($(compgen -W "source code" -- "$cur"))
        return
        ;;
    'cc:--limit')
        return
        ;;
    'cc:--iterations')
        return
        ;;
    'cc:--record')
        COMPREPLY=($(compgen -W "safe all" -- "$cur"))
        return
        ;;
    'cc:--left')
        COMPREPLY=($(compgen -W "yes no" -- "$cur"))
        return
        ;;
    'cc:--only')
        return
        ;;
    'cc:--skip')
        return
        ;;
    'cc:--paths')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'cc:--tested')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'cc:--plan')
        COMPREPLY=($(compgen -W "auto all selective preferential hash" -- "$cur"))
        return
        ;;
    'cc:--segments')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'cc:--depth')
        return
        ;;
    'cc:--code-limit')
        return
        ;;
    'cc:--budget')
        return
        ;;
    'cc:--out')
        return
        ;;
    'c++:--at')
        COMPREPLY=($(compgen -W "source code" -- "$cur"))
        return
        ;;
    'c++:--limit')
        return
        ;;
    'c++:--iterations')
        return
        ;;
    'c++:--record')
        COMPREPLY=($(compgen -W "safe all" -- "$cur"))
        return
        ;;
    'c++:--left')
        COMPREPLY=($(compgen -W "yes no" -- "$cur"))
        return
        ;;
    'c++:--only')
        return
        ;;
    'c++:--skip')
        return
        ;;
    'c++:--paths')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'c++:--tested')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'c++:--plan')
        COMPREPLY=($(compgen -W "auto all selective preferential hash" -- "$cur"))
        return
        ;;
    'c++:--segments')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'c++:--depth')
        return
        ;;
    'c++:--code-limit')
        return
        ;;
    'c++:--budget')
        return
        ;;
    'c++:--out')
        return
        ;;
    'emulate:--output' | 'emulate:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'emulate:--trace')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'emulate:--first')
        return
        ;;
    'emulate:--raw')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'emulate:--emulator')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'emulate:--limit')
        return
        ;;
    'emulate:--function' | 'emulate:-f')
        return
        ;;
    'emulate:--most')
        return
        ;;
    'emulate:--sort')
        COMPREPLY=($(compgen -W "count weight function file" -- "$cur"))
        return
        ;;
    'emulate:--group')
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    'report:--function' | 'report:-f')
        return
        ;;
    'report:--sort')
        COMPREPLY=($(compgen -W "count weight function file" -- "$cur"))
        return
        ;;
    'report:--group')
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    'report:--most')
        return
        ;;
    'report:--file')
        return
        ;;
    'report:--directory')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'report:--color')
        COMPREPLY=($(compgen -W "auto always never" -- "$cur"))
        return
        ;;
    'report:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'report:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'report:--max-expand')
        return
        ;;
    'report:--source')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'report:--output' | 'report:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'html:--function' | 'html:-f')
        return
        ;;
    'html:--most')
        return
        ;;
    'html:--source')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'html:--tested')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'html:--since')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'html:--editor')
        return
        ;;
    'html:--layout')
        return
        ;;
    'html:--depth')
        return
        ;;
    'html:--table')
        return
        ;;
    'html:--control')
        return
        ;;
    'html:--set')
        return
        ;;
    'html:--window')
        return
        ;;
    'html:--from')
        return
        ;;
    'html:--to')
        return
        ;;
    'html:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'html:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'html:--max-expand')
        return
        ;;
    'html:--max-steps')
        return
        ;;
    'html:--output' | 'html:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'annotate:--function' | 'annotate:-f')
        return
        ;;
    'annotate:--file')
        return
        ;;
    'annotate:--directory')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'annotate:--color')
        COMPREPLY=($(compgen -W "auto always never" -- "$cur"))
        return
        ;;
    'annotate:--most')
        return
        ;;
    'annotate:--path' | 'annotate:-p')
        return
        ;;
    'annotate:--source')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'annotate:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'annotate:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'annotate:--max-expand')
        return
        ;;
    'annotate:--output' | 'annotate:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'top:--pid' | 'top:-p')
        return
        ;;
    'top:--interval')
        return
        ;;
    'top:--sort')
        COMPREPLY=($(compgen -W "count blocks length function" -- "$cur"))
        return
        ;;
    'top:--function' | 'top:-f')
        return
        ;;
    'top:--most')
        return
        ;;
    'top:--weight')
        return
        ;;
    'top:--confidence')
        return
        ;;
    'top:--threshold')
        return
        ;;
    'top:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'top:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'top:--max-expand')
        return
        ;;
    'top:--output' | 'top:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'coverage:--min')
        return
        ;;
    'coverage:--min-edges')
        return
        ;;
    'coverage:--min-blocks')
        return
        ;;
    'coverage:--sort')
        COMPREPLY=($(compgen -W "worth share left function file" -- "$cur"))
        return
        ;;
    'coverage:--group')
        COMPREPLY=($(compgen -W "function file program" -- "$cur"))
        return
        ;;
    'coverage:--most')
        return
        ;;
    'coverage:--file')
        return
        ;;
    'coverage:--directory')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'coverage:--color')
        COMPREPLY=($(compgen -W "auto always never" -- "$cur"))
        return
        ;;
    'coverage:--source')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'coverage:--function' | 'coverage:-f')
        return
        ;;
    'coverage:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'coverage:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'coverage:--max-expand')
        return
        ;;
    'coverage:--output' | 'coverage:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'untested:--tested')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'untested:--most')
        return
        ;;
    'untested:--file')
        return
        ;;
    'untested:--directory')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'untested:--color')
        COMPREPLY=($(compgen -W "auto always never" -- "$cur"))
        return
        ;;
    'untested:--source')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'untested:--function' | 'untested:-f')
        return
        ;;
    'untested:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'untested:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'untested:--max-expand')
        return
        ;;
    'untested:--output' | 'untested:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'tests:--failed')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'tests:--by')
        COMPREPLY=($(compgen -W "paths time" -- "$cur"))
        return
        ;;
    'tests:--name')
        return
        ;;
    'tests:--function' | 'tests:-f')
        return
        ;;
    'tests:--most')
        return
        ;;
    'tests:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'tests:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'tests:--max-expand')
        return
        ;;
    'tests:--output' | 'tests:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'diff:--function' | 'diff:-f')
        return
        ;;
    'diff:--sort')
        COMPREPLY=($(compgen -W "count weight function file" -- "$cur"))
        return
        ;;
    'diff:--group')
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    'diff:--most')
        return
        ;;
    'diff:--file')
        return
        ;;
    'diff:--directory')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'diff:--color')
        COMPREPLY=($(compgen -W "auto always never" -- "$cur"))
        return
        ;;
    'diff:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'diff:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'diff:--max-expand')
        return
        ;;
    'diff:--source')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'diff:--output' | 'diff:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'overlap:--top')
        return
        ;;
    'overlap:--min')
        return
        ;;
    'overlap:--depth')
        return
        ;;
    'overlap:--group')
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    'overlap:--kind')
        COMPREPLY=($(compgen -W "paths functions calls graph loops data" -- "$cur"))
        return
        ;;
    'overlap:--by')
        COMPREPLY=($(compgen -W "object address field site" -- "$cur"))
        return
        ;;
    'overlap:--shortest')
        return
        ;;
    'overlap:--longest')
        return
        ;;
    'overlap:--most')
        return
        ;;
    'overlap:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'overlap:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'overlap:--max-expand')
        return
        ;;
    'overlap:--max-steps')
        return
        ;;
    'overlap:--output' | 'overlap:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'migrate:--old')
        return
        ;;
    'migrate:--new')
        return
        ;;
    'migrate:--type')
        return
        ;;
    'migrate:--level')
        return
        ;;
    'migrate:--method')
        COMPREPLY=($(compgen -W "none blind hash ba ag sl hybrid own" -- "$cur"))
        return
        ;;
    'migrate:--check')
        return
        ;;
    'migrate:--threshold')
        return
        ;;
    'migrate:--weight')
        return
        ;;
    'migrate:--explain')
        return
        ;;
    'migrate:--finish')
        return
        ;;
    'migrate:--score')
        return
        ;;
    'migrate:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'migrate:--most')
        return
        ;;
    'migrate:--max-expand')
        return
        ;;
    'migrate:--max-steps')
        return
        ;;
    'migrate:--output' | 'migrate:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'merge:--output' | 'merge:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'merge:--max-expand')
        return
        ;;
    'export:--to')
        COMPREPLY=($(compgen -W "pprof pprof-blocks collapsed callgrind dot json csv lcov cobertura gcov llvm sample propeller profdata" -- "$cur"))
        return
        ;;
    'export:--output' | 'export:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'export:--function' | 'export:-f')
        return
        ;;
    'export:--most')
        return
        ;;
    'export:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'export:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'export:--max-expand')
        return
        ;;
    'export:--source')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'check:--max-expand')
        return
        ;;
    'check:--output' | 'check:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'show:--max-expand')
        return
        ;;
    'show:--output' | 'show:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'split:--output' | 'split:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'help:--completion')
        COMPREPLY=($(compgen -W "bash zsh fish" -- "$cur"))
        return
        ;;
    'help:--output' | 'help:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set list:--and')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set list:--minus')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set list:--function' | 'set list:-f')
        return
        ;;
    'set list:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set list:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'set list:--max-expand')
        return
        ;;
    'set list:--output' | 'set list:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set union:--output' | 'set union:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set union:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set union:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'set union:--max-expand')
        return
        ;;
    'set intersect:--output' | 'set intersect:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set intersect:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set intersect:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'set intersect:--max-expand')
        return
        ;;
    'set subtract:--output' | 'set subtract:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set subtract:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set subtract:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'set subtract:--max-expand')
        return
        ;;
    'set partition:--sites')
        return
        ;;
    'set partition:--out')
        return
        ;;
    'set partition:--counts')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set partition:--function' | 'set partition:-f')
        return
        ;;
    'set partition:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'set partition:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'set partition:--max-expand')
        return
        ;;
    'set partition:--output' | 'set partition:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'calls steps:--most')
        return
        ;;
    'calls steps:--old')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'calls steps:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'calls steps:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'calls steps:--max-expand')
        return
        ;;
    'calls steps:--max-steps')
        return
        ;;
    'calls steps:--output' | 'calls steps:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'calls segments:--depth')
        return
        ;;
    'calls segments:--most')
        return
        ;;
    'calls segments:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'calls segments:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'calls segments:--max-expand')
        return
        ;;
    'calls segments:--max-steps')
        return
        ;;
    'calls segments:--output' | 'calls segments:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'calls supergraph:--depth')
        return
        ;;
    'calls supergraph:--limit')
        return
        ;;
    'calls supergraph:--most')
        return
        ;;
    'calls supergraph:--output' | 'calls supergraph:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'calls supergraph:--function' | 'calls supergraph:-f')
        return
        ;;
    'calls residual:--build')
        return
        ;;
    'calls residual:--test')
        return
        ;;
    'calls residual:--field')
        return
        ;;
    'calls residual:--depth')
        return
        ;;
    'calls residual:--keep')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'calls residual:--most')
        return
        ;;
    'calls residual:--output' | 'calls residual:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'sample subpaths:--function' | 'sample subpaths:-f')
        return
        ;;
    'sample subpaths:--most')
        return
        ;;
    'sample subpaths:--weight')
        return
        ;;
    'sample subpaths:--confidence')
        return
        ;;
    'sample subpaths:--threshold')
        return
        ;;
    'sample subpaths:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'sample subpaths:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'sample subpaths:--max-expand')
        return
        ;;
    'sample subpaths:--lengths')
        return
        ;;
    'sample subpaths:--identity')
        COMPREPLY=($(compgen -W "rotation sequence xor" -- "$cur"))
        return
        ;;
    'sample subpaths:--sample')
        return
        ;;
    'sample subpaths:--seed')
        return
        ;;
    'sample subpaths:--memory')
        return
        ;;
    'sample subpaths:--stops')
        return
        ;;
    'sample subpaths:--output' | 'sample subpaths:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'sample functions:--function' | 'sample functions:-f')
        return
        ;;
    'sample functions:--sort')
        COMPREPLY=($(compgen -W "count mean function file" -- "$cur"))
        return
        ;;
    'sample functions:--most')
        return
        ;;
    'sample functions:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'sample functions:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'sample functions:--max-expand')
        return
        ;;
    'sample functions:--output' | 'sample functions:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'sample calls:--function' | 'sample calls:-f')
        return
        ;;
    'sample calls:--sort')
        COMPREPLY=($(compgen -W "count mean function file" -- "$cur"))
        return
        ;;
    'sample calls:--most')
        return
        ;;
    'sample calls:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'sample calls:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'sample calls:--max-expand')
        return
        ;;
    'sample calls:--output' | 'sample calls:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'sample loops:--function' | 'sample loops:-f')
        return
        ;;
    'sample loops:--sort')
        COMPREPLY=($(compgen -W "count mean function file" -- "$cur"))
        return
        ;;
    'sample loops:--most')
        return
        ;;
    'sample loops:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'sample loops:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'sample loops:--max-expand')
        return
        ;;
    'sample loops:--output' | 'sample loops:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'sample data:--by')
        COMPREPLY=($(compgen -W "object address field site" -- "$cur"))
        return
        ;;
    'sample data:--shortest')
        return
        ;;
    'sample data:--longest')
        return
        ;;
    'sample data:--least')
        return
        ;;
    'sample data:--symbols')
        return
        ;;
    'sample data:--function' | 'sample data:-f')
        return
        ;;
    'sample data:--most')
        return
        ;;
    'sample data:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'sample data:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'sample data:--max-expand')
        return
        ;;
    'sample data:--output' | 'sample data:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'version constructs:--level')
        return
        ;;
    'version constructs:--root')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'version constructs:--output' | 'version constructs:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'version diff:--weight')
        return
        ;;
    'version diff:--alike')
        return
        ;;
    'version diff:--output' | 'version diff:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'version impact:--method')
        COMPREPLY=($(compgen -W "none blind hash ba ag sl hybrid own" -- "$cur"))
        return
        ;;
    'version impact:--level')
        return
        ;;
    'version impact:--explain')
        return
        ;;
    'version impact:--threshold')
        return
        ;;
    'version impact:--output' | 'version impact:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'version score:--full')
        return
        ;;
    'version score:--times')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'version score:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'version score:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'version score:--max-expand')
        return
        ;;
    'version score:--max-steps')
        return
        ;;
    'version score:--output' | 'version score:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'hw trace:--image')
        return
        ;;
    'hw trace:--stacks')
        return
        ;;
    'hw trace:--seed')
        return
        ;;
    'hw trace:--from')
        return
        ;;
    'hw trace:--to')
        return
        ;;
    'hw trace:--name')
        return
        ;;
    'hw trace:--output' | 'hw trace:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'hw import:--image')
        return
        ;;
    'hw import:--name')
        return
        ;;
    'hw import:--most')
        return
        ;;
    'hw import:--output' | 'hw import:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'hw lift:--output' | 'hw lift:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'hw lift:--map')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'hw lift:--also')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'hw lift:--limit')
        return
        ;;
    'hw model:--control')
        return
        ;;
    'hw model:--set')
        return
        ;;
    'hw model:--table')
        return
        ;;
    'hw model:--machine')
        return
        ;;
    'hw model:--window')
        return
        ;;
    'hw model:--least')
        return
        ;;
    'hw model:--from')
        return
        ;;
    'hw model:--to')
        return
        ;;
    'hw model:--most')
        return
        ;;
    'hw model:--output' | 'hw model:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'hw timing:--machine')
        return
        ;;
    'hw timing:--design')
        return
        ;;
    'hw timing:--from')
        return
        ;;
    'hw timing:--to')
        return
        ;;
    'hw timing:--output' | 'hw timing:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'hw edit:--profile')
        COMPREPLY=($(compgen -W "methods calls streams" -- "$cur"))
        return
        ;;
    'hw edit:--productions')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'hw edit:--set')
        return
        ;;
    'hw edit:--burst')
        return
        ;;
    'hw edit:--period')
        COMPREPLY=($(compgen -W "fixed prime jitter" -- "$cur"))
        return
        ;;
    'hw edit:--seed')
        return
        ;;
    'hw edit:--cpi')
        return
        ;;
    'hw edit:--addresses')
        return
        ;;
    'hw edit:--machine')
        return
        ;;
    'hw edit:--most')
        return
        ;;
    'hw edit:--from')
        return
        ;;
    'hw edit:--to')
        return
        ;;
    'hw edit:--output' | 'hw edit:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'hw explore:--study')
        COMPREPLY=($(compgen -W "parameters tables policies queue bursts" -- "$cur"))
        return
        ;;
    'hw explore:--order')
        return
        ;;
    'hw explore:--from')
        return
        ;;
    'hw explore:--to')
        return
        ;;
    'hw explore:--output' | 'hw explore:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'stage graph:--show')
        COMPREPLY=($(compgen -W "hash order dom pdom loops back cuts weights dag all" -- "$cur"))
        return
        ;;
    'stage graph:--output' | 'stage graph:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'stage graph:--function' | 'stage graph:-f')
        return
        ;;
    'stage number:--most')
        return
        ;;
    'stage number:--decode')
        return
        ;;
    'stage number:--encode')
        return
        ;;
    'stage number:--pack')
        COMPREPLY=($(compgen -W "ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length" -- "$cur"))
        return
        ;;
    'stage number:--kind' | 'stage number:-k')
        COMPREPLY=($(compgen -W "ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length" -- "$cur"))
        return
        ;;
    'stage number:--path' | 'stage number:-p')
        return
        ;;
    'stage number:--paths')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'stage number:--limit')
        return
        ;;
    'stage number:--output' | 'stage number:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'stage number:--function' | 'stage number:-f')
        return
        ;;
    'stage probe:--place')
        COMPREPLY=($(compgen -W "frontier tree plain" -- "$cur"))
        return
        ;;
    'stage probe:--want')
        COMPREPLY=($(compgen -W "chosen residual untested" -- "$cur"))
        return
        ;;
    'stage probe:--plan')
        COMPREPLY=($(compgen -W "all selective preferential hash stray mask bits" -- "$cur"))
        return
        ;;
    'stage probe:--kind' | 'stage probe:-k')
        COMPREPLY=($(compgen -W "ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length" -- "$cur"))
        return
        ;;
    'stage probe:--path' | 'stage probe:-p')
        return
        ;;
    'stage probe:--paths')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'stage probe:--limit')
        return
        ;;
    'stage probe:--output' | 'stage probe:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'stage probe:--function' | 'stage probe:-f')
        return
        ;;
    'stage grammar:--most')
        return
        ;;
    'stage grammar:--most-symbols')
        return
        ;;
    'stage grammar:--output' | 'stage grammar:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'stage flow:--function' | 'stage flow:-f')
        return
        ;;
    'stage flow:--binary')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'stage flow:--maps')
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    'stage flow:--max-expand')
        return
        ;;
    'stage flow:--output' | 'stage flow:-o')
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    esac
    case $command in
    'cc')
        words="--help --at --limit --iterations --record --left --counters --only --skip --paths --tested --untested-only --partial --plan --explain --wpp --subpaths --segments --depth --others --code-limit --online --burst --budget --out"
        ;;
    'c++')
        words="--help --at --limit --iterations --record --left --counters --only --skip --paths --tested --untested-only --partial --plan --explain --wpp --subpaths --segments --depth --others --code-limit --online --burst --budget --out"
        ;;
    'run')
        words="--help"
        ;;
    'emulate')
        words="--help --output --trace --accesses --first --raw --emulator --limit --function --most --sort --group --blocks --json --quiet"
        ;;
    'report')
        words="--help --list --blocks --conditions --verbose --function --sort --group --most --brief --file --directory --all-code --exact --color --binary --maps --max-expand --source --strict --json --output --quiet"
        ;;
    'html')
        words="--help --function --all --most --source --tested --partial --missing --since --editor --layout --no-layout --depth --table --control --set --window --from --to --binary --maps --max-expand --strict --max-steps --json --output --quiet"
        ;;
    'annotate')
        words="--help --function --file --directory --all-code --exact --color --all --most --path --source --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'top')
        words="--help --pid --interval --sort --once --function --most --weight --confidence --threshold --blocks --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'coverage')
        words="--help --missing --min --min-edges --min-blocks --sort --group --most --brief --file --directory --all-code --exact --color --source --function --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'untested')
        words="--help --tested --partial --list --most --brief --file --directory --all-code --exact --color --source --function --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'tests')
        words="--help --failed --first --by --name --foreign --blocks --function --most --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'diff')
        words="--help --force --function --sort --group --most --brief --file --directory --all-code --exact --color --binary --maps --max-expand --source --strict --json --output --quiet"
        ;;
    'overlap')
        words="--help --top --min --depth --group --kind --by --shortest --longest --most --binary --maps --max-expand --max-steps --json --output --quiet"
        ;;
    'migrate')
        words="--help --old --new --type --level --method --check --threshold --weight --no-rerun --explain --finish --score --binary --most --max-expand --max-steps --json --output --quiet"
        ;;
    'merge')
        words="--help --output --keep-runs --text --strict --max-expand --quiet"
        ;;
    'export')
        words="--help --to --output --function --most --binary --maps --max-expand --source --strict --quiet"
        ;;
    'check')
        words="--help --max-expand --json --output --quiet"
        ;;
    'show')
        words="--help --max-expand --json --output --quiet"
        ;;
    'split')
        words="--help --output --strip --text --quiet"
        ;;
    'help')
        words="--help --man --commands --completion --output"
        others="cc c++ run emulate report html annotate top coverage untested tests diff overlap migrate merge export check show split help set calls sample version hw stage list union intersect subtract partition steps segments supergraph residual subpaths functions calls loops data constructs diff impact score trace import lift model timing edit explore graph number probe grammar flow"
        ;;
    'set list')
        words="--help --and --minus --partial --function --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'set union')
        words="--help --output --text --binary --maps --max-expand --quiet"
        ;;
    'set intersect')
        words="--help --output --text --binary --maps --max-expand --quiet"
        ;;
    'set subtract')
        words="--help --counts --output --text --binary --maps --max-expand --quiet"
        ;;
    'set partition')
        words="--help --sites --out --counts --function --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'calls steps')
        words="--help --expand --most --grammar --hot --spans --selective --old --binary --maps --strict --max-expand --max-steps --json --output --quiet"
        ;;
    'calls segments')
        words="--help --depth --tell --most --check --binary --maps --strict --max-expand --max-steps --json --output --quiet"
        ;;
    'calls supergraph')
        words="--help --depth --limit --list --most --output --function --json --dot --svg --check --quiet"
        ;;
    'calls residual')
        words="--help --build --test --field --depth --with-wpp --keep --most --brief --json --output --quiet"
        ;;
    'sample subpaths')
        words="--help --text --function --most --weight --confidence --threshold --blocks --binary --maps --max-expand --strict --exact --lengths --identity --sample --seed --memory --partial --stops --check --json --output --quiet"
        ;;
    'sample functions')
        words="--help --function --sort --most --text --check --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'sample calls')
        words="--help --graph --dot --svg --function --sort --most --text --check --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'sample loops')
        words="--help --function --sort --most --text --check --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'sample data')
        words="--help --by --shortest --longest --least --exact --no-stack --refs --symbols --function --most --text --check --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'version constructs')
        words="--help --level --root --meaning --text --check --json --output --quiet"
        ;;
    'version diff')
        words="--help --weight --alike --text --check --json --output --quiet"
        ;;
    'version impact')
        words="--help --method --level --explain --threshold --check --text --json --output --quiet"
        ;;
    'version score')
        words="--help --full --all --times --wrong --binary --maps --max-expand --max-steps --json --output --quiet"
        ;;
    'hw trace')
        words="--help --text --trace --pt --image --stacks --seed --from --to --name --check --json --output --quiet"
        ;;
    'hw import')
        words="--help --pt --image --text --trace --name --most --check --json --output --quiet"
        ;;
    'hw lift')
        words="--help --output --map --also --limit --text --quiet"
        ;;
    'hw model')
        words="--help --control --set --table --machine --window --phases --least --spread --grammar --from --to --most --text --check --json --output --quiet"
        ;;
    'hw timing')
        words="--help --machine --design --text --from --to --json --output --quiet"
        ;;
    'hw edit')
        words="--help --profile --productions --set --burst --period --seed --exhaustive --literal --cpi --addresses --machine --most --from --to --text --check --json --output --quiet"
        ;;
    'hw explore')
        words="--help --study --designs --parameters --order --text --csv --svg --from --to --check --json --output --quiet"
        ;;
    'stage graph')
        words="--help --show --output --function --json --dot --svg --check --quiet"
        ;;
    'stage number')
        words="--help --list --most --decode --encode --measure --coding --pack --exact --kind --path --paths --limit --output --function --json --dot --svg --check --quiet"
        ;;
    'stage probe')
        words="--help --place --no-trips --cost --want --plan --kind --path --paths --limit --output --function --json --dot --svg --check --quiet"
        ;;
    'stage grammar')
        words="--help --expand --most --sizes --hot --most-symbols --check --json --output --quiet"
        ;;
    'stage flow')
        words="--help --function --check --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    esac
    if [ "${cur#-}" != "$cur" ] || [ -n "$others" ]; then
        COMPREPLY=($(compgen -W "$words $others" -- "$cur"))
    else
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}
complete -o filenames -F _trod trod
