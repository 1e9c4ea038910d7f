#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/path_collector.h"
#include "base/order.h"

/* --- notes ----------------------------------------------------------------------------------------------------- */

static void add_note(struct trod_page *page, struct trod_arena *mem, const char *text)
{
    trod_push(mem, page->note, page->nnote, page->room_note, text);
}

void trod_page_note(
    struct trod_page *page, struct trod_arena *mem, const char *format, ...)
{
    va_list args, again;
    int length;
    char *text;

    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    text = trod_new(mem, char, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    add_note(page, mem, text);
}

/* The notes below a report, and how it was sampled: one comment per line. */
static void note_remarks(struct trod_page *page, struct trod_arena *mem)
{
    static const char *const marks[] = {"# ", "note: "};
    const struct trod_profile *profile = page->profile;
    struct trod_string text;
    const char *end;

    trod_string_init(&text, mem);
    trod_report_how(&text.sink, profile->burst, profile->nburst);
    trod_report_remarks(&text.sink, profile, page->map, NULL, mem);
    for (const char *at = text.text; at && *at; at = *end ? end + 1 : end) {
        end = strchr(at, '\n');
        if (!end)
            end = at + strlen(at);
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
            if (strncmp(at, marks[i], strlen(marks[i])) == 0)
                at += strlen(marks[i]);
        if (end > at)
            add_note(page, mem, trod_copy_text(mem, at, (size_t)(end - at)));
    }
}

static void note_gathered(
    struct trod_page *page, const struct path_collector *g, struct trod_arena *mem)
{
    const struct trod_profile_diff *since = g->options->since;

    if (g->nunknown)
        trod_page_note(page, mem,
            "%" PRIu64 " functions are in no map: their paths, which ran %" PRIu64
            " times, are not shown; name their program with --binary",
            g->nunknown, g->unknown);
    if (g->nbad)
        trod_page_note(page, mem,
            "%" PRIu64 " ids are not paths of their functions, and are not shown",
            g->nbad);
    if (g->nchanged)
        trod_page_note(page, mem,
            "%" PRIu64 " functions changed since the profile of --since: their paths "
            "are not compared",
            g->nchanged);
    if (g->ngone)
        trod_page_note(page, mem,
            "%" PRIu64 " paths of the profile of --since belong to functions that "
            "this program lacks or that changed: they are not shown",
            g->ngone);
    if (since && since->nunknown)
        trod_page_note(page, mem,
            "%" PRIu64 " paths are not compared: only one of the profiles counts them",
            since->nunknown);
}

/* --- files ------------------------------------------------------------------------------------------------------- */

struct files {
    struct trod_page *page;
    struct trod_arena *mem;
    struct trod_names names; /* full paths of the files */
    uint32_t room;
};

/* The function's own file, or `other`, whose text it includes. Files are identified by full path: the same name may
 * denote files in several directories, and one file may have several names.
 */
static uint32_t file_of(
    struct files *f, const struct trod_map_entry *entry, const char *other)
{
    struct trod_page *page = f->page;
    const char *directory = trod_flow_directory(page->map, entry);
    const char *name = other ? other : trod_flow_file(entry);
    const char *path = trod_only_path(directory, name, f->mem);
    uint32_t at = trod_names_add(&f->names, path);

    if (at == page->nfile) {
        trod_push(f->mem, page->file, page->nfile, f->room,
            (struct trod_page_file){.name = name,
                .directory = directory,
                .path = path,
                .system =
                    other ? trod_is_system_path(other) : trod_is_system_code(entry),
                .why = entry->machine
                           ? "lines are unknown: there is no debug information"
                           : "lines are unknown: it was compiled without -g"});
    }
    if (entry->first_line)
        page->file[at].why = NULL;
    return at;
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

static uint32_t *files_of_frames(struct files *f, const struct trod_map_entry *entry)
{
    uint32_t *file;

    if (!entry->nframe)
        return NULL;
    file = trod_new(f->mem, uint32_t, entry->nframe);
    for (uint32_t i = 0; i < entry->nframe; i++)
        file[i] = file_of(f, &f->page->map->entry[entry->frame[i].of_entry], NULL);
    return file;
}

static uint32_t *files_of_included(struct files *f, const struct trod_map_entry *entry)
{
    uint32_t *file = trod_new(f->mem, uint32_t, entry->nincluded);

    for (uint32_t i = 0; i < entry->nincluded; i++)
        file[i] = file_of(f, entry, entry->included[i].file);
    return file;
}

static void find_elsewhere(
    struct trod_page_function *out, struct files *f, const struct trod_map_entry *entry)
{
    const struct trod_graph *g = entry->numbering.dag->graph;

