#include "lifted.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elf/section.h"

/* trod emulate: run a program as it is in an emulator, and report on what was seen of it. */

struct emulation {
    struct cli *cli;
    char **argv; /* the program's */
    const char *path;
    const char *machine; /* as QEMU calls it */
    char *folder;        /* what was seen is written to */
    pid_t child;
    int status;
    struct words {
        char **word;
        size_t count, room;
    } command;
};

static void add(struct cli *cli, struct words *to, const char *word)
{
    trod_reserve(&cli->mem, to->word, to->count, to->room);
    to->word[to->count++] = word ? trod_copy_text(&cli->mem, word, strlen(word)) : NULL;
}

/* --- the program ---------------------------------------------------------------------------------- */

static const char *search(struct cli *cli, const char *name)
{
    const char *path = getenv("PATH");

    if (strchr(name, '/'))
        return name;
    for (const char *end; path && *path; path = *end ? end + 1 : end) {
        struct trod_string file;

        end = strchrnul(path, ':');
        trod_string_init(&file, &cli->mem);
        trod_put(&file.sink, "%.*s/%s", (int)(end - path), path, name);
        if (access(file.text, X_OK) == 0)
            return file.text;
    }
    return name;
}

/* A script is run by what its first line says. */
static bool take_script(struct emulation *e, char *head)
{
    struct words argv = {0};
    struct cli *cli = e->cli;
    char *save, *word;

    head[strcspn(head, "\n")] = '\0';
    for (word = strtok_r(head + 2, " \t", &save); word && argv.count < 2;
        word = strtok_r(NULL, argv.count == 1 ? "" : " \t", &save))
        add(cli, &argv, word);
    if (!argv.count)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: its first line names no program to run it", e->path);
    add(cli, &argv, e->path);
    for (char **arg = e->argv + 1; *arg; arg++)
        add(cli, &argv, *arg);
    add(cli, &argv, NULL);
    e->argv = argv.word;
    e->path = e->argv[0];
    return true;
}

static bool find_machine(struct emulation *e)
{
    struct cli *cli = e->cli;

    for (int depth = 0; depth < 5; depth++) {
        char head[257] = "";
        int fd = open(e->path, O_RDONLY | O_CLOEXEC);
        ssize_t got;

        if (fd < 0)
            return trod_fail(
                &cli->err, TROD_E_SYSTEM, "%s: %s", e->path, strerror(errno));
        got = read(fd, head, sizeof head - 1);
        close(fd);
        if (got < 0)
            return trod_fail(
                &cli->err, TROD_E_SYSTEM, "%s: %s", e->path, strerror(errno));
        if (head[0] == '#' && head[1] == '!') {
            if (!take_script(e, head))
                return false;
            continue;
        }
        e->machine = trod_elf_machine(head, (size_t)got);
        if (!e->machine)
            return trod_fail(
                &cli->err, TROD_E_INPUT, "%s: it is no program for Linux", e->path);
        if (e->machine[0] == '?')
            return trod_fail(&cli->err, TROD_E_INPUT,
                "%s: it is for another machine than x86-64, aarch64 or riscv64",
                e->path);
        return true;
    }
    return trod_fail(&cli->err, TROD_E_INPUT, "%s: scripts of scripts", e->path);
}

/* --- the emulator ---------------------------------------------------------------------------------- */

/* What is meant for the guest's loader is not for the emulator's. */
static void add_environment(struct emulation *e)
{
    static const char *const own[] = {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_BIND_NOW"};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const char *value = getenv(own[i]);
        struct trod_string word;

        if (!value || strchr(value, ','))
            continue;
        trod_string_init(&word, &e->cli->mem);
        trod_put(&word.sink, "%s=%s", own[i], value);
        add(e->cli, &e->command, "-E");
        add(e->cli, &e->command, word.text);
        unsetenv(own[i]);
    }
}

