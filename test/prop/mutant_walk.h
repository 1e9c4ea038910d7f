/* Profiles as bytes, and a plain walk over their sections, which follows doc/format.md: which of them are whole, and which
 * are those of the file that was damaged, byte by byte.
 */
#ifndef PROP_MUTANT_WALK_H
#define PROP_MUTANT_WALK_H

#include "prop/scratch.h"

#include <string.h>

#include "profile/profile.h"

enum { HEAD = 64, MODULE = 32, FUNCTION = 56, PAGE = TROD_FORMAT_PAGE };
enum { SHARED_SIZE = sizeof(struct trod_format_shared) };

struct file {
    const char *name;
    uint8_t *bytes;
    size_t length;
};

static inline uint64_t get(const uint8_t *p, int nbyte)
{
    uint64_t value = 0;

    while (nbyte-- > 0)
        value = value << 8 | p[nbyte];
    return value;
}

static inline void set(uint8_t *p, uint64_t value, int nbyte)
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

static inline bool is_sound(
    struct part *out, const struct file *f, size_t at, bool live)
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
static inline bool is_lost(const struct part *c, const struct file *f, bool live)
{
    const uint8_t *p = f->bytes + c->at;
    bool whole = c->there - HEAD >= c->payload;
    bool counts = c->type == TROD_SECTION_COUNTS;

    if (c->type == TROD_SECTION_BUNDLES && c->flags < TROD_SECTION_LIVE)
        return !whole || trod_crc32(p + HEAD, c->payload) != get(p + 56, 4);
    if (c->type == TROD_SECTION_SHARED && c->flags == TROD_SECTION_LIVE)
        return c->payload < SHARED_SIZE || c->there - HEAD < SHARED_SIZE;
    if (c->type == TROD_SECTION_CONTROL && c->flags == TROD_SECTION_LIVE)
        return !live || c->there - HEAD < sizeof(struct trod_format_control) ||
               c->payload < sizeof(struct trod_format_control);
    if (c->type < TROD_SECTION_RUN || c->type > TROD_SECTION_NOTE || c->flags > 2 ||
        (c->flags == TROD_SECTION_LIVE && !counts))
        return true;
    if (!whole)
        return !counts || c->flags == TROD_SECTION_ZSTD;
    return c->flags != TROD_SECTION_LIVE &&
           trod_crc32(p + HEAD, c->payload) != get(p + 56, 4);
}

/* Where the first section is, or the file is refused. */
static inline size_t walk_header(struct walk *out, const struct file *f)
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

static inline void walk(struct walk *out, const struct file *f, struct trod_arena *mem)
{
    size_t at = walk_header(out, f);

    while (!out->refused && at < f->length) {
        struct part c;

        if (!is_sound(&c, f, at, out->live)) {
            at = out->live ? at / PAGE * PAGE + PAGE : at + 1;
            continue;
        }
        c.lost = is_lost(&c, f, out->live);
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
static inline void find_twins(struct walk *w, const struct file *f,
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

/* A damaged file, and what it was. */
struct mutant {
    struct file file, original;
    struct walk walk, whole; /* of the file and of the original */
    struct trod_profile was;
    bool was_ended;
};

#endif
