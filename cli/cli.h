/* cli: the command line.
 *
 *     argv -> options -> document -> subjects -> numbered -> out
 *
 * One table of commands (main.c), one table of options for each of them (options.c);
 * help, man pages and completion are printed from these. Commands contain no
 * algorithms: they call the stages and print what comes back.
 *
 * Glossary
 *   document  the sections of all input files, in order: `graph`, `paths`,
 *             `numbering`, `plan`
 *   subject   a function of the document: its graph, the numbering or plan if that
 *             is what was read, and the paths of interest given for it
 *   form      what is printed: text, JSON, DOT or SVG
 *   ask       an option that prints an answer in place of the text form
 *   words     the list of words an option's argument is taken from; it is also what
 *             --help shows of them
 *   note      a line on standard error that is no error; -q silences it
 *   no        the answer of a check that found the given thing wrong, status 1
 *
 * Output is collected and written when all went well, so that a failure leaves nothing
 * half done. Where a function returns false it has filled cli->err, and cli->exit if the
 * status is not the error's own.
 *
 * Memory: one arena for the command, one for its output; graph by graph, the first is
 * wound back to where the document was read.
 */
#ifndef TROD_CLI_H
#define TROD_CLI_H

#include <argp.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "migrate/foreign.h"
#include "migrate/sequence.h"
#include "trod/trod.h"

#define CLI_VERSION "0.1.0"

/* Validators between stages in builds for development. */
#ifndef TROD_CHECKED
#define TROD_CHECKED 0
#endif

struct cli;

enum cli_exit {
    CLI_DONE = 0,
    CLI_NO = 1,
    CLI_USAGE = 2,
    CLI_INPUT = 3,
    CLI_MISMATCH = 4,
    CLI_SYSTEM = 5,
    CLI_INTERNAL = 70
};

enum cli_form { CLI_TEXT, CLI_JSON, CLI_DOT, CLI_SVG };

/* --- options.c: what can be asked for --------------------------------------------- */

/* These follow the order of the words in options.c, from 1; 0 is: not said. */
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

/* Of an argument that is a comma-separated list of words: which, from 1. */
struct cli_picks {
    int item[CLI_PICKS];
    uint32_t count;
};

struct cli_options {
    struct cli_list file;
    const char *output; /* NULL or "-": standard output */
    const char *function;
    int form; /* enum cli_form */
    bool check, quiet, strict, force;
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
    bool tell, grammar;

    const char *weight, *confidence, *threshold;
    const char *lengths, *sample, *seed, *memory;
    struct cli_list stops;
    const char *interval;
    bool once;
    int top_sort; /* enum trod_online_sort, from 1 */
    int identity; /* enum trod_sample_identity, from 1 */
    uint32_t
        program; /* the first of the files that stood behind --, from 1; 0: none did */

    int burst_sort; /* enum trod_bursts_sort, from 1 */
    bool call_graph;
    int stream_by; /* enum trod_stream_by, from 1 */
    uint64_t shortest, longest;
    const char *least;
    bool refs, no_stack;
    int members; /* what is compared of bursts: 1 paths, then enum trod_bursts_kind, then
                    streams */

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
    bool no_layout;
    const char *file_glob;
    bool verbose, conditions, brief, all_code;
    const char *directory;
    int colour; /* 1: auto, 2: always, 3: never */

    bool man;
    int completion; /* 1: bash, 2: zsh, 3: fish */
};

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
extern const struct argp cli_construct_argp;
extern const struct argp cli_impact_argp;
extern const struct argp cli_html_argp;
extern const struct argp cli_export_argp;

/* Parse the options of a command, or say what is wrong with them and exit. */
void cli_options_parse(struct cli *cli, int argc, char **argv);

/* Was something asked for that is printed in place of the text form? */
bool cli_is_asked(const struct cli_options *options);

/* The words that the argument of an option is taken from, or NULL; 0-terminated. */
const struct argp_option *cli_words_of(int key);

/* The word of a kind. */
const char *cli_kind_word(enum cli_kind kind);

/* --- main.c: commands, and one run of one of them --------------------------------- */

struct cli_command {
    const char *name;
    const char *summary;
    const struct argp *argp; /* its doc: what it does, \v, examples */
    bool (*run)(struct cli *cli);
    bool raw; /* its arguments are not ours to parse: cli->raw has them */
};

/* Ends with an entry without a name. */
extern const struct cli_command cli_commands[];
extern const char cli_about[];    /* what trod is */
extern const char cli_examples[]; /* of the program as a whole */

/* What trod itself takes: the name of a command. */
void cli_argp(struct argp *out);

const struct cli_command *cli_command_find(const char *name);

/* --- traced.c: commands that read streams may run a program for it ------------------------------ */

/* Where the command line of such a command ends in `-- PROGRAM ARGUMENT...`, that is run first, and the traces of its processes
 * are taken for the files; else, just the command.
 */
bool cli_run_command(struct cli *cli);

struct cli {
    const struct cli_command *command;
    struct cli_options options;
    char **raw; /* arguments of a raw command, NULL-terminated */
    struct trod_arena mem;
    struct trod_arena out_mem;
    struct trod_string out;
    struct trod_json json; /* onto out */
    struct trod_err err;
    bool any_trails; /* some subject has paths of interest */
    bool unusable;   /* the last file that was read is no profile */
    struct cli_skips {
        uint32_t count, of;
    } skipped;                    /* files that could not be used, of so many */
    struct cli_list source_roots; /* folders that sources may be read from */
    enum cli_exit exit;           /* if not 0: instead of what err.code says */
};

