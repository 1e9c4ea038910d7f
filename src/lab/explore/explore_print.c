#include "explore/explore.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- text tables ----------------------------------------------------------------------------------- */

/* Cells in rows of equal length; the first row holds the headings. Numbers are right-aligned. */
struct grid {
    struct trod_arena *mem;
    const char **cell;
    size_t ncell, room;
    uint32_t ncolumn;
};

static void add(struct grid *grid, const char *text)
{
    trod_push(grid->mem, grid->cell, grid->ncell, grid->room, text);
}

static void add_number(struct grid *grid, double value, int digits)
{
    char text[64];

    if (isnan(value))
        snprintf(text, sizeof text, "?");
    else
        snprintf(text, sizeof text, "%.*f", digits, value);
    add(grid, trod_copy(grid->mem, text));
}

static void add_rank(struct grid *grid, double rank)
{
    add_number(grid, rank, rank == floor(rank) ? 0 : 1);
}

static size_t width_of(const char *text)
{
    size_t n = 0;

    while (*text) {
        size_t bytes = trod_utf8_length(text);

        text += bytes ? bytes : 1;
        n++;
    }
    return n;
}

static bool is_number(const char *text)
{
    return strspn(text, "0123456789.-+e?km") == strlen(text);
}

static void put_grid(struct trod_sink *sink, const struct grid *grid)
{
    size_t *width = trod_new(grid->mem, size_t, grid->ncolumn);
    bool *right = trod_new(grid->mem, bool, grid->ncolumn);

    for (uint32_t c = 0; c < grid->ncolumn; c++)
        right[c] = true;
    for (size_t i = 0; i < grid->ncell; i++) {
        size_t w = width_of(grid->cell[i]);
        uint32_t c = (uint32_t)(i % grid->ncolumn);

        if (w > width[c])
            width[c] = w;
        if (i >= grid->ncolumn && !is_number(grid->cell[i]))
            right[c] = false;
    }
    for (size_t i = 0; i < grid->ncell; i++) {
        uint32_t c = (uint32_t)(i % grid->ncolumn);
        int fill = (int)(width[c] - width_of(grid->cell[i]));
        bool last = c + 1 == grid->ncolumn;

        trod_put(
            sink, "%s%*s%s", c ? "  " : "", right[c] ? fill : 0, "", grid->cell[i]);
        trod_put(sink, "%*s%s", right[c] || last ? 0 : fill, "", last ? "\n" : "");
    }
}

/* --- designs ----------------------------------------------------------------------------------------- */

static const char *column_name(
    const struct trod_study *study, uint32_t column, struct trod_arena *mem)
{
    struct trod_string name;

    trod_string_init(&name, mem);
    trod_effect_name(&name.sink, study, UINT64_C(1) << column);
    return name.text;
}

static const char *cell_value(const struct trod_study *study,
    const struct trod_designs *designs, uint32_t design, uint32_t column)
{
    if (column < study->nparameter)
        return trod_design_value(study, designs, design, column);
    return trod_design_level(designs, design, column) ? "+" : "-";
}

static const char *number_text(uint32_t number, struct trod_arena *mem)
{
    return trod_format(mem, "%u", number);
}

static void add_design(struct grid *grid, const struct trod_study *study,
    const struct trod_designs *designs, uint32_t design, uint32_t ncolumn)
{
    add(grid, number_text(design, grid->mem));
    for (uint32_t c = 0; c < ncolumn; c++)
        add(grid, cell_value(study, designs, design, c));
}

static void add_design_heads(
    struct grid *grid, const struct trod_study *study, uint32_t ncolumn)
{
    add(grid, "design");
    for (uint32_t c = 0; c < ncolumn; c++)
        add(grid, column_name(study, c, grid->mem));
}

void trod_designs_report(struct trod_sink *sink, const struct trod_study *study,
    const struct trod_designs *designs, struct trod_arena *mem)
{
    struct grid grid = {.mem = mem, .ncolumn = designs->ncolumn + 1};

    add_design_heads(&grid, study, designs->ncolumn);
    for (uint32_t d = 0; d < designs->ndesign; d++)
        add_design(&grid, study, designs, d, designs->ncolumn);
    put_grid(sink, &grid);
}

/* --- CSV ----------------------------------------------------------------------------------------------- */

static bool is_value(const char *text)
{
    char *end;

    strtod(text, &end);
    return !*end;
}

/* Quoted where RFC 4180 requires it. Spreadsheets execute text that begins with = + - or @ as a
 * formula; an apostrophe in front prevents that.
 */
static void put_csv(struct trod_sink *sink, const char *text)
{
    bool formula = *text && strchr("=+-@\t\r", *text) && !is_value(text);

    if (!strpbrk(text, ",\"\r\n")) {
        trod_put(sink, "%s%s", formula ? "'" : "", text);
        return;
    }
    trod_put(sink, "\"%s", formula ? "'" : "");
    for (; *text; text++)
        trod_put(sink, *text == '"' ? "\"\"" : "%c", *text);
    trod_put(sink, "\"");
}

