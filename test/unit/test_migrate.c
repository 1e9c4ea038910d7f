/* Profiles for the next version, piece by piece: types and levels; entries, their order and text; what is counted of paths;
 * which function is which; what is reused, withdrawn and granted; plans; what is merged; and what happens when memory ends.
 */
#include "kit/fixture.h"

#include <string.h>

#include "migrate/migrate.h"

/* --- types ----------------------------------------------------------------------------------------- */

static struct trod_level_name level_names[] = {{TROD_LEVEL_STATEMENT, "statement"},
    {TROD_LEVEL_LOOP, "loop"}, {TROD_LEVEL_FUNCTION, "function"},
    {TROD_LEVEL_CLASS, "class"}, {TROD_LEVEL_PROGRAM, "program"}};
static const struct trod_levels levels = {.level = level_names, .nlevel = 5};

static void expect(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("%s: not in\n%s", words, text);
}

static void test_types(void **state)
{
    struct trod_types types;
    struct trod_type type, mine = {.name = "mine", .level = TROD_LEVEL_CLASS};

    (void)state;
    trod_types_init(&types, &have.mem);
    must(trod_types_find(&type, &types, "loops", 0, &levels, &have.err));
    assert_int_equal(type.level, TROD_LEVEL_LOOP);
    must(trod_types_find(
        &type, &types, "loops", TROD_LEVEL_FUNCTION, &levels, &have.err));
    assert_int_equal(type.level, TROD_LEVEL_FUNCTION);
    must(trod_types_find(&type, &types, "sequences", 0, &levels, &have.err));
    assert_true(type.order && type.nesting);
    must(trod_types_find(&type, &types, "strides", 0, &levels, &have.err));
    assert_true(type.level == TROD_LEVEL_STATEMENT && !type.readable);
    must(trod_types_find(&type, &types, "reuse", 0, &levels, &have.err));
    assert_true(type.level == TROD_LEVEL_PROGRAM && !type.readable);

    assert_false(trod_types_find(&type, &types, "mine", 0, &levels, &have.err));
    assert_int_equal(have.err.code, TROD_E_INPUT);
    expect(have.err.text, "statement, loop, function, class, program");
    must(trod_types_find(&type, &types, "mine", TROD_LEVEL_LOOP, &levels, &have.err));
    assert_int_equal(type.level, TROD_LEVEL_LOOP);
    must(trod_types_add(&types, &mine, &have.err));
    must(trod_types_find(&type, &types, "mine", 0, &levels, &have.err));
    assert_int_equal(type.level, TROD_LEVEL_CLASS);
    assert_false(trod_types_add(&types, &mine, &have.err));

    /* Finer than what is safe is refused, and so is what is no level. */
    assert_false(
        trod_types_find(&type, &types, "paths", TROD_LEVEL_LOOP, &levels, &have.err));
    expect(have.err.text, "the finest safe level is function");
    assert_false(trod_types_find(&type, &types, "loops", 17, &levels, &have.err));
}

/* --- entries ------------------------------------------------------------------------------------------ */

static const char entries_text[] =
    "entries loops\n"
    "input small\n"
    "version v1\n"
    "entry f - 0 - 0 12 7\n"
    "entry f a.c 1 - 0 14 9 reused was 9 trust 0.9000\n"
    "entry f a.c - g 0 0 3 profiled trust 1.0000\n"
    "entry g \"a b.c\" - - 18446744073709551615 0 18446744073709551615\n";

static bool try_entries(struct trod_entries *out, const char *text)
{
    struct trod_text cursor;

    trod_text_init(&cursor, "text", text, strlen(text));
    return trod_entries_parse(out, &cursor, &have.mem, &have.err);
}

static const char *print_entries(const struct trod_entries *entries)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_entries_print(&text.sink, entries);
    return text.text;
}

static void test_entries(void **state)
{
    struct trod_entries entries;
    struct trod_entry like = {.function = "f", .file = "a.c", .part = 1};
    size_t first;

    (void)state;
    must(try_entries(&entries, entries_text));
    must(trod_entries_check(&entries, &have.err));
    assert_string_equal(print_entries(&entries), entries_text);
    assert_int_equal(trod_entries_find(&entries, &like)->count, 9);
    like.part = 2;
    assert_null(trod_entries_find(&entries, &like));
    assert_int_equal(trod_entries_of(&first, &entries, "f", "a.c"), 2);
    assert_int_equal(first, 1);
    assert_int_equal(trod_entries_of(&first, &entries, "f", NULL), 1);
    assert_int_equal(trod_entries_of(&first, &entries, "e", NULL), 0);
    assert_true(trod_entries_sum(&entries) == UINT64_MAX);
}

