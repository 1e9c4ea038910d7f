#include "cli.h"

#include <stdio.h>
#include <string.h>

/* A key means the same in every command. */
enum {
    KEY_JSON = 256,
    KEY_DOT,
    KEY_SVG,
    KEY_CHECK,
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
    KEY_TEST,
    KEY_FIELD,
    KEY_KEEP,
    KEY_WITH_WPP,
    KEY_TELL,
    KEY_GRAMMAR,
    KEY_MAN,
    KEY_COMPLETION
};

/* --- words ------------------------------------------------------------------------ */

static const struct argp_option kind_words[] = {
    {"ballarus", 0, 0, OPTION_DOC, "every path has an id of its own (default)", 0},
    {"selective", 0, 0, OPTION_DOC,
        "paths of interest have sums that no other path has, with few probes", 0},
    {"selective-published", 0, 0, OPTION_DOC,
        "the same as published, which is not always so", 0},
    {"selective-safe", 0, 0, OPTION_DOC,
        "the same without the phase that makes it unsafe", 0},
    {"preferential", 0, 0, OPTION_DOC,
        "paths of interest have ids of their own, as dense as can be found", 0},
    {"preferential-published", 0, 0, OPTION_DOC, "the same as published", 0},
    {"preferential-fit", 0, 0, OPTION_DOC,
        "the same, with ids in the holes that the published way leaves", 0},
    {"hash", 0, 0, OPTION_DOC,
        "Ball-Larus ids, and a perfect hash of those of interest", 0},
    {"length", 0, 0, OPTION_DOC, "how many blocks a path has", 0},
    {0},
};

static const struct argp_option show_words[] = {
    {"hash", 0, 0, OPTION_DOC, "what two graphs of the same shape share", 0},
    {"order", 0, 0, OPTION_DOC, "depth-first orders", 0},
    {"dom", 0, 0, OPTION_DOC, "immediate dominators", 0},
    {"pdom", 0, 0, OPTION_DOC, "immediate post-dominators", 0},
    {"loops", 0, 0, OPTION_DOC, "the loop nest", 0},
    {"back", 0, 0, OPTION_DOC, "edges that go back in the depth-first search", 0},
    {"cuts", 0, 0, OPTION_DOC, "edges that no path runs across, and why", 0},
    {"weights", 0, 0, OPTION_DOC, "how often edges are taken, given or estimated", 0},
    {"dag", 0, 0, OPTION_DOC, "the edges that paths are made of", 0},
    {"all", 0, 0, OPTION_DOC, "all of these", 0},
    {0},
};

static const struct argp_option place_words[] = {
    {"frontier", 0, 0, OPTION_DOC,
        "nothing where the path is certain, a spanning forest in between (default)", 0},
    {"tree", 0, 0, OPTION_DOC, "chords of a spanning tree, as Ball and Larus do", 0},
    {"plain", 0, 0, OPTION_DOC, "every value on its own edge", 0},
    {0},
};

static const struct argp_option want_words[] = {
    {"chosen", 0, 0, OPTION_DOC, "paths of interest, and no others", 0},
    {"residual", 0, 0, OPTION_DOC, "those, and each other path that runs", 0},
    {"untested", 0, 0, OPTION_DOC, "each path that runs and is not of interest", 0},
    {0},
};

static const struct argp_option plan_words[] = {
    {"all", 0, 0, OPTION_DOC, "a counter for each path", 0},
    {"selective", 0, 0, OPTION_DOC, "sums that no other path has", 0},
    {"preferential", 0, 0, OPTION_DOC, "dense ids, and the path's own beside them", 0},
    {"hash", 0, 0, OPTION_DOC, "slots by multiply-shift", 0},
    {"stray", 0, 0, OPTION_DOC, "told by whether the path left edges of interest", 0},
    {"mask", 0, 0, OPTION_DOC, "a bit for each path, in the code", 0},
    {"bits", 0, 0, OPTION_DOC, "a bit for each path, in memory", 0},
    {0},
};

static const struct argp_option sort_words[] = {
    {"count", 0, 0, OPTION_DOC, "what ran most often, or moved farthest (default)", 0},
    {"weight", 0, 0, OPTION_DOC,
        "the same with each path's count times its blocks: where the work is", 0},
    {"function", 0, 0, OPTION_DOC, "by name of the function", 0},
    {"file", 0, 0, OPTION_DOC, "by name of the file, then of the function", 0},
    {0},
};

static const struct argp_option group_words[] = {
    {"none", 0, 0, OPTION_DOC, "each path by itself (default)", 0},
    {"function", 0, 0, OPTION_DOC, "the paths of a function as one", 0},
    {"file", 0, 0, OPTION_DOC, "the paths of all functions in a file as one", 0},
    {0},
};

static const struct argp_option by_words[] = {
    {"paths", 0, 0, OPTION_DOC, "each next test adds most new paths (default)", 0},
    {"time", 0, 0, OPTION_DOC, "each next test adds most new paths a second", 0},
    {0},
};

static const struct argp_option cover_sort_words[] = {
    {"share", 0, 0, OPTION_DOC, "lowest share of paths first (default)", 0},
    {"left", 0, 0, OPTION_DOC, "most paths that did not run first", 0},
    {"function", 0, 0, OPTION_DOC, "by name of the function", 0},
    {"file", 0, 0, OPTION_DOC, "by name of the file, then of the function", 0},
    {0},
};

static const struct argp_option cover_group_words[] = {
    {"function", 0, 0, OPTION_DOC, "each function by itself (default)", 0},
    {"file", 0, 0, OPTION_DOC, "all functions in a file as one", 0},
    {"program", 0, 0, OPTION_DOC, "nothing but the sum of all", 0},
    {0},
};

static const struct argp_option shell_words[] = {
    {"bash", 0, 0, OPTION_DOC, "the Bourne-again shell", 0},
    {0},
};

/* --- what each option does -------------------------------------------------------- */

