#include "profile/overlap.h"
#include "edit/editor.h"
#include "base/order.h"

#include <stdlib.h>

/* --- methods ----------------------------------------------------------------------------------------- */

TROD_ORDER(by_number, uint64_t, trod_compare(*a, *b))

static size_t list_entries(uint64_t **out, const struct trod_editor *e,
    const uint64_t *entry, size_t nentry, struct trod_arena *mem)
{
    size_t count = e->entry.count + nentry;
    uint64_t *all = *out = trod_new(mem, uint64_t, count + 1);

    for (uint32_t i = 0; i < e->entry.count; i++)
        all[i] = e->entry.pair[i].a;
    for (size_t i = 0; i < nentry; i++)
        all[e->entry.count + i] = entry[i];
    trod_sort(all, count, by_number);
    return count;
}

/* The last entry at or before an address; the address itself if there is none. */
static uint64_t method_of(const uint64_t *entry, size_t count, uint64_t pc)
{
    size_t low = TROD_LOWER_BOUND(middle, 0, count, entry[middle] <= pc);

    return low ? entry[low - 1] : pc;
}

/* --- members ----------------------------------------------------------------------------------------- */

TROD_ORDER(by_what, struct trod_edit_member, TROD_UP(a), TROD_UP(b))

TROD_ORDER(
    by_heat, struct trod_edit_member, TROD_DOWN(all), TROD_DOWN(sampled), by_what(a, b))

static size_t join(struct trod_edit_member *member, size_t count)
{
    size_t n = 0;

    trod_sort(member, count, by_what);
    for (size_t i = 0; i < count; i++) {
        if (n && by_what(&member[n - 1], &member[i]) == 0) {
            member[n - 1].sampled += member[i].sampled;
            member[n - 1].all += member[i].all;
        } else {
            member[n++] = member[i];
        }
    }
    trod_sort(member, n, by_heat);
    return n;
}

static void compare(struct trod_edit_profile *out, struct trod_arena *mem)
{
    struct trod_overlap_member *member =
        trod_new(mem, struct trod_overlap_member, out->nmember + 1);

    for (size_t i = 0; i < out->nmember; i++) {
        member[i].a = out->member[i].sampled;
        member[i].b = out->member[i].all;
        out->compared |= member[i].a > 0;
    }
    trod_overlap_build(&out->overlap, member, out->nmember, 0, mem);
}

static void take_members(struct trod_edit_profile *out,
    const struct trod_edit_noted *noted, const uint64_t *entry, size_t nentry,
    struct trod_arena *mem)
{
    struct trod_edit_member *member =
        trod_new(mem, struct trod_edit_member, (size_t)noted->member.count + 1);

    for (uint32_t i = 0; i < noted->member.count; i++) {
        member[i] = (struct trod_edit_member){.a = noted->member.pair[i].a,
            .b = noted->member.pair[i].b,
            .sampled = noted->sampled[i],
            .all = noted->all[i]};
        if (out->notes == TROD_EDIT_METHODS)
            member[i].a = method_of(entry, nentry, member[i].a);
    }
    out->nmember = join(member, noted->member.count);
    out->member = member;
    compare(out, mem);
}

/* --- streams ----------------------------------------------------------------------------------------- */

/* The references of all threads, one thread after another. */
static void gather(struct trod_stream_refs *out, const struct trod_editor *e,
    uint32_t handler, bool all, struct trod_arena *mem)
{
    struct trod_stream_names *names = trod_new(mem, struct trod_stream_names, 1);
    struct trod_stream_ref *ref;
    struct trod_stream_run *run;
    size_t nref = 0, nrun = 0;

    for (size_t i = 0; i < e->nthread; i++) {
        const struct trod_edit_refs *r =
            all ? &e->thread[i]->all[handler] : &e->thread[i]->sampled[handler];

        nref += r->nref;
        nrun += r->nrun;
    }
    ref = trod_new(mem, struct trod_stream_ref, nref + 1);
    run = trod_new(mem, struct trod_stream_run, nrun + 1);
    *names = e->names;
    *out = (struct trod_stream_refs){
        .name = all ? "all" : "sampled", .names = names, .run = run, .ref = ref};
    nref = 0;
    for (size_t i = 0; i < e->nthread; i++) {
        const struct trod_edit_refs *r =
            all ? &e->thread[i]->all[handler] : &e->thread[i]->sampled[handler];

        for (size_t k = 0; k < r->nref; k++)
            ref[nref++] = r->ref[k];
        for (size_t k = 0; k < r->nrun; k++)
            run[out->nrun++] = r->run[k];
    }
}

static void take_streams(struct trod_edit_profile *out, const struct trod_editor *e,
    uint32_t handler, struct trod_arena *mem)
{
    struct trod_stream_options by = {.by = TROD_STREAM_BY_ADDRESS};
    struct trod_stream_overlap overlap;
    struct trod_stream_refs refs;
    struct trod_err none;

    gather(&refs, e, handler, false, mem);
    trod_stream_find(&out->sampled, &refs, &by, mem, mem);
    gather(&refs, e, handler, true, mem);
    trod_stream_find(&out->all, &refs, &by, mem, mem);
    out->compared =
        trod_stream_overlap_build(&overlap, &out->sampled, &out->all, 0, mem, &none);
    out->overlap = overlap.overlap;
}

void trod_editor_result(struct trod_edit_result *out, const struct trod_editor *e,
    const uint64_t *entry, size_t nentry, struct trod_arena *mem)
{
    struct trod_edit_profile *profile =
        trod_new(mem, struct trod_edit_profile, e->edit->nhandler + 1);
    uint64_t *known;
    size_t nknown = list_entries(&known, e, entry, nentry, mem);

    *out = (struct trod_edit_result){.counts = &e->counts, .profile = profile};
    for (uint32_t h = 0; h < e->edit->nhandler; h++) {
        const struct trod_edit_noted *noted = &e->noted[h];
        struct trod_edit_profile *p = &profile[out->nprofile];

        if (!noted->called)
            continue;
        out->nprofile++;
        *p = (struct trod_edit_profile){.handler = e->edit->handler[h].name,
            .notes = (enum trod_edit_notes)e->edit->handler[h].notes,
            .nsampled = noted->nsampled,
            .nall = noted->nall,
            .nburst = noted->nburst,
            .nref_lost = noted->nref_lost};
        if (p->notes == TROD_EDIT_STREAMS)
            take_streams(p, e, h, mem);
        else
            take_members(p, noted, known, nknown, mem);
    }
}
