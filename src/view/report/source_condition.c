#include "report/source_text.h"

#include <string.h>

enum { NONE = UINT32_MAX };

/* How a token bounds the conditions next to it. */
enum bound {
    BOUND_NONE,
    BOUND_LEVEL,   /* start or end of the bracket level */
    BOUND_JOIN,    /* && and ||: another condition follows */
    BOUND_CHOICE,  /* ? and : */
    BOUND_COMMA,   /* between arguments, declarations, parts of `for` */
    BOUND_ASSIGN,  /* = and others: an expression of its own follows */
    BOUND_END,     /* of a statement */
    BOUND_KEYWORD, /* of a statement */
};

static const struct word {
    const char *word;
    enum bound bound;
} words[] = {
    {"&&", BOUND_JOIN},
    {"||", BOUND_JOIN},
    {"and", BOUND_JOIN},
    {"or", BOUND_JOIN},
    {"?", BOUND_CHOICE},
    {":", BOUND_CHOICE},
    {",", BOUND_COMMA},
    {";", BOUND_END},
    {"{", BOUND_END},
    {"}", BOUND_END},
    {"=", BOUND_ASSIGN},
    {"+=", BOUND_ASSIGN},
    {"-=", BOUND_ASSIGN},
    {"*=", BOUND_ASSIGN},
    {"/=", BOUND_ASSIGN},
    {"%=", BOUND_ASSIGN},
    {"&=", BOUND_ASSIGN},
    {"|=", BOUND_ASSIGN},
    {"^=", BOUND_ASSIGN},
    {"<<=", BOUND_ASSIGN},
    {">>=", BOUND_ASSIGN},
    {"return", BOUND_KEYWORD},
    {"co_return", BOUND_KEYWORD},
    {"co_yield", BOUND_KEYWORD},
    {"throw", BOUND_KEYWORD},
    {"else", BOUND_KEYWORD},
    {"do", BOUND_KEYWORD},
    {"case", BOUND_KEYWORD},
    {"default", BOUND_KEYWORD},
    {"goto", BOUND_KEYWORD},
    {"try", BOUND_KEYWORD},
};

static enum bound bound_of(const struct trod_source_token *token)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (trod_source_is(token, words[i].word))
            return words[i].bound;
    return BOUND_NONE;
}

/* The kind of brackets around a position. */
enum level {
    LEVEL_STATEMENT, /* braces, or none */
    LEVEL_CONTROL,   /* the parentheses of if, while and switch */
    LEVEL_FOR,
    LEVEL_CALL, /* arguments, or an index */
    LEVEL_PLAIN /* parentheses of an expression */
};

struct finder {
    const struct trod_source_text *text;
    uint32_t at;
    uint32_t open; /* index of the opening bracket, or NONE */
    enum level level;
    struct trod_source_range range;
    enum bound left, right;
};

static const struct trod_source_token *token_at(const struct finder *f, uint32_t i)
{
    return &f->text->token[i];
}

/* The control keyword before a parenthesis, or NULL. */
static const struct trod_source_token *control_of(const struct finder *f, uint32_t open)
{
    static const char *const control[] = {
        "if", "while", "for", "switch", "catch", "foreach"};
    const struct trod_source_token *before = open ? token_at(f, open - 1) : NULL;

    if (before && open > 1 && trod_source_is(before, "constexpr"))
        before--;
    for (size_t i = 0; before && i < sizeof control / sizeof *control; i++)
        if (trod_source_is(before, control[i]))
            return before;
    return NULL;
}

static bool is_word(const struct trod_source_token *token)
{
    char c = *token->text;

    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (c & 0x80);
}

static enum level level_of(const struct finder *f, uint32_t open)
{
    const struct trod_source_token *before, *control;

    if (open == NONE || *token_at(f, open)->text == '{')
        return LEVEL_STATEMENT;
    if (*token_at(f, open)->text == '[')
        return LEVEL_CALL;
    control = control_of(f, open);
    if (control)
        return trod_source_is(control, "for") ? LEVEL_FOR : LEVEL_CONTROL;
    before = open ? token_at(f, open - 1) : NULL;
    return before && ((is_word(before) && bound_of(before) == BOUND_NONE) ||
                         strchr(")]>", *before->text))
               ? LEVEL_CALL
               : LEVEL_PLAIN;
}

/* --- from a token to its bounds ------------------------------------------------------------------ */

