#include "build/emulated.h"
#include "commands.h"
#include "input/input.h"
#include "output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/section.h"

char *cli_joined(struct cli *cli, const char *a, const char *b, const char *c)
{
    return trod_format(&cli->mem, "%s%s%s", a, b, c);
}

/* --- which program ------------------------------------------------------------------------------ */

static bool is_program(const char *path)
{
    struct stat of;

    return stat(path, &of) == 0 && S_ISREG(of.st_mode) && access(path, X_OK) == 0;
}

/* Search a program as a shell does. */
static bool find_program(struct cli *cli, const char **out, const char *name)
{
    const char *at = getenv("PATH");

    *out = name;
    if (strchr(name, '/')) {
        if (is_program(name))
            return true;
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", name,
            access(name, F_OK) == 0 ? "it cannot be run; name a program"
                                    : strerror(errno));
    }
    for (at = at ? at : "/usr/bin:/bin"; *at; at += *at == ':') {
        size_t n = strcspn(at, ":");

        *out = cli_joined(cli, n ? trod_copy_text(&cli->mem, at, n) : ".", "/", name);
        if (is_program(*out))
            return true;
        at += n;
    }
    return trod_fail(
        &cli->err, TROD_E_SYSTEM, "%s: not found on PATH; name a program", name);
}

/* The interpreter named in the first line of a script, followed by the script. */
static bool take_interpreter(struct cli *cli, struct cli_emulated *e, char *line)
{
    struct cli_list argv = {0};
    char *argument;

    line[strcspn(line, "\n")] = '\0';
    line += strspn(line, " \t");
    argument = line + strcspn(line, " \t");
    if (*argument)
        *argument++ = '\0';
    argument += strspn(argument, " \t");
    cli_list_add(cli, &argv, trod_copy(&cli->mem, line));
    if (*argument)
        cli_list_add(cli, &argv, trod_copy(&cli->mem, argument));
    cli_list_add(cli, &argv, e->program);
    for (uint32_t i = 1; i < e->argv.count; i++)
        cli_list_add(cli, &argv, e->argv.item[i]);
    e->argv = argv;
    return find_program(cli, &e->program, argv.item[0]);
}

static bool find_machine(struct cli *cli, struct cli_emulated *e)
{
    enum { DEEPEST = 4, LINE = 256 };

    for (int depth = 0; depth < DEEPEST; depth++) {
        char head[LINE + 1] = {0};
        int fd = open(e->program, O_RDONLY | O_CLOEXEC);
        ssize_t got = fd < 0 ? -1 : read(fd, head, LINE);
        bool is_elf;

        if (fd >= 0)
            close(fd);
        if (got < 0)
            return trod_fail(
                &cli->err, TROD_E_SYSTEM, "%s: %s", e->program, strerror(errno));
        if (head[0] == '#' && head[1] == '!') {
            if (!take_interpreter(cli, e, head + 2))
                return false;
            continue;
        }
        e->machine =
            trod_elf_machine((const unsigned char *)head, (size_t)got, &is_elf);
        if (e->machine)
            return true;
        return trod_fail(&cli->err, TROD_E_INPUT,
            is_elf
                ? "%s is for a machine that trod does not emulate; expected x86-64, aarch64 or riscv64"
                : "%s is not a program; name an ELF file or a script",
            e->program);
    }
    return trod_fail(&cli->err, TROD_E_INPUT,
        "%s: too many levels of script interpreters; name the program itself",
        e->argv.item[0]);
}

static bool find_emulator(struct cli *cli, struct cli_emulated *e)
{
    const char *name = cli->options.emulator;

    if (!name)
        name = cli_joined(cli, "qemu-", e->machine, "");
    if (find_program(cli, &e->emulator, name))
        return true;
    return trod_fail(&cli->err, TROD_E_SYSTEM,
        "%s is not installed; it is in the package qemu-user", name);
}

/* --- execution -------------------------------------------------------------------------------------- */

/* In QEMU options a comma ends a value, unless it is doubled. */
static void put_value(struct trod_sink *sink, const char *text)
{
    for (; *text; text++)
        trod_put(sink, *text == ',' ? ",%c" : "%c", *text);
}

static char *plugin_of(struct cli *cli, const struct cli_emulated *e)
{
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    put_value(&text.sink, e->plugin);
    trod_put(&text.sink, ",out=%s", e->folder);
    if (e->trace) {
        trod_put(&text.sink, ",trace=");
        put_value(&text.sink, e->trace);
    }
    if (e->accesses)
        trod_put(&text.sink, ",accesses=on");
    if (cli->options.first_insns)
        trod_put(&text.sink, ",first=%" PRIu64, cli->options.first_insns);
    return text.text;
}

