#include "edit/edit_reader.h"

#include <inttypes.h>
#include <string.h>

static bool is_once(struct trod_edit_reader *r, const struct trod_edit_token *t,
    const struct trod_edit_token *const *before, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(before[i]->word, t->word) == 0)
            return trod_edit_fail(t, r->err, TROD_E_INPUT,
                "'%s' already exists, at %.100s:%u:%u; choose another name", t->word,
                before[i]->file, before[i]->line, before[i]->column);
    return true;
}

static bool has_room(struct trod_edit_reader *r, const struct trod_edit_token *t,
    uint32_t count, const char *what)
{
    return count < TROD_EDIT_PRODUCTIONS ||
           trod_edit_fail(t, r->err, TROD_E_LIMIT,
               "there can be at most %d %s; remove some", TROD_EDIT_PRODUCTIONS, what);
}

/* --- registers and handlers -------------------------------------------------------------------------- */

static bool take_bits(struct trod_edit_reader *r)
{
    const struct trod_edit_token *at = trod_edit_look(r);
    uint64_t bits;

    if (!trod_edit_take_number(r, &bits, "how many bits a counter has"))
        return false;
    if (r->bits_at && bits != r->bits)
        return trod_edit_fail(at, r->err, TROD_E_INPUT,
            "counters have %u bits already, at %.100s:%u:%u; remove one of the "
            "two",
            r->bits, r->bits_at->file, r->bits_at->line, r->bits_at->column);
    if (bits < 1 || bits > TROD_EDIT_BITS_MOST)
        return trod_edit_fail(at, r->err, TROD_E_INPUT, "counters have 1 to %d bits",
            TROD_EDIT_BITS_MOST);
    r->bits = (uint32_t)bits;
    r->bits_at = at;
    return true;
}

static bool take_holds(struct trod_edit_reader *r, struct trod_edit_register *reg)
{
    const struct trod_edit_token *t;

    if (trod_edit_is_word(trod_edit_look(r), "max")) {
        trod_edit_take(r);
        reg->holds = TROD_EDIT_BELOW_MAX;
        return trod_edit_take_mark(r, '-', "- behind max") &&
               trod_edit_take_number(r, &reg->n, "a number behind max -");
    }
    if (!trod_edit_take_number(r, &reg->n, "a number, or max - a number"))
        return false;
    if (!trod_edit_is_word(trod_edit_look(r), "to"))
        return true;
    trod_edit_take(r);
    t = trod_edit_take(r);
    if (!trod_edit_is_word(t, "overflow"))
        return trod_edit_fail(t, r->err, TROD_E_INPUT,
            "expected 'overflow' after 'to', not %s", trod_edit_quote(t, r->mem));
    reg->holds = TROD_EDIT_TO_OVERFLOW;
    return true;
}

static bool take_period(struct trod_edit_reader *r, struct trod_edit_register *reg,
    const struct trod_edit_token **with)
{
    for (int i = 0; i <= TROD_EDIT_JITTER; i++)
        if (trod_edit_is_word(
                trod_edit_look(r), trod_edit_period_name((enum trod_edit_period)i)) &&
            !trod_edit_is_mark(trod_edit_look(r) + 1, ':')) {
            trod_edit_take(r);
            reg->period = (uint8_t)i;
            break;
        }
    if (reg->period != TROD_EDIT_PRIME || !trod_edit_is_word(trod_edit_look(r), "with"))
        return true;
    trod_edit_take(r);
    return trod_edit_take_name(r, with, "the name of a register");
}

static bool take_register(struct trod_edit_reader *r)
{
    struct trod_edit_register reg = {.with = TROD_EDIT_NONE};
    const struct trod_edit_token *at, *with = NULL;
    uint32_t n = r->nregister;

    if (!trod_edit_take_name(r, &at, "the name of a register") ||
        !is_once(r, at, r->reg_at, r->nregister) ||
        !has_room(r, at, r->nregister, "registers") ||
        !trod_edit_take_mark(r, '=', "= and a number") || !take_holds(r, &reg) ||
        !take_period(r, &reg, &with))
        return false;
    reg.name = at->word;
    if (n == r->room_register) {
        uint32_t room = n ? 2 * n : 8;

        r->reg = trod_arena_grow(r->mem, r->reg, n, room, sizeof *r->reg);
        r->reg_at = trod_arena_grow(r->mem, r->reg_at, n, room, sizeof *r->reg_at);
        r->with_at = trod_arena_grow(r->mem, r->with_at, n, room, sizeof *r->with_at);
        r->room_register = room;
    }
    r->reg[n] = reg;
    r->reg_at[n] = at;
    r->with_at[n] = with;
    r->nregister++;
    return true;
}

