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

/* Are there times to sort by?
 *
 * option: that needs them
 * name:   of the program, or of the file; NULL: of the profile's first module
 * fails:  TROD_E_MISMATCH
 */
bool cli_is_timed(struct cli *cli, const char *option,
    const struct trod_profile *profile, const char *name) TROD_MUST_CHECK;
/* The same, if rows are to be sorted by them. */
bool cli_report_can(struct cli *cli, const struct trod_profile *profile);

/* The report in the form asked for. */
void cli_report_put(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map);

/* --- cmd_top.c, top_*.c: what a program does while it runs --------------------------- */

/* What there is to see of some files, at some moment. */
struct cli_picture {
    struct trod_arena mem;
    struct trod_profile profile;
    struct trod_subpaths subpaths; /* if blocks were sampled */
    bool is_there;
    double at; /* seconds, of a clock that only goes forward */
};

/* Paths that were counted. The first: by what ran since the last look. */
enum cli_top_order {
    CLI_TOP_BY_RATE,
    CLI_TOP_BY_COUNT,
    CLI_TOP_BY_TIME,
    CLI_TOP_BY_FUNCTION
};

struct cli_top {
    struct cli *cli;
    struct cli_list file;
    uint32_t nprocess; /* the first so many files are of processes */
    uint64_t *process;
    struct cli_picture picture[2]; /* the last one that could be taken is kept */
    int now;
    struct trod_map map; /* of the modules that were there when it was read */
    uint64_t nmapped;    /* modules and functions that the map is of */
    bool has_map;
    bool sampled; /* rows are subpaths, otherwise paths */
    bool ended;   /* rows are of all that ran */
    struct trod_subpaths_options options;
    enum cli_top_order order;
    enum trod_report_group group;
};

/* A path, or a group of them. */
struct cli_top_path {
    const struct trod_row *row; /* counts are those before, and now */
    uint64_t more;              /* since then */
};

/* The rows of a picture. */
struct cli_top_rows {
    const struct cli_top *top;
    const char *head;
    size_t nall;   /* rows that there are */
    size_t *at, n; /* those that are shown, in order */
    /* subpaths: */
    struct trod_online_names names;
    struct trod_online_row *subpath;
    /* paths: */
    struct trod_report_options report;
    struct trod_rows rows;
    struct trod_times times; /* of what ran since then */
    struct cli_top_path *path;
    double seconds; /* since then; 0: since the beginning */
    double spread;  /* the variance of a count, divided by it */
    uint64_t total; /* what ran since then */
    uint64_t
        weight; /* what shares are of: the same, or its own time if that is the order */
    uint64_t
        vague; /* the weight of rows that are left out because their error is large */
    size_t nvague;
};

struct cli_top_kind {
    const char *word; /* the suffix of a file of rows */
    const char *(*rows_word)(const struct cli_top *top); /* what rows are */
    const char *keys;                                    /* with %s for the key f */
    bool (*build)(
        struct cli_top_rows *out, const struct cli_top *top, struct trod_arena *mem);
    void (*put)(struct trod_sink *sink, const struct cli_top_rows *rows, size_t i);
    void (*put_title)(struct trod_sink *sink, const struct cli_top_rows *rows);
    void (*put_order)(struct trod_sink *sink, const struct cli_top *top);
    void (*put_all)(struct trod_sink *sink, const struct cli_top_rows *rows);
    bool (*turn)(struct cli_top *top, int key); /* false: not a key of these rows */
};

extern const struct cli_top_kind cli_top_subpaths, cli_top_paths;
const struct cli_top_kind *cli_top_kind(const struct cli_top *top);

const char *cli_top_name(const struct cli_top *top); /* of the program */
double cli_top_now(void);

/* The rows of the current picture, in the arena.
 *
 * fails:  TROD_E_MISMATCH if what was profiled has changed since the last look
 */
bool cli_top_rows(struct cli_top_rows *out, const struct cli_top *top,
    struct trod_arena *mem) TROD_MUST_CHECK;
/* All n rows are shown. */
void cli_top_rows_all(struct cli_top_rows *out, size_t n, struct trod_arena *mem);

/* Members of the open object. */
void cli_top_paths_json(struct trod_json *json, const struct cli_top_rows *rows);

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
