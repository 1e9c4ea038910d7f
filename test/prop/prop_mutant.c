/* Damaged files: cut off, with flipped bits, sections swapped, duplicated or missing, wrong lengths,
 * foreign bytes. For each mutant: the reader does not crash; what it does not report as damaged is
 * what was written; and it returns every section that is still intact.
 *
 * The expected sections come from brute force: a walk over the mutant, following doc/format.md,
 * which compares every section with those of the original, byte by byte.
 *
 * Originals are random profiles, the seeds of the fuzz target, and the files that
 * TROD_MUTANT_FILES names, parted by blanks. With TROD_MUTANT_WRITE=FOLDER the mutants, as many
 * as TROD_PROP_RUNS says, are written there and not checked: another reader can have them.
 */
#include "kit/kit.h"
#include "kit/live.h"
#include "prop/scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "zstd/zstd_port.h"

enum fault {
    NONE,
    SILENT,        /* losses are not reported */
    TALLY_GONE,    /* one function's paths are dropped */
    COUNT_TOO_LOW, /* a count is one less */
    FIELD_GONE,    /* a line of a run is dropped */
};

enum { HEAD = 64, MODULE = 32, FUNCTION = 56, PAGE = TROD_FORMAT_PAGE };
enum { SHARED_SIZE = sizeof(struct trod_format_shared) };

/* --- files -------------------------------------------------------------------------------- */

struct file {
    const char *name;
    uint8_t *bytes;
    size_t length;
};

static bool read_file(struct trod_profile *out, struct trod_profile_health *health,
    const struct file *file, struct sample *s)
{
    struct trod_profile_read_options options = {.codec = &trod_zstd_codec};

    return trod_profile_read(
        out, health, file->bytes, file->length, &options, &s->mem, &s->err);
}

static const char *text_of(const struct trod_profile *profile, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_profile_print(&text.sink, profile);
    return text.text;
}

static void from_string(
    struct file *out, const char *name, const struct trod_string *from)
{
    *out = (struct file){name, (uint8_t *)from->text, from->length};
}

/* Files that are there for the whole test. */
static struct {
    struct sample own;
    struct file file[64];
    uint32_t count;
} shelf;

static bool load(struct file *out, const char *name)
{
    FILE *in = fopen(name, "rb");
    size_t room = (size_t)1 << 24;

    if (!in)
        return false;
    out->name = trod_copy_text(&shelf.own.mem, name, strlen(name));
    out->bytes = trod_arena_take(&shelf.own.mem, room, 1);
    out->length = fread(out->bytes, 1, room, in);
    fclose(in);
    return true;
}

/* Packed files are written anew, so that they are as today's trod writes them. */
static void shelve(const char *name)
{
    struct sample *s = &shelf.own;
    struct trod_profile_health health;
    struct trod_profile profile;
    struct trod_string packed;
    struct file file = {0};

    assert_true(load(&file, name));
    assert_true(read_file(&profile, &health, &file, s) && !health.nloss);
    if (health.kind == TROD_FORMAT_PACKED) {
        trod_string_init(&packed, &s->mem);
        assert_true(trod_profile_write(&packed.sink, &profile,
            shelf.count % 2 ? &trod_zstd_codec : NULL, &s->mem, &s->err));
        from_string(&file, file.name, &packed);
    }
    assert_true(shelf.count < sizeof shelf.file / sizeof *shelf.file);
    shelf.file[shelf.count++] = file;
}

static int fill_shelf(void **state)
{
    static const char *const seed[] = {"live-ended", "live-killed", "packed-plain",
        "packed-groups", "packed-groups-zstd", "live-residual", "packed-residual",
        "live-shared"};
    const char *more = getenv("TROD_MUTANT_FILES");
    char name[4096];
    int used;

    (void)state;
    begin(&shelf.own);
    for (size_t i = 0; i < sizeof seed / sizeof *seed; i++) {
        snprintf(name, sizeof name, "fuzz/seed/fuzz_profile/%s", seed[i]);
        shelve(name);
    }
    for (; more && sscanf(more, "%4095s%n", name, &used) == 1; more += used)
        shelve(name);
    return 0;
}

static int clear_shelf(void **state)
{
    (void)state;
    trod_arena_free(&shelf.own.mem);
    return 0;
}