static void test_entries_twice(void **state)
{
    struct trod_entries entries;

    (void)state;
    must(try_entries(&entries,
        "entries calls\nentry f a.c - - 0 0 2\nentry e a.c - - 0 0 1\n"
        "entry f a.c - - 0 3 5\n"));
    assert_string_equal(print_entries(&entries),
        "entries calls\nentry e a.c - - 0 0 1\nentry f a.c - - 0 3 7\n");
}

static void test_entries_wrong(void **state)
{
    static const char *const wrong[] = {
        "",
        "entry f a.c - - 0 0 1\n",
        "entries\n",
        "entries -\n",
        "entries calls\nentry\n",
        "entries calls\nentry - a.c - - 0 0 1\n",
        "entries calls\nentry f a.c x - 0 0 1\n",
        "entries calls\nentry f a.c 4294967295 - 0 0 1\n",
        "entries calls\nentry f a.c - - 0 4294967296 1\n",
        "entries calls\nentry f a.c - - 0 0\n",
        "entries calls\nentry f a.c - - 0 0 1 sure\n",
        "entries calls\nentry f a.c - - 0 0 1 reused reused\n",
        "entries calls\nentry f a.c - - 0 0 1 trust 0.5\n",
        "entries calls\nentry f a.c - - 0 0 1 reused trust 1.5\n",
        "entries calls\nentry f a.c - - 0 0 1 reused trust nan\n",
        "entries calls\nfoo\n",
    };
    struct trod_entries entries;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (try_entries(&entries, wrong[i]))
            fail_msg("accepted: %s", wrong[i]);
        assert_int_equal(have.err.code, TROD_E_INPUT);
    }
}

static void test_entries_check(void **state)
{
    struct trod_entries entries;

    (void)state;
    must(try_entries(&entries, entries_text));
    entries.entry[1] = entries.entry[0];
    assert_false(trod_entries_check(&entries, &have.err));
    must(try_entries(&entries, entries_text));
    entries.entry[2].trust = 2;
    assert_false(trod_entries_check(&entries, &have.err));
    must(try_entries(&entries, entries_text));
    entries.entry[0].function = "";
    assert_false(trod_entries_check(&entries, &have.err));
}

/* --- two versions ---------------------------------------------------------------------------------------- */

/* f has a loop, g two ways, h one block. In the new version h is gone and k is new. */
#define F                                                                   \
    "function f 0000000000000001 0000000000000011 0000000000000021\n"       \
    "file a.c\nnumbering f ballarus\n>: 0 1+2\n0: 1\n1: 2 3+1\n2: >1\n3:\n" \
    "lines f\n0: 10\n1: 12\n2: 13\n3: 15\n"
#define G                                                             \
    "function g 0000000000000002 0000000000000012 0000000000000022\n" \
    "file \"%s\"\nnumbering g ballarus\n>: 0\n0: 1 2+1\n1: 3\n2: 3\n3:\n"
#define ONE(name, hash)                      \
    "function " name " 000000000000000" hash \
    " 0000000000000013 0000000000000023\nnumbering " name " ballarus\n>: 0\n0:\n"

#define OF_F "function 0000000000000001 0000000000000011 0000000000000021 4\n"
#define OF_G "function 0000000000000002 0000000000000012 0000000000000022 2\n"

struct versions {
    struct trod_map old, later;
};

static void parse_map(
    struct trod_map *out, const char *g_file, const char *more, struct trod_arena *mem)
{
    struct trod_string text;
    struct trod_text cursor;

    trod_string_init(&text, mem);
    trod_put(&text.sink, "unit a.c source\n" F G "%s", g_file, more);
    trod_text_init(&cursor, "map", text.text, text.length);
    if (!trod_map_parse(out, &cursor, mem, &have.err))
        fail_msg("%s", have.err.text);
    for (uint32_t i = 0; i < out->nentry; i++)
        out->entry[i].meaning = 100 + (uint64_t)out->entry[i].name[0];
}

