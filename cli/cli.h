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
 *   ask       an option that prints an answer instead of the text form
 *   words     the list of valid arguments of an option, which
 *             --help prints
 *   note      a line on standard error that is not an error; -q silences it
 *   no        the negative answer of a check, status 1
 *
 * Output is collected and written at the end, so that a failure leaves no partial
 * output. A function that returns false has filled cli->err, and cli->exit if the
 * status is not that of the error.
 *
 * Memory: one arena for the command, one for its output; graph by graph, the first is
 * rewound to where the document was read.
 */
#ifndef TROD_CLI_H
#define TROD_CLI_H

#include "options.h"
#include "stages.h"

/* Validators run between stages in development builds. */
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

/* --- main.c: one run of one command ------------------------------------------------------ */

struct cli_command;

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
    bool unusable;   /* the last file is not a profile */
    struct cli_skips {
        uint32_t count, of;
    } skipped;                    /* number of unusable files, and of all files */
    struct cli_list others;       /* programs that --program does not name */
    bool any_program;             /* it names one that there is */
    struct cli_list source_roots; /* folders that sources may be read from */
    enum cli_exit exit;           /* if not 0: overrides err.code */
};

/* Print a note, unless --quiet. */
void cli_note(struct cli *cli, const char *format, ...) TROD_FORMAT(2, 3);

/* Fail with a usage error. */
bool cli_misused(struct cli *cli, const char *format, ...) TROD_FORMAT(2, 3);

/* Add a name. */
void cli_list_add(struct cli *cli, struct cli_list *to, const char *word);

#endif
