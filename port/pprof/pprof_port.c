#include "pprof/pprof_port.h"
#include "gzip/gzip.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <pprof/profile.pb-c.h>

/* Of a path: how often it ran, its blocks, its own time. */
enum { MOST_VALUES = 3 };

struct writer {
    const struct trod_exported *in;
    struct trod_arena *mem;
    struct trod_export_stacks stacks;
    const uint32_t *module_of_entry;
    struct trod_names strings;
    Pprof__Profile out;
    size_t room_location, room_function, room_comment;
    uint64_t *function_of_entry;  /* [nentry] function ids; 0: not created yet */
    uint64_t *root_of_entry;      /* [nentry] location ids */
    uint64_t **location_of_entry; /* [nentry] location ids by node */
    struct trod_names unknown;    /* functions without a map */
    uint64_t *location_of_unknown;
    size_t room_unknown;
    struct trod_string text; /* scratch buffer */
    bool
        blocks; /* each block is a function of its own, below the function of its path */
};

/* The table of names does not copy them, so the text is copied first. */
static int64_t string(struct writer *w, const char *text)
{
    uint32_t found = trod_names_find(&w->strings, text);

    return found != UINT32_MAX ? found
                               : trod_names_add(&w->strings, trod_copy(w->mem, text));
}

/* pprof's counts are signed. */
static int64_t clamp(uint64_t count)
{
    return count < INT64_MAX ? (int64_t)count : INT64_MAX;
}

static Pprof__Value *value_type(struct writer *w, const char *type, const char *unit)
{
    Pprof__Value *value = trod_new(w->mem, Pprof__Value, 1);

    pprof__value__init(value);
    value->type = string(w, type);
    value->unit = string(w, unit);
    return value;
}

/* --- locations ----------------------------------------------------------------------------------------- */

static uint64_t add_function(struct writer *w, const struct trod_export_place *place)
{
    Pprof__Function *f = trod_new(w->mem, Pprof__Function, 1);

    pprof__function__init(f);
    f->id = w->out.n_function + 1;
    f->name = string(w, place->display_name);
    f->system_name = string(w, place->name);
    if (place->entry) {
        f->filename = string(w, trod_flow_file(place->entry));
        f->start_line =
            trod_flow_line(place->entry, place->entry->numbering.dag->graph->entry);
    }
    trod_push(w->mem, w->out.function, w->out.n_function, w->room_function, f);
    return f->id;
}

/* Adds a block as a function: most views distinguish frames by function name only. */
static uint64_t add_block(struct writer *w, const struct trod_export_place *place)
{
    struct trod_export_place block = *place;
    uint64_t function;

    block.display_name = trod_export_label(&w->stacks, place, w->mem);
    function = add_function(w, &block);
    w->out.function[w->out.n_function - 1]->start_line = place->line;
    return function;
}

static uint64_t add_location(struct writer *w, uint64_t function, uint32_t module,
    const struct trod_export_place *place)
{
    Pprof__Location *l = trod_new(w->mem, Pprof__Location, 1);
    Pprof__Line *line = trod_new(w->mem, Pprof__Line, 1);

    pprof__location__init(l);
    pprof__line__init(line);
    line->function_id = function;
    line->line = place->line;
    l->id = l->address = w->out.n_location + 1;
    l->mapping_id = module < w->in->profile->nmodule ? module + 1 : 0;
    l->n_line = 1;
    l->line = trod_new(w->mem, Pprof__Line *, 1);
    l->line[0] = line;
    trod_push(w->mem, w->out.location, w->out.n_location, w->room_location, l);
    return l->id;
}

static uint64_t location_of_unknown(
    struct writer *w, uint32_t module, const struct trod_export_place *place)
{
    uint32_t n = w->unknown.count;
    uint32_t i = trod_names_add(&w->unknown, place->name);

    trod_reserve(w->mem, w->location_of_unknown, n, w->room_unknown);
    if (i == n)
        w->location_of_unknown[i] =
            add_location(w, add_function(w, place), module, place);
    return w->location_of_unknown[i];
}

static uint64_t location_of(struct writer *w, const struct trod_export_stack *stack,
    const struct trod_export_place *place)
{
    uint32_t entry, module;
    uint64_t **of_node;

    if (place->node == TROD_NONE)
        return location_of_unknown(
            w, stack->subpath ? UINT32_MAX : stack->module, place);
    entry = (uint32_t)(place->entry - w->in->map->entry);
    module = w->module_of_entry[entry];
    of_node = &w->location_of_entry[entry];
    if (!*of_node)
        *of_node =
            trod_new(w->mem, uint64_t, place->entry->numbering.dag->graph->nnode);
    if (!w->function_of_entry[entry])
        w->function_of_entry[entry] = add_function(w, place);
    if (!(*of_node)[place->node])
        (*of_node)[place->node] = add_location(w,
            w->blocks ? add_block(w, place) : w->function_of_entry[entry], module,
            place);
    return (*of_node)[place->node];
}

