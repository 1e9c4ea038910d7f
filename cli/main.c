#include "build/compiler.h"
#include "calls/recordings.h"
#include "commands.h"
#include "hw/processor.h"
#include "keep/formats.h"
#include "look/look.h"
#include "option_tables.h"
#include "output/output.h"
#include "sample/sampled.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cxx/demangle.h"
#include "elf/section.h"

/* --- messages --------------------------------------------------------------------- */

/* Print one line to standard error with one write. Names come from the input, so control characters are escaped. */
static void say(struct cli *cli, const char *kind, const char *text)
{
    struct trod_string line;

    trod_string_init(&line, &cli->mem);
    trod_put(&line.sink, "trod: %s", kind);
    trod_put_shown(&line.sink, text);
    trod_put(&line.sink, "\n");
    fputs(line.text, stderr);
}

void cli_note(struct cli *cli, const char *format, ...)
{
    struct trod_mark mark = trod_arena_mark(&cli->mem);
    va_list args, again;
    int length;
    char *text;

    if (cli->options.quiet)
        return;
    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    text = trod_new(&cli->mem, char, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    say(cli, "note: ", text);
    trod_arena_rewind(&cli->mem, mark);
}

bool cli_misused(struct cli *cli, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cli->exit = CLI_USAGE;
    trod_err_set_at(&cli->err, TROD_E_INPUT, NULL, 0, format, args);
    va_end(args);
    return false;
}

static enum cli_exit exit_of(const struct cli *cli)
{
    if (cli->exit)
        return cli->exit;
    switch (cli->err.code) {
    case TROD_E_INPUT:
    case TROD_E_LIMIT:
        return CLI_INPUT;
    case TROD_E_MISMATCH:
        return CLI_MISMATCH;
    case TROD_E_SYSTEM:
        return CLI_SYSTEM;
    case TROD_OK:
    case TROD_E_INTERNAL:
        break;
    }
    return CLI_INTERNAL;
}

static enum cli_exit explain(struct cli *cli)
{
    enum cli_exit status = exit_of(cli);

    say(cli, status == CLI_INTERNAL ? "internal error, please report it: " : "",
        cli->err.text);
    return status;
}

static _Noreturn void out_of_memory(void *ctx)
{
    (void)ctx;
    fputs("trod: out of memory; choose fewer functions with --function, or a lower "
          "--limit\n",
        stderr);
    exit(CLI_SYSTEM);
}

/* --- standard streams ------------------------------------------------------------- */

/* If a standard stream is closed, a file opened later must not become it. The placeholder is opened
 * for the opposite direction, so that using it fails.
 */
static void occupy_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            exit(CLI_SYSTEM);
}

/* argp prints help itself and does not check for errors. */
static void close_stdout(void)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "trod: writing standard output: %s\n", strerror(errno));
        _exit(CLI_SYSTEM);
    }
}

/* --- choosing a command ----------------------------------------------------------- */

struct choice {
    int at; /* index in argv */
    const struct cli_command *command;
};

static void complain_of_command(
    const struct cli_namespace *namespace, const char *name, struct argp_state *state)
{
    const char *of = namespace ? namespace->name : "";
    const char *blank = namespace ? " " : "";
    const struct cli_command *elsewhere = cli_command_elsewhere(name);
    struct cli_nearest nearest = {.typed = name};

    if (elsewhere)
        argp_error(state, "'%s%s%s' is not a command of trod; did you mean '%s'?", of,
            blank, name, elsewhere->name);
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (cli_command_namespace(c) == namespace)
            cli_nearest_try(&nearest, cli_command_word(c));
    for (const struct cli_namespace *n = cli_namespaces; !namespace && n->name; n++)
        cli_nearest_try(&nearest, n->name);
    if (nearest.word)
        argp_error(state, "'%s%s%s' is not a command of trod; did you mean '%s%s%s'?",
            of, blank, name, of, blank, nearest.word);
    argp_error(state, "'%s%s%s' is not a command of trod; 'trod help%s%s' lists them",
        of, blank, name, blank, of);
}

