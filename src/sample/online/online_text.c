#include "online/online.h"
#include "base/parse.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- printing ------------------------------------------------------------------------------------------- */

static void put_real(struct trod_sink *sink, double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.17g", value);
    trod_put(sink, " ");
    trod_put_name(sink, text);
}

static void put_known(struct trod_sink *sink, const char *word, uint64_t value)
{
    if (value)
        trod_put(sink, "%s %" PRIu64 "\n", word, value);
}

void trod_subpaths_print(struct trod_sink *sink, const struct trod_subpaths *s)
{
    trod_put(sink, "subpaths ");
    trod_put_name(sink, s->name);
    trod_put(sink, " %s\n", trod_profile_identity_name(s->identity));
    trod_put(sink, "%s%s%s", s->exact ? "exact\n" : "", s->costs ? "costs\n" : "",
        s->aged ? "aged\n" : "");
    trod_put(sink, "ran");
    put_real(sink, s->nblock);
    trod_put(sink, "\n");
    if (s->nsampler) {
        trod_put(sink, "samplers %" PRIu64, s->nsampler);
        put_real(sink, s->least_frequency);
        put_real(sink, s->most_frequency);
        trod_put(sink, "\n");
    }
    if (s->threshold > 0) {
        trod_put(sink, "threshold");
        put_real(sink, s->threshold);
        trod_put(sink, "\n");
    }
    put_known(sink, "samples", s->nsample);
    put_known(sink, "dropped", s->ndropped);
    put_known(sink, "rejected", s->nrejected);
    put_known(sink, "time", s->spent.time);
    put_known(sink, "cost", s->spent.cost);
    put_known(sink, "floor", s->spent.floor);
    put_known(sink, "budget", s->spent.budget);
    for (uint32_t f = 0; f < s->blocks->nfunction; f++) {
        const struct trod_profile_function *function = &s->blocks->function[f];

        trod_put(sink,
            "function %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %" PRIu64 "\n",
            function->name, function->graph, function->cuts, function->npath);
    }
    for (size_t i = 0; i < s->nsubpath; i++) {
        const struct trod_online_subpath *one = &s->subpath[i];

        trod_put(sink, "%" PRIu64, one->count);
        put_real(sink, one->estimate);
        put_real(sink, one->heaviest);
        trod_put(sink, ":");
        for (uint32_t k = 0; k < one->length; k++)
            trod_put(sink, " %" PRIu32, one->block[k]);
        trod_put(sink, "\n");
    }
}

/* --- parsing -------------------------------------------------------------------------------------------- */

struct parser {
    struct trod_subpaths *out;
    struct trod_parse in;
    struct trod_profile_function *function;
    uint32_t nfunction, room_function;
    struct trod_online_set set;
};

static bool take_real(struct parser *p, double *out, const char *what)
{
    const char *digits;
    char *end;

    if (!trod_parse_name(&digits, &p->in, what))
        return false;
    *out = strtod(digits, &end);
    return (*digits && !*end && isfinite(*out) && *out >= 0) ||
           trod_parse_fail(&p->in, "'%s' is not a number; expected %s", digits, what);
}

static bool parse_function(struct parser *p)
{
    struct trod_profile_function *f;

    if (p->set.count)
        return trod_parse_fail(
            &p->in, "functions come before subpaths; put it above them");
    trod_reserve(p->in.mem, p->function, p->nfunction, p->room_function);
    f = &p->function[p->nfunction++];
    return trod_parse_hash(&f->name, &p->in, "the hash of its name") &&
           trod_parse_hash(&f->graph, &p->in, "the hash of its graph") &&
           trod_parse_hash(&f->cuts, &p->in, "the hash of its cuts") &&
           trod_parse_uint(&f->npath, &p->in, "its number of blocks") &&
           trod_parse_end(&p->in, "that");
}

/* Blocks are numbered function by function, in the order of the text. */
static bool close_functions(struct parser *p)
{
    struct trod_online_blocks *blocks =
        trod_new(p->in.mem, struct trod_online_blocks, 1);
    struct trod_profile_module module = {
        .nfunction = p->nfunction, .function = p->function};
    struct trod_online_blocks_module added;
    struct trod_err err = {0};

    if (p->out->blocks)
        return true;
    trod_online_blocks_init(blocks, p->in.mem);
    if (!trod_online_blocks_add(&added, blocks, &module, &err))
        return trod_parse_fail(&p->in, "%s", err.text);
    if (blocks->nfunction != p->nfunction)
        return trod_parse_fail(&p->in, "a function occurs twice");
    p->out->blocks = blocks;
    return true;
}

static bool is_block(const struct trod_online_blocks *blocks, uint64_t number)
{
    uint32_t f;

    if (number >= blocks->first[blocks->nfunction])
        return false;
    f = trod_online_blocks_function(blocks, (trod_block)number);
    return number < blocks->first[f + 1] - 1;
}

