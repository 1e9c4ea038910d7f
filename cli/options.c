#include "option_tables.h"
#include "sample/subpaths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- words ------------------------------------------------------------------------ */

const struct argp_option cli_kind_words[] = {
    {"ballarus", 0, 0, OPTION_DOC, "a unique id for every path (default)", 0},
    {"selective", 0, 0, OPTION_DOC, "unique sums for the chosen paths, with few probes",
        0},
    {"selective-published", 0, 0, OPTION_DOC,
        "selective as published; sums are not always unique", 0},
    {"selective-safe", 0, 0, OPTION_DOC,
        "selective as published, without the unsound phase", 0},
    {"preferential", 0, 0, OPTION_DOC,
        "unique ids for the chosen paths, as dense as can be found", 0},
    {"preferential-published", 0, 0, OPTION_DOC, "preferential as published", 0},
    {"preferential-fit", 0, 0, OPTION_DOC,
        "preferential as published, with the gaps between ids filled", 0},
    {"hash", 0, 0, OPTION_DOC,
        "Ball-Larus ids, with a perfect hash for the chosen paths", 0},
    {"length", 0, 0, OPTION_DOC, "the number of blocks of a path", 0},
    {0},
};

const struct argp_option cli_show_words[] = {
    {"hash", 0, 0, OPTION_DOC, "the hash of the graph's shape", 0},
    {"order", 0, 0, OPTION_DOC, "depth-first orders", 0},
    {"dom", 0, 0, OPTION_DOC, "immediate dominators", 0},
    {"pdom", 0, 0, OPTION_DOC, "immediate post-dominators", 0},
    {"loops", 0, 0, OPTION_DOC, "the loop nest", 0},
    {"back", 0, 0, OPTION_DOC, "retreating edges of the depth-first search", 0},
    {"cuts", 0, 0, OPTION_DOC, "edges at which paths are cut, with the reason", 0},
    {"weights", 0, 0, OPTION_DOC, "edge frequencies, given or estimated", 0},
    {"dag", 0, 0, OPTION_DOC, "the edges of the acyclic graph", 0},
    {"all", 0, 0, OPTION_DOC, "all of these", 0},
    {0},
};

const struct argp_option cli_place_words[] = {
    {"frontier", 0, 0, OPTION_DOC,
        "no probes where the path is already determined, a spanning forest elsewhere "
        "(default)",
        0},
    {"tree", 0, 0, OPTION_DOC, "chords of a spanning tree, as Ball and Larus do", 0},
    {"plain", 0, 0, OPTION_DOC, "each value on its own edge", 0},
    {0},
};

const struct argp_option cli_want_words[] = {
    {"chosen", 0, 0, OPTION_DOC, "the chosen paths only", 0},
    {"residual", 0, 0, OPTION_DOC,
        "the chosen paths, and a record of every other path that runs", 0},
    {"untested", 0, 0, OPTION_DOC,
        "a record of every path that runs and was not chosen", 0},
    {0},
};

const struct argp_option cli_plan_words[] = {
    {"all", 0, 0, OPTION_DOC, "a counter for each path", 0},
    {"selective", 0, 0, OPTION_DOC, "unique sums", 0},
    {"preferential", 0, 0, OPTION_DOC, "dense ids, beside the Ball-Larus ids", 0},
    {"hash", 0, 0, OPTION_DOC, "slots by multiply-shift", 0},
    {"stray", 0, 0, OPTION_DOC,
        "record a path when it leaves the edges of the chosen paths", 0},
    {"mask", 0, 0, OPTION_DOC, "a bit for each path, in the code", 0},
    {"bits", 0, 0, OPTION_DOC, "a bit for each path, in memory", 0},
    {0},
};

