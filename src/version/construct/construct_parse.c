#include "construct/construct_builder.h"

#include <inttypes.h>
#include <string.h>

/* Texts have hundreds of thousands of lines, mostly numbers: parse them in place, without a copy in the arena. */
struct parser {
    struct trod_constructs_builder *b;
    struct trod_text *text;
    struct trod_err *err;
};

/* --- words ------------------------------------------------------------------------------------------- */

static bool is_over(struct trod_text *text)
{
    while (text->at < text->end &&
           (*text->at == ' ' || *text->at == '\t' || *text->at == '\r'))
        text->at++;
    return text->at == text->end || *text->at == '\n' || *text->at == '#';
}

/* The next word and its length; 0 at the end of a line. */
static size_t take_word(const char **out, struct trod_text *text)
{
    bool over = is_over(text);

    *out = text->at;
    while (!over && text->at < text->end && *text->at != ' ' && *text->at != '\t' &&
           *text->at != '\r' && *text->at != '\n' && *text->at != '#' &&
           *text->at != '"')
        text->at++;
    return (size_t)(text->at - *out);
}

static bool is_word(const char *word, size_t length, const char *other)
{
    return length == strlen(other) && memcmp(word, other, length) == 0;
}

static bool fault(struct parser *p, const char *what, const char *word, size_t length)
{
    if (!length)
        return trod_text_fail(p->text, p->err, "expected %s", what);
    return trod_text_fail(p->text, p->err, "expected %s, not '%.*s'", what,
        (int)(length < 40 ? length : 40), word);
}

static bool to_uint(uint64_t *out, const char *word, size_t length)
{
    uint64_t value = 0;

    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9' ||
            __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(word[i] - '0'), &value))
            return false;
    }
    *out = value;
    return length > 0;
}

/* A number below 2^32 - 1, which means none. */
static bool take_u32(struct parser *p, uint32_t *out, const char *what)
{
    const char *word;
    size_t length = take_word(&word, p->text);
    uint64_t value;

    if (!to_uint(&value, word, length) || value >= UINT32_MAX)
        return fault(p, what, word, length);
    *out = (uint32_t)value;
    return true;
}

static bool take_hash(struct parser *p, uint64_t *out, const char *what)
{
    const char *word;
    size_t length = take_word(&word, p->text);
    uint64_t value = 0;

    if (length != 16)
        return fault(p, what, word, length);
    for (size_t i = 0; i < length; i++) {
        char c = word[i];
        bool is_digit = c >= '0' && c <= '9';

        if (!is_digit && (c < 'a' || c > 'f'))
            return fault(p, what, word, length);
        value = value << 4 | (uint64_t)(is_digit ? c - '0' : c - 'a' + 10);
    }
    *out = value;
    return true;
}

/* The number of a name, interned. */
static bool take_name(
    struct parser *p, uint32_t *out, struct trod_names *names, const char *what)
{
    struct trod_mark mark = trod_arena_mark(p->b->mem);
    const char *name;

    if (!trod_text_take_name(&name, what, p->text, p->b->mem, p->err))
        return false;
    *out = trod_names_find(names, name);
    if (*out != UINT32_MAX)
        trod_arena_rewind(p->b->mem, mark);
    else
        *out = trod_names_add(names, name);
    return true;
}

static bool take_end(struct parser *p)
{
    return trod_text_take_end("that", p->text, p->b->mem, p->err);
}

static bool take_level(struct parser *p, uint32_t *out)
{
    struct trod_mark mark = trod_arena_mark(p->b->mem);
    const char *word;

    if (!trod_text_take_name(&word, "a level, such as function, loop or statement",
            p->text, p->b->mem, p->err))
        return false;
    if (!trod_level_parse(out, &p->b->levels, word))
        return trod_text_fail(p->text, p->err,
            "there is no level '%s'; add it by a line 'level NUMBER NAME' above", word);
    trod_arena_rewind(p->b->mem, mark);
    return *out < TROD_LEVEL_PROGRAM ||
           trod_text_fail(p->text, p->err,
               "only the program has the level program; use a lower "
               "level");
}