static bool make_command(struct emulation *e)
{
    struct cli *cli = e->cli;
    struct trod_string emulator, libraries, option;
    const char *named = getenv("TROD_QEMU");
    char *plugin;

    trod_string_init(&emulator, &cli->mem);
    if (named && *named)
        trod_put(&emulator.sink, "%s", named);
    else
        trod_put(&emulator.sink, "qemu-%s", e->machine);
    if (access(search(cli, emulator.text), X_OK) != 0)
        return trod_fail(&cli->err, TROD_E_SYSTEM,
            "%s: %s; install QEMU's user mode (Debian's package qemu-user), or name an "
            "emulator in TROD_QEMU",
            emulator.text, strerror(errno));
    if (!cli_cc_own_file(cli, &plugin, "trod-qemu.so"))
        return false;
    if (strchr(plugin, ',') || strchr(e->folder, ','))
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: QEMU takes no plugin from a path with a comma",
            strchr(plugin, ',') ? plugin : e->folder);
    trod_string_init(&option, &cli->mem);
    trod_put(&option.sink, "%s,out=%s", plugin, e->folder);
    add(e->cli, &e->command, search(cli, emulator.text));
    add(e->cli, &e->command, "-plugin");
    add(e->cli, &e->command, option.text);
    trod_string_init(&libraries, &cli->mem);
    trod_put(&libraries.sink, "/usr/%s-linux-gnu", e->machine);
    if (access(libraries.text, X_OK) == 0 && !getenv("QEMU_LD_PREFIX")) {
        add(e->cli, &e->command, "-L");
        add(e->cli, &e->command, libraries.text);
    }
    add_environment(e);
    add(e->cli, &e->command, "-0");
    add(e->cli, &e->command, e->argv[0]);
    add(e->cli, &e->command, e->path);
    for (char **arg = e->argv + 1; *arg; arg++)
        add(e->cli, &e->command, *arg);
    add(e->cli, &e->command, NULL);
    return true;
}

/* A key that interrupts is for the program; what was seen of it until then is told. */
static bool run(struct emulation *e)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    char **argv = e->command.word;
    posix_spawnattr_t attr;
    sigset_t reset;
    int failed;
    bool ok = true;

    fflush(stdout);
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    posix_spawnattr_init(&attr);
    sigemptyset(&reset);
    if (interrupt.sa_handler != SIG_IGN)
        sigaddset(&reset, SIGINT);
    if (quit.sa_handler != SIG_IGN)
        sigaddset(&reset, SIGQUIT);
    posix_spawnattr_setsigdefault(&attr, &reset);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
    failed = posix_spawn(&e->child, argv[0], NULL, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    if (failed)
        ok =
            trod_fail(&e->cli->err, TROD_E_SYSTEM, "%s: %s", argv[0], strerror(failed));
    while (ok && waitpid(e->child, &e->status, 0) < 0)
        if (errno != EINTR)
            ok = trod_fail(&e->cli->err, TROD_E_SYSTEM, "waiting for %s: %s", argv[0],
                strerror(errno));
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    return ok;
}

/* --- what it left ------------------------------------------------------------------------------------- */

static void tell_status(struct emulation *e)
{
    if (WIFSIGNALED(e->status))
        cli_note(e->cli, "%s was ended by signal %d; what was seen until then is here",
            e->argv[0], WTERMSIG(e->status));
    else if (WEXITSTATUS(e->status))
        cli_note(e->cli, "%s ended with status %d", e->argv[0], WEXITSTATUS(e->status));
}

static void tell_notes(struct emulation *e)
{
    struct trod_string path;
    char line[512];
    FILE *in;

    trod_string_init(&path, &e->cli->mem);
    trod_put(&path.sink, "%s/notes", e->folder);
    in = fopen(path.text, "re");
    while (in && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        cli_note(e->cli, "%s", line);
    }
    if (in)
        fclose(in);
}

