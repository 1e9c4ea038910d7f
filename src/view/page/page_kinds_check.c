#include "page/page.h"

#include <inttypes.h>

struct validator {
    const struct trod_page *page;
    struct trod_err *err;
    const char *word; /* name of the spans or the table */
};

static bool is_entry(const struct validator *c, uint32_t entry)
{
    return entry == TROD_NONE || entry < c->page->map->nentry;
}

/* --- spans --------------------------------------------------------------------------------------------- */

static bool leads_to(const struct trod_graph *g, trod_node from, trod_node to)
{
    for (trod_edge e = g->first_out[from]; e < g->first_out[from + 1]; e++)
        if (g->dst_of_edge[e] == to)
            return true;
    return false;
}

static bool check_item(const struct validator *c, const struct trod_page_item *item)
{
    const struct trod_graph *g;

    if (!is_entry(c, item->entry) || !item->name || !item->text)
        return trod_fail(c->err, TROD_E_INTERNAL,
            "%s: an item is of no function that there is, or has no words", c->word);
    if (item->entry == TROD_NONE || !item->nblock)
        return true;
    g = c->page->map->entry[item->entry].numbering.dag->graph;
    for (uint32_t i = 0; i < item->nblock; i++)
        if (item->block[i] >= g->nnode ||
            (i && !leads_to(g, item->block[i - 1], item->block[i])))
            return trod_fail(c->err, TROD_E_INTERNAL,
                "%s: block %" PRIu32
                " of an item of %s does not follow from the one before",
                c->word, item->block[i], item->name);
    return true;
}

static bool check_span(const struct validator *c, const struct trod_page_span *span)
{
    bool top = false;

    for (uint32_t i = 0; i < span->nitem; i++) {
        top |= !span->item[i].depth;
        if (!check_item(c, &span->item[i]))
            return false;
    }
    if (!span->count || !top)
        return trod_fail(c->err, TROD_E_INTERNAL,
            "%s: a span did not run, or begins nowhere", c->word);
    if (span->high > 0 && !(span->low >= 0 && span->low <= span->high))
        return trod_fail(c->err, TROD_E_INTERNAL,
            "%s: an estimate is not between its bounds", c->word);
    return true;
}

static bool check_spans(struct validator *c, const struct trod_page_spans *spans)
{
    c->word = spans->word;
    for (size_t i = 0; i < spans->nspan; i++) {
        const struct trod_page_span *span = &spans->span[i];

        if (!check_span(c, span))
            return false;
        if (i && span->high <= 0 && span[-1].count < span->count)
            return trod_fail(
                c->err, TROD_E_INTERNAL, "%s: they are not in order", c->word);
    }
    return true;
}

/* --- tables ---------------------------------------------------------------------------------------------- */

static bool is_cell(const struct validator *c, enum trod_page_kind kind,
    const struct trod_page_cell *cell)
{
    if (kind == TROD_PAGE_FUNCTION)
        return is_entry(c, cell->entry) && cell->text;
    return kind != TROD_PAGE_TEXT || cell->text;
}

static bool check_table(struct validator *c, const struct trod_page_table *table)
{
    c->word = table->word;
    for (uint32_t r = 0; r < table->nrow; r++)
        for (uint32_t k = 0; k < table->ncolumn; k++)
            if (!is_cell(c, table->column[k].kind,
                    &table->cell[(size_t)r * table->ncolumn + k]))
                return trod_fail(c->err, TROD_E_INTERNAL,
                    "%s: row %" PRIu32 " has no %s", c->word, r, table->column[k].name);
    return true;
}

/* --- hardware -------------------------------------------------------------------------------------------- */

static bool check_entry(const struct validator *c, const struct trod_page_hardware *h,
    const struct trod_page_entry *entry)
{
    bool ran = false;

    for (uint32_t i = 0; i < h->nwindow; i++) {
        ran |= entry->really[i] > 0;
        if (entry->held[i] && !entry->really[i])
            return trod_fail(c->err, TROD_E_INTERNAL,
                "hardware: %s is held in window %" PRIu32 ", where it did not run",
                entry->text, i);
    }
    return (ran && is_entry(c, entry->entry)) ||
           trod_fail(c->err, TROD_E_INTERNAL,
               "hardware: %s did not run, or is of no function that there is",
               entry->text);
}

static bool check_hardware(struct validator *c, const struct trod_page_hardware *h)
{
    for (uint32_t i = 0; i < h->nwindow; i++)
        if (!(h->overlap[i] >= 0 && h->overlap[i] <= 1 + 1e-9))
            return trod_fail(c->err, TROD_E_INTERNAL,
                "hardware: the overlap of window %" PRIu32 " is not a share", i);
    for (uint32_t i = 0; i < h->nentry; i++)
        if (!check_entry(c, h, &h->entry[i]))
            return false;
    return true;
}

bool trod_page_kinds_check(const struct trod_page *page, struct trod_err *err)
{
    struct validator c = {.page = page, .err = err};

    for (uint32_t i = 0; i < page->nspans; i++)
        if (!check_spans(&c, &page->spans[i]))
            return false;
    for (uint32_t i = 0; i < page->ntable; i++)
        if (!check_table(&c, &page->table[i]))
            return false;
    return !page->hardware || check_hardware(&c, page->hardware);
}
