#include "input/input.h"
#include "version/versions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "child/child.h"
#include "file/file.h"

/* The process that reads a unit; its output is in unnamed temporary files. */
struct job {
    struct trod_child child; /* pid 0: not started, or ended */
    int out, err;            /* -1: none */
};

struct work {
    struct cli *cli;
    const struct cli_version *version;
    const char *mode;
    char *program;
    struct job *job; /* by unit */
    uint32_t begun, nrunning, nover;
};

static uint32_t processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n > 0 ? (uint32_t)n : 1;
}

/* Only on a terminal. */
static void show_progress(const struct work *w)
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
    const char *const own[] = {w->program, w->mode, "--root", w->version->root,
        "--directory", unit->directory, "--file", unit->file, "--"};
    enum { NOWN = sizeof own / sizeof *own };
    char **argv = trod_new(&w->cli->mem, char *, NOWN + unit->narg + 1);

    for (uint32_t i = 0; i < NOWN + unit->narg; i++) {
        const char *arg = i < NOWN ? own[i] : unit->arg[i - NOWN];

        argv[i] = trod_copy(&w->cli->mem, arg);
    }
    return argv;
}

static bool begin(struct work *w)
{
    const struct cli_unit *unit = &w->version->unit[w->begun];
    struct job *job = &w->job[w->begun];
    char **argv = arguments(w, unit);
    struct trod_child_options options = {0};

    job->out = memfd_create("trod-clang", MFD_CLOEXEC);
    job->err = memfd_create("trod-clang", MFD_CLOEXEC);
    if (job->out < 0 || job->err < 0)
        return trod_fail(
            &w->cli->err, TROD_E_SYSTEM, "a temporary file: %s", strerror(errno));
    options.out = job->out;
    options.err = job->err;
    if (!trod_child_start(&job->child, argv, &options, &w->cli->err)) {
        job->child.pid = 0;
        return false;
    }
    w->begun++;
    w->nrunning++;
    return true;
}

/* Wait until one of the processes ends. */
static bool await(struct work *w)
{
    struct trod_child any = {.pid = -1, .name = w->program};

    if (!trod_child_wait(&any, &w->cli->err))
        return false;
    for (uint32_t i = 0; i < w->begun; i++)
        if (w->job[i].child.pid == any.pid) {
            w->job[i].child = any;
            w->job[i].child.pid = 0;
            w->nrunning--;
            w->nover++;
        }
    return true;
}

/* Read a whole file. */
static bool slurp(struct cli *cli, int file, char **out, size_t *length)
{
    int error;

    if (file < 0 || lseek(file, 0, SEEK_SET) < 0)
        return trod_fail(
            &cli->err, TROD_E_SYSTEM, "a temporary file: %s", strerror(errno));
    error = trod_file_read(out, length, file, &cli->mem);
    return !error ||
           trod_fail(&cli->err, TROD_E_SYSTEM, "a temporary file: %s", strerror(error));
}

/* The message of a failed process, without the program's name. */
static const char *failure_of(struct cli *cli, const struct job *job, char *said)
{
    static const char own[] = "trod-clang: ";
    char ending[80];

    said[strcspn(said, "\n")] = '\0';
    if (strncmp(said, own, sizeof own - 1) == 0)
        said += sizeof own - 1;
    return *said ? said
                 : trod_format(&cli->mem, "trod-clang %s",
                       trod_child_ending(ending, &job->child));
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
    bool failed = trod_child_failed(&job->child);

    if (!slurp(w->cli, job->out, &bytes, &length) ||
        !slurp(w->cli, job->err, &said, &nsaid))
        return false;
    trod_text_init(&text, unit->file, bytes, failed ? 0 : length);
    return take(
        w->cli, unit, &text, failed ? failure_of(w->cli, job, said) : NULL, ctx);
}

static void close_job(struct job *job)
{
    if (job->out >= 0)
        close(job->out);
    if (job->err >= 0)
        close(job->err);
    job->out = job->err = -1;
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
    for (uint32_t i = 0; i < version->count; i++)
        w.job[i].out = w.job[i].err = -1;
    while (ok && given < version->count) {
        while (ok && w.begun < version->count && w.nrunning < most)
            ok = begin(&w);
        show_progress(&w);
        ok = ok && await(&w);
        /* Deliver results in order, as soon as all earlier ones are complete; files are closed on the way. */
        for (; ok && given < w.begun && !w.job[given].child.pid; given++) {
            ok = hand_over(&w, given, take, ctx);
            close_job(&w.job[given]);
        }
    }
    show_progress(&w);
    while (w.nrunning && await(&w))
        ;
    for (uint32_t i = 0; i < version->count; i++)
        close_job(&w.job[i]);
    return ok;
}
