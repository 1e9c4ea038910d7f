#include "profile/profile.h"

#include <inttypes.h>
#include <string.h>

static bool check_runs(const struct trod_profile *p, struct trod_err *err)
{
    for (uint32_t i = 0; i < p->nrun; i++) {
        const struct trod_profile_run *run = &p->run[i];

        if (run->group >= p->ngroup)
            return trod_fail(err, TROD_E_INTERNAL,
                "run %" PRIu32 " is in group %" PRIu32 " of %" PRIu32, i, run->group,
                p->ngroup);
        if (i > 0 && (run[-1].group > run->group ||
                         (run[-1].group == run->group &&
                             trod_profile_compare_runs(&run[-1], run) > 0)))
            return trod_fail(
                err, TROD_E_INTERNAL, "run %" PRIu32 " is not in order", i);
        for (uint32_t k = 0; k < run->nfield; k++)
            if (!*run->field[k].key || strpbrk(run->field[k].key, " \n"))
                return trod_fail(err, TROD_E_INTERNAL,
                    "the key '%s' of run %" PRIu32 " is not a word", run->field[k].key,
                    i);
    }
    return true;
}

static bool check_chosen(
    const struct trod_profile_module *module, uint32_t f, struct trod_err *err)
{
    const struct trod_profile_function *function = &module->function[f];

    if (function->counted > TROD_COUNTED_EVENTS ||
        (trod_format_counts_each(function->counted) && function->nchosen))
        return trod_fail(err, TROD_E_INTERNAL,
            "function %" PRIu32 " in '%s' counts in way %d, with %zu slots", f,
            module->path, (int)function->counted, function->nchosen);
    for (size_t i = 0; i < function->nchosen; i++) {
        const uint64_t *id = &function->chosen[i];

        if (*id >= function->npath || (i > 0 && id[-1] >= *id))
            return trod_fail(err, TROD_E_INTERNAL,
                "the chosen path %" PRIu64 " of function %" PRIu32
                " in '%s' is not in order, or not below %" PRIu64,
                *id, f, module->path, function->npath);
    }
    return true;
}

static bool check_module(const struct trod_profile *p, uint32_t m, struct trod_err *err)
{
    const struct trod_profile_module *module = &p->module[m];

    if (!*module->path)
        return trod_fail(err, TROD_E_INTERNAL, "module %" PRIu32 " has no path", m);
    if (module->build_id[strspn(module->build_id, "0123456789abcdef")])
        return trod_fail(err, TROD_E_INTERNAL,
            "the build id '%s' of module '%s' is not hexadecimal", module->build_id,
            module->path);
    if (!trod_format_mode_word(module->mode))
        return trod_fail(err, TROD_E_INTERNAL, "module '%s' is of mode %d",
            module->path, (int)module->mode);
    if (module->mode != p->module[0].mode)
        return trod_fail(err, TROD_E_INTERNAL,
            "module '%s' is of another mode than the first", module->path);
    for (uint32_t f = 0; f < module->nfunction; f++)
        if (!check_chosen(module, f, err))
            return false;
    if (m > 0 && trod_profile_compare_modules(module - 1, module) >= 0)
        return trod_fail(err, TROD_E_INTERNAL,
            "module '%s' is not in order, or there twice", module->path);
    return true;
}

static bool check_paths(const struct trod_profile *p,
    const struct trod_profile_tally *tally, struct trod_err *err)
{
    const struct trod_profile_module *module = &p->module[tally->module];
    uint64_t most = trod_profile_last_id(&module->function[tally->function]);

    if (!tally->npath)
        return trod_fail(err, TROD_E_INTERNAL,
            "a tally of function %" PRIu32 " in '%s' is empty", tally->function,
            module->path);
    for (size_t i = 0; i < tally->npath; i++) {
        const struct trod_profile_path *path = &tally->path[i];

        if (path->id > most || (i > 0 && path[-1].id >= path->id))
            return trod_fail(err, TROD_E_INTERNAL,
                "path %" PRIu64 " of function %" PRIu32
                " in '%s' is not in order, or above %" PRIu64,
                path->id, tally->function, module->path, most);
        if (!path->count)
            return trod_fail(err, TROD_E_INTERNAL,
                "path %" PRIu64 " of function %" PRIu32 " in '%s' has count 0",
                path->id, tally->function, module->path);
    }
    return true;
}

