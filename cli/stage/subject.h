/* subject: functions of the documents that stages read, their numberings, and what is printed of them.
 */
#ifndef TROD_CLI_SUBJECT_H
#define TROD_CLI_SUBJECT_H

#include "cli.h"

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

/* --- show.c, list.c, tally.c, model.c: answers ------------------------------------ */

const char *cli_show_hash(const struct trod_graph *graph, struct trod_arena *mem);

/* trod stage graph --show */
void cli_show(
    struct cli *cli, const struct trod_graph *graph, const struct trod_view *view);

/* How many of so many paths are to be listed. */
uint64_t cli_list_most(const struct cli *cli, uint64_t npath);

/* The path with a Ball-Larus id as a trail, in the command's arena, and its sum. */
const char *cli_list_trail(
    int64_t *sum, struct cli *cli, const struct cli_numbered *numbered, trod_path id);

/* The paths of interest: a section of a document, with their sums as comments. */
void cli_list_interest(struct cli *cli, const struct cli_numbered *numbered);

/* trod stage number --list, --decode, --encode */
void cli_list_paths(struct cli *cli, const struct cli_numbered *numbered);
bool cli_list_decode(struct cli *cli, const struct cli_numbered *numbered);
bool cli_list_encode(struct cli *cli, const struct cli_numbered *numbered);

/* trod stage number --measure */
void cli_tally_measure(struct cli *cli, const struct cli_numbered *numbered);

/* trod stage probe --cost: all placements of a plan's numbering, or a plan that was read */
/* What each plan for what is wanted would cost. */
void cli_tally_choice(struct cli *cli, const struct trod_choice *choice);

void cli_tally_cost(
    struct cli *cli, const struct trod_plan *plan, const struct trod_loops *loops);

/* trod stage number --coding */
void cli_model(struct cli *cli, const struct cli_numbered *numbered);

/* --- draw.c: pictures ------------------------------------------------------------- */

void cli_draw_graph(struct cli *cli, const struct trod_view *view);
void cli_draw_numbering(struct cli *cli, const struct cli_numbered *numbered);
/* Of a plan that was read, numbered has no more than the loops. */
void cli_draw_plan(
    struct cli *cli, const struct trod_plan *plan, const struct cli_numbered *numbered);

/* Turn the DOT that was collected into SVG, if that is the form asked for. */
bool cli_draw_finish(struct cli *cli);

#endif
