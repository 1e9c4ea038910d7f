#include "base/base.h"

#include <string.h>

struct reader {
    struct trod_json_doc *doc;
    const char *at, *end;
    uint32_t line;
    uint32_t *open; /* unclosed arrays and objects, outermost first */
    uint32_t nopen, room;
    struct trod_arena *mem;
    struct trod_err *err;
};

static bool fail(struct reader *r, const char *format, ...) TROD_FORMAT(2, 3);
static bool fail(struct reader *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    trod_err_set_at(r->err, TROD_E_INPUT, r->doc->file, r->line, format, args);
    va_end(args);
    return false;
}

static void skip(struct reader *r)
{
    for (; r->at < r->end; r->at++) {
        if (*r->at == '\n')
            r->line++;
        else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r')
            return;
    }
}

static bool take(struct reader *r, char mark)
{
    if (r->at == r->end || *r->at != mark)
        return false;
    r->at++;
    return true;
}

/* --- strings -------------------------------------------------------------------------------- */

static bool read_unit(struct reader *r, uint32_t *out)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";

    *out = 0;
    for (int i = 0; i < 4; i++) {
        const char *digit = r->at < r->end && *r->at ? strchr(digits, *r->at) : NULL;

        if (!digit)
            return fail(r, "\\u needs four hexadecimal digits");
        *out = *out << 4 | (uint32_t)((digit - digits) % 16);
        r->at++;
    }
    return true;
}

