#include "look/look.h"
#include "output/output.h"

#include <inttypes.h>
#include <string.h>

#include "graphviz/graphviz.h"

/* Defaults: a page should be ready soon, and few readers look at graphs beyond the hottest, so dot
 * lays out only these. */
enum { SECONDS = 3, MOST = 500 };

/* Functions of a page, and the results of their layout. */
struct layout {
    struct cli *cli;
    struct trod_page *page;
    uint32_t *function; /* [count] small enough for dot */
    uint32_t count;
    uint32_t nlarge, ntaken, nlost;
    uint32_t ncold; /* not given to dot because they are cold */
    struct cli_progress progress;
};

static void put(void *ctx, uint32_t number, struct trod_sink *sink)
{
    const struct layout *l = ctx;

    trod_page_dot(sink, &l->page->function[l->function[number]]);
}

static void take(void *ctx, uint32_t number, const char *plain, size_t length)
{
    struct layout *l = ctx;
    struct trod_page_function *f = &l->page->function[l->function[number]];
    struct trod_page_layout *layout =
        trod_new(&l->cli->mem, struct trod_page_layout, 1);

    if (length && trod_page_layout_parse(layout, f, plain, length, &l->cli->mem)) {
        f->layout = layout;
        f->undrawn = NULL;
    } else {
        f->undrawn = "dot took too long for it, or produced no layout";
        l->nlost++;
    }
    l->ntaken++;
    cli_progress_report(&l->progress, l->cli, l->ntaken, l->count);
}

static void choose(struct layout *l)
{
    const struct trod_page *page = l->page;

    l->function = trod_new(&l->cli->mem, uint32_t, page->nfunction);
    for (uint32_t i = 0; i < page->nfunction; i++)
        if (page->function[i].flow->entry->numbering.dag->graph->nnode <=
            TROD_PAGE_LAID)
            l->function[l->count++] = i;
        else
            l->nlarge++;
    for (uint32_t i = 0; i < page->nfunction; i++)
        page->function[i].undrawn = "it has too many blocks for dot";
    for (uint32_t i = 0; i < l->count; i++)
        page->function[l->function[i]].undrawn =
            "no time was left for dot; give more with --layout=SECONDS";
    if (!l->cli->options.layout && l->count > MOST) {
        l->ncold = l->count - MOST;
        l->count = MOST;
    }
}

/* Set one reason for all functions. */
static void say_why(struct trod_page *page, const char *why)
{
    for (uint32_t i = 0; i < page->nfunction; i++)
        page->function[i].undrawn = why;
}

static void note(const struct layout *l)
{
    struct trod_arena *mem = &l->cli->mem;

    if (l->nlarge)
        trod_page_note(l->page, mem,
            "%" PRIu32
            " functions have more than %d blocks: dot did not lay out their graphs; the page "
            "draws the parts that ran",
            l->nlarge, TROD_PAGE_LAID);
    if (l->nlost)
        trod_page_note(l->page, mem,
            "%" PRIu32 " graphs are not drawn: dot took too long for them", l->nlost);
    if (l->ntaken < l->count + l->ncold)
        trod_page_note(l->page, mem,
            "%" PRIu32
            " graphs were not laid out by dot, because no time was left; the page does it; give "
            "dot more with --layout=SECONDS",
            l->count + l->ncold - l->ntaken);
}

void cli_html_lay_out(struct trod_page *page, struct cli *cli)
{
    uint64_t seconds = cli->options.layout ? cli->options.layout : SECONDS;
    struct layout l = {.cli = cli, .page = page};
    struct trod_graphviz_many many = {.put = put,
        .take = take,
        .ctx = &l,
        .most = 1000 * (int64_t)(seconds < INT32_MAX ? seconds : INT32_MAX)};
    struct trod_err why;

    if (!page->nfunction)
        return;
    if (cli->options.no_layout) {
        say_why(page, "--no-layout");
        return;
    }
    cli_progress_begin(&l.progress, "laying out", "graphs");
    choose(&l);
    many.count = l.count;
    if (!trod_graphviz_plain(&many, &cli->mem, &why)) {
        say_why(page, trod_copy(&cli->mem, why.text));
        trod_page_note(page, &cli->mem, "graphs are not drawn: %s", why.text);
        cli_note(cli, "graphs are not drawn: %s", why.text);
        return;
    }
    cli_progress_end(&l.progress, l.ntaken, l.count);
    note(&l);
}
