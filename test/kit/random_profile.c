#include "kit/random_profile.h"

#include <assert.h>
#include <string.h>

#include <trod/online.h>

/* --- random profiles ------------------------------------------------------------------ */

struct source {
    kit_shape_source draw;
    void *ctx;
    const struct kit_profile_options *opt;
    struct trod_profile_builder builder;
    struct trod_arena *mem;
};

static uint64_t draw(struct source *s, uint64_t bound)
{
    return s->draw(s->ctx, bound);
}

static const char *pick(struct source *s, const char *const *word, uint64_t count)
{
    return word[draw(s, count)];
}

#define PICK(s, words) pick((s), (words), sizeof(words) / sizeof *(words))

static void draw_run(struct source *s, uint32_t group)
{
    static const char *const key[] = {
        "program", "pid", "argument", "start", "a:b", "profile", "run", "\xff", "\x01"};
    static const char *const value[] = {"x", "1", "", "a b", "\"", "\\", "\\x41", "\n",
        "\x01\x7f\x80", "profile", "=1 2", "# no", "/a/b c", " ", "@1"};
    uint32_t n = (uint32_t)draw(s, 4);
    struct trod_profile_field *field =
        trod_new(s->mem, struct trod_profile_field, n + 3);

    for (uint32_t i = 0; i < n; i++)
        field[i] = (struct trod_profile_field){PICK(s, key), PICK(s, value)};
    if (s->opt->live) {
        bool ended = draw(s, 2);

        field[n++] = (struct trod_profile_field){"exit", ended ? "order" : "unknown"};
        if (ended)
            field[n++] = (struct trod_profile_field){"duration", "0.5"};
    }
    trod_profile_add_run(&s->builder, group, field, n);
}

/* Some of the first paths, and the last. */
static void choose(const struct source *s, struct trod_profile_function *function)
{
    uint64_t *chosen = trod_new(s->mem, uint64_t, 41);

    for (uint64_t id = 0; id < 40 && id + 1 < function->npath; id++)
        if (function->name >> id & 1)
            chosen[function->nchosen++] = id;
    if (function->npath && function->name >> 41 & 1)
        chosen[function->nchosen++] = function->npath - 1;
    function->chosen = chosen;
}

/* A function's identity follows from its index and the kind of its module. */
static struct trod_profile_function function_of(
    const struct source *s, uint64_t kind, uint32_t f, bool all)
{
    uint64_t hash = trod_mix(kind, f);
    struct trod_profile_function out = {.name = hash,
        .graph = f % 3 ? hash : 0,
        .cuts = trod_mix(hash, 1),
        .npath = hash % 40};

    if (!all)
        out.counted = (hash >> 50) % 5;
    if (s->opt->bursts) {
        out.counted = hash >> 55 & 1 ? TROD_COUNTED_EVENTS : TROD_COUNTED_ALL;
        out.npath = out.counted ? TROD_EVENTS_NPATH : out.npath;
    } else if (hash % 5 == 0 && !(s->opt->live && trod_format_counts_each(out.counted)))
        out.npath = UINT64_MAX >> (1 + hash % 3);
    if (!trod_format_counts_each(out.counted))
        choose(s, &out);
    return out;
}

bool kit_is_chosen(const struct trod_profile_function *function, uint64_t id)
{
    for (size_t i = 0; i < function->nchosen; i++)
        if (function->chosen[i] == id)
            return true;
    return false;
}

static uint64_t draw_count(struct source *s)
{
    switch (draw(s, 6)) {
    case 4:
        return UINT64_MAX - draw(s, 3);
    case 5:
        return (uint64_t)1 << draw(s, 64);
    default:
        return 1 + draw(s, 10);
    }
}

static void draw_tally(struct source *s, uint32_t module, uint32_t f,
    const struct trod_profile_function *function)
{
    uint64_t npath = function->npath;
    struct trod_profile_path *path = trod_new(s->mem, struct trod_profile_path, 6);
    struct trod_profile_tally tally = {.module = module, .function = f, .path = path};
    uint64_t from = 0;

    tally.group = s->opt->groups ? (uint32_t)draw(s, 3) : 0;
    for (uint64_t n = draw(s, 6); n-- > 0 && from <= npath;) {
        uint64_t left = npath - from + 1;
        uint64_t id = from + draw(s, left > 3 && draw(s, 8) < 7 ? 3 : left);

        path[tally.npath] = (struct trod_profile_path){
            id, s->opt->live ? 1 + draw(s, 1000) : draw_count(s)};
        /* What is not chosen is not counted. */
        tally.npath += function->counted != TROD_COUNTED_CHOSEN || id == npath ||
                       kit_is_chosen(function, id);
        from = id + 1;
    }
    trod_profile_add_tally(&s->builder, &tally);
}

