#include "commands.h"
#include "input/input.h"
#include "output/output.h"

#include <inttypes.h>

struct merger {
    struct cli_sum sum;
    uint32_t nfile;
    struct cli_progress progress;
};

static bool note_losses(struct cli *cli, const struct cli_profiles *in)
{
    if (in->health.nloss)
        cli_note(cli, "%s: damaged; %" PRIu64 " losses are noted in the result",
            in->name, in->health.nloss);
    if (in->health.nrefs)
        cli_note(cli,
            "%s: references are omitted; 'trod sample data' reads them from the profiles of "
            "programs",
            in->name);
    return true;
}

static bool merge_file(struct cli *cli, const char *path, void *ctx)
{
    struct merger *m = ctx;

    if (!cli_sum_add(&m->sum, cli, path, note_losses))
        return false;
    m->nfile++;
    cli_progress_report(&m->progress, cli, m->nfile, cli->options.file.count);
    return true;
}

/* The same run in two files probably means a duplicate file. */
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
    struct trod_profile sum;
    bool ok;

    if (!cli_profile_is_asked(cli))
        return false;
    cli_progress_begin(&m.progress, "merging", "files");
    cli_sum_begin(&m.sum, cli, cli->options.keep_runs);
    ok = cli_profiles_each(cli, merge_file, &m) && cli_sum_end(&sum, &m.sum, cli);
    cli_progress_end(&m.progress, m.nfile, cli->options.file.count);
    cli_sum_drop(&m.sum);
    if (!ok)
        return false;
    note_twins(cli, &sum);
    return cli_profile_write(cli, &sum);
}
