#include "profile/profile.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char trod_profile_saturated[] =
    "stopped counts with a '+' reached 2^64-1; the paths ran that often or more";

const char *trod_profile_mode_name(enum trod_format_mode mode)
{
    const char *word = trod_format_mode_word(mode);

    return word ? word : "?";
}

bool trod_profile_mode_parse(enum trod_format_mode *out, const char *word)
{
    for (uint32_t mode = 1; mode < 2 * TROD_MODE_ITERATIONS; mode++) {
        const char *own = trod_format_mode_word(mode);

        if (own && strcmp(own, word) == 0) {
            *out = (enum trod_format_mode)mode;
            return true;
        }
    }
    return false;
}

const char *trod_profile_counted_name(enum trod_format_counted counted)
{
    static const char *const name[] = {
        [TROD_COUNTED_ALL] = "all",
        [TROD_COUNTED_CHOSEN] = "chosen",
        [TROD_COUNTED_RESIDUAL] = "residual",
        [TROD_COUNTED_UNTESTED] = "untested",
        [TROD_COUNTED_REST] = "rest",
        [TROD_COUNTED_EVENTS] = "events",
    };

    return counted < sizeof name / sizeof *name ? name[counted] : "?";
}

uint64_t trod_profile_nweeded(const struct trod_profile *profile)
{
    uint64_t sum = 0, n;

    for (uint32_t i = 0; i < profile->nrun; i++)
        for (uint32_t k = 0; k < profile->run[i].nfield; k++) {
            const struct trod_profile_field *field = &profile->run[i].field[k];

            if (strcmp(field->key, "weeded") == 0 && trod_text_uint(&n, field->value))
                sum = trod_sat_add(sum, n);
        }
    return sum;
}

bool trod_profile_is_chosen(const struct trod_profile_function *function, uint64_t id)
{
    return trod_is_among(function->chosen, function->nchosen, id);
}

bool trod_profile_is_counted(const struct trod_profile_function *function, uint64_t id)
{
    switch (function->counted) {
    case TROD_COUNTED_CHOSEN:
        return trod_profile_is_chosen(function, id);
    case TROD_COUNTED_UNTESTED:
    case TROD_COUNTED_REST:
        return function->nchosen && !trod_profile_is_chosen(function, id);
    case TROD_COUNTED_ALL:
    case TROD_COUNTED_RESIDUAL:
    case TROD_COUNTED_EVENTS:
        break;
    }
    return true;
}

bool trod_profile_is_whole(const struct trod_profile *profile)
{
    for (uint32_t m = 0; m < profile->nmodule; m++)
        for (uint32_t f = 0; f < profile->module[m].nfunction; f++) {
            enum trod_format_counted counted = profile->module[m].function[f].counted;

            if (counted != TROD_COUNTED_ALL && counted != TROD_COUNTED_RESIDUAL &&
                counted != TROD_COUNTED_EVENTS)
                return false;
        }
    return true;
}

/* --- parts ------------------------------------------------------------------------------ */

void trod_profile_builder_init(
    struct trod_profile_builder *builder, struct trod_arena *mem)
{
    *builder = (struct trod_profile_builder){.mem = mem};
}

void trod_profile_add_run(struct trod_profile_builder *builder, uint32_t group,
    const struct trod_profile_field *field, uint32_t nfield)
{
    trod_push(builder->mem, builder->run, builder->nrun, builder->room_run,
        (struct trod_profile_run){.group = group, .nfield = nfield, .field = field});
}

uint32_t trod_profile_add_module(
    struct trod_profile_builder *builder, const struct trod_profile_module *module)
{
    return trod_push(
        builder->mem, builder->module, builder->nmodule, builder->room_module, *module);
}

void trod_profile_add_tally(
    struct trod_profile_builder *builder, const struct trod_profile_tally *tally)
{
    if (!tally->npath)
        return;
    trod_push(
        builder->mem, builder->tally, builder->ntally, builder->room_tally, *tally);
}

void trod_profile_add_note(
    struct trod_profile_builder *builder, const char *format, ...)
{
    va_list args, again;
    char *text;
    int length;

    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    if (length > 0) {
        text = trod_new(builder->mem, char, (size_t)length + 1);
        vsnprintf(text, (size_t)length + 1, format, again);
        trod_push(
            builder->mem, builder->note, builder->nnote, builder->room_note, text);
    }
    va_end(again);
    va_end(args);
}

