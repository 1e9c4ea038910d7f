#include "suite/suite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "suite/test_builder.h"

enum {
    MOST_PATHS = 1 << 29
}; /* keeps hash tables at most half full with 32-bit slot numbers */

/* --- hash tables: from an item to its number ---------------------------------------------- */

void trod_suite_builder_init(struct trod_suite_builder *builder, struct trod_arena *mem)
{
    *builder = (struct trod_suite_builder){.mem = mem};
    trod_names_init(&builder->name, mem);
}

static bool same_function(
    const struct trod_profile_function *f, const struct trod_profile_function *g)
{
    return f->name == g->name && f->graph == g->graph && f->cuts == g->cuts &&
           f->npath == g->npath;
}

static uint32_t number_of_function(
    struct trod_suite_builder *b, const struct trod_profile_function *f)
{
    uint64_t hash = trod_mix(f->name, trod_mix(f->graph, f->cuts));
    uint32_t n =
        TROD_TABLE_FIND(&b->functions, hash, i, same_function(&b->function[i], f));

    if (n == TROD_TABLE_NONE) {
        n = trod_table_add(&b->functions, hash, b->mem);
        trod_reserve(b->mem, b->root, n, b->room_root);
        trod_reserve(b->mem, b->function, n, b->room_function);
        b->root[n] = n;
        b->function[n] = *f;
        b->nfunction++;
    }
    return n;
}

static uint32_t number_of_path(
    struct trod_suite_builder *b, uint32_t function, uint64_t id)
{
    uint64_t hash = trod_mix(function, id);
    uint32_t n = TROD_TABLE_FIND(
        &b->paths, hash, i, b->path[i].id == id && b->path[i].function == function);

    if (n == TROD_TABLE_NONE) {
        n = trod_table_add(&b->paths, hash, b->mem);
        trod_reserve(b->mem, b->path, n, b->room_path);
        b->path[b->npath++] = (struct trod_suite_path){.function = function, .id = id};
    }
    return n;
}

/* --- modules --------------------------------------------------------------------------------- */

static char *copy_text(struct trod_arena *mem, const char *text)
{
    return trod_copy(mem, text);
}

struct trod_profile_module trod_suite_copy_module(
    const struct trod_profile_module *module, struct trod_arena *mem)
{
    struct trod_profile_module copy = *module;

    trod_profile_copy_module(&copy, mem);
    return copy;
}

static const struct trod_suite_module *find_module(
    const struct trod_suite_builder *b, const struct trod_profile_module *module)
{
    /* Search backwards: usually it is the module added last. */
    for (uint32_t i = b->nmodule; i-- > 0;)
        if (trod_profile_compare_identity(&b->module[i].module, module) == 0)
            return &b->module[i];
    return NULL;
}

static bool number_module(const uint32_t **number_of_function_,
    struct trod_suite_builder *b, const struct trod_profile_module *module,
    const char *file, struct trod_err *err)
{
    const struct trod_suite_module *known = find_module(b, module);
    struct trod_suite_module new;

    if (known) {
        *number_of_function_ = known->number_of_function;
        return true;
    }
    if (b->mode_file && b->mode != module->mode)
        return trod_fail(err, TROD_E_MISMATCH,
            "%s: its paths are counted in mode %s, those of %s in mode %s; tests of different "
            "modes cannot be compared; give tests of one mode",
            file, trod_profile_mode_name(module->mode), b->mode_file,
            trod_profile_mode_name(b->mode));
    new.module = trod_suite_copy_module(module, b->mem);
    new.file = copy_text(b->mem, file);
    b->mode = module->mode;
    b->mode_file = new.file;
    new.number_of_function = trod_new(b->mem, uint32_t, module->nfunction);
    for (uint32_t f = 0; f < module->nfunction; f++) {
        new.number_of_function[f] = number_of_function(b, &new.module.function[f]);
        trod_suite_join(b, new.number_of_function[0], new.number_of_function[f]);
    }
    trod_reserve(b->mem, b->module, b->nmodule, b->room_module);
    assert(b->module);
    b->module[b->nmodule++] = new;
    *number_of_function_ = new.number_of_function;
    return true;
}

