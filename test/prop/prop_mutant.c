/* Damaged profiles. For each mutant: the reader does not crash; what it does not report as damaged is what was written; and
 * it returns every section that is still intact.
 *
 * With TROD_MUTANT_WRITE=FOLDER the mutants, as many as TROD_PROP_RUNS says, are written there and not checked: another
 * reader can have them. TROD_MUTANT_FILES names further originals.
 */
#include "mutant_expect.h"
#include "mutant_make.h"

#include <inttypes.h>

enum fault {
    NONE,
    SILENT,        /* losses are not reported */
    TALLY_GONE,    /* one function's paths are dropped */
    COUNT_TOO_LOW, /* a count is one less */
    FIELD_GONE,    /* a line of a run is dropped */
};

/* --- what holds of every mutant ------------------------------------------------------------------ */

static const char *text_of(const struct trod_profile *profile, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_profile_print(&text.sink, profile);
    return text.text;
}

static uint64_t count_fields(const struct trod_profile *profile)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < profile->nrun; i++)
        n += profile->run[i].nfield;
    return n;
}

static bool has_modules(
    struct kit_prop *p, const struct mutant *m, const struct trod_profile *found)
{
    for (uint32_t i = 0; i < m->walk.count; i++) {
        const struct part *c = &m->walk.part[i];
        const struct trod_profile_module *was;
        bool there = false;

        if (m->walk.live || c->lost || c->type != TROD_SECTION_MODULE ||
            module_of(m, c->module) != c)
            continue;
        was = &m->was.module[c->module];
        for (uint32_t k = 0; k < found->nmodule; k++)
            there |= trod_profile_compare_modules(was, &found->module[k]) == 0;
        if (!there) {
            kit_note(p, "module %" PRIu32 " is whole and was not read", c->module);
            return false;
        }
    }
    return true;
}

/* Everything that is whole was read, and nothing else. */
static bool is_salvaged(struct kit_prop *p, const struct mutant *m,
    const struct trod_profile *found, struct sample *s)
{
    struct facts want = {.mem = &s->mem}, have = {.mem = &s->mem};
    uint64_t nfield = expect_fields(m, &s->mem);

    for (uint32_t i = 0; i < m->walk.count; i++)
        if (!m->walk.part[i].lost && !m->walk.part[i].twin)
            return true; /* sound, but not what was written: its contents are unknown */
    expect_counts(&want, m);
    for (size_t t = 0; t < found->ntally; t++)
        add_tally(&have, found, &found->tally[t]);
    add_up(&have);
    nfield += want.weeded;
    if (want.count != have.count ||
        (want.count &&
            memcmp(want.fact, have.fact, want.count * sizeof *want.fact) != 0)) {
        kit_note(p, "%zu paths are whole, %zu were read, or not as often", want.count,
            have.count);
        return false;
    }
    if (nfield != count_fields(found)) {
        kit_note(p, "%" PRIu64 " lines of runs are whole, %" PRIu64 " were read",
            nfield, count_fields(found));
        return false;
    }
    return has_modules(p, m, found);
}

/* Counters have no checksum, and nothing in a live file tells which sections of other kinds
 * there were, or, without a number of threads, how many COUNTS.
 */
static bool may_hide(const struct mutant *m)
{
    bool there[256] = {false}, counted = false;

    if (!m->walk.live)
        return false;
    for (uint32_t i = 0; i < m->walk.count; i++) {
        const struct part *c = &m->walk.part[i], *b;

        if (c->lost)
            continue;
        if (!c->twin)
            return true;
        b = &m->whole.part[c->twin - 1];
        there[c->twin - 1] = true;
        if (c->there != b->there ||
            memcmp(m->file.bytes + c->at, m->original.bytes + b->at, c->there) != 0)
            return true;
    }
    for (uint32_t i = 0; i < m->whole.count; i++) {
        const struct part *b = &m->whole.part[i];

        if (b->type == TROD_SECTION_END)
            counted = memmem(m->original.bytes + b->at + HEAD, b->payload, "threads ",
                          8) != NULL;
    }
    for (uint32_t i = 0; i < m->whole.count; i++) {
        uint32_t type = m->whole.part[i].type;

        if (!there[i] && (type == TROD_SECTION_NOTE || type == TROD_SECTION_MODULE ||
                             (type == TROD_SECTION_COUNTS && !counted)))
            return true;
    }
    return false;
}

/* What is not called damaged or open is what was written. */
static bool is_honest(struct kit_prop *p, const struct mutant *m,
    const struct trod_profile *found, const struct trod_profile_health *health,
    struct sample *s)
{
    if (health->nloss || (m->walk.live && !health->ended) || may_hide(m) ||
        strcmp(text_of(found, &s->mem), text_of(&m->was, &s->mem)) == 0)
        return true;
    kit_note(p, "nothing is said to be lost; read:\n%swritten:\n%s",
        text_of(found, &s->mem), text_of(&m->was, &s->mem));
    return false;
}

static void plant(struct trod_profile *found, struct trod_profile_health *health,
    enum fault fault, struct trod_arena *mem)
{
    struct trod_profile_tally *tally;
    struct trod_profile_path *path;
    struct trod_profile_run *run;

