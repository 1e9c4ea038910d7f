#include "page/page.h"

/* Mark the lines of a function, from its first to its last, and some around, which are in this file. */
static void mark_entry(const struct trod_map_entry *entry, bool *wanted, uint32_t nline)
{
    uint32_t first = UINT32_MAX, last = 0, n;

    if (!entry->first_line)
        return;
    n = entry->first_line[entry->numbering.dag->graph->nnode];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t line = entry->line[i];

        if (!line)
            continue;
        first = line < first ? line : first;
        last = line > last ? line : last;
    }
    if (!last)
        return;
    first = first > TROD_PAGE_AROUND ? first - TROD_PAGE_AROUND : 1;
    for (uint32_t i = first; i <= last + TROD_PAGE_AROUND && i <= nline; i++)
        wanted[i - 1] = true;
}

static void mark(
    const struct trod_page *page, uint32_t file, bool *wanted, uint32_t nline)
{
    for (uint32_t i = 0; i < page->nfunction; i++) {
        const struct trod_page_function *f = &page->function[i];
        const struct trod_map_entry *entry = f->flow->entry;

        if (!entry->nframe && f->file == file)
            mark_entry(entry, wanted, nline);
        for (uint32_t k = 0; k < entry->nframe; k++)
            if (f->file_of_frame[k] == file)
                mark_entry(&page->map->entry[entry->frame[k].of_entry], wanted, nline);
    }
}

void trod_page_fill_file(struct trod_page *page, uint32_t file, const char *const *line,
    uint32_t nline, struct trod_arena *mem)
{
    struct trod_page_file *to = &page->file[file];
    const char **kept;
    bool *wanted;

    to->line = line;
    to->nline = nline;
    to->why = NULL;
    if (nline <= TROD_PAGE_WHOLE)
        return;
    kept = trod_new(mem, const char *, nline);
    wanted = trod_new(mem, bool, nline);
    mark(page, file, wanted, nline);
    to->nline = 0;
    for (uint32_t i = 0; i < nline; i++) {
        kept[i] = wanted[i] ? line[i] : "";
        if (wanted[i])
            to->nline = i + 1;
    }
    to->line = kept;
    to->why = "it is long: only lines of functions that are shown are here";
}
