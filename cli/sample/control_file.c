#include "sample/controlled.h"

#include "trod/burst.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WAITS = 100, WAIT_MILLISECONDS = 10 };

static void wait_a_moment(void)
{
    nanosleep(&(struct timespec){.tv_nsec = WAIT_MILLISECONDS * 1000000L}, NULL);
}

/* --- what can be controlled ------------------------------------------------------------------------ */

static const char *mode_of(const struct cli_profiles *in)
{
    return in->count && in->profile[0].nmodule
               ? trod_format_mode_word(in->profile[0].module[0].mode)
               : NULL;
}

/* Why there is nothing to control, and what helps. */
static bool explain(struct cli *cli, const char *path, const struct cli_profiles *in)
{
    const char *mode = mode_of(in);
    bool samples = mode && (strcmp(mode, "burst") == 0 || strcmp(mode, "blocks") == 0);

    if (in->text || in->health.kind != TROD_FORMAT_LIVE)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: a profile that trod wrote; name a process, or the profile it writes",
            path);
    if (samples)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: the program cannot be controlled: it samples with the online library, was built by an earlier version of trod, "
            "or had no disk space when it started; build or start it again",
            path);
    return trod_fail(&cli->err, TROD_E_INPUT,
        "%s: the program counts everything, which cannot be changed while it runs; build it with "
        "'trod cc --burst' or --online to sample. --snapshot works: the difference of two is "
        "printed by 'trod set subtract --counts'",
        path);
}

static bool find_block(size_t *at, struct cli *cli, const char *path)
{
    struct cli_profiles in;
    bool ok;

    if (!cli_profiles_read(&in, cli, path, &cli->mem))
        return false;
    *at = in.health.control_at;
    ok = !in.text && *at;
    return ok || explain(cli, path, &in);
}

uint32_t cli_control_pid(struct cli *cli, const char *path)
{
    struct trod_format_control block;
    struct cli_profiles in;
    uint32_t pid = 0;
    int fd;

    if (!cli_profiles_read(&in, cli, path, &cli->mem) || in.text ||
        !in.health.control_at)
        return 0;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && pread(fd, &block, sizeof block, (off_t)in.health.control_at) ==
                       (ssize_t)sizeof block)
        pid = block.pid;
    if (fd >= 0)
        close(fd);
    return pid;
}

/* A copy of a profile has the process id of the program, too. */
static bool check_runs(const struct cli_controlled *c, struct cli *cli)
{
    uint64_t pid = c->block->pid;
    struct stat status;

    if (fstat(c->fd, &status) == 0 && cli_process_has_mapped(cli, pid, status.st_ino))
        return true;
    return trod_fail(&cli->err, TROD_E_INPUT,
        "%s: process %" PRIu64
        " does not write this file: it has ended, or this is a copy; name a running process, or "
        "set TROD_BURST or TROD_ONLINE for the next run",
        c->path, pid);
}

/* --- opening -------------------------------------------------------------------------------------------- */

static bool open_file(struct cli_controlled *c, struct cli *cli)
{
    struct stat status;
    int error;

    c->fd = open(c->path, O_RDWR | O_CLOEXEC);
    if (c->fd >= 0)
        return true;
    error = errno;
    if (error == EACCES && stat(c->path, &status) == 0)
        return trod_fail(&cli->err, TROD_E_SYSTEM,
            "%s: belongs to user %u; only that user and root can control the program",
            c->path, status.st_uid);
    return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", c->path, strerror(error));
}

static bool lock(const struct cli_controlled *c, struct cli *cli)
{
    int i;

    for (i = 0; i < WAITS && flock(c->fd, LOCK_EX | LOCK_NB) != 0; i++)
        wait_a_moment();
    return i < WAITS ||
           trod_fail(&cli->err, TROD_E_SYSTEM,
               "%s: another process controls the program; try again", c->path);
}

