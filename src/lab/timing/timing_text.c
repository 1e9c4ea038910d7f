#include "timing/timing.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

static const char *const word_of_pool[TROD_TIMING_POOLS] = {
    "alu", "multiply", "float", "fmultiply", "port"};
static const char *const word_of_predictor[TROD_TIMING_PREDICTORS] = {
    "perfect", "taken", "not_taken", "bimodal", "gshare", "two_level", "combined"};

/* --- printing -------------------------------------------------------------------------------------------- */

static void put_size(struct trod_sink *sink, uint64_t size)
{
    if (size && size % (1 << 20) == 0)
        trod_put(sink, " %" PRIu64 "M", size >> 20);
    else if (size && size % (1 << 10) == 0)
        trod_put(sink, " %" PRIu64 "K", size >> 10);
    else
        trod_put(sink, " %" PRIu64, size);
}

static void print_cache(
    struct trod_sink *sink, const char *word, const struct trod_timing_cache *cache)
{
    trod_put(sink, "%s", word);
    if (cache->size) {
        put_size(sink, cache->size);
        trod_put(sink, " %" PRIu32 " %" PRIu32, cache->ways, cache->line);
    } else {
        trod_put(sink, " perfect %" PRIu32, cache->line);
    }
    trod_put(sink, " %" PRIu32 "\n", cache->latency);
}

static void print_counters(struct trod_sink *sink,
    const struct trod_timing_prediction *p, enum trod_timing_predictor kind)
{
    trod_put(sink, " %s", word_of_predictor[kind]);
    if (kind == TROD_TIMING_BIMODAL)
        put_size(sink, p->bimodal);
    if (kind == TROD_TIMING_TWO_LEVEL)
        put_size(sink, p->histories);
    if (kind == TROD_TIMING_GSHARE || kind == TROD_TIMING_TWO_LEVEL) {
        put_size(sink, p->counters);
        trod_put(sink, " %" PRIu32, p->bits);
    }
    if (kind == TROD_TIMING_TWO_LEVEL && p->exclusive)
        trod_put(sink, " xor");
}

static void print_prediction(
    struct trod_sink *sink, const struct trod_timing_prediction *p)
{
    trod_put(sink, "predictor");
    if (p->kind == TROD_TIMING_COMBINED) {
        trod_put(sink, " combined");
        put_size(sink, p->meta);
        print_counters(sink, p, TROD_TIMING_BIMODAL);
        print_counters(sink, p, p->other);
    } else {
        print_counters(sink, p, p->kind);
    }
    trod_put(sink, "\nreturn_stack %" PRIu32 "\nbtb", p->return_stack);
    put_size(sink, p->btb);
    trod_put(sink, " %" PRIu32 "\n", p->btb ? p->btb_ways : 0);
}

static void print_cost(struct trod_sink *sink, const char *word, uint32_t cost)
{
    if (cost)
        trod_put(sink, "cost %s %" PRIu32 "\n", word, cost);
}

void trod_timing_machine_print(
    struct trod_sink *sink, const struct trod_timing_machine *machine)
{
    trod_put(sink, "machine ");
    trod_put_name(sink, machine->name);
    trod_put(sink,
        "\nwidth %" PRIu32 "\nrob %" PRIu32 "\nlsq %" PRIu32 "\nifq %" PRIu32
        "\npenalty %" PRIu32 "\n",
        machine->width, machine->rob, machine->lsq, machine->ifq, machine->penalty);
    for (int i = 0; i < TROD_TIMING_POOLS; i++)
        trod_put(sink, "units %s %" PRIu32 "\n", word_of_pool[i], machine->units[i]);
    for (int i = 0; i < TROD_INSN_CLASSES; i++)
        trod_put(sink, "class %s %" PRIu32 " %" PRIu32 "\n",
            trod_insn_class_name((uint8_t)i), machine->latency[i], machine->busy[i]);
    print_cache(sink, "l1i", &machine->l1i);
    print_cache(sink, "l1d", &machine->l1d);
    print_cache(sink, "l2", &machine->l2);
    trod_put(sink, "memory %" PRIu32 "\n", machine->memory);
    print_prediction(sink, &machine->prediction);
    print_cost(sink, "l1i", machine->cost_l1i);
    print_cost(sink, "l1d", machine->cost_l1d);
    print_cost(sink, "l2", machine->cost_l2);
    print_cost(sink, "memory", machine->cost_memory);
}

/* --- parsing ------------------------------------------------------------------------------------------------ */

struct parser {
    struct trod_parse in;
    struct trod_timing_machine *out;
    const char *from;  /* start of the section */
    const char *begin; /* start of the last token taken */
};

