#include "migrate/migrator.h"

#include <string.h>

#include "match/validate.h"

/* --- check runs, as src/version/match/validate.h expects them --------------------------------------------------- */

static bool is_reusable(const struct trod_migrate_unit *u)
{
    return u->fate == TROD_UNIT_UNAFFECTED || u->fate == TROD_UNIT_SAME;
}

/* Old entries, mapped to the new version; reusable ones are marked. */
static struct trod_entries *carry_all(
    struct migrator *d, const struct trod_migrate_input *input)
{
    const struct trod_migration *m = d->m;
    struct trod_entries *out = trod_new(d->mem, struct trod_entries, 1);

    out->type = m->type.name;
    for (uint32_t i = 0; i < m->join.njoined; i++) {
        const struct trod_joined *j = &m->join.joined[i];
        size_t first = 0, n = 0;

        if (j->in_old && j->in_new)
            n = trod_entries_of(&first, &input->old, j->name, j->file);
        for (size_t k = first; k < first + n; k++) {
            const struct trod_migrate_unit *u =
                trod_migrate_unit_of(m, i, input->old.entry[k].part);
            struct trod_entry e;

            if (!u || !trod_carry_entry(&e, m, j, &input->old.entry[k], d->mem))
                continue;
            e.how = is_reusable(u) ? TROD_HOW_REUSED : TROD_HOW_NONE;
            trod_entries_add(out, &e, d->mem);
        }
    }
    trod_entries_order(out);
    return out;
}

/* How often functions were entered, by their new names. */
static struct trod_entries *calls_of(
    struct migrator *d, const struct trod_flows *flows, bool old)
{
    const struct trod_migration *m = d->m;
    struct trod_entries *out = trod_new(d->mem, struct trod_entries, 1);

    out->type = "calls";
    for (uint32_t i = 0; i < m->join.njoined; i++) {
        const struct trod_joined *j = &m->join.joined[i];
        struct trod_entry e = {
            .function = j->new_name, .file = j->new_file, .part = TROD_NONE};

        if (!j->in_new || !j->later || (old && !j->old))
            continue;
        e.count = old ? flows->of_entry[j->old - m->old_map->entry].entered
                      : flows->of_entry[j->later - m->new_map->entry].entered;
        trod_entries_add(out, &e, d->mem);
    }
    trod_entries_order(out);
    return out;
}

/* For a unit that is a whole function, any entry that ran in the check run represents all. */
static void find_like(struct trod_entry *like, const struct trod_migration *m,
    const struct trod_migrate_unit *u)
{
    const struct trod_joined *j = &m->join.joined[u->joined];

    *like = (struct trod_entry){
        .function = j->new_name, .file = j->new_file, .part = u->new_part};
    for (uint32_t i = 0; u->part == TROD_NONE && i < m->ninput; i++) {
        size_t first, n = 0;

        if (m->input[i].check)
            n = trod_entries_of(&first, m->input[i].check, j->new_name, j->new_file);
        for (size_t k = 0; k < n; k++) {
            if (m->input[i].check->entry[first + k].count) {
                *like = m->input[i].check->entry[first + k];
                return;
            }
        }
    }
}

static void believe(struct migrator *d, const struct trod_validated *validated,
    struct trod_migrate_unit *u)
{
    struct trod_migration *m = d->m;
    const struct trod_joined *j = &m->join.joined[u->joined];
    struct trod_entry like;
    struct trod_verdict verdict;
    bool reusable = is_reusable(u);

    if (!j->in_old || !j->in_new || u->fate == TROD_UNIT_UNMAPPED ||
        (u->part != TROD_NONE && u->new_part == TROD_NONE))
        return;
    find_like(&like, m, u);
    verdict = trod_validate_find(validated, &like, reusable);
    u->trust = verdict.trust;
    u->agrees = verdict.how == TROD_HOW_VALIDATED;
    u->checked = u->agrees || verdict.trust == 0;
    if (reusable && u->checked) {
        m->nagreed += u->agrees;
        m->ndisagreed += !u->agrees;
    }
    if (verdict.kind == TROD_VERDICT_WITHDRAW) {
        u->fate = TROD_UNIT_WITHDRAWN;
        u->why = u->checked ? "its count differs in the check run"
                            : "counts around it differ in the check run";
    } else if (verdict.kind == TROD_VERDICT_GRANT) {
        u->fate = TROD_UNIT_GRANTED;
    }
}

void trod_migrate_check_units(struct migrator *d)
{
    struct trod_migration *m = d->m;
    struct trod_validate_run *run =
        trod_new(d->mem, struct trod_validate_run, m->ninput);
    struct trod_validate_options options = {.whole = m->level >= TROD_LEVEL_FUNCTION};
    struct trod_validated validated;
    uint32_t n = 0;

    for (uint32_t i = 0; i < m->ninput; i++) {
        const struct trod_migrate_input *input = &m->input[i];

        if (!input->check)
            continue;
        run[n].was = carry_all(d, input);
        run[n].now = input->check;
        if (input->flows && input->check_flows) {
            run[n].calls_was = calls_of(d, input->flows, true);
            run[n].calls_now = calls_of(d, input->check_flows, false);
        }
        n++;
    }
    if (!n)
        return;
    trod_validate_build(&validated, run, n, &options, d->mem);
    for (uint32_t i = 0; i < m->nunit; i++)
        believe(d, &validated, &m->unit[i]);
}