static const struct setting {
    int key;
    enum { FLAG, VALUE, TEXT, LIST, COUNT, WORD, PICKS } store;
    size_t field; /* in struct cli_options */
    int value;    /* VALUE; COUNT: if none is said */
    const struct argp_option *words;
} settings[] = {
#define FIELD(name) offsetof(struct cli_options, name)
    {'o', TEXT, FIELD(output), 0, NULL},
    {'f', TEXT, FIELD(function), 0, NULL},
    {KEY_JSON, VALUE, FIELD(form), CLI_JSON, NULL},
    {KEY_DOT, VALUE, FIELD(form), CLI_DOT, NULL},
    {KEY_SVG, VALUE, FIELD(form), CLI_SVG, NULL},
    {KEY_CHECK, FLAG, FIELD(check), 0, NULL},
    {'q', FLAG, FIELD(quiet), 0, NULL},
    {KEY_SHOW, PICKS, FIELD(show), 0, show_words},
    {'k', WORD, FIELD(kind), 0, kind_words},
    {'p', LIST, FIELD(path), 0, NULL},
    {KEY_PATHS, LIST, FIELD(path_file), 0, NULL},
    {KEY_LIMIT, COUNT, FIELD(limit), 0, NULL},
    {KEY_PACK, PICKS, FIELD(pack), 0, kind_words},
    {KEY_DECODE, LIST, FIELD(decode), 0, NULL},
    {KEY_ENCODE, LIST, FIELD(encode), 0, NULL},
    {KEY_LIST, FLAG, FIELD(list), 0, NULL},
    {KEY_MOST, COUNT, FIELD(most), 0, NULL},
    {KEY_MEASURE, FLAG, FIELD(measure), 0, NULL},
    {KEY_CODING, FLAG, FIELD(coding), 0, NULL},
    {KEY_EXACT, FLAG, FIELD(exact), 0, NULL},
    {KEY_PLACE, WORD, FIELD(place), 0, place_words},
    {KEY_NO_TRIPS, FLAG, FIELD(no_trips), 0, NULL},
    {KEY_COST, FLAG, FIELD(cost), 0, NULL},
    {KEY_WANT, WORD, FIELD(want), 0, want_words},
    {KEY_PLAN, WORD, FIELD(plan), 0, plan_words},
    {KEY_TEXT, FLAG, FIELD(as_text), 0, NULL},
    {KEY_KEEP_RUNS, FLAG, FIELD(keep_runs), 0, NULL},
    {KEY_BINARY, LIST, FIELD(binary), 0, NULL},
    {KEY_MAPS, LIST, FIELD(maps), 0, NULL},
    {KEY_STRIP, FLAG, FIELD(strip), 0, NULL},
    {KEY_BLOCKS, FLAG, FIELD(blocks), 0, NULL},
    {KEY_SORT, WORD, FIELD(sort), 0, sort_words},
    {KEY_GROUP, WORD, FIELD(group), 0, group_words},
    {KEY_FAILED, LIST, FIELD(failed), 0, NULL},
    {KEY_FIRST, FLAG, FIELD(first), 0, NULL},
    {KEY_BY, WORD, FIELD(by), 0, by_words},
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
    {KEY_COVER_SORT, WORD, FIELD(cover_sort), 0, cover_sort_words},
    {KEY_COVER_GROUP, WORD, FIELD(cover_group), 0, cover_group_words},
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
    {KEY_TELL, FLAG, FIELD(tell), 0, NULL},
    {KEY_GRAMMAR, FLAG, FIELD(grammar), 0, NULL},
    {KEY_MAN, FLAG, FIELD(man), 0, NULL},
    {KEY_COMPLETION, WORD, FIELD(completion), 0, shell_words},
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

    return setting ? setting->words : NULL;
}

bool cli_is_asked(const struct cli_options *o)
{
    return o->show.count || o->list || o->measure || o->coding || o->decode.count ||
           o->encode.count || o->cost;
}

const char *cli_kind_word(enum cli_kind kind)
{
    return kind_words[kind - 1].name;
}

/* The number of a word, from 1. */
static int take_word(const struct argp_option *words, const char *arg, size_t n,
    struct argp_state *state)
{
    for (int i = 0; words[i].name; i++)
        if (strlen(words[i].name) == n && memcmp(words[i].name, arg, n) == 0)
            return i + 1;
    argp_error(
        state, "'%.*s' is not a word known here; --help lists them", (int)n, arg);
    return 0;
}

static void take_picks(struct cli_picks *out, const struct argp_option *words,
    const char *arg, struct argp_state *state)
{
    for (const char *end; *arg; arg = end + (*end == ',')) {
        end = strchrnul(arg, ',');
        if (out->count == CLI_PICKS)
            argp_error(state, "'%s': too many words; name each once", arg);
        out->item[out->count++] = take_word(words, arg, (size_t)(end - arg), state);
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
        trod_reserve(&cli->mem, list->item, list->count, list->room);
        list->item[list->count++] = arg;
        break;
    case COUNT:
        if (!arg)
            *count = (uint64_t)setting->value;
        else if (!trod_text_uint(count, arg) || !*count)
            argp_error(state, "'%s' is not a whole number from 1 up", arg);
        break;
    case WORD:
        *(int *)field = take_word(setting->words, arg, strlen(arg), state);
        break;
    case PICKS:
        take_picks(field, setting->words, arg, state);
        break;
    }
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const struct setting *setting = setting_of(key);

    return setting ? store(setting, arg, state) : ARGP_ERR_UNKNOWN;
}

/* As a command's own parser, also hand the run down to the tables it shares. */
static error_t parse_command(int key, char *arg, struct argp_state *state)
{
    const struct cli *cli = state->input;
    const struct argp_child *child = cli->command->argp->children;

    if (key != ARGP_KEY_INIT)
        return parse(key, arg, state);
    for (int i = 0; child && child[i].argp; i++)
        state->child_inputs[i] = state->input;
    return 0;
}