/* Print a note, unless it is not wanted. */
void cli_note(struct cli *cli, const char *format, ...) TROD_FORMAT(2, 3);

/* Fail as one who was called wrongly. */
bool cli_misused(struct cli *cli, const char *format, ...) TROD_FORMAT(2, 3);

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
bool cli_flow(struct cli *cli);

/* --- in.c, out.c: files ----------------------------------------------------------- */

/* The whole of a file, or of standard input for "-".
 *
 * fills:  *text, at its start, with the name that messages use
 * fails:  TROD_E_SYSTEM
 */
bool cli_in_read(struct cli *cli, struct trod_text *text, const char *path);

/* Take a text section by section: each with the word it begins with, "" if that is none. What is
 * taken from the arena meanwhile does not stay. heads: how a section may begin, for a message.
 */
bool cli_in_sections(struct cli *cli, const char *path,
    bool (*take)(struct cli *cli, const char *head, struct trod_text *text),
    const char *heads);

/* The same of a text that has been read. */
bool cli_text_sections(struct cli *cli, struct trod_text *text,
    bool (*take)(struct cli *cli, const char *head, struct trod_text *text),
    const char *heads);

/* The same for what may be no text, in an arena of the caller's. */
struct cli_bytes {
    const char *name, *bytes;
    size_t length;
    const char
        *again; /* the same a moment later, of a profile that may change; or NULL */
    size_t nagain;
    struct trod_arena *mem;
};
bool cli_in_bytes(
    struct cli *cli, struct cli_bytes *out, const char *path, struct trod_arena *mem);

/* One more name. */
void cli_list_add(struct cli *cli, struct cli_list *to, const char *word);

/* A blank line before what comes next, if something came before. */
void cli_out_gap(struct cli *cli);

/* A line that is no part of the document around it; nothing for NULL. */
void cli_out_comment(struct cli *cli, const char *text);

/* Write what was collected to where it should go.
 *
 * fails:  TROD_E_SYSTEM; a regular file is left as it was
 */
bool cli_out_write(struct cli *cli);

/* The same of a text, to the file named. */
bool cli_out_file(struct cli *cli, const char *path, const struct trod_string *text);

/* --- beside.c: files that are replaced when they are whole ------------------------ */

struct cli_beside {
    const char *path;      /* as it was named, for messages */
    const char *target;    /* the file that is replaced: what links lead to */
    const char *temporary; /* what takes its place; NULL: its bytes are written over */
    bool exists, direct;   /* direct: pipes and devices, to which fd leads */
    struct stat before;    /* if it exists */
    int fd;                /* to write to */
    struct sigaction before_signal[4], before_size;
};

/* Begin a file of this name. A signal that ends trod takes away what was begun.
 *
 * fails:  TROD_E_SYSTEM
 */
bool cli_beside_open(struct cli_beside *out, struct cli *cli, const char *path);

/* All is written, or could not be because of this error of errno: put it in its place, or take it away.
 *
 * fails:  TROD_E_SYSTEM; the file is as it was
 */
bool cli_beside_close(struct cli_beside *b, struct cli *cli, int error);

/* /dev/stdout, /dev/fd/N: which descriptor is meant; else -1. */
int cli_fd_named(const char *path);

/* --- nearest.c: what was meant by a word that is not known -------------------------------- */

struct cli_nearest {
    const char *typed;
    const char *word; /* the nearest of those tried, or NULL if none is near */
    unsigned distance;
};

void cli_nearest_try(struct cli_nearest *nearest, const char *word);

/* --- terminal.c: people who look on ---------------------------------------------- */

/* Does what is printed go to a terminal: neither to a file of -o, nor to another program? */
bool cli_to_terminal(const struct cli *cli);

/* Are colours wanted: there, or as --color says? */
bool cli_wants_colour(const struct cli *cli);

/* As wide as COLUMNS says, or the terminal is, or 80 columns; in colour as --color says; counts as --exact says. */
void cli_style(struct trod_style *out, const struct cli *cli);

/* How far something is that may take long. Nothing is said in its first seconds, nor where nobody can see it. */
struct cli_progress {
    const char *doing, *things; /* "merging", "files" */
    time_t start, said;
};

void cli_progress_begin(
    struct cli_progress *out, const char *doing, const char *things);

/* At most once a second. */
void cli_progress_tell(
    struct cli_progress *progress, const struct cli *cli, uint32_t done, uint32_t of);

/* Ends the line, where something was said. */
void cli_progress_end(const struct cli_progress *progress, uint32_t done, uint32_t of);

/* --- document.c: sections of all inputs ------------------------------------------- */

struct cli_subject {
    const char *file;
    uint32_t line;
    const struct trod_graph *graph;
    const struct trod_numbering *numbering; /* NULL: not read as one */
    const struct trod_plan *plan;           /* NULL: not read as one */
    struct trod_trails trails;
    bool chosen; /* by --function */
};

struct cli_document {
    struct cli_subject *subject;
    uint32_t count, room;
    uint32_t nchosen;
};

/* Read all files and path lists, choose subjects, and add the trails given as options
 * to the one that was chosen.
 *
 * fails:  TROD_E_INPUT, TROD_E_LIMIT, TROD_E_SYSTEM; TROD_E_MISMATCH for a path list
 *         of a function that is not there
 */
bool cli_document_read(struct cli_document *out, struct cli *cli);

/* Run fn for every chosen subject, with what goes around all of them in JSON: an object
 * that names the command and its version, and an array of this name.
 */
