#include "explore/explore.h"

#include <math.h>
#include <string.h>

static bool is_twice(const char *const *name, uint32_t count, uint32_t *which)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(name[i], name[k]) == 0) {
                *which = i;
                return true;
            }
    return false;
}

static bool check_parameter(
    const struct trod_explore_parameter *p, struct trod_err *err)
{
    uint32_t twice;

    if (!p->name || !*p->name || !p->nvalue || p->nvalue > TROD_EXPLORE_VALUES)
        return trod_fail(err, TROD_E_INPUT,
            "parameter '%s' has %u values; it takes 1 to %d", p->name ? p->name : "",
            p->nvalue, TROD_EXPLORE_VALUES);
    if (p->base >= p->nvalue)
        return trod_fail(
            err, TROD_E_INTERNAL, "the base of '%s' is not one of its values", p->name);
    if (is_twice(p->value, p->nvalue, &twice))
        return trod_fail(err, TROD_E_INPUT, "parameter '%s' has the value '%s' twice",
            p->name, p->value[twice]);
    return true;
}

static bool check_burman(const struct trod_study *study, struct trod_err *err)
{
    uint32_t varied = 0;

    if (study->nrun < 4 || study->nrun % 4 != 0 || study->nrun > TROD_BURMAN_MOST)
        return trod_fail(err, TROD_E_INPUT,
            "a burman design has 4, 8, 12 runs, and so on, up to %d; not %u",
            TROD_BURMAN_MOST, study->nrun);
    for (uint32_t p = 0; p < study->nparameter; p++) {
        if (study->parameter[p].nvalue > 2)
            return trod_fail(err, TROD_E_INPUT,
                "parameter '%s' has %u values; in a burman design it takes two, low and "
                "high",
                study->parameter[p].name, study->parameter[p].nvalue);
        varied += study->parameter[p].nvalue == 2;
    }
    return varied < study->nrun ||
           trod_fail(err, TROD_E_INPUT,
               "%u parameters need a burman design of more than %u runs", varied,
               study->nrun);
}

bool trod_study_check(const struct trod_study *study, struct trod_err *err)
{
    uint32_t twice;

    if (!study->nparameter || study->nparameter > TROD_EXPLORE_PARAMETERS)
        return trod_fail(err, TROD_E_INPUT,
            "study '%s' has %u parameters; it takes 1 to %d", study->name,
            study->nparameter, TROD_EXPLORE_PARAMETERS);
    if (!study->nmeasure || study->nmeasure > TROD_EXPLORE_MEASURES)
        return trod_fail(err, TROD_E_INPUT,
            "study '%s' measures %u things; it takes 1 to %d; add a line such as "
            "'measure frequency'",
            study->name, study->nmeasure, TROD_EXPLORE_MEASURES);
    if (is_twice(study->measure, study->nmeasure, &twice))
        return trod_fail(err, TROD_E_INPUT, "'%s' is measured twice; remove one",
            study->measure[twice]);
    for (uint32_t p = 0; p < study->nparameter; p++) {
        if (!check_parameter(&study->parameter[p], err))
            return false;
        if (trod_study_find(study, study->parameter[p].name) != p)
            return trod_fail(err, TROD_E_INPUT, "parameter '%s' occurs twice",
                study->parameter[p].name);
    }
    return study->kind != TROD_EXPLORE_BURMAN || check_burman(study, err);
}

/* Each varied column is high in half of the designs, and any two agree in half of them (orthogonality). */
static bool is_balanced(
    const struct trod_designs *designs, const struct trod_study *study)
{
    for (uint32_t a = 0; a < designs->ncolumn; a++) {
        if (a < study->nparameter && study->parameter[a].nvalue == 1)
            continue;
        for (uint32_t b = 0; b <= a; b++) {
            uint32_t same = 0, high = 0;

            if (b < study->nparameter && study->parameter[b].nvalue == 1)
                continue;
            for (uint32_t d = 0; d < designs->ndesign; d++) {
                same += trod_design_level(designs, d, a) ==
                        trod_design_level(designs, d, b);
                high += trod_design_level(designs, d, a);
            }
            if (2 * (a == b ? high : same) != designs->ndesign)
                return false;
        }
    }
    return true;
}

bool trod_designs_check(const struct trod_designs *designs,
    const struct trod_study *study, struct trod_err *err)
{
    bool burman = study->kind == TROD_EXPLORE_BURMAN;

    if (designs->ncolumn < study->nparameter ||
        (!burman && designs->ncolumn != study->nparameter))
        return trod_fail(err, TROD_E_INTERNAL,
            "designs have %u columns for %u parameters", designs->ncolumn,
            study->nparameter);
    for (uint32_t d = 0; d < designs->ndesign; d++) {
        const uint32_t *level = designs->level + (size_t)d * designs->ncolumn;

        for (uint32_t c = 0; c < designs->ncolumn; c++)
            if (level[c] >= (c < study->nparameter ? study->parameter[c].nvalue : 2))
                return trod_fail(err, TROD_E_INTERNAL,
                    "design %u has level %u in column %u, which there is not", d,
                    level[c], c);
        if (!burman && trod_designs_find(designs, level, study->nparameter) != d)
            return trod_fail(err, TROD_E_INTERNAL, "design %u is there twice", d);
    }
    return !burman || is_balanced(designs, study) ||
           trod_fail(err, TROD_E_INTERNAL, "the designs are not balanced");
}

bool trod_explored_check(const struct trod_explored *explored, struct trod_err *err)
{
    size_t nvalue = (size_t)explored->nstream * explored->designs.ndesign *
                    explored->study.nmeasure;
    uint32_t twice;

    if (!trod_study_check(&explored->study, err) ||
        !trod_designs_check(&explored->designs, &explored->study, err))
        return false;
    if (is_twice(explored->stream, explored->nstream, &twice))
        return trod_fail(
            err, TROD_E_INPUT, "stream '%s' occurs twice", explored->stream[twice]);
    for (size_t i = 0; i < nvalue; i++)
        if (isinf(explored->value[i]))
            return trod_fail(err, TROD_E_INTERNAL, "value %zu is infinite", i);
    return trod_explore_check_missing(explored, err);
}