const struct argp_option cli_sort_words[] = {
    {"count", 0, 0, OPTION_DOC, "by count, or by change of count (default)", 0},
    {"weight", 0, 0, OPTION_DOC, "by count times blocks: the blocks executed", 0},
    {"function", 0, 0, OPTION_DOC, "by function name", 0},
    {"file", 0, 0, OPTION_DOC, "by file name, then by function name", 0},
    {"time", 0, 0, OPTION_DOC,
        "by own time, without callees, or by what it changed, for programs built with "
        "--burst=types=paths+time",
        0},
    {"page-faults", 0, 0, OPTION_DOC,
        "by page faults of the paths themselves, or by another metric that the program was "
        "built to count, with --burst=metrics=page-faults+cycles: cycles, instructions, "
        "cache-references, cache-misses, branches, branch-misses, bus-cycles, "
        "stalled-cycles-frontend, stalled-cycles-backend, ref-cycles, "
        "L1-dcache-load-misses, L1-icache-load-misses, LLC-load-misses, "
        "dTLB-load-misses, iTLB-load-misses, major-faults or context-switches",
        0},
#define METRIC(name) {name, 0, 0, OPTION_DOC | OPTION_HIDDEN, "by own " name, 0}
    METRIC("major-faults"),
    METRIC("context-switches"),
    METRIC("cycles"),
    METRIC("instructions"),
    METRIC("cache-references"),
    METRIC("cache-misses"),
    METRIC("branches"),
    METRIC("branch-misses"),
    METRIC("bus-cycles"),
    METRIC("stalled-cycles-frontend"),
    METRIC("stalled-cycles-backend"),
    METRIC("ref-cycles"),
    METRIC("L1-dcache-load-misses"),
    METRIC("L1-icache-load-misses"),
    METRIC("LLC-load-misses"),
    METRIC("dTLB-load-misses"),
    METRIC("iTLB-load-misses"),
    {0},
};

const struct argp_option cli_group_words[] = {
    {"none", 0, 0, OPTION_DOC, "one row per path (default)", 0},
    {"function", 0, 0, OPTION_DOC, "one row per function", 0},
    {"file", 0, 0, OPTION_DOC, "one row per file", 0},
    {"loop", 0, 0, OPTION_DOC,
        "one row per starting point: the function's entry, or a loop", 0},
    {0},
};

const struct argp_option cli_by_words[] = {
    {"paths", 0, 0, OPTION_DOC, "most new paths first (default)", 0},
    {"time", 0, 0, OPTION_DOC, "most new paths per second first", 0},
    {0},
};

const struct argp_option cli_cover_sort_words[] = {
    {"worth", 0, 0, OPTION_DOC,
        "first the functions that ran often and have many edges that did not run "
        "(default)",
        0},
    {"share", 0, 0, OPTION_DOC, "lowest path coverage first", 0},
    {"left", 0, 0, OPTION_DOC, "the most paths that did not run first", 0},
    {"function", 0, 0, OPTION_DOC, "by function name", 0},
    {"file", 0, 0, OPTION_DOC, "by file name, then by function name", 0},
    {0},
};

const struct argp_option cli_cover_group_words[] = {
    {"function", 0, 0, OPTION_DOC, "one row per function (default)", 0},
    {"file", 0, 0, OPTION_DOC, "one row per file", 0},
    {"program", 0, 0, OPTION_DOC, "the total only", 0},
    {0},
};

const struct argp_option cli_identity_words[] = {
    {"rotation", 0, 0, OPTION_DOC,
        "equal up to rotation: a loop is one sequence, wherever it starts (default)",
        0},
    {"sequence", 0, 0, OPTION_DOC, "the same blocks in the same order", 0},
    {"xor", 0, 0, OPTION_DOC,
        "the same length and the same exclusive or of block numbers", 0},
    {0},
};

/* The order of enum trod_online_sort; then words of paths only. */
const struct argp_option cli_top_sort_words[] = {
    {"count", 0, 0, OPTION_DOC,
        "by count since the beginning; block sequences also by their length (their default)",
        0},
    {"blocks", 0, 0, OPTION_DOC,
        "block sequences: by blocks executed, count times length", 0},
    {"length", 0, 0, OPTION_DOC, "block sequences: the longest first", 0},
    {"function", 0, 0, OPTION_DOC, "by function name", 0},
    {"rate", 0, 0, OPTION_DOC,
        "paths: by what ran in the last interval (their default)", 0},
    {"time", 0, 0, OPTION_DOC,
        "paths: by own time in the last interval, for programs built with "
        "--burst=types=paths+time",
        0},
    {0},
};

const struct argp_option cli_burst_sort_words[] = {
    {"count", 0, 0, OPTION_DOC, "by count (default)", 0},
    {"mean", 0, 0, OPTION_DOC, "loops only: by mean number of iterations", 0},
    {"function", 0, 0, OPTION_DOC, "by function name", 0},
    {"file", 0, 0, OPTION_DOC, "by file name, then by function name", 0},
    {0},
};

