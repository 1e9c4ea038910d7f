/* Constructs: a program does not depend on the order of its units, nor on how they overlap;
 * the text form parses back; the validator accepts it.
 */
#include "constructs.h"

enum fault {
    NONE,
    MISSING, /* a unit is omitted */
    TWICE,   /* what two units have is there twice */
    LINE,    /* something begins a line further down */
    NAMELESS /* a target is not found */
};

enum { UNITS = 4, THINGS = 8 };

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- units ---------------------------------------------------------------------------------------------- */

/* What a unit has, of things that all may have: bits. Thing t is a function, a class or data in a file of its own or in one
 * that several share.
 */
struct drawn {
    uint32_t has[UNITS];
    uint32_t nunit;
    struct thing {
        uint32_t level, file, uses;
        bool is_static;
    } thing[THINGS];
    uint32_t nthing;
};

static void draw_units(struct drawn *out, struct kit_prop *p)
{
    *out = (struct drawn){.nunit = 1 + (uint32_t)kit_draw(p, UNITS),
        .nthing = (uint32_t)kit_draw(p, THINGS + 1)};
    for (uint32_t t = 0; t < out->nthing; t++)
        out->thing[t] = (struct thing){.level = (uint32_t)kit_draw(p, 3),
            .file = (uint32_t)kit_draw(p, 3),
            .uses = (uint32_t)kit_draw(p, out->nthing),
            .is_static = kit_draw(p, 3) == 2};
    for (uint32_t u = 0; u < out->nunit; u++)
        out->has[u] = (uint32_t)kit_draw(p, 1u << THINGS);
}

static void put_thing(struct trod_sink *sink, const struct drawn *d, uint32_t t,
    enum fault fault, uint32_t unit)
{
    const struct thing *it = &d->thing[t];
    uint32_t line = 10 * t + 1 + (fault == LINE && unit == 1);
    uint64_t tree = 100 + t + (fault == TWICE ? 1000 * unit : 0);

    trod_put(sink, "in f%" PRIu32 ".c\n0 %s %" PRIu32 " %" PRIu32, it->file,
        it->level == 0   ? "function"
        : it->level == 1 ? "class"
                         : "statement decl",
        line, line + 5);
    trod_put(sink, " %016" PRIx64 " %016" PRIx64 " n%" PRIu32 "%s\n", tree, tree,
        it->level == 0 ? t % 4 : t, it->is_static ? " static" : "");
    trod_put(sink,
        "1 statement call %" PRIu32 " %" PRIu32 " %016" PRIx64 " %016" PRIx64 "\n",
        line + 1, line + 1, tree + 500, tree + 500);
    trod_put(sink,
        "names n%" PRIu32 "\ncalls n%" PRIu32 "\nmay-call 00000000000000aa\n",
        it->uses + (fault == NAMELESS ? 50 : 0), it->uses % 4);
    if (it->level == 0)
        trod_put(sink, "taken n%" PRIu32 " 00000000000000aa f%" PRIu32 ".c\n", t % 4,
            it->file);
}

static bool build(struct trod_constructs *out, const struct drawn *d,
    const uint32_t *order, enum fault fault, struct sample *s)
{
    struct trod_constructs_builder *builder = trod_constructs_begin("p", &s->mem);

    for (uint32_t i = 0; i < d->nunit; i++) {
        uint32_t u = order[i];
        struct trod_string text;
        struct trod_text cursor;

        if (fault == MISSING && u == 0)
            continue;
        trod_string_init(&text, &s->mem);
        trod_put(&text.sink, "constructs u\nunit u%" PRIu32 ".c\n", u);
        for (uint32_t t = 0; t < d->nthing; t++)
            if (d->has[u] >> t & 1)
                put_thing(&text.sink, d, t, fault, u);
        trod_text_init(&cursor, "unit", text.text, text.length);
        if (!trod_constructs_add(builder, &cursor, &s->err))
            return false;
    }
    trod_constructs_build(out, builder);
    return trod_constructs_check(out, &s->err);
}

static const char *text_of(const struct trod_constructs *of, struct sample *s)
{
    struct trod_string text;

    trod_string_init(&text, &s->mem);
    trod_constructs_print(&text.sink, of);
    return text.text;
}