/* --- a construct ----------------------------------------------------------------------------------------- */

static void add_code(
    struct trod_constructs_builder *b, const struct construct_code *code)
{
    if (!code->meaning && !code->shape)
        return;
    trod_push(b->mem, b->code, b->ncode, b->room_code, *code);
}

static bool take_known(
    struct parser *p, struct trod_construct *c, struct construct_code *code)
{
    const char *word;
    size_t length = take_word(&word, p->text);
    uint32_t shown;

    if (is_word(word, length, "meaning"))
        return take_hash(p, &code->meaning, "a hash of 16 hexadecimal digits");
    if (is_word(word, length, "shape"))
        return take_hash(p, &code->shape, "a hash of 16 hexadecimal digits");
    if (is_word(word, length, "static")) {
        c->is_static = true;
        return true;
    }
    if (!is_word(word, length, "shown"))
        return fault(p, "meaning, shape, shown or static", word, length);
    if (!take_name(p, &shown, &p->b->symbols, "a name as people write it"))
        return false;
    c->shown = p->b->symbols.name[shown];
    return true;
}

static bool take_rest(struct parser *p, struct trod_construct *c)
{
    struct construct_code code = {0};

    if (is_over(p->text))
        return c->level != TROD_LEVEL_FUNCTION ||
               trod_text_fail(p->text, p->err, "expected the name of a function");
    if (!take_name(p, &c->symbol, &p->b->symbols, "a name"))
        return false;
    c->name = p->b->symbols.name[c->symbol];
    while (!is_over(p->text))
        if (!take_known(p, c, &code))
            return false;
    code.symbol = c->symbol;
    code.file = c->file;
    if (c->level == TROD_LEVEL_FUNCTION)
        add_code(p->b, &code);
    return true;
}

static uint32_t nearest(uint32_t line, uint32_t first, uint32_t last)
{
    return line < first ? first : line > last ? last : line;
}

static bool take_lines(struct parser *p, struct trod_construct *c)
{
    const struct trod_construct *above =
        c->parent == TROD_NO_CONSTRUCT ? NULL : &p->b->construct[c->parent];

    if (!take_u32(p, &c->line, "the first line") ||
        !take_u32(p, &c->last, "the last line"))
        return false;
    if (c->last < c->line)
        return trod_text_fail(p->text, p->err,
            "the last line, %" PRIu32 ", is before the first, %" PRIu32, c->last,
            c->line);
    if (above && above->file == c->file) {
        c->line = nearest(c->line, above->line, above->last);
        c->last = nearest(c->last, above->line, above->last);
    }
    return true;
}

static bool take_kind(struct parser *p, struct trod_construct *c)
{
    if (c->level != TROD_LEVEL_FUNCTION && c->level != TROD_LEVEL_CLASS)
        return take_name(
            p, &c->kind, &p->b->kinds, "a kind, such as if, for, call or decl");
    c->kind = trod_names_add(
        &p->b->kinds, c->level == TROD_LEVEL_CLASS ? "class" : "function");
    return true;
}

static bool parse_construct(struct parser *p, uint64_t depth)
{
    struct trod_constructs_builder *b = p->b;
    struct trod_construct c = {.file = b->file, .symbol = TROD_NO_CONSTRUCT};

    if (b->file == TROD_NO_CONSTRUCT)
        return trod_text_fail(p->text, p->err,
            "a construct without a file; add a line 'in FILE' above "
            "it");
    if (depth > b->nopen)
        return trod_text_fail(p->text, p->err,
            "depth %" PRIu64 " has no parent; at most %" PRIu32 " is possible here",
            depth, b->nopen);
    if (b->nconstruct >= UINT32_MAX / 2)
        return trod_text_fail(p->text, p->err, "there are too many constructs");
    c.parent = depth ? b->open[depth - 1] : TROD_NO_CONSTRUCT;
    if (!take_level(p, &c.level) || !take_kind(p, &c) || !take_lines(p, &c) ||
        !take_hash(p, &c.tree, "the hash of its tree, 16 hexadecimal digits") ||
        !take_hash(p, &c.own, "the hash of its own part, 16 hexadecimal digits") ||
        !take_rest(p, &c) || !take_end(p))
        return false;
    /* After the line is parsed: closing may remove a duplicate construct. */
    trod_construct_open(b, (uint32_t)depth);
    trod_push(b->mem, b->construct, b->nconstruct, b->room_construct, c);
    return true;
}

