#include "change/change_matcher.h"
#include "base/order.h"

#include <inttypes.h>

/* --- shared predicates -------------------------------------------------------------------------------------- */

static bool is_owner(const struct trod_construct *c)
{
    return c->level >= TROD_LEVEL_FUNCTION || c->parent == 0;
}

uint32_t trod_change_owner(const struct trod_constructs *of, uint32_t construct)
{
    while (!is_owner(&of->construct[construct]))
        construct = of->construct[construct].parent;
    return construct;
}

bool trod_change_is_meant(const struct trod_changes *of, uint32_t old)
{
    uint32_t new = of->new_of_old[old];

    return of->old->construct[old].level == TROD_LEVEL_FUNCTION &&
           new != TROD_NO_CONSTRUCT && of->old->construct[old].meaning &&
           of->old->construct[old].meaning == of->later->construct[new].meaning;
}

/* Do both have the same members, each unchanged, and fields in the same order? */
bool trod_change_is_made_of_same(const struct trod_changes *of, uint32_t old)
{
    uint32_t new = of->new_of_old[old], n = 0, before = 0;

    if (of->old->construct[old].level < TROD_LEVEL_CLASS ||
        of->old->construct[old].own != of->later->construct[new].own)
        return false;
    for (uint32_t c = old + 1; c < of->old->construct[old].next;
        c = of->old->construct[c].next) {
        uint32_t to = of->new_of_old[c];

        if (to == TROD_NO_CONSTRUCT || of->later->construct[to].parent != new ||
            !trod_has(of->same_of_old, c))
            return false;
        if (old && of->old->construct[c].level < TROD_LEVEL_FUNCTION) {
            if (to < before)
                return false;
            before = to;
        }
        n++;
    }
    for (uint32_t c = new + 1; c < of->later->construct[new].next;
        c = of->later->construct[c].next)
        n--;
    return n == 0 && (!old || of->old->construct[old].next > old + 1);
}

void trod_change_rank(uint64_t *group, uint64_t *place, const struct trod_changes *of,
    const struct trod_change *change)
{
    uint32_t owner;

    if (change->old != TROD_NO_CONSTRUCT) {
        *group = trod_change_owner(of->old, change->old);
        *place = change->old;
        return;
    }
    owner = trod_change_owner(of->later, change->later);
    *group = of->old_of_new[owner] != TROD_NO_CONSTRUCT
                 ? of->old_of_new[owner]
                 : (uint64_t)of->old->nconstruct + owner;
    *place = (uint64_t)of->old->nconstruct + change->later;
}

/* --- map ---------------------------------------------------------------------------------------------------- */

static bool wrong(
    const char *version, uint32_t construct, const char *fault, struct trod_err *err)
{
    return trod_fail(err, TROD_E_INTERNAL,
        "changes, construct %" PRIu32 " of the %s: %s", construct, version, fault);
}

static const char *fault_of_pair(const struct trod_changes *of, uint32_t old)
{
    uint32_t new = of->new_of_old[old];
    const struct trod_construct *a = &of->old->construct[old], *b;

    if (new >= of->later->nconstruct || of->old_of_new[new] != old)
        return "what it is mapped to is not mapped to it";
    b = &of->later->construct[new];
    if (a->level != b->level || (old == 0) != (new == 0))
        return "it is mapped to something of another level";
    if (old == 0)
        return NULL;
    if (is_owner(a) != is_owner(b) ||
        (!is_owner(a) && of->new_of_old[trod_change_owner(of->old, old)] !=
                             trod_change_owner(of->later, new)))
        return "it is mapped out of its function";
    return NULL;
}

