#compdef trod
# Completion of trod for zsh, printed by `trod help --completion=zsh`: a file _trod in a folder of $fpath.

_trod()
{
    local -a commands=(
        'cc:compile C so that the program counts its paths'
        'c++:compile C++ so that the program counts its paths'
        'run:run a program and report which paths it took'
        'emulate:run any program in an emulator and report which paths it took'
        'report:report the hottest paths'
        'html:write a self-contained HTML report'
        'annotate:print sources with the counts of their lines and decisions'
        'top:watch the hottest block sequences of a running program'
        'coverage:report path, edge and block coverage'
        'untested:report paths that production ran and no test did'
        'tests:select and order tests, and find paths that predict failure'
        'diff:compare two profiles'
        'overlap:measure how much two profiles have in common'
        'migrate:carry profiles of an old version over to a new one'
        'merge:add profiles'
        'export:write profiles in formats of other tools'
        'check:check whether profiles are sound'
        'show:print profiles as text'
        'split:move the map of a program into a separate file'
        'help:print help, manual pages and shell completion'
        'set:sets of paths'
        'calls:paths across calls'
        'sample:online and burst profiles'
        'version:two versions of a program'
        'hw:hardware and traces'
        'stage:each stage alone, as text'
    )
    if (( CURRENT == 2 )); then
        _describe -t commands 'command of trod' commands
        _arguments '--help[print help]' '--version[print the version]'
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
    set)
        commands=(
            'list:print sets of paths'
            'union:unite the paths that ran in any of several profiles'
            'intersect:keep the paths that ran in all of several profiles'
            'subtract:keep the paths of a profile that ran in none of others'
            'partition:divide a set of paths among builds that each count a part'
        )
        if (( CURRENT == 2 )); then
            _describe -t commands 'command of trod set' commands
            return
        fi
        command="$command $words[2]"
        shift words
        (( CURRENT-- ))
        ;;
    calls)
        commands=(
            'steps:print whole program paths'
            'segments:report the hottest paths across calls'
            'supergraph:join functions and the calls between them into one graph'
            'residual:build, test and rebuild to find untested paths across calls'
        )
        if (( CURRENT == 2 )); then
            _describe -t commands 'command of trod calls' commands
            return
        fi
        command="$command $words[2]"
        shift words
        (( CURRENT-- ))
        ;;
    sample)
        commands=(
            'subpaths:report the hottest block sequences'
            'functions:report the hottest functions'
            'calls:report the hottest call sites'
            'loops:report iterations of loops'
            'data:report hot data streams'
        )
        if (( CURRENT == 2 )); then
            _describe -t commands 'command of trod sample' commands
            return
        fi
        command="$command $words[2]"
        shift words
        (( CURRENT-- ))
        ;;
    version)
        commands=(
            'constructs:print the constructs of a version of a program'
            'diff:compare two versions of a program'
            'impact:find what behaves differently in a new version'
            'score:measure how accurate migrated profiles are'
        )
        if (( CURRENT == 2 )); then
            _describe -t commands 'command of trod version' commands
            return
        fi
        command="$command $words[2]"
        shift words
        (( CURRENT-- ))
        ;;
    hw)
        commands=(
            'trace:print, check, convert and cut branch traces'
            'import:import Intel PT traces and perf branch stacks'
            'lift:turn an emulator recording into a profile'
            'model:run models of a hardware path profiler over a trace'
            'timing:time a trace on a model of a processor core'
            'edit:sample a trace as dynamic instruction stream editing would'
            'explore:try many designs of profiling hardware on traces'
        )
        if (( CURRENT == 2 )); then
            _describe -t commands 'command of trod hw' commands
            return
        fi
        command="$command $words[2]"
        shift words
        (( CURRENT-- ))
        ;;
    stage)
        commands=(
            'graph:read, check, analyse and draw control-flow graphs'
            'number:number the paths of graphs'
            'probe:plan the operations that count paths'
            'grammar:turn sequences into grammars, and back'
            'flow:derive counts of blocks, edges and lines from paths'
        )
        if (( CURRENT == 2 )); then
            _describe -t commands 'command of trod stage' commands
            return
        fi
        command="$command $words[2]"
        shift words
        (( CURRENT-- ))
        ;;
    esac
    case $command in
    'cc')
        _arguments '--help[print help]' \
            '*--at=[source]:WHERE:(source code)' \
            '*--limit=[cut functions with more than N paths into pieces]:N:' \
            '*--iterations=[count chains of up to K consecutive paths of one activation, K from 2 to 8]:K:' \
            '*--record=[what the map records of the compiler command]:safe|all:(safe all)' \
            '*--left=[do not count abandoned activations]:no:(yes no)' \
            '*--counters[record where clang'\''s own counters would be, so that '\''trod export --to=profdata'\'' can write their values for '\''clang -fprofile-use'\'' and llvm-cov]' \
            '*--only=[count only functions whose names match GLOB]:GLOB|FILE:' \
            '*--skip=[do not count functions whose names match]:GLOB:' \
            '*--paths=[count only the paths in FILE, a path list or a profile]:FILE:_files' \
            '*--tested=[record paths that are not in FILE, a profile of the tests or a path list]:FILE:_files' \
            '*--untested-only[with --tested]' \
            '*--partial[with --paths or --tested]' \
            '*--plan=[with --paths or --tested]:PLAN:(auto all selective preferential hash)' \
            '*--explain[with --paths, --tested, --segments or --iterations]' \
            '*--wpp[record the whole program path of each thread as a grammar, for '\''trod calls steps'\'']' \
            '*--subpaths[count subpaths, which also end at calls]' \
            '*--segments=[count paths across calls that consist of the segments in FILE, from '\''trod calls segments'\'']:FILE:_files' \
            '*--depth=[with --segments=PROFILE]:K:' \
            '*--others[with --segments]' \
            '*--code-limit=[with --segments]:N:' \
            '*--online=-[sample block sequences while the program runs, for '\''trod top'\'' and '\''trod sample subpaths'\'']::OPTIONS:' \
            '*--burst=-[sample in bursts, for '\''trod sample functions'\'', '\''trod sample calls'\'', '\''trod sample loops'\'', '\''trod sample data'\'' and '\''trod report'\'']::OPTIONS:' \
            '*--budget=[sample in bursts that take P percent of the run time]:P%:' \
            '*--out=[where the program writes its profile]:PATTERN:' \
            '*::: :_files'
        ;;
    'c++')
        _arguments '--help[print help]' \
            '*--at=[source]:WHERE:(source code)' \
            '*--limit=[cut functions with more than N paths into pieces]:N:' \
            '*--iterations=[count chains of up to K consecutive paths of one activation, K from 2 to 8]:K:' \
            '*--record=[what the map records of the compiler command]:safe|all:(safe all)' \
            '*--left=[do not count abandoned activations]:no:(yes no)' \
            '*--counters[record where clang'\''s own counters would be, so that '\''trod export --to=profdata'\'' can write their values for '\''clang -fprofile-use'\'' and llvm-cov]' \
            '*--only=[count only functions whose names match GLOB]:GLOB|FILE:' \
            '*--skip=[do not count functions whose names match]:GLOB:' \
            '*--paths=[count only the paths in FILE, a path list or a profile]:FILE:_files' \
            '*--tested=[record paths that are not in FILE, a profile of the tests or a path list]:FILE:_files' \
            '*--untested-only[with --tested]' \
            '*--partial[with --paths or --tested]' \
            '*--plan=[with --paths or --tested]:PLAN:(auto all selective preferential hash)' \
            '*--explain[with --paths, --tested, --segments or --iterations]' \
            '*--wpp[record the whole program path of each thread as a grammar, for '\''trod calls steps'\'']' \
            '*--subpaths[count subpaths, which also end at calls]' \
            '*--segments=[count paths across calls that consist of the segments in FILE, from '\''trod calls segments'\'']:FILE:_files' \
            '*--depth=[with --segments=PROFILE]:K:' \
            '*--others[with --segments]' \
            '*--code-limit=[with --segments]:N:' \
            '*--online=-[sample block sequences while the program runs, for '\''trod top'\'' and '\''trod sample subpaths'\'']::OPTIONS:' \
            '*--burst=-[sample in bursts, for '\''trod sample functions'\'', '\''trod sample calls'\'', '\''trod sample loops'\'', '\''trod sample data'\'' and '\''trod report'\'']::OPTIONS:' \
            '*--budget=[sample in bursts that take P percent of the run time]:P%:' \
            '*--out=[where the program writes its profile]:PATTERN:' \
            '*::: :_files'
        ;;
    'run')
        _arguments '--help[print help]' \
            '*::: :_files'
        ;;
    'emulate')
        _arguments '--help[print help]' \
            '*'{-o+,--output=}'[keep the profile in FILE, and its map in FILE.trodmap]:FILE:_files' \
            '*--trace=[write the branch trace of the program to FILE, for '\''trod hw trace'\'', '\''trod hw model'\'' and others]:FILE:_files' \
            '*--accesses[with --trace]' \
            '*--first=[with --trace]:N:' \
            '*--raw=[keep what the emulator recorded of each process in FOLDER, for '\''trod hw lift'\'']:FOLDER:_files -/' \
            '*--emulator=[use this emulator]:FILE:_files' \
            '*--limit=[cut functions until they have at most N paths]:N:' \
            '*'{-f+,--function=}'[print only paths of functions whose names match GLOB]:GLOB:' \
            '*--most=[print at most N rows]:N:' \
            '*--sort=[sort by ORDER]:ORDER:(count weight function file)' \
            '*--group=[print one row for each WHAT]:WHAT:(none function file loop)' \
            '*--blocks[print paths as blocks instead of lines]' \
            '*--json[print JSON]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'report')
        _arguments '--help[print help]' \
            '*--list[print a path list instead, for '\''trod set list'\'' and '\''trod untested'\'']' \
            '*--blocks[print the blocks of paths instead of their decisions]' \
            '*--conditions[with --brief or --json]' \
            '*'{-v,--verbose}'[print all decisions of long paths, and the source lines of each path]' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--sort=[sort by ORDER]:ORDER:(count weight function file)' \
            '*--group=[group paths]:WHAT:(none function file loop)' \
            '*--most=[print at most N rows]:N:' \
            '*--brief[print one line per path]' \
            '*--file=[include only functions in files that match GLOB]:GLOB:' \
            '*--directory=[include only functions in files below FOLDER]:FOLDER:_files -/' \
            '*--all-code[also show functions of system headers and libraries]' \
            '*--exact[print counts in full, not abbreviated as 12.3k]' \
            '*--color=[use colours]:WHEN:(auto always never)' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--source=[search this folder first for sources, by the longest matching suffix of their paths]:FOLDER:_files -/' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'html')
        _arguments '--help[print help]' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--all[also show functions that did not run]' \
            '*--most=[list at most N paths, the most frequent]:N:' \
            '*--source=[search this folder first for sources, by the longest matching suffix of their paths]:FOLDER:_files -/' \
            '*--tested=[mark paths that ran in none of these profiles or lists]:FILE:_files' \
            '*--partial[with --tested]' \
            '*--missing=-[also show at most N]::N:' \
            '*--since=[compare with this profile]:FILE:_files' \
            '*--editor=[link source lines to an editor, such as vscode]:LINK:' \
            '*--layout=[let dot spend at most SECONDS on control-flow graphs]:SECONDS:' \
            '*--no-layout[do not run dot]' \
            '*--depth=[for profiles of --wpp and --segments builds]:K:' \
            '*--table=[for a branch trace]:DESIGN:' \
            '*--control=[for a branch trace]:REGISTER:' \
            '*--set=[change a line of the control register, such as --set='\''back]:LINE:' \
            '*--window=[for a branch trace]:N:' \
            '*--from=[for a branch trace]:N:' \
            '*--to=[for a branch trace]:N:' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--max-steps=[fail after N recorded steps]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'annotate')
        _arguments '--help[print help]' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--file=[include only functions in files that match GLOB]:GLOB:' \
            '*--directory=[include only functions in files below FOLDER]:FOLDER:_files -/' \
            '*--all-code[also show functions of system headers and libraries]' \
            '*--exact[print counts in full, not abbreviated as 12.3k]' \
            '*--color=[use colours]:WHEN:(auto always never)' \
            '*--all[also show functions that did not run]' \
            '*--most=[list at most N paths of a function]:N:' \
            '*'{-p+,--path=}'[show one path of the function, by its id]:ID:' \
            '*--source=[search this folder first for sources, by the longest matching suffix of their paths]:FOLDER:_files -/' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'top')
        _arguments '--help[print help]' \
            '*'{-p+,--pid=}'[watch the program with this process id]:PID:' \
            '*--interval=[refresh interval]:SECONDS:' \
            '*--sort=[sort by ORDER]:ORDER:(count blocks length function)' \
            '*--once[print once and exit, for scripts]' \
            '*'{-f+,--function=}'[include only block sequences with a block of a function whose name matches GLOB]:GLOB:' \
            '*--most=[print at most N rows]:N:' \
            '*--weight=[rank a sequence of n blocks by its count, minus one standard error, times n^E]:E:' \
            '*--confidence=[print error bounds at P percent confidence]:P:' \
            '*--threshold=[print only block sequences that ran N times or more, and mark those that certainly did]:N:' \
            '*--blocks[print block numbers instead of lines]' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'coverage')
        _arguments '--help[print help]' \
            '*--missing=-[list at most N paths that did not run]::N:' \
            '*--min=[exit with status 1 if path coverage is lower]:PERCENT:' \
            '*--min-edges=[exit with status 1 if edge coverage is lower]:PERCENT:' \
            '*--min-blocks=[exit with status 1 if block coverage is lower]:PERCENT:' \
            '*--sort=[sort by ORDER]:ORDER:(worth share left function file)' \
            '*--group=[group functions]:WHAT:(function file program)' \
            '*--most=[print at most N rows]:N:' \
            '*--brief[print one line per path]' \
            '*--file=[include only functions in files that match GLOB]:GLOB:' \
            '*--directory=[include only functions in files below FOLDER]:FOLDER:_files -/' \
            '*--all-code[also show functions of system headers and libraries]' \
            '*--exact[print counts in full, not abbreviated as 12.3k]' \
            '*--color=[use colours]:WHEN:(auto always never)' \
            '*--source=[search this folder first for sources, by the longest matching suffix of their paths]:FOLDER:_files -/' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'untested')
        _arguments '--help[print help]' \
            '*--tested=[the tested paths]:FILE:_files' \
            '*--partial[if the tests ran another build, compare only unchanged functions]' \
            '*--list[print the untested paths as a list instead]' \
            '*--most=[print at most N paths]:N:' \
            '*--brief[print one line per path]' \
            '*--file=[include only functions in files that match GLOB]:GLOB:' \
            '*--directory=[include only functions in files below FOLDER]:FOLDER:_files -/' \
            '*--all-code[also show functions of system headers and libraries]' \
            '*--exact[print counts in full, not abbreviated as 12.3k]' \
            '*--color=[use colours]:WHEN:(auto always never)' \
            '*--source=[search this folder first for sources, by the longest matching suffix of their paths]:FOLDER:_files -/' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'tests')
        _arguments '--help[print help]' \
            '*--failed=[a profile of failed tests]:FILE:_files' \
            '*--first[print for each path the first test that takes it]' \
            '*--by=[order tests by WHAT]:WHAT:(paths time)' \
            '*--name=[name tests by this field of their runs, such as '\''argument'\'' or '\''directory'\'', instead of by file name]:FIELD:' \
            '*--foreign[combine tests of different builds, or of programs without a common function]' \
            '*--blocks[print paths as blocks instead of lines]' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--most=[print at most N rows]:N:' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'diff')
        _arguments '--help[print help]' \
            '*--force[compare profiles even if the programs have few functions in common]' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--sort=[sort by ORDER]:ORDER:(count weight function file)' \
            '*--group=[group paths]:WHAT:(none function file loop)' \
            '*--most=[print at most N rows]:N:' \
            '*--brief[print one line per path]' \
            '*--file=[include only functions in files that match GLOB]:GLOB:' \
            '*--directory=[include only functions in files below FOLDER]:FOLDER:_files -/' \
            '*--all-code[also show functions of system headers and libraries]' \
            '*--exact[print counts in full, not abbreviated as 12.3k]' \
            '*--color=[use colours]:WHEN:(auto always never)' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--source=[search this folder first for sources, by the longest matching suffix of their paths]:FOLDER:_files -/' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'overlap')
        _arguments '--help[print help]' \
            '*--top=[compute the second overlap from the hottest members that make up PERCENT of each profile]:PERCENT:' \
            '*--min=[exit with status 1 if the overlap is lower]:PERCENT:' \
            '*--depth=[for profiles of --wpp and --segments builds]:K:' \
            '*--group=[members are functions or files instead of paths]:WHAT:(none function file loop)' \
            '*--kind=[for profiles of --burst builds]:KIND:(paths functions calls graph loops data)' \
            '*--by=[with --kind=data]:DATA:(object address field site)' \
            '*--shortest=[with --kind=data]:N:' \
            '*--longest=[with --kind=data]:N:' \
            '*--most=[print at most N members]:N:' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--max-steps=[fail after N recorded steps]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'migrate')
        _arguments '--help[print help]' \
            '*--old=[the version that was profiled]:VERSION:' \
            '*--new=[the version to migrate to, built without --only]:VERSION:' \
            '*--type=[the type of profile entries]:TYPE:' \
            '*--level=[the finest level at which entries are reused]:LEVEL:' \
            '*--method=[decide by METHOD what is reused]:METHOD:(none blind hash ba ag sl hybrid own)' \
            '*--check=[FILE is a profile of the new version, built without --only, on input NAME]:NAME=FILE:' \
            '*--threshold=[with --method=hybrid]:SHARE:' \
            '*--weight=[with --method=hybrid]:KIND[:WHAT]=N:' \
            '*--no-rerun[do not plan to rerun any input]' \
            '*--explain=[print which entries of FUNCTION are reused, and why]:FUNCTION:' \
            '*--finish=[merge the entries of PLAN with profiles of the new version]:PLAN:' \
            '*--score=[compare merged profiles with complete profiles of the new version]:MERGED:' \
            '*--binary=[for profiles of other profilers]:FILE:_files' \
            '*--most=[print at most N functions]:N:' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--max-steps=[fail after N recorded steps]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'merge')
        _arguments '--help[print help]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*--keep-runs[keep the counts of each run separate]' \
            '*--text[write the text form]' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'export')
        _arguments '--help[print help]' \
            '*--to=[write FORMAT]:FORMAT:(pprof pprof-blocks collapsed callgrind dot json csv lcov cobertura gcov llvm sample propeller profdata)' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--most=[include only the N hottest paths, in formats that have paths]:N:' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--source=[search this folder first for sources, by the longest matching suffix of their paths]:FOLDER:_files -/' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'check')
        _arguments '--help[print help]' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'show')
        _arguments '--help[print help]' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'split')
        _arguments '--help[print help]' \
            '*'{-o+,--output=}'[write to FILE instead of PROGRAM.trodmap]:FILE:_files' \
            '*--strip[also remove the map from PROGRAM]' \
            '*--text[print the map as text instead]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'help')
        _arguments '--help[print help]' \
            '*--man[print the manual page]' \
            '*--commands[print the names of all commands, one per line]' \
            '*--completion=[print the completion script for bash, zsh or fish]:SHELL:(bash zsh fish)' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*::: :(cc c++ run emulate report html annotate top coverage untested tests diff overlap migrate merge export check show split help set calls sample version hw stage list union intersect subtract partition steps segments supergraph residual subpaths functions calls loops data constructs diff impact score trace import lift model timing edit explore graph number probe grammar flow)'
        ;;
    'set list')
        _arguments '--help[print help]' \
            '*--and=[keep only paths that are also in FILE]:FILE:_files' \
            '*--minus=[remove paths that are in FILE]:FILE:_files' \
            '*--partial[with --binary]' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'set union')
        _arguments '--help[print help]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*--text[write the text form]' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'set intersect')
        _arguments '--help[print help]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*--text[write the text form]' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'set subtract')
        _arguments '--help[print help]' \
            '*--counts[subtract counts instead of paths]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*--text[write the text form]' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'set partition')
        _arguments '--help[print help]' \
            '*--sites=[the number of sites]:N:' \
            '*--out=[write the lists to PREFIX.1.list, PREFIX.2.list and so on]:PREFIX:' \
            '*--counts=[also take path frequencies from this profile, without adding its paths to the set]:FILE:_files' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'calls steps')
        _arguments '--help[print help]' \
            '*--expand[print the steps of each thread instead]' \
            '*--most=[with --expand]:N:' \
            '*--grammar[print the grammars instead]' \
            '*--hot=-[print the N subpaths]::N:' \
            '*--spans[print the call sequence instead]' \
            '*--selective[with --spans]' \
            '*--old=[with --spans]:FILE:_files' \
            '*--binary=[take graphs, names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--max-steps=[fail after N recorded steps]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'calls segments')
        _arguments '--help[print help]' \
            '*--depth=[let segments span K calls]:K:' \
            '*--names[print segments with names and lines, indented by call depth]' \
            '*--most=[print the N most frequent]:N:' \
            '*--check[run the validators]' \
            '*--binary=[take graphs, names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--max-steps=[fail after N recorded steps]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'calls supergraph')
        _arguments '--help[print help]' \
            '*--depth=[follow calls to depth K]:K:' \
            '*--limit=[cut edges until there are at most N paths]:N:' \
            '*--list[print the paths as subpaths, calls and returns instead, and whether the input has all their segments]' \
            '*--most=[list at most N of them]:N:' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--json[print JSON]' \
            '*--dot[draw, in the DOT language]' \
            '*--svg[draw one function, as SVG]' \
            '*--check[run the validators]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'calls residual')
        _arguments '--help[print help]' \
            '*--build=[the command that rebuilds the program, with $CC or $CXX as the compiler]:COMMAND:' \
            '*--test=[the command that runs the tests]:COMMAND:' \
            '*--field=[a command that runs the program as in production]:COMMAND:' \
            '*--depth=[let paths follow calls to depth K, at most 8]:K:' \
            '*--with-wpp[let stage 1 record whole program paths]' \
            '*--keep=[write profiles and the output of commands to FOLDER, and keep them]:FOLDER:_files -/' \
            '*--most=[print at most N paths]:N:' \
            '*--brief[print one line per path]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'sample subpaths')
        _arguments '--help[print help]' \
            '*--text[print everything in the text form, which trod can read]' \
            '*'{-f+,--function=}'[include only block sequences with a block of a function whose name matches GLOB]:GLOB:' \
            '*--most=[print at most N rows]:N:' \
            '*--weight=[rank a sequence of n blocks by its count, minus one standard error, times n^E]:E:' \
            '*--confidence=[print error bounds at P percent confidence]:P:' \
            '*--threshold=[print only block sequences that ran N times or more, and mark those that certainly did]:N:' \
            '*--blocks[print block numbers instead of lines]' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--exact[count all block sequences of a trace, or of the program after '\''--'\'']' \
            '*--lengths=[with --exact]:LIST:' \
            '*--identity=[with --exact]:WHICH:(rotation sequence xor)' \
            '*--sample=[with --exact]:OPTIONS:' \
            '*--seed=[with --sample]:N:' \
            '*--memory=[with --exact]:SIZE:' \
            '*--partial[with --exact]' \
            '*--stops=[with --exact]:N:' \
            '*--check[run the validators]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'sample functions')
        _arguments '--help[print help]' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--sort=[sort by ORDER]:ORDER:(count mean function file)' \
            '*--most=[print at most N rows]:N:' \
            '*--text[print everything in the text form, which trod can read]' \
            '*--check[run the validators]' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'sample calls')
        _arguments '--help[print help]' \
            '*--graph[combine all calls of one function by another]' \
            '*--dot[with --graph]' \
            '*--svg[with --graph]' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--sort=[sort by ORDER]:ORDER:(count mean function file)' \
            '*--most=[print at most N rows]:N:' \
            '*--text[print everything in the text form, which trod can read]' \
            '*--check[run the validators]' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'sample loops')
        _arguments '--help[print help]' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--sort=[sort by ORDER]:ORDER:(count mean function file)' \
            '*--most=[print at most N rows]:N:' \
            '*--text[print everything in the text form, which trod can read]' \
            '*--check[run the validators]' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'sample data')
        _arguments '--help[print help]' \
            '*--by=[treat references as equal if WHAT]:WHAT:(object address field site)' \
            '*--shortest=[minimum length of a stream, in references]:N:' \
            '*--longest=[maximum length of a stream, in references]:N:' \
            '*--least=[omit streams with a smaller share of all references]:PERCENT:' \
            '*--exact[count every occurrence of a stream, including those inside others, and rank by that]' \
            '*--no-stack[omit references to stacks]' \
            '*--refs[print the references, one per line, in the text form, which trod can read]' \
            '*--symbols=[build grammars of at most N symbols]:N:' \
            '*'{-f+,--function=}'[include only streams with a load or store in a function whose name matches GLOB]:GLOB:' \
            '*--most=[print at most N streams]:N:' \
            '*--text[print everything in the text form, which trod can read]' \
            '*--check[run the validators]' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'version constructs')
        _arguments '--help[print help]' \
            '*--level=[omit constructs finer than LEVEL]:LEVEL:' \
            '*--root=[the root of the sources]:FOLDER:_files -/' \
            '*--meaning[also compile all units, to hash the meaning of functions]' \
            '*--text[print the text form with hashes, which other commands read]' \
            '*--check[run the validators on the input]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'version diff')
        _arguments '--help[print help]' \
            '*--weight=[the weight of a change of KIND]:KIND[:WHAT]=N:' \
            '*--alike=[treat two statements as one that was edited if their similarity is at least SHARE, from 0 to 1]:SHARE:' \
            '*--text[print the mapping and all changes by number]' \
            '*--check[run the validators on input and result]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'version impact')
        _arguments '--help[print help]' \
            '*--method=[the method that finds what is affected]:METHOD:(none blind hash ba ag sl hybrid own)' \
            '*--level=[list constructs of LEVEL]:LEVEL:' \
            '*--explain=[explain whether and why FUNCTION and its loops are affected]:FUNCTION:' \
            '*--threshold=[with --method=hybrid]:SHARE:' \
            '*--check[run the validators on the result]' \
            '*--text[print construct numbers, with reasons]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'version score')
        _arguments '--help[print help]' \
            '*--full=[a complete profile of the new version on INPUT]:[INPUT=]FILE:' \
            '*--all[also treat parts of functions that did not run as entries]' \
            '*--times=[print the time saved, from the measurements in FILE]:FILE:_files' \
            '*--wrong=-[also print the N entries]::N:' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--max-steps=[fail after N recorded steps]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw trace')
        _arguments '--help[print help]' \
            '*--text[print the trace as text, one line per run]' \
            '*--trace[write a trace file]' \
            '*--pt[write the Intel PT packets of thread 0]' \
            '*--image=[with --pt]:FILE[@ADDRESS]:' \
            '*--stacks=[print the branch stacks that '\''perf script'\'' would print if perf sampled one in N taken branches]:N:' \
            '*--seed=[with --stacks]:N:' \
            '*--from=[omit runs before instruction N, counted over all threads from 0]:N:' \
            '*--to=[omit runs from instruction N on]:N:' \
            '*--name=[with --text or --trace]:NAME:' \
            '*--check[exit with status 1 if the trace is inconsistent or damaged]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw import')
        _arguments '--help[print help]' \
            '*--pt[each FILE has the Intel PT packets of one thread]' \
            '*--image=[the code that ran]:FILE[@ADDRESS]:' \
            '*--text[print the trace as text, one line per run]' \
            '*--trace[write a trace file]' \
            '*--name=[with --text or --trace]:NAME:' \
            '*--most=[print at most N paths]:N:' \
            '*--check[run the validators]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw lift')
        _arguments '--help[print help]' \
            '*'{-o+,--output=}'[write the profile to FILE instead of standard output]:FILE:_files' \
            '*--map=[write the map to FILE instead of PROFILE.trodmap]:FILE:_files' \
            '*--also=[also use the code of another run to build the graphs, without counting it]:FILE:_files' \
            '*--limit=[cut functions until they have at most N paths]:N:' \
            '*--text[print functions, their graphs and paths]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw model')
        _arguments '--help[print help]' \
            '*--control=[the control register, which defines the branches that begin and end paths]:REGISTER:' \
            '*--set=[change a line of the control register, such as --set='\''back]:LINE:' \
            '*--table=[run a hot path table over the paths]:DESIGN:' \
            '*--machine=[the machine whose misses, mispredictions or power are counted, if the control register selects them]:WHICH:' \
            '*--window=[also print the overlap in windows of N instructions]:N:' \
            '*--phases=-[find phases, in intervals of N instructions]::N:' \
            '*--least=[with --phases]:PERCENT:' \
            '*--spread[print the share of the heaviest paths, and of paths with few branches]' \
            '*--grammar[print the path sequence of each thread, as a grammar]' \
            '*--from=[omit runs before instruction N, counted over all threads from 0]:N:' \
            '*--to=[omit runs from instruction N on]:N:' \
            '*--most=[print at most N paths]:N:' \
            '*--text[print the control register, and do not read a trace]' \
            '*--check[run the validators]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw timing')
        _arguments '--help[print help]' \
            '*--machine=[the machine]:WHICH:' \
            '*--design=[also time this design]:WORDS:' \
            '*--text[print the machine as text, and do not read a trace]' \
            '*--from=[omit runs before instruction N, counted over all threads from 0]:N:' \
            '*--to=[omit runs from instruction N on]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw edit')
        _arguments '--help[print help]' \
            '*--profile=[sample WHAT with the productions built into trod]:WHAT,...:(methods calls streams)' \
            '*--productions=[read productions from FILE instead]:FILE:_files' \
            '*--set=[set a register to N, such as sampleFreq=999, or the number of micro-operations of a handler]:NAME=N:' \
            '*--burst=[the same as --set=burstLength=N]:N:' \
            '*--period=[how sampleFreq varies]:HOW:(fixed prime jitter)' \
            '*--seed=[seed of --period=jitter]:N:' \
            '*--exhaustive[sample everything, regardless of the counters]' \
            '*--literal[use the productions exactly as published, including their errors]' \
            '*--cpi=[average cycles per instruction and micro-operation]:CYCLES:' \
            '*--addresses=[for streams]:N:' \
            '*--machine=[also time baseline, plain and conditional on this machine of '\''trod hw timing'\'']:NAME:' \
            '*--most=[print at most N members of a profile]:N:' \
            '*--from=[omit runs before instruction N, counted over all threads from 0]:N:' \
            '*--to=[omit runs from instruction N on]:N:' \
            '*--text[print the productions as read]' \
            '*--check[run the validators]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw explore')
        _arguments '--help[print help]' \
            '*--study=[use a built-in study instead of a file]:NAME:(parameters tables policies queue bursts)' \
            '*--designs[print the designs without running them]' \
            '*--parameters[print the available parameters and measures]' \
            '*--order=[for factorials]:N:' \
            '*--text[print study and values in the text form, which trod can read]' \
            '*--csv[print a line for each trace, design and measure]' \
            '*--svg[draw effects, or means for sweeps]' \
            '*--from=[omit the first N instructions of each trace]:N:' \
            '*--to=[stop before instruction N]:N:' \
            '*--check[run the validators]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'stage graph')
        _arguments '--help[print help]' \
            '*--show=[print these properties of the graph instead]:LIST:(hash order dom pdom loops back cuts weights dag all)' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--json[print JSON]' \
            '*--dot[draw, in the DOT language]' \
            '*--svg[draw one function, as SVG]' \
            '*--check[run the validators]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'stage number')
        _arguments '--help[print help]' \
            '*--list[print the paths with their ids and sums instead]' \
            '*--most=[list at most N of them]:N:' \
            '*--decode=[print the path with this Ball-Larus id instead]:ID:' \
            '*--encode=[print the sum]:TRAIL:' \
            '*--measure[print a comparison of the kinds instead]' \
            '*--coding[print the numberings as models of an arithmetic coder instead]' \
            '*--pack=[pack two sums into one register, low bits first]:KIND,KIND:(ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length)' \
            '*--exact[find the densest possible preferential numbering]' \
            '*'{-k+,--kind=}'[the kind of numbering]:KIND:(ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length)' \
            '*'{-p+,--path=}'[a chosen path]:TRAIL:' \
            '*--paths=[a file of chosen paths]:FILE:_files' \
            '*--limit=[cut edges until there are at most N paths]:N:' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--json[print JSON]' \
            '*--dot[draw, in the DOT language]' \
            '*--svg[draw one function, as SVG]' \
            '*--check[run the validators]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'stage probe')
        _arguments '--help[print help]' \
            '*--place=[where to place the operations]:PLACEMENT:(frontier tree plain)' \
            '*--no-trips[do not count loop iterations in registers]' \
            '*--cost[print the cost of each placement instead, or with --want of each plan]' \
            '*--want=[plan as '\''trod cc --paths'\'' or '\''--tested'\'' does]:WANT:(chosen residual untested)' \
            '*--plan=[with --want]:PLAN:(all selective preferential hash stray mask bits)' \
            '*'{-k+,--kind=}'[the kind of numbering]:KIND:(ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length)' \
            '*'{-p+,--path=}'[a chosen path]:TRAIL:' \
            '*--paths=[a file of chosen paths]:FILE:_files' \
            '*--limit=[cut edges until there are at most N paths]:N:' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB]:GLOB:' \
            '*--json[print JSON]' \
            '*--dot[draw, in the DOT language]' \
            '*--svg[draw one function, as SVG]' \
            '*--check[run the validators]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'stage grammar')
        _arguments '--help[print help]' \
            '*--expand[print the sequences instead]' \
            '*--most=[with --expand]:N:' \
            '*--sizes[print their sizes instead]' \
            '*--hot=-[print the N rules]::N:' \
            '*--most-symbols=[keep at most N symbols in memory, then begin a new part]:N:' \
            '*--check[run the validator]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'stage flow')
        _arguments '--help[print help]' \
            '*'{-f+,--function=}'[include only functions whose names match GLOB, and their files]:GLOB:' \
            '*--check[check that flow is conserved at every block]' \
            '*--binary=[take names and lines from this program, library or map instead of the recorded location]:FILE:_files' \
            '*--maps=[search this folder first for programs, libraries and maps, by build id]:FOLDER:_files -/' \
            '*--max-expand=[limit decompression to SIZE bytes per file, such as 512m or 2g]:SIZE:' \
            '*--strict[fail if any file is not a profile, instead of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    esac
}

[[ $funcstack[1] = _trod ]] && _trod "$@" || compdef _trod trod
