/* look: what reports, the page and `trod top` share.
 */
#ifndef TROD_CLI_LOOK_H
#define TROD_CLI_LOOK_H

#include "cli.h"
#include "input/input.h"

/* --- cmd_report.c ------------------------------------------------------------------------------------- */

/* How reports are to be made. */
void cli_report_options(struct trod_report_options *out, struct cli *cli);

/* Paths are shown with conditions unless --brief, --group or --json was said: open what that takes. */
void cli_report_text(struct trod_report_options *options, struct cli_text *text,
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map);

/* Are there times, if rows are to be sorted by them? */
bool cli_report_can(struct cli *cli, const struct trod_profile *profile);

/* The report in the form asked for. */
void cli_report_put(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map);

/* --- cmd_top.c, top_*.c: hot subpaths of a program that runs ------------------- */

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

/* top_control.c: keys that control the programs: 'o' on or off, '-' fewer samples, '+' more, 'r' reset. What was done, or why not,
 * as a message.
 */
void cli_top_control(struct cli_top *top, int key, char *message, size_t room);

/* Show it on the terminal until somebody has seen enough. */
bool cli_top_watch(struct cli_top *top, double interval);

/* --- html_layout.c: graphs of a page ------------------------------------------------------------- */

/* Lay out the graphs of all functions, the hottest first, as far as there is time. Notes of the page say which are not laid
 * out, and that dot is missing if it is.
 */
void cli_html_lay_out(struct trod_page *page, struct cli *cli);

#endif