static bool check_map(const struct trod_changes *of, struct trod_err *err)
{
    const char *fault;

    if (of->new_of_old[0] != 0)
        return wrong("old", 0, "the program is not mapped to the program", err);
    for (uint32_t c = 0; c < of->old->nconstruct; c++) {
        fault = of->new_of_old[c] == TROD_NO_CONSTRUCT ? NULL : fault_of_pair(of, c);
        if (fault)
            return wrong("old", c, fault, err);
    }
    for (uint32_t c = 0; c < of->later->nconstruct; c++) {
        uint32_t old = of->old_of_new[c];

        if (old != TROD_NO_CONSTRUCT &&
            (old >= of->old->nconstruct || of->new_of_old[old] != c))
            return wrong("new", c, "what it is mapped to is not mapped to it", err);
    }
    return true;
}

/* --- same --------------------------------------------------------------------------------------------------- */

static bool is_quiet_old(const struct trod_changes *of, uint32_t old)
{
    uint32_t owner = trod_change_owner(of->old, old);

    return owner != old && trod_change_is_meant(of, owner);
}

static bool is_quiet_new(const struct trod_changes *of, uint32_t new)
{
    uint32_t owner = trod_change_owner(of->later, new);
    uint32_t from = of->old_of_new[owner];

    return owner != new && from != TROD_NO_CONSTRUCT &&trod_change_is_meant(of, from);
}

/* Compare the children by position. Their own descendants are checked when it is their turn. */
static bool is_same_by_tree(const struct trod_changes *of, uint32_t old)
{
    uint32_t new = of->new_of_old[old];
    const struct trod_construct *a = &of->old->construct[old];
    const struct trod_construct *b = &of->later->construct[new];

    if (a->tree != b->tree || a->next - old != b->next - new)
        return false;
    for (uint32_t c = old + 1; c < a->next; c = of->old->construct[c].next)
        if (of->new_of_old[c] != new + (c - old) || !trod_has(of->same_of_old, c))
            return false;
    return true;
}

static bool check_same(const struct trod_changes *of, struct trod_err *err)
{
    for (uint32_t c = of->old->nconstruct; c-- > 0;) {
        uint32_t new = of->new_of_old[c];

        if (!trod_has(of->same_of_old, c))
            continue;
        if (new == TROD_NO_CONSTRUCT || !trod_has(of->same_of_new, new))
            return wrong("old", c, "it is the same as nothing", err);
        if (!is_same_by_tree(of, c) && !trod_change_is_meant(of, c) &&
            !is_quiet_old(of, c) && !trod_change_is_made_of_same(of, c))
            return wrong(
                "old", c, "it is the same, though something below is not", err);
    }
    for (uint32_t c = 0; c < of->later->nconstruct; c++) {
        uint32_t old = of->old_of_new[c];

        if (trod_has(of->same_of_new, c) &&
            (old == TROD_NO_CONSTRUCT || !trod_has(of->same_of_old, old)))
            return wrong("new", c, "it is the same as nothing", err);
    }
    return true;
}

/* --- changes ------------------------------------------------------------------------------------------------- */