/* An original: one from the shelf, or a random one. */
static void draw_original(struct file *out, struct kit_prop *p, struct sample *s)
{
    struct kit_profile_options opt = {.groups = kit_draw(p, 2)};
    struct kit_live_options live = {.nthread = 1 + (uint32_t)kit_draw(p, 3),
        .page = (uint64_t)PAGE << (kit_draw(p, 8) == 7),
        .gaps = kit_draw(p, 4) == 3,
        .bundles = kit_draw(p, 4) == 3};
    uint64_t which = kit_draw(p, 8 + 2 * shelf.count);
    struct trod_profile profile;
    struct trod_string bytes;
    bool written = true;

    if (which >= 8) {
        const struct file *from = &shelf.file[(which - 8) / 2];

        *out = *from;
        out->bytes = trod_new(&s->mem, uint8_t, from->length);
        memcpy(out->bytes, from->bytes, from->length);
        return;
    }
    trod_string_init(&bytes, &s->mem);
    opt.live = which < 4;
    if (opt.live)
        opt.groups = false;
    kit_profile(&profile, &opt, draw, p, &s->mem);
    if (opt.live)
        kit_live(&bytes, &profile, &live, &s->mem);
    else
        written = trod_profile_write(&bytes.sink, &profile,
            which % 2 ? &trod_zstd_codec : NULL, &s->mem, &s->err);
    assert(written);
    (void)written;
    from_string(out, opt.live ? "random, live" : "random, packed", &bytes);
}

/* --- the dumb walk -------------------------------------------------------------------------- */

static uint64_t get(const uint8_t *p, int nbyte)
{
    uint64_t value = 0;

    while (nbyte-- > 0)
        value = value << 8 | p[nbyte];
    return value;
}

static void set(uint8_t *p, uint64_t value, int nbyte)
{
    for (int i = 0; i < nbyte; i++, value >>= 8)
        p[i] = (uint8_t)value;
}

/* A section with a sound head. */
struct part {
    size_t at, there; /* bytes of it that the file has */
    uint64_t size, payload;
    uint32_t type, flags, module, thread;
    bool lost;     /* the specification says so */
    uint32_t twin; /* of the original's sections, + 1; 0: none is like it */
};

struct walk {
    bool refused, header_hit, live, ended;
    struct part *part;
    uint32_t count, room;
};

static bool is_sound(struct part *out, const struct file *f, size_t at, bool live)
{
    const uint8_t *p = f->bytes + at;

    if (at > f->length || f->length - at < HEAD || memcmp(p, "TORD", 4) != 0 ||
        trod_crc32(p, 60) != get(p + 60, 4))
        return false;
    *out = (struct part){.at = at,
        .type = (uint32_t)get(p + 4, 4),
        .size = get(p + 8, 8),
        .payload = get(p + 16, 8),
        .flags = (uint32_t)get(p + 24, 4),
        .module = (uint32_t)get(p + 28, 4),
        .thread = (uint32_t)get(p + 32, 4)};
    out->there = f->length - at < out->size ? f->length - at : (size_t)out->size;
    return out->size >= HEAD && out->payload <= out->size - HEAD &&
           (!live || out->size % PAGE == 0);
}

/* Rules 3 to 5 of "Recover what is there" in doc/format.md. */
static bool is_lost(const struct part *c, const struct file *f)
{
    const uint8_t *p = f->bytes + c->at;
    bool whole = c->there - HEAD >= c->payload;
    bool counts = c->type == TROD_SECTION_COUNTS;

    if (c->type == TROD_SECTION_BUNDLES && c->flags < TROD_SECTION_LIVE)
        return !whole || trod_crc32(p + HEAD, c->payload) != get(p + 56, 4);
    if (c->type == TROD_SECTION_SHARED && c->flags == TROD_SECTION_LIVE)
        return c->payload < SHARED_SIZE || c->there - HEAD < SHARED_SIZE;
    if (c->type < TROD_SECTION_RUN || c->type > TROD_SECTION_NOTE || c->flags > 2 ||
        (c->flags == TROD_SECTION_LIVE && !counts))
        return true;
    if (!whole)
        return !counts || c->flags == TROD_SECTION_ZSTD;
    return c->flags != TROD_SECTION_LIVE &&
           trod_crc32(p + HEAD, c->payload) != get(p + 56, 4);
}

