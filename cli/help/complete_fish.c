#include "commands.h"
#include "help/completion.h"

/* Completion for fish: one line for each command, and for each option of one or more commands. */

static const char head[] =
    "# Completion of trod for fish, printed by `trod help --completion=fish`.\n"
    "\n"
    "function __trod_command_is\n"
    "    set -l words (commandline -opc)\n"
    "    contains -- \"$words[2]\" $argv; or contains -- \"$words[2..3]\" $argv\n"
    "end\n"
    "\n"
    "function __trod_namespace_is\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -eq 2; and test $words[2] = $argv[1]\n"
    "end\n"
    "\n"
    "function __trod_has_no_command\n"
    "    test (count (commandline -opc)) -eq 1\n"
    "end\n"
    "\n"
    "complete -c trod -n __trod_has_no_command -f -l help -d 'print help'\n"
    "complete -c trod -n __trod_has_no_command -f -l version -d 'print the version'\n";

static void put_safe(struct trod_sink *sink, char c)
{
    trod_put(sink, c == '\'' || c == '\\' ? "\\%c" : "%c", c);
}

/* A command of two words is one argument. */
static void put_commands(
    struct trod_sink *sink, const struct cli_command *const *command, size_t ncommand)
{
    trod_put(sink, "complete -c trod -n '__trod_command_is");
    for (size_t i = 0; i < ncommand; i++)
        trod_put(sink, cli_command_namespace(command[i]) ? " \"%s\"" : " %s",
            command[i]->name);
    trod_put(sink, "'");
}

static void put_option(struct trod_sink *sink, const struct cli_command *const *command,
    size_t ncommand, const struct argp_option *o)
{
    /* An optional argument must follow '=', which fish cannot express. */
    enum cli_behind behind =
        o->flags & OPTION_ARG_OPTIONAL ? CLI_BEHIND_NOTHING : cli_behind(o);

    put_commands(sink, command, ncommand);
    if (o->key < 256)
        trod_put(sink, " -s %c", o->key);
    trod_put(sink, " -l %s", o->name);
    switch (behind) {
    case CLI_BEHIND_NOTHING:
        break;
    case CLI_BEHIND_TEXT:
        trod_put(sink, " -x");
        break;
    case CLI_BEHIND_WORDS:
        trod_put(sink, " -x -a '");
        cli_put_choices(sink, cli_words_of(o->key));
        trod_put(sink, "'");
        break;
    case CLI_BEHIND_FILE:
        trod_put(sink, " -r -F");
        break;
    case CLI_BEHIND_FOLDER:
        trod_put(sink, " -x -a '(__fish_complete_directories)'");
        break;
    }
    trod_put(sink, " -d '");
    cli_put_gist(sink, o->doc, put_safe);
    trod_put(sink, "'\n");
}

static void put_word(struct trod_sink *sink, const char *where, const char *namespace,
    const char *word, const char *summary)
{
    trod_put(sink, "complete -c trod -n '%s%s' -f -a %s -d '", where, namespace, word);
    cli_put_gist(sink, summary, put_safe);
    trod_put(sink, "'\n");
}

void cli_complete_fish(struct trod_sink *sink)
{
    trod_put(sink, "%s", head);
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        const struct cli_namespace *n = cli_command_namespace(c);

        if (n)
            put_word(
                sink, "__trod_namespace_is ", n->name, cli_command_word(c), c->summary);
        else
            put_word(sink, "__trod_has_no_command", "", c->name, c->summary);
    }
    for (const struct cli_namespace *n = cli_namespaces; n->name; n++)
        put_word(sink, "__trod_has_no_command", "", n->name, n->summary);
    trod_put(sink,
        "\ncomplete -c trod -n 'not __trod_has_no_command' -l help -d 'print help'\n");
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (cli_takes_command(c)) {
            put_commands(sink, &c, 1);
            trod_put(sink, " -f -a '");
            cli_put_topics(sink);
            trod_put(sink, "'\n");
        }
    cli_each_distinct_option(put_option, sink);
}