/* --- orders ------------------------------------------------------------------------------ */

int trod_profile_compare_runs(
    const struct trod_profile_run *a, const struct trod_profile_run *b)
{
    int by = 0;

    for (uint32_t i = 0; !by && i < a->nfield && i < b->nfield; i++) {
        by = strcmp(a->field[i].key, b->field[i].key);
        if (!by)
            by = strcmp(a->field[i].value, b->field[i].value);
    }
    return by ? by : trod_compare(a->nfield, b->nfield);
}

static int compare_lists(
    const struct trod_profile_module *a, const struct trod_profile_module *b)
{
    int by = trod_compare(a->nfunction, b->nfunction);

    for (uint32_t i = 0; !by && i < a->nfunction; i++)
        by = trod_profile_compare_functions(&a->function[i], &b->function[i]);
    return by;
}

int trod_profile_compare_identity(
    const struct trod_profile_module *a, const struct trod_profile_module *b)
{
    int by = strcmp(a->build_id, b->build_id);

    if (!by && !*a->build_id)
        by = strcmp(a->path, b->path);
    by = by ? by : trod_compare(a->mode, b->mode);
    return by ? by : compare_lists(a, b);
}

int trod_profile_compare_modules(
    const struct trod_profile_module *a, const struct trod_profile_module *b)
{
    int by = strcmp(a->path, b->path);

    return by ? by : trod_profile_compare_identity(a, b);
}

/* --- modules ------------------------------------------------------------------------------ */

struct ranked_module {
    struct trod_profile_module module;
    uint32_t rank; /* of the merged module */
    uint32_t from; /* its number in the builder */
};

TROD_ORDER(by_identity, struct ranked_module,
    trod_profile_compare_identity(&a->module, &b->module), TROD_ALPHABETIC(module.path))

TROD_ORDER(by_module, struct ranked_module,
    trod_profile_compare_modules(&a->module, &b->module))

void trod_profile_copy_module(
    struct trod_profile_module *module, struct trod_arena *mem)
{
    struct trod_profile_function *function =
        trod_new(mem, struct trod_profile_function, module->nfunction);

    if (module->nfunction)
        memcpy(function, module->function, module->nfunction * sizeof *function);
    for (uint32_t f = 0; f < module->nfunction; f++)
        if (function[f].nchosen) {
            uint64_t *chosen = trod_new(mem, uint64_t, function[f].nchosen);

            memcpy(chosen, function[f].chosen, function[f].nchosen * sizeof *chosen);
            function[f].chosen = chosen;
        }
    module->function = function;
    module->path = trod_copy(mem, module->path);
    module->build_id = trod_copy(mem, module->build_id);
}

static bool check_modes(const struct trod_profile_builder *b, struct trod_err *err)
{
    for (uint32_t i = 1; i < b->nmodule; i++)
        if (b->module[i].mode != b->module[0].mode)
            return trod_fail(err, TROD_E_MISMATCH,
                "paths of '%s' are counted in mode %s, those of '%s' in mode %s; profiles of "
                "different modes cannot be combined; give them separately",
                b->module[0].path, trod_profile_mode_name(b->module[0].mode),
                b->module[i].path, trod_profile_mode_name(b->module[i].mode));
    return true;
}

/* Merge equal modules; tallies refer to the merged one. */
static void put_modules(struct trod_profile *out, struct trod_profile_builder *b)
{
    struct ranked_module *all = trod_new(b->mem, struct ranked_module, b->nmodule);
    struct ranked_module *one = trod_new(b->mem, struct ranked_module, b->nmodule);
    struct trod_profile_module *ordered;
    uint32_t *rank_of_one = trod_new(b->mem, uint32_t, b->nmodule);
    uint32_t *rank_of_module = trod_new(b->mem, uint32_t, b->nmodule);
    uint32_t n = 0;

    for (uint32_t i = 0; i < b->nmodule; i++)
        all[i] = (struct ranked_module){.module = b->module[i], .from = i};
    trod_sort(all, b->nmodule, by_identity);
    for (uint32_t i = 0; i < b->nmodule; i++) {
        if (i == 0 ||
            trod_profile_compare_identity(&all[i - 1].module, &all[i].module) != 0) {
            one[n] = all[i];
            one[n].from = n;
            n++;
        }
        all[i].rank = n - 1;
    }
    trod_sort(one, n, by_module);
    ordered = trod_new(b->mem, struct trod_profile_module, n);
    for (uint32_t i = 0; i < n; i++) {
        rank_of_one[one[i].from] = i;
        ordered[i] = one[i].module;
        if (b->copy && !b->keep_modules)
            trod_profile_copy_module(&ordered[i], b->mem);
    }
    for (uint32_t i = 0; i < b->nmodule; i++)
        rank_of_module[all[i].from] = rank_of_one[all[i].rank];
    for (size_t i = 0; i < b->ntally; i++)
        b->tally[i].module = rank_of_module[b->tally[i].module];
    for (uint32_t i = 0; i < b->nsteps; i++)
        b->steps[i].module = rank_of_module[b->steps[i].module];
    for (uint32_t i = 0; i < b->nsamples; i++)
        b->samples[i].module = rank_of_module[b->samples[i].module];
    out->module = ordered;
    out->nmodule = n;
}

