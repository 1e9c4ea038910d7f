/* Basic-block maps: arbitrary bytes are read or rejected. What is read is sorted and refers to existing functions
 * only.
 */
#include "fuzz.h"

#include "elf/section.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_elf_block *block;
    struct trod_err err = {0};
    struct trod_arena mem;
    size_t n;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES) {
        if (!trod_elf_bb_map_parse(&block, &n, "fuzz", bytes, length, &mem, &err))
            fuzz_refused(&err);
        else
            for (size_t i = 0; i < n; i++) {
                FUZZ_MUST(block[i].nbyte <= UINT64_MAX - block[i].address);
                FUZZ_MUST(!i || block[i - 1].function < block[i].function ||
                          (block[i - 1].function == block[i].function &&
                              block[i - 1].address <= block[i].address));
            }
        FUZZ_MUST(err.code || n <= length / 3);
    }
    trod_arena_free(&mem);
    return 0;
}
