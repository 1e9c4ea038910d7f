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
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="--help --version cc c++ emulate run diff overlap report html list coverage flow annotate untested residual share tests split graph number probe grammar wpp segments super subpaths top methods calls trips streams explore model branches lift import core edit change migrate score construct impact export show merge union intersect subtract check help"
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
        return
    fi
    case ${COMP_WORDS[1]}:$prev in
    cc:--at)
        return
        ;;
    cc:--limit)
        return
        ;;
    cc:--rounds)
        return
        ;;
    cc:--record)
        return
        ;;
    cc:--left)
        return
        ;;
    cc:--only)
        return
        ;;
    cc:--skip)
        return
        ;;
    cc:--paths)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    cc:--tested)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    cc:--plan)
        return
        ;;
    cc:--segments)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    cc:--depth)
        return
        ;;
    cc:--code-limit)
        return
        ;;
    cc:--budget)
        return
        ;;
    cc:--out)
        return
        ;;
    c++:--at)
        return
        ;;
    c++:--limit)
        return
        ;;
    c++:--rounds)
        return
        ;;
    c++:--record)
        return
        ;;
    c++:--left)
        return
        ;;
    c++:--only)
        return
        ;;
    c++:--skip)
        return
        ;;
    c++:--paths)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    c++:--tested)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    c++:--plan)
        return
        ;;
    c++:--segments)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    c++:--depth)
        return
        ;;
    c++:--code-limit)
        return
        ;;
    c++:--budget)
        return
        ;;
    c++:--out)
        return
        ;;
    emulate:--output | emulate:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    emulate:--trace)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    emulate:--first)
        return
        ;;
    emulate:--raw)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    emulate:--emulator)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    emulate:--limit)
        return
        ;;
    emulate:--function | emulate:-f)
        return
        ;;
    emulate:--most)
        return
        ;;
    emulate:--sort)
        COMPREPLY=($(compgen -W "count weight function file" -- "$cur"))
        return
        ;;
    emulate:--group)
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    diff:--function | diff:-f)
        return
        ;;
    diff:--sort)
        COMPREPLY=($(compgen -W "count weight function file" -- "$cur"))
        return
        ;;
    diff:--group)
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    diff:--most)
        return
        ;;
    diff:--file)
        return
        ;;
    diff:--directory)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    diff:--color)
        COMPREPLY=($(compgen -W "auto always never" -- "$cur"))
        return
        ;;
    diff:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    diff:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    diff:--max-expand)
        return
        ;;
    diff:--source)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    diff:--output | diff:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    overlap:--top)
        return
        ;;
    overlap:--min)
        return
        ;;
    overlap:--depth)
        return
        ;;
    overlap:--group)
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    overlap:--kind)
        COMPREPLY=($(compgen -W "paths methods calls graph trips streams" -- "$cur"))
        return
        ;;
    overlap:--by)
        COMPREPLY=($(compgen -W "object address field site" -- "$cur"))
        return
        ;;
    overlap:--shortest)
        return
        ;;
    overlap:--longest)
        return
        ;;
    overlap:--most)
        return
        ;;
    overlap:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    overlap:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    overlap:--max-expand)
        return
        ;;
    overlap:--max-steps)
        return
        ;;
    overlap:--output | overlap:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    report:--function | report:-f)
        return
        ;;
    report:--sort)
        COMPREPLY=($(compgen -W "count weight function file" -- "$cur"))
        return
        ;;
    report:--group)
        COMPREPLY=($(compgen -W "none function file loop" -- "$cur"))
        return
        ;;
    report:--most)
        return
        ;;
    report:--file)
        return
        ;;
    report:--directory)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    report:--color)
        COMPREPLY=($(compgen -W "auto always never" -- "$cur"))
        return
        ;;
    report:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    report:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    report:--max-expand)
        return
        ;;
    report:--source)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    report:--output | report:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    html:--function | html:-f)
        return
        ;;
    html:--most)
        return
        ;;
    html:--source)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    html:--tested)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    html:--since)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    html:--editor)
        return
        ;;
    html:--layout)
        return
        ;;
    html:--depth)
        return
        ;;
    html:--table)
        return
        ;;
    html:--control)
        return
        ;;
    html:--set)
        return
        ;;
    html:--window)
        return
        ;;
    html:--from)
        return
        ;;
    html:--to)
        return
        ;;
    html:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    html:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    html:--max-expand)
        return
        ;;
    html:--max-steps)
        return
        ;;
    html:--output | html:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    list:--and)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    list:--minus)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    list:--function | list:-f)
        return
        ;;
    list:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    list:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    list:--max-expand)
        return
        ;;
    list:--output | list:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    coverage:--min)
        return
        ;;
    coverage:--min-edges)
        return
        ;;
    coverage:--min-blocks)
        return
        ;;
    coverage:--sort)
        COMPREPLY=($(compgen -W "worth share left function file" -- "$cur"))
        return
        ;;
    coverage:--group)
        COMPREPLY=($(compgen -W "function file program" -- "$cur"))
        return
        ;;
    coverage:--most)
        return
        ;;
    coverage:--file)
        return
        ;;
    coverage:--directory)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    coverage:--color)
        COMPREPLY=($(compgen -W "auto always never" -- "$cur"))
        return
        ;;
    coverage:--source)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    coverage:--function | coverage:-f)
        return
        ;;
    coverage:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    coverage:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    coverage:--max-expand)
        return
        ;;
    coverage:--output | coverage:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    flow:--function | flow:-f)
        return
        ;;
    flow:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    flow:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    flow:--max-expand)
        return
        ;;
    flow:--output | flow:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    annotate:--function | annotate:-f)
        return
        ;;
    annotate:--file)
        return
        ;;
    annotate:--directory)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    annotate:--color)
        COMPREPLY=($(compgen -W "auto always never" -- "$cur"))
        return
        ;;
    annotate:--most)
        return
        ;;
    annotate:--path | annotate:-p)
        return
        ;;
    annotate:--source)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    annotate:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    annotate:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    annotate:--max-expand)
        return
        ;;
    annotate:--output | annotate:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    untested:--tested)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    untested:--most)
        return
        ;;
    untested:--file)
        return
        ;;
    untested:--directory)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    untested:--color)
        COMPREPLY=($(compgen -W "auto always never" -- "$cur"))
        return
        ;;
    untested:--source)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    untested:--function | untested:-f)
        return
        ;;
    untested:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    untested:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    untested:--max-expand)
        return
        ;;
    untested:--output | untested:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    residual:--build)
        return
        ;;
    residual:--test)
        return
        ;;
    residual:--field)
        return
        ;;
    residual:--depth)
        return
        ;;
    residual:--keep)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    residual:--most)
        return
        ;;
    residual:--output | residual:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    share:--sites)
        return
        ;;
    share:--out)
        return
        ;;
    share:--counts)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    share:--function | share:-f)
        return
        ;;
    share:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    share:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    share:--max-expand)
        return
        ;;
    share:--output | share:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    tests:--failed)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    tests:--by)
        COMPREPLY=($(compgen -W "paths time" -- "$cur"))
        return
        ;;
    tests:--name)
        return
        ;;
    tests:--function | tests:-f)
        return
        ;;
    tests:--most)
        return
        ;;
    tests:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    tests:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    tests:--max-expand)
        return
        ;;
    tests:--output | tests:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    split:--output | split:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    graph:--show)
        COMPREPLY=($(compgen -W "hash order dom pdom loops back cuts weights dag all" -- "$cur"))
        return
        ;;
    graph:--output | graph:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    graph:--function | graph:-f)
        return
        ;;
    number:--most)
        return
        ;;
    number:--decode)
        return
        ;;
    number:--encode)
        return
        ;;
    number:--pack)
        COMPREPLY=($(compgen -W "ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length" -- "$cur"))
        return
        ;;
    number:--kind | number:-k)
        COMPREPLY=($(compgen -W "ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length" -- "$cur"))
        return
        ;;
    number:--path | number:-p)
        return
        ;;
    number:--paths)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    number:--limit)
        return
        ;;
    number:--output | number:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    number:--function | number:-f)
        return
        ;;
    probe:--place)
        COMPREPLY=($(compgen -W "frontier tree plain" -- "$cur"))
        return
        ;;
    probe:--want)
        COMPREPLY=($(compgen -W "chosen residual untested" -- "$cur"))
        return
        ;;
    probe:--plan)
        COMPREPLY=($(compgen -W "all selective preferential hash stray mask bits" -- "$cur"))
        return
        ;;
    probe:--kind | probe:-k)
        COMPREPLY=($(compgen -W "ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length" -- "$cur"))
        return
        ;;
    probe:--path | probe:-p)
        return
        ;;
    probe:--paths)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    probe:--limit)
        return
        ;;
    probe:--output | probe:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    probe:--function | probe:-f)
        return
        ;;
    grammar:--most)
        return
        ;;
    grammar:--most-symbols)
        return
        ;;
    grammar:--output | grammar:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    wpp:--most)
        return
        ;;
    wpp:--old)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    wpp:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    wpp:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    wpp:--max-expand)
        return
        ;;
    wpp:--max-steps)
        return
        ;;
    wpp:--output | wpp:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    segments:--depth)
        return
        ;;
    segments:--most)
        return
        ;;
    segments:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    segments:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    segments:--max-expand)
        return
        ;;
    segments:--max-steps)
        return
        ;;
    segments:--output | segments:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    super:--depth)
        return
        ;;
    super:--limit)
        return
        ;;
    super:--most)
        return
        ;;
    super:--output | super:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    super:--function | super:-f)
        return
        ;;
    subpaths:--function | subpaths:-f)
        return
        ;;
    subpaths:--most)
        return
        ;;
    subpaths:--weight)
        return
        ;;
    subpaths:--confidence)
        return
        ;;
    subpaths:--threshold)
        return
        ;;
    subpaths:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    subpaths:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    subpaths:--max-expand)
        return
        ;;
    subpaths:--lengths)
        return
        ;;
    subpaths:--identity)
        COMPREPLY=($(compgen -W "rotation sequence xor" -- "$cur"))
        return
        ;;
    subpaths:--sample)
        return
        ;;
    subpaths:--seed)
        return
        ;;
    subpaths:--memory)
        return
        ;;
    subpaths:--stops)
        return
        ;;
    subpaths:--output | subpaths:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    top:--pid | top:-p)
        return
        ;;
    top:--interval)
        return
        ;;
    top:--sort)
        COMPREPLY=($(compgen -W "count blocks length function" -- "$cur"))
        return
        ;;
    top:--function | top:-f)
        return
        ;;
    top:--most)
        return
        ;;
    top:--weight)
        return
        ;;
    top:--confidence)
        return
        ;;
    top:--threshold)
        return
        ;;
    top:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    top:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    top:--max-expand)
        return
        ;;
    top:--output | top:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    methods:--function | methods:-f)
        return
        ;;
    methods:--sort)
        COMPREPLY=($(compgen -W "count mean function file" -- "$cur"))
        return
        ;;
    methods:--most)
        return
        ;;
    methods:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    methods:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    methods:--max-expand)
        return
        ;;
    methods:--output | methods:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    calls:--function | calls:-f)
        return
        ;;
    calls:--sort)
        COMPREPLY=($(compgen -W "count mean function file" -- "$cur"))
        return
        ;;
    calls:--most)
        return
        ;;
    calls:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    calls:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    calls:--max-expand)
        return
        ;;
    calls:--output | calls:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    trips:--function | trips:-f)
        return
        ;;
    trips:--sort)
        COMPREPLY=($(compgen -W "count mean function file" -- "$cur"))
        return
        ;;
    trips:--most)
        return
        ;;
    trips:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    trips:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    trips:--max-expand)
        return
        ;;
    trips:--output | trips:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    streams:--by)
        COMPREPLY=($(compgen -W "object address field site" -- "$cur"))
        return
        ;;
    streams:--shortest)
        return
        ;;
    streams:--longest)
        return
        ;;
    streams:--least)
        return
        ;;
    streams:--symbols)
        return
        ;;
    streams:--function | streams:-f)
        return
        ;;
    streams:--most)
        return
        ;;
    streams:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    streams:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    streams:--max-expand)
        return
        ;;
    streams:--output | streams:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    explore:--study)
        COMPREPLY=($(compgen -W "parameters tables policies queue bursts" -- "$cur"))
        return
        ;;
    explore:--order)
        return
        ;;
    explore:--from)
        return
        ;;
    explore:--to)
        return
        ;;
    explore:--output | explore:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    model:--control)
        return
        ;;
    model:--set)
        return
        ;;
    model:--table)
        return
        ;;
    model:--machine)
        return
        ;;
    model:--window)
        return
        ;;
    model:--least)
        return
        ;;
    model:--from)
        return
        ;;
    model:--to)
        return
        ;;
    model:--most)
        return
        ;;
    model:--output | model:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    branches:--image)
        return
        ;;
    branches:--stacks)
        return
        ;;
    branches:--seed)
        return
        ;;
    branches:--from)
        return
        ;;
    branches:--to)
        return
        ;;
    branches:--name)
        return
        ;;
    branches:--output | branches:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    lift:--output | lift:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    lift:--map)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    lift:--also)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    lift:--limit)
        return
        ;;
    import:--image)
        return
        ;;
    import:--name)
        return
        ;;
    import:--most)
        return
        ;;
    import:--output | import:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    core:--machine)
        return
        ;;
    core:--design)
        return
        ;;
    core:--from)
        return
        ;;
    core:--to)
        return
        ;;
    core:--output | core:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    edit:--profile)
        COMPREPLY=($(compgen -W "methods calls streams" -- "$cur"))
        return
        ;;
    edit:--productions)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    edit:--set)
        return
        ;;
    edit:--burst)
        return
        ;;
    edit:--period)
        COMPREPLY=($(compgen -W "fixed prime jitter" -- "$cur"))
        return
        ;;
    edit:--seed)
        return
        ;;
    edit:--cpi)
        return
        ;;
    edit:--addresses)
        return
        ;;
    edit:--machine)
        return
        ;;
    edit:--most)
        return
        ;;
    edit:--from)
        return
        ;;
    edit:--to)
        return
        ;;
    edit:--output | edit:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    change:--weight)
        return
        ;;
    change:--alike)
        return
        ;;
    change:--output | change:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    migrate:--old)
        return
        ;;
    migrate:--new)
        return
        ;;
    migrate:--type)
        return
        ;;
    migrate:--level)
        return
        ;;
    migrate:--method)
        COMPREPLY=($(compgen -W "none blind hash ba ag sl hybrid own" -- "$cur"))
        return
        ;;
    migrate:--check)
        return
        ;;
    migrate:--threshold)
        return
        ;;
    migrate:--weight)
        return
        ;;
    migrate:--explain)
        return
        ;;
    migrate:--finish)
        return
        ;;
    migrate:--score)
        return
        ;;
    migrate:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    migrate:--most)
        return
        ;;
    migrate:--max-expand)
        return
        ;;
    migrate:--max-steps)
        return
        ;;
    migrate:--output | migrate:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    score:--full)
        return
        ;;
    score:--times)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    score:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    score:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    score:--max-expand)
        return
        ;;
    score:--max-steps)
        return
        ;;
    score:--output | score:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    construct:--level)
        return
        ;;
    construct:--root)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    construct:--output | construct:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    impact:--method)
        COMPREPLY=($(compgen -W "none blind hash ba ag sl hybrid own" -- "$cur"))
        return
        ;;
    impact:--level)
        return
        ;;
    impact:--explain)
        return
        ;;
    impact:--threshold)
        return
        ;;
    impact:--output | impact:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    export:--to)
        COMPREPLY=($(compgen -W "pprof pprof-blocks collapsed callgrind dot json csv lcov cobertura gcov llvm sample propeller profdata" -- "$cur"))
        return
        ;;
    export:--output | export:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    export:--function | export:-f)
        return
        ;;
    export:--most)
        return
        ;;
    export:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    export:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    export:--max-expand)
        return
        ;;
    export:--source)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    show:--max-expand)
        return
        ;;
    show:--output | show:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    merge:--output | merge:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    merge:--max-expand)
        return
        ;;
    union:--output | union:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    union:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    union:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    union:--max-expand)
        return
        ;;
    intersect:--output | intersect:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    intersect:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    intersect:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    intersect:--max-expand)
        return
        ;;
    subtract:--output | subtract:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    subtract:--binary)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    subtract:--maps)
        COMPREPLY=($(compgen -d -- "$cur"))
        return
        ;;
    subtract:--max-expand)
        return
        ;;
    check:--max-expand)
        return
        ;;
    check:--output | check:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    help:--completion)
        COMPREPLY=($(compgen -W "bash zsh fish" -- "$cur"))
        return
        ;;
    help:--output | help:-o)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    esac
    case ${COMP_WORDS[1]} in
    cc)
        words="--help --at --limit --rounds --record --left --counters --only --skip --paths --tested --untested-only --partial --plan --explain --wpp --subpaths --segments --depth --others --code-limit --online --burst --budget --out"
        ;;
    c++)
        words="--help --at --limit --rounds --record --left --counters --only --skip --paths --tested --untested-only --partial --plan --explain --wpp --subpaths --segments --depth --others --code-limit --online --burst --budget --out"
        ;;
    emulate)
        words="--help --output --trace --accesses --first --raw --emulator --limit --function --most --sort --group --blocks --json --quiet"
        ;;
    run)
        words="--help"
        ;;
    diff)
        words="--help --force --function --sort --group --most --brief --file --directory --all-code --exact --color --binary --maps --max-expand --source --strict --json --output --quiet"
        ;;
    overlap)
        words="--help --top --min --depth --group --kind --by --shortest --longest --most --binary --maps --max-expand --max-steps --json --output --quiet"
        ;;
    report)
        words="--help --list --blocks --conditions --verbose --function --sort --group --most --brief --file --directory --all-code --exact --color --binary --maps --max-expand --source --strict --json --output --quiet"
        ;;
    html)
        words="--help --function --all --most --source --tested --partial --missing --since --editor --layout --no-layout --depth --table --control --set --window --from --to --binary --maps --max-expand --strict --max-steps --json --output --quiet"
        ;;
    list)
        words="--help --and --minus --partial --function --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    coverage)
        words="--help --missing --min --min-edges --min-blocks --sort --group --most --brief --file --directory --all-code --exact --color --source --function --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    flow)
        words="--help --function --check --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    annotate)
        words="--help --function --file --directory --all-code --exact --color --all --most --path --source --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    untested)
        words="--help --tested --partial --list --most --brief --file --directory --all-code --exact --color --source --function --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    residual)
        words="--help --build --test --field --depth --with-wpp --keep --most --json --output --quiet"
        ;;
    share)
        words="--help --sites --out --counts --function --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    tests)
        words="--help --failed --first --by --name --foreign --blocks --function --most --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    split)
        words="--help --output --strip --text --quiet"
        ;;
    graph)
        words="--help --show --output --function --json --dot --svg --check --quiet"
        ;;
    number)
        words="--help --list --most --decode --encode --measure --coding --pack --exact --kind --path --paths --limit --output --function --json --dot --svg --check --quiet"
        ;;
    probe)
        words="--help --place --no-trips --cost --want --plan --kind --path --paths --limit --output --function --json --dot --svg --check --quiet"
        ;;
    grammar)
        words="--help --expand --most --sizes --hot --most-symbols --check --json --output --quiet"
        ;;
    wpp)
        words="--help --expand --most --grammar --hot --spans --selective --old --binary --maps --strict --max-expand --max-steps --json --output --quiet"
        ;;
    segments)
        words="--help --depth --tell --most --check --binary --maps --strict --max-expand --max-steps --json --output --quiet"
        ;;
    super)
        words="--help --depth --limit --list --most --output --function --json --dot --svg --check --quiet"
        ;;
    subpaths)
        words="--help --text --function --most --weight --confidence --threshold --blocks --binary --maps --max-expand --strict --exact --lengths --identity --sample --seed --memory --partial --stops --check --json --output --quiet"
        ;;
    top)
        words="--help --pid --interval --sort --once --function --most --weight --confidence --threshold --blocks --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    methods)
        words="--help --function --sort --most --text --check --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    calls)
        words="--help --graph --dot --svg --function --sort --most --text --check --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    trips)
        words="--help --function --sort --most --text --check --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    streams)
        words="--help --by --shortest --longest --least --exact --no-stack --refs --symbols --function --most --text --check --binary --maps --max-expand --strict --json --output --quiet"
        ;;
    explore)
        words="--help --study --designs --parameters --order --text --csv --svg --from --to --check --json --output --quiet"
        ;;
    model)
        words="--help --control --set --table --machine --window --phases --least --spread --grammar --from --to --most --text --check --json --output --quiet"
        ;;
    branches)
        words="--help --text --trace --pt --image --stacks --seed --from --to --name --check --json --output --quiet"
        ;;
    lift)
        words="--help --output --map --also --limit --text --quiet"
        ;;
    import)
        words="--help --pt --image --text --trace --name --most --check --json --output --quiet"
        ;;
    core)
        words="--help --machine --design --text --from --to --json --output --quiet"
        ;;
    edit)
        words="--help --profile --productions --set --burst --period --seed --exhaustive --literal --cpi --addresses --machine --most --from --to --text --check --json --output --quiet"
        ;;
    change)
        words="--help --weight --alike --text --check --json --output --quiet"
        ;;
    migrate)
        words="--help --old --new --type --level --method --check --threshold --weight --no-rerun --explain --finish --score --binary --most --max-expand --max-steps --json --output --quiet"
        ;;
    score)
        words="--help --full --all --times --wrong --binary --maps --max-expand --max-steps --json --output --quiet"
        ;;
    construct)
        words="--help --level --root --meaning --text --check --json --output --quiet"
        ;;
    impact)
        words="--help --method --level --explain --threshold --check --text --json --output --quiet"
        ;;
    export)
        words="--help --to --output --function --most --binary --maps --max-expand --source --strict --quiet"
        ;;
    show)
        words="--help --max-expand --json --output --quiet"
        ;;
    merge)
        words="--help --output --keep-runs --text --strict --max-expand --quiet"
        ;;
    union)
        words="--help --output --text --binary --maps --max-expand --quiet"
        ;;
    intersect)
        words="--help --output --text --binary --maps --max-expand --quiet"
        ;;
    subtract)
        words="--help --counts --output --text --binary --maps --max-expand --quiet"
        ;;
    check)
        words="--help --max-expand --json --output --quiet"
        ;;
    help)
        words="--help --man --completion --output"
        others="cc c++ emulate run diff overlap report html list coverage flow annotate untested residual share tests split graph number probe grammar wpp segments super subpaths top methods calls trips streams explore model branches lift import core edit change migrate score construct impact export show merge union intersect subtract check help"
        ;;
    esac
    if [ "${cur#-}" != "$cur" ] || [ -n "$others" ]; then
        COMPREPLY=($(compgen -W "$words $others" -- "$cur"))
    else
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}
complete -o filenames -F _trod trod