static bool any_order_will_do(struct kit_prop *p, void *ctx)
{
    uint32_t order[UNITS] = {0, 1, 2, 3}, turned[UNITS];
    struct trod_constructs one, other;
    struct drawn d;
    struct sample s;

    begin(&s);
    draw_units(&d, p);
    for (uint32_t i = 0; i < d.nunit; i++)
        turned[i] = i;
    for (uint32_t i = d.nunit; i > 1; i--) {
        uint32_t k = (uint32_t)kit_draw(p, i), was = turned[i - 1];

        turned[i - 1] = turned[k];
        turned[k] = was;
    }
    if (!build(&one, &d, order, NONE, &s) ||
        !build(&other, &d, turned, fault_in(ctx), &s))
        return end(&s, wrong(p, s.err.text));
    kit_note(p, "%s%s", text_of(&one, &s), text_of(&other, &s));
    return end(&s, (strcmp(text_of(&one, &s), text_of(&other, &s)) == 0 &&
                       one.construct[0].tree == other.construct[0].tree) ||
                       wrong(p, "not the same program"));
}

static bool reads_back(struct kit_prop *p, void *ctx)
{
    uint32_t order[UNITS] = {0, 1, 2, 3};
    struct trod_constructs of, back;
    struct trod_text cursor;
    const char *text;
    struct drawn d;
    struct sample s;

    begin(&s);
    draw_units(&d, p);
    if (!build(&of, &d, order, NONE, &s))
        return end(&s, wrong(p, s.err.text));
    text = text_of(&of, &s);
    kit_note(p, "%s", text);
    trod_text_init(&cursor, "text", text, strlen(text));
    if (!trod_constructs_parse(&back, &cursor, &s.mem, &s.err) ||
        !trod_constructs_check(&back, &s.err))
        return end(&s, wrong(p, s.err.text));
    if (fault_in(ctx) == LINE)
        back.construct[back.nconstruct - 1].line++;
    if (fault_in(ctx) == MISSING)
        back.nuse -= back.nuse > 0;
    if (strcmp(text, text_of(&back, &s)) != 0 || of.nuse != back.nuse)
        return end(&s, wrong(p, "it does not come back"));
    for (uint32_t u = 0; u < of.nuse; u++)
        if (of.use[u].from != back.use[u].from || of.use[u].to != back.use[u].to ||
            of.use[u].kind != back.use[u].kind)
            return end(&s, wrong(p, "a use does not come back"));
    return end(&s, true);
}

/* --- trees ---------------------------------------------------------------------------------------------- */

/* Every line is in what begins there, or in what is around it: found by looking at all. */
static bool finds_lines(struct kit_prop *p, void *ctx)
{
    static struct version v;
    struct shown_version shown;
    const struct trod_constructs *of = &shown.constructs;
    uint32_t line, file, level, want = TROD_NO_CONSTRUCT;
    struct sample s;

    begin(&s);
    draw_version(&v, p, 0);
    if (!show_version(&shown, &v, &s))
        return end(&s, wrong(p, s.err.text));
    line = (uint32_t)kit_draw(p, of->nconstruct + 2);
    file = (uint32_t)kit_draw(p, of->files.count);
    level = 10 * (1 + (uint32_t)kit_draw(p, 3));
    for (uint32_t c = 1; c < of->nconstruct; c++)
        if (of->construct[c].file == file && of->construct[c].level >= level &&
            of->construct[c].line <= line && line <= of->construct[c].last)
            want = c;
    if (fault_in(ctx) == LINE)
        line++;
    kit_note(p, "line %" PRIu32, line);
    return end(
        &s, trod_constructs_at(of, file, line, TROD_NO_CONSTRUCT, level) == want);
}

static const struct kit_tested properties[] = {
    {"units may come in any order", any_order_will_do,
        {MISSING, TWICE, LINE, NAMELESS}},
    {"what is printed reads back", reads_back, {LINE, MISSING}},
    {"lines are found", finds_lines, {LINE}},
};

int main(void)
{
    return kit_run_tested(
        "construct", properties, sizeof properties / sizeof *properties);
}