    for (trod_node v = 0; v < g->nnode; v++) {
        const char *file = g->first_out[v + 1] - g->first_out[v] < 2
                               ? NULL
                               : trod_map_decision_place(entry, v).file;

        if (!file)
            continue;
        trod_push(f->mem, out->elsewhere, out->nelsewhere, out->room_elsewhere,
            (struct trod_page_elsewhere){v, file_of(f, entry, file)});
    }
}

static void add_function(
    struct files *f, const struct trod_flow *flow, uint32_t *room_function)
{
    struct trod_page *page = f->page;
    const struct trod_map_entry *entry = flow->entry;
    struct trod_page_function function = {.flow = flow,
        .line = trod_flow_line(entry, entry->numbering.dag->graph->entry),
        .npath = trod_chain_count(&entry->chain, f->mem),
        .nlimited = trod_cover_limited(entry)};

    /* A function may begin with included text. */
    if (!function.line)
        function.line = entry->declared;
    if (strcmp(entry->display_name, entry->name) != 0)
        function.brief = trod_short_parts(entry->display_name, TROD_PAGE_NAME, f->mem);
    function.file_of_frame = files_of_frames(f, entry);
    function.file =
        function.file_of_frame ? function.file_of_frame[0] : file_of(f, entry, NULL);
    function.file_of_included = files_of_included(f, entry);
    find_elsewhere(&function, f, entry);
    trod_push(f->mem, page->function, page->nfunction, *room_function, function);
}

/* Functions with paths in the page, functions that ran otherwise, and requested ones. */
static void add_functions(
    struct trod_page *page, const struct path_collector *g, const bool *has_paths)
{
    const struct trod_page_options *o = g->options;
    struct files files = {.page = page, .mem = g->mem};
    uint32_t room = 0;