static bool take_notes(struct trod_edit_reader *r, uint8_t *out)
{
    const struct trod_edit_token *t = trod_edit_take(r);

    for (int i = 0; i <= TROD_EDIT_STREAMS; i++)
        if (trod_edit_is_word(t, trod_edit_notes_name((enum trod_edit_notes)i))) {
            *out = (uint8_t)i;
            return true;
        }
    return trod_edit_fail(t, r->err, TROD_E_INPUT,
        "a handler notes methods, calls, streams or nothing, not %s",
        trod_edit_quote(t, r->mem));
}

static bool take_handler(struct trod_edit_reader *r)
{
    struct trod_edit_handler handler = {.nop = TROD_EDIT_HANDLER};
    uint64_t nop = TROD_EDIT_HANDLER;
    const struct trod_edit_token *at, *nop_at;
    uint32_t n = r->nhandler;

    if (!trod_edit_take_name(r, &at, "the name of a handler") ||
        !is_once(r, at, r->handler_at, r->nhandler) ||
        !has_room(r, at, r->nhandler, "handlers") ||
        !trod_edit_take_mark(r, '=', "= and what it notes") ||
        !take_notes(r, &handler.notes))
        return false;
    nop_at = trod_edit_look(r);
    if (nop_at->kind == TROD_EDIT_T_NUMBER)
        nop = trod_edit_take(r)->number;
    if (!trod_edit_fits_handler(r, nop_at, nop))
        return false;
    handler.name = at->word;
    handler.nop = (uint32_t)nop;
    if (n == r->room_handler) {
        uint32_t room = n ? 2 * n : 8;

        r->handler = trod_arena_grow(r->mem, r->handler, n, room, sizeof *r->handler);
        r->handler_at =
            trod_arena_grow(r->mem, r->handler_at, n, room, sizeof *r->handler_at);
        r->room_handler = room;
    }
    r->handler[n] = handler;
    r->handler_at[n] = at;
    r->nhandler++;
    return true;
}

/* --- sequences --------------------------------------------------------------------------------------- */

static void add_item(struct trod_edit_reader *r, struct trod_edit_item item,
    const struct trod_edit_token *at)
{
    uint32_t n = r->nitem;

    if (n == r->room_item) {
        uint32_t room = n ? 2 * n : 16;

        r->item = trod_arena_grow(r->mem, r->item, n, room, sizeof *r->item);
        r->item_at = trod_arena_grow(r->mem, r->item_at, n, room, sizeof *r->item_at);
        r->room_item = room;
    }
    r->item[n] = item;
    r->item_at[n] = at;
    r->nitem++;
}

/* inc_N, dec_N or set_N? */
static bool is_control(
    const struct trod_edit_token *t, struct trod_edit_item *out, uint32_t *number)
{
    static const char *const prefix[] = {"inc_", "dec_", "set_"};

    for (int i = 0; i <= TROD_EDIT_SET; i++)
        if (trod_edit_numbered(number, t, prefix[i])) {
            *out = (struct trod_edit_item){.kind = (uint8_t)i, .name = TROD_EDIT_NONE};
            return true;
        }
    return false;
}

static bool take_control(
    struct trod_edit_reader *r, struct trod_edit_item item, uint32_t number)
{
    const struct trod_edit_token *at = trod_edit_take(r), *name = at;

    if (!trod_edit_take_counter(r, &item.number, number, at))
        return false;
    if (item.kind == TROD_EDIT_SET &&
        (!trod_edit_take_mark(
             r, '(', "a register in parentheses, as in set_1(sampleFreq)") ||
            !trod_edit_take_name(r, &name, "the name of a register") ||
            !trod_edit_take_mark(r, ')', "a ')' behind the register")))
        return false;
    add_item(r, item, name);
    return true;
}

/* Items of `CC: inc_1; set_2(burstLength)`, up to the first token that is not one. */
static bool take_controls(struct trod_edit_reader *r)
{
    for (;;) {
        struct trod_edit_item item;
        uint32_t number;

        if (!is_control(trod_edit_look(r), &item, &number))
            return trod_edit_fail(trod_edit_look(r), r->err, TROD_E_INPUT,
                "expected inc_N, dec_N or set_N(register), not %s",
                trod_edit_quote(trod_edit_look(r), r->mem));
        if (!take_control(r, item, number))
            return false;
        if (is_control(trod_edit_look(r), &item, &number))
            return trod_edit_fail(trod_edit_look(r), r->err, TROD_E_INPUT,
                "put a ; before %s", trod_edit_quote(trod_edit_look(r), r->mem));
        if (!trod_edit_is_mark(trod_edit_look(r), ';') &&
            !trod_edit_is_mark(trod_edit_look(r), ','))
            return true;
        trod_edit_take(r);
        if (!is_control(trod_edit_look(r), &item, &number))
            return true;
    }
}

