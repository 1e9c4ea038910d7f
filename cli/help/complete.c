#include "commands.h"
#include "help/completion.h"

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
    "    local command=${COMP_WORDS[1]} at=1\n"
    "    case $command in\n";

static const char middle[] = ")\n"
                             "        command=\"$command ${COMP_WORDS[2]}\"\n"
                             "        at=2\n"
                             "        ;;\n"
                             "    esac\n"
                             "    if [ \"$COMP_CWORD\" -le \"$at\" ]; then\n"
                             "        case ${COMP_WORDS[1]}:$COMP_CWORD in\n";

static const char options[] =
    "        esac\n"
    "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
    "        return\n"
    "    fi\n"
    "    case $command:$prev in\n";

static const char tail[] =
    "    esac\n"
    "    if [ \"${cur#-}\" != \"$cur\" ] || [ -n \"$others\" ]; then\n"
    "        COMPREPLY=($(compgen -W \"$words $others\" -- \"$cur\"))\n"
    "    else\n"
    "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
    "    fi\n"
    "}\n"
    "complete -o filenames -F _trod trod\n";

static void each_of_table(const struct cli_command *command,
    const struct argp_option *table,
    void (*fn)(struct trod_sink *sink, const struct cli_command *command,
        const struct argp_option *option),
    struct trod_sink *sink)
{
    for (const struct argp_option *o = table; o->name; o++)
        if (!(o->flags & OPTION_DOC))
            fn(sink, command, o);
}

void cli_each_option(const struct cli_command *command,
    void (*fn)(struct trod_sink *sink, const struct cli_command *command,
        const struct argp_option *option),
    struct trod_sink *sink)
{
    const struct argp_child *child = command->argp->children;

    each_of_table(command, command->argp->options, fn, sink);
    for (; child && child->argp; child++)
        each_of_table(command, child->argp->options, fn, sink);
}

enum cli_behind cli_behind(const struct argp_option *option)
{
    if (!option->arg)
        return CLI_BEHIND_NOTHING;
    if (cli_words_of(option->key))
        return CLI_BEHIND_WORDS;
    if (strcmp(option->arg, "FILE") == 0)
        return CLI_BEHIND_FILE;
    return strcmp(option->arg, "FOLDER") == 0 ? CLI_BEHIND_FOLDER : CLI_BEHIND_TEXT;
}

bool cli_takes_command(const struct cli_command *command)
{
    return strcmp(command->argp->args_doc, "[COMMAND]") == 0;
}

void cli_put_gist(struct trod_sink *sink, const char *doc,
    void (*put)(struct trod_sink *sink, char c))
{
    for (size_t n = strcspn(doc, ";:("); n && *doc; n--, doc++) {
        if ((*doc == '.' && doc[1] == ' ') || (n == 1 && *doc == ' '))
            return;
        put(sink, *doc);
    }
}

void cli_put_namespaces(struct trod_sink *sink, const char *between)
{
    for (const struct cli_namespace *n = cli_namespaces; n->name; n++)
        trod_put(sink, "%s%s", n == cli_namespaces ? "" : between, n->name);
}

void cli_put_commands(struct trod_sink *sink, const struct cli_namespace *namespace)
{
    const char *blank = "";

    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (cli_command_namespace(c) == namespace) {
            trod_put(sink, "%s%s", blank, cli_command_word(c));
            blank = " ";
        }
    if (!namespace) {
        trod_put(sink, " ");
        cli_put_namespaces(sink, " ");
    }
}

void cli_put_topics(struct trod_sink *sink)
{
    cli_put_commands(sink, NULL);
    for (const struct cli_namespace *n = cli_namespaces; n->name; n++) {
        trod_put(sink, " ");
        cli_put_commands(sink, n);
    }
}

/* --- bash ------------------------------------------------------------------------- */

/* What may follow an option that takes an argument. */
static void put_argument(struct trod_sink *sink, const struct cli_command *command,
    const struct argp_option *o)
{
    const struct argp_option *words = cli_words_of(o->key);

    if (!o->arg || o->flags & OPTION_ARG_OPTIONAL)
        return;
    trod_put(sink, "    '%s:--%s'", command->name, o->name);
    if (o->key < 256)
        trod_put(sink, " | '%s:-%c'", command->name, o->key);
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
    trod_put(sink, " --%s", o->name);
}

void cli_complete_bash(struct trod_sink *sink)
{
    trod_put(sink, "%s    ", head);
    cli_put_namespaces(sink, " | ");
    trod_put(sink, "%s", middle);
    for (const struct cli_namespace *n = cli_namespaces; n->name; n++) {
        trod_put(sink, "        %s:2) words=\"--help ", n->name);
        cli_put_commands(sink, n);
        trod_put(sink, "\" ;;\n");
    }
    trod_put(sink, "        *) words=\"--help --version ");
    cli_put_commands(sink, NULL);
    trod_put(sink, "\" ;;\n%s", options);
    for (const struct cli_command *c = cli_commands; c->name; c++)
        cli_each_option(c, put_argument, sink);
    trod_put(sink, "    esac\n    case $command in\n");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        trod_put(sink, "    '%s')\n        words=\"--help", c->name);
        cli_each_option(c, put_name, sink);
        trod_put(sink, "\"\n");
        if (cli_takes_command(c)) {
            trod_put(sink, "        others=\"");
            cli_put_topics(sink);
            trod_put(sink, "\"\n");
        }
        trod_put(sink, "        ;;\n");
    }
    trod_put(sink, "%s", tail);
}
