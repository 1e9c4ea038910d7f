/* What properties of the detector of paths share: the runs of a walk, lists of paths, and the paths that a detector
 * finds in these runs.
 */
#ifndef PROP_DETECTED_PATHS_H
#define PROP_DETECTED_PATHS_H

#include "scratch.h"

#include <inttypes.h>
#include <string.h>

#include "kit/machine_program.h"
#include "model/model.h"

enum { RUNS = 700, PATHS = 2000, LONGEST = 1000 };

/* --- runs of a walk -------------------------------------------------------------------------------- */

struct happened {
    struct trod_branch_sink sink;
    struct trod_arena *mem;
    struct {
        struct trod_run run; /* code is NULL: its thread ended */
    } at[RUNS];
    uint32_t count;
};

static inline void note_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct happened *h = (struct happened *)to;

    if (h->count < RUNS) {
        struct trod_code *code = trod_new(h->mem, struct trod_code, 1);

        *code = *run->code;
        h->at[h->count].run = *run;
        h->at[h->count].run.access = NULL;
        h->at[h->count++].run.code = code;
    }
}

static inline void note_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct happened *h = (struct happened *)to;

    if (h->count < RUNS)
        h->at[h->count++].run = (struct trod_run){.thread = thread};
}

static inline struct happened *walk(
    struct kit_prop *p, const struct kit_walk_options *options, struct trod_arena *mem)
{
    struct happened *h = trod_new(mem, struct happened, 1);

    h->sink = (struct trod_branch_sink){.run = note_run, .end = note_end};
    h->mem = mem;
    kit_walk(&h->sink, p, options, mem);
    return h;
}

/* --- paths -------------------------------------------------------------------------------------------- */

struct path {
    uint64_t start, function, ninsn, count;
    uint32_t length;
    uint64_t word[TROD_WORDS(LONGEST)];
};

struct paths {
    uint32_t count;
    struct path at[PATHS];
};

static inline void add_path(struct paths *out, const struct path *path)
{
    if (out->count < PATHS)
        out->at[out->count++] = *path;
}

static inline void note_path(
    struct kit_prop *p, const char *whose, const struct path *path)
{
    char outcome[80] = "";

    for (uint32_t i = 0; i < path->length && i < 70; i++)
        outcome[i] = trod_has(path->word, i) ? 'T' : 'N';
    kit_note(p,
        "%s: start %" PRIx64 " function %" PRIx64 " %s, %" PRIu64
        " instructions, count %" PRIu64,
        whose, path->start, path->function, outcome, path->ninsn, path->count);
}

/* --- paths, by a detector ------------------------------------------------------------------------------------ */

static inline void take_ends(
    struct paths *out, const struct trod_detector *d, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct trod_path_end *e = &d->end[i];
        struct path path;

        if (!e->reported || e->path.length > LONGEST)
            continue;
        memset(&path, 0, sizeof path);
        path.start = e->path.start;
        path.function = e->path.function;
        path.ninsn = e->ninsn;
        path.count = e->count;
        path.length = e->path.length;
        memcpy(path.word, e->path.outcome, TROD_WORDS(path.length) * sizeof *path.word);
        add_path(out, &path);
    }
}

/* A fault: which run is flipped or lost on its way to the detector, if one is. */
struct spoilt_run {
    uint64_t at;
    bool flipped; /* its outcome is the other */
    bool lost;
};

static inline bool detect(struct paths *out, const struct happened *h,
    const struct trod_control *c, const struct spoilt_run *spoilt, struct sample *s)
{
    struct trod_detector d;

    trod_detector_init(&d, c, &s->mem);
    for (uint32_t i = 0; i < h->count; i++) {
        struct trod_run run = h->at[i].run;

        if (!run.code) {
            take_ends(out, &d, trod_detector_end(&d, run.thread));
            continue;
        }
        if (i == spoilt->at && spoilt->lost)
            continue;
        if (i == spoilt->at && spoilt->flipped)
            run.taken = !run.taken;
        take_ends(out, &d, trod_detector_run(&d, &run, 1));
        if (!trod_detector_check(&d, &s->err))
            return false;
    }
    return true;
}

#endif
