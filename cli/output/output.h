/* output: what commands print: files that are replaced when they are complete, tables, the terminal.
 */
#ifndef TROD_CLI_OUTPUT_H
#define TROD_CLI_OUTPUT_H

#include <time.h>

#include "cli.h"

#include "child/child.h"

/* --- out.c: output, written when it is complete ----------------------------------------- */

/* A blank line before what comes next, if something came before. */
void cli_out_gap(struct cli *cli);

/* Open the object around what is printed in JSON: the command, and the version of its form. */
void cli_json_begin(struct cli *cli);

/* A comment line; nothing for NULL. */
void cli_out_comment(struct cli *cli, const char *text);

/* Write what was collected to where it should go.
 *
 * fails:  TROD_E_SYSTEM; a regular file is left as it was
 */
bool cli_out_write(struct cli *cli);

/* The same of a text, to the file named. */
bool cli_out_file(struct cli *cli, const char *path, const struct trod_string *text);

/* Fail if this error of errno is not 0. */
bool cli_out_check(struct cli *cli, const char *name, int error);

/* --- note_ending.c: how programs that were run ended ---------------------------------------- */

/* Note the status or signal of a program that failed. What it did up to then is reported. */
void cli_note_ending(
    struct cli *cli, const char *program, const struct trod_child *child);

/* --- terminal.c: people who look on ---------------------------------------------- */

/* Does what is printed go to a terminal: neither to a file of -o, nor to another program? */
bool cli_to_terminal(const struct cli *cli);

/* Are colours wanted: there, or as --color says? */
bool cli_wants_colour(const struct cli *cli);

/* As wide as COLUMNS says, or the terminal is, or 80 columns; in colour as --color says; counts as --exact says. */
void cli_style(struct trod_style *out, const struct cli *cli);

/* How far something is that may take long. Nothing is said in its first seconds, nor where nobody can see it. */
struct cli_progress {
    const char *doing, *things; /* "merging", "files" */
    time_t start, said;
};

void cli_progress_begin(
    struct cli_progress *out, const char *doing, const char *things);

/* At most once a second. */
void cli_progress_report(
    struct cli_progress *progress, const struct cli *cli, uint32_t done, uint32_t of);

/* Ends the line, where something was said. */
void cli_progress_end(const struct cli_progress *progress, uint32_t done, uint32_t of);

/* --- print_table.c: rows and columns, as text or JSON ----------------------------------- */

/* A cell is added to the row begun last; a row is full when the last column has one. */
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
void cli_table_file(struct cli_table *table, const char *name); /* only for blanks */
void cli_table_yes_no(struct cli_table *table, bool yes);
void cli_table_uint(struct cli_table *table, uint64_t value);
void cli_table_int(struct cli_table *table, int64_t value);
void cli_table_real(struct cli_table *table, double value);
void cli_table_share(
    struct cli_table *table, double value); /* of 1, shown in percent */

void cli_table_print(struct trod_sink *sink, const struct cli_table *table);
/* One cell by itself. */
void cli_cell_json(
    struct trod_json *json, const char *key, const struct cli_cell *cell);
void cli_table_json(struct trod_json *json, const struct cli_table *table);

/* The table in the form asked for; whose it is and what it shows is for people. */
void cli_table_put(struct cli *cli, const struct cli_table *table, const char *function,
    const char *what);

#endif
