#include "change/change_matcher.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_name[] = {[TROD_CHANGE_ADDED] = "added",
    [TROD_CHANGE_DELETED] = "deleted",
    [TROD_CHANGE_EDITED] = "edited",
    [TROD_CHANGE_MOVED] = "moved"};

const char *trod_change_kind_name(enum trod_change_kind kind)
{
    return kind_name[kind];
}

bool trod_change_parse_kind(enum trod_change_kind *out, const char *word)
{
    for (size_t k = 0; k < sizeof kind_name / sizeof *kind_name; k++)
        if (strcmp(kind_name[k], word) == 0) {
            *out = (enum trod_change_kind)k;
            return true;
        }
    return false;
}

/* --- printing ------------------------------------------------------------------------------------------------ */

/* Are it and all its descendants the same, position by position? */
static bool is_whole(const struct trod_changes *of, uint32_t old)
{
    uint32_t new = of->new_of_old[old];
    const struct trod_construct *a = &of->old->construct[old];
    const struct trod_construct *b = &of->later->construct[new];
    uint32_t count = a->next - old;

    if (a->tree != b->tree || count != b->next - new)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (of->new_of_old[old + i] != new + i || a[i].tree != b[i].tree ||
            !trod_has(of->same_of_old, old + i) || a[i].next - old != b[i].next - new)
            return false;
    return true;
}

static void print_map(struct trod_sink *sink, const struct trod_changes *of)
{
    uint32_t c = 0;

    while (c < of->old->nconstruct) {
        uint32_t new = of->new_of_old[c];
        bool whole = new != TROD_NO_CONSTRUCT &&is_whole(of, c);

        if (new != TROD_NO_CONSTRUCT)
            trod_put(
                sink, "%s %" PRIu32 " %" PRIu32 "\n", whole ? "same" : "map", c, new);
        c = whole ? of->old->construct[c].next : c + 1;
    }
}

void trod_changes_print(struct trod_sink *sink, const struct trod_changes *of)
{
    trod_put(sink, "changes ");
    trod_put_name(sink, of->old->name);
    trod_put(sink, " ");
    trod_put_name(sink, of->later->name);
    trod_put(sink, "\nsignificance %.9f\n", of->significance);
    print_map(sink, of);
    for (uint32_t i = 0; i < of->nchange; i++) {
        const struct trod_change *c = &of->change[i];

        trod_put(sink, "%s", kind_name[c->kind]);
        if (c->old != TROD_NO_CONSTRUCT)
            trod_put(sink, " %" PRIu32, c->old);
        if (c->later != TROD_NO_CONSTRUCT)
            trod_put(sink, " %" PRIu32, c->later);
        trod_put(sink, "\n");
    }
}

/* --- parsing ------------------------------------------------------------------------------------------------- */

struct parser {
    struct matcher m;
    struct trod_text *text;
    struct trod_err *err;
    uint32_t room;
};

static bool take_number(
    struct parser *p, uint32_t *out, const char *what, uint32_t count)
{
    uint64_t value;

    if (!trod_text_take_uint(&value, what, p->text, p->m.mem, p->err))
        return false;
    *out = (uint32_t)value;
    return value < count ||
           trod_text_fail(p->text, p->err,
               "%s: there is no number %" PRIu64 ", only %" PRIu32, what, value, count);
}

static bool take_old(struct parser *p, uint32_t *out)
{
    return take_number(p, out, "a construct of the old version", p->m.old->nconstruct);
}

static bool take_new(struct parser *p, uint32_t *out)
{
    return take_number(
        p, out, "a construct of the new version", p->m.later->nconstruct);
}

static bool take_end(struct parser *p)
{
    return trod_text_take_end("that", p->text, p->m.mem, p->err);
}

static bool map_one(struct parser *p, uint32_t old, uint32_t new)
{
    struct trod_changes *out = p->m.out;

    if (out->new_of_old[old] != TROD_NO_CONSTRUCT ||
        out->old_of_new[new] != TROD_NO_CONSTRUCT)
        return trod_text_fail(p->text, p->err,
            "%" PRIu32 " and %" PRIu32 ": one of them is already mapped", old, new);
    out->new_of_old[old] = new;
    out->old_of_new[new] = old;
    return true;
}

