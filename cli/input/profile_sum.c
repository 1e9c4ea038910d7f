#include "input/input.h"

/* Files are read in batches and added to the sum, so that memory holds the sum and one batch. */
enum { BATCH = 64, BATCH_BYTES = 64 << 20 };

void cli_sum_begin(struct cli_sum *sum, struct cli *cli, bool keep_runs)
{
    *sum = (struct cli_sum){.options = {.keep_runs = keep_runs}};
    trod_arena_init(&sum->mem[0], cli->mem.exhausted, cli->mem.ctx);
    trod_arena_init(&sum->mem[1], cli->mem.exhausted, cli->mem.ctx);
    trod_arena_init(&sum->batch_mem, cli->mem.exhausted, cli->mem.ctx);
}

static void add_profile(struct cli_sum *sum, const struct trod_profile *profile)
{
    trod_push(&sum->batch_mem, sum->batch, sum->nbatch, sum->room, profile);
}

static bool add_batch(struct cli_sum *sum, struct cli *cli, struct trod_arena *mem)
{
    struct trod_profile all;

    add_profile(sum, &sum->sum);
    if (!trod_profile_merge(
            &all, sum->batch, sum->nbatch, &sum->options, mem, &cli->err))
        return false;
    sum->sum = all;
    trod_arena_free(&sum->mem[sum->now]);
    trod_arena_free(&sum->batch_mem);
    sum->now = !sum->now;
    sum->batch = NULL;
    sum->nbatch = sum->room = 0;
    return true;
}

bool cli_sum_add(struct cli_sum *sum, struct cli *cli, const char *path,
    bool (*look)(struct cli *cli, const struct cli_profiles *in))
{
    struct cli_profiles in;

    if (!cli_profiles_read(&in, cli, path, &sum->batch_mem) || !look(cli, &in))
        return false;
    return cli_sum_take(sum, cli, &in);
}

bool cli_sum_take(struct cli_sum *sum, struct cli *cli, const struct cli_profiles *in)
{
    for (uint32_t i = 0; i < in->count; i++)
        add_profile(sum, &in->profile[i]);
    return (sum->nbatch < BATCH && sum->batch_mem.live < BATCH_BYTES) ||
           add_batch(sum, cli, &sum->mem[!sum->now]);
}

bool cli_sum_end(struct trod_profile *out, struct cli_sum *sum, struct cli *cli)
{
    add_profile(sum, cli_skips_noted(cli, &sum->batch_mem));
    if (!add_batch(sum, cli, &cli->mem))
        return false;
    *out = sum->sum;
    return true;
}

void cli_sum_drop(struct cli_sum *sum)
{
    for (int i = 0; i < 2; i++)
        trod_arena_free(&sum->mem[i]);
    trod_arena_free(&sum->batch_mem);
}
