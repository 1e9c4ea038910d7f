#include "burst/burst.h"

#include <inttypes.h>
#include <string.h>

struct picture {
    struct trod_sink *sink;
    const struct trod_bursts *burst;
    struct trod_names names; /* functions drawn */
    bool exact;
};

static void put_function(struct picture *d, uint32_t number)
{
    const char *name = d->names.name[number];
    uint64_t nentry = 0;
    struct trod_string printed;

    for (size_t i = 0; i < d->burst->nmethod; i++)
        if (strcmp(d->burst->method[i].function, name) == 0)
            nentry = trod_sat_add(nentry, d->burst->method[i].nentry);
    trod_put(d->sink, "    n%" PRIu32 " [label=\"", number);
    trod_string_init(&printed, d->names.mem);
    trod_graph_put_label(
        d->sink, trod_put_demangled(&printed.sink, name) ? printed.text : name);
    if (nentry)
        trod_put(d->sink, "\\n%s%" PRIu64, d->exact ? "" : "~", nentry);
    trod_put(d->sink, "\"];\n");
}

/* The width of an edge is proportional to its count: the hottest is 5 points wide. */
static void put_call(
    struct picture *d, const struct trod_bursts_call *pair, uint64_t hottest)
{
    trod_put(d->sink,
        "    n%" PRIu32 " -> n%" PRIu32 " [label=\"%s%" PRIu64 "\", penwidth=%.2f];\n",
        trod_names_find(&d->names, pair->function),
        trod_names_find(&d->names, pair->callee), d->exact ? "" : "~", pair->count,
        1 + 4 * ((double)pair->count / (double)hottest));
}

static bool wants(
    const struct trod_bursts_options *o, const struct trod_bursts_call *pair)
{
    return !o->wants || o->wants(pair->function, o->ctx) ||
           o->wants(pair->callee, o->ctx);
}

void trod_bursts_draw(struct trod_sink *sink, const struct trod_bursts *burst,
    const struct trod_bursts_options *options, struct trod_arena *mem)
{
    struct picture d = {
        .sink = sink, .burst = burst, .exact = trod_bursts_is_exact(burst)};
    size_t most = options->most ? options->most : TROD_REPORT_MOST, n = 0;
    struct trod_bursts_call *pair;
    size_t npair;

    trod_bursts_pairs(&pair, &npair, burst, mem);
    trod_names_init(&d.names, mem);
    for (size_t i = 0; i < npair && n < most; i++) {
        if (!wants(options, &pair[i]))
            continue;
        pair[n++] = pair[i];
        trod_names_add(&d.names, pair[i].function);
        trod_names_add(&d.names, pair[i].callee);
    }
    trod_put(sink, "digraph \"");
    trod_graph_put_label(sink, burst->name);
    trod_put(sink, "\" {\n    node [shape=box, style=rounded];\n");
    for (uint32_t i = 0; i < d.names.count; i++)
        put_function(&d, i);
    for (size_t i = 0; i < n; i++)
        put_call(&d, &pair[i], pair[0].count);
    trod_put(sink, "}\n");
}
