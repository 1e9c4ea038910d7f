/* Profiles: what is written is read back, whatever was merged in whatever order; text is
 * parsed back; and of damaged files everything is kept that was not hit, with an account
 * of the rest.
 */
#include "kit/kit.h"
#include "kit/live.h"
#include "kit/random_profile.h"
#include "prop/scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "zstd/zstd_port.h"

enum fault {
    NONE,
    COUNT_TOO_HIGH, /* a count is one more than it was */
    CHARACTER_GONE, /* a character of the text is dropped */
    SECTION_GONE,   /* one section more is lost than was hit */
    SILENT,         /* losses are not reported */
    UNSATURATED,    /* counts wrap */
    UNORDERED       /* runs as they came */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static const char *text_of(const struct trod_profile *profile, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_profile_print(&text.sink, profile);
    return text.text;
}

/* The text without notes: what was saved, whatever is said about the rest. */
static const char *saved_text(struct trod_profile profile, struct trod_arena *mem)
{
    profile.nnote = 0;
    return text_of(&profile, mem);
}

static bool same(struct kit_prop *p, struct sample *s, const struct trod_profile *a,
    const struct trod_profile *b)
{
    const char *x = text_of(a, &s->mem), *y = text_of(b, &s->mem);

    if (strcmp(x, y) == 0)
        return true;
    kit_note(p, "one:\n%sother:\n%s", x, y);
    return false;
}

static bool failed(struct kit_prop *p, const struct sample *s)
{
    kit_note(p, "%s", s->err.text);
    return false;
}

/* Plant: count the first path once more. */
static void miscount(struct trod_profile *profile, struct trod_arena *mem)
{
    struct trod_profile_tally *tally;
    struct trod_profile_path *path;

    if (!profile->ntally)
        return;
    tally = trod_new(mem, struct trod_profile_tally, profile->ntally);
    memcpy(tally, profile->tally, profile->ntally * sizeof *tally);
    path = trod_new(mem, struct trod_profile_path, tally->npath);
    memcpy(path, tally->path, tally->npath * sizeof *path);
    path->count = path->count == 1 ? 2 : path->count - 1;
    tally->path = path;
    profile->tally = tally;
}

/* --- bytes and text -------------------------------------------------------------------- */

static bool write_bytes(struct trod_string *out, const struct trod_profile *profile,
    bool packed, struct sample *s)
{
    trod_string_init(out, &s->mem);
    return trod_profile_write(
        &out->sink, profile, packed ? &trod_zstd_codec : NULL, &s->mem, &s->err);
}

static bool read_bytes(struct trod_profile *out, struct trod_profile_health *health,
    const char *bytes, size_t length, struct sample *s)
{
    struct trod_profile_read_options options = {.codec = &trod_zstd_codec};

    return trod_profile_read(
        out, health, (const uint8_t *)bytes, length, &options, &s->mem, &s->err);
}

/* Most are of programs that count all their paths. */
static struct kit_profile_options draw_options(struct kit_prop *p)
{
    uint64_t groups = kit_draw(p, 2), kind = kit_draw(p, 6);

    return (struct kit_profile_options){
        .groups = groups, .blocks = kind == 4, .bursts = kind == 5};
}

static bool packed_is_read_back(struct kit_prop *p, void *ctx)
{
    struct kit_profile_options opt = draw_options(p);
    bool zstd = kit_draw(p, 2);
    struct trod_profile profile, back;
    struct trod_profile_health health;
    struct trod_string bytes, again;
    struct sample s;

    begin(&s);
    kit_profile(&profile, &opt, draw, p, &s.mem);
    if (!trod_profile_check(&profile, &s.err) ||
        !write_bytes(&bytes, &profile, zstd, &s) ||
        !read_bytes(&back, &health, bytes.text, bytes.length, &s) ||
        !trod_profile_check(&back, &s.err))
        return end(&s, failed(p, &s));
    if (fault_in(ctx) == COUNT_TOO_HIGH)
        miscount(&back, &s.mem);
    if (health.nloss || health.kind != TROD_FORMAT_PACKED ||
        !same(p, &s, &profile, &back))
        return end(&s, false);
    if (!write_bytes(&again, &back, zstd, &s))
        return end(&s, failed(p, &s));
    return end(&s, bytes.length == again.length &&
                       memcmp(bytes.text, again.text, bytes.length) == 0);
}

static void draw_live(struct trod_profile *profile, struct trod_string *bytes,
    struct kit_profile_options opt, struct kit_prop *p, struct sample *s)
{
    struct kit_live_options live = {.nthread = 1 + (uint32_t)kit_draw(p, 3),
        .page = (uint64_t)TROD_FORMAT_PAGE << (kit_draw(p, 8) == 7),
        .gaps = kit_draw(p, 4) == 3,
        .bundles = kit_draw(p, 3) == 2};