/* --- tests ------------------------------------------------------------------------------------ */

static const char *value_of(const struct trod_profile_run *run, const char *key)
{
    for (uint32_t i = 0; i < run->nfield; i++)
        if (strcmp(run->field[i].key, key) == 0)
            return run->field[i].value;
    return NULL;
}

/* All values of a field of the first run of a group, or NULL if it has none. */
static const char *field_of_group(const struct trod_profile *profile, uint32_t group,
    const char *key, struct trod_arena *mem)
{
    const struct trod_profile_run *run = profile->run, *end = run + profile->nrun;
    struct trod_string name;

    while (run < end && run->group != group)
        run++;
    if (run == end || !value_of(run, key))
        return NULL;
    trod_string_init(&name, mem);
    for (uint32_t i = 0; i < run->nfield; i++)
        if (strcmp(run->field[i].key, key) == 0)
            trod_put(&name.sink, "%s%s", name.length ? " " : "", run->field[i].value);
    return name.text;
}

static const char *name_of_group(struct trod_suite_builder *b,
    const struct trod_profile *profile, uint32_t group, uint32_t nth, bool alone,
    const struct trod_suite_source *naming)
{
    const char *value = NULL;
    struct trod_string name;

    if (naming->field) {
        value = field_of_group(profile, group, naming->field, b->mem);
        b->nunnamed += !value;
    }
    if (value)
        return value;
    trod_string_init(&name, b->mem);
    trod_put(&name.sink, "%s", naming->file);
    if (!alone)
        trod_put(&name.sink, "@%" PRIu32, nth);
    return name.text;
}

static bool number_test(uint32_t *out, struct trod_suite_builder *b, const char *name,
    bool failed, struct trod_err *err)
{
    uint32_t known = b->name.count;

    *out = trod_names_add(&b->name, name);
    if (*out == known) {
        trod_reserve(b->mem, b->test, known, b->room_test);
        b->test[known] =
            (struct trod_suite_test_builder){.failed = failed, .anchor = UINT32_MAX};
    }
    if (b->test[*out].failed == failed)
        return true;
    return trod_fail(err, TROD_E_MISMATCH,
        "test %s: it is given both as failed and as passed, and profiles with the same name "
        "are one test; give it once, or name tests by another field",
        name);
}

/* Seconds with at most nine decimals, as nanoseconds. */
static bool parse_seconds(uint64_t *out, const char *text)
{
    uint64_t value = 0;
    int decimals = -1;

    if (!text || !*text)
        return false;
    for (; *text; text++) {
        if (*text == '.' && decimals < 0) {
            decimals = 0;
            continue;
        }
        if (*text < '0' || *text > '9' || decimals == 9)
            return false;
        decimals += decimals >= 0;
        value = trod_sat_add(trod_sat_mul(value, 10), (uint64_t)(*text - '0'));
    }
    for (decimals = decimals < 0 ? 0 : decimals; decimals < 9; decimals++)
        value = trod_sat_mul(value, 10);
    *out = value;
    return true;
}

/* The time of a run is part of its test's time, unless it ran concurrently: as a forked child, or
 * as a library, which has a separate profile.
 */
static bool is_beside(const struct trod_profile_run *run)
{
    const char *birth = value_of(run, "birth"), *image = value_of(run, "image");

    return (birth && strcmp(birth, "fork") == 0) ||
           (image && strcmp(image, "library") == 0);
}

static void add_run(
    struct trod_suite_test_builder *test, const struct trod_profile_run *run)
{
    uint64_t time;

    if (is_beside(run))
        return;
    test->nrun++;
    if (parse_seconds(&time, value_of(run, "duration")))
        test->time = trod_sat_add(test->time, time);
    else
        test->is_untimed = true;
}

/* --- paths of tests --------------------------------------------------------------------------- */

