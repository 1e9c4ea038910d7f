/* What an emulator recorded: rejected, or valid, and it survives a round trip through text. */
#include "fuzz.h"

#include "lift/lift.h"

static const char *print(const struct trod_seen *seen, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_seen_print(&text.sink, seen);
    return text.text;
}

/* What was recorded can be lifted, or exceeds a limit. */
static void lift(const struct trod_seen *seen, struct trod_arena *mem)
{
    struct trod_err err = {0};
    struct trod_lifted lifted;
    struct trod_profile profile;
    struct trod_string text;

    if (!trod_lift_build(&lifted, &seen, 1, 1, NULL, mem, &err)) {
        FUZZ_MUST(err.code == TROD_E_LIMIT);
        return;
    }
    FUZZ_MUST_DO(trod_lift_check(&lifted, mem, &err), &err);
    FUZZ_MUST_DO(trod_lift_profile(&profile, &lifted, &seen, 1, NULL, mem, &err), &err);
    FUZZ_MUST_DO(trod_profile_check(&profile, &err), &err);
    trod_string_init(&text, mem);
    trod_lift_print_map(&text.sink, &lifted);
    trod_lift_print(&text.sink, &lifted, mem);
}

static void try_text(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    struct trod_err err = {0};
    struct trod_seen seen, back;
    struct trod_text text;
    const char *printed;

    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (!trod_seen_parse(&seen, &text, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    FUZZ_MUST_DO(trod_seen_check(&seen, &err), &err);
    printed = print(&seen, mem);
    trod_text_init(&text, "printed", printed, strlen(printed));
    FUZZ_MUST_DO(trod_seen_parse(&back, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
    lift(&seen, mem);
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
