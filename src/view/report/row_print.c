#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Rows with source code: a line with function, place and id, and the path below it. */

enum { MOST_PLACE = 32, LEAST_NAME = 16 };

bool trod_rows_detailed(const struct trod_rows *rows)
{
    return rows->options->detailed && !rows->options->group;
}

/* The name, shortened to the room that remains on the line. */
static const char *name_in(const struct trod_style *style,
    const struct trod_map_entry *entry, size_t used, struct trod_arena *mem)
{
    size_t room = SIZE_MAX;

    if (style->width)
        room = style->width > used + LEAST_NAME ? style->width - used : LEAST_NAME;
    return trod_entry_name(entry, room, mem);
}

void trod_name_put(struct trod_sink *sink, const struct trod_style *style,
    unsigned column, const struct trod_map_entry *entry, struct trod_arena *mem)
{
    const char *place = trod_place_text(entry, MOST_PLACE, mem), *name;
    size_t used = column + 2;

    name = name_in(style, entry, used + trod_letters(place), mem);
    /* Shorten the place before the name. */
    if (style->width &&
        used + trod_letters(place) + trod_letters(name) >= style->width) {
        place = trod_place_text(entry, 0, mem);
        name = name_in(style, entry, used + trod_letters(place), mem);
    }
    trod_put_coloured(sink, style, TROD_COLOUR_NAME, 0, name);
    trod_put(sink, "  %s", place);
}

void trod_title_put(struct trod_sink *sink, const struct trod_style *style,
    unsigned column, const struct trod_map_entry *entry, const char *function,
    uint64_t id, struct trod_arena *mem)
{
    char number[32];
    int n = snprintf(number, sizeof number, "=%" PRIu64, id);

    if (entry)
        trod_name_put(sink, style, column + 2 + (unsigned)n, entry, mem);
    else
        trod_put(sink, "%s", function);
    trod_put(sink, "  %s\n", number);
}

bool trod_row_put_path(struct trod_sink *sink, const struct trod_rows *rows,
    const struct trod_row *row, unsigned column)
{
    const struct trod_report_options *o = rows->options;
    const struct trod_path_look look = {
        .style = &o->style, .text = o->text, .blocks = o->blocks, .indent = column};
    bool cut;

    trod_title_put(
        sink, &o->style, column, row->entry, row->function, row->id, rows->mem);
    if (trod_rows_timed(rows) || rows->times_b)
        trod_row_put_time_line(sink, rows, row, column);
    if (!row->entry)
        return false;
    if (row->place == TROD_ROW_UNIT && strcmp(row->file, row->entry->unit) != 0)
        trod_put(sink, "%*s  as compiled in %s\n", (int)column, "", row->entry->unit);
    cut = trod_path_put(sink, rows->map, row->entry, row->id, &look, rows->mem);
    if (o->lines)
        trod_path_lines_put(sink, rows->map, row->entry, row->id, o->text, column);
    return cut;
}

void trod_rows_put_notes(struct trod_sink *sink, const struct trod_rows *rows, bool cut)
{
    bool lines = !rows->nlisted || rows->options->blocks || !trod_rows_detailed(rows);

    for (size_t i = 0; i < rows->nlisted && !lines; i++)
        lines = !rows->row[i].entry || rows->row[i].entry->first_line ||
                rows->row[i].entry->machine;
    if (cut)
        trod_put(sink,
            "# cut: the function has more paths than 'trod cc --limit' allows, or a call\n"
            "#   that may return twice, so its paths are counted in pieces\n");
    if (!lines)
        trod_put(sink,
            "# paths are shown as blocks: the program was compiled without debug\n#   "
            "information; compile with -g to see lines and conditions\n");
    if (rows->nhidden)
        trod_put(sink,
            "# %" PRIu64
            " paths of system headers and libraries are hidden; --all-code shows them\n",
            rows->nhidden);
}