/* Does the token bound a condition in this direction? */
static bool stops(const struct finder *f, enum bound bound, bool to_left)
{
    switch (bound) {
    case BOUND_NONE:
        return false;
    case BOUND_COMMA:
        return f->level != LEVEL_CONTROL;
    case BOUND_ASSIGN:
        return to_left && (f->level == LEVEL_STATEMENT || f->level == LEVEL_FOR ||
                              f->right == BOUND_JOIN || f->right == BOUND_CHOICE);
    default:
        return true;
    }
}

/* Extend the range from `from` to the right, up to the next bound. */
static void extend_right(struct finder *f, uint32_t from)
{
    uint32_t n = f->text->ntoken,
             end = f->open == NONE ? n : token_at(f, f->open)->partner;

    if (end == NONE)
        end = n;
    f->right = BOUND_LEVEL;
    for (uint32_t i = from; i < end; i++) {
        const struct trod_source_token *t = token_at(f, i);
        enum bound bound = i == f->at ? BOUND_NONE : bound_of(t);

        if (stops(f, bound, false)) {
            f->right = bound;
            return;
        }
        f->range.last = i;
        if (t->partner != NONE && t->partner > i)
            f->range.last = i = t->partner;
    }
}

static void extend_left(struct finder *f)
{
    uint32_t begin = f->open == NONE ? 0 : f->open + 1;

    f->left = BOUND_LEVEL;
    f->range.first = f->at;
    while (f->range.first > begin) {
        uint32_t i = f->range.first - 1;
        const struct trod_source_token *t = token_at(f, i);
        enum bound bound = bound_of(t);

        if (stops(f, bound, true)) {
            f->left = bound;
            return;
        }
        if (t->partner != NONE && t->partner < i)
            i = t->partner;
        /* What follows if (...) is another statement. */
        if (i < f->range.first - 1 && control_of(f, i)) {
            f->left = BOUND_KEYWORD;
            return;
        }
        f->range.first = i;
    }
}

/* `for (x : all)` has no explicit condition. */
static bool is_range_for(const struct finder *f)
{
    uint32_t end = f->level == LEVEL_FOR ? token_at(f, f->open)->partner : NONE;

    if (end == NONE)
        return false;
    for (uint32_t i = f->open + 1; i < end; i++) {
        if (trod_source_is(token_at(f, i), ";"))
            return false;
        if (token_at(f, i)->partner != NONE && token_at(f, i)->partner > i)
            i = token_at(f, i)->partner;
    }
    return true;
}

static void find_bounds(struct finder *f, uint32_t at)
{
    f->at = at;
    f->open = token_at(f, at)->open;
    f->level = level_of(f, f->open);
    f->range = (struct trod_source_range){at, at};
    if (is_range_for(f)) {
        f->range =
            (struct trod_source_range){f->open + 1, token_at(f, f->open)->partner - 1};
        f->left = f->right = BOUND_LEVEL;
        return;
    }
    extend_right(f, at);
    extend_left(f);
}

static bool is_bounded(enum bound bound)
{
    return bound == BOUND_JOIN || bound == BOUND_CHOICE;
}

/* If a condition fills its brackets, it is part of the expression around them: !(a < b), __builtin_expect(a < b, 1). */
static bool goes_out(const struct finder *f)
{
    return (f->level == LEVEL_CALL || f->level == LEVEL_PLAIN) &&
           !is_bounded(f->left) && !is_bounded(f->right) &&
           (f->level == LEVEL_CALL ||
               (f->left == BOUND_LEVEL && f->right == BOUND_LEVEL));
}

/* --- several conditions in one ------------------------------------------------------------------------ */

static uint32_t count_conditions(const struct finder *f)
{
    uint32_t n = 1;

    for (uint32_t i = f->range.first; i <= f->range.last; i++)
        n += bound_of(token_at(f, i)) == BOUND_JOIN;
    return n;
}

static void join(struct finder *f, uint32_t ncondition)
{
    while (count_conditions(f) < ncondition) {
        if (f->right == BOUND_JOIN && f->range.last + 2 < f->text->ntoken) {
            uint32_t from = f->range.last + 2;

            f->range.last++;
            extend_right(f, from);
        } else if (f->level == LEVEL_PLAIN) {
            find_bounds(f, f->open);
        } else {
            return;
        }
    }
}

/* --- whole conditions ------------------------------------------------------------------------------------ */

/* The next semicolon at this level, or `end`. */
static uint32_t find_semicolon(const struct finder *f, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++) {
        if (trod_source_is(token_at(f, i), ";"))
            return i;
        if (token_at(f, i)->partner != NONE && token_at(f, i)->partner > i)
            i = token_at(f, i)->partner;
    }
    return end;
}

