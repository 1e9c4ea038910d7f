#include <string.h>

#include "page/page.h"

/* --- parts of the page ------------------------------------------------------------------------------------------ */

static void put_escaped(struct trod_sink *sink, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            trod_put(sink, "&amp;");
            break;
        case '<':
            trod_put(sink, "&lt;");
            break;
        case '>':
            trod_put(sink, "&gt;");
            break;
        case '"':
            trod_put(sink, "&quot;");
            break;
        default:
            sink->put(sink, text, 1);
        }
}

static void put_title(struct trod_sink *sink, const struct trod_page *page)
{
    put_escaped(sink, page->title ? page->title : "");
}

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);

    return n >= m && strcmp(name + n - m, end) == 0;
}

/* All files with a suffix, each in its own element. */
static void put_parts(struct trod_sink *sink, const char *suffix, const char *element)
{
    for (const struct trod_page_part *part = trod_page_parts + 1; part->name; part++)
        if (ends_in(part->name, suffix)) {
            trod_put(sink, "<%s>\n", element);
            sink->put(sink, part->bytes, part->length);
            trod_put(sink, "</%s>\n", element);
        }
}

static void put_styles(struct trod_sink *sink, const struct trod_page *page)
{
    (void)page;
    put_parts(sink, ".css", "style");
}

static void put_scripts(struct trod_sink *sink, const struct trod_page *page)
{
    (void)page;
    put_parts(sink, ".js", "script");
}

static void put_base64(struct trod_sink *sink, const char *bytes, size_t length)
{
    static const char digit[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { WIDE = 4 << 10 };
    char text[WIDE];
    size_t n = 0;

    for (size_t i = 0; i < length; i += 3) {
        uint32_t three = (uint32_t)(uint8_t)bytes[i] << 16;

        three |= i + 1 < length ? (uint32_t)(uint8_t)bytes[i + 1] << 8 : 0;
        three |= i + 2 < length ? (uint8_t)bytes[i + 2] : 0;
        text[n++] = digit[three >> 18];
        text[n++] = digit[three >> 12 & 63];
        text[n++] = i + 1 < length ? digit[three >> 6 & 63] : '=';
        text[n++] = i + 2 < length ? digit[three & 63] : '=';
        if (n == WIDE) {
            sink->put(sink, text, n);
            n = 0;
        }
    }
    sink->put(sink, text, n);
}

static void put_data(struct trod_sink *sink, const struct trod_page *page)
{
    struct trod_json json;

    if (page->packed) {
        trod_put(sink, "<script type=\"application/gzip\" id=\"trod-data\">");
        put_base64(sink, page->packed, page->npacked);
        trod_put(sink, "</script>\n");
        return;
    }
    trod_json_init(&json, sink);
    json.compact = true;
    json.in_html = true;
    trod_put(sink, "<script type=\"application/json\" id=\"trod-data\">");
    trod_page_json(&json, page);
    trod_put(sink, "</script>\n");
}

/* --- the skeleton ------------------------------------------------------------------------------------------------ */

static const struct marker {
    const char *mark;
    void (*put)(struct trod_sink *sink, const struct trod_page *page);
} markers[] = {
    {"<!-- trod: title -->", put_title},
    {"<!-- trod: styles -->", put_styles},
    {"<!-- trod: data -->", put_data},
    {"<!-- trod: scripts -->", put_scripts},
};

static const struct marker *marker_at(const char *at, const char *end)
{
    for (size_t i = 0; i < sizeof markers / sizeof *markers; i++) {
        size_t length = strlen(markers[i].mark);

        if ((size_t)(end - at) >= length && memcmp(at, markers[i].mark, length) == 0)
            return &markers[i];
    }
    return NULL;
}

void trod_page_write(struct trod_sink *sink, const struct trod_page *page)
{
    const char *at = trod_page_parts[0].bytes, *from = at;
    const char *end = at + trod_page_parts[0].length;

    while (at < end) {
        const struct marker *marker = *at == '<' ? marker_at(at, end) : NULL;

        if (!marker) {
            at++;
            continue;
        }
        sink->put(sink, from, (size_t)(at - from));
        marker->put(sink, page);
        at += strlen(marker->mark);
        from = at;
    }
    sink->put(sink, from, (size_t)(at - from));
}
