#include "calls/recordings.h"
#include "commands.h"
#include "output/output.h"

#include <string.h>

/* --- output ------------------------------------------------------------------------------- */

static void cut(struct trod_segments *segments, uint64_t most)
{
    if (most && segments->nsegment > most)
        segments->nsegment = (size_t)most;
}

static bool put(
    struct cli *cli, const struct trod_segments *segments, const struct trod_map *map)
{
    const struct cli_options *o = &cli->options;
    uint64_t most = o->most ? o->most : o->names ? TROD_REPORT_MOST : 0;
    struct trod_segments some = *segments;

    if (o->form == CLI_JSON && o->names) {
        trod_segments_list_json(
            &cli->json, NULL, segments, map, (size_t)most, &cli->mem);
        return true;
    }
    cut(&some, most);
    if (o->form == CLI_JSON) {
        trod_segments_json(&cli->json, NULL, &some);
        return true;
    }
    cli_out_gap(cli);
    if (o->names)
        trod_segments_list(&cli->out.sink, segments, map, (size_t)most, &cli->mem);
    else
        trod_segments_print(&cli->out.sink, &some);
    return true;
}

static bool check_and_put(
    struct cli *cli, const struct trod_segments *segments, const struct trod_map *map)
{
    if ((cli->options.check || TROD_CHECKED) &&
        !trod_segments_check(segments, &cli->mem, &cli->err))
        return false;
    if (!segments->nsegment)
        cli_note(
            cli, "'%s' has no followed call, and therefore no segment", segments->name);
    return put(cli, segments, map);
}

static uint64_t depth_of(const struct cli *cli)
{
    return cli->options.depth ? cli->options.depth : 1;
}

/* --- text --------------------------------------------------------------------------------- */

/* For input in text form, names and lines come from the programs named by options. */
static bool map_of_text(struct trod_map *out, struct cli *cli)
{
    static const struct trod_profile nothing;

    return cli_maps_read(cli, out, &nothing);
}

static bool put_wpp(struct cli *cli, const char *name, struct trod_text *text)
{
    struct trod_segments segments;
    struct trod_wpp wpp;
    struct trod_map map;

    if (!trod_wpp_parse(&wpp, name, text, &cli->mem, &cli->err) ||
        !map_of_text(&map, cli))
        return false;
    trod_segments_build(&segments, &wpp, depth_of(cli), &cli->mem);
    return check_and_put(cli, &segments, &map);
}

static bool put_segments(struct cli *cli, const char *name, struct trod_text *text)
{
    struct trod_segments segments;
    struct trod_map map;

    return trod_segments_parse(&segments, name, text, &cli->mem, &cli->err) &&
           map_of_text(&map, cli) && put(cli, &segments, &map);
}

static bool put_section(struct cli *cli, const char *head, struct trod_text *text)
{
    struct trod_token name;
    uint32_t line = text->line;

    if (!trod_text_next(&name, text, &cli->mem, &cli->err))
        return false;
    if (name.kind == TROD_T_NAME && strcmp(head, "wpp") == 0)
        return put_wpp(cli, name.name, text);
    if (name.kind == TROD_T_NAME && strcmp(head, "segments") == 0)
        return put_segments(cli, name.name, text);
    text->line = line;
    return trod_text_fail(text, &cli->err,
        "expected the head of a section, 'wpp NAME' or 'segments NAME DEPTH', or a line of "
        "one: steps of a whole program path, a count and steps of a segment");
}

/* --- profiles ----------------------------------------------------------------------------- */

static bool put_profiles(struct cli *cli, struct cli_recorded *recorded)
{
    struct trod_segments segments;

    return cli_recorded_maps(recorded, cli) &&
           cli_recorded_segments(&segments, recorded, cli, depth_of(cli)) &&
           check_and_put(cli, &segments, &recorded->map);
}

/* --- files -------------------------------------------------------------------------------- */

static bool put_file(struct cli *cli, const char *path, void *ctx)
{
    struct cli_bytes in;
    struct trod_text text;
    bool taken;

    if (!cli_in_bytes(cli, &in, path, &cli->mem) ||
        !cli_recorded_take(ctx, cli, &in, &taken))
        return false;
    if (taken)
        return true;
    trod_text_init(&text, in.name, in.bytes, in.length);
    return cli_text_sections(
        cli, &text, put_section, "'wpp NAME' or 'segments NAME DEPTH'");
}

bool cli_segments(struct cli *cli)
{
    struct cli_recorded recorded = {.takes_counts = true};

    cli_profiles_open_json(cli, "wpps");
    if (!cli_profiles_each(cli, put_file, &recorded) ||
        (recorded.count && !put_profiles(cli, &recorded)))
        return false;
    if (cli->options.form != CLI_JSON)
        return true;
    trod_json_close(&cli->json, ']');
    if (recorded.count)
        trod_json_uint(&cli->json, "given", cli_recorded_given(&recorded));
    cli_skips_json(cli);
    trod_json_close(&cli->json, '}');
    return true;
}
