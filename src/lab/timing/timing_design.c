#include "timing/timing.h"

#include <inttypes.h>
#include <string.h>

enum {
    COUNTER = TROD_INSN_REGISTERS, /* registers that programs do not use */
    SCRATCH = COUNTER - 1,
    MOST_QUEUE = 1 << 16,
    MOST_UPDATE = 1000,
    MOST_INJECTED = 1000
};

/* The parameters of a design. */
struct design_params {
    uint32_t update;
    uint8_t kind; /* branches at which operations are injected; KINDS: all */
    uint32_t every, seen;
    bool behind;
    struct trod_insn *insn;
    uint32_t ninsn;
    struct trod_timing_injected injected;
};

static uint32_t serve(
    void *ctx, const struct trod_run *run, const struct trod_timing_events *events)
{
    const struct design_params *design_params = ctx;
    uint32_t plain = trod_timing_service(NULL, run, events);

    /* The service time exceeds 2 cycles only where a path ends. Calls and forward branches do not end paths. */
    return plain > 2 ? plain - 1 + design_params->update : plain;
}

static size_t inject(
    const struct trod_timing_injected **out, void *ctx, const struct trod_run *run)
{
    struct design_params *design_params = ctx;
    uint8_t kind = run->code->kind;

    if (kind == TROD_BRANCH_NONE || !run->code->ninsn ||
        run->code->ninsn > UINT16_MAX ||
        (design_params->kind != TROD_BRANCH_KINDS && kind != design_params->kind))
        return 0;
    if (++design_params->seen < design_params->every)
        return 0;
    design_params->seen = 0;
    design_params->injected = (struct trod_timing_injected){design_params->insn,
        design_params->ninsn, (uint16_t)(run->code->ninsn - 1), design_params->behind};
    *out = &design_params->injected;
    return 1;
}

/* An update of a counter, then a chain of operations that each depend on the previous one. */
static void make_insns(struct design_params *design_params, struct trod_arena *mem)
{
    design_params->insn =
        trod_new(mem, struct trod_insn, (size_t)design_params->ninsn + 1);
    for (uint32_t i = 0; i < design_params->ninsn; i++) {
        struct trod_insn *insn = &design_params->insn[i];

        insn->insn_class = TROD_INSN_ALU;
        insn->source[0] = i > 1 ? SCRATCH : COUNTER;
        insn->target[0] = i ? SCRATCH : COUNTER;
    }
}

/* --- parsing ---------------------------------------------------------------------------------------------- */

struct parser {
    const char *whole;
    struct trod_timing_design *out;
    struct design_params *design_params;
    struct trod_err *err;
    bool of_queue, of_injected; /* a word was read that needs one */
};

static bool take_number(struct parser *p, uint32_t *out, const char *word,
    const char *digits, uint32_t least, uint32_t most)
{
    uint64_t value;

    if (!trod_text_uint(&value, digits) || value < least || value > most)
        return trod_fail(p->err, TROD_E_INPUT,
            "design '%s': %s is a number from %" PRIu32 " to %" PRIu32 ", not '%s'",
            p->whole, word, least, most, digits);
    *out = (uint32_t)value;
    return true;
}

/* KIND:N */
static bool take_inject(struct parser *p, char *value)
{
    char *colon = strchr(value, ':');
    uint8_t kind = 0;

    if (!colon)
        return trod_fail(p->err, TROD_E_INPUT,
            "design '%s': inject=KIND:N, as in inject=call:4", p->whole);
    *colon = '\0';
    while (++kind < TROD_BRANCH_KINDS)
        if (strcmp(value, trod_branch_kind_name(kind)) == 0)
            break;
    if (kind == TROD_BRANCH_KINDS && strcmp(value, "any") != 0)
        return trod_fail(p->err, TROD_E_INPUT,
            "design '%s': invalid kind of branch '%s'; expected one of: if, jump, indirect, "
            "call, callindirect, return, any",
            p->whole, value);
    p->design_params->kind = kind;
    p->out->inject = inject;
    return take_number(
        p, &p->design_params->ninsn, "inject", colon + 1, 1, MOST_INJECTED);
}

static bool take_flag(struct parser *p, const char *word)
{
    if (strcmp(word, "pipelined") == 0)
        p->of_queue = p->out->pipelined = true;
    else if (strcmp(word, "end") == 0)
        p->of_queue = p->out->freed_at_end = true;
    else if (strcmp(word, "behind") == 0)
        p->of_injected = p->design_params->behind = true;
    else if (strcmp(word, "base") != 0)
        return trod_fail(p->err, TROD_E_INPUT,
            "design '%s': invalid item '%s'; expected one of: base, queue=N, pipelined, end, "
            "update=N, inject=KIND:N, behind, every=N, bubble=N",
            p->whole, word);
    return true;
}

static bool take_word(struct parser *p, char *word)
{
    char *value = strchr(word, '=');

    if (!value)
        return take_flag(p, word);
    *value++ = '\0';
    if (strcmp(word, "queue") == 0)
        return take_number(p, &p->out->queue, word, value, 1, MOST_QUEUE);
    if (strcmp(word, "inject") == 0)
        return take_inject(p, value);
    if (strcmp(word, "update") == 0) {
        p->of_queue = true;
        return take_number(p, &p->design_params->update, word, value, 1, MOST_UPDATE);
    }
    p->of_injected = true;
    if (strcmp(word, "bubble") == 0)
        return take_number(
            p, &p->out->bubble, word, value, 0, TROD_TIMING_MOST_LATENCY);
    if (strcmp(word, "every") == 0)
        return take_number(p, &p->design_params->every, word, value, 1, UINT32_MAX);
    return take_flag(p, word);
}

bool trod_timing_design_parse(struct trod_timing_design *out, const char *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.whole = text, .out = out, .err = err};
    char *word = trod_copy(mem, text), *end;

    p.design_params = trod_new(mem, struct design_params, 1);
    *p.design_params = (struct design_params){.update = 1, .every = 1};
    *out = (struct trod_timing_design){
        .name = trod_copy(mem, text), .bubble = 1, .ctx = p.design_params};
    for (bool more = true; more; word = end + 1) {
        end = word + strcspn(word, ",");
        more = *end;
        *end = '\0';
        if (!take_word(&p, word))
            return false;
    }
    if (p.of_queue && !out->queue)
        return trod_fail(
            err, TROD_E_INPUT, "design '%s': this needs a queue; add queue=N", text);
    if (p.of_injected && !out->inject)
        return trod_fail(err, TROD_E_INPUT,
            "design '%s': this needs injected operations; add inject=KIND:N", text);
    if (out->queue)
        out->service = serve;
    make_insns(p.design_params, mem);
    return true;
}
