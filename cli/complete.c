#include "cli.h"

#include <string.h>

/* Completion for bash, from the tables of commands and options. */

static const char head[] =
    "# Completion of trod for bash, printed by `trod help --completion=bash`.\n"
    "\n"
    "# shellcheck shell=bash disable=SC2207\n"
    "_trod()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local words='' others=''\n"
    "\n"
    "    COMPREPLY=()\n"
    "    # --option=value comes as three words.\n"
    "    if [ \"$cur\" = = ]; then\n"
    "        cur=\n"
    "    elif [ \"$prev\" = = ]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n";

static const char middle[] =
    "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
    "        return\n"
    "    fi\n"
    "    case ${COMP_WORDS[1]}:$prev in\n";

static const char tail[] =
    "    esac\n"
    "    if [ \"${cur#-}\" != \"$cur\" ] || [ -n \"$others\" ]; then\n"
    "        COMPREPLY=($(compgen -W \"$words $others\" -- \"$cur\"))\n"
    "    else\n"
    "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
    "    fi\n"
    "}\n"
    "complete -o filenames -F _trod trod\n";

/* Call fn for every option of a command, its own and those it shares. */
static void each_option(const struct cli_command *command,
    void (*fn)(struct trod_sink *sink, const struct cli_command *command,
        const struct argp_option *option),
    struct trod_sink *sink)
{
    const struct argp_child *child = command->argp->children;

    for (const struct argp_option *o = command->argp->options; o->name; o++)
        fn(sink, command, o);
    for (; child && child->argp; child++)
        for (const struct argp_option *o = child->argp->options; o->name; o++)
            fn(sink, command, o);
}

/* What may follow an option that takes an argument. */
static void put_argument(struct trod_sink *sink, const struct cli_command *command,
    const struct argp_option *o)
{
    const struct argp_option *words = cli_words_of(o->key);

    if (!o->arg || o->flags & OPTION_ARG_OPTIONAL)
        return;
    trod_put(sink, "    %s:--%s", command->name, o->name);
    if (o->key < 256)
        trod_put(sink, " | %s:-%c", command->name, o->key);
    trod_put(sink, ")\n");
    if (words) {
        trod_put(sink, "        COMPREPLY=($(compgen -W \"");
        for (const struct argp_option *w = words; w->name; w++)
            trod_put(sink, "%s%s", w == words ? "" : " ", w->name);
        trod_put(sink, "\" -- \"$cur\"))\n");
    } else if (strcmp(o->arg, "FILE") == 0) {
        trod_put(sink, "        COMPREPLY=($(compgen -f -- \"$cur\"))\n");
    } else if (strcmp(o->arg, "FOLDER") == 0) {
        trod_put(sink, "        COMPREPLY=($(compgen -d -- \"$cur\"))\n");
    }
    trod_put(sink, "        return\n        ;;\n");
}

static void put_name(struct trod_sink *sink, const struct cli_command *command,
    const struct argp_option *o)
{
    (void)command;
    if (!(o->flags & OPTION_DOC))
        trod_put(sink, " --%s", o->name);
}

static void put_commands(struct trod_sink *sink)
{
    for (const struct cli_command *c = cli_commands; c->name; c++)
        trod_put(sink, "%s%s", c == cli_commands ? "" : " ", c->name);
}

void cli_complete_bash(struct trod_sink *sink)
{
    trod_put(sink, "%s", head);
    trod_put(sink, "        words=\"--help --version ");
    put_commands(sink);
    trod_put(sink, "\"\n%s", middle);
    for (const struct cli_command *c = cli_commands; c->name; c++)
        each_option(c, put_argument, sink);
    trod_put(sink, "    esac\n    case ${COMP_WORDS[1]} in\n");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        trod_put(sink, "    %s)\n        words=\"--help", c->name);
        each_option(c, put_name, sink);
        trod_put(sink, "\"\n");
        if (strcmp(c->argp->args_doc, "[COMMAND]") == 0) {
            trod_put(sink, "        others=\"");
            put_commands(sink);
            trod_put(sink, "\"\n");
        }
        trod_put(sink, "        ;;\n");
    }
    trod_put(sink, "%s", tail);
}
