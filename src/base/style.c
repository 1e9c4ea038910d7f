#include "base/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *trod_count_text(char out[TROD_COUNT_TEXT], uint64_t count, bool exact)
{
    static const char unit[] = "kMGTPE";
    double value = (double)count;
    int i = -1;

    if (exact || count < 10000) {
        snprintf(out, TROD_COUNT_TEXT, "%" PRIu64, count);
        return out;
    }
    /* 999.95 would be printed as 1000.0. */
    while (i < 0 || value >= 999.95) {
        value /= 1000;
        i++;
    }
    snprintf(out, TROD_COUNT_TEXT, "%.1f%c", value, unit[i]);
    return out;
}

void trod_put_count(
    struct trod_sink *sink, const struct trod_style *style, int width, uint64_t count)
{
    char text[TROD_COUNT_TEXT];

    trod_put_coloured(sink, style, TROD_COLOUR_COUNT, width,
        trod_count_text(text, count, style->exact));
}

void trod_put_coloured(struct trod_sink *sink, const struct trod_style *style,
    enum trod_colour colour, int width, const char *text)
{
    static const char *const code[] = {
        [TROD_COLOUR_NONE] = "",
        [TROD_COLOUR_COUNT] = "1",
        [TROD_COLOUR_NAME] = "1;36",
        [TROD_COLOUR_LINE] = "2",
        [TROD_COLOUR_YES] = "32",
        [TROD_COLOUR_NO] = "33",
        [TROD_COLOUR_MARK] = "31",
    };
    int blank = width < 0 ? -width : width, n = (int)trod_letters(text);

    blank = blank > n ? blank - n : 0;
    if (width > 0)
        trod_put(sink, "%*s", blank, "");
    if (style->colour && *code[colour])
        trod_put(sink, "\033[%sm", code[colour]);
    sink->put(sink, text, strlen(text));
    if (style->colour && *code[colour])
        trod_put(sink, "\033[m");
    if (width < 0)
        trod_put(sink, "%*s", blank, "");
}

size_t trod_letters(const char *text)
{
    size_t n = 0;

    for (; *text; n++) {
        size_t length = trod_utf8_length(text);

        text += length ? length : 1;
    }
    return n;
}

/* The length of the first n characters, in bytes. */
static size_t bytes_of(const char *text, size_t n)
{
    const char *at = text;

    for (; n && *at; n--) {
        size_t length = trod_utf8_length(at);

        at += length ? length : 1;
    }
    return (size_t)(at - text);
}

const char *trod_clip(const char *text, size_t most, struct trod_arena *mem)
{
    size_t n = bytes_of(text, most > 3 ? most - 3 : 0);
    char *out;

    if (trod_letters(text) <= most)
        return text;
    while (n && text[n - 1] == ' ')
        n--;
    out = trod_new(mem, char, n + 4);
    memcpy(out, text, n);
    memcpy(out + n, "...", 4);
    return out;
}

const char *trod_clip_middle(const char *text, size_t most, struct trod_arena *mem)
{
    size_t length = trod_letters(text), head = most > 3 ? (most - 3) / 2 : 0;
    struct trod_string out;

    if (length <= most || most < 4)
        return text;
    trod_string_init(&out, mem);
    out.sink.put(&out.sink, text, bytes_of(text, head));
    trod_put(&out.sink, "...");
    text += bytes_of(text, length - (most - 3 - head));
    out.sink.put(&out.sink, text, strlen(text));
    return out.text;
}

void trod_put_wrapped(struct trod_sink *sink, const struct trod_style *style,
    unsigned indent, const char *text)
{
    size_t room = style->width > indent + 20 ? style->width - indent : 20;

    while (*text) {
        size_t most = bytes_of(text, room), end = most;

        if (text[most]) {
            while (end && text[end] != ' ')
                end--;
            /* A word longer than the line is not broken. */
            if (!end)
                end = most + strcspn(text + most, " ");
        }
        trod_put(sink, "%*s", (int)indent, "");
        sink->put(sink, text, end);
        trod_put(sink, "\n");
        text += end + strspn(text + end, " ");
    }
}

/* --- short names ------------------------------------------------------------------------------------- */

/* Operators with angle brackets or parentheses in their names. */
static size_t operator_length(const char *at)
{
    static const char *const names[] = {"operator<=>",
        "operator<<=", "operator>>=", "operator->*", "operator<<", "operator>>",
        "operator<=", "operator>=", "operator->", "operator<", "operator>",
        "operator()"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(at, names[i], strlen(names[i])) == 0)
            return strlen(names[i]);
    return 0;
}

/* Skip the parameters and the qualifiers after them. */
static const char *behind_parameters(const char *at)
{
    unsigned depth = 0;

    do {
        depth += *at == '(';
        depth -= *at == ')';
        at++;
    } while (*at && depth);
    if (strncmp(at, " const", 6) == 0)
        at += 6;
    return at;
}

/* `clipped`: replace template arguments by <...>. The result ends before the parameters. Text before a blank is a
 * return type and dropped.
 */
static void put_short(struct trod_string *out, const char *name, bool clipped)
{
    static const char anonymous[] = "(anonymous namespace)";
    unsigned depth = 0;

    while (*name) {
        size_t n = operator_length(name);

        if (!n && strncmp(name, anonymous, strlen(anonymous)) == 0) {
            trod_put(&out->sink, "%s", depth && clipped ? "" : "{anonymous}");
            name += strlen(anonymous);
            continue;
        }
        if (!n && !depth && strncmp(name, "{lambda", 7) == 0) {
            trod_put(&out->sink, "{lambda}");
            name += strcspn(name, "}");
            name += *name == '}';
            continue;
        }
        if (!n && !depth && *name == '(') {
            name = behind_parameters(name);
            if (strncmp(name, "::", 2) != 0)
                return;
            continue;
        }
        if (!n && !depth && *name == ' ' && !strstr(out->text, "operator")) {
            out->length = 0;
            out->text[0] = '\0';
            name++;
            continue;
        }
        depth -= !n && *name == '>' && depth;
        if (!depth || !clipped)
            out->sink.put(&out->sink, name, n ? n : 1);
        if (!n && *name == '<' && !depth++ && clipped)
            trod_put(&out->sink, "...");
        name += n ? n : 1;
    }
}

static const char *last_parts(const char *name)
{
    const char *last = name, *before = name;

    for (const char *at = strstr(name, "::"); at; at = strstr(at + 2, "::")) {
        before = last;
        last = at + 2;
    }
    return before;
}

const char *trod_short_parts(const char *name, size_t most, struct trod_arena *mem)
{
    struct trod_string out;

    if (!strpbrk(name, "(<: "))
        return name;
    trod_string_init(&out, mem);
    put_short(&out, name, false);
    if (trod_letters(out.text) > most) {
        trod_string_init(&out, mem);
        put_short(&out, name, true);
    }
    if (!out.length)
        return name;
    return trod_letters(out.text) > most ? last_parts(out.text) : out.text;
}

const char *trod_short_name(const char *name, size_t most, struct trod_arena *mem)
{
    return trod_clip_middle(trod_short_parts(name, most, mem), most, mem);
}
