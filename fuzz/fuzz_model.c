/* Registers and designs of tables: what is accepted survives a round trip, and can be run. */
#include "fuzz.h"

#include "model/model.h"

static const char *print_control(const struct trod_control *c, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_control_print(&text.sink, c);
    return text.text;
}

/* Runs a few branches of all kinds. */
static void run_few(const struct trod_control *c, struct trod_arena *mem)
{
    struct trod_code code[] = {
        {.pc = 16, .last = 16, .after = 20, .target = 64, .kind = TROD_BRANCH_IF},
        {.pc = 20, .last = 24, .after = 28, .target = 64, .kind = TROD_BRANCH_CALL},
        {.pc = 64, .last = 68, .after = 72, .target = 64, .kind = TROD_BRANCH_IF},
        {.pc = 72, .last = 72, .after = 76, .kind = TROD_BRANCH_RETURN},
        {.pc = 28, .last = 28, .after = 32, .kind = TROD_BRANCH_INDIRECT},
        {.pc = 32, .last = 32, .after = 36, .target = 16, .kind = TROD_BRANCH_JUMP}};
    struct trod_err err = {0};
    struct trod_detector d;

    if (c->split > 1000 || c->stack > 1000)
        return;
    trod_detector_init(&d, c, mem);
    for (uint32_t i = 0; i < 400; i++) {
        uint32_t k = i * 7 % 19 % 6;
        struct trod_run run = {.code = &code[k],
            .next = i % 3 && code[k].target ? code[k].target : code[k].after,
            .taken = k == 3 || k == 4 || i % 3,
            .stack = i % 5 ? 0 : 4096 - 8 * (i % 11)};

        trod_detector_run(&d, &run, i);
        FUZZ_MUST_DO(trod_detector_check(&d, &err), &err);
    }
    trod_detector_end(&d, 0);
}

static void try_control(const char *text, size_t length, struct trod_arena *mem)
{
    struct trod_control c, back;
    struct trod_err err = {0};
    const char *printed;

    if (!trod_control_parse(&c, "fuzz", text, length, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    printed = print_control(&c, mem);
    FUZZ_MUST_DO(
        trod_control_parse(&back, "printed", printed, strlen(printed), mem, &err),
        &err);
    FUZZ_MUST(strcmp(printed, print_control(&back, mem)) == 0);
    run_few(&c, mem);
}

static void try_design(const char *text, struct trod_arena *mem)
{
    struct trod_hot_design d, back;
    struct trod_err err = {0};
    struct trod_string once, twice;

    if (!trod_hot_design_parse(&d, text, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    trod_string_init(&once, mem);
    trod_hot_design_print(&once.sink, &d);
    FUZZ_MUST_DO(trod_hot_design_parse(&back, once.text, mem, &err), &err);
    trod_string_init(&twice, mem);
    trod_hot_design_print(&twice.sink, &back);
    FUZZ_MUST(strcmp(once.text, twice.text) == 0);
    FUZZ_MUST(trod_hot_design_bits(&d, 32, 47) >= d.entries);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES) {
        try_control((const char *)bytes, length, &mem);
        try_design(trod_copy_text(&mem, (const char *)bytes, length), &mem);
    }
    trod_arena_free(&mem);
    return 0;
}