/* The whole condition of `for (...; c; ...)` or `if (...; c)`; without semicolons, everything in the parentheses. */
static bool find_behind(struct finder *f, uint32_t open)
{
    uint32_t end = token_at(f, open)->partner, first, last;

    if (end == NONE)
        return false;
    first = find_semicolon(f, open + 1, end);
    first = first == end ? open + 1 : first + 1;
    last = find_semicolon(f, first, end);
    f->range = (struct trod_source_range){first, last - 1};
    return last > first;
}

/* Is the position in the initializer, before the condition? Cleanups have such positions. */
static bool is_initial(const struct finder *f)
{
    uint32_t end = f->open == NONE ? NONE : token_at(f, f->open)->partner, semicolon;

    if ((f->level != LEVEL_CONTROL && f->level != LEVEL_FOR) || end == NONE)
        return false;
    semicolon = find_semicolon(f, f->open + 1, end);
    return semicolon < end && f->at < semicolon;
}

/* At a keyword: the condition is in the parentheses after it. */
static bool find_of_statement(struct finder *f, uint32_t at)
{
    uint32_t open = at + 1, end;

    if (open < f->text->ntoken && trod_source_is(token_at(f, open), "constexpr"))
        open++;
    if (open >= f->text->ntoken || *token_at(f, open)->text != '(' ||
        token_at(f, open)->partner == NONE)
        return false;
    end = token_at(f, open)->partner;
    if (!trod_source_is(token_at(f, at), "switch"))
        return find_behind(f, open);
    f->range = (struct trod_source_range){at, end};
    return true;
}

/* An operator stands for the operand to its left. */
static uint32_t left_side(const struct finder *f, uint32_t at)
{
    uint32_t partner = token_at(f, at - 1)->partner;

    return partner != NONE && partner < at - 1 ? partner : at - 1;
}

/* Remove parentheses around the whole condition. */
static void strip(struct finder *f)
{
    while (f->range.first + 1 < f->range.last &&
           *token_at(f, f->range.first)->text == '(' &&
           token_at(f, f->range.first)->partner == f->range.last) {
        f->range.first++;
        f->range.last--;
    }
}

bool trod_source_condition(struct trod_source_range *out,
    const struct trod_source_text *text, uint32_t line, uint32_t column,
    uint32_t ncondition)
{
    struct finder f = {.text = text};
    uint32_t at = column ? trod_source_at(text, line, column) : NONE;

    if (at == NONE)
        return false;
    /* do { ... } while (c): debug information places it at the end of the body. */
    if (trod_source_is(token_at(&f, at), "}") && at + 1 < text->ntoken &&
        trod_source_is(token_at(&f, at + 1), "while"))
        at++;
    if (trod_source_is(token_at(&f, at), "if") ||
        trod_source_is(token_at(&f, at), "while") ||
        trod_source_is(token_at(&f, at), "for") ||
        trod_source_is(token_at(&f, at), "switch")) {
        if (!find_of_statement(&f, at))
            return false;
    } else {
        enum bound bound = bound_of(token_at(&f, at));

        if (bound == BOUND_END || bound == BOUND_KEYWORD)
            return false;
        if (ncondition == 1 && at &&
            (bound == BOUND_JOIN || trod_source_is(token_at(&f, at), "?")))
            at = left_side(&f, at);
        find_bounds(&f, at);
        while (goes_out(&f))
            find_bounds(&f, f.open);
        if (is_initial(&f)) {
            if (!find_behind(&f, f.open))
                return false;
        } else {
            join(&f, ncondition);
        }
    }
    strip(&f);
    *out = f.range;
    return true;
}

/* --- text ------------------------------------------------------------------------------------------------- */

static void put_token(struct trod_sink *sink, const struct trod_source_token *token)
{
    for (uint32_t i = 0; i < token->length;) {
        size_t bad = trod_control_length(token->text + i);
        size_t n = bad ? bad : trod_utf8_length(token->text + i);

        if (bad || !n)
            trod_put(sink, "?");
        else
            sink->put(sink, token->text + i, n);
        i += n ? (uint32_t)n : 1;
    }
}

void trod_source_print(struct trod_sink *sink, const struct trod_source_text *text,
    struct trod_source_range range)
{
    for (uint32_t i = range.first; i <= range.last; i++) {
        const struct trod_source_token *t = &text->token[i];

        if (i > range.first &&
            (t[-1].line != t->line || t[-1].column + t[-1].length != t->column))
            trod_put(sink, " ");
        put_token(sink, t);
    }
}
