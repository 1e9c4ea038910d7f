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

static const struct trod_edit_refs *refs_of(
    const struct trod_edit_thread *thread, uint32_t handler, bool all)
{
    return all ? &thread->all[handler] : &thread->sampled[handler];
}

/* The only thread with references, where there is one: these can be used as they are. */
static const struct trod_edit_refs *only_refs(
    const struct trod_editor *e, uint32_t handler, bool all)
{
    const struct trod_edit_refs *only = NULL;

    for (size_t i = 0; i < e->nthread; i++) {
        const struct trod_edit_refs *r = refs_of(e->thread[i], handler, all);

        if (r->nref && only)
            return NULL;
        if (r->nref)
            only = r;
    }
    return only;
}

static void append(struct trod_edit_refs *to, const struct trod_edit_refs *from)
{
    for (size_t k = 0; k < from->nref; k++)
        to->ref[to->nref++] = from->ref[k];
    for (size_t k = 0; k < from->nrun; k++)
        to->run[to->nrun++] = from->run[k];
}

/* The references of all threads, one thread after another. */
static void join_refs(struct trod_edit_refs *out, const struct trod_editor *e,
    uint32_t handler, bool all, struct trod_arena *mem)
{
    size_t nref = 0, nrun = 0;

    for (size_t i = 0; i < e->nthread; i++) {
        nref += refs_of(e->thread[i], handler, all)->nref;
        nrun += refs_of(e->thread[i], handler, all)->nrun;
    }
    *out =
        (struct trod_edit_refs){.ref = trod_new(mem, struct trod_stream_ref, nref + 1),
            .run = trod_new(mem, struct trod_stream_run, nrun + 1)};
    for (size_t i = 0; i < e->nthread; i++)
        append(out, refs_of(e->thread[i], handler, all));
}

static void find_streams(struct trod_streams *out, const struct trod_editor *e,
    uint32_t handler, bool all, struct trod_arena *mem)
{
    static const struct trod_stream_options by = {.by = TROD_STREAM_BY_ADDRESS};
    struct trod_stream_names *names = trod_new(mem, struct trod_stream_names, 1);
    const struct trod_edit_refs *refs = only_refs(e, handler, all);
    struct trod_stream_refs found = {.name = all ? "all" : "sampled", .names = names};
    struct trod_edit_refs joined;

    if (!refs) {
        join_refs(&joined, e, handler, all, mem);
        refs = &joined;
    }
    *names = e->reference->names;
    found.nrun = refs->nrun;
    found.run = refs->run;
    found.ref = refs->ref;
    trod_stream_find(out, &found, &by, mem, mem);
}

static void find_all(struct trod_edit_reference *reference, uint32_t handler)
{
    struct trod_edit_all *all = &reference->all[handler];

    if (all->found && all->nref == reference->writer->nref)
        return;
    all->found = true;
    all->nref = reference->writer->nref;
    find_streams(&all->streams, reference->writer, handler, true, reference->mem);
    trod_stream_sort_by_data(&all->streams, reference->mem);
}

void trod_edit_reference_find(struct trod_edit_reference *reference)
{
    const struct trod_editor *e = reference->writer;

    for (uint32_t h = 0; e && h < e->edit->nhandler; h++)
        if (e->noted[h].called && e->edit->handler[h].notes == TROD_EDIT_STREAMS)
            find_all(reference, h);
}

static void take_streams(struct trod_edit_profile *out, const struct trod_editor *e,
    uint32_t handler, struct trod_arena *mem)
{
    struct trod_stream_overlap overlap;
    struct trod_err none;

    if (e->options.reference) {
        find_all(e->reference, handler);
        out->all = e->reference->all[handler].streams;
    } else {
        find_streams(&out->all, e, handler, true, mem);
    }
    find_streams(&out->sampled, e, handler, false, mem);
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