/* --- tallies ------------------------------------------------------------------------------- */

TROD_ORDER(by_place, struct trod_profile_tally, TROD_UP(module), TROD_UP(function),
    TROD_UP(group))

/* Add up two sorted lists; returns the length of the result. */
static size_t add_lists(struct trod_profile_path *to, const struct trod_profile_path *a,
    size_t na, const struct trod_profile_path *b, size_t nb)
{
    size_t i = 0, j = 0, n = 0;

    while (i < na || j < nb) {
        if (j == nb || (i < na && a[i].id < b[j].id)) {
            to[n++] = a[i++];
        } else if (i == na || b[j].id < a[i].id) {
            to[n++] = b[j++];
        } else {
            to[n].id = a[i].id;
            to[n++].count = trod_sat_add(a[i++].count, b[j++].count);
        }
    }
    return n;
}

static size_t drop_zeros(struct trod_profile_path *path, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (path[i].count)
            path[kept++] = path[i];
    return kept;
}

static bool has_zero(const struct trod_profile_tally *t)
{
    for (size_t i = 0; i < t->npath; i++)
        if (!t->path[i].count)
            return true;
    return false;
}

/* Add up tallies of the same place, one list after another. Two halves of a buffer alternate. */
static struct trod_profile_tally sum_of(
    const struct trod_profile_builder *b, const struct trod_profile_tally *t, size_t n)
{
    struct trod_profile_tally out = *t;
    struct trod_profile_path *sum, *half[2];
    struct trod_mark mark;
    size_t most = 0, length = 0;
    int now = 0;

    if (n == 1 && !b->copy && !has_zero(t))
        return out;
    for (size_t i = 0; i < n; i++)
        most += t[i].npath;
    sum = trod_new(b->mem, struct trod_profile_path, most);
    mark = trod_arena_mark(b->mem);
    half[0] = sum;
    half[1] = n > 1 ? trod_new(b->mem, struct trod_profile_path, most) : NULL;
    for (size_t i = 0; i < n; i++) {
        if (i == 0) {
            memcpy(sum, t->path, t->npath * sizeof *sum);
            length = t->npath;
        } else {
            length = add_lists(half[!now], half[now], length, t[i].path, t[i].npath);
            now = !now;
        }
    }
    if (half[now] != sum)
        memcpy(sum, half[now], length * sizeof *sum);
    trod_arena_rewind(b->mem, mark);
    out.path = sum;
    out.npath = drop_zeros(sum, length);
    return out;
}

static void put_tallies(struct trod_profile *out, struct trod_profile_builder *b)
{
    struct trod_profile_tally *tally =
        trod_new(b->mem, struct trod_profile_tally, b->ntally);
    size_t n = 0;

    trod_sort(b->tally, b->ntally, by_place);
    for (size_t i = 0, j; i < b->ntally; i = j) {
        for (j = i + 1; j < b->ntally; j++)
            if (by_place(&b->tally[i], &b->tally[j]) != 0)
                break;
        tally[n] = sum_of(b, &b->tally[i], j - i);
        n += tally[n].npath != 0;
    }
    out->tally = tally;
    out->ntally = n;
    b->tally = tally;
}

/* --- bursts --------------------------------------------------------------------------------- */

static void put_bursts(struct trod_profile *out, struct trod_profile_builder *b)
{
    b->nburst = trod_profile_sum_bursts(b->burst, b->nburst);
    out->burst = b->burst;
    out->nburst = b->nburst;
}

