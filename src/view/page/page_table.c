#include "page/kinds.h"

void trod_page_rows_init(struct trod_page_rows *out,
    const struct trod_page_names *names, uint32_t ncolumn, size_t most,
    struct trod_arena *mem)
{
    *out = (struct trod_page_rows){
        .mem = mem, .names = names, .ncolumn = ncolumn, .most = most};
}

void trod_page_rows_begin(struct trod_page_rows *rows)
{
    rows->nseen++;
}

static void add(struct trod_page_rows *rows, const struct trod_page_cell *cell)
{
    if (rows->nseen > rows->most)
        return;
    trod_push(rows->mem, rows->cell, rows->ncell, rows->room, *cell);
}

void trod_page_rows_text(struct trod_page_rows *rows, const char *text)
{
    add(rows, &(struct trod_page_cell){.text = text, .entry = TROD_NONE});
}

void trod_page_rows_count(struct trod_page_rows *rows, uint64_t count)
{
    add(rows, &(struct trod_page_cell){.count = count, .entry = TROD_NONE});
}

void trod_page_rows_real(struct trod_page_rows *rows, double real)
{
    add(rows, &(struct trod_page_cell){.real = real, .entry = TROD_NONE});
}

void trod_page_rows_function(
    struct trod_page_rows *rows, const char *function, const char *file)
{
    uint32_t entry = trod_page_names_find(rows->names, function, file);

    if (entry != TROD_NONE)
        function = rows->names->map->entry[entry].display_name;
    add(rows, &(struct trod_page_cell){.text = function, .entry = entry});
}

void trod_page_rows_finish(struct trod_page_table *out,
    const struct trod_page_rows *rows, const struct trod_page_column *column)
{
    size_t nrow = rows->nseen < rows->most ? rows->nseen : rows->most;

    assert(rows->ncell == nrow * rows->ncolumn);
    out->column = column;
    out->ncolumn = rows->ncolumn;
    out->cell = rows->cell;
    out->nrow = (uint32_t)nrow;
    out->nleft = (uint32_t)(rows->nseen - nrow);
}
