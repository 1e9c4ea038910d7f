#!/bin/sh
# Commands in maps are untrusted: analysing a program does not run its code, and does not write files that it names.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

clang=${TROD_CLANG:-clang-19}
command -v "$clang" >/dev/null || skip_all "no $clang"

# A library that leaves a file behind wherever it is loaded.
cat >evil.c <<'EOC'
#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void leave(void)
{
    close(open(PLACE, O_CREAT | O_WRONLY, 0600));
}
EOC
"$clang" -shared -fPIC "-DPLACE=\"$PWD/loaded\"" evil.c -o evil.so
printf -- '-Xclang\n-load\n-Xclang\n%s\n' "$PWD/evil.so" >evil.rsp
printf 'int main(void)\n{\n    return MACRO;\n}\n' >app.c
printf '#!/bin/sh\n: >%s/loaded\n' "$PWD" >as
chmod +x as
mkdir bin && cp as bin/clang-19 && cp as bin/clang
printf -- '-Xclang -load -Xclang %s\n' "$PWD/evil.so" >evil.cfg

tell()
{
    ok "$1: nothing was loaded or run" test ! -e loaded
    ok "$1: nothing was written" test ! -e written
    return 0
}

# analyse NAME ARGUMENT...: a map with this command is read by all that read sources.
analyse()
{
    name=$1
    shift
    rm -f loaded written
    {
        printf '[{"directory": "%s", "file": "app.c", "arguments": ["clang", "-DMACRO=0"' "$PWD"
        for arg; do printf ', "%s"' "$arg"; done
        printf ', "-c", "app.c"]}]\n'
    } >compile_commands.json
    trod version constructs --meaning compile_commands.json >meaning 2>said
    # All go through one list of options (port/clang/clang_option.c): the quick run tries all once.
    case ${TROD_FULL:-}$name in plain | '-Xclang -load' | -fplugin=) ;; [!1]*) tell "$name" && return ;; esac
    {
        trod version constructs compile_commands.json >printed
        trod version diff compile_commands.json compile_commands.json >changes
        trod version impact --method=sl compile_commands.json compile_commands.json >impacts
    } 2>>said
    tell "$name"
}

analyse plain
like "$(cat meaning)" "main" "a harmless command is read"
unlike "$(cat said)" "left out" "... without a word"
analyse "-Xclang -load" -Xclang -load -Xclang "$PWD/evil.so"
like "$(cat said)" "option '-Xclang -load' is ignored" "what is left out is named"
like "$(cat meaning)" "main" "... and the source is read all the same"
analyse "-fplugin=" "-fplugin=$PWD/evil.so"
analyse "-fpass-plugin=" "-fpass-plugin=$PWD/evil.so"
analyse "-mllvm -load" -mllvm "-load=$PWD/evil.so"
analyse "-mllvm=" "-mllvm=-load=$PWD/evil.so"
analyse "-Xclang -mllvm" -Xclang -mllvm -Xclang "-load=$PWD/evil.so"
analyse "@file" "@$PWD/evil.rsp"
analyse "-I@file" "-I@$PWD/evil.rsp"
analyse "-I @file" -I "@$PWD/evil.rsp"
analyse "-D@file" "-D@$PWD/evil.rsp"
analyse "-isystem @file" -isystem "@$PWD/evil.rsp"
analyse "-include @file" -include "@$PWD/evil.rsp"
analyse "--sysroot=@file" "--sysroot=@$PWD/evil.rsp"
analyse "-Wp," "-Wp,-load,$PWD/evil.so"
analyse "-Wp,-D,@" "-Wp,-DX,@$PWD/evil.rsp"
analyse "-Xpreprocessor" -Xpreprocessor -load -Xpreprocessor "$PWD/evil.so"
analyse "--config" "--config=$PWD/evil.cfg"
analyse "--config-user-dir" --config-user-dir="$PWD" --config evil.cfg
analyse "-B" "-B$PWD" -fno-integrated-as
analyse "-fno-integrated-cc1" -fno-integrated-cc1 -ccc-install-dir "$PWD/bin"
analyse "-ccc" -ccc-install-dir "$PWD/bin"
analyse "-wrapper" -wrapper "$PWD/as"
analyse "-specs" "-specs=$PWD/evil.rsp"
analyse "-o" -o written
analyse "-owritten" -owritten
analyse "-MD -MF" -MD -MF written
analyse "-Wp,-MD" "-Wp,-MD,written"
analyse "-ftime-trace=" "-ftime-trace=written"
analyse "-fproc-stat-report=" "-fproc-stat-report=written"
analyse "-foptimization-record-file=" -fsave-optimization-record "-foptimization-record-file=written"
analyse "-fmodules-cache-path=" -fmodules "-fmodules-cache-path=written"
analyse "-dependency-dot" -Xclang -dependency-dot -Xclang written
analyse "-MJ" -MJ written
analyse "-serialize-diagnostics" --serialize-diagnostics written
analyse "-save-temps" "-save-temps=$PWD" -dumpdir written
analyse "-gen-cdb-fragment-path" -gen-cdb-fragment-path written
analyse "-module-dependency-dir" -module-dependency-dir written
analyse "-fcrash-diagnostics-dir" "-fcrash-diagnostics-dir=written"
analyse "-x ir" -x ir
mkdir tree && cp app.c tree/ && echo 'secret here' >outside.h
cat >compile_commands.json <<EOC
[{"directory": "$PWD/tree", "file": "app.c", "arguments": ["clang", "-DMACRO=0", "-include", "../outside.h", "-c", "app.c"]}]
EOC
unlike "$(trod version constructs compile_commands.json 2>&1)" secret "-include: files outside the sources are not read"

# A map of a program that was built says the same.
trod cc -DMACRO=0 -Wp,-U_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=2 -O2 -fno-strict-aliasing -mtune=generic \
    -fvisibility=hidden -fstack-protector-strong -ffunction-sections -std=gnu11 -g app.c -o app
trod version constructs --meaning app >meaning 2>said
like "$(cat meaning)" "main" "options that programs are built with are known"
is "$(cat said)" "" "... without a word"

done_testing