/* --- steps ----------------------------------------------------------------------------------- */

TROD_ORDER(by_thread, struct trod_profile_steps, TROD_UP(module), TROD_UP(thread))

/* Threads of merged modules are renumbered if two have the same number. */
static void put_steps(struct trod_profile *out, struct trod_profile_builder *b)
{
    trod_sort(b->steps, b->nsteps, by_thread);
    for (uint32_t i = 0, j; i < b->nsteps; i = j) {
        bool twice = false;

        for (j = i + 1; j < b->nsteps && b->steps[j].module == b->steps[i].module; j++)
            twice = twice || b->steps[j].thread == b->steps[j - 1].thread;
        for (uint32_t k = i; k < j; k++) {
            char name[32];

            if (twice)
                b->steps[k].thread = k - i;
            snprintf(name, sizeof name, "thread%" PRIu32, b->steps[k].thread);
            b->steps[k].grammar.name = trod_copy(b->mem, name);
        }
    }
    out->steps = b->steps;
    out->nsteps = b->nsteps;
}

/* --- samples --------------------------------------------------------------------------------- */

static int by_samples(const void *x, const void *y)
{
    return trod_profile_compare_samples(x, y);
}

static void put_samples(struct trod_profile *out, struct trod_profile_builder *b)
{
    trod_sort(b->samples, b->nsamples, by_samples);
    out->samples = b->samples;
    out->nsamples = b->nsamples;
}

/* --- groups and their runs -------------------------------------------------------------------- */

struct group {
    uint32_t number; /* as given */
    uint32_t rank;
    uint32_t nrun;
    const struct trod_profile_run *run;
    uint64_t
        digest; /* of its tallies and bursts: distinguishes groups with equal runs */
};

TROD_ORDER(by_number, struct group, TROD_UP(number))

static int by_runs(const void *x, const void *y)
{
    const struct group *a = x, *b = y;
    int by = 0;

    for (uint32_t i = 0; !by && i < a->nrun && i < b->nrun; i++)
        by = trod_profile_compare_runs(&a->run[i], &b->run[i]);
    by = by ? by : trod_compare(a->nrun, b->nrun);
    return by ? by : trod_compare(a->digest, b->digest);
}

TROD_ORDER(
    by_group, struct trod_profile_run, TROD_UP(group), trod_profile_compare_runs(a, b))

static struct group *group_of(struct group *group, uint32_t n, uint32_t number)
{
    struct group key = {.number = number};
    struct group *found = bsearch(&key, group, n, sizeof *group, by_number);

    assert(found);
    return found;
}

/* Each number once, ascending. Usually there are few groups and many tallies. */
static uint32_t list_groups(struct group **out, const struct trod_profile *profile,
    const struct trod_profile_builder *b)
{
    struct group *group =
        trod_new(b->mem, struct group, b->nrun + profile->ntally + b->nburst + 1);
    size_t count = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < b->nrun; i++)
        if (!count || group[count - 1].number != b->run[i].group)
            group[count++].number = b->run[i].group;
    for (size_t i = 0; i < profile->ntally; i++)
        if (!count || group[count - 1].number != profile->tally[i].group)
            group[count++].number = profile->tally[i].group;
    for (uint32_t i = 0; i < b->nburst; i++)
        group[count++].number = b->burst[i].group;
    trod_sort(group, count, by_number);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || group[i].number != group[n - 1].number)
            group[n++].number = group[i].number;
    *out = group;
    return n;
}

static void digest_tallies(
    struct group *group, uint32_t n, const struct trod_profile *profile)
{
    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];
        struct group *g = group_of(group, n, t->group);
        uint64_t hash = trod_mix(trod_mix(g->digest, t->module), t->function);

        for (size_t k = 0; k < t->npath; k++)
            hash = trod_mix(trod_mix(hash, t->path[k].id), t->path[k].count);
        g->digest = hash;
    }
}

static uint64_t digest(uint64_t hash, const void *numbers, size_t nbyte)
{
    const char *from = numbers;
    uint64_t word;

    for (size_t at = 0; at + sizeof word <= nbyte; at += sizeof word) {
        memcpy(&word, from + at, sizeof word);
        hash = trod_mix(hash, word);
    }
    return hash;
}

