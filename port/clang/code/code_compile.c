#include "clang/code/code.h"

#include <errno.h>
#include <llvm-c/BitReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child/child.h"

/* The arguments of one compilation. */
struct compilation {
    char **arg;
    uint32_t narg, room;
    struct trod_arena *mem;
};

static void add(struct compilation *c, const char *arg)
{
    trod_reserve(c->mem, c->arg, c->narg + 1, c->room);
    c->arg[c->narg++] = trod_copy(c->mem, arg);
    c->arg[c->narg] = NULL;
}

/* --- arguments -------------------------------------------------------------------------------------- */

/* The number of words to omit: options of other profilers, output options of other compilers, and
 * optimisation levels. */
static uint32_t left_out(const char *const *arg)
{
    static const char *const start[] = {"-O", "-fprofile", "-fno-profile",
        "-fcs-profile", "-fcoverage", "-ftest-coverage", "-ftime-", "-fsanitize",
        "-fno-sanitize", "-fembed-bitcode", "-fstack-usage", "-fsave-optimization",
        "-fxray", "-finstrument-functions", "-fdump-", "-foptimization-record"};
    static const char *const one[] = {
        "--coverage", "-coverage", "-fsyntax-only", "-p", "-pg", "-###", "-w", "-MV"};

    /* A precompiled header was made with other options. The header itself is included as well. */
    if (strcmp(*arg, "-Xclang") == 0 && arg[1] && strcmp(arg[1], "-include-pch") == 0)
        return 4;
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        if (strncmp(*arg, start[i], strlen(start[i])) == 0)
            return 1;
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (strcmp(*arg, one[i]) == 0)
            return 1;
    return 0;
}

static bool has_argument(const char *arg)
{
    static const char *const option[] = {"-x", "-I", "-D", "-U", "-F", "-include",
        "-imacros", "-idirafter", "-isystem", "-iquote", "-iprefix", "-iwithprefix",
        "-iwithprefixbefore", "-isysroot", "-arch", "-target", "-Xclang",
        "-Xpreprocessor", "--param", "--sysroot", "-cxx-isystem", "-include-pch",
        "-resource-dir", "-working-directory", "-Xarch_host", "-aux-info"};

    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (strcmp(arg, option[i]) == 0)
            return true;
    return false;
}

/* Keeps macros of the optimisation level, which sources test. */
static void keep_macros(struct compilation *c, const char *level)
{
    if (!level || strcmp(level, "0") == 0)
        return;
    add(c, "-D__OPTIMIZE__=1");
    if (strcmp(level, "s") == 0 || strcmp(level, "z") == 0)
        add(c, "-D__OPTIMIZE_SIZE__=1");
    if (strcmp(level, "fast") == 0)
        add(c, "-ffast-math");
    add(c, "-U__NO_INLINE__");
}

/* The compiler, without launchers before it ("ccache clang-19"). */
static const char *compiler(bool cxx)
{
    const char *own = getenv(cxx ? "TROD_CLANGXX" : "TROD_CLANG"), *last;

    if (!own || !own[strspn(own, " ")])
        return cxx ? "clang++-19" : "clang-19";
    last = strrchr(own, ' ');
    return last && last[1] && access(own, X_OK) != 0 ? last + 1 : own;
}

