#include "migrate/migrator.h"
#include "base/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- shared functions ---------------------------------------------------------------------------------- */

const char *trod_migrate_text(struct trod_arena *mem, const char *format, ...)
{
    va_list args, again;
    char *text;
    int length;

    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    text = trod_new(mem, char, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

bool trod_migrate_equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Where the last component of the path's first `length` bytes begins. */
static size_t last_part(const char *path, size_t length)
{
    while (length && path[length - 1] != '/')
        length--;
    return length;
}

uint32_t trod_migrate_alike(const char *a, const char *b)
{
    size_t m = a ? strlen(a) : 0, n = b ? strlen(b) : 0;
    uint32_t count = 0;

    while (m && n) {
        size_t i = last_part(a, m), k = last_part(b, n);

        if (m - i != n - k || memcmp(a + i, b + k, m - i) != 0)
            break;
        count++;
        m = i ? i - 1 : 0;
        n = k ? k - 1 : 0;
    }
    return count;
}

/* --- functions of one version ---------------------------------------------------------------------------- */

struct one {
    const char *name, *file;
    const struct trod_map_entry *entry;
    uint32_t construct;
    uint32_t partner; /* index in the other version, or TROD_NONE */
    bool many;
};

struct side {
    struct one *one; /* sorted by name and file */
    uint32_t count, room;
};

static int compare(const char *name, const char *file, const struct one *b)
{
    int by = strcmp(name, b->name);

    if (by || file == b->file)
        return by;
    if (!file || !b->file)
        return (file != NULL) - (b->file != NULL);
    return strcmp(file, b->file);
}

static int by_name(const void *x, const void *y)
{
    const struct one *a = x, *b = y;
    int by = compare(a->name, a->file, b);

    /* Among copies, profiles belong to the first in the map. */
    return by ? by : (a->entry > b->entry) - (a->entry < b->entry);
}

/* Copies of an inline function in several units are merged, unless their graphs differ. */
static void drop_copies(struct side *s)
{
    uint32_t n = 0;

    trod_sort(s->one, s->count, by_name);
    for (uint32_t i = 0; i < s->count; i++) {
        struct one *last = n ? &s->one[n - 1] : NULL;

        if (!last || compare(last->name, last->file, &s->one[i]) != 0)
            s->one[n++] = s->one[i];
        else if (last->entry && s->one[i].entry)
            last->many |= last->entry->graph_hash != s->one[i].entry->graph_hash ||
                          last->entry->cuts_hash != s->one[i].entry->cuts_hash;
    }
    s->count = n;
}

static void add(struct side *s, const struct one *one, struct trod_arena *mem)
{
    trod_push(mem, s->one, s->count, s->room, *one);
}

static void list_map(struct side *s, const struct trod_map *map, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < map->nentry; i++) {
        const struct trod_map_entry *e = &map->entry[i];
        struct one one = {.name = e->name,
            .file = trod_flow_file(e),
            .entry = e,
            .construct = TROD_NO_CONSTRUCT,
            .partner = TROD_NONE};

        if (e->numbering.dag && !e->nframe)
            add(s, &one, mem);
    }
    drop_copies(s);
}

static void list_constructs(
    struct side *s, const struct trod_constructs *of, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < of->nconstruct; i++) {
        const struct trod_construct *c = &of->construct[i];
        struct one one = {.name = c->name,
            .file = of->files.name[c->file],
            .construct = i,
            .partner = TROD_NONE};

        if (c->level == TROD_LEVEL_FUNCTION && c->name)
            add(s, &one, mem);
    }
    drop_copies(s);
}

/* The first function with this name, or where it would be. */
static uint32_t first_of(const struct side *s, const char *name)
{
    uint32_t low =
        TROD_LOWER_BOUND(middle, 0, s->count, strcmp(s->one[middle].name, name) < 0);

    return low;
}

/* --- from map entries to constructs -------------------------------------------------------------------------- */

/* Constructors and destructors have several symbols but one definition: normalise the digit. */
static const char *plain_name(const char *name, struct trod_arena *mem)
{
    size_t length = strlen(name);
    char *out;

    if (strncmp(name, "_Z", 2) != 0)
        return NULL;
    out = trod_copy_text(mem, name, length);
    for (size_t i = 0; i + 2 < length; i++)
        if ((out[i] == 'C' || out[i] == 'D') && out[i + 2] == 'E' &&
            out[i + 1] >= '0' && out[i + 1] <= '2')
            out[i + 1] = '1';
    return out;
}

