/* Grammars of sequences: they expand to their input and keep their invariants after every
 * terminal, bounded or not; the figures for rules equal brute-force counts.
 */
#include "scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "grammar/grammar.h"

enum { MOST = 400, RULES = 6, SYMBOLS = 40 };

enum fault {
    NONE,
    DROPPED,     /* a terminal is not added */
    SWAPPED,     /* two terminals are added in the wrong order */
    ALTERED,     /* a symbol of the grammar is another */
    LOOSE,       /* the bound is one symbol higher */
    MISREAD,     /* a digit of the text is another */
    MISCOUNTED,  /* a rule is expanded once more than it is */
    MISMEASURED, /* a rule is a terminal longer than it is */
    STRICT,      /* digrams that overlap are counted as two */
    LENIENT      /* a rule that is used once will do */
};

struct line {
    uint64_t at[MOST];
    uint32_t count;
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- sequences -------------------------------------------------------------------------- */

static void add_to(struct line *out, uint64_t terminal)
{
    if (out->count < MOST)
        out->at[out->count++] = terminal;
}

static void draw_plain(struct line *out, struct kit_prop *p)
{
    uint64_t alphabet = 1 + kit_draw(p, 5);

    for (uint64_t n = kit_draw(p, 80); n > 0; n--)
        add_to(out, kit_draw(p, alphabet));
}

static void draw_runs(struct line *out, struct kit_prop *p)
{
    for (uint64_t n = kit_draw(p, 12); n > 0; n--) {
        uint64_t terminal = kit_draw(p, 3);

        for (uint64_t k = kit_draw(p, 12); k > 0; k--)
            add_to(out, terminal);
    }
}

/* Each next phrase is put together from those before it: repeated at all scales. */
static void draw_phrases(struct line *out, struct kit_prop *p)
{
    struct {
        uint32_t from, to;
    } phrase[12];

    for (uint64_t i = 0, n = kit_draw(p, 12); i < n; i++) {
        phrase[i].from = out->count;
        for (uint64_t k = 1 + kit_draw(p, 4); k > 0; k--) {
            uint64_t which = kit_draw(p, 3 + i);

            if (which < 3) {
                add_to(out, which);
                continue;
            }
            for (uint32_t j = phrase[which - 3].from; j < phrase[which - 3].to; j++)
                add_to(out, out->at[j]);
        }
        phrase[i].to = out->count;
    }
}

static void draw_line(struct line *out, struct kit_prop *p)
{
    uint64_t shape = kit_draw(p, 3);

    out->count = 0;
    if (shape == 0)
        draw_plain(out, p);
    else if (shape == 1)
        draw_runs(out, p);
    else
        draw_phrases(out, p);
    for (uint32_t i = 0; i < out->count; i++)
        kit_note(p, "%" PRIu64, out->at[i]);
}

static bool take(uint64_t terminal, void *ctx)
{
    add_to(ctx, terminal);
    return true;
}

static bool is_same(const struct line *a, const struct line *b)
{
    return a->count == b->count && memcmp(a->at, b->at, a->count * sizeof *a->at) == 0;
}

static bool expands_to(
    const struct trod_grammar *grammar, const struct line *want, struct trod_arena *mem)
{
    struct line got = {.count = 0};

    return trod_grammar_expand(grammar, take, &got, mem) && is_same(&got, want);
}

static const char *printed(const struct trod_grammar *grammar, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_grammar_print(&text.sink, grammar);
    return text.text;
}

/* --- after every terminal ---------------------------------------------------------------- */

/* What goes in, which is what was drawn if nothing is planted. */
static void spoil(struct line *in, enum fault fault)
{
    if (fault == DROPPED && in->count)
        in->count--;
    if (fault == SWAPPED && in->count > 1) {
        uint64_t last = in->at[in->count - 1];

        in->at[in->count - 1] = in->at[in->count - 2];
        in->at[in->count - 2] = last;
    }
}

static void alter(struct trod_grammar *g, struct trod_arena *mem)
{
    struct trod_grammar_part *part = trod_new(mem, struct trod_grammar_part, 1);
    uint32_t n = g->part->first_symbol_of_rule[g->part->nrule], s = 0;
    uint64_t *value = trod_new(mem, uint64_t, n);

    *part = *g->part;
    memcpy(value, part->value_of_symbol, n * sizeof *value);
    while (trod_has(part->is_rule, s))
        s++;
    value[s] ^= 1;
    part->value_of_symbol = value;
    g->part = part;
}

static bool holds_always(struct kit_prop *p, void *ctx)
{
    struct trod_grammar_builder b;
    struct trod_grammar g;
    struct line line, so_far = {.count = 0}, in;
    struct sample s;

    begin(&s);
    draw_line(&line, p);
    in = line;
    spoil(&in, fault_in(ctx));
    trod_grammar_builder_init(&b, 0, &s.mem, &s.mem);
    for (uint32_t i = 0; i <= line.count; i++) {
        struct trod_mark mark = trod_arena_mark(&s.mem);

        trod_grammar_build(&g, &b, "g");
        if (fault_in(ctx) == ALTERED && i == line.count && i > 0)
            alter(&g, &s.mem);
        if (fault_in(ctx) != ALTERED && !trod_grammar_check(&g, &s.mem, &s.err))
            return end(&s, wrong(p, s.err.text));
        if (!expands_to(&g, &so_far, &s.mem))
            return end(&s, wrong(p, "what comes out is not what went in"));
        trod_arena_rewind(&s.mem, mark);
        if (i < line.count)
            add_to(&so_far, line.at[i]);
        if (i < in.count)
            trod_grammar_add(&b, in.at[i]);
    }
    return end(&s, true);
}

/* --- bounded ----------------------------------------------------------------------------- */

/* A part is what its stretch of the sequence alone gives. */
static bool is_alone(const struct trod_grammar *g, uint32_t i, struct trod_arena *mem)
{
    struct trod_grammar one = {.name = "g", .npart = 1, .part = &g->part[i]}, again;
    struct trod_grammar_builder b;
    struct line stretch = {.count = 0};

    trod_grammar_expand(&one, take, &stretch, mem);
    trod_grammar_builder_init(&b, 0, mem, mem);
    for (uint32_t k = 0; k < stretch.count; k++)
        trod_grammar_add(&b, stretch.at[k]);
    trod_grammar_build(&again, &b, "g");
    return strcmp(printed(&one, mem), printed(&again, mem)) == 0;
}

static bool is_bounded(struct kit_prop *p, void *ctx)
{
    uint64_t most = 1 + kit_draw(p, 30);
    struct trod_grammar_builder b;
    struct trod_arena scratch;
    struct trod_grammar g;
    struct line line;
    struct sample s;

    begin(&s);
    draw_line(&line, p);
    trod_arena_init(&scratch, exhausted, NULL);
    trod_grammar_builder_init(&b, most + (fault_in(ctx) == LOOSE), &s.mem, &scratch);
    for (uint32_t i = 0; i < line.count; i++)
        trod_grammar_add(&b, line.at[i]);
    trod_grammar_build(&g, &b, "g");
    trod_arena_free(&scratch);
    if (!trod_grammar_check(&g, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    if (!expands_to(&g, &line, &s.mem))
        return end(&s, wrong(p, "what comes out is not what went in"));
    for (uint32_t i = 0; i < g.npart; i++) {
        uint32_t n = g.part[i].first_symbol_of_rule[g.part[i].nrule];

        if (n > most || (n < most && i + 1 < g.npart))
            return end(&s, wrong(p, "a part is too long, or was closed too early"));
        if (!is_alone(&g, i, &s.mem))
            return end(&s, wrong(p, "a part depends on others"));
    }
    return end(&s, true);
}

/* --- text -------------------------------------------------------------------------------- */

static bool parse(struct trod_grammar *out, const char *text, struct sample *s)
{
    struct trod_text cursor;
    struct trod_token token;

    trod_text_init(&cursor, "text", text, strlen(text));
    return trod_text_next(&token, &cursor, &s->mem, &s->err) &&
           trod_text_next(&token, &cursor, &s->mem, &s->err) &&
           trod_grammar_parse(out, token.name, &cursor, &s->mem, &s->err);
}

static bool reads_back(struct kit_prop *p, void *ctx)
{
    uint64_t most = kit_draw(p, 30);
    struct trod_grammar_builder b;
    struct trod_grammar g, back;
    struct line line;
    struct sample s;
    const char *text;
    char *copy;

    begin(&s);
    draw_line(&line, p);
    trod_grammar_builder_init(&b, most, &s.mem, &s.mem);
    for (uint32_t i = 0; i < line.count; i++)
        trod_grammar_add(&b, line.at[i] ? line.at[i] : UINT64_MAX);
    trod_grammar_build(&g, &b, "of \"two\" words");
    text = printed(&g, &s.mem);
    copy = trod_copy_text(&s.mem, text, strlen(text));
    for (char *at = copy; fault_in(ctx) == MISREAD && *at; at++)
        if (*at == '1')
            *at = '2';
    if (!parse(&back, copy, &s))
        return end(&s, wrong(p, s.err.text));
    return end(&s, strcmp(text, printed(&back, &s.mem)) == 0 ||
                       wrong(p, "what is printed does not come back"));
}

/* --- measures ----------------------------------------------------------------------------- */

/* Expand by recursion, and count rules on the way. */
static uint64_t walk(const struct trod_grammar_part *part, uint32_t r, uint64_t *count)
{
    uint64_t length = 0;

    count[r]++;
    for (uint32_t s = part->first_symbol_of_rule[r];
        s < part->first_symbol_of_rule[r + 1]; s++)
        length += trod_has(part->is_rule, s)
                      ? walk(part, (uint32_t)part->value_of_symbol[s], count)
                      : 1;
    return length;
}

static bool measures(struct kit_prop *p, void *ctx)
{
    struct trod_grammar_measure m;
    struct trod_grammar_builder b;
    struct trod_grammar_hot *hot;
    struct trod_grammar g;
    struct line line;
    struct sample s;
    uint64_t *count, *again;
    size_t n;

    begin(&s);
    draw_line(&line, p);
    trod_grammar_builder_init(&b, 0, &s.mem, &s.mem);
    for (uint32_t i = 0; i < line.count; i++)
        trod_grammar_add(&b, line.at[i]);
    trod_grammar_build(&g, &b, "g");
    count = trod_new(&s.mem, uint64_t, g.part->nrule);
    again = trod_new(&s.mem, uint64_t, g.part->nrule);
    walk(g.part, 0, count);
    if (fault_in(ctx) == MISCOUNTED)
        count[g.part->nrule - 1]++;
    trod_grammar_measure(&m, g.part, &s.mem);
    for (uint32_t r = 0; r < g.part->nrule; r++)
        if (m.count_of_rule[r] != count[r] ||
            m.length_of_rule[r] !=
                walk(g.part, r, again) + (fault_in(ctx) == MISMEASURED))
            return end(&s, wrong(p, "a rule is not as long, or not as often"));
    n = trod_grammar_hot(&hot, &g, &s.mem);
    if (n != g.part->nrule - 1)
        return end(&s, wrong(p, "not every rule is among the hot ones"));
    for (size_t i = 0; i < n; i++)
        if (hot[i].weight !=
                m.count_of_rule[hot[i].rule] * m.length_of_rule[hot[i].rule] ||
            (i && hot[i].weight > hot[i - 1].weight))
            return end(&s, wrong(p, "hot rules are not in order"));
    return end(&s, true);
}

/* --- the validator ------------------------------------------------------------------------ */

/* A few rules of a few symbols, each using later ones only: rarely a sound grammar. */
struct drawn {
    uint32_t nrule, first[RULES + 1];
    uint64_t value[SYMBOLS];
    uint64_t is_rule[1];
};

static void draw_rules(struct drawn *out, struct kit_prop *p)
{
    uint32_t n = 0;

    *out = (struct drawn){.nrule = 1 + (uint32_t)kit_draw(p, RULES)};
    for (uint32_t r = 0; r < out->nrule; r++) {
        out->first[r] = n;
        for (uint64_t k = kit_draw(p, SYMBOLS / RULES + 1); k > 0; k--, n++) {
            uint64_t value = kit_draw(p, 4);

            out->value[n] = value;
            if (value < 2 && r + 1 < out->nrule) {
                out->value[n] = r + 1 + kit_draw(p, out->nrule - r - 1);
                trod_add(out->is_rule, n);
            }
        }
    }
    out->first[out->nrule] = n;
}

static bool is_same_symbol(const struct drawn *d, uint32_t s, uint32_t t)
{
    return d->value[s] == d->value[t] &&
           trod_has(d->is_rule, s) == trod_has(d->is_rule, t);
}

static bool ends_rule(const struct drawn *d, uint32_t s)
{
    for (uint32_t r = 0; r < d->nrule; r++)
        if (d->first[r + 1] == s + 1)
            return true;
    return false;
}

/* Every pair of digrams, every use of every rule. */
static bool is_sound(const struct drawn *d, enum fault fault)
{
    uint32_t n = d->first[d->nrule];

    for (uint32_t s = 0; s + 1 < n; s++)
        for (uint32_t t = s + (fault == STRICT ? 1 : 2); t + 1 < n; t++)
            if (!ends_rule(d, s) && !ends_rule(d, t) && is_same_symbol(d, s, t) &&
                is_same_symbol(d, s + 1, t + 1))
                return false;
    for (uint32_t r = 1; r < d->nrule; r++) {
        uint32_t nuse = 0;

        for (uint32_t s = 0; s < n; s++)
            nuse += trod_has(d->is_rule, s) && d->value[s] == r;
        if (nuse < (fault == LENIENT ? 1 : 2) || d->first[r + 1] - d->first[r] < 2)
            return false;
    }
    return true;
}

static bool validates(struct kit_prop *p, void *ctx)
{
    struct trod_grammar_part part;
    struct trod_grammar g = {.name = "g", .npart = 1, .part = &part};
    struct drawn d;
    struct sample s;
    bool sound, checked;

    begin(&s);
    draw_rules(&d, p);
    part = (struct trod_grammar_part){.nrule = d.nrule,
        .first_symbol_of_rule = d.first,
        .value_of_symbol = d.value,
        .is_rule = d.is_rule};
    kit_note(p, "%s", printed(&g, &s.mem));
    sound = is_sound(&d, fault_in(ctx));
    checked = trod_grammar_check(&g, &s.mem, &s.err);
    if (!checked)
        kit_note(p, "%s", s.err.text);
    return end(&s, sound == checked);
}

/* --- all of them -------------------------------------------------------------------------- */

static const struct kit_tested properties[] = {
    {"a grammar is sound, and of its sequence, after every terminal", holds_always,
        {DROPPED, SWAPPED, ALTERED}},
    {"parts keep the bound, and are grammars of their own", is_bounded, {LOOSE}},
    {"what is printed reads back", reads_back, {MISREAD}},
    {"rules are as long and as often as expanding them says", measures,
        {MISCOUNTED, MISMEASURED}},
    {"the validator says what looking at all pairs says", validates, {STRICT, LENIENT}},
};

int main(void)
{
    return kit_run_tested(
        "grammar", properties, sizeof properties / sizeof *properties);
}