bool cli_document_each(struct cli *cli, const struct cli_document *document,
    const char *array, bool (*fn)(struct cli *cli, const struct cli_subject *subject));

/* Put the place of a subject before the message of a failure that has none. */
bool cli_place(struct cli *cli, const struct cli_subject *subject);

/* Read one trail of an option's argument; option is its name, for messages. */
bool cli_trail_read(struct cli *cli, struct trod_trail *out, const char *trail,
    const char *option, const struct trod_graph *graph);

/* --- profiles.c: files that hold profiles ----------------------------------------------- */

/* Those of one file: one if it is binary, any number but 0 if it is text. */
struct cli_profiles {
    const char *name;
    struct trod_profile *profile;
    uint32_t count, room;
    bool text;
    struct trod_profile_health health; /* if not text */
};

/* fails:  TROD_E_SYSTEM; TROD_E_INPUT when the file is no profile; what is damaged is
 *         read as far as it goes
 */
bool cli_profiles_read(struct cli_profiles *out, struct cli *cli, const char *path,
    struct trod_arena *mem);

/* The same of what has been read already. */
bool cli_profiles_take(
    struct cli_profiles *out, struct cli *cli, const struct cli_bytes *in);

/* Of several files, those that are no profiles are skipped: they are noted, and the result says how many there were. One
 * that is the only one, or cannot be opened, is an error, and so is any with --strict.
 *
 *     struct cli_skips skips = {.of = files->count};
 *     for each file: if (!read(...) && !cli_skips_take(&skips, cli)) return false;
 *     if (!cli_skips_end(&skips, cli)) return false;
 *
 * cli_skips_end fails with TROD_E_INPUT when all were skipped.
 */
bool cli_skips_take(struct cli_skips *skips, struct cli *cli);
bool cli_skips_end(const struct cli_skips *skips, struct cli *cli);
/* A profile of nothing but a note that says how many were skipped, to be merged with the others; empty if none was. */
const struct trod_profile *cli_skips_noted(struct cli *cli, struct trod_arena *mem);
/* The same as a member of the object that is open. */
void cli_skips_json(struct cli *cli);

/* All profiles of some files, or of standard input, added up. */
bool cli_profiles_sum(
    struct trod_profile *out, struct cli *cli, const struct cli_list *files);

/* One profile as output: packed, or with --text as text. Bytes are nothing for a terminal, which is asked before work
 * is done.
 */
bool cli_profile_is_asked(struct cli *cli);
bool cli_profile_write(struct cli *cli, const struct trod_profile *profile);

/* Call fn for every file named, or for standard input. */
bool cli_profiles_each(struct cli *cli,
    bool (*fn)(struct cli *cli, const char *path, void *ctx), void *ctx);

/* The object around what is printed in JSON, with an array of this name. */
void cli_profiles_open_json(struct cli *cli, const char *array);
void cli_profiles_close_json(struct cli *cli);

/* --- recordings.c: profiles of programs that record their steps -------------------------------- */

struct cli_recorded {
    struct cli_recorded_one {
        const char *name; /* of the file */
        const struct trod_profile *profile;
    } *one;
    uint32_t count, room;
    struct trod_map map; /* of all */
    bool takes_counts;   /* paths across calls will do, too */
    uint32_t ncounted;   /* profiles of such paths */
    uint64_t nstep;      /* gone through so far, by cli_recorded_run */
};

/* Add what a file holds, if it is a profile; *taken: whether it is.
 *
 * fails:  TROD_E_MISMATCH when nothing was recorded, or some are recorded and some counted
 */
bool cli_recorded_take(
    struct cli_recorded *r, struct cli *cli, const struct cli_bytes *in, bool *taken);

/* The modules of all of them, each once, as a profile of nothing else. */
void cli_recorded_modules(
    struct trod_profile *out, const struct cli_recorded *r, struct cli *cli);

/* The maps of all of them, when all were added. */
bool cli_recorded_maps(struct cli_recorded *r, struct cli *cli);

struct cli_recorded_thread {
    struct cli_recorded *of;
    const char *file;
    const struct trod_profile_module *module;
    const struct trod_profile_steps *steps;
    struct trod_recorded *recorded;
    struct trod_grammar grammar; /* its terminals are subpaths of recorded->decoder */
};

/* Call fn for each thread. Steps of trod_recorded_run go to `take`; numbers of functions in them
 * are of `functions`; if it is NULL, no maps are needed, and threads have what was noted and no
 * more. Says what was given up.
 */
bool cli_recorded_each(struct cli_recorded *r, struct cli *cli,
    struct trod_functions *functions, trod_step_taker take, void *ctx,
    bool (*fn)(struct cli *cli, const struct cli_recorded_thread *thread, void *ctx));

/* Go through the steps of a thread, one by one. A grammar of a few rules may stand for any number of steps.
 *
 * fails:  TROD_E_LIMIT when those of all threads are more than --max-steps, before the first
 */
enum { CLI_STEPS = 1000000000 };
bool cli_recorded_run(struct cli *cli, const struct cli_recorded_thread *thread);

/* Subpaths that were given up, of all threads. */
uint64_t cli_recorded_given(const struct cli_recorded *r);

/* What to call all of them: the program. */
const char *cli_recorded_name(const struct cli_recorded *r);

/* --- segments_of.c: their segments -------------------------------------------------------------- */

/* Of all of them, recorded or counted; says how many went on where nobody looked.
 *
 * needs:  cli_recorded_maps
 */
