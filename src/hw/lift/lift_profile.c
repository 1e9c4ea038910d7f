#include "lift/lifter.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_LINES = 64 }; /* lines shown for one node */

/* --- the profile ----------------------------------------------------------------------------------- */

static const char *text_of(struct trod_arena *mem, const char *format, uint64_t value)
    __attribute__((format(printf, 2, 0)));

static const char *text_of(struct trod_arena *mem, const char *format, uint64_t value)
{
    return trod_format(mem, format, value);
}

static void add_run(struct trod_profile_builder *b, const struct trod_seen *seen,
    const struct trod_lift_fields *fields)
{
    uint32_t n = 0, more = fields ? fields->nfield : 0;
    struct trod_profile_field *field =
        trod_new(b->mem, struct trod_profile_field, 7 + (size_t)more);

    field[n++] =
        (struct trod_profile_field){"program", seen->program ? seen->program : ""};
    field[n++] =
        (struct trod_profile_field){"pid", text_of(b->mem, "%" PRIu64, seen->pid)};
    field[n++] = (struct trod_profile_field){"birth", "start"};
    field[n++] = (struct trod_profile_field){"image", "program"};
    field[n++] = (struct trod_profile_field){"mode", "machine"};
    field[n++] = (struct trod_profile_field){
        "start", text_of(b->mem, "%" PRIu64 ".000000000", seen->start)};
    for (uint32_t i = 0; i < more; i++)
        field[n++] = fields->field[i];
    field[n++] = (struct trod_profile_field){"exit", seen->whole ? "order" : "unknown"};
    trod_profile_add_run(b, 0, field, n);
    if (!seen->whole)
        trod_profile_add_note(b,
            "unfinished process %" PRIu32
            " was killed, or not all of it was seen; what was is counted",
            seen->pid);
}

static bool is_exposed(const struct trod_lift_function *f)
{
    for (trod_node v = 0; v < f->graph.nnode; v++)
        if (f->exposed[v])
            return true;
    return false;
}

static void add_tally(struct trod_profile_builder *b,
    const struct trod_lift_function *f, uint32_t module, uint32_t number)
{
    uint64_t begun = is_exposed(f) ? trod_sat_add(f->nended, f->nleft) : 0;
    struct trod_profile_tally tally = {
        .module = module, .function = number, .npath = f->npath, .path = f->path};
    struct trod_profile_path *path;

    if (begun) {
        path = trod_new(b->mem, struct trod_profile_path, f->npath + 1);
        for (size_t i = 0; i < f->npath; i++)
            path[i] = f->path[i];
        path[tally.npath++] = (struct trod_profile_path){f->numbering.npath, begun};
        tally.path = path;
    }
    if (tally.npath)
        trod_profile_add_tally(b, &tally);
}

struct listed {
    struct trod_profile_function function;
    const struct trod_lift_function *from;
};

TROD_ORDER(by_function, struct listed,
    trod_profile_compare_functions(&a->function, &b->function))

/* Functions of one unit are adjacent. Profiles sort them in an order that does not depend on which of them ran. */
static uint32_t add_module(
    struct trod_profile_builder *b, const struct trod_lifted *lifted, uint32_t first)
{
    const struct trod_lift_unit *unit = &lifted->unit[lifted->function[first]->unit];
    struct trod_profile_function *function;
    struct listed *listed;
    struct trod_profile_module module = {
        .path = unit->image.path ? unit->image.path : unit->name,
        .build_id = unit->image.build_id ? unit->image.build_id : "",
        .mode = TROD_MODE_MACHINE};
    uint32_t n = 0, number;

    while (first + n < lifted->nfunction &&
           lifted->function[first + n]->unit == lifted->function[first]->unit)
        n++;
    function = trod_new(b->mem, struct trod_profile_function, n);
    listed = trod_new(b->mem, struct listed, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct trod_lift_function *f = lifted->function[first + i];

        listed[i] = (struct listed){{.name = f->name_hash,
                                        .graph = f->graph_hash,
                                        .cuts = f->cuts_hash,
                                        .npath = f->numbering.npath},
            f};
    }
    trod_sort(listed, n, by_function);
    for (uint32_t i = 0; i < n; i++)
        function[i] = listed[i].function;
    module.nfunction = n;
    module.function = function;
    number = trod_profile_add_module(b, &module);
    for (uint32_t i = 0; i < n; i++)
        add_tally(b, listed[i].from, number, i);
    return first + n;
}

static void add_notes(
    struct trod_profile_builder *b, const struct trod_lift_totals *total)
{
    if (total->nlost)
        trod_profile_add_note(b,
            "unwalked %" PRIu64 " times, %" PRIu64
            " paths could not be reconstructed from the code that was seen, first %s",
            total->nlost, total->nlost_path, total->first_lost);
    if (total->nodd || total->nchanged)
        trod_profile_add_note(b,
            "odd %" PRIu64 " times code went where it cannot go, and %" PRIu64
            " codes changed: signals, or a program that writes its own code",
            total->nodd, total->nchanged);
}

bool trod_lift_profile(struct trod_profile *out, const struct trod_lifted *lifted,
    const struct trod_seen *const *seen, uint32_t ncounted,
    const struct trod_lift_fields *fields, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_profile_builder builder;

    trod_profile_builder_init(&builder, mem);
    for (uint32_t i = 0; i < ncounted; i++)
        add_run(&builder, seen[i], fields);
    for (uint32_t i = 0; i < lifted->nfunction;)
        i = add_module(&builder, lifted, i);
    add_notes(&builder, &lifted->total);
    return trod_profile_build(out, &builder, err);
}

/* --- the map --------------------------------------------------------------------------------------- */

