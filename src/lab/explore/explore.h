/* explore: many designs on the same streams, and the effect of each parameter.
 *
 *     text -> study -> designs -> (a model, over streams) -> values -> effects, ranks
 *
 * After Yi, Lilja and Hawkins, "A Statistically Rigorous Approach for Improving Simulation Methodology", HPCA
 * 2003, as Vaswani, "Efficient Online Path Profiling", section 5.5. A study says which parameters a model
 * has, which values each may take, and which combinations of them are to be tried. All of them are evaluated
 * in one pass over a stream, so that nothing else differs.
 *
 * Glossary
 *   parameter  a name and its values, which are words or numbers; the first, or the one that is marked, is its base
 *   fixed      said of a parameter with one value
 *   design     one value for each parameter
 *   level      index of a parameter's value, from 0
 *   measure    a quantity that is measured for a design on a stream
 *   sweep      one parameter at a time, the others at their base
 *   factorial  every combination
 *   burman     two levels each, in a few designs that are balanced for any two parameters (Plackett and Burman)
 *   foldover   the same designs again with all levels exchanged: main effects are not confounded with interactions of two
 *   dummy      a column of a burman design without a parameter: its effect is noise, and interactions
 *   effect     of a parameter on a measure: with two levels, the mean at the second minus that at the
 *              first; with more, the highest mean minus the lowest
 *   interaction  a joint effect of parameters, beyond those of each of them and of smaller sets
 *   share      the part of all variation (sum of squares) that an effect accounts for
 *   rank       of an effect on a stream: 1 is the largest. Equal effects share the mean of their ranks
 *
 * Memory: results are in the given arena, and refer to their inputs.
 */
#ifndef TROD_EXPLORE_H
#define TROD_EXPLORE_H

#include "base/base.h"
#include "branch/branch.h"

/* --- studies ------------------------------------------------------------------------------------ */

enum trod_explore_kind {
    TROD_EXPLORE_SWEEP,
    TROD_EXPLORE_FACTORIAL,
    TROD_EXPLORE_BURMAN,
    TROD_EXPLORE_KINDS
};

enum {
    TROD_EXPLORE_PARAMETERS =
        47, /* at most: as many as the largest burman design has columns */
    TROD_EXPLORE_VALUES = 64, /* of a parameter */
    TROD_EXPLORE_MEASURES = 16,
    TROD_EXPLORE_DESIGNS = 4096,
    TROD_EXPLORE_STREAMS = 1024,
    TROD_BURMAN_MOST = 48 /* runs, without foldover: a multiple of 4, from 4 */
};

struct trod_explore_parameter {
    const char *name;
    const char *const *value; /* [nvalue], each once */
    uint32_t nvalue;          /* at least 1 */
    uint32_t base;
};

struct trod_study {
    const char *name;
    enum trod_explore_kind kind;
    uint32_t nrun; /* of burman; foldover doubles them */
    bool foldover;
    const struct trod_explore_parameter *parameter; /* each name once */
    uint32_t nparameter;
    const char *const *measure; /* each once; at least one */
    uint32_t nmeasure;
};

/* UINT32_MAX: none of that name. */
uint32_t trod_study_find(const struct trod_study *study, const char *parameter);

/* --- hadamard.c: two levels, balanced ------------------------------------------------------------ */

/* A design of n runs and n - 1 columns, each half high and half low, any two columns with all four combinations
 * equally often.
 *
 * fills:  high[run * (n - 1) + column]
 * fails:  false where n is not a multiple of 4, or no design is known; all up to TROD_BURMAN_MOST are
 * paper:  Plackett & Burman, "The Design of Optimum Multifactorial Experiments", Biometrika 33, 1946: their
 *         first rows, rotated; for others, Paley's constructions by quadratic residues, and Sylvester's doubling
 */
bool trod_hadamard_fill(uint8_t *high, uint32_t n, struct trod_arena *mem);

/* Is it balanced, and are all columns orthogonal? For nrow rows of ncolumn columns. */
bool trod_hadamard_check(const uint8_t *high, uint32_t nrow, uint32_t ncolumn);

/* --- explore_design.c: designs ---------------------------------------------------------- */

struct trod_designs {
    uint32_t ndesign;
    uint32_t ncolumn;      /* parameters in their order, then dummies */
    const uint32_t *level; /* [design * ncolumn + column]; for dummies 0 or 1 */
};

/* Where to look for the level of a parameter in a design. */
static inline uint32_t trod_design_level(
    const struct trod_designs *designs, uint32_t design, uint32_t column)
{
    return designs->level[(size_t)design * designs->ncolumn + column];
}

/* needs:  a valid study
 * fails:  TROD_E_LIMIT if there are more than TROD_EXPLORE_DESIGNS
 */