    opt.live = true;
    opt.groups = false;
    kit_profile(profile, &opt, draw, p, &s->mem);
    trod_string_init(bytes, &s->mem);
    kit_live(bytes, profile, &live, &s->mem);
}

static bool live_is_read_back(struct kit_prop *p, void *ctx)
{
    struct trod_profile profile, back;
    struct trod_profile_health health;
    struct trod_string bytes;
    struct sample s;

    begin(&s);
    draw_live(&profile, &bytes, draw_options(p), p, &s);
    if (!read_bytes(&back, &health, bytes.text, bytes.length, &s) ||
        !trod_profile_check(&back, &s.err))
        return end(&s, failed(p, &s));
    if (fault_in(ctx) == COUNT_TOO_HIGH)
        miscount(&back, &s.mem);
    return end(&s, !health.nloss && health.kind == TROD_FORMAT_LIVE &&
                       same(p, &s, &profile, &back));
}

static bool text_is_parsed_back(struct kit_prop *p, void *ctx)
{
    struct kit_profile_options opt = draw_options(p);
    struct trod_profile profile[2], back;
    struct trod_string text;
    struct trod_text cursor;
    struct sample s;
    bool more;

    begin(&s);
    trod_string_init(&text, &s.mem);
    for (int i = 0; i < 2; i++) {
        kit_profile(&profile[i], &opt, draw, p, &s.mem);
        trod_profile_print(&text.sink, &profile[i]);
    }
    if (fault_in(ctx) == CHARACTER_GONE) {
        size_t at = kit_draw(p, text.length);

        memmove(text.text + at, text.text + at + 1, text.length - at);
        text.length--;
    }
    trod_text_init(&cursor, "text", text.text, text.length);
    for (int i = 0; i < 2; i++) {
        if (!trod_profile_parse(&back, &more, &cursor, &s.mem, &s.err) || !more ||
            !trod_profile_check(&back, &s.err))
            return end(&s, failed(p, &s));
        if (!same(p, &s, &profile[i], &back))
            return end(&s, false);
    }
    return end(&s, trod_profile_parse(&back, &more, &cursor, &s.mem, &s.err) && !more);
}

/* --- merging ------------------------------------------------------------------------------ */

static bool merge2(struct trod_profile *out, const struct trod_profile *a,
    const struct trod_profile *b, bool keep_runs, struct sample *s)
{
    const struct trod_profile *both[] = {a, b};
    struct trod_profile_merge_options options = {.keep_runs = keep_runs};

    return trod_profile_merge(out, both, 2, &options, &s->mem, &s->err) &&
           trod_profile_check(out, &s->err);
}

/* Plant: as if the sum had not stopped. */
static void unsaturate(struct trod_profile *profile)
{
    for (uint32_t i = 0; i < profile->nnote; i++)
        if (strcmp(profile->note[i], trod_profile_saturated) == 0)
            profile->nnote = i;
}

static bool merge_has_laws(struct kit_prop *p, void *ctx)
{
    bool keep_runs = kit_draw(p, 2);
    struct kit_profile_options opt = draw_options(p);
    struct trod_profile a, b, c, ab, ba, ab_c, bc, a_bc, all, with_none;
    struct trod_profile_merge_options options = {.keep_runs = keep_runs};
    const struct trod_profile *three[] = {&c, &a, &b}, none = {0};
    struct sample s;

    begin(&s);
    kit_profile(&a, &opt, draw, p, &s.mem);
    kit_profile(&b, &opt, draw, p, &s.mem);
    kit_profile(&c, &opt, draw, p, &s.mem);
    if (!merge2(&ab, &a, &b, keep_runs, &s) || !merge2(&ba, &b, &a, keep_runs, &s) ||
        !merge2(&ab_c, &ab, &c, keep_runs, &s) || !merge2(&bc, &b, &c, keep_runs, &s) ||
        !merge2(&a_bc, &a, &bc, keep_runs, &s) ||
        !trod_profile_merge(&all, three, 3, &options, &s.mem, &s.err) ||
        !merge2(&with_none, &ab, &none, keep_runs, &s))
        return end(&s, failed(p, &s));
    if (fault_in(ctx) == UNSATURATED)
        unsaturate(&ba);
    if (fault_in(ctx) == COUNT_TOO_HIGH)
        miscount(&ab_c, &s.mem);
    if (fault_in(ctx) == UNORDERED && ba.nrun > 1) {
        struct trod_profile_run *run =
            trod_new(&s.mem, struct trod_profile_run, ba.nrun);

        for (uint32_t i = 0; i < ba.nrun; i++)
            run[i] = ba.run[ba.nrun - 1 - i];
        ba.run = run;
    }
    return end(&s, same(p, &s, &ab, &ba) && same(p, &s, &ab_c, &a_bc) &&
                       same(p, &s, &ab_c, &all) && same(p, &s, &ab, &with_none));
}

/* Counts by brute force: every tally looked at for every path. */
static uint64_t count_in(const struct trod_profile *profile,
    const struct trod_profile_module *module, uint32_t f, uint64_t id)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];

        if (t->function != f ||
            trod_profile_compare_identity(&profile->module[t->module], module) != 0)
            continue;
        for (size_t k = 0; k < t->npath; k++)
            if (t->path[k].id == id)
                sum = trod_sat_add(sum, t->path[k].count);
    }
    return sum;
}

