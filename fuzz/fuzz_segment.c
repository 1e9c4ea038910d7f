/* Whole program paths and segments: what is accepted, and what is built from it, is valid and survives a round trip. */
#include "fuzz.h"

#include "segment/segment.h"

static const char *print_wpp(const struct trod_wpp *wpp, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_wpp_print(&text.sink, wpp);
    return text.text;
}

static const char *print(const struct trod_segments *segments, struct trod_arena *mem)
{
    struct trod_string text;
    struct trod_json json;

    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    trod_segments_json(&json, NULL, segments);
    trod_string_init(&text, mem);
    trod_segments_print(&text.sink, segments);
    return text.text;
}

static void check_segments(const struct trod_segments *segments, struct trod_arena *mem)
{
    const char *printed = print(segments, mem), *name;
    struct trod_err err = {0};
    struct trod_segments back;
    struct trod_text text;

    FUZZ_MUST_DO(trod_segments_check(segments, mem, &err), &err);
    trod_text_init(&text, "printed", printed, strlen(printed));
    name = fuzz_head(&text, "segments", mem, &err);
    FUZZ_MUST(name);
    FUZZ_MUST_DO(trod_segments_parse(&back, name, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
}

static void check_wpp(const struct trod_wpp *wpp, struct trod_arena *mem)
{
    const char *printed = print_wpp(wpp, mem), *name;
    struct trod_segments segments;
    struct trod_err err = {0};
    struct trod_text text;
    struct trod_wpp back;

    FUZZ_MUST_DO(trod_wpp_check(wpp, mem, &err), &err);
    trod_text_init(&text, "printed", printed, strlen(printed));
    name = fuzz_head(&text, "wpp", mem, &err);
    FUZZ_MUST(name);
    FUZZ_MUST_DO(trod_wpp_parse(&back, name, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print_wpp(&back, mem)) == 0);
    for (uint64_t depth = 1; depth <= 4; depth++) {
        trod_segments_build(&segments, wpp, depth, mem);
        check_segments(&segments, mem);
    }
}

static void try_text(struct trod_text *text, struct trod_arena *mem)
{
    struct trod_text start = *text;
    struct trod_err err = {0};
    struct trod_segments segments;
    struct trod_wpp wpp;
    const char *name = fuzz_head(text, "wpp", mem, &err);

    if (name) {
        if (trod_wpp_parse(&wpp, name, text, mem, &err))
            check_wpp(&wpp, mem);
        else
            fuzz_refused(&err);
        return;
    }
    *text = start;
    name = fuzz_head(text, "segments", mem, &err);
    if (!name)
        return;
    if (trod_segments_parse(&segments, name, text, mem, &err))
        check_segments(&segments, mem);
    else
        fuzz_refused(&err);
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
