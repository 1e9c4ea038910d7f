#include "change/change_matcher.h"
#include "base/order.h"

#include <stdlib.h>

/* --- pairs ------------------------------------------------------------------------------------------------ */

/* Nested owners must also have the same name: a tree need not contain it, so two owners may have equal trees. */
static bool is_called_alike(const struct matcher *m, const struct trod_construct *a,
    const struct trod_construct *b)
{
    if (a->level < TROD_LEVEL_FUNCTION && a->parent != 0)
        return true;
    if (a->symbol == TROD_NO_CONSTRUCT || b->symbol == TROD_NO_CONSTRUCT)
        return a->symbol == b->symbol;
    return a->symbol == m->symbol_of_new[b->symbol];
}

/* Compare construct by construct: hashes may collide, and a text form may contain anything. */
static bool is_whole(const struct matcher *m, uint32_t old, uint32_t new)
{
    const struct trod_construct *a = &m->old->construct[old];
    const struct trod_construct *b = &m->later->construct[new];
    uint32_t count = a->next - old;

    if (a->tree != b->tree || count != b->next - new)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = m->out->new_of_old[old + i], from = m->out->old_of_new[new + i];

        if (a[i].tree != b[i].tree || a[i].level != b[i].level ||
            a[i].next - old != b[i].next - new || a[i].own != b[i].own ||
            (i && !is_called_alike(m, &a[i], &b[i])) ||
            (to == TROD_NO_CONSTRUCT ? from != TROD_NO_CONSTRUCT : to != new + i))
            return false;
    }
    return true;
}

static void map(struct matcher *m, uint32_t old, uint32_t new)
{
    m->out->new_of_old[old] = new;
    m->out->old_of_new[new] = old;
}

bool trod_match_whole(struct matcher *m, uint32_t old, uint32_t new)
{
    uint32_t count = m->old->construct[old].next - old;

    if (!is_whole(m, old, new))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        map(m, old + i, new + i);
        trod_add(m->out->same_of_old, old + i);
        trod_add(m->out->same_of_new, new + i);
    }
    return true;
}

bool trod_match_pair(struct matcher *m, uint32_t old, uint32_t new)
{
    if (trod_match_whole(m, old, new))
        return true;
    map(m, old, new);
    return false;
}

/* --- keys ------------------------------------------------------------------------------------------------- */

TROD_ORDER(by_key, struct match_key, TROD_UP(key), TROD_UP(construct))

static uint32_t run_of(const struct match_key *key, uint32_t at, uint32_t count)
{
    uint32_t end = at;

    while (end < count && key[end].key == key[at].key)
        end++;
    return end - at;
}

void trod_match_keys(struct matcher *m, struct match_key *old, uint32_t nold,
    struct match_key *new, uint32_t nnew, bool is_unique,
    void (*found)(struct matcher *m, uint32_t old, uint32_t new))
{
    uint32_t i = 0, k = 0;

    if (!nold || !nnew)
        return;
    trod_sort(old, nold, by_key);
    trod_sort(new, nnew, by_key);
    while (i < nold && k < nnew) {
        uint32_t n = run_of(old, i, nold), o = run_of(new, k, nnew);

        if (old[i].key < new[k].key) {
            i += n;
        } else if (old[i].key > new[k].key) {
            k += o;
        } else {
            if (!is_unique || (n == 1 && o == 1))
                for (uint32_t j = 0; j < n && j < o; j++)
                    found(m, old[i + j].construct, new[k + j].construct);
            i += n;
            k += o;
        }
    }
}

/* --- owners ----------------------------------------------------------------------------------------------- */

/* What two owners must have in common to be mapped, the most reliable first. */
enum common {
    PLACE_AND_TREE, /* name, file and content */
    PLACE,
    NAME_AND_TREE,
    NAME,
    TREE,
    MEANING,
    COMMONS
};

/* Larger than any number that a version assigns. */
enum { FOREIGN = 1u << 31 };