static void digest_bursts(
    struct group *group, uint32_t n, const struct trod_profile *profile)
{
    for (uint32_t i = 0; i < profile->nburst; i++) {
        const struct trod_profile_burst *burst = &profile->burst[i];
        struct group *g = group_of(group, n, burst->group);
        uint64_t hash = trod_mix(g->digest, burst->nthread);

        hash = digest(hash, &burst->how, sizeof burst->how);
        hash = digest(hash, burst->most_sparsity, sizeof burst->most_sparsity);
        g->digest = digest(hash, burst->most_weight, sizeof burst->most_weight);
    }
}

static void copy_fields(struct trod_profile_run *run, struct trod_arena *mem)
{
    struct trod_profile_field *field =
        trod_new(mem, struct trod_profile_field, run->nfield);

    for (uint32_t i = 0; i < run->nfield; i++) {
        const struct trod_profile_field *from = &run->field[i];

        field[i].key = trod_copy(mem, from->key);
        field[i].value = trod_copy(mem, from->value);
    }
    run->field = field;
}

/* Groups are ranked by their runs, so the result does not depend on the given numbers. */
static void put_groups(struct trod_profile *out, struct trod_profile_builder *b)
{
    struct trod_profile_run *run = trod_new(b->mem, struct trod_profile_run, b->nrun);
    struct group *group, *ranked;
    uint32_t n = list_groups(&group, out, b);

    if (b->nrun) {
        memcpy(run, b->run, b->nrun * sizeof *run);
        trod_sort(run, b->nrun, by_group);
    }
    for (uint32_t i = b->nrun; i-- > 0;) {
        struct group *g = group_of(group, n, run[i].group);

        g->run = &run[i];
        g->nrun++;
    }
    digest_tallies(group, n, out);
    digest_bursts(group, n, out);
    ranked = trod_new(b->mem, struct group, n);
    if (n) {
        memcpy(ranked, group, n * sizeof *group);
        trod_sort(ranked, n, by_runs);
    }
    for (uint32_t i = 0; i < n; i++)
        group_of(group, n, ranked[i].number)->rank = i;
    for (size_t i = 0; i < out->ntally; i++)
        b->tally[i].group = group_of(group, n, b->tally[i].group)->rank;
    for (uint32_t i = 0; i < b->nburst; i++)
        b->burst[i].group = group_of(group, n, b->burst[i].group)->rank;
    b->nburst = trod_profile_sum_bursts(b->burst, b->nburst);
    for (uint32_t i = 0; i < b->nrun; i++) {
        run[i].group = group_of(group, n, run[i].group)->rank;
        if (b->copy)
            copy_fields(&run[i], b->mem);
    }
    trod_sort(run, b->nrun, by_group);
    trod_sort(b->tally, out->ntally, by_place);
    out->run = run;
    out->nrun = b->nrun;
    out->ngroup = n;
}

/* --- notes ------------------------------------------------------------------------------------- */

static int by_text(const void *x, const void *y)
{
    const char *const *a = x, *const *b = y;

    return strcmp(*a, *b);
}

static bool any_saturated(const struct trod_profile *profile)
{
    for (size_t i = 0; i < profile->ntally; i++)
        for (size_t k = 0; k < profile->tally[i].npath; k++)
            if (profile->tally[i].path[k].count == UINT64_MAX)
                return true;
    return false;
}

static void put_notes(struct trod_profile *out, struct trod_profile_builder *b)
{
    const char **note;
    uint32_t n = 0;

    if (any_saturated(out))
        trod_profile_add_note(b, "%s", trod_profile_saturated);
    note = trod_new(b->mem, const char *, b->nnote);
    trod_sort(b->note, b->nnote, by_text);
    for (uint32_t i = 0; i < b->nnote; i++)
        if (n == 0 || strcmp(note[n - 1], b->note[i]) != 0)
            note[n++] = b->note[i];
    out->note = note;
    out->nnote = n;
}

bool trod_profile_build(struct trod_profile *out, struct trod_profile_builder *builder,
    struct trod_err *err)
{
    *out = (struct trod_profile){0};
    if (!check_modes(builder, err))
        return false;
    trod_profile_join(builder);
    put_modules(out, builder);
    put_tallies(out, builder);
    put_steps(out, builder);
    put_samples(out, builder);
    put_bursts(out, builder);
    put_groups(out, builder);
    put_notes(out, builder);
    return true;
}
