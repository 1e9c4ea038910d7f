/* Random programs as text forms of constructs, which remember what each construct is, and edits of them. What a program
 * is made of has an identity that edits keep: the oracle of maps.
 */
#ifndef PROP_CONSTRUCTS_H
#define PROP_CONSTRUCTS_H

#include "scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "change/change.h"

enum { PARTS = 400, NONE_SUCH = UINT32_MAX };

/* A part of a program: a function, a loop or a statement. */
struct part {
    uint32_t id;    /* what it is, in all versions */
    uint32_t level; /* 30, 20, 10 */
    uint32_t kind;
    uint64_t own;
    uint32_t name, file;  /* of functions */
    uint32_t first, next; /* child, sibling; NONE_SUCH: none */
};

struct version {
    struct part part[PARTS];
    uint32_t npart;
    uint32_t first; /* function; others are its siblings */
    uint32_t nid;
};

static const char *const part_kind[] = {"call", "return", "decl", "if", "switch"};
static const char *const loop_kind[] = {"for", "while", "do"};

static inline uint32_t new_part(struct version *v, uint32_t level, uint64_t own)
{
    v->part[v->npart] = (struct part){.id = v->nid++,
        .level = level,
        .own = own,
        .first = NONE_SUCH,
        .next = NONE_SUCH};
    return v->npart++;
}

/* Where the first child, or the sibling behind, is noted. */
static inline uint32_t *last_link(struct version *v, uint32_t *link)
{
    while (*link != NONE_SUCH)
        link = &v->part[*link].next;
    return link;
}

/* Statements in a part: lower draws make fewer. */
static inline void draw_below(struct kit_prop *p, struct version *v, uint32_t parent,
    uint32_t depth, uint64_t nown)
{
    uint64_t n = kit_draw(p, depth ? 4 : 6);

    for (uint64_t i = 0; i < n && v->npart < PARTS / 2; i++) {
        bool is_loop = kit_draw(p, 4) == 3;
        uint64_t own = nown ? 1 + kit_draw(p, nown) : 1000 + v->nid;
        uint32_t part = new_part(v, is_loop ? 20 : 10, own);

        v->part[part].kind = (uint32_t)kit_draw(p, is_loop ? 3 : 5);
        *last_link(v, &v->part[parent].first) = part;
        if (depth < 3 && (is_loop || v->part[part].kind > 2))
            draw_below(p, v, part, depth + 1, nown);
    }
}

/* nown: how many different statements there are; 0: none is there twice. */
static inline void draw_version(struct version *v, struct kit_prop *p, uint64_t nown)
{
    uint64_t n = 1 + kit_draw(p, 6);

    *v = (struct version){.first = NONE_SUCH};
    for (uint64_t i = 0; i < n; i++) {
        uint32_t f = new_part(v, 30, nown ? 1 : 1000 + v->nid);

        v->part[f].name = v->part[f].id;
        v->part[f].file = (uint32_t)kit_draw(p, 3);
        *last_link(v, &v->first) = f;
        draw_below(p, v, f, 0, nown);
    }
}

static inline uint64_t tree_of(const struct version *v, uint32_t part)
{
    uint64_t hash =
        trod_mix(v->part[part].own, v->part[part].level * 100 + v->part[part].kind);

    for (uint32_t c = v->part[part].first; c != NONE_SUCH; c = v->part[c].next)
        hash = trod_mix(hash, tree_of(v, c));
    return hash;
}

static inline uint32_t size_of(const struct version *v, uint32_t part)
{
    uint32_t n = 1;

    for (uint32_t c = v->part[part].first; c != NONE_SUCH; c = v->part[c].next)
        n += size_of(v, c);
    return n;
}

/* One line each; a function ends where the last in it does. */
static inline void put_part(struct trod_sink *sink, const struct version *v,
    uint32_t part, uint32_t depth, uint32_t *line)
{
    const struct part *it = &v->part[part];

    trod_put(sink, "%" PRIu32, depth);
    if (it->level == 30)
        trod_put(sink, " function ");
    else if (it->level == 20)
        trod_put(sink, " loop %s ", loop_kind[it->kind % 3]);
    else
        trod_put(sink, " statement %s ", part_kind[it->kind % 5]);
    trod_put(sink, "%" PRIu32 " %" PRIu32 " %016" PRIx64 " %016" PRIx64, *line,
        *line + size_of(v, part) - 1, tree_of(v, part),
        trod_mix(it->own, it->level * 100 + it->kind));
    if (it->level == 30)
        trod_put(sink, " f%" PRIu32, it->name);
    trod_put(sink, "\n");
    ++*line;
    for (uint32_t c = it->first; c != NONE_SUCH; c = v->part[c].next)
        put_part(sink, v, c, depth + 1, line);
}

static inline void put_version(struct trod_sink *sink, const struct version *v)
{
    uint32_t line = 1;

    trod_put(sink, "constructs v\nunit a.c\n");
    for (uint32_t f = v->first; f != NONE_SUCH; f = v->part[f].next) {
        trod_put(sink, "in file%" PRIu32 ".c\n", v->part[f].file);
        put_part(sink, v, f, 0, &line);
    }
}

/* The program, and which part each construct is. */
struct shown_version {
    struct trod_constructs constructs;
    uint32_t *part_of; /* [nconstruct] */
};

