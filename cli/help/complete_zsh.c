#include "commands.h"
#include "help/completion.h"

#include <string.h>

/* Completion for zsh: one call of _arguments for each command. */

static const char head[] =
    "#compdef trod\n"
    "# Completion of trod for zsh, printed by `trod help --completion=zsh`: a file _trod in a folder of $fpath.\n"
    "\n"
    "_trod()\n"
    "{\n"
    "    local -a commands=(\n";

static const char middle[] =
    "    )\n"
    "    if (( CURRENT == 2 )); then\n"
    "        _describe -t commands 'command of trod' commands\n"
    "        _arguments '--help[print help]' '--version[print the version]'\n"
    "        return\n"
    "    fi\n"
    "    local command=$words[2]\n"
    "    shift words\n"
    "    (( CURRENT-- ))\n"
    "    case $command in\n";

static const char inner[] = "    esac\n"
                            "    case $command in\n";

static const char tail[] =
    "    esac\n"
    "}\n"
    "\n"
    "[[ $funcstack[1] = _trod ]] && _trod \"$@\" || compdef _trod trod\n";

/* It stands in quotes and in brackets, and colons part fields. */
static void put_safe(struct trod_sink *sink, char c)
{
    if (c == '\'')
        trod_put(sink, "'\\''");
    else
        trod_put(sink, strchr("[]:\\", c) ? "\\%c" : "%c", c);
}

static void put_behind(struct trod_sink *sink, const struct argp_option *o)
{
    const struct argp_option *words = cli_words_of(o->key);

    trod_put(sink, "%s%s:", o->flags & OPTION_ARG_OPTIONAL ? "::" : ":", o->arg);
    switch (cli_behind(o)) {
    case CLI_BEHIND_WORDS:
        trod_put(sink, "(");
        for (const struct argp_option *w = words; w->name; w++)
            trod_put(sink, "%s%s", w == words ? "" : " ", w->name);
        trod_put(sink, ")");
        break;
    case CLI_BEHIND_FILE:
        trod_put(sink, "_files");
        break;
    case CLI_BEHIND_FOLDER:
        trod_put(sink, "_files -/");
        break;
    case CLI_BEHIND_NOTHING:
    case CLI_BEHIND_TEXT:
        break;
    }
}

static void put_option(struct trod_sink *sink, const struct cli_command *command,
    const struct argp_option *o)
{
    const char *equals = !o->arg ? "" : o->flags & OPTION_ARG_OPTIONAL ? "=-" : "=";

    (void)command;
    if (o->key < 256)
        trod_put(sink, " \\\n            '*'{-%c%s,--%s%s}'[", o->key,
            o->arg ? "+" : "", o->name, equals);
    else
        trod_put(sink, " \\\n            '*--%s%s[", o->name, equals);
    cli_put_gist(sink, o->doc, put_safe);
    trod_put(sink, "]");
    if (o->arg)
        put_behind(sink, o);
    trod_put(sink, "'");
}

static void put_command(struct trod_sink *sink, const struct cli_command *c)
{
    trod_put(sink, "    '%s')\n        _arguments '--help[print help]'", c->name);
    cli_each_option(c, put_option, sink);
    trod_put(sink, " \\\n            '*::: :");
    if (cli_takes_command(c)) {
        trod_put(sink, "(");
        cli_put_topics(sink);
        trod_put(sink, ")");
    } else {
        trod_put(sink, "_files");
    }
    trod_put(sink, "'\n        ;;\n");
}

static void put_described(
    struct trod_sink *sink, const char *indent, const char *word, const char *summary)
{
    trod_put(sink, "%s'%s:", indent, word);
    cli_put_gist(sink, summary, put_safe);
    trod_put(sink, "'\n");
}

/* Behind the name of a namespace: its commands; behind one of these, that is the command. */
static void put_namespace(struct trod_sink *sink, const struct cli_namespace *namespace)
{
    trod_put(sink,
        "    %s)\n"
        "        commands=(\n",
        namespace->name);
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (cli_command_namespace(c) == namespace)
            put_described(sink, "            ", cli_command_word(c), c->summary);
    trod_put(sink,
        "        )\n"
        "        if (( CURRENT == 2 )); then\n"
        "            _describe -t commands 'command of trod %s' commands\n"
        "            return\n"
        "        fi\n"
        "        command=\"$command $words[2]\"\n"
        "        shift words\n"
        "        (( CURRENT-- ))\n"
        "        ;;\n",
        namespace->name);
}

void cli_complete_zsh(struct trod_sink *sink)
{
    trod_put(sink, "%s", head);
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (!cli_command_namespace(c))
            put_described(sink, "        ", c->name, c->summary);
    for (const struct cli_namespace *n = cli_namespaces; n->name; n++)
        put_described(sink, "        ", n->name, n->summary);
    trod_put(sink, "%s", middle);
    for (const struct cli_namespace *n = cli_namespaces; n->name; n++)
        put_namespace(sink, n);
    trod_put(sink, "%s", inner);
    for (const struct cli_command *c = cli_commands; c->name; c++)
        put_command(sink, c);
    trod_put(sink, "%s", tail);
}