/* --- samples ------------------------------------------------------------------------- */

static void draw_how(struct source *s, struct trod_format_sample *how)
{
    static const double real[] = {1, 1024, 1.5, 3e20, 1 / 0.3, 4095};

    how->thread = (uint32_t)draw(s, 3);
    how->identity = (uint32_t)draw(s, 3);
    how->lengths = (uint32_t)draw(s, 4);
    how->shortest = 2 + (uint32_t)draw(s, 3);
    how->longest = how->shortest + (uint32_t)draw(s, 20);
    how->bias = draw(s, 2) ? 0.5 : 0.1;
    if (how->lengths == TROD_SAMPLE_LIST)
        for (how->nlength = 1 + (uint32_t)draw(s, 2); draw(s, 2);)
            how->nlength = 1 + how->nlength % 4;
    for (uint32_t i = 0; i < how->nlength; i++) {
        how->length[i].length = how->shortest + i;
        how->length[i].chance = draw(s, 2) ? 0.25F : 0.1F;
    }
    how->costs = (uint32_t)draw(s, 2);
    how->ageing = (uint32_t)draw(s, 3);
    how->period = how->ageing ? 1 + draw(s, 1000) : 0;
    how->threshold = draw(s, 2) ? 1e9 / 7 : 0;
    how->level = draw(s, TROD_SAMPLE_LEVELS);
    how->frequency[how->level] = 1024;
    for (uint64_t n = draw(s, 3); n-- > 0;)
        how->frequency[draw(s, TROD_SAMPLE_LEVELS)] = real[draw(s, 6)];
    how->nbegun = draw(s, 100);
    how->nsample = draw(s, 100);
    how->ndropped = draw(s, 3);
    how->nrejected = draw(s, 3);
    how->nonce = draw(s, 3);
    how->time = draw(s, 2) ? draw(s, 1000) : 0;
    how->cost = draw(s, 100);
    how->floor = draw(s, 100);
    how->budget = draw(s, 2) ? 20000 : 0;
}

/* Any block of a module, as the functions before it have so many, and one more each. */
static uint32_t draw_block(struct source *s, const struct trod_profile_module *module)
{
    uint32_t f = (uint32_t)draw(s, module->nfunction), first = 0;

    while (!module->function[f].npath)
        f = (f + 1) % module->nfunction;
    for (uint32_t i = 0; i < f; i++)
        first += (uint32_t)module->function[i].npath + 1;
    return first + (uint32_t)draw(s, module->function[f].npath);
}

static void draw_samples(
    struct source *s, uint32_t number, const struct trod_profile_module *module)
{
    struct trod_profile_samples samples = {.module = number};
    struct trod_profile_sampled *sampled =
        trod_new(s->mem, struct trod_profile_sampled, 8);
    uint64_t nblock = 0;

    for (uint32_t f = 0; f < module->nfunction; f++)
        nblock += module->function[f].npath;
    draw_how(s, &samples.how);
    for (uint64_t n = draw(s, 8); nblock && n-- > 0;) {
        struct trod_profile_sampled *one = &sampled[samples.nsampled];
        uint32_t *block;

        one->length = samples.how.shortest;
        while (one->length <= samples.how.longest &&
               trod_online_weight(&samples.how, one->length) <= 0)
            one->length++;
        if (one->length > samples.how.longest)
            break;
        one->count = draw(s, 8) ? 1 + draw(s, 1000) : TROD_SAMPLE_COUNT;
        one->level = (uint32_t)draw(s, TROD_SAMPLE_LEVELS);
        while (samples.how.frequency[one->level] < 1)
            one->level = (one->level + 1) % TROD_SAMPLE_LEVELS;
        block = trod_new(s->mem, uint32_t, one->length);
        for (uint32_t i = 0; i < one->length; i++)
            block[i] = draw_block(s, module);
        one->block = block;
        samples.nsampled++;
    }
    samples.sampled = sampled;
    trod_profile_add_samples(&s->builder, &samples);
}

/* --- bursts -------------------------------------------------------------------------- */

