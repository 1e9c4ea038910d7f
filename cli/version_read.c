#include "versions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What runs for a unit: its output is in files that are gone when we are. */
struct job {
    pid_t pid; /* 0: not begun, or over */
    int status;
    FILE *out, *err;
};

struct work {
    struct cli *cli;
    const struct cli_version *version;
    const char *mode;
    char *program;
    struct job *job; /* of each unit */
    uint32_t begun, nrunning, nover;
};

static uint32_t processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n > 0 ? (uint32_t)n : 1;
}

/* Only for those who can see it. */
static void tell(const struct work *w)
{
    if (w->cli->options.quiet || !isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\rtrod: %s: %" PRIu32 " of %" PRIu32 " units", w->version->name,
        w->nover, w->version->count);
    if (w->nover == w->version->count)
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

static char **arguments(struct work *w, const struct cli_unit *unit)
{
    const char **argv = trod_new(&w->cli->mem, const char *, unit->narg + 11);
    uint32_t n = 0;

    argv[n++] = w->program;
    argv[n++] = w->mode;
    argv[n++] = "--root";
    argv[n++] = w->version->root;
    argv[n++] = "--directory";
    argv[n++] = unit->directory;
    argv[n++] = "--file";
    argv[n++] = unit->file;
    argv[n++] = "--";
    for (uint32_t i = 0; i < unit->narg; i++)
        argv[n++] = unit->arg[i];
    return (char **)(uintptr_t)argv;
}

static bool begin(struct work *w)
{
    const struct cli_unit *unit = &w->version->unit[w->begun];
    struct job *job = &w->job[w->begun];
    char **argv = arguments(w, unit);

    job->out = tmpfile();
    job->err = tmpfile();
    if (!job->out || !job->err)
        return trod_fail(
            &w->cli->err, TROD_E_SYSTEM, "a temporary file: %s", strerror(errno));
    job->pid = fork();
    if (job->pid == 0) {
        if (dup2(fileno(job->out), STDOUT_FILENO) >= 0 &&
            dup2(fileno(job->err), STDERR_FILENO) >= 0)
            execv(argv[0], argv);
        _exit(127);
    }
    if (job->pid < 0) {
        job->pid = 0;
        return trod_fail(
            &w->cli->err, TROD_E_SYSTEM, "%s: %s", w->program, strerror(errno));
    }
    w->begun++;
    w->nrunning++;
    return true;
}

/* One of ours comes to its end. */
static bool await(struct work *w)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, 0)) < 0)
        if (errno != EINTR)
            return trod_fail(&w->cli->err, TROD_E_SYSTEM, "waiting for %s: %s",
                w->program, strerror(errno));
    for (uint32_t i = 0; i < w->begun; i++)
        if (w->job[i].pid == pid) {
            w->job[i].pid = 0;
            w->job[i].status = status;
            w->nrunning--;
            w->nover++;
        }
    return true;
}

/* All that a file has; NUL behind it. */
static bool slurp(struct cli *cli, FILE *file, char **out, size_t *length)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;

    if (size < 0 || fseek(file, 0, SEEK_SET) != 0)
        return trod_fail(
            &cli->err, TROD_E_SYSTEM, "a temporary file: %s", strerror(errno));
    *out = trod_arena_take(&cli->mem, (size_t)size + 1, 1);
    *length = fread(*out, 1, (size_t)size, file);
    return *length == (size_t)size ||
           trod_fail(&cli->err, TROD_E_SYSTEM, "a temporary file: %s", strerror(errno));
}

/* What it said, without its name. */
static const char *failure_of(struct cli *cli, const struct job *job, char *said)
{
    static const char own[] = "trod-clang: ";
    struct trod_string how;

    said[strcspn(said, "\n")] = '\0';
    if (strncmp(said, own, sizeof own - 1) == 0)
        said += sizeof own - 1;
    if (*said)
        return said;
    trod_string_init(&how, &cli->mem);
    trod_put(&how.sink, "trod-clang ");
    cli_shell_tell(&how.sink, job->status);
    return how.text;
}

static bool hand_over(struct work *w, uint32_t i,
    bool (*take)(struct cli *cli, const struct cli_unit *unit, struct trod_text *text,
        const char *failure, void *ctx),
    void *ctx)
{
    const struct cli_unit *unit = &w->version->unit[i];
    struct job *job = &w->job[i];
    struct trod_text text;
    char *bytes, *said;
    size_t length, nsaid;
    bool failed = job->status != 0;

    if (!slurp(w->cli, job->out, &bytes, &length) ||
        !slurp(w->cli, job->err, &said, &nsaid))
        return false;
    trod_text_init(&text, unit->file, bytes, failed ? 0 : length);
    return take(
        w->cli, unit, &text, failed ? failure_of(w->cli, job, said) : NULL, ctx);
}

static void close_all(struct work *w)
{
    while (w->nrunning && await(w))
        ;
    for (uint32_t i = 0; i < w->version->count; i++) {
        if (w->job[i].out)
            fclose(w->job[i].out);
        if (w->job[i].err)
            fclose(w->job[i].err);
    }
}

bool cli_version_read(struct cli *cli, const struct cli_version *version,
    const char *mode,
    bool (*take)(struct cli *cli, const struct cli_unit *unit, struct trod_text *text,
        const char *failure, void *ctx),
    void *ctx)
{
    struct work w = {.cli = cli, .version = version, .mode = mode};
    uint32_t most = processors(), given = 0;
    bool ok = cli_own_file(cli, &w.program, "trod-clang");

    w.job = trod_new(&cli->mem, struct job, version->count);
    while (ok && given < version->count) {
        while (ok && w.begun < version->count && w.nrunning < most)
            ok = begin(&w);
        tell(&w);
        ok = ok && await(&w);
        /* In order, as soon as all before it are there; files are closed as they go. */
        for (; ok && given < w.begun && !w.job[given].pid; given++) {
            ok = hand_over(&w, given, take, ctx);
            fclose(w.job[given].out);
            fclose(w.job[given].err);
            w.job[given].out = w.job[given].err = NULL;
        }
    }
    tell(&w);
    close_all(&w);
    return ok;
}
