/* option_tables: shared rows of option tables. Each command has a table, in options_*.c beside it. What an option
 * does is in options.c, for all commands.
 */
#ifndef TROD_CLI_OPTION_TABLES_H
#define TROD_CLI_OPTION_TABLES_H

#include "commands.h"

/* For commands that read streams. */
#define CLI_OR_PROGRAM                                                                \
    " With '-- PROGRAM', trod runs the program and its children in the emulator and " \
    "reads their trace; what the program prints goes to standard error."

/* A key means the same in every command. */
enum {
    KEY_JSON = 256,
    KEY_DOT,
    KEY_SVG,
    KEY_CHECK,
    KEY_CHECK_CALLS,
    KEY_STRICT,
    KEY_FORCE,
    KEY_MAX_EXPAND,
    KEY_MAX_STEPS,
    KEY_SHOW,
    KEY_PATHS,
    KEY_LIMIT,
    KEY_PACK,
    KEY_DECODE,
    KEY_ENCODE,
    KEY_LIST,
    KEY_MOST,
    KEY_MEASURE,
    KEY_CODING,
    KEY_EXACT,
    KEY_PLACE,
    KEY_NO_TRIPS,
    KEY_COST,
    KEY_WANT,
    KEY_PLAN,
    KEY_TEXT,
    KEY_KEEP_RUNS,
    KEY_BY_COUNTS,
    KEY_BINARY,
    KEY_MAPS,
    KEY_STRIP,
    KEY_BLOCKS,
    KEY_SORT,
    KEY_GROUP,
    KEY_FAILED,
    KEY_FIRST,
    KEY_BY,
    KEY_NAME,
    KEY_FOREIGN,
    KEY_MINUS,
    KEY_AND,
    KEY_TESTED,
    KEY_PARTIAL,
    KEY_MISSING,
    KEY_MIN,
    KEY_MIN_EDGES,
    KEY_MIN_BLOCKS,
    KEY_COVER_SORT,
    KEY_COVER_GROUP,
    KEY_SITES,
    KEY_PREFIX,
    KEY_COUNTS,
    KEY_EXPAND,
    KEY_SIZES,
    KEY_HOT,
    KEY_MOST_SYMBOLS,
    KEY_DEPTH,
    KEY_BUILD,
    KEY_BUILD_ONLY,
    KEY_TEST,
    KEY_FIELD,
    KEY_KEEP,
    KEY_WITH_WPP,
    KEY_NAMES,
    KEY_GRAMMAR,
    KEY_WEIGHT,
    KEY_CONFIDENCE,
    KEY_ERROR,
    KEY_THRESHOLD,
    KEY_LENGTHS,
    KEY_IDENTITY,
    KEY_SAMPLE,
    KEY_SEED,
    KEY_MEMORY,
    KEY_STOPS,
    KEY_INTERVAL,
    KEY_ONCE,
    KEY_TOP_SORT,
    KEY_TOP,
    KEY_BURST_SORT,
    KEY_CALL_GRAPH,
    KEY_MEMBERS,
    KEY_STREAM_BY,
    KEY_SHORTEST,
    KEY_LONGEST,
    KEY_LEAST,
    KEY_REFS,
    KEY_NO_STACK,
    KEY_STUDY,
    KEY_DESIGNS,
    KEY_CSV,
    KEY_ORDER,
    KEY_PARAMETERS,
    KEY_CONTROL,
    KEY_SET,
    KEY_TABLE,
    KEY_WINDOW,
    KEY_PHASES,
    KEY_SPREAD,
    KEY_TRACE,
    KEY_TRACE_FILE,
    KEY_RAW_FILES,
    KEY_EMULATOR,
    KEY_ACCESSES,
    KEY_FIRST_INSNS,
    KEY_FROM,
    KEY_TO,
    KEY_MAP,
    KEY_ALSO,
    KEY_PT,
    KEY_IMAGE,
    KEY_STACKS,
    KEY_MACHINE,
    KEY_DESIGN,
    KEY_PRODUCTIONS,
    KEY_EDIT_PROFILE,
    KEY_BURST_LENGTH,
    KEY_PERIOD,
    KEY_LITERAL,
    KEY_EXHAUSTIVE,
    KEY_CPI,
    KEY_ADDRESSES,
    KEY_CHANGE_WEIGHT,
    KEY_ALIKE,
    KEY_OLD,
    KEY_ROOT,
    KEY_NEW,
    KEY_TYPE,
    KEY_LEVEL,
    KEY_METHOD,
    KEY_CHECK_RUN,
    KEY_NO_RERUN,
    KEY_FINISH,
    KEY_SCORE,
    KEY_EXPLAIN,
    KEY_FULL,
    KEY_ALL_ENTRIES,
    KEY_TIMES,
    KEY_WRONG,
    KEY_SPANS,
    KEY_SELECTIVE,
    KEY_OLD_SEQUENCE,
    KEY_MEANING,
    KEY_SOURCE,
    KEY_SINCE,
    KEY_EDITOR,
    KEY_ALL,
    KEY_LAYOUT,
    KEY_NO_LAYOUT,
    KEY_NO_COMPRESS,
    KEY_ALL_SOURCES,
    KEY_ALL_PATHS,
    KEY_TIME,
    KEY_FILE_GLOB,
    KEY_CONDITIONS,
    KEY_BRIEF,
    KEY_COLOUR,
    KEY_ALL_CODE,
    KEY_DIRECTORY,
    KEY_PROGRAM,
    KEY_FORMAT,
    KEY_MAN,
    KEY_COMMANDS,
    KEY_COMPLETION,
    KEY_TURN_ON,
    KEY_TURN_OFF,
    KEY_RATE,
    KEY_BURST,
    KEY_TYPES,
    KEY_BUDGET,
    KEY_RESET,
    KEY_SNAPSHOT,
    KEY_CC /* plus enum trod_cc: for raw arguments, in help only */
};