/* Where the first section is, or the file is refused. */
static size_t walk_header(struct walk *out, const struct file *f)
{
    const uint8_t *p = f->bytes;
    bool ours = f->length >= 8 && memcmp(p, TROD_FORMAT_MAGIC, 8) == 0;
    uint64_t first, kind = f->length >= HEAD ? get(p + 12, 4) : 0;
    struct part c;

    if (ours && f->length >= HEAD && trod_crc32(p, 60) == get(p + 60, 4)) {
        first = get(p + 16, 8);
        out->refused = get(p + 8, 4) < TROD_FORMAT_OLDEST ||
                       get(p + 8, 4) > TROD_FORMAT_VERSION || kind < 1 || kind > 2;
        out->live = kind == 1;
        out->header_hit = out->live ? !first || first % PAGE : first != HEAD;
        return out->header_hit ? HEAD : (size_t)first;
    }
    out->header_hit = true;
    if (is_sound(&c, f, HEAD, false))
        return HEAD;
    for (size_t page = PAGE; page <= 65536; page *= 2)
        if (is_sound(&c, f, page, true)) {
            out->live = true;
            return page;
        }
    out->refused = !ours;
    out->live = kind != 2;
    return HEAD;
}

static void walk(struct walk *out, const struct file *f, struct trod_arena *mem)
{
    size_t at = walk_header(out, f);

    while (!out->refused && at < f->length) {
        struct part c;

        if (!is_sound(&c, f, at, out->live)) {
            at = out->live ? at / PAGE * PAGE + PAGE : at + 1;
            continue;
        }
        c.lost = is_lost(&c, f);
        trod_reserve(mem, out->part, out->count, out->room);
        out->part[out->count++] = c;
        at += c.there;
        if (c.type == TROD_SECTION_END && !c.lost) {
            out->ended = true;
            if (!out->live)
                break;
        }
    }
}

/* Which sections are those of the original: their heads, and but for counters what follows. */
static void find_twins(struct walk *w, const struct file *f,
    const struct walk *original, const struct file *o)
{
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t k = 0; k < original->count && !w->part[i].twin; k++) {
            const struct part *a = &w->part[i], *b = &original->part[k];
            size_t n = HEAD;

            if (a->flags != TROD_SECTION_LIVE)
                n += b->payload;
            if (a->there >= n && memcmp(f->bytes + a->at, o->bytes + b->at, n) == 0)
                w->part[i].twin = k + 1;
        }
}

/* --- what must have been read ------------------------------------------------------------------ */

/* How often a path of a function ran, wherever it is. */
struct fact {
    uint64_t key[5]; /* name, graph, cuts, npath, id */
    uint64_t count;
};

struct facts {
    struct fact *fact;
    size_t count, room;
    bool weeded; /* some hashed path is among the chosen */
    struct trod_arena *mem;
};