/* The folder of libraries for another machine, as installed with cross compilers. */
static void add_libraries(
    struct cli *cli, struct cli_list *to, const struct cli_emulated *e)
{
    const char *folder = cli_joined(cli, "/usr/", e->machine, "-linux-gnu");
    struct stat of;

    if (getenv("QEMU_LD_PREFIX") || strcmp(e->machine, "x86_64") == 0 ||
        stat(cli_joined(cli, folder, "/lib", ""), &of) < 0)
        return;
    cli_list_add(cli, to, "-L");
    cli_list_add(cli, to, folder);
}

/* Variables meant for the program's loader must not affect the emulator's. */
static void add_environment(struct cli *cli, struct cli_list *to)
{
    static const char *const own[] = {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_BIND_NOW"};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const char *value = getenv(own[i]);

        if (!value || strchr(value, ','))
            continue;
        cli_list_add(cli, to, "-E");
        cli_list_add(cli, to, cli_joined(cli, own[i], "=", value));
        unsetenv(own[i]);
    }
}

static bool run(struct cli *cli, const struct cli_emulated *e, struct trod_child *child)
{
    struct cli_list argv = {0};
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    struct trod_child_options options = {.out = e->aside ? STDERR_FILENO : 0};
    bool ok;

    cli_list_add(cli, &argv, e->emulator);
    add_libraries(cli, &argv, e);
    cli_list_add(cli, &argv, "-plugin");
    cli_list_add(cli, &argv, plugin_of(cli, e));
    add_environment(cli, &argv);
    cli_list_add(cli, &argv, "-0");
    for (uint32_t i = 0; i < e->argv.count; i++) {
        cli_list_add(cli, &argv, e->argv.item[i]);
        if (i == 0)
            cli_list_add(cli, &argv, e->program);
    }
    cli_list_add(cli, &argv, NULL);
    if (!trod_child_start(child, (char **)(uintptr_t)argv.item, &options, &cli->err))
        return false;
    sigaction(SIGINT, &ignore, &before); /* only the program handles it */
    ok = trod_child_wait(child, &cli->err);
    sigaction(SIGINT, &before, NULL);
    return ok;
}

/* --- results -------------------------------------------------------------------------------------------- */

static void pass_on_notes(struct cli *cli, const struct cli_emulated *e)
{
    char path[128], line[512];
    FILE *in;

    snprintf(path, sizeof path, "%s/notes", e->folder);
    in = fopen(path, "re");
    if (!in)
        return;
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        cli_note(cli, "%s", line);
    }
    fclose(in);
}

void cli_emulated_remove(struct cli *cli, const struct cli_emulated *e)
{
    glob_t found;

    if (!e->folder[0])
        return;
    if (glob(cli_joined(cli, e->folder, "/*", ""), 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            unlink(found.gl_pathv[i]);
        globfree(&found);
    }
    rmdir(e->folder);
}

/* --- interface -------------------------------------------------------------------------------------- */

/* The path must be absolute, because the guest may change its directory. Files of an earlier run are removed. */
static bool place_trace(struct cli *cli, struct cli_emulated *e)
{
    const char *name = e->trace;
    char folder[PATH_MAX];

    if (!name)
        return true;
    if (name[0] != '/' && !getcwd(folder, sizeof folder))
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", name, strerror(errno));
    e->trace = name[0] == '/' ? cli_joined(cli, name, "", "")
                              : cli_joined(cli, folder, "/", name);
    for (unsigned i = 0; i < 1000000; i++) {
        char number[16] = "";

        if (i)
            snprintf(number, sizeof number, ".%u", i);
        if (unlink(cli_joined(cli, e->trace, number, "")) < 0)
            break;
    }
    return true;
}

bool cli_emulated_run(struct cli *cli, struct cli_emulated *e)
{
    static const char pattern[] = "/tmp/trod-emulate-XXXXXX";
    struct trod_child child;

    if (!find_program(cli, &e->program, e->argv.item[0]) || !find_machine(cli, e) ||
        !find_emulator(cli, e) || !cli_own_file(cli, &e->plugin, "trod-qemu.so") ||
        !place_trace(cli, e))
        return false;
    memcpy(e->folder, pattern, sizeof pattern);
    if (!mkdtemp(e->folder)) {
        e->folder[0] = '\0';
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", pattern, strerror(errno));
    }
    if (!run(cli, e, &child))
        return false;
    pass_on_notes(cli, e);
    cli_note_ending(cli, e->program, &child);
    return true;
}
