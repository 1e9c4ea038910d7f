#include "base/base.h"

#include <stdio.h>
#include <string.h>

void trod_put(struct trod_sink *sink, const char *format, ...)
{
    char line[512];
    va_list args, again;
    int need;

    va_start(args, format);
    va_copy(again, args);
    need = vsnprintf(line, sizeof line, format, args);
    if (need >= 0 && (size_t)need < sizeof line) {
        sink->put(sink, line, (size_t)need);
    } else if (need >= 0) {
        /* Names may be long. Longer text is truncated. */
        char big[(size_t)1 << 16];

        need = vsnprintf(big, sizeof big, format, again);
        if ((size_t)need >= sizeof big)
            need = sizeof big - 1;
        sink->put(sink, big, (size_t)need);
    }
    va_end(again);
    va_end(args);
}

static void put_string(struct trod_sink *sink, const char *bytes, size_t length)
{
    struct trod_string *out = sink->ctx;
    size_t need = out->length + length + 1;

    if (need > out->room) {
        size_t room = out->room ? out->room : 128;

        while (room < need)
            room *= 2;
        out->text = trod_arena_grow(out->mem, out->text, out->length, room, 1);
        out->room = room;
    }
    memcpy(out->text + out->length, bytes, length);
    out->length += length;
    out->text[out->length] = '\0';
}

void trod_string_init(struct trod_string *out, struct trod_arena *mem)
{
    memset(out, 0, sizeof *out);
    out->sink.put = put_string;
    out->sink.ctx = out;
    out->mem = mem;
    put_string(&out->sink, "", 0);
}

char *trod_format(struct trod_arena *mem, const char *format, ...)
{
    va_list args, again;
    char *text;
    int need;

    va_start(args, format);
    va_copy(again, args);
    need = vsnprintf(NULL, 0, format, args);
    text = trod_new(mem, char, (need < 0 ? 0 : (size_t)need) + 1);
    if (need > 0)
        vsnprintf(text, (size_t)need + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}
