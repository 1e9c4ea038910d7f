/* Entries of a profile as text: what is accepted is valid, can be merged, and survives a round trip. */
#include "fuzz.h"

#include "migrate/migrate.h"

static const char *print(const struct trod_entries *entries, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_entries_print(&text.sink, entries);
    return text.text;
}

static void check(const struct trod_entries *entries, struct trod_arena *mem)
{
    const char *printed = print(entries, mem);
    struct trod_merge_inputs in = {.planned = entries, .profiled = entries};
    struct trod_err err = {0};
    struct trod_entries back;
    struct trod_merged merged;
    struct trod_text text;

    FUZZ_MUST_DO(trod_entries_check(entries, &err), &err);
    trod_text_init(&text, "printed", printed, strlen(printed));
    FUZZ_MUST_DO(trod_entries_parse(&back, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
    for (uint32_t i = 0; i < entries->nentry; i++)
        FUZZ_MUST(trod_entries_find(&back, &entries->entry[i]));
    trod_merge_entries(&merged, &in, mem);
    FUZZ_MUST_DO(trod_entries_check(&merged.entries, &err), &err);
    FUZZ_MUST(merged.entries.nentry <= entries->nentry);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_entries entries;
    struct trod_err err = {0};
    struct trod_arena mem;
    struct trod_text text;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (length <= FUZZ_MOST_BYTES) {
        if (trod_entries_parse(&entries, &text, &mem, &err))
            check(&entries, &mem);
        else
            fuzz_refused(&err);
    }
    trod_arena_free(&mem);
    return 0;
}