/* --- uses ---------------------------------------------------------------------------------------------------- */

/* [FILE [LINE [LEVEL]]] */
static bool take_where(struct parser *p, struct construct_target *out)
{
    out->file = out->line = out->level = TROD_NO_CONSTRUCT;
    return is_over(p->text) ||
           (take_name(p, &out->file, &p->b->files, "the file it is in") &&
               (is_over(p->text) ||
                   (take_u32(p, &out->line, "the line it begins in") &&
                       (is_over(p->text) || take_level(p, &out->level)))));
}

static bool parse_use(struct parser *p, enum trod_construct_use_kind kind)
{
    struct trod_constructs_builder *b = p->b;
    struct construct_named_use use = {.kind = kind};

    if (!b->nopen)
        return trod_text_fail(p->text, p->err,
            "a use without a construct; put it below the construct "
            "that uses it");
    use.from = b->nconstruct - 1;
    if (kind == TROD_USE_MAY_CALL
            ? !take_hash(p, &use.type, "a type of functions, 16 hexadecimal digits")
            : !take_name(p, &use.target.symbol, &b->symbols, "what is used") ||
                  !take_where(p, &use.target))
        return false;
    if (!take_end(p))
        return false;
    trod_push(b->mem, b->use, b->nuse, b->room_use, use);
    return true;
}

static bool parse_calls(struct parser *p)
{
    return parse_use(p, TROD_USE_CALLS);
}

static bool parse_may_call(struct parser *p)
{
    return parse_use(p, TROD_USE_MAY_CALL);
}

static bool parse_names(struct parser *p)
{
    return parse_use(p, TROD_USE_NAMES);
}

static bool parse_taken(struct parser *p)
{
    struct trod_constructs_builder *b = p->b;
    struct construct_taken taken;

    if (!take_name(p, &taken.target.symbol, &b->symbols, "a function") ||
        !take_hash(p, &taken.type, "a type of functions, 16 hexadecimal digits") ||
        !take_where(p, &taken.target) || !take_end(p))
        return false;
    trod_push(b->mem, b->taken, b->ntaken, b->room_taken, taken);
    return true;
}

/* --- other lines ------------------------------------------------------------------------------------------------ */

/* The name is ignored: the program has one already. */
static bool parse_head(struct parser *p)
{
    const char *name;

    trod_construct_close(p->b);
    p->b->file = TROD_NO_CONSTRUCT;
    return trod_text_take_name(
               &name, "the name of a version", p->text, p->b->mem, p->err) &&
           take_end(p);
}

static bool parse_unit(struct parser *p)
{
    struct trod_constructs_builder *b = p->b;
    const char *name;

    trod_construct_close(b);
    if (!trod_text_take_name(&name, "the file of a unit", p->text, b->mem, p->err) ||
        !take_end(p))
        return false;
    trod_push(b->mem, b->unit, b->nunit, b->room_unit, name);
    return true;
}

static bool parse_level(struct parser *p)
{
    uint32_t level;
    const char *name, *known;
    struct trod_err found;

    if (!take_u32(p, &level, "the number of a level") ||
        !trod_text_take_name(&name, "its name", p->text, p->b->mem, p->err) ||
        !take_end(p))
        return false;
    known = trod_level_name(&p->b->levels, level);
    return (known && strcmp(known, name) == 0) ||
           trod_levels_add(&p->b->levels, level, name, &found) ||
           trod_text_fail(p->text, p->err, "%s", found.text);
}

static bool parse_note(struct parser *p)
{
    uint32_t note;

    return take_name(p, &note, &p->b->notes, "a note, quoted") && take_end(p);
}

