#include "pathset/pathset.h"

#include <inttypes.h>

/* --- coverage --------------------------------------------------------------------------------- */

static void put_part(struct trod_sink *sink, const char *what, struct trod_part part)
{
    trod_put(sink, "%" PRIu64 " of %" PRIu64 "%s %s (%.1f%%)", part.ran, part.all,
        part.all == UINT64_MAX ? " or more" : "", what, 100 * trod_part_share(part));
}

/* The output fits 80 columns. */
static void put_total(struct trod_sink *sink, const struct trod_cover_row *total)
{
    bool known = total->nunknown < total->functions.all;

    trod_put(sink, "# ran: ");
    put_part(sink, "paths", total->covered.path);
    trod_put(sink, ", ");
    if (known) {
        put_part(sink, "edges", total->covered.edge);
        trod_put(sink, ",\n#   ");
        put_part(sink, "blocks", total->covered.block);
        trod_put(sink, ", ");
    }
    put_part(sink, "functions", total->functions);
    trod_put(sink, "\n");
}

static void put_notes(struct trod_sink *sink, const struct trod_cover *cover)
{
    const struct trod_cover_row *total = &cover->total;

    if (total->ncut)
        trod_put(sink,
            "# functions with more paths than 'trod cc --limit' allows, marked '*': %" PRIu64
            ";\n#   their paths are counted in pieces\n",
            total->ncut);
    if (total->nunknown)
        trod_put(sink,
            "# functions without a map entry: %" PRIu64
            "; only their paths are\n#   counted, not edges and blocks\n",
            total->nunknown);
    if (cover->nhidden)
        trod_put(sink,
            "# %" PRIu64
            " functions of system headers and libraries are hidden; --all-code\n"
            "#   includes them\n",
            cover->nhidden);
}

static void put_share(struct trod_sink *sink, struct trod_part part, bool known)
{
    if (known && part.all)
        trod_put(sink, " %5.1f%%", 100 * trod_part_share(part));
    else
        trod_put(sink, "      -");
}

enum { NAME_COLUMN = 41, MOST_OVERVIEW = 8 };

static void put_name(struct trod_sink *sink, const struct trod_cover_row *row,
    const struct trod_style *style, struct trod_arena *mem)
{
    if (row->entry)
        trod_name_put(sink, style, NAME_COLUMN, row->entry, mem);
    else
        trod_put(sink, "%s", row->function);
    if (row->entry && row->place == TROD_ROW_UNIT)
        trod_put(sink, " (in %s)", row->entry->unit);
    if (row->unfinished)
        trod_put(sink, "  (%" PRIu64 " did not finish)", row->unfinished);
    trod_put(sink, "\n");
}

static void put_row(struct trod_sink *sink, const struct trod_cover *cover,
    const struct trod_cover_row *row, const struct trod_style *style,
    struct trod_arena *mem)
{
    const struct trod_covered *c = &row->covered;
    bool known = row->nunknown < row->functions.all;

    put_share(sink, c->path, true);
    trod_put(sink, " ");
    trod_put_count(sink, style, 7, c->path.ran);
    trod_put(sink, " ");
    trod_put_count(sink, style, 7, c->path.all);
    trod_put(sink, "%s", row->ncut ? "*" : " ");
    put_share(sink, c->edge, known);
    put_share(sink, c->block, known);
    trod_put(sink, "  ");
    if (cover->group == TROD_COVER_FILE) {
        trod_put_shown(sink, row->file);
        trod_put(sink, "  %" PRIu64 " of %" PRIu64 " functions\n", row->functions.ran,
            row->functions.all);
        return;
    }
    put_name(sink, row, style, mem);
}

static void put_head(struct trod_sink *sink, const struct trod_cover *cover)
{
    trod_put(sink, "  paths     ran      of    edges blocks  %s\n",
        cover->group == TROD_COVER_FILE ? "file" : "function");
}

void trod_cover_print(struct trod_sink *sink, const struct trod_cover *cover,
    const struct trod_style *style, struct trod_arena *mem)
{
    put_total(sink, &cover->total);
    put_notes(sink, cover);
    if (cover->nlisted < cover->nrow)
        trod_put(sink, "# %zu of %zu %s\n", cover->nlisted, cover->nrow,
            cover->group == TROD_COVER_FILE ? "files" : "functions");
    if (cover->nlisted)
        put_head(sink, cover);
    for (size_t i = 0; i < cover->nlisted; i++)
        put_row(sink, cover, &cover->row[i], style, mem);
}

void trod_cover_print_overview(struct trod_sink *sink, const struct trod_cover *cover,
    const struct trod_style *style, struct trod_arena *mem)
{
    uint64_t nnever = cover->total.functions.all - cover->total.functions.ran;
    size_t n = 0, nworth = 0;

    put_total(sink, &cover->total);
    put_notes(sink, cover);
    while (nworth < cover->nrow && cover->row[nworth].worth > 0)
        nworth++;
    n = nworth < MOST_OVERVIEW ? nworth : MOST_OVERVIEW;
    if (nnever)
        trod_put(sink,
            "# functions that never ran: %" PRIu64
            "; 'trod coverage --sort=share' lists them\n",
            nnever);
    if (!n)
        return;
    trod_put(sink,
        "\n# worth testing next: functions that ran often and have many edges that did\n"
        "#   not run, %zu of %zu\n",
        n, nworth);
    put_head(sink, cover);
    for (size_t i = 0; i < n; i++)
        put_row(sink, cover, &cover->row[i], style, mem);
    trod_put(sink, "\n");
}

static void json_part(struct trod_json *json, const char *key, struct trod_part part)
{
    trod_json_open(json, key, '{');
    trod_json_uint(json, "ran", part.ran);
    trod_json_uint(json, "all", part.all);
    trod_json_real(json, "share", trod_part_share(part));
    trod_json_close(json, '}');
}

