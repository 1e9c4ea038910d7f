#include "base/base.h"

#include <string.h>

/* Skip blanks, comments and line breaks. The breaks are counted with the next token. */
static void skip(struct trod_text *text)
{
    for (; text->at < text->end; text->at++) {
        if (*text->at == '\n') {
            text->breaks++;
        } else if (*text->at == '#') {
            while (text->at + 1 < text->end && text->at[1] != '\n')
                text->at++;
        } else if (*text->at != ' ' && *text->at != '\t' && *text->at != '\r') {
            break;
        }
    }
}

void trod_text_init(
    struct trod_text *text, const char *file, const char *bytes, size_t length)
{
    *text =
        (struct trod_text){.file = file, .at = bytes, .end = bytes + length, .line = 1};
    skip(text);
}

void trod_text_error(
    const struct trod_text *text, struct trod_err *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    trod_err_set_at(err, TROD_E_INPUT, text->file, text->line, format, args);
    va_end(args);
}

static bool is_bare(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '.' || c == '$' || c == '%' || c == '@' || c >= 0x80;
}

/* -1: not a digit */
static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Are there two hexadecimal digits, other than NUL? */
static bool is_byte(const char *digits, const char *end)
{
    return end - digits >= 2 && digit_of(digits[0]) >= 0 && digit_of(digits[1]) >= 0 &&
           (digits[0] != '0' || digits[1] != '0');
}

static bool take_quoted(struct trod_token *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    const char *from = ++text->at, *p = from;
    char *name;
    size_t n = 0;

    for (; p < text->end && *p != '"' && *p != '\n'; p++) {
        if (*p == '\0')
            return trod_text_fail(
                text, err, "a NUL byte inside a quoted name; remove it");
        if (*p == '\\' && p + 1 < text->end)
            p++;
    }
    if (p == text->end || *p != '"')
        return trod_text_fail(
            text, err, "a quoted name is not closed; add the missing '\"'");
    name = trod_arena_take(mem, (size_t)(p - from) + 1, 1);
    for (const char *q = from; q < p; q++) {
        if (*q == '\\') {
            q++;
            if (*q == 'x' && is_byte(q + 1, p)) {
                name[n++] = (char)(16 * digit_of(q[1]) + digit_of(q[2]));
                q += 2;
                continue;
            }
            if (*q != '"' && *q != '\\' && *q != 'n')
                return trod_text_fail(text, err,
                    "a quoted name may contain only the escapes \\\", \\\\, \\n and "
                    "\\x01 to "
                    "\\xff");
            name[n++] = *q == 'n' ? '\n' : *q;
        } else {
            name[n++] = *q;
        }
    }
    if (!n)
        return trod_text_fail(text, err,
            "a name is empty; give it at least one "
            "letter");
    text->at = p + 1;
    *out = (struct trod_token){
        .kind = TROD_T_NAME, .quoted = true, .name = name, .length = n};
    return true;
}

bool trod_text_next(struct trod_token *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    const char *from;

    text->line += text->breaks;
    text->breaks = 0;
    /* Skip blanks up to the end of this line first, so that the end-of-line token still belongs to it. */
    while (text->at < text->end &&
           (*text->at == ' ' || *text->at == '\t' || *text->at == '\r'))
        text->at++;
    if (text->at < text->end && (*text->at == '\n' || *text->at == '#')) {
        skip(text);
        *out = (struct trod_token){.kind = TROD_T_LINE};
        return true;
    }
    if (text->at == text->end) {
        *out = (struct trod_token){.kind = TROD_T_END};
        return true;
    }
    if (*text->at == '"')
        return take_quoted(out, text, mem, err);
    if (!is_bare((unsigned char)*text->at)) {
        if (*text->at == '\0')
            return trod_text_fail(text, err, "a NUL byte; this is not a text form");
        *out = (struct trod_token){.kind = TROD_T_MARK, .mark = *text->at++};
        return true;
    }
    from = text->at;
    while (text->at < text->end && is_bare((unsigned char)*text->at))
        text->at++;
    *out = (struct trod_token){.kind = TROD_T_NAME,
        .length = (size_t)(text->at - from),
        .name = trod_copy_text(mem, from, (size_t)(text->at - from))};
    return true;
}

bool trod_text_peek(struct trod_token *out, const struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_text ahead = *text;

    return trod_text_next(out, &ahead, mem, err);
}

bool trod_text_uint(uint64_t *out, const char *digits)
{
    uint64_t value = 0;

    if (!*digits)
        return false;
    for (; *digits; digits++) {
        if (*digits < '0' || *digits > '9' ||
            __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*digits - '0'), &value))
            return false;
    }
    *out = value;
    return true;
}

