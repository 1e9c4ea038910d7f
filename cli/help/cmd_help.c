#include "commands.h"
#include "help/completion.h"

#include <stdio.h>
#include <string.h>

/* argp prints to a stream; this one writes to a sink. */
static ssize_t put_stream(void *cookie, const char *bytes, size_t length)
{
    struct trod_sink *sink = cookie;

    sink->put(sink, bytes, length);
    return (ssize_t)length;
}

/* Help on a command, on a namespace, or on trod as a whole. */
static bool print_help(struct cli *cli, const struct cli_namespace *namespace,
    const struct cli_command *command)
{
    FILE *stream =
        fopencookie(&cli->out.sink, "w", (cookie_io_functions_t){.write = put_stream});
    char name[40];

    if (!stream)
        return trod_fail(&cli->err, TROD_E_SYSTEM, "out of memory");
    if (command) {
        snprintf(name, sizeof name, "trod %s", command->name);
        cli_help_format(true);
        argp_help(command->argp, stream, ARGP_HELP_STD_HELP, name);
        cli_help_format(false);
    } else if (namespace) {
        cli_namespace_list(stream, namespace);
    } else {
        cli_overview(stream);
    }
    fclose(stream);
    return true;
}

/* The topic: a command, a namespace, or neither, which means trod as a whole. */
static bool find_topic(const struct cli_command **command,
    const struct cli_namespace **namespace, struct cli *cli)
{
    const struct cli_list *topics = &cli->options.file;
    const char *first = topics->count ? topics->item[0] : NULL;

    *command = NULL;
    *namespace = first ? cli_namespace_find(first) : NULL;
    if (!first || (*namespace && topics->count == 1))
        return true;
    if (topics->count > (*namespace ? 2 : 1))
        return cli_misused(
            cli, "expected one command; give 'trod help' one command at a time");
    *command = *namespace           ? cli_command_in(*namespace, topics->item[1])
               : strchr(first, ' ') ? cli_command_find(first)
                                    : cli_command_in(NULL, first);
    if (!*command && !*namespace)
        *command = cli_command_elsewhere(first);
    return *command ||
           cli_misused(cli, "'%s%s%s' is not a command of trod; 'trod help' lists them",
               first, *namespace ? " " : "", *namespace ? topics->item[1] : "");
}

bool cli_help(struct cli *cli)
{
    /* In the order of the option's words. */
    static void (*const complete[])(struct trod_sink *sink) = {
        cli_complete_bash, cli_complete_zsh, cli_complete_fish};
    const struct cli_namespace *namespace;
    const struct cli_command *command;

    if (!find_topic(&command, &namespace, cli))
        return false;
    if (cli->options.completion) {
        complete[cli->options.completion - 1](&cli->out.sink);
        return true;
    }
    if (cli->options.commands) {
        for (const struct cli_command *c = cli_commands; c->name; c++)
            trod_put(&cli->out.sink, "%s\n", c->name);
        return true;
    }
    if (cli->options.man) {
        cli_man_print(&cli->out.sink, command);
        return true;
    }
    return print_help(cli, namespace, command);
}
