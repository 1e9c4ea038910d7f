#include "commands.h"
#include "look/look.h"
#include "sample/sampled.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- profiles of processes ------------------------------------------------------------------------- */

static void add_file(struct cli_top *top, const char *path)
{
    struct trod_arena *mem = &top->cli->mem;

    trod_push(
        mem, top->file.item, top->file.count, top->file.room, trod_copy(mem, path));
}

static bool is_profile(const char *path)
{
    FILE *file = fopen(path, "rbe");
    uint8_t magic[8];
    bool ok = file && fread(magic, 1, sizeof magic, file) == sizeof magic &&
              trod_profile_is_binary(magic, sizeof magic);

    if (file)
        fclose(file);
    return ok;
}

static bool has_file(const struct cli_top *top, uint32_t from, const char *path)
{
    struct stat here, there;

    if (stat(path, &here) != 0)
        return true;
    for (uint32_t i = from; i < top->file.count; i++)
        if (stat(top->file.item[i], &there) == 0 && here.st_ino == there.st_ino &&
            here.st_dev == there.st_dev)
            return true;
    return false;
}

/* The text after a number of words; NULL if there are fewer. */
static char *skip_words(char *at, int n)
{
    for (; at && n > 0; n--) {
        at = strchr(at, ' ');
        while (at && *at == ' ')
            at++;
    }
    return at;
}

/* One line of /proc/PID/maps, 'FROM-TO rw-s OFFSET DEVICE INODE PATH'. A shared mapping may be a
 * profile. If its file was deleted, or its name is another file here, it is opened through the
 * process.
 */
static void take_mapping(struct cli_top *top, uint32_t from, uint64_t pid, char *line)
{
    char mapped[128];
    char *flags = skip_words(line, 1), *inode = skip_words(line, 4),
         *path = skip_words(line, 5);
    struct stat status;

    if (!path || *path != '/' || flags[3] != 's')
        return;
    if (stat(path, &status) != 0 || status.st_ino != strtoull(inode, NULL, 10)) {
        snprintf(mapped, sizeof mapped, "/proc/%" PRIu64 "/map_files/%.*s", pid,
            (int)strcspn(line, " "), line);
        path = mapped;
    }
    if (is_profile(path) && !has_file(top, from, path))
        add_file(top, path);
}

/* A thread that had no room has no file mapped: look for a file with the default name. */
static void look_beside(struct cli_top *top, uint64_t pid)
{
    char path[4096], program[4096], *base;
    ssize_t n;

    snprintf(path, sizeof path, "/proc/%" PRIu64 "/exe", pid);
    n = readlink(path, program, sizeof program - 1);
    if (n <= 0)
        return;
    program[n] = '\0';
    base = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
    if (snprintf(path, sizeof path, "/proc/%" PRIu64 "/cwd/%.255s.%" PRIu64 ".trod",
            pid, base, pid) < (int)sizeof path &&
        is_profile(path))
        add_file(top, path);
}

static bool take_process(struct cli_top *top, const char *text)
{
    struct cli *cli = top->cli;
    uint32_t from = top->file.count;
    struct cli_bytes maps;
    char path[64], *line;
    uint64_t pid;

    if (!trod_text_uint(&pid, text))
        return cli_misused(cli, "'%s' is not a process id", text);
    snprintf(path, sizeof path, "/proc/%" PRIu64 "/maps", pid);
    if (!cli_in_bytes(cli, &maps, path, &cli->mem))
        return trod_fail(&cli->err, TROD_E_SYSTEM,
            "process %" PRIu64 " cannot be read; name a running process of yours", pid);
    line = trod_copy_text(&cli->mem, maps.bytes, maps.length);
    for (char *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        take_mapping(top, from, pid, line);
    }
    if (top->file.count == from)
        look_beside(top, pid);
    if (top->file.count == from)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "process %" PRIu64
            " has no profile: it was not compiled by 'trod cc --online', or none of its "
            "functions has run yet",
            pid);
    top->process[top->nprocess++] = pid;
    return true;
}