bool trod_designs_build(struct trod_designs *out, const struct trod_study *study,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The value that a design has of a parameter. */
const char *trod_design_value(const struct trod_study *study,
    const struct trod_designs *designs, uint32_t design, uint32_t parameter);

/* The number of the one design with these levels; UINT32_MAX: there is none. */
uint32_t trod_designs_find(
    const struct trod_designs *designs, const uint32_t *level, uint32_t nparameter);

/* --- measurements ------------------------------------------------------------------------------ */

/* Why a stream lacks values of a measure: there was more than the limit. */
struct trod_explore_lack {
    uint32_t stream, measure;
    const char *what; /* is limited: `addresses` */
    uint64_t count, limit;
};

struct trod_explored {
    struct trod_study study;
    struct trod_designs designs;
    const char *const *stream; /* names, each once */
    uint32_t nstream;
    const double *value; /* by stream, then design, then measure; NaN: not measured */
    const struct trod_explore_lack *missing; /* ascending by stream, then measure */
    uint32_t nmissing;
};

static inline double trod_explored_value(
    const struct trod_explored *of, uint32_t stream, uint32_t design, uint32_t measure)
{
    return of
        ->value[((size_t)stream * of->designs.ndesign + design) * of->study.nmeasure +
                measure];
}

/* --- explore_run.c: models --------------------------------------------------------------------------- */

/* A parameter of a model. */
struct trod_explore_knob {
    const char *name;
    const char *const *word; /* NULL-terminated, of words; or NULL: a number */
    uint64_t least, most;    /* of numbers */
    bool power;              /* only powers of two */
    const char *usual;       /* default value */
    const char *what;        /* in a few words */
};

struct trod_explore_metric {
    const char *name;
    const char *what;
};

/* All designs of a study, on one stream. The stream must be complete before result is called. */
struct trod_explore_trial {
    struct trod_branch_sink *sink;
    /* value[design * nmeasure + measure] */
    bool (*result)(double *value, struct trod_explore_trial *trial,
        struct trod_arena *mem, struct trod_err *err);
    void *ctx;
    /* After result: why a measure of the study has no values in some designs. False: it has, or it is not known why. NULL: no
     * measure is limited. `what` must not be in the trial's arena. */
    bool (*missing)(struct trod_explore_lack *out, uint32_t measure,
        const struct trod_explore_trial *trial);
};

/* What can be explored: knobs, metrics, and a function that creates a trial. */
struct trod_explore_model {
    const struct trod_explore_knob *knob;     /* ends with one without a name */
    const struct trod_explore_metric *metric; /* likewise */
    /* Fails if values are incompatible: the message names the design. */
    bool (*make)(struct trod_explore_trial *out, const struct trod_explore_model *model,
        const struct trod_study *study, const struct trod_designs *designs,
        struct trod_arena *mem, struct trod_err *err);
    const void *ctx; /* of the model */
};

/* Does the model have all parameters and measures of the study, with these values?
 *
 * fails:  TROD_E_INPUT, with the name, and the valid ones
 */
bool trod_explore_fits(const struct trod_explore_model *model,
    const struct trod_study *study, struct trod_err *err) TROD_MUST_CHECK;

/* The value of a knob in a design: that of the study's parameter, or the default. For words, the index. */
uint64_t trod_explore_number(const struct trod_explore_model *model,
    const struct trod_study *study, const struct trod_designs *designs, uint32_t design,
    const char *knob);

/* Feeds a stream to a sink, from its beginning to its end. */
struct trod_explore_source {
    const char *name;
    bool (*feed)(struct trod_branch_sink *sink, void *ctx, struct trod_err *err);
    void *ctx;
};

/* All designs of a study on one live stream: feed live->trial.sink, then finish. */
struct trod_explore_live {
    const struct trod_study *study;
    struct trod_designs designs;
    struct trod_explore_trial trial;
};

/* needs:  a valid study that fits the model, and an arena that is not rewound meanwhile */
bool trod_explore_begin(struct trod_explore_live *out, const struct trod_study *study,
    const struct trod_explore_model *model, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
bool trod_explore_finish(struct trod_explored *out, struct trod_explore_live *live,
    const char *stream, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Run all designs over all streams.
 *
 * needs:  a valid study that fits the model; names of streams, each once
 */
bool trod_explore_run(struct trod_explored *out, const struct trod_study *study,
    const struct trod_explore_model *model, const struct trod_explore_source *source,
    uint32_t nsource, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- explore_effect.c: effects ---------------------------------------------------- */

struct trod_effect {
    uint64_t columns;  /* which: more than one bit is an interaction */
    double *effect;    /* [nstream]; NaN where a value is */
    double *share;     /* [nstream]; NaN likewise, and in sweeps */
    double *rank;      /* [nstream] */
    double sum;        /* of ranks; the lower, the more important */
    double mean;       /* effect, of the streams that have one */
    double mean_share; /* likewise */
};

/* Of one measure. */
struct trod_effects {
    uint32_t measure;
    uint32_t nranked; /* streams whose values are all known */
    struct trod_effect
        *effect; /* in ascending order of sums of ranks, then of columns */
    uint32_t neffect;
};

/* of:  all effects that a study can estimate: of a burman design all columns, dummies too; of a factorial all sets of at
 *      most `order` parameters (0: two); of a sweep each parameter. Fixed ones have none.
 * cost: O(effects x designs x 2^order)
 */
void trod_effects_build(struct trod_effects *out, const struct trod_explored *of,
    uint32_t measure, uint32_t order, struct trod_arena *mem);

/* `entries`, `entries:ways`, `dummy 2` */
void trod_effect_name(
    struct trod_sink *sink, const struct trod_study *study, uint64_t columns);

/* The design with the best mean over the streams with values, and that mean. */
uint32_t trod_explored_best(
    double *mean, const struct trod_explored *of, uint32_t measure);

/* The mean of a measure over streams, of a design; NaN: no stream has one. */
double trod_explored_mean(
    const struct trod_explored *of, uint32_t design, uint32_t measure);

/* --- explore_text.c: the text form ---------------------------------------------------------------------- */

/* What follows `study NAME`, up to a line that does not belong to it; values of streams, if there are any. Messages
 * have line and column.
 *
 *     study table
 *     design burman 12 foldover     # or: sweep, factorial
 *     measure frequency misses
 *     entries 128 2048              # parameters; * before the base, if that is not the first
 *     policy lfu
 *     stream gzip                   # measured: all designs in their order
 *     missing misses addresses 9 8  # a measure without values, as there were 9 addresses and 8 is the limit
 *     run 0 88.1 95.5
 *     run 1 ? 61
 */
bool trod_explored_parse(struct trod_explored *out, const char *name,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
void trod_study_print(struct trod_sink *sink, const struct trod_study *study);
void trod_explored_print(struct trod_sink *sink, const struct trod_explored *explored);

/* A number with the fewest digits that read back as the same value. */
void trod_explore_put_number(struct trod_sink *sink, double value);

/* --- explore_check.c: the validators ----------------------------------------------------------------------- */

/* Names and values exist and are unique, bases are in range, numbers of parameters and runs are valid. */
bool trod_study_check(
    const struct trod_study *study, struct trod_err *err) TROD_MUST_CHECK;

/* Levels are in range, designs are unique, except in burman designs, which are balanced. */
bool trod_designs_check(const struct trod_designs *designs,
    const struct trod_study *study, struct trod_err *err) TROD_MUST_CHECK;

/* Both, no value that is infinite, and a limit that was exceeded where something is missing. */
bool trod_explored_check(
    const struct trod_explored *explored, struct trod_err *err) TROD_MUST_CHECK;

/* --- explore_missing.c: values that are missing, and why ------------------------------------------------- */

/* A sentence: what is missing, why, and what to do. */
void trod_explore_put_missing(struct trod_sink *sink,
    const struct trod_explored *explored, const struct trod_explore_lack *missing);

/* In the text form; as a member `missing` of the open object; and the validator. For the functions of the same name. */
void trod_explore_print_missing(
    struct trod_sink *sink, const struct trod_explored *explored, uint32_t stream);
void trod_explore_json_missing(
    struct trod_json *json, const struct trod_explored *explored);
bool trod_explore_check_missing(
    const struct trod_explored *explored, struct trod_err *err) TROD_MUST_CHECK;

/* --- explore_print.c, explore_draw.c: output ---------------------------------------------------------------- */

/* The designs, one per line, as a table for people; the same as CSV. */
void trod_designs_report(struct trod_sink *sink, const struct trod_study *study,
    const struct trod_designs *designs, struct trod_arena *mem);
void trod_designs_csv(struct trod_sink *sink, const struct trod_study *study,
    const struct trod_designs *designs);

/* Of each measure: means by design, the best one, and effects with ranks. */
void trod_explore_report(struct trod_sink *sink, const struct trod_explored *explored,
    uint32_t order, struct trod_arena *mem);

/* A line for each stream, design and measure. */
void trod_explore_csv(struct trod_sink *sink, const struct trod_explored *explored);

/* As members of the open object. */
void trod_explore_json(struct trod_json *json, const struct trod_explored *explored,
    uint32_t order, struct trod_arena *mem);

/* A picture, as SVG: effects by sums of ranks; of sweeps, means by value. */
void trod_explore_draw(struct trod_sink *sink, const struct trod_explored *explored,
    uint32_t order, struct trod_arena *mem);

/* --- explore_hardware.c: the profiling hardware ------------------------------------------------------------------ */

/* Hot path tables, caches and predictors, the queue of the profiler, sampling in bursts. */
extern const struct trod_explore_model trod_explore_hardware;

enum { TROD_EXPLORE_REFS = 1 << 25 };

/* Context of this model; NULL: all are 0. */
struct trod_explore_hardware_options {
    uint64_t
        most_refs; /* limit on addresses recorded for streams; 0: TROD_EXPLORE_REFS */
};

/* --- builtin_studies.c: studies of the thesis ------------------------------------------------------------------- */

struct trod_explore_known {
    const char *name;
    const char *what;
    const char *text; /* a study, in the text form */
};

/* Ends with one without a name. */
extern const struct trod_explore_known trod_explore_known[];

#endif