const struct argp_option cli_member_words[] = {
    {"paths", 0, 0, OPTION_DOC, "paths of functions (default)", 0},
    {"functions", 0, 0, OPTION_DOC, "functions, by entries and loop iterations", 0},
    {"calls", 0, 0, OPTION_DOC, "call sites, by callee", 0},
    {"graph", 0, 0, OPTION_DOC, "calls, by caller and callee", 0},
    {"loops", 0, 0, OPTION_DOC, "loops, by iterations", 0},
    {"data", 0, 0, OPTION_DOC, "hot data streams, by heat", 0},
    {0},
};

const struct argp_option cli_stream_by_words[] = {
    {"object", 0, 0, OPTION_DOC, "they access the same object (default)", 0},
    {"address", 0, 0, OPTION_DOC, "they access the same byte of the same object", 0},
    {"field", 0, 0, OPTION_DOC,
        "they access the same byte of objects from the same allocation site", 0},
    {"site", 0, 0, OPTION_DOC, "they come from the same load or store instruction", 0},
    {0},
};

/* In the order of trod_explore_known. */
const struct argp_option cli_study_words[] = {
    {"parameters", 0, 0, OPTION_DOC,
        "which parameters of the hot path table and the machine matter (Plackett-Burman)",
        0},
    {"tables", 0, 0, OPTION_DOC,
        "size, associativity and index function of the table (full factorial)", 0},
    {"policies", 0, 0, OPTION_DOC,
        "replacement policies, by index function (full factorial)", 0},
    {"queue", 0, 0, OPTION_DOC, "the length of the branch queue (sweep)", 0},
    {"bursts", 0, 0, OPTION_DOC, "accuracy and cost of burst sampling (full factorial)",
        0},
    {0},
};

const struct argp_option cli_edit_profile_words[] = {
    {"methods", 0, 0, OPTION_DOC, "function entries and loop iterations", 0},
    {"calls", 0, 0, OPTION_DOC, "call sites, by callee", 0},
    {"streams", 0, 0, OPTION_DOC, "sequences of addresses loaded and stored", 0},
    {0},
};

const struct argp_option cli_period_words[] = {
    {"fixed", 0, 0, OPTION_DOC, "constant (default)", 0},
    {"prime", 0, 0, OPTION_DOC,
        "increased until the period plus the burst length is prime", 0},
    {"jitter", 0, 0, OPTION_DOC,
        "a new random value for each period, from half to one and a half times the given one",
        0},
    {0},
};

/* In the order of enum trod_impact_method. */
const struct argp_option cli_method_words[] = {
    {"none", 0, 0, OPTION_DOC, "treat everything as affected: reprofile all of it", 0},
    {"blind", 0, 0, OPTION_DOC, "treat only deleted constructs as affected", 0},
    {"hash", 0, 0, OPTION_DOC, "functions whose clang profile hash changed", 0},
    {"ba", 0, 0, OPTION_DOC,
        "changed functions, and everything that may run in a call from them or after them "
        "(Bohner and Arnold)",
        0},
    {"ag", 0, 0, OPTION_DOC, "changed functions only", 0},
    {"sl", 0, 0, OPTION_DOC,
        "statements that a change may reach through data or control flow (forward slice)",
        0},
    {"hybrid", 0, 0, OPTION_DOC,
        "sl if the changes are above --threshold, otherwise ag", 0},
    {"own", 0, 0, OPTION_DOC, "loops and functions that changed themselves (default)",
        0},
    {0},
};

const struct argp_option cli_colour_words[] = {
    {"auto", 0, 0, OPTION_DOC, "on a terminal, unless NO_COLOR is set (default)", 0},
    {"always", 0, 0, OPTION_DOC, "also to files and pipes", 0},
    {"never", 0, 0, OPTION_DOC, "no colours", 0},
    {0},
};

const struct argp_option cli_shell_words[] = {
    {"bash", 0, 0, OPTION_DOC, "the Bourne-again shell", 0},
    {"zsh", 0, 0, OPTION_DOC, "the Z shell", 0},
    {"fish", 0, 0, OPTION_DOC, "the friendly interactive shell", 0},
    {0},
};

/* --- effects of options ----------------------------------------------------------- */

