#include "base/base.h"

#include <inttypes.h>
#include <math.h>

void trod_json_init(struct trod_json *json, struct trod_sink *sink)
{
    *json = (struct trod_json){.sink = sink};
}

/* Bytes that are no text show as \xNN: JSON is UTF-8 and nothing else. */
static void put_quoted(struct trod_sink *sink, const char *text)
{
    trod_put(sink, "\"");
    while (*text) {
        size_t length = trod_utf8_length(text);
        unsigned char byte = (unsigned char)*text;

        if (byte == '"' || byte == '\\')
            trod_put(sink, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7f)
            trod_put(sink, "\\u%04x", byte);
        else if (length == 0)
            trod_put(sink, "\\\\x%02x", byte);
        else
            sink->put(sink, text, length);
        text += length ? length : 1;
    }
    trod_put(sink, "\"");
}

/* Comma, line break, indentation and key: all that goes before a value. */
static void before(struct trod_json *json, const char *key)
{
    uint64_t bit = UINT64_C(1) << json->depth;

    if (json->filled & bit)
        trod_put(json->sink, ",");
    json->filled |= bit;
    if (json->depth)
        trod_put(json->sink, "\n%*s", (int)(2 * json->depth), "");
    if (key) {
        put_quoted(json->sink, key);
        trod_put(json->sink, ": ");
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
    if (filled)
        trod_put(json->sink, "\n%*s", (int)(2 * json->depth), "");
    trod_put(json->sink, "%c%s", bracket, json->depth ? "" : "\n");
}

void trod_json_text(struct trod_json *json, const char *key, const char *text)
{
    before(json, key);
    put_quoted(json->sink, text);
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
