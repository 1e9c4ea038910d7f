#include "clang/clang_port.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_arg(
    struct trod_clang_unit *unit, const char *arg, struct trod_arena *mem)
{
    trod_reserve(mem, unit->arg, unit->narg + 1, unit->room);
    unit->arg[unit->narg++] = arg;
    unit->arg[unit->narg] = NULL;
}

/* Splits a command line as in maps into words. */
static bool read_line(struct trod_clang_unit *out, const char *line,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_text text;
    struct trod_token token;

    trod_text_init(&text, "--command", line, strlen(line));
    for (;;) {
        if (!trod_text_next(&token, &text, mem, err))
            return false;
        if (token.kind == TROD_T_END)
            return true;
        if (token.kind != TROD_T_NAME)
            return trod_text_fail(&text, err,
                "a word that is not quoted; pass the command as the map has it, or its "
                "words behind --");
        add_arg(out, token.name, mem);
    }
}

/* --- arguments that affect the meaning ------------------------------------------------------- */

/* Is the argument of this option the next word? */
static bool takes_next(const char *arg)
{
    static const char *const option[] = {"-o", "-x", "-I", "-D", "-U", "-L", "-l", "-T",
        "-F", "-u", "-e", "-z", "-MF", "-MT", "-MQ", "-MJ", "-include", "-imacros",
        "-idirafter", "-isystem", "-iquote", "-iprefix", "-iwithprefix",
        "-iwithprefixbefore", "-isysroot", "-arch", "-target", "-Xclang",
        "-Xpreprocessor", "-Xassembler", "-Xlinker", "-mllvm", "--param", "--sysroot",
        "-cxx-isystem", "-include-pch", "-resource-dir", "-working-directory",
        "-dumpbase", "-dumpdir", "-Xarch_host", "-rpath", "-soname", "-aux-info"};

    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (strcmp(arg, option[i]) == 0)
            return true;
    return false;
}

/* Is it a source file, not an object or library? */
static bool is_source(const char *arg)
{
    static const char *const suffix[] = {".c", ".i", ".cc", ".cp", ".cxx", ".cpp",
        ".c++", ".C", ".CPP", ".ii", ".m", ".mm", ".cppm"};
    const char *dot = strrchr(arg, '.');

    if (arg[0] == '-' || arg[0] == '@' || !dot)
        return false;
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++)
        if (strcmp(dot, suffix[i]) == 0)
            return true;
    return false;
}

static bool is_cxx(const char *language_or_suffix)
{
    static const char *const cxx[] = {"c++", "c++-header", "c++-cpp-output", ".cc",
        ".cp", ".cxx", ".cpp", ".c++", ".C", ".CPP", ".ii", ".cppm", ".mm"};

    for (size_t i = 0; i < sizeof cxx / sizeof *cxx; i++)
        if (strcmp(language_or_suffix, cxx[i]) == 0)
            return true;
    return false;
}

/* Is the compiler a C++ driver, which compiles C files as C++? */
static bool is_cxx_driver(const char *compiler)
{
    const char *name = strrchr(compiler, '/');

    return strstr(name ? name + 1 : compiler, "++") != NULL;
}

/* Is it the selected file? */
static bool is_meant(const char *arg, const char *file)
{
    char a[PATH_MAX], b[PATH_MAX];

    return !file || strcmp(arg, file) == 0 ||
           (realpath(arg, a) && realpath(file, b) && strcmp(a, b) == 0);
}

static bool find_source(
    struct trod_clang_unit *unit, const char *file, struct trod_err *err)
{
    const char *language = NULL;
    uint32_t nsource = 0;

    if (unit->narg > 1 && strcmp(unit->arg[1], "-cc1") == 0)
        return trod_fail(err, TROD_E_INPUT,
            "this is an internal compiler command (-cc1); remove the entry");
    for (uint32_t i = 1; i < unit->narg; i++) {
        const char *arg = unit->arg[i];

        if (strncmp(arg, "-x", 2) == 0 && !nsource)
            language = arg[2] ? arg + 2 : i + 1 < unit->narg ? unit->arg[i + 1] : NULL;
        if (takes_next(arg)) {
            i++;
        } else if (is_source(arg) && is_meant(arg, file) && (!file || !nsource)) {
            unit->source = arg;
            nsource++;
        }
    }
    if (nsource != 1)
        return trod_fail(err, TROD_E_INPUT,
            "%s: the command must name one C or C++ source, not %u",
            file           ? file
            : unit->source ? unit->source
                           : unit->arg[0],
            nsource);
    unit->cxx = language
                    ? is_cxx(language)
                    : is_cxx_driver(unit->arg[0]) || is_cxx(strrchr(unit->source, '.'));
    return true;
}

/* The number of words to omit because they do not affect the meaning of the source: plugins, debug
 * information, warnings, what is linked. 0: it may matter.
 */