    trod_names_init(&files.names, g->mem);
    for (uint32_t i = 0; i < g->map->nentry; i++) {
        const struct trod_flow *flow = &page->flows->of_entry[i];
        bool also = o->also && o->also[i] && g->map->entry[i].numbering.dag;

        if (!also && (!flow->entry || !trod_page_wants(g, i) ||
                         !(has_paths[i] || trod_flow_ran(flow) || o->all)))
            continue;
        if (!flow->entry) {
            struct trod_flow *none = trod_new(g->mem, struct trod_flow, 1);

            none->entry = &g->map->entry[i];
            flow = none;
        }
        add_function(&files, flow, &room);
    }
}

/* Functions with sampled blocks instead of counted paths. */
static void add_sampled(struct trod_page *page, struct trod_page_function *f)
{
    const struct trod_flow *flow = f->flow;

    if (flow->npath || !flow->count_of_node)
        return;
    for (trod_node v = 0; v < flow->entry->numbering.dag->graph->nnode; v++)
        f->weight = trod_sat_add(f->weight, flow->count_of_node[v]);
    page->weight = trod_sat_add(page->weight, f->weight);
}

static void add_counts(struct trod_page *page, const struct path_collector *g)
{
    for (uint32_t i = 0; i < page->nfunction; i++) {
        struct trod_page_function *f = &page->function[i];
        size_t entry = (size_t)(f->flow->entry - page->map->entry);

        add_sampled(page, f);
        f->compared = g->changed && !g->changed[entry];
        f->old = f->compared ? g->old_of_entry[entry] : 0;
    }
    for (size_t i = 0; i < g->npath; i++) {
        uint32_t at = page->function_of_entry[g->path[i].entry];
        struct trod_page_function *f;

        if (at == TROD_NONE)
            continue;
        f = &page->function[at];
        f->count = trod_sat_add(f->count, g->path[i].count);
        f->weight = trod_sat_add(f->weight, g->path[i].weight);
        f->nran += g->path[i].count != 0;
    }
}

static int by_weight(const void *x, const void *y)
{
    const struct trod_page_function *a = x, *b = y;

    if (a->weight != b->weight)
        return a->weight < b->weight ? 1 : -1;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    return (a->flow->entry > b->flow->entry) - (a->flow->entry < b->flow->entry);
}

static void number_functions(struct trod_page *page, uint32_t *function_of_entry)
{
    for (uint32_t i = 0; i < page->map->nentry; i++)
        function_of_entry[i] = TROD_NONE;
    for (uint32_t i = 0; i < page->nfunction; i++)
        function_of_entry[page->function[i].flow->entry - page->map->entry] = i;
}

static void fill_functions(struct trod_page *page, const struct path_collector *g)
{
    uint32_t *function_of_entry = trod_new(g->mem, uint32_t, g->map->nentry);
    bool *has_paths = trod_new(g->mem, bool, g->map->nentry);

    for (size_t i = 0; i < g->npath; i++)
        has_paths[g->path[i].entry] = true;
    add_functions(page, g, has_paths);
    page->function_of_entry = function_of_entry;
    number_functions(page, function_of_entry);
    add_counts(page, g);
    trod_sort(page->function, page->nfunction, by_weight);
    number_functions(page, function_of_entry);
}

/* Callees of blocks are identified by linkage names. */
static void fill_links(struct trod_page *page, struct trod_arena *mem)
{
    uint32_t *entry_of_link = trod_new(mem, uint32_t, page->map->nentry);

    trod_names_init(&page->link, mem);
    for (uint32_t i = 0; i < page->map->nentry; i++) {
        uint32_t n = page->link.count;

        if (trod_names_add(&page->link, page->map->entry[i].name) == n)
            entry_of_link[n] = i;
    }
    page->entry_of_link = entry_of_link;
}

/* --- paths -------------------------------------------------------------------------------------------------------- */

static int by_count(const void *x, const void *y)
{
    const struct trod_page_path *a = x, *b = y;

    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    if (a->old != b->old)
        return a->old < b->old ? 1 : -1;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* Keep the `most` most frequent paths that ran, and up to as many that did not. */
static void leave_out(struct trod_page *page, struct trod_page_path *path, size_t most,
    struct trod_arena *mem)
{
    size_t nran = 0, n, nidle, kept;
    uint64_t times = 0;

    while (nran < page->npath && path[nran].count)
        nran++;
    n = nran < most ? nran : most;
    nidle = page->npath - nran;
    kept = nidle < most ? nidle : most;
    for (size_t i = n; i < nran; i++)
        times = trod_sat_add(times, path[i].count);
    for (size_t i = 0; i < kept; i++)
        path[n + i] = path[nran + i];
    if (n < nran)
        trod_page_note(page, mem,
            "%zu paths are not listed, for %zu ran as often or more: together they ran "
            "%" PRIu64 " times; list more with --most",
            nran - n, n, times);
    if (kept < nidle)
        trod_page_note(page, mem,
            "%zu paths that did not run are not listed; list more with --most",
            nidle - kept);
    page->npath = n + kept;
}

static void fill_paths(struct trod_page *page, const struct path_collector *g)
{
    const struct trod_page_options *o = g->options;
    struct trod_page_path *path = trod_new(g->mem, struct trod_page_path, g->npath);

    for (size_t i = 0; i < g->npath; i++) {
        const struct collected_path *p = &g->path[i];

        if (page->function_of_entry[p->entry] == TROD_NONE ||
            !trod_page_wants(g, p->entry))
            continue;
        path[page->npath++] =
            (struct trod_page_path){.function = page->function_of_entry[p->entry],
                .id = p->id,
                .count = p->count,
                .weight = p->weight,
                .old = p->old,
                .flags = p->flags,
                .ntest = p->ntest,
                .test = p->test,
                .confidence = o->confidence_of
                                  ? o->confidence_of(o->confidence_ctx, p->entry, p->id)
                                  : 0};
    }
    trod_sort(path, page->npath, by_count);
    page->path = path;
    leave_out(page, path, o->most ? o->most : TROD_PAGE_MOST, g->mem);
}

bool trod_page_build(struct trod_page *out, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_flows *flows,
    const struct trod_page_options *options, struct trod_arena *mem,
    struct trod_err *err)
{
    struct path_collector g = {
        .profile = profile, .map = map, .options = options, .mem = mem};

    *out = (struct trod_page){.profile = profile,
        .map = map,
        .flows = flows,
        .exact = flows->exact,
        .test = options->ntest > 1 ? options->test : NULL,
        .ntest = options->ntest > 1 ? options->ntest : 0,
        .has_tested = options->tested || options->missing,
        .has_old = options->since != NULL};
    trod_page_gather(&g);
    if (!trod_page_flag(&g, err))
        return false;
    out->total = g.total;
    out->weight = g.weight;
    out->old_total = g.old_total;
    fill_functions(out, &g);
    trod_page_fill_rows(out, options->before, mem);
    fill_links(out, mem);
    fill_paths(out, &g);
    note_gathered(out, &g, mem);
    note_remarks(out, mem);
    return true;
}
