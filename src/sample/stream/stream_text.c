#include "stream/stream.h"

#include "stream/alike.h"

#include <inttypes.h>
#include <string.h>

/* --- printing ----------------------------------------------------------------------------------- */

static void print_datum(
    struct trod_sink *sink, const struct trod_stream_datum *d, uint32_t number)
{
    trod_put(sink, "datum %" PRIu32, number);
    if (d->code != UINT32_MAX)
        trod_put(sink, " code %" PRIu32 "\n", d->code);
    else if (d->place != UINT32_MAX)
        trod_put(sink, " place %" PRIu32 " %" PRIu64 "\n", d->place, d->offset);
    else
        trod_put(sink, " object %" PRIu32 " %" PRIu64 "\n", d->object, d->offset);
}

static void print_known(struct trod_sink *sink, const char *word, uint64_t value)
{
    if (value)
        trod_put(sink, "%s %" PRIu64 "\n", word, value);
}

void trod_streams_print(struct trod_sink *sink, const struct trod_streams *streams)
{
    const struct trod_stream_names *names = streams->names;

    trod_put(sink, "streams ");
    trod_put_name(sink, streams->name);
    trod_put(sink, " %s %" PRIu32 " %" PRIu32 "\n", trod_stream_by_name(streams->by),
        streams->shortest, streams->longest);
    trod_put(sink, "seen %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
        streams->nrun, streams->nthread, streams->nref, streams->total);
    print_known(sink, "lost", streams->nlost);
    print_known(sink, "damaged", streams->ndamaged);
    print_known(sink, "symbols", streams->nsymbol);
    if (streams->exact)
        trod_put(sink, "exact\n");
    for (uint32_t i = 0; i < names->ncode; i++)
        trod_stream_print_code(sink, names, i);
    for (uint32_t i = 0; i < names->nplace; i++)
        trod_stream_print_place(sink, names, i);
    for (uint32_t i = 0; i < names->nobject; i++)
        trod_stream_print_object(sink, names, i);
    for (uint32_t i = 0; i < streams->ndatum; i++)
        print_datum(sink, &streams->datum[i], i);
    for (size_t i = 0; i < streams->nstream; i++) {
        const struct trod_stream *s = &streams->stream[i];

        trod_put(sink, "stream %" PRIu64 " %" PRIu64 " %" PRIu64 ":", s->nseen,
            s->times, s->heat);
        for (uint32_t k = 0; k < s->length; k++)
            trod_put(sink, " %" PRIu32, s->datum[k]);
        trod_put(sink, "\n");
    }
}

/* --- parsing ------------------------------------------------------------------------------------ */

struct parsing {
    struct trod_streams *out;
    struct trod_stream_names *names;
    struct trod_text *text;
    struct trod_arena *mem;
    struct trod_err *err;
    struct trod_stream_datum *datum;
    uint32_t room_datum;
    struct trod_stream_table data;
    struct trod_stream *stream;
    size_t room_stream;
};

static bool take_uint(struct parsing *p, uint64_t *out, const char *what)
{
    return trod_text_take_uint(out, what, p->text, p->mem, p->err);
}

static bool take_below(
    struct parsing *p, uint32_t *out, uint64_t below, const char *what)
{
    uint64_t value;

    if (!take_uint(p, &value, what))
        return false;
    *out = (uint32_t)value;
    return value < below || trod_text_fail(p->text, p->err,
                                "%" PRIu64 " is too large for %s; there are %" PRIu64,
                                value, what, below);
}

static bool take_end(struct parsing *p)
{
    return trod_text_take_end("that", p->text, p->mem, p->err);
}

static bool parse_what(struct parsing *p, struct trod_stream_datum *d)
{
    const char *word;

    *d = (struct trod_stream_datum){UINT32_MAX, UINT32_MAX, UINT32_MAX, 0};
    if (!trod_text_take_name(&word, "code, place or object", p->text, p->mem, p->err))
        return false;
    if (strcmp(word, "code") == 0)
        return take_below(p, &d->code, p->names->ncode, "a code");
    if (strcmp(word, "place") == 0)
        return take_below(p, &d->place, p->names->nplace, "a place") &&
               take_uint(p, &d->offset, "an offset");
    if (strcmp(word, "object") == 0)
        return take_below(p, &d->object, p->names->nobject, "an object") &&
               take_uint(p, &d->offset, "an offset");
    return trod_text_fail(p->text, p->err, "'%s' is not code, place or object", word);
}

static bool parse_datum(struct parsing *p)
{
    struct trod_stream_datum *d;
    uint64_t number;

    trod_reserve(p->mem, p->datum, p->out->ndatum, p->room_datum);
    d = &p->datum[p->out->ndatum];
    if (!take_uint(p, &number, "its number") || !parse_what(p, d) || !take_end(p))
        return false;
    if (number != p->out->ndatum ||
        trod_stream_number_datum(&p->data, d) != p->out->ndatum)
        return trod_text_fail(p->text, p->err,
            "datum %" PRIu32 " comes next, and each is there once", p->out->ndatum);
    p->out->ndatum++;
    return true;
}

