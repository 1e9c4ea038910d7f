#include "calls/recordings.h"

#include <inttypes.h>

static bool add_thread(
    struct cli *cli, const struct cli_recorded_thread *thread, void *builder)
{
    if (!cli_recorded_run(cli, thread))
        return false;
    trod_segments_end(builder);
    return true;
}

static bool take_recorded(struct trod_segments *out, struct cli_recorded *recorded,
    struct cli *cli, uint64_t depth)
{
    struct trod_segments_builder builder;

    trod_segments_builder_init(&builder, depth, &cli->mem);
    if (!cli_recorded_each(recorded, cli, &builder.functions, trod_segments_take,
            &builder, add_thread))
        return false;
    trod_segments_finish(out, &builder, cli_recorded_name(recorded));
    return true;
}

/* Segments are derived from each function's own paths; those that begin in a callee are among the callee's own. */
static bool take_counted(struct trod_segments *out, struct cli_recorded *recorded,
    struct cli *cli, uint64_t depth)
{
    const struct trod_profile **profile =
        trod_new(&cli->mem, const struct trod_profile *, recorded->count);
    struct trod_segments cut_short;
    struct trod_ran ran;
    uint64_t ncut = 0;

    for (uint32_t i = 0; i < recorded->count; i++)
        profile[i] = recorded->one[i].profile;
    if (!trod_ran_build(&ran, profile, recorded->count, &cli->mem, &cli->err) ||
        !trod_super_segments(out, &cut_short, &ran, &recorded->map, depth,
            cli_recorded_name(recorded), &cli->mem, &cli->err))
        return false;
    for (size_t i = 0; i < cut_short.nsegment; i++)
        ncut = trod_sat_add(ncut, cut_short.segment[i].count);
    if (ncut)
        cli_note(cli,
            "%" PRIu64
            " times a segment continued into a call that the program does not follow; these are "
            "not listed",
            ncut);
    return true;
}

bool cli_recorded_segments(struct trod_segments *out, struct cli_recorded *recorded,
    struct cli *cli, uint64_t depth)
{
    return (recorded->ncounted ? take_counted : take_recorded)(
        out, recorded, cli, depth);
}