/* Of one thread, the most is the least. */
static void draw_burst(struct source *s)
{
    struct trod_profile_burst burst = {
        .group = s->opt->groups ? (uint32_t)draw(s, 3) : 0, .nthread = 1 + draw(s, 3)};
    struct trod_format_burst *how = &burst.how;

    how->types = 1 + (uint32_t)draw(s, (1 << TROD_BURST_TYPES) - 1);
    how->trigger = (uint32_t)draw(s, 4);
    how->period = (uint32_t)draw(s, 2);
    how->words = draw(s, 2) ? 16 : 1;
    how->hz = draw(s, 2) ? 1000 : 0;
    how->budget = draw(s, 2) ? 20000 : 0;
    how->time = draw(s, 1000);
    how->cost = draw(s, 1000);
    how->floor = draw(s, 1000);
    how->nevent = draw(s, 3);
    how->npassed = draw(s, 2) ? UINT64_MAX - draw(s, 3) : 0;
    how->nmissed = draw(s, 2);
    how->ticks = draw(s, 1000);
    how->nanoseconds = draw(s, 1000);
    for (int t = 0; t < TROD_BURST_TYPES; t++) {
        bool moved = burst.nthread > 1 && draw(s, 2);

        how->type[t].burst = 1 + draw(s, 2);
        how->type[t].sparsity = draw(s, 1000);
        how->type[t].weight = 1 + draw(s, 1000);
        how->type[t].nburst = draw(s, 10);
        how->type[t].nevent = draw(s, 10);
        burst.most_sparsity[t] = how->type[t].sparsity + (moved ? draw(s, 10) : 0);
        burst.most_weight[t] = how->type[t].weight + (moved ? draw(s, 10) : 0);
    }
    trod_profile_add_burst(&s->builder, &burst);
}

static void draw_module(struct source *s)
{
    static const char *const path[] = {"app", "/usr/bin/app", "a b", "?", "\"\\\n"};
    static const char *const build_id[] = {"", "0123abcd", "ff", "00"};
    struct trod_profile_module module = {.mode = s->opt->blocks   ? TROD_MODE_BLOCKS
                                                 : s->opt->bursts ? TROD_MODE_BURST
                                                                  : TROD_MODE_SOURCE};
    struct trod_profile_function *function;
    uint64_t kind = draw(s, 3);
    bool all = draw(s, 2) == 0; /* paths are counted */
    uint32_t number;

    module.path = PICK(s, path);
    module.build_id = PICK(s, build_id);
    module.nfunction = (uint32_t)draw(s, 5);
    function = trod_new(s->mem, struct trod_profile_function, module.nfunction);
    for (uint32_t f = 0; f < module.nfunction; f++) {
        function[f] = function_of(s, kind, f, all || s->opt->blocks);
        if (s->opt->blocks)
            function[f].npath %= 40;
    }
    module.function = function;
    number = trod_profile_add_module(&s->builder, &module);
    for (uint64_t n = s->opt->blocks ? draw(s, 3) : 0; n-- > 0;)
        draw_samples(s, number, &module);
    for (uint32_t f = 0; f < module.nfunction; f++)
        for (uint64_t n = draw(s, 3); n-- > 0;)
            draw_tally(s, number, f, &function[f]);
}

void kit_profile(struct trod_profile *out, const struct kit_profile_options *opt,
    kit_shape_source draw_from, void *ctx, struct trod_arena *mem)
{
    static const char *const note[] = {
        "lost at 64: something", "shared a \"b\" \\ c", "x\ny", "private \x01"};
    struct source s = {.draw = draw_from, .ctx = ctx, .opt = opt, .mem = mem};
    struct trod_err err;
    bool built;

    trod_profile_builder_init(&s.builder, mem);
    if (opt->live)
        draw_run(&s, 0);
    else
        for (uint64_t n = draw(&s, 4); n-- > 0;)
            draw_run(&s, opt->groups ? (uint32_t)draw(&s, 3) : 0);
    /* A running program has a module, and counters of it, before anything else. */
    for (uint64_t n = opt->live + draw(&s, 4 - opt->live); n-- > 0;)
        draw_module(&s);
    for (uint64_t n = opt->bursts ? draw(&s, 4) : 0; n-- > 0;)
        draw_burst(&s);
    for (uint64_t n = draw(&s, 3); !opt->live && n-- > 0;)
        trod_profile_add_note(&s.builder, "%s", PICK(&s, note));
    built = trod_profile_build(out, &s.builder, &err);
    assert(built);
    (void)built;
}
