#include "output/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void cli_table_init(struct cli_table *out, const char *key, const char *const *column,
    uint32_t ncolumn, struct trod_arena *mem)
{
    *out = (struct cli_table){
        .mem = mem, .key = key, .column = column, .ncolumn = ncolumn};
}

static void add(struct cli_table *table, struct cli_cell cell)
{
    trod_push(table->mem, table->cell, table->ncell, table->room, cell);
}

void cli_table_blank(struct cli_table *table)
{
    add(table, (struct cli_cell){.kind = CLI_BLANK});
}

void cli_table_words(struct cli_table *table, const char *text)
{
    add(table, (struct cli_cell){.kind = CLI_WORDS, .text = text});
}

void cli_table_name(struct cli_table *table, const char *name)
{
    add(table, (struct cli_cell){.kind = CLI_NAME, .text = name});
}

/* Control characters are quoted, too: file names may contain any bytes. */
void cli_table_file(struct cli_table *table, const char *name)
{
    const unsigned char *at = (const unsigned char *)name;

    while (*at > ' ' && *at != 0x7f && *at != '"')
        at++;
    if (*at || !*name)
        cli_table_name(table, name);
    else
        cli_table_words(table, name);
}

void cli_table_yes_no(struct cli_table *table, bool yes)
{
    add(table, (struct cli_cell){.kind = CLI_YES_NO, .yes = yes});
}

void cli_table_uint(struct cli_table *table, uint64_t value)
{
    add(table, (struct cli_cell){.kind = CLI_UINT, .natural = value});
}

void cli_table_int(struct cli_table *table, int64_t value)
{
    add(table, (struct cli_cell){.kind = CLI_INT, .whole = value});
}

void cli_table_real(struct cli_table *table, double value)
{
    add(table, (struct cli_cell){.kind = CLI_REAL, .real = value});
}

void cli_table_share(struct cli_table *table, double value)
{
    add(table, (struct cli_cell){.kind = CLI_SHARE, .real = value});
}

/* --- as text ---------------------------------------------------------------------- */

static const char *cell_text(const struct cli_cell *cell, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    switch (cell->kind) {
    case CLI_BLANK:
        return "-";
    case CLI_WORDS:
        return cell->text;
    case CLI_YES_NO:
        return cell->yes ? "yes" : "no";
    case CLI_NAME:
        trod_put_name(&text.sink, cell->text);
        break;
    case CLI_UINT:
        trod_put(&text.sink, "%" PRIu64, cell->natural);
        break;
    case CLI_INT:
        trod_put(&text.sink, "%" PRId64, cell->whole);
        break;
    case CLI_REAL:
        trod_put(&text.sink, "%.4g", cell->real);
        break;
    case CLI_SHARE:
        trod_put(&text.sink, "%.1f%%", 100 * cell->real);
        break;
    }
    return text.text;
}

/* Numbers are right-aligned, including unknown ones. */
static bool is_right(const struct cli_table *table, uint32_t column)
{
    for (size_t i = column; i < table->ncell; i += table->ncolumn)
        if (table->cell[i].kind >= CLI_WORDS && table->cell[i].kind <= CLI_YES_NO)
            return false;
    return table->ncell > 0;
}

static void put_padded(struct trod_sink *sink, const char *text, int width, bool right)
{
    int blanks = width - (int)strlen(text);

    if (right)
        trod_put(sink, "%*s", blanks, "");
    sink->put(sink, text, strlen(text));
    if (!right)
        trod_put(sink, "%*s", blanks, "");
}

/* One row of cells given as text; without trailing blanks. */
static void put_row(struct trod_sink *sink, const char *const *text, const int *width,
    const bool *right, uint32_t ncolumn)
{
    for (uint32_t c = 0; c < ncolumn; c++) {
        bool last = c + 1 == ncolumn;

        put_padded(sink, text[c], last && !right[c] ? (int)strlen(text[c]) : width[c],
            right[c]);
        trod_put(sink, last ? "\n" : "  ");
    }
}

void cli_table_print(struct trod_sink *sink, const struct cli_table *table)
{
    uint32_t n = table->ncolumn;
    const char **text = trod_new(table->mem, const char *, table->ncell);
    int *width = trod_new(table->mem, int, n);
    bool *right = trod_new(table->mem, bool, n);

    assert(n > 0 && table->ncell % n == 0);
    for (uint32_t c = 0; c < n; c++) {
        width[c] = (int)strlen(table->column[c]);
        right[c] = is_right(table, c);
    }
    for (size_t i = 0; i < table->ncell; i++) {
        int need;

        text[i] = cell_text(&table->cell[i], table->mem);
        need = (int)strlen(text[i]);
        width[i % n] = need > width[i % n] ? need : width[i % n];
    }
    put_row(sink, table->column, width, right, n);
    for (size_t i = 0; i < table->ncell; i += n)
        put_row(sink, text + i, width, right, n);
}

/* --- as JSON ---------------------------------------------------------------------- */

void cli_cell_json(struct trod_json *json, const char *key, const struct cli_cell *cell)
{
    switch (cell->kind) {
    case CLI_BLANK:
        trod_json_real(json, key, NAN);
        break;
    case CLI_WORDS:
    case CLI_NAME:
        trod_json_text(json, key, cell->text);
        break;
    case CLI_YES_NO:
        trod_json_bool(json, key, cell->yes);
        break;
    case CLI_UINT:
        trod_json_uint(json, key, cell->natural);
        break;
    case CLI_INT:
        trod_json_int(json, key, cell->whole);
        break;
    case CLI_REAL:
    case CLI_SHARE:
        trod_json_real(json, key, cell->real);
        break;
    }
}

void cli_table_json(struct trod_json *json, const struct cli_table *table)
{
    assert(table->ncolumn > 0 && table->ncell % table->ncolumn == 0);
    trod_json_open(json, table->key, '[');
    for (size_t i = 0; i < table->ncell; i++) {
        uint32_t c = (uint32_t)(i % table->ncolumn);

        if (c == 0)
            trod_json_open(json, NULL, '{');
        cli_cell_json(json, table->column[c], &table->cell[i]);
        if (c + 1 == table->ncolumn)
            trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

void cli_table_put(struct cli *cli, const struct cli_table *table, const char *function,
    const char *what)
{
    struct trod_sink *sink = &cli->out.sink;

    if (cli->options.form == CLI_JSON) {
        cli_table_json(&cli->json, table);
        return;
    }
    cli_out_gap(cli);
    trod_put(sink, "# ");
    trod_put_name(sink, function);
    trod_put(sink, ": %s\n", what);
    cli_table_print(sink, table);
}