static bool parse_data(struct parsing *p, struct trod_stream *s)
{
    struct trod_token token;
    uint32_t *datum = NULL, room = 0;
    uint64_t value;

    for (;;) {
        if (!trod_text_next(&token, p->text, p->mem, p->err))
            return false;
        if (trod_token_is_over(&token))
            break;
        if (token.kind != TROD_T_NAME || !trod_text_uint(&value, token.name) ||
            value >= p->out->ndatum)
            return trod_text_fail(
                p->text, p->err, "expected a datum that has a line above");
        if (s->length == p->out->longest)
            return trod_text_fail(p->text, p->err,
                "a stream has at most %" PRIu32 " data, as the head says",
                p->out->longest);
        trod_reserve(p->mem, datum, s->length, room);
        datum[s->length++] = (uint32_t)value;
    }
    s->datum = datum;
    return s->length >= p->out->shortest ||
           trod_text_fail(p->text, p->err,
               "a stream has at least %" PRIu32 " data, as the head says",
               p->out->shortest);
}

static bool parse_stream(struct parsing *p)
{
    struct trod_stream *s;
    struct trod_token colon;

    trod_reserve(p->mem, p->stream, p->out->nstream, p->room_stream);
    s = &p->stream[p->out->nstream++];
    if (!take_uint(p, &s->nseen, "how often it was seen") ||
        !take_uint(p, &s->times, "its times") || !take_uint(p, &s->heat, "its heat") ||
        !trod_text_next(&colon, p->text, p->mem, p->err))
        return false;
    if (colon.kind != TROD_T_MARK || colon.mark != ':')
        return trod_text_fail(p->text, p->err, "expected ':' and the data");
    return parse_data(p, s) &&
           (s->heat == trod_sat_mul(s->times, s->length) ||
               trod_text_fail(p->text, p->err, "its heat is not length by times"));
}

static bool parse_line(struct parsing *p, const char *word)
{
    struct trod_streams *out = p->out;
    bool taken;

    if (!trod_stream_parse_name(&taken, p->names, word, p->text, p->mem, p->err))
        return false;
    if (taken)
        return true;
    if (strcmp(word, "datum") == 0)
        return parse_datum(p);
    if (strcmp(word, "stream") == 0)
        return parse_stream(p);
    if (strcmp(word, "seen") == 0)
        return take_uint(p, &out->nrun, "bursts") &&
               take_uint(p, &out->nthread, "threads") &&
               take_uint(p, &out->nref, "references") &&
               take_uint(p, &out->total, "what they stand for") && take_end(p);
    if (strcmp(word, "lost") == 0)
        return take_uint(p, &out->nlost, "how many") && take_end(p);
    if (strcmp(word, "damaged") == 0)
        return take_uint(p, &out->ndamaged, "how many") && take_end(p);
    if (strcmp(word, "symbols") == 0)
        return take_uint(p, &out->nsymbol, "how many") && take_end(p);
    out->exact = strcmp(word, "exact") == 0;
    return out->exact
               ? take_end(p)
               : trod_text_fail(p->text, p->err,
                     "'%s' is not a line of streams; expected seen, code, place, object, datum or stream",
                     word);
}

static bool parse_head(struct parsing *p)
{
    const char *by;

    return trod_text_take_name(
               &by, "object, address, field or site", p->text, p->mem, p->err) &&
           (trod_stream_by_parse(&p->out->by, by) ||
               trod_text_fail(p->text, p->err,
                   "'%s' is not object, address, field or site", by)) &&
           take_below(p, &p->out->shortest, TROD_STREAM_LONGEST_EVER, "the shortest") &&
           take_below(
               p, &p->out->longest, TROD_STREAM_LONGEST_EVER + 1, "the longest") &&
           take_end(p);
}

bool trod_streams_parse(struct trod_streams *out, const char *name,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_stream_names *names = trod_new(mem, struct trod_stream_names, 1);
    struct parsing p = {out, names, text, mem, err, .room_datum = 0};
    struct trod_token token;

    names->mem = mem;
    *out = (struct trod_streams){.name = name, .names = names};
    trod_stream_table_init(&p.data, mem);
    if (!parse_head(&p))
        return false;
    for (;;) {
        if (!trod_text_peek(&token, text, mem, err))
            return false;
        if (token.kind == TROD_T_END || trod_token_is_word(&token, "refs") ||
            trod_token_is_word(&token, "streams"))
            break;
        if (!trod_text_next(&token, text, mem, err))
            return false;
        if (token.kind == TROD_T_LINE)
            continue;
        if (token.kind != TROD_T_NAME)
            return trod_text_fail(text, err, "expected a line of streams");
        if (!parse_line(&p, token.name))
            return false;
    }
    out->datum = p.datum;
    out->stream = p.stream;
    out->nfound = out->nstream;
    trod_stream_order(out, p.stream, out->nstream, mem);
    return true;
}
