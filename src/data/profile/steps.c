#include "profile/profile.h"
#include "base/order.h"

/* --- terminals ---------------------------------------------------------------------------- */

void trod_profile_terminals(struct trod_profile_terminals *out,
    const struct trod_profile_module *module, struct trod_arena *mem)
{
    uint64_t *first = trod_new(mem, uint64_t, (size_t)module->nfunction + 1);

    for (uint32_t f = 0; f < module->nfunction; f++)
        first[f + 1] =
            trod_sat_add(first[f], trod_sat_add(module->function[f].npath, 1));
    *out = (struct trod_profile_terminals){
        .nfunction = module->nfunction, .first_of_function = first};
}

bool trod_profile_step(uint32_t *function, uint64_t *id,
    const struct trod_profile_terminals *of, uint64_t terminal)
{
    const uint64_t *first = of->first_of_function;
    uint32_t from =
        TROD_LOWER_BOUND(middle, 0, of->nfunction, first[middle] <= terminal);

    if (!from || first[from] == UINT64_MAX || terminal >= first[from] - 1)
        return false;
    *function = from - 1;
    *id = terminal - first[from - 1];
    return true;
}

bool trod_profile_check_terminals(uint64_t *terminal,
    const struct trod_profile_steps *steps, const struct trod_profile_terminals *of)
{
    for (uint32_t i = 0; i < steps->grammar.npart; i++) {
        const struct trod_grammar_part *part = &steps->grammar.part[i];
        uint32_t function;
        uint64_t id;

        for (uint32_t s = 0; s < part->first_symbol_of_rule[part->nrule]; s++) {
            *terminal = part->value_of_symbol[s];
            if (!trod_has(part->is_rule, s) &&
                !trod_profile_step(&function, &id, of, *terminal))
                return false;
        }
    }
    return true;
}

/* --- threads -------------------------------------------------------------------------------- */

static bool is_empty(const struct trod_grammar_part *part)
{
    return part->first_symbol_of_rule[1] == 0;
}

/* Empty parts are dropped, except that one part must remain. */
void trod_profile_add_steps(
    struct trod_profile_builder *builder, const struct trod_profile_steps *steps)
{
    struct trod_grammar_part *part =
        trod_new(builder->mem, struct trod_grammar_part, steps->grammar.npart);
    uint32_t n = 0;

    for (uint32_t i = 0; i < steps->grammar.npart; i++) {
        part[n] = steps->grammar.part[i];
        n += !is_empty(&part[n]);
    }
    trod_reserve(builder->mem, builder->steps, builder->nsteps, builder->room_steps);
    builder->steps[builder->nsteps] = *steps;
    builder->steps[builder->nsteps].grammar.part = part;
    builder->steps[builder->nsteps].grammar.npart = n ? n : 1;
    builder->nsteps++;
}

uint64_t trod_profile_nstep(const struct trod_profile *profile, struct trod_arena *mem)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < profile->nsteps; i++) {
        struct trod_mark mark = trod_arena_mark(mem);
        struct trod_grammar_sizes sizes;

        trod_grammar_sizes(&sizes, &profile->steps[i].grammar, mem);
        sum = trod_sat_add(sum, sizes.nterminal);
        trod_arena_rewind(mem, mark);
    }
    return sum;
}

bool trod_profile_check_counts(const struct trod_profile *profile, struct trod_err *err)
{
    if (trod_profile_has_samples(profile))
        return trod_fail(err, TROD_E_MISMATCH,
            "in '%s', block sequences were sampled and paths were not counted; use 'trod sample "
            "subpaths'",
            profile->module[0].path);
    return !profile->nsteps ||
           trod_fail(err, TROD_E_MISMATCH,
               "in '%s', steps were recorded and paths were not counted; use 'trod calls steps'",
               profile->module[profile->steps[0].module].path);
}
