#include "build/compiler.h"
#include "version/versions.h"

#include <stdlib.h>
#include <string.h>

/* The compile command as recorded in the map: only what is needed to compile a later version the
 * same way. The map is part of the shipped program, and survives `strip`. So values of macros,
 * which may be keys and passwords, and absolute paths, which reveal names of users and machines,
 * are omitted.
 */

/* Values of feature-test macros and of switches are not secret. */
static bool is_harmless(const char *name, size_t length, const char *value)
{
    static const char *const known[] = {"NDEBUG", "DEBUG"};

    if (!*value || strcmp(value, "0") == 0 || strcmp(value, "1") == 0)
        return true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == length && strncmp(name, known[i], length) == 0)
            return strspn(value, "0123456789") == strlen(value);
    return length > 1 && name[0] == '_' && strlen(value) <= 10 &&
           strspn(value, "0123456789ULul") == strlen(value);
}

/* NAME=VALUE, or NAME=CLI_OMITTED. */
static const char *macro_of(struct cli *cli, const char *macro)
{
    const char *equals = strchr(macro, '=');

    if (!equals || is_harmless(macro, (size_t)(equals - macro), equals + 1))
        return macro;
    return trod_format(&cli->mem, "%.*s=%s", (int)(equals - macro), macro, CLI_OMITTED);
}

/* System headers have the same path on every machine. */
static bool is_system(const char *path)
{
    static const char *const folder[] = {"/usr/", "/lib/", "/opt/"};

    for (size_t i = 0; i < sizeof folder / sizeof *folder; i++)
        if (strncmp(path, folder[i], strlen(folder[i])) == 0)
            return true;
    return false;
}

/* The path relative to the compiler's working directory; NULL: impossible. */
static const char *path_of(struct cli *cli, const char *path, const char *folder)
{
    const char *seen;

    if (*path != '/' || is_system(path))
        return path;
    seen = folder ? trod_only_relative(folder, path, &cli->mem) : path;
    return *seen == '/' ? NULL : seen;
}

/* --- options ---------------------------------------------------------------------------- */

enum kind { MACRO, PATH, WORD };

/* Options that change the meaning of a source; their argument is in the same word or the next. */
static const struct known {
    const char *name;
    enum kind kind;
} with_argument[] = {{"-D", MACRO}, {"-U", WORD}, {"-isystem", PATH}, {"-iquote", PATH},
    {"-idirafter", PATH}, {"-include", PATH}, {"-imacros", PATH}, {"-isysroot", PATH},
    {"-I", PATH}, {"-x", WORD}, {"-target", WORD}};

/* The same, always in one word. */
static const char *const starts[] = {
    "-std=", "--std=", "--target=", "-O", "-f", "-m", "-stdlib="};
static const char *const words[] = {
    "-ansi", "-pthread", "-undef", "-nostdinc", "-nostdinc++", "-traditional-cpp"};

/* Other options whose argument is the next word. */
static const char *const skipped[] = {"-o", "-MF", "-MT", "-MQ", "-MJ", "-L", "-l",
    "-T", "-u", "-e", "-z", "-B", "-Xclang", "-Xlinker", "-Xassembler",
    "-Xpreprocessor", "-mllvm", "-rpath", "-soname", "-dumpbase", "-dumpdir", "--param",
    "-arch", "-gcc-toolchain", "--sysroot", "-iprefix", "-iwithprefix",
    "-iwithprefixbefore", "-cxx-isystem", "-iframework", "-F"};

bool cli_is_one_of(const char *word, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0)
            return true;
    return false;
}

/* Options whose values are never paths, and that neither load nor run anything. */
static bool is_plain(const char *arg)
{
    if (strchr(arg, '/') || strncmp(arg, "-fplugin", 8) == 0 ||
        strncmp(arg, "-fpass-plugin", 13) == 0 || strcmp(arg, "-mllvm") == 0)
        return false;
    if (CLI_IS_ONE_OF(arg, words))
        return true;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(arg, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static void put_word(struct trod_sink *sink, const char *word)
{
    trod_put(sink, " ");
    trod_put_name(sink, word);
}

/* Copy an option with an argument. Returns its number of words; 0: it is another option. */
static size_t put_with_argument(
    struct cli *cli, struct trod_sink *sink, char **args, const char *folder)
{
    for (size_t i = 0; i < sizeof with_argument / sizeof *with_argument; i++) {
        const struct known *option = &with_argument[i];
        size_t n = strlen(option->name);
        bool joined = args[0][n] != '\0';
        const char *value = joined ? args[0] + n : args[1];

        if (strncmp(args[0], option->name, n) != 0 || (joined && *value == '-'))
            continue;
        if (!value)
            return 1;
        value = option->kind == MACRO  ? macro_of(cli, value)
                : option->kind == PATH ? path_of(cli, value, folder)
                                       : value;
        put_word(sink, option->name);
        put_word(sink, value ? value : CLI_OMITTED);
        return joined ? 1 : 2;
    }
    return 0;
}

char *cli_cc_command(struct cli *cli, const char *compiler, char **args, bool whole)
{
    const char *slash = strrchr(compiler, '/'), *folder = cli_cc_working_folder(cli);
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    trod_put_name(&text.sink, slash && !whole ? slash + 1 : compiler);
    for (size_t n; *args; args += n) {
        const char *path;

        n = 1;
        if (whole) {
            put_word(&text.sink, *args);
            continue;
        }
        n = put_with_argument(cli, &text.sink, args, folder);
        if (n)
            continue;
        n = CLI_IS_ONE_OF(*args, skipped) && args[1] ? 2 : 1;
        if (n == 1 && **args == '-' && (*args)[1]) {
            if (is_plain(*args))
                put_word(&text.sink, *args);
            continue;
        }
        path = n == 1 && **args != '@' ? path_of(cli, *args, folder) : NULL;
        if (path && cli_is_c(path))
            put_word(&text.sink, path);
    }
    return text.text;
}
