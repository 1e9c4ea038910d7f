/* Grammars and sequences: what is accepted survives a round trip. Grammars built from it are valid and expand to it. */
#include "fuzz.h"

#include "grammar/grammar.h"

enum { MOST_TERMINALS = 20000 };

struct line {
    uint64_t *at;
    size_t count;
};

static bool take(uint64_t terminal, void *ctx)
{
    struct line *line = ctx;

    FUZZ_MUST(line->count < MOST_TERMINALS);
    line->at[line->count++] = terminal;
    return true;
}

static void expand(
    struct line *out, const struct trod_grammar *grammar, struct trod_arena *mem)
{
    *out = (struct line){.at = trod_new(mem, uint64_t, MOST_TERMINALS)};
    FUZZ_MUST(trod_grammar_expand(grammar, take, out, mem));
}

static void check_made(const struct line *line, uint64_t most, struct trod_arena *mem)
{
    struct trod_grammar_builder builder;
    struct trod_err err = {0};
    struct trod_grammar grammar;
    struct line again;

    trod_grammar_builder_init(&builder, most, mem, mem);
    for (size_t i = 0; i < line->count; i++)
        trod_grammar_add(&builder, line->at[i]);
    trod_grammar_build(&grammar, &builder, "made");
    FUZZ_MUST_DO(trod_grammar_check(&grammar, mem, &err), &err);
    expand(&again, &grammar, mem);
    FUZZ_MUST(again.count == line->count);
    for (size_t i = 0; i < line->count; i++)
        FUZZ_MUST(again.at[i] == line->at[i]);
}

static const char *print(const struct trod_grammar *grammar, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_grammar_print(&text.sink, grammar);
    return text.text;
}

static void check_again(const struct trod_grammar *grammar, struct trod_arena *mem)
{
    const char *printed = print(grammar, mem), *name;
    struct trod_err err = {0};
    struct trod_grammar back;
    struct trod_text text;

    trod_text_init(&text, "printed", printed, strlen(printed));
    name = fuzz_head(&text, "grammar", mem, &err);
    FUZZ_MUST(name);
    FUZZ_MUST_DO(trod_grammar_parse(&back, name, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
}

static void check_grammar(const struct trod_grammar *grammar, struct trod_arena *mem)
{
    struct trod_grammar_sizes sizes;
    struct trod_grammar_hot *hot;
    struct trod_err err = {0};
    struct line line;

    check_again(grammar, mem);
    trod_grammar_sizes(&sizes, grammar, mem);
    FUZZ_MUST(trod_grammar_hot(&hot, grammar, mem) == sizes.nrule - sizes.npart);
    if (!trod_grammar_check(grammar, mem, &err))
        FUZZ_MUST(err.code == TROD_E_INTERNAL);
    if (sizes.nterminal > MOST_TERMINALS)
        return;
    expand(&line, grammar, mem);
    FUZZ_MUST(line.count == sizes.nterminal);
    check_made(&line, 0, mem);
}

static void try_text(struct trod_text *text, struct trod_arena *mem)
{
    struct trod_text start = *text;
    struct trod_err err = {0};
    struct trod_sequence sequence;
    struct trod_grammar grammar;
    const char *name = fuzz_head(text, "grammar", mem, &err);

    if (name) {
        if (trod_grammar_parse(&grammar, name, text, mem, &err))
            check_grammar(&grammar, mem);
        else
            fuzz_refused(&err);
        return;
    }
    *text = start;
    name = fuzz_head(text, "sequence", mem, &err);
    if (!name)
        return;
    if (trod_sequence_parse(&sequence, name, text, mem, &err)) {
        struct line line = {
            .count = sequence.count, .at = trod_new(mem, uint64_t, sequence.count)};

        if (sequence.count)
            memcpy(line.at, sequence.terminal, sequence.count * sizeof *line.at);
        check_made(&line, 0, mem);
        check_made(&line, 1 + sequence.count % 37, mem);
    } else {
        fuzz_refused(&err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_arena mem;
    struct trod_text text;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (length <= FUZZ_MOST_BYTES)
        try_text(&text, &mem);
    trod_arena_free(&mem);
    return 0;
}
