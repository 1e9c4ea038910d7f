#include "commands.h"
#include "input/input.h"

#include <inttypes.h>

/* Report names of changed functions. Those without a map entry remain hashes in the profile's note. */
static void report_changed(struct cli *cli, const struct trod_profile_set *set)
{
    enum { MOST = 8 };
    struct trod_string names;
    struct trod_map map;
    size_t n = 0, shown = 0;

    if (!set->nchanged || cli->options.quiet)
        return;
    if (!cli_maps_read(cli, &map, &set->profile))
        map = (struct trod_map){0};
    trod_string_init(&names, &cli->mem);
    for (; n < set->nchanged && shown < MOST; n++) {
        const char *name = trod_map_name(&map, set->changed[n]);

        if (name) {
            trod_put(&names.sink, "%s%s", shown ? ", " : ": ", name);
            shown++;
        }
    }
    cli_note(cli,
        "%zu functions changed between these profiles, and their paths cannot be compared%s%s",
        set->nchanged, names.length ? names.text : "",
        shown && shown < set->nchanged ? " and others" : "");
}

static bool combine(struct cli *cli, enum trod_set_kind kind)
{
    const struct cli_list *file = &cli->options.file;
    struct trod_profile *sum = trod_new(&cli->mem, struct trod_profile, file->count);
    const struct trod_profile **of =
        trod_new(&cli->mem, const struct trod_profile *, file->count);
    struct trod_profile_set set;

    if (file->count < 2)
        return cli_misused(cli, "name two profiles or more");
    if (!cli_profile_is_asked(cli))
        return false;
    for (uint32_t i = 0; i < file->count; i++) {
        struct cli_list one = {.item = file->item + i, .count = 1};

        if (!cli_profiles_sum(&sum[i], cli, &one))
            return false;
        of[i] = &sum[i];
    }
    if (!trod_profile_combine(&set, kind, of, file->count, &cli->mem, &cli->err))
        return false;
    report_changed(cli, &set);
    if (set.nunknown)
        cli_note(cli,
            "%" PRIu64
            " paths are omitted: they ran in one profile and are not counted in another",
            set.nunknown);
    return cli_profile_write(cli, &set.profile);
}

bool cli_union(struct cli *cli)
{
    return combine(cli, TROD_SET_UNION);
}

bool cli_intersect(struct cli *cli)
{
    return combine(cli, TROD_SET_INTERSECT);
}

bool cli_subtract(struct cli *cli)
{
    return combine(
        cli, cli->options.by_counts ? TROD_SET_SUBTRACT_COUNTS : TROD_SET_SUBTRACT);
}