/* Files of processes; one that is empty is of a process that was killed, or still runs. */
static bool find_seen(struct emulation *e, struct cli_list *out)
{
    struct cli *cli = e->cli;
    struct trod_string pattern;
    uint32_t nempty = 0;
    glob_t found;

    trod_string_init(&pattern, &cli->mem);
    trod_put(&pattern.sink, "%s/*.seen", e->folder);
    if (glob(pattern.text, 0, NULL, &found) != 0)
        return trod_fail(&cli->err, TROD_E_SYSTEM,
            "%s did not run: nothing was seen of it", e->argv[0]);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct stat status;

        if (stat(found.gl_pathv[i], &status) != 0 || !status.st_size) {
            nempty++;
            continue;
        }
        trod_reserve(&cli->mem, out->item, out->count, out->room);
        out->item[out->count++] =
            trod_copy_text(&cli->mem, found.gl_pathv[i], strlen(found.gl_pathv[i]));
    }
    globfree(&found);
    if (nempty)
        cli_note(cli,
            "%u process(es) told nothing: they were killed, or are running still",
            nempty);
    return out->count || trod_fail(&cli->err, TROD_E_SYSTEM,
                             "%s: nothing was seen of it", e->argv[0]);
}

static void remove_folder(const char *folder)
{
    char pattern[512];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/*", folder);
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            unlink(found.gl_pathv[i]);
        globfree(&found);
    }
    rmdir(folder);
}

static const char *name_profile(struct emulation *e)
{
    const char *slash = strrchr(e->argv[0], '/');
    struct trod_string name;

    if (e->cli->options.output)
        return e->cli->options.output;
    trod_string_init(&name, &e->cli->mem);
    trod_put(&name.sink, "%s.%ld.trod", slash ? slash + 1 : e->argv[0], (long)e->child);
    return name.text;
}

static bool report(struct emulation *e, const char *file)
{
    struct cli_list files = {.item = &file, .count = 1};
    struct trod_profile profile;
    struct trod_map map;

    if (!cli_profiles_sum(&profile, e->cli, &files) ||
        !cli_maps_read(e->cli, &map, &profile))
        return false;
    cli_report_put(e->cli, &profile, &map);
    return true;
}

static bool lift(struct emulation *e)
{
    struct cli_lifting from = {.limit = e->cli->options.limit};
    const char *profile = name_profile(e);
    struct trod_string map;

    if (!find_seen(e, &from.seen))
        return false;
    trod_string_init(&map, &e->cli->mem);
    trod_put(&map.sink, "%s" CLI_MAP_SUFFIX, profile);
    e->cli->options.output = NULL;
    if (!cli_lifted_write(e->cli, &from, profile, map.text))
        return false;
    cli_note(e->cli, "the profile is in %s", profile);
    return report(e, profile);
}

static bool make_folder(struct emulation *e, char *temporary)
{
    const char *named = e->cli->options.raw_folder;
    char whole[4096];

    if (named && mkdir(named, 0777) != 0 && errno != EEXIST)
        return trod_fail(&e->cli->err, TROD_E_SYSTEM, "%s: %s", named, strerror(errno));
    if (named && !realpath(named, whole))
        return trod_fail(&e->cli->err, TROD_E_SYSTEM, "%s: %s", named, strerror(errno));
    if (!named && !mkdtemp(temporary))
        return trod_fail(
            &e->cli->err, TROD_E_SYSTEM, "%s: %s", temporary, strerror(errno));
    e->folder = named ? trod_copy_text(&e->cli->mem, whole, strlen(whole)) : temporary;
    return true;
}

bool cli_emulate(struct cli *cli)
{
    char temporary[] = "/tmp/trod-emulate-XXXXXX";
    const struct cli_list *words = &cli->options.file;
    struct words argv = {0};
    struct emulation e = {.cli = cli};
    bool ok;

    if (!words->count)
        return cli_misused(cli, "name a program to run, behind '--'");
    if (cli->options.output && strcmp(cli->options.output, "-") == 0)
        return cli_misused(cli, "name a file for the profile; the report goes here");
    for (uint32_t i = 0; i < words->count; i++)
        add(cli, &argv, words->item[i]);
    add(cli, &argv, NULL);
    e.argv = argv.word;
    e.path = search(cli, words->item[0]);
    if (!find_machine(&e) || !make_folder(&e, temporary))
        return false;
    ok = make_command(&e) && run(&e);
    if (ok) {
        tell_status(&e);
        tell_notes(&e);
        ok = lift(&e);
    }
    if (!cli->options.raw_folder)
        remove_folder(e.folder);
    return ok;
}
