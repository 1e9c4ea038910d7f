#include "base/base.h"

#include <inttypes.h>
#include <math.h>

void trod_json_init(struct trod_json *json, struct trod_sink *sink)
{
    *json = (struct trod_json){.sink = sink};
}

/* The number of leading bytes that need no escape. */
static size_t plain_length(const struct trod_json *json, const char *text)
{
    const char *at = text;

    for (;;) {
        unsigned char byte = (unsigned char)*at;
        size_t length;

        if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && trod_control_length(at)) ||
            byte == '"' || byte == '\\' || (byte == '<' && json->in_html))
            return (size_t)(at - text);
        length = byte < 0x80 ? 1 : trod_utf8_length(at);
        if (!length)
            return (size_t)(at - text);
        at += length;
    }
}

/* Escape a character of two or three bytes as \uNNNN. */
static const char *put_code(struct trod_sink *sink, const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    size_t length = trod_utf8_length(text);
    unsigned code = length == 2 ? byte[0] & 0x1fu : byte[0] & 0x0fu;

    for (size_t i = 1; i < length; i++)
        code = code << 6 | (byte[i] & 0x3fu);
    trod_put(sink, "\\u%04x", code);
    return text + length;
}

/* Bytes that are not UTF-8 are written as \xNN: JSON must be UTF-8. */
static void put_quoted(struct trod_json *json, const char *text)
{
    struct trod_sink *sink = json->sink;

    sink->put(sink, "\"", 1);
    for (;;) {
        size_t plain = plain_length(json, text);
        unsigned char byte;

        if (plain)
            sink->put(sink, text, plain);
        text += plain;
        byte = (unsigned char)*text;
        if (!byte)
            break;
        if (byte >= 0x80 && trod_utf8_length(text) > 1) {
            text = put_code(sink, text);
            continue;
        }
        if (byte == '"' || byte == '\\')
            trod_put(sink, "\\%c", byte);
        else if (byte < 0x80)
            trod_put(sink, "\\u%04x", byte);
        else
            trod_put(sink, "\\\\x%02x", byte);
        text++;
    }
    sink->put(sink, "\"", 1);
}

/* Everything before a value: comma, line break, indentation and key. */
static void before(struct trod_json *json, const char *key)
{
    uint64_t bit = UINT64_C(1) << json->depth;

    if (json->filled & bit)
        json->sink->put(json->sink, ",", 1);
    json->filled |= bit;
    if (json->depth && !json->compact)
        trod_put(json->sink, "\n%*s", (int)(2 * json->depth), "");
    if (key) {
        put_quoted(json, key);
        trod_put(json->sink, json->compact ? ":" : ": ");
    }
}

void trod_json_open(struct trod_json *json, const char *key, char bracket)
{
    before(json, key);
    trod_put(json->sink, "%c", bracket);
    assert(json->depth < 63);
    json->depth++;
    json->filled &= ~(UINT64_C(1) << json->depth);
}

void trod_json_close(struct trod_json *json, char bracket)
{
    bool filled = json->filled >> json->depth & 1;

    json->depth--;
    if (filled && !json->compact)
        trod_put(json->sink, "\n%*s", (int)(2 * json->depth), "");
    trod_put(json->sink, "%c%s", bracket, json->depth ? "" : "\n");
}

void trod_json_text(struct trod_json *json, const char *key, const char *text)
{
    before(json, key);
    put_quoted(json, text);
}

void trod_json_uint(struct trod_json *json, const char *key, uint64_t value)
{
    before(json, key);
    trod_put(json->sink, "%" PRIu64, value);
}

void trod_json_int(struct trod_json *json, const char *key, int64_t value)
{
    before(json, key);
    trod_put(json->sink, "%" PRId64, value);
}

void trod_json_real(struct trod_json *json, const char *key, double value)
{
    before(json, key);
    if (isfinite(value))
        trod_put(json->sink, "%.6g", value);
    else
        trod_put(json->sink, "null");
}

void trod_json_bool(struct trod_json *json, const char *key, bool value)
{
    before(json, key);
    trod_put(json->sink, value ? "true" : "false");
}

void trod_json_null(struct trod_json *json, const char *key)
{
    before(json, key);
    trod_put(json->sink, "null");
}

struct trod_sink *trod_json_text_begin(struct trod_json *json, const char *key)
{
    before(json, key);
    json->sink->put(json->sink, "\"", 1);
    return json->sink;
}

void trod_json_text_end(struct trod_json *json)
{
    json->sink->put(json->sink, "\"", 1);
}