static const struct setting {
    int key;
    enum { FLAG, VALUE, TEXT, LIST, COUNT, SIZE, WORD, PICKS } store;
    size_t field; /* in struct cli_options */
    int value;    /* VALUE: the value; COUNT: the default */
    const struct argp_option *words;
} settings[] = {
#define FIELD(name) offsetof(struct cli_options, name)
    {'o', TEXT, FIELD(output), 0, NULL},
    {'f', TEXT, FIELD(function), 0, NULL},
    {KEY_JSON, VALUE, FIELD(form), CLI_JSON, NULL},
    {KEY_DOT, VALUE, FIELD(form), CLI_DOT, NULL},
    {KEY_SVG, VALUE, FIELD(form), CLI_SVG, NULL},
    {KEY_CHECK, FLAG, FIELD(check), 0, NULL},
    {KEY_CHECK_CALLS, FLAG, FIELD(calls), 0, NULL},
    {'q', FLAG, FIELD(quiet), 0, NULL},
    {KEY_STRICT, FLAG, FIELD(strict), 0, NULL},
    {KEY_FORCE, FLAG, FIELD(force), 0, NULL},
    {KEY_MAX_EXPAND, SIZE, FIELD(max_expand), 0, NULL},
    {KEY_MAX_STEPS, COUNT, FIELD(max_steps), 0, NULL},
    {KEY_SHOW, PICKS, FIELD(show), 0, cli_show_words},
    {'k', WORD, FIELD(kind), 0, cli_kind_words},
    {'p', LIST, FIELD(path), 0, NULL},
    {KEY_PATHS, LIST, FIELD(path_file), 0, NULL},
    {KEY_LIMIT, COUNT, FIELD(limit), 0, NULL},
    {KEY_PACK, PICKS, FIELD(pack), 0, cli_kind_words},
    {KEY_DECODE, LIST, FIELD(decode), 0, NULL},
    {KEY_ENCODE, LIST, FIELD(encode), 0, NULL},
    {KEY_LIST, FLAG, FIELD(list), 0, NULL},
    {KEY_MOST, COUNT, FIELD(most), 0, NULL},
    {KEY_MEASURE, FLAG, FIELD(measure), 0, NULL},
    {KEY_CODING, FLAG, FIELD(coding), 0, NULL},
    {KEY_EXACT, FLAG, FIELD(exact), 0, NULL},
    {KEY_PLACE, WORD, FIELD(place), 0, cli_place_words},
    {KEY_NO_TRIPS, FLAG, FIELD(no_trips), 0, NULL},
    {KEY_COST, FLAG, FIELD(cost), 0, NULL},
    {KEY_WANT, WORD, FIELD(want), 0, cli_want_words},
    {KEY_PLAN, WORD, FIELD(plan), 0, cli_plan_words},
    {KEY_TEXT, FLAG, FIELD(as_text), 0, NULL},
    {KEY_KEEP_RUNS, FLAG, FIELD(keep_runs), 0, NULL},
    {KEY_BY_COUNTS, FLAG, FIELD(by_counts), 0, NULL},
    {KEY_BINARY, LIST, FIELD(binary), 0, NULL},
    {KEY_MAPS, LIST, FIELD(maps), 0, NULL},
    {KEY_STRIP, FLAG, FIELD(strip), 0, NULL},
    {KEY_BLOCKS, FLAG, FIELD(blocks), 0, NULL},
    {KEY_SORT, WORD, FIELD(sort), 0, cli_sort_words},
    {KEY_GROUP, WORD, FIELD(group), 0, cli_group_words},
    {KEY_FAILED, LIST, FIELD(failed), 0, NULL},
    {KEY_FIRST, FLAG, FIELD(first), 0, NULL},
    {KEY_BY, WORD, FIELD(by), 0, cli_by_words},
    {KEY_NAME, TEXT, FIELD(name_field), 0, NULL},
    {KEY_FOREIGN, FLAG, FIELD(foreign), 0, NULL},
    {KEY_MINUS, LIST, FIELD(minus), 0, NULL},
    {KEY_AND, LIST, FIELD(both), 0, NULL},
    {KEY_TESTED, LIST, FIELD(tested), 0, NULL},
    {KEY_PARTIAL, FLAG, FIELD(partial), 0, NULL},
    {KEY_MISSING, COUNT, FIELD(missing), TROD_REPORT_MOST, NULL},
    {KEY_MIN, TEXT, FIELD(min), 0, NULL},
    {KEY_MIN_EDGES, TEXT, FIELD(min_edges), 0, NULL},
    {KEY_MIN_BLOCKS, TEXT, FIELD(min_blocks), 0, NULL},
    {KEY_COVER_SORT, WORD, FIELD(cover_sort), 0, cli_cover_sort_words},
    {KEY_COVER_GROUP, WORD, FIELD(cover_group), 0, cli_cover_group_words},
    {KEY_SITES, COUNT, FIELD(sites), 0, NULL},
    {KEY_PREFIX, TEXT, FIELD(prefix), 0, NULL},
    {KEY_COUNTS, LIST, FIELD(counts), 0, NULL},
    {KEY_EXPAND, FLAG, FIELD(expand), 0, NULL},
    {KEY_SIZES, FLAG, FIELD(sizes), 0, NULL},
    {KEY_HOT, COUNT, FIELD(hot), TROD_REPORT_MOST, NULL},
    {KEY_MOST_SYMBOLS, COUNT, FIELD(most_symbols), 0, NULL},
    {KEY_DEPTH, COUNT, FIELD(depth), 0, NULL},
    {KEY_BUILD, TEXT, FIELD(build), 0, NULL},
    {KEY_TEST, TEXT, FIELD(test), 0, NULL},
    {KEY_FIELD, TEXT, FIELD(field), 0, NULL},
    {KEY_KEEP, TEXT, FIELD(keep), 0, NULL},
    {KEY_WITH_WPP, FLAG, FIELD(with_wpp), 0, NULL},
    {KEY_NAMES, FLAG, FIELD(names), 0, NULL},
    {KEY_GRAMMAR, FLAG, FIELD(grammar), 0, NULL},
    {KEY_WEIGHT, TEXT, FIELD(weight), 0, NULL},
    {KEY_CONFIDENCE, TEXT, FIELD(confidence), 0, NULL},
    {KEY_ERROR, TEXT, FIELD(error), 0, NULL},
    {KEY_THRESHOLD, TEXT, FIELD(threshold), 0, NULL},
    {KEY_LENGTHS, TEXT, FIELD(lengths), 0, NULL},
    {KEY_IDENTITY, WORD, FIELD(identity), 0, cli_identity_words},
    {KEY_SAMPLE, TEXT, FIELD(sample), 0, NULL},
    {KEY_SEED, TEXT, FIELD(seed), 0, NULL},
    {KEY_MEMORY, TEXT, FIELD(memory), 0, NULL},
    {KEY_STOPS, LIST, FIELD(stops), 0, NULL},
    {KEY_INTERVAL, TEXT, FIELD(interval), 0, NULL},
    {KEY_ONCE, FLAG, FIELD(once), 0, NULL},
    {KEY_TOP_SORT, WORD, FIELD(top_sort), 0, cli_top_sort_words},
    {KEY_TOP, TEXT, FIELD(top), 0, NULL},
    {KEY_BURST_SORT, WORD, FIELD(burst_sort), 0, cli_burst_sort_words},
    {KEY_CALL_GRAPH, FLAG, FIELD(call_graph), 0, NULL},
    {KEY_MEMBERS, WORD, FIELD(members), 0, cli_member_words},
    {KEY_STREAM_BY, WORD, FIELD(stream_by), 0, cli_stream_by_words},
    {KEY_SHORTEST, COUNT, FIELD(shortest), 0, NULL},
    {KEY_LONGEST, COUNT, FIELD(longest), 0, NULL},
    {KEY_LEAST, TEXT, FIELD(least), 0, NULL},
    {KEY_REFS, FLAG, FIELD(refs), 0, NULL},
    {KEY_NO_STACK, FLAG, FIELD(no_stack), 0, NULL},
    {KEY_STUDY, WORD, FIELD(study), 0, cli_study_words},
    {KEY_DESIGNS, FLAG, FIELD(designs), 0, NULL},
    {KEY_CSV, FLAG, FIELD(csv), 0, NULL},
    {KEY_ORDER, COUNT, FIELD(order), 0, NULL},
    {KEY_PARAMETERS, FLAG, FIELD(parameters), 0, NULL},
    {KEY_CONTROL, TEXT, FIELD(control), 0, NULL},
    {KEY_SET, LIST, FIELD(set), 0, NULL},
    {KEY_TABLE, LIST, FIELD(table), 0, NULL},
    {KEY_WINDOW, COUNT, FIELD(window), 0, NULL},
    {KEY_PHASES, COUNT, FIELD(phases), 1000000, NULL},
    {KEY_SPREAD, FLAG, FIELD(spread), 0, NULL},
    {KEY_TRACE, FLAG, FIELD(as_trace), 0, NULL},
    {KEY_TRACE_FILE, TEXT, FIELD(trace_file), 0, NULL},
    {KEY_RAW_FILES, TEXT, FIELD(raw_files), 0, NULL},
    {KEY_EMULATOR, TEXT, FIELD(emulator), 0, NULL},
    {KEY_ACCESSES, FLAG, FIELD(accesses), 0, NULL},
    {KEY_FIRST_INSNS, COUNT, FIELD(first_insns), 0, NULL},
    {KEY_FROM, TEXT, FIELD(from), 0, NULL},
    {KEY_TO, TEXT, FIELD(to), 0, NULL},
    {KEY_MAP, TEXT, FIELD(map), 0, NULL},
    {KEY_ALSO, LIST, FIELD(also), 0, NULL},
    {KEY_PT, FLAG, FIELD(packets), 0, NULL},
    {KEY_IMAGE, LIST, FIELD(image), 0, NULL},
    {KEY_STACKS, COUNT, FIELD(stacks), 0, NULL},
    {KEY_MACHINE, TEXT, FIELD(machine), 0, NULL},
    {KEY_DESIGN, LIST, FIELD(design), 0, NULL},
    {KEY_PRODUCTIONS, LIST, FIELD(productions), 0, NULL},
    {KEY_EDIT_PROFILE, PICKS, FIELD(edit_profile), 0, cli_edit_profile_words},
    {KEY_BURST_LENGTH, COUNT, FIELD(burst_length), 0, NULL},
    {KEY_PERIOD, WORD, FIELD(period), 0, cli_period_words},
    {KEY_LITERAL, FLAG, FIELD(literal), 0, NULL},
    {KEY_EXHAUSTIVE, FLAG, FIELD(exhaustive), 0, NULL},
    {KEY_CPI, TEXT, FIELD(cpi), 0, NULL},
    {KEY_ADDRESSES, COUNT, FIELD(addresses), 0, NULL},
    {KEY_CHANGE_WEIGHT, LIST, FIELD(change_weight), 0, NULL},
    {KEY_ALIKE, TEXT, FIELD(alike), 0, NULL},
    {KEY_OLD, TEXT, FIELD(old), 0, NULL},
    {KEY_ROOT, TEXT, FIELD(root), 0, NULL},
    {KEY_NEW, TEXT, FIELD(new), 0, NULL},
    {KEY_TYPE, TEXT, FIELD(type), 0, NULL},
    {KEY_LEVEL, TEXT, FIELD(level), 0, NULL},
    {KEY_METHOD, WORD, FIELD(method), 0, cli_method_words},
    {KEY_CHECK_RUN, LIST, FIELD(check_run), 0, NULL},
    {KEY_NO_RERUN, FLAG, FIELD(no_rerun), 0, NULL},
    {KEY_FINISH, TEXT, FIELD(finish), 0, NULL},
    {KEY_SCORE, TEXT, FIELD(score), 0, NULL},
    {KEY_EXPLAIN, TEXT, FIELD(explain), 0, NULL},
    {KEY_FULL, LIST, FIELD(full), 0, NULL},
    {KEY_ALL_ENTRIES, FLAG, FIELD(all_entries), 0, NULL},
    {KEY_TIMES, TEXT, FIELD(times), 0, NULL},
    {KEY_WRONG, COUNT, FIELD(wrong), TROD_REPORT_MOST, NULL},
    {KEY_SPANS, FLAG, FIELD(spans), 0, NULL},
    {KEY_SELECTIVE, FLAG, FIELD(selective), 0, NULL},
    {KEY_OLD_SEQUENCE, TEXT, FIELD(old_sequence), 0, NULL},
    {KEY_MEANING, FLAG, FIELD(meaning), 0, NULL},
    {KEY_SOURCE, LIST, FIELD(source), 0, NULL},
    {KEY_SINCE, TEXT, FIELD(since), 0, NULL},
    {KEY_EDITOR, TEXT, FIELD(editor), 0, NULL},
    {KEY_ALL, FLAG, FIELD(all), 0, NULL},
    {KEY_LAYOUT, COUNT, FIELD(layout), 0, NULL},
    {KEY_NO_LAYOUT, FLAG, FIELD(no_layout), 0, NULL},
    {KEY_NO_COMPRESS, FLAG, FIELD(no_compress), 0, NULL},
    {KEY_ALL_PATHS, FLAG, FIELD(all_paths), 0, NULL},
    {KEY_TIME, FLAG, FIELD(time), 0, NULL},
    {KEY_ALL_SOURCES, FLAG, FIELD(all_sources), 0, NULL},
    {KEY_FILE_GLOB, TEXT, FIELD(file_glob), 0, NULL},
    {KEY_CONDITIONS, FLAG, FIELD(conditions), 0, NULL},
    {KEY_BRIEF, FLAG, FIELD(brief), 0, NULL},
    {KEY_COLOUR, WORD, FIELD(colour), 0, cli_colour_words},
    {KEY_ALL_CODE, FLAG, FIELD(all_code), 0, NULL},
    {KEY_DIRECTORY, TEXT, FIELD(directory), 0, NULL},
    {KEY_PROGRAM, TEXT, FIELD(program_glob), 0, NULL},
    {'v', FLAG, FIELD(verbose), 0, NULL},
    {KEY_FORMAT, WORD, FIELD(format), 0, cli_format_words},
    {KEY_MAN, FLAG, FIELD(man), 0, NULL},
    {KEY_COMMANDS, FLAG, FIELD(commands), 0, NULL},
    {KEY_COMPLETION, WORD, FIELD(completion), 0, cli_shell_words},
    {KEY_TURN_ON, FLAG, FIELD(turn_on), 0, NULL},
    {KEY_TURN_OFF, FLAG, FIELD(turn_off), 0, NULL},
    {KEY_RATE, LIST, FIELD(rate), 0, NULL},
    {KEY_BURST, LIST, FIELD(burst), 0, NULL},
    {KEY_TYPES, TEXT, FIELD(types), 0, NULL},
    {KEY_BUDGET, TEXT, FIELD(budget), 0, NULL},
    {KEY_RESET, FLAG, FIELD(reset), 0, NULL},
    {KEY_SNAPSHOT, LIST, FIELD(snapshot), 0, NULL},
    {ARGP_KEY_ARG, LIST, FIELD(file), 0, NULL},
#undef FIELD
};

