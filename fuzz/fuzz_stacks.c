/* Output of 'perf script': any text is read or rejected. Streams built from it are consistent, whatever a decoder
 * reports about the code.
 */
#include "fuzz.h"

#include "branch/branch.h"

/* Code that is a function of the address: instructions of one to four bytes, some of them conditional branches. */
static bool walk(void *ctx, uint64_t pc, uint64_t last,
    void (*take)(void *to, uint64_t pc, uint8_t size, uint8_t kind, uint64_t target),
    void *to)
{
    (void)ctx;
    while (pc < last) {
        uint64_t h = trod_mix(1, pc);
        uint8_t size = (uint8_t)(1 + h % 4);

        if (h % 64 == 5)
            return false;
        take(to, pc, size, h % 8 == 3 ? TROD_BRANCH_IF : TROD_BRANCH_NONE, h);
        pc += size;
    }
    take(to, pc, 2, (uint8_t)(trod_mix(2, pc) % TROD_BRANCH_KINDS), pc + 16);
    return pc == last;
}

static void try(
    const uint8_t *bytes, size_t length, bool decoded, struct trod_arena *mem)
{
    struct trod_branch_decoder decoder = {walk, NULL};
    struct trod_branch_checker checker;
    struct trod_branch_paths paths;
    struct trod_branch_sink *to[2] = {&checker.sink, &paths.sink};
    struct trod_branch_stacks stacks;
    struct trod_branch_tee tee;
    struct trod_err err = {0};
    struct trod_image *image;
    size_t n;

    trod_branch_checker_init(&checker, mem);
    trod_branch_paths_init(&paths, true, mem);
    trod_branch_tee_init(&tee, to, 2);
    n = trod_branch_parse_maps(&image, (const char *)bytes, length, mem);
    for (size_t i = 0; i < n; i++)
        FUZZ_MUST(image[i].start < image[i].end && image[i].path);
    if (!trod_branch_parse_stacks(&tee.sink, &stacks, "fuzz", (const char *)bytes,
            length, decoded ? &decoder : NULL, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    FUZZ_MUST_DO(trod_branch_checked(&checker, &err), &err);
    FUZZ_MUST(!paths.npath || paths.weight > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES) {
        try(bytes, length, false, &mem);
        try(bytes, length, true, &mem);
    }
    trod_arena_free(&mem);
    return 0;
}
