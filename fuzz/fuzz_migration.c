/* Migration plans as text: what is accepted can be printed, and survives a round trip. */
#include "fuzz.h"

#include "migrate/migrate.h"

static const char *print(const struct trod_migrate_plan *plan, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_migrate_plan_print(&text.sink, plan);
    trod_migrate_plan_reprofile(&text.sink, plan);
    return text.text;
}

static void check(const struct trod_migrate_plan *plan, struct trod_arena *mem)
{
    static const struct trod_migration nothing;
    static const struct trod_migrate_print_options options = {
        .colour = true, .most = 3};
    struct trod_migrate_plan back;
    struct trod_string printed;
    struct trod_err err = {0};
    struct trod_text text;

    trod_string_init(&printed, mem);
    trod_migrate_plan_print(&printed.sink, plan);
    trod_text_init(&text, "printed", printed.text, printed.length);
    FUZZ_MUST_DO(trod_migrate_plan_parse(&back, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(print(plan, mem), print(&back, mem)) == 0);
    trod_migrate_report(&printed.sink, &nothing, plan, &options);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_migrate_plan plan;
    struct trod_err err = {0};
    struct trod_arena mem;
    struct trod_text text;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (length <= FUZZ_MOST_BYTES) {
        if (trod_migrate_plan_parse(&plan, &text, &mem, &err))
            check(&plan, &mem);
        else
            fuzz_refused(&err);
    }
    trod_arena_free(&mem);
    return 0;
}