static uint32_t best_of(const struct side *s, const char *name, const char *file)
{
    uint32_t best = TROD_NO_CONSTRUCT, most = 0;

    for (uint32_t i = first_of(s, name);
        i < s->count && strcmp(s->one[i].name, name) == 0; i++) {
        uint32_t alike = trod_migrate_alike(file, s->one[i].file) + 1;

        if (alike > most) {
            most = alike;
            best = s->one[i].construct;
        }
    }
    return best;
}

static void find_constructs(
    struct side *s, const struct trod_constructs *of, struct trod_arena *mem)
{
    struct side all = {0}, plain = {0};

    list_constructs(&all, of, mem);
    for (uint32_t i = 0; i < all.count; i++) {
        struct one one = all.one[i];

        one.name = plain_name(one.name, mem);
        if (one.name)
            add(&plain, &one, mem);
    }
    drop_copies(&plain);
    for (uint32_t i = 0; i < s->count; i++) {
        struct one *one = &s->one[i];
        const char *name = one->name;

        one->construct = best_of(&all, name, one->file);
        if (one->construct == TROD_NO_CONSTRUCT && (name = plain_name(name, mem)))
            one->construct = best_of(&plain, name, one->file);
    }
}

static void list_side(struct side *s, const struct trod_map *map,
    const struct trod_constructs *of, struct trod_arena *mem)
{
    *s = (struct side){0};
    if (map)
        list_map(s, map, mem);
    if (map && of)
        find_constructs(s, of, mem);
    if (!map && of)
        list_constructs(s, of, mem);
}

/* --- pairs ------------------------------------------------------------------------------------------------------ */

static void pair(struct side *old, uint32_t i, struct side *new, uint32_t k)
{
    old->one[i].partner = k;
    new->one[k].partner = i;
}

/* Match by construct. The symbols of one constructor share a construct, so prefer equal names. */
static void pair_constructs(struct side *old, struct side *new,
    const struct trod_changes *changes, struct trod_arena *mem)
{
    uint32_t *of = trod_new(mem, uint32_t, changes->later->nconstruct);

    for (uint32_t k = 0; k < new->count; k++)
        if (new->one[k].construct != TROD_NO_CONSTRUCT)
            of[new->one[k].construct] = k + 1;
    for (uint32_t i = 0; i < old->count; i++) {
        uint32_t c = old->one[i].construct, d, k;

        if (c == TROD_NO_CONSTRUCT || (d = changes->new_of_old[c]) == TROD_NO_CONSTRUCT)
            continue;
        for (k = first_of(new, old->one[i].name);
            k < new->count &&strcmp(new->one[k].name, old->one[i].name) == 0; k++)
            if (new->one[k].construct == d &&new->one[k].partner == TROD_NONE)
                break;
        if (k < new->count &&new->one[k].construct == d &&
            strcmp(new->one[k].name, old->one[i].name) == 0)
            pair(old, i, new, k);
        else if (of[d] && new->one[of[d] - 1].partner == TROD_NONE &&
                 strcmp(new->one[of[d] - 1].name, old->one[i].name) != 0)
            pair(old, i, new, of[d] - 1);
    }
}

/* Match functions with equal names, those with the most similar files first. */
static void pair_names(struct side *old, struct side *new)
{
    for (uint32_t i = 0; i < old->count; i++) {
        uint32_t best = TROD_NONE, most = 0;

        if (old->one[i].partner != TROD_NONE)
            continue;
        for (uint32_t k = first_of(new, old->one[i].name);
            k < new->count &&strcmp(new->one[k].name, old->one[i].name) == 0; k++) {
            uint32_t alike = trod_migrate_alike(old->one[i].file, new->one[k].file) + 1;

            if (new->one[k].partner == TROD_NONE && alike > most) {
                most = alike;
                best = k;
            }
        }
        if (best != TROD_NONE)
            pair(old, i, new, best);
    }
}

static int by_meaning(const void *x, const void *y)
{
    const struct one *const *a = x, *const *b = y;
    uint64_t m = (*a)->entry->meaning, n = (*b)->entry->meaning;

    return (m > n) - (m < n);
}

/* Unmatched functions that have a meaning, sorted by it. */
static uint32_t list_alone(
    struct one ***out, const struct side *s, struct trod_arena *mem)
{
    struct one **of = trod_new(mem, struct one *, s->count);
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->count; i++)
        if (s->one[i].partner == TROD_NONE && s->one[i].entry &&
            s->one[i].entry->meaning)
            of[n++] = &s->one[i];
    trod_sort(of, n, by_meaning);
    *out = of;
    return n;
}

static bool is_only(struct one *const *of, uint32_t n, uint32_t i)
{
    uint64_t meaning = of[i]->entry->meaning;

    return !(i && of[i - 1]->entry->meaning == meaning) &&
           !(i + 1 < n && of[i + 1]->entry->meaning == meaning);
}