bool cli_recorded_segments(struct trod_segments *out, struct cli_recorded *recorded,
    struct cli *cli, uint64_t depth);

/* --- overlap_in.c, cmd_overlap.c: what two files have in common ---------------------------------- */

enum cli_member_kind { CLI_PATHS, CLI_SUBPATHS, CLI_SEGMENTS, CLI_BURSTS };

/* What a file has that can be compared: a profile, or the text of its subpaths, segments or bursts. */
struct cli_compared {
    const char *name;
    enum cli_member_kind kind;
    bool counted; /* paths across calls: these are segments, too, if somebody asks */
    bool text;    /* it is no profile: members are as they were read */
    struct trod_profile profile; /* all of it added up; of steps, nothing */
    struct cli_recorded recorded;
    struct trod_subpaths subpaths;
    struct trod_segments segments;
    struct trod_bursts burst;
};

bool cli_compared_read(struct cli_compared *out, struct cli *cli, const char *path);

/* The members of both, whatever kind they are of, and the maps of both.
 *
 * fails:  TROD_E_MISMATCH when they are of different kinds, or modes
 */
bool cli_compared_join(struct cli_compared *a, struct cli_compared *b,
    struct trod_map *map, struct cli *cli);

/* --- bursts_in.c: what was counted in bursts ------------------------------------------------------ */

/* What a profile has of it, with names from maps and binaries. */
bool cli_bursts_build(struct trod_bursts *out, struct cli *cli,
    const struct trod_profile *profile, const struct trod_map *map);

/* Is it the text form of that? */
bool cli_bursts_is_text(const struct cli_bytes *in);

/* Of all files, in the form asked for. */
bool cli_bursts_put(struct cli *cli, enum trod_bursts_kind kind);

/* --- streams_in.c: what was loaded and stored in bursts -------------------------------------------- */

/* A file's references, or streams that were found before. */
struct cli_streams {
    const char *name;
    bool found; /* it is streams, in their text form */
    struct trod_streams streams;
    size_t nrefs; /* one for each image, or section of a text */
    struct trod_stream_refs *refs;
};
bool cli_streams_read(struct cli_streams *out, struct cli *cli, const char *path);

/* How they are to be found; fails as one who was called wrongly. */
bool cli_streams_options(struct trod_stream_options *out, struct cli *cli);

/* All streams of a file: if it has several images, of the one with most references. */
bool cli_streams_find(
    struct trod_streams *out, struct cli_streams *in, struct cli *cli);

/* --- cmd_subpaths_exact.c: all subpaths of a trace, counted --------------------------------------- */

/* trod subpaths --exact */
bool cmd_subpaths_exact(struct cli *cli);

/* --- cmd_subpaths.c: hot subpaths ------------------------------------------------------------------ */

/* How these are to be told; fails as one who was called wrongly. */
bool cli_online_options(struct trod_subpaths_options *out, struct cli *cli);

/* As text, or as an object in JSON: remarks of a profile, if there is one, behind. */
bool cli_subpaths_put(struct cli *cli, const struct trod_subpaths *subpaths,
    const struct trod_map *map, const struct trod_profile *profile);

/* Those that were sampled, in the form asked for. */
bool cli_subpaths_put_sampled(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map);

/* --- cmd_top.c, top_picture.c, top_screen.c: hot subpaths of a program that runs ------------------- */

/* What there is to see of some files, at some moment. */
struct cli_picture {
    struct trod_arena mem;
    struct trod_profile profile;
    struct trod_subpaths subpaths;
    bool is_there;
    time_t taken;
};

struct cli_top {
    struct cli *cli;
    struct cli_list file;
    uint32_t nprocess; /* the first so many files are of processes */
    uint64_t *process;
    struct cli_picture picture[2]; /* the last one that could be taken is kept */
    int now;
    struct trod_map map; /* of the modules that were there when it was read */
    uint32_t nmodule;
    bool has_map;
    struct trod_subpaths_options options;
};

/* The files to look at: those that are named, and the profiles that processes have mapped. */
bool cli_top_open(struct cli_top *out, struct cli *cli);
void cli_top_close(struct cli_top *top);

/* Look again. On failure the picture is what it was, and cli->err says why. */
bool cli_top_look(struct cli_top *top);

/* running, ended, killed; whether it may change. */
const char *cli_top_state(const struct cli_top *top, bool *open);

/* Show it on the terminal until somebody has seen enough. */
bool cli_top_watch(struct cli_top *top, double interval);

/* --- numbered.c: from a subject to its numbering ---------------------------------- */

struct cli_numbered {
    const struct cli_subject *subject;
    const struct trod_dag *dag;
    struct trod_loops loops;
    struct trod_limit_report report;
    struct trod_numbering ballarus; /* of the same DAG, whatever the kind */
    bool has_interest;              /* some paths were given */
    struct trod_interest interest;
    struct trod_numbering numbering; /* the kind asked for, or the one read */
    struct trod_numbering low, high; /* its parts, if --pack made it */
    bool has_parts, has_slots;
    trod_edge *step;         /* room for one path */
    struct trod_slots slots; /* --kind hash */
    const char *cuts;        /* what the limit cost, or NULL */
    const char *remark;      /* how it came about, or NULL */
};

/* Number a subject as the options say. What was read as a numbering stays as it is
 * unless they name a kind or a limit. Says which edges the limit cost.
 */
bool cli_numbered_build(
    struct cli_numbered *out, struct cli *cli, const struct cli_subject *subject);

