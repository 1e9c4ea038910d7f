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
        sample:2) words="--help subpaths functions calls loops data control" ;;
        version:2) words="--help constructs diff impact score" ;;
        hw:2) words="--help trace import lift model timing edit explore" ;;
        stage:2) words="--help graph number probe grammar flow" ;;
        *) words="--help --version cc c++ run emulate report html annotate top coverage untested tests diff overlap migrate merge export check show split help set calls sample version hw stage" ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
        return
    fi
    case $command:$prev in
    cc:-?) ;;
    c++:-?) ;;
    run:-?) ;;
    *:--at)
        COMPREPLY=($(compgen -W "source code" -- "$cur"))
        return
        ;;
    *:--record)
        COMPREPLY=($(compgen -W "safe all" -- "$cur"))
        return
        ;;
    *:--left)
        COMPREPLY=($(compgen -W "yes no" -- "$cur"))
        return
        ;;
    'cc':--plan)
        COMPREPLY=($(compgen -W "auto all selective preferential hash" -- "$cur"))
        return
        ;;
    'c++':--plan)
        COMPREPLY=($(compgen -W "auto all selective preferential hash" -- "$cur"))
        return
        ;;
    'emulate':--trace)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'emulate':--first)
        return
        ;;
    'emulate':--sort)
        COMPREPLY=($(compgen -W "count weight function file time page-faults major-faults context-switches cycles instructions cache-references cache-misses branches branch-misses bus-cycles stalled-cycles-frontend stalled-cycles-backend ref-cycles L1-dcache-load-misses L1-icache-load-misses LLC-load-misses dTLB-load-misses iTLB-load-misses" -- "$cur"))
        return
        ;;
    'emulate':--group)
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    'report':--sort)
        COMPREPLY=($(compgen -W "count weight function file time page-faults major-faults context-switches cycles instructions cache-references cache-misses branches branch-misses bus-cycles stalled-cycles-frontend stalled-cycles-backend ref-cycles L1-dcache-load-misses L1-icache-load-misses LLC-load-misses dTLB-load-misses iTLB-load-misses" -- "$cur"))
        return
        ;;
    'report':--group)
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    *:--color)
        COMPREPLY=($(compgen -W "auto always never" -- "$cur"))
        return
        ;;
    'html':--to)
        return
        ;;
    'top':--sort)
        COMPREPLY=($(compgen -W "count blocks length function rate time" -- "$cur"))
        return
        ;;
    'top':--group)
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    'coverage':--sort)
        COMPREPLY=($(compgen -W "worth share left function file" -- "$cur"))
        return
        ;;
    'coverage':--group)
        COMPREPLY=($(compgen -W "function file program" -- "$cur"))
        return
        ;;
    'tests':--by)
        COMPREPLY=($(compgen -W "paths time" -- "$cur"))
        return
        ;;
    'diff':--sort)
        COMPREPLY=($(compgen -W "count weight function file time page-faults major-faults context-switches cycles instructions cache-references cache-misses branches branch-misses bus-cycles stalled-cycles-frontend stalled-cycles-backend ref-cycles L1-dcache-load-misses L1-icache-load-misses LLC-load-misses dTLB-load-misses iTLB-load-misses" -- "$cur"))
        return
        ;;
    'diff':--group)
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    'overlap':--group)
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    'overlap':--kind)
        COMPREPLY=($(compgen -W "paths functions calls graph loops data" -- "$cur"))
        return
        ;;
    'overlap':--by)
        COMPREPLY=($(compgen -W "object address field site" -- "$cur"))
        return
        ;;
    'migrate':--old)
        return
        ;;
    *:--method)
        COMPREPLY=($(compgen -W "none blind hash ba ag sl hybrid own" -- "$cur"))
        return
        ;;
    'migrate':--check)
        return
        ;;
    'migrate':--explain)
        return
        ;;
    'export':--to)
        COMPREPLY=($(compgen -W "pprof pprof-blocks collapsed collapsed-time callgrind dot json csv lcov cobertura gcov llvm sample propeller profdata" -- "$cur"))
        return
        ;;
    *:--completion)
        COMPREPLY=($(compgen -W "bash zsh fish" -- "$cur"))
        return
        ;;
    'set partition':--counts)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'calls steps':--old)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    'calls residual':--build)
        return
        ;;
    *:--identity)
        COMPREPLY=($(compgen -W "rotation sequence xor" -- "$cur"))
        return
        ;;
    'sample functions':--sort)
        COMPREPLY=($(compgen -W "count mean function file" -- "$cur"))
        return
        ;;
    'sample calls':--sort)
        COMPREPLY=($(compgen -W "count mean function file" -- "$cur"))
        return
        ;;
    'sample loops':--sort)
        COMPREPLY=($(compgen -W "count mean function file" -- "$cur"))
        return
        ;;
    'sample data':--by)
        COMPREPLY=($(compgen -W "object address field site" -- "$cur"))
        return
        ;;
    'sample control':--burst)
        return
        ;;
    'version impact':--explain)
        return
        ;;
    'hw trace':--to)
        return
        ;;
    'hw model':--to)
        return
        ;;
    'hw timing':--to)
        return
        ;;
    *:--profile)
        COMPREPLY=($(compgen -W "methods calls streams" -- "$cur"))
        return
        ;;
    'hw edit':--burst)
        return
        ;;
    *:--period)
        COMPREPLY=($(compgen -W "fixed prime jitter" -- "$cur"))
        return
        ;;
    'hw edit':--to)
        return
        ;;
    *:--study)
        COMPREPLY=($(compgen -W "parameters tables policies queue bursts" -- "$cur"))
        return
        ;;
    'hw explore':--to)
        return
        ;;
    *:--show)
        COMPREPLY=($(compgen -W "hash order dom pdom loops back cuts weights dag all" -- "$cur"))
        return
        ;;
    *:--pack)
        COMPREPLY=($(compgen -W "ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length" -- "$cur"))
        return
        ;;
    'stage number':--kind | 'stage number':-k)
        COMPREPLY=($(compgen -W "ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length" -- "$cur"))
        return
        ;;
    *:--place)
        COMPREPLY=($(compgen -W "frontier tree plain" -- "$cur"))
        return
        ;;
    *:--want)
        COMPREPLY=($(compgen -W "chosen residual untested" -- "$cur"))
        return
        ;;
    'stage probe':--plan)
        COMPREPLY=($(compgen -W "all selective preferential hash stray mask bits" -- "$cur"))
        return
        ;;
    'stage probe':--kind | 'stage probe':-k)
        COMPREPLY=($(compgen -W "ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length" -- "$cur"))
        return
        ;;
    *:--paths | \
        *:--tested | \
        *:--segments | \
        *:--output | *:-o | \
        *:--emulator | \
        *:--binary | \
        *:--since | \
        *:--failed | \
        *:--and | \
        *:--minus | \
        *:--times | \
        *:--map | \
        *:--also | \
        *:--productions)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    *:--raw | \
        *:--directory | \
        *:--maps | \
        *:--source | \
        *:--keep | \
        *:--root)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    *:--limit | \
        *:--iterations | \
        *:--only | \
        *:--skip | \
        *:--depth | \
        *:--code-limit | \
        *:--budget | \
        *:--out | \
        *:--function | *:-f | \
        *:--most | \
        *:--file | \
        *:--program | \
        *:--max-expand | \
        *:--editor | \
        *:--layout | \
        *:--table | \
        *:--control | \
        *:--set | \
        *:--window | \
        *:--from | \
        *:--max-steps | \
        *:--path | *:-p | \
        *:--pid | \
        *:--interval | \
        *:--weight | \
        *:--confidence | \
        *:--error | \
        *:--threshold | \
        *:--min | \
        *:--min-edges | \
        *:--min-blocks | \
        *:--name | \
        *:--top | \
        *:--shortest | \
        *:--longest | \
        *:--new | \
        *:--type | \
        *:--level | \
        *:--finish | \
        *:--score | \
        *:--sites | \
        *:--test | \
        *:--field | \
        *:--lengths | \
        *:--sample | \
        *:--seed | \
        *:--memory | \
        *:--stops | \
        *:--least | \
        *:--symbols | \
        *:--rate | \
        *:--types | \
        *:--alike | \
        *:--full | \
        *:--image | \
        *:--stacks | \
        *:--machine | \
        *:--design | \
        *:--cpi | \
        *:--addresses | \
        *:--order | \
        *:--decode | \
        *:--encode | \
        *:--most-symbols)
        return
        ;;
    esac
    case $command in
    'cc')
        words="--help --at --limit --iterations --record --left --counters --only --skip --paths --tested --untested-only --partial --plan --explain --wpp --subpaths --segments --depth --others --code-limit --whole-program --online --burst --budget --out"
        ;;
    'c++')
        words="--help --at --limit --iterations --record --left --counters --only --skip --paths --tested --untested-only --partial --plan --explain --wpp --subpaths --segments --depth --others --code-limit --whole-program --online --burst --budget --out"
        ;;
    'run')
        words="--help --build"
        ;;
    'emulate')
        words="--help --output --trace --accesses --first --raw --emulator --limit --function --most --sort --group --blocks --json --quiet"
        ;;
    'report')
        words="--help --list --blocks --conditions --all-paths --verbose --function --file --directory --program --sort --group --most --brief --all-code --exact --color --binary --maps --max-expand --source --strict --json --output --quiet"
        ;;
    'html')
        words="--help --function --file --directory --program --all --most --source --tested --partial --missing --since --editor --layout --no-layout --no-compress --all-sources --depth --table --control --set --window --from --to --binary --maps --max-expand --strict --max-steps --json --output --quiet"
        ;;
    'annotate')
        words="--help --function --file --directory --program --all-code --exact --color --all --most --path --time --source --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'top')
        words="--help --pid --interval --sort --group --once --function --most --weight --confidence --error --threshold --blocks --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'coverage')
        words="--help --missing --min --min-edges --min-blocks --sort --group --most --brief --all-code --exact --color --source --function --file --directory --program --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'untested')
        words="--help --tested --partial --list --most --brief --all-code --exact --color --source --function --file --directory --program --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'tests')
        words="--help --failed --first --by --name --foreign --blocks --function --file --directory --program --most --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    'diff')
        words="--help --force --function --file --directory --program --sort --group --most --brief --all-code --exact --color --binary --maps --max-expand --source --strict --json --output --quiet"
        ;;
    'overlap')
        words="--help --top --min --depth --group --kind --by --shortest --longest --most --function --file --directory --program --binary --maps --max-expand --max-steps --json --output --quiet"
        ;;
    'migrate')
        words="--help --old --new --type --level --method --check --threshold --weight --no-rerun --explain --finish --score --binary --most --max-expand --max-steps --json --output --quiet"
        ;;
    'merge')
        words="--help --output --keep-runs --text --function --file --directory --program --binary --maps --max-expand --strict --quiet"
        ;;
    'export')
        words="--help --to --output --function --file --directory --program --most --binary --maps --max-expand --source --strict --quiet"
        ;;
    'check')
        words="--help --calls --binary --maps --max-expand --json --output --quiet"
        ;;
    'show')
        words="--help --max-expand --json --output --quiet"
        ;;
    'split')
        words="--help --output --strip --text --quiet"
        ;;
    'help')
        words="--help --man --commands --completion --output"
        others="cc c++ run emulate report html annotate top coverage untested tests diff overlap migrate merge export check show split help set calls sample version hw stage list union intersect subtract partition steps segments supergraph residual subpaths functions calls loops data control constructs diff impact score trace import lift model timing edit explore graph number probe grammar flow"
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
        words="--help --depth --names --most --check --binary --maps --strict --max-expand --max-steps --json --output --quiet"
        ;;
    'calls supergraph')
        words="--help --depth --limit --list --most --output --function --json --dot --svg --check --quiet"
        ;;
    'calls residual')
        words="--help --build --test --field --depth --with-wpp --keep --most --brief --json --output --quiet"
        ;;
    'sample subpaths')
        words="--help --text --function --most --weight --confidence --error --threshold --blocks --binary --maps --max-expand --strict --exact --lengths --identity --sample --seed --memory --partial --stops --check --json --output --quiet"
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
    'sample control')
        words="--help --on --off --rate --burst --types --budget --reset --snapshot --quiet --json --output"
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
        words="--help --study --designs --parameters --order --addresses --text --csv --svg --from --to --check --json --output --quiet"
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
