#include "page/kinds.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* --- observing windows ----------------------------------------------------------------------------------- */

void trod_page_watch_init(struct trod_page_watch *out, struct trod_arena *mem)
{
    *out = (struct trod_page_watch){.mem = mem};
}

static void note(
    struct trod_page_watch *w, uint32_t path, uint64_t held, uint64_t really)
{
    trod_push(w->mem, w->seen, w->nseen, w->room,
        (struct trod_page_seen){w->nwindow, path, held, really});
}

static uint64_t held_of(const struct trod_hot_table *table,
    const struct trod_reference *reference, uint32_t path)
{
    const struct trod_hot_entry *entry =
        trod_hot_table_find(table, path, &reference->path[path]);

    return entry ? entry->count : 0;
}

/* Notes the paths that ran in the window. Others are not in the table, which was empty when the window began; paths of
 * weight 0 are an exception and ignored.
 */
void trod_page_watch_window(void *ctx, const struct trod_profiler *m)
{
    const struct trod_hot_table *table = &m->table[0].windowed;
    const struct trod_path_window *window = &m->window;
    struct trod_page_watch *w = ctx;

    if (w->nwindow == TROD_PAGE_WINDOWS_MOST) {
        w->full = true;
        return;
    }
    for (uint32_t i = 0; i < window->ntouched; i++) {
        uint32_t path = window->touched[i];

        note(
            w, path, held_of(table, &m->reference, path), window->weight_of_path[path]);
    }
    trod_push(w->mem, w->overlap, w->nwindow, w->room_window,
        m->table[0].last_window.overlap);
}

/* --- choice of paths -------------------------------------------------------------------------------------- */

struct chosen {
    uint32_t path;
    bool held; /* in the table at the end of some window */
    uint64_t held_sum, really;
};

/* By real weight, then by weight in the table: paths that were never in it come last. */
static int by_weight(const void *x, const void *y)
{
    const struct chosen *a = x, *b = y;

    if (a->really != b->really)
        return a->really < b->really ? 1 : -1;
    if (a->held_sum != b->held_sum)
        return a->held_sum < b->held_sum ? 1 : -1;
    return a->path < b->path ? -1 : a->path > b->path;
}

static struct chosen *sum_up(
    const struct trod_page_watch *w, uint32_t npath, struct trod_arena *mem)
{
    struct chosen *all = trod_new(mem, struct chosen, npath);

    for (uint32_t i = 0; i < npath; i++)
        all[i].path = i;
    for (size_t i = 0; i < w->nseen; i++) {
        struct chosen *c = &all[w->seen[i].path];

        c->held |= w->seen[i].held > 0;
        c->held_sum = trod_sat_add(c->held_sum, w->seen[i].held);
        c->really = trod_sat_add(c->really, w->seen[i].really);
    }
    trod_sort(all, npath, by_weight);
    return all;
}

/* --- output -------------------------------------------------------------------------------------------------- */

struct formatter {
    const struct trod_page_watch *watch;
    const struct trod_reference *reference;
    const struct trod_page_names *names;
    const struct trod_page_symbols *symbols;
    struct trod_arena *mem;
};

static void fill_entry(
    struct trod_page_entry *out, const struct formatter *s, uint32_t number)
{
    const struct trod_reference_path *path = &s->reference->path[number];
    struct trod_string text;

    trod_string_init(&text, s->mem);
    trod_descriptor_print(&text.sink, &path->path);
    *out = (struct trod_page_entry){.text = text.text, .entry = TROD_NONE};
    if (s->symbols)
        out->name = s->symbols->name(s->symbols->ctx, path->path.start);
    if (!out->name)
        return;
    out->entry = trod_page_names_find(s->names, out->name, NULL);
    out->name = s->symbols->display_name(s->symbols->ctx, out->name);
}

/* Two arrays of windows per entry, allocated as one. */
static void fill_windows(struct trod_page_entry *entry, uint32_t nentry,
    const struct chosen *chosen, const struct formatter *s)
{
    uint32_t nwindow = s->watch->nwindow;
    uint64_t *held = trod_new(s->mem, uint64_t, (size_t)nentry *nwindow),
             *really = trod_new(s->mem, uint64_t, (size_t)nentry *nwindow);
    uint32_t *row_of_path = trod_new(s->mem, uint32_t, s->reference->npath);

    for (uint32_t i = 0; i < nentry; i++) {
        row_of_path[chosen[i].path] = i + 1;
        entry[i].held = &held[(size_t)i * nwindow];
        entry[i].really = &really[(size_t)i * nwindow];
    }
    for (size_t i = 0; i < s->watch->nseen; i++) {
        const struct trod_page_seen *seen = &s->watch->seen[i];
        size_t row = row_of_path[seen->path];

        if (!row)
            continue;
        held[(row - 1) * nwindow + seen->window] = seen->held;
        really[(row - 1) * nwindow + seen->window] = seen->really;
    }
}

static const char *design_of(
    const struct trod_hot_design *design, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_hot_design_print(&text.sink, design);
    return text.text;
}

void trod_page_hardware_build(struct trod_page_hardware *out,
    const struct trod_page_watch *watch, const struct trod_profiler *profiler,
    const struct trod_page_names *names, const struct trod_page_symbols *symbols,
    uint32_t most, struct trod_arena *mem)
{
    struct formatter s = {watch, &profiler->reference, names, symbols, mem};
    uint32_t npath = profiler->reference.npath, n = 0;
    struct chosen *chosen = sum_up(watch, npath, mem);
    struct trod_page_entry *entry = trod_new(mem, struct trod_page_entry, most);
    uint64_t ninsn = profiler->detector.seen.ninsn,
             noted = trod_sat_mul(watch->nwindow, profiler->options.window);

    *out = (struct trod_page_hardware){
        .design = design_of(&profiler->table[0].whole.design, mem),
        .metric = trod_control_metric_word(profiler->detector.control.metric),
        .window = profiler->options.window,
        .nwindow = watch->nwindow,
        .behind = ninsn > noted ? ninsn - noted : 0,
        .overlap = watch->overlap,
        .entry = entry};
    while (n < npath && n < most && chosen[n].really) {
        fill_entry(&entry[n], &s, chosen[n].path);
        n++;
    }
    for (uint32_t i = n; i < npath; i++)
        out->nleft += chosen[i].held;
    out->nentry = n;
    fill_windows(entry, n, chosen, &s);
}
