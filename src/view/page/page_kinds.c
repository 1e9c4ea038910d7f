#include "page/page.h"

#include <string.h>

/* --- functions that are mentioned ------------------------------------------------------------------------ */

static void mention(struct trod_page_kinds *kinds, uint32_t entry)
{
    if (entry != TROD_NONE)
        kinds->also[entry] = true;
}

static void mention_spans(
    struct trod_page_kinds *kinds, const struct trod_page_spans *spans)
{
    for (size_t i = 0; i < spans->nspan; i++)
        for (uint32_t k = 0; k < spans->span[i].nitem; k++)
            mention(kinds, spans->span[i].item[k].entry);
}

static void mention_table(
    struct trod_page_kinds *kinds, const struct trod_page_table *table)
{
    for (uint32_t r = 0; table->mentions && r < table->nrow; r++)
        for (uint32_t c = 0; c < table->ncolumn; c++)
            if (table->column[c].kind == TROD_PAGE_FUNCTION)
                mention(kinds, table->cell[(size_t)r * table->ncolumn + c].entry);
}

void trod_page_kinds_mention(
    struct trod_page_kinds *kinds, const struct trod_map *map, struct trod_arena *mem)
{
    kinds->also = trod_new(mem, bool, map->nentry);
    for (uint32_t i = 0; i < kinds->nspans; i++)
        mention_spans(kinds, &kinds->spans[i]);
    for (uint32_t i = 0; i < kinds->ntable; i++)
        mention_table(kinds, &kinds->table[i]);
    for (uint32_t i = 0; kinds->hardware && i < kinds->hardware->nentry; i++)
        mention(kinds, kinds->hardware->entry[i].entry);
}

/* --- JSON -------------------------------------------------------------------------------------------------- */

enum { JSON_MOST_BITS = 53 };

static void json_count(struct trod_json *json, const char *key, uint64_t count)
{
    const uint64_t most = UINT64_C(1) << JSON_MOST_BITS;

    trod_json_uint(json, key, count < most ? count : most);
}

static uint32_t function_of(const struct trod_page *page, uint32_t entry)
{
    return entry == TROD_NONE || !page->function_of_entry
               ? TROD_NONE
               : page->function_of_entry[entry];
}

static void json_function(struct trod_json *json, const char *key, uint32_t function)
{
    if (function == TROD_NONE)
        trod_json_null(json, key);
    else
        trod_json_uint(json, key, function);
}

static void json_item(struct trod_json *json, const struct trod_page *page,
    const struct trod_page_item *item)
{
    trod_json_open(json, NULL, '[');
    trod_json_uint(json, NULL, item->depth);
    json_function(json, NULL, function_of(page, item->entry));
    trod_json_text(json, NULL, item->name);
    trod_json_open(json, NULL, '[');
    for (uint32_t i = 0; i < item->nblock; i++)
        trod_json_uint(json, NULL, item->block[i]);
    trod_json_close(json, ']');
    trod_json_text(json, NULL, item->text);
    trod_json_close(json, ']');
}

