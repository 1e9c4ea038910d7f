#include "commands.h"

#include <stdio.h>
#include <string.h>

/* Manual pages in the man macros, from the tables of commands and options. */

static const struct {
    enum cli_exit status;
    const char *meaning;
} statuses[] = {
    {CLI_DONE, "done"},
    {CLI_NO,
        "success, but the answer is no: a --check failed, or a limit such as --min was not "
        "met"},
    {CLI_USAGE, "invalid usage"},
    {CLI_INPUT, "the input is malformed or too large"},
    {CLI_MISMATCH, "the inputs do not match each other"},
    {CLI_SYSTEM,
        "a system error: a file cannot be read or written, or memory is exhausted"},
    {CLI_INTERNAL, "internal error; please report it"},
};

static const char text_forms[] =
    "graph NAME\n"
    "s: a b*90        # two successors, the second taken 90 times\n"
    "a: b >s          # the edge a -> s is cut: a path ends, another starts\n"
    "b:               # no successors: an exit\n"
    "\n"
    "paths NAME\n"
    "s a b            # from the entry to an exit\n"
    "s a > s          # to a cut\n"
    "> s b            # from a cut\n"
    "s b~2            # the second of several edges from s to b\n"
    "=2               # the path with Ball-Larus id 2\n"
    "\n"
    "numbering NAME ballarus\n"
    ">: s             # where paths start: the entry, then targets of cuts\n"
    "s: a b+2         # a value is written behind its edge, unless it is 0\n"
    "\n"
    "plan NAME frontier\n"
    "s: a b {r=2}     # operations are written behind their edge\n"
    "\n"
    "sequence NAME\n"
    "5 3 4 3 4        # numbers below 2^64\n"
    "\n"
    "grammar NAME\n"
    "R0: 5 R1 R1      # the whole: a number, and a rule twice\n"
    "R1: 3 4\n"
    "\n"
    "wpp NAME\n"
    "f:0 ( g:3 ) f:2  # subpath 0 of f, a call, subpath 3 of g, a return\n"
    "( )! [ h:1 ] f:4 # a call that did not return, an interruption\n"
    "\n"
    "segments NAME 1\n"
    "7 f:0 ( g:3 )    # there seven times\n"
    "\n"
    "calls NAME\n"
    "b: g             # node b begins with a call of g\n"
    "c: *             # an indirect call\n"
    "d!: die          # node d ends with a call that never returns\n"
    "\n"
    "super NAME*12    # 12 segments begin in it\n"
    "1: 0 b g*9       # frame 1: b in frame 0 calls g; 9 segments go there\n"
    "2: 1 c ?h*4      # an indirect call that goes to h at times\n";

/* --- roff ------------------------------------------------------------------------- */

static void put_roff(struct trod_sink *sink, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case '-':
            trod_put(sink, "\\-");
            break;
        case '\\':
            trod_put(sink, "\\e");
            break;
        case '\'':
            trod_put(sink, "\\(aq");
            break;
        case '~':
            trod_put(sink, "\\(ti");
            break;
        case '^':
            trod_put(sink, "\\(ha");
            break;
        case '.':
            trod_put(sink, i && text[i - 1] != '\n' ? "." : "\\&.");
            break;
        default:
            sink->put(sink, text + i, 1);
        }
    }
}

static void put_words(struct trod_sink *sink, const char *text)
{
    put_roff(sink, text, strlen(text));
}

static void put_section(struct trod_sink *sink, const char *title)
{
    trod_put(sink, ".SH %s\n", title);
}

/* Paragraphs are separated by empty lines. */
static void put_paragraphs(struct trod_sink *sink, const char *text, size_t length)
{
    const char *end = text + length;

    while (text < end) {
        const char *stop = strstr(text, "\n\n");

        if (!stop || stop > end)
            stop = end;
        put_roff(sink, text, (size_t)(stop - text));
        trod_put(sink, "\n%s", stop < end ? ".PP\n" : "");
        text = stop < end ? stop + 2 : end;
    }
}

static void put_example(struct trod_sink *sink, const char *text)
{
    trod_put(sink, ".EX\n");
    put_words(sink, text);
    trod_put(sink, ".EE\n");
}

/* The lines below the heading "Examples:", without their indentation. */
static void put_examples(struct trod_sink *sink, const char *text)
{
    put_section(sink, "EXAMPLES");
    trod_put(sink, ".EX\n");
    for (text = strchr(text, '\n') + 1; *text;) {
        const char *end = strchr(text, '\n') + 1;

        text += strspn(text, " ");
        put_roff(sink, text, (size_t)(end - text));
        text = end;
    }
    trod_put(sink, ".EE\n");
}

