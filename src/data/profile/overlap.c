#include "profile/overlap.h"
#include "base/order.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

/* --- one of the two profiles --------------------------------------------------------------- */

/* Counts of all members; 0 for those that are missing or dropped. Their sum must fit into 64 bits,
 * so that products of a count and the other side's sum, and sums of these, fit into 128. If counts
 * add up to more, all are divided by a power of 2.
 */
struct side {
    uint64_t *count;
    uint64_t total;
};

static uint64_t count_of(const struct trod_overlap_member *member, bool in_b)
{
    return in_b ? member->b : member->a;
}

static wide sum_of(const struct trod_overlap_member *member, size_t n, bool in_b)
{
    wide sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += count_of(&member[i], in_b);
    return sum;
}

static void take_side(struct side *out, const struct trod_overlap_member *member,
    size_t n, bool in_b, struct trod_arena *mem)
{
    unsigned shift = trod_bit_width((uint64_t)(sum_of(member, n, in_b) >> 64));

    *out = (struct side){.count = trod_new(mem, uint64_t, n)};
    for (size_t i = 0; i < n; i++) {
        out->count[i] = count_of(&member[i], in_b) >> shift;
        out->total += out->count[i];
    }
}

/* --- the sum of smaller shares --------------------------------------------------------------- */

/* a / A and b / B are compared as a * B and b * A; the sum of the smaller ones is at most A * B. */
static double overlap_of(const struct side *a, const struct side *b, size_t n)
{
    wide sum = 0, whole = (wide)a->total * b->total;

    for (size_t i = 0; i < n; i++) {
        wide x = (wide)a->count[i] * b->total, y = (wide)b->count[i] * a->total;

        sum += x < y ? x : y;
    }
    return whole ? (double)sum / (double)whole : 0;
}

static void count_members(struct trod_overlap_part *out,
    const struct trod_overlap_member *member, const bool *in_a, const bool *in_b,
    size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool a = in_a ? in_a[i] : member[i].a != 0;
        bool b = in_b ? in_b[i] : member[i].b != 0;

        out->na += a;
        out->nb += b;
        out->nboth += a && b;
    }
}

/* --- the top ----------------------------------------------------------------------------------- */

struct ranked {
    wide key;
    size_t member;
};

TROD_ORDER(highest_first, struct ranked, TROD_DOWN(key), TROD_UP(member))

static void sort(struct ranked *ranked, size_t n)
{
    trod_sort(ranked, n, highest_first);
}

/* Drop all but the hottest members that make up the requested part; returns which are kept. */
static bool *keep_top(
    struct side *side, size_t n, uint32_t top_of, struct trod_arena *mem)
{
    struct ranked *ranked = trod_new(mem, struct ranked, n);
    bool *kept = trod_new(mem, bool, n);
    wide need = (wide)side->total * top_of;
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        ranked[i] = (struct ranked){side->count[i], i};
    sort(ranked, n);
    for (size_t i = 0; i < n; i++) {
        size_t m = ranked[i].member;

        kept[m] = side->count[m] && (wide)sum * TROD_OVERLAP_WHOLE < need;
        if (kept[m])
            sum += side->count[m];
        else
            side->count[m] = 0;
    }
    side->total = sum;
    return kept;
}

/* --- largest differences ------------------------------------------------------------------------ */

static void list_apart(struct trod_overlap *out, const struct side *a,
    const struct side *b, struct trod_arena *mem)
{
    struct ranked *ranked = trod_new(mem, struct ranked, out->nmember);
    size_t *apart = trod_new(mem, size_t, out->nmember);

    /* If one side is empty, only the shares of the other count. */
    for (size_t i = 0; i < out->nmember; i++) {
        wide x = (wide)a->count[i] * (b->total ? b->total : 1);
        wide y = (wide)b->count[i] * (a->total ? a->total : 1);

        if (x != y)
            ranked[out->napart++] = (struct ranked){x > y ? x - y : y - x, i};
    }
    sort(ranked, out->napart);
    for (size_t i = 0; i < out->napart; i++)
        apart[i] = ranked[i].member;
    out->apart = apart;
}