static uint64_t paths_in(const struct trod_profile *profile)
{
    uint64_t n = 0;

    for (size_t i = 0; i < profile->ntally; i++)
        n += profile->tally[i].npath;
    return n;
}

static bool merge_adds_up(struct kit_prop *p, void *ctx)
{
    bool keep_runs = kit_draw(p, 2);
    struct kit_profile_options opt = draw_options(p);
    struct trod_profile a, b, ab, aa;
    struct sample s;
    bool holds = true;

    begin(&s);
    kit_profile(&a, &opt, draw, p, &s.mem);
    kit_profile(&b, &opt, draw, p, &s.mem);
    if (!merge2(&ab, &a, &b, keep_runs, &s) || !merge2(&aa, &a, &a, false, &s))
        return end(&s, failed(p, &s));
    if (fault_in(ctx) == COUNT_TOO_HIGH)
        miscount(&ab, &s.mem);
    for (size_t i = 0; i < ab.ntally; i++) {
        const struct trod_profile_tally *t = &ab.tally[i];
        const struct trod_profile_module *m = &ab.module[t->module];

        for (size_t k = 0; k < t->npath; k++)
            holds =
                holds && count_in(&ab, m, t->function, t->path[k].id) ==
                             trod_sat_add(count_in(&a, m, t->function, t->path[k].id),
                                 count_in(&b, m, t->function, t->path[k].id));
    }
    holds = holds && ab.nrun == a.nrun + b.nrun &&
            paths_in(&ab) <= paths_in(&a) + paths_in(&b) &&
            (!keep_runs || (ab.ngroup == a.ngroup + b.ngroup &&
                               paths_in(&ab) == paths_in(&a) + paths_in(&b)));
    holds = holds && aa.nmodule == a.nmodule && aa.nrun == 2 * a.nrun;
    return end(&s, holds);
}

/* --- damage --------------------------------------------------------------------------------- */

/* A file, what happened to it, and the same file without what was hit. */
struct wreck {
    bool live;
    char *bytes, *rest;
    size_t length, nrest;
    bool header_hit, any_lost;
};

/* Cut it off, flip bits. Two flips may undo each other. */
static void damage(struct wreck *w, const struct trod_string *file, struct kit_prop *p,
    struct sample *s)
{
    w->bytes = trod_new(&s->mem, char, file->length);
    memcpy(w->bytes, file->text, file->length);
    w->length = file->length;
    if (kit_draw(p, 2))
        w->length = kit_draw(p, file->length + 1);
    for (uint64_t n = kit_draw(p, 4); n-- > 0;) {
        size_t at = kit_draw(p, file->length);

        w->bytes[at] = (char)(w->bytes[at] ^ 1 << kit_draw(p, 8));
    }
    w->header_hit = w->length < 64 || memcmp(w->bytes, file->text, 64) != 0;
}

