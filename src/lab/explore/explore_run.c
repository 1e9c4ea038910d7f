#include "explore/explore.h"

#include <inttypes.h>
#include <string.h>

static const struct trod_explore_knob *knob_of(
    const struct trod_explore_model *model, const char *name)
{
    for (const struct trod_explore_knob *k = model->knob; k->name; k++)
        if (strcmp(k->name, name) == 0)
            return k;
    return NULL;
}

/* Numbers may end with k (1024) or m (1048576). */
static bool read_number(uint64_t *out, const char *text)
{
    size_t n = strlen(text);
    uint64_t unit = 1;
    char digits[32];

    if (!n || n >= sizeof digits)
        return false;
    memcpy(digits, text, n + 1);
    if (digits[n - 1] == 'k' || digits[n - 1] == 'm') {
        unit = digits[n - 1] == 'k' ? 1024 : 1024 * 1024;
        digits[n - 1] = '\0';
    }
    return trod_text_uint(out, digits) && !__builtin_mul_overflow(*out, unit, out);
}

/* The value as a number; for a word, its index among the words. */
static bool value_of(
    uint64_t *out, const struct trod_explore_knob *knob, const char *text)
{
    if (!knob->word)
        return read_number(out, text) && *out >= knob->least && *out <= knob->most &&
               !(knob->power && *out & (*out - 1));
    for (*out = 0; knob->word[*out]; ++*out)
        if (strcmp(knob->word[*out], text) == 0)
            return true;
    return false;
}

/* --- checking a study against the model --------------------------------------------------------- */

/* A list of names, truncated to keep messages short. */
struct listed {
    char text[600];
    size_t used;
};

static void list_add(struct listed *list, const char *name)
{
    size_t n = strlen(name), gap = list->used ? 2 : 0;

    if (list->used + gap + n >= sizeof list->text)
        return;
    memcpy(list->text + list->used, ", ", gap);
    memcpy(list->text + list->used + gap, name, n + 1);
    list->used += gap + n;
}

static bool fail_value(
    const struct trod_explore_knob *knob, const char *value, struct trod_err *err)
{
    struct listed words = {0};

    if (!knob->word)
        return trod_fail(err, TROD_E_INPUT,
            "'%s' is not a value of '%s', which takes %s from %" PRIu64 " to %" PRIu64,
            value, knob->name, knob->power ? "powers of two" : "whole numbers",
            knob->least, knob->most);
    for (const char *const *word = knob->word; *word; word++)
        list_add(&words, *word);
    return trod_fail(err, TROD_E_INPUT, "'%s' is not a value of '%s', which takes %s",
        value, knob->name, words.text);
}

bool trod_explore_fits(const struct trod_explore_model *model,
    const struct trod_study *study, struct trod_err *err)
{
    struct listed known = {0};
    uint64_t value;

    for (uint32_t p = 0; p < study->nparameter; p++) {
        const struct trod_explore_parameter *parameter = &study->parameter[p];
        const struct trod_explore_knob *knob = knob_of(model, parameter->name);

        if (!knob) {
            for (knob = model->knob; knob->name; knob++)
                list_add(&known, knob->name);
            return trod_fail(err, TROD_E_INPUT,
                "unknown parameter '%s'; expected one of: %s", parameter->name,
                known.text);
        }
        for (uint32_t v = 0; v < parameter->nvalue; v++)
            if (!value_of(&value, knob, parameter->value[v]))
                return fail_value(knob, parameter->value[v], err);
    }
    for (uint32_t m = 0; m < study->nmeasure; m++) {
        const struct trod_explore_metric *metric = model->metric;

        while (metric->name && strcmp(metric->name, study->measure[m]) != 0)
            metric++;
        if (metric->name)
            continue;
        for (metric = model->metric; metric->name; metric++)
            list_add(&known, metric->name);
        return trod_fail(err, TROD_E_INPUT, "unknown measure '%s'; expected one of: %s",
            study->measure[m], known.text);
    }
    return true;
}

uint64_t trod_explore_number(const struct trod_explore_model *model,
    const struct trod_study *study, const struct trod_designs *designs, uint32_t design,
    const char *knob)
{
    const struct trod_explore_knob *is = knob_of(model, knob);
    uint32_t parameter = trod_study_find(study, knob);
    const char *text;
    uint64_t value;
    bool ok;

    assert(is);
    text = parameter == UINT32_MAX
               ? is->usual
               : trod_design_value(study, designs, design, parameter);
    ok = value_of(&value, is, text);
    assert(ok); /* checked by trod_explore_fits */
    (void)ok;
    return value;
}

/* --- running ------------------------------------------------------------------------------------- */

static void add_missing(struct trod_explored *out, struct trod_explore_lack *missing,
    const struct trod_explore_trial *trial, uint32_t stream)
{
    for (uint32_t m = 0; trial->missing && m < out->study.nmeasure; m++)
        if (trial->missing(&missing[out->nmissing], m, trial))
            missing[out->nmissing++].stream = stream;
}

bool trod_explore_run(struct trod_explored *out, const struct trod_study *study,
    const struct trod_explore_model *model, const struct trod_explore_source *source,
    uint32_t nsource, struct trod_arena *mem, struct trod_err *err)
{
    const char **stream = trod_new(mem, const char *, nsource);
    struct trod_explore_lack *missing =
        trod_new(mem, struct trod_explore_lack, (size_t)nsource * study->nmeasure);
    size_t nvalue;
    double *value;

    *out =
        (struct trod_explored){.study = *study, .stream = stream, .missing = missing};
    if (!trod_designs_build(&out->designs, study, mem, err))
        return false;
    nvalue = (size_t)out->designs.ndesign * study->nmeasure;
    value = trod_new(mem, double, nvalue *nsource);
    out->value = value;
    for (uint32_t s = 0; s < nsource; s++) {
        struct trod_mark mark = trod_arena_mark(mem);
        struct trod_explore_trial trial = {0};

        stream[s] = source[s].name;
        if (!model->make(&trial, model, study, &out->designs, mem, err) ||
            !source[s].feed(trial.sink, source[s].ctx, err) ||
            !trial.result(value + s * nvalue, &trial, mem, err))
            return false;
        add_missing(out, missing, &trial, s);
        trod_arena_rewind(mem, mark);
        out->nstream++;
    }
    return true;
}

bool trod_explore_begin(struct trod_explore_live *out, const struct trod_study *study,
    const struct trod_explore_model *model, struct trod_arena *mem,
    struct trod_err *err)
{
    *out = (struct trod_explore_live){.study = study};
    return trod_designs_build(&out->designs, study, mem, err) &&
           model->make(&out->trial, model, study, &out->designs, mem, err);
}

bool trod_explore_finish(struct trod_explored *out, struct trod_explore_live *live,
    const char *stream, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_explore_lack *missing =
        trod_new(mem, struct trod_explore_lack, live->study->nmeasure);
    const char **name = trod_new(mem, const char *, 1);
    double *value =
        trod_new(mem, double, (size_t)live->designs.ndesign * live->study->nmeasure);

    name[0] = stream;
    *out = (struct trod_explored){.study = *live->study,
        .designs = live->designs,
        .stream = name,
        .nstream = 1,
        .value = value,
        .missing = missing};
    if (!live->trial.result(value, &live->trial, mem, err))
        return false;
    add_missing(out, missing, &live->trial, 0);
    return true;
}