static bool is_behind(
    const struct trod_profile_tally *a, const struct trod_profile_tally *b)
{
    if (a->module != b->module)
        return a->module > b->module;
    if (a->function != b->function)
        return a->function > b->function;
    return a->group > b->group;
}

static bool check_tallies(const struct trod_profile *p, struct trod_err *err)
{
    for (size_t i = 0; i < p->ntally; i++) {
        const struct trod_profile_tally *t = &p->tally[i];

        if (t->module >= p->nmodule || t->group >= p->ngroup ||
            t->function >= p->module[t->module].nfunction)
            return trod_fail(err, TROD_E_INTERNAL,
                "tally %zu is of module %" PRIu32 ", function %" PRIu32
                ", group %" PRIu32 ", which are not there",
                i, t->module, t->function, t->group);
        if (i > 0 && !is_behind(t, t - 1))
            return trod_fail(
                err, TROD_E_INTERNAL, "tally %zu is not in order, or there twice", i);
        if (!check_paths(p, t, err))
            return false;
    }
    return true;
}

/* All rules that are used exist and are not empty. */
static bool check_part(const struct trod_grammar_part *part)
{
    const uint32_t *first = part->first_symbol_of_rule;

    for (uint32_t r = 1; r < part->nrule; r++)
        if (first[r] >= first[r + 1])
            return false;
    for (uint32_t s = 0; s < first[part->nrule]; s++)
        if (trod_has(part->is_rule, s) &&
            (!part->value_of_symbol[s] || part->value_of_symbol[s] >= part->nrule))
            return false;
    return part->nrule > 0 && first[0] == 0;
}

static bool check_steps(const struct trod_profile *p, struct trod_err *err)
{
    for (uint32_t i = 0; i < p->nsteps; i++) {
        const struct trod_profile_steps *s = &p->steps[i];
        bool behind = !i || s[-1].module < s->module ||
                      (s[-1].module == s->module && s[-1].thread < s->thread);
        bool whole = s->grammar.npart > 0 && s->grammar.name;

        for (uint32_t k = 0; k < s->grammar.npart; k++)
            whole = whole && check_part(&s->grammar.part[k]) &&
                    (s->grammar.npart == 1 ||
                        s->grammar.part[k].first_symbol_of_rule[1] > 0);
        if (s->module >= p->nmodule || !behind || !whole)
            return trod_fail(err, TROD_E_INTERNAL,
                "the steps of thread %" PRIu32 " in module %" PRIu32
                " are not in order, of no module, or no grammar",
                s->thread, s->module);
    }
    return true;
}

static bool check_sampled(
    const struct trod_profile *p, const struct trod_profile_samples *s)
{
    const struct trod_profile_module *module = &p->module[s->module];
    uint64_t nterminal = 0;

    for (uint32_t f = 0; f < module->nfunction; f++)
        nterminal = trod_sat_add(nterminal, trod_sat_add(module->function[f].npath, 1));
    for (size_t i = 0; i < s->nsampled; i++) {
        const struct trod_profile_sampled *one = &s->sampled[i];

        if (!trod_profile_is_sampled(&s->how, one) ||
            (i && trod_profile_compare_sampled(one - 1, one) > 0))
            return false;
        for (uint32_t k = 0; k < one->length; k++)
            if (one->block[k] >= nterminal)
                return false;
    }
    return true;
}

