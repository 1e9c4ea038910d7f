/* Changes: programs that are edited in known ways. Constructs that were not edited are
 * matched, constructs with the same name are matched, one edit is one change, and differences
 * in layout only are none. The oracle is the record of the edits.
 */
#include "constructs.h"

#include <stdio.h>

enum fault {
    NONE,
    LOST,       /* a pair is not mapped */
    CROSSED,    /* two pairs are exchanged */
    FALSE_SAME, /* what was edited is called the same */
    FORGOTTEN,  /* a change is not reported */
    INVENTED,   /* one too many is */
    UNORDERED,  /* two changes are exchanged */
    ONE_WAY     /* the reverse of the map lacks one */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- faults ------------------------------------------------------------------------------------------------- */

static uint32_t last_mapped(const struct trod_changes *of)
{
    uint32_t c = of->old->nconstruct - 1;

    while (c && of->new_of_old[c] == TROD_NO_CONSTRUCT)
        c--;
    return c;
}

static void cross(struct trod_changes *of, uint32_t a, uint32_t b)
{
    uint32_t x = of->new_of_old[a], y = of->new_of_old[b];

    of->new_of_old[a] = y;
    of->new_of_old[b] = x;
    of->old_of_new[x] = b;
    of->old_of_new[y] = a;
}

/* Two mapped siblings that differ, as far as there are any. */
static void cross_two(struct trod_changes *of)
{
    for (uint32_t a = 1; a < of->old->nconstruct; a++) {
        uint32_t b = of->old->construct[a].next;

        if (b < of->old->nconstruct &&
            of->old->construct[b].parent == of->old->construct[a].parent &&
            of->new_of_old[a] != TROD_NO_CONSTRUCT &&
            of->new_of_old[b] != TROD_NO_CONSTRUCT) {
            cross(of, a, b);
            return;
        }
    }
}

static void plant(struct trod_changes *of, enum fault fault)
{
    static struct trod_change invented;
    uint32_t last = last_mapped(of);

    switch (fault) {
    case LOST:
        if (last)
            of->old_of_new[of->new_of_old[last]] = TROD_NO_CONSTRUCT;
        if (last)
            of->new_of_old[last] = TROD_NO_CONSTRUCT;
        break;
    case CROSSED:
        cross_two(of);
        break;
    case FALSE_SAME:
        for (uint32_t c = 1; c < of->old->nconstruct; c++)
            if (of->new_of_old[c] != TROD_NO_CONSTRUCT) {
                trod_add(of->same_of_old, c);
                trod_add(of->same_of_new, of->new_of_old[c]);
            }
        break;
    case FORGOTTEN:
        of->nchange -= of->nchange > 0;
        break;
    case INVENTED:
        invented = (struct trod_change){TROD_CHANGE_EDITED, last, of->new_of_old[last]};
        of->change = &invented;
        of->nchange = 1;
        break;
    case UNORDERED:
        if (of->nchange > 1) {
            struct trod_change first = of->change[0];

            of->change[0] = of->change[1];
            of->change[1] = first;
        }
        break;
    case ONE_WAY:
        if (last)
            of->old_of_new[of->new_of_old[last]] = TROD_NO_CONSTRUCT;
        break;
    case NONE:
        break;
    }
}

/* --- two versions ------------------------------------------------------------------------------------------- */

struct pair {
    struct version old, later;
    struct shown_version shown_old, shown_new;
    struct trod_changes changes;
};

static const char *text_of(const struct trod_changes *of, struct sample *s)
{
    struct trod_string text;

    trod_string_init(&text, &s->mem);
    trod_changes_print(&text.sink, of);
    return text.text;
}

static void note_pair(struct kit_prop *p, const struct pair *pair, struct sample *s)
{
    struct trod_string text;

    trod_string_init(&text, &s->mem);
    put_version(&text.sink, &pair->old);
    put_version(&text.sink, &pair->later);
    kit_note(p, "%s%s", text.text, text_of(&pair->changes, s));
}

static bool compare(struct pair *pair, struct kit_prop *p, struct sample *s)
{
    if (!show_version(&pair->shown_old, &pair->old, s) ||
        !show_version(&pair->shown_new, &pair->later, s))
        return wrong(p, s->err.text);
    trod_changes_build(&pair->changes, &pair->shown_old.constructs,
        &pair->shown_new.constructs, NULL, &s->mem);
    note_pair(p, pair, s);
    return trod_changes_check(&pair->changes, &s->err) || wrong(p, s->err.text);
}

static uint32_t id_of_old(const struct pair *pair, uint32_t construct)
{
    return pair->old.part[pair->shown_old.part_of[construct]].id;
}

static uint32_t id_of_new(const struct pair *pair, uint32_t construct)
{
    return pair->later.part[pair->shown_new.part_of[construct]].id;
}

static bool is_in_new(const struct pair *pair, uint32_t id)
{
    for (uint32_t i = 0; i < pair->later.npart; i++)
        if (pair->later.part[i].id == id && pair->later.part[i].level)
            return true;
    return false;
}

/* --- one edit ----------------------------------------------------------------------------------------------- */

/* Everything that is in both versions is mapped to itself. */
static bool recovers_all(const struct pair *pair, struct kit_prop *p)
{
    const struct trod_changes *c = &pair->changes;

    for (uint32_t i = 1; i < c->old->nconstruct; i++) {
        bool is_mapped = c->new_of_old[i] != TROD_NO_CONSTRUCT;

        if (is_mapped != is_in_new(pair, id_of_old(pair, i)) ||
            (is_mapped && id_of_new(pair, c->new_of_old[i]) != id_of_old(pair, i))) {
            kit_note(p, "construct %" PRIu32 " is not mapped to itself", i);
            return false;
        }
    }
    return true;
}

static bool is_change(const struct pair *pair, const struct trod_change *c,
    enum trod_change_kind kind, uint32_t id)
{
    return c->kind == kind &&
           (kind == TROD_CHANGE_ADDED ? id_of_new(pair, c->later)
                                      : id_of_old(pair, c->old)) == id;
}

static bool tells_edit(const struct pair *pair, const struct edited *edited)
{
    const struct trod_changes *c = &pair->changes;
    const struct part *part = pair->later.part;
    bool did = edited->part != NONE_SUCH;

    switch (edited->edit) {
    case DELETE:
        return c->nchange == did &&
               (!did || is_change(pair, &c->change[0], TROD_CHANGE_DELETED,
                            part[edited->part].id));
    case INSERT:
        return c->nchange == 1 &&
               is_change(pair, &c->change[0], TROD_CHANGE_ADDED, part[edited->part].id);
    case EDIT:
        return c->nchange == did &&
               (!did || is_change(pair, &c->change[0], TROD_CHANGE_EDITED,
                            part[edited->part].id));
    case SWAP:
        return c->nchange == did && (!did ||
                                        is_change(pair, &c->change[0],
                                            TROD_CHANGE_MOVED, part[edited->part].id) ||
                                        is_change(pair, &c->change[0],
                                            TROD_CHANGE_MOVED, part[edited->other].id));
    case WRAP:
        return c->nchange == (did ? 2u : 0u) &&
               (!did || (is_change(pair, &c->change[0], TROD_CHANGE_MOVED,
                             part[edited->part].id) &&
                            is_change(pair, &c->change[1], TROD_CHANGE_ADDED,
                                part[edited->other].id)));
    case RENAME:
    case RENAME_FILE:
    case SHUFFLE:
    case EDITS:
        break;
    }
    return c->nchange == 0 && trod_has(c->same_of_old, 0) && c->significance == 0;
}

static bool tells_one_edit(struct kit_prop *p, void *ctx)
{
    static struct pair pair;
    struct edited edited;
    struct sample s;

    begin(&s);
    draw_version(&pair.old, p, 0);
    pair.later = pair.old;
    edit_version(&edited, p, &pair.later, (enum edit)kit_draw(p, EDITS));
    kit_note(p, "edit %d of part %" PRIu32, (int)edited.edit, edited.part);
    if (!compare(&pair, p, &s))
        return end(&s, false);
    plant(&pair.changes, fault_in(ctx));
    if (!recovers_all(&pair, p))
        return end(&s, false);
    return end(&s, tells_edit(&pair, &edited) || wrong(p, "not the edit"));
}

/* --- many edits --------------------------------------------------------------------------------------------- */

static struct tally {
    uint64_t nkept, nrecovered, nfalse;
} tally, of_planted;

/* By what they are made of, not by hashes. */
static bool is_same_tree(const struct pair *pair, uint32_t old, uint32_t new)
{
    const struct part *a = &pair->old.part[old], *b = &pair->later.part[new];
    uint32_t x = a->first, y = b->first;

    if (a->level != b->level || a->kind != b->kind || a->own != b->own)
        return false;
    while (x != NONE_SUCH && y != NONE_SUCH && is_same_tree(pair, x, y)) {
        x = pair->old.part[x].next;
        y = pair->later.part[y].next;
    }
    return x == NONE_SUCH && y == NONE_SUCH;
}

static bool is_right(
    const struct pair *pair, struct kit_prop *p, bool is_unique, struct tally *to_tally)
{
    const struct trod_changes *c = &pair->changes;

    for (uint32_t i = 1; i < c->old->nconstruct; i++) {
        uint32_t to = c->new_of_old[i];
        bool kept = is_in_new(pair, id_of_old(pair, i));
        bool right =
            to != TROD_NO_CONSTRUCT && id_of_old(pair, i) == id_of_new(pair, to);

        to_tally->nkept += kept;
        to_tally->nrecovered += kept && right;
        to_tally->nfalse += to != TROD_NO_CONSTRUCT && !right;
        if (!trod_has(c->same_of_old, i))
            continue;
        if (to == TROD_NO_CONSTRUCT || (is_unique && !right) ||
            !is_same_tree(
                pair, pair->shown_old.part_of[i], pair->shown_new.part_of[to])) {
            kit_note(p, "construct %" PRIu32 " is not the same", i);
            return false;
        }
    }
    return true;
}

static bool same_is_the_same(struct kit_prop *p, void *ctx)
{
    static struct pair pair;
    uint64_t nown = kit_draw(p, 2) ? 0 : 1 + kit_draw(p, 8);
    uint64_t nedit = kit_draw(p, 8);
    struct edited edited;
    struct sample s;

    begin(&s);
    draw_version(&pair.old, p, nown);
    pair.later = pair.old;
    for (uint64_t i = 0; i < nedit; i++)
        edit_version(&edited, p, &pair.later, (enum edit)kit_draw(p, EDITS));
    if (!compare(&pair, p, &s))
        return end(&s, false);
    plant(&pair.changes, fault_in(ctx));
    return end(&s, is_right(&pair, p, nown == 0, ctx ? &of_planted : &tally));
}

/* --- checks, and text --------------------------------------------------------------------------------------- */

static bool check_holds(struct kit_prop *p, void *ctx)
{
    static struct pair pair;
    uint64_t nedit = kit_draw(p, 6);
    struct edited edited;
    struct sample s;

    begin(&s);
    draw_version(&pair.old, p, kit_draw(p, 9));
    pair.later = pair.old;
    for (uint64_t i = 0; i < nedit; i++)
        edit_version(&edited, p, &pair.later, (enum edit)kit_draw(p, EDITS));
    if (!compare(&pair, p, &s))
        return end(&s, false);
    plant(&pair.changes, fault_in(ctx));
    return end(&s, trod_changes_check(&pair.changes, &s.err) || wrong(p, s.err.text));
}

static bool reads_back(struct kit_prop *p, void *ctx)
{
    static struct pair pair;
    uint64_t nedit = kit_draw(p, 6);
    struct trod_changes back;
    struct trod_text cursor;
    struct edited edited;
    const char *text;
    struct sample s;

    begin(&s);
    draw_version(&pair.old, p, kit_draw(p, 9));
    pair.later = pair.old;
    for (uint64_t i = 0; i < nedit; i++)
        edit_version(&edited, p, &pair.later, (enum edit)kit_draw(p, EDITS));
    if (!compare(&pair, p, &s))
        return end(&s, false);
    text = text_of(&pair.changes, &s);
    trod_text_init(&cursor, "text", text, strlen(text));
    if (!trod_changes_parse(
            &back, pair.changes.old, pair.changes.later, &cursor, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    plant(&back, fault_in(ctx));
    if (strcmp(text, text_of(&back, &s)) != 0)
        return end(&s, wrong(p, "changes do not come back"));
    return end(&s, memcmp(back.same_of_old, pair.changes.same_of_old,
                       TROD_WORDS(back.old->nconstruct) * sizeof(uint64_t)) == 0);
}

/* --- nothing in common --------------------------------------------------------------------------------------- */

static bool others_share_nothing(struct kit_prop *p, void *ctx)
{
    static struct pair pair;
    struct sample s;

    begin(&s);
    draw_version(&pair.old, p, 0);
    draw_version(&pair.later, p, 0);
    for (uint32_t i = 0; i < pair.later.npart; i++) {
        pair.later.part[i].own += 7000000;
        pair.later.part[i].name += 500;
        pair.later.part[i].file += 10;
    }
    if (fault_in(ctx) == LOST)
        pair.later.part[0].own = pair.old.part[0].own;
    if (fault_in(ctx) == CROSSED)
        pair.later.part[0].name = pair.old.part[0].name;
    if (!compare(&pair, p, &s))
        return end(&s, false);
    for (uint32_t c = 1; c < pair.changes.old->nconstruct; c++)
        if (pair.changes.new_of_old[c] != TROD_NO_CONSTRUCT)
            return end(&s, wrong(p, "something is mapped"));
    return end(&s, pair.changes.significance == 1);
}

/* --- all of them --------------------------------------------------------------------------------------------- */

static const struct kit_tested properties[] = {
    {"one edit is one change, and all else is found again", tells_one_edit,
        {LOST, CROSSED, FORGOTTEN, INVENTED}},
    {"what is called the same is the same", same_is_the_same, {CROSSED, FALSE_SAME}},
    {"the check holds", check_holds,
        {LOST, CROSSED, FALSE_SAME, FORGOTTEN, INVENTED, UNORDERED, ONE_WAY}},
    {"what is printed reads back", reads_back, {LOST, CROSSED, FORGOTTEN}},
    {"other programs have nothing in common", others_share_nothing, {LOST, CROSSED}},
};

int main(void)
{
    int status =
        kit_run_tested("change", properties, sizeof properties / sizeof *properties);

    printf("# of %" PRIu64 " constructs that edits left, %" PRIu64
           " were found again; %" PRIu64 " pairs were guessed wrong\n",
        tally.nkept, tally.nrecovered, tally.nfalse);
    return status;
}
