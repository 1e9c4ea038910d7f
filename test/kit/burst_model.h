/* What tests of bursts share: a program that does nothing but come to events, as emitted code does it, with
 * a clock of its own; and a model of all that is promised of its bursts, looked at event by event.
 */
#ifndef KIT_BURST_MODEL_H
#define KIT_BURST_MODEL_H

#include "kit/kit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "burst/burst_plan.h"

enum { BURST_MODEL_ACTIVATIONS = 8 };

enum burst_model_fault {
    BURST_MODEL_RIGHT,
    BURST_MODEL_TWICE,  /* code subtracts 2 now and then */
    BURST_MODEL_DEAF,   /* code in the slow copy does not report all events */
    BURST_MODEL_ASTRAY, /* code reports another word than it subtracted from */
    BURST_MODEL_EARLY,  /* code leaves bursts before they are over */
    BURST_MODEL_LONGER  /* the model has bursts of one event more */
};

/* The state of the model, for one type. */
struct burst_model_type {
    uint64_t rest; /* events of a burst to come */
    uint64_t non, nbegun;
    uint64_t
        off[TROD_RT_SKIPS];    /* events that were off, of a word, since it began one */
    bool begun[TROD_RT_SKIPS]; /* whether it did */
};

struct burst_model {
    struct trod_burst_options options;
    struct trod_burst_plan plan;
    struct trod_format_burst shared;
    int64_t skip[TROD_RT_SKIPS];
    uint64_t own[BURST_MODEL_ACTIVATIONS];
    struct burst_model_type type[TROD_BURST_TYPES];
    uint64_t nevent;
    uint64_t mask; /* of the last event */
    enum burst_model_fault fault;
    const char *why;
};

/* --- random numbers, independent of those of plans ---------------------------------------------- */

static uint64_t burst_model_drawn;

static inline uint64_t burst_model_draw(uint64_t bound)
{
    burst_model_drawn = burst_model_drawn * UINT64_C(6364136223846793005) +
                        UINT64_C(1442695040888963407);
    return (burst_model_drawn >> 33) * bound >> 31;
}

/* --- a clock ------------------------------------------------------------------------------------ */

enum { BURST_MODEL_LOOK = TROD_BURST_LOOK }; /* ticks that reading the clock takes */

static uint64_t burst_model_now, burst_model_looks;

static inline uint64_t burst_model_clock(void)
{
    burst_model_looks++;
    return burst_model_now += BURST_MODEL_LOOK;
}

/* --- running -------------------------------------------------------------------------------------- */

static inline const char *burst_model_open(
    struct burst_model *f, const char *text, uint64_t seed)
{
    const char *why;
    uint32_t t, i;

    memset(f, 0, sizeof *f);
    __trod_burst_options_default(&f->options);
    if (!__trod_burst_options_parse(&f->options, text, &why))
        return why;
    f->plan.clock = burst_model_clock;
    __trod_burst_open(&f->plan, &f->options, &f->shared, f->skip, seed);
    for (i = 0; i < f->plan.ngroup; i++) { /* a thread may begin in the middle of one */
        for (t = 0; t < TROD_BURST_TYPES; t++) {
            if (f->plan.group[i].types >> t & 1) {
                f->type[t].rest = f->plan.group[i].rest;
                f->type[t].nbegun = f->plan.group[i].nburst;
            }
        }
    }
    return NULL;
}

/* An event at this word, of this activation: as emitted code does it. */
static inline uint64_t burst_model_event(
    struct burst_model *f, unsigned word, unsigned activation)
{
    uint64_t *own = f->own + activation;
    bool odd = f->fault && burst_model_draw(64) == 0;
    unsigned subtracted =
        odd && f->fault == BURST_MODEL_ASTRAY ? (word + 1) % f->options.words : word;

    f->nevent++;
    if (odd && f->fault == BURST_MODEL_EARLY)
        *own = 0;
    if (*own && (f->plan.types >> TROD_BURST_STREAMS & 1)) {
        if (!odd || f->fault != BURST_MODEL_DEAF)
            *own = __trod_burst_event(&f->plan, subtracted, true);
    } else if (!*own || !odd || f->fault != BURST_MODEL_DEAF) {
        *own = 0;
        f->skip[word] -= odd && f->fault == BURST_MODEL_TWICE ? 2 : 1;
        if (f->skip[word] < 0 && !(odd && f->fault == BURST_MODEL_EARLY))
            *own = __trod_burst_event(&f->plan, subtracted, false);
    }
    return f->mask = *own;
}

/* --- invariants ------------------------------------------------------------------------------------- */

/* The least and most events that are off between bursts. */
static inline void burst_model_range(
    const struct burst_model *f, int t, uint64_t *least, uint64_t *most)
{
    uint64_t sparsity = f->shared.type[t].sparsity, half = sparsity / 2;

    *least = *most = sparsity;
    if (f->options.period == TROD_BURST_JITTER) {
        *least -= half;
        *most += half;
    } else if (f->options.period == TROD_BURST_GEOMETRIC) {
        *least = 0;
        *most = UINT64_MAX;
    }
}

static inline const char *burst_model_check_off(
    struct burst_model *f, int t, unsigned word)
{
    struct burst_model_type *m = f->type + t;
    uint64_t least, most;

    burst_model_range(f, t, &least, &most);
    if (m->rest)
        return "an event in the middle of a burst is not sampled";
    return ++m->off[word] > most ? "too many events pass between bursts" : NULL;
}

static inline const char *burst_model_check_on(
    struct burst_model *f, int t, unsigned word)
{
    struct burst_model_type *m = f->type + t;
    uint64_t least, most,
        burst = f->options.burst[t] + (f->fault == BURST_MODEL_LONGER);

    burst_model_range(f, t, &least, &most);
    m->non++;
    if (!m->rest) {
        if (m->begun[word] && m->off[word] < least)
            return "too few events pass between bursts";
        m->nbegun++;
        m->begun[word] = true;
        m->off[word] = 0;
        m->rest = burst;
    }
    m->rest--;
    return NULL;
}

/* The last event was of this word. Only of plans whose rates stay as they are. */
static inline bool burst_model_check(struct burst_model *f, unsigned word)
{
    bool held = false;
    int t, k;

    for (t = 0; t < TROD_BURST_TYPES && !f->why; t++) {
        struct burst_model_type *m = f->type + t;

        if (!(f->options.types >> t & 1))
            continue;
        f->why = f->mask >> t & 1 ? burst_model_check_on(f, t, word)
                                  : burst_model_check_off(f, t, word);
        held |= m->rest != 0;
        if (!f->why && m->non &&
            (m->non != f->shared.type[t].nevent ||
                m->nbegun != f->shared.type[t].nburst))
            f->why = "the events in the file are not those of the model";
    }
    for (k = 0; held && k < (int)f->options.words && !f->why; k++)
        if (f->skip[k] >= 0)
            f->why = "an event of a burst could pass";
    return !f->why;
}

#endif
