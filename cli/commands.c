#include "commands.h"

#include <stdio.h>
#include <string.h>

/* In the order in which users need them. A name of two words is a command in a namespace. */
const struct cli_command cli_commands[] = {
    {"cc", "compile C so that the program counts its paths", &cli_cc_argp, cli_cc, true,
        "Build and run"},
    {"c++", "compile C++ so that the program counts its paths", &cli_cc_argp, cli_cxx,
        true, NULL},
    {"run", "run a program and report which paths it took", &cli_run_argp, cli_run,
        true, NULL},
    {"emulate", "run any program in an emulator and report which paths it took",
        &cli_emulate_argp, cli_emulate, false, NULL},

    {"report", "report the hottest paths", &cli_report_argp, cli_report, false,
        "Look at profiles"},
    {"html", "write a self-contained HTML report", &cli_html_argp, cli_html, false,
        NULL},
    {"annotate", "print sources with the counts of their lines and decisions",
        &cli_annotate_argp, cli_annotate, false, NULL},
    {"top", "watch the hottest block sequences of a running program", &cli_top_argp,
        cli_top, false, NULL},

    {"coverage", "report path, edge and block coverage", &cli_coverage_argp,
        cli_coverage, false, "Test"},
    {"untested", "report paths that production ran and no test did", &cli_untested_argp,
        cli_untested, false, NULL},
    {"tests", "select and order tests, and find paths that predict failure",
        &cli_tests_argp, cli_tests, false, NULL},

    {"diff", "compare two profiles", &cli_diff_argp, cli_diff, false, "Compare"},
    {"overlap", "measure how much two profiles have in common", &cli_overlap_argp,
        cli_overlap, false, NULL},
    {"migrate", "carry profiles of an old version over to a new one", &cli_migrate_argp,
        cli_migrate, false, NULL},

    {"merge", "add profiles", &cli_merge_argp, cli_merge, false, "Keep"},
    {"export", "write profiles in formats of other tools", &cli_export_argp, cli_export,
        false, NULL},
    {"check", "check whether profiles are sound", &cli_check_argp, cli_check, false,
        NULL},
    {"show", "print profiles as text", &cli_show_argp, cli_show_profiles, false, NULL},
    {"split", "move the map of a program into a separate file", &cli_split_argp,
        cli_split, false, NULL},
    {"help", "print help, manual pages and shell completion", &cli_help_argp, cli_help,
        false, "Help"},

    {"set list", "print sets of paths", &cli_list_argp, cli_list, false, NULL},
    {"set union", "keep the paths that ran in any of several profiles", &cli_union_argp,
        cli_union, false, NULL},
    {"set intersect", "keep the paths that ran in all of several profiles",
        &cli_intersect_argp, cli_intersect, false, NULL},
    {"set subtract", "keep the paths of a profile that ran in no other",
        &cli_subtract_argp, cli_subtract, false, NULL},
    {"set partition", "divide a set of paths among builds that each count a part",
        &cli_share_argp, cli_share, false, NULL},

    {"calls steps", "print whole program paths: the steps of each thread",
        &cli_wpp_argp, cli_wpp, false, NULL},
    {"calls segments", "report the hottest paths across calls", &cli_segments_argp,
        cli_segments, false, NULL},
    {"calls supergraph", "join functions and the calls between them into one graph",
        &cli_super_argp, cli_super, false, NULL},
    {"calls residual", "build, test and rebuild to find untested paths across calls",
        &cli_residual_argp, cli_residual, false, NULL},

    {"sample subpaths", "report the hottest block sequences (sampled)",
        &cli_subpaths_argp, cli_subpaths, false, NULL},
    {"sample functions", "report the hottest functions (counted in bursts)",
        &cli_methods_argp, cli_methods, false, NULL},
    {"sample calls", "report the hottest call sites (counted in bursts)",
        &cli_calls_argp, cli_calls, false, NULL},
    {"sample loops", "report iterations of loops (counted in bursts)", &cli_trips_argp,
        cli_trips, false, NULL},
    {"sample data", "report hot data streams (recorded in bursts)", &cli_streams_argp,
        cli_streams, false, NULL},
    {"sample control", "change how a program samples while it runs", &cli_control_argp,
        cli_control, false, NULL},

    {"version constructs", "print the constructs of a version of a program",
        &cli_construct_argp, cli_construct, false, NULL},
    {"version diff", "compare two versions of a program", &cli_change_argp, cli_change,
        false, NULL},
    {"version impact", "find what behaves differently in a new version",
        &cli_impact_argp, cli_impact, false, NULL},
    {"version score", "measure how accurate migrated profiles are", &cli_score_argp,
        cli_score, false, NULL},

    {"hw trace", "print, check, convert and cut branch traces", &cli_branches_argp,
        cli_branches, false, NULL},
    {"hw import", "import Intel PT traces and perf branch stacks", &cli_import_argp,
        cli_import, false, NULL},
    {"hw lift", "turn an emulator recording into a profile", &cli_lift_argp, cli_lift,
        false, NULL},
    {"hw model", "run models of a hardware path profiler over a trace", &cli_model_argp,
        cli_model_stream, false, NULL},
    {"hw timing", "time a trace on a model of a processor core", &cli_core_argp,
        cli_core, false, NULL},
    {"hw edit", "sample a trace as dynamic instruction stream editing would",
        &cli_edit_argp, cli_edit, false, NULL},
    {"hw explore", "try many designs of profiling hardware on traces",
        &cli_explore_argp, cli_explore, false, NULL},

    {"stage graph", "read, check, analyse and draw control-flow graphs",
        &cli_graph_argp, cli_graph, false, NULL},
    {"stage number", "number the paths of graphs", &cli_number_argp, cli_number, false,
        NULL},
    {"stage probe", "plan the operations that count paths", &cli_probe_argp, cli_probe,
        false, NULL},
    {"stage grammar", "turn sequences into grammars, and back", &cli_grammar_argp,
        cli_grammar, false, NULL},
    {"stage flow", "derive counts of blocks, edges and lines from paths",
        &cli_flow_argp, cli_flow, false, NULL},
    {0},
};

