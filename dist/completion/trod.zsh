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
        'split:move the map of a program into a file of its own'
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
            'lift:turn what an emulator saw into a profile'
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
            '*--at=[source]:WHERE:' \
            '*--limit=[cut functions with more than N paths]:N:' \
            '*--rounds=[count each path together with up to K-1 before it in the same call, K from 2 to 8]:K:' \
            '*--record=[what the map in the program says of how it was compiled]:safe|all:' \
            '*--left=[do not count how often functions are left in the middle, by longjmp, exceptions or exit]:no:' \
            '*--counters[note where clang'\''s own counters would be, so that '\''trod export --to=llvm'\'' can tell what they would have counted, for '\''clang -fprofile-use'\'' and llvm-cov]' \
            '*--only=[count only functions whose names match]:GLOB:' \
            '*--skip=[do not count functions whose names match]:GLOB:' \
            '*--paths=[count only these paths, of a path list or a profile]:FILE:_files' \
            '*--tested=[look for paths that are not among these, of a profile of the tests or a path list]:FILE:_files' \
            '*--untested-only[with --tested]' \
            '*--partial[with --paths or --tested]' \
            '*--plan=[with --paths or --tested]:PLAN:' \
            '*--explain[with --paths, --tested, --segments or --rounds]' \
            '*--wpp[note what each thread does, step by step, as a grammar]' \
            '*--subpaths[count paths that end at calls, too]' \
            '*--segments=[count paths across calls that are made of these segments, of '\''trod calls segments'\'']:FILE:_files' \
            '*--depth=[with --segments=PROFILE]:K:' \
            '*--others[with --segments]' \
            '*--code-limit=[with --segments]:N:' \
            '*--online=-[sample subpaths of blocks while the program runs]::OPTIONS:' \
            '*--burst=-[sample in bursts]::OPTIONS:' \
            '*--budget=[sample in bursts that cost so much of the time]:P%:' \
            '*--out=[where the program leaves its profile]:PATTERN:' \
            '*::: :_files'
        ;;
    'c++')
        _arguments '--help[print help]' \
            '*--at=[source]:WHERE:' \
            '*--limit=[cut functions with more than N paths]:N:' \
            '*--rounds=[count each path together with up to K-1 before it in the same call, K from 2 to 8]:K:' \
            '*--record=[what the map in the program says of how it was compiled]:safe|all:' \
            '*--left=[do not count how often functions are left in the middle, by longjmp, exceptions or exit]:no:' \
            '*--counters[note where clang'\''s own counters would be, so that '\''trod export --to=llvm'\'' can tell what they would have counted, for '\''clang -fprofile-use'\'' and llvm-cov]' \
            '*--only=[count only functions whose names match]:GLOB:' \
            '*--skip=[do not count functions whose names match]:GLOB:' \
            '*--paths=[count only these paths, of a path list or a profile]:FILE:_files' \
            '*--tested=[look for paths that are not among these, of a profile of the tests or a path list]:FILE:_files' \
            '*--untested-only[with --tested]' \
            '*--partial[with --paths or --tested]' \
            '*--plan=[with --paths or --tested]:PLAN:' \
            '*--explain[with --paths, --tested, --segments or --rounds]' \
            '*--wpp[note what each thread does, step by step, as a grammar]' \
            '*--subpaths[count paths that end at calls, too]' \
            '*--segments=[count paths across calls that are made of these segments, of '\''trod calls segments'\'']:FILE:_files' \
            '*--depth=[with --segments=PROFILE]:K:' \
            '*--others[with --segments]' \
            '*--code-limit=[with --segments]:N:' \
            '*--online=-[sample subpaths of blocks while the program runs]::OPTIONS:' \
            '*--burst=-[sample in bursts]::OPTIONS:' \
            '*--budget=[sample in bursts that cost so much of the time]:P%:' \
            '*--out=[where the program leaves its profile]:PATTERN:' \
            '*::: :_files'
        ;;
    'run')
        _arguments '--help[print help]' \
            '*::: :_files'
        ;;
    'emulate')
        _arguments '--help[print help]' \
            '*'{-o+,--output=}'[keep the profile in FILE, and its map beside it, with '\''.trodmap'\'' behind its name]:FILE:_files' \
            '*--trace=[write all that the program did to FILE, block by block, for '\''trod hw trace'\'', '\''trod hw model'\'' and the like]:FILE:_files' \
            '*--accesses[with --trace]' \
            '*--first=[with --trace]:N:' \
            '*--raw=[keep what the emulator saw of each process in FOLDER, for '\''trod hw lift'\'']:FOLDER:_files -/' \
            '*--emulator=[run it by this emulator]:FILE:_files' \
            '*--limit=[cut functions until they have at most N paths]:N:' \
            '*'{-f+,--function=}'[print only paths of functions whose names match GLOB]:GLOB:' \
            '*--most=[print at most N rows]:N:' \
            '*--sort=[list by ORDER]:ORDER:(count weight function file)' \
            '*--group=[print one row for each WHAT]:WHAT:(none function file loop)' \
            '*--blocks[tell paths by their blocks, not by lines]' \
            '*--json[print JSON]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'report')
        _arguments '--help[print help]' \
            '*--list[print the paths as a list instead, as '\''trod set list'\'' and '\''trod untested'\'' take it]' \
            '*--blocks[print the blocks of paths, not their decisions]' \
            '*--conditions[with --brief or --json]' \
            '*'{-v,--verbose}'[print all decisions of long paths, and the lines that each path is on]' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--sort=[list by ORDER]:ORDER:(count weight function file)' \
            '*--group=[put paths together]:WHAT:(none function file loop)' \
            '*--most=[print at most N rows]:N:' \
            '*--brief[print one line a path]' \
            '*--file=[take only functions of files that match GLOB]:GLOB:' \
            '*--directory=[take only functions of files below FOLDER]:FOLDER:_files -/' \
            '*--all-code[show functions of system headers and libraries, too]' \
            '*--exact[print counts with all their digits, not 12.3k]' \
            '*--color=[use colours]:WHEN:(auto always never)' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--source=[look first for sources in this folder, by as much of their names as is there]:FOLDER:_files -/' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'html')
        _arguments '--help[print help]' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--all[show functions that did not run, too]' \
            '*--most=[list at most N paths, the most frequent]:N:' \
            '*--source=[look first for sources in this folder, by as much of their names as is there]:FOLDER:_files -/' \
            '*--tested=[mark paths that ran in none of these profiles or lists, any number]:FILE:_files' \
            '*--partial[with --tested]' \
            '*--missing=-[show paths that did not run, too, at most N]::N:' \
            '*--since=[compare with this profile]:FILE:_files' \
            '*--editor=[open lines of the source in an editor, by a link with {path}, {line} and {column} in it, as vscode]:LINK:' \
            '*--layout=[let dot spend at most SECONDS on control-flow graphs]:SECONDS:' \
            '*--no-layout[do not run dot]' \
            '*--depth=[where steps were recorded, or paths go on into calls]:K:' \
            '*--table=[of a stream of branches]:DESIGN:' \
            '*--control=[of a stream of branches]:REGISTER:' \
            '*--set=[change a line of the register]:LINE:' \
            '*--window=[of a stream of branches]:N:' \
            '*--from=[of a stream of branches]:N:' \
            '*--to=[of a stream of branches]:N:' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--max-steps=[go through at most N recorded steps, else fail]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'annotate')
        _arguments '--help[print help]' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--file=[take only functions of files that match GLOB]:GLOB:' \
            '*--directory=[take only functions of files below FOLDER]:FOLDER:_files -/' \
            '*--all-code[show functions of system headers and libraries, too]' \
            '*--exact[print counts with all their digits, not 12.3k]' \
            '*--color=[use colours]:WHEN:(auto always never)' \
            '*--all[show functions that did not run, too]' \
            '*--most=[list at most N paths of a function]:N:' \
            '*'{-p+,--path=}'[show one path of the function, by its id]:ID:' \
            '*--source=[look first for sources in this folder, by as much of their names as is there]:FOLDER:_files -/' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'top')
        _arguments '--help[print help]' \
            '*'{-p+,--pid=}'[look at the program with this process id]:PID:' \
            '*--interval=[look again after so long]:SECONDS:' \
            '*--sort=[list by ORDER]:ORDER:(count blocks length function)' \
            '*--once[print it once, for scripts]' \
            '*'{-f+,--function=}'[take only subpaths with a block of a function whose name matches GLOB]:GLOB:' \
            '*--most=[print at most N rows]:N:' \
            '*--weight=[rank a subpath of n blocks by how often it ran, less one standard error, times n to the Eth]:E:' \
            '*--confidence=[give bounds that hold with a probability of P percent]:P:' \
            '*--threshold=[print only subpaths that ran N times or more, and which of them surely did]:N:' \
            '*--blocks[tell subpaths by their blocks, not by lines]' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'coverage')
        _arguments '--help[print help]' \
            '*--missing=-[list paths that did not run instead, at most N]::N:' \
            '*--min=[status 1 if a lower share of the paths ran]:PERCENT:' \
            '*--min-edges=[status 1 if a lower share of the edges ran]:PERCENT:' \
            '*--min-blocks=[status 1 if a lower share of the blocks ran]:PERCENT:' \
            '*--sort=[list by ORDER]:ORDER:(worth share left function file)' \
            '*--group=[put functions together]:WHAT:(function file program)' \
            '*--most=[print at most N rows]:N:' \
            '*--brief[print one line a path]' \
            '*--file=[take only functions of files that match GLOB]:GLOB:' \
            '*--directory=[take only functions of files below FOLDER]:FOLDER:_files -/' \
            '*--all-code[show functions of system headers and libraries, too]' \
            '*--exact[print counts with all their digits, not 12.3k]' \
            '*--color=[use colours]:WHEN:(auto always never)' \
            '*--source=[look first for sources in this folder, by as much of their names as is there]:FOLDER:_files -/' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'untested')
        _arguments '--help[print help]' \
            '*--tested=[what the tests ran]:FILE:_files' \
            '*--partial[compare the functions that agree, if the tests ran another build]' \
            '*--list[print the untested paths as a list instead]' \
            '*--most=[print at most N paths]:N:' \
            '*--brief[print one line a path]' \
            '*--file=[take only functions of files that match GLOB]:GLOB:' \
            '*--directory=[take only functions of files below FOLDER]:FOLDER:_files -/' \
            '*--all-code[show functions of system headers and libraries, too]' \
            '*--exact[print counts with all their digits, not 12.3k]' \
            '*--color=[use colours]:WHEN:(auto always never)' \
            '*--source=[look first for sources in this folder, by as much of their names as is there]:FOLDER:_files -/' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'tests')
        _arguments '--help[print help]' \
            '*--failed=[the tests in this profile failed, those in others passed]:FILE:_files' \
            '*--first[print for each path the first test that takes it]' \
            '*--by=[order tests by WHAT]:WHAT:(paths time)' \
            '*--name=[name tests by this field of their runs, such as '\''argument'\'' or '\''directory'\'', and not by their files]:FIELD:' \
            '*--foreign[take tests of several builds, or of programs that share no function, together]' \
            '*--blocks[tell paths by their blocks, not by lines]' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--most=[print at most N rows]:N:' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'diff')
        _arguments '--help[print help]' \
            '*--force[compare profiles of programs that have few functions in common, too]' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--sort=[list by ORDER]:ORDER:(count weight function file)' \
            '*--group=[put paths together]:WHAT:(none function file loop)' \
            '*--most=[print at most N rows]:N:' \
            '*--brief[print one line a path]' \
            '*--file=[take only functions of files that match GLOB]:GLOB:' \
            '*--directory=[take only functions of files below FOLDER]:FOLDER:_files -/' \
            '*--all-code[show functions of system headers and libraries, too]' \
            '*--exact[print counts with all their digits, not 12.3k]' \
            '*--color=[use colours]:WHEN:(auto always never)' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--source=[look first for sources in this folder, by as much of their names as is there]:FOLDER:_files -/' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'overlap')
        _arguments '--help[print help]' \
            '*--top=[the second overlap is of the hottest members that make up so much of each profile]:PERCENT:' \
            '*--min=[status 1 if the overlap is lower]:PERCENT:' \
            '*--depth=[where steps were recorded, or paths go on into calls]:K:' \
            '*--group=[put paths together]:WHAT:(none function file loop)' \
            '*--kind=[where programs were sampled in bursts]:KIND:(paths methods calls graph trips streams)' \
            '*--by=[with --kind=streams]:DATA:(object address field site)' \
            '*--shortest=[with --kind=streams]:N:' \
            '*--longest=[with --kind=streams]:N:' \
            '*--most=[print at most N members]:N:' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--max-steps=[go through at most N recorded steps, else fail]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'migrate')
        _arguments '--help[print help]' \
            '*--old=[the version that the profiles are of]:VERSION:' \
            '*--new=[the version to migrate to, built as a whole]:VERSION:' \
            '*--type=[what profiles have entries of]:TYPE:' \
            '*--level=[reuse entries by LEVEL, not finer]:LEVEL:' \
            '*--method=[reuse what METHOD says]:METHOD:(none blind hash ba ag sl hybrid own)' \
            '*--check=[FILE is a profile of the new version, built as a whole, on input NAME]:NAME=FILE:' \
            '*--threshold=[of hybrid]:SHARE:' \
            '*--weight=[of hybrid]:KIND[:WHAT]=N:' \
            '*--no-rerun[no input is run again]' \
            '*--explain=[print what became of the entries of a function, and why]:FUNCTION:' \
            '*--finish=[merge what was planned with profiles of the new version]:PLAN:' \
            '*--score=[compare what was merged with whole profiles of the new version]:MERGED:' \
            '*--binary=[of profiles of other profilers]:FILE:_files' \
            '*--most=[print at most N functions]:N:' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--max-steps=[go through at most N recorded steps, else fail]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'merge')
        _arguments '--help[print help]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*--keep-runs[keep the counts of each run apart]' \
            '*--text[write the text form]' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'export')
        _arguments '--help[print help]' \
            '*--to=[write FORMAT]:FORMAT:(pprof pprof-blocks collapsed callgrind dot json csv lcov cobertura gcov llvm sample propeller profdata)' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--most=[take the N paths that ran most, where a format is of paths]:N:' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--source=[look first for sources in this folder, by as much of their names as is there]:FOLDER:_files -/' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'check')
        _arguments '--help[print help]' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'show')
        _arguments '--help[print help]' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'split')
        _arguments '--help[print help]' \
            '*'{-o+,--output=}'[write to FILE instead of PROGRAM.trodmap]:FILE:_files' \
            '*--strip[then take the map out of PROGRAM]' \
            '*--text[print the map as text instead]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'help')
        _arguments '--help[print help]' \
            '*--man[print the manual page]' \
            '*--commands[print the names of all commands, one a line]' \
            '*--completion=[print completion for bash, zsh or fish]:SHELL:(bash zsh fish)' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*::: :(cc c++ run emulate report html annotate top coverage untested tests diff overlap migrate merge export check show split help set calls sample version hw stage list union intersect subtract partition steps segments supergraph residual subpaths functions calls loops data constructs diff impact score trace import lift model timing edit explore graph number probe grammar flow)'
        ;;
    'set list')
        _arguments '--help[print help]' \
            '*--and=[keep only paths that are in FILE, too]:FILE:_files' \
            '*--minus=[leave out paths that are in FILE]:FILE:_files' \
            '*--partial[with --binary]' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'set union')
        _arguments '--help[print help]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*--text[write the text form]' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'set intersect')
        _arguments '--help[print help]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*--text[write the text form]' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'set subtract')
        _arguments '--help[print help]' \
            '*--counts[subtract counts, not paths]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*--text[write the text form]' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'set partition')
        _arguments '--help[print help]' \
            '*--sites=[how many sites there are]:N:' \
            '*--out=[write the lists, to PREFIX.1.list, PREFIX.2.list and so on]:PREFIX:' \
            '*--counts=[take from this profile, too, how often paths run]:FILE:_files' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
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
            '*--binary=[take graphs, names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--max-steps=[go through at most N recorded steps, else fail]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'calls segments')
        _arguments '--help[print help]' \
            '*--depth=[let segments span K calls]:K:' \
            '*--tell[tell them in words, with lines, one call in the other]' \
            '*--most=[print the N most frequent]:N:' \
            '*--check[run the validators]' \
            '*--binary=[take graphs, names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--max-steps=[go through at most N recorded steps, else fail]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'calls supergraph')
        _arguments '--help[print help]' \
            '*--depth=[go K calls deep at most]:K:' \
            '*--limit=[cut edges until there are at most N paths]:N:' \
            '*--list[print the paths as subpaths, calls and returns instead, and whether all their segments were given]' \
            '*--most=[list at most N of them]:N:' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--json[print JSON]' \
            '*--dot[draw, in the DOT language]' \
            '*--svg[draw one function, as SVG]' \
            '*--check[run the validators]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'calls residual')
        _arguments '--help[print help]' \
            '*--build=[builds the program anew, with $CC or $CXX for the compiler]:COMMAND:' \
            '*--test=[runs the tests]:COMMAND:' \
            '*--field=[runs the program as the field does]:COMMAND:' \
            '*--depth=[let paths go into calls K deep]:K:' \
            '*--with-wpp[let stage 1 note whole program paths]' \
            '*--keep=[put profiles and what commands print into FOLDER, and leave them there]:FOLDER:_files -/' \
            '*--most=[print at most N paths]:N:' \
            '*--brief[print one line a path]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'sample subpaths')
        _arguments '--help[print help]' \
            '*--text[print all in the text form, which is read again]' \
            '*'{-f+,--function=}'[take only subpaths with a block of a function whose name matches GLOB]:GLOB:' \
            '*--most=[print at most N rows]:N:' \
            '*--weight=[rank a subpath of n blocks by how often it ran, less one standard error, times n to the Eth]:E:' \
            '*--confidence=[give bounds that hold with a probability of P percent]:P:' \
            '*--threshold=[print only subpaths that ran N times or more, and which of them surely did]:N:' \
            '*--blocks[tell subpaths by their blocks, not by lines]' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--exact[count all subpaths of a trace, or of a program that is run, named behind '\''--'\'']' \
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
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--sort=[list by ORDER]:ORDER:(count mean function file)' \
            '*--most=[print at most N rows]:N:' \
            '*--text[print all in the text form, which is read again]' \
            '*--check[run the validators]' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'sample calls')
        _arguments '--help[print help]' \
            '*--graph[put calls together that are of one function by one function]' \
            '*--dot[with --graph]' \
            '*--svg[with --graph]' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--sort=[list by ORDER]:ORDER:(count mean function file)' \
            '*--most=[print at most N rows]:N:' \
            '*--text[print all in the text form, which is read again]' \
            '*--check[run the validators]' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'sample loops')
        _arguments '--help[print help]' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--sort=[list by ORDER]:ORDER:(count mean function file)' \
            '*--most=[print at most N rows]:N:' \
            '*--text[print all in the text form, which is read again]' \
            '*--check[run the validators]' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'sample data')
        _arguments '--help[print help]' \
            '*--by=[take references for the same if they are WHAT]:WHAT:(object address field site)' \
            '*--shortest=[streams have N references at least]:N:' \
            '*--longest=[streams have N references at most]:N:' \
            '*--least=[leave out streams that have less of all references]:PERCENT:' \
            '*--exact[count every occurrence of a stream, within others, too, and rank by that]' \
            '*--no-stack[leave out references to stacks]' \
            '*--refs[print the references, one a line, in the text form, which is read again]' \
            '*--symbols=[build grammars of at most N symbols]:N:' \
            '*'{-f+,--function=}'[take only streams with a load or store of a function whose name matches GLOB]:GLOB:' \
            '*--most=[print at most N streams]:N:' \
            '*--text[print all in the text form, which is read again]' \
            '*--check[run the validators]' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'version constructs')
        _arguments '--help[print help]' \
            '*--level=[leave out what is finer than LEVEL]:LEVEL:' \
            '*--root=[the folder of the sources]:FOLDER:_files -/' \
            '*--meaning[compile all units, too, for hashes of what functions mean]' \
            '*--text[print the text form, with hashes, which other commands read]' \
            '*--check[check what was read]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'version diff')
        _arguments '--help[print help]' \
            '*--weight=[count a change of this kind as N]:KIND[:WHAT]=N:' \
            '*--alike=[take two statements for one that was edited if they have this much in common, from 0 to 1]:SHARE:' \
            '*--text[print the map and all changes by number]' \
            '*--check[check what was read, and what was found]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'version impact')
        _arguments '--help[print help]' \
            '*--method=[find what is affected by METHOD]:METHOD:(none blind hash ba ag sl hybrid own)' \
            '*--level=[list constructs of this level]:LEVEL:' \
            '*--explain=[say why this function and its loops are affected, or that they are not]:FUNCTION:' \
            '*--threshold=[with --method=hybrid]:SHARE:' \
            '*--check[check the result]' \
            '*--text[print numbers of constructs, with reasons]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'version score')
        _arguments '--help[print help]' \
            '*--full=[the profile of an input that all of the new version was counted for]:[INPUT=]FILE:' \
            '*--all[parts of functions that did not run are entries, too]' \
            '*--times=[print how much time was saved, by the seconds in FILE]:FILE:_files' \
            '*--wrong=-[print the N entries]::N:' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--max-steps=[go through at most N recorded steps, else fail]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw trace')
        _arguments '--help[print help]' \
            '*--text[print the stream as text, one line a run]' \
            '*--trace[write the stream as a trace file]' \
            '*--pt[write what Intel PT would have noted of thread 0, as packets]' \
            '*--image=[with --pt]:FILE[@ADDRESS]:' \
            '*--stacks=[print what '\''perf script'\'' would, had one in N branches that are taken been sampled]:N:' \
            '*--seed=[with --stacks]:N:' \
            '*--from=[leave out runs before instruction N, counted over all threads from 0]:N:' \
            '*--to=[leave out runs from instruction N on]:N:' \
            '*--name=[with --text or --trace]:NAME:' \
            '*--check[answer no if the stream cannot have been, or is damaged]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw import')
        _arguments '--help[print help]' \
            '*--pt[files are packets of Intel PT, each of one thread]' \
            '*--image=[code that ran]:FILE[@ADDRESS]:' \
            '*--text[print the stream as text, one line a run]' \
            '*--trace[write the stream as a trace file]' \
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
            '*--map=[write the map to FILE instead of beside the profile, where it has '\''.trodmap'\'' behind its name]:FILE:_files' \
            '*--also=[look at the code of another run, too, and count nothing of it]:FILE:_files' \
            '*--limit=[cut functions until they have at most N paths]:N:' \
            '*--text[print functions, their graphs and paths]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw model')
        _arguments '--help[print help]' \
            '*--control=[which branches begin and end paths]:REGISTER:' \
            '*--set=[change a line of the register]:LINE:' \
            '*--table=[run a hot path table over the paths]:DESIGN:' \
            '*--machine=[whose misses, mispredictions or power are counted, where the register says so]:WHICH:' \
            '*--window=[overlap in windows of N instructions, too]:N:' \
            '*--phases=-[find phases, in intervals of N instructions]::N:' \
            '*--least=[with --phases]:PERCENT:' \
            '*--spread[print what share the heaviest paths have, and those of few branches]' \
            '*--grammar[print the paths of each thread in a row, as a grammar]' \
            '*--from=[leave out runs before instruction N, counted over all threads from 0]:N:' \
            '*--to=[leave out runs from instruction N on]:N:' \
            '*--most=[print at most N paths]:N:' \
            '*--text[print the register, and read no stream]' \
            '*--check[run the validators]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw timing')
        _arguments '--help[print help]' \
            '*--machine=[the machine]:WHICH:' \
            '*--design=[time this design, too]:WORDS:' \
            '*--text[print the machine as text, and read no stream]' \
            '*--from=[leave out runs before instruction N, counted over all threads from 0]:N:' \
            '*--to=[leave out runs from instruction N on]:N:' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw edit')
        _arguments '--help[print help]' \
            '*--profile=[sample WHAT, by productions that come with trod]:WHAT,...:(methods calls streams)' \
            '*--productions=[read productions from FILE instead]:FILE:_files' \
            '*--set=[set a register to N, sampleFreq=999, say]:NAME=N:' \
            '*--burst=[the same as --set=burstLength=N]:N:' \
            '*--period=[sampleFreq is HOW]:HOW:(fixed prime jitter)' \
            '*--seed=[draw other numbers for --period=jitter]:N:' \
            '*--exhaustive[sample all that there is]' \
            '*--literal[take productions to the letter of the report they are from, with its errors]' \
            '*--cpi=[what an instruction or micro-operation takes, on average]:CYCLES:' \
            '*--addresses=[of streams]:N:' \
            '*--machine=[time it, too, on this machine, of '\''trod hw timing'\'']:NAME:' \
            '*--most=[print at most N members of a profile]:N:' \
            '*--from=[leave out runs before instruction N, counted over all threads from 0]:N:' \
            '*--to=[leave out runs from instruction N on]:N:' \
            '*--text[print the productions, as they were read]' \
            '*--check[run the validators]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'hw explore')
        _arguments '--help[print help]' \
            '*--study=[instead of a file]:NAME:(parameters tables policies queue bursts)' \
            '*--designs[print the designs that would be tried, and run none]' \
            '*--parameters[print which parameters there are, and what can be measured]' \
            '*--order=[of factorials]:N:' \
            '*--text[print study and values in the text form, which is read again]' \
            '*--csv[print a line for each stream, design and measure]' \
            '*--svg[draw effects]' \
            '*--from=[leave out the first N instructions of each stream]:N:' \
            '*--to=[stop before instruction N]:N:' \
            '*--check[run the validators]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'stage graph')
        _arguments '--help[print help]' \
            '*--show=[print what is known of the graph instead]:LIST:(hash order dom pdom loops back cuts weights dag all)' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
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
            '*--encode=[print the sum of this path instead]:TRAIL:' \
            '*--measure[print how the kinds compare instead]' \
            '*--coding[print the numberings as models of an arithmetic coder instead]' \
            '*--pack=[put two sums in one, low bits first]:KIND,KIND:(ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length)' \
            '*--exact[find the densest preferential numbering there is]' \
            '*'{-k+,--kind=}'[how to number]:KIND:(ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length)' \
            '*'{-p+,--path=}'[a path of interest, block by block]:TRAIL:' \
            '*--paths=[paths of interest]:FILE:_files' \
            '*--limit=[cut edges until there are at most N paths]:N:' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
            '*--json[print JSON]' \
            '*--dot[draw, in the DOT language]' \
            '*--svg[draw one function, as SVG]' \
            '*--check[run the validators]' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'stage probe')
        _arguments '--help[print help]' \
            '*--place=[where to put the operations]:PLACEMENT:(frontier tree plain)' \
            '*--no-trips[do not keep loops in trip counters]' \
            '*--cost[print what each placement costs instead, or with --want, each plan]' \
            '*--want=[plan as '\''trod cc --paths'\'' or '\''--tested'\'' does]:WANT:(chosen residual untested)' \
            '*--plan=[with --want]:PLAN:(all selective preferential hash stray mask bits)' \
            '*'{-k+,--kind=}'[how to number]:KIND:(ballarus selective selective-published selective-safe preferential preferential-published preferential-fit hash length)' \
            '*'{-p+,--path=}'[a path of interest, block by block]:TRAIL:' \
            '*--paths=[paths of interest]:FILE:_files' \
            '*--limit=[cut edges until there are at most N paths]:N:' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB]:GLOB:' \
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
            '*--sizes[print how large they are instead]' \
            '*--hot=-[print the N rules]::N:' \
            '*--most-symbols=[hold at most N symbols]:N:' \
            '*--check[run the validator]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    'stage flow')
        _arguments '--help[print help]' \
            '*'{-f+,--function=}'[take only functions whose names match GLOB, and their files]:GLOB:' \
            '*--check[check that what enters a block leaves it]' \
            '*--binary=[take names and lines from this program, library or map, wherever it ran from]:FILE:_files' \
            '*--maps=[look first for programs, libraries and maps in this folder, by build id]:FOLDER:_files -/' \
            '*--max-expand=[let what is compressed in a file expand to SIZE bytes, as 512m or 2g]:SIZE:' \
            '*--strict[fail if any of several files is no profile, in place of skipping it]' \
            '*--json[print JSON]' \
            '*'{-o+,--output=}'[write to FILE instead of standard output]:FILE:_files' \
            '*'{-q,--quiet}'[print no notes on standard error]' \
            '*::: :_files'
        ;;
    esac
}

[[ $funcstack[1] = _trod ]] && _trod "$@" || compdef _trod trod
