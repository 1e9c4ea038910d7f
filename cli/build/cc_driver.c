#include "build/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child/child.h"
#include "file/file.h"
#include "input/input.h"
#include "llvm/command.h"

/* The compiler driver: which program it is, what it would do with a command line, and how it is run.
 *
 * Whether a command line links, and for which target, depends on many things: response files, -x, headers,
 * configuration files and dozens of options. So clang decides: `clang -###` prints the jobs without running them.
 */

/* --- which program ------------------------------------------------------------------------ */

/* Where the shell would find a program. */
static bool find_program(char out[4096], const char *name)
{
    const char *path = getenv("PATH"), *end;
    struct stat file;
    char at[4096];

    if (strchr(name, '/'))
        return realpath(name, out) && access(out, X_OK) == 0 && stat(out, &file) == 0 &&
               S_ISREG(file.st_mode);
    for (; path && *path; path = end + (*end == ':')) {
        end = strchrnul(path, ':');
        snprintf(at, sizeof at, "%.*s/%s", (int)(end - path), path, name);
        if (access(at, X_OK) == 0 && stat(at, &file) == 0 && S_ISREG(file.st_mode))
            return realpath(at, out) != NULL;
    }
    return false;
}

/* "ccache clang-19" is two words, unless there is a program of that name. */
bool cli_compiler_find(struct cli_compiler *out, struct cli *cli, const char *variable,
    const char *otherwise)
{
    const char *said = getenv(variable), *text = said && *said ? said : otherwise;
    char *rest = trod_copy(&cli->mem, text), *word, *save;
    char path[4096];

    *out = (struct cli_compiler){.word = trod_new(&cli->mem, char *, strlen(text) + 1)};
    if (find_program(path, text))
        out->word[out->nword++] = rest;
    else
        for (word = strtok_r(rest, " \t\n", &save); word;
            word = strtok_r(NULL, " \t\n", &save))
            out->word[out->nword++] = word;
    for (size_t i = 0; i < out->nword; i++)
        if ((i == 0 || i + 1 == out->nword) && !find_program(path, out->word[i]))
            return trod_fail(&cli->err, TROD_E_SYSTEM,
                "%s: no such program%s%s; install clang 19, or name it in TROD_CLANG and "
                "TROD_CLANGXX",
                out->word[i], said && *said ? ", named in " : "",
                said && *said ? variable : "");
    if (!out->nword)
        return trod_fail(&cli->err, TROD_E_SYSTEM,
            "%s is blank; name a compiler there, or unset it", variable);
    out->path = trod_copy(&cli->mem, path);
    return true;
}

/* --- what it would do --------------------------------------------------------------------- */

/* Options of clang whose argument is the next word, which is then not an option. */
static const char *const takes_word[] = {"-o", "-I", "-L", "-l", "-D", "-U", "-x",
    "-MF", "-MT", "-MQ", "-include", "-imacros", "-isystem", "-iquote", "-idirafter",
    "-iprefix", "-iwithprefix", "-isysroot", "-Xclang", "-Xlinker", "-Xassembler",
    "-Xpreprocessor", "-mllvm", "-target", "-arch", "-T", "-u", "-z", "-e", "-B",
    "--param", "-gcc-toolchain", "-dumpbase", "-soname", "-rpath"};

/* With one of these nothing is linked. The list is incomplete: for other options the driver is queried. */
static const char *const stops_early[] = {"-c", "-S", "-E", "-M", "-MM",
    "-fsyntax-only", "--version", "-dumpversion", "-dumpmachine", "-###", "--help"};

/* Most commands of a build only compile; for these clang is not queried. */
static bool only_compiles(char **args)
{
    for (; *args; args++) {
        if (CLI_IS_ONE_OF(*args, stops_early))
            return true;
        if (CLI_IS_ONE_OF(*args, takes_word) && args[1])
            args++;
    }
    return false;
}

/* The output of `clang -### ARGS`; NULL: clang cannot be run. */
static char *ask(struct cli *cli, const struct cli_compiler *compiler, char **args)
{
    struct trod_child_options options = {
        .path = compiler->path, .in = TROD_CHILD_NOTHING};
    struct trod_child child;
    struct trod_err ignored; /* running the command reports the same error */
    char **argv, *said;
    size_t n = 0;
    int ends[2];
    bool ok;

    while (args[n])
        n++;
    argv = trod_new(&cli->mem, char *, n + 3);
    argv[0] = compiler->word[compiler->nword - 1];
    argv[1] = trod_copy_text(&cli->mem, "-###", 4);
    memcpy(argv + 2, args, n * sizeof *argv);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    options.out = options.err = ends[1];
    ok = trod_child_start(&child, argv, &options, &ignored);
    close(ends[1]);
    if (!ok || trod_file_read(&said, &n, ends[0], &cli->mem) != 0)
        said = NULL;
    close(ends[0]);
    return ok && trod_child_wait(&child, &ignored) ? said : NULL;
}

