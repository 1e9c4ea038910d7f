#include "edit/edit_reader.h"

#include <inttypes.h>
#include <string.h>

/* --- names --------------------------------------------------------------------------------------------- */

static uint32_t find(const struct trod_edit_token *const *among, uint32_t count,
    const struct trod_edit_token *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(among[i]->word, name->word) == 0)
            return i;
    return TROD_EDIT_NONE;
}

static bool bind_sequence(struct trod_edit_reader *r, uint32_t *out,
    const struct trod_edit_token *name, bool control)
{
    *out = find(r->sequence_at, r->nsequence, name);
    if (*out == TROD_EDIT_NONE)
        return trod_edit_fail(name, r->err, TROD_E_INPUT,
            "there is no '%s'; add '%s: %s', or write null", name->word, name->word,
            control ? "inc_1" : "call(HANDLER) T.INSN");
    if (r->sequence[*out].is_control != control)
        return trod_edit_fail(name, r->err, TROD_E_INPUT,
            "'%s' is %s; after '=>' write a replacement, after the comma a change of "
            "counters",
            name->word, control ? "a replacement" : "no replacement");
    return true;
}

static bool bind_item(struct trod_edit_reader *r, uint32_t i)
{
    struct trod_edit_item *item = &r->item[i];
    const struct trod_edit_token *name = r->item_at[i];

    switch (item->kind) {
    case TROD_EDIT_SET:
        item->name = find(r->reg_at, r->nregister, name);
        return item->name != TROD_EDIT_NONE ||
               trod_edit_fail(name, r->err, TROD_E_INPUT,
                   "there is no register '%s'; add 'register %s = 1000 to overflow'",
                   name->word, name->word);
    case TROD_EDIT_CALL:
        item->name = find(r->handler_at, r->nhandler, name);
        return item->name != TROD_EDIT_NONE ||
               trod_edit_fail(name, r->err, TROD_E_INPUT,
                   "there is no handler '%s'; add 'handler %s = calls 15'", name->word,
                   name->word);
    case TROD_EDIT_CONTROL:
        return bind_sequence(r, &item->name, name, true);
    default:
        return true;
    }
}

static bool bind_names(struct trod_edit_reader *r)
{
    for (uint32_t i = 0; i < r->nitem; i++)
        if (!bind_item(r, i))
            return false;
    for (uint32_t i = 0; i < r->nproduction; i++)
        if (r->replacement_at[i] && !bind_sequence(r, &r->production[i].replacement,
                                        r->replacement_at[i], false))
            return false;
    for (uint32_t i = 0; i < r->nregister; i++) {
        const struct trod_edit_token *with = r->with_at[i];

        if (!with)
            continue;
        r->reg[i].with = find(r->reg_at, r->nregister, with);
        if (r->reg[i].with == TROD_EDIT_NONE || r->reg[i].with == i)
            return trod_edit_fail(with, r->err, TROD_E_INPUT,
                "there is no other register '%s'; name one, or remove 'with'",
                with->word);
    }
    return true;
}

static bool bind_start(struct trod_edit_reader *r, uint32_t *start)
{
    *start = TROD_EDIT_NONE;
    for (uint32_t i = 0; i < r->nsequence; i++)
        if (strcmp(r->sequence[i].name, "START") == 0)
            *start = i;
    for (uint32_t i = 0; i < r->nproduction; i++)
        if (strcmp(r->production[i].name, "START") == 0)
            return trod_edit_fail(r->production_at[i], r->err, TROD_E_INPUT,
                "START is reserved for the initial change of counters; give the "
                "production another name");
    if (*start != TROD_EDIT_NONE && !r->sequence[*start].is_control)
        return trod_edit_fail(r->sequence_at[*start], r->err, TROD_E_INPUT,
            "START is reserved for the initial change of counters; give the "
            "replacement another name");
    return true;
}

bool trod_edit_bind(struct trod_edit_reader *r, uint32_t *start)
{
    return bind_names(r) && bind_start(r, start);
}

/* --- numbers --------------------------------------------------------------------------------------------- */