static void reserve(
    struct trod_arena *mem, uint32_t **list, size_t count, size_t *room, size_t *need)
{
    size_t want = count + *need;

    *need = 0;
    if (want <= *room)
        return;
    /* Grow by doubling, except the first time: amortised constant cost. */
    want = *room && want < 2 * *room ? 2 * *room : want;
    *list = trod_arena_grow(mem, *list, count, want, sizeof **list);
    *room = want;
}

static void reserve_taken(struct trod_suite_builder *b,
    const struct trod_profile *profile, const uint32_t *test_of_group)
{
    for (size_t i = 0; i < profile->ntally; i++) {
        struct trod_suite_test_builder *test =
            &b->test[test_of_group[profile->tally[i].group]];

        test->need_path += profile->tally[i].npath;
        test->need_function++;
    }
    for (uint32_t g = 0; g < profile->ngroup; g++) {
        struct trod_suite_test_builder *test = &b->test[test_of_group[g]];

        reserve(b->mem, &test->path, test->npath, &test->room_path, &test->need_path);
        reserve(b->mem, &test->function, test->nfunction, &test->room_function,
            &test->need_function);
    }
}

static void add_tally(struct trod_suite_builder *b,
    struct trod_suite_test_builder *test, const struct trod_profile_tally *tally,
    size_t npath, uint32_t function)
{
    test->function[test->nfunction++] = function;
    if (test->anchor == UINT32_MAX)
        test->anchor = function;
    trod_suite_join(b, test->anchor, function);
    for (size_t i = 0; i < npath; i++)
        test->path[test->npath++] = number_of_path(b, function, tally->path[i].id);
}

static bool add_taken(struct trod_suite_builder *b, const struct trod_profile *profile,
    const uint32_t *test_of_group, const char *file, struct trod_err *err)
{
    const uint32_t **number = trod_new(b->mem, const uint32_t *, profile->nmodule);

    for (uint32_t m = 0; m < profile->nmodule; m++)
        if (!number_module(&number[m], b, &profile->module[m], file, err))
            return false;
    reserve_taken(b, profile, test_of_group);
    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];

        if (trod_profile_is_events(&profile->module[t->module].function[t->function]))
            continue;
        if (b->npath + t->npath >= MOST_PATHS)
            return trod_fail(err, TROD_E_LIMIT,
                "%s: with this there are 2^29 different paths or more; give fewer tests",
                file);
        add_tally(b, &b->test[test_of_group[t->group]], t,
            trod_profile_npath(profile, t), number[t->module][t->function]);
    }
    return true;
}

static bool add_profile(struct trod_suite_builder *b,
    const struct trod_profile *profile, uint32_t *nth, bool alone,
    const struct trod_suite_source *naming, struct trod_err *err)
{
    uint32_t ngroup = profile->ngroup ? profile->ngroup : 1;
    uint32_t *test_of_group = trod_new(b->mem, uint32_t, ngroup);

    b->ngroup += ngroup;
    for (uint32_t g = 0; g < ngroup; g++) {
        const char *name = name_of_group(b, profile, g, (*nth)++, alone, naming);

        if (!number_test(&test_of_group[g], b, name, naming->failed, err))
            return false;
    }
    for (uint32_t i = 0; i < profile->nrun; i++)
        add_run(&b->test[test_of_group[profile->run[i].group]], &profile->run[i]);
    return add_taken(b, profile, test_of_group, naming->file, err);
}

bool trod_suite_add(struct trod_suite_builder *builder,
    const struct trod_profile *profile, uint32_t nprofile,
    const struct trod_suite_source *naming, struct trod_err *err)
{
    bool alone = nprofile == 1 && profile->ngroup <= 1;
    uint32_t nth = 0;

    for (uint32_t i = 0; i < nprofile; i++)
        if (!trod_profile_check_counts(&profile[i], err) ||
            !add_profile(builder, &profile[i], &nth, alone, naming, err))
            return false;
    return true;
}
