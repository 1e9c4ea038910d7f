/* A program to try trod on: reads JSON from standard input, says whether it is well-formed and
 * counts what is in it. Written for the demonstration; strict, recursive, one pass.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 512 };

struct reader {
    const char *at, *end;
    const char *wrong; /* NULL while all is well */
    int depth;
    long objects, arrays, strings, numbers, words;
};

static bool value(struct reader *r);

static bool fail(struct reader *r, const char *what)
{
    if (!r->wrong)
        r->wrong = what;
    return false;
}

static int peek(const struct reader *r)
{
    return r->at < r->end ? (unsigned char)*r->at : -1;
}

static void blanks(struct reader *r)
{
    while (r->at < r->end &&
           (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(int c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool escape(struct reader *r)
{
    switch (peek(r)) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        r->at++;
        return true;
    case 'u':
        for (int i = 1; i <= 4; i++)
            if (r->end - r->at <= i || !is_hex((unsigned char)r->at[i]))
                return fail(r, "\\u needs four hexadecimal digits");
        r->at += 5;
        return true;
    default:
        return fail(r, "an escape that JSON does not know");
    }
}

static bool string(struct reader *r)
{
    r->strings++;
    for (r->at++; r->at < r->end;) {
        unsigned char c = (unsigned char)*r->at++;

        if (c == '"')
            return true;
        if (c == '\\') {
            if (!escape(r))
                return false;
        } else if (c < 0x20) {
            return fail(r, "a control character in a string");
        }
    }
    return fail(r, "a string that does not end");
}

static bool digits(struct reader *r)
{
    if (!is_digit(peek(r)))
        return fail(r, "a number without digits");
    while (is_digit(peek(r)))
        r->at++;
    return true;
}

static bool number(struct reader *r)
{
    r->numbers++;
    if (peek(r) == '-')
        r->at++;
    if (peek(r) == '0')
        r->at++;
    else if (!digits(r))
        return false;
    if (peek(r) == '.') {
        r->at++;
        if (!digits(r))
            return false;
    }
    if (peek(r) == 'e' || peek(r) == 'E') {
        r->at++;
        if (peek(r) == '+' || peek(r) == '-')
            r->at++;
        if (!digits(r))
            return false;
    }
    return true;
}

static bool word(struct reader *r, const char *text)
{
    size_t n = strlen(text);

    r->words++;
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, text, n) != 0)
        return fail(r, "a word that JSON does not know");
    r->at += n;
    return true;
}

static bool member(struct reader *r, bool named)
{
    blanks(r);
    if (named) {
        if (peek(r) != '"')
            return fail(r, "a member without a name");
        if (!string(r))
            return false;
        blanks(r);
        if (peek(r) != ':')
            return fail(r, "a name without a colon");
        r->at++;
    }
    return value(r);
}

static bool collection(struct reader *r, char close)
{
    bool ok = false;

    if (++r->depth > DEPTH_MOST)
        return fail(r, "nested too deeply");
    r->at++;
    blanks(r);
    if (peek(r) == close) {
        ok = true;
    } else {
        while (member(r, close == '}')) {
            blanks(r);
            if (peek(r) == close) {
                ok = true;
                break;
            }
            if (peek(r) != ',')
                return fail(r, "neither a comma nor the end");
            r->at++;
        }
    }
    if (ok)
        r->at++;
    r->depth--;
    return ok;
}

static bool value(struct reader *r)
{
    blanks(r);
    switch (peek(r)) {
    case '{':
        r->objects++;
        return collection(r, '}');
    case '[':
        r->arrays++;
        return collection(r, ']');
    case '"':
        return string(r);
    case 't':
        return word(r, "true");
    case 'f':
        return word(r, "false");
    case 'n':
        return word(r, "null");
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return number(r);
    default:
        return fail(r, "no value");
    }
}

static char *read_all(size_t *length)
{
    size_t room = 1 << 16;
    char *bytes = malloc(room);

    *length = 0;
    while (bytes && !feof(stdin) && !ferror(stdin)) {
        if (*length == room) {
            char *more = realloc(bytes, room *= 2);

            if (!more)
                free(bytes);
            bytes = more;
            continue;
        }
        *length += fread(bytes + *length, 1, room - *length, stdin);
    }
    return bytes;
}

int main(void)
{
    size_t length;
    char *bytes = read_all(&length);
    struct reader r = {.at = bytes, .end = bytes + length};
    bool ok;

    if (!bytes)
        return 2;
    ok = value(&r);
    blanks(&r);
    if (ok && r.at < r.end)
        ok = fail(&r, "something behind the value");
    if (ok)
        printf("%ld objects, %ld arrays, %ld strings, %ld numbers, %ld words\n", r.objects,
            r.arrays, r.strings, r.numbers, r.words);
    else
        printf("at byte %td: %s\n", r.at - bytes, r.wrong);
    free(bytes);
    return !ok;
}