bool trod_edit_fits_handler(
    struct trod_edit_reader *r, const struct trod_edit_token *at, uint64_t nop)
{
    return nop <= UINT16_MAX ||
           trod_edit_fail(at, r->err, TROD_E_INPUT,
               "a handler has at most %d micro-operations", UINT16_MAX);
}

static bool apply(struct trod_edit_reader *r, const struct trod_edit_setting *setting)
{
    struct trod_string there;
    bool done = false;

    for (uint32_t i = 0; i < r->nregister; i++)
        if (strcmp(r->reg[i].name, setting->name) == 0) {
            r->reg[i].n = setting->n;
            done = true;
        }
    for (uint32_t i = 0; i < r->nhandler; i++)
        if (strcmp(r->handler[i].name, setting->name) == 0) {
            if (!trod_edit_fits_handler(r, r->handler_at[i], setting->n))
                return false;
            r->handler[i].nop = (uint32_t)setting->n;
            done = true;
        }
    if (done)
        return true;
    trod_string_init(&there, r->mem);
    for (uint32_t i = 0; i < r->nregister; i++)
        trod_put(&there.sink, " %s", r->reg[i].name);
    for (uint32_t i = 0; i < r->nhandler; i++)
        trod_put(&there.sink, " %s", r->handler[i].name);
    return trod_fail(r->err, TROD_E_INPUT,
        "there is no register or handler '%.100s' to set; there are:%.600s",
        setting->name, there.length ? there.text : " none");
}

static void set_period(struct trod_edit_reader *r, int period)
{
    for (uint32_t i = 0; i < r->nregister; i++) {
        struct trod_edit_register *reg = &r->reg[i];

        if (strcmp(reg->name, "sampleFreq") != 0)
            continue;
        reg->period = (uint8_t)(period - 1);
        reg->with = TROD_EDIT_NONE;
        for (uint32_t k = 0; k < r->nregister && reg->period == TROD_EDIT_PRIME; k++)
            if (strcmp(r->reg[k].name, "burstLength") == 0)
                reg->with = k;
    }
}

/* needs: n below 2^34 */
static bool is_prime(uint64_t n)
{
    for (uint64_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return n > 1;
}

static bool fill_register(struct trod_edit_reader *r, uint32_t i)
{
    struct trod_edit_register *reg = &r->reg[i];
    const struct trod_edit_token *at = r->reg_at[i];
    uint64_t max = (UINT64_C(1) << r->bits) - 1;
    uint64_t most, with = reg->with == TROD_EDIT_NONE ? 0 : r->reg[reg->with].n;

    reg->raised = reg->n;
    if (reg->period == TROD_EDIT_PRIME) {
        if (reg->n > UINT32_MAX || with > UINT32_MAX)
            return trod_edit_fail(at, r->err, TROD_E_LIMIT,
                "primes are searched below 2^32; give '%s' a lower number", reg->name);
        while (!is_prime(reg->raised + with))
            reg->raised++;
    }
    most = reg->period == TROD_EDIT_JITTER ? trod_sat_add(reg->n, reg->n / 2)
                                           : reg->raised;
    if (most > max)
        return trod_edit_fail(at, r->err, TROD_E_INPUT,
            "'%s' is %" PRIu64 ", and counters of %u bits hold at most %" PRIu64
            "; give counters more bits, or the register a lower number",
            reg->name, most, r->bits, max);
    if (reg->holds == TROD_EDIT_TO_OVERFLOW && !reg->n)
        return trod_edit_fail(at, r->err, TROD_E_INPUT,
            "'%s' is 0, and no counter would ever overflow; give it a number from 1 up",
            reg->name);
    return true;
}

bool trod_edit_fill(
    struct trod_edit_reader *r, const struct trod_edit_settings *settings)
{
    for (size_t i = 0; settings && i < settings->count; i++)
        if (!apply(r, &settings->setting[i]))
            return false;
    if (settings && settings->period)
        set_period(r, settings->period);
    for (uint32_t i = 0; i < r->nregister; i++)
        if (!fill_register(r, i))
            return false;
    return true;
}
