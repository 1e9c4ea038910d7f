/* compiler: the compiler driver behind `trod cc`.
 */
#ifndef TROD_CLI_COMPILER_H
#define TROD_CLI_COMPILER_H

#include "cli.h"

#include "cc/cc.h"

/* --- cmd_cc.c, cc_own.c, cc_directory.c, cc_missing.c: compilers --------------------------------- */

struct cli_cc {
    struct trod_cc_values given;
    struct cli_list sets; /* files of --paths or --tested */
    const char *only;     /* file; NULL: none */
};

/* Take trod's own options off the front of a command line, and pass them on to the plugin. */
bool cli_cc_take_own(struct cli_cc *out, struct cli *cli, char ***args);

/* The version of clang that trod is made for; older ones from the first on may have a plugin of their own. */
enum { CLI_FIRST_CLANG = 16, CLI_CLANG = 19 };

/* cc_driver.c: the compiler driver. What TROD_CLANG names: perhaps launchers, then the compiler. */
struct cli_compiler {
    char **word;
    size_t nword;
    char *path;       /* of the last word */
    unsigned version; /* when the plugin has been found */
};
bool cli_compiler_find(struct cli_compiler *out, struct cli *cli, const char *variable,
    const char *otherwise);

/* What it would do with these arguments. */
struct cli_driver {
    bool links;
    const char *target; /* NULL: it was not asked, because it only compiles */
};
void cli_driver_ask(struct cli_driver *out, struct cli *cli,
    const struct cli_compiler *compiler, char **args);
/* The plugin for its version. Fail where there is none. */
bool cli_driver_find_plugin(char **out, struct cli_compiler *compiler, struct cli *cli);
/* Fail where the program could not be instrumented. */
bool cli_driver_check(struct cli *cli, char **args);
/* cc_target.c: the runtime for its target. Fail where it links and there is none. */
bool cli_driver_find_runtime(
    char **out, const struct cli_driver *driver, struct cli *cli);
/* Whether the runtime must bring libc itself. */
bool cli_driver_lacks_libc(char **args);
bool cli_driver_has_word(char **args, const char *word);
/* The value of the last option that begins so; NULL: none. */
const char *cli_driver_last_value(char **args, const char *option);
/* -fuse-ld=lld selects the lld beside clang, if there is one; it has the same version. */
bool cli_driver_has_own_lld(const struct cli_compiler *compiler);
/* Pass the command to the plugin. */
bool cli_driver_hand_over(struct cli *cli, const char *command);
bool cli_driver_set_namespace(struct cli *cli, const char *plugin, const char *command);
/* Run it; exit with its status if it fails. */
bool cli_driver_run(struct cli *cli, char **argv);

/* cc_command.c: the compile command for the map; whole, or without values of macros and without absolute paths. */
#define CLI_OMITTED "trod_omitted"
bool cli_is_one_of(const char *word, const char *const *list, size_t n);

#define CLI_IS_ONE_OF(word, list) \
    cli_is_one_of((word), (list), sizeof(list) / sizeof *(list))

char *cli_cc_command(struct cli *cli, const char *compiler, char **args, bool whole);

/* The folder that the compiler works in; NULL: unknown. */
char *cli_cc_working_folder(struct cli *cli);
/* Where the compiler works, with what its arguments say of the paths in debug information; NULL: unknown. */
char *cli_cc_directory(struct cli *cli, char **args);

/* Note what of the paths given is not in the program that these arguments made. */
bool cli_cc_name_missing(struct cli *cli, const struct cli_cc *cc, char **args);

/* Note what of the functions given is not in it. */
bool cli_cc_name_functions(struct cli *cli, const struct cli_cc *cc, char **args);

/* --- cc_whole.c: programs that are instrumented as a whole, when they are linked --------------------- */

/* Refuse a command line that cannot be part of such a build. */
bool cli_whole_check(
    struct cli *cli, const struct cli_compiler *compiler, char **args, bool links);
/* Append what the compiler needs: before the user's options, after them, and if it links. Each returns how many. */
enum { CLI_WHOLE_ROOM = 12 };
size_t cli_whole_put_first(char **argv);
size_t cli_whole_put_last(
    char **argv, struct cli *cli, const char *plugin, char **args, bool links);

/* --- cc_probe.c ------------------------------------------------------------------------------------ */

/* Is it a program that configure, CMake or meson makes to try the compiler out? */
bool cli_cc_is_probe(char **args);

#endif
