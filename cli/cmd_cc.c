#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* trod cc and trod c++: clang, with the plugin that instruments and the runtime that counts.
 * Everything that is not an option of trod's own at the very front is clang's.
 */

/* Options of clang whose argument is the next word: it is no input. */
static const char *const takes_word[] = {"-o", "-I", "-L", "-l", "-D", "-U", "-x",
    "-MF", "-MT", "-MQ", "-include", "-imacros", "-isystem", "-iquote", "-idirafter",
    "-iprefix", "-iwithprefix", "-isysroot", "-Xclang", "-Xlinker", "-Xassembler",
    "-Xpreprocessor", "-mllvm", "-target", "-arch", "-T", "-u", "-z", "-e", "-B",
    "--param", "-gcc-toolchain", "-dumpbase", "-soname", "-rpath"};

/* With one of these nothing is linked. */
static const char *const stops_early[] = {"-c", "-S", "-E", "-M", "-MM",
    "-fsyntax-only", "--version", "-dumpversion", "-dumpmachine", "-###", "-r",
    "-emit-ast", "--help"};

static bool is_one_of(const char *word, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(word, list) is_one_of((word), (list), sizeof(list) / sizeof *(list))

static bool links(char **args)
{
    bool input = false;

    for (; *args; args++) {
        if (IS_ONE_OF(*args, stops_early) || strncmp(*args, "-print-", 7) == 0)
            return false;
        if (IS_ONE_OF(*args, takes_word) && args[1])
            args++;
        else if (**args != '-' || (*args)[1] == '\0')
            input = true;
    }
    return input;
}

/* --- the linker ------------------------------------------------------------------------- */

/* lld compresses sections like the map from version 19 on; for others, and for GNU ld, the
 * option would be an error.
 */
enum { FIRST_LLD = 19 };
static char compress_map[] = "-Wl,--compress-sections=.trod.map=zstd";

/* Where the shell would find the compiler. */
static bool find_compiler(char out[4096], const char *compiler)
{
    const char *path = getenv("PATH"), *end;
    char file[4096];

    if (strchr(compiler, '/'))
        return realpath(compiler, out) != NULL;
    for (; path && *path; path = end + (*end == ':')) {
        end = strchrnul(path, ':');
        snprintf(file, sizeof file, "%.*s/%s", (int)(end - path), path, compiler);
        if (access(file, X_OK) == 0)
            return realpath(file, out) != NULL;
    }
    return false;
}

/* -fuse-ld=lld is the one beside clang itself, if there is one, and that of clang 19. */
static bool has_own_lld(const char *compiler)
{
    char clang[4096], lld[4096 + sizeof "/ld.lld"];

    if (!find_compiler(clang, compiler))
        return false;
    *strrchr(clang, '/') = '\0';
    snprintf(lld, sizeof lld, "%s/ld.lld", clang);
    return access(lld, X_OK) == 0;
}

static bool compresses_map(const char *compiler, char **args)
{
    const char *linker = "";

    for (; *args; args++)
        if (strncmp(*args, "-fuse-ld=", 9) == 0)
            linker = *args + 9;
        else if (strncmp(*args, "--ld-path=", 10) == 0)
            return false; /* could be anything */
    if (strncmp(linker, "lld-", 4) == 0)
        return strtol(linker + 4, NULL, 10) >= FIRST_LLD;
    return strcmp(linker, "lld") == 0 && has_own_lld(compiler);
}

/* Where functions are listed, a program that has none of them leaves a profile, too, though nothing in it
 * refers to the runtime.
 */
static char want_runtime[] = "-Wl,-u,__trod_profile";

/* Have clang number what it would count, and tell llvm-cov where that is. These are options of its compiler proper: with
 * those that its driver has for it, it would link what counts. The plugin takes the counters out again.
 */
enum { NCOUNTER = 4 };
static char to_compiler[] = "-Xclang";
static char number_counters[] = "-fprofile-instrument=clang";
static char map_regions[] = "-fcoverage-mapping";
static char *const let_count[NCOUNTER] = {
    to_compiler, number_counters, to_compiler, map_regions};

/* --- what is passed on ------------------------------------------------------------------ */

/* The command as it was given, for the map: later versions are compiled the same way. */
static bool record_command(struct cli *cli, const char *compiler, char **args)
{
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    trod_put_name(&text.sink, compiler);
    for (; *args; args++) {
        trod_put(&text.sink, " ");
        trod_put_name(&text.sink, *args);
    }
    return setenv("TROD_COMMAND", text.text, 1) == 0 ||
           trod_fail(&cli->err, TROD_E_SYSTEM, "%s", strerror(errno));
}

/* Where the compiler works, as its own debug information would say it: with what the user said of paths
 * that are not to be in the program.
 */
static bool record_directory(struct cli *cli, char **args)
{
    char *folder = cli_cc_directory(cli, args);

    return !folder || setenv("TROD_DIRECTORY", folder, 1) == 0 ||
           trod_fail(&cli->err, TROD_E_SYSTEM, "%s", strerror(errno));
}

/* Run the compiler and wait for it; where it failed, its status is ours. */
static bool run_compiler(struct cli *cli, char **argv)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        execvp(argv[0], argv);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", argv[0], strerror(errno));
    if (status)
        exit(WIFEXITED(status) ? WEXITSTATUS(status) : TROD_E_SYSTEM);
    return true;
}

