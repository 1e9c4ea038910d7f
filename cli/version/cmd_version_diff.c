#include "commands.h"
#include "input/input.h"
#include "output/output.h"
#include "version/versions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* trod version diff: list the differences between two versions. */

static bool take_weight(
    struct cli *cli, struct trod_change_weight *out, const char *said)
{
    const char *equals = strrchr(said, '=');
    char *word, *colon, *end = NULL;
    enum trod_change_kind kind;

    *out = (struct trod_change_weight){.kind = -1};
    if (equals) {
        word = trod_copy_text(&cli->mem, said, (size_t)(equals - said));
        colon = strchr(word, ':');
        if (colon) {
            *colon = '\0';
            out->what = colon + 1;
        }
        out->weight = strtod(equals + 1, &end);
        if (trod_change_parse_kind(&kind, word))
            out->kind = (int)kind;
        else if (strcmp(word, "any") != 0)
            end = NULL;
    }
    return (end && end > equals + 1 && !*end && isfinite(out->weight) &&
               out->weight >= 0) ||
           cli_misused(cli,
               "--weight=%s: expected KIND=N or KIND:WHAT=N, where KIND is added, deleted, edited, "
               "moved or any, and N a number from 0 up",
               said);
}

bool cli_change_options(struct cli *cli, struct trod_change_options *out)
{
    const struct cli_list *said = &cli->options.change_weight;
    struct trod_change_weight *weight =
        trod_new(&cli->mem, struct trod_change_weight, said->count);
    char *end;

    trod_change_options_init(out);
    for (uint32_t i = 0; i < said->count; i++)
        if (!take_weight(cli, &weight[i], said->item[i]))
            return false;
    out->weight = weight;
    out->nweight = said->count;
    if (!cli->options.alike)
        return true;
    out->least_alike = strtod(cli->options.alike, &end);
    return (end > cli->options.alike && !*end && out->least_alike >= 0 &&
               out->least_alike <= 1) ||
           cli_misused(
               cli, "--alike=%s: expected a share from 0 to 1", cli->options.alike);
}

static bool read_constructs(
    struct cli *cli, struct trod_constructs *out, const char *path)
{
    struct trod_text text;

    if (cli_version_is(path)
            ? !cli_constructs_read(cli, out, path, NULL, true)
            : !cli_in_read(cli, &text, path) ||
                  !trod_constructs_parse(out, &text, &cli->mem, &cli->err))
        return false;
    if ((cli->options.check || TROD_CHECKED) && !trod_constructs_check(out, &cli->err))
        return false;
    cli_constructs_note(cli, out);
    return true;
}

bool cli_change(struct cli *cli)
{
    struct trod_constructs old, new;
    struct trod_change_options options;
    struct trod_changes changes;

    if (cli->options.file.count != 2)
        return cli_misused(cli, "name two versions, the old one and the new one");
    if (!cli_change_options(cli, &options) ||
        !read_constructs(cli, &old, cli->options.file.item[0]) ||
        !read_constructs(cli, &new, cli->options.file.item[1]))
        return false;
    trod_changes_build(&changes, &old, &new, &options, &cli->mem);
    if ((cli->options.check || TROD_CHECKED) &&
        !trod_changes_check(&changes, &cli->err))
        return false;
    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
        trod_changes_json(&cli->json, "change", &changes);
        trod_json_close(&cli->json, '}');
    } else if (cli->options.as_text) {
        trod_changes_print(&cli->out.sink, &changes);
    } else {
        trod_changes_show(&cli->out.sink, &changes);
    }
    return true;
}