static bool take_operation(struct trod_edit_reader *r)
{
    struct trod_edit_item item = {.kind = TROD_EDIT_OP, .name = TROD_EDIT_NONE};
    const struct trod_edit_token *t;
    enum trod_edit_class class;

    trod_edit_take(r);
    if (!trod_edit_take_mark(r, '(', "a class in parentheses, as in op(alu)"))
        return false;
    t = trod_edit_take(r);
    class =
        t->kind == TROD_EDIT_T_WORD ? trod_edit_class_find(t->word) : TROD_EDIT_CLASSES;
    if (class == TROD_EDIT_CLASSES ||
        (class < TROD_EDIT_LOAD && class != TROD_EDIT_BRANCH))
        return trod_edit_fail(t, r->err, TROD_E_INPUT,
            "%s is not a class of micro-operations; expected one of: alu, multiply, divide, "
            "float, float_multiply, float_divide, nothing, system, branch, load and store",
            trod_edit_quote(t, r->mem));
    item.number = (uint8_t)class;
    if (!trod_edit_take_mark(r, ')', "a ')' behind the class"))
        return false;
    add_item(r, item, t);
    return true;
}

static bool take_call(struct trod_edit_reader *r)
{
    struct trod_edit_item item = {.kind = TROD_EDIT_CALL, .name = TROD_EDIT_NONE};
    const struct trod_edit_token *name;

    trod_edit_take(r);
    if (!trod_edit_take_mark(r, '(', "a handler in parentheses") ||
        !trod_edit_take_name(r, &name, "the name of a handler") ||
        !trod_edit_take_mark(r, ')', "a ')' behind the handler"))
        return false;
    add_item(r, item, name);
    return true;
}

static bool is_replacing(const struct trod_edit_token *t)
{
    return trod_edit_is_word(t, "call") || trod_edit_is_word(t, "op") ||
           trod_edit_is_word(t, "T.INSN");
}

/* Items of `R: call(h) T.INSN`, separated by blanks or semicolons. */
static bool take_operations(
    struct trod_edit_reader *r, const struct trod_edit_token *name)
{
    uint32_t ninsn = 0;

    for (const struct trod_edit_token *t;;) {
        t = trod_edit_look(r);
        if (!is_replacing(t))
            break;
        if (trod_edit_is_word(t, "T.INSN")) {
            if (ninsn++)
                return trod_edit_fail(t, r->err, TROD_E_INPUT,
                    "T.INSN occurs twice, but the instruction must run once; remove "
                    "one");
            add_item(r,
                (struct trod_edit_item){.kind = TROD_EDIT_INSN, .name = TROD_EDIT_NONE},
                trod_edit_take(r));
        } else if (trod_edit_is_word(t, "call") ? !take_call(r) : !take_operation(r)) {
            return false;
        }
        if (trod_edit_is_mark(trod_edit_look(r), ';'))
            trod_edit_take(r);
    }
    return ninsn ||
           trod_edit_fail(name, r->err, TROD_E_INPUT,
               "'%s' omits the instruction, which would change the program; add T.INSN",
               name->word);
}

static bool take_sequence(
    struct trod_edit_reader *r, const struct trod_edit_token *name, bool control)
{
    struct trod_edit_sequence sequence = {
        .name = name->word, .is_control = control, .first = r->nitem};
    uint32_t n = r->nsequence;

    if (!has_room(r, name, n, "sequences") ||
        !(control ? take_controls(r) : take_operations(r, name)))
        return false;
    sequence.count = r->nitem - sequence.first;
    if (n == r->room_sequence) {
        uint32_t room = n ? 2 * n : 8;

        r->sequence =
            trod_arena_grow(r->mem, r->sequence, n, room, sizeof *r->sequence);
        r->sequence_at =
            trod_arena_grow(r->mem, r->sequence_at, n, room, sizeof *r->sequence_at);
        r->room_sequence = room;
    }
    r->sequence[n] = sequence;
    r->sequence_at[n] = name;
    r->nsequence++;
    return true;
}

/* --- productions ------------------------------------------------------------------------------------- */

/* One control item after the comma: null, a micro-instruction, or the name of a sequence. */
static bool take_one_control(struct trod_edit_reader *r)
{
    struct trod_edit_item item = {.kind = TROD_EDIT_CONTROL, .name = TROD_EDIT_NONE};
    const struct trod_edit_token *name;
    uint32_t number;

    if (trod_edit_is_word(trod_edit_look(r), "null")) {
        trod_edit_take(r);
        return true;
    }
    if (is_control(trod_edit_look(r), &item, &number))
        return take_control(r, item, number);
    if (!trod_edit_take_name(r, &name, "null, inc_N, dec_N, set_N(register) or a name"))
        return false;
    add_item(r, item, name);
    return true;
}