/* Tell whoever started the build that we were called. */
static void leave_mark(void)
{
    const char *mark = getenv("TROD_CC_MARK");
    int fd = mark ? open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;

    if (fd >= 0)
        close(fd);
}

static bool compile(struct cli *cli, const char *compiler)
{
    char **args = cli->raw, **argv, *plugin, *runtime, flag[8300];
    struct cli_cc cc;
    size_t n = 0, k = 0;

    leave_mark();
    /* What getenv gave does not outlive the next setenv. */
    compiler = trod_copy_text(&cli->mem, compiler, strlen(compiler));
    if (!cli_cc_take_own(&cc, cli, &args) || !record_command(cli, compiler, args) ||
        !record_directory(cli, args) || !cli_own_file(cli, &plugin, "trod-llvm.so") ||
        !cli_own_file(cli, &runtime, "libtrod-rt.a"))
        return false;
    while (args[n])
        n++;
    argv = trod_new(&cli->mem, char *, n + 6 + NCOUNTER);
    argv[k++] = trod_copy_text(&cli->mem, compiler, strlen(compiler));
    snprintf(flag, sizeof flag, "-fpass-plugin=%s", plugin);
    argv[k++] = flag;
    for (size_t i = 0; cc.counters && i < NCOUNTER; i++)
        argv[k++] = let_count[i];
    /* Before the user's own options: what they say goes. */
    if (links(args) && compresses_map(compiler, args))
        argv[k++] = compress_map;
    if (links(args) && cc.only)
        argv[k++] = want_runtime;
    memcpy(argv + k, args, n * sizeof *argv);
    if (links(args))
        argv[k + n] = runtime;
    if (links(args) && (cc.only || cc.paths.count || cc.tested.count))
        return run_compiler(cli, argv) &&
               (!cc.only || cli_cc_name_functions(cli, &cc, args)) &&
               (!(cc.paths.count || cc.tested.count) ||
                   cli_cc_name_missing(cli, &cc, args));
    execvp(argv[0], argv);
    return trod_fail(&cli->err, TROD_E_SYSTEM,
        "%s: %s; install clang 19, or name it in TROD_CLANG and TROD_CLANGXX", compiler,
        strerror(errno));
}

static const char *compiler_of(const char *variable, const char *fallback)
{
    const char *compiler = getenv(variable);

    return compiler && *compiler ? compiler : fallback;
}

bool cli_cc(struct cli *cli)
{
    return compile(cli, compiler_of("TROD_CLANG", "clang-19"));
}

bool cli_cxx(struct cli *cli)
{
    return compile(cli, compiler_of("TROD_CLANGXX", "clang++-19"));
}
