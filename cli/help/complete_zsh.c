#include "commands.h"
#include "help/completion.h"

#include <string.h>

/* Completion for zsh: one line for each option of one or more commands; the options of the current
 * command are passed to _arguments. */

static const char head[] =
    "#compdef trod\n"
    "# Completion of trod for zsh, printed by `trod help --completion=zsh`: a file _trod in a folder of $fpath.\n"
    "\n"
    "# An option of these commands, with a comma before and behind each.\n"
    "_trod_option()\n"
    "{\n"
    "    [[ $1 = *,$command,* ]] && specs+=(\"${@:2}\")\n"
    "}\n"
    "\n"
    "_trod()\n"
    "{\n"
    "    local -a specs=('--help[print help]')\n"
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

static const char inner[] =
    "    *)\n"
    "        commands=()\n"
    "        ;;\n"
    "    esac\n"
    "    if (( $#commands )); then\n"
    "        if (( CURRENT == 2 )); then\n"
    "            _describe -t commands \"command of trod $command\" commands\n"
    "            return\n"
    "        fi\n"
    "        command=\"$command $words[2]\"\n"
    "        shift words\n"
    "        (( CURRENT-- ))\n"
    "    fi\n";

static const char tail[] =
    "    _arguments $specs\n"
    "}\n"
    "\n"
    "[[ $funcstack[1] = _trod ]] && _trod \"$@\" || compdef _trod trod\n";

/* The text is within quotes and brackets, and colons separate fields. */
static void put_safe(struct trod_sink *sink, char c)
{
    if (c == '\'')
        trod_put(sink, "'\\''");
    else
        trod_put(sink, strchr("[]:\\", c) ? "\\%c" : "%c", c);
}

static void put_behind(struct trod_sink *sink, const struct argp_option *o)
{
    trod_put(sink, "%s%s:", o->flags & OPTION_ARG_OPTIONAL ? "::" : ":", o->arg);
    switch (cli_behind(o)) {
    case CLI_BEHIND_WORDS:
        trod_put(sink, "(");
        cli_put_choices(sink, cli_words_of(o->key));
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

static void put_option(struct trod_sink *sink, const struct cli_command *const *command,
    size_t ncommand, const struct argp_option *o)
{
    const char *equals = !o->arg ? "" : o->flags & OPTION_ARG_OPTIONAL ? "=-" : "=";

    trod_put(sink, "    _trod_option ',");
    for (size_t i = 0; i < ncommand; i++)
        trod_put(sink, "%s,", command[i]->name);
    if (o->key < 256)
        trod_put(
            sink, "' '*'{-%c%s,--%s%s}'[", o->key, o->arg ? "+" : "", o->name, equals);
    else
        trod_put(sink, "' '*--%s%s[", o->name, equals);
    cli_put_gist(sink, o->doc, put_safe);
    trod_put(sink, "]");
    if (o->arg)
        put_behind(sink, o);
    trod_put(sink, "'\n");
}

/* Words that are neither options nor their arguments. */
static void put_words(struct trod_sink *sink)
{
    trod_put(sink, "    case $command in\n");
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (cli_takes_command(c)) {
            trod_put(sink, "    %s) specs+=('*::: :(", c->name);
            cli_put_topics(sink);
            trod_put(sink, ")') ;;\n");
        }
    trod_put(sink, "    *) specs+=('*::: :_files') ;;\n    esac\n");
}

static void put_described(
    struct trod_sink *sink, const char *indent, const char *word, const char *summary)
{
    trod_put(sink, "%s'%s:", indent, word);
    cli_put_gist(sink, summary, put_safe);
    trod_put(sink, "'\n");
}

/* After the name of a namespace its commands are completed; the word after it is the command. */
static void put_namespace(struct trod_sink *sink, const struct cli_namespace *namespace)
{
    trod_put(sink, "    %s)\n        commands=(\n", namespace->name);
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (cli_command_namespace(c) == namespace)
            put_described(sink, "            ", cli_command_word(c), c->summary);
    trod_put(sink, "        )\n        ;;\n");
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
    cli_each_distinct_option(put_option, sink);
    put_words(sink);
    trod_put(sink, "%s", tail);
}