bool trod_text_int(int64_t *out, const char *digits)
{
    bool minus = *digits == '-';
    uint64_t value;

    if (!trod_text_uint(&value, digits + minus) || value > (uint64_t)INT64_MAX + minus)
        return false;
    *out = minus ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

/* The terminating NUL is never part of a sequence, so nothing is read beyond it. */
size_t trod_utf8_length(const char *bytes)
{
    static const struct range {
        unsigned char first, last;            /* of the first byte */
        unsigned char second_from, second_to; /* no overlong forms, no surrogates */
        size_t length;
    } range[] = {
        {0x01, 0x7f, 0, 0, 1},
        {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3},
        {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *text = (const unsigned char *)bytes;
    const struct range *r = range, *end = range + sizeof range / sizeof *range;

    while (r < end && (text[0] < r->first || text[0] > r->last))
        r++;
    if (r == end)
        return 0;
    if (r->length > 1 && (text[1] < r->second_from || text[1] > r->second_to))
        return 0;
    for (size_t i = 2; i < r->length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return r->length;
}

size_t trod_control_length(const char *bytes)
{
    static const struct {
        unsigned first, last;
        size_t length;
    } range[] = {
        {0xc280, 0xc29f, 2},     /* U+0080 to U+009F: the upper control characters */
        {0xe2808e, 0xe2808f, 3}, /* U+200E, U+200F: direction marks */
        {0xe280a8, 0xe280ae, 3}, /* U+2028 to U+202E: line separators, overrides */
        {0xe281a6, 0xe281a9, 3}, /* U+2066 to U+2069: isolates */
    };
    const unsigned char *text = (const unsigned char *)bytes;
    size_t length = trod_utf8_length(bytes);
    unsigned value = 0;

    if (text[0] < 0x80)
        return (text[0] && text[0] < 0x20) || text[0] == 0x7f;
    if (!length) /* some terminals interpret single bytes as C1 control characters */
        return text[0] < 0xa0;
    for (size_t i = 0; i < length; i++)
        value = value << 8 | text[i];
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        if (length == range[i].length && value >= range[i].first &&
            value <= range[i].last)
            return length;
    return 0;
}

bool trod_has_controls(const char *text)
{
    while (*text) {
        size_t length = trod_utf8_length(text);

        if (trod_control_length(text))
            return true;
        text += length ? length : 1;
    }
    return false;
}

static const char *put_bytes(struct trod_sink *sink, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        trod_put(sink, "\\x%02x", (unsigned char)bytes[i]);
    return bytes + length;
}

void trod_put_shown(struct trod_sink *sink, const char *text)
{
    while (*text) {
        size_t length = trod_control_length(text);

        if (length) {
            text = put_bytes(sink, text, length);
            continue;
        }
        length = trod_utf8_length(text);
        length += !length;
        sink->put(sink, text, length);
        text += length;
    }
}

bool trod_text_is_head(const char *word)
{
    static const char *const heads[] = {"graph", "paths", "numbering", "plan"};

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (strcmp(word, heads[i]) == 0)
            return true;
    return false;
}

void trod_put_name(struct trod_sink *sink, const char *name)
{
    /* Some words are keywords where a name may stand, so they are quoted. */
    bool bare = *name && strcmp(name, ".") != 0 && !trod_text_is_head(name);

    for (const char *p = name; *p; p++)
        bare = bare && is_bare((unsigned char)*p);
    bare = bare && !trod_has_controls(name);
    if (bare) {
        sink->put(sink, name, strlen(name));
        return;
    }
    trod_put(sink, "\"");
    for (const char *p = name; *p;) {
        size_t length = *p == '\t' ? 0 : trod_control_length(p);

        if (*p == '"' || *p == '\\' || *p == '\n') {
            trod_put(sink, "\\%c", *p == '\n' ? 'n' : *p);
            p++;
        } else if (length) {
            p = put_bytes(sink, p, length);
        } else {
            length = trod_utf8_length(p);
            length += !length;
            sink->put(sink, p, length);
            p += length;
        }
    }
    trod_put(sink, "\"");
}

bool trod_text_take_name(const char **out, const char *what, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_token token;

    if (!trod_text_next(&token, text, mem, err))
        return false;
    *out = token.name;
    return token.kind == TROD_T_NAME || trod_text_fail(text, err, "expected %s", what);
}

bool trod_text_take_uint(uint64_t *out, const char *what, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    const char *digits;

    return trod_text_take_name(&digits, what, text, mem, err) &&
           (trod_text_uint(out, digits) ||
               trod_text_fail(text, err,
                   "expected %s, a whole number below 2^64, not '%s'", what, digits));
}

bool trod_token_is_word(const struct trod_token *token, const char *word)
{
    return token->kind == TROD_T_NAME && !token->quoted &&
           strcmp(token->name, word) == 0;
}

bool trod_text_take_end(const char *what, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_token token;

    return trod_text_next(&token, text, mem, err) &&
           (trod_token_is_over(&token) ||
               trod_text_fail(text, err,
                   "unexpected text after %s; remove it, or put '#' before it", what));
}

bool trod_text_take_hash(uint64_t *out, const char *what, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    static const char digits[] = "0123456789abcdef";
    const char *name;

    if (!trod_text_take_name(&name, what, text, mem, err))
        return false;
    if (strlen(name) != 16 || strspn(name, digits) != 16)
        return trod_text_fail(
            text, err, "expected %s, 16 hexadecimal digits, not '%s'", what, name);
    for (*out = 0; *name; name++)
        *out = *out << 4 | (uint64_t)(strchr(digits, *name) - digits);
    return true;
}