/* A numbering of any kind, on top of what is built already. */
bool cli_numbered_kind(struct trod_numbering *out, struct cli *cli,
    const struct cli_numbered *numbered, enum cli_kind kind);

/* Report the cuts that the limit cost, in JSON. */
void cli_numbered_json_cuts(
    struct trod_json *json, const struct cli_numbered *numbered);

/* Run the validators, every path walked where there are not too many: if asked for, and
 * in builds for development wherever a failure would be our own.
 *
 * fails:  no where the numbering was read or is one that promises too much;
 *         TROD_E_INTERNAL where it is ours
 */
bool cli_numbered_check(struct cli *cli, const struct cli_numbered *numbered);

/* How a failed check is answered: with no, if the thing was given or known to be
 * unsound, or as our own mistake.
 */
bool cli_checked(
    struct cli *cli, const struct cli_subject *subject, bool given, const char *remedy);

enum {
    CLI_CHECK_PATHS = 100000, /* the most that a check walks */
    CLI_HASH_BITS = 20        /* the largest table a perfect hash may have */
};

/* --- maps.c, cmd_report.c: what binaries know of their paths ---------------------------------- */

#define CLI_MAP_SUFFIX ".trodmap" /* of files that 'trod split' names */

/* The maps of --binary; or those of a profile's modules, from the folders of --maps, from the
 * binaries, or from files beside them. One that is gone, or was built anew, costs names and a
 * note.
 */
bool cli_maps_read(
    struct cli *cli, struct trod_map *out, const struct trod_profile *profile);

/* The same as text, and parsed. */
bool cli_maps_text(
    struct cli *cli, struct trod_string *out, const struct trod_profile *profile);
bool cli_maps_parse(
    struct cli *cli, struct trod_map *out, const struct trod_string *text);

/* --- unfinished.c: what unfinished paths ran -------------------------------------------------- */

/* trod_flows_add_unfinished() with what the stacks of the runs tell.
 *
 * needs:  flows that were just built of this profile
 */
void cli_add_unfinished(
    struct cli *cli, struct trod_flows *flows, const struct trod_profile *profile);

/* --- places.c: where units were compiled ------------------------------------------------------ */

/* A directory that a map names without what is above it, looked for in and above some folders; as it is if it is not there.
 * file: of the unit
 */
const char *cli_place_find(struct cli *cli, const char *directory, const char *file,
    const struct cli_list *around);
void cli_place_add(struct cli *cli, struct cli_list *around, const char *file);
/* Those of a map, around the user and the programs of a profile (or NULL). */
void cli_places_find(
    struct cli *cli, struct trod_map *map, const struct trod_profile *profile);

/* --- cc_probe.c ------------------------------------------------------------------------------------ */

/* Is it a program that configure, CMake or meson makes to try the compiler out? */
bool cli_cc_is_probe(char **args);

/* --- option_names.c ----------------------------------------------------------------------------------- */

/* Fail if a word that begins with -- is not an option of the command, with the nearest that is one. */
bool cli_option_check(struct cli *cli, const char *word) TROD_MUST_CHECK;

/* --- other_runs.c --------------------------------------------------------------------------------------- */

/* A note for each profile that has others of the same TROD_OUT beside it. */
void cli_other_runs(struct cli *cli, const struct cli_list *files);

/* --- code_shown.c: whose code is shown ---------------------------------------------------------- */

/* Hide functions of files that --file and --directory do not name, and, without these and --all-code, those of system headers
 * and libraries.
 *
 * fails:  TROD_E_INPUT if nothing is left of what was chosen
 */
bool cli_code_choose(struct cli *cli, struct trod_map *map) TROD_MUST_CHECK;

/* --- written.c: what is written in sources --------------------------------------------------------- */

/* Sources that conditions are taken from. */
struct cli_text {
    struct cli *cli;
    const struct trod_map *map;
    time_t built;
    const struct trod_source_text **source; /* by name; NULL: it cannot be read */
    uint32_t nsource, room;
    struct trod_names names;
    uint32_t nunreadable, nchanged;
    bool quiet; /* others say what cannot be read */
    struct trod_tell_text tell;
};
/* profile: NULL if it is not known when the program was built */
const struct trod_tell_text *cli_text_open(struct cli_text *out, struct cli *cli,
    const struct trod_profile *profile, const struct trod_map *map);

/* --- cmd_report.c ------------------------------------------------------------------------------------- */

/* How reports are to be made. */
void cli_report_options(struct trod_report_options *out, struct cli *cli);

/* Paths are shown with conditions unless --brief, --group or --json was said: open what that takes. */
void cli_report_text(struct trod_report_options *options, struct cli_text *text,
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map);

/* The report in the form asked for. */
void cli_report_put(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map);

/* --- cmd_tests.c, verdict.c: what a suite of tests says ---------------------------------------- */

struct cli_suite {
    struct trod_suite suite; /* of the functions chosen */
    struct trod_map map;
    struct trod_report_options telling;
    uint32_t most; /* rows */
};

/* --first; --failed */
bool cli_first_put(struct cli *cli, struct cli_suite *t);
bool cli_suspects_put(struct cli *cli, struct cli_suite *t);

/* Does the name of a function match the GLOB of --function? */
bool cli_report_wants(const char *function, void *glob);

/* --- chosen.c: files that hold profiles or lists of paths -------------------------------------- */

struct cli_chosen {
    const struct trod_profile **profile;
    uint32_t nprofile, room;
    struct trod_profile sum; /* of all, as far as it was asked for */
    struct trod_list list;   /* of the files that are lists, put together */
    uint32_t nlist;
};

