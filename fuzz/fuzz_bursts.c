/* Bursts as text: what is accepted is valid, can be printed, plotted and compared, and survives a round trip. */
#include "fuzz.h"

#include "burst/burst.h"

static void tell(const struct trod_bursts *bursts, struct trod_arena *mem)
{
    struct trod_bursts_options options = {.most = 5};
    struct trod_bursts_overlap overlap;
    struct trod_string text;
    struct trod_json json;
    struct trod_err err;

    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    for (int kind = TROD_BURST_OF_METHODS; kind <= TROD_BURST_OF_LOOPS; kind++) {
        trod_bursts_report(
            &text.sink, bursts, (enum trod_bursts_kind)kind, &options, mem);
        trod_json_open(&json, NULL, '{');
        trod_bursts_json(&json, bursts, (enum trod_bursts_kind)kind, &options, mem);
        trod_json_close(&json, '}');
        if (trod_bursts_overlap_build(
                &overlap, bursts, bursts, (enum trod_bursts_kind)kind, 0, mem, &err)) {
            FUZZ_MUST(overlap.overlap.all.overlap > 0.999999);
            trod_bursts_overlap_print(&text.sink, &overlap, 5);
        }
    }
    trod_bursts_draw(&text.sink, bursts, &options, mem);
}

static const char *print(const struct trod_bursts *bursts, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_bursts_print(&text.sink, bursts);
    return text.text;
}

static void check(const struct trod_bursts *bursts, struct trod_arena *mem)
{
    const char *printed = print(bursts, mem), *name;
    struct trod_err err = {0};
    struct trod_bursts back;
    struct trod_text text;

    FUZZ_MUST_DO(trod_bursts_check(bursts, mem, &err), &err);
    tell(bursts, mem);
    trod_text_init(&text, "printed", printed, strlen(printed));
    name = fuzz_head(&text, "bursts", mem, &err);
    FUZZ_MUST(name);
    FUZZ_MUST_DO(trod_bursts_parse(&back, name, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_bursts bursts;
    struct trod_err err = {0};
    struct trod_arena mem;
    struct trod_text text;
    const char *name;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    name = length <= FUZZ_MOST_BYTES ? fuzz_head(&text, "bursts", &mem, &err) : NULL;
    if (name && trod_bursts_parse(&bursts, name, &text, &mem, &err))
        check(&bursts, &mem);
    else if (name)
        fuzz_refused(&err);
    trod_arena_free(&mem);
    return 0;
}