static void fill_arguments(struct compilation *c, const struct trod_clang_unit *unit,
    bool data, const char *output)
{
    /* Errors that other compilers do not report are disabled. */
    static const char *const fixed[] = {"-Wno-error=implicit-function-declaration",
        "-Wno-error=implicit-int", "-Wno-error=int-conversion",
        "-Wno-error=incompatible-function-pointer-types", "-w", "-Qunused-arguments",
        "-fno-color-diagnostics", "-O0", "-fprofile-instr-generate", "-Xclang",
        "-disable-llvm-passes", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c"};
    struct trod_clang_refused refused = {0}; /* reported with the unit's constructs */
    uint32_t narg;
    const char **arg = trod_clang_unit_meaning(unit, &narg, &refused, c->mem);
    const char *level = NULL;

    add(c, compiler(unit->cxx));
    for (uint32_t i = 0; i < narg; i++) {
        uint32_t leave = left_out(arg + i);

        if (strncmp(arg[i], "-O", 2) == 0)
            level = arg[i] + 2;
        if (leave) {
            i += leave - 1;
            continue;
        }
        add(c, arg[i]);
        if (has_argument(arg[i]) && i + 1 < narg)
            add(c, arg[++i]);
    }
    keep_macros(c, level);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add(c, fixed[i]);
    add(c, data ? "-g" : "-gline-tables-only");
    add(c, "-o");
    add(c, output);
    add(c, unit->source);
}

/* --- running it ------------------------------------------------------------------------------------- */

/* Messages of the compiler go to a file. */
static bool run(struct trod_child *child, const struct compilation *c, int said,
    struct trod_err *err)
{
    struct trod_child_options options = {.in = TROD_CHILD_NOTHING,
        .out = said,
        .err = said,
        .remedy = "install it, or set TROD_CLANG"};

    return trod_child_start(child, c->arg, &options, err) &&
           trod_child_wait(child, err);
}

/* Reads the messages, at most a page. The first error is reported. */
static const char *read_back(int said, struct trod_arena *mem)
{
    enum { PAGE = 1 << 16 };
    char *text = trod_new(mem, char, PAGE);
    ssize_t n = pread(said, text, PAGE - 1, 0);

    text[n < 0 ? 0 : n] = '\0';
    return text;
}

/* Removes options of other compilers that clang does not know. True if any was removed. */
static bool drop_unknown(struct compilation *c, const char *said)
{
    static const char lead[] = "unknown argument: '";
    uint32_t before = c->narg, n;

    while ((said = strstr(said, lead))) {
        const char *word = said + sizeof lead - 1, *end = strchr(word, '\'');
        size_t length = end ? (size_t)(end - word) : strlen(word);

        n = 1;
        for (uint32_t i = 1; i < c->narg; i++)
            if (strlen(c->arg[i]) != length || strncmp(c->arg[i], word, length) != 0)
                c->arg[n++] = c->arg[i];
        c->arg[c->narg = n] = NULL;
        said = word;
    }
    return c->narg < before;
}

static bool compile(struct compilation *c, const char *source, struct trod_err *err)
{
    for (;;) {
        FILE *file = tmpfile();
        const char *said, *error;
        struct trod_child child;
        char ending[80];
        bool ran;

        if (!file)
            return trod_fail(err, TROD_E_SYSTEM,
                "no space for the compiler's output: %s", strerror(errno));
        ran = run(&child, c, fileno(file), err);
        said = read_back(fileno(file), c->mem);
        fclose(file);
        if (!ran || !trod_child_failed(&child))
            return ran;
        if (child.signal)
            return trod_fail(err, TROD_E_SYSTEM, "%s: %s %s", source, c->arg[0],
                trod_child_ending(ending, &child));
        if (drop_unknown(c, said))
            continue;
        error = strstr(said, "error: ");
        error = error ? error + 7 : said;
        return trod_fail(err, TROD_E_INPUT, "%s: clang could not compile it: %.*s",
            source, (int)strcspn(error, "\n"), error);
    }
}

/* --- reading the bitcode ------------------------------------------------------------------------------ */

static bool read_module(LLVMModuleRef *out, LLVMContextRef context, const char *file,
    const char *source, struct trod_err *err)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    bool bad;

    if (LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message)) {
        trod_err_set(err, TROD_E_SYSTEM, "%s: %s", file, message);
        LLVMDisposeMessage(message);
        return false;
    }
    bad = LLVMParseBitcodeInContext2(context, buffer, out);
    LLVMDisposeMemoryBuffer(buffer);
    return !bad || trod_fail(err, TROD_E_INPUT,
                       "%s: the bitcode that clang made of it cannot be read; is %s of "
                       "another version than 19?",
                       source, compiler(false));
}

bool trod_code_compile(LLVMModuleRef *out, LLVMContextRef context,
    const struct trod_clang_unit *unit, bool data, struct trod_arena *mem,
    struct trod_err *err)
{
    struct compilation c = {.mem = mem};
    const char *folder = getenv("TMPDIR");
    char file[4096];
    bool good;
    int fd;

    snprintf(
        file, sizeof file, "%s/trod-XXXXXX.bc", folder && *folder ? folder : "/tmp");
    fd = mkstemps(file, 3);
    if (fd < 0)
        return trod_fail(err, TROD_E_SYSTEM, "%s: %s", file, strerror(errno));
    close(fd);
    fill_arguments(&c, unit, data, file);
    good = compile(&c, unit->source, err) &&
           read_module(out, context, file, unit->source, err);
    unlink(file);
    return good;
}