void trod_overlap_build(struct trod_overlap *out,
    const struct trod_overlap_member *member, size_t n, uint32_t top_of,
    struct trod_arena *mem)
{
    bool *top_a, *top_b;
    struct side a, b;

    *out = (struct trod_overlap){.nmember = n,
        .member = member,
        .total_a = (double)sum_of(member, n, false),
        .total_b = (double)sum_of(member, n, true),
        .top_of = top_of ? top_of : TROD_OVERLAP_TOP};
    assert(out->top_of <= TROD_OVERLAP_WHOLE);
    take_side(&a, member, n, false, mem);
    take_side(&b, member, n, true, mem);
    out->all.overlap = overlap_of(&a, &b, n);
    count_members(&out->all, member, NULL, NULL, n);
    list_apart(out, &a, &b, mem);
    top_a = keep_top(&a, n, out->top_of, mem);
    top_b = keep_top(&b, n, out->top_of, mem);
    out->top.overlap = overlap_of(&a, &b, n);
    count_members(&out->top, member, top_a, top_b, n);
}

double trod_overlap_share(const struct trod_overlap *overlap, size_t member, bool in_b)
{
    double total = in_b ? overlap->total_b : overlap->total_a;

    return total > 0 ? (double)count_of(&overlap->member[member], in_b) / total : 0;
}

/* --- paths --------------------------------------------------------------------------------------- */

/* Properties of a path in profile A or B. */
struct about {
    const char *module; /* NULL: the profile does not have the function */
    bool ran;
};

static struct about about(const struct trod_profile_diff *diff, bool in_b)
{
    struct about out = {0};

    for (size_t i = 0; i < diff->nfunction; i++) {
        const struct trod_diff_function *f = &diff->function[i];

        if (!out.module && (in_b ? f->in_b : f->in_a))
            out.module = f->module;
        out.ran |= (in_b ? f->b : f->a) != 0;
    }
    return out;
}

static bool have_common(const struct trod_profile_diff *diff)
{
    for (size_t i = 0; i < diff->nfunction; i++)
        if (diff->function[i].in_a && diff->function[i].in_b)
            return true;
    return false;
}

bool trod_overlap_check(const struct trod_profile_diff *diff, struct trod_err *err)
{
    struct about a = about(diff, false), b = about(diff, true);

    if (!a.module || !b.module)
        return trod_fail(err, TROD_E_MISMATCH,
            "the %s profile has no comparable function; 'trod check' prints its contents",
            a.module ? "second" : "first");
    if (!have_common(diff))
        return trod_fail(err, TROD_E_MISMATCH,
            "no function of '%s' is also in '%s' with the same name, graph and cuts; compare "
            "profiles of one program, built from the same source with the same options",
            a.module, b.module);
    if (!a.ran || !b.ran)
        return trod_fail(err, TROD_E_MISMATCH,
            "in the %s profile, of '%s', no path ran that both profiles count, so there are no "
            "shares; compare profiles of programs that ran",
            a.ran ? "second" : "first", a.ran ? b.module : a.module);
    return true;
}

bool trod_profile_overlap(struct trod_overlap *out, const struct trod_profile *a,
    const struct trod_profile *b, uint32_t top_of, struct trod_arena *mem,
    struct trod_err *err)
{
    struct trod_overlap_member *member;
    struct trod_profile_diff diff;
    size_t n = 0;

    if (!trod_profile_diff(&diff, a, b, mem, err) || !trod_overlap_check(&diff, err))
        return false;
    for (size_t i = 0; i < diff.nfunction; i++)
        n += diff.function[i].npath;
    member = trod_new(mem, struct trod_overlap_member, n);
    n = 0;
    for (size_t i = 0; i < diff.nfunction; i++)
        for (size_t k = 0; k < diff.function[i].npath; k++)
            member[n++] = (struct trod_overlap_member){
                diff.function[i].path[k].a, diff.function[i].path[k].b};
    trod_overlap_build(out, member, n, top_of, mem);
    return true;
}