static bool is_lost(const struct wreck *w, const struct trod_string *file,
    const struct kit_section *section)
{
    bool counters = section->flags & TROD_SECTION_LIVE;
    size_t whole = 64 + (counters ? 0 : section->payload);

    return section->at + whole > w->length ||
           memcmp(w->bytes + section->at, file->text + section->at, whole) != 0;
}

/* Sections that are lost are zeros in a live file and not there in a packed one. */
static void keep_rest(
    struct wreck *w, const struct trod_string *file, bool drop_one, struct sample *s)
{
    struct kit_section *section;
    uint32_t n =
        kit_sections(&section, (const uint8_t *)file->text, file->length, &s->mem);
    size_t first = n ? section[0].at : file->length;

    w->rest = trod_new(&s->mem, char, file->length);
    memcpy(w->rest, file->text, first);
    w->nrest = first;
    for (uint32_t i = 0; i < n; i++) {
        const struct kit_section *c = &section[i];
        size_t there = c->at < w->length ? w->length - c->at : 0;
        bool lost = is_lost(w, file, c);

        if (w->live)
            w->nrest = c->at + c->size;
        w->any_lost |= lost || there < 64 + c->payload;
        if (lost || (drop_one && c->type == TROD_SECTION_MODULE))
            continue;
        if (there > c->size)
            there = c->size;
        else if (c->flags & TROD_SECTION_LIVE) /* whole counters */
            there -= there % 8;
        memcpy(w->rest + (w->live ? c->at : w->nrest), w->bytes + c->at, there);
        if (!w->live)
            w->nrest += c->size;
    }
}

static bool damage_is_survived(struct kit_prop *p, void *ctx)
{
    struct kit_profile_options opt = draw_options(p);
    struct wreck w = {.live = kit_draw(p, 2)};
    struct trod_profile profile, found, wanted;
    struct trod_profile_health health, plain;
    struct trod_string file;
    struct sample s;
    bool reported;

    begin(&s);
    if (w.live) {
        opt.blocks = false;
        draw_live(&profile, &file, opt, p, &s);
    } else {
        kit_profile(&profile, &opt, draw, p, &s.mem);
        if (!write_bytes(&file, &profile, kit_draw(p, 2), &s))
            return end(&s, failed(p, &s));
    }
    damage(&w, &file, p, &s);
    keep_rest(&w, &file, fault_in(ctx) == SECTION_GONE, &s);
    /* In memory of just its size, so that a read after the end is seen. */
    w.bytes = memcpy(trod_new(&s.mem, char, w.length), w.bytes, w.length);
    if (!read_bytes(&found, &health, w.bytes, w.length, &s))
        return end(&s, w.header_hit && s.err.code == TROD_E_INPUT);
    if (!trod_profile_check(&found, &s.err) ||
        !read_bytes(&wanted, &plain, w.rest, w.nrest, &s))
        return end(&s, failed(p, &s));
    reported = health.nloss || (w.live && !health.ended);
    if (fault_in(ctx) == SILENT)
        reported = false;
    if ((w.any_lost || w.header_hit) && !reported) {
        kit_note(p, "%zu of %zu bytes: nothing is said", w.length, file.length);
        return end(&s, false);
    }
    /* Without a header, a file that has nothing else is of any kind. */
    if (w.header_hit && health.kind != plain.kind)
        return end(&s, w.any_lost);
    if (strcmp(saved_text(found, &s.mem), saved_text(wanted, &s.mem)) == 0)
        return end(&s, true);
    kit_note(p, "%zu of %zu bytes; found:\n%swanted:\n%s", w.length, file.length,
        text_of(&found, &s.mem), text_of(&wanted, &s.mem));
    return end(&s, false);
}

