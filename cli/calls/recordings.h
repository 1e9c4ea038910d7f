/* recordings: profiles with recorded steps, and paths across calls.
 */
#ifndef TROD_CLI_RECORDINGS_H
#define TROD_CLI_RECORDINGS_H

#include "input/input.h"

#include "child/child.h"

/* --- recordings.c: profiles of programs that record their steps -------------------------------- */

struct cli_recorded {
    struct cli_recorded_one {
        const char *name; /* of the file */
        const struct trod_profile *profile;
    } *one;
    uint32_t count, room;
    struct trod_map map; /* of all */
    bool takes_counts;   /* counts of paths across calls are accepted, too */
    uint32_t ncounted;   /* profiles of such paths */
    uint64_t nstep;      /* processed so far, by cli_recorded_run */
};

/* Add the profiles of a file; *taken: it is a profile.
 *
 * fails:  TROD_E_MISMATCH when nothing was recorded, or some are recorded and some counted
 */
bool cli_recorded_take(
    struct cli_recorded *r, struct cli *cli, const struct cli_bytes *in, bool *taken);

/* The modules of all of them, each once, as a profile without counts. */
void cli_recorded_modules(
    struct trod_profile *out, const struct cli_recorded *r, struct cli *cli);

/* The maps of all of them, after all were added. */
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
 * are of `functions`; if it is NULL, no maps are needed, and threads have only what was
 * recorded. Notes dropped steps.
 */
bool cli_recorded_each(struct cli_recorded *r, struct cli *cli,
    struct trod_functions *functions, trod_step_taker take, void *ctx,
    bool (*fn)(struct cli *cli, const struct cli_recorded_thread *thread, void *ctx));

/* Process the steps of a thread, one by one. A small grammar may stand for any number of steps.
 *
 * fails:  TROD_E_LIMIT if those of all threads exceed --max-steps, before the first
 */
enum { CLI_STEPS = 1000000000 };
bool cli_recorded_run(struct cli *cli, const struct cli_recorded_thread *thread);

/* Dropped subpaths of all threads. */
uint64_t cli_recorded_given(const struct cli_recorded *r);

/* A name for all of them: the program. */
const char *cli_recorded_name(const struct cli_recorded *r);

/* --- segments_of.c: their segments -------------------------------------------------------------- */

/* The segments of all of them, recorded or counted; notes the number of segments cut short.
 *
 * needs:  cli_recorded_maps
 */
bool cli_recorded_segments(struct trod_segments *out, struct cli_recorded *recorded,
    struct cli *cli, uint64_t depth);

/* --- shell.c: commands of the user ------------------------------------------------------- */

/* Run a command by the shell; its output goes to a file. A signal that would end trod ends the
 * command, and this fails.
 */
bool cli_shell_run(
    struct cli *cli, struct trod_child *child, const char *command, const char *log);

/* The last lines of a file, to standard error. */
void cli_shell_tail(const char *log);

/* --- residual_sum.c: summary of 'trod calls residual' ---------------------------------- */

struct cli_residual {
    uint64_t depth;
    bool wpp, field;
    uint64_t nrun[3];       /* of each stage's programs */
    uint64_t nsubpath;      /* that ran; if wpp: segments */
    uint64_t nfunction_ran; /* functions that contain them */
    uint64_t nsite_gone;    /* call sites followed */
    uint64_t nsite_partly;  /* of these: not followed in all frames */
    uint64_t nsite_left;    /* never followed */
    struct cli_residual_reason {
        const char *why;
        uint64_t nsite;
    } *reason; /* most sites first; their sum is nsite_left */
    uint32_t nreason, room_reason;
    uint64_t ntested, ntested_across;
    uint64_t nuntested, nuntested_across;
};

/* Which calls are followed, and why others are not: from a map and its text. */
void cli_residual_sites(struct cli_residual *r, const struct trod_map *map,
    const struct trod_string *text, struct trod_arena *mem);

/* The number of these paths of a function that cross functions. */
uint64_t cli_residual_across(const struct trod_map *map,
    const struct trod_profile_function *function, const trod_path *id, size_t nid);

void cli_residual_put(struct cli *cli, const struct cli_residual *r);

#endif