static bool check_samples(const struct trod_profile *p, struct trod_err *err)
{
    for (uint32_t i = 0; i < p->nsamples; i++) {
        const struct trod_profile_samples *s = &p->samples[i];
        const char *fault = trod_profile_how_fault(&s->how);

        if (fault)
            return trod_fail(err, TROD_E_INTERNAL,
                "what was sampled of thread %" PRIu32 " %s", s->how.thread, fault);
        if (s->module >= p->nmodule || p->module[s->module].mode != TROD_MODE_BLOCKS ||
            (i && trod_profile_compare_samples(s - 1, s) > 0) || !check_sampled(p, s))
            return trod_fail(err, TROD_E_INTERNAL,
                "the samples of thread %" PRIu32 " in module %" PRIu32
                " are not in order, of no module, or of subpaths that cannot be",
                s->how.thread, s->module);
    }
    return true;
}

static bool check_bursts(const struct trod_profile *p, struct trod_err *err)
{
    for (uint32_t i = 0; i < p->nburst; i++) {
        const struct trod_profile_burst *burst = &p->burst[i];
        const char *fault = trod_profile_burst_fault(burst);

        if (fault)
            return trod_fail(err, TROD_E_INTERNAL, "burst %" PRIu32 " %s", i, fault);
        if (burst->group >= p->ngroup ||
            (i && trod_profile_compare_bursts(burst - 1, burst) >= 0))
            return trod_fail(err, TROD_E_INTERNAL,
                "burst %" PRIu32 " is of no group, not in order, or there twice", i);
    }
    return true;
}

/* Runs are sorted by group, so a group without runs is found in one pass; tallies are not. */
static bool check_groups(const struct trod_profile *p, struct trod_err *err)
{
    uint32_t run = 0;

    for (uint32_t g = 0; g < p->ngroup; g++) {
        bool used = run < p->nrun && p->run[run].group == g;

        while (run < p->nrun && p->run[run].group == g)
            run++;
        for (size_t i = 0; !used && i < p->ntally; i++)
            used = p->tally[i].group == g;
        for (uint32_t i = 0; !used && i < p->nburst; i++)
            used = p->burst[i].group == g;
        if (!used)
            return trod_fail(err, TROD_E_INTERNAL,
                "group %" PRIu32 " has neither run, tally nor burst", g);
    }
    return true;
}

static bool check_notes(const struct trod_profile *p, struct trod_err *err)
{
    bool stopped = false, said = false;

    for (uint32_t i = 0; i < p->nnote; i++) {
        if (!*p->note[i] || (i > 0 && strcmp(p->note[i - 1], p->note[i]) >= 0))
            return trod_fail(err, TROD_E_INTERNAL,
                "the note '%s' is empty, out of order, or a duplicate", p->note[i]);
        said = said || strcmp(p->note[i], trod_profile_saturated) == 0;
    }
    for (size_t i = 0; i < p->ntally; i++)
        for (size_t k = 0; k < p->tally[i].npath; k++)
            stopped = stopped || p->tally[i].path[k].count == UINT64_MAX;
    return said || !stopped ||
           trod_fail(err, TROD_E_INTERNAL, "a count has stopped, and no note says so");
}

bool trod_profile_check(const struct trod_profile *profile, struct trod_err *err)
{
    for (uint32_t m = 0; m < profile->nmodule; m++)
        if (!check_module(profile, m, err))
            return false;
    /* Compare all pairs: equal modules with different file names are not adjacent. */
    for (uint32_t m = 0; m < profile->nmodule; m++)
        for (uint32_t k = 0; k < m; k++)
            if (trod_profile_compare_identity(
                    &profile->module[k], &profile->module[m]) == 0)
                return trod_fail(err, TROD_E_INTERNAL,
                    "module '%s' is there again as '%s'", profile->module[k].path,
                    profile->module[m].path);
    return check_runs(profile, err) && check_tallies(profile, err) &&
           check_steps(profile, err) && check_samples(profile, err) &&
           check_bursts(profile, err) && check_groups(profile, err) &&
           check_notes(profile, err);
}
