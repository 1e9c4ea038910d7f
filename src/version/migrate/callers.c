#include "migrate/callers.h"

#include <string.h>

/* Functions of both versions, by their old entries in the map. */
static const struct trod_joined **joined_of_old(
    const struct trod_migration *m, struct trod_arena *mem)
{
    const struct trod_joined **of =
        trod_new(mem, const struct trod_joined *, m->old_map->nentry);

    for (uint32_t i = 0; i < m->join.njoined; i++) {
        const struct trod_joined *j = &m->join.joined[i];

        if (j->old && !j->many)
            of[j->old - m->old_map->entry] = j;
    }
    return of;
}

static bool has_row(const struct trod_joined *j)
{
    return j && j->later && j->in_new;
}

static void put_row(struct trod_entries *out, const struct trod_joined *callee,
    const struct trod_joined *caller, uint64_t calls, uint64_t entered,
    struct trod_arena *mem)
{
    struct trod_entry e = {.function = callee->new_name,
        .file = callee->new_file,
        .part = TROD_NONE,
        .other = caller ? caller->new_name : NULL,
        .id = caller ? caller->later->name_hash : 0,
        .count = calls,
        .how = TROD_HOW_REUSED,
        .has_was = true,
        .was = entered,
        .trust = 1};

    trod_entries_add(out, &e, mem);
}

/* The rows of one function, from its calls. Those by functions that are in the old version only are not made any more; those
 * by functions whose counterpart is not known are taken to be as before, like calls from elsewhere.
 */
static void put_rows(struct trod_entries *out, const struct trod_joined **of,
    const struct trod_flow_call *call, uint32_t ncall, uint64_t entered,
    struct trod_arena *mem)
{
    const struct trod_joined *callee = of[call->to];
    uint64_t known = 0, recursive = 0;

    for (uint32_t i = 0; i < ncall; i++) {
        const struct trod_joined *caller = of[call[i].from];

        if (call[i].from == call[i].to) {
            recursive = call[i].count;
        } else if (has_row(caller)) {
            put_row(out, callee, caller, call[i].count, 0, mem);
            known = trod_sat_add(known, call[i].count);
        } else if (caller && !caller->in_new) {
            known = trod_sat_add(known, call[i].count);
        }
    }
    put_row(
        out, callee, NULL, known, entered > recursive ? entered - recursive : 0, mem);
}

void trod_callers_plan(struct trod_entries *out, const struct trod_migration *m,
    const struct trod_migrate_input *input, struct trod_arena *mem)
{
    const struct trod_joined **of;
    struct trod_flow_calls called;

    *out = (struct trod_entries){.type = TROD_CALLERS, .input = input->name};
    if (!input->flows || !m->old_map || !m->new_map)
        return;
    of = joined_of_old(m, mem);
    trod_flow_calls_build(&called, input->flows, mem);
    for (uint32_t i = 0, end; i < called.ncall; i = end) {
        uint32_t to = called.call[i].to;

        for (end = i; end < called.ncall && called.call[end].to == to; end++)
            ;
        if (has_row(of[to]) && !trod_has(called.unsure, to))
            put_rows(out, of, &called.call[i], end - i,
                input->flows->of_entry[to].entered, mem);
    }
    trod_entries_order(out);
}
