#include "commands.h"
#include "output/output.h"
#include "version/versions.h"

/* trod version constructs: list the constructs of a version of a program. */

static bool take_level(struct cli *cli, uint32_t *out, const struct trod_constructs *of)
{
    *out = TROD_LEVEL_STATEMENT;
    return !cli->options.level ||
           trod_level_parse(out, &of->levels, cli->options.level) ||
           cli_misused(cli,
               "invalid value '%s' for --level; expected one of: statement, loop, function, class, "
               "program",
               cli->options.level);
}

bool cli_construct(struct cli *cli)
{
    struct trod_constructs constructs;
    uint32_t level;

    if (cli->options.file.count != 1)
        return cli_misused(cli,
            "the version is missing; name a binary, a compile_commands.json or a folder with one");
    if (!cli_constructs_read(cli, &constructs, cli->options.file.item[0],
            cli->options.root, cli->options.meaning) ||
        !take_level(cli, &level, &constructs))
        return false;
    /* The tree form includes the notes. */
    if (cli->options.form == CLI_JSON || cli->options.as_text)
        cli_constructs_note(cli, &constructs);
    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
        trod_constructs_json(&cli->json, "construct", &constructs);
        trod_json_close(&cli->json, '}');
    } else if (cli->options.as_text) {
        trod_constructs_print(&cli->out.sink, &constructs);
    } else {
        trod_constructs_show(&cli->out.sink, &constructs, level);
    }
    return true;
}