static void make_versions(struct versions *out, struct trod_arena *mem)
{
    parse_map(&out->old, "src/b.c", ONE("h", "3"), mem);
    parse_map(&out->later, "lib/b.c", ONE("k", "4"), mem);
}

static void put_path(struct trod_sink *sink, unsigned id, unsigned count)
{
    if (count)
        trod_put(sink, "=%u %u\n", id, count);
}

/* f is entered once and its loop has this many iterations; left and right count the branches of g. */
static void parse_profile(struct trod_profile *out, unsigned iterations, unsigned left,
    unsigned right, struct trod_arena *mem)
{
    struct trod_string text;
    struct trod_text cursor;
    bool more;

    trod_string_init(&text, mem);
    trod_put(&text.sink, "profile\nmodule app source 00\n" OF_F);
    put_path(&text.sink, 0, iterations ? 1 : 0);
    put_path(&text.sink, 2, iterations ? iterations - 1 : 0);
    put_path(&text.sink, 3, 1);
    trod_put(&text.sink, OF_G);
    put_path(&text.sink, 0, left);
    put_path(&text.sink, 1, right);
    trod_text_init(&cursor, "profile", text.text, text.length);
    if (!trod_profile_parse(out, &more, &cursor, mem, &have.err))
        fail_msg("%s", have.err.text);
}

static const struct trod_flows *flows_of(const struct trod_map *map,
    unsigned iterations, unsigned left, unsigned right, struct trod_arena *mem)
{
    struct trod_flows *flows = trod_new(mem, struct trod_flows, 1);
    struct trod_profile profile;

    parse_profile(&profile, iterations, left, right, mem);
    must(trod_flows_build(flows, &profile, map, mem, &have.err));
    return flows;
}