static int by_key(const void *x, const void *y)
{
    const struct fact *a = x, *b = y;

    for (int i = 0; i < 5; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return 0;
}

static void add_fact(struct facts *f, const struct trod_profile_function *of,
    uint64_t id, uint64_t count)
{
    if (!count)
        return;
    trod_reserve(f->mem, f->fact, f->count, f->room);
    f->fact[f->count++] =
        (struct fact){{of->name, of->graph, of->cuts, of->npath, id}, count};
}

static void add_tally(struct facts *out, const struct trod_profile *profile,
    const struct trod_profile_tally *tally)
{
    for (size_t k = 0; k < tally->npath; k++)
        add_fact(out, &profile->module[tally->module].function[tally->function],
            tally->path[k].id, tally->path[k].count);
}

static void add_up(struct facts *f)
{
    size_t n = 0;

    if (f->count)
        qsort(f->fact, f->count, sizeof *f->fact, by_key);
    for (size_t i = 0; i < f->count; i++) {
        if (n && by_key(&f->fact[n - 1], &f->fact[i]) == 0)
            f->fact[n - 1].count = trod_sat_add(f->fact[n - 1].count, f->fact[i].count);
        else
            f->fact[n++] = f->fact[i];
    }
    f->count = n;
}

/* Of the hash table entries, those of one function. */
static void add_hashed(struct facts *out, const struct trod_profile_function *function,
    const uint8_t *counter, uint64_t have, const uint8_t *module, uint64_t first,
    const uint8_t *ids, uint64_t nslot)
{
    uint64_t hashed = get(module + HEAD + 16, 8), nhashed = get(module + HEAD + 24, 8);

    for (uint64_t i = hashed; nhashed-- > 0 && i + 3 <= have; i += 3) {
        uint64_t path = get(counter + 8 * i + 8, 8),
                 count = get(counter + 8 * i + 16, 8);

        if (get(counter + 8 * i, 8) != first + 1 || !path || path > function->npath)
            continue;
        add_fact(out, function, path - 1, count);
        for (uint64_t k = 0; k < nslot && count; k++)
            out->weeded |= get(ids + 8 * k, 8) == path - 1;
    }
}

/* Where the function was when the process ended, if it has a stop cell. */
static void add_stop(struct facts *out, const struct trod_profile_function *function,
    const uint8_t *row, const uint8_t *counters, uint64_t have)
{
    uint64_t first = get(row + 32, 8), at = first + function->npath + 1;
    uint64_t cell;

    if (get(row + 48, 4) != TROD_COUNTED_ALL || get(row + 52, 4) != 1 ||
        first == UINT64_MAX || at >= have)
        return;
    cell = get(counters + 8 * at, 8);
    if (cell && cell <= UINT64_MAX - function->npath)
        add_fact(out, function, function->npath + cell, 1);
}

/* What bundles add to a counter: the words of BUNDLES, or none. */
struct bundles {
    const uint8_t *word;
    uint64_t nword;
};

static uint64_t extra_of(
    const struct bundles *b, uint64_t counter, const uint8_t *counters, uint64_t have)
{
    uint64_t sum = 0;

    for (uint64_t i = 0, n; i + 1 < b->nword; i += 2 + n) {
        uint64_t from = get(b->word + 4 * i, 4);

        n = get(b->word + 4 * i + 4, 4);
        for (uint64_t k = 0; k < n && from < have; k++)
            if (get(b->word + 4 * (i + 2 + k), 4) == counter)
                sum = trod_sat_add(sum, get(counters + 8 * from, 8));
    }
    return sum;
}

/* Counters of a live file, as they are in the mutant. */
static void add_counts(struct facts *out, const struct file *f, const struct part *c,
    const uint8_t *module, const struct bundles *bundles)
{
    uint64_t ncounter = get(module + HEAD, 8);
    uint64_t have = c->there - HEAD < c->payload ? c->there - HEAD : c->payload;
    uint64_t nfunction = get(module + HEAD + 8, 4), nslot;
    const uint8_t *row = module + HEAD + MODULE, *ids = row + FUNCTION * nfunction;

    have = have / 8 < ncounter ? have / 8 : ncounter;
    for (; nfunction-- > 0; row += FUNCTION, ids += 8 * nslot) {
        struct trod_profile_function function = {.name = get(row, 8),
            .graph = get(row + 8, 8),
            .cuts = get(row + 16, 8),
            .npath = get(row + 24, 8)};
        bool all = trod_format_counts_each((uint32_t)get(row + 48, 4));
        uint64_t first = get(row + 32, 8), last;

        nslot = get(row + 40, 8);
        last = all ? function.npath : nslot;
        for (uint64_t i = 0; i <= last && first + i < ncounter; i++) {
            uint64_t id = all ? i : i == last ? function.npath : get(ids + 8 * i, 8);

            if (!all && i < last && id == UINT64_MAX)
                continue;
            if (first + i < have)
                add_fact(out, &function, id,
                    get(f->bytes + c->at + HEAD + 8 * (first + i), 8));
            add_fact(out, &function, id,
                extra_of(bundles, first + i, f->bytes + c->at + HEAD, have));
        }
        add_stop(out, &function, row, f->bytes + c->at + HEAD, have);
        if (!all && get(row + 48, 4) >= TROD_COUNTED_RESIDUAL)
            add_hashed(out, &function, f->bytes + c->at + HEAD, have, module, first,
                ids, nslot);
    }
}

struct mutant {
    struct file file, original;
    struct walk walk, whole; /* of the file and of the original */
    struct trod_profile was;
    bool was_ended;
};

static const struct part *module_of(const struct mutant *m, uint32_t number)
{
    uint64_t next = 0; /* numbers ascend */

    for (uint32_t i = 0; i < m->walk.count; i++) {
        const struct part *c = &m->walk.part[i];

        if (c->lost || c->type != TROD_SECTION_MODULE || c->module < next)
            continue;
        if (c->module == number)
            return c;
        next = (uint64_t)c->module + 1;
    }
    return NULL;
}

/* The first section of a module's that is whole. */
static struct bundles bundles_of(const struct mutant *m, uint32_t module)
{
    for (uint32_t i = 0; i < m->walk.count; i++) {
        const struct part *c = &m->walk.part[i];

        if (!c->lost && c->type == TROD_SECTION_BUNDLES && c->module == module)
            return (struct bundles){m->file.bytes + c->at + HEAD, c->payload / 4};
    }
    return (struct bundles){0};
}

static bool is_copy(const struct mutant *m, uint32_t i)
{
    const struct part *c = &m->walk.part[i];

    for (uint32_t k = 0; k < i; k++) {
        const struct part *b = &m->walk.part[k];

        if (!b->lost && b->type == c->type && b->module == c->module &&
            b->thread == c->thread)
            return true;
    }
    return false;
}

static void expect_counts(struct facts *out, const struct mutant *m)
{
    for (uint32_t i = 0; i < m->walk.count; i++) {
        const struct part *c = &m->walk.part[i], *module;
        bool paths = c->type == TROD_SECTION_PATHS;

        if (c->lost || (!paths && c->type != TROD_SECTION_COUNTS) || is_copy(m, i))
            continue;
        module = module_of(m, c->module);
        if (!module)
            continue;
        if (!paths) {
            struct bundles bundles = bundles_of(m, c->module);

            add_counts(out, &m->file, c, m->file.bytes + module->at, &bundles);
        }
        for (size_t t = 0; paths && t < m->was.ntally; t++)
            if (m->was.tally[t].module == c->module &&
                m->was.tally[t].group == c->thread)
                add_tally(out, &m->was, &m->was.tally[t]);
    }
    add_up(out);
}

/* What SHARED says in place of END: the first one; NULL if there is none. */
static const uint8_t *shared_of(const struct mutant *m)
{
    for (uint32_t i = 0; m->walk.live && i < m->walk.count; i++)
        if (!m->walk.part[i].lost && m->walk.part[i].type == TROD_SECTION_SHARED)
            return m->file.bytes + m->walk.part[i].at + HEAD;
    return NULL;
}

/* Fields that SHARED gives a run: processes, private and lost always, one for whether they ended, others if they
 * are not 0.
 */
static uint64_t expect_shared(const uint8_t *shared)
{
#define WORD(field) get(shared + offsetof(struct trod_format_shared, field), 8)
    bool ended = WORD(nended) >= WORD(nstarted);
    uint64_t n = 4 + !ended + (WORD(nended) != 0) + (WORD(nunrecorded) != 0) +
                 (WORD(npart) != 0);

    for (size_t i = 0; i < TROD_SHARED_STOPS; i++)
        n += WORD(stop[i].place) && WORD(stop[i].times);
    return n;
#undef WORD
}

/* Lines of the runs, and of the end of a live one; the line of one that did not end. */
static uint64_t expect_fields(const struct mutant *m, struct trod_arena *mem)
{
    const uint8_t *shared = shared_of(m);
    uint64_t n = shared ? expect_shared(shared) : m->walk.live && !m->walk.ended;
    bool seen[TROD_SECTION_NOTE + 1] = {false};

    for (uint32_t i = 0; i < m->walk.count; i++) {
        const struct part *c = &m->walk.part[i];
        const uint8_t *p = m->file.bytes + c->at + HEAD;
        bool line = c->type == TROD_SECTION_RUN ||
                    (c->type == TROD_SECTION_END && m->walk.live && !shared);
        size_t length = (size_t)c->payload;
        struct trod_err err;
        uint8_t *plain;

        if (c->lost || !line || (m->walk.live && seen[c->type]))
            continue;
        seen[c->type] = true;
        if (c->flags == TROD_SECTION_ZSTD &&
            trod_zstd_codec.decompress(&plain, &length, p, length, 1 << 24, mem, &err))
            p = plain;
        for (size_t k = 0; k < length; k++)
            n += p[k] == '\n';
    }
    return n;
}

/* --- what holds of every mutant ------------------------------------------------------------------ */

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

static void take_original(struct mutant *m, struct sample *s)
{
    struct trod_profile_health health;
    bool whole;

    walk(&m->whole, &m->original, &s->mem);
    whole = read_file(&m->was, &health, &m->original, s) && !health.nloss;
    assert(whole);
    (void)whole;
    m->was_ended = health.ended;
    m->file = m->original;
    m->file.bytes = trod_new(&s->mem, uint8_t, m->original.length);
    memcpy(m->file.bytes, m->original.bytes, m->original.length);
}

/* --- mutations ------------------------------------------------------------------------------------- */

/* The file with some bytes taken out at a place and others put in. */
static void splice(struct file *f, size_t at, size_t out, const void *in, size_t nin,
    struct trod_arena *mem)
{
    uint8_t *bytes = trod_new(mem, uint8_t, f->length - out + nin + 1);

    memcpy(bytes, f->bytes, at);
    if (nin)
        memcpy(bytes + at, in, nin);
    memcpy(bytes + at + nin, f->bytes + at + out, f->length - at - out);
    f->bytes = bytes;
    f->length += nin - out;
}

/* A place in a file: anywhere, or near where something begins. */
static size_t draw_place(struct kit_prop *p, const struct file *f, const struct walk *w)
{
    uint64_t how = kit_draw(p, 6), at;

    if (!w->count || how == 0)
        return kit_draw(p, f->length + 1);
    at = w->part[kit_draw(p, w->count)].at;
    if (how == 2)
        at += kit_draw(p, HEAD + 1);
    else if (how == 3)
        at += HEAD + kit_draw(p, 64);
    else if (how == 4)
        at -= 1 + kit_draw(p, 8);
    else if (how == 5)
        at = kit_draw(p, HEAD + 1);
    return at < f->length ? at : f->length;
}

static void cut_off(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    (void)mem;
    f->length = draw_place(p, f, w);
}

static void flip(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    (void)mem;
    for (uint64_t n = 1 + kit_draw(p, 8); f->length && n-- > 0;) {
        size_t at = draw_place(p, f, w);

        f->bytes[at < f->length ? at : f->length - 1] ^= (uint8_t)(1 << kit_draw(p, 8));
    }
}

static void swap(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    uint32_t i, k;
    const struct part *a, *b;
    uint8_t *bytes;
    size_t at;

    if (w->count < 2)
        return;
    i = (uint32_t)kit_draw(p, w->count - 1);
    k = i + 1 + (uint32_t)kit_draw(p, w->count - 1 - i);
    a = &w->part[i];
    b = &w->part[k];
    bytes = trod_new(mem, uint8_t, f->length);
    memcpy(bytes, f->bytes, f->length);
    at = a->at;
    memcpy(bytes + at, f->bytes + b->at, b->there);
    at += b->there;
    memcpy(bytes + at, f->bytes + a->at + a->there, b->at - a->at - a->there);
    at += b->at - a->at - a->there;
    memcpy(bytes + at, f->bytes + a->at, a->there);
    f->bytes = bytes;
}

static void repeat(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    const struct part *from, *to;

    if (!w->count)
        return;
    from = &w->part[kit_draw(p, w->count)];
    to = &w->part[kit_draw(p, w->count)];
    splice(f, to->at, 0, f->bytes + from->at, from->there, mem);
}

static void take_out(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    const struct part *c;

    if (!w->count)
        return;
    c = &w->part[kit_draw(p, w->count)];
    splice(f, c->at, c->there, NULL, 0, mem);
}

static void mend(struct file *f, const struct part *c)
{
    uint8_t *p = f->bytes + c->at;

    if (c->flags != TROD_SECTION_LIVE && c->there - HEAD >= c->payload)
        set(p + 56, trod_crc32(p + HEAD, c->payload), 4);
    set(p + 60, trod_crc32(p, 60), 4);
}

/* A number that says how much of something there is, made to lie; with its checksum or
 * without.
 */
static void inflate(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    static const uint64_t much[] = {1, 8, PAGE, 1 << 20, (uint64_t)1 << 32,
        (uint64_t)1 << 63, UINT64_MAX, (uint64_t)-PAGE, (uint64_t)-64};
    uint64_t by = much[kit_draw(p, sizeof much / sizeof *much)];
    const struct part *c;
    uint8_t *number;
    int nbyte = 8;

    (void)mem;
    if (!w->count)
        return;
    c = &w->part[kit_draw(p, w->count)];
    number = f->bytes + c->at + 8 + 8 * kit_draw(p, 2); /* size, payload */
    if (c->type == TROD_SECTION_MODULE && c->flags == 0 &&
        c->there >= HEAD + MODULE + FUNCTION && kit_draw(p, 2)) {
        /* nfunction, counted; ncounter, hashed, nhashed, npath, counter, nslot */
        static const uint8_t at[] = {
            8, MODULE + 48, 0, 16, 24, MODULE + 24, MODULE + 32, MODULE + 40};
        uint64_t which = kit_draw(p, sizeof at);

        number = f->bytes + c->at + HEAD + at[which];
        nbyte = which < 2 ? 4 : 8;
    } else if (c->type == TROD_SECTION_PATHS && c->flags == 0 && c->payload &&
               c->there > HEAD && kit_draw(p, 2)) {
        number = f->bytes + c->at + HEAD + kit_draw(p, c->there - HEAD);
        nbyte = 1;
    }
    set(number, get(number, nbyte) + by, nbyte);
    if (kit_draw(p, 2))
        mend(f, c);
}

/* Bytes of something else, instead of the file or in the midst of it. */
static void insert(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    static const struct {
        const char *bytes;
        size_t length;
    } foreign[] = {{"", 1},
        {"\x7f"
         "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0",
            20},
        {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16}, {"{\"profile\": []}\n", 16},
        {"profile\nrun\n", 12}, {"\x28\xb5\x2f\xfd\x04\0", 6}, {"TORD", 4},
        {TROD_FORMAT_MAGIC "\3\0\0\0\1\0\0", 16}};
    uint64_t which = kit_draw(p, sizeof foreign / sizeof *foreign);
    size_t length = foreign[which].length * (1 + kit_draw(p, 300));
    uint8_t *bytes = trod_new(mem, uint8_t, length);

    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)foreign[which].bytes[i % foreign[which].length];
    if (kit_draw(p, 4) == 0)
        *f = (struct file){f->name, bytes, length};
    else
        splice(f, draw_place(p, f, w), 0, bytes, length, mem);
}