static void pair_renamed(struct side *old, struct side *new, struct trod_arena *mem)
{
    struct one **a, **b;
    uint32_t m = list_alone(&a, old, mem), n = list_alone(&b, new, mem);

    for (uint32_t i = 0, k = 0; i < m; i++) {
        while (k < n && b[k]->entry->meaning < a[i]->entry->meaning)
            k++;
        if (k < n && b[k]->entry->meaning == a[i]->entry->meaning && is_only(a, m, i) &&
            is_only(b, n, k))
            pair(old, (uint32_t)(a[i] - old->one), new, (uint32_t)(b[k] - new->one));
    }
}

/* --- joining both versions --------------------------------------------------------------------------------------- */

static const struct trod_match *match(
    const struct one *a, const struct one *b, struct trod_arena *mem)
{
    struct trod_match *out;

    if (!a->entry || !b->entry)
        return NULL;
    out = trod_new(mem, struct trod_match, 1);
    trod_match_build(out, a->entry, b->entry, mem);
    return out;
}

static int by_joined(const void *x, const void *y)
{
    const struct trod_joined *a = x, *b = y;
    struct one one = {.name = b->name, .file = b->file};
    int by = compare(a->name, a->file, &one);

    return by ? by : (int)a->in_new - (int)b->in_new;
}

static void put_old(struct trod_joined *j, const struct one *one,
    const struct side *new, struct trod_arena *mem)
{
    *j = (struct trod_joined){.name = one->name,
        .file = one->file,
        .old = one->entry,
        .construct = one->construct,
        .new_construct = TROD_NO_CONSTRUCT,
        .in_old = true,
        .many = one->many};
    if (one->partner != TROD_NONE) {
        const struct one *to = &new->one[one->partner];

        j->new_name = to->name;
        j->new_file = to->file;
        j->later = to->entry;
        j->new_construct = to->construct;
        j->in_new = true;
        j->many |= to->many;
        j->match = match(one, to, mem);
    }
}

void trod_join_build(struct trod_join *out, const struct trod_map *old,
    const struct trod_map *new, const struct trod_changes *changes,
    struct trod_arena *mem)
{
    struct side a, b;
    uint32_t n = 0;

    list_side(&a, old, changes ? changes->old : NULL, mem);
    list_side(&b, new, changes ? changes->later : NULL, mem);
    if (changes)
        pair_constructs(&a, &b, changes, mem);
    pair_names(&a, &b);
    pair_renamed(&a, &b, mem);
    out->joined = trod_new(mem, struct trod_joined, (size_t)a.count + b.count);
    for (uint32_t i = 0; i < a.count; i++)
        put_old(&out->joined[n++], &a.one[i], &b, mem);
    for (uint32_t k = 0; k < b.count; k++) {
        const struct one *one = &b.one[k];

        if (one->partner == TROD_NONE)
            out->joined[n++] = (struct trod_joined){.name = one->name,
                .file = one->file,
                .new_name = one->name,
                .new_file = one->file,
                .later = one->entry,
                .construct = TROD_NO_CONSTRUCT,
                .new_construct = one->construct,
                .in_new = true,
                .many = one->many};
    }
    out->njoined = n;
    trod_sort(out->joined, n, by_joined);
}

uint32_t trod_join_find(const struct trod_join *of, const char *name, const char *file)
{
    uint32_t low, best = TROD_NONE, most = 0;

    low = TROD_LOWER_BOUND(
        middle, 0, of->njoined, strcmp(of->joined[middle].name, name) < 0);
    for (; low < of->njoined && strcmp(of->joined[low].name, name) == 0; low++) {
        uint32_t alike = trod_migrate_alike(file, of->joined[low].file) + 1;

        if (!of->joined[low].in_old)
            continue;
        if (trod_migrate_equal(file, of->joined[low].file))
            return low;
        if (alike > most) {
            most = alike;
            best = low;
        }
    }
    return best;
}

uint32_t trod_join_find_new(
    const struct trod_join *of, const char *name, const char *file)
{
    uint32_t best = trod_join_find(of, name, file), most = 0;

    if (best != TROD_NONE && of->joined[best].in_new &&
        strcmp(of->joined[best].new_name, name) == 0 &&
        trod_migrate_equal(of->joined[best].new_file, file))
        return best;
    best = TROD_NONE;
    for (uint32_t i = 0; i < of->njoined; i++) {
        const struct trod_joined *j = &of->joined[i];
        uint32_t alike;

        if (!j->in_new || strcmp(j->new_name, name) != 0)
            continue;
        alike = trod_migrate_alike(file, j->new_file) + 1;
        if (alike > most) {
            most = alike;
            best = i;
        }
    }
    return best;
}