/* Any bytes at all after a header and in sections whose checksums are right. */
static bool nonsense_is_survived(struct kit_prop *p, void *ctx)
{
    struct trod_profile profile, found;
    struct trod_profile_health health;
    struct kit_section *section;
    struct trod_string file;
    struct sample s;
    uint32_t n;
    bool holds;

    (void)ctx;
    begin(&s);
    draw_live(&profile, &file, draw_options(p), p, &s);
    n = kit_sections(&section, (const uint8_t *)file.text, file.length, &s.mem);
    for (uint64_t k = kit_draw(p, 4); n && k-- > 0;) {
        const struct kit_section *c = &section[kit_draw(p, n)];
        char *head = file.text + c->at;
        size_t most = c->payload < 64 || kit_draw(p, 2) ? c->payload : 64;
        uint32_t crc;

        head[kit_draw(p, 64 + most)] ^= (char)(1 << kit_draw(p, 8));
        crc = trod_crc32(head + 64, c->payload);
        if (!(c->flags & TROD_SECTION_LIVE))
            for (int i = 0; i < 4; i++)
                head[56 + i] = (char)(crc >> 8 * i);
        crc = trod_crc32(head, 60);
        for (int i = 0; i < 4; i++)
            head[60 + i] = (char)(crc >> 8 * i);
    }
    holds = read_bytes(&found, &health, file.text, file.length, &s) &&
            trod_profile_check(&found, &s.err);
    return end(&s, holds || failed(p, &s));
}

/* --- hot paths and differences ------------------------------------------------------------------ */

static bool hot_is_sorted(struct kit_prop *p, void *ctx)
{
    struct kit_profile_options opt = {.groups = kit_draw(p, 2)};
    struct trod_profile profile;
    struct trod_hot all, some;
    struct sample s;
    size_t most = kit_draw(p, 10);
    bool holds;

    begin(&s);
    kit_profile(&profile, &opt, draw, p, &s.mem);
    trod_profile_hot(&all, &profile, SIZE_MAX, &s.mem);
    trod_profile_hot(&some, &profile, most, &s.mem);
    if (fault_in(ctx) == COUNT_TOO_HIGH)
        miscount(&profile, &s.mem);
    holds = all.npath == all.nall && some.nall == all.nall &&
            some.npath == (most < all.npath ? most : all.npath);
    for (size_t i = 0; i < all.npath; i++) {
        const struct trod_hot_path *h = &all.path[i];

        holds = holds && (i == 0 || h[-1].count >= h->count) &&
                h->count ==
                    count_in(&profile, &profile.module[h->module], h->function, h->id);
    }
    holds = holds && memcmp(some.path, all.path, some.npath * sizeof *some.path) == 0;
    return end(&s, holds);
}

static const struct trod_diff_path *path_in(
    const struct trod_diff_function *function, uint64_t id)
{
    for (size_t i = 0; i < function->npath; i++)
        if (function->path[i].id == id)
            return &function->path[i];
    return NULL;
}

/* Whatever of it is counted. */
static bool is_same(
    const struct trod_profile_function *f, const struct trod_profile_function *g)
{
    return f->name == g->name && f->graph == g->graph && f->cuts == g->cuts &&
           f->npath == g->npath;
}

/* Counts of a function by brute force, wherever it is. */
static uint64_t count_anywhere(const struct trod_profile *profile,
    const struct trod_profile_function *function, uint64_t id)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];

        if (!is_same(&profile->module[t->module].function[t->function], function))
            continue;
        for (size_t k = 0; k < t->npath; k++)
            if (t->path[k].id == id)
                sum = trod_sat_add(sum, t->path[k].count);
    }
    return sum;
}

/* One of the two ran it, and the other would know if it had. */
static bool is_comparable(const struct trod_profile *side,
    const struct trod_profile_function *function, uint64_t id)
{
    bool known = false, there = false;

    if (count_anywhere(side, function, id))
        return true;
    for (uint32_t m = 0; m < side->nmodule; m++)
        for (uint32_t f = 0; f < side->module[m].nfunction; f++) {
            const struct trod_profile_function *of = &side->module[m].function[f];
            bool chosen = false;

            if (!is_same(of, function))
                continue;
            for (size_t i = 0; i < of->nchosen; i++)
                chosen |= of->chosen[i] == id;
            there = true;
            known |= of->counted == TROD_COUNTED_ALL ||
                     of->counted == TROD_COUNTED_RESIDUAL ||
                     (of->counted == TROD_COUNTED_CHOSEN && chosen) ||
                     (of->counted == TROD_COUNTED_UNTESTED && of->nchosen && !chosen);
        }
    return known || !there;
}

