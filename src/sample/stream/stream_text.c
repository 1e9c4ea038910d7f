#include "stream/stream.h"
#include "base/parse.h"

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

struct parser {
    struct trod_streams *out;
    struct trod_stream_names *names;
    struct trod_parse in;
    struct trod_stream_datum *datum;
    uint32_t room_datum;
    struct trod_stream_table data;
    struct trod_stream *stream;
    size_t room_stream;
};

static bool take_below(
    struct parser *p, uint32_t *out, uint64_t below, const char *what)
{
    uint64_t value;

    if (!trod_parse_uint(&value, &p->in, what))
        return false;
    *out = (uint32_t)value;
    return value < below || trod_parse_fail(&p->in,
                                "%" PRIu64 " is too large for %s; there are %" PRIu64,
                                value, what, below);
}

static bool parse_what(struct parser *p, struct trod_stream_datum *d)
{
    const char *word;

    *d = (struct trod_stream_datum){UINT32_MAX, UINT32_MAX, UINT32_MAX, 0};
    if (!trod_parse_name(&word, &p->in, "code, place or object"))
        return false;
    if (strcmp(word, "code") == 0)
        return take_below(p, &d->code, p->names->ncode, "a code");
    if (strcmp(word, "place") == 0)
        return take_below(p, &d->place, p->names->nplace, "a place") &&
               trod_parse_uint(&d->offset, &p->in, "an offset");
    if (strcmp(word, "object") == 0)
        return take_below(p, &d->object, p->names->nobject, "an object") &&
               trod_parse_uint(&d->offset, &p->in, "an offset");
    return trod_parse_fail(&p->in, "'%s' is not code, place or object", word);
}

static bool parse_datum(struct parser *p)
{
    struct trod_stream_datum *d;
    uint64_t number;

    trod_reserve(p->in.mem, p->datum, p->out->ndatum, p->room_datum);
    d = &p->datum[p->out->ndatum];
    if (!trod_parse_uint(&number, &p->in, "its number") || !parse_what(p, d) ||
        !trod_parse_end(&p->in, "that"))
        return false;
    if (number != p->out->ndatum ||
        trod_stream_number_datum(&p->data, d) != p->out->ndatum)
        return trod_parse_fail(&p->in,
            "datum %" PRIu32 " comes next, and each is there once", p->out->ndatum);
    p->out->ndatum++;
    return true;
}

static bool parse_data(struct parser *p, struct trod_stream *s)
{
    struct trod_token token;
    uint32_t *datum = NULL, room = 0;
    uint64_t value;

    for (;;) {
        if (!trod_parse_next(&token, &p->in))
            return false;
        if (trod_token_is_over(&token))
            break;
        if (token.kind != TROD_T_NAME || !trod_text_uint(&value, token.name) ||
            value >= p->out->ndatum)
            return trod_parse_fail(&p->in, "expected a datum that has a line above");
        if (s->length == p->out->longest)
            return trod_parse_fail(&p->in,
                "a stream has at most %" PRIu32 " data, as the head says",
                p->out->longest);
        trod_push(p->in.mem, datum, s->length, room, (uint32_t)value);
    }
    s->datum = datum;
    return s->length >= p->out->shortest ||
           trod_parse_fail(&p->in,
               "a stream has at least %" PRIu32 " data, as the head says",
               p->out->shortest);
}

static bool parse_stream(struct parser *p)
{
    struct trod_stream *s;
    struct trod_token colon;

    trod_reserve(p->in.mem, p->stream, p->out->nstream, p->room_stream);
    s = &p->stream[p->out->nstream++];
    if (!trod_parse_uint(&s->nseen, &p->in, "how often it was seen") ||
        !trod_parse_uint(&s->times, &p->in, "its times") ||
        !trod_parse_uint(&s->heat, &p->in, "its heat") ||
        !trod_parse_next(&colon, &p->in))
        return false;
    if (colon.kind != TROD_T_MARK || colon.mark != ':')
        return trod_parse_fail(&p->in, "expected ':' and the data");
    return parse_data(p, s) &&
           (s->heat == trod_sat_mul(s->times, s->length) ||
               trod_parse_fail(&p->in, "its heat is not its length times its "
                                       "occurrences"));
}

static bool parse_line(struct parser *p, const char *word)
{
    struct trod_streams *out = p->out;
    bool taken;

    if (!trod_stream_parse_name(
            &taken, p->names, word, p->in.text, p->in.mem, p->in.err))
        return false;
    if (taken)
        return true;
    if (strcmp(word, "datum") == 0)
        return parse_datum(p);
    if (strcmp(word, "stream") == 0)
        return parse_stream(p);
    if (strcmp(word, "seen") == 0)
        return trod_parse_uint(&out->nrun, &p->in, "bursts") &&
               trod_parse_uint(&out->nthread, &p->in, "threads") &&
               trod_parse_uint(&out->nref, &p->in, "references") &&
               trod_parse_uint(&out->total, &p->in, "what they stand for") &&
               trod_parse_end(&p->in, "that");
    if (strcmp(word, "lost") == 0)
        return trod_parse_uint(&out->nlost, &p->in, "how many") &&
               trod_parse_end(&p->in, "that");
    if (strcmp(word, "damaged") == 0)
        return trod_parse_uint(&out->ndamaged, &p->in, "how many") &&
               trod_parse_end(&p->in, "that");
    if (strcmp(word, "symbols") == 0)
        return trod_parse_uint(&out->nsymbol, &p->in, "how many") &&
               trod_parse_end(&p->in, "that");
    out->exact = strcmp(word, "exact") == 0;
    return out->exact
               ? trod_parse_end(&p->in, "that")
               : trod_parse_fail(&p->in,
                     "'%s' is not a line of streams; expected seen, code, place, object, datum or stream",
                     word);
}

static bool parse_head(struct parser *p)
{
    const char *by;

    return trod_parse_name(&by, &p->in, "object, address, field or site") &&
           (trod_stream_by_parse(&p->out->by, by) ||
               trod_parse_fail(
                   &p->in, "'%s' is not object, address, field or site", by)) &&
           take_below(p, &p->out->shortest, TROD_STREAM_LONGEST_EVER, "the shortest") &&
           take_below(
               p, &p->out->longest, TROD_STREAM_LONGEST_EVER + 1, "the longest") &&
           trod_parse_end(&p->in, "that");
}

bool trod_streams_parse(struct trod_streams *out, const char *name,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_stream_names *names = trod_new(mem, struct trod_stream_names, 1);
    struct parser p = {out, names, {text, mem, err}, .room_datum = 0};
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
