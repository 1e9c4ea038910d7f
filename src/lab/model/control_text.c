#include "model/model.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    const char *word;
    uint8_t bit;
} ops[] = {
    {"update", TROD_DO_UPDATE},
    {"update-count", TROD_DO_COUNT},
    {"pop", TROD_DO_POP},
    {"push", TROD_DO_PUSH},
};

static const char *const extend_words[] = {"nothing", "loops", "calls"};

/* --- printing ----------------------------------------------------------------------------------- */

static void print_limit(struct trod_sink *sink, const char *word, uint32_t limit)
{
    if (limit)
        trod_put(sink, "%s: %" PRIu32 "\n", word, limit);
    else
        trod_put(sink, "%s: any\n", word);
}

void trod_control_print(struct trod_sink *sink, const struct trod_control *c)
{
    trod_put(sink, "control %s\n", c->name);
    for (uint32_t type = 0; type < TROD_TYPES; type++) {
        trod_put(sink, "%s:", trod_control_type_word(type));
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
            if (c->op[type] & ops[i].bit)
                trod_put(sink, " %s", ops[i].word);
        trod_put(sink, "\n");
    }
    trod_put(sink, "extend: %s", extend_words[c->extend]);
    if (c->extend)
        trod_put(sink, " %" PRIu32, c->most_extended);
    trod_put(sink, "\nmetric: %s\n", trod_control_metric_word(c->metric));
    print_limit(sink, "split", c->split);
    print_limit(sink, "stack", c->stack);
    trod_put(sink, "counter: %u\n", (unsigned)c->counter);
    for (uint32_t open = 0; open < TROD_OPENS; open++)
        trod_put(sink, "%s: %s\n", trod_control_open_word(open),
            trod_control_value_word(open, c->open[open]));
}

/* --- parsing ------------------------------------------------------------------------------------ */

enum { WORDS = 8 };

/* The words of a line, separated by blanks, and the column of each. A colon after the first word is removed. */
struct line {
    const char *word[WORDS];
    uint32_t column[WORDS];
    uint32_t count;
    bool colon;
};

struct parser {
    struct trod_control *out;
    const char *file;
    const char *at, *end;
    uint32_t line;
    struct trod_arena *mem;
    struct trod_err *err;
    uint64_t said; /* bit set of words that had a line */
    bool any;
};