static void json_row(struct trod_json *json, const struct trod_cover_row *row)
{
    json_part(json, "paths", row->covered.path);
    if (row->nunknown < row->functions.all || !row->functions.all) {
        json_part(json, "edges", row->covered.edge);
        json_part(json, "blocks", row->covered.block);
    }
    json_part(json, "functions", row->functions);
    trod_json_uint(json, "unfinished", row->unfinished);
    trod_json_uint(json, "cut", row->ncut);
    trod_json_uint(json, "unknown", row->nunknown);
}

void trod_cover_json(
    struct trod_json *json, const char *key, const struct trod_cover *cover)
{
    trod_json_open(json, key, '{');
    if (cover->nhidden)
        trod_json_uint(json, "hidden", cover->nhidden);
    trod_json_open(json, "total", '{');
    json_row(json, &cover->total);
    trod_json_close(json, '}');
    if (cover->group != TROD_COVER_PROGRAM)
        trod_json_open(
            json, cover->group == TROD_COVER_FILE ? "files" : "functions", '[');
    for (size_t i = 0; i < cover->nlisted; i++) {
        const struct trod_cover_row *row = &cover->row[i];

        trod_json_open(json, NULL, '{');
        if (cover->group == TROD_COVER_FUNCTION)
            trod_json_display_name(json, "function", row->function);
        trod_json_text(json, "file", row->file);
        if (row->entry) {
            if (row->entry->declared)
                trod_json_uint(json, "line", row->entry->declared);
            trod_json_text(json, "unit", row->entry->unit);
        }
        json_row(json, row);
        trod_json_close(json, '}');
    }
    if (cover->group != TROD_COVER_PROGRAM)
        trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* --- neighbours ---------------------------------------------------------------------------------- */

enum { MISSING_COLUMN = 16 };

/* As text: where the neighbour diverges from the path that ran. */
static void put_difference(
    struct trod_sink *sink, const struct trod_neighbour *m, int indent)
{
    trod_put(sink, "%*sas =%" PRIu64 ", but ", indent, "", m->near);
    trod_edge_print(sink, m->entry, m->edge);
    trod_put(sink, ", not ");
    trod_edge_print(sink, m->entry, m->taken);
    if (m->nnew)
        trod_put(sink, "; %u edge%s never ran", m->nnew, m->nnew == 1 ? "" : "s");
    trod_put(sink, "\n");
}

/* With a mark where it diverges from the path that ran. */
static void put_missing_path(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_neighbour *m, const struct trod_path_look *look,
    struct trod_arena *mem)
{
    struct trod_path_look marked = *look;

    marked.indent = MISSING_COLUMN;
    marked.marked = &m->edge;
    marked.nmarked = 1;
    marked.open = m->open;
    marked.mark = m->nnew ? "<- never" : "<- only elsewhere";
    trod_put_count(sink, look->style, MISSING_COLUMN - 2, m->count);
    trod_put(sink, "  ");
    trod_title_put(
        sink, look->style, MISSING_COLUMN, m->entry, m->entry->name, m->id, mem);
    trod_path_put(sink, map, m->entry, m->id, &marked, mem);
    if (!trod_path_is_readable(m->entry, look))
        put_difference(sink, m, MISSING_COLUMN + 2);
}

void trod_neighbours_print(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_neighbour *missing, size_t n, const struct trod_path_look *look,
    struct trod_arena *mem)
{
    trod_put(sink,
        "# %zu path%s that did not run, %sone decision away from one that did\n", n,
        n == 1 ? "" : "s", n == 1 ? "" : "each ");
    if (n)
        trod_put(sink, look ? "  that one ran  function\n"
                            : "  the other ran  function and path\n");
    for (size_t i = 0; i < n; i++) {
        const struct trod_neighbour *m = &missing[i];

        if (look) {
            put_missing_path(sink, map, m, look, mem);
            continue;
        }
        trod_put(sink, "%15" PRIu64 "  ", m->count);
        trod_put_display_name(sink, m->entry->name);
        trod_put(sink, " =%" PRIu64 "  ", m->id);
        trod_path_print_folded(sink, map, m->entry, m->id, NULL, mem);
        trod_put(sink, "\n");
        put_difference(sink, m, 17);
    }
}

static void json_edge(struct trod_json *json, const char *key,
    const struct trod_map_entry *entry, trod_edge e, struct trod_arena *mem)
{
    struct trod_string printed;

    trod_string_init(&printed, mem);
    trod_edge_print(&printed.sink, entry, e);
    trod_json_text(json, key, printed.text);
}

void trod_neighbours_json(struct trod_json *json, const char *key,
    const struct trod_map *map, const struct trod_neighbour *missing, size_t n,
    struct trod_arena *mem)
{
    trod_json_open(json, key, '[');
    for (size_t i = 0; i < n; i++) {
        const struct trod_neighbour *m = &missing[i];
        struct trod_string printed;

        trod_json_open(json, NULL, '{');
        trod_json_display_name(json, "function", m->entry->name);
        trod_json_uint(json, "id", m->id);
        trod_string_init(&printed, mem);
        trod_path_print(&printed.sink, map, m->entry, m->id, NULL);
        trod_json_text(json, "path", printed.text);
        trod_path_ends_json(json, map, m->entry, m->id);
        trod_json_uint(json, "near", m->near);
        trod_json_uint(json, "count", m->count);
        json_edge(json, "takes", m->entry, m->edge, mem);
        json_edge(json, "not", m->entry, m->taken, mem);
        trod_json_uint(json, "new_edges", m->nnew);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}