const struct cli_namespace cli_namespaces[] = {
    {"set", "sets of paths", "Print, combine and divide the sets of paths that ran.",
        "  trod set list app.trod -o ran.list\n"
        "  trod set subtract -o new.trod app.trod other.trod\n"},
    {"calls", "paths across calls",
        "Report paths across calls, recorded by programs compiled by\n"
        "'trod cc --wpp' or 'trod cc --segments'.",
        "  trod cc --wpp -g -O2 -o app app.c && TROD_OUT=app.trod ./app\n"
        "  trod calls segments --names --most=5 app.trod\n"},
    {"sample", "sampled profiles",
        "Report estimates from programs that sample themselves, compiled by 'trod cc\n"
        "--online' (block sequences) or 'trod cc --burst' (functions, calls, loops, data).",
        "  trod cc --burst -g -O2 -o app app.c && TROD_OUT=app.trod ./app\n"
        "  trod sample functions app.trod\n"},
    {"version", "two versions of a program",
        "Compare the sources of two versions, and find what behaves differently.\n"
        "'trod migrate' carries profiles over from one to the other.",
        "  trod version diff app1 app2\n"
        "  trod version impact app1 app2\n"},
    {"hw", "hardware and traces",
        "Read traces of processors and emulators, and simulate hardware profilers.",
        "  trod hw import perf.script\n"
        "  trod hw model -- gzip -c file\n"},
    {"stage", "each stage alone, as text",
        "Run one stage of trod alone. Each reads and prints text: graphs, numbered\n"
        "graphs, plans of probes, grammars, counts.",
        "  trod stage graph --show=loops loop.graph\n"
        "  trod stage number loop.graph | trod stage probe\n"},
    {0},
};

const char cli_about[] =
    "trod counts the paths that a program takes, and reports those that no test took.";

const char cli_examples[] = "Examples:\n"
                            "  trod cc -g -O2 -o app app.c\n"
                            "  ./app\n"
                            "  trod report app.*.trod\n"
                            "  trod html -o app.html app.*.trod\n"
                            "  trod help report\n";

/* --- names ------------------------------------------------------------------------ */

const char *cli_command_word(const struct cli_command *command)
{
    const char *blank = strchr(command->name, ' ');

    return blank ? blank + 1 : command->name;
}

const struct cli_namespace *cli_command_namespace(const struct cli_command *command)
{
    const char *blank = strchr(command->name, ' ');

    for (const struct cli_namespace *n = cli_namespaces; blank && n->name; n++)
        if (strlen(n->name) == (size_t)(blank - command->name) &&
            strncmp(n->name, command->name, (size_t)(blank - command->name)) == 0)
            return n;
    return NULL;
}

const struct cli_namespace *cli_namespace_find(const char *name)
{
    for (const struct cli_namespace *n = cli_namespaces; n->name; n++)
        if (strcmp(n->name, name) == 0)
            return n;
    return NULL;
}

const struct cli_command *cli_command_in(
    const struct cli_namespace *namespace, const char *word)
{
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (cli_command_namespace(c) == namespace &&
            strcmp(cli_command_word(c), word) == 0)
            return c;
    return NULL;
}

const struct cli_command *cli_command_find(const char *name)
{
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

const struct cli_command *cli_command_elsewhere(const char *word)
{
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (cli_command_namespace(c) && strcmp(cli_command_word(c), word) == 0)
            return c;
    return NULL;
}

/* --- help ------------------------------------------------------------------------- */

void cli_namespace_list(FILE *stream, const struct cli_namespace *namespace)
{
    fprintf(stream, "Usage: trod %s COMMAND [ARGUMENT...]\n\n%s\n\n", namespace->name,
        namespace->about);
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (cli_command_namespace(c) == namespace)
            fprintf(stream, "  trod %-20s %s\n", c->name, c->summary);
    fprintf(stream,
        "\nExamples:\n%s\n'trod help %s COMMAND' describes a command, with more examples.\n",
        namespace->examples, namespace->name);
}

static void list_namespaces(FILE *stream)
{
    for (const struct cli_namespace *n = cli_namespaces; n->name; n++) {
        fprintf(stream, "  trod %-10s %s:", n->name, n->summary);
        for (const struct cli_command *c = cli_commands; c->name; c++)
            if (cli_command_namespace(c) == n)
                fprintf(stream, " %s", cli_command_word(c));
        fprintf(stream, "\n");
    }
}

void cli_overview(FILE *stream)
{
    fprintf(stream,
        "Usage: trod COMMAND [ARGUMENT...]\n\n%s\n\n"
        "  trod cc -g -O2 -o app app.c   compile (trod c++ for C++)\n"
        "  ./app                         run; writes a profile, app.*.trod\n"
        "  trod report app.*.trod        report the hottest paths\n",
        cli_about);
    for (const struct cli_command *c = cli_commands;
        c->name && !cli_command_namespace(c); c++) {
        if (c->heading)
            fprintf(stream, "\n%s:\n", c->heading);
        fprintf(stream, "  trod %-10s %s\n", c->name, c->summary);
    }
    fprintf(stream, "\nMore commands, in namespaces:\n");
    list_namespaces(stream);
    fprintf(stream,
        "\n'trod help COMMAND' describes a command, with examples; 'trod help NAMESPACE' "
        "lists\nits commands. 'trod --version' prints the version.\n");
}
