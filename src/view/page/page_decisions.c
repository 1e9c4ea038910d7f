#include "page/page.h"

/* The meaning of outcomes in the source. */
static void put_decisions(struct trod_json *json, const struct trod_map_entry *entry)
{
    const struct trod_graph *g = entry->numbering.dag->graph;

    if (!entry->ndecision)
        return;
    trod_json_open(json, "decisions", '[');
    for (uint32_t i = 0; i < entry->ndecision; i++) {
        const struct trod_map_decision *d = &entry->decision[i];

        trod_json_open(json, NULL, '[');
        trod_json_uint(json, NULL, d->node);
        trod_json_uint(json, NULL, trod_map_decision_place(entry, d->node).line);
        for (uint32_t k = 0; k < g->first_out[d->node + 1] - g->first_out[d->node]; k++)
            trod_json_text(json, NULL, d->way[k]);
        trod_json_close(json, ']');
    }
    trod_json_close(json, ']');
}

/* The condition of a block, formatted as in reports; NULL if unknown. */
static const char *condition_of(
    const struct trod_page *page, const struct trod_map_entry *entry, trod_node v)
{
    struct trod_string text;

    if (trod_map_is_own_decision(entry, v))
        return NULL;
    if (!trod_map_decision_place(entry, v).line)
        return trod_branch_name(entry, v);
    trod_string_init(&text, page->text->mem);
    if (!trod_condition_put(&text.sink, page->map, entry, v, page->text))
        return NULL;
    return trod_clip(text.text, TROD_PAGE_CONDITION, page->text->mem);
}

/* One condition for each branch. */
static void put_conditions(struct trod_json *json, const struct trod_page *page,
    const struct trod_page_function *function)
{
    const struct trod_map_entry *entry = function->flow->entry;
    const struct trod_graph *g = entry->numbering.dag->graph;

    if (!page->text || !entry->first_line || trod_page_is_cold(page, function))
        return;
    trod_json_open(json, "conditions", '[');
    for (trod_node v = 0; v < g->nnode; v++) {
        const char *text;

        if (g->first_out[v + 1] - g->first_out[v] < 2)
            continue;
        text = condition_of(page, entry, v);
        if (text)
            trod_json_text(json, NULL, text);
        else
            trod_json_null(json, NULL);
    }
    trod_json_close(json, ']');
}

static void put_loops(struct trod_json *json, const struct trod_map_entry *entry)
{
    bool any = false;

    for (trod_node v = 0; entry->line_of_loop && v < entry->numbering.dag->graph->nnode;
        v++) {
        if (!entry->line_of_loop[v])
            continue;
        if (!any)
            trod_json_open(json, "loops", '[');
        any = true;
        trod_json_open(json, NULL, '[');
        trod_json_uint(json, NULL, v);
        trod_json_uint(json, NULL, entry->line_of_loop[v]);
        trod_json_close(json, ']');
    }
    if (any)
        trod_json_close(json, ']');
}

/* Blocks that leave the function other than by a return. */
static void put_leaves(struct trod_json *json, const struct trod_map_entry *entry)
{
    bool any = false;

    for (trod_node v = 0; v < entry->numbering.dag->graph->nnode; v++) {
        enum trod_path_place place = trod_path_leaves_by(entry, v);

        if (place == TROD_AT_RETURN)
            continue;
        if (!any)
            trod_json_open(json, "leaves", '[');
        any = true;
        trod_json_open(json, NULL, '[');
        trod_json_uint(json, NULL, v);
        trod_json_text(json, NULL, trod_path_place_name(place));
        trod_json_close(json, ']');
    }
    if (any)
        trod_json_close(json, ']');
}

/* --- text of other files ------------------------------------------------------------------------------------------ */

static void put_included(struct trod_json *json, const struct trod_map_included *text,
    uint32_t file, trod_node nnode)
{
    trod_json_open(json, NULL, '[');
    trod_json_uint(json, NULL, file);
    trod_json_open(json, NULL, '[');
    for (trod_node v = 0; v < nnode; v++) {
        if (text->first_line[v] == text->first_line[v + 1])
            continue;
        trod_json_open(json, NULL, '[');
        trod_json_uint(json, NULL, v);
        for (uint32_t i = text->first_line[v]; i < text->first_line[v + 1]; i++)
            if (text->line[i])
                trod_json_uint(json, NULL, text->line[i]);
        trod_json_close(json, ']');
    }
    trod_json_close(json, ']');
    trod_json_close(json, ']');
}

static void put_elsewhere(struct trod_json *json, const struct trod_page_function *f)
{
    if (!f->nelsewhere)
        return;
    trod_json_open(json, "elsewhere", '[');
    for (uint32_t i = 0; i < f->nelsewhere; i++) {
        trod_json_open(json, NULL, '[');
        trod_json_uint(json, NULL, f->elsewhere[i].node);
        trod_json_uint(json, NULL, f->elsewhere[i].file);
        trod_json_close(json, ']');
    }
    trod_json_close(json, ']');
}

void trod_page_decisions_json(struct trod_json *json, const struct trod_page *page,
    const struct trod_page_function *f)
{
    const struct trod_map_entry *entry = f->flow->entry;

    put_decisions(json, entry);
    put_conditions(json, page, f);
    put_loops(json, entry);
    put_leaves(json, entry);
    put_elsewhere(json, f);
    if (!entry->nincluded)
        return;
    trod_json_open(json, "included", '[');
    for (uint32_t i = 0; i < entry->nincluded; i++)
        put_included(json, &entry->included[i], f->file_of_included[i],
            entry->numbering.dag->graph->nnode);
    trod_json_close(json, ']');
}