struct side {
    const struct trod_constructs *of;
    const uint32_t *mapped; /* [nconstruct] counterpart in the other version */
    const uint32_t *kind, *symbol,
        *file; /* to numbers that both versions share; NULL: no translation needed */
};

static struct side old_side(const struct matcher *m)
{
    return (struct side){
        .of = m->old, .mapped = m->out->new_of_old, .file = m->file_of_old};
}

static struct side new_side(const struct matcher *m)
{
    return (struct side){.of = m->later,
        .mapped = m->out->old_of_new,
        .kind = m->kind_of_new,
        .symbol = m->symbol_of_new};
}

static uint32_t shared(const uint32_t *number, uint32_t own)
{
    return number && own != TROD_NO_CONSTRUCT ? number[own] : own;
}

static bool is_owner(const struct trod_construct *c)
{
    return c->level >= TROD_LEVEL_FUNCTION || c->parent == 0;
}

static bool has_name(const struct trod_construct *c)
{
    return c->symbol != TROD_NO_CONSTRUCT;
}

/* Returns false if the construct does not have such a key. */
static bool key_of(
    uint64_t *out, const struct side *s, uint32_t number, enum common common)
{
    const struct trod_construct *c = &s->of->construct[number];
    uint32_t symbol = shared(s->symbol, c->symbol), file = shared(s->file, c->file);
    uint64_t key = trod_mix(c->level, shared(s->kind, c->kind));

    switch (common) {
    case PLACE_AND_TREE:
        *out = trod_mix(trod_mix(trod_mix(key, symbol), file), c->tree);
        return true;
    case PLACE:
        *out = trod_mix(trod_mix(key, symbol), file);
        return has_name(c);
    case NAME_AND_TREE:
        *out = trod_mix(trod_mix(key, symbol), c->tree);
        return has_name(c);
    case NAME:
        *out = trod_mix(key, symbol);
        return has_name(c);
    case TREE:
        *out = trod_mix(key, c->tree);
        return true;
    case MEANING:
        *out = trod_mix(key, c->meaning);
        return c->meaning != 0;
    case COMMONS:
        break;
    }
    return false;
}

/* List the keys of owners that are not mapped; with wants_file, only those in these files. */
static uint32_t list_keys(struct match_key *out, const struct side *s,
    enum common common, bool is_top, const bool *wants_file)
{
    uint32_t n = 0, c = 1;

    while (c < s->of->nconstruct) {
        const struct trod_construct *it = &s->of->construct[c];

        if (is_owner(it) && s->mapped[c] == TROD_NO_CONSTRUCT &&
            (!wants_file || wants_file[it->file]) && key_of(&out[n].key, s, c, common))
            out[n++].construct = c;
        c = is_top ? it->next : c + 1;
    }
    return n;
}

static void match_common(struct matcher *m, enum common common, bool is_top,
    const bool *old_file, const bool *new_file,
    void (*found)(struct matcher *m, uint32_t old, uint32_t new))
{
    struct trod_mark mark = trod_arena_mark(m->mem);
    struct match_key *old = trod_new(m->mem, struct match_key, m->old->nconstruct);
    struct match_key *new = trod_new(m->mem, struct match_key, m->later->nconstruct);
    struct side a = old_side(m), b = new_side(m);
    uint32_t nold = list_keys(old, &a, common, is_top, old_file);
    uint32_t nnew = list_keys(new, &b, common, is_top, new_file);

    trod_match_keys(
        m, old, nold, new, nnew, common != PLACE_AND_TREE && common != PLACE, found);
    trod_arena_rewind(m->mem, mark);
}

static void map_owners(struct matcher *m, uint32_t old, uint32_t new)
{
    /* They may have been mapped together with an outer owner. */
    if (m->out->new_of_old[old] == TROD_NO_CONSTRUCT &&
        m->out->old_of_new[new] == TROD_NO_CONSTRUCT)
        trod_match_pair(m, old, new);
}

