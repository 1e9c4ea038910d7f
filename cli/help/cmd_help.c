#include "commands.h"
#include "help/completion.h"

#include <stdio.h>

/* argp prints to streams; here is one that ends in a sink. */
static ssize_t put_stream(void *cookie, const char *bytes, size_t length)
{
    struct trod_sink *sink = cookie;

    sink->put(sink, bytes, length);
    return (ssize_t)length;
}

static bool print_help(struct cli *cli, const struct cli_command *command)
{
    FILE *stream =
        fopencookie(&cli->out.sink, "w", (cookie_io_functions_t){.write = put_stream});
    struct argp argp;
    char name[32];

    if (!stream)
        return trod_fail(&cli->err, TROD_E_SYSTEM, "there is no memory for a stream");
    cli_argp(&argp);
    snprintf(name, sizeof name, "trod%s%s", command ? " " : "",
        command ? command->name : "");
    argp_help(command ? command->argp : &argp, stream, ARGP_HELP_STD_HELP, name);
    fclose(stream);
    return true;
}

bool cli_help(struct cli *cli)
{
    /* In the order of the words that name the shells. */
    static void (*const complete[])(struct trod_sink *sink) = {
        cli_complete_bash, cli_complete_zsh, cli_complete_fish};
    const struct cli_list *topics = &cli->options.file;
    const struct cli_command *command = NULL;

    if (topics->count > 1)
        return cli_misused(cli, "help is about one command at a time");
    if (topics->count && !(command = cli_command_find(topics->item[0])))
        return cli_misused(cli, "'%s' is not a command of trod; 'trod help' lists them",
            topics->item[0]);
    if (cli->options.completion) {
        complete[cli->options.completion - 1](&cli->out.sink);
        return true;
    }
    if (cli->options.man) {
        cli_man_print(&cli->out.sink, command);
        return true;
    }
    return print_help(cli, command);
}