static bool take_blocks(struct parser *p, trod_block *out, uint32_t *n)
{
    struct trod_token token;
    uint64_t number;

    for (*n = 0;; ++*n) {
        if (!trod_parse_next(&token, &p->in))
            return false;
        if (trod_token_is_over(&token))
            break;
        if (*n == TROD_PROFILE_LONGEST || token.kind != TROD_T_NAME ||
            !trod_text_uint(&number, token.name) || !is_block(p->out->blocks, number))
            return trod_parse_fail(&p->in,
                "expected blocks of the functions above, which are numbers, at most %d of "
                "them",
                TROD_PROFILE_LONGEST);
        out[*n] = (trod_block)number;
    }
    return *n >= TROD_PROFILE_SHORTEST ||
           trod_parse_fail(&p->in, "a subpath has two blocks or more");
}

/* `COUNT ESTIMATE HEAVIEST: BLOCK...`, after the first number. */
static bool parse_subpath(struct parser *p, uint64_t count)
{
    struct trod_online_subpath one = {.count = count}, *added;
    trod_block block[TROD_PROFILE_LONGEST];
    struct trod_token token;
    size_t before;
    bool sound;

    if (!close_functions(p) || !take_real(p, &one.estimate, "how often it ran") ||
        !take_real(p, &one.heaviest, "what a sample stands for") ||
        !trod_parse_next(&token, &p->in))
        return false;
    if (token.kind != TROD_T_MARK || token.mark != ':')
        return trod_parse_fail(&p->in, "expected ':' and the blocks");
    sound = count &&
            (p->out->exact
                    ? one.heaviest <= 0 && fabs(one.estimate - (double)count) < 0.5
                    : one.heaviest >= 1 && one.estimate >= (double)count * (1 - 1e-6) &&
                          one.estimate <= one.heaviest * (double)count * (1 + 1e-6));
    if (!sound)
        return trod_parse_fail(
            &p->in, "count, estimate and sample weight are inconsistent");
    if (!take_blocks(p, block, &one.length))
        return false;
    before = p->set.count;
    added = trod_online_set_add(&p->set, block, one.length);
    if (p->set.count == before)
        return trod_parse_fail(&p->in, "this subpath occurs twice");
    added->count = one.count;
    added->estimate = one.estimate;
    added->heaviest = one.heaviest;
    return true;
}

/* *taken: the line belongs to this section. */
static bool parse_line(struct parser *p, const struct trod_token *head, bool *taken)
{
    struct trod_subpaths *out = p->out;
    const struct {
        const char *word;
        uint64_t *number;
    } known[] = {{"samples", &out->nsample}, {"dropped", &out->ndropped},
        {"rejected", &out->nrejected}, {"time", &out->spent.time},
        {"cost", &out->spent.cost}, {"floor", &out->spent.floor},
        {"budget", &out->spent.budget}};
    const struct {
        const char *word;
        bool *flag;
    } flag[] = {{"exact", &out->exact}, {"costs", &out->costs}, {"aged", &out->aged}};
    uint64_t count;

    *taken = true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (trod_token_is_word(head, known[i].word))
            return trod_parse_uint(known[i].number, &p->in, "a number") &&
                   trod_parse_end(&p->in, "that");
    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
        if (trod_token_is_word(head, flag[i].word)) {
            if (p->set.count)
                return trod_parse_fail(
                    &p->in, "'%s' comes before subpaths", flag[i].word);
            *flag[i].flag = true;
            return trod_parse_end(&p->in, "that");
        }
    if (trod_token_is_word(head, "ran"))
        return take_real(p, &out->nblock, "how many blocks ran") &&
               trod_parse_end(&p->in, "that");
    if (trod_token_is_word(head, "threshold"))
        return take_real(p, &out->threshold, "a number of executions") &&
               trod_parse_end(&p->in, "that");
    if (trod_token_is_word(head, "samplers"))
        return trod_parse_uint(&out->nsampler, &p->in, "how many there are") &&
               take_real(p, &out->least_frequency, "a frequency") &&
               take_real(p, &out->most_frequency, "a frequency") &&
               trod_parse_end(&p->in, "that");
    if (trod_token_is_word(head, "function"))
        return parse_function(p);
    if (head->kind == TROD_T_NAME && !head->quoted &&
        trod_text_uint(&count, head->name))
        return parse_subpath(p, count);
    *taken = false;
    return true;
}

static bool parse_identity(struct parser *p)
{
    const char *word;

    if (!trod_parse_name(
            &word, &p->in, "which subpaths are equal: rotation, sequence or xor"))
        return false;
    for (uint32_t i = 0; i <= TROD_SAMPLE_XOR; i++)
        if (strcmp(trod_profile_identity_name(i), word) == 0) {
            trod_online_set_init(&p->set, i, p->in.mem);
            return trod_parse_end(&p->in, "that");
        }
    return trod_parse_fail(&p->in,
        "invalid identity '%s'; expected one of: rotation, sequence, xor", word);
}

bool trod_subpaths_parse(struct trod_subpaths *out, const char *name,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}, .out = out};

    *out = (struct trod_subpaths){.name = name};
    if (!parse_identity(&p))
        return false;
    for (;;) {
        struct trod_text before = *text;
        struct trod_token head;
        bool taken;

        if (!trod_text_next(&head, text, mem, err))
            return false;
        if (head.kind == TROD_T_LINE)
            continue;
        if (head.kind == TROD_T_END)
            break;
        if (!parse_line(&p, &head, &taken))
            return false;
        if (!taken) {
            *text = before;
            break;
        }
    }
    if (!close_functions(&p))
        return false;
    trod_online_rank(out, &p.set);
    return true;
}