/* All files named, each a profile or a list. */
bool cli_chosen_read(
    struct cli_chosen *out, struct cli *cli, const struct cli_list *files);

/* The maps of the profiles, or those named; fills chosen->sum. */
bool cli_chosen_maps(struct trod_map *out, struct cli *cli, struct cli_chosen *chosen);

/* What is not in a profile, and why: functions left in the middle, not counted at all, and
 * its notes. As comments, or as members of the object that is open; or as notes.
 */
void cli_chosen_remarks(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map);
void cli_chosen_notes(struct cli *cli, const struct cli_chosen *chosen);

/* What ran in the profiles, and all that is listed, as one list. */
bool cli_chosen_list(struct trod_list *out, struct cli *cli,
    const struct cli_chosen *chosen, const struct trod_map *map);

/* A note for each function of a list with one of these fates, as bits; how many there are. */
size_t cli_chosen_complain(struct cli *cli, const struct trod_list *list,
    const struct trod_list_match *match, unsigned fates);

/* Write what was collected, and answer no. */
bool cli_no(struct cli *cli, const char *format, ...) TROD_FORMAT(2, 3);

/* --- cmd_untested.c: what the field ran and no test did ------------------------------------------ */

struct cli_found {
    struct cli_chosen chosen; /* of the field */
    struct trod_ran field;
    struct trod_untested untested;
    struct trod_map map;
};

/* What the field's files have that those of --tested do not. */
bool cli_untested_find(
    struct cli_found *out, struct cli *cli, const struct cli_list *field);

/* As text, or as members of the object that is open. */
void cli_untested_put(struct cli *cli, const struct cli_found *found);

/* What the files of --tested have; and whether that is of the program that the field ran, by the status 4 unless
 * --partial was said.
 *
 * needs:  the maps of the field
 */
struct cli_tested {
    struct trod_list list;
    const struct trod_profile_function
        *known; /* what the programs have that the tests ran, sorted */
    size_t nknown;
};
bool cli_tested_read(
    struct cli_tested *out, struct cli *cli, const struct trod_map *map);
bool cli_tested_match(struct cli *cli, const struct cli_tested *tested,
    const struct trod_ran *field, const struct trod_map *map,
    const struct trod_untested *untested);

/* --- sources.c: text of source files -------------------------------------------------------------- */

struct cli_source {
    const char *name;  /* as a map has it */
    const char *path;  /* where it was found; NULL: nowhere */
    const char **line; /* [nline], without their ends; NULL: see why */
    uint32_t nline;
    time_t changed;
    const char *why; /* there are no lines: the file, and what is wrong */
};

/* The text of a file of a map, compiled in a directory (NULL: not known). It is looked for in the folders of --source: by
 * its whole name, then without its first folder, and so on; then where it was compiled, and in folders above; then in the
 * working directory. Wherever it is found, links resolved, it must be a regular file below a folder of --source, the working
 * directory or the git checkout that this is in: what a map says is not to be trusted. False is no failure: out->why says why
 * there are no lines, and cli->err is left alone.
 */
bool cli_source_read(
    struct cli_source *out, struct cli *cli, const char *name, const char *directory);

/* When the programs of a profile were last changed, the latest of them; 0: not known. A source that was changed
 * after that may not be what ran.
 */
time_t cli_sources_built(const struct trod_profile *profile);

/* --- html_layout.c: graphs of a page ------------------------------------------------------------- */

/* Lay out the graphs of all functions, those that ran most first, as far as there is time. What is not laid out is told in
 * the page's notes; so is that there is no dot.
 */
void cli_html_lay_out(struct trod_page *page, struct cli *cli);

/* --- cmd_export.c: formats of other tools -------------------------------------------------------- */

/* By number, from 0, those of the library first; NULL: there are no more. */
const struct trod_export_format *cli_export_format(uint32_t number);

/* Their names become the words of --to; before options are parsed. */
void cli_export_fill_words(void);

/* The numbers that compilers gave to blocks of what ran, for formats that need them. */
void cli_block_ids(struct cli *cli, struct trod_exported *in);

/* --- shell.c: commands that the user gave ------------------------------------------------------- */

/* Run a command by the shell; what it prints goes to a file. A signal that would end trod ends the
 * command, and then fails.
 *
 * fills:  *status, as wait() has it
 */
bool cli_shell_run(struct cli *cli, const char *command, const char *log, int *status);

/* 'ended with status 2' */
void cli_shell_tell(struct trod_sink *sink, int status);

/* The last lines of a file, to standard error. */
void cli_shell_tail(const char *log);

/* --- residual_sum.c: what the stages of 'trod residual' found ---------------------------------- */

struct cli_residual {
    uint64_t depth;
    bool wpp, field;
    uint64_t nrun[3];       /* of each stage's programs */
    uint64_t nsubpath;      /* that ran; if wpp: segments */
    uint64_t nfunction_ran; /* that they are in */
    uint64_t nsite_gone;    /* call sites gone into */
    uint64_t nsite_partly;  /* of these: not in all frames */
    uint64_t nsite_left;    /* gone into nowhere */
    struct cli_residual_reason {
        const char *why;
        uint64_t nsite;
    } *reason; /* most sites first; their sum is nsite_left */
    uint32_t nreason, room_reason;
    uint64_t ntested, ntested_across;
    uint64_t nuntested, nuntested_across;
};