/* argv[at] is the namespace: its command follows, or --help. */
static void parse_in_namespace(struct choice *choice,
    const struct cli_namespace *namespace, struct argp_state *state)
{
    const char *word = state->next < state->argc ? state->argv[state->next] : NULL;

    if (word && strcmp(word, "--help") != 0) {
        choice->command = cli_command_in(namespace, word);
        if (!choice->command)
            complain_of_command(namespace, word, state);
        choice->at = state->next;
        return;
    }
    cli_namespace_list(word ? stdout : stderr, namespace);
    exit(word ? CLI_DONE : CLI_USAGE);
}

enum { KEY_USAGE = 256 };

static error_t parse_command_name(int key, char *arg, struct argp_state *state)
{
    struct choice *choice = state->input;
    const struct cli_namespace *namespace;

    switch (key) {
    case '?':
        cli_overview(stdout);
        exit(CLI_DONE);
    case KEY_USAGE:
        puts("Usage: trod COMMAND [ARGUMENT...]");
        exit(CLI_DONE);
    case 'V':
        puts("trod " TROD_VERSION);
        exit(CLI_DONE);
    case ARGP_KEY_NO_ARGS:
        cli_overview(stderr);
        exit(CLI_USAGE);
    case ARGP_KEY_ARG:
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    namespace = cli_namespace_find(arg);
    if (namespace) {
        parse_in_namespace(choice, namespace, state);
    } else {
        choice->at = state->next - 1;
        choice->command = cli_command_in(NULL, arg);
        if (!choice->command)
            complain_of_command(NULL, arg, state);
    }
    state->next = state->argc; /* the rest belongs to the command */
    return 0;
}

/* argp's own help would sort the list; commands are listed in the order in which users need them. */
static const struct argp_option program_options[] = {
    {"help", '?', 0, 0, "list the commands", 0},
    {"usage", KEY_USAGE, 0, OPTION_HIDDEN, "print one line", 0},
    {"version", 'V', 0, 0, "print the version", 0},
    {0},
};

static const struct argp program_argp = {
    program_options, parse_command_name, "COMMAND [ARGUMENT...]", NULL, 0, 0, 0};

/* `trod cc --help` is about trod cc; for help on the compiler, ask the compiler. */
static void ask_for_help(struct cli *cli)
{
    struct cli_list *topic = &cli->options.file;

    trod_push(&cli->mem, topic->item, topic->count, topic->room, cli->command->name);
    cli->command = cli_command_find("help");
    assert(cli->command);
}

enum { LARGE_BYTES = 4 << 20 };

int main(int argc, char **argv)
{
    struct cli cli = {0};
    struct choice choice = {0};
    static char name[] = "trod";
    int status = CLI_DONE;

    occupy_standard_streams();
    /* Large profiles consist mostly of holes. With memory from mmap, pages that are not touched take no space. */
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    cli_export_fill_words();
    cli_cc_fill_options();
    trod_set_demangler(trod_cxx_demangle);
    atexit(close_stdout);
    argp_err_exit_status = CLI_USAGE;
    argp_program_version = "trod " TROD_VERSION;
    argv[0] = name;
    argp_parse(&program_argp, argc, argv, ARGP_IN_ORDER | ARGP_NO_HELP, NULL, &choice);

    cli.command = choice.command;
    assert(cli.command); /* argp does not return without a command */
    trod_arena_init(&cli.mem, out_of_memory, NULL);
    trod_arena_init(&cli.out_mem, out_of_memory, NULL);
    trod_string_init(&cli.out, &cli.out_mem);
    trod_json_init(&cli.json, &cli.out.sink);
    if (!cli.command->raw)
        cli_options_parse(&cli, argc - choice.at, argv + choice.at);
    else if (argc > choice.at + 1 && strcmp(argv[choice.at + 1], "--help") == 0)
        ask_for_help(&cli);
    else
        cli.raw = argv + choice.at + 1;
    trod_elf_allow(cli.options.max_expand);
    if (!cli_run_command(&cli) || !cli_out_write(&cli))
        status = (int)explain(&cli);
    trod_arena_free(&cli.mem);
    trod_arena_free(&cli.out_mem);
    return status;
}
