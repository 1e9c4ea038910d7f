#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "page/page.h"

void trod_page_json_count(struct trod_json *json, const char *key, uint64_t count)
{
    trod_json_uint(
        json, key, count < TROD_PAGE_MOST_EXACT ? count : TROD_PAGE_MOST_EXACT);
}

/* --- metadata ------------------------------------------------------------------------------------------------ */

static void put_head(struct trod_json *json, const struct trod_page *page)
{
    trod_json_text(json, "trod", "page");
    trod_json_uint(json, "version", 1);
    trod_json_text(json, "title", page->title ? page->title : "");
    trod_json_open(json, "facts", '[');
    for (uint32_t i = 0; i < page->nfact; i++) {
        trod_json_open(json, NULL, '[');
        trod_json_text(json, NULL, page->fact[i].what);
        trod_json_text(json, NULL, page->fact[i].value);
        trod_json_close(json, ']');
    }
    trod_json_close(json, ']');
    trod_json_open(json, "notes", '[');
    for (uint32_t i = 0; i < page->nnote; i++)
        trod_json_text(json, NULL, page->note[i]);
    trod_json_close(json, ']');
    trod_json_bool(json, "exact", page->exact);
    trod_json_bool(json, "tested", page->has_tested);
    trod_json_bool(json, "since", page->has_old);
    trod_page_json_count(json, "total", page->total);
    trod_page_json_count(json, "weight", page->weight);
    if (page->has_old)
        trod_page_json_count(json, "old_total", page->old_total);
    if (page->editor)
        trod_json_text(json, "editor", page->editor);
    if (!page->ntest)
        return;
    trod_json_open(json, "tests", '[');
    for (uint32_t i = 0; i < page->ntest; i++)
        trod_json_text(json, NULL, page->test[i].name);
    trod_json_close(json, ']');
}

/* --- functions ------------------------------------------------------------------------------------------------- */

/* The display name of the function with this linkage name; if the map has none, the name itself. */
static const char *display_name_of(const struct trod_page *page, const char *name)
{
    uint32_t at;

    if (!name)
        return "*";
    if (!page->entry_of_link)
        return name;
    at = trod_names_find(&page->link, name);
    return at == TROD_NONE ? name
                           : page->map->entry[page->entry_of_link[at]].display_name;
}

static bool has_callees(const struct trod_map_entry *entry, trod_node v)
{
    return entry->first_callee ? entry->first_callee[v] < entry->first_callee[v + 1]
                               : trod_calls_find(&entry->calls, v, false) ||
                                     trod_calls_find(&entry->calls, v, true);
}

/* From the callees that the compiler recorded, or from calls that end paths. */
static void put_callees(struct trod_json *json, const struct trod_page *page,
    const struct trod_map_entry *entry, trod_node v)
{
    trod_json_open(json, NULL, '[');
    if (entry->first_callee)
        for (uint32_t i = entry->first_callee[v]; i < entry->first_callee[v + 1]; i++)
            trod_json_text(json, NULL, display_name_of(page, entry->callee[i]));
    for (int last = 0; last < 2 && !entry->first_callee; last++) {
        const struct trod_call *call = trod_calls_find(&entry->calls, v, last);

        if (call)
            trod_json_text(json, NULL, display_name_of(page, call->callee));
    }
    trod_json_close(json, ']');
}

/* Functions that only spans and tables mention have no counts. */
static bool is_counted(const struct trod_page *page, const struct trod_flow *flow)
{
    return page->flows->of_entry[flow->entry - page->map->entry].entry;
}

