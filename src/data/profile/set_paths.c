#include "profile/set_builder.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* A count of a path in one profile, at one place (a function of a module). */
struct item {
    uint64_t id, count;
    uint32_t profile, place;
    bool kept;
};

/* The counts of a path in one profile. */
struct share {
    uint64_t sum;
    struct item *item;
    size_t nitem;
};

/* --- one path --------------------------------------------------------------------------------- */

/* Compare the counts of a path in two profiles: by sum, then by place. The order does not depend on
 * other profiles: combining all at once or in several steps gives the same result, even for equal sums.
 */
static int compare_shares(const struct share *a, const struct share *b)
{
    int by = trod_compare(a->sum, b->sum);

    for (size_t i = 0; !by && i < a->nitem && i < b->nitem; i++) {
        by = trod_compare(a->item[i].place, b->item[i].place);
        by = by ? by : trod_compare(a->item[i].count, b->item[i].count);
    }
    return by ? by : trod_compare(a->nitem, b->nitem);
}

static void keep(struct share *share)
{
    for (size_t i = 0; i < share->nitem; i++)
        share->item[i].kept = true;
}

/* Would a profile have a count of the path if it had run there? Also true if the profile does not
 * have the function. */
static bool is_counted(
    const struct owner *owner, size_t nowner, uint32_t profile, uint64_t id)
{
    bool there = false;

    for (size_t i = 0; i < nowner; i++) {
        if (owner[i].profile != profile)
            continue;
        if (id >= owner[i].function->npath ||
            trod_profile_is_counted(owner[i].function, id))
            return true;
        there = true;
    }
    return !there;
}

/* Is there a profile that lacks the path only because it does not count it? */
static bool any_unknown(
    const struct set_builder *c, const struct owner *owner, size_t nowner, uint64_t id)
{
    for (uint32_t i = 0; i < c->nprofile; i++)
        if (!c->share[i].sum && !is_counted(owner, nowner, i, id))
            return true;
    return false;
}

static void put_union(struct set_builder *c)
{
    struct share *most = &c->share[0];

    for (uint32_t i = 1; i < c->nprofile; i++)
        if (compare_shares(&c->share[i], most) > 0)
            most = &c->share[i];
    keep(most);
}

static void put_intersection(
    struct set_builder *c, const struct owner *owner, size_t nowner, uint64_t id)
{
    struct share *least = &c->share[0];
    bool missing = false;

    for (uint32_t i = 0; i < c->nprofile; i++) {
        if (compare_shares(&c->share[i], least) < 0)
            least = &c->share[i];
        missing = missing || (!c->share[i].sum && is_counted(owner, nowner, i, id));
    }
    if (least->sum)
        keep(least);
    else if (!missing)
        c->out->nunknown++;
}

static void put_difference(
    struct set_builder *c, const struct owner *owner, size_t nowner, uint64_t id)
{
    if (!c->share[0].sum)
        return;
    for (uint32_t i = 1; i < c->nprofile; i++)
        if (c->share[i].sum)
            return;
    if (any_unknown(c, owner, nowner, id))
        c->out->nunknown++;
    else
        keep(&c->share[0]);
}

/* If a profile has a path at several places, the remainder goes to the first. */
static void put_rest(
    struct set_builder *c, const struct owner *owner, size_t nowner, uint64_t id)
{
    uint64_t less = 0, left;

    if (!c->share[0].sum)
        return;
    if (any_unknown(c, owner, nowner, id)) {
        c->out->nunknown++;
        return;
    }
    for (uint32_t i = 1; i < c->nprofile; i++)
        less = trod_sat_add(less, c->share[i].sum);
    c->stopped |= less && (less == UINT64_MAX || c->share[0].sum == UINT64_MAX);
    left = c->share[0].sum > less ? c->share[0].sum - less : 0;
    for (size_t i = 0; i < c->share[0].nitem; i++) {
        struct item *item = &c->share[0].item[i];

        item->count = left < item->count ? left : item->count;
        item->kept = item->count > 0;
        left -= item->count;
    }
}

static void put_path(struct set_builder *c, struct item *item, size_t n,
    const struct owner *owner, size_t nowner)
{
    memset(c->share, 0, c->nprofile * sizeof *c->share);
    for (size_t i = 0; i < n; i++) {
        struct share *share = &c->share[item[i].profile];

        if (!share->nitem++)
            share->item = &item[i];
        share->sum = trod_sat_add(share->sum, item[i].count);
    }
    switch (c->kind) {
    case TROD_SET_UNION:
        put_union(c);
        break;
    case TROD_SET_INTERSECT:
        put_intersection(c, owner, nowner, item->id);
        break;
    case TROD_SET_SUBTRACT:
        put_difference(c, owner, nowner, item->id);
        break;
    case TROD_SET_SUBTRACT_COUNTS:
        put_rest(c, owner, nowner, item->id);
        break;
    }
}

/* --- one function -------------------------------------------------------------------------------- */

TROD_ORDER(by_path, struct item, TROD_UP(id), TROD_UP(profile), TROD_UP(place))

TROD_ORDER(by_tally, struct item, TROD_DOWN(kept), TROD_UP(place), TROD_UP(id))

