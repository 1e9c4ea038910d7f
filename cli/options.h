/* options: the parsed command line. One struct for all commands: an option means the same in each of them.
 */
#ifndef TROD_CLI_OPTIONS_H
#define TROD_CLI_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

struct cli;

enum cli_form { CLI_TEXT, CLI_JSON, CLI_DOT, CLI_SVG };

/* These follow the order of the words in options.c, from 1; 0: not given. */
enum cli_kind {
    CLI_KIND_UNSAID,
    CLI_BALLARUS,
    CLI_SELECTIVE,
    CLI_SELECTIVE_PUBLISHED,
    CLI_SELECTIVE_SAFE,
    CLI_PREFERENTIAL,
    CLI_PREFERENTIAL_PUBLISHED,
    CLI_PREFERENTIAL_FIT,
    CLI_HASH,
    CLI_LENGTH
};

enum cli_show {
    CLI_SHOW_NONE,
    CLI_SHOW_HASH,
    CLI_SHOW_ORDER,
    CLI_SHOW_DOM,
    CLI_SHOW_PDOM,
    CLI_SHOW_LOOPS,
    CLI_SHOW_BACK,
    CLI_SHOW_CUTS,
    CLI_SHOW_WEIGHTS,
    CLI_SHOW_DAG,
    CLI_SHOW_ALL
};

enum { CLI_PICKS = 16 };

struct cli_list {
    const char **item;
    uint32_t count, room;
};

/* The words of a comma-separated argument, as numbers from 1. */
struct cli_picks {
    int item[CLI_PICKS];
    uint32_t count;
};

/* Options of the same commands are adjacent: there is only one such struct, so padding does not matter. */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct cli_options {
    struct cli_list file;
    const char *output; /* NULL or "-": standard output */
    const char *function;
    int form; /* enum cli_form */
    bool check, calls, quiet, strict, force;
    uint64_t max_expand, max_steps; /* 0: not said */

    struct cli_picks show;

    int kind; /* enum cli_kind */
    struct cli_list path, path_file;
    uint64_t limit;

    struct cli_picks pack;
    struct cli_list decode, encode;
    bool list, measure, coding, exact;
    uint64_t most;

    int place; /* enum trod_placement, from 1 */
    bool no_trips, cost;
    int want; /* enum trod_want: words start at 1, as it does without all */
    int plan; /* enum trod_ending_kind, from 1 */

    bool as_text, keep_runs;
    bool by_counts; /* subtract counts, not paths */
    struct cli_list binary, maps;
    bool strip;
    bool blocks;
    int sort;  /* enum trod_report_sort, from 1 */
    int group; /* enum trod_report_group, from 1 */

    struct cli_list failed;
    const char *name_field;
    bool first, foreign;
    int by; /* enum trod_suite_by, from 1 */
    struct cli_list minus, both, tested;
    bool partial;
    uint64_t missing; /* 0: not asked for */
    const char *min, *min_edges, *min_blocks, *top;
    int cover_sort;  /* enum trod_cover_sort, from 1 */
    int cover_group; /* enum trod_cover_group, from 1 */
    uint64_t sites;
    const char *prefix;
    struct cli_list counts;

    bool expand, sizes;
    uint64_t hot; /* 0: not asked for */
    uint64_t most_symbols;
    uint64_t depth; /* 0: not said */
    const char *build, *test, *field, *keep;
    bool with_wpp;
    bool names, grammar;

    const char *weight, *confidence, *threshold, *error;
    const char *lengths, *sample, *seed, *memory;
    struct cli_list stops;
    const char *interval;
    bool once;
    int top_sort; /* enum trod_online_sort, from 1; then rate and time of paths */
    int identity; /* enum trod_sample_identity, from 1 */
    uint32_t
        program; /* the first of the files that stood after --, from 1; 0: none did */

    int burst_sort; /* enum trod_bursts_sort, from 1 */
    bool call_graph;
    int stream_by; /* enum trod_stream_by, from 1 */
    uint64_t shortest, longest;
    const char *least;
    bool refs, no_stack;
    int members; /* what is compared of bursts: 1 paths, then enum trod_bursts_kind, then
                    streams */

    bool turn_on, turn_off, reset; /* of a program that runs */
    struct cli_list rate, burst;   /* N, or TYPE=N */
    const char *types, *budget;
    struct cli_list snapshot; /* NULL: under the default name */

    int study; /* of trod_explore_known, from 1 */
    bool designs, csv, parameters;
    uint64_t order;
    const char *control;
    struct cli_list set, table;
    uint64_t window, phases; /* instructions; 0: not said */
    bool spread;
    bool as_trace, packets;
    struct cli_list image;
    uint64_t stacks;       /* 0: not asked for */
    const char *from, *to; /* instructions */
    const char *trace_file, *raw_files, *emulator;
    bool accesses;
    uint64_t first_insns;
    const char *map;
    struct cli_list also;
    const char *machine;
    struct cli_list design;

    struct cli_list productions;
    struct cli_picks edit_profile; /* methods, calls, streams */
    uint64_t burst_length, addresses;
    int period; /* enum trod_edit_period, from 1 */
    bool literal, exhaustive;
    const char *cpi;

    const char *alike;
    const char *old, *new, *type, *level, *root;
    int method; /* enum trod_impact_method, from 1 */
    struct cli_list check_run, change_weight;
    bool no_rerun;
    const char *finish, *score, *explain;
    struct cli_list full;
    bool all_entries;
    const char *times;
    uint64_t wrong; /* 0: not asked for */
    bool spans, selective;
    const char *old_sequence;
    bool meaning;

    int format;             /* of cli_export_format, from 1 */
    struct cli_list source; /* folders */
    const char *since, *editor;
    bool all;
    uint64_t layout; /* seconds; 0: not said */
    bool no_layout, no_compress, all_sources, all_paths, time;
    const char *file_glob;
    bool verbose, conditions, brief, all_code;
    const char *directory, *program_glob;
    int colour; /* 1: auto, 2: always, 3: never */

    bool man, commands;
    int completion; /* 1: bash, 2: zsh, 3: fish */
};

/* --- options.c ---------------------------------------------------------------------- */

/* Parse the options of a command, or print an error and exit. */
void cli_options_parse(struct cli *cli, int argc, char **argv);

/* Call before and after argp prints help, to suppress its note on short options. Settings of the
 * environment are restored, so programs that are run later do not see the change.
 */
void cli_help_format(bool begin);

/* Was an answer requested that replaces the text form? */
bool cli_is_asked(const struct cli_options *options);

/* The valid arguments of an option, or NULL; 0-terminated. */
const struct argp_option *cli_words_of(int key);

/* The name of a kind. */
const char *cli_kind_word(enum cli_kind kind);

/* --- nearest.c: suggestions for unknown words -------------------------------- */

struct cli_nearest {
    const char *typed;
    const char *word; /* the nearest candidate, or NULL if none is near */
    unsigned distance;
};

void cli_nearest_try(struct cli_nearest *nearest, const char *word);

/* --- option_names.c ----------------------------------------------------------------------------------- */

/* Fail if a word that begins with -- is not an option of the command, and suggest the nearest one. */
bool cli_option_check(struct cli *cli, const char *word) TROD_MUST_CHECK;

#endif
