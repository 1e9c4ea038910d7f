/* Dependences: rejected, or added to a graph that is valid and survives a round trip through text. */
#include "fuzz.h"

#include "impact/impact.h"

static const char *print(const struct trod_depends *depends, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_depends_print(&text.sink, depends);
    return text.text;
}

static bool read(struct trod_depends *out, const char *bytes, size_t length,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_depends_builder *builder = trod_depends_begin(mem);
    struct trod_text text;

    trod_text_init(&text, "fuzz", bytes, length);
    if (!trod_depends_add(builder, &text, err))
        return false;
    trod_depends_build(out, builder);
    FUZZ_MUST_DO(trod_depends_check(out, err), err);
    return true;
}

static void try_text(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    struct trod_depends depends, back;
    struct trod_err err = {0};
    const char *printed;

    if (!read(&depends, (const char *)bytes, length, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    printed = print(&depends, mem);
    FUZZ_MUST_DO(read(&back, printed, strlen(printed), mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
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