static struct item *list_items(
    size_t *count, const struct place *place, size_t nplace, struct trod_arena *mem)
{
    struct item *item;
    size_t n = 0;

    for (size_t i = 0; i < nplace; i++)
        for (size_t t = 0; t < place[i].ntally; t++)
            n += place[i].tally[t].npath;
    item = trod_new(mem, struct item, n);
    *count = n;
    n = 0;
    for (size_t i = 0; i < nplace; i++)
        for (size_t t = 0; t < place[i].ntally; t++) {
            const struct trod_profile_tally *tally = &place[i].tally[t];

            for (size_t k = 0; k < tally->npath; k++)
                item[n++] = (struct item){.id = tally->path[k].id,
                    .count = tally->path[k].count,
                    .profile = tally->group,
                    .place = (uint32_t)i};
        }
    trod_sort(item, n, by_path);
    return item;
}

/* needs:  items of one place, by id, all kept */
static void add_tally(
    struct set_builder *c, const struct place *place, const struct item *item, size_t n)
{
    struct trod_profile_path *path = trod_new(c->mem, struct trod_profile_path, n);
    struct trod_profile_tally tally = {
        .module = place->module, .function = place->number, .npath = n, .path = path};

    for (size_t i = 0; i < n; i++)
        path[i] = (struct trod_profile_path){item[i].id, item[i].count};
    trod_profile_add_tally(&c->builder, &tally);
}

/* needs:  all places and all owners of one function */
static void put_function(struct set_builder *c, const struct place *place,
    size_t nplace, const struct owner *owner, size_t nowner)
{
    size_t n;
    struct item *item = list_items(&n, place, nplace, c->mem);

    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && item[j].id == item[i].id; j++)
            ;
        put_path(c, &item[i], j - i, owner, nowner);
    }
    trod_sort(item, n, by_tally);
    for (size_t i = 0, j; i < n && item[i].kept; i = j) {
        for (j = i + 1; j < n && item[j].kept && item[j].place == item[i].place; j++)
            ;
        add_tally(c, &place[item[i].place], &item[i], j - i);
    }
}

void trod_set_put_functions(struct set_builder *c)
{
    c->share = trod_new(c->mem, struct share, c->nprofile);
    for (size_t i = 0, j, from = 0, to; i < c->nplace; i = j, from = to) {
        const struct trod_profile_function *f = c->place[i].function;

        for (j = i + 1; j < c->nplace; j++)
            if (trod_set_compare_functions(f, c->place[j].function) != 0)
                break;
        for (to = from; to < c->nowner; to++)
            if (trod_set_compare_functions(f, c->owner[to].function) != 0)
                break;
        put_function(c, &c->place[i], j - i, &c->owner[from], to - from);
    }
}

/* --- functions that changed -------------------------------------------------------------------- */

/* Which profiles have one version of a function: a set of profiles. */
struct state {
    const uint64_t *has;
    uint32_t count;
};

TROD_ORDER(by_count, struct state, TROD_UP(count))

/* Is there a profile that has one version but not a second, and another profile for which it is the
 * other way round? Not if, sorted by size, each set is a subset of the next.
 */
static bool is_changed(struct state *state, size_t n, uint32_t nprofile)
{
    trod_sort(state, n, by_count);
    for (size_t i = 1; i < n; i++)
        for (uint32_t p = 0; p < nprofile; p++)
            if (trod_has(state[i - 1].has, p) && !trod_has(state[i].has, p))
                return true;
    return false;
}

static struct state state_of(
    const struct set_builder *c, const struct owner *owner, size_t nowner)
{
    uint64_t *has = trod_new(c->mem, uint64_t, TROD_WORDS(c->nprofile));
    struct state state = {.has = has};

    for (size_t i = 0; i < nowner; i++) {
        state.count += !trod_has(has, owner[i].profile);
        trod_add(has, owner[i].profile);
    }
    return state;
}

/* needs:  owners of functions with one name */
static bool any_changed(
    const struct set_builder *c, const struct owner *owner, size_t nowner)
{
    struct state *state = trod_new(c->mem, struct state, nowner);
    size_t n = 0;

    for (size_t i = 0, j; i < nowner; i = j) {
        for (j = i + 1; j < nowner; j++)
            if (trod_set_compare_functions(owner[i].function, owner[j].function) != 0)
                break;
        state[n++] = state_of(c, &owner[i], j - i);
    }
    return is_changed(state, n, c->nprofile);
}

void trod_set_find_changed(struct set_builder *c)
{
    size_t room = 0;

    for (size_t i = 0, j; i < c->nowner; i = j) {
        const struct trod_profile_function *f = c->owner[i].function;
        struct trod_mark mark = trod_arena_mark(c->mem);
        bool changed;

        for (j = i + 1; j < c->nowner; j++)
            if (c->owner[j].function->name != f->name ||
                trod_profile_is_events(c->owner[j].function) !=
                    trod_profile_is_events(f))
                break;
        changed = any_changed(c, &c->owner[i], j - i);
        trod_arena_rewind(c->mem, mark);
        if (!changed || trod_profile_is_events(f))
            continue;
        trod_push(c->mem, c->out->changed, c->out->nchanged, room, f->name);
    }
}
