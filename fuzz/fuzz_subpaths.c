/* Subpaths as text: what is accepted is valid, can be printed, and survives a round trip. */
#include "fuzz.h"

#include "online/online.h"

static const char *print(const struct trod_subpaths *subpaths, struct trod_arena *mem)
{
    struct trod_subpaths_options options = {.threshold = 1, .weight = 1};
    static const struct trod_map nothing;
    struct trod_online_names names;
    struct trod_string text;
    struct trod_json json;

    trod_online_names(&names, subpaths, &nothing, mem);
    trod_string_init(&text, mem);
    trod_online_print(&text.sink, &names, &options, mem);
    trod_json_init(&json, &text.sink);
    trod_json_open(&json, NULL, '{');
    trod_online_json(&json, &names, &options, mem);
    trod_json_close(&json, '}');
    trod_string_init(&text, mem);
    trod_subpaths_print(&text.sink, subpaths);
    return text.text;
}

static void check(const struct trod_subpaths *subpaths, struct trod_arena *mem)
{
    const char *printed = print(subpaths, mem), *name;
    struct trod_err err = {0};
    struct trod_subpaths back;
    struct trod_text text;

    FUZZ_MUST_DO(trod_subpaths_check(subpaths, mem, &err), &err);
    trod_text_init(&text, "printed", printed, strlen(printed));
    name = fuzz_head(&text, "subpaths", mem, &err);
    FUZZ_MUST(name);
    FUZZ_MUST_DO(trod_subpaths_parse(&back, name, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_subpaths subpaths;
    struct trod_err err = {0};
    struct trod_arena mem;
    struct trod_text text;
    const char *name;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    name = length <= FUZZ_MOST_BYTES ? fuzz_head(&text, "subpaths", &mem, &err) : NULL;
    if (name && trod_subpaths_parse(&subpaths, name, &text, &mem, &err))
        check(&subpaths, &mem);
    else if (name)
        fuzz_refused(&err);
    trod_arena_free(&mem);
    return 0;
}