/* Which calls are gone into, and why others are not: from a map and its text. */
void cli_residual_sites(struct cli_residual *r, const struct trod_map *map,
    const struct trod_string *text, struct trod_arena *mem);

/* How many of these paths of a function go from one function into another. */
uint64_t cli_residual_across(const struct trod_map *map,
    const struct trod_profile_function *function, const trod_path *id, size_t nid);

void cli_residual_put(struct cli *cli, const struct cli_residual *r);

/* --- cmd_cc.c, cc_own.c, cc_directory.c, cc_missing.c: compilers --------------------------------- */

enum { CLI_DEEPEST = 8 }; /* that the plugin goes into calls */

struct cli_cc {
    struct cli_list paths, tested, segments; /* files */
    const char *only;                        /* file; NULL: none */
    bool untested_only, partial, explain, wpp, subpaths, others, online;
    bool burst, counters;
};

/* Take trod's own options off the front of a command line, and tell the plugin. */
bool cli_cc_take_own(struct cli_cc *out, struct cli *cli, char ***args);

/* cc_driver.c: the compiler driver. What TROD_CLANG names: perhaps launchers, then the compiler. */
struct cli_compiler {
    char **word;
    size_t nword;
    char *path; /* of the last word */
};
bool cli_compiler_find(struct cli_compiler *out, struct cli *cli, const char *variable,
    const char *otherwise);

/* What it would do with these arguments. */
struct cli_driver {
    bool links;
    const char *target; /* NULL: it was not asked, because it only compiles */
};
void cli_driver_ask(struct cli_driver *out, struct cli *cli,
    const struct cli_compiler *compiler, char **args);
/* Fail where it is a clang of another version: the plugin is for one. */
bool cli_driver_check_version(struct cli *cli, const struct cli_compiler *compiler);
/* Fail where the program could not be instrumented, or not be linked with the runtime. */
bool cli_driver_check(const struct cli_driver *driver, struct cli *cli, char **args);
/* Whether the runtime must bring libc itself. */
bool cli_driver_lacks_libc(char **args);
/* Pass the command to the plugin. */
bool cli_driver_hand_over(struct cli *cli, const char *command);
bool cli_driver_set_namespace(struct cli *cli, const char *plugin, const char *command);
/* Run it; exit with its status if it fails. */
bool cli_driver_run(struct cli *cli, char **argv);

/* cc_command.c: the compile command for the map; whole, or without values of macros and without absolute paths. */
#define CLI_OMITTED "trod_omitted"
bool cli_is_one_of(const char *word, const char *const *list, size_t n);

#define CLI_IS_ONE_OF(word, list) \
    cli_is_one_of((word), (list), sizeof(list) / sizeof *(list))

char *cli_cc_command(struct cli *cli, const char *compiler, char **args, bool whole);

/* The folder that the compiler works in; NULL: not known. */
char *cli_cc_working_folder(struct cli *cli);
/* Where the compiler works, with what its arguments say of the paths in debug information; NULL: not known. */
char *cli_cc_directory(struct cli *cli, char **args);

/* Note what of the paths given is not in the program that these arguments made. */
bool cli_cc_name_missing(struct cli *cli, const struct cli_cc *cc, char **args);

/* Note what of the functions given is not in it. */
bool cli_cc_name_functions(struct cli *cli, const struct cli_cc *cc, char **args);

/* --- branches_in.c: what a processor did ----------------------------------------------------------- */

struct cli_branches {
    const char *file; /* for messages */
    const char *name; /* of the stream */
    bool is_trace;    /* not text */
    const char *bytes;
    size_t nbyte;
    struct trod_text text;            /* of texts: behind the name */
    uint64_t from, to;                /* --from, --to */
    struct trod_branch_health health; /* of traces */
};

/* A stream: a trace file or its text form, whichever it is. */
bool cli_branches_open(struct cli_branches *out, struct cli *cli, const char *path);

/* All of it, or the part that --from and --to say. What could not be read is noted. */
bool cli_branches_drive(
    struct trod_branch_sink *to, struct cli_branches *in, struct cli *cli);

/* --- cmd_model.c: how a processor would see its paths ---------------------------------------------------- */

/* The register of --control, changed by --set; fails as one who was called wrongly. */
bool cli_control_read(struct trod_control *out, struct cli *cli);

/* --- code_in.c: machine code that ran ---------------------------------------------------------------- */

struct trod_ipt_memory;

struct cli_code {
    struct trod_ipt_memory *memory;
    size_t nmemory, room;
};

/* What --image names. FILE: a program at its own addresses. FILE@ADDRESS: one that was moved by so much, or bytes
 * that were there.
 */
bool cli_code_read(struct cli_code *out, struct cli *cli);

/* What 'perf script --show-mmap-events' tells, as far as it is still there. */
void cli_code_mapped(struct cli_code *out, struct cli *cli, const struct cli_bytes *in);
/* --- cmd_core.c: machines ---------------------------------------------------------------------------- */
/* The one that --machine says, by name or in a file; without, that of table 5.3. */
bool cli_machine_read(struct trod_core_machine *out, struct cli *cli);

/* --- sequences_in.c: call sequences ------------------------------------------------------------------- */

struct cli_sequence {
    struct trod_call_sequence sequence;
    struct trod_map map; /* of the program that was recorded */
    bool has_map;        /* not of texts */
};

/* A recording of 'trod cc --wpp', or spans in their text form. selective: calls of what was not recorded are kept. */
bool cli_sequence_read(
    struct cli_sequence *out, struct cli *cli, const char *path, bool selective);

