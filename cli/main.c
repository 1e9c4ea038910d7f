#include "build/compiler.h"
#include "calls/recordings.h"
#include "commands.h"
#include "hw/processor.h"
#include "keep/formats.h"
#include "look/look.h"
#include "output/output.h"
#include "sample/sampled.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cxx/demangle.h"
#include "elf/section.h"

const struct cli_command cli_commands[] = {
    {"cc", "compile C so that the program counts its paths", &cli_cc_argp, cli_cc,
        true},
    {"c++", "compile C++ so that the program counts its paths", &cli_cc_argp, cli_cxx,
        true},
    {"emulate", "run any program in an emulator and report which paths it took",
        &cli_emulate_argp, cli_emulate, false},
    {"run", "run a program and report which paths it took", &cli_run_argp, cli_run,
        true},
    {"diff", "compare two profiles", &cli_diff_argp, cli_diff, false},
    {"overlap", "print how much two profiles have in common", &cli_overlap_argp,
        cli_overlap, false},
    {"report", "print which paths ran most", &cli_report_argp, cli_report, false},
    {"html", "make a page to look at, which needs nothing else", &cli_html_argp,
        cli_html, false},
    {"list", "print sets of paths", &cli_list_argp, cli_list, false},
    {"coverage", "print how many of the paths there are ran", &cli_coverage_argp,
        cli_coverage, false},
    {"flow", "print how often blocks, edges and lines ran, as paths tell it",
        &cli_flow_argp, cli_flow, false},
    {"annotate", "print sources, with how often their lines and paths ran",
        &cli_annotate_argp, cli_annotate, false},
    {"untested", "print which paths the field ran and no test did", &cli_untested_argp,
        cli_untested, false},
    {"residual", "build, test and build again, to find what no test does across calls",
        &cli_residual_argp, cli_residual, false},
    {"share", "share a set of paths among builds, so that each counts a part",
        &cli_share_argp, cli_share, false},
    {"tests", "say which tests are worth running, and which paths failing ones share",
        &cli_tests_argp, cli_tests, false},
    {"split", "put the map of a program into a file of its own", &cli_split_argp,
        cli_split, false},
    {"graph", "read, check, analyse and draw control-flow graphs", &cli_graph_argp,
        cli_graph, false},
    {"number", "number the paths of graphs", &cli_number_argp, cli_number, false},
    {"probe", "plan the operations that count paths", &cli_probe_argp, cli_probe,
        false},
    {"grammar", "turn sequences into grammars, and back", &cli_grammar_argp,
        cli_grammar, false},
    {"wpp", "print what threads did, step by step", &cli_wpp_argp, cli_wpp, false},
    {"segments", "print which paths across calls are in whole program paths",
        &cli_segments_argp, cli_segments, false},
    {"super", "put functions together where they call each other, as one graph",
        &cli_super_argp, cli_super, false},
    {"subpaths", "print which rows of blocks ran most, as sampled", &cli_subpaths_argp,
        cli_subpaths, false},
    {"top", "watch which rows of blocks a running program takes most", &cli_top_argp,
        cli_top, false},
    {"methods", "print which functions ran most, as counted in bursts",
        &cli_methods_argp, cli_methods, false},
    {"calls", "print which calls ran most, as counted in bursts", &cli_calls_argp,
        cli_calls, false},
    {"trips", "print how many rounds loops go, as counted in bursts", &cli_trips_argp,
        cli_trips, false},
    {"streams", "print which data are used over and over in the same order",
        &cli_streams_argp, cli_streams, false},
    {"explore", "try many designs of profiling hardware on recorded programs",
        &cli_explore_argp, cli_explore, false},
    {"model", "run models of a processor's path profiler over what it did",
        &cli_model_argp, cli_model_stream, false},
    {"branches", "print, check, convert and cut what a processor did",
        &cli_branches_argp, cli_branches, false},
    {"lift", "turn what an emulator saw into a profile", &cli_lift_argp, cli_lift,
        false},
    {"import", "read what a real processor noted of branches", &cli_import_argp,
        cli_import, false},

    {"core", "time what a processor did, with and without hardware that profiles",
        &cli_core_argp, cli_core, false},
    {"edit", "sample a stream as hardware that replaces instructions would",
        &cli_edit_argp, cli_edit, false},
    {"change", "compare two versions of a program", &cli_change_argp, cli_change,
        false},
    {"migrate", "turn profiles of an old version into those of a new one",
        &cli_migrate_argp, cli_migrate, false},
    {"score", "say how good profiles are that were carried over to a new version",
        &cli_score_argp, cli_score, false},
    {"construct", "print what a version of a program is made of", &cli_construct_argp,
        cli_construct, false},
    {"impact", "find what behaves differently in a new version of a program",
        &cli_impact_argp, cli_impact, false},
    {"export", "write profiles in formats of other tools", &cli_export_argp, cli_export,
        false},
    {"show", "print profiles as text", &cli_show_argp, cli_show_profiles, false},
    {"merge", "put profiles together", &cli_merge_argp, cli_merge, false},
    {"union", "put together the paths that ran in any of some profiles",
        &cli_union_argp, cli_union, false},
    {"intersect", "print the paths that ran in all of some profiles",
        &cli_intersect_argp, cli_intersect, false},
    {"subtract", "print the paths of a profile that ran in none of some others",
        &cli_subtract_argp, cli_subtract, false},
    {"check", "say whether profiles are sound", &cli_check_argp, cli_check, false},
    {"help", "print help, manual pages and completion", &cli_help_argp, cli_help,
        false},
    {0},
};

