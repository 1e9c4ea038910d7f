#include "build/compiler.h"
#include "commands.h"
#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child/child.h"

/* trod cc and trod c++: clang with the instrumenting plugin and the counting runtime. trod's own
 * options come first; everything after them is passed to clang.
 */

/* --- the linker ------------------------------------------------------------------------- */

/* lld can compress the map's section from version 19 on; for older versions and for GNU ld the
 * option is an error.
 */
enum { FIRST_LLD = CLI_CLANG };
static char compress_map[] = "-Wl,--compress-sections=.trod.map=zstd";

static bool compresses_map(const struct cli_compiler *compiler, char **args, bool whole)
{
    const char *linker = whole ? "lld" : "";

    for (; *args; args++)
        if (strncmp(*args, "-fuse-ld=", 9) == 0)
            linker = *args + 9;
        else if (strncmp(*args, "--ld-path=", 10) == 0)
            return false; /* unknown linker */
    if (strncmp(linker, "lld-", 4) == 0)
        return strtol(linker + 4, NULL, 10) >= FIRST_LLD;
    return strcmp(linker, "lld") == 0 && compiler->version >= FIRST_LLD &&
           cli_driver_has_own_lld(compiler);
}

/* With a list of functions, a program may contain none of them, and nothing in it refers to the
 * runtime. It should write a profile nevertheless. A whole program refers to the runtime only after lld has defined
 * symbols such as __ehdr_start for those that refer to them.
 */
static char want_runtime[] = "-Wl,-u,__trod_profile";

/* Have clang number its coverage counters and emit llvm-cov's mapping. These are options of the
 * compiler proper (cc1): the driver's equivalents would also link a runtime. The plugin removes the
 * counters again.
 */
enum { NCOUNTER = 4 };
static char to_compiler[] = "-Xclang";
static char number_counters[] = "-fprofile-instrument=clang";
static char map_regions[] = "-fcoverage-mapping";
static char *const let_count[NCOUNTER] = {
    to_compiler, number_counters, to_compiler, map_regions};

/* --- arguments -------------------------------------------------------------------------- */

/* The working directory as in debug information: with the user's options that keep paths out of the program. */
static bool record_directory(struct cli *cli, char **args)
{
    char *folder = cli_cc_directory(cli, args);

    return !folder || setenv("TROD_DIRECTORY", folder, 1) == 0 ||
           trod_fail(&cli->err, TROD_E_SYSTEM, "%s", strerror(errno));
}

/* Tell the process that started the build that trod cc was called. */
static void leave_mark(void)
{
    const char *mark = getenv("TROD_CC_MARK");
    int fd = mark ? open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;

    if (fd >= 0)
        close(fd);
}

/* After "--" every word is an input. trod's arguments follow the user's, so "--" is dropped, and
 * inputs that begin with '-' get the prefix "./".
 */
static size_t copy_arguments(struct cli *cli, char **out, char **args)
{
    bool inputs = false;
    size_t n = 0;

    for (; *args; args++) {
        char *input;

        if (!inputs && strcmp(*args, "--") == 0) {
            inputs = true;
            continue;
        }
        out[n] = *args;
        if (inputs && **args == '-') {
            input = trod_format(&cli->mem, "./%s", *args);
            out[n] = input;
        }
        n++;
    }
    return n;
}

/* Passed with -Xlinker, the runtime is an input of the linker whatever -x and its name say. */
static char to_linker[] = "-Xlinker";
static char libc[] = "-lc";

/* Names of blocks show what branches decide in the source. The plugin reads and drops them. */
static char keep_names[] = "-fno-discard-value-names";

static bool compile(struct cli *cli, struct cli_compiler *compiler)
{
    char **args = cli->raw, **argv, *plugin, *runtime, *command, flag[8300];
    struct cli_driver driver;
    struct cli_cc cc;
    size_t n = 0, k = compiler->nword;
    bool probe, whole;

    leave_mark();
    if (!cli_cc_take_own(&cc, cli, &args) ||
        !cli_driver_find_plugin(&plugin, compiler, cli))
        return false;
    probe = cli_cc_is_probe(args);
    cli_driver_ask(&driver, cli, compiler, args);
    command = cli_cc_command(cli, compiler->word[compiler->nword - 1], args,
        trod_cc_is(&cc.given, TROD_CC_RECORD, "all"));
    /* A probe is not instrumented; objects that it is linked with may be. */
    whole = !probe && cc.given.of[TROD_CC_WHOLE_PROGRAM];
    if (!cli_driver_check(cli, args) ||
        (whole && !cli_whole_check(cli, compiler, args, driver.links)) ||
        !record_directory(cli, args) ||
        !cli_driver_find_runtime(&runtime, &driver, cli) ||
        !cli_driver_set_namespace(cli, plugin, command) ||
        !cli_driver_hand_over(cli, command))
        return false;
    while (args[n])
        n++;
    argv = trod_new(
        &cli->mem, char *, compiler->nword + n + 8 + NCOUNTER + CLI_WHOLE_ROOM);
    memcpy(argv, compiler->word, k * sizeof *argv);
    snprintf(flag, sizeof flag, "-fpass-plugin=%s", plugin);
    if (whole)
        k += cli_whole_put_first(argv + k);
    else if (!probe)
        argv[k++] = flag;
    if (!probe)
        argv[k++] = keep_names;
    for (size_t i = 0; !probe && cc.given.of[TROD_CC_COUNTERS] && i < NCOUNTER; i++)
        argv[k++] = let_count[i];
    /* Before the user's options, so that these take precedence. */
    if (driver.links && compresses_map(compiler, args, whole))
        argv[k++] = compress_map;
    if (driver.links && (cc.only || whole) && !probe)
        argv[k++] = want_runtime;
    k += copy_arguments(cli, argv + k, args);
    if (whole)
        k += cli_whole_put_last(argv + k, cli, plugin, args, driver.links);
    if (driver.links) {
        argv[k++] = to_linker;
        argv[k++] = runtime;
        if (cli_driver_lacks_libc(args))
            argv[k++] = libc;
    }
    if (driver.links && !probe && (cc.only || cc.sets.count))
        return cli_driver_run(cli, argv) &&
               (!cc.only || cli_cc_name_functions(cli, &cc, args)) &&
               (!cc.sets.count || cli_cc_name_missing(cli, &cc, args));
    return trod_child_become(argv, &cli->err);
}

bool cli_cc(struct cli *cli)
{
    struct cli_compiler compiler;

    return cli_compiler_find(&compiler, cli, "TROD_CLANG", "clang-19") &&
           compile(cli, &compiler);
}

bool cli_cxx(struct cli *cli)
{
    struct cli_compiler compiler;

    return cli_compiler_find(&compiler, cli, "TROD_CLANGXX", "clang++-19") &&
           compile(cli, &compiler);
}
