/* Studies: a text is rejected with its location, or survives a round trip. Its designs are valid, and its results can
 * be printed in all formats.
 */
#include "fuzz.h"

#include "explore/explore.h"

enum { MOST_DESIGNS = 300 };

static const char *print(const struct trod_explored *e, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_explored_print(&text.sink, e);
    return text.text;
}

static void tell(const struct trod_explored *e, struct trod_arena *mem)
{
    struct trod_string text;
    struct trod_json json;

    trod_string_init(&text, mem);
    trod_designs_report(&text.sink, &e->study, &e->designs, mem);
    trod_designs_csv(&text.sink, &e->study, &e->designs);
    if (e->designs.ndesign > MOST_DESIGNS || e->study.nparameter > 8 || e->nstream > 8)
        return;
    trod_explore_report(&text.sink, e, 0, mem);
    trod_explore_csv(&text.sink, e);
    trod_explore_draw(&text.sink, e, 1, mem);
    trod_json_init(&json, &text.sink);
    trod_json_open(&json, NULL, '{');
    trod_explore_json(&json, e, 0, mem);
    trod_json_close(&json, '}');
}

static void try_text(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    struct trod_err err = {0};
    struct trod_explored e, back;
    const char *printed, *name;
    struct trod_text text;

    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    name = fuzz_head(&text, "study", mem, &err);
    if (!name)
        return;
    if (!trod_explored_parse(&e, name, &text, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    FUZZ_MUST_DO(trod_explored_check(&e, &err), &err);
    printed = print(&e, mem);
    trod_text_init(&text, "printed", printed, strlen(printed));
    name = fuzz_head(&text, "study", mem, &err);
    FUZZ_MUST(name);
    FUZZ_MUST_DO(trod_explored_parse(&back, name, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
    tell(&e, mem);
    if (!trod_explore_fits(&trod_explore_hardware, &e.study, &err))
        fuzz_refused(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES)
        try_text(bytes, length, &mem);
    trod_arena_free(&mem);
    return 0;
}
