#include "profile/set_builder.h"
#include "base/order.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int trod_set_compare_functions(
    const struct trod_profile_function *f, const struct trod_profile_function *g)
{
    int by = trod_compare(trod_profile_is_events(f), trod_profile_is_events(g));

    by = by ? by : trod_compare(f->name, g->name);
    by = by ? by : trod_compare(f->graph, g->graph);
    by = by ? by : trod_compare(f->cuts, g->cuts);
    return by ? by : trod_compare(f->npath, g->npath);
}

/* --- all operands in one profile ---------------------------------------------------------- */

/* Groups are sorted by their runs: a field with the operand's number keeps them in the order of profiles. */
static void add_to_field(
    struct trod_profile_builder *b, const struct trod_profile *profile, uint32_t number)
{
    struct trod_profile_field *field = trod_new(b->mem, struct trod_profile_field, 1);
    uint32_t first = b->nmodule;
    char text[16];

    snprintf(text, sizeof text, "%010" PRIu32, number);
    *field = (struct trod_profile_field){"operand", trod_copy(b->mem, text)};
    trod_profile_add_run(b, number, field, 1);
    for (uint32_t i = 0; i < profile->nmodule; i++)
        trod_profile_add_module(b, &profile->module[i]);
    for (size_t i = 0; i < profile->ntally; i++) {
        struct trod_profile_tally tally = profile->tally[i];

        tally.module += first;
        tally.group = number;
        trod_profile_add_tally(b, &tally);
    }
}

static bool build_field(struct set_builder *c, struct trod_err *err)
{
    struct trod_profile_builder builder;

    trod_profile_builder_init(&builder, c->mem);
    for (uint32_t i = 0; i < c->nprofile; i++)
        add_to_field(&builder, &c->profile[i], i);
    if (!trod_profile_build(&c->field, &builder, err))
        return false;
    assert(c->field.ngroup == c->nprofile);
    return true;
}

TROD_ORDER(by_owner, struct owner, trod_set_compare_functions(a->function, b->function),
    TROD_UP(profile))

static void list_owners(struct set_builder *c)
{
    for (uint32_t i = 0; i < c->nprofile; i++)
        for (uint32_t m = 0; m < c->profile[i].nmodule; m++)
            c->nowner += c->profile[i].module[m].nfunction;
    c->owner = trod_new(c->mem, struct owner, c->nowner);
    c->nowner = 0;
    for (uint32_t i = 0; i < c->nprofile; i++)
        for (uint32_t m = 0; m < c->profile[i].nmodule; m++) {
            const struct trod_profile_module *module = &c->profile[i].module[m];

            for (uint32_t f = 0; f < module->nfunction; f++)
                c->owner[c->nowner++] = (struct owner){&module->function[f], i};
        }
    trod_sort(c->owner, c->nowner, by_owner);
}

/* Not by module number, which depends on the other profiles. */
static int by_place(const void *x, const void *y)
{
    const struct place *a = x, *b = y;
    int by = trod_set_compare_functions(a->function, b->function);

    if (!by && a->of != b->of)
        by = trod_profile_compare_identity(a->of, b->of);
    return by ? by : trod_compare(a->number, b->number);
}

static void list_places(struct set_builder *c)
{
    const struct trod_profile_tally *t = c->field.tally, *end = t + c->field.ntally;

    for (uint32_t m = 0; m < c->field.nmodule; m++)
        c->nplace += c->field.module[m].nfunction;
    c->place = trod_new(c->mem, struct place, c->nplace);
    c->nplace = 0;
    for (uint32_t m = 0; m < c->field.nmodule; m++)
        for (uint32_t f = 0; f < c->field.module[m].nfunction; f++) {
            struct place *place = &c->place[c->nplace++];

            *place = (struct place){.function = &c->field.module[m].function[f],
                .of = &c->field.module[m],
                .module = m,
                .number = f,
                .tally = t};
            for (; t < end && t->module == m && t->function == f; t++)
                place->ntally++;
        }
    trod_sort(c->place, c->nplace, by_place);
}

/* --- interface ------------------------------------------------------------------------------------- */

static const char *const meaning_of_kind[] = {
    [TROD_SET_UNION] =
        "union all paths of several profiles, with their largest counts; this is not a run",
    [TROD_SET_INTERSECT] =
        "intersect paths that several profiles have in common, with their smallest counts; this is not a run",
    [TROD_SET_SUBTRACT] =
        "subtract paths that ran in none of the other profiles; this is not a run",
    [TROD_SET_SUBTRACT_COUNTS] =
        "subtract counts of other profiles were subtracted; this is not a run",
};

bool trod_profile_is_set(const struct trod_profile *profile)
{
    for (uint32_t i = 0; i < profile->nnote; i++)
        for (int kind = 0; kind <= TROD_SET_SUBTRACT_COUNTS; kind++) {
            size_t length = strcspn(meaning_of_kind[kind], " ") + 1;

            if (strncmp(profile->note[i], meaning_of_kind[kind], length) == 0)
                return true;
        }
    return false;
}

enum { MOST_NAMES = 8 };

static void note_changed(struct set_builder *c)
{
    struct trod_string names;

    if (!c->out->nchanged)
        return;
    trod_string_init(&names, c->mem);
    for (size_t i = 0; i < c->out->nchanged && i < MOST_NAMES; i++)
        trod_put(&names.sink, " %016" PRIx64, c->out->changed[i]);
    if (c->out->nchanged > MOST_NAMES)
        trod_put(&names.sink, " and %zu more", c->out->nchanged - MOST_NAMES);
    trod_profile_add_note(&c->builder,
        "changed functions have different graphs or cuts in these profiles and cannot be "
        "compared:%s",
        names.text);
}

