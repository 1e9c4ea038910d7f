#include "cli.h"

#include <string.h>

static void put(struct cli *cli, const struct trod_segments *segments)
{
    if (cli->options.form == CLI_JSON) {
        trod_segments_json(&cli->json, NULL, segments);
        return;
    }
    cli_out_gap(cli);
    trod_segments_print(&cli->out.sink, segments);
}

static bool put_wpp(struct cli *cli, const char *name, struct trod_text *text)
{
    uint64_t depth = cli->options.depth ? cli->options.depth : 1;
    struct trod_segments segments;
    struct trod_wpp wpp;

    if (!trod_wpp_parse(&wpp, name, text, &cli->mem, &cli->err))
        return false;
    trod_segments_build(&segments, &wpp, depth, &cli->mem);
    if ((cli->options.check || TROD_CHECKED) &&
        !trod_segments_check(&segments, &cli->mem, &cli->err))
        return false;
    if (!segments.nsegment)
        cli_note(cli, "'%s' has no call that was gone into, and so no segment", name);
    put(cli, &segments);
    return true;
}

static bool put_segments(struct cli *cli, const char *name, struct trod_text *text)
{
    struct trod_segments segments;

    if (!trod_segments_parse(&segments, name, text, &cli->mem, &cli->err))
        return false;
    put(cli, &segments);
    return true;
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

static bool put_file(struct cli *cli, const char *path, void *ctx)
{
    (void)ctx;
    return cli_in_sections(
        cli, path, put_section, "'wpp NAME' or 'segments NAME DEPTH'");
}

bool cli_segments(struct cli *cli)
{
    cli_profiles_open_json(cli, "wpps");
    if (!cli_profiles_each(cli, put_file, NULL))
        return false;
    cli_profiles_close_json(cli);
    return true;
}