void cli_options_parse(struct cli *cli, int argc, char **argv)
{
    static char name[32];

    snprintf(name, sizeof name, "trod %s", cli->command->name);
    argv[0] = name;
    argp_parse(cli->command->argp, argc, argv, 0, NULL, cli);
}

/* --- the tables: what options there are ------------------------------------------- */

static const struct argp_option common_options[] = {
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    {"function", 'f', "GLOB", 0, "take only functions whose names match GLOB", 0},
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {"dot", KEY_DOT, 0, 0, "draw, in the DOT language", 0},
    {"svg", KEY_SVG, 0, 0, "draw one function, as SVG (needs Graphviz)", 0},
    {"check", KEY_CHECK, 0, 0,
        "run the validators; where there are not too many paths, walk them all", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

static const struct argp_option number_options[] = {
    {"kind", 'k', "KIND", 0, "how to number", 0},
    {"path", 'p', "TRAIL", 0,
        "a path of interest, block by block: 's a t', or '> a b > a' from cut to cut, "
        "or '=ID'",
        0},
    {"paths", KEY_PATHS, "FILE", 0, "paths of interest: sections 'paths NAME'", 0},
    {"limit", KEY_LIMIT, "N", 0,
        "cut edges until there are at most N paths; paths of interest stay whole", 0},
    {0},
};

#define PARSED_BY_CHILD(options) {(options), parse, 0, 0, 0, 0, 0}
static const struct argp common_argp = PARSED_BY_CHILD(common_options);
static const struct argp number_argp = PARSED_BY_CHILD(number_options);
static const struct argp kind_argp = PARSED_BY_CHILD(kind_words);
static const struct argp show_argp = PARSED_BY_CHILD(show_words);
static const struct argp place_argp = PARSED_BY_CHILD(place_words);
static const struct argp want_argp = PARSED_BY_CHILD(want_words);
static const struct argp plan_argp = PARSED_BY_CHILD(plan_words);

#define FILES "[FILE...]"
#define DOCUMENT                                                                     \
    "Files are documents: any number of sections 'graph NAME', 'paths NAME', "       \
    "'numbering NAME KIND' and 'plan NAME PLACEMENT', in any order but that paths "  \
    "come after what they are paths of. Without a file, or for '-', standard input " \
    "is read."

static const struct argp_option graph_own[] = {
    {"show", KEY_SHOW, "LIST", 0, "print what is known of the graph instead", 0},
    {0},
};

static const struct argp_child graph_children[] = {
    {&show_argp, 0, "LIST is any of these, parted by commas:", 1},
    {&common_argp, 0, "For all commands:", 2},
    {0},
};

const struct argp cli_graph_argp = {
    graph_own,
    parse_command,
    FILES,
    "Read control-flow graphs, check them and print them: as text with one line for "
    "each block, as JSON, or as a picture with a box around each loop.\n\n" DOCUMENT
    "\vExamples:\n"
    "  trod graph loop.graph\n"
    "  trod graph --show=loops,dom loop.graph\n"
    "  trod graph --svg --function=main prog.graph -o main.svg\n",
    graph_children,
    0,
    0,
};

static const struct argp_option number_own[] = {
    {"list", KEY_LIST, 0, 0, "print the paths with their ids and sums instead", 0},
    {"most", KEY_MOST, "N", 0, "list at most N of them (1000)", 0},
    {"decode", KEY_DECODE, "ID", 0, "print the path with this Ball-Larus id instead",
        0},
    {"encode", KEY_ENCODE, "TRAIL", 0, "print the sum of this path instead: its id", 0},
    {"measure", KEY_MEASURE, 0, 0, "print how the kinds compare instead", 0},
    {"coding", KEY_CODING, 0, 0,
        "print the numberings as models of an arithmetic coder instead", 0},
    {"pack", KEY_PACK, "KIND,KIND", 0, "put two sums in one, low bits first", 0},
    {"exact", KEY_EXACT, 0, 0,
        "find the densest preferential numbering there is (few paths; takes long)", 0},
    {0},
};

static const struct argp_child number_children[] = {
    {&number_argp, 0, 0, 0},
    {&kind_argp, 0, "KIND is one of:", 1},
    {&common_argp, 0, "For all commands:", 2},
    {0},
};

const struct argp cli_number_argp = {
    number_own,
    parse_command,
    FILES,
    "Put values on the edges of graphs, so that the sum along a path says which path "
    "it was. Prints the graphs with these values, and the paths of interest with their "
    "sums.\n\n" DOCUMENT "\vExamples:\n"
    "  trod number --list diamond.graph\n"
    "  trod number --kind=preferential --path='s a t' diamond.graph\n"
    "  trod number --decode=1 diamond.graph\n"
    "  trod number --limit=1000000 prog.graph | trod probe\n",
    number_children,
    0,
    0,
};

static const struct argp_option probe_own[] = {
    {"place", KEY_PLACE, "PLACEMENT", 0, "where to put the operations", 0},
    {"no-trips", KEY_NO_TRIPS, 0, 0, "do not keep loops in trip counters", 0},
    {"cost", KEY_COST, 0, 0,
        "print what each placement costs instead, or with --want, each plan", 0},
    {"want", KEY_WANT, "WANT", 0,
        "plan as 'trod cc --paths' or '--tested' does: count only what is wanted", 0},
    {"plan", KEY_PLAN, "PLAN", 0, "with --want: this plan, not the cheapest", 0},
    {0},
};

static const struct argp_child probe_children[] = {
    {&number_argp, 0, 0, 0},
    {&place_argp, 0, "PLACEMENT is one of:", 1},
    {&kind_argp, 0, "KIND is one of:", 2},
    {&want_argp, 0, "WANT is one of:", 3},
    {&plan_argp, 0, "PLAN is one of:", 4},
    {&common_argp, 0, "For all commands:", 5},
    {0},
};

const struct argp cli_probe_argp = {
    probe_own,
    parse_command,
    FILES,
    "Plan what a program must do on which edge, so that the counter of each path it "
    "takes goes up by one. Graphs are numbered first, as 'trod number' does; numberings "
    "are taken as they are.\n\n" DOCUMENT "\vExamples:\n"
    "  trod probe loop.graph\n"
    "  trod probe --cost loop.graph\n"
    "  trod number --kind=selective --path='s a t' diamond.graph | trod probe --check\n"
    "  trod probe --want=untested --path='s a t' diamond.graph\n"
    "  trod probe --want=chosen --cost --path='s a t' diamond.graph\n",
    probe_children,
    0,
    0,
};

/* --- of profiles: rows that several of their commands have ------------------------- */

static const struct argp_option no_options[] = {{0}};

/* What is listed, in which order, and where names come from. */
static const struct argp_option telling_options[] = {
    {"function", 'f', "GLOB", 0, "take only functions whose names match GLOB", 0},
    {"sort", KEY_SORT, "ORDER", 0, "list by ORDER", 0},
    {"group", KEY_GROUP, "WHAT", 0, "put paths together", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (20)", 0},
    {"binary", KEY_BINARY, "FILE", 0,
        "take names and lines from this program, library or map, wherever it ran from",
        0},
    {"maps", KEY_MAPS, "FOLDER", 0,
        "look first for programs, libraries and maps in this folder, by build id", 0},
    {0},
};

/* In which form, and where to. */
static const struct argp_option printing_options[] = {
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

static const struct argp telling_argp = PARSED_BY_CHILD(telling_options);
static const struct argp sort_argp = PARSED_BY_CHILD(sort_words);
static const struct argp group_argp = PARSED_BY_CHILD(group_words);
static const struct argp printing_argp = PARSED_BY_CHILD(printing_options);

/* Commands that print what is in profiles. */
static const struct argp_child printing_children[] = {
    {&printing_argp, 0, 0, 0},
    {0},
};

/* Commands that tell it, with names. */
static const struct argp_child telling_children[] = {
    {&telling_argp, 0, 0, 0},
    {&printing_argp, 0, 0, 0},
    {&sort_argp, 0, "ORDER is one of:", 1},
    {&group_argp, 0, "WHAT is one of:", 2},
    {0},
};

#define PROFILES                                                                        \
    "Files are profiles: left by programs that ran, or are running; written by 'trod "  \
    "merge'; or in the text form of 'trod show'. Without a file, or for '-', standard " \
    "input is read."

const struct argp cli_show_argp = {
    no_options,
    parse_command,
    FILES,
    "Print profiles: how the programs ran, which paths of which functions, and how "
    "often. Functions and paths are told by hash and id; the names are in the "
    "binary. Of damaged files what can be saved is printed, and notes say what was "
    "lost.\n\n" PROFILES "\vExamples:\n"
    "  trod show app.trod\n"
    "  trod show --json app.trod\n",
    printing_children,
    0,
    0,
};

static const struct argp_option merge_own[] = {
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    {"keep-runs", KEY_KEEP_RUNS, 0, 0, "keep the counts of each run apart", 0},
    {"text", KEY_TEXT, 0, 0, "write the text form", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_merge_argp = {
    merge_own,
    parse_command,
    FILES,
    "Add up profiles and write one, in a compact form. In which order they come, and "
    "in how many steps, makes no difference. Profiles of one program in several "
    "builds, or of several programs, stay apart inside. What is damaged in a file and "
    "could not be saved is noted in the result.\n\n" PROFILES "\vExamples:\n"
    "  trod merge -o all.trod app.trod other.trod\n"
    "  trod merge --keep-runs app.trod other.trod | trod show\n",
    0,
    0,
    0,
};

const struct argp cli_check_argp = {
    no_options,
    parse_command,
    FILES,
    "Say of each profile what is in it and what is damaged. The status is 0 if all are "
    "sound, 1 if some are damaged and can be used as far as they go, 3 if some are no "
    "profiles.\n\n" PROFILES "\vExamples:\n"
    "  trod check app.trod\n",
    printing_children,
    0,
    0,
};

static const struct argp_option report_own[] = {
    {"list", KEY_LIST, 0, 0,
        "print the paths as a list instead, as 'trod list' and 'trod untested' take it",
        0},
    {"blocks", KEY_BLOCKS, 0, 0, "tell paths by their blocks, not by lines", 0},
    {0},
};

const struct argp cli_report_argp = {
    report_own,
    parse_command,
    FILES,
    "Print which paths ran most: their share of all that ran, the sum of shares so far, "
    "how often, and the way they went. 'entry' is the function's start, 'loop N' the "
    "start of a round of the loop at line N; 'N:T' and 'N:F' are decisions on line N; "
    "'return' and 'again' are where it ended. Names and lines are in the binaries, which "
    "are found where they ran. Shares are of all that ran, whatever is listed; with "
    "--sort=weight they are of the blocks that ran.\n\n" PROFILES "\vExamples:\n"
    "  trod report app.trod\n"
    "  trod report --most=5 --blocks app.trod\n"
    "  trod report --function='parse_*' --sort=weight app.trod\n"
    "  trod report --group=function --json app.trod\n"
    "  trod report --list --most=100 app.trod -o hot.list\n",

    telling_children,
    0,
    0,
};

const struct argp cli_diff_argp = {
    no_options,
    parse_command,
    "A B",
    "Compare two profiles: which paths appeared, vanished, or ran more or less often. "
    "Functions are the same if their names, graphs and cuts are; paths of a function that "
    "changed are not compared."
    "\vExamples:\n"
    "  trod diff app.trod other.trod\n"
    "  trod diff --json app.trod other.trod\n"
    "  trod diff --group=function --sort=weight app.trod other.trod\n",

    telling_children,
    0,
    0,
};

/* --- of sets of paths --------------------------------------------------------------- */

/* Which functions, and where names come from. */
static const struct argp_option naming_options[] = {
    {"function", 'f', "GLOB", 0, "take only functions whose names match GLOB", 0},
    {"binary", KEY_BINARY, "FILE", 0,
        "take names and lines from this program, library or map, wherever it ran from",
        0},
    {"maps", KEY_MAPS, "FOLDER", 0,
        "look first for programs, libraries and maps in this folder, by build id", 0},
    {0},
};

static const struct argp naming_argp = PARSED_BY_CHILD(naming_options);
static const struct argp cover_sort_argp = PARSED_BY_CHILD(cover_sort_words);
static const struct argp cover_group_argp = PARSED_BY_CHILD(cover_group_words);

static const struct argp_child naming_children[] = {
    {&naming_argp, 0, 0, 0},
    {&printing_argp, 0, 0, 0},
    {0},
};

static const struct argp_option list_own[] = {
    {"and", KEY_AND, "FILE", 0, "keep only paths that are in FILE, too", 0},
    {"minus", KEY_MINUS, "FILE", 0, "leave out paths that are in FILE", 0},
    {"partial", KEY_PARTIAL, 0, 0,
        "with --binary: leave out functions that the binary has differently, or not",
        0},
    {0},
};

const struct argp cli_list_argp = {
    list_own,
    parse_command,
    FILES,
    "Print sets of paths as a list: those that ran in profiles, those of other lists, "
    "put together, less others. A list tells of each function its name, hashes of name, "
    "graph and cuts, and its number of paths; of each path its id, and in a comment the "
    "way it goes. With --binary, the list is held against that program: functions that "
    "are not there, or are others, are named, and the status is 4.\n\n"
    "Files are profiles or lists. Without a file, or for '-', standard input is read."
    "\vExamples:\n"
    "  trod list app.trod -o ran.list\n"
    "  trod list --minus=other.trod app.trod\n"
    "  trod list --binary=app --partial app.trod\n",
    naming_children,
    0,
    0,
};

static const struct argp_option coverage_own[] = {
    {"missing", KEY_MISSING, "N", OPTION_ARG_OPTIONAL,
        "list paths that did not run instead, at most N (20): such as are one decision away "
        "from a path that did, those near hot paths first",
        0},
    {"min", KEY_MIN, "PERCENT", 0, "status 1 if a lower share of the paths ran", 0},
    {"min-edges", KEY_MIN_EDGES, "PERCENT", 0,
        "status 1 if a lower share of the edges ran", 0},
    {"min-blocks", KEY_MIN_BLOCKS, "PERCENT", 0,
        "status 1 if a lower share of the blocks ran", 0},
    {"sort", KEY_COVER_SORT, "ORDER", 0, "list by ORDER", 0},
    {"group", KEY_COVER_GROUP, "WHAT", 0, "put functions together", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (all)", 0},
    {0},
};

static const struct argp_child coverage_children[] = {
    {&naming_argp, 0, 0, 0},
    {&printing_argp, 0, 0, 0},
    {&cover_sort_argp, 0, "ORDER is one of:", 1},
    {&cover_group_argp, 0, "WHAT is one of:", 2},
    {0},
};

const struct argp cli_coverage_argp = {
    coverage_own,
    parse_command,
    FILES,
    "Print how many of the paths there are ran, of each function, file and of the "
    "program; and of the edges and blocks on them. Paths there are is what the graph "
    "allows, whether any input takes them or not; a '*' marks functions with so many that "
    "edges were cut ('trod cc --limit'). Functions that never ran are listed. With "
    "--function all sums are of the functions chosen.\n\n" PROFILES "\vExamples:\n"
    "  trod coverage app.trod\n"
    "  trod coverage --group=file --sort=left app.trod\n"
    "  trod coverage --missing=10 app.trod\n"
    "  trod coverage --group=program --min=40 --min-edges=80 app.trod\n",
    coverage_children,
    0,
    0,
};

static const struct argp_option untested_own[] = {
    {"tested", KEY_TESTED, "FILE", 0,
        "what the tests ran: a profile or a list, any number", 0},
    {"partial", KEY_PARTIAL, 0, 0,
        "compare the functions that agree, if the tests ran another build", 0},
    {"list", KEY_LIST, 0, 0, "print the untested paths as a list instead", 0},
    {"most", KEY_MOST, "N", 0, "print at most N paths (20)", 0},
    {0},
};

const struct argp cli_untested_argp = {
    untested_own,
    parse_command,
    "--tested=FILE [FIELD...]",
    "Print the paths that ran in the field and in no test: in how many of the runs, how "
    "often, and why they are new. 'no test took' names decisions that no tested path of "
    "the function has; 'no test took together' the smallest set found of decisions that "
    "are all tested, but never on one path. The status is 0 if there are none, 1 if there "
    "are some, 4 if the tests ran another build, whose functions are named.\n\n" PROFILES
    "\vExamples:\n"
    "  trod untested --tested=app.trod other.trod\n"
    "  trod untested --tested=app.trod --partial --json other.trod\n",
    naming_children,
    0,
    0,
};

static const struct argp_option residual_own[] = {
    {"build", KEY_BUILD, "COMMAND", 0,
        "builds the program anew, with $CC or $CXX for the compiler", 0},
    {"test", KEY_TEST, "COMMAND", 0, "runs the tests", 0},
    {"field", KEY_FIELD, "COMMAND", 0,
        "runs the program as the field does; then untested paths are printed", 0},
    {"depth", KEY_DEPTH, "K", 0, "let paths go into calls K deep (1), 8 at most", 0},
    {"with-wpp", KEY_WITH_WPP, 0, 0,
        "let stage 1 note whole program paths: only calls that were made in a row are "
        "gone into, and indirect ones, too",
        0},
    {"keep", KEY_KEEP, "FOLDER", 0,
        "put profiles and what commands print into FOLDER, and leave them there", 0},
    {"most", KEY_MOST, "N", 0, "print at most N paths (20)", 0},
    {0},
};

const struct argp cli_residual_argp = {
    residual_own,
    parse_command,
    "--build=COMMAND --test=COMMAND [--field=COMMAND]",
    "Make a build that tells which paths across calls run in the field and in no test. "
    "Stage 1 builds with 'trod cc --subpaths' and runs the tests: which calls are made? "
    "Stage 2 builds with --segments, so that paths go on into these, and runs the tests "
    "again: that is what is tested. Stage 3 builds what looks for anything else. With "
    "--field it is run, and what 'trod untested' says of it is printed; the status is 1 if "
    "there are untested paths.\n\n"
    "Commands are carried out by the shell. CC and CXX are set to 'trod cc' and 'trod c++'; "
    "a build that names its own compiler must be told, as by make CC=\"$CC\". Options of "
    "'trod cc' in TROD_CC_OPTIONS, one a line, hold for all stages. In a FOLDER that is "
    "kept, tests.trod is what was tested; later, 'trod untested --tested=FOLDER/tests.trod' "
    "tells of profiles from the field."
    "\vExamples:\n"
    "  trod residual --build='make -B CC=\"$CC\" tool' --test=./tool --keep=stages\n"
    "  trod residual --build='$CC -o tool tool.c' --test=./tool --field='./tool x'\n",
    printing_children,
    0,
    0,
};

static const struct argp_option share_own[] = {
    {"sites", KEY_SITES, "N", 0, "how many sites there are", 0},
    {"out", KEY_PREFIX, "PREFIX", 0,
        "write the lists, to PREFIX.1.list, PREFIX.2.list and so on; without it, only the "
        "table is printed",
        0},
    {"counts", KEY_COUNTS, "FILE", 0,
        "take from this profile, too, how often paths run; it adds none to the set", 0},
    {0},
};

const struct argp cli_share_argp = {
    share_own,
    parse_command,
    "--sites=N [--out=PREFIX] " FILES,
    "Share a set of paths among the sites that a program is deployed to: each path goes to "
    "one list, and 'trod cc --paths=LIST' makes the build that counts those of a site. "
    "Functions stay together, unless one costs more than a site should bear; then paths go "
    "together that are cheap to count together. Prints for each site how many probes it has, "
    "how many bytes of data, and how many operations the probes carry out; and the same for "
    "one build that counts the whole set, and for one that counts all paths.\n\n"
    "Files are profiles or lists; of a profile, functions with only one path are left out, as "
    "by 'trod cc --paths'. Without a file, or for '-', standard input is read. Operations are "
    "of what ran in the profiles; without any, they are estimated."
    "\vExamples:\n"
    "  trod share --sites=4 app.trod\n"
    "  trod share --sites=4 --out=site app.trod\n"
    "  trod share --sites=8 --binary=app --counts=app.trod other.trod\n",
    naming_children,
    0,
    0,
};

static const struct argp_option tests_own[] = {
    {"failed", KEY_FAILED, "FILE", 0,
        "the tests in this profile failed, those in others passed: rank the paths that "
        "predict failure; may be given several times",
        0},
    {"first", KEY_FIRST, 0, 0, "print for each path the first test that takes it", 0},
    {"by", KEY_BY, "WHAT", 0, "order tests by WHAT", 0},
    {"name", KEY_NAME, "FIELD", 0,
        "name tests by this field of their runs, such as 'argument' or 'directory', and "
        "not by their files; profiles of one name are one test",
        0},
    {"foreign", KEY_FOREIGN, 0, 0,
        "take tests of several builds, or of programs that share no function, together",
        0},
    {"blocks", KEY_BLOCKS, 0, 0, "tell paths by their blocks, not by lines", 0},
    {"function", 'f', "GLOB", 0, "take only functions whose names match GLOB", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (20; all in JSON)", 0},
    {"binary", KEY_BINARY, "FILE", 0,
        "take names and lines from this program, library or map, wherever it ran from",
        0},
    {"maps", KEY_MAPS, "FOLDER", 0,
        "look first for programs, libraries and maps in this folder, by build id", 0},
    {0},
};

static const struct argp by_argp = PARSED_BY_CHILD(by_words);

static const struct argp_child tests_children[] = {
    {&printing_argp, 0, 0, 0},
    {&by_argp, 0, "WHAT is one of:", 1},
    {0},
};

const struct argp cli_tests_argp = {
    tests_own,
    parse_command,
    "[--failed=FILE...] " FILES,
    "Compare the tests of a suite by the paths they take, from one profile for each test. "
    "Prints an order in which each next test adds most paths that none before it took, "
    "how many each takes, takes alone, and is the first to take in the order given; and "
    "which tests are redundant, because others take all their paths. With --failed, "
    "prints which paths the failing tests take and the passing ones do not, by how well "
    "they predict failure. A profile merged with --keep-runs has one test for each "
    "run.\n\n" PROFILES "\vExamples:\n"
    "  trod tests tests/*.trod\n"
    "  trod tests --by=time --most=50 tests/*.trod\n"
    "  trod tests --first --function='parse_*' tests/*.trod\n"
    "  trod tests --failed=bad.trod --failed=worse.trod tests/*.trod\n",
    tests_children,
    0,
    0,
};

static const struct argp_option grammar_own[] = {
    {"expand", KEY_EXPAND, 0, 0, "print the sequences instead", 0},
    {"most", KEY_MOST, "N", 0, "with --expand: at most N terminals of each", 0},
    {"sizes", KEY_SIZES, 0, 0, "print how large they are instead", 0},
    {"hot", KEY_HOT, "N", OPTION_ARG_OPTIONAL,
        "print the N rules (20) that stand for most of the sequence instead", 0},
    {"most-symbols", KEY_MOST_SYMBOLS, "N", 0,
        "hold at most N symbols: begin a new part when there are as many; --sizes tells "
        "what that costs",
        0},
    {"check", KEY_CHECK, 0, 0,
        "run the validator: no digram twice, each rule used twice or more", 0},
    {0},
};

const struct argp cli_grammar_argp = {
    grammar_own,
    parse_command,
    FILES,
    "Turn sequences of numbers into grammars that yield them, by Sequitur: what occurs "
    "twice becomes a rule. Prints the grammars, with R0 for the whole; what is read as a "
    "grammar stays as it is, unless --most-symbols makes it anew.\n\n"
    "Files have any number of sections: 'sequence NAME' and lines of numbers below 2^64, "
    "or 'grammar NAME' and a line 'R0: 5 R1 R1' for each rule. Without a file, or for "
    "'-', standard input is read."
    "\vExamples:\n"
    "  trod grammar steps.sequence\n"
    "  trod grammar steps.sequence | trod grammar --expand\n"
    "  trod grammar --hot=5 steps.sequence\n"
    "  trod grammar --sizes --most-symbols=1000 steps.sequence\n",
    printing_children,
    0,
    0,
};

/* Where what is recorded is told from. */
static const struct argp_option recorded_options[] = {
    {"binary", KEY_BINARY, "FILE", 0,
        "take graphs, names and lines from this program, library or map, wherever it ran "
        "from",
        0},
    {"maps", KEY_MAPS, "FOLDER", 0,
        "look first for programs, libraries and maps in this folder, by build id", 0},
    {0},
};

static const struct argp recorded_argp = PARSED_BY_CHILD(recorded_options);

static const struct argp_child recorded_children[] = {
    {&recorded_argp, 0, 0, 0},
    {&printing_argp, 0, 0, 0},
    {0},
};

static const struct argp_option wpp_own[] = {
    {"expand", KEY_EXPAND, 0, 0, "print the steps of each thread instead", 0},
    {"most", KEY_MOST, "N", 0, "with --expand: at most N steps of each", 0},
    {"grammar", KEY_GRAMMAR, 0, 0, "print the grammars instead", 0},
    {"hot", KEY_HOT, "N", OPTION_ARG_OPTIONAL,
        "print the N subpaths (20) with most blocks that ran instead, and for each thread "
        "the N rules that stand for most of what it did, in words",
        0},
    {0},
};

const struct argp cli_wpp_argp = {
    wpp_own,
    parse_command,
    FILES,
    "Print what threads did, step by step, as programs compiled by 'trod cc --wpp' record "
    "it: without options, how large that is. A thread has as many subpaths, which are one "
    "grammar, or several parts of one where a bound on its symbols was reached. Steps are "
    "'FUNCTION:ID' for a subpath, '(' for a call, ')' for a return, ')!' where a call did "
    "not return, and '[' and ']' around what nobody known called: a signal handler, a "
    "function called back. '( )' is a call of something that is not instrumented.\n\n"
    "Files are profiles of such programs, or have sections 'wpp NAME' with steps, which are "
    "printed as they are. Without a file, or for '-', standard input is read."
    "\vExamples:\n"
    "  trod wpp steps.trod\n"
    "  trod wpp --expand --most=100 steps.trod\n"
    "  trod wpp --hot=5 steps.trod\n"
    "  trod wpp --grammar --json steps.trod\n",
    recorded_children,
    0,
    0,
};

static const struct argp_option segments_own[] = {
    {"depth", KEY_DEPTH, "K", 0, "let segments span K calls (1)", 0},
    {"tell", KEY_TELL, 0, 0, "tell them in words, with lines, one call in the other",
        0},
    {"most", KEY_MOST, "N", 0, "print the N most frequent (all; with --tell, 20)", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    {0},
};

const struct argp cli_segments_argp = {
    segments_own,
    parse_command,
    FILES,
    "Print the inter-procedural path segments of whole program paths, and how often each "
    "is there. A segment begins with a subpath that ends at a call, goes into the call, "
    "and back if the function called returns without a round of a loop; it spans at most K "
    "calls.\n\n"
    "Files are profiles of programs compiled by 'trod cc --wpp', whose threads are added "
    "up, or by 'trod cc --segments', which count paths across calls; or have any number of "
    "sections 'wpp NAME', with steps 'FUNCTION:ID' for a subpath, '(' for a call and ')' "
    "for a return; or of sections 'segments NAME K', which are printed as they are. "
    "Without a file, or for '-', standard input is read."
    "\vExamples:\n"
    "  trod segments steps.trod -o hot.segments\n"
    "  trod segments --depth=2 --tell --most=5 steps.trod\n"
    "  trod segments --tell --binary=app hot.segments\n"
    "  trod segments --depth=2 --json thread.wpp\n",
    recorded_children,
    0,
    0,
};

static const struct argp_option super_own[] = {
    {"depth", KEY_DEPTH, "K", 0,
        "go K calls deep at most (as deep as segments may be; 1 for subpaths)", 0},
    {"limit", KEY_LIMIT, "N", 0,
        "cut edges until there are at most N paths; segments stay whole", 0},
    {"list", KEY_LIST, 0, 0,
        "print the paths as subpaths, calls and returns instead, and whether all their "
        "segments were given",
        0},
    {"most", KEY_MOST, "N", 0, "list at most N of them (1000)", 0},
    {0},
};

static const struct argp_child super_children[] = {
    {&common_argp, 0, "For all commands:", 1},
    {0},
};

const struct argp cli_super_argp = {
    super_own,
    parse_command,
    FILES,
    "Print functions with calls gone into as graphs: where a segment goes through a call, "
    "the graph of the function called is put in its place, so that the segment is a path of "
    "one graph. Prints, for each function that begins a segment, the calls gone into and the "
    "graph; and why others are not.\n\n"
    "Files have any number of sections: for each function 'numbering NAME ballarus' and, "
    "behind it, 'calls NAME'; and 'segments NAME K', as 'trod segments' prints them, 'paths "
    "NAME' with the subpaths of functions that ran, or 'super NAME', as this command prints "
    "it. Without a file, or for '-', standard input is read."
    "\vExamples:\n"
    "  trod super prog.functions prog.segments\n"
    "  trod super --list --function=main prog.functions prog.segments\n"
    "  trod super --svg --function=main prog.functions prog.segments -o main.svg\n",
    super_children,
    0,
    0,
};

static const struct argp_option split_own[] = {
    {"output", 'o', "FILE", 0,
        "write to FILE instead of PROGRAM.trodmap; in a folder, to BUILD-ID.trodmap",
        0},
    {"strip", KEY_STRIP, 0, 0, "then take the map out of PROGRAM (needs objcopy)", 0},
    {"text", KEY_TEXT, 0, 0, "print the map as text instead", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_split_argp = {
    split_own,
    parse_command,
    "PROGRAM",
    "Write the map of a program or library, which tells the names and lines of its paths, "
    "to a file of its own, compressed. With --strip the program that is handed out is without "
    "it, and counts as before; 'trod report' and 'trod diff' find the map beside the "
    "program, in a folder by --maps, or by --binary."
    "\vExamples:\n"
    "  trod split app\n"
    "  trod split --strip -o maps/ app\n"
    "  trod split --text app | head\n"
    "  trod report --maps=maps app.trod\n",
    0,
    0,
    0,
};

const struct argp cli_run_argp = {
    no_options,
    NULL,
    "[--] PROGRAM [ARGUMENT...]",
    "Run a program that 'trod cc' compiled, and report which paths it and its children "
    "took. The profiles are not kept."
    "\vExamples:\n"
    "  trod run ./app\n",
    0,
    0,
    0,
};

/* For help alone: the rest of the command line is the compiler's. */
static const struct argp_option cc_own[] = {
    {"--at=WHERE", 0, 0, OPTION_DOC,
        "source: paths of the source, before inlining (default); code: paths of the "
        "optimised code",
        0},
    {"--limit=N", 0, 0, OPTION_DOC,
        "cut functions with more than N paths (65536); cuts are named in the map", 0},
    {"--rounds=K", 0, 0, OPTION_DOC,
        "count each path together with up to K-1 before it in the same call, K from 2 to "
        "8: which round of a loop follows which",
        0},
    {"--left=no", 0, 0, OPTION_DOC,
        "do not count how often functions are left in the middle, by longjmp, exceptions "
        "or exit; a little cheaper",
        0},
    {"--only=GLOB", 0, 0, OPTION_DOC, "count only functions whose names match", 0},
    {"--skip=GLOB", 0, 0, OPTION_DOC, "do not count functions whose names match", 0},
    {"--paths=FILE", 0, 0, OPTION_DOC,
        "count only these paths, of a path list or a profile; may be repeated. Of a "
        "profile, functions with only one path are left out",
        0},
    {"--tested=FILE", 0, 0, OPTION_DOC,
        "look for paths that are not among these, of a profile of the tests or a path "
        "list; may be repeated. Tested paths are counted too, but functions in which "
        "every path is tested are left alone",
        0},
    {"--untested-only", 0, 0, OPTION_DOC,
        "with --tested: do not count tested paths; the cheapest", 0},
    {"--partial", 0, 0, OPTION_DOC,
        "with --paths or --tested: go on where functions are not as they were; without "
        "it, they are named, and the status is 4",
        0},
    {"--plan=PLAN", 0, 0, OPTION_DOC,
        "with --paths or --tested: how paths are told apart: auto (default), all, "
        "selective, preferential or hash",
        0},
    {"--explain", 0, 0, OPTION_DOC,
        "with --paths, --tested, --segments or --rounds: say which plan each function got, and why",
        0},
    {"--wpp", 0, 0, OPTION_DOC,
        "note what each thread does, step by step, as a grammar: 'trod wpp'", 0},
    {"--subpaths", 0, 0, OPTION_DOC,
        "count paths that end at calls, too: the steps of --wpp without their order",
        0},
    {"--segments=FILE", 0, 0, OPTION_DOC,
        "count paths across calls that are made of these segments, of 'trod segments'; or "
        "all across the calls in a profile of --subpaths, which may be repeated. With "
        "--tested, look for others",
        0},
    {"--depth=K", 0, 0, OPTION_DOC,
        "with --segments=PROFILE: go into calls K deep (1), 8 at most", 0},
    {"--others", 0, 0, OPTION_DOC,
        "with --segments: count paths that have other segments, too", 0},
    {"--code-limit=N", 0, 0, OPTION_DOC,
        "with --segments: calls gone into add N instructions to a function at most "
        "(2000); beyond that, copies are shared, which is slower",
        0},
    {"--out=PATTERN", 0, 0, OPTION_DOC,
        "where the program leaves its profile: %p process id, %e program, %h host, %m "
        "image, %t time; the environment's TROD_OUT goes before it",
        0},
    {0},
};

const struct argp cli_cc_argp = {
    cc_own,
    NULL,
    "[--OPTION=VALUE...] COMPILER-ARGUMENT...",
    "Compile and link as clang 19 does, so that the program counts which paths it "
    "takes. Options of trod stand before all others; everything else is the "
    "compiler's. 'trod cc' can take the place of the C compiler in any build, 'trod "
    "c++' that of the C++ compiler.\n\nThe program leaves NAME.PID.trod in the "
    "directory it starts in, intact whatever ends it."
    "\vExamples:\n"
    "  trod cc -O2 -g -o app app.c\n"
    "  make CC='trod cc'\n"
    "  trod cc --only='parse_*' -O2 -g -o app app.c\n"
    "  trod cc --rounds=2 -O2 -g -o app app.c\n"
    "  trod cc --paths=hot.list -O2 -g -o app app.c\n"
    "  trod cc --tested=tests.trod --untested-only -O2 -g -o app app.c\n"
    "  trod cc --wpp -O2 -g -o app app.c\n"
    "  trod cc --segments=hot.segments -O2 -g -o app app.c\n",
    0,
    0,
    0,
};

static const struct argp_option help_own[] = {
    {"man", KEY_MAN, 0, 0, "print the manual page", 0},
    {"completion", KEY_COMPLETION, "SHELL", 0, "print completion for bash", 0},
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    {0},
};

const struct argp cli_help_argp = {
    help_own,
    parse_command,
    "[COMMAND]",
    "Print help on a command, or on all of them."
    "\vExamples:\n"
    "  trod help number\n"
    "  trod help --man number | man -l -\n"
    "  trod help --completion=bash >~/.local/share/bash-completion/completions/trod\n",
    0,
    0,
    0,
};