static const struct setting *setting_of(int key)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i].key == key)
            return &settings[i];
    return NULL;
}

const struct argp_option *cli_words_of(int key)
{
    const struct setting *setting = setting_of(key);

    return setting ? setting->words : cli_cc_words_of(key);
}

bool cli_is_asked(const struct cli_options *o)
{
    return o->show.count || o->list || o->measure || o->coding || o->decode.count ||
           o->encode.count || o->cost;
}

const char *cli_kind_word(enum cli_kind kind)
{
    return cli_kind_words[kind - 1].name;
}

enum { MOST_OFFERED = 512 };

/* The name of the option with a key, in the tables of the command that runs. */
static const char *option_name(const struct argp_state *state, int key)
{
    const struct cli *cli = state->input;
    const struct argp *argp = cli->command->argp;
    const struct argp_option *option = argp->options;
    const struct argp_child *child = argp->children;

    for (;;) {
        for (; option && (option->name || option->key || option->doc); option++)
            if (option->key == key && option->name)
                return option->name;
        if (!child || !child->argp)
            return "?";
        option = child++->argp->options;
    }
}

/* Report an invalid word; names the nearest word and all valid ones. */
static void complain_of_word(
    const struct setting *setting, const char *arg, size_t n, struct argp_state *state)
{
    const struct argp_option *words = setting->words;
    const char *option = option_name(state, setting->key);
    char typed[MOST_OFFERED], all[MOST_OFFERED] = "";
    struct cli_nearest nearest = {.typed = typed};
    size_t used = 0;

    snprintf(typed, sizeof typed, "%.*s", (int)n, arg);
    for (int i = 0; words[i].name; i++) {
        cli_nearest_try(&nearest, words[i].name);
        if (used < sizeof all)
            used += (size_t)snprintf(
                all + used, sizeof all - used, "%s%s", i ? ", " : "", words[i].name);
    }
    if (nearest.word)
        argp_error(state,
            "invalid value '%s' for --%s; did you mean '%s'? Expected one of: %s",
            typed, option, nearest.word, all);
    argp_error(
        state, "invalid value '%s' for --%s; expected one of: %s", typed, option, all);
}

