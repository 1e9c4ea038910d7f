#include "segment/segment.h"

#include <inttypes.h>

/* Calls still open are closed at the end. */
static void print_segment(struct trod_sink *sink, const struct trod_segment *segment,
    const struct trod_names *names)
{
    uint64_t nopen = 0;

    for (size_t i = 0; i < segment->nstep; i++) {
        trod_put(sink, "%s", i ? " " : "");
        trod_step_print(sink, &segment->step[i], names);
        nopen += segment->step[i].kind == TROD_STEP_CALL;
        nopen -= segment->step[i].kind == TROD_STEP_RETURN;
    }
    for (; nopen > 0; nopen--)
        trod_put(sink, " )");
}

void trod_segments_print(struct trod_sink *sink, const struct trod_segments *segments)
{
    trod_put(sink, "segments ");
    trod_put_name(sink, segments->name);
    trod_put(sink, " %" PRIu64 "\n", segments->depth);
    trod_identity_print(sink, &segments->function, segments->identity);
    for (size_t i = 0; i < segments->nsegment; i++) {
        trod_put(sink, "%" PRIu64 " ", segments->segment[i].count);
        print_segment(sink, &segments->segment[i], &segments->function);
        trod_put(sink, "\n");
    }
}

void trod_segments_json(
    struct trod_json *json, const char *key, const struct trod_segments *segments)
{
    trod_json_open(json, key, '{');
    trod_json_text(json, "name", segments->name);
    trod_json_uint(json, "depth", segments->depth);
    trod_identity_json(json, "functions", &segments->function, segments->identity);
    trod_json_open(json, "segments", '[');
    for (size_t i = 0; i < segments->nsegment; i++) {
        const struct trod_segment *segment = &segments->segment[i];

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "count", segment->count);
        trod_json_open(json, "steps", '[');
        for (size_t k = 0; k < segment->nstep; k++)
            trod_step_json(json, &segment->step[k], &segments->function);
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* --- parsing ---------------------------------------------------------------------------------- */

/* One line of segments. Returns at the end of the line only close open calls and are dropped. */
static bool parse_segment(struct trod_segment *out, struct trod_steps_reader *r)
{
    r->step = NULL;
    r->nstep = r->room_step = r->room_line = 0;
    r->line = NULL;
    if (!trod_text_take_uint(
            &out->count, "the count of the segment", r->text, r->mem, r->err) ||
        !trod_steps_take_line(r))
        return false;
    while (r->nstep && r->step[r->nstep - 1].kind == TROD_STEP_RETURN)
        r->nstep--;
    out->step = r->step;
    out->nstep = r->nstep;
    return true;
}

static bool is_count(bool *out, struct trod_steps_reader *r)
{
    struct trod_token token;
    uint64_t value;

    if (!trod_text_peek(&token, r->text, r->mem, r->err))
        return false;
    *out = token.kind == TROD_T_NAME && !token.quoted &&
           trod_text_uint(&value, token.name);
    return true;
}

bool trod_segments_parse(struct trod_segments *out, const char *name,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_steps_reader r;
    struct trod_segment *segment = NULL;
    struct trod_err found;
    size_t n = 0, room = 0;
    uint32_t line = text->line;
    uint64_t depth;
    bool more;

    trod_steps_reader_init(&r, text, mem, err);
    if (!trod_text_take_uint(
            &depth, "the depth: how many calls a segment may span", text, mem, err) ||
        !trod_steps_take_end(&r, "the depth") || !trod_steps_take_identities(&r))
        return false;
    for (;;) {
        if (!is_count(&more, &r))
            return false;
        if (!more)
            break;
        trod_reserve(mem, segment, n, room);
        if (!parse_segment(&segment[n++], &r))
            return false;
    }
    *out = (struct trod_segments){.name = name,
        .depth = depth,
        .function = r.function,
        .identity = trod_steps_identities(&r),
        .nsegment = n,
        .segment = segment};
    if (trod_segments_check(out, mem, err))
        return true;
    found = *err;
    text->line = line;
    return trod_text_fail(text, err, "%s", found.text);
}