static bool parse_in(struct parser *p)
{
    return take_name(p, &p->b->file, &p->b->files, "a file") && take_end(p);
}

static const struct line {
    const char *word;
    bool (*parse)(struct parser *p);
} lines[] = {
    {"calls", parse_calls},
    {"names", parse_names},
    {"may-call", parse_may_call},
    {"taken", parse_taken},
    {"in", parse_in},
    {"unit", parse_unit},
    {"note", parse_note},
    {"level", parse_level},
    {"constructs", parse_head},
};

static bool parse_line(struct parser *p)
{
    const char *word;
    uint64_t depth;
    size_t length;

    p->text->line += p->text->breaks;
    p->text->breaks = 0;
    length = take_word(&word, p->text);
    if (to_uint(&depth, word, length))
        return parse_construct(p, depth);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (is_word(word, length, lines[i].word))
            return lines[i].parse(p);
    return fault(p,
        "a construct, which begins with its depth, or calls, may-call, names, taken, in, "
        "unit, level or note",
        word, length);
}

struct trod_constructs_builder *trod_constructs_begin(
    const char *name, struct trod_arena *mem)
{
    struct trod_constructs_builder *b =
        trod_new(mem, struct trod_constructs_builder, 1);

    b->name = name;
    b->mem = mem;
    b->file = TROD_NO_CONSTRUCT;
    trod_levels_init(&b->levels, mem);
    trod_names_init(&b->files, mem);
    trod_names_init(&b->kinds, mem);
    trod_names_init(&b->symbols, mem);
    trod_names_init(&b->notes, mem);
    return b;
}

static bool parse_first(struct parser *p)
{
    const char *word;
    size_t length;

    p->text->line += p->text->breaks;
    p->text->breaks = 0;
    length = take_word(&word, p->text);
    return is_word(word, length, "constructs")
               ? parse_head(p)
               : fault(p, "the head of constructs, 'constructs NAME'", word, length);
}

bool trod_constructs_add(struct trod_constructs_builder *builder,
    struct trod_text *text, struct trod_err *err)
{
    struct parser p = {.b = builder, .text = text, .err = err};

    if (!parse_first(&p))
        return false;
    while (text->at < text->end)
        if (!parse_line(&p))
            return false;
    trod_construct_close(builder);
    return true;
}

/* --- hashes of code ----------------------------------------------------------------------------------------------- */

static bool parse_function(struct parser *p)
{
    struct construct_code code = {0};
    struct trod_construct c;
    uint32_t line;

    if (!take_name(p, &code.symbol, &p->b->symbols, "the name of a function") ||
        !take_name(p, &code.file, &p->b->files, "the file it is in") ||
        !take_u32(p, &line, "the line it begins in"))
        return false;
    while (!is_over(p->text))
        if (!take_known(p, &c, &code))
            return false;
    add_code(p->b, &code);
    return take_end(p);
}

/* Consume the next word if it is this one. Returns whether it was. */
static bool is_next(struct parser *p, const char *word)
{
    struct trod_text was = *p->text;
    const char *next;
    size_t length;

    p->text->line += p->text->breaks;
    p->text->breaks = 0;
    length = take_word(&next, p->text);
    if (is_word(next, length, word))
        return true;
    *p->text = was;
    return false;
}

static bool pass_line(struct parser *p)
{
    while (p->text->at < p->text->end && *p->text->at != '\n')
        p->text->at++;
    return take_end(p);
}

bool trod_constructs_add_code(struct trod_constructs_builder *builder,
    struct trod_text *text, struct trod_err *err)
{
    struct parser p = {.b = builder, .text = text, .err = err};
    const char *file;

    while (text->at < text->end) {
        if (!is_next(&p, "code")) {
            if (!pass_line(&p))
                return false;
            continue;
        }
        if (!trod_text_take_name(
                &file, "the file of a unit", text, builder->mem, err) ||
            !take_end(&p))
            return false;
        while (is_next(&p, "function"))
            if (!parse_function(&p))
                return false;
    }
    return true;
}
