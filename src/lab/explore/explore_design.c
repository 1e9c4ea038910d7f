#include "explore/explore.h"

#include <string.h>

uint32_t trod_study_find(const struct trod_study *study, const char *parameter)
{
    for (uint32_t i = 0; i < study->nparameter; i++)
        if (strcmp(study->parameter[i].name, parameter) == 0)
            return i;
    return UINT32_MAX;
}

const char *trod_design_value(const struct trod_study *study,
    const struct trod_designs *designs, uint32_t design, uint32_t parameter)
{
    return study->parameter[parameter]
        .value[trod_design_level(designs, design, parameter)];
}

uint32_t trod_designs_find(
    const struct trod_designs *designs, const uint32_t *level, uint32_t nparameter)
{
    for (uint32_t d = 0; d < designs->ndesign; d++)
        if (memcmp(designs->level + (size_t)d * designs->ncolumn, level,
                nparameter * sizeof *level) == 0)
            return d;
    return UINT32_MAX;
}

static bool too_many(const struct trod_study *study, struct trod_err *err)
{
    return trod_fail(err, TROD_E_LIMIT,
        "study '%s' has more than %d designs; give parameters fewer values, or choose "
        "another kind of design",
        study->name, TROD_EXPLORE_DESIGNS);
}

/* --- the kinds -------------------------------------------------------------------------------- */

static bool build_sweep(uint32_t **level, uint32_t *ndesign,
    const struct trod_study *study, struct trod_arena *mem, struct trod_err *err)
{
    uint32_t n = study->nparameter, count = 1;
    uint32_t *at;

    for (uint32_t p = 0; p < n; p++)
        count += study->parameter[p].nvalue - 1;
    if (count > TROD_EXPLORE_DESIGNS)
        return too_many(study, err);
    *level = at = trod_new(mem, uint32_t, (size_t)count *n);
    for (uint32_t d = 0; d < count; d++)
        for (uint32_t p = 0; p < n; p++)
            at[d * n + p] = study->parameter[p].base;
    at += n; /* the first design has all parameters at their base value */
    for (uint32_t p = 0; p < n; p++)
        for (uint32_t v = 0; v < study->parameter[p].nvalue; v++)
            if (v != study->parameter[p].base) {
                at[p] = v;
                at += n;
            }
    *ndesign = count;
    return true;
}

/* The last parameter varies fastest. */
static bool build_factorial(uint32_t **level, uint32_t *ndesign,
    const struct trod_study *study, struct trod_arena *mem, struct trod_err *err)
{
    uint32_t n = study->nparameter, count = 1;

    for (uint32_t p = 0; p < n; p++) {
        count *= study->parameter[p].nvalue;
        if (count > TROD_EXPLORE_DESIGNS)
            return too_many(study, err);
    }
    *level = trod_new(mem, uint32_t, (size_t)count *n);
    for (uint32_t d = 0; d < count; d++)
        for (uint32_t p = n, left = d; p-- > 0;) {
            (*level)[d * n + p] = left % study->parameter[p].nvalue;
            left /= study->parameter[p].nvalue;
        }
    *ndesign = count;
    return true;
}

/* Fixed parameters have no column in the matrix. Columns without a parameter follow as dummies. */
static void build_burman(
    struct trod_designs *out, const struct trod_study *study, struct trod_arena *mem)
{
    uint32_t m = study->nrun - 1, varied = 0, n = study->nparameter, column = 0;
    uint32_t ndesign = study->foldover ? 2 * study->nrun : study->nrun;
    uint8_t *high = trod_new(mem, uint8_t, (size_t)study->nrun *m);
    bool known = trod_hadamard_fill(high, study->nrun, mem);
    uint32_t *level;

    assert(known);
    (void)known;
    for (uint32_t p = 0; p < n; p++)
        varied += study->parameter[p].nvalue > 1;
    assert(varied <= m);
    out->ncolumn = n + m - varied;
    out->ndesign = ndesign;
    level = trod_new(mem, uint32_t, (size_t)ndesign * out->ncolumn);
    for (uint32_t c = 0; c < out->ncolumn; c++) {
        if (c < n && study->parameter[c].nvalue == 1)
            continue;
        for (uint32_t d = 0; d < ndesign; d++)
            level[(size_t)d * out->ncolumn + c] =
                high[(size_t)(d % study->nrun) * m + column] != (d >= study->nrun);
        column++;
    }
    out->level = level;
}

bool trod_designs_build(struct trod_designs *out, const struct trod_study *study,
    struct trod_arena *mem, struct trod_err *err)
{
    uint32_t *level = NULL, ndesign = 0;

    *out = (struct trod_designs){.ncolumn = study->nparameter};
    if (study->kind == TROD_EXPLORE_BURMAN) {
        build_burman(out, study, mem);
        return true;
    }
    if (!(study->kind == TROD_EXPLORE_SWEEP ? build_sweep : build_factorial)(
            &level, &ndesign, study, mem, err))
        return false;
    out->level = level;
    out->ndesign = ndesign;
    return true;
}