static void test_iterate(void **state)
{
    static const struct {
        const char *type, *text;
    } known[] = {
        {"loops", "entries loops\nentry f a.c 0 - 0 12 6\n"},
        {"calls",
            "entries calls\nentry f a.c - - 0 10 1\nentry g \"src/b.c\" - - 0 0 7\n"},
        {"blocks", "entries blocks\nentry f a.c 0 - 0 10 1\nentry f a.c 1 - 0 12 6\n"
                   "entry f a.c 2 - 0 13 5\nentry f a.c 3 - 0 15 1\n"
                   "entry g \"src/b.c\" 0 - 0 0 7\nentry g \"src/b.c\" 1 - 0 0 3\n"
                   "entry g \"src/b.c\" 2 - 0 0 4\nentry g \"src/b.c\" 3 - 0 0 7\n"},
        {"edges", "entries edges\nentry f a.c 0 - 0 10 1\nentry f a.c 1 - 0 12 5\n"
                  "entry f a.c 2 - 0 12 1\nentry f a.c 3 - 0 13 5\n"
                  "entry g \"src/b.c\" 0 - 0 0 3\nentry g \"src/b.c\" 1 - 0 0 4\n"
                  "entry g \"src/b.c\" 2 - 0 0 3\nentry g \"src/b.c\" 3 - 0 0 4\n"},
        {"paths", "entries \"paths\"\nentry f a.c - - 0 10 1\nentry f a.c - - 2 12 4\n"
                  "entry f a.c - - 3 12 1\nentry g \"src/b.c\" - - 0 0 3\n"
                  "entry g \"src/b.c\" - - 1 0 4\n"},
    };
    struct versions v;
    struct trod_profile profile;
    struct trod_entries entries;

    (void)state;
    make_versions(&v, &have.mem);
    parse_profile(&profile, 5, 3, 4, &have.mem);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        must(trod_migrate_entries(
            &entries, known[i].type, &profile, &v.old, false, &have.mem, &have.err));
        must(trod_entries_check(&entries, &have.err));
        assert_string_equal(print_entries(&entries), known[i].text);
    }
    assert_false(trod_migrate_entries(
        &entries, "callgraph", &profile, &v.old, false, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
    assert_false(trod_migrate_entries(
        &entries, "strides", &profile, &v.old, false, &have.mem, &have.err));
}

static void test_iterate_all(void **state)
{
    struct versions v;
    struct trod_profile profile;
    struct trod_entries entries;

    (void)state;
    make_versions(&v, &have.mem);
    parse_profile(&profile, 0, 3, 0, &have.mem);
    must(trod_migrate_entries(
        &entries, "edges", &profile, &v.old, true, &have.mem, &have.err));
    assert_int_equal(entries.nentry, 8);
    parse_profile(&profile, 0, 0, 0, &have.mem);
    assert_int_equal(profile.ntally, 1); /* =3 1 */
}

static void test_nothing_ran(void **state)
{
    static const char text[] = "profile\nmodule app source 00\n" OF_F;
    struct versions v;
    struct trod_profile profile;
    struct trod_entries entries;
    struct trod_text cursor;
    bool more;

    (void)state;
    make_versions(&v, &have.mem);
    trod_text_init(&cursor, "text", text, strlen(text));
    must(trod_profile_parse(&profile, &more, &cursor, &have.mem, &have.err));
    assert_false(trod_migrate_entries(
        &entries, "loops", &profile, &v.old, false, &have.mem, &have.err));
    expect(have.err.text, "nothing to migrate");
}

/* --- which function is which --------------------------------------------------------------------------------- */

static void test_join(void **state)
{
    struct versions v;
    struct trod_join join;
    const struct trod_joined *j;

    (void)state;
    make_versions(&v, &have.mem);
    trod_join_build(&join, &v.old, &v.later, NULL, &have.mem);
    assert_int_equal(join.njoined, 4);
    j = &join.joined[trod_join_find(&join, "g", "src/b.c")];
    assert_string_equal(j->new_file, "lib/b.c");
    assert_true(j->in_old && j->in_new && !j->many);
    j = &join.joined[trod_join_find(&join, "h", NULL)];
    assert_true(j->in_old && !j->in_new);
    assert_int_equal(trod_join_find(&join, "k", NULL), TROD_NONE);
    j = &join.joined[trod_join_find_new(&join, "k", "a.c")];
    assert_true(!j->in_old && j->in_new);

    /* What does the same, and nothing else does, was renamed. */
    v.later.entry[2].meaning = v.old.entry[2].meaning;
    trod_join_build(&join, &v.old, &v.later, NULL, &have.mem);
    assert_int_equal(join.njoined, 3);
    j = &join.joined[trod_join_find(&join, "h", NULL)];
    assert_string_equal(j->new_name, "k");
}

static void test_join_statics(void **state)
{
    static const char old[] =
        "unit a.c source\n" ONE("s", "5") "unit b.c source\n" ONE("s", "6");
    static const char new[] = "unit b.c source\n" ONE("s", "6") "unit a.c source\n" ONE(
        "s", "5") "unit c.c source\n" ONE("s", "7");
    struct trod_map a, b;
    struct trod_text cursor;
    struct trod_join join;

    (void)state;
    trod_text_init(&cursor, "old", old, strlen(old));
    must(trod_map_parse(&a, &cursor, &have.mem, &have.err));
    trod_text_init(&cursor, "new", new, strlen(new));
    must(trod_map_parse(&b, &cursor, &have.mem, &have.err));
    trod_join_build(&join, &a, &b, NULL, &have.mem);
    assert_int_equal(join.njoined, 3);
    for (uint32_t i = 0; i < 2; i++)
        assert_string_equal(join.joined[i].file, join.joined[i].new_file);
    assert_false(join.joined[2].in_old);
}

/* --- what is reused ---------------------------------------------------------------------------------------------- */

static void add_input(struct trod_migration *m, const struct versions *v,
    const char *name, const struct trod_flows *old, const struct trod_flows *check)
{
    struct trod_migrate_input *in = &m->input[m->ninput++];

    *in = (struct trod_migrate_input){.name = name, .flows = old};
    must(trod_flows_entries(
        &in->old, NULL, m->type.name, old, false, &have.mem, &have.err));
    if (check) {
        in->check = trod_new(&have.mem, struct trod_entries, 1);
        in->check_flows = check;
        must(trod_flows_entries(
            in->check, NULL, m->type.name, check, false, &have.mem, &have.err));
    }
    m->old_map = &v->old;
    m->new_map = &v->later;
}

static void begin(
    struct trod_migration *m, const char *type, enum trod_impact_method method)
{
    struct trod_types types;

    *m = (struct trod_migration){.method = method};
    m->input = trod_new(&have.mem, struct trod_migrate_input, 4);
    trod_types_init(&types, &have.mem);
    must(trod_types_find(&m->type, &types, type, 0, &levels, &have.err));
}

static enum trod_fate fate_of(const struct trod_migration *m, const char *name)
{
    for (uint32_t i = 0; i < m->join.njoined; i++)
        if (strcmp(m->join.joined[i].name, name) == 0)
            return m->unit[m->first_unit[i]].fate;
    fail_msg("no function %s", name);
    return TROD_UNIT_GONE;
}

/* Nothing changed but the folder of g, that h is gone and that k is new. */
static void test_identity(void **state)
{
    static const char *const types[] = {"loops", "calls", "blocks", "edges", "paths"};

    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        struct trod_migration m;
        struct versions v;

        make_versions(&v, &have.mem);
        begin(&m, types[t], TROD_IMPACT_OWN);
        add_input(&m, &v, "one", flows_of(&v.old, 5, 3, 4, &have.mem), NULL);
        must(trod_migrate_decide(&m, &have.mem, &have.err));
        assert_int_equal(m.input[0].state, TROD_INPUT_SKIPPED);
        assert_int_equal(m.input[0].planned.nentry, m.input[0].old.nentry);
        for (uint32_t i = 0; i < m.input[0].planned.nentry; i++) {
            const struct trod_entry *e = &m.input[0].planned.entry[i];

            assert_int_equal(e->how, TROD_HOW_REUSED);
            assert_true(e->has_was && e->was == e->count);
            assert_int_equal(e->count, m.input[0].old.entry[i].count);
        }
        if (strcmp(types[t], "loops") != 0)
            assert_int_equal(fate_of(&m, "h"), TROD_UNIT_GONE);
    }
}