    if (fault == SILENT) {
        health->nloss = 0;
        health->ended = true;
    } else if (fault == TALLY_GONE && found->ntally) {
        found->ntally--;
    } else if (fault == FIELD_GONE && found->nrun && found->run[0].nfield) {
        run = trod_new(mem, struct trod_profile_run, found->nrun);
        memcpy(run, found->run, found->nrun * sizeof *run);
        run->nfield--;
        found->run = run;
    } else if (fault == COUNT_TOO_LOW && found->ntally) {
        tally = trod_new(mem, struct trod_profile_tally, found->ntally);
        memcpy(tally, found->tally, found->ntally * sizeof *tally);
        path = trod_new(mem, struct trod_profile_path, tally->npath);
        memcpy(path, tally->path, tally->npath * sizeof *path);
        path->count -= 1;
        tally->path = path;
        found->tally = tally;
    }
}

static bool holds_of(
    struct kit_prop *p, struct mutant *m, enum fault fault, struct sample *s)
{
    struct trod_profile_health health;
    struct trod_profile found;

    walk(&m->walk, &m->file, &s->mem);
    find_twins(&m->walk, &m->file, &m->whole, &m->original);
    kit_note(p, "%s, %zu bytes, of it %zu", m->original.name, m->original.length,
        m->file.length);
    if (!read_file(&found, &health, &m->file, s)) {
        kit_note(p, "refused: %s", s->err.text);
        return m->walk.refused && s->err.code == TROD_E_INPUT && s->err.text[0];
    }
    if (m->walk.refused) {
        kit_note(p, "not refused");
        return false;
    }
    if (!trod_profile_check(&found, &s->err)) {
        kit_note(p, "%s", s->err.text);
        return false;
    }
    plant(&found, &health, fault, &s->mem);
    return (health.kind == TROD_FORMAT_LIVE) == m->walk.live &&
           is_honest(p, m, &found, &health, s) && is_salvaged(p, m, &found, s);
}

static bool mutant_is_read_right(struct kit_prop *p, void *ctx)
{
    enum fault fault = ctx ? *(const enum fault *)ctx : NONE;
    struct mutant m = {0};
    struct sample s;

    begin(&s);
    draw_original(&m.original, p, &s);
    take_original(&m, &s);
    mutate(&m, p, &s);
    return end(&s, holds_of(p, &m, fault, &s));
}

/* Every length that a file can be cut to; of live files, which are long, every third. */
static bool every_cut_is_read_right(struct kit_prop *p, void *ctx)
{
    (void)ctx;
    for (uint32_t i = 0; i < shelf.count; i++) {
        size_t step =
            shelf.file[i].length < 4096 ? 1 : 3 + shelf.file[i].length / 65536;

        for (size_t length = 0; length < shelf.file[i].length; length += step) {
            struct mutant m = {.original = shelf.file[i]};
            struct sample s;

            begin(&s);
            take_original(&m, &s);
            m.file.length = length;
            m.file.bytes =
                memcpy(trod_new(&s.mem, uint8_t, length), m.original.bytes, length);
            if (!end(&s, holds_of(p, &m, NONE, &s)))
                return false;
        }
    }
    return true;
}

/* --- the tests --------------------------------------------------------------------------------------- */

static void test_mutants(void **state)
{
    (void)state;
    kit_check("mutants are read right", mutant_is_read_right, NULL);
}

static void test_planted(void **state)
{
    (void)state;
    for (enum fault fault = SILENT; fault <= FIELD_GONE; fault++)
        kit_check_planted("mutants are read right", mutant_is_read_right, &fault);
}

static void test_every_cut(void **state)
{
    struct kit_result result;

    (void)state;
    setenv("TROD_PROP_RUNS", "1", 1);
    kit_search(&result, "every cut is read right", every_cut_is_read_right, NULL);
    if (result.failed)
        fail_msg("%s", result.note);
}

/* For another reader: draws come from the seeded source, as in a property. */
struct mutant_writer {
    const char *folder;
    uint64_t number;
};

static bool write_mutant(struct kit_prop *p, void *ctx)
{
    struct mutant_writer *w = ctx;
    struct mutant m = {0};
    char name[4096];
    struct sample s;
    FILE *out;

    begin(&s);
    draw_original(&m.original, p, &s);
    take_original(&m, &s);
    mutate(&m, p, &s);
    snprintf(name, sizeof name, "%s/mutant.%" PRIu64, w->folder, w->number++);
    out = fopen(name, "wb");
    if (!out)
        return end(&s, false);
    fwrite(m.file.bytes, 1, m.file.length, out);
    return end(&s, fclose(out) == 0);
}

static void test_write(void **state)
{
    struct mutant_writer w = {.folder = getenv("TROD_MUTANT_WRITE")};

    (void)state;
    kit_check("mutants are written", write_mutant, &w);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(test_mutants),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_every_cut),
    };
    const struct CMUnitTest write[] = {cmocka_unit_test(test_write)};

    if (getenv("TROD_MUTANT_WRITE"))
        return cmocka_run_group_tests_name("mutant", write, fill_shelf, clear_shelf);
    return cmocka_run_group_tests_name("mutant", test, fill_shelf, clear_shelf);
}
