/* Lists of functions to count: rejected, or the list contains each of its functions. */
#include "fuzz.h"

#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_err err = {0};
    struct trod_arena mem;
    struct trod_text text;
    struct trod_only only;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (length <= FUZZ_MOST_BYTES && !trod_only_parse(&only, &text, &mem, &err)) {
        fuzz_refused(&err);
    } else if (length <= FUZZ_MOST_BYTES) {
        for (uint32_t i = 0; i < only.count; i++) {
            const struct trod_only_line *line = &only.line[i];
            const char *path =
                line->file ? trod_only_path("/some/where", line->file, &mem) : "any";

            FUZZ_MUST(!i || strcmp(line[-1].function, line->function) <= 0);
            FUZZ_MUST((line->file && !*line->file) ||
                      trod_only_has(&only, line->function, &path, 1));
        }
    }
    trod_arena_free(&mem);
    return 0;
}