/* The index of a word, from 1. */
static int take_word(
    const struct setting *setting, const char *arg, size_t n, struct argp_state *state)
{
    const struct argp_option *words = setting->words;

    for (int i = 0; words[i].name; i++)
        if (strlen(words[i].name) == n && memcmp(words[i].name, arg, n) == 0)
            return i + 1;
    complain_of_word(setting, arg, n, state);
    return 0;
}

static void take_picks(struct cli_picks *out, const struct setting *setting,
    const char *arg, struct argp_state *state)
{
    for (const char *end; *arg; arg = end + (*end == ',')) {
        end = strchrnul(arg, ',');
        if (out->count == CLI_PICKS)
            argp_error(state, "'%s': too many values; give each once", arg);
        out->item[out->count++] = take_word(setting, arg, (size_t)(end - arg), state);
    }
}

static error_t store(const struct setting *setting, char *arg, struct argp_state *state)
{
    struct cli *cli = state->input;
    void *field = (char *)&cli->options + setting->field;
    struct cli_list *list = field;
    uint64_t *count = field;

    switch (setting->store) {
    case FLAG:
        *(bool *)field = true;
        break;
    case VALUE:
        *(int *)field = setting->value;
        break;
    case TEXT:
        *(const char **)field = arg;
        break;
    case LIST:
        trod_push(&cli->mem, list->item, list->count, list->room, arg);
        break;
    case COUNT:
        if (!arg)
            *count = (uint64_t)setting->value;
        else if (!trod_text_uint(count, arg) || !*count)
            argp_error(state, "'%s' is not a positive whole number", arg);
        break;
    case SIZE:
        if (!cli_parse_size(count, arg, arg + strlen(arg)) || !*count)
            argp_error(
                state, "'%s' is not a size; give bytes, such as 512m or 2g", arg);
        break;
    case WORD:
        *(int *)field = take_word(setting, arg, strlen(arg), state);
        break;
    case PICKS:
        take_picks(field, setting, arg, state);
        break;
    }
    return 0;
}

