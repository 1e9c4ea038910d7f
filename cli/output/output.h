/* output: what commands print: files that are replaced when they are complete, tables, the terminal.
 */
#ifndef TROD_CLI_OUTPUT_H
#define TROD_CLI_OUTPUT_H

#include <time.h>

#include "cli.h"

#include "child/child.h"

/* --- out.c: output, written when it is complete ----------------------------------------- */

/* Print a blank line, unless this is the beginning. */
void cli_out_gap(struct cli *cli);

/* Open the JSON object of the output, with the command and the version of its format. */
void cli_json_begin(struct cli *cli);

/* A comment line; nothing for NULL. */
void cli_out_comment(struct cli *cli, const char *text);

/* Write the collected output to its destination.
 *
 * fails:  TROD_E_SYSTEM; a regular file stays unchanged
 */
bool cli_out_write(struct cli *cli);

/* The same for a text, to a named file. */
bool cli_out_file(struct cli *cli, const char *path, const struct trod_string *text);

/* Fail if this error of errno is not 0. */
bool cli_out_check(struct cli *cli, const char *name, int error);

/* --- note_ending.c: how programs that were run ended ---------------------------------------- */

/* Note the status or signal of a program that failed. Its profile up to then is still reported. */
void cli_note_ending(
    struct cli *cli, const char *program, const struct trod_child *child);

/* --- terminal.c: terminal detection, colour, progress ---------------------------------------------- */

/* Is the output a terminal: not a file of -o, nor another program? */
bool cli_to_terminal(const struct cli *cli);

/* Should output be coloured: on a terminal, or according to --color? */
bool cli_wants_colour(const struct cli *cli);

/* Width from COLUMNS, the terminal, or 80 columns; colour by --color; counts by --exact. */
void cli_style(struct trod_style *out, const struct cli *cli);

/* Progress of a long operation. Not printed in the first seconds, nor without a terminal. */
struct cli_progress {
    const char *doing, *things; /* "merging", "files" */
    time_t start, said;
};

void cli_progress_begin(
    struct cli_progress *out, const char *doing, const char *things);

/* At most once a second. */
void cli_progress_report(
    struct cli_progress *progress, const struct cli *cli, uint32_t done, uint32_t of);

/* End the line, if anything was printed. */
void cli_progress_end(const struct cli_progress *progress, uint32_t done, uint32_t of);

/* --- print_table.c: rows and columns, as text or JSON ----------------------------------- */

/* Cells are added to the current row; a row is complete when its last column has one. */
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
void cli_table_file(
    struct cli_table *table, const char *name); /* quoted only for blanks */
void cli_table_yes_no(struct cli_table *table, bool yes);
void cli_table_uint(struct cli_table *table, uint64_t value);
void cli_table_int(struct cli_table *table, int64_t value);
void cli_table_real(struct cli_table *table, double value);
void cli_table_share(
    struct cli_table *table, double value); /* of 1, shown in percent */

void cli_table_print(struct trod_sink *sink, const struct cli_table *table);
/* A single cell. */
void cli_cell_json(
    struct trod_json *json, const char *key, const struct cli_cell *cell);
void cli_table_json(struct trod_json *json, const struct cli_table *table);

/* Print the table in the requested form; the function and the description are for text only. */
void cli_table_put(struct cli *cli, const struct cli_table *table, const char *function,
    const char *what);

#endif
