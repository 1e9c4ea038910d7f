#include "edit/edit_token.h"

#include <stdio.h>
#include <string.h>

void trod_edit_lexer_init(
    struct trod_edit_lexer *lexer, const char *file, const char *bytes, size_t length)
{
    *lexer = (struct trod_edit_lexer){
        .file = file, .at = bytes, .end = bytes + length, .line = 1, .column = 1};
}

void trod_edit_error(const struct trod_edit_token *at, struct trod_err *err,
    enum trod_err_code code, const char *format, ...)
{
    char text[sizeof err->text - 200];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    trod_err_set(err, code, "%.150s:%u:%u: %s", at->file, at->line, at->column, text);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* UTF-8 continuation bytes do not count as columns. */
static void step(struct trod_edit_lexer *lexer)
{
    char c = *lexer->at++;

    if (c == '\n') {
        lexer->line++;
        lexer->column = 1;
    } else if (((unsigned char)c & 0xc0) != 0x80) {
        lexer->column++;
    }
}

static void skip(struct trod_edit_lexer *lexer)
{
    while (lexer->at < lexer->end) {
        char c = *lexer->at;

        if (c == '#')
            while (lexer->at < lexer->end && *lexer->at != '\n')
                step(lexer);
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            step(lexer);
        else
            return;
    }
}

static bool starts(const struct trod_edit_lexer *lexer, const char *with)
{
    size_t length = strlen(with);

    return (size_t)(lexer->end - lexer->at) >= length &&
           memcmp(lexer->at, with, length) == 0;
}

static int digit_of(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

static bool take_number(
    struct trod_edit_token *out, struct trod_edit_lexer *lexer, struct trod_err *err)
{
    uint64_t base = starts(lexer, "0x") || starts(lexer, "0X") ? 16 : 10;
    const char *from = lexer->at;
    bool fits = true;

    if (base == 16) {
        step(lexer);
        step(lexer);
    }
    for (; lexer->at < lexer->end && digit_of(*lexer->at) < (int)base; step(lexer)) {
        uint64_t digit = (uint64_t)digit_of(*lexer->at);

        fits = fits && !__builtin_mul_overflow(out->number, base, &out->number) &&
               !__builtin_add_overflow(out->number, digit, &out->number);
    }
    if ((base == 16 && lexer->at == from + 2) ||
        (lexer->at < lexer->end && (is_letter(*lexer->at) || is_digit(*lexer->at))))
        return trod_edit_fail(out, err, TROD_E_INPUT,
            "invalid number; write digits, or 0x and hexadecimal digits");
    if (!fits)
        return trod_edit_fail(
            out, err, TROD_E_INPUT, "a number does not fit 64 bits; write a lower one");
    out->kind = TROD_EDIT_T_NUMBER;
    out->length = (size_t)(lexer->at - from);
    return true;
}

static void take_word(
    struct trod_edit_token *out, struct trod_edit_lexer *lexer, struct trod_arena *mem)
{
    const char *from = lexer->at;

    for (; lexer->at < lexer->end; step(lexer)) {
        char c = *lexer->at;
        bool dot = c == '.' && lexer->at + 1 < lexer->end && is_letter(lexer->at[1]);

        if (!is_letter(c) && !is_digit(c) && !dot)
            break;
    }
    out->kind = TROD_EDIT_T_WORD;
    out->length = (size_t)(lexer->at - from);
    out->word = trod_copy_text(mem, from, out->length);
}

static const struct {
    const char *text;
    int mark;
} marks[] = {
    {"=>", TROD_EDIT_M_ARROW},
    {"\xe2\x87\x92", TROD_EDIT_M_ARROW},
    {"&&", TROD_EDIT_M_AND},
    {"||", TROD_EDIT_M_OR},
    {"==", TROD_EDIT_M_EQ},
    {"!=", TROD_EDIT_M_NE},
    {"<=", TROD_EDIT_M_LE},
    {">=", TROD_EDIT_M_GE},
    {"..", TROD_EDIT_M_RANGE},
};

static bool take_mark(
    struct trod_edit_token *out, struct trod_edit_lexer *lexer, struct trod_err *err)
{
    unsigned char c = (unsigned char)*lexer->at;

    out->kind = TROD_EDIT_T_MARK;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (starts(lexer, marks[i].text)) {
            out->mark = marks[i].mark;
            out->length = strlen(marks[i].text);
            for (size_t k = 0; k < out->length; k++)
                step(lexer);
            return true;
        }
    if (!c || !strchr("!<>=(),;:-", c)) {
        if (c > 0x20 && c < 0x7f)
            return trod_edit_fail(out, err, TROD_E_INPUT,
                "'%c' means nothing in productions; remove it, or put # before a comment",
                c);
        return trod_edit_fail(out, err, TROD_E_INPUT,
            "byte 0x%02x means nothing in productions; remove it, or put # before a comment",
            c);
    }
    out->mark = c;
    out->length = 1;
    step(lexer);
    return true;
}

bool trod_edit_lexer_next(struct trod_edit_token *out, struct trod_edit_lexer *lexer,
    struct trod_arena *mem, struct trod_err *err)
{
    skip(lexer);
    *out = (struct trod_edit_token){.kind = TROD_EDIT_T_END,
        .at = lexer->at,
        .file = lexer->file,
        .line = lexer->line,
        .column = lexer->column};
    if (lexer->at == lexer->end)
        return true;
    if (is_digit(*lexer->at))
        return take_number(out, lexer, err);
    if (!is_letter(*lexer->at))
        return take_mark(out, lexer, err);
    take_word(out, lexer, mem);
    return true;
}
