#include "option_tables.h"

/* Options that several commands share. */

const struct argp_option cli_no_options[] = {{0}};

/* Format and destination. */
static const struct argp_option printing_options[] = {
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_printing_argp = PARSED_BY_CHILD(printing_options);

/* Commands that print the contents of profiles. */
const struct argp_child cli_printing_children[] = {
    {&cli_printing_argp, 0, 0, 0},
    {0},
};

/* Selection of functions, and sources of names. */
static const struct argp_option naming_options[] = {
    {"function", 'f', "GLOB", 0, "include only functions whose names match GLOB", 0},
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

const struct argp cli_naming_argp = PARSED_BY_CHILD(naming_options);

const struct argp_child cli_naming_children[] = {
    {&cli_naming_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {0},
};

/* Selection of functions and programs. */
static const struct argp_option choosing_options[] = {
    CHOSEN,
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

const struct argp cli_choosing_argp = PARSED_BY_CHILD(choosing_options);

const struct argp_child cli_choosing_children[] = {
    {&cli_choosing_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {0},
};

/* What is listed, its order, and sources of names. */
static const struct argp_option listing_options[] = {
    CHOSEN,
    {"sort", KEY_SORT, "ORDER", 0, "sort by ORDER", 0},
    {"group", KEY_GROUP, "WHAT", 0, "group paths", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (default: 20)", 0},
    {"brief", KEY_BRIEF, 0, 0, "print one line per path", 0},
    ALL_CODE,
    LOOKS,
    NAMES_FROM,
    SOURCES_FROM,
    NOT_SKIPPING,
    {0},
};

static const struct argp listing_argp = PARSED_BY_CHILD(listing_options);
static const struct argp sort_argp = PARSED_BY_CHILD(cli_sort_words);
static const struct argp group_argp = PARSED_BY_CHILD(cli_group_words);

const struct argp_child cli_listing_children[] = {
    {&listing_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {&sort_argp, 0, "ORDER is one of:", 1},
    {&group_argp, 0, "WHAT is one of:", 2},
    {0},
};

/* Commands that read and print the text form of stages. */
static const struct argp_option document_options[] = {
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    {"function", 'f', "GLOB", 0, "include only functions whose names match GLOB", 0},
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {"dot", KEY_DOT, 0, 0, "draw, in the DOT language", 0},
    {"svg", KEY_SVG, 0, 0, "draw one function, as SVG (needs Graphviz)", 0},
    {"check", KEY_CHECK, 0, 0,
        "run the validators; if there are few enough paths, enumerate them all", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_document_argp = PARSED_BY_CHILD(document_options);

/* Selection and ranking of block sequences. */
static const struct argp_option sequences_options[] = {
    {"function", 'f', "GLOB", 0,
        "include only block sequences with a block of a function whose name matches GLOB",
        0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (default: 20)", 0},
    {"weight", KEY_WEIGHT, "E", 0,
        "rank a sequence of n blocks by n^E times its count less one standard error "
        "(default: 0, by count alone)",
        0},
    {"confidence", KEY_CONFIDENCE, "P", 0,
        "print error bounds at P percent confidence (default: 95)", 0},
    {"error", KEY_ERROR, "P%", 0,
        "also print how many more samples each row needs for an error of at most P percent",
        0},
    {"threshold", KEY_THRESHOLD, "N", 0,
        "print only block sequences that ran N times or more, and mark those that certainly "
        "did; LOW..HIGH: leave out those that surely ran less than HIGH times, and mark those "
        "that surely ran more than LOW times",
        0},
    {"blocks", KEY_BLOCKS, 0, 0, "print block numbers instead of lines", 0},
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

const struct argp cli_sequences_argp = PARSED_BY_CHILD(sequences_options);