/* The call sequence of the new version: that of the old one, and what was recorded selectively, by 'trod cc --wpp --only'.
 * What is counted by its map is affected, what it left out exempt; arguments are taken to be as they were.
 */
bool cli_sequence_merge(struct trod_call_sequence_merged *out, struct cli *cli,
    const char *old, const char *recorded);

/* trod wpp --spans */
bool cli_spans_put(struct cli *cli);

/* --- foreign_in.c: profiles of other profilers ------------------------------------------------------------ */

/* Is it one, by its first bytes? Its entries; of gmon.out with names from --binary. */
bool cli_foreign_is(const struct cli_bytes *in);
bool cli_foreign_read(struct trod_entries *out, struct cli *cli, const char *type,
    const struct cli_bytes *in);

/* --- cmd_score.c: how good merged profiles are ------------------------------------------------------- */

/* Scores of merged entries, files or folders, in the form asked for. full: profiles, FILE or INPUT=FILE. */
bool cli_score_put(
    struct cli *cli, const struct cli_list *merged, const struct cli_list *full);

/* --- table.c: rows and columns, as text or JSON ----------------------------------- */

/* A cell is added to the row begun last; a row is full when the last column has one. */
struct cli_table {
    struct trod_arena *mem;
    const char *key;           /* in JSON */
    const char *const *column; /* heads, which are also keys in JSON */
    uint32_t ncolumn;
    struct cli_cell {
        enum {
            CLI_BLANK,
            CLI_WORDS,
            CLI_NAME,
            CLI_YES_NO,
            CLI_UINT,
            CLI_INT,
            CLI_REAL,
            CLI_SHARE
        } kind;
        union {
            const char *text;
            bool yes;
            uint64_t natural;
            int64_t whole;
            double real;
        };
    } *cell;
    size_t ncell, room;
};

void cli_table_init(struct cli_table *out, const char *key, const char *const *column,
    uint32_t ncolumn, struct trod_arena *mem);
void cli_table_blank(struct cli_table *table);
void cli_table_words(struct cli_table *table, const char *text);
void cli_table_name(struct cli_table *table, const char *name); /* quoted if need be */
void cli_table_file(struct cli_table *table, const char *name); /* only for blanks */
void cli_table_yes_no(struct cli_table *table, bool yes);
void cli_table_uint(struct cli_table *table, uint64_t value);
void cli_table_int(struct cli_table *table, int64_t value);
void cli_table_real(struct cli_table *table, double value);
void cli_table_share(
    struct cli_table *table, double value); /* of 1, shown in percent */

void cli_table_print(struct trod_sink *sink, const struct cli_table *table);
/* One cell by itself. */
void cli_cell_json(
    struct trod_json *json, const char *key, const struct cli_cell *cell);
void cli_table_json(struct trod_json *json, const struct cli_table *table);

/* The table in the form asked for; whose it is and what it shows is for people. */
void cli_table_put(struct cli *cli, const struct cli_table *table, const char *function,
    const char *what);

/* --- show.c, list.c, tally.c, model.c: answers ------------------------------------ */

const char *cli_show_hash(const struct trod_graph *graph, struct trod_arena *mem);

/* trod graph --show */
void cli_show(
    struct cli *cli, const struct trod_graph *graph, const struct trod_view *view);

/* How many of so many paths are to be listed. */
uint64_t cli_list_most(const struct cli *cli, uint64_t npath);

/* The path with a Ball-Larus id as a trail, in the command's arena, and its sum. */
const char *cli_list_trail(
    int64_t *sum, struct cli *cli, const struct cli_numbered *numbered, trod_path id);

/* The paths of interest: a section of a document, with their sums as comments. */
void cli_list_interest(struct cli *cli, const struct cli_numbered *numbered);

/* trod number --list, --decode, --encode */
void cli_list_paths(struct cli *cli, const struct cli_numbered *numbered);
bool cli_list_decode(struct cli *cli, const struct cli_numbered *numbered);
bool cli_list_encode(struct cli *cli, const struct cli_numbered *numbered);

/* trod number --measure */
void cli_tally_measure(struct cli *cli, const struct cli_numbered *numbered);

/* trod probe --cost: all placements of a plan's numbering, or a plan that was read */
/* What each plan for what is wanted would cost. */
void cli_tally_choice(struct cli *cli, const struct trod_choice *choice);

void cli_tally_cost(
    struct cli *cli, const struct trod_plan *plan, const struct trod_loops *loops);

/* trod number --coding */
void cli_model(struct cli *cli, const struct cli_numbered *numbered);

/* --- own_file.c: what belongs to trod ---------------------------------------------- */

/* A file of this name beside the program, or where `make install` puts it. */
bool cli_own_file(struct cli *cli, char **out, const char *name);

/* --- draw.c: pictures ------------------------------------------------------------- */

void cli_draw_graph(struct cli *cli, const struct trod_view *view);
void cli_draw_numbering(struct cli *cli, const struct cli_numbered *numbered);
/* Of a plan that was read, numbered has no more than the loops. */
void cli_draw_plan(
    struct cli *cli, const struct trod_plan *plan, const struct cli_numbered *numbered);

/* Turn the DOT that was collected into SVG, if that is the form asked for. */
bool cli_draw_finish(struct cli *cli);

/* --- man.c, complete.c: help from the tables -------------------------------------- */

void cli_man_print(struct trod_sink *sink, const struct cli_command *command);
void cli_complete_bash(struct trod_sink *sink);

#endif
