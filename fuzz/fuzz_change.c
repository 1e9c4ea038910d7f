/* Two versions and a list of their changes: changes that are found or parsed are valid and survive a round trip.
 * Lines of '%' separate the parts.
 */
#include "fuzz.h"

#include "change/change.h"

static const char *print(const struct trod_changes *of, struct trod_arena *mem)
{
    struct trod_string text;
    struct trod_json json;

    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    trod_changes_json(&json, NULL, of);
    trod_changes_show(&text.sink, of);
    trod_string_init(&text, mem);
    trod_changes_print(&text.sink, of);
    return text.text;
}

static void check(const struct trod_changes *of, struct trod_arena *mem)
{
    const char *printed = print(of, mem);
    struct trod_err err = {0};
    struct trod_changes back;
    struct trod_text text;

    FUZZ_MUST_DO(trod_changes_check(of, &err), &err);
    trod_text_init(&text, "printed", printed, strlen(printed));
    FUZZ_MUST_DO(trod_changes_parse(&back, of->old, of->later, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
    FUZZ_MUST(memcmp(of->same_of_old, back.same_of_old,
                  TROD_WORDS(of->old->nconstruct) * sizeof *of->same_of_old) == 0);
}

/* Returns the text up to the next '%' and moves behind it. */
static struct trod_text take_part(const char **at, const char *end)
{
    const char *from = *at, *mark = from;
    struct trod_text text;

    while (mark < end && *mark != '%')
        mark++;
    trod_text_init(&text, "part", from, (size_t)(mark - from));
    *at = mark < end ? mark + 1 : end;
    return text;
}

static void try_parts(const char *at, const char *end, struct trod_arena *mem)
{
    struct trod_text old_text = take_part(&at, end), new_text = take_part(&at, end);
    struct trod_text said = take_part(&at, end);
    struct trod_change_options options;
    struct trod_constructs old, new;
    struct trod_err err = {0};
    struct trod_changes changes;

    if (!trod_constructs_parse(&old, &old_text, mem, &err) ||
        !trod_constructs_parse(&new, &new_text, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    trod_changes_build(&changes, &old, &new, NULL, mem);
    check(&changes, mem);
    trod_change_options_init(&options);
    options.most_pairs = 4;
    trod_changes_build(&changes, &old, &new, &options, mem);
    check(&changes, mem);
    trod_changes_build(&changes, &old, &old, NULL, mem);
    FUZZ_MUST(!changes.nchange && trod_has(changes.same_of_old, 0));
    if (trod_changes_parse(&changes, &old, &new, &said, mem, &err))
        check(&changes, mem);
    else
        fuzz_refused(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES)
        try_parts((const char *)bytes, (const char *)bytes + length, &mem);
    trod_arena_free(&mem);
    return 0;
}
