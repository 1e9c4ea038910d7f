/* Damaged profiles: originals, and files made of them that are cut off, have flipped bits, sections swapped, duplicated or
 * missing, wrong lengths, foreign bytes.
 *
 * Originals are random profiles, the seeds of the fuzz target, and the files that TROD_MUTANT_FILES names, parted by blanks.
 */
#ifndef PROP_MUTANT_MAKE_H
#define PROP_MUTANT_MAKE_H

#include "kit/kit.h"
#include "kit/live.h"
#include "kit/random_profile.h"
#include "mutant_walk.h"

#include <stdio.h>
#include <stdlib.h>

#include "zstd/zstd_port.h"

/* --- originals ------------------------------------------------------------------------------------ */

static inline bool read_file(struct trod_profile *out,
    struct trod_profile_health *health, const struct file *file, struct sample *s)
{
    struct trod_profile_read_options options = {.codec = &trod_zstd_codec};

    return trod_profile_read(
        out, health, file->bytes, file->length, &options, &s->mem, &s->err);
}

static inline void from_string(
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

static inline bool load(struct file *out, const char *name)
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
static inline void shelve(const char *name)
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

static inline int fill_shelf(void **state)
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

static inline int clear_shelf(void **state)
{
    (void)state;
    trod_arena_free(&shelf.own.mem);
    return 0;
}

/* An original: one from the shelf, or a random one. */
static inline void draw_original(struct file *out, struct kit_prop *p, struct sample *s)
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

static inline void take_original(struct mutant *m, struct sample *s)
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

/* --- mutations ------------------------------------------------------------------------------------ */

/* The file with some bytes taken out at a place and others put in. */
static inline void splice(struct file *f, size_t at, size_t out, const void *in,
    size_t nin, struct trod_arena *mem)
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
static inline size_t draw_place(
    struct kit_prop *p, const struct file *f, const struct walk *w)
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

static inline void cut_off(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    (void)mem;
    f->length = draw_place(p, f, w);
}

static inline void flip(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    (void)mem;
    for (uint64_t n = 1 + kit_draw(p, 8); f->length && n-- > 0;) {
        size_t at = draw_place(p, f, w);

        f->bytes[at < f->length ? at : f->length - 1] ^= (uint8_t)(1 << kit_draw(p, 8));
    }
}

static inline void swap(
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

static inline void repeat(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    const struct part *from, *to;

    if (!w->count)
        return;
    from = &w->part[kit_draw(p, w->count)];
    to = &w->part[kit_draw(p, w->count)];
    splice(f, to->at, 0, f->bytes + from->at, from->there, mem);
}

static inline void take_out(
    struct kit_prop *p, struct file *f, const struct walk *w, struct trod_arena *mem)
{
    const struct part *c;

    if (!w->count)
        return;
    c = &w->part[kit_draw(p, w->count)];
    splice(f, c->at, c->there, NULL, 0, mem);
}

static inline void mend(struct file *f, const struct part *c)
{
    uint8_t *p = f->bytes + c->at;

    if (c->flags != TROD_SECTION_LIVE && c->there - HEAD >= c->payload)
        set(p + 56, trod_crc32(p + HEAD, c->payload), 4);
    set(p + 60, trod_crc32(p, 60), 4);
}

/* A number that says how much of something there is, made to lie; with its checksum or
 * without.
 */
static inline void inflate(
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
static inline void insert(
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
static inline void transplant(
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
static inline void blank(
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

static inline void mutate(struct mutant *m, struct kit_prop *p, struct sample *s)
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

#endif