/* Names equal to the block's number are omitted, as are empty trailing fields. */
static void put_block(struct trod_json *json, const struct trod_page *page,
    const struct trod_flow *flow, trod_node v)
{
    const struct trod_map_entry *entry = flow->entry;
    const struct trod_graph *g = entry->numbering.dag->graph;
    bool calls = has_callees(entry, v), framed = entry->nframe;
    char buffer[16], number[16];
    const char *name = trod_graph_node_name(g, v, buffer);
    bool named;

    snprintf(number, sizeof number, "%u", v);
    named = strcmp(name, number) != 0;
    trod_json_open(json, NULL, '[');
    if (is_counted(page, flow))
        trod_page_json_count(
            json, NULL, flow->count_of_node ? flow->count_of_node[v] : 0);
    else
        trod_json_null(json, NULL);
    trod_json_open(json, NULL, '[');
    for (uint32_t i = entry->first_line ? entry->first_line[v] : 0;
        entry->first_line && i < entry->first_line[v + 1]; i++)
        if (entry->line[i])
            trod_json_uint(json, NULL, entry->line[i]);
    trod_json_close(json, ']');
    if (named || calls || framed)
        trod_json_text(json, NULL, named ? name : "");
    if (calls || framed)
        put_callees(json, page, entry, v);
    if (framed)
        trod_json_uint(json, NULL, trod_map_frame_of(entry, v));
    trod_json_close(json, ']');
}

/* 1: back edge; 2: leads to a call, if paths also end at calls; 3: other cut */
static unsigned why_cut(const struct trod_map_entry *entry, trod_edge e)
{
    const struct trod_dag *dag = entry->numbering.dag;

    if (trod_calls_find(&entry->calls, dag->graph->dst_of_edge[e], false))
        return 2;
    return trod_has(dag->closing, e) ? 1 : 3;
}

static void put_edge(struct trod_json *json, const struct trod_page *page,
    const struct trod_flow *flow, trod_edge e)
{
    const struct trod_dag *dag = flow->entry->numbering.dag;
    trod_edge own = dag->dag_of_edge[e];

    trod_json_open(json, NULL, '[');
    trod_json_uint(json, NULL, dag->graph->src_of_edge[e]);
    trod_json_uint(json, NULL, dag->graph->dst_of_edge[e]);
    if (is_counted(page, flow) && (flow->count_of_edge || !flow->count_of_node))
        trod_page_json_count(
            json, NULL, flow->count_of_edge ? flow->count_of_edge[e] : 0);
    else
        trod_json_null(json, NULL);
    if (own != TROD_NONE && dag->kind_of_edge[own] == TROD_DAG_END)
        trod_json_uint(json, NULL, why_cut(flow->entry, e));
    trod_json_close(json, ']');
}

static void put_frames(struct trod_json *json, const struct trod_page *page,
    const struct trod_page_function *f)
{
    const struct trod_map_entry *entry = f->flow->entry;

    if (!entry->nframe)
        return;
    trod_json_open(json, "frames", '[');
    for (uint32_t i = 0; i < entry->nframe; i++)
        trod_json_text(
            json, NULL, page->map->entry[entry->frame[i].of_entry].display_name);
    trod_json_close(json, ']');
    trod_json_open(json, "frame_files", '[');
    for (uint32_t i = 0; i < entry->nframe; i++)
        trod_json_uint(json, NULL, f->file_of_frame[i]);
    trod_json_close(json, ']');
}

/* For blocks with code inlined from the same file: the call's lines in the function itself. */
static void put_inlined(struct trod_json *json, const struct trod_map_entry *entry)
{
    if (!entry->ninlined)
        return;
    trod_json_open(json, "inlined", '[');
    for (uint32_t i = 0; i < entry->ninlined; i++) {
        const struct trod_map_inlined *at = &entry->inlined[i];

        trod_json_open(json, NULL, '[');
        trod_json_uint(json, NULL, at->node);
        trod_json_uint(json, NULL, at->first);
        trod_json_uint(json, NULL, at->last);
        if (at->function)
            trod_json_text(json, NULL, at->display_name);
        trod_json_close(json, ']');
    }
    trod_json_close(json, ']');
}

/* Round to a tenth of a point, which is not visible. */
static double rounded(double points)
{
    return (double)(int64_t)(points * 10 + (points < 0 ? -0.5 : 0.5)) / 10;
}