static bool parse_map(struct parser *p)
{
    uint32_t old, new;

    return take_old(p, &old) && take_new(p, &new) && take_end(p) &&
           map_one(p, old, new);
}

static bool parse_same(struct parser *p)
{
    uint32_t old, new, count;

    if (!take_old(p, &old) || !take_new(p, &new) || !take_end(p))
        return false;
    count = p->m.old->construct[old].next - old;
    if (count != p->m.later->construct[new].next - new)
        return trod_text_fail(p->text, p->err,
            "%" PRIu32 " and %" PRIu32 " cannot be the same: one of them has more "
            "constructs below it",
            old, new);
    for (uint32_t i = 0; i < count; i++) {
        if (!map_one(p, old + i, new + i))
            return false;
        trod_add(p->m.out->same_of_old, old + i);
        trod_add(p->m.out->same_of_new, new + i);
    }
    return true;
}

static bool parse_change(struct parser *p, enum trod_change_kind kind)
{
    struct trod_changes *out = p->m.out;
    struct trod_change change = {
        .kind = kind, .old = TROD_NO_CONSTRUCT, .later = TROD_NO_CONSTRUCT};

    if ((kind != TROD_CHANGE_ADDED && !take_old(p, &change.old)) ||
        (kind != TROD_CHANGE_DELETED && !take_new(p, &change.later)) || !take_end(p))
        return false;
    trod_push(p->m.mem, out->change, out->nchange, p->room, change);
    return true;
}

static bool parse_significance(struct parser *p)
{
    const char *word;
    char *end;

    if (!trod_text_take_name(
            &word, "a significance, such as 0.034", p->text, p->m.mem, p->err))
        return false;
    p->m.out->significance = strtod(word, &end);
    if (strspn(word, "0123456789.") != strlen(word) || *end ||
        !isfinite(p->m.out->significance))
        return trod_text_fail(
            p->text, p->err, "expected a significance, such as 0.034, not '%s'", word);
    return take_end(p);
}

static bool parse_line(struct parser *p, bool *is_over)
{
    struct trod_text ahead = *p->text;
    struct trod_token word;
    enum trod_change_kind kind;

    *is_over = false;
    if (!trod_text_next(&word, &ahead, p->m.mem, p->err))
        return false;
    if (word.kind == TROD_T_END) {
        *is_over = true;
        return true;
    }
    *p->text = ahead;
    if (trod_token_is_word(&word, "same"))
        return parse_same(p);
    if (trod_token_is_word(&word, "map"))
        return parse_map(p);
    if (trod_token_is_word(&word, "significance"))
        return parse_significance(p);
    if (word.kind == TROD_T_NAME && !word.quoted &&
        trod_change_parse_kind(&kind, word.name))
        return parse_change(p, kind);
    return trod_text_fail(p->text, p->err,
        "expected same, map, added, deleted, edited, moved or significance");
}

static bool parse_head(struct parser *p)
{
    struct trod_token word;
    const char *name;

    if (!trod_text_next(&word, p->text, p->m.mem, p->err))
        return false;
    if (!trod_token_is_word(&word, "changes"))
        return trod_text_fail(
            p->text, p->err, "expected the head of changes, 'changes OLD NEW'");
    return trod_text_take_name(
               &name, "the name of the old version", p->text, p->m.mem, p->err) &&
           trod_text_take_name(
               &name, "the name of the new version", p->text, p->m.mem, p->err) &&
           take_end(p);
}

bool trod_changes_parse(struct trod_changes *out, const struct trod_constructs *old,
    const struct trod_constructs *new, struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err)
{
    struct parser p = {.text = text, .err = err};
    struct trod_err found;
    bool is_over = false;
    uint32_t line;

    trod_matcher_begin(&p.m, out, old, new, mem);
    if (!parse_head(&p))
        return false;
    line = text->line;
    while (!is_over)
        if (!parse_line(&p, &is_over))
            return false;
    trod_changes_fill_same(&p.m);
    if (trod_changes_check(out, &found))
        return true;
    text->line = line;
    return trod_text_fail(text, err, "%s", found.text);
}
