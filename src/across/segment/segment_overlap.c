#include "profile/overlap.h"
#include "segment/segment.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- functions of both lists ------------------------------------------------------------------- */

/* A function of one of the two lists, with its key. */
struct known {
    const char *key;
    const char *name;
    struct trod_identity identity;
    uint32_t function;
    bool in_b;
};

static const struct trod_identity *identity_of(
    const struct trod_segments *segments, uint32_t f)
{
    return segments->identity && segments->identity[f].npath ? &segments->identity[f]
                                                             : NULL;
}

static void take_functions(struct known *out, const struct trod_segments *from,
    bool in_b, bool by_name, struct trod_arena *mem)
{
    for (uint32_t f = 0; f < from->function.count; f++) {
        const struct trod_identity *i = identity_of(from, f);
        struct trod_string key;

        trod_string_init(&key, mem);
        if (i && !by_name)
            trod_put(&key.sink, "%016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %" PRIu64,
                i->name, i->graph, i->cuts, i->npath);
        else
            trod_put(&key.sink, "'%s", from->function.name[f]);
        out[f] = (struct known){.key = key.text,
            .name = from->function.name[f],
            .function = f,
            .in_b = in_b};
        if (i)
            out[f].identity = *i;
    }
}

TROD_ORDER(by_key, struct known, TROD_ALPHABETIC(key), a->in_b - b->in_b)

/* Functions of both lists, ordered by key. */
struct functions {
    uint32_t *of[2]; /* by number in list A, and in list B */
    struct trod_names name;
    struct trod_identity *identity;
    bool common;
};

static void join_functions(struct functions *out, const struct trod_segments *a,
    const struct trod_segments *b, struct trod_arena *mem)
{
    uint32_t n = a->function.count + b->function.count, kept = 0;
    struct known *known = trod_new(mem, struct known, n);
    const char **name = trod_new(mem, const char *, n);
    bool by_name = !a->identity || !b->identity;

    *out = (struct functions){.of = {trod_new(mem, uint32_t, a->function.count),
                                  trod_new(mem, uint32_t, b->function.count)},
        .identity = trod_new(mem, struct trod_identity, n)};
    take_functions(known, a, false, by_name, mem);
    take_functions(known + a->function.count, b, true, by_name, mem);
    trod_sort(known, n, by_key);
    for (uint32_t i = 0; i < n; i++) {
        bool again = i && strcmp(known[i].key, known[i - 1].key) == 0;

        out->common |= again && known[i].in_b != known[i - 1].in_b;
        if (!again)
            name[kept++] = known[i].name;
        if (known[i].identity.npath)
            out->identity[kept - 1] = known[i].identity;
        out->of[known[i].in_b][known[i].function] = kept - 1;
    }
    out->name = (struct trod_names){.mem = mem, .name = name, .count = kept};
}

/* --- members ------------------------------------------------------------------------------------ */

struct placed {
    struct trod_segment segment;
    bool in_b;
};

static int by_steps(const void *x, const void *y)
{
    const struct trod_segment *a = &((const struct placed *)x)->segment;
    const struct trod_segment *b = &((const struct placed *)y)->segment;
    int by = trod_compare(a->nstep, b->nstep);

    for (size_t i = 0; !by && i < a->nstep; i++) {
        by = trod_compare(a->step[i].kind, b->step[i].kind);
        by = by ? by : trod_compare(a->step[i].function, b->step[i].function);
        by = by ? by : trod_compare(a->step[i].id, b->step[i].id);
    }
    return by;
}

static void place(struct placed *out, const struct trod_segments *from,
    const uint32_t *function_of, bool in_b, struct trod_arena *mem)
{
    for (size_t i = 0; i < from->nsegment; i++) {
        const struct trod_segment *s = &from->segment[i];
        struct trod_step *step = trod_new(mem, struct trod_step, s->nstep);

        for (size_t k = 0; k < s->nstep; k++) {
            step[k] = s->step[k];
            if (step[k].kind == TROD_STEP_SUBPATH)
                step[k].function = function_of[step[k].function];
        }
        out[i] = (struct placed){
            .segment = {.count = s->count, .nstep = s->nstep, .step = step},
            .in_b = in_b};
    }
}

static struct trod_overlap_member *join_segments(struct trod_segments *both,
    const struct trod_segments *a, const struct trod_segments *b,
    const struct functions *functions, struct trod_arena *mem)
{
    size_t n = a->nsegment + b->nsegment, kept = 0;
    struct placed *placed = trod_new(mem, struct placed, n);
    struct trod_segment *segment = trod_new(mem, struct trod_segment, n);
    struct trod_overlap_member *member = trod_new(mem, struct trod_overlap_member, n);

    place(placed, a, functions->of[0], false, mem);
    place(placed + a->nsegment, b, functions->of[1], true, mem);
    trod_sort(placed, n, by_steps);
    for (size_t i = 0; i < n; i++) {
        if (!i || by_steps(&placed[i - 1], &placed[i]) != 0) {
            segment[kept] = placed[i].segment;
            segment[kept++].count = 0;
        }
        if (placed[i].in_b)
            member[kept - 1].b =
                trod_sat_add(member[kept - 1].b, placed[i].segment.count);
        else
            member[kept - 1].a =
                trod_sat_add(member[kept - 1].a, placed[i].segment.count);
    }
    both->nsegment = kept;
    both->segment = segment;
    return member;
}