static void test_changed(void **state)
{
    struct trod_migration m;
    struct versions v;

    (void)state;
    make_versions(&v, &have.mem);
    v.later.entry[1].meaning++; /* g */
    begin(&m, "paths", TROD_IMPACT_OWN);
    add_input(&m, &v, "one", flows_of(&v.old, 5, 3, 4, &have.mem), NULL);
    add_input(&m, &v, "two", flows_of(&v.old, 5, 0, 0, &have.mem), NULL);
    must(trod_migrate_decide(&m, &have.mem, &have.err));
    assert_int_equal(fate_of(&m, "f"), TROD_UNIT_UNAFFECTED);
    assert_int_equal(fate_of(&m, "g"), TROD_UNIT_AFFECTED);
    assert_int_equal(fate_of(&m, "k"), TROD_UNIT_NEW);
    assert_int_equal(m.input[0].state, TROD_INPUT_RUN);
    assert_string_equal(m.input[0].why, "g");
    assert_int_equal(m.input[1].state, TROD_INPUT_SKIPPED);
    for (uint32_t i = 0; i < m.input[0].planned.nentry; i++)
        assert_int_equal(m.input[0].planned.entry[i].how,
            m.input[0].planned.entry[i].function[0] == 'f' ? TROD_HOW_REUSED
                                                           : TROD_HOW_INFERRED);
}

static void test_methods(void **state)
{
    struct trod_migration m;
    struct versions v;

    (void)state;
    make_versions(&v, &have.mem);
    v.later.entry[1].meaning++;
    begin(&m, "calls", TROD_IMPACT_BLIND);
    add_input(&m, &v, "one", flows_of(&v.old, 5, 3, 4, &have.mem), NULL);
    must(trod_migrate_decide(&m, &have.mem, &have.err));
    assert_int_equal(fate_of(&m, "g"), TROD_UNIT_UNAFFECTED);
    begin(&m, "calls", TROD_IMPACT_NONE);
    add_input(&m, &v, "one", flows_of(&v.old, 5, 3, 4, &have.mem), NULL);
    must(trod_migrate_decide(&m, &have.mem, &have.err));
    assert_int_equal(fate_of(&m, "f"), TROD_UNIT_AFFECTED);
    begin(&m, "calls", TROD_IMPACT_AG);
    add_input(&m, &v, "one", flows_of(&v.old, 5, 3, 4, &have.mem), NULL);
    assert_false(trod_migrate_decide(&m, &have.mem, &have.err));
    expect(have.err.text, "needs the constructs");
}

