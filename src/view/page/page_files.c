#include <string.h>

#include "page/page.h"

/* Long files contain only selected lines. */
static bool is_here(const struct trod_page_file *file, const struct trod_page_row *row)
{
    return !file->kept || (row->line <= file->nline && file->kept[row->line - 1]);
}

static void put_row_counts(
    struct trod_json *json, const struct trod_page_file *file, bool old)
{
    trod_json_open(json, old ? "old" : "count", '[');
    for (uint32_t i = 0; i < file->nrow; i++) {
        const struct trod_page_row *row = &file->row[i];

        if (!is_here(file, row))
            continue;
        if (old ? row->compared : row->counted)
            trod_page_json_count(json, NULL, old ? row->old : row->count);
        else
            trod_json_null(json, NULL);
    }
    trod_json_close(json, ']');
}

static void put_rows(struct trod_json *json, const struct trod_page *page,
    const struct trod_page_file *file)
{
    trod_json_open(json, "rows", '{');
    trod_json_open(json, "line", '[');
    for (uint32_t i = 0; i < file->nrow; i++)
        if (is_here(file, &file->row[i]))
            trod_json_uint(json, NULL, file->row[i].line);
    trod_json_close(json, ']');
    put_row_counts(json, file, false);
    if (page->has_old)
        put_row_counts(json, file, true);
    trod_json_close(json, '}');
}

void trod_page_files_json(struct trod_json *json, const struct trod_page *page)
{
    trod_json_open(json, "files", '[');
    for (uint32_t i = 0; i < page->nfile; i++) {
        const struct trod_page_file *file = &page->file[i];

        trod_json_open(json, NULL, '{');
        trod_json_text(json, "name", file->name);
        if (strcmp(file->path, file->name) != 0)
            trod_json_text(json, "path", file->path);
        if (file->system)
            trod_json_bool(json, "system", true);
        if (file->line) {
            trod_json_open(json, "lines", '[');
            for (uint32_t k = 0; k < file->nline; k++)
                trod_json_text(json, NULL, file->line[k] ? file->line[k] : "");
            trod_json_close(json, ']');
        } else {
            trod_json_null(json, "lines");
        }
        if (file->why)
            trod_json_text(json, "why", file->why);
        put_rows(json, page, file);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}