static bool fail_at(
    struct parser *p, uint32_t column, const char *what, const char *word)
{
    return trod_fail(p->err, TROD_E_INPUT, "%s:%" PRIu32 ":%" PRIu32 ": %s%s%s%s",
        p->file, p->line, column, what, word ? " '" : "", word ? word : "",
        word ? "'" : "");
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next line that is not empty; *none: end of the text. */
static bool next_line(struct line *out, struct parser *p, bool *none)
{
    *out = (struct line){0};
    for (*none = false; !out->count;) {
        const char *from;

        if (p->at == p->end) {
            *none = true;
            return true;
        }
        p->line++;
        for (from = p->at; p->at < p->end && *p->at != '\n';) {
            const char *word = p->at;

            if (*word == '#') {
                while (p->at < p->end && *p->at != '\n')
                    p->at++;
                break;
            }
            while (
                p->at < p->end && *p->at != '\n' && !is_blank(*p->at) && *p->at != '#')
                if (*p->at++ == '\0')
                    return fail_at(p, (uint32_t)(p->at - from),
                        "a NUL byte; this is not a text form", NULL);
            if (p->at > word) {
                size_t length = (size_t)(p->at - word);

                if (out->count == WORDS)
                    return fail_at(p, (uint32_t)(word - from) + 1,
                        "too many words on a line; remove some", NULL);
                if (!out->count && word[length - 1] == ':') {
                    out->colon = true;
                    length--;
                }
                out->column[out->count] = (uint32_t)(word - from) + 1;
                out->word[out->count++] = trod_copy_text(p->mem, word, length);
            }
            while (p->at < p->end && is_blank(*p->at))
                p->at++;
        }
        if (p->at < p->end)
            p->at++;
    }
    return true;
}

static bool parse_ops(struct parser *p, const struct line *l, uint32_t type)
{
    uint8_t set = 0;

    for (uint32_t i = 1; i < l->count; i++) {
        uint8_t bit = 0;

        for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
            if (strcmp(l->word[i], ops[k].word) == 0)
                bit = ops[k].bit;
        if (!bit)
            return fail_at(p, l->column[i],
                "expected update, update-count, pop or push, not", l->word[i]);
        if (bit < set)
            return fail_at(p, l->column[i],
                "operations must be in the order update, update-count, pop, push; move",
                l->word[i]);
        if (set & bit)
            return fail_at(
                p, l->column[i], "an operation occurs twice; remove one:", l->word[i]);
        if (bit == TROD_DO_COUNT && (set & TROD_DO_UPDATE))
            return fail_at(p, l->column[i],
                "a branch either updates or counts; remove one of them, such as",
                l->word[i]);
        set |= bit;
    }
    p->out->op[type] = set;
    return true;
}

static bool take_number(struct parser *p, const struct line *l, uint32_t i,
    uint32_t least, uint32_t most, uint32_t *out)
{
    uint64_t value;

    if (i >= l->count)
        return fail_at(p, l->column[l->count - 1], "a number is missing after",
            l->word[l->count - 1]);
    if (!trod_text_uint(&value, l->word[i]) || value < least || value > most)
        return trod_fail(p->err, TROD_E_INPUT,
            "%s:%" PRIu32 ":%" PRIu32 ": expected a number from %" PRIu32 " to %" PRIu32
            ", not '%s'",
            p->file, p->line, l->column[i], least, most, l->word[i]);
    *out = (uint32_t)value;
    return true;
}

static bool take_limit(struct parser *p, const struct line *l, uint32_t *out)
{
    if (l->count > 1 && strcmp(l->word[1], "any") == 0) {
        *out = 0;
        return true;
    }
    return take_number(p, l, 1, 1, UINT32_C(1) << 24, out);
}

static bool over(struct parser *p, const struct line *l, uint32_t count)
{
    if (l->count < count)
        return fail_at(p, l->column[l->count - 1], "a value is missing after",
            l->word[l->count - 1]);
    return l->count == count ||
           fail_at(p, l->column[count], "unexpected text:", l->word[count]);
}

static bool parse_extend(struct parser *p, const struct line *l)
{
    if (l->count < 2)
        return over(p, l, 2);
    for (uint32_t i = 0; i < 3; i++) {
        if (strcmp(l->word[1], extend_words[i]) != 0)
            continue;
        p->out->extend = (uint8_t)i;
        p->out->most_extended = 0;
        return (!i || take_number(p, l, 2, 1, 255, &p->out->most_extended)) &&
               over(p, l, i ? 3 : 2);
    }
    return fail_at(
        p, l->column[1], "expected nothing, loops or calls, not", l->word[1]);
}

static bool parse_metric(struct parser *p, const struct line *l)
{
    if (!over(p, l, 2))
        return false;
    for (uint32_t i = 0; i < TROD_METRICS; i++) {
        if (strcmp(l->word[1], trod_control_metric_word(i)) != 0)
            continue;
        p->out->metric = (uint8_t)i;
        return true;
    }
    return fail_at(p, l->column[1],
        "expected frequency, instructions, misses, mispredictions, power or events, not",
        l->word[1]);
}

static bool parse_open(struct parser *p, const struct line *l, uint32_t open)
{
    if (!over(p, l, 2))
        return false;
    for (uint32_t i = 0; trod_control_value_word(open, i); i++) {
        if (strcmp(l->word[1], trod_control_value_word(open, i)) != 0)
            continue;
        p->out->open[open] = (uint8_t)i;
        return true;
    }
    return trod_fail(p->err, TROD_E_INPUT,
        "%s:%" PRIu32 ":%" PRIu32 ": expected %s%s%s%s%s, not '%s'", p->file, p->line,
        l->column[1], trod_control_value_word(open, 0),
        trod_control_value_word(open, 2) ? ", " : " or ",
        trod_control_value_word(open, 1),
        trod_control_value_word(open, 2) ? " or " : "",
        trod_control_value_word(open, 2) ? trod_control_value_word(open, 2) : "",
        l->word[1]);
}

static bool parse_counter(struct parser *p, const struct line *l)
{
    uint32_t bits;

    if (!take_number(p, l, 1, 1, 64, &bits) || !over(p, l, 2))
        return false;
    p->out->counter = (uint8_t)bits;
    return true;
}

static bool parse_sizes(struct parser *p, const struct line *l, bool *known)
{
    *known = true;
    if (strcmp(l->word[0], "extend") == 0)
        return parse_extend(p, l);
    if (strcmp(l->word[0], "metric") == 0)
        return parse_metric(p, l);
    if (strcmp(l->word[0], "split") == 0)
        return take_limit(p, l, &p->out->split) && over(p, l, 2);
    if (strcmp(l->word[0], "stack") == 0)
        return take_limit(p, l, &p->out->stack) && over(p, l, 2);
    if (strcmp(l->word[0], "counter") == 0)
        return parse_counter(p, l);
    *known = false;
    return true;
}

/* The number of a keyword, to detect duplicate lines. */
static uint32_t number_of(const char *word)
{
    static const char *const sizes[] = {
        "extend", "metric", "split", "stack", "counter", "based"};

    for (uint32_t i = 0; i < TROD_TYPES; i++)
        if (strcmp(word, trod_control_type_word(i)) == 0)
            return i;
    for (uint32_t i = 0; i < TROD_OPENS; i++)
        if (strcmp(word, trod_control_open_word(i)) == 0)
            return TROD_TYPES + i;
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(word, sizes[i]) == 0)
            return TROD_TYPES + TROD_OPENS + i;
    return UINT32_MAX;
}

