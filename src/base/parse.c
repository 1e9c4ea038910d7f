#include "base/parse.h"

#include <stdlib.h>
#include <string.h>

bool trod_parse_next(struct trod_token *out, const struct trod_parse *in)
{
    return trod_text_next(out, in->text, in->mem, in->err);
}

bool trod_parse_peek(struct trod_token *out, const struct trod_parse *in)
{
    return trod_text_peek(out, in->text, in->mem, in->err);
}

bool trod_parse_name(const char **out, const struct trod_parse *in, const char *what)
{
    return trod_text_take_name(out, what, in->text, in->mem, in->err);
}

bool trod_parse_uint(uint64_t *out, const struct trod_parse *in, const char *what)
{
    return trod_text_take_uint(out, what, in->text, in->mem, in->err);
}

bool trod_parse_u32(uint32_t *out, const struct trod_parse *in, const char *what)
{
    uint64_t value;

    if (!trod_parse_uint(&value, in, what))
        return false;
    *out = (uint32_t)value;
    return value <= UINT32_MAX || trod_parse_fail(in, "%s is below 4294967296", what);
}

bool trod_parse_hash(uint64_t *out, const struct trod_parse *in, const char *what)
{
    return trod_text_take_hash(out, what, in->text, in->mem, in->err);
}

bool trod_parse_real(double *out, const struct trod_parse *in, const char *what)
{
    const char *digits;
    char *end;

    if (!trod_parse_name(&digits, in, what))
        return false;
    *out = strtod(digits, &end);
    return (*digits && !*end) ||
           trod_parse_fail(in, "'%s' is not a number; expected %s", digits, what);
}

bool trod_parse_listed(uint32_t *out, const struct trod_parse *in,
    const char *(*word)(uint32_t), const char *what)
{
    const char *name;

    if (!trod_parse_name(&name, in, what))
        return false;
    for (*out = 0; word(*out); ++*out)
        if (strcmp(word(*out), name) == 0)
            return true;
    return trod_parse_fail(in, "'%s' is unknown; expected %s", name, what);
}

bool trod_parse_word(uint32_t *out, const struct trod_parse *in,
    const char *const *word, uint32_t count, const char *what)
{
    const char *name;

    if (!trod_parse_name(&name, in, what))
        return false;
    for (*out = 0; *out < count; ++*out)
        if (strcmp(word[*out], name) == 0)
            return true;
    return trod_parse_fail(in, "'%s' is not %s", name, what);
}

bool trod_parse_end(const struct trod_parse *in, const char *what)
{
    return trod_text_take_end(what, in->text, in->mem, in->err);
}