/* A run of the new version withdraws what is not as before, and grants what is. */
static void test_check(void **state)
{
    struct trod_migration m;
    struct versions v;

    (void)state;
    make_versions(&v, &have.mem);
    v.later.entry[1].meaning++;
    begin(&m, "paths", TROD_IMPACT_OWN);
    add_input(&m, &v, "one", flows_of(&v.old, 5, 3, 4, &have.mem),
        flows_of(&v.later, 6, 3, 4, &have.mem));
    add_input(&m, &v, "two", flows_of(&v.old, 9, 1, 0, &have.mem), NULL);
    must(trod_migrate_decide(&m, &have.mem, &have.err));
    assert_int_equal(fate_of(&m, "f"), TROD_UNIT_WITHDRAWN);
    assert_int_equal(fate_of(&m, "g"), TROD_UNIT_GRANTED);
    assert_int_equal(m.input[0].state, TROD_INPUT_CHECK);
    assert_int_equal(m.input[1].state, TROD_INPUT_RUN);
    assert_string_equal(m.input[1].why, "f");
    assert_int_equal(m.ndisagreed, 1);
    for (uint32_t i = 0; i < m.input[0].planned.nentry; i++)
        assert_int_equal(m.input[0].planned.entry[i].how, TROD_HOW_PROFILED);
    for (uint32_t i = 0; i < m.input[1].planned.nentry; i++)
        assert_int_equal(m.input[1].planned.entry[i].how,
            m.input[1].planned.entry[i].function[0] == 'f' ? TROD_HOW_INFERRED
                                                           : TROD_HOW_VALIDATED);
}

static void test_refused(void **state)
{
    struct trod_migration m;
    struct versions v;

    (void)state;
    make_versions(&v, &have.mem);
    begin(&m, "loops", TROD_IMPACT_OWN);
    assert_false(trod_migrate_decide(&m, &have.mem, &have.err));
    add_input(&m, &v, "one", flows_of(&v.old, 5, 3, 4, &have.mem), NULL);
    m.input[0].old.entry[0].count = 0;
    assert_false(trod_migrate_decide(&m, &have.mem, &have.err));
    expect(have.err.text, "only counts of 0");
}

/* --- plans ------------------------------------------------------------------------------------------------------------ */

static const char plan_text[] = "migration loops own 20\n"
                                "old \"v1/app\"\n"
                                "new \"v2/app\"\n"
                                "module \"v2/app\" 00ff\n"
                                "agreed 12 1\n"
                                "input small check\n"
                                "input large run f\n"
                                "function affected f a.c f b.c \"it changed\"\n"
                                "loop affected 0 1 12 \"it changed\"\n"
                                "loop unmapped 1 - 14\n"
                                "function new - - k b.c\n"
                                "function gone h a.c - -\n"
                                "again f b.c\n"
                                "again k b.c\n"
                                "note \"calls are missing\"\n";

static bool try_plan(struct trod_migrate_plan *out, const char *text)
{
    struct trod_text cursor;

    trod_text_init(&cursor, "plan", text, strlen(text));
    return trod_migrate_plan_parse(out, &cursor, &have.mem, &have.err);
}

static const char *print_plan(const struct trod_migrate_plan *plan)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_migrate_plan_print(&text.sink, plan);
    return text.text;
}

static void test_plan_text(void **state)
{
    static const char *const wrong[] = {"", "input a run\n", "migration\n",
        "migration loops own x\n", "migration loops own -\n",
        "migration loops own 20\nmigration loops own 20\n",
        "migration loops own 20\ninput a maybe\n",
        "migration loops own 20\nloop affected 0 0 1\n",
        "migration loops own 20\nfunction fine f a.c f a.c\n",
        "migration loops own 20\nfunction new - - - -\n",
        "migration loops own 20\nagain\n"};
    struct trod_migrate_plan plan;

    (void)state;
    must(try_plan(&plan, plan_text));
    assert_string_equal(print_plan(&plan), plan_text);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (try_plan(&plan, wrong[i]))
            fail_msg("accepted: %s", wrong[i]);
}

