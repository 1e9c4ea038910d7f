#include "page/page.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* --- line counts ------------------------------------------------------------------------------------------------ */

/* The rows of all files, while they are collected. */
struct rows {
    struct trod_page *page;
    struct trod_arena *mem;
    struct trod_page_row **row; /* [nfile] */
    uint32_t *nrow, *room;      /* [nfile] */
};

static void add(struct rows *r, uint32_t file, struct trod_page_row row)
{
    trod_push(r->mem, r->row[file], r->nrow[file], r->room[file], row);
}

static int by_path(const void *x, const void *y)
{
    return strcmp(x, ((const struct trod_flow_source *)y)->path);
}

/* Add the counts of all sources in the page. */
static void add_sources(struct rows *r, const struct trod_flows *flows, bool old)
{
    struct trod_flow_source *source;
    size_t n = trod_flow_sources(&source, flows, r->mem);

    for (uint32_t i = 0; n && i < r->page->nfile; i++) {
        const struct trod_flow_source *from =
            bsearch(r->page->file[i].path, source, n, sizeof *source, by_path);

        for (uint32_t k = 0; from && k < from->nrow; k++) {
            struct trod_page_row row = {.line = from->row[k].line,
                .counted = !old && !from->row[k].unknown,
                .compared = old};

            *(old ? &row.old : &row.count) = from->row[k].count;
            add(r, i, row);
        }
    }
}

/* Supergraphs are not among the sources. Their callees are counted as functions as well, so only the root frame is
 * added.
 */
static void add_across(struct rows *r, const struct trod_page_function *f)
{
    struct trod_flow_row *row;
    uint32_t n = trod_flow_rows_by_block(&row, f->flow, 0, r->mem);

    for (uint32_t i = 0; i < n; i++)
        add(r, f->file,
            (struct trod_page_row){
                .line = row[i].line, .counted = true, .count = row[i].count});
}

static void add_uncounted(
    struct rows *r, uint32_t file, const uint32_t *line, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (line[i])
            add(r, file, (struct trod_page_row){.line = line[i]});
}

/* Functions that only spans and tables mention: the counts of their lines are unknown. */
static void add_unknown(struct rows *r, const struct trod_page_function *f)
{
    const struct trod_map_entry *entry = f->flow->entry;
    uint32_t n = entry->numbering.dag->graph->nnode;

    if (!entry->first_line || entry->nframe)
        return;
    add_uncounted(r, f->file, entry->line, entry->first_line[n]);
    for (uint32_t i = 0; i < entry->nincluded; i++)
        add_uncounted(r, f->file_of_included[i], entry->included[i].line,
            entry->included[i].first_line[n]);
}

TROD_ORDER(by_line, struct trod_page_row, TROD_UP(line))

static uint32_t join(struct trod_page_row *row, uint32_t n)
{
    uint32_t kept = 0;

    trod_sort(row, n, by_line);
    for (uint32_t i = 0; i < n; i++) {
        struct trod_page_row *to = kept ? &row[kept - 1] : NULL;

        if (!to || to->line != row[i].line) {
            row[kept++] = row[i];
            continue;
        }
        to->counted |= row[i].counted;
        to->compared |= row[i].compared;
        to->count = trod_sat_add(to->count, row[i].count);
        to->old = trod_sat_add(to->old, row[i].old);
    }
    return kept;
}

void trod_page_fill_rows(
    struct trod_page *page, const struct trod_flows *before, struct trod_arena *mem)
{
    struct rows r = {.page = page,
        .mem = mem,
        .row = trod_new(mem, struct trod_page_row *, page->nfile),
        .nrow = trod_new(mem, uint32_t, page->nfile),
        .room = trod_new(mem, uint32_t, page->nfile)};