static inline void note_parts(struct shown_version *out, const struct version *v,
    uint32_t part, uint32_t *construct)
{
    out->part_of[(*construct)++] = part;
    for (uint32_t c = v->part[part].first; c != NONE_SUCH; c = v->part[c].next)
        note_parts(out, v, c, construct);
}

static inline bool show_version(
    struct shown_version *out, const struct version *v, struct sample *s)
{
    struct trod_string text;
    struct trod_text cursor;

    trod_string_init(&text, &s->mem);
    put_version(&text.sink, v);
    trod_text_init(&cursor, "version", text.text, text.length);
    if (!trod_constructs_parse(&out->constructs, &cursor, &s->mem, &s->err) ||
        !trod_constructs_check(&out->constructs, &s->err))
        return false;
    out->part_of = trod_new(&s->mem, uint32_t, out->constructs.nconstruct);
    out->part_of[0] = NONE_SUCH;
    for (uint32_t f = v->first; f != NONE_SUCH; f = v->part[f].next) {
        char name[20];
        uint32_t c;

        snprintf(name, sizeof name, "f%" PRIu32, v->part[f].name);
        c = trod_constructs_function(&out->constructs, name, NULL);
        note_parts(out, v, f, &c);
    }
    return true;
}

/* --- edits ------------------------------------------------------------------------------------------------ */

enum edit { DELETE, INSERT, EDIT, SWAP, RENAME, RENAME_FILE, SHUFFLE, WRAP, EDITS };

/* Where a drawn statement hangs; NULL: there is none. */
static inline uint32_t *draw_link(struct kit_prop *p, struct version *v)
{
    uint32_t *link[2 * PARTS], n = 0;

    for (uint32_t i = 0; i < v->npart; i++) {
        /* Parts that were taken out are of level 0. */
        if (!v->part[i].level)
            continue;
        if (v->part[i].first != NONE_SUCH)
            link[n++] = &v->part[i].first;
        if (v->part[i].level < 30 && v->part[i].next != NONE_SUCH)
            link[n++] = &v->part[i].next;
    }
    return n ? link[kit_draw(p, n)] : NULL;
}

static inline void forget(struct version *v, uint32_t part)
{
    v->part[part].level = 0;
    for (uint32_t c = v->part[part].first; c != NONE_SUCH; c = v->part[c].next)
        forget(v, c);
}

static inline uint32_t draw_function(struct kit_prop *p, const struct version *v)
{
    uint32_t n = 0, f;

    for (f = v->first; f != NONE_SUCH; f = v->part[f].next)
        n++;
    n = (uint32_t)kit_draw(p, n);
    for (f = v->first; n; n--)
        f = v->part[f].next;
    return f;
}

/* What an edit did: to which parts; NONE_SUCH if it did nothing. */
struct edited {
    enum edit edit;
    uint32_t part, other;
};

static inline void insert_at(struct edited *out, struct kit_prop *p, struct version *v)
{
    uint32_t f = draw_function(p, v), *link = draw_link(p, v);
    uint32_t part = new_part(v, 10, 1000000 + v->nid);

    v->part[part].kind = (uint32_t)kit_draw(p, 3);
    if (!link)
        link = &v->part[f].first;
    v->part[part].next = *link;
    *link = part;
    out->part = part;
}

static inline void change_at(struct edited *out, struct version *v, uint32_t *link)
{
    uint32_t part = *link, next = v->part[part].next;

    out->part = part;
    switch (out->edit) {
    case DELETE:
        *link = next;
        forget(v, part);
        break;
    case EDIT:
        v->part[part].own += 5000000;
        break;
    case SWAP:
        if (next == NONE_SUCH) {
            out->part = NONE_SUCH;
            break;
        }
        out->other = next;
        *link = next;
        v->part[part].next = v->part[next].next;
        v->part[next].next = part;
        break;
    case WRAP:
        out->other = new_part(v, 10, 2000000 + v->nid);
        v->part[out->other].kind = 3;
        v->part[out->other].first = part;
        v->part[out->other].next = next;
        v->part[part].next = NONE_SUCH;
        *link = out->other;
        break;
    default:
        break;
    }
}

static inline void edit_version(
    struct edited *out, struct kit_prop *p, struct version *v, enum edit edit)
{
    uint32_t *link, f;

    *out = (struct edited){.edit = edit, .part = NONE_SUCH, .other = NONE_SUCH};
    switch (edit) {
    case INSERT:
        insert_at(out, p, v);
        break;
    case RENAME:
        out->part = draw_function(p, v);
        v->part[out->part].name += 10000;
        break;
    case RENAME_FILE:
        f = (uint32_t)kit_draw(p, 3);
        for (uint32_t i = v->first; i != NONE_SUCH; i = v->part[i].next)
            if (v->part[i].file == f)
                v->part[i].file = 100 + f;
        break;
    case SHUFFLE:
        f = v->first;
        if (v->part[f].next != NONE_SUCH) {
            v->first = v->part[f].next;
            v->part[f].next = NONE_SUCH;
            *last_link(v, &v->first) = f;
        }
        break;
    default:
        link = draw_link(p, v);
        if (link)
            change_at(out, v, link);
    }
}

#endif