static void test_plan_build(void **state)
{
    static const struct trod_migrate_module module = {"v2/app", "00"};
    static const struct trod_migrate_print_options options = {.colour = true};
    struct trod_migration m;
    struct trod_migrate_plan plan, again;
    struct trod_string text;
    struct versions v;

    (void)state;
    make_versions(&v, &have.mem);
    v.later.entry[1].meaning++;
    begin(&m, "loops", TROD_IMPACT_OWN);
    add_input(&m, &v, "one", flows_of(&v.old, 5, 3, 4, &have.mem), NULL);
    must(trod_migrate_decide(&m, &have.mem, &have.err));
    trod_migrate_plan_build(&plan, &m, "v1", "v2", &module, &have.mem);
    must(try_plan(&again, print_plan(&plan)));
    assert_string_equal(print_plan(&plan), print_plan(&again));
    trod_string_init(&text, &have.mem);
    trod_migrate_report(&text.sink, &m, &plan, &options);
    expect(text.text, "1 of 1 old entries are reused (100.0 %)");
    expect(text.text, "\033[");
    assert_true(trod_migrate_explain(&text.sink, &m, "f", &options));
    expect(text.text, "loop 0 in line 12, now loop 0");
    assert_false(trod_migrate_explain(&text.sink, &m, "nobody", &options));
}

/* --- merging ------------------------------------------------------------------------------------------------------------ */

static void test_merge(void **state)
{
    static const struct trod_migrate_module module = {"v2/app", "00"};
    struct trod_migration m;
    struct trod_merged merged;
    struct trod_profile profile, whole;
    struct trod_entries profiled, again = {.type = "again"};
    struct trod_merge_inputs in = {0};
    struct trod_flows *flows;
    struct versions v;
    struct trod_string a, b;

    (void)state;
    make_versions(&v, &have.mem);
    v.later.entry[1].meaning++;
    begin(&m, "paths", TROD_IMPACT_OWN);
    add_input(&m, &v, "one", flows_of(&v.old, 5, 3, 4, &have.mem), NULL);
    must(trod_migrate_decide(&m, &have.mem, &have.err));

    /* g is counted again, and f is not. */
    flows = trod_new(&have.mem, struct trod_flows, 1);
    *flows = *flows_of(&v.later, 1, 7, 1, &have.mem);
    flows->of_entry[0] = (struct trod_flow){0};
    must(trod_flows_entries(
        &profiled, NULL, "paths", flows, false, &have.mem, &have.err));
    in = (struct trod_merge_inputs){.planned = &m.input[0].planned,
        .begun = &m.input[0].begun,
        .profiled = &profiled,
        .flows = flows,
        .again = &again,
        .map = &v.later};
    trod_merge_entries(&merged, &in, &have.mem);
    must(trod_entries_check(&merged.entries, &have.err));
    assert_int_equal(merged.nentry_of_how[TROD_HOW_REUSED], 3);
    assert_int_equal(merged.nentry_of_how[TROD_HOW_PROFILED], 2);
    assert_int_equal(merged.nnote, 0);
    must(
        trod_merge_profile(&profile, &merged, &v.later, &module, &have.mem, &have.err));
    must(trod_profile_check(&profile, &have.err));

    /* The same as if all had been profiled. */
    parse_profile(&whole, 5, 7, 1, &have.mem);
    trod_string_init(&a, &have.mem);
    trod_string_init(&b, &have.mem);
    for (size_t i = 0; i < profile.ntally; i++)
        for (size_t k = 0; k < profile.tally[i].npath; k++)
            trod_put(&a.sink, "%u %u ", (unsigned)profile.tally[i].path[k].id,
                (unsigned)profile.tally[i].path[k].count);
    for (size_t i = 0; i < whole.ntally; i++)
        for (size_t k = 0; k < whole.tally[i].npath; k++)
            trod_put(&b.sink, "%u %u ", (unsigned)whole.tally[i].path[k].id,
                (unsigned)whole.tally[i].path[k].count);
    assert_string_equal(a.text, b.text);
}