static void put_layout(struct trod_json *json, const struct trod_page_function *f)
{
    const struct trod_graph *g = f->flow->entry->numbering.dag->graph;
    const struct trod_page_layout *layout = f->layout;

    if (!layout) {
        trod_json_null(json, "layout");
        if (f->undrawn)
            trod_json_text(json, "undrawn", f->undrawn);
        return;
    }
    trod_json_open(json, "layout", '{');
    trod_json_real(json, "w", rounded(layout->width));
    trod_json_real(json, "h", rounded(layout->height));
    trod_json_open(json, "blocks", '[');
    for (trod_node v = 0; v < g->nnode; v++) {
        const struct trod_page_box *box = &layout->box_of_node[v];

        trod_json_open(json, NULL, '[');
        trod_json_real(json, NULL, rounded(box->x));
        trod_json_real(json, NULL, rounded(box->y));
        trod_json_real(json, NULL, rounded(box->width));
        trod_json_real(json, NULL, rounded(box->height));
        trod_json_close(json, ']');
    }
    trod_json_close(json, ']');
    trod_json_open(json, "edges", '[');
    for (trod_edge e = 0; e < g->nedge; e++)
        trod_json_text(json, NULL, layout->curve_of_edge[e]);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* Blocks without a count that may have run on an unfinished path. */
static void put_unknown(struct trod_json *json, const struct trod_flow *flow)
{
    const struct trod_graph *g = flow->entry->numbering.dag->graph;
    bool any = false;

    for (trod_node v = 0; v < g->nnode; v++) {
        if (!trod_flow_node_unknown(flow, v))
            continue;
        if (!any)
            trod_json_open(json, "unknown", '[');
        any = true;
        trod_json_uint(json, NULL, v);
    }
    if (any)
        trod_json_close(json, ']');
}

static void put_function(struct trod_json *json, const struct trod_page *page,
    const struct trod_page_function *f)
{
    const struct trod_flow *flow = f->flow;
    const struct trod_graph *g = flow->entry->numbering.dag->graph;

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "name", flow->entry->display_name);
    if (trod_page_is_cold(page, f))
        trod_json_bool(json, "cold", true);
    trod_json_text(json, "link", flow->entry->name);
    if (f->brief)
        trod_json_text(json, "short", f->brief);
    trod_json_uint(json, "file", f->file);
    if (f->line)
        trod_json_uint(json, "line", f->line);
    else
        trod_json_null(json, "line");
    trod_page_json_count(json, "count", f->count);
    trod_page_json_count(json, "weight", f->weight);
    trod_page_json_count(json, "entered", flow->entered);
    if (f->compared)
        trod_page_json_count(json, "old", f->old);
    trod_page_json_count(json, "ran", f->nran);
    if (f->npath < TROD_PAGE_MOST_EXACT)
        trod_json_uint(json, "paths", f->npath);
    else
        trod_json_null(json, "paths");
    if (f->nlimited)
        trod_json_uint(json, "limited", f->nlimited);
    trod_json_bool(json, "partial", flow->partial);
    trod_json_open(json, "blocks", '[');
    for (trod_node v = 0; v < g->nnode; v++)
        put_block(json, page, flow, v);
    trod_json_close(json, ']');
    trod_json_open(json, "edges", '[');
    for (trod_edge e = 0; e < g->nedge; e++)
        put_edge(json, page, flow, e);
    trod_json_close(json, ']');
    put_unknown(json, flow);
    if (flow->unfinished)
        trod_page_json_count(json, "unfinished", flow->unfinished);
    trod_page_decisions_json(json, page, f);
    put_frames(json, page, f);
    put_inlined(json, flow->entry);
    put_layout(json, f);
    trod_json_close(json, '}');
}

/* --- paths ----------------------------------------------------------------------------------------------------- */

static const struct trod_map_entry *entry_of(
    const struct trod_page *page, const struct trod_page_path *p)
{
    return page->function[p->function].flow->entry;
}

