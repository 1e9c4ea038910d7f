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
 *   note      a line on standard error that is not an error; -q silences it
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

#include "options.h"
#include "stages.h"

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
    bool unusable;   /* the last file that was read is not a profile */
    struct cli_skips {
        uint32_t count, of;
    } skipped;                    /* files that could not be used, of so many */
    struct cli_list others;       /* programs that --program does not name */
    bool any_program;             /* it names one that there is */
    struct cli_list source_roots; /* folders that sources may be read from */
    enum cli_exit exit;           /* if not 0: instead of what err.code says */
};

/* Print a note, unless it is not wanted. */
void cli_note(struct cli *cli, const char *format, ...) TROD_FORMAT(2, 3);

/* Fail as one who was called wrongly. */
bool cli_misused(struct cli *cli, const char *format, ...) TROD_FORMAT(2, 3);

/* One more name. */
void cli_list_add(struct cli *cli, struct cli_list *to, const char *word);

#endif
