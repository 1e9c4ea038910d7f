#!/bin/sh
# trod cc accepts clang's command lines: which of them link, and which program runs.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >main.c <<'EOF'
#include <stdio.h>
int main(int argc, char **argv)
{
    if (argc > 1)
        puts(argv[1]);
    return 0;
}
EOF
echo 'int f(int x) { return x ? 1 : 2; }' >part.c
echo 'struct s { int a; };' >part.h
cp part.h part.hpp

# counted PROGRAM: it runs and leaves a sound profile.
# shellcheck disable=SC2317 # called through ok
counted()
{
    rm -f ./*.trod
    "./$1" >/dev/null && trod check ./*.trod
}

# --- what links -------------------------------------------------------------------------

ok "a source from standard input" sh -c 'trod cc -x c - -o from_input <main.c'
ok "is counted" counted from_input
ok "a language given for all inputs" trod cc -o with_x -x c main.c
ok "a precompiled header of C++" trod c++ -x c++-header part.hpp -o part.pch
ok "a precompiled header of C" trod cc part.h
ok "is one" test -s part.h.pch -o -s part.h.gch
echo -c >only_compile.rsp
ok "-c in a response file" trod cc -Werror @only_compile.rsp part.c -o part.o
echo main.c -o from_file >link.rsp
ok "a whole command in a response file" trod cc -Werror @link.rsp
ok "is counted, too" counted from_file
ok "--analyze" trod cc -Werror --analyze part.c
ok "--preprocess" trod cc -Werror --preprocess part.c
ok "--compile" trod cc -Werror --compile part.c
ok "--assemble" trod cc -Werror --assemble part.c
ok "--precompile" trod cc -Werror --precompile part.h
ok "-fsyntax-only" trod cc -Werror -fsyntax-only part.c
ok "-r" trod cc -Werror -r part.c -o relocatable.o
ok "inputs behind --" sh -c 'cp main.c ./-main.c && trod cc -o behind -- -main.c'
ok "are counted" counted behind
mkdir -- 'with, comma'
cp "$root"/build/release/trod "$root"/build/release/trod-llvm.so "$root"/build/release/libtrod-rt.a 'with, comma'
ok "a runtime in a folder with a comma in its name" "./with, comma/trod" cc -o comma main.c

# --- libraries --------------------------------------------------------------------------

for options in '-nodefaultlibs -lc' '-nolibc -lc' '-nostdlib -lc -nostartfiles -Wl,-emain'; do
    # The options are words.
    # shellcheck disable=SC2086
    ok "$options" trod cc main.c $options -o libs
done
ok "-nodefaultlibs -lc is counted" sh -c 'trod cc -nodefaultlibs main.c -lc -o libs && ./libs && trod check libs*.trod'
cat >start.c <<'EOF'
#include <stdlib.h>
#include <unistd.h>
static void work(int n) { for (int i = 0; i < n; i++) if (write(1, "hi\n", 3) != 3) _exit(1); }
#ifdef __x86_64__
__attribute__((force_align_arg_pointer))
#endif
void _start(void) { work(2); exit(0); }
EOF
ok "-nostartfiles" trod cc -nostartfiles start.c -o start
ok "is counted" counted start
ok "-nostartfiles, a library" trod cc -nostartfiles -shared -fPIC part.c -o part.so

cat >unload.c <<'EOF'
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    void *library = dlopen("./part.so", RTLD_NOW);
    int (*f)(int) = (int (*)(int))dlsym(library, "f"), status;
    f(1);
    dlclose(library);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return waitpid(child, &status, 0) != child || status;
}
EOF
ok "can be unloaded before a fork" sh -c 'clang-19 unload.c -o unload && ./unload'

# --- what cannot be had -----------------------------------------------------------------

# refused STATUS WORD COMMAND...: one line that names it.
refused()
{
    refused_word=$1
    shift
    refused_said=$("$@" 2>&1) && refused_status=0 || refused_status=$?
    is "$refused_status" 3 "$refused_word is refused"
    is "$(printf '%s\n' "$refused_said" | wc -l)" 1 "by one line"
    like "$refused_said" "$refused_word" "that names it"
}
refused disable-llvm-passes trod cc -Xclang -disable-llvm-passes main.c -o none
refused femulated-tls trod cc -femulated-tls main.c -o none
for target in wasm32 bpf x86_64-w64-mingw32 arm64-apple-macos i386-linux-gnu x86_64-linux-gnux32; do
    machine=${target%%-*}
    refused "$machine" trod cc --target="$target" -c part.c -o none.o
done
refused runtime trod cc --target=nvptx64 -c part.c -o none.o
trod cc -c part.c -o part.o
refused i386 trod cc -m32 part.o -o none
is "$(find . -name 'none*')" "" "nothing is left of them"

# --- which program is run ---------------------------------------------------------------

TROD_CLANG=/nonexistent/clang
export TROD_CLANG
exits 5 "a compiler that is not there" trod cc main.c -o none
like "$(trod cc main.c 2>&1)" '/nonexistent/clang.*TROD_CLANG' "is named"
echo main >functions
exits 5 "also where trod waits for it" trod cc --only=./functions main.c -o none
like "$(trod cc --only=./functions main.c -o none 2>&1)" '/nonexistent/clang.*TROD_CLANG' "and is named there"
printf '#!/nonexistent/shell\n' >broken
chmod +x broken
TROD_CLANG="$PWD/broken"
exits 5 "a compiler that cannot be started" trod cc main.c -o none
like "$(trod cc main.c 2>&1)" 'broken: No such file' "is named"
exits 5 "also where trod waits for it" trod cc --only=./functions main.c -o none
like "$(trod cc --only=./functions main.c -o none 2>&1)" 'broken: No such file' "and is named there"
# shellcheck disable=SC2016 # the script expands it
printf '#!/bin/sh\n[ "$1" = "-###" ] && exec clang-19 "$@"\nkill -9 $$\n' >dies
chmod +x dies
TROD_CLANG="$PWD/dies"
exits 5 "a compiler that is killed" trod cc --only=./functions main.c -o none
like "$(trod cc --only=./functions main.c -o none 2>&1)" 'dies was killed by signal 9 .Killed.' "is named, with the signal"
cat >launch <<'EOF'
#!/bin/sh
echo launched >>launched.log
exec "$@"
EOF
chmod +x launch
TROD_CLANG='./launch clang-19'
ok "a launcher and a compiler" trod cc main.c -o launched
is "$(cat launched.log)" launched "are both run, once"
ok "and count" counted launched
mkdir 'my tools'
ln -s "$(command -v clang-19)" 'my tools/clang'
TROD_CLANG="$PWD/my tools/clang"
ok "a path with a blank" trod cc main.c -o blank
TROD_CLANG=' '
exits 5 "a blank for a name" trod cc main.c -o none
unset TROD_CLANG

# ccache keys objects by the command line: options that reach the plugin in other ways must affect the key.
TROD_CLANG='ccache clang-19' CCACHE_DIR=$PWD/cache
export TROD_CLANG CCACHE_DIR
ok "ccache keeps an object" trod cc -c main.c -o cached.o
ok "and gives it again" trod cc -c main.c -o cached.o
ok "but not for another mode" trod cc --online -c main.c -o cached.o
like "$(ccache --print-stats | tr '\n' ' ')" '(direct|preprocessed)_cache_hit.1 .*cache_miss.2 ' "one was found, two were not"
unset TROD_CLANG

# --- long commands ----------------------------------------------------------------------

# 20,000 options of 20 characters are 400 KB; a string of the environment may have 128.
perl -e 'print "-DNAME_OF_A_MACRO_$_\n" for 1 .. 20_000' >long.txt
# shellcheck disable=SC2016 # the inner shell expands it
ok "400 KB of arguments" sh -c 'set -f && trod cc $(cat long.txt) main.c -o long'
ok "are counted" counted long
ok "the rest of the command is recorded" sh -c \
    'objcopy --dump-section .trod.map=long.map long copy && { zstd -dc long.map 2>/dev/null || cat long.map; } | grep -aq NAME_OF_A_MACRO_19999'

done_testing