static void put_named(struct trod_sink *sink, const char *word, const char *name)
{
    trod_put(sink, "%s ", word);
    trod_put_name(sink, name);
}

/* The switch node has the lines of the indirect jump that leads to it, if there is only one. */
static const struct trod_lift_node *lines_from(
    const struct trod_lift_function *f, trod_node v)
{
    const struct trod_graph *g = &f->graph;

    if (v < f->ncode)
        return &f->node[v];
    if (v == f->switch_node && g->first_in[v + 1] - g->first_in[v] == 1)
        return &f->node[g->src_of_edge[g->in_edge[g->first_in[v]]]];
    return NULL;
}

static void put_lines(struct trod_sink *sink, const struct trod_lifted *lifted,
    const struct trod_lift_function *f, const char *source)
{
    const struct trod_lift_files *files = lifted->files;
    const struct trod_image *image = &lifted->unit[f->unit].image;
    uint32_t line[MOST_LINES];

    put_named(sink, "lines", f->name);
    trod_put(sink, "\n");
    for (trod_node v = 0; v < f->graph.nnode; v++) {
        const struct trod_lift_node *node = lines_from(f, v);
        uint32_t n = 0;

        if (node && node->after > node->start)
            n = files->lines(files->ctx, line, MOST_LINES, image,
                trod_place_offset(node->start), trod_place_offset(node->after), source);
        trod_put(sink, "%" PRIu32 ":", v);
        for (uint32_t i = 0; i < n; i++)
            trod_put(sink, " %" PRIu32, line[i]);
        trod_put(sink, "\n");
    }
}

static void put_declared(struct trod_sink *sink, const struct trod_lift_files *files,
    const struct trod_image *image, uint64_t offset)
{
    uint32_t line = files->declared ? files->declared(files->ctx, image, offset) : 0;

    if (line)
        trod_put(sink, "declared %" PRIu32 "\n", line);
}

static void put_function(struct trod_sink *sink, const struct trod_lifted *lifted,
    const struct trod_lift_function *f)
{
    const struct trod_lift_files *files = lifted->files;
    const struct trod_image *image = &lifted->unit[f->unit].image;
    const char *source = NULL;

    if (files->source && files->lines && image->path)
        source = files->source(files->ctx, image, trod_place_offset(f->entry));
    put_named(sink, "function", f->name);
    trod_put(sink, " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n", f->name_hash,
        f->graph_hash, f->cuts_hash);
    if (source) {
        put_named(sink, "file", source);
        trod_put(sink, "\n");
        put_declared(sink, files, image, trod_place_offset(f->entry));
    }
    if (is_exposed(f)) {
        put_named(sink, "begun", f->name);
        trod_put(sink, "\n");
    }
    if (f->limit.ncut)
        trod_put(sink, "limited %" PRIu32 " # there were 2^%.1f paths\n", f->limit.ncut,
            f->limit.log2_before);
    trod_number_print(sink, &f->numbering);
    if (source)
        put_lines(sink, lifted, f, source);
}

void trod_lift_print_map(struct trod_sink *sink, const struct trod_lifted *lifted)
{
    for (uint32_t i = 0; i < lifted->nfunction; i++) {
        const struct trod_lift_function *f = lifted->function[i];
        const struct trod_lift_unit *unit = &lifted->unit[f->unit];

        if (!i || lifted->function[i - 1]->unit != f->unit) {
            put_named(sink, "unit", unit->image.path ? unit->image.path : unit->name);
            trod_put(sink, " machine\n");
        }
        put_function(sink, lifted, f);
    }
}

/* --- readable output ---------------------------------------------------------------------------------- */

static void print_paths(
    struct trod_sink *sink, const struct trod_lift_function *f, trod_edge *step)
{
    put_named(sink, "paths", f->name);
    trod_put(sink, "\n");
    for (size_t i = 0; i < f->npath; i++) {
        uint32_t n = trod_number_decode(step, &f->numbering, f->path[i].id);

        trod_trail_print(sink, &f->view.dag, step, n);
        trod_put(sink, "  # =%" PRIu64 ", %" PRIu64 " times\n", f->path[i].id,
            f->path[i].count);
    }
    if (f->nleft)
        trod_put(sink, "# abandoned %" PRIu64 " times\n", f->nleft);
}

void trod_lift_print(
    struct trod_sink *sink, const struct trod_lifted *lifted, struct trod_arena *mem)
{
    const struct trod_lift_totals *total = &lifted->total;
    uint32_t most = 0;
    trod_edge *step;

    for (uint32_t i = 0; i < lifted->nfunction; i++)
        if (lifted->function[i]->view.dag.nreach > most)
            most = lifted->function[i]->view.dag.nreach;
    /* Allocated once: the sink may grow in the same arena. */
    step = trod_new(mem, trod_edge, most);
    for (uint32_t i = 0; i < lifted->nfunction; i++) {
        const struct trod_lift_function *f = lifted->function[i];

        if (!i || lifted->function[i - 1]->unit != f->unit)
            trod_put(sink, "# %s\n", lifted->unit[f->unit].name);
        trod_number_print(sink, &f->numbering);
        print_paths(sink, f, step);
    }
    trod_put(sink,
        "# %" PRIu64 " times paths were counted, %" PRIu64 " left, %" PRIu64
        " lost, %" PRIu64 " handed on\n",
        total->ncounted, total->nleft, total->nlost, total->nsplit);
    if (total->nlost)
        trod_put(sink, "# lost first: %s\n", total->first_lost);
    if (total->nodd || total->nchanged)
        trod_put(sink, "# odd: %" PRIu64 " runs; %" PRIu64 " codes changed\n",
            total->nodd, total->nchanged);
}
