/* Branch streams: texts are rejected, or survive a round trip through text and through a trace file. */
#include "fuzz.h"

#include "branch/branch.h"

static bool parse(struct trod_branch_sink *to, const char *bytes, size_t length,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_text text;

    trod_text_init(&text, "fuzz", bytes, length);
    return fuzz_head(&text, "branches", mem, err) &&
           trod_branch_parse(to, &text, mem, err);
}

static void check(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    struct trod_branch_hasher first, second, third;
    struct trod_branch_read_options options = {0};
    struct trod_branch_checker checker;
    struct trod_branch_health health;
    struct trod_branch_printer print;
    struct trod_branch_writer write;
    struct trod_branch_sink *to[4];
    struct trod_string text, file;
    struct trod_branch_paths paths;
    struct trod_branch_tee tee;
    struct trod_err err = {0};

    trod_string_init(&text, mem);
    trod_string_init(&file, mem);
    trod_branch_hasher_init(&first);
    trod_branch_hasher_init(&second);
    trod_branch_hasher_init(&third);
    trod_branch_checker_init(&checker, mem);
    trod_branch_paths_init(&paths, false, mem);
    trod_branch_printer_init(&print, &text.sink, "fuzz");
    trod_branch_writer_init(&write, &file.sink, "fuzz", NULL, mem);
    to[0] = &first.sink;
    to[1] = &print.sink;
    to[2] = &checker.sink;
    to[3] = &paths.sink;
    trod_branch_tee_init(&tee, to, 4);
    FUZZ_MUST_DO(parse(&tee.sink, (const char *)bytes, length, mem, &err), &err);
    to[0] = &second.sink;
    to[1] = &write.sink;
    tee.count = 2;
    FUZZ_MUST_DO(parse(&tee.sink, text.text, text.length, mem, &err), &err);
    FUZZ_MUST(first.all == second.all && first.codes == second.codes);
    trod_branch_writer_finish(&write);
    FUZZ_MUST_DO(trod_branch_read(&third.sink, &health, "fuzz",
                     (const uint8_t *)file.text, file.length, &options, mem, &err),
        &err);
    FUZZ_MUST(!health.cut_off && !health.ndamaged);
    FUZZ_MUST(first.codes == third.codes && first.branches == third.branches);
    /* The trace reader does not report the end of threads that never ran. */
    if (!checker.count[TROD_BRANCH_BAD_THREAD])
        FUZZ_MUST(first.all == third.all);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_branch_sink none = {0};
    struct trod_err err = {0};
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES) {
        if (parse(&none, (const char *)bytes, length, &mem, &err))
            check(bytes, length, &mem);
        else if (err.text[0])
            fuzz_refused(&err);
    }
    trod_arena_free(&mem);
    return 0;
}