static bool take_right_side(struct trod_edit_reader *r,
    struct trod_edit_production *production, const struct trod_edit_token **replacement)
{
    if (!trod_edit_take_mark(r, TROD_EDIT_M_ARROW, "&&, || or =>"))
        return false;
    *replacement = NULL;
    if (trod_edit_is_word(trod_edit_look(r), "null"))
        trod_edit_take(r);
    else if (!trod_edit_take_name(r, replacement, "null or the name of a replacement"))
        return false;
    production->first = r->nitem;
    do {
        if (!trod_edit_take_mark(
                r, ',', "a comma and a change of counters, or null for none") ||
            !take_one_control(r))
            return false;
    } while (trod_edit_is_mark(trod_edit_look(r), ','));
    production->count = r->nitem - production->first;
    return true;
}

static bool take_production(
    struct trod_edit_reader *r, const struct trod_edit_token *name)
{
    struct trod_edit_production production = {
        .name = name->word, .replacement = TROD_EDIT_NONE};
    const struct trod_edit_token *replacement;
    uint32_t n = r->nproduction;

    if (!has_room(r, name, n, "productions") ||
        !trod_edit_take_pattern(r, &production.first_term, &production.nterm) ||
        !take_right_side(r, &production, &replacement))
        return false;
    if (n == r->room_production) {
        uint32_t room = n ? 2 * n : 8;

        r->production =
            trod_arena_grow(r->mem, r->production, n, room, sizeof *r->production);
        r->production_at = trod_arena_grow(
            r->mem, r->production_at, n, room, sizeof *r->production_at);
        r->replacement_at = trod_arena_grow(
            r->mem, r->replacement_at, n, room, sizeof *r->replacement_at);
        r->room_production = room;
    }
    r->production[n] = production;
    r->production_at[n] = name;
    r->replacement_at[n] = replacement;
    r->nproduction++;
    return true;
}

/* `NAME:` and its definition. */
static bool take_named(struct trod_edit_reader *r)
{
    const struct trod_edit_token *name, *t;
    struct trod_edit_item item;
    uint32_t number;

    if (!trod_edit_take_name(
            r, &name, "register, handler, bits or a name and a colon") ||
        !trod_edit_take_mark(r, ':', "register, handler, bits or a name and a colon") ||
        !is_once(r, name, r->production_at, r->nproduction) ||
        !is_once(r, name, r->sequence_at, r->nsequence))
        return false;
    t = trod_edit_look(r);
    if (is_control(t, &item, &number))
        return take_sequence(r, name, true);
    if (is_replacing(t))
        return take_sequence(r, name, false);
    return take_production(r, name);
}

static bool take_statements(struct trod_edit_reader *r)
{
    while (trod_edit_look(r)->kind != TROD_EDIT_T_END) {
        const struct trod_edit_token *t = trod_edit_look(r);
        bool taken;

        if (trod_edit_is_word(t, "register"))
            taken = (trod_edit_take(r), take_register(r));
        else if (trod_edit_is_word(t, "handler"))
            taken = (trod_edit_take(r), take_handler(r));
        else if (trod_edit_is_word(t, "bits"))
            taken = (trod_edit_take(r), take_bits(r));
        else
            taken = take_named(r);
        if (!taken)
            return false;
    }
    return true;
}

static bool take_file(struct trod_edit_reader *r, const struct trod_edit_file *file)
{
    struct trod_edit_token *token = NULL;
    struct trod_edit_lexer lexer;
    uint32_t count = 0, room = 0;

    trod_edit_lexer_init(&lexer, file->name, file->bytes, file->length);
    do {
        trod_reserve(r->mem, token, count, room);
        if (!trod_edit_lexer_next(&token[count], &lexer, r->mem, r->err))
            return false;
    } while (token[count++].kind != TROD_EDIT_T_END);
    r->token = token;
    r->at = 0;
    return take_statements(r);
}

bool trod_edit_parse(struct trod_edit *out, const struct trod_edit_file *file,
    size_t nfile, const struct trod_edit_settings *settings, struct trod_arena *mem,
    struct trod_err *err)
{
    struct trod_edit_reader r = {.mem = mem, .err = err, .bits = TROD_EDIT_BITS};
    uint32_t start;

    for (size_t i = 0; i < nfile; i++)
        if (!take_file(&r, &file[i]))
            return false;
    if (!trod_edit_bind(&r, &start) || !trod_edit_fill(&r, settings))
        return false;
    *out = (struct trod_edit){.bits = r.bits,
        .nregister = r.nregister,
        .nhandler = r.nhandler,
        .nsequence = r.nsequence,
        .nproduction = r.nproduction,
        .nterm = r.nterm,
        .nitem = r.nitem,
        .reg = r.reg,
        .handler = r.handler,
        .sequence = r.sequence,
        .production = r.production,
        .term = r.term,
        .item = r.item,
        .start = start};
    return true;
}
