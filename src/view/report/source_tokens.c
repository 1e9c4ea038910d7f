#include "report/source_text.h"

#include <ctype.h>
#include <string.h>

struct scanner {
    struct trod_source_text *out;
    struct trod_arena *mem;
    uint32_t line; /* from 1 */
    const char *begin, *at;
    bool comment;    /* in a comment that began on an earlier line */
    bool directive;  /* in a preprocessor directive, whose tokens are dropped */
    const char *raw; /* in a raw string: its delimiter */
    size_t nraw;
    uint32_t open; /* the innermost open bracket */
};

/* Operators of several characters, longest first. */
static const char *const operators[] = {"<<=", ">>=", "...", "->*", "<=>", "->", "++",
    "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "##", ".*"};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

bool trod_source_is(const struct trod_source_token *token, const char *word)
{
    return token->length == strlen(word) &&
           memcmp(token->text, word, token->length) == 0;
}

/* --- brackets ---------------------------------------------------------------------------------- */

static char closes(char open)
{
    return open == '(' ? ')' : open == '[' ? ']' : '}';
}

/* A closing brace also closes brackets left open inside its block: the branches of an `#if` may each open the same
 * parenthesis. Other mismatched brackets are ignored.
 */
static void close_bracket(struct scanner *s, uint32_t number)
{
    struct trod_source_token *token = s->out->token;
    char c = *token[number].text;
    uint32_t open = s->open;

    while (c == '}' && open != UINT32_MAX && *token[open].text != '{')
        open = token[open].open;
    if (open == UINT32_MAX || closes(*token[open].text) != c)
        return;
    token[open].partner = number;
    token[number].partner = open;
    token[number].open = s->open = token[open].open;
}

static void add_token(struct scanner *s, const char *from, size_t length)
{
    struct trod_source_text *out = s->out;
    uint32_t number = out->ntoken;

    if (s->directive || !length)
        return;
    trod_push(s->mem, out->token, out->ntoken, out->room,
        (struct trod_source_token){.text = from,
            .length = (uint32_t)length,
            .line = s->line,
            .column = (uint32_t)(from - s->begin) + 1,
            .open = s->open,
            .partner = UINT32_MAX});
    if (length == 1 && strchr("([{", *from))
        s->open = number;
    else if (length == 1 && strchr(")]}", *from))
        close_bracket(s, number);
}

/* --- one line ------------------------------------------------------------------------------------ */

static void skip_comment(struct scanner *s)
{
    const char *end = strstr(s->at, "*/");

    s->comment = !end;
    s->at = end ? end + 2 : s->at + strlen(s->at);
}

static void open_comment(struct scanner *s)
{
    s->at += 2;
    skip_comment(s);
}

/* At a quote: skip past the closing quote, or to the end of the line. */
static void take_quoted(struct scanner *s, const char *from)
{
    char quote = *s->at++;

    while (*s->at && *s->at != quote)
        s->at += *s->at == '\\' && s->at[1] ? 2 : 1;
    s->at += *s->at == quote;
    add_token(s, from, (size_t)(s->at - from));
}

/* The end of a raw string: `)MARK"`. */
static bool ends_raw(const struct scanner *s, const char *at)
{
    return *at == ')' && strncmp(at + 1, s->raw, s->nraw) == 0 &&
           at[1 + s->nraw] == '"';
}

static void skip_raw(struct scanner *s)
{
    while (*s->at && !ends_raw(s, s->at))
        s->at++;
    if (*s->at) {
        s->at += s->nraw + 2;
        s->raw = NULL;
    }
}

/* At the quote of R"MARK(. */
static void take_raw(struct scanner *s, const char *from)
{
    s->raw = s->at + 1;
    s->nraw = strcspn(s->raw, "(");
    if (!s->raw[s->nraw]) {
        s->raw = NULL;
        take_quoted(s, from);
        return;
    }
    s->at = s->raw + s->nraw;
    skip_raw(s);
    add_token(s, from, (size_t)(s->at - from));
}

static void take_word(struct scanner *s)
{
    const char *from = s->at;
    bool number = isdigit((unsigned char)*from) || *from == '.';

    while (is_word(*s->at) ||
           (number && (*s->at == '.' || (*s->at == '\'' && is_word(s->at[1])) ||
                          ((*s->at == '+' || *s->at == '-') && s->at > from &&
                              strchr("eEpP", s->at[-1]) && !strpbrk(from, "xX")))))
        s->at++;
    if (!number && *s->at == '"' && s->at - from <= 3 && s->at[-1] == 'R')
        take_raw(s, from);
    else if (!number && (*s->at == '"' || *s->at == '\'') && s->at - from <= 2)
        take_quoted(s, from);
    else
        add_token(s, from, (size_t)(s->at - from));
}

static void take_operator(struct scanner *s)
{
    size_t length = 1;

    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strncmp(s->at, operators[i], strlen(operators[i])) == 0) {
            length = strlen(operators[i]);
            break;
        }
    s->at += length;
    add_token(s, s->at - length, length);
}

static void take(struct scanner *s)
{
    if (s->comment)
        skip_comment(s);
    else if (s->raw)
        skip_raw(s);
    else if (strncmp(s->at, "//", 2) == 0)
        s->at += strlen(s->at);
    else if (strncmp(s->at, "/*", 2) == 0)
        open_comment(s);
    else if (isspace((unsigned char)*s->at) || (*s->at == '\\' && !s->at[1]))
        s->at++;
    else if (*s->at == '"' || *s->at == '\'')
        take_quoted(s, s->at);
    else if (is_word(*s->at) || (*s->at == '.' && isdigit((unsigned char)s->at[1])))
        take_word(s);
    else
        take_operator(s);
}

static bool begins_directive(const struct scanner *s)
{
    return !s->comment && !s->raw && s->begin[strspn(s->begin, " \t")] == '#';
}

void trod_source_scan(struct trod_source_text *out, const char *const *line,
    uint32_t nline, struct trod_arena *mem)
{
    struct scanner s = {.out = out, .mem = mem, .open = UINT32_MAX};

    *out = (struct trod_source_text){.line = line, .nline = nline};
    for (uint32_t i = 0; i < nline; i++) {
        size_t n = strlen(line[i]);

        s.line = i + 1;
        s.begin = s.at = line[i];
        s.directive |= begins_directive(&s);
        while (*s.at)
            take(&s);
        s.directive &= s.comment || (n && line[i][n - 1] == '\\');
    }
}

uint32_t trod_source_at(
    const struct trod_source_text *text, uint32_t line, uint32_t column)
{
    uint32_t low = 0, high = text->ntoken;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct trod_source_token *t = &text->token[middle];

        if (t->line < line || (t->line == line && t->column <= column))
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || text->token[low - 1].line != line ||
        column - text->token[low - 1].column >= text->token[low - 1].length)
        return UINT32_MAX;
    return low - 1;
}