/* The version in ".../llvm-19/bin/clang" or ".../clang-19"; 0: none. */
static unsigned version_in(const char *path)
{
    static const char *const leads[] = {"/llvm-", "/clang-", "/clang++-"};

    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        const char *at = strstr(path, leads[i]);
        size_t n;

        at = at ? at + strlen(leads[i]) : "";
        n = strspn(at, "0123456789");
        if (n && n <= 3 && at[n] == (i == 0 ? '/' : '\0'))
            return (unsigned)strtoul(at, NULL, 10);
    }
    return 0;
}

/* The versions that have a plugin, for messages: "16 and 19". */
static const char *known_versions(struct cli *cli)
{
    const char *text = NULL;

    for (unsigned v = CLI_FIRST_CLANG; v < CLI_CLANG; v++)
        if (cli_find_own(cli, trod_format(&cli->mem, "trod-llvm-%u.so", v)))
            text =
                trod_format(&cli->mem, "%s%s%u", text ? text : "", text ? ", " : "", v);
    return text ? trod_format(&cli->mem, "%s and %d", text, CLI_CLANG)
                : trod_format(&cli->mem, "%d", CLI_CLANG);
}

bool cli_driver_find_plugin(char **out, struct cli_compiler *compiler, struct cli *cli)
{
    static const char lead[] = "clang version ";
    char version[] = "--version", *args[] = {version, NULL};
    const char *said, *text;

    /* If the name contains the version, clang is not queried: this saves time in every command of a build. */
    compiler->version = version_in(compiler->path);
    text = trod_format(&cli->mem, "%u", compiler->version);
    if (!compiler->version) {
        said = ask(cli, compiler, args);
        said = said ? strstr(said, lead) : NULL;
        text = said ? said + sizeof lead - 1 : "";
        compiler->version = said ? (unsigned)strtoul(text, NULL, 10) : CLI_CLANG;
    }
    if (compiler->version == CLI_CLANG)
        return cli_own_file(cli, out, "trod-llvm.so");
    *out =
        cli_find_own(cli, trod_format(&cli->mem, "trod-llvm-%u.so", compiler->version));
    return *out ||
           trod_fail(&cli->err, TROD_E_SYSTEM,
               "%s is clang %.*s, and trod has plugins for clang %s; install "
               "clang-%d, and unset TROD_CLANG and TROD_CLANGXX or name it there",
               compiler->word[compiler->nword - 1], (int)strcspn(text, " \n"), text,
               known_versions(cli), CLI_CLANG);
}

/* Is the program of a job, as in ` "/usr/bin/ld" "-pie" ...`, a linker? */
static bool is_linker(const char *job, const char *own)
{
    const char *end = strchr(job += 2, '"'), *name;
    size_t length = end ? (size_t)(end - job) : 0;

    if (own && strlen(own) == length && strncmp(job, own, length) == 0)
        return true;
    for (name = job + length; name > job && name[-1] != '/'; name--)
        ;
    /* ld, ld.lld, ld.gold, mold, wasm-ld; not clang, as, llvm-objcopy */
    return memmem(name, (size_t)(job + length - name), "ld", 2) != NULL;
}

const char *cli_driver_last_value(char **args, const char *option)
{
    const char *found = NULL;
    size_t n = strlen(option);

    for (; *args; args++)
        if (strncmp(*args, option, n) == 0)
            found = *args + n;
    return found;
}

void cli_driver_ask(struct cli_driver *out, struct cli *cli,
    const struct cli_compiler *compiler, char **args)
{
    static const char lead[] = "Target: ";
    const char *own = cli_driver_last_value(args, "--ld-path="), *end;
    char *line = only_compiles(args) ? NULL : ask(cli, compiler, args);

    *out = (struct cli_driver){0};
    for (; line && *line; line = line + (end - line) + (*end == '\n')) {
        end = strchrnul(line, '\n');
        if (strncmp(line, lead, sizeof lead - 1) == 0)
            out->target = trod_copy_text(&cli->mem, line + sizeof lead - 1,
                (size_t)(end - line) - (sizeof lead - 1));
        else if (strncmp(line, " \"", 2) == 0 && is_linker(line, own))
            out->links = memmem(line, (size_t)(end - line), " \"-r\"", 5) == NULL;
    }
}

bool cli_driver_has_own_lld(const struct cli_compiler *compiler)
{
    char lld[4096 + sizeof "/ld.lld"];

    snprintf(lld, sizeof lld, "%.*s/ld.lld",
        (int)(strrchr(compiler->path, '/') - compiler->path), compiler->path);
    return access(lld, X_OK) == 0;
}

/* --- unsupported command lines ------------------------------------------------------------ */