error_t cli_parse_option(int key, char *arg, struct argp_state *state)
{
    const struct setting *setting = setting_of(key);

    return setting ? store(setting, arg, state) : ARGP_ERR_UNKNOWN;
}

/* The parser of a command; it passes its input on to the shared tables. */
error_t cli_parse_command(int key, char *arg, struct argp_state *state)
{
    const struct cli *cli = state->input;
    const struct argp_child *child = cli->command->argp->children;

    if (key != ARGP_KEY_INIT)
        return cli_parse_option(key, arg, state);
    for (int i = 0; child && child[i].argp; i++)
        state->child_inputs[i] = state->input;
    return 0;
}

void cli_help_format(bool begin)
{
    static bool is_ours;

    if (begin)
        is_ours = !getenv("ARGP_HELP_FMT") &&
                  setenv("ARGP_HELP_FMT", "no-dup-args-note", 1) == 0;
    else if (is_ours)
        unsetenv("ARGP_HELP_FMT");
}

void cli_options_parse(struct cli *cli, int argc, char **argv)
{
    static char name[40];
    int first = 1;

    snprintf(name, sizeof name, "trod %s", cli->command->name);
    argv[0] = name;
    /* argp reorders the arguments, so the position of '--' must be found before. */
    for (; first < argc && strcmp(argv[first], "--") != 0; first++)
        if (strncmp(argv[first], "--", 2) == 0 && !cli_option_check(cli, argv[first])) {
            fprintf(stderr, "trod: %s\n", cli->err.text);
            exit(CLI_USAGE);
        }
    cli_help_format(true);
    argp_parse(cli->command->argp, argc, argv, 0, NULL, cli);
    cli_help_format(false);
    if (first + 1 < argc)
        cli->options.program = cli->options.file.count - (size_t)(argc - first - 1) + 1;
}
