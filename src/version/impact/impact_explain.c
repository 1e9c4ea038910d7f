#include "impact/impact.h"

#include <inttypes.h>

enum { NONE = TROD_NO_CONSTRUCT };

/* How the effect passes from one construct to another, by method. */
static const char *const through[TROD_IMPACT_METHODS] = {
    [TROD_IMPACT_HASH] = "in, or holding,",
    [TROD_IMPACT_BA] = "which may run after",
    [TROD_IMPACT_AG] = "in, or holding,",
    [TROD_IMPACT_SL] = "which depends on",
    [TROD_IMPACT_OWN] = "in, or holding,",
};

static const char *const happened[] = {
    [TROD_CHANGE_ADDED] = "was added",
    [TROD_CHANGE_DELETED] = "was deleted",
    [TROD_CHANGE_EDITED] = "was edited",
    [TROD_CHANGE_MOVED] = "was moved",
};

static bool holds(const struct trod_constructs *of, uint32_t a, uint32_t b)
{
    return a <= b && b < of->construct[a].next;
}

static void put_change(
    struct trod_sink *sink, const struct trod_changes *changes, uint32_t i)
{
    const struct trod_change *change = &changes->change[i];

    if (change->old != NONE) {
        trod_construct_describe(sink, changes->old, change->old);
        trod_put(sink, " %s", happened[change->kind]);
        if (change->later != NONE) {
            trod_put(sink, "; it is now ");
            trod_construct_describe(sink, changes->later, change->later);
        }
    } else {
        trod_construct_describe(sink, changes->later, change->later);
        trod_put(sink, " of the new version %s", happened[change->kind]);
    }
    trod_put(sink, "\n");
}

/* Explain a construct that is affected without a change as its reason. */
static void put_reason(struct trod_sink *sink, const struct trod_impact *of,
    const struct trod_changes *changes, uint32_t old)
{
    uint32_t new = changes->new_of_old[old];

    if (new == NONE)
        trod_put(sink, "  it is missing from the new version\n");
    else if (of->chosen == TROD_IMPACT_NONE)
        trod_put(sink, "  with method none, everything is\n");
    else if (of->chosen == TROD_IMPACT_HASH)
        trod_put(sink, "  clang's hash was %016" PRIx64 " and is %016" PRIx64 "%s\n",
            changes->old->construct[old].shape, changes->later->construct[new].shape,
            changes->old->construct[old].shape && changes->later->construct[new].shape
                ? ""
                : "; 0 means unknown");
    else
        trod_put(sink, "  its meaning changed\n");
}

static void put_chain(struct trod_sink *sink, const struct trod_impact *of,
    const struct trod_changes *changes, uint32_t old)
{
    for (uint32_t from; (from = of->from_of_old[old]) != NONE; old = from) {
        const char *word = holds(changes->old, old, from)   ? "holding"
                           : holds(changes->old, from, old) ? "in"
                                                            : through[of->chosen];

        trod_put(sink, "  %s ", word ? word : "because of");
        trod_construct_describe(sink, changes->old, from);
        trod_put(sink, "\n");
    }
    if (of->change_of_old[old] == NONE) {
        put_reason(sink, of, changes, old);
        return;
    }
    trod_put(sink, "  ");
    put_change(sink, changes, of->change_of_old[old]);
}

void trod_impact_explain(struct trod_sink *sink, const struct trod_impact *of,
    const struct trod_changes *changes, uint32_t old)
{
    bool affected = trod_has(of->affected_of_old, old);

    trod_construct_describe(sink, changes->old, old);
    trod_put(sink, affected ? " is affected,\n" : " is not affected\n");
    if (affected)
        put_chain(sink, of, changes, old);
}
