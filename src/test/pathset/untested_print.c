#include "pathset/pathset.h"

#include <inttypes.h>

static double percent(uint64_t part, uint64_t all)
{
    return all ? 100 * (double)part / (double)all : 0;
}

static void put_head(struct trod_sink *sink, const struct trod_untested *u)
{
    if (u->part)
        trod_put(sink,
            "# untested: %zu paths, %" PRIu64 " times, in %" PRIu64 " functions\n",
            u->npath, u->count, u->nfunction);
    else
        trod_put(sink,
            "# untested: %zu of %" PRIu64
            " paths that ran (%.1f%%), %.1f%% of what ran, in %" PRIu64 " functions\n",
            u->npath, u->nfield, percent(u->npath, u->nfield),
            percent(u->count, u->count_field), u->nfunction);
    if (u->nweeded)
        trod_put(sink,
            "#   removed: %" PRIu64 " times a tested path was recorded as untested\n",
            u->nweeded);
    if (!u->npath)
        return;
    trod_put(sink,
        "#   %" PRIu64 " with edges that no test took, %" PRIu64
        " only new combinations of tested edges,\n#   %" PRIu64
        " in functions no test entered\n",
        u->npath_of_why[TROD_WHY_EDGES], u->npath_of_why[TROD_WHY_APART],
        u->npath_of_why[TROD_WHY_ENTERED]);
    if (u->npath_of_why[TROD_WHY_ROW])
        trod_put(sink, "#   %" PRIu64 " new chains only: each path was tested\n",
            u->npath_of_why[TROD_WHY_ROW]);
    if (u->npath_of_why[TROD_WHY_UNKNOWN])
        trod_put(sink,
            "#   %" PRIu64 " in functions without a map entry: reason unknown\n",
            u->npath_of_why[TROD_WHY_UNKNOWN]);
    if (u->npath_mapped)
        trod_put(sink,
            "#   untested edges: %" PRIu64 ", in %" PRIu64
            " functions; untested paths in functions without:\n#   %" PRIu64
            " (%.1f%%), which edge coverage would not show\n",
            u->nedge, u->nfunction_edge, u->npath_hidden,
            percent(u->npath_hidden, u->npath_mapped));
}

static void put_edges(struct trod_sink *sink, const struct trod_untested_path *p)
{
    for (uint32_t i = 0; i < p->explained.nedge; i++) {
        trod_put(sink, i ? ", " : " ");
        trod_edge_print(sink, p->entry, p->explained.edge[i]);
    }
    trod_put(sink, "\n");
}

static void put_why(
    struct trod_sink *sink, const struct trod_untested_path *p, int indent)
{
    static const char *const words[] = {
        [TROD_WHY_UNKNOWN] = "reason unknown: no map entry",
        [TROD_WHY_ENTERED] = "no test entered the function",
        [TROD_WHY_EDGES] = "no test took:",
        [TROD_WHY_APART] = "no test took together:",
        [TROD_WHY_ROW] = "no test took in succession:",
    };

    trod_put(sink, "%*s%s", indent, "", words[p->explained.why]);
    if (p->explained.why == TROD_WHY_ROW)
        trod_put(sink, " the last %u", p->explained.nrow);
    put_edges(sink, p);
}

enum { NAME_COLUMN = 15 };

/* Decisions that explain why the path is untested are marked; other reasons are listed below it. */
static void put_path(struct trod_sink *sink, const struct trod_untested_path *p,
    const struct trod_map *map, const struct trod_path_look *look,
    struct trod_arena *mem)
{
    struct trod_path_look marked = *look;
    bool all =
        p->explained.nedge && trod_path_is_readable(p->entry, look) &&
        (p->explained.why == TROD_WHY_EDGES || p->explained.why == TROD_WHY_APART);

    marked.indent = NAME_COLUMN;
    marked.marked = p->explained.edge;
    marked.nmarked = p->explained.nedge;
    marked.mark =
        p->explained.why == TROD_WHY_APART ? "<- never together" : "<- no test";
    trod_put(sink, "%5" PRIu64 " ", p->nrun);
    trod_put_count(sink, look->style, 7, p->count);
    trod_put(sink, "  ");
    trod_title_put(sink, look->style, NAME_COLUMN, p->entry, p->name, p->id, mem);
    if (p->entry)
        trod_path_put(sink, map, p->entry, p->id, &marked, mem);
    for (uint32_t i = 0; all && i < p->explained.nedge; i++)
        all = trod_path_decides(p->entry, p->explained.edge[i]);
    if (!all)
        put_why(sink, p, NAME_COLUMN + 2);
}

void trod_untested_print(struct trod_sink *sink, const struct trod_untested *untested,
    const struct trod_map *map, const struct trod_path_look *look,
    struct trod_arena *mem)
{
    const struct trod_untested *u = untested;