/* Valid arguments of options, listed in help. */
extern const struct argp_option cli_kind_words[], cli_show_words[], cli_place_words[],
    cli_want_words[], cli_plan_words[], cli_sort_words[], cli_group_words[],
    cli_by_words[], cli_cover_sort_words[], cli_cover_group_words[],
    cli_identity_words[], cli_top_sort_words[], cli_burst_sort_words[],
    cli_member_words[], cli_stream_by_words[], cli_study_words[],
    cli_edit_profile_words[], cli_period_words[], cli_method_words[], cli_shell_words[],
    cli_colour_words[];

/* The same for formats, filled by main from their tables. */
enum { CLI_FORMATS = 32 };
extern struct argp_option cli_format_words[];

/* Options of trod cc, and the words of one, from the table in port/cc; main fills them. */
extern struct argp_option cli_cc_options[];
const struct argp_option *cli_cc_words_of(int key);
void cli_cc_fill_options(void);

/* --- option_tables.c: rows that several commands have ---------------------------------- */

extern const struct argp_option cli_no_options[];

/* Output form and file; in addition: selected functions and sources of names; in addition: selected programs and files; in
 * addition: order and grouping.
 */
extern const struct argp cli_printing_argp, cli_naming_argp, cli_choosing_argp;
extern const struct argp_child cli_printing_children[], cli_naming_children[],
    cli_choosing_children[], cli_listing_children[];

/* For commands that read documents of stages; for commands that list block sequences. */
extern const struct argp cli_document_argp, cli_sequences_argp;

/* --- options.c ------------------------------------------------------------------------- */

/* A parser for tables that commands share, and one for commands, which passes its state to these. */
error_t cli_parse_option(int key, char *arg, struct argp_state *state);
error_t cli_parse_command(int key, char *arg, struct argp_state *state);

#define PARSED_BY_CHILD(options) {(options), cli_parse_option, 0, 0, 0, 0, 0}

/* Small untrusted files may expand to large ones. */
#define MAX_EXPAND                                                                            \
    {"max-expand", KEY_MAX_EXPAND, "SIZE", 0,                                                 \
        "limit decompression to SIZE bytes per file, such as 512m or 2g (default: 200 times " \
        "the file size, but at least 16m for profiles and 64m for maps)",                     \
        0}
#define MAX_STEPS                        \
    {"max-steps", KEY_MAX_STEPS, "N", 0, \
        "fail if more than N recorded steps must be read (default: 1000000000)", 0}

/* Rows of an option table: sources of names of paths. */
#define NAMES_FROM                                                                    \
    {"binary", KEY_BINARY, "FILE", 0,                                                 \
        "take names and lines from this program, library or map instead of the file " \
        "at the recorded location",                                                   \
        0},                                                                           \
        {"maps", KEY_MAPS, "FOLDER", 0,                                               \
            "search this folder first for programs, libraries and maps, by build id", \
            0},                                                                       \
        MAX_EXPAND

/* For commands that read many files. */
#define NOT_SKIPPING             \
    {"strict", KEY_STRICT, 0, 0, \
        "fail if any file is not a profile, instead of skipping it", 0}

/* Rows of an option table: which functions of which programs, in every command that reads profiles. code_shown.c does
 * what they say.
 */
#define CHOSEN                                                                        \
    {"function", 'f', "GLOB", 0, "include only functions whose names match GLOB", 0}, \
        {"file", KEY_FILE_GLOB, "GLOB", 0,                                            \
            "include only functions in files that match GLOB", 0},                    \
        {"directory", KEY_DIRECTORY, "FOLDER", 0,                                     \
            "include only functions in files below FOLDER", 0},                       \
        {"program", KEY_PROGRAM, "GLOB", 0,                                           \
            "include only programs and libraries whose file names match GLOB", 0}

/* Of commands that hide the code of others. */
#define ALL_CODE                     \
    {"all-code", KEY_ALL_CODE, 0, 0, \
        "also show functions of system headers and libraries", 0}

/* Rows of an option table: layout of tables and paths. */
#define LOOKS                                                                        \
    {"exact", KEY_EXACT, 0, 0, "print counts in full, not abbreviated as 12.3k", 0}, \
        {"color", KEY_COLOUR, "WHEN", 0,                                             \
            "use colours: auto (default: on a terminal, unless NO_COLOR is set), "   \
            "always or never",                                                       \
            0}

/* Rows of an option table: folders of sources. */
#define SOURCES_FROM                                                                     \
    {"source", KEY_SOURCE, "FOLDER", 0,                                                  \
        "search this folder first for sources, by the longest matching suffix of their " \
        "paths; other sources are read only from below the working directory and its "   \
        "git checkout",                                                                  \
        0}

#define FILES "[FILE...]"

#define PROFILES                                                                           \
    "Each FILE is a profile: written by a program that ran or is still running, by 'trod " \
    "merge', or in the text form of 'trod show'. A folder stands for all *.trod files in " \
    "and below it. With no FILE, or when FILE is '-', trod reads standard input."

#endif