static void json_span(struct trod_json *json, const struct trod_page *page,
    const struct trod_page_span *span)
{
    trod_json_open(json, NULL, '{');
    json_count(json, "count", span->count);
    if (span->high > 0) {
        trod_json_real(json, "low", span->low);
        trod_json_real(json, "high", span->high);
    }
    trod_json_open(json, "items", '[');
    for (uint32_t i = 0; i < span->nitem; i++)
        json_item(json, page, &span->item[i]);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

static void json_spans(struct trod_json *json, const struct trod_page *page,
    const struct trod_page_spans *spans)
{
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "word", spans->word);
    trod_json_text(json, "title", spans->title);
    json_count(json, "total", spans->total);
    trod_json_uint(json, "left", spans->nleft);
    trod_json_open(json, "list", '[');
    for (size_t i = 0; i < spans->nspan; i++)
        json_span(json, page, &spans->span[i]);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

static void json_cell(struct trod_json *json, const struct trod_page *page,
    enum trod_page_kind kind, const struct trod_page_cell *cell)
{
    uint32_t function;

    switch (kind) {
    case TROD_PAGE_TEXT:
        trod_json_text(json, NULL, cell->text);
        break;
    case TROD_PAGE_COUNT:
        json_count(json, NULL, cell->count);
        break;
    case TROD_PAGE_REAL:
    case TROD_PAGE_TIME:
    case TROD_PAGE_SHARE:
        if (cell->real < 0)
            trod_json_null(json, NULL);
        else
            trod_json_real(json, NULL, cell->real);
        break;
    case TROD_PAGE_FUNCTION:
        function = function_of(page, cell->entry);
        if (function == TROD_NONE)
            trod_json_text(json, NULL, cell->text);
        else
            trod_json_uint(json, NULL, function);
        break;
    }
}

static void json_table(struct trod_json *json, const struct trod_page *page,
    const struct trod_page_table *table)
{
    static const char *const words[] = {[TROD_PAGE_TEXT] = "text",
        [TROD_PAGE_COUNT] = "count",
        [TROD_PAGE_REAL] = "real",
        [TROD_PAGE_TIME] = "time",
        [TROD_PAGE_SHARE] = "share",
        [TROD_PAGE_FUNCTION] = "function"};

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "word", table->word);
    trod_json_text(json, "title", table->title);
    trod_json_bool(json, "estimates", table->estimates);
    trod_json_uint(json, "left", table->nleft);
    trod_json_open(json, "columns", '[');
    for (uint32_t c = 0; c < table->ncolumn; c++) {
        trod_json_open(json, NULL, '[');
        trod_json_text(json, NULL, table->column[c].name);
        trod_json_text(json, NULL, words[table->column[c].kind]);
        trod_json_close(json, ']');
    }
    trod_json_close(json, ']');
    trod_json_open(json, "rows", '[');
    for (uint32_t r = 0; r < table->nrow; r++) {
        trod_json_open(json, NULL, '[');
        for (uint32_t c = 0; c < table->ncolumn; c++)
            json_cell(json, page, table->column[c].kind,
                &table->cell[(size_t)r * table->ncolumn + c]);
        trod_json_close(json, ']');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

static void json_windows(
    struct trod_json *json, const char *key, const uint64_t *count, uint32_t nwindow)
{
    trod_json_open(json, key, '[');
    for (uint32_t i = 0; i < nwindow; i++)
        json_count(json, NULL, count[i]);
    trod_json_close(json, ']');
}

static void json_entry(struct trod_json *json, const struct trod_page *page,
    const struct trod_page_hardware *h, const struct trod_page_entry *entry)
{
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "text", entry->text);
    json_function(json, "function", function_of(page, entry->entry));
    if (entry->name)
        trod_json_text(json, "name", entry->name);
    json_windows(json, "held", entry->held, h->nwindow);
    json_windows(json, "really", entry->really, h->nwindow);
    trod_json_close(json, '}');
}

static void json_hardware(struct trod_json *json, const struct trod_page *page)
{
    const struct trod_page_hardware *h = page->hardware;

    if (!h) {
        trod_json_null(json, "hardware");
        return;
    }
    trod_json_open(json, "hardware", '{');
    trod_json_text(json, "design", h->design);
    trod_json_text(json, "metric", h->metric);
    json_count(json, "window", h->window);
    trod_json_uint(json, "windows", h->nwindow);
    json_count(json, "behind", h->behind);
    trod_json_uint(json, "left", h->nleft);
    trod_json_open(json, "overlap", '[');
    for (uint32_t i = 0; i < h->nwindow; i++)
        trod_json_real(json, NULL, h->overlap[i]);
    trod_json_close(json, ']');
    trod_json_open(json, "entries", '[');
    for (uint32_t i = 0; i < h->nentry; i++)
        json_entry(json, page, h, &h->entry[i]);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* The last class has the paths of unknown confidence. It is omitted if empty. */
static bool has_unmarked(const struct trod_page *page)
{
    for (size_t i = 0; i < page->npath; i++)
        if (page->path[i].confidence + 1 == page->nconfidence)
            return true;
    return false;
}

static void json_confidence(struct trod_json *json, const struct trod_page *page)
{
    uint32_t n = page->nconfidence;

    if (!page->confidence) {
        trod_json_null(json, "confidence");
        return;
    }
    if (n && !has_unmarked(page))
        n--;
    trod_json_open(json, "confidence", '[');
    for (uint32_t i = 0; i < n; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "word", page->confidence[i].word);
        trod_json_text(json, "title", page->confidence[i].title);
        trod_json_real(json, "degree", page->confidence[i].degree);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

void trod_page_kinds_json(struct trod_json *json, const struct trod_page *page)
{
    trod_json_open(json, "spans", '[');
    for (uint32_t i = 0; i < page->nspans; i++)
        json_spans(json, page, &page->spans[i]);
    trod_json_close(json, ']');
    trod_json_open(json, "tables", '[');
    for (uint32_t i = 0; i < page->ntable; i++)
        json_table(json, page, &page->table[i]);
    trod_json_close(json, ']');
    json_hardware(json, page);
    json_confidence(json, page);
}