/* The root of a stack of blocks: the function of the path. */
static uint64_t location_of_root(
    struct writer *w, const struct trod_export_stack *stack)
{
    const struct trod_map_entry *entry = stack->entry;
    uint32_t i = (uint32_t)(entry - w->in->map->entry);
    struct trod_export_place place = {entry, entry->name, entry->display_name,
        TROD_NONE, trod_flow_line(entry, entry->numbering.dag->graph->entry)};

    if (!w->function_of_entry[i])
        w->function_of_entry[i] = add_function(w, &place);
    if (!w->root_of_entry[i])
        w->root_of_entry[i] =
            add_location(w, w->function_of_entry[i], w->module_of_entry[i], &place);
    return w->root_of_entry[i];
}

/* --- samples -------------------------------------------------------------------------------------------- */

static Pprof__Label *new_label(struct writer *w, const char *key)
{
    Pprof__Label *label = trod_new(w->mem, Pprof__Label, 1);

    pprof__label__init(label);
    label->key = string(w, key);
    return label;
}

static void add_labels(
    struct writer *w, Pprof__Sample *sample, const struct trod_export_stack *stack)
{
    sample->label = trod_new(w->mem, Pprof__Label *, 3);
    sample->label[0] = new_label(w, "path");
    sample->label[0]->num = clamp(stack->id);
    sample->label[0]->num_unit = string(w, "id");
    sample->label[1] = new_label(w, "kind");
    sample->label[1]->str = string(w, trod_export_kind_name(stack->kind));
    sample->n_label = 2;
    w->text.length = 0;
    w->text.text[0] = '\0';
    trod_export_put_stack(&w->text.sink, &w->stacks, stack, false);
    if (w->text.length) {
        sample->label[2] = new_label(w, "way");
        sample->label[2]->str = string(w, w->text.text);
        sample->n_label = 3;
    }
}