/* What must be profiled and was not is inferred, and a note says so. */
static void test_merge_missing(void **state)
{
    struct trod_merged merged;
    struct trod_entries planned, profiled, again;
    struct trod_merge_inputs in = {
        .planned = &planned, .profiled = &profiled, .again = &again};
    struct trod_flows flows;
    struct trod_profile profile;
    struct versions v;

    (void)state;
    make_versions(&v, &have.mem);
    parse_profile(&profile, 1, 1, 1, &have.mem);
    must(trod_flows_build(&flows, &profile, &v.later, &have.mem, &have.err));
    must(try_entries(&planned,
        "entries calls\nentry f a.c - - 0 0 2 reused was 2 trust 0.9\n"
        "entry k a.c - - 0 0 3 inferred was 3 trust 0.5\n"));
    must(try_entries(&again, "entries again\nentry k a.c - - 0 0 0\n"));
    must(try_entries(&profiled, "entries calls\n"));
    in.flows = &flows;
    flows.of_entry[2] = (struct trod_flow){0};
    trod_merge_entries(&merged, &in, &have.mem);
    assert_int_equal(merged.nnote, 1);
    expect(merged.note[0], "'k'");
    /* f was counted and did not run. */
    assert_string_equal(print_entries(&merged.entries),
        "entries calls\nentry f a.c - - 0 0 0 profiled was 2 trust 1.0000\n"
        "entry k a.c - - 0 0 3 inferred was 3 trust 0.5000\n");
}

/* Another profiler does not know files: its functions are those of the plan. */
static void test_merge_foreign(void **state)
{
    struct trod_merged merged;
    struct trod_entries planned, profiled, again;
    struct trod_merge_inputs in = {
        .planned = &planned, .profiled = &profiled, .again = &again};

    (void)state;
    must(try_entries(&planned,
        "entries callgraph\nentry f \"src/a.c\" - g 0 0 2 inferred was 2 trust 0.5\n"
        "entry h a.c - g 0 0 3 reused was 3 trust 0.9\n"));
    must(try_entries(&again, "entries again\nentry f \"src/a.c\" - - 0 0 0\n"));
    must(try_entries(&profiled, "entries callgraph\nentry f - - g 0 0 7\n"));
    trod_merge_entries(&merged, &in, &have.mem);
    assert_string_equal(print_entries(&merged.entries),
        "entries callgraph\n"
        "entry f \"src/a.c\" - g 0 0 7 profiled was 2 trust 1.0000\n"
        "entry h a.c - g 0 0 3 reused was 3 trust 0.9000\n");
}

/* --- memory -------------------------------------------------------------------------------------------------------------- */

static void all_of_it(struct trod_arena *mem, void *ctx)
{
    static const struct trod_migrate_module module = {"v2/app", "00"};
    struct trod_migration m = {.method = TROD_IMPACT_OWN,
        .type = {.name = "paths", .level = TROD_LEVEL_FUNCTION}};
    struct trod_migrate_plan plan;
    struct trod_merged merged;
    struct trod_merge_inputs in = {0};
    struct trod_profile profile, out;
    struct trod_flows flows;
    struct versions v;
    struct trod_err err;

    (void)ctx;
    make_versions(&v, mem);
    parse_profile(&profile, 5, 3, 4, mem);
    m.ninput = 1;
    m.input = trod_new(mem, struct trod_migrate_input, 1);
    m.input[0].name = "one";
    m.old_map = &v.old;
    m.new_map = &v.later;
    if (!trod_flows_build(&flows, &profile, &v.old, mem, &err) ||
        !trod_flows_entries(&m.input[0].old, NULL, "paths", &flows, false, mem, &err))
        return;
    m.input[0].flows = &flows;
    if (!trod_migrate_decide(&m, mem, &err))
        return;
    trod_migrate_plan_build(&plan, &m, "v1", "v2", &module, mem);
    in.planned = &m.input[0].planned;
    trod_merge_entries(&merged, &in, mem);
    if (!trod_merge_profile(&out, &merged, &v.later, &module, mem, &err))
        fail_msg("%s", err.text);
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(all_of_it, NULL) > 50);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(types),
        TEST(entries),
        TEST(entries_twice),
        TEST(entries_wrong),
        TEST(entries_check),
        TEST(iterate),
        TEST(iterate_all),
        TEST(nothing_ran),
        TEST(join),
        TEST(join_statics),
        TEST(identity),
        TEST(changed),
        TEST(methods),
        TEST(check),
        TEST(refused),
        TEST(plan_text),
        TEST(plan_build),
        TEST(merge),
        TEST(merge_missing),
        TEST(merge_foreign),
        TEST(memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