/* A section of another profile. */
static void transplant(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    const struct file *from = &shelf.file[kit_draw(p, shelf.count)];
    struct walk other = {0};
    const struct part *c;

    walk(&other, from, mem);
    c = &other.part[kit_draw(p, other.count)];
    splice(f, draw_place(p, f, w), 0, from->bytes + c->at, c->there, mem);
}

/* A hole, as a file system leaves that went down. */
static void blank(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    size_t at = draw_place(p, f, w);
    size_t length = (size_t)1 << kit_draw(p, 14);

    (void)mem;
    memset(f->bytes + at, 0, f->length - at < length ? f->length - at : length);
}

static void (*const mutations[])(struct kit_prop *p, struct file *f,
    const struct walk *w, struct trod_arena *mem) = {
    cut_off, flip, swap, repeat, take_out, inflate, insert, transplant, blank};
enum { NMUTATION = sizeof mutations / sizeof *mutations };

static void mutate(struct mutant *m, struct kit_prop *p, struct sample *s)
{
    uint64_t n = kit_draw(p, 4) == 3 ? 1 + kit_draw(p, 3) : 1;

    while (n-- > 0) {
        struct walk now = {0};

        walk(&now, &m->file, &s->mem);
        mutations[kit_draw(p, NMUTATION)](p, &m->file, &now, &s->mem);
    }
    /* In memory of just its size, so that a read after the end is seen. */
    m->file.bytes = memcpy(
        trod_new(&s->mem, uint8_t, m->file.length), m->file.bytes, m->file.length);
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