    put_head(sink, u);
    for (size_t i = 0; i < u->nskipped; i++) {
        trod_put(sink, "# not compared, the tests ran another version: ");
        trod_put_display_name(sink, u->skipped[i]);
        trod_put(sink, "\n");
    }
    if (u->nlisted < u->npath)
        trod_put(sink, "# %zu of these, most runs first\n", u->nlisted);
    if (u->nlisted)
        trod_put(sink, look ? " runs   count  function\n"
                            : " runs        count  function and path\n");
    for (size_t i = 0; i < u->nlisted; i++) {
        const struct trod_untested_path *p = &u->path[i];

        if (look) {
            put_path(sink, p, map, look, mem);
            continue;
        }
        trod_put(sink, "%5" PRIu64 " %12" PRIu64 "  ", p->nrun, p->count);
        if (p->name[0] == '?')
            trod_put(sink, "%s", p->name);
        else
            trod_put_display_name(sink, p->name);
        trod_put(sink, " =%" PRIu64, p->id);
        if (p->entry) {
            trod_put(sink, "  ");
            trod_path_print_folded(sink, map, p->entry, p->id, NULL, mem);
        }
        trod_put(sink, "\n");
        put_why(sink, p, 20);
    }
}

/* --- JSON ------------------------------------------------------------------------------------------ */

static void json_summary(struct trod_json *json, const struct trod_untested *u)
{
    trod_json_uint(json, "paths", u->npath);
    trod_json_uint(json, "field_paths", u->nfield);
    trod_json_uint(json, "count", u->count);
    trod_json_uint(json, "field_count", u->count_field);
    trod_json_uint(json, "functions", u->nfunction);
    trod_json_uint(json, "functions_not_entered", u->nentered);
    trod_json_uint(json, "tested_paths", u->ntested);
    trod_json_bool(json, "tested_are_counted", !u->part);
    trod_json_uint(json, "weeded", u->nweeded);
    trod_json_uint(json, "with_new_edges", u->npath_of_why[TROD_WHY_EDGES]);
    trod_json_uint(json, "new_combinations", u->npath_of_why[TROD_WHY_APART]);
    trod_json_uint(json, "new_in_a_row", u->npath_of_why[TROD_WHY_ROW]);
    trod_json_uint(json, "not_entered", u->npath_of_why[TROD_WHY_ENTERED]);
    trod_json_uint(json, "unknown", u->npath_of_why[TROD_WHY_UNKNOWN]);
    trod_json_uint(json, "untested_edges", u->nedge);
    trod_json_uint(json, "functions_with_untested_edges", u->nfunction_edge);
    trod_json_uint(json, "paths_in_functions_without", u->npath_hidden);
    trod_json_uint(json, "paths_with_a_map", u->npath_mapped);
}

static void json_why(
    struct trod_json *json, const struct trod_untested_path *p, struct trod_arena *mem)
{
    static const char *const words[] = {
        [TROD_WHY_UNKNOWN] = "unknown",
        [TROD_WHY_ENTERED] = "not entered",
        [TROD_WHY_EDGES] = "new edges",
        [TROD_WHY_APART] = "new combination",
        [TROD_WHY_ROW] = "new chain",
    };

    trod_json_text(json, "why", words[p->explained.why]);
    trod_json_open(json, "edges", '[');
    for (uint32_t i = 0; i < p->explained.nedge; i++) {
        struct trod_string printed;

        trod_string_init(&printed, mem);
        trod_edge_print(&printed.sink, p->entry, p->explained.edge[i]);
        trod_json_text(json, NULL, printed.text);
    }
    trod_json_close(json, ']');
    if (p->explained.why == TROD_WHY_APART)
        trod_json_bool(json, "smallest", p->explained.smallest);
    if (p->explained.why == TROD_WHY_ROW)
        trod_json_uint(json, "row", p->explained.nrow);
}

static void json_path(struct trod_json *json, const struct trod_untested_path *p,
    const struct trod_map *map, struct trod_arena *mem)
{
    struct trod_string printed;

    trod_json_open(json, NULL, '{');
    trod_json_display_name(json, "function", p->name);
    trod_json_uint(json, "id", p->id);
    if (p->entry) {
        trod_string_init(&printed, mem);
        trod_path_print(&printed.sink, map, p->entry, p->id, NULL);
        trod_json_text(json, "path", printed.text);
        trod_path_ends_json(json, map, p->entry, p->id);
    }
    trod_json_uint(json, "runs", p->nrun);
    trod_json_uint(json, "count", p->count);
    json_why(json, p, mem);
    trod_json_close(json, '}');
}

void trod_untested_json(struct trod_json *json, const char *key,
    const struct trod_untested *untested, const struct trod_map *map,
    struct trod_arena *mem)
{
    trod_json_open(json, key, '{');
    json_summary(json, untested);
    trod_json_open(json, "skipped", '[');
    for (size_t i = 0; i < untested->nskipped; i++)
        trod_json_text(json, NULL, untested->skipped[i]);
    trod_json_close(json, ']');
    trod_json_open(json, "untested", '[');
    for (size_t i = 0; i < untested->nlisted; i++)
        json_path(json, &untested->path[i], map, mem);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}
