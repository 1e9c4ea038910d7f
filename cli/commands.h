/* commands: the table of commands, and one function and one table of options for each.
 */
#ifndef TROD_CLI_COMMANDS_H
#define TROD_CLI_COMMANDS_H

#include <argp.h>
#include <stdio.h>

#include "cli.h"

struct cli_command {
    const char *name;
    const char *summary;
    const struct argp *argp; /* its doc: description, \v, examples */
    bool (*run)(struct cli *cli);
    bool raw;            /* its arguments are not parsed: cli->raw has them */
    const char *heading; /* heading of a group that begins here in help; NULL: none */
};

/* Commands that are called by two words: `trod set union`. */
struct cli_namespace {
    const char *name;
    const char *summary;
    const char *about;    /* whole sentences */
    const char *examples; /* a line each */
};

/* Both end with an entry without a name. */
extern const struct cli_command cli_commands[];
extern const struct cli_namespace cli_namespaces[];
extern const char cli_about[];    /* what trod is */
extern const char cli_examples[]; /* of the program as a whole */

/* Find a command by its full name, "set union"; or by its namespace (NULL: none) and its last word. NULL: not found. */
const struct cli_command *cli_command_find(const char *name);
const struct cli_command *cli_command_in(
    const struct cli_namespace *namespace, const char *word);
const struct cli_namespace *cli_namespace_find(const char *name);

/* The first command of any namespace with this last word; NULL: there is none. */
const struct cli_command *cli_command_elsewhere(const char *word);

/* The last word of its name; the namespace, or NULL. */
const char *cli_command_word(const struct cli_command *command);
const struct cli_namespace *cli_command_namespace(const struct cli_command *command);

/* Print the commands of a namespace. */
void cli_namespace_list(FILE *stream, const struct cli_namespace *namespace);

/* Print help on trod as a whole. */
void cli_overview(FILE *stream);

extern const struct argp cli_graph_argp, cli_number_argp, cli_probe_argp, cli_help_argp,
    cli_cc_argp, cli_diff_argp, cli_run_argp, cli_report_argp, cli_split_argp;
extern const struct argp cli_show_argp, cli_merge_argp, cli_check_argp, cli_tests_argp;
extern const struct argp cli_union_argp, cli_intersect_argp, cli_subtract_argp;
extern const struct argp cli_list_argp, cli_coverage_argp, cli_untested_argp,
    cli_share_argp, cli_grammar_argp, cli_segments_argp, cli_wpp_argp, cli_super_argp,
    cli_residual_argp, cli_subpaths_argp, cli_top_argp, cli_overlap_argp,
    cli_methods_argp, cli_calls_argp, cli_trips_argp, cli_streams_argp, cli_model_argp,
    cli_branches_argp, cli_import_argp, cli_lift_argp, cli_emulate_argp,
    cli_explore_argp, cli_core_argp, cli_edit_argp;
extern const struct argp cli_change_argp, cli_migrate_argp, cli_flow_argp,
    cli_annotate_argp;
extern const struct argp cli_score_argp;
extern const struct argp cli_control_argp;
extern const struct argp cli_construct_argp;
extern const struct argp cli_impact_argp;
extern const struct argp cli_html_argp;
extern const struct argp cli_export_argp;

bool cli_graph(struct cli *cli);
bool cli_number(struct cli *cli);
bool cli_probe(struct cli *cli);
bool cli_show_profiles(struct cli *cli);
bool cli_merge(struct cli *cli);
bool cli_union(struct cli *cli);
bool cli_intersect(struct cli *cli);
bool cli_subtract(struct cli *cli);
bool cli_check(struct cli *cli);
bool cli_tests(struct cli *cli);
bool cli_help(struct cli *cli);
bool cli_cc(struct cli *cli);
bool cli_cxx(struct cli *cli);
bool cli_report(struct cli *cli);
bool cli_diff(struct cli *cli);
bool cli_overlap(struct cli *cli);
bool cli_run(struct cli *cli);
bool cli_split(struct cli *cli);
bool cli_list(struct cli *cli);
bool cli_coverage(struct cli *cli);
bool cli_untested(struct cli *cli);
bool cli_residual(struct cli *cli);
bool cli_share(struct cli *cli);
bool cli_grammar(struct cli *cli);
bool cli_segments(struct cli *cli);
bool cli_wpp(struct cli *cli);
bool cli_super(struct cli *cli);
bool cli_subpaths(struct cli *cli);
bool cli_top(struct cli *cli);
bool cli_methods(struct cli *cli);
bool cli_calls(struct cli *cli);
bool cli_trips(struct cli *cli);
bool cli_streams(struct cli *cli);
bool cli_control(struct cli *cli);
bool cli_explore(struct cli *cli);
bool cli_model_stream(struct cli *cli);
bool cli_branches(struct cli *cli);
bool cli_lift(struct cli *cli);
bool cli_emulate(struct cli *cli);
bool cli_import(struct cli *cli);
bool cli_core(struct cli *cli);
bool cli_edit(struct cli *cli);
bool cli_change(struct cli *cli);
bool cli_migrate(struct cli *cli);
bool cli_score(struct cli *cli);
bool cli_construct(struct cli *cli);
bool cli_export(struct cli *cli);
bool cli_impact(struct cli *cli);
bool cli_flow(struct cli *cli);
bool cli_annotate(struct cli *cli);
bool cli_html(struct cli *cli);

/* --- traced.c: commands that read streams may run a program ------------------------------ */

/* If the command line ends in `-- PROGRAM ARGUMENT...`, run that program first, and use the traces of its processes
 * as input files; otherwise just run the command.
 */
bool cli_run_command(struct cli *cli);

/* --- man.c, complete.c: help from the tables -------------------------------------- */

void cli_man_print(struct trod_sink *sink, const struct cli_command *command);
void cli_complete_bash(struct trod_sink *sink);

#endif