static void add_notes(struct set_builder *c)
{
    bool exact = true;

    for (uint32_t i = 0; i < c->nprofile; i++) {
        exact = exact && trod_profile_is_exact(&c->profile[i]);
        for (uint32_t k = 0; k < c->profile[i].nnote; k++)
            trod_profile_add_note(&c->builder, "%s", c->profile[i].note[k]);
    }
    trod_profile_add_note(&c->builder, "%s", meaning_of_kind[c->kind]);
    note_changed(c);
    if (c->out->nunknown)
        trod_profile_add_note(&c->builder,
            "uncounted %" PRIu64
            " paths are omitted: they ran in one profile and are not counted in another",
            c->out->nunknown);
    if (!exact && c->kind != TROD_SET_UNION)
        trod_profile_add_note(&c->builder,
            "sampled counts are estimates: paths missing from burst profiles may still have run");
    if (c->stopped)
        trod_profile_add_note(&c->builder,
            "stopped counts of 2^64-1 were subtracted, or subtracted from: the difference may be "
            "too high or too low");
}

static int by_run(const void *x, const void *y)
{
    return trod_profile_compare_runs(x, y);
}

/* Each run once: runs lead to maps, and document the origin of counts. */
static void add_runs(struct set_builder *c, uint32_t nprofile)
{
    struct trod_profile_run *run;
    uint32_t n = 0;

    for (uint32_t i = 0; i < nprofile; i++)
        n += c->profile[i].nrun;
    run = trod_new(c->mem, struct trod_profile_run, n);
    n = 0;
    for (uint32_t i = 0; i < nprofile; i++)
        for (uint32_t k = 0; k < c->profile[i].nrun; k++)
            run[n++] = c->profile[i].run[k];
    trod_sort(run, n, by_run);
    for (uint32_t i = 0; i < n; i++)
        if (!i || by_run(&run[i - 1], &run[i]) != 0)
            trod_profile_add_run(&c->builder, 0, run[i].field, run[i].nfield);
}

static void add_bursts(struct set_builder *c, uint32_t nprofile)
{
    for (uint32_t i = 0; i < nprofile; i++)
        for (uint32_t k = 0; k < c->profile[i].nburst; k++)
            trod_profile_add_burst(&c->builder, &c->profile[i].burst[k]);
    c->builder.nburst = trod_profile_widen_bursts(c->builder.burst, c->builder.nburst);
}

/* For machine code, the merged profile has all functions of a file in one module. */
static bool is_module_of(
    const struct trod_profile *profile, const struct trod_profile_module *module)
{
    for (uint32_t i = 0; i < profile->nmodule; i++) {
        const struct trod_profile_module *own = &profile->module[i];

        if (trod_profile_compare_identity(own, module) == 0 ||
            (own->mode == TROD_MODE_MACHINE &&
                strcmp(own->build_id, module->build_id) == 0 &&
                (*own->build_id || strcmp(own->path, module->path) == 0)))
            return true;
    }
    return false;
}

/* Drop modules that only subtracted profiles have. */
static void drop_modules(struct set_builder *c)
{
    struct trod_profile_builder *b = &c->builder;
    uint32_t *number = trod_new(c->mem, uint32_t, b->nmodule);
    uint32_t n = 0;

    for (uint32_t m = 0; m < b->nmodule; m++) {
        number[m] = n;
        b->module[n] = b->module[m];
        n += is_module_of(&c->profile[0], &b->module[m]);
    }
    b->nmodule = n;
    for (size_t t = 0; t < b->ntally; t++)
        b->tally[t].module = number[b->tally[t].module];
}

static bool combine(struct set_builder *c, struct trod_err *err)
{
    bool minus = c->kind == TROD_SET_SUBTRACT || c->kind == TROD_SET_SUBTRACT_COUNTS;
    uint32_t nown = minus ? 1 : c->nprofile;

    if (!build_field(c, err))
        return false;
    list_owners(c);
    list_places(c);
    trod_profile_builder_init(&c->builder, c->mem);
    c->builder.copy = true;
    for (uint32_t m = 0; m < c->field.nmodule; m++)
        trod_profile_add_module(&c->builder, &c->field.module[m]);
    trod_set_put_functions(c);
    trod_set_find_changed(c);
    if (minus)
        drop_modules(c);
    add_runs(c, nown);
    add_bursts(c, nown);
    add_notes(c);
    return trod_profile_build(&c->out->profile, &c->builder, err);
}

bool trod_profile_combine(struct trod_profile_set *out, enum trod_set_kind kind,
    const struct trod_profile *const *profile, uint32_t nprofile,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_profile *one = trod_new(mem, struct trod_profile, nprofile);
    struct set_builder c = {
        .profile = one, .nprofile = nprofile, .kind = kind, .out = out, .mem = mem};

    *out = (struct trod_profile_set){0};
    assert(nprofile);
    for (uint32_t i = 0; i < nprofile; i++)
        if (!trod_profile_check_counts(profile[i], err) ||
            !trod_profile_merge(&one[i], &profile[i], 1, NULL, mem, err))
            return false;
    return combine(&c, err);
}
