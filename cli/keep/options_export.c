#include "keep/formats.h"
#include "option_tables.h"

/* Options of trod export. */

/* Filled from the tables of formats before options are parsed, so that each format is described in one place. */
struct argp_option cli_format_words[CLI_FORMATS + 1];

void cli_export_fill_words(void)
{
    for (uint32_t i = 0; i < CLI_FORMATS; i++) {
        const struct trod_export_format *format = cli_export_format(i);

        if (!format)
            return;
        cli_format_words[i] =
            (struct argp_option){format->name, 0, 0, OPTION_DOC, format->summary, 0};
    }
    assert(!cli_export_format(CLI_FORMATS));
}

static const struct argp_option export_own[] = {
    {"to", KEY_FORMAT, "FORMAT", 0, "write FORMAT (required)", 0},
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    CHOSEN,
    {"most", KEY_MOST, "N", 0,
        "include only the N hottest paths, in formats that have paths (default: all)",
        0},
    NAMES_FROM,
    SOURCES_FROM,
    NOT_SKIPPING,
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

static const struct argp format_argp = PARSED_BY_CHILD(cli_format_words);

static const struct argp_child export_children[] = {
    {&format_argp, 0, "FORMAT is one of these, with the tools that read it:", 1},
    {0},
};

const struct argp cli_export_argp = {
    export_own,
    cli_parse_command,
    "--to=FORMAT " FILES,
    "Write the sum of profiles in a format that other tools read. If counts are "
    "estimates, or do not cover all paths, some formats refuse them; the others are "
    "written with a note on standard error, and in the file if the format allows "
    "comments. doc/everyday/export.md describes each format.\n\n" PROFILES
    "\vExamples:\n"
    "  trod export --to=csv app.trod\n"
    "  trod export --to=json app.trod -o app.json\n"
    "  trod export --to=pprof app.trod -o app.pb.gz\n"
    "  trod export --to=collapsed --function='parse_*' app.trod -o app.stacks\n"
    "  trod export --to=callgrind app.trod -o callgrind.out.app\n"
    "  trod export --to=dot --most=3 app.trod -o app.dot\n",
    export_children,
    0,
    0,
};