bool trod_segments_overlap_build(struct trod_segments_overlap *out,
    const struct trod_segments *a, const struct trod_segments *b, uint32_t top_of,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_overlap_member *member;
    struct functions functions;

    if (a->depth != b->depth)
        return trod_fail(err, TROD_E_MISMATCH,
            "segments of '%s' span up to %" PRIu64
            " calls, those of '%s' up to %" PRIu64
            "; compare segments of one depth, with --depth",
            a->name, a->depth, b->name, b->depth);
    if (!a->nsegment || !b->nsegment)
        return trod_fail(err, TROD_E_MISMATCH,
            "the %s of the two, of '%s', has no segment, so there are no shares; compare "
            "programs with followed calls",
            a->nsegment ? "second" : "first", a->nsegment ? b->name : a->name);
    join_functions(&functions, a, b, mem);
    if (!functions.common)
        return trod_fail(err, TROD_E_MISMATCH,
            "no function of '%s' is also in '%s' with the same name, graph and cuts; compare "
            "segments of one program, built from the same source with the same options",
            a->name, b->name);
    *out = (struct trod_segments_overlap){.both = {.name = a->name,
                                              .depth = a->depth,
                                              .function = functions.name,
                                              .identity = functions.identity}};
    member = join_segments(&out->both, a, b, &functions, mem);
    trod_overlap_build(&out->overlap, member, out->both.nsegment, top_of, mem);
    return true;
}

/* --- output --------------------------------------------------------------------------------------- */

struct words {
    const struct trod_segments *segments;
    const struct trod_map *map;
    struct trod_arena *mem; /* for JSON */
};

/* On one line; calls still open are closed at the end: main: entry 12:T calls parse 14 ( parse:
 * entry 30:F return 33 ) main: ... */
static void put_member(struct trod_sink *sink, size_t member, const void *ctx)
{
    const struct words *w = ctx;
    const struct trod_segment *s = &w->segments->segment[member];
    size_t nopen = 0;

    for (size_t i = 0; i < s->nstep; i++) {
        const struct trod_step *step = &s->step[i];

        trod_put(sink, "%s", i ? " " : "");
        nopen += step->kind == TROD_STEP_CALL;
        nopen -= step->kind == TROD_STEP_RETURN;
        if (step->kind != TROD_STEP_SUBPATH) {
            trod_step_print(sink, step, &w->segments->function);
            continue;
        }
        trod_put_display_name(sink, w->segments->function.name[step->function]);
        trod_put(sink, ": ");
        trod_segments_put_subpath(sink, w->segments, w->map, step, NULL);
    }
    for (; nopen > 0; nopen--)
        trod_put(sink, " )");
}

static void json_member(struct trod_json *json, size_t member, const void *ctx)
{
    const struct words *w = ctx;
    const struct trod_segment *s = &w->segments->segment[member];
    struct trod_string printed;

    trod_string_init(&printed, w->mem);
    put_member(&printed.sink, member, ctx);
    trod_json_text(json, "segment", printed.text);
    trod_json_open(json, "steps", '[');
    for (size_t i = 0; i < s->nstep; i++)
        trod_step_json(json, &s->step[i], &w->segments->function);
    trod_json_close(json, ']');
}

static struct trod_overlap_format format_of(const struct words *words, size_t most)
{
    return (struct trod_overlap_format){.word = "segments",
        .head = "segment",
        .most = most,
        .put = put_member,
        .json = json_member,
        .ctx = words};
}

void trod_segments_overlap_print(struct trod_sink *sink,
    const struct trod_segments_overlap *overlap, const struct trod_map *map,
    size_t most)
{
    struct words words = {.segments = &overlap->both, .map = map};
    struct trod_overlap_format format = format_of(&words, most);

    trod_overlap_print(sink, &overlap->overlap, &format);
}

void trod_segments_overlap_json(struct trod_json *json, const char *key,
    const struct trod_segments_overlap *overlap, const struct trod_map *map,
    size_t most, struct trod_arena *mem)
{
    struct words words = {.segments = &overlap->both, .map = map, .mem = mem};
    struct trod_overlap_format format = format_of(&words, most);

    trod_json_open(json, key, '{');
    trod_overlap_json(json, &overlap->overlap, &format);
    trod_json_close(json, '}');
}
