/* Constructs of units, and hashes of code: what is accepted makes a valid program, which survives a round trip. */
#include "fuzz.h"

#include "construct/construct.h"

static const char *print(const struct trod_constructs *of, struct trod_arena *mem)
{
    struct trod_string text;
    struct trod_json json;

    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    trod_constructs_json(&json, NULL, of);
    trod_constructs_show(&text.sink, of, TROD_LEVEL_LOOP);
    trod_string_init(&text, mem);
    trod_constructs_print(&text.sink, of);
    return text.text;
}

static void check(const struct trod_constructs *of, struct trod_arena *mem)
{
    const char *printed = print(of, mem);
    struct trod_err err = {0};
    struct trod_constructs back;
    struct trod_text text;

    FUZZ_MUST_DO(trod_constructs_check(of, &err), &err);
    trod_text_init(&text, "printed", printed, strlen(printed));
    FUZZ_MUST_DO(trod_constructs_parse(&back, &text, mem, &err), &err);
    FUZZ_MUST_DO(trod_constructs_check(&back, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
    for (uint32_t c = 1; c < of->nconstruct; c++) {
        const struct trod_construct *it = &of->construct[c];
        uint32_t at = trod_constructs_at(of, it->file, it->line, c, 0);

        FUZZ_MUST(at >= c && at < it->next);
        FUZZ_MUST(trod_constructs_above(of, c, it->level) == c);
        if (it->level == TROD_LEVEL_FUNCTION)
            FUZZ_MUST(trod_constructs_function(
                          of, it->name, of->files.name[it->file]) != TROD_NO_CONSTRUCT);
    }
}

/* Hashes of code, a '%', and constructs; or constructs alone. */
static void try_text(const struct trod_text *start, struct trod_arena *mem)
{
    struct trod_constructs_builder *builder = trod_constructs_begin("fuzz", mem);
    struct trod_text text = *start;
    struct trod_err err = {0};
    struct trod_constructs of;
    const char *at = text.at;

    if (!trod_constructs_add_code(builder, &text, &err))
        fuzz_refused(&err);
    while (at < text.end && *at != '%')
        at++;
    if (at < text.end)
        at++;
    trod_text_init(&text, "fuzz", at, (size_t)(start->end - at));
    if (!trod_constructs_add(builder, &text, &err)) {
        fuzz_refused(&err);
        trod_text_init(&text, "fuzz", start->at, (size_t)(start->end - start->at));
        builder = trod_constructs_begin("fuzz", mem);
        if (!trod_constructs_add(builder, &text, &err)) {
            fuzz_refused(&err);
            return;
        }
    }
    trod_constructs_build(&of, builder);
    check(&of, mem);
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