static void put_parameters_csv(struct trod_sink *sink, const struct trod_study *study,
    const struct trod_designs *designs, uint32_t design)
{
    for (uint32_t p = 0; p < study->nparameter; p++) {
        trod_put(sink, ",");
        put_csv(sink, designs ? trod_design_value(study, designs, design, p)
                              : study->parameter[p].name);
    }
}

void trod_designs_csv(struct trod_sink *sink, const struct trod_study *study,
    const struct trod_designs *designs)
{
    trod_put(sink, "design");
    put_parameters_csv(sink, study, NULL, 0);
    trod_put(sink, "\n");
    for (uint32_t d = 0; d < designs->ndesign; d++) {
        trod_put(sink, "%u", d);
        put_parameters_csv(sink, study, designs, d);
        trod_put(sink, "\n");
    }
}

void trod_explore_csv(struct trod_sink *sink, const struct trod_explored *explored)
{
    const struct trod_study *study = &explored->study;

    trod_put(sink, "stream,design");
    put_parameters_csv(sink, study, NULL, 0);
    trod_put(sink, ",measure,value\n");
    for (uint32_t s = 0; s < explored->nstream; s++)
        for (uint32_t d = 0; d < explored->designs.ndesign; d++)
            for (uint32_t m = 0; m < study->nmeasure; m++) {
                double value = trod_explored_value(explored, s, d, m);

                put_csv(sink, explored->stream[s]);
                trod_put(sink, ",%u", d);
                put_parameters_csv(sink, study, &explored->designs, d);
                trod_put(sink, ",");
                put_csv(sink, study->measure[m]);
                trod_put(sink, ",");
                if (!isnan(value))
                    trod_explore_put_number(sink, value);
                trod_put(sink, "\n");
            }
}

/* --- text ------------------------------------------------------------------------------------------------ */

enum { MEANS_SHOWN = 40 }; /* designs; for more, use CSV */

static void print_means(
    struct trod_sink *sink, const struct trod_explored *of, struct trod_arena *mem)
{
    const struct trod_study *study = &of->study;
    struct grid grid = {.mem = mem, .ncolumn = 1 + study->nparameter + study->nmeasure};
    uint32_t shown =
        of->designs.ndesign < MEANS_SHOWN ? of->designs.ndesign : MEANS_SHOWN;

    trod_put(sink, "means of %u stream%s", of->nstream, of->nstream == 1 ? "" : "s");
    if (shown < of->designs.ndesign)
        trod_put(sink, ", of the first %u of %u designs", shown, of->designs.ndesign);
    trod_put(sink, "\n");
    add_design_heads(&grid, study, study->nparameter);
    for (uint32_t m = 0; m < study->nmeasure; m++)
        add(&grid, study->measure[m]);
    for (uint32_t d = 0; d < shown; d++) {
        add_design(&grid, study, &of->designs, d, study->nparameter);
        for (uint32_t m = 0; m < study->nmeasure; m++)
            add_number(&grid, trod_explored_mean(of, d, m), 3);
    }
    put_grid(sink, &grid);
}

static void print_best(
    struct trod_sink *sink, const struct trod_explored *of, uint32_t measure)
{
    double mean;
    uint32_t best = trod_explored_best(&mean, of, measure);

    if (best == UINT32_MAX)
        return;
    trod_put(sink, "highest: design %u, %.3f:", best, mean);
    for (uint32_t p = 0; p < of->study.nparameter; p++)
        trod_put(sink, " %s %s", of->study.parameter[p].name,
            trod_design_value(&of->study, &of->designs, best, p));
    trod_put(sink, "\n");
}

static void print_effects(struct trod_sink *sink, const struct trod_explored *of,
    const struct trod_effects *effects, struct trod_arena *mem)
{
    bool shares = of->study.kind != TROD_EXPLORE_SWEEP;
    bool each = of->nstream > 1 && of->nstream <= 16;
    struct grid grid = {.mem = mem, .ncolumn = shares ? 4 : 3};

    if (each)
        grid.ncolumn += of->nstream;
    add(&grid, "effect of");
    add(&grid, "mean");
    if (shares)
        add(&grid, "share %");
    add(&grid, "sum of ranks");
    for (uint32_t s = 0; each && s < of->nstream; s++)
        add(&grid, of->stream[s]);
    for (uint32_t i = 0; i < effects->neffect; i++) {
        const struct trod_effect *e = &effects->effect[i];
        struct trod_string name;

        trod_string_init(&name, mem);
        trod_effect_name(&name.sink, &of->study, e->columns);
        add(&grid, name.text);
        add_number(&grid, e->mean, 3);
        if (shares)
            add_number(&grid, 100 * e->mean_share, 1);
        add_rank(&grid, e->sum);
        for (uint32_t s = 0; each && s < of->nstream; s++)
            add_rank(&grid, e->rank[s]);
    }
    put_grid(sink, &grid);
}