const char cli_about[] =
    "trod counts the paths that a program takes. Its stages turn one readable thing "
    "into the next: a control-flow graph into a numbering of its paths, and that into "
    "a plan of what to do on which edge. Each prints what the next one reads, so they "
    "can be joined by pipes.";

const char cli_examples[] =
    "Examples:\n"
    "  trod graph --show=loops loop.graph\n"
    "  trod number --list diamond.graph\n"
    "  trod number --kind=selective --path='s a t' diamond.graph | trod probe\n"
    "  trod help number\n";

const struct cli_command *cli_command_find(const char *name)
{
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

/* --- talk ------------------------------------------------------------------------- */

/* One line to standard error, in one piece. Names come from the input: what would move
 * a terminal's cursor is shown instead.
 */
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

/* --- the world around the process ------------------------------------------------- */

/* A file we open must not become a standard stream that was closed. What stands in for
 * one is open the wrong way round, so that using it fails as it should.
 */
static void occupy_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            exit(CLI_SYSTEM);
}

/* argp prints help on its own, and does not look whether that worked. */
static void close_stdout(void)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "trod: writing standard output: %s\n", strerror(errno));
        _exit(CLI_SYSTEM);
    }
}

/* --- choosing a command ----------------------------------------------------------- */

struct choice {
    int at; /* where in argv */
    const struct cli_command *command;
};

static void complain_of_command(const char *name, struct argp_state *state)
{
    struct cli_nearest nearest = {.typed = name};

    for (const struct cli_command *c = cli_commands; c->name; c++)
        cli_nearest_try(&nearest, c->name);
    if (nearest.word)
        argp_error(state, "'%s' is not a command of trod; did you mean '%s'?", name,
            nearest.word);
    argp_error(state, "'%s' is not a command of trod; 'trod help' lists them", name);
}

static error_t parse_command_name(int key, char *arg, struct argp_state *state)
{
    struct choice *choice = state->input;

    if (key == ARGP_KEY_NO_ARGS)
        argp_usage(state);
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    choice->at = state->next - 1;
    choice->command = cli_command_find(arg);
    if (!choice->command)
        complain_of_command(arg, state);
    state->next = state->argc; /* the rest is the command's */
    return 0;
}

void cli_argp(struct argp *out)
{
    /* Their names stand with the program's: argp would take 'help' alone for --help. */
    enum { MOST_COMMANDS = 64 };
    static char name[MOST_COMMANDS][32];
    static struct argp_option line[MOST_COMMANDS + 2] = {
        {.doc = "Commands:", .group = 1}};
    static char doc[2048];

    for (size_t i = 0; cli_commands[i].name; i++) {
        assert(i < sizeof name / sizeof *name);
        snprintf(name[i], sizeof name[i], "trod %s", cli_commands[i].name);
        line[i + 1] =
            (struct argp_option){name[i], 0, 0, OPTION_DOC, cli_commands[i].summary, 1};
    }
    snprintf(doc, sizeof doc, "%s\v%s", cli_about, cli_examples);
    *out =
        (struct argp){line, parse_command_name, "COMMAND [ARGUMENT...]", doc, 0, 0, 0};
}

/* `trod cc --help` is about trod cc; help on the compiler is the compiler's. */
static void ask_for_help(struct cli *cli)
{
    struct cli_list *topic = &cli->options.file;

    trod_reserve(&cli->mem, topic->item, topic->count, topic->room);
    topic->item[topic->count++] = cli->command->name;
    cli->command = cli_command_find("help");
    assert(cli->command);
}

int main(int argc, char **argv)
{
    struct cli cli = {0};
    struct choice choice = {0};
    struct argp argp;
    static char name[] = "trod";
    int status = CLI_DONE;

    occupy_standard_streams();
    cli_export_fill_words();
    trod_told_by(trod_cxx_told);
    atexit(close_stdout);
    argp_err_exit_status = CLI_USAGE;
    argp_program_version = "trod " CLI_VERSION;
    cli_argp(&argp);
    argv[0] = name;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);

    cli.command = choice.command;
    assert(cli.command); /* argp does not come back without one */
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