static Pprof__Sample *new_sample(struct writer *w,
    const struct trod_export_stack *stack, struct trod_export_place *place)
{
    Pprof__Sample *sample = trod_new(w->mem, Pprof__Sample, 1);
    uint32_t n = trod_export_places(place, &w->stacks, stack);
    bool rooted = w->blocks && place[0].node != TROD_NONE && stack->entry;

    pprof__sample__init(sample);
    sample->n_location_id = n + rooted;
    sample->location_id = trod_new(w->mem, uint64_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        sample->location_id[n - 1 - i] = location_of(w, stack, &place[i]);
    if (rooted)
        sample->location_id[n] = location_of_root(w, stack);
    sample->n_value = w->out.n_sample_type;
    sample->value = trod_new(w->mem, int64_t, MOST_VALUES);
    sample->value[0] = clamp(stack->count);
    sample->value[1] = clamp(stack->weight);
    if (stack->time)
        sample->value[2] =
            (int64_t)trod_time_rounded(w->in->times, (double)stack->time->own);
    add_labels(w, sample, stack);
    return sample;
}

static void add_samples(struct writer *w)
{
    struct trod_export_place *place =
        trod_new(w->mem, struct trod_export_place, w->stacks.most_places);

    w->out.sample = trod_new(w->mem, Pprof__Sample *, w->stacks.nstack);
    for (size_t i = 0; i < w->stacks.nstack; i++)
        w->out.sample[w->out.n_sample++] = new_sample(w, &w->stacks.stack[i], place);
}

/* --- header ----------------------------------------------------------------------------------------------- */

static void add_mappings(struct writer *w)
{
    const struct trod_profile *profile = w->in->profile;

    w->out.mapping = trod_new(w->mem, Pprof__Mapping *, profile->nmodule);
    for (uint32_t i = 0; i < profile->nmodule; i++) {
        Pprof__Mapping *m = trod_new(w->mem, Pprof__Mapping, 1);

        pprof__mapping__init(m);
        m->id = i + 1;
        m->filename = string(w, profile->module[i].path);
        m->build_id = string(w, profile->module[i].build_id);
        m->has_functions = m->has_filenames = m->has_line_numbers = true;
        w->out.mapping[w->out.n_mapping++] = m;
    }
}

/* The time of a single run; none for several. */
static void fill_times(struct writer *w)
{
    const struct trod_profile_run *run = w->in->profile->run;

    for (uint32_t i = 0; w->in->profile->nrun == 1 && i < run->nfield; i++) {
        double nanos = strtod(run->field[i].value, NULL) * 1e9;

        if (!(nanos > 0 && nanos < 9e18))
            continue;
        if (strcmp(run->field[i].key, "start") == 0)
            w->out.time_nanos = (int64_t)nanos;
        else if (strcmp(run->field[i].key, "duration") == 0)
            w->out.duration_nanos = (int64_t)nanos;
    }
}

/* Counts are already scaled. The period is informative only. */
static void fill_period(struct writer *w)
{
    const struct trod_profile *profile = w->in->profile;
    double period = 0;

    if (w->in->subpaths && !w->in->subpaths->exact)
        period = w->in->subpaths->most_frequency;
    for (uint32_t i = 0; !w->in->flows->exact && i < profile->nburst; i++)
        if (period < (double)profile->burst[i].most_weight[TROD_BURST_PATHS])
            period = (double)profile->burst[i].most_weight[TROD_BURST_PATHS];
    if (!(period > 0 && period < 0x1p62))
        return;
    w->out.period_type = w->in->subpaths ? value_type(w, "blocks", "count")
                                         : value_type(w, "paths", "count");
    w->out.period = (int64_t)period;
}

static void add_comments(struct writer *w)
{
    const char *const *remark;
    size_t n = trod_export_remarks(&remark, w->in, w->mem);

    w->out.comment = trod_new(w->mem, int64_t, n + 1);
    w->text.length = 0;
    trod_put(&w->text.sink,
        "written by trod %s: a stack is a path, its frames are blocks", w->in->version);
    w->out.comment[w->out.n_comment++] = string(w, w->text.text);
    for (size_t i = 0; i < n; i++)
        w->out.comment[w->out.n_comment++] = string(w, remark[i]);
}

static void fill(struct writer *w)
{
    const char *what = w->in->subpaths ? "subpaths" : "paths";

    pprof__profile__init(&w->out);
    string(w, "");
    w->out.n_sample_type = w->in->times ? 3 : 2;
    w->out.sample_type = trod_new(w->mem, Pprof__Value *, MOST_VALUES);
    w->out.sample_type[0] = value_type(w, what, "count");
    w->out.sample_type[1] = value_type(w, "blocks", "count");
    if (w->in->times)
        w->out.sample_type[2] = value_type(w, "own time", trod_time_unit(w->in->times));
    w->out.default_sample_type = string(w, what);
    add_mappings(w);
    add_samples(w);
    add_comments(w);
    fill_times(w);
    fill_period(w);
    w->out.n_strings = w->strings.count;
    w->out.strings = trod_new(w->mem, char *, w->strings.count);
    for (uint32_t i = 0; i < w->strings.count; i++)
        w->out.strings[i] = trod_copy(w->mem, w->strings.name[i]);
}

/* --- bytes ------------------------------------------------------------------------------------------------- */

static bool write_all(struct trod_sink *sink, const struct trod_exported *in,
    bool blocks, struct trod_arena *mem, struct trod_err *err)
{
    struct writer w = {.in = in, .mem = mem, .blocks = blocks};
    uint8_t *bytes;
    size_t length;

    trod_names_init(&w.strings, mem);
    trod_names_init(&w.unknown, mem);
    trod_string_init(&w.text, mem);
    trod_export_stacks(&w.stacks, in, mem);
    w.module_of_entry = trod_export_modules(in, mem);
    w.function_of_entry = trod_new(mem, uint64_t, in->map->nentry);
    w.root_of_entry = trod_new(mem, uint64_t, in->map->nentry);
    w.location_of_entry = trod_new(mem, uint64_t *, in->map->nentry);
    fill(&w);
    length = pprof__profile__get_packed_size(&w.out);
    bytes = trod_new(mem, uint8_t, length);
    pprof__profile__pack(&w.out, bytes);
    return trod_gzip_put(sink, bytes, length, -1, mem, err);
}

static bool put(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    return write_all(sink, in, false, mem, err);
}

static bool put_blocks(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    return write_all(sink, in, true, mem, err);
}

enum {
    ALL_KINDS = TROD_EXPORT_ESTIMATES | TROD_EXPORT_PARTIAL | TROD_EXPORT_ACROSS |
                TROD_EXPORT_SAMPLES
};

const struct trod_export_format trod_pprof_formats[] = {
    {"pprof",
        "paths as stacks of functions and lines (profile.proto, gzip): pprof's top, list and peek",
        true, put, ALL_KINDS},
    {"pprof-blocks",
        "the same as pprof, with each block as a separate function: flame graphs of pprof, "
        "speedscope, Pyroscope, Parca",
        true, put_blocks, ALL_KINDS | TROD_EXPORT_FRAMES},
    {0},
};
