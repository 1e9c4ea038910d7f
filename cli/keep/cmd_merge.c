#include "commands.h"
#include "input/input.h"
#include "output/output.h"

#include <inttypes.h>

/* Files are read some at a time and added to what there is: memory is for the result and
 * for these, not for all.
 */
enum { BATCH = 64 };

struct merger {
    struct trod_arena mem[2]; /* the sum so far lives in one of them */
    int now;
    struct trod_profile sum;
    struct trod_arena batch_mem;
    const struct trod_profile **batch;
    uint32_t nbatch, room_batch;
    uint32_t nfile;
    struct cli_progress progress;
};

static void add_profile(struct merger *m, const struct trod_profile *profile)
{
    trod_push(&m->batch_mem, m->batch, m->nbatch, m->room_batch, profile);
}

static bool add_batch(struct cli *cli, struct merger *m)
{
    struct trod_profile_merge_options options = {.keep_runs = cli->options.keep_runs};
    struct trod_profile sum;
    int next = !m->now;

    add_profile(m, &m->sum);
    if (!trod_profile_merge(
            &sum, m->batch, m->nbatch, &options, &m->mem[next], &cli->err))
        return false;
    m->sum = sum;
    trod_arena_free(&m->mem[m->now]);
    trod_arena_free(&m->batch_mem);
    m->now = next;
    m->batch = NULL;
    m->nbatch = m->room_batch = 0;
    return true;
}

static bool merge_file(struct cli *cli, const char *path, void *ctx)
{
    struct merger *m = ctx;
    struct cli_profiles in;

    if (!cli_profiles_read(&in, cli, path, &m->batch_mem))
        return false;
    if (in.health.nloss)
        cli_note(cli, "%s: damaged; %" PRIu64 " losses are noted in the result",
            in.name, in.health.nloss);
    if (in.health.nrefs)
        cli_note(cli,
            "%s: references are omitted; 'trod sample data' reads them from the profiles of "
            "programs",
            in.name);
    for (uint32_t i = 0; i < in.count; i++)
        add_profile(m, &in.profile[i]);
    m->nfile++;
    cli_progress_report(&m->progress, cli, m->nfile, cli->options.file.count);
    return m->nbatch < BATCH || add_batch(cli, m);
}

/* The same run in two files is most likely the same file twice. */
static void note_twins(struct cli *cli, const struct trod_profile *sum)
{
    uint32_t ntwin = 0;

    for (uint32_t i = 1; i < sum->nrun; i++)
        ntwin += sum->run[i].nfield > 1 &&
                 trod_profile_compare_runs(&sum->run[i - 1], &sum->run[i]) == 0;
    if (ntwin)
        cli_note(cli,
            "%" PRIu32
            " runs occur more than once, and are counted each time; was a file named twice?",
            ntwin);
}

bool cli_merge(struct cli *cli)
{
    struct merger m = {0};
    bool ok;

    if (!cli_profile_is_asked(cli))
        return false;
    cli_progress_begin(&m.progress, "merging", "files");
    trod_arena_init(&m.mem[0], cli->mem.exhausted, cli->mem.ctx);
    trod_arena_init(&m.mem[1], cli->mem.exhausted, cli->mem.ctx);
    trod_arena_init(&m.batch_mem, cli->mem.exhausted, cli->mem.ctx);
    ok = cli_profiles_each(cli, merge_file, &m);
    if (ok) {
        add_profile(&m, cli_skips_noted(cli, &cli->mem));
        ok = add_batch(cli, &m);
    }
    cli_progress_end(&m.progress, m.nfile, cli->options.file.count);
    if (ok) {
        note_twins(cli, &m.sum);
        ok = cli_profile_write(cli, &m.sum);
    }
    for (int i = 0; i < 2; i++)
        trod_arena_free(&m.mem[i]);
    trod_arena_free(&m.batch_mem);
    return ok;
}