    add_sources(&r, page->flows, false);
    if (before)
        add_sources(&r, before, true);
    for (uint32_t i = 0; i < page->nfunction; i++) {
        const struct trod_page_function *f = &page->function[i];

        if (!page->flows->of_entry[f->flow->entry - page->map->entry].entry)
            add_unknown(&r, f);
        else if (f->flow->entry->nframe)
            add_across(&r, f);
    }
    for (uint32_t i = 0; i < page->nfile; i++) {
        page->file[i].nrow = join(r.row[i], r.nrow[i]);
        page->file[i].row = r.row[i];
    }
}

/* --- lines of long files to include ------------------------------------------------------------------------------- */

/* The first and last line, with some context; last is 0 if there is none. */
struct extent {
    uint32_t first, last;
};

static struct extent extent_of(const struct trod_map_entry *entry)
{
    struct extent out = {UINT32_MAX, 0};
    uint32_t n =
        entry->first_line ? entry->first_line[entry->numbering.dag->graph->nnode] : 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t line = entry->line[i];

        if (!line)
            continue;
        out.first = line < out.first ? line : out.first;
        out.last = line > out.last ? line : out.last;
    }
    if (out.last) {
        out.first = out.first > TROD_PAGE_AROUND ? out.first - TROD_PAGE_AROUND : 1;
        out.last += TROD_PAGE_AROUND;
    }
    return out;
}

void trod_page_fold(struct trod_page *page, uint64_t nline)
{
    uint64_t ntold = 0;

    if (nline <= TROD_PAGE_TOLD)
        return;
    page->folded = true;
    for (; page->ntold < page->nfunction; page->ntold++) {
        struct extent lines = extent_of(page->function[page->ntold].flow->entry);

        ntold += lines.last ? lines.last - lines.first + 1 : 0;
        if (ntold > TROD_PAGE_TOLD)
            return;
    }
}

/* Mark the lines of a function in this file. */
static void mark_entry(const struct trod_map_entry *entry, bool *wanted, uint32_t nline)
{
    struct extent lines = extent_of(entry);

    for (uint32_t i = lines.first; i <= lines.last && i <= nline; i++)
        wanted[i - 1] = true;
}

static void mark(
    const struct trod_page *page, uint32_t file, bool *wanted, uint32_t nline)
{
    uint32_t n = page->folded ? page->ntold : page->nfunction;

    for (uint32_t i = 0; i < n; i++) {
        const struct trod_page_function *f = &page->function[i];
        const struct trod_map_entry *entry = f->flow->entry;

        if (!entry->nframe && f->file == file)
            mark_entry(entry, wanted, nline);
        for (uint32_t k = 0; k < entry->nincluded; k++) {
            struct trod_map_entry there =
                trod_flow_included_entry(entry, &entry->included[k]);

            if (f->file_of_included[k] == file)
                mark_entry(&there, wanted, nline);
        }
        for (uint32_t k = 0; k < entry->nframe; k++)
            if (f->file_of_frame[k] == file)
                mark_entry(&page->map->entry[entry->frame[k].of_entry], wanted, nline);
    }
}

/* Fill short gaps between functions: dropping a few lines saves little and could cut a comment in two. */
static void close_gaps(bool *wanted, uint32_t nline)
{
    uint32_t last = 0; /* line after the last wanted one; 0: none yet */

    for (uint32_t i = 0; i < nline; i++) {
        if (!wanted[i])
            continue;
        for (uint32_t k = last; last && i - last < TROD_PAGE_GAP && k < i; k++)
            wanted[k] = true;
        last = i + 1;
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
    if (nline <= TROD_PAGE_WHOLE && !page->folded)
        return;
    kept = trod_new(mem, const char *, nline);
    wanted = trod_new(mem, bool, nline);
    mark(page, file, wanted, nline);
    close_gaps(wanted, nline);
    to->nline = 0;
    for (uint32_t i = 0; i < nline; i++) {
        kept[i] = wanted[i] ? line[i] : "";
        if (wanted[i])
            to->nline = i + 1;
    }
    to->line = kept;
    to->kept = wanted;
    to->why = page->folded
                  ? "the program is large: the page has only lines of its hottest "
                    "functions"
                  : "the file is long: the page has only lines of functions that are "
                    "shown";
}