static bool next(struct parser *p, struct trod_token *token)
{
    const char *at = p->in.text->at;

    while (at < p->in.text->end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    p->begin = at;
    return trod_parse_next(token, &p->in);
}

static bool TROD_FORMAT(2, 3) fail(struct parser *p, const char *format, ...)
{
    const char *line = p->begin;
    char what[sizeof p->in.err->text];
    va_list args;
    struct trod_err said;

    while (line > p->from && line[-1] != '\n')
        line--;
    va_start(args, format);
    trod_err_set_at(&said, TROD_E_INPUT, NULL, 0, format, args);
    va_end(args);
    memcpy(what, said.text, sizeof what);
    return trod_fail(p->in.err, TROD_E_INPUT, "%s:%" PRIu32 ":%td: %s",
        p->in.text->file, p->in.text->line, p->begin - line + 1, what);
}

static bool take_word(struct parser *p, const char **out, const char *what)
{
    struct trod_token token;

    if (!next(p, &token))
        return false;
    *out = token.name;
    return token.kind == TROD_T_NAME || fail(p, "expected %s", what);
}

/* A number, optionally with the suffix K or M. */
static bool take_size(struct parser *p, uint64_t *out, const char *what)
{
    const char *word;
    char *digits;
    size_t length;
    unsigned shift = 0;

    if (!take_word(p, &word, what))
        return false;
    length = strlen(word);
    digits = trod_copy_text(p->in.mem, word, length);
    if (length && (word[length - 1] == 'K' || word[length - 1] == 'M')) {
        shift = word[length - 1] == 'K' ? 10 : 20;
        digits[length - 1] = '\0';
    }
    if (!trod_text_uint(out, digits) || *out > UINT32_MAX)
        return fail(p, "expected %s, a whole number, not '%s'", what, word);
    *out <<= shift;
    return true;
}

static bool take_number(struct parser *p, uint32_t *out, const char *what)
{
    uint64_t value;

    if (!take_size(p, &value, what))
        return false;
    *out = (uint32_t)value;
    return value <= UINT32_MAX || fail(p, "%s is below 4294967296", what);
}

/* The index of the next token in a list of words. */
static bool take_one_of(struct parser *p, uint32_t *out, const char *const *words,
    uint32_t count, const char *what)
{
    const char *word;

    if (!take_word(p, &word, what))
        return false;
    for (*out = 0; *out < count; ++*out)
        if (strcmp(word, words[*out]) == 0)
            return true;
    return fail(p, "'%s' is not %s; doc/hardware/timing.md lists them", word, what);
}

static bool take_cache(struct parser *p, struct trod_timing_cache *out)
{
    struct trod_token token;

    if (!trod_parse_peek(&token, &p->in))
        return false;
    if (trod_token_is_word(&token, "perfect")) {
        out->size = 0;
        return next(p, &token) && take_number(p, &out->line, "bytes of a line") &&
               take_number(p, &out->latency, "a latency");
    }
    return take_size(p, &out->size, "a size") &&
           (out->size ||
               fail(p, "a cache has a size; 'perfect LINE LATENCY' never misses")) &&
           take_number(p, &out->ways, "ways") &&
           take_number(p, &out->line, "bytes of a line") &&
           take_number(p, &out->latency, "a latency");
}

static bool take_xor(struct parser *p)
{
    struct trod_token token;

    if (!trod_parse_peek(&token, &p->in))
        return false;
    p->out->prediction.exclusive = trod_token_is_word(&token, "xor");
    return !p->out->prediction.exclusive || next(p, &token);
}

static bool take_counters(struct parser *p, enum trod_timing_predictor kind)
{
    struct trod_timing_prediction *out = &p->out->prediction;

    switch (kind) {
    case TROD_TIMING_BIMODAL:
        return take_number(p, &out->bimodal, "counters");
    case TROD_TIMING_TWO_LEVEL:
        return take_number(p, &out->histories, "histories") &&
               take_number(p, &out->counters, "counters") &&
               take_number(p, &out->bits, "bits of a history") && take_xor(p);
    case TROD_TIMING_GSHARE:
        return take_number(p, &out->counters, "counters") &&
               take_number(p, &out->bits, "bits of the history");
    default:
        return true;
    }
}

static bool take_kind(struct parser *p, enum trod_timing_predictor *out)
{
    uint32_t kind;

    if (!take_one_of(
            p, &kind, word_of_predictor, TROD_TIMING_PREDICTORS, "a kind of predictor"))
        return false;
    *out = (enum trod_timing_predictor)kind;
    return true;
}

static bool take_predictor(struct parser *p)
{
    struct trod_timing_prediction *out = &p->out->prediction;
    enum trod_timing_predictor first;

    if (!take_kind(p, &out->kind))
        return false;
    if (out->kind != TROD_TIMING_COMBINED)
        return take_counters(p, out->kind);
    if (!take_number(p, &out->meta, "counters of which is right") ||
        !take_kind(p, &first))
        return false;
    if (first != TROD_TIMING_BIMODAL)
        return fail(p, "'bimodal' must be the first of two combined predictors");
    if (!take_counters(p, first) || !take_kind(p, &out->other))
        return false;
    if (out->other != TROD_TIMING_GSHARE && out->other != TROD_TIMING_TWO_LEVEL)
        return fail(p, "bimodal can be combined only with 'gshare' or 'two_level'");
    return take_counters(p, out->other);
}

static bool take_units(struct parser *p)
{
    uint32_t pool;

    return take_one_of(p, &pool, word_of_pool, TROD_TIMING_POOLS, "a kind of unit") &&
           take_number(p, &p->out->units[pool], "how many");
}

static bool take_class(struct parser *p)
{
    const char *word_of_class[TROD_INSN_CLASSES];
    uint32_t class;

    for (int i = 0; i < TROD_INSN_CLASSES; i++)
        word_of_class[i] = trod_insn_class_name((uint8_t)i);
    return take_one_of(p, &class, word_of_class, TROD_INSN_CLASSES,
               "a class of instructions") &&
           take_number(p, &p->out->latency[class], "a latency") &&
           take_number(p, &p->out->busy[class], "cycles until the next");
}

static bool take_cost(struct parser *p)
{
    static const char *const words[] = {"l1i", "l1d", "l2", "memory"};
    uint32_t *const cost[] = {
        &p->out->cost_l1i, &p->out->cost_l1d, &p->out->cost_l2, &p->out->cost_memory};
    uint32_t which;

    return take_one_of(p, &which, words, 4, "what costs") &&
           take_number(p, cost[which], "a cost") &&
           (*cost[which] ||
               fail(p, "a cost is at least 1; without this line, it is computed from "
                       "the size"));
}

/* Parse a line after its first word; *known: whether the line belongs to a machine. */
static bool take_line(struct parser *p, const char *word, bool *known)
{
    struct trod_timing_machine *m = p->out;
    const struct {
        const char *word;
        uint32_t *number;
    } plain[] = {{"width", &m->width}, {"rob", &m->rob}, {"lsq", &m->lsq},
        {"ifq", &m->ifq}, {"penalty", &m->penalty}, {"memory", &m->memory},
        {"return_stack", &m->prediction.return_stack}};
    const struct {
        const char *word;
        struct trod_timing_cache *cache;
    } caches[] = {{"l1i", &m->l1i}, {"l1d", &m->l1d}, {"l2", &m->l2}};
    const struct {
        const char *word;
        bool (*take)(struct parser *p);
    } others[] = {{"units", take_units}, {"class", take_class},
        {"predictor", take_predictor}, {"cost", take_cost}};

    *known = true;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(word, plain[i].word) == 0)
            return take_number(p, plain[i].number, "a number");
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++)
        if (strcmp(word, caches[i].word) == 0)
            return take_cache(p, caches[i].cache);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(word, others[i].word) == 0)
            return others[i].take(p);
    if (strcmp(word, "btb") == 0)
        return take_number(p, &m->prediction.btb, "entries") &&
               take_number(p, &m->prediction.btb_ways, "ways");
    *known = false;
    return true;
}

