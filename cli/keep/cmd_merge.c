#include "commands.h"
#include "look/look.h"
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

/* The same run in two files probably means that a file was given twice. */
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

static bool is_wanted(const struct trod_profile_function *function, void *ctx)
{
    const struct trod_rows *rows = ctx;
    struct trod_rows one = *rows;

    trod_rows_add(&one, function, 0, 1, 0);
    return one.count > 0;
}

/* Keep only the counts of functions selected by --function, --file and --directory. */
static bool choose(struct cli *cli, struct trod_profile *sum)
{
    const struct cli_options *o = &cli->options;
    struct trod_report_options options;
    struct trod_rows rows;
    struct trod_map map;

    if (!o->function && !o->file_glob && !o->directory)
        return cli_programs_check(cli);
    if (!trod_profile_check_counts(sum, &cli->err) || !cli_maps_read(cli, &map, sum))
        return false;
    cli_report_options(&options, cli);
    trod_rows_init(&rows, &map, &options, &cli->mem);
    trod_profile_keep_functions(sum, sum, is_wanted, &rows, &cli->mem);
    return true;
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
    if (!ok || !choose(cli, &sum))
        return false;
    note_twins(cli, &sum);
    return cli_profile_write(cli, &sum);
}