static uint32_t meaningless(const char *const *arg, const char *source)
{
    static const char *const two[] = {"-o", "-MF", "-MT", "-MQ", "-MJ", "-L", "-l",
        "-T", "-u", "-e", "-z", "-Xlinker", "-Xassembler", "-rpath", "-soname",
        "-dumpbase", "-dumpdir", "--param", "-aux-info"};
    static const char *const one[] = {"-c", "-S", "-E", "-v", "-w", "-pipe", "-MD",
        "-MMD", "-M", "-MM", "-MP", "-MG", "-MV", "-p", "-pg", "-pie", "-no-pie",
        "-nopie", "-shared", "-static", "-static-pie", "-shared-libgcc", "-rdynamic",
        "-s", "-r", "-nostdlib", "-nodefaultlibs", "-nostartfiles", "-pedantic",
        "-pedantic-errors", "-Qunused-arguments", "-Qn", "-no-canonical-prefixes",
        "-save-temps", "-fsyntax-only", "-emit-llvm", "-coverage", "--coverage",
        "-fpch-preprocess", "-fpch-deps"};
    static const char *const start[] = {"-W", "-fpass-plugin=", "-fplugin=", "-o", "-L",
        "-l", "-flto", "-fno-lto",
        "-fuse-ld=", "--ld-path=", "-save-temps=", "-fdiagnostics", "-fno-diagnostics",
        "-fcolor-diagnostics", "-fno-color-diagnostics",
        "-fdebug-prefix-map=", "-ffile-prefix-map=", "-fcoverage-", "-fprofile",
        "-fno-profile", "-fcs-profile", "-ftest-coverage", "-g", "-frandom-seed=",
        "-fmessage-length=", "-ferror-limit=", "-fmax-errors=", "-ftime-report",
        "--param=", "-static-lib",
        "-rtlib=", "--rtlib=", "-unwindlib=", "--unwindlib=", "-fshow-", "-fno-show-",
        "-ftemplate-backtrace-limit="};

    if (!*arg || *arg == source)
        return 1;
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (strcmp(*arg, two[i]) == 0)
            return arg[1] ? 2 : 1;
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (strcmp(*arg, one[i]) == 0)
            return 1;
    if (strncmp(*arg, "-Wp,", 4) == 0 || strncmp(*arg, "-gcc-toolchain", 14) == 0)
        return 0;
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        if (strncmp(*arg, start[i], strlen(start[i])) == 0)
            return 1;
    /* Objects and libraries. */
    return (*arg)[0] != '-' && (*arg)[0] != '@' ? 1 : 0;
}

/* Adds an option with its argument, unless it is there. */
static void add_refused(struct trod_clang_refused *refused, const char *const *arg,
    uint32_t n, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    for (uint32_t i = 0; i < n; i++)
        trod_put(&text.sink, i ? " %s" : "%s", arg[i]);
    for (uint32_t i = 0; i < refused->count; i++)
        if (strcmp(refused->option[i], text.text) == 0)
            return;
    trod_push(mem, refused->option, refused->count, refused->room, text.text);
}

const char **trod_clang_unit_meaning(const struct trod_clang_unit *unit, uint32_t *narg,
    struct trod_clang_refused *refused, struct trod_arena *mem)
{
    const char **out = trod_new(mem, const char *, unit->narg + 1);
    uint32_t n = 0;

    for (uint32_t i = 1; i < unit->narg;) {
        const char *const *arg = unit->arg + i;
        uint32_t words = meaningless(arg, unit->source);

        if (words) {
            i += words;
            continue;
        }
        words = trod_clang_option_allowed(arg, unit);
        for (uint32_t k = 0; k < words; k++)
            out[n++] = arg[k];
        if (!words) {
            words = takes_next(*arg) && arg[1] ? 2 : 1;
            add_refused(refused, arg, words, mem);
        }
        i += words;
    }
    *narg = n;
    return out;
}

/* --- paths ------------------------------------------------------------------------------------- */

/* The real path of a file; the path itself if it does not exist. */
static const char *real(const char *path, struct trod_arena *mem)
{
    char found[PATH_MAX];

    if (!realpath(path, found))
        return trod_copy(mem, path);
    return trod_copy(mem, found);
}

const char *trod_clang_unit_file(
    const struct trod_clang_unit *unit, const char *file, struct trod_arena *mem)
{
    size_t length = strlen(unit->root);
    const char *full = real(file, mem);

    if (strncmp(full, unit->root, length) != 0 || full[length] != '/')
        return NULL;
    return full + length + 1;
}

bool trod_clang_unit_read(struct trod_clang_unit *out, int argc, char **argv,
    struct trod_arena *mem, struct trod_err *err)
{
    const char *file = NULL;
    int i = 0;

    *out = (struct trod_clang_unit){0};
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *option = argv[i];

        if (strcmp(option, "--depends") == 0) {
            out->depends = true;
            continue;
        }
        if (++i == argc)
            return trod_fail(err, TROD_E_INPUT, "%s needs an argument", option);
        if (strcmp(option, "--root") == 0)
            out->root = argv[i];
        else if (strcmp(option, "--directory") == 0)
            out->directory = argv[i];
        else if (strcmp(option, "--file") == 0)
            file = argv[i];
        else if (strcmp(option, "--command") != 0)
            return trod_fail(err, TROD_E_INPUT, "'%s' is not an option", option);
        else if (!read_line(out, argv[i], mem, err))
            return false;
    }
    if (i < argc && strcmp(argv[i], "--") == 0)
        for (i++; i < argc; i++)
            add_arg(out, argv[i], mem);
    if (!out->root || !out->directory || !out->narg)
        return trod_fail(err, TROD_E_INPUT,
            "--root, --directory and a command are needed, each once");
    out->root = real(out->root, mem);
    if (chdir(out->directory) != 0)
        return trod_fail(err, TROD_E_SYSTEM, "%s: %s", out->directory, strerror(errno));
    out->directory = real(".", mem);
    return find_source(out, file, err);
}