static void put_id(struct trod_json *json, const struct trod_page *page, size_t i)
{
    uint64_t id = page->path[i].id;
    char text[24];

    if (id < TROD_PAGE_MOST_EXACT) {
        trod_json_uint(json, NULL, id);
    } else {
        snprintf(text, sizeof text, "%" PRIu64, id);
        trod_json_text(json, NULL, text);
    }
}

/* The text has only digits, bars, colons and parentheses, so it can be streamed without escaping. */
static void put_way(struct trod_json *json, const struct trod_page *page, size_t i)
{
    const struct trod_page_path *p = &page->path[i];
    struct trod_sink *to = trod_json_text_begin(json, NULL);

    trod_page_put_way(to, page->map, entry_of(page, p), p->id);
    trod_json_text_end(json);
}

static void put_start(struct trod_json *json, const struct trod_page *page, size_t i)
{
    const struct trod_page_path *p = &page->path[i];

    trod_json_int(json, NULL, trod_page_start(page->map, entry_of(page, p), p->id));
}

static void put_function_of(
    struct trod_json *json, const struct trod_page *page, size_t i)
{
    trod_json_uint(json, NULL, page->path[i].function);
}

static void put_count_of(struct trod_json *json, const struct trod_page *page, size_t i)
{
    trod_page_json_count(json, NULL, page->path[i].count);
}

static void put_weight_of(
    struct trod_json *json, const struct trod_page *page, size_t i)
{
    trod_page_json_count(json, NULL, page->path[i].weight);
}

static void put_flags(struct trod_json *json, const struct trod_page *page, size_t i)
{
    trod_json_uint(json, NULL, page->path[i].flags);
}

static void put_old(struct trod_json *json, const struct trod_page *page, size_t i)
{
    trod_page_json_count(json, NULL, page->path[i].old);
}

static void put_confidence(
    struct trod_json *json, const struct trod_page *page, size_t i)
{
    trod_json_uint(json, NULL, page->path[i].confidence);
}

/* The number of tests, then the first ones. */
static void put_tests(struct trod_json *json, const struct trod_page *page, size_t i)
{
    const struct trod_page_path *p = &page->path[i];

    trod_json_open(json, NULL, '[');
    trod_json_uint(json, NULL, p->ntest);
    for (uint32_t k = 0; k < p->ntest && k < TROD_PAGE_TESTS; k++)
        trod_json_uint(json, NULL, p->test[k]);
    trod_json_close(json, ']');
}

static void put_column(struct trod_json *json, const struct trod_page *page,
    const char *key, bool there,
    void (*put)(struct trod_json *json, const struct trod_page *page, size_t i))
{
    if (!there) {
        trod_json_null(json, key);
        return;
    }
    trod_json_open(json, key, '[');
    for (size_t i = 0; i < page->npath; i++)
        put(json, page, i);
    trod_json_close(json, ']');
}

static void put_paths(struct trod_json *json, const struct trod_page *page)
{
    trod_json_open(json, "paths", '{');
    put_column(json, page, "function", true, put_function_of);
    put_column(json, page, "id", true, put_id);
    put_column(json, page, "count", true, put_count_of);
    put_column(json, page, "weight", true, put_weight_of);
    put_column(json, page, "start", true, put_start);
    put_column(json, page, "way", true, put_way);
    put_column(json, page, "flags", page->has_tested || page->has_old, put_flags);
    put_column(json, page, "old", page->has_old, put_old);
    put_column(json, page, "confidence", page->confidence != NULL, put_confidence);
    if (page->ntest)
        put_column(json, page, "tests", true, put_tests);
    trod_json_close(json, '}');
}

void trod_page_json(struct trod_json *json, const struct trod_page *page)
{
    trod_json_open(json, NULL, '{');
    put_head(json, page);
    trod_page_files_json(json, page);
    trod_json_open(json, "functions", '[');
    for (uint32_t i = 0; i < page->nfunction; i++)
        put_function(json, page, &page->function[i]);
    trod_json_close(json, ']');
    put_paths(json, page);
    trod_page_kinds_json(json, page);
    trod_json_close(json, '}');
}