static bool take_end(struct parser *p)
{
    struct trod_token token;

    return next(p, &token) &&
           (trod_token_is_over(&token) || fail(p, "expected the end of the line"));
}

static bool take_head(struct parser *p)
{
    struct trod_token token;

    do
        if (!next(p, &token))
            return false;
    while (token.kind == TROD_T_LINE);
    return (trod_token_is_word(&token, "machine") ||
               fail(p, "expected the head of a machine, 'machine NAME'")) &&
           take_word(p, &p->out->name, "the name of the machine") && take_end(p);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Values are checked as each line is read, so that errors have a position. Whether the line sizes
 * of caches agree is checked at the end, because later lines may still change them.
 */
static bool check_line(struct parser *p, bool last)
{
    struct trod_timing_machine machine = *p->out;
    struct trod_err err = {0};

    if (!last) {
        machine.l1i.line = least(machine.l1i.line, machine.l2.line);
        machine.l1d.line = least(machine.l1d.line, machine.l2.line);
    }
    return trod_timing_machine_check(&machine, &err) || fail(p, "%s", err.text);
}

bool trod_timing_machine_parse(struct trod_timing_machine *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {
        .in = {text, mem, err}, .out = out, .from = text->at, .begin = text->at};

    trod_timing_machine_named(out, "table5.3");
    if (!take_head(&p))
        return false;
    for (;;) {
        struct trod_token token;
        struct trod_text before = *text;
        const char *word;
        bool known = false;

        if (!next(&p, &token))
            return false;
        if (token.kind == TROD_T_END)
            return check_line(&p, true);
        if (token.kind == TROD_T_LINE)
            continue;
        word = p.begin;
        if (token.kind == TROD_T_NAME && !take_line(&p, token.name, &known))
            return false;
        if (!known && trod_token_is_word(&token, "machine")) {
            *text = before;
            return check_line(&p, true);
        }
        if (!known)
            return fail(
                &p, "expected a line of a machine; doc/hardware/timing.md lists them");
        if (!take_end(&p))
            return false;
        p.begin = word;
        if (!check_line(&p, false))
            return false;
    }
}
