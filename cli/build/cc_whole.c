#include "build/compiler.h"

#include <string.h>

/* Whole programs. Sources are compiled to bitcode that no pass has touched; lld merges the bitcode of a program
 * into one module, and runs on it the pipeline that clang runs on a source file, with the plugin in it. So every mode
 * takes the same path as without, and sees all calls.
 *
 * Local functions of two files may have the same name. Line tables say which file each is from, so they are added
 * where the user has none.
 */

/* Passes that these options add run when a source is compiled, which is too early. */
static const char *const needs_passes[] = {"-fsanitize=", "-fprofile-generate",
    "-fprofile-instr-generate", "-fcs-profile-generate", "-fcoverage-mapping"};

static bool uses_lld(char **args)
{
    const char *linker = cli_driver_last_value(args, "-fuse-ld=");

    return !cli_driver_last_value(args, "--ld-path=") &&
           (!linker || strncmp(linker, "lld", 3) == 0);
}

bool cli_whole_check(
    struct cli *cli, const struct cli_compiler *compiler, char **args, bool links)
{
    const char *asked = cli_driver_last_value(args, "-flto")
                            ? "-flto in a build for a whole program"
                            : "--whole-program";

    for (size_t i = 0; i < sizeof needs_passes / sizeof *needs_passes; i++)
        if (cli_driver_last_value(args, needs_passes[i]))
            return cli_misused(cli,
                "%s cannot be combined with %s, which instruments source files one by one; "
                "leave one of them out",
                asked, needs_passes[i]);
    if (compiler->version != CLI_CLANG)
        return cli_misused(cli, "%s needs clang %d, and %s is clang %u", asked,
            CLI_CLANG, compiler->word[compiler->nword - 1], compiler->version);
    if (cli_driver_has_word(args, "-r"))
        return cli_misused(cli,
            "%s cannot be combined with -r: functions are instrumented when the program "
            "is linked; put the objects into an archive instead",
            asked);
    if (links && !uses_lld(args))
        return cli_misused(cli,
            "%s needs lld; leave out the option that selects another linker", asked);
    if (links && !cli_driver_last_value(args, "-fuse-ld=") &&
        !cli_driver_has_own_lld(compiler))
        return trod_fail(&cli->err, TROD_E_SYSTEM,
            "%s needs lld beside %s; install lld-%d", asked, compiler->path, CLI_CLANG);
    return true;
}

size_t cli_whole_put_first(char **argv)
{
    static char lines[] = "-gline-tables-only", to_compiler[] = "-Xclang",
                untouched[] = "-disable-llvm-passes";

    argv[0] = lines;
    argv[1] = to_compiler;
    argv[2] = untouched;
    return 3;
}

/* The pipeline for the level that the link command has, like clang's for a source file. Without one, functions that
 * were compiled at -O0 stay as they are all the same: they have an attribute.
 */
static const char *pipeline(char **args)
{
    const char *level = "2";

    for (; *args; args++)
        if (strncmp(*args, "-O", 2) == 0)
            level = *args + 2;
    if (strcmp(level, "fast") == 0 || strcmp(level, "4") == 0)
        return "--lto-newpm-passes=default<O3>";
    switch (*level) {
    case '0':
        return "--lto-newpm-passes=default<O0>";
    case '\0':
    case '1':
    case 'g':
        return "--lto-newpm-passes=default<O1>";
    case '3':
        return "--lto-newpm-passes=default<O3>";
    case 's':
        return "--lto-newpm-passes=default<Os>";
    case 'z':
        return "--lto-newpm-passes=default<Oz>";
    default:
        return "--lto-newpm-passes=default<O2>";
    }
}

size_t cli_whole_put_last(
    char **argv, struct cli *cli, const char *plugin, char **args, bool links)
{
    static char full[] = "-flto=full", lld[] = "-fuse-ld=lld", to_linker[] = "-Xlinker";
    /* Lets lld keep the names of blocks, which say what branches decide; it saves nothing of a program that is
     * linked in one piece.
     */
    static char keep_names[] = "--save-temps=import";
    size_t k = 0;

    argv[k++] = full;
    if (!links)
        return k;
    if (!cli_driver_last_value(args, "-fuse-ld="))
        argv[k++] = lld;
    argv[k++] = to_linker;
    argv[k++] = trod_format(&cli->mem, "--load-pass-plugin=%s", plugin);
    argv[k++] = to_linker;
    argv[k++] = trod_copy(&cli->mem, pipeline(args));
    argv[k++] = to_linker;
    argv[k++] = keep_names;
    return k;
}