/* --- files ------------------------------------------------------------------------------------------------- */

static uint32_t *shared_numbers(const struct trod_names *own,
    const struct trod_names *other, struct trod_arena *mem)
{
    uint32_t *number = trod_new(mem, uint32_t, own->count);

    for (uint32_t i = 0; i < own->count; i++) {
        number[i] = trod_names_find(other, own->name[i]);
        if (number[i] == UINT32_MAX)
            number[i] = FOREIGN + i;
    }
    return number;
}

/* How many constructs of an old file are in a new one. */
struct vote {
    uint32_t old, later, count;
};

TROD_ORDER(by_files, struct vote, TROD_UP(old), TROD_UP(later))

TROD_ORDER(by_count, struct vote, TROD_DOWN(count), by_files(a, b))

/* The callback of trod_match_keys() receives a matcher: it is embedded here to reach the votes. */
struct voter {
    struct matcher m; /* must be first: the callback casts it back */
    struct vote *vote;
    uint32_t nvote, room;
};

static void vote_for(struct matcher *m, uint32_t old, uint32_t new)
{
    struct voter *v = (struct voter *)m;

    trod_push(m->mem, v->vote, v->nvote, v->room,
        (struct vote){m->old->construct[old].file, m->later->construct[new].file, 1});
}

static uint32_t count_votes(struct vote *vote, uint32_t count)
{
    uint32_t n = 0;

    trod_sort(vote, count, by_files);
    for (uint32_t i = 0; i < count; i++) {
        if (n && by_files(&vote[n - 1], &vote[i]) == 0)
            vote[n - 1].count++;
        else
            vote[n++] = vote[i];
    }
    trod_sort(vote, n, by_count);
    return n;
}

/* A deleted file is mapped to the added file that has most of its constructs, by name or by tree. */
static void find_files(struct matcher *m)
{
    bool *is_gone = trod_new(m->mem, bool, m->old->files.count);
    bool *is_new = trod_new(m->mem, bool, m->later->files.count);
    struct voter v = {.m = *m};

    for (uint32_t f = 0; f < m->later->files.count; f++)
        is_new[f] = true;
    for (uint32_t f = 0; f < m->old->files.count; f++) {
        is_gone[f] = m->file_of_old[f] >= FOREIGN;
        if (!is_gone[f])
            is_new[m->file_of_old[f]] = false;
    }
    /* Allocated before match_common(), which rewinds the arena. */
    v.room = m->old->nconstruct * 2;
    v.vote = trod_new(m->mem, struct vote, v.room);
    match_common(&v.m, NAME, true, is_gone, is_new, vote_for);
    match_common(&v.m, TREE, true, is_gone, is_new, vote_for);
    if (!v.nvote)
        return;
    v.nvote = count_votes(v.vote, v.nvote);
    for (uint32_t i = 0; i < v.nvote; i++) {
        if (!is_gone[v.vote[i].old] || !is_new[v.vote[i].later])
            continue;
        m->file_of_old[v.vote[i].old] = v.vote[i].later;
        is_gone[v.vote[i].old] = is_new[v.vote[i].later] = false;
    }
}

void trod_match_owners(struct matcher *m)
{
    m->kind_of_new = shared_numbers(&m->later->kinds, &m->old->kinds, m->mem);
    m->symbol_of_new = shared_numbers(&m->later->symbols, &m->old->symbols, m->mem);
    m->file_of_old = shared_numbers(&m->old->files, &m->later->files, m->mem);
    find_files(m);
    trod_match_pair(m, 0, 0);
    /* File scope first, so that whole constructs are mapped as a unit. */
    match_common(m, PLACE_AND_TREE, true, NULL, NULL, map_owners);
    match_common(m, PLACE, true, NULL, NULL, map_owners);
    for (enum common c = PLACE_AND_TREE; c < COMMONS; c++)
        match_common(m, c, false, NULL, NULL, map_owners);
    trod_match_renamed(m);
}