static size_t put_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xe0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 0x3f));
        to[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 0x3f));
    to[2] = (char)(0x80 | (c >> 6 & 0x3f));
    to[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

/* After \u. Characters beyond U+FFFF consist of two escapes, a surrogate pair. */
static bool read_escaped(struct reader *r, char *to, size_t *n)
{
    uint32_t c, low;

    if (!read_unit(r, &c))
        return false;
    if (c >= 0xdc00 && c < 0xe000)
        return fail(r,
            "\\u%04x is the second half of a surrogate pair, without the "
            "first",
            c);
    if (c >= 0xd800 && c < 0xdc00) {
        if (!take(r, '\\') || !take(r, 'u') || !read_unit(r, &low) || low < 0xdc00 ||
            low >= 0xe000)
            return fail(r,
                "\\u%04x is the first half of a surrogate pair, without "
                "the second",
                c);
        c = 0x10000 + ((c - 0xd800) << 10 | (low - 0xdc00));
    }
    if (!c)
        return fail(r, "a NUL character in a string; remove it");
    *n += put_utf8(to + *n, c);
    return true;
}

static bool read_escape(struct reader *r, char *to, size_t *n)
{
    static const char from[] = "\"\\/bfnrt", as[] = "\"\\/\b\f\n\r\t";
    const char *which;

    if (take(r, 'u'))
        return read_escaped(r, to, n);
    which = r->at < r->end && *r->at ? strchr(from, *r->at) : NULL;
    if (!which)
        return fail(r, "an escape that JSON does not allow");
    to[(*n)++] = as[which - from];
    r->at++;
    return true;
}

/* The length of an unescaped character; 0 if it must be escaped or is invalid. */
static size_t plain_length(const struct reader *r)
{
    char c[5] = {0};
    size_t left = (size_t)(r->end - r->at), length;

    memcpy(c, r->at, left < 4 ? left : 4);
    length = (unsigned char)*r->at < 0x20 ? 0 : trod_utf8_length(c);
    return length <= left ? length : 0;
}

static bool read_text(struct reader *r, const char **out)
{
    const char *from, *p;
    char *text;
    size_t n = 0;

    if (!take(r, '"'))
        return fail(r, "expected a string in double quotes");
    from = r->at;
    for (p = from; p < r->end && *p != '"'; p++)
        if (*p == '\\' && p + 1 < r->end)
            p++;
    if (p == r->end)
        return fail(r, "a string is not closed; add the missing '\"'");
    /* An escape is never shorter than its character. */
    text = trod_arena_take(r->mem, (size_t)(p - from) + 1, 1);
    while (r->at < p) {
        size_t length;

        if (take(r, '\\')) {
            if (!read_escape(r, text, &n))
                return false;
            continue;
        }
        length = plain_length(r);
        if (!length)
            return fail(r, "a byte in a string that must be escaped, or is not UTF-8");
        memcpy(text + n, r->at, length);
        n += length;
        r->at += length;
    }
    *out = text;
    return take(r, '"') || fail(r, "a string is not closed; add the missing '\"'");
}

/* --- other values ------------------------------------------------------------------------------ */

static bool skip_digits(struct reader *r)
{
    const char *from = r->at;

    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
    return r->at > from;
}

static bool read_number(struct reader *r, const char **out)
{
    const char *from = r->at;
    bool ok;

    take(r, '-');
    ok = take(r, '0') || skip_digits(r);
    if (ok && take(r, '.'))
        ok = skip_digits(r);
    if (ok && (take(r, 'e') || take(r, 'E'))) {
        if (!take(r, '+'))
            take(r, '-');
        ok = skip_digits(r);
    }
    *out = trod_copy_text(r->mem, from, (size_t)(r->at - from));
    return ok || fail(r, "a number that JSON does not allow");
}

static bool read_word(struct reader *r, const char *word)
{
    size_t length = strlen(word);

    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return fail(r, "expected a value");
    r->at += length;
    return true;
}

static void begin(struct reader *r)
{
    trod_push(r->mem, r->open, r->nopen, r->room, r->doc->nvalue - 1);
    r->at++;
}

/* Read a value, or the start of an array or object. */
static bool read_value(struct reader *r, const char *key)
{
    struct trod_json_value *v;
    struct trod_json_doc *doc = r->doc;

    skip(r);
    if (r->at == r->end)
        return fail(r, "expected a value");
    if (doc->nvalue + 1 >= (uint32_t)TROD_JSON_NONE)
        return trod_fail(r->err, TROD_E_LIMIT, "%s: too many values", doc->file);
    trod_reserve(r->mem, doc->value, doc->nvalue, doc->room);
    v = &doc->value[doc->nvalue++];
    *v = (struct trod_json_value){.line = r->line, .next = doc->nvalue, .key = key};
    switch (*r->at) {
    case '{':
        v->kind = TROD_JSON_OBJECT;
        begin(r);
        return true;
    case '[':
        v->kind = TROD_JSON_ARRAY;
        begin(r);
        return true;
    case '"':
        v->kind = TROD_JSON_TEXT;
        return read_text(r, &v->text);
    case 't':
        v->kind = TROD_JSON_TRUE;
        return read_word(r, "true");
    case 'f':
        v->kind = TROD_JSON_FALSE;
        return read_word(r, "false");
    case 'n':
        v->kind = TROD_JSON_NULL;
        return read_word(r, "null");
    default:
        v->kind = TROD_JSON_NUMBER;
        return read_number(r, &v->text);
    }
}

/* Read a member with its key, or an element. */
static bool read_entry(struct reader *r, bool object)
{
    const char *key = NULL;

    skip(r);
    if (object) {
        if (!read_text(r, &key))
            return false;
        skip(r);
        if (!take(r, ':'))
            return fail(r, "expected ':' behind a key");
    }
    return read_value(r, key);
}

/* Continue or close the innermost array or object. */
static bool go_on(struct reader *r)
{
    struct trod_json_value *v = &r->doc->value[r->open[r->nopen - 1]];
    bool object = v->kind == TROD_JSON_OBJECT,
         empty = r->doc->nvalue == r->open[r->nopen - 1] + 1;

    skip(r);
    if (take(r, object ? '}' : ']')) {
        v->next = r->doc->nvalue;
        r->nopen--;
        return true;
    }
    if (!empty && !take(r, ','))
        return fail(r, "expected ',' or '%c'", object ? '}' : ']');
    return read_entry(r, object);
}

bool trod_json_read(struct trod_json_doc *out, const char *file, const char *bytes,
    size_t length, struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {.doc = out,
        .at = bytes,
        .end = bytes + length,
        .line = 1,
        .mem = mem,
        .err = err};

    *out = (struct trod_json_doc){.file = file};
    if (!read_value(&r, NULL))
        return false;
    while (r.nopen)
        if (!go_on(&r))
            return false;
    skip(&r);
    return r.at == r.end || fail(&r, "text after the end; remove it");
}

/* --- lookup ---------------------------------------------------------------------------------- */

uint32_t trod_json_first(const struct trod_json_doc *doc, uint32_t of)
{
    return of != TROD_JSON_NONE && of + 1 < doc->value[of].next ? of + 1
                                                                : TROD_JSON_NONE;
}

uint32_t trod_json_next(const struct trod_json_doc *doc, uint32_t of, uint32_t after)
{
    uint32_t next = doc->value[after].next;

    return next < doc->value[of].next ? next : TROD_JSON_NONE;
}

uint32_t trod_json_member(const struct trod_json_doc *doc, uint32_t of, const char *key)
{
    uint32_t found = TROD_JSON_NONE;

    if (of == TROD_JSON_NONE || doc->value[of].kind != TROD_JSON_OBJECT)
        return TROD_JSON_NONE;
    for (uint32_t v = trod_json_first(doc, of); v != TROD_JSON_NONE;
        v = trod_json_next(doc, of, v))
        if (strcmp(doc->value[v].key, key) == 0)
            found = v;
    return found;
}

const char *trod_json_text_of(const struct trod_json_doc *doc, uint32_t value)
{
    return value != TROD_JSON_NONE && doc->value[value].kind == TROD_JSON_TEXT
               ? doc->value[value].text
               : NULL;
}

bool trod_json_uint_of(uint64_t *out, const struct trod_json_doc *doc, uint32_t value)
{
    return value != TROD_JSON_NONE && doc->value[value].kind == TROD_JSON_NUMBER &&
           trod_text_uint(out, doc->value[value].text);
}