static bool map_block(struct cli_controlled *c, struct cli *cli, size_t at)
{
    size_t offset = at / TROD_FORMAT_PAGE * TROD_FORMAT_PAGE;

    c->page = mmap(NULL, TROD_FORMAT_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd,
        (off_t)offset);
    if (c->page == MAP_FAILED) {
        c->page = NULL;
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", c->path, strerror(errno));
    }
    c->block = (void *)((char *)c->page + (at - offset));
    return true;
}

static uint32_t check_of(const struct trod_format_control *control)
{
    return trod_crc32(control, TROD_CONTROL_CHECKED);
}

static bool is_possible(const struct trod_format_control *control)
{
    const struct trod_format_setting *s = &control->setting;

    if (control->kind == TROD_CONTROL_BURST)
        return trod_burst_is_possible(control);
    return s->on <= 1 && s->budget <= 1000000 && s->rate[0] && s->rate[1] &&
           s->rate[0] <= UINT64_C(1) << 40 && s->rate[1] <= UINT64_C(1) << 40;
}

/* The defaults of trod cc --burst. */
static void set_defaults(struct trod_format_control *control)
{
    struct trod_format_setting *s = &control->setting;

    s->on = 1;
    s->types = control->types;
    s->trigger = control->trigger;
    s->budget = 0;
    s->nreset = control->nreset;
    for (uint32_t t = 0; t < TROD_CONTROL_TYPES; t++) {
        s->rate[t] = 1000;
        s->burst[t] = 1;
    }
}

static void take_before(struct cli_controlled *c)
{
    struct trod_format_control now = *c->block;

    c->is_damaged =
        now.sequence & 1 || now.check != check_of(&now) || !is_possible(&now);
    if (c->is_damaged)
        set_defaults(&now);
    c->before = now.setting;
}

bool cli_control_open(struct cli_controlled *out, struct cli *cli, const char *path)
{
    size_t at;

    *out = (struct cli_controlled){.path = path, .fd = -1};
    if (open_file(out, cli) && find_block(&at, cli, path) && lock(out, cli) &&
        map_block(out, cli, at) && check_runs(out, cli)) {
        take_before(out);
        return true;
    }
    cli_control_close(out);
    return false;
}

void cli_control_close(struct cli_controlled *c)
{
    if (c->page)
        munmap(c->page, TROD_FORMAT_PAGE);
    if (c->fd >= 0)
        close(c->fd);
    c->page = NULL;
    c->fd = -1;
}

/* --- writing ---------------------------------------------------------------------------------------------- */

/* Make the sequence odd. The program itself may be writing, too, for an instant; or whoever wrote last has died. */
static uint64_t begin(struct trod_format_control *block)
{
    for (int i = 0;; i++) {
        uint64_t was = __atomic_load_n(&block->sequence, __ATOMIC_RELAXED);
        uint64_t odd = (was & 1 ? was + 2 : was + 1);

        if ((!(was & 1) || i == WAITS) &&
            __atomic_compare_exchange_n(
                &block->sequence, &was, odd, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return odd;
        wait_a_moment();
    }
}

void cli_control_write(
    struct cli_controlled *c, const struct trod_format_setting *setting)
{
    struct trod_format_control next = *c->block;

    next.setting = *setting;
    next.sequence = begin(c->block) + 1;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    c->block->setting = next.setting;
    c->block->check = check_of(&next);
    __atomic_store_n(&c->block->sequence, next.sequence, __ATOMIC_RELEASE);
}

enum cli_control_answer cli_control_wait(const struct cli_controlled *c)
{
    uint64_t asked = __atomic_load_n(&c->block->sequence, __ATOMIC_RELAXED);

    for (int i = 0; i < WAITS; i++) {
        if (__atomic_load_n(&c->block->heard, __ATOMIC_ACQUIRE) == asked)
            return CLI_CONTROL_FOLLOWED;
        if (__atomic_load_n(&c->block->ignored, __ATOMIC_ACQUIRE) == asked)
            return CLI_CONTROL_REFUSED;
        wait_a_moment();
    }
    return CLI_CONTROL_PENDING;
}
