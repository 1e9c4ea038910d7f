#include "edit/edit_reader.h"

#include <string.h>

static const char *const class_names[TROD_EDIT_CLASSES] = {
    [TROD_EDIT_ANY] = "any",
    [TROD_EDIT_PROC_CALL] = "proc_call",
    [TROD_EDIT_BRANCH] = "branch",
    [TROD_EDIT_COND_BRANCH] = "cond_branch",
    [TROD_EDIT_JUMP] = "jump",
    [TROD_EDIT_INDIRECT] = "indirect",
    [TROD_EDIT_RETURN] = "return",
    [TROD_EDIT_MEM_OP] = "mem_op",
    [TROD_EDIT_LOAD] = "load",
    [TROD_EDIT_STORE] = "store",
    [TROD_EDIT_ALU] = "alu",
    [TROD_EDIT_MULTIPLY] = "multiply",
    [TROD_EDIT_DIVIDE] = "divide",
    [TROD_EDIT_FLOAT] = "float",
    [TROD_EDIT_FLOAT_MULTIPLY] = "float_multiply",
    [TROD_EDIT_FLOAT_DIVIDE] = "float_divide",
    [TROD_EDIT_NOTHING] = "nothing",
    [TROD_EDIT_SYSTEM] = "system",
};

static const char *const notes_names[] = {
    [TROD_EDIT_NOTHING_NOTED] = "nothing",
    [TROD_EDIT_METHODS] = "methods",
    [TROD_EDIT_CALLS] = "calls",
    [TROD_EDIT_STREAMS] = "streams",
};

static const char *const period_names[] = {
    [TROD_EDIT_FIXED] = "fixed",
    [TROD_EDIT_PRIME] = "prime",
    [TROD_EDIT_JITTER] = "jitter",
};

const char *trod_edit_class_name(enum trod_edit_class class)
{
    return class_names[class];
}

enum trod_edit_class trod_edit_class_find(const char *word)
{
    int i = 0;

    while (i < TROD_EDIT_CLASSES && strcmp(class_names[i], word) != 0)
        i++;
    return (enum trod_edit_class)i;
}

const char *trod_edit_notes_name(enum trod_edit_notes notes)
{
    return notes_names[notes];
}

const char *trod_edit_period_name(enum trod_edit_period period)
{
    return period_names[period];
}

bool trod_edit_is_word(const struct trod_edit_token *t, const char *word)
{
    return t->kind == TROD_EDIT_T_WORD && strcmp(t->word, word) == 0;
}

const char *trod_edit_quote(const struct trod_edit_token *t, struct trod_arena *mem)
{
    if (t->kind == TROD_EDIT_T_END)
        return "the end";
    return trod_format(mem, "'%.*s'", t->length > 60 ? 60 : (int)t->length, t->at);
}

bool trod_edit_numbered(
    uint32_t *out, const struct trod_edit_token *t, const char *prefix)
{
    size_t length = strlen(prefix);
    uint64_t number;

    if (t->kind != TROD_EDIT_T_WORD || strncmp(t->word, prefix, length) != 0 ||
        !t->word[length] ||
        strspn(t->word + length, "0123456789") != t->length - length)
        return false;
    *out = trod_text_uint(&number, t->word + length) && number < TROD_EDIT_COUNTERS
               ? (uint32_t)number
               : UINT32_MAX;
    return true;
}

bool trod_edit_take_counter(struct trod_edit_reader *r, uint8_t *out, uint32_t number,
    const struct trod_edit_token *t)
{
    if (number == UINT32_MAX)
        return trod_edit_fail(t, r->err, TROD_E_INPUT,
            "this counter does not exist; counters are numbered from 0 to %d",
            TROD_EDIT_COUNTERS - 1);
    *out = (uint8_t)number;
    return true;
}

/* Keywords, which cannot be names. */
static bool is_reserved(const struct trod_edit_token *t)
{
    static const char *const word[] = {
        "null", "register", "handler", "bits", "call", "op", "in", "max"};
    static const char *const prefix[] = {"inc_", "dec_", "set_", "overflow_", "zero_"};
    uint32_t number;

    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strcmp(t->word, word[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
        if (trod_edit_numbered(&number, t, prefix[i]))
            return true;
    return strchr(t->word, '.') != NULL;
}

bool trod_edit_take_name(
    struct trod_edit_reader *r, const struct trod_edit_token **out, const char *what)
{
    const struct trod_edit_token *t = *out = trod_edit_take(r);

    if (t->kind != TROD_EDIT_T_WORD)
        return trod_edit_fail(t, r->err, TROD_E_INPUT, "expected %s, not %s", what,
            trod_edit_quote(t, r->mem));
    if (is_reserved(t))
        return trod_edit_fail(t, r->err, TROD_E_INPUT,
            "'%s' is reserved and cannot be a name; choose another", t->word);
    return true;
}

bool trod_edit_take_mark(struct trod_edit_reader *r, int mark, const char *what)
{
    const struct trod_edit_token *t = trod_edit_take(r);

    return trod_edit_is_mark(t, mark) ||
           trod_edit_fail(t, r->err, TROD_E_INPUT, "expected %s, not %s", what,
               trod_edit_quote(t, r->mem));
}

bool trod_edit_take_number(struct trod_edit_reader *r, uint64_t *out, const char *what)
{
    const struct trod_edit_token *t = trod_edit_take(r);

    if (t->kind != TROD_EDIT_T_NUMBER)
        return trod_edit_fail(t, r->err, TROD_E_INPUT, "expected %s, not %s", what,
            trod_edit_quote(t, r->mem));
    *out = t->number;
    return true;
}