/* Is it compiled for a device only? Device code that is compiled along with host code is skipped by the plugin. */
static bool is_for_device(char **args)
{
    for (; *args; args++) {
        const char *target = strncmp(*args, "--target=", 9) == 0        ? *args + 9
                             : strcmp(*args, "-target") == 0 && args[1] ? args[1]
                                                                        : "";

        if (strncmp(target, "nvptx", 5) == 0 || strncmp(target, "amdgcn", 6) == 0 ||
            strncmp(target, "spir", 4) == 0)
            return true;
    }
    return false;
}

bool cli_driver_has_word(char **args, const char *word)
{
    for (; *args; args++)
        if (strcmp(*args, word) == 0)
            return true;
    return false;
}

bool cli_driver_check(struct cli *cli, char **args)
{
    if (cli_driver_has_word(args, "-disable-llvm-passes"))
        return trod_fail(&cli->err, TROD_E_INPUT,
            "-disable-llvm-passes: the program would not be instrumented, because a pass "
            "of LLVM does that; leave the option out, or compile with clang itself");
    if (cli_driver_has_word(args, "-femulated-tls"))
        return trod_fail(&cli->err, TROD_E_INPUT,
            "-femulated-tls: the runtime of trod uses native thread-local storage; leave "
            "the option out, or compile with clang itself");
    if (is_for_device(args))
        return trod_fail(&cli->err, TROD_E_INPUT,
            "trod has no runtime for the target of this command; compile this file with "
            "clang itself");
    return true;
}

/* The runtime calls libc. These options omit libc, or place it before the runtime. */
bool cli_driver_lacks_libc(char **args)
{
    return cli_driver_has_word(args, "-nodefaultlibs") ||
           cli_driver_has_word(args, "-nolibc") ||
           cli_driver_has_word(args, "-nostdlib") ||
           cli_driver_has_word(args, "--no-standard-libraries");
}

/* --- how it is run ------------------------------------------------------------------------ */

/* The command is passed in a memory file that the compiler inherits: it may exceed the limits on
 * the environment. The first line identifies the file, in case the descriptor refers to another
 * file by then.
 */
bool cli_driver_hand_over(struct cli *cli, const char *command)
{
    int fd = memfd_create("trod-command", 0);
    int error =
        fd < 0 ? errno
               : trod_file_write(fd, TROD_COMMAND_HEAD, sizeof TROD_COMMAND_HEAD - 1);
    char number[16];

    if (!error)
        error = trod_file_write(fd, command, strlen(command));
    if (error)
        return trod_fail(
            &cli->err, TROD_E_SYSTEM, "recording the command: %s", strerror(error));
    snprintf(number, sizeof number, "%d", fd);
    return setenv("TROD_COMMAND_FD", number, 1) == 0 ||
           trod_fail(&cli->err, TROD_E_SYSTEM, "%s", strerror(errno));
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    while (*text)
        hash = trod_mix(hash, (unsigned char)*text++);
    return trod_mix(hash, 0);
}

/* The value of a variable may be a list of files, one per line: hash their contents. */
static uint64_t mix_files(uint64_t hash, const char *names)
{
    char name[4096];
    struct stat file;

    for (; *names; names += strcspn(names, "\n"), names += *names == '\n') {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(names, "\n"), names);
        if (stat(name, &file) != 0 || !S_ISREG(file.st_mode))
            continue;
        hash = trod_mix(hash, (uint64_t)file.st_size);
        hash = trod_mix(hash, (uint64_t)file.st_mtim.tv_sec);
        hash = trod_mix(hash, (uint64_t)file.st_mtim.tv_nsec);
    }
    return hash;
}

/* ccache does not know that the plugin reads the environment and the command, and would return
 * objects built in another mode. Separate namespaces prevent that.
 */
bool cli_driver_set_namespace(struct cli *cli, const char *plugin, const char *command)
{
    const char *own = getenv("CCACHE_NAMESPACE");
    uint64_t hash = mix_text(mix_files(0, plugin), command);
    char *text;

    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "TROD_", 5) == 0 &&
            strncmp(*variable, "TROD_COMMAND_FD=", 16) != 0)
            hash = mix_files(mix_text(hash, *variable), strchr(*variable, '=') + 1);
    text = trod_format(
        &cli->mem, "%s%strod-%016" PRIx64, own ? own : "", own ? " " : "", hash);
    return setenv("CCACHE_NAMESPACE", text, 1) == 0 ||
           trod_fail(&cli->err, TROD_E_SYSTEM, "%s", strerror(errno));
}

/* Run the compiler and wait for it; if it failed, exit with its status. */
bool cli_driver_run(struct cli *cli, char **argv)
{
    struct trod_child child;
    char ending[80];

    if (!trod_child_start(&child, argv, NULL, &cli->err) ||
        !trod_child_wait(&child, &cli->err))
        return false;
    if (child.signal)
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s %s", argv[0],
            trod_child_ending(ending, &child));
    if (child.status)
        exit(child.status);
    return true;
}