static void put_head(struct trod_sink *sink, const char *name, const char *summary)
{
    trod_put(sink, ".\\\" Printed by `trod help --man`; change the tables in cli/.\n");
    trod_put(sink, ".TH \"");
    put_words(sink, name);
    trod_put(sink, "\" 1 \"\" \"trod %s\" \"trod\"\n", TROD_VERSION);
    put_section(sink, "NAME");
    put_words(sink, name);
    trod_put(sink, " \\- ");
    put_words(sink, summary);
    trod_put(sink, "\n");
    put_section(sink, "SYNOPSIS");
}

static void put_exit_status(struct trod_sink *sink)
{
    put_section(sink, "EXIT STATUS");
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        trod_put(sink, ".TP\n%d\n", (int)statuses[i].status);
        put_words(sink, statuses[i].meaning);
        trod_put(sink, "\n");
    }
}

/* --- options ---------------------------------------------------------------------- */

static void put_option(struct trod_sink *sink, const struct argp_option *o)
{
    trod_put(sink, ".TP\n");
    if (o->flags & OPTION_DOC) {
        trod_put(sink, "\\fB");
        put_words(sink, o->name);
        trod_put(sink, "\\fR\n");
    } else {
        if (o->key < 256)
            trod_put(sink, "\\fB\\-%c\\fR, ", o->key);
        trod_put(sink, "\\fB\\-\\-");
        put_words(sink, o->name);
        trod_put(sink, "\\fR");
        if (o->arg && o->flags & OPTION_ARG_OPTIONAL)
            trod_put(sink, "[=\\fI%s\\fR]", o->arg);
        else if (o->arg)
            trod_put(sink, "=\\fI%s\\fR", o->arg);
        trod_put(sink, "\n");
    }
    put_words(sink, o->doc);
    trod_put(sink, "\n");
}

static void put_options(struct trod_sink *sink, const struct argp_option *options)
{
    for (const struct argp_option *o = options; o->name; o++)
        if (!(o->flags & OPTION_HIDDEN))
            put_option(sink, o);
}

/* As in trod-set-union. */
static void page_name(char *out, size_t room, const struct cli_command *command)
{
    snprintf(out, room, "trod-%s", command->name);
    for (; *out; out++)
        if (*out == ' ')
            *out = '-';
}

static void put_command(struct trod_sink *sink, const struct cli_command *command)
{
    const struct argp *argp = command->argp;
    const char *middle = strchr(argp->doc, '\v');
    char name[40];

    page_name(name, sizeof name, command);
    put_head(sink, name, command->summary);
    trod_put(
        sink, ".B trod %s\n[\\fIOPTION\\fR...]\n%s\n", command->name, argp->args_doc);
    put_section(sink, "DESCRIPTION");
    put_paragraphs(sink, argp->doc, (size_t)(middle - argp->doc));
    put_section(sink, "OPTIONS");
    put_options(sink, argp->options);
    for (const struct argp_child *c = argp->children; c && c->argp; c++) {
        if (c->header) {
            trod_put(sink, ".SS ");
            put_words(sink, c->header);
            trod_put(sink, "\n");
        }
        put_options(sink, c->argp->options);
    }
    put_examples(sink, middle + 1);
    put_exit_status(sink);
    put_section(sink, "SEE ALSO");
    trod_put(sink, ".BR trod (1)\n");
}

/* --- trod(1) ---------------------------------------------------------------------- */

static void put_program(struct trod_sink *sink)
{
    char name[40];

    put_head(sink, "trod", "count the paths that a program takes");
    trod_put(sink, ".B trod\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n");
    put_section(sink, "DESCRIPTION");
    put_paragraphs(sink, cli_about, strlen(cli_about));
    put_section(sink, "COMMANDS");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        trod_put(sink, ".TP\n\\fB%s\\fR\n", c->name);
        put_words(sink, c->summary);
        trod_put(sink, "\n");
    }
    put_section(sink, "DOCUMENTS");
    put_words(sink,
        "Commands read and print documents, which have any number of sections. The first "
        "line of a section names its type.\n");
    put_example(sink, text_forms);
    put_examples(sink, cli_examples);
    put_exit_status(sink);
    put_section(sink, "SEE ALSO");
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (c->argp != &cli_help_argp) {
            page_name(name, sizeof name, c);
            trod_put(sink, "%s.BR ", c == cli_commands ? "" : ",\n");
            put_words(sink, name);
            trod_put(sink, " (1)");
        }
    trod_put(sink, "\n");
}

void cli_man_print(struct trod_sink *sink, const struct cli_command *command)
{
    if (command)
        put_command(sink, command);
    else
        put_program(sink);
}