static bool diff_is_right(struct kit_prop *p, void *ctx)
{
    struct kit_profile_options opt = {.groups = kit_draw(p, 2)};
    struct trod_profile side[2];
    struct trod_profile_diff diff;
    struct sample s;
    bool holds = true;

    begin(&s);
    kit_profile(&side[0], &opt, draw, p, &s.mem);
    kit_profile(&side[1], &opt, draw, p, &s.mem);
    if (!trod_profile_diff(&diff, &side[0], &side[1], &s.mem, &s.err))
        return end(&s, failed(p, &s));
    if (fault_in(ctx) == COUNT_TOO_HIGH)
        miscount(&side[1], &s.mem);
    for (size_t i = 0; i < diff.nfunction; i++) {
        const struct trod_diff_function *f = &diff.function[i];

        holds = holds && (f->in_a || f->in_b);
        for (size_t k = 0; k < f->npath; k++)
            holds =
                holds &&
                f->path[k].a == count_anywhere(&side[0], &f->function, f->path[k].id) &&
                f->path[k].b == count_anywhere(&side[1], &f->function, f->path[k].id);
    }
    for (int i = 0; i < 2; i++)
        for (size_t t = 0; t < side[i].ntally; t++) {
            const struct trod_profile_tally *tally = &side[i].tally[t];
            const struct trod_diff_function *f = diff.function;

            while (f < diff.function + diff.nfunction &&
                   !is_same(&side[i].module[tally->module].function[tally->function],
                       &f->function))
                f++;
            holds = holds && f < diff.function + diff.nfunction;
            for (size_t k = 0; holds && k < trod_profile_npath(&side[i], tally); k++)
                holds = (path_in(f, tally->path[k].id) != NULL) ==
                        is_comparable(&side[!i], &f->function, tally->path[k].id);
        }
    return end(&s, holds);
}

/* --- the tests ------------------------------------------------------------------------------------ */

static struct tested {
    const char *name;
    kit_property property;
    enum fault fault[3]; /* each of which must be found */
} properties[] = {
    {"packed profiles are read back", packed_is_read_back, {COUNT_TOO_HIGH}},
    {"live profiles are read back", live_is_read_back, {COUNT_TOO_HIGH}},
    {"text is parsed back", text_is_parsed_back, {CHARACTER_GONE}},
    {"merging knows no order", merge_has_laws,
        {COUNT_TOO_HIGH, UNSATURATED, UNORDERED}},
    {"merging adds up", merge_adds_up, {COUNT_TOO_HIGH}},
    {"intact parts are kept, losses are reported", damage_is_survived,
        {SECTION_GONE, SILENT}},
    {"nonsense with checksums is survived", nonsense_is_survived, {NONE}},
    {"hot paths come in order", hot_is_sorted, {COUNT_TOO_HIGH}},
    {"differences are right", diff_is_right, {COUNT_TOO_HIGH}},
};
enum { NPROPERTY = sizeof properties / sizeof *properties };

static void test_property(void **state)
{
    const struct tested *tested = *state;

    kit_check(tested->name, tested->property, NULL);
}

static void test_planted(void **state)
{
    const struct tested *tested = *state;

    for (int k = 0; k < 3; k++) {
        enum fault fault = tested->fault[k];

        if (fault)
            kit_check_planted(tested->name, tested->property, &fault);
    }
}

int main(void)
{
    static char name[2 * NPROPERTY][100];
    struct CMUnitTest test[2 * NPROPERTY];
    size_t n = 0;

    for (size_t i = 0; i < NPROPERTY; i++)
        for (int planted = 0; planted < 2; planted++) {
            snprintf(name[n], sizeof name[n], "%s%s", properties[i].name,
                planted ? ", and a planted fault is found" : "");
            test[n] = (struct CMUnitTest){.name = name[n],
                .test_func = planted ? test_planted : test_property,
                .initial_state = &properties[i]};
            n += !planted || properties[i].fault[0];
        }
    return _cmocka_run_group_tests("profile", test, n, NULL, NULL);
}