static int compare(const struct trod_changes *of, const struct trod_change *a,
    const struct trod_change *b)
{
    uint64_t group[2], place[2];

    trod_change_rank(&group[0], &place[0], of, a);
    trod_change_rank(&group[1], &place[1], of, b);
    if (group[0] != group[1])
        return group[0] < group[1] ? -1 : 1;
    if (place[0] != place[1])
        return place[0] < place[1] ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

/* Changes are sorted: binary search. */
static bool has_change(const struct trod_changes *of, enum trod_change_kind kind,
    uint32_t old, uint32_t new)
{
    struct trod_change wanted = {.kind = kind, .old = old, .later = new};
    uint32_t low = TROD_LOWER_BOUND(
        middle, 0, of->nchange, compare(of, &of->change[middle], &wanted) < 0);

    return low < of->nchange && compare(of, &of->change[low], &wanted) == 0;
}

static const char *fault_of_change(
    const struct trod_changes *of, const struct trod_change *c)
{
    bool is_old = c->old < of->old->nconstruct,
         is_new = c->later < of->later->nconstruct;

    switch (c->kind) {
    case TROD_CHANGE_ADDED:
        if (c->old == TROD_NO_CONSTRUCT && is_new && c->later &&
            of->old_of_new[c->later] == TROD_NO_CONSTRUCT)
            return NULL;
        return "something was added that is in the old program, or in none";
    case TROD_CHANGE_DELETED:
        if (c->later == TROD_NO_CONSTRUCT && is_old && c->old &&
            of->new_of_old[c->old] == TROD_NO_CONSTRUCT)
            return NULL;
        return "something was deleted that is in the new program, or in none";
    case TROD_CHANGE_EDITED:
        if (is_old && is_new && c->old && of->new_of_old[c->old] == c->later)
            return trod_has(of->same_of_old, c->old)
                       ? "something was edited that is the same"
                       : NULL;
        return "something was edited that is not in both programs";
    case TROD_CHANGE_MOVED:
        if (is_old && is_new && c->old && of->new_of_old[c->old] == c->later)
            return is_owner(&of->old->construct[c->old])
                       ? "something at file scope moved, which is not a change"
                       : NULL;
        return "something moved that is not in both programs";
    }
    return "a change is of no kind";
}

static bool check_changes(const struct trod_changes *of, struct trod_err *err)
{
    for (uint32_t i = 0; i < of->nchange; i++) {
        const char *fault = fault_of_change(of, &of->change[i]);

        if (!fault && i && compare(of, &of->change[i - 1], &of->change[i]) >= 0)
            fault = "it is not in order, or there twice";
        if (fault)
            return trod_fail(
                err, TROD_E_INTERNAL, "changes, change %" PRIu32 ": %s", i + 1, fault);
    }
    return !of->nchange || !trod_has(of->same_of_old, 0) ||
           trod_fail(err, TROD_E_INTERNAL,
               "changes: the programs are the same, though there are changes");
}

static const char *fault_of_old(const struct trod_changes *of, uint32_t old)
{
    uint32_t new = of->new_of_old[old], above = of->old->construct[old].parent;

    if (is_quiet_old(of, old))
        return NULL;
    if (new == TROD_NO_CONSTRUCT)
        return (of->new_of_old[above] == TROD_NO_CONSTRUCT &&
                   !is_quiet_old(of, above)) ||
                       has_change(of, TROD_CHANGE_DELETED, old, new)
                   ? NULL
                   : "it is gone, and no change says so";
    if (!trod_has(of->same_of_old, old) &&
        of->old->construct[old].own != of->later->construct[new].own &&
        !has_change(of, TROD_CHANGE_EDITED, old, new))
        return "it differs, and no change says so";
    if (!is_owner(&of->old->construct[old]) &&
        of->new_of_old[above] != of->later->construct[new].parent &&
        !has_change(of, TROD_CHANGE_MOVED, old, new))
        return "it is in something else, and no change says so";
    return NULL;
}

static bool check_explained(const struct trod_changes *of, struct trod_err *err)
{
    for (uint32_t c = 1; c < of->old->nconstruct; c++) {
        const char *fault = fault_of_old(of, c);

        if (fault)
            return wrong("old", c, fault, err);
    }
    for (uint32_t c = 1; c < of->later->nconstruct; c++) {
        uint32_t above = of->later->construct[c].parent;

        if (of->old_of_new[c] == TROD_NO_CONSTRUCT && !is_quiet_new(of, c) &&
            (of->old_of_new[above] != TROD_NO_CONSTRUCT || is_quiet_new(of, above)) &&
            !has_change(of, TROD_CHANGE_ADDED, TROD_NO_CONSTRUCT, c))
            return wrong("new", c, "it is new, and no change says so", err);
    }
    return true;
}

bool trod_changes_check(const struct trod_changes *of, struct trod_err *err)
{
    if (!(of->significance >= 0))
        return trod_fail(err, TROD_E_INTERNAL, "changes: significance is below 0");
    return check_map(of, err) && check_same(of, err) && check_changes(of, err) &&
           check_explained(of, err);
}