static bool parse_setting(struct parser *p, const struct line *l)
{
    uint32_t number = number_of(l->word[0]);
    bool known;

    if (number == UINT32_MAX)
        return fail_at(p, l->column[0],
            "expected a type of branch (call, return, forward, backward, indirect), "
            "extend, metric, split, stack, counter, or what the design leaves open; not",
            l->word[0]);
    if (!l->colon)
        return fail_at(p, l->column[0] + (uint32_t)strlen(l->word[0]),
            "a ':' belongs behind", l->word[0]);
    if (p->said >> number & 1)
        return fail_at(p, l->column[0], "said twice:", l->word[0]);
    p->said |= UINT64_C(1) << number;
    if (number < TROD_TYPES)
        return parse_ops(p, l, number);
    if (number < TROD_TYPES + TROD_OPENS)
        return parse_open(p, l, number - TROD_TYPES);
    return parse_sizes(p, l, &known);
}

static bool parse_based(struct parser *p, const struct line *l)
{
    const struct trod_control *base;
    const char *name = p->out->name;

    if (l->count < 3 || l->colon || strcmp(l->word[1], "on") != 0)
        return fail_at(p, l->column[0], "expected 'based on NAME'", NULL);
    if (!over(p, l, 3))
        return false;
    if (p->said)
        return fail_at(p, l->column[0],
            "'based on' must be the first line of a register; move it up", NULL);
    p->said = UINT64_C(1) << number_of("based");
    base = trod_control_named(l->word[2]);
    if (!base)
        return fail_at(p, l->column[2],
            "expected ballarus, wpp, exact or exact-wpp, not", l->word[2]);
    *p->out = *base;
    p->out->name = name;
    return true;
}

static bool parse_head(struct parser *p, const struct line *l)
{
    if (p->any)
        return fail_at(p, l->column[0], "a second control register; remove it", NULL);
    p->any = true;
    if (l->count < 2 || l->colon)
        return fail_at(p, l->column[0], "expected 'control NAME'", NULL);
    p->out->name = l->word[1];
    return over(p, l, 2);
}

static bool parse_lines(struct trod_control *out, const char *file, const char *text,
    size_t length, bool *any, struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.out = out,
        .file = file,
        .at = text,
        .end = text + length,
        .mem = mem,
        .err = err};
    struct line l;

    for (*any = false;; *any = true) {
        bool none;

        if (!next_line(&l, &p, &none))
            return false;
        if (none)
            break;
        if (strcmp(l.word[0], "control") == 0 ? !parse_head(&p, &l)
            : strcmp(l.word[0], "based") == 0 ? !parse_based(&p, &l)
                                              : !parse_setting(&p, &l))
            return false;
        p.any = true;
    }
    return trod_control_check(out, err);
}

bool trod_control_parse(struct trod_control *out, const char *file, const char *text,
    size_t length, struct trod_arena *mem, struct trod_err *err)
{
    bool any;

    *out = *trod_control_named("ballarus");
    out->name = "control";
    if (!parse_lines(out, file, text, length, &any, mem, err))
        return false;
    return any ||
           trod_fail(err, TROD_E_INPUT,
               "%s:1:1: the file is empty; write 'control NAME', and 'based on NAME'",
               file);
}

bool trod_control_set(struct trod_control *control, const char *file, const char *text,
    size_t length, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_control next = *control;
    bool any;

    if (!parse_lines(&next, file, text, length, &any, mem, err))
        return false;
    next.name = control->name;
    *control = next;
    return true;
}