static void print_missing(
    struct trod_sink *sink, const struct trod_explored *of, uint32_t measure)
{
    for (uint32_t i = 0; i < of->nmissing; i++)
        if (of->missing[i].measure == measure) {
            trod_put(sink, "# ");
            trod_explore_put_missing(sink, of, &of->missing[i]);
            trod_put(sink, "\n");
        }
}

void trod_explore_report(struct trod_sink *sink, const struct trod_explored *explored,
    uint32_t order, struct trod_arena *mem)
{
    const struct trod_study *study = &explored->study;

    print_means(sink, explored, mem);
    for (uint32_t m = 0; m < study->nmeasure; m++) {
        struct trod_effects effects;

        trod_effects_build(&effects, explored, m, order, mem);
        trod_put(sink, "\n%s\n", study->measure[m]);
        print_best(sink, explored, m);
        if (effects.nranked < explored->nstream)
            trod_put(sink,
                "without %u stream%s that cannot be measured in all designs\n",
                explored->nstream - effects.nranked,
                explored->nstream - effects.nranked == 1 ? "" : "s");
        print_missing(sink, explored, m);
        if (effects.neffect && effects.nranked)
            print_effects(sink, explored, &effects, mem);
    }
}

/* --- JSON -------------------------------------------------------------------------------------------------- */

/* Unknown values are omitted. */
static void put_real(struct trod_json *json, const char *key, double value)
{
    if (!isnan(value))
        trod_json_real(json, key, value);
}

static void json_study(struct trod_json *json, const struct trod_explored *of)
{
    static const char *const kind[] = {"sweep", "factorial", "burman"};
    const struct trod_study *study = &of->study;

    trod_json_text(json, "study", study->name);
    trod_json_text(json, "kind", kind[study->kind]);
    if (study->kind == TROD_EXPLORE_BURMAN) {
        trod_json_uint(json, "runs", study->nrun);
        trod_json_bool(json, "foldover", study->foldover);
    }
    trod_json_open(json, "parameters", '[');
    for (uint32_t p = 0; p < study->nparameter; p++) {
        const struct trod_explore_parameter *parameter = &study->parameter[p];

        trod_json_open(json, NULL, '{');
        trod_json_text(json, "name", parameter->name);
        trod_json_text(json, "base", parameter->value[parameter->base]);
        trod_json_open(json, "values", '[');
        for (uint32_t v = 0; v < parameter->nvalue; v++)
            trod_json_text(json, NULL, parameter->value[v]);
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_values(struct trod_json *json, const struct trod_explored *of)
{
    trod_json_open(json, "values", '[');
    for (uint32_t s = 0; s < of->nstream; s++)
        for (uint32_t d = 0; d < of->designs.ndesign; d++) {
            trod_json_open(json, NULL, '{');
            trod_json_text(json, "stream", of->stream[s]);
            trod_json_uint(json, "design", d);
            trod_json_open(json, "is", '{');
            for (uint32_t p = 0; p < of->study.nparameter; p++)
                trod_json_text(json, of->study.parameter[p].name,
                    trod_design_value(&of->study, &of->designs, d, p));
            trod_json_close(json, '}');
            trod_json_open(json, "has", '{');
            for (uint32_t m = 0; m < of->study.nmeasure; m++)
                put_real(json, of->study.measure[m], trod_explored_value(of, s, d, m));
            trod_json_close(json, '}');
            trod_json_close(json, '}');
        }
    trod_json_close(json, ']');
}

static void json_effect(struct trod_json *json, const struct trod_explored *of,
    const struct trod_effects *effects, const struct trod_effect *e,
    struct trod_arena *mem)
{
    struct trod_string name;

    trod_string_init(&name, mem);
    trod_effect_name(&name.sink, &of->study, e->columns);
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "measure", of->study.measure[effects->measure]);
    trod_json_text(json, "of", name.text);
    trod_json_bool(json, "dummy", e->columns >> of->study.nparameter != 0);
    put_real(json, "mean", e->mean);
    put_real(json, "share", e->mean_share);
    trod_json_real(json, "sum_of_ranks", e->sum);
    trod_json_open(json, "streams", '[');
    for (uint32_t s = 0; s < of->nstream; s++) {
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "stream", of->stream[s]);
        put_real(json, "effect", e->effect[s]);
        put_real(json, "share", e->share[s]);
        put_real(json, "rank", e->rank[s]);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

void trod_explore_json(struct trod_json *json, const struct trod_explored *explored,
    uint32_t order, struct trod_arena *mem)
{
    json_study(json, explored);
    json_values(json, explored);
    trod_explore_json_missing(json, explored);
    trod_json_open(json, "effects", '[');
    for (uint32_t m = 0; m < explored->study.nmeasure; m++) {
        struct trod_effects effects;

        trod_effects_build(&effects, explored, m, order, mem);
        for (uint32_t i = 0; effects.nranked && i < effects.neffect; i++)
            json_effect(json, explored, &effects, &effects.effect[i], mem);
    }
    trod_json_close(json, ']');
}