bool cli_top_open(struct cli_top *out, struct cli *cli)
{
    const struct cli_list *pid = &cli->options.path; /* arguments of -p */

    *out = (struct cli_top){.cli = cli};
    if (!pid->count && !cli->options.file.count)
        return cli_misused(cli, "name a process with -p, or a profile");
    if (!cli_online_options(&out->options, cli) ||
        !cli_profiles_list(&cli->options.file, cli, &cli->options.file))
        return false;
    out->process = trod_new(&cli->mem, uint64_t, pid->count);
    for (uint32_t i = 0; i < pid->count; i++)
        if (!take_process(out, pid->item[i]))
            return false;
    for (uint32_t i = 0; i < cli->options.file.count; i++)
        add_file(out, cli->options.file.item[i]);
    for (int i = 0; i < 2; i++)
        trod_arena_init(&out->picture[i].mem, cli->mem.exhausted, cli->mem.ctx);
    return true;
}

void cli_top_close(struct cli_top *top)
{
    for (int i = 0; i < 2; i++)
        trod_arena_free(&top->picture[i].mem);
}

/* --- reading ------------------------------------------------------------------------------------------ */

static bool read_profiles(struct cli_top *top, struct cli_picture *picture)
{
    const struct trod_profile **profile = NULL;
    uint32_t n = 0, room = 0;

    for (uint32_t i = 0; i < top->file.count; i++) {
        struct cli_profiles in;

        if (!cli_profiles_read(&in, top->cli, top->file.item[i], &picture->mem)) {
            if (!top->cli->unusable || top->file.count < 2)
                return false;
            continue; /* it has just been created */
        }
        for (uint32_t k = 0; k < in.count; k++)
            trod_push(&picture->mem, profile, n, room, &in.profile[k]);
    }
    return trod_profile_merge(
        &picture->profile, profile, n, NULL, &picture->mem, &top->cli->err);
}

/* Maps are large, so they are read again only when modules change. */
static bool read_map(struct cli_top *top, const struct trod_profile *profile)
{
    if (top->has_map && top->nmodule == profile->nmodule)
        return true;
    if (!cli_maps_read(top->cli, &top->map, profile))
        return false;
    top->has_map = true;
    top->nmodule = profile->nmodule;
    return true;
}

bool cli_top_look(struct cli_top *top)
{
    struct cli_picture *next = &top->picture[!top->now];

    trod_arena_free(&next->mem);
    trod_arena_init(&next->mem, top->cli->mem.exhausted, top->cli->mem.ctx);
    next->is_there = false;
    if (!read_profiles(top, next) ||
        !trod_online_estimate(
            &next->subpaths, &next->profile, &next->mem, &top->cli->err) ||
        !read_map(top, &next->profile))
        return false;
    next->is_there = true;
    top->now = !top->now;
    return true;
}

/* --- liveness ------------------------------------------------------------------------------------------- */

static const char *field_of(const struct trod_profile_run *run, const char *key)
{
    for (uint32_t i = 0; i < run->nfield; i++)
        if (strcmp(run->field[i].key, key) == 0)
            return run->field[i].value;
    return "";
}

/* Does the process exist, and is it not a zombie? */
static bool is_alive(uint64_t pid)
{
    char path[64], text[512];
    const char *state;
    FILE *file;
    size_t n;

    snprintf(path, sizeof path, "/proc/%" PRIu64 "/stat", pid);
    file = fopen(path, "re");
    if (!file)
        return false;
    n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    state = strrchr(text, ')');
    return !state || !strchr("ZX", state[1] ? state[2] : ' ');
}

static bool is_here(const struct trod_profile_run *run)
{
    char host[256] = "";

    return gethostname(host, sizeof host - 1) == 0 &&
           strcmp(host, field_of(run, "host")) == 0;
}

const char *cli_top_state(const struct cli_top *top, bool *open)
{
    const struct trod_profile *profile = &top->picture[top->now].profile;
    uint32_t nopen = 0, nalive = 0;

    for (uint32_t i = 0; i < profile->nrun; i++) {
        const struct trod_profile_run *run = &profile->run[i];
        uint64_t pid;

        if (strcmp(field_of(run, "exit"), "unknown") != 0)
            continue;
        nopen++;
        nalive += !trod_text_uint(&pid, field_of(run, "pid")) || !is_here(run) ||
                  is_alive(pid);
    }
    *open = nalive != 0;
    return nalive ? "running" : nopen ? "killed" : "ended";
}
