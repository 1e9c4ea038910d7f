#include "profile/overlap.h"
#include "burst/burst.h"
#include "base/order.h"

#include <stdlib.h>

/* A member of profile A or B. */
struct sided {
    struct trod_bursts_member member;
    bool in_b;
};

TROD_ORDER(by_what, struct sided, trod_bursts_compare_members(&a->member, &b->member))

/* A burst may have recorded the end of a loop but none of its iterations; such loops are omitted. */
static size_t list(
    struct sided *out, const struct trod_bursts_member *member, size_t n, bool in_b)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (member[i].count)
            out[kept++] = (struct sided){member[i], in_b};
    return kept;
}

/* Merge members that are in both profiles. */
static size_t join(struct trod_bursts_member *member, struct trod_overlap_member *count,
    struct sided *all, size_t n)
{
    size_t kept = 0;

    trod_sort(all, n, by_what);
    for (size_t i = 0; i < n; i++) {
        if (!i || by_what(&all[i - 1], &all[i]) != 0)
            member[kept++] = all[i].member;
        if (all[i].in_b)
            count[kept - 1].b = all[i].member.count;
        else
            count[kept - 1].a = all[i].member.count;
    }
    return kept;
}

bool trod_bursts_overlap_build(struct trod_bursts_overlap *out,
    const struct trod_bursts *a, const struct trod_bursts *b,
    enum trod_bursts_kind kind, uint32_t top_of, struct trod_arena *mem,
    struct trod_err *err)
{
    const char *word = trod_bursts_kind_name(kind);
    struct trod_bursts_member *of_a, *of_b, *member;
    struct trod_overlap_member *count;
    struct sided *all;
    size_t na, nb, n;

    na = trod_bursts_members(&of_a, a, kind, mem);
    nb = trod_bursts_members(&of_b, b, kind, mem);
    all = trod_new(mem, struct sided, na + nb);
    na = list(all, of_a, na, false);
    nb = list(all + na, of_b, nb, true);
    if (!na || !nb)
        return trod_fail(err, TROD_E_MISMATCH,
            "the %s of the two, of '%s', has no %s, so there are no shares; let the program run "
            "longer, or sample more often",
            na ? "second" : "first", na ? b->name : a->name, word);
    member = trod_new(mem, struct trod_bursts_member, na + nb);
    count = trod_new(mem, struct trod_overlap_member, na + nb);
    n = join(member, count, all, na + nb);
    if (n == na + nb)
        return trod_fail(err, TROD_E_MISMATCH,
            "none of the %s of '%s' is also in '%s'; compare profiles of one program, built from "
            "the same source with the same options, with maps",
            word, a->name, b->name);
    *out = (struct trod_bursts_overlap){.kind = kind, .member = member};
    trod_overlap_build(&out->overlap, count, n, top_of, mem);
    return true;
}

/* --- output ----------------------------------------------------------------------------------- */

static void put_member(struct trod_sink *sink, size_t member, const void *ctx)
{
    const struct trod_bursts_overlap *o = ctx;

    trod_bursts_member_put(sink, &o->member[member]);
}

static void json_member(struct trod_json *json, size_t member, const void *ctx)
{
    const struct trod_bursts_overlap *o = ctx;

    trod_bursts_member_json(json, &o->member[member]);
}

static struct trod_overlap_format format_of(
    const struct trod_bursts_overlap *overlap, size_t most)
{
    static const char *const head[] = {
        [TROD_BURST_OF_METHODS] = "function and file",
        [TROD_BURST_OF_CALLS] = "caller, place and callee",
        [TROD_BURST_OF_PAIRS] = "caller, file and callee",
        [TROD_BURST_OF_LOOPS] = "function, loop and place",
    };

    return (struct trod_overlap_format){.word = trod_bursts_kind_name(overlap->kind),
        .head = head[overlap->kind],
        .most = most,
        .put = put_member,
        .json = json_member,
        .ctx = overlap};
}

void trod_bursts_overlap_print(
    struct trod_sink *sink, const struct trod_bursts_overlap *overlap, size_t most)
{
    struct trod_overlap_format format = format_of(overlap, most);

    trod_overlap_print(sink, &overlap->overlap, &format);
}

void trod_bursts_overlap_json(struct trod_json *json, const char *key,
    const struct trod_bursts_overlap *overlap, size_t most)
{
    struct trod_overlap_format format = format_of(overlap, most);

    trod_json_open(json, key, '{');
    trod_overlap_json(json, &overlap->overlap, &format);
    trod_json_close(json, '}');
}
